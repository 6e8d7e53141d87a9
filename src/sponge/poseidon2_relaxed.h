/*
 * What the kernels of Wasm with relaxed SIMD share: the field of field/fr51.h on its lanes, and
 * which sums a permutation reduces.
 */
#ifndef SPC_SPONGE_POSEIDON2_RELAXED_H
#define SPC_SPONGE_POSEIDON2_RELAXED_H

#include "base/cpu.h"
#include "field/lanes_relaxed.h"

#include "field/fr51.h"
#include "sponge/poseidon2_constants51.h"

#define SPC__P2_PARTIAL 56

/*
 * For what runs a few times a permutation. Engines compile a function when it is first called, and
 * the first permutation should not wait for that.
 */
#define SPC__P2_SMALL static __attribute__((noinline, minsize))

/* The low halves in column k of each sum. */
#define SPC__P2_ABSORBED_EVEN(k) (32 * SPC__F51_PRODUCT(k))
#define SPC__P2_ABSORBED_ODD(k)  (24 * SPC__F51_PRODUCT(k))
#define SPC__P2_EXTERNAL_EVEN(k) (16 * SPC__F51_PRODUCT(k))
#define SPC__P2_EXTERNAL_ODD(k)  (12 * SPC__F51_PRODUCT(k))
#define SPC__P2_ENTRY(k)         (4 * SPC__F51_KARATSUBA(k))
#define SPC__P2_EXIT(k)          (6 * SPC__F51_KARATSUBA(k))
#define SPC__P2_Z(k)             (SPC__F51_PRODUCT(k) + 6 * SPC__F51_KARATSUBA(k))
#define SPC__P2_S(k)             (2 * SPC__F51_PRODUCT(k) + 6 * SPC__F51_KARATSUBA(k))

/* What their reductions add: of lanes 0 and 2 of a state, then of lanes 1 and 3. */
static const uint64_t spc__p2_absorbed[2][11] = {SPC__F51_OFFSETS(SPC__P2_ABSORBED_EVEN),
                                                 SPC__F51_OFFSETS(SPC__P2_ABSORBED_ODD)};
static const uint64_t spc__p2_external[2][11] = {SPC__F51_OFFSETS(SPC__P2_EXTERNAL_EVEN),
                                                 SPC__F51_OFFSETS(SPC__P2_EXTERNAL_ODD)};
static const uint64_t spc__p2_product[11] = SPC__F51_OFFSETS(SPC__F51_PRODUCT);
static const uint64_t spc__p2_entry[11] = SPC__F51_OFFSETS(SPC__P2_ENTRY);
static const uint64_t spc__p2_exit[11] = SPC__F51_OFFSETS(SPC__P2_EXIT);

/* t = x^5 before its reduction */
void spc__p2_relaxed_pow5(spc__f51_wide *t, const spc__f51 *x);

/* t += x by, for a constant a lane that `by` points to, or lane 0 of such */
void spc__p2_relaxed_mul_add_pair(spc__f51_wide *t, const spc__f51 *x, const double *by);
void spc__p2_relaxed_mul_add(spc__f51_wide *t, const spc__f51 *x, const double *by);

/* t = a by_a + b by_b */
void spc__p2_relaxed_scale2(spc__f51_wide *t, const spc__f51 *a, const double by_a[5],
                            const spc__f51 *b, const double by_b[5]);

/* spc__f51_reduce out of line */
void spc__p2_relaxed_reduce(spc__f51 *out, const spc__f51_wide *t, const uint64_t offsets[11]);

#endif
