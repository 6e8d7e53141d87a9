/*
 * JSON both ways, between text and SSZ bytes, without a tree in between. Both writers count what
 * does not fit, so that the needed size is known. Reading a container first notes where each field
 * begins, then reads the fields in their order; an array of variable-size elements is counted
 * first, for its offsets. So every character is looked at a few times for each level of the type,
 * and recursion follows the type.
 */
#include <string.h>

#include "base/error.h"
#include "ssz/check.h"
#include "ssz/json_text.h"
#include "ssz/wire.h"

/* ---- To JSON ---- */

typedef struct sj_writer {
  char *out;
  size_t capacity, size;
} sj_writer;

static void sj_put(sj_writer *w, const char *text, size_t length) {
  if (w->size <= w->capacity && length <= w->capacity - w->size)
    memcpy(w->out + w->size, text, length);
  w->size += length;
}

static void sj_text(sj_writer *w, const char *text) {
  sj_put(w, text, strlen(text));
}

static void sj_hex(sj_writer *w, const uint8_t *bytes, uint64_t length) {
  static const char digits[] = "0123456789abcdef";
  sj_text(w, "\"0x");
  bool fits = w->size <= w->capacity && length <= (w->capacity - w->size) / 2;
  for (uint64_t i = 0; i < length && fits; i++) {
    w->out[w->size + 2 * i] = digits[bytes[i] >> 4];
    w->out[w->size + 2 * i + 1] = digits[bytes[i] & 15];
  }
  w->size += 2 * (size_t)length;
  sj_text(w, "\"");
}

/* A little-endian integer of 1 to 32 bytes, by division by 10^9. */
static void sj_integer(sj_writer *w, const uint8_t *bytes, uint64_t length) {
  uint32_t limbs[8] = {0};
  char digits[84];
  size_t at = sizeof digits;
  for (uint64_t i = 0; i < length; i++)
    limbs[i / 4] |= (uint32_t)bytes[i] << (8 * (i % 4));
  digits[--at] = '"';
  int top = 7;
  do {
    while (top > 0 && limbs[top] == 0)
      top--;
    uint64_t rest = 0;
    for (int i = top; i >= 0; i--) {
      rest = rest << 32 | limbs[i];
      limbs[i] = (uint32_t)(rest / 1000000000);
      rest %= 1000000000;
    }
    bool last = top == 0 && limbs[0] == 0;
    for (int i = 0; i < 9 && (!last || rest != 0 || i == 0); i++, rest /= 10)
      digits[--at] = (char)('0' + rest % 10);
  } while (top != 0 || limbs[0] != 0);
  digits[--at] = '"';
  sj_put(w, digits + at, sizeof digits - at);
}

static void sj_value(sj_writer *w, const spc_ssz_type *type, const uint8_t *bytes, uint64_t length);

static void sj_elements(sj_writer *w, const spc_ssz_type *type, const uint8_t *bytes,
                        uint64_t length) {
  uint64_t count = spc__ssz_wire_count(type, bytes, length);
  sj_text(w, "[");
  for (uint64_t i = 0; i < count; i++) {
    uint64_t size;
    const uint8_t *part = spc__ssz_wire_element(type, bytes, length, i, count, &size);
    if (i != 0) sj_text(w, ",");
    sj_value(w, spc__ssz_element(type), part, size);
  }
  sj_text(w, "]");
}

static void sj_fields(sj_writer *w, const spc_ssz_type *type, const uint8_t *bytes,
                      uint64_t length) {
  for (uint32_t i = 0; i < type->member_count; i++) {
    const spc__ssz_member *member = &spc__ssz_members(type)[i];
    uint64_t size;
    const uint8_t *part = spc__ssz_wire_member(type, bytes, length, i, &size);
    sj_text(w, i == 0 ? "{\"" : ",\"");
    sj_put(w, spc__ssz_member_name(member), member->name_length);
    sj_text(w, "\":");
    sj_value(w, spc__ssz_member_type(member), part, size);
  }
  sj_text(w, "}");
}

