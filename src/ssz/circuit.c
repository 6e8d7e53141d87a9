/*
 * Circuits: the tree is walked twice, once to count and once to write. Operations come out in
 * depth-first order with their level (1 + the larger level of the operands); a stable counting sort
 * by level and one renaming pass make the order in which they can be hashed batch by batch.
 * Recursion is bounded by the type's depth and, inside a type, by the depth of its own tree.
 */
#include "ssz/circuit.h"

#include <string.h>

/* SPC_SSZ_MAX_DEPTH types, each with at most 5 spine nodes, a subtree of depth 8 and a mix-in. */
#define CIRCUIT_MAX_LEVELS (SPC_SSZ_MAX_DEPTH * 14)

typedef struct circuit_writer {
  spc__ssz_leaf *leaves; /* NULL while counting */
  spc__ssz_op *ops;
  uint8_t *constants;
  spc__ssz_member *members; /* of the outermost type, to set first_leaf */
  uint32_t leaf_count, op_count, constant_count;
  bool inlined; /* whether the walk is inside a member of the outermost type */
} circuit_writer;

static uint32_t circuit_emit(circuit_writer *w, const spc_ssz_type *type, uint32_t data);

static uint32_t circuit_leaf(circuit_writer *w, uint32_t data, uint32_t length) {
  if (w->leaves != NULL)
    w->leaves[w->leaf_count] = (spc__ssz_leaf){data, (uint16_t)length, 0, SPC__SSZ_NO_OP};
  return w->leaf_count++;
}

static uint32_t circuit_level(const circuit_writer *w, uint32_t operand) {
  if ((operand & SPC__SSZ_OPERAND) != SPC__SSZ_OP || w->ops == NULL) return 0;
  return w->ops[operand & ~SPC__SSZ_OPERAND].parent;
}

/* While writing, `parent` holds the level. */
static uint32_t circuit_op(circuit_writer *w, uint32_t left, uint32_t right) {
  if (left == right && (left & SPC__SSZ_OPERAND) == SPC__SSZ_ZERO) return left + 1;
  if (w->ops != NULL) {
    uint32_t l = circuit_level(w, left), r = circuit_level(w, right);
    w->ops[w->op_count] = (spc__ssz_op){left, right, 1 + (l > r ? l : r)};
  }
  return SPC__SSZ_OP + w->op_count++;
}

static uint32_t circuit_chunk(circuit_writer *w, const spc_ssz_type *type, uint64_t index,
                              uint32_t data) {
  uint64_t left = type->fixed_size - 32 * index;
  return circuit_leaf(w, data + (uint32_t)(32 * index), left < 32 ? (uint32_t)left : 32u);
}

static uint32_t circuit_member(circuit_writer *w, const spc_ssz_type *type, uint32_t ordinal,
                               uint32_t data) {
  const spc__ssz_member *member = &spc__ssz_members(type)[ordinal];
  if (!w->inlined && w->members != NULL) w->members[ordinal].first_leaf = w->leaf_count;
  const spc_ssz_type *field = spc__ssz_member_type(member);
  if (!spc__ssz_has(field, SPC__SSZ_FLAT)) return circuit_leaf(w, data + member->data, 0);
  bool inlined = w->inlined;
  w->inlined = true;
  uint32_t root = circuit_emit(w, field, data + member->data);
  w->inlined = inlined;
  return root;
}

/* Leaf `index` of the type's own tree; progressive containers have gaps. */
static uint32_t circuit_input(circuit_writer *w, const spc_ssz_type *type, uint64_t index,
                              uint32_t data) {
  if (type->kind == SPC_SSZ_CONTAINER) return circuit_member(w, type, (uint32_t)index, data);
  if (type->kind == SPC_SSZ_PROGRESSIVE_CONTAINER) {
    const spc__ssz_member *members = spc__ssz_members(type);
    for (uint32_t i = 0; i < type->member_count; i++)
      if (members[i].position == index) return circuit_member(w, type, i, data);
    return SPC__SSZ_ZERO;
  }
  if (type->kind == SPC_SSZ_VECTOR && spc__ssz_has(type, SPC__SSZ_INLINE))
    return circuit_emit(w, spc__ssz_element(type),
                        data + (uint32_t)(index * spc__ssz_element(type)->fixed_size));
  return circuit_chunk(w, type, index, data);
}

