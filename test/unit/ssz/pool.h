/* A pool over malloc for tests: blocks are freed together. */
#ifndef SPC_TEST_SSZ_POOL_H
#define SPC_TEST_SSZ_POOL_H

#include <stdlib.h>

#include "spicule/ssz.h"
#include "support/test.h"

typedef struct test_pool {
  spc_ssz_pool pool;
  void *blocks[256];
  size_t count;
} test_pool;

static void *test_pool_more(void *user, size_t needed, size_t *size) {
  test_pool *self = (test_pool *)user;
  if (self->count == 256) return NULL;
  *size = needed < (1u << 22) ? 1u << 22 : needed;
  return self->blocks[self->count++] = aligned_alloc(64, (*size + 63) & ~(size_t)63);
}

static void test_pool_open(test_pool *self, uint64_t limit) {
  self->count = 0;
  CHECK(spc_ssz_pool_init(&self->pool, NULL, 0, limit, test_pool_more, self) == SPC_OK);
}

static void test_pool_close(test_pool *self) {
  for (size_t i = 0; i < self->count; i++)
    free(self->blocks[i]);
}

#endif
