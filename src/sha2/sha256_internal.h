/*
 * What the SHA-256 kernels share, and the table of them for dispatch, tests and benchmarks.
 */
#ifndef SPC_SHA2_SHA256_INTERNAL_H
#define SPC_SHA2_SHA256_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Else references to the tables would go through the global offset table. */
#pragma GCC visibility push(hidden)

extern const uint32_t spc__sha256_iv[8];
extern const uint32_t spc__sha256_k[64];
/* spc__sha256_k plus the message schedule of the padding block of a 64-byte message. */
extern const uint32_t spc__sha256_k_padding[64];

/* Compresses `blocks` blocks of 64 bytes into a state. */
typedef void spc__sha256_blocks_fn(uint32_t state[8], const uint8_t *in, size_t blocks);
/* As spc_sha256_pairs; where `count` is 1, `out` may overlap `in` in any way. */
typedef void spc__sha256_pairs_fn(uint8_t *out, const uint8_t *in, size_t count);

spc__sha256_blocks_fn spc__sha256_blocks_portable;
spc__sha256_pairs_fn spc__sha256_pairs_portable;

/* One way to do all of SHA-256. */
typedef struct spc__sha256_kernel {
  const char *name;
  uint32_t features; /* SPC__CPU_* that it needs */
  spc__sha256_blocks_fn *blocks;
  spc__sha256_pairs_fn *pairs;
} spc__sha256_kernel;

/* The kernels of this build, best first; the last one runs everywhere. */
const spc__sha256_kernel *spc__sha256_kernels(size_t *count);

/* The kernel in use: the first one that the processor has, unless one was forced. */
const spc__sha256_kernel *spc__sha256_chosen(void);

/*
 * Uses the kernel of that name from now on, or chooses again where `name` is NULL. False, and
 * nothing changes, where this build or this processor has no such kernel.
 */
bool spc__sha256_force(const char *name);

#pragma GCC visibility pop

#endif
