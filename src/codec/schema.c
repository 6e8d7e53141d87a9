/*
 * Schemas: from the bytes of a FileDescriptorSet to tables.
 *
 * The set is decoded by this codec with a small schema of descriptor.proto, which is made here
 * from a hand-written list by the same code that lays out every other type. Then the descriptors
 * are walked twice: once to list all symbols and fields (work arrays: sch_symbol, sch_field), once
 * to write the tables, so that all tables are contiguous and references need one pass at the end.
 * All work memory lies before the tables in the arena; at the end the tables, which have no
 * absolute addresses, are moved down over it.
 *
 * Nothing in a descriptor is trusted: what the tables' readers rely on (numbers in range and
 * unique, types that exist, slots within the record, map entries of the right shape) is checked
 * here. The walk's recursion is bounded by the depth limit of the decoder.
 */
#include <string.h>

#include "base/error.h"
#include "codec/number.h"
#include "codec/sort.h"
#include "codec/table.h"
#include "codec/wire.h"

#define SCH_TRY(expression)                                                                        \
  do {                                                                                             \
    spc_status try_ = (expression);                                                                \
    if (try_ != SPC_OK) return try_;                                                               \
  } while (0)

/* ---- The schema of descriptors */

typedef enum sch_descriptor {
  SCH_SET,
  SCH_FILE,
  SCH_MESSAGE,
  SCH_ENUM,
  SCH_FIELD,
  SCH_FILE_OPTIONS,
  SCH_RANGE,
  SCH_MESSAGE_OPTIONS,
  SCH_ONEOF,
  SCH_VALUE,
  SCH_ENUM_OPTIONS,
  SCH_FIELD_OPTIONS,
  SCH_FEATURES,
  SCH_ONEOF_OPTIONS,
  SCH_DESCRIPTOR_COUNT
} sch_descriptor;

#define SCH_MANY 0x80 /* repeated */

static const struct {
  uint8_t owner, number, type, sub;
} sch_fields[] = {
    {SCH_SET, 1, SPC_TYPE_MESSAGE | SCH_MANY, SCH_FILE},
    {SCH_FILE, 1, SPC_TYPE_STRING, 0},
    {SCH_FILE, 2, SPC_TYPE_STRING, 0},
    {SCH_FILE, 4, SPC_TYPE_MESSAGE | SCH_MANY, SCH_MESSAGE},
    {SCH_FILE, 5, SPC_TYPE_MESSAGE | SCH_MANY, SCH_ENUM},
    {SCH_FILE, 7, SPC_TYPE_MESSAGE | SCH_MANY, SCH_FIELD},
    {SCH_FILE, 8, SPC_TYPE_MESSAGE, SCH_FILE_OPTIONS},
    {SCH_FILE, 12, SPC_TYPE_STRING, 0},
    {SCH_FILE, 14, SPC_TYPE_INT32, 0},
    {SCH_MESSAGE, 1, SPC_TYPE_STRING, 0},
    {SCH_MESSAGE, 2, SPC_TYPE_MESSAGE | SCH_MANY, SCH_FIELD},
    {SCH_MESSAGE, 3, SPC_TYPE_MESSAGE | SCH_MANY, SCH_MESSAGE},
    {SCH_MESSAGE, 4, SPC_TYPE_MESSAGE | SCH_MANY, SCH_ENUM},
    {SCH_MESSAGE, 5, SPC_TYPE_MESSAGE | SCH_MANY, SCH_RANGE},
    {SCH_MESSAGE, 6, SPC_TYPE_MESSAGE | SCH_MANY, SCH_FIELD},
    {SCH_MESSAGE, 7, SPC_TYPE_MESSAGE, SCH_MESSAGE_OPTIONS},
    {SCH_MESSAGE, 8, SPC_TYPE_MESSAGE | SCH_MANY, SCH_ONEOF},
    {SCH_ENUM, 1, SPC_TYPE_STRING, 0},
    {SCH_ENUM, 2, SPC_TYPE_MESSAGE | SCH_MANY, SCH_VALUE},
    {SCH_ENUM, 3, SPC_TYPE_MESSAGE, SCH_ENUM_OPTIONS},
    {SCH_FIELD, 1, SPC_TYPE_STRING, 0},
    {SCH_FIELD, 2, SPC_TYPE_STRING, 0},
    {SCH_FIELD, 3, SPC_TYPE_INT32, 0},
    {SCH_FIELD, 4, SPC_TYPE_INT32, 0},
    {SCH_FIELD, 5, SPC_TYPE_INT32, 0},
    {SCH_FIELD, 6, SPC_TYPE_STRING, 0},
    {SCH_FIELD, 7, SPC_TYPE_BYTES, 0},
    {SCH_FIELD, 8, SPC_TYPE_MESSAGE, SCH_FIELD_OPTIONS},
    {SCH_FIELD, 9, SPC_TYPE_INT32, 0},
    {SCH_FIELD, 10, SPC_TYPE_STRING, 0},
    {SCH_FIELD, 17, SPC_TYPE_BOOL, 0},
    {SCH_FILE_OPTIONS, 50, SPC_TYPE_MESSAGE, SCH_FEATURES},
    {SCH_RANGE, 1, SPC_TYPE_INT32, 0},
    {SCH_RANGE, 2, SPC_TYPE_INT32, 0},
    {SCH_MESSAGE_OPTIONS, 1, SPC_TYPE_BOOL, 0},
    {SCH_MESSAGE_OPTIONS, 7, SPC_TYPE_BOOL, 0},
    {SCH_MESSAGE_OPTIONS, 11, SPC_TYPE_BOOL, 0},
    {SCH_MESSAGE_OPTIONS, 12, SPC_TYPE_MESSAGE, SCH_FEATURES},
    {SCH_ONEOF, 1, SPC_TYPE_STRING, 0},
    {SCH_ONEOF, 2, SPC_TYPE_MESSAGE, SCH_ONEOF_OPTIONS},
    {SCH_VALUE, 1, SPC_TYPE_STRING, 0},
    {SCH_VALUE, 2, SPC_TYPE_INT32, 0},
    {SCH_ENUM_OPTIONS, 7, SPC_TYPE_MESSAGE, SCH_FEATURES},
    {SCH_FIELD_OPTIONS, 2, SPC_TYPE_BOOL, 0},
    {SCH_FIELD_OPTIONS, 21, SPC_TYPE_MESSAGE, SCH_FEATURES},
    {SCH_FEATURES, 1, SPC_TYPE_INT32, 0},
    {SCH_FEATURES, 2, SPC_TYPE_INT32, 0},
    {SCH_FEATURES, 3, SPC_TYPE_INT32, 0},
    {SCH_FEATURES, 4, SPC_TYPE_INT32, 0},
    {SCH_FEATURES, 5, SPC_TYPE_INT32, 0},
    {SCH_FEATURES, 6, SPC_TYPE_INT32, 0},
    {SCH_ONEOF_OPTIONS, 1, SPC_TYPE_MESSAGE, SCH_FEATURES},
};

/* Values of FeatureSet, by the number of the feature - 1. */
typedef struct sch_features {
  uint8_t value[6];
} sch_features;

enum { SCH_PRESENCE, SCH_ENUM_TYPE, SCH_REPEATED, SCH_UTF8, SCH_ENCODING, SCH_JSON };
enum {
  SCH_EXPLICIT = 1,
  SCH_IMPLICIT = 2,
  SCH_LEGACY_REQUIRED = 3,
  SCH_OPEN = 1,
  SCH_CLOSED = 2,
  SCH_PACKED = 1,
  SCH_VERIFY = 2,
  SCH_DELIMITED = 2,
  SCH_BEST_EFFORT = 2
};

static const sch_features sch_proto2 = {{1, 2, 2, 3, 1, 2}};
static const sch_features sch_proto3 = {{2, 1, 1, 2, 1, 1}};
static const sch_features sch_edition_2023 = {{1, 1, 1, 2, 1, 1}};
static const uint8_t sch_feature_max[6] = {3, 2, 2, 3, 2, 2};

/* ---- Work arrays */

typedef struct sch_symbol {
  spc_slice name;        /* full */
  spc_slice file;        /* name of the file, for errors */
  uint32_t descriptor;   /* reference of the DescriptorProto, EnumDescriptorProto or field */
  uint32_t first, count; /* sch_field: those of a message, then by index; of an extension: itself */
  uint32_t extension;    /* 1 + index of the first extension of a message, linked by next */
  uint32_t object;       /* reference of the table */
  uint32_t extensions;   /* reference of the extensions' table */
  uint8_t kind;          /* spc__symbol_kind */
  uint8_t flags;         /* of spc_message_type */
  bool ranges;           /* has extension ranges */
  bool json_conflicts;   /* fields may have one JSON name */
  sch_features features;
} sch_symbol;

typedef struct sch_field {
  uint32_t number, descriptor;
  spc_slice name, json_name;
  uint32_t sub;          /* 1 + symbol */
  uint32_t next;         /* 1 + index of the next extension of the same message */
  uint32_t symbol;       /* of the message; of an extension itself */
  uint32_t table;        /* reference of the spc_field */
  uint32_t scope_length; /* bytes of the symbol's name within which names are looked up */
  uint16_t oneof;        /* 1 + index */
  uint8_t type;
  uint8_t flags; /* of spc_field */
  bool closed;
  bool extension;
  sch_features features;
} sch_field;

typedef struct sch_builder {
  spc_arena *arena;
  spc_error *error;
  const spc_message_type *types[SCH_DESCRIPTOR_COUNT]; /* of descriptors */
  uint32_t symbols, fields;                            /* references of the work arrays */
  uint32_t sorted;                                     /* symbols by name: uint32_t[symbol_count] */
  uint32_t symbol_count, field_count, message_count;
  spc_slice file;
} sch_builder;

static sch_symbol *sch_symbol_at(const sch_builder *b, uint32_t i) {
  return (sch_symbol *)spc_arena_at(b->arena, b->symbols) + i;
}

