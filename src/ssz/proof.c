/*
 * Proofs. All of them fold nodes in descending order of their indices: the sorted input and the
 * queue of parents made so far are two descending lists, so the next node is the larger of the two
 * heads; its sibling is the one after it, or has to come from the proof. Nothing is recursive, work
 * memory is a few words for each node, and what malformed input can cause is a status.
 */
#include <string.h>

#include "base/error.h"
#include "spicule/sha2.h"
#include "ssz/gindex.h"

typedef struct proof_node {
  spc_ssz_gindex gindex;
  uint8_t hash[32];
} proof_node;

/* Restores the arena to where it was. */
static void proof_give_back(spc_arena *arena, size_t used) {
  arena->used = used;
}

/* Memory of `size` bytes, and the certainty that `spare` more will not move the arena. */
static bool proof_alloc(spc_arena *arena, size_t size, size_t spare, void **memory) {
  uint32_t at, unused;
  if (spc_arena_alloc(arena, size, &at) != SPC_OK) return false;
  size_t used = arena->used;
  bool fits = spare == 0 || spc_arena_alloc(arena, spare, &unused) == SPC_OK;
  proof_give_back(arena, used);
  *memory = spc_arena_at(arena, at);
  return fits;
}

/* ---- Sorting: a heap sort, since quadratic time and recursion are both out ---- */

typedef bool (*proof_before_fn)(const proof_node *a, const proof_node *b);

static bool proof_larger(const proof_node *a, const proof_node *b) {
  return spc__ssz_g_less(b->gindex, a->gindex);
}

/* Order of a pre-order walk over nodes of which none is below another. */
static bool proof_left_of(const proof_node *a, const proof_node *b) {
  unsigned depth_a = spc__ssz_g_depth(a->gindex), depth_b = spc__ssz_g_depth(b->gindex);
  if (depth_a <= depth_b)
    return spc__ssz_g_less(a->gindex, spc__ssz_g_up(b->gindex, depth_b - depth_a));
  return spc__ssz_g_less(spc__ssz_g_up(a->gindex, depth_a - depth_b), b->gindex);
}

static void proof_sift(proof_node *nodes, size_t root, size_t count, proof_before_fn before) {
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count) return;
    if (child + 1 < count && before(&nodes[child], &nodes[child + 1])) child++;
    if (!before(&nodes[root], &nodes[child])) return;
    proof_node moved = nodes[root];
    nodes[root] = nodes[child];
    nodes[child] = moved;
    root = child;
  }
}

static void proof_sort(proof_node *nodes, size_t count, proof_before_fn before) {
  for (size_t i = count / 2; i-- > 0;)
    proof_sift(nodes, i, count, before);
  for (size_t end = count; end > 1; end--) {
    proof_node moved = nodes[0];
    nodes[0] = nodes[end - 1];
    nodes[end - 1] = moved;
    proof_sift(nodes, 0, end - 1, before);
  }
}

/* ---- Folding ---- */

/* The parents are in a ring: each step takes one node or two and makes one. */
typedef struct proof_fold {
  proof_node *given, *made;
  size_t given_left, made_first, made_left, count;
} proof_fold;

static proof_node *proof_head(proof_fold *fold) {
  proof_node *made = fold->made_left != 0 ? &fold->made[fold->made_first] : NULL;
  if (fold->given_left == 0) return made;
  if (made == NULL || !proof_larger(made, fold->given)) return fold->given;
  return made;
}

static proof_node *proof_next(proof_fold *fold) {
  proof_node *head = proof_head(fold);
  if (head == NULL) return NULL;
  if (fold->given_left != 0 && head == fold->given) {
    fold->given++;
    fold->given_left--;
  } else {
    fold->made_first = (fold->made_first + 1) % fold->count;
    fold->made_left--;
  }
  return head;
}

/* 0 if that is too much. */
static size_t proof_fold_size(size_t count) {
  return count > UINT32_MAX / (2 * sizeof(proof_node)) ? 0 : 2 * count * sizeof(proof_node);
}

/*
 * Sorts copies of the indices and prepares the fold. SPC_BAD_PROOF for none or a zero; duplicates
 * and ancestors show while folding.
 */
