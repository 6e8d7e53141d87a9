/* Parts of bytes found without reading the rest, and default values of all sorts of types. */
#include "unit/ssz/pool.h"

static uint8_t work[SPC_SSZ_WORK_SIZE];
static uint64_t memory[1 << 14];
static spc_arena arena;
static spc_ssz_schema schema;

static const char schema_text[] =
    "{\"In\": {\"kind\":\"Container\",\"fields\":[[\"x\",\"uint16\"],[\"y\",\"List[uint16,9]\"]]},"
    "\"Out\": {\"kind\":\"Container\",\"fields\":[[\"a\",\"uint8\"],[\"b\",\"List[In,4]\"],"
    "[\"c\",\"Vector[uint32,2]\"],[\"d\",\"Union[None,In]\"],[\"e\",\"BitList[20]\"]]},"
    "\"Some\": {\"kind\":\"ProgressiveContainer\",\"fields\":[[\"x\",\"uint16\"],"
    "[\"y\",\"ProgressiveByteList\"]],\"active_fields\":\"0101\"},"
    "\"Holds\": {\"kind\":\"Container\",\"fields\":[[\"u\",\"CompatibleUnion({1: uint8})\"]]}}";

static const spc_ssz_type *parse(const char *text) {
  const spc_ssz_type *type = NULL;
  CHECK(spc_ssz_schema_type(&schema, text, strlen(text), &type, NULL) == SPC_OK);
  return type;
}

/* Out: a, offset b, c, offset d, offset e; b: two of In; d: selector 1, In; e. */
static const uint8_t outer[] = {7,   21, 0,  0, 0,  1, 0,  0,  0,  2,  0,
                                0,   0,  45, 0, 0,  0, 56, 0,  0,  0,      /* fixed part */
                                8,   0,  0,  0, 16, 0, 0,  0,              /* b: offsets */
                                11,  12, 6,  0, 0,  0, 13, 14,             /* b[0] */
                                21,  22, 6,  0, 0,  0, 23, 24,             /* b[1] */
                                1,   31, 32, 6, 0,  0, 0,  33, 34, 35, 36, /* d */
                                0x0b};                                     /* e */

static spc_status locate(const uint8_t *bytes, size_t length, const char *path, size_t *offset,
                         size_t *size, spc_error *error) {
  const spc_ssz_type *type = parse("Out"), *part = NULL;
  uint64_t steps[8];
  size_t count = 0;
  CHECK(spc_ssz_path_read(type, path, strlen(path), steps, 8, &count, NULL) == SPC_OK);
  spc_status status = spc_ssz_locate(type, bytes, length, steps, count, &part, offset, size, error);
  if (status == SPC_OK)
    CHECK(spc_ssz_validate(part, bytes + *offset, *size, NULL) == SPC_OK || bytes != outer);
  return status;
}

static void check_part(const char *path, size_t offset, size_t size) {
  size_t found = 999, length = 999;
  CHECK(locate(outer, sizeof outer, path, &found, &length, NULL) == SPC_OK);
  if (found != offset || length != size) fprintf(stderr, "%s: %zu, %zu\n", path, found, length);
  CHECK(found == offset && length == size);
}

static void parts_are_found(void) {
  CHECK(spc_ssz_validate(parse("Out"), outer, sizeof outer, NULL) == SPC_OK);
  check_part("a", 0, 1);
  check_part("b", 21, 24);
  check_part("b[0]", 29, 8);
  check_part("b[1].x", 37, 2);
  check_part("b[1].y", 43, 2);
  check_part("b[1].y[0]", 43, 2);
  check_part("c", 5, 8);
  check_part("c[1]", 9, 4);
  check_part("d", 45, 11);
  check_part("d.data", 46, 10);
  check_part("d[1].y[1]", 54, 2);
  check_part("e", 56, 1);
}

static void check_no_part(const char *path, spc_status expected) {
  size_t offset, size;
  spc_error error;
  CHECK(locate(outer, sizeof outer, path, &offset, &size, &error) == expected);
  CHECK(error.status == expected && error.offset <= sizeof outer);
}

static void missing_parts_are_statuses(void) {
  check_no_part("b[2]", SPC_OUT_OF_RANGE);
  check_no_part("b[1].y[1]", SPC_OUT_OF_RANGE);
  check_no_part("c[2]", SPC_OUT_OF_RANGE);
}

