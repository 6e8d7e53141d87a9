/*
 * The client. A response is matched to its request by id; the server answers in order, so after a
 * deadline it is enough to count the responses that are still to be dropped. Whatever leaves the
 * stream between two frames makes the client unusable: there is no way to find the next frame.
 */
#include "native/client_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "native/clock.h"
#include "native/fault.h"
#include "native/peer.h"

#define CLIENT_RING_BYTES (UINT32_C(1) << 18)
#define CLIENT_RETRY_NS   500000L

spc_client_options spc_client_options_default(spc_transport transport, const char *path) {
  const spc_client_options options = {
      .transport = transport, .path = path, .fd = -1, .ring_bytes = CLIENT_RING_BYTES};
  return options;
}

static spc_status client_connect_once(int fd, const struct sockaddr_un *address, uint64_t deadline,
                                      spc_error *error) {
  /* The time to send is the time to wait while the server's backlog is full. */
  int left = spc__poll_timeout(deadline);
  if (left <= 0) left = 1;
  struct timeval time = {.tv_sec = left / 1000, .tv_usec = left % 1000 * 1000};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0) return SPC_OK;
  if (errno == EAGAIN || errno == EINTR) return spc__fault(error, SPC_DEADLINE, "connect");
  return spc__fault_errno(error, SPC_UNREACHABLE, "connect", errno);
}

/* Connects to `path`, again and again while nobody listens there and there is time. */
static spc_status client_connect(int *fd, const char *path, uint64_t deadline, spc_error *error) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL || strlen(path) >= sizeof address.sun_path || path[0] == '\0')
    return spc__fault_limit(error, SPC_BAD_ADDRESS, sizeof address.sun_path - 1);
  strcpy(address.sun_path, path);
  for (;;) {
    spc_status status = spc__peer_socket(fd, error);
    if (status != SPC_OK) return status;
    status = client_connect_once(*fd, &address, deadline, error);
    if (status == SPC_OK) return SPC_OK;
    int number = errno;
    close(*fd);
    if (status != SPC_UNREACHABLE || (number != ENOENT && number != ECONNREFUSED) ||
        spc__now() >= deadline)
      return status;
    nanosleep(&(struct timespec){.tv_nsec = CLIENT_RETRY_NS}, NULL);
  }
}

static spc_status client_read_error(spc_client *self, const spc__frame *frame, uint64_t deadline,
                                    spc_error *error) {
  uint8_t record[SPC_FRAME_ERROR_BYTES];
  if (frame->length > sizeof record) {
    self->broken = true;
    return spc__fault(error, SPC_BAD_FRAME, "error record");
  }
  spc_status status = spc__link_read_body(&self->link, record, frame->length, deadline, error);
  self->broken = status != SPC_OK || frame->id == 0;
  if (status != SPC_OK) return status;
  return spc__frame_decode_error(error, frame->code, record, (size_t)frame->length);
}

/* Reads the server's greeting: its limits, or why it does not serve this client. */
static spc_status client_read_greeting(spc_client *self, uint64_t deadline, spc_error *error) {
  uint8_t body[SPC_GREETING_BYTES];
  spc__frame frame;
  spc_status status = spc__link_read_frame(&self->link, SPC_FRAME_RESPONSE, &frame,
                                           SPC_FRAME_ERROR_BYTES, deadline, error);
  if (status == SPC_OK && frame.code != SPC_OK)
    return client_read_error(self, &frame, deadline, error);
  if (status == SPC_OK && (frame.length != sizeof body || frame.id != 0))
    status = spc__fault(error, SPC_BAD_FRAME, "greeting");
  if (status == SPC_OK)
    status = spc__link_read_body(&self->link, body, sizeof body, deadline, error);
  if (status != SPC_OK) return status;
  self->max_request = spc__load_le(body, 8);
  self->max_response = spc__load_le(body + 8, 8);
  if (self->max_response > SIZE_MAX / 2) self->max_response = SIZE_MAX / 2;
  return SPC_OK;
}

/* The response to ATTACH, whose first byte brings the descriptor of the memory. */
static spc_status client_read_attached(spc_client *self, uint32_t id, uint64_t deadline,
                                       spc_error *error) {
  uint8_t header[SPC_FRAME_BYTES];
  spc__frame frame;
  int passed = -1;
  if (spc__link_ready(&self->link)) return spc__fault(error, SPC_BAD_FRAME, "unasked");
  spc_status status =
      spc__stream_read_passed(&self->link.stream, header, sizeof header, &passed, deadline, error);
  if (status == SPC_OK)
    status = spc__frame_decode(&frame, SPC_FRAME_RESPONSE, header, SPC_FRAME_ERROR_BYTES, error);
  if (status == SPC_OK && frame.code != SPC_OK)
    status = client_read_error(self, &frame, deadline, error);
  else if (status == SPC_OK && (frame.length != 0 || frame.id != id || passed < 0))
    status = spc__fault(error, SPC_BAD_FRAME, "no shared memory came");
  if (status == SPC_OK) status = spc__shm_attach(&self->link.shm, passed, error);
  if (passed >= 0) close(passed);
  return status;
}

static spc_status client_attach(spc_client *self, uint32_t ring_bytes, uint64_t deadline,
                                spc_error *error) {
  uint8_t request[SPC_ATTACH_BYTES];
  const spc__frame frame = {
      .code = SPC_CONTROL_ATTACH, .id = self->sent_id, .length = sizeof request};
  spc__store_le(request, sizeof request, ring_bytes);
  spc_status status =
      spc__link_write(&self->link, SPC_FRAME_REQUEST, &frame, request, deadline, error);
  if (status == SPC_OK) status = client_read_attached(self, frame.id, deadline, error);
  if (status != SPC_OK) return status;
  self->link.shared = true;
  self->link.shm.socket = self->link.stream.fd;
  return SPC_OK;
}

