/*
 * The Poseidon2 permutation for x86-64 with BMI2 and ADX, on one state in 4 limbs of 64 bits. The
 * rounds are those of poseidon2_portable.c. Products are in assembly, as no compiler keeps the two
 * carry chains of adcx and adox apart.
 *
 * A product takes limbs of one factor in turn and adds the row of its products with the other to a
 * window of the sum. A reduction takes limbs off the low end: first two at once, by rows
 * t[0] (2^-128 mod p) and t[1] (2^-64 mod p) that need no quotient, then two by Montgomery's rows
 * m p. A dot product adds the rows of all six terms for one limb, then one of Montgomery's rows.
 *
 * In units of 2^256, p is 0.18903 and the two numbers of the rows above have a sum of 0.219:
 *   window     of a product (rows 0 to 2): 2p for either factor, or 4p for the second and 0.3 for
 * the first, and 0.219: below 1, so that it does not carry out of its five limbs; of a dot product:
 * the six constants have a sum below 0.75, which with p is below 1 products   less than t / 2^256 +
 * p, as in field/fr64.h, so all its bounds hold dot        0.4237 * 2p (the taps), reduced: 0.350;
 * with c < p below 0.54; below 1.34p in the end
 */
#include "sponge/poseidon2_kernel.h"

#if SPC__POSEIDON2_X86

#include "base/bytes.h"
#include "base/cpu.h"
#include "sponge/poseidon2_constants.h"

#define ADX_PARTIAL 56

/* Operands of the products, by their offsets below. */
static const struct {
  uint64_t p[4], per_64[4], per_128[4], p_inverse, twice_p[4];
} adx_constants = {SPC__FR_P, SPC__FR_PER_64, SPC__FR_PER_128, SPC__FR_P_INVERSE, SPC__FR_2P};
#define ADX_P         "%[constants]"
#define ADX_PER_64    "32+%[constants]"
#define ADX_PER_128   "64+%[constants]"
#define ADX_P_INVERSE "96+%[constants]"
#define ADX_2P(word)  "104+" word "+%[constants]"

/* The first row: t0 to t4 = rdx times four words at `at`. */
#define ADX_FIRST(at, t0, t1, t2, t3, t4)                                                          \
  "mulx 0+" at ",%%" t0 ",%%" t1 "\n"                                                              \
  "mulx 8+" at ",%%rax,%%" t2 "\n"                                                                 \
  "add %%rax,%%" t1 "\n"                                                                           \
  "mulx 16+" at ",%%rax,%%" t3 "\n"                                                                \
  "adc %%rax,%%" t2 "\n"                                                                           \
  "mulx 24+" at ",%%rax,%%" t4 "\n"                                                                \
  "adc %%rax,%%" t3 "\n"                                                                           \
  "adc $0,%%" t4 "\n"

/* A row added to t0 to t4, with nothing carried out; both carry flags are clear before. */
#define ADX_CHAIN(at, t0, t1, t2, t3, t4)                                                          \
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

#define ADX_ROW(at, t0, t1, t2, t3, t4) "xor %%eax,%%eax\n" ADX_CHAIN(at, t0, t1, t2, t3, t4)
/* The same with a fifth limb that starts here. */
#define ADX_NEW(at, t0, t1, t2, t3, t4)                                                            \
  "xor %%" t4 "d,%%" t4 "d\n" ADX_CHAIN(at, t0, t1, t2, t3, t4)
/* The same with the carries going on into a sixth limb. */
#define ADX_LONG(at, t0, t1, t2, t3, t4, t5)                                                       \
  ADX_ROW(at, t0, t1, t2, t3, t4)                                                                  \
  "adox %%rax,%%" t5 "\n"                                                                          \
  "adcx %%rax,%%" t5 "\n"
/* rdx = the quotient that clears t0. */
#define ADX_QUOTIENT(t0) "mov " ADX_P_INVERSE ",%%rdx\nimul %%" t0 ",%%rdx\n"

