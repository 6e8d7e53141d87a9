/*
 * The asynchronous client over shared memory, without a thread: AsyncClient never blocks. It puts
 * requests as far as there is room and keeps copies of the rest; it takes what has come of the
 * responses; and when there is nothing to do it arms the ring, so that the server sends a byte on
 * the socket, which the TypeScript side watches in its event loop. Matching responses to promises,
 * deadlines and the server's end are TypeScript's; the order of frames is the order of calls.
 *
 * Invariants: `header_filled` bytes of the next response's header have come, and once they are
 * whole `frame` is it and `body_left` bytes are still to be taken; what is queued is put before
 * anything that is sent later.
 */
#include "native/addon.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* A request that is not wholly in the ring yet. */
typedef struct async_request {
  struct async_request *next;
  uint8_t header[SPC_FRAME_BYTES];
  spc__shm_message message;
  uint8_t body[];
} async_request;

typedef struct async_client {
  spc_client *client; /* NULL when closed */
  async_request *queued;
  async_request **queued_end;
  uint8_t header[SPC_FRAME_BYTES];
  size_t header_filled;
  spc__frame frame;
  uint64_t body_left;
  uint8_t record[SPC_FRAME_ERROR_BYTES]; /* of an error that is arriving */
} async_client;

static spc__shm *async_shm(async_client *self) {
  return &self->client->link.shm;
}

static void async_close(async_client *self) {
  while (self->queued != NULL) {
    async_request *next = self->queued->next;
    free(self->queued);
    self->queued = next;
  }
  self->queued_end = &self->queued;
  spc_client_close(self->client);
  self->client = NULL;
}

/* Puts what is queued, as far as there is room. */
static spc_status async_flush(async_client *self, spc_error *error) {
  while (self->queued != NULL) {
    async_request *request = self->queued;
    spc_status status = spc__shm_put(async_shm(self), &request->message, error);
    if (status != SPC_OK || !spc__shm_message_done(&request->message)) return status;
    self->queued = request->next;
    if (self->queued == NULL) self->queued_end = &self->queued;
    free(request);
  }
  return SPC_OK;
}

/* Keeps a copy of what is left of a message. */
static spc_status async_enqueue(async_client *self, const spc__shm_message *message,
                                spc_error *error) {
  async_request *request = (async_request *)malloc(sizeof *request + message->body_length);
  if (request == NULL) return spc__fault(error, SPC_OUT_OF_MEMORY, NULL);
  request->next = NULL;
  request->message = *message;
  memcpy(request->header, message->head, message->head_length);
  request->message.head = request->header;
  if (message->body_length != 0) memcpy(request->body, message->body, message->body_length);
  request->message.body = request->body;
  *self->queued_end = request;
  self->queued_end = &request->next;
  return SPC_OK;
}

/* Sends a request, or what there is room for, and keeps the rest. */
static spc_status async_send(async_client *self, const spc__addon_view *bytes, uint32_t op,
                             uint64_t room, spc_error *error) {
  uint8_t header[SPC_FRAME_BYTES];
  spc_client *client = self->client;
  if (bytes->length > client->max_request)
    return spc__fault_limit(error, SPC_SIZE_LIMIT, client->max_request);
  spc__frame frame = {.code = op,
                      .id = spc__client_next_id(client->sent_id),
                      .length = bytes->length,
                      .room = room};
  spc__frame_encode(header, SPC_FRAME_REQUEST, &frame);
  spc__shm_message message = {header, sizeof header, bytes->bytes, bytes->length};
  spc_status status = SPC_OK;
  if (self->queued == NULL) status = spc__shm_put(async_shm(self), &message, error);
  if (status == SPC_OK && !spc__shm_message_done(&message))
    status = async_enqueue(self, &message, error);
  if (status == SPC_OK) client->sent_id = frame.id;
  return status;
}

