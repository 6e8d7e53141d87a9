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

static const uint64_t relaxed_round[11] = SPC__F51_OFFSETS(SPC__P2_Z);

#define SPC__P2_STEP_LINKAGE
#include "sponge/poseidon2_steps51.h"

void spc__p2_relaxed_mul_add_pair(spc__f51_wide *t, const spc__f51 *x, const double *by) {
  spc__p2_mul_add51(t, x, by, 1);
}
/* The external matrix on sums, with constants; x[i] are the reduced sums. */
SPC__P2_SMALL void relaxed_apply_external(spc__f51 x[2], spc__f51_wide t[2],
                                          const int64_t constants[2][5][2],
                                          const uint64_t offsets[2][11]) {
  for (int k = 0; k < 10; k++) {
    spc__v a = t[0].l[k], b = t[1].l[k];
    spc__v sum = spc__v_add(a, b); /* x0 + x1, x2 + x3 */
    spc__v twice = spc__v_add(spc__v_add(b, b), spc__v_swap(sum));
    t[1].l[k] = spc__v_add(spc__v_shl(sum, 2), twice);
    t[0].l[k] = spc__v_add(t[1].l[k], spc__v_swap(twice));
  }
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 5; k++)
      t[i].l[k] = spc__v_add(t[i].l[k], spc__v_load(constants[i][k]));
    spc__p2_relaxed_reduce(&x[i], &t[i], offsets[i]);
  }
}

SPC__P2_SMALL void relaxed_full_round(spc__f51 x[2], const int64_t constants[2][5][2]) {
  spc__f51_wide t[2];
  spc__p2_relaxed_pow5(&t[0], &x[0]);
  spc__p2_relaxed_pow5(&t[1], &x[1]);
  relaxed_apply_external(x, t, constants, spc__p2_external_offsets);
}

/* state by_state + fields by R^2, the external matrix, and the first constants */
SPC__P2_SMALL void relaxed_absorb_fields(spc__f51 x[2], const double by_state[5],
                                         const uint8_t *fields, const uint8_t *fourth) {
  const uint8_t *const even[2] = {fields, fields + 2 * SPC__FR_BYTES};
  const uint8_t *const odd[2] = {fields + SPC__FR_BYTES, fourth};
  spc__f51_context c = spc__f51_begin();
  spc__f51 field[2];
  spc__f51_wide t[2];
  spc__f51_from_bytes(&field[0], &c, even);
  spc__f51_from_bytes(&field[1], &c, odd);
  for (int i = 0; i < 2; i++)
    spc__p2_relaxed_scale2(&t[i], &x[i], by_state, &field[i], spc__f51_r2);
  relaxed_apply_external(x, t, spc__p2_rounds51[0], spc__p2_absorbed_offsets);
}

/* A pair of dot products with `terms` elements, which have the same value in both lanes. */
SPC__P2_SMALL void relaxed_combine(spc__f51 *out, spc__f51_wide *constants, const spc__f51 *x,
                                   const double (*by)[SPC__F51_FACTOR][2], int terms,
                                   const uint64_t offsets[11]) {
  for (int i = 0; i < terms; i++)
    spc__p2_relaxed_mul_add_pair(constants, &x[i], by[i][0]);
  spc__p2_relaxed_reduce(out, constants, offsets);
}

