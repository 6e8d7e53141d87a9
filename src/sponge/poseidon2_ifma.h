/*
 * The Poseidon2 permutation by AVX-512 IFMA on several states at a time, one a lane: the body of
 * poseidon2_ifma_x8.c and poseidon2_ifma_x4.c, which define IFMA(name) and SPC__F52_LANES. The
 * rounds are those of poseidon2_portable.c, on the field of field/fr52.h, but that the fifth powers
 * of a full round are not reduced before the external matrix but after it.
 *
 * What bounds the speed is how far ahead a processor looks: a reduction alone does not fill it, and
 * what follows is too far away. So independent work is put between the steps: rows of the next dot
 * product in partial rounds, a second number in full rounds.
 *
 * As reducing t gives less than t / R + 2.24 p:
 *   inputs of an S-box  x < 7 p: x^2 < 2.9 p, x^4 < 2.4 p
 *   full round          16 x^5 + c: 16 (2.4 p) (7 p) / R + 3.24 p < 6.5 p
 *   absorbing           16 (7 p + p) p / R + 3.24 p < 5 p
 *   w                   taps, at most 6 (7 p) p / R, and 3.24 p: less than 3.8 p
 *   partial round       2 x^4 + tap < 5.8 p; (5.8 p) (7 p) / R + 2.24 p + 3.8 p < 6.6 p
 * A column of a sum has at most 10 halves of a product, 20 where fields are absorbed, 16 times
 * after the external matrix, or 60 halves of a dot product, and 10 of the reduction: below 2^61.
 */
#include "base/bytes.h"
#include "base/cpu.h"
#include "field/fr52.h"
#include "sponge/poseidon2_constants52.h"
#include "sponge/poseidon2_kernel.h"

#define IFMA_ROUNDS  56
#define IFMA_TERMS   IFMA(terms)
#define IFMA_HISTORY IFMA(history)

/*
 * Two terms of a dot product, ten rows to be put between the steps of something else: a processor
 * looks ahead less far than one of these steps takes.
 */
typedef struct IFMA(terms) {
  F52_WIDE *sum;
  const F52_ELEMENT *a[2];
  const uint64_t (*by)[5];
} IFMA(terms);

F52_INLINE void IFMA(rows)(const IFMA_TERMS *terms, int from, int to) {
  SPC__FR_UNROLL
  for (int n = from; n < to; n++)
    F52(row)(terms->sum, terms->a[n / 5], F52_SPLAT(terms->by[n / 5][n % 5]), n % 5);
}

/* out = a^2 or 2 a^2 + add, and two terms of a dot product. */
F52_INLINE void IFMA(sqr_terms)(F52_ELEMENT *out, const F52_ELEMENT *a, const uint64_t *add,
                                const IFMA_TERMS *terms) {
  F52_WIDE t;
  t = (F52_WIDE){{F52_ZERO}};
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    F52(sqr_row)(&t, a, i);
    if (i < 3) IFMA(rows)(terms, i, i + 1);
  }
  F52(sqr_end)(&t, a);
  F52(carry)(&t);
  IFMA(rows)(terms, 3, 5);
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++) {
    F52(fold)(&t, j);
    if (j == 1) IFMA(rows)(terms, 5, 6);
  }
  F52_V m = F52(quotient)(t.l[4]);
  IFMA(rows)(terms, 6, 7);
  F52(montgomery)(&t.l[4], m);
  IFMA(rows)(terms, 7, 8);
  if (add != NULL) {
    SPC__FR_UNROLL
    for (int k = 5; k < 10; k++)
      t.l[k] = F52_ADD(F52_ADD(t.l[k], t.l[k]), F52_SPLAT(add[k - 5]));
  }
  F52(finish)(out, &t);
  IFMA(rows)(terms, 8, 10);
}

F52_NOINLINE void IFMA(sqr)(F52_ELEMENT *out, const F52_ELEMENT *a, const IFMA_TERMS *terms) {
  F52_WIDE sum = *terms->sum;
  const IFMA_TERMS local = {&sum, {terms->a[0], terms->a[1]}, terms->by};
  IFMA(sqr_terms)(out, a, NULL, &local);
  *terms->sum = sum;
}

F52_NOINLINE void IFMA(twice_sqr_add)(F52_ELEMENT *out, const F52_ELEMENT *a,
                                      const IFMA_TERMS *terms) {
  F52_WIDE sum = *terms->sum;
  const IFMA_TERMS local = {&sum, {terms->a[0], terms->a[1]}, terms->by};
  IFMA(sqr_terms)(out, a, spc__p2_tap52, &local);
  *terms->sum = sum;
}

