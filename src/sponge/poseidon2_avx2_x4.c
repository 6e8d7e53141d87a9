/* Four states at a time by AVX2 and FMA3: poseidon2_lanes51.h. */
#include <string.h>

#include "sponge/poseidon2_kernel.h"

#if SPC__FIELD_X86
#include "field/lanes_avx2.h"

#define LANES51_NOINLINE     static __attribute__((noinline)) SPC__LANES_TARGET
#define LANES51_SMALL        LANES51_NOINLINE
#define LANES51(name)        avx2_x4_##name
#define SPC__P2_STEP(name)   avx2_x4_##name
#define SPC__P2_STEP_LINKAGE LANES51_NOINLINE
#include "sponge/poseidon2_steps51.h"
#include "sponge/poseidon2_lanes51.h"

const spc__poseidon2_kernel spc__poseidon2_avx2_x4 = {.name = "avx2_x4",
                                                      .features = SPC__LANES_FEATURES,
                                                      .lanes = 4,
                                                      .permute = avx2_x4_permute,
                                                      .hash = avx2_x4_hash};

#undef LANES51_NOINLINE
#undef LANES51_SMALL
#undef LANES51

#endif
