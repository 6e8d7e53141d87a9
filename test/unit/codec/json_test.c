/* ProtoJSON both ways, on the message types of the conformance suite, and its failures. */
#include "codec_support.h"

static const spc_schema *schema;
static const spc_message_type *proto2, *proto3;
static spc_arena arena;

/* Reads and writes; `expected` is what comes out. */
static void check_json(const spc_message_type *type, const char *in, uint32_t flags,
                       const char *expected) {
  spc_message m;
  spc_error error;
  char out[2048];
  size_t length = 0;
  const spc_json_options options = {.flags = flags};
  spc_status status = spc_from_json(&arena, type, schema, in, strlen(in), &options, &m, &error);
  if (status != SPC_OK)
    fprintf(stderr, "%s: %s at %lld in %s\n", in, spc_status_name(status), (long long)error.offset,
            error.path);
  CHECK(status == SPC_OK);
  if (status != SPC_OK) return;
  CHECK(spc_to_json(&m, schema, out, sizeof out, &options, &length, &error) == SPC_OK);
  if (length != strlen(expected) || memcmp(out, expected, length) != 0)
    fprintf(stderr, "%.*s\n%s\n", (int)length, out, expected);
  CHECK(length == strlen(expected) && memcmp(out, expected, length) == 0);
}

static void check_same(const spc_message_type *type, const char *json) {
  check_json(type, json, 0, json);
}

static void check_refused(const spc_message_type *type, const char *in, spc_status status,
                          uint64_t offset, const char *path) {
  spc_message m;
  spc_error error;
  size_t used = spc_arena_used(&arena);
  spc_status actual = spc_from_json(&arena, type, schema, in, strlen(in), NULL, &m, &error);
  if (actual != status || error.offset != offset || strcmp(error.path, path) != 0)
    fprintf(stderr, "%s: %s at %lld in '%s'\n", in, spc_status_name(actual),
            (long long)error.offset, error.path);
  CHECK(actual == status && error.status == status);
  CHECK_U64(error.offset, offset);
  CHECK(strcmp(error.path, path) == 0);
  CHECK_U64(spc_arena_used(&arena), used);
}

static void values_of_every_kind_come_back(void) {
  check_same(proto3, "{}");
  check_same(proto3, "{\"optionalInt32\":-2147483648,\"optionalInt64\":\"-9223372036854775808\","
                     "\"optionalUint32\":4294967295,\"optionalUint64\":\"18446744073709551615\"}");
  check_json(proto3, "{\"optionalInt64\":9007199254740993}", 0,
             "{\"optionalInt64\":\"9007199254740993\"}");
  check_json(proto3, "{\"optional_int32\":1e3,\"optionalUint32\":\"2.50e1\"}", 0,
             "{\"optionalInt32\":1000,\"optionalUint32\":25}");
  check_same(proto3, "{\"optionalFloat\":3.4028235e+38,\"optionalDouble\":5e-324}");
  check_same(proto3, "{\"optionalFloat\":\"NaN\",\"optionalDouble\":\"-Infinity\"}");
  check_same(proto3, "{\"optionalDouble\":-0}");
  check_same(proto3, "{\"repeatedDouble\":[1.5,1e+21,123456789012345680000,0.000001,1e-7]}");
  check_same(proto3, "{\"optionalBool\":true,\"optionalString\":\"a\\\"\\\\\\n\\u0001\xc3\xa9\"}");
  check_json(proto3, "{\"optionalString\":\"\\u00e9\\ud83d\\ude00\\/\"}", 0,
             "{\"optionalString\":\"\xc3\xa9\xf0\x9f\x98\x80/\"}");
  check_same(proto3, "{\"optionalBytes\":\"AQIDBA==\"}");
  check_json(proto3, "{\"optionalBytes\":\"-_8\"}", 0, "{\"optionalBytes\":\"+/8=\"}");
  check_same(proto3, "{\"optionalNestedEnum\":\"BAR\",\"repeatedNestedEnum\":[\"FOO\",7]}");
  check_same(proto3, "{\"recursiveMessage\":{\"recursiveMessage\":{}}}");
  check_same(proto3, "{\"mapStringString\":{\"__proto__\":\"x\",\"\":\"y\"},"
                     "\"mapStringNestedMessage\":{\"constructor\":{\"a\":1}}}");
  check_same(proto3, "{\"mapInt32Int32\":{\"-1\":2},\"mapBoolBool\":{\"true\":false}}");
  check_json(proto3, "{\"mapInt32Int32\":{\"1\":2,\"1\":3}}", 0, "{\"mapInt32Int32\":{\"1\":3}}");
  check_same(proto2, "{\"data\":{\"groupInt32\":5}}");
  check_same(proto2, "{\"[protobuf_test_messages.proto2.extension_int32]\":1}");
}

