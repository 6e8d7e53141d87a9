/*
 * Paths to generalized indices and back (ssz/merkle-proofs.md; the progressive steps follow from
 * the tree of EIP-7916). In a progressive tree subtree j is left of the j-th node of the chain of
 * right children.
 */
#include "ssz/gindex.h"

/* Down to leaf `leaf` of the chain; false: more than 128 bits. */
static bool gindex_down_progressive(spc_ssz_gindex *g, uint64_t leaf) {
  unsigned j = spc__ssz_subtree_of(leaf);
  for (unsigned i = 0; i < j; i++)
    if (!spc__ssz_g_down(g, 1, 1)) return false;
  return spc__ssz_g_down(g, 1, 0) && spc__ssz_g_down(g, 2 * j, leaf - spc__ssz_leaves_before(j));
}

static bool gindex_down_leaf(const spc_ssz_type *type, spc_ssz_gindex *g, uint64_t leaf) {
  if (spc__ssz_has(type, SPC__SSZ_GROWS) && !spc__ssz_g_down(g, 1, 0)) return false;
  return spc__ssz_is_progressive(type) ? gindex_down_progressive(g, leaf)
                                       : spc__ssz_g_down(g, type->tree_depth, leaf);
}

static spc_status gindex_element(const spc_ssz_type **type, uint64_t step,
                                 spc_ssz_position *position) {
  const spc_ssz_type *own = *type;
  bool bits = spc__ssz_has(own, SPC__SSZ_BITS), packed = spc__ssz_has(own, SPC__SSZ_PACKED);
  if (spc__ssz_is_progressive(own) ? step >> 60 != 0 : step >= own->limit) return SPC_OUT_OF_RANGE;
  uint64_t size = bits ? 1 : packed ? 8 * spc__ssz_element(own)->fixed_size : 256;
  uint64_t per_leaf = 256 / size;
  if (!gindex_down_leaf(own, &position->gindex, step / per_leaf)) return SPC_SIZE_LIMIT;
  position->bit_offset = (uint16_t)(step % per_leaf * size);
  position->bit_length = (uint16_t)size;
  *type = bits ? NULL : spc__ssz_element(own);
  return SPC_OK;
}

static spc_status gindex_field(const spc_ssz_type **type, uint64_t step,
                               spc_ssz_position *position) {
  const spc_ssz_type *own = *type;
  if (step >= own->member_count) return SPC_NOT_FOUND;
  const spc__ssz_member *member = &spc__ssz_members(own)[step];
  spc_ssz_gindex *g = &position->gindex;
  bool fits = own->kind == SPC_SSZ_CONTAINER
                  ? spc__ssz_g_down(g, spc__ssz_depth_for(own->member_count), step)
                  : spc__ssz_g_down(g, 1, 0) && gindex_down_progressive(g, member->position);
  *type = spc__ssz_member_type(member);
  return fits ? SPC_OK : SPC_SIZE_LIMIT;
}

static spc_status gindex_step(const spc_ssz_type **type, uint64_t step,
                              spc_ssz_position *position) {
  const spc_ssz_type *own = *type;
  bool is_union = spc__ssz_is_union(own);
  bool mixed = (step == SPC_SSZ_STEP_LENGTH && spc__ssz_has(own, SPC__SSZ_GROWS)) ||
               (step == SPC_SSZ_STEP_SELECTOR && is_union) ||
               (step == SPC_SSZ_STEP_ACTIVE && own->kind == SPC_SSZ_PROGRESSIVE_CONTAINER);
  if (mixed) {
    *type = NULL;
    return spc__ssz_g_down(&position->gindex, 1, 1) ? SPC_OK : SPC_SIZE_LIMIT;
  }
  if (spc__ssz_is_sequence(own))
    return step >= SPC_SSZ_STEP_DATA ? SPC_NOT_FOUND : gindex_element(type, step, position);
  if (spc__ssz_is_container(own)) return gindex_field(type, step, position);
  if (!is_union) return SPC_NOT_FOUND;
  const spc__ssz_member *option = step > 127 ? NULL : spc__ssz_option(own, (unsigned)step);
  if (option == NULL && step != SPC_SSZ_STEP_DATA) return SPC_NOT_FOUND;
  *type = option == NULL || option->type == 0 ? NULL : spc__ssz_member_type(option);
  return spc__ssz_g_down(&position->gindex, 1, 0) ? SPC_OK : SPC_SIZE_LIMIT;
}

spc_status spc_ssz_path_position(const spc_ssz_type *type, const uint64_t *path, size_t steps,
                                 spc_ssz_position *position) {
  *position = (spc_ssz_position){{0, 1}, 0, 256};
  for (size_t i = 0; i < steps; i++) {
    if (type == NULL) return SPC_NOT_FOUND;
    spc_status status = gindex_step(&type, path[i], position);
    if (status != SPC_OK) return status;
  }
  if (type != NULL && spc__ssz_is_basic(type) && position->bit_length == 256)
    position->bit_length = (uint16_t)(8 * type->fixed_size);
  return SPC_OK;
}

/* ---- Back ---- */

/* A walk down: the node's lowest `left` bits are still to go. */
typedef struct gindex_walk {
  spc_ssz_gindex gindex;
  unsigned left;
} gindex_walk;

