/*
 * Schemas, decoding, access and encoding, on the message types of the conformance suite. The faults
 * that users of other libraries reported (last oneof member wins, map entries, closed enums,
 * unknown fields, limits) have a test each.
 */
#include "codec_support.h"

#include "codec/record.h"

static const spc_schema *schema;
static const spc_message_type *proto2, *proto3;
static spc_arena arena;

static spc_status decode(const spc_message_type *type, const char *hex, uint32_t flags,
                         spc_message *m, spc_error *error) {
  uint8_t bytes[512];
  size_t length = test_hex(bytes, hex);
  spc_decode_options options = {.flags = flags};
  return spc_decode(&arena, type, bytes, length, &options, m, error);
}

/* Decodes and encodes again, and holds the result against `expected`. */
static void check_round_trip(const char *what, const spc_message_type *type, const char *hex,
                             const char *expected) {
  spc_message m;
  spc_error error;
  uint8_t out[512], wanted[512];
  size_t length = 0, wanted_length = test_hex(wanted, expected);
  CHECK(decode(type, hex, 0, &m, &error) == SPC_OK);
  CHECK(spc_encode(&m, out, sizeof out, NULL, &length, &error) == SPC_OK);
  if (length != wanted_length) fprintf(stderr, "in %s:\n", what);
  CHECK_U64(length, wanted_length);
  if (length == wanted_length) CHECK_BYTES(out, wanted, length);
}

static void check_failure(const spc_message_type *type, const char *hex, spc_status status,
                          uint64_t offset, const char *path) {
  spc_message m;
  spc_error error;
  size_t used = spc_arena_used(&arena);
  CHECK(decode(type, hex, 0, &m, &error) == status);
  CHECK(error.status == status);
  CHECK_U64(error.offset, offset);
  if (strcmp(error.path, path) != 0) fprintf(stderr, "path of %s is %s\n", hex, error.path);
  CHECK(strcmp(error.path, path) == 0);
  CHECK_U64(spc_arena_used(&arena), used);
}

static void names_and_numbers_lead_to_fields(void) {
  const spc_field *f = test_field(proto3, "optional_int32");
  spc_field_info info = spc_field_describe(f);
  CHECK(strcmp(info.json_name, "optionalInt32") == 0);
  CHECK_U64(info.number, 1);
  CHECK(spc_message_type_by_number(proto3, 1) == f);
  CHECK(spc_message_type_by_json_name(proto3, "optionalInt32", 13) == f);
  CHECK(spc_message_type_by_number(proto3, 999999) == NULL);
  CHECK(!info.explicit_presence && info.element_size == 4 && info.message == NULL);
  info = spc_field_describe(test_field(proto3, "map_string_nested_message"));
  CHECK(info.map && info.repeated && spc_message_type_describe(info.message).map_entry);
  CHECK(spc_field_describe(test_field(proto3, "repeated_int32")).packed);
  CHECK(!spc_field_describe(test_field(proto2, "repeated_int32")).packed);
  const char *name = "protobuf_test_messages.proto2.extension_int32";
  const spc_field *extension = spc_schema_extension(schema, name, strlen(name));
  CHECK(extension != NULL && spc_message_type_by_number(proto2, 120) == extension);
  const char *enum_name = "protobuf_test_messages.proto2.ForeignEnumProto2";
  const spc_enum_type *e = spc_schema_enum(schema, enum_name, strlen(enum_name));
  int32_t number = -1;
  uint32_t length;
  CHECK(e != NULL && spc_enum_type_closed(e));
  CHECK(spc_enum_type_value_number(e, "FOREIGN_BAR", 11, &number) && number == 1);
  CHECK(strcmp(spc_enum_type_value_name(e, 2, &length), "FOREIGN_BAZ") == 0);
  CHECK(spc_enum_type_value_name(e, 3, &length) == NULL);
  uint32_t n = spc_schema_message_count(schema), seen = 0;
  for (uint32_t i = 0; i < n; i++)
    seen += spc_schema_message_at(schema, i) == proto3;
  CHECK_U64(seen, 1);
  CHECK(spc_schema_message_at(schema, n) == NULL);
}

/* The layout of a type by the words of codec.h, held against what the library says. */
static void check_layout(const spc_message_type *type, bool link) {
  spc_message_type_info t = spc_message_type_describe(type);
  uint32_t bits = 1, cases = 0, oneof_at[256], slots[2] = {0, 0};
  spc_field_info f[512];
  CHECK(t.field_count <= 512);
  for (uint32_t j = 0; j < t.field_count; j++)
    f[j] = spc_field_describe(spc_message_type_field(type, j));
  /* Members of a oneof have one case_offset, others have none. */
  for (uint32_t j = 0; j < t.field_count; j++) {
    uint32_t first = 0;
    while (f[first].case_offset != f[j].case_offset)
      first++;
    if (f[j].case_offset == 0 || first == j) {
      CHECK_U64(f[j].bit, bits++);
      if (f[j].case_offset != 0) oneof_at[cases++] = f[j].case_offset;
    } else {
      CHECK_U64(f[j].bit, f[first].bit);
      CHECK_U64(f[j].offset, f[first].offset);
    }
    uint32_t value = f[j].number < 0xf000 ? f[j].number : 0xf000 + j;
    CHECK_U64(f[j].case_value, f[j].case_offset == 0 ? 0 : value);
  }
  CHECK_U64(t.hasbit_count, bits);
  uint32_t at = (bits + 15) / 16 * 2;
  for (uint32_t i = 0; i < cases; i++, at += 2)
    CHECK_U64(oneof_at[i], at);
  at = (at + 3) / 4 * 4;
  CHECK_U64(t.extensions_offset, link ? at : 0);
  at += link ? 4 : 0;
  for (int wide = 0; wide < 2; wide++) {
    if (wide != 0) at = (at + 7) / 8 * 8;
    for (uint32_t bit = 1; bit < bits; bit++) {
      bool slot_wide = false;
      uint32_t offset = 0;
      for (uint32_t j = 0; j < t.field_count; j++) {
        if (f[j].bit != bit) continue;
        offset = f[j].offset;
        slot_wide = slot_wide || f[j].repeated || f[j].element_size == 8;
      }
      if (slot_wide != (wide != 0)) continue;
      CHECK_U64(offset, at);
      at += slot_wide ? 8 : 4;
      slots[wide]++;
    }
  }
  CHECK_U64(slots[0] + slots[1], bits - 1);
  CHECK_U64(t.record_size, (at + 7) / 8 * 8);
}

