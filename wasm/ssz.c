/*
 * The functions of spicule/ssz.h as exports. Types are offsets in one arena, which may move; values
 * are handles: the slot in a table and, above SSZ_SLOT_BITS, the number of times that the slot was
 * used before, so that one that was released is never taken for another. Every export that can fail
 * reports to the record; those that give a type, handle or address give 0 then.
 *
 * Indices and lengths are doubles, exact to 2^53, a negative one standing for "the value itself".
 * More results go to `ssz_results` (see each), paths come from `ssz_path`; JavaScript has their
 * addresses from results() and path().
 */
#include <stdbool.h>
#include <string.h>

#include "regions.h"
#include "wasm.h"

#include "spicule/sha2.h"
#include "spicule/ssz.h"

#define SSZ_SLOT_BITS  22u
#define SSZ_SLOTS      (1u << SSZ_SLOT_BITS)
#define SSZ_TYPE_BYTES ((size_t)16384)
#define SSZ_TYPE_LIMIT ((size_t)1 << 28)
#define SSZ_LEAST_MORE ((size_t)1 << 18)
#define SSZ_MOST_MORE  ((size_t)1 << 22)
#define SSZ_PATH_STEPS 64u

typedef struct ssz_slot {
  spc_ssz_value value; /* object NULL: free */
  uint32_t used;       /* times; of a free slot, before */
  uint32_t next;       /* of a free slot: the next one, or 0 */
} ssz_slot;

/* A schema that was read, in the arena of types: read again, it is found by its hash. */
typedef struct ssz_known_schema {
  uint8_t hash[SPC_SHA256_BYTES];
  uint32_t next;
  spc_ssz_schema schema;
} ssz_known_schema;

static uint64_t ssz_results[8], ssz_path[SSZ_PATH_STEPS];
static spc_arena ssz_types, ssz_scratch;
static size_t ssz_types_size, ssz_scratch_size;
static spc_ssz_builder ssz_builder;
static spc_ssz_schema ssz_schema;  /* the one in use: a copy, as the arena may move */
static uint32_t ssz_schema_at;     /* where it is in the arena, or 0 */
static uint32_t ssz_known_schemas; /* the last of them, or 0 */
static spc_ssz_pool ssz_pool;
static void *ssz_work;
static ssz_slot *ssz_table;
static uint32_t ssz_table_size, ssz_table_used, ssz_free_slot;

static uint32_t ssz_done(spc_status status) {
  if (status != SPC_OK)
    wasm_result.error = (spc_error){status, SPC_NO_POSITION, SPC_NO_POSITION, SPC_NO_POSITION, ""};
  return status;
}

static uint64_t ssz_integer(double number) {
  return number >= 0 && number < 18446744073709551616.0 ? (uint64_t)number : UINT64_MAX;
}

/* ---- Memory ---- */

static void *ssz_more_types(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user;
  if (needed > SSZ_TYPE_LIMIT) return NULL;
  size_t wanted = SSZ_TYPE_BYTES, old_size = ssz_types_size;
  while (wanted < needed)
    wanted *= 2;
  uint8_t *moved = wasm_region_take(wanted, size);
  if (moved == NULL) return NULL;
  ssz_types_size = *size;
  if (base == NULL) return moved;
  memcpy(moved, base, used);
  for (uint32_t i = 1; i < ssz_table_used; i++) {
    spc_ssz_value *value = &ssz_table[i].value;
    if (value->object != NULL)
      value->type = (const spc_ssz_type *)(const void *)(moved + ((const uint8_t *)value->type -
                                                                  (const uint8_t *)base));
  }
  wasm_region_give(base, old_size);
  return moved;
}

/* The scratch arena is empty between calls, and stays as large as it has ever been. */
static void *ssz_more_scratch(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user;
  size_t old_size = ssz_scratch_size;
  uint8_t *moved = wasm_region_take(2 * needed, size);
  if (moved == NULL) return NULL;
  ssz_scratch_size = *size;
  if (base == NULL) return moved;
  memcpy(moved, base, used);
  wasm_region_give(base, old_size);
  return moved;
}

static void *ssz_more_values(void *user, size_t needed, size_t *size) {
  (void)user;
  size_t wanted = (size_t)(spc_ssz_pool_used(&ssz_pool) / 8);
  if (wanted < SSZ_LEAST_MORE) wanted = SSZ_LEAST_MORE;
  if (wanted > SSZ_MOST_MORE) wanted = SSZ_MOST_MORE;
  void *block = needed >= wanted ? NULL : wasm_region_take(wanted, size);
  return block != NULL ? block : wasm_region_take(needed, size);
}

