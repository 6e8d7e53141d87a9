/*
 * SHA-256 of pairs, of one message and of a stream, by the kernel that dispatch chose. A message
 * of 64 bytes goes the way of the pairs, whose padding is precomputed.
 */
#include "base/bytes.h"
#include "sha2/sha256_internal.h"
#include "spicule/sha2.h"

void spc_sha256_pairs(uint8_t *out, const uint8_t *in, size_t count) {
  spc__sha256_chosen()->pairs(out, in, count);
}

static void sha256_blocks(uint32_t state[8], const uint8_t *in, size_t blocks) {
  spc__sha256_chosen()->blocks(state, in, blocks);
}

#define STREAM_HASH   spc_sha256
#define STREAM_BLOCK  64
#define STREAM_DIGEST SPC_SHA256_BYTES
#define STREAM_IV     spc__sha256_iv
#define STREAM_BLOCKS sha256_blocks
#define STREAM_STORE  spc__store32_be
#include "sha2/stream.h"

void spc_sha256(uint8_t out[SPC_SHA256_BYTES], const uint8_t *in, size_t length) {
  if (length == 64) {
    spc_sha256_pairs(out, in, 1);
    return;
  }
  spc_sha256_stream stream;
  spc_sha256_init(&stream);
  spc_sha256_update(&stream, in, length);
  spc_sha256_final(&stream, out);
}
