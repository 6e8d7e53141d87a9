/*
 * Access to messages by field: get, set, clear, arrays, maps, unknown fields, merge, equality. All
 * of it keeps the rule of codec.h: a hasbit is set exactly when there is something to encode.
 * What walks a message goes at most SPC_DEPTH_MAX levels down, by recursion.
 */
#include <string.h>

#include "base/error.h"
#include "codec/record.h"

#define MSG_TRY(expression)                                                                        \
  do {                                                                                             \
    spc_status try_ = (expression);                                                                \
    if (try_ != SPC_OK) return try_;                                                               \
  } while (0)

spc_status spc_message_new(spc_arena *arena, const spc_message_type *type, spc_message *message) {
  message->arena = arena;
  message->type = type;
  return spc__new_record(arena, type, &message->ref);
}

spc_status spc_arena_put(spc_arena *arena, const void *bytes, size_t length, spc_slice *slice) {
  uint32_t ref;
  if (length > INT32_MAX) return SPC_OUT_OF_MEMORY;
  spc_status status = spc_arena_alloc(arena, length, &ref);
  if (status != SPC_OK) return status;
  if (length != 0) memcpy(arena->base + ref, bytes, length);
  *slice = (spc_slice){ref, (uint32_t)length};
  return SPC_OK;
}

/* The record that holds a field for reading; NULL if there is none. */
static uint8_t *msg_find(const spc_message *m, const spc_field *f) {
  uint32_t ref;
  spc_status status;
  return m->ref != 0 && spc__home(m, f, false, &ref, &status) && ref != 0 ? m->arena->base + ref
                                                                          : NULL;
}

bool spc_has(const spc_message *message, const spc_field *field) {
  const uint8_t *record = msg_find(message, field);
  return record != NULL && spc__present(record, field);
}

uint32_t spc_case(const spc_message *message, const spc_field *field) {
  const uint8_t *record = msg_find(message, field);
  if (record == NULL || (field->flags & SPC__ONEOF) == 0) return 0;
  uint32_t value = spc__load16_le(record + field->case_offset);
  return value == 0 ? 0 : spc__number(spc__member(message->type, value));
}

static spc_value msg_load(const uint8_t *place, const spc_field *f) {
  spc_value value;
  value.bits = spc__element_size(f) == 8 ? spc__load64_le(place) : spc__load32_le(place);
  if (spc__is_bytes(f))
    value.slice = (spc_slice){(uint32_t)value.bits, (uint32_t)(value.bits >> 32)};
  return value;
}

static void msg_store(uint8_t *place, const spc_field *f, spc_value value) {
  uint64_t bits = value.bits;
  if (spc__is_bytes(f)) bits = value.slice.offset | (uint64_t)value.slice.length << 32;
  if ((f->flags & SPC__BOOL) != 0) bits = value.boolean;
  if (spc__element_size(f) == 8)
    spc__store64_le(place, bits);
  else
    spc__store32_le(place, (f->flags & SPC__BOOL) != 0 ? (uint32_t)bits : value.u32);
}

spc_value spc_get(const spc_message *message, const spc_field *field) {
  const uint8_t *record = msg_find(message, field);
  spc_value value = {0};
  if ((field->flags & SPC__REPEATED) != 0) return value;
  if (record != NULL && spc__present(record, field)) return msg_load(record + field->offset, field);
  if (field->info != 0) value.bits = spc__info(field)->default_value;
  return value;
}

/* Whether a value may be stored in a field: what it refers to is in the arena. */
static spc_status msg_check(const spc_message *m, const spc_field *f, spc_value value) {
  if (spc__is_bytes(f)) {
    uint64_t end = (uint64_t)value.slice.offset + value.slice.length;
    if (end > m->arena->used) return SPC_INVALID_ARGUMENT;
    if ((f->flags & SPC__UTF8) != 0 &&
        !spc__utf8(m->arena->base + value.slice.offset, value.slice.length))
      return SPC_BAD_UTF8;
  } else if (spc__is_message(f)) {
    uint64_t end = (uint64_t)value.message + spc__sub_message(f)->size;
    if (value.message == 0 || (value.message & 7) != 0 || end > m->arena->used)
      return SPC_INVALID_ARGUMENT;
  }
  return SPC_OK;
}

