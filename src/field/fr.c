/*
 * Products, conversion and checking of field elements. Nearly always the first eight bytes decide
 * whether an element is canonical, so the pass over an input costs one load and one comparison an
 * element.
 */
#include "field/fr.h"

#include <stdbool.h>

#include "base/bytes.h"

SPC__FR_NOINLINE void spc__fr_mul(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  spc__fr_mul_inline(out, a, b);
}

SPC__FR_NOINLINE void spc__fr_mul_add(spc__fr *out, const spc__fr *a, const spc__fr *b,
                                      const spc__fr *c) {
  spc__fr_mul_add_inline(out, a, b, c);
}

SPC__FR_NOINLINE void spc__fr_sqr(spc__fr *out, const spc__fr *a) {
  spc__fr_sqr_inline(out, a, NULL);
}

SPC__FR_NOINLINE void spc__fr_sqr_add(spc__fr *out, const spc__fr *a, const spc__fr *c) {
  spc__fr_sqr_inline(out, a, c);
}

void spc__fr_from_bytes(spc__fr *out, const uint8_t in[SPC__FR_BYTES]) {
  static const spc__fr r2 = {SPC__FR_R2};
  uint64_t word[4];
  for (int i = 0; i < 4; i++)
    word[i] = spc__load64_be(in + 8 * (3 - i));
  spc__fr_from_words(out, word);
  spc__fr_mul(out, out, &r2);
}

static const uint64_t fr_modulus[4] = {0x43e1f593f0000001u, 0x2833e84879b97091u,
                                       0xb85045b68181585du, 0x30644e72e131a029u};

/* Both little-endian by words. */
static bool fr_below_modulus(const uint64_t word[4]) {
  for (int i = 3; i >= 0; i--) {
    if (word[i] != fr_modulus[i]) return word[i] < fr_modulus[i];
  }
  return false;
}

void spc__fr_words_to_bytes(uint8_t out[SPC__FR_BYTES], const uint64_t word[4]) {
  uint64_t rest[4] = {word[0], word[1], word[2], word[3]};
  while (!fr_below_modulus(rest)) {
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
      uint64_t before = rest[i];
      rest[i] = before - fr_modulus[i] - borrow;
      borrow = before < fr_modulus[i] || (before == fr_modulus[i] && borrow != 0);
    }
  }
  for (int i = 0; i < 4; i++)
    spc__store64_be(out + 8 * (3 - i), rest[i]);
}

void spc__fr_to_bytes(uint8_t out[SPC__FR_BYTES], const spc__fr *in) {
  static const spc__fr one = {{1}};
  spc__fr plain;
  uint64_t word[4];
  /* A loose value divided by R is below 2^253, and with what the reduction adds below 2p. */
  spc__fr_mul(&plain, in, &one);
  spc__fr_to_words(word, &plain);
  spc__fr_words_to_bytes(out, word);
}

size_t spc__fr_first_noncanonical(const uint8_t *fields, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *field = fields + SPC__FR_BYTES * i;
    if (spc__load64_be(field) < fr_modulus[3]) continue;
    uint64_t word[4];
    for (int j = 0; j < 4; j++)
      word[j] = spc__load64_be(field + 8 * (3 - j));
    if (!fr_below_modulus(word)) return i;
  }
  return count;
}
