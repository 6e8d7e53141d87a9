/*
 * What the kernels of Wasm with relaxed SIMD share: the field of field/fr51.h on its lanes, and the
 * steps of poseidon2_steps51.h, compiled once.
 */
#ifndef SPC_SPONGE_POSEIDON2_RELAXED_H
#define SPC_SPONGE_POSEIDON2_RELAXED_H

#include "field/lanes_relaxed.h"

#include "sponge/poseidon2_sums51.h"

/*
 * For what runs a few times a permutation. Engines compile a function when it is first called, and
 * the first permutation should not wait for that.
 */
#define SPC__P2_SMALL static __attribute__((noinline, minsize))

#define SPC__P2_STEP(name) spc__p2_relaxed_##name

/* t = x^5 before its reduction */
void spc__p2_relaxed_pow5(spc__f51_wide *t, const spc__f51 *x);

/* t += x by, for a constant a lane that `by` points to, or lane 0 of such */
void spc__p2_relaxed_mul_add_pair(spc__f51_wide *t, const spc__f51 *x, const double *by);
void spc__p2_relaxed_mul_add(spc__f51_wide *t, const spc__f51 *x, const double *by);

/* t = a by_a + b by_b */
void spc__p2_relaxed_scale2(spc__f51_wide *t, const spc__f51 *a, const double by_a[5],
                            const spc__f51 *b, const double by_b[5]);

/* Writes each lane as bytes, `stride` apart. */
void spc__p2_relaxed_save(uint8_t *out, size_t stride, const spc__f51 *x);

/* spc__f51_reduce out of line */
void spc__p2_relaxed_reduce(spc__f51 *out, const spc__f51_wide *t, const uint64_t offsets[11]);

#endif
