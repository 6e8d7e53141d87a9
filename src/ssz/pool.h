/* Allocation from a pool: size classes with free lists over bump blocks. */
#ifndef SPC_SSZ_POOL_H
#define SPC_SSZ_POOL_H

#include "ssz/merkle.h"

#define SPC__SSZ_SMALL_CLASSES 128u /* multiples of 16 bytes, to 2048; above, powers of two */

/* Slow path: a new block, or NULL. */
void *spc__ssz_pool_bump(spc_ssz_pool *pool, size_t size);

static inline unsigned spc__ssz_pool_class(size_t size, size_t *rounded) {
  if (size <= 16 * SPC__SSZ_SMALL_CLASSES) {
    *rounded = (size + 15) & ~(size_t)15;
    return (unsigned)(*rounded / 16) - 1;
  }
  unsigned bits = 64u - (unsigned)__builtin_clzll((uint64_t)size - 1);
  *rounded = bits >= 8 * sizeof(size_t) ? 0 : (size_t)1 << bits;
  return SPC__SSZ_SMALL_CLASSES + bits - 12;
}

/* At least `size` (not 0) bytes, aligned to 16, not cleared; NULL when the pool is exhausted. */
static inline void *spc__ssz_alloc(spc_ssz_pool *pool, size_t size) {
  size_t rounded;
  unsigned c = spc__ssz_pool_class(size, &rounded);
  if (rounded == 0 || c >= sizeof pool->free / sizeof pool->free[0]) return NULL;
  if (rounded > pool->limit - pool->used) return NULL;
  void *memory = pool->free[c];
  if (memory != NULL)
    pool->free[c] = *(void **)memory;
  else if ((size_t)(pool->end - pool->next) >= rounded) {
    memory = pool->next;
    pool->next += rounded;
  } else if ((memory = spc__ssz_pool_bump(pool, rounded)) == NULL)
    return NULL;
  pool->used += rounded;
  if (pool->used > pool->peak) pool->peak = pool->used;
  return memory;
}

/* `size` as it was asked for. */
static inline void spc__ssz_free(spc_ssz_pool *pool, void *memory, size_t size) {
  size_t rounded;
  unsigned c = spc__ssz_pool_class(size, &rounded);
  *(void **)memory = pool->free[c];
  pool->free[c] = memory;
  pool->used -= rounded;
}

static inline spc__ssz_work *spc__ssz_pool_work(const spc_ssz_pool *pool) {
  return (spc__ssz_work *)pool->work;
}

#endif
