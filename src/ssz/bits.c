/*
 * Bit lists and bit vectors. A flat bit vector inside a record is bytes there, anything else is
 * pages of chunks; operations go run by run, a run being what lies in one piece in both operands.
 */
#include <string.h>

#include "ssz/object.h"

static spc_status bits_part(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                            spc__ssz_part *part, uint64_t *length) {
  *part = (spc__ssz_part){self->type, self->object, NULL};
  spc_status status = spc__ssz_part_walk(part, path, steps);
  if (status != SPC_OK) return status;
  if (!spc__ssz_has(part->type, SPC__SSZ_BITS)) return SPC_INVALID_ARGUMENT;
  *length = part->object == NULL ? part->type->limit : ((spc__ssz_seq *)part->object)->length;
  return SPC_OK;
}

/* The bytes from chunk `chunk` on that lie in one piece, and how many chunks they are at most. */
static const uint8_t *bits_run(const spc__ssz_part *part, uint64_t chunk, uint64_t *chunks) {
  if (part->object == NULL) {
    *chunks = UINT64_MAX;
    return part->bytes + 32 * chunk;
  }
  uint32_t room;
  const uint8_t *leaf =
      spc__ssz_seq_leaf(part->type, (const spc__ssz_seq *)part->object, chunk, &room);
  *chunks = room;
  return leaf;
}

spc_status spc_ssz_bit(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                       uint64_t index, bool *bit) {
  spc__ssz_part part;
  uint64_t length, chunks;
  spc_status status = bits_part(self, path, steps, &part, &length);
  if (status != SPC_OK) return status;
  if (index >= length) return SPC_OUT_OF_RANGE;
  const uint8_t *chunk = bits_run(&part, index / 256, &chunks);
  *bit = (chunk[index % 256 / 8] >> (index % 8) & 1) != 0;
  return SPC_OK;
}

/* The page with the chunk of a sequence that is the caller's own, to be changed. */
static spc__ssz_page *bits_page(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_seq *seq,
                                const spc__ssz_place *place) {
  void **item = spc__ssz_seq_item_slot(pool, type, seq, spc__ssz_leaves(type, seq->length), place);
  if (item == NULL) return NULL;
  return spc__ssz_page_own(pool, type, item, 0, spc__ssz_is_head_slot(type, place->slot));
}

spc_status spc_ssz_set_bit(spc_ssz_value *self, const uint64_t *path, size_t steps, uint64_t index,
                           bool bit) {
  spc__ssz_part part;
  spc__ssz_spot spot;
  uint64_t length;
  spc_status status = bits_part(self, path, steps, &part, &length);
  if (status != SPC_OK) return status;
  if (index >= length) return SPC_OUT_OF_RANGE;
  if (!spc__ssz_spot_walk(self->pool, self->type, &self->object, path, steps, false, &spot))
    return SPC_OUT_OF_MEMORY;
  uint8_t *byte;
  if (spot.slot == NULL) {
    byte = spot.bytes + index / 8;
  } else {
    spc__ssz_seq *seq = spc__ssz_seq_own(self->pool, spot.type, spot.slot);
    if (seq == NULL) return SPC_OUT_OF_MEMORY;
    spc__ssz_place place = spc__ssz_locate_leaf(spot.type, index / 256);
    spc__ssz_page *page = bits_page(self->pool, spot.type, seq, &place);
    if (page == NULL) return SPC_OUT_OF_MEMORY;
    page->head.dirty |= UINT64_C(1) << place.leaf;
    byte = page->data + 32 * (size_t)place.leaf + index % 256 / 8;
  }
  uint8_t mask = (uint8_t)(1u << (index % 8));
  *byte = (uint8_t)(bit ? *byte | mask : *byte & ~mask);
  return SPC_OK;
}

