/*
 * Wire primitives: varints, tags and UTF-8.
 *
 * The `padded` readers load up to SPC__PAD bytes past the start of a value, so the caller has to
 * own that many readable bytes after the end of the input (the decoder's copy of the input has
 * them, zeroed); the others stop at `end`. All read a varint of at most ten bytes whose value fits
 * 64 bits.
 */
#ifndef SPC_CODEC_WIRE_H
#define SPC_CODEC_WIRE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "spicule/codec_gen.h"

#define SPC__LIKELY(x)   __builtin_expect(!!(x), 1)
#define SPC__UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Where size counts, the compiler decides. */
#ifdef __OPTIMIZE_SIZE__
#define SPC__INLINE static inline
#else
#define SPC__INLINE static inline __attribute__((always_inline))
#endif

#define SPC__PAD 16u

#define SPC__WIRE_VARINT  0u
#define SPC__WIRE_FIXED64 1u
#define SPC__WIRE_BYTES   2u
#define SPC__WIRE_START   3u
#define SPC__WIRE_END     4u
#define SPC__WIRE_FIXED32 5u

#define SPC__MAX_NUMBER 0x1fffffffu

/* A varint byte by byte; NULL when it is longer than 64 bits or, with *v = 0, runs past `end`. */
const uint8_t *spc__varint_slow(const uint8_t *p, const uint8_t *end, uint64_t *v);

/*
 * A varint in padded input, without a branch on its length, which is hard to foresee for numbers;
 * NULL when it is longer than 64 bits.
 */
SPC__INLINE const uint8_t *spc__varint_padded_long(const uint8_t *p, uint64_t *v) {
  uint64_t w = spc__load64_le(p), stop = SPC_GEN_STOP(w);
  if (SPC__UNLIKELY(stop == 0)) return spc__varint_slow(p, p + SPC__PAD, v);
  *v = spc_gen_squeeze(w, stop);
  return p + 1 + SPC_GEN_MORE(stop);
}

SPC__INLINE const uint8_t *spc__varint_padded(const uint8_t *p, uint64_t *v) {
  if (SPC__LIKELY(*p < 0x80)) {
    *v = *p;
    return p + 1;
  }
  return spc__varint_padded_long(p, v);
}

/* A varint in input that ends at `end`; failures as in spc__varint_slow. */
SPC__INLINE const uint8_t *spc__varint(const uint8_t *p, const uint8_t *end, uint64_t *v) {
  if (SPC__LIKELY(p < end && *p < 0x80)) {
    *v = *p;
    return p + 1;
  }
  if (SPC__LIKELY(end - p >= (ptrdiff_t)SPC__PAD)) return spc__varint_padded_long(p, v);
  return spc__varint_slow(p, end, v);
}

/* Bytes of a varint. */
SPC__INLINE uint32_t spc__varint_size(uint64_t v) {
  return ((63u - (uint32_t)__builtin_clzll(v | 1)) * 9 + 73) >> 6;
}

/* Writes a varint and returns its end; ten bytes have to fit. */
SPC__INLINE uint8_t *spc__put_varint(uint8_t *p, uint64_t v) {
  while (v >= 0x80) {
    *p++ = (uint8_t)(v | 0x80);
    v >>= 7;
  }
  *p++ = (uint8_t)v;
  return p;
}

SPC__INLINE uint64_t spc__zigzag(uint64_t v) {
  return (v << 1) ^ (0 - (v >> 63));
}

SPC__INLINE uint64_t spc__unzigzag(uint64_t v) {
  return (v >> 1) ^ (0 - (v & 1));
}

/* Whether the bytes are well-formed UTF-8 (no surrogates, nothing overlong, at most U+10FFFF). */
bool spc__utf8_slow(const uint8_t *p, size_t length);

SPC__INLINE bool spc__utf8(const uint8_t *p, size_t length) {
  uint64_t high = 0;
  if (length >= 8) {
    size_t i = 0;
    for (; i + 8 <= length; i += 8)
      high |= spc__load64_le(p + i);
    high |= spc__load64_le(p + length - 8);
  } else if (length >= 4) {
    high = (uint64_t)spc__load32_le(p) | spc__load32_le(p + length - 4);
  } else if (length != 0) {
    high = (uint64_t)(p[0] | p[length >> 1] | p[length - 1]);
  }
  if (SPC__LIKELY((high & 0x8080808080808080u) == 0)) return true;
  return spc__utf8_slow(p, length);
}

/*
 * Skips the field whose tag, already read, is `tag`; nested groups to `depth` levels. Returns the
 * place behind it, or NULL with the reason in *status and the offending place in *at.
 */
const uint8_t *spc__skip(const uint8_t *p, const uint8_t *end, uint32_t tag, uint32_t depth,
                         spc_status *status, const uint8_t **at);

/*
 * Reads a tag in input that ends at `end`: number and wire type are valid. NULL with *status
 * otherwise.
 */
const uint8_t *spc__tag(const uint8_t *p, const uint8_t *end, uint32_t *tag, spc_status *status);

#endif
