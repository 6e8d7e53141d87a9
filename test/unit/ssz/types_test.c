/* Types: builders, type texts, schema texts, sizes, and every reason for refusal. */
#include "spicule/ssz.h"
#include "support/test.h"

static uint64_t memory[1 << 15];
static spc_arena arena;
static spc_ssz_schema plain;

static void start(void) {
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  spc_ssz_schema_init(&plain, &arena);
}

static const spc_ssz_type *parse(const char *text) {
  const spc_ssz_type *type = NULL;
  spc_error error;
  spc_status status = spc_ssz_schema_type(&plain, text, strlen(text), &type, &error);
  if (status != SPC_OK) fprintf(stderr, "%s: %s\n", text, spc_status_name(status));
  CHECK(status == SPC_OK);
  return type;
}

static void check_sizes(const char *text, spc_ssz_kind kind, bool fixed, uint64_t least,
                        uint64_t most) {
  const spc_ssz_type *type = parse(text);
  if (type == NULL) return;
  CHECK(spc_ssz_type_kind(type) == kind);
  CHECK(spc_ssz_type_is_fixed(type) == fixed);
  CHECK_U64(spc_ssz_type_min_size(type), least);
  CHECK_U64(spc_ssz_type_max_size(type), most);
}

static void sizes_follow_from_the_text(void) {
  start();
  check_sizes("uint8", SPC_SSZ_UINT, true, 1, 1);
  check_sizes("Uint256", SPC_SSZ_UINT, true, 32, 32);
  check_sizes("Byte", SPC_SSZ_BYTE, true, 1, 1);
  check_sizes("bool", SPC_SSZ_BOOLEAN, true, 1, 1);
  check_sizes("BitVector[9]", SPC_SSZ_BITVECTOR, true, 2, 2);
  check_sizes("Bitlist[8]", SPC_SSZ_BITLIST, false, 1, 2);
  check_sizes("ProgressiveBitList", SPC_SSZ_PROGRESSIVE_BITLIST, false, 1, UINT64_MAX);
  check_sizes("Vector[uint64, 4]", SPC_SSZ_VECTOR, true, 32, 32);
  check_sizes("Bytes48", SPC_SSZ_VECTOR, true, 48, 48);
  check_sizes("ByteList[100]", SPC_SSZ_LIST, false, 0, 100);
  check_sizes("List[uint16,0]", SPC_SSZ_LIST, false, 0, 0);
  check_sizes("Vector[List[uint16,3],2]", SPC_SSZ_VECTOR, false, 8, 20);
  check_sizes("List[uint64,1099511627776]", SPC_SSZ_LIST, false, 0, UINT64_C(8) << 40);
  check_sizes("List[uint256,18446744073709551615]", SPC_SSZ_LIST, false, 0, UINT64_MAX);
  check_sizes("ProgressiveByteList", SPC_SSZ_PROGRESSIVE_LIST, false, 0, UINT64_MAX);
  check_sizes("Union[None,uint16,List[byte,5]]", SPC_SSZ_UNION, false, 1, 6);
  check_sizes("CompatibleUnion({1: uint8, 7: Byte})", SPC_SSZ_COMPATIBLE_UNION, false, 2, 2);
  CHECK(parse("Vector[uint64,4]") == parse(" Vector[ uint64 , 4 ] "));
  CHECK(parse("Vector[uint8,4]") != parse("Vector[Byte,4]"));
}

static void builders_and_texts_give_the_same_type(void) {
  start();
  spc_ssz_builder *b = &plain.builder;
  spc_ssz_type_id list = spc_ssz_build_list(b, spc_ssz_build_uint(b, 64), 1024);
  const spc_ssz_field fields[] = {{"a", spc_ssz_build_boolean(b)}, {"b", list}};
  const spc_ssz_type *type = NULL, *element = NULL;
  CHECK(spc_ssz_build_finish(b, list, &element, NULL) == SPC_OK);
  CHECK(element == parse("List[uint64,1024]"));
  CHECK(spc_ssz_build_finish(b, spc_ssz_build_container(b, "Pair", fields, 2), &type, NULL) ==
        SPC_OK);
  if (type == NULL) return;
  size_t index = 9;
  CHECK(strcmp(spc_ssz_type_name(type), "Pair") == 0);
  CHECK_U64(spc_ssz_type_field_count(type), 2);
  CHECK(spc_ssz_type_find_field(type, "b", 1, &index) == SPC_OK && index == 1);
  CHECK(spc_ssz_type_find_field(type, "c", 1, &index) == SPC_NOT_FOUND);
  CHECK(spc_ssz_type_field(type, 1) == element && spc_ssz_type_field(type, 2) == NULL);
  CHECK(strcmp(spc_ssz_type_field_name(type, 0), "a") == 0);
  CHECK_U64(spc_ssz_type_min_size(type), 5);
}

