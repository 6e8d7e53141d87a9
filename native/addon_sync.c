/*
 * What blocks the JS thread: Context (the core in this process), SyncClient (a server through
 * shared memory) and SocketClient (the same over the socket, for comparison). They have the same
 * methods. A call of a client blocks until the answer is there, its deadline passes, or the server
 * dies, and the answer is read straight into its Uint8Array.
 *
 * In the process a request that other threads can write (SharedArrayBuffer), or that overlaps the
 * output, is copied before the core reads it.
 */
#include "native/addon.h"

#include <stdlib.h>
#include <string.h>

#define ADDON_PATH_BYTES ((size_t)256)

/* Kept by a Context between calls at most, so that one large call does not pin its memory. */
#define ADDON_KEPT_BYTES ((size_t)4 << 20)

static const spc_transport addon_socket = SPC_TRANSPORT_SOCKET;
static const spc_transport addon_shared = SPC_TRANSPORT_SHARED_MEMORY;

/* Milliseconds to nanoseconds; what is not a number of them, or too large, is for ever. */
static uint64_t addon_timeout(double ms) {
  return ms >= 0 && ms < 1e12 ? (uint64_t)(ms * 1e6) : SPC_NO_TIMEOUT;
}

bool spc__addon_request_from(napi_env env, napi_value op, napi_value bytes, napi_value timeout,
                             spc__addon_request *request) {
  double ms = 0;
  if (napi_get_value_uint32(env, op, &request->op) != napi_ok ||
      !spc__addon_bytes(env, bytes, &request->bytes) ||
      napi_get_value_double(env, timeout, &ms) != napi_ok)
    return false;
  request->timeout_ns = addon_timeout(ms);
  return true;
}

spc_client *spc__addon_open(napi_env env, napi_callback_info info, spc_transport transport,
                            napi_value *self) {
  napi_value argv[4], target = NULL;
  size_t argc = 4, length = 0;
  char path[ADDON_PATH_BYTES] = "";
  double timeout = 0;
  spc_client *client = NULL;
  spc_error error;
  spc_client_options options = spc_client_options_default(transport, path);
  napi_get_cb_info(env, info, &argc, argv, self, NULL);
  napi_get_new_target(env, info, &target);
  if (target == NULL || napi_get_value_int32(env, argv[1], &options.fd) != napi_ok ||
      napi_get_value_uint32(env, argv[2], &options.ring_bytes) != napi_ok ||
      napi_get_value_double(env, argv[3], &timeout) != napi_ok ||
      (options.fd < 0 &&
       napi_get_value_string_utf8(env, argv[0], path, sizeof path, &length) != napi_ok)) {
    spc__addon_throw_type(env, "a client takes a path, a descriptor, a ring size and a timeout");
    return NULL;
  }
  options.timeout_ns = addon_timeout(timeout);
  if (spc_client_open(&client, &options, &error) != SPC_OK) spc__addon_throw(env, &error);
  return client;
}

/* What a JS object holds. */
typedef struct addon_sync {
  bool open;
  spc_client *client; /* NULL for a Context, which has the rest */
  spc_ctx ctx;
  spc__block work;     /* the context's arena */
  spc__block response; /* what call() copies its result from */
  spc__block request;  /* private copies of requests */
} addon_sync;

static void addon_sync_end(addon_sync *self) {
  if (!self->open) return;
  self->open = false;
  spc_client_close(self->client);
  spc__block_free(&self->work);
  spc__block_free(&self->response);
  spc__block_free(&self->request);
}

static void addon_sync_finalize(napi_env env, void *data, void *hint) {
  addon_sync *self = (addon_sync *)data;
  (void)env;
  (void)hint;
  addon_sync_end(self);
  free(self);
}

