/* Schemas: descriptors that are broken, each with its status and the names of where it is. */
#include "codec_support.h"

/* Protocol Buffers by hand: descriptors are built from parts. */
typedef struct part {
  uint8_t bytes[8192];
  size_t n;
} part;

static void put_varint(part *p, uint64_t v) {
  for (; v >= 0x80; v >>= 7)
    p->bytes[p->n++] = (uint8_t)(v | 0x80);
  p->bytes[p->n++] = (uint8_t)v;
}

static void put_number(part *p, uint32_t number, uint64_t v) {
  put_varint(p, number << 3);
  put_varint(p, v);
}

static void put_bytes(part *p, uint32_t number, const void *bytes, size_t n) {
  put_varint(p, number << 3 | 2);
  put_varint(p, n);
  memcpy(p->bytes + p->n, bytes, n);
  p->n += n;
}

static void put_text(part *p, uint32_t number, const char *text) {
  if (text != NULL) put_bytes(p, number, text, strlen(text));
}

static void put_part(part *p, uint32_t number, const part *sub) {
  put_bytes(p, number, sub->bytes, sub->n);
}

enum { OPTIONAL = 1, REQUIRED = 2, REPEATED = 3 };

/* A FieldDescriptorProto. */
static part field(const char *name, int32_t number, int label, int type, const char *type_name) {
  part f = {.n = 0};
  put_text(&f, 1, name);
  put_number(&f, 3, (uint64_t)(int64_t)number);
  put_number(&f, 4, (uint64_t)label);
  put_number(&f, 5, (uint64_t)type);
  put_text(&f, 6, type_name);
  return f;
}

static part number_field(const char *name, int32_t number) {
  return field(name, number, OPTIONAL, SPC_TYPE_INT32, NULL);
}

/* A DescriptorProto of up to two fields. */
static part message(const char *name, const part *a, const part *b) {
  part m = {.n = 0};
  put_text(&m, 1, name);
  if (a != NULL) put_part(&m, 2, a);
  if (b != NULL) put_part(&m, 2, b);
  return m;
}

/* The set of one file, "a.proto" of package "p", with one part of FileDescriptorProto. */
static part set(const char *syntax, uint32_t number, const part *content) {
  part file = {.n = 0}, all = {.n = 0};
  put_text(&file, 1, "a.proto");
  put_text(&file, 2, "p");
  if (content != NULL) put_part(&file, number, content);
  put_text(&file, 12, syntax);
  if (strcmp(syntax, "editions") == 0) put_number(&file, 14, 1000);
  put_part(&all, 1, &file);
  return all;
}

static void check_set(const char *what, const part *all, spc_status status, const char *path) {
  spc_arena arena = test_arena();
  uint32_t ref;
  spc_error error;
  spc_status got = spc_schema_build(&arena, all->bytes, all->n, &ref, &error);
  if (got != status || (got != SPC_OK && strcmp(error.path, path) != 0))
    printf("%s: %s at %s\n", what, spc_status_name(got), got == SPC_OK ? "" : error.path);
  CHECK(got == status);
  CHECK(got == SPC_OK || (error.status == got && strcmp(error.path, path) == 0));
  CHECK(got == SPC_OK || spc_arena_used(&arena) == 8 || arena.base == NULL);
  free(arena.base);
}

/* A message M in proto3 with these fields. */
static void check_fields(const char *what, const part *a, const part *b, spc_status status,
                         const char *path) {
  part m = message("M", a, b), all = set("proto3", 4, &m);
  check_set(what, &all, status, path);
}