spc_status spc_ssz_bits_out(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                            uint8_t *out) {
  spc__ssz_part part;
  uint64_t length;
  spc_status status = bits_part(self, path, steps, &part, &length);
  if (status != SPC_OK) return status;
  uint64_t left = length / 8 + (length % 8 != 0);
  for (uint64_t chunk = 0; left != 0;) {
    uint64_t chunks;
    const uint8_t *from = bits_run(&part, chunk, &chunks);
    uint64_t taken = chunks > left / 32 ? left : 32 * chunks;
    memcpy(out, from, (size_t)taken);
    out += taken;
    left -= taken;
    chunk += chunks;
  }
  return SPC_OK;
}

/* ---- Two operands ---- */

typedef enum bits_operation { BITS_OR, BITS_AND } bits_operation;

static void bits_combine(uint8_t *to, const uint8_t *from, size_t words, bits_operation op) {
  for (size_t i = 0; i < words; i++) {
    uint64_t a, b;
    memcpy(&a, to + 8 * i, 8);
    memcpy(&b, from + 8 * i, 8);
    a = op == BITS_OR ? a | b : a & b;
    memcpy(to + 8 * i, &a, 8);
  }
}

/* One pass over the pages; without an operand they are only made the caller's own. */
static bool bits_pass(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_seq *seq,
                      const spc__ssz_part *with, bits_operation op) {
  uint64_t leaves = spc__ssz_leaves(type, seq->length);
  for (uint64_t leaf = 0; leaf < leaves;) {
    spc__ssz_place place = spc__ssz_locate_leaf(type, leaf);
    spc__ssz_page *page = bits_page(pool, type, seq, &place);
    if (page == NULL) return false;
    page->head.dirty = page->head.count >= 64 ? UINT64_MAX : (UINT64_C(1) << page->head.count) - 1;
    uint64_t run = place.room < leaves - leaf ? place.room : leaves - leaf;
    if (with != NULL) {
      uint64_t chunks;
      const uint8_t *from = bits_run(with, leaf, &chunks);
      if (chunks < run) run = chunks;
      bits_combine(page->data + 32 * (size_t)place.leaf, from, 4 * (size_t)run, op);
    }
    leaf += run;
  }
  return true;
}

static spc_status bits_operate(spc_ssz_value *self, const spc_ssz_value *other, bits_operation op) {
  spc__ssz_part own, with;
  uint64_t length, other_length;
  spc_status status = bits_part(self, NULL, 0, &own, &length);
  if (status == SPC_OK) status = bits_part(other, NULL, 0, &with, &other_length);
  if (status != SPC_OK) return status;
  if (length != other_length) return SPC_INVALID_ARGUMENT;
  if (own.object == with.object) return SPC_OK;
  spc__ssz_seq *seq = spc__ssz_seq_own(self->pool, self->type, &self->object);
  if (seq == NULL || !bits_pass(self->pool, self->type, seq, NULL, op)) return SPC_OUT_OF_MEMORY;
  bits_pass(self->pool, self->type, seq, &with, op);
  return SPC_OK;
}

spc_status spc_ssz_bits_or(spc_ssz_value *self, const spc_ssz_value *other) {
  return bits_operate(self, other, BITS_OR);
}

spc_status spc_ssz_bits_and(spc_ssz_value *self, const spc_ssz_value *other) {
  return bits_operate(self, other, BITS_AND);
}

spc_status spc_ssz_bits_count(const spc_ssz_value *self, uint64_t *count) {
  spc__ssz_part part;
  uint64_t length;
  spc_status status = bits_part(self, NULL, 0, &part, &length);
  if (status != SPC_OK) return status;
  *count = 0;
  uint64_t leaves = spc__ssz_leaves(part.type, length);
  for (uint64_t leaf = 0; leaf < leaves;) {
    uint64_t chunks;
    const uint8_t *from = bits_run(&part, leaf, &chunks);
    if (chunks > leaves - leaf) chunks = leaves - leaf;
    for (uint64_t i = 0; i < 4 * chunks; i++) {
      uint64_t word;
      memcpy(&word, from + 8 * i, 8);
      *count += (uint64_t)__builtin_popcountll(word);
    }
    leaf += chunks;
  }
  return SPC_OK;
}
