/* Columns read from the wire: what they hold, against decoding, and how misuse is answered. */
#include "random_wire.h"

#define COLUMNS_MOST 256u

static const spc_message_type *proto3;

typedef struct selected {
  spc_arena arena;
  spc_column columns[COLUMNS_MOST];
  uint32_t count;
  spc_error error;
} selected;

/* Adds the fields of a path of names that are not there yet; gives the index of the last one. */
static uint32_t add(selected *s, const spc_message_type *type, const char *path) {
  uint32_t parent = 0;
  for (size_t length; *path != '\0'; path += length + (path[length] == '.')) {
    length = strcspn(path, ".");
    const spc_field *field = spc_message_type_by_name(type, path, length);
    CHECK(field != NULL);
    const spc_field_info info = spc_field_describe(field);
    uint32_t at = 0;
    while (at < s->count &&
           (s->columns[at].parent != parent || s->columns[at].number != info.number))
      at++;
    if (at == s->count)
      s->columns[s->count++] = (spc_column){.parent = parent, .number = info.number};
    parent = at + 1;
    type = info.message;
  }
  return parent - 1;
}

static spc_status run(selected *s, const uint8_t *bytes, size_t length) {
  return spc_select(&s->arena, proto3, bytes, length, s->columns, s->count, &s->error);
}

static const uint8_t *at(const selected *s, uint32_t ref) {
  return (const uint8_t *)spc_arena_at(&s->arena, ref);
}

static uint32_t word(const selected *s, uint32_t ref, uint32_t i) {
  uint32_t value;
  memcpy(&value, at(s, ref) + 4 * (size_t)i, 4);
  return value;
}

/* Checks a column of 32-bit values: "1 - 3" has an absent one in the middle. */
static void check_words(const selected *s, uint32_t column, const char *expected) {
  const spc_column *c = &s->columns[column];
  uint32_t i = 0;
  for (; *expected != '\0'; expected += strcspn(expected, " "), expected += *expected == ' ', i++) {
    bool there = *expected != '-';
    CHECK(i < c->count && at(s, c->present)[i] == there);
    CHECK_U64(word(s, c->values, i), there ? strtoul(expected, NULL, 10) : 0);
  }
  CHECK_U64(c->count, i);
}

static void check_starts(const selected *s, uint32_t column, const char *expected) {
  for (uint32_t i = 0; *expected != '\0'; i++) {
    char *end;
    CHECK_U64(word(s, s->columns[column].starts, i), strtoul(expected, &end, 10));
    expected = end;
  }
}

static void columns_follow_paths_through_lists(void) {
  selected s = {.arena = test_arena()};
  uint8_t bytes[256];
  /* Two nested messages: the first has a = 7, the other one a corecursive with 3 numbers. */
  size_t n = test_hex(bytes, "08 05 82 03 02 08 07 82 03 07 12 05 fa 01 02 01 02 72 02 61 62");
  uint32_t single = add(&s, proto3, "optional_int32");
  uint32_t a = add(&s, proto3, "repeated_nested_message.a");
  uint32_t deep = add(&s, proto3, "repeated_nested_message.corecursive.repeated_int32");
  uint32_t text = add(&s, proto3, "optional_string");
  uint32_t none = add(&s, proto3, "optional_foreign_message.c");
  uint32_t empty = add(&s, proto3, "repeated_uint32");
  CHECK(run(&s, bytes, n) == SPC_OK);
  check_words(&s, single, "5");
  check_words(&s, a, "7 -");
  check_starts(&s, add(&s, proto3, "repeated_nested_message"), "0 2");
  check_words(&s, deep, "1 2");
  check_starts(&s, deep, "0 0 2");
  check_words(&s, none, "-");
  check_words(&s, empty, "");
  check_starts(&s, empty, "0 0");
  CHECK_U64(word(&s, s.columns[text].values, 0), n - 2);
  CHECK_U64(word(&s, s.columns[text].lengths, 0), 2);
  free(s.arena.base);
}

