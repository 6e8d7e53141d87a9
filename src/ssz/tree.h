/*
 * The objects that values are made of, and radix trees of them.
 *
 * Everything begins with a spc__ssz_head and is reference counted. A tree of height 0 is one item
 * (a page, or the object of an element), of height h a node with up to 16 trees of height h - 1,
 * all but the last full. The height follows from the number of items: it is never more than needed.
 * Invariants: a head that is HASHED has the right root, and so has everything below it; in one that
 * is not, `dirty` covers all children, leaves or fields that changed. What is shared
 * (references > 1) is never changed, except for its caches.
 */
#ifndef SPC_SSZ_TREE_H
#define SPC_SSZ_TREE_H

#include "ssz/pool.h"

#define SPC__SSZ_COLD       0u
#define SPC__SSZ_QUEUED     1u /* on the list of a running root computation */
#define SPC__SSZ_HASHED     2u
#define SPC__SSZ_FAN_BITS   4u
#define SPC__SSZ_FAN        16u
#define SPC__SSZ_MAX_HEIGHT 16u

/* A run of leaves as flat bytes. head.count leaves are in use; head.size is the capacity in bytes;
 * what lies between is zero. The head page of a progressive sequence has the roots of its subtrees
 * behind the capacity. */
typedef struct spc__ssz_page {
  spc__ssz_head head;
  uint8_t data[];
} spc__ssz_page;

/* Inner hash i (1 to 15, 1 the root) is at (uint8_t *)node + 32 i. */
typedef struct spc__ssz_node {
  spc__ssz_head head;
  uint8_t hashes[14][32];
  void *child[SPC__SSZ_FAN];
} spc__ssz_node;

/* A sequence: one tree, or for a progressive one the head page and a tree for each larger subtree;
 * then, progressive, spine[j], the root of the chain from subtree j on. */
typedef struct spc__ssz_seq {
  spc__ssz_head head;
  uint64_t length;
  uint32_t slots;
  uint32_t spine_dirty; /* spine[j] is wrong for j below this */
  void *tree[];
} spc__ssz_seq;

/* Flat bytes, then pointers of children. head.inner.heap: results of the circuit, or NULL. */
typedef struct spc__ssz_record {
  spc__ssz_head head;
  uint8_t data[];
} spc__ssz_record;

typedef struct spc__ssz_union {
  spc__ssz_head head;
  uint64_t selector;
  void *child; /* NULL for None */
} spc__ssz_union;

static inline uint8_t *spc__ssz_node_hash(spc__ssz_node *node, unsigned i) {
  return (uint8_t *)node + 32 * i;
}

static inline unsigned spc__ssz_height(uint64_t items) {
  return items <= 1 ? 0 : (67u - (unsigned)__builtin_clzll(items - 1)) / SPC__SSZ_FAN_BITS;
}

static inline void *spc__ssz_tree_get(void *item, unsigned height, uint64_t index) {
  for (; height != 0; height--)
    item = ((spc__ssz_node *)item)
               ->child[(index >> (SPC__SSZ_FAN_BITS * (height - 1))) & (SPC__SSZ_FAN - 1)];
  return item;
}

static inline void *spc__ssz_retain(void *item) {
  ((spc__ssz_head *)item)->references++;
  return item;
}

/* Where leaf `leaf` of a sequence is. */
typedef struct spc__ssz_place {
  uint32_t slot;    /* of seq->tree */
  uint32_t subtree; /* progressive: number of the subtree; head page: that of the leaf */
  uint64_t item;    /* index in the tree */
  uint32_t leaf;    /* index in the page */
  uint32_t room;    /* leaves from here to the end of a full page */
} spc__ssz_place;

static inline spc__ssz_place spc__ssz_locate_leaf(const spc_ssz_type *type, uint64_t leaf) {
  spc__ssz_place place = {0, 0, 0, 0, 0};
  uint32_t width = 1u << type->page_depth;
  if (spc__ssz_is_progressive(type)) {
    place.subtree = spc__ssz_subtree_of(leaf);
    if (place.subtree < type->head_trees) {
      place.leaf = (uint32_t)leaf;
      place.room = type->head_leaves - place.leaf;
      return place;
    }
    place.slot = place.subtree - type->head_trees + (type->head_trees != 0);
    leaf -= spc__ssz_leaves_before(place.subtree);
  }
  place.item = leaf >> type->page_depth;
  place.leaf = (uint32_t)leaf & (width - 1);
  place.room = width - place.leaf;
  return place;
}

/* Whether the slot is a head page. */
static inline bool spc__ssz_is_head_slot(const spc_ssz_type *type, uint32_t slot) {
  return slot == 0 && type->head_trees != 0;
}

/* Leaves in slot `slot` of a sequence that has `leaves` in all. */
static inline uint64_t spc__ssz_slot_leaves(const spc_ssz_type *type, uint64_t leaves,
                                            uint32_t slot) {
  if (!spc__ssz_is_progressive(type)) return leaves;
  if (spc__ssz_is_head_slot(type, slot))
    return leaves < type->head_leaves ? leaves : type->head_leaves;
  uint32_t j = type->head_trees + slot - (type->head_trees != 0);
  uint64_t left = leaves - spc__ssz_leaves_before(j), most = UINT64_C(1) << (2 * j);
  return left < most ? left : most;
}

/* Items (pages or objects) that this many leaves of one slot need. */
static inline uint64_t spc__ssz_items(const spc_ssz_type *type, uint64_t leaves) {
  return (leaves + (UINT64_C(1) << type->page_depth) - 1) >> type->page_depth;
}

