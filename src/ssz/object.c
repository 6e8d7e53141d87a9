/*
 * Objects. Building reads bytes that were validated, except for elements that are checked late (see
 * spc__ssz_is_checked_late); if those or memory fail, everything built so far is dropped. Recursion
 * follows the type.
 */
#include "ssz/object.h"

#include <string.h>

#include "ssz/check.h"
#include "ssz/wire.h"

/* ---- From bytes ---- */

/* What is left of the bytes of a sequence while its pages are filled. */
typedef struct object_source {
  const uint8_t *bytes;
  uint64_t left;
  bool late;        /* the elements have not been checked */
  uint64_t checked; /* bytes from here on that have been */
} object_source;

#define OBJECT_CHECKED_AHEAD 16384u /* bytes: they are in the cache when they are copied */

/* Checks ahead, so that the next `size` bytes are known to be right; false if they are wrong. */
static bool object_check(const spc_ssz_type *type, object_source *source, uint64_t size) {
  if (!source->late) return true;
  if (size > source->left) size = source->left;
  if (source->checked < size) {
    uint64_t element = spc__ssz_element(type)->fixed_size;
    uint64_t ahead = (OBJECT_CHECKED_AHEAD + size) / element * element;
    if (ahead > source->left) ahead = source->left;
    if (spc__ssz_check_elements(type, source->bytes, ahead, ahead / element, NULL) != SPC_OK)
      return false;
    source->checked = ahead;
  }
  source->checked -= size;
  return true;
}

static spc__ssz_page *object_page(spc_ssz_pool *pool, const spc_ssz_type *type, uint64_t leaves,
                                  bool head, object_source *source) {
  size_t size = (size_t)leaves * type->leaf_bytes;
  if (!object_check(type, source, size)) return NULL;
  spc__ssz_page *page = spc__ssz_page_new(pool, type, (uint32_t)leaves, head);
  if (page == NULL) return NULL;
  size_t taken = source->left < size ? (size_t)source->left : size;
  memcpy(page->data, source->bytes, taken);
  memset(page->data + taken, 0, size - taken);
  source->bytes += taken;
  source->left -= taken;
  return page;
}

static bool object_pages(spc_ssz_pool *pool, const spc_ssz_type *type, void **root, uint64_t leaves,
                         object_source *source) {
  uint64_t items = spc__ssz_items(type, leaves), width = UINT64_C(1) << type->page_depth;
  spc__ssz_tree_builder builder = spc__ssz_tree_build(pool, root, items);
  for (; leaves != 0; leaves -= leaves < width ? leaves : width) {
    spc__ssz_page *page = object_page(pool, type, leaves < width ? leaves : width, false, source);
    if (page == NULL) return false;
    if (!spc__ssz_tree_add(&builder, page)) {
      spc__ssz_tree_drop(pool, type, page, 0, false);
      return false;
    }
  }
  return true;
}

typedef struct object_elements {
  const uint8_t *bytes;
  uint64_t length, count, next;
} object_elements;

static bool object_children(spc_ssz_pool *pool, const spc_ssz_type *type, void **root,
                            uint64_t leaves, object_elements *from) {
  const spc_ssz_type *element = spc__ssz_element(type);
  spc__ssz_tree_builder builder = spc__ssz_tree_build(pool, root, leaves);
  for (; leaves != 0; leaves--, from->next++) {
    uint64_t size;
    const uint8_t *bytes =
        spc__ssz_wire_element(type, from->bytes, from->length, from->next, from->count, &size);
    void *child = spc__ssz_object_build(pool, element, bytes, size);
    if (child == NULL) return false;
    if (!spc__ssz_tree_add(&builder, child)) {
      spc__ssz_object_drop(pool, element, child);
      return false;
    }
  }
  return true;
}

/* Clears the bits of the last chunk that are not part of the value. */
static void object_clear_bits(const spc_ssz_type *type, spc__ssz_seq *seq) {
  if (seq->length % 8 == 0) return;
  uint32_t room;
  uint8_t *leaf = spc__ssz_seq_leaf(type, seq, seq->length / 256, &room);
  leaf[seq->length % 256 / 8] &= (uint8_t)((1u << (seq->length % 8)) - 1);
}