static void sj_value(sj_writer *w, const spc_ssz_type *type, const uint8_t *bytes,
                     uint64_t length) {
  if (type->kind == SPC_SSZ_UINT) {
    sj_integer(w, bytes, length);
  } else if (type->kind == SPC_SSZ_BOOLEAN) {
    sj_text(w, bytes[0] != 0 ? "true" : "false");
  } else if (type->kind == SPC_SSZ_BYTE || spc__ssz_has(type, SPC__SSZ_BITS) ||
             spc__ssz_is_bytes(type)) {
    sj_hex(w, bytes, length);
  } else if (spc__ssz_is_sequence(type)) {
    sj_elements(w, type, bytes, length);
  } else if (spc__ssz_is_container(type)) {
    sj_fields(w, type, bytes, length);
  } else {
    const spc__ssz_member *option = spc__ssz_option(type, bytes[0]);
    sj_text(w, "{\"selector\":");
    sj_integer(w, bytes, 1);
    sj_text(w, ",\"data\":");
    if (option->type == 0)
      sj_text(w, "null");
    else
      sj_value(w, spc__ssz_member_type(option), bytes + 1, length - 1);
    sj_text(w, "}");
  }
}

spc_status spc_ssz_to_json(const spc_ssz_type *type, const uint8_t *bytes, size_t length, char *out,
                           size_t capacity, size_t *size, spc_error *error) {
  *size = 0;
  spc_status status = spc_ssz_validate(type, bytes, length, error);
  if (status != SPC_OK) return status;
  sj_writer writer = {out, capacity, 0};
  sj_value(&writer, type, bytes, length);
  *size = writer.size;
  return writer.size > capacity ? spc__fail_limit(error, SPC_BUFFER_TOO_SMALL, writer.size)
                                : SPC_OK;
}

/* ---- From JSON ---- */

typedef struct sj_reader {
  spc__ssz_json json;
  uint8_t *out;
  uint64_t capacity, at; /* `at` counts on past the capacity */
  size_t *places;        /* where fields begin, a stack */
  size_t places_left;
  spc_error *error;
  spc__ssz_trail trail;
} sj_reader;

static spc_status sj_read(sj_reader *r, const spc_ssz_type *type);

static spc_status sj_fail(sj_reader *r, spc_status status) {
  return spc__ssz_trail_fail(&r->trail, r->error, status, r->json.at);
}

/* Fails where a value of the text does not fit; a text that is no JSON goes first. */
static spc_status sj_refuse(sj_reader *r, spc_status status) {
  return sj_fail(r, r->json.status != SPC_OK ? r->json.status : status);
}

static void sj_byte(sj_reader *r, uint8_t byte) {
  if (r->at < r->capacity) r->out[r->at] = byte;
  r->at++;
}

static void sj_offset(sj_reader *r, uint64_t at, uint64_t value) {
  if (at <= r->capacity && r->capacity - at >= SPC__SSZ_OFFSET_BYTES)
    spc__store32_le(r->out + at, (uint32_t)value);
}

static unsigned sj_digit(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
  return 16;
}

static bool sj_is_hex(spc__ssz_json_string s) {
  if (s.length < 2 || s.length % 2 != 0 || s.text[0] != '0' || s.text[1] != 'x') return false;
  for (size_t i = 2; i < s.length; i++)
    if (sj_digit(s.text[i]) > 15) return false;
  return true;
}

static void sj_hex_bytes(sj_reader *r, spc__ssz_json_string s) {
  for (size_t i = 2; i < s.length; i += 2)
    sj_byte(r, (uint8_t)(sj_digit(s.text[i]) << 4 | sj_digit(s.text[i + 1])));
}

/* Digits to a little-endian integer of `size` bytes; false if they are none or do not fit. */
static bool sj_decimal(const char *text, size_t length, uint64_t size, uint8_t bytes[32]) {
  uint32_t limbs[9] = {0};
  if (length == 0 || length > 80 || (length > 1 && text[0] == '0')) return false;
  for (size_t i = 0; i < length; i++) {
    uint64_t carry = (uint64_t)(unsigned char)text[i] - '0';
    if (carry > 9) return false;
    for (int k = 0; k < 9; k++) {
      carry += (uint64_t)limbs[k] * 10;
      limbs[k] = (uint32_t)carry;
      carry >>= 32;
    }
    if (limbs[8] != 0) return false;
  }
  for (uint64_t i = 0; i < 32; i++) {
    bytes[i] = (uint8_t)(limbs[i / 4] >> (8 * (i % 4)));
    if (i >= size && bytes[i] != 0) return false;
  }
  return true;
}

