/*
 * Radix trees of pages and objects: making, dropping, copy-on-write. Recursion follows the height
 * (at most SPC__SSZ_MAX_HEIGHT) and the type, never the amount of data. What can fail for want of
 * memory comes before the first change, or only makes private copies of unchanged parts.
 */
#include "ssz/tree.h"

#include <string.h>

_Static_assert(offsetof(spc__ssz_head, root) == 32, "node hashes are numbered from the root");
_Static_assert(offsetof(spc__ssz_node, hashes) == 64, "node hashes are contiguous");

/* ---- Making ---- */

static uint32_t tree_full_page(const spc_ssz_type *type, bool head) {
  return head ? type->head_leaves * type->leaf_bytes : type->page_bytes;
}

static size_t tree_page_size(const spc_ssz_type *type, uint64_t capacity, bool head) {
  return sizeof(spc__ssz_page) + (size_t)capacity + (head ? 32u * type->head_trees : 0u);
}

/* Capacities are whole pairs of chunks, so that hashing may read the zeros behind an odd one. */
static uint32_t tree_capacity(const spc_ssz_type *type, uint32_t leaves, uint32_t at_least,
                              bool head) {
  uint32_t full = tree_full_page(type, head), needed = leaves * type->leaf_bytes;
  if (needed < at_least) needed = at_least;
  needed = (needed + 63u) & ~63u;
  return needed < full ? needed : full;
}

static uint64_t tree_all_dirty(uint32_t leaves) {
  return leaves >= 64 ? UINT64_MAX : (UINT64_C(1) << leaves) - 1;
}

static spc__ssz_page *tree_page(spc_ssz_pool *pool, const spc_ssz_type *type, uint32_t leaves,
                                uint32_t capacity, bool head) {
  spc__ssz_page *page = spc__ssz_alloc(pool, tree_page_size(type, capacity, head));
  if (page == NULL) return NULL;
  spc__ssz_head_init(&page->head, leaves, tree_all_dirty(leaves), capacity);
  uint32_t used = leaves * type->leaf_bytes;
  if (used < capacity) memset(page->data + used, 0, capacity - used);
  return page;
}

spc__ssz_page *spc__ssz_page_new(spc_ssz_pool *pool, const spc_ssz_type *type, uint32_t leaves,
                                 bool head) {
  return tree_page(pool, type, leaves, tree_capacity(type, leaves, 0, head), head);
}

static spc__ssz_node *tree_node(spc_ssz_pool *pool, uint16_t count) {
  spc__ssz_node *node = spc__ssz_alloc(pool, sizeof *node);
  if (node != NULL) spc__ssz_head_init(&node->head, count, tree_all_dirty(count), 0);
  return node;
}

spc__ssz_seq *spc__ssz_seq_new(spc_ssz_pool *pool, const spc_ssz_type *type, uint64_t length,
                               uint32_t slots) {
  spc__ssz_seq *seq = spc__ssz_alloc(pool, spc__ssz_seq_bytes(type, slots));
  if (seq == NULL) return NULL;
  spc__ssz_head_init(&seq->head, 0, 0, 0);
  seq->length = length;
  seq->slots = slots;
  seq->spine_dirty = spc__ssz_spine_length(type, slots);
  for (uint32_t i = 0; i < slots; i++)
    seq->tree[i] = NULL;
  return seq;
}

spc__ssz_tree_builder spc__ssz_tree_build(spc_ssz_pool *pool, void **root, uint64_t items) {
  spc__ssz_tree_builder builder = {.pool = pool, .height = spc__ssz_height(items), .root = root};
  *root = NULL;
  return builder;
}

static void tree_attach(spc__ssz_node *parent, void *child) {
  parent->head.dirty |= UINT64_C(1) << parent->head.count;
  parent->child[parent->head.count++] = child;
}

bool spc__ssz_tree_add(spc__ssz_tree_builder *self, void *item) {
  if (self->height == 0) {
    *self->root = item;
    return true;
  }
  unsigned fresh = 0; /* nodes of height 1 to fresh begin with this item */
  while (fresh < self->height && (self->count >> (SPC__SSZ_FAN_BITS * fresh) & 15) == 0)
    fresh++;
  for (unsigned h = fresh; h != 0; h--) {
    spc__ssz_node *node = tree_node(self->pool, 0);
    if (node == NULL) return false;
    self->path[h] = node;
    if (h == self->height)
      *self->root = node;
    else
      tree_attach(self->path[h + 1], node);
  }
  tree_attach(self->path[1], item);
  self->count++;
  return true;
}

