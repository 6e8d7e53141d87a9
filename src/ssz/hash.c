/*
 * Roots of objects, many at a time. Objects of one type are hashed together: a walk over their
 * trees puts what is not hashed on lists by height (children always before their parents), and
 * when a list is full, or at the end, the lists are worked off from the lowest height up, each
 * level of all nodes of a height in one batch. Elements and fields that are objects are height 0 of
 * the tree above, and hashed by recursion over the type. So memory is bounded, batches are large,
 * and each dirty node is hashed once. What is on a list is QUEUED, so that shared nodes go there
 * once; if memory is out, all that is queued becomes COLD again.
 */
#include "ssz/hash.h"

#include <string.h>

#include "base/bytes.h"
#include "ssz/object.h"

#define HASH_PAGES 32u /* pages reduced together: their first level fits half the buffer */
#define HASH_BATCH 64u /* objects of one type hashed together */

/* The lists of one type: items (height 0), nodes of height 1, and of each height above. */
#define HASH_ITEMS      256u
#define HASH_LOW_NODES  64u
#define HASH_HIGH_NODES 32u

typedef struct hash_lists {
  spc_ssz_pool *pool;
  const spc_ssz_type *type;
  uint32_t count[SPC__SSZ_MAX_HEIGHT];
  unsigned heights; /* lists in use */
  void *items[HASH_ITEMS];
  void *low[HASH_LOW_NODES];
  void *high[SPC__SSZ_MAX_HEIGHT - 2][HASH_HIGH_NODES];
} hash_lists;

static spc_status hash_objects(spc_ssz_pool *pool, const spc_ssz_type *type, void *const *objects,
                               size_t count);

static spc__ssz_head *hash_head(void *item) {
  return (spc__ssz_head *)item;
}

static void hash_done(void *item) {
  hash_head(item)->hashed = SPC__SSZ_HASHED;
  hash_head(item)->dirty = 0;
}

/* ---- Pages ---- */

void spc__ssz_page_leaves(spc__ssz_work *work, const spc_ssz_type *type, const uint8_t *data,
                          uint32_t count, uint8_t *out) {
  if (spc__ssz_has(type, SPC__SSZ_PACKED)) {
    memcpy(out, data, 32 * (size_t)count);
    return;
  }
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(spc__ssz_element(type));
  uint32_t batch = (uint32_t)spc__ssz_circuit_batch(circuit);
  while (count != 0) {
    uint32_t n = count < batch ? count : batch;
    const uint8_t *elements[64];
    for (uint32_t i = 0; i < n; i++)
      elements[i] = data + (size_t)i * type->leaf_bytes;
    spc__ssz_circuit_roots(work, circuit, elements, n, out);
    data += (size_t)n * type->leaf_bytes;
    out += 32 * (size_t)n;
    count -= n;
  }
}

bool spc__ssz_page_heap(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_page *page) {
  spc__ssz_work *work = spc__ssz_pool_work(pool);
  uint32_t width = 1u << type->page_depth;
  uint8_t *heap = spc__ssz_alloc(pool, spc__ssz_page_heap_bytes(type));
  if (heap == NULL) return false;
  const uint8_t *below = page->data;
  if (!spc__ssz_has(type, SPC__SSZ_PACKED)) {
    uint8_t *leaves = heap + 32 * (size_t)width;
    spc__ssz_page_leaves(work, type, page->data, page->head.count, leaves);
    memset(leaves + 32 * (size_t)page->head.count, 0, 32 * (size_t)(width - page->head.count));
    below = leaves;
  }
  for (uint32_t n = width / 2; n != 0; n /= 2) {
    spc__ssz_pairs(work, heap + 32 * (size_t)n, below, n);
    below = heap + 32 * (size_t)n;
  }
  page->head.inner.heap = heap;
  return true;
}