/* Makes the module ready for values that take `limit` bytes at most. */
WASM_EXPORT(ssz_start) uint32_t wasm_ssz_start(double limit);
uint32_t wasm_ssz_start(double limit) {
  size_t size;
  spc_arena_init(&ssz_types, NULL, 0, ssz_more_types, NULL);
  spc_arena_init(&ssz_scratch, NULL, 0, ssz_more_scratch, NULL);
  spc_ssz_build_init(&ssz_builder, &ssz_types);
  ssz_work = wasm_region_take(SPC_SSZ_WORK_SIZE, &size);
  if (ssz_work == NULL) return ssz_done(SPC_OUT_OF_MEMORY);
  return ssz_done(spc_ssz_pool_init(&ssz_pool, NULL, 0, ssz_integer(limit), ssz_more_values, NULL));
}

WASM_EXPORT(ssz_results_address) uint64_t *wasm_ssz_results_address(void);
uint64_t *wasm_ssz_results_address(void) {
  return ssz_results;
}

WASM_EXPORT(ssz_path_address) uint64_t *wasm_ssz_path_address(void);
uint64_t *wasm_ssz_path_address(void) {
  return ssz_path;
}

/* Results: bytes in use, most bytes ever in use, blocks hashed, handles in use. */
WASM_EXPORT(ssz_statistics) void wasm_ssz_statistics(void);
void wasm_ssz_statistics(void) {
  ssz_results[0] = spc_ssz_pool_used(&ssz_pool);
  ssz_results[1] = spc_ssz_pool_peak(&ssz_pool);
  ssz_results[2] = spc_ssz_pool_hashes(&ssz_pool);
  ssz_results[3] = 0;
  for (uint32_t i = 1; i < ssz_table_used; i++)
    ssz_results[3] += ssz_table[i].value.object != NULL;
}

/* ---- Types ---- */

static const spc_ssz_type *ssz_type(uint32_t id) {
  return (const spc_ssz_type *)spc_arena_at(&ssz_types, id);
}

static uint32_t ssz_type_id(const spc_ssz_type *type) {
  return type == NULL
             ? 0
             : (uint32_t)((const uint8_t *)type - (const uint8_t *)spc_arena_at(&ssz_types, 0));
}

static uint32_t ssz_built(spc_ssz_type_id id) {
  const spc_ssz_type *type;
  return spc_ssz_build_finish(&ssz_builder, id, &type, &wasm_result.error) == SPC_OK ? id : 0;
}

/* A type without parts or of one part. `limit` is in two halves; of an integer, the bits. */
WASM_EXPORT(ssz_build)
uint32_t wasm_ssz_build(uint32_t kind, uint32_t element, uint32_t low, uint32_t high);
uint32_t wasm_ssz_build(uint32_t kind, uint32_t element, uint32_t low, uint32_t high) {
  uint64_t limit = (uint64_t)high << 32 | low;
  switch (kind) {
  case SPC_SSZ_UINT:
    return ssz_built(spc_ssz_build_uint(&ssz_builder, low));
  case SPC_SSZ_BYTE:
    return ssz_built(spc_ssz_build_byte(&ssz_builder));
  case SPC_SSZ_BOOLEAN:
    return ssz_built(spc_ssz_build_boolean(&ssz_builder));
  case SPC_SSZ_BITVECTOR:
    return ssz_built(spc_ssz_build_bitvector(&ssz_builder, limit));
  case SPC_SSZ_BITLIST:
    return ssz_built(spc_ssz_build_bitlist(&ssz_builder, limit));
  case SPC_SSZ_PROGRESSIVE_BITLIST:
    return ssz_built(spc_ssz_build_progressive_bitlist(&ssz_builder));
  case SPC_SSZ_VECTOR:
    return ssz_built(spc_ssz_build_vector(&ssz_builder, element, limit));
  case SPC_SSZ_LIST:
    return ssz_built(spc_ssz_build_list(&ssz_builder, element, limit));
  default:
    return ssz_built(spc_ssz_build_progressive_list(&ssz_builder, element));
  }
}

/* A container; progressive where there are active fields. */
WASM_EXPORT(ssz_build_container)
uint32_t wasm_ssz_build_container(const char *name, const spc_ssz_field *fields, uint32_t count,
                                  const bool *active, uint32_t active_count);
uint32_t wasm_ssz_build_container(const char *name, const spc_ssz_field *fields, uint32_t count,
                                  const bool *active, uint32_t active_count) {
  return ssz_built(active == NULL ? spc_ssz_build_container(&ssz_builder, name, fields, count)
                                  : spc_ssz_build_progressive_container(
                                        &ssz_builder, name, fields, count, active, active_count));
}

/* A union; a compatible one where there are selectors. */
WASM_EXPORT(ssz_build_union)
uint32_t wasm_ssz_build_union(const spc_ssz_type_id *options, uint32_t count,
                              const uint8_t *selectors);
