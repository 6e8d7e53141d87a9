/* A connected Unix socket as a stream of bytes, with a deadline on every wait. */
#ifndef SPC_NATIVE_STREAM_H
#define SPC_NATIVE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spicule/status.h"

#define SPC_STREAM_BUFFER_BYTES ((size_t)65536)

/* What came with the header of a small frame is kept for the next read. */
typedef struct spc__stream {
  int fd;
  size_t start;
  size_t end;
  uint8_t buffer[SPC_STREAM_BUFFER_BYTES];
} spc__stream;

/* Takes over `fd`. */
void spc__stream_init(spc__stream *self, int fd);

/* Waits until a byte can be read. SPC_DISCONNECTED, SPC_DEADLINE. */
spc_status spc__stream_wait(spc__stream *self, uint64_t deadline, spc_error *error);

/* Reads exactly `length` bytes; `out` may be NULL to drop them. SPC_DISCONNECTED, SPC_DEADLINE. */
spc_status spc__stream_read(spc__stream *self, uint8_t *out, uint64_t length, uint64_t deadline,
                            spc_error *error);

/*
 * Writes `head` and `body` one after the other. With `passed` >= 0 that descriptor goes with them.
 * SPC_DISCONNECTED, SPC_DEADLINE.
 */
spc_status spc__stream_write(spc__stream *self, const uint8_t *head, size_t head_length,
                             const uint8_t *body, size_t body_length, int passed, uint64_t deadline,
                             spc_error *error);

/*
 * Reads exactly `length` bytes of a stream from which nothing was read ahead, and the descriptor
 * that came with them, or -1.
 */
spc_status spc__stream_read_passed(spc__stream *self, uint8_t *out, size_t length, int *passed,
                                   uint64_t deadline, spc_error *error);

/* Sends a byte that means nothing, without waiting; there may be no room for it. */
void spc__socket_nudge(int fd);

/* Whether the other end of `fd` is gone; does not wait. */
bool spc__hung_up(int fd);

#endif
