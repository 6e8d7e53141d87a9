/*
 * ProtoJSON to messages: one pass over the text, straight into the arena. The first failure sticks
 * in `status` and every function returns false from then on. Recursion is bounded by max_depth,
 * also where values are only skipped. The text is not in the arena; strings are copied there.
 */
#include <string.h>

#include "base/error.h"
#include "codec/json_time.h"
#include "codec/number.h"
#include "codec/record.h"
#include "codec/sort.h"

typedef struct jr {
  const char *text, *p, *end;
  const spc_schema *schema;
  spc_arena *arena;
  spc_error *error;
  spc_status status;
  uint32_t flags, depth, max_depth;
} jr;

/* A string in the text, without its quotes. */
typedef struct jr_span {
  const char *p;
  size_t length;
  bool escaped;
} jr_span;

static bool jr_message(jr *r, const spc_message *m, const spc__trail *trail);

static bool jr_fail(jr *r, spc_status status, const char *at, const spc__trail *trail) {
  if (r->status != SPC_OK) return false;
  r->status = status;
  if (status == SPC_DEPTH_LIMIT)
    spc__fail_limit(r->error, status, r->max_depth);
  else
    spc__fail(r->error, status);
  if (r->error != NULL && status != SPC_OUT_OF_MEMORY) r->error->offset = (uint64_t)(at - r->text);
  spc__path_trail(r->error, trail);
  return false;
}

/* ---- Tokens */

static void jr_space(jr *r) {
  while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
    r->p++;
}

/* The next character after white space; 0 at the end. */
static char jr_peek(jr *r) {
  jr_space(r);
  return r->p < r->end ? *r->p : '\0';
}

static bool jr_take(jr *r, char c) {
  if (jr_peek(r) != c || r->p == r->end) return false;
  r->p++;
  return true;
}

static bool jr_expect(jr *r, char c, const spc__trail *trail) {
  return jr_take(r, c) || jr_fail(r, SPC_BAD_JSON, r->p, trail);
}

static bool jr_word(jr *r, const char *word) {
  size_t length = strlen(word);
  jr_space(r);
  if ((size_t)(r->end - r->p) < length || memcmp(r->p, word, length) != 0) return false;
  r->p += length;
  return true;
}

static int jr_hex(const char *p, const char *end, uint32_t *value) {
  *value = 0;
  if (end - p < 4) return 0;
  for (int i = 0; i < 4; i++) {
    char c = p[i];
    uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                            : 16;
    if (digit > 15) return 0;
    *value = *value << 4 | digit;
  }
  return 4;
}

/* The character after a backslash at p: the bytes that the escape takes, 0 if it is wrong. */
static size_t jr_escape(const char *p, const char *end, uint32_t *c) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  uint32_t low;
  if (p == end) return 0;
  if (*p != 'u') {
    const char *found = *p == '\0' ? NULL : strchr(from, *p);
    if (found == NULL) return 0;
    *c = (uint8_t)to[found - from];
    return 1;
  }
  if (jr_hex(p + 1, end, c) == 0) return 0;
  if (*c < 0xd800 || *c > 0xdfff) return 5;
  /* A high surrogate needs a low one behind it. */
  if (*c > 0xdbff || end - p < 11 || p[5] != '\\' || p[6] != 'u' || jr_hex(p + 7, end, &low) == 0 ||
      low < 0xdc00 || low > 0xdfff)
    return 0;
  *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
  return 11;
}

/* A string, checked. */
static bool jr_string(jr *r, jr_span *span, const spc__trail *trail) {
  if (jr_peek(r) != '"') return jr_fail(r, SPC_BAD_JSON, r->p, trail);
  const char *p = ++r->p;
  span->p = p;
  span->escaped = false;
  for (;;) {
    if (p == r->end || (uint8_t)*p < 0x20) return jr_fail(r, SPC_BAD_JSON, p, trail);
    if (*p == '"') break;
    if (*p++ != '\\') continue;
    uint32_t c;
    size_t n = jr_escape(p, r->end, &c);
    if (n == 0) return jr_fail(r, SPC_BAD_JSON, p - 1, trail);
    p += n;
    span->escaped = true;
  }
  span->length = (size_t)(p - span->p);
  r->p = p + 1;
  if (!spc__utf8((const uint8_t *)span->p, span->length))
    return jr_fail(r, SPC_BAD_UTF8, span->p, trail);
  return true;
}

