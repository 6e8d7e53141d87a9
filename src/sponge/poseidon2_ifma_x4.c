/* Four states at a time by AVX-512 IFMA: poseidon2_ifma.h on vectors of 256 bits. */
#include "sponge/poseidon2_kernel.h"

#if SPC__FIELD_X86

#undef SPC__F52_LANES
#define SPC__F52_LANES 4
#define IFMA(name)     ifma_x4_##name

#include "sponge/poseidon2_ifma.h"

const spc__poseidon2_kernel spc__poseidon2_ifma_x4 = {.name = "ifma_x4",
                                                      .features = SPC__CPU_AVX512_IFMA,
                                                      .lanes = 4,
                                                      .permute = ifma_x4_permute,
                                                      .hash = ifma_x4_hash};

#undef IFMA

#endif
