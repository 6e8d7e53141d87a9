/*
 * SSZ (Simple Serialize): types as data, values in persistent page trees, Merkle roots and proofs.
 *
 * Rules: ethereum/consensus-specs 1.7.0-alpha.13, ssz/simple-serialize.md and merkle-proofs.md;
 * EIP-7916 (progressive lists), EIP-7495 (progressive containers), EIP-8016 (compatible unions).
 * Lengths, limits and positions are 64-bit on every platform.
 */
#ifndef SPICULE_SSZ_H
#define SPICULE_SSZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spicule/arena.h"
#include "spicule/status.h"

SPC_BEGIN_DECLS

/* ---- Types ----------------------------------------------------------------------------------- */

typedef enum spc_ssz_kind {
  SPC_SSZ_UINT = 1,
  SPC_SSZ_BYTE, /* uint8 on the wire and in the tree, hexadecimal in JSON */
  SPC_SSZ_BOOLEAN,
  SPC_SSZ_BITVECTOR,
  SPC_SSZ_BITLIST,
  SPC_SSZ_PROGRESSIVE_BITLIST,
  SPC_SSZ_VECTOR,
  SPC_SSZ_LIST,
  SPC_SSZ_PROGRESSIVE_LIST,
  SPC_SSZ_CONTAINER,
  SPC_SSZ_PROGRESSIVE_CONTAINER,
  SPC_SSZ_UNION, /* the legacy union: selectors count from 0, option 0 may be None */
  SPC_SSZ_COMPATIBLE_UNION
} spc_ssz_kind;

/* Types nest at most this deep; every recursion of this module is bounded by it. */
#define SPC_SSZ_MAX_DEPTH 32

/* Most fields of one container. */
#define SPC_SSZ_MAX_FIELDS 4096

/*
 * A type: read-only tables in the arena of its builder or schema. All references inside are
 * relative, so the block may be copied or moved as a whole; a pointer to a type is valid until the
 * arena moves or is reset, and no value of the type may outlive it.
 */
typedef struct spc_ssz_type spc_ssz_type;

/* A type while it is built: its offset in the arena; 0 after a failure. */
typedef uint32_t spc_ssz_type_id;

typedef struct spc_ssz_field {
  const char *name; /* zero-terminated: ASCII letters, digits and underscores */
  spc_ssz_type_id type;
} spc_ssz_field;

/*
 * Builds types. The first failure sticks: later calls return 0 and spc_ssz_build_finish reports
 * it, so calls nest without checks in between. What was built before is not built again: the same
 * definition gives the same type, and takes no memory; nor does one that fails. Fields are private.
 */
typedef struct spc_ssz_builder {
  spc_arena *arena;
  spc_ssz_type_id last;
  spc_error error;
} spc_ssz_builder;

/* Starts building in `arena`, which has to outlive the builder and the types. */
SPC_API void spc_ssz_build_init(spc_ssz_builder *self, spc_arena *arena);

/* An unsigned integer of 8, 16, 32, 64, 128 or 256 bits. */
SPC_API spc_ssz_type_id spc_ssz_build_uint(spc_ssz_builder *self, unsigned bits);
SPC_API spc_ssz_type_id spc_ssz_build_byte(spc_ssz_builder *self);
SPC_API spc_ssz_type_id spc_ssz_build_boolean(spc_ssz_builder *self);
/* `length` at least 1 for the vectors, else SPC_ZERO_LENGTH; a limit of 0 is legal. */
SPC_API spc_ssz_type_id spc_ssz_build_bitvector(spc_ssz_builder *self, uint64_t length);
SPC_API spc_ssz_type_id spc_ssz_build_bitlist(spc_ssz_builder *self, uint64_t limit);
SPC_API spc_ssz_type_id spc_ssz_build_progressive_bitlist(spc_ssz_builder *self);
SPC_API spc_ssz_type_id spc_ssz_build_vector(spc_ssz_builder *self, spc_ssz_type_id element,
                                             uint64_t length);