static spc_status proof_open(proof_fold *fold, const spc_ssz_gindex *gindices,
                             const uint8_t *leaves, size_t count, spc_arena *scratch) {
  if (count == 0) return SPC_BAD_PROOF;
  void *memory;
  size_t size = proof_fold_size(count);
  if (size == 0 || !proof_alloc(scratch, size, 0, &memory)) return SPC_OUT_OF_MEMORY;
  *fold = (proof_fold){.given = (proof_node *)memory, .given_left = count, .count = count};
  fold->made = fold->given + count;
  for (size_t i = 0; i < count; i++) {
    if (spc__ssz_g_is_zero(gindices[i])) return SPC_BAD_PROOF;
    fold->given[i].gindex = gindices[i];
    if (leaves != NULL) memcpy(fold->given[i].hash, leaves + 32 * i, 32);
  }
  proof_sort(fold->given, count, proof_larger);
  return SPC_OK;
}

static bool proof_is_root(const proof_node *node) {
  return node->gindex.high == 0 && node->gindex.low == 1;
}

static void proof_parent(proof_fold *fold, const proof_node *node, const uint8_t *sibling) {
  proof_node parent = {spc__ssz_g_up(node->gindex, 1), {0}};
  if (sibling != NULL) {
    uint8_t pair[64];
    bool right = (node->gindex.low & 1) != 0;
    memcpy(pair + (right ? 32 : 0), node->hash, 32);
    memcpy(pair + (right ? 0 : 32), sibling, 32);
    spc_sha256_pairs(parent.hash, pair, 1);
  }
  fold->made[(fold->made_first + fold->made_left++) % fold->count] = parent;
}

/* Whether the node that comes next is the same one: given twice, or above one that was given. */
static bool proof_repeats(proof_fold *fold, const proof_node *node) {
  const proof_node *head = proof_head(fold);
  return head != NULL && spc__ssz_g_equal(head->gindex, node->gindex);
}

static proof_node *proof_sibling(proof_fold *fold, const proof_node *node) {
  proof_node *head = proof_head(fold);
  if (head == NULL || !spc__ssz_g_equal(head->gindex, spc__ssz_g_sibling(node->gindex)))
    return NULL;
  return proof_next(fold);
}

spc_status spc_ssz_proof_helpers(const spc_ssz_gindex *gindices, size_t count,
                                 spc_ssz_gindex *helpers, size_t capacity, size_t *helper_count,
                                 spc_arena *scratch) {
  size_t used = scratch->used;
  proof_fold fold;
  *helper_count = 0;
  spc_status status = proof_open(&fold, gindices, NULL, count, scratch);
  while (status == SPC_OK) {
    proof_node node = *proof_next(&fold);
    if (proof_repeats(&fold, &node)) status = SPC_BAD_PROOF;
    if (status != SPC_OK || proof_is_root(&node)) break;
    const proof_node *sibling = proof_sibling(&fold, &node);
    if (sibling == NULL) {
      if (*helper_count < capacity) helpers[*helper_count] = spc__ssz_g_sibling(node.gindex);
      ++*helper_count;
    } else if (proof_repeats(&fold, sibling)) {
      status = SPC_BAD_PROOF;
    }
    proof_parent(&fold, &node, NULL);
  }
  proof_give_back(scratch, used);
  if (status == SPC_OK && *helper_count > capacity) status = SPC_BUFFER_TOO_SMALL;
  return status;
}

spc_status spc_ssz_verify_proof(const spc_ssz_gindex *gindices, const uint8_t *leaves, size_t count,
                                const uint8_t *proof, size_t proof_count, const uint8_t root[32],
                                bool *ok, spc_arena *scratch) {
  size_t used = scratch->used;
  proof_fold fold;
  *ok = false;
  spc_status status = proof_open(&fold, gindices, leaves, count, scratch);
  while (status == SPC_OK) {
    proof_node node = *proof_next(&fold);
    if (proof_repeats(&fold, &node)) status = SPC_BAD_PROOF;
    if (status != SPC_OK) break;
    if (proof_is_root(&node)) {
      if (proof_count != 0) status = SPC_BAD_PROOF;
      *ok = status == SPC_OK && memcmp(node.hash, root, 32) == 0;
      break;
    }
    const proof_node *sibling = proof_sibling(&fold, &node);
    const uint8_t *hash = sibling == NULL ? proof : sibling->hash;
    if (sibling == NULL ? proof_count == 0 : proof_repeats(&fold, sibling)) {
      status = SPC_BAD_PROOF;
      break;
    }
    if (sibling == NULL) {
      proof += 32;
      proof_count--;
    }
    proof_parent(&fold, &node, hash);
  }
  proof_give_back(scratch, used);
  return status;
}

