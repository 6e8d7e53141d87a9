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
/*
 * As spc_sha256_pairs, but a kernel of several lanes takes only whole groups of so many messages,
 * and one of one lane lets the digest of a single message overlap that message in any way.
 */
typedef void spc__sha256_pairs_fn(uint8_t *out, const uint8_t *in, size_t count);

spc__sha256_blocks_fn spc__sha256_blocks_portable;
spc__sha256_pairs_fn spc__sha256_pairs_portable;
#if defined(__x86_64__)
spc__sha256_blocks_fn spc__sha256_blocks_shani;
spc__sha256_pairs_fn spc__sha256_pairs_shani;
spc__sha256_pairs_fn spc__sha256_pairs_avx2_x8;
spc__sha256_pairs_fn spc__sha256_pairs_avx512_x16;
#endif
#if defined(__aarch64__)
spc__sha256_blocks_fn spc__sha256_blocks_armv8;
spc__sha256_pairs_fn spc__sha256_pairs_armv8;
#endif
#if defined(__wasm_simd128__)
spc__sha256_pairs_fn spc__sha256_pairs_simd128_x4;
#endif

#define SPC__SHA256_MAX_LANES 16

/* One way to do all of SHA-256: functions that go well together. */
typedef struct spc__sha256_kernel {
  const char *name;
  uint32_t features;             /* SPC__CPU_* that it needs */
  spc__sha256_blocks_fn *blocks; /* streams */
  spc__sha256_pairs_fn *single;  /* pairs, one lane */
  spc__sha256_pairs_fn *many;    /* pairs, `lanes` at a time; NULL where lanes is 0 */
  uint32_t lanes;
  uint32_t fill_from; /* so many messages that are left over go through `many` in a filled group */
} spc__sha256_kernel;

/* As spc_sha256_pairs, by that kernel. */
void spc__sha256_pairs_by(const spc__sha256_kernel *kernel, uint8_t *out, const uint8_t *in,
                          size_t count);

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
