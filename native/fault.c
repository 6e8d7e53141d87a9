/*
 * Error records of the native part. The path carries the system call and the errno, because that
 * is what a reader of the message can act on.
 */
#include "native/fault.h"

#include <stdio.h>
#include <string.h>

spc_status spc__fault(spc_error *error, spc_status status, const char *what) {
  if (error != NULL) {
    error->status = status;
    error->offset = SPC_NO_POSITION;
    error->index = SPC_NO_POSITION;
    error->limit = SPC_NO_POSITION;
    snprintf(error->path, sizeof error->path, "%s", what == NULL ? "" : what);
  }
  return status;
}

spc_status spc__fault_limit(spc_error *error, spc_status status, uint64_t limit) {
  spc__fault(error, status, NULL);
  if (error != NULL) error->limit = limit;
  return status;
}

spc_status spc__fault_errno(spc_error *error, spc_status status, const char *what, int number) {
  spc__fault(error, status, NULL);
  if (error != NULL) {
    snprintf(error->path, sizeof error->path, "%s: %s", what, strerror(number));
  }
  return status;
}
