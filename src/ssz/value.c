/*
 * Variables that hold values. Every change first finds its place and checks everything, reading;
 * then builds what is new; and only then walks again, making the way its own. So a change happens
 * as a whole or not at all. Lists grow in runs of leaves; before a bulk append the old object is
 * kept, to go back to when memory runs out halfway.
 */
#include <string.h>

#include "base/error.h"
#include "ssz/check.h"
#include "ssz/hash.h"
#include "ssz/object.h"

static spc__ssz_part value_part(const spc_ssz_value *self) {
  return (spc__ssz_part){self->type, self->object, NULL};
}

static spc_status value_walk(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                             spc__ssz_part *part) {
  *part = value_part(self);
  return spc__ssz_part_walk(part, path, steps);
}

/* ---- Whole values ---- */

spc_status spc_ssz_default(spc_ssz_pool *pool, const spc_ssz_type *type, spc_ssz_value *value) {
  *value = (spc_ssz_value){pool, type, NULL};
  return spc__ssz_object_default(pool, type, &value->object);
}

spc_status spc_ssz_deserialize(spc_ssz_pool *pool, const spc_ssz_type *type, const uint8_t *bytes,
                               size_t length, spc_ssz_value *value, spc_error *error) {
  *value = (spc_ssz_value){pool, type, NULL};
  spc_status status = spc__ssz_check_early(type, bytes, length, error);
  if (status != SPC_OK) return status;
  value->object = spc__ssz_object_build(pool, type, bytes, length);
  if (value->object != NULL) return SPC_OK;
  status = spc_ssz_validate(type, bytes, length, error);
  return status != SPC_OK ? status : spc__fail(error, SPC_OUT_OF_MEMORY);
}

spc_status spc_ssz_clone(const spc_ssz_value *self, spc_ssz_value *copy) {
  if (((spc__ssz_head *)self->object)->references == UINT32_MAX) return SPC_COUNT_LIMIT;
  *copy = *self;
  spc__ssz_retain(copy->object);
  return SPC_OK;
}

void spc_ssz_release(spc_ssz_value *self) {
  spc__ssz_object_drop(self->pool, self->type, self->object);
  self->object = NULL;
}

uint64_t spc_ssz_size(const spc_ssz_value *self) {
  return spc__ssz_object_size(self->type, self->object);
}

spc_status spc_ssz_serialize(const spc_ssz_value *self, uint8_t *out, size_t capacity,
                             size_t *length, spc_error *error) {
  return spc_ssz_read(self, NULL, 0, out, capacity, length, error);
}

spc_status spc_ssz_root(const spc_ssz_value *self, uint8_t root[32]) {
  spc_status status = spc__ssz_hash_object(self->pool, self->type, self->object);
  if (status == SPC_OK) memcpy(root, ((spc__ssz_head *)self->object)->root, 32);
  return status;
}

bool spc_ssz_root_is_cached(const spc_ssz_value *self) {
  return ((spc__ssz_head *)self->object)->hashed == SPC__SSZ_HASHED;
}

/* ---- Reading ---- */

spc_status spc_ssz_length(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                          uint64_t *length) {
  spc__ssz_part part;
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return status;
  if (!spc__ssz_is_sequence(part.type))
    *length = spc__ssz_is_container(part.type) ? part.type->member_count : 1;
  else
    *length = part.object == NULL ? part.type->limit : ((spc__ssz_seq *)part.object)->length;
  return SPC_OK;
}

spc_status spc_ssz_selector(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                            unsigned *selector) {
  spc__ssz_part part;
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return status;
  if (!spc__ssz_is_union(part.type)) return SPC_INVALID_ARGUMENT;
  *selector = (unsigned)((spc__ssz_union *)part.object)->selector;
  return SPC_OK;
}

spc_status spc_ssz_get(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                       spc_ssz_value *value) {
  spc__ssz_part part;
  *value = (spc_ssz_value){self->pool, self->type, NULL};
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return status;
  value->type = part.type;
  if (part.object == NULL)
    value->object = spc__ssz_object_build(self->pool, part.type, part.bytes, part.type->fixed_size);
  else if (((spc__ssz_head *)part.object)->references == UINT32_MAX)
    return SPC_COUNT_LIMIT;
  else
    value->object = spc__ssz_retain(part.object);
  return value->object == NULL ? SPC_OUT_OF_MEMORY : SPC_OK;
}

