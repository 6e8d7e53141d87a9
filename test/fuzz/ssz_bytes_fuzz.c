/*
 * Any bytes as a value of some type: every path says the same, what is accepted encodes to itself
 * and has one root however it is computed, and the JSON of it gives it back.
 */
#include "fuzz/ssz_fuzz.h"

static void fuzz_accepted(const spc_ssz_type *type, const uint8_t *data, size_t size,
                          const uint8_t root[32]) {
  spc_ssz_value value;
  uint8_t again[32], node[32];
  size_t length = 0, json_length = 0, back_length = 0;
  uint8_t *out = malloc(size + 1);
  FUZZ_REQUIRE(spc_ssz_deserialize(&fuzz_pool, type, data, size, &value, NULL) == SPC_OK);
  FUZZ_REQUIRE(spc_ssz_size(&value) == size);
  FUZZ_REQUIRE(spc_ssz_serialize(&value, out, size, &length, NULL) == SPC_OK && length == size);
  FUZZ_REQUIRE(memcmp(out, data, size) == 0);
  FUZZ_REQUIRE(spc_ssz_root(&value, again) == SPC_OK && memcmp(root, again, 32) == 0);
  FUZZ_REQUIRE(spc_ssz_node(&value, (spc_ssz_gindex){0, 1}, node) == SPC_OK);
  FUZZ_REQUIRE(memcmp(node, root, 32) == 0);
  spc_ssz_release(&value);
  spc_ssz_to_json(type, data, size, NULL, 0, &json_length, NULL);
  char *json = malloc(json_length);
  FUZZ_REQUIRE(spc_ssz_to_json(type, data, size, json, json_length, &json_length, NULL) == SPC_OK);
  FUZZ_REQUIRE(spc_ssz_from_json(type, json, json_length, out, size, &back_length, fuzz_work(),
                                 NULL) == SPC_OK);
  FUZZ_REQUIRE(back_length == size && memcmp(out, data, size) == 0);
  free(json);
  free(out);
}

/* Lazy access to any part: inside the input, and right where the whole is. */
static void fuzz_locate(const spc_ssz_type *type, const uint8_t *data, size_t size, bool valid) {
  for (uint64_t first = 0; first < 4; first++)
    for (uint64_t second = 0; second < 3; second++) {
      const uint64_t path[2] = {first, second};
      const spc_ssz_type *part;
      size_t offset, length;
      spc_error error;
      if (spc_ssz_locate(type, data, size, path, 2, &part, &offset, &length, &error) != SPC_OK)
        continue;
      FUZZ_REQUIRE(offset <= size && length <= size - offset);
      if (valid) FUZZ_REQUIRE(spc_ssz_validate(part, data + offset, length, NULL) == SPC_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const spc_ssz_type *type = fuzz_type(data[0]);
  uint8_t root[32];
  spc_error error;
  spc_ssz_value value;
  data++;
  size--;
  memset(&error, 0xa5, sizeof error);
  fuzz_open_pool();
  spc_status status = spc_ssz_validate(type, data, size, &error);
  if (status != SPC_OK) FUZZ_REQUIRE(error.status == status && error.offset <= size);
  FUZZ_REQUIRE(spc_ssz_deserialize(&fuzz_pool, type, data, size, &value, NULL) == status);
  if (status == SPC_OK) spc_ssz_release(&value);
  FUZZ_REQUIRE(spc_ssz_root_of_bytes(type, data, size, fuzz_work(), root, NULL) == status);
  if (status == SPC_OK) fuzz_accepted(type, data, size, root);
  fuzz_locate(type, data, size, status == SPC_OK);
  FUZZ_REQUIRE(spc_ssz_pool_used(&fuzz_pool) == fuzz_pool_empty);
  return 0;
}