static sch_field *sch_field_at(const sch_builder *b, uint32_t i) {
  return (sch_field *)spc_arena_at(b->arena, b->fields) + i;
}

static const char *sch_text(const sch_builder *b, spc_slice slice) {
  return (const char *)spc_arena_at(b->arena, slice.offset);
}

static bool sch_is(const sch_builder *b, spc_slice slice, const char *text) {
  size_t length = strlen(text);
  return slice.length == length && memcmp(sch_text(b, slice), text, length) == 0;
}

/* A failure at a symbol or, if `member` is not empty, at a member of it. */
static spc_status sch_fail(sch_builder *b, spc_status status, spc_slice file, spc_slice name,
                           spc_slice member) {
  spc__fail(b->error, status);
  if (b->error == NULL) return status;
  const spc_slice parts[3] = {file, name, member};
  static const char *const between[3] = {"", ": ", "."};
  size_t at = 0;
  for (int i = 0; i < 3; i++) {
    if (parts[i].length == 0) continue;
    const char *lead = at == 0 ? "" : parts[1].length == 0 ? between[1] : between[i];
    for (; *lead != '\0' && at + 1 < SPC_ERROR_PATH_SIZE; lead++)
      b->error->path[at++] = *lead;
    const char *text = sch_text(b, parts[i]);
    for (uint32_t j = 0; j < parts[i].length && at + 1 < SPC_ERROR_PATH_SIZE; j++)
      b->error->path[at++] = text[j] >= ' ' && text[j] <= '~' ? text[j] : '?';
  }
  b->error->path[at] = '\0';
  return status;
}

static spc_status sch_fail_symbol(sch_builder *b, spc_status status, const sch_symbol *symbol) {
  return sch_fail(b, status, symbol->file, symbol->name, (spc_slice){0, 0});
}

static spc_status sch_fail_field(sch_builder *b, spc_status status, const sch_field *field) {
  const sch_symbol *symbol = sch_symbol_at(b, field->symbol);
  return sch_fail(b, status, symbol->file, symbol->name,
                  field->extension ? (spc_slice){0, 0} : field->name);
}

/* ---- Reading descriptors */

static spc_message sch_view(const sch_builder *b, sch_descriptor type, uint32_t ref) {
  return (spc_message){b->arena, b->types[type], ref};
}

static const spc_field *sch_number(const spc_message *m, uint32_t number) {
  return spc__find(m->type, number);
}

static spc_value sch_get(const sch_builder *b, sch_descriptor type, uint32_t ref, uint32_t number) {
  if (ref == 0) return (spc_value){0};
  spc_message m = sch_view(b, type, ref);
  return spc_get(&m, sch_number(&m, number));
}

static bool sch_has(const sch_builder *b, sch_descriptor type, uint32_t ref, uint32_t number) {
  spc_message m = sch_view(b, type, ref);
  return ref != 0 && spc_has(&m, sch_number(&m, number));
}

static uint32_t sch_count(const sch_builder *b, sch_descriptor type, uint32_t ref,
                          uint32_t number) {
  spc_message m = sch_view(b, type, ref);
  return spc_count(&m, sch_number(&m, number));
}

static uint32_t sch_item(const sch_builder *b, sch_descriptor type, uint32_t ref, uint32_t number,
                         uint32_t index) {
  spc_message m = sch_view(b, type, ref);
  return spc_at(&m, sch_number(&m, number), index).message;
}

/* Overrides features by those that a FeatureSet sets. */
static spc_status sch_override(const sch_builder *b, sch_features *features, uint32_t set) {
  for (uint32_t i = 0; i < sizeof sch_feature_max; i++) {
    if (!sch_has(b, SCH_FEATURES, set, i + 1)) continue;
    int32_t v = sch_get(b, SCH_FEATURES, set, i + 1).i32;
    if (v < 0 || v > sch_feature_max[i]) return SPC_BAD_DESCRIPTOR;
    if (v != 0) features->value[i] = (uint8_t)v;
  }
  return SPC_OK;
}

static bool sch_identifier(const sch_builder *b, spc_slice name, bool dots) {
  const char *s = sch_text(b, name);
  bool start = true;
  if (name.length == 0 || name.length > UINT16_MAX) return false;
  for (uint32_t i = 0; i < name.length; i++) {
    char c = s[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (c == '.' && dots && !start)
      start = true;
    else if (letter || (c >= '0' && c <= '9' && !start))
      start = false;
    else
      return false;
  }
  return !start;
}

/* "<scope>.<name>" in new memory, zero-terminated. */
static spc_status sch_join(sch_builder *b, spc_slice scope, spc_slice name, spc_slice *full) {
  uint32_t ref, dot = scope.length != 0;
  uint64_t length = (uint64_t)scope.length + dot + name.length;
  if (length > UINT16_MAX) return SPC_BAD_DESCRIPTOR;
  SCH_TRY(spc_arena_alloc(b->arena, (size_t)length + 1, &ref));
  char *out = (char *)spc_arena_at(b->arena, ref);
  if (scope.length != 0) memcpy(out, sch_text(b, scope), scope.length);
  if (dot) out[scope.length] = '.';
  memcpy(out + scope.length + dot, sch_text(b, name), name.length);
  out[length] = '\0';
  *full = (spc_slice){ref, (uint32_t)length};
  return SPC_OK;
}

/* ---- First walk: symbols and fields */

/* Counts what a message or file declares, itself not included. */
static void sch_measure(sch_builder *b, sch_descriptor type, uint32_t ref) {
  bool file = type == SCH_FILE;
  b->symbol_count += sch_count(b, type, ref, file ? 5 : 4) + sch_count(b, type, ref, file ? 7 : 6);
  b->field_count += sch_count(b, type, ref, file ? 7 : 6);
  if (!file) b->field_count += sch_count(b, type, ref, 2);
  uint32_t nested = file ? 4 : 3, n = sch_count(b, type, ref, nested);
  b->symbol_count += n;
  b->message_count += n;
  for (uint32_t i = 0; i < n; i++)
    sch_measure(b, SCH_MESSAGE, sch_item(b, type, ref, nested, i));
}

static spc_status sch_add_symbol(sch_builder *b, spc_slice scope, sch_descriptor type, uint32_t ref,
                                 const sch_features *features, uint32_t *index) {
  spc_slice full = {0, 0}, name = sch_get(b, type, ref, 1).slice;
  if (!sch_identifier(b, name, false)) return sch_fail(b, SPC_BAD_DESCRIPTOR, b->file, scope, name);
  spc_status status = sch_join(b, scope, name, &full);
  if (status != SPC_OK) return sch_fail(b, status, b->file, scope, name);
  *index = b->symbol_count++;
  sch_symbol *symbol = sch_symbol_at(b, *index);
  memset(symbol, 0, sizeof *symbol);
  symbol->name = full;
  symbol->file = b->file;
  symbol->descriptor = ref;
  symbol->features = *features;
  symbol->kind = type == SCH_MESSAGE ? SPC__SYMBOL_MESSAGE
                 : type == SCH_ENUM  ? SPC__SYMBOL_ENUM
                                     : SPC__SYMBOL_EXTENSION;
  return SPC_OK;
}

static spc_status sch_add_enum(sch_builder *b, spc_slice scope, uint32_t ref,
                               const sch_features *outer) {
  uint32_t index;
  sch_features features = *outer;
  SCH_TRY(sch_add_symbol(b, scope, SCH_ENUM, ref, outer, &index));
  uint32_t options = sch_get(b, SCH_ENUM, ref, 3).message;
  uint32_t set = sch_get(b, SCH_ENUM_OPTIONS, options, 7).message;
  sch_symbol *symbol = sch_symbol_at(b, index);
  if (sch_override(b, &features, set) != SPC_OK)
    return sch_fail_symbol(b, SPC_BAD_DESCRIPTOR, symbol);
  symbol->features = features;
  return SPC_OK;
}

/* What a field says of itself; what depends on other descriptors comes in sch_resolve. */
static spc_status sch_add_field(sch_builder *b, uint32_t symbol, uint32_t ref, bool extension,
                                const sch_features *outer) {
  sch_field *f = sch_field_at(b, b->field_count++);
  memset(f, 0, sizeof *f);
  f->symbol = symbol;
  f->descriptor = ref;
  f->extension = extension;
  f->name = sch_get(b, SCH_FIELD, ref, 1).slice;
  f->features = *outer;
  const sch_symbol *owner = sch_symbol_at(b, symbol);
  int32_t number = sch_get(b, SCH_FIELD, ref, 3).i32, type = sch_get(b, SCH_FIELD, ref, 5).i32;
  int32_t label = sch_get(b, SCH_FIELD, ref, 4).i32;
  bool oneof = sch_has(b, SCH_FIELD, ref, 9);
  if (!sch_identifier(b, f->name, false) || number < 1 ||
      (number > (int32_t)SPC__MAX_NUMBER && !extension) || (number >= 19000 && number <= 19999))
    return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  /* Only members of a message set may go higher, and no tag can carry those: they have no table. */
  f->number = (uint32_t)number;
  f->type = (uint8_t)type;
  /* Type 0 (set by compilers that left it to the resolver) is a message or an enum. */
  if (type < 0 || type > SPC_TYPE_SINT64 || label < 0 || label > 3)
    return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  uint32_t options = sch_get(b, SCH_FIELD, ref, 8).message;
  if (oneof && !extension) {
    int32_t index = sch_get(b, SCH_FIELD, ref, 9).i32;
    if (index < 0 || label == 3 ||
        (uint32_t)index >= sch_count(b, SCH_MESSAGE, owner->descriptor, 8))
      return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
    uint32_t decl = sch_item(b, SCH_MESSAGE, owner->descriptor, 8, (uint32_t)index);
    uint32_t set = sch_get(b, SCH_ONEOF_OPTIONS, sch_get(b, SCH_ONEOF, decl, 2).message, 1).message;
    if (sch_override(b, &f->features, set) != SPC_OK)
      return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
    if (!sch_get(b, SCH_FIELD, ref, 17).boolean) f->oneof = (uint16_t)(index + 1);
  }
  if (sch_override(b, &f->features, sch_get(b, SCH_FIELD_OPTIONS, options, 21).message) != SPC_OK)
    return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  if (label == 3) f->flags |= SPC__REPEATED;
  uint8_t presence = f->features.value[SCH_PRESENCE];
  bool required = label == 2 || (presence == SCH_LEGACY_REQUIRED && label != 3);
  if (required && (extension || f->oneof != 0)) return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  if (required) f->flags |= SPC__REQUIRED;
  if (f->oneof != 0) f->flags |= SPC__ONEOF;
  if (label != 3 && (presence != SCH_IMPLICIT || oneof || extension || required ||
                     sch_get(b, SCH_FIELD, ref, 17).boolean))
    f->flags |= SPC__EXPLICIT;
  if (sch_has(b, SCH_FIELD_OPTIONS, options, 2))
    f->features.value[SCH_REPEATED] =
        sch_get(b, SCH_FIELD_OPTIONS, options, 2).boolean ? SCH_PACKED : 2;
  return SPC_OK;
}

static spc_status sch_add_extensions(sch_builder *b, spc_slice scope, sch_descriptor type,
                                     uint32_t ref, const sch_features *features) {
  uint32_t number = type == SCH_FILE ? 7 : 6, n = sch_count(b, type, ref, number);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t symbol, field = sch_item(b, type, ref, number, i);
    SCH_TRY(sch_add_symbol(b, scope, SCH_FIELD, field, features, &symbol));
    sch_symbol_at(b, symbol)->first = b->field_count;
    SCH_TRY(sch_add_field(b, symbol, field, true, features));
    sch_field_at(b, b->field_count - 1)->scope_length = scope.length;
  }
  return SPC_OK;
}

