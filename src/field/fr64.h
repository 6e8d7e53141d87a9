/*
 * The field in 4 limbs of 64 bits, R = 2^256, Montgomery reduction.
 *
 * In units of 2^256, p is 0.18903. Reducing t gives at most t / R + p, and:
 *   loose        < 2p  = 0.378
 *   pow5         x < 2p: x^2 -> 0.332, x^4 -> 0.299, x^5 -> 0.302 < 2p
 *   dot product  6 products of p and 2p: 0.429, reduced 0.618 < 4p, and < 2p after one subtraction
 *   next         2 a + b + c: b + c < 3p, < 2p after one subtraction; a from pow5, so that the sum
 * is 2 (0.302) + 0.378 = 0.982 < 5.2p, and < 2p after two
 */
#ifndef SPC_FIELD_FR64_H
#define SPC_FIELD_FR64_H

#include "base/bytes.h"

#define SPC__FR_LIMBS     4
#define SPC__FR_LIMB_BITS 64

typedef struct spc__fr {
  uint64_t l[4];
} spc__fr;

typedef struct spc__fr_wide {
  uint64_t l[8];
} spc__fr_wide;

#include "field/fr_constants.h"

typedef unsigned __int128 spc__u128;

static const uint64_t spc__fr_p[4] = SPC__FR_P;
/* 2p and 4p */
static const uint64_t spc__fr_p2[4] = {0x87c3eb27e0000002u, 0x5067d090f372e122u,
                                       0x70a08b6d0302b0bau, 0x60c89ce5c2634053u};
static const uint64_t spc__fr_p4[4] = {0x0f87d64fc0000004u, 0xa0cfa121e6e5c245u,
                                       0xe14116da06056174u, 0xc19139cb84c680a6u};

/* x -= m if x >= m */
SPC__FR_INLINE void spc__fr_subtract_if_above(uint64_t x[4], const uint64_t m[4]) {
  uint64_t d[4];
  uint64_t borrow = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    spc__u128 t = (spc__u128)x[i] - m[i] - borrow;
    d[i] = (uint64_t)t;
    borrow = (uint64_t)(t >> 64) & 1;
  }
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    x[i] = borrow != 0 ? x[i] : d[i];
}

SPC__FR_INLINE void spc__fr_wide_mul(spc__fr_wide *t, const spc__fr *a, const spc__fr *b) {
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    uint64_t carry = 0;
    SPC__FR_UNROLL
    for (int j = 0; j < 4; j++) {
      spc__u128 c = (spc__u128)a->l[i] * b->l[j] + (i == 0 ? 0 : t->l[i + j]) + carry;
      t->l[i + j] = (uint64_t)c;
      carry = (uint64_t)(c >> 64);
    }
    t->l[i + 4] = carry;
  }
}

SPC__FR_INLINE void spc__fr_wide_sqr(spc__fr_wide *t, const spc__fr *a) {
  const uint64_t *x = a->l;
  spc__u128 c;
  uint64_t u[8];
  c = (spc__u128)x[0] * x[1];
  u[1] = (uint64_t)c;
  c = (spc__u128)x[0] * x[2] + (uint64_t)(c >> 64);
  u[2] = (uint64_t)c;
  c = (spc__u128)x[0] * x[3] + (uint64_t)(c >> 64);
  u[3] = (uint64_t)c;
  u[4] = (uint64_t)(c >> 64);
  c = (spc__u128)x[1] * x[2] + u[3];
  u[3] = (uint64_t)c;
  c = (spc__u128)x[1] * x[3] + u[4] + (uint64_t)(c >> 64);
  u[4] = (uint64_t)c;
  u[5] = (uint64_t)(c >> 64);
  c = (spc__u128)x[2] * x[3] + u[5];
  u[5] = (uint64_t)c;
  u[6] = (uint64_t)(c >> 64);
  u[7] = u[6] >> 63;
  SPC__FR_UNROLL
  for (int i = 6; i > 1; i--)
    u[i] = u[i] << 1 | u[i - 1] >> 63;
  u[1] <<= 1;
  u[0] = 0;
  uint64_t carry = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    spc__u128 square = (spc__u128)x[i] * x[i];
    c = (spc__u128)u[2 * i] + (uint64_t)square + carry;
    t->l[2 * i] = (uint64_t)c;
    c = (spc__u128)u[2 * i + 1] + (uint64_t)(square >> 64) + (uint64_t)(c >> 64);
    t->l[2 * i + 1] = (uint64_t)c;
    carry = (uint64_t)(c >> 64);
  }
}

SPC__FR_INLINE void spc__fr_wide_mul_add(spc__fr_wide *t, const spc__fr *a, const spc__fr *b) {
  spc__fr_wide s;
  spc__fr_wide_mul(&s, a, b);
  uint64_t carry = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 8; i++) {
    spc__u128 c = (spc__u128)t->l[i] + s.l[i] + carry;
    t->l[i] = (uint64_t)c;
    carry = (uint64_t)(c >> 64);
  }
  SPC__FR_CHECK(carry == 0);
}

