/* Everything that the library offers. */
#ifndef SPICULE_SPICULE_H
#define SPICULE_SPICULE_H

#include "spicule/arena.h"
#include "spicule/call.h"
#include "spicule/codec.h"
#include "spicule/sha2.h"
#include "spicule/sponge.h"
#include "spicule/status.h"

#define SPC_VERSION_MAJOR  0
#define SPC_VERSION_MINOR  1
#define SPC_VERSION_PATCH  0
#define SPC_VERSION_STRING "0.1.0"

SPC_BEGIN_DECLS

/* The version of the library that is linked, such as "0.1.0". */
SPC_API const char *spc_version(void);

SPC_END_DECLS

#endif
