/*
 * The two sides of a ring of bytes between two processes, without the sharing: each side keeps its
 * own index and the last accepted value of the other's, and is told of new values. Indices count
 * bytes, run on without wrapping at the end of the ring, and are multiples of 8.
 *
 * The peer may be hostile. A new value is accepted only where an honest peer could have stored it,
 * so no copy ever leaves the ring, whatever the peer writes and however often it changes it.
 */
#ifndef SPC_NATIVE_RING_H
#define SPC_NATIVE_RING_H

#include <stdbool.h>
#include <stdint.h>

/* Sizes of a ring are powers of two in this range. */
#define SPC_RING_MIN_BYTES (UINT32_C(1) << 12)
#define SPC_RING_MAX_BYTES (UINT32_C(1) << 28)

/* Every piece that is put or taken ends at a multiple of this; what is between is padding. */
#define SPC_RING_ALIGNMENT UINT32_C(8)

/* One side of a ring: that of its writer or that of its reader. */
typedef struct spc__ring {
  uint8_t *bytes;
  uint32_t size;
  uint32_t head; /* taken by the reader */
  uint32_t tail; /* put by the writer */
} spc__ring;

/* Whether `size` is one that a ring can have. */
bool spc__ring_size_valid(uint32_t size);

/* Starts a side of an empty ring. */
void spc__ring_init(spc__ring *self, uint8_t *bytes, uint32_t size);

/* The writer hears the reader's index; false, and nothing happens, where it can't be true. */
bool spc__ring_see_head(spc__ring *self, uint32_t head);

/* The reader hears the writer's index; false, and nothing happens, where it can't be true. */
bool spc__ring_see_tail(spc__ring *self, uint32_t tail);

/* Bytes that can be put, or taken. */
static inline uint32_t spc__ring_space(const spc__ring *self) {
  return self->size - (self->tail - self->head);
}
static inline uint32_t spc__ring_available(const spc__ring *self) {
  return self->tail - self->head;
}

/* Copies `length` bytes (at most the space) into the ring and moves the tail past them. */
void spc__ring_put(spc__ring *self, const uint8_t *in, uint32_t length);

/*
 * Copies `length` bytes (at most what is available) out of the ring and moves the head past them;
 * `out` may be NULL to drop them.
 */
void spc__ring_take(spc__ring *self, uint8_t *out, uint32_t length);

#endif
