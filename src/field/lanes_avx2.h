/*
 * Vectors of four 64-bit lanes, integers or doubles, by AVX2 and FMA3: what field/fr51.h is written
 * in on x86-64.
 */
#ifndef SPC_FIELD_LANES_AVX2_H
#define SPC_FIELD_LANES_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "field/fr.h"

#define SPC__LANES          4
#define SPC__LANES_FEATURES SPC__CPU_AVX2_FMA
#define SPC__LANES_TARGET   __attribute__((target("avx2,fma")))
#define SPC__LANES_INLINE   SPC__FR_INLINE SPC__LANES_TARGET

typedef __m256i spc__v;

/* One 64-bit value for all lanes, and one for each. */
SPC__LANES_INLINE spc__v spc__v_splat(const void *from) {
  return _mm256_castpd_si256(_mm256_broadcast_sd((const double *)from));
}
SPC__LANES_INLINE spc__v spc__v_load(const void *from) {
  return _mm256_loadu_si256((const __m256i *)from);
}
SPC__LANES_INLINE void spc__v_store(void *to, spc__v a) {
  _mm256_storeu_si256((__m256i *)to, a);
}
SPC__LANES_INLINE spc__v spc__v_zero(void) {
  return _mm256_setzero_si256();
}

/* Integers modulo 2^64. */
SPC__LANES_INLINE spc__v spc__v_add(spc__v a, spc__v b) {
  return _mm256_add_epi64(a, b);
}
SPC__LANES_INLINE spc__v spc__v_sub(spc__v a, spc__v b) {
  return _mm256_sub_epi64(a, b);
}
SPC__LANES_INLINE spc__v spc__v_and(spc__v a, spc__v b) {
  return _mm256_and_si256(a, b);
}
SPC__LANES_INLINE spc__v spc__v_or(spc__v a, spc__v b) {
  return _mm256_or_si256(a, b);
}
SPC__LANES_INLINE spc__v spc__v_shl(spc__v a, uint32_t bits) {
  return _mm256_slli_epi64(a, (int)bits);
}
SPC__LANES_INLINE spc__v spc__v_shr(spc__v a, uint32_t bits) {
  return _mm256_srli_epi64(a, (int)bits);
}

/* Doubles. */
SPC__LANES_INLINE __m256d spc__v_f(spc__v a) {
  return _mm256_castsi256_pd(a);
}
SPC__LANES_INLINE spc__v spc__v_add_f(spc__v a, spc__v b) {
  return _mm256_castpd_si256(_mm256_add_pd(spc__v_f(a), spc__v_f(b)));
}
SPC__LANES_INLINE spc__v spc__v_sub_f(spc__v a, spc__v b) {
  return _mm256_castpd_si256(_mm256_sub_pd(spc__v_f(a), spc__v_f(b)));
}
SPC__LANES_INLINE spc__v spc__v_madd_f(spc__v a, spc__v b, spc__v c) {
  return _mm256_castpd_si256(_mm256_fmadd_pd(spc__v_f(a), spc__v_f(b), spc__v_f(c)));
}

SPC__LANES_INLINE int64_t spc__v_lane(spc__v a, int lane) {
  int64_t lanes[SPC__LANES];
  spc__v_store(lanes, a);
  return lanes[lane];
}

/* Compilers for x86-64 put loads where they are needed. */
#define SPC__V_LOADED_AFTER(pointer, a) ((void)(a))

/*
 * The field element of 32 big-endian bytes at in[lane] for each lane, in four words, the lowest
 * first.
 */
SPC__LANES_INLINE void spc__v_load_field(spc__v words[4], const uint8_t *const in[SPC__LANES]) {
  for (int i = 0; i < 4; i++) {
    uint64_t lanes[SPC__LANES];
    for (int lane = 0; lane < SPC__LANES; lane++)
      lanes[lane] = spc__load64_be(in[lane] + 8 * (3 - i));
    words[i] = spc__v_load(lanes);
  }
}

#endif
