/*
 * The test oracle: Poseidon2 and its sponge straight from the definition, on big integers of 32-bit
 * words with schoolbook multiplication and bitwise long division. It shares nothing with the
 * library but the published constants, which it takes from the vectors.
 */
#ifndef SPC_TEST_UNIT_SPONGE_TEXTBOOK_H
#define SPC_TEST_UNIT_SPONGE_TEXTBOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "vectors/poseidon2_vectors.h"

#define TEXTBOOK_WORDS 8

typedef struct textbook_int {
  uint32_t word[TEXTBOOK_WORDS]; /* little-endian, below the modulus */
} textbook_int;

typedef struct textbook_sponge {
  textbook_int state[4], cache[3];
  uint32_t cache_size;
} textbook_sponge;

static textbook_int textbook_modulus, textbook_constants[88], textbook_diagonal[4];

static inline void textbook_bytes_from_hex(uint8_t out[32], const char *digits) {
  for (int i = 0; i < 32; i++) {
    unsigned byte = 0;
    for (int j = 0; j < 2; j++) {
      char c = digits[2 * i + j];
      byte = 16 * byte + (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    out[i] = (uint8_t)byte;
  }
}

/* x -= p if x >= p, for nine words. */
static inline void textbook_subtract_once(uint32_t x[TEXTBOOK_WORDS + 1]) {
  uint32_t less[TEXTBOOK_WORDS + 1];
  uint64_t borrow = 0;
  for (int i = 0; i <= TEXTBOOK_WORDS; i++) {
    uint64_t d = (uint64_t)x[i] - (i < TEXTBOOK_WORDS ? textbook_modulus.word[i] : 0) - borrow;
    less[i] = (uint32_t)d;
    borrow = d >> 63;
  }
  if (borrow == 0) memcpy(x, less, sizeof less);
}

/* wide mod p, for `words` words: long division, one bit of the dividend at a time. */
static inline textbook_int textbook_mod(const uint32_t *wide, int words) {
  uint32_t rest[TEXTBOOK_WORDS + 1] = {0};
  while (words > 0 && wide[words - 1] == 0)
    words--;
  for (int bit = 32 * words - 1; bit >= 0; bit--) {
    uint32_t in = wide[bit / 32] >> bit % 32 & 1;
    for (int i = 0; i <= TEXTBOOK_WORDS; i++) {
      uint32_t out = rest[i] >> 31;
      rest[i] = rest[i] << 1 | in;
      in = out;
    }
    textbook_subtract_once(rest);
  }
  textbook_int result;
  memcpy(result.word, rest, sizeof result.word);
  return result;
}

/* Reduces values of 32 bytes above the modulus too. */
static inline textbook_int textbook_from_bytes(const uint8_t in[32]) {
  uint32_t words[TEXTBOOK_WORDS] = {0};
  for (int i = 0; i < 32; i++)
    words[(31 - i) / 4] |= (uint32_t)in[i] << 8 * ((31 - i) % 4);
  return textbook_mod(words, TEXTBOOK_WORDS);
}

static inline void textbook_to_bytes(uint8_t out[32], const textbook_int *in) {
  for (int i = 0; i < 32; i++)
    out[i] = (uint8_t)(in->word[(31 - i) / 4] >> 8 * ((31 - i) % 4));
}

static inline textbook_int textbook_from_hex(const char *digits) {
  uint8_t bytes[32];
  textbook_bytes_from_hex(bytes, digits);
  return textbook_from_bytes(bytes);
}

static inline textbook_int textbook_small(uint32_t value) {
  textbook_int result = {{value}};
  return result;
}

static inline textbook_int textbook_add(const textbook_int *a, const textbook_int *b) {
  uint32_t sum[TEXTBOOK_WORDS + 1];
  uint64_t carry = 0;
  for (int i = 0; i < TEXTBOOK_WORDS; i++) {
    carry += (uint64_t)a->word[i] + b->word[i];
    sum[i] = (uint32_t)carry;
    carry >>= 32;
  }
  sum[TEXTBOOK_WORDS] = (uint32_t)carry;
  textbook_subtract_once(sum);
  textbook_int result;
  memcpy(result.word, sum, sizeof result.word);
  return result;
}

static inline textbook_int textbook_mul(const textbook_int *a, const textbook_int *b) {
  uint32_t product[2 * TEXTBOOK_WORDS] = {0};
  for (int i = 0; i < TEXTBOOK_WORDS; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < TEXTBOOK_WORDS; j++) {
      carry += (uint64_t)a->word[i] * b->word[j] + product[i + j];
      product[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    product[i + TEXTBOOK_WORDS] = (uint32_t)carry;
  }
  return textbook_mod(product, 2 * TEXTBOOK_WORDS);
}

static inline textbook_int textbook_negate(const textbook_int *a) {
  textbook_int minus_one = textbook_modulus;
  minus_one.word[0]--;
  return textbook_mul(&minus_one, a);
}

static inline textbook_int textbook_pow5(const textbook_int *x) {
  textbook_int x2 = textbook_mul(x, x), x4 = textbook_mul(&x2, &x2);
  return textbook_mul(&x4, x);
}

/* x^(p - 2) */
static inline textbook_int textbook_inverse(const textbook_int *x) {
  textbook_int result = textbook_small(1), base = *x;
  for (int bit = 0; bit < 254; bit++) {
    uint32_t word = textbook_modulus.word[bit / 32] - (bit < 32 ? 2 : 0);
    if ((word >> bit % 32 & 1) != 0) result = textbook_mul(&result, &base);
    base = textbook_mul(&base, &base);
  }
  return result;
}

/* 2^-bits */
static inline textbook_int textbook_shift_right(int bits) {
  textbook_int two = textbook_small(2), half = textbook_inverse(&two), result = textbook_small(1);
  for (int i = 0; i < bits; i++)
    result = textbook_mul(&result, &half);
  return result;
}

static inline void textbook_init(void) {
  /* The modulus first: reading is modulo it, and it is below 2^254. */
  uint8_t bytes[32];
  textbook_bytes_from_hex(bytes, poseidon2_modulus);
  for (int i = 0; i < 32; i++)
    textbook_modulus.word[(31 - i) / 4] |= (uint32_t)bytes[i] << 8 * ((31 - i) % 4);
  for (int i = 0; i < 88; i++)
    textbook_constants[i] = textbook_from_hex(poseidon2_constants[i]);
  for (int i = 0; i < 4; i++)
    textbook_diagonal[i] = textbook_from_hex(poseidon2_diagonal[i]);
}

static inline void textbook_apply(const textbook_int matrix[4][4], textbook_int x[4]) {
  textbook_int y[4];
  for (int i = 0; i < 4; i++) {
    y[i] = textbook_small(0);
    for (int j = 0; j < 4; j++) {
      textbook_int term = textbook_mul(&matrix[i][j], &x[j]);
      y[i] = textbook_add(&y[i], &term);
    }
  }
  memcpy(x, y, sizeof y);
}

static const uint32_t textbook_matrix[4][4] = {
    {5, 7, 1, 3}, {4, 6, 1, 1}, {1, 3, 5, 7}, {1, 1, 4, 6}};

static inline void textbook_external(textbook_int x[4]) {
  textbook_int matrix[4][4];
  for (int i = 0; i < 16; i++)
    matrix[i / 4][i % 4] = textbook_small(textbook_matrix[i / 4][i % 4]);
  textbook_apply((const textbook_int(*)[4])matrix, x);
}

/* The inverse of the external matrix, by Gauss and Jordan. */
static inline void textbook_invert_external(textbook_int inverse[4][4]) {
  textbook_int rows[4][8];
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      rows[i][j] = textbook_small(textbook_matrix[i][j]);
      rows[i][4 + j] = textbook_small(i == j);
    }
  }
  for (int c = 0; c < 4; c++) {
    textbook_int scale = textbook_inverse(&rows[c][c]);
    for (int j = 0; j < 8; j++)
      rows[c][j] = textbook_mul(&rows[c][j], &scale);
    for (int i = 0; i < 4; i++) {
      if (i == c) continue;
      textbook_int factor = textbook_negate(&rows[i][c]);
      for (int j = 0; j < 8; j++) {
        textbook_int term = textbook_mul(&factor, &rows[c][j]);
        rows[i][j] = textbook_add(&rows[i][j], &term);
      }
    }
  }
  for (int i = 0; i < 4; i++)
    memcpy(inverse[i], &rows[i][4], sizeof inverse[i]);
}

static inline void textbook_permute(textbook_int x[4]) {
  const textbook_int *constant = textbook_constants;
  textbook_external(x);
  for (int round = 0; round < 64; round++) {
    bool full = round < 4 || round >= 60;
    for (int i = 0; i < (full ? 4 : 1); i++) {
      x[i] = textbook_add(&x[i], constant++);
      x[i] = textbook_pow5(&x[i]);
    }
    if (full) {
      textbook_external(x);
    } else {
      textbook_int sum = textbook_small(0);
      for (int i = 0; i < 4; i++)
        sum = textbook_add(&sum, &x[i]);
      for (int i = 0; i < 4; i++) {
        x[i] = textbook_mul(&x[i], &textbook_diagonal[i]);
        x[i] = textbook_add(&x[i], &sum);
      }
    }
  }
}

static inline void textbook_permute_bytes(uint8_t state[128]) {
  textbook_int x[4];
  for (int i = 0; i < 4; i++)
    x[i] = textbook_from_bytes(state + 32 * i);
  textbook_permute(x);
  for (int i = 0; i < 4; i++)
    textbook_to_bytes(state + 32 * i, &x[i]);
}

static inline void textbook_sponge_start(textbook_sponge *self, const uint8_t iv[32]) {
  memset(self, 0, sizeof *self);
  self->state[3] = textbook_from_bytes(iv);
}

static inline void textbook_duplex(textbook_sponge *self) {
  for (uint32_t i = 0; i < self->cache_size; i++)
    self->state[i] = textbook_add(&self->state[i], &self->cache[i]);
  textbook_permute(self->state);
}

static inline void textbook_absorb(textbook_sponge *self, const uint8_t field[32]) {
  if (self->cache_size == 3) {
    textbook_duplex(self);
    self->cache_size = 0;
  }
  self->cache[self->cache_size++] = textbook_from_bytes(field);
}

static inline void textbook_hash(uint8_t out[32], const uint8_t *fields, uint64_t count) {
  textbook_sponge sponge;
  uint8_t iv[32] = {0};
  for (int i = 0; i < 8; i++)
    iv[16 + i] = (uint8_t)(count >> (56 - 8 * i));
  textbook_sponge_start(&sponge, iv);
  for (uint64_t i = 0; i < count; i++)
    textbook_absorb(&sponge, fields + 32 * i);
  textbook_duplex(&sponge);
  textbook_to_bytes(out, &sponge.state[0]);
}

#endif
