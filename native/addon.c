/*
 * The Node-API addon: what its classes share, and its start. Nothing is global, so every worker has
 * its own. An error of the core is thrown, or rejected with, as a plain object {status, offset,
 * index, limit, path} for the TypeScript side to name.
 */
#include "native/addon.h"

#include <errno.h>
#include <sys/socket.h>

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

bool spc__addon_export_class(napi_env env, napi_value exports, const char *name,
                             napi_callback constructor, const void *data,
                             const napi_property_descriptor *methods, size_t count) {
  napi_value value;
  return napi_define_class(env, name, NAPI_AUTO_LENGTH, constructor, (void *)(uintptr_t)data, count,
                           methods, &value) == napi_ok &&
         napi_set_named_property(env, exports, name, value) == napi_ok;
}

NAPI_MODULE_INIT() {
  napi_value version, socket_pair;
  if (!spc__addon_export_sync(env, exports) || !spc__addon_export_async(env, exports) ||
      napi_create_function(env, "socketPair", NAPI_AUTO_LENGTH, addon_socket_pair, NULL,
                           &socket_pair) != napi_ok ||
      napi_set_named_property(env, exports, "socketPair", socket_pair) != napi_ok ||
      napi_create_string_latin1(env, spc_version(), NAPI_AUTO_LENGTH, &version) != napi_ok ||
      napi_set_named_property(env, exports, "version", version) != napi_ok)
    return NULL;
  return exports;
}
