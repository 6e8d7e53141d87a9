/*
 * Schema text. One pass finds the definitions; each is then built when it is first needed, so that
 * the order in the text does not matter. Recursion follows definitions and brackets, and is cut at
 * SPC_SSZ_MAX_DEPTH of both together; the functions with large frames are kept apart from it. The
 * text is only read during spc_ssz_schema_read: the table keeps positions for that time and types
 * afterwards.
 */
#include <string.h>

#include "base/error.h"
#include "ssz/json_text.h"
#include "ssz/type_internal.h"

#define SCHEMA_MAX_NAME    128u
#define SCHEMA_MAX_ACTIVE  257u /* one more than legal, so that the builder sees it */
#define SCHEMA_MAX_OPTIONS 129u
#define SCHEMA_APART       __attribute__((noinline))

typedef struct schema_name {
  uint32_t name; /* arena offset */
  uint32_t length;
  size_t at; /* of the definition in the text */
  spc_ssz_type_id type;
  bool open; /* being built */
} schema_name;

typedef struct schema_reader {
  spc_ssz_schema *schema;
  const char *text; /* NULL when only finished types may be named */
  size_t length;
  unsigned depth;
  spc_error *error;
} schema_reader;

static schema_name *schema_names(const spc_ssz_schema *self) {
  return (schema_name *)spc_arena_at(self->builder.arena, self->names);
}

static const char *schema_name_text(const spc_ssz_schema *self, size_t index) {
  return (const char *)spc_arena_at(self->builder.arena, schema_names(self)[index].name);
}

/* Puts `name` and a dot before the path of the error. */
static void schema_prefix(spc_error *error, const char *name, size_t length) {
  if (error == NULL) return;
  size_t old = strlen(error->path);
  if (length > SPC_ERROR_PATH_SIZE - 2) length = SPC_ERROR_PATH_SIZE - 2;
  size_t start = length + (old != 0);
  if (old > SPC_ERROR_PATH_SIZE - 1 - start) old = SPC_ERROR_PATH_SIZE - 1 - start;
  memmove(error->path + start, error->path, old);
  memcpy(error->path, name, length);
  if (old != 0) error->path[length] = '.';
  error->path[start + old] = '\0';
}

static spc_ssz_type_id schema_fail(schema_reader *r, spc_status status, size_t offset) {
  if (r->schema->builder.error.status != SPC_OK) return 0;
  spc__fail_offset(&r->schema->builder.error, status, offset);
  return 0;
}

static bool schema_failed(const schema_reader *r) {
  return r->schema->builder.error.status != SPC_OK;
}

/* ---- Type texts ---- */

typedef struct schema_text {
  schema_reader *reader;
  const char *text;
  size_t length, at;
} schema_text;

static spc_ssz_type_id schema_parse(schema_text *t);
static spc_ssz_type_id schema_define(schema_reader *r, size_t index);

static bool schema_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static char schema_next(schema_text *t) {
  while (t->at < t->length && t->text[t->at] == ' ')
    t->at++;
  return t->at < t->length ? t->text[t->at] : '\0';
}

static bool schema_take(schema_text *t, char c) {
  if (schema_next(t) != c) return false;
  t->at++;
  return true;
}

static spc_ssz_type_id schema_bad(schema_text *t) {
  return schema_fail(t->reader, SPC_BAD_TYPE_TEXT, t->at);
}

static bool schema_number(schema_text *t, uint64_t *value) {
  spc__ssz_json json = spc__ssz_json_open(t->text, t->length);
  json.at = t->at;
  bool ok = spc__ssz_json_read_u64(&json, value);
  t->at = json.at;
  return ok;
}

/* Whether `word` is `name`, capitals aside. */
static bool schema_is(const char *word, size_t length, const char *name) {
  if (strlen(name) != length) return false;
  for (size_t i = 0; i < length; i++) {
    char c = word[i];
    if (c >= 'A' && c <= 'Z') c = (char)(c + ('a' - 'A'));
    if (c != name[i]) return false;
  }
  return true;
}

