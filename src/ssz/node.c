/*
 * The hash of any node of a value's tree, by walking down from the root with the bits of its
 * generalized index. Everything above the pages is cached; nodes inside a page or a flat element
 * are hashed again, which is at most one page. Records keep the results of their circuit once they
 * are asked.
 */
#include <string.h>

#include "base/bytes.h"
#include "ssz/gindex.h"
#include "ssz/hash.h"
#include "ssz/object.h"

typedef struct node_walk {
  spc_ssz_pool *pool;
  spc_ssz_gindex gindex;
  unsigned left; /* bits still to go */
  const spc_ssz_type *type;
  void *object;         /* or NULL */
  const uint8_t *bytes; /* a flat value */
  uint8_t *hash;
  bool done;
} node_walk;

static unsigned node_take(node_walk *w) {
  w->left--;
  return spc__ssz_g_bit(w->gindex, w->left);
}

static spc_status node_found(node_walk *w, const uint8_t hash[32]) {
  memmove(w->hash, hash, 32);
  w->done = true;
  return SPC_OK;
}

static spc_status node_zero(node_walk *w, unsigned depth) {
  return w->left <= depth ? node_found(w, spc__ssz_zeros[depth - w->left]) : SPC_NO_SUCH_NODE;
}

static spc_status node_chunk(node_walk *w, uint64_t value) {
  uint8_t chunk[32] = {0};
  spc__store64_le(chunk, value);
  return w->left == 0 ? node_found(w, chunk) : SPC_NO_SUCH_NODE;
}

/* ---- Circuits ---- */

static spc_status node_operand(node_walk *w, const spc__ssz_circuit *circuit, uint32_t operand,
                               const uint8_t *data, uint8_t *results) {
  const spc__ssz_op *ops = (const spc__ssz_op *)spc__ssz_at(circuit, circuit->ops);
  while (w->left != 0 && (operand & SPC__SSZ_OPERAND) == SPC__SSZ_OP) {
    const spc__ssz_op *op = &ops[operand & ~SPC__SSZ_OPERAND];
    operand = node_take(w) == 0 ? op->left : op->right;
  }
  uint32_t index = operand & ~SPC__SSZ_OPERAND;
  if ((operand & SPC__SSZ_OPERAND) == SPC__SSZ_ZERO) return node_zero(w, index);
  if (w->left == 0) {
    uint8_t hash[32];
    spc__ssz_operand(circuit, operand, data, results, hash);
    return node_found(w, hash);
  }
  const spc__ssz_leaf *leaf = (const spc__ssz_leaf *)spc__ssz_at(circuit, circuit->leaves) + index;
  if ((operand & SPC__SSZ_OPERAND) != 0 || leaf->length != 0) return SPC_NO_SUCH_NODE;
  const spc__ssz_member *members = spc__ssz_members(w->type);
  for (uint32_t i = 0; i < w->type->member_count; i++)
    if (members[i].first_leaf == index) {
      w->object = spc__ssz_record_child((const spc__ssz_record *)w->object, &members[i]);
      w->type = spc__ssz_member_type(&members[i]);
      return SPC_OK;
    }
  return SPC_NO_SUCH_NODE;
}

static spc_status node_record(node_walk *w) {
  spc__ssz_record *record = (spc__ssz_record *)w->object;
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(w->type);
  if (record->head.inner.heap == NULL && circuit->op_count != 0) {
    uint8_t *results = spc__ssz_alloc(w->pool, 32 * (size_t)circuit->op_count);
    if (results == NULL) return SPC_OUT_OF_MEMORY;
    spc__ssz_circuit_results(spc__ssz_pool_work(w->pool), circuit, record->data, results);
    record->head.inner.heap = results;
    record->head.hot = 1;
  }
  return node_operand(w, circuit, circuit->root, record->data, record->head.inner.heap);
}