void *spc__ssz_tree_fill(spc_ssz_pool *pool, const spc_ssz_type *type, void *item, void *last,
                         uint64_t items) {
  unsigned height = 0;
  while (items > 1) {
    uint64_t groups = (items + SPC__SSZ_FAN - 1) / SPC__SSZ_FAN;
    uint16_t rest = (uint16_t)(items - (groups - 1) * SPC__SSZ_FAN);
    spc__ssz_node *end = tree_node(pool, rest);
    spc__ssz_node *full = groups > 1 ? tree_node(pool, SPC__SSZ_FAN) : NULL;
    if (end == NULL || (groups > 1 && full == NULL)) {
      if (end != NULL) spc__ssz_free(pool, end, sizeof *end);
      if (full != NULL) spc__ssz_free(pool, full, sizeof *full);
      spc__ssz_tree_drop(pool, type, item, height, false);
      spc__ssz_tree_drop(pool, type, last, height, false);
      return NULL;
    }
    for (unsigned i = 0; i + 1u < rest; i++)
      end->child[i] = spc__ssz_retain(item);
    end->child[rest - 1] = last;
    for (unsigned i = 0; full != NULL && i < SPC__SSZ_FAN; i++)
      full->child[i] = spc__ssz_retain(item);
    spc__ssz_tree_drop(pool, type, item, height, false);
    item = full;
    last = end;
    items = groups;
    height++;
  }
  spc__ssz_tree_drop(pool, type, item, height, false);
  return last;
}

/* ---- Dropping ---- */

static bool tree_unref(void *item) {
  return --((spc__ssz_head *)item)->references == 0;
}

static void tree_page_free(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_page *page,
                           bool head) {
  if (page->head.inner.heap != NULL)
    spc__ssz_free(pool, page->head.inner.heap, spc__ssz_page_heap_bytes(type));
  spc__ssz_free(pool, page, tree_page_size(type, page->head.size, head));
}

void spc__ssz_tree_drop(spc_ssz_pool *pool, const spc_ssz_type *type, void *item, unsigned height,
                        bool head) {
  if (item == NULL) return;
  if (height == 0 && type->leaf_bytes == 0) {
    spc__ssz_object_drop(pool, spc__ssz_element(type), item);
    return;
  }
  if (!tree_unref(item)) return;
  if (height == 0) {
    tree_page_free(pool, type, (spc__ssz_page *)item, head);
    return;
  }
  spc__ssz_node *node = (spc__ssz_node *)item;
  for (unsigned i = 0; i < node->head.count; i++)
    spc__ssz_tree_drop(pool, type, node->child[i], height - 1, false);
  spc__ssz_free(pool, node, sizeof *node);
}

static unsigned tree_slot_height(const spc_ssz_type *type, uint64_t leaves, uint32_t slot) {
  if (spc__ssz_is_head_slot(type, slot)) return 0;
  return spc__ssz_height(spc__ssz_items(type, spc__ssz_slot_leaves(type, leaves, slot)));
}

static void tree_slot_drop(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_seq *seq,
                           uint64_t leaves, uint32_t slot) {
  spc__ssz_tree_drop(pool, type, seq->tree[slot], tree_slot_height(type, leaves, slot),
                     spc__ssz_is_head_slot(type, slot));
}

static void tree_seq_drop(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_seq *seq) {
  uint64_t leaves = spc__ssz_leaves(type, seq->length);
  for (uint32_t i = 0; i < seq->slots; i++)
    tree_slot_drop(pool, type, seq, leaves, i);
  spc__ssz_free(pool, seq, spc__ssz_seq_bytes(type, seq->slots));
}

static void tree_record_drop(spc_ssz_pool *pool, const spc_ssz_type *type,
                             spc__ssz_record *record) {
  for (uint32_t i = 0; i < type->member_count && type->child_count != 0; i++) {
    const spc__ssz_member *member = &spc__ssz_members(type)[i];
    const spc_ssz_type *field = spc__ssz_member_type(member);
    void *child;
    if (spc__ssz_has(field, SPC__SSZ_FLAT)) continue;
    memcpy(&child, record->data + member->data, sizeof child);
    spc__ssz_object_drop(pool, field, child);
  }
  if (record->head.inner.heap != NULL)
    spc__ssz_free(pool, record->head.inner.heap,
                  32 * (size_t)spc__ssz_type_circuit(type)->op_count);
  spc__ssz_free(pool, record, sizeof *record + type->record_bytes);
}

