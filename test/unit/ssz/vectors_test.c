/*
 * Every file of the vectors: valid ones have the stated root on every path, invalid ones are
 * refused on every path.
 */
#include "unit/ssz/pool.h"
#include "unit/ssz/vectors.h"

static uint8_t work[SPC_SSZ_WORK_SIZE];
static test_pool pool;

/* Bytes to a value and back; the root of the value; what is refused when validated is here too. */
static void check_value(const vectors_case *c, const spc_ssz_type *type, const uint8_t *bytes,
                        size_t length, spc_status expected) {
  uint64_t before = spc_ssz_pool_used(&pool.pool);
  spc_ssz_value value;
  spc_status status = spc_ssz_deserialize(&pool.pool, type, bytes, length, &value, NULL);
  CHECK(status == expected);
  if (status == SPC_OK) {
    uint8_t root[32];
    size_t size = 0;
    uint8_t *again = malloc(length + 1);
    CHECK_U64(spc_ssz_size(&value), length);
    CHECK(spc_ssz_serialize(&value, again, length, &size, NULL) == SPC_OK);
    CHECK_U64(size, length);
    CHECK_BYTES(again, bytes, length);
    CHECK(spc_ssz_root(&value, root) == SPC_OK);
    if (memcmp(root, c->root, 32) != 0) fprintf(stderr, "value: %s (%s)\n", c->path, c->type);
    CHECK_BYTES(root, c->root, 32);
    free(again);
    spc_ssz_release(&value);
  }
  CHECK_U64(spc_ssz_pool_used(&pool.pool), before);
}

static void check_case(const vectors_case *c, const spc_ssz_type *type, const uint8_t *bytes,
                       size_t length) {
  uint8_t root[32];
  spc_error error;
  spc_status status = spc_ssz_validate(type, bytes, length, &error);
  if ((status == SPC_OK) != c->valid) fprintf(stderr, "%s: %s\n", c->path, spc_status_name(status));
  CHECK((status == SPC_OK) == c->valid);
  CHECK(spc_ssz_root_of_bytes(type, bytes, length, work, root, NULL) == status);
  check_value(c, type, bytes, length, status);
  if (!c->valid) {
    CHECK(error.status == status && error.offset <= length);
    return;
  }
  if (memcmp(root, c->root, 32) != 0) fprintf(stderr, "%s (%s)\n", c->path, c->type);
  CHECK_BYTES(root, c->root, 32);
}

int main(void) {
  size_t length;
  char *cases = (char *)vectors_read("cases.tsv", &length);
  if (cases == NULL) {
    test_skip("the SSZ vectors", "no folder of shared vectors");
    return test_end();
  }
  static vectors_schemas schemas;
  test_pool_open(&pool, UINT64_MAX);
  unsigned valid = 0, invalid = 0;
  for (char *line = strtok(cases, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    vectors_case c;
    if (!vectors_line(line, &c)) continue;
    spc_ssz_schema *schema = vectors_schema(&schemas, c.preset, c.fork);
    CHECK(schema != NULL);
    if (schema == NULL) break;
    const spc_ssz_type *type;
    spc_error error;
    spc_status status = spc_ssz_schema_type(schema, c.type, strlen(c.type), &type, &error);
    if (status != SPC_OK) { /* Vector[uint8,0] and the like: the type itself is illegal */
      if (c.valid) fprintf(stderr, "%s: %s\n", c.type, spc_status_name(status));
      CHECK(!c.valid && status == SPC_ZERO_LENGTH);
      invalid++;
      continue;
    }
    size_t size;
    uint8_t *bytes = vectors_read(c.path, &size);
    CHECK(bytes != NULL);
    if (bytes == NULL) continue;
    check_case(&c, type, bytes, size);
    free(bytes);
    if (c.valid)
      valid++;
    else
      invalid++;
  }
  printf("%u valid and %u invalid cases\n", valid, invalid);
  CHECK(valid > 3000 && invalid > 1000);
  vectors_free(&schemas);
  test_pool_close(&pool);
  free(cases);
  return test_end();
}
