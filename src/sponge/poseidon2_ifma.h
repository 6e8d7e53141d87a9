/*
 * The Poseidon2 permutation by AVX-512 IFMA on several states at a time, one a lane: the body of
 * poseidon2_ifma_x8.c and poseidon2_ifma_x4.c, which define IFMA(name), IFMA_LANES and the vector
 * operations. The rounds are those of poseidon2_portable.c.
 *
 * A number is 5 limbs of 52 bits, R = 2^260 = 84.6 p. The multiply-add takes the low 52 bits of
 * both factors and adds the low or the high half of their product to a sum of 64 bits, so that
 * columns are sums of halves, and bits of a limb above 52 need not be cleared. A reduction carries
 * columns 0 to 3, folds them all at once, t[i] (2^(52 i - 208) mod p), and ends with one Montgomery
 * step. The fifth powers of a full round are not reduced before the external matrix but after it.
 *
 * What bounds the speed is how far ahead a processor looks: a reduction alone does not fill it, and
 * what follows is too far away. So independent work is put between the steps: rows of the next dot
 * product in partial rounds, a second number in full rounds.
 *
 * Reducing t gives less than t / R + 2.24 p, as the folded constants have a sum of 1.24 p:
 *   inputs of an S-box  x < 7 p: x^2 < 2.9 p, x^4 < 2.4 p
 *   full round          16 x^5 + c: 16 (2.4 p) (7 p) / R + 3.24 p < 6.5 p
 *   absorbing           16 (7 p + p) p / R + 3.24 p < 5 p
 *   v                   taps, at most 6 (7 p) p / R, and 3.24 p: less than 3.8 p
 *   partial round       2 (2.4 p) (7 p) / R + 2.24 p + 3.8 p < 6.5 p
 * so limb 4 is below 2^52. A column of a sum has at most 10 halves of a product, 16 times after the
 * external matrix, or 60 halves of a dot product, and 9 of the reduction: below 2^60.
 */
#include "base/bytes.h"
#include "base/cpu.h"
#include "field/fr.h"
#include "sponge/poseidon2_constants52.h"
#include "sponge/poseidon2_kernel.h"

#define IFMA_INLINE   static inline __attribute__((always_inline, target(IFMA_TARGET)))
#define IFMA_FUNCTION static __attribute__((target(IFMA_TARGET)))
#define IFMA_NOINLINE static __attribute__((noinline, target(IFMA_TARGET)))
#define IFMA_ROUNDS   56
#define IFMA_LIMB     ((UINT64_C(1) << 52) - 1)

typedef struct IFMA(element) {
  IFMA_V l[5];
} IFMA(element);

typedef struct IFMA(wide) {
  IFMA_V l[10];
} IFMA(wide);

#define ifma_element IFMA(element)
#define ifma_wide    IFMA(wide)

/*
 * Hides from the compiler what the constants of a reduction are: a load broadcasts a word to all
 * lanes for nothing, but a known word would come from a general register.
 */
IFMA_INLINE const spc__p2_reduction52 *IFMA(constants)(void) {
  const spc__p2_reduction52 *constants = &spc__p2_reduction;
  __asm__("" : "+r"(constants));
  return constants;
}

/* Row j of a product: a times one limb, which is the same in all lanes for a constant. */
IFMA_INLINE void IFMA(row)(ifma_wide *t, const ifma_element *a, IFMA_V limb, int j) {
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++) {
    t->l[i + j] = IFMA_LOW(t->l[i + j], a->l[i], limb);
    t->l[i + j + 1] = IFMA_HIGH(t->l[i + j + 1], a->l[i], limb);
  }
}

/*
 * Two terms of a dot product, ten rows to be put between the steps of something else: a processor
 * looks ahead less far than one of these steps takes.
 */
typedef struct IFMA(terms) {
  ifma_wide *sum;
  const ifma_element *a[2];
  const uint64_t (*by)[5];
} IFMA(terms);

