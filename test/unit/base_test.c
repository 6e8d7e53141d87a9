/* Statuses, errors, arena, byte order, checked arithmetic. Uses internal headers of base. */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/checked.h"
#include "base/cpu.h"
#include "base/error.h"
#include "spicule/arena.h"
#include "spicule/spicule.h"
#include "support/test.h"

static void every_status_has_a_name_and_a_message(void) {
#define CHECK_STATUS(name, value, message)                                                         \
  CHECK(strcmp(spc_status_name((spc_status)(value)), #name) == 0);                                 \
  CHECK(strcmp(spc_status_message(SPC_##name), message) == 0);
  SPC_STATUS_LIST(CHECK_STATUS)
  CHECK(strcmp(spc_status_name((spc_status)9999), "UNKNOWN") == 0);
  CHECK(strcmp(spc_version(), SPC_VERSION_STRING) == 0);
}

static void a_failure_resets_what_does_not_apply(void) {
  spc_error error;
  memset(&error, 0x55, sizeof error);
  CHECK(spc__fail_index(&error, SPC_NOT_CANONICAL, 7) == SPC_NOT_CANONICAL);
  CHECK_U64(error.index, 7);
  CHECK_U64(error.offset, SPC_NO_POSITION);
  CHECK_U64(error.limit, SPC_NO_POSITION);
  CHECK(error.path[0] == '\0');
  CHECK(spc__fail_offset(NULL, SPC_TRUNCATED, 1) == SPC_TRUNCATED);
}

static void *grow_by_realloc(void *user, void *base, size_t used, size_t needed, size_t *size) {
  size_t cap = *(size_t *)user;
  if (needed > cap) return NULL;
  void *block = malloc(needed);
  if (block != NULL && used != 0) memcpy(block, base, used);
  free(base);
  *size = needed;
  return block;
}

static void an_arena_aligns_counts_and_refuses(void) {
  _Alignas(8) uint8_t memory[64];
  spc_arena arena;
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  uint32_t a = 0, b = 0;
  CHECK(spc_arena_alloc(&arena, 1, &a) == SPC_OK);
  CHECK(spc_arena_alloc(&arena, 9, &b) == SPC_OK);
  CHECK(a != 0 && a % 8 == 0);
  CHECK_U64(b, a + 8);
  CHECK(spc_arena_alloc(&arena, 33, &b) == SPC_OUT_OF_MEMORY);
  CHECK_U64(spc_arena_used(&arena), 32);
  CHECK(spc_arena_alloc(&arena, 32, &b) == SPC_OK);
  CHECK(spc_arena_alloc(&arena, SIZE_MAX, &b) == SPC_OUT_OF_MEMORY);
  spc_arena_reset(&arena);
  CHECK_U64(spc_arena_peak(&arena), 64);
  CHECK(spc_arena_alloc(&arena, 8, &b) == SPC_OK);
  CHECK_U64(b, a);
}

static void an_arena_grows_until_its_owner_refuses(void) {
  size_t cap = 4096;
  spc_arena arena;
  spc_arena_init(&arena, NULL, 0, grow_by_realloc, &cap);
  uint32_t offset = 0, first = 0;
  CHECK(spc_arena_alloc(&arena, 8, &first) == SPC_OK);
  memset(spc_arena_at(&arena, first), 0xab, 8);
  while (spc_arena_alloc(&arena, 100, &offset) == SPC_OK)
    CHECK(offset % 8 == 0);
  CHECK(spc_arena_used(&arena) > 4096 - 104 && spc_arena_used(&arena) <= 4096);
  CHECK(*(uint8_t *)spc_arena_at(&arena, first + 7) == 0xab);
  free(arena.base);
}

static void byte_order_is_as_named(void) {
  const uint8_t in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint8_t out[8];
  CHECK_U64(spc__load16_le(in), 0x0201);
  CHECK_U64(spc__load32_le(in), 0x04030201);
  CHECK_U64(spc__load32_be(in), 0x01020304);
  CHECK_U64(spc__load64_le(in), 0x0807060504030201u);
  CHECK_U64(spc__load64_be(in), 0x0102030405060708u);
  spc__store64_le(out, 0x0807060504030201u);
  CHECK_BYTES(out, in, 8);
  spc__store64_be(out, 0x0102030405060708u);
  CHECK_BYTES(out, in, 8);
  spc__store32_le(out, 0x04030201);
  CHECK_BYTES(out, in, 4);
  spc__store32_be(out, 0x01020304);
  CHECK_BYTES(out, in, 4);
  spc__store16_le(out, 0x0201);
  CHECK_BYTES(out, in, 2);
}

static void checked_arithmetic_reports_overflow(void) {
  size_t s = 5;
  uint64_t u = 5;
  CHECK(!spc__add_size(SIZE_MAX, 1, &s) && s == 5);
  CHECK(spc__add_size(SIZE_MAX - 1, 1, &s) && s == SIZE_MAX);
  CHECK(!spc__mul_size(SIZE_MAX / 2 + 1, 2, &s));
  CHECK(spc__mul_size(SIZE_MAX, 0, &s) && s == 0);
  CHECK(!spc__add_u64(UINT64_MAX, 1, &u) && u == 5);
  CHECK(spc__add_u64(1, 2, &u) && u == 3);
  CHECK(!spc__mul_u64(UINT64_C(1) << 32, UINT64_C(1) << 32, &u));
  CHECK(spc__mul_u64(UINT64_C(1) << 32, UINT64_C(1) << 31, &u) && u == UINT64_C(1) << 63);
}

static void cpu_features_do_not_change(void) {
  CHECK_U64(spc__cpu_features(), spc__cpu_features());
}

int main(void) {
  every_status_has_a_name_and_a_message();
  a_failure_resets_what_does_not_apply();
  an_arena_aligns_counts_and_refuses();
  an_arena_grows_until_its_owner_refuses();
  byte_order_is_as_named();
  checked_arithmetic_reports_overflow();
  cpu_features_do_not_change();
  return test_end();
}
