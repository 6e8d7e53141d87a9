/*
 * Which kernel runs. The kernels that this processor has are found on first use and cached as a bit
 * mask in an atomic; concurrent first uses find the same. A choice is then the first kernel of the
 * list that is in the mask and has the right number of lanes.
 *
 * AArch64 has the portable kernel alone. It takes 114 000 instructions a permutation there (counted
 * by qemu -singlestep), as an instruction gives either half of a product of 64 bits. NEON's widest
 * products are those of two doubles, and two states take the instructions that four take with AVX2,
 * 257 000 (counted by callgrind): no fewer for each state.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/cpu.h"
#include "sponge/poseidon2_kernel.h"

const spc__poseidon2_kernel *const spc__poseidon2_kernels[] = {
#ifdef __wasm_relaxed_simd__
    &spc__poseidon2_relaxed,  &spc__poseidon2_relaxed_x2,
#endif
#if SPC__FIELD_X86
    &spc__poseidon2_ifma_x8,  &spc__poseidon2_ifma_x4,
    &spc__poseidon2_avx2_x4,  &spc__poseidon2_ifma,
    &spc__poseidon2_adx,
#endif
    &spc__poseidon2_portable, NULL};

#define DISPATCH_KNOWN (1u << 31) /* set once the rest of the mask is valid */

static _Atomic uint32_t dispatch_mask;

static uint32_t dispatch_supported(void) {
  uint32_t features = spc__cpu_features(), mask = DISPATCH_KNOWN;
  for (uint32_t i = 0; spc__poseidon2_kernels[i] != NULL; i++) {
    uint32_t needed = spc__poseidon2_kernels[i]->features;
    if ((features & needed) == needed) mask |= 1u << i;
  }
  return mask;
}

/* The first kernel in use with `from` to `to` lanes. */
static const spc__poseidon2_kernel *dispatch_find(size_t from, size_t to) {
  uint32_t mask = atomic_load_explicit(&dispatch_mask, memory_order_relaxed);
  if (mask == 0) {
    mask = dispatch_supported();
    atomic_store_explicit(&dispatch_mask, mask, memory_order_relaxed);
  }
  for (uint32_t i = 0; spc__poseidon2_kernels[i] != NULL; i++) {
    const spc__poseidon2_kernel *kernel = spc__poseidon2_kernels[i];
    if ((mask >> i & 1) != 0 && kernel->lanes >= from && kernel->lanes <= to) return kernel;
  }
  return NULL;
}

const spc__poseidon2_kernel *spc__poseidon2_single(void) {
  return dispatch_find(1, 1);
}

const spc__poseidon2_kernel *spc__poseidon2_batch(size_t count) {
  return dispatch_find(2, count);
}

bool spc__poseidon2_force(const char *single, const char *batch) {
  uint32_t mask = DISPATCH_KNOWN;
  bool have_single = single == NULL, have_batch = batch == NULL || strcmp(batch, "none") == 0;
  for (uint32_t i = 0; spc__poseidon2_kernels[i] != NULL; i++) {
    const spc__poseidon2_kernel *kernel = spc__poseidon2_kernels[i];
    const char *name = kernel->lanes == 1 ? single : batch;
    if ((dispatch_supported() >> i & 1) == 0) continue;
    if (name != NULL && strcmp(name, kernel->name) != 0) continue;
    mask |= 1u << i;
    if (kernel->lanes == 1)
      have_single = true;
    else
      have_batch = true;
  }
  if (!have_single || !have_batch) return false;
  atomic_store_explicit(&dispatch_mask, mask, memory_order_relaxed);
  return true;
}