IFMA_INLINE void IFMA(rows)(const IFMA(terms) * terms, int from, int to) {
  SPC__FR_UNROLL
  for (int n = from; n < to; n++)
    IFMA(row)(terms->sum, terms->a[n / 5], IFMA_SPLAT(terms->by[n / 5][n % 5]), n % 5);
}

/* The steps of a reduction. First, columns 0 to 3 are carried. */
IFMA_INLINE void IFMA(carry)(ifma_wide *t) {
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    t->l[i + 1] = IFMA_ADD(t->l[i + 1], IFMA_SHIFT(t->l[i], 52));
}

/* Column j of the folded constants. */
IFMA_INLINE void IFMA(fold)(ifma_wide *t, int j) {
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    IFMA_V limb = IFMA_SPLAT(IFMA(constants)()->fold[i][j]);
    t->l[4 + j] = IFMA_LOW(t->l[4 + j], t->l[i], limb);
    t->l[5 + j] = IFMA_HIGH(t->l[5 + j], t->l[i], limb);
  }
}

/* Montgomery's quotient for a column, and its row, which clears the column but for a carry. */
IFMA_INLINE IFMA_V IFMA(quotient)(IFMA_V column) {
  return IFMA_LOW(IFMA_ZERO, column, IFMA_SPLAT(IFMA(constants)()->p_inverse));
}

IFMA_INLINE void IFMA(montgomery)(IFMA_V column[6], IFMA_V m) {
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++) {
    IFMA_V limb = IFMA_SPLAT(IFMA(constants)()->p[j]);
    column[j] = IFMA_LOW(column[j], m, limb);
    column[j + 1] = IFMA_HIGH(column[j + 1], m, limb);
  }
  column[1] = IFMA_ADD(column[1], IFMA_SHIFT(column[0], 52));
}

#ifdef SPC_CHECK_BOUNDS
IFMA_INLINE void IFMA(check)(const ifma_element *x) {
  uint64_t top[IFMA_LANES];
  IFMA_STORE(top, x->l[4]);
  for (int lane = 0; lane < IFMA_LANES; lane++)
    SPC__FR_CHECK(top[lane] < 7 * spc__p2_reduction.p[4]);
}
#else
#define ifma_x4_check(x) ((void)0)
#define ifma_x8_check(x) ((void)0)
#endif

/* Columns 5 to 9 become limbs. */
IFMA_INLINE void IFMA(finish)(ifma_element *out, const ifma_wide *t) {
  out->l[0] = t->l[5];
  SPC__FR_UNROLL
  for (int i = 1; i < 5; i++)
    out->l[i] = IFMA_ADD(t->l[5 + i], IFMA_SHIFT(out->l[i - 1], 52));
  IFMA(check)(out);
}

IFMA_INLINE void IFMA(reduce)(ifma_element *out, ifma_wide *t) {
  IFMA(carry)(t);
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++)
    IFMA(fold)(t, j);
  IFMA(montgomery)(&t->l[4], IFMA(quotient)(t->l[4]));
  IFMA(finish)(out, t);
}

IFMA_INLINE void IFMA(sqr_columns)(ifma_wide *t, const ifma_element *a, const IFMA(terms) * terms) {
  *t = (ifma_wide){{IFMA_ZERO}};
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    SPC__FR_UNROLL
    for (int j = i + 1; j < 5; j++) {
      t->l[i + j] = IFMA_LOW(t->l[i + j], a->l[i], a->l[j]);
      t->l[i + j + 1] = IFMA_HIGH(t->l[i + j + 1], a->l[i], a->l[j]);
    }
    if (terms != NULL && i < 3) IFMA(rows)(terms, i, i + 1);
  }
  SPC__FR_UNROLL
  for (int k = 1; k < 9; k++)
    t->l[k] = IFMA_ADD(t->l[k], t->l[k]);
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++) {
    t->l[2 * i] = IFMA_LOW(t->l[2 * i], a->l[i], a->l[i]);
    t->l[2 * i + 1] = IFMA_HIGH(t->l[2 * i + 1], a->l[i], a->l[i]);
  }
}

