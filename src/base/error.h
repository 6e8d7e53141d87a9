/* Filling spc_error. The error pointer may be NULL everywhere. */
#ifndef SPC_BASE_ERROR_H
#define SPC_BASE_ERROR_H

#include "spicule/status.h"

/* Records a failure without positions and returns its status. */
static inline spc_status spc__fail(spc_error *error, spc_status status) {
  if (error != NULL) {
    error->status = status;
    error->offset = SPC_NO_POSITION;
    error->index = SPC_NO_POSITION;
    error->limit = SPC_NO_POSITION;
    error->path[0] = '\0';
  }
  return status;
}

static inline spc_status spc__fail_offset(spc_error *error, spc_status status, uint64_t offset) {
  spc__fail(error, status);
  if (error != NULL) error->offset = offset;
  return status;
}

static inline spc_status spc__fail_index(spc_error *error, spc_status status, uint64_t index) {
  spc__fail(error, status);
  if (error != NULL) error->index = index;
  return status;
}

static inline spc_status spc__fail_limit(spc_error *error, spc_status status, uint64_t limit) {
  spc__fail(error, status);
  if (error != NULL) error->limit = limit;
  return status;
}

#endif
