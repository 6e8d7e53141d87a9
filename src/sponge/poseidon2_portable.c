/*
 * The Poseidon2 permutation in C, on the field of field/fr.h.
 *
 * The 56 partial rounds are a scalar recurrence (derived in scripts/generate-poseidon2.mjs). Only
 * lane 0 meets the S-box, and what the other three lanes add to it is a linear recurrence of order
 * three, driven by the fifth powers. Scaled so that x0' = 2 u + v + c, a round has three products
 * on its critical path, and one dot product of six terms with one reduction beside it. All v and u
 * of a permutation stay in one array each, so that history is an address and not a copy.
 */
#include "field/fr.h"
#include "sponge/poseidon2_constants.h"
#include "sponge/poseidon2_kernel.h"

#define PORTABLE_PARTIAL 56

/* Dot product of v[0], v[-1], v[-2], u[0], u[-1], u[-2] with six constants. */
SPC__FR_INLINE void portable_dot(spc__fr *out, const spc__fr *v, const spc__fr *u,
                                 const spc__fr by[6]) {
  spc__fr_wide t;
  spc__fr_wide_mul(&t, &v[0], &by[0]);
  spc__fr_wide_mul_add(&t, &v[-1], &by[1]);
  spc__fr_wide_mul_add(&t, &v[-2], &by[2]);
  spc__fr_wide_mul_add(&t, &u[0], &by[3]);
  spc__fr_wide_mul_add(&t, &u[-1], &by[4]);
  spc__fr_wide_mul_add(&t, &u[-2], &by[5]);
  spc__fr_reduce(out, &t);
}

static void portable_pow5(spc__fr *x) {
  spc__fr_pow5(x);
}

static void portable_full_rounds(spc__fr x[4], const spc__fr (*constants)[4]) {
  for (int r = 0; r < 4; r++) {
    for (int i = 0; i < 4; i++)
      portable_pow5(&x[i]);
    spc__fr_external(x, constants[r]);
  }
}

static void portable_partial_rounds(spc__fr x[4]) {
  spc__fr vs[PORTABLE_PARTIAL + 2], us[PORTABLE_PARTIAL + 2], s;
  spc__fr *v = vs + 2, *u = us + 1;
  for (int i = 0; i < 3; i++) {
    spc__fr_wide t;
    spc__fr_wide_mul(&t, &x[1], &spc__p2_entry[i][0]);
    spc__fr_wide_mul_add(&t, &x[2], &spc__p2_entry[i][1]);
    spc__fr_wide_mul_add(&t, &x[3], &spc__p2_entry[i][2]);
    spc__fr_reduce(&v[-i], &t);
  }
  u[0] = u[-1] = (spc__fr){{0}};
  spc__fr_mul(&s, &x[0], &spc__p2_k);
  for (int r = 0;; r++) {
    *++u = s;
    portable_pow5(u);
    spc__fr_next(&s, u, v, &spc__p2_partial[r + 1]);
    if (r + 1 == PORTABLE_PARTIAL) break;
    portable_dot(v + 1, v, u, spc__p2_taps);
    v++;
  }
  spc__fr_mul(&x[0], &s, &spc__p2_per_k);
  for (int i = 0; i < 3; i++)
    portable_dot(&x[1 + i], v, u, spc__p2_exit[i]);
}

static void portable_permute(spc__fr x[4]) {
  spc__fr_external(x, spc__p2_rounds[0]);
  portable_full_rounds(x, &spc__p2_rounds[1]);
  portable_partial_rounds(x);
  for (int i = 0; i < 4; i++)
    spc__fr_add(&x[i], &x[i], &spc__p2_rounds[5][i]);
  portable_full_rounds(x, &spc__p2_rounds[6]);
}

static void portable_absorb(spc__fr state[4], const uint8_t *fields, size_t permutations) {
  for (; permutations > 0; permutations--) {
    spc__fr field;
    for (int i = 0; i < 3; i++, fields += SPC__FR_BYTES) {
      spc__fr_from_bytes(&field, fields);
      spc__fr_add(&state[i], &state[i], &field);
    }
    /* The capacity is added to as well, as a sum is what spc__fr_external takes. */
    field = (spc__fr){{0}};
    spc__fr_add(&state[3], &state[3], &field);
    portable_permute(state);
  }
}

const spc__poseidon2_kernel spc__poseidon2_portable = {
    .name = "portable", .lanes = 1, .absorb = portable_absorb};
