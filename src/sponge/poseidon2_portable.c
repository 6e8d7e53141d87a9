/*
 * The Poseidon2 permutation in C, on the field of field/fr.h.
 *
 * The 56 partial rounds are a scalar recurrence (derived in scripts/generate-poseidon2.mjs). Only
 * lane 0 meets the S-box, and what the other three lanes add to it is a linear recurrence of order
 * three. Scaled and rearranged, a round is s' = s (2 s^4 + tap) + w: three products, one after the
 * other. The w of the next round is a dot product of the last three w and s with six constants, and
 * a constant.
 *
 * That w is not needed before the next round. So its dot product is computed in three parts that
 * are put between the three products of the S-box: a reduction is a chain of dependent steps, and a
 * processor that finds independent products within its reach fills it up.
 */
#include "field/fr.h"
#include "sponge/poseidon2_constants.h"
#include "sponge/poseidon2_kernel.h"

#define PORTABLE_PARTIAL 56

/* The last three w and s, newest first, by pointers so that the oldest is overwritten in place. */
typedef struct portable_history {
  spc__fr_factor memory[6];
  spc__fr_factor *w[3], *s[3];
} portable_history;

static void portable_push(spc__fr_factor *history[3], const spc__fr *newest) {
  spc__fr_factor *oldest = history[2];
  history[2] = history[1];
  history[1] = history[0];
  history[0] = oldest;
  spc__fr_prepare(oldest, newest);
}

/* t += w taps[i] + s taps[3 + i], with constants that the compiler sees. */
SPC__FR_INLINE void portable_term(spc__fr_wide *t, const spc__fr_factor *w, const spc__fr_factor *s,
                                  int i) {
  spc__fr_factor by_w, by_s;
  spc__fr_prepare(&by_w, &spc__p2_taps[i]);
  spc__fr_prepare(&by_s, &spc__p2_taps[3 + i]);
  spc__fr_wide_mul_add2(t, w, &by_w, s, &by_s);
}

static SPC__FR_NOINLINE void portable_term0(spc__fr_wide *t, const spc__fr_factor *w,
                                            const spc__fr_factor *s) {
  *t = (spc__fr_wide){{0}};
  portable_term(t, w, s, 0);
}

static SPC__FR_NOINLINE void portable_term1(spc__fr_wide *t, const spc__fr_factor *w,
                                            const spc__fr_factor *s) {
  portable_term(t, w, s, 1);
}

static SPC__FR_NOINLINE void portable_term2(spc__fr *out, spc__fr_wide *t, const spc__fr_factor *w,
                                            const spc__fr_factor *s, const spc__fr *added) {
  portable_term(t, w, s, 2);
  spc__fr_reduce_add(out, t, added);
}

/* The dot product of `count` factors, which is even, with constants, and a constant. */
static SPC__FR_NOINLINE void portable_dot(spc__fr *out, const spc__fr_factor *const *factors,
                                          const spc__fr *by, int count, const spc__fr *added) {
  spc__fr_wide t = {{0}};
  for (int i = 0; i < count; i += 2) {
    spc__fr_factor first, second;
    spc__fr_prepare(&first, &by[i]);
    spc__fr_prepare(&second, &by[i + 1]);
    spc__fr_wide_mul_add2(&t, factors[i], &first, factors[i + 1], &second);
  }
  spc__fr_reduce_add(out, &t, added);
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
  spc__fr s, w[2]; /* the w of this round and of the next one, in turn */
  spc__fr_factor lanes[4];
  const spc__fr_factor *entry[4];
  for (int i = 0; i < 4; i++) {
    spc__fr_prepare(&lanes[i], &x[i]);
    entry[i] = &lanes[i];
  }
  for (int i = 0; i < 3; i++) {
    h.w[i] = &h.memory[i];
    h.s[i] = &h.memory[3 + i];
    *h.s[i] = (spc__fr_factor){{0}};
  }
  const spc__fr *zero = &spc__p2_rounds[9][0];
  for (int i = 2; i >= 0; i--) {
    portable_dot(&w[0], entry, spc__p2_entry[i], 4, i == 0 ? &spc__p2_added[0] : zero);
    portable_push(h.w, &w[0]);
  }
  spc__fr_mul(&s, &x[0], &spc__p2_k);
  portable_push(h.s, &s);

  for (int r = 1; r <= PORTABLE_PARTIAL; r++) {
    spc__fr_wide t;
    spc__fr power, twice, *next = &w[r % 2];
    spc__fr_double(&twice, &s);
    spc__fr_sqr(&power, &s);
    portable_term0(&t, h.w[0], h.s[0]);
    spc__fr_sqr_add(&power, &power, &spc__p2_half_tap);
    portable_term1(&t, h.w[1], h.s[1]);
    portable_term2(next, &t, h.w[2], h.s[2], &spc__p2_added[r]);
    spc__fr_mul_add(&s, &power, &twice, &w[(r - 1) % 2]);
    portable_push(h.w, next);
    portable_push(h.s, &s);
  }

  spc__fr_mul(&x[0], &s, &spc__p2_per_k);
  const spc__fr_factor *exit[6] = {h.w[0], h.w[1], h.w[2], h.s[0], h.s[1], h.s[2]};
  for (int i = 0; i < 3; i++)
    portable_dot(&x[1 + i], exit, spc__p2_exit[i], 6, &spc__p2_rounds[5][1 + i]);
  spc__fr_add(&x[0], &x[0], &spc__p2_rounds[5][0]);
}

static void portable_permute(spc__fr x[4]) {
  spc__fr_external(x, spc__p2_rounds[0]);
  portable_full_rounds(x, &spc__p2_rounds[1]);
  portable_partial_rounds(x);
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
