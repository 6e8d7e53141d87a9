/*
 * The field in 4 limbs of 64 bits, R = 2^256, Montgomery reduction. Products are summed column by
 * column in an accumulator of 192 bits, which compilers turn into one addition and two additions
 * with carry a product.
 *
 * In units of 2^256, p is 0.18903. Reducing t gives less than t / R + p:
 *   loose        < 2p  = 0.378
 *   fifth power  x < 2p: x^2 < 0.332, x^4 < 0.300, x^5 < 0.303 < 2p
 *   external     16 x + c < 33p = 6.3, in five limbs; below 1.03p after a multiple of p is taken
 *                off
 *   dot product  6 products of p and 2p: 0.429; reduced, and c < p added, 0.808; below 1.03p as
 *                above
 *   S-box        x < 2p: x^2 < 0.332, x^4 + c < 0.489; times 2x < 0.756, reduced, and 1.03p added,
 *                0.754; below 2p after one subtraction
 */
#ifndef SPC_FIELD_FR64_H
#define SPC_FIELD_FR64_H

#include "field/fr_constants.h"

#define SPC__FR_LIMBS     4
#define SPC__FR_LIMB_BITS 64

typedef struct spc__fr {
  uint64_t l[SPC__FR_LIMBS];
} spc__fr;

/* A factor is a number as it is. */
typedef spc__fr spc__fr_factor;

typedef struct spc__fr_wide {
  uint64_t l[2 * SPC__FR_LIMBS];
} spc__fr_wide;

typedef unsigned __int128 spc__u128;

/* 192 bits: a sum of products of limbs. */
typedef struct spc__fr_sum {
  spc__u128 low;
  uint64_t high;
} spc__fr_sum;

static const uint64_t spc__fr_p[SPC__FR_LIMBS] = SPC__FR_P;
static const uint64_t spc__fr_2p[SPC__FR_LIMBS] = SPC__FR_2P;

SPC__FR_INLINE void spc__fr_check_loose(const spc__fr *x) {
  SPC__FR_CHECK(x->l[3] <= spc__fr_2p[3]);
  (void)x;
}

SPC__FR_INLINE void spc__fr_sum_add(spc__fr_sum *sum, spc__u128 x) {
  sum->high += (uint64_t)__builtin_add_overflow(sum->low, x, &sum->low);
}

SPC__FR_INLINE void spc__fr_sum_mul(spc__fr_sum *sum, uint64_t a, uint64_t b) {
  spc__fr_sum_add(sum, (spc__u128)a * b);
}

/* Takes the lowest limb off. */
SPC__FR_INLINE uint64_t spc__fr_sum_shift(spc__fr_sum *sum) {
  uint64_t limb = (uint64_t)sum->low;
  sum->low = sum->low >> 64 | (spc__u128)sum->high << 64;
  sum->high = 0;
  return limb;
}

/* Adds column k of a b. */
SPC__FR_INLINE void spc__fr_sum_column(spc__fr_sum *sum, const uint64_t a[4], const uint64_t b[4],
                                       int k) {
  SPC__FR_UNROLL
  for (int i = k < 4 ? 0 : k - 3; i <= (k < 4 ? k : 3); i++)
    spc__fr_sum_mul(sum, a[i], b[k - i]);
}

/*
 * One column of a Montgomery reduction: `sum` has column k of t, and `m` the quotient's limbs so
 * far. Column 7 has no product, and is the top limb of the result.
 */
SPC__FR_INLINE void spc__fr_reduce_column(spc__fr *out, spc__fr_sum *sum, uint64_t m[4], int k) {
  SPC__FR_UNROLL
  for (int i = k < 4 ? 0 : k - 3; i < (k < 4 ? k : 4); i++)
    spc__fr_sum_mul(sum, m[i], spc__fr_p[k - i]);
  if (k < 4) {
    m[k] = (uint64_t)sum->low * SPC__FR_P_INVERSE;
    spc__fr_sum_mul(sum, m[k], spc__fr_p[0]);
    spc__fr_sum_shift(sum);
  } else {
    out->l[k - 4] = spc__fr_sum_shift(sum);
  }
}

