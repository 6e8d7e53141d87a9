/*
 * The codec operations of spc_call. A context keeps its schemas in its arena, each under the hash
 * of its descriptors; what an operation needs beside them is a second arena in the free rest of the
 * first, of fixed size, so that schemas stay where they are. If that is too small, the context's
 * arena grows, and the operation starts again.
 */
#include <string.h>

#include "base/bytes.h"
#include "call/call_internal.h"
#include "spicule/codec.h"
#include "spicule/sha2.h"

#define CALL_WORK_SIZE ((size_t)64 << 10) /* the least that work memory grows to */

/* A registered schema; `next` and `schema` are references in the context's arena. */
typedef struct call_schema {
  uint8_t hash[SPC_SHA256_BYTES];
  uint32_t next, schema;
} call_schema;

/* A request to work on a message: what its head says, and the bytes behind that. */
typedef struct call_message {
  const spc_schema *schema;
  const spc_message_type *type;
  uint32_t flags;
  const uint8_t *input;
  size_t length, prefix;
} call_message;

typedef spc_status (*call_codec_fn)(spc__call *call, const call_message *m, spc_arena *work);

static const call_schema *call_find_schema(const spc_ctx *ctx, const uint8_t *hash) {
  for (uint32_t ref = ctx->schemas; ref != 0;) {
    const call_schema *s = (const call_schema *)spc_arena_at(&ctx->arena, ref);
    if (memcmp(s->hash, hash, SPC_SHA256_BYTES) == 0) return s;
    ref = s->next;
  }
  return NULL;
}

static spc_status call_register_schema(spc__call *call) {
  spc_ctx *ctx = call->ctx;
  call_schema entry = {.next = ctx->schemas};
  spc_status status = spc__call_respond(call, SPC_SHA256_BYTES);
  if (status != SPC_OK) return status;
  spc_sha256(entry.hash, call->request, call->request_length);
  memcpy(call->response, entry.hash, SPC_SHA256_BYTES);
  if (call_find_schema(ctx, entry.hash) != NULL) return SPC_OK;
  size_t before = ctx->arena.used;
  uint32_t ref;
  status = spc_arena_alloc(&ctx->arena, sizeof entry, &ref);
  if (status != SPC_OK) return spc__fail(call->error, status);
  status = spc_schema_build(&ctx->arena, call->request, call->request_length, &entry.schema,
                            call->error);
  if (status != SPC_OK) {
    ctx->arena.used = before;
    return status;
  }
  memcpy(spc_arena_at(&ctx->arena, ref), &entry, sizeof entry);
  ctx->schemas = ref;
  return SPC_OK;
}

/* hash, u32 flags, u32 length of the type's name, name, input */
static spc_status call_read_message(const spc__call *call, call_message *m) {
  const size_t head = SPC_SHA256_BYTES + 8;
  spc_status status = spc__call_expect_prefix(call, head);
  if (status != SPC_OK) return status;
  m->flags = spc__load32_le(call->request + SPC_SHA256_BYTES);
  uint32_t name_length = spc__load32_le(call->request + SPC_SHA256_BYTES + 4);
  if (name_length > call->request_length - head)
    return spc__fail_offset(call->error, SPC_TRUNCATED, call->request_length);
  m->prefix = head + name_length;
  m->input = call->request + m->prefix;
  m->length = call->request_length - m->prefix;
  const call_schema *schema = call_find_schema(call->ctx, call->request);
  if (schema == NULL) return spc__fail_offset(call->error, SPC_NOT_FOUND, 0);
  m->schema = (const spc_schema *)spc_arena_at(&call->ctx->arena, schema->schema);
  m->type = spc_schema_message(m->schema, (const char *)call->request + head, name_length);
  if (m->type == NULL) return spc__fail_offset(call->error, SPC_UNKNOWN_TYPE, head);
  return SPC_OK;
}

static spc_status call_decode(spc__call *call, const call_message *m, spc_arena *work,
                              uint32_t flags, spc_message *message) {
  const spc_decode_options options = {.flags = flags, .max_depth = call->ctx->limits.max_depth};
  return spc__call_failed_at(
      call, spc_decode(work, m->type, m->input, m->length, &options, message, call->error),
      m->prefix);
}

static spc_status call_validate(spc__call *call, const call_message *m, spc_arena *work) {
  spc_message message;
  return call_decode(call, m, work, m->flags, &message);
}

static spc_status call_to_json(spc__call *call, const call_message *m, spc_arena *work) {
  spc_message message;
  const spc_json_options options = {.flags = m->flags, .max_depth = call->ctx->limits.max_depth};
  spc_status status = call_decode(call, m, work, SPC_DECODE_PARTIAL, &message);
  if (status != SPC_OK) return status;
  size_t length;
  status = spc_to_json(&message, m->schema, (char *)call->response, call->capacity, &options,
                       &length, call->error);
  if (status != SPC_OK && status != SPC_BUFFER_TOO_SMALL) return status;
  return spc__call_respond(call, length);
}

static spc_status call_from_json(spc__call *call, const call_message *m, spc_arena *work) {
  spc_message message;
  const spc_json_options options = {.flags = m->flags, .max_depth = call->ctx->limits.max_depth};
  spc_status status =
      spc__call_failed_at(call,
                          spc_from_json(work, m->type, m->schema, (const char *)m->input, m->length,
                                        &options, &message, call->error),
                          m->prefix);
  if (status != SPC_OK) return status;
  size_t length;
  const spc_encode_options encoding = {.flags = SPC_ENCODE_DETERMINISTIC | SPC_ENCODE_PARTIAL,
                                       .max_depth = SPC_DEPTH_MAX};
  status = spc_encode(&message, call->response, call->capacity, &encoding, &length, call->error);
  if (status != SPC_OK && status != SPC_BUFFER_TOO_SMALL) return status;
  return spc__call_respond(call, length);
}

/* Runs an operation in the free rest of the context's arena, which grows as long as it has to. */
static spc_status call_with_work(spc__call *call, call_codec_fn run) {
  spc_arena *arena = &call->ctx->arena;
  const size_t before = arena->used;
  for (;;) {
    call_message m;
    spc_arena work;
    spc_status status = call_read_message(call, &m);
    if (status != SPC_OK) return status;
    size_t room = arena->size > before ? arena->size - before : 0;
    spc_arena_init(&work, room == 0 ? NULL : arena->base + before, room, NULL, NULL);
    status = run(call, &m, &work);
    if (before + work.peak > arena->peak && room != 0) arena->peak = before + work.peak;
    if (status != SPC_OUT_OF_MEMORY) return status;
    uint32_t ref;
    size_t more = room < CALL_WORK_SIZE / 2 ? CALL_WORK_SIZE : room * 2;
    if (more < room || spc_arena_alloc(arena, more, &ref) != SPC_OK) return status;
    arena->used = before;
  }
}

spc_status spc__call_codec(spc__call *call, uint32_t op) {
  switch (op) {
  case SPC_OP_REGISTER_SCHEMA:
    return call_register_schema(call);
  case SPC_OP_VALIDATE:
    return call_with_work(call, call_validate);
  case SPC_OP_TO_JSON:
    return call_with_work(call, call_to_json);
  case SPC_OP_FROM_JSON:
    return call_with_work(call, call_from_json);
  default:
    return spc__fail_index(call->error, SPC_UNKNOWN_OPERATION, op);
  }
}

#undef CALL_WORK_SIZE