static void fields_that_cannot_be_are_named(void) {
  part a = number_field("f", 1), b = number_field("g", 1);
  check_fields("one number twice", &a, &b, SPC_DUPLICATE_NAME, "a.proto: p.M.g");
  b = number_field("f", 2);
  check_fields("one name twice", &a, &b, SPC_DUPLICATE_NAME, "a.proto: p.M.f");
  static const int32_t numbers[] = {0, -1, 19000, 19999, 0x20000000};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    b = number_field("g", numbers[i]);
    check_fields("a number that no field has", &a, &b, SPC_BAD_DESCRIPTOR, "a.proto: p.M.g");
  }
  b = number_field("g", 0x1fffffff);
  check_fields("the highest number", &a, &b, SPC_OK, "");
  b = number_field("1g", 2);
  check_fields("no identifier", &a, &b, SPC_BAD_DESCRIPTOR, "a.proto: p.M.1g");
  b = field("g", 2, OPTIONAL, 19, NULL);
  check_fields("no type", &a, &b, SPC_BAD_DESCRIPTOR, "a.proto: p.M.g");
  b = field("g", 2, 4, SPC_TYPE_INT32, NULL);
  check_fields("no label", &a, &b, SPC_BAD_DESCRIPTOR, "a.proto: p.M.g");
  b = field("g", 2, OPTIONAL, SPC_TYPE_MESSAGE, ".p.N");
  check_fields("no such message", &a, &b, SPC_UNRESOLVED_NAME, "a.proto: p.M.g");
  b = field("g", 2, OPTIONAL, SPC_TYPE_ENUM, ".p.M");
  check_fields("a message for an enum", &a, &b, SPC_BAD_DESCRIPTOR, "a.proto: p.M.g");
  b = field("g", 2, OPTIONAL, SPC_TYPE_MESSAGE, "M");
  check_fields("a name from inside out", &a, &b, SPC_OK, "");
  b = number_field("g", 2);
  put_number(&b, 9, 0);
  check_fields("no such oneof", &a, &b, SPC_BAD_DESCRIPTOR, "a.proto: p.M.g");
  b = number_field("g", 2);
  put_text(&b, 7, "2147483648");
  check_fields("a default out of range", &a, &b, SPC_BAD_DESCRIPTOR, "a.proto: p.M.g");
}

static void declarations_that_cannot_be_are_named(void) {
  part f = field("f", 1, OPTIONAL, SPC_TYPE_MESSAGE, ".p.M.N"), nested = message("N", NULL, NULL);
  part m = message("M", &f, NULL);
  put_part(&m, 3, &nested);
  part all = set("proto3", 4, &m);
  check_set("a nested type", &all, SPC_OK, "");
  put_part(&m, 3, &nested);
  all = set("proto3", 4, &m);
  check_set("a nested type twice", &all, SPC_DUPLICATE_NAME, "a.proto: p.M.N");
  part options = {.n = 0}, entry = message("E", &f, NULL);
  put_number(&options, 7, 1);
  put_part(&entry, 7, &options);
  m = message("M", NULL, NULL);
  put_part(&m, 3, &nested);
  put_part(&m, 3, &entry);
  all = set("proto3", 4, &m);
  check_set("a map entry without a value", &all, SPC_BAD_DESCRIPTOR, "a.proto: p.M.E");
  m = message("M-", NULL, NULL);
  all = set("proto3", 4, &m);
  check_set("no identifier", &all, SPC_BAD_DESCRIPTOR, "a.proto: p.M-");
  all = set("proto4", 4, NULL);
  check_set("no syntax", &all, SPC_BAD_DESCRIPTOR, "a.proto: proto4");
  part value = {.n = 0}, e = {.n = 0};
  put_text(&e, 1, "E");
  all = set("proto3", 5, &e);
  check_set("an enum without values", &all, SPC_BAD_DESCRIPTOR, "a.proto: p.E");
  put_text(&value, 1, "V");
  put_number(&value, 2, 1);
  put_part(&e, 2, &value);
  all = set("proto3", 5, &e);
  check_set("an open enum without zero", &all, SPC_BAD_DESCRIPTOR, "a.proto: p.E");
  all = set("proto2", 5, &e);
  check_set("a closed enum without zero", &all, SPC_OK, "");
  put_part(&e, 2, &value);
  all = set("proto2", 5, &e);
  check_set("a value twice", &all, SPC_DUPLICATE_NAME, "a.proto: p.E");
  part extension = number_field("x", 5);
  put_text(&extension, 2, ".p.N");
  all = set("proto2", 7, &extension);
  check_set("an extension of nothing", &all, SPC_UNRESOLVED_NAME, "a.proto: p.x");
  m = message("M", NULL, NULL);
  extension = number_field("x", 5);
  put_text(&extension, 2, ".p.M");
  put_part(&m, 6, &extension);
  all = set("proto2", 4, &m);
  check_set("an extension outside the ranges", &all, SPC_BAD_DESCRIPTOR, "a.proto: p.M.x");
  part range = {.n = 0};
  put_number(&range, 1, 5);
  put_number(&range, 2, 6);
  put_part(&m, 5, &range);
  all = set("proto2", 4, &m);
  check_set("an extension in the range", &all, SPC_OK, "");
  put_part(&m, 6, &extension);
  all = set("proto2", 4, &m);
  check_set("the same extension twice", &all, SPC_DUPLICATE_NAME, "a.proto: p.M.x");
  part features = {.n = 0}, set_options = {.n = 0};
  put_number(&features, 1, 4);
  put_part(&set_options, 21, &features);
  f = number_field("f", 1);
  put_part(&f, 8, &set_options);
  m = message("M", &f, NULL);
  all = set("editions", 4, &m);
  check_set("a feature out of range", &all, SPC_BAD_DESCRIPTOR, "a.proto: p.M.f");
  static const uint8_t cut[] = {0x0a, 0x05, 0x0a};
  memcpy(all.bytes, cut, sizeof cut);
  all.n = sizeof cut;
  check_set("no descriptors", &all, SPC_TRUNCATED, "");
}

