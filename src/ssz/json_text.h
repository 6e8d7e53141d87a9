/*
 * Reading JSON text piece by piece. The first failure sticks in `status`, with `at` at the place;
 * later calls do nothing and answer "no", so a caller checks once at the end of a step.
 */
#ifndef SPC_SSZ_JSON_TEXT_H
#define SPC_SSZ_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "spicule/status.h"

typedef struct spc__ssz_json {
  const char *text;
  size_t length;
  size_t at;
  spc_status status;
} spc__ssz_json;

/* A string between its quotes, escapes not decoded. */
typedef struct spc__ssz_json_string {
  const char *text;
  size_t length;
} spc__ssz_json_string;

spc__ssz_json spc__ssz_json_open(const char *text, size_t length);

/* Records a failure at the present place. */
void spc__ssz_json_fail(spc__ssz_json *self, spc_status status);

/* The next character that is not white space, not consumed; 0 at the end or after a failure. */
char spc__ssz_json_peek(spc__ssz_json *self);

/* Consumes `c` if it is next. */
bool spc__ssz_json_take(spc__ssz_json *self, char c);

/* Consumes `c` or fails with SPC_MALFORMED. */
void spc__ssz_json_expect(spc__ssz_json *self, char c);

/* Consumes a word such as true, if it is next. */
bool spc__ssz_json_word(spc__ssz_json *self, const char *word);

spc__ssz_json_string spc__ssz_json_read_string(spc__ssz_json *self);

/* An unsigned decimal number that fits 64 bits. */
bool spc__ssz_json_read_u64(spc__ssz_json *self, uint64_t *value);

/* Skips one value of any kind; nesting up to 64. */
void spc__ssz_json_skip(spc__ssz_json *self);

/*
 * Iteration: after `open` was consumed, returns whether another item follows, with its comma
 * consumed; consumes `close` at the end. `*first` starts as true.
 */
bool spc__ssz_json_more(spc__ssz_json *self, bool *first, char close);

/* Whether a string, its escapes decoded, is the ASCII text `name`. */
bool spc__ssz_json_equals(spc__ssz_json_string string, const char *name, size_t length);

/* Only white space is left, or SPC_TRAILING_BYTES. */
void spc__ssz_json_end(spc__ssz_json *self);

#endif