uint32_t wasm_ssz_build_union(const spc_ssz_type_id *options, uint32_t count,
                              const uint8_t *selectors) {
  return ssz_built(selectors == NULL
                       ? spc_ssz_build_union(&ssz_builder, options, count)
                       : spc_ssz_build_compatible_union(&ssz_builder, selectors, options, count));
}

static ssz_known_schema *ssz_schema_entry(uint32_t at) {
  return (ssz_known_schema *)spc_arena_at(&ssz_types, at);
}

static bool ssz_use_known_schema(const uint8_t hash[SPC_SHA256_BYTES]) {
  for (uint32_t at = ssz_known_schemas; at != 0; at = ssz_schema_entry(at)->next)
    if (memcmp(ssz_schema_entry(at)->hash, hash, SPC_SHA256_BYTES) == 0) {
      ssz_schema = ssz_schema_entry(at)->schema;
      ssz_schema_at = at;
      return true;
    }
  return false;
}

static uint32_t ssz_keep_schema(const ssz_known_schema *entry) {
  uint32_t at;
  if (spc_arena_alloc(&ssz_types, sizeof *entry, &at) != SPC_OK) return ssz_done(SPC_OUT_OF_MEMORY);
  memcpy(ssz_schema_entry(at), entry, sizeof *entry);
  ssz_known_schemas = ssz_schema_at = at;
  ssz_schema = entry->schema;
  return SPC_OK;
}

/* Reads a schema, whose names ssz_schema_name then gives; `section` may be 0. */
WASM_EXPORT(ssz_read_schema)
uint32_t wasm_ssz_read_schema(const char *text, uint32_t length, const char *section);
uint32_t wasm_ssz_read_schema(const char *text, uint32_t length, const char *section) {
  ssz_known_schema entry = {.next = ssz_known_schemas};
  uint8_t hashes[2 * SPC_SHA256_BYTES];
  size_t section_length = section == NULL ? 0 : strlen(section) + 1;
  spc_sha256(hashes, (const uint8_t *)text, length);
  spc_sha256(hashes + SPC_SHA256_BYTES, (const uint8_t *)section, section_length);
  spc_sha256(entry.hash, hashes, sizeof hashes);
  if (ssz_use_known_schema(entry.hash)) return SPC_OK;
  spc_status status =
      spc_ssz_schema_read(&entry.schema, &ssz_types, text, length, section, &wasm_result.error);
  return status == SPC_OK ? ssz_keep_schema(&entry) : status;
}

/* Forgets the names of the schema: type texts then have the built-in names only. */
WASM_EXPORT(ssz_no_schema) uint32_t wasm_ssz_no_schema(void);
uint32_t wasm_ssz_no_schema(void) {
  ssz_known_schema entry = {.next = ssz_known_schemas}; /* no text has a hash of zeros */
  if (ssz_use_known_schema(entry.hash)) return SPC_OK;
  spc_ssz_schema_init(&entry.schema, &ssz_types);
  return ssz_keep_schema(&entry);
}

WASM_EXPORT(ssz_schema_name) const char *wasm_ssz_schema_name(uint32_t index);
const char *wasm_ssz_schema_name(uint32_t index) {
  return spc_ssz_schema_name(&ssz_schema, index);
}

/* The type of a text, which may use the names of the schema read last. */
WASM_EXPORT(ssz_type_of_text) uint32_t wasm_ssz_type_of_text(const char *text, uint32_t length);
uint32_t wasm_ssz_type_of_text(const char *text, uint32_t length) {
  const spc_ssz_type *type;
  spc_status status = spc_ssz_schema_type(&ssz_schema, text, length, &type, &wasm_result.error);
  if (status != SPC_OK) return 0;
  if (ssz_schema_at != 0) ssz_schema_entry(ssz_schema_at)->schema = ssz_schema;
  return ssz_type_id(type);
}

/* Results: kind, limit, element, fields, address of the name, fixed size, least size, flat. */
WASM_EXPORT(ssz_describe) void wasm_ssz_describe(uint32_t id);
void wasm_ssz_describe(uint32_t id) {
  const spc_ssz_type *type = ssz_type(id);
  ssz_results[0] = (uint64_t)spc_ssz_type_kind(type);
  ssz_results[1] = spc_ssz_type_limit(type);
  ssz_results[2] = ssz_type_id(spc_ssz_type_element(type));
  ssz_results[3] = spc_ssz_type_field_count(type);
  ssz_results[4] = (uintptr_t)spc_ssz_type_name(type);
  ssz_results[5] = spc_ssz_type_is_fixed(type) ? spc_ssz_type_min_size(type) : 0;
  ssz_results[6] = spc_ssz_type_min_size(type);
  ssz_results[7] = spc_ssz_type_is_flat(type);
}

