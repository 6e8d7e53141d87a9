/* Names and messages of the statuses, from the list in status.h. */
#include "spicule/status.h"

const char *spc_status_name(spc_status status) {
  switch (status) {
#define STATUS_CASE(name, value, message)                                                          \
  case SPC_##name:                                                                                 \
    return #name;
    SPC_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
  }
  return "UNKNOWN";
}

const char *spc_status_message(spc_status status) {
  switch (status) {
#define STATUS_CASE(name, value, message)                                                          \
  case SPC_##name:                                                                                 \
    return message;
    SPC_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
  }
  return "unknown status";
}
