/*
 * Two servers must not both find a stale file and one of them remove the other's new one: from
 * looking at the file to listening on it, the folder is locked. The lock is a file lock on the
 * folder itself, so that nothing stays behind. A folder that can't be locked in time (it can belong
 * to someone else) is used without; bind(2) still refuses a path that exists.
 */
#include "native/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "native/fault.h"
#include "native/peer.h"

#define LISTEN_BACKLOG    128
#define LISTEN_LOCK_TRIES 100 /* of 10 ms */

static int listen_lock_folder(const char *path) {
  char folder[sizeof(((struct sockaddr_un *)0)->sun_path)] = ".";
  const char *slash = strrchr(path, '/');
  if (slash != NULL) {
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    memcpy(folder, path, length);
    folder[length] = '\0';
  }
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return -1;
  for (int i = 0; i < LISTEN_LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0; i++)
    poll(NULL, 0, 10);
  return fd;
}

/* Whether a server answers at the address; anything but a clear no counts as yes. */
static spc_status listen_probe(const struct sockaddr_un *address, spc_error *error) {
  int fd = -1;
  spc_status status = spc__peer_socket(&fd, error);
  if (status != SPC_OK) return status;
  fcntl(fd, F_SETFL, O_NONBLOCK);
  int result = connect(fd, (const struct sockaddr *)address, sizeof *address);
  int number = errno;
  close(fd);
  if (result != 0 && number == ECONNREFUSED) return SPC_OK;
  if (result == 0) return spc__fault(error, SPC_ADDRESS_IN_USE, address->sun_path);
  return spc__fault_errno(error, SPC_ADDRESS_IN_USE, "connect", number);
}

/* Makes way for a new socket file. */
static spc_status listen_clear(const struct sockaddr_un *address, spc_error *error) {
  struct stat file;
  if (lstat(address->sun_path, &file) != 0) return SPC_OK;
  if (!S_ISSOCK(file.st_mode)) return spc__fault(error, SPC_BAD_ADDRESS, "not a socket");
  spc_status status = listen_probe(address, error);
  if (status == SPC_OK && unlink(address->sun_path) != 0 && errno != ENOENT)
    return spc__fault_errno(error, SPC_SYSTEM_FAILURE, "unlink", errno);
  return status;
}

/* Nobody can connect before listen(2), so the mode is right when the first one can. */
static spc_status listen_bind(spc__listener *self, spc_error *error) {
  const char *path = self->address.sun_path;
  if (bind(self->fd, (const struct sockaddr *)&self->address, sizeof self->address) != 0) {
    int number = errno;
    spc_status status = number == EADDRINUSE ? SPC_ADDRESS_IN_USE : SPC_SYSTEM_FAILURE;
    return spc__fault_errno(error, status, "bind", number);
  }
  if (chmod(path, S_IRUSR | S_IWUSR) == 0 && lstat(path, &self->file) == 0 &&
      listen(self->fd, LISTEN_BACKLOG) == 0)
    return SPC_OK;
  spc__fault_errno(error, SPC_SYSTEM_FAILURE, "listen", errno);
  unlink(path);
  return SPC_SYSTEM_FAILURE;
}

spc_status spc__listener_open(spc__listener *self, const char *path, spc_error *error) {
  memset(self, 0, sizeof *self);
  self->fd = -1;
  self->address.sun_family = AF_UNIX;
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof self->address.sun_path)
    return spc__fault_limit(error, SPC_BAD_ADDRESS, sizeof self->address.sun_path - 1);
  memcpy(self->address.sun_path, path, length);
  spc_status status = spc__peer_socket(&self->fd, error);
  if (status != SPC_OK) return status;
  int folder = listen_lock_folder(path);
  status = listen_clear(&self->address, error);
  if (status == SPC_OK) status = listen_bind(self, error);
  if (folder >= 0) close(folder);
  if (status != SPC_OK) {
    close(self->fd);
    self->fd = -1;
  }
  return status;
}

void spc__listener_close(spc__listener *self) {
  struct stat file;
  if (self->fd < 0) return;
  if (lstat(self->address.sun_path, &file) == 0 && file.st_dev == self->file.st_dev &&
      file.st_ino == self->file.st_ino)
    unlink(self->address.sun_path);
  close(self->fd);
  self->fd = -1;
}

#undef LISTEN_BACKLOG
#undef LISTEN_LOCK_TRIES