static void the_layout_is_as_documented(void) {
  uint32_t extended = 0;
  for (uint32_t i = 0; i < spc_schema_message_count(schema); i++) {
    const spc_message_type *type = spc_schema_message_at(schema, i);
    const spc_message_type *extensions = spc_message_type_extensions(type);
    check_layout(type, spc_message_type_describe(type).extensions_offset != 0);
    if (extensions == NULL) continue;
    check_layout(extensions, true);
    extended++;
  }
  CHECK(extended != 0);
}

static void numbers_keep_their_bits(void) {
  check_round_trip("int32 -1", proto3, "08 ff ff ff ff ff ff ff ff ff 01",
                   "08 ff ff ff ff ff ff ff ff ff 01");
  check_round_trip("int32 cut to 32 bits", proto3, "08 81 80 80 80 10", "08 01");
  check_round_trip("uint32", proto3, "18 ff ff ff ff 0f", "18 ff ff ff ff 0f");
  check_round_trip("sint64", proto3, "30 ff ff ff ff ff ff ff ff ff 01",
                   "30 ff ff ff ff ff ff ff ff ff 01");
  check_round_trip("bool 2 is true", proto3, "68 02", "68 01");
  check_round_trip("double -0", proto3, "61 00 00 00 00 00 00 00 80", "61 00 00 00 00 00 00 00 80");
  check_round_trip("zero is absent without presence", proto3, "08 00 72 00", "");
  check_round_trip("zero stays with presence", proto2, "08 00 72 00", "08 00 72 00");
  check_round_trip("a zero after a value", proto3, "08 05 08 00", "");
  check_round_trip("an overlong length", proto3, "72 81 00 61", "72 01 61");
}

static void packed_and_expanded_are_both_read(void) {
  check_round_trip("expanded where packed is declared", proto3, "f8 01 01 f8 01 02",
                   "fa 01 02 01 02");
  check_round_trip("packed where expanded is declared", proto2, "fa 01 02 01 02",
                   "f8 01 01 f8 01 02");
  check_round_trip("both, interleaved with another field", proto3, "f8 01 01 08 07 fa 01 02 02 03",
                   "08 07 fa 01 03 01 02 03");
  check_round_trip("an empty packed field", proto3, "fa 01 00", "");
  check_failure(proto3, "fa 01 02 01 80", SPC_TRUNCATED, 4, "repeated_int32");
  check_failure(proto3, "aa 02 03 01 02 03", SPC_TRUNCATED, 2, "repeated_fixed32");
}

static void the_last_member_of_a_oneof_wins(void) {
  spc_message m, sub;
  spc_error error;
  /* oneof_uint32 = 111 then oneof_string = 113 */
  CHECK(decode(proto3, "f8 06 07 8a 07 01 61", 0, &m, &error) == SPC_OK);
  CHECK_U64(spc_case(&m, test_field(proto3, "oneof_uint32")), 113);
  CHECK(!spc_has(&m, test_field(proto3, "oneof_uint32")));
  CHECK(spc_has(&m, test_field(proto3, "oneof_string")));
  /* The same message member twice merges; with another member between it starts anew. */
  CHECK(decode(proto3, "82 07 02 08 01 82 07 04 12 02 08 05", 0, &m, &error) == SPC_OK);
  CHECK(spc_sub(&m, test_field(proto3, "oneof_nested_message"), &sub));
  CHECK(spc_get(&sub, test_field(sub.type, "a")).i32 == 1);
  CHECK(decode(proto3, "82 07 02 08 01 f8 06 07 82 07 00", 0, &m, &error) == SPC_OK);
  CHECK(spc_sub(&m, test_field(proto3, "oneof_nested_message"), &sub));
  CHECK(!spc_has(&sub, test_field(sub.type, "a")));
  check_round_trip("zero in a oneof stays", proto3, "f8 06 00", "f8 06 00");
  /* Setting by hand follows the same rules. */
  CHECK(spc_set(&m, test_field(proto3, "oneof_bool"), (spc_value){.boolean = false}) == SPC_OK);
  CHECK_U64(spc_case(&m, test_field(proto3, "oneof_bool")), 115);
  spc_clear(&m, test_field(proto3, "oneof_string"));
  CHECK_U64(spc_case(&m, test_field(proto3, "oneof_bool")), 115);
  spc_clear(&m, test_field(proto3, "oneof_bool"));
  CHECK_U64(spc_case(&m, test_field(proto3, "oneof_bool")), 0);
}

