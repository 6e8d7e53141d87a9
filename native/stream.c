/*
 * Sockets are left in blocking mode: without a deadline a read is one system call. With one, calls
 * are made with MSG_DONTWAIT and poll(2) waits between them. A write never raises SIGPIPE.
 */
#include "native/stream.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "native/clock.h"
#include "native/fault.h"

#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* there the program has to ignore SIGPIPE */
#endif

void spc__stream_init(spc__stream *self, int fd) {
  self->fd = fd;
  self->start = 0;
  self->end = 0;
}

/* What a failed call on a socket means; SPC_OK where it is to be made again. */
static spc_status stream_failed(spc__stream *self, short events, uint64_t deadline,
                                spc_error *error) {
  if (errno == EINTR) return SPC_OK;
  if (errno != EAGAIN && errno != EWOULDBLOCK) {
    const char *what = events == POLLIN ? "recv" : "send";
    return spc__fault_errno(error, SPC_DISCONNECTED, what, errno);
  }
  struct pollfd poller = {.fd = self->fd, .events = events};
  int timeout = spc__poll_timeout(deadline);
  if (timeout == 0) return spc__fault(error, SPC_DEADLINE, NULL);
  poll(&poller, 1, timeout);
  return SPC_OK;
}

/* One read of at least a byte. */
static spc_status stream_receive(spc__stream *self, uint8_t *out, size_t room, size_t *length,
                                 uint64_t deadline, spc_error *error) {
  for (;;) {
    ssize_t got = recv(self->fd, out, room, deadline == SPC_FOREVER ? 0 : MSG_DONTWAIT);
    if (got > 0) {
      *length = (size_t)got;
      return SPC_OK;
    }
    if (got == 0) return spc__fault(error, SPC_DISCONNECTED, NULL);
    spc_status status = stream_failed(self, POLLIN, deadline, error);
    if (status != SPC_OK) return status;
  }
}

spc_status spc__stream_wait(spc__stream *self, uint64_t deadline, spc_error *error) {
  if (self->start != self->end) return SPC_OK;
  self->start = 0;
  self->end = 0;
  return stream_receive(self, self->buffer, sizeof self->buffer, &self->end, deadline, error);
}

spc_status spc__stream_read(spc__stream *self, uint8_t *out, uint64_t length, uint64_t deadline,
                            spc_error *error) {
  while (length != 0) {
    size_t piece = 0;
    if (self->start == self->end && out != NULL && length >= sizeof self->buffer) {
      size_t room = length > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)length;
      spc_status status = stream_receive(self, out, room, &piece, deadline, error);
      if (status != SPC_OK) return status;
    } else {
      spc_status status = spc__stream_wait(self, deadline, error);
      if (status != SPC_OK) return status;
      piece = self->end - self->start;
      if (piece > length) piece = (size_t)length;
      if (out != NULL) memcpy(out, self->buffer + self->start, piece);
      self->start += piece;
    }
    if (out != NULL) out += piece;
    length -= piece;
  }
  return SPC_OK;
}

/* Room for one descriptor beside a message. */
typedef union stream_control {
  struct cmsghdr header;
  uint8_t bytes[CMSG_SPACE(sizeof(int))];
} stream_control;

spc_status spc__stream_write(spc__stream *self, const uint8_t *head, size_t head_length,
                             const uint8_t *body, size_t body_length, int passed, uint64_t deadline,
                             spc_error *error) {
  stream_control control;
  struct iovec parts[2] = {{.iov_base = (void *)(uintptr_t)head, .iov_len = head_length},
                           {.iov_base = (void *)(uintptr_t)body, .iov_len = body_length}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (passed >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &passed, sizeof(int));
  }
  int flags = MSG_NOSIGNAL | (deadline == SPC_FOREVER ? 0 : MSG_DONTWAIT);
  while (parts[0].iov_len + parts[1].iov_len != 0) {
    ssize_t sent = sendmsg(self->fd, &message, flags);
    if (sent < 0) {
      spc_status status = stream_failed(self, POLLOUT, deadline, error);
      if (status != SPC_OK) return status;
      continue;
    }
    message.msg_control = NULL;
    message.msg_controllen = 0;
    for (size_t i = 0; i < 2; i++) {
      size_t done = (size_t)sent < parts[i].iov_len ? (size_t)sent : parts[i].iov_len;
      parts[i].iov_base = (uint8_t *)parts[i].iov_base + done;
      parts[i].iov_len -= done;
      sent -= (ssize_t)done;
    }
  }
  return SPC_OK;
}

spc_status spc__stream_read_passed(spc__stream *self, uint8_t *out, size_t length, int *passed,
                                   uint64_t deadline, spc_error *error) {
  *passed = -1;
  spc_status status = SPC_OK;
  for (size_t at = 0; at != length && status == SPC_OK;) {
    stream_control control;
    struct iovec part = {.iov_base = out + at, .iov_len = length - at};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = CMSG_LEN(sizeof(int))}; /* not two of them */
    ssize_t got = recvmsg(self->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) {
      status = stream_failed(self, POLLIN, deadline, error);
      continue;
    }
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      if (*passed >= 0) close(*passed);
      memcpy(passed, CMSG_DATA(header), sizeof(int));
    }
    if (got == 0) status = spc__fault(error, SPC_DISCONNECTED, NULL);
    at += (size_t)got;
  }
  if (status != SPC_OK && *passed >= 0) {
    close(*passed);
    *passed = -1;
  }
  return status;
}

void spc__socket_nudge(int fd) {
  ssize_t ignored = send(fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
  (void)ignored;
}

bool spc__hung_up(int fd) {
  struct pollfd poller = {.fd = fd, .events = 0};
  return poll(&poller, 1, 0) > 0 && (poller.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}