/* The text of a string as UTF-8 in `out`, which has room for the span; the length. */
static size_t jr_unescape(const jr_span *span, uint8_t *out) {
  const char *p = span->p, *end = p + span->length;
  size_t n = 0;
  while (p < end) {
    if (*p != '\\') {
      out[n++] = (uint8_t)*p++;
      continue;
    }
    uint32_t c = 0;
    p += 1 + jr_escape(p + 1, end, &c);
    if (c < 0x80) {
      out[n++] = (uint8_t)c;
    } else if (c < 0x800) {
      out[n++] = (uint8_t)(0xc0 | c >> 6);
      out[n++] = (uint8_t)(0x80 | (c & 63));
    } else if (c < 0x10000) {
      out[n++] = (uint8_t)(0xe0 | c >> 12);
      out[n++] = (uint8_t)(0x80 | (c >> 6 & 63));
      out[n++] = (uint8_t)(0x80 | (c & 63));
    } else {
      out[n++] = (uint8_t)(0xf0 | c >> 18);
      out[n++] = (uint8_t)(0x80 | (c >> 12 & 63));
      out[n++] = (uint8_t)(0x80 | (c >> 6 & 63));
      out[n++] = (uint8_t)(0x80 | (c & 63));
    }
  }
  return n;
}

static bool jr_alloc(jr *r, size_t size, uint32_t *ref) {
  return spc_arena_alloc(r->arena, size, ref) == SPC_OK ||
         jr_fail(r, SPC_OUT_OF_MEMORY, r->p, NULL);
}

/* Copies a string to the arena. */
static bool jr_copy(jr *r, const jr_span *span, spc_slice *slice) {
  uint32_t ref;
  if (!jr_alloc(r, span->length, &ref)) return false;
  *slice = (spc_slice){ref, (uint32_t)jr_unescape(span, r->arena->base + ref)};
  return true;
}

/*
 * A string as text that is compared and then dropped: in place, or in the arena above `used`, to
 * which the caller sets the arena back.
 */
static bool jr_plain(jr *r, jr_span *span) {
  spc_slice slice;
  if (!span->escaped) return true;
  if (!jr_copy(r, span, &slice)) return false;
  span->p = (const char *)r->arena->base + slice.offset;
  span->length = slice.length;
  return true;
}

/* A number token. */
static bool jr_number(jr *r, spc__decimal *number, const spc__trail *trail) {
  jr_space(r);
  size_t n = spc__scan_number(r->p, (size_t)(r->end - r->p), number);
  if (n == 0) return jr_fail(r, SPC_BAD_JSON, r->p, trail);
  r->p += n;
  /* "01" and "1a" are no numbers. */
  if (r->p < r->end && ((*r->p >= '0' && *r->p <= '9') || *r->p == '.' || *r->p == '+' ||
                        *r->p == '-' || (*r->p | 32) == 'e'))
    return jr_fail(r, SPC_BAD_JSON, r->p, trail);
  return true;
}

static bool jr_enter(jr *r, const spc__trail *trail) {
  if (r->depth == r->max_depth) return jr_fail(r, SPC_DEPTH_LIMIT, r->p, trail);
  r->depth++;
  return true;
}

/* After an element: true if another follows, false at the end or on failure. */
static bool jr_more(jr *r, char close, const spc__trail *trail) {
  if (r->status != SPC_OK || jr_take(r, close)) return false;
  return jr_expect(r, ',', trail);
}