/* Brings the inner hashes of pages that keep them up to date. */
static void hash_kept_pages(spc__ssz_work *work, const spc_ssz_type *type,
                            spc__ssz_page *const *pages, size_t count) {
  uint32_t width = 1u << type->page_depth;
  bool packed = spc__ssz_has(type, SPC__SSZ_PACKED);
  if (!packed)
    for (size_t p = 0; p < count; p++)
      for (uint64_t dirty = pages[p]->head.dirty; dirty != 0; dirty &= dirty - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(dirty);
        spc__ssz_page_leaves(work, type, pages[p]->data + (size_t)i * type->leaf_bytes, 1,
                             pages[p]->head.inner.heap + 32 * (size_t)(width + i));
      }
  for (uint32_t n = width / 2; n != 0; n /= 2) {
    for (size_t p = 0; p < count; p++) {
      spc__ssz_page *page = pages[p];
      uint8_t *heap = page->head.inner.heap;
      const uint8_t *below = n == width / 2 && packed ? page->data : heap + 64 * (size_t)n;
      uint64_t above = 0;
      for (uint64_t dirty = page->head.dirty; dirty != 0;) {
        uint32_t i = (uint32_t)__builtin_ctzll(dirty) / 2;
        dirty &= ~(UINT64_C(3) << (2 * i));
        above |= UINT64_C(1) << i;
        spc__ssz_job(work, heap + 32 * (size_t)(n + i), below + 64 * (size_t)i,
                     below + 64 * (size_t)i + 32);
      }
      page->head.dirty = above;
    }
    spc__ssz_jobs_run(work);
  }
  for (size_t p = 0; p < count; p++) {
    memcpy(pages[p]->head.root, pages[p]->head.inner.heap + 32, 32);
    hash_done(pages[p]);
  }
}

/*
 * Leaf roots of several pages of flat elements to the buffer, one page after the other, each given
 * `width` places.
 */
static void hash_element_leaves(spc__ssz_work *work, const spc_ssz_type *type,
                                spc__ssz_page *const *pages, size_t count, uint8_t *out) {
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(spc__ssz_element(type));
  size_t batch = spc__ssz_circuit_batch(circuit), waiting = 0;
  uint32_t width = 1u << type->page_depth;
  for (size_t p = 0; p < count; p++) {
    for (uint32_t i = 0; i < pages[p]->head.count; i++) {
      work->data[waiting++] = pages[p]->data + (size_t)i * type->leaf_bytes;
      if (waiting == batch) {
        spc__ssz_circuit_roots(work, circuit, work->data, waiting, out);
        out += 32 * waiting;
        waiting = 0;
      }
    }
    if (pages[p]->head.count == width) continue;
    spc__ssz_circuit_roots(work, circuit, work->data, waiting, out); /* a gap follows */
    out += 32 * (waiting + width - pages[p]->head.count);
    waiting = 0;
  }
  if (waiting != 0) spc__ssz_circuit_roots(work, circuit, work->data, waiting, out);
}

/* Pages with all leaves in use: every level of all of them at once. */
static void hash_full_pages(spc__ssz_work *work, const spc_ssz_type *type,
                            spc__ssz_page *const *pages, size_t count, uint8_t *nodes) {
  size_t width = (size_t)1 << type->page_depth;
  if (!spc__ssz_has(type, SPC__SSZ_PACKED)) {
    hash_element_leaves(work, type, pages, count, nodes);
  } else if (width == 1) {
    for (size_t p = 0; p < count; p++)
      memcpy(nodes + 32 * p, pages[p]->data, 32);
  } else {
    width /= 2;
    for (size_t p = 0; p < count; p++)
      spc__ssz_pairs(work, nodes + 32 * width * p, pages[p]->data, width);
  }
  for (; width > 1; width /= 2)
    spc__ssz_pairs(work, nodes, nodes, count * width / 2);
  for (size_t p = 0; p < count; p++) {
    memcpy(pages[p]->head.root, nodes + 32 * p, 32);
    hash_done(pages[p]);
  }
}

/* Pages that end early: the levels stop where the leaves do, zero hashes fill in. */
static void hash_partial_pages(spc__ssz_work *work, const spc_ssz_type *type,
                               spc__ssz_page *const *pages, size_t count, uint8_t *nodes) {
  size_t width = (size_t)1 << type->page_depth;
  if (spc__ssz_has(type, SPC__SSZ_PACKED))
    for (size_t p = 0; p < count; p++)
      memcpy(nodes + 32 * width * p, pages[p]->data, 32 * (size_t)pages[p]->head.count);
  else
    hash_element_leaves(work, type, pages, count, nodes);
  for (unsigned level = 0; level < type->page_depth; level++) {
    for (size_t p = 0; p < count; p++) {
      uint8_t *own = nodes + 32 * width * p;
      size_t n = ((size_t)pages[p]->head.count + ((size_t)1 << level) - 1) >> level;
      for (size_t i = 0; i < n; i += 2)
        spc__ssz_job(work, own + 16 * i, own + 32 * i,
                     i + 1 < n ? own + 32 * i + 32 : spc__ssz_zeros[level]);
    }
    spc__ssz_jobs_run(work);
  }
  for (size_t p = 0; p < count; p++) {
    memcpy(pages[p]->head.root, nodes + 32 * width * p, 32);
    hash_done(pages[p]);
  }
}

