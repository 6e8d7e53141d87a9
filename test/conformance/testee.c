/*
 * The program that the official conformance runner talks to: requests and responses are messages of
 * conformance.proto, each after its length in four bytes, on the standard streams. This codec
 * reads and writes those messages too. One argument: the descriptor set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spicule/codec.h"

enum { TESTEE_PROTOBUF = 1, TESTEE_JSON = 2 };
enum { TESTEE_IGNORE_UNKNOWN = 3 };

typedef struct testee {
  const spc_schema *schema;
  const spc_message_type *request, *response;
  spc_arena arena;
} testee;

static void *testee_grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user;
  *size = needed * 2;
  void *block = malloc(*size);
  if (block != NULL && used != 0) memcpy(block, base, used);
  free(base);
  return block;
}

static const spc_field *testee_field(const spc_message_type *type, const char *name) {
  const spc_field *field = spc_message_type_by_name(type, name, strlen(name));
  if (field == NULL) exit(2);
  return field;
}

static void testee_answer(const spc_message *response, const char *field, const void *bytes,
                          size_t length) {
  spc_value value;
  if (spc_arena_put(response->arena, bytes, length, &value.slice) != SPC_OK ||
      spc_set(response, testee_field(response->type, field), value) != SPC_OK)
    exit(3);
}

static void testee_fail(const spc_message *response, const char *field, const spc_error *error) {
  char text[512];
  int n = snprintf(text, sizeof text, "%s at %lld in %s", spc_status_name(error->status),
                   (long long)error->offset, error->path);
  testee_answer(response, field, text, (size_t)n);
}

static spc_status testee_parse(testee *t, const spc_message *request, spc_message *message,
                               spc_error *error) {
  const spc_message_type *type = request->type;
  spc_slice name = spc_get(request, testee_field(type, "message_type")).slice;
  const spc_message_type *of =
      spc_schema_message(t->schema, (const char *)t->arena.base + name.offset, name.length);
  if (of == NULL) exit(4);
  if (spc_has(request, testee_field(type, "protobuf_payload"))) {
    spc_slice bytes = spc_get(request, testee_field(type, "protobuf_payload")).slice;
    return spc_decode(&t->arena, of, t->arena.base + bytes.offset, bytes.length, NULL, message,
                      error);
  }
  spc_slice json = spc_get(request, testee_field(type, "json_payload")).slice;
  int32_t category = spc_get(request, testee_field(type, "test_category")).i32;
  const spc_json_options options = {
      .flags = category == TESTEE_IGNORE_UNKNOWN ? SPC_JSON_IGNORE_UNKNOWN : 0};
  /* The text must not be in the arena that the message goes to. */
  char *text = malloc(json.length + 1u);
  if (text == NULL) exit(5);
  memcpy(text, t->arena.base + json.offset, json.length);
  spc_status status =
      spc_from_json(&t->arena, of, t->schema, text, json.length, &options, message, error);
  free(text);
  return status;
}

static void testee_run(testee *t, const spc_message *request, const spc_message *response) {
  spc_message message;
  spc_error error;
  int32_t format = spc_get(request, testee_field(request->type, "requested_output_format")).i32;
  bool readable = spc_has(request, testee_field(request->type, "protobuf_payload")) ||
                  spc_has(request, testee_field(request->type, "json_payload"));
  if (!readable || (format != TESTEE_PROTOBUF && format != TESTEE_JSON)) {
    testee_answer(response, "skipped", "only binary and JSON", 20);
    return;
  }
  if (testee_parse(t, request, &message, &error) != SPC_OK) {
    testee_fail(response, "parse_error", &error);
    return;
  }
  bool binary = format == TESTEE_PROTOBUF;
  size_t length, capacity = 1 << 20;
  uint8_t *out = malloc(capacity);
  if (out == NULL) exit(5);
  spc_status status =
      binary ? spc_encode(&message, out, capacity, NULL, &length, &error)
             : spc_to_json(&message, t->schema, (char *)out, capacity, NULL, &length, &error);
  if (status == SPC_OK)
    testee_answer(response, binary ? "protobuf_payload" : "json_payload", out, length);
  else
    testee_fail(response, "serialize_error", &error);
  free(out);
}

static bool testee_serve(testee *t) {
  uint8_t head[4];
  spc_message request, response;
  spc_error error;
  if (fread(head, 1, 4, stdin) != 4) return false;
  size_t length =
      (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
  uint8_t *bytes = malloc(length + 1);
  if (bytes == NULL || fread(bytes, 1, length, stdin) != length) exit(6);
  spc_arena_reset(&t->arena);
  if (spc_decode(&t->arena, t->request, bytes, length, NULL, &request, &error) != SPC_OK) exit(7);
  free(bytes);
  if (spc_message_new(&t->arena, t->response, &response) != SPC_OK) exit(8);
  testee_run(t, &request, &response);
  static uint8_t out[1 << 22];
  if (spc_encode(&response, out, sizeof out, NULL, &length, &error) != SPC_OK) exit(9);
  for (int i = 0; i < 4; i++)
    head[i] = (uint8_t)(length >> (8 * i));
  fwrite(head, 1, 4, stdout);
  fwrite(out, 1, length, stdout);
  return fflush(stdout) == 0;
}

int main(int argc, char **argv) {
  static uint8_t descriptors[1 << 20];
  testee t;
  spc_arena tables;
  spc_error error;
  uint32_t ref;
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 1;
  size_t length = fread(descriptors, 1, sizeof descriptors, file);
  fclose(file);
  spc_arena_init(&tables, NULL, 0, testee_grow, NULL);
  spc_arena_init(&t.arena, NULL, 0, testee_grow, NULL);
  if (spc_schema_build(&tables, descriptors, length, &ref, &error) != SPC_OK) {
    fprintf(stderr, "%s: %s\n", spc_status_name(error.status), error.path);
    return 1;
  }
  t.schema = (const spc_schema *)spc_arena_at(&tables, ref);
  t.request = spc_schema_message(t.schema, "conformance.ConformanceRequest", 30);
  t.response = spc_schema_message(t.schema, "conformance.ConformanceResponse", 31);
  if (t.request == NULL || t.response == NULL) return 1;
  while (testee_serve(&t)) {
  }
  free(t.arena.base);
  free(tables.base);
  return 0;
}
