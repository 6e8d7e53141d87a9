/*
 * Hashing. Results of a circuit over many elements are laid out level by level, inside a level
 * element by element, inside an element operation by operation: the outputs of a level are then
 * contiguous, and where a level reads the one below in order it is hashed without a copy.
 */
#include "ssz/merkle.h"

#include <string.h>

#include "base/bytes.h"
#include "spicule/sha2.h"

void spc__ssz_pairs(spc__ssz_work *work, uint8_t *out, const uint8_t *in, size_t count) {
  spc_sha256_pairs(out, in, count);
  work->hashes += count;
}

void spc__ssz_hash(spc__ssz_work *work, uint8_t out[32], const uint8_t *left,
                   const uint8_t *right) {
  uint8_t pair[64];
  memcpy(pair, left, 32);
  memcpy(pair + 32, right, 32);
  spc__ssz_pairs(work, out, pair, 1);
}

void spc__ssz_job(spc__ssz_work *work, uint8_t *out, const uint8_t *left, const uint8_t *right) {
  if (work->count == SPC__SSZ_JOBS) spc__ssz_jobs_run(work);
  memcpy(work->in + 64 * work->count, left, 32);
  memcpy(work->in + 64 * work->count + 32, right, 32);
  work->to[work->count++] = out;
}

void spc__ssz_jobs_run(spc__ssz_work *work) {
  if (work->count == 1) {
    spc__ssz_pairs(work, work->to[0], work->in, 1);
  } else if (work->count != 0) {
    spc__ssz_pairs(work, work->out, work->in, work->count);
    for (size_t i = 0; i < work->count; i++)
      memcpy(work->to[i], work->out + 32 * i, 32);
  }
  work->count = 0;
}

void spc__ssz_mix_length(spc__ssz_work *work, uint8_t root[32], uint64_t length) {
  uint8_t pair[64] = {0};
  memcpy(pair, root, 32);
  spc__store64_le(pair + 32, length);
  spc__ssz_pairs(work, root, pair, 1);
}

/* ---- Circuits ---- */

static const spc__ssz_leaf *merkle_leaves(const spc__ssz_circuit *circuit) {
  return (const spc__ssz_leaf *)spc__ssz_at(circuit, circuit->leaves);
}

static const spc__ssz_op *merkle_ops(const spc__ssz_circuit *circuit) {
  return (const spc__ssz_op *)spc__ssz_at(circuit, circuit->ops);
}

static const uint32_t *merkle_levels(const spc__ssz_circuit *circuit) {
  return (const uint32_t *)spc__ssz_at(circuit, circuit->levels);
}

static inline void merkle_put_leaf(uint8_t *to, const spc__ssz_leaf *leaf, const uint8_t *data) {
  const uint8_t *from = data + leaf->data;
  if (leaf->length == 8) {
    memcpy(to, from, 8);
    memset(to + 8, 0, 24);
  } else if (leaf->length == 32) {
    memcpy(to, from, 32);
  } else if (leaf->length == 0) {
    const spc__ssz_head *child;
    memcpy(&child, from, sizeof child);
    memcpy(to, child->root, 32);
  } else {
    memset(to, 0, 32);
    memcpy(to, from, leaf->length);
  }
}

/* Where the results of level l begin, for `count` elements; the last level may be elsewhere. */
typedef struct merkle_run {
  const spc__ssz_circuit *circuit;
  const uint8_t *const *data;
  size_t count;
  uint8_t *results, *last;
} merkle_run;

static uint8_t *merkle_level_results(const merkle_run *run, uint32_t level) {
  if (level + 1 == run->circuit->level_count) return run->last;
  return run->results + 32 * run->count * merkle_levels(run->circuit)[level];
}

/* `level` is that of the operation that reads the operand. */
static inline void merkle_put(const merkle_run *run, uint32_t operand, uint32_t level,
                              size_t element, uint8_t *to) {
  const spc__ssz_circuit *circuit = run->circuit;
  uint32_t index = operand & ~SPC__SSZ_OPERAND;
  switch (operand & SPC__SSZ_OPERAND) {
  case 0:
    merkle_put_leaf(to, &merkle_leaves(circuit)[index], run->data[element]);
    break;
  case SPC__SSZ_OP: {
    const uint32_t *levels = merkle_levels(circuit);
    do
      level--;
    while (index < levels[level]);
    size_t width = levels[level + 1] - levels[level];
    memcpy(to, merkle_level_results(run, level) + 32 * (element * width + index - levels[level]),
           32);
    break;
  }
  case SPC__SSZ_ZERO:
    memcpy(to, spc__ssz_zeros[index], 32);
    break;
  default:
    memcpy(to, (const uint8_t *)spc__ssz_at(circuit, circuit->constants) + 32 * (size_t)index, 32);
  }
}

