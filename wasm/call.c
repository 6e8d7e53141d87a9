/* spc_call as an export with the one context of the module. */
#include "wasm.h"

#include <stdbool.h>

#include "spicule/call.h"

#ifdef WASM_STATE
#include <string.h>

#include "regions.h"

/* The context's memory: registered schemas stay in it. */
static void *wasm_ctx_grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  static size_t old_size;
  (void)user;
  uint8_t *moved = wasm_region_take(needed + needed / 2, size);
  if (moved == NULL) return NULL;
  if (base != NULL) {
    memcpy(moved, base, used);
    wasm_region_give(base, old_size);
  }
  old_size = *size;
  return moved;
}
#else
#define wasm_ctx_grow NULL
#endif

static spc_ctx wasm_ctx;
static bool wasm_ctx_ready;

/*
 * Runs one operation; gives the status, with the details and the response's length in the record.
 * All addresses lie in the buffer; request and response do not overlap.
 */
WASM_EXPORT(call)
uint32_t wasm_call(uint32_t op, const uint8_t *request, uint32_t request_length, uint8_t *response,
                   uint32_t capacity);
uint32_t wasm_call(uint32_t op, const uint8_t *request, uint32_t request_length, uint8_t *response,
                   uint32_t capacity) {
  if (!wasm_ctx_ready) {
    spc_arena arena;
    spc_arena_init(&arena, NULL, 0, wasm_ctx_grow, NULL);
    spc_ctx_init(&wasm_ctx, arena, spc_limits_default());
    wasm_ctx_ready = true;
  }
  size_t length = 0;
  spc_status status = spc_call(&wasm_ctx, op, request, request_length, response, capacity, &length,
                               &wasm_result.error);
  wasm_result.response_length = (uint32_t)length;
  return status;
}