static bool hash_keeps(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_page *page) {
  uint32_t width = 1u << type->page_depth;
  bool few = 4 * (uint32_t)__builtin_popcountll(page->head.dirty) <= width;
  if (few && page->head.hot && page->head.size == type->page_bytes && width > 1) {
    if (page->head.inner.heap != NULL) return true;
    if (!spc__ssz_page_heap(pool, type, page)) return false;
    page->head.dirty = 0; /* all right already; only the root is missing */
    return true;
  }
  if (page->head.inner.heap != NULL) {
    spc__ssz_free(pool, page->head.inner.heap, spc__ssz_page_heap_bytes(type));
    page->head.inner.heap = NULL;
  }
  return false;
}

static void hash_pages(spc_ssz_pool *pool, const spc_ssz_type *type, void *const *items,
                       size_t count) {
  spc__ssz_work *work = spc__ssz_pool_work(pool);
  spc__ssz_page *full[HASH_PAGES], *partial[HASH_PAGES], *kept[HASH_PAGES];
  /* The circuits of elements use work->buffer, so their roots are collected elsewhere. */
  uint8_t *nodes = spc__ssz_has(type, SPC__SSZ_PACKED) ? work->buffer : work->nodes;
  uint32_t width = 1u << type->page_depth;
  size_t most = sizeof work->nodes / 32 / width, full_count = 0, partial_count = 0, kept_count = 0;
  if (most > HASH_PAGES) most = HASH_PAGES;
  for (size_t i = 0; i < count; i++) {
    spc__ssz_page *page = (spc__ssz_page *)items[i];
    if (hash_keeps(pool, type, page))
      kept[kept_count++] = page;
    else if (page->head.count == width)
      full[full_count++] = page;
    else
      partial[partial_count++] = page;
    bool last = i + 1 == count;
    if (kept_count == HASH_PAGES || (last && kept_count != 0)) {
      hash_kept_pages(work, type, kept, kept_count);
      kept_count = 0;
    }
    if (full_count == most || (last && full_count != 0)) {
      hash_full_pages(work, type, full, full_count, nodes);
      full_count = 0;
    }
    if (partial_count == most || (last && partial_count != 0)) {
      hash_partial_pages(work, type, partial, partial_count, nodes);
      partial_count = 0;
    }
  }
}

/* The head page of a progressive sequence: its first subtrees, of 1, 4, 16 leaves. */
static void hash_head_page(spc__ssz_work *work, const spc_ssz_type *type, spc__ssz_page *page) {
  uint8_t leaves[22 * 32];
  uint8_t *roots = spc__ssz_head_roots(page);
  uint32_t count = page->head.count, first = 0;
  spc__ssz_page_leaves(work, type, page->data, count, leaves);
  for (unsigned j = 0; j < type->head_trees && first < count; j++) {
    uint32_t own = 1u << (2 * j);
    uint8_t *nodes = leaves + 32 * first;
    if (own > count - first) own = count - first;
    first += own;
    for (unsigned level = 0; level < 2 * j; level++) {
      if (own % 2 != 0) memcpy(nodes + 32 * own++, spc__ssz_zeros[level], 32);
      own /= 2;
      spc__ssz_pairs(work, nodes, nodes, own);
    }
    memcpy(roots + 32 * j, nodes, 32);
  }
  hash_done(page);
}

/* ---- Nodes ---- */

/* The node at the top of a tree may have more levels than the tree: size says how many, and these
 * are left out. */
