/*
 * The steps of a permutation on field/fr51.h that are functions of their own. SPC__P2_STEP(name) is
 * their name and SPC__P2_STEP_LINKAGE comes before them.
 */
#include "sponge/poseidon2_sums51.h"

static const uint64_t spc__p2_square_offsets[11] = SPC__F51_OFFSETS(SPC__F51_SQUARE);
static const uint64_t spc__p2_plain_offsets[11] = SPC__F51_OFFSETS(SPC__F51_NONE);

/* x = x^2 */
SPC__LANES_INLINE void spc__p2_sqr51(const spc__f51_context *c, spc__f51 *x) {
  const uint64_t *offsets = spc__p2_square_offsets;
  SPC__F51_LOADED(offsets);
  spc__f51_wide t;
  spc__f51_sqr(c, &t, x);
  spc__f51_reduce(c, x, &t, offsets);
}

SPC__P2_STEP_LINKAGE void SPC__P2_STEP(pow5)(spc__f51_wide *t, const spc__f51 *x) {
  spc__f51_context c = spc__f51_begin();
  spc__f51 factor = *x, power = factor;
  spc__f51_wide sum = {{spc__v_zero()}};
  spc__p2_sqr51(&c, &power);
  spc__p2_sqr51(&c, &power);
  spc__f51_mul_add(&c, &sum, &power, &factor);
  *t = sum;
}

SPC__P2_STEP_LINKAGE void SPC__P2_STEP(scale2)(spc__f51_wide *t, const spc__f51 *a,
                                               const double by_a[5], const spc__f51 *b,
                                               const double by_b[5]) {
  spc__f51_context c = spc__f51_begin();
  spc__f51_wide sum = {{spc__v_zero()}};
  spc__f51_scale_add(&c, &sum, a, by_a);
  spc__f51_scale_add(&c, &sum, b, by_b);
  *t = sum;
}

SPC__P2_STEP_LINKAGE void SPC__P2_STEP(reduce)(spc__f51 *out, const spc__f51_wide *t,
                                               const uint64_t offsets[11]) {
  spc__f51_context c = spc__f51_begin();
  spc__f51_reduce(&c, out, t, offsets);
}

/* Writes each lane as bytes, `stride` apart. */
SPC__P2_STEP_LINKAGE void SPC__P2_STEP(save)(uint8_t *out, size_t stride, const spc__f51 *x) {
  spc__f51_context c = spc__f51_begin();
  spc__f51_wide t;
  spc__f51 plain;
  spc__f51_to_wide(&t, &c, x);
  SPC__P2_STEP(reduce)(&plain, &t, spc__p2_plain_offsets);
  spc__f51_to_wide(&t, &c, &plain);
  for (int lane = 0; lane < SPC__LANES; lane++) {
    uint64_t word[4];
    spc__f51_to_words(word, &t, lane);
    spc__fr_words_to_bytes(out + stride * (size_t)lane, word);
  }
}

/* By a dot product of one term: the places of its products are in one function. */
SPC__LANES_INLINE void spc__p2_mul_add51(spc__f51_wide *t, const spc__f51 *x, const double *by,
                                         int paired) {
  spc__f51_context c = spc__f51_begin();
  spc__f51_factor factor;
  const spc__f51_factor *const factors[1] = {&factor};
  spc__f51_wide sum;
  spc__f51_to_factor(&factor, x);
  spc__f51_dot(&c, &sum, factors, &by, 1, paired);
  SPC__FR_UNROLL
  for (int k = 0; k < 10; k++)
    t->l[k] = spc__v_add(t->l[k], sum.l[k]);
}

SPC__P2_STEP_LINKAGE void SPC__P2_STEP(mul_add)(spc__f51_wide *t, const spc__f51 *x,
                                                const double *by) {
  spc__p2_mul_add51(t, x, by, 0);
}
