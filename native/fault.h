/* Filling spc_error for what goes wrong outside the core. */
#ifndef SPC_NATIVE_FAULT_H
#define SPC_NATIVE_FAULT_H

#include "spicule/status.h"

/* Records a failure; `what` (may be NULL) becomes the path. Gives the status back. */
spc_status spc__fault(spc_error *error, spc_status status, const char *what);

/* The same with the limit that was exceeded. */
spc_status spc__fault_limit(spc_error *error, spc_status status, uint64_t limit);

/* The same for a failed system call: the path is "<what>: <text of errno>". */
spc_status spc__fault_errno(spc_error *error, spc_status status, const char *what, int number);

#endif
