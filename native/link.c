/*
 * Frames over either transport. In a ring every piece ends at a multiple of 8, so a body must be
 * read with as many calls as it was written with: one.
 */
#include "native/link.h"

#include <string.h>
#include <unistd.h>

#include "native/fault.h"

void spc__link_init(spc__link *self, int fd) {
  self->shared = false;
  memset(&self->shm, 0, sizeof self->shm);
  spc__stream_init(&self->stream, fd);
}

void spc__link_close(spc__link *self) {
  spc__shm_close(&self->shm);
  close(self->stream.fd);
}

bool spc__link_ready(const spc__link *self) {
  return self->shared ? spc__ring_available(&self->shm.in) != 0
                      : self->stream.start != self->stream.end;
}

spc_status spc__link_wait(spc__link *self, uint64_t deadline, spc_error *error) {
  if (spc__link_ready(self)) return SPC_OK;
  return self->shared ? spc__shm_wait(&self->shm, SPC_SHM_DATA | SPC_SHM_IDLE, deadline, error)
                      : spc__stream_wait(&self->stream, deadline, error);
}

spc_status spc__link_read_body(spc__link *self, uint8_t *out, uint64_t length, uint64_t deadline,
                               spc_error *error) {
  return self->shared ? spc__shm_read(&self->shm, out, length, deadline, error)
                      : spc__stream_read(&self->stream, out, length, deadline, error);
}

spc_status spc__link_read_frame(spc__link *self, spc__frame_kind kind, spc__frame *frame,
                                uint64_t max_length, uint64_t deadline, spc_error *error) {
  uint8_t header[SPC_FRAME_BYTES];
  spc_status status = spc__link_read_body(self, header, sizeof header, deadline, error);
  if (status != SPC_OK) return status;
  return spc__frame_decode(frame, kind, header, max_length, error);
}

spc_status spc__link_write(spc__link *self, spc__frame_kind kind, const spc__frame *frame,
                           const uint8_t *body, uint64_t deadline, spc_error *error) {
  uint8_t header[SPC_FRAME_BYTES];
  size_t length = (size_t)frame->length;
  spc__frame_encode(header, kind, frame);
  if (!self->shared)
    return spc__stream_write(&self->stream, header, sizeof header, body, length, -1, deadline,
                             error);
  const spc__shm_message message = {header, sizeof header, body, length};
  return spc__shm_write(&self->shm, message, deadline, error);
}

spc_status spc__link_write_error(spc__link *self, uint32_t id, const spc_error *failure,
                                 uint64_t deadline, spc_error *error) {
  uint8_t record[SPC_FRAME_ERROR_BYTES];
  spc__frame frame = {.code = (uint32_t)failure->status, .id = id};
  frame.length = spc__frame_encode_error(record, failure);
  return spc__link_write(self, SPC_FRAME_RESPONSE, &frame, record, deadline, error);
}