void spc__ssz_object_drop(spc_ssz_pool *pool, const spc_ssz_type *type, void *object) {
  if (object == NULL || !tree_unref(object)) return;
  if (spc__ssz_is_sequence(type)) {
    tree_seq_drop(pool, type, (spc__ssz_seq *)object);
  } else if (spc__ssz_is_union(type)) {
    spc__ssz_union *u = (spc__ssz_union *)object;
    if (u->child != NULL) {
      const spc__ssz_member *option = spc__ssz_option(type, (unsigned)u->selector);
      spc__ssz_object_drop(pool, spc__ssz_member_type(option), u->child);
    }
    spc__ssz_free(pool, u, sizeof *u);
  } else {
    tree_record_drop(pool, type, (spc__ssz_record *)object);
  }
}

/* ---- Changing ---- */

spc__ssz_seq *spc__ssz_seq_own(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot) {
  spc__ssz_seq *seq = (spc__ssz_seq *)*slot;
  if (seq->head.references > 1) {
    size_t size = spc__ssz_seq_bytes(type, seq->slots);
    spc__ssz_seq *copy = spc__ssz_alloc(pool, size);
    if (copy == NULL) return NULL;
    memcpy(copy, seq, size);
    copy->head.references = 1;
    for (uint32_t i = 0; i < seq->slots; i++)
      spc__ssz_retain(seq->tree[i]);
    seq->head.references--;
    *slot = seq = copy;
  }
  seq->head.hashed = SPC__SSZ_COLD;
  return seq;
}

static spc__ssz_node *tree_node_own(spc_ssz_pool *pool, void **slot) {
  spc__ssz_node *node = (spc__ssz_node *)*slot;
  if (node->head.references > 1) {
    spc__ssz_node *copy = spc__ssz_alloc(pool, sizeof *copy);
    if (copy == NULL) return NULL;
    memcpy(copy, node, sizeof *copy);
    copy->head.references = 1;
    for (unsigned i = 0; i < node->head.count; i++)
      spc__ssz_retain(node->child[i]);
    node->head.references--;
    *slot = node = copy;
  }
  node->head.hashed = SPC__SSZ_COLD;
  return node;
}

static void **tree_walk_own(spc_ssz_pool *pool, void **slot, unsigned height, unsigned stop,
                            uint64_t index) {
  for (; height > stop; height--) {
    spc__ssz_node *node = tree_node_own(pool, slot);
    if (node == NULL) return NULL;
    unsigned i = (unsigned)(index >> (SPC__SSZ_FAN_BITS * (height - 1))) & (SPC__SSZ_FAN - 1);
    node->head.dirty |= UINT64_C(1) << i;
    slot = &node->child[i];
  }
  return slot;
}

static void tree_touch_spine(spc__ssz_seq *seq, const spc_ssz_type *type,
                             const spc__ssz_place *place) {
  if (!spc__ssz_is_progressive(type)) return;
  /* A run that begins in the head page may go on into its other subtrees. */
  uint32_t first = spc__ssz_is_head_slot(type, place->slot) ? type->head_trees : place->subtree + 1;
  if (seq->spine_dirty < first) seq->spine_dirty = first;
}

void **spc__ssz_seq_item_slot(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_seq *seq,
                              uint64_t leaves, const spc__ssz_place *place) {
  tree_touch_spine(seq, type, place);
  return tree_walk_own(pool, &seq->tree[place->slot], tree_slot_height(type, leaves, place->slot),
                       0, place->item);
}

/* A page that is changed again and again after it was hashed keeps its inner hashes. */
static void tree_keep_hashes(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_page *page,
                             bool head) {
  if (page->head.hashed != SPC__SSZ_HASHED || page->head.inner.heap != NULL || head) return;
  if (page->head.size != type->page_bytes || type->page_depth == 0) return;
  if (page->head.hot) spc__ssz_page_heap(pool, type, page);
  page->head.hot = 1;
}

static spc__ssz_page *tree_page_copy(spc_ssz_pool *pool, const spc_ssz_type *type,
                                     const spc__ssz_page *page, uint32_t capacity, bool head) {
  spc__ssz_page *copy = spc__ssz_alloc(pool, tree_page_size(type, capacity, head));
  if (copy == NULL) return NULL;
  size_t size = (size_t)page->head.size;
  memcpy(copy, page, sizeof *page + size);
  memset(copy->data + size, 0, capacity - size);
  copy->head.references = 1;
  copy->head.size = capacity;
  copy->head.inner.heap = NULL;
  if (page->head.hashed == SPC__SSZ_HASHED) copy->head.hot = 1;
  if (page->head.inner.heap == NULL) return copy;
  copy->head.inner.heap = spc__ssz_alloc(pool, spc__ssz_page_heap_bytes(type));
  if (copy->head.inner.heap != NULL)
    memcpy(copy->head.inner.heap, page->head.inner.heap, spc__ssz_page_heap_bytes(type));
  return copy;
}

