/*
 * One client: read a frame, answer it, in order. The request is copied out of the socket or the
 * shared memory before anything looks at it. What the client can do wrong ends at most its own
 * session: errors of the core and memory that can't be had are answers; a stream in which the next
 * frame can't be found, or an index that can't be true, is the end.
 */
#include "native/session.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "native/clock.h"
#include "native/fault.h"

/* A session that has been idle this long gives back buffers larger than this. */
#define SESSION_IDLE_NS    UINT64_C(1000000000)
#define SESSION_KEPT_BYTES ((size_t)1 << 20)

spc__session *spc__session_new(spc__session_host *host, int fd) {
  spc__session *self = (spc__session *)calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->host = host;
  self->work.limit = (size_t)host->max_memory;
  self->request.limit = (size_t)host->limits.max_request;
  self->response.limit = (size_t)host->limits.max_response;
  spc_ctx_init(&self->ctx, spc__block_arena(&self->work), host->limits);
  spc__link_init(&self->link, fd);
  return self;
}

void spc__session_free(spc__session *self) {
  spc__link_close(&self->link);
  spc__block_free(&self->work);
  spc__block_free(&self->request);
  spc__block_free(&self->response);
  free(self);
}

void spc__session_order(spc__session *self, uint32_t order) {
  atomic_store(&self->order, order);
  shutdown(self->link.stream.fd, order == SPC_ORDER_LEAVE ? SHUT_RD : SHUT_RDWR);
  /* A thread that gets to its first wait after this has read the order before it sleeps. */
  if (atomic_load(&self->sleeps_in_shm)) spc__shm_ring_bell(&self->link.shm);
}

void spc__session_refuse(int fd, const spc_error *reason) {
  spc__stream stream;
  uint8_t header[SPC_FRAME_BYTES], record[SPC_FRAME_ERROR_BYTES];
  spc__frame frame = {.code = (uint32_t)reason->status};
  frame.length = spc__frame_encode_error(record, reason);
  spc__frame_encode(header, SPC_FRAME_RESPONSE, &frame);
  spc__stream_init(&stream, fd);
  spc__stream_write(&stream, header, sizeof header, record, (size_t)frame.length, -1, 0, NULL);
}

/* An answer that is an error of the call, not the end of the session. */
static spc_status session_fail(spc__session *self, const spc__frame *request,
                               const spc_error *failure, spc_error *error) {
  spc__counters_error(&self->counters, (uint32_t)failure->status);
  return spc__link_write_error(&self->link, request->id, failure, SPC_FOREVER, error);
}

static spc_status session_respond(spc__session *self, const spc__frame *request,
                                  const uint8_t *body, size_t length, spc_error *error) {
  const spc__frame frame = {.code = SPC_OK, .id = request->id, .length = length};
  spc__counters_add(&self->counters.response_bytes, length);
  return spc__link_write(&self->link, SPC_FRAME_RESPONSE, &frame, body, SPC_FOREVER, error);
}

/* Makes the shared memory; nothing is left when it can't be had or the client is gone. */
static spc_status session_make_shm(spc__session *self, int *fd, spc_error *error) {
  if (self->link.shared) return spc__fault(error, SPC_INVALID_STATE, NULL);
  uint64_t ring_size = spc__load_le(self->request.base, SPC_ATTACH_BYTES);
  if (ring_size > self->host->max_ring)
    return spc__fault_limit(error, SPC_INVALID_ARGUMENT, self->host->max_ring);
  return spc__shm_create(&self->link.shm, (uint32_t)ring_size, fd, error);
}

static spc_status session_attach(spc__session *self, const spc__frame *request, spc_error *error) {
  spc_error failure;
  uint8_t header[SPC_FRAME_BYTES];
  const spc__frame frame = {.code = SPC_OK, .id = request->id};
  int fd = -1;
  if (session_make_shm(self, &fd, &failure) != SPC_OK)
    return session_fail(self, request, &failure, error);
  self->link.shm.socket = self->link.stream.fd;
  self->link.shm.order = &self->order;
  self->link.shm.crowd = &self->host->crowd;
  spc__frame_encode(header, SPC_FRAME_RESPONSE, &frame);
  spc_status status =
      spc__stream_write(&self->link.stream, header, sizeof header, NULL, 0, fd, SPC_FOREVER, error);
  close(fd);
  if (status != SPC_OK) return status;
  atomic_fetch_add(&self->host->crowd.awake, 1);
  self->link.shared = true;
  atomic_store(&self->sleeps_in_shm, true);
  return SPC_OK;
}