/* Results: type (0 for None), position or selector, address of the name. */
WASM_EXPORT(ssz_describe_field) void wasm_ssz_describe_field(uint32_t id, uint32_t index);
void wasm_ssz_describe_field(uint32_t id, uint32_t index) {
  const spc_ssz_type *type = ssz_type(id);
  ssz_results[0] = ssz_type_id(spc_ssz_type_field(type, index));
  ssz_results[1] = spc_ssz_type_field_position(type, index);
  ssz_results[2] = (uintptr_t)spc_ssz_type_field_name(type, index);
}

/* ---- Bytes ---- */

WASM_EXPORT(ssz_validate)
uint32_t wasm_ssz_validate(uint32_t type, const uint8_t *bytes, uint32_t length);
uint32_t wasm_ssz_validate(uint32_t type, const uint8_t *bytes, uint32_t length) {
  return spc_ssz_validate(ssz_type(type), bytes, length, &wasm_result.error);
}

/* The root goes to `out`, which may be where the bytes are. */
WASM_EXPORT(ssz_root_of_bytes)
uint32_t wasm_ssz_root_of_bytes(uint32_t type, const uint8_t *bytes, uint32_t length, uint8_t *out);
uint32_t wasm_ssz_root_of_bytes(uint32_t type, const uint8_t *bytes, uint32_t length,
                                uint8_t *out) {
  uint8_t root[32];
  spc_status status =
      spc_ssz_root_of_bytes(ssz_type(type), bytes, length, ssz_work, root, &wasm_result.error);
  if (status == SPC_OK) memcpy(out, root, sizeof root);
  return status;
}

/* Results: the number of steps, which go to the path. */
WASM_EXPORT(ssz_read_path)
uint32_t wasm_ssz_read_path(uint32_t type, const char *text, uint32_t length);
uint32_t wasm_ssz_read_path(uint32_t type, const char *text, uint32_t length) {
  size_t steps = 0;
  spc_status status = spc_ssz_path_read(ssz_type(type), text, length, ssz_path, SSZ_PATH_STEPS,
                                        &steps, &wasm_result.error);
  ssz_results[0] = steps;
  return status;
}

/* Results: type, offset, size of the part at the path. */
WASM_EXPORT(ssz_locate)
uint32_t wasm_ssz_locate(uint32_t type, const uint8_t *bytes, uint32_t length, uint32_t steps);
uint32_t wasm_ssz_locate(uint32_t type, const uint8_t *bytes, uint32_t length, uint32_t steps) {
  const spc_ssz_type *part = NULL;
  size_t offset = 0, size = 0;
  spc_status status = spc_ssz_locate(ssz_type(type), bytes, length, ssz_path, steps, &part, &offset,
                                     &size, &wasm_result.error);
  ssz_results[0] = ssz_type_id(part);
  ssz_results[1] = offset;
  ssz_results[2] = size;
  return status;
}

/* Results: the size, also where it is more than `capacity`. */
WASM_EXPORT(ssz_to_json)
uint32_t wasm_ssz_to_json(uint32_t type, const uint8_t *bytes, uint32_t length, char *out,
                          uint32_t capacity);
uint32_t wasm_ssz_to_json(uint32_t type, const uint8_t *bytes, uint32_t length, char *out,
                          uint32_t capacity) {
  size_t size = 0;
  spc_status status =
      spc_ssz_to_json(ssz_type(type), bytes, length, out, capacity, &size, &wasm_result.error);
  ssz_results[0] = size;
  return status;
}

WASM_EXPORT(ssz_from_json)
uint32_t wasm_ssz_from_json(uint32_t type, const char *text, uint32_t length, uint8_t *out,
                            uint32_t capacity);
uint32_t wasm_ssz_from_json(uint32_t type, const char *text, uint32_t length, uint8_t *out,
                            uint32_t capacity) {
  size_t size = 0;
  spc_status status = spc_ssz_from_json(ssz_type(type), text, length, out, capacity, &size,
                                        ssz_work, &wasm_result.error);
  ssz_results[0] = size;
  return status;
}

/* ---- Handles ---- */

static bool ssz_widen_table(void) {
  size_t size, slots = ssz_table_size == 0 ? 1024 : (size_t)ssz_table_size * 2;
  if (slots > SSZ_SLOTS) return false;
  ssz_slot *table = wasm_region_take(slots * sizeof *table, &size);
  if (table == NULL) return false;
  if (ssz_table_size != 0) {
    memcpy(table, ssz_table, ssz_table_used * sizeof *table);
    wasm_region_give(ssz_table, ssz_table_size * sizeof *table);
  } else {
    ssz_table_used = 1; /* no handle is 0 */
    memset(table, 0, sizeof *table);
  }
  ssz_table = table;
  ssz_table_size = (uint32_t)slots;
  return true;
}