/* The product of four limbs at rsi and four at rcx in r8 to r15, and limbs 0 and 1 folded. */
#define ADX_PRODUCT                                                                                                                                                                \
  "mov 0(%%rsi),%%rdx\n" ADX_FIRST(                                                                                                                                                \
      "0(%%rcx)", "r8", "r9", "r10", "r11",                                                                                                                                        \
      "r12") "mov 8(%%rsi),%%rdx\n" ADX_NEW("0(%%rcx)", "r9", "r10", "r11", "r12",                                                                                                 \
                                            "r13") "mov 16(%%rsi),%%rdx\n" ADX_NEW("0(%%rcx)",                                                                                     \
                                                                                   "r10", "r11",                                                                                   \
                                                                                   "r12", "r13",                                                                                   \
                                                                                   "r14") "mov "                                                                                   \
                                                                                          "%%r8,%"                                                                                 \
                                                                                          "%rdx"                                                                                   \
                                                                                          "\n" ADX_ROW(ADX_PER_128, "r10", "r11", "r12", "r13", "r14") "mov %%r9,%%rdx\n" ADX_ROW( \
                                                                                              ADX_PER_64,                                                                          \
                                                                                              "r1"                                                                                 \
                                                                                              "0",                                                                                 \
                                                                                              "r1"                                                                                 \
                                                                                              "1",                                                                                 \
                                                                                              "r1"                                                                                 \
                                                                                              "2",                                                                                 \
                                                                                              "r1"                                                                                 \
                                                                                              "3",                                                                                 \
                                                                                              "r1"                                                                                 \
                                                                                              "4") "mov 24(%%rsi),%%rdx\n" ADX_NEW("0(%%rcx)",                                     \
                                                                                                                                   "r11",                                          \
                                                                                                                                   "r12",                                          \
                                                                                                                                   "r13",                                          \
                                                                                                                                   "r14",                                          \
                                                                                                                                   "r15")

/* The same for the square: products of different limbs, twice, and squares. */
#define ADX_SQUARE                                                                                 \
  "mov 0(%%rsi),%%rdx\n"                                                                           \
  "mulx 8(%%rsi),%%r9,%%r10\n"                                                                     \
  "mulx 16(%%rsi),%%rax,%%r11\n"                                                                   \
  "mulx 24(%%rsi),%%rbx,%%r12\n"                                                                   \
  "add %%rax,%%r10\n"                                                                              \
  "adc %%rbx,%%r11\n"                                                                              \
  "adc $0,%%r12\n"                                                                                 \
  "mov 8(%%rsi),%%rdx\n"                                                                           \
  "xor %%r14d,%%r14d\n"                                                                            \
  "mulx 16(%%rsi),%%rax,%%rbx\n"                                                                   \
  "adcx %%rax,%%r11\n"                                                                             \
  "adox %%rbx,%%r12\n"                                                                             \
  "mulx 24(%%rsi),%%rax,%%r13\n"                                                                   \
  "adcx %%rax,%%r12\n"                                                                             \
  "adox %%r14,%%r13\n"                                                                             \
  "adcx %%r14,%%r13\n"                                                                             \
  "mov 16(%%rsi),%%rdx\n"                                                                          \
  "mulx 24(%%rsi),%%rax,%%r14\n"                                                                   \
  "add %%rax,%%r13\n"                                                                              \
  "adc $0,%%r14\n"                                                                                 \
  "mov 0(%%rsi),%%rdx\n"                                                                           \
  "xor %%r15d,%%r15d\n"                                                                            \
  "mulx %%rdx,%%r8,%%rax\n"                                                                        \
  "adcx %%r9,%%r9\n"                                                                               \
  "adox %%rax,%%r9\n" ADX_TWICE("8(%%rsi)", "r10", "r11") ADX_TWICE("16(%%rsi)", "r12", "r13")     \
      ADX_TWICE("24(%%rsi)", "r14", "r15") "mov %%r8,%%rdx\n" ADX_LONG(                            \
          ADX_PER_128, "r10", "r11", "r12", "r13", "r14",                                          \
          "r15") "mov %%r9,%%rdx\n" ADX_LONG(ADX_PER_64, "r10", "r11", "r12", "r13", "r14", "r15")