static bool msg_is_zero(const spc_field *f, spc_value value) {
  if (spc__is_bytes(f)) return value.slice.length == 0;
  if ((f->flags & SPC__BOOL) != 0) return !value.boolean;
  return spc__element_size(f) == 8 ? value.bits == 0 : value.u32 == 0;
}

spc_status spc_set(const spc_message *message, const spc_field *field, spc_value value) {
  uint32_t ref;
  spc_status status;
  if ((field->flags & SPC__REPEATED) != 0 || message->ref == 0) return SPC_WRONG_TYPE;
  if (!spc__home(message, field, false, &ref, &status)) return status;
  MSG_TRY(msg_check(message, field, value));
  (void)spc__home(message, field, true, &ref, &status);
  MSG_TRY(status);
  if ((field->flags & SPC__EXPLICIT) == 0 && msg_is_zero(field, value)) {
    spc_clear(message, field);
    return SPC_OK;
  }
  uint8_t *record = message->arena->base + ref;
  spc__put_case(record, field);
  msg_store(record + field->offset, field, value);
  spc__put_has(record, field, true);
  return SPC_OK;
}

void spc_clear(const spc_message *message, const spc_field *field) {
  uint8_t *record = msg_find(message, field);
  if (record == NULL || !spc__present(record, field)) return;
  bool wide = spc__element_size(field) == 8 || (field->flags & SPC__REPEATED) != 0;
  memset(record + field->offset, 0, wide ? 8 : 4);
  if ((field->flags & SPC__ONEOF) != 0) spc__store16_le(record + field->case_offset, 0);
  spc__put_has(record, field, false);
}

bool spc_sub(const spc_message *message, const spc_field *field, spc_message *sub) {
  sub->arena = message->arena;
  sub->ref = 0;
  sub->type = NULL;
  if (!spc__is_message(field)) return false;
  sub->type = spc__sub_message(field);
  sub->ref = spc_get(message, field).message;
  return sub->ref != 0;
}

spc_status spc_mutable(const spc_message *message, const spc_field *field, spc_message *sub) {
  if (!spc__is_message(field) || (field->flags & SPC__REPEATED) != 0) return SPC_WRONG_TYPE;
  if (spc_sub(message, field, sub)) return SPC_OK;
  uint32_t ref;
  spc_status status;
  if (message->ref == 0) return SPC_WRONG_TYPE;
  if (!spc__home(message, field, true, &ref, &status) || status != SPC_OK) return status;
  MSG_TRY(spc_message_new(message->arena, spc__sub_message(field), sub));
  return spc_set(message, field, (spc_value){.message = sub->ref});
}

uint32_t spc_count(const spc_message *message, const spc_field *field) {
  const uint8_t *record = msg_find(message, field);
  if (record == NULL || (field->flags & SPC__REPEATED) == 0) return 0;
  return spc__load32_le(record + field->offset + 4);
}

static uint8_t *msg_element(const spc_message *m, const spc_field *f, uint32_t index) {
  const uint8_t *record = msg_find(m, f);
  if (record == NULL || (f->flags & SPC__REPEATED) == 0 ||
      index >= spc__load32_le(record + f->offset + 4))
    return NULL;
  return m->arena->base + spc__load32_le(record + f->offset) + (size_t)index * spc__element_size(f);
}

spc_value spc_at(const spc_message *message, const spc_field *field, uint32_t index) {
  const uint8_t *place = msg_element(message, field, index);
  return place == NULL ? (spc_value){0} : msg_load(place, field);
}

spc_status spc_set_at(const spc_message *message, const spc_field *field, uint32_t index,
                      spc_value value) {
  if ((field->flags & SPC__REPEATED) == 0 || (field->flags & SPC__MAP) != 0) return SPC_WRONG_TYPE;
  uint8_t *place = msg_element(message, field, index);
  if (place == NULL) return SPC_INVALID_ARGUMENT;
  MSG_TRY(msg_check(message, field, value));
  msg_store(place, field, value);
  return SPC_OK;
}