static bool schema_close(schema_text *t, spc_ssz_type_id id) {
  return id != 0 && schema_take(t, ']');
}

/* [N] */
static bool schema_length(schema_text *t, uint64_t *value) {
  return schema_take(t, '[') && schema_number(t, value) && schema_take(t, ']');
}

/* [T, N] or [T] */
static spc_ssz_type_id schema_sequence(schema_text *t, spc_ssz_kind kind) {
  spc_ssz_builder *b = &t->reader->schema->builder;
  if (!schema_take(t, '[')) return schema_bad(t);
  spc_ssz_type_id element = schema_parse(t);
  if (element == 0) return 0;
  uint64_t n = 0;
  if (kind != SPC_SSZ_PROGRESSIVE_LIST && (!schema_take(t, ',') || !schema_number(t, &n)))
    return schema_bad(t);
  if (!schema_close(t, element)) return schema_bad(t);
  if (kind == SPC_SSZ_VECTOR) return spc_ssz_build_vector(b, element, n);
  if (kind == SPC_SSZ_LIST) return spc_ssz_build_list(b, element, n);
  return spc_ssz_build_progressive_list(b, element);
}

static spc_ssz_type_id schema_bytes(schema_text *t, spc_ssz_kind kind) {
  spc_ssz_builder *b = &t->reader->schema->builder;
  uint64_t n = 0;
  if (kind == SPC_SSZ_PROGRESSIVE_LIST)
    return spc_ssz_build_progressive_list(b, spc_ssz_build_byte(b));
  if (!schema_length(t, &n)) return schema_bad(t);
  return kind == SPC_SSZ_VECTOR ? spc_ssz_build_vector(b, spc_ssz_build_byte(b), n)
                                : spc_ssz_build_list(b, spc_ssz_build_byte(b), n);
}

static spc_ssz_type_id schema_bits(schema_text *t, spc_ssz_kind kind) {
  spc_ssz_builder *b = &t->reader->schema->builder;
  uint64_t n = 0;
  if (!schema_length(t, &n)) return schema_bad(t);
  return kind == SPC_SSZ_BITVECTOR ? spc_ssz_build_bitvector(b, n) : spc_ssz_build_bitlist(b, n);
}

/* [T0, T1, ...] */
SCHEMA_APART static spc_ssz_type_id schema_union(schema_text *t) {
  spc_ssz_type_id options[SCHEMA_MAX_OPTIONS];
  size_t count = 0;
  if (!schema_take(t, '[')) return schema_bad(t);
  do {
    if (count == SCHEMA_MAX_OPTIONS) return schema_fail(t->reader, SPC_BAD_SELECTOR, t->at);
    schema_next(t);
    if (t->length - t->at >= 4 && memcmp(t->text + t->at, "None", 4) == 0 &&
        (t->at + 4 == t->length || !schema_is_letter(t->text[t->at + 4]))) {
      t->at += 4;
      options[count++] = SPC_SSZ_NONE;
    } else {
      options[count] = schema_parse(t);
      if (options[count++] == 0) return 0;
    }
  } while (schema_take(t, ','));
  if (!schema_take(t, ']')) return schema_bad(t);
  return spc_ssz_build_union(&t->reader->schema->builder, options, count);
}

/* ({1: T, 2: T}) */
SCHEMA_APART static spc_ssz_type_id schema_compatible_union(schema_text *t) {
  uint8_t selectors[SCHEMA_MAX_OPTIONS];
  spc_ssz_type_id options[SCHEMA_MAX_OPTIONS];
  size_t count = 0;
  if (!schema_take(t, '(') || !schema_take(t, '{')) return schema_bad(t);
  do {
    uint64_t selector = 0;
    if (count == SCHEMA_MAX_OPTIONS) return schema_fail(t->reader, SPC_BAD_SELECTOR, t->at);
    schema_next(t);
    if (!schema_number(t, &selector) || !schema_take(t, ':')) return schema_bad(t);
    selectors[count] = selector > 255 ? 0 : (uint8_t)selector;
    options[count] = schema_parse(t);
    if (options[count++] == 0) return 0;
  } while (schema_take(t, ','));
  if (!schema_take(t, '}') || !schema_take(t, ')')) return schema_bad(t);
  return spc_ssz_build_compatible_union(&t->reader->schema->builder, selectors, options, count);
}

