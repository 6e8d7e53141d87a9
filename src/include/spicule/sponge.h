/*
 * Poseidon2 over the scalar field of BN254: permutation, hash, Merkle compression, sponge.
 *
 * Width 4, S-box x^5, 8 full and 56 partial rounds (Poseidon2, https://eprint.iacr.org/2023/323;
 * parameters as used by Aztec and Noir). The modulus is
 *   p = 21888242871839275222246405745257275088548364400416034343698204186575808495617.
 *
 * On this interface a field element is 32 bytes, big-endian, and below p. A value >= p gives
 * SPC_NOT_CANONICAL with the index of the element in `error->index` and its byte offset in
 * `error->offset`, both counted from the start of the array that holds it. All input is checked
 * before anything is changed.
 */
#ifndef SPICULE_SPONGE_H
#define SPICULE_SPONGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spicule/status.h"

SPC_BEGIN_DECLS

#define SPC_FIELD_BYTES  32  /* one field element */
#define SPC_SPONGE_WIDTH 4   /* field elements of a state */
#define SPC_SPONGE_RATE  3   /* field elements that one permutation absorbs */
#define SPC_STATE_BYTES  128 /* one state: 4 field elements */

/* Serialized sponge: 7 field elements, u32 BE cache size, u8 squeeze mode, u32 BE absorbed. */
#define SPC_SPONGE_BYTES 233
/* Sponge as field elements: cache[3], state[4], cache size, squeeze mode, absorbed. */
#define SPC_SPONGE_FIELDS 10

/* The capacity of a SpongeBlob: 6 blobs of 4096 field elements. */
#define SPC_SPONGE_BLOB_MAX_FIELDS 24576u

/*
 * Permutes one state, or `count` states that lie one after the other (128 * count bytes each way).
 * `out` may be equal to `in`; other overlap is not allowed. SPC_NOT_CANONICAL.
 */
SPC_API spc_status spc_poseidon2_permute(uint8_t out[SPC_STATE_BYTES],
                                         const uint8_t in[SPC_STATE_BYTES], spc_error *error);
SPC_API spc_status spc_poseidon2_permute_many(uint8_t *out, const uint8_t *in, size_t count,
                                              spc_error *error);

/*
 * Hash of `count` field elements (32 * count bytes; 0 is allowed): the sponge with
 * IV = count * 2^64, one output. SPC_NOT_CANONICAL.
 */
SPC_API spc_status spc_poseidon2_hash(uint8_t out[SPC_FIELD_BYTES], const uint8_t *fields,
                                      size_t count, spc_error *error);

/*
 * Hashes `messages` messages of `fields_each` field elements, which lie one after the other in
 * `fields` (32 * fields_each * messages bytes). `out` gets 32 * messages bytes and must not overlap
 * the input. Several messages are hashed side by side. SPC_NOT_CANONICAL, with the index counted
 * over the elements of all messages; SPC_INVALID_ARGUMENT when the sizes overflow.
 */
SPC_API spc_status spc_poseidon2_hash_many(uint8_t *out, const uint8_t *fields, size_t fields_each,
                                           size_t messages, spc_error *error);

/*
 * One Merkle level: out[i] = hash(in[2 i], in[2 i + 1]) for `count` pairs; 64 * count bytes in,
 * 32 * count out. `out` may be equal to `in`; other overlap is not allowed. SPC_NOT_CANONICAL.
 */
SPC_API spc_status spc_poseidon2_compress_many(uint8_t *out, const uint8_t *in, size_t count,
                                               spc_error *error);

/*
 * Root of the binary tree over `count` leaves (32 * count bytes), a power of two; the root of one
 * leaf is the leaf. `scratch` has 16 * count bytes and overlaps nothing. SPC_NOT_CANONICAL;
 * SPC_WRONG_LENGTH when `count` is not a power of two.
 */
SPC_API spc_status spc_poseidon2_merkle_root(uint8_t out[SPC_FIELD_BYTES], const uint8_t *leaves,
                                             size_t count, uint8_t *scratch, spc_error *error);

/*
 * A sponge in caller memory, copied by assignment, with nothing to free. Fields are private: the
 * state is in the representation of the field kernel, so only spc_sponge_to_bytes is portable.
 */
typedef struct spc_sponge {
  uint64_t state[SPC_SPONGE_WIDTH][5];
  uint8_t cache[SPC_SPONGE_RATE][SPC_FIELD_BYTES];
  uint32_t cache_size;
  uint32_t absorbed;
  uint32_t max_fields;
  bool squeezed;
} spc_sponge;

/* Starts a sponge with state [0, 0, 0, iv] and no limit but 2^32 - 1. SPC_NOT_CANONICAL. */
SPC_API spc_status spc_sponge_init(spc_sponge *self, const uint8_t iv[SPC_FIELD_BYTES],
                                   spc_error *error);

/*
 * Starts a SpongeBlob: IV = max_fields * 2^64, and at most max_fields elements.
 * SPC_INVALID_ARGUMENT when max_fields is 0.
 */
SPC_API spc_status spc_sponge_blob_init(spc_sponge *self, uint32_t max_fields, spc_error *error);

/*
 * Absorbs `count` field elements (32 * count bytes). Leaves exactly the state that absorbing them
 * one at a time leaves, whatever the chunking. On failure the sponge is unchanged.
 * SPC_NOT_CANONICAL; SPC_COUNT_LIMIT (with `limit`) past max_fields or 2^32 - 1 elements;
 * SPC_INVALID_STATE after a squeeze.
 */
SPC_API spc_status spc_sponge_absorb(spc_sponge *self, const uint8_t *fields, size_t count,
                                     spc_error *error);

/*
 * Permutes and gives the output; allowed once. SPC_INVALID_STATE after an earlier squeeze. Copy
 * the sponge first to go on absorbing.
 */
SPC_API spc_status spc_sponge_squeeze(spc_sponge *self, uint8_t out[SPC_FIELD_BYTES],
                                      spc_error *error);

/* Serializes to 233 bytes. Can't fail. */
SPC_API void spc_sponge_to_bytes(const spc_sponge *self, uint8_t out[SPC_SPONGE_BYTES]);

/* Serializes to 10 field elements. Can't fail. */
SPC_API void spc_sponge_to_fields(const spc_sponge *self,
                                  uint8_t out[SPC_SPONGE_FIELDS * SPC_FIELD_BYTES]);

/*
 * Restores a sponge from `length` bytes. `max_fields` is that of the SpongeBlob, or 0 for a sponge
 * with another IV. SPC_WRONG_LENGTH (with `limit`) when `length` is not 233; SPC_NOT_CANONICAL;
 * SPC_COUNT_LIMIT (with `limit`) when more was absorbed than `max_fields`; SPC_BAD_SPONGE for a
 * cache size above 3 or not that of the absorbed count, a flag other than 0 and 1, a cache slot
 * that is not zero though never filled, or a state of a SpongeBlob that is not the initial one
 * before the first permutation. The last three come with the offset and the index (0 to 9) of the
 * element.
 */
SPC_API spc_status spc_sponge_from_bytes(spc_sponge *self, const uint8_t *bytes, size_t length,
                                         uint32_t max_fields, spc_error *error);

/* The same from 10 field elements (`length` 320); offsets and indices count in that form. */
SPC_API spc_status spc_sponge_from_fields(spc_sponge *self, const uint8_t *fields, size_t length,
                                          uint32_t max_fields, spc_error *error);

SPC_END_DECLS

#endif
