/*
 * ProtoJSON as exports: `schema` of the block has the types of Any, `flags` are those of JSON. A
 * part of a module with the rest of the codec, or a module of its own, which is linked as
 * position-independent code: it has the memory, the stack and the functions of the one with the
 * rest.
 */
#include "codec.h"

/* Results: the arena, `length`, also where it is more than `capacity`. */
WASM_EXPORT(codec_to_json)
uint32_t wasm_codec_to_json(const spc_message_type *type, uint32_t ref, char *out,
                            uint32_t capacity);
uint32_t wasm_codec_to_json(const spc_message_type *type, uint32_t ref, char *out,
                            uint32_t capacity) {
  codec_block *io = wasm_codec_io_address();
  const spc_json_options options = {.flags = io->flags, .max_depth = io->max_depth};
  const spc_message message = {wasm_codec_enter(), type, ref};
  const spc_schema *schema = (const spc_schema *)(uintptr_t)io->schema;
  size_t length = 0;
  spc_status status = spc_to_json(&message, schema, out, capacity, &options, &length,
                                  &wasm_record_address()->error);
  io->length = (uint32_t)length;
  return wasm_codec_leave(status);
}

/* Results: the arena and `ref`, the message. */
WASM_EXPORT(codec_from_json)
uint32_t wasm_codec_from_json(const spc_message_type *type, const char *text, uint32_t length);
uint32_t wasm_codec_from_json(const spc_message_type *type, const char *text, uint32_t length) {
  codec_block *io = wasm_codec_io_address();
  const spc_json_options options = {.flags = io->flags, .max_depth = io->max_depth};
  const spc_schema *schema = (const spc_schema *)(uintptr_t)io->schema;
  spc_message message;
  spc_status status = spc_from_json(wasm_codec_enter(), type, schema, text, length, &options,
                                    &message, &wasm_record_address()->error);
  io->ref = message.ref;
  return wasm_codec_leave(status);
}
