/*
 * Validation: the only place where bytes are judged. Every path that reads SSZ calls it on the
 * whole input first, so that what is built afterwards may trust offsets and counts. Recursion
 * follows the type. The numbers in comments are the rules' sections in ssz/simple-serialize.md.
 */
#include <string.h>

#include "base/error.h"
#include "ssz/check.h"
#include "ssz/wire.h"

#define CHECK_MASKS 16u

typedef struct check_state {
  const uint8_t *start;
  spc_error *error;
  bool early; /* leave out what is checked late */
  spc__ssz_trail trail;
} check_state;

/* A byte of which the bits of `mask` have to be zero. */
typedef struct check_mask {
  uint32_t offset;
  uint8_t mask;
} check_mask;

static spc_status check_value(check_state *s, const spc_ssz_type *type, const uint8_t *bytes,
                              uint64_t length);

static void check_path_append(spc_error *error, const spc_ssz_type *type, uint64_t index) {
  char number[24];
  const char *name = number;
  size_t length = 0, at = strlen(error->path);
  if (spc__ssz_is_sequence(type)) {
    size_t digit = sizeof number;
    number[--digit] = ']';
    do
      number[--digit] = (char)('0' + index % 10);
    while ((index /= 10) != 0);
    number[--digit] = '[';
    name = number + digit;
    length = sizeof number - digit;
  } else {
    name = spc__ssz_is_container(type) ? spc_ssz_type_field_name(type, (size_t)index) : "data";
    length = strlen(name);
    if (at != 0 && at < SPC_ERROR_PATH_SIZE - 1) error->path[at++] = '.';
  }
  if (length > SPC_ERROR_PATH_SIZE - 1 - at) length = SPC_ERROR_PATH_SIZE - 1 - at;
  memcpy(error->path + at, name, length);
  error->path[at + length] = '\0';
}

spc_status spc__ssz_trail_fail(const spc__ssz_trail *self, spc_error *error, spc_status status,
                               uint64_t offset) {
  spc__fail_offset(error, status, offset);
  if (error != NULL)
    for (unsigned i = 0; i < self->depth; i++)
      check_path_append(error, self->step[i].type, self->step[i].index);
  return status;
}

static spc_status check_fail(check_state *s, spc_status status, const uint8_t *at) {
  return spc__ssz_trail_fail(&s->trail, s->error, status, (uint64_t)(at - s->start));
}

static spc_status check_fail_limit(check_state *s, spc_status status, const uint8_t *at,
                                   uint64_t limit) {
  check_fail(s, status, at);
  if (s->error != NULL) s->error->limit = limit;
  return status;
}

static spc_status check_part(check_state *s, const spc_ssz_type *type, uint64_t index,
                             const spc_ssz_type *part, const uint8_t *bytes, uint64_t length) {
  spc__ssz_trail_enter(&s->trail, type, index);
  spc_status status = check_value(s, part, bytes, length);
  s->trail.depth--;
  return status;
}

/* ---- Bits ---- */

static spc_status check_bitvector(check_state *s, const spc_ssz_type *type, const uint8_t *bytes) {
  unsigned used = (unsigned)(type->limit % 8);
  const uint8_t *last = bytes + type->fixed_size - 1;
  if (used != 0 && *last >> used != 0) return check_fail(s, SPC_BAD_BIT_PADDING, last);
  return SPC_OK;
}

static uint64_t check_bit_count(const uint8_t *bytes, uint64_t length) {
  unsigned last = bytes[length - 1];
  return 8 * (length - 1) + 31u - (unsigned)__builtin_clz(last);
}

static spc_status check_bitlist(check_state *s, const spc_ssz_type *type, const uint8_t *bytes,
                                uint64_t length) {
  if (length == 0) return check_fail(s, SPC_TRUNCATED, bytes);
  bool bounded = type->kind == SPC_SSZ_BITLIST;
  if (bounded && length - 1 > type->limit / 8)
    return check_fail_limit(s, SPC_OVER_LIMIT, bytes, type->limit);
  if (bytes[length - 1] == 0) return check_fail(s, SPC_NO_DELIMITER, bytes + length - 1);
  if (bounded && check_bit_count(bytes, length) > type->limit)
    return check_fail_limit(s, SPC_OVER_LIMIT, bytes, type->limit);
  return SPC_OK;
}

/* ---- Sequences ---- */