/* A handle for a value, or 0 and the value released. */
static uint32_t ssz_open(spc_status status, spc_ssz_value *value) {
  if (status != SPC_OK) return 0;
  uint32_t i = ssz_free_slot;
  if (i != 0) {
    ssz_free_slot = ssz_table[i].next;
  } else if (ssz_table_used < ssz_table_size || ssz_widen_table()) {
    i = ssz_table_used++;
    ssz_table[i].used = 0;
  } else {
    spc_ssz_release(value);
    ssz_done(SPC_COUNT_LIMIT);
    return 0;
  }
  ssz_table[i].value = *value;
  return ssz_table[i].used << SSZ_SLOT_BITS | i;
}

/* The value of a handle; NULL, and the record says so, for one that was released. */
static spc_ssz_value *ssz_value(uint32_t handle) {
  uint32_t i = handle & (SSZ_SLOTS - 1);
  if (i != 0 && i < ssz_table_used && ssz_table[i].value.object != NULL &&
      (ssz_table[i].used & (UINT32_MAX >> SSZ_SLOT_BITS)) == handle >> SSZ_SLOT_BITS)
    return &ssz_table[i].value;
  ssz_done(SPC_INVALID_STATE);
  return NULL;
}

/* Releases a handle; one that was released before stays so. */
WASM_EXPORT(ssz_release) void wasm_ssz_release(uint32_t handle);
void wasm_ssz_release(uint32_t handle) {
  spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return;
  uint32_t i = handle & (SSZ_SLOTS - 1);
  spc_ssz_release(value);
  ssz_table[i].used++;
  ssz_table[i].next = ssz_free_slot;
  ssz_free_slot = i;
}

WASM_EXPORT(ssz_default) uint32_t wasm_ssz_default(uint32_t type);
uint32_t wasm_ssz_default(uint32_t type) {
  spc_ssz_value value;
  return ssz_open(ssz_done(spc_ssz_default(&ssz_pool, ssz_type(type), &value)), &value);
}

WASM_EXPORT(ssz_deserialize)
uint32_t wasm_ssz_deserialize(uint32_t type, const uint8_t *bytes, uint32_t length);
uint32_t wasm_ssz_deserialize(uint32_t type, const uint8_t *bytes, uint32_t length) {
  spc_ssz_value value;
  return ssz_open(
      spc_ssz_deserialize(&ssz_pool, ssz_type(type), bytes, length, &value, &wasm_result.error),
      &value);
}

WASM_EXPORT(ssz_clone) uint32_t wasm_ssz_clone(uint32_t handle);
uint32_t wasm_ssz_clone(uint32_t handle) {
  spc_ssz_value *value = ssz_value(handle), copy;
  return value == NULL ? 0 : ssz_open(ssz_done(spc_ssz_clone(value, &copy)), &copy);
}

/* Size of the serialized value; -1 on failure. */
WASM_EXPORT(ssz_size) double wasm_ssz_size(uint32_t handle);
double wasm_ssz_size(uint32_t handle) {
  const spc_ssz_value *value = ssz_value(handle);
  return value == NULL ? -1 : (double)spc_ssz_size(value);
}

WASM_EXPORT(ssz_root) uint32_t wasm_ssz_root(uint32_t handle, uint8_t *out);
uint32_t wasm_ssz_root(uint32_t handle, uint8_t *out) {
  const spc_ssz_value *value = ssz_value(handle);
  return value == NULL ? SPC_INVALID_STATE : ssz_done(spc_ssz_root(value, out));
}

/* ---- Parts: one step from a value, or the value itself ---- */

typedef struct ssz_place {
  spc_ssz_value *value;
  uint64_t path[1];
  size_t steps;
} ssz_place;

static bool ssz_find(uint32_t handle, double step, ssz_place *place) {
  place->value = ssz_value(handle);
  place->steps = step >= 0;
  place->path[0] = ssz_integer(step);
  return place->value != NULL;
}

/* Length of the part; -1 on failure. */
WASM_EXPORT(ssz_length) double wasm_ssz_length(uint32_t handle, double step);
double wasm_ssz_length(uint32_t handle, double step) {
  ssz_place at;
  uint64_t length;
  if (!ssz_find(handle, step, &at)) return -1;
  return ssz_done(spc_ssz_length(at.value, at.path, at.steps, &length)) == SPC_OK ? (double)length
                                                                                  : -1;
}

