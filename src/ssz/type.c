/*
 * Building types. A type is written to the arena once its parts are there; everything that follows
 * from it (sizes, page geometry, record layout, circuit) is computed then. Types are shared: what
 * is built again, or fails, leaves nothing in the arena. Sizes saturate at UINT64_MAX, which no
 * input can reach.
 */
#include <string.h>

#include "base/error.h"
#include "ssz/circuit.h"
#include "ssz/type_internal.h"

/* Compatibility compares pairs of options, and those may be unions again: a bound on the work. */
#define TYPE_COMPARISONS 1000000u

static uint64_t type_add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t type_mul(uint64_t a, uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static spc_ssz_type *type_at(const spc_ssz_builder *self, spc_ssz_type_id id) {
  return (spc_ssz_type *)spc_arena_at(self->arena, id);
}

static spc_ssz_type_id type_fail(spc_ssz_builder *self, spc_status status, uint64_t index,
                                 const char *name) {
  if (self->error.status != SPC_OK) return 0;
  spc__fail_index(&self->error, status, index);
  if (name != NULL) {
    size_t length = strlen(name);
    if (length >= SPC_ERROR_PATH_SIZE) length = SPC_ERROR_PATH_SIZE - 1;
    memcpy(self->error.path, name, length);
    self->error.path[length] = '\0';
  }
  return 0;
}

void spc_ssz_build_init(spc_ssz_builder *self, spc_arena *arena) {
  self->arena = arena;
  self->last = 0;
  spc__fail(&self->error, SPC_OK);
}

static bool type_alloc(spc_ssz_builder *self, size_t size, uint32_t *offset) {
  *offset = 0;
  if (self->error.status != SPC_OK) return false;
  if (spc_arena_alloc(self->arena, size, offset) == SPC_OK) {
    memset(spc_arena_at(self->arena, *offset), 0, size);
    return true;
  }
  type_fail(self, SPC_OUT_OF_MEMORY, SPC_NO_POSITION, NULL);
  return false;
}

/* ---- What follows from a type ---- */

static void type_set_size(spc_ssz_type *type, uint64_t min_size, uint64_t max_size) {
  type->min_size = min_size;
  type->max_size = max_size;
}

static void type_set_fixed(spc_ssz_type *type, uint64_t size) {
  type->flags |= SPC__SSZ_FIXED;
  type->fixed_size = size;
  type_set_size(type, size, size);
}

/* Size of a member in its parent: with its offset if it has one. */
static uint64_t type_part(const spc_ssz_type *type, uint64_t size) {
  return spc__ssz_has(type, SPC__SSZ_FIXED) ? size : type_add(size, SPC__SSZ_OFFSET_BYTES);
}

static void type_sequence_size(spc_ssz_type *type) {
  uint64_t n = type->limit, bytes = n / 8 + (n % 8 != 0);
  const spc_ssz_type *element = type->element == 0 ? NULL : spc__ssz_element(type);
  switch (type->kind) {
  case SPC_SSZ_BITVECTOR:
    type_set_fixed(type, bytes);
    break;
  case SPC_SSZ_BITLIST:
    type_set_size(type, 1, n / 8 + 1);
    break;
  case SPC_SSZ_PROGRESSIVE_BITLIST:
    type_set_size(type, 1, SPC__SSZ_UNBOUNDED);
    break;
  case SPC_SSZ_VECTOR:
    if (spc__ssz_has(element, SPC__SSZ_FIXED))
      type_set_fixed(type, type_mul(n, element->fixed_size));
    else
      type_set_size(type, type_mul(n, type_part(element, element->min_size)),
                    type_mul(n, type_part(element, element->max_size)));
    break;
  case SPC_SSZ_LIST:
    type_set_size(type, 0, type_mul(n, type_part(element, element->max_size)));
    break;
  default:
    type_set_size(type, 0, SPC__SSZ_UNBOUNDED);
  }
}

static void type_sequence_geometry(spc_ssz_type *type) {
  const spc_ssz_type *element = type->element == 0 ? NULL : spc__ssz_element(type);
  if (element == NULL)
    type->flags |= SPC__SSZ_BITS | SPC__SSZ_PACKED;
  else if (spc__ssz_is_basic(element))
    type->flags |= SPC__SSZ_PACKED;
  else if (spc__ssz_has(element, SPC__SSZ_FLAT))
    type->flags |= SPC__SSZ_INLINE;
  if (type->kind != SPC_SSZ_VECTOR && type->kind != SPC_SSZ_BITVECTOR)
    type->flags |= SPC__SSZ_GROWS;
  if (spc__ssz_has(type, SPC__SSZ_PACKED))
    type->leaf_bytes = 32;
  else if (spc__ssz_has(type, SPC__SSZ_INLINE))
    type->leaf_bytes = (uint32_t)element->fixed_size;
  unsigned depth = 0;
  if (type->leaf_bytes != 0)
    while (depth < 6 && type->leaf_bytes << (depth + 1) <= SPC__SSZ_PAGE_BYTES)
      depth++;
  if (!spc__ssz_is_progressive(type)) {
    type->tree_depth = (uint8_t)spc__ssz_depth_for(spc__ssz_leaves(type, type->limit));
    if (depth > type->tree_depth) depth = type->tree_depth;
  } else {
    while (2u * type->head_trees < depth)
      type->head_trees++;
    type->head_leaves = (uint32_t)spc__ssz_leaves_before(type->head_trees);
  }
  type->page_depth = (uint8_t)depth;
  type->page_bytes = type->leaf_bytes << depth;
}

static void type_flatten(spc_ssz_type *type) {
  if (!spc__ssz_has(type, SPC__SSZ_FIXED) || type->fixed_size > SPC__SSZ_PAGE_BYTES) return;
  if (type->element != 0 && !spc__ssz_has(spc__ssz_element(type), SPC__SSZ_FLAT)) return;
  if (spc__ssz_is_container(type))
    for (uint32_t i = 0; i < type->member_count; i++)
      if (!spc__ssz_has(spc__ssz_member_type(&spc__ssz_members(type)[i]), SPC__SSZ_FLAT)) return;
  if (spc__ssz_circuit_ops(type) <= SPC__SSZ_FLAT_OPS) type->flags |= SPC__SSZ_FLAT;
}

static void type_record_layout(spc_ssz_type *type) {
  spc__ssz_member *members = (spc__ssz_member *)(void *)((uint8_t *)type + type->members);
  uint64_t flat = 0, wire = 0;
  uint32_t children = 0;
  bool fixed = true;
  uint64_t least = 0, most = 0;
  for (uint32_t i = 0; i < type->member_count; i++) {
    const spc_ssz_type *field = spc__ssz_member_type(&members[i]);
    members[i].wire = wire;
    bool inline_field = spc__ssz_has(field, SPC__SSZ_FIXED);
    wire = type_add(wire, inline_field ? field->fixed_size : SPC__SSZ_OFFSET_BYTES);
    fixed = fixed && inline_field;
    least = type_add(least, type_part(field, field->min_size));
    most = type_add(most, type_part(field, field->max_size));
    if (spc__ssz_has(field, SPC__SSZ_FLAT)) {
      members[i].data = (uint32_t)flat;
      flat += field->fixed_size;
    } else {
      children++;
    }
    type->flags |= field->flags & (SPC__SSZ_CHECKED | SPC__SSZ_NO_DEFAULT);
    if (field->depth >= type->depth) type->depth = (uint8_t)(field->depth + 1);
  }
  uint32_t next = type->member_count;
  for (uint32_t i = type->member_count; i-- > 0;) {
    members[i].next_variable = (uint16_t)next;
    if (!spc__ssz_has(spc__ssz_member_type(&members[i]), SPC__SSZ_FIXED)) next = i;
  }
  type->first_variable = next;
  type->fixed_part = wire;
  if (fixed)
    type_set_fixed(type, wire);
  else
    type_set_size(type, least, most);
  type->flat_bytes = (uint32_t)flat; /* at most SPC_SSZ_MAX_FIELDS pages */
  type->child_count = children;
  uint32_t child = (type->flat_bytes + 7u) & ~7u;
  for (uint32_t i = 0; i < type->member_count; i++)
    if (!spc__ssz_has(spc__ssz_member_type(&members[i]), SPC__SSZ_FLAT)) {
      members[i].data = child;
      child += (uint32_t)sizeof(void *);
    }
  type->record_bytes = child;
  while ((type->member_count - 1) >> type->dirty_shift >= 64)
    type->dirty_shift++;
}

/* The type `id`, or after a failure (0) the arena as it was. */
static spc_ssz_type_id type_or_rewind(spc_ssz_builder *self, spc_ssz_type_id id, size_t before) {
  if (id == 0) self->arena->used = before;
  return id;
}

/* Computes what is left, compiles the circuit and makes the type known. */
static spc_ssz_type_id type_finish(spc_ssz_builder *self, spc_ssz_type_id id) {
  spc_ssz_type *type = type_at(self, id);
  if (type->depth > SPC_SSZ_MAX_DEPTH)
    return type_fail(self, SPC_DEPTH_LIMIT, SPC_NO_POSITION, NULL);
  type_flatten(type);
  type->previous = self->last == 0 ? 0 : (int32_t)self->last - (int32_t)id;
  if (spc__ssz_has(type, SPC__SSZ_FLAT) || spc__ssz_is_container(type)) {
    spc_status status = spc__ssz_circuit_build(self->arena, id);
    if (status != SPC_OK) return type_fail(self, status, SPC_NO_POSITION, NULL);
  }
  self->last = id;
  return id;
}

/* ---- Basic types and sequences ---- */

static spc_ssz_type_id type_find(const spc_ssz_builder *self, uint8_t kind, spc_ssz_type_id element,
                                 uint64_t limit) {
  spc_ssz_type_id id = self->last;
  while (id != 0) {
    const spc_ssz_type *type = type_at(self, id);
    spc_ssz_type_id own = type->element == 0 ? 0 : (uint32_t)((int32_t)id + type->element);
    if (type->kind == kind && type->limit == limit && own == element) return id;
    id = type->previous == 0 ? 0 : (uint32_t)((int32_t)id + type->previous);
  }
  return 0;
}

static spc_ssz_type_id type_basic(spc_ssz_builder *self, uint8_t kind, uint64_t bits) {
  if (self->error.status != SPC_OK) return 0;
  size_t before = self->arena->used;
  spc_ssz_type_id id = type_find(self, kind, 0, bits);
  if (id != 0 || !type_alloc(self, sizeof(spc_ssz_type), &id)) return id;
  spc_ssz_type *type = type_at(self, id);
  type->kind = kind;
  type->depth = 1;
  type->limit = bits;
  type_set_fixed(type, bits < 8 ? 1 : bits / 8);
  type->flat_bytes = type->record_bytes = (uint32_t)type->fixed_size;
  if (kind == SPC_SSZ_BOOLEAN) type->flags |= SPC__SSZ_CHECKED;
  return type_or_rewind(self, type_finish(self, id), before);
}

static spc_ssz_type_id type_sequence(spc_ssz_builder *self, uint8_t kind, spc_ssz_type_id element,
                                     uint64_t limit) {
  if (self->error.status != SPC_OK) return 0;
  if (limit == 0 && (kind == SPC_SSZ_VECTOR || kind == SPC_SSZ_BITVECTOR))
    return type_fail(self, SPC_ZERO_LENGTH, SPC_NO_POSITION, NULL);
  size_t before = self->arena->used;
  spc_ssz_type_id id = type_find(self, kind, element, limit);
  if (id != 0 || !type_alloc(self, sizeof(spc_ssz_type), &id)) return id;
  spc_ssz_type *type = type_at(self, id);
  type->kind = kind;
  type->depth = 1;
  type->limit = limit;
  if (element != 0) {
    const spc_ssz_type *of = type_at(self, element);
    type->element = (int32_t)element - (int32_t)id;
    type->depth = (uint8_t)(of->depth + 1);
    type->flags |= of->flags & SPC__SSZ_CHECKED;
    if (kind == SPC_SSZ_VECTOR) type->flags |= of->flags & SPC__SSZ_NO_DEFAULT;
  }
  if (kind == SPC_SSZ_BITVECTOR && limit % 8 != 0) type->flags |= SPC__SSZ_CHECKED;
  type_sequence_size(type);
  type_sequence_geometry(type);
  return type_or_rewind(self, type_finish(self, id), before);
}

static spc_ssz_type_id type_sequence_of(spc_ssz_builder *self, uint8_t kind,
                                        spc_ssz_type_id element, uint64_t limit) {
  if (element == 0) return type_fail(self, SPC_INVALID_ARGUMENT, SPC_NO_POSITION, NULL);
  return type_sequence(self, kind, element, limit);
}

spc_ssz_type_id spc_ssz_build_uint(spc_ssz_builder *self, unsigned bits) {
  if (bits < 8 || bits > 256 || (bits & (bits - 1)) != 0)
    return type_fail(self, SPC_INVALID_ARGUMENT, bits, NULL);
  return type_basic(self, SPC_SSZ_UINT, bits);
}

spc_ssz_type_id spc_ssz_build_byte(spc_ssz_builder *self) {
  return type_basic(self, SPC_SSZ_BYTE, 8);
}

spc_ssz_type_id spc_ssz_build_boolean(spc_ssz_builder *self) {
  return type_basic(self, SPC_SSZ_BOOLEAN, 0);
}

spc_ssz_type_id spc_ssz_build_bitvector(spc_ssz_builder *self, uint64_t length) {
  return type_sequence(self, SPC_SSZ_BITVECTOR, 0, length);
}

spc_ssz_type_id spc_ssz_build_bitlist(spc_ssz_builder *self, uint64_t limit) {
  return type_sequence(self, SPC_SSZ_BITLIST, 0, limit);
}

spc_ssz_type_id spc_ssz_build_progressive_bitlist(spc_ssz_builder *self) {
  return type_sequence(self, SPC_SSZ_PROGRESSIVE_BITLIST, 0, 0);
}

spc_ssz_type_id spc_ssz_build_vector(spc_ssz_builder *self, spc_ssz_type_id element,
                                     uint64_t length) {
  return type_sequence_of(self, SPC_SSZ_VECTOR, element, length);
}

spc_ssz_type_id spc_ssz_build_list(spc_ssz_builder *self, spc_ssz_type_id element, uint64_t limit) {
  return type_sequence_of(self, SPC_SSZ_LIST, element, limit);
}

spc_ssz_type_id spc_ssz_build_progressive_list(spc_ssz_builder *self, spc_ssz_type_id element) {
  return type_sequence_of(self, SPC_SSZ_PROGRESSIVE_LIST, element, 0);
}

/* ---- Containers ---- */

static bool type_is_name(const char *name) {
  if (name == NULL || name[0] == '\0') return false;
  for (; *name != '\0'; name++) {
    char c = *name;
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
      return false;
  }
  return true;
}

static bool type_names_are_good(spc_ssz_builder *self, const spc__ssz_fields *fields) {
  for (size_t i = 0; i < fields->count; i++) {
    const char *name = spc__ssz_field_at(fields, i).name;
    bool good = type_is_name(name);
    for (size_t k = 0; good && k < i; k++)
      good = strcmp(name, spc__ssz_field_at(fields, k).name) != 0;
    if (!good) {
      type_fail(self, SPC_BAD_NAME, i, name);
      return false;
    }
  }
  return true;
}

/* The name of field `index`, or `name`, to the arena; it is looked up after the arena may have
 * moved. */
static bool type_copy_name(spc_ssz_builder *self, const spc__ssz_fields *fields, size_t index,
                           const char *name, uint32_t *at, uint32_t *length) {
  if (fields != NULL) name = spc__ssz_field_at(fields, index).name;
  *length = name == NULL ? 0 : (uint32_t)strlen(name);
  if (!type_alloc(self, (size_t)*length + 1, at)) return false;
  if (fields != NULL) name = spc__ssz_field_at(fields, index).name;
  if (*length != 0) memcpy(spc_arena_at(self->arena, *at), name, *length);
  return true;
}

/* The type, its members and their names, without positions. */
static spc_ssz_type_id type_members(spc_ssz_builder *self, uint8_t kind, const char *name,
                                    const spc__ssz_fields *fields) {
  uint32_t id, members_at, name_at, length;
  if (!type_alloc(self, sizeof(spc_ssz_type), &id) ||
      !type_alloc(self, fields->count * sizeof(spc__ssz_member), &members_at) ||
      !type_copy_name(self, NULL, 0, name, &name_at, &length))
    return 0;
  spc_ssz_type *type = type_at(self, id);
  type->kind = kind;
  type->depth = 1;
  type->member_count = (uint32_t)fields->count;
  type->members = (int32_t)members_at - (int32_t)id;
  type->name = (int32_t)name_at - (int32_t)id;
  for (size_t i = 0; i < fields->count; i++) {
    if (!type_copy_name(self, fields, i, NULL, &name_at, &length)) return 0;
    uint32_t own = members_at + (uint32_t)(i * sizeof(spc__ssz_member));
    spc__ssz_member *member = (spc__ssz_member *)spc_arena_at(self->arena, own);
    member->name = (int32_t)name_at - (int32_t)own;
    member->name_length = length;
    member->position = (uint16_t)i;
    spc_ssz_type_id field = spc__ssz_field_at(fields, i).type;
    if (field == SPC_SSZ_NONE) continue;
    if (field == 0) return type_fail(self, SPC_INVALID_ARGUMENT, i, NULL);
    member->type = (int32_t)field - (int32_t)own;
  }
  return id;
}

static bool type_fields_are_good(spc_ssz_builder *self, const spc__ssz_fields *fields) {
  if (self->error.status != SPC_OK) return false;
  spc_status status = SPC_OK;
  uint64_t index = SPC_NO_POSITION;
  if (fields->count == 0) status = SPC_NO_FIELDS;
  if (fields->count > SPC_SSZ_MAX_FIELDS) status = SPC_COUNT_LIMIT;
  for (size_t i = 0; status == SPC_OK && i < fields->count; i++) {
    spc_ssz_type_id type = spc__ssz_field_at(fields, i).type;
    if (type != 0 && type != SPC_SSZ_NONE) continue;
    status = SPC_INVALID_ARGUMENT;
    index = i;
  }
  if (status != SPC_OK) type_fail(self, status, index, NULL);
  return status == SPC_OK && type_names_are_good(self, fields);
}

static bool type_same_name(const spc__ssz_member *a, const spc__ssz_member *b) {
  return a->name_length == b->name_length &&
         memcmp(spc__ssz_member_name(a), spc__ssz_member_name(b), a->name_length) == 0;
}

static bool type_same_members(const spc_ssz_type *a, const spc_ssz_type *b) {
  if (a->kind != b->kind || a->limit != b->limit || a->member_count != b->member_count ||
      strcmp(spc_ssz_type_name(a), spc_ssz_type_name(b)) != 0)
    return false;
  for (uint32_t i = 0; i < a->member_count; i++) {
    const spc__ssz_member *x = &spc__ssz_members(a)[i], *y = &spc__ssz_members(b)[i];
    if (x->position != y->position || !type_same_name(x, y) || (x->type == 0) != (y->type == 0) ||
        (x->type != 0 && spc__ssz_member_type(x) != spc__ssz_member_type(y)))
      return false;
  }
  return true;
}

/* A type with members, from `before` on in the arena, or the one that was built earlier. */
static spc_ssz_type_id type_finish_members(spc_ssz_builder *self, spc_ssz_type_id id,
                                           size_t before) {
  const spc_ssz_type *type = type_at(self, id);
  for (spc_ssz_type_id other = self->last; other != 0;) {
    const spc_ssz_type *known = type_at(self, other);
    if (type_same_members(known, type)) {
      self->arena->used = before;
      return other;
    }
    other = known->previous == 0 ? 0 : (uint32_t)((int32_t)other + known->previous);
  }
  return type_or_rewind(self, type_finish(self, id), before);
}

/* Positions of the active fields; false if they do not fit the fields. */
static bool type_positions(const bool *active, size_t active_count, size_t count,
                           uint16_t positions[256]) {
  size_t found = 0;
  if (active_count > 256 || active_count == 0 || !active[active_count - 1]) return false;
  for (size_t i = 0; i < active_count; i++)
    if (active[i]) positions[found++] = (uint16_t)i;
  return found == count;
}

spc_ssz_type_id spc__ssz_build_container(spc_ssz_builder *self, const char *name,
                                         const spc__ssz_fields *fields, const bool *active,
                                         size_t active_count) {
  uint16_t positions[256];
  if (!type_fields_are_good(self, fields)) return 0;
  if (active != NULL && !type_positions(active, active_count, fields->count, positions))
    return type_fail(self, SPC_BAD_ACTIVE_FIELDS, SPC_NO_POSITION, NULL);
  uint8_t kind = active == NULL ? SPC_SSZ_CONTAINER : SPC_SSZ_PROGRESSIVE_CONTAINER;
  size_t before = self->arena->used;
  spc_ssz_type_id id = type_members(self, kind, name, fields);
  if (id == 0) return type_or_rewind(self, 0, before);
  spc_ssz_type *type = type_at(self, id);
  spc__ssz_member *members = (spc__ssz_member *)(void *)((uint8_t *)type + type->members);
  for (size_t i = 0; active != NULL && i < fields->count; i++)
    members[i].position = positions[i];
  if (active != NULL) type->limit = active_count;
  type_record_layout(type);
  return type_finish_members(self, id, before);
}

spc_ssz_type_id spc_ssz_build_container(spc_ssz_builder *self, const char *name,
                                        const spc_ssz_field *fields, size_t count) {
  const spc__ssz_fields given = {.array = fields, .count = count};
  return spc__ssz_build_container(self, name, &given, NULL, 0);
}

spc_ssz_type_id spc_ssz_build_progressive_container(spc_ssz_builder *self, const char *name,
                                                    const spc_ssz_field *fields, size_t count,
                                                    const bool *active, size_t active_count) {
  const spc__ssz_fields given = {.array = fields, .count = count};
  static const bool none[1] = {false};
  return spc__ssz_build_container(self, name, &given, active == NULL ? none : active, active_count);
}

/* ---- Unions ---- */

static spc_ssz_type_id type_options(spc_ssz_builder *self, uint8_t kind, const uint8_t *selectors,
                                    const spc_ssz_type_id *options, size_t count) {
  spc_ssz_field fields[128] = {{NULL, 0}};
  for (size_t i = 0; i < count; i++)
    fields[i] = (spc_ssz_field){NULL, options[i]};
  const spc__ssz_fields given = {.array = fields, .count = count};
  spc_ssz_type_id id = type_members(self, kind, NULL, &given);
  if (id == 0) return 0;
  spc_ssz_type *type = type_at(self, id);
  spc__ssz_member *members = (spc__ssz_member *)(void *)((uint8_t *)type + type->members);
  uint64_t least = UINT64_MAX, most = 0;
  for (size_t i = 0; i < count; i++) {
    if (selectors != NULL) members[i].position = selectors[i];
    const spc_ssz_type *option = members[i].type == 0 ? NULL : spc__ssz_member_type(&members[i]);
    uint64_t min_size = option == NULL ? 0 : option->min_size;
    uint64_t max_size = option == NULL ? 0 : option->max_size;
    if (min_size < least) least = min_size;
    if (max_size > most) most = max_size;
    if (option != NULL && option->depth >= type->depth) type->depth = (uint8_t)(option->depth + 1);
  }
  if (kind == SPC_SSZ_COMPATIBLE_UNION ||
      (members[0].type != 0 &&
       spc__ssz_has(spc__ssz_member_type(&members[0]), SPC__SSZ_NO_DEFAULT)))
    type->flags |= SPC__SSZ_NO_DEFAULT;
  type_set_size(type, type_add(least, 1), type_add(most, 1));
  return id;
}

spc_ssz_type_id spc_ssz_build_union(spc_ssz_builder *self, const spc_ssz_type_id *options,
                                    size_t count) {
  if (self->error.status != SPC_OK) return 0;
  if (count == 0) return type_fail(self, SPC_NO_FIELDS, SPC_NO_POSITION, NULL);
  if (count > 128) return type_fail(self, SPC_BAD_SELECTOR, 128, NULL);
  for (size_t i = 0; i < count; i++)
    if (options[i] == SPC_SSZ_NONE && (i != 0 || count == 1))
      return type_fail(self, SPC_BAD_SELECTOR, i, NULL);
  size_t before = self->arena->used;
  spc_ssz_type_id id = type_options(self, SPC_SSZ_UNION, NULL, options, count);
  return id == 0 ? type_or_rewind(self, 0, before) : type_finish_members(self, id, before);
}

static bool type_compatible(const spc_ssz_type *a, const spc_ssz_type *b, bool same,
                            uint32_t *budget);

static bool type_compatible_members(const spc__ssz_member *a, const spc__ssz_member *b, bool same,
                                    uint32_t *budget) {
  if ((a->type == 0) != (b->type == 0)) return false;
  return a->type == 0 ||
         type_compatible(spc__ssz_member_type(a), spc__ssz_member_type(b), same, budget);
}

/* The same members one by one. */
static bool type_equal_lists(const spc_ssz_type *a, const spc_ssz_type *b, bool same,
                             uint32_t *budget) {
  if (a->member_count != b->member_count) return false;
  for (uint32_t i = 0; i < a->member_count; i++) {
    const spc__ssz_member *x = &spc__ssz_members(a)[i], *y = &spc__ssz_members(b)[i];
    if (x->position != y->position || !type_same_name(x, y)) return false;
    if (!type_compatible_members(x, y, same, budget)) return false;
  }
  return true;
}

static bool type_compatible_progressive(const spc_ssz_type *a, const spc_ssz_type *b,
                                        uint32_t *budget) {
  for (uint32_t i = 0; i < a->member_count; i++)
    for (uint32_t k = 0; k < b->member_count; k++) {
      const spc__ssz_member *x = &spc__ssz_members(a)[i], *y = &spc__ssz_members(b)[k];
      bool name = type_same_name(x, y), position = x->position == y->position;
      if (name != position) return false;
      if (position && !type_compatible_members(x, y, false, budget)) return false;
    }
  return true;
}

static bool type_compatible_options(const spc_ssz_type *a, const spc_ssz_type *b,
                                    uint32_t *budget) {
  for (uint32_t i = 0; i < a->member_count; i++)
    for (uint32_t k = 0; k < b->member_count; k++)
      if (!type_compatible_members(&spc__ssz_members(a)[i], &spc__ssz_members(b)[k], false, budget))
        return false;
  return true;
}

/* EIP-8016, compatible Merkleization; `same`: the same type in every detail. */
static bool type_compatible(const spc_ssz_type *a, const spc_ssz_type *b, bool same,
                            uint32_t *budget) {
  if (a == b) return true;
  if (*budget == 0) return false;
  (*budget)--;
  if (spc__ssz_is_basic(a) && spc__ssz_is_basic(b) && !same) {
    bool bytes = a->limit == 8 && b->limit == 8;
    return bytes || (a->kind == b->kind && a->limit == b->limit);
  }
  if (a->kind != b->kind) return false;
  switch (a->kind) {
  case SPC_SSZ_VECTOR:
  case SPC_SSZ_LIST:
  case SPC_SSZ_PROGRESSIVE_LIST:
    return a->limit == b->limit &&
           type_compatible(spc__ssz_element(a), spc__ssz_element(b), same, budget);
  case SPC_SSZ_CONTAINER:
    return type_equal_lists(a, b, same, budget);
  case SPC_SSZ_PROGRESSIVE_CONTAINER:
    return same ? a->limit == b->limit && type_equal_lists(a, b, same, budget)
                : type_compatible_progressive(a, b, budget);
  case SPC_SSZ_UNION:
    return type_equal_lists(a, b, true, budget);
  case SPC_SSZ_COMPATIBLE_UNION:
    return same ? type_equal_lists(a, b, same, budget) : type_compatible_options(a, b, budget);
  default:
    return a->limit == b->limit;
  }
}

spc_ssz_type_id spc_ssz_build_compatible_union(spc_ssz_builder *self, const uint8_t *selectors,
                                               const spc_ssz_type_id *options, size_t count) {
  if (self->error.status != SPC_OK) return 0;
  if (count == 0) return type_fail(self, SPC_NO_FIELDS, SPC_NO_POSITION, NULL);
  for (size_t i = 0; i < count; i++) {
    if (i >= 127 || selectors[i] < 1 || selectors[i] > 127 ||
        (i != 0 && selectors[i] <= selectors[i - 1]))
      return type_fail(self, SPC_BAD_SELECTOR, i, NULL);
    if (options[i] == SPC_SSZ_NONE) return type_fail(self, SPC_BAD_SELECTOR, i, NULL);
  }
  for (size_t i = 0; i < count; i++)
    if (options[i] == 0) return type_fail(self, SPC_INVALID_ARGUMENT, i, NULL);
  uint32_t budget = TYPE_COMPARISONS;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++)
      if (!type_compatible(type_at(self, options[k]), type_at(self, options[i]), false, &budget))
        return type_fail(self, budget == 0 ? SPC_COUNT_LIMIT : SPC_INCOMPATIBLE_OPTIONS, i, NULL);
  size_t before = self->arena->used;
  spc_ssz_type_id id = type_options(self, SPC_SSZ_COMPATIBLE_UNION, selectors, options, count);
  return id == 0 ? type_or_rewind(self, 0, before) : type_finish_members(self, id, before);
}