/* out = a^2, or twice that, and two terms of a dot product. */
IFMA_INLINE void IFMA(sqr_terms)(ifma_element *out, const ifma_element *a, bool twice,
                                 const IFMA(terms) * terms) {
  ifma_wide t;
  IFMA(sqr_columns)(&t, a, terms);
  IFMA(carry)(&t);
  IFMA(rows)(terms, 3, 5);
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++) {
    IFMA(fold)(&t, j);
    if (j == 1) IFMA(rows)(terms, 5, 6);
  }
  IFMA_V m = IFMA(quotient)(t.l[4]);
  IFMA(rows)(terms, 6, 7);
  IFMA(montgomery)(&t.l[4], m);
  IFMA(rows)(terms, 7, 8);
  if (twice) {
    SPC__FR_UNROLL
    for (int k = 5; k < 10; k++)
      t.l[k] = IFMA_ADD(t.l[k], t.l[k]);
  }
  IFMA(finish)(out, &t);
  IFMA(rows)(terms, 8, 10);
}

IFMA_NOINLINE void IFMA(sqr)(ifma_element *out, const ifma_element *a, const IFMA(terms) * terms) {
  ifma_wide sum = *terms->sum;
  const IFMA(terms) local = {&sum, {terms->a[0], terms->a[1]}, terms->by};
  IFMA(sqr_terms)(out, a, false, &local);
  *terms->sum = sum;
}

IFMA_NOINLINE void IFMA(twice_sqr)(ifma_element *out, const ifma_element *a,
                                   const IFMA(terms) * terms) {
  ifma_wide sum = *terms->sum;
  const IFMA(terms) local = {&sum, {terms->a[0], terms->a[1]}, terms->by};
  IFMA(sqr_terms)(out, a, true, &local);
  *terms->sum = sum;
}

/* Adds a constant to what the reduction of t gives. */
IFMA_INLINE void IFMA(add_constant)(ifma_wide *t, const uint64_t c[5]) {
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    t->l[5 + i] = IFMA_ADD(t->l[5 + i], IFMA_SPLAT(c[i]));
}

/*
 * The end of a partial round: v = dot + added, s = a b + v. Then `terms->sum`, which was the dot
 * product, starts the next one.
 */
IFMA_NOINLINE void IFMA(end_round)(ifma_element *v, ifma_element *s, const ifma_element *a,
                                   const ifma_element *b, const uint64_t added[5],
                                   const IFMA(terms) * terms) {
  ifma_wide dot = *terms->sum, t = {{IFMA_ZERO}}, sum = t;
  IFMA(add_constant)(&dot, added);
  IFMA(carry)(&dot);
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++) {
    IFMA(row)(&t, a, b->l[j], j);
    IFMA(fold)(&dot, j);
  }
  IFMA_V m = IFMA(quotient)(dot.l[4]);
  IFMA(carry)(&t);
  IFMA(montgomery)(&dot.l[4], m);
  IFMA(finish)(v, &dot);
  const IFMA(terms) local = {&sum, {terms->a[0], terms->a[1]}, terms->by};
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++) {
    IFMA(fold)(&t, j);
    if (j % 2 == 1) IFMA(rows)(&local, j / 2, j / 2 + 1);
  }
  m = IFMA(quotient)(t.l[4]);
  IFMA(rows)(&local, 2, 5);
  IFMA(montgomery)(&t.l[4], m);
  IFMA(rows)(&local, 5, 7);
  IFMA_V mask = IFMA_SPLAT(IFMA_LIMB);
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    t.l[5 + i] = IFMA_ADD(t.l[5 + i], IFMA_AND(v->l[i], mask));
  IFMA(finish)(s, &t);
  IFMA(rows)(&local, 7, 10);
  *terms->sum = sum;
}

