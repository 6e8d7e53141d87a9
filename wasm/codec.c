/*
 * The functions of spicule/codec.h as exports. Arenas are JavaScript's: it takes regions of memory,
 * gives the one to work in by the block `codec_io`, and reads there where the arena is afterwards.
 * An arena that is full moves to a region twice as large, of at most `limit` bytes; the old one is
 * still JavaScript's, which sees that the base has changed. Schemas stay where they were compiled,
 * so types are addresses. Records and arrays are as codec.h lays them out: what JavaScript needs to
 * know of a type is in codec_describe.
 */
#include <stdbool.h>
#include <string.h>

#include "codec.h"
#include "regions.h"
#include "wasm.h"

#include "codec/record.h"
#include "spicule/codec.h"

/* Of the flags of decoding: the block has limits too. */
#define CODEC_LIMITED (1u << 16)

#define CODEC_TYPE_WORDS  8u
#define CODEC_FIELD_WORDS 18u
#define CODEC_ONEOF_WORDS 2u

static codec_block codec_io;
static spc_arena codec_arena, codec_other;

codec_block *wasm_codec_io_address(void) {
  return &codec_io;
}

/* ---- Memory ---- */

/* The address of a region, 0 if there is no more memory; its true size is in `size`. */
WASM_EXPORT(codec_take) void *wasm_codec_take(uint32_t size);
void *wasm_codec_take(uint32_t size) {
  size_t got = 0;
  void *base = wasm_region_take(size, &got);
  codec_io.size = (uint32_t)got;
  return base;
}

WASM_EXPORT(codec_give) void wasm_codec_give(void *base, uint32_t size);
void wasm_codec_give(void *base, uint32_t size) {
  wasm_region_give(base, size);
}

/* Makes a region longer where it is, if what lies behind it is free; whether it did. */
WASM_EXPORT(codec_widen) bool wasm_codec_widen(void *base, uint32_t size, uint32_t more);
bool wasm_codec_widen(void *base, uint32_t size, uint32_t more) {
  return wasm_region_widen(base, size, more);
}

static void *codec_more(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user;
  uint64_t wanted = 2 * (uint64_t)needed;
  if (wanted > codec_io.limit) wanted = codec_io.limit;
  if (wanted < needed) return NULL;
  uint8_t *moved = wasm_region_take((size_t)wanted, size);
  if (moved == NULL) return NULL;
  if (used != 0) memcpy(moved, base, used);
  /* One that the same call has moved to before is known to nobody else. */
  if ((uint32_t)(uintptr_t)base != codec_io.base) wasm_region_give(base, codec_io.size);
  codec_io.size = (uint32_t)*size;
  return moved;
}

/* An arena of which `used` bytes are in use. */
static void codec_open(spc_arena *arena, uint32_t base, uint32_t size, uint32_t used,
                       spc_arena_grow_fn grow) {
  uint32_t first, registered = *(const uint32_t *)(uintptr_t)base;
  spc_arena_init(arena, (void *)(uintptr_t)base, size, grow, NULL);
  /* Starting over would forget the blocks that are registered in it. */
  *(uint32_t *)spc_arena_at(arena, 0) = registered;
  if (used > SPC_ARENA_ALIGNMENT) (void)spc_arena_alloc(arena, used - SPC_ARENA_ALIGNMENT, &first);
}

spc_arena *wasm_codec_enter(void) {
  codec_open(&codec_arena, codec_io.base, codec_io.size, codec_io.used, codec_more);
  return &codec_arena;
}

uint32_t wasm_codec_leave(spc_status status) {
  codec_io.base = (uint32_t)(uintptr_t)spc_arena_at(&codec_arena, 0);
  codec_io.used = (uint32_t)spc_arena_used(&codec_arena);
  return status;
}

/* For functions that give a status only. */
static uint32_t codec_done(spc_status status) {
  if (status != SPC_OK)
    wasm_result.error = (spc_error){status, SPC_NO_POSITION, SPC_NO_POSITION, SPC_NO_POSITION, ""};
  return wasm_codec_leave(status);
}

static spc_message codec_message(const spc_message_type *type, uint32_t ref) {
  return (spc_message){wasm_codec_enter(), type, ref};
}

/* The message that `other_base` and `other_ref` name. Messages of one arena share it. */
static spc_message codec_other_message(const spc_message_type *type) {
  if (codec_io.other_base == codec_io.base)
    return (spc_message){&codec_arena, type, codec_io.other_ref};
  codec_open(&codec_other, codec_io.other_base, codec_io.other_used, codec_io.other_used, NULL);
  return (spc_message){&codec_other, type, codec_io.other_ref};
}

/* ---- Schemas ---- */

static void *codec_more_schema(void *user, void *base, size_t used, size_t needed, size_t *size) {
  size_t *old_size = (size_t *)user;
  uint8_t *moved = wasm_region_take(2 * needed, size);
  if (moved == NULL) return NULL;
  if (used != 0) memcpy(moved, base, used);
  wasm_region_give(base, *old_size);
  *old_size = *size;
  return moved;
}

