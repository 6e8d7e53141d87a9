/*
 * SHA-256 in portable C. Everywhere correct, the fallback of every build, and the one that the
 * other kernels are tested against. Of a 64-byte message only the first block has a message
 * schedule to compute, as the second is padding alone.
 */
#include "base/bytes.h"
#include "sha2/sha256_internal.h"

#define ROUNDS_NAME(name)           portable_##name
#define ROUNDS_FN                   static inline
#define ROUNDS_WORD                 uint32_t
#define ROUNDS_ADD(a, b)            ((a) + (b))
#define ROUNDS_XOR(a, b)            ((a) ^ (b))
#define ROUNDS_XOR3(a, b, c)        ((a) ^ (b) ^ (c))
#define ROUNDS_ROTATE(x, n)         ((x) >> (n) | (x) << (32 - (n)))
#define ROUNDS_SHIFT(x, n)          ((x) >> (n))
#define ROUNDS_SPLAT(x)             (x)
#define ROUNDS_CH(e, f, g)          ((g) ^ ((e) & ((f) ^ (g))))
#define ROUNDS_MAJ(a, b, c, ab, bc) ((b) ^ ((ab) & (bc)))
#include "sha2/sha256_rounds.h"
#include "sha2/rounds_end.h"

static inline void portable_load(uint32_t w[16], const uint8_t *in) {
  for (int i = 0; i < 16; i++)
    w[i] = spc__load32_be(in + 4 * i);
}

void spc__sha256_blocks_portable(uint32_t state[8], const uint8_t *in, size_t blocks) {
  for (; blocks != 0; blocks--, in += 64) {
    uint32_t w[16];
    portable_load(w, in);
    portable_compress(state, w);
  }
}

void spc__sha256_pairs_portable(uint8_t *out, const uint8_t *in, size_t count) {
  for (; count != 0; count--, in += 64, out += 32) {
    uint32_t w[16], s[8];
    portable_load(w, in);
    memcpy(s, spc__sha256_iv, sizeof s);
    portable_compress(s, w);
    portable_compress_padding(s);
    for (int i = 0; i < 8; i++)
      spc__store32_be(out + 4 * i, s[i]);
  }
}
