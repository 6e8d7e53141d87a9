/*
 * The field in 5 digits of 51 bits, held as doubles, R = 2^306, for machines whose widest fused
 * multiply-add is that of doubles; several elements side by side, one a lane. Include a lanes_*.h
 * first.
 *
 * A product a b of digits is split exactly. With c = 1.5 * 2^103, whose last bit is 2^51,
 *   high = fma(a, b, c)               is c plus the multiple of 2^51 next to a b,
 *   low  = fma(a, b, c + m - high)    is m plus the rest, with m = 1.5 * 2^52,
 * so that the bit patterns of both, as integers, are a constant plus a b / 2^51 rounded, and a
 * constant plus the rest. They are added as integers to column k + 1 and column k of a sum. What
 * the constants add up to is known for each column and taken off once, before the reduction.
 *
 * The reduction replaces the low five columns by their digits times 2^(51 i - 255) mod p, which is
 * one round of products, and then does one Montgomery step.
 *
 * Digits are signed, so that the sign of an element is its sign. Bounds, which SPC_CHECK_BOUNDS
 * makes assertions:
 *   product       |a b| < 2^102, for the range of high; |high - c| / 2^51 < 2^51, |low - m| <= 2^50
 *   column        within 2^60 of zero: at most 32 products and 6 Karatsuba products (each counts
 *                 for three) have 50 * 9 * 2^51 < 2^60; so a carry is within 2^9
 *   digit         within 2^50 + 2^9 of zero after a reduction, as carries run one column only
 *   element       |x| < 1.06 p after a reduction: half the sum of the five |2^(51 i - 255) mod p|
 *                 is 0.56 p, the Montgomery step adds p / 2, and what the sum itself was before,
 *                 T / R, vanishes as |T| < 2^6 p^2 and R = 2^52.4 p; so digit 4 is below 2^49.7
 *   square        |a_i 2 a_j| < 2^102
 *   Karatsuba     |a_i - a_j| < 2^51 + 2^10 and constant differences within 0.92 * 2^51
 */
#ifndef SPC_FIELD_FR51_H
#define SPC_FIELD_FR51_H

#include <stdint.h>

#include "base/bytes.h"
#include "field/fr.h"
#include "field/fr51_constants.h"

#define SPC__F51_BITS   51
#define SPC__F51_DIGIT  ((UINT64_C(1) << SPC__F51_BITS) - 1)
#define SPC__F51_FACTOR 15 /* five digits and their ten differences */

/* An element a lane. */
typedef struct spc__f51 {
  spc__v l[5];
} spc__f51;

/* A sum of products in columns of 51 bits, as integers, with the constants of their halves. */
typedef struct spc__f51_wide {
  spc__v l[11];
} spc__f51_wide;

/* An element and the differences of its digits i < j, as Karatsuba products take it. */
typedef struct spc__f51_factor {
  spc__v l[SPC__F51_FACTOR];
} spc__f51_factor;

typedef struct spc__f51_constants {
  double split, split_low; /* c and c + m */
  double first, carried;   /* what a digit has on top when it is made a double */
  double low;              /* m */
  uint64_t mask, exponent, low_bits;
  double fold[5][5]; /* 2^(51 i - 255) mod p */
  double p[5], p_inverse;
} spc__f51_constants;

/* The bit patterns of c and m. */
#define SPC__F51_HIGH_BITS UINT64_C(0x4668000000000000)
#define SPC__F51_LOW_BITS  UINT64_C(0x4338000000000000)

/* A column gets a bias that makes it positive, and half a digit, to round to the nearest. */
#define SPC__F51_HALF  (UINT64_C(1) << 50)
#define SPC__F51_BIAS  ((UINT64_C(1) << 62) + SPC__F51_HALF)
#define SPC__F51_CARRY (UINT64_C(1) << 11) /* what the bias adds to a carry */