/* Skips a value of any kind. */
static bool jr_skip(jr *r, const spc__trail *trail) {
  jr_span span;
  spc__decimal number;
  char c = jr_peek(r);
  if (c == '"') return jr_string(r, &span, trail);
  if (c == '[' || c == '{') {
    char close = c == '[' ? ']' : '}';
    r->p++;
    if (!jr_enter(r, trail)) return false;
    if (!jr_take(r, close)) do {
        if (close == '}' && (!jr_string(r, &span, trail) || !jr_expect(r, ':', trail)))
          return false;
        if (!jr_skip(r, trail)) return false;
      } while (jr_more(r, close, trail));
    r->depth--;
    return r->status == SPC_OK;
  }
  if (jr_word(r, "true") || jr_word(r, "false") || jr_word(r, "null")) return true;
  return jr_number(r, &number, trail);
}

/* ---- Scalars */

static bool jr_integer(jr *r, const spc_field *f, const spc__decimal *number, const char *at,
                       spc_value *value, const spc__trail *trail) {
  bool wide = f->high != 0;
  bool is_unsigned = f->type == SPC_TYPE_UINT32 || f->type == SPC_TYPE_UINT64 ||
                     f->type == SPC_TYPE_FIXED32 || f->type == SPC_TYPE_FIXED64;
  uint64_t n, most = wide ? UINT64_MAX : UINT32_MAX;
  if (!spc__to_integer(number, &n)) return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  if (!is_unsigned)
    most = most / 2 + number->negative;
  else if (number->negative)
    most = 0;
  if (n > most) return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  value->bits = number->negative ? 0 - n : n;
  if (!wide) value->bits &= UINT32_MAX;
  return true;
}

/* A number as it stands or in a string. */
static bool jr_numeric(jr *r, const spc_field *f, spc_value *value, const spc__trail *trail) {
  spc__decimal number;
  bool real = f->type == SPC_TYPE_DOUBLE || f->type == SPC_TYPE_FLOAT;
  const char *at = (jr_space(r), r->p);
  if (jr_peek(r) == '"') {
    jr_span span;
    size_t before = r->arena->used;
    if (!jr_string(r, &span, trail) || !jr_plain(r, &span)) return false;
    spc_arena_rewind(r->arena, before);
    static const char *const words[3] = {"NaN", "Infinity", "-Infinity"};
    for (int i = 0; real && i < 3; i++) {
      if (span.length != strlen(words[i]) || memcmp(span.p, words[i], span.length) != 0) continue;
      uint64_t wide[3] = {UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff0000000000000),
                          UINT64_C(0xfff0000000000000)};
      uint32_t narrow[3] = {0x7fc00000, 0x7f800000, 0xff800000};
      value->bits = f->type == SPC_TYPE_FLOAT ? narrow[i] : wide[i];
      return true;
    }
    if (span.length == 0 || spc__scan_number(span.p, span.length, &number) != span.length)
      return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
    if (!real) return jr_integer(r, f, &number, at, value, trail);
    /* The digits are those of the span, which nothing has overwritten yet. */
  } else {
    char c = jr_peek(r);
    if (c != '-' && (c < '0' || c > '9')) {
      if (!jr_skip(r, trail)) return false;
      return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
    }
    if (!jr_number(r, &number, trail)) return false;
    if (!real) return jr_integer(r, f, &number, at, value, trail);
  }
  value->bits = 0;
  if (f->type == SPC_TYPE_FLOAT) {
    value->f32 = spc__to_float(&number);
    if (value->f32 - value->f32 != 0) return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  } else {
    value->f64 = spc__to_double(&number);
    if (value->f64 - value->f64 != 0) return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  }
  return true;
}