/* The part as a value of its own. */
WASM_EXPORT(ssz_get) uint32_t wasm_ssz_get(uint32_t handle, double step);
uint32_t wasm_ssz_get(uint32_t handle, double step) {
  ssz_place at;
  spc_ssz_value part;
  if (!ssz_find(handle, step, &at)) return 0;
  return ssz_open(ssz_done(spc_ssz_get(at.value, at.path, at.steps, &part)), &part);
}

/* Puts a value in the place of the part, or of the whole value. */
WASM_EXPORT(ssz_set) uint32_t wasm_ssz_set(uint32_t handle, double step, uint32_t part);
uint32_t wasm_ssz_set(uint32_t handle, double step, uint32_t part) {
  ssz_place at;
  const spc_ssz_value *value = ssz_value(part);
  if (value == NULL || !ssz_find(handle, step, &at)) return SPC_INVALID_STATE;
  return ssz_done(spc_ssz_set(at.value, at.path, at.steps, value));
}

/* Results: the length. */
WASM_EXPORT(ssz_read)
uint32_t wasm_ssz_read(uint32_t handle, double step, uint8_t *out, uint32_t capacity);
uint32_t wasm_ssz_read(uint32_t handle, double step, uint8_t *out, uint32_t capacity) {
  ssz_place at;
  size_t length = 0;
  if (!ssz_find(handle, step, &at)) return SPC_INVALID_STATE;
  spc_status status =
      spc_ssz_read(at.value, at.path, at.steps, out, capacity, &length, &wasm_result.error);
  ssz_results[0] = length;
  return status;
}

WASM_EXPORT(ssz_write)
uint32_t wasm_ssz_write(uint32_t handle, double step, const uint8_t *bytes, uint32_t length);
uint32_t wasm_ssz_write(uint32_t handle, double step, const uint8_t *bytes, uint32_t length) {
  ssz_place at;
  if (!ssz_find(handle, step, &at)) return SPC_INVALID_STATE;
  return spc_ssz_write(at.value, at.path, at.steps, bytes, length, &wasm_result.error);
}

/* The address of the bytes of a part that is stored as such, until the next change. */
WASM_EXPORT(ssz_peek) const uint8_t *wasm_ssz_peek(uint32_t handle, double step);
const uint8_t *wasm_ssz_peek(uint32_t handle, double step) {
  ssz_place at;
  const uint8_t *bytes = NULL;
  size_t length;
  if (!ssz_find(handle, step, &at)) return NULL;
  ssz_done(spc_ssz_peek(at.value, at.path, at.steps, &bytes, &length));
  return bytes;
}

/* Changes some bytes of a part that is stored as such. */
WASM_EXPORT(ssz_patch)
uint32_t wasm_ssz_patch(uint32_t handle, double step, uint32_t offset, const uint8_t *bytes,
                        uint32_t length);
uint32_t wasm_ssz_patch(uint32_t handle, double step, uint32_t offset, const uint8_t *bytes,
                        uint32_t length) {
  ssz_place at;
  const uint8_t *old;
  uint8_t part[1024];
  size_t size;
  if (!ssz_find(handle, step, &at)) return SPC_INVALID_STATE;
  spc_status status = spc_ssz_peek(at.value, at.path, at.steps, &old, &size);
  if (status != SPC_OK) return ssz_done(status);
  if (size > sizeof part || offset > size || length > size - offset)
    return ssz_done(SPC_OUT_OF_RANGE);
  memcpy(part, old, size);
  memcpy(part + offset, bytes, length);
  return spc_ssz_write(at.value, at.path, at.steps, part, size, &wasm_result.error);
}

/* Where an element lies: the address; results: the first element of the piece, their number. */
WASM_EXPORT(ssz_run) const uint8_t *wasm_ssz_run(uint32_t handle, double index);
const uint8_t *wasm_ssz_run(uint32_t handle, double index) {
  const spc_ssz_value *value = ssz_value(handle);
  const uint8_t *bytes = NULL;
  if (value == NULL) return NULL;
  ssz_done(
      spc_ssz_run(value, NULL, 0, ssz_integer(index), &bytes, &ssz_results[0], &ssz_results[1]));
  return bytes;
}

/* ---- Sequences ---- */

WASM_EXPORT(ssz_append)
uint32_t wasm_ssz_append(uint32_t handle, const uint8_t *bytes, uint32_t length, double count);
uint32_t wasm_ssz_append(uint32_t handle, const uint8_t *bytes, uint32_t length, double count) {
  spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return SPC_INVALID_STATE;
  return spc_ssz_append(value, NULL, 0, bytes, length, ssz_integer(count), &wasm_result.error);
}

WASM_EXPORT(ssz_truncate) uint32_t wasm_ssz_truncate(uint32_t handle, double length);
uint32_t wasm_ssz_truncate(uint32_t handle, double length) {
  spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return SPC_INVALID_STATE;
  return ssz_done(spc_ssz_truncate(value, NULL, 0, ssz_integer(length)));
}

