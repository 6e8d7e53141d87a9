/* Paths: their text, the types along them, and parts of bytes located without reading the rest. */
#include <string.h>

#include "base/error.h"
#include "ssz/wire.h"

/* Steps that do not lead to another value. */
static bool path_is_leaf(uint64_t step) {
  return step >= SPC_SSZ_STEP_ACTIVE;
}

static bool path_holds(const spc__ssz_member *option, uint64_t step) {
  return step == SPC_SSZ_STEP_DATA || step == option->position;
}

static const spc_ssz_type *path_step(const spc_ssz_type *type, uint64_t step) {
  if (spc__ssz_is_container(type)) return spc_ssz_type_field(type, (size_t)step);
  if (spc__ssz_is_union(type)) {
    const spc__ssz_member *option = step > 127 ? NULL : spc__ssz_option(type, (unsigned)step);
    return option == NULL || option->type == 0 ? NULL : spc__ssz_member_type(option);
  }
  if (spc__ssz_is_sequence(type) && type->element != 0 && !path_is_leaf(step))
    return spc__ssz_element(type);
  return NULL;
}

const spc_ssz_type *spc_ssz_path_type(const spc_ssz_type *type, const uint64_t *path,
                                      size_t steps) {
  for (size_t i = 0; i < steps && type != NULL; i++) {
    if (path[i] > SIZE_MAX && spc__ssz_is_container(type)) return NULL;
    type = path_step(type, path[i]);
  }
  return type;
}

/* ---- Text ---- */

typedef struct path_text {
  const char *text;
  size_t length, at;
} path_text;

static bool path_name_is(const path_text *t, size_t start, const char *name) {
  size_t length = strlen(name);
  return t->at - start == length && memcmp(t->text + start, name, length) == 0;
}

static spc_status path_index(path_text *t, uint64_t *step) {
  uint64_t value = 0;
  size_t start = ++t->at;
  for (; t->at < t->length && t->text[t->at] >= '0' && t->text[t->at] <= '9'; t->at++) {
    uint64_t digit = (uint64_t)(t->text[t->at] - '0');
    if (value > (SPC_SSZ_STEP_DATA - 1 - digit) / 10) return SPC_MALFORMED;
    value = value * 10 + digit;
  }
  if (t->at == start || t->at == t->length || t->text[t->at] != ']') return SPC_MALFORMED;
  t->at++;
  *step = value;
  return SPC_OK;
}

static spc_status path_name(path_text *t, const spc_ssz_type *type, uint64_t *step) {
  size_t start = t->at, index;
  while (t->at < t->length && t->text[t->at] != '.' && t->text[t->at] != '[')
    t->at++;
  if (t->at == start) return SPC_MALFORMED;
  if (spc_ssz_type_find_field(type, t->text + start, t->at - start, &index) == SPC_OK)
    *step = index;
  else if (spc__ssz_is_union(type) && path_name_is(t, start, "data"))
    *step = SPC_SSZ_STEP_DATA;
  else if (spc__ssz_is_union(type) && path_name_is(t, start, "__selector__"))
    *step = SPC_SSZ_STEP_SELECTOR;
  else if (spc__ssz_has(type, SPC__SSZ_GROWS) && path_name_is(t, start, "__len__"))
    *step = SPC_SSZ_STEP_LENGTH;
  else if (type->kind == SPC_SSZ_PROGRESSIVE_CONTAINER &&
           path_name_is(t, start, "__active_fields__"))
    *step = SPC_SSZ_STEP_ACTIVE;
  else
    return SPC_NOT_FOUND;
  return SPC_OK;
}

spc_status spc_ssz_path_read(const spc_ssz_type *type, const char *text, size_t length,
                             uint64_t *path, size_t capacity, size_t *steps, spc_error *error) {
  path_text t = {text, length, 0};
  *steps = 0;
  while (t.at < length) {
    size_t start = t.at;
    uint64_t step = 0;
    spc_status status = SPC_OK;
    /* The data of a union depends on the value: a path text can't go on behind it. */
    if (type == NULL)
      status = SPC_NOT_FOUND;
    else if (text[t.at] == '[')
      status = spc__ssz_is_sequence(type) || spc__ssz_is_union(type) ? path_index(&t, &step)
                                                                     : SPC_NOT_FOUND;
    else {
      if (text[t.at] == '.' && start != 0) t.at++;
      status = path_name(&t, type, &step);
    }
    if (status != SPC_OK) return spc__fail_offset(error, status, start);
    if (*steps == capacity) return spc__fail(error, SPC_BUFFER_TOO_SMALL);
    path[(*steps)++] = step;
    type = path_is_leaf(step) ? NULL : path_step(type, step);
  }
  return SPC_OK;
}

