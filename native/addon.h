/* What the files of the Node-API addon share. */
#ifndef SPC_NATIVE_ADDON_H
#define SPC_NATIVE_ADDON_H

#include <node_api.h>

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

/* Adds a function to `exports`. */
bool spc__addon_export(napi_env env, napi_value exports, const char *name, napi_callback function,
                       void *data);

#endif
