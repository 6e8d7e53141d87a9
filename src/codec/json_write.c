/*
 * Messages to ProtoJSON. Output goes through jw_put, which counts on when the buffer is full, so
 * that the size that is needed is known at the end. The first failure sticks in `status`; what is
 * written after it does not matter, and loops end soon as they look at it. Recursion is bounded by
 * max_depth.
 */
#include <string.h>

#include "base/error.h"
#include "codec/json_time.h"
#include "codec/number.h"
#include "codec/record.h"

typedef struct jw {
  char *out;
  size_t capacity;
  uint64_t length;
  const spc_schema *schema;
  spc_error *error;
  spc_status status;
  uint32_t flags, depth, max_depth;
} jw;

static void jw_message(jw *w, const spc_message *m, const spc__trail *trail);
static void jw_content(jw *w, const spc_message *m, const spc__trail *trail);

static void jw_put(jw *w, const void *text, size_t length) {
  if (w->length <= w->capacity && length <= w->capacity - w->length && length != 0)
    memcpy(w->out + w->length, text, length);
  w->length += length;
}

static void jw_char(jw *w, char c) {
  jw_put(w, &c, 1);
}

static void jw_literal(jw *w, const char *text) {
  jw_put(w, text, strlen(text));
}

static void jw_fail(jw *w, spc_status status, const spc__trail *trail) {
  if (w->status != SPC_OK) return;
  w->status = status;
  if (status == SPC_DEPTH_LIMIT)
    spc__fail_limit(w->error, status, w->max_depth);
  else
    spc__fail(w->error, status);
  spc__path_trail(w->error, trail);
}

static void jw_string(jw *w, const uint8_t *text, size_t length, const spc__trail *trail) {
  static const char hex[] = "0123456789abcdef";
  size_t plain = 0;
  if (!spc__utf8(text, length)) jw_fail(w, SPC_BAD_UTF8, trail);
  jw_char(w, '"');
  for (size_t i = 0; i < length; i++) {
    uint8_t c = text[i];
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    jw_put(w, text + plain, i - plain);
    plain = i + 1;
    const char *from = "\b\f\n\r\t\"\\", *found = c == 0 ? NULL : strchr(from, c);
    if (found != NULL) {
      const char escape[2] = {'\\', "bfnrt\"\\"[found - from]};
      jw_put(w, escape, 2);
    } else {
      const char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
      jw_put(w, escape, 6);
    }
  }
  jw_put(w, text + plain, length - plain);
  jw_char(w, '"');
}

static void jw_base64(jw *w, const uint8_t *bytes, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  jw_char(w, '"');
  for (size_t i = 0; i < length; i += 3) {
    size_t n = length - i < 3 ? length - i : 3;
    uint32_t v = (uint32_t)bytes[i] << 16;
    if (n > 1) v |= (uint32_t)bytes[i + 1] << 8;
    if (n > 2) v |= bytes[i + 2];
    const char four[4] = {digits[v >> 18], digits[v >> 12 & 63], n > 1 ? digits[v >> 6 & 63] : '=',
                          n > 2 ? digits[v & 63] : '='};
    jw_put(w, four, 4);
  }
  jw_char(w, '"');
}

static void jw_float(jw *w, const spc_field *f, spc_value value) {
  char text[SPC__NUMBER_SIZE];
  double v = f->type == SPC_TYPE_FLOAT ? (double)value.f32 : value.f64;
  if (v != v)
    jw_literal(w, "\"NaN\"");
  else if (v - v != 0)
    jw_literal(w, v > 0 ? "\"Infinity\"" : "\"-Infinity\"");
  else if (f->type == SPC_TYPE_FLOAT)
    jw_put(w, text, spc__format_float(text, value.f32));
  else
    jw_put(w, text, spc__format_double(text, v));
}

static void jw_enum(jw *w, const spc_field *f, int32_t number) {
  char text[SPC__NUMBER_SIZE];
  const spc_enum_type *type = spc__sub_enum(f);
  uint32_t length = 0;
  const char *name = spc_enum_type_value_name(type, number, &length);
  if (type->null_value) {
    jw_literal(w, "null");
  } else if (name == NULL || (w->flags & SPC_JSON_ENUM_NUMBERS) != 0) {
    jw_put(w, text, spc__format_i64(text, number));
  } else {
    jw_char(w, '"');
    jw_put(w, name, length);
    jw_char(w, '"');
  }
}