static void *object_build_seq(spc_ssz_pool *pool, const spc_ssz_type *type, const uint8_t *bytes,
                              uint64_t length) {
  uint64_t count = spc__ssz_wire_count(type, bytes, length);
  uint64_t leaves = spc__ssz_leaves(type, count);
  uint32_t slots = spc__ssz_slots(type, leaves);
  spc__ssz_seq *seq = spc__ssz_seq_new(pool, type, count, slots);
  if (seq == NULL) return NULL;
  bool bits = spc__ssz_has(type, SPC__SSZ_BITS);
  object_source source = {bytes, bits ? count / 8 + (count % 8 != 0) : length,
                          spc__ssz_is_checked_late(type, length), 0};
  object_elements elements = {bytes, length, count, 0};
  seq->head.size = spc__ssz_has(type, SPC__SSZ_FIXED) ? 0 : length;
  bool done = true;
  for (uint32_t i = 0; i < slots && done; i++) {
    uint64_t own = spc__ssz_slot_leaves(type, leaves, i);
    if (spc__ssz_is_head_slot(type, i))
      done = (seq->tree[i] = object_page(pool, type, own, true, &source)) != NULL;
    else if (type->leaf_bytes != 0)
      done = object_pages(pool, type, &seq->tree[i], own, &source);
    else
      done = object_children(pool, type, &seq->tree[i], own, &elements);
  }
  if (!done) {
    spc__ssz_object_drop(pool, type, seq);
    return NULL;
  }
  if (bits) object_clear_bits(type, seq);
  return seq;
}

static spc__ssz_record *object_record(spc_ssz_pool *pool, const spc_ssz_type *type, uint64_t size) {
  spc__ssz_record *record = spc__ssz_alloc(pool, sizeof *record + type->record_bytes);
  if (record == NULL) return NULL;
  spc__ssz_head_init(&record->head, 0, UINT64_MAX, spc__ssz_has(type, SPC__SSZ_FIXED) ? 0 : size);
  memset(record->data + type->flat_bytes, 0, type->record_bytes - type->flat_bytes);
  return record;
}

static void *object_build_record(spc_ssz_pool *pool, const spc_ssz_type *type, const uint8_t *bytes,
                                 uint64_t length) {
  spc__ssz_record *record = object_record(pool, type, length);
  if (record == NULL) return NULL;
  if (type->child_count == 0) { /* basic values too */
    memcpy(record->data, bytes, type->flat_bytes);
    return record;
  }
  for (uint32_t i = 0; i < type->member_count; i++) {
    const spc__ssz_member *member = &spc__ssz_members(type)[i];
    const spc_ssz_type *field = spc__ssz_member_type(member);
    uint64_t size;
    const uint8_t *part = spc__ssz_wire_member(type, bytes, length, i, &size);
    if (spc__ssz_has(field, SPC__SSZ_FLAT)) {
      memcpy(record->data + member->data, part, (size_t)size);
      continue;
    }
    void *child = spc__ssz_object_build(pool, field, part, size);
    if (child == NULL) {
      spc__ssz_object_drop(pool, type, record);
      return NULL;
    }
    memcpy(record->data + member->data, &child, sizeof child);
  }
  return record;
}

static spc__ssz_union *object_union(spc_ssz_pool *pool, uint64_t selector, uint64_t size) {
  spc__ssz_union *u = spc__ssz_alloc(pool, sizeof *u);
  if (u == NULL) return NULL;
  spc__ssz_head_init(&u->head, 0, 1, size);
  u->selector = selector;
  u->child = NULL;
  return u;
}

void *spc__ssz_object_union(spc_ssz_pool *pool, const spc_ssz_type *type, unsigned selector,
                            const uint8_t *bytes, uint64_t length) {
  spc__ssz_union *u = object_union(pool, selector, length + 1);
  const spc__ssz_member *option = spc__ssz_option(type, selector);
  if (u == NULL || option->type == 0) return u;
  u->child = spc__ssz_object_build(pool, spc__ssz_member_type(option), bytes, length);
  if (u->child != NULL) return u;
  spc__ssz_object_drop(pool, type, u);
  return NULL;
}

void *spc__ssz_object_build(spc_ssz_pool *pool, const spc_ssz_type *type, const uint8_t *bytes,
                            uint64_t length) {
  if (spc__ssz_is_sequence(type)) return object_build_seq(pool, type, bytes, length);
  if (spc__ssz_is_union(type))
    return spc__ssz_object_union(pool, type, bytes[0], bytes + 1, length - 1);
  return object_build_record(pool, type, bytes, length);
}

