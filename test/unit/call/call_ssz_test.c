/* The SSZ operations of spc_call: the answers of the functions behind them, from bytes alone. */
#include <stdlib.h>

#include "base/bytes.h"
#include "spicule/call.h"
#include "spicule/sha2.h"
#include "spicule/ssz.h"
#include "support/test.h"

static spc_ctx ctx;
static spc_error error;
static uint8_t response[4096], request[4096], schema_hash[32];
static size_t response_length, request_length;

/* An arena that moves whenever it grows. */
static void *grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user;
  uint8_t *moved = malloc(*size = needed + 64);
  if (base != NULL) memcpy(moved, base, used);
  free(base);
  return moved;
}

static void start(bool memory) {
  spc_arena arena;
  spc_arena_init(&arena, NULL, 0, memory ? grow : NULL, NULL);
  spc_ctx_init(&ctx, arena, spc_limits_default());
}

static spc_status call(uint32_t op) {
  return spc_call(&ctx, op, request, request_length, response, sizeof response, &response_length,
                  &error);
}

static void put(const void *bytes, size_t length) {
  memcpy(request + request_length, bytes, length);
  request_length += length;
}

static void put_text(const char *text) {
  uint8_t length[4];
  spc__store32_le(length, (uint32_t)strlen(text));
  put(length, 4);
  put(text, strlen(text));
}

static void open_request(const char *type) {
  request_length = 0;
  put(schema_hash, 32);
  put_text(type);
}

static const char schema_text[] =
    "{\"one\":{\"T\":{\"kind\":\"Container\",\"fields\":[[\"a\",\"uint16\"],[\"b\",\"bool\"],"
    "[\"c\",\"List[uint8,9]\"]]}},\"two\":{}}";

static void register_schema(void) {
  uint8_t expected[32];
  request_length = 0;
  put_text("one");
  put(schema_text, strlen(schema_text));
  CHECK(call(SPC_OP_SSZ_REGISTER) == SPC_OK);
  CHECK_U64(response_length, 32);
  spc_sha256(expected, request, request_length);
  CHECK_BYTES(response, expected, 32);
  memcpy(schema_hash, response, 32);
  size_t used = ctx.arena.used;
  CHECK(call(SPC_OP_SSZ_REGISTER) == SPC_OK);
  CHECK_BYTES(response, schema_hash, 32);
  CHECK_U64(ctx.arena.used, used);
}

static const uint8_t value[] = {0x34, 0x12, 1, 7, 0, 0, 0, 5, 6};

static void values_by_registered_schemas(void) {
  static uint8_t work[SPC_SSZ_WORK_SIZE];
  const char *json = "{\"a\":\"4660\",\"b\":true,\"c\":[\"5\",\"6\"]}";
  size_t used = ctx.arena.used;
  for (int i = 0; i < 3; i++) {
    open_request("T");
    put(value, sizeof value);
    CHECK(call(SPC_OP_SSZ_VALIDATE) == SPC_OK);
    CHECK_U64(response_length, 0);
    CHECK(call(SPC_OP_SSZ_TO_JSON) == SPC_OK);
    CHECK_U64(response_length, strlen(json));
    CHECK_BYTES(response, json, strlen(json));
    open_request("T");
    put(json, strlen(json));
    CHECK(call(SPC_OP_SSZ_FROM_JSON) == SPC_OK);
    CHECK_U64(response_length, sizeof value);
    CHECK_BYTES(response, value, sizeof value);
    open_request("List[T,5]");
    put("\4\0\0\0", 4);
    put(value, sizeof value);
    CHECK(call(SPC_OP_SSZ_ROOT) == SPC_OK);
    CHECK_U64(response_length, 32);
  }
  CHECK_U64(ctx.arena.used, used);
  uint8_t expected[32];
  spc_ssz_schema schema;
  spc_arena arena;
  const spc_ssz_type *type;
  static uint64_t memory[4096];
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  CHECK(spc_ssz_schema_read(&schema, &arena, schema_text, strlen(schema_text), "one", NULL) ==
        SPC_OK);
  CHECK(spc_ssz_schema_type(&schema, "List[T,5]", 9, &type, NULL) == SPC_OK);
  CHECK(spc_ssz_root_of_bytes(type, request + 32 + 4 + 9, request_length - 45, work, expected,
                              NULL) == SPC_OK);
  CHECK_BYTES(response, expected, 32);
}

