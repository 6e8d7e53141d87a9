/*
 * Pools. Small sizes are rounded to 16 bytes and have a free list each, larger ones to powers of
 * two; memory of one class is never given to another, which keeps both calls a few instructions.
 * The rest of a block that is too small when a new one begins is lost, unless they adjoin.
 */
#include "ssz/pool.h"

spc_status spc_ssz_pool_init(spc_ssz_pool *self, void *memory, size_t size, uint64_t limit,
                             spc_ssz_more_fn more, void *user) {
  *self = (spc_ssz_pool){.next = (uint8_t *)memory, .limit = limit, .more = more, .user = user};
  self->end = memory == NULL ? NULL : self->next + size;
  if (memory == NULL) self->next = NULL;
  self->work = spc__ssz_alloc(self, SPC_SSZ_WORK_SIZE);
  if (self->work == NULL) return SPC_OUT_OF_MEMORY;
  spc__ssz_pool_work(self)->count = 0;
  spc__ssz_pool_work(self)->hashes = 0;
  return SPC_OK;
}

void *spc__ssz_pool_bump(spc_ssz_pool *pool, size_t size) {
  if (pool->more == NULL) return NULL;
  size_t got = 0;
  uint8_t *block = (uint8_t *)pool->more(pool->user, size, &got);
  if (block == NULL || got < size) return NULL;
  if (block != pool->end || pool->next == NULL) pool->next = block;
  pool->end = block + got;
  uint8_t *memory = pool->next;
  pool->next += size;
  return memory;
}

uint64_t spc_ssz_pool_used(const spc_ssz_pool *self) {
  return self->used;
}

uint64_t spc_ssz_pool_peak(const spc_ssz_pool *self) {
  return self->peak;
}

uint64_t spc_ssz_pool_hashes(const spc_ssz_pool *self) {
  return spc__ssz_pool_work(self)->hashes;
}
