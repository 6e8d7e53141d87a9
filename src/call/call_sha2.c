/* The sha2 operations of spc_call. */
#include "call/call_internal.h"

#include "spicule/sha2.h"

#define CALL_PAIR_BYTES ((size_t)64)

static spc_status call_sha256(spc__call *call) {
  spc_status status = spc__call_respond(call, SPC_SHA256_BYTES);
  if (status == SPC_OK) spc_sha256(call->response, call->request, call->request_length);
  return status;
}

static spc_status call_sha256_pairs(spc__call *call) {
  size_t count = 0;
  spc_status status = spc__call_count(call, 0, CALL_PAIR_BYTES, &count);
  if (status == SPC_OK) status = spc__call_respond(call, (uint64_t)count * SPC_SHA256_BYTES);
  if (status == SPC_OK) spc_sha256_pairs(call->response, call->request, count);
  return status;
}

static spc_status call_sha384(spc__call *call) {
  spc_status status = spc__call_respond(call, SPC_SHA384_BYTES);
  if (status == SPC_OK) spc_sha384(call->response, call->request, call->request_length);
  return status;
}

spc_status spc__call_sha2(spc__call *call, uint32_t op) {
  switch (op) {
  case SPC_OP_SHA256:
    return call_sha256(call);
  case SPC_OP_SHA256_PAIRS:
    return call_sha256_pairs(call);
  case SPC_OP_SHA384:
    return call_sha384(call);
  default:
    return spc__fail_index(call->error, SPC_UNKNOWN_OPERATION, op);
  }
}

#undef CALL_PAIR_BYTES
