/*
 * The sponge functions as exports: those of spicule/sponge.h with 32-bit lengths and their errors
 * in the record. All addresses lie in the buffer. A sponge is `sponge_size()` bytes of it, 8-byte
 * aligned, that JavaScript may copy out and back in: it holds no address.
 */
#include "wasm.h"

#include "spicule/sponge.h"

WASM_EXPORT(poseidon2_permute_many)
uint32_t wasm_permute_many(uint8_t *out, const uint8_t *in, uint32_t count);
uint32_t wasm_permute_many(uint8_t *out, const uint8_t *in, uint32_t count) {
  return spc_poseidon2_permute_many(out, in, count, &wasm_result.error);
}

WASM_EXPORT(poseidon2_hash)
uint32_t wasm_hash(uint8_t *out, const uint8_t *fields, uint32_t count);
uint32_t wasm_hash(uint8_t *out, const uint8_t *fields, uint32_t count) {
  return spc_poseidon2_hash(out, fields, count, &wasm_result.error);
}

WASM_EXPORT(poseidon2_hash_many)
uint32_t wasm_hash_many(uint8_t *out, const uint8_t *fields, uint32_t fields_each,
                        uint32_t messages);
uint32_t wasm_hash_many(uint8_t *out, const uint8_t *fields, uint32_t fields_each,
                        uint32_t messages) {
  return spc_poseidon2_hash_many(out, fields, fields_each, messages, &wasm_result.error);
}

WASM_EXPORT(poseidon2_compress_many)
uint32_t wasm_compress_many(uint8_t *out, const uint8_t *in, uint32_t count);
uint32_t wasm_compress_many(uint8_t *out, const uint8_t *in, uint32_t count) {
  return spc_poseidon2_compress_many(out, in, count, &wasm_result.error);
}

WASM_EXPORT(poseidon2_merkle_root)
uint32_t wasm_merkle_root(uint8_t *out, const uint8_t *leaves, uint32_t count, uint8_t *scratch);
uint32_t wasm_merkle_root(uint8_t *out, const uint8_t *leaves, uint32_t count, uint8_t *scratch) {
  return spc_poseidon2_merkle_root(out, leaves, count, scratch, &wasm_result.error);
}

WASM_EXPORT(sponge_size) uint32_t wasm_sponge_size(void);
uint32_t wasm_sponge_size(void) {
  return sizeof(spc_sponge);
}

WASM_EXPORT(sponge_init) uint32_t wasm_sponge_init(spc_sponge *sponge, const uint8_t *iv);
uint32_t wasm_sponge_init(spc_sponge *sponge, const uint8_t *iv) {
  return spc_sponge_init(sponge, iv, &wasm_result.error);
}

WASM_EXPORT(sponge_blob_init)
uint32_t wasm_sponge_blob_init(spc_sponge *sponge, uint32_t max_fields);
uint32_t wasm_sponge_blob_init(spc_sponge *sponge, uint32_t max_fields) {
  return spc_sponge_blob_init(sponge, max_fields, &wasm_result.error);
}

WASM_EXPORT(sponge_absorb)
uint32_t wasm_sponge_absorb(spc_sponge *sponge, const uint8_t *fields, uint32_t count);
uint32_t wasm_sponge_absorb(spc_sponge *sponge, const uint8_t *fields, uint32_t count) {
  return spc_sponge_absorb(sponge, fields, count, &wasm_result.error);
}

WASM_EXPORT(sponge_squeeze) uint32_t wasm_sponge_squeeze(spc_sponge *sponge, uint8_t *out);
uint32_t wasm_sponge_squeeze(spc_sponge *sponge, uint8_t *out) {
  return spc_sponge_squeeze(sponge, out, &wasm_result.error);
}

WASM_EXPORT(sponge_to_bytes) void wasm_sponge_to_bytes(const spc_sponge *sponge, uint8_t *out);
void wasm_sponge_to_bytes(const spc_sponge *sponge, uint8_t *out) {
  spc_sponge_to_bytes(sponge, out);
}

WASM_EXPORT(sponge_to_fields) void wasm_sponge_to_fields(const spc_sponge *sponge, uint8_t *out);
void wasm_sponge_to_fields(const spc_sponge *sponge, uint8_t *out) {
  spc_sponge_to_fields(sponge, out);
}

WASM_EXPORT(sponge_from_bytes)
uint32_t wasm_sponge_from_bytes(spc_sponge *sponge, const uint8_t *bytes, uint32_t length,
                                uint32_t max_fields);
uint32_t wasm_sponge_from_bytes(spc_sponge *sponge, const uint8_t *bytes, uint32_t length,
                                uint32_t max_fields) {
  return spc_sponge_from_bytes(sponge, bytes, length, max_fields, &wasm_result.error);
}

WASM_EXPORT(sponge_from_fields)
uint32_t wasm_sponge_from_fields(spc_sponge *sponge, const uint8_t *fields, uint32_t length,
                                 uint32_t max_fields);
uint32_t wasm_sponge_from_fields(spc_sponge *sponge, const uint8_t *fields, uint32_t length,
                                 uint32_t max_fields) {
  return spc_sponge_from_fields(sponge, fields, length, max_fields, &wasm_result.error);
}
