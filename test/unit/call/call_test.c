/* spc_call: pinned numbers, the same answers as the functions behind it, sizes, limits, errors. */
#include <stdlib.h>

#include "base/bytes.h"
#include "spicule/call.h"
#include "spicule/sha2.h"
#include "spicule/sponge.h"
#include "support/test.h"

static spc_ctx ctx;
static spc_error error;
static uint8_t response[8192];
static size_t response_length;

static spc_status call(uint32_t op, const uint8_t *request, size_t length) {
  return spc_call(&ctx, op, request, length, response, sizeof response, &response_length, &error);
}

static void start(spc_limits limits) {
  spc_arena none;
  spc_arena_init(&none, NULL, 0, NULL, NULL);
  spc_ctx_init(&ctx, none, limits);
}

/* `count` elements with the values first, first + 1, ... */
static void fields(uint8_t *out, uint32_t first, size_t count) {
  memset(out, 0, count * SPC_FIELD_BYTES);
  for (size_t i = 0; i < count; i++)
    spc__store32_be(out + i * SPC_FIELD_BYTES + 28, first + (uint32_t)i);
}

static void operation_numbers_are_pinned(void) {
  static const struct {
    uint32_t op, number;
  } pinned[] = {{SPC_OP_PERMUTE, 1},          {SPC_OP_PERMUTE_MANY, 2},  {SPC_OP_HASH, 3},
                {SPC_OP_HASH_MANY, 4},        {SPC_OP_COMPRESS_MANY, 5}, {SPC_OP_ABSORB, 6},
                {SPC_OP_SQUEEZE, 7},          {SPC_OP_SHA256, 16},       {SPC_OP_SHA256_PAIRS, 17},
                {SPC_OP_SHA384, 18},          {SPC_OP_SSZ_REGISTER, 48}, {SPC_OP_SSZ_VALIDATE, 49},
                {SPC_OP_SSZ_ROOT, 50},        {SPC_OP_SSZ_TO_JSON, 51},  {SPC_OP_SSZ_FROM_JSON, 52},
                {SPC_OP_SSZ_VERIFY_PROOF, 53}};
  for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
    CHECK_U64(pinned[i].op, pinned[i].number);
}

static void every_operation_answers_as_its_function(void) {
  uint8_t in[16 * SPC_FIELD_BYTES + 8], expected[16 * SPC_FIELD_BYTES];
  fields(in, 1, 16);

  CHECK(call(SPC_OP_PERMUTE, in, 128) == SPC_OK);
  CHECK(spc_poseidon2_permute(expected, in, NULL) == SPC_OK);
  CHECK_U64(response_length, 128);
  CHECK_BYTES(response, expected, 128);

  CHECK(call(SPC_OP_PERMUTE_MANY, in, 512) == SPC_OK);
  CHECK(spc_poseidon2_permute_many(expected, in, 4, NULL) == SPC_OK);
  CHECK_U64(response_length, 512);
  CHECK_BYTES(response, expected, 512);

  CHECK(call(SPC_OP_HASH, in, 7 * 32) == SPC_OK);
  CHECK(spc_poseidon2_hash(expected, in, 7, NULL) == SPC_OK);
  CHECK_U64(response_length, 32);
  CHECK_BYTES(response, expected, 32);
  CHECK(call(SPC_OP_HASH, NULL, 0) == SPC_OK);
  CHECK(spc_poseidon2_hash(expected, NULL, 0, NULL) == SPC_OK);
  CHECK_BYTES(response, expected, 32);

  CHECK(call(SPC_OP_COMPRESS_MANY, in, 512) == SPC_OK);
  CHECK(spc_poseidon2_compress_many(expected, in, 8, NULL) == SPC_OK);
  CHECK_U64(response_length, 256);
  CHECK_BYTES(response, expected, 256);

  memmove(in + 8, in, 15 * 32);
  spc__store32_le(in, 3);
  spc__store32_le(in + 4, 5);
  CHECK(call(SPC_OP_HASH_MANY, in, 8 + 15 * 32) == SPC_OK);
  CHECK(spc_poseidon2_hash_many(expected, in + 8, 5, 3, NULL) == SPC_OK);
  CHECK_U64(response_length, 96);
  CHECK_BYTES(response, expected, 96);

  CHECK(call(SPC_OP_SHA256, in, 99) == SPC_OK);
  spc_sha256(expected, in, 99);
  CHECK_U64(response_length, 32);
  CHECK_BYTES(response, expected, 32);
  CHECK(call(SPC_OP_SHA256_PAIRS, in, 192) == SPC_OK);
  spc_sha256_pairs(expected, in, 3);
  CHECK_U64(response_length, 96);
  CHECK_BYTES(response, expected, 96);
  CHECK(call(SPC_OP_SHA384, in, 99) == SPC_OK);
  spc_sha384(expected, in, 99);
  CHECK_U64(response_length, 48);
  CHECK_BYTES(response, expected, 48);
}