spc_status spc_ssz_read(const spc_ssz_value *self, const uint64_t *path, size_t steps, uint8_t *out,
                        size_t capacity, size_t *length, spc_error *error) {
  spc__ssz_part part;
  *length = 0;
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return spc__fail(error, status);
  uint64_t size =
      part.object == NULL ? part.type->fixed_size : spc__ssz_object_size(part.type, part.object);
  if (size > SIZE_MAX) return spc__fail_limit(error, SPC_SIZE_LIMIT, SIZE_MAX);
  *length = (size_t)size;
  if (size > capacity) return spc__fail_limit(error, SPC_BUFFER_TOO_SMALL, size);
  if (part.object == NULL)
    memcpy(out, part.bytes, (size_t)size);
  else if (!spc__ssz_object_write(part.type, part.object, out, size))
    return spc__fail_limit(error, SPC_SIZE_LIMIT, UINT32_MAX);
  return SPC_OK;
}

spc_status spc_ssz_peek(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                        const uint8_t **bytes, size_t *length) {
  spc__ssz_part part;
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return status;
  if (part.object != NULL) {
    if (spc__ssz_is_sequence(part.type) || !spc__ssz_has(part.type, SPC__SSZ_FLAT))
      return SPC_INVALID_ARGUMENT;
    part.bytes = ((spc__ssz_record *)part.object)->data;
  }
  *bytes = part.bytes;
  *length = (size_t)part.type->fixed_size;
  return SPC_OK;
}

/* ---- Replacing ---- */

/* Puts `object` (its reference taken over) where the path leads; it is known to lead there. */
static spc_status value_replace(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                void *object) {
  spc__ssz_spot spot;
  if (!spc__ssz_spot_walk(self->pool, self->type, &self->object, path, steps, true, &spot)) {
    spc__ssz_part part;
    value_walk(self, path, steps, &part);
    spc__ssz_object_drop(self->pool, part.type, object);
    return SPC_OUT_OF_MEMORY;
  }
  spc__ssz_object_drop(self->pool, spot.type, *spot.slot);
  *spot.slot = object;
  return SPC_OK;
}

static spc_status value_overwrite(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                  const uint8_t *bytes) {
  spc__ssz_spot spot;
  if (!spc__ssz_spot_walk(self->pool, self->type, &self->object, path, steps, false, &spot))
    return SPC_OUT_OF_MEMORY;
  memcpy(spot.bytes, bytes, (size_t)spot.type->fixed_size);
  return SPC_OK;
}

spc_status spc_ssz_set(spc_ssz_value *self, const uint64_t *path, size_t steps,
                       const spc_ssz_value *value) {
  spc__ssz_part part;
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return status;
  if (value->type != part.type || value->pool != self->pool) return SPC_INVALID_ARGUMENT;
  if (part.object == NULL) {
    uint8_t bytes[SPC__SSZ_PAGE_BYTES];
    spc__ssz_object_write(part.type, value->object, bytes, part.type->fixed_size);
    return value_overwrite(self, path, steps, bytes);
  }
  if (((spc__ssz_head *)value->object)->references == UINT32_MAX) return SPC_COUNT_LIMIT;
  return value_replace(self, path, steps, spc__ssz_retain(value->object));
}

spc_status spc_ssz_write(spc_ssz_value *self, const uint64_t *path, size_t steps,
                         const uint8_t *bytes, size_t length, spc_error *error) {
  spc__ssz_part part;
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return spc__fail(error, status);
  status = spc_ssz_validate(part.type, bytes, length, error);
  if (status != SPC_OK) return status;
  if (part.object == NULL) {
    status = value_overwrite(self, path, steps, bytes);
  } else {
    void *object = spc__ssz_object_build(self->pool, part.type, bytes, length);
    status = object == NULL ? SPC_OUT_OF_MEMORY : value_replace(self, path, steps, object);
  }
  return status == SPC_OK ? SPC_OK : spc__fail(error, status);
}

