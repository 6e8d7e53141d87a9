/*
 * Which sums the kernels on field/fr51.h reduce in a permutation. Include a lanes_*.h first.
 */
#ifndef SPC_SPONGE_POSEIDON2_SUMS51_H
#define SPC_SPONGE_POSEIDON2_SUMS51_H

#include "field/fr51.h"
#include "sponge/poseidon2_constants51.h"

#define SPC__P2_PARTIAL 56

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
static const uint64_t spc__p2_absorbed_offsets[2][11] = {SPC__F51_OFFSETS(SPC__P2_ABSORBED_EVEN),
                                                         SPC__F51_OFFSETS(SPC__P2_ABSORBED_ODD)};
static const uint64_t spc__p2_external_offsets[2][11] = {SPC__F51_OFFSETS(SPC__P2_EXTERNAL_EVEN),
                                                         SPC__F51_OFFSETS(SPC__P2_EXTERNAL_ODD)};
static const uint64_t spc__p2_product_offsets[11] = SPC__F51_OFFSETS(SPC__F51_PRODUCT);
static const uint64_t spc__p2_entry_offsets[11] = SPC__F51_OFFSETS(SPC__P2_ENTRY);
static const uint64_t spc__p2_exit_offsets[11] = SPC__F51_OFFSETS(SPC__P2_EXIT);

#endif