static spc_status sch_add_message(sch_builder *b, spc_slice scope, uint32_t ref,
                                  const sch_features *outer) {
  uint32_t index, n;
  sch_features features = *outer;
  SCH_TRY(sch_add_symbol(b, scope, SCH_MESSAGE, ref, outer, &index));
  uint32_t options = sch_get(b, SCH_MESSAGE, ref, 7).message;
  sch_symbol *symbol = sch_symbol_at(b, index);
  if (sch_override(b, &features, sch_get(b, SCH_MESSAGE_OPTIONS, options, 12).message) != SPC_OK)
    return sch_fail_symbol(b, SPC_BAD_DESCRIPTOR, symbol);
  if (sch_get(b, SCH_MESSAGE_OPTIONS, options, 7).boolean) symbol->flags |= SPC__MAP_ENTRY;
  if (sch_get(b, SCH_MESSAGE_OPTIONS, options, 1).boolean) symbol->flags |= SPC__MESSAGE_SET;
  symbol->json_conflicts = sch_get(b, SCH_MESSAGE_OPTIONS, options, 11).boolean;
  symbol->features = features;
  symbol->ranges = sch_count(b, SCH_MESSAGE, ref, 5) != 0;
  symbol->first = b->field_count;
  symbol->count = n = sch_count(b, SCH_MESSAGE, ref, 2);
  spc_slice name = symbol->name;
  if (n > UINT16_MAX || sch_count(b, SCH_MESSAGE, ref, 8) >= UINT16_MAX)
    return sch_fail_symbol(b, SPC_COUNT_LIMIT, symbol);
  for (uint32_t i = 0; i < n; i++) {
    SCH_TRY(sch_add_field(b, index, sch_item(b, SCH_MESSAGE, ref, 2, i), false, &features));
    sch_field_at(b, b->field_count - 1)->scope_length = name.length;
  }
  n = sch_count(b, SCH_MESSAGE, ref, 3);
  for (uint32_t i = 0; i < n; i++)
    SCH_TRY(sch_add_message(b, name, sch_item(b, SCH_MESSAGE, ref, 3, i), &features));
  n = sch_count(b, SCH_MESSAGE, ref, 4);
  for (uint32_t i = 0; i < n; i++)
    SCH_TRY(sch_add_enum(b, name, sch_item(b, SCH_MESSAGE, ref, 4, i), &features));
  return sch_add_extensions(b, name, SCH_MESSAGE, ref, &features);
}

static spc_status sch_add_file(sch_builder *b, uint32_t ref) {
  const spc_slice none = {0, 0};
  spc_slice package = sch_get(b, SCH_FILE, ref, 2).slice;
  spc_slice syntax = sch_get(b, SCH_FILE, ref, 12).slice;
  b->file = sch_get(b, SCH_FILE, ref, 1).slice;
  if (package.length != 0 && !sch_identifier(b, package, true))
    return sch_fail(b, SPC_BAD_DESCRIPTOR, b->file, package, none);
  sch_features features;
  int32_t edition = sch_get(b, SCH_FILE, ref, 14).i32;
  if (syntax.length == 0 || sch_is(b, syntax, "proto2"))
    features = sch_proto2;
  else if (sch_is(b, syntax, "proto3"))
    features = sch_proto3;
  else if (sch_is(b, syntax, "editions") && (edition == 1000 || edition == 1001))
    features = sch_edition_2023;
  else
    return sch_fail(b, SPC_BAD_DESCRIPTOR, b->file, none, syntax);
  uint32_t options = sch_get(b, SCH_FILE, ref, 8).message;
  if (sch_override(b, &features, sch_get(b, SCH_FILE_OPTIONS, options, 50).message) != SPC_OK)
    return sch_fail(b, SPC_BAD_DESCRIPTOR, b->file, none, none);
  uint32_t n = sch_count(b, SCH_FILE, ref, 4);
  for (uint32_t i = 0; i < n; i++)
    SCH_TRY(sch_add_message(b, package, sch_item(b, SCH_FILE, ref, 4, i), &features));
  n = sch_count(b, SCH_FILE, ref, 5);
  for (uint32_t i = 0; i < n; i++)
    SCH_TRY(sch_add_enum(b, package, sch_item(b, SCH_FILE, ref, 5, i), &features));
  return sch_add_extensions(b, package, SCH_FILE, ref, &features);
}

/* ---- Names */

static int sch_compare_symbols(const void *context, uint32_t i, uint32_t j) {
  const sch_builder *b = (const sch_builder *)context;
  spc_slice x = sch_symbol_at(b, i)->name, y = sch_symbol_at(b, j)->name;
  return spc__compare_names(sch_text(b, x), x.length, sch_text(b, y), y.length);
}

static spc_status sch_sort_symbols(sch_builder *b) {
  SCH_TRY(spc_arena_alloc(b->arena, b->symbol_count * sizeof(uint32_t), &b->sorted));
  uint32_t *sorted = (uint32_t *)spc_arena_at(b->arena, b->sorted);
  for (uint32_t i = 0; i < b->symbol_count; i++)
    sorted[i] = i;
  spc__sort(sorted, b->symbol_count, sch_compare_symbols, b);
  for (uint32_t i = 1; i < b->symbol_count; i++)
    if (sch_compare_symbols(b, sorted[i - 1], sorted[i]) == 0)
      return sch_fail_symbol(b, SPC_DUPLICATE_NAME, sch_symbol_at(b, sorted[i]));
  return SPC_OK;
}

/* The symbol "<scope>.<name>", 1 + index, 0 if there is none. */
static uint32_t sch_lookup(const sch_builder *b, const char *scope, size_t scope_length,
                           const char *name, size_t name_length) {
  const uint32_t *sorted = (const uint32_t *)spc_arena_at(b->arena, b->sorted);
  uint32_t low = 0, high = b->symbol_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    spc_slice s = sch_symbol_at(b, sorted[middle])->name;
    const char *text = sch_text(b, s);
    size_t head = s.length < scope_length ? s.length : scope_length;
    int order = spc__compare_names(text, head, scope, scope_length);
    if (order == 0 && scope_length != 0) {
      order = s.length == scope_length ? -1 : (text[head] > '.') - (text[head] < '.');
      head++;
    }
    if (order == 0) order = spc__compare_names(text + head, s.length - head, name, name_length);
    if (order == 0) return sorted[middle] + 1;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}

/* A type's name as a field gives it: from the root with a leading dot, else from inside out. */
static uint32_t sch_resolve_name(const sch_builder *b, spc_slice scope, spc_slice name) {
  const char *text = sch_text(b, name), *outer = sch_text(b, scope);
  size_t length = scope.length;
  if (name.length != 0 && text[0] == '.') return sch_lookup(b, NULL, 0, text + 1, name.length - 1);
  for (;;) {
    uint32_t found = sch_lookup(b, outer, length, text, name.length);
    if (found != 0 || length == 0) return found;
    while (length > 0 && outer[length - 1] != '.')
      length--;
    if (length > 0) length--;
  }
}

/* ---- Second walk: what fields mean */

static bool sch_packable(uint8_t type) {
  return type != SPC_TYPE_STRING && type != SPC_TYPE_BYTES && type != SPC_TYPE_MESSAGE &&
         type != SPC_TYPE_GROUP;
}

static spc_status sch_extend(sch_builder *b, uint32_t index) {
  sch_field *f = sch_field_at(b, index);
  spc_slice scope = sch_symbol_at(b, f->symbol)->name;
  scope.length = f->scope_length;
  uint32_t found = sch_resolve_name(b, scope, sch_get(b, SCH_FIELD, f->descriptor, 2).slice);
  if (found == 0) return sch_fail_field(b, SPC_UNRESOLVED_NAME, f);
  sch_symbol *extended = sch_symbol_at(b, found - 1);
  if (extended->kind != SPC__SYMBOL_MESSAGE) return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  uint32_t n = sch_count(b, SCH_MESSAGE, extended->descriptor, 5);
  bool inside = false;
  for (uint32_t i = 0; i < n && !inside; i++) {
    uint32_t range = sch_item(b, SCH_MESSAGE, extended->descriptor, 5, i);
    int32_t number = (int32_t)f->number;
    inside = number >= sch_get(b, SCH_RANGE, range, 1).i32 &&
             number < sch_get(b, SCH_RANGE, range, 2).i32;
  }
  if (!inside) return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  if ((extended->flags & SPC__MESSAGE_SET) != 0 &&
      (f->type != SPC_TYPE_MESSAGE || (f->flags & SPC__REPEATED) != 0))
    return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  f->next = extended->extension;
  extended->extension = index + 1;
  return SPC_OK;
}