static void merkle_run_level(spc__ssz_work *work, const merkle_run *run, uint32_t level) {
  const uint32_t *levels = merkle_levels(run->circuit);
  const spc__ssz_op *ops = merkle_ops(run->circuit);
  const uint8_t *pure = (const uint8_t *)spc__ssz_at(run->circuit, run->circuit->pure);
  size_t width = levels[level + 1] - levels[level];
  uint8_t *out = merkle_level_results(run, level);
  if (pure[level]) {
    spc__ssz_pairs(work, out, merkle_level_results(run, level - 1), run->count * width);
    return;
  }
  size_t waiting = 0;
  for (size_t element = 0; element < run->count; element++)
    for (uint32_t i = levels[level]; i < levels[level + 1]; i++) {
      uint8_t *to = work->in + 64 * waiting;
      merkle_put(run, ops[i].left, level, element, to);
      merkle_put(run, ops[i].right, level, element, to + 32);
      if (++waiting < SPC__SSZ_JOBS) continue;
      spc__ssz_pairs(work, out, work->in, waiting);
      out += 32 * waiting;
      waiting = 0;
    }
  if (waiting != 0) spc__ssz_pairs(work, out, work->in, waiting);
}

size_t spc__ssz_circuit_batch(const spc__ssz_circuit *circuit) {
  size_t count = circuit->op_count == 0 ? SPC__SSZ_BATCH : SPC__SSZ_BUFFER / 32 / circuit->op_count;
  if (count > SPC__SSZ_BATCH) return SPC__SSZ_BATCH;
  return count;
}

void spc__ssz_circuit_roots(spc__ssz_work *work, const spc__ssz_circuit *circuit,
                            const uint8_t *const *data, size_t count, uint8_t *out) {
  merkle_run run = {circuit, data, count, work->buffer, out};
  if (circuit->op_count == 0)
    for (size_t i = 0; i < count; i++)
      merkle_put(&run, circuit->root, 0, i, out + 32 * i);
  for (uint32_t level = 0; level < circuit->level_count; level++)
    merkle_run_level(work, &run, level);
}

void spc__ssz_circuit_results(spc__ssz_work *work, const spc__ssz_circuit *circuit,
                              const uint8_t *data, uint8_t *results) {
  if (circuit->op_count == 0) return;
  merkle_run run = {circuit, &data, 1, results, results + 32 * (size_t)(circuit->op_count - 1)};
  for (uint32_t level = 0; level < circuit->level_count; level++)
    merkle_run_level(work, &run, level);
}

void spc__ssz_operand(const spc__ssz_circuit *circuit, uint32_t operand, const uint8_t *data,
                      const uint8_t *results, uint8_t out[32]) {
  if ((operand & SPC__SSZ_OPERAND) == SPC__SSZ_OP) {
    memcpy(out, results + 32 * (size_t)(operand & ~SPC__SSZ_OPERAND), 32);
    return;
  }
  merkle_run run = {circuit, &data, 1, NULL, NULL};
  merkle_put(&run, operand, 0, 0, out);
}

void spc__ssz_circuit_update(spc__ssz_work *work, const spc__ssz_circuit *circuit,
                             const uint8_t *data, uint8_t *results, uint64_t *dirty) {
  const spc__ssz_op *ops = merkle_ops(circuit);
  const uint32_t *levels = merkle_levels(circuit);
  uint32_t level = 0;
  for (uint32_t word = 0; 64 * word < circuit->op_count; word++)
    while (dirty[word] != 0) {
      uint32_t i = 64 * word + (uint32_t)__builtin_ctzll(dirty[word]);
      dirty[word] &= dirty[word] - 1;
      if (i >= levels[level + 1]) {
        spc__ssz_jobs_run(work);
        while (i >= levels[level + 1])
          level++;
      }
      uint8_t left[32], right[32];
      spc__ssz_operand(circuit, ops[i].left, data, results, left);
      spc__ssz_operand(circuit, ops[i].right, data, results, right);
      spc__ssz_job(work, results + 32 * (size_t)i, left, right);
      uint32_t parent = ops[i].parent;
      if (parent != SPC__SSZ_NO_OP) dirty[parent / 64] |= UINT64_C(1) << (parent % 64);
    }
  spc__ssz_jobs_run(work);
}

