/* What a server counts. Each session counts for itself; sums are made when someone asks. */
#ifndef SPC_NATIVE_COUNTERS_H
#define SPC_NATIVE_COUNTERS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Errors are counted by status; a status from here up counts as the last. */
#define SPC_COUNTED_STATUSES 128u

/* Longest text of spc__counters_text, for all statuses at their largest. */
#define SPC_COUNTERS_TEXT_BYTES ((size_t)8192)

/* Written by one thread, read by others. */
typedef struct spc__counters {
  _Atomic uint64_t calls;
  _Atomic uint64_t request_bytes;
  _Atomic uint64_t response_bytes;
  _Atomic uint64_t errors[SPC_COUNTED_STATUSES]; /* by status; [0] stays 0 */
} spc__counters;

/* Adds to a counter of which the caller is the only writer. */
static inline void spc__counters_add(_Atomic uint64_t *counter, uint64_t value) {
  uint64_t old = atomic_load_explicit(counter, memory_order_relaxed);
  atomic_store_explicit(counter, old + value, memory_order_relaxed);
}

/* Counts an error. */
void spc__counters_error(spc__counters *self, uint32_t status);

/* Adds all of `other` to `self`. */
void spc__counters_sum(spc__counters *self, const spc__counters *other);

/*
 * JSON: {"clients", "clients_total", "calls", "request_bytes", "response_bytes", "errors": {NAME:
 * count}} with the names of statuses that happened. Gives the length.
 */
size_t spc__counters_text(const spc__counters *self, uint64_t clients, uint64_t clients_total,
                          char out[SPC_COUNTERS_TEXT_BYTES]);

#endif