static void well_known_types_have_their_own_forms(void) {
  check_same(proto3, "{\"optionalInt64Wrapper\":\"0\",\"optionalBytesWrapper\":\"\"}");
  check_same(proto3, "{\"optionalDuration\":\"-1.500s\"}");
  check_same(proto3, "{\"optionalDuration\":\"315576000000.999999999s\"}");
  check_same(proto3, "{\"optionalTimestamp\":\"1970-01-01T00:00:00Z\"}");
  check_same(proto3, "{\"optionalTimestamp\":\"0001-01-01T00:00:00Z\"}");
  check_same(proto3, "{\"optionalTimestamp\":\"9999-12-31T23:59:59.999999999Z\"}");
  check_same(proto3, "{\"optionalTimestamp\":\"2000-02-29T12:34:56.000001Z\"}");
  check_json(proto3, "{\"optionalTimestamp\":\"2024-03-01T01:30:00.5+02:00\"}", 0,
             "{\"optionalTimestamp\":\"2024-02-29T23:30:00.500Z\"}");
  check_same(proto3, "{\"optionalFieldMask\":\"fooBar,a.bC\"}");
  check_same(proto3, "{\"optionalStruct\":{\"a\":[1,null,{\"b\":\"c\"},true]}}");
  check_same(proto3, "{\"optionalValue\":null}");
  check_json(proto3, "{\"optionalNullValue\":null}", 0, "{}");
  check_same(proto3, "{\"oneofNullValue\":null}");
  const char *any = "{\"optionalAny\":{\"@type\":\"type.googleapis.com/"
                    "protobuf_test_messages.proto3.TestAllTypesProto3\",\"optionalInt32\":7}}";
  check_same(proto3, any);
  check_json(proto3,
             "{\"optionalAny\":{\"value\":\"1.5s\",\"@type\":\"x/google.protobuf.Duration\"}}", 0,
             "{\"optionalAny\":{\"@type\":\"x/google.protobuf.Duration\",\"value\":\"1.500s\"}}");
  check_same(proto3, "{\"optionalAny\":{}}");
}

static void options_choose_names_numbers_and_defaults(void) {
  check_json(proto3, "{\"optionalNestedEnum\":\"BAZ\",\"mapStringNestedEnum\":{\"a\":\"BAR\"}}",
             SPC_JSON_PROTO_NAMES | SPC_JSON_ENUM_NUMBERS,
             "{\"optional_nested_enum\":2,\"map_string_nested_enum\":{\"a\":1}}");
  const char *nested = "protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage";
  check_json(test_type(schema, nested), "{}", SPC_JSON_EMIT_DEFAULTS, "{\"a\":0}");
  const char *null_ = "protobuf_test_messages.proto3.NullHypothesisProto3";
  check_json(test_type(schema, null_), "{}", SPC_JSON_EMIT_DEFAULTS, "{}");
  check_json(proto3,
             "{\"x\":[1,{\"y\":null}],\"optionalInt32\":1,\"optionalNestedEnum\":\"NO\","
             "\"repeatedNestedEnum\":[\"NO\",\"FOO\"]}",
             SPC_JSON_IGNORE_UNKNOWN, "{\"optionalInt32\":1,\"repeatedNestedEnum\":[\"FOO\"]}");
  check_json(proto3, "{\"optionalString\":null,\"repeatedInt32\":null}", 0, "{}");
}

static void what_is_wrong_is_named_with_its_place(void) {
  check_refused(proto3, "", SPC_BAD_JSON, 0, "");
  check_refused(proto3, "{", SPC_BAD_JSON, 1, "");
  check_refused(proto3, "{} x", SPC_BAD_JSON, 3, "");
  check_refused(proto3, "{\"optionalInt32\":1,}", SPC_BAD_JSON, 19, "");
  check_refused(proto3, "{\"optionalInt32\":01}", SPC_BAD_JSON, 17, "optional_int32");
  check_refused(proto3, "[]", SPC_BAD_JSON_VALUE, 0, "");
  check_refused(proto3, "null", SPC_BAD_JSON_VALUE, 0, "");
  check_refused(proto3, "{\"nothing\":1}", SPC_UNKNOWN_FIELD, 1, "");
  check_refused(proto3, "{\"optionalInt32\":2147483648}", SPC_BAD_JSON_VALUE, 17, "optional_int32");
  check_refused(proto3, "{\"optionalInt32\":1.5}", SPC_BAD_JSON_VALUE, 17, "optional_int32");
  check_refused(proto3, "{\"optionalUint64\":\"18446744073709551616\"}", SPC_BAD_JSON_VALUE, 18,
                "optional_uint64");
  check_refused(proto3, "{\"optionalUint32\":-1}", SPC_BAD_JSON_VALUE, 18, "optional_uint32");
  check_refused(proto3, "{\"optionalFloat\":1e39}", SPC_BAD_JSON_VALUE, 17, "optional_float");
  check_refused(proto3, "{\"optionalBool\":\"true\"}", SPC_BAD_JSON_VALUE, 16, "optional_bool");
  check_refused(proto3, "{\"repeatedInt32\":[1,null]}", SPC_BAD_JSON_VALUE, 20,
                "repeated_int32[1]");
  check_refused(proto3, "{\"repeatedNestedMessage\":[{},{\"a\":\"x\"}]}", SPC_BAD_JSON_VALUE, 34,
                "repeated_nested_message[1].a");
  check_refused(proto3, "{\"optionalString\":\"\\ud800\"}", SPC_BAD_JSON, 19, "optional_string");
  check_refused(proto3, "{\"optionalString\":\"\xff\"}", SPC_BAD_UTF8, 19, "optional_string");
  check_refused(proto3, "{\"optionalBytes\":\"a\"}", SPC_BAD_JSON_VALUE, 17, "optional_bytes");
  check_refused(proto3, "{\"optionalInt32\":1,\"optional_int32\":2}", SPC_BAD_JSON_VALUE, 19,
                "optional_int32");
  check_refused(proto3, "{\"oneofUint32\":1,\"oneofString\":\"\"}", SPC_BAD_JSON_VALUE, 31,
                "oneof_string");
  check_refused(proto3, "{\"optionalNestedEnum\":\"NO\"}", SPC_BAD_JSON_VALUE, 22,
                "optional_nested_enum");
  check_refused(proto2, "{\"optionalNestedEnum\":99}", SPC_BAD_JSON_VALUE, 22,
                "optional_nested_enum");
  check_refused(proto3, "{\"optionalTimestamp\":\"2023-02-29T00:00:00Z\"}", SPC_BAD_JSON_VALUE, 21,
                "optional_timestamp");
  check_refused(proto3, "{\"optionalDuration\":\"1\"}", SPC_BAD_JSON_VALUE, 20,
                "optional_duration");
  check_refused(proto3, "{\"optionalAny\":{\"@type\":\"x/no.Such\"}}", SPC_UNKNOWN_TYPE, 15,
                "optional_any");
}

