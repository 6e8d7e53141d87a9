/*
 * The Node-API addon. This file is the part that runs the core in the process itself: one context
 * a JS environment, no transport.
 *
 * Invariants: nothing global, so that every worker has its own state, which dies with its
 * environment; an error of the core is thrown as a plain object {status, offset, index, limit,
 * path} for the TypeScript side to name; a request that other threads can write
 * (SharedArrayBuffer) or that overlaps the output is copied before the core reads it.
 */
#include "native/addon.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* What one JS environment owns. */
typedef struct addon_state {
  spc_ctx ctx;
  spc__block work;     /* the arena's */
  spc__block response; /* what call() copies its result from */
  spc__block request;  /* private copies of shared or overlapping requests */
} addon_state;

/* Kept between calls at most, so that one large call does not pin its memory for good. */
#define ADDON_KEPT_BYTES ((size_t)4 << 20)

static void addon_trim(spc__block *block) {
  if (block->size > ADDON_KEPT_BYTES) spc__block_free(block);
}

napi_value spc__addon_throw_type(napi_env env, const char *message) {
  napi_throw_type_error(env, NULL, message);
  return NULL;
}

/* Numbers up to 2^53 - 1 are numbers, larger ones bigints, and absent positions undefined. */
static void addon_set_position(napi_env env, napi_value object, const char *name, uint64_t value) {
  napi_value number;
  if (value == SPC_NO_POSITION) return;
  napi_status status = value >> 53 == 0 ? napi_create_double(env, (double)value, &number)
                                        : napi_create_bigint_uint64(env, value, &number);
  if (status == napi_ok) napi_set_named_property(env, object, name, number);
}

napi_value spc__addon_error(napi_env env, const spc_error *error) {
  napi_value object, status, path;
  if (napi_create_object(env, &object) != napi_ok ||
      napi_create_uint32(env, (uint32_t)error->status, &status) != napi_ok ||
      napi_create_string_latin1(env, error->path, NAPI_AUTO_LENGTH, &path) != napi_ok)
    return NULL;
  napi_set_named_property(env, object, "status", status);
  addon_set_position(env, object, "offset", error->offset);
  addon_set_position(env, object, "index", error->index);
  addon_set_position(env, object, "limit", error->limit);
  if (error->path[0] != '\0') napi_set_named_property(env, object, "path", path);
  return object;
}

napi_value spc__addon_throw(napi_env env, const spc_error *error) {
  napi_value object = spc__addon_error(env, error);
  if (object != NULL) napi_throw(env, object);
  return NULL;
}

bool spc__addon_bytes(napi_env env, napi_value value, spc__addon_view *view) {
  napi_typedarray_type type;
  napi_value buffer;
  void *bytes = NULL;
  bool is_typed = false, is_private = false;
  if (napi_is_typedarray(env, value, &is_typed) != napi_ok || !is_typed) return false;
  if (napi_get_typedarray_info(env, value, &type, &view->length, &bytes, &buffer, NULL) !=
          napi_ok ||
      type != napi_uint8_array)
    return false;
  view->bytes = (uint8_t *)bytes;
  view->shared = napi_is_arraybuffer(env, buffer, &is_private) != napi_ok || !is_private;
  return true;
}

napi_value spc__addon_new_bytes(napi_env env, size_t length, uint8_t **bytes) {
  napi_value buffer, array;
  void *data = NULL;
  if (napi_create_arraybuffer(env, length, &data, &buffer) != napi_ok) return NULL;
  if (napi_create_typedarray(env, napi_uint8_array, length, buffer, 0, &array) != napi_ok)
    return NULL;
  *bytes = (uint8_t *)data;
  return array;
}

static bool addon_overlap(const spc__addon_view *a, const spc__addon_view *b) {
  uintptr_t a_start = (uintptr_t)a->bytes, b_start = (uintptr_t)b->bytes;
  return a->length != 0 && b->length != 0 && a_start < b_start + b->length &&
         b_start < a_start + a->length;
}

/* The request as memory that only this thread can write while the core reads it. */
static bool addon_private_request(addon_state *state, spc__addon_view *request) {
  if (!spc__block_reserve(&state->request, request->length)) return false;
  if (request->length != 0) memcpy(state->request.base, request->bytes, request->length);
  request->bytes = state->request.base;
  return true;
}