static void map_entries_merge_skip_and_replace(void) {
  /* map_int32_int32 = 56: c2 03 */
  check_round_trip("the last entry of a key stays", proto3,
                   "c2 03 04 08 01 10 01 c2 03 04 08 02 10 02 c2 03 04 08 01 10 03",
                   "c2 03 04 08 01 10 03 c2 03 04 08 02 10 02");
  check_round_trip("key and value may be missing, swapped or repeated", proto3,
                   "c2 03 00 c2 03 06 10 01 08 05 10 09",
                   "c2 03 04 08 00 10 00 c2 03 04 08 05 10 09");
  /* map_string_nested_message = 71: ba 04; the value comes twice and merges */
  check_round_trip("a repeated message value merges", proto3,
                   "ba 04 0d 0a 01 61 12 02 08 01 12 04 12 02 08 02",
                   "ba 04 0b 0a 01 61 12 06 08 01 12 02 08 02");
  check_round_trip("a missing message value is an empty one", proto3, "ba 04 03 0a 01 61",
                   "ba 04 05 0a 01 61 12 00");
}

static void map_keys_stay_unique_in_large_maps(void) {
  static uint8_t bytes[60000];
  size_t n = 0;
  for (uint32_t i = 0; i < 6000; i++) {
    uint32_t key = i * 7919 % 3000;
    const uint8_t entry[] = {0xc2,
                             0x03,
                             0x06,
                             0x08,
                             (uint8_t)(key | 0x80),
                             (uint8_t)(key >> 7),
                             0x10,
                             (uint8_t)(i >= 3000 ? 0x81 : 0x80),
                             0x01};
    memcpy(bytes + n, entry, sizeof entry);
    n += sizeof entry;
  }
  spc_message m, entry;
  spc_error error;
  const spc_field *map = test_field(proto3, "map_int32_int32");
  CHECK(spc_decode(&arena, proto3, bytes, n, NULL, &m, &error) == SPC_OK);
  CHECK_U64(spc_count(&m, map), 3000);
  CHECK(spc_map_entry(&m, map, (spc_value){.i32 = 2999}, false, &entry) == SPC_OK);
  CHECK_U64(spc_get(&entry, test_field(entry.type, "value")).u32, 129);
  bool removed = false;
  CHECK(spc_map_remove(&m, map, (spc_value){.i32 = 2999}, &removed) == SPC_OK && removed);
  CHECK(spc_map_entry(&m, map, (spc_value){.i32 = 2999}, false, &entry) == SPC_NOT_FOUND);
  CHECK(spc_map_entry(&m, map, (spc_value){.i32 = -5}, true, &entry) == SPC_OK);
  CHECK_U64(spc_count(&m, map), 3000);
  size_t length;
  static uint8_t first[60000], second[60000];
  spc_encode_options sorted = {.flags = SPC_ENCODE_DETERMINISTIC};
  CHECK(spc_encode(&m, first, sizeof first, &sorted, &length, &error) == SPC_OK);
  CHECK(first[4] == 0xfb); /* the key -5 comes first */
  CHECK(spc_decode(&arena, proto3, first, length, NULL, &m, &error) == SPC_OK);
  CHECK(spc_encode(&m, second, sizeof second, NULL, &length, &error) == SPC_OK);
  CHECK_BYTES(first, second, length);
}

/* A key of 5 or of 12 bytes. */
static spc_value key_of(spc_arena *keys, uint32_t i) {
  char text[16];
  spc_value key = {0};
  snprintf(text, sizeof text, i % 2 == 0 ? "%05u" : "k%05u-%05u", i, i);
  CHECK(spc_arena_put(keys, text, strlen(text), &key.slice) == SPC_OK);
  return key;
}

static void large_maps_are_built_by_key(void) {
  const uint32_t count = 20000;
  const spc_field *map = test_field(proto3, "map_string_string");
  const spc_field *other = test_field(proto3, "map_int32_int32");
  spc_arena a = test_arena(), b = test_arena();
  spc_message m, n, entry;
  CHECK(spc_message_new(&a, proto3, &m) == SPC_OK && spc_message_new(&b, proto3, &n) == SPC_OK);
  for (uint32_t i = 0; i < count; i++) {
    CHECK(spc_map_entry(&m, map, key_of(&a, i), true, &entry) == SPC_OK);
    CHECK(spc_map_entry(&n, map, key_of(&b, count - 1 - i), true, &entry) == SPC_OK);
    CHECK(spc_map_entry(&m, other, (spc_value){.i32 = (int32_t)(i * 7)}, true, &entry) == SPC_OK);
  }
  CHECK_U64(spc_count(&m, map), count);
  CHECK(!spc_equal(&m, &n));
  spc_clear(&m, other);
  size_t used = spc_arena_used(&b);
  CHECK(spc_equal(&m, &n) && spc_equal(&n, &m));
  CHECK_U64(spc_arena_used(&b), used);
  bool removed;
  for (uint32_t i = 0; i < count; i += 2)
    CHECK(spc_map_remove(&m, map, key_of(&a, i), &removed) == SPC_OK && removed);
  CHECK_U64(spc_count(&m, map), count / 2);
  CHECK(spc_map_remove(&m, map, key_of(&a, 0), &removed) == SPC_OK && !removed);
  CHECK(!spc_equal(&m, &n));
  /* The order changes and entries come without a look-up in between. */
  size_t length;
  spc_encode_options sorted = {.flags = SPC_ENCODE_DETERMINISTIC};
  CHECK(spc_encode_back(&m, NULL, 0, &sorted, &length, NULL) == SPC_BUFFER_TOO_SMALL);
  CHECK(spc_merge(&m, &n) == SPC_OK);
  CHECK_U64(spc_count(&m, map), count);
  for (uint32_t i = 0; i < count; i += 97)
    CHECK(spc_map_entry(&m, map, key_of(&a, i), false, &entry) == SPC_OK);
  CHECK(spc_equal(&m, &n));
  /* An entry with a key that the index has, decoded into the message. */
  uint8_t bytes[32];
  size_t size = test_hex(bytes, "aa 04 0a 0a 05 30 30 30 30 38 12 01 61");
  CHECK(spc_decode_merge(&m, bytes, size, NULL, NULL) == SPC_OK);
  CHECK_U64(spc_count(&m, map), count);
  CHECK(spc_map_entry(&m, map, key_of(&a, 8), false, &entry) == SPC_OK);
  CHECK_U64(spc_get(&entry, test_field(entry.type, "value")).slice.length, 1);
  free(a.base);
  free(b.base);
}

