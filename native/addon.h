/* What the files of the Node-API addon share. */
#ifndef SPC_NATIVE_ADDON_H
#define SPC_NATIVE_ADDON_H

#include <node_api.h>

#include "native/client_internal.h"
#include "native/fault.h"
#include "native/memory.h"
#include "spicule/spicule.h"

/* The bytes of a Uint8Array; `shared` when other threads may write them at any time. */
typedef struct spc__addon_view {
  uint8_t *bytes;
  size_t length;
  bool shared;
} spc__addon_view;

/* The bytes behind a Uint8Array; false for any other value. */
bool spc__addon_bytes(napi_env env, napi_value value, spc__addon_view *view);

/* A new Uint8Array of `length` bytes, to be filled at `*bytes`; NULL when an exception is pending.
 */
napi_value spc__addon_new_bytes(napi_env env, size_t length, uint8_t **bytes);

/* The object {status, offset, index, limit, path} of an error; absent positions are undefined. */
napi_value spc__addon_error(napi_env env, const spc_error *error);

/* Throw that object, or a TypeError; NULL, to be returned. */
napi_value spc__addon_throw(napi_env env, const spc_error *error);
napi_value spc__addon_throw_type(napi_env env, const char *message);

/* Adds a class with methods; `data` reaches the constructor. */
bool spc__addon_export_class(napi_env env, napi_value exports, const char *name,
                             napi_callback constructor, const void *data,
                             const napi_property_descriptor *methods, size_t count);

/* What a caller asks for: an operation, and a timeout in milliseconds. */
typedef struct spc__addon_request {
  uint32_t op;
  spc__addon_view bytes;
  uint64_t timeout_ns;
} spc__addon_request;

/* Reads (op, request, timeout) at three places; false where a type is wrong. */
bool spc__addon_request_from(napi_env env, napi_value op, napi_value bytes, napi_value timeout,
                             spc__addon_request *request);

/*
 * The arguments of the client constructors: (path or undefined, fd or -1, bytes of a ring, timeout
 * in milliseconds). Opens a client; NULL when an exception is pending.
 */
spc_client *spc__addon_open(napi_env env, napi_callback_info info, spc_transport transport,
                            napi_value *self);

/* Add the classes of the clients; false when an exception is pending. */
bool spc__addon_export_sync(napi_env env, napi_value exports);
bool spc__addon_export_async(napi_env env, napi_value exports);

#endif