spc_status spc_ssz_build_finish(spc_ssz_builder *self, spc_ssz_type_id id,
                                const spc_ssz_type **type, spc_error *error) {
  if (self->error.status == SPC_OK && (id == 0 || id == SPC_SSZ_NONE))
    type_fail(self, SPC_INVALID_ARGUMENT, SPC_NO_POSITION, NULL);
  spc_status status = self->error.status;
  if (status == SPC_OK) {
    *type = type_at(self, id);
    return SPC_OK;
  }
  if (error != NULL) *error = self->error;
  spc__fail(&self->error, SPC_OK);
  return status;
}

/* ---- Looking at types ---- */

spc_ssz_kind spc_ssz_type_kind(const spc_ssz_type *type) {
  return (spc_ssz_kind)type->kind;
}

const char *spc_ssz_type_name(const spc_ssz_type *type) {
  return type->name == 0 ? "" : (const char *)spc__ssz_at(type, type->name);
}

bool spc_ssz_type_is_fixed(const spc_ssz_type *type) {
  return spc__ssz_has(type, SPC__SSZ_FIXED);
}

bool spc_ssz_type_is_flat(const spc_ssz_type *type) {
  return spc__ssz_has(type, SPC__SSZ_FLAT);
}

uint64_t spc_ssz_type_min_size(const spc_ssz_type *type) {
  return type->min_size;
}