#define ADX_TWICE(limb, t0, t1)                                                                    \
  "mov " limb ",%%rdx\n"                                                                           \
  "mulx %%rdx,%%rax,%%rbx\n"                                                                       \
  "adcx %%" t0 ",%%" t0 "\n"                                                                       \
  "adox %%rax,%%" t0 "\n"                                                                          \
  "adcx %%" t1 ",%%" t1 "\n"                                                                       \
  "adox %%rbx,%%" t1 "\n"

/* Adds the four limbs behind those at rcx to r12 to r15. */
#define ADX_ADD                                                                                    \
  "add 32(%%rcx),%%r12\n"                                                                          \
  "adc 40(%%rcx),%%r13\n"                                                                          \
  "adc 48(%%rcx),%%r14\n"                                                                          \
  "adc 56(%%rcx),%%r15\n"

/* Montgomery's rows for r10 and r11; the result is in r12 to r15. */
#define ADX_FINISH                                                                                 \
  ADX_QUOTIENT("r10")                                                                              \
  ADX_LONG(ADX_P, "r10", "r11", "r12", "r13", "r14", "r15")                                        \
  ADX_QUOTIENT("r11")                                                                              \
  ADX_ROW(ADX_P, "r11", "r12", "r13", "r14", "r15")

/* Takes 2p off r12 to r15 where they are not below it. */
#define ADX_SUBTRACT                                                                               \
  "mov %%r12,%%r8\n"                                                                               \
  "mov %%r13,%%r9\n"                                                                               \
  "mov %%r14,%%r10\n"                                                                              \
  "mov %%r15,%%r11\n"                                                                              \
  "sub " ADX_2P("0") ",%%r8\n"                                                                     \
                     "sbb " ADX_2P("8") ",%%r9\n"                                                  \
                                        "sbb " ADX_2P("16") ",%%r10\n"                             \
                                                            "sbb " ADX_2P(                         \
                                                                "24") ",%%r11\n"                   \
                                                                      "cmovnc %%r8,%%r12\n"        \
                                                                      "cmovnc %%r9,%%r13\n"        \
                                                                      "cmovnc %%r10,%%r14\n"       \
                                                                      "cmovnc %%r11,%%r15\n"

#define ADX_STORE                                                                                  \
  "mov %%r12,0(%%rdi)\n"                                                                           \
  "mov %%r13,8(%%rdi)\n"                                                                           \
  "mov %%r14,16(%%rdi)\n"                                                                          \
  "mov %%r15,24(%%rdi)\n"

#define ADX_CLOBBERS                                                                               \
  "rax", "rbx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory"

static SPC__FR_NOINLINE void adx_mul(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  __asm__(ADX_PRODUCT ADX_FINISH ADX_STORE
          :
          : "D"(out), "S"(a), "c"(b), [constants] "m"(adx_constants)
          : ADX_CLOBBERS);
}

/* out = a b[0] + b[1] */
static SPC__FR_NOINLINE void adx_mul_add(spc__fr *out, const spc__fr *a, const spc__fr b[2]) {
  __asm__(ADX_PRODUCT ADX_ADD ADX_FINISH ADX_SUBTRACT ADX_STORE
          :
          : "D"(out), "S"(a), "c"(b), [constants] "m"(adx_constants)
          : ADX_CLOBBERS);
  spc__fr_check_loose(out);
}

static SPC__FR_NOINLINE void adx_sqr(spc__fr *out, const spc__fr *a) {
  __asm__(ADX_SQUARE ADX_FINISH ADX_STORE
          :
          : "D"(out), "S"(a), [constants] "m"(adx_constants)
          : ADX_CLOBBERS);
}

