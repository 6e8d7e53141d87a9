/*
 * The operations of spc_call, by number. The enumerators here and the TypeScript side are made
 * from this one list. Numbers are pinned: append, never renumber, never reuse.
 * Ranges: 1 sponge, 16 sha2, 32 codec, 48 ssz.
 *
 * Requests and responses are byte strings; integers in them are little-endian, field elements are
 * 32 bytes big-endian, and what is named last takes all bytes that are left.
 */
#ifndef SPICULE_OPERATIONS_H
#define SPICULE_OPERATIONS_H

/*
 * X(NAME, number)
 *   PERMUTE        state (128 bytes)                               -> state
 *   PERMUTE_MANY   states                                          -> states
 *   HASH           fields                                          -> field
 *   HASH_MANY      u32 messages, u32 fields each, fields           -> field per message
 *   COMPRESS_MANY  pairs of fields                                 -> field per pair
 *   ABSORB         u32 max_fields, sponge (233 bytes), fields      -> sponge
 *   SQUEEZE        u32 max_fields, sponge (233 bytes)              -> field, sponge
 *   SHA256         bytes                                           -> digest (32 bytes)
 *   SHA256_PAIRS   64-byte messages                                -> digests
 *   SHA384         bytes                                           -> digest (48 bytes)
 *   REGISTER_SCHEMA FileDescriptorSet                              -> its SHA-256, by which the
 *                  context knows it from then on (the same again changes nothing)
 *   VALIDATE       schema (32 bytes), u32 flags, u32 length of name, full name of a message type,
 *                  message                                         -> nothing
 *   TO_JSON        as VALIDATE                                     -> JSON
 *   FROM_JSON      as VALIDATE, with JSON for the message          -> message, maps sorted by key
 *   SSZ_REGISTER   u32 length, section of the schema ("" for all), schema text
 *                                                  -> the schema's name: SHA-256 of the request
 *   SSZ_VALIDATE   schema (32 bytes), u32 length, type text, bytes -> nothing
 *   SSZ_ROOT       the same                                        -> root (32 bytes)
 *   SSZ_TO_JSON    the same                                        -> JSON
 *   SSZ_FROM_JSON  the same with JSON for bytes                    -> bytes
 *   SSZ_VERIFY_PROOF root, u32 count, indices (16 bytes each), leaves (32 each), hashes
 *                                                                  -> 1 or 0 (one byte)
 * max_fields is 0 for a sponge that is no SpongeBlob. A context keeps the schemas registered in it.
 * Flags: SPC_DECODE_ for VALIDATE, else SPC_JSON_, of codec.h.
 */
/* clang-format off */
#define SPC_OPERATION_LIST(X)                                                                       \
  X(PERMUTE, 1)                                                                                     \
  X(PERMUTE_MANY, 2)                                                                                \
  X(HASH, 3)                                                                                        \
  X(HASH_MANY, 4)                                                                                   \
  X(COMPRESS_MANY, 5)                                                                               \
  X(ABSORB, 6)                                                                                      \
  X(SQUEEZE, 7)                                                                                     \
  X(SHA256, 16)                                                                                     \
  X(SHA256_PAIRS, 17)                                                                               \
  X(SHA384, 18)                                                                                     \
  X(REGISTER_SCHEMA, 32)                                                                            \
  X(VALIDATE, 33)                                                                                   \
  X(TO_JSON, 34)                                                                                    \
  X(FROM_JSON, 35)                                                                                  \
  X(SSZ_REGISTER, 48)                                                                               \
  X(SSZ_VALIDATE, 49)                                                                               \
  X(SSZ_ROOT, 50)                                                                                   \
  X(SSZ_TO_JSON, 51)                                                                                \
  X(SSZ_FROM_JSON, 52)                                                                              \
  X(SSZ_VERIFY_PROOF, 53)
/* clang-format on */

typedef enum spc_operation {
#define SPC_OPERATION_ENUMERATOR(name, number) SPC_OP_##name = number,
  SPC_OPERATION_LIST(SPC_OPERATION_ENUMERATOR)
#undef SPC_OPERATION_ENUMERATOR
} spc_operation;

#endif