WASM_EXPORT(ssz_copy_out)
uint32_t wasm_ssz_copy_out(uint32_t handle, double first, double count, uint8_t *out);
uint32_t wasm_ssz_copy_out(uint32_t handle, double first, double count, uint8_t *out) {
  const spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return SPC_INVALID_STATE;
  return ssz_done(spc_ssz_copy_out(value, NULL, 0, ssz_integer(first), ssz_integer(count), out));
}

WASM_EXPORT(ssz_copy_in)
uint32_t wasm_ssz_copy_in(uint32_t handle, double first, double count, const uint8_t *in);
uint32_t wasm_ssz_copy_in(uint32_t handle, double first, double count, const uint8_t *in) {
  spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return SPC_INVALID_STATE;
  return spc_ssz_copy_in(value, NULL, 0, ssz_integer(first), ssz_integer(count), in,
                         &wasm_result.error);
}

/* ---- Bits ---- */

WASM_EXPORT(ssz_set_bit) uint32_t wasm_ssz_set_bit(uint32_t handle, double index, uint32_t bit);
uint32_t wasm_ssz_set_bit(uint32_t handle, double index, uint32_t bit) {
  spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return SPC_INVALID_STATE;
  return ssz_done(spc_ssz_set_bit(value, NULL, 0, ssz_integer(index), bit != 0));
}

WASM_EXPORT(ssz_append_bit) uint32_t wasm_ssz_append_bit(uint32_t handle, uint32_t bit);
uint32_t wasm_ssz_append_bit(uint32_t handle, uint32_t bit) {
  spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return SPC_INVALID_STATE;
  return ssz_done(spc_ssz_append_bit(value, NULL, 0, bit != 0));
}

WASM_EXPORT(ssz_bits_out) uint32_t wasm_ssz_bits_out(uint32_t handle, uint8_t *out);
uint32_t wasm_ssz_bits_out(uint32_t handle, uint8_t *out) {
  const spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return SPC_INVALID_STATE;
  return ssz_done(spc_ssz_bits_out(value, NULL, 0, out));
}

/* self = self OR other; AND where `both`. */
WASM_EXPORT(ssz_bits_combine)
uint32_t wasm_ssz_bits_combine(uint32_t handle, uint32_t other, uint32_t both);
uint32_t wasm_ssz_bits_combine(uint32_t handle, uint32_t other, uint32_t both) {
  spc_ssz_value *value = ssz_value(handle);
  const spc_ssz_value *with = ssz_value(other);
  if (value == NULL || with == NULL) return SPC_INVALID_STATE;
  return ssz_done(both != 0 ? spc_ssz_bits_and(value, with) : spc_ssz_bits_or(value, with));
}

/* How many bits are set; -1 on failure. */
WASM_EXPORT(ssz_bits_count) double wasm_ssz_bits_count(uint32_t handle);
double wasm_ssz_bits_count(uint32_t handle) {
  const spc_ssz_value *value = ssz_value(handle);
  uint64_t count;
  if (value == NULL) return -1;
  return ssz_done(spc_ssz_bits_count(value, &count)) == SPC_OK ? (double)count : -1;
}

/* ---- Unions ---- */

/* The selector; -1 on failure. */
WASM_EXPORT(ssz_selector) int32_t wasm_ssz_selector(uint32_t handle);
int32_t wasm_ssz_selector(uint32_t handle) {
  const spc_ssz_value *value = ssz_value(handle);
  unsigned selector;
  if (value == NULL) return -1;
  return ssz_done(spc_ssz_selector(value, NULL, 0, &selector)) == SPC_OK ? (int32_t)selector : -1;
}

WASM_EXPORT(ssz_select)
uint32_t wasm_ssz_select(uint32_t handle, uint32_t selector, const uint8_t *bytes, uint32_t length);
uint32_t wasm_ssz_select(uint32_t handle, uint32_t selector, const uint8_t *bytes,
                         uint32_t length) {
  spc_ssz_value *value = ssz_value(handle);
  if (value == NULL) return SPC_INVALID_STATE;
  return spc_ssz_select(value, NULL, 0, selector, bytes, length, &wasm_result.error);
}

/* ---- Generalized indices and proofs; indices are 16 bytes, the high half first ---- */

/* Results: high and low half of the index of the part at the path, first bit, number of bits. */
WASM_EXPORT(ssz_position) uint32_t wasm_ssz_position(uint32_t type, uint32_t steps);
uint32_t wasm_ssz_position(uint32_t type, uint32_t steps) {
  spc_ssz_position position = {{0, 0}, 0, 0};
  spc_status status = spc_ssz_path_position(ssz_type(type), ssz_path, steps, &position);
  ssz_results[0] = position.gindex.high;
  ssz_results[1] = position.gindex.low;
  ssz_results[2] = position.bit_offset;
  ssz_results[3] = position.bit_length;
  return ssz_done(status);
}