SPC_API spc_ssz_type_id spc_ssz_build_list(spc_ssz_builder *self, spc_ssz_type_id element,
                                           uint64_t limit);
SPC_API spc_ssz_type_id spc_ssz_build_progressive_list(spc_ssz_builder *self,
                                                       spc_ssz_type_id element);
/*
 * A container. `name` may be NULL. Refused: no fields (SPC_NO_FIELDS), more than
 * SPC_SSZ_MAX_FIELDS (SPC_COUNT_LIMIT), a name twice or not a name (SPC_BAD_NAME).
 */
SPC_API spc_ssz_type_id spc_ssz_build_container(spc_ssz_builder *self, const char *name,
                                                const spc_ssz_field *fields, size_t count);
/*
 * A progressive container; `active[i]` says whether tree position i has a field. Refused with
 * SPC_BAD_ACTIVE_FIELDS: more than 256 positions, an inactive last one, or a number of active
 * ones that is not `count`.
 */
SPC_API spc_ssz_type_id spc_ssz_build_progressive_container(spc_ssz_builder *self, const char *name,
                                                            const spc_ssz_field *fields,
                                                            size_t count, const bool *active,
                                                            size_t active_count);
/*
 * The legacy union; option i has selector i. `options[0]` may be SPC_SSZ_NONE if there are others.
 * Refused: no options (SPC_NO_FIELDS), None elsewhere or alone, more than 128 (SPC_BAD_SELECTOR).
 */
#define SPC_SSZ_NONE UINT32_MAX
SPC_API spc_ssz_type_id spc_ssz_build_union(spc_ssz_builder *self, const spc_ssz_type_id *options,
                                            size_t count);
/*
 * A compatible union: `selectors[i]` (1 to 127, ascending) picks `options[i]`. Refused: no options
 * (SPC_NO_FIELDS), selectors out of range or order (SPC_BAD_SELECTOR), two options whose trees
 * could differ (SPC_INCOMPATIBLE_OPTIONS).
 */
SPC_API spc_ssz_type_id spc_ssz_build_compatible_union(spc_ssz_builder *self,
                                                       const uint8_t *selectors,
                                                       const spc_ssz_type_id *options,
                                                       size_t count);

/*
 * Gives the type of `id`, or the first failure of the builder, which then is ready for further
 * types: one of the statuses above, SPC_DEPTH_LIMIT, SPC_OUT_OF_MEMORY (arena),
 * SPC_INVALID_ARGUMENT (an id of 0, bits not listed). `error->index` is the field or option in
 * question, `error->path` its name.
 */
SPC_API spc_status spc_ssz_build_finish(spc_ssz_builder *self, spc_ssz_type_id id,
                                        const spc_ssz_type **type, spc_error *error);

/* Named types of one schema text. Fields are private. */
typedef struct spc_ssz_schema {
  spc_ssz_builder builder;
  uint32_t names; /* arena offset of the table of names */
  uint32_t count;
} spc_ssz_schema;

/*
 * Reads a schema: a JSON object {name: definition}, or, with `section` not NULL, the member of
 * that name of the JSON object (a fork). A definition is a type text, or
 *   {"kind": "Container", "fields": [["name", "type text"], ...]}
 *   {"kind": "ProgressiveContainer", "fields": ...,
 *    "active_fields": [1, 0, 1] or "101"}
 *   {"kind": "CompatibleUnion", "options": {"1": "type text", ...}}
 *   {"kind": "Union", "options": ["type text or None", ...]}
 * in any order; a definition may come after its use. Type texts: uint8 ... uint256, byte, boolean
 * or bool, BitVector[N], BitList[N], ProgressiveBitList, Vector[T, N], List[T, N],
 * ProgressiveList[T], ByteVector[N] or BytesN, ByteList[N], ProgressiveByteList, Union[T, ...],
 * CompatibleUnion({1: T, ...}), or a name of the schema; capitals inside words do not matter for
 * the built-in names. `text` is not kept.
 * Beside the statuses of the builders: SPC_MALFORMED (JSON, with offset), SPC_BAD_TYPE_TEXT,
 * SPC_UNDEFINED_TYPE, SPC_RECURSIVE_TYPE, SPC_NOT_FOUND (the section). `error->path` names
 * the definition and field, such as "BeaconState.balances". After a failure the arena is as it was.
 */