spc_status spc_ssz_select(spc_ssz_value *self, const uint64_t *path, size_t steps,
                          unsigned selector, const uint8_t *bytes, size_t length,
                          spc_error *error) {
  spc__ssz_part part;
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return spc__fail(error, status);
  if (!spc__ssz_is_union(part.type)) return spc__fail(error, SPC_INVALID_ARGUMENT);
  const spc__ssz_member *option = spc__ssz_option(part.type, selector);
  if (option == NULL) return spc__fail(error, SPC_UNKNOWN_OPTION);
  const spc_ssz_type *type = option->type == 0 ? NULL : spc__ssz_member_type(option);
  if (type == NULL && length != 0) return spc__fail_offset(error, SPC_TRAILING_BYTES, 0);
  if (type != NULL) status = spc_ssz_validate(type, bytes, length, error);
  if (status != SPC_OK) return status;
  void *object = spc__ssz_object_union(self->pool, part.type, selector, bytes, length);
  status = object == NULL ? SPC_OUT_OF_MEMORY : value_replace(self, path, steps, object);
  return status == SPC_OK ? SPC_OK : spc__fail(error, status);
}

/* ---- Growing and shrinking ---- */

/* A list at a path, made the caller's own. */
typedef struct value_list {
  spc_ssz_pool *pool;
  const spc_ssz_type *type;
  void **slot;
} value_list;

static spc__ssz_seq *value_seq(const value_list *list) {
  return (spc__ssz_seq *)*list->slot;
}

static spc_status value_find_list(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                                  spc__ssz_part *part) {
  spc_status status = value_walk(self, path, steps, part);
  if (status != SPC_OK) return status;
  return spc__ssz_has(part->type, SPC__SSZ_GROWS) && part->object != NULL ? SPC_OK
                                                                          : SPC_INVALID_ARGUMENT;
}

static spc_status value_own_list(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                 value_list *list) {
  spc__ssz_spot spot;
  if (!spc__ssz_spot_walk(self->pool, self->type, &self->object, path, steps, true, &spot))
    return SPC_OUT_OF_MEMORY;
  *list = (value_list){self->pool, spot.type, spot.slot};
  if (spc__ssz_seq_own(self->pool, spot.type, spot.slot) == NULL) return SPC_OUT_OF_MEMORY;
  value_seq(list)->head.size = 0;
  return SPC_OK;
}

static bool value_room(const spc_ssz_type *type, uint64_t length, uint64_t count) {
  bool bounded = type->kind == SPC_SSZ_LIST || type->kind == SPC_SSZ_BITLIST;
  return !bounded || count <= type->limit - length;
}

/* The existing leaf `leaf`, to be changed. */
static uint8_t *value_leaf(const value_list *list, uint64_t leaf) {
  spc__ssz_seq *seq = value_seq(list);
  spc__ssz_place place = spc__ssz_locate_leaf(list->type, leaf);
  void **item = spc__ssz_seq_item_slot(list->pool, list->type, seq,
                                       spc__ssz_leaves(list->type, seq->length), &place);
  if (item == NULL) return NULL;
  spc__ssz_page *page = spc__ssz_page_own(list->pool, list->type, item, 0,
                                          spc__ssz_is_head_slot(list->type, place.slot));
  if (page == NULL) return NULL;
  page->head.dirty |= UINT64_C(1) << place.leaf;
  return page->data + (size_t)place.leaf * list->type->leaf_bytes;
}

/* Adds bytes of whole elements; they are right. */
static bool value_extend(const value_list *list, const uint8_t *bytes, uint64_t count) {
  const spc_ssz_type *type = list->type;
  uint64_t element = spc__ssz_element(type)->fixed_size, left = count * element;
  while (left != 0) {
    spc__ssz_seq *seq = value_seq(list);
    uint64_t leaves = spc__ssz_leaves(type, seq->length);
    uint64_t inside = seq->length * element % type->leaf_bytes, room, taken;
    uint8_t *to;
    if (inside != 0) {
      to = value_leaf(list, leaves - 1);
      room = type->leaf_bytes - inside;
    } else {
      spc__ssz_place place = spc__ssz_locate_leaf(type, leaves);
      uint64_t run = (left + type->leaf_bytes - 1) / type->leaf_bytes;
      if (run > place.room) run = place.room;
      spc__ssz_page *page = (spc__ssz_page *)spc__ssz_seq_push(list->pool, type, list->slot, leaves,
                                                               (uint32_t)run, NULL);
      to = page == NULL ? NULL : page->data + (size_t)place.leaf * type->leaf_bytes;
      room = run * type->leaf_bytes;
    }
    if (to == NULL) return false;
    taken = left < room ? left : room;
    memcpy(to + inside, bytes, (size_t)taken);
    bytes += taken;
    left -= taken;
    value_seq(list)->length += taken / element;
  }
  return true;
}

