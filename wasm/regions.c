/*
 * Memory of a module that keeps things between calls: statics and the stack below, then regions.
 * One of them is the buffer that JavaScript writes arguments to and reads results from; it may move
 * when it grows, and only then. `regions_top` is where memory begins that no region has ever had,
 * or that came back; what came back below it is in a short list, adjoining pieces as one.
 */
#include "regions.h"

#include <stdint.h>

#include "wasm.h"

#define REGIONS_PAGE      ((uint64_t)65536)
#define REGIONS_SPARE     64u
#define REGIONS_BUFFER    65536u
#define REGIONS_ALIGNMENT ((size_t)16)

typedef struct region {
  uint8_t *base;
  size_t size;
} region;

extern uint8_t __heap_base;

static uint8_t *regions_top;
static region regions_spare[REGIONS_SPARE];
static unsigned regions_spares;
static region regions_buffer;

static void regions_remove(unsigned i) {
  regions_spare[i] = regions_spare[--regions_spares];
}

static bool regions_grow(uint64_t have, uint64_t pages) {
  return pages <= 65535 && __builtin_wasm_memory_grow(0, (size_t)(pages - have)) != SIZE_MAX;
}

static uint8_t *regions_extend(size_t size) {
  if (regions_top == NULL)
    regions_top = (uint8_t *)(((uintptr_t)&__heap_base + REGIONS_ALIGNMENT - 1) &
                              ~(uintptr_t)(REGIONS_ALIGNMENT - 1));
  uint64_t pages = ((uintptr_t)regions_top + (uint64_t)size + REGIONS_PAGE - 1) / REGIONS_PAGE;
  uint64_t have = __builtin_wasm_memory_size(0);
  if (pages > have) {
    /* Each growth makes engines collect garbage: by an eighth at least, where there is as much. */
    uint64_t ample = have + have / 8;
    if (!(ample > pages && regions_grow(have, ample)) && !regions_grow(have, pages)) return NULL;
  }
  uint8_t *base = regions_top;
  regions_top += size;
  return base;
}

/* The first `size` bytes of a spare piece. */
static uint8_t *regions_use(unsigned i, size_t size) {
  uint8_t *base = regions_spare[i].base;
  regions_spare[i].base += size;
  regions_spare[i].size -= size;
  if (regions_spare[i].size == 0) regions_remove(i);
  return base;
}

void *wasm_region_take(size_t size, size_t *got) {
  if (size > SIZE_MAX - REGIONS_ALIGNMENT) return NULL;
  size = (size + REGIONS_ALIGNMENT - 1) & ~(REGIONS_ALIGNMENT - 1);
  unsigned best = regions_spares;
  for (unsigned i = 0; i < regions_spares; i++)
    if (regions_spare[i].size >= size &&
        (best == regions_spares || regions_spare[i].size < regions_spare[best].size))
      best = i;
  *got = size;
  if (best == regions_spares) return regions_extend(size);
  return regions_use(best, size);
}

bool wasm_region_widen(void *base, size_t size, size_t more) {
  const uint8_t *end = (uint8_t *)base + size;
  if (end == regions_top) return regions_extend(more) != NULL;
  for (unsigned i = 0; i < regions_spares; i++)
    if (regions_spare[i].base == end && regions_spare[i].size >= more)
      return regions_use(i, more) != NULL;
  return false;
}

void wasm_region_give(void *memory, size_t size) {
  region given = {(uint8_t *)memory, size};
  if (size == 0) return;
  for (unsigned i = 0; i < regions_spares;) {
    const region *other = &regions_spare[i];
    bool below = other->base + other->size == given.base;
    bool above = given.base + given.size == other->base;
    if (!below && !above) {
      i++;
      continue;
    }
    if (below) given.base = other->base;
    given.size += other->size;
    regions_remove(i);
  }
  if (given.base + given.size == regions_top) {
    regions_top = given.base;
    return;
  }
  if (regions_spares < REGIONS_SPARE) {
    regions_spare[regions_spares++] = given;
    return;
  }
  unsigned least = 0;
  for (unsigned i = 1; i < regions_spares; i++)
    if (regions_spare[i].size < regions_spare[least].size) least = i;
  if (given.size > regions_spare[least].size) regions_spare[least] = given;
}

/*
 * The address of the buffer, 16-byte aligned, after it was made at least `size` bytes long; 0 when
 * the engine gives no more memory, and the buffer is then as it was. What it held is lost when it
 * grows. May grow the memory, and so detach JavaScript's views.
 */
WASM_EXPORT(buffer) uint8_t *wasm_buffer(uint32_t size);
uint8_t *wasm_buffer(uint32_t size) {
  if (size <= regions_buffer.size && regions_buffer.base != NULL) return regions_buffer.base;
  region old = regions_buffer;
  wasm_region_give(old.base, old.size);
  size_t wanted = size < REGIONS_BUFFER ? REGIONS_BUFFER : size;
  regions_buffer.base = wasm_region_take(wanted, &regions_buffer.size);
  if (regions_buffer.base != NULL) return regions_buffer.base;
  regions_buffer.base = wasm_region_take(old.size, &regions_buffer.size);
  return NULL;
}

/* Gives the memory of a large buffer back for other uses; the next one starts small again. */
WASM_EXPORT(buffer_release) void wasm_buffer_release(void);
void wasm_buffer_release(void) {
  wasm_region_give(regions_buffer.base, regions_buffer.size);
  regions_buffer = (region){NULL, 0};
}