SPC_API spc_status spc_ssz_schema_read(spc_ssz_schema *self, spc_arena *arena, const char *text,
                                       size_t length, const char *section, spc_error *error);

/* A schema without names, for type texts alone. */
SPC_API void spc_ssz_schema_init(spc_ssz_schema *self, spc_arena *arena);

/*
 * The type of a type text (`length` bytes), which may use the names of the schema. New types go to
 * the arena of the schema; what it has already and what fails take nothing. Statuses as above.
 */
SPC_API spc_status spc_ssz_schema_type(spc_ssz_schema *self, const char *text, size_t length,
                                       const spc_ssz_type **type, spc_error *error);

/* The names of the schema in their order of definition; NULL past the end. */
SPC_API const char *spc_ssz_schema_name(const spc_ssz_schema *self, size_t index);

/* Looking at a type. */
SPC_API spc_ssz_kind spc_ssz_type_kind(const spc_ssz_type *type);
/* The name of a container, or "". */
SPC_API const char *spc_ssz_type_name(const spc_ssz_type *type);
/* Whether all values have one size. */
SPC_API bool spc_ssz_type_is_fixed(const spc_ssz_type *type);
/* Whether values inside others are stored as their SSZ bytes in one piece: see spc_ssz_peek. */
SPC_API bool spc_ssz_type_is_flat(const spc_ssz_type *type);
/* Smallest and largest serialized size in bytes; UINT64_MAX where there is no bound. */
SPC_API uint64_t spc_ssz_type_min_size(const spc_ssz_type *type);
SPC_API uint64_t spc_ssz_type_max_size(const spc_ssz_type *type);
/* Length of a vector or bit vector, limit of a list or bit list, bits of an integer; else 0. */
SPC_API uint64_t spc_ssz_type_limit(const spc_ssz_type *type);
/* Element type of a vector or list, else NULL. */
SPC_API const spc_ssz_type *spc_ssz_type_element(const spc_ssz_type *type);
/* Number of fields of a container or options of a union, else 0. */
SPC_API size_t spc_ssz_type_field_count(const spc_ssz_type *type);
/* Field or option `index` (below the count): its type (NULL for None) ... */
SPC_API const spc_ssz_type *spc_ssz_type_field(const spc_ssz_type *type, size_t index);
/* ... its name ("" for options), and its position in the tree, or its selector. */
SPC_API const char *spc_ssz_type_field_name(const spc_ssz_type *type, size_t index);
SPC_API unsigned spc_ssz_type_field_position(const spc_ssz_type *type, size_t index);
/* Finds a field by name. SPC_NOT_FOUND. */
SPC_API spc_status spc_ssz_type_find_field(const spc_ssz_type *type, const char *name,
                                           size_t length, size_t *index);

/* ---- Bytes ----------------------------------------------------------------------------------- */

/*
 * Checks that `length` bytes are one value of the type: every rule of the specification, in time
 * linear in `length`. The functions below that read SSZ bytes run the same check first. Statuses:
 *   SPC_TRUNCATED, SPC_TRAILING_BYTES, SPC_WRONG_LENGTH   the size does not fit the type
 *   SPC_BAD_BOOLEAN, SPC_BAD_BIT_PADDING, SPC_NO_DELIMITER
 *   SPC_BAD_OFFSET    not at the end of the fixed part, decreasing, or past the end
 *   SPC_OVER_LIMIT    more elements than the limit of a list or bit list
 *   SPC_UNKNOWN_OPTION  a selector without option
 *   SPC_SIZE_LIMIT    2^32 bytes or more in a scope that has offsets
 * `error->offset` is the byte, `error->path` the field, such as "validators[5].slashed". `limit` of
 * SPC_WRONG_LENGTH is the number of elements of a vector, or the size of an element, of which the
 * length has to be a multiple.
 */
