/* Eight states at a time by AVX-512 IFMA: poseidon2_ifma.h on vectors of 512 bits. */
#include "sponge/poseidon2_kernel.h"

#if SPC__POSEIDON2_X86
#include <immintrin.h>

#define IFMA_TARGET              "avx512f,avx512vl,avx512ifma"
#define IFMA_LANES               8
#define IFMA_V                   __m512i
#define IFMA(name)               ifma_x8_##name
#define IFMA_ZERO                _mm512_setzero_si512()
#define IFMA_SPLAT(x)            _mm512_set1_epi64((long long)(x))
#define IFMA_LOAD(p)             _mm512_loadu_si512(p)
#define IFMA_STORE(p, a)         _mm512_storeu_si512(p, a)
#define IFMA_LOW(c, a, b)        _mm512_madd52lo_epu64(c, a, b)
#define IFMA_HIGH(c, a, b)       _mm512_madd52hi_epu64(c, a, b)
#define IFMA_ADD(a, b)           _mm512_add_epi64(a, b)
#define IFMA_AND(a, b)           _mm512_and_si512(a, b)
#define IFMA_SHIFT(a, bits)      _mm512_srli_epi64(a, (unsigned)(bits))
#define IFMA_SHIFT_LEFT(a, bits) _mm512_slli_epi64(a, (unsigned)(bits))

#include "sponge/poseidon2_ifma.h"

const spc__poseidon2_kernel spc__poseidon2_ifma_x8 = {.name = "ifma_x8",
                                                      .features = SPC__CPU_AVX512_IFMA,
                                                      .lanes = 8,
                                                      .permute = ifma_x8_permute,
                                                      .hash = ifma_x8_hash};

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
