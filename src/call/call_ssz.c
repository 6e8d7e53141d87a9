/*
 * The SSZ operations of spc_call. A context keeps its schemas in its arena, each under the hash of
 * the request that registered it. What an operation makes behind them (types of a type text, work
 * memory) is given back at its end. The arena may move whenever something is allocated, so types
 * are looked up, then all memory is taken, and only then are addresses used.
 */
#include <string.h>

#include "base/bytes.h"
#include "call/call_internal.h"
#include "spicule/sha2.h"
#include "spicule/ssz.h"

#define CALL_SSZ_HEAD ((size_t)SPC_SHA256_BYTES + 4)

/* A registered schema; `next` is a reference in the context's arena. */
typedef struct call_ssz_schema {
  uint8_t hash[SPC_SHA256_BYTES];
  uint32_t next;
  spc_ssz_schema schema;
} call_ssz_schema;

/* A request about a value: its type, where the value begins, and work memory. */
typedef struct call_ssz_value {
  const spc_ssz_type *type;
  void *work;
  size_t prefix;
} call_ssz_value;

static call_ssz_schema *call_ssz_find(const spc_ctx *ctx, const uint8_t *hash) {
  for (uint32_t ref = ctx->ssz_schemas; ref != 0;) {
    call_ssz_schema *s = (call_ssz_schema *)spc_arena_at(&ctx->arena, ref);
    if (memcmp(s->hash, hash, SPC_SHA256_BYTES) == 0) return s;
    ref = s->next;
  }
  return NULL;
}

/* u32 length, section of that length, schema text */
static spc_status call_ssz_register(spc__call *call) {
  char section[128];
  spc_ctx *ctx = call->ctx;
  call_ssz_schema entry = {.next = ctx->ssz_schemas};
  uint32_t ref, section_length;
  spc_status status = spc__call_expect_prefix(call, 4);
  if (status != SPC_OK) return status;
  section_length = spc__load32_le(call->request);
  if (section_length > call->request_length - 4)
    return spc__fail_offset(call->error, SPC_TRUNCATED, call->request_length);
  if (section_length >= sizeof section) return spc__fail_offset(call->error, SPC_NOT_FOUND, 4);
  memcpy(section, call->request + 4, section_length);
  section[section_length] = '\0';
  size_t prefix = 4 + (size_t)section_length, before = ctx->arena.used;
  status = spc__call_respond(call, SPC_SHA256_BYTES);
  if (status != SPC_OK) return status;
  spc_sha256(entry.hash, call->request, call->request_length);
  if (call_ssz_find(ctx, entry.hash) == NULL) {
    if (spc_arena_alloc(&ctx->arena, sizeof entry, &ref) != SPC_OK)
      return spc__fail(call->error, SPC_OUT_OF_MEMORY);
    status = spc_ssz_schema_read(&entry.schema, &ctx->arena, (const char *)call->request + prefix,
                                 call->request_length - prefix,
                                 section_length == 0 ? NULL : section, call->error);
    if (status != SPC_OK) {
      ctx->arena.used = before;
      return spc__call_failed_at(call, status, prefix);
    }
    memcpy(spc_arena_at(&ctx->arena, ref), &entry, sizeof entry);
    ctx->ssz_schemas = ref;
  }
  memcpy(call->response, entry.hash, SPC_SHA256_BYTES);
  return SPC_OK;
}

/* Schema, u32 length, type text of that length; then the value. */
static spc_status call_ssz_open(spc__call *call, call_ssz_value *value) {
  spc_ctx *ctx = call->ctx;
  spc_status status = spc__call_expect_prefix(call, CALL_SSZ_HEAD);
  if (status != SPC_OK) return status;
  uint32_t length = spc__load32_le(call->request + SPC_SHA256_BYTES), work;
  if (length > call->request_length - CALL_SSZ_HEAD)
    return spc__fail_offset(call->error, SPC_TRUNCATED, call->request_length);
  const call_ssz_schema *entry = call_ssz_find(ctx, call->request);
  if (entry == NULL) return spc__fail_offset(call->error, SPC_NOT_FOUND, 0);
  spc_ssz_schema schema = entry->schema; /* a copy: what is built now is forgotten afterwards */
  schema.builder.arena = &ctx->arena;
  status = spc_ssz_schema_type(&schema, (const char *)call->request + CALL_SSZ_HEAD, length,
                               &value->type, call->error);
  if (status != SPC_OK) return spc__call_failed_at(call, status, CALL_SSZ_HEAD);
  size_t at = (size_t)((const uint8_t *)value->type - ctx->arena.base);
  if (spc_arena_alloc(&ctx->arena, SPC_SSZ_WORK_SIZE, &work) != SPC_OK)
    return spc__fail(call->error, SPC_OUT_OF_MEMORY);
  value->type = (const spc_ssz_type *)spc_arena_at(&ctx->arena, (uint32_t)at);
  value->work = spc_arena_at(&ctx->arena, work);
  value->prefix = CALL_SSZ_HEAD + length;
  return SPC_OK;
}

