/*
 * SHA-256 of pairs, of one message and of a stream, by the kernel that dispatch chose. A message
 * of 64 bytes goes the way of the pairs, whose padding is precomputed.
 */
#include "base/bytes.h"
#include "sha2/sha256_internal.h"
#include "spicule/sha2.h"

void spc__sha256_pairs_by(const spc__sha256_kernel *kernel, uint8_t *out, const uint8_t *in,
                          size_t count) {
  if (kernel->lanes != 0) {
    size_t whole = count - count % kernel->lanes;
    if (whole != 0) kernel->many(out, in, whole);
    out += 32 * whole;
    in += 64 * whole;
    count -= whole;
    if (count != 0 && count >= kernel->fill_from) {
      uint8_t group[64 * SPC__SHA256_MAX_LANES] = {0};
      memcpy(group, in, 64 * count);
      kernel->many(group, group, kernel->lanes);
      memcpy(out, group, 32 * count);
      return;
    }
  }
  if (count != 0) kernel->single(out, in, count);
}

void spc_sha256_pairs(uint8_t *out, const uint8_t *in, size_t count) {
  spc__sha256_pairs_by(spc__sha256_chosen(), out, in, count);
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
