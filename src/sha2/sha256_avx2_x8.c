/*
 * SHA-256 of eight 64-byte messages at once with AVX2, for processors without SHA extensions.
 */
#include "sha2/sha256_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES               8
#define LANES_PAIRS         spc__sha256_pairs_avx2_x8
#define LANES_TARGET        __attribute__((target("avx2")))
#define LANES_GATHER(p)     avx2_gather(p)
#define LANES_SCATTER(p, x) avx2_scatter(p, x)
#define LANES_SWAP(x)       _mm256_shuffle_epi8(x, avx2_swap())
#define LANES_LOW32         _mm256_unpacklo_epi32
#define LANES_HIGH32        _mm256_unpackhi_epi32
#define LANES_LOW64         _mm256_unpacklo_epi64
#define LANES_HIGH64        _mm256_unpackhi_epi64

#define ROUNDS_NAME(name)    avx2_##name
#define ROUNDS_FN            static inline __attribute__((always_inline)) LANES_TARGET
#define ROUNDS_WORD          __m256i
#define ROUNDS_ADD           _mm256_add_epi32
#define ROUNDS_XOR           _mm256_xor_si256
#define ROUNDS_XOR3(a, b, c) ROUNDS_XOR(ROUNDS_XOR(a, b), c)

#define ROUNDS_ROTATE(x, n) _mm256_or_si256(_mm256_srli_epi32(x, n), _mm256_slli_epi32(x, 32 - (n)))

#define ROUNDS_SHIFT                _mm256_srli_epi32
#define ROUNDS_SPLAT(x)             _mm256_set1_epi32((int)(x))
#define ROUNDS_CH(e, f, g)          ROUNDS_XOR(g, _mm256_and_si256(e, ROUNDS_XOR(f, g)))
#define ROUNDS_MAJ(a, b, c, ab, bc) ROUNDS_XOR(b, _mm256_and_si256(ab, bc))

ROUNDS_FN __m256i avx2_gather(const uint8_t *p) {
  const __m128i *part = (const __m128i *)p;
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(part)),
                                 _mm_loadu_si128(part + 16), 1);
}

ROUNDS_FN void avx2_scatter(uint8_t *p, __m256i x) {
  __m128i *part = (__m128i *)p;
  _mm_storeu_si128(part, _mm256_castsi256_si128(x));
  _mm_storeu_si128(part + 8, _mm256_extracti128_si256(x, 1));
}

ROUNDS_FN __m256i avx2_swap(void) {
  return _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
}

#include "sha2/sha256_lanes.h"
#include "sha2/rounds_end.h"
#endif