static spc_status sch_resolve(sch_builder *b, uint32_t index) {
  sch_field *f = sch_field_at(b, index);
  spc_slice scope = sch_symbol_at(b, f->symbol)->name;
  scope.length = f->scope_length;
  bool named = f->type == 0 || !sch_packable(f->type) || f->type == SPC_TYPE_ENUM;
  if (named && f->type != SPC_TYPE_STRING && f->type != SPC_TYPE_BYTES) {
    f->sub = sch_resolve_name(b, scope, sch_get(b, SCH_FIELD, f->descriptor, 6).slice);
    if (f->sub == 0) return sch_fail_field(b, SPC_UNRESOLVED_NAME, f);
    const sch_symbol *sub = sch_symbol_at(b, f->sub - 1);
    if (f->type == 0) f->type = sub->kind == SPC__SYMBOL_ENUM ? SPC_TYPE_ENUM : SPC_TYPE_MESSAGE;
    if (sub->kind != (f->type == SPC_TYPE_ENUM ? SPC__SYMBOL_ENUM : SPC__SYMBOL_MESSAGE))
      return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
    f->closed = f->type == SPC_TYPE_ENUM && sub->features.value[SCH_ENUM_TYPE] == SCH_CLOSED;
    if (f->type != SPC_TYPE_ENUM) {
      bool entry = (sch_symbol_at(b, f->symbol)->flags & SPC__MAP_ENTRY) != 0 && !f->extension;
      if ((sub->flags & SPC__MAP_ENTRY) != 0) {
        if ((f->flags & SPC__REPEATED) == 0 || f->extension || f->type == SPC_TYPE_GROUP)
          return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
        f->flags |= SPC__MAP;
      } else if (f->features.value[SCH_ENCODING] == SCH_DELIMITED && !entry) {
        f->type = SPC_TYPE_GROUP;
      }
      if ((f->flags & SPC__REPEATED) == 0) f->flags |= SPC__EXPLICIT;
    }
  }
  if ((f->flags & SPC__REPEATED) != 0 && sch_packable(f->type) &&
      f->features.value[SCH_REPEATED] == SCH_PACKED)
    f->flags |= SPC__PACKED;
  if (f->type == SPC_TYPE_STRING && f->features.value[SCH_UTF8] == SCH_VERIFY)
    f->flags |= SPC__UTF8;
  if (f->type == SPC_TYPE_BOOL) f->flags |= SPC__BOOL;
  if (f->extension) return sch_extend(b, index);
  return SPC_OK;
}

/* A map entry has exactly a key and a value, both always written. */
static spc_status sch_check_entry(sch_builder *b, const sch_symbol *symbol) {
  if ((symbol->flags & SPC__MAP_ENTRY) == 0) return SPC_OK;
  bool good = symbol->count == 2 && !symbol->ranges;
  for (uint32_t i = 0; i < 2 && good; i++) {
    sch_field *f = sch_field_at(b, symbol->first + i);
    good = f->number == i + 1 && (f->flags & (SPC__REPEATED | SPC__REQUIRED | SPC__ONEOF)) == 0;
    if (i == 0)
      good = good && f->sub == 0 && f->type != SPC_TYPE_BYTES && f->type != SPC_TYPE_DOUBLE &&
             f->type != SPC_TYPE_FLOAT;
    f->flags |= SPC__EXPLICIT;
  }
  return good ? SPC_OK : sch_fail_symbol(b, SPC_BAD_DESCRIPTOR, symbol);
}

/* ---- Tables */

static int32_t sch_distance(uint32_t from, uint32_t to) {
  return to == 0 ? 0 : (int32_t)((int64_t)to - (int64_t)from);
}

static spc_status sch_alloc(sch_builder *b, size_t size, uint32_t *ref) {
  SCH_TRY(spc_arena_alloc(b->arena, size, ref));
  memset(spc_arena_at(b->arena, *ref), 0, (size + 7) & ~(size_t)7);
  return *ref > INT32_MAX - size ? SPC_OUT_OF_MEMORY : SPC_OK;
}

/* Copies a name, zero-terminated. */
static spc_status sch_name(sch_builder *b, spc_slice name, uint32_t *ref) {
  SCH_TRY(sch_alloc(b, (size_t)name.length + 1, ref));
  if (name.length != 0)
    memcpy(spc_arena_at(b->arena, *ref), spc_arena_at(b->arena, name.offset), name.length);
  return SPC_OK;
}

static uint32_t sch_wire_type(const sch_field *f) {
  if ((f->flags & SPC__PACKED) != 0) return SPC__WIRE_BYTES;
  switch (f->type) {
  case SPC_TYPE_DOUBLE:
  case SPC_TYPE_FIXED64:
  case SPC_TYPE_SFIXED64:
    return SPC__WIRE_FIXED64;
  case SPC_TYPE_FLOAT:
  case SPC_TYPE_FIXED32:
  case SPC_TYPE_SFIXED32:
    return SPC__WIRE_FIXED32;
  case SPC_TYPE_STRING:
  case SPC_TYPE_BYTES:
  case SPC_TYPE_MESSAGE:
    return SPC__WIRE_BYTES;
  case SPC_TYPE_GROUP:
    return SPC__WIRE_START;
  default:
    return SPC__WIRE_VARINT;
  }
}

static uint8_t sch_kind(const sch_field *f) {
  bool repeated = (f->flags & SPC__REPEATED) != 0;
  switch (f->type) {
  case SPC_TYPE_DOUBLE:
  case SPC_TYPE_FIXED64:
  case SPC_TYPE_SFIXED64:
    return repeated ? SPC__REPEATED_FIXED64 : SPC__FIXED64;
  case SPC_TYPE_FLOAT:
  case SPC_TYPE_FIXED32:
  case SPC_TYPE_SFIXED32:
    return repeated ? SPC__REPEATED_FIXED32 : SPC__FIXED32;
  case SPC_TYPE_STRING:
  case SPC_TYPE_BYTES:
    return repeated ? SPC__REPEATED_BYTES : SPC__BYTES;
  case SPC_TYPE_MESSAGE:
    if ((f->flags & SPC__MAP) != 0) return SPC__MAP_ENTRIES;
    return repeated ? SPC__REPEATED_MESSAGE : SPC__MESSAGE;
  case SPC_TYPE_GROUP:
    return repeated ? SPC__REPEATED_GROUP : SPC__GROUP;
  case SPC_TYPE_BOOL:
    return repeated ? SPC__REPEATED_VARINT : SPC__BOOLEAN;
  case SPC_TYPE_ENUM:
    if (f->closed) return repeated ? SPC__REPEATED_CLOSED_ENUM : SPC__CLOSED_ENUM;
    return repeated ? SPC__REPEATED_VARINT : SPC__VARINT;
  default:
    return repeated ? SPC__REPEATED_VARINT : SPC__VARINT;
  }
}

static bool sch_wide(uint8_t type) {
  return type == SPC_TYPE_DOUBLE || type == SPC_TYPE_INT64 || type == SPC_TYPE_UINT64 ||
         type == SPC_TYPE_FIXED64 || type == SPC_TYPE_SFIXED64 || type == SPC_TYPE_SINT64;
}

static bool sch_slot_is_wide(const sch_field *f) {
  return sch_wide(f->type) || (f->flags & SPC__REPEATED) != 0 || f->type == SPC_TYPE_STRING ||
         f->type == SPC_TYPE_BYTES;
}

static void sch_fill_field(spc_field *t, const sch_field *f) {
  uint8_t bytes[16] = {0};
  t->tag = f->number << 3 | sch_wire_type(f);
  t->kind = sch_kind(f);
  t->flags = f->flags;
  t->type = f->type;
  t->zigzag = f->type == SPC_TYPE_SINT32 || f->type == SPC_TYPE_SINT64;
  if (f->type == SPC_TYPE_INT32 || f->type == SPC_TYPE_SINT32 || f->type == SPC_TYPE_ENUM)
    t->flags |= SPC__SIGNED;
  t->high = sch_wide(f->type) ? 4 : 0;
  t->mask = t->high != 0 || f->type == SPC_TYPE_BOOL ? UINT64_MAX : UINT32_MAX;
  t->tag_length = (uint8_t)(spc__put_varint(bytes, t->tag) - bytes);
  t->raw = spc__load32_le(bytes);
  t->raw_mask = t->tag_length >= 4 ? UINT32_MAX : (UINT32_C(1) << (8 * t->tag_length)) - 1;
  /* A tag of five bytes is never recognised this way: no masked value is 1. */
  if (t->tag_length > 4) {
    t->raw = 1;
    t->raw_mask = 0;
  }
}