static spc_status session_counters(spc__session *self, const spc__frame *request,
                                   spc_error *error) {
  spc_error failure;
  char text[SPC_COUNTERS_TEXT_BYTES];
  size_t length = self->host->counters(self->host->user, text);
  if (length <= request->room)
    return session_respond(self, request, (const uint8_t *)text, length, error);
  spc__fault_limit(&failure, SPC_BUFFER_TOO_SMALL, length);
  return session_fail(self, request, &failure, error);
}

static spc_status session_control(spc__session *self, const spc__frame *request, spc_error *error) {
  spc_error failure;
  bool attach = request->code == SPC_CONTROL_ATTACH;
  if (request->length == (attach ? SPC_ATTACH_BYTES : 0))
    return attach ? session_attach(self, request, error) : session_counters(self, request, error);
  spc__fault(&failure, SPC_WRONG_LENGTH, NULL);
  failure.offset = request->length;
  return session_fail(self, request, &failure, error);
}

static spc_status session_answer(spc__session *self, const spc__frame *request, spc_error *error) {
  spc_error failure;
  size_t length = (size_t)request->length;
  bool room = spc__block_reserve(&self->request, length);
  spc_status status = spc__link_read_body(&self->link, room ? self->request.base : NULL, length,
                                          SPC_FOREVER, error);
  if (status != SPC_OK) return status;
  spc__counters_add(&self->counters.calls, 1);
  spc__counters_add(&self->counters.request_bytes, length);
  if (!room) {
    spc__fault(&failure, SPC_OUT_OF_MEMORY, "server");
    return session_fail(self, request, &failure, error);
  }
  if (request->code == SPC_CONTROL_ATTACH || request->code == SPC_CONTROL_COUNTERS)
    return session_control(self, request, error);
  status = spc__block_call(&self->response, &self->ctx, request->code, self->request.base, length,
                           request->room, &length, &failure);
  return status == SPC_OK ? session_respond(self, request, self->response.base, length, error)
                          : session_fail(self, request, &failure, error);
}

/* Waits for the next frame; gives back large buffers when that takes long. */
static spc_status session_wait(spc__session *self, spc_error *error) {
  bool large = self->request.size > SESSION_KEPT_BYTES || self->response.size > SESSION_KEPT_BYTES;
  uint64_t deadline = large ? spc__deadline(SESSION_IDLE_NS) : SPC_FOREVER;
  for (;;) {
    if (atomic_load(&self->order) != 0) return spc__fault(error, SPC_DISCONNECTED, "stopped");
    if (spc__link_ready(&self->link)) return SPC_OK;
    spc_status status = spc__link_wait(&self->link, deadline, error);
    if (status == SPC_DEADLINE) {
      spc__block_free(&self->request);
      spc__block_free(&self->response);
      deadline = SPC_FOREVER;
    } else if (status != SPC_OK) {
      return status;
    }
  }
}

static spc_status session_greet(spc__session *self, spc_error *error) {
  uint8_t body[SPC_GREETING_BYTES];
  const spc__frame frame = {.code = SPC_OK, .length = sizeof body};
  spc__store_le(body, 8, self->host->limits.max_request);
  spc__store_le(body + 8, 8, self->host->limits.max_response);
  return spc__link_write(&self->link, SPC_FRAME_RESPONSE, &frame, body, SPC_FOREVER, error);
}

spc_status spc__session_serve(spc__session *self, spc_error *error) {
  spc_status status = session_greet(self, error);
  while (status == SPC_OK) {
    spc__frame frame;
    status = session_wait(self, error);
    if (status == SPC_OK)
      status = spc__link_read_frame(&self->link, SPC_FRAME_REQUEST, &frame,
                                    self->host->limits.max_request, SPC_FOREVER, error);
    if (status == SPC_OK) {
      status = session_answer(self, &frame, error);
    } else if (status == SPC_BAD_FRAME || status == SPC_FRAME_LIMIT) {
      spc_error ignored;
      uint32_t id = status == SPC_FRAME_LIMIT ? frame.id : 0;
      spc__link_write_error(&self->link, id, error, spc__deadline(SESSION_IDLE_NS), &ignored);
    }
  }
  if (status != SPC_DISCONNECTED) spc__counters_error(&self->counters, (uint32_t)status);
  if (self->link.shared) atomic_fetch_sub(&self->host->crowd.awake, 1);
  return status;
}

#undef SESSION_IDLE_NS
#undef SESSION_KEPT_BYTES