/* Appends to a repeated field or map without a check of the value. */
static spc_status msg_push(const spc_message *m, const spc_field *f, spc_value value) {
  uint32_t ref;
  spc_status status;
  if ((f->flags & SPC__REPEATED) == 0 || m->ref == 0) return SPC_WRONG_TYPE;
  if (!spc__home(m, f, true, &ref, &status) || status != SPC_OK) return status;
  MSG_TRY(spc__array_room(m->arena, ref + f->offset, f));
  uint8_t *record = m->arena->base + ref, *slot = record + f->offset;
  uint32_t n = spc__load32_le(slot + 4);
  msg_store(m->arena->base + spc__load32_le(slot) + (size_t)n * spc__element_size(f), f, value);
  spc__store32_le(slot + 4, n + 1);
  spc__put_has(record, f, true);
  return SPC_OK;
}

spc_status spc_append(const spc_message *message, const spc_field *field, spc_value value) {
  if ((field->flags & SPC__MAP) != 0) return SPC_WRONG_TYPE;
  MSG_TRY(msg_check(message, field, value));
  return msg_push(message, field, value);
}

spc_status spc_append_message(const spc_message *message, const spc_field *field,
                              spc_message *element) {
  if (!spc__is_message(field) || (field->flags & SPC__REPEATED) == 0 ||
      (field->flags & SPC__MAP) != 0)
    return SPC_WRONG_TYPE;
  MSG_TRY(spc_message_new(message->arena, spc__sub_message(field), element));
  return msg_push(message, field, (spc_value){.message = element->ref});
}

/* ---- Maps */

/* An entry with a key and a zero value, not yet in the map. */
static spc_status msg_new_entry(const spc_message *m, const spc_field *map, spc_value key,
                                spc_message *entry) {
  const spc_field *key_field = spc__map_key(map), *value_field = spc__map_value(map);
  MSG_TRY(msg_check(m, key_field, key));
  MSG_TRY(spc_message_new(m->arena, spc__sub_message(map), entry));
  if (spc__is_message(value_field)) {
    uint32_t value;
    MSG_TRY(spc__new_record(m->arena, spc__sub_message(value_field), &value));
    spc__store32_le(spc__record(entry) + value_field->offset, value);
  }
  msg_store(spc__record(entry) + key_field->offset, key_field, key);
  spc__put_has(spc__record(entry), key_field, true);
  spc__put_has(spc__record(entry), value_field, true);
  return SPC_OK;
}

spc_status spc__map_append(const spc_message *m, const spc_field *map, spc_value key,
                           spc_message *entry) {
  MSG_TRY(msg_new_entry(m, map, key, entry));
  return msg_push(m, map, (spc_value){.message = entry->ref});
}

spc_status spc_map_entry(const spc_message *message, const spc_field *field, spc_value key,
                         bool create, spc_message *entry) {
  if ((field->flags & SPC__MAP) == 0 || message->ref == 0) return SPC_WRONG_TYPE;
  uint32_t ref, found = 0;
  spc_status status;
  if (!spc__home(message, field, create, &ref, &status) || status != SPC_OK) return status;
  if (ref != 0) spc__map_prepare(message->arena, ref + field->offset, spc__map_key(field));
  size_t before = message->arena->used;
  MSG_TRY(msg_new_entry(message, field, key, entry));
  if (ref != 0)
    found = spc__map_find(message->arena, ref + field->offset, spc__map_key(field), message->arena,
                          entry->ref);
  if (found == 0 && create) return msg_push(message, field, (spc_value){.message = entry->ref});
  spc_arena_rewind(message->arena, before);
  entry->ref = found;
  return found != 0 ? SPC_OK : SPC_NOT_FOUND;
}

spc_status spc_map_remove(const spc_message *message, const spc_field *field, spc_value key,
                          bool *removed) {
  spc_message entry = {0};
  *removed = false;
  spc_status status = spc_map_entry(message, field, key, false, &entry);
  if (status == SPC_NOT_FOUND) return SPC_OK;
  MSG_TRY(status);
  uint8_t *record = msg_find(message, field);
  uint32_t slot = (uint32_t)(record - message->arena->base) + field->offset;
  spc__map_remove(message->arena, slot, spc__map_key(field), entry.ref);
  if (spc_count(message, field) == 0) spc__put_has(record, field, false);
  *removed = true;
  return SPC_OK;
}