static uint64_t circuit_inputs(const spc_ssz_type *type) {
  if (type->kind == SPC_SSZ_CONTAINER) return type->member_count;
  if (type->kind == SPC_SSZ_PROGRESSIVE_CONTAINER) return type->limit;
  return spc__ssz_leaves(type, type->limit);
}

static uint32_t circuit_tree(circuit_writer *w, const spc_ssz_type *type, uint32_t data,
                             uint64_t first, unsigned depth) {
  if (first >= circuit_inputs(type)) return SPC__SSZ_ZERO + depth;
  if (depth == 0) return circuit_input(w, type, first, data);
  uint32_t left = circuit_tree(w, type, data, first, depth - 1);
  uint32_t right = circuit_tree(w, type, data, first + (UINT64_C(1) << (depth - 1)), depth - 1);
  return circuit_op(w, left, right);
}

/* At most 256 positions, so the chain has at most five subtrees. */
static uint32_t circuit_progressive(circuit_writer *w, const spc_ssz_type *type, uint32_t data,
                                    unsigned j) {
  uint64_t first = spc__ssz_leaves_before(j);
  if (first >= circuit_inputs(type)) return SPC__SSZ_ZERO;
  uint32_t left = circuit_tree(w, type, data, first, 2 * j);
  return circuit_op(w, left, circuit_progressive(w, type, data, j + 1));
}

static uint32_t circuit_active_fields(circuit_writer *w, const spc_ssz_type *type) {
  if (w->constants != NULL) {
    uint8_t *chunk = w->constants + 32 * w->constant_count;
    memset(chunk, 0, 32);
    const spc__ssz_member *members = spc__ssz_members(type);
    for (uint32_t i = 0; i < type->member_count; i++)
      chunk[members[i].position / 8] |= (uint8_t)(1u << (members[i].position % 8));
  }
  return SPC__SSZ_CONSTANT + w->constant_count++;
}

static uint32_t circuit_emit(circuit_writer *w, const spc_ssz_type *type, uint32_t data) {
  if (spc__ssz_is_basic(type)) return circuit_chunk(w, type, 0, data);
  if (type->kind != SPC_SSZ_PROGRESSIVE_CONTAINER)
    return circuit_tree(w, type, data, 0, spc__ssz_depth_for(circuit_inputs(type)));
  uint32_t root = circuit_progressive(w, type, data, 0);
  return circuit_op(w, root, circuit_active_fields(w, type));
}

uint64_t spc__ssz_circuit_ops(const spc_ssz_type *type) {
  circuit_writer counter = {0};
  circuit_emit(&counter, type, 0);
  return counter.op_count;
}

/* Moves every operation to its place: `parent` holds the new index of each. */
static void circuit_permute(spc__ssz_op *ops, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    while (ops[i].parent != i) {
      uint32_t to = ops[i].parent;
      spc__ssz_op moved = ops[to];
      ops[to] = ops[i];
      ops[i] = moved;
    }
}

static uint32_t circuit_renamed(const spc__ssz_op *ops, uint32_t operand) {
  if ((operand & SPC__SSZ_OPERAND) != SPC__SSZ_OP) return operand;
  return SPC__SSZ_OP + ops[operand & ~SPC__SSZ_OPERAND].parent;
}

static void circuit_link(spc__ssz_leaf *leaves, spc__ssz_op *ops, uint32_t operand, uint32_t op) {
  uint32_t index = operand & ~SPC__SSZ_OPERAND;
  if ((operand & SPC__SSZ_OPERAND) == 0) leaves[index].parent = op;
  if ((operand & SPC__SSZ_OPERAND) == SPC__SSZ_OP) ops[index].parent = op;
}