static void numbers_outside_a_closed_enum_are_unknown_fields(void) {
  spc_message m;
  spc_error error;
  /* proto2 optional_nested_enum = 21 */
  check_round_trip("a singular value", proto2, "a8 01 63 08 01", "08 01 a8 01 63");
  CHECK(decode(proto2, "a8 01 63", 0, &m, &error) == SPC_OK);
  CHECK(!spc_has(&m, test_field(proto2, "optional_nested_enum")) && spc_unknown(&m) != 0);
  /* repeated_nested_enum = 51: 98 03; packed: 9a 03 */
  check_round_trip("an element", proto2, "98 03 01 98 03 63 98 03 02",
                   "98 03 01 98 03 02 98 03 63");
  check_round_trip("a packed element", proto2, "9a 03 03 01 63 02", "98 03 01 98 03 02 98 03 63");
  /* map_string_nested_enum = 73: ca 04: the whole entry */
  check_round_trip("a map entry", proto2, "ca 04 05 0a 01 61 10 63 ca 04 05 0a 01 62 10 01",
                   "ca 04 05 0a 01 62 10 01 ca 04 05 0a 01 61 10 63");
  check_round_trip("an open enum keeps it", proto3, "a8 01 63", "a8 01 63");
}

static void unknown_fields_survive(void) {
  spc_message m, copy;
  spc_error error;
  /* 200000: c0 d2 61 varint; a group 200001 with nested fields; 200002 bytes */
  const char *hex = "08 01 80 d2 61 05 8b d2 61 08 07 13 14 8c d2 61 92 d2 61 02 ab cd";
  check_round_trip("of all wire types, in order", proto3, hex, hex);
  check_round_trip("and go behind the known ones", proto3, "80 d2 61 05 08 01 80 d2 61 06",
                   "08 01 80 d2 61 05 80 d2 61 06");
  CHECK(decode(proto3, hex, SPC_DECODE_DISCARD_UNKNOWN, &m, &error) == SPC_OK);
  CHECK(spc_unknown(&m) == 0);
  CHECK(decode(proto3, hex, SPC_DECODE_STRICT, &m, &error) == SPC_UNKNOWN_FIELD);
  CHECK_U64(error.offset, 2);
  CHECK(decode(proto3, hex, 0, &m, &error) == SPC_OK);
  CHECK(spc_clone(&m, &arena, &copy) == SPC_OK && spc_equal(&m, &copy));
  spc_unknown_clear(&copy);
  CHECK(!spc_equal(&m, &copy));
  uint8_t bytes[32];
  size_t n = test_hex(bytes, "80 d2 61 05 80 d2");
  CHECK(spc_unknown_append(&copy, bytes, n, &error) == SPC_TRUNCATED && error.offset == 4);
  CHECK(spc_unknown_append(&copy, bytes, 4, &error) == SPC_OK && spc_unknown(&copy) != 0);
  check_round_trip("a wrong wire type is an unknown field", proto3, "0a 01 61", "0a 01 61");
}

/* More messages with unknown fields than the first tables of them hold. */
static void unknown_fields_of_many_messages_are_kept_apart(void) {
  static uint8_t bytes[20000], out[20000];
  size_t n = 0, length;
  for (uint32_t i = 0; i < 1000; i++) {
    /* repeated_nested_message = 48 {a = 1; 2000000: i} */
    static const uint8_t head[] = {0x82, 0x03, 0x08, 0x08, 0x01, 0x80, 0xa4, 0xe8, 0x07};
    memcpy(bytes + n, head, sizeof head);
    n += sizeof head;
    bytes[n++] = (uint8_t)(i | 0x80);
    bytes[n++] = (uint8_t)(i >> 7);
  }
  spc_arena a = test_arena();
  spc_message m, copy;
  CHECK(spc_decode(&a, proto3, bytes, n, NULL, &m, NULL) == SPC_OK);
  size_t before = spc_arena_used(&a);
  CHECK(spc_clone(&m, &a, &copy) == SPC_OK && spc_equal(&m, &copy));
  CHECK(spc_encode(&copy, out, sizeof out, NULL, &length, NULL) == SPC_OK);
  CHECK_U64(length, n);
  CHECK_BYTES(out, bytes, n);
  /* The copy goes, with the table that it made; what was there before keeps its fields. */
  spc_arena_rewind(&a, before);
  CHECK(spc_decode(&a, proto3, bytes, n / 2 / 11 * 11, NULL, &copy, NULL) == SPC_OK);
  CHECK(spc_encode(&m, out, sizeof out, NULL, &length, NULL) == SPC_OK);
  CHECK_U64(length, n);
  CHECK_BYTES(out, bytes, n);
  spc_message_clear(&m);
  CHECK(spc_unknown(&m) == 0);
  spc_arena_reset(&a);
  CHECK(spc_decode(&a, proto3, bytes, n, NULL, &m, NULL) == SPC_OK);
  CHECK(spc_encode(&m, out, sizeof out, NULL, &length, NULL) == SPC_OK);
  CHECK_BYTES(out, bytes, n);
  free(a.base);
}