/* Hasbits of the fields and oneofs, and the cases behind them; returns the offset behind those. */
static uint32_t sch_layout_head(const sch_builder *b, spc_message_type *t, spc__oneof *oneofs,
                                spc_field *fields, const uint32_t *order, uint32_t n) {
  uint32_t bits = 1, before = 0;
  for (uint32_t i = 0; i < n; i++) {
    const sch_field *f = sch_field_at(b, order[i]);
    spc__oneof *oneof = f->oneof != 0 ? &oneofs[f->oneof - 1] : NULL;
    uint32_t bit = oneof != NULL && oneof->bit != 0 ? oneof->bit : bits++;
    if (bit < before) t->flags |= SPC__SCATTERED;
    before = bit;
    if (oneof != NULL) oneof->bit = (uint16_t)bit;
    if (oneof != NULL && sch_slot_is_wide(f)) oneof->wide = 1;
    fields[i + 1].has_at = (uint16_t)(bit >> 3);
    fields[i + 1].has = (uint8_t)(1u << (bit & 7));
  }
  if (bits > 64) t->flags |= SPC__SCATTERED;
  t->bit_count = (uint16_t)bits;
  t->has_mask = (bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX) & ~UINT64_C(1);
  uint32_t at = (bits + 15) / 16 * 2;
  for (uint32_t i = 0; i < n; i++) {
    const sch_field *f = sch_field_at(b, order[i]);
    spc__oneof *oneof = f->oneof != 0 ? &oneofs[f->oneof - 1] : NULL;
    if (oneof == NULL || oneof->case_offset != 0) continue;
    oneof->case_offset = (uint16_t)at;
    at += 2;
  }
  return at;
}

/* Places in the record for the fields in order of `order`; see codec.h for the rules. */
static spc_status sch_layout(const sch_builder *b, spc_message_type *t, const uint32_t *order,
                             uint32_t n) {
  spc__oneof *oneofs = (spc__oneof *)((uint8_t *)t + t->oneofs);
  spc_field *fields = (spc_field *)((uint8_t *)t + t->fields);
  uint32_t at = (sch_layout_head(b, t, oneofs, fields, order, n) + 3) & ~3u;
  if (t->extension_slot != 0) {
    t->extension_slot = (uint16_t)at;
    at += 4;
  }
  for (uint32_t wide = 0; wide < 2; wide++) {
    at = wide != 0 ? (at + 7) & ~7u : at;
    for (uint32_t i = 0; i < n; i++) {
      const sch_field *f = sch_field_at(b, order[i]);
      spc__oneof *oneof = f->oneof != 0 ? &oneofs[f->oneof - 1] : NULL;
      bool slot_wide = oneof != NULL ? oneof->wide != 0 : sch_slot_is_wide(f);
      if (slot_wide == (wide != 0) && (oneof == NULL || oneof->offset == 0)) {
        fields[i + 1].offset = (uint16_t)at;
        if (oneof != NULL) oneof->offset = (uint16_t)at;
        at += slot_wide ? 8 : 4;
      }
      if (at > UINT16_MAX - 16) return SPC_COUNT_LIMIT;
    }
  }
  t->size = (at + 7) & ~7u;
  for (uint32_t i = 0; i < n; i++) {
    const sch_field *f = sch_field_at(b, order[i]);
    spc_field *field = &fields[i + 1];
    if (f->oneof != 0) field->offset = oneofs[f->oneof - 1].offset;
    field->case_offset = f->oneof != 0 ? oneofs[f->oneof - 1].case_offset : field->offset;
    field->case_value = (uint16_t)f->number;
    if (f->number >= SPC__CASE_INDEX) {
      if (f->oneof != 0 && i > UINT16_MAX - SPC__CASE_INDEX) return SPC_COUNT_LIMIT;
      field->case_value = (uint16_t)(SPC__CASE_INDEX + i);
    }
    if ((f->flags & SPC__REQUIRED) != 0) t->own_required = t->required = 1;
  }
  return SPC_OK;
}

static int sch_compare_numbers(const void *context, uint32_t i, uint32_t j) {
  const sch_builder *b = (const sch_builder *)context;
  uint32_t x = sch_field_at(b, i)->number, y = sch_field_at(b, j)->number;
  return (x > y) - (x < y);
}

/* lowerCamelCase of a field's name, as protoc makes it. */
static uint32_t sch_camel(char *out, const char *name, uint32_t length) {
  uint32_t n = 0;
  bool up = false;
  for (uint32_t i = 0; i < length; i++) {
    char c = name[i];
    if (c == '_') {
      up = true;
      continue;
    }
    out[n++] = up && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    up = false;
  }
  return n;
}

/* The names that a field has: its own, the one in JSON, and what that would be by default. */
typedef enum sch_naming { SCH_OWN, SCH_IN_JSON, SCH_CAMEL, SCH_NAMINGS } sch_naming;

/* Names of a table's fields: which of them, and the table. */
typedef struct sch_name_order {
  const spc_message_type *type;
  sch_naming naming;
  const char *camel;  /* of all fields, one behind the other */
  const uint32_t *at; /* where in `camel` that of a field starts and ends, by index */
} sch_name_order;

static const char *sch_name_of(const sch_name_order *order, uint32_t i, size_t *length) {
  const spc__field_info *info = spc__info(spc__field_at(order->type, i));
  if (order->naming == SCH_CAMEL) {
    *length = order->at[i] - order->at[i - 1];
    return order->camel + order->at[i - 1];
  }
  *length = order->naming == SCH_OWN ? info->name_length : info->json_name_length;
  return SPC__AT(char, info, order->naming == SCH_OWN ? info->name : info->json_name);
}

static int sch_compare_field_names(const void *context, uint32_t i, uint32_t j) {
  const sch_name_order *order = (const sch_name_order *)context;
  size_t n, m;
  const char *a = sch_name_of(order, i, &n), *b = sch_name_of(order, j, &m);
  return spc__compare_names(a, n, b, m);
}

/* Whether the JSON name of a field is not the one by default. */
static bool sch_is_custom(const sch_name_order *order, uint32_t i) {
  sch_name_order other = *order;
  size_t n, m;
  const char *own = sch_name_of(order, i, &n);
  other.naming = SCH_CAMEL;
  const char *camel = sch_name_of(&other, i, &m);
  return spc__compare_names(own, n, camel, m) != 0;
}

static int sch_hex(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* Undoes C escapes in place, as descriptors have them in the defaults of bytes fields. */
static bool sch_unescape(uint8_t *s, uint32_t *length) {
  static const char from[] = "abfnrtv\\'\"?", to[] = "\a\b\f\n\r\t\v\\'\"?";
  uint32_t n = 0;
  for (uint32_t i = 0; i < *length;) {
    if (s[i] != '\\') {
      s[n++] = s[i++];
      continue;
    }
    if (++i == *length) return false;
    const char *simple = s[i] == '\0' ? NULL : strchr(from, s[i]);
    if (simple != NULL) {
      s[n++] = (uint8_t)to[simple - from];
      i++;
      continue;
    }
    uint32_t base = s[i] == 'x' || s[i] == 'X' ? 16 : 8, digits = 0, value = 0;
    if (base == 16) i++;
    for (; i < *length && digits < 3; i++, digits++) {
      int digit = sch_hex(s[i]);
      if (digit < 0 || digit >= (int)base || (base == 16 && digits == 2)) break;
      value = value * base + (uint32_t)digit;
    }
    if (digits == 0 || value > 255) return false;
    s[n++] = (uint8_t)value;
  }
  *length = n;
  return true;
}

static bool sch_default_float(const char *text, uint32_t length, const sch_field *f,
                              uint64_t *bits) {
  bool negative = length != 0 && text[0] == '-';
  const char *word = text + negative;
  uint32_t rest = length - negative;
  bool single = f->type == SPC_TYPE_FLOAT;
  uint64_t sign = negative ? UINT64_C(1) << (single ? 31 : 63) : 0;
  if (rest == 3 && memcmp(word, "inf", 3) == 0) {
    *bits = sign | (single ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000));
    return true;
  }
  if (rest == 3 && memcmp(word, "nan", 3) == 0) {
    *bits = sign | (single ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000));
    return true;
  }
  spc__decimal number;
  spc_value value = {0};
  if (length == 0 || spc__scan_number(text, length, &number) != length) return false;
  if (single)
    value.f32 = spc__to_float(&number);
  else
    value.f64 = spc__to_double(&number);
  *bits = value.bits;
  return true;
}

static bool sch_default_integer(const char *text, uint32_t length, const sch_field *f,
                                uint64_t *bits) {
  bool wide = sch_wide(f->type);
  bool is_signed = f->type != SPC_TYPE_UINT32 && f->type != SPC_TYPE_UINT64 &&
                   f->type != SPC_TYPE_FIXED32 && f->type != SPC_TYPE_FIXED64;
  spc__decimal number;
  uint64_t n;
  if (length == 0 || spc__scan_number(text, length, &number) != length || number.fraction ||
      !spc__to_integer(&number, &n))
    return false;
  uint64_t most = wide ? UINT64_MAX : UINT32_MAX;
  if (is_signed)
    most = most / 2 + number.negative;
  else if (number.negative)
    most = 0;
  if (n > most) return false;
  *bits = number.negative ? 0 - n : n;
  if (!wide) *bits &= UINT32_MAX;
  return true;
}

static spc_status sch_default(sch_builder *b, const sch_field *f, uint32_t info) {
  spc_slice text = sch_get(b, SCH_FIELD, f->descriptor, 7).slice;
  uint64_t bits = 0;
  bool good = true;
  if (f->type == SPC_TYPE_ENUM) {
    /* Without a default it is the first value, which an open enum has at zero. */
    uint32_t type = sch_symbol_at(b, f->sub - 1)->descriptor;
    uint32_t n = sch_count(b, SCH_ENUM, type, 2), i = 0;
    if (text.length != 0)
      for (; i < n; i++) {
        spc_slice name = sch_get(b, SCH_VALUE, sch_item(b, SCH_ENUM, type, 2, i), 1).slice;
        if (spc__compare_names(sch_text(b, name), name.length, sch_text(b, text), text.length) == 0)
          break;
      }
    good = i < n;
    if (good) bits = (uint32_t)sch_get(b, SCH_VALUE, sch_item(b, SCH_ENUM, type, 2, i), 2).i32;
    if ((f->flags & SPC__REPEATED) != 0) bits = 0;
  } else if (!sch_has(b, SCH_FIELD, f->descriptor, 7)) {
    return SPC_OK;
  } else if (f->type == SPC_TYPE_STRING || f->type == SPC_TYPE_BYTES) {
    uint32_t ref;
    SCH_TRY(sch_name(b, text, &ref));
    uint8_t *data = (uint8_t *)spc_arena_at(b->arena, ref);
    if (f->type == SPC_TYPE_BYTES)
      good = sch_unescape(data, &text.length);
    else
      good = spc__utf8(data, text.length);
    spc__field_info *t = (spc__field_info *)spc_arena_at(b->arena, info);
    t->default_data = sch_distance(info, ref);
    t->default_length = text.length;
  } else if (f->type == SPC_TYPE_BOOL) {
    bits = sch_is(b, text, "true");
    good = bits != 0 || sch_is(b, text, "false");
  } else if (f->type == SPC_TYPE_DOUBLE || f->type == SPC_TYPE_FLOAT) {
    good = sch_default_float(sch_text(b, text), text.length, f, &bits);
  } else {
    good = f->sub == 0 && sch_default_integer(sch_text(b, text), text.length, f, &bits);
  }
  if (!good) return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  ((spc__field_info *)spc_arena_at(b->arena, info))->default_value = bits;
  return SPC_OK;
}

