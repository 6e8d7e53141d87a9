/* Four states at a time by AVX-512 IFMA: poseidon2_ifma.h on vectors of 256 bits. */
#include "sponge/poseidon2_kernel.h"

#if SPC__POSEIDON2_X86
#include <immintrin.h>

#define IFMA_TARGET              "avx512f,avx512vl,avx512ifma"
#define IFMA_LANES               4
#define IFMA_V                   __m256i
#define IFMA(name)               ifma_x4_##name
#define IFMA_ZERO                _mm256_setzero_si256()
#define IFMA_SPLAT(x)            _mm256_set1_epi64x((long long)(x))
#define IFMA_LOAD(p)             _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define IFMA_STORE(p, a)         _mm256_storeu_si256((__m256i *)(void *)(p), a)
#define IFMA_LOW(c, a, b)        _mm256_madd52lo_epu64(c, a, b)
#define IFMA_HIGH(c, a, b)       _mm256_madd52hi_epu64(c, a, b)
#define IFMA_ADD(a, b)           _mm256_add_epi64(a, b)
#define IFMA_AND(a, b)           _mm256_and_si256(a, b)
#define IFMA_SHIFT(a, bits)      _mm256_srli_epi64(a, (int)(bits))
#define IFMA_SHIFT_LEFT(a, bits) _mm256_slli_epi64(a, (int)(bits))

#include "sponge/poseidon2_ifma.h"

const spc__poseidon2_kernel spc__poseidon2_ifma_x4 = {.name = "ifma_x4",
                                                      .features = SPC__CPU_AVX512_IFMA,
                                                      .lanes = 4,
                                                      .permute = ifma_x4_permute,
                                                      .hash = ifma_x4_hash};

#undef IFMA_TARGET
#undef IFMA_LANES
#undef IFMA_V
#undef IFMA
#undef IFMA_ZERO
#undef IFMA_SPLAT
#undef IFMA_LOAD
#undef IFMA_STORE
#undef IFMA_LOW
#undef IFMA_HIGH
#undef IFMA_ADD
#undef IFMA_AND
#undef IFMA_SHIFT
#undef IFMA_SHIFT_LEFT

#endif