static spc_status call_ssz_validate(spc__call *call, const call_ssz_value *value) {
  return spc_ssz_validate(value->type, call->request + value->prefix,
                          call->request_length - value->prefix, call->error);
}

static spc_status call_ssz_root(spc__call *call, const call_ssz_value *value) {
  spc_status status = spc__call_respond(call, 32);
  if (status != SPC_OK) return status;
  return spc_ssz_root_of_bytes(value->type, call->request + value->prefix,
                               call->request_length - value->prefix, value->work, call->response,
                               call->error);
}

/* What is written is counted in any case, so a response that does not fit says what it needs. */
static spc_status call_ssz_written(spc__call *call, spc_status status, size_t size) {
  return status == SPC_OK || status == SPC_BUFFER_TOO_SMALL ? spc__call_respond(call, size)
                                                            : status;
}

static spc_status call_ssz_to_json(spc__call *call, const call_ssz_value *value) {
  size_t size;
  spc_status status = spc_ssz_to_json(value->type, call->request + value->prefix,
                                      call->request_length - value->prefix, (char *)call->response,
                                      call->capacity, &size, call->error);
  return call_ssz_written(call, status, size);
}

static spc_status call_ssz_from_json(spc__call *call, const call_ssz_value *value) {
  size_t size;
  spc_status status = spc_ssz_from_json(value->type, (const char *)call->request + value->prefix,
                                        call->request_length - value->prefix, call->response,
                                        call->capacity, &size, value->work, call->error);
  return call_ssz_written(call, status, size);
}

typedef spc_status (*call_ssz_fn)(spc__call *call, const call_ssz_value *value);

static spc_status call_ssz_with_value(spc__call *call, call_ssz_fn run) {
  size_t before = call->ctx->arena.used;
  call_ssz_value value;
  spc_status status = call_ssz_open(call, &value);
  if (status == SPC_OK) status = spc__call_failed_at(call, run(call, &value), value.prefix);
  call->ctx->arena.used = before;
  return status;
}

/* Root, u32 count, that many indices of 16 bytes and leaves of 32, hashes. */
static spc_status call_ssz_verify_proof(spc__call *call) {
  const size_t head = 32 + 4;
  spc_arena *arena = &call->ctx->arena;
  spc_status status = spc__call_expect_prefix(call, head);
  if (status != SPC_OK) return status;
  uint64_t count = spc__load32_le(call->request + 32), given = 48 * count;
  if (given > call->request_length - head)
    return spc__fail_offset(call->error, SPC_TRUNCATED, call->request_length);
  size_t left = call->request_length - head - (size_t)given, before = arena->used;
  if (left % 32 != 0) return spc__fail_offset(call->error, SPC_WRONG_LENGTH, call->request_length);
  status = spc__call_respond(call, 1);
  if (status != SPC_OK) return status;
  /* Indices and the fold's work memory at once, so that the arena does not move in between. */
  uint32_t indices_at, fold_at;
  size_t indices_size = (size_t)count * sizeof(spc_ssz_gindex);
  if (spc_arena_alloc(arena, indices_size + 8, &indices_at) != SPC_OK ||
      spc_arena_alloc(arena, 8 * indices_size, &fold_at) != SPC_OK) {
    arena->used = before;
    return spc__fail(call->error, SPC_OUT_OF_MEMORY);
  }
  arena->used = fold_at;
  spc_ssz_gindex *indices = (spc_ssz_gindex *)spc_arena_at(arena, indices_at);
  const uint8_t *at = call->request + head;
  for (uint64_t i = 0; i < count; i++, at += 16)
    indices[i] = (spc_ssz_gindex){.high = spc__load64_le(at + 8), .low = spc__load64_le(at)};
  bool ok;
  status = spc_ssz_verify_proof(indices, at, (size_t)count, at + 32 * count, left / 32,
                                call->request, &ok, arena);
  arena->used = before;
  if (status != SPC_OK) return spc__fail(call->error, status);
  call->response[0] = ok;
  return SPC_OK;
}

spc_status spc__call_ssz(spc__call *call, uint32_t op) {
  switch (op) {
  case SPC_OP_SSZ_REGISTER:
    return call_ssz_register(call);
  case SPC_OP_SSZ_VALIDATE:
    return call_ssz_with_value(call, call_ssz_validate);
  case SPC_OP_SSZ_ROOT:
    return call_ssz_with_value(call, call_ssz_root);
  case SPC_OP_SSZ_TO_JSON:
    return call_ssz_with_value(call, call_ssz_to_json);
  case SPC_OP_SSZ_FROM_JSON:
    return call_ssz_with_value(call, call_ssz_from_json);
  case SPC_OP_SSZ_VERIFY_PROOF:
    return call_ssz_verify_proof(call);
  default:
    return spc__fail_index(call->error, SPC_UNKNOWN_OPERATION, op);
  }
}

#undef CALL_SSZ_HEAD