static spc_status value_append_flat(value_list *list, const uint8_t *bytes, uint64_t count) {
  if (count == 1) return value_extend(list, bytes, 1) ? SPC_OK : SPC_OUT_OF_MEMORY;
  void *before = spc__ssz_retain(*list->slot);
  if (spc__ssz_seq_own(list->pool, list->type, list->slot) != NULL &&
      value_extend(list, bytes, count)) {
    spc__ssz_object_drop(list->pool, list->type, before);
    return SPC_OK;
  }
  spc__ssz_object_drop(list->pool, list->type, *list->slot);
  *list->slot = before;
  return SPC_OUT_OF_MEMORY;
}

static spc_status value_append_child(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                     const spc_ssz_type *element, void *child) {
  value_list list;
  spc_status status = value_own_list(self, path, steps, &list);
  if (status == SPC_OK && spc__ssz_seq_push(list.pool, list.type, list.slot,
                                            value_seq(&list)->length, 1, child) == NULL)
    status = SPC_OUT_OF_MEMORY;
  if (status == SPC_OK)
    value_seq(&list)->length++;
  else
    spc__ssz_object_drop(self->pool, element, child);
  return status;
}

spc_status spc_ssz_append(spc_ssz_value *self, const uint64_t *path, size_t steps,
                          const uint8_t *bytes, size_t length, uint64_t count, spc_error *error) {
  spc__ssz_part part;
  spc_status status = value_find_list(self, path, steps, &part);
  if (status == SPC_OK && spc__ssz_has(part.type, SPC__SSZ_BITS)) status = SPC_INVALID_ARGUMENT;
  if (status != SPC_OK) return spc__fail(error, status);
  const spc_ssz_type *element = spc__ssz_element(part.type);
  bool flat = part.type->leaf_bytes != 0;
  if (!value_room(part.type, ((spc__ssz_seq *)part.object)->length, count))
    return spc__fail_limit(error, SPC_OVER_LIMIT, part.type->limit);
  if (!flat && count != 1) return spc__fail(error, SPC_INVALID_ARGUMENT);
  status = flat ? spc__ssz_check_elements(part.type, bytes, length, count, error)
                : spc_ssz_validate(element, bytes, length, error);
  if (status != SPC_OK) return status;
  if (flat) {
    value_list list;
    if (count == 0) return SPC_OK;
    status = value_own_list(self, path, steps, &list);
    if (status == SPC_OK) status = value_append_flat(&list, bytes, count);
  } else {
    void *child = spc__ssz_object_build(self->pool, element, bytes, length);
    status =
        child == NULL ? SPC_OUT_OF_MEMORY : value_append_child(self, path, steps, element, child);
  }
  return status == SPC_OK ? SPC_OK : spc__fail(error, status);
}

spc_status spc_ssz_append_bit(spc_ssz_value *self, const uint64_t *path, size_t steps, bool bit) {
  spc__ssz_part part;
  value_list list;
  spc_status status = value_find_list(self, path, steps, &part);
  if (status == SPC_OK && !spc__ssz_has(part.type, SPC__SSZ_BITS)) status = SPC_INVALID_ARGUMENT;
  if (status != SPC_OK) return status;
  uint64_t length = ((spc__ssz_seq *)part.object)->length;
  if (!value_room(part.type, length, 1)) return SPC_OVER_LIMIT;
  status = value_own_list(self, path, steps, &list);
  if (status != SPC_OK) return status;
  uint8_t *leaf;
  if (length % 256 == 0) {
    spc__ssz_page *page =
        (spc__ssz_page *)spc__ssz_seq_push(list.pool, list.type, list.slot, length / 256, 1, NULL);
    leaf = page == NULL
               ? NULL
               : page->data + 32 * (size_t)spc__ssz_locate_leaf(list.type, length / 256).leaf;
  } else {
    leaf = value_leaf(&list, length / 256);
  }
  if (leaf == NULL) return SPC_OUT_OF_MEMORY;
  leaf[length % 256 / 8] |= (uint8_t)((unsigned)bit << (length % 8));
  value_seq(&list)->length = length + 1;
  return SPC_OK;
}

