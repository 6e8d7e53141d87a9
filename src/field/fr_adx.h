/*
 * Products of the field in 4 limbs of 64 bits by BMI2 and ADX: in assembly, as no compiler keeps
 * the two carry chains of adcx and adox apart.
 *
 * A product takes limbs of one factor in turn and adds the row of its products with the other to a
 * window of the sum. A reduction takes limbs off the low end: first two at once, by rows
 * t[0] (2^-128 mod p) and t[1] (2^-64 mod p) that need no quotient, then two by Montgomery's rows
 * m p. A dot product adds the rows of all six terms for one limb, then one of Montgomery's rows.
 *
 * In units of 2^256, p is 0.18903 and the two numbers of the rows above have a sum of 0.219:
 *   window     of a product (rows 0 to 2): the second factor, 2p or 4p, and 0.219: below 1, so that
 *              it does not carry out of its five limbs;
 *              of a dot product: the six constants have a sum below 0.75, which with p is below 1
 *   products   less than t / 2^256 + p, as in field/fr64.h, so all its bounds hold
 *   dot        0.75 * 2p, reduced, and c < p added: below 0.67; below 1.03p in the end
 */
#ifndef SPC_FIELD_FR_ADX_H
#define SPC_FIELD_FR_ADX_H

#include "field/fr.h"

#if SPC__FIELD_X86

void spc__fr_adx_mul(spc__fr *out, const spc__fr *a, const spc__fr *b);
void spc__fr_adx_sqr(spc__fr *out, const spc__fr *a);

/* out = a^2 + c, for c < p. */
void spc__fr_adx_sqr_add(spc__fr *out, const spc__fr *a, const spc__fr *c);

/* out = a b[0] + b[1], for a from spc__fr_adx_sqr_add, b[0] from spc__fr_double, b[1] < 1.03 p. */
void spc__fr_adx_mul_add(spc__fr *out, const spc__fr *a, const spc__fr b[2]);

/*
 * out = the sum of by[i] w[-i] and by[3 + i] s[-i] for i from 0 to 2, and c < p; below 1.03 p. The
 * six constants have a sum below 0.75 * 2^256. In two halves, to put something between them.
 */
void spc__fr_adx_dot_low(uint64_t window[4], const spc__fr *w, const spc__fr *s,
                         const spc__fr by[6]);
void spc__fr_adx_dot_high(spc__fr *out, const uint64_t window[4], const spc__fr *w,
                          const spc__fr *s, const spc__fr by[6], const spc__fr *c);

/* Operands of the products, by their offsets below. */
static const struct {
  uint64_t p[4], per_64[4], per_128[4], p_inverse, twice_p[4];
} spc__adx_constants = {SPC__FR_P, SPC__FR_PER_64, SPC__FR_PER_128, SPC__FR_P_INVERSE, SPC__FR_2P};
#define SPC__ADX_P         "%[constants]"
#define SPC__ADX_PER_64    "32+%[constants]"
#define SPC__ADX_PER_128   "64+%[constants]"
#define SPC__ADX_P_INVERSE "96+%[constants]"
#define SPC__ADX_2P(word)  "104+" word "+%[constants]"

/* clang-format off: lines of assembly */

/* The first row: t0 to t4 = rdx times four words at `at`. */
#define SPC__ADX_FIRST(at, t0, t1, t2, t3, t4)                                                     \
  "mulx 0+" at ",%%" t0 ",%%" t1 "\n"                                                              \
  "mulx 8+" at ",%%rax,%%" t2 "\n"                                                                 \
  "add %%rax,%%" t1 "\n"                                                                           \
  "mulx 16+" at ",%%rax,%%" t3 "\n"                                                                \
  "adc %%rax,%%" t2 "\n"                                                                           \
  "mulx 24+" at ",%%rax,%%" t4 "\n"                                                                \
  "adc %%rax,%%" t3 "\n"                                                                           \
  "adc $0,%%" t4 "\n"

/* A row added to t0 to t4, with nothing carried out; both carry flags are clear before. */
#define SPC__ADX_CHAIN(at, t0, t1, t2, t3, t4)                                                     \
  "mulx 0+" at ",%%rax,%%rbx\n"                                                                    \
  "adcx %%rax,%%" t0 "\n"                                                                          \
  "adox %%rbx,%%" t1 "\n"                                                                          \
  "mulx 8+" at ",%%rax,%%rbx\n"                                                                    \
  "adcx %%rax,%%" t1 "\n"                                                                          \
  "adox %%rbx,%%" t2 "\n"                                                                          \
  "mulx 16+" at ",%%rax,%%rbx\n"                                                                   \
  "adcx %%rax,%%" t2 "\n"                                                                          \
  "adox %%rbx,%%" t3 "\n"                                                                          \
  "mulx 24+" at ",%%rax,%%rbx\n"                                                                   \
  "adcx %%rax,%%" t3 "\n"                                                                          \
  "adox %%rbx,%%" t4 "\n"                                                                          \
  "mov $0,%%eax\n"                                                                                 \
  "adcx %%rax,%%" t4 "\n"

