/*
 * Kernels of the Poseidon2 permutation. Their input is checked by the caller: field elements are
 * 32 bytes, big-endian, canonical. A kernel keeps nothing between calls.
 *
 * There are two kinds. A single-stream kernel has `absorb`, on a state in the representation of
 * field/fr.h, which all of them share, and `permute` where its own representation is another one. A
 * batch kernel has `permute` and `hash`, which always get whole groups of `lanes` states or
 * messages.
 */
#ifndef SPC_SPONGE_POSEIDON2_KERNEL_H
#define SPC_SPONGE_POSEIDON2_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "field/fr.h"

typedef struct spc__poseidon2_kernel {
  const char *name;
  uint32_t features; /* SPC__CPU_* that it needs */
  uint32_t lanes;    /* 1: a single-stream kernel; more: a batch kernel */

  /* `permutations` times: adds the next three field elements to state[0..2], then permutes. */
  void (*absorb)(spc__fr state[4], const uint8_t *fields, size_t permutations);

  /* Permutes lanes * groups states of 128 bytes; `out` may be equal to `in`. */
  void (*permute)(uint8_t *out, const uint8_t *in, size_t groups);

  /*
   * Hashes lanes * groups messages of `length` field elements each (not 0). `out` may be equal to
   * `fields`: the output of a group is written after its input is read.
   */
  void (*hash)(uint8_t *out, const uint8_t *fields, size_t length, size_t groups);
} spc__poseidon2_kernel;

extern const spc__poseidon2_kernel spc__poseidon2_portable;
#if SPC__FIELD_X86
extern const spc__poseidon2_kernel spc__poseidon2_adx, spc__poseidon2_ifma, spc__poseidon2_ifma_x4,
    spc__poseidon2_ifma_x8, spc__poseidon2_avx2_x4;
#endif
#ifdef __wasm_relaxed_simd__
extern const spc__poseidon2_kernel spc__poseidon2_relaxed, spc__poseidon2_relaxed_x2;
#endif

/* All kernels of this build, best first in each kind; ends with NULL. */
extern const spc__poseidon2_kernel *const spc__poseidon2_kernels[];

/* The single-stream kernel to use. */
const spc__poseidon2_kernel *spc__poseidon2_single(void);

/* The best batch kernel with at most `count` lanes, or NULL. */
const spc__poseidon2_kernel *spc__poseidon2_batch(size_t count);

/*
 * For tests and benchmarks: uses only the kernel of that name in each kind, until the next call.
 * NULL is the automatic choice, and "none" as `batch` does without batch kernels. False, and
 * nothing changed, when there is no such kernel or this processor can't run it.
 */
bool spc__poseidon2_force(const char *single, const char *batch);

#endif