/* ---- Defaults ---- */

/* A vector of defaults is one page or object, shared by all positions. */
static spc_status object_default_vector(spc_ssz_pool *pool, const spc_ssz_type *type,
                                        spc__ssz_seq *seq) {
  uint64_t leaves = spc__ssz_leaves(type, type->limit), items = spc__ssz_items(type, leaves);
  void *item, *last;
  if (type->leaf_bytes == 0) {
    spc_status status = spc__ssz_object_default(pool, spc__ssz_element(type), &item);
    if (status != SPC_OK) return status;
    last = spc__ssz_retain(item);
  } else {
    uint32_t width = 1u << type->page_depth;
    uint32_t rest = (uint32_t)(leaves - (items - 1) * width);
    spc__ssz_page *page = spc__ssz_page_new(pool, type, leaves < width ? rest : width, false);
    if (page == NULL) return SPC_OUT_OF_MEMORY;
    memset(page->data, 0, (size_t)page->head.size);
    item = page;
    last = spc__ssz_retain(item);
    if (rest != page->head.count) {
      spc__ssz_page *end = spc__ssz_page_new(pool, type, rest, false);
      spc__ssz_tree_drop(pool, type, last, 0, false);
      if (end == NULL) {
        spc__ssz_tree_drop(pool, type, item, 0, false);
        return SPC_OUT_OF_MEMORY;
      }
      memset(end->data, 0, (size_t)end->head.size);
      last = end;
    }
  }
  seq->tree[0] = spc__ssz_tree_fill(pool, type, item, last, items);
  return seq->tree[0] == NULL ? SPC_OUT_OF_MEMORY : SPC_OK;
}

static spc_status object_default_seq(spc_ssz_pool *pool, const spc_ssz_type *type, void **object) {
  bool vector = !spc__ssz_has(type, SPC__SSZ_GROWS);
  if (vector && spc__ssz_has(type, SPC__SSZ_NO_DEFAULT)) return SPC_NO_DEFAULT;
  if (vector && spc__ssz_items(type, spc__ssz_leaves(type, type->limit)) >> 62 != 0)
    return SPC_OUT_OF_MEMORY;
  spc__ssz_seq *seq = spc__ssz_seq_new(pool, type, vector ? type->limit : 0, vector ? 1 : 0);
  if (seq == NULL) return SPC_OUT_OF_MEMORY;
  spc_status status = vector ? object_default_vector(pool, type, seq) : SPC_OK;
  if (status != SPC_OK) {
    spc__ssz_object_drop(pool, type, seq);
    return status;
  }
  *object = seq;
  return SPC_OK;
}

static spc_status object_default_record(spc_ssz_pool *pool, const spc_ssz_type *type,
                                        void **object) {
  spc__ssz_record *record = object_record(pool, type, 0);
  if (record == NULL) return SPC_OUT_OF_MEMORY;
  memset(record->data, 0, type->flat_bytes);
  for (uint32_t i = 0; i < type->member_count && type->child_count != 0; i++) {
    const spc__ssz_member *member = &spc__ssz_members(type)[i];
    const spc_ssz_type *field = spc__ssz_member_type(member);
    if (spc__ssz_has(field, SPC__SSZ_FLAT)) continue;
    void *child;
    spc_status status = spc__ssz_object_default(pool, field, &child);
    if (status != SPC_OK) {
      spc__ssz_object_drop(pool, type, record);
      return status;
    }
    memcpy(record->data + member->data, &child, sizeof child);
  }
  *object = record;
  return SPC_OK;
}

static spc_status object_default_union(spc_ssz_pool *pool, const spc_ssz_type *type,
                                       void **object) {
  if (spc__ssz_has(type, SPC__SSZ_NO_DEFAULT)) return SPC_NO_DEFAULT;
  spc__ssz_union *u = object_union(pool, 0, 0);
  if (u == NULL) return SPC_OUT_OF_MEMORY;
  const spc__ssz_member *option = spc__ssz_members(type);
  if (option->type != 0) {
    spc_status status = spc__ssz_object_default(pool, spc__ssz_member_type(option), &u->child);
    if (status != SPC_OK) {
      u->child = NULL;
      spc__ssz_object_drop(pool, type, u);
      return status;
    }
  }
  *object = u;
  return SPC_OK;
}