static void groups_nest_and_have_to_match(void) {
  /* proto2 Data = 201: group_int32 = 202 */
  check_round_trip("a group", proto2, "cb 0c d0 0c 05 cc 0c", "cb 0c d0 0c 05 cc 0c");
  check_round_trip("twice: merged", proto2, "cb 0c d0 0c 05 cc 0c cb 0c d8 0c 06 cc 0c",
                   "cb 0c d0 0c 05 d8 0c 06 cc 0c");
  check_failure(proto2, "cb 0c d0 0c 05", SPC_TRUNCATED, 5, "data");
  check_failure(proto2, "cb 0c d4 0c", SPC_GROUP_MISMATCH, 2, "data.group_int32");
  check_failure(proto2, "cc 0c", SPC_GROUP_MISMATCH, 0, "data");
  check_failure(proto3, "8b d2 61 94 d2 61", SPC_GROUP_MISMATCH, 6, "");
}

static void every_wire_error_has_its_place(void) {
  check_failure(proto3, "08", SPC_TRUNCATED, 0, "optional_int32");
  check_failure(proto3, "10 05 08 80", SPC_TRUNCATED, 2, "optional_int32");
  check_failure(proto3, "08 80 80 80 80 80 80 80 80 80 80 01", SPC_OVERLONG_VARINT, 0,
                "optional_int32");
  check_failure(proto3, "08 ff ff ff ff ff ff ff ff ff 02", SPC_OVERLONG_VARINT, 0,
                "optional_int32");
  check_failure(proto3, "72 05 61", SPC_TRUNCATED, 0, "optional_string");
  check_failure(proto3, "72 ff ff ff ff ff ff ff ff ff 01", SPC_TRUNCATED, 0, "optional_string");
  check_failure(proto3, "61 00 00", SPC_TRUNCATED, 0, "optional_double");
  check_failure(proto3, "00 01", SPC_BAD_FIELD_NUMBER, 0, "");
  check_failure(proto3, "08 01 0e", SPC_BAD_WIRE_TYPE, 2, "optional_int32");
  check_failure(proto3, "0f", SPC_BAD_WIRE_TYPE, 0, "optional_int32");
  check_failure(proto3, "80 80 80 80 10", SPC_BAD_FIELD_NUMBER, 0, "");
  check_failure(proto3, "92 01 04 12 02 08", SPC_TRUNCATED, 0, "optional_nested_message");
  check_failure(proto3, "92 01 03 12 02 08", SPC_TRUNCATED, 3,
                "optional_nested_message.corecursive");
  check_failure(proto3, "72 02 c3 28", SPC_BAD_UTF8, 2, "optional_string");
  check_failure(proto3, "72 03 ed a0 80", SPC_BAD_UTF8, 2, "optional_string");
  check_failure(proto3, "92 03 02 61 62 e2 02 02 c3 28", SPC_BAD_UTF8, 8, "repeated_string");
}

static void limits_are_named(void) {
  static uint8_t bytes[4096];
  size_t n = 0;
  /* recursive_message = 27 within itself: da 01 <length> */
  for (int i = 0; i < 120; i++) {
    uint8_t next[8];
    size_t m = 0;
    next[m++] = 0xda;
    next[m++] = 0x01;
    if (n >= 128) next[m++] = (uint8_t)(n | 0x80);
    next[m++] = (uint8_t)(n >= 128 ? n >> 7 : n);
    memmove(bytes + m, bytes, n);
    memcpy(bytes, next, m);
    n += m;
  }
  spc_message m;
  spc_error error;
  CHECK(spc_decode(&arena, proto3, bytes, n, NULL, &m, &error) == SPC_DEPTH_LIMIT);
  CHECK_U64(error.limit, 100);
  spc_decode_options options = {.max_depth = 121};
  CHECK(spc_decode(&arena, proto3, bytes, n, &options, &m, &error) == SPC_OK);
  uint8_t out[4096];
  size_t length;
  CHECK(spc_encode(&m, out, sizeof out, NULL, &length, &error) == SPC_DEPTH_LIMIT);
  spc_encode_options deep = {.max_depth = 121};
  CHECK(spc_encode(&m, out, sizeof out, &deep, &length, &error) == SPC_OK);
  CHECK_U64(length, n);
  CHECK_BYTES(out, bytes, n);
  memset(bytes, 0x0b, sizeof bytes); /* groups in groups that nobody knows */
  memcpy(bytes, "\x8b\xd2\x61", 3);
  CHECK(spc_decode(&arena, proto3, bytes, sizeof bytes, NULL, &m, &error) == SPC_DEPTH_LIMIT);
  options = (spc_decode_options){.max_size = 3};
  CHECK(spc_decode(&arena, proto3, bytes, 4, &options, &m, &error) == SPC_SIZE_LIMIT);
  CHECK_U64(error.limit, 3);
  options = (spc_decode_options){.max_count = 2};
  n = test_hex(bytes, "fa 01 03 01 02 03");
  CHECK(spc_decode(&arena, proto3, bytes, n, &options, &m, &error) == SPC_COUNT_LIMIT);
  CHECK_U64(error.limit, 2);
  n = test_hex(bytes, "f8 01 01 f8 01 02 f8 01 03");
  CHECK(spc_decode(&arena, proto3, bytes, n, &options, &m, &error) == SPC_COUNT_LIMIT);
  CHECK(spc_decode(&arena, proto3, bytes, 6, &options, &m, &error) == SPC_OK);
  n = test_hex(bytes, "e2 02 00 e2 02 00 e2 02 00");
  CHECK(spc_decode(&arena, proto3, bytes, n, &options, &m, &error) == SPC_COUNT_LIMIT);
  CHECK(strcmp(error.path, "repeated_string") == 0);
  n = test_hex(bytes, "82 03 00 82 03 00 82 03 00");
  CHECK(spc_decode(&arena, proto3, bytes, n, &options, &m, &error) == SPC_COUNT_LIMIT);
  CHECK(spc_decode(&arena, proto3, bytes, 6, &options, &m, &error) == SPC_OK);
}

