/* Eight states at a time by AVX-512 IFMA: poseidon2_ifma.h on vectors of 512 bits. */
#include "sponge/poseidon2_kernel.h"

#if SPC__FIELD_X86

#undef SPC__F52_LANES
#define SPC__F52_LANES 8
#define IFMA(name)     ifma_x8_##name

#include "sponge/poseidon2_ifma.h"

const spc__poseidon2_kernel spc__poseidon2_ifma_x8 = {.name = "ifma_x8",
                                                      .features = SPC__CPU_AVX512_IFMA,
                                                      .lanes = 8,
                                                      .permute = ifma_x8_permute,
                                                      .hash = ifma_x8_hash};

#undef IFMA

#endif