static void hash_nodes(spc__ssz_work *work, const spc_ssz_type *type, void *const *nodes,
                       size_t count, unsigned height) {
  unsigned depth = type->page_depth + SPC__SSZ_FAN_BITS * (height - 1);
  for (unsigned level = 0; level < SPC__SSZ_FAN_BITS; level++) {
    unsigned width = SPC__SSZ_FAN >> (level + 1);
    for (size_t k = 0; k < count; k++) {
      spc__ssz_node *node = (spc__ssz_node *)nodes[k];
      unsigned used = (node->head.count + (1u << level) - 1) >> level;
      uint64_t above = 0;
      if (level + node->head.size >= SPC__SSZ_FAN_BITS) continue;
      for (uint64_t dirty = node->head.dirty; dirty != 0;) {
        unsigned i = (unsigned)__builtin_ctzll(dirty) / 2;
        dirty &= ~(UINT64_C(3) << (2 * i));
        if (2 * i >= used) break;
        above |= UINT64_C(1) << i;
        const uint8_t *left, *right = spc__ssz_zeros[depth + level];
        if (level == 0) {
          left = hash_head(node->child[2 * i])->root;
          if (2 * i + 1 < used) right = hash_head(node->child[2 * i + 1])->root;
        } else {
          left = spc__ssz_node_hash(node, 2 * (width + i));
          if (2 * i + 1 < used) right = spc__ssz_node_hash(node, 2 * (width + i) + 1);
        }
        spc__ssz_job(work, spc__ssz_node_hash(node, width + i), left, right);
      }
      node->head.dirty = above;
    }
    spc__ssz_jobs_run(work);
  }
  for (size_t k = 0; k < count; k++)
    hash_done(nodes[k]);
}

/* ---- Lists ---- */

static void **hash_list(hash_lists *lists, unsigned height, uint32_t *most) {
  *most = height == 0 ? HASH_ITEMS : height == 1 ? HASH_LOW_NODES : HASH_HIGH_NODES;
  return height == 0 ? lists->items : height == 1 ? lists->low : lists->high[height - 2];
}

static spc_status hash_flush(hash_lists *lists) {
  spc_status status = SPC_OK;
  if (lists->count[0] != 0) {
    if (lists->type->leaf_bytes != 0)
      hash_pages(lists->pool, lists->type, lists->items, lists->count[0]);
    else
      status =
          hash_objects(lists->pool, spc__ssz_element(lists->type), lists->items, lists->count[0]);
    if (status != SPC_OK) return status;
    lists->count[0] = 0;
  }
  for (unsigned h = 1; h < lists->heights; h++) {
    uint32_t most;
    void **list = hash_list(lists, h, &most);
    if (lists->count[h] != 0)
      hash_nodes(spc__ssz_pool_work(lists->pool), lists->type, list, lists->count[h], h);
    lists->count[h] = 0;
  }
  return SPC_OK;
}

static spc_status hash_queue(hash_lists *lists, void *item, unsigned height) {
  uint32_t most;
  void **list = hash_list(lists, height, &most);
  if (lists->count[height] == most) {
    spc_status status = hash_flush(lists);
    if (status != SPC_OK) return status;
  }
  hash_head(item)->hashed = SPC__SSZ_QUEUED;
  list[lists->count[height]++] = item;
  if (height >= lists->heights) lists->heights = height + 1;
  return SPC_OK;
}

static spc_status hash_collect(hash_lists *lists, void *item, unsigned height) {
  if (hash_head(item)->hashed != SPC__SSZ_COLD) return SPC_OK;
  if (height != 0) {
    spc__ssz_node *node = (spc__ssz_node *)item;
    for (uint64_t dirty = node->head.dirty; dirty != 0; dirty &= dirty - 1) {
      unsigned i = (unsigned)__builtin_ctzll(dirty);
      if (i >= node->head.count) break;
      spc_status status = hash_collect(lists, node->child[i], height - 1);
      if (status != SPC_OK) return status;
    }
  }
  return hash_queue(lists, item, height);
}

static void hash_give_up(hash_lists *lists) {
  for (unsigned h = 0; h < lists->heights; h++) {
    uint32_t most;
    void **list = hash_list(lists, h, &most);
    for (uint32_t i = 0; i < lists->count[h]; i++)
      if (hash_head(list[i])->hashed == SPC__SSZ_QUEUED) hash_head(list[i])->hashed = SPC__SSZ_COLD;
  }
}

/* ---- Sequences ---- */