SPC_API spc_status spc_ssz_validate(const spc_ssz_type *type, const uint8_t *bytes, size_t length,
                                    spc_error *error);

/* Work memory of spc_ssz_root_of_bytes, in bytes; aligned to 8. */
#define SPC_SSZ_WORK_SIZE 262144u

/*
 * The root of the value in `bytes`, computed without building it, in the memory of `work`
 * (SPC_SSZ_WORK_SIZE bytes, contents irrelevant) whatever the length. Statuses of validation.
 */
SPC_API spc_status spc_ssz_root_of_bytes(const spc_ssz_type *type, const uint8_t *bytes,
                                         size_t length, void *work, uint8_t root[32],
                                         spc_error *error);

/* ---- Pools ----------------------------------------------------------------------------------- */

/*
 * Called when a pool is full: returns a further block of at least `needed` bytes, aligned to 16,
 * and stores its size in `*size`; or NULL. Blocks stay in use, and where they are, until the pool
 * is dropped as a whole.
 */
typedef void *(*spc_ssz_more_fn)(void *user, size_t needed, size_t *size);

/*
 * Memory of values, made of blocks that the caller gives. Freed parts are used again. One thread at
 * a time. Fields are private.
 */
typedef struct spc_ssz_pool {
  uint8_t *next, *end;
  void *free[152];
  uint64_t used, peak, limit;
  spc_ssz_more_fn more;
  void *user;
  void *work;
} spc_ssz_pool;

/*
 * Makes a pool over `memory` (`size` bytes, aligned to 16) that hands out at most `limit` bytes;
 * SPC_SSZ_WORK_SIZE bytes are its own. `more` may be NULL. SPC_OUT_OF_MEMORY when there is not
 * enough for the work memory.
 */
SPC_API spc_status spc_ssz_pool_init(spc_ssz_pool *self, void *memory, size_t size, uint64_t limit,
                                     spc_ssz_more_fn more, void *user);

/* Bytes in use now, and the most that ever were. */
SPC_API uint64_t spc_ssz_pool_used(const spc_ssz_pool *self);
SPC_API uint64_t spc_ssz_pool_peak(const spc_ssz_pool *self);

/* 64-byte blocks hashed for the values of this pool since it was made. */
SPC_API uint64_t spc_ssz_pool_hashes(const spc_ssz_pool *self);

/* ---- Values ---------------------------------------------------------------------------------- */

/*
 * A variable that holds a value. Values are persistent: spc_ssz_clone costs a reference, and what
 * happens to one variable never shows in another; a change copies the pages on its path only, and
 * is in place where nobody else holds them. A change is made at once and as a whole, or not at all.
 * Fields are private; a variable is moved, not copied, by assignment. Every variable that a
 * function has filled needs one spc_ssz_release.
 */
typedef struct spc_ssz_value {
  spc_ssz_pool *pool;
  const spc_ssz_type *type;
  void *object;
} spc_ssz_value;

/*
 * Paths: steps from a value to a part of it. A step is the index of a field (in order of
 * definition, also in progressive containers), the index of an element or bit, the selector of an
 * option (there while the union holds it), or one of the following. Functions with `path, steps`
 * work on the part there; steps 0 means the value itself.
 */
#define SPC_SSZ_STEP_LENGTH   UINT64_MAX       /* the length mixed into a list's root */
#define SPC_SSZ_STEP_SELECTOR (UINT64_MAX - 1) /* of a union */
#define SPC_SSZ_STEP_ACTIVE   (UINT64_MAX - 2) /* the active fields of a progressive container */
#define SPC_SSZ_STEP_DATA     (UINT64_MAX - 3) /* what a union holds */

