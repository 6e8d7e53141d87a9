/* The version string, from the one place that states it. */
#include "spicule/spicule.h"

const char *spc_version(void) {
  return SPC_VERSION_STRING;
}
