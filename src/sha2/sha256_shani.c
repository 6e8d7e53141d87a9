/*
 * SHA-256 with the SHA extensions of x86-64. sha256rnds2 does two rounds; the state is the vectors
 * ABEF and CDGH, highest word first, and each instruction makes the next ABEF out of both, while
 * the old one is the next CDGH.
 */
#include "sha2/sha256_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define EXT_NAME(name)        shani_##name
#define EXT_BLOCKS            spc__sha256_blocks_shani
#define EXT_PAIRS             spc__sha256_pairs_shani
#define EXT_TARGET            __attribute__((target("sha,sse4.1,ssse3")))
#define EXT_LANES             2
#define EXT_VECTOR            __m128i
#define EXT_LOAD(p)           _mm_loadu_si128((const __m128i *)(p))
#define EXT_STORE(p, x)       _mm_storeu_si128((__m128i *)(p), x)
#define EXT_LOAD_BYTES(p)     SHANI_SWAP(EXT_LOAD(p))
#define EXT_STORE_BYTES(p, x) EXT_STORE(p, SHANI_SWAP(x))
#define EXT_ADD               _mm_add_epi32

#define SHANI_SWAP(x) _mm_shuffle_epi8(x, _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203))

#define EXT_ENTER(s, abcd, efgh)                                                                   \
  do {                                                                                             \
    __m128i cdab = _mm_shuffle_epi32(abcd, 0xb1), efgh_ = _mm_shuffle_epi32(efgh, 0x1b);           \
    (s).x = _mm_alignr_epi8(cdab, efgh_, 8);                                                       \
    (s).y = _mm_blend_epi16(efgh_, cdab, 0xf0);                                                    \
  } while (0)
#define EXT_LEAVE(s, abcd, efgh)                                                                   \
  do {                                                                                             \
    __m128i feba = _mm_shuffle_epi32((s).x, 0x1b), dchg = _mm_shuffle_epi32((s).y, 0xb1);          \
    abcd = _mm_blend_epi16(feba, dchg, 0xf0);                                                      \
    efgh = _mm_alignr_epi8(dchg, feba, 8);                                                         \
  } while (0)
#define EXT_ROUNDS(s, kw)                                                                          \
  do {                                                                                             \
    __m128i kw_ = kw;                                                                              \
    (s).y = _mm_sha256rnds2_epu32((s).y, (s).x, kw_);                                              \
    (s).x = _mm_sha256rnds2_epu32((s).x, (s).y, _mm_shuffle_epi32(kw_, 0x0e));                     \
  } while (0)
#define EXT_SCHEDULE(w, x, y, z)                                                                   \
  _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w, x), _mm_alignr_epi8(z, y, 4)), z)
#include "sha2/sha256_extension.h"
#undef SHANI_SWAP
#endif