/* call(op, request): the response in a new Uint8Array. */
static napi_value addon_call(napi_env env, napi_callback_info info) {
  napi_value argv[2], result = NULL;
  size_t argc = 2, length = 0;
  addon_state *state = NULL;
  uint32_t op = 0;
  spc__addon_view request;
  spc_error error;
  uint8_t *bytes = NULL;
  napi_get_cb_info(env, info, &argc, argv, NULL, (void **)&state);
  if (napi_get_value_uint32(env, argv[0], &op) != napi_ok ||
      !spc__addon_bytes(env, argv[1], &request))
    return spc__addon_throw_type(env, "call takes an operation number and a Uint8Array");
  spc_status status = SPC_OK;
  if (request.shared && request.length <= state->ctx.limits.max_request &&
      !addon_private_request(state, &request))
    status = spc__fault(&error, SPC_OUT_OF_MEMORY, NULL);
  if (status == SPC_OK)
    status = spc__block_call(&state->response, &state->ctx, op, request.bytes, request.length,
                             UINT64_MAX, &length, &error);
  if (status != SPC_OK) {
    spc__addon_throw(env, &error);
  } else {
    result = spc__addon_new_bytes(env, length, &bytes);
    if (result != NULL && length != 0) memcpy(bytes, state->response.base, length);
  }
  addon_trim(&state->response);
  addon_trim(&state->request);
  return result;
}

/* callInto(op, request, out): the response at the start of `out`; gives its length. */
static napi_value addon_call_into(napi_env env, napi_callback_info info) {
  napi_value argv[3], result = NULL;
  size_t argc = 3, length = 0;
  addon_state *state = NULL;
  uint32_t op = 0;
  spc__addon_view request, out;
  spc_error error;
  napi_get_cb_info(env, info, &argc, argv, NULL, (void **)&state);
  if (napi_get_value_uint32(env, argv[0], &op) != napi_ok ||
      !spc__addon_bytes(env, argv[1], &request) || !spc__addon_bytes(env, argv[2], &out))
    return spc__addon_throw_type(env, "callInto takes an operation number and two Uint8Arrays");
  spc_status status = SPC_OK;
  if ((request.shared || addon_overlap(&request, &out)) &&
      request.length <= state->ctx.limits.max_request && !addon_private_request(state, &request))
    status = spc__fault(&error, SPC_OUT_OF_MEMORY, NULL);
  if (status == SPC_OK)
    status = spc_call(&state->ctx, op, request.bytes, request.length, out.bytes, out.length,
                      &length, &error);
  if (status != SPC_OK)
    spc__addon_throw(env, &error);
  else
    napi_create_double(env, (double)length, &result);
  addon_trim(&state->request);
  return result;
}

static void addon_finalize(napi_env env, void *data, void *hint) {
  addon_state *state = (addon_state *)data;
  (void)env;
  (void)hint;
  spc__block_free(&state->work);
  spc__block_free(&state->response);
  spc__block_free(&state->request);
  free(state);
}

/* socketPair(): the descriptors of two connected sockets, which a child inherits only if told. */
static napi_value addon_socket_pair(napi_env env, napi_callback_info info) {
  napi_value pair, value;
  int fds[2];
  spc_error error;
  (void)info;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
    spc__fault_errno(&error, SPC_NO_DESCRIPTORS, "socketpair", errno);
    return spc__addon_throw(env, &error);
  }
  if (napi_create_array_with_length(env, 2, &pair) != napi_ok) return NULL;
  for (uint32_t i = 0; i < 2; i++)
    if (napi_create_int32(env, fds[i], &value) == napi_ok) napi_set_element(env, pair, i, value);
  return pair;
}

bool spc__addon_export(napi_env env, napi_value exports, const char *name, napi_callback function,
                       void *data) {
  napi_value value;
  return napi_create_function(env, name, NAPI_AUTO_LENGTH, function, data, &value) == napi_ok &&
         napi_set_named_property(env, exports, name, value) == napi_ok;
}

bool spc__addon_export_class(napi_env env, napi_value exports, const char *name,
                             napi_callback constructor, const void *data,
                             const napi_property_descriptor *methods, size_t count) {
  napi_value value;
  return napi_define_class(env, name, NAPI_AUTO_LENGTH, constructor, (void *)(uintptr_t)data, count,
                           methods, &value) == napi_ok &&
         napi_set_named_property(env, exports, name, value) == napi_ok;
}

NAPI_MODULE_INIT() {
  addon_state *state = (addon_state *)calloc(1, sizeof *state);
  if (state == NULL) {
    napi_throw_error(env, NULL, "out of memory");
    return NULL;
  }
  state->work.limit = state->response.limit = state->request.limit = UINT32_MAX;
  spc_ctx_init(&state->ctx, spc__block_arena(&state->work), spc_limits_default());
  if (napi_set_instance_data(env, state, addon_finalize, NULL) != napi_ok) {
    free(state);
    return NULL;
  }
  napi_value version;
  if (!spc__addon_export(env, exports, "call", addon_call, state) ||
      !spc__addon_export(env, exports, "callInto", addon_call_into, state) ||
      !spc__addon_export(env, exports, "socketPair", addon_socket_pair, NULL) ||
      !spc__addon_export_sync(env, exports) || !spc__addon_export_async(env, exports) ||
      napi_create_string_latin1(env, spc_version(), NAPI_AUTO_LENGTH, &version) != napi_ok ||
      napi_set_named_property(env, exports, "version", version) != napi_ok)
    return NULL;
  return exports;
}

#undef ADDON_KEPT_BYTES