/* An integer as a string or a number. */
static spc__ssz_json_string sj_digits(sj_reader *r) {
  if (spc__ssz_json_peek(&r->json) == '"') return spc__ssz_json_read_string(&r->json);
  size_t start = r->json.at;
  while (r->json.at < r->json.length && sj_digit(r->json.text[r->json.at]) < 10)
    r->json.at++;
  return (spc__ssz_json_string){r->json.text + start, r->json.at - start};
}

static spc_status sj_read_integer(sj_reader *r, const spc_ssz_type *type) {
  uint8_t bytes[32];
  spc__ssz_json_string s = sj_digits(r);
  if (type->kind == SPC_SSZ_BYTE && s.length == 4 && sj_is_hex(s))
    sj_hex_bytes(r, s);
  else if (r->json.status != SPC_OK || !sj_decimal(s.text, s.length, type->fixed_size, bytes))
    return sj_refuse(r, SPC_BAD_VALUE);
  else
    for (uint64_t i = 0; i < type->fixed_size; i++)
      sj_byte(r, bytes[i]);
  return SPC_OK;
}

static spc_status sj_read_boolean(sj_reader *r) {
  bool on = spc__ssz_json_word(&r->json, "true");
  if (!on && !spc__ssz_json_word(&r->json, "false")) return sj_refuse(r, SPC_BAD_VALUE);
  sj_byte(r, on);
  return SPC_OK;
}

/* What validation would say of the bits in a string, whether they were stored or not. */
static spc_status sj_check_bits(const spc_ssz_type *type, spc__ssz_json_string s) {
  uint64_t size = s.length / 2 - 1;
  unsigned last =
      size == 0 ? 0 : sj_digit(s.text[s.length - 2]) << 4 | sj_digit(s.text[s.length - 1]);
  if (type->kind == SPC_SSZ_BITVECTOR) {
    if (size != type->fixed_size) return SPC_WRONG_LENGTH;
    return type->limit % 8 != 0 && last >> (type->limit % 8) != 0 ? SPC_BAD_BIT_PADDING : SPC_OK;
  }
  if (last == 0) return SPC_NO_DELIMITER;
  uint64_t length = 8 * (size - 1) + 31u - (unsigned)__builtin_clz(last);
  return type->kind == SPC_SSZ_BITLIST && length > type->limit ? SPC_OVER_LIMIT : SPC_OK;
}

static spc_status sj_check_count(const spc_ssz_type *type, uint64_t count) {
  if (type->kind == SPC_SSZ_VECTOR && count != type->limit) return SPC_WRONG_LENGTH;
  return type->kind == SPC_SSZ_LIST && count > type->limit ? SPC_OVER_LIMIT : SPC_OK;
}

static spc_status sj_read_hex(sj_reader *r, const spc_ssz_type *type) {
  spc__ssz_json_string s = {"", 0};
  if (spc__ssz_json_peek(&r->json) == '"') s = spc__ssz_json_read_string(&r->json);
  if (r->json.status != SPC_OK || !sj_is_hex(s)) return sj_refuse(r, SPC_BAD_VALUE);
  spc_status status = spc__ssz_has(type, SPC__SSZ_BITS) ? sj_check_bits(type, s)
                                                        : sj_check_count(type, s.length / 2 - 1);
  if (status != SPC_OK) return sj_fail(r, status);
  sj_hex_bytes(r, s);
  return SPC_OK;
}

static uint64_t sj_count_items(sj_reader *r) {
  spc__ssz_json json = r->json;
  bool first = true;
  uint64_t count = 0;
  for (; spc__ssz_json_more(&json, &first, ']'); count++)
    spc__ssz_json_skip(&json);
  if (json.status != SPC_OK) r->json = json;
  return count;
}

static spc_status sj_read_part(sj_reader *r, const spc_ssz_type *type, uint64_t index,
                               const spc_ssz_type *part) {
  spc__ssz_trail_enter(&r->trail, type, index);
  spc_status status = sj_read(r, part);
  r->trail.depth--;
  return status;
}

