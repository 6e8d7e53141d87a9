/*
 * Any bytes as a message: what decodes encodes, the encoding decodes to an equal message and
 * encodes to itself, a clone is equal, JSON that comes out goes in again. What does not decode
 * leaves the arena as it was and has its place within the input.
 */
#include "fuzz/codec_support.h"

#define FUZZ_BYTES 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_json(const spc_message *m) {
  static char json[1 << 20];
  size_t length;
  spc_message back;
  const spc_json_options options = {.flags = SPC_JSON_PARTIAL};
  spc_status status = spc_to_json(m, fuzz_schema(), json, sizeof json, &options, &length, NULL);
  if (status != SPC_OK) return;
  status = spc_from_json(m->arena, m->type, fuzz_schema(), json, length, &options, &back, NULL);
  FUZZ_REQUIRE(status == SPC_OK || status == SPC_DEPTH_LIMIT || status == SPC_BAD_JSON_VALUE);
}

static void fuzz_round_trip(const spc_message *m) {
  static uint8_t first[1 << 20], second[1 << 20];
  size_t first_length, second_length;
  spc_message again, copy;
  spc_error error;
  const spc_encode_options options = {.flags = SPC_ENCODE_PARTIAL};
  const spc_decode_options partial = {.flags = SPC_DECODE_PARTIAL};
  FUZZ_REQUIRE(spc_encode(m, first, sizeof first, &options, &first_length, &error) == SPC_OK);
  FUZZ_REQUIRE(spc_decode(m->arena, m->type, first, first_length, &partial, &again, &error) ==
               SPC_OK);
  FUZZ_REQUIRE(spc_encode(&again, second, first_length, &options, &second_length, &error) ==
               SPC_OK);
  FUZZ_REQUIRE(first_length == second_length && memcmp(first, second, first_length) == 0);
  FUZZ_REQUIRE(spc_equal(m, &again));
  FUZZ_REQUIRE(spc_clone(m, m->arena, &copy) == SPC_OK && spc_equal(m, &copy));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t bytes[FUZZ_BYTES];
  spc_message m;
  spc_error error;
  if (size < 2) return 0;
  const spc_message_type *type = fuzz_type(data[0]);
  size_t length = fuzz_wire(data + 1, size - 1, bytes, sizeof bytes);
  spc_arena arena = fuzz_arena();
  const spc_decode_options options = {.flags = (data[0] >> 2 & 3u) | SPC_DECODE_PARTIAL};
  /* An exact-size copy, so that a sanitizer sees a read past the end. */
  uint8_t *input = malloc(length == 0 ? 1 : length);
  FUZZ_REQUIRE(input != NULL);
  memcpy(input, bytes, length);
  size_t before = spc_arena_used(&arena);
  spc_status status = spc_decode(&arena, type, input, length, &options, &m, &error);
  free(input);
  if (status != SPC_OK) {
    FUZZ_REQUIRE(error.status == status && spc_arena_used(&arena) == before);
    FUZZ_REQUIRE(error.offset == SPC_NO_POSITION || error.offset <= length);
    return 0;
  }
  fuzz_round_trip(&m);
  fuzz_json(&m);
  return 0;
}
