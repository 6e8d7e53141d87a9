/*
 * A connection that carries frames: a socket, or shared memory with a socket beside it. The same
 * code serves and calls over both.
 */
#ifndef SPC_NATIVE_LINK_H
#define SPC_NATIVE_LINK_H

#include "native/frame.h"
#include "native/shm.h"
#include "native/stream.h"

typedef struct spc__link {
  bool shared; /* frames go through the shared memory */
  spc__shm shm;
  spc__stream stream;
} spc__link;

/* Starts a link over a connected socket, which it takes over. */
void spc__link_init(spc__link *self, int fd);

/* Closes the socket and unmaps the memory. */
void spc__link_close(spc__link *self);

/* Whether something can be read at once. */
bool spc__link_ready(const spc__link *self);

/* Waits until then; may return early. SPC_DISCONNECTED, SPC_DEADLINE, SPC_BAD_SHARED_MEMORY. */
spc_status spc__link_wait(spc__link *self, uint64_t deadline, spc_error *error);

/*
 * Reads a header and checks it; the statuses of spc__frame_decode, and SPC_DISCONNECTED,
 * SPC_DEADLINE, SPC_BAD_SHARED_MEMORY as everything below.
 */
spc_status spc__link_read_frame(spc__link *self, spc__frame_kind kind, spc__frame *frame,
                                uint64_t max_length, uint64_t deadline, spc_error *error);

/* Reads the whole body of a frame in one go; `out` may be NULL to drop it. */
spc_status spc__link_read_body(spc__link *self, uint8_t *out, uint64_t length, uint64_t deadline,
                               spc_error *error);

/* Writes a frame whose body is `body`, of frame->length bytes. */
spc_status spc__link_write(spc__link *self, spc__frame_kind kind, const spc__frame *frame,
                           const uint8_t *body, uint64_t deadline, spc_error *error);

/* Writes a response with the error record of `error`. */
spc_status spc__link_write_error(spc__link *self, uint32_t id, const spc_error *failure,
                                 uint64_t deadline, spc_error *error);

#endif