static void a_serialized_sponge_absorbs_and_squeezes(void) {
  enum { prefix = 4 + SPC_SPONGE_BYTES };
  uint8_t request[prefix + 5 * 32], expected[SPC_SPONGE_BYTES], output[32];
  spc_sponge sponge;
  CHECK(spc_sponge_blob_init(&sponge, 9, NULL) == SPC_OK);
  spc__store32_le(request, 9);
  spc_sponge_to_bytes(&sponge, request + 4);
  fields(request + prefix, 1, 5);
  CHECK(call(SPC_OP_ABSORB, request, sizeof request) == SPC_OK);
  CHECK(spc_sponge_absorb(&sponge, request + prefix, 5, NULL) == SPC_OK);
  spc_sponge_to_bytes(&sponge, expected);
  CHECK_U64(response_length, SPC_SPONGE_BYTES);
  CHECK_BYTES(response, expected, SPC_SPONGE_BYTES);

  memcpy(request + 4, response, SPC_SPONGE_BYTES);
  CHECK(call(SPC_OP_ABSORB, request, sizeof request) == SPC_COUNT_LIMIT);
  CHECK_U64(error.limit, 9);
  CHECK_U64(response_length, 0);

  CHECK(call(SPC_OP_SQUEEZE, request, prefix) == SPC_OK);
  CHECK(spc_sponge_squeeze(&sponge, output, NULL) == SPC_OK);
  spc_sponge_to_bytes(&sponge, expected);
  CHECK_U64(response_length, 32 + SPC_SPONGE_BYTES);
  CHECK_BYTES(response, output, 32);
  CHECK_BYTES(response + 32, expected, SPC_SPONGE_BYTES);

  memcpy(request + 4, response + 32, SPC_SPONGE_BYTES);
  CHECK(call(SPC_OP_SQUEEZE, request, prefix) == SPC_INVALID_STATE);
  request[4 + 3 * 32] = 0xff;
  CHECK(call(SPC_OP_SQUEEZE, request, prefix) == SPC_NOT_CANONICAL);
  CHECK_U64(error.offset, 4 + 3 * 32);
}

static void a_small_buffer_learns_the_size(void) {
  uint8_t in[256] = {0};
  CHECK(spc_call(&ctx, SPC_OP_PERMUTE_MANY, in, 256, NULL, 0, &response_length, &error) ==
        SPC_BUFFER_TOO_SMALL);
  CHECK_U64(response_length, 256);
  CHECK_U64(error.limit, 256);
  CHECK(spc_call(&ctx, SPC_OP_SHA256, in, 1, response, 31, &response_length, NULL) ==
        SPC_BUFFER_TOO_SMALL);
  CHECK_U64(response_length, 32);
}

static void limits_are_those_of_the_context(void) {
  uint8_t in[256] = {0};
  spc_limits limits = spc_limits_default();
  limits.max_request = 128;
  limits.max_response = 40;
  start(limits);
  CHECK(call(SPC_OP_SHA256, in, 129) == SPC_SIZE_LIMIT);
  CHECK_U64(error.limit, 128);
  CHECK(call(SPC_OP_SHA384, in, 128) == SPC_SIZE_LIMIT);
  CHECK_U64(error.limit, 40);
  CHECK(call(SPC_OP_SHA256, in, 128) == SPC_OK);
  start(spc_limits_default());
}

static void bad_requests_say_what_and_where(void) {
  uint8_t in[8 + 4 * 32] = {0};
  static const uint32_t unknown[] = {0, 8, 15, 19, 31, 47, 54, 255, UINT32_MAX};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    CHECK(call(unknown[i], in, 32) == SPC_UNKNOWN_OPERATION);
    CHECK_U64(error.index, unknown[i]);
  }
  CHECK(call(SPC_OP_PERMUTE, in, 127) == SPC_WRONG_LENGTH);
  CHECK_U64(error.offset, 127);
  CHECK(call(SPC_OP_PERMUTE, in, 0) == SPC_WRONG_LENGTH);
  CHECK(call(SPC_OP_PERMUTE_MANY, in, 129) == SPC_WRONG_LENGTH);
  CHECK(call(SPC_OP_HASH, in, 33) == SPC_WRONG_LENGTH);
  CHECK(call(SPC_OP_COMPRESS_MANY, in, 96) == SPC_WRONG_LENGTH);
  CHECK(call(SPC_OP_SHA256_PAIRS, in, 63) == SPC_WRONG_LENGTH);
  CHECK(call(SPC_OP_HASH_MANY, in, 7) == SPC_TRUNCATED);
  CHECK(call(SPC_OP_ABSORB, in, 100) == SPC_TRUNCATED);
  CHECK(call(SPC_OP_SQUEEZE, in, 100) == SPC_WRONG_LENGTH);

  memset(in, 0, sizeof in);
  in[0] = 2;
  in[4] = 2;
  CHECK(call(SPC_OP_HASH_MANY, in, sizeof in) == SPC_OK);
  in[4] = 3;
  CHECK(call(SPC_OP_HASH_MANY, in, sizeof in) == SPC_WRONG_LENGTH);
  in[4] = 2;
  memset(in + 8 + 3 * 32, 0xff, 32);
  CHECK(call(SPC_OP_HASH_MANY, in, sizeof in) == SPC_NOT_CANONICAL);
  CHECK_U64(error.index, 3);
  CHECK_U64(error.offset, 8 + 3 * 32);
  memset(in, 0xff, 8);
  CHECK(call(SPC_OP_HASH_MANY, in, sizeof in) == SPC_WRONG_LENGTH);
}

int main(void) {
  start(spc_limits_default());
  operation_numbers_are_pinned();
  every_operation_answers_as_its_function();
  a_serialized_sponge_absorbs_and_squeezes();
  a_small_buffer_learns_the_size();
  limits_are_those_of_the_context();
  bad_requests_say_what_and_where();
  return test_end();
}