/* Names and default of one field. */
static spc_status sch_write_info(sch_builder *b, uint32_t type, uint32_t field, uint32_t info,
                                 uint32_t index, const sch_field *f) {
  uint32_t name, json, extension = 0, json_length;
  spc_slice json_name = sch_get(b, SCH_FIELD, f->descriptor, 10).slice;
  SCH_TRY(sch_name(b, f->name, &name));
  if (json_name.length != 0) {
    if (json_name.length > UINT16_MAX ||
        !spc__utf8((const uint8_t *)sch_text(b, json_name), json_name.length))
      return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
    SCH_TRY(sch_name(b, json_name, &json));
    json_length = json_name.length;
  } else {
    SCH_TRY(sch_alloc(b, (size_t)f->name.length + 1, &json));
    json_length =
        sch_camel((char *)spc_arena_at(b->arena, json), sch_text(b, f->name), f->name.length);
  }
  const sch_symbol *symbol = sch_symbol_at(b, f->symbol);
  spc_slice full = symbol->name;
  if (f->extension) SCH_TRY(sch_name(b, full, &extension));
  spc__field_info *t = (spc__field_info *)spc_arena_at(b->arena, info);
  t->owner = sch_distance(info, type);
  t->name = sch_distance(info, name);
  t->json_name = sch_distance(info, json);
  t->name_length = (uint16_t)f->name.length;
  t->json_name_length = (uint16_t)json_length;
  t->oneof = f->oneof;
  t->index = (uint16_t)index;
  t->extension_name = sch_distance(info, extension);
  t->extension_name_length = f->extension ? full.length : 0;
  ((spc_field *)spc_arena_at(b->arena, field))->info = sch_distance(field, info);
  return SPC_OK;
}

static uint8_t sch_special(const sch_builder *b, const sch_symbol *symbol) {
  static const char prefix[] = "google.protobuf.";
  static const struct {
    const char *name;
    uint8_t special;
  } specials[] = {{"Any", SPC__ANY},
                  {"Timestamp", SPC__TIMESTAMP},
                  {"Duration", SPC__DURATION},
                  {"FieldMask", SPC__FIELD_MASK},
                  {"Struct", SPC__STRUCT},
                  {"Value", SPC__VALUE},
                  {"ListValue", SPC__LIST_VALUE},
                  {"DoubleValue", SPC__WRAPPER},
                  {"FloatValue", SPC__WRAPPER},
                  {"Int64Value", SPC__WRAPPER},
                  {"UInt64Value", SPC__WRAPPER},
                  {"Int32Value", SPC__WRAPPER},
                  {"UInt32Value", SPC__WRAPPER},
                  {"BoolValue", SPC__WRAPPER},
                  {"StringValue", SPC__WRAPPER},
                  {"BytesValue", SPC__WRAPPER}};
  /* The shape each has to have to be treated so: types of fields 1, 2, 3, 'r' for repeated. */
  static const char *const shapes[] = {"", "sb", "lj", "lj", "S", "M", "", "M", ""};
  const size_t skip = sizeof prefix - 1;
  spc_slice name = symbol->name;
  if (name.length <= skip || memcmp(sch_text(b, name), prefix, skip) != 0) return SPC__PLAIN;
  name.offset += (uint32_t)skip;
  name.length -= (uint32_t)skip;
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
    if (!sch_is(b, name, specials[i].name)) continue;
    uint8_t special = specials[i].special;
    const char *shape = shapes[special];
    if (special == SPC__WRAPPER)
      return symbol->count == 1 && sch_field_at(b, symbol->first)->number == 1 &&
                     sch_field_at(b, symbol->first)->sub == 0 &&
                     (sch_field_at(b, symbol->first)->flags & SPC__REPEATED) == 0
                 ? special
                 : SPC__PLAIN;
    if (special == SPC__VALUE) return symbol->count == 6 ? special : SPC__PLAIN;
    if (symbol->count != strlen(shape)) return SPC__PLAIN;
    for (uint32_t j = 0; shape[j] != '\0'; j++) {
      const sch_field *f = sch_field_at(b, symbol->first + j);
      bool repeated = shape[j] < 'a';
      uint8_t type = shape[j] == 's' || shape[j] == 'S' ? SPC_TYPE_STRING
                     : shape[j] == 'b'                  ? SPC_TYPE_BYTES
                     : shape[j] == 'l'                  ? SPC_TYPE_INT64
                     : shape[j] == 'j'                  ? SPC_TYPE_INT32
                                                        : SPC_TYPE_MESSAGE;
      if (f->number != j + 1 || f->type != type || ((f->flags & SPC__REPEATED) != 0) != repeated)
        return SPC__PLAIN;
    }
    return special;
  }
  return SPC__PLAIN;
}

/* Whether two fields whose names of this kind are the same are let pass. */
static bool sch_may_conflict(const sch_builder *b, const sch_field *f, const sch_name_order *names,
                             uint32_t i, uint32_t j) {
  const sch_symbol *symbol = sch_symbol_at(b, f->symbol);
  bool given_i = names->naming == SCH_IN_JSON && sch_is_custom(names, i);
  bool given_j = names->naming == SCH_IN_JSON && sch_is_custom(names, j);
  if (symbol->json_conflicts) return true;
  if (names->naming == SCH_IN_JSON && !given_i && !given_j) return true; /* found as SCH_CAMEL */
  return symbol->features.value[SCH_JSON] == SCH_BEST_EFFORT && !(given_i && given_j);
}

/*
 * The orders of a message's fields by name. Two fields of one name are refused and, as protoc does
 * it, two of one JSON name: of those given and, because field masks have them, of those that would
 * be by default. Where the feature json_format says so, only two that were given both.
 */
static spc_status sch_order_names(sch_builder *b, uint32_t ref, uint32_t n, uint32_t scratch) {
  const spc_message_type *t = (const spc_message_type *)spc_arena_at(b->arena, ref);
  size_t before = b->arena->used, text = 0;
  uint32_t camel, at, order;
  for (uint32_t i = 1; i <= n; i++)
    text += spc__info(spc__field_at(t, i))->name_length;
  SCH_TRY(spc_arena_alloc(b->arena, text, &camel));
  SCH_TRY(spc_arena_alloc(b->arena, ((size_t)n + 1) * 4, &at));
  SCH_TRY(spc_arena_alloc(b->arena, (size_t)n * 4, &order));
  t = (const spc_message_type *)spc_arena_at(b->arena, ref);
  char *camels = (char *)spc_arena_at(b->arena, camel);
  uint32_t *ends = (uint32_t *)spc_arena_at(b->arena, at);
  uint32_t *items = (uint32_t *)spc_arena_at(b->arena, scratch);
  uint32_t *fields = (uint32_t *)spc_arena_at(b->arena, order);
  if (n != 0) memcpy(fields, items, (size_t)n * 4);
  ends[0] = 0;
  for (uint32_t i = 1; i <= n; i++) {
    const spc__field_info *info = spc__info(spc__field_at(t, i));
    ends[i] = ends[i - 1] +
              sch_camel(camels + ends[i - 1], SPC__AT(char, info, info->name), info->name_length);
  }
  for (int naming = 0; naming < SCH_NAMINGS; naming++) {
    const sch_name_order names = {t, (sch_naming)naming, camels, ends};
    for (uint32_t i = 0; i < n; i++)
      items[i] = i + 1;
    spc__sort(items, n, sch_compare_field_names, &names);
    for (uint32_t i = 1, first = 0; i < n && (t->flags & SPC__EXTENSIONS) == 0; i++) {
      const sch_field *f = sch_field_at(b, fields[items[i] - 1]);
      if (sch_compare_field_names(&names, items[first], items[i]) != 0)
        first = i;
      else if (naming == SCH_OWN || !sch_may_conflict(b, f, &names, items[first], items[i]))
        return sch_fail_field(b, SPC_DUPLICATE_NAME, f);
    }
    if (naming == SCH_CAMEL) break;
    uint16_t *out = (uint16_t *)((uint8_t *)spc_arena_at(b->arena, ref) +
                                 (naming == SCH_IN_JSON ? t->by_json_name : t->by_name));
    for (uint32_t i = 0; i < n; i++)
      out[i] = (uint16_t)items[i];
  }
  b->arena->used = before;
  return SPC_OK;
}

/* Names of a message type: oneofs, fields, and the orders by name. */
static spc_status sch_write_names(sch_builder *b, uint32_t ref, uint32_t n, uint32_t infos,
                                  uint32_t scratch) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t index = ((const uint32_t *)spc_arena_at(b->arena, scratch))[i];
    const spc_message_type *t = (const spc_message_type *)spc_arena_at(b->arena, ref);
    uint32_t field = ref + (uint32_t)t->fields + (i + 1) * (uint32_t)sizeof(spc_field);
    uint32_t info = infos + i * (uint32_t)sizeof(spc__field_info);
    sch_field f = *sch_field_at(b, index);
    SCH_TRY(sch_write_info(b, ref, field, info, i + 1, &f));
    SCH_TRY(sch_default(b, &f, info));
    sch_field_at(b, index)->table = field;
  }
  return sch_order_names(b, ref, n, scratch);
}