/* The address of a schema, whose size is `length`; 0 on failure. */
WASM_EXPORT(codec_schema)
const spc_schema *wasm_codec_schema(const uint8_t *descriptors, uint32_t length);
const spc_schema *wasm_codec_schema(const uint8_t *descriptors, uint32_t length) {
  spc_arena arena;
  size_t size = 0;
  uint32_t ref;
  const spc_schema *schema = NULL;
  spc_arena_init(&arena, NULL, 0, codec_more_schema, &size);
  spc_status status = spc_schema_build(&arena, descriptors, length, &ref, &wasm_result.error);
  if (status == SPC_OK) {
    size_t got = 0;
    size_t needed = spc_schema_size((const spc_schema *)spc_arena_at(&arena, ref));
    void *place = wasm_region_take(needed, &got);
    codec_io.length = (uint32_t)got;
    if (place != NULL)
      schema = (const spc_schema *)memcpy(place, spc_arena_at(&arena, ref), needed);
    if (place == NULL) (void)codec_done(SPC_OUT_OF_MEMORY);
  }
  if (size != 0) wasm_region_give(spc_arena_at(&arena, 0), size);
  return schema;
}

/* The message type of that name, 0 if there is none. */
WASM_EXPORT(codec_type)
const spc_message_type *wasm_codec_type(const spc_schema *schema, const char *name,
                                        uint32_t length);
const spc_message_type *wasm_codec_type(const spc_schema *schema, const char *name,
                                        uint32_t length) {
  return spc_schema_message(schema, name, length);
}

static uint32_t *codec_put(uint32_t *out, const void *address, uint32_t length) {
  out[0] = (uint32_t)(uintptr_t)address;
  out[1] = length;
  return out + 2;
}

static uint32_t *codec_describe_field(uint32_t *out, const spc_field *field) {
  const spc_field_info info = spc_field_describe(field);
  bool closed = info.enumeration != NULL && spc_enum_type_closed(info.enumeration);
  *out++ = info.number;
  *out++ = info.type;
  *out++ = info.offset;
  *out++ = info.case_offset;
  *out++ = info.bit;
  *out++ = info.element_size;
  *out++ = (uint32_t)info.repeated | (uint32_t)info.map << 1 | (uint32_t)info.packed << 2 |
           (uint32_t)info.explicit_presence << 3 | (uint32_t)info.required << 4 |
           (uint32_t)info.utf8 << 5 | (uint32_t)closed << 6;
  *out++ = (uint32_t)(uintptr_t)info.message;
  out = codec_put(out, info.name, info.name_length);
  out = codec_put(out, info.json_name, info.json_name_length);
  *out++ = (uint32_t)info.default_value;
  *out++ = (uint32_t)(info.default_value >> 32);
  out = codec_put(out, info.default_bytes, info.default_length);
  *out++ = info.case_offset == 0 ? 0 : info.case_value;
  *out++ = 0;
  return out;
}

/*
 * Describes a type in words: name and its length, size of a record, offset of the extensions word,
 * type of the extensions, whether it is a map entry, number of fields and of oneofs; then for each
 * field what codec_describe_field puts; then for each oneof the address of its name and the offset
 * of its case. Gives how many words that is, and writes only if they fit.
 */
WASM_EXPORT(codec_describe)
uint32_t wasm_codec_describe(const spc_message_type *type, uint32_t *out, uint32_t capacity);
uint32_t wasm_codec_describe(const spc_message_type *type, uint32_t *out, uint32_t capacity) {
  const spc_message_type_info info = spc_message_type_describe(type);
  uint32_t words = CODEC_TYPE_WORDS + info.field_count * CODEC_FIELD_WORDS +
                   info.oneof_count * CODEC_ONEOF_WORDS;
  if (words > capacity) return words;
  out = codec_put(out, info.name, info.name_length);
  *out++ = info.record_size;
  *out++ = info.extensions_offset;
  *out++ = (uint32_t)(uintptr_t)spc_message_type_extensions(type);
  *out++ = info.map_entry;
  *out++ = info.field_count;
  *out++ = info.oneof_count;
  for (uint32_t i = 0; i < info.field_count; i++)
    out = codec_describe_field(out, spc_message_type_field(type, i));
  for (uint32_t i = 0; i < info.oneof_count; i++) {
    uint32_t case_offset = 0;
    const char *name = spc_message_type_oneof(type, i, &case_offset);
    out = codec_put(out, name, case_offset);
  }
  return words;
}

/* ---- Binary format ---- */

static spc_decode_options codec_decode_options(uint32_t flags) {
  spc_decode_options options = {.flags = flags & ~CODEC_LIMITED};
  if ((flags & CODEC_LIMITED) != 0) {
    options.max_depth = codec_io.max_depth;
    options.max_size = codec_io.max_size;
    options.max_count = codec_io.max_count;
  }
  return options;
}

/*
 * Decodes the `length` bytes at `at`, behind what is used of an arena that has `size`, which is
 * enough for the input, its padding and the record. Gives the reference of the message, of an arena
 * that is still where it was; otherwise 0. Results: the arena, `ref` and `status`. As small
 * messages are made by this, its arguments are not in the block.
 */