/* A limb of three numbers at rsi and three at rcx, downwards, times six constants at `by`. */
#define ADX_STAGE(limb, t0, t1, t2, t3, t4)                                                        \
  ADX_TERM(limb, "-64(%%rsi)", "64(%[by])", t0, t1, t2, t3, t4)                                    \
  ADX_TERM(limb, "-32(%%rsi)", "32(%[by])", t0, t1, t2, t3, t4)                                    \
  ADX_TERM(limb, "(%%rsi)", "0(%[by])", t0, t1, t2, t3, t4)                                        \
  ADX_TERM(limb, "-64(%%rcx)", "160(%[by])", t0, t1, t2, t3, t4)                                   \
  ADX_TERM(limb, "-32(%%rcx)", "128(%[by])", t0, t1, t2, t3, t4)                                   \
  ADX_TERM(limb, "(%%rcx)", "96(%[by])", t0, t1, t2, t3, t4)                                       \
  ADX_QUOTIENT(t0) ADX_ROW(ADX_P, t0, t1, t2, t3, t4)

#define ADX_TERM(limb, at, by, t0, t1, t2, t3, t4)                                                 \
  "mov " limb at ",%%rdx\n" ADX_ROW(by, t0, t1, t2, t3, t4)

/* The halves of a dot product: a stage leaves its lowest limb zero, which is the next one's top. */
static SPC__FR_NOINLINE void adx_dot_low(uint64_t window[4], const spc__fr *v, const spc__fr *s,
                                         const spc__fr by[6]) {
  register uint64_t t2 __asm__("r10"), t3 __asm__("r11"), t4 __asm__("r12"), t5 __asm__("r13");
  __asm__("xor %%r8d,%%r8d\n"
          "xor %%r9d,%%r9d\n"
          "xor %%r10d,%%r10d\n"
          "xor %%r11d,%%r11d\n"
          "xor %%r12d,%%r12d\n" ADX_STAGE(
              "0", "r8", "r9", "r10", "r11",
              "r12") "xor %%r13d,%%r13d\n" ADX_STAGE("8", "r9", "r10", "r11", "r12", "r13")
          : "=&r"(t2), "=&r"(t3), "=&r"(t4), "=&r"(t5)
          : [by] "r"(by), "S"(v), "c"(s), [constants] "m"(adx_constants)
          : "rax", "rbx", "rdx", "r8", "r9", "cc", "memory");
  window[0] = t2;
  window[1] = t3;
  window[2] = t4;
  window[3] = t5;
}

static SPC__FR_NOINLINE void adx_dot_high(spc__fr *out, const uint64_t window[4], const spc__fr *v,
                                          const spc__fr *s, const spc__fr by[6],
                                          const spc__fr *added) {
  register uint64_t t2 __asm__("r10") = window[0], t3 __asm__("r11") = window[1];
  register uint64_t t4 __asm__("r12") = window[2], t5 __asm__("r13") = window[3];
  __asm__("xor %%r8d,%%r8d\n"
          "xor %%r9d,%%r9d\n" ADX_STAGE("16", "r10", "r11", "r12", "r13", "r8")
              ADX_STAGE("24", "r11", "r12", "r13", "r8", "r9") "mov %%r8,%%r10\n"
                                                               "mov %%r9,%%r11\n"
          : "+&r"(t2), "+&r"(t3), "+&r"(t4), "+&r"(t5)
          : [by] "r"(by), "S"(v), "c"(s), [constants] "m"(adx_constants)
          : "rax", "rbx", "rdx", "r8", "r9", "cc", "memory");
  const spc__fr sum = {{t4, t5, t2, t3}};
  uint64_t limbs[5] = {0};
  spc__u128 carry = 0;
  SPC__FR_UNROLL
  for (int i = 0; i < 4; i++) {
    carry += (spc__u128)sum.l[i] + added->l[i];
    limbs[i] = (uint64_t)carry;
    carry >>= 64;
  }
  SPC__FR_CHECK(carry == 0);
  spc__fr_reduce_sum(out, limbs);
}

