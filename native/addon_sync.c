/*
 * Blocking clients in the addon: SyncClient (shared memory) and SocketClient (the same over the
 * socket, for comparison). A call blocks the JS thread until the answer is there, its deadline
 * passes, or the server dies; the answer is read straight into its Uint8Array.
 */
#include "native/addon.h"

#include <stdlib.h>

#define ADDON_PATH_BYTES ((size_t)256)

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

/* What a JS object holds; `client` is NULL once closed. */
typedef struct addon_sync {
  spc_client *client;
} addon_sync;

static void addon_sync_finalize(napi_env env, void *data, void *hint) {
  addon_sync *self = (addon_sync *)data;
  (void)env;
  (void)hint;
  spc_client_close(self->client);
  free(self);
}

static napi_value addon_sync_new(napi_env env, napi_callback_info info) {
  napi_value object;
  void *transport = NULL;
  napi_get_cb_info(env, info, NULL, NULL, NULL, &transport);
  spc_client *client = spc__addon_open(env, info, *(const spc_transport *)transport, &object);
  if (client == NULL) return NULL;
  addon_sync *self = (addon_sync *)malloc(sizeof *self);
  if (self != NULL) self->client = client;
  if (self != NULL && napi_wrap(env, object, self, addon_sync_finalize, NULL, NULL) == napi_ok)
    return object;
  free(self);
  spc_client_close(client);
  return NULL;
}

/* The open client behind `this`, and the arguments; NULL when an exception is pending. */
static spc_client *addon_sync_this(napi_env env, napi_callback_info info, size_t argc,
                                   napi_value *argv) {
  napi_value object;
  addon_sync *self = NULL;
  spc_error error;
  napi_get_cb_info(env, info, &argc, argv, &object, NULL);
  if (napi_unwrap(env, object, (void **)&self) != napi_ok) return NULL;
  if (self->client == NULL) {
    spc__fault(&error, SPC_INVALID_STATE, "closed");
    spc__addon_throw(env, &error);
  }
  return self->client;
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

/* call(op, request, timeout): the answer in a new Uint8Array. */
static napi_value addon_sync_call(napi_env env, napi_callback_info info) {
  napi_value argv[3];
  spc__addon_request request;
  addon_new_answer answer = {.env = env};
  spc_error error;
  spc_client *client = addon_sync_this(env, info, 3, argv);
  if (client == NULL) return NULL;
  if (!spc__addon_request_from(env, argv[0], argv[1], argv[2], &request))
    return spc__addon_throw_type(env, "call takes an operation, a Uint8Array and a timeout");
  spc_status status =
      spc__client_call(client, request.op, request.bytes.bytes, request.bytes.length, UINT64_MAX,
                       addon_place_new, &answer, request.timeout_ns, &error);
  return status == SPC_OK ? answer.array : spc__addon_throw(env, &error);
}

/* callInto(op, request, out, timeout): the answer at the start of `out`; gives its length. */
static napi_value addon_sync_call_into(napi_env env, napi_callback_info info) {
  napi_value argv[4], result = NULL;
  spc__addon_request request;
  spc__addon_view out;
  size_t length = 0;
  spc_error error;
  spc_client *client = addon_sync_this(env, info, 4, argv);
  if (client == NULL) return NULL;
  if (!spc__addon_request_from(env, argv[0], argv[1], argv[3], &request) ||
      !spc__addon_bytes(env, argv[2], &out))
    return spc__addon_throw_type(env, "callInto takes an operation, two Uint8Arrays and a timeout");
  spc_status status = spc_client_call(client, request.op, request.bytes.bytes, request.bytes.length,
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
  if (napi_unwrap(env, object, (void **)&self) != napi_ok) return NULL;
  spc_client_close(self->client);
  self->client = NULL;
  return NULL;
}

static bool addon_sync_define(napi_env env, napi_value exports, const char *name,
                              const spc_transport *transport) {
  static const napi_property_descriptor methods[] = {
      {.utf8name = "call", .method = addon_sync_call},
      {.utf8name = "callInto", .method = addon_sync_call_into},
      {.utf8name = "close", .method = addon_sync_close}};
  return spc__addon_export_class(env, exports, name, addon_sync_new, transport, methods,
                                 sizeof methods / sizeof methods[0]);
}

bool spc__addon_export_sync(napi_env env, napi_value exports) {
  return addon_sync_define(env, exports, "SyncClient", &addon_shared) &&
         addon_sync_define(env, exports, "SocketClient", &addon_socket);
}

#undef ADDON_PATH_BYTES