/* Sorts by level, renames the operands, links parents; fills levels and pure. */
static uint32_t circuit_order(spc__ssz_leaf *leaves, spc__ssz_op *ops, uint32_t count,
                              uint32_t root, uint32_t *levels, uint8_t *pure,
                              uint32_t level_count) {
  uint32_t next[CIRCUIT_MAX_LEVELS] = {0};
  for (uint32_t i = 0; i < count; i++)
    next[ops[i].parent - 1]++;
  uint32_t start = 0;
  for (uint32_t l = 0; l < level_count; l++) {
    levels[l] = start;
    start += next[l];
    next[l] = levels[l];
  }
  levels[level_count] = start;
  for (uint32_t i = 0; i < count; i++)
    ops[i].parent = next[ops[i].parent - 1]++;
  for (uint32_t i = 0; i < count; i++) {
    ops[i].left = circuit_renamed(ops, ops[i].left);
    ops[i].right = circuit_renamed(ops, ops[i].right);
  }
  root = circuit_renamed(ops, root);
  circuit_permute(ops, count);
  for (uint32_t i = 0; i < count; i++)
    ops[i].parent = SPC__SSZ_NO_OP;
  for (uint32_t i = 0; i < count; i++) {
    circuit_link(leaves, ops, ops[i].left, i);
    circuit_link(leaves, ops, ops[i].right, i);
  }
  for (uint32_t l = 0; l < level_count; l++) {
    uint32_t below = l == 0 ? 0 : levels[l - 1], first = levels[l], end = levels[l + 1];
    pure[l] = l != 0 && 2 * (end - first) == first - below;
    for (uint32_t i = first; i < end && pure[l]; i++)
      pure[l] = ops[i].left == SPC__SSZ_OP + below + 2 * (i - first) &&
                ops[i].right == SPC__SSZ_OP + below + 2 * (i - first) + 1;
  }
  return root;
}

/* While writing, the levels are in `parent`. */
static uint32_t circuit_levels(const spc__ssz_op *ops, uint32_t count) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    if (ops[i].parent > most) most = ops[i].parent;
  return most;
}

static bool circuit_alloc(spc_arena *arena, size_t size, uint32_t *offset) {
  *offset = 0;
  return spc_arena_alloc(arena, size == 0 ? 1 : size, offset) == SPC_OK;
}

spc_status spc__ssz_circuit_build(spc_arena *arena, spc_ssz_type_id id) {
  circuit_writer counter = {0};
  circuit_emit(&counter, (const spc_ssz_type *)spc_arena_at(arena, id), 0);
  uint32_t circuit_at, leaves_at, ops_at, constants_at, levels_at, pure_at;
  if (!circuit_alloc(arena, sizeof(spc__ssz_circuit), &circuit_at) ||
      !circuit_alloc(arena, counter.leaf_count * sizeof(spc__ssz_leaf), &leaves_at) ||
      !circuit_alloc(arena, counter.op_count * sizeof(spc__ssz_op), &ops_at) ||
      !circuit_alloc(arena, (size_t)counter.constant_count * 32, &constants_at))
    return SPC_OUT_OF_MEMORY;
  spc_ssz_type *type = (spc_ssz_type *)spc_arena_at(arena, id);
  circuit_writer writer = {
      .leaves = (spc__ssz_leaf *)spc_arena_at(arena, leaves_at),
      .ops = (spc__ssz_op *)spc_arena_at(arena, ops_at),
      .constants = (uint8_t *)spc_arena_at(arena, constants_at),
      .members =
          type->members == 0 ? NULL : (spc__ssz_member *)(void *)((uint8_t *)type + type->members),
  };
  uint32_t root = circuit_emit(&writer, type, 0);
  uint32_t level_count = circuit_levels(writer.ops, writer.op_count);
  if (level_count > CIRCUIT_MAX_LEVELS) return SPC_DEPTH_LIMIT;
  if (!circuit_alloc(arena, (level_count + 1) * sizeof(uint32_t), &levels_at) ||
      !circuit_alloc(arena, level_count, &pure_at))
    return SPC_OUT_OF_MEMORY;
  root = circuit_order((spc__ssz_leaf *)spc_arena_at(arena, leaves_at),
                       (spc__ssz_op *)spc_arena_at(arena, ops_at), writer.op_count, root,
                       (uint32_t *)spc_arena_at(arena, levels_at),
                       (uint8_t *)spc_arena_at(arena, pure_at), level_count);
  spc__ssz_circuit *circuit = (spc__ssz_circuit *)spc_arena_at(arena, circuit_at);
  *circuit = (spc__ssz_circuit){
      .leaf_count = counter.leaf_count,
      .op_count = counter.op_count,
      .level_count = level_count,
      .constant_count = counter.constant_count,
      .root = root,
      .leaves = (int32_t)(leaves_at - circuit_at),
      .ops = (int32_t)(ops_at - circuit_at),
      .levels = (int32_t)(levels_at - circuit_at),
      .pure = (int32_t)(pure_at - circuit_at),
      .constants = (int32_t)(constants_at - circuit_at),
  };
  type = (spc_ssz_type *)spc_arena_at(arena, id);
  type->circuit = (int32_t)circuit_at - (int32_t)id;
  return SPC_OK;
}