/* Goes on with the header of the next response; `*whole` says whether it has come. */
static spc_status async_header(async_client *self, bool *whole, spc_error *error) {
  uint64_t taken = 0;
  *whole = self->header_filled == SPC_FRAME_BYTES;
  if (*whole) return SPC_OK;
  spc_status status = spc__shm_take(async_shm(self), self->header + self->header_filled,
                                    SPC_FRAME_BYTES - self->header_filled, &taken, error);
  self->header_filled += (size_t)taken;
  if (status != SPC_OK || self->header_filled != SPC_FRAME_BYTES) return status;
  status = spc__frame_decode(&self->frame, SPC_FRAME_RESPONSE, self->header,
                             self->client->max_response, error);
  uint32_t id = spc__client_next_id(self->client->answered_id);
  if (status == SPC_OK && self->frame.id != id && self->frame.id != 0)
    status = spc__fault(error, SPC_BAD_FRAME, "id");
  if (status == SPC_OK && self->frame.code != SPC_OK && self->frame.length > SPC_FRAME_ERROR_BYTES)
    status = spc__fault(error, SPC_BAD_FRAME, "error record");
  self->body_left = self->frame.length;
  *whole = status == SPC_OK;
  return status;
}

/* Takes what has come of the body, to its place in `out`; `*whole` says whether that is all. */
static spc_status async_body(async_client *self, uint8_t *out, bool *whole, spc_error *error) {
  uint64_t taken = 0;
  uint64_t at = self->frame.length - self->body_left;
  spc_status status =
      spc__shm_take(async_shm(self), out == NULL ? NULL : out + at, self->body_left, &taken, error);
  self->body_left -= taken;
  *whole = status == SPC_OK && self->body_left == 0;
  if (!*whole) return status;
  self->header_filled = 0;
  self->client->answered_id = spc__client_next_id(self->client->answered_id);
  return SPC_OK;
}

/* What `this` holds, open, and the arguments; NULL when an exception is pending. */
static async_client *async_this(napi_env env, napi_callback_info info, size_t argc,
                                napi_value *argv) {
  napi_value object;
  async_client *self = NULL;
  spc_error error;
  napi_get_cb_info(env, info, &argc, argv, &object, NULL);
  if (napi_unwrap(env, object, (void **)&self) != napi_ok) return NULL;
  if (self->client != NULL) return self;
  spc__fault(&error, SPC_INVALID_STATE, "closed");
  spc__addon_throw(env, &error);
  return NULL;
}

static napi_value async_result(napi_env env, spc_status status, bool value,
                               const spc_error *error) {
  napi_value result = NULL;
  if (status != SPC_OK) return spc__addon_throw(env, error);
  napi_get_boolean(env, value, &result);
  return result;
}

/* send(op, request, room): whether some of the request is still to be put; it has been read. */
static napi_value async_js_send(napi_env env, napi_callback_info info) {
  napi_value argv[3];
  spc__addon_view bytes;
  uint32_t op = 0;
  double room = 0;
  spc_error error;
  async_client *self = async_this(env, info, 3, argv);
  if (self == NULL) return NULL;
  if (napi_get_value_uint32(env, argv[0], &op) != napi_ok ||
      !spc__addon_bytes(env, argv[1], &bytes) ||
      napi_get_value_double(env, argv[2], &room) != napi_ok)
    return spc__addon_throw_type(env, "send takes an operation, a Uint8Array and a number");
  uint64_t most = room >= 0 && room < 0x1p53 ? (uint64_t)room : UINT64_MAX;
  spc_status status = async_send(self, &bytes, op, most, &error);
  return async_result(env, status, self->queued != NULL, &error);
}

/*
 * next(): the length of the result whose header has come, the record of an error in its place,
 * which is then taken, or undefined. Throws the record of an error that ends the connection.
 */
static napi_value async_js_next(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  bool whole = false;
  spc_error error;
  async_client *self = async_this(env, info, 0, NULL);
  if (self == NULL) return NULL;
  spc_status status = async_flush(self, &error);
  if (status == SPC_OK) status = async_header(self, &whole, &error);
  if (status != SPC_OK) return spc__addon_throw(env, &error);
  if (!whole) return NULL;
  if (self->frame.code == SPC_OK) {
    napi_create_double(env, (double)self->frame.length, &result);
    return result;
  }
  size_t length = (size_t)self->frame.length;
  status = async_body(self, self->record, &whole, &error);
  if (status != SPC_OK) return spc__addon_throw(env, &error);
  if (!whole) return NULL;
  status = spc__frame_decode_error(&error, self->frame.code, self->record, length);
  bool last = self->frame.id == 0 || status == SPC_BAD_FRAME;
  return last ? spc__addon_throw(env, &error) : spc__addon_error(env, &error);
}