static spc_status sj_read_elements(sj_reader *r, const spc_ssz_type *type) {
  const spc_ssz_type *element = spc__ssz_element(type);
  bool fixed = spc__ssz_has(element, SPC__SSZ_FIXED), first = true;
  if (!spc__ssz_json_take(&r->json, '[')) return sj_refuse(r, SPC_BAD_VALUE);
  uint64_t start = r->at, count = 0, expected = 0;
  if (!fixed) {
    expected = sj_count_items(r);
    if (r->json.status != SPC_OK) return sj_fail(r, r->json.status);
    r->at += SPC__SSZ_OFFSET_BYTES * expected;
  }
  for (; spc__ssz_json_more(&r->json, &first, ']'); count++) {
    if (type->kind != SPC_SSZ_PROGRESSIVE_LIST && count == type->limit) break;
    if (!fixed) sj_offset(r, start + SPC__SSZ_OFFSET_BYTES * count, r->at - start);
    spc_status status = sj_read_part(r, type, count, element);
    if (status != SPC_OK) return status;
    if (!fixed && r->at - start > UINT32_MAX) return sj_fail(r, SPC_SIZE_LIMIT);
  }
  if (r->json.status != SPC_OK) return sj_fail(r, r->json.status);
  bool more = r->json.text[r->json.at - 1] != ']';
  spc_status status = sj_check_count(type, count + more);
  return status == SPC_OK ? SPC_OK : sj_fail(r, status);
}

/* Notes where the fields are: places[i] for field i; the object is consumed. */
static spc_status sj_find_fields(sj_reader *r, const spc_ssz_type *type, size_t *places) {
  bool first = true;
  size_t expected = 0;
  if (!spc__ssz_json_take(&r->json, '{')) return sj_refuse(r, SPC_BAD_VALUE);
  memset(places, 0, type->member_count * sizeof *places);
  while (spc__ssz_json_more(&r->json, &first, '}')) {
    spc__ssz_json_string key = spc__ssz_json_read_string(&r->json);
    spc__ssz_json_expect(&r->json, ':');
    spc__ssz_json_peek(&r->json);
    for (size_t k = 0; k < type->member_count; k++) {
      size_t i = (expected + k) % type->member_count; /* fields usually come in order */
      const spc__ssz_member *member = &spc__ssz_members(type)[i];
      if (!spc__ssz_json_equals(key, spc__ssz_member_name(member), member->name_length)) continue;
      if (places[i] != 0) return sj_refuse(r, SPC_BAD_VALUE);
      places[i] = r->json.at;
      expected = i + 1;
      break;
    }
    spc__ssz_json_skip(&r->json);
  }
  return r->json.status == SPC_OK ? SPC_OK : sj_fail(r, r->json.status);
}

static spc_status sj_read_fields(sj_reader *r, const spc_ssz_type *type) {
  size_t *places = r->places;
  if (r->places_left < type->member_count) return sj_fail(r, SPC_COUNT_LIMIT);
  spc_status status = sj_find_fields(r, type, places);
  if (status != SPC_OK) return status;
  r->places += type->member_count;
  r->places_left -= type->member_count;
  spc__ssz_json end = r->json;
  uint64_t start = r->at, tail = start + type->fixed_part;
  /* Fixed fields and variable ones are written to two places: `at` follows the field's own. */
  for (uint32_t i = 0; i < type->member_count && status == SPC_OK; i++) {
    const spc__ssz_member *member = &spc__ssz_members(type)[i];
    const spc_ssz_type *field = spc__ssz_member_type(member);
    bool fixed = spc__ssz_has(field, SPC__SSZ_FIXED);
    if (places[i] == 0) {
      spc__ssz_trail_enter(&r->trail, type, i);
      status = sj_fail(r, SPC_MISSING_FIELD);
      r->trail.depth--;
      break;
    }
    r->json.at = places[i];
    r->at = fixed ? start + member->wire : tail;
    if (!fixed) sj_offset(r, start + member->wire, tail - start);
    status = sj_read_part(r, type, i, field);
    if (!fixed) tail = r->at;
    if (!fixed && status == SPC_OK && tail - start > UINT32_MAX)
      status = sj_fail(r, SPC_SIZE_LIMIT);
  }
  r->places = places;
  r->places_left += type->member_count;
  r->at = tail;
  if (status == SPC_OK) r->json = end;
  return status;
}