spc__ssz_page *spc__ssz_page_own(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot,
                                 uint32_t leaves, bool head) {
  spc__ssz_page *page = (spc__ssz_page *)*slot;
  uint32_t capacity = (uint32_t)page->head.size;
  if (leaves * type->leaf_bytes > capacity)
    capacity = tree_capacity(type, leaves, 2 * capacity, head);
  if (page->head.references > 1 || capacity != page->head.size) {
    bool shared = page->head.references > 1;
    if (shared) tree_keep_hashes(pool, type, page, head);
    spc__ssz_page *copy = tree_page_copy(pool, type, page, capacity, head);
    if (copy == NULL) return NULL;
    if (shared)
      page->head.references--;
    else
      tree_page_free(pool, type, page, head);
    *slot = page = copy;
  } else if (page->head.hashed == SPC__SSZ_HASHED) {
    page->head.hot = 1;
  }
  page->head.hashed = SPC__SSZ_COLD;
  return page;
}

/* Nodes of height 1 to `length`, each with one child, above `item`; NULL: memory is out. */
static void *tree_chain(spc_ssz_pool *pool, void *item, unsigned length) {
  void *top = item;
  for (unsigned h = 0; h < length; h++) {
    spc__ssz_node *node = tree_node(pool, 0);
    if (node == NULL) {
      while (top != item) {
        spc__ssz_node *below = (spc__ssz_node *)top;
        top = below->child[0];
        spc__ssz_free(pool, below, sizeof *below);
      }
      return NULL;
    }
    tree_attach(node, top);
    top = node;
  }
  return top;
}

/* Adds item number `items` (not 0); takes over its reference unless memory is out. */
static bool tree_push(spc_ssz_pool *pool, void **root, uint64_t items, void *item) {
  unsigned height = spc__ssz_height(items), length = 0;
  while ((items >> (SPC__SSZ_FAN_BITS * length) & 15) == 0)
    length++;
  bool grows = spc__ssz_height(items + 1) > height;
  void **slot = root;
  if (!grows) slot = tree_walk_own(pool, root, height, length + 1, items);
  if (slot == NULL) return false;
  spc__ssz_node *node = grows ? tree_node(pool, 0) : tree_node_own(pool, slot);
  if (node == NULL) return false;
  void *chain = tree_chain(pool, item, length);
  if (chain == NULL) {
    if (grows) spc__ssz_free(pool, node, sizeof *node);
    return false;
  }
  if (grows) {
    tree_attach(node, *root);
    *root = node;
  }
  tree_attach(node, chain);
  return true;
}

/* An object for the same trees with another number of slots; new ones are empty. */
static spc__ssz_seq *tree_resize_seq(spc_ssz_pool *pool, const spc_ssz_type *type,
                                     const spc__ssz_seq *seq, uint32_t slots) {
  spc__ssz_seq *sized = spc__ssz_seq_new(pool, type, seq->length, slots);
  if (sized == NULL) return NULL;
  uint32_t kept = slots < seq->slots ? slots : seq->slots;
  for (uint32_t i = 0; i < kept; i++)
    sized->tree[i] = seq->tree[i];
  return sized;
}

void *spc__ssz_seq_push(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot, uint64_t leaves,
                        uint32_t run, void *child) {
  spc__ssz_seq *seq = (spc__ssz_seq *)*slot;
  spc__ssz_place place = spc__ssz_locate_leaf(type, leaves);
  bool head = spc__ssz_is_head_slot(type, place.slot), fresh = place.slot >= seq->slots;
  if (!fresh && place.leaf != 0) { /* into the last page */
    void **last = spc__ssz_seq_item_slot(pool, type, seq, leaves, &place);
    spc__ssz_page *page =
        last == NULL ? NULL : spc__ssz_page_own(pool, type, last, place.leaf + run, head);
    if (page == NULL) return NULL;
    page->head.count = (uint16_t)(place.leaf + run);
    page->head.dirty |= tree_all_dirty(run) << place.leaf;
    return page;
  }
  void *item = child;
  if (child == NULL) {
    spc__ssz_page *page = spc__ssz_page_new(pool, type, run, head);
    if (page == NULL) return NULL;
    memset(page->data, 0, (size_t)run * type->leaf_bytes);
    item = page;
  }
  bool done;
  if (fresh) {
    spc__ssz_seq *sized = tree_resize_seq(pool, type, seq, place.slot + 1);
    done = sized != NULL;
    if (done) {
      spc__ssz_free(pool, seq, spc__ssz_seq_bytes(type, seq->slots));
      sized->tree[place.slot] = item;
      *slot = sized;
    }
  } else {
    tree_touch_spine(seq, type, &place);
    uint64_t own = spc__ssz_slot_leaves(type, leaves, place.slot);
    done = tree_push(pool, &seq->tree[place.slot], spc__ssz_items(type, own), item);
  }
  if (!done && child == NULL) tree_page_free(pool, type, (spc__ssz_page *)item, head);
  return done ? item : NULL;
}