static unsigned hash_slot_height(const spc_ssz_type *type, uint64_t leaves, uint32_t slot) {
  return spc__ssz_height(spc__ssz_items(type, spc__ssz_slot_leaves(type, leaves, slot)));
}

/* Depth of the tree that a slot stands for. */
static unsigned hash_slot_depth(const spc_ssz_type *type, uint32_t slot) {
  if (!spc__ssz_is_progressive(type)) return type->tree_depth;
  return 2 * (type->head_trees + slot - (type->head_trees != 0));
}

/* Levels of the item at the top of a slot's tree that are above the tree. */
static unsigned hash_surplus(const spc_ssz_type *type, unsigned height, uint32_t slot) {
  unsigned full = type->page_depth + SPC__SSZ_FAN_BITS * height;
  unsigned most = hash_slot_depth(type, slot);
  return full > most ? full - most : 0;
}

/* The hash at the top of a slot's tree, and its depth, at most that of the slot. */
static const uint8_t *hash_slot_top(const spc_ssz_type *type, const spc__ssz_seq *seq,
                                    uint64_t leaves, uint32_t slot, unsigned *depth) {
  unsigned height = hash_slot_height(type, leaves, slot);
  unsigned surplus = hash_surplus(type, height, slot);
  *depth = type->page_depth + SPC__SSZ_FAN_BITS * height - surplus;
  if (surplus == 0) return hash_head(seq->tree[slot])->root;
  return spc__ssz_node_hash((spc__ssz_node *)seq->tree[slot], 1u << surplus);
}

void spc__ssz_slot_root(spc__ssz_work *work, const spc_ssz_type *type, const spc__ssz_seq *seq,
                        uint32_t slot, uint8_t root[32]) {
  unsigned depth, most = hash_slot_depth(type, slot);
  memcpy(root, hash_slot_top(type, seq, spc__ssz_leaves(type, seq->length), slot, &depth), 32);
  for (; depth < most; depth++)
    spc__ssz_hash(work, root, root, spc__ssz_zeros[depth]);
}

/* What is left to do above the trees of one sequence: one chained hash at a time. */
typedef struct hash_chain {
  spc__ssz_seq *seq;
  uint64_t leaves;
  uint32_t subtree;     /* progressive: the one that is being added to the spine, plus 1 */
  unsigned depth, most; /* of `node`, and to be reached */
  bool spine;           /* the last job gave spine[0] */
  bool mixed;           /* the length is in */
  uint8_t node[32];
} hash_chain;

static void hash_chain_slot(const spc_ssz_type *type, hash_chain *chain, uint32_t slot) {
  const uint8_t *top = hash_slot_top(type, chain->seq, chain->leaves, slot, &chain->depth);
  memcpy(chain->node, top, 32);
  chain->most = hash_slot_depth(type, slot);
}

static void hash_chain_subtree(const spc_ssz_type *type, hash_chain *chain) {
  uint32_t j = chain->subtree - 1;
  if (j >= type->head_trees) {
    hash_chain_slot(type, chain, j - type->head_trees + (type->head_trees != 0));
    return;
  }
  memcpy(chain->node, spc__ssz_head_roots((spc__ssz_page *)chain->seq->tree[0]) + 32 * j, 32);
  chain->depth = chain->most = 0;
}

static uint32_t hash_subtrees(uint64_t leaves) {
  return leaves == 0 ? 0 : spc__ssz_subtree_of(leaves - 1) + 1;
}

static void hash_chain_open(const spc_ssz_type *type, hash_chain *chain, spc__ssz_seq *seq) {
  *chain = (hash_chain){.seq = seq, .leaves = spc__ssz_leaves(type, seq->length)};
  chain->mixed = !spc__ssz_has(type, SPC__SSZ_GROWS);
  if (seq->slots == 0) {
    memcpy(chain->node, spc__ssz_zeros[type->tree_depth], 32);
  } else if (!spc__ssz_is_progressive(type)) {
    hash_chain_slot(type, chain, 0);
  } else {
    uint32_t all = hash_subtrees(chain->leaves);
    chain->subtree = seq->spine_dirty < all ? seq->spine_dirty : all;
    if (chain->subtree != 0)
      hash_chain_subtree(type, chain);
    else
      memcpy(chain->node, spc__ssz_spine(seq), 32);
  }
}

