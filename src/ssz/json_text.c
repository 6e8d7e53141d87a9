/*
 * A JSON reader over a text in memory (RFC 8259), for schemas and values. It copies nothing: names
 * and values that matter here are ASCII, so escapes are only decoded to compare.
 */
#include "ssz/json_text.h"

#include <string.h>

spc__ssz_json spc__ssz_json_open(const char *text, size_t length) {
  return (spc__ssz_json){text, length, 0, SPC_OK};
}

void spc__ssz_json_fail(spc__ssz_json *self, spc_status status) {
  if (self->status == SPC_OK) self->status = status;
}

char spc__ssz_json_peek(spc__ssz_json *self) {
  if (self->status != SPC_OK) return 0;
  for (; self->at < self->length; self->at++) {
    char c = self->text[self->at];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return c;
  }
  return 0;
}

bool spc__ssz_json_take(spc__ssz_json *self, char c) {
  if (spc__ssz_json_peek(self) != c) return false;
  self->at++;
  return true;
}

void spc__ssz_json_expect(spc__ssz_json *self, char c) {
  if (!spc__ssz_json_take(self, c)) spc__ssz_json_fail(self, SPC_MALFORMED);
}

bool spc__ssz_json_word(spc__ssz_json *self, const char *word) {
  size_t length = strlen(word);
  if (spc__ssz_json_peek(self) != word[0] || self->length - self->at < length) return false;
  if (memcmp(self->text + self->at, word, length) != 0) return false;
  self->at += length;
  return true;
}

spc__ssz_json_string spc__ssz_json_read_string(spc__ssz_json *self) {
  spc__ssz_json_string none = {"", 0};
  spc__ssz_json_expect(self, '"');
  if (self->status != SPC_OK) return none;
  size_t start = self->at;
  for (; self->at < self->length; self->at++) {
    unsigned char c = (unsigned char)self->text[self->at];
    if (c == '"') return (spc__ssz_json_string){self->text + start, self->at++ - start};
    if (c < 0x20) break;
    if (c == '\\') self->at++;
  }
  if (self->at > self->length) self->at = self->length;
  spc__ssz_json_fail(self, SPC_MALFORMED);
  return none;
}

static bool sjt_is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool spc__ssz_json_read_u64(spc__ssz_json *self, uint64_t *value) {
  *value = 0;
  if (!sjt_is_digit(spc__ssz_json_peek(self))) {
    spc__ssz_json_fail(self, SPC_MALFORMED);
    return false;
  }
  for (; self->at < self->length && sjt_is_digit(self->text[self->at]); self->at++) {
    uint64_t digit = (uint64_t)(self->text[self->at] - '0');
    if (*value > (UINT64_MAX - digit) / 10) {
      spc__ssz_json_fail(self, SPC_BAD_VALUE);
      return false;
    }
    *value = *value * 10 + digit;
  }
  return true;
}

static void sjt_skip_digits(spc__ssz_json *self) {
  size_t start = self->at;
  while (self->at < self->length && sjt_is_digit(self->text[self->at]))
    self->at++;
  if (self->at == start) spc__ssz_json_fail(self, SPC_MALFORMED);
}

static bool sjt_next_is(const spc__ssz_json *self, char a, char b) {
  return self->at < self->length && (self->text[self->at] == a || self->text[self->at] == b);
}

static void sjt_skip_number(spc__ssz_json *self) {
  if (sjt_next_is(self, '-', '-')) self->at++;
  sjt_skip_digits(self);
  if (sjt_next_is(self, '.', '.')) {
    self->at++;
    sjt_skip_digits(self);
  }
  if (sjt_next_is(self, 'e', 'E')) {
    self->at++;
    if (sjt_next_is(self, '+', '-')) self->at++;
    sjt_skip_digits(self);
  }
}

static void sjt_skip_scalar(spc__ssz_json *self) {
  if (spc__ssz_json_peek(self) == '"')
    spc__ssz_json_read_string(self);
  else if (!spc__ssz_json_word(self, "true") && !spc__ssz_json_word(self, "false") &&
           !spc__ssz_json_word(self, "null"))
    sjt_skip_number(self);
}

static void sjt_skip_key(spc__ssz_json *self) {
  spc__ssz_json_read_string(self);
  spc__ssz_json_expect(self, ':');
}

void spc__ssz_json_skip(spc__ssz_json *self) {
  uint64_t objects = 0; /* bit i: level i is an object, else an array */
  unsigned depth = 0;
  do {
    char c = spc__ssz_json_peek(self);
    if (c == '{' || c == '[') {
      if (depth == 64) {
        spc__ssz_json_fail(self, SPC_DEPTH_LIMIT);
        return;
      }
      self->at++;
      objects = (objects & ~(UINT64_C(1) << depth)) | ((uint64_t)(c == '{') << depth);
      depth++;
      if (!spc__ssz_json_take(self, c == '{' ? '}' : ']')) {
        if (c == '{') sjt_skip_key(self);
        continue;
      }
      depth--;
    } else {
      sjt_skip_scalar(self);
    }
    while (depth != 0 && self->status == SPC_OK) {
      bool object = (objects >> (depth - 1) & 1) != 0;
      if (spc__ssz_json_take(self, ',')) {
        if (object) sjt_skip_key(self);
        break;
      }
      spc__ssz_json_expect(self, object ? '}' : ']');
      depth--;
    }
  } while (depth != 0 && self->status == SPC_OK);
}

bool spc__ssz_json_more(spc__ssz_json *self, bool *first, char close) {
  if (self->status != SPC_OK || spc__ssz_json_take(self, close)) return false;
  if (!*first) spc__ssz_json_expect(self, ',');
  *first = false;
  return self->status == SPC_OK;
}

static unsigned sjt_hex_digit(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A' + 10);
  return 256;
}

/* Names have letters, digits and underscores only: \u with four digits is the one that matters. */
bool spc__ssz_json_equals(spc__ssz_json_string string, const char *name, size_t length) {
  size_t at = 0;
  for (size_t i = 0; i < length; i++) {
    if (at == string.length) return false;
    unsigned c = (unsigned char)string.text[at++];
    if (c == '\\') {
      if (string.length - at < 5 || string.text[at] != 'u') return false;
      c = 0;
      for (size_t k = 1; k < 5; k++)
        c = c * 16 + sjt_hex_digit(string.text[at + k]);
      at += 5;
    }
    if (c != (unsigned char)name[i]) return false;
  }
  return at == string.length;
}

void spc__ssz_json_end(spc__ssz_json *self) {
  spc__ssz_json_peek(self);
  if (self->status == SPC_OK && self->at != self->length)
    spc__ssz_json_fail(self, SPC_TRAILING_BYTES);
}
