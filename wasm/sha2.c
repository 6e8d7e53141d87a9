/* The sha2 functions as exports. All addresses lie in the buffer; overlap as in spicule/sha2.h. */
#include "wasm.h"

#include "spicule/sha2.h"

WASM_EXPORT(sha256) void wasm_sha256(uint8_t *out, const uint8_t *in, uint32_t length);
void wasm_sha256(uint8_t *out, const uint8_t *in, uint32_t length) {
  spc_sha256(out, in, length);
}

WASM_EXPORT(sha256_pairs)
void wasm_sha256_pairs(uint8_t *out, const uint8_t *in, uint32_t count);
void wasm_sha256_pairs(uint8_t *out, const uint8_t *in, uint32_t count) {
  spc_sha256_pairs(out, in, count);
}

WASM_EXPORT(sha384) void wasm_sha384(uint8_t *out, const uint8_t *in, uint32_t length);
void wasm_sha384(uint8_t *out, const uint8_t *in, uint32_t length) {
  spc_sha384(out, in, length);
}
