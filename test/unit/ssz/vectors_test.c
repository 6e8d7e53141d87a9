/*
 * Every file of the vectors: valid ones have the stated root on every path, invalid ones are
 * refused on every path.
 */
#include "unit/ssz/vectors.h"

static uint8_t work[SPC_SSZ_WORK_SIZE];

static void check_case(const vectors_case *c, const spc_ssz_type *type, const uint8_t *bytes,
                       size_t length) {
  uint8_t root[32];
  spc_error error;
  spc_status status = spc_ssz_validate(type, bytes, length, &error);
  if ((status == SPC_OK) != c->valid) fprintf(stderr, "%s: %s\n", c->path, spc_status_name(status));
  CHECK((status == SPC_OK) == c->valid);
  CHECK(spc_ssz_root_of_bytes(type, bytes, length, work, root, NULL) == status);
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
  free(cases);
  return test_end();
}