static const spc__f51_constants spc__f51_table = {
    .split = 0x1.8p103,
    .split_low = 0x1.8p103 + 0x1.8p52,
    .first = 0x1p52 + 0x1p50,
    .carried = 0x1p52 + 0x1p50 + 0x1p11,
    .low = 0x1.8p52,
    .mask = SPC__F51_DIGIT,
    .exponent = UINT64_C(0x4330000000000000), /* 2^52 */
    .low_bits = SPC__F51_LOW_BITS,
    .fold = SPC__F51_FOLD,
    .p = SPC__F51_P,
    .p_inverse = SPC__F51_P_INVERSE,
};

/*
 * How many low halves column k of a product, a square, a Karatsuba product has; as many high halves
 * are in column k + 1. A Karatsuba product has each product of equal digits in five columns.
 */
#define SPC__F51_PRODUCT(k)   ((k) < 0 || (k) > 8 ? 0 : (k) < 5 ? (k) + 1 : 9 - (k))
#define SPC__F51_SQUARE(k)    ((SPC__F51_PRODUCT(k) + 1) / 2)
#define SPC__F51_KARATSUBA(k) (SPC__F51_PRODUCT(k) + SPC__F51_PRODUCT(k) / 2)
#define SPC__F51_NONE(k)      0

/* The same for what the reduction adds; the first product of its Montgomery step has no low half.
 */
#define SPC__F51_FOLD_LOW(k)  ((k) < 5 || (k) > 9 ? 0 : (k) == 5 ? 5 : 6)
#define SPC__F51_FOLD_HIGH(k) ((k) < 6 || (k) > 10 ? 0 : 6)

#define SPC__F51_COLUMN_BIAS(k)                                                                    \
  ((k) == 10              ? SPC__F51_HALF                                                          \
   : (k) == 5 || (k) == 6 ? SPC__F51_BIAS - SPC__F51_CARRY                                         \
                          : SPC__F51_BIAS)

#define SPC__F51_OFFSET(low, k)                                                                    \
  (SPC__F51_COLUMN_BIAS(k) - (uint64_t)(low(k) + SPC__F51_FOLD_LOW(k)) * SPC__F51_LOW_BITS -       \
   (uint64_t)(low((k) - 1) + SPC__F51_FOLD_HIGH(k)) * SPC__F51_HIGH_BITS)

/* What spc__f51_reduce adds to the columns of a sum whose column k has low(k) low halves. */
#define SPC__F51_OFFSETS(low)                                                                      \
  {SPC__F51_OFFSET(low, 0), SPC__F51_OFFSET(low, 1), SPC__F51_OFFSET(low, 2),                      \
   SPC__F51_OFFSET(low, 3), SPC__F51_OFFSET(low, 4), SPC__F51_OFFSET(low, 5),                      \
   SPC__F51_OFFSET(low, 6), SPC__F51_OFFSET(low, 7), SPC__F51_OFFSET(low, 8),                      \
   SPC__F51_OFFSET(low, 9), SPC__F51_OFFSET(low, 10)}

/*
 * Hides from the compiler what a pointer to constants points to: Wasm engines make a vector
 * constant in several instructions, and load one in one.
 */
#define SPC__F51_LOADED(pointer) __asm__("" : "+r"(pointer))

/* What is at hand in every function. */
typedef struct spc__f51_context {
  const spc__f51_constants *constants;
  spc__v split, split_low;
} spc__f51_context;

SPC__LANES_INLINE spc__f51_context spc__f51_begin(void) {
  const spc__f51_constants *constants = &spc__f51_table;
  SPC__F51_LOADED(constants);
  return (spc__f51_context){constants, spc__v_splat(&constants->split),
                            spc__v_splat(&constants->split_low)};
}

