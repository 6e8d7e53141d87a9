/*
 * Any text: as a schema, as a type text, as a path, as the JSON of a value. What is read as JSON is
 * valid SSZ, and goes to JSON and back unchanged.
 */
#include "fuzz/ssz_fuzz.h"

static void fuzz_schema_of(const char *text, size_t size) {
  static uint64_t memory[1 << 14];
  spc_arena arena;
  spc_ssz_schema schema;
  spc_error error;
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  spc_status status = spc_ssz_schema_read(&schema, &arena, text, size, NULL, &error);
  if (status != SPC_OK)
    FUZZ_REQUIRE(error.status == status && strlen(error.path) < sizeof error.path);
  const spc_ssz_type *type;
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  spc_ssz_schema_init(&schema, &arena);
  if (spc_ssz_schema_type(&schema, text, size, &type, NULL) != SPC_OK) return;
  FUZZ_REQUIRE(spc_ssz_type_min_size(type) <= spc_ssz_type_max_size(type));
  spc_ssz_value value;
  uint8_t root[32];
  if (spc_ssz_default(&fuzz_pool, type, &value) != SPC_OK) return;
  spc_status hashed = spc_ssz_root(&value, root);
  FUZZ_REQUIRE(hashed == SPC_OK || hashed == SPC_OUT_OF_MEMORY);
  spc_ssz_release(&value);
}

static void fuzz_path_of(const spc_ssz_type *type, const char *text, size_t size) {
  uint64_t path[16];
  size_t steps;
  spc_ssz_position position;
  if (spc_ssz_path_read(type, text, size, path, 16, &steps, NULL) != SPC_OK) return;
  spc_ssz_path_type(type, path, steps);
  if (spc_ssz_path_position(type, path, steps, &position) != SPC_OK) return;
  spc_ssz_gindex inside;
  FUZZ_REQUIRE(spc_ssz_gindex_path(type, position.gindex, path, 16, &steps, &inside) == SPC_OK);
}

static void fuzz_json_of(const spc_ssz_type *type, const char *text, size_t size) {
  static uint8_t out[1 << 16], again[1 << 16];
  static char json[1 << 19];
  size_t length, json_length, back;
  spc_error error;
  spc_status status =
      spc_ssz_from_json(type, text, size, out, sizeof out, &length, fuzz_work(), &error);
  if (status != SPC_OK) {
    FUZZ_REQUIRE(error.status == status);
    return;
  }
  FUZZ_REQUIRE(spc_ssz_validate(type, out, length, NULL) == SPC_OK);
  FUZZ_REQUIRE(spc_ssz_to_json(type, out, length, json, sizeof json, &json_length, NULL) == SPC_OK);
  FUZZ_REQUIRE(spc_ssz_from_json(type, json, json_length, again, sizeof again, &back, fuzz_work(),
                                 NULL) == SPC_OK);
  FUZZ_REQUIRE(back == length && memcmp(out, again, length) == 0);
}

/* Turns bytes into characters that type texts and JSON are made of, so that more of it parses. */
static void fuzz_letters(char *text, const uint8_t *data, size_t size) {
  static const char letters[] = "[]{}(),:\"0123456789uintListVectorBoleanProgssv nulx ";
  for (size_t i = 0; i < size; i++)
    text[i] = letters[data[i] % (sizeof letters - 1)];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const spc_ssz_type *type = fuzz_type(data[0]);
  char *text = malloc(size);
  fuzz_open_pool();
  for (int form = 0; form < 2; form++) {
    if (form == 0)
      memcpy(text, data + 1, size - 1);
    else
      fuzz_letters(text, data + 1, size - 1);
    fuzz_schema_of(text, size - 1);
    fuzz_path_of(type, text, size - 1);
    fuzz_json_of(type, text, size - 1);
  }
  FUZZ_REQUIRE(spc_ssz_pool_used(&fuzz_pool) == fuzz_pool_empty);
  free(text);
  return 0;
}
