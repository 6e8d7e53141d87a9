/*
 * The kernels suite of bench/suites/kernels.mjs in C: every kernel of this build by name, and
 * "chosen", the one that the dispatch picks. It reads and forces the internal kernel tables of the
 * library; everything that it times is a public function.
 */
#include "bench.h"

#include <string.h>

#include "base/cpu.h"
#include "sha2/sha256_internal.h"
#include "spicule/sha2.h"
#include "spicule/sponge.h"
#include "sponge/poseidon2_kernel.h"

#define KERNELS_PERMUTATIONS 256
#define KERNELS_PAIRS        1024

static uint8_t kernels_fields[4 * KERNELS_PERMUTATIONS * SPC_FIELD_BYTES];
static uint8_t kernels_pairs[64 * KERNELS_PAIRS];
static uint8_t kernels_out[sizeof kernels_fields];

/* NULL for "chosen": the dispatch chooses again. */
static const char *kernels_forced(const bench_row *row) {
  return strcmp(row->variant, "chosen") == 0 || strcmp(row->variant, "call") == 0 ? NULL
                                                                                  : row->variant;
}

static void kernels_force_single(const bench_row *row) {
  spc__poseidon2_force(kernels_forced(row), NULL);
}

static void kernels_force_batch(const bench_row *row) {
  spc__poseidon2_force(NULL, kernels_forced(row));
}

/* A single-stream kernel in a batch function: without batch kernels. */
static void kernels_force_single_only(const bench_row *row) {
  spc__poseidon2_force(row->variant, "none");
}

static void kernels_force_sha256(const bench_row *row) {
  spc__sha256_force(kernels_forced(row));
}

static void kernels_hash(const bench_row *row) {
  (void)row;
  spc_poseidon2_hash(kernels_out, kernels_fields, 3 * KERNELS_PERMUTATIONS, NULL);
}

static void kernels_permute(const bench_row *row) {
  (void)row;
  spc_poseidon2_permute(kernels_out, kernels_fields, NULL);
}

static void kernels_permute_many(const bench_row *row) {
  (void)row;
  spc_poseidon2_permute_many(kernels_out, kernels_fields, KERNELS_PERMUTATIONS, NULL);
}

static void kernels_sha256(const bench_row *row) {
  spc_sha256_pairs(kernels_out, kernels_pairs, row->operations);
}

/* The results are compared by their SHA-256, under the names of bench/suites/kernels.mjs. */
static void kernels_digest(char text[BENCH_RESULT_SIZE], const char *name, size_t length) {
  uint8_t digest[SPC_SHA256_BYTES];
  spc_sha256(digest, kernels_out, length);
  bench_print_result(text, name, digest, sizeof digest);
}

static void kernels_hash_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  (void)row;
  kernels_digest(text, "hash-of-768-fields", SPC_FIELD_BYTES);
}

static void kernels_permute_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  (void)row;
  kernels_digest(text, "permutation", SPC_STATE_BYTES);
}

static void kernels_permute_many_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  (void)row;
  kernels_digest(text, "256-permutations", sizeof kernels_fields);
}

static void kernels_sha256_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  kernels_digest(text, row->operations == 1 ? "hash-of-64-bytes" : "hashes-of-1024-pairs",
                 SPC_SHA256_BYTES * row->operations);
}

/* A row without operations stands for a kernel that this processor can't run. */
static size_t kernels_operations(uint32_t features, size_t operations) {
  return (features & ~spc__cpu_features()) == 0 ? operations : 0;
}

/* A row of the kernel that the dispatch picks. */
static bench_row kernels_row(const char *name, size_t operations,
                             void (*prepare)(const bench_row *), void (*run)(const bench_row *),
                             void (*result)(const bench_row *, char *)) {
  return (bench_row){
      .suite = "kernels",
      .name = name,
      .variant = "chosen",
      .unit = "ns",
      .operations = operations,
      .prepare = prepare,
      .run = run,
      .result = result,
  };
}

/* The same row for a kernel by name. */
static void kernels_add_named(bench_list *list, bench_row row, const char *name,
                              uint32_t features) {
  row.variant = name;
  row.operations = kernels_operations(features, row.operations);
  bench_add(list, row);
}

static void kernels_permute_rows(bench_list *list) {
  bench_row row = kernels_row("permute", KERNELS_PERMUTATIONS, kernels_force_single, kernels_hash,
                              kernels_hash_result);
  bench_add(list, row);
  for (size_t i = 0; spc__poseidon2_kernels[i] != NULL; i++) {
    const spc__poseidon2_kernel *kernel = spc__poseidon2_kernels[i];
    if (kernel->lanes == 1) kernels_add_named(list, row, kernel->name, kernel->features);
  }
  row = kernels_row("permute", 1, kernels_force_single, kernels_permute, kernels_permute_result);
  row.variant = "call";
  bench_add(list, row);
}

static void kernels_permute_many_rows(bench_list *list) {
  bench_row row = kernels_row("permute-many", KERNELS_PERMUTATIONS, kernels_force_batch,
                              kernels_permute_many, kernels_permute_many_result);
  bench_add(list, row);
  for (size_t i = 0; spc__poseidon2_kernels[i] != NULL; i++) {
    const spc__poseidon2_kernel *kernel = spc__poseidon2_kernels[i];
    row.prepare = kernel->lanes == 1 ? kernels_force_single_only : kernels_force_batch;
    kernels_add_named(list, row, kernel->name, kernel->features);
  }
}

static void kernels_sha256_rows(bench_list *list, const char *name, size_t pairs) {
  bench_row row =
      kernels_row(name, pairs, kernels_force_sha256, kernels_sha256, kernels_sha256_result);
  bench_add(list, row);
  size_t count;
  const spc__sha256_kernel *kernels = spc__sha256_kernels(&count);
  for (size_t i = 0; i < count; i++)
    kernels_add_named(list, row, kernels[i].name, kernels[i].features);
}

void bench_kernel_rows(bench_list *list) {
  bench_make_fields(kernels_fields, sizeof kernels_fields / SPC_FIELD_BYTES);
  bench_make_bytes(kernels_pairs, sizeof kernels_pairs);
  kernels_permute_rows(list);
  kernels_permute_many_rows(list);
  kernels_sha256_rows(list, "sha256-pair", 1);
  kernels_sha256_rows(list, "sha256-pairs", KERNELS_PAIRS);
}
