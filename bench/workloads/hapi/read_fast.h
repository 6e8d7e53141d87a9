/* What the readers of the reference codec share: tags, varints and lengths in memory with slack. */
#ifndef HAPI_READ_FAST_H
#define HAPI_READ_FAST_H

#include <stdbool.h>

#include "wire_fast.h"

/* A tag as its one or two bytes on the wire, and how many those are. */
#define HAPI_TAG_NUMBER(number, wire) ((uint32_t)(number) << 3 | (wire))
#define HAPI_TAG_BYTES(t)             ((t) < 128 ? (t) : (((t) & 127) | 128 | ((t) >> 7) << 8))
#define HAPI_TAG(number, wire)        HAPI_TAG_BYTES(HAPI_TAG_NUMBER(number, wire))
#define HAPI_TAG_SIZE(number)         ((number) < 16 ? 1 : 2)

/* Wire types of the kinds of subset.h. */
#define HAPI_WIRE_INT    0u
#define HAPI_WIRE_SINT   0u
#define HAPI_WIRE_BOOL   0u
#define HAPI_WIRE_STRING 2u
#define HAPI_WIRE_BYTES  2u

HAPI_INLINE uint32_t hapi_tag(const uint8_t *p) {
  return HAPI_LIKELY(p[0] < 128) ? p[0] : (uint32_t)(p[0] | p[1] << 8);
}

/* A varint of more than 8 bytes; one that is too long ends behind `e`. */
static const uint8_t *hapi_get_long(const uint8_t *p, const uint8_t *e, uint64_t *value) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 10; i++) {
    v |= (uint64_t)(p[i] & 127) << (7 * i);
    if (p[i] < 128) {
      *value = v;
      return p + i + 1;
    }
  }
  *value = 0;
  return e + 1;
}

/* What is cut off by the end `e` ends behind it too, so that a reader sees one kind of fault. */
HAPI_INLINE const uint8_t *hapi_get(const uint8_t *p, const uint8_t *e, uint64_t *value) {
  if (*p < 128) {
    *value = *p;
    return p + 1;
  }
  uint64_t word = hapi_load64(p), last = ~word & 0x8080808080808080u;
  if (HAPI_UNLIKELY(last == 0)) return hapi_get_long(p, e, value);
  /* The bytes up to the first without its top bit. */
  *value = hapi_squeeze(word & (last ^ (last - 1)) & 0x7f7f7f7f7f7f7f7fu);
  return p + ((unsigned)__builtin_ctzll(last) + 1) / 8;
}

/* A length, at most up to `e`; otherwise the result is false. */
HAPI_INLINE bool hapi_get_length(const uint8_t **p, const uint8_t *e, uint32_t *length) {
  uint64_t value;
  const uint8_t *q = *p;
  if (HAPI_LIKELY(*q < 128)) {
    value = *q++;
  } else {
    q = hapi_get(q, e, &value);
  }
  *p = q;
  *length = (uint32_t)value;
  return q <= e && value <= (uint64_t)(e - q);
}

#endif