/* Adds the next hash of the chain to the jobs; false at the end, with the root in `node`. */
static bool hash_chain_next(spc__ssz_work *work, const spc_ssz_type *type, hash_chain *chain) {
  spc__ssz_seq *seq = chain->seq;
  if (chain->depth < chain->most) {
    spc__ssz_job(work, chain->node, chain->node, spc__ssz_zeros[chain->depth++]);
    return true;
  }
  if (chain->subtree != 0) {
    uint32_t j = chain->subtree - 1, all = hash_subtrees(chain->leaves);
    uint8_t *spine = spc__ssz_spine(seq);
    spc__ssz_job(work, spine + 32 * j, chain->node,
                 j + 1 < all ? spine + 32 * (j + 1) : spc__ssz_zeros[0]);
    chain->subtree--;
    chain->spine = chain->subtree == 0;
    if (!chain->spine) hash_chain_subtree(type, chain);
    return true;
  }
  if (chain->spine) memcpy(chain->node, spc__ssz_spine(seq), 32);
  chain->spine = false;
  if (chain->mixed) return false;
  uint8_t length[32] = {0};
  spc__store64_le(length, seq->length);
  spc__ssz_job(work, chain->node, chain->node, length);
  chain->mixed = true;
  return true;
}

static void hash_chains(spc__ssz_work *work, const spc_ssz_type *type, void *const *objects,
                        size_t count) {
  hash_chain chains[16];
  while (count != 0) {
    size_t n = count < 16 ? count : 16;
    bool more = true;
    for (size_t i = 0; i < n; i++)
      hash_chain_open(type, &chains[i], (spc__ssz_seq *)objects[i]);
    while (more) {
      more = false;
      for (size_t i = 0; i < n; i++)
        more |= hash_chain_next(work, type, &chains[i]);
      spc__ssz_jobs_run(work);
    }
    for (size_t i = 0; i < n; i++) {
      spc__ssz_seq *seq = chains[i].seq;
      memcpy(seq->head.root, chains[i].node, 32);
      seq->spine_dirty = 0;
      hash_done(seq);
    }
    objects += n;
    count -= n;
  }
}

static spc_status hash_collect_seq(hash_lists *lists, spc__ssz_seq *seq) {
  const spc_ssz_type *type = lists->type;
  uint64_t leaves = spc__ssz_leaves(type, seq->length);
  for (uint32_t slot = 0; slot < seq->slots; slot++) {
    if (spc__ssz_is_head_slot(type, slot)) {
      spc__ssz_page *page = (spc__ssz_page *)seq->tree[slot];
      if (page->head.hashed != SPC__SSZ_HASHED)
        hash_head_page(spc__ssz_pool_work(lists->pool), type, page);
      continue;
    }
    unsigned height = hash_slot_height(type, leaves, slot);
    if (height != 0) hash_head(seq->tree[slot])->size = hash_surplus(type, height, slot);
    spc_status status = hash_collect(lists, seq->tree[slot], height);
    if (status != SPC_OK) return status;
  }
  return SPC_OK;
}

static spc_status hash_seqs(spc_ssz_pool *pool, const spc_ssz_type *type, void *const *objects,
                            size_t count) {
  hash_lists *lists = spc__ssz_alloc(pool, sizeof *lists);
  if (lists == NULL) return SPC_OUT_OF_MEMORY;
  lists->pool = pool;
  lists->type = type;
  lists->heights = 0;
  memset(lists->count, 0, sizeof lists->count);
  spc_status status = SPC_OK;
  for (size_t i = 0; i < count && status == SPC_OK; i++)
    status = hash_collect_seq(lists, (spc__ssz_seq *)objects[i]);
  if (status == SPC_OK) status = hash_flush(lists);
  if (status != SPC_OK) hash_give_up(lists);
  spc__ssz_free(pool, lists, sizeof *lists);
  if (status == SPC_OK) hash_chains(spc__ssz_pool_work(pool), type, objects, count);
  return status;
}

/* ---- Records ---- */

static void hash_mark_leaves(const spc__ssz_circuit *circuit, uint32_t first, uint32_t end,
                             uint64_t *dirty) {
  const spc__ssz_leaf *leaves = (const spc__ssz_leaf *)spc__ssz_at(circuit, circuit->leaves);
  for (uint32_t i = first; i < end; i++)
    if (leaves[i].parent != SPC__SSZ_NO_OP)
      dirty[leaves[i].parent / 64] |= UINT64_C(1) << (leaves[i].parent % 64);
}

