/* Unix sockets: making them, and who is at the other end. */
#ifndef SPC_NATIVE_PEER_H
#define SPC_NATIVE_PEER_H

#include <stdbool.h>

#include "spicule/status.h"

/* A new stream socket that a child process does not inherit. SPC_NO_DESCRIPTORS. */
spc_status spc__peer_socket(int *fd, spc_error *error);

/* accept(2) of a socket that a child process does not inherit; -1 with errno. */
int spc__peer_accept(int listener);

/* SPC_PEER_REFUSED unless the other end of `fd` belongs to this process's user, or to root. */
spc_status spc__peer_check(int fd, spc_error *error);

/* Whether errno says that the process or the system has no descriptor left. */
bool spc__peer_out_of_descriptors(int number);

#endif
