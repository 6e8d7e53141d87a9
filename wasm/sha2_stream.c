/*
 * Streams of SHA-256 and SHA-384 as exports. A stream is as many bytes of the buffer as its size
 * function says, 8-byte aligned, that JavaScript may copy out and back in: it holds no address.
 */
#include "wasm.h"

#include "spicule/sha2.h"

WASM_EXPORT(sha256_stream_size) uint32_t wasm_sha256_stream_size(void);
uint32_t wasm_sha256_stream_size(void) {
  return sizeof(spc_sha256_stream);
}

WASM_EXPORT(sha256_init) void wasm_sha256_init(spc_sha256_stream *stream);
void wasm_sha256_init(spc_sha256_stream *stream) {
  spc_sha256_init(stream);
}

WASM_EXPORT(sha256_update)
void wasm_sha256_update(spc_sha256_stream *stream, const uint8_t *in, uint32_t length);
void wasm_sha256_update(spc_sha256_stream *stream, const uint8_t *in, uint32_t length) {
  spc_sha256_update(stream, in, length);
}

WASM_EXPORT(sha256_final) void wasm_sha256_final(spc_sha256_stream *stream, uint8_t *out);
void wasm_sha256_final(spc_sha256_stream *stream, uint8_t *out) {
  spc_sha256_final(stream, out);
}

WASM_EXPORT(sha384_stream_size) uint32_t wasm_sha384_stream_size(void);
uint32_t wasm_sha384_stream_size(void) {
  return sizeof(spc_sha384_stream);
}

WASM_EXPORT(sha384_init) void wasm_sha384_init(spc_sha384_stream *stream);
void wasm_sha384_init(spc_sha384_stream *stream) {
  spc_sha384_init(stream);
}

WASM_EXPORT(sha384_update)
void wasm_sha384_update(spc_sha384_stream *stream, const uint8_t *in, uint32_t length);
void wasm_sha384_update(spc_sha384_stream *stream, const uint8_t *in, uint32_t length) {
  spc_sha384_update(stream, in, length);
}

WASM_EXPORT(sha384_final) void wasm_sha384_final(spc_sha384_stream *stream, uint8_t *out);
void wasm_sha384_final(spc_sha384_stream *stream, uint8_t *out) {
  spc_sha384_final(stream, out);
}