/*
 * The table of a message: of its own fields (indices `first` on) or, with `extensions`, of the
 * list that starts at symbol->extension.
 */
static spc_status sch_write_message(sch_builder *b, uint32_t symbol_index, uint32_t scratch,
                                    bool extensions, bool named) {
  sch_symbol symbol = *sch_symbol_at(b, symbol_index);
  uint32_t *order = (uint32_t *)spc_arena_at(b->arena, scratch);
  uint32_t n = 0, ref, infos = 0, name = 0;
  b->file = symbol.file;
  if (extensions) {
    for (uint32_t i = symbol.extension; i != 0; i = sch_field_at(b, i - 1)->next)
      order[n++] = i - 1;
  } else {
    for (; n < symbol.count; n++)
      order[n] = symbol.first + n;
  }
  if (n > UINT16_MAX - 1) return sch_fail_symbol(b, SPC_COUNT_LIMIT, &symbol);
  spc__sort(order, n, sch_compare_numbers, b);
  for (uint32_t i = 0; i < n; i++) {
    const sch_field *f = sch_field_at(b, order[i]);
    if (i != 0 && f->number == sch_field_at(b, order[i - 1])->number)
      return sch_fail_field(b, SPC_DUPLICATE_NAME, f);
    if (f->number > SPC__MAX_NUMBER) return sch_fail_field(b, SPC_BAD_DESCRIPTOR, f);
  }
  uint32_t oneofs = extensions || !named ? 0 : sch_count(b, SCH_MESSAGE, symbol.descriptor, 8);
  uint32_t highest = n == 0 ? 0 : sch_field_at(b, order[n - 1])->number;
  uint32_t dense = 4 * n + 64;
  if (dense > highest + 1) dense = highest + 1;
  if (extensions) dense = 1;
  size_t head = (sizeof(spc_message_type) + dense * 2u + 7) & ~(size_t)7;
  size_t fields = (n + 1) * sizeof(spc_field), orders = (3 * (size_t)n + 1) * 2;
  if (((head + fields) >> 3) > UINT16_MAX) return sch_fail_symbol(b, SPC_COUNT_LIMIT, &symbol);
  SCH_TRY(sch_alloc(b, head + fields + orders, &ref));
  uint32_t oneof_table = 0;
  if (oneofs != 0) SCH_TRY(sch_alloc(b, oneofs * sizeof(spc__oneof), &oneof_table));
  if (named) {
    SCH_TRY(sch_alloc(b, n * sizeof(spc__field_info), &infos));
    SCH_TRY(sch_name(b, symbol.name, &name));
  }
  spc_message_type *t = (spc_message_type *)spc_arena_at(b->arena, ref);
  order = (uint32_t *)spc_arena_at(b->arena, scratch);
  t->dense = dense;
  t->flags = symbol.flags;
  if (extensions) t->flags = (uint8_t)((symbol.flags & SPC__MESSAGE_SET) | SPC__EXTENSIONS);
  t->field_count = (uint16_t)n;
  t->oneof_count = (uint16_t)oneofs;
  t->fields = (int32_t)head;
  t->by_bit = (int32_t)(head + fields);
  t->by_name = t->by_bit + (int32_t)(n + 1) * 2;
  t->by_json_name = t->by_name + (int32_t)n * 2;
  t->oneofs = sch_distance(ref, oneof_table);
  t->name = sch_distance(ref, name);
  t->name_length = symbol.name.length;
  t->extension_slot = extensions || symbol.ranges ? 1 : 0; /* sch_layout gives it its place */
  if (!extensions && named) t->special = sch_special(b, &symbol);
  spc_field *table = (spc_field *)((uint8_t *)t + t->fields);
  table[0].kind = SPC__NO_FIELD;
  table[0].tag = UINT32_MAX; /* no tag that is read */
  for (uint32_t i = 0; i < dense; i++)
    t->index[i] = (uint16_t)(head >> 3);
  for (uint32_t i = 0; i < n; i++) {
    sch_field *f = sch_field_at(b, order[i]);
    uint32_t place = (uint32_t)(head >> 3) + (i + 1) * (uint32_t)(sizeof(spc_field) >> 3);
    sch_fill_field(&table[i + 1], f);
    if (extensions && (symbol.flags & SPC__MESSAGE_SET) != 0) table[i + 1].kind = SPC__ITEM;
    if (f->number < dense) t->index[f->number] = (uint16_t)place;
    f->table = ref + (place << 3);
  }
  if (sch_layout(b, t, order, n) != SPC_OK) return sch_fail_symbol(b, SPC_COUNT_LIMIT, &symbol);
  uint16_t *by_bit = (uint16_t *)((uint8_t *)t + t->by_bit);
  for (uint32_t i = n; i > 0; i--)
    by_bit[spc__has_bit(&table[i])] = (uint16_t)((head >> 3) + i * (sizeof(spc_field) >> 3));
  if (extensions)
    sch_symbol_at(b, symbol_index)->extensions = ref;
  else
    sch_symbol_at(b, symbol_index)->object = ref;
  if (!named) return SPC_OK;
  for (uint32_t i = 0; i < oneofs; i++) {
    uint32_t text, decl = sch_item(b, SCH_MESSAGE, symbol.descriptor, 8, i);
    spc_slice oneof_name = sch_get(b, SCH_ONEOF, decl, 1).slice;
    if (!sch_identifier(b, oneof_name, false))
      return sch_fail(b, SPC_BAD_DESCRIPTOR, symbol.file, symbol.name, oneof_name);
    SCH_TRY(sch_name(b, oneof_name, &text));
    uint32_t at = oneof_table + i * (uint32_t)sizeof(spc__oneof);
    spc__oneof *oneof = (spc__oneof *)spc_arena_at(b->arena, at);
    oneof->name = sch_distance(at, text);
    oneof->name_length = (uint16_t)oneof_name.length;
  }
  return sch_write_names(b, ref, n, infos, scratch);
}

static int sch_compare_values(const void *context, uint32_t i, uint32_t j) {
  const spc__enum_value *values = (const spc__enum_value *)context;
  return (values[i].number > values[j].number) - (values[i].number < values[j].number);
}

static int sch_compare_value_names(const void *context, uint32_t i, uint32_t j) {
  const spc__enum_value *values = (const spc__enum_value *)context;
  return spc__compare_names(SPC__AT(char, &values[i], values[i].name), values[i].name_length,
                            SPC__AT(char, &values[j], values[j].name), values[j].name_length);
}

static spc_status sch_write_enum(sch_builder *b, uint32_t symbol_index) {
  sch_symbol symbol = *sch_symbol_at(b, symbol_index);
  uint32_t n = sch_count(b, SCH_ENUM, symbol.descriptor, 2), ref, name, values, sorted;
  if (n == 0 || n > INT32_MAX / 64) return sch_fail_symbol(b, SPC_BAD_DESCRIPTOR, &symbol);
  SCH_TRY(sch_alloc(b, sizeof(spc_enum_type), &ref));
  SCH_TRY(sch_name(b, symbol.name, &name));
  SCH_TRY(sch_alloc(b, n * sizeof(spc__enum_value), &values));
  SCH_TRY(sch_alloc(b, n * sizeof(uint32_t), &sorted));
  /* The names come in order of declaration; the values are then permuted by number. */
  for (uint32_t i = 0; i < n; i++) {
    uint32_t text, value = sch_item(b, SCH_ENUM, symbol.descriptor, 2, i);
    spc_slice value_name = sch_get(b, SCH_VALUE, value, 1).slice;
    if (!sch_identifier(b, value_name, false))
      return sch_fail(b, SPC_BAD_DESCRIPTOR, symbol.file, symbol.name, value_name);
    SCH_TRY(sch_name(b, value_name, &text));
    spc__enum_value *v = (spc__enum_value *)spc_arena_at(b->arena, values) + i;
    v->number = sch_get(b, SCH_VALUE, value, 2).i32;
    v->name = (int32_t)text;
    v->name_length = value_name.length;
  }
  spc_enum_type *t = (spc_enum_type *)spc_arena_at(b->arena, ref);
  spc__enum_value *v = (spc__enum_value *)spc_arena_at(b->arena, values);
  uint32_t *items = (uint32_t *)spc_arena_at(b->arena, sorted);
  if (symbol.features.value[SCH_ENUM_TYPE] != SCH_CLOSED && v[0].number != 0)
    return sch_fail_symbol(b, SPC_BAD_DESCRIPTOR, &symbol);
  /* Sort by number with the names as absolute references, then make them distances. */
  for (uint32_t i = 0; i < n; i++)
    items[i] = i;
  spc__sort(items, n, sch_compare_values, v);
  uint32_t copy;
  SCH_TRY(spc_arena_alloc(b->arena, n * sizeof(spc__enum_value), &copy));
  t = (spc_enum_type *)spc_arena_at(b->arena, ref);
  v = (spc__enum_value *)spc_arena_at(b->arena, values);
  items = (uint32_t *)spc_arena_at(b->arena, sorted);
  spc__enum_value *from = (spc__enum_value *)spc_arena_at(b->arena, copy);
  memcpy(from, v, n * sizeof *from);
  for (uint32_t i = 0; i < n; i++) {
    v[i] = from[items[i]];
    v[i].name = sch_distance(values + i * (uint32_t)sizeof *v, (uint32_t)v[i].name);
    if (v[i].number >= 0 && v[i].number < 64) t->low_values |= UINT64_C(1) << v[i].number;
  }
  b->arena->used = copy;
  for (uint32_t i = 0; i < n; i++)
    items[i] = i;
  spc__sort(items, n, sch_compare_value_names, v);
  for (uint32_t i = 1; i < n; i++)
    if (sch_compare_value_names(v, items[i - 1], items[i]) == 0)
      return sch_fail_symbol(b, SPC_DUPLICATE_NAME, &symbol);
  t->value_count = n;
  t->closed = symbol.features.value[SCH_ENUM_TYPE] == SCH_CLOSED;
  t->null_value = sch_is(b, symbol.name, "google.protobuf.NullValue");
  t->values = sch_distance(ref, values);
  t->by_name = sch_distance(ref, sorted);
  t->name = sch_distance(ref, name);
  t->name_length = symbol.name.length;
  sch_symbol_at(b, symbol_index)->object = ref;
  return SPC_OK;
}

