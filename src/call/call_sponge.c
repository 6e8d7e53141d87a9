/*
 * The sponge operations of spc_call. A sponge travels in its serialized form with the max_fields
 * that it belongs to, so the server keeps no state between calls.
 */
#include "call/call_internal.h"

#include "base/bytes.h"
#include "spicule/sponge.h"

#define CALL_HASH_MANY_PREFIX ((size_t)8)
#define CALL_SPONGE_PREFIX    ((size_t)4 + SPC_SPONGE_BYTES)

static spc_status call_permute_many(spc__call *call) {
  size_t count = 0;
  spc_status status = spc__call_count(call, 0, SPC_STATE_BYTES, &count);
  if (status == SPC_OK) status = spc__call_respond(call, call->request_length);
  if (status != SPC_OK) return status;
  return spc_poseidon2_permute_many(call->response, call->request, count, call->error);
}

static spc_status call_permute(spc__call *call) {
  spc_status status = spc__call_expect(call, SPC_STATE_BYTES);
  return status == SPC_OK ? call_permute_many(call) : status;
}

static spc_status call_hash(spc__call *call) {
  size_t count = 0;
  spc_status status = spc__call_count(call, 0, SPC_FIELD_BYTES, &count);
  if (status == SPC_OK) status = spc__call_respond(call, SPC_FIELD_BYTES);
  if (status != SPC_OK) return status;
  return spc_poseidon2_hash(call->response, call->request, count, call->error);
}

static spc_status call_hash_many(spc__call *call) {
  size_t fields = 0;
  spc_status status = spc__call_expect_prefix(call, CALL_HASH_MANY_PREFIX);
  if (status == SPC_OK)
    status = spc__call_count(call, CALL_HASH_MANY_PREFIX, SPC_FIELD_BYTES, &fields);
  if (status != SPC_OK) return status;
  uint32_t messages = spc__load32_le(call->request);
  uint32_t fields_each = spc__load32_le(call->request + 4);
  if ((uint64_t)messages * fields_each != fields)
    return spc__fail_offset(call->error, SPC_WRONG_LENGTH, call->request_length);
  status = spc__call_respond(call, (uint64_t)messages * SPC_FIELD_BYTES);
  if (status != SPC_OK) return status;
  status = spc_poseidon2_hash_many(call->response, call->request + CALL_HASH_MANY_PREFIX,
                                   fields_each, messages, call->error);
  return spc__call_failed_at(call, status, CALL_HASH_MANY_PREFIX);
}

static spc_status call_compress_many(spc__call *call) {
  size_t count = 0;
  spc_status status = spc__call_count(call, 0, (size_t)2 * SPC_FIELD_BYTES, &count);
  if (status == SPC_OK) status = spc__call_respond(call, (uint64_t)count * SPC_FIELD_BYTES);
  if (status != SPC_OK) return status;
  return spc_poseidon2_compress_many(call->response, call->request, count, call->error);
}

static spc_status call_load_sponge(spc__call *call, spc_sponge *sponge) {
  uint32_t max_fields = spc__load32_le(call->request);
  spc_status status =
      spc_sponge_from_bytes(sponge, call->request + 4, SPC_SPONGE_BYTES, max_fields, call->error);
  return spc__call_failed_at(call, status, 4);
}

static spc_status call_absorb(spc__call *call) {
  spc_sponge sponge;
  size_t count = 0;
  spc_status status = spc__call_expect_prefix(call, CALL_SPONGE_PREFIX);
  if (status == SPC_OK) status = spc__call_count(call, CALL_SPONGE_PREFIX, SPC_FIELD_BYTES, &count);
  if (status == SPC_OK) status = spc__call_respond(call, SPC_SPONGE_BYTES);
  if (status == SPC_OK) status = call_load_sponge(call, &sponge);
  if (status != SPC_OK) return status;
  status = spc_sponge_absorb(&sponge, call->request + CALL_SPONGE_PREFIX, count, call->error);
  if (status != SPC_OK) return spc__call_failed_at(call, status, CALL_SPONGE_PREFIX);
  spc_sponge_to_bytes(&sponge, call->response);
  return SPC_OK;
}

static spc_status call_squeeze(spc__call *call) {
  spc_sponge sponge;
  spc_status status = spc__call_expect(call, CALL_SPONGE_PREFIX);
  if (status == SPC_OK) status = spc__call_respond(call, SPC_FIELD_BYTES + SPC_SPONGE_BYTES);
  if (status == SPC_OK) status = call_load_sponge(call, &sponge);
  if (status == SPC_OK) status = spc_sponge_squeeze(&sponge, call->response, call->error);
  if (status == SPC_OK) spc_sponge_to_bytes(&sponge, call->response + SPC_FIELD_BYTES);
  return status;
}

spc_status spc__call_sponge(spc__call *call, uint32_t op) {
  switch (op) {
  case SPC_OP_PERMUTE:
    return call_permute(call);
  case SPC_OP_PERMUTE_MANY:
    return call_permute_many(call);
  case SPC_OP_HASH:
    return call_hash(call);
  case SPC_OP_HASH_MANY:
    return call_hash_many(call);
  case SPC_OP_COMPRESS_MANY:
    return call_compress_many(call);
  case SPC_OP_ABSORB:
    return call_absorb(call);
  case SPC_OP_SQUEEZE:
    return call_squeeze(call);
  default:
    return spc__fail_index(call->error, SPC_UNKNOWN_OPERATION, op);
  }
}

#undef CALL_HASH_MANY_PREFIX
#undef CALL_SPONGE_PREFIX