#define SPC__ADX_ROW(at, t0, t1, t2, t3, t4)                                                       \
  "xor %%eax,%%eax\n" SPC__ADX_CHAIN(at, t0, t1, t2, t3, t4)
/* The same with a fifth limb that starts here. */
#define SPC__ADX_NEW(at, t0, t1, t2, t3, t4)                                                       \
  "xor %%" t4 "d,%%" t4 "d\n" SPC__ADX_CHAIN(at, t0, t1, t2, t3, t4)
/* The same with the carries going on into a sixth limb. */
#define SPC__ADX_LONG(at, t0, t1, t2, t3, t4, t5)                                                  \
  SPC__ADX_ROW(at, t0, t1, t2, t3, t4)                                                             \
  "adox %%rax,%%" t5 "\n"                                                                          \
  "adcx %%rax,%%" t5 "\n"

/* rdx = the quotient that clears t0. */
#define SPC__ADX_QUOTIENT(t0) "mov " SPC__ADX_P_INVERSE ",%%rdx\nimul %%" t0 ",%%rdx\n"

/* rdx = a limb. */
#define SPC__ADX_TAKE(limb) "mov " limb ",%%rdx\n"

/* The product of four limbs at rsi and four at rcx in r8 to r15, and limbs 0 and 1 folded. */
#define SPC__ADX_PRODUCT                                                                           \
  SPC__ADX_TAKE("0(%%rsi)")                                                                        \
  SPC__ADX_FIRST("0(%%rcx)", "r8", "r9", "r10", "r11", "r12")                                      \
  SPC__ADX_TAKE("8(%%rsi)")                                                                        \
  SPC__ADX_NEW("0(%%rcx)", "r9", "r10", "r11", "r12", "r13")                                       \
  SPC__ADX_TAKE("16(%%rsi)")                                                                       \
  SPC__ADX_NEW("0(%%rcx)", "r10", "r11", "r12", "r13", "r14")                                      \
  SPC__ADX_TAKE("%%r8")                                                                            \
  SPC__ADX_ROW(SPC__ADX_PER_128, "r10", "r11", "r12", "r13", "r14")                                \
  SPC__ADX_TAKE("%%r9")                                                                            \
  SPC__ADX_ROW(SPC__ADX_PER_64, "r10", "r11", "r12", "r13", "r14")                                 \
  SPC__ADX_TAKE("24(%%rsi)")                                                                       \
  SPC__ADX_NEW("0(%%rcx)", "r11", "r12", "r13", "r14", "r15")

/* The same for the square: products of different limbs, twice, and squares. */
#define SPC__ADX_SQUARE                                                                            \
  SPC__ADX_TAKE("0(%%rsi)")                                                                        \
  "mulx 8(%%rsi),%%r9,%%r10\n"                                                                     \
  "mulx 16(%%rsi),%%rax,%%r11\n"                                                                   \
  "mulx 24(%%rsi),%%rbx,%%r12\n"                                                                   \
  "add %%rax,%%r10\n"                                                                              \
  "adc %%rbx,%%r11\n"                                                                              \
  "adc $0,%%r12\n" SPC__ADX_TAKE(                                                                  \
      "8(%%rsi)") "xor %%r14d,%%r14d\n"                                                            \
                  "mulx 16(%%rsi),%%rax,%%rbx\n"                                                   \
                  "adcx %%rax,%%r11\n"                                                             \
                  "adox %%rbx,%%r12\n"                                                             \
                  "mulx 24(%%rsi),%%rax,%%r13\n"                                                   \
                  "adcx %%rax,%%r12\n"                                                             \
                  "adox %%r14,%%r13\n"                                                             \
                  "adcx %%r14,%%r13\n" SPC__ADX_TAKE(                                              \
                      "16(%%rsi)") "mulx 24(%%rsi),%%rax,%%r14\n"                                  \
                                   "add %%rax,%%r13\n"                                             \
                                   "adc $0,%%r14\n" SPC__ADX_TAKE(                                 \
                                       "0(%%rsi)") "xor %%r15d,%%r15d\n"                           \
                                                   "mulx %%rdx,%%r8,%%rax\n"                       \
                                                   "adcx %%r9,%%r9\n"                              \
                                                   "adox %%rax,%%r9\n" SPC__ADX_TWICE(             \
                                                       "8(%%rsi)", "r10",                          \
                                                       "r11") SPC__ADX_TWICE("16(%%rsi)", "r12",   \
                                                                             "r13")                \
                                                       SPC__ADX_TWICE("24(%%rsi)", "r14", "r15")   \
                                                           SPC__ADX_TAKE("%%r8") SPC__ADX_LONG(    \
                                                               SPC__ADX_PER_128, "r10", "r11",     \
                                                               "r12", "r13", "r14",                \
                                                               "r15") SPC__ADX_TAKE("%%r9")        \
                                                               SPC__ADX_LONG(SPC__ADX_PER_64,      \
                                                                             "r10", "r11", "r12",  \
                                                                             "r13", "r14", "r15")