/*
 * Reads a path text such as "validators[5].slashed" or "balances.__len__" (also "__selector__",
 * "__active_fields__", "data" of a union, or "[1]" for its option 1) into `path`, which has room
 * for `capacity` steps; their number goes to `*steps`. Indices are not compared with the lengths of
 * values. SPC_NOT_FOUND: no such field or part; SPC_MALFORMED: not a path; both with the offset.
 * SPC_BUFFER_TOO_SMALL.
 */
SPC_API spc_status spc_ssz_path_read(const spc_ssz_type *type, const char *text, size_t length,
                                     uint64_t *path, size_t capacity, size_t *steps,
                                     spc_error *error);

/* The type of the part, or NULL where there is none, or where it depends on the value (unions). */
SPC_API const spc_ssz_type *spc_ssz_path_type(const spc_ssz_type *type, const uint64_t *path,
                                              size_t steps);

/*
 * Finds the part of the value in `bytes` without reading the rest: only the offsets on the way are
 * checked. Its place goes to `*offset` and `*size`, its type to `*part`. Bits can't be located.
 * SPC_OUT_OF_RANGE: no such part; statuses of validation.
 */
SPC_API spc_status spc_ssz_locate(const spc_ssz_type *type, const uint8_t *bytes, size_t length,
                                  const uint64_t *path, size_t steps, const spc_ssz_type **part,
                                  size_t *offset, size_t *size, spc_error *error);

/* The default value of the type. SPC_NO_DEFAULT, SPC_OUT_OF_MEMORY. */
SPC_API spc_status spc_ssz_default(spc_ssz_pool *pool, const spc_ssz_type *type,
                                   spc_ssz_value *value);

/* The value of `bytes`. Statuses of validation, SPC_OUT_OF_MEMORY. */
SPC_API spc_status spc_ssz_deserialize(spc_ssz_pool *pool, const spc_ssz_type *type,
                                       const uint8_t *bytes, size_t length, spc_ssz_value *value,
                                       spc_error *error);

/* A second variable with the same value. SPC_COUNT_LIMIT after 2^32 - 1 of them. */
SPC_API spc_status spc_ssz_clone(const spc_ssz_value *self, spc_ssz_value *copy);

/* Empties a variable; one that is empty already stays so. */
SPC_API void spc_ssz_release(spc_ssz_value *self);

/* Size of the serialized value in bytes. */
SPC_API uint64_t spc_ssz_size(const spc_ssz_value *self);

/*
 * Writes the value to `out` (`capacity` bytes), its size to `*length`. SPC_BUFFER_TOO_SMALL, with
 * the size in `error->limit`; SPC_SIZE_LIMIT: 2^32 bytes or more where there are offsets.
 */
SPC_API spc_status spc_ssz_serialize(const spc_ssz_value *self, uint8_t *out, size_t capacity,
                                     size_t *length, spc_error *error);

/*
 * The root. Roots of all parts are kept, so that a later call only hashes what lies on the way
 * from changed parts. SPC_OUT_OF_MEMORY: a few KiB of work memory are needed.
 */
SPC_API spc_status spc_ssz_root(const spc_ssz_value *self, uint8_t root[32]);

/* Whether the root is known already, so that spc_ssz_root hashes nothing. */
SPC_API bool spc_ssz_root_is_cached(const spc_ssz_value *self);

/* The elements of a sequence, the fields of a container, 1 for the others; of the part at a path.
 */
SPC_API spc_status spc_ssz_length(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                                  uint64_t *length);

/* The selector of the union at the path. SPC_INVALID_ARGUMENT: not a union. */
SPC_API spc_status spc_ssz_selector(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                                    unsigned *selector);