#ifdef SPC_CHECK_BOUNDS
SPC__LANES_INLINE void spc__f51_check_product(spc__v a, spc__v b) {
  double x[SPC__LANES], y[SPC__LANES];
  spc__v_store(x, a);
  spc__v_store(y, b);
  for (int i = 0; i < SPC__LANES; i++)
    SPC__FR_CHECK(x[i] * y[i] < 0x1p102 && x[i] * y[i] > -0x1p102);
}
SPC__LANES_INLINE void spc__f51_check_column(spc__v a) {
  uint64_t x[SPC__LANES];
  spc__v_store(x, a);
  for (int i = 0; i < SPC__LANES; i++)
    SPC__FR_CHECK(x[i] - (UINT64_C(3) << 60) < UINT64_C(1) << 61);
}
SPC__LANES_INLINE void spc__f51_check_reduced(const spc__f51 *a) {
  for (int k = 0; k < 5; k++) {
    double x[SPC__LANES], limit = k < 4 ? 0x1p50 + 0x1p9 : 1.06 * spc__f51_table.p[4];
    spc__v_store(x, a->l[k]);
    for (int i = 0; i < SPC__LANES; i++)
      SPC__FR_CHECK(x[i] <= limit && x[i] >= -limit);
  }
}
#else
#define spc__f51_check_product(a, b) ((void)0)
#define spc__f51_check_column(a)     ((void)0)
#define spc__f51_check_reduced(a)    ((void)0)
#endif

/* The product of two digits goes to column[0] and column[1]. */
SPC__LANES_INLINE void spc__f51_step(const spc__f51_context *c, spc__v *column, spc__v a,
                                     spc__v b) {
  spc__f51_check_product(a, b);
  spc__v high = spc__v_madd_f(a, b, c->split);
  spc__v low = spc__v_madd_f(a, b, spc__v_sub_f(c->split_low, high));
  column[1] = spc__v_add(column[1], high);
  column[0] = spc__v_add(column[0], low);
}

SPC__LANES_INLINE void spc__f51_step_constant(const spc__f51_context *c, spc__v *column,
                                              const spc__f51_factor *x, const double *by, int n,
                                              int paired) {
  const double *constant = by + 2 * n;
  spc__f51_step(c, column, x->l[n], paired ? spc__v_load(constant) : spc__v_splat(constant));
}

/* Columns are done one after the other, which leaves the engine the fewest values to hold. */
SPC__LANES_INLINE void spc__f51_mul_add(const spc__f51_context *c, spc__f51_wide *t,
                                        const spc__f51 *a, const spc__f51 *b) {
  SPC__FR_UNROLL
  for (int k = 0; k < 9; k++) {
    SPC__FR_UNROLL
    for (int i = k < 5 ? 0 : k - 4; i <= (k < 5 ? k : 4); i++)
      spc__f51_step(c, &t->l[k], a->l[i], b->l[k - i]);
  }
}

/* The same by a constant of all lanes. */
SPC__LANES_INLINE void spc__f51_scale_add(const spc__f51_context *c, spc__f51_wide *t,
                                          const spc__f51 *a, const double by[5]) {
  spc__f51 b;
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    b.l[i] = spc__v_splat(&by[i]);
  spc__f51_mul_add(c, t, a, &b);
}

SPC__LANES_INLINE void spc__f51_sqr(const spc__f51_context *c, spc__f51_wide *t,
                                    const spc__f51 *a) {
  spc__f51 twice;
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    twice.l[i] = spc__v_add_f(a->l[i], a->l[i]);
  *t = (spc__f51_wide){{spc__v_zero()}};
  SPC__FR_UNROLL
  for (int k = 0; k < 9; k++) {
    SPC__FR_UNROLL
    for (int i = k < 5 ? 0 : k - 4; 2 * i <= k; i++)
      spc__f51_step(c, &t->l[k], a->l[i], 2 * i == k ? a->l[i] : twice.l[k - i]);
  }
}

SPC__LANES_INLINE void spc__f51_to_factor(spc__f51_factor *out, const spc__f51 *x) {
  int n = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    out->l[n++] = x->l[i];
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++) {
    SPC__FR_UNROLL
    for (int j = i + 1; j < 5; j++)
      out->l[n++] = spc__v_sub_f(x->l[i], x->l[j]);
  }
}