#define SPC__ADX_TWICE(limb, t0, t1)                                                               \
  "mov " limb ",%%rdx\n"                                                                           \
  "mulx %%rdx,%%rax,%%rbx\n"                                                                       \
  "adcx %%" t0 ",%%" t0 "\n"                                                                       \
  "adox %%rax,%%" t0 "\n"                                                                          \
  "adcx %%" t1 ",%%" t1 "\n"                                                                       \
  "adox %%rbx,%%" t1 "\n"

/* Adds four limbs at `at` to r12 to r15, and so to the result. */
#define SPC__ADX_ADD(at)                                                                           \
  "add 0+" at ",%%r12\n"                                                                           \
  "adc 8+" at ",%%r13\n"                                                                           \
  "adc 16+" at ",%%r14\n"                                                                          \
  "adc 24+" at ",%%r15\n"

/* Montgomery's rows for r10 and r11; the result is in r12 to r15. */
#define SPC__ADX_FINISH                                                                            \
  SPC__ADX_QUOTIENT("r10")                                                                         \
  SPC__ADX_LONG(SPC__ADX_P, "r10", "r11", "r12", "r13", "r14", "r15")                              \
  SPC__ADX_QUOTIENT("r11")                                                                         \
  SPC__ADX_ROW(SPC__ADX_P, "r11", "r12", "r13", "r14", "r15")

/* Takes 2p off r12 to r15 where they are not below it. */
#define SPC__ADX_SUBTRACT                                                                          \
  "mov %%r12,%%r8\n"                                                                               \
  "mov %%r13,%%r9\n"                                                                               \
  "mov %%r14,%%r10\n"                                                                              \
  "mov %%r15,%%r11\n"                                                                              \
  "sub " SPC__ADX_2P("0") ",%%r8\n"                                                                \
                          "sbb " SPC__ADX_2P("8") ",%%r9\n"                                        \
                                                  "sbb " SPC__ADX_2P(                              \
                                                      "16") ",%%r10\n"                             \
                                                            "sbb " SPC__ADX_2P(                    \
                                                                "24") ",%%r11\n"                   \
                                                                      "cmovnc %%r8,%%r12\n"        \
                                                                      "cmovnc %%r9,%%r13\n"        \
                                                                      "cmovnc %%r10,%%r14\n"       \
                                                                      "cmovnc %%r11,%%r15\n"

#define SPC__ADX_STORE                                                                             \
  "mov %%r12,0(%%rdi)\n"                                                                           \
  "mov %%r13,8(%%rdi)\n"                                                                           \
  "mov %%r14,16(%%rdi)\n"                                                                          \
  "mov %%r15,24(%%rdi)\n"

#define SPC__ADX_CLOBBERS                                                                          \
  "rax", "rbx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory"

/* clang-format on */

/* The same in line, where other work is to be put between them. */
SPC__FR_INLINE void spc__fr_adx_mul_inline(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  __asm__(SPC__ADX_PRODUCT SPC__ADX_FINISH SPC__ADX_STORE
          :
          : "D"(out), "S"(a), "c"(b), [constants] "m"(spc__adx_constants)
          : SPC__ADX_CLOBBERS);
}

SPC__FR_INLINE void spc__fr_adx_mul_add_inline(spc__fr *out, const spc__fr *a, const spc__fr b[2]) {
  __asm__(SPC__ADX_PRODUCT SPC__ADX_ADD("32(%%rcx)")
              SPC__ADX_FINISH SPC__ADX_SUBTRACT SPC__ADX_STORE
          :
          : "D"(out), "S"(a), "c"(b), [constants] "m"(spc__adx_constants)
          : SPC__ADX_CLOBBERS);
  spc__fr_check_loose(out);
}

SPC__FR_INLINE void spc__fr_adx_sqr_inline(spc__fr *out, const spc__fr *a) {
  __asm__(SPC__ADX_SQUARE SPC__ADX_FINISH SPC__ADX_STORE
          :
          : "D"(out), "S"(a), [constants] "m"(spc__adx_constants)
          : SPC__ADX_CLOBBERS);
}

SPC__FR_INLINE void spc__fr_adx_sqr_add_inline(spc__fr *out, const spc__fr *a, const spc__fr *c) {
  __asm__(SPC__ADX_SQUARE SPC__ADX_ADD("0(%%rcx)") SPC__ADX_FINISH SPC__ADX_STORE
          :
          : "D"(out), "S"(a), "c"(c), [constants] "m"(spc__adx_constants)
          : SPC__ADX_CLOBBERS);
}

#endif

#endif