static void an_arena_that_is_full_is_a_status(void) {
  uint8_t bytes[64];
  size_t n = test_hex(bytes, "08 01 92 01 04 12 02 08 05 72 03 61 62 63 fa 01 03 01 02 03");
  spc_message m;
  spc_error error;
  static _Alignas(8) uint8_t memory[8192];
  unsigned good = 0;
  for (size_t size = 0; size <= sizeof memory; size += 8) {
    spc_arena fixed;
    uint8_t out[64];
    size_t length;
    memset(memory, 0xa5, sizeof memory);
    spc_arena_init(&fixed, memory, size, NULL, NULL);
    spc_status status = spc_decode(&fixed, proto3, bytes, n, NULL, &m, &error);
    CHECK(status == SPC_OK || status == SPC_OUT_OF_MEMORY);
    for (size_t i = size; i < sizeof memory; i++)
      if (memory[i] != 0xa5) CHECK(false);
    if (status != SPC_OK) continue;
    good++;
    CHECK(spc_encode(&m, out, sizeof out, NULL, &length, &error) == SPC_OK && length == n);
  }
  CHECK(good > 10);
}

static void a_buffer_of_any_size_is_filled_exactly_or_refused(void) {
  spc_message m;
  spc_error error;
  uint8_t expected[128], out[160];
  CHECK(decode(proto3,
               "08 01 72 03 61 62 63 92 01 04 12 02 08 05 fa 01 03 01 02 03 a2 02 08 61 61 61 61 61"
               " 61 61 61 c2 03 04 08 01 10 01 80 d2 61 05 92 d2 61 02 ab cd",
               0, &m, &error) == SPC_OK);
  size_t size, length;
  CHECK(spc_encode(&m, expected, sizeof expected, NULL, &size, &error) == SPC_OK);
  for (size_t capacity = 0; capacity < sizeof out; capacity++) {
    memset(out, 0xa5, sizeof out);
    spc_status status = spc_encode_back(&m, out, capacity, NULL, &length, &error);
    CHECK(status == (capacity < size ? SPC_BUFFER_TOO_SMALL : SPC_OK));
    CHECK_U64(length, size);
    if (status != SPC_OK)
      CHECK_U64(error.limit, size);
    else
      CHECK_BYTES(out + capacity - size, expected, size);
    for (size_t i = capacity; i < sizeof out; i++)
      if (out[i] != 0xa5) CHECK(false);
  }
}