static void adx_dot(spc__fr *out, const spc__fr *v, const spc__fr *s, const spc__fr by[6],
                    const spc__fr *added) {
  uint64_t window[4];
  adx_dot_low(window, v, s, by);
  adx_dot_high(out, window, v, s, by, added);
}

static void adx_full_rounds(spc__fr x[4], const spc__fr (*constants)[4]) {
  for (int r = 0; r < 4; r++) {
    for (int i = 0; i < 4; i++) {
      spc__fr power;
      adx_sqr(&power, &x[i]);
      adx_sqr(&power, &power);
      adx_mul(&x[i], &power, &x[i]);
    }
    spc__fr_external(x, constants[r]);
  }
}

static void adx_partial_rounds(spc__fr x[4]) {
  /* v[-3] to v[55] and s[-2] to s[56], so that history is an address. */
  spc__fr vs[ADX_PARTIAL + 3], ss[ADX_PARTIAL + 3];
  spc__fr *v = vs + 2, *s = ss + 2, input;
  const spc__fr lanes[3] = {x[3], x[2], x[1]};
  for (int i = 0; i < 3; i++) {
    const spc__fr by[6] = {spc__p2_entry[i][0], spc__p2_entry[i][1], spc__p2_entry[i][2]};
    adx_dot(v - i, lanes + 2, lanes + 2, by, &by[3]);
    *(s - i) = *(v - i);
  }

  adx_mul(&input, &x[0], &spc__p2_k);
  for (int r = 0; r < ADX_PARTIAL; r++) {
    spc__fr power, operands[2];
    uint64_t window[4];
    spc__fr_double(&operands[0], &input);
    adx_sqr(&power, &input);
    adx_dot_low(window, v, s, spc__p2_taps);
    adx_sqr(&power, &power);
    adx_dot_high(v + 1, window, v, s, spc__p2_taps, &spc__p2_added[r]);
    operands[1] = *++v;
    adx_mul_add(&input, &power, operands);
    *++s = input;
  }

  adx_mul(&x[0], s, &spc__p2_per_k);
  spc__fr_add(&x[0], &x[0], &spc__p2_rounds[5][0]);
  for (int i = 0; i < 3; i++)
    adx_dot(&x[1 + i], v, s, spc__p2_exit[i], &spc__p2_rounds[5][1 + i]);
}

static void adx_absorb(spc__fr state[4], const uint8_t *fields, size_t permutations) {
  static const spc__fr r2 = {SPC__FR_R2};
  for (; permutations > 0; permutations--) {
    for (int i = 0; i < 3; i++, fields += SPC__FR_BYTES) {
      spc__fr field;
      for (int j = 0; j < 4; j++)
        field.l[j] = spc__load64_be(fields + 8 * (3 - j));
      adx_mul(&field, &field, &r2);
      spc__fr_add(&state[i], &state[i], &field);
    }
    spc__fr_external(state, spc__p2_rounds[0]);
    adx_full_rounds(state, &spc__p2_rounds[1]);
    adx_partial_rounds(state);
    adx_full_rounds(state, &spc__p2_rounds[6]);
  }
}

const spc__poseidon2_kernel spc__poseidon2_adx = {
    .name = "adx", .features = SPC__CPU_BMI2_ADX, .lanes = 1, .absorb = adx_absorb};

#undef ADX_PARTIAL
#undef ADX_P
#undef ADX_PER_64
#undef ADX_PER_128
#undef ADX_P_INVERSE
#undef ADX_2P
#undef ADX_FIRST
#undef ADX_CHAIN
#undef ADX_ROW
#undef ADX_NEW
#undef ADX_LONG
#undef ADX_QUOTIENT
#undef ADX_PRODUCT
#undef ADX_SQUARE
#undef ADX_TWICE
#undef ADX_ADD
#undef ADX_FINISH
#undef ADX_SUBTRACT
#undef ADX_STORE
#undef ADX_CLOBBERS
#undef ADX_STAGE
#undef ADX_TERM

#endif