/* What lies beside the way is not looked at; what lies on it is. */
static void only_the_way_is_read(void) {
  uint8_t bytes[sizeof outer];
  size_t offset, size;
  spc_error error;
  memcpy(bytes, outer, sizeof outer);
  bytes[56] = 0; /* no delimiter in e */
  bytes[31] = 5; /* a wrong offset in b[0] */
  CHECK(spc_ssz_validate(parse("Out"), bytes, sizeof bytes, NULL) == SPC_BAD_OFFSET);
  CHECK(locate(bytes, sizeof bytes, "b[1].y", &offset, &size, &error) == SPC_OK && offset == 43);
  CHECK(locate(bytes, sizeof bytes, "b[0].y", &offset, &size, &error) == SPC_BAD_OFFSET);
  CHECK(locate(bytes, 20, "a", &offset, &size, &error) == SPC_TRUNCATED);
  bytes[13] = 200; /* d beyond the end */
  CHECK(locate(bytes, sizeof bytes, "d", &offset, &size, &error) == SPC_BAD_OFFSET);
  CHECK(locate(bytes, sizeof bytes, "c[0]", &offset, &size, &error) == SPC_OK && offset == 5);
}

static void check_default(test_pool *pool, const char *text, const uint8_t *expected,
                          size_t length) {
  const spc_ssz_type *type = parse(text);
  uint64_t before = spc_ssz_pool_used(&pool->pool);
  spc_ssz_value value;
  uint8_t bytes[256], root[32], plain[32];
  size_t size = 999;
  CHECK(spc_ssz_default(&pool->pool, type, &value) == SPC_OK);
  CHECK(spc_ssz_serialize(&value, bytes, sizeof bytes, &size, NULL) == SPC_OK);
  if (size != length) fprintf(stderr, "%s: %zu bytes\n", text, size);
  CHECK_U64(size, length);
  CHECK_BYTES(bytes, expected, size < length ? size : length);
  CHECK(spc_ssz_root(&value, root) == SPC_OK);
  CHECK(spc_ssz_root_of_bytes(type, expected, length, work, plain, NULL) == SPC_OK);
  CHECK_BYTES(root, plain, 32);
  spc_ssz_release(&value);
  CHECK_U64(spc_ssz_pool_used(&pool->pool), before);
}

static void defaults_are_zeros_and_empty_lists(void) {
  static test_pool pool;
  static const uint8_t zeros[128] = {0}, one[1] = {1}, offset4[4] = {4}, in[6] = {0, 0, 6};
  static const uint8_t two[20] = {8, 0, 0, 0, 14, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 6};
  static const uint8_t out[23] = {0, 21, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0,
                                  0, 21, 0, 0, 0, 22, 0, 0, 0, 0, 1};
  static const uint8_t some[6] = {0, 0, 6};
  test_pool_open(&pool, UINT64_MAX);
  check_default(&pool, "uint256", zeros, 32);
  check_default(&pool, "bool", zeros, 1);
  check_default(&pool, "Bytes48", zeros, 48);
  check_default(&pool, "BitVector[9]", zeros, 2);
  check_default(&pool, "BitList[9]", one, 1);
  check_default(&pool, "ProgressiveBitList", one, 1);
  check_default(&pool, "List[In,4]", zeros, 0);
  check_default(&pool, "ProgressiveList[CompatibleUnion({1: uint8})]", zeros, 0);
  check_default(&pool, "Vector[List[uint8,4],1]", offset4, 4);
  check_default(&pool, "In", in, 6);
  check_default(&pool, "Vector[In,2]", two, 20);
  check_default(&pool, "Union[None,uint16]", zeros, 1);
  check_default(&pool, "Union[uint16,uint8]", zeros, 3);
  check_default(&pool, "Out", out, 23);
  check_default(&pool, "Some", some, 6);
  spc_ssz_value value;
  uint64_t before = spc_ssz_pool_used(&pool.pool);
  static const char *const without[] = {"CompatibleUnion({1: uint8})", "Holds", "Vector[Holds,3]",
                                        "Union[Holds,uint8]"};
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    CHECK(spc_ssz_default(&pool.pool, parse(without[i]), &value) == SPC_NO_DEFAULT);
  CHECK_U64(spc_ssz_pool_used(&pool.pool), before);
  test_pool_close(&pool);
}

int main(void) {
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  CHECK(spc_ssz_schema_read(&schema, &arena, schema_text, strlen(schema_text), NULL, NULL) ==
        SPC_OK);
  parts_are_found();
  missing_parts_are_statuses();
  only_the_way_is_read();
  defaults_are_zeros_and_empty_lists();
  return test_end();
}