/* ---- Bytes ---- */

typedef struct path_scope {
  const spc_ssz_type *type;
  const uint8_t *bytes;
  uint64_t length;
} path_scope;

static spc_status path_enter_sequence(path_scope *s, uint64_t step) {
  const spc_ssz_type *type = s->type;
  if (spc__ssz_has(type, SPC__SSZ_BITS)) return SPC_INVALID_ARGUMENT;
  const spc_ssz_type *element = spc__ssz_element(type);
  uint64_t count, first = 0;
  if (spc__ssz_has(element, SPC__SSZ_FIXED)) {
    if (s->length % element->fixed_size != 0) return SPC_WRONG_LENGTH;
    count = s->length / element->fixed_size;
  } else {
    if (s->length != 0 && s->length < 4) return SPC_TRUNCATED;
    first = s->length == 0 ? 0 : spc__load32_le(s->bytes);
    if (first % 4 != 0 || first > s->length || (first == 0 && s->length != 0))
      return SPC_BAD_OFFSET;
    count = first / 4;
  }
  if (type->kind == SPC_SSZ_VECTOR && count != type->limit) return SPC_WRONG_LENGTH;
  if (type->kind == SPC_SSZ_LIST && count > type->limit) return SPC_OVER_LIMIT;
  if (step >= count) return SPC_OUT_OF_RANGE;
  uint64_t size;
  const uint8_t *at = spc__ssz_wire_element(type, s->bytes, s->length, step, count, &size);
  uint64_t start = (uint64_t)(at - s->bytes);
  if (start < first || start > s->length || size > s->length - start) return SPC_BAD_OFFSET;
  *s = (path_scope){element, at, size};
  return SPC_OK;
}

static spc_status path_enter_container(path_scope *s, uint64_t step) {
  const spc_ssz_type *type = s->type;
  if (step >= type->member_count) return SPC_OUT_OF_RANGE;
  if (s->length < type->fixed_part) return SPC_TRUNCATED;
  uint64_t size;
  const uint8_t *at = spc__ssz_wire_member(type, s->bytes, s->length, (uint32_t)step, &size);
  uint64_t start = (uint64_t)(at - s->bytes);
  const spc_ssz_type *field = spc__ssz_member_type(&spc__ssz_members(type)[step]);
  if (!spc__ssz_has(field, SPC__SSZ_FIXED) &&
      (start < type->fixed_part || start > s->length || size > s->length - start ||
       (step == type->first_variable && start != type->fixed_part)))
    return SPC_BAD_OFFSET;
  *s = (path_scope){field, at, size};
  return SPC_OK;
}

static spc_status path_enter_union(path_scope *s, uint64_t step) {
  if (s->length == 0) return SPC_TRUNCATED;
  const spc__ssz_member *option = spc__ssz_option(s->type, s->bytes[0]);
  if (option == NULL) return SPC_UNKNOWN_OPTION;
  if (!path_holds(option, step) || option->type == 0) return SPC_OUT_OF_RANGE;
  *s = (path_scope){spc__ssz_member_type(option), s->bytes + 1, s->length - 1};
  return SPC_OK;
}

spc_status spc_ssz_locate(const spc_ssz_type *type, const uint8_t *bytes, size_t length,
                          const uint64_t *path, size_t steps, const spc_ssz_type **part,
                          size_t *offset, size_t *size, spc_error *error) {
  path_scope s = {type, bytes, length};
  for (size_t i = 0;; i++) {
    spc_status status = SPC_OK;
    if (spc__ssz_has(s.type, SPC__SSZ_FIXED) && s.length != s.type->fixed_size)
      status = s.length < s.type->fixed_size ? SPC_TRUNCATED : SPC_TRAILING_BYTES;
    else if (i == steps)
      break;
    else if (spc__ssz_is_container(s.type))
      status = path_enter_container(&s, path[i]);
    else if (spc__ssz_is_union(s.type))
      status = path_enter_union(&s, path[i]);
    else
      status = spc__ssz_is_sequence(s.type) ? path_enter_sequence(&s, path[i]) : SPC_OUT_OF_RANGE;
    if (status != SPC_OK) return spc__fail_offset(error, status, (uint64_t)(s.bytes - bytes));
  }
  *part = s.type;
  *offset = (size_t)(s.bytes - bytes);
  *size = (size_t)s.length;
  return SPC_OK;
}