static int jr_base64_digit(uint8_t c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

/* Standard or URL alphabet, padded or not, decoded in place. */
static bool jr_base64(uint8_t *bytes, uint32_t *length) {
  uint32_t n = *length, out = 0, bits = 0, value = 0, padding = 0;
  while (n > 0 && padding < 2 && bytes[n - 1] == '=') {
    n--;
    padding++;
  }
  if (n % 4 == 1 || (padding != 0 && (n + padding) % 4 != 0)) return false;
  for (uint32_t i = 0; i < n; i++) {
    int digit = jr_base64_digit(bytes[i]);
    if (digit < 0) return false;
    value = value << 6 | (uint32_t)digit;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[out++] = (uint8_t)(value >> bits);
  }
  *length = out;
  return true;
}

/* An enum by name or number; *known = false for a name that is skipped. */
static bool jr_enum(jr *r, const spc_field *f, spc_value *value, bool *known,
                    const spc__trail *trail) {
  const spc_enum_type *type = spc__sub_enum(f);
  const char *at = (jr_space(r), r->p);
  value->bits = 0;
  if (type->null_value && jr_word(r, "null")) return true;
  if (jr_peek(r) == '"') {
    jr_span span;
    size_t before = r->arena->used;
    if (!jr_string(r, &span, trail) || !jr_plain(r, &span)) return false;
    *known = spc_enum_type_value_number(type, span.p, span.length, &value->i32);
    spc_arena_rewind(r->arena, before);
    return *known || (r->flags & SPC_JSON_IGNORE_UNKNOWN) != 0 ||
           jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  }
  if (!jr_numeric(r, f, value, trail)) return false;
  return type->closed == 0 || spc__enum_has(type, value->i32) ||
         jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
}

static bool jr_scalar(jr *r, const spc_field *f, spc_value *value, bool *known,
                      const spc__trail *trail) {
  *known = true;
  const char *at = (jr_space(r), r->p);
  switch (f->type) {
  case SPC_TYPE_BOOL:
    value->bits = 0;
    value->boolean = jr_word(r, "true");
    return value->boolean || jr_word(r, "false") ||
           (jr_skip(r, trail) && jr_fail(r, SPC_BAD_JSON_VALUE, at, trail));
  case SPC_TYPE_STRING:
  case SPC_TYPE_BYTES: {
    jr_span span;
    if (jr_peek(r) != '"') return jr_skip(r, trail) && jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
    if (!jr_string(r, &span, trail) || !jr_copy(r, &span, &value->slice)) return false;
    return f->type == SPC_TYPE_STRING ||
           jr_base64(r->arena->base + value->slice.offset, &value->slice.length) ||
           jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  }
  case SPC_TYPE_ENUM:
    return jr_enum(r, f, value, known, trail);
  default:
    return jr_numeric(r, f, value, trail);
  }
}

/* ---- Fields */

static bool jr_done(jr *r, spc_status status, const char *at, const spc__trail *trail) {
  return status == SPC_OK || jr_fail(r, status, at, trail);
}

/* Whether null stands for a value of this field instead of for nothing. */
static bool jr_takes_null(const spc_field *f) {
  return (f->type == SPC_TYPE_ENUM && spc__sub_enum(f)->null_value) ||
         (spc__is_message(f) && spc__sub_message(f)->special == SPC__VALUE);
}

static bool jr_is_null(jr *r) {
  jr_space(r);
  return r->end - r->p >= 4 && memcmp(r->p, "null", 4) == 0;
}

static bool jr_list(jr *r, const spc_message *m, const spc_field *f, const spc__trail *up) {
  spc__trail trail = {up, f, 0};
  if (jr_peek(r) != '[') {
    const char *at = r->p;
    return jr_skip(r, up) && jr_fail(r, SPC_BAD_JSON_VALUE, at, &trail);
  }
  r->p++;
  if (!jr_enter(r, &trail)) return false;
  if (!jr_take(r, ']')) do {
      const char *at = (jr_space(r), r->p);
      spc_value value = {0};
      bool known = true;
      if (jr_is_null(r) && !jr_takes_null(f)) return jr_fail(r, SPC_BAD_JSON_VALUE, at, &trail);
      if (spc__is_message(f)) {
        spc_message element;
        if (!jr_done(r, spc_append_message(m, f, &element), at, &trail) ||
            !jr_message(r, &element, &trail))
          return false;
      } else {
        if (!jr_scalar(r, f, &value, &known, &trail)) return false;
        if (known && !jr_done(r, spc_append(m, f, value), at, &trail)) return false;
      }
      trail.index++;
    } while (jr_more(r, ']', &trail));
  r->depth--;
  return r->status == SPC_OK;
}

/* A map's key, which JSON has as a string. */
static bool jr_key(jr *r, const spc_field *key, spc_value *value, const spc__trail *trail) {
  const char *at = (jr_space(r), r->p);
  jr_span span;
  if (key->type == SPC_TYPE_STRING)
    return jr_string(r, &span, trail) && jr_copy(r, &span, &value->slice);
  if (jr_peek(r) != '"') return jr_fail(r, SPC_BAD_JSON, r->p, trail);
  if (key->type != SPC_TYPE_BOOL) return jr_numeric(r, key, value, trail);
  size_t before = r->arena->used;
  if (!jr_string(r, &span, trail) || !jr_plain(r, &span)) return false;
  spc_arena_rewind(r->arena, before);
  value->bits = 0;
  value->boolean = span.length == 4 && memcmp(span.p, "true", 4) == 0;
  return value->boolean || (span.length == 5 && memcmp(span.p, "false", 5) == 0) ||
         jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
}

static bool jr_map(jr *r, const spc_message *m, const spc_field *f, const spc__trail *up) {
  const spc_field *key_field = spc__map_key(f), *value_field = spc__map_value(f);
  spc__trail trail = {up, f, 0};
  if (jr_peek(r) != '{') {
    const char *at = r->p;
    return jr_skip(r, up) && jr_fail(r, SPC_BAD_JSON_VALUE, at, &trail);
  }
  r->p++;
  if (!jr_enter(r, &trail)) return false;
  if (!jr_take(r, '}')) do {
      spc_value key = {0}, value = {0};
      spc_message entry;
      bool known = true;
      const char *at = (jr_space(r), r->p);
      if (!jr_key(r, key_field, &key, &trail) || !jr_expect(r, ':', &trail)) return false;
      if (jr_is_null(r) && !jr_takes_null(value_field))
        return jr_fail(r, SPC_BAD_JSON_VALUE, r->p, &trail);
      if (spc__is_message(value_field)) {
        if (!jr_done(r, spc__map_append(m, f, key, &entry), at, &trail)) return false;
        const spc_message sub = {r->arena, spc__sub_message(value_field),
                                 spc_get(&entry, value_field).message};
        if (!jr_message(r, &sub, &trail)) return false;
      } else {
        if (!jr_scalar(r, value_field, &value, &known, &trail)) return false;
        if (known && (!jr_done(r, spc__map_append(m, f, key, &entry), at, &trail) ||
                      !jr_done(r, spc_set(&entry, value_field, value), at, &trail)))
          return false;
      }
      trail.index++;
    } while (jr_more(r, '}', &trail));
  r->depth--;
  if (r->status != SPC_OK) return false;
  uint32_t home;
  spc_status status;
  if (!spc__home(m, f, false, &home, &status) || home == 0) return true;
  return jr_done(r, spc__map_unique(r->arena, home + f->offset, spc__map_key(f)), r->p, &trail);
}

/* The value of a field that has not been seen before in this object. */
static bool jr_field(jr *r, const spc_message *m, const spc_field *f, const spc__trail *up) {
  const spc__trail trail = {up, f, SPC_NO_POSITION};
  const char *at = (jr_space(r), r->p);
  if (jr_is_null(r) && ((f->flags & SPC__REPEATED) != 0 || !jr_takes_null(f)))
    return jr_word(r, "null");
  if ((f->flags & SPC__MAP) != 0) return jr_map(r, m, f, up);
  if ((f->flags & SPC__REPEATED) != 0) return jr_list(r, m, f, up);
  if (spc_case(m, f) != 0) return jr_fail(r, SPC_BAD_JSON_VALUE, at, &trail);
  if (spc__is_message(f)) {
    spc_message sub;
    return jr_done(r, spc_mutable(m, f, &sub), at, &trail) && jr_message(r, &sub, &trail);
  }
  spc_value value = {0};
  bool known;
  if (!jr_scalar(r, f, &value, &known, &trail)) return false;
  return !known || jr_done(r, spc_set(m, f, value), at, &trail);
}

/* The field that a key names, NULL if the type has none. */
static const spc_field *jr_find(const jr *r, const spc_message_type *type, const jr_span *name) {
  const spc_field *f = NULL;
  if (name->length > 2 && name->p[0] == '[' && name->p[name->length - 1] == ']') {
    const spc_message_type *extensions = spc_message_type_extensions(type);
    if (r->schema != NULL) f = spc_schema_extension(r->schema, name->p + 1, name->length - 2);
    if (f == NULL || extensions == NULL || f < spc__field_at(extensions, 1) ||
        f > spc__field_at(extensions, extensions->field_count))
      return NULL;
    return f;
  }
  f = spc_message_type_by_json_name(type, name->p, name->length);
  return f != NULL ? f : spc_message_type_by_name(type, name->p, name->length);
}

/*
 * The members of an object up to its closing brace. Members of an Any are those of the message
 * inside, and "@type" beside them is no field.
 */
static bool jr_members(jr *r, const spc_message *m, bool any, const spc__trail *trail) {
  uint32_t seen = 0, words = (m->type->field_count + 32u) / 32;
  uint64_t few = 0; /* the fields seen, if that many bits do */
  if (jr_take(r, '}')) return true;
  if (words > 2) {
    if (!jr_alloc(r, (size_t)words * 4, &seen)) return false;
    memset(r->arena->base + seen, 0, (size_t)words * 4);
  }
  do {
    jr_span name;
    size_t before = r->arena->used;
    const char *at = (jr_space(r), r->p);
    if (!jr_string(r, &name, trail) || !jr_plain(r, &name)) return false;
    const spc_field *f = jr_find(r, m->type, &name);
    bool type_url = any && name.length == 5 && memcmp(name.p, "@type", 5) == 0;
    spc_arena_rewind(r->arena, before);
    if (!jr_expect(r, ':', trail)) return false;
    if (f == NULL) {
      if (!type_url && (r->flags & SPC_JSON_IGNORE_UNKNOWN) == 0)
        return jr_fail(r, SPC_UNKNOWN_FIELD, at, trail);
      if (!jr_skip(r, trail)) return false;
      continue;
    }
    const spc__field_info *info = spc__info(f);
    bool twice = info->extension_name != 0 && spc_has(m, f);
    if (info->extension_name == 0) {
      uint32_t i = info->index;
      if (words <= 2) {
        twice = (few >> (i & 63) & 1) != 0;
        few |= UINT64_C(1) << (i & 63);
      } else {
        uint8_t *byte = r->arena->base + seen + i / 8;
        twice = (*byte >> (i & 7) & 1) != 0;
        *byte |= (uint8_t)(1u << (i & 7));
      }
    }
    if (twice) return jr_fail(r, SPC_BAD_JSON_VALUE, at, &(spc__trail){trail, f, SPC_NO_POSITION});
    if (!jr_field(r, m, f, trail)) return false;
  } while (jr_more(r, '}', trail));
  return r->status == SPC_OK;
}

/* ---- Types with a form of their own */

static bool jr_set_time(jr *r, const spc_message *m, const char *at, int64_t seconds, int32_t nanos,
                        const spc__trail *trail) {
  return jr_done(r, spc_set(m, spc__field_at(m->type, 1), (spc_value){.i64 = seconds}), at,
                 trail) &&
         jr_done(r, spc_set(m, spc__field_at(m->type, 2), (spc_value){.i32 = nanos}), at, trail);
}

static bool jr_field_mask(jr *r, const spc_message *m, const jr_span *span, const char *at,
                          const spc__trail *trail) {
  const char *p = span->p, *end = p + span->length;
  while (p < end) {
    const char *comma = p;
    uint32_t ref;
    size_t upper = 0, n = 0;
    for (; comma < end && *comma != ','; comma++)
      upper += *comma >= 'A' && *comma <= 'Z';
    if (!jr_alloc(r, (size_t)(comma - p) + upper, &ref)) return false;
    uint8_t *out = r->arena->base + ref;
    for (; p < comma; p++) {
      if (*p == '_') return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
      if (*p >= 'A' && *p <= 'Z') {
        out[n++] = '_';
        out[n++] = (uint8_t)(*p - 'A' + 'a');
      } else {
        out[n++] = (uint8_t)*p;
      }
    }
    spc_value path = {.slice = {ref, (uint32_t)n}};
    if (!jr_done(r, spc_append(m, spc__field_at(m->type, 1), path), at, trail)) return false;
    if (p < end) p++;
  }
  return true;
}

/* Timestamp, Duration and FieldMask: a string. */
static bool jr_text(jr *r, const spc_message *m, const spc__trail *trail) {
  const char *at = (jr_space(r), r->p);
  jr_span span;
  int64_t seconds;
  int32_t nanos;
  if (jr_peek(r) != '"') return jr_skip(r, trail) && jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  if (!jr_string(r, &span, trail)) return false;
  if (span.escaped) return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  if (m->type->special == SPC__FIELD_MASK) return jr_field_mask(r, m, &span, at, trail);
  bool good = m->type->special == SPC__TIMESTAMP
                  ? spc__parse_timestamp(span.p, span.length, &seconds, &nanos)
                  : spc__parse_duration(span.p, span.length, &seconds, &nanos);
  if (!good) return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
  return jr_set_time(r, m, at, seconds, nanos, trail);
}

/* google.protobuf.Value: any value, by its first character. Fields 1 to 6 in their order. */
static bool jr_dynamic(jr *r, const spc_message *m, const spc__trail *trail) {
  char c = jr_peek(r);
  uint32_t number = c == 'n' ? 1 : c == '"' ? 3 : c == 't' || c == 'f' ? 4 : c == '{' ? 5 : 2;
  if (c == '[') number = 6;
  return jr_field(r, m, spc__field_at(m->type, number), trail);
}

/* The type that an Any names, searched for in the object that starts behind r->p. */
static bool jr_any_type(jr *r, jr_span *url, bool *found, const spc__trail *trail) {
  jr scan = *r;
  *found = false;
  if (!jr_take(&scan, '}')) do {
      jr_span name;
      if (!jr_string(&scan, &name, trail) || !jr_expect(&scan, ':', trail)) break;
      bool type_url = name.length == 5 && memcmp(name.p, "@type", 5) == 0;
      if (!type_url) {
        if (!jr_skip(&scan, trail)) break;
        continue;
      }
      const char *at = (jr_space(&scan), scan.p);
      if (*found) {
        jr_fail(&scan, SPC_BAD_JSON_VALUE, at, trail);
      } else if (jr_peek(&scan) != '"') {
        jr_fail(&scan, SPC_BAD_JSON_VALUE, at, trail);
      } else {
        *found = jr_string(&scan, url, trail);
      }
    } while (jr_more(&scan, '}', trail));
  r->status = scan.status;
  return r->status == SPC_OK;
}

/* The members of an Any of a type with a form of its own: "@type" and "value". */
static bool jr_any_value(jr *r, const spc_message *inner, const spc__trail *trail) {
  bool seen = false;
  do {
    jr_span name;
    const char *at = (jr_space(r), r->p);
    if (!jr_string(r, &name, trail) || !jr_expect(r, ':', trail)) return false;
    if (name.length == 5 && memcmp(name.p, "value", 5) == 0) {
      if (seen) return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
      seen = true;
      if (!jr_message(r, inner, trail)) return false;
    } else {
      bool type_url = name.length == 5 && memcmp(name.p, "@type", 5) == 0;
      if (!type_url && (r->flags & SPC_JSON_IGNORE_UNKNOWN) == 0)
        return jr_fail(r, SPC_UNKNOWN_FIELD, at, trail);
      if (!jr_skip(r, trail)) return false;
    }
  } while (jr_more(r, '}', trail));
  return r->status == SPC_OK;
}

static bool jr_any(jr *r, const spc_message *m, const spc__trail *trail) {
  const char *at = (jr_space(r), r->p);
  jr_span url;
  bool found;
  spc_slice url_slice;
  spc_message inner;
  if (!jr_expect(r, '{', trail) || !jr_any_type(r, &url, &found, trail)) return false;
  if (!found) {
    /* An empty object is an empty Any. */
    if (jr_take(r, '}')) return true;
    return jr_fail(r, SPC_UNKNOWN_TYPE, at, trail);
  }
  if (!jr_copy(r, &url, &url_slice)) return false;
  const char *text = (const char *)r->arena->base + url_slice.offset;
  size_t slash = url_slice.length;
  while (slash > 0 && text[slash - 1] != '/')
    slash--;
  const spc_message_type *type =
      slash == 0 || r->schema == NULL
          ? NULL
          : spc_schema_message(r->schema, text + slash, url_slice.length - slash);
  if (type == NULL) return jr_fail(r, SPC_UNKNOWN_TYPE, at, trail);
  if (!jr_done(r, spc_message_new(r->arena, type, &inner), at, trail)) return false;
  bool plain = type->special == SPC__PLAIN;
  if (!(plain ? jr_members(r, &inner, true, trail) : jr_any_value(r, &inner, trail))) return false;
  size_t size, written;
  uint32_t ref;
  const spc_encode_options options = {.flags = SPC_ENCODE_PARTIAL, .max_depth = SPC_DEPTH_MAX};
  spc_status status = spc_encode_back(&inner, NULL, 0, &options, &size, NULL);
  if (status != SPC_OK && status != SPC_BUFFER_TOO_SMALL) return jr_fail(r, status, at, trail);
  if (!jr_alloc(r, size, &ref)) return false;
  status = spc_encode_back(&inner, r->arena->base + ref, size, &options, &written, NULL);
  if (!jr_done(r, status, at, trail)) return false;
  const spc_value type_url = {.slice = url_slice}, value = {.slice = {ref, (uint32_t)size}};
  return jr_done(r, spc_set(m, spc__field_at(m->type, 1), type_url), at, trail) &&
         jr_done(r, spc_set(m, spc__field_at(m->type, 2), value), at, trail);
}

static bool jr_content(jr *r, const spc_message *m, const spc__trail *trail) {
  const spc_field *first = spc__field_at(m->type, 1);
  const char *at = (jr_space(r), r->p);
  switch (m->type->special) {
  case SPC__ANY:
    return jr_any(r, m, trail);
  case SPC__TIMESTAMP:
  case SPC__DURATION:
  case SPC__FIELD_MASK:
    return jr_text(r, m, trail);
  case SPC__STRUCT:
    return jr_map(r, m, first, trail);
  case SPC__LIST_VALUE:
    return jr_list(r, m, first, trail);
  case SPC__VALUE:
    return jr_dynamic(r, m, trail);
  case SPC__WRAPPER:
    if (jr_is_null(r)) return jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
    return jr_field(r, m, first, trail);
  default:
    if (jr_peek(r) != '{') return jr_skip(r, trail) && jr_fail(r, SPC_BAD_JSON_VALUE, at, trail);
    r->p++;
    return jr_members(r, m, false, trail);
  }
}

static bool jr_message(jr *r, const spc_message *m, const spc__trail *trail) {
  if (!jr_enter(r, trail) || !jr_content(r, m, trail)) return false;
  r->depth--;
  return true;
}

spc_status spc_from_json(spc_arena *arena, const spc_message_type *type, const spc_schema *schema,
                         const char *json, size_t json_length, const spc_json_options *options,
                         spc_message *message, spc_error *error) {
  static const spc_json_options defaults = {0};
  if (options == NULL) options = &defaults;
  if (json_length > INT32_MAX) return spc__fail_limit(error, SPC_SIZE_LIMIT, INT32_MAX);
  size_t before = arena->used;
  spc_status status = spc_message_new(arena, type, message);
  if (status != SPC_OK) return spc__fail(error, status);
  jr r = {.text = json,
          .p = json,
          .end = json + json_length,
          .schema = schema,
          .arena = arena,
          .error = error,
          .flags = options->flags,
          .max_depth = spc__depth(options->max_depth) + 1};
  if (jr_message(&r, message, NULL) && (jr_space(&r), r.p != r.end))
    jr_fail(&r, SPC_BAD_JSON, r.p, NULL);
  status = r.status;
  if (status == SPC_OK && (options->flags & SPC_JSON_PARTIAL) == 0)
    status = spc_check_required(message, error);
  if (status != SPC_OK) spc_arena_rewind(arena, before);
  return status;
}
