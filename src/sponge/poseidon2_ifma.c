/*
 * The Poseidon2 permutation of one state by AVX-512 IFMA, BMI2 and ADX. The rounds are those of
 * poseidon2_portable.c.
 *
 * A full round has the four lanes of the state in the lanes of a vector (field/fr52.h). In the
 * partial rounds the S-box is a chain of scalar products (field/fr_adx.h), while the vector units
 * compute the dot product with the limbs of a constant in the lanes of a vector: limb i of the six
 * numbers times the constants is a row for columns i to i + 5, and each stage takes one column off,
 * by t (2^-52 mod p) four times and by Montgomery's row at the end. Rows and stages are put between
 * the products, as a processor does not look ahead further than one of them.
 *
 * Both representations are used: s and w are times 2^256 in four limbs of 64 bits, the state in
 * full rounds is times 2^260 in five limbs of 52 bits; a dot product changes the factor by that of
 * its constants. Reducing it gives less than t / 2^260 + 1.13 p:
 *   w      six constants < p by numbers < 2p: 0.15 p + 1.13 p, with c < p below 2.28 p, and below
 *          1.03 p after a multiple of p is taken off
 *   entry  four constants < p by numbers < 7 p: below 1.5 p, and 1.03 p as before
 *   exit   six constants < p by numbers < 2 p: below 1.3 p, with c < p below 2.3 p
 */
#include "sponge/poseidon2_kernel.h"

#if SPC__FIELD_X86

#include "base/bytes.h"
#include "base/cpu.h"
#include "field/fr_adx.h"
#include "sponge/poseidon2_constants.h"
#include "sponge/poseidon2_constants52.h"

#undef SPC__F52_LANES
#define SPC__F52_LANES 4
#include "field/fr52.h"

#define IFMA1_PARTIAL 56

/* Five limbs of 52 bits. */
typedef struct ifma1_limbs {
  uint64_t l[5];
} ifma1_limbs;

static inline void ifma1_split(ifma1_limbs *out, const spc__fr *x) {
  const uint64_t *w = x->l;
  out->l[0] = w[0] & F52_LIMB;
  out->l[1] = (w[0] >> 52 | w[1] << 12) & F52_LIMB;
  out->l[2] = (w[1] >> 40 | w[2] << 24) & F52_LIMB;
  out->l[3] = (w[2] >> 28 | w[3] << 36) & F52_LIMB;
  out->l[4] = w[3] >> 16;
}

/* Lane i + 1 to lane i. */
F52_INLINE __m512i ifma1_down(__m512i a) {
  return _mm512_alignr_epi64(_mm512_setzero_si512(), a, 1);
}
F52_INLINE __m512i ifma1_lane0(__m512i a) {
  return _mm512_broadcastq_epi64(_mm512_castsi512_si128(a));
}

/* Rows of low and of high halves, by limb of the factors. */
typedef struct ifma1_rows {
  __m512i low[5], high[5];
} ifma1_rows;

/* Columns that are not taken off yet, the lowest in lane 0; `high` is one column up. */
typedef struct ifma1_columns {
  __m512i low, high;
} ifma1_columns;

F52_INLINE void ifma1_add_term(ifma1_rows *t, const ifma1_limbs *x, const uint64_t by[8]) {
  __m512i constant = _mm512_loadu_si512(by);
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++) {
    __m512i limb = _mm512_set1_epi64((long long)x->l[i]);
    t->low[i] = _mm512_madd52lo_epu64(t->low[i], limb, constant);
    t->high[i] = _mm512_madd52hi_epu64(t->high[i], limb, constant);
  }
}

/* Adds row i to the columns and takes the lowest off. */
F52_INLINE void ifma1_stage(ifma1_columns *c, const ifma1_rows *t, int i) {
  const spc__f52_reduction *constants = F52(constants)();
  const __m512i zero = _mm512_setzero_si512();
  __m512i low = _mm512_add_epi64(c->low, t->low[i]), high = _mm512_add_epi64(c->high, t->high[i]);
  __m512i m = ifma1_lane0(low);
  if (i == 4) {
    __m512i p = _mm512_maskz_loadu_epi64(31, constants->p);
    m = _mm512_madd52lo_epu64(zero, m, _mm512_set1_epi64((long long)constants->p_inverse));
    low = _mm512_madd52lo_epu64(low, m, p);
    high = _mm512_madd52hi_epu64(high, m, p);
  }
  __m512i carry = _mm512_maskz_srli_epi64(1, low, 52);
  c->low = _mm512_add_epi64(_mm512_add_epi64(ifma1_down(low), high), carry);
  if (i < 4) {
    __m512i fold = _mm512_maskz_loadu_epi64(31, constants->fold[3]);
    c->low = _mm512_madd52lo_epu64(c->low, m, fold);
    c->high = _mm512_madd52hi_epu64(zero, m, fold);
  }
}