/* ---- Unknown fields and whole messages */

uint32_t spc_unknown(const spc_message *message) {
  return message->ref == 0 ? 0 : spc__unknown_of(message->arena, message->ref);
}

void spc_unknown_clear(const spc_message *message) {
  *spc__record(message) &= (uint8_t)~SPC__HAS_UNKNOWN;
}

spc_status spc_unknown_append(const spc_message *message, const uint8_t *bytes, size_t length,
                              spc_error *error) {
  const uint8_t *p = bytes, *end = bytes + length, *at = bytes;
  while (p < end) {
    uint32_t tag;
    spc_status status;
    at = p;
    p = spc__tag(p, end, &tag, &status);
    if (p != NULL) p = spc__skip(p, end, tag, SPC_DEPTH_DEFAULT, &status, &at);
    if (p == NULL) return spc__fail_offset(error, status, (uint64_t)(at - bytes));
  }
  spc_slice slice;
  spc_status status = spc_arena_put(message->arena, bytes, length, &slice);
  if (status == SPC_OK)
    status = spc__add_unknown(message->arena, message->ref, slice.offset, slice.length);
  return status == SPC_OK ? SPC_OK : spc__fail(error, status);
}

void spc_message_clear(const spc_message *message) {
  memset(spc__record(message), 0, message->type->size);
}

/* ---- Merge */

static spc_status msg_merge(const spc_message *into, const spc_message *from, uint32_t depth);

/* A copy of a value of `f` in another arena (or the same). */
static spc_status msg_copy(spc_arena *arena, const spc_message *from, const spc_field *f,
                           spc_value *value, uint32_t depth) {
  if (spc__is_bytes(f)) {
    uint32_t ref, offset = value->slice.offset, length = value->slice.length;
    MSG_TRY(spc_arena_alloc(arena, length, &ref));
    if (length != 0) memcpy(arena->base + ref, from->arena->base + offset, length);
    value->slice.offset = ref;
  } else if (spc__is_message(f)) {
    const spc_message_type *type = spc__sub_message(f);
    spc_message source = {from->arena, type, value->message}, copy;
    if (depth == 0) return SPC_DEPTH_LIMIT;
    MSG_TRY(spc_message_new(arena, type, &copy));
    MSG_TRY(msg_merge(&copy, &source, depth - 1));
    value->message = copy.ref;
  }
  return SPC_OK;
}

static spc_status msg_merge_array(const spc_message *into, const spc_message *from,
                                  const spc_field *f, uint32_t depth) {
  uint32_t n = spc_count(from, f), old = spc_count(into, f);
  for (uint32_t i = 0; i < n; i++) {
    spc_value value = spc_at(from, f, i);
    MSG_TRY(msg_copy(into->arena, from, f, &value, depth));
    MSG_TRY(msg_push(into, f, value));
  }
  if ((f->flags & SPC__MAP) == 0 || n == 0 || old == 0) return SPC_OK;
  uint32_t ref;
  spc_status status;
  (void)spc__home(into, f, false, &ref, &status);
  return spc__map_unique(into->arena, ref + f->offset, spc__map_key(f));
}

static spc_status msg_merge_field(const spc_message *into, const spc_message *from,
                                  const spc_field *f, uint32_t depth) {
  if ((f->flags & SPC__REPEATED) != 0) return msg_merge_array(into, from, f, depth);
  spc_value value = spc_get(from, f);
  spc_message a, b;
  if (spc__is_message(f) && spc_sub(into, f, &a)) {
    (void)spc_sub(from, f, &b);
    return depth == 0 ? SPC_DEPTH_LIMIT : msg_merge(&a, &b, depth - 1);
  }
  MSG_TRY(msg_copy(into->arena, from, f, &value, depth));
  return spc_set(into, f, value);
}

/* Field `i` of those of a type (in order of numbers) and then of its extensions, or NULL. */
static const spc_field *msg_field(const spc_message_type *type, uint32_t i) {
  const spc_message_type *extensions = spc_message_type_extensions(type);
  if (i < type->field_count) return spc__field_at(type, i + 1);
  i -= type->field_count;
  if (extensions == NULL || i >= extensions->field_count) return NULL;
  return spc__field_at(extensions, i + 1);
}

