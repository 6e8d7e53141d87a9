/*
 * Invariants: tail - head <= size, both multiples of 8; size is a power of two from 8 up. A copy is
 * split where it passes the end of the ring. Each shared byte is read once, by the copy.
 */
#include "native/ring.h"

#include <string.h>

bool spc__ring_size_valid(uint32_t size) {
  return size >= SPC_RING_MIN_BYTES && size <= SPC_RING_MAX_BYTES && (size & (size - 1)) == 0;
}

void spc__ring_init(spc__ring *self, uint8_t *bytes, uint32_t size) {
  self->bytes = bytes;
  self->size = size;
  self->head = 0;
  self->tail = 0;
}

bool spc__ring_see_head(spc__ring *self, uint32_t head) {
  uint32_t taken = head - self->head;
  if (taken > spc__ring_available(self) || taken % SPC_RING_ALIGNMENT != 0) return false;
  self->head = head;
  return true;
}

bool spc__ring_see_tail(spc__ring *self, uint32_t tail) {
  uint32_t put = tail - self->tail;
  if (put > spc__ring_space(self) || put % SPC_RING_ALIGNMENT != 0) return false;
  self->tail = tail;
  return true;
}

static uint32_t ring_padded(uint32_t length) {
  return (length + (SPC_RING_ALIGNMENT - 1)) & ~(SPC_RING_ALIGNMENT - 1);
}

/* Bytes from index `at` to the end of the ring, at most `length`. */
static uint32_t ring_before_end(const spc__ring *self, uint32_t at, uint32_t length) {
  uint32_t left = self->size - (at & (self->size - 1));
  return length < left ? length : left;
}

void spc__ring_put(spc__ring *self, const uint8_t *in, uint32_t length) {
  uint32_t first = ring_before_end(self, self->tail, length);
  if (length == 0) return;
  memcpy(self->bytes + (self->tail & (self->size - 1)), in, first);
  memcpy(self->bytes, in + first, length - first);
  self->tail += ring_padded(length);
}

void spc__ring_take(spc__ring *self, uint8_t *out, uint32_t length) {
  uint32_t first = ring_before_end(self, self->head, length);
  if (out != NULL && length != 0) {
    memcpy(out, self->bytes + (self->head & (self->size - 1)), first);
    memcpy(out + first, self->bytes, length - first);
  }
  self->head += ring_padded(length);
}
