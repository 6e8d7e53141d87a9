/*
 * The scalar field of BN254, behind one interface for two limb forms: 4 x 64 bits (natively) and
 * 9 x 29 bits (Wasm and targets without a 128-bit product, or where SPC_FIELD_29 is defined).
 *
 * A spc__fr is a residue times R mod p, not reduced: each function states which values it takes
 * and gives, as multiples of p, where "loose" means what spc__fr_reduce gives and what all
 * products take. A spc__fr_wide is a sum of products that waits for its reduction.
 *
 *   spc__fr_from_bytes(out, in)    32 bytes big-endian, canonical (checked by the caller)
 *   spc__fr_to_bytes(out, in)      the canonical bytes of any loose value
 *   spc__fr_wide_mul(t, a, b)      t = a b
 *   spc__fr_wide_mul_add(t, a, b)  t += a b, for up to six products of a loose value and one < p
 *   spc__fr_reduce(out, t)         out = t / R
 *   spc__fr_pow5(x)                x = x^5
 *   spc__fr_add(out, a, b)         out = a + b
 *   spc__fr_next(out, a, b, c)     out = 2 a + b + c, for a from spc__fr_pow5 and c < p
 *   spc__fr_external(x, c)         the external matrix of Poseidon2, then c[i] < p added to x[i]
 */
#ifndef SPC_FIELD_FR_H
#define SPC_FIELD_FR_H

#include <stddef.h>
#include <stdint.h>

#if defined(__wasm__) || defined(SPC_FIELD_29) || !defined(__SIZEOF_INT128__)
#define SPC__FIELD_29 1
#else
#define SPC__FIELD_29 0
#endif

/* SPC_CHECK_BOUNDS makes the stated bounds assertions, for a test build. */
#ifdef SPC_CHECK_BOUNDS
#define SPC__FR_CHECK(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define SPC__FR_CHECK(condition) ((void)0)
#endif

#if defined(__clang__)
#define SPC__FR_UNROLL _Pragma("clang loop unroll(full)")
#else
#define SPC__FR_UNROLL _Pragma("GCC unroll 32")
#endif

#define SPC__FR_INLINE static inline __attribute__((always_inline))
#define SPC__FR_BYTES  32

#if SPC__FIELD_29
#include "field/fr29.h"
#else
#include "field/fr64.h"
#endif

SPC__FR_INLINE void spc__fr_mul(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  spc__fr_wide t;
  spc__fr_wide_mul(&t, a, b);
  spc__fr_reduce(out, &t);
}

/* The index of the first of `count` field elements that is not below p, or `count`. */
size_t spc__fr_first_noncanonical(const uint8_t *fields, size_t count);

#endif
