/*
 * Real blocks through generated code: decoded, encoded and read through views it gives what tables
 * give. The schema is the benchmark's part of HAPI; what leads out of it is kept as unknown fields.
 */
#include "codec_support.h"
#include "dynamic.h"
#include "generated.h"

static spc_arena by_tables, generated;

static char *json_of(const spc_message *m, size_t *length) {
  spc_status status = spc_to_json(m, NULL, NULL, 0, NULL, length, NULL);
  CHECK(status == SPC_BUFFER_TOO_SMALL);
  char *json = malloc(*length);
  CHECK(spc_to_json(m, NULL, json, *length, NULL, length, NULL) == SPC_OK);
  return json;
}

static void check_items(const spc_message *block, const spc_message *same, size_t length) {
  const spc_field *items = spc_message_type_by_number(block->type, 1);
  const spc_message_type *type = spc_field_describe(items).message;
  uint8_t *out = malloc(length), *expected = malloc(length);
  uint32_t n = spc_count(block, items);
  size_t differing = 0;
  CHECK(n != 0 && spc_count(same, items) == n);
  for (uint32_t i = 0; i < n; i++) {
    const spc_message item = {block->arena, type, spc_at(block, items, i).message};
    size_t size, expected_size;
    CHECK(spc_encode(&item, expected, length, NULL, &expected_size, NULL) == SPC_OK);
    for (int back = 0; back < 2; back++) {
      uint32_t ref = spc_at(same, items, i).message;
      spc_status status = back == 0
                              ? hapi_generated_encode(same->arena, ref, out, length, &size)
                              : hapi_generated_encode_back(same->arena, ref, out, length, &size);
      const uint8_t *bytes = back == 0 ? out : out + length - size;
      differing += status != SPC_OK || size != expected_size || memcmp(bytes, expected, size) != 0;
    }
  }
  CHECK_U64(differing, 0);
  free(out);
  free(expected);
}

/* A block of an older schema does not fit this one: all have to refuse it. */
static void check_block(hapi_dynamic *dynamic, const uint8_t *bytes, size_t length, bool fits) {
  const spc_message_type *type = hapi_dynamic_type(dynamic, "hapi.Block");
  spc_message block, same = {&generated, type, 0};
  uint32_t sum;
  size_t n, m;
  spc_arena_reset(&by_tables);
  spc_arena_reset(&generated);
  const spc_status status = spc_decode(&by_tables, type, bytes, length, NULL, &block, NULL);
  CHECK(hapi_generated_decode(&generated, HAPI_ROOT_BLOCK, bytes, length, &same.ref) == status);
  CHECK((status == SPC_OK) == fits);
  if (status != SPC_OK) {
    CHECK(hapi_generated_sum_view(HAPI_ROOT_BLOCK, bytes, length, &sum) != SPC_OK);
    return;
  }
  CHECK(spc_equal(&block, &same));
  const uint32_t expected = hapi_dynamic_sum(dynamic, &block);
  CHECK_U64(hapi_generated_sum(&generated, HAPI_ROOT_BLOCK, same.ref), expected);
  CHECK(hapi_generated_sum_view(HAPI_ROOT_BLOCK, bytes, length, &sum) == SPC_OK);
  CHECK_U64(sum, expected);
  char *a = json_of(&block, &n), *b = json_of(&same, &m);
  CHECK(n == m && memcmp(a, b, n) == 0);
  free(a);
  free(b);
  check_items(&block, &same, length);
}

int main(void) {
  char path[2048], line[512], name[256], message[64];
  const char *shared = getenv("SPICULE_SHARED");
  if (shared == NULL) shared = SPC_TEST_SHARED;
  snprintf(path, sizeof path, "%s/hapi/blocks.tsv", shared);
  FILE *list = fopen(path, "r");
  if (list == NULL) {
    test_skip("real blocks", "no folder hapi in SPICULE_SHARED");
    return test_end();
  }
  hapi_dynamic *dynamic = hapi_dynamic_make();
  by_tables = test_arena();
  generated = test_arena();
  unsigned blocks = 0;
  while (fgets(line, sizeof line, list) != NULL) {
    if (sscanf(line, "%255s %63s", name, message) != 2 || strcmp(message, "Block") != 0) continue;
    size_t length;
    snprintf(path, sizeof path, "%s/hapi/blocks/%s", shared, name);
    uint8_t *bytes = test_read(path, &length);
    CHECK(bytes != NULL);
    if (bytes == NULL) continue;
    unsigned failures = test_failures;
    check_block(dynamic, bytes, length, strcmp(name, "497558.blk") != 0);
    if (failures != test_failures) fprintf(stderr, "in %s\n", name);
    free(bytes);
    blocks++;
  }
  fclose(list);
  printf("%u blocks\n", blocks);
  CHECK(blocks > 5);
  hapi_dynamic_free(dynamic);
  free(by_tables.base);
  free(generated.base);
  return test_end();
}