static spc_status node_flat(node_walk *w) {
  const spc__ssz_circuit *circuit = spc__ssz_type_circuit(w->type);
  spc__ssz_work *work = spc__ssz_pool_work(w->pool);
  spc__ssz_circuit_results(work, circuit, w->bytes, work->buffer);
  return node_operand(w, circuit, circuit->root, w->bytes, work->buffer);
}

/* ---- Pages and nodes ---- */

/* The root over leaves first ... first + 2^depth - 1 of a page, zeros where it has none. */
static void node_in_page(node_walk *w, spc__ssz_page *page, uint32_t first, unsigned depth,
                         uint8_t hash[32]) {
  spc__ssz_work *work = spc__ssz_pool_work(w->pool);
  uint32_t count = page->head.count - first;
  if (count > 1u << depth) count = 1u << depth;
  uint8_t *nodes = work->nodes;
  spc__ssz_page_leaves(work, w->type, page->data + (size_t)first * w->type->leaf_bytes, count,
                       nodes);
  for (unsigned level = 0; level < depth; level++) {
    if (count % 2 != 0) memcpy(nodes + 32 * (size_t)count++, spc__ssz_zeros[level], 32);
    count /= 2;
    spc__ssz_pairs(work, nodes, nodes, count);
  }
  memcpy(hash, nodes, 32);
}

/* Node `index` at the level above which `below` levels of leaves lie, in a slot of a sequence. */
static void node_in_slot(node_walk *w, spc__ssz_seq *seq, uint32_t slot, uint64_t leaves,
                         uint64_t index, unsigned below, uint8_t hash[32]) {
  const spc_ssz_type *type = w->type;
  unsigned page_depth = type->page_depth;
  if (below >= 64 ? index != 0 : index > (leaves - 1) >> below) {
    memcpy(hash, spc__ssz_zeros[below], 32);
    return;
  }
  unsigned height = spc__ssz_height(spc__ssz_items(type, leaves));
  unsigned top = page_depth + SPC__SSZ_FAN_BITS * height;
  if (below > top) { /* index is 0: the whole tree, and zeros beside it */
    memcpy(hash, ((spc__ssz_head *)seq->tree[slot])->root, 32);
    for (; top < below; top++)
      spc__ssz_hash(spc__ssz_pool_work(w->pool), hash, hash, spc__ssz_zeros[top]);
    return;
  }
  if (below < page_depth) {
    uint64_t first = index << below;
    spc__ssz_page *page =
        (spc__ssz_page *)spc__ssz_tree_get(seq->tree[slot], height, first >> page_depth);
    uint32_t local = (uint32_t)first & ((1u << page_depth) - 1);
    if (page->head.inner.heap != NULL && (below != 0 || !spc__ssz_has(type, SPC__SSZ_PACKED)))
      memcpy(hash,
             page->head.inner.heap + 32 * (size_t)((1u << (page_depth - below)) + (local >> below)),
             32);
    else
      node_in_page(w, page, local, below, hash);
    return;
  }
  unsigned above = below - page_depth;                                /* levels over the items */
  unsigned own = (above + SPC__SSZ_FAN_BITS - 1) / SPC__SSZ_FAN_BITS; /* height of its node */
  unsigned inside = SPC__SSZ_FAN_BITS * own - above; /* levels below the top of that node */
  void *item = seq->tree[slot];
  for (unsigned h = height; h > own; h--)
    item =
        ((spc__ssz_node *)item)
            ->child[(index >> (inside + SPC__SSZ_FAN_BITS * (h - 1 - own))) & (SPC__SSZ_FAN - 1)];
  uint64_t local = index & ((UINT64_C(1) << inside) - 1);
  memcpy(hash, (uint8_t *)item + 32 * ((UINT64_C(1) << inside) + local), 32);
}

static spc_status node_leaf(node_walk *w, uint64_t leaf, uint64_t leaves) {
  if (leaf >= leaves || spc__ssz_has(w->type, SPC__SSZ_PACKED)) return SPC_NO_SUCH_NODE;
  spc__ssz_part part = {w->type, w->object, NULL};
  spc_status status = spc__ssz_part_step(&part, leaf);
  w->type = part.type;
  w->object = part.object;
  w->bytes = part.bytes;
  return status;
}