uint64_t spc_ssz_type_max_size(const spc_ssz_type *type) {
  return type->max_size;
}

uint64_t spc_ssz_type_limit(const spc_ssz_type *type) {
  return type->kind == SPC_SSZ_PROGRESSIVE_CONTAINER ? 0 : type->limit;
}

const spc_ssz_type *spc_ssz_type_element(const spc_ssz_type *type) {
  return type->element == 0 ? NULL : spc__ssz_element(type);
}

size_t spc_ssz_type_field_count(const spc_ssz_type *type) {
  return type->member_count;
}

const spc_ssz_type *spc_ssz_type_field(const spc_ssz_type *type, size_t index) {
  if (index >= type->member_count || spc__ssz_members(type)[index].type == 0) return NULL;
  return spc__ssz_member_type(&spc__ssz_members(type)[index]);
}

const char *spc_ssz_type_field_name(const spc_ssz_type *type, size_t index) {
  return index >= type->member_count ? "" : spc__ssz_member_name(&spc__ssz_members(type)[index]);
}

unsigned spc_ssz_type_field_position(const spc_ssz_type *type, size_t index) {
  return index >= type->member_count ? 0 : spc__ssz_members(type)[index].position;
}

spc_status spc_ssz_type_find_field(const spc_ssz_type *type, const char *name, size_t length,
                                   size_t *index) {
  if (spc__ssz_is_container(type))
    for (uint32_t i = 0; i < type->member_count; i++) {
      const spc__ssz_member *member = &spc__ssz_members(type)[i];
      if (member->name_length == length &&
          memcmp(spc__ssz_member_name(member), name, length) == 0) {
        *index = i;
        return SPC_OK;
      }
    }
  return SPC_NOT_FOUND;
}

const spc__ssz_member *spc__ssz_option(const spc_ssz_type *type, unsigned selector) {
  for (uint32_t i = 0; i < type->member_count; i++)
    if (spc__ssz_members(type)[i].position == selector) return &spc__ssz_members(type)[i];
  return NULL;
}