/* t < 0.811 * 2^512 -> below t / 2^256 + p, without the last subtraction */
SPC__FR_INLINE void spc__fr_reduce_lazy(spc__fr *out, const spc__fr_wide *in) {
  spc__fr_wide t = *in;
  uint64_t above = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    uint64_t m = t.l[i] * SPC__FR_P_INVERSE;
    spc__u128 c = (spc__u128)m * spc__fr_p[0] + t.l[i];
    SPC__FR_UNROLL
    for (int j = 1; j < 4; j++) {
      c = (spc__u128)m * spc__fr_p[j] + t.l[i + j] + (uint64_t)(c >> 64);
      t.l[i + j] = (uint64_t)c;
    }
    c = (spc__u128)t.l[i + 4] + (uint64_t)(c >> 64) + above;
    t.l[i + 4] = (uint64_t)c;
    above = (uint64_t)(c >> 64);
  }
  SPC__FR_CHECK(above == 0);
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    out->l[i] = t.l[4 + i];
}

SPC__FR_INLINE void spc__fr_reduce(spc__fr *out, const spc__fr_wide *t) {
  spc__fr_reduce_lazy(out, t);
  spc__fr_subtract_if_above(out->l, spc__fr_p2);
  SPC__FR_CHECK(out->l[3] <= spc__fr_p2[3]);
}

SPC__FR_INLINE void spc__fr_pow5(spc__fr *x) {
  SPC__FR_CHECK(x->l[3] <= spc__fr_p2[3]);
  spc__fr_wide t;
  spc__fr power;
  spc__fr_wide_sqr(&t, x);
  spc__fr_reduce_lazy(&power, &t);
  spc__fr_wide_sqr(&t, &power);
  spc__fr_reduce_lazy(&power, &t);
  spc__fr_wide_mul(&t, &power, x);
  spc__fr_reduce_lazy(x, &t);
  SPC__FR_CHECK(x->l[3] < 0x4d50000000000000u); /* 0.302 */
}

/* a + b < 4p -> below 2p */
SPC__FR_INLINE void spc__fr_add(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  uint64_t carry = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    spc__u128 c = (spc__u128)a->l[i] + b->l[i] + carry;
    out->l[i] = (uint64_t)c;
    carry = (uint64_t)(c >> 64);
  }
  SPC__FR_CHECK(carry == 0);
  spc__fr_subtract_if_above(out->l, spc__fr_p2);
}

/* 2 a + b + c for a from pow5, b < 2p, c < p -> below 2p */
SPC__FR_INLINE void spc__fr_next(spc__fr *out, const spc__fr *a, const spc__fr *b,
                                 const spc__fr *c) {
  spc__fr rest;
  spc__fr_add(&rest, b, c);
  uint64_t carry = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    uint64_t twice = a->l[i] << 1 | (i == 0 ? 0 : a->l[i - 1] >> 63);
    spc__u128 s = (spc__u128)twice + rest.l[i] + carry;
    out->l[i] = (uint64_t)s;
    carry = (uint64_t)(s >> 64);
  }
  SPC__FR_CHECK(carry == 0 && a->l[3] >> 63 == 0);
  spc__fr_subtract_if_above(out->l, spc__fr_p4);
  spc__fr_subtract_if_above(out->l, spc__fr_p2);
}

/* x of four limbs and a fifth, below 17 * 2^256 -> below 1.4 p, by an estimate of the quotient */
SPC__FR_INLINE void spc__fr_reduce_sum(spc__fr *out, const uint64_t x[5]) {
  /* p / 2^252 = 3.0246; 21667 / 2^16 is just below its inverse. */
  uint64_t q = ((x[4] << 4 | x[3] >> 60) * 21667) >> 16;
  uint64_t carry = 0, borrow = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    spc__u128 multiple = (spc__u128)q * spc__fr_p[i] + carry;
    carry = (uint64_t)(multiple >> 64);
    spc__u128 d = (spc__u128)x[i] - (uint64_t)multiple - borrow;
    out->l[i] = (uint64_t)d;
    borrow = (uint64_t)(d >> 64) & 1;
  }
  SPC__FR_CHECK(x[4] - carry - borrow == 0 && out->l[3] < 0x43c0000000000000u);
}

/* x[i] < 2p -> x[i] < 1.4 p */
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

SPC__FR_INLINE void spc__fr_from_bytes(spc__fr *out, const uint8_t in[SPC__FR_BYTES]) {
  spc__fr plain, r2;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    plain.l[i] = spc__load64_be(in + 8 * (3 - i));
    r2.l[i] = spc__fr_r2[i];
  }
  spc__fr_wide t;
  spc__fr_wide_mul(&t, &plain, &r2);
  spc__fr_reduce(out, &t);
}

SPC__FR_INLINE void spc__fr_to_bytes(uint8_t out[SPC__FR_BYTES], const spc__fr *in) {
  spc__fr_wide t = {{in->l[0], in->l[1], in->l[2], in->l[3], 0, 0, 0, 0}};
  spc__fr plain; /* at most p */
  spc__fr_reduce_lazy(&plain, &t);
  spc__fr_subtract_if_above(plain.l, spc__fr_p);
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    spc__store64_be(out + 8 * (3 - i), plain.l[i]);
}

#endif
