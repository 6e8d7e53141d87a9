/*
 * SHA-256 of as many 64-byte messages at once as a vector has 32-bit words: vector i holds word i
 * of every message. Included by each kernel, so there is no include guard. The includer defines
 * what sha256_rounds.h wants, and:
 *
 *   LANES                       messages at once, 4 for each 128-bit part of a vector
 *   LANES_PAIRS                 the name of the kernel
 *   LANES_TARGET                its target attribute
 *   LANES_GATHER(p)             a vector whose part i is the 16 bytes at p + 256 i
 *   LANES_SCATTER(p, x)         stores part i of x at p + 128 i
 *   LANES_SWAP(x)               the bytes of each word in reverse
 *   LANES_LOW32 HIGH32          in each part, the interleaved words, or pairs of words, of the low
 *   LANES_LOW64 HIGH64          or high halves of two vectors
 *
 * Part i has messages 4 i to 4 i + 3, so both transpositions stay inside the parts.
 */
#include "sha2/sha256_rounds.h"

ROUNDS_FN void ROUNDS_NAME(transpose)(ROUNDS_WORD x[4]) {
  ROUNDS_WORD a = LANES_LOW32(x[0], x[1]), b = LANES_LOW32(x[2], x[3]);
  ROUNDS_WORD c = LANES_HIGH32(x[0], x[1]), d = LANES_HIGH32(x[2], x[3]);
  x[0] = LANES_LOW64(a, b);
  x[1] = LANES_HIGH64(a, b);
  x[2] = LANES_LOW64(c, d);
  x[3] = LANES_HIGH64(c, d);
}

/* `count` is a multiple of LANES. A group is read before its digests are written, and those never
 * reach the next group, so `out` may be `in`. */
LANES_TARGET void LANES_PAIRS(uint8_t *out, const uint8_t *in, size_t count) {
  for (; count != 0; count -= LANES, in += 64 * LANES, out += 32 * LANES) {
    ROUNDS_WORD w[16], s[8];
    for (int i = 0; i < 16; i += 4) {
      for (int j = 0; j < 4; j++)
        w[i + j] = LANES_SWAP(LANES_GATHER(in + 64 * j + 4 * i));
      ROUNDS_NAME(transpose)(w + i);
    }
    for (int i = 0; i < 8; i++)
      s[i] = ROUNDS_SPLAT(spc__sha256_iv[i]);
    ROUNDS_NAME(compress)(s, w);
    ROUNDS_NAME(compress_padding)(s);
    for (int i = 0; i < 8; i += 4) {
      ROUNDS_NAME(transpose)(s + i);
      for (int j = 0; j < 4; j++)
        LANES_SCATTER(out + 32 * j + 4 * i, LANES_SWAP(s[i + j]));
    }
  }
}