/* out = the sum of by[i] x[i]: five limbs, each but the last with a carry. */
F52_NOINLINE void ifma1_dot(uint64_t out[8], const ifma1_limbs *const *x, const uint64_t (*by)[8],
                            int terms) {
  const __m512i zero = _mm512_setzero_si512();
  ifma1_rows t = {{zero, zero, zero, zero, zero}, {zero, zero, zero, zero, zero}};
  ifma1_columns c = {zero, zero};
  for (int n = 0; n < terms; n++)
    ifma1_add_term(&t, x[n], by[n]);
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    ifma1_stage(&c, &t, i);
  _mm512_storeu_si512(out, c.low);
}

/* The number of five limbs with carries, and c < p, below 1.34 p. */
static inline void ifma1_join(spc__fr *out, const uint64_t limb[8], const spc__fr *c) {
  uint64_t words[5] = {0};
  spc__u128 carry = 0;
  const uint64_t low[4] = {limb[0], limb[1] >> 12, limb[2] >> 24, limb[3] >> 36};
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    carry += (spc__u128)low[i] + c->l[i] + (limb[i + 1] << (52 - 12 * i));
    words[i] = (uint64_t)carry;
    carry >>= 64;
  }
  SPC__FR_CHECK(carry == 0);
  spc__fr_reduce_sum(out, words);
}

static void ifma1_rotate(ifma1_limbs *history[3]) {
  ifma1_limbs *oldest = history[2];
  history[2] = history[1];
  history[1] = history[0];
  history[0] = oldest;
}

/* The state enters and leaves the lanes of a vector. */
F52_FUNCTION void ifma1_partial_rounds(F52_ELEMENT *state) {
  ifma1_limbs memory[6], lanes[4], *w[3], *s[3];
  _Alignas(64) uint64_t limb[8]; /* of which words are loaded soon after the vector is stored */
  uint64_t words[5][4];
  spc__fr input, power, operands[2];
  const spc__fr zero = {{0}};
  for (int i = 0; i < 5; i++) {
    F52_STORE(words[i], state->l[i]);
    for (int lane = 0; lane < 4; lane++)
      lanes[lane].l[i] = words[i][lane];
  }
  const ifma1_limbs *const from[4] = {&lanes[0], &lanes[1], &lanes[2], &lanes[3]};
  ifma1_dot(limb, from, spc__p2_entry_row52[0], 4);
  ifma1_join(&input, limb, &zero);
  for (int i = 2; i >= 0; i--) {
    w[i] = &memory[i];
    s[i] = &memory[3 + i];
    *s[i] = (ifma1_limbs){{0}};
    ifma1_dot(limb, from, spc__p2_entry_row52[1 + i], 4);
    ifma1_join(&operands[1], limb, &zero);
    ifma1_split(w[i], &operands[1]);
  }
  ifma1_split(s[0], &input);

  /*
   * `limb` is the dot product of the w of a round, which is needed at its end. The one of the next
   * round has its older terms already, and is spread over the round so that nothing has to wait
   * long for what comes before it.
   */
  const __m512i none = _mm512_setzero_si512();
  const ifma1_rows no_rows = {{none, none, none, none, none}, {none, none, none, none, none}};
  const uint64_t(*const by)[8] = spc__p2_taps_row52;
  ifma1_rows t = no_rows;
  ifma1_add_term(&t, w[1], by[1]);
  ifma1_add_term(&t, w[2], by[2]);
  for (int r = 0; r < IFMA1_PARTIAL; r++) {
    ifma1_columns c = {none, none};
    spc__fr_double(&operands[0], &input);
    spc__fr_adx_sqr_inline(&power, &input);
    ifma1_join(&operands[1], limb, &spc__p2_added[r]);
    ifma1_split(w[0], &operands[1]);
    ifma1_add_term(&t, s[0], by[3]);
    ifma1_add_term(&t, w[0], by[0]);
    spc__fr_adx_sqr_add_inline(&power, &power, &spc__p2_half_tap);
    SPC__FR_UNROLL
    for (int i = 0; i < 3; i++)
      ifma1_stage(&c, &t, i);
    spc__fr_adx_mul_add_inline(&input, &power, operands);
    SPC__FR_UNROLL
    for (int i = 3; i < 5; i++)
      ifma1_stage(&c, &t, i);
    _mm512_storeu_si512(limb, c.low);
    t = no_rows;
    ifma1_add_term(&t, w[1], by[2]);
    ifma1_add_term(&t, s[1], by[5]);
    ifma1_add_term(&t, w[0], by[1]);
    ifma1_add_term(&t, s[0], by[4]);
    ifma1_rotate(w);
    ifma1_rotate(s);
    ifma1_split(s[0], &input);
  }
  ifma1_join(&operands[1], limb, &spc__p2_added[IFMA1_PARTIAL]);
  ifma1_split(w[0], &operands[1]);

  const ifma1_limbs *const to[6] = {w[0], w[1], w[2], s[0], s[1], s[2]};
  for (int lane = 0; lane < 4; lane++) {
    ifma1_dot(limb, to, spc__p2_exit_row52[lane], 6);
    for (int i = 0; i < 5; i++)
      words[i][lane] = limb[i] + spc__p2_rounds52[5][lane][i];
  }
  F52_V carry = F52_ZERO;
  for (int i = 0; i < 5; i++) {
    state->l[i] = F52_ADD(F52_LOAD(words[i]), carry);
    carry = F52_SHIFT(state->l[i], 52);
  }
}

