/* What the operation files of spc_call share. */
#ifndef SPC_CALL_CALL_INTERNAL_H
#define SPC_CALL_CALL_INTERNAL_H

#include "base/error.h"
#include "spicule/call.h"

/* One call in progress: the arguments of spc_call. */
typedef struct spc__call {
  spc_ctx *ctx;
  const uint8_t *request;
  size_t request_length;
  uint8_t *response;
  size_t capacity;
  size_t *response_length;
  spc_error *error;
} spc__call;

/*
 * States the size of the response: `length` fits in the buffer and in the limit, or the status
 * that says why not. Operations call it before they do any work.
 */
spc_status spc__call_respond(spc__call *call, uint64_t length);

/* Moves the offset of a failure, counted from `prefix` bytes into the request, to its start. */
static inline spc_status spc__call_failed_at(spc__call *call, spc_status status, size_t prefix) {
  if (status != SPC_OK && call->error != NULL && call->error->offset != SPC_NO_POSITION)
    call->error->offset += (uint64_t)prefix;
  return status;
}

/* The request has exactly, or at least, `length` bytes; else SPC_WRONG_LENGTH or SPC_TRUNCATED. */
static inline spc_status spc__call_expect(const spc__call *call, size_t length) {
  if (call->request_length == length) return SPC_OK;
  return spc__fail_offset(call->error, SPC_WRONG_LENGTH, call->request_length);
}

static inline spc_status spc__call_expect_prefix(const spc__call *call, size_t length) {
  if (call->request_length >= length) return SPC_OK;
  return spc__fail_offset(call->error, SPC_TRUNCATED, call->request_length);
}

/* What is left after `prefix` bytes is a whole number of `unit`s, or SPC_WRONG_LENGTH. */
static inline spc_status spc__call_count(const spc__call *call, size_t prefix, size_t unit,
                                         size_t *count) {
  size_t length = call->request_length - prefix;
  if (length % unit != 0)
    return spc__fail_offset(call->error, SPC_WRONG_LENGTH, call->request_length);
  *count = length / unit;
  return SPC_OK;
}

/* One job's operations; SPC_UNKNOWN_OPERATION for a number that is not among them. */
spc_status spc__call_sponge(spc__call *call, uint32_t op);
spc_status spc__call_codec(spc__call *call, uint32_t op);
spc_status spc__call_sha2(spc__call *call, uint32_t op);
spc_status spc__call_ssz(spc__call *call, uint32_t op);

#endif