static void check_refused(const char *text, spc_status expected, uint64_t offset) {
  start();
  const spc_ssz_type *type;
  spc_error error;
  spc_status status = spc_ssz_schema_type(&plain, text, strlen(text), &type, &error);
  if (status != expected) fprintf(stderr, "%s: %s\n", text, spc_status_name(status));
  CHECK(status == expected && error.status == expected);
  if (offset != SPC_NO_POSITION) CHECK_U64(error.offset, offset);
}

static void illegal_type_texts_are_refused(void) {
  check_refused("Vector[uint8,0]", SPC_ZERO_LENGTH, SPC_NO_POSITION);
  check_refused("BitVector[0]", SPC_ZERO_LENGTH, SPC_NO_POSITION);
  check_refused("List[Vector[uint8,0],4]", SPC_ZERO_LENGTH, SPC_NO_POSITION);
  check_refused("", SPC_BAD_TYPE_TEXT, 0);
  check_refused("List[uint8]", SPC_BAD_TYPE_TEXT, 10);
  check_refused("List[uint8,4", SPC_BAD_TYPE_TEXT, 12);
  check_refused("List[uint8,4]]", SPC_BAD_TYPE_TEXT, 13);
  check_refused("List[uint8,18446744073709551616]", SPC_BAD_TYPE_TEXT, SPC_NO_POSITION);
  check_refused("uint24", SPC_UNDEFINED_TYPE, 0);
  check_refused("List[Nothing,4]", SPC_UNDEFINED_TYPE, 5);
  check_refused("Union[None]", SPC_BAD_SELECTOR, SPC_NO_POSITION);
  check_refused("Union[uint8,None]", SPC_BAD_SELECTOR, SPC_NO_POSITION);
  check_refused("CompatibleUnion({0: uint8})", SPC_BAD_SELECTOR, SPC_NO_POSITION);
  check_refused("CompatibleUnion({128: uint8})", SPC_BAD_SELECTOR, SPC_NO_POSITION);
  check_refused("CompatibleUnion({2: uint8, 1: uint8})", SPC_BAD_SELECTOR, SPC_NO_POSITION);
  check_refused("CompatibleUnion({1: uint8, 2: uint16})", SPC_INCOMPATIBLE_OPTIONS,
                SPC_NO_POSITION);
  check_refused("CompatibleUnion({1: List[uint8,4], 2: ProgressiveList[uint8]})",
                SPC_INCOMPATIBLE_OPTIONS, SPC_NO_POSITION);
  char deep[512] = "";
  for (int i = 0; i < SPC_SSZ_MAX_DEPTH; i++)
    strcat(deep, "List[");
  strcat(deep, "uint8");
  for (int i = 0; i < SPC_SSZ_MAX_DEPTH; i++)
    strcat(deep, ",1]");
  check_refused(deep, SPC_DEPTH_LIMIT, SPC_NO_POSITION);
}

static void check_schema(const char *text, const char *section, spc_status expected,
                         const char *path) {
  start();
  spc_ssz_schema schema;
  spc_error error = {0};
  spc_status status = spc_ssz_schema_read(&schema, &arena, text, strlen(text), section, &error);
  if (status != expected || (status != SPC_OK && strcmp(error.path, path) != 0))
    fprintf(stderr, "%s\n  %s at %" PRIu64 " in '%s'\n", text, spc_status_name(status),
            error.offset, error.path);
  CHECK(status == expected);
  if (status != SPC_OK) CHECK(strcmp(error.path, path) == 0);
}