spc_status spc__ssz_object_default(spc_ssz_pool *pool, const spc_ssz_type *type, void **object) {
  if (spc__ssz_is_sequence(type)) return object_default_seq(pool, type, object);
  if (spc__ssz_is_union(type)) return object_default_union(pool, type, object);
  return object_default_record(pool, type, object);
}

/* ---- To bytes ---- */

/* Items of a slot one after the other. */
typedef struct object_items {
  void *root, **row;
  unsigned height;
  uint64_t next, count;
} object_items;

static object_items object_open_slot(const spc_ssz_type *type, const spc__ssz_seq *seq,
                                     uint64_t leaves, uint32_t slot) {
  object_items items = {seq->tree[slot], NULL, 0, 0, 1};
  if (spc__ssz_is_head_slot(type, slot)) return items;
  items.count = spc__ssz_items(type, spc__ssz_slot_leaves(type, leaves, slot));
  items.height = spc__ssz_height(items.count);
  return items;
}

static inline void *object_next_item(object_items *items) {
  uint64_t i = items->next++;
  if (items->height == 0) return items->root;
  if (i % SPC__SSZ_FAN == 0) {
    void *node = items->root;
    for (unsigned h = items->height; h != 1; h--)
      node =
          ((spc__ssz_node *)node)->child[(i >> (SPC__SSZ_FAN_BITS * (h - 1))) & (SPC__SSZ_FAN - 1)];
    items->row = ((spc__ssz_node *)node)->child;
  }
  return items->row[i % SPC__SSZ_FAN];
}

static uint64_t object_seq_size(const spc_ssz_type *type, spc__ssz_seq *seq) {
  if (spc__ssz_has(type, SPC__SSZ_BITS)) return seq->length / 8 + 1;
  const spc_ssz_type *element = spc__ssz_element(type);
  if (spc__ssz_has(element, SPC__SSZ_FIXED)) return seq->length * element->fixed_size;
  uint64_t size = seq->length * SPC__SSZ_OFFSET_BYTES;
  for (uint32_t slot = 0; slot < seq->slots; slot++) {
    object_items items = object_open_slot(type, seq, seq->length, slot);
    while (items.next < items.count)
      size += spc__ssz_object_size(element, object_next_item(&items));
  }
  return size;
}

static uint64_t object_record_size(const spc_ssz_type *type, spc__ssz_record *record) {
  uint64_t size = type->fixed_part;
  for (uint32_t i = type->first_variable; i < type->member_count;
       i = spc__ssz_members(type)[i].next_variable) {
    const spc__ssz_member *member = &spc__ssz_members(type)[i];
    size +=
        spc__ssz_object_size(spc__ssz_member_type(member), spc__ssz_record_child(record, member));
  }
  return size;
}

uint64_t spc__ssz_object_size(const spc_ssz_type *type, void *object) {
  if (spc__ssz_has(type, SPC__SSZ_FIXED)) return type->fixed_size;
  spc__ssz_head *head = (spc__ssz_head *)object;
  if (head->size != 0) return head->size;
  if (spc__ssz_is_sequence(type)) {
    head->size = object_seq_size(type, (spc__ssz_seq *)object);
  } else if (spc__ssz_is_union(type)) {
    spc__ssz_union *u = (spc__ssz_union *)object;
    head->size = 1;
    if (u->child != NULL)
      head->size += spc__ssz_object_size(
          spc__ssz_member_type(spc__ssz_option(type, (unsigned)u->selector)), u->child);
  } else {
    head->size = object_record_size(type, (spc__ssz_record *)object);
  }
  return head->size;
}

static bool object_write_pages(const spc_ssz_type *type, const spc__ssz_seq *seq, uint8_t *out,
                               uint64_t size) {
  uint64_t leaves = spc__ssz_leaves(type, seq->length);
  for (uint32_t slot = 0; slot < seq->slots; slot++) {
    object_items items = object_open_slot(type, seq, leaves, slot);
    while (items.next < items.count) {
      const spc__ssz_page *page = (const spc__ssz_page *)object_next_item(&items);
      size_t used = (size_t)page->head.count * type->leaf_bytes;
      if (used > size) used = (size_t)size;
      memcpy(out, page->data, used);
      out += used;
      size -= used;
    }
  }
  return true;
}