/*
 * The part as a value of its own, which shares its pages: a sub-view. Changes to it do not show in
 * `self` until spc_ssz_set puts it back. SPC_OUT_OF_RANGE, SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_ssz_get(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                               spc_ssz_value *part);

/*
 * Replaces the part by `part`, which has to be of its type (the same table) and from the same pool
 * and keeps its value. SPC_OUT_OF_RANGE, SPC_INVALID_ARGUMENT, SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_ssz_set(spc_ssz_value *self, const uint64_t *path, size_t steps,
                               const spc_ssz_value *part);

/* Writes the SSZ bytes of the part to `out`. As spc_ssz_serialize, and SPC_OUT_OF_RANGE. */
SPC_API spc_status spc_ssz_read(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                                uint8_t *out, size_t capacity, size_t *length, spc_error *error);

/*
 * The SSZ bytes of a part that is stored as such (basic values, small values of fixed size), where
 * they lie; valid until the next change of any value of the pool. SPC_INVALID_ARGUMENT: not stored
 * in one piece. SPC_OUT_OF_RANGE.
 */
SPC_API spc_status spc_ssz_peek(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                                const uint8_t **bytes, size_t *length);

/*
 * Replaces the part by the value of `bytes`. Statuses of validation (offsets in `bytes`),
 * SPC_OUT_OF_RANGE, SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_ssz_write(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                 const uint8_t *bytes, size_t length, spc_error *error);

/* Makes the union at the path hold option `selector` with the value of `bytes` (none for None). */
SPC_API spc_status spc_ssz_select(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                  unsigned selector, const uint8_t *bytes, size_t length,
                                  spc_error *error);

/*
 * Appends `count` elements to the list at the path. `bytes` has one element after the other; where
 * elements vary in size, `count` is 1. SPC_OVER_LIMIT, SPC_INVALID_ARGUMENT (not a list; bits), and
 * the statuses of spc_ssz_write; on failure nothing is appended.
 */
SPC_API spc_status spc_ssz_append(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                  const uint8_t *bytes, size_t length, uint64_t count,
                                  spc_error *error);

/* Cuts the list at the path to `length` elements or bits. SPC_OUT_OF_RANGE: it is shorter. */
SPC_API spc_status spc_ssz_truncate(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                    uint64_t length);

/* Removes the last element or bit. SPC_OUT_OF_RANGE: the list is empty. */
SPC_API spc_status spc_ssz_pop(spc_ssz_value *self, const uint64_t *path, size_t steps);

/*
 * Copies elements first ... first + count - 1 of the sequence at the path out of or into a flat
 * array, count times the element's size. For elements of fixed size that are stored flat (else
 * SPC_INVALID_ARGUMENT). SPC_OUT_OF_RANGE; copying in: statuses of validation, SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_ssz_copy_out(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                                    uint64_t first, uint64_t count, uint8_t *out);
SPC_API spc_status spc_ssz_copy_in(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                   uint64_t first, uint64_t count, const uint8_t *in,
                                   spc_error *error);

/*
 * Where element `index` (or bit) of the sequence at the path lies, and which of its neighbours lie
 * in the same piece, one after the other: elements *first ... *first + *count - 1 begin at *bytes
 * (bits: bit *first is the lowest of the first byte). For elements of fixed size that are stored
 * flat (else SPC_INVALID_ARGUMENT); valid as long as what spc_ssz_peek gives. SPC_OUT_OF_RANGE.
 */
SPC_API spc_status spc_ssz_run(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                               uint64_t index, const uint8_t **bytes, uint64_t *first,
                               uint64_t *count);

/* ---- Bits ------------------------------------------------------------------------------------ */

/* Bit `index` of the bit list or bit vector at the path. SPC_OUT_OF_RANGE. */
SPC_API spc_status spc_ssz_bit(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                               uint64_t index, bool *bit);
SPC_API spc_status spc_ssz_set_bit(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                   uint64_t index, bool bit);
SPC_API spc_status spc_ssz_append_bit(spc_ssz_value *self, const uint64_t *path, size_t steps,
                                      bool bit);