WASM_EXPORT(ssz_node)
uint32_t wasm_ssz_node(uint32_t handle, const spc_ssz_gindex *gindex, uint8_t *out);
uint32_t wasm_ssz_node(uint32_t handle, const spc_ssz_gindex *gindex, uint8_t *out) {
  const spc_ssz_value *value = ssz_value(handle);
  return value == NULL ? SPC_INVALID_STATE : ssz_done(spc_ssz_node(value, *gindex, out));
}

/* Results: the number of hashes. */
WASM_EXPORT(ssz_prove)
uint32_t wasm_ssz_prove(uint32_t handle, const spc_ssz_gindex *gindices, uint32_t count,
                        uint8_t *proof, uint32_t capacity);
uint32_t wasm_ssz_prove(uint32_t handle, const spc_ssz_gindex *gindices, uint32_t count,
                        uint8_t *proof, uint32_t capacity) {
  const spc_ssz_value *value = ssz_value(handle);
  size_t hashes = 0;
  if (value == NULL) return SPC_INVALID_STATE;
  spc_status status = spc_ssz_prove(value, gindices, count, proof, capacity, &hashes, &ssz_scratch);
  ssz_results[0] = hashes;
  return ssz_done(status);
}

/* At `gindices`: the indices, then the leaves, the root, the proof. Results: whether it holds. */
WASM_EXPORT(ssz_verify_proof)
uint32_t wasm_ssz_verify_proof(const spc_ssz_gindex *gindices, uint32_t count,
                               uint32_t proof_count);
uint32_t wasm_ssz_verify_proof(const spc_ssz_gindex *gindices, uint32_t count,
                               uint32_t proof_count) {
  const uint8_t *leaves = (const uint8_t *)(gindices + count), *root = leaves + 32 * (size_t)count;
  bool ok = false;
  spc_status status = spc_ssz_verify_proof(gindices, leaves, count, root + 32, proof_count, root,
                                           &ok, &ssz_scratch);
  ssz_results[0] = ok;
  return ssz_done(status);
}

/* Hashes go to `out`, `capacity` at most, the descriptor behind them. Results: the length of the
 * descriptor, the number of hashes. */
WASM_EXPORT(ssz_prove_compact)
uint32_t wasm_ssz_prove_compact(uint32_t handle, const spc_ssz_gindex *gindices, uint32_t count,
                                uint8_t *out, uint32_t capacity);
uint32_t wasm_ssz_prove_compact(uint32_t handle, const spc_ssz_gindex *gindices, uint32_t count,
                                uint8_t *out, uint32_t capacity) {
  const spc_ssz_value *value = ssz_value(handle);
  size_t length = 0, hashes = 0;
  if (value == NULL) return SPC_INVALID_STATE;
  spc_status status =
      spc_ssz_prove_compact(value, gindices, count, out + 32 * (size_t)capacity, capacity / 4 + 1,
                            &length, out, capacity, &hashes, &ssz_scratch);
  ssz_results[0] = length;
  ssz_results[1] = hashes;
  return ssz_done(status);
}

/* Results: the number of indices; with `capacity` 0 they are only counted. */
WASM_EXPORT(ssz_compact_gindices)
uint32_t wasm_ssz_compact_gindices(const uint8_t *descriptor, uint32_t length,
                                   spc_ssz_gindex *gindices, uint32_t capacity);
uint32_t wasm_ssz_compact_gindices(const uint8_t *descriptor, uint32_t length,
                                   spc_ssz_gindex *gindices, uint32_t capacity) {
  size_t count = 0;
  spc_status status = spc_ssz_compact_gindices(descriptor, length, gindices, capacity, &count);
  ssz_results[0] = count;
  return capacity == 0 && status == SPC_BUFFER_TOO_SMALL ? SPC_OK : ssz_done(status);
}

/* The root follows the hashes. Results: whether it holds. */
WASM_EXPORT(ssz_verify_compact)
uint32_t wasm_ssz_verify_compact(const uint8_t *descriptor, uint32_t length, const uint8_t *hashes,
                                 uint32_t count);
uint32_t wasm_ssz_verify_compact(const uint8_t *descriptor, uint32_t length, const uint8_t *hashes,
                                 uint32_t count) {
  bool ok = false;
  spc_status status =
      spc_ssz_verify_compact(descriptor, length, hashes, count, hashes + 32 * (size_t)count, &ok);
  ssz_results[0] = ok;
  return ssz_done(status);
}
