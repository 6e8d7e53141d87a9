/* The codec operations of spc_call: schemas by content hash, validate, JSON both ways. */
#include "../codec/codec_support.h"
#include "spicule/call.h"
#include "spicule/sha2.h"

static spc_ctx ctx;
static uint8_t hash[SPC_SHA256_BYTES];
static uint8_t request[1 << 17], response[1 << 12];
static const char type[] = "protobuf_test_messages.proto3.TestAllTypesProto3";
#define HEAD (SPC_SHA256_BYTES + 8 + sizeof type - 1)

static void put32(uint8_t *p, uint32_t v) {
  for (int i = 0; i < 4; i++)
    p[i] = (uint8_t)(v >> (8 * i));
}

static spc_status call(uint32_t op, uint32_t flags, const void *input, size_t input_length,
                       size_t capacity, size_t *length, spc_error *error) {
  memcpy(request, hash, sizeof hash);
  put32(request + SPC_SHA256_BYTES, flags);
  put32(request + SPC_SHA256_BYTES + 4, sizeof type - 1);
  memcpy(request + SPC_SHA256_BYTES + 8, type, sizeof type - 1);
  memcpy(request + HEAD, input, input_length);
  return spc_call(&ctx, op, request, HEAD + input_length, response, capacity, length, error);
}

static void a_schema_is_registered_once(void) {
  size_t size, length;
  spc_error error;
  uint8_t *bytes = test_read("conformance.fds", &size);
  CHECK(bytes != NULL);
  if (bytes == NULL) return;
  CHECK(spc_call(&ctx, SPC_OP_REGISTER_SCHEMA, bytes, size - 1, response, sizeof response, &length,
                 &error) == SPC_TRUNCATED);
  CHECK_U64(spc_arena_used(&ctx.arena), 8);
  CHECK(spc_call(&ctx, SPC_OP_REGISTER_SCHEMA, bytes, size, response, 31, &length, &error) ==
        SPC_BUFFER_TOO_SMALL);
  CHECK_U64(length, 32);
  for (int i = 0; i < 2; i++) {
    size_t used = spc_arena_used(&ctx.arena);
    CHECK(spc_call(&ctx, SPC_OP_REGISTER_SCHEMA, bytes, size, response, sizeof response, &length,
                   &error) == SPC_OK);
    CHECK(i == 0 || spc_arena_used(&ctx.arena) == used);
  }
  spc_sha256(hash, bytes, size);
  CHECK_U64(length, sizeof hash);
  CHECK_BYTES(response, hash, sizeof hash);
  free(bytes);
}

static void messages_become_json_and_back(void) {
  static const uint8_t message[] = {0x08, 0x05, 0x72, 0x01, 0x61};
  static const char json[] = "{\"optionalInt32\":5,\"optionalString\":\"a\"}";
  const size_t json_length = sizeof json - 1;
  size_t length, used = spc_arena_used(&ctx.arena);
  spc_error error;
  CHECK(call(SPC_OP_VALIDATE, 0, message, 5, sizeof response, &length, &error) == SPC_OK);
  CHECK_U64(length, 0);
  CHECK(call(SPC_OP_TO_JSON, 0, message, 5, 0, &length, &error) == SPC_BUFFER_TOO_SMALL);
  CHECK_U64(length, json_length);
  CHECK_U64(error.limit, json_length);
  CHECK(call(SPC_OP_TO_JSON, 0, message, 5, json_length, &length, &error) == SPC_OK);
  CHECK_BYTES(response, json, json_length);
  CHECK(call(SPC_OP_FROM_JSON, 0, json, json_length, 4, &length, &error) == SPC_BUFFER_TOO_SMALL);
  CHECK_U64(length, 5);
  CHECK(call(SPC_OP_FROM_JSON, 0, json, json_length, 5, &length, &error) == SPC_OK);
  CHECK_BYTES(response, message, 5);
  CHECK_U64(spc_arena_used(&ctx.arena), used);
}

static void failures_have_their_place_in_the_request(void) {
  size_t length;
  spc_error error;
  CHECK(call(SPC_OP_VALIDATE, 0, "\x72\x05", 2, 0, &length, &error) == SPC_TRUNCATED);
  CHECK_U64(error.offset, HEAD);
  CHECK(strcmp(error.path, "optional_string") == 0);
  CHECK(call(SPC_OP_VALIDATE, SPC_DECODE_STRICT, "\x80\xd2\x61\x05", 4, 0, &length, &error) ==
        SPC_UNKNOWN_FIELD);
  CHECK(call(SPC_OP_FROM_JSON, 0, "{\"a\":1}", 7, 0, &length, &error) == SPC_UNKNOWN_FIELD);
  CHECK_U64(error.offset, HEAD + 1);
  hash[0] ^= 1;
  CHECK(call(SPC_OP_VALIDATE, 0, "", 0, 0, &length, &error) == SPC_NOT_FOUND);
  hash[0] ^= 1;
  CHECK(spc_call(&ctx, SPC_OP_VALIDATE, request, 39, response, 0, &length, &error) ==
        SPC_TRUNCATED);
  put32(request + SPC_SHA256_BYTES + 4, UINT32_MAX);
  CHECK(spc_call(&ctx, SPC_OP_VALIDATE, request, HEAD, response, 0, &length, &error) ==
        SPC_TRUNCATED);
  CHECK(spc_call(&ctx, 47, request, HEAD, response, 0, &length, &error) == SPC_UNKNOWN_OPERATION);
}

static void work_memory_grows_as_it_must(void) {
  /* 30 000 messages of two bytes each: records take far more than the request. */
  static uint8_t message[90000];
  size_t length;
  spc_error error;
  for (size_t i = 0; i < sizeof message; i += 3)
    memcpy(message + i, "\x82\x03\x00", 3);
  CHECK(call(SPC_OP_VALIDATE, 0, message, sizeof message, 0, &length, &error) == SPC_OK);
}

int main(void) {
  spc_ctx_init(&ctx, test_arena(), spc_limits_default());
  a_schema_is_registered_once();
  messages_become_json_and_back();
  failures_have_their_place_in_the_request();
  work_memory_grows_as_it_must();
  free(ctx.arena.base);
  return test_end();
}