/* The bits as bytes, LSB first, without delimiter: (length + 7) / 8 bytes. */
SPC_API spc_status spc_ssz_bits_out(const spc_ssz_value *self, const uint64_t *path, size_t steps,
                                    uint8_t *out);

/*
 * self = self OR other, self AND other, bit by bit, for two bit lists or vectors of one length
 * (else SPC_INVALID_ARGUMENT); their types may differ. `other` may be `self`.
 */
SPC_API spc_status spc_ssz_bits_or(spc_ssz_value *self, const spc_ssz_value *other);
SPC_API spc_status spc_ssz_bits_and(spc_ssz_value *self, const spc_ssz_value *other);

/* How many bits are set. */
SPC_API spc_status spc_ssz_bits_count(const spc_ssz_value *self, uint64_t *count);

/* ---- JSON ------------------------------------------------------------------------------------ */

/*
 * The canonical JSON mapping: integers as decimal strings, bytes and sequences of bytes as 0x
 * hexadecimal strings, bit lists and bit vectors as 0x hexadecimal strings of their SSZ bytes,
 * booleans as such, other sequences as arrays, containers as objects, unions as
 * {"selector": "1", "data": ...}. Both directions work on SSZ bytes.
 *
 * Writes the value of `bytes` to `out` (`capacity` bytes, not zero-terminated), its size to
 * `*size`. Statuses of validation; SPC_BUFFER_TOO_SMALL, with `*size` the size that is needed.
 */
SPC_API spc_status spc_ssz_to_json(const spc_ssz_type *type, const uint8_t *bytes, size_t length,
                                   char *out, size_t capacity, size_t *size, spc_error *error);

/*
 * Reads JSON text into SSZ bytes in `out`. Integers may also be JSON numbers, bytes decimal, and
 * sequences of uint8 hexadecimal strings; all fields of a container have to be there, in any
 * order, and other members are ignored. `work` is SPC_SSZ_WORK_SIZE bytes, aligned to 8.
 * SPC_MALFORMED, SPC_TRAILING_BYTES: not JSON; SPC_BAD_VALUE: not a value of the type;
 * SPC_MISSING_FIELD; SPC_WRONG_LENGTH, SPC_OVER_LIMIT: too many or few elements;
 * SPC_UNKNOWN_OPTION; SPC_BAD_BIT_PADDING, SPC_NO_DELIMITER; SPC_SIZE_LIMIT; SPC_COUNT_LIMIT: more
 * fields open at once than `work` holds; all with the offset in `text` and the path.
 * SPC_BUFFER_TOO_SMALL, with `*size` the size that is needed.
 */
SPC_API spc_status spc_ssz_from_json(const spc_ssz_type *type, const char *text, size_t length,
                                     uint8_t *out, size_t capacity, size_t *size, void *work,
                                     spc_error *error);

/* ---- Generalized indices and proofs ---------------------------------------------------------- */

/* A generalized index of up to 128 bits: node 1 is the root, the children of g are 2g and 2g + 1.
 */
typedef struct spc_ssz_gindex {
  uint64_t high, low;
} spc_ssz_gindex;

/* Where a part is in the tree: a node, or for packed elements and bits some bits of a node. */
typedef struct spc_ssz_position {
  spc_ssz_gindex gindex;
  uint16_t bit_offset; /* in the 256 bits of the node */
  uint16_t bit_length; /* 256: the whole node */
} spc_ssz_position;

/*
 * The position of the part at the path, for any value of the type. SPC_OUT_OF_RANGE: past the
 * limit; SPC_NOT_FOUND: no such part (behind a union the option has to be named by its selector);
 * SPC_SIZE_LIMIT: more than 128 bits.
 */