/* The external matrix on a sum in four lanes, and the constants of a round. */
F52_INLINE void ifma1_external(F52_ELEMENT *x, F52_WIDE *t, const uint64_t constants[5][4]) {
  SPC__FR_UNROLL
  for (int k = 0; k < 10; k++) {
    /* Lanes a b c d; (a + b) (a + b) (c + d) (c + d); and so on as in spc__fr_external. */
    F52_V lanes = t->l[k], sums = F52_ADD(lanes, _mm256_permute4x64_epi64(lanes, 0xb1));
    F52_V bd = _mm256_permute4x64_epi64(lanes, 0xf5);
    F52_V t2233 = F52_ADD(F52_ADD(bd, bd), _mm256_permute4x64_epi64(sums, 0x0a));
    F52_V t5544 = F52_ADD(F52_SHIFT_LEFT(sums, 2), t2233);
    F52_V t3322 = _mm256_permute4x64_epi64(t2233, 0x0a);
    t->l[k] = _mm256_mask_add_epi64(t5544, 5, t5544, t3322);
  }
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    t->l[5 + i] = F52_ADD(t->l[5 + i], F52_LOAD(constants[i]));
  F52(reduce)(x, t);
}

F52_FUNCTION void ifma1_full_rounds(F52_ELEMENT *state, const uint64_t (*constants)[5][4]) {
  F52_ELEMENT x = *state;
  for (int r = 0; r < 4; r++) {
    F52_ELEMENT power;
    F52_WIDE t;
    F52(sqr_columns)(&t, &x);
    F52(reduce)(&power, &t);
    F52(sqr_columns)(&t, &power);
    F52(reduce)(&power, &t);
    t = (F52_WIDE){{F52_ZERO}};
    SPC__FR_UNROLL
    for (int j = 0; j < 5; j++)
      F52(row)(&t, &power, x.l[j], j);
    ifma1_external(&x, &t, constants[r]);
  }
  *state = x;
}

/* x times a constant of five limbs. */
F52_INLINE void ifma1_scale_add(F52_WIDE *t, const F52_ELEMENT *x, const uint64_t by[5]) {
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++)
    F52(row)(t, x, F52_SPLAT(by[j]), j);
}

/* Numbers of four limbs in the lanes of a vector. */
F52_INLINE void ifma1_load(F52_ELEMENT *out, const spc__fr x[4]) {
  uint64_t words[5][4];
  for (int lane = 0; lane < 4; lane++) {
    ifma1_limbs limbs;
    ifma1_split(&limbs, &x[lane]);
    for (int i = 0; i < 5; i++)
      words[i][lane] = limbs.l[i];
  }
  for (int i = 0; i < 5; i++)
    out->l[i] = F52_LOAD(words[i]);
}

F52_FUNCTION void ifma1_absorb(spc__fr state[4], const uint8_t *fields, size_t permutations) {
  F52_ELEMENT x, block;
  F52_WIDE t = {{F52_ZERO}};
  if (permutations == 0) return;
  ifma1_load(&x, state);
  ifma1_scale_add(&t, &x, spc__p2_from64_52);
  F52(reduce)(&x, &t);
  for (; permutations > 0; permutations--) {
    spc__fr plain[4] = {{{0}}};
    for (int i = 0; i < 3; i++, fields += SPC__FR_BYTES) {
      for (int j = 0; j < 4; j++)
        plain[i].l[j] = spc__load64_be(fields + 8 * (3 - j));
    }
    ifma1_load(&block, plain);
    t = (F52_WIDE){{F52_ZERO}};
    ifma1_scale_add(&t, &x, spc__p2_from52[0]);
    ifma1_scale_add(&t, &block, spc__p2_from52[1]);
    ifma1_external(&x, &t, spc__p2_rounds_lanes52[0]);
    ifma1_full_rounds(&x, &spc__p2_rounds_lanes52[1]);
    ifma1_partial_rounds(&x);
    ifma1_full_rounds(&x, &spc__p2_rounds_lanes52[6]);
  }
  uint64_t words[5][4];
  t = (F52_WIDE){{F52_ZERO}};
  ifma1_scale_add(&t, &x, spc__p2_to64_52);
  F52(reduce)(&x, &t);
  for (int i = 0; i < 5; i++)
    F52_STORE(words[i], x.l[i]);
  for (int lane = 0; lane < 4; lane++) {
    const uint64_t limb[8] = {words[0][lane] & F52_LIMB, words[1][lane] & F52_LIMB,
                              words[2][lane] & F52_LIMB, words[3][lane] & F52_LIMB, words[4][lane]};
    const spc__fr zero = {{0}};
    ifma1_join(&state[lane], limb, &zero);
  }
}

const spc__poseidon2_kernel spc__poseidon2_ifma = {.name = "ifma",
                                                   .features =
                                                       SPC__CPU_AVX512_IFMA | SPC__CPU_BMI2_ADX,
                                                   .lanes = 1,
                                                   .absorb = ifma1_absorb};

#undef IFMA1_PARTIAL

#endif