spc_status spc_ssz_prove(const spc_ssz_value *self, const spc_ssz_gindex *gindices, size_t count,
                         uint8_t *proof, size_t capacity, size_t *proof_count, spc_arena *scratch) {
  size_t used = scratch->used;
  void *helpers = NULL;
  spc_status status = spc_ssz_proof_helpers(gindices, count, NULL, 0, proof_count, scratch);
  if (status != SPC_OK && status != SPC_BUFFER_TOO_SMALL) return status;
  if (*proof_count > capacity) return SPC_BUFFER_TOO_SMALL;
  if (!proof_alloc(scratch, *proof_count * sizeof(spc_ssz_gindex), proof_fold_size(count),
                   &helpers)) {
    proof_give_back(scratch, used);
    return SPC_OUT_OF_MEMORY;
  }
  size_t found;
  uint8_t hash[32];
  status = spc_ssz_proof_helpers(gindices, count, (spc_ssz_gindex *)helpers, *proof_count, &found,
                                 scratch);
  for (size_t i = 0; i < count && status == SPC_OK; i++)
    status = spc_ssz_node(self, gindices[i], hash);
  for (size_t i = 0; i < *proof_count && status == SPC_OK; i++)
    status = spc_ssz_node(self, ((spc_ssz_gindex *)helpers)[i], proof + 32 * i);
  proof_give_back(scratch, used);
  return status;
}

/* ---- Compact ---- */

typedef struct proof_bits {
  uint8_t *bytes;
  size_t capacity, count; /* bytes, bits */
} proof_bits;

static void proof_bit(proof_bits *bits, bool bit) {
  size_t at = bits->count++ / 8;
  if (at >= bits->capacity) return;
  if (bits->count % 8 == 1) bits->bytes[at] = 0;
  if (bit) bits->bytes[at] |= (uint8_t)(0x80u >> ((bits->count - 1) % 8));
}

static unsigned proof_common_depth(spc_ssz_gindex a, spc_ssz_gindex b) {
  unsigned depth_a = spc__ssz_g_depth(a), depth_b = spc__ssz_g_depth(b);
  unsigned depth = depth_a < depth_b ? depth_a : depth_b;
  a = spc__ssz_g_up(a, depth_a - depth);
  b = spc__ssz_g_up(b, depth_b - depth);
  spc_ssz_gindex differ = {a.high ^ b.high, a.low ^ b.low};
  return spc__ssz_g_is_zero(differ) ? depth : depth - 1 - spc__ssz_g_depth(differ);
}

spc_status spc_ssz_prove_compact(const spc_ssz_value *self, const spc_ssz_gindex *gindices,
                                 size_t count, uint8_t *descriptor, size_t capacity, size_t *length,
                                 uint8_t *hashes, size_t hash_capacity, size_t *hash_count,
                                 spc_arena *scratch) {
  size_t used = scratch->used, helper_count;
  void *helpers = NULL, *memory = NULL;
  *length = *hash_count = 0;
  spc_status status = spc_ssz_proof_helpers(gindices, count, NULL, 0, &helper_count, scratch);
  if (status != SPC_OK && status != SPC_BUFFER_TOO_SMALL) return status;
  *hash_count = count + helper_count;
  *length = (2 * *hash_count - 1 + 7) / 8;
  if (*length > capacity || *hash_count > hash_capacity) return SPC_BUFFER_TOO_SMALL;
  size_t helper_bytes = helper_count * sizeof(spc_ssz_gindex);
  if (!proof_alloc(scratch, *hash_count * sizeof(proof_node),
                   helper_bytes + 2 * SPC_ARENA_ALIGNMENT + proof_fold_size(count), &memory) ||
      !proof_alloc(scratch, helper_bytes, proof_fold_size(count), &helpers)) {
    proof_give_back(scratch, used);
    return SPC_OUT_OF_MEMORY;
  }
  proof_node *nodes = (proof_node *)memory;
  status = spc_ssz_proof_helpers(gindices, count, (spc_ssz_gindex *)helpers, helper_count,
                                 &helper_count, scratch);
  for (size_t i = 0; i < *hash_count; i++)
    nodes[i].gindex = i < count ? gindices[i] : ((spc_ssz_gindex *)helpers)[i - count];
  proof_sort(nodes, *hash_count, proof_left_of);
  proof_bits bits = {descriptor, capacity, 0};
  for (size_t i = 0; i < *hash_count && status == SPC_OK; i++) {
    unsigned depth = spc__ssz_g_depth(nodes[i].gindex), inner = depth;
    if (i != 0) inner -= proof_common_depth(nodes[i - 1].gindex, nodes[i].gindex) + 1;
    while (inner-- != 0)
      proof_bit(&bits, false);
    proof_bit(&bits, true);
    status = spc_ssz_node(self, nodes[i].gindex, hashes + 32 * i);
  }
  proof_give_back(scratch, used);
  return status;
}