/* Makes the object that stands for `client`, or for a context where that is NULL. */
static napi_value addon_sync_wrap(napi_env env, napi_value object, spc_client *client) {
  spc_error error;
  addon_sync *self = (addon_sync *)calloc(1, sizeof *self);
  if (self == NULL) {
    spc_client_close(client);
    spc__fault(&error, SPC_OUT_OF_MEMORY, NULL);
    return spc__addon_throw(env, &error);
  }
  self->open = true;
  self->client = client;
  self->work.limit = SPC_WORK_BYTES;
  self->response.limit = self->request.limit = SIZE_MAX;
  spc_ctx_init(&self->ctx, spc__block_arena(&self->work), spc_limits_default());
  if (napi_wrap(env, object, self, addon_sync_finalize, NULL, NULL) == napi_ok) return object;
  addon_sync_finalize(env, self, NULL);
  return NULL;
}

static napi_value addon_client_new(napi_env env, napi_callback_info info) {
  napi_value object;
  void *transport = NULL;
  napi_get_cb_info(env, info, NULL, NULL, NULL, &transport);
  spc_client *client = spc__addon_open(env, info, *(const spc_transport *)transport, &object);
  return client == NULL ? NULL : addon_sync_wrap(env, object, client);
}

static napi_value addon_context_new(napi_env env, napi_callback_info info) {
  napi_value object, target = NULL;
  napi_get_cb_info(env, info, NULL, NULL, &object, NULL);
  napi_get_new_target(env, info, &target);
  if (target == NULL) return spc__addon_throw_type(env, "Context is a constructor");
  return addon_sync_wrap(env, object, NULL);
}

/* What `this` holds, open, and the arguments; NULL when an exception is pending. */
static addon_sync *addon_sync_this(napi_env env, napi_callback_info info, size_t argc,
                                   napi_value *argv) {
  napi_value object;
  addon_sync *self = NULL;
  spc_error error;
  napi_get_cb_info(env, info, &argc, argv, &object, NULL);
  if (napi_unwrap(env, object, (void **)&self) != napi_ok) return NULL;
  if (self->open) return self;
  spc__fault(&error, SPC_INVALID_STATE, "closed");
  spc__addon_throw(env, &error);
  return NULL;
}

static void addon_trim(spc__block *block) {
  if (block->size > ADDON_KEPT_BYTES) spc__block_free(block);
}

static bool addon_overlap(const spc__addon_view *a, const spc__addon_view *b) {
  uintptr_t a_start = (uintptr_t)a->bytes, b_start = (uintptr_t)b->bytes;
  return a->length != 0 && b->length != 0 && a_start < b_start + b->length &&
         b_start < a_start + a->length;
}

/* Makes the request memory that only this thread can write; one over the limit is not read. */
static spc_status addon_own_request(addon_sync *self, spc__addon_view *request, spc_error *error) {
  if (request->length > self->ctx.limits.max_request) return SPC_OK;
  if (!spc__block_reserve(&self->request, request->length))
    return spc__fault(error, SPC_OUT_OF_MEMORY, NULL);
  if (request->length != 0) memcpy(self->request.base, request->bytes, request->length);
  request->bytes = self->request.base;
  return SPC_OK;
}

/* Where call() puts its answer. */
typedef struct addon_new_answer {
  napi_env env;
  napi_value array;
} addon_new_answer;

static bool addon_place_new(void *user, size_t length, uint8_t **out) {
  addon_new_answer *answer = (addon_new_answer *)user;
  answer->array = spc__addon_new_bytes(answer->env, length, out);
  return answer->array != NULL;
}

static spc_status addon_context_call(addon_sync *self, spc__addon_request *request,
                                     addon_new_answer *answer, spc_error *error) {
  uint8_t *out = NULL;
  size_t length = 0;
  spc__addon_view *bytes = &request->bytes;
  spc_status status = bytes->shared ? addon_own_request(self, bytes, error) : SPC_OK;
  if (status == SPC_OK)
    status = spc__block_call(&self->response, &self->ctx, request->op, bytes->bytes, bytes->length,
                             UINT64_MAX, &length, error);
  if (status == SPC_OK && !addon_place_new(answer, length, &out))
    status = spc__fault(error, SPC_OUT_OF_MEMORY, NULL);
  if (status == SPC_OK && length != 0) memcpy(out, self->response.base, length);
  addon_trim(&self->response);
  addon_trim(&self->request);
  return status;
}