static bool object_write_bits(const spc_ssz_type *type, const spc__ssz_seq *seq, uint8_t *out,
                              uint64_t size) {
  if (seq->length % 8 == 0 && spc__ssz_has(type, SPC__SSZ_GROWS)) out[size - 1] = 0;
  object_write_pages(type, seq, out, seq->length / 8 + (seq->length % 8 != 0));
  if (spc__ssz_has(type, SPC__SSZ_GROWS)) out[size - 1] |= (uint8_t)(1u << (seq->length % 8));
  return true;
}

static bool object_write_children(const spc_ssz_type *type, const spc__ssz_seq *seq, uint8_t *out,
                                  uint64_t size) {
  const spc_ssz_type *element = spc__ssz_element(type);
  bool fixed = spc__ssz_has(element, SPC__SSZ_FIXED);
  uint64_t at = fixed ? 0 : SPC__SSZ_OFFSET_BYTES * seq->length;
  if (!fixed && size > UINT32_MAX) return false;
  uint8_t *offset = out;
  for (uint32_t slot = 0; slot < seq->slots; slot++) {
    object_items items = object_open_slot(type, seq, seq->length, slot);
    while (items.next < items.count) {
      void *child = object_next_item(&items);
      uint64_t own = spc__ssz_object_size(element, child);
      if (!fixed) {
        spc__store32_le(offset, (uint32_t)at);
        offset += SPC__SSZ_OFFSET_BYTES;
      }
      if (!spc__ssz_object_write(element, child, out + at, own)) return false;
      at += own;
    }
  }
  return true;
}

static bool object_write_record(const spc_ssz_type *type, const spc__ssz_record *record,
                                uint8_t *out, uint64_t size) {
  if (type->child_count == 0) {
    memcpy(out, record->data, type->flat_bytes);
    return true;
  }
  uint64_t at = type->fixed_part;
  if (type->first_variable < type->member_count && size > UINT32_MAX) return false;
  for (uint32_t i = 0; i < type->member_count; i++) {
    const spc__ssz_member *member = &spc__ssz_members(type)[i];
    const spc_ssz_type *field = spc__ssz_member_type(member);
    if (spc__ssz_has(field, SPC__SSZ_FLAT)) {
      memcpy(out + member->wire, record->data + member->data, (size_t)field->fixed_size);
      continue;
    }
    void *child = spc__ssz_record_child(record, member);
    uint64_t own = spc__ssz_object_size(field, child);
    uint8_t *to = out + member->wire;
    if (!spc__ssz_has(field, SPC__SSZ_FIXED)) {
      spc__store32_le(to, (uint32_t)at);
      to = out + at;
      at += own;
    }
    if (!spc__ssz_object_write(field, child, to, own)) return false;
  }
  return true;
}

bool spc__ssz_object_write(const spc_ssz_type *type, void *object, uint8_t *out, uint64_t size) {
  if (spc__ssz_is_sequence(type)) {
    const spc__ssz_seq *seq = (const spc__ssz_seq *)object;
    if (spc__ssz_has(type, SPC__SSZ_BITS)) return object_write_bits(type, seq, out, size);
    return type->leaf_bytes != 0 ? object_write_pages(type, seq, out, size)
                                 : object_write_children(type, seq, out, size);
  }
  if (!spc__ssz_is_union(type))
    return object_write_record(type, (const spc__ssz_record *)object, out, size);
  const spc__ssz_union *u = (const spc__ssz_union *)object;
  out[0] = (uint8_t)u->selector;
  if (u->child == NULL) return true;
  const spc__ssz_member *option = spc__ssz_option(type, (unsigned)u->selector);
  return spc__ssz_object_write(spc__ssz_member_type(option), u->child, out + 1, size - 1);
}

/* ---- To parts ---- */

static spc_status object_flat_step(spc__ssz_part *part, uint64_t step) {
  const spc_ssz_type *type = part->type;
  if (spc__ssz_is_container(type)) {
    if (step >= type->member_count) return SPC_OUT_OF_RANGE;
    const spc__ssz_member *member = &spc__ssz_members(type)[step];
    part->type = spc__ssz_member_type(member);
    part->bytes += member->wire;
    return SPC_OK;
  }
  if (type->kind == SPC_SSZ_BITVECTOR) return SPC_INVALID_ARGUMENT;
  if (type->kind != SPC_SSZ_VECTOR || step >= type->limit) return SPC_OUT_OF_RANGE;
  part->type = spc__ssz_element(type);
  part->bytes += step * part->type->fixed_size;
  return SPC_OK;
}

