/*
 * The Poseidon2 permutation of one state in Wasm with relaxed SIMD, two field elements at a time.
 *
 * In the full rounds, x0 and x2 are the lanes of one vector, x1 and x3 those of another, so that
 * the external matrix is a few additions of whole vectors. It is applied to the sums before their
 * reduction, which then takes everything back below 1.06 p at once.
 *
 * In the partial rounds (derived in scripts/generate-poseidon2.mjs) both lanes raise s to the
 * fourth power, and then one reduction gives the pair (z, s') = (b s + L, 2 b s + L + constant), b
 * = s^4, where L is the dot product of the last three pairs with six constants: each lane sums
 * three of the products, and the two are added before the reduction.
 */
#include "sponge/poseidon2_kernel.h"

#ifdef __wasm_relaxed_simd__
#include "sponge/poseidon2_relaxed.h"

#define RELAXED_NOINLINE static __attribute__((noinline))

static const uint64_t relaxed_square[11] = SPC__F51_OFFSETS(SPC__F51_SQUARE);
static const uint64_t relaxed_round[11] = SPC__F51_OFFSETS(SPC__P2_Z);

/* x = x^2 */
SPC__FR_INLINE void relaxed_sqr(const spc__f51_context *c, spc__f51 *x) {
  const uint64_t *offsets = relaxed_square;
  SPC__F51_LOADED(offsets);
  spc__f51_wide t;
  spc__f51_sqr(c, &t, x);
  spc__f51_reduce(c, x, &t, offsets);
}

void spc__p2_relaxed_pow5(spc__f51_wide *t, const spc__f51 *x) {
  spc__f51_context c = spc__f51_begin();
  spc__f51 factor = *x, power = factor;
  spc__f51_wide sum = {{spc__v_zero()}};
  relaxed_sqr(&c, &power);
  relaxed_sqr(&c, &power);
  spc__f51_mul_add(&c, &sum, &power, &factor);
  *t = sum;
}

void spc__p2_relaxed_scale2(spc__f51_wide *t, const spc__f51 *a, const double by_a[5],
                            const spc__f51 *b, const double by_b[5]) {
  spc__f51_context c = spc__f51_begin();
  spc__f51_wide sum = {{spc__v_zero()}};
  spc__f51_scale_add(&c, &sum, a, by_a);
  spc__f51_scale_add(&c, &sum, b, by_b);
  *t = sum;
}

void spc__p2_relaxed_reduce(spc__f51 *out, const spc__f51_wide *t, const uint64_t offsets[11]) {
  spc__f51_context c = spc__f51_begin();
  spc__f51_reduce(&c, out, t, offsets);
}

/* The external matrix on sums, with constants; x[i] are the reduced sums. */
RELAXED_NOINLINE void relaxed_apply_external(spc__f51 x[2], const spc__f51_wide t[2],
                                             const int64_t constants[2][5][2],
                                             const uint64_t offsets[2][11]) {
  spc__f51_context c = spc__f51_begin();
  spc__f51_wide even, odd;
  SPC__FR_UNROLL
  for (int k = 0; k < 10; k++) {
    spc__v a = t[0].l[k], b = t[1].l[k];
    spc__v sum = spc__v_add(a, b); /* x0 + x1, x2 + x3 */
    spc__v twice = spc__v_add(spc__v_add(b, b), spc__v_swap(sum));
    odd.l[k] = spc__v_add(spc__v_shl(sum, 2), twice);
    even.l[k] = spc__v_add(odd.l[k], spc__v_swap(twice));
    if (k < 5) {
      even.l[k] = spc__v_add(even.l[k], spc__v_load(constants[0][k]));
      odd.l[k] = spc__v_add(odd.l[k], spc__v_load(constants[1][k]));
    }
  }
  spc__f51_reduce(&c, &x[0], &even, offsets[0]);
  spc__f51_reduce(&c, &x[1], &odd, offsets[1]);
}

static void relaxed_full_round(spc__f51 x[2], const int64_t constants[2][5][2]) {
  spc__f51_wide t[2];
  spc__p2_relaxed_pow5(&t[0], &x[0]);
  spc__p2_relaxed_pow5(&t[1], &x[1]);
  relaxed_apply_external(x, t, constants, spc__p2_external);
}

