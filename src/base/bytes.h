/* Loads and stores of integers at any alignment, in a stated byte order. */
#ifndef SPC_BASE_BYTES_H
#define SPC_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SPC__BIG_ENDIAN 1
#else
#define SPC__BIG_ENDIAN 0
#endif

static inline uint16_t spc__bswap16(uint16_t x) {
  return (uint16_t)((x << 8) | (x >> 8));
}

static inline uint32_t spc__load32_le(const uint8_t *p) {
  uint32_t x;
  memcpy(&x, p, 4);
  return SPC__BIG_ENDIAN ? __builtin_bswap32(x) : x;
}

static inline uint64_t spc__load64_le(const uint8_t *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return SPC__BIG_ENDIAN ? __builtin_bswap64(x) : x;
}

static inline uint16_t spc__load16_le(const uint8_t *p) {
  uint16_t x;
  memcpy(&x, p, 2);
  return SPC__BIG_ENDIAN ? spc__bswap16(x) : x;
}

static inline uint32_t spc__load32_be(const uint8_t *p) {
  uint32_t x;
  memcpy(&x, p, 4);
  return SPC__BIG_ENDIAN ? x : __builtin_bswap32(x);
}

static inline uint64_t spc__load64_be(const uint8_t *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return SPC__BIG_ENDIAN ? x : __builtin_bswap64(x);
}

static inline void spc__store16_le(uint8_t *p, uint16_t x) {
  if (SPC__BIG_ENDIAN) x = spc__bswap16(x);
  memcpy(p, &x, 2);
}

static inline void spc__store32_le(uint8_t *p, uint32_t x) {
  if (SPC__BIG_ENDIAN) x = __builtin_bswap32(x);
  memcpy(p, &x, 4);
}

static inline void spc__store64_le(uint8_t *p, uint64_t x) {
  if (SPC__BIG_ENDIAN) x = __builtin_bswap64(x);
  memcpy(p, &x, 8);
}

static inline void spc__store32_be(uint8_t *p, uint32_t x) {
  if (!SPC__BIG_ENDIAN) x = __builtin_bswap32(x);
  memcpy(p, &x, 4);
}

static inline void spc__store64_be(uint8_t *p, uint64_t x) {
  if (!SPC__BIG_ENDIAN) x = __builtin_bswap64(x);
  memcpy(p, &x, 8);
}

#endif