/* Two fields, with JSON names that may be NULL, in a message with options. */
static void check_json(const char *what, const char *syntax, const char *name, const char *json,
                       const char *other, const char *other_json, const part *options, bool good) {
  part a = number_field(name, 1), b = number_field(other, 2);
  put_text(&a, 10, json);
  put_text(&b, 10, other_json);
  part m = message("M", &a, &b);
  if (options != NULL) put_part(&m, 7, options);
  part all = set(syntax, 4, &m);
  char path[64];
  snprintf(path, sizeof path, "a.proto: p.M.%s", other);
  check_set(what, &all, good ? SPC_OK : SPC_DUPLICATE_NAME, path);
}

static void json_names_conflict_where_protoc_says_so(void) {
  part legacy = {.n = 0}, features = {.n = 0}, best = {.n = 0}, other = {.n = 0};
  put_number(&legacy, 11, 1); /* deprecated_legacy_json_field_conflicts */
  put_number(&features, 6, 2);
  put_part(&best, 12, &features); /* features.json_format = LEGACY_BEST_EFFORT */
  put_number(&other, 3, 1);       /* deprecated */
  check_json("different", "proto3", "a_b", NULL, "a_c", NULL, NULL, true);
  check_json("by default", "proto3", "a_b", NULL, "aB", NULL, NULL, false);
  check_json("by default, written out", "proto3", "a_b", "aB", "aB", "aB", NULL, false);
  check_json("by default, for field masks", "proto3", "a_b", "x", "aB", NULL, NULL, false);
  check_json("one given", "proto3", "a", "b", "b", NULL, NULL, false);
  check_json("both given", "proto3", "a", "x", "b", "x", NULL, false);
  check_json("given, by case", "proto3", "a", "x", "b", "X", NULL, true);
  check_json("swapped", "proto3", "a", "b", "b", "a", NULL, true);
  check_json("editions, by default", "editions", "a_b", NULL, "aB", NULL, NULL, false);
  check_json("editions, best effort", "editions", "a_b", NULL, "aB", NULL, &best, true);
  check_json("editions, best effort, given", "editions", "a", "x", "b", "x", &best, false);
  check_json("proto2, by default", "proto2", "a_b", NULL, "aB", NULL, NULL, true);
  check_json("proto2, one given", "proto2", "a", "b", "b", NULL, NULL, true);
  check_json("proto2, both given", "proto2", "a", "x", "b", "x", NULL, false);
  check_json("allowed", "proto3", "a_b", NULL, "aB", NULL, &legacy, true);
  check_json("allowed, given", "proto3", "a", "x", "b", "x", &legacy, true);
  check_json("another option", "proto3", "a_b", NULL, "aB", NULL, &other, false);
}

