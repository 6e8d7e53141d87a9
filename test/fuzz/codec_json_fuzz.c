/*
 * Any text as ProtoJSON, and changes to a good one: what is read is written again, and that is
 * read to an equal message.
 */
#include "fuzz/codec_support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char fuzz_good[] =
    "{\"optionalInt32\":-7,\"optionalInt64\":\"12\",\"optionalDouble\":1.5e10,\"optionalString\":"
    "\"a\\u00e9\\ud83d\\ude00\",\"optionalBytes\":\"AQI=\",\"repeatedInt32\":[1,2],"
    "\"mapStringString\":{\"k\":\"v\"},\"optionalNestedMessage\":{\"a\":1},\"oneofUint32\":3,"
    "\"optionalTimestamp\":\"2024-02-29T01:02:03.5Z\",\"optionalDuration\":\"1.5s\","
    "\"optionalFieldMask\":\"aB,c\",\"optionalStruct\":{\"x\":[null,true,{}]},"
    "\"optionalAny\":{\"@type\":\"a/google.protobuf.Int32Value\",\"value\":5}}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char text[1 << 16], out[1 << 20], again[1 << 20];
  if (size < 2) return 0;
  size_t length = size - 2 < sizeof text ? size - 2 : sizeof text;
  if ((data[0] & 0x80) != 0) {
    memcpy(text, fuzz_good, sizeof fuzz_good - 1);
    for (size_t i = 0; i + 2 < length && i < 12; i += 3)
      text[(data[2 + i] | (size_t)data[3 + i] << 8) % (sizeof fuzz_good - 1)] = (char)data[4 + i];
    length = sizeof fuzz_good - 1;
  } else {
    memcpy(text, data + 2, length);
  }
  char *input = malloc(length == 0 ? 1 : length);
  FUZZ_REQUIRE(input != NULL);
  memcpy(input, text, length);
  spc_arena arena = fuzz_arena();
  spc_message m, back;
  spc_error error;
  size_t out_length, again_length, before = spc_arena_used(&arena);
  const spc_json_options options = {.flags = (data[1] & 0x0fu) | SPC_JSON_PARTIAL};
  const spc_message_type *type = fuzz_type(data[0]);
  spc_status status =
      spc_from_json(&arena, type, fuzz_schema(), input, length, &options, &m, &error);
  free(input);
  if (status != SPC_OK) {
    FUZZ_REQUIRE(error.status == status && spc_arena_used(&arena) == before);
    FUZZ_REQUIRE(error.offset == SPC_NO_POSITION || error.offset <= length);
    return 0;
  }
  status = spc_to_json(&m, fuzz_schema(), out, sizeof out, &options, &out_length, &error);
  if (status != SPC_OK) return 0;
  FUZZ_REQUIRE(spc_from_json(&arena, type, fuzz_schema(), out, out_length, &options, &back,
                             &error) == SPC_OK);
  FUZZ_REQUIRE(spc_to_json(&back, fuzz_schema(), again, sizeof again, &options, &again_length,
                           &error) == SPC_OK);
  FUZZ_REQUIRE(out_length == again_length && memcmp(out, again, out_length) == 0);
  return 0;
}