/* Clears what lies behind the last element in the last leaf of a packed list. */
static void value_clear_rest(const value_list *list, uint64_t length) {
  const spc_ssz_type *type = list->type;
  uint64_t bits =
      spc__ssz_has(type, SPC__SSZ_BITS) ? length : length * spc__ssz_element(type)->fixed_size * 8;
  if (bits % 256 == 0) return;
  uint32_t room;
  uint8_t *leaf = spc__ssz_seq_leaf(type, value_seq(list), bits / 256, &room);
  size_t bytes = (size_t)(bits % 256 / 8);
  unsigned kept = (unsigned)(bits % 8);
  leaf[bytes] &= (uint8_t)((1u << kept) - 1);
  memset(leaf + bytes + 1, 0, 31 - bytes);
}

spc_status spc_ssz_truncate(spc_ssz_value *self, const uint64_t *path, size_t steps,
                            uint64_t length) {
  spc__ssz_part part;
  value_list list;
  spc_status status = value_find_list(self, path, steps, &part);
  if (status != SPC_OK) return status;
  uint64_t old = ((spc__ssz_seq *)part.object)->length;
  if (length > old) return SPC_OUT_OF_RANGE;
  if (length == old) return SPC_OK;
  status = value_own_list(self, path, steps, &list);
  if (status != SPC_OK) return status;
  uint64_t leaves = spc__ssz_leaves(list.type, old), kept = spc__ssz_leaves(list.type, length);
  if (!spc__ssz_seq_cut(list.pool, list.type, list.slot, leaves, kept)) return SPC_OUT_OF_MEMORY;
  value_seq(&list)->length = length;
  if (spc__ssz_has(list.type, SPC__SSZ_PACKED)) value_clear_rest(&list, length);
  return SPC_OK;
}

spc_status spc_ssz_pop(spc_ssz_value *self, const uint64_t *path, size_t steps) {
  spc__ssz_part part;
  spc_status status = value_find_list(self, path, steps, &part);
  if (status != SPC_OK) return status;
  uint64_t length = ((spc__ssz_seq *)part.object)->length;
  return length == 0 ? SPC_OUT_OF_RANGE : spc_ssz_truncate(self, path, steps, length - 1);
}

/* ---- Bulk ---- */

static spc_status value_find_run(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                                 uint64_t first, uint64_t count, spc__ssz_part *part) {
  spc_status status = value_walk(self, path, steps, part);
  if (status != SPC_OK) return status;
  if (!spc__ssz_is_sequence(part->type) || spc__ssz_has(part->type, SPC__SSZ_BITS) ||
      part->type->leaf_bytes == 0)
    return SPC_INVALID_ARGUMENT;
  uint64_t length =
      part->object == NULL ? part->type->limit : ((spc__ssz_seq *)part->object)->length;
  return first <= length && count <= length - first ? SPC_OK : SPC_OUT_OF_RANGE;
}

spc_status spc_ssz_copy_out(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                            uint64_t first, uint64_t count, uint8_t *out) {
  spc__ssz_part part;
  spc_status status = value_find_run(self, path, steps, first, count, &part);
  if (status != SPC_OK) return status;
  uint64_t size = spc__ssz_element(part.type)->fixed_size, at = first * size, left = count * size;
  if (part.object == NULL) {
    memcpy(out, part.bytes + at, (size_t)left);
    return SPC_OK;
  }
  while (left != 0) {
    uint32_t room, leaf_bytes = part.type->leaf_bytes;
    const uint8_t *leaf =
        spc__ssz_seq_leaf(part.type, (spc__ssz_seq *)part.object, at / leaf_bytes, &room);
    uint64_t inside = at % leaf_bytes, taken = (uint64_t)room * leaf_bytes - inside;
    if (taken > left) taken = left;
    memcpy(out, leaf + inside, (size_t)taken);
    out += taken;
    at += taken;
    left -= taken;
  }
  return SPC_OK;
}