/*
 * t = the sum of x[i] by[i], by Karatsuba in 15 products instead of 25:
 *   a[i] b[j] + a[j] b[i] = (a[i] - a[j]) (b[j] - b[i]) + a[i] b[i] + a[j] b[j].
 * The last two terms, for all j, are the products of equal digits in five columns each: a running
 * sum. `by` are factors as in a table of pairs, digits first and then differences b[j] - b[i];
 * `paired` takes both of a pair, one in each of two lanes; otherwise all get what by[i] points to.
 */
SPC__LANES_INLINE void spc__f51_dot(const spc__f51_context *c, spc__f51_wide *t,
                                    const spc__f51_factor *const *x, const double *const *by,
                                    int terms, int paired) {
  /* The differences in column k. */
  static const int first[8] = {0, 5, 6, 7, 8, 11, 13, 14}, second[6] = {0, 0, 0, 9, 10, 12};
  spc__v equal[11], sum = spc__v_zero(), last = sum;
  SPC__FR_UNROLL
  for (int k = 0; k < 11; k++)
    equal[k] = t->l[k] = spc__v_zero();
  SPC__FR_UNROLL
  for (int k = 0; k < 10; k++) {
    SPC__FR_UNROLL
    for (int i = 0; i < terms; i++) {
      const spc__f51_factor *factor = x[i];
      const double *constant = by[i];
      if (!paired) {
        SPC__V_LOADED_AFTER(factor, last);
        SPC__V_LOADED_AFTER(constant, last);
      }
      if (k < 5) spc__f51_step_constant(c, &equal[k], factor, constant, k, paired);
      if (k > 0 && k < 8) spc__f51_step_constant(c, &t->l[k], factor, constant, first[k], paired);
      if (k > 2 && k < 6) spc__f51_step_constant(c, &t->l[k], factor, constant, second[k], paired);
      last = k < 5 ? equal[k] : t->l[k];
    }
    if (k < 6) sum = spc__v_add(sum, equal[k]);
    if (k > 4) sum = spc__v_sub(sum, equal[k - 5]);
    t->l[k] = spc__v_add(t->l[k], sum);
  }
}

/* A column of 51 bits, with its bias, as a double without it. */
SPC__LANES_INLINE spc__v spc__f51_to_digit(const spc__f51_context *c, spc__v column,
                                           const double *on_top) {
  return spc__v_sub_f(spc__v_add(column, spc__v_splat(&c->constants->exponent)),
                      spc__v_splat(on_top));
}

/* out = t / R; `offsets` are SPC__F51_OFFSETS of what t has. */
SPC__LANES_INLINE void spc__f51_reduce(const spc__f51_context *c, spc__f51 *out,
                                       const spc__f51_wide *t, const uint64_t offsets[11]) {
  const spc__f51_constants *constants = c->constants;
  spc__v mask = spc__v_splat(&constants->mask), x[11], d[5], carry = spc__v_zero();
  SPC__FR_UNROLL
  for (int k = 0; k < 10; k++)
    x[k] = spc__v_add(t->l[k], spc__v_splat(&offsets[k]));
  x[10] = spc__v_splat(&offsets[10]);
  SPC__FR_UNROLL
  for (int k = 0; k < 5; k++) {
    spc__f51_check_column(x[k]);
    d[k] = spc__f51_to_digit(c, spc__v_add(spc__v_and(x[k], mask), carry),
                             k == 0 ? &constants->first : &constants->carried);
    carry = spc__v_shr(x[k], SPC__F51_BITS);
  }
  x[5] = spc__v_add(x[5], carry);
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    spc__f51_step(c, &x[5], d[i], spc__v_splat(&constants->fold[i][0]));
  spc__f51_check_column(x[5]);
  /* m = -x5 / p mod 2^51, and (x5 + m p) / 2^51 is exact. */
  spc__v x5 = spc__f51_to_digit(c, spc__v_and(x[5], mask), &constants->first);
  spc__v inverse = spc__v_splat(&constants->p_inverse);
  spc__v high = spc__v_madd_f(x5, inverse, c->split);
  spc__v m = spc__v_madd_f(x5, inverse, spc__v_sub_f(c->split, high));
  spc__v zero = spc__v_madd_f(m, spc__v_splat(&constants->p[0]), x5);
  x[6] = spc__v_add(x[6], spc__v_add_f(zero, c->split));
  x[6] = spc__v_add(x[6], spc__v_shr(x[5], SPC__F51_BITS));
  SPC__FR_UNROLL
  for (int k = 6; k < 10; k++) {
    SPC__FR_UNROLL
    for (int i = 0; i < 5; i++)
      spc__f51_step(c, &x[k], d[i], spc__v_splat(&constants->fold[i][k - 5]));
    spc__f51_step(c, &x[k], m, spc__v_splat(&constants->p[k - 5]));
    spc__f51_check_column(x[k]);
    spc__v digit = spc__v_and(x[k], mask);
    if (k > 6) digit = spc__v_add(digit, carry);
    out->l[k - 6] = spc__f51_to_digit(c, digit, k == 6 ? &constants->first : &constants->carried);
    carry = spc__v_shr(x[k], SPC__F51_BITS);
  }
  out->l[4] = spc__f51_to_digit(c, spc__v_add(x[10], carry), &constants->carried);
  spc__f51_check_reduced(out);
}

