/* Views and writers: what they read and write, and how misuse is answered. */
#include "codec_support.h"

static const spc_message_type *proto3, *proto2;

static spc_view_value get(const char *hex, const char *name, spc_status expected) {
  static uint8_t bytes[256];
  spc_view view;
  spc_view_value value = {0};
  spc_error error;
  spc_view_init(&view, proto3, bytes, test_hex(bytes, hex));
  CHECK(spc_view_get(&view, test_field(proto3, name), &value, &error) == expected);
  return value;
}

static void views_read_any_field_in_any_order(void) {
  const char *hex = "08 05 18 ff ff ff ff 0f 72 02 61 62 92 01 04 12 02 08 07 f8 06 09";
  CHECK(get(hex, "optional_int32", SPC_OK).value.i32 == 5);
  CHECK_U64(get(hex, "optional_uint32", SPC_OK).value.bits, UINT32_MAX);
  spc_view_value text = get(hex, "optional_string", SPC_OK);
  CHECK(text.length == 2 && memcmp(text.bytes, "ab", 2) == 0);
  spc_view sub;
  spc_view_value nested = get(hex, "optional_nested_message", SPC_OK);
  CHECK(spc_view_sub(&nested, &sub) && !spc_view_sub(&text, &sub));
  get(hex, "optional_int64", SPC_NOT_FOUND);
  get(hex, "repeated_int32", SPC_WRONG_TYPE);
  CHECK(get("08 05 08 06", "optional_int32", SPC_OK).value.i32 == 6);
  CHECK(get("10 01 08 06", "optional_int64", SPC_OK).value.i64 == 1);
  get("f8 06 07 8a 07 01 61", "oneof_uint32", SPC_NOT_FOUND);
  get("f8 06 07 8a 07 01 61", "oneof_string", SPC_OK);
  get("92 01 00 92 01 00", "optional_nested_message", SPC_MALFORMED);
  get("72 01 ff", "optional_string", SPC_BAD_UTF8);
  get("08 05 72 05 61", "optional_int32", SPC_TRUNCATED);
}

static void a_cursor_serves_fields_in_order_and_back(void) {
  uint8_t bytes[64];
  spc_view view;
  spc_view_value value;
  spc_view_init(&view, proto3, bytes, test_hex(bytes, "08 01 10 02 18 03 20 04"));
  static const char *const names[] = {"optional_int32", "optional_uint64", "optional_int64",
                                      "optional_sint32", "optional_uint32"};
  static const uint64_t values[] = {1, 4, 2, 0, 3};
  for (int i = 0; i < 5; i++) {
    spc_status status = spc_view_get(&view, test_field(proto3, names[i]), &value, NULL);
    CHECK(status == (values[i] == 0 ? SPC_NOT_FOUND : SPC_OK));
    if (status == SPC_OK) CHECK_U64(value.value.bits, values[i]);
  }
}

static void elements_come_packed_or_not(void) {
  uint8_t bytes[64];
  spc_view view;
  spc_view_value value;
  const spc_field *field = test_field(proto3, "repeated_int32");
  spc_view_init(&view, proto3, bytes, test_hex(bytes, "f8 01 01 08 07 fa 01 02 02 03 fa 01 00"));
  spc_view_place place = spc_view_start(&view);
  for (int32_t i = 1; i <= 3; i++)
    CHECK(spc_view_element(&view, field, &place, &value, NULL) == SPC_OK && value.value.i32 == i);
  CHECK(spc_view_element(&view, field, &place, &value, NULL) == SPC_NOT_FOUND);
}

static void writers_write_what_the_encoder_would(void) {
  uint8_t out[512], expected[512];
  char long_text[200];
  memset(long_text, 'x', sizeof long_text);
  spc_writer w;
  size_t length;
  spc_writer_init(&w, proto3, out, sizeof out);
  const spc_field *nested = test_field(proto3, "optional_nested_message");
  const spc_field *recursive = test_field(proto3, "recursive_message");
  const spc_value numbers[3] = {{.i32 = 1}, {.i32 = -1}, {.i32 = 300}};
  CHECK(spc_writer_value(&w, test_field(proto3, "optional_int32"), (spc_value){.i32 = 0}) ==
        SPC_OK);
  CHECK(spc_writer_value(&w, test_field(proto3, "optional_sint64"), (spc_value){.i64 = -2}) ==
        SPC_OK);
  CHECK(spc_writer_open(&w, nested) == SPC_OK);
  CHECK(spc_writer_close(&w) == SPC_OK);
  CHECK(spc_writer_open(&w, recursive) == SPC_OK);
  CHECK(spc_writer_bytes(&w, test_field(proto3, "optional_string"), long_text, 200) == SPC_OK);
  CHECK(spc_writer_close(&w) == SPC_OK);
  CHECK(spc_writer_packed(&w, test_field(proto3, "repeated_int32"), numbers, 3) == SPC_OK);
  CHECK(spc_writer_finish(&w, &length) == SPC_OK);
  size_t n = test_hex(expected, "30 03 92 01 00 da 01 cb 01 72 c8 01");
  memset(expected + n, 'x', 200);
  n += 200;
  n += test_hex(expected + n, "fa 01 0d 01 ff ff ff ff ff ff ff ff ff 01 ac 02");
  CHECK_U64(length, n);
  CHECK_BYTES(out, expected, n);
}

