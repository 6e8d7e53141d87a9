/*
 * The dispatcher: finds the job that an operation number belongs to. A build without a job (a Wasm
 * module has its own job and sha2 only) defines SPC_CALL_WITHOUT_<JOB>, and the job's numbers
 * become unknown.
 */
#include "call/call_internal.h"

/* The first operation number of each job's range in operations.h. */
#define CALL_FIRST_SHA2  16u
#define CALL_FIRST_CODEC 32u
#define CALL_FIRST_SSZ   48u

spc_limits spc_limits_default(void) {
  const spc_limits limits = {
      .max_request = UINT64_C(64) << 20, .max_response = UINT64_C(64) << 20, .max_depth = 100};
  return limits;
}

void spc_ctx_init(spc_ctx *self, spc_arena arena, spc_limits limits) {
  self->arena = arena;
  self->limits = limits;
  self->schemas = 0;
  self->ssz_schemas = 0;
}

spc_status spc__call_respond(spc__call *call, uint64_t length) {
  uint64_t limit = call->ctx->limits.max_response;
  if (length > limit) return spc__fail_limit(call->error, SPC_SIZE_LIMIT, limit);
  if (length > SIZE_MAX) return spc__fail_limit(call->error, SPC_SIZE_LIMIT, SIZE_MAX);
  if (length > call->capacity) {
    *call->response_length = (size_t)length;
    return spc__fail_limit(call->error, SPC_BUFFER_TOO_SMALL, length);
  }
  *call->response_length = (size_t)length;
  return SPC_OK;
}

static spc_status call_dispatch(spc__call *call, uint32_t op) {
#ifndef SPC_CALL_WITHOUT_SPONGE
  if (op < CALL_FIRST_SHA2) return spc__call_sponge(call, op);
#endif
  if (op >= CALL_FIRST_SHA2 && op < CALL_FIRST_CODEC) return spc__call_sha2(call, op);
#ifndef SPC_CALL_WITHOUT_CODEC
  if (op >= CALL_FIRST_CODEC && op < CALL_FIRST_SSZ) return spc__call_codec(call, op);
#endif
#ifndef SPC_CALL_WITHOUT_SSZ
  if (op >= CALL_FIRST_SSZ) return spc__call_ssz(call, op);
#endif
  return spc__fail_index(call->error, SPC_UNKNOWN_OPERATION, op);
}

spc_status spc_call(spc_ctx *ctx, uint32_t op, const uint8_t *request, size_t request_length,
                    uint8_t *response, size_t capacity, size_t *response_length, spc_error *error) {
  *response_length = 0;
  if (request_length > ctx->limits.max_request)
    return spc__fail_limit(error, SPC_SIZE_LIMIT, ctx->limits.max_request);
  spc__call call = {.ctx = ctx,
                    .request = request,
                    .request_length = request_length,
                    .response = response,
                    .capacity = capacity,
                    .response_length = response_length,
                    .error = error};
  spc_status status = call_dispatch(&call, op);
  if (status != SPC_OK && status != SPC_BUFFER_TOO_SMALL) *response_length = 0;
  return status;
}
