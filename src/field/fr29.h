/*
 * The field in 9 limbs of 29 bits, R = 2^261 = 169 p, for machines whose widest product has 64
 * bits. There the products are what costs, so they are traded for sums (Karatsuba and Ofman) where
 * that pays: a[i] b[j] + a[j] b[i] = a[i] b[i] + a[j] b[j] - (a[i] - a[j]) (b[i] - b[j]).
 *   mul     all 36 pairs of limbs: 45 products
 *   sqr     schoolbook: 45 products, and no sums of limbs
 *   factor  pairs of blocks of three limbs, and pairs inside of a block: 36 words, the same linear
 *           forms of the limbs in every number, so that a product is 36 products of words, a sum of
 *           products adds up word by word, and a factor that is used again is prepared once
 * A reduction folds twice, t / 2^87 = (t >> 87) + (t mod 2^87) (2^-87 mod p), by the same pairs,
 * and ends with one Montgomery step of 87 bits, which is cheap as p = 2^28 + 1 modulo 2^29. Folding
 * has no products to find a quotient, so less of it is a chain.
 *
 * Limbs 0 to 7 are below 2^29, and limb 8 has all that is above 2^232, which is less than 2^29 too
 * for a value below 169 p. Reducing t gives less than t / R + 1.83 p:
 *   loose        < 41 p
 *   fifth power  x < 41 p: x^2 < 11.8 p, x^4 < 2.7 p, x^5 < 2.5 p
 *   external     x < 1.1 p (from add) or 2.5 p (fifth power): 16 x + c < 41 p
 *   dot product  6 products of p and 41 p reduce to less than 3.3 p, and with c < p to 4.3 p
 *   S-box        x < 7 p: x^2 < 2.2 p, x^4 + c < 2.9 p; times 2 (7 p), reduced, and 4.3 p added:
 *                less than 7 p
 *
 * A column of a product has at most 9 terms below 2^58; six products and the reduction together
 * stay below 63 * 2^58 < 2^64. Words and their products are signed and larger, but only sums that
 * are such columns are looked at, so that arithmetic modulo 2^64 is exact.
 */
#ifndef SPC_FIELD_FR29_H
#define SPC_FIELD_FR29_H

#include "field/fr_constants.h"

#define SPC__FR_LIMBS     9
#define SPC__FR_LIMB_BITS 29
#define SPC__FR_MASK      0x1fffffffu

typedef struct spc__fr {
  uint32_t l[SPC__FR_LIMBS];
} spc__fr;

typedef struct spc__fr_factor {
  int64_t w[36];
} spc__fr_factor;

typedef struct spc__fr_wide {
  uint64_t w[36];
} spc__fr_wide;

static const uint32_t spc__fr_p[SPC__FR_LIMBS] = SPC__FR_P;

SPC__FR_INLINE void spc__fr_check_limbs(const spc__fr *x, uint32_t multiple) {
  for (int i = 0; i < 8; i++)
    SPC__FR_CHECK(x->l[i] <= SPC__FR_MASK);
  SPC__FR_CHECK(x->l[8] / (spc__fr_p[8] + 1) < multiple);
  (void)x;
  (void)multiple;
}

/* Carries columns below 2^63 over into limbs. */
SPC__FR_INLINE void spc__fr_carry(spc__fr *out, const uint64_t column[9]) {
  uint64_t carry = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 8; i++) {
    carry += column[i];
    out->l[i] = (uint32_t)carry & SPC__FR_MASK;
    carry >>= 29;
  }
  out->l[8] = (uint32_t)(carry + column[8]);
}

/* The six words of a block of three: its limbs, then the differences of pairs. */
SPC__FR_INLINE void spc__fr_words3(int64_t w[6], int64_t a, int64_t b, int64_t c) {
  w[0] = a;
  w[1] = b;
  w[2] = c;
  w[3] = a - b;
  w[4] = a - c;
  w[5] = b - c;
}

/* Adds the five columns of a product of blocks, from the products of their words. */
SPC__FR_INLINE void spc__fr_columns3(uint64_t t[5], const uint64_t c[6]) {
  uint64_t d01 = c[0] + c[1], d12 = c[1] + c[2];
  t[0] += c[0];
  t[1] += d01 - c[3];
  t[2] += d01 + c[2] - c[4];
  t[3] += d12 - c[5];
  t[4] += c[2];
}

SPC__FR_INLINE void spc__fr_prepare(spc__fr_factor *out, const spc__fr *x) {
  int64_t a[9];
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++)
    a[i] = x->l[i];
  spc__fr_words3(out->w, a[0], a[1], a[2]);
  spc__fr_words3(out->w + 6, a[3], a[4], a[5]);
  spc__fr_words3(out->w + 12, a[6], a[7], a[8]);
  spc__fr_words3(out->w + 18, a[0] - a[3], a[1] - a[4], a[2] - a[5]);
  spc__fr_words3(out->w + 24, a[0] - a[6], a[1] - a[7], a[2] - a[8]);
  spc__fr_words3(out->w + 30, a[3] - a[6], a[4] - a[7], a[5] - a[8]);
}