/* Lists what can be wrong in a flat value; false if there is more than fits. */
static bool check_masks(const spc_ssz_type *type, uint32_t offset, check_mask *masks,
                        size_t *count) {
  if (!spc__ssz_has(type, SPC__SSZ_CHECKED)) return true;
  if (spc__ssz_is_container(type)) {
    for (uint32_t i = 0; i < type->member_count; i++) {
      const spc__ssz_member *member = &spc__ssz_members(type)[i];
      if (!check_masks(spc__ssz_member_type(member), offset + (uint32_t)member->wire, masks, count))
        return false;
    }
    return true;
  }
  if (type->kind == SPC_SSZ_VECTOR) {
    const spc_ssz_type *element = spc__ssz_element(type);
    for (uint64_t i = 0; i < type->limit; i++)
      if (!check_masks(element, offset + (uint32_t)(i * element->fixed_size), masks, count))
        return false;
    return true;
  }
  if (*count == CHECK_MASKS) return false;
  bool boolean = type->kind == SPC_SSZ_BOOLEAN;
  unsigned mask = boolean ? 0xfeu : 0xffu << (type->limit % 8) & 0xffu;
  masks[(*count)++] =
      (check_mask){offset + (boolean ? 0 : (uint32_t)type->fixed_size - 1), (uint8_t)mask};
  return true;
}

/* Whether all flat elements are fine; "no" may also mean that it was not decided. */
static bool check_all_flat(const spc_ssz_type *element, const uint8_t *bytes, uint64_t count) {
  check_mask masks[CHECK_MASKS];
  size_t mask_count = 0;
  if (!check_masks(element, 0, masks, &mask_count)) return false;
  for (size_t m = 0; m < mask_count; m++) {
    const uint8_t *at = bytes + masks[m].offset;
    uint8_t bits = 0;
    if (element->fixed_size == 1)
      for (uint64_t i = 0; i < count; i++)
        bits |= at[i];
    else
      for (uint64_t i = 0; i < count; i++)
        bits |= at[i * element->fixed_size];
    if ((bits & masks[m].mask) != 0) return false;
  }
  return true;
}

static spc_status check_fixed_elements(check_state *s, const spc_ssz_type *type,
                                       const uint8_t *bytes, uint64_t count) {
  const spc_ssz_type *element = spc__ssz_element(type);
  if (!spc__ssz_has(element, SPC__SSZ_CHECKED)) return SPC_OK;
  if (s->early && spc__ssz_is_checked_late(type, count * element->fixed_size)) return SPC_OK;
  if (spc__ssz_has(element, SPC__SSZ_FLAT) && check_all_flat(element, bytes, count)) return SPC_OK;
  for (uint64_t i = 0; i < count; i++) {
    spc_status status =
        check_part(s, type, i, element, bytes + i * element->fixed_size, element->fixed_size);
    if (status != SPC_OK) return status;
  }
  return SPC_OK;
}

static spc_status check_variable_elements(check_state *s, const spc_ssz_type *type,
                                          const uint8_t *bytes, uint64_t length) {
  if (length == 0)
    return type->kind == SPC_SSZ_VECTOR ? check_fail(s, SPC_TRUNCATED, bytes) : SPC_OK;
  if (length < 4) return check_fail(s, SPC_TRUNCATED, bytes);
  if (length > UINT32_MAX) return check_fail(s, SPC_SIZE_LIMIT, bytes);
  uint64_t first = spc__load32_le(bytes), count = first / 4;
  if (first == 0 || first % 4 != 0 || first > length) return check_fail(s, SPC_BAD_OFFSET, bytes);
  if (type->kind == SPC_SSZ_VECTOR && count != type->limit)
    return check_fail_limit(s, SPC_WRONG_LENGTH, bytes, type->limit);
  if (type->kind == SPC_SSZ_LIST && count > type->limit)
    return check_fail_limit(s, SPC_OVER_LIMIT, bytes, type->limit);
  uint64_t start = first;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t end = i + 1 < count ? spc__load32_le(bytes + 4 * i + 4) : length;
    if (end < start || end > length) return check_fail(s, SPC_BAD_OFFSET, bytes + 4 * i + 4);
    spc_status status = check_part(s, type, i, spc__ssz_element(type), bytes + start, end - start);
    if (status != SPC_OK) return status;
    start = end;
  }
  return SPC_OK;
}

static spc_status check_sequence(check_state *s, const spc_ssz_type *type, const uint8_t *bytes,
                                 uint64_t length) {
  const spc_ssz_type *element = spc__ssz_element(type);
  if (!spc__ssz_has(element, SPC__SSZ_FIXED))
    return check_variable_elements(s, type, bytes, length);
  uint64_t count = length / element->fixed_size;
  if (length % element->fixed_size != 0)
    return check_fail_limit(s, SPC_WRONG_LENGTH, bytes, element->fixed_size);
  if (type->kind == SPC_SSZ_LIST && count > type->limit)
    return check_fail_limit(s, SPC_OVER_LIMIT, bytes, type->limit);
  return check_fixed_elements(s, type, bytes, count);
}

/* ---- Containers and unions ---- */

