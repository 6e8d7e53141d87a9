/* Growable memory of the native programs: work memory for a context, and byte buffers. */
#ifndef SPC_NATIVE_MEMORY_H
#define SPC_NATIVE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spicule/call.h"

/* Work memory of a context, unless something else is asked for. */
#define SPC_WORK_BYTES ((size_t)256 << 20)

/* A block from the system's allocator that never passes `limit` bytes. Zero but for the limit. */
typedef struct spc__block {
  uint8_t *base;
  size_t size;
  size_t limit;
} spc__block;

/* Makes room for `needed` bytes and keeps what the block holds; false where they can't be had. */
bool spc__block_reserve(spc__block *self, size_t needed);

/* Frees the memory; the block can be used again. */
void spc__block_free(spc__block *self);

/* An arena that grows in `block`, which must stay where it is as long as the arena is used. */
spc_arena spc__block_arena(spc__block *block);

/*
 * spc_call with the response in `block`, which grows as needed, to `capacity` at most:
 * `*response_length` bytes from block->base. SPC_OUT_OF_MEMORY where it can't; else the statuses of
 * spc_call with that capacity.
 */
spc_status spc__block_call(spc__block *block, spc_ctx *ctx, uint32_t op, const uint8_t *request,
                           size_t request_length, uint64_t capacity, size_t *response_length,
                           spc_error *error);

#endif