SPC__FR_INLINE void spc__fr_wide_mul_add2(spc__fr_wide *t, const spc__fr_factor *a,
                                          const spc__fr_factor *b, const spc__fr_factor *c,
                                          const spc__fr_factor *d) {
  SPC__FR_UNROLL
  for (int i = 0; i < 36; i++)
    t->w[i] += (uint64_t)(a->w[i] * b->w[i]) + (uint64_t)(c->w[i] * d->w[i]);
}

/* Adds the columns of m times three limbs of a constant. */
SPC__FR_INLINE void spc__fr_block_mul_add(uint64_t t[5], const int64_t m[6],
                                          const uint32_t constant[3]) {
  int64_t w[6];
  uint64_t c[6];
  spc__fr_words3(w, constant[0], constant[1], constant[2]);
  SPC__FR_UNROLL
  for (int i = 0; i < 6; i++)
    c[i] = (uint64_t)(m[i] * w[i]);
  spc__fr_columns3(t, c);
}

SPC__FR_INLINE void spc__fr_reduce_columns(spc__fr *out, const uint64_t columns[17],
                                           const spc__fr *add) {
  static const uint32_t per_87[SPC__FR_LIMBS] = SPC__FR_PER_87;
  uint64_t t[18];
  int64_t m[6];
  SPC__FR_UNROLL
  for (int i = 0; i < 17; i++)
    t[i] = columns[i];
  t[17] = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 6; i += 3) {
    uint64_t *u = t + i;
    u[1] += u[0] >> 29;
    u[2] += u[1] >> 29;
    u[3] += u[2] >> 29;
    spc__fr_words3(m, u[0] & SPC__FR_MASK, u[1] & SPC__FR_MASK, u[2] & SPC__FR_MASK);
    spc__fr_block_mul_add(u + 3, m, per_87);
    spc__fr_block_mul_add(u + 6, m, per_87 + 3);
    spc__fr_block_mul_add(u + 9, m, per_87 + 6);
  }
  /* m[i] = -u[i] / p mod 2^29, where -1 / p = 2^28 - 1; m p[0] = m + m 2^28 clears the limb. */
  uint64_t *u = t + 6, q[3], d1, d2;
  q[0] = ((u[0] << 28) - u[0]) & SPC__FR_MASK;
  u[1] += ((u[0] + q[0] + (q[0] << 28)) >> 29) + q[0] * spc__fr_p[1];
  q[1] = ((u[1] << 28) - u[1]) & SPC__FR_MASK;
  d1 = q[1] * spc__fr_p[1];
  u[2] += ((u[1] + q[1] + (q[1] << 28)) >> 29) + q[0] * spc__fr_p[2] + d1;
  q[2] = ((u[2] << 28) - u[2]) & SPC__FR_MASK;
  d2 = q[2] * spc__fr_p[2];
  spc__fr_words3(m, (int64_t)q[0], (int64_t)q[1], (int64_t)q[2]);
  u[3] += ((u[2] + q[2] + (q[2] << 28)) >> 29) + d1 + d2 -
          (uint64_t)(m[5] * ((int64_t)spc__fr_p[1] - spc__fr_p[2]));
  u[4] += d2;
  spc__fr_block_mul_add(u + 3, m, spc__fr_p + 3);
  spc__fr_block_mul_add(u + 6, m, spc__fr_p + 6);
  if (add != NULL) {
    SPC__FR_UNROLL
    for (int i = 0; i < 9; i++)
      t[9 + i] += add->l[i];
  }
  spc__fr_carry(out, t + 9);
  spc__fr_check_limbs(out, 12);
}

SPC__FR_INLINE void spc__fr_reduce_add(spc__fr *out, const spc__fr_wide *in, const spc__fr *c) {
  const uint64_t *w = in->w;
  uint64_t t[17] = {0}, sum[3][6];
  SPC__FR_UNROLL
  for (int i = 0; i < 6; i++) {
    sum[0][i] = w[i] + w[6 + i] - w[18 + i];
    sum[1][i] = w[i] + w[6 + i] + w[12 + i] - w[24 + i];
    sum[2][i] = w[6 + i] + w[12 + i] - w[30 + i];
  }
  spc__fr_columns3(t, w);
  spc__fr_columns3(t + 3, sum[0]);
  spc__fr_columns3(t + 6, sum[1]);
  spc__fr_columns3(t + 9, sum[2]);
  spc__fr_columns3(t + 12, w + 12);
  spc__fr_reduce_columns(out, t, c);
}