static spc_status check_container(check_state *s, const spc_ssz_type *type, const uint8_t *bytes,
                                  uint64_t length) {
  const spc__ssz_member *members = spc__ssz_members(type);
  if (length < type->fixed_part) return check_fail(s, SPC_TRUNCATED, bytes + length);
  bool variable = type->first_variable < type->member_count;
  if (variable && length > UINT32_MAX) return check_fail(s, SPC_SIZE_LIMIT, bytes);
  uint64_t least = type->fixed_part; /* where the next variable part may begin */
  for (uint32_t i = type->first_variable; i < type->member_count; i = members[i].next_variable) {
    const uint8_t *at = bytes + members[i].wire;
    uint64_t start = spc__load32_le(at);
    bool first = i == type->first_variable;
    if (start < least || start > length || (first && start != least))
      return check_fail(s, SPC_BAD_OFFSET, at);
    least = start;
  }
  for (uint32_t i = 0; i < type->member_count; i++) {
    const spc_ssz_type *field = spc__ssz_member_type(&members[i]);
    if (spc__ssz_has(field, SPC__SSZ_FIXED) && !spc__ssz_has(field, SPC__SSZ_CHECKED)) continue;
    uint64_t size;
    const uint8_t *part = spc__ssz_wire_member(type, bytes, length, i, &size);
    spc_status status = check_part(s, type, i, field, part, size);
    if (status != SPC_OK) return status;
  }
  return SPC_OK;
}

static spc_status check_union(check_state *s, const spc_ssz_type *type, const uint8_t *bytes,
                              uint64_t length) {
  if (length == 0) return check_fail(s, SPC_TRUNCATED, bytes);
  const spc__ssz_member *option = spc__ssz_option(type, bytes[0]);
  if (option == NULL) return check_fail(s, SPC_UNKNOWN_OPTION, bytes);
  if (option->type == 0) return length == 1 ? SPC_OK : check_fail(s, SPC_TRAILING_BYTES, bytes + 1);
  return check_part(s, type, bytes[0], spc__ssz_member_type(option), bytes + 1, length - 1);
}

static spc_status check_value(check_state *s, const spc_ssz_type *type, const uint8_t *bytes,
                              uint64_t length) {
  if (spc__ssz_has(type, SPC__SSZ_FIXED) && length != type->fixed_size)
    return check_fail(s, length < type->fixed_size ? SPC_TRUNCATED : SPC_TRAILING_BYTES,
                      bytes + (length < type->fixed_size ? length : type->fixed_size));
  if (spc__ssz_is_union(type)) return check_union(s, type, bytes, length);
  if (spc__ssz_is_container(type)) return check_container(s, type, bytes, length);
  switch (type->kind) {
  case SPC_SSZ_BOOLEAN:
    return bytes[0] > 1 ? check_fail(s, SPC_BAD_BOOLEAN, bytes) : SPC_OK;
  case SPC_SSZ_BITVECTOR:
    return check_bitvector(s, type, bytes);
  case SPC_SSZ_BITLIST:
  case SPC_SSZ_PROGRESSIVE_BITLIST:
    return check_bitlist(s, type, bytes, length);
  case SPC_SSZ_VECTOR:
  case SPC_SSZ_LIST:
  case SPC_SSZ_PROGRESSIVE_LIST:
    return check_sequence(s, type, bytes, length);
  default:
    return SPC_OK;
  }
}

spc_status spc_ssz_validate(const spc_ssz_type *type, const uint8_t *bytes, size_t length,
                            spc_error *error) {
  check_state state = {bytes, error, false, {.depth = 0}};
  return check_value(&state, type, bytes, length);
}

spc_status spc__ssz_check_early(const spc_ssz_type *type, const uint8_t *bytes, size_t length,
                                spc_error *error) {
  check_state state = {bytes, error, true, {.depth = 0}};
  return check_value(&state, type, bytes, length);
}

spc_status spc__ssz_check_elements(const spc_ssz_type *type, const uint8_t *bytes, uint64_t length,
                                   uint64_t count, spc_error *error) {
  check_state state = {bytes, error, false, {.depth = 0}};
  uint64_t size = spc__ssz_element(type)->fixed_size;
  if (length % size != 0 || length / size != count)
    return check_fail_limit(&state, SPC_WRONG_LENGTH, bytes, size);
  return check_fixed_elements(&state, type, bytes, count);
}

uint64_t spc__ssz_wire_count(const spc_ssz_type *type, const uint8_t *bytes, uint64_t length) {
  if (type->kind == SPC_SSZ_VECTOR || type->kind == SPC_SSZ_BITVECTOR) return type->limit;
  if (spc__ssz_has(type, SPC__SSZ_BITS)) return check_bit_count(bytes, length);
  const spc_ssz_type *element = spc__ssz_element(type);
  if (spc__ssz_has(element, SPC__SSZ_FIXED)) return length / element->fixed_size;
  return length == 0 ? 0 : spc__load32_le(bytes) / 4;
}
