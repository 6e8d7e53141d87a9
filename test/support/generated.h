/*
 * Holds generated code against tables: the same bytes through both have to give the same status at
 * the same place, or equal messages that encode to the same bytes.
 */
#ifndef SPC_TEST_SUPPORT_GENERATED_H
#define SPC_TEST_SUPPORT_GENERATED_H

#include <stdlib.h>
#include <string.h>

#include "support/generated_types.h"

static inline const spc_message_type *generated_message_type(const spc_schema *schema,
                                                             const test_generated *g) {
  return spc_schema_message(schema, g->name, strlen(g->name));
}

/* Known extensions are unknown fields to generated code. */
static inline bool generated_has_extensions(const spc_message *m, int depth) {
  const spc_message_type *extensions = spc_message_type_extensions(m->type);
  const spc_field *field;
  if (extensions != NULL) {
    for (uint32_t i = 0; (field = spc_message_type_field(extensions, i)) != NULL; i++)
      if (spc_has(m, field)) return true;
  }
  for (uint32_t i = 0; (field = spc_message_type_field(m->type, i)) != NULL; i++) {
    spc_field_info f = spc_field_describe(field);
    if (f.message == NULL || !spc_has(m, field) || depth == 0) continue;
    uint32_t n = f.repeated ? spc_count(m, field) : 1;
    for (uint32_t j = 0; j < n; j++) {
      spc_value value = f.repeated ? spc_at(m, field, j) : spc_get(m, field);
      const spc_message sub = {m->arena, f.message, value.message};
      if (generated_has_extensions(&sub, depth - 1)) return true;
    }
  }
  return false;
}

/* What is wrong, or NULL. `out` has room for `capacity` bytes twice. */
static inline const char *generated_encoding(const test_generated *g, const spc_message *m,
                                             uint8_t *out, size_t capacity) {
  static const spc_encode_options options[] = {
      {.flags = SPC_ENCODE_PARTIAL}, {.flags = SPC_ENCODE_PARTIAL | SPC_ENCODE_DETERMINISTIC}};
  spc_error error = {0}, other = {0};
  for (int i = 0; i < 2; i++) {
    size_t expected, length, needed;
    spc_status status = spc_encode(m, out, capacity, &options[i], &expected, &error);
    if (status != SPC_OK) return "the table's encoder fails";
    uint8_t *made = out + capacity;
    status = spc_gen_encode(m->arena, g->type, g->encode, m->ref, made, capacity, &options[i],
                            &length, &other);
    if (status != SPC_OK) return "the generated encoder fails";
    if (length != expected || memcmp(out, made, length) != 0) return "encodings differ";
    /* Just enough room, which has no byte to spare, and too little. */
    uint8_t *exact = malloc(expected == 0 ? 1 : expected);
    status = spc_gen_encode_back(m->arena, g->type, g->encode, m->ref, exact, expected, &options[i],
                                 &length, &other);
    bool same = status == SPC_OK && length == expected && memcmp(out, exact, length) == 0;
    bool small = true;
    if (expected != 0) {
      status = spc_gen_encode_back(m->arena, g->type, g->encode, m->ref, exact, expected / 2,
                                   &options[i], &needed, &other);
      small = status == SPC_BUFFER_TOO_SMALL && needed == expected && other.limit == expected;
    }
    free(exact);
    if (!same) return "the encoding into just enough room differs";
    if (!small) return "the size that is needed is not told";
  }
  return NULL;
}

/*
 * Decodes both ways and compares: NULL, or what is wrong. The arena is used from where it is;
 * `input` is exact, so that a sanitizer sees a read past the end.
 */
static inline const char *generated_compare(const spc_schema *schema, const test_generated *g,
                                            const uint8_t *input, size_t length,
                                            const spc_decode_options *options, spc_arena *arena,
                                            uint8_t *out, size_t capacity) {
  const spc_message_type *type = generated_message_type(schema, g);
  spc_message expected;
  spc_error error = {0}, other = {0};
  uint32_t ref;
  size_t before = spc_arena_used(arena);
  spc_status status = spc_decode(arena, type, input, length, options, &expected, &error);
  size_t between = spc_arena_used(arena);
  spc_status made = spc_gen_decode(arena, g->type, g->decode, input, length, options, &ref, &other);
  /* One of them may need more memory than the other. */
  if (status == SPC_OUT_OF_MEMORY || made == SPC_OUT_OF_MEMORY) return NULL;
  /* An extension that is malformed, or is refused, is so in the table's eyes only. */
  bool extendable = false;
  for (const char *const *name = (const char *const[]){"proto2", "editions", NULL}; *name; name++)
    extendable = extendable || strstr(g->name, *name) != NULL;
  if (status != made) return extendable ? NULL : "statuses differ";
  if (status != SPC_OK) {
    if (spc_arena_used(arena) != between || between != before) return "memory is kept on failure";
    if (extendable) return NULL;
    if (error.offset != other.offset) return "offsets of errors differ";
    if (error.limit != other.limit) return "limits of errors differ";
    return strcmp(error.path, other.path) != 0 ? "paths of errors differ" : NULL;
  }
  const spc_message m = {arena, type, ref};
  if (generated_has_extensions(&expected, 10)) return NULL;
  if (!spc_equal(&expected, &m)) return "messages differ";
  return generated_encoding(g, &m, out, capacity);
}

#endif