/* t[n] = x[n]^5 for two numbers. */
IFMA_NOINLINE void IFMA(pow5)(ifma_wide t[2], const ifma_element x[2]) {
  ifma_element power[2];
  ifma_wide w[2];
  SPC__FR_UNROLL
  for (int step = 0; step < 2; step++) {
    SPC__FR_UNROLL
    for (int n = 0; n < 2; n++)
      IFMA(sqr_columns)(&w[n], step == 0 ? &x[n] : &power[n], NULL);
    SPC__FR_UNROLL
    for (int n = 0; n < 2; n++)
      IFMA(carry)(&w[n]);
    SPC__FR_UNROLL
    for (int j = 0; j < 5; j++) {
      SPC__FR_UNROLL
      for (int n = 0; n < 2; n++)
        IFMA(fold)(&w[n], j);
    }
    SPC__FR_UNROLL
    for (int n = 0; n < 2; n++)
      IFMA(montgomery)(&w[n].l[4], IFMA(quotient)(w[n].l[4]));
    SPC__FR_UNROLL
    for (int n = 0; n < 2; n++)
      IFMA(finish)(&power[n], &w[n]);
  }
  SPC__FR_UNROLL
  for (int n = 0; n < 2; n++) {
    w[n] = (ifma_wide){{IFMA_ZERO}};
    SPC__FR_UNROLL
    for (int j = 0; j < 5; j++)
      IFMA(row)(&w[n], &power[n], x[n].l[j], j);
    t[n] = w[n];
  }
}

/* The external matrix on sums, and constants; x are the reduced results. */
IFMA_NOINLINE void IFMA(external)(ifma_element x[4], ifma_wide t[4],
                                  const uint64_t constants[4][5]) {
  for (int k = 0; k < 10; k++) {
    IFMA_V t0 = IFMA_ADD(t[0].l[k], t[1].l[k]), t1 = IFMA_ADD(t[2].l[k], t[3].l[k]);
    IFMA_V t2 = IFMA_ADD(IFMA_ADD(t[1].l[k], t[1].l[k]), t1);
    IFMA_V t3 = IFMA_ADD(IFMA_ADD(t[3].l[k], t[3].l[k]), t0);
    IFMA_V t4 = IFMA_ADD(IFMA_SHIFT_LEFT(t1, 2), t3), t5 = IFMA_ADD(IFMA_SHIFT_LEFT(t0, 2), t2);
    t[0].l[k] = IFMA_ADD(t3, t5);
    t[1].l[k] = t5;
    t[2].l[k] = IFMA_ADD(t2, t4);
    t[3].l[k] = t4;
  }
  for (int i = 0; i < 4; i++) {
    ifma_wide sum = t[i];
    IFMA(add_constant)(&sum, constants[i]);
    IFMA(reduce)(&x[i], &sum);
  }
}

IFMA_FUNCTION void IFMA(full_rounds)(ifma_element x[4], const uint64_t (*constants)[4][5]) {
  for (int r = 0; r < 4; r++) {
    ifma_wide t[4];
    IFMA(pow5)(&t[0], &x[0]);
    IFMA(pow5)(&t[2], &x[2]);
    IFMA(external)(x, t, constants[r]);
  }
}

/* t = a[0] by[0] + ... for `count` terms. */
IFMA_INLINE void IFMA(sum)(ifma_wide *t, const ifma_element *const *a, const uint64_t (*by)[5],
                           int count) {
  *t = (ifma_wide){{IFMA_ZERO}};
  for (int n = 0; n < count; n++) {
    SPC__FR_UNROLL
    for (int j = 0; j < 5; j++)
      IFMA(row)(t, a[n], IFMA_SPLAT(by[n][j]), j);
  }
}