SPC__FR_INLINE void spc__fr_mul_columns(uint64_t t[17], const spc__fr *a, const spc__fr *b) {
  uint64_t square[9], sum = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++)
    square[i] = (uint64_t)a->l[i] * b->l[i];
  SPC__FR_UNROLL
  for (int k = 0; k < 17; k++) {
    int first = k < 9 ? 0 : k - 8;
    sum += k < 9 ? square[k] : -square[k - 9];
    t[k] = sum;
    SPC__FR_UNROLL
    for (int i = first; 2 * i < k; i++)
      t[k] -= ((uint64_t)a->l[i] - a->l[k - i]) * ((uint64_t)b->l[i] - b->l[k - i]);
  }
}

SPC__FR_INLINE void spc__fr_mul_inline(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  uint64_t t[17];
  spc__fr_mul_columns(t, a, b);
  spc__fr_reduce_columns(out, t, NULL);
}

SPC__FR_INLINE void spc__fr_mul_add_inline(spc__fr *out, const spc__fr *a, const spc__fr *b,
                                           const spc__fr *c) {
  uint64_t t[17];
  spc__fr_mul_columns(t, a, b);
  spc__fr_reduce_columns(out, t, c);
  spc__fr_check_limbs(out, 7);
}

/* `add` may be NULL. */
SPC__FR_INLINE void spc__fr_sqr_inline(spc__fr *out, const spc__fr *a, const spc__fr *add) {
  uint64_t t[17];
  spc__fr_check_limbs(a, 41);
  SPC__FR_UNROLL
  for (int k = 0; k < 17; k++) {
    int first = k < 9 ? 0 : k - 8;
    t[k] = 0;
    SPC__FR_UNROLL
    for (int i = first; 2 * i < k; i++)
      t[k] += (uint64_t)a->l[i] * a->l[k - i];
    t[k] += t[k];
    if (k % 2 == 0) t[k] += (uint64_t)a->l[k / 2] * a->l[k / 2];
  }
  spc__fr_reduce_columns(out, t, add);
}

/* Twice a, limb by limb: only a factor of spc__fr_mul_add. */
SPC__FR_INLINE void spc__fr_double(spc__fr *out, const spc__fr *a) {
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++)
    out->l[i] = 2 * a->l[i];
}

/* a < 41 p, b < 4 p -> below 1.1 p, by an estimate of the quotient. */
SPC__FR_INLINE void spc__fr_add(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  uint64_t column[9];
  spc__fr sum;
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++)
    column[i] = (uint64_t)a->l[i] + b->l[i];
  spc__fr_carry(&sum, column);
  uint32_t q = sum.l[8] / (spc__fr_p[8] + 1);
  /* Borrows are arithmetic shifts of a signed carry. */
  int64_t carry = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 8; i++) {
    carry += (int64_t)sum.l[i] - (int64_t)((uint64_t)q * spc__fr_p[i]);
    out->l[i] = (uint32_t)carry & SPC__FR_MASK;
    carry >>= 29;
  }
  out->l[8] = (uint32_t)(carry + sum.l[8] - (int64_t)((uint64_t)q * spc__fr_p[8]));
  spc__fr_check_limbs(out, 2);
}

/* x[i] < 2.5 p -> below 41 p. */
SPC__FR_INLINE void spc__fr_external(spc__fr x[4], const spc__fr c[4]) {
  uint64_t y[4][9];
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++) {
    uint64_t t0 = (uint64_t)x[0].l[i] + x[1].l[i], t1 = (uint64_t)x[2].l[i] + x[3].l[i];
    uint64_t t2 = t1 + 2 * (uint64_t)x[1].l[i], t3 = t0 + 2 * (uint64_t)x[3].l[i];
    uint64_t t4 = 4 * t1 + t3, t5 = 4 * t0 + t2;
    y[0][i] = t3 + t5 + c[0].l[i];
    y[1][i] = t5 + c[1].l[i];
    y[2][i] = t2 + t4 + c[2].l[i];
    y[3][i] = t4 + c[3].l[i];
  }
  SPC__FR_UNROLL
  for (int k = 0; k < 4; k++) {
    spc__fr_carry(&x[k], y[k]);
    spc__fr_check_limbs(&x[k], 41);
  }
}

/* Between numbers below 2^256 in 64-bit words, least first, and limbs. */
SPC__FR_INLINE void spc__fr_from_words(spc__fr *out, const uint64_t word[4]) {
  for (int i = 0; i < 9; i++) {
    int at = 29 * i / 64, shift = 29 * i % 64;
    uint64_t bits = word[at] >> shift;
    if (shift > 35 && at < 3) bits |= word[at + 1] << (64 - shift);
    out->l[i] = (uint32_t)bits & SPC__FR_MASK;
  }
}

SPC__FR_INLINE void spc__fr_to_words(uint64_t word[4], const spc__fr *in) {
  uint64_t wide[5] = {0};
  for (int i = 0; i < 9; i++) {
    int at = 29 * i / 64, shift = 29 * i % 64;
    wide[at] |= (uint64_t)in->l[i] << shift;
    if (shift > 35) wide[at + 1] |= (uint64_t)in->l[i] >> (64 - shift);
  }
  for (int i = 0; i < 4; i++)
    word[i] = wide[i];
}

#endif
