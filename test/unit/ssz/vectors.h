/*
 * The official-style SSZ vectors (cases.tsv, schemas-*.json, generic-types.json and the files they
 * name), read from the folder of SPICULE_SHARED, else from ../shared beside the sources.
 */
#ifndef SPC_TEST_SSZ_VECTORS_H
#define SPC_TEST_SSZ_VECTORS_H

#include <stdlib.h>

#include "spicule/ssz.h"
#include "support/test.h"

static const char *vectors_folder(void) {
  const char *shared = getenv("SPICULE_SHARED");
  return shared != NULL ? shared : "../shared";
}

/* The file's bytes, zero-terminated, in malloc memory; NULL if it can't be read. */
static uint8_t *vectors_read(const char *name, size_t *length) {
  char path[1024];
  snprintf(path, sizeof path, "%s/vectors/ssz/%s", vectors_folder(), name);
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  size_t capacity = 1 << 16;
  uint8_t *bytes = malloc(capacity);
  *length = 0;
  for (size_t n; (n = fread(bytes + *length, 1, capacity - 1 - *length, file)) != 0;) {
    *length += n;
    if (capacity - 1 - *length == 0) bytes = realloc(bytes, capacity *= 2);
  }
  fclose(file);
  bytes[*length] = 0;
  return bytes;
}

static inline bool vectors_hex(const char *text, uint8_t *out, size_t length) {
  if (text[0] == '0' && text[1] == 'x') text += 2;
  for (size_t i = 0; i < length; i++) {
    unsigned byte;
    if (sscanf(text + 2 * i, "%2x", &byte) != 1) return false;
    out[i] = (uint8_t)byte;
  }
  return true;
}

typedef struct vectors_case {
  char path[256], preset[16], fork[16], type[128];
  bool valid, extra_strict;
  uint8_t root[32];
} vectors_case;

/* One line of cases.tsv; false for the heading and at the end. */
static inline bool vectors_line(const char *line, vectors_case *c) {
  char root[80];
  int valid, strict;
  unsigned long size;
  if (sscanf(line, "%255[^\t]\t%15[^\t]\t%15[^\t]\t%127[^\t]\t%d\t%lu\t%79[^\t]\t%d", c->path,
             c->preset, c->fork, c->type, &valid, &size, root, &strict) != 8)
    return false;
  c->valid = valid != 0;
  c->extra_strict = strict != 0;
  return !c->valid || vectors_hex(root, c->root, 32);
}

/* Schemas, one for each preset and fork, and the generic types; made when first asked for. */
typedef struct vectors_schemas {
  struct {
    char preset[16], fork[16];
    spc_ssz_schema schema;
    spc_arena arena;
  } item[24];
  size_t count;
} vectors_schemas;

static void *vectors_grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user;
  (void)used;
  *size = needed < (1u << 20) ? 1u << 20 : 2 * needed;
  return realloc(base, *size);
}

static inline spc_ssz_schema *vectors_schema(vectors_schemas *all, const char *preset,
                                             const char *fork) {
  for (size_t i = 0; i < all->count; i++)
    if (strcmp(all->item[i].preset, preset) == 0 && strcmp(all->item[i].fork, fork) == 0)
      return &all->item[i].schema;
  if (all->count == 24) return NULL;
  bool generic = strcmp(preset, "-") == 0;
  char name[64];
  snprintf(name, sizeof name, generic ? "generic-types.json" : "schemas-%s.json", preset);
  size_t length;
  char *text = (char *)vectors_read(name, &length);
  if (text == NULL) return NULL;
  size_t i = all->count++;
  snprintf(all->item[i].preset, sizeof all->item[i].preset, "%s", preset);
  snprintf(all->item[i].fork, sizeof all->item[i].fork, "%s", fork);
  spc_arena_init(&all->item[i].arena, NULL, 0, vectors_grow, NULL);
  spc_error error;
  spc_status status = spc_ssz_schema_read(&all->item[i].schema, &all->item[i].arena, text, length,
                                          generic ? NULL : fork, &error);
  free(text);
  if (status != SPC_OK) {
    fprintf(stderr, "%s %s: %s at %" PRIu64 " in %s\n", name, fork, spc_status_name(status),
            error.offset, error.path);
    return NULL;
  }
  return &all->item[i].schema;
}

static inline void vectors_free(vectors_schemas *all) {
  for (size_t i = 0; i < all->count; i++)
    free(all->item[i].arena.base);
}

#endif
