/*
 * Processor features. On x86-64 the AVX families count only where the operating system saves
 * their registers (OSXSAVE and XCR0), as CPUID alone says nothing about that. AArch64 has no
 * unprivileged CPUID: there it is what the compiler was told to assume, or what Linux says in the
 * auxiliary vector that every process has in its memory. A C library without getauxval leaves the
 * weak reference NULL. In Wasm the code is the proof that its instructions exist, but not of what
 * the relaxed ones do.
 */
#include "base/cpu.h"

#include <stdatomic.h>

#if defined(__x86_64__)
#include <cpuid.h>

#define XCR0_AVX    0x06u
#define XCR0_AVX512 0xe6u

static uint32_t cpu_xcr0(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static uint32_t cpu_detect(void) {
  uint32_t a, b, c, d, b7, c7, d7;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  uint32_t c1 = c;
  if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d7)) return 0;
  uint32_t features = 0;
  uint32_t xcr0 = (c1 & (1u << 27)) != 0 ? cpu_xcr0() : 0;
  if ((b7 & (1u << 8)) != 0 && (b7 & (1u << 19)) != 0) features |= SPC__CPU_BMI2_ADX;
  if ((b7 & (1u << 29)) != 0 && (c1 & (1u << 9)) != 0 && (c1 & (1u << 19)) != 0)
    features |= SPC__CPU_SHA_NI;
  if ((xcr0 & XCR0_AVX) == XCR0_AVX && (b7 & (1u << 5)) != 0 && (c1 & (1u << 12)) != 0)
    features |= SPC__CPU_AVX2_FMA;
  const uint32_t avx512 = (1u << 16) | (1u << 17) | (1u << 30) | (1u << 31); /* F DQ BW VL */
  if ((xcr0 & XCR0_AVX512) == XCR0_AVX512 && (b7 & avx512) == avx512) {
    features |= SPC__CPU_AVX512;
    if ((b7 & (1u << 21)) != 0) features |= SPC__CPU_AVX512_IFMA;
  }
  return features;
}
#elif defined(__ARM_FEATURE_SHA2) || defined(__ARM_FEATURE_CRYPTO)
static uint32_t cpu_detect(void) {
  return SPC__CPU_ARM_SHA2;
}
#elif defined(__aarch64__) && defined(__linux__)
#define AT_HWCAP   16u
#define HWCAP_SHA2 (1u << 6)

extern unsigned long getauxval(unsigned long type) __attribute__((weak));

static uint32_t cpu_detect(void) {
  if (getauxval == 0) return 0;
  return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0 ? SPC__CPU_ARM_SHA2 : 0;
}
#elif defined(__wasm_relaxed_simd__)
#include <wasm_simd128.h>

/* Exactly it is 2^-60, and 0 if the square is rounded. */
static uint32_t cpu_detect(void) {
  volatile double factor = 1 + 0x1p-30, rounded_square = 1 + 0x1p-29;
  v128_t a = wasm_f64x2_splat(factor), c = wasm_f64x2_splat(-rounded_square);
  v128_t rest = wasm_f64x2_eq(wasm_f64x2_relaxed_madd(a, a, c), wasm_f64x2_splat(0x1p-60));
  return wasm_i64x2_all_true(rest) ? SPC__CPU_FUSED_MADD : 0;
}
#else
static uint32_t cpu_detect(void) {
  return 0;
}
#endif

#define CPU_KNOWN (1u << 31) /* set once the rest of the word is valid */

static _Atomic uint32_t cpu_cache;

uint32_t spc__cpu_features(void) {
  uint32_t cached = atomic_load_explicit(&cpu_cache, memory_order_relaxed);
  if ((cached & CPU_KNOWN) == 0) {
    cached = cpu_detect() | CPU_KNOWN;
    atomic_store_explicit(&cpu_cache, cached, memory_order_relaxed);
  }
  return cached & ~CPU_KNOWN;
}
