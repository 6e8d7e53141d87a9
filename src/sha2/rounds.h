/*
 * The SHA-2 compression function (FIPS 180-4, 6.2.2 and 6.4.2) over any word: a 32- or 64-bit
 * integer, or a vector that holds one word of each of several messages. Included by each kernel,
 * so there is no include guard. The includer defines the following, and includes rounds_end.h when
 * it is done with them:
 *
 *   ROUNDS_NAME(name)                  the name of a function defined here
 *   ROUNDS_FN                          how it is declared: static inline, target attribute
 *   ROUNDS_WORD                        the word
 *   ROUNDS_COUNT                       64 or 80
 *   ROUNDS_ADD XOR                     arithmetic on words
 *   ROUNDS_CH(e, f, g)                 choice and majority; MAJ may use ab = a ^ b and
 *   ROUNDS_MAJ(a, b, c, ab, bc)        bc = b ^ c, which the rounds hand on
 *   ROUNDS_SUM0 SUM1 SIGMA0 SIGMA1     the upper and lower case sigma functions
 *   ROUNDS_K(i)                        the constant of round i as a word
 *   ROUNDS_K_PADDING(i)                only for SHA-256: the same plus the message schedule of
 *                                      the padding block of a 64-byte message
 *
 * Where size counts, rounds are a loop.
 */

/* One round; the caller renames the variables instead of moving them. */
#define ROUNDS_STEP(a, b, c, d, e, f, g, h, kw)                                                    \
  do {                                                                                             \
    ROUNDS_WORD ab = ROUNDS_XOR(a, b);                                                             \
    ROUNDS_WORD t1 = ROUNDS_ADD(ROUNDS_ADD(h, kw), ROUNDS_CH(e, f, g));                            \
    t1 = ROUNDS_ADD(t1, ROUNDS_SUM1(e));                                                           \
    ROUNDS_WORD t2 = ROUNDS_ADD(ROUNDS_SUM0(a), ROUNDS_MAJ(a, b, c, ab, bc));                      \
    d = ROUNDS_ADD(d, t1);                                                                         \
    h = ROUNDS_ADD(t1, t2);                                                                        \
    bc = ab;                                                                                       \
  } while (0)

/* Rounds i + j to i + j + 7, where i is a multiple of 16 and j is a constant. */
#define ROUNDS_8(kw, i, j)                                                                         \
  do {                                                                                             \
    ROUNDS_STEP(a, b, c, d, e, f, g, h, kw(i, (j) + 0));                                           \
    ROUNDS_STEP(h, a, b, c, d, e, f, g, kw(i, (j) + 1));                                           \
    ROUNDS_STEP(g, h, a, b, c, d, e, f, kw(i, (j) + 2));                                           \
    ROUNDS_STEP(f, g, h, a, b, c, d, e, kw(i, (j) + 3));                                           \
    ROUNDS_STEP(e, f, g, h, a, b, c, d, kw(i, (j) + 4));                                           \
    ROUNDS_STEP(d, e, f, g, h, a, b, c, kw(i, (j) + 5));                                           \
    ROUNDS_STEP(c, d, e, f, g, h, a, b, kw(i, (j) + 6));                                           \
    ROUNDS_STEP(b, c, d, e, f, g, h, a, kw(i, (j) + 7));                                           \
  } while (0)

#define ROUNDS_LOAD_STATE                                                                          \
  ROUNDS_WORD a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];      \
  ROUNDS_WORD bc = ROUNDS_XOR(b, c);                                                               \
  (void)bc /* a majority may do without it */

#define ROUNDS_ADD_STATE                                                                           \
  do {                                                                                             \
    s[0] = ROUNDS_ADD(s[0], a);                                                                    \
    s[1] = ROUNDS_ADD(s[1], b);                                                                    \
    s[2] = ROUNDS_ADD(s[2], c);                                                                    \
    s[3] = ROUNDS_ADD(s[3], d);                                                                    \
    s[4] = ROUNDS_ADD(s[4], e);                                                                    \
    s[5] = ROUNDS_ADD(s[5], f);                                                                    \
    s[6] = ROUNDS_ADD(s[6], g);                                                                    \
    s[7] = ROUNDS_ADD(s[7], h);                                                                    \
  } while (0)

#define ROUNDS_FIRST(i, j) ROUNDS_ADD(w[j], ROUNDS_K((i) + (j)))
#define ROUNDS_NEXT(i, j)                                                                          \
  ROUNDS_ADD(w[j] = ROUNDS_ADD(                                                                    \
                 ROUNDS_ADD(w[j], w[((j) + 9) & 15]),                                              \
                 ROUNDS_ADD(ROUNDS_SIGMA0(w[((j) + 1) & 15]), ROUNDS_SIGMA1(w[((j) + 14) & 15]))), \
             ROUNDS_K((i) + (j)))
#define ROUNDS_PADDING(i, j) ROUNDS_K_PADDING((i) + (j))

#ifdef __OPTIMIZE_SIZE__

/* Compresses the block whose 16 words are in `w` into the state `s`; `w` is used up. */
ROUNDS_FN void ROUNDS_NAME(compress)(ROUNDS_WORD s[8], ROUNDS_WORD w[16]) {
  ROUNDS_LOAD_STATE;
  for (int i = 0; i < ROUNDS_COUNT; i++) {
    int j = i & 15;
    ROUNDS_WORD kw = i < 16 ? ROUNDS_FIRST(0, j) : ROUNDS_NEXT(i - j, j);
    ROUNDS_STEP(a, b, c, d, e, f, g, h, kw);
    ROUNDS_WORD first = h;
    h = g;
    g = f;
    f = e;
    e = d;
    d = c;
    c = b;
    b = a;
    a = first;
  }
  ROUNDS_ADD_STATE;
}

#ifdef ROUNDS_K_PADDING
/* Compresses the padding block of a 64-byte message. */
ROUNDS_FN void ROUNDS_NAME(compress_padding)(ROUNDS_WORD s[8]) {
  ROUNDS_WORD w[16] = {0};
  w[0] = ROUNDS_SPLAT(0x80000000);
  w[15] = ROUNDS_SPLAT(512);
  ROUNDS_NAME(compress)(s, w);
}
#endif

#else

/* Compresses the block whose 16 words are in `w` into the state `s`; `w` is used up. */
ROUNDS_FN void ROUNDS_NAME(compress)(ROUNDS_WORD s[8], ROUNDS_WORD w[16]) {
  ROUNDS_LOAD_STATE;
  ROUNDS_8(ROUNDS_FIRST, 0, 0);
  ROUNDS_8(ROUNDS_FIRST, 0, 8);
  for (int i = 16; i < ROUNDS_COUNT; i += 16) {
    ROUNDS_8(ROUNDS_NEXT, i, 0);
    ROUNDS_8(ROUNDS_NEXT, i, 8);
  }
  ROUNDS_ADD_STATE;
}

#ifdef ROUNDS_K_PADDING
/* Compresses the padding block of a 64-byte message, whose schedule is a constant. */
ROUNDS_FN void ROUNDS_NAME(compress_padding)(ROUNDS_WORD s[8]) {
  ROUNDS_LOAD_STATE;
  for (int i = 0; i < ROUNDS_COUNT; i += 16) {
    ROUNDS_8(ROUNDS_PADDING, i, 0);
    ROUNDS_8(ROUNDS_PADDING, i, 8);
  }
  ROUNDS_ADD_STATE;
}
#endif

#endif
