/*
 * The choice of the SHA-256 kernel: the first one in the table whose processor features are all
 * there. The choice is cached in an atomic pointer; it never changes unless a test or a benchmark
 * forces a kernel, so concurrent first calls are harmless.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/cpu.h"
#include "sha2/sha256_internal.h"

/*
 * Sixteen lanes of AVX-512 take 94 cycles a hash on Sapphire Rapids, where SHA-NI takes 192; on
 * Zen 4 they are ahead by a tenth. So a group that has to be filled pays from 8 left-over messages
 * on the one and from 15 on the other, and 12 is between. Next to the portable function it pays
 * from 2.
 */
/* clang-format off */
static const spc__sha256_kernel dispatch_kernels[] = {
#if defined(__x86_64__)
    {"avx512-x16+shani", SPC__CPU_AVX512 | SPC__CPU_SHA_NI, spc__sha256_blocks_shani,
     spc__sha256_pairs_shani, spc__sha256_pairs_avx512_x16, 16, 12},
    {"shani", SPC__CPU_SHA_NI, spc__sha256_blocks_shani, spc__sha256_pairs_shani, NULL, 0, 0},
    {"avx512-x16", SPC__CPU_AVX512, spc__sha256_blocks_portable, spc__sha256_pairs_portable,
     spc__sha256_pairs_avx512_x16, 16, 2},
    {"avx2-x8", SPC__CPU_AVX2_FMA, spc__sha256_blocks_portable, spc__sha256_pairs_portable,
     spc__sha256_pairs_avx2_x8, 8, 2},
#elif defined(__aarch64__)
    {"armv8", SPC__CPU_ARM_SHA2, spc__sha256_blocks_armv8, spc__sha256_pairs_armv8, NULL, 0, 0},
#elif defined(__wasm_simd128__)
    {"simd128-x4", 0, spc__sha256_blocks_portable, spc__sha256_pairs_portable,
     spc__sha256_pairs_simd128_x4, 4, 2},
#endif
    {"portable", 0, spc__sha256_blocks_portable, spc__sha256_pairs_portable, NULL, 0, 0},
};
/* clang-format on */

#define DISPATCH_COUNT (sizeof dispatch_kernels / sizeof dispatch_kernels[0])

static _Atomic(const spc__sha256_kernel *) dispatch_cache;

static bool dispatch_has(const spc__sha256_kernel *kernel) {
  return (kernel->features & ~spc__cpu_features()) == 0;
}

const spc__sha256_kernel *spc__sha256_kernels(size_t *count) {
  *count = DISPATCH_COUNT;
  return dispatch_kernels;
}

const spc__sha256_kernel *spc__sha256_chosen(void) {
  const spc__sha256_kernel *kernel = atomic_load_explicit(&dispatch_cache, memory_order_relaxed);
  if (kernel == NULL) {
    kernel = dispatch_kernels;
    while (!dispatch_has(kernel))
      kernel++;
    atomic_store_explicit(&dispatch_cache, kernel, memory_order_relaxed);
  }
  return kernel;
}

bool spc__sha256_force(const char *name) {
  const spc__sha256_kernel *kernel = NULL;
  if (name != NULL) {
    for (size_t i = 0; i < DISPATCH_COUNT && kernel == NULL; i++)
      if (strcmp(dispatch_kernels[i].name, name) == 0) kernel = &dispatch_kernels[i];
    if (kernel == NULL || !dispatch_has(kernel)) return false;
  }
  atomic_store_explicit(&dispatch_cache, kernel, memory_order_relaxed);
  return true;
}

#undef DISPATCH_COUNT