WASM_EXPORT(codec_decode)
uint32_t wasm_codec_decode(const spc_message_type *type, uint32_t base, uint32_t size, uint32_t at,
                           uint32_t length, uint32_t flags, uint32_t limit);
uint32_t wasm_codec_decode(const spc_message_type *type, uint32_t base, uint32_t size, uint32_t at,
                           uint32_t length, uint32_t flags, uint32_t limit) {
  const spc_decode_options options = codec_decode_options(flags);
  spc_message message = {0};
  codec_io.base = base;
  codec_io.size = size;
  codec_io.limit = limit;
  codec_open(&codec_arena, base, size, at + length + SPC__PAD, codec_more);
  spc_status status =
      spc__decode_placed(&codec_arena, type, at, length, &options, &message, &wasm_result.error);
  codec_io.ref = message.ref;
  codec_io.status = wasm_codec_leave(status);
  return status == SPC_OK && codec_io.base == base ? message.ref : 0;
}

/* Decodes into a message that exists. Results: the arena. */
WASM_EXPORT(codec_decode_merge)
uint32_t wasm_codec_decode_merge(const spc_message_type *type, uint32_t ref, const uint8_t *input,
                                 uint32_t length, uint32_t flags);
uint32_t wasm_codec_decode_merge(const spc_message_type *type, uint32_t ref, const uint8_t *input,
                                 uint32_t length, uint32_t flags) {
  const spc_decode_options options = codec_decode_options(flags);
  const spc_message message = codec_message(type, ref);
  return wasm_codec_leave(spc_decode_merge(&message, input, length, &options, &wasm_result.error));
}

/* The bytes are at the end of `out`. Results: `length`, also where it is more than `capacity`. */
WASM_EXPORT(codec_encode)
uint32_t wasm_codec_encode(const spc_message_type *type, uint32_t ref, uint8_t *out,
                           uint32_t capacity, uint32_t flags);
uint32_t wasm_codec_encode(const spc_message_type *type, uint32_t ref, uint8_t *out,
                           uint32_t capacity, uint32_t flags) {
  const spc_encode_options options = {.flags = flags, .max_depth = codec_io.max_depth};
  const spc_message message = codec_message(type, ref);
  size_t length = 0;
  spc_status status =
      spc_encode_back(&message, out, capacity, &options, &length, &wasm_result.error);
  codec_io.length = (uint32_t)length;
  return status;
}

/* Whether the bytes are UTF-8, for code that is made at run time. */
WASM_EXPORT(codec_utf8) bool wasm_codec_utf8(const uint8_t *bytes, uint32_t length);
bool wasm_codec_utf8(const uint8_t *bytes, uint32_t length) {
  return spc__utf8_slow(bytes, length);
}

/* ---- Whole messages ---- */

/* Merges the other message into this one. Results: the arena. */
WASM_EXPORT(codec_merge) uint32_t wasm_codec_merge(const spc_message_type *type, uint32_t ref);
uint32_t wasm_codec_merge(const spc_message_type *type, uint32_t ref) {
  const spc_message into = codec_message(type, ref), from = codec_other_message(type);
  return codec_done(spc_merge(&into, &from));
}

WASM_EXPORT(codec_equal) bool wasm_codec_equal(const spc_message_type *type, uint32_t ref);
bool wasm_codec_equal(const spc_message_type *type, uint32_t ref) {
  const spc_message a = codec_message(type, ref), b = codec_other_message(type);
  return spc_equal(&a, &b);
}

/* The newest span of unknown fields, or 0. */
WASM_EXPORT(codec_unknown) uint32_t wasm_codec_unknown(const spc_message_type *type, uint32_t ref);
uint32_t wasm_codec_unknown(const spc_message_type *type, uint32_t ref) {
  const spc_message message = codec_message(type, ref);
  return spc_unknown(&message);
}

/* Adds unknown fields. Results: the arena. */
WASM_EXPORT(codec_unknown_append)
uint32_t wasm_codec_unknown_append(const spc_message_type *type, uint32_t ref, const uint8_t *bytes,
                                   uint32_t length);
uint32_t wasm_codec_unknown_append(const spc_message_type *type, uint32_t ref, const uint8_t *bytes,
                                   uint32_t length) {
  const spc_message message = codec_message(type, ref);
  return wasm_codec_leave(spc_unknown_append(&message, bytes, length, &wasm_result.error));
}

/* ---- Columns ---- */

/* Reads the `count` columns at `columns` straight from the wire. Results: the arena and columns. */
WASM_EXPORT(codec_select)
uint32_t wasm_codec_select(const spc_message_type *type, const uint8_t *input, uint32_t length,
                           spc_column *columns, uint32_t count);
uint32_t wasm_codec_select(const spc_message_type *type, const uint8_t *input, uint32_t length,
                           spc_column *columns, uint32_t count) {
  wasm_codec_enter();
  return wasm_codec_leave(
      spc_select(&codec_arena, type, input, length, columns, count, &wasm_result.error));
}
