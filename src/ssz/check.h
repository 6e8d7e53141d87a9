/* Validation of parts (see spc_ssz_validate), and where in a value a reader is. */
#ifndef SPC_SSZ_CHECK_H
#define SPC_SSZ_CHECK_H

#include "ssz/type_internal.h"

/* The way from the outermost value to the part at hand. */
typedef struct spc__ssz_trail {
  unsigned depth;
  struct {
    const spc_ssz_type *type;
    uint64_t index;
  } step[SPC_SSZ_MAX_DEPTH];
} spc__ssz_trail;

static inline void spc__ssz_trail_enter(spc__ssz_trail *self, const spc_ssz_type *type,
                                        uint64_t index) {
  self->step[self->depth].type = type;
  self->step[self->depth++].index = index;
}

/* Fills the error, with the trail as path, and returns the status. */
spc_status spc__ssz_trail_fail(const spc__ssz_trail *self, spc_error *error, spc_status status,
                               uint64_t offset);

/*
 * Deserializing checks the flat elements of a large sequence while it copies them, a few pages
 * ahead, instead of reading the memory twice: this says of which sequences.
 */
static inline bool spc__ssz_is_checked_late(const spc_ssz_type *type, uint64_t length) {
  return length > 65536 && type->leaf_bytes != 0 && type->element != 0 &&
         spc__ssz_has(spc__ssz_element(type), SPC__SSZ_CHECKED);
}

/* spc_ssz_validate without those elements; building the object then fails where they are wrong. */
spc_status spc__ssz_check_early(const spc_ssz_type *type, const uint8_t *bytes, size_t length,
                                spc_error *error);

/* Checks `length` bytes as `count` elements of fixed size of a sequence of the type. */
spc_status spc__ssz_check_elements(const spc_ssz_type *type, const uint8_t *bytes, uint64_t length,
                                   uint64_t count, spc_error *error);

#endif