static void fields_can_be_built_and_read_back(void) {
  spc_message m, sub, element, entry, again;
  spc_error error;
  spc_slice text;
  CHECK(spc_message_new(&arena, proto3, &m) == SPC_OK);
  CHECK(spc_set(&m, test_field(proto3, "optional_int64"), (spc_value){.i64 = -7}) == SPC_OK);
  CHECK(spc_set(&m, test_field(proto3, "optional_double"), (spc_value){.f64 = 1.5}) == SPC_OK);
  CHECK(spc_arena_put(&arena, "h\xc3\xa9", 3, &text) == SPC_OK);
  CHECK(spc_set(&m, test_field(proto3, "optional_string"), (spc_value){.slice = text}) == SPC_OK);
  text.length = 2;
  CHECK(spc_set(&m, test_field(proto3, "optional_string"), (spc_value){.slice = text}) ==
        SPC_BAD_UTF8);
  text = (spc_slice){8, 0x7fffffff};
  CHECK(spc_set(&m, test_field(proto3, "optional_bytes"), (spc_value){.slice = text}) ==
        SPC_INVALID_ARGUMENT);
  CHECK(spc_set(&m, test_field(proto3, "repeated_int32"), (spc_value){.i32 = 1}) == SPC_WRONG_TYPE);
  CHECK(spc_set(&m, test_field(proto2, "optional_int32"), (spc_value){.i32 = 1}) == SPC_WRONG_TYPE);
  CHECK(spc_mutable(&m, test_field(proto3, "optional_nested_message"), &sub) == SPC_OK);
  CHECK(spc_set(&sub, test_field(sub.type, "a"), (spc_value){.i32 = 3}) == SPC_OK);
  const spc_field *numbers = test_field(proto3, "repeated_int32");
  for (int32_t i = 0; i < 100; i++)
    CHECK(spc_append(&m, numbers, (spc_value){.i32 = i - 50}) == SPC_OK);
  CHECK(spc_set_at(&m, numbers, 99, (spc_value){.i32 = 1000}) == SPC_OK);
  CHECK(spc_set_at(&m, numbers, 100, (spc_value){.i32 = 1000}) == SPC_INVALID_ARGUMENT);
  CHECK(spc_append_message(&m, test_field(proto3, "repeated_nested_message"), &element) == SPC_OK);
  const spc_field *map = test_field(proto3, "map_string_nested_message");
  CHECK(spc_arena_put(&arena, "__proto__", 9, &text) == SPC_OK);
  CHECK(spc_map_entry(&m, map, (spc_value){.slice = text}, true, &entry) == SPC_OK);
  CHECK(spc_map_entry(&m, map, (spc_value){.slice = text}, true, &again) == SPC_OK);
  CHECK(entry.ref == again.ref && spc_count(&m, map) == 1);
  uint8_t out[1024];
  size_t length;
  CHECK(spc_encode(&m, out, sizeof out, NULL, &length, &error) == SPC_OK);
  CHECK(spc_decode(&arena, proto3, out, length, NULL, &again, &error) == SPC_OK);
  CHECK(spc_equal(&m, &again));
  CHECK_U64(spc_at(&again, numbers, 99).i32, 1000);
  CHECK(spc_at(&again, numbers, 0).i32 == -50);
  CHECK(spc_get(&again, test_field(proto3, "optional_int64")).i64 == -7);
  CHECK(spc_get(&again, test_field(proto3, "optional_double")).f64 == 1.5);
  spc_clear(&again, numbers);
  CHECK(!spc_has(&again, numbers) && spc_count(&again, numbers) == 0);
  CHECK(!spc_equal(&m, &again));
  CHECK(spc_append(&again, numbers, (spc_value){.i32 = 4}) == SPC_OK);
  CHECK_U64(spc_count(&again, numbers), 1);
  spc_message_clear(&again);
  CHECK(spc_encode(&again, out, sizeof out, NULL, &length, &error) == SPC_OK && length == 0);
}

static void a_merge_is_what_decoding_both_would_give(void) {
  uint64_t seed = 3;
  static const char *const parts[] = {"08 05",
                                      "72 01 62",
                                      "92 01 02 08 01",
                                      "92 01 04 12 02 08 05",
                                      "fa 01 02 01 02",
                                      "c2 03 04 08 01 10 02",
                                      "c2 03 04 08 02 10 02",
                                      "c2 03 04 08 01 10 09",
                                      "f8 06 07",
                                      "82 07 02 08 01",
                                      "8a 07 01 61",
                                      "80 d2 61 05"};
  for (int run = 0; run < 200; run++) {
    uint8_t bytes[512];
    size_t n = 0, middle = 0, length;
    uint8_t first[512], second[512];
    for (int i = 0; i < 8; i++) {
      n += test_hex(bytes + n, parts[test_random(&seed) % (sizeof parts / sizeof *parts)]);
      if (i == 3) middle = n;
    }
    spc_message whole, a, b;
    spc_error error;
    size_t before = spc_arena_used(&arena);
    CHECK(spc_decode(&arena, proto3, bytes, n, NULL, &whole, &error) == SPC_OK);
    CHECK(spc_decode(&arena, proto3, bytes, middle, NULL, &a, &error) == SPC_OK);
    CHECK(spc_decode(&arena, proto3, bytes + middle, n - middle, NULL, &b, &error) == SPC_OK);
    CHECK(spc_merge(&a, &b) == SPC_OK);
    CHECK(spc_equal(&whole, &a));
    CHECK(spc_encode(&whole, first, sizeof first, NULL, &n, &error) == SPC_OK);
    CHECK(spc_encode(&a, second, sizeof second, NULL, &length, &error) == SPC_OK);
    CHECK(length == n);
    CHECK_BYTES(first, second, n);
    CHECK(spc_merge(&a, &a) == SPC_OK);
    CHECK(spc_arena_used(&arena) > before);
  }
}

static void extensions_and_message_sets_are_fields(void) {
  spc_message m, sub, set;
  spc_error error;
  const char *name = "protobuf_test_messages.proto2.extension_int32";
  const spc_field *extension = spc_schema_extension(schema, name, strlen(name));
  /* extension_int32 = 120, between two fields of the message's own */
  check_round_trip("an extension", proto2, "08 01 c0 07 05 10 02", "08 01 10 02 c0 07 05");
  CHECK(decode(proto2, "c0 07 05 80 d2 61 05 c0 07 06", 0, &m, &error) == SPC_OK);
  CHECK(spc_get(&m, extension).i32 == 6 && spc_unknown(&m) != 0);
  spc_clear(&m, extension);
  CHECK(!spc_has(&m, extension));
  CHECK(spc_set(&m, extension, (spc_value){.i32 = 9}) == SPC_OK && spc_get(&m, extension).i32 == 9);
  const spc_message_type *type =
      test_type(schema, "protobuf_test_messages.proto2.TestAllTypesProto2.MessageSetCorrect");
  /* An item of a known type, then one of an unknown type. */
  const spc_message_type *extensions = spc_message_type_extensions(type);
  CHECK(extensions != NULL);
  spc_field_info first = spc_field_describe(spc_message_type_field(extensions, 0));
  uint8_t bytes[64], out[64];
  size_t n = 0, length;
  bytes[n++] = 0x0b;
  bytes[n++] = 0x10;
  for (uint32_t v = first.number; v != 0; v >>= 7)
    bytes[n++] = (uint8_t)((v & 0x7f) | (v > 127 ? 0x80 : 0));
  n += test_hex(bytes + n, "1a 00 0c 0b 10 05 1a 01 61 0c");
  CHECK(spc_decode(&arena, type, bytes, n, NULL, &set, &error) == SPC_OK);
  CHECK(spc_sub(&set, spc_message_type_field(extensions, 0), &sub));
  CHECK(spc_unknown(&set) != 0);
  CHECK(spc_encode(&set, out, sizeof out, NULL, &length, &error) == SPC_OK);
  CHECK_U64(length, n);
  CHECK_BYTES(out, bytes, n);
}

