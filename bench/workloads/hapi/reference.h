/*
 * The reference codec of the HAPI subset, written by hand and for speed alone: what a schema-driven
 * codec is measured against. It keeps the rules of the format but checks no UTF-8.
 * Readers may read HAPI_SLACK bytes past the end of their input, whatever they hold, and writers
 * may write that many before or behind what they give back.
 */
#ifndef HAPI_REFERENCE_H
#define HAPI_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "values.h"

#define HAPI_SLACK 64u

/* Levels of messages below the root. */
#define HAPI_DEPTH 100u

/* One item, a BlockItem in wire format. */
typedef struct hapi_item {
  const uint8_t *bytes;
  size_t length;
} hapi_item;

/* The item in the field of Block that begins at `p`, with its one byte of tag, and ends at `end`.
 */
static inline hapi_item hapi_item_of(const uint8_t *p, const uint8_t *end) {
  do
    p++;
  while (*p > 127);
  return (hapi_item){p + 1, (size_t)(end - p) - 1};
}

/*
 * Write the item that begins at `*words` and move on to the next: forward, at the start of `out`,
 * or back to front, at its end. `out` has HAPI_ITEM_SIZE + 2 * HAPI_SLACK bytes.
 */
hapi_item hapi_write_forward(const uint32_t **words, const uint8_t *pool, uint8_t *out);
hapi_item hapi_write_reverse(const uint32_t **words, const uint8_t *pool, uint8_t *out);

/* The whole block in wire format, from malloc, with HAPI_SLACK bytes behind it. */
uint8_t *hapi_make_block(const hapi_values *values, size_t *length);

#endif
