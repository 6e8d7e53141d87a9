/*
 * Arena: bump allocation from one contiguous block that the caller owns.
 *
 * References into an arena are 32-bit byte offsets from its base, so the block may move when it
 * grows. Offset 0 is never handed out and stands for "none". All allocations are freed at once.
 *
 * The 32-bit word at offset 0 is the reference of the newest of the blocks that are registered: a
 * block whose first word is the reference of the one before, 0 at the oldest. It is 0 after
 * spc_arena_init and spc_arena_reset.
 */
#ifndef SPICULE_ARENA_H
#define SPICULE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "spicule/status.h"

SPC_BEGIN_DECLS

/* Every allocation is a multiple of this and aligned to it, in bytes. */
#define SPC_ARENA_ALIGNMENT 8u

/*
 * Called when an arena is full. Returns a block of at least `needed` bytes, aligned to
 * SPC_ARENA_ALIGNMENT, that begins with the first `used` bytes of `base`, and stores its size in
 * `*size`; or NULL, and then `base` stays valid. `base` is NULL for an arena that has no block yet.
 */
typedef void *(*spc_arena_grow_fn)(void *user, void *base, size_t used, size_t needed,
                                   size_t *size);

/* Fields are private; read them through the functions below. */
typedef struct spc_arena {
  uint8_t *base;
  size_t size;
  size_t used;
  size_t peak;
  spc_arena_grow_fn grow;
  void *user;
} spc_arena;

/*
 * Makes an arena over `memory` (`size` bytes, aligned to SPC_ARENA_ALIGNMENT; may be NULL with
 * size 0). `grow` may be NULL: then the size is fixed. The memory stays the caller's.
 */
SPC_API void spc_arena_init(spc_arena *self, void *memory, size_t size, spc_arena_grow_fn grow,
                            void *user);

/*
 * Allocates `size` bytes, rounded up to SPC_ARENA_ALIGNMENT and not cleared, and stores the
 * reference in `*offset`. Pointers taken from spc_arena_at before the call are invalid after it.
 * SPC_OUT_OF_MEMORY when the arena is full and can't grow, or would pass 2^32 - 1 bytes.
 */
SPC_API spc_status spc_arena_alloc(spc_arena *self, size_t size, uint32_t *offset);

/* The address of an offset; valid until the next spc_arena_alloc or spc_arena_reset. */
static inline void *spc_arena_at(const spc_arena *self, uint32_t offset) {
  return self->base + offset;
}

/* Frees every allocation and keeps the block. */
SPC_API void spc_arena_reset(spc_arena *self);

/*
 * Frees what was allocated since spc_arena_used gave `used`, registered blocks among it; what is
 * left must not refer to it.
 */
SPC_API void spc_arena_rewind(spc_arena *self, size_t used);

/* Bytes in use now, and the most that were ever in use since spc_arena_init. */
SPC_API size_t spc_arena_used(const spc_arena *self);
SPC_API size_t spc_arena_peak(const spc_arena *self);

SPC_END_DECLS

#endif