/* The same reduced, with a constant added. */
IFMA_NOINLINE void IFMA(dot)(ifma_element *out, const ifma_element *const *a,
                             const uint64_t (*by)[5], int count, const uint64_t added[5]) {
  ifma_wide t;
  IFMA(sum)(&t, a, by, count);
  IFMA(add_constant)(&t, added);
  IFMA(reduce)(out, &t);
}

/* The last three v and s, newest first, by pointers so that the oldest is overwritten in place. */
typedef struct IFMA(history) {
  ifma_element memory[6], *v[3], *s[3];
} IFMA(history);

static inline void IFMA(rotate)(ifma_element *history[3]) {
  ifma_element *oldest = history[2];
  history[2] = history[1];
  history[1] = history[0];
  history[0] = oldest;
}

IFMA_FUNCTION void IFMA(partial_rounds)(ifma_element x[4]) {
  IFMA(history) h;
  ifma_element input, power;
  ifma_wide t;
  const ifma_element *const lanes[4] = {&x[0], &x[1], &x[2], &x[3]};
  const uint64_t(*const taps)[2][5] = spc__p2_taps52;
  const uint64_t *const zero = spc__p2_rounds52[9][0];
  for (int i = 0; i < 3; i++) {
    h.v[i] = &h.memory[i];
    h.s[i] = &h.memory[3 + i];
    IFMA(dot)(h.v[i], lanes + 1, spc__p2_entry52[i], 3, zero);
    *h.s[i] = *h.v[i];
  }
  IFMA(dot)(&input, lanes, spc__p2_k52, 1, zero);

  /* A dot product starts with its oldest terms at the end of the round before. */
  const ifma_element *const oldest[2] = {h.v[2], h.s[2]};
  IFMA(sum)(&t, oldest, taps[2], 2);
  const ifma_element *s = &input;
  for (int r = 0; r < IFMA_ROUNDS; r++) {
    IFMA(sqr)(&power, s, &(IFMA(terms)){&t, {h.v[1], h.s[1]}, taps[1]});
    IFMA(twice_sqr)(&power, &power, &(IFMA(terms)){&t, {h.v[0], h.s[0]}, taps[0]});
    IFMA(end_round)(h.v[2], h.s[2], &power, s, spc__p2_added52[r],
                    &(IFMA(terms)){&t, {h.v[1], h.s[1]}, taps[2]});
    IFMA(rotate)(h.v);
    IFMA(rotate)(h.s);
    s = h.s[0];
  }

  const ifma_element *const last[6] = {h.v[0], h.v[1], h.v[2], h.s[0], h.s[1], h.s[2]};
  IFMA(dot)(&x[0], &last[3], spc__p2_per_k52, 1, spc__p2_rounds52[5][0]);
  for (int i = 1; i < 4; i++)
    IFMA(dot)(&x[i], last, spc__p2_exit52[i - 1], 6, spc__p2_rounds52[5][i]);
}

/* Adds field elements as they are to the state, then permutes. */
IFMA_FUNCTION void IFMA(absorb)(ifma_element x[4], const ifma_element fields[4]) {
  ifma_wide t[4];
  for (int i = 0; i < 4; i++) {
    const ifma_element *const a[2] = {&x[i], &fields[i]};
    IFMA(sum)(&t[i], a, spc__p2_from52, 2);
  }
  IFMA(external)(x, t, spc__p2_rounds52[0]);
  IFMA(full_rounds)(x, &spc__p2_rounds52[1]);
  IFMA(partial_rounds)(x);
  IFMA(full_rounds)(x, &spc__p2_rounds52[6]);
}

