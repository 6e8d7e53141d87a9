/*
 * One dispatcher over all jobs: a numbered operation, bytes in, bytes out. Every back end (Wasm,
 * in-process native, server) runs this function, so all give the same bytes and the same errors.
 */
#ifndef SPICULE_CALL_H
#define SPICULE_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "spicule/arena.h"
#include "spicule/operations.h"
#include "spicule/status.h"

SPC_BEGIN_DECLS

/* Limits of one context, in bytes unless noted; see spc_limits_default. */
typedef struct spc_limits {
  uint64_t max_request;  /* longest request */
  uint64_t max_response; /* longest response */
  uint32_t max_depth;    /* nesting of decoded messages, in levels */
} spc_limits;

/* 64 MiB each way, depth 100. */
SPC_API spc_limits spc_limits_default(void);

/*
 * What a caller keeps between calls: registered schemas, the arena for work memory, the limits.
 * Lives in caller memory; one thread at a time. Fields are private.
 */
typedef struct spc_ctx {
  spc_arena arena;
  spc_limits limits;
  uint32_t schemas;
  uint32_t ssz_schemas;
} spc_ctx;

/*
 * Starts a context. `arena` is copied in, so its memory belongs to the context until the caller
 * drops both; sponge and sha2 operations never use it.
 */
SPC_API void spc_ctx_init(spc_ctx *self, spc_arena arena, spc_limits limits);

/*
 * Runs operation `op` (an spc_operation) on `request`. The response is written to `response`
 * (`capacity` bytes) and its size to `*response_length`; `response` must not overlap `request`.
 * `capacity` may be 0 with `response` NULL to ask for the size.
 * SPC_BUFFER_TOO_SMALL: the response needs `*response_length` bytes (also in `error->limit`),
 *   nothing else happened. SPC_UNKNOWN_OPERATION: not an operation of this build.
 * SPC_SIZE_LIMIT: request or response is over its limit. SPC_TRUNCATED, SPC_WRONG_LENGTH: the
 *   request is not as the operation describes it. Else what the operation itself gives, with
 *   offsets in the request. On any failure but SPC_BUFFER_TOO_SMALL `*response_length` is 0.
 */
SPC_API spc_status spc_call(spc_ctx *ctx, uint32_t op, const uint8_t *request,
                            size_t request_length, uint8_t *response, size_t capacity,
                            size_t *response_length, spc_error *error);

SPC_END_DECLS

#endif