/* call(op, request, timeout): the answer in a new Uint8Array. */
static napi_value addon_sync_call(napi_env env, napi_callback_info info) {
  napi_value argv[3];
  spc__addon_request request;
  addon_new_answer answer = {.env = env};
  spc_error error;
  addon_sync *self = addon_sync_this(env, info, 3, argv);
  if (self == NULL) return NULL;
  if (!spc__addon_request_from(env, argv[0], argv[1], argv[2], &request))
    return spc__addon_throw_type(env, "call takes an operation, a Uint8Array and a timeout");
  spc_status status =
      self->client == NULL
          ? addon_context_call(self, &request, &answer, &error)
          : spc__client_call(self->client, request.op, request.bytes.bytes, request.bytes.length,
                             UINT64_MAX, addon_place_new, &answer, request.timeout_ns, &error);
  return status == SPC_OK ? answer.array : spc__addon_throw(env, &error);
}

static spc_status addon_context_call_into(addon_sync *self, spc__addon_request *request,
                                          spc__addon_view *out, size_t *length, spc_error *error) {
  spc__addon_view *bytes = &request->bytes;
  bool copies = bytes->shared || addon_overlap(bytes, out);
  spc_status status = copies ? addon_own_request(self, bytes, error) : SPC_OK;
  if (status == SPC_OK)
    status = spc_call(&self->ctx, request->op, bytes->bytes, bytes->length, out->bytes, out->length,
                      length, error);
  if (copies) addon_trim(&self->request);
  return status;
}

/* callInto(op, request, out, timeout): the answer at the start of `out`; gives its length. */
static napi_value addon_sync_call_into(napi_env env, napi_callback_info info) {
  napi_value argv[4], result = NULL;
  spc__addon_request request;
  spc__addon_view out;
  size_t length = 0;
  spc_error error;
  addon_sync *self = addon_sync_this(env, info, 4, argv);
  if (self == NULL) return NULL;
  if (!spc__addon_request_from(env, argv[0], argv[1], argv[3], &request) ||
      !spc__addon_bytes(env, argv[2], &out))
    return spc__addon_throw_type(env, "callInto takes an operation, two Uint8Arrays and a timeout");
  spc_status status =
      self->client == NULL
          ? addon_context_call_into(self, &request, &out, &length, &error)
          : spc_client_call(self->client, request.op, request.bytes.bytes, request.bytes.length,
                            out.bytes, out.length, &length, request.timeout_ns, &error);
  if (status != SPC_OK) return spc__addon_throw(env, &error);
  napi_create_double(env, (double)length, &result);
  return result;
}

/* close(): may be called again. */
static napi_value addon_sync_close(napi_env env, napi_callback_info info) {
  napi_value object;
  addon_sync *self = NULL;
  napi_get_cb_info(env, info, NULL, NULL, &object, NULL);
  if (napi_unwrap(env, object, (void **)&self) == napi_ok) addon_sync_end(self);
  return NULL;
}

static bool addon_sync_define(napi_env env, napi_value exports, const char *name,
                              napi_callback constructor, const spc_transport *transport) {
  static const napi_property_descriptor methods[] = {
      {.utf8name = "call", .method = addon_sync_call},
      {.utf8name = "callInto", .method = addon_sync_call_into},
      {.utf8name = "close", .method = addon_sync_close}};
  return spc__addon_export_class(env, exports, name, constructor, transport, methods,
                                 sizeof methods / sizeof methods[0]);
}

bool spc__addon_export_sync(napi_env env, napi_value exports) {
  return addon_sync_define(env, exports, "Context", addon_context_new, NULL) &&
         addon_sync_define(env, exports, "SyncClient", addon_client_new, &addon_shared) &&
         addon_sync_define(env, exports, "SocketClient", addon_client_new, &addon_socket);
}

#undef ADDON_PATH_BYTES
#undef ADDON_KEPT_BYTES
