/*
 * Any bytes as descriptors, mostly changes to good ones: a status with names, or a schema whose
 * types all work: each makes, decodes and encodes a message.
 */
#include "fuzz/codec_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_use(spc_arena *arena, const spc_schema *schema, const uint8_t *data, size_t size) {
  for (uint32_t i = 0; i < spc_schema_message_count(schema); i += 1 + (uint32_t)(size % 7)) {
    const spc_message_type *type = spc_schema_message_at(schema, i);
    spc_message m;
    uint8_t out[512];
    size_t length, before = spc_arena_used(arena);
    const spc_decode_options options = {.flags = SPC_DECODE_PARTIAL};
    const spc_encode_options encoding = {.flags = SPC_ENCODE_PARTIAL};
    if (spc_decode(arena, type, data, size, &options, &m, NULL) == SPC_OK) {
      spc_status status = spc_encode(&m, out, sizeof out, &encoding, &length, NULL);
      FUZZ_REQUIRE(status == SPC_OK || status == SPC_BUFFER_TOO_SMALL);
    }
    spc_arena_rewind(arena, before);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t bytes[1 << 17];
  size_t length, changes = size < 32 ? size : 32;
  uint32_t ref;
  spc_error error;
  spc_arena arena = fuzz_arena();
  if (size == 0) return 0;
  if ((data[0] & 3) != 0) {
    length = size - 1 < sizeof bytes ? size - 1 : sizeof bytes;
    memcpy(bytes, data + 1, length);
  } else {
    const uint8_t *good = fuzz_descriptors(&length);
    memcpy(bytes, good, length);
    for (size_t i = 1; i + 3 < changes; i += 4)
      bytes[(data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16) % length] =
          data[i + 3];
  }
  size_t before = spc_arena_used(&arena);
  spc_status status = spc_schema_build(&arena, bytes, length, &ref, &error);
  if (status != SPC_OK) {
    FUZZ_REQUIRE(error.status == status && spc_arena_used(&arena) == before);
    return 0;
  }
  fuzz_use(&arena, (const spc_schema *)spc_arena_at(&arena, ref), data, size);
  return 0;
}
