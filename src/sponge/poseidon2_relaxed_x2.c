/* Two states at a time in Wasm with relaxed SIMD: poseidon2_lanes51.h. */
#include <string.h>

#include "sponge/poseidon2_kernel.h"

#ifdef __wasm_relaxed_simd__
#include "sponge/poseidon2_relaxed.h"

#define LANES51(name)    relaxed_x2_##name
#define LANES51_SMALL    SPC__P2_SMALL
#define LANES51_NOINLINE static __attribute__((noinline))
#include "sponge/poseidon2_lanes51.h"

const spc__poseidon2_kernel spc__poseidon2_relaxed_x2 = {.name = "relaxed_x2",
                                                         .features = SPC__LANES_FEATURES,
                                                         .lanes = 2,
                                                         .permute = relaxed_x2_permute,
                                                         .hash = relaxed_x2_hash};

#endif
