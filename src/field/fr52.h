/*
 * The field by AVX-512 IFMA on 8 or 4 numbers, one a lane. SPC__F52_LANES says how many; include
 * this again for another number. F52(name) are then the names, and F52_* the vector operations.
 *
 * A number is 5 limbs of 52 bits, R = 2^260 = 84.6 p. The multiply-add takes the low 52 bits of
 * both factors and adds the low or the high half of their product to a sum of 64 bits, so that
 * columns are sums of halves, and bits of a limb above 52 need not be cleared. A reduction carries
 * columns 0 to 3, folds them all at once, t[i] (2^(52 i - 208) mod p), and ends with one Montgomery
 * step. As the folded constants have a sum of 1.24 p, it gives less than t / R + 2.24 p.
 *
 * A value below 84.6 p has a limb 4 below 2^52. A column must stay below 2^63, which is 2^11
 * halves. Values up to 7 p are what SPC_CHECK_BOUNDS allows from a reduction.
 */
#include <immintrin.h>
#include <stdint.h>

#include "field/fr.h"
#include "field/fr52_constants.h"

#undef F52
#undef F52_V
#undef F52_ZERO
#undef F52_SPLAT
#undef F52_LOAD
#undef F52_STORE
#undef F52_LOW
#undef F52_HIGH
#undef F52_ADD
#undef F52_AND
#undef F52_SHIFT
#undef F52_SHIFT_LEFT

#if SPC__F52_LANES == 8
#define F52(name)               spc__f52_x8_##name
#define F52_V                   __m512i
#define F52_ZERO                _mm512_setzero_si512()
#define F52_SPLAT(x)            _mm512_set1_epi64((long long)(x))
#define F52_LOAD(p)             _mm512_loadu_si512(p)
#define F52_STORE(p, a)         _mm512_storeu_si512(p, a)
#define F52_LOW(c, a, b)        _mm512_madd52lo_epu64(c, a, b)
#define F52_HIGH(c, a, b)       _mm512_madd52hi_epu64(c, a, b)
#define F52_ADD(a, b)           _mm512_add_epi64(a, b)
#define F52_AND(a, b)           _mm512_and_si512(a, b)
#define F52_SHIFT(a, bits)      _mm512_srli_epi64(a, (unsigned)(bits))
#define F52_SHIFT_LEFT(a, bits) _mm512_slli_epi64(a, (unsigned)(bits))
#else
#define F52(name)               spc__f52_x4_##name
#define F52_V                   __m256i
#define F52_ZERO                _mm256_setzero_si256()
#define F52_SPLAT(x)            _mm256_set1_epi64x((long long)(x))
#define F52_LOAD(p)             _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define F52_STORE(p, a)         _mm256_storeu_si256((__m256i *)(void *)(p), a)
#define F52_LOW(c, a, b)        _mm256_madd52lo_epu64(c, a, b)
#define F52_HIGH(c, a, b)       _mm256_madd52hi_epu64(c, a, b)
#define F52_ADD(a, b)           _mm256_add_epi64(a, b)
#define F52_AND(a, b)           _mm256_and_si256(a, b)
#define F52_SHIFT(a, bits)      _mm256_srli_epi64(a, (int)(bits))
#define F52_SHIFT_LEFT(a, bits) _mm256_slli_epi64(a, (int)(bits))
#endif

#define F52_TARGET   "avx512f,avx512vl,avx512ifma"
#define F52_INLINE   static inline __attribute__((always_inline, target(F52_TARGET)))
#define F52_FUNCTION static __attribute__((target(F52_TARGET)))
#define F52_NOINLINE static __attribute__((noinline, target(F52_TARGET)))
#define F52_LANES    SPC__F52_LANES
#define F52_LIMB     ((UINT64_C(1) << 52) - 1)
#define F52_ELEMENT  F52(element)
#define F52_WIDE     F52(wide)

#if (SPC__F52_LANES == 8 && !defined(SPC_FIELD_FR52_X8)) ||                                        \
    (SPC__F52_LANES == 4 && !defined(SPC_FIELD_FR52_X4))
#if SPC__F52_LANES == 8
#define SPC_FIELD_FR52_X8
#else
#define SPC_FIELD_FR52_X4
#endif

typedef struct F52(element) {
  F52_V l[5];
} F52(element);

typedef struct F52(wide) {
  F52_V l[10];
} F52(wide);

/*
 * Hides from the compiler what the constants of a reduction are: a load broadcasts a word to all
 * lanes for nothing, but a known word would come from a general register.
 */
F52_INLINE const spc__f52_reduction *F52(constants)(void) {
  const spc__f52_reduction *constants = &spc__f52_constants;
  __asm__("" : "+r"(constants));
  return constants;
}

