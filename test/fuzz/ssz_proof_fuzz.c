/*
 * Proofs: any indices, hashes and descriptors are judged without harm; indices that can be proved
 * in some value give proofs that hold, and do not hold for another root.
 */
#include "fuzz/ssz_fuzz.h"

#define FUZZ_INDICES 24

static uint64_t fuzz_scratch[1 << 14];

static spc_arena fuzz_open_scratch(void) {
  spc_arena arena;
  spc_arena_init(&arena, fuzz_scratch, sizeof fuzz_scratch, NULL, NULL);
  return arena;
}

/* Two bytes an index, the first one saying how far to shift: most are small, some very large. */
static size_t fuzz_indices(const uint8_t *data, size_t size, spc_ssz_gindex *indices) {
  size_t count = 0;
  for (; count < FUZZ_INDICES && 2 * count + 1 < size; count++) {
    unsigned shift = data[2 * count] < 200 ? data[2 * count] % 5 : data[2 * count] % 120;
    uint64_t low = (uint64_t)data[2 * count + 1] | 1;
    indices[count] =
        shift < 64 ? (spc_ssz_gindex){0, low << shift} : (spc_ssz_gindex){low << (shift - 64), 0};
  }
  return count;
}

static void fuzz_any(const uint8_t *data, size_t size) {
  static const uint8_t root[32] = {0};
  spc_ssz_gindex indices[FUZZ_INDICES], listed[64];
  spc_arena scratch = fuzz_open_scratch();
  bool ok = true;
  size_t count = fuzz_indices(data, size, indices), listed_count;
  uint8_t hashes[FUZZ_INDICES * 32] = {0};
  spc_status status =
      spc_ssz_verify_proof(indices, hashes, count, data, size / 32, root, &ok, &scratch);
  FUZZ_REQUIRE(status == SPC_OK || status == SPC_BAD_PROOF);
  status = spc_ssz_compact_gindices(data, size, listed, 64, &listed_count);
  FUZZ_REQUIRE(status == SPC_OK || status == SPC_BAD_PROOF || status == SPC_BUFFER_TOO_SMALL);
  for (size_t split = 0; split <= size && split < 8; split++) {
    status = spc_ssz_verify_compact(data, split, data + split, (size - split) / 32, root, &ok);
    FUZZ_REQUIRE(status == SPC_OK || status == SPC_BAD_PROOF);
  }
}

static void fuzz_made(const spc_ssz_value *value, const uint8_t *data, size_t size) {
  spc_ssz_gindex indices[FUZZ_INDICES];
  static uint8_t proof[2048 * 32];
  uint8_t leaves[FUZZ_INDICES * 32], root[32], descriptor[1024];
  spc_arena scratch = fuzz_open_scratch();
  size_t count = fuzz_indices(data, size, indices), proof_count, length;
  bool ok = false;
  if (spc_ssz_prove(value, indices, count, proof, 2048, &proof_count, &scratch) != SPC_OK) return;
  for (size_t i = 0; i < count; i++)
    FUZZ_REQUIRE(spc_ssz_node(value, indices[i], leaves + 32 * i) == SPC_OK);
  FUZZ_REQUIRE(spc_ssz_root(value, root) == SPC_OK);
  FUZZ_REQUIRE(spc_ssz_verify_proof(indices, leaves, count, proof, proof_count, root, &ok,
                                    &scratch) == SPC_OK &&
               ok);
  root[7] ^= 1;
  FUZZ_REQUIRE(spc_ssz_verify_proof(indices, leaves, count, proof, proof_count, root, &ok,
                                    &scratch) == SPC_OK &&
               !ok);
  root[7] ^= 1;
  FUZZ_REQUIRE(spc_ssz_prove_compact(value, indices, count, descriptor, sizeof descriptor, &length,
                                     proof, 2048, &proof_count, &scratch) == SPC_OK);
  FUZZ_REQUIRE(
      spc_ssz_verify_compact(descriptor, length, proof, proof_count, root, &ok) == SPC_OK && ok);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  fuzz_open_pool();
  fuzz_any(data, size);
  spc_ssz_value value;
  const spc_ssz_type *type = fuzz_type(data[0]);
  size_t half = size / 2;
  spc_status status = spc_ssz_deserialize(&fuzz_pool, type, data + half, size - half, &value, NULL);
  if (status != SPC_OK) status = spc_ssz_default(&fuzz_pool, type, &value);
  if (status == SPC_OK) {
    fuzz_made(&value, data + 1, half - 1);
    spc_ssz_release(&value);
  }
  FUZZ_REQUIRE(spc_ssz_pool_used(&fuzz_pool) == fuzz_pool_empty);
  return 0;
}
