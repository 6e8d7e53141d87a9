/*
 * Large values: lists of 2 000 000 elements, bounded and progressive, in what they take and in what
 * small changes add; defaults of huge vectors; limits of a pool.
 */
#include "unit/ssz/pool.h"

#define MEMORY_ELEMENTS 2000000u

static uint8_t work[SPC_SSZ_WORK_SIZE];
static uint64_t arena_memory[1 << 13];
static spc_arena arena;
static spc_ssz_schema schema;

static const spc_ssz_type *parse(const char *text) {
  const spc_ssz_type *type = NULL;
  CHECK(spc_ssz_schema_type(&schema, text, strlen(text), &type, NULL) == SPC_OK);
  return type;
}

static void check_root(const spc_ssz_value *value, const spc_ssz_type *type, const uint8_t *bytes,
                       size_t length) {
  uint8_t root[32], plain[32];
  CHECK(spc_ssz_root(value, root) == SPC_OK);
  CHECK(spc_ssz_root_of_bytes(type, bytes, length, work, plain, NULL) == SPC_OK);
  CHECK_BYTES(root, plain, 32);
}

/* k scattered changes to a large list add about k pages and the nodes above them. */
static void changes_cost_pages(const char *text) {
  const spc_ssz_type *type = parse(text);
  size_t length = 8 * (size_t)MEMORY_ELEMENTS;
  uint8_t *bytes = malloc(length);
  uint64_t seed = 1;
  for (size_t i = 0; i < length; i++)
    bytes[i] = (uint8_t)(i % 251);
  static test_pool pool;
  test_pool_open(&pool, UINT64_MAX);
  uint64_t empty = spc_ssz_pool_used(&pool.pool);
  spc_ssz_value value, changed;
  CHECK(spc_ssz_deserialize(&pool.pool, type, bytes, length, &value, NULL) == SPC_OK);
  uint64_t loaded = spc_ssz_pool_used(&pool.pool) - empty;
  CHECK(loaded < length + length / 8);
  check_root(&value, type, bytes, length);
  CHECK_U64(spc_ssz_pool_used(&pool.pool) - empty, loaded);
  uint64_t hashes = spc_ssz_pool_hashes(&pool.pool);
  CHECK(spc_ssz_clone(&value, &changed) == SPC_OK);
  for (unsigned k = 0; k < 100; k++) {
    uint64_t at = test_random(&seed) % MEMORY_ELEMENTS;
    test_random_bytes(&seed, bytes + 8 * at, 8);
    CHECK(spc_ssz_write(&changed, &at, 1, bytes + 8 * at, 8, NULL) == SPC_OK);
  }
  /* A page of 1 KiB and the nodes of four heights, as if no two changes shared any. */
  CHECK(spc_ssz_pool_used(&pool.pool) - empty < loaded + 100 * (1088 + 4 * 640));
  check_root(&changed, type, bytes, length);
  CHECK(spc_ssz_pool_hashes(&pool.pool) - hashes < 100 * (31 + 40) + 100);
  spc_ssz_release(&changed);
  CHECK(spc_ssz_truncate(&value, NULL, 0, MEMORY_ELEMENTS / 3) == SPC_OK);
  CHECK(spc_ssz_pool_used(&pool.pool) - empty < loaded / 2);
  spc_ssz_release(&value);
  CHECK_U64(spc_ssz_pool_used(&pool.pool), empty);
  test_pool_close(&pool);
  free(bytes);
}

/* One by one, with roots on the way; and elements of variable size, in proofs too. */
static void a_list_grows_to_millions(const char *text) {
  static test_pool pool;
  const spc_ssz_type *type = parse(text);
  spc_ssz_value value;
  uint8_t root[32], bytes[8] = {0};
  test_pool_open(&pool, UINT64_MAX);
  CHECK(spc_ssz_default(&pool.pool, type, &value) == SPC_OK);
  for (uint64_t i = 0; i < MEMORY_ELEMENTS; i++) {
    for (int k = 0; k < 4; k++)
      bytes[k] = (uint8_t)(i >> (8 * k));
    if (spc_ssz_append(&value, NULL, 0, bytes, 8, 1, NULL) != SPC_OK) {
      CHECK(i == MEMORY_ELEMENTS);
      break;
    }
    if (i % 300000 == 0) CHECK(spc_ssz_root(&value, root) == SPC_OK);
  }
  size_t length = (size_t)spc_ssz_size(&value), size;
  CHECK_U64(length, 8 * (uint64_t)MEMORY_ELEMENTS);
  uint8_t *out = malloc(length);
  CHECK(spc_ssz_serialize(&value, out, length, &size, NULL) == SPC_OK);
  check_root(&value, type, out, length);
  for (unsigned i = 0; i < 1000; i++)
    CHECK(spc_ssz_pop(&value, NULL, 0) == SPC_OK);
  check_root(&value, type, out, length - 8000);
  free(out);
  spc_ssz_release(&value);
  test_pool_close(&pool);
}