static void hash_update_record(spc__ssz_work *work, const spc_ssz_type *type,
                               spc__ssz_record *record) {
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(type);
  const spc__ssz_member *members = spc__ssz_members(type);
  uint64_t *dirty = (uint64_t *)(void *)work->nodes;
  memset(dirty, 0, ((size_t)circuit->op_count + 63) / 64 * 8);
  for (uint64_t bits = record->head.dirty; bits != 0; bits &= bits - 1) {
    uint32_t group = (uint32_t)__builtin_ctzll(bits);
    uint32_t i = group << type->dirty_shift, end = (group + 1) << type->dirty_shift;
    if (i >= type->member_count) break;
    uint32_t last = end < type->member_count ? members[end].first_leaf : circuit->leaf_count;
    hash_mark_leaves(circuit, members[i].first_leaf, last, dirty);
  }
  spc__ssz_circuit_update(work, circuit, record->data, record->head.inner.heap, dirty);
}

static void hash_record(spc_ssz_pool *pool, const spc_ssz_type *type, spc__ssz_record *record,
                        uint8_t *results) {
  spc__ssz_work *work = spc__ssz_pool_work(pool);
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(type);
  uint32_t parts = type->member_count < 64 ? type->member_count : 64;
  bool few = 4 * (uint32_t)__builtin_popcountll(record->head.dirty) <= parts &&
             circuit->op_count <= 8 * sizeof work->nodes;
  size_t size = 32 * (size_t)circuit->op_count;
  if (!(record->head.hot && few) && record->head.inner.heap != NULL) {
    spc__ssz_free(pool, record->head.inner.heap, size);
    record->head.inner.heap = NULL;
  }
  if (record->head.inner.heap != NULL) {
    hash_update_record(work, type, record);
    results = record->head.inner.heap;
  } else {
    if (record->head.hot && few && circuit->op_count != 0) {
      record->head.inner.heap = spc__ssz_alloc(pool, size);
      if (record->head.inner.heap != NULL) results = record->head.inner.heap;
    }
    spc__ssz_circuit_results(work, circuit, record->data, results);
  }
  spc__ssz_operand(circuit, circuit->root, record->data, results, record->head.root);
  hash_done(record);
}

/* Roots of cold records whose children are hashed, several at a time. */
static void hash_cold_records(spc__ssz_work *work, const spc_ssz_type *type, void *const *objects,
                              size_t count) {
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(type);
  size_t batch = spc__ssz_circuit_batch(circuit);
  while (count != 0) {
    size_t n = count < batch ? count : batch;
    for (size_t i = 0; i < n; i++)
      work->data[i] = ((spc__ssz_record *)objects[i])->data;
    spc__ssz_circuit_roots(work, circuit, work->data, n, work->roots);
    for (size_t i = 0; i < n; i++) {
      memcpy(hash_head(objects[i])->root, work->roots + 32 * i, 32);
      hash_done(objects[i]);
    }
    objects += n;
    count -= n;
  }
}

static void hash_batch_give_up(void *const *batch, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (hash_head(batch[i])->hashed == SPC__SSZ_QUEUED) hash_head(batch[i])->hashed = SPC__SSZ_COLD;
}

/* Hashes the children that `objects` have at one place; `child` gives them. */
static spc_status hash_batch(spc_ssz_pool *pool, const spc_ssz_type *type, void **batch,
                             size_t *count) {
  spc_status status = hash_objects(pool, type, batch, *count);
  if (status != SPC_OK) hash_batch_give_up(batch, *count);
  *count = 0;
  return status;
}

static spc_status hash_add(spc_ssz_pool *pool, const spc_ssz_type *type, void *child, void **batch,
                           size_t *count) {
  if (hash_head(child)->hashed != SPC__SSZ_COLD) return SPC_OK;
  hash_head(child)->hashed = SPC__SSZ_QUEUED;
  batch[(*count)++] = child;
  return *count == HASH_BATCH ? hash_batch(pool, type, batch, count) : SPC_OK;
}