/* A bool or an integer, in quotes if asked or if it has 64 bits. */
static void jw_integer(jw *w, const spc_field *f, spc_value value, bool quoted) {
  char text[SPC__NUMBER_SIZE];
  size_t length;
  quoted = quoted || f->high != 0;
  if (quoted) jw_char(w, '"');
  switch (f->type) {
  case SPC_TYPE_BOOL:
    jw_literal(w, value.boolean ? "true" : "false");
    length = 0;
    break;
  case SPC_TYPE_UINT32:
  case SPC_TYPE_FIXED32:
    length = spc__format_u64(text, value.u32);
    break;
  case SPC_TYPE_UINT64:
  case SPC_TYPE_FIXED64:
    length = spc__format_u64(text, value.u64);
    break;
  case SPC_TYPE_INT64:
  case SPC_TYPE_SINT64:
  case SPC_TYPE_SFIXED64:
    length = spc__format_i64(text, value.i64);
    break;
  default:
    length = spc__format_i64(text, value.i32);
    break;
  }
  jw_put(w, text, length);
  if (quoted) jw_char(w, '"');
}

/* The bytes of a string or bytes value; of an absent one its default. */
static const uint8_t *jw_bytes(const spc_message *m, const spc_field *f, spc_value *value) {
  if (value->slice.length != 0 || (f->flags & SPC__REPEATED) != 0 || spc_has(m, f))
    return m->arena->base + value->slice.offset;
  const spc__field_info *info = spc__info(f);
  value->slice.length = info->default_length;
  return SPC__AT(uint8_t, info, info->default_data);
}

static void jw_value(jw *w, const spc_message *m, const spc_field *f, spc_value value,
                     const spc__trail *trail) {
  switch (f->type) {
  case SPC_TYPE_DOUBLE:
  case SPC_TYPE_FLOAT:
    jw_float(w, f, value);
    break;
  case SPC_TYPE_STRING: {
    const uint8_t *text = jw_bytes(m, f, &value);
    jw_string(w, text, value.slice.length, trail);
    break;
  }
  case SPC_TYPE_BYTES: {
    const uint8_t *bytes = jw_bytes(m, f, &value);
    jw_base64(w, bytes, value.slice.length);
    break;
  }
  case SPC_TYPE_ENUM:
    jw_enum(w, f, value.i32);
    break;
  case SPC_TYPE_MESSAGE:
  case SPC_TYPE_GROUP: {
    const spc_message sub = {m->arena, spc__sub_message(f), value.message};
    jw_message(w, &sub, trail);
    break;
  }
  default:
    jw_integer(w, f, value, false);
  }
}

static void jw_list(jw *w, const spc_message *m, const spc_field *f, const spc__trail *trail) {
  uint32_t n = spc_count(m, f);
  spc__trail here = {trail->up, f, 0};
  jw_char(w, '[');
  for (; here.index < n && w->status == SPC_OK; here.index++) {
    if (here.index != 0) jw_char(w, ',');
    jw_value(w, m, f, spc_at(m, f, (uint32_t)here.index), &here);
  }
  jw_char(w, ']');
}

static void jw_map(jw *w, const spc_message *m, const spc_field *f, const spc__trail *trail) {
  uint32_t n = spc_count(m, f);
  const spc_field *key = spc__map_key(f), *value = spc__map_value(f);
  spc__trail here = {trail->up, f, 0};
  jw_char(w, '{');
  for (; here.index < n && w->status == SPC_OK; here.index++) {
    const spc_message entry = {m->arena, spc__sub_message(f),
                               spc_at(m, f, (uint32_t)here.index).message};
    if (here.index != 0) jw_char(w, ',');
    if (key->type == SPC_TYPE_STRING)
      jw_value(w, &entry, key, spc_get(&entry, key), &here);
    else
      jw_integer(w, key, spc_get(&entry, key), true);
    jw_char(w, ':');
    jw_value(w, &entry, value, spc_get(&entry, value), &here);
  }
  jw_char(w, '}');
}