/* state by_state + fields by R^2, the external matrix, and the first constants */
static void relaxed_absorb_fields(spc__f51 x[2], const double by_state[5], const uint8_t *fields) {
  static const uint8_t none[SPC__FR_BYTES];
  const uint8_t *const even[2] = {fields, fields + 2 * SPC__FR_BYTES};
  const uint8_t *const odd[2] = {fields + SPC__FR_BYTES, none};
  spc__f51_context c = spc__f51_begin();
  spc__f51 field[2];
  spc__f51_wide t[2];
  spc__f51_from_bytes(&field[0], &c, even);
  spc__f51_from_bytes(&field[1], &c, odd);
  for (int i = 0; i < 2; i++)
    spc__p2_relaxed_scale2(&t[i], &x[i], by_state, &field[i], spc__f51_r2);
  relaxed_apply_external(x, t, spc__p2_rounds51[0], spc__p2_absorbed);
}

/* A pair of dot products with `terms` elements, which have the same value in both lanes. */
SPC__FR_INLINE void relaxed_combine(spc__f51 *out, const spc__f51 *x,
                                    const double (*by)[SPC__F51_FACTOR][2], spc__f51_wide constants,
                                    const uint64_t offsets[11], int terms) {
  SPC__F51_LOADED(by);
  spc__f51_context c = spc__f51_begin();
  spc__f51_factor factor[6];
  const spc__f51_factor *factors[6];
  const double *constant[6];
  for (int i = 0; i < terms; i++) {
    spc__f51_to_factor(&factor[i], &x[i]);
    factors[i] = &factor[i];
    constant[i] = by[i][0];
  }
  spc__f51_wide t;
  spc__f51_dot(&c, &t, factors, constant, terms, 1);
  SPC__FR_UNROLL
  for (int k = 0; k < 5; k++)
    t.l[k] = spc__v_add(t.l[k], constants.l[k]);
  spc__f51_reduce(&c, out, &t, offsets);
}

RELAXED_NOINLINE void relaxed_combine4(spc__f51 *out, const spc__f51 x[4],
                                       const double (*by)[SPC__F51_FACTOR][2],
                                       const int64_t constants[5]) {
  spc__f51_wide t = {{spc__v_zero()}};
  for (int k = 0; k < 5; k++)
    t.l[k] = spc__v_load_second(&constants[k]);
  relaxed_combine(out, x, by, t, spc__p2_entry, 4);
}

RELAXED_NOINLINE void relaxed_combine6(spc__f51 *out, const spc__f51 x[6],
                                       const double (*by)[SPC__F51_FACTOR][2],
                                       const int64_t constants[5][2]) {
  spc__f51_wide t = {{spc__v_zero()}};
  for (int k = 0; k < 5; k++)
    t.l[k] = spc__v_load(constants[k]);
  relaxed_combine(out, x, by, t, spc__p2_exit, 6);
}

/* The next pair from the last three, pairs[0] being the last, in the place of pairs[2]. */
RELAXED_NOINLINE void relaxed_partial_round(spc__f51_factor *const pairs[3],
                                            const int64_t constants[5]) {
  static const double one_two[2] = {1, 2};
  const double(*taps)[SPC__F51_FACTOR][2] = spc__p2_taps51;
  const uint64_t *offsets = relaxed_round;
  const double *one = one_two;
  SPC__F51_LOADED(taps);
  SPC__F51_LOADED(offsets);
  SPC__F51_LOADED(one);
  spc__f51_context c = spc__f51_begin();
  const double *by[3] = {taps[0][0], taps[1][0], taps[2][0]};
  const spc__f51_factor *factors[3] = {pairs[0], pairs[1], pairs[2]};
  spc__f51 s, power;
  spc__f51_wide t;
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    power.l[i] = spc__v_high(pairs[0]->l[i], pairs[0]->l[i]);
  s = power;
  relaxed_sqr(&c, &power);
  relaxed_sqr(&c, &power);
  spc__f51_dot(&c, &t, factors, by, 3, 1);
  SPC__FR_UNROLL
  for (int k = 0; k < 10; k++) {
    t.l[k] = spc__v_add(t.l[k], spc__v_swap(t.l[k]));
    if (k < 5) {
      t.l[k] = spc__v_add(t.l[k], spc__v_load_second(&constants[k]));
      s.l[k] = spc__v_mul_f(s.l[k], spc__v_load(one));
    }
  }
  spc__f51_mul_add(&c, &t, &power, &s);
  spc__f51_reduce(&c, &power, &t, offsets);
  spc__f51_to_factor(pairs[2], &power);
}