/*
 * The end of a partial round: s = a b + w. Beside it the dot product becomes the next w, and the
 * one after that begins.
 */
F52_NOINLINE void IFMA(end_round)(F52_ELEMENT *next_w, F52_ELEMENT *s, const F52_ELEMENT *a,
                                  const F52_ELEMENT *b, const F52_ELEMENT *w,
                                  const uint64_t added[5], const IFMA_TERMS *terms) {
  F52_WIDE dot = *terms->sum, t = {{F52_ZERO}}, sum = t;
  const IFMA_TERMS local = {&sum, {terms->a[0], terms->a[1]}, terms->by};
  F52(add_constant)(&dot, added);
  F52(carry)(&dot);
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++) {
    F52(row)(&t, a, b->l[j], j);
    F52(fold)(&dot, j);
  }
  F52_V m = F52(quotient)(dot.l[4]), mask = F52_SPLAT(F52_LIMB);
  F52(carry)(&t);
  F52(montgomery)(&dot.l[4], m);
  F52(finish)(next_w, &dot);
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++) {
    F52(fold)(&t, j);
    if (j % 2 == 1) IFMA(rows)(&local, j / 2, j / 2 + 1);
  }
  m = F52(quotient)(t.l[4]);
  IFMA(rows)(&local, 2, 5);
  F52(montgomery)(&t.l[4], m);
  IFMA(rows)(&local, 5, 7);
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    t.l[5 + i] = F52_ADD(t.l[5 + i], F52_AND(w->l[i], mask));
  F52(finish)(s, &t);
  IFMA(rows)(&local, 7, 10);
  *terms->sum = sum;
}

/* t[n] = x[n]^5 for two numbers. */
F52_NOINLINE void IFMA(pow5)(F52_WIDE t[2], const F52_ELEMENT x[2]) {
  F52_ELEMENT power[2];
  F52_WIDE w[2];
  SPC__FR_UNROLL
  for (int step = 0; step < 2; step++) {
    SPC__FR_UNROLL
    for (int n = 0; n < 2; n++)
      F52(sqr_columns)(&w[n], step == 0 ? &x[n] : &power[n]);
    SPC__FR_UNROLL
    for (int n = 0; n < 2; n++)
      F52(carry)(&w[n]);
    SPC__FR_UNROLL
    for (int j = 0; j < 5; j++) {
      SPC__FR_UNROLL
      for (int n = 0; n < 2; n++)
        F52(fold)(&w[n], j);
    }
    SPC__FR_UNROLL
    for (int n = 0; n < 2; n++)
      F52(montgomery)(&w[n].l[4], F52(quotient)(w[n].l[4]));
    SPC__FR_UNROLL
    for (int n = 0; n < 2; n++)
      F52(finish)(&power[n], &w[n]);
  }
  SPC__FR_UNROLL
  for (int n = 0; n < 2; n++) {
    w[n] = (F52_WIDE){{F52_ZERO}};
    SPC__FR_UNROLL
    for (int j = 0; j < 5; j++)
      F52(row)(&w[n], &power[n], x[n].l[j], j);
    t[n] = w[n];
  }
}

/* The external matrix on sums, and constants; x are the reduced results. */
F52_NOINLINE void IFMA(external)(F52_ELEMENT x[4], F52_WIDE t[4], const uint64_t constants[4][5]) {
  for (int k = 0; k < 10; k++) {
    F52_V t0 = F52_ADD(t[0].l[k], t[1].l[k]), t1 = F52_ADD(t[2].l[k], t[3].l[k]);
    F52_V t2 = F52_ADD(F52_ADD(t[1].l[k], t[1].l[k]), t1);
    F52_V t3 = F52_ADD(F52_ADD(t[3].l[k], t[3].l[k]), t0);
    F52_V t4 = F52_ADD(F52_SHIFT_LEFT(t1, 2), t3), t5 = F52_ADD(F52_SHIFT_LEFT(t0, 2), t2);
    t[0].l[k] = F52_ADD(t3, t5);
    t[1].l[k] = t5;
    t[2].l[k] = F52_ADD(t2, t4);
    t[3].l[k] = t4;
  }
  for (int i = 0; i < 4; i++) {
    F52_WIDE sum = t[i];
    F52(add_constant)(&sum, constants[i]);
    F52(reduce)(&x[i], &sum);
  }
}