/* body(out): takes what has come of the result, or drops it without `out`; whether that is all. */
static napi_value async_js_body(napi_env env, napi_callback_info info) {
  napi_value argv[1];
  spc__addon_view out = {.bytes = NULL};
  bool whole = false;
  spc_error error;
  async_client *self = async_this(env, info, 1, argv);
  if (self == NULL) return NULL;
  if (self->header_filled != SPC_FRAME_BYTES)
    return spc__addon_throw_type(env, "body follows next");
  bool given = spc__addon_bytes(env, argv[0], &out);
  if (given && out.length < self->frame.length) {
    spc__fault(&error, SPC_BAD_FRAME, "longer than asked for");
    return spc__addon_throw(env, &error);
  }
  spc_status status = async_body(self, given ? out.bytes : NULL, &whole, &error);
  return async_result(env, status, whole, &error);
}

/* spin(): waits for as long as it makes sense without sleeping; whether something has come. */
static napi_value async_js_spin(napi_env env, napi_callback_info info) {
  spc_error error;
  async_client *self = async_this(env, info, 0, NULL);
  if (self == NULL) return NULL;
  spc_status status = spc__shm_spin(async_shm(self), SPC_SHM_DATA, &error);
  return async_result(env, status, spc__link_ready(&self->client->link), &error);
}

/* arm(): whether the next thing to do comes with a byte on the socket; else it is there now. */
static napi_value async_js_arm(napi_env env, napi_callback_info info) {
  async_client *self = async_this(env, info, 0, NULL);
  if (self == NULL) return NULL;
  uint32_t wanted = SPC_SHM_DATA | (self->queued == NULL ? 0 : SPC_SHM_SPACE);
  return async_result(env, SPC_OK, spc__shm_arm(async_shm(self), wanted), NULL);
}

/* socket(): a descriptor of the socket, which becomes the caller's. */
static napi_value async_js_socket(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  spc_error error;
  async_client *self = async_this(env, info, 0, NULL);
  if (self == NULL) return NULL;
  int fd = fcntl(self->client->link.stream.fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) {
    spc__fault(&error, SPC_NO_DESCRIPTORS, "dup");
    return spc__addon_throw(env, &error);
  }
  napi_create_int32(env, fd, &result);
  return result;
}

/* close(): may be called again. */
static napi_value async_js_close(napi_env env, napi_callback_info info) {
  napi_value object;
  async_client *self = NULL;
  napi_get_cb_info(env, info, NULL, NULL, &object, NULL);
  if (napi_unwrap(env, object, (void **)&self) == napi_ok) async_close(self);
  return NULL;
}

static void async_finalize(napi_env env, void *data, void *hint) {
  async_client *self = (async_client *)data;
  (void)env;
  (void)hint;
  async_close(self);
  free(self);
}

static napi_value async_new(napi_env env, napi_callback_info info) {
  napi_value object;
  spc_error error;
  spc_client *client = spc__addon_open(env, info, SPC_TRANSPORT_SHARED_MEMORY, &object);
  if (client == NULL) return NULL;
  async_client *self = (async_client *)calloc(1, sizeof *self);
  if (self == NULL) {
    spc_client_close(client);
    spc__fault(&error, SPC_OUT_OF_MEMORY, NULL);
    return spc__addon_throw(env, &error);
  }
  self->client = client;
  self->queued_end = &self->queued;
  if (napi_wrap(env, object, self, async_finalize, NULL, NULL) == napi_ok) return object;
  async_finalize(env, self, NULL);
  return NULL;
}

bool spc__addon_export_async(napi_env env, napi_value exports) {
  static const napi_property_descriptor methods[] = {
      {.utf8name = "send", .method = async_js_send},
      {.utf8name = "next", .method = async_js_next},
      {.utf8name = "body", .method = async_js_body},
      {.utf8name = "spin", .method = async_js_spin},
      {.utf8name = "arm", .method = async_js_arm},
      {.utf8name = "socket", .method = async_js_socket},
      {.utf8name = "close", .method = async_js_close}};
  return spc__addon_export_class(env, exports, "AsyncClient", async_new, NULL, methods,
                                 sizeof methods / sizeof methods[0]);
}
