/*
 * The field in 9 limbs of 29 bits, R = 2^261 = 169 p, for machines whose widest product has 64
 * bits. Montgomery reduction, which is cheap here as p = 2^28 + 1 modulo 2^29.
 *
 * Limbs 0 to 7 are below 2^29, and limb 8 has all that is above 2^232, which is less than 2^29 too
 * for a value below 169 p. Reducing t gives less than t / R + p:
 *   loose        < 36 p
 *   pow5         x < 36 p: x^2 < 8.7 p, x^4 < 1.5 p, x^5 < 1.4 p
 *   dot product  6 products of p and 36 p reduce to less than 2.3 p
 *   next         2 (1.4 p) + 2.3 p + p < 7 p
 *   external     x < 2.1 p (from add) or 1.4 p (from pow5): 16 x + c < 35 p
 * A column of a product has at most 9 terms below 2^58; six products and the reduction together
 * stay below 63 * 2^58 < 2^64. Differences of limbs are signed, but only sums of columns that are
 * in this range are used, so that arithmetic modulo 2^64 is exact.
 */
#ifndef SPC_FIELD_FR29_H
#define SPC_FIELD_FR29_H

#include "base/bytes.h"

#define SPC__FR_LIMBS     9
#define SPC__FR_LIMB_BITS 29

typedef struct spc__fr {
  uint32_t l[9];
} spc__fr;

typedef struct spc__fr_wide {
  uint64_t l[17];
} spc__fr_wide;

#include "field/fr_constants.h"

#define SPC__FR_MASK 0x1fffffffu

static const uint32_t spc__fr_p[9] = SPC__FR_P;

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

/* t += a b in 45 products: a[i] b[j] + a[j] b[i] = a[i] b[i] + a[j] b[j] + (a[i]-a[j]) (b[j]-b[i])
 */
SPC__FR_INLINE void spc__fr_wide_mul_add(spc__fr_wide *t, const spc__fr *a, const spc__fr *b) {
  uint64_t diagonal[9];
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++)
    diagonal[i] = (uint64_t)a->l[i] * b->l[i];
  uint64_t sum = 0;
  SPC__FR_UNROLL
  for (int k = 0; k < 17; k++) {
    if (k < 9)
      sum += diagonal[k];
    else
      sum -= diagonal[k - 9];
    uint64_t column = sum;
    SPC__FR_UNROLL
    for (int i = k < 9 ? 0 : k - 8; 2 * i < k; i++) {
      int j = k - i;
      column += ((uint64_t)a->l[i] - a->l[j]) * ((uint64_t)b->l[j] - b->l[i]);
    }
    t->l[k] += column;
  }
}

SPC__FR_INLINE void spc__fr_wide_mul(spc__fr_wide *t, const spc__fr *a, const spc__fr *b) {
  SPC__FR_UNROLL
  for (int k = 0; k < 17; k++)
    t->l[k] = 0;
  spc__fr_wide_mul_add(t, a, b);
}

SPC__FR_INLINE void spc__fr_wide_sqr(spc__fr_wide *t, const spc__fr *a) {
  SPC__FR_UNROLL
  for (int k = 0; k < 17; k++) {
    uint64_t column = 0;
    SPC__FR_UNROLL
    for (int i = k < 9 ? 0 : k - 8; 2 * i < k; i++)
      column += (uint64_t)a->l[i] * a->l[k - i];
    column += column;
    if (k % 2 == 0) column += (uint64_t)a->l[k / 2] * a->l[k / 2];
    t->l[k] = column;
  }
}

SPC__FR_INLINE void spc__fr_reduce(spc__fr *out, const spc__fr_wide *in) {
  uint64_t t[18];
  SPC__FR_UNROLL
  for (int k = 0; k < 17; k++)
    t[k] = in->l[k];
  t[17] = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++) {
    /* m = -t / p mod 2^29, and -1 / p is 2^28 - 1. */
    uint64_t m = ((t[i] << 28) - t[i]) & SPC__FR_MASK;
    t[i + 1] += (t[i] + m + (m << 28)) >> 29;
    SPC__FR_UNROLL
    for (int j = 1; j < 9; j++)
      t[i + j] += m * spc__fr_p[j];
  }
  spc__fr_carry(out, t + 9);
}

SPC__FR_INLINE void spc__fr_pow5(spc__fr *x) {
  spc__fr_check_limbs(x, 36);
  spc__fr_wide t;
  spc__fr power;
  spc__fr_wide_sqr(&t, x);
  spc__fr_reduce(&power, &t);
  spc__fr_wide_sqr(&t, &power);
  spc__fr_reduce(&power, &t);
  spc__fr_wide_mul(&t, &power, x);
  spc__fr_reduce(x, &t);
  spc__fr_check_limbs(x, 2);
}

/* a < 32 p, b < 4 p -> below 1.1 p, by an estimate of the quotient */
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

/* 2 a + b + c, all loose, below 36 p together */
SPC__FR_INLINE void spc__fr_next(spc__fr *out, const spc__fr *a, const spc__fr *b,
                                 const spc__fr *c) {
  uint64_t column[9];
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++)
    column[i] = 2 * (uint64_t)a->l[i] + b->l[i] + c->l[i];
  spc__fr_carry(out, column);
}

/* x[i] < 2.1 p -> x[i] < 35 p */
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
  for (int k = 0; k < 4; k++)
    spc__fr_carry(&x[k], y[k]);
}

SPC__FR_INLINE void spc__fr_from_bytes(spc__fr *out, const uint8_t in[SPC__FR_BYTES]) {
  uint64_t word[4];
  spc__fr plain, r2;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    word[i] = spc__load64_be(in + 8 * (3 - i));
  SPC__FR_UNROLL
  for (int i = 0; i < 9; i++) {
    int at = 29 * i / 64, shift = 29 * i % 64;
    uint64_t bits = word[at] >> shift;
    if (shift > 35 && at < 3) bits |= word[at + 1] << (64 - shift);
    plain.l[i] = (uint32_t)bits & SPC__FR_MASK;
    r2.l[i] = spc__fr_r2[i];
  }
  spc__fr_wide t;
  spc__fr_wide_mul(&t, &plain, &r2);
  spc__fr_reduce(out, &t);
}

SPC__FR_INLINE void spc__fr_to_bytes(uint8_t out[SPC__FR_BYTES], const spc__fr *in) {
  spc__fr_wide t = {{0}};
  for (int i = 0; i < 9; i++)
    t.l[i] = in->l[i];
  spc__fr plain, less; /* at most p */
  spc__fr_reduce(&plain, &t);
  int64_t carry = 0;
  for (int i = 0; i < 9; i++) {
    carry += (int64_t)plain.l[i] - spc__fr_p[i];
    less.l[i] = (uint32_t)carry & SPC__FR_MASK;
    carry >>= 29;
  }
  uint64_t word[5] = {0};
  for (int i = 0; i < 9; i++) {
    int at = 29 * i / 64, shift = 29 * i % 64;
    uint64_t limb = carry < 0 ? plain.l[i] : less.l[i];
    word[at] |= limb << shift;
    if (shift > 35) word[at + 1] |= limb >> (64 - shift);
  }
  for (int i = 0; i < 4; i++)
    spc__store64_be(out + 8 * (3 - i), word[i]);
}

#endif
