/*
 * SHA-256 and SHA-384 exactly as FIPS 180-4 writes them, as an oracle: the whole padded message in
 * a buffer, the whole schedule in an array, no shortcuts. The constants are computed by their
 * definition, the first bits of the fractional parts of roots of the first primes.
 */
#ifndef SPC_TEST_UNIT_SHA2_TEXTBOOK_H
#define SPC_TEST_UNIT_SHA2_TEXTBOOK_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The 64 bits behind the point of the square (power 2) or cube (3) root of p. */
static inline uint64_t textbook_root(unsigned p, int power) {
  /* Bit by bit the largest r with r^power <= p * 2^(64 power), on numbers of 32-bit digits. */
  uint32_t r[3] = {0, 0, 0};
  for (int bit = 64 + 5; bit >= 0; bit--) {
    uint32_t product[9] = {1}, limit[9] = {0};
    r[bit / 32] |= UINT32_C(1) << bit % 32;
    for (int k = 0; k < power; k++) {
      uint32_t next[9] = {0};
      for (int i = 0; i < 3; i++) {
        uint64_t carry = 0;
        for (int j = 0; i + j < 9; j++) {
          carry += (uint64_t)r[i] * product[j] + next[i + j];
          next[i + j] = (uint32_t)carry;
          carry >>= 32;
        }
      }
      memcpy(product, next, sizeof product);
    }
    limit[2 * power] = p;
    int i = 8;
    while (i > 0 && product[i] == limit[i])
      i--;
    if (product[i] > limit[i]) r[bit / 32] &= ~(UINT32_C(1) << bit % 32);
  }
  return (uint64_t)r[1] << 32 | r[0];
}

static inline void textbook_constants(uint64_t k[80], uint64_t h[16]) {
  unsigned p = 2;
  for (int i = 0; i < 80; p++) {
    unsigned d = 2;
    while (d < p && p % d != 0)
      d++;
    if (d != p) continue;
    k[i] = textbook_root(p, 3);
    if (i < 16) h[i] = textbook_root(p, 2);
    i++;
  }
}

/* `bits` is 32 for SHA-256, 64 for SHA-384. */
static inline void textbook_sha2(int bits, uint8_t *out, const uint8_t *in, size_t length) {
  static uint64_t k[80], roots[16];
  if (k[0] == 0) textbook_constants(k, roots);
  static const int rotations[2][12] = {{2, 13, 22, 6, 11, 25, 7, 18, 3, 17, 19, 10},
                                       {28, 34, 39, 14, 18, 41, 1, 8, 7, 19, 61, 6}};
  const int *n = rotations[bits == 64];
  const uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
  const size_t word = (size_t)bits / 8, block = 16 * word;
  const int rounds = bits == 64 ? 80 : 64, drop = 64 - bits;
#define TEXTBOOK_ROTATE(x, n) (((x) >> (n) | (x) << (bits - (n))) & mask)
#define TEXTBOOK_UPPER(x, i)                                                                       \
  (TEXTBOOK_ROTATE(x, n[i]) ^ TEXTBOOK_ROTATE(x, n[(i) + 1]) ^ TEXTBOOK_ROTATE(x, n[(i) + 2]))
#define TEXTBOOK_LOWER(x, i)                                                                       \
  (TEXTBOOK_ROTATE(x, n[i]) ^ TEXTBOOK_ROTATE(x, n[(i) + 1]) ^ ((x) >> n[(i) + 2]))

  size_t padded = (length + 1 + 2 * word + block - 1) / block * block;
  uint8_t *message = (uint8_t *)calloc(padded, 1);
  if (message == NULL) abort();
  if (length != 0) memcpy(message, in, length);
  message[length] = 0x80;
  for (size_t i = 0; i < 8; i++)
    message[padded - 1 - i] = (uint8_t)((uint64_t)length * 8 >> 8 * i);

  uint64_t h[8];
  for (int i = 0; i < 8; i++)
    h[i] = bits == 64 ? roots[8 + i] : roots[i] >> drop;
  for (size_t at = 0; at < padded; at += block) {
    uint64_t w[80] = {0}, v[8];
    for (size_t t = 0; t < 16; t++)
      for (size_t j = 0; j < word; j++)
        w[t] = w[t] << 8 | message[at + t * word + j];
    for (int t = 16; t < rounds; t++)
      w[t] = (TEXTBOOK_LOWER(w[t - 2], 9) + w[t - 7] + TEXTBOOK_LOWER(w[t - 15], 6) + w[t - 16]) &
             mask;
    memcpy(v, h, sizeof v);
    for (int t = 0; t < rounds; t++) {
      uint64_t ch = (v[4] & v[5]) ^ (~v[4] & v[6]);
      uint64_t maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
      uint64_t t1 = v[7] + TEXTBOOK_UPPER(v[4], 3) + ch + (k[t] >> drop) + w[t];
      uint64_t t2 = TEXTBOOK_UPPER(v[0], 0) + maj;
      memmove(v + 1, v, 7 * sizeof v[0]);
      v[4] = (v[4] + t1) & mask;
      v[0] = (t1 + t2) & mask;
    }
    for (int i = 0; i < 8; i++)
      h[i] = (h[i] + v[i]) & mask;
  }
  free(message);
  for (size_t i = 0; i < (bits == 64 ? 48u : 32u); i++)
    out[i] = (uint8_t)(h[i / word] >> 8 * (word - 1 - i % word));
#undef TEXTBOOK_ROTATE
#undef TEXTBOOK_UPPER
#undef TEXTBOOK_LOWER
}

#endif
