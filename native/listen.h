/* The socket file of a server. */
#ifndef SPC_NATIVE_LISTEN_H
#define SPC_NATIVE_LISTEN_H

#include <sys/stat.h>
#include <sys/un.h>

#include "spicule/status.h"

typedef struct spc__listener {
  int fd; /* -1 when closed */
  struct sockaddr_un address;
  struct stat file; /* to know it again */
} spc__listener;

/*
 * Listens at `path`, for this user only. A file left by a dead server is replaced.
 * SPC_ADDRESS_IN_USE, SPC_BAD_ADDRESS, SPC_NO_DESCRIPTORS, SPC_SYSTEM_FAILURE.
 */
spc_status spc__listener_open(spc__listener *self, const char *path, spc_error *error);

/* Closes it and removes the file, unless another has taken its place. */
void spc__listener_close(spc__listener *self);

#endif
