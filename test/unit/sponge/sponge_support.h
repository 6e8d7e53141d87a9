/* What the sponge tests share: field elements as bytes, and running a test on every kernel. */
#ifndef SPC_TEST_UNIT_SPONGE_SPONGE_SUPPORT_H
#define SPC_TEST_UNIT_SPONGE_SPONGE_SUPPORT_H

#include "sponge/poseidon2_kernel.h"
#include "support/test.h"
#include "textbook.h"

static inline void support_field(uint8_t out[32], uint64_t value) {
  memset(out, 0, 32);
  for (int i = 0; i < 8; i++)
    out[31 - i] = (uint8_t)(value >> 8 * i);
}

/* start, start + 1, ... */
static inline void support_counting_fields(uint8_t *out, uint64_t start, size_t count) {
  for (size_t i = 0; i < count; i++)
    support_field(out + 32 * i, start + i);
}

static inline void support_random_fields(uint64_t *seed, uint8_t *out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    test_random_bytes(seed, out + 32 * i, 32);
    textbook_int value = textbook_from_bytes(out + 32 * i);
    textbook_to_bytes(out + 32 * i, &value);
  }
}

/*
 * Runs a test with each kernel of this build forced in turn, or only with the one of that name, and
 * says which can't run here.
 */
static inline void support_each_kernel(void (*run)(void), const char *name) {
  bool found = false;
  for (size_t i = 0; spc__poseidon2_kernels[i] != NULL; i++) {
    const spc__poseidon2_kernel *kernel = spc__poseidon2_kernels[i];
    if (name != NULL && strcmp(name, kernel->name) != 0) continue;
    found = true;
    bool single = kernel->lanes == 1;
    if (!spc__poseidon2_force(single ? kernel->name : NULL, single ? "none" : kernel->name)) {
      test_skip(kernel->name, "this processor lacks its instructions");
      continue;
    }
    unsigned failures = test_failures;
    run();
    if (test_failures != failures) fprintf(stderr, "with kernel %s\n", kernel->name);
  }
  if (name != NULL && !found) test_skip(name, "not in this build");
  spc__poseidon2_force(NULL, NULL);
}

#endif
