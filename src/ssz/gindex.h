/* Arithmetic on generalized indices. */
#ifndef SPC_SSZ_GINDEX_H
#define SPC_SSZ_GINDEX_H

#include "ssz/type_internal.h"

static inline bool spc__ssz_g_is_zero(spc_ssz_gindex g) {
  return (g.high | g.low) == 0;
}

static inline bool spc__ssz_g_equal(spc_ssz_gindex a, spc_ssz_gindex b) {
  return a.high == b.high && a.low == b.low;
}

static inline bool spc__ssz_g_less(spc_ssz_gindex a, spc_ssz_gindex b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* Depth of a node: floor(log2 g); g is not 0. */
static inline unsigned spc__ssz_g_depth(spc_ssz_gindex g) {
  return g.high != 0 ? 127u - (unsigned)__builtin_clzll(g.high)
                     : 63u - (unsigned)__builtin_clzll(g.low);
}

static inline spc_ssz_gindex spc__ssz_g_up(spc_ssz_gindex g, unsigned levels) {
  if (levels >= 128) return (spc_ssz_gindex){0, 0};
  if (levels >= 64) return (spc_ssz_gindex){0, g.high >> (levels - 64)};
  if (levels == 0) return g;
  return (spc_ssz_gindex){g.high >> levels, g.low >> levels | g.high << (64 - levels)};
}

/* levels below 128, and no set bit is lost. */
static inline spc_ssz_gindex spc__ssz_g_shift(spc_ssz_gindex g, unsigned levels) {
  if (levels >= 64) return (spc_ssz_gindex){g.low << (levels - 64), 0};
  if (levels == 0) return g;
  return (spc_ssz_gindex){g.high << levels | g.low >> (64 - levels), g.low << levels};
}

static inline spc_ssz_gindex spc__ssz_g_sibling(spc_ssz_gindex g) {
  g.low ^= 1;
  return g;
}

/* Bit `i` from the least significant one. */
static inline unsigned spc__ssz_g_bit(spc_ssz_gindex g, unsigned i) {
  return (unsigned)(spc__ssz_g_up(g, i).low & 1);
}

/* The `count` (at most 64) bits that end above the lowest `below` bits. */
static inline uint64_t spc__ssz_g_bits(spc_ssz_gindex g, unsigned below, unsigned count) {
  uint64_t bits = spc__ssz_g_up(g, below).low;
  return count >= 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
}

/* Goes down `levels` (at most 64) to descendant number `index`; false if 128 bits do not do. */
static inline bool spc__ssz_g_down(spc_ssz_gindex *g, unsigned levels, uint64_t index) {
  if (spc__ssz_g_depth(*g) + levels > 127) return false;
  *g = spc__ssz_g_shift(*g, levels);
  g->low |= index;
  return true;
}

#endif