/* Row j of a product: a times one limb, which is the same in all lanes for a constant. */
F52_INLINE void F52(row)(F52_WIDE *t, const F52_ELEMENT *a, F52_V limb, int j) {
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++) {
    t->l[i + j] = F52_LOW(t->l[i + j], a->l[i], limb);
    t->l[i + j + 1] = F52_HIGH(t->l[i + j + 1], a->l[i], limb);
  }
}

/* The steps of a reduction. First, columns 0 to 3 are carried. */
F52_INLINE void F52(carry)(F52_WIDE *t) {
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    t->l[i + 1] = F52_ADD(t->l[i + 1], F52_SHIFT(t->l[i], 52));
}

/* Column j of the folded constants. */
F52_INLINE void F52(fold)(F52_WIDE *t, int j) {
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    F52_V limb = F52_SPLAT(F52(constants)()->fold[i][j]);
    t->l[4 + j] = F52_LOW(t->l[4 + j], t->l[i], limb);
    t->l[5 + j] = F52_HIGH(t->l[5 + j], t->l[i], limb);
  }
}

/* Montgomery's quotient for a column, and its row, which clears the column but for a carry. */
F52_INLINE F52_V F52(quotient)(F52_V column) {
  return F52_LOW(F52_ZERO, column, F52_SPLAT(F52(constants)()->p_inverse));
}

F52_INLINE void F52(montgomery)(F52_V column[6], F52_V m) {
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++) {
    F52_V limb = F52_SPLAT(F52(constants)()->p[j]);
    column[j] = F52_LOW(column[j], m, limb);
    column[j + 1] = F52_HIGH(column[j + 1], m, limb);
  }
  column[1] = F52_ADD(column[1], F52_SHIFT(column[0], 52));
}

#ifdef SPC_CHECK_BOUNDS
F52_INLINE void F52(check)(const F52_ELEMENT *x) {
  uint64_t top[F52_LANES];
  F52_STORE(top, x->l[4]);
  for (int lane = 0; lane < F52_LANES; lane++)
    SPC__FR_CHECK(top[lane] < 7 * spc__f52_constants.p[4]);
}
#else
F52_INLINE void F52(check)(const F52_ELEMENT *x) {
  (void)x;
}
#endif

/* Columns 5 to 9 become limbs. */
F52_INLINE void F52(finish)(F52_ELEMENT *out, const F52_WIDE *t) {
  out->l[0] = t->l[5];
  SPC__FR_UNROLL
  for (int i = 1; i < 5; i++)
    out->l[i] = F52_ADD(t->l[5 + i], F52_SHIFT(out->l[i - 1], 52));
  F52(check)(out);
}

F52_INLINE void F52(reduce)(F52_ELEMENT *out, F52_WIDE *t) {
  F52(carry)(t);
  SPC__FR_UNROLL
  for (int j = 0; j < 5; j++)
    F52(fold)(t, j);
  F52(montgomery)(&t->l[4], F52(quotient)(t->l[4]));
  F52(finish)(out, t);
}

/* A square: the products of limb i and later limbs, then these twice, and squares. */
F52_INLINE void F52(sqr_row)(F52_WIDE *t, const F52_ELEMENT *a, int i) {
  SPC__FR_UNROLL
  for (int j = i + 1; j < 5; j++) {
    t->l[i + j] = F52_LOW(t->l[i + j], a->l[i], a->l[j]);
    t->l[i + j + 1] = F52_HIGH(t->l[i + j + 1], a->l[i], a->l[j]);
  }
}

F52_INLINE void F52(sqr_end)(F52_WIDE *t, const F52_ELEMENT *a) {
  SPC__FR_UNROLL
  for (int k = 1; k < 9; k++)
    t->l[k] = F52_ADD(t->l[k], t->l[k]);
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++) {
    t->l[2 * i] = F52_LOW(t->l[2 * i], a->l[i], a->l[i]);
    t->l[2 * i + 1] = F52_HIGH(t->l[2 * i + 1], a->l[i], a->l[i]);
  }
}

F52_INLINE void F52(sqr_columns)(F52_WIDE *t, const F52_ELEMENT *a) {
  *t = (F52_WIDE){{F52_ZERO}};
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++)
    F52(sqr_row)(t, a, i);
  F52(sqr_end)(t, a);
}

/* Adds a constant to what the reduction of t gives. */
F52_INLINE void F52(add_constant)(F52_WIDE *t, const uint64_t c[5]) {
  SPC__FR_UNROLL
  for (int i = 0; i < 5; i++)
    t->l[5 + i] = F52_ADD(t->l[5 + i], F52_SPLAT(c[i]));
}

#endif