static spc_status object_seq_step(spc__ssz_part *part, uint64_t step) {
  const spc_ssz_type *type = part->type;
  const spc__ssz_seq *seq = (const spc__ssz_seq *)part->object;
  if (spc__ssz_has(type, SPC__SSZ_BITS)) return SPC_INVALID_ARGUMENT;
  if (step >= seq->length) return SPC_OUT_OF_RANGE;
  part->type = spc__ssz_element(type);
  if (type->leaf_bytes == 0) {
    spc__ssz_place place = spc__ssz_locate_leaf(type, step);
    part->object = spc__ssz_seq_item(type, seq, seq->length, &place);
    return SPC_OK;
  }
  uint32_t room;
  part->object = NULL;
  if (spc__ssz_has(type, SPC__SSZ_PACKED)) {
    uint64_t at = step * part->type->fixed_size;
    part->bytes = spc__ssz_seq_leaf(type, seq, at / 32, &room) + at % 32;
  } else {
    part->bytes = spc__ssz_seq_leaf(type, seq, step, &room);
  }
  return SPC_OK;
}

static spc_status object_record_step(spc__ssz_part *part, uint64_t step) {
  const spc__ssz_record *record = (const spc__ssz_record *)part->object;
  if (step >= part->type->member_count) return SPC_OUT_OF_RANGE;
  const spc__ssz_member *member = &spc__ssz_members(part->type)[step];
  part->type = spc__ssz_member_type(member);
  if (spc__ssz_has(part->type, SPC__SSZ_FLAT)) {
    part->object = NULL;
    part->bytes = record->data + member->data;
  } else {
    part->object = spc__ssz_record_child(record, member);
  }
  return SPC_OK;
}

spc_status spc__ssz_part_step(spc__ssz_part *part, uint64_t step) {
  if (part->object == NULL) return object_flat_step(part, step);
  if (spc__ssz_is_sequence(part->type)) return object_seq_step(part, step);
  if (!spc__ssz_is_union(part->type)) return object_record_step(part, step);
  const spc__ssz_union *u = (const spc__ssz_union *)part->object;
  if ((step != SPC_SSZ_STEP_DATA && step != u->selector) || u->child == NULL)
    return SPC_OUT_OF_RANGE;
  part->type = spc__ssz_member_type(spc__ssz_option(part->type, (unsigned)u->selector));
  part->object = u->child;
  return SPC_OK;
}

/* ---- Changing parts ---- */

/* As tree_keep_hashes, for records: a record that is changed again keeps the circuit's results. */
static void object_keep_results(spc_ssz_pool *pool, const spc_ssz_type *type,
                                spc__ssz_record *record) {
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(type);
  if (record->head.hashed != SPC__SSZ_HASHED || record->head.inner.heap != NULL) return;
  if (record->head.hot && circuit->op_count != 0) {
    uint8_t *heap = spc__ssz_alloc(pool, 32 * (size_t)circuit->op_count);
    if (heap != NULL)
      spc__ssz_circuit_results(spc__ssz_pool_work(pool), circuit, record->data, heap);
    record->head.inner.heap = heap;
  }
  record->head.hot = 1;
}

static spc__ssz_record *object_record_own(spc_ssz_pool *pool, const spc_ssz_type *type,
                                          void **slot) {
  spc__ssz_record *record = (spc__ssz_record *)*slot;
  bool was_hashed = record->head.hashed == SPC__SSZ_HASHED;
  if (record->head.references > 1) {
    object_keep_results(pool, type, record);
    spc__ssz_record *copy = spc__ssz_alloc(pool, sizeof *copy + type->record_bytes);
    if (copy == NULL) return NULL;
    memcpy(copy, record, sizeof *copy + type->record_bytes);
    copy->head.references = 1;
    if (record->head.inner.heap != NULL) {
      size_t size = 32 * (size_t)spc__ssz_type_circuit(type)->op_count;
      copy->head.inner.heap = spc__ssz_alloc(pool, size);
      if (copy->head.inner.heap != NULL)
        memcpy(copy->head.inner.heap, record->head.inner.heap, size);
    }
    for (uint32_t i = 0; i < type->member_count && type->child_count != 0; i++) {
      const spc__ssz_member *member = &spc__ssz_members(type)[i];
      if (!spc__ssz_has(spc__ssz_member_type(member), SPC__SSZ_FLAT))
        spc__ssz_retain(spc__ssz_record_child(record, member));
    }
    record->head.references--;
    *slot = record = copy;
  }
  if (was_hashed) record->head.hot = 1;
  record->head.hashed = SPC__SSZ_COLD;
  return record;
}