static spc_status hash_record_children(spc_ssz_pool *pool, const spc_ssz_type *type,
                                       void *const *objects, size_t count) {
  void *batch[HASH_BATCH];
  size_t waiting = 0;
  for (uint32_t i = 0; i < type->member_count; i++) {
    const spc__ssz_member *member = &spc__ssz_members(type)[i];
    const spc_ssz_type *field = spc__ssz_member_type(member);
    if (spc__ssz_has(field, SPC__SSZ_FLAT)) continue;
    spc_status status = SPC_OK;
    for (size_t k = 0; k < count && status == SPC_OK; k++)
      status =
          hash_add(pool, field, spc__ssz_record_child((const spc__ssz_record *)objects[k], member),
                   batch, &waiting);
    if (status == SPC_OK && waiting != 0) status = hash_batch(pool, field, batch, &waiting);
    if (status != SPC_OK) return status;
  }
  return SPC_OK;
}

static spc_status hash_records(spc_ssz_pool *pool, const spc_ssz_type *type, void *const *objects,
                               size_t count) {
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(type);
  if (type->child_count != 0) {
    spc_status status = hash_record_children(pool, type, objects, count);
    if (status != SPC_OK) return status;
  }
  spc__ssz_work *work = spc__ssz_pool_work(pool);
  bool large = circuit->op_count > SPC__SSZ_BUFFER / 32;
  size_t size = 32 * (size_t)circuit->op_count;
  uint8_t *results = large ? spc__ssz_alloc(pool, size) : work->buffer;
  if (results == NULL) return SPC_OUT_OF_MEMORY;
  void *cold[HASH_BATCH];
  size_t waiting = 0;
  for (size_t i = 0; i < count; i++) {
    spc__ssz_record *record = (spc__ssz_record *)objects[i];
    if (large || record->head.hot) {
      hash_record(pool, type, record, results);
      continue;
    }
    cold[waiting++] = record;
    if (waiting == HASH_BATCH) {
      hash_cold_records(work, type, cold, waiting);
      waiting = 0;
    }
  }
  if (waiting != 0) hash_cold_records(work, type, cold, waiting);
  if (large) spc__ssz_free(pool, results, size);
  return SPC_OK;
}

/* ---- Unions ---- */

static spc_status hash_unions(spc_ssz_pool *pool, const spc_ssz_type *type, void *const *objects,
                              size_t count) {
  void *batch[HASH_BATCH];
  size_t waiting = 0;
  for (uint32_t i = 0; i < type->member_count; i++) {
    const spc__ssz_member *option = &spc__ssz_members(type)[i];
    if (option->type == 0) continue;
    spc_status status = SPC_OK;
    for (size_t k = 0; k < count && status == SPC_OK; k++) {
      spc__ssz_union *u = (spc__ssz_union *)objects[k];
      if (u->selector == option->position)
        status = hash_add(pool, spc__ssz_member_type(option), u->child, batch, &waiting);
    }
    if (status == SPC_OK && waiting != 0)
      status = hash_batch(pool, spc__ssz_member_type(option), batch, &waiting);
    if (status != SPC_OK) return status;
  }
  spc__ssz_work *work = spc__ssz_pool_work(pool);
  for (size_t k = 0; k < count; k++) {
    spc__ssz_union *u = (spc__ssz_union *)objects[k];
    uint8_t selector[32] = {0};
    selector[0] = (uint8_t)u->selector;
    spc__ssz_job(work, u->head.root,
                 u->child == NULL ? spc__ssz_zeros[0] : hash_head(u->child)->root, selector);
  }
  spc__ssz_jobs_run(work);
  for (size_t k = 0; k < count; k++)
    hash_done(objects[k]);
  return SPC_OK;
}

static spc_status hash_objects(spc_ssz_pool *pool, const spc_ssz_type *type, void *const *objects,
                               size_t count) {
  if (spc__ssz_is_sequence(type)) return hash_seqs(pool, type, objects, count);
  if (spc__ssz_is_union(type)) return hash_unions(pool, type, objects, count);
  return hash_records(pool, type, objects, count);
}

spc_status spc__ssz_hash_object(spc_ssz_pool *pool, const spc_ssz_type *type, void *object) {
  return hash_head(object)->hashed == SPC__SSZ_HASHED ? SPC_OK
                                                      : hash_objects(pool, type, &object, 1);
}