static void jw_name(jw *w, const spc_field *f) {
  const spc__field_info *info = spc__info(f);
  bool proto = (w->flags & SPC_JSON_PROTO_NAMES) != 0;
  if (info->extension_name != 0) {
    jw_literal(w, "\"[");
    jw_put(w, SPC__AT(char, info, info->extension_name), info->extension_name_length);
    jw_literal(w, "]\"");
    return;
  }
  jw_string(w, SPC__AT(uint8_t, info, proto ? info->name : info->json_name),
            proto ? info->name_length : info->json_name_length, NULL);
}

/* The fields of one record's own type; `first` says whether a comma is needed. */
static void jw_fields(jw *w, const spc_message *m, const spc_message_type *type, bool *first,
                      const spc__trail *trail) {
  const spc_field *f;
  for (uint32_t i = 0; (f = spc_message_type_field(type, i)) != NULL && w->status == SPC_OK; i++) {
    bool repeated = (f->flags & SPC__REPEATED) != 0;
    bool implicit = (f->flags & SPC__EXPLICIT) == 0 && spc__info(f)->extension_name == 0;
    if (!spc_has(m, f) && !(implicit && (w->flags & SPC_JSON_EMIT_DEFAULTS) != 0)) continue;
    const spc__trail here = {trail, f, SPC_NO_POSITION};
    if (!*first) jw_char(w, ',');
    *first = false;
    jw_name(w, f);
    jw_char(w, ':');
    if ((f->flags & SPC__MAP) != 0)
      jw_map(w, m, f, &here);
    else if (repeated)
      jw_list(w, m, f, &here);
    else
      jw_value(w, m, f, spc_get(m, f), &here);
  }
}

static void jw_members(jw *w, const spc_message *m, bool first, const spc__trail *trail) {
  const spc_message_type *extensions = spc_message_type_extensions(m->type);
  jw_fields(w, m, m->type, &first, trail);
  if (extensions != NULL) jw_fields(w, m, extensions, &first, trail);
}

static void jw_any(jw *w, const spc_message *m, const spc__trail *trail) {
  const spc_field *url_field = spc__field_at(m->type, 1), *value_field = spc__field_at(m->type, 2);
  spc_slice url = spc_get(m, url_field).slice, value = spc_get(m, value_field).slice;
  const char *text = (const char *)m->arena->base + url.offset;
  spc_message inner;
  if (url.length == 0) {
    if (value.length != 0) jw_fail(w, SPC_BAD_JSON_VALUE, trail);
    jw_literal(w, "{}");
    return;
  }
  size_t slash = url.length;
  while (slash > 0 && text[slash - 1] != '/')
    slash--;
  const spc_message_type *type =
      slash == 0 || w->schema == NULL
          ? NULL
          : spc_schema_message(w->schema, text + slash, url.length - slash);
  if (type == NULL) {
    jw_fail(w, SPC_UNKNOWN_TYPE, trail);
    return;
  }
  jw_literal(w, "{\"@type\":");
  jw_string(w, (const uint8_t *)text, url.length, trail);
  size_t before = m->arena->used;
  const spc_decode_options options = {.flags = SPC_DECODE_DISCARD_UNKNOWN | SPC_DECODE_PARTIAL};
  spc_status status = spc_decode(m->arena, type, m->arena->base + value.offset, value.length,
                                 &options, &inner, NULL);
  if (status != SPC_OK) {
    jw_fail(w, status, trail);
    return;
  }
  if (type->special != SPC__PLAIN) {
    jw_literal(w, ",\"value\":");
    jw_message(w, &inner, trail);
  } else {
    jw_members(w, &inner, false, trail);
  }
  jw_char(w, '}');
  spc_arena_rewind(m->arena, before);
}

static void jw_time(jw *w, const spc_message *m, const spc__trail *trail) {
  char text[SPC__TIME_SIZE];
  int64_t seconds = spc_get(m, spc__field_at(m->type, 1)).i64;
  int32_t nanos = spc_get(m, spc__field_at(m->type, 2)).i32;
  size_t length = m->type->special == SPC__TIMESTAMP ? spc__format_timestamp(text, seconds, nanos)
                                                     : spc__format_duration(text, seconds, nanos);
  if (length == 0) jw_fail(w, SPC_BAD_JSON_VALUE, trail);
  jw_char(w, '"');
  jw_put(w, text, length);
  jw_char(w, '"');
}