/* A walk over a descriptor: gives the nodes in order. */
typedef struct proof_reader {
  const uint8_t *bytes;
  size_t length, bit;
  spc_ssz_gindex gindex; /* of the node that comes next */
  bool end;
} proof_reader;

/* The next hash's index; SPC_BAD_PROOF. After the last one `end` is set. */
static spc_status proof_read(proof_reader *r, spc_ssz_gindex *gindex) {
  for (;; r->bit++) {
    if (r->bit / 8 >= r->length) return SPC_BAD_PROOF;
    if ((r->bytes[r->bit / 8] >> (7 - r->bit % 8) & 1) != 0) break;
    if (!spc__ssz_g_down(&r->gindex, 1, 0)) return SPC_BAD_PROOF;
  }
  r->bit++;
  *gindex = r->gindex;
  while ((r->gindex.low & 1) != 0 && !spc__ssz_g_is_zero(spc__ssz_g_up(r->gindex, 1)))
    r->gindex = spc__ssz_g_up(r->gindex, 1);
  r->end = r->gindex.high == 0 && r->gindex.low == 1;
  if (!r->end) {
    r->gindex = spc__ssz_g_sibling(r->gindex);
    return SPC_OK;
  }
  bool whole = (r->bit + 7) / 8 == r->length;
  unsigned spare = whole ? r->bytes[r->length - 1] & (0xffu >> ((r->bit - 1) % 8 + 1)) : 0;
  return whole && spare == 0 ? SPC_OK : SPC_BAD_PROOF;
}

spc_status spc_ssz_compact_gindices(const uint8_t *descriptor, size_t length,
                                    spc_ssz_gindex *gindices, size_t capacity, size_t *count) {
  proof_reader reader = {descriptor, length, 0, {0, 1}, false};
  *count = 0;
  while (!reader.end) {
    spc_ssz_gindex gindex;
    spc_status status = proof_read(&reader, &gindex);
    if (status != SPC_OK) return status;
    if (*count < capacity) gindices[*count] = gindex;
    ++*count;
  }
  return *count > capacity ? SPC_BUFFER_TOO_SMALL : SPC_OK;
}

spc_status spc_ssz_verify_compact(const uint8_t *descriptor, size_t length, const uint8_t *hashes,
                                  size_t hash_count, const uint8_t root[32], bool *ok) {
  proof_reader reader = {descriptor, length, 0, {0, 1}, false};
  uint8_t left[128][32]; /* by depth: left siblings that wait for their right one */
  uint8_t pair[64];
  size_t taken = 0;
  *ok = false;
  while (!reader.end) {
    spc_ssz_gindex gindex;
    spc_status status = proof_read(&reader, &gindex);
    if (status != SPC_OK) return status;
    if (taken == hash_count) return SPC_BAD_PROOF;
    memcpy(pair + 32, hashes + 32 * taken++, 32);
    unsigned depth = spc__ssz_g_depth(gindex);
    for (; depth != 0 && (gindex.low & 1) != 0; depth--) {
      memcpy(pair, left[depth], 32);
      spc_sha256_pairs(pair, pair, 1);
      memcpy(pair + 32, pair, 32);
      gindex = spc__ssz_g_up(gindex, 1);
    }
    memcpy(left[depth], pair + 32, 32);
  }
  if (taken != hash_count) return SPC_BAD_PROOF;
  *ok = memcmp(left[0], root, 32) == 0;
  return SPC_OK;
}