static void variable_elements_by_the_hundred_thousand(void) {
  static test_pool pool;
  static uint64_t scratch_memory[1 << 12];
  const spc_ssz_type *type = parse("ProgressiveList[ByteList[3]]");
  uint32_t count = 100000;
  size_t length = 4 * (size_t)count + count;
  uint8_t *bytes = malloc(length);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t offset = 4 * count + i;
    for (int k = 0; k < 4; k++)
      bytes[4 * i + (uint32_t)k] = (uint8_t)(offset >> (8 * k));
    bytes[4 * (size_t)count + i] = (uint8_t)i;
  }
  test_pool_open(&pool, UINT64_MAX);
  spc_ssz_value value;
  CHECK(spc_ssz_deserialize(&pool.pool, type, bytes, length, &value, NULL) == SPC_OK);
  check_root(&value, type, bytes, length);
  uint64_t at = 87382;
  spc_ssz_position position;
  spc_arena scratch;
  uint8_t proof[64 * 32], leaf[32], root[32];
  size_t proof_count;
  bool ok = false;
  spc_arena_init(&scratch, scratch_memory, sizeof scratch_memory, NULL, NULL);
  CHECK(spc_ssz_path_position(type, &at, 1, &position) == SPC_OK);
  CHECK(spc_ssz_node(&value, position.gindex, leaf) == SPC_OK);
  CHECK(spc_ssz_prove(&value, &position.gindex, 1, proof, 64, &proof_count, &scratch) == SPC_OK);
  CHECK(spc_ssz_root(&value, root) == SPC_OK);
  CHECK(spc_ssz_verify_proof(&position.gindex, leaf, 1, proof, proof_count, root, &ok, &scratch) ==
            SPC_OK &&
        ok);
  spc_ssz_release(&value);
  test_pool_close(&pool);
  free(bytes);
}

/* One wrong boolean anywhere in a large value is found by every path, with its place. */
static void check_wrong_boolean(test_pool *pool, const char *text, size_t size, size_t at,
                                size_t count) {
  const spc_ssz_type *type = parse(text);
  uint8_t *bytes = calloc(count, size), root[32];
  uint64_t before = spc_ssz_pool_used(&pool->pool);
  for (size_t n = 0; n < 40; n++) {
    size_t wrong = n == 0 ? 0 : n == 1 ? count - 1 : n * 48611 % count;
    spc_ssz_value value;
    spc_error error = {0};
    bytes[wrong * size + at] = 2;
    CHECK(spc_ssz_deserialize(&pool->pool, type, bytes, count * size, &value, &error) ==
          SPC_BAD_BOOLEAN);
    CHECK_U64(error.offset, wrong * size + at);
    CHECK(spc_ssz_root_of_bytes(type, bytes, count * size, work, root, NULL) == SPC_BAD_BOOLEAN);
    bytes[wrong * size + at] = 1;
  }
  spc_ssz_value value;
  CHECK(spc_ssz_deserialize(&pool->pool, type, bytes, count * size, &value, NULL) == SPC_OK);
  check_root(&value, type, bytes, count * size);
  spc_ssz_release(&value);
  CHECK_U64(spc_ssz_pool_used(&pool->pool), before);
  free(bytes);
}

static void wrong_elements_of_large_values_are_found(void) {
  static test_pool pool;
  test_pool_open(&pool, UINT64_MAX);
  check_wrong_boolean(&pool, "List[bool,1099511627776]", 1, 0, 200001);
  check_wrong_boolean(&pool, "ProgressiveList[bool]", 1, 0, 200001);
  check_wrong_boolean(&pool, "Vector[bool,65537]", 1, 0, 65537);
  check_wrong_boolean(&pool, "List[Vector[bool,3],1099511627776]", 3, 2, 70001);
  check_wrong_boolean(&pool, "ProgressiveList[Vector[bool,3]]", 3, 1, 70001);
  check_wrong_boolean(&pool, "ProgressiveList[Vector[bool,300]]", 300, 299, 500);
  check_wrong_boolean(&pool, "List[Vector[bool,1000],500]", 1000, 999, 500);
  test_pool_close(&pool);
}