/* x -= m if x >= m */
SPC__FR_INLINE void spc__fr_subtract_if_above(uint64_t x[4], const uint64_t m[4]) {
  uint64_t d[4], borrow = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    uint64_t once, lower = (uint64_t)__builtin_sub_overflow(x[i], m[i], &once);
    borrow = lower | (uint64_t)__builtin_sub_overflow(once, borrow, &d[i]);
  }
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    x[i] = borrow != 0 ? x[i] : d[i];
}

SPC__FR_INLINE void spc__fr_prepare(spc__fr_factor *out, const spc__fr *x) {
  *out = *x;
}

SPC__FR_INLINE void spc__fr_wide_mul_add2(spc__fr_wide *t, const spc__fr_factor *a,
                                          const spc__fr_factor *b, const spc__fr_factor *c,
                                          const spc__fr_factor *d) {
  spc__fr_sum sum = {0, 0};
  SPC__FR_UNROLL
  for (int k = 0; k < 8; k++) {
    spc__fr_sum_add(&sum, t->l[k]);
    if (k < 7) spc__fr_sum_column(&sum, a->l, b->l, k);
    if (k < 7) spc__fr_sum_column(&sum, c->l, d->l, k);
    t->l[k] = spc__fr_sum_shift(&sum);
  }
  SPC__FR_CHECK(sum.low == 0);
}

/* x of four limbs and a fifth, below 17 * 2^256 -> below 1.03 p, by an estimate of the quotient */
SPC__FR_INLINE void spc__fr_reduce_sum(spc__fr *out, const uint64_t x[5]) {
  /* p / 2^248 = 48.39; 21667 / 2^20 is just below its inverse. */
  uint64_t q = ((x[4] << 8 | x[3] >> 56) * 21667) >> 20;
  uint64_t borrow = 0;
  spc__u128 multiple = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    multiple += (spc__u128)q * spc__fr_p[i];
    spc__u128 d = (spc__u128)x[i] - (uint64_t)multiple - borrow;
    out->l[i] = (uint64_t)d;
    borrow = (uint64_t)(d >> 64) & 1;
    multiple >>= 64;
  }
  SPC__FR_CHECK(x[4] - (uint64_t)multiple - borrow == 0 && out->l[3] < 0x31d8000000000000u);
}

SPC__FR_INLINE void spc__fr_reduce_add(spc__fr *out, const spc__fr_wide *t, const spc__fr *c) {
  spc__fr_sum sum = {0, 0};
  uint64_t m[4], limbs[5] = {0};
  spc__fr result;
  SPC__FR_UNROLL
  for (int k = 0; k < 8; k++) {
    spc__fr_sum_add(&sum, t->l[k]);
    if (k >= 4) spc__fr_sum_add(&sum, c->l[k - 4]);
    spc__fr_reduce_column(&result, &sum, m, k);
  }
  SPC__FR_CHECK(sum.low == 0);
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    limbs[i] = result.l[i];
  spc__fr_reduce_sum(out, limbs);
}

SPC__FR_INLINE void spc__fr_mul_inline(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  spc__fr_sum sum = {0, 0};
  uint64_t m[4];
  spc__fr result;
  SPC__FR_UNROLL
  for (int k = 0; k < 8; k++) {
    if (k < 7) spc__fr_sum_column(&sum, a->l, b->l, k);
    spc__fr_reduce_column(&result, &sum, m, k);
  }
  *out = result;
  spc__fr_check_loose(out);
}

