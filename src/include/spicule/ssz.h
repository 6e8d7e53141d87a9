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
 * it, so calls nest without checks in between. Fields are private.
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
 * Gives the type of `id`, or the first failure of the builder: one of the statuses above,
 * SPC_DEPTH_LIMIT, SPC_OUT_OF_MEMORY (arena), SPC_INVALID_ARGUMENT (an id of 0, bits not listed).
 * `error->index` is the field or option in question, `error->path` its name.
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
 * the definition and field, such as "BeaconState.balances".
 */
SPC_API spc_status spc_ssz_schema_read(spc_ssz_schema *self, spc_arena *arena, const char *text,
                                       size_t length, const char *section, spc_error *error);

/* A schema without names, for type texts alone. */
SPC_API void spc_ssz_schema_init(spc_ssz_schema *self, spc_arena *arena);

/*
 * The type of a type text (`length` bytes), which may use the names of the schema. New types go to
 * the arena of the schema; a name alone allocates nothing. Statuses as above.
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
 * `error->offset` is the byte, `error->path` the field, such as "validators[5].slashed".
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

SPC_END_DECLS

#endif