/* Takes `count` bits; false if there are fewer (then the node is inside the tree at hand). */
static bool gindex_take(gindex_walk *walk, unsigned count, uint64_t *bits) {
  if (walk->left < count) return false;
  walk->left -= count;
  *bits = spc__ssz_g_bits(walk->gindex, walk->left, count);
  return true;
}

static bool gindex_take_progressive(gindex_walk *walk, uint64_t *leaf) {
  uint64_t bit = 1;
  unsigned j = 0;
  while (gindex_take(walk, 1, &bit) && bit == 1)
    j++;
  if (bit == 1 || j > 30 || !gindex_take(walk, 2 * j, leaf)) return false;
  *leaf += spc__ssz_leaves_before(j);
  return true;
}

static bool gindex_take_leaf(const spc_ssz_type *type, gindex_walk *walk, uint64_t *leaf) {
  return spc__ssz_is_progressive(type) ? gindex_take_progressive(walk, leaf)
                                       : gindex_take(walk, type->tree_depth, leaf);
}

/* One part down; `*found` says whether the node is in its tree. SPC_NO_SUCH_NODE. */
static spc_status gindex_back(const spc_ssz_type **type, gindex_walk *walk, uint64_t *step,
                              bool *found) {
  const spc_ssz_type *own = *type;
  gindex_walk next = *walk;
  uint64_t bit = 0, leaf = 0;
  *found = false;
  if (walk->left == 0) return SPC_OK;
  if (spc__ssz_is_basic(own)) return SPC_NO_SUCH_NODE;
  bool mixes = spc__ssz_has(own, SPC__SSZ_GROWS) || spc__ssz_is_union(own) ||
               own->kind == SPC_SSZ_PROGRESSIVE_CONTAINER;
  if (mixes) gindex_take(&next, 1, &bit);
  if (bit == 1) {
    if (next.left != 0) return SPC_NO_SUCH_NODE;
    *step = spc__ssz_is_union(own)      ? SPC_SSZ_STEP_SELECTOR
            : spc__ssz_is_sequence(own) ? SPC_SSZ_STEP_LENGTH
                                        : SPC_SSZ_STEP_ACTIVE;
    *type = NULL;
  } else if (spc__ssz_is_union(own)) {
    if (next.left != 0) return SPC_OK; /* what is there depends on the value */
    *step = SPC_SSZ_STEP_DATA;
    *type = NULL;
  } else if (spc__ssz_is_sequence(own)) {
    if (!gindex_take_leaf(own, &next, &leaf)) return SPC_OK;
    uint64_t per_leaf = spc__ssz_has(own, SPC__SSZ_BITS) ? 256
                        : spc__ssz_has(own, SPC__SSZ_PACKED)
                            ? 32 / spc__ssz_element(own)->fixed_size
                            : 1;
    *step = leaf * per_leaf;
    bool beyond = !spc__ssz_is_progressive(own) && leaf >= spc__ssz_leaves(own, own->limit);
    if (beyond) return next.left == 0 ? SPC_OK : SPC_NO_SUCH_NODE;
    *type = spc__ssz_has(own, SPC__SSZ_BITS) ? NULL : spc__ssz_element(own);
  } else {
    bool progressive = own->kind == SPC_SSZ_PROGRESSIVE_CONTAINER;
    bool reached = progressive ? gindex_take_progressive(&next, &leaf)
                               : gindex_take(&next, spc__ssz_depth_for(own->member_count), &leaf);
    if (!reached) return SPC_OK;
    uint32_t i = 0;
    while (i < own->member_count && spc__ssz_members(own)[i].position != leaf)
      i++;
    if (i == own->member_count) return next.left == 0 ? SPC_OK : SPC_NO_SUCH_NODE;
    *step = i;
    *type = spc__ssz_member_type(&spc__ssz_members(own)[i]);
  }
  *found = true;
  *walk = next;
  return SPC_OK;
}

spc_status spc_ssz_gindex_path(const spc_ssz_type *type, spc_ssz_gindex gindex, uint64_t *path,
                               size_t capacity, size_t *steps, spc_ssz_gindex *inside) {
  *steps = 0;
  if (spc__ssz_g_is_zero(gindex)) return SPC_NO_SUCH_NODE;
  gindex_walk walk = {gindex, spc__ssz_g_depth(gindex)};
  bool found = true;
  while (found) {
    uint64_t step = 0;
    if (type == NULL) {
      if (walk.left != 0) return SPC_NO_SUCH_NODE;
      break;
    }
    spc_status status = gindex_back(&type, &walk, &step, &found);
    if (status != SPC_OK) return status;
    if (!found) break;
    if (*steps == capacity) return SPC_BUFFER_TOO_SMALL;
    path[(*steps)++] = step;
  }
  *inside = (spc_ssz_gindex){0, 1};
  spc_ssz_gindex top = spc__ssz_g_shift(*inside, walk.left);
  spc_ssz_gindex rest = {walk.left > 64 ? spc__ssz_g_bits(gindex, 64, walk.left - 64) : 0,
                         spc__ssz_g_bits(gindex, 0, walk.left)};
  *inside = (spc_ssz_gindex){top.high | rest.high, top.low | rest.low};
  return SPC_OK;
}
