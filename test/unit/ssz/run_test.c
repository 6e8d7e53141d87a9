/* Runs cover every element of a sequence once, with the bytes that copying out gives. */
#include "unit/ssz/pool.h"

static test_pool pool;
static spc_ssz_schema schema;

static void check_runs(const char *text, uint64_t count, uint64_t size, bool bits) {
  static uint8_t bytes[1u << 16], flat[1u << 16];
  const spc_ssz_type *type;
  spc_ssz_value value;
  uint64_t seed = count + 1;
  CHECK(spc_ssz_schema_type(&schema, text, strlen(text), &type, NULL) == SPC_OK);
  uint64_t length = bits ? count / 8 + 1 : count * size;
  test_random_bytes(&seed, bytes, (size_t)length);
  if (bits) bytes[length - 1] = (uint8_t)(1u << (count % 8));
  CHECK(spc_ssz_deserialize(&pool.pool, type, bytes, (size_t)length, &value, NULL) == SPC_OK);
  if (bits)
    CHECK(spc_ssz_bits_out(&value, NULL, 0, flat) == SPC_OK);
  else
    CHECK(spc_ssz_copy_out(&value, NULL, 0, 0, count, flat) == SPC_OK);
  const uint8_t *run = NULL;
  uint64_t first = 0, covered = 0;
  while (covered < count) {
    uint64_t in_run = 0;
    CHECK(spc_ssz_run(&value, NULL, 0, covered, &run, &first, &in_run) == SPC_OK);
    CHECK_U64(first, covered);
    CHECK(in_run != 0);
    uint64_t at = bits ? first / 8 : first * size;
    CHECK_BYTES(run, flat + at, (size_t)(bits ? (in_run + 7) / 8 : in_run * size));
    covered += in_run;
    /* The last element of the run is in the same one. */
    const uint8_t *same = NULL;
    CHECK(spc_ssz_run(&value, NULL, 0, covered - 1, &same, &first, &in_run) == SPC_OK);
    CHECK(same == run);
  }
  CHECK_U64(covered, count);
  CHECK(spc_ssz_run(&value, NULL, 0, count, &run, &first, &covered) == SPC_OUT_OF_RANGE);
  spc_ssz_release(&value);
}

int main(void) {
  static uint64_t memory[1u << 15];
  static const uint64_t counts[] = {0, 1, 2, 31, 33, 255, 257, 1000, 1024, 2500, 4096};
  spc_arena arena;
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  spc_ssz_schema_init(&schema, &arena);
  test_pool_open(&pool, 1u << 26);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    check_runs("List[uint64, 1099511627776]", counts[i], 8, false);
    check_runs("ProgressiveList[uint64]", counts[i], 8, false);
    check_runs("ProgressiveList[byte]", counts[i], 1, false);
    check_runs("List[ByteVector[15], 5000]", counts[i], 15, false);
    check_runs("ProgressiveList[ByteVector[15]]", counts[i], 15, false);
    check_runs("BitList[10000]", counts[i], 0, true);
    check_runs("ProgressiveBitList", counts[i], 0, true);
  }
  spc_ssz_value value;
  const spc_ssz_type *type;
  const uint8_t *run;
  uint64_t first, count;
  const char *text = "Vector[List[byte, 3], 2]";
  CHECK(spc_ssz_schema_type(&schema, text, strlen(text), &type, NULL) == SPC_OK);
  CHECK(!spc_ssz_type_is_flat(type));
  CHECK(spc_ssz_default(&pool.pool, type, &value) == SPC_OK);
  CHECK(spc_ssz_run(&value, NULL, 0, 0, &run, &first, &count) == SPC_INVALID_ARGUMENT);
  spc_ssz_release(&value);
  CHECK_U64(spc_ssz_pool_used(&pool.pool), SPC_SSZ_WORK_SIZE);
  test_pool_close(&pool);
  return test_end();
}
