/*
 * Bump allocation. Invariants: base is aligned to SPC_ARENA_ALIGNMENT, used <= size, used is a
 * multiple of SPC_ARENA_ALIGNMENT, and the first SPC_ARENA_ALIGNMENT bytes are never handed out,
 * so that offset 0 can mean "none". Their first word is the head of the list of registered blocks.
 */
#include "spicule/arena.h"

#include "base/bytes.h"

#define ARENA_FIRST SPC_ARENA_ALIGNMENT

/* Empties the list; before the first block is there, there is no list either. */
static void arena_forget(spc_arena *self) {
  if (self->base != NULL && self->size >= ARENA_FIRST) spc__store32_le(self->base, 0);
}

void spc_arena_init(spc_arena *self, void *memory, size_t size, spc_arena_grow_fn grow,
                    void *user) {
  self->base = (uint8_t *)memory;
  self->size = size;
  self->used = ARENA_FIRST;
  self->peak = ARENA_FIRST;
  self->grow = grow;
  self->user = user;
  arena_forget(self);
}

static spc_status arena_grow(spc_arena *self, size_t needed) {
  if (self->grow == NULL) return SPC_OUT_OF_MEMORY;
  size_t kept = self->base == NULL || self->size < self->used ? 0 : self->used;
  size_t size = 0;
  void *base = self->grow(self->user, self->base, kept, needed, &size);
  if (base == NULL || size < needed) return SPC_OUT_OF_MEMORY;
  self->base = (uint8_t *)base;
  self->size = size;
  if (kept == 0) arena_forget(self);
  return SPC_OK;
}

spc_status spc_arena_alloc(spc_arena *self, size_t size, uint32_t *offset) {
  if (size > UINT32_MAX - SPC_ARENA_ALIGNMENT) return SPC_OUT_OF_MEMORY;
  size_t rounded = (size + (SPC_ARENA_ALIGNMENT - 1)) & ~(size_t)(SPC_ARENA_ALIGNMENT - 1);
  if (rounded > UINT32_MAX - self->used) return SPC_OUT_OF_MEMORY;
  size_t end = self->used + rounded;
  if (end > self->size) {
    spc_status status = arena_grow(self, end);
    if (status != SPC_OK) return status;
  }
  *offset = (uint32_t)self->used;
  self->used = end;
  if (end > self->peak) self->peak = end;
  return SPC_OK;
}

void spc_arena_reset(spc_arena *self) {
  self->used = ARENA_FIRST;
  arena_forget(self);
}

void spc_arena_rewind(spc_arena *self, size_t used) {
  self->used = used;
  if (self->base == NULL || self->size < ARENA_FIRST) return;
  uint32_t block = spc__load32_le(self->base);
  if (block < used) return;
  while (block >= used)
    block = spc__load32_le(self->base + block);
  spc__store32_le(self->base, block);
}

size_t spc_arena_used(const spc_arena *self) {
  return self->used;
}

size_t spc_arena_peak(const spc_arena *self) {
  return self->peak;
}
