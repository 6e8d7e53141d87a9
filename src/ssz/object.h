/* Objects: from bytes, to bytes, and the way from an object to its parts. */
#ifndef SPC_SSZ_OBJECT_H
#define SPC_SSZ_OBJECT_H

#include <string.h>

#include "ssz/tree.h"

/*
 * The object of bytes that are valid, but for elements to be checked late. NULL: memory is out, or
 * those are wrong.
 */
void *spc__ssz_object_build(spc_ssz_pool *pool, const spc_ssz_type *type, const uint8_t *bytes,
                            uint64_t length);

/* A union with option `selector`, made of the valid bytes of its data; NULL: memory is out. */
void *spc__ssz_object_union(spc_ssz_pool *pool, const spc_ssz_type *type, unsigned selector,
                            const uint8_t *bytes, uint64_t length);

/* The default object; SPC_NO_DEFAULT, SPC_OUT_OF_MEMORY. */
spc_status spc__ssz_object_default(spc_ssz_pool *pool, const spc_ssz_type *type, void **object);

uint64_t spc__ssz_object_size(const spc_ssz_type *type, void *object);

/* Writes the object, which has `size` bytes; false: offsets would need more than 32 bits. */
bool spc__ssz_object_write(const spc_ssz_type *type, void *object, uint8_t *out, uint64_t size);

/* A part of a value: an object, or flat bytes inside one. */
typedef struct spc__ssz_part {
  const spc_ssz_type *type;
  void *object;         /* or NULL */
  const uint8_t *bytes; /* if there is no object */
} spc__ssz_part;

/* Goes one step; SPC_OUT_OF_RANGE, and SPC_INVALID_ARGUMENT for bits. */
spc_status spc__ssz_part_step(spc__ssz_part *part, uint64_t step);

static inline spc_status spc__ssz_part_walk(spc__ssz_part *part, const uint64_t *path,
                                            size_t steps) {
  spc_status status = SPC_OK;
  for (size_t i = 0; i < steps && status == SPC_OK; i++)
    status = spc__ssz_part_step(part, path[i]);
  return status;
}

/* A part that may be changed: everything above it is the caller's own and marked dirty. */
typedef struct spc__ssz_spot {
  const spc_ssz_type *type;
  void **slot;    /* where the reference of its object is, or NULL */
  uint8_t *bytes; /* its flat bytes */
} spc__ssz_spot;

/*
 * Walks from the object at `slot`; the path has been walked by spc__ssz_part_walk, so it exists.
 * `resizes`: serialized sizes on the way are forgotten. False: memory is out.
 */
bool spc__ssz_spot_walk(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot,
                        const uint64_t *path, size_t steps, bool resizes, spc__ssz_spot *spot);

static inline uint64_t spc__ssz_object_length(const spc_ssz_type *type, const void *object) {
  return spc__ssz_is_sequence(type) ? ((const spc__ssz_seq *)object)->length : 1;
}

static inline void *spc__ssz_record_child(const spc__ssz_record *record,
                                          const spc__ssz_member *member) {
  void *child;
  memcpy(&child, record->data + member->data, sizeof child);
  return child;
}

/* Leaf `leaf` of a sequence of pages. */
static inline uint8_t *spc__ssz_seq_leaf(const spc_ssz_type *type, const spc__ssz_seq *seq,
                                         uint64_t leaf, uint32_t *room) {
  spc__ssz_place place = spc__ssz_locate_leaf(type, leaf);
  spc__ssz_page *page =
      (spc__ssz_page *)spc__ssz_seq_item(type, seq, spc__ssz_leaves(type, seq->length), &place);
  *room = place.room;
  return page->data + (size_t)place.leaf * type->leaf_bytes;
}

#endif
