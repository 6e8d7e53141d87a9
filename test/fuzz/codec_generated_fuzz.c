/*
 * Generated code against tables: the same bytes give the same status at the same place or equal
 * messages with the same encodings; and a view of what decodes reads what the message has.
 */
#include "fuzz/codec_support.h"
#include "support/generated.h"

#define FUZZ_OUT ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The fields of a leaf and of a field with everything beside, through a view. */
static void fuzz_view(const spc_arena *arena, uint32_t ref, const uint8_t *input, size_t length) {
  protobuf_test_messages_proto3_TestAllTypesProto3 m = {ref};
  protobuf_test_messages_proto3_TestAllTypesProto3_view view;
  spc_status status =
      protobuf_test_messages_proto3_TestAllTypesProto3_view_init(&view, input, length, NULL);
  FUZZ_REQUIRE(ref == 0 || status == SPC_OK);
  if (ref == 0) return;
  FUZZ_REQUIRE(protobuf_test_messages_proto3_TestAllTypesProto3_optional_int32(arena, m) ==
               protobuf_test_messages_proto3_TestAllTypesProto3_view_optional_int32(&view));
  spc_bytes x = protobuf_test_messages_proto3_TestAllTypesProto3_optional_string(arena, m);
  spc_bytes y = protobuf_test_messages_proto3_TestAllTypesProto3_view_optional_string(&view);
  FUZZ_REQUIRE(x.length == y.length && (x.length == 0 || memcmp(x.data, y.data, x.length) == 0));
  FUZZ_REQUIRE(protobuf_test_messages_proto3_TestAllTypesProto3_oneof_field_case(arena, m) ==
               protobuf_test_messages_proto3_TestAllTypesProto3_view_oneof_field_case(&view));
  spc_gen_place place = protobuf_test_messages_proto3_TestAllTypesProto3_view_repeated_int32(&view);
  uint32_t n = protobuf_test_messages_proto3_TestAllTypesProto3_repeated_int32_count(arena, m);
  int32_t value = 0;
  for (uint32_t i = 0; i < n; i++) {
    status = protobuf_test_messages_proto3_TestAllTypesProto3_view_repeated_int32_next(
        &place, &value, NULL);
    FUZZ_REQUIRE(status == SPC_OK);
    FUZZ_REQUIRE(value ==
                 protobuf_test_messages_proto3_TestAllTypesProto3_repeated_int32_at(arena, m, i));
  }
  FUZZ_REQUIRE(protobuf_test_messages_proto3_TestAllTypesProto3_view_repeated_int32_next(
                   &place, &value, NULL) == SPC_NOT_FOUND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t out[2 * FUZZ_OUT];
  static const size_t types = sizeof test_types / sizeof test_types[0];
  uint8_t bytes[4096];
  if (size < 3) return 0;
  const test_generated *g = &test_types[data[0] % types];
  const spc_decode_options options = {.flags = data[1] & 7u,
                                      .max_depth = data[1] >> 3 & 15u,
                                      .max_count = data[1] >> 7 != 0 ? 4 : 0};
  size_t length = fuzz_wire(data + 2, size - 2, bytes, sizeof bytes);
  /* An exact-size copy, so that a sanitizer sees a read past the end. */
  uint8_t *input = malloc(length == 0 ? 1 : length);
  FUZZ_REQUIRE(input != NULL);
  if (length != 0) memcpy(input, bytes, length);
  spc_arena arena = fuzz_arena();
  const char *wrong =
      generated_compare(fuzz_schema(), g, input, length, &options, &arena, out, FUZZ_OUT);
  if (wrong != NULL) fprintf(stderr, "%s: %s\n", g->name, wrong);
  FUZZ_REQUIRE(wrong == NULL);
  uint32_t ref = 0;
  const spc_decode_options partial = {.flags = SPC_DECODE_PARTIAL};
  arena = fuzz_arena();
  if (spc_gen_decode(&arena, test_types[0].type, test_types[0].decode, input, length, &partial,
                     &ref, NULL) != SPC_OK)
    ref = 0;
  fuzz_view(&arena, ref, input, length);
  free(input);
  return 0;
}