static spc__ssz_union *object_union_own(spc_ssz_pool *pool, void **slot) {
  spc__ssz_union *u = (spc__ssz_union *)*slot;
  if (u->head.references > 1) {
    spc__ssz_union *copy = spc__ssz_alloc(pool, sizeof *copy);
    if (copy == NULL) return NULL;
    *copy = *u;
    copy->head.references = 1;
    if (u->child != NULL) spc__ssz_retain(u->child);
    u->head.references--;
    *slot = u = copy;
  }
  u->head.hashed = SPC__SSZ_COLD;
  return u;
}

static bool object_spot_record(spc_ssz_pool *pool, spc__ssz_spot *spot, uint64_t step,
                               bool resizes) {
  const spc_ssz_type *type = spot->type;
  spc__ssz_record *record = object_record_own(pool, type, spot->slot);
  if (record == NULL) return false;
  const spc__ssz_member *member = &spc__ssz_members(type)[step];
  record->head.dirty |= UINT64_C(1) << (step >> type->dirty_shift);
  if (resizes) record->head.size = 0;
  spot->type = spc__ssz_member_type(member);
  bool flat = spc__ssz_has(spot->type, SPC__SSZ_FLAT);
  spot->bytes = flat ? record->data + member->data : NULL;
  spot->slot = flat ? NULL : (void **)(void *)(record->data + member->data);
  return true;
}

static bool object_spot_seq(spc_ssz_pool *pool, spc__ssz_spot *spot, uint64_t step, bool resizes) {
  const spc_ssz_type *type = spot->type;
  spc__ssz_seq *seq = spc__ssz_seq_own(pool, type, spot->slot);
  if (seq == NULL) return false;
  if (resizes) seq->head.size = 0;
  spot->type = spc__ssz_element(type);
  uint64_t leaves = spc__ssz_leaves(type, seq->length), leaf = step, inside = 0;
  if (spc__ssz_has(type, SPC__SSZ_PACKED)) {
    leaf = step * spot->type->fixed_size / 32;
    inside = step * spot->type->fixed_size % 32;
  }
  spc__ssz_place place = spc__ssz_locate_leaf(type, leaf);
  void **item = spc__ssz_seq_item_slot(pool, type, seq, leaves, &place);
  if (item == NULL) return false;
  spot->slot = item;
  if (type->leaf_bytes == 0) return true;
  spc__ssz_page *page =
      spc__ssz_page_own(pool, type, item, 0, spc__ssz_is_head_slot(type, place.slot));
  if (page == NULL) return false;
  page->head.dirty |= UINT64_C(1) << place.leaf;
  spot->slot = NULL;
  spot->bytes = page->data + (size_t)place.leaf * type->leaf_bytes + inside;
  return true;
}

static bool object_spot_step(spc_ssz_pool *pool, spc__ssz_spot *spot, uint64_t step, bool resizes) {
  if (spot->slot == NULL) {
    spc__ssz_part part = {spot->type, NULL, spot->bytes};
    object_flat_step(&part, step);
    spot->bytes += part.bytes - spot->bytes;
    spot->type = part.type;
    return true;
  }
  if (spc__ssz_is_sequence(spot->type)) return object_spot_seq(pool, spot, step, resizes);
  if (!spc__ssz_is_union(spot->type)) return object_spot_record(pool, spot, step, resizes);
  spc__ssz_union *u = object_union_own(pool, spot->slot);
  if (u == NULL) return false;
  if (resizes) u->head.size = 0;
  spot->type = spc__ssz_member_type(spc__ssz_option(spot->type, (unsigned)u->selector));
  spot->slot = &u->child;
  return true;
}

bool spc__ssz_spot_walk(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot,
                        const uint64_t *path, size_t steps, bool resizes, spc__ssz_spot *spot) {
  *spot = (spc__ssz_spot){type, slot, NULL};
  for (size_t i = 0; i < steps; i++)
    if (!object_spot_step(pool, spot, path[i], resizes)) return false;
  return true;
}
