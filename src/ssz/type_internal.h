/*
 * The compiled form of a type. References are byte distances from the structure that holds them,
 * 0 meaning none, so that the arena block is position-independent.
 *
 * How values of a type are stored follows from the type alone:
 *   flat     fixed size of at most 1 KiB, and a small circuit: inside a parent it is its SSZ bytes
 *   record   basic values and containers: flat fields as bytes, other fields as child objects
 *   sequence lists and vectors of any sort: a tree of pages (flat elements) or child objects
 *   union    a selector and a child object
 * A circuit is the fixed Merkle tree of a flat or record type as a list of hash operations in
 * level order; its inputs are chunks of bytes, roots of children and constants.
 */
#ifndef SPC_SSZ_TYPE_INTERNAL_H
#define SPC_SSZ_TYPE_INTERNAL_H

#include "spicule/ssz.h"

#define SPC__SSZ_PAGE_BYTES   1024u /* most bytes of a page, and of a flat value */
#define SPC__SSZ_FLAT_OPS     512u  /* most hash operations of a flat value */
#define SPC__SSZ_UNBOUNDED    UINT64_MAX
#define SPC__SSZ_OFFSET_BYTES 4u

typedef struct spc__ssz_member {
  int32_t type;           /* 0 for None */
  int32_t name;           /* zero-terminated */
  uint32_t name_length;   /* without the zero */
  uint16_t position;      /* in the tree; selector of an option */
  uint16_t next_variable; /* the next member of variable size; the member count if none */
  uint64_t wire;          /* where its bytes or its offset are in the fixed part */
  uint32_t data;          /* where its bytes or its child pointer are in a record */
  uint32_t first_leaf;    /* of the circuit */
} spc__ssz_member;

/* Operands of an operation: leaf i is i, operation i is SPC__SSZ_OP + i, the root of an empty tree
 * of depth k is SPC__SSZ_ZERO + k, constant i is SPC__SSZ_CONSTANT + i. */
#define SPC__SSZ_OP       0x40000000u
#define SPC__SSZ_ZERO     0x80000000u
#define SPC__SSZ_CONSTANT 0xc0000000u
#define SPC__SSZ_OPERAND  0xc0000000u /* mask of the above */
#define SPC__SSZ_NO_OP    UINT32_MAX

typedef struct spc__ssz_leaf {
  uint32_t data;   /* offset in the flat or record data */
  uint16_t length; /* bytes, 1 to 32, or 0: the pointer of a child */
  uint16_t unused;
  uint32_t parent; /* operation that reads it, or SPC__SSZ_NO_OP */
} spc__ssz_leaf;

typedef struct spc__ssz_op {
  uint32_t left, right;
  uint32_t parent; /* operation that reads the result, or SPC__SSZ_NO_OP */
} spc__ssz_op;

typedef struct spc__ssz_circuit {
  uint32_t leaf_count, op_count, level_count, constant_count;
  uint32_t root; /* operand */
  int32_t leaves, ops;
  int32_t levels; /* uint32_t[level_count + 1]: first operation of each level */
  int32_t pure;   /* uint8_t[level_count]: level reads the results of the one below in order */
  int32_t constants;
} spc__ssz_circuit;

#define SPC__SSZ_FIXED      1u /* one serialized size */
#define SPC__SSZ_FLAT       2u
#define SPC__SSZ_CHECKED    4u   /* flat bytes can be invalid (booleans, bit vector padding) */
#define SPC__SSZ_NO_DEFAULT 8u   /* holds a compatible union */
#define SPC__SSZ_PACKED     16u  /* sequence: basic elements or bits, 32-byte leaves */
#define SPC__SSZ_INLINE     32u  /* sequence: leaves are flat elements; else child objects */
#define SPC__SSZ_BITS       64u  /* sequence: of bits */
#define SPC__SSZ_GROWS      128u /* sequence: has a length of its own (not a vector) */

struct spc_ssz_type {
  uint8_t kind;
  uint8_t depth; /* 1 for basic types */
  uint16_t flags;
  uint32_t member_count;
  uint64_t limit;
  uint64_t fixed_size; /* 0 if not fixed; saturates */
  uint64_t min_size, max_size;
  uint64_t fixed_part;     /* containers: length of the part with the offsets */
  uint32_t first_variable; /* the first member of variable size; the member count if none */
  int32_t element, members, name, circuit, previous;
  /* sequences */
  uint32_t leaf_bytes; /* of a page; 0 for children */
  uint32_t page_bytes; /* leaf_bytes << page_depth */
  uint8_t page_depth;  /* log2 of the leaves of a page */
  uint8_t tree_depth;  /* bounded: from the root to the leaves */
  uint8_t head_trees;  /* progressive: how many subtrees share the head page */
  uint8_t unused;
  uint32_t head_leaves; /* their leaves */
  /* records */
  uint32_t flat_bytes;   /* bytes of the flat fields */
  uint32_t child_count;  /* child pointers, after the flat bytes rounded up to 8 */
  uint32_t record_bytes; /* both */
  uint32_t dirty_shift;  /* field >> dirty_shift is the bit of the dirty mask */
};