SPC__FR_INLINE void spc__fr_mul_add_inline(spc__fr *out, const spc__fr *a, const spc__fr *b,
                                           const spc__fr *c) {
  spc__fr_sum sum = {0, 0};
  uint64_t m[4];
  spc__fr result;
  SPC__FR_UNROLL
  for (int k = 0; k < 8; k++) {
    if (k < 7) spc__fr_sum_column(&sum, a->l, b->l, k);
    if (k >= 4) spc__fr_sum_add(&sum, c->l[k - 4]);
    spc__fr_reduce_column(&result, &sum, m, k);
  }
  SPC__FR_CHECK(sum.low == 0);
  spc__fr_subtract_if_above(result.l, spc__fr_2p);
  *out = result;
  spc__fr_check_loose(out);
}

/* c may be NULL. */
SPC__FR_INLINE void spc__fr_sqr_inline(spc__fr *out, const spc__fr *a, const spc__fr *c) {
  spc__fr_sum sum = {0, 0};
  uint64_t m[4];
  spc__fr result;
  spc__fr_check_loose(a);
  SPC__FR_UNROLL
  for (int k = 0; k < 8; k++) {
    spc__fr_sum twice = {0, 0};
    SPC__FR_UNROLL
    for (int i = k < 4 ? 0 : k - 3; 2 * i < k; i++)
      spc__fr_sum_mul(&twice, a->l[i], a->l[k - i]);
    sum.high += twice.high << 1 | (uint64_t)(twice.low >> 127);
    spc__fr_sum_add(&sum, twice.low << 1);
    if (k % 2 == 0) spc__fr_sum_mul(&sum, a->l[k / 2], a->l[k / 2]);
    if (k >= 4 && c != NULL) spc__fr_sum_add(&sum, c->l[k - 4]);
    spc__fr_reduce_column(&result, &sum, m, k);
  }
  *out = result;
}

/* a < 2p, twice: below 4p */
SPC__FR_INLINE void spc__fr_double(spc__fr *out, const spc__fr *a) {
  for (int i = 3; i >= 0; i--)
    out->l[i] = a->l[i] << 1 | (i == 0 ? 0 : a->l[i - 1] >> 63);
}

/* a + b < 4p -> below 2p */
SPC__FR_INLINE void spc__fr_add(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  spc__u128 carry = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    carry += (spc__u128)a->l[i] + b->l[i];
    out->l[i] = (uint64_t)carry;
    carry >>= 64;
  }
  SPC__FR_CHECK(carry == 0);
  spc__fr_subtract_if_above(out->l, spc__fr_2p);
  spc__fr_check_loose(out);
}

/* x[i] < 2p -> below 1.03 p */
SPC__FR_INLINE void spc__fr_external(spc__fr x[4], const spc__fr c[4]) {
  uint64_t y[4][5];
  spc__u128 carry[4] = {0};
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    spc__u128 t0 = (spc__u128)x[0].l[i] + x[1].l[i], t1 = (spc__u128)x[2].l[i] + x[3].l[i];
    spc__u128 t2 = t1 + x[1].l[i] + x[1].l[i], t3 = t0 + x[3].l[i] + x[3].l[i];
    spc__u128 t4 = 4 * t1 + t3, t5 = 4 * t0 + t2;
    carry[0] += t3 + t5 + c[0].l[i];
    carry[1] += t5 + c[1].l[i];
    carry[2] += t2 + t4 + c[2].l[i];
    carry[3] += t4 + c[3].l[i];
    SPC__FR_UNROLL
    for (int k = 0; k < 4; k++) {
      y[k][i] = (uint64_t)carry[k];
      carry[k] >>= 64;
    }
  }
  SPC__FR_UNROLL
  for (int k = 0; k < 4; k++) {
    y[k][4] = (uint64_t)carry[k];
    spc__fr_reduce_sum(&x[k], y[k]);
  }
}

/* Between numbers below 2^256 in 64-bit words, least first, and limbs. */
SPC__FR_INLINE void spc__fr_from_words(spc__fr *out, const uint64_t word[4]) {
  for (int i = 0; i < 4; i++)
    out->l[i] = word[i];
}

SPC__FR_INLINE void spc__fr_to_words(uint64_t word[4], const spc__fr *in) {
  for (int i = 0; i < 4; i++)
    word[i] = in->l[i];
}

#endif