/* A vector of defaults is a few shared pages, whatever its length, and can be changed anywhere. */
static void huge_defaults_are_small(void) {
  static test_pool pool;
  const spc_ssz_type *type = parse("Vector[uint64,1099511627776]");
  test_pool_open(&pool, UINT64_MAX);
  uint64_t before = spc_ssz_pool_used(&pool.pool);
  spc_ssz_value value, other;
  uint8_t root[32], changed[32], bytes[8];
  uint64_t at = 1099511627775u;
  size_t size;
  CHECK(spc_ssz_default(&pool.pool, type, &value) == SPC_OK);
  CHECK(spc_ssz_pool_used(&pool.pool) - before < 40000);
  CHECK_U64(spc_ssz_size(&value), UINT64_C(8) << 40);
  CHECK(spc_ssz_root(&value, root) == SPC_OK);
  CHECK(spc_ssz_clone(&value, &other) == SPC_OK);
  CHECK(spc_ssz_write(&other, &at, 1, (const uint8_t *)"abcdefgh", 8, NULL) == SPC_OK);
  CHECK(spc_ssz_root(&other, changed) == SPC_OK && memcmp(root, changed, 32) != 0);
  CHECK(spc_ssz_write(&other, &at, 1, (const uint8_t *)"\0\0\0\0\0\0\0\0", 8, NULL) == SPC_OK);
  CHECK(spc_ssz_root(&other, changed) == SPC_OK);
  CHECK_BYTES(changed, root, 32);
  at = 5;
  CHECK(spc_ssz_read(&value, &at, 1, bytes, 8, &size, NULL) == SPC_OK && size == 8);
  spc_ssz_release(&value);
  spc_ssz_release(&other);
  type = parse("Vector[List[Vector[uint8,2000],7],1000000]");
  CHECK(spc_ssz_default(&pool.pool, type, &value) == SPC_OK);
  CHECK(spc_ssz_root(&value, root) == SPC_OK);
  CHECK(spc_ssz_pool_used(&pool.pool) - before < 40000);
  spc_ssz_release(&value);
  CHECK_U64(spc_ssz_pool_used(&pool.pool), before);
  test_pool_close(&pool);
}

static void a_pool_keeps_its_limit(void) {
  static uint64_t block[(SPC_SSZ_WORK_SIZE + 100000) / 8];
  spc_ssz_pool pool;
  spc_ssz_value value;
  CHECK(spc_ssz_pool_init(&pool, block, SPC_SSZ_WORK_SIZE - 16, UINT64_MAX, NULL, NULL) ==
        SPC_OUT_OF_MEMORY);
  CHECK(spc_ssz_pool_init(&pool, block, sizeof block, SPC_SSZ_WORK_SIZE + 50000, NULL, NULL) ==
        SPC_OK);
  CHECK(spc_ssz_default(&pool, parse("ProgressiveByteList"), &value) == SPC_OK);
  uint8_t bytes[100] = {0};
  uint64_t length = 0, now;
  spc_error error;
  while (spc_ssz_append(&value, NULL, 0, bytes, sizeof bytes, sizeof bytes, &error) == SPC_OK)
    length += sizeof bytes;
  CHECK(error.status == SPC_OUT_OF_MEMORY && length > 30000);
  CHECK(spc_ssz_length(&value, NULL, 0, &now) == SPC_OK);
  CHECK_U64(now, length);
  CHECK(spc_ssz_pool_peak(&pool) <= SPC_SSZ_WORK_SIZE + 50000);
  spc_ssz_release(&value);
  CHECK_U64(spc_ssz_pool_used(&pool), SPC_SSZ_WORK_SIZE);
}

int main(void) {
  spc_arena_init(&arena, arena_memory, sizeof arena_memory, NULL, NULL);
  spc_ssz_schema_init(&schema, &arena);
  changes_cost_pages("List[uint64,1099511627776]");
  changes_cost_pages("ProgressiveList[uint64]");
  a_list_grows_to_millions("List[uint64,1099511627776]");
  a_list_grows_to_millions("ProgressiveList[uint64]");
  variable_elements_by_the_hundred_thousand();
  wrong_elements_of_large_values_are_found();
  huge_defaults_are_small();
  a_pool_keeps_its_limit();
  return test_end();
}