/* The tree of `depth` in a slot, or the first leaves of a head page. */
static spc_status node_slot(node_walk *w, uint32_t slot, unsigned depth, uint64_t before,
                            uint64_t leaves) {
  spc__ssz_seq *seq = (spc__ssz_seq *)w->object;
  unsigned levels = w->left < depth ? w->left : depth;
  w->left -= levels;
  uint64_t index = spc__ssz_g_bits(w->gindex, w->left, levels);
  if (w->left != 0) return node_leaf(w, before + index, leaves);
  uint8_t hash[32];
  unsigned below = depth - levels;
  if (spc__ssz_is_head_slot(w->type, slot)) {
    spc__ssz_page *page = (spc__ssz_page *)seq->tree[0];
    uint64_t first = before + (index << below);
    if (first >= page->head.count)
      memcpy(hash, spc__ssz_zeros[below], 32);
    else
      node_in_page(w, page, (uint32_t)first, below, hash);
  } else {
    uint64_t own = spc__ssz_slot_leaves(w->type, leaves, slot);
    node_in_slot(w, seq, slot, own, index, below, hash);
  }
  return node_found(w, hash);
}

static spc_status node_progressive(node_walk *w, uint64_t leaves) {
  spc__ssz_seq *seq = (spc__ssz_seq *)w->object;
  uint32_t all = leaves == 0 ? 0 : spc__ssz_subtree_of(leaves - 1) + 1, j = 0;
  for (;; j++) {
    if (w->left == 0)
      return node_found(w, j < all ? spc__ssz_spine(seq) + 32 * (size_t)j : spc__ssz_zeros[0]);
    if (j >= all) return SPC_NO_SUCH_NODE;
    if (node_take(w) == 0) break;
  }
  uint32_t head = w->type->head_trees;
  uint32_t slot = j < head ? 0 : j - head + (head != 0);
  return node_slot(w, slot, 2 * j, spc__ssz_leaves_before(j), leaves);
}

static spc_status node_sequence(node_walk *w) {
  const spc_ssz_type *type = w->type;
  spc__ssz_seq *seq = (spc__ssz_seq *)w->object;
  uint64_t leaves = spc__ssz_leaves(type, seq->length);
  if (spc__ssz_has(type, SPC__SSZ_GROWS) && node_take(w) == 1) return node_chunk(w, seq->length);
  if (spc__ssz_is_progressive(type)) return node_progressive(w, leaves);
  return leaves == 0 ? node_zero(w, type->tree_depth)
                     : node_slot(w, 0, type->tree_depth, 0, leaves);
}

static spc_status node_union(node_walk *w) {
  const spc__ssz_union *u = (const spc__ssz_union *)w->object;
  if (node_take(w) == 1) return node_chunk(w, u->selector);
  if (u->child == NULL) return node_zero(w, 0);
  w->type = spc__ssz_member_type(spc__ssz_option(w->type, (unsigned)u->selector));
  w->object = u->child;
  return SPC_OK;
}

spc_status spc_ssz_node(const spc_ssz_value *self, spc_ssz_gindex gindex, uint8_t hash[32]) {
  if (spc__ssz_g_is_zero(gindex)) return SPC_NO_SUCH_NODE;
  spc_status status = spc__ssz_hash_object(self->pool, self->type, self->object);
  node_walk w = {self->pool, gindex, spc__ssz_g_depth(gindex), self->type, self->object, NULL,
                 hash,       false};
  while (status == SPC_OK && !w.done) {
    if (w.object == NULL)
      status = node_flat(&w);
    else if (w.left == 0)
      status = node_found(&w, ((spc__ssz_head *)w.object)->root);
    else if (spc__ssz_is_sequence(w.type))
      status = node_sequence(&w);
    else if (spc__ssz_is_union(w.type))
      status = node_union(&w);
    else
      status = node_record(&w);
  }
  return status;
}
