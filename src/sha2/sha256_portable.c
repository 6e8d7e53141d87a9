/*
 * SHA-256 in portable C. Everywhere correct, the fallback of every build, and the one that the
 * other kernels are tested against. Of a 64-byte message only the first block has a message
 * schedule to compute, as the second is padding alone.
 */
#include "base/bytes.h"
#include "sha2/sha256_internal.h"

#define PORTABLE_ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))

#define ROUNDS_NAME(name)           portable_##name
#define ROUNDS_FN                   static inline
#define ROUNDS_WORD                 uint32_t
#define ROUNDS_COUNT                64
#define ROUNDS_ADD(a, b)            ((a) + (b))
#define ROUNDS_XOR(a, b)            ((a) ^ (b))
#define ROUNDS_CH(e, f, g)          ((g) ^ ((e) & ((f) ^ (g))))
#define ROUNDS_MAJ(a, b, c, ab, bc) ((b) ^ ((ab) & (bc)))
#define ROUNDS_SUM0(x)              (PORTABLE_ROTATE(x, 2) ^ PORTABLE_ROTATE(x, 13) ^ PORTABLE_ROTATE(x, 22))
#define ROUNDS_SUM1(x)              (PORTABLE_ROTATE(x, 6) ^ PORTABLE_ROTATE(x, 11) ^ PORTABLE_ROTATE(x, 25))
#define ROUNDS_SIGMA0(x)            (PORTABLE_ROTATE(x, 7) ^ PORTABLE_ROTATE(x, 18) ^ (x) >> 3)
#define ROUNDS_SIGMA1(x)            (PORTABLE_ROTATE(x, 17) ^ PORTABLE_ROTATE(x, 19) ^ (x) >> 10)
#define ROUNDS_K(i)                 spc__sha256_k[i]
#define ROUNDS_K_PADDING(i)         spc__sha256_k_padding[i]
#include "sha2/rounds.h"

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

#undef PORTABLE_ROTATE
