/* Memory of modules that keep things between calls: large regions, taken and given back. */
#ifndef SPC_WASM_REGIONS_H
#define SPC_WASM_REGIONS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A region of at least `size` bytes, aligned to 16, its true size in `*got`; NULL when the engine
 * gives no more memory. May grow the memory, and so detach JavaScript's views.
 */
void *wasm_region_take(size_t size, size_t *got);

/*
 * Makes a region `more` bytes longer where it is, a multiple of 16, if what lies behind it is free;
 * whether it did. May grow the memory.
 */
bool wasm_region_widen(void *base, size_t size, size_t more);

/* Gives a region back; it may be part of later ones. */
void wasm_region_give(void *base, size_t size);

#endif
