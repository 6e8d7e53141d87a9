/*
 * The scalar field of BN254, behind one interface for two limb forms: 4 x 64 bits (natively) and
 * 9 x 29 bits (Wasm and targets without a 128-bit product, or where SPC_FIELD_29 is defined).
 *
 * A spc__fr is a residue times R mod p, not reduced: the header of the form states which values
 * each function takes and gives, where "loose" is the widest range that a product takes. Outputs
 * may be the inputs.
 *
 *   spc__fr_from_bytes(out, in)    32 bytes big-endian, canonical (checked by the caller)
 *   spc__fr_to_bytes(out, in)      the canonical bytes of any loose value
 *   spc__fr_mul(out, a, b)         out = a b
 *   spc__fr_sqr(out, a)            out = a^2
 *   spc__fr_add(out, a, b)         out = a + b
 *   spc__fr_sqr_add(out, a, c)     out = a^2 + c, for c < p
 *   spc__fr_mul_add(out, a, b, c)  out = a b + c, for a from spc__fr_sqr_add, b from spc__fr_double
 *                                  and c from a reduction
 *   spc__fr_double(out, a)         out = 2 a, only to be multiplied by
 *   spc__fr_external(x, c)         the external matrix of Poseidon2, then c[i] < p added to x[i]
 *
 * Sums of products with one reduction (a spc__fr_wide, which starts as zeros) take their operands
 * as a spc__fr_factor:
 *   spc__fr_prepare(f, a)                   f = a
 *   spc__fr_wide_mul_add2(t, a, b, c, d)    t += a b + c d, for three times one loose value and
 *                                           one below p
 *   spc__fr_reduce_add(out, t, c)           out = t + c, for c < p
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

/* Whether x86-64 kernels on the form of 4 x 64 bits can be built. */
#if defined(__x86_64__) && !SPC__FIELD_29
#define SPC__FIELD_X86 1
#else
#define SPC__FIELD_X86 0
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

/* Out of line even within one file: a caller that inlines many products is slower and huge. */
#define SPC__FR_NOINLINE __attribute__((noinline))

#define SPC__FR_INLINE static inline __attribute__((always_inline))
#define SPC__FR_BYTES  32

#if SPC__FIELD_29
#include "field/fr29.h"
#else
#include "field/fr64.h"
#endif

void spc__fr_mul(spc__fr *out, const spc__fr *a, const spc__fr *b);
void spc__fr_sqr(spc__fr *out, const spc__fr *a);
void spc__fr_sqr_add(spc__fr *out, const spc__fr *a, const spc__fr *c);
void spc__fr_mul_add(spc__fr *out, const spc__fr *a, const spc__fr *b, const spc__fr *c);
void spc__fr_from_bytes(spc__fr *out, const uint8_t in[SPC__FR_BYTES]);
void spc__fr_to_bytes(uint8_t out[SPC__FR_BYTES], const spc__fr *in);

/* The canonical bytes of any value in 64-bit words, the lowest first; meant for a few p. */
void spc__fr_words_to_bytes(uint8_t out[SPC__FR_BYTES], const uint64_t word[4]);

/* The index of the first of `count` field elements that is not below p, or `count`. */
size_t spc__fr_first_noncanonical(const uint8_t *fields, size_t count);

#endif