/* The references of fields to other tables, when all tables are written. */
static void sch_link(sch_builder *b) {
  for (uint32_t i = 0; i < b->field_count; i++) {
    const sch_field *f = sch_field_at(b, i);
    if (f->sub == 0) continue;
    spc_field *t = (spc_field *)spc_arena_at(b->arena, f->table);
    t->sub = sch_distance(f->table, sch_symbol_at(b, f->sub - 1)->object);
    if (f->type != SPC_TYPE_ENUM) t->sub_size = spc__sub_message(t)->size;
  }
  for (uint32_t i = 0; i < b->symbol_count; i++) {
    const sch_symbol *s = sch_symbol_at(b, i);
    if (s->extensions == 0) continue;
    spc_message_type *own = (spc_message_type *)spc_arena_at(b->arena, s->object);
    spc_message_type *other = (spc_message_type *)spc_arena_at(b->arena, s->extensions);
    own->extensions = sch_distance(s->object, s->extensions);
    other->extensions = sch_distance(s->extensions, s->object);
  }
}

/* Marks the types from which a required field can be reached. */
static void sch_spread_required(sch_builder *b) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < b->field_count; i++) {
      const sch_field *f = sch_field_at(b, i);
      if (f->sub == 0 || f->type == SPC_TYPE_ENUM) continue;
      const spc_field *t = (const spc_field *)spc_arena_at(b->arena, f->table);
      if (!spc__sub_message(t)->required) continue;
      int32_t owner = spc__info(t)->owner;
      spc_message_type *own = (spc_message_type *)spc_arena_at(
          b->arena, f->table + (uint32_t)t->info + (uint32_t)owner);
      if (own->extension_slot != 0 && (own->flags & SPC__EXTENSIONS) != 0)
        own = (spc_message_type *)((uint8_t *)own + own->extensions);
      if (own->required) continue;
      own->required = 1;
      again = true;
    }
  }
}

/* The index of all symbols, at the head of the schema. */
static void sch_index(sch_builder *b, uint32_t schema, uint32_t symbols, uint32_t messages) {
  spc_schema *t = (spc_schema *)spc_arena_at(b->arena, schema);
  spc__symbol *out = (spc__symbol *)spc_arena_at(b->arena, symbols);
  int32_t *list = (int32_t *)spc_arena_at(b->arena, messages);
  const uint32_t *sorted = (const uint32_t *)spc_arena_at(b->arena, b->sorted);
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->symbol_count; i++) {
    const sch_symbol *s = sch_symbol_at(b, i);
    if (s->kind == SPC__SYMBOL_MESSAGE) list[n++] = sch_distance(schema, s->object);
  }
  for (uint32_t i = 0; i < b->symbol_count; i++) {
    const sch_symbol *s = sch_symbol_at(b, sorted[i]);
    uint32_t at = symbols + i * (uint32_t)sizeof(spc__symbol), object = s->object, name;
    if (s->kind == SPC__SYMBOL_EXTENSION) {
      object = sch_field_at(b, s->first)->table;
      const spc_field *f = (const spc_field *)spc_arena_at(b->arena, object);
      const spc__field_info *info = spc__info(f);
      name = object + (uint32_t)f->info + (uint32_t)info->extension_name;
    } else {
      const void *header = spc_arena_at(b->arena, object);
      name = object + (uint32_t)(s->kind == SPC__SYMBOL_MESSAGE
                                     ? ((const spc_message_type *)header)->name
                                     : ((const spc_enum_type *)header)->name);
    }
    out[i] =
        (spc__symbol){sch_distance(at, name), s->name.length, sch_distance(at, object), s->kind};
  }
  t->symbol_count = b->symbol_count;
  t->message_count = n;
  t->symbols = sch_distance(schema, symbols);
  t->messages = sch_distance(schema, messages);
  t->size = (uint32_t)b->arena->used - schema;
}

/* ---- Putting it together */

static spc_status sch_arrays(sch_builder *b) {
  SCH_TRY(spc_arena_alloc(b->arena, (size_t)b->symbol_count * sizeof(sch_symbol), &b->symbols));
  return spc_arena_alloc(b->arena, (size_t)b->field_count * sizeof(sch_field), &b->fields);
}

/* Room for the tables of descriptor.proto and the work arrays that make them. */
#define SCH_BOOTSTRAP_SIZE 20480

/* The tables of descriptor.proto, as far as they are needed, in a small arena of their own. */
static spc_status sch_bootstrap(sch_builder *b) {
  const uint32_t n = sizeof sch_fields / sizeof *sch_fields;
  uint32_t scratch;
  b->symbol_count = SCH_DESCRIPTOR_COUNT;
  b->field_count = n;
  SCH_TRY(sch_arrays(b));
  SCH_TRY(spc_arena_alloc(b->arena, n * sizeof(uint32_t), &scratch));
  memset(sch_symbol_at(b, 0), 0, b->symbol_count * sizeof(sch_symbol));
  memset(sch_field_at(b, 0), 0, b->field_count * sizeof(sch_field));
  for (uint32_t i = 0; i < n; i++) {
    sch_field *f = sch_field_at(b, i);
    sch_symbol *owner = sch_symbol_at(b, sch_fields[i].owner);
    if (owner->count++ == 0) owner->first = i;
    f->number = sch_fields[i].number;
    f->type = sch_fields[i].type & 0x7f;
    f->flags = (sch_fields[i].type & SCH_MANY) != 0 ? SPC__REPEATED : SPC__EXPLICIT;
    if (f->type == SPC_TYPE_BOOL) f->flags |= SPC__BOOL;
    if (f->type == SPC_TYPE_MESSAGE) f->sub = sch_fields[i].sub + 1u;
  }
  for (uint32_t i = 0; i < SCH_DESCRIPTOR_COUNT; i++)
    SCH_TRY(sch_write_message(b, i, scratch, false, false));
  sch_link(b);
  for (uint32_t i = 0; i < SCH_DESCRIPTOR_COUNT; i++)
    b->types[i] = (const spc_message_type *)spc_arena_at(b->arena, sch_symbol_at(b, i)->object);
  return SPC_OK;
}

static spc_status sch_build(sch_builder *b, const uint8_t *descriptors, size_t length,
                            uint32_t *schema) {
  spc_message set;
  uint32_t n, scratch, symbols, messages;
  const spc_decode_options options = {.flags = SPC_DECODE_DISCARD_UNKNOWN};
  SCH_TRY(spc_decode(b->arena, b->types[SCH_SET], descriptors, length, &options, &set, b->error));
  b->symbol_count = b->field_count = b->message_count = 0;
  n = sch_count(b, SCH_SET, set.ref, 1);
  for (uint32_t i = 0; i < n; i++)
    sch_measure(b, SCH_FILE, sch_item(b, SCH_SET, set.ref, 1, i));
  SCH_TRY(sch_arrays(b));
  uint32_t message_count = b->message_count;
  b->symbol_count = b->field_count = 0;
  for (uint32_t i = 0; i < n; i++)
    SCH_TRY(sch_add_file(b, sch_item(b, SCH_SET, set.ref, 1, i)));
  SCH_TRY(sch_sort_symbols(b));
  for (uint32_t i = 0; i < b->field_count; i++)
    SCH_TRY(sch_resolve(b, i));
  for (uint32_t i = 0; i < b->symbol_count; i++)
    SCH_TRY(sch_check_entry(b, sch_symbol_at(b, i)));
  SCH_TRY(spc_arena_alloc(b->arena, (size_t)b->field_count * sizeof(uint32_t), &scratch));
  SCH_TRY(sch_alloc(b, sizeof(spc_schema), schema));
  SCH_TRY(sch_alloc(b, b->symbol_count * sizeof(spc__symbol), &symbols));
  SCH_TRY(sch_alloc(b, message_count * sizeof(int32_t), &messages));
  for (uint32_t i = 0; i < b->symbol_count; i++) {
    const sch_symbol s = *sch_symbol_at(b, i);
    if (s.kind == SPC__SYMBOL_ENUM) SCH_TRY(sch_write_enum(b, i));
    if (s.kind != SPC__SYMBOL_MESSAGE) continue;
    SCH_TRY(sch_write_message(b, i, scratch, false, true));
    if (s.extension != 0) SCH_TRY(sch_write_message(b, i, scratch, true, true));
  }
  sch_link(b);
  sch_spread_required(b);
  sch_index(b, *schema, symbols, messages);
  return SPC_OK;
}

spc_status spc_schema_build(spc_arena *arena, const uint8_t *descriptors, size_t length,
                            uint32_t *schema, spc_error *error) {
  uint64_t memory[SCH_BOOTSTRAP_SIZE / 8];
  spc_arena bootstrap;
  sch_builder b;
  memset(&b, 0, sizeof b);
  spc_arena_init(&bootstrap, memory, sizeof memory, NULL, NULL);
  b.arena = &bootstrap;
  b.error = error;
  spc_status status = sch_bootstrap(&b);
  b.arena = arena;
  size_t before = arena->used;
  uint32_t start = 0;
  if (status == SPC_OK) status = sch_build(&b, descriptors, length, &start);
  if (status != SPC_OK) {
    arena->used = before;
    return status == SPC_OUT_OF_MEMORY ? spc__fail(error, status) : status;
  }
  size_t size = arena->used - start;
  memmove(arena->base + before, arena->base + start, size);
  arena->used = before + size;
  *schema = (uint32_t)before;
  return SPC_OK;
}
