/* What the codec's tests share: growing arenas, files, schemas, hex. */
#ifndef SPC_TEST_CODEC_SUPPORT_H
#define SPC_TEST_CODEC_SUPPORT_H

#include <stdlib.h>

#include "spicule/codec.h"
#include "support/test.h"

static inline void *test_grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user;
  *size = needed + needed / 2 + 64;
  void *block = malloc(*size);
  if (block != NULL && used != 0) memcpy(block, base, used);
  free(base);
  return block;
}

static inline spc_arena test_arena(void) {
  spc_arena arena;
  spc_arena_init(&arena, NULL, 0, test_grow, NULL);
  return arena;
}

/* The bytes of a file, or NULL. */
static inline uint8_t *test_read(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  size_t capacity = 1 << 16;
  uint8_t *bytes = malloc(capacity);
  *length = 0;
  for (size_t n; bytes != NULL && (n = fread(bytes + *length, 1, capacity - *length, file)) > 0;) {
    *length += n;
    if (*length == capacity) bytes = realloc(bytes, capacity *= 2);
  }
  fclose(file);
  return bytes;
}

/* A schema from a descriptor set beside the test program; ends the program if that fails. */
static inline const spc_schema *test_schema(spc_arena *arena, const char *path) {
  size_t length;
  uint32_t ref;
  spc_error error;
  uint8_t *bytes = test_read(path, &length);
  if (bytes == NULL) {
    fprintf(stderr, "can't read %s\n", path);
    exit(1);
  }
  spc_status status = spc_schema_build(arena, bytes, length, &ref, &error);
  free(bytes);
  if (status != SPC_OK) {
    fprintf(stderr, "%s: %s at %s\n", path, spc_status_name(status), error.path);
    exit(1);
  }
  return (const spc_schema *)spc_arena_at(arena, ref);
}

static inline const spc_message_type *test_type(const spc_schema *schema, const char *name) {
  const spc_message_type *type = spc_schema_message(schema, name, strlen(name));
  if (type == NULL) {
    fprintf(stderr, "no type %s\n", name);
    exit(1);
  }
  return type;
}

static inline const spc_field *test_field(const spc_message_type *type, const char *name) {
  const spc_field *field = spc_message_type_by_name(type, name, strlen(name));
  if (field == NULL) {
    fprintf(stderr, "no field %s\n", name);
    exit(1);
  }
  return field;
}

/* "08 96 01" as bytes; returns their number. */
static inline size_t test_hex(uint8_t *out, const char *hex) {
  size_t n = 0;
  for (unsigned byte; *hex != '\0'; hex += 2) {
    while (*hex == ' ')
      hex++;
    if (*hex == '\0' || sscanf(hex, "%2x", &byte) != 1) break;
    out[n++] = (uint8_t)byte;
  }
  return n;
}

#endif
