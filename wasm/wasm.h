/* What the entry files of the Wasm modules share. */
#ifndef SPC_WASM_WASM_H
#define SPC_WASM_WASM_H

#include "spicule/status.h"

/* Makes a function an export of the module under its C name without the `wasm_` prefix. */
#define WASM_EXPORT(name) __attribute__((export_name(#name))) extern

/* An export that modules which are linked apart import. */
#ifdef WASM_PART
#define WASM_SHARED(name) __attribute__((import_name(#name))) extern
#else
#define WASM_SHARED(name) WASM_EXPORT(name)
#endif

/*
 * What every export that can fail reports to: JavaScript reads it at the address that
 * `record()` gives. The layout is part of the contract with the TypeScript loader:
 * u32 status @0, u64 offset @8, u64 index @16, u64 limit @24, path @32 (160 bytes, zero-ended),
 * u32 response length @192.
 */
typedef struct wasm_record {
  spc_error error;
  uint32_t response_length;
} wasm_record;

extern wasm_record wasm_result;

/* The address of the record. */
WASM_SHARED(record) wasm_record *wasm_record_address(void);

#endif