/* Makes the pages of a run the caller's own before any byte changes. */
static bool value_own_run(const value_list *list, uint64_t at, uint64_t left, const uint8_t *in) {
  const spc_ssz_type *type = list->type;
  spc__ssz_seq *seq = value_seq(list);
  uint64_t leaves = spc__ssz_leaves(type, seq->length);
  while (left != 0) {
    spc__ssz_place place = spc__ssz_locate_leaf(type, at / type->leaf_bytes);
    void **item = spc__ssz_seq_item_slot(list->pool, type, seq, leaves, &place);
    spc__ssz_page *page = item == NULL ? NULL
                                       : spc__ssz_page_own(list->pool, type, item, 0,
                                                           spc__ssz_is_head_slot(type, place.slot));
    if (page == NULL) return false;
    uint64_t inside = at % type->leaf_bytes;
    uint64_t taken = (uint64_t)place.room * type->leaf_bytes - inside;
    if (taken > left) taken = left;
    uint32_t touched = (uint32_t)((inside + taken + type->leaf_bytes - 1) / type->leaf_bytes);
    uint64_t mask = touched >= 64 ? UINT64_MAX : (UINT64_C(1) << touched) - 1;
    page->head.dirty |= mask << place.leaf;
    if (in != NULL) {
      memcpy(page->data + (size_t)place.leaf * type->leaf_bytes + inside, in, (size_t)taken);
      in += taken;
    }
    at += taken;
    left -= taken;
  }
  return true;
}

spc_status spc_ssz_copy_in(spc_ssz_value *self, const uint64_t *path, size_t steps, uint64_t first,
                           uint64_t count, const uint8_t *in, spc_error *error) {
  spc__ssz_part part;
  spc_status status = value_find_run(self, path, steps, first, count, &part);
  if (status != SPC_OK) return spc__fail(error, status);
  uint64_t size = spc__ssz_element(part.type)->fixed_size;
  status = spc__ssz_check_elements(part.type, in, count * size, count, error);
  if (status != SPC_OK || count == 0) return status;
  spc__ssz_spot spot;
  if (!spc__ssz_spot_walk(self->pool, self->type, &self->object, path, steps, false, &spot))
    return spc__fail(error, SPC_OUT_OF_MEMORY);
  if (spot.slot == NULL) {
    memcpy(spot.bytes + first * size, in, (size_t)(count * size));
    return SPC_OK;
  }
  value_list list = {self->pool, spot.type, spot.slot};
  if (spc__ssz_seq_own(self->pool, spot.type, spot.slot) == NULL ||
      !value_own_run(&list, first * size, count * size, NULL))
    return spc__fail(error, SPC_OUT_OF_MEMORY);
  value_own_run(&list, first * size, count * size, in);
  return SPC_OK;
}

spc_status spc_ssz_run(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                       uint64_t index, const uint8_t **bytes, uint64_t *first, uint64_t *count) {
  spc__ssz_part part;
  spc_status status = value_walk(self, path, steps, &part);
  if (status != SPC_OK) return status;
  const spc_ssz_type *type = part.type;
  if (!spc__ssz_is_sequence(type) || type->leaf_bytes == 0) return SPC_INVALID_ARGUMENT;
  const spc__ssz_seq *seq = (const spc__ssz_seq *)part.object;
  uint64_t length = seq == NULL ? type->limit : seq->length;
  if (index >= length) return SPC_OUT_OF_RANGE;
  *bytes = part.bytes;
  *first = 0;
  *count = length;
  if (seq == NULL) return SPC_OK;
  bool bits = spc__ssz_has(type, SPC__SSZ_BITS);
  uint64_t per_leaf = bits ? 256 : type->leaf_bytes / spc__ssz_element(type)->fixed_size;
  spc__ssz_place place = spc__ssz_locate_leaf(type, index / per_leaf);
  const spc__ssz_page *page =
      (const spc__ssz_page *)spc__ssz_seq_item(type, seq, spc__ssz_leaves(type, length), &place);
  *bytes = page->data;
  *first = (index / per_leaf - place.leaf) * per_leaf;
  *count = page->head.count * per_leaf;
  if (*count > length - *first) *count = length - *first;
  return SPC_OK;
}