static inline const void *spc__ssz_at(const void *base, int32_t distance) {
  return (const uint8_t *)base + distance;
}

static inline const spc_ssz_type *spc__ssz_element(const spc_ssz_type *type) {
  return (const spc_ssz_type *)spc__ssz_at(type, type->element);
}

static inline const spc__ssz_member *spc__ssz_members(const spc_ssz_type *type) {
  return (const spc__ssz_member *)spc__ssz_at(type, type->members);
}

static inline const spc_ssz_type *spc__ssz_member_type(const spc__ssz_member *member) {
  return (const spc_ssz_type *)spc__ssz_at(member, member->type);
}

static inline const char *spc__ssz_member_name(const spc__ssz_member *member) {
  return (const char *)spc__ssz_at(member, member->name);
}

static inline const spc__ssz_circuit *spc__ssz_type_circuit(const spc_ssz_type *type) {
  return (const spc__ssz_circuit *)spc__ssz_at(type, type->circuit);
}

static inline bool spc__ssz_has(const spc_ssz_type *type, unsigned flag) {
  return (type->flags & flag) != 0;
}

static inline bool spc__ssz_is_sequence(const spc_ssz_type *type) {
  return type->kind >= SPC_SSZ_BITVECTOR && type->kind <= SPC_SSZ_PROGRESSIVE_LIST;
}

static inline bool spc__ssz_is_container(const spc_ssz_type *type) {
  return type->kind == SPC_SSZ_CONTAINER || type->kind == SPC_SSZ_PROGRESSIVE_CONTAINER;
}

static inline bool spc__ssz_is_union(const spc_ssz_type *type) {
  return type->kind >= SPC_SSZ_UNION;
}

static inline bool spc__ssz_is_basic(const spc_ssz_type *type) {
  return type->kind <= SPC_SSZ_BOOLEAN;
}

static inline bool spc__ssz_is_progressive(const spc_ssz_type *type) {
  return type->kind == SPC_SSZ_PROGRESSIVE_LIST || type->kind == SPC_SSZ_PROGRESSIVE_BITLIST ||
         type->kind == SPC_SSZ_PROGRESSIVE_CONTAINER;
}

/* Whether elements are bytes, shown as one hexadecimal string in JSON. */
static inline bool spc__ssz_is_bytes(const spc_ssz_type *type) {
  return type->element != 0 && spc__ssz_element(type)->kind == SPC_SSZ_BYTE;
}

/*
 * Fields of a container to be built: the caller's array, or entries in the builder's arena, which
 * may move meanwhile.
 */
typedef struct spc__ssz_field_entry {
  uint32_t name; /* arena offset of the zero-terminated name */
  spc_ssz_type_id type;
} spc__ssz_field_entry;

typedef struct spc__ssz_fields {
  const spc_ssz_field *array; /* or NULL */
  const spc_arena *arena;
  uint32_t entries;
  size_t count;
} spc__ssz_fields;

static inline spc_ssz_field spc__ssz_field_at(const spc__ssz_fields *fields, size_t index) {
  if (fields->array != NULL) return fields->array[index];
  const spc__ssz_field_entry *entry =
      (const spc__ssz_field_entry *)spc_arena_at(fields->arena, fields->entries) + index;
  return (spc_ssz_field){(const char *)spc_arena_at(fields->arena, entry->name), entry->type};
}

/* As the two public functions; `active` NULL: a plain container. */
spc_ssz_type_id spc__ssz_build_container(spc_ssz_builder *self, const char *name,
                                         const spc__ssz_fields *fields, const bool *active,
                                         size_t active_count);

/* The option with the selector, or NULL. */
const spc__ssz_member *spc__ssz_option(const spc_ssz_type *type, unsigned selector);

/* Depth of the smallest binary tree with at least `leaves` leaves. */
static inline unsigned spc__ssz_depth_for(uint64_t leaves) {
  return leaves <= 1 ? 0u : 64u - (unsigned)__builtin_clzll(leaves - 1);
}

/* Leaves of a sequence of `length` elements. */
static inline uint64_t spc__ssz_leaves(const spc_ssz_type *type, uint64_t length) {
  if (spc__ssz_has(type, SPC__SSZ_BITS)) return length / 256 + (length % 256 != 0);
  if (!spc__ssz_has(type, SPC__SSZ_PACKED)) return length;
  uint64_t per_leaf = 32u / spc__ssz_element(type)->fixed_size;
  return length / per_leaf + (length % per_leaf != 0);
}

/* Leaves in the progressive subtrees before subtree j: (4^j - 1) / 3; j at most 31. */
static inline uint64_t spc__ssz_leaves_before(unsigned j) {
  return ((UINT64_C(1) << (2 * j)) - 1) / 3;
}

/* The progressive subtree of a leaf (below 2^62). */
static inline unsigned spc__ssz_subtree_of(uint64_t leaf) {
  return (63u - (unsigned)__builtin_clzll(3 * leaf + 1)) >> 1;
}

#endif
