/* The functions of fr_adx.h that are not in line, and dot products. */
#include "field/fr_adx.h"

#if SPC__FIELD_X86

void spc__fr_adx_mul(spc__fr *out, const spc__fr *a, const spc__fr *b) {
  spc__fr_adx_mul_inline(out, a, b);
}

void spc__fr_adx_sqr(spc__fr *out, const spc__fr *a) {
  spc__fr_adx_sqr_inline(out, a);
}

void spc__fr_adx_sqr_add(spc__fr *out, const spc__fr *a, const spc__fr *c) {
  spc__fr_adx_sqr_add_inline(out, a, c);
}

void spc__fr_adx_mul_add(spc__fr *out, const spc__fr *a, const spc__fr b[2]) {
  spc__fr_adx_mul_add_inline(out, a, b);
}

/* A limb of three numbers at rsi and three at rcx, downwards, times six constants at `by`. */
#define ADX_STAGE(limb, t0, t1, t2, t3, t4)                                                        \
  ADX_TERM(limb, "-64(%%rsi)", "64(%[by])", t0, t1, t2, t3, t4)                                    \
  ADX_TERM(limb, "-32(%%rsi)", "32(%[by])", t0, t1, t2, t3, t4)                                    \
  ADX_TERM(limb, "(%%rsi)", "0(%[by])", t0, t1, t2, t3, t4)                                        \
  ADX_TERM(limb, "-64(%%rcx)", "160(%[by])", t0, t1, t2, t3, t4)                                   \
  ADX_TERM(limb, "-32(%%rcx)", "128(%[by])", t0, t1, t2, t3, t4)                                   \
  ADX_TERM(limb, "(%%rcx)", "96(%[by])", t0, t1, t2, t3, t4)                                       \
  SPC__ADX_QUOTIENT(t0) SPC__ADX_ROW(SPC__ADX_P, t0, t1, t2, t3, t4)

#define ADX_TERM(limb, at, by, t0, t1, t2, t3, t4)                                                 \
  SPC__ADX_TAKE(limb at)                                                                           \
  SPC__ADX_ROW(by, t0, t1, t2, t3, t4)

/*
 * The halves of a dot product: a stage leaves its lowest limb zero, which is the next one's top.
 * Between the assembly and the variables in registers of their own there is no access to memory:
 * for that a sanitizer calls a function, which may use these registers.
 */
void spc__fr_adx_dot_low(uint64_t window[4], const spc__fr *w, const spc__fr *s,
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
          : [by] "r"(by), "S"(w), "c"(s), [constants] "m"(spc__adx_constants)
          : "rax", "rbx", "rdx", "r8", "r9", "cc", "memory");
  const uint64_t w2 = t2, w3 = t3, w4 = t4, w5 = t5;
  window[0] = w2;
  window[1] = w3;
  window[2] = w4;
  window[3] = w5;
}

void spc__fr_adx_dot_high(spc__fr *out, const uint64_t window[4], const spc__fr *w,
                          const spc__fr *s, const spc__fr by[6], const spc__fr *added) {
  const uint64_t w2 = window[0], w3 = window[1], w4 = window[2], w5 = window[3];
  register uint64_t t2 __asm__("r10") = w2, t3 __asm__("r11") = w3;
  register uint64_t t4 __asm__("r12") = w4, t5 __asm__("r13") = w5;
  __asm__("xor %%r8d,%%r8d\n"
          "xor %%r9d,%%r9d\n" ADX_STAGE("16", "r10", "r11", "r12", "r13", "r8")
              ADX_STAGE("24", "r11", "r12", "r13", "r8", "r9") "mov %%r8,%%r10\n"
                                                               "mov %%r9,%%r11\n"
          : "+&r"(t2), "+&r"(t3), "+&r"(t4), "+&r"(t5)
          : [by] "r"(by), "S"(w), "c"(s), [constants] "m"(spc__adx_constants)
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

#undef ADX_STAGE
#undef ADX_TERM

#endif
