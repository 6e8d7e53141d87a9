/*
 * The Poseidon2 permutation in C, on the field of field/fr.h.
 *
 * The 56 partial rounds are a scalar recurrence (derived in scripts/generate-poseidon2.mjs). Only
 * lane 0 meets the S-box, and what the other three lanes add to it, v, is a linear recurrence of
 * order three, driven by the fifth powers u. Scaled so that the next S-box gets 2 u + v + c, a
 * round has three products on its critical path, and beside it a dot product of the last three v
 * and u with six constants, and one reduction, that gives the next v.
 *
 * That v is not needed before the end of the next round. So its dot product is computed there, in
 * three parts that are put between the three products of the S-box: a reduction is a chain of
 * dependent steps, and a processor that finds independent products within its reach fills it up.
 */
#include "field/fr.h"
#include "sponge/poseidon2_constants.h"
#include "sponge/poseidon2_kernel.h"

#define PORTABLE_PARTIAL 56

/* The last three v and u, newest first, by pointers so that the oldest is overwritten in place. */
typedef struct portable_history {
  spc__fr_factor memory[6];
  spc__fr_factor *v[3], *u[3];
} portable_history;

static void portable_push(spc__fr_factor *history[3], const spc__fr *newest) {
  spc__fr_factor *oldest = history[2];
  history[2] = history[1];
  history[1] = history[0];
  history[0] = oldest;
  spc__fr_prepare(oldest, newest);
}

/* t += v by[i] + u by[3 + i], for constants that the compiler sees. */
SPC__FR_INLINE void portable_term(spc__fr_wide *t, const spc__fr_factor *v, const spc__fr_factor *u,
                                  int i) {
  spc__fr_factor by_v, by_u;
  spc__fr_prepare(&by_v, &spc__p2_taps[i]);
  spc__fr_prepare(&by_u, &spc__p2_taps[3 + i]);
  spc__fr_wide_mul_add2(t, v, &by_v, u, &by_u);
}

static SPC__FR_NOINLINE void portable_term0(spc__fr_wide *t, const spc__fr_factor *v,
                                            const spc__fr_factor *u) {
  *t = (spc__fr_wide){{0}};
  portable_term(t, v, u, 0);
}

static SPC__FR_NOINLINE void portable_term1(spc__fr_wide *t, const spc__fr_factor *v,
                                            const spc__fr_factor *u) {
  portable_term(t, v, u, 1);
}

static SPC__FR_NOINLINE void portable_term2(spc__fr *out, spc__fr_wide *t, const spc__fr_factor *v,
                                            const spc__fr_factor *u) {
  portable_term(t, v, u, 2);
  spc__fr_reduce(out, t);
}

/* The dot product of `count` factors, which is even, with constants. */
static SPC__FR_NOINLINE void portable_dot(spc__fr *out, const spc__fr_factor *const *factors,
                                          const spc__fr *by, int count) {
  spc__fr_wide t = {{0}};
  for (int i = 0; i < count; i += 2) {
    spc__fr_factor first, second;
    spc__fr_prepare(&first, &by[i]);
    spc__fr_prepare(&second, &by[i + 1]);
    spc__fr_wide_mul_add2(&t, factors[i], &first, factors[i + 1], &second);
  }
  spc__fr_reduce(out, &t);
}

static void portable_full_rounds(spc__fr x[4], const spc__fr (*constants)[4]) {
  for (int r = 0; r < 4; r++) {
    for (int i = 0; i < 4; i++) {
      spc__fr power;
      spc__fr_sqr(&power, &x[i]);
      spc__fr_sqr(&power, &power);
      spc__fr_mul(&x[i], &power, &x[i]);
    }
    spc__fr_external(x, constants[r]);
  }
}

static void portable_partial_rounds(spc__fr x[4]) {
  portable_history h;
  spc__fr s, u, v;
  for (int i = 0; i < 3; i++) {
    h.v[i] = &h.memory[i];
    h.u[i] = &h.memory[3 + i];
  }
  for (int i = 1; i < 4; i++)
    spc__fr_prepare(h.u[i - 1], &x[i]);
  const spc__fr_factor *entry[4] = {h.u[0], h.u[1], h.u[2], h.u[2]};
  for (int i = 2; i >= 0; i--) {
    portable_dot(&v, entry, spc__p2_entry[i], 4);
    portable_push(h.v, &v);
  }
  for (int i = 0; i < 3; i++)
    *h.u[i] = (spc__fr_factor){{0}};

  spc__fr_mul(&s, &x[0], &spc__p2_k);
  spc__fr_sqr(&u, &s);
  spc__fr_sqr(&u, &u);
  spc__fr_mul(&u, &u, &s);
  for (int r = 1; r < PORTABLE_PARTIAL; r++) {
    spc__fr_wide t;
    spc__fr_next(&s, &u, &v, &spc__p2_partial[r]);
    portable_push(h.u, &u);
    spc__fr_sqr(&u, &s);
    portable_term0(&t, h.v[0], h.u[0]);
    spc__fr_sqr(&u, &u);
    portable_term1(&t, h.v[1], h.u[1]);
    spc__fr_mul(&u, &u, &s);
    portable_term2(&v, &t, h.v[2], h.u[2]);
    portable_push(h.v, &v);
  }
  spc__fr_next(&s, &u, &v, &spc__p2_partial[PORTABLE_PARTIAL]);
  portable_push(h.u, &u);

  spc__fr_mul(&x[0], &s, &spc__p2_per_k);
  const spc__fr_factor *exit[6] = {h.v[0], h.v[1], h.v[2], h.u[0], h.u[1], h.u[2]};
  for (int i = 0; i < 3; i++)
    portable_dot(&x[1 + i], exit, spc__p2_exit[i], 6);
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

#undef PORTABLE_PARTIAL