/* uint8 and the like, Bytes32 and the like. */
static spc_ssz_type_id schema_numbered(schema_text *t, const char *word, size_t length,
                                       size_t start) {
  spc_ssz_builder *b = &t->reader->schema->builder;
  size_t letters = 0;
  while (letters < length && !(word[letters] >= '0' && word[letters] <= '9'))
    letters++;
  bool is_uint = schema_is(word, letters, "uint"), is_bytes = schema_is(word, letters, "bytes");
  uint64_t n = 0;
  schema_text digits = {t->reader, word, length, letters};
  if ((is_uint || is_bytes) && schema_number(&digits, &n) && digits.at == length) {
    if (is_bytes) return spc_ssz_build_vector(b, spc_ssz_build_byte(b), n);
    if (n >= 8 && n <= 256 && (n & (n - 1)) == 0) return spc_ssz_build_uint(b, (unsigned)n);
  }
  return schema_fail(t->reader, SPC_UNDEFINED_TYPE, start);
}

static spc_ssz_type_id schema_built_in(schema_text *t, const char *word, size_t length,
                                       size_t start) {
  spc_ssz_builder *b = &t->reader->schema->builder;
  if (schema_is(word, length, "byte")) return spc_ssz_build_byte(b);
  if (schema_is(word, length, "boolean") || schema_is(word, length, "bool"))
    return spc_ssz_build_boolean(b);
  if (schema_is(word, length, "bitvector")) return schema_bits(t, SPC_SSZ_BITVECTOR);
  if (schema_is(word, length, "bitlist")) return schema_bits(t, SPC_SSZ_BITLIST);
  if (schema_is(word, length, "progressivebitlist")) return spc_ssz_build_progressive_bitlist(b);
  if (schema_is(word, length, "vector")) return schema_sequence(t, SPC_SSZ_VECTOR);
  if (schema_is(word, length, "list")) return schema_sequence(t, SPC_SSZ_LIST);
  if (schema_is(word, length, "progressivelist"))
    return schema_sequence(t, SPC_SSZ_PROGRESSIVE_LIST);
  if (schema_is(word, length, "bytevector")) return schema_bytes(t, SPC_SSZ_VECTOR);
  if (schema_is(word, length, "bytelist")) return schema_bytes(t, SPC_SSZ_LIST);
  if (schema_is(word, length, "progressivebytelist"))
    return schema_bytes(t, SPC_SSZ_PROGRESSIVE_LIST);
  if (schema_is(word, length, "union")) return schema_union(t);
  if (schema_is(word, length, "compatibleunion")) return schema_compatible_union(t);
  return schema_numbered(t, word, length, start);
}

static bool schema_find(const spc_ssz_schema *self, const char *word, size_t length,
                        size_t *index) {
  for (size_t i = 0; i < self->count; i++)
    if (schema_names(self)[i].length == length &&
        memcmp(schema_name_text(self, i), word, length) == 0) {
      *index = i;
      return true;
    }
  return false;
}

static spc_ssz_type_id schema_parse(schema_text *t) {
  if (t->reader->depth > SPC_SSZ_MAX_DEPTH) return schema_fail(t->reader, SPC_DEPTH_LIMIT, t->at);
  schema_next(t);
  size_t start = t->at, index;
  while (t->at < t->length && schema_is_letter(t->text[t->at]))
    t->at++;
  if (t->at == start) return schema_bad(t);
  if (schema_find(t->reader->schema, t->text + start, t->at - start, &index))
    return schema_define(t->reader, index);
  t->reader->depth++;
  spc_ssz_type_id id = schema_built_in(t, t->text + start, t->at - start, start);
  t->reader->depth--;
  return id;
}