/* ---- Streams ---- */

void spc__ssz_stream_open(spc__ssz_stream *self, bool progressive) {
  self->count = 0;
  self->tail_count = 0;
  self->trees = 0;
  self->progressive = progressive;
}

/* Adds the root of a full subtree of depth k at a position that is a multiple of its size. */
static void merkle_carry(spc__ssz_stream *self, spc__ssz_work *work, const uint8_t *root,
                         unsigned k) {
  uint8_t carried[32];
  memcpy(carried, root, 32);
  uint64_t old = self->count;
  self->count += UINT64_C(1) << k;
  for (; (old >> k & 1) != 0; k++)
    spc__ssz_hash(work, carried, self->pending[k], carried);
  memcpy(self->pending[k], carried, 32);
}

/* Reduces `count` nodes of level `level`, followed by room for one more, by one level. */
static size_t merkle_halve(spc__ssz_work *work, uint8_t *nodes, size_t count, unsigned level) {
  if (count % 2 != 0) memcpy(nodes + 32 * count++, spc__ssz_zeros[level], 32);
  spc__ssz_pairs(work, nodes, nodes, count / 2);
  return count / 2;
}

static void merkle_tree_root(spc__ssz_stream *self, spc__ssz_work *work, unsigned depth,
                             uint8_t root[32]) {
  uint64_t left = self->count;
  unsigned level = 0;
  if (self->tail_count != 0) {
    size_t count = self->tail_count;
    for (; level < 4 && level < depth; level++)
      count = merkle_halve(work, self->tail[0], count, level);
    memcpy(root, self->tail[0], 32);
  } else if (left != 0) {
    level = (unsigned)__builtin_ctzll(left);
    left &= left - 1;
    memcpy(root, self->pending[level], 32);
  } else {
    memcpy(root, spc__ssz_zeros[depth], 32);
    level = depth;
  }
  for (; level < depth; level++)
    if ((left >> level & 1) != 0)
      spc__ssz_hash(work, root, self->pending[level], root);
    else
      spc__ssz_hash(work, root, root, spc__ssz_zeros[level]);
  self->count = 0;
  self->tail_count = 0;
}

static void merkle_add_tree(spc__ssz_stream *self, spc__ssz_work *work) {
  merkle_tree_root(self, work, 2 * self->trees, self->tree[self->trees]);
  self->trees++;
}

void spc__ssz_stream_add(spc__ssz_stream *self, spc__ssz_work *work, const uint8_t *leaves,
                         uint64_t count) {
  while (count != 0) {
    uint64_t room = UINT64_MAX;
    if (self->progressive)
      room = (UINT64_C(1) << (2 * self->trees)) - self->count - self->tail_count;
    uint64_t most = count < room ? count : room, taken = 1;
    if (self->tail_count == 0 && most >= 16) {
      unsigned k = 4;
      while (k < 10 && UINT64_C(2) << k <= most && (self->count >> k & 1) == 0)
        k++;
      taken = UINT64_C(1) << k;
      spc__ssz_pairs(work, work->buffer, leaves, (size_t)taken / 2);
      for (size_t n = (size_t)taken / 4; n != 0; n /= 2)
        spc__ssz_pairs(work, work->buffer, work->buffer, n);
      merkle_carry(self, work, work->buffer, k);
    } else {
      memcpy(self->tail[self->tail_count++], leaves, 32);
      if (self->tail_count == 16) {
        for (size_t n = 8; n != 0; n /= 2)
          spc__ssz_pairs(work, self->tail[0], self->tail[0], n);
        merkle_carry(self, work, self->tail[0], 4);
        self->tail_count = 0;
      }
    }
    leaves += 32 * taken;
    count -= taken;
    if (taken == room) merkle_add_tree(self, work);
  }
}

void spc__ssz_stream_close(spc__ssz_stream *self, spc__ssz_work *work, unsigned depth,
                           uint8_t root[32]) {
  if (!self->progressive) {
    merkle_tree_root(self, work, depth, root);
    return;
  }
  if (self->count != 0 || self->tail_count != 0) merkle_add_tree(self, work);
  memset(root, 0, 32);
  for (uint32_t j = self->trees; j-- > 0;)
    spc__ssz_hash(work, root, self->tree[j], root);
}
