/*
 * SHA-256 and SHA-384 (FIPS 180-4).
 *
 * The primitive is "many 64-byte messages in, many 32-byte digests out", one level of a Merkle
 * tree; streams and single messages stand beside it. The kernel is chosen for the processor.
 */
#ifndef SPICULE_SHA2_H
#define SPICULE_SHA2_H

#include <stddef.h>
#include <stdint.h>

#include "spicule/status.h"

SPC_BEGIN_DECLS

#define SPC_SHA256_BYTES 32
#define SPC_SHA384_BYTES 48

/*
 * Hashes `count` messages of 64 bytes each: `out[32 i ...]` is the SHA-256 of `in[64 i ...]`.
 * `in` has 64 * count bytes, `out` 32 * count. `out` may be equal to `in` (a level is replaced by
 * the one above it); any other overlap is not allowed. Can't fail.
 */
SPC_API void spc_sha256_pairs(uint8_t *out, const uint8_t *in, size_t count);

/* SHA-256 of `length` bytes. `out` may overlap `in`. Can't fail. */
SPC_API void spc_sha256(uint8_t out[SPC_SHA256_BYTES], const uint8_t *in, size_t length);

/* SHA-384 of `length` bytes. `out` may overlap `in`. Can't fail. */
SPC_API void spc_sha384(uint8_t out[SPC_SHA384_BYTES], const uint8_t *in, size_t length);

/* A SHA-256 stream in caller memory, copied by assignment. Fields are private. */
typedef struct spc_sha256_stream {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
} spc_sha256_stream;

SPC_API void spc_sha256_init(spc_sha256_stream *self);
SPC_API void spc_sha256_update(spc_sha256_stream *self, const uint8_t *in, size_t length);
/* Writes the digest of everything given since init; `self` needs a new init afterwards. */
SPC_API void spc_sha256_final(spc_sha256_stream *self, uint8_t out[SPC_SHA256_BYTES]);

/* A SHA-384 stream in caller memory, copied by assignment. Fields are private. */
typedef struct spc_sha384_stream {
  uint64_t state[8];
  uint64_t length;
  uint8_t block[128];
} spc_sha384_stream;

SPC_API void spc_sha384_init(spc_sha384_stream *self);
SPC_API void spc_sha384_update(spc_sha384_stream *self, const uint8_t *in, size_t length);
/* Writes the digest of everything given since init; `self` needs a new init afterwards. */
SPC_API void spc_sha384_final(spc_sha384_stream *self, uint8_t out[SPC_SHA384_BYTES]);

SPC_END_DECLS

#endif