spc_status spc_client_open(spc_client **client, const spc_client_options *options,
                           spc_error *error) {
  uint64_t deadline = spc__deadline(options->timeout_ns);
  int fd = options->fd;
  *client = NULL;
  if (fd < 0) {
    spc_status status = client_connect(&fd, options->path, deadline, error);
    if (status != SPC_OK) return status;
  }
  spc_client *self = (spc_client *)malloc(sizeof *self);
  if (self == NULL) {
    close(fd);
    return spc__fault(error, SPC_OUT_OF_MEMORY, NULL);
  }
  self->sent_id = 1; /* that of ATTACH, if it comes to that */
  self->answered_id = 1;
  self->broken = false;
  spc__link_init(&self->link, fd);
  /* A server that has answered the connect is given time to greet, whatever the timeout. */
  uint64_t least = spc__deadline(UINT64_C(5000000000));
  if (deadline < least) deadline = least;
  spc_status status = spc__peer_check(fd, error);
  if (status == SPC_OK) status = client_read_greeting(self, deadline, error);
  if (status == SPC_OK && options->transport == SPC_TRANSPORT_SHARED_MEMORY)
    status = client_attach(self, options->ring_bytes, deadline, error);
  if (status != SPC_OK) {
    spc_client_close(self);
    return status;
  }
  *client = self;
  return SPC_OK;
}

spc_status spc__client_receive(spc_client *self, spc__client_place_fn place, void *user,
                               uint64_t deadline, spc_error *error) {
  spc__frame frame;
  uint32_t id = spc__client_next_id(self->answered_id);
  spc_status status = SPC_OK;
  while (status == SPC_OK && !spc__link_ready(&self->link))
    status = spc__link_wait(&self->link, deadline, error);
  if (status == SPC_DEADLINE) return status;
  if (status == SPC_OK)
    status = spc__link_read_frame(&self->link, SPC_FRAME_RESPONSE, &frame, self->max_response,
                                  deadline, error);
  if (status == SPC_OK && frame.id != id && frame.id != 0)
    status = spc__fault(error, SPC_BAD_FRAME, "id");
  if (status != SPC_OK) {
    self->broken = true;
    return status;
  }
  self->answered_id = id;
  if (frame.code != SPC_OK) return client_read_error(self, &frame, deadline, error);
  uint8_t *out = NULL;
  bool placed = place != NULL && place(user, (size_t)frame.length, &out);
  status = spc__link_read_body(&self->link, placed ? out : NULL, frame.length, deadline, error);
  self->broken = status != SPC_OK;
  return status != SPC_OK || placed ? status : spc__fault(error, SPC_OUT_OF_MEMORY, NULL);
}

spc_status spc__client_call(spc_client *self, uint32_t op, const uint8_t *request,
                            size_t request_length, uint64_t room, spc__client_place_fn place,
                            void *user, uint64_t timeout_ns, spc_error *error) {
  uint64_t deadline = spc__deadline(timeout_ns);
  spc_status status = SPC_OK;
  if (request_length > self->max_request)
    return spc__fault_limit(error, SPC_SIZE_LIMIT, self->max_request);
  while (!self->broken && self->answered_id != self->sent_id && status != SPC_DEADLINE)
    status = spc__client_receive(self, NULL, NULL, deadline, error);
  if (self->broken) return spc__fault(error, SPC_DISCONNECTED, NULL);
  if (status == SPC_DEADLINE) return status;
  self->sent_id = spc__client_next_id(self->sent_id);
  spc__frame frame = {.code = op, .id = self->sent_id, .length = request_length, .room = room};
  status = spc__link_write(&self->link, SPC_FRAME_REQUEST, &frame, request, deadline, error);
  if (status != SPC_OK) {
    self->broken = true;
    return status;
  }
  return spc__client_receive(self, place, user, deadline, error);
}

/* The caller's buffer; `length` is that of the response. */
typedef struct client_buffer {
  uint8_t *bytes;
  size_t capacity;
  size_t length;
} client_buffer;

static bool client_place(void *user, size_t length, uint8_t **out) {
  client_buffer *buffer = (client_buffer *)user;
  buffer->length = length;
  *out = buffer->bytes;
  return length <= buffer->capacity;
}

spc_status spc_client_call(spc_client *self, uint32_t op, const uint8_t *request,
                           size_t request_length, uint8_t *response, size_t capacity,
                           size_t *response_length, uint64_t timeout_ns, spc_error *error) {
  client_buffer buffer = {.bytes = response, .capacity = capacity};
  spc_error unwanted;
  if (error == NULL) error = &unwanted;
  spc_status status = spc__client_call(self, op, request, request_length, capacity, client_place,
                                       &buffer, timeout_ns, error);
  *response_length = status == SPC_OK                 ? buffer.length
                     : status == SPC_BUFFER_TOO_SMALL ? (size_t)error->limit
                                                      : 0;
  return status;
}

uint64_t spc_client_max_request(const spc_client *self) {
  return self->max_request;
}

uint64_t spc_client_max_response(const spc_client *self) {
  return self->max_response;
}

void spc_client_close(spc_client *self) {
  if (self == NULL) return;
  spc__link_close(&self->link);
  free(self);
}

#undef CLIENT_RING_BYTES
#undef CLIENT_RETRY_NS