static void what_comes_last_counts(void) {
  selected s = {.arena = test_arena()};
  uint8_t bytes[256];
  uint32_t plain = add(&s, proto3, "optional_int32");
  uint32_t number = add(&s, proto3, "oneof_uint32");
  uint32_t inner = add(&s, proto3, "oneof_nested_message.a");
  uint32_t list = add(&s, proto3, "oneof_nested_message.corecursive.repeated_int32");
  uint32_t deep = add(&s, proto3,
                      "oneof_nested_message.corecursive.repeated_nested_message"
                      ".corecursive.oneof_uint32");
/* A number in the second of two elements, which another member of its oneof takes back. */
#define TWO "82 07 16 12 14 82 03 05 12 03 f8 06 07 82 03 09 12 07 f8 06 07 8a 07 01 61"
  static const struct {
    const char *hex, *plain, *number, *inner, *list, *deep;
  } cases[] = {
      {"08 01 08 02", "2", "-", "-", "", ""},
      {"f8 06 07 82 07 02 08 09", "-", "-", "9", "", ""},
      {"82 07 09 08 09 12 05 fa 01 02 01 02 f8 06 07", "-", "7", "-", "", ""},
      /* A member that was not asked for, and the first one again. */
      {"82 07 09 08 09 12 05 fa 01 02 01 02 8a 07 01 61", "-", "-", "-", "", ""},
      {"82 07 02 08 09 8a 07 01 61 82 07 07 12 05 fa 01 02 03 04", "-", "-", "-", "3 4", ""},
      {TWO, "-", "-", "-", "", "7 -"},
      /* All of it is taken back, and elements without the number come instead. */
      {TWO " 8a 07 01 61", "-", "-", "-", "", ""},
      {TWO " 8a 07 01 61 82 07 0c 12 0a 82 03 02 12 00 82 03 02 12 00", "-", "-", "-", "", "- -"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    spc_arena_reset(&s.arena);
    CHECK(run(&s, bytes, test_hex(bytes, cases[i].hex)) == SPC_OK);
    check_words(&s, plain, cases[i].plain);
    check_words(&s, number, cases[i].number);
    check_words(&s, inner, cases[i].inner);
    check_words(&s, list, cases[i].list);
    check_words(&s, deep, cases[i].deep);
  }
#undef TWO
  /* A message that would have to be merged. */
  CHECK(run(&s, bytes, test_hex(bytes, "82 07 00 82 07 00")) == SPC_MALFORMED);
  CHECK_U64(s.error.offset, 6);
  free(s.arena.base);
}

static void misuse_is_a_status(void) {
  static const struct {
    spc_column columns[2];
    spc_status status;
  } cases[] = {
      {{{.number = 99999}, {.number = 1}}, SPC_UNKNOWN_FIELD},
      {{{.number = 1}, {.number = 1}}, SPC_INVALID_ARGUMENT},
      {{{.number = 1}, {.parent = 1, .number = 1}}, SPC_WRONG_TYPE},
      {{{.parent = 1, .number = 1}, {.number = 1}}, SPC_INVALID_ARGUMENT},
      {{{.number = 18}, {.parent = 1, .number = 3}}, SPC_UNKNOWN_FIELD},
  };
  selected s = {.arena = test_arena(), .count = 2};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    memcpy(s.columns, cases[i].columns, sizeof cases[i].columns);
    CHECK(run(&s, NULL, 0) == cases[i].status && s.error.status == cases[i].status);
  }
  s.count = 0;
  for (uint32_t i = 0; i <= SPC_SELECT_DEPTH; i++)
    s.columns[s.count++] = (spc_column){.parent = i, .number = 27};
  CHECK(run(&s, NULL, 0) == SPC_DEPTH_LIMIT);
  s.count--;
  CHECK(run(&s, NULL, 0) == SPC_OK && s.columns[s.count - 1].count == 1);
  s.count = 1;
  s.columns[0] = (spc_column){.number = 14};
  uint8_t bytes[16];
  CHECK(run(&s, bytes, test_hex(bytes, "08 01 72 01 ff")) == SPC_BAD_UTF8 && s.error.offset == 4);
  CHECK(run(&s, bytes, test_hex(bytes, "08 01 72 02 61")) == SPC_TRUNCATED);
  CHECK(run(&s, bytes, test_hex(bytes, "08 01 7b 74")) == SPC_GROUP_MISMATCH);
  free(s.arena.base);
}

/* Values of the singular fields of a message at instance 0, against the message. */
static void compare(const selected *s, const spc_message *m, uint32_t parent) {
  for (uint32_t i = 0; i < s->count; i++) {
    const spc_column *c = &s->columns[i];
    if (c->parent != parent) continue;
    const spc_field *field = spc_message_type_by_number(m->type, c->number);
    const spc_field_info info = spc_field_describe(field);
    if (info.message != NULL) continue;
    bool there = at(s, c->present)[0] != 0,
         text = info.type == SPC_TYPE_STRING || info.type == SPC_TYPE_BYTES;
    if (spc_has(m, field) || info.explicit_presence) CHECK(there == spc_has(m, field));
    if (!there) continue;
    const spc_value own = spc_get(m, field);
    uint64_t value = 0;
    memcpy(&value, at(s, text ? c->lengths : c->values), text ? 4 : info.element_size);
    CHECK_U64(value, text ? own.slice.length : own.bits);
  }
}

static void columns_are_what_decoding_finds(void) {
  selected s = {.arena = test_arena()};
  spc_arena arena = test_arena();
  const spc_field *recursive = test_field(proto3, "recursive_message");
  s.columns[s.count++] = (spc_column){.number = spc_field_describe(recursive).number};
  for (uint32_t parent = 0; parent <= 1; parent++) {
    const spc_field *field;
    for (uint32_t i = 0; (field = spc_message_type_field(proto3, i)) != NULL; i++) {
      const spc_field_info info = spc_field_describe(field);
      if (info.message == NULL && !info.repeated)
        s.columns[s.count++] = (spc_column){.parent = parent, .number = info.number};
    }
  }
  uint32_t same = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    static uint8_t bytes[1 << 14];
    wire w = {bytes, bytes + sizeof bytes, seed};
    spc_message m, sub;
    put_message(&w, proto3, 3);
    size_t length = (size_t)(w.p - bytes);
    spc_arena_reset(&arena);
    spc_arena_reset(&s.arena);
    if (spc_decode(&arena, proto3, bytes, length, NULL, &m, NULL) != SPC_OK) continue;
    spc_status status = run(&s, bytes, length);
    if (status == SPC_MALFORMED) continue;
    CHECK(status == SPC_OK);
    for (uint32_t i = 1; i < s.count; i++)
      if (s.columns[i].parent == 0) CHECK_U64(s.columns[i].count, 1);
    compare(&s, &m, 0);
    if (spc_sub(&m, recursive, &sub)) compare(&s, &sub, 1);
    same++;
  }
  CHECK(same >= 100);
  free(arena.base);
  free(s.arena.base);
}

int main(void) {
  spc_arena tables = test_arena();
  const spc_schema *schema = test_schema(&tables, "conformance.fds");
  proto3 = test_type(schema, "protobuf_test_messages.proto3.TestAllTypesProto3");
  columns_follow_paths_through_lists();
  what_comes_last_counts();
  misuse_is_a_status();
  columns_are_what_decoding_finds();
  free(tables.base);
  return test_end();
}
