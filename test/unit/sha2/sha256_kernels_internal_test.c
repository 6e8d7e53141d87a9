/*
 * Every SHA-256 kernel of this build against the portable one and against the known answers, and
 * the choice among them. Uses internal headers of sha2.
 */
#include "base/cpu.h"
#include "sha2/sha256_internal.h"
#include "unit/sha2/sha256_messages.h"

enum { MOST = 70 };
static uint8_t messages[64 * MOST + 1], digests[32 * MOST];

static void the_padding_table_is_the_schedule_of_the_padding_block(void) {
  uint32_t w[64] = {0x80000000};
  w[15] = 64 * 8;
#define ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + w[i - 7] + (ROTATE(w[i - 15], 7) ^ ROTATE(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (ROTATE(w[i - 2], 17) ^ ROTATE(w[i - 2], 19) ^ w[i - 2] >> 10);
#undef ROTATE
  for (int i = 0; i < 64; i++)
    CHECK_U64(spc__sha256_k_padding[i], spc__sha256_k[i] + w[i]);
}

static void pairs_equal_the_portable_ones(const spc__sha256_kernel *kernel) {
  static uint8_t out[64 * MOST + 1];
  for (size_t count = 0; count <= MOST; count++) {
    memset(out, 0x55, sizeof out);
    spc__sha256_pairs_by(kernel, out, messages, count);
    CHECK_BYTES(out, digests, 32 * count);
    CHECK(out[32 * count] == 0x55);
    memcpy(out, messages, sizeof out);
    spc__sha256_pairs_by(kernel, out, out, count);
    CHECK_BYTES(out, digests, 32 * count);
    CHECK_BYTES(out + 32 * count, messages + 32 * count, sizeof out - 32 * count);
    /* At an odd address. */
    memcpy(out + 1, messages, 64 * count);
    spc__sha256_pairs_by(kernel, out + 1, out + 1, count);
    CHECK_BYTES(out + 1, digests, 32 * count);
  }
}

static void one_pair_may_overlap_its_digest(const spc__sha256_kernel *kernel) {
  uint8_t buffer[128 + 1];
  for (size_t at = 0; at <= 96; at++) {
    memcpy(buffer + 32, messages, 64);
    spc__sha256_pairs_by(kernel, buffer + at, buffer + 32, 1);
    CHECK_BYTES(buffer + at, digests, 32);
  }
}

static void blocks_equal_the_portable_ones(const spc__sha256_kernel *kernel) {
  uint64_t seed = 2;
  uint32_t state[8], expected[8];
  for (size_t count = 0; count <= MOST; count++) {
    for (int i = 0; i < 8; i++)
      expected[i] = (uint32_t)test_random(&seed);
    memcpy(state, expected, sizeof state);
    spc__sha256_blocks_portable(expected, messages + 1, count);
    kernel->blocks(state, messages + 1, count);
    CHECK_BYTES(state, expected, sizeof state);
  }
}

static void a_kernel_is_used_where_it_is_forced(const spc__sha256_kernel *kernel) {
  uint8_t out[SPC_SHA256_BYTES];
  CHECK(spc__sha256_force(kernel->name));
  CHECK(spc__sha256_chosen() == kernel);
  spc_sha256(out, messages, 64);
  CHECK_BYTES(out, digests, 32);
  CHECK(!spc__sha256_force("no such kernel"));
  CHECK(spc__sha256_chosen() == kernel);
}

static bool is_runnable(const spc__sha256_kernel *kernel) {
  return (kernel->features & ~spc__cpu_features()) == 0;
}

static void the_first_runnable_kernel_is_chosen(void) {
  size_t count;
  const spc__sha256_kernel *best = spc__sha256_kernels(&count);
  CHECK(strcmp(best[count - 1].name, "portable") == 0);
  CHECK(is_runnable(&best[count - 1]));
  for (; !is_runnable(best); best++)
    CHECK(!spc__sha256_force(best->name));
  CHECK(spc__sha256_force(NULL));
  CHECK(spc__sha256_chosen() == best);
  printf("chosen: %s\n", spc__sha256_chosen()->name);
}

/* All kernels, or the one that the argument names. */
int main(int argc, char **argv) {
  uint64_t seed = 1;
  test_random_bytes(&seed, messages, sizeof messages);
  spc__sha256_pairs_portable(digests, messages, MOST);

  size_t count, named = 0;
  const spc__sha256_kernel *kernels = spc__sha256_kernels(&count);
  for (const spc__sha256_kernel *kernel = kernels; kernel != kernels + count; kernel++) {
    if (argc > 1 && strcmp(kernel->name, argv[1]) != 0) continue;
    named++;
    if (!is_runnable(kernel)) {
      test_skip(kernel->name, "this processor lacks its instructions");
      continue;
    }
    pairs_equal_the_portable_ones(kernel);
    one_pair_may_overlap_its_digest(kernel);
    blocks_equal_the_portable_ones(kernel);
    a_kernel_is_used_where_it_is_forced(kernel);
    sha256_message_tests();
    printf("tested: %s\n", kernel->name);
  }
  if (argc > 1) {
    if (named == 0) test_skip(argv[1], "not in this build");
    return test_end();
  }
  the_padding_table_is_the_schedule_of_the_padding_block();
  the_first_runnable_kernel_is_chosen();
  return test_end();
}