/* A whole type text; `offset` is where it begins, for errors. */
static spc_ssz_type_id schema_type_text(schema_reader *r, const char *text, size_t length,
                                        size_t offset) {
  schema_text t = {r, text, length, 0};
  spc_ssz_builder *b = &r->schema->builder;
  spc_ssz_type_id id = schema_parse(&t);
  if (id != 0 && schema_next(&t) != '\0') id = schema_bad(&t);
  if (id == 0 && b->error.offset != SPC_NO_POSITION && b->error.limit == SPC_NO_POSITION) {
    b->error.offset += offset;
    b->error.limit = offset; /* so that only the innermost text adds its place */
  }
  return id;
}

/* ---- Definitions ---- */

typedef struct schema_parts {
  size_t kind, fields, options, active; /* positions of the values; 0 where absent */
} schema_parts;

static spc__ssz_json schema_json(const schema_reader *r, size_t at) {
  spc__ssz_json json = spc__ssz_json_open(r->text, r->length);
  json.at = at;
  return json;
}

static spc_ssz_type_id schema_json_failed(schema_reader *r, const spc__ssz_json *json) {
  return schema_fail(r, json->status == SPC_OK ? SPC_MALFORMED : json->status, json->at);
}

static spc_ssz_type_id schema_string_type(schema_reader *r, spc__ssz_json *json) {
  spc__ssz_json_string s = spc__ssz_json_read_string(json);
  if (json->status != SPC_OK) return schema_json_failed(r, json);
  return schema_type_text(r, s.text, s.length, (size_t)(s.text - r->text));
}

static size_t schema_count_items(schema_reader *r, size_t at, char open, char close) {
  spc__ssz_json json = schema_json(r, at);
  bool first = true;
  size_t count = 0;
  spc__ssz_json_expect(&json, open);
  while (spc__ssz_json_more(&json, &first, close)) {
    if (open == '{') {
      spc__ssz_json_read_string(&json);
      spc__ssz_json_expect(&json, ':');
    }
    spc__ssz_json_skip(&json);
    count++;
  }
  if (json.status != SPC_OK) schema_json_failed(r, &json);
  return count;
}

/* [1, 0, true] or "101" */
static size_t schema_active(schema_reader *r, size_t at, bool active[SCHEMA_MAX_ACTIVE]) {
  spc__ssz_json json = schema_json(r, at);
  bool first = true;
  size_t count = 0;
  if (spc__ssz_json_peek(&json) == '"') {
    spc__ssz_json_string digits = spc__ssz_json_read_string(&json);
    for (size_t i = 0; i < digits.length && json.status == SPC_OK; i++) {
      char c = digits.text[i];
      if (c != '0' && c != '1') spc__ssz_json_fail(&json, SPC_MALFORMED);
      if (count < SCHEMA_MAX_ACTIVE) active[count++] = c == '1';
    }
    if (json.status != SPC_OK) schema_json_failed(r, &json);
    return count;
  }
  spc__ssz_json_expect(&json, '[');
  while (spc__ssz_json_more(&json, &first, ']')) {
    bool on = spc__ssz_json_word(&json, "true") || spc__ssz_json_take(&json, '1');
    if (!on && !spc__ssz_json_word(&json, "false")) spc__ssz_json_expect(&json, '0');
    if (count < SCHEMA_MAX_ACTIVE) active[count++] = on;
  }
  if (json.status != SPC_OK) schema_json_failed(r, &json);
  return count;
}

