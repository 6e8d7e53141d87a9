/*
 * Permutation, hash and Merkle compression of canonical bytes. Everything is the absorbing of whole
 * blocks of three elements: a permutation absorbs lanes 0 to 2 into [0, 0, 0, lane 3], and the last
 * block of a hash is padded with zeros. Batches go to the batch kernel in whole groups; what is
 * left over goes to the single-stream kernel.
 */
#include <string.h>

#include "base/checked.h"
#include "sponge/sponge_internal.h"

#define HASH_BLOCK (SPC_SPONGE_RATE * SPC_FIELD_BYTES)

spc_status spc__sponge_check(const uint8_t *fields, size_t count, spc_error *error) {
  size_t index = spc__fr_first_noncanonical(fields, count);
  return index == count ? SPC_OK : spc__sponge_fail_at(error, SPC_NOT_CANONICAL, index);
}

static void hash_permute(const spc__poseidon2_kernel *kernel, uint8_t *out, const uint8_t *in) {
  if (kernel->permute != NULL) {
    kernel->permute(out, in, 1);
    return;
  }
  spc__fr state[SPC_SPONGE_WIDTH] = {{{0}}};
  spc__fr_from_bytes(&state[3], in + HASH_BLOCK);
  kernel->absorb(state, in, 1);
  for (int i = 0; i < SPC_SPONGE_WIDTH; i++)
    spc__fr_to_bytes(out + SPC_FIELD_BYTES * i, &state[i]);
}

static void hash_message(const spc__poseidon2_kernel *kernel, uint8_t *out, const uint8_t *fields,
                         size_t count) {
  spc__fr state[SPC_SPONGE_WIDTH] = {{{0}}};
  uint8_t block[HASH_BLOCK] = {0};
  size_t rest = count % SPC_SPONGE_RATE;
  spc__sponge_iv(block, count);
  spc__fr_from_bytes(&state[3], block);
  kernel->absorb(state, fields, count / SPC_SPONGE_RATE);
  if (rest != 0 || count == 0) {
    memset(block, 0, sizeof block);
    if (rest != 0) memcpy(block, fields + (count - rest) * SPC_FIELD_BYTES, rest * SPC_FIELD_BYTES);
    kernel->absorb(state, block, 1);
  }
  spc__fr_to_bytes(out, &state[0]);
}

static void hash_equal(uint8_t *out, const uint8_t *fields, size_t length, size_t messages) {
  const spc__poseidon2_kernel *kernel;
  while (length != 0 && (kernel = spc__poseidon2_batch(messages)) != NULL) {
    size_t groups = messages / kernel->lanes, done = groups * kernel->lanes;
    kernel->hash(out, fields, length, groups);
    out += done * SPC_FIELD_BYTES;
    fields += done * length * SPC_FIELD_BYTES;
    messages -= done;
  }
  kernel = spc__poseidon2_single();
  for (size_t i = 0; i < messages; i++) {
    uint8_t *digest = out + SPC_FIELD_BYTES * i;
    /* Messages without elements take no input, so that hashing each would be work without bound. */
    if (length == 0 && i > 0)
      memcpy(digest, out, SPC_FIELD_BYTES);
    else
      hash_message(kernel, digest, fields + SPC_FIELD_BYTES * length * i, length);
  }
}

spc_status spc_poseidon2_permute(uint8_t out[SPC_STATE_BYTES], const uint8_t in[SPC_STATE_BYTES],
                                 spc_error *error) {
  return spc_poseidon2_permute_many(out, in, 1, error);
}

spc_status spc_poseidon2_permute_many(uint8_t *out, const uint8_t *in, size_t count,
                                      spc_error *error) {
  spc_status status = spc__sponge_check(in, count * SPC_SPONGE_WIDTH, error);
  if (status != SPC_OK) return status;
  const spc__poseidon2_kernel *kernel;
  while ((kernel = spc__poseidon2_batch(count)) != NULL) {
    size_t groups = count / kernel->lanes, done = groups * kernel->lanes;
    kernel->permute(out, in, groups);
    out += done * SPC_STATE_BYTES;
    in += done * SPC_STATE_BYTES;
    count -= done;
  }
  kernel = spc__poseidon2_single();
  for (size_t i = 0; i < count; i++)
    hash_permute(kernel, out + SPC_STATE_BYTES * i, in + SPC_STATE_BYTES * i);
  return SPC_OK;
}

spc_status spc_poseidon2_hash(uint8_t out[SPC_FIELD_BYTES], const uint8_t *fields, size_t count,
                              spc_error *error) {
  spc_status status = spc__sponge_check(fields, count, error);
  if (status == SPC_OK) hash_message(spc__poseidon2_single(), out, fields, count);
  return status;
}

spc_status spc_poseidon2_hash_many(uint8_t *out, const uint8_t *fields, size_t fields_each,
                                   size_t messages, spc_error *error) {
  size_t total, bytes;
  if (!spc__mul_size(fields_each, messages, &total) ||
      !spc__mul_size(total, SPC_FIELD_BYTES, &bytes))
    return spc__fail(error, SPC_INVALID_ARGUMENT);
  spc_status status = spc__sponge_check(fields, total, error);
  if (status == SPC_OK) hash_equal(out, fields, fields_each, messages);
  return status;
}

spc_status spc_poseidon2_compress_many(uint8_t *out, const uint8_t *in, size_t count,
                                       spc_error *error) {
  spc_status status = spc__sponge_check(in, 2 * count, error);
  if (status == SPC_OK) hash_equal(out, in, 2, count);
  return status;
}

spc_status spc_poseidon2_merkle_root(uint8_t out[SPC_FIELD_BYTES], const uint8_t *leaves,
                                     size_t count, uint8_t *scratch, spc_error *error) {
  if (count == 0 || (count & (count - 1)) != 0) return spc__fail(error, SPC_WRONG_LENGTH);
  spc_status status = spc__sponge_check(leaves, count, error);
  if (status != SPC_OK) return status;
  const uint8_t *level = leaves;
  for (; count > 1; count /= 2, level = scratch)
    hash_equal(scratch, level, 2, count / 2);
  memcpy(out, level, SPC_FIELD_BYTES);
  return SPC_OK;
}
