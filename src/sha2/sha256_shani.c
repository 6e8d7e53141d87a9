/*
 * SHA-256 with the SHA extensions of x86-64. sha256rnds2 does two rounds in four cycles but starts
 * every two, so one message keeps the unit half busy; pairs go through it several at a time.
 *
 * The instructions keep the state as two vectors, ABEF and CDGH, highest word first, and take the
 * message four words at a time, schedule words plus constants.
 */
#include "sha2/sha256_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define SHANI_TARGET __attribute__((target("sha,sse4.1,ssse3")))
#define SHANI_INLINE static inline __attribute__((always_inline)) SHANI_TARGET
#define SHANI_LANES  2

typedef struct shani_state {
  __m128i abef, cdgh;
} shani_state;

SHANI_INLINE __m128i shani_load(const void *p) {
  return _mm_loadu_si128((const __m128i *)p);
}

/* The bytes of each word in reverse. */
SHANI_INLINE __m128i shani_swap(__m128i x) {
  return _mm_shuffle_epi8(x, _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
}

/* ABEF and CDGH from the words A to H, and back: the same exchange. */
SHANI_INLINE shani_state shani_enter(__m128i dcba, __m128i hgfe) {
  __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
  return (shani_state){_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
}

SHANI_INLINE void shani_leave(shani_state s, __m128i *dcba, __m128i *hgfe) {
  __m128i feba = _mm_shuffle_epi32(s.abef, 0x1b), dchg = _mm_shuffle_epi32(s.cdgh, 0xb1);
  *dcba = _mm_blend_epi16(feba, dchg, 0xf0);
  *hgfe = _mm_alignr_epi8(dchg, feba, 8);
}

SHANI_INLINE shani_state shani_iv(void) {
  return shani_enter(shani_load(spc__sha256_iv), shani_load(spc__sha256_iv + 4));
}

/* Four rounds. */
SHANI_INLINE void shani_rounds(shani_state *s, __m128i kw) {
  s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, kw);
  s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(kw, 0x0e));
}

SHANI_INLINE void shani_add(shani_state *s, shani_state t) {
  s->abef = _mm_add_epi32(s->abef, t.abef);
  s->cdgh = _mm_add_epi32(s->cdgh, t.cdgh);
}

/* Compresses one block at `in + 64 i` into each of `lanes` states. */
SHANI_INLINE void shani_compress(shani_state *s, const uint8_t *in, int lanes) {
  __m128i w[SHANI_LANES][4];
  shani_state before[SHANI_LANES];
  for (int i = 0; i < lanes; i++) {
    before[i] = s[i];
    for (int j = 0; j < 4; j++)
      w[i][j] = shani_swap(shani_load(in + 64 * i + 16 * j));
  }
#pragma GCC unroll 16
  for (int r = 0; r < 16; r++) {
    __m128i k = shani_load(spc__sha256_k + 4 * r);
    for (int i = 0; i < lanes; i++) {
      __m128i w0 = w[i][r % 4], w1 = w[i][(r + 1) % 4], w2 = w[i][(r + 2) % 4];
      __m128i w3 = w[i][(r + 3) % 4];
      shani_rounds(&s[i], _mm_add_epi32(w0, k));
      if (r >= 12) continue;
      w0 = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
      w[i][r % 4] = _mm_sha256msg2_epu32(w0, w3);
    }
  }
  for (int i = 0; i < lanes; i++)
    shani_add(&s[i], before[i]);
}

SHANI_INLINE void shani_pairs(uint8_t *out, const uint8_t *in, int lanes) {
  shani_state s[SHANI_LANES], before[SHANI_LANES];
  for (int i = 0; i < lanes; i++)
    s[i] = shani_iv();
  shani_compress(s, in, lanes);
  for (int i = 0; i < lanes; i++)
    before[i] = s[i];
#pragma GCC unroll 16
  for (int r = 0; r < 16; r++) {
    __m128i kw = shani_load(spc__sha256_k_padding + 4 * r);
    for (int i = 0; i < lanes; i++)
      shani_rounds(&s[i], kw);
  }
  for (int i = 0; i < lanes; i++) {
    __m128i dcba, hgfe;
    shani_add(&s[i], before[i]);
    shani_leave(s[i], &dcba, &hgfe);
    _mm_storeu_si128((__m128i *)(out + 32 * i), shani_swap(dcba));
    _mm_storeu_si128((__m128i *)(out + 32 * i + 16), shani_swap(hgfe));
  }
}

SHANI_TARGET void spc__sha256_blocks_shani(uint32_t state[8], const uint8_t *in, size_t blocks) {
  shani_state s = shani_enter(shani_load(state), shani_load(state + 4));
  for (; blocks != 0; blocks--, in += 64)
    shani_compress(&s, in, 1);
  __m128i dcba, hgfe;
  shani_leave(s, &dcba, &hgfe);
  _mm_storeu_si128((__m128i *)state, dcba);
  _mm_storeu_si128((__m128i *)(state + 4), hgfe);
}

SHANI_TARGET void spc__sha256_pairs_shani(uint8_t *out, const uint8_t *in, size_t count) {
  for (; count >= SHANI_LANES;
       count -= SHANI_LANES, in += 64 * SHANI_LANES, out += 32 * SHANI_LANES)
    shani_pairs(out, in, SHANI_LANES);
  for (; count != 0; count--, in += 64, out += 32)
    shani_pairs(out, in, 1);
}

#undef SHANI_TARGET
#undef SHANI_INLINE
#undef SHANI_LANES
#endif