static spc_status msg_merge_unknown(const spc_message *into, const spc_message *from) {
  /* The list leads from the newest to the oldest; the copy is one span. */
  uint64_t length = 0;
  uint32_t ref;
  for (uint32_t s = spc_unknown(from); s != 0; s = spc__load32_le(from->arena->base + s))
    length += spc__load32_le(from->arena->base + s + 8);
  if (length == 0) return SPC_OK;
  if (length > INT32_MAX) return SPC_OUT_OF_MEMORY;
  MSG_TRY(spc_arena_alloc(into->arena, (size_t)length, &ref));
  size_t at = (size_t)length;
  for (uint32_t s = spc_unknown(from); s != 0; s = spc__load32_le(from->arena->base + s)) {
    const uint8_t *span = from->arena->base + s;
    uint32_t n = spc__load32_le(span + 8);
    at -= n;
    memcpy(into->arena->base + ref + at, from->arena->base + spc__load32_le(span + 4), n);
  }
  return spc__add_unknown(into->arena, into->ref, ref, (uint32_t)length);
}

static spc_status msg_merge(const spc_message *into, const spc_message *from, uint32_t depth) {
  const spc_field *f;
  for (uint32_t i = 0; (f = msg_field(from->type, i)) != NULL; i++)
    if (spc_has(from, f)) MSG_TRY(msg_merge_field(into, from, f, depth));
  return msg_merge_unknown(into, from);
}

spc_status spc_merge(const spc_message *into, const spc_message *from) {
  if (into->type != from->type) return SPC_WRONG_TYPE;
  if (into->arena == from->arena && into->ref == from->ref) {
    /* Elements would be appended while they are read. */
    spc_message copy;
    MSG_TRY(spc_clone(from, from->arena, &copy));
    return msg_merge(into, &copy, SPC_DEPTH_MAX);
  }
  return msg_merge(into, from, SPC_DEPTH_MAX);
}

spc_status spc_clone(const spc_message *from, spc_arena *arena, spc_message *copy) {
  MSG_TRY(spc_message_new(arena, from->type, copy));
  return msg_merge(copy, from, SPC_DEPTH_MAX);
}

/* ---- Equality */

static bool msg_equal(const spc_message *a, const spc_message *b, uint32_t depth);

static bool msg_equal_values(const spc_message *a, const spc_message *b, const spc_field *f,
                             spc_value x, spc_value y, uint32_t depth) {
  if (spc__is_bytes(f))
    return x.slice.length == y.slice.length &&
           (x.slice.length == 0 || memcmp(a->arena->base + x.slice.offset,
                                          b->arena->base + y.slice.offset, x.slice.length) == 0);
  if (!spc__is_message(f)) return x.bits == y.bits;
  spc_message p = {a->arena, spc__sub_message(f), x.message};
  spc_message q = {b->arena, spc__sub_message(f), y.message};
  return depth != 0 && msg_equal(&p, &q, depth - 1);
}

static bool msg_equal_maps(const spc_message *a, const spc_message *b, const spc_field *f,
                           uint32_t depth) {
  uint32_t n = spc_count(a, f), slot = (uint32_t)(msg_find(b, f) - b->arena->base) + f->offset;
  const spc_field *key = spc__map_key(f);
  size_t before = b->arena->used;
  bool equal = true, prepared = false;
  for (uint32_t i = 0; i < n && equal; i++) {
    uint32_t x = spc_at(a, f, i).message, y = spc_at(b, f, i).message;
    /* Maps that were made alike are in the same order. */
    if (!spc__same_key(key, a->arena, x, b->arena, y)) {
      if (!prepared) spc__map_prepare(b->arena, slot, key);
      prepared = true;
      y = spc__map_find(b->arena, slot, key, a->arena, x);
    }
    equal = y != 0 &&
            msg_equal_values(a, b, f, (spc_value){.message = x}, (spc_value){.message = y}, depth);
  }
  if (b->arena->used != before) spc__map_forget(b->arena, slot, before);
  return equal;
}