IFMA_FUNCTION void IFMA(load)(ifma_element *out, const uint8_t *in, size_t stride) {
  uint64_t words[4][IFMA_LANES];
  for (size_t lane = 0; lane < IFMA_LANES; lane++) {
    for (size_t i = 0; i < 4; i++)
      words[i][lane] = spc__load64_be(in + stride * lane + 8 * (3 - i));
  }
  IFMA_V mask = IFMA_SPLAT(IFMA_LIMB), w[4];
  for (int i = 0; i < 4; i++)
    w[i] = IFMA_LOAD(words[i]);
  out->l[0] = IFMA_AND(w[0], mask);
  for (int i = 1; i < 4; i++) {
    IFMA_V both = IFMA_ADD(IFMA_SHIFT(w[i - 1], 64 - 12 * i), IFMA_SHIFT_LEFT(w[i], 12 * i));
    out->l[i] = IFMA_AND(both, mask);
  }
  out->l[4] = IFMA_SHIFT(w[3], 16);
}

IFMA_FUNCTION void IFMA(save)(uint8_t *out, size_t stride, const ifma_element *x) {
  uint64_t limbs[5][IFMA_LANES];
  ifma_element plain;
  ifma_wide t = {{IFMA_ZERO}};
  /* x / R by Montgomery's rows alone is at most p, so that nothing is left to subtract. */
  for (int i = 0; i < 5; i++)
    t.l[i] = IFMA_AND(x->l[i], IFMA_SPLAT(IFMA_LIMB));
  for (int i = 0; i < 5; i++)
    IFMA(montgomery)(&t.l[i], IFMA(quotient)(t.l[i]));
  IFMA(finish)(&plain, &t);
  for (int i = 0; i < 5; i++)
    IFMA_STORE(limbs[i], plain.l[i]);
  for (size_t lane = 0; lane < IFMA_LANES; lane++) {
    uint64_t word[4];
    for (int i = 0; i < 4; i++)
      word[i] = (limbs[i][lane] & IFMA_LIMB) >> 12 * i | limbs[i + 1][lane] << (52 - 12 * i);
    spc__fr_words_to_bytes(out + stride * lane, word);
  }
}

IFMA_FUNCTION void IFMA(permute)(uint8_t *out, const uint8_t *in, size_t groups) {
  const size_t stride = 4 * SPC__FR_BYTES;
  for (; groups > 0; groups--, in += IFMA_LANES * stride, out += IFMA_LANES * stride) {
    const ifma_element zero = {{IFMA_ZERO}};
    ifma_element x[4] = {zero, zero, zero, zero}, fields[4];
    for (int i = 0; i < 4; i++)
      IFMA(load)(&fields[i], in + SPC__FR_BYTES * i, stride);
    IFMA(absorb)(x, fields);
    for (int i = 0; i < 4; i++)
      IFMA(save)(out + SPC__FR_BYTES * i, stride, &x[i]);
  }
}

IFMA_FUNCTION void IFMA(hash)(uint8_t *out, const uint8_t *fields, size_t length, size_t groups) {
  const size_t stride = length * SPC__FR_BYTES;
  const ifma_element zero = {{IFMA_ZERO}};
  ifma_element iv;
  uint8_t iv_bytes[SPC__FR_BYTES] = {0};
  spc__store64_be(iv_bytes + 16, length);
  IFMA(load)(&iv, iv_bytes, 0);
  for (; groups > 0; groups--, fields += IFMA_LANES * stride, out += IFMA_LANES * SPC__FR_BYTES) {
    ifma_element x[4] = {zero, zero, zero, zero};
    for (size_t at = 0; at < length; at += 3) {
      /* The first block brings the IV with it. */
      ifma_element block[4] = {zero, zero, zero, at == 0 ? iv : zero};
      for (size_t i = 0; i < 3 && at + i < length; i++)
        IFMA(load)(&block[i], fields + SPC__FR_BYTES * (at + i), stride);
      IFMA(absorb)(x, block);
    }
    IFMA(save)(out, SPC__FR_BYTES, &x[0]);
  }
}

#undef IFMA_INLINE
#undef IFMA_FUNCTION
#undef IFMA_NOINLINE
#undef IFMA_ROUNDS
#undef IFMA_LIMB
#undef ifma_element
#undef ifma_wide
