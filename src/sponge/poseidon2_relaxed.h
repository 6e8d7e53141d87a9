/* What the kernels of Wasm with relaxed SIMD share: the field of field/fr51.h on its lanes. */
#ifndef SPC_SPONGE_POSEIDON2_RELAXED_H
#define SPC_SPONGE_POSEIDON2_RELAXED_H

#include "field/lanes_relaxed.h"

#include "field/fr51.h"
#include "sponge/poseidon2_constants51.h"

/* t = x^5 before its reduction */
void spc__p2_relaxed_pow5(spc__f51_wide *t, const spc__f51 *x);

#endif