static void relaxed_partial_rounds(spc__f51 x[2]) {
  static const int64_t zero[5];
  spc__f51 y[6], entry[2], made_up[2];
  spc__f51_factor factors[3], *pairs[3] = {&factors[0], &factors[1], &factors[2]};
  for (int i = 0; i < 5; i++) {
    for (int lane = 0; lane < 2; lane++) {
      y[lane].l[i] = spc__v_low(x[lane].l[i], x[lane].l[i]);
      y[2 + lane].l[i] = spc__v_high(x[lane].l[i], x[lane].l[i]);
    }
  }
  relaxed_combine4(&entry[0], y, spc__p2_entry51[0], spc__p2_sums51[0]);
  relaxed_combine4(&entry[1], y, spc__p2_entry51[1], zero);
  for (int i = 0; i < 5; i++) {
    made_up[0].l[i] = spc__v_low(spc__v_zero(), entry[1].l[i]);
    made_up[1].l[i] = spc__v_high(spc__v_zero(), entry[1].l[i]);
  }
  spc__f51_to_factor(pairs[0], &entry[0]);
  spc__f51_to_factor(pairs[1], &made_up[0]);
  spc__f51_to_factor(pairs[2], &made_up[1]);
  for (int r = 1; r <= SPC__P2_PARTIAL; r++) {
    relaxed_partial_round(pairs, spc__p2_sums51[r]);
    spc__f51_factor *next = pairs[2];
    pairs[2] = pairs[1];
    pairs[1] = pairs[0];
    pairs[0] = next;
  }
  for (int n = 0; n < 3; n++) {
    for (int i = 0; i < 5; i++) {
      y[2 * n].l[i] = spc__v_low(pairs[n]->l[i], pairs[n]->l[i]);
      y[2 * n + 1].l[i] = spc__v_high(pairs[n]->l[i], pairs[n]->l[i]);
    }
  }
  for (int i = 0; i < 2; i++)
    relaxed_combine6(&x[i], y, spc__p2_exit51[i], spc__p2_rounds51[4][i]);
}

/* Lanes 0 and 2 to x[0], 1 and 3 to x[1], still times the R of spc__fr. */
static void relaxed_from_state(spc__f51 x[2], const spc__fr state[4]) {
  static const spc__fr zero;
  spc__f51_context c = spc__f51_begin();
  uint64_t word[4][4];
  for (int i = 0; i < 4; i++) {
    spc__fr reduced;
    spc__fr_add(&reduced, &state[i], &zero);
    spc__fr_to_words(word[i], &reduced);
  }
  for (int i = 0; i < 2; i++) {
    spc__v both[4];
    for (int k = 0; k < 4; k++)
      both[k] = spc__v_low(spc__v_splat(&word[i][k]), spc__v_splat(&word[2 + i][k]));
    spc__f51_from_words(&x[i], &c, both);
  }
}

static void relaxed_to_state(spc__fr state[4], const spc__f51 x[2]) {
  spc__f51_context c = spc__f51_begin();
  for (int i = 0; i < 2; i++) {
    spc__f51 y;
    spc__f51_wide t = {{spc__v_zero()}};
    spc__f51_scale_add(&c, &t, &x[i], spc__f51_to29);
    spc__p2_relaxed_reduce(&y, &t, spc__p2_product);
    spc__f51_to_wide(&t, &c, &y);
    for (int lane = 0; lane < 2; lane++) {
      uint64_t word[4];
      spc__f51_to_words(word, &t, lane);
      spc__fr_from_words(&state[i + 2 * lane], word);
    }
  }
}

static void relaxed_absorb(spc__fr state[4], const uint8_t *fields, size_t permutations) {
  if (permutations == 0) return;
  spc__f51 x[2];
  const double *by = spc__f51_from29;
  relaxed_from_state(x, state);
  for (; permutations > 0; permutations--, fields += 3 * SPC__FR_BYTES) {
    relaxed_absorb_fields(x, by, fields);
    for (int r = 1; r < 4; r++)
      relaxed_full_round(x, spc__p2_rounds51[r]);
    relaxed_full_round(x, spc__p2_rounds51[8]);
    relaxed_partial_rounds(x);
    for (int r = 5; r < 9; r++)
      relaxed_full_round(x, spc__p2_rounds51[r]);
    by = spc__f51_r;
  }
  relaxed_to_state(state, x);
}

const spc__poseidon2_kernel spc__poseidon2_relaxed = {
    .name = "relaxed", .features = SPC__CPU_FUSED_MADD, .lanes = 1, .absorb = relaxed_absorb};

#endif