/* The fields wait in the arena until all are there; types built meanwhile may move it. */
SCHEMA_APART static spc_ssz_type_id schema_container(schema_reader *r, const char *name,
                                                     schema_parts parts, bool progressive) {
  spc_ssz_builder *b = &r->schema->builder;
  bool active[SCHEMA_MAX_ACTIVE] = {false};
  spc__ssz_fields fields = {.arena = b->arena};
  fields.count = schema_count_items(r, parts.fields, '[', ']');
  size_t active_count = progressive ? schema_active(r, parts.active, active) : 0;
  if (schema_failed(r)) return 0;
  if (fields.count > SPC_SSZ_MAX_FIELDS) return schema_fail(r, SPC_COUNT_LIMIT, parts.fields);
  if (spc_arena_alloc(b->arena, (fields.count + 1) * sizeof(spc__ssz_field_entry),
                      &fields.entries) != SPC_OK)
    return schema_fail(r, SPC_OUT_OF_MEMORY, parts.fields);
  spc__ssz_json json = schema_json(r, parts.fields);
  bool first = true;
  spc__ssz_json_expect(&json, '[');
  for (size_t i = 0; spc__ssz_json_more(&json, &first, ']'); i++) {
    spc__ssz_json_expect(&json, '[');
    spc__ssz_json_string field = spc__ssz_json_read_string(&json);
    spc__ssz_json_expect(&json, ',');
    spc_ssz_type_id type = json.status == SPC_OK ? schema_string_type(r, &json) : 0;
    if (schema_failed(r)) {
      schema_prefix(&b->error, field.text, field.length);
      return 0;
    }
    spc__ssz_json_expect(&json, ']');
    uint32_t name_at;
    if (json.status != SPC_OK) break;
    if (spc_arena_alloc(b->arena, field.length + 1, &name_at) != SPC_OK)
      return schema_fail(r, SPC_OUT_OF_MEMORY, json.at);
    char *copy = (char *)spc_arena_at(b->arena, name_at);
    memcpy(copy, field.text, field.length);
    copy[field.length] = '\0';
    ((spc__ssz_field_entry *)spc_arena_at(b->arena, fields.entries))[i] =
        (spc__ssz_field_entry){name_at, type};
  }
  if (json.status != SPC_OK) return schema_json_failed(r, &json);
  return spc__ssz_build_container(b, name, &fields, progressive ? active : NULL, active_count);
}

SCHEMA_APART static spc_ssz_type_id schema_options(schema_reader *r, size_t at) {
  uint8_t selectors[SCHEMA_MAX_OPTIONS];
  spc_ssz_type_id options[SCHEMA_MAX_OPTIONS];
  size_t count = 0;
  bool first = true;
  spc__ssz_json json = schema_json(r, at);
  spc__ssz_json_expect(&json, '{');
  while (spc__ssz_json_more(&json, &first, '}')) {
    spc__ssz_json_string key = spc__ssz_json_read_string(&json);
    spc__ssz_json_expect(&json, ':');
    spc__ssz_json number = spc__ssz_json_open(key.text, key.length);
    uint64_t selector = 0;
    if (json.status != SPC_OK) break;
    if (!spc__ssz_json_read_u64(&number, &selector) || number.at != key.length || selector > 255 ||
        count == SCHEMA_MAX_OPTIONS)
      return schema_fail(r, SPC_BAD_SELECTOR, json.at);
    selectors[count] = (uint8_t)selector;
    options[count] = schema_string_type(r, &json);
    if (options[count++] == 0) return 0;
  }
  if (json.status != SPC_OK) return schema_json_failed(r, &json);
  return spc_ssz_build_compatible_union(&r->schema->builder, selectors, options, count);
}

SCHEMA_APART static spc_ssz_type_id schema_option_list(schema_reader *r, size_t at) {
  spc_ssz_type_id options[SCHEMA_MAX_OPTIONS];
  size_t count = 0;
  bool first = true;
  spc__ssz_json json = schema_json(r, at);
  spc__ssz_json_expect(&json, '[');
  while (spc__ssz_json_more(&json, &first, ']')) {
    if (count == SCHEMA_MAX_OPTIONS) return schema_fail(r, SPC_BAD_SELECTOR, json.at);
    if (spc__ssz_json_word(&json, "\"None\""))
      options[count++] = SPC_SSZ_NONE;
    else if ((options[count++] = schema_string_type(r, &json)) == 0)
      return 0;
  }
  if (json.status != SPC_OK) return schema_json_failed(r, &json);
  return spc_ssz_build_union(&r->schema->builder, options, count);
}

static bool schema_key(spc__ssz_json_string key, const char *name) {
  return spc__ssz_json_equals(key, name, strlen(name));
}