static void nesting_is_limited(void) {
  static char text[4096];
  size_t n = 0;
  const char *open = "{\"recursiveMessage\":";
  for (int i = 0; i < 101; i++) {
    memcpy(text + n, open, strlen(open));
    n += strlen(open);
  }
  text[n++] = '{';
  memset(text + n, '}', 102);
  n += 102;
  spc_message m;
  spc_error error;
  CHECK(spc_from_json(&arena, proto3, schema, text, n, NULL, &m, &error) == SPC_DEPTH_LIMIT);
  const spc_json_options deep = {.max_depth = 102};
  CHECK(spc_from_json(&arena, proto3, schema, text, n, &deep, &m, &error) == SPC_OK);
  static char out[4096];
  size_t length;
  CHECK(spc_to_json(&m, schema, out, sizeof out, NULL, &length, &error) == SPC_DEPTH_LIMIT);
  CHECK(spc_to_json(&m, schema, out, sizeof out, &deep, &length, &error) == SPC_OK);
  CHECK(length == n);
  CHECK_BYTES(out, text, n);
  static char lists[100000];
  memcpy(lists, "{\"optionalValue\":", 17);
  memset(lists + 17, '[', sizeof lists - 17);
  CHECK(spc_from_json(&arena, proto3, schema, lists, sizeof lists, NULL, &m, &error) ==
        SPC_DEPTH_LIMIT);
  memcpy(lists, "{\"nothing\":      ", 17);
  const spc_json_options skip = {.flags = SPC_JSON_IGNORE_UNKNOWN};
  CHECK(spc_from_json(&arena, proto3, schema, lists, sizeof lists, &skip, &m, &error) ==
        SPC_DEPTH_LIMIT);
}

static void a_small_buffer_gets_the_size(void) {
  spc_message m;
  spc_error error;
  const char *json = "{\"optionalInt32\":1,\"optionalString\":\"abc\"}";
  char out[64];
  size_t length;
  CHECK(spc_from_json(&arena, proto3, schema, json, strlen(json), NULL, &m, &error) == SPC_OK);
  for (size_t capacity = 0; capacity < sizeof out; capacity++) {
    memset(out, 'x', sizeof out);
    spc_status status = spc_to_json(&m, schema, out, capacity, NULL, &length, &error);
    CHECK(status == (capacity < strlen(json) ? SPC_BUFFER_TOO_SMALL : SPC_OK));
    CHECK_U64(length, strlen(json));
    for (size_t i = capacity; i < sizeof out; i++)
      if (out[i] != 'x') CHECK(false);
  }
}

int main(void) {
  spc_arena tables = test_arena();
  arena = test_arena();
  schema = test_schema(&tables, "conformance.fds");
  proto2 = test_type(schema, "protobuf_test_messages.proto2.TestAllTypesProto2");
  proto3 = test_type(schema, "protobuf_test_messages.proto3.TestAllTypesProto3");
  values_of_every_kind_come_back();
  well_known_types_have_their_own_forms();
  options_choose_names_numbers_and_defaults();
  what_is_wrong_is_named_with_its_place();
  nesting_is_limited();
  a_small_buffer_gets_the_size();
  free(arena.base);
  free(tables.base);
  return test_end();
}
