/* Shared by the files of the sponge: errors by element, checking, IVs. */
#ifndef SPC_SPONGE_SPONGE_INTERNAL_H
#define SPC_SPONGE_SPONGE_INTERNAL_H

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "field/fr.h"
#include "spicule/sponge.h"
#include "sponge/poseidon2_kernel.h"

/* Records a failure at field element `index` of an array. */
static inline spc_status spc__sponge_fail_at(spc_error *error, spc_status status, uint64_t index) {
  spc__fail_index(error, status, index);
  if (error != NULL) error->offset = index * SPC_FIELD_BYTES;
  return status;
}

/* The initial value of state[3] for so many elements: count * 2^64. */
static inline void spc__sponge_iv(uint8_t out[SPC_FIELD_BYTES], uint64_t count) {
  memset(out, 0, SPC_FIELD_BYTES);
  spc__store64_be(out + 16, count);
}

/* SPC_OK, or SPC_NOT_CANONICAL at the first element that is not below the modulus. */
spc_status spc__sponge_check(const uint8_t *fields, size_t count, spc_error *error);

#endif