static void schemas_are_read_or_refused(void) {
  check_schema("{}", NULL, SPC_OK, "");
  check_schema("{\"A\": \"List[B,4]\", \"B\": {\"kind\":\"Container\",\"fields\":[[\"x\","
               "\"uint8\"]]}}",
               NULL, SPC_OK, "");
  check_schema("{\"one\": {\"A\": \"uint8\"}, \"two\": {\"A\": \"nonsense\"}}", "one", SPC_OK, "");
  check_schema("{\"one\": {}}", "three", SPC_NOT_FOUND, "");
  check_schema("{\"A\": \"List[A,4]\"}", NULL, SPC_RECURSIVE_TYPE, "A");
  check_schema("{\"A\": \"List[B,4]\", \"B\": \"Vector[A,1]\"}", NULL, SPC_RECURSIVE_TYPE, "A.B");
  check_schema("{\"A\": {\"kind\":\"Container\",\"fields\":[]}}", NULL, SPC_NO_FIELDS, "A");
  check_schema("{\"A\": {\"kind\":\"Container\",\"fields\":[[\"x\",\"Vector[uint8,0]\"]]}}", NULL,
               SPC_ZERO_LENGTH, "A.x");
  check_schema("{\"A\": {\"kind\":\"Container\",\"fields\":[[\"x\",\"uint8\"],[\"x\",\"uint8\"]]}}",
               NULL, SPC_BAD_NAME, "A.x");
  check_schema("{\"A\": {\"kind\":\"ProgressiveContainer\",\"fields\":[[\"x\",\"uint8\"]],"
               "\"active_fields\":[1,0]}}",
               NULL, SPC_BAD_ACTIVE_FIELDS, "A");
  check_schema("{\"A\": {\"kind\":\"ProgressiveContainer\",\"fields\":[[\"x\",\"uint8\"]],"
               "\"active_fields\":\"11\"}}",
               NULL, SPC_BAD_ACTIVE_FIELDS, "A");
  check_schema("{\"A\": {\"kind\":\"ProgressiveContainer\",\"fields\":[[\"x\",\"uint8\"]],"
               "\"active_fields\":[false,true]}}",
               NULL, SPC_OK, "");
  check_schema("{\"U\": {\"kind\":\"Union\",\"options\":[\"None\",\"uint8\"]}}", NULL, SPC_OK, "");
  check_schema("{\"U\": {\"kind\":\"CompatibleUnion\",\"options\":{\"1\":\"uint8\",\"2\":"
               "\"bool\"}}}",
               NULL, SPC_INCOMPATIBLE_OPTIONS, "U");
  check_schema("{\"A\": \"uint8\"", NULL, SPC_MALFORMED, "");
  check_schema("{\"A\": \"uint8\"} x", NULL, SPC_TRAILING_BYTES, "");
  check_schema("{\"A\": \"uint8\", \"A\": \"uint8\"}", NULL, SPC_BAD_NAME, "");
  check_schema("{\"A\": 5}", NULL, SPC_MALFORMED, "A");
}

static void progressive_options_may_differ_where_they_do_not_meet(void) {
  const char *text =
      "{\"P\": {\"kind\":\"ProgressiveContainer\",\"fields\":[[\"x\",\"uint8\"]],"
      "\"active_fields\":[1]},"
      "\"Q\": {\"kind\":\"ProgressiveContainer\",\"fields\":[[\"x\",\"Byte\"],[\"y\",\"uint8\"]],"
      "\"active_fields\":[1,0,1]},"
      "\"R\": {\"kind\":\"ProgressiveContainer\",\"fields\":[[\"y\",\"uint8\"]],"
      "\"active_fields\":[1]},"
      "\"U\": \"CompatibleUnion({1: P, 2: Q})\"}";
  check_schema(text, NULL, SPC_OK, "");
  spc_ssz_schema schema;
  start();
  CHECK(spc_ssz_schema_read(&schema, &arena, text, strlen(text), NULL, NULL) == SPC_OK);
  const spc_ssz_type *type;
  const char *clash = "CompatibleUnion({1: Q, 2: R})";
  CHECK(spc_ssz_schema_type(&schema, clash, strlen(clash), &type, NULL) ==
        SPC_INCOMPATIBLE_OPTIONS);
  CHECK(spc_ssz_schema_type(&schema, "Q", 1, &type, NULL) == SPC_OK);
  CHECK_U64(spc_ssz_type_field_position(type, 1), 2);
  CHECK(strcmp(spc_ssz_schema_name(&schema, 3), "U") == 0);
  CHECK(spc_ssz_schema_name(&schema, 4) == NULL);
}

static void a_full_arena_is_a_status(void) {
  uint64_t small[40];
  for (size_t size = 0; size <= sizeof small; size += 8) {
    spc_arena tight;
    spc_ssz_schema schema;
    const spc_ssz_type *type;
    spc_arena_init(&tight, small, size, NULL, NULL);
    spc_ssz_schema_init(&schema, &tight);
    CHECK(spc_ssz_schema_type(&schema, "List[Vector[uint8,32],5]", 24, &type, NULL) ==
          SPC_OUT_OF_MEMORY);
  }
}

static size_t used_by_schema(const char *text, spc_status expected) {
  spc_ssz_schema schema;
  size_t before = spc_arena_used(&arena);
  CHECK(spc_ssz_schema_read(&schema, &arena, text, strlen(text), NULL, NULL) == expected);
  if (expected != SPC_OK) CHECK(spc_ssz_schema_name(&schema, 0) == NULL);
  return spc_arena_used(&arena) - before;
}