/* A oneof whose members have high numbers has cases that are indices. */
static void high_numbers_in_a_oneof_have_cases_of_their_own(void) {
  part a = number_field("low", 7), b = number_field("high", 0xf000), decl = {.n = 0};
  put_number(&a, 9, 0);
  put_number(&b, 9, 0);
  part m = message("M", &a, &b);
  put_text(&decl, 1, "choice");
  put_part(&m, 8, &decl);
  part all = set("proto3", 4, &m);
  spc_arena arena = test_arena();
  uint32_t ref;
  CHECK(spc_schema_build(&arena, all.bytes, all.n, &ref, NULL) == SPC_OK);
  spc_arena messages = test_arena();
  const spc_message_type *type =
      spc_schema_message((const spc_schema *)spc_arena_at(&arena, ref), "p.M", 3);
  const spc_field *low = spc_message_type_by_number(type, 7);
  const spc_field *high = spc_message_type_by_number(type, 0xf000);
  CHECK_U64(spc_field_describe(low).case_value, 7);
  CHECK_U64(spc_field_describe(high).case_value, 0xf001);
  uint8_t bytes[16], out[16];
  size_t n = test_hex(bytes, "38 01 80 80 1e 05"), length;
  spc_message message_;
  CHECK(spc_decode(&messages, type, bytes, n, NULL, &message_, NULL) == SPC_OK);
  CHECK_U64(spc_case(&message_, low), 0xf000);
  CHECK(!spc_has(&message_, low) && spc_get(&message_, high).i32 == 5);
  CHECK(spc_encode(&message_, out, sizeof out, NULL, &length, NULL) == SPC_OK);
  CHECK(length == n - 2 && memcmp(out, bytes + 2, length) == 0);
  CHECK(spc_set(&message_, low, (spc_value){.i32 = 9}) == SPC_OK);
  CHECK_U64(spc_case(&message_, high), 7);
  free(arena.base);
  free(messages.base);
}

/* More oneofs than the words of a writer have bits. */
static void each_of_many_oneofs_is_apart(void) {
  part m = message("M", NULL, NULL);
  for (int32_t i = 0; i < 130; i++) {
    char name[16];
    part oneof = {.n = 0};
    snprintf(name, sizeof name, "f%d", (int)i);
    part member = number_field(name, i + 1);
    put_number(&member, 9, (uint64_t)i);
    put_part(&m, 2, &member);
    snprintf(name, sizeof name, "o%d", (int)i);
    put_text(&oneof, 1, name);
    put_part(&m, 8, &oneof);
  }
  part all = set("proto3", 4, &m);
  spc_arena arena = test_arena(), messages = test_arena();
  uint32_t ref;
  CHECK(spc_schema_build(&arena, all.bytes, all.n, &ref, NULL) == SPC_OK);
  const spc_message_type *type =
      spc_schema_message((const spc_schema *)spc_arena_at(&arena, ref), "p.M", 3);
  uint8_t bytes[1024], out[1024];
  size_t length, written;
  spc_writer writer;
  spc_writer_init(&writer, type, bytes, sizeof bytes);
  for (uint32_t i = 1; i <= 130; i++)
    CHECK(spc_writer_value(&writer, spc_message_type_by_number(type, i), (spc_value){.u32 = i}) ==
          SPC_OK);
  CHECK(spc_writer_finish(&writer, &length) == SPC_OK);
  spc_message got;
  CHECK(spc_decode(&messages, type, bytes, length, NULL, &got, NULL) == SPC_OK);
  for (uint32_t i = 1; i <= 130; i++) {
    const spc_field *f = spc_message_type_by_number(type, i);
    CHECK_U64(spc_case(&got, f), i);
    CHECK_U64(spc_get(&got, f).u32, i);
  }
  CHECK(spc_encode(&got, out, sizeof out, NULL, &written, NULL) == SPC_OK);
  CHECK_U64(written, length);
  CHECK_BYTES(out, bytes, length);
  free(arena.base);
  free(messages.base);
}