/* The unknown bytes from the end, across spans. */
static bool msg_equal_unknown(const spc_message *a, const spc_message *b) {
  uint32_t s = spc_unknown(a), t = spc_unknown(b), done_s = 0, done_t = 0;
  while (s != 0 && t != 0) {
    const uint8_t *x = a->arena->base + s, *y = b->arena->base + t;
    uint32_t m = spc__load32_le(x + 8) - done_s, n = spc__load32_le(y + 8) - done_t;
    uint32_t common = m < n ? m : n;
    if (memcmp(a->arena->base + spc__load32_le(x + 4) + m - common,
               b->arena->base + spc__load32_le(y + 4) + n - common, common) != 0)
      return false;
    done_s += common;
    done_t += common;
    if (m == common) {
      s = spc__load32_le(x);
      done_s = 0;
    }
    if (n == common) {
      t = spc__load32_le(y);
      done_t = 0;
    }
  }
  return s == 0 && t == 0;
}

static bool msg_equal(const spc_message *a, const spc_message *b, uint32_t depth) {
  const spc_field *f;
  for (uint32_t i = 0; (f = msg_field(a->type, i)) != NULL; i++) {
    bool has = spc_has(a, f);
    if (has != spc_has(b, f)) return false;
    if (!has) continue;
    if ((f->flags & SPC__REPEATED) == 0) {
      if (!msg_equal_values(a, b, f, spc_get(a, f), spc_get(b, f), depth)) return false;
      continue;
    }
    uint32_t n = spc_count(a, f);
    if (n != spc_count(b, f)) return false;
    if ((f->flags & SPC__MAP) != 0) {
      if (!msg_equal_maps(a, b, f, depth)) return false;
      continue;
    }
    for (uint32_t j = 0; j < n; j++)
      if (!msg_equal_values(a, b, f, spc_at(a, f, j), spc_at(b, f, j), depth)) return false;
  }
  return msg_equal_unknown(a, b);
}

bool spc_equal(const spc_message *a, const spc_message *b) {
  return a->type == b->type && msg_equal(a, b, SPC_DEPTH_MAX);
}

/* ---- Required fields */

static spc_status msg_required(const spc_message *m, spc_error *error, uint32_t depth) {
  const spc_field *f;
  size_t path = error == NULL ? 0 : strlen(error->path);
  for (uint32_t i = 0; (f = msg_field(m->type, i)) != NULL; i++) {
    spc_status status = SPC_OK;
    bool message = spc__is_message(f) && spc__sub_message(f)->required;
    if (!message && (f->flags & SPC__REQUIRED) == 0) continue;
    bool has = spc_has(m, f), repeated = (f->flags & SPC__REPEATED) != 0;
    if ((f->flags & SPC__REQUIRED) != 0 && !has) status = SPC_MISSING_REQUIRED;
    if (status != SPC_OK) spc__path_name(error, f);
    if (status != SPC_OK) return status;
    if (!message || !has) continue;
    uint32_t n = repeated ? spc_count(m, f) : 1;
    spc__path_name(error, f);
    for (uint32_t j = 0; j < n; j++) {
      spc_value value = repeated ? spc_at(m, f, j) : spc_get(m, f);
      spc_message sub = {m->arena, spc__sub_message(f), value.message};
      size_t named = error == NULL ? 0 : strlen(error->path);
      if (repeated) spc__path_index(error, j);
      if (depth == 0) return SPC_DEPTH_LIMIT;
      MSG_TRY(msg_required(&sub, error, depth - 1));
      if (error != NULL) error->path[named] = '\0';
    }
    if (error != NULL) error->path[path] = '\0';
  }
  return SPC_OK;
}

spc_status spc_check_required(const spc_message *message, spc_error *error) {
  spc_error found;
  if (!message->type->required) return SPC_OK;
  spc__fail(&found, SPC_MISSING_REQUIRED);
  spc_status status = msg_required(message, &found, SPC_DEPTH_MAX);
  if (status == SPC_OK || error == NULL) return status;
  found.status = status;
  if (status == SPC_DEPTH_LIMIT) found.limit = SPC_DEPTH_MAX;
  *error = found;
  return status;
}