static spc_status sj_read_union(sj_reader *r, const spc_ssz_type *type) {
  size_t selector_at = 0, data_at = 0;
  bool first = true;
  if (!spc__ssz_json_take(&r->json, '{')) return sj_refuse(r, SPC_BAD_VALUE);
  while (spc__ssz_json_more(&r->json, &first, '}')) {
    spc__ssz_json_string key = spc__ssz_json_read_string(&r->json);
    spc__ssz_json_expect(&r->json, ':');
    spc__ssz_json_peek(&r->json);
    size_t *place = spc__ssz_json_equals(key, "selector", 8) ? &selector_at
                    : spc__ssz_json_equals(key, "data", 4)   ? &data_at
                                                             : NULL;
    if (place != NULL && *place != 0) return sj_refuse(r, SPC_BAD_VALUE);
    if (place != NULL) *place = r->json.at;
    spc__ssz_json_skip(&r->json);
  }
  if (r->json.status != SPC_OK) return sj_fail(r, r->json.status);
  if (selector_at == 0 || data_at == 0) return sj_fail(r, SPC_MISSING_FIELD);
  spc__ssz_json end = r->json;
  uint8_t selector[32];
  r->json.at = selector_at;
  spc__ssz_json_string digits = sj_digits(r);
  if (!sj_decimal(digits.text, digits.length, 1, selector)) return sj_refuse(r, SPC_BAD_VALUE);
  const spc__ssz_member *option = spc__ssz_option(type, selector[0]);
  if (option == NULL) return sj_fail(r, SPC_UNKNOWN_OPTION);
  sj_byte(r, selector[0]);
  r->json.at = data_at;
  spc_status status = SPC_OK;
  if (option->type != 0)
    status = sj_read_part(r, type, selector[0], spc__ssz_member_type(option));
  else if (!spc__ssz_json_word(&r->json, "null"))
    status = sj_refuse(r, SPC_BAD_VALUE);
  if (status == SPC_OK) r->json = end;
  return status;
}

static spc_status sj_read(sj_reader *r, const spc_ssz_type *type) {
  if (type->kind == SPC_SSZ_BOOLEAN) return sj_read_boolean(r);
  if (spc__ssz_is_basic(type)) return sj_read_integer(r, type);
  if (spc__ssz_has(type, SPC__SSZ_BITS) || spc__ssz_is_bytes(type)) return sj_read_hex(r, type);
  if (spc__ssz_is_sequence(type) && spc__ssz_element(type)->kind == SPC_SSZ_UINT &&
      spc__ssz_element(type)->limit == 8 && spc__ssz_json_peek(&r->json) == '"')
    return sj_read_hex(r, type);
  if (spc__ssz_is_sequence(type)) return sj_read_elements(r, type);
  return spc__ssz_is_container(type) ? sj_read_fields(r, type) : sj_read_union(r, type);
}

spc_status spc_ssz_from_json(const spc_ssz_type *type, const char *text, size_t length,
                             uint8_t *out, size_t capacity, size_t *size, void *work,
                             spc_error *error) {
  sj_reader reader = {.json = spc__ssz_json_open(text, length),
                      .out = out,
                      .capacity = capacity,
                      .places = (size_t *)work,
                      .places_left = SPC_SSZ_WORK_SIZE / sizeof(size_t),
                      .error = error};
  *size = 0;
  spc_status status = sj_read(&reader, type);
  if (status != SPC_OK) return status;
  spc__ssz_json_end(&reader.json);
  if (reader.json.status != SPC_OK) return sj_fail(&reader, reader.json.status);
  if (reader.at > SIZE_MAX) return spc__fail_limit(error, SPC_SIZE_LIMIT, SIZE_MAX);
  *size = (size_t)reader.at;
  return reader.at > capacity ? spc__fail_limit(error, SPC_BUFFER_TOO_SMALL, reader.at) : SPC_OK;
}
