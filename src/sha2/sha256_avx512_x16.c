/*
 * SHA-256 of sixteen 64-byte messages at once with AVX-512, which rotates in one instruction and
 * computes any function of three bits in one: choice is 0xca, majority 0xe8, exclusive or 0x96.
 */
#include "sha2/sha256_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES               16
#define LANES_PAIRS         spc__sha256_pairs_avx512_x16
#define LANES_TARGET        __attribute__((target("avx512f,avx512bw")))
#define LANES_GATHER(p)     avx512_gather(p)
#define LANES_SCATTER(p, x) avx512_scatter(p, x)
#define LANES_SWAP(x)       _mm512_shuffle_epi8(x, avx512_swap())
#define LANES_LOW32         _mm512_unpacklo_epi32
#define LANES_HIGH32        _mm512_unpackhi_epi32
#define LANES_LOW64         _mm512_unpacklo_epi64
#define LANES_HIGH64        _mm512_unpackhi_epi64

#define ROUNDS_NAME(name)           avx512_##name
#define ROUNDS_FN                   static inline __attribute__((always_inline)) LANES_TARGET
#define ROUNDS_WORD                 __m512i
#define ROUNDS_ADD                  _mm512_add_epi32
#define ROUNDS_XOR                  _mm512_xor_si512
#define ROUNDS_XOR3(a, b, c)        _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define ROUNDS_ROTATE               _mm512_ror_epi32
#define ROUNDS_SHIFT                _mm512_srli_epi32
#define ROUNDS_SPLAT(x)             _mm512_set1_epi32((int)(x))
#define ROUNDS_CH(e, f, g)          _mm512_ternarylogic_epi32(e, f, g, 0xca)
#define ROUNDS_MAJ(a, b, c, ab, bc) _mm512_ternarylogic_epi32(a, b, c, 0xe8)

ROUNDS_FN __m512i avx512_gather(const uint8_t *p) {
  const __m128i *part = (const __m128i *)p;
  __m512i x = _mm512_castsi128_si512(_mm_loadu_si128(part));
  x = _mm512_inserti32x4(x, _mm_loadu_si128(part + 16), 1);
  x = _mm512_inserti32x4(x, _mm_loadu_si128(part + 32), 2);
  return _mm512_inserti32x4(x, _mm_loadu_si128(part + 48), 3);
}

ROUNDS_FN void avx512_scatter(uint8_t *p, __m512i x) {
  __m128i *part = (__m128i *)p;
  _mm_storeu_si128(part, _mm512_castsi512_si128(x));
  _mm_storeu_si128(part + 8, _mm512_extracti32x4_epi32(x, 1));
  _mm_storeu_si128(part + 16, _mm512_extracti32x4_epi32(x, 2));
  _mm_storeu_si128(part + 24, _mm512_extracti32x4_epi32(x, 3));
}

ROUNDS_FN __m512i avx512_swap(void) {
  return _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
}

#include "sha2/sha256_lanes.h"
#include "sha2/rounds_end.h"
#endif