/* M {group K = 1 {number = 1}; message N = 2; group G = 3 {the same}} and what does not match. */
static void groups_end_where_they_began(void) {
  part number = number_field("a", 1), k = message("K", &number, NULL);
  part first = field("k", 1, OPTIONAL, SPC_TYPE_GROUP, ".p.M.K");
  part second = field("n", 2, OPTIONAL, SPC_TYPE_MESSAGE, ".p.M");
  part third = field("g", 3, REPEATED, SPC_TYPE_GROUP, ".p.M");
  part m = message("M", &first, &second);
  put_part(&m, 2, &third);
  put_part(&m, 3, &k);
  part all = set("proto2", 4, &m);
  spc_arena arena = test_arena();
  uint32_t ref;
  CHECK(spc_schema_build(&arena, all.bytes, all.n, &ref, NULL) == SPC_OK);
  const spc_schema *schema = (const spc_schema *)spc_arena_at(&arena, ref);
  const spc_message_type *type = spc_schema_message(schema, "p.M", 3);
  static const struct {
    const char *hex;
    spc_status status;
    uint64_t offset;
    const char *path;
  } cases[] = {
      {"0b 08 05 0c", SPC_OK, 0, ""},
      {"0b 08 05", SPC_TRUNCATED, 3, "k"},
      {"0b", SPC_TRUNCATED, 1, "k"},
      {"0b 0c 0c", SPC_GROUP_MISMATCH, 2, "k"},
      {"1b 12 00 1c", SPC_OK, 0, ""},
      {"1b 12 00", SPC_TRUNCATED, 3, "g[0]"},
      {"1b 12 01 1c", SPC_GROUP_MISMATCH, 3, "g[0].n.g"},
      {"1b 12 03 12 01 1c", SPC_GROUP_MISMATCH, 5, "g[0].n.n.g"},
      {"12 04 1b 12 00 1c 1b 0b 0c 1c", SPC_OK, 0, ""},
      {"12 02 1b 1c 1c", SPC_GROUP_MISMATCH, 4, "g"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint8_t bytes[16];
    size_t n = test_hex(bytes, cases[i].hex);
    spc_arena messages = test_arena();
    spc_message got;
    spc_error error = {.path = ""};
    spc_status status = spc_decode(&messages, type, bytes, n, NULL, &got, &error);
    if (status != cases[i].status || strcmp(error.path, cases[i].path) != 0)
      printf("%s: %s at %s\n", cases[i].hex, spc_status_name(status), error.path);
    CHECK(status == cases[i].status);
    if (status != SPC_OK) CHECK_U64(error.offset, cases[i].offset);
    CHECK(strcmp(error.path, cases[i].path) == 0);
    free(messages.base);
  }
  free(arena.base);
}

int main(void) {
  fields_that_cannot_be_are_named();
  declarations_that_cannot_be_are_named();
  json_names_conflict_where_protoc_says_so();
  high_numbers_in_a_oneof_have_cases_of_their_own();
  groups_end_where_they_began();
  each_of_many_oneofs_is_apart();
  return test_end();
}