static void failures_have_offsets_in_the_request(void) {
  open_request("T");
  put(value, sizeof value);
  request[request_length - 7] = 2; /* the boolean */
  CHECK(call(SPC_OP_SSZ_VALIDATE) == SPC_BAD_BOOLEAN);
  CHECK_U64(error.offset, 32 + 4 + 1 + 2);
  CHECK(strcmp(error.path, "b") == 0 && response_length == 0);
  open_request("List[Nothing,5]");
  CHECK(call(SPC_OP_SSZ_ROOT) == SPC_UNDEFINED_TYPE);
  CHECK_U64(error.offset, 32 + 4 + 5);
  open_request("T");
  request[3] ^= 1;
  CHECK(call(SPC_OP_SSZ_ROOT) == SPC_NOT_FOUND);
  open_request("T");
  request_length -= 1;
  CHECK(call(SPC_OP_SSZ_ROOT) == SPC_TRUNCATED);
  open_request("T");
  put("{\"a\":1}", 7);
  CHECK(call(SPC_OP_SSZ_FROM_JSON) == SPC_MISSING_FIELD && strcmp(error.path, "b") == 0);
  request_length = 0;
  put_text("three");
  put(schema_text, strlen(schema_text));
  CHECK(call(SPC_OP_SSZ_REGISTER) == SPC_NOT_FOUND);
  CHECK(call(54) == SPC_UNKNOWN_OPERATION && error.index == 54);
  open_request("T");
  put(value, sizeof value);
  CHECK(spc_call(&ctx, SPC_OP_SSZ_TO_JSON, request, request_length, NULL, 0, &response_length,
                 &error) == SPC_BUFFER_TOO_SMALL);
  CHECK(response_length == error.limit && response_length > 20);
}

static void proofs_are_verified(void) {
  uint8_t pair[64], root[32], head[4];
  for (int i = 0; i < 64; i++)
    pair[i] = (uint8_t)i;
  spc_sha256_pairs(root, pair, 1);
  for (unsigned form = 0; form < 4; form++) {
    uint8_t index[16] = {2};
    request_length = 0;
    put(root, 32);
    spc__store32_le(head, 1);
    put(head, 4);
    put(index, 16);
    put(pair, 32);
    if (form == 1) pair[40] ^= 1;
    put(pair + 32, form == 2 ? 0 : form == 3 ? 31 : 32);
    spc_status status = call(SPC_OP_SSZ_VERIFY_PROOF);
    if (form < 2) CHECK(status == SPC_OK && response_length == 1 && response[0] == (form == 0));
    if (form == 2) CHECK(status == SPC_BAD_PROOF);
    if (form == 3) CHECK(status == SPC_WRONG_LENGTH);
  }
  request[32] = 200;
  CHECK(call(SPC_OP_SSZ_VERIFY_PROOF) == SPC_TRUNCATED);
}

int main(void) {
  start(true);
  register_schema();
  values_by_registered_schemas();
  failures_have_offsets_in_the_request();
  proofs_are_verified();
  free(ctx.arena.base);
  start(false);
  open_request("T");
  CHECK(call(SPC_OP_SSZ_ROOT) == SPC_NOT_FOUND);
  request_length = 0;
  put_text("");
  put("{}", 2);
  CHECK(call(SPC_OP_SSZ_REGISTER) == SPC_OUT_OF_MEMORY);
  return test_end();
}
