/* Validation of parts; see spc_ssz_validate. */
#ifndef SPC_SSZ_CHECK_H
#define SPC_SSZ_CHECK_H

#include "ssz/type_internal.h"

/* Checks `length` bytes as `count` elements of fixed size of a sequence of the type. */
spc_status spc__ssz_check_elements(const spc_ssz_type *type, const uint8_t *bytes, uint64_t length,
                                   uint64_t count, spc_error *error);

#endif
