/*
 * Real blocks and record files: each decodes with its descriptor set, encodes to the same bytes
 * (all of them are in canonical order), survives a round trip through JSON, with the same bytes
 * again but for the unknown fields, which JSON has none of, and reads the same through views.
 */
#include "codec_support.h"

static spc_arena arena;
static uint64_t unknown_bytes;

/* Sums of all numbers and lengths, by messages and by views. */
static uint64_t sum_message(const spc_message *m) {
  const spc_field *field;
  uint64_t sum = 0;
  for (uint32_t s = spc_unknown(m); s != 0;) {
    const spc_unknown_span *span = (const spc_unknown_span *)spc_arena_at(m->arena, s);
    unknown_bytes += span->bytes.length;
    s = span->previous;
  }
  for (uint32_t i = 0; (field = spc_message_type_field(m->type, i)) != NULL; i++) {
    spc_field_info f = spc_field_describe(field);
    if (!spc_has(m, field)) continue;
    uint32_t n = f.repeated ? spc_count(m, field) : 1;
    for (uint32_t j = 0; j < n; j++) {
      spc_value value = f.repeated ? spc_at(m, field, j) : spc_get(m, field);
      sum += f.number;
      if (f.message != NULL) {
        const spc_message sub = {m->arena, f.message, value.message};
        sum += sum_message(&sub);
      } else if (f.type == SPC_TYPE_STRING || f.type == SPC_TYPE_BYTES) {
        sum += value.slice.length;
      } else {
        sum += (uint32_t)value.bits;
      }
    }
  }
  return sum;
}

static uint64_t sum_view(const spc_view *view) {
  spc_view_place place = spc_view_start(view);
  spc_view_value value;
  uint64_t sum = 0;
  while (spc_view_next(view, &place, &value, NULL) == SPC_OK) {
    spc_view sub;
    if (value.field == NULL) continue;
    if (value.packed) {
      spc_view_place packed = {view->end, value.bytes, value.bytes + value.length};
      while (spc_view_element(view, value.field, &packed, &value, NULL) == SPC_OK)
        sum += value.number + (uint32_t)value.value.bits;
      continue;
    }
    sum += value.number;
    if (spc_view_sub(&value, &sub))
      sum += sum_view(&sub);
    else
      sum += value.bytes != NULL ? value.length : (uint32_t)value.value.bits;
  }
  return sum;
}

static void check_file(const spc_schema *schema, const spc_message_type *type, const char *name,
                       const uint8_t *bytes, size_t length) {
  spc_message m, back;
  spc_error error;
  size_t written, json_length;
  unsigned failures = test_failures;
  uint8_t *out = malloc(length);
  spc_arena_reset(&arena);
  CHECK(spc_decode(&arena, type, bytes, length, NULL, &m, &error) == SPC_OK);
  CHECK(spc_encode(&m, out, length, NULL, &written, &error) == SPC_OK && written == length);
  if (written == length) CHECK_BYTES(out, bytes, length);
  spc_view view;
  unknown_bytes = 0;
  spc_view_init(&view, type, bytes, length);
  CHECK_U64(sum_view(&view), sum_message(&m));
  CHECK(spc_to_json(&m, schema, NULL, 0, NULL, &json_length, &error) == SPC_BUFFER_TOO_SMALL);
  char *json = malloc(json_length);
  CHECK(spc_to_json(&m, schema, json, json_length, NULL, &json_length, &error) == SPC_OK);
  CHECK(spc_from_json(&arena, type, schema, json, json_length, NULL, &back, &error) == SPC_OK);
  CHECK(unknown_bytes != 0 || spc_equal(&m, &back));
  CHECK(spc_encode(&back, out, length, NULL, &written, &error) == SPC_OK);
  CHECK(unknown_bytes != 0 ? written < length : written == length);
  if (written == length) CHECK_BYTES(out, bytes, length);
  if (failures != test_failures) fprintf(stderr, "in %s\n", name);
  free(json);
  free(out);
}

/* The files that the list names: file, message, size, hash. */
static unsigned check_files(const char *folder) {
  char path[2048], line[512], name[256], message[64];
  unsigned files = 0;
  spc_arena tables = test_arena(), old_tables = test_arena();
  snprintf(path, sizeof path, "%s/hapi.fds", folder);
  const spc_schema *schema = test_schema(&tables, path);
  snprintf(path, sizeof path, "%s/hapi-0.59.fds", folder);
  const spc_schema *old = test_schema(&old_tables, path);
  snprintf(path, sizeof path, "%s/blocks.tsv", folder);
  FILE *list = fopen(path, "r");
  while (list != NULL && fgets(line, sizeof line, list) != NULL) {
    if (sscanf(line, "%255s %63s", name, message) != 2 || name[0] == '#') continue;
    size_t length, head = strstr(name, ".rcd") != NULL ? 4 : 0;
    const spc_schema *with = strcmp(name, "497558.blk") == 0 ? old : schema;
    const spc_message_type *type = test_type(
        with, head != 0 ? "proto.RecordStreamFile" : "com.hedera.hapi.block.stream.Block");
    snprintf(path, sizeof path, "%s/blocks/%s", folder, name);
    uint8_t *bytes = test_read(path, &length);
    CHECK(bytes != NULL);
    if (bytes == NULL) continue;
    check_file(with, type, name, bytes + head, length - head);
    free(bytes);
    files++;
  }
  if (list != NULL) fclose(list);
  free(tables.base);
  free(old_tables.base);
  return files;
}

int main(void) {
  char folder[1024];
  const char *shared = getenv("SPICULE_SHARED");
  snprintf(folder, sizeof folder, "%s/hapi", shared != NULL ? shared : SPC_TEST_SHARED);
  char path[2048];
  snprintf(path, sizeof path, "%s/blocks.tsv", folder);
  FILE *list = fopen(path, "r");
  if (list == NULL) {
    test_skip("real blocks", "no folder hapi in SPICULE_SHARED");
    return test_end();
  }
  fclose(list);
  arena = test_arena();
  unsigned files = check_files(folder);
  printf("%u files\n", files);
  CHECK(files > 30);
  free(arena.base);
  return test_end();
}