static schema_parts schema_find_parts(spc__ssz_json *json) {
  schema_parts parts = {0, 0, 0, 0};
  bool first = true;
  spc__ssz_json_expect(json, '{');
  while (spc__ssz_json_more(json, &first, '}')) {
    spc__ssz_json_string key = spc__ssz_json_read_string(json);
    spc__ssz_json_expect(json, ':');
    spc__ssz_json_peek(json);
    if (schema_key(key, "kind")) parts.kind = json->at;
    if (schema_key(key, "fields")) parts.fields = json->at;
    if (schema_key(key, "options")) parts.options = json->at;
    if (schema_key(key, "active_fields")) parts.active = json->at;
    spc__ssz_json_skip(json);
  }
  return parts;
}

static spc_ssz_type_id schema_definition(schema_reader *r, const char *name, size_t at) {
  spc__ssz_json json = schema_json(r, at);
  if (spc__ssz_json_peek(&json) == '"') return schema_string_type(r, &json);
  schema_parts parts = schema_find_parts(&json);
  if (json.status != SPC_OK) return schema_json_failed(r, &json);
  spc__ssz_json kind_json = schema_json(r, parts.kind);
  spc__ssz_json_string kind = {"", 0};
  if (parts.kind != 0) kind = spc__ssz_json_read_string(&kind_json);
  if (schema_key(kind, "Container") && parts.fields != 0)
    return schema_container(r, name, parts, false);
  if (schema_key(kind, "ProgressiveContainer") && parts.fields != 0 && parts.active != 0)
    return schema_container(r, name, parts, true);
  if (schema_key(kind, "CompatibleUnion") && parts.options != 0)
    return schema_options(r, parts.options);
  if (schema_key(kind, "Union") && parts.options != 0) return schema_option_list(r, parts.options);
  return schema_fail(r, SPC_MALFORMED, at);
}

static spc_ssz_type_id schema_define(schema_reader *r, size_t index) {
  schema_name *entry = &schema_names(r->schema)[index];
  if (entry->type != 0) return entry->type;
  if (entry->open || r->text == NULL) return schema_fail(r, SPC_RECURSIVE_TYPE, entry->at);
  if (r->depth > SPC_SSZ_MAX_DEPTH) return schema_fail(r, SPC_DEPTH_LIMIT, entry->at);
  entry->open = true;
  r->depth++;
  char name[SCHEMA_MAX_NAME];
  uint32_t length = entry->length;
  memcpy(name, schema_name_text(r->schema, index), length + 1);
  spc_ssz_type_id id = schema_definition(r, name, entry->at);
  r->depth--;
  entry = &schema_names(r->schema)[index];
  entry->open = false;
  entry->type = id;
  if (id == 0) schema_prefix(&r->schema->builder.error, name, length);
  return id;
}

/* ---- Public ---- */

void spc_ssz_schema_init(spc_ssz_schema *self, spc_arena *arena) {
  spc_ssz_build_init(&self->builder, arena);
  self->names = 0;
  self->count = 0;
}

/* Moves to the value of the member `section`. */
static void schema_enter(spc__ssz_json *json, const char *section) {
  bool first = true;
  spc__ssz_json_expect(json, '{');
  while (spc__ssz_json_more(json, &first, '}')) {
    spc__ssz_json_string key = spc__ssz_json_read_string(json);
    spc__ssz_json_expect(json, ':');
    if (spc__ssz_json_equals(key, section, strlen(section))) return;
    spc__ssz_json_skip(json);
  }
  spc__ssz_json_fail(json, SPC_NOT_FOUND);
}