F52_FUNCTION void IFMA(full_rounds)(F52_ELEMENT x[4], const uint64_t (*constants)[4][5]) {
  for (int r = 0; r < 4; r++) {
    F52_WIDE t[4];
    IFMA(pow5)(&t[0], &x[0]);
    IFMA(pow5)(&t[2], &x[2]);
    IFMA(external)(x, t, constants[r]);
  }
}

/* t = a[0] by[0] + ... for `count` terms. */
F52_INLINE void IFMA(sum)(F52_WIDE *t, const F52_ELEMENT *const *a, const uint64_t (*by)[5],
                          int count) {
  *t = (F52_WIDE){{F52_ZERO}};
  for (int n = 0; n < count; n++) {
    SPC__FR_UNROLL
    for (int j = 0; j < 5; j++)
      F52(row)(t, a[n], F52_SPLAT(by[n][j]), j);
  }
}

/* The same reduced, with a constant added. */
F52_NOINLINE void IFMA(dot)(F52_ELEMENT *out, const F52_ELEMENT *const *a, const uint64_t (*by)[5],
                            int count, const uint64_t added[5]) {
  F52_WIDE t;
  IFMA(sum)(&t, a, by, count);
  F52(add_constant)(&t, added);
  F52(reduce)(out, &t);
}

/* The last three w and s, newest first, by pointers so that the oldest is overwritten in place. */
typedef struct IFMA(history) {
  F52_ELEMENT memory[6], *w[3], *s[3];
} IFMA(history);

static inline void IFMA(rotate)(F52_ELEMENT *history[3]) {
  F52_ELEMENT *oldest = history[2];
  history[2] = history[1];
  history[1] = history[0];
  history[0] = oldest;
}

F52_FUNCTION void IFMA(partial_rounds)(F52_ELEMENT x[4]) {
  IFMA_HISTORY h;
  F52_ELEMENT power;
  F52_WIDE t;
  const F52_ELEMENT *const lanes[4] = {&x[0], &x[1], &x[2], &x[3]};
  const uint64_t(*const taps)[2][5] = spc__p2_taps52;
  const uint64_t *const zero = spc__p2_rounds52[9][0];
  for (int i = 0; i < 3; i++) {
    h.w[i] = &h.memory[i];
    h.s[i] = &h.memory[3 + i];
    IFMA(dot)(h.w[i], lanes, spc__p2_entry52[i], 4, i == 0 ? spc__p2_added52[0] : zero);
    *h.s[i] = (F52_ELEMENT){{F52_ZERO}};
  }
  IFMA(dot)(h.s[0], lanes, spc__p2_k52, 1, zero);

  /* A dot product starts with its oldest terms at the end of the round before. */
  const F52_ELEMENT *const oldest[2] = {h.w[2], h.s[2]};
  IFMA(sum)(&t, oldest, taps[2], 2);
  for (int r = 1; r <= IFMA_ROUNDS; r++) {
    IFMA(sqr)(&power, h.s[0], &(IFMA_TERMS){&t, {h.w[1], h.s[1]}, taps[1]});
    IFMA(twice_sqr_add)(&power, &power, &(IFMA_TERMS){&t, {h.w[0], h.s[0]}, taps[0]});
    IFMA(end_round)(h.w[2], h.s[2], &power, h.s[0], h.w[0], spc__p2_added52[r],
                    &(IFMA_TERMS){&t, {h.w[1], h.s[1]}, taps[2]});
    IFMA(rotate)(h.w);
    IFMA(rotate)(h.s);
  }

  const F52_ELEMENT *const last[6] = {h.w[0], h.w[1], h.w[2], h.s[0], h.s[1], h.s[2]};
  IFMA(dot)(&x[0], &last[3], spc__p2_per_k52, 1, spc__p2_rounds52[5][0]);
  for (int i = 1; i < 4; i++)
    IFMA(dot)(&x[i], last, spc__p2_exit52[i - 1], 6, spc__p2_rounds52[5][i]);
}

/* Adds field elements as they are to the state, then permutes. */
F52_FUNCTION void IFMA(absorb)(F52_ELEMENT x[4], const F52_ELEMENT fields[4]) {
  F52_WIDE t[4];
  for (int i = 0; i < 4; i++) {
    const F52_ELEMENT *const a[2] = {&x[i], &fields[i]};
    IFMA(sum)(&t[i], a, spc__p2_from52, 2);
  }
  IFMA(external)(x, t, spc__p2_rounds52[0]);
  IFMA(full_rounds)(x, &spc__p2_rounds52[1]);
  IFMA(partial_rounds)(x);
  IFMA(full_rounds)(x, &spc__p2_rounds52[6]);
}

