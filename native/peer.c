/*
 * What differs between POSIX systems about Unix sockets. Both ends check the other: a server works
 * for its own user only, and a client must not take results from whoever got hold of the path.
 * Root is trusted by both, since it can read and change either process anyway.
 */
#include "native/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "native/fault.h"

#ifdef SOCK_CLOEXEC
#define PEER_CLOEXEC SOCK_CLOEXEC
#else
#define PEER_CLOEXEC 0
#endif

bool spc__peer_out_of_descriptors(int number) {
  return number == EMFILE || number == ENFILE;
}

spc_status spc__peer_socket(int *fd, spc_error *error) {
  *fd = socket(AF_UNIX, SOCK_STREAM | PEER_CLOEXEC, 0);
  if (*fd < 0) {
    spc_status status =
        spc__peer_out_of_descriptors(errno) ? SPC_NO_DESCRIPTORS : SPC_SYSTEM_FAILURE;
    return spc__fault_errno(error, status, "socket", errno);
  }
  fcntl(*fd, F_SETFD, FD_CLOEXEC);
  return SPC_OK;
}

int spc__peer_accept(int listener) {
#ifdef SOCK_CLOEXEC
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
#else
  int fd = accept(listener, NULL, NULL);
  if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd;
#endif
}

static bool peer_uid(int fd, uid_t *uid) {
#ifdef SO_PEERCRED
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return false;
  *uid = credentials.uid;
  return true;
#else
  gid_t gid;
  return getpeereid(fd, uid, &gid) == 0;
#endif
}

spc_status spc__peer_check(int fd, spc_error *error) {
  uid_t uid;
  if (!peer_uid(fd, &uid)) return spc__fault_errno(error, SPC_SYSTEM_FAILURE, "SO_PEERCRED", errno);
  if (uid == geteuid() || uid == 0) return SPC_OK;
  return spc__fault(error, SPC_PEER_REFUSED, NULL);
}

#undef PEER_CLOEXEC