/* Paths in lowerCamelCase; one that would not read back the same has no form. */
static void jw_field_mask(jw *w, const spc_message *m, const spc__trail *trail) {
  const spc_field *paths = spc__field_at(m->type, 1);
  uint32_t n = spc_count(m, paths);
  jw_char(w, '"');
  for (uint32_t i = 0; i < n; i++) {
    spc_slice path = spc_at(m, paths, i).slice;
    const char *text = (const char *)m->arena->base + path.offset;
    if (i != 0) jw_char(w, ',');
    for (uint32_t j = 0; j < path.length; j++) {
      char c = text[j];
      if (c == '_') {
        if (++j == path.length || text[j] < 'a' || text[j] > 'z') {
          jw_fail(w, SPC_BAD_JSON_VALUE, trail);
          return;
        }
        jw_char(w, (char)(text[j] - 'a' + 'A'));
      } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.') {
        jw_char(w, c);
      } else {
        jw_fail(w, SPC_BAD_JSON_VALUE, trail);
        return;
      }
    }
  }
  jw_char(w, '"');
}

/* google.protobuf.Value: the member of its oneof that is set. */
static void jw_dynamic(jw *w, const spc_message *m, const spc__trail *trail) {
  const spc_field *f = NULL;
  for (uint32_t i = 1; i <= m->type->field_count && f == NULL; i++)
    if (spc_has(m, spc__field_at(m->type, i))) f = spc__field_at(m->type, i);
  if (f == NULL) {
    jw_literal(w, "null");
    return;
  }
  spc_value value = spc_get(m, f);
  if (f->type == SPC_TYPE_DOUBLE && value.f64 - value.f64 != 0)
    jw_fail(w, SPC_BAD_JSON_VALUE, trail);
  jw_value(w, m, f, value, trail);
}

/* A message in the form of its type. */
static void jw_content(jw *w, const spc_message *m, const spc__trail *trail) {
  const spc_field *first = spc__field_at(m->type, 1);
  spc__trail here = {trail, first, SPC_NO_POSITION};
  switch (m->type->special) {
  case SPC__ANY:
    jw_any(w, m, trail);
    break;
  case SPC__TIMESTAMP:
  case SPC__DURATION:
    jw_time(w, m, trail);
    break;
  case SPC__FIELD_MASK:
    jw_field_mask(w, m, trail);
    break;
  case SPC__STRUCT:
    jw_map(w, m, first, &here);
    break;
  case SPC__LIST_VALUE:
    jw_list(w, m, first, &here);
    break;
  case SPC__VALUE:
    jw_dynamic(w, m, trail);
    break;
  case SPC__WRAPPER:
    jw_value(w, m, first, spc_get(m, first), trail);
    break;
  default:
    jw_char(w, '{');
    jw_members(w, m, true, trail);
    jw_char(w, '}');
  }
}

static void jw_message(jw *w, const spc_message *m, const spc__trail *trail) {
  if (w->depth == w->max_depth) {
    jw_fail(w, SPC_DEPTH_LIMIT, trail);
    return;
  }
  w->depth++;
  jw_content(w, m, trail);
  w->depth--;
}

spc_status spc_to_json(const spc_message *message, const spc_schema *schema, char *out,
                       size_t capacity, const spc_json_options *options, size_t *length,
                       spc_error *error) {
  static const spc_json_options defaults = {0};
  if (options == NULL) options = &defaults;
  *length = 0;
  if ((options->flags & SPC_JSON_PARTIAL) == 0) {
    spc_status status = spc_check_required(message, error);
    if (status != SPC_OK) return status;
  }
  jw w = {.out = out,
          .capacity = capacity,
          .schema = schema,
          .error = error,
          .flags = options->flags,
          .max_depth = spc__depth(options->max_depth) + 1};
  size_t before = message->arena->used;
  jw_message(&w, message, NULL);
  spc_arena_rewind(message->arena, before);
  if (w.status != SPC_OK) return w.status;
  if (w.length > INT32_MAX) return spc__fail_limit(error, SPC_SIZE_LIMIT, INT32_MAX);
  *length = (size_t)w.length;
  return w.length > capacity ? spc__fail_limit(error, SPC_BUFFER_TOO_SMALL, w.length) : SPC_OK;
}