/* Drops what follows item `last` in a tree of `height`; the path to it is the caller's own. */
static void tree_trim(spc_ssz_pool *pool, const spc_ssz_type *type, void **root, unsigned height,
                      uint64_t last) {
  spc__ssz_node *node = (spc__ssz_node *)*root;
  for (unsigned h = height; h != 0; h--) {
    unsigned keep = (unsigned)(last >> (SPC__SSZ_FAN_BITS * (h - 1))) & (SPC__SSZ_FAN - 1);
    for (unsigned i = keep + 1; i < node->head.count; i++)
      spc__ssz_tree_drop(pool, type, node->child[i], h - 1, false);
    node->head.count = (uint16_t)(keep + 1);
    node = (spc__ssz_node *)node->child[keep];
  }
  for (; height > spc__ssz_height(last + 1); height--) {
    spc__ssz_node *top = (spc__ssz_node *)*root;
    *root = top->child[0];
    spc__ssz_free(pool, top, sizeof *top);
  }
}

/* Makes leaf `place` the last one of its page. */
static bool tree_cut_page(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot,
                          const spc__ssz_place *place) {
  bool head = spc__ssz_is_head_slot(type, place->slot);
  spc__ssz_page *page = spc__ssz_page_own(pool, type, slot, 0, head);
  if (page == NULL) return false;
  uint32_t used = (place->leaf + 1) * type->leaf_bytes;
  memset(page->data + used, 0, (size_t)page->head.size - used);
  page->head.count = (uint16_t)(place->leaf + 1);
  page->head.dirty = tree_all_dirty(place->leaf + 1);
  page->head.hot = 0;
  if (page->head.inner.heap != NULL)
    spc__ssz_free(pool, page->head.inner.heap, spc__ssz_page_heap_bytes(type));
  page->head.inner.heap = NULL;
  return true;
}

bool spc__ssz_seq_cut(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot, uint64_t leaves,
                      uint64_t kept) {
  spc__ssz_seq *seq = (spc__ssz_seq *)*slot, *sized = seq;
  uint32_t slots = spc__ssz_slots(type, kept);
  /* A copy of the item slots is not needed: the last item is the same in both objects. */
  if (kept != 0) {
    spc__ssz_place place = spc__ssz_locate_leaf(type, kept - 1);
    void **item = spc__ssz_seq_item_slot(pool, type, seq, leaves, &place);
    if (item == NULL) return false;
    if (slots != seq->slots && (sized = tree_resize_seq(pool, type, seq, slots)) == NULL)
      return false;
    if (type->leaf_bytes != 0) {
      /* The slot may lie in the object itself, of which there are two now. */
      bool inside = item == &seq->tree[place.slot];
      if (inside) item = &sized->tree[place.slot];
      if (!tree_cut_page(pool, type, item, &place)) {
        if (sized != seq) spc__ssz_free(pool, sized, spc__ssz_seq_bytes(type, slots));
        return false;
      }
    }
    if (!spc__ssz_is_head_slot(type, place.slot))
      tree_trim(pool, type, &sized->tree[place.slot], tree_slot_height(type, leaves, place.slot),
                place.item);
  } else if (slots != seq->slots && (sized = tree_resize_seq(pool, type, seq, slots)) == NULL) {
    return false;
  }
  for (uint32_t i = slots; i < seq->slots; i++)
    tree_slot_drop(pool, type, seq, leaves, i);
  if (sized != seq) spc__ssz_free(pool, seq, spc__ssz_seq_bytes(type, seq->slots));
  sized->spine_dirty = spc__ssz_spine_length(type, slots);
  *slot = sized;
  return true;
}
