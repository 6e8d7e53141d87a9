/*
 * Memory of a module that keeps nothing between calls: statics and the stack below, then one buffer
 * at __heap_base that JavaScript writes arguments to and reads results from. The buffer starts at a
 * fixed address and only grows at its end, so its contents stay in place; nothing else ever
 * allocates.
 */
#include <stddef.h>

#include "wasm.h"

#define WASM_PAGE_BYTES ((uint64_t)65536)

extern uint8_t __heap_base;

/*
 * The address of the buffer, 16-byte aligned, after it was made at least `size` bytes long; 0 when
 * the engine gives no more memory. May grow the memory, and so detach JavaScript's views.
 */
WASM_EXPORT(buffer) uint8_t *wasm_buffer(uint32_t size);
uint8_t *wasm_buffer(uint32_t size) {
  uint64_t base = ((uint64_t)(uintptr_t)&__heap_base + 15) & ~UINT64_C(15);
  uint64_t pages = (base + size + WASM_PAGE_BYTES - 1) / WASM_PAGE_BYTES;
  uint64_t have = __builtin_wasm_memory_size(0);
  if (pages > have) {
    if (pages > 65536 || __builtin_wasm_memory_grow(0, (size_t)(pages - have)) == SIZE_MAX)
      return NULL;
  }
  return (uint8_t *)(uintptr_t)base;
}