static void misuse_of_a_writer_is_a_status_that_stays(void) {
  uint8_t out[64];
  spc_writer w;
  size_t length;
  const spc_field *int32 = test_field(proto3, "optional_int32");
  const spc_field *int64 = test_field(proto3, "optional_int64");
  const spc_field *nested = test_field(proto3, "optional_nested_message");
  spc_writer_init(&w, proto3, out, sizeof out);
  CHECK(spc_writer_value(&w, int64, (spc_value){.i64 = 1}) == SPC_OK);
  CHECK(spc_writer_value(&w, int32, (spc_value){.i32 = 1}) == SPC_FIELD_ORDER);
  CHECK(spc_writer_value(&w, nested, (spc_value){.i32 = 1}) == SPC_FIELD_ORDER);
  CHECK(spc_writer_finish(&w, &length) == SPC_FIELD_ORDER);
  spc_writer_init(&w, proto3, out, sizeof out);
  CHECK(spc_writer_value(&w, int32, (spc_value){.i32 = 1}) == SPC_OK);
  CHECK(spc_writer_value(&w, int32, (spc_value){.i32 = 1}) == SPC_FIELD_ORDER);
  spc_writer_init(&w, proto3, out, sizeof out);
  CHECK(spc_writer_value(&w, test_field(proto3, "oneof_uint32"), (spc_value){.u32 = 0}) == SPC_OK);
  CHECK(spc_writer_value(&w, test_field(proto3, "oneof_bool"), (spc_value){.u32 = 1}) ==
        SPC_FIELD_ORDER);
  spc_writer_init(&w, proto3, out, sizeof out);
  CHECK(spc_writer_close(&w) == SPC_INVALID_STATE);
  spc_writer_init(&w, proto3, out, sizeof out);
  CHECK(spc_writer_open(&w, nested) == SPC_OK);
  CHECK(spc_writer_finish(&w, &length) == SPC_INVALID_STATE);
  CHECK(spc_writer_value(&w, int32, (spc_value){.i32 = 1}) == SPC_WRONG_TYPE);
  spc_writer_init(&w, proto3, out, sizeof out);
  CHECK(spc_writer_value(&w, test_field(proto2, "optional_int32"), (spc_value){0}) ==
        SPC_WRONG_TYPE);
  spc_writer_init(&w, proto3, out, sizeof out);
  CHECK(spc_writer_bytes(&w, test_field(proto3, "optional_string"), "\xff", 1) == SPC_BAD_UTF8);
  for (size_t capacity = 0; capacity < 9; capacity++) {
    memset(out, 0xa5, sizeof out);
    spc_writer_init(&w, proto3, out, capacity);
    spc_writer_open(&w, nested);
    spc_writer_value(&w, test_field(spc_field_describe(nested).message, "a"),
                     (spc_value){.i32 = 1000});
    spc_writer_close(&w);
    CHECK(spc_writer_finish(&w, &length) == (capacity < 6 ? SPC_BUFFER_TOO_SMALL : SPC_OK));
    for (size_t i = capacity; i < sizeof out; i++)
      if (out[i] != 0xa5) CHECK(false);
  }
  static uint8_t deep[256];
  spc_writer_init(&w, proto3, deep, sizeof deep);
  for (uint32_t i = 0; i < SPC_WRITER_DEPTH; i++)
    CHECK(spc_writer_open(&w, test_field(proto3, "recursive_message")) == SPC_OK);
  CHECK(spc_writer_open(&w, test_field(proto3, "recursive_message")) == SPC_DEPTH_LIMIT);
}

int main(void) {
  spc_arena tables = test_arena();
  const spc_schema *schema = test_schema(&tables, "conformance.fds");
  proto2 = test_type(schema, "protobuf_test_messages.proto2.TestAllTypesProto2");
  proto3 = test_type(schema, "protobuf_test_messages.proto3.TestAllTypesProto3");
  views_read_any_field_in_any_order();
  a_cursor_serves_fields_in_order_and_back();
  elements_come_packed_or_not();
  writers_write_what_the_encoder_would();
  misuse_of_a_writer_is_a_status_that_stays();
  free(tables.base);
  return test_end();
}