static void schema_collect(schema_reader *r, spc__ssz_json json) {
  spc_ssz_schema *self = r->schema;
  bool first = true;
  spc__ssz_json_expect(&json, '{');
  for (uint32_t i = 0; spc__ssz_json_more(&json, &first, '}'); i++) {
    spc__ssz_json_string key = spc__ssz_json_read_string(&json);
    spc__ssz_json_expect(&json, ':');
    spc__ssz_json_peek(&json);
    size_t at = json.at, other;
    bool good = key.length != 0 && key.length < SCHEMA_MAX_NAME &&
                !schema_find(self, key.text, key.length, &other);
    for (size_t k = 0; k < key.length; k++)
      good = good && schema_is_letter(key.text[k]);
    if (json.status == SPC_OK && !good) {
      schema_fail(r, SPC_BAD_NAME, at);
      return;
    }
    spc__ssz_json_skip(&json);
    if (json.status != SPC_OK) break;
    uint32_t name_at;
    if (spc_arena_alloc(self->builder.arena, key.length + 1, &name_at) != SPC_OK) {
      schema_fail(r, SPC_OUT_OF_MEMORY, at);
      return;
    }
    char *name = (char *)spc_arena_at(self->builder.arena, name_at);
    memcpy(name, key.text, key.length);
    name[key.length] = '\0';
    schema_names(self)[i] = (schema_name){name_at, (uint32_t)key.length, at, 0, false};
    self->count = i + 1;
  }
  if (json.status != SPC_OK) schema_json_failed(r, &json);
}

static spc_status schema_report(schema_reader *r) {
  spc_error *own = &r->schema->builder.error;
  spc_status status = own->status;
  if (status == SPC_OK) return SPC_OK;
  own->limit = SPC_NO_POSITION;
  if (r->error != NULL) *r->error = *own;
  spc__fail(own, SPC_OK);
  return status;
}

static spc_status schema_read(spc_ssz_schema *self, const char *text, size_t length,
                              const char *section, spc_error *error) {
  spc_arena *arena = self->builder.arena;
  schema_reader reader = {self, text, length, 0, error};
  spc__ssz_json json = spc__ssz_json_open(text, length);
  if (section != NULL) schema_enter(&json, section);
  if (json.status != SPC_OK) {
    schema_json_failed(&reader, &json);
    return schema_report(&reader);
  }
  spc__ssz_json_peek(&json);
  size_t start = json.at, count = schema_count_items(&reader, start, '{', '}');
  if (section == NULL && !schema_failed(&reader)) {
    spc__ssz_json_skip(&json);
    spc__ssz_json_end(&json);
    if (json.status != SPC_OK) schema_json_failed(&reader, &json);
  }
  if (schema_failed(&reader)) return schema_report(&reader);
  if (spc_arena_alloc(arena, (count + 1) * sizeof(schema_name), &self->names) != SPC_OK) {
    schema_fail(&reader, SPC_OUT_OF_MEMORY, start);
    return schema_report(&reader);
  }
  json.at = start;
  schema_collect(&reader, json);
  for (size_t i = 0; i < self->count && !schema_failed(&reader); i++)
    schema_define(&reader, i);
  return schema_report(&reader);
}

spc_status spc_ssz_schema_read(spc_ssz_schema *self, spc_arena *arena, const char *text,
                               size_t length, const char *section, spc_error *error) {
  size_t before = arena->used;
  spc_ssz_schema_init(self, arena);
  spc_status status = schema_read(self, text, length, section, error);
  if (status == SPC_OK) return SPC_OK;
  spc_ssz_schema_init(self, arena);
  arena->used = before;
  return status;
}

spc_status spc_ssz_schema_type(spc_ssz_schema *self, const char *text, size_t length,
                               const spc_ssz_type **type, spc_error *error) {
  schema_reader reader = {self, NULL, 0, 0, error};
  size_t before = self->builder.arena->used;
  spc_ssz_type_id last = self->builder.last;
  spc_ssz_type_id id = schema_type_text(&reader, text, length, 0);
  if (id == 0) {
    self->builder.arena->used = before;
    self->builder.last = last;
    return schema_report(&reader);
  }
  *type = (const spc_ssz_type *)spc_arena_at(self->builder.arena, id);
  return SPC_OK;
}

const char *spc_ssz_schema_name(const spc_ssz_schema *self, size_t index) {
  return index < self->count ? schema_name_text(self, index) : NULL;
}