/* The next pair from the last three, pairs[0] being the last, in the place of pairs[2]. */
static __attribute__((noinline)) void relaxed_partial_round(spc__f51_factor *const pairs[3],
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
  spc__p2_sqr51(&c, &power);
  spc__p2_sqr51(&c, &power);
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

/* Each lane of x in both lanes of another element. */
SPC__P2_SMALL void relaxed_spread(spc__f51 *first, spc__f51 *second, const spc__v x[5]) {
  for (int i = 0; i < 5; i++) {
    first->l[i] = spc__v_low(x[i], x[i]);
    second->l[i] = spc__v_high(x[i], x[i]);
  }
}

SPC__P2_SMALL void relaxed_partial_rounds(spc__f51 x[2]) {
  spc__f51 y[6], entry;
  spc__f51_factor factors[3], *pairs[3] = {&factors[0], &factors[1], &factors[2]};
  relaxed_spread(&y[0], &y[2], x[0].l);
  relaxed_spread(&y[1], &y[3], x[1].l);
  spc__f51_wide t = {{spc__v_zero()}};
  for (int k = 0; k < 5; k++)
    t.l[k] = spc__v_load_second(&spc__p2_sums51[0][k]);
  relaxed_combine(&entry, &t, y, spc__p2_entry51[0], 4, spc__p2_entry_offsets);
  spc__f51_to_factor(pairs[0], &entry);
  t = (spc__f51_wide){{spc__v_zero()}};
  relaxed_combine(&entry, &t, y, spc__p2_entry51[1], 4, spc__p2_entry_offsets);
  for (int i = 0; i < 5; i++) {
    y[0].l[i] = spc__v_low(spc__v_zero(), entry.l[i]);
    y[1].l[i] = spc__v_high(spc__v_zero(), entry.l[i]);
  }
  spc__f51_to_factor(pairs[1], &y[0]);
  spc__f51_to_factor(pairs[2], &y[1]);
  for (int r = 1; r <= SPC__P2_PARTIAL; r++) {
    relaxed_partial_round(pairs, spc__p2_sums51[r]);
    spc__f51_factor *next = pairs[2];
    pairs[2] = pairs[1];
    pairs[1] = pairs[0];
    pairs[0] = next;
  }
  for (int n = 0; n < 3; n++)
    relaxed_spread(&y[2 * n], &y[2 * n + 1], pairs[n]->l);
  for (int i = 0; i < 2; i++) {
    t = (spc__f51_wide){{spc__v_zero()}};
    for (int k = 0; k < 5; k++)
      t.l[k] = spc__v_load(spc__p2_rounds51[4][i][k]);
    relaxed_combine(&x[i], &t, y, spc__p2_exit51[i], 6, spc__p2_exit_offsets);
  }
}

/* Lanes 0 and 2 to x[0], 1 and 3 to x[1], still times the R of spc__fr. */
SPC__P2_SMALL void relaxed_from_state(spc__f51 x[2], const spc__fr state[4]) {
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

SPC__P2_SMALL void relaxed_to_state(spc__fr state[4], const spc__f51 x[2]) {
  spc__f51_context c = spc__f51_begin();
  for (int i = 0; i < 2; i++) {
    spc__f51 y;
    spc__f51_wide t = {{spc__v_zero()}};
    spc__f51_scale_add(&c, &t, &x[i], spc__f51_to29);
    spc__p2_relaxed_reduce(&y, &t, spc__p2_product_offsets);
    spc__f51_to_wide(&t, &c, &y);
    for (int lane = 0; lane < 2; lane++) {
      uint64_t word[4];
      spc__f51_to_words(word, &t, lane);
      spc__fr_from_words(&state[i + 2 * lane], word);
    }
  }
}

/* From the sums of the first external matrix on. */
SPC__P2_SMALL void relaxed_rounds(spc__f51 x[2]) {
  for (int r = 1; r < 4; r++)
    relaxed_full_round(x, spc__p2_rounds51[r]);
  relaxed_full_round(x, spc__p2_rounds51[8]);
  relaxed_partial_rounds(x);
  for (int r = 5; r < 9; r++)
    relaxed_full_round(x, spc__p2_rounds51[r]);
}

SPC__P2_SMALL void relaxed_permute(uint8_t *out, const uint8_t *in, size_t groups) {
  for (; groups > 0; groups--, in += 4 * SPC__FR_BYTES, out += 4 * SPC__FR_BYTES) {
    spc__f51 x[2] = {{{spc__v_zero()}}, {{spc__v_zero()}}};
    relaxed_absorb_fields(x, spc__f51_r, in, in + 3 * SPC__FR_BYTES);
    relaxed_rounds(x);
    for (int i = 0; i < 2; i++)
      spc__p2_relaxed_save(out + SPC__FR_BYTES * i, 2 * SPC__FR_BYTES, &x[i]);
  }
}

SPC__P2_SMALL void relaxed_absorb(spc__fr state[4], const uint8_t *fields, size_t permutations) {
  static const uint8_t none[SPC__FR_BYTES];
  if (permutations == 0) return;
  spc__f51 x[2];
  const double *by = spc__f51_from29;
  relaxed_from_state(x, state);
  for (; permutations > 0; permutations--, fields += 3 * SPC__FR_BYTES) {
    relaxed_absorb_fields(x, by, fields, none);
    relaxed_rounds(x);
    by = spc__f51_r;
  }
  relaxed_to_state(state, x);
}

const spc__poseidon2_kernel spc__poseidon2_relaxed = {.name = "relaxed",
                                                      .features = SPC__LANES_FEATURES,
                                                      .lanes = 1,
                                                      .absorb = relaxed_absorb,
                                                      .permute = relaxed_permute};

#endif