SPC_API spc_status spc_ssz_path_position(const spc_ssz_type *type, const uint64_t *path,
                                         size_t steps, spc_ssz_position *position);

/*
 * The other way: the path to the innermost part that has the node in its tree, and in `*inside` the
 * node's index in the tree of that part, 1 for its root. For a chunk of packed elements that part
 * is the first of them. The tree of a union's data is inside the union. SPC_NO_SUCH_NODE,
 * SPC_BUFFER_TOO_SMALL.
 */
SPC_API spc_status spc_ssz_gindex_path(const spc_ssz_type *type, spc_ssz_gindex gindex,
                                       uint64_t *path, size_t capacity, size_t *steps,
                                       spc_ssz_gindex *inside);

/*
 * The hash of a node of the value's tree. Nodes of zero padding exist, leaves are 32-byte chunks,
 * and below them is nothing: SPC_NO_SUCH_NODE. SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_ssz_node(const spc_ssz_value *self, spc_ssz_gindex gindex, uint8_t hash[32]);

/*
 * The nodes that a proof of `gindices` consists of besides these, in descending order: to
 * `helpers`, their number to `*helper_count`. `scratch` gives work memory and gets it back.
 * SPC_BAD_PROOF: no gindices, one twice, zero, or one below another; SPC_BUFFER_TOO_SMALL, with the
 * number in `*helper_count`; SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_ssz_proof_helpers(const spc_ssz_gindex *gindices, size_t count,
                                         spc_ssz_gindex *helpers, size_t capacity,
                                         size_t *helper_count, spc_arena *scratch);

/*
 * The proof of the nodes: the hashes of the helpers, 32 bytes each, to `proof` (`capacity` hashes).
 * With one index this is the single proof, from the leaf up. Statuses of the two above.
 */
SPC_API spc_status spc_ssz_prove(const spc_ssz_value *self, const spc_ssz_gindex *gindices,
                                 size_t count, uint8_t *proof, size_t capacity, size_t *proof_count,
                                 spc_arena *scratch);

/*
 * Whether the proof shows that a tree with this root has `leaves` (32 bytes each) at `gindices`.
 * SPC_BAD_PROOF: malformed, whatever the hashes are (a wrong number of hashes; indices as above).
 */
SPC_API spc_status spc_ssz_verify_proof(const spc_ssz_gindex *gindices, const uint8_t *leaves,
                                        size_t count, const uint8_t *proof, size_t proof_count,
                                        const uint8_t root[32], bool *ok, spc_arena *scratch);

/*
 * Compact multiproofs: a descriptor, one bit for each node of the proof's tree in pre-order from
 * the most significant bit on (0 inner node, 1 hash given), and the hashes in the same order. Makes
 * one for the nodes. SPC_BUFFER_TOO_SMALL: `*length` and `*hash_count` say what is needed.
 */
SPC_API spc_status spc_ssz_prove_compact(const spc_ssz_value *self, const spc_ssz_gindex *gindices,
                                         size_t count, uint8_t *descriptor, size_t capacity,
                                         size_t *length, uint8_t *hashes, size_t hash_capacity,
                                         size_t *hash_count, spc_arena *scratch);

/*
 * The indices of the hashes of a descriptor, in order. SPC_BAD_PROOF: it does not end with its last
 * byte, bits are left over, or an index has more than 128 bits. SPC_BUFFER_TOO_SMALL.
 */
SPC_API spc_status spc_ssz_compact_gindices(const uint8_t *descriptor, size_t length,
                                            spc_ssz_gindex *gindices, size_t capacity,
                                            size_t *count);

/* Whether the hashes make the root. SPC_BAD_PROOF as above, and for a wrong number of hashes. */
SPC_API spc_status spc_ssz_verify_compact(const uint8_t *descriptor, size_t length,
                                          const uint8_t *hashes, size_t hash_count,
                                          const uint8_t root[32], bool *ok);

SPC_END_DECLS

#endif
