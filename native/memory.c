/*
 * Memory that grows by half, so that n appends cost O(n), and never past the stated limit.
 */
#include "native/memory.h"

#include <stdlib.h>

#include "native/fault.h"

#define MEMORY_FIRST_SIZE ((size_t)4096)

bool spc__block_reserve(spc__block *self, size_t needed) {
  if (needed <= self->size) return true;
  if (needed > self->limit) return false;
  size_t size = self->size + self->size / 2;
  if (size < MEMORY_FIRST_SIZE) size = MEMORY_FIRST_SIZE;
  if (size < needed) size = needed;
  if (size > self->limit) size = self->limit;
  uint8_t *base = (uint8_t *)realloc(self->base, size);
  if (base == NULL) return false;
  self->base = base;
  self->size = size;
  return true;
}

void spc__block_free(spc__block *self) {
  free(self->base);
  self->base = NULL;
  self->size = 0;
}

static void *memory_grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  spc__block *block = (spc__block *)user;
  (void)base;
  (void)used;
  if (!spc__block_reserve(block, needed)) return NULL;
  *size = block->size;
  return block->base;
}

spc_arena spc__block_arena(spc__block *block) {
  spc_arena arena;
  spc_arena_init(&arena, block->base, block->size, memory_grow, block);
  return arena;
}

spc_status spc__block_call(spc__block *block, spc_ctx *ctx, uint32_t op, const uint8_t *request,
                           size_t request_length, uint64_t capacity, size_t *response_length,
                           spc_error *error) {
  for (;;) {
    size_t room = block->size < capacity ? block->size : (size_t)capacity;
    spc_status status =
        spc_call(ctx, op, request, request_length, block->base, room, response_length, error);
    if (status != SPC_BUFFER_TOO_SMALL || *response_length > capacity) return status;
    if (spc__block_reserve(block, *response_length)) continue;
    *response_length = 0;
    return spc__fault(error, SPC_OUT_OF_MEMORY, NULL);
  }
}