F52_FUNCTION void IFMA(load)(F52_ELEMENT *out, const uint8_t *in, size_t stride) {
  uint64_t words[4][F52_LANES];
  for (size_t lane = 0; lane < F52_LANES; lane++) {
    for (size_t i = 0; i < 4; i++)
      words[i][lane] = spc__load64_be(in + stride * lane + 8 * (3 - i));
  }
  F52_V mask = F52_SPLAT(F52_LIMB), w[4];
  for (int i = 0; i < 4; i++)
    w[i] = F52_LOAD(words[i]);
  out->l[0] = F52_AND(w[0], mask);
  for (int i = 1; i < 4; i++) {
    F52_V both = F52_ADD(F52_SHIFT(w[i - 1], 64 - 12 * i), F52_SHIFT_LEFT(w[i], 12 * i));
    out->l[i] = F52_AND(both, mask);
  }
  out->l[4] = F52_SHIFT(w[3], 16);
}

F52_FUNCTION void IFMA(save)(uint8_t *out, size_t stride, const F52_ELEMENT *x) {
  uint64_t limbs[5][F52_LANES];
  F52_ELEMENT plain;
  F52_WIDE t = {{F52_ZERO}};
  /* x / R by Montgomery's rows alone is at most p, so that nothing is left to subtract. */
  for (int i = 0; i < 5; i++)
    t.l[i] = F52_AND(x->l[i], F52_SPLAT(F52_LIMB));
  for (int i = 0; i < 5; i++)
    F52(montgomery)(&t.l[i], F52(quotient)(t.l[i]));
  F52(finish)(&plain, &t);
  for (int i = 0; i < 5; i++)
    F52_STORE(limbs[i], plain.l[i]);
  for (size_t lane = 0; lane < F52_LANES; lane++) {
    uint64_t word[4];
    for (int i = 0; i < 4; i++)
      word[i] = (limbs[i][lane] & F52_LIMB) >> 12 * i | limbs[i + 1][lane] << (52 - 12 * i);
    spc__fr_words_to_bytes(out + stride * lane, word);
  }
}

F52_FUNCTION void IFMA(permute)(uint8_t *out, const uint8_t *in, size_t groups) {
  const size_t stride = 4 * SPC__FR_BYTES;
  for (; groups > 0; groups--, in += F52_LANES * stride, out += F52_LANES * stride) {
    const F52_ELEMENT zero = {{F52_ZERO}};
    F52_ELEMENT x[4] = {zero, zero, zero, zero}, fields[4];
    for (int i = 0; i < 4; i++)
      IFMA(load)(&fields[i], in + SPC__FR_BYTES * i, stride);
    IFMA(absorb)(x, fields);
    for (int i = 0; i < 4; i++)
      IFMA(save)(out + SPC__FR_BYTES * i, stride, &x[i]);
  }
}

F52_FUNCTION void IFMA(hash)(uint8_t *out, const uint8_t *fields, size_t length, size_t groups) {
  const size_t stride = length * SPC__FR_BYTES;
  const F52_ELEMENT zero = {{F52_ZERO}};
  F52_ELEMENT iv;
  uint8_t iv_bytes[SPC__FR_BYTES] = {0};
  spc__store64_be(iv_bytes + 16, length);
  IFMA(load)(&iv, iv_bytes, 0);
  for (; groups > 0; groups--, fields += F52_LANES * stride, out += F52_LANES * SPC__FR_BYTES) {
    F52_ELEMENT x[4] = {zero, zero, zero, zero};
    for (size_t at = 0; at < length; at += 3) {
      /* The first block brings the IV with it. */
      F52_ELEMENT block[4] = {zero, zero, zero, at == 0 ? iv : zero};
      for (size_t i = 0; i < 3 && at + i < length; i++)
        IFMA(load)(&block[i], fields + SPC__FR_BYTES * (at + i), stride);
      IFMA(absorb)(x, block);
    }
    IFMA(save)(out, SPC__FR_BYTES, &x[0]);
  }
}

#undef IFMA_ROUNDS
#undef IFMA_TERMS
#undef IFMA_HISTORY
