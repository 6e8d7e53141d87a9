/* Counters are single-writer, so adding is a load and a store, without a locked instruction. */
#include "native/counters.h"

#include <inttypes.h>
#include <stdio.h>

#include "spicule/status.h"

void spc__counters_error(spc__counters *self, uint32_t status) {
  if (status >= SPC_COUNTED_STATUSES) status = SPC_COUNTED_STATUSES - 1;
  spc__counters_add(&self->errors[status], 1);
}

static uint64_t counters_read(const _Atomic uint64_t *counter) {
  return atomic_load_explicit(counter, memory_order_relaxed);
}

void spc__counters_sum(spc__counters *self, const spc__counters *other) {
  spc__counters_add(&self->calls, counters_read(&other->calls));
  spc__counters_add(&self->request_bytes, counters_read(&other->request_bytes));
  spc__counters_add(&self->response_bytes, counters_read(&other->response_bytes));
  for (size_t i = 0; i < SPC_COUNTED_STATUSES; i++)
    spc__counters_add(&self->errors[i], counters_read(&other->errors[i]));
}

size_t spc__counters_text(const spc__counters *self, uint64_t clients, uint64_t clients_total,
                          char out[SPC_COUNTERS_TEXT_BYTES]) {
  size_t length =
      (size_t)snprintf(out, SPC_COUNTERS_TEXT_BYTES,
                       "{\"clients\":%" PRIu64 ",\"clients_total\":%" PRIu64 ",\"calls\":%" PRIu64
                       ",\"request_bytes\":%" PRIu64 ",\"response_bytes\":%" PRIu64 ",\"errors\":{",
                       clients, clients_total, counters_read(&self->calls),
                       counters_read(&self->request_bytes), counters_read(&self->response_bytes));
  const char *separator = "";
  for (uint32_t i = 1; i < SPC_COUNTED_STATUSES; i++) {
    uint64_t count = counters_read(&self->errors[i]);
    if (count == 0) continue;
    length += (size_t)snprintf(out + length, SPC_COUNTERS_TEXT_BYTES - length, "%s\"%s\":%" PRIu64,
                               separator, spc_status_name((spc_status)i), count);
    separator = ",";
  }
  return length + (size_t)snprintf(out + length, SPC_COUNTERS_TEXT_BYTES - length, "}}");
}
