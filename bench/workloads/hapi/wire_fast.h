/* Varints of the reference codec: eight bytes at a time where a value has more than one. */
#ifndef HAPI_WIRE_FAST_H
#define HAPI_WIRE_FAST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HAPI_INLINE      static inline __attribute__((always_inline))
#define HAPI_LIKELY(x)   __builtin_expect((x) != 0, 1)
#define HAPI_UNLIKELY(x) __builtin_expect((x) != 0, 0)

HAPI_INLINE uint64_t hapi_load64(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

HAPI_INLINE void hapi_store64(uint8_t *p, uint64_t word) {
  memcpy(p, &word, sizeof word);
}

/* 56 bits as eight groups of seven, and back. */
HAPI_INLINE uint64_t hapi_spread(uint64_t v) {
  v = (v & 0xfffffffu) | v >> 28 << 32;
  v += (v & 0x0fffc0000fffc000u) * 3;
  return v + (v & 0x3f803f803f803f80u);
}

HAPI_INLINE uint64_t hapi_squeeze(uint64_t w) {
  w -= (w & 0x7f007f007f007f00u) >> 1;
  w -= ((w & 0x3fff00003fff0000u) >> 2) * 3;
  return (w & 0xfffffffu) | w >> 32 << 28;
}

/* A value below 2^56 as a varint of `*size` bytes, in the low end of a word. */
HAPI_INLINE uint64_t hapi_varint(uint64_t v, unsigned *size) {
  uint64_t word = hapi_spread(v);
  unsigned top = 63u - (unsigned)__builtin_clzll(word | 1);
  *size = top / 8 + 1;
  return word | 0x0080808080808080u >> (~top & 56);
}

HAPI_INLINE uint8_t *hapi_put_long(uint8_t *p, uint64_t v) {
  for (; v > 127; v >>= 7)
    *p++ = (uint8_t)(v | 128);
  *p++ = (uint8_t)v;
  return p;
}

HAPI_INLINE uint8_t *hapi_put(uint8_t *p, uint64_t v) {
  if (HAPI_UNLIKELY(v >> 56 != 0)) return hapi_put_long(p, v);
  unsigned size;
  hapi_store64(p, hapi_varint(v, &size));
  return p + size;
}

/* The same with the varint's last byte right before p. */
HAPI_INLINE uint8_t *hapi_put_back(uint8_t *p, uint64_t v) {
  if (HAPI_UNLIKELY(v >> 56 != 0)) {
    uint8_t bytes[10];
    size_t size = (size_t)(hapi_put_long(bytes, v) - bytes);
    memcpy(p - size, bytes, size);
    return p - size;
  }
  unsigned size;
  uint64_t word = hapi_varint(v, &size);
  hapi_store64(p - 8, word << (64 - 8 * size));
  return p - size;
}

HAPI_INLINE uint64_t hapi_zigzag(uint64_t v) {
  return v << 1 ^ (0 - (v >> 63));
}

HAPI_INLINE uint64_t hapi_unzigzag(uint64_t v) {
  return v >> 1 ^ (0 - (v & 1));
}

/* Copies up to some dozens of bytes, in steps of 16: the slack takes what is too much. */
HAPI_INLINE void hapi_copy(uint8_t *to, const uint8_t *from, size_t length) {
  for (size_t i = 0; i < length; i += 16)
    memcpy(to + i, from + i, 16);
}

#endif