/* The item with a leaf, in a sequence of `leaves` leaves. */
static inline void *spc__ssz_seq_item(const spc_ssz_type *type, const spc__ssz_seq *seq,
                                      uint64_t leaves, const spc__ssz_place *place) {
  uint64_t own = spc__ssz_slot_leaves(type, leaves, place->slot);
  return spc__ssz_tree_get(seq->tree[place->slot], spc__ssz_height(spc__ssz_items(type, own)),
                           place->item);
}

static inline uint8_t *spc__ssz_spine(const spc__ssz_seq *seq) {
  return (uint8_t *)(uintptr_t)(seq->tree + seq->slots);
}

/* How many subtrees a progressive sequence with this many slots can have. */
static inline uint32_t spc__ssz_spine_length(const spc_ssz_type *type, uint32_t slots) {
  if (slots == 0 || !spc__ssz_is_progressive(type)) return 0;
  return type->head_trees + slots - (type->head_trees != 0);
}

/* Slots for this many leaves. */
static inline uint32_t spc__ssz_slots(const spc_ssz_type *type, uint64_t leaves) {
  return leaves == 0 ? 0 : spc__ssz_locate_leaf(type, leaves - 1).slot + 1;
}

static inline size_t spc__ssz_seq_bytes(const spc_ssz_type *type, uint32_t slots) {
  return sizeof(spc__ssz_seq) + slots * sizeof(void *) +
         32 * (size_t)spc__ssz_spine_length(type, slots);
}

/* The roots of the subtrees in a head page. */
static inline uint8_t *spc__ssz_head_roots(spc__ssz_page *page) {
  return page->data + page->head.size;
}

/* ---- Making ---- */

/*
 * A head with one reference, not hashed. Field by field: a structure that is made and then copied
 * would cost as much as the rest of a page.
 */
static inline void spc__ssz_head_init(spc__ssz_head *head, uint32_t count, uint64_t dirty,
                                      uint64_t size) {
  head->references = 1;
  head->hashed = SPC__SSZ_COLD;
  head->hot = 0;
  head->count = (uint16_t)count;
  head->dirty = dirty;
  head->size = size;
  head->inner.heap = NULL;
}

/* A page for `leaves` leaves, cold, all in use, not filled; `head`: a head page. */
spc__ssz_page *spc__ssz_page_new(spc_ssz_pool *pool, const spc_ssz_type *type, uint32_t leaves,
                                 bool head);

spc__ssz_seq *spc__ssz_seq_new(spc_ssz_pool *pool, const spc_ssz_type *type, uint64_t length,
                               uint32_t slots);

/* Building a tree of `items` items by adding them in order. The tree can be dropped at any time. */
typedef struct spc__ssz_tree_builder {
  spc_ssz_pool *pool;
  unsigned height;
  uint64_t count;
  void **root;
  spc__ssz_node *path[SPC__SSZ_MAX_HEIGHT + 1];
} spc__ssz_tree_builder;

spc__ssz_tree_builder spc__ssz_tree_build(spc_ssz_pool *pool, void **root, uint64_t items);
/* Takes over the reference; false when memory is out (the item then stays the caller's). */
bool spc__ssz_tree_add(spc__ssz_tree_builder *self, void *item);

/* A tree of `items` items that are all `item`, the last one `last`; takes over both references. */
void *spc__ssz_tree_fill(spc_ssz_pool *pool, const spc_ssz_type *type, void *item, void *last,
                         uint64_t items);

/* ---- Dropping ---- */

/* Drops an object of the type. */
void spc__ssz_object_drop(spc_ssz_pool *pool, const spc_ssz_type *type, void *object);
/* Drops a tree of a sequence of the type; item may be NULL. */
void spc__ssz_tree_drop(spc_ssz_pool *pool, const spc_ssz_type *type, void *item, unsigned height,
                        bool head);

/* ---- Changing: `slot` holds a reference, which may be replaced ---- */

/* Makes the sequence at `slot` the caller's own and no longer hashed. NULL: memory is out. */
spc__ssz_seq *spc__ssz_seq_own(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot);

/*
 * The slot of the item at `place` (an existing leaf), the path to it made the caller's own and
 * dirty. The item itself is as it was. NULL: memory is out.
 */
void **spc__ssz_seq_item_slot(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_seq *seq,
                              uint64_t leaves, const spc__ssz_place *place);

/* Makes the page at `slot` the caller's own, with room for `leaves` leaves, and not hashed. */
spc__ssz_page *spc__ssz_page_own(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot,
                                 uint32_t leaves, bool head);

/*
 * Adds `run` leaves to the sequence at `slot` (the caller's own; may move), which has `leaves`. For
 * pages all must fit one page (see room in spc__ssz_locate_leaf); gives the page, the new leaves
 * zeroed. For objects puts `child` there; `run` is 1. NULL: memory is out, nothing changed.
 */
void *spc__ssz_seq_push(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot, uint64_t leaves,
                        uint32_t run, void *child);

/* Drops all leaves from `kept` on; `slot` is the caller's own. False: memory is out. */
bool spc__ssz_seq_cut(spc_ssz_pool *pool, const spc_ssz_type *type, void **slot, uint64_t leaves,
                      uint64_t kept);

/* Size of the cached inner hashes of a page. */
static inline size_t spc__ssz_page_heap_bytes(const spc_ssz_type *type) {
  return (size_t)(spc__ssz_has(type, SPC__SSZ_PACKED) ? 32u : 64u) << type->page_depth;
}

/* Computes all inner hashes of a full-sized page into head.inner.heap; false: memory is out. */
bool spc__ssz_page_heap(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_page *page);

#endif
