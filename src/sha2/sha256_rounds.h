/*
 * rounds.h for SHA-256: 64 rounds on words of 32 bits. Included by each kernel, so there is no
 * include guard. The includer defines ROUNDS_NAME, ROUNDS_FN, ROUNDS_WORD, ROUNDS_ADD, ROUNDS_XOR,
 * ROUNDS_CH and ROUNDS_MAJ as rounds.h says, and:
 *
 *   ROUNDS_ROTATE(x, n)   each word rotated right by n
 *   ROUNDS_SHIFT(x, n)    each word shifted right by n
 *   ROUNDS_XOR3(a, b, c)
 *   ROUNDS_SPLAT(x)       the word `x`, an element of a table, for all messages
 */
#define ROUNDS_COUNT 64

#define ROUNDS_SUM0(x) ROUNDS_XOR3(ROUNDS_ROTATE(x, 2), ROUNDS_ROTATE(x, 13), ROUNDS_ROTATE(x, 22))
#define ROUNDS_SUM1(x) ROUNDS_XOR3(ROUNDS_ROTATE(x, 6), ROUNDS_ROTATE(x, 11), ROUNDS_ROTATE(x, 25))

#define ROUNDS_SIGMA0(x) ROUNDS_XOR3(ROUNDS_ROTATE(x, 7), ROUNDS_ROTATE(x, 18), ROUNDS_SHIFT(x, 3))
#define ROUNDS_SIGMA1(x)                                                                           \
  ROUNDS_XOR3(ROUNDS_ROTATE(x, 17), ROUNDS_ROTATE(x, 19), ROUNDS_SHIFT(x, 10))

#define ROUNDS_K(i)         ROUNDS_SPLAT(spc__sha256_k[i])
#define ROUNDS_K_PADDING(i) ROUNDS_SPLAT(spc__sha256_k_padding[i])
#include "sha2/rounds.h"
