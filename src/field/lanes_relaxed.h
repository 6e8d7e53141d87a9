/*
 * Vectors of two 64-bit lanes, integers or doubles, by Wasm with relaxed SIMD: what field/fr51.h is
 * written in. Whether the multiply-add of an engine rounds once is for the loader to find out.
 */
#ifndef SPC_FIELD_LANES_RELAXED_H
#define SPC_FIELD_LANES_RELAXED_H

#include <stdint.h>
#include <wasm_simd128.h>

#include "base/cpu.h"
#include "field/fr.h"

#define SPC__LANES          2
#define SPC__LANES_FEATURES SPC__CPU_FUSED_MADD
#define SPC__LANES_TARGET
#define SPC__LANES_INLINE SPC__FR_INLINE

typedef v128_t spc__v;

/* One 64-bit value for all lanes, and one for each. */
SPC__LANES_INLINE spc__v spc__v_splat(const void *from) {
  return wasm_v128_load64_splat(from);
}
SPC__LANES_INLINE spc__v spc__v_load(const void *from) {
  return wasm_v128_load(from);
}
/* Zero for lane 0 and a value for lane 1. */
SPC__LANES_INLINE spc__v spc__v_load_second(const void *from) {
  return wasm_v128_load64_lane(from, wasm_i64x2_const_splat(0), 1);
}
SPC__LANES_INLINE void spc__v_store(void *to, spc__v a) {
  wasm_v128_store(to, a);
}
SPC__LANES_INLINE spc__v spc__v_zero(void) {
  return wasm_i64x2_const_splat(0);
}

/* Integers modulo 2^64. */
SPC__LANES_INLINE spc__v spc__v_add(spc__v a, spc__v b) {
  return wasm_i64x2_add(a, b);
}
SPC__LANES_INLINE spc__v spc__v_sub(spc__v a, spc__v b) {
  return wasm_i64x2_sub(a, b);
}
SPC__LANES_INLINE spc__v spc__v_and(spc__v a, spc__v b) {
  return wasm_v128_and(a, b);
}
SPC__LANES_INLINE spc__v spc__v_or(spc__v a, spc__v b) {
  return wasm_v128_or(a, b);
}
SPC__LANES_INLINE spc__v spc__v_shl(spc__v a, uint32_t bits) {
  return wasm_i64x2_shl(a, bits);
}
SPC__LANES_INLINE spc__v spc__v_shr(spc__v a, uint32_t bits) {
  return wasm_u64x2_shr(a, bits);
}

/* Doubles. */
SPC__LANES_INLINE spc__v spc__v_add_f(spc__v a, spc__v b) {
  return wasm_f64x2_add(a, b);
}
SPC__LANES_INLINE spc__v spc__v_sub_f(spc__v a, spc__v b) {
  return wasm_f64x2_sub(a, b);
}
SPC__LANES_INLINE spc__v spc__v_mul_f(spc__v a, spc__v b) {
  return wasm_f64x2_mul(a, b);
}
SPC__LANES_INLINE spc__v spc__v_madd_f(spc__v a, spc__v b, spc__v c) {
  return wasm_f64x2_relaxed_madd(a, b, c);
}

/* Lane 0 of a and of b; lane 1 of both; the lanes exchanged. */
SPC__LANES_INLINE spc__v spc__v_low(spc__v a, spc__v b) {
  return wasm_i64x2_shuffle(a, b, 0, 2);
}
SPC__LANES_INLINE spc__v spc__v_high(spc__v a, spc__v b) {
  return wasm_i64x2_shuffle(a, b, 1, 3);
}
SPC__LANES_INLINE spc__v spc__v_swap(spc__v a) {
  return wasm_i64x2_shuffle(a, a, 1, 0);
}

SPC__LANES_INLINE int64_t spc__v_lane(spc__v a, int lane) {
  return lane == 0 ? wasm_i64x2_extract_lane(a, 0) : wasm_i64x2_extract_lane(a, 1);
}

/*
 * Makes the compiler load what `pointer` points to no earlier than it has `a`. It would put all
 * loads of a function first, and the engine would have to store most of them again.
 */
#define SPC__V_LOADED_AFTER(pointer, a)                                                            \
  __asm__ volatile("" : "+r"(pointer) : "r"(wasm_i64x2_extract_lane(a, 0)))

/*
 * The field element of 32 big-endian bytes at in[lane] for each lane, in four words, the lowest
 * first.
 */
SPC__LANES_INLINE void spc__v_load_field(spc__v words[4], const uint8_t *const in[SPC__LANES]) {
  SPC__FR_UNROLL
  for (int i = 0; i < 2; i++) {
    spc__v a = wasm_v128_load(in[0] + 16 - 16 * i), b = wasm_v128_load(in[1] + 16 - 16 * i);
    words[2 * i] =
        wasm_i8x16_shuffle(a, b, 15, 14, 13, 12, 11, 10, 9, 8, 31, 30, 29, 28, 27, 26, 25, 24);
    words[2 * i + 1] =
        wasm_i8x16_shuffle(a, b, 7, 6, 5, 4, 3, 2, 1, 0, 23, 22, 21, 20, 19, 18, 17, 16);
  }
}

#endif