static void input_that_is_in_the_arena_is_decoded_where_it_is(void) {
  /* optional_int32, optional_string, repeated_int32 and a message whose record is cleared later. */
  const char *hex = "08 05 72 02 68 69 fa 01 03 01 02 03 92 01 02 08 07";
  const char *cut = "08 05 72 09 68 69";
  uint8_t bytes[64], out[64];
  size_t n = test_hex(bytes, hex), length = 0;
  spc_message m;
  spc_error error;
  uint32_t at;
  CHECK(spc_arena_alloc(&arena, n + SPC__PAD, &at) == SPC_OK);
  memset(spc_arena_at(&arena, at), 0xff, n + SPC__PAD);
  memcpy(spc_arena_at(&arena, at), bytes, n);
  uint32_t record = (uint32_t)spc_arena_used(&arena);
  CHECK(spc__decode_placed(&arena, proto3, at, n, NULL, &m, &error) == SPC_OK);
  CHECK_U64(m.ref, record);
  spc_slice text = spc_get(&m, test_field(proto3, "optional_string")).slice;
  CHECK_U64(text.offset, at + 4);
  CHECK(spc_encode(&m, out, sizeof out, NULL, &length, &error) == SPC_OK);
  spc_message copy;
  CHECK(spc_decode(&arena, proto3, bytes, n, NULL, &copy, &error) == SPC_OK);
  CHECK(spc_equal(&m, &copy));

  n = test_hex(bytes, cut);
  CHECK(spc_arena_alloc(&arena, n + SPC__PAD, &at) == SPC_OK);
  memcpy(spc_arena_at(&arena, at), bytes, n);
  size_t used = spc_arena_used(&arena);
  CHECK(spc__decode_placed(&arena, proto3, at, n, NULL, &m, &error) == SPC_TRUNCATED);
  CHECK_U64(error.offset, 2);
  CHECK(strcmp(error.path, "optional_string") == 0);
  CHECK_U64(spc_arena_used(&arena), used);
  const spc_decode_options limits = {.max_size = n - 1};
  CHECK(spc__decode_placed(&arena, proto3, at, n, &limits, &m, &error) == SPC_SIZE_LIMIT);

  /* An arena that has room for the input and no more. */
  uint64_t words[8];
  spc_arena tight;
  spc_arena_init(&tight, words, sizeof words, NULL, NULL);
  CHECK(spc_arena_alloc(&tight, n + SPC__PAD, &at) == SPC_OK);
  memcpy(spc_arena_at(&tight, at), bytes, n);
  CHECK(spc__decode_placed(&tight, proto3, at, n, NULL, &m, &error) == SPC_OUT_OF_MEMORY);
}

static void required_fields_are_missed_by_name(void) {
  const spc_message_type *type =
      test_type(schema, "protobuf_test_messages.proto2.TestAllRequiredTypesProto2");
  spc_message m;
  spc_error error;
  CHECK(decode(type, "08 01", 0, &m, &error) == SPC_MISSING_REQUIRED);
  CHECK(strcmp(error.path, "required_int64") == 0);
  CHECK(decode(type, "08 01", SPC_DECODE_PARTIAL, &m, &error) == SPC_OK);
  uint8_t out[16];
  size_t length;
  CHECK(spc_encode(&m, out, sizeof out, NULL, &length, &error) == SPC_MISSING_REQUIRED);
  spc_encode_options partial = {.flags = SPC_ENCODE_PARTIAL};
  CHECK(spc_encode(&m, out, sizeof out, &partial, &length, &error) == SPC_OK && length == 2);
}

int main(void) {
  spc_arena tables = test_arena();
  arena = test_arena();
  schema = test_schema(&tables, "conformance.fds");
  proto2 = test_type(schema, "protobuf_test_messages.proto2.TestAllTypesProto2");
  proto3 = test_type(schema, "protobuf_test_messages.proto3.TestAllTypesProto3");
  names_and_numbers_lead_to_fields();
  the_layout_is_as_documented();
  numbers_keep_their_bits();
  packed_and_expanded_are_both_read();
  the_last_member_of_a_oneof_wins();
  map_entries_merge_skip_and_replace();
  map_keys_stay_unique_in_large_maps();
  large_maps_are_built_by_key();
  numbers_outside_a_closed_enum_are_unknown_fields();
  unknown_fields_survive();
  unknown_fields_of_many_messages_are_kept_apart();
  groups_nest_and_have_to_match();
  every_wire_error_has_its_place();
  limits_are_named();
  an_arena_that_is_full_is_a_status();
  a_buffer_of_any_size_is_filled_exactly_or_refused();
  fields_can_be_built_and_read_back();
  a_merge_is_what_decoding_both_would_give();
  extensions_and_message_sets_are_fields();
  input_that_is_in_the_arena_is_decoded_where_it_is();
  required_fields_are_missed_by_name();
  free(arena.base);
  free(tables.base);
  return test_end();
}