static void what_fails_takes_no_memory(void) {
  start();
  spc_error error;
  const spc_ssz_type *type;
  spc_ssz_builder *b = &plain.builder;
  parse("uint8");
  CHECK(used_by_schema("{\"A\": \"uint8\", \"B\": \"List[uint16,5]\"}", SPC_OK) != 0);
  CHECK_U64(used_by_schema("{\"A\": \"List[uint16,5]\", \"B\": \"uint9\"}", SPC_UNDEFINED_TYPE), 0);
  CHECK_U64(used_by_schema("{\"A\": {\"kind\":\"Container\",\"fields\":[[\"x\",\"uint64\"],[\"x\","
                           "\"uint8\"]]}}",
                           SPC_BAD_NAME),
            0);
  CHECK_U64(used_by_schema("{\"A\": \"uint8\"", SPC_MALFORMED), 0);
  size_t before = spc_arena_used(&arena);
  const char *text = "Union[uint64, List[uint32, 7], Vector[uint16, 0]]";
  CHECK(spc_ssz_schema_type(&plain, text, strlen(text), &type, NULL) == SPC_ZERO_LENGTH);
  CHECK_U64(spc_arena_used(&arena), before);
  const spc_ssz_field fields[] = {{"a", spc_ssz_build_boolean(b)}, {"b", 0}};
  before = spc_arena_used(&arena);
  spc_ssz_type_id id = spc_ssz_build_container(b, "Pair", fields, 2);
  CHECK(id == 0 && spc_ssz_build_union(b, &fields[0].type, 1) == 0);
  CHECK(spc_ssz_build_finish(b, id, &type, &error) == SPC_INVALID_ARGUMENT);
  CHECK_U64(error.index, 1);
  CHECK_U64(spc_arena_used(&arena), before);
  /* What was known before the failures still is, and new types can be built. */
  CHECK(parse("uint8") != NULL && parse("List[uint32, 7]") != NULL);
  CHECK(spc_ssz_build_finish(b, spc_ssz_build_container(b, "One", fields, 1), &type, NULL) ==
        SPC_OK);
}

static void what_is_built_again_is_the_same_type(void) {
  start();
  spc_ssz_builder *b = &plain.builder;
  const spc_ssz_field fields[] = {{"a", spc_ssz_build_boolean(b)}, {"b", spc_ssz_build_byte(b)}};
  const spc_ssz_field swapped[] = {fields[1], fields[0]};
  const spc_ssz_field renamed[] = {{"c", fields[0].type}, fields[1]};
  const bool active[] = {true, false, true}, other[] = {false, true, true};
  const spc_ssz_type_id options[] = {SPC_SSZ_NONE, fields[0].type};
  const uint8_t selectors[] = {1, 2}, others[] = {1, 3};
  const spc_ssz_type_id same[] = {fields[1].type, fields[1].type};
  const spc_ssz_type_id first[] = {
      spc_ssz_build_container(b, "P", fields, 2),
      spc_ssz_build_container(b, "Q", fields, 2),
      spc_ssz_build_container(b, "P", swapped, 2),
      spc_ssz_build_container(b, "P", renamed, 2),
      spc_ssz_build_container(b, NULL, fields, 1),
      spc_ssz_build_progressive_container(b, "P", fields, 2, active, 3),
      spc_ssz_build_progressive_container(b, "P", fields, 2, other, 3),
      spc_ssz_build_union(b, options, 2),
      spc_ssz_build_union(b, options + 1, 1),
      spc_ssz_build_compatible_union(b, selectors, same, 2),
      spc_ssz_build_compatible_union(b, others, same, 2),
      spc_ssz_build_list(b, fields[0].type, 9),
  };
  size_t count = sizeof first / sizeof *first, before = spc_arena_used(&arena);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++)
      CHECK(first[i] != first[k]);
  const spc_ssz_type_id again[] = {
      spc_ssz_build_container(b, "P", fields, 2),
      spc_ssz_build_container(b, "Q", fields, 2),
      spc_ssz_build_container(b, "P", swapped, 2),
      spc_ssz_build_container(b, "P", renamed, 2),
      spc_ssz_build_container(b, NULL, fields, 1),
      spc_ssz_build_progressive_container(b, "P", fields, 2, active, 3),
      spc_ssz_build_progressive_container(b, "P", fields, 2, other, 3),
      spc_ssz_build_union(b, options, 2),
      spc_ssz_build_union(b, options + 1, 1),
      spc_ssz_build_compatible_union(b, selectors, same, 2),
      spc_ssz_build_compatible_union(b, others, same, 2),
      spc_ssz_build_list(b, fields[0].type, 9),
  };
  for (size_t i = 0; i < count; i++)
    CHECK(again[i] == first[i] && first[i] != 0);
  CHECK_U64(spc_arena_used(&arena), before);
  CHECK(parse("Union[None, bool]") == parse("Union[None,boolean]"));
}

int main(void) {
  what_fails_takes_no_memory();
  what_is_built_again_is_the_same_type();
  sizes_follow_from_the_text();
  builders_and_texts_give_the_same_type();
  illegal_type_texts_are_refused();
  schemas_are_read_or_refused();
  progressive_options_may_differ_where_they_do_not_meet();
  a_full_arena_is_a_status();
  return test_end();
}