/* The value of words of 64 bits, the lowest first, below 2^255. */
SPC__LANES_INLINE void spc__f51_from_words(spc__f51 *out, const spc__f51_context *c,
                                           const spc__v word[4]) {
  spc__v mask = spc__v_splat(&c->constants->mask), exponent = spc__v_splat(&c->constants->exponent);
  spc__v digit[5];
  digit[0] = spc__v_and(word[0], mask);
  SPC__FR_UNROLL
  for (int i = 1; i < 4; i++) {
    spc__v low = spc__v_shr(word[i - 1], (uint32_t)(64 - 13 * i));
    digit[i] = spc__v_and(spc__v_or(low, spc__v_shl(word[i], (uint32_t)(13 * i))), mask);
  }
  digit[4] = spc__v_shr(word[3], 12);
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    out->l[i] = spc__v_sub_f(spc__v_add(digit[i], exponent), exponent);
}

SPC__LANES_INLINE void spc__f51_from_bytes(spc__f51 *out, const spc__f51_context *c,
                                           const uint8_t *const in[SPC__LANES]) {
  spc__v word[4];
  spc__v_load_field(word, in);
  spc__f51_from_words(out, c, word);
}

/* The digits as a sum that has not been reduced, without halves. */
SPC__LANES_INLINE void spc__f51_to_wide(spc__f51_wide *out, const spc__f51_context *c,
                                        const spc__f51 *x) {
  spc__v bits = spc__v_splat(&c->constants->low_bits);
  *out = (spc__f51_wide){{spc__v_zero()}};
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    out->l[i] = spc__v_sub(spc__v_add_f(x->l[i], spc__v_splat(&c->constants->low)), bits);
}

/* The residue of one lane as a value from 0 to 1.06 p, in words. */
SPC__LANES_INLINE void spc__f51_to_words(uint64_t word[4], const spc__f51_wide *integers,
                                         int lane) {
  int64_t digit[5];
  for (int i = 0; i < 5; i++)
    digit[i] = spc__v_lane(integers->l[i], lane);
  for (int64_t multiple = 0;; multiple = 1) {
    int64_t carry = 0;
    for (int i = 0; i < 5; i++) {
      carry += digit[i] + multiple * (int64_t)spc__f51_table.p[i];
      digit[i] = i < 4 ? carry & (int64_t)SPC__F51_DIGIT : carry;
      carry >>= SPC__F51_BITS;
    }
    if (digit[4] >= 0) break;
  }
  for (int i = 0; i < 4; i++)
    word[i] = (uint64_t)digit[i] >> 13 * i | (uint64_t)digit[i + 1] << (SPC__F51_BITS - 13 * i);
}

#endif
