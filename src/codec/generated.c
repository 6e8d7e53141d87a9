/*
 * What code that protoc-gen-spicule generates calls for all that is rare, by
 * the tables that it has of each type (spc_gen_type). Generated code has the
 * main path of decoding and encoding inline.
 *
 * While a message is decoded its arena does not move: what needs the arena gets
 * a fixed one over the free space (gen_arena), and when that is too small the
 * whole message is decoded again in a larger arena. Paths of errors grow from
 * the field that failed towards the root, as calls return.
 */
#include <string.h>

#include "base/error.h"
#include "codec/number.h"
#include "codec/record.h"
#include "codec/sort.h"
#include "spicule/codec_gen.h"

/* ---- Building messages */

spc_status spc_gen_new(spc_arena *arena, uint32_t size, uint32_t *ref) {
  spc_status status = spc_arena_alloc(arena, size, ref);
  if (status == SPC_OK) memset(arena->base + *ref, 0, size);
  return status;
}

/* A field that stands for an array of such elements where functions on records
 * ask for one. */
static spc_field gen_list(uint32_t size, bool map) {
  spc_field field = {0};
  field.high = size == 8 ? 4 : 0;
  field.flags = (uint8_t)(map ? SPC__MAP : 0);
  return field;
}

spc_status spc_gen_append(spc_arena *arena, uint32_t ref, uint32_t offset, uint32_t bit,
                          uint32_t size, uint64_t element) {
  spc_field field = gen_list(size, false);
  spc_status status = spc__array_room(arena, ref + offset, &field);
  if (status != SPC_OK) return status;
  uint8_t *slot = arena->base + ref + offset;
  uint32_t n = spc__load32_le(slot + 4);
  uint8_t *place = arena->base + spc__load32_le(slot) + (size_t)n * size;
  if (size == 8)
    spc__store64_le(place, element);
  else
    spc__store32_le(place, (uint32_t)element);
  spc__store32_le(slot + 4, n + 1);
  spc_gen_put_bit(arena->base + ref, bit, true);
  return SPC_OK;
}

spc_status spc_gen_append_message(spc_arena *arena, uint32_t ref, uint32_t offset, uint32_t bit,
                                  uint32_t record_size, bool map, uint32_t *element) {
  spc_field field = gen_list(4, map);
  spc_status status = spc__array_room(arena, ref + offset, &field);
  if (status == SPC_OK) status = spc_gen_new(arena, record_size, element);
  return status == SPC_OK ? spc_gen_append(arena, ref, offset, bit, 4, *element) : status;
}

/* ---- Decoding */

/* Maps that may have a key twice, looked through at the end. */
typedef struct gen_map {
  const spc_gen_field *field;
  uint32_t slot, next;
} gen_map;

const uint8_t *spc_gen_fail(spc_gen_decoder *d, spc_status status, const uint8_t *at) {
  d->status = status;
  d->at = at;
  return NULL;
}

const uint8_t *spc_gen_varint_slow(const uint8_t *p, uint64_t *v) {
  return spc__varint_slow(p, p + SPC__PAD, v);
}

const uint8_t *spc_gen_length_long(const uint8_t *p, uint64_t *v) {
  if (p[1] < 0x80) {
    *v = (p[0] & 0x7fu) | (uint32_t)p[1] << 7;
    return p + 2;
  }
  p = spc__varint_padded_long(p, v);
  if (*v > INT32_MAX) *v = INT64_MAX;
  return p;
}

bool spc_gen_utf8_slow(const uint8_t *p, size_t length) {
  return spc__utf8_slow(p, length);
}

const uint8_t *spc_gen_tag_slow(spc_gen_decoder *d, const uint8_t *p, const uint8_t *end,
                                uint32_t *tag) {
  spc_status status;
  const uint8_t *next = spc__tag(p, end, tag, &status);
  return next != NULL ? next : spc_gen_fail(d, status, p);
}

/* The free space as an arena that can't grow, and back. */
static spc_arena gen_arena(const spc_gen_decoder *d) {
  return (spc_arena){
      .base = d->base, .size = (size_t)(d->bottom - d->base), .used = (size_t)(d->top - d->base)};
}

static bool gen_done(spc_gen_decoder *d, const spc_arena *arena, spc_status status) {
  d->top = d->base + arena->used;
  if (status != SPC_OK) spc_gen_fail(d, status, d->base);
  return status == SPC_OK;
}

/* Keeps bytes of the arena with the unknown fields of a record, or drops or refuses them. */
static bool gen_keep(spc_gen_decoder *d, uint8_t *r, const uint8_t *start, const uint8_t *end,
                     const uint8_t *at) {
  if ((d->flags & SPC_DECODE_STRICT) != 0) return spc_gen_fail(d, SPC_UNKNOWN_FIELD, at) != NULL;
  if ((d->flags & SPC_DECODE_DISCARD_UNKNOWN) != 0) return true;
  spc_arena arena = gen_arena(d);
  spc_status status = spc__add_unknown(&arena, (uint32_t)(r - d->base), (uint32_t)(start - d->base),
                                       (uint32_t)(end - start));
  return gen_done(d, &arena, status);
}

const uint8_t *spc_gen_unknown(spc_gen_decoder *d, const uint8_t *start, const uint8_t *p,
                               const uint8_t *end, uint8_t *r, uint32_t tag, uint32_t depth) {
  spc_status status = SPC_OK;
  const uint8_t *where = start;
  if (p > end)
    status = SPC_TRUNCATED;
  else if (tag >> 3 == 0)
    status = SPC_BAD_FIELD_NUMBER;
  else if ((tag & 7) > SPC__WIRE_FIXED32)
    status = SPC_BAD_WIRE_TYPE;
  else if ((tag & 7) == SPC__WIRE_END)
    status = SPC_GROUP_MISMATCH;
  else
    p = spc__skip(p, end, tag, depth, &status, &where);
  if (status != SPC_OK) return spc_gen_fail(d, status, where);
  return gen_keep(d, r, start, p, start) ? p : NULL;
}

bool spc_gen_unknown_number(spc_gen_decoder *d, const uint8_t *start, const uint8_t *end,
                            uint8_t *r) {
  d->bad_entry = true;
  return gen_keep(d, r, start, end, start);
}

/* The same for an element of a packed run, which is made a field of its own. */
static bool gen_unknown_element(spc_gen_decoder *d, const spc_gen_field *f, uint8_t *r,
                                uint64_t value, const uint8_t *at) {
  if ((d->flags & (SPC_DECODE_STRICT | SPC_DECODE_DISCARD_UNKNOWN)) != 0)
    return gen_keep(d, r, at, at, at);
  if (d->bottom - d->top < 16) return spc_gen_fail(d, SPC_OUT_OF_MEMORY, at) != NULL;
  uint8_t *field = d->top;
  uint8_t *end = spc__put_varint(field, f->number << 3 | SPC__WIRE_VARINT);
  end = spc__put_varint(end, value);
  d->top += 16;
  return gen_keep(d, r, field, end, at);
}

/* Bytes of an element on the wire: 4, 8, 0 for a varint; strings and bytes are
 * not numbers. */
static uint32_t gen_width(const spc_gen_field *f) {
  switch (f->type) {
  case SPC_TYPE_FLOAT:
  case SPC_TYPE_FIXED32:
  case SPC_TYPE_SFIXED32:
    return 4;
  case SPC_TYPE_DOUBLE:
  case SPC_TYPE_FIXED64:
  case SPC_TYPE_SFIXED64:
    return 8;
  default:
    return 0;
  }
}

static bool gen_is_bytes(const spc_gen_field *f) {
  return f->type == SPC_TYPE_STRING || f->type == SPC_TYPE_BYTES;
}

static bool gen_is_message(const spc_gen_field *f) {
  return f->type == SPC_TYPE_MESSAGE || f->type == SPC_TYPE_GROUP;
}

/* Bytes of a slot or an element in memory. */
static uint32_t gen_size(const spc_gen_field *f) {
  return f->type == SPC_TYPE_INT64 || f->type == SPC_TYPE_UINT64 || f->type == SPC_TYPE_SINT64 ||
                 gen_width(f) == 8 || gen_is_bytes(f)
             ? 8
             : 4;
}

/* A varint as its field stores it. */
static uint64_t gen_from_wire(const spc_gen_field *f, uint64_t v) {
  if (f->type == SPC_TYPE_BOOL) return v != 0;
  if (f->type == SPC_TYPE_SINT32) return (uint32_t)spc__unzigzag(v & UINT32_MAX);
  return f->type == SPC_TYPE_SINT64 ? spc__unzigzag(v) : v;
}

/* The inverse. */
static uint64_t gen_to_wire(const spc_gen_field *f, uint64_t v) {
  if (f->type == SPC_TYPE_INT32 || f->type == SPC_TYPE_ENUM || f->type == SPC_TYPE_SINT32)
    v = (uint64_t)(int64_t)(int32_t)(uint32_t)v;
  return f->type == SPC_TYPE_SINT32 || f->type == SPC_TYPE_SINT64 ? spc__zigzag(v) : v;
}

/* How many elements follow, this one included, behind the same tag. */
static uint64_t gen_run_length(const uint8_t *p, const uint8_t *end, const spc_gen_field *f,
                               uint32_t tag) {
  uint64_t n = 1, v;
  for (;; n++) {
    uint64_t size = gen_width(f), following;
    if (size == 0) {
      p = spc__varint(p, end, &v);
      if (p == NULL) return n;
      if (gen_is_bytes(f)) size = v;
    }
    if (size >= (uint64_t)(end - p)) return n;
    p = spc__varint(p + size, end, &following);
    if (p == NULL || p > end || following != tag) return n;
  }
}

/* Room for `more` elements in the array of a field, or for all that the limit
 * allows. */
static bool gen_grow(spc_gen_decoder *d, const spc_gen_field *f, uint8_t *slot, uint64_t more) {
  uint32_t n = spc__load32_le(slot + 4);
  uint64_t room = n + more;
  if (room <= (n == 0 ? 0 : spc__load32_le(d->base + spc__load32_le(slot) - 4))) return true;
  if (n != 0 && room < n + n / 2) room = n + n / 2;
  if (room > d->max_count) room = d->max_count;
  spc_arena arena = gen_arena(d);
  spc_field list = gen_list(gen_size(f), (f->flags & SPC_GEN_MAP) != 0);
  return gen_done(d, &arena,
                  spc__array_resize(&arena, (uint32_t)(slot - d->base), (uint32_t)room, &list));
}

const uint8_t *spc_gen_elements(spc_gen_decoder *d, const spc_gen_field *f, const uint8_t *start,
                                const uint8_t *p, const uint8_t *end, uint8_t *r, uint32_t tag) {
  if (p > end) return spc_gen_fail(d, SPC_TRUNCATED, start);
  const uint8_t *first = p;
  uint8_t *slot = r + f->offset;
  uint32_t width = gen_width(f), size = gen_size(f), n = spc__load32_le(slot + 4);
  bool bytes = gen_is_bytes(f), packed = !bytes && (tag & 7) == SPC__WIRE_BYTES;
  uint64_t more = 0, v;
  if (packed) {
    p = spc__varint_padded(p, &v);
    if (p == NULL) return spc_gen_fail(d, SPC_OVERLONG_VARINT, first);
    if (p > end || v > (uint64_t)(end - p)) return spc_gen_fail(d, SPC_TRUNCATED, first);
    if (v == 0) return p;
    if (width != 0) {
      if (v % width != 0) return spc_gen_fail(d, SPC_TRUNCATED, first);
      more = v / width;
    } else {
      for (uint64_t i = 0; i < v; i++)
        more += (p[i] & 0x80) == 0;
    }
    if (n + more > d->max_count) return spc_gen_fail(d, SPC_COUNT_LIMIT, first);
    end = p + v;
  } else {
    more = gen_run_length(p, end, f, tag);
  }
  if (!gen_grow(d, f, slot, more)) return NULL;
  const uint8_t *element = start;
  for (;;) {
    const uint8_t *value = p;
    uint64_t length = width;
    if (width == 0) {
      p = spc__varint_padded(p, &length);
      if (p == NULL) return spc_gen_fail(d, SPC_OVERLONG_VARINT, value);
    }
    if (p > end || ((width != 0 || bytes) && length > (uint64_t)(end - p)))
      return spc_gen_fail(d, SPC_TRUNCATED, value);
    const uint8_t *next = width != 0 || bytes ? p + length : p;
    if (f->has_value != NULL && !f->has_value((int32_t)(uint32_t)length)) {
      if (packed ? !gen_unknown_element(d, f, r, length, next)
                 : !gen_keep(d, r, element, next, element))
        return NULL;
    } else {
      if ((f->flags & SPC_GEN_UTF8) != 0 && !spc__utf8(p, (size_t)length))
        return spc_gen_fail(d, SPC_BAD_UTF8, p);
      if (n >= d->max_count) return spc_gen_fail(d, SPC_COUNT_LIMIT, element);
      uint8_t *place = d->base + spc__load32_le(slot) + (size_t)n * size;
      if (bytes) {
        spc__store32_le(place, (uint32_t)(p - d->base));
        spc__store32_le(place + 4, (uint32_t)length);
      } else {
        v = width == 8   ? spc__load64_le(value)
            : width == 4 ? spc__load32_le(value)
                         : gen_from_wire(f, length);
        if (size == 8)
          spc__store64_le(place, v);
        else
          spc__store32_le(place, (uint32_t)v);
      }
      spc__store32_le(slot + 4, ++n);
    }
    element = p = next;
    if (p >= end) break;
    if (packed) continue;
    uint64_t following;
    if ((*p & 7) != (tag & 7)) break;
    p = spc__varint_padded(p, &following);
    if (p == NULL || following != tag) {
      p = element;
      break;
    }
  }
  return p > end ? spc_gen_fail(d, SPC_TRUNCATED, first) : p;
}

bool spc_gen_collect_more(spc_gen_decoder *d, uint8_t *slot, uint32_t count) {
  static const spc_gen_field list = {.type = SPC_TYPE_MESSAGE};
  uint32_t n = spc__load32_le(slot + 4);
  if (!gen_grow(d, &list, slot, count)) return false;
  uint8_t *place = d->base + spc__load32_le(slot) + (size_t)n * 4;
  for (uint32_t i = count; i-- > 0; d->bottom += 4)
    spc__store32_le(place + (size_t)i * 4, spc__load32_le(d->bottom));
  spc__store32_le(slot + 4, n + count);
  return true;
}

bool spc_gen_collect_entries(spc_gen_decoder *d, const spc_gen_field *field, uint8_t *slot,
                             uint32_t count) {
  uint32_t n = spc__load32_le(slot + 4);
  if (!gen_grow(d, field, slot, count)) return false;
  uint8_t *array = d->base + spc__load32_le(slot);
  for (uint32_t i = count; i-- > 0; d->bottom += 4)
    spc__store32_le(array + (size_t)(n + i) * 4, spc__load32_le(d->bottom));
  spc__store32_le(slot + 4, n + count);
  if (n + count < 2 || spc__load32_le(array - 8) != 0) return true;
  gen_map map = {field, (uint32_t)(slot - d->base), d->maps};
  uint32_t ref;
  spc_arena arena = gen_arena(d);
  if (!gen_done(d, &arena, spc_arena_alloc(&arena, sizeof map, &ref))) return false;
  memcpy(d->base + ref, &map, sizeof map);
  spc__store32_le(array - 8, 1);
  d->maps = ref;
  return true;
}

bool spc_gen_finish_entry(spc_gen_decoder *d, const spc_gen_field *field, uint8_t *r,
                          uint8_t *entry, const uint8_t *start, const uint8_t *end, bool *keep) {
  const spc_gen_field *value = &field->sub->fields[1];
  *keep = value->has_value == NULL || !d->bad_entry;
  d->bad_entry = false;
  if (!*keep) {
    return gen_keep(d, r, start, end, start);
  }
  spc_gen_put_bit(entry, field->sub->fields[0].bit, true);
  spc_gen_put_bit(entry, value->bit, true);
  if (!gen_is_message(value) || spc__load32_le(entry + value->offset) != 0) return true;
  uint8_t *sub = spc_gen_take(d, value->sub->size);
  if (sub == NULL) return false;
  spc__store32_le(entry + value->offset, (uint32_t)(sub - d->base));
  return true;
}

static bool gen_present(const uint8_t *r, const spc_gen_field *f) {
  return spc_gen_bit(r, f->bit) &&
         ((f->flags & SPC_GEN_ONEOF) == 0 || spc__load16_le(r + f->case_offset) == f->case_value);
}

/* A field and, unless it is negative, an index behind a path. */
static void gen_path(spc_error *error, const spc_gen_field *field, int64_t index) {
  if (error == NULL) return;
  spc__path_text(error, error->path[0] == '\0' ? "" : ".");
  spc__path_text(error, field->name);
  if (index >= 0) spc__path_index(error, (uint64_t)index);
}

/* SPC_MISSING_REQUIRED with the path, SPC_DEPTH_LIMIT. */
static spc_status gen_required(const spc_arena *arena, const spc_gen_type *type, uint32_t ref,
                               uint32_t depth, spc_error *error) {
  const uint8_t *r = arena->base + ref;
  size_t path = strlen(error->path);
  for (uint32_t i = 0; i < type->field_count; i++) {
    const spc_gen_field *f = &type->fields[i];
    bool message = gen_is_message(f) && f->sub->required, list = (f->flags & SPC_GEN_REPEATED) != 0;
    if (!message && (f->flags & SPC_GEN_REQUIRED) == 0) continue;
    bool has = gen_present(r, f);
    if ((f->flags & SPC_GEN_REQUIRED) != 0 && !has) {
      gen_path(error, f, -1);
      return SPC_MISSING_REQUIRED;
    }
    if (!message || !has) continue;
    uint32_t n = list ? spc__load32_le(r + f->offset + 4) : 1;
    const uint8_t *subs = list ? arena->base + spc__load32_le(r + f->offset) : r + f->offset;
    for (uint32_t j = 0; j < n; j++) {
      gen_path(error, f, list ? (int64_t)j : -1);
      if (depth == 0) return SPC_DEPTH_LIMIT;
      uint32_t sub = spc__load32_le(subs + (size_t)j * 4);
      spc_status status = gen_required(arena, f->sub, sub, depth - 1, error);
      if (status != SPC_OK) return status;
      error->path[path] = '\0';
    }
  }
  return SPC_OK;
}

static spc_status gen_check_required(const spc_arena *arena, const spc_gen_type *type, uint32_t ref,
                                     spc_error *error) {
  spc_error found;
  spc__fail(&found, SPC_MISSING_REQUIRED);
  spc_status status = gen_required(arena, type, ref, SPC_DEPTH_MAX, &found);
  if (status == SPC_OK || error == NULL) return status;
  found.status = status;
  if (status == SPC_DEPTH_LIMIT) found.limit = SPC_DEPTH_MAX;
  *error = found;
  return status;
}

/* For spc__find_path. */
static bool gen_enter(spc_error *error, const void *type, uint32_t number, spc__step *step) {
  const spc_gen_type *t = (const spc_gen_type *)type;
  for (uint32_t i = 0; i < t->field_count; i++) {
    const spc_gen_field *f = &t->fields[i];
    if (f->number != number) continue;
    gen_path(error, f, -1);
    step->sub = gen_is_message(f) ? f->sub : NULL;
    step->group = f->type == SPC_TYPE_GROUP;
    step->repeated = (f->flags & SPC_GEN_REPEATED) != 0;
    return true;
  }
  return false;
}

/* Room for a second try: twice the size or, where that can't be had, an eighth
 * more. */
static bool gen_enlarge(spc_arena *arena) {
  size_t used = arena->used, peak = arena->peak, size = arena->size;
  uint32_t ref;
  spc_arena_rewind(arena, used); /* the first try may have registered blocks, which end here */
  spc_status status = spc_arena_alloc(arena, size - used + (size > 4096 ? size : 4096), &ref);
  if (status != SPC_OK) status = spc_arena_alloc(arena, size - used + size / 8, &ref);
  spc_arena_rewind(arena, used);
  arena->peak = peak;
  return status == SPC_OK;
}

spc_status spc_gen_decode(spc_arena *arena, const spc_gen_type *type, spc_gen_decode_fn decode,
                          const uint8_t *input, size_t length, const spc_decode_options *options,
                          uint32_t *ref, spc_error *error) {
  static const spc_decode_options defaults = {0};
  spc_gen_decoder d;
  uint64_t max_size, max_count;
  if (options == NULL) options = &defaults;
  spc__decode_limits(options, &max_size, &max_count);
  if (length > max_size) return spc__fail_limit(error, SPC_SIZE_LIMIT, max_size);
  uint32_t max_depth = spc__depth(options->max_depth), copy;
  size_t before = arena->used;
  spc_status status = spc__copy_input(arena, input, length, &copy);
  if (status != SPC_OK) return spc__fail(error, status);
  const uint8_t *end;
  do {
    size_t size = arena->size < UINT32_MAX ? arena->size : UINT32_MAX;
    d.base = arena->base;
    d.top = d.base + arena->used;
    d.bottom = d.base + (size & ~(size_t)7);
    d.flags = options->flags;
    d.max_count = (uint32_t)max_count;
    d.maps = 0;
    d.bad_entry = false;
    d.status = SPC_OK;
    uint8_t *root = spc_gen_take(&d, type->size);
    *ref = (uint32_t)(d.top - d.base) - type->size;
    end = root == NULL ? NULL : decode(&d, d.base + copy, d.base + copy + length, root, max_depth);
  } while (end == NULL && d.status == SPC_OUT_OF_MEMORY && gen_enlarge(arena));
  status = d.status;
  if (end != NULL) {
    arena->used = (size_t)(d.top - d.base);
    if (arena->used > arena->peak) arena->peak = arena->used;
    while (status == SPC_OK && d.maps != 0) {
      gen_map map;
      memcpy(&map, arena->base + d.maps, sizeof map);
      d.maps = map.next;
      const spc_gen_field *key = &map.field->sub->fields[0];
      spc_field order = {.offset = key->offset, .type = key->type};
      order.high = gen_size(key) == 8 ? 4 : 0;
      status = spc__map_unique(arena, map.slot, &order);
    }
    if (status == SPC_OK && type->required && (options->flags & SPC_DECODE_PARTIAL) == 0) {
      status = gen_check_required(arena, type, *ref, error);
      if (status != SPC_OK) spc_arena_rewind(arena, before);
      return status;
    }
    if (status == SPC_OK) return SPC_OK;
  }
  if (status == SPC_DEPTH_LIMIT)
    spc__fail_limit(error, status, max_depth);
  else if (status == SPC_COUNT_LIMIT)
    spc__fail_limit(error, status, max_count);
  else
    spc__fail(error, status);
  if (error != NULL && status != SPC_OUT_OF_MEMORY) {
    size_t at = (size_t)(d.at - d.base) - copy;
    if (at <= length) {
      error->offset = at;
      spc__find_path(error, gen_enter, type, d.base + copy, length, at);
    }
  }
  spc_arena_rewind(arena, before);
  return status;
}

/* ---- Encoding */

uint8_t *spc_gen_encode_fail(spc_gen_encoder *x, spc_status status) {
  x->status = status;
  return NULL;
}

/*
 * Where the slow encoder writes: in front of `q` as long as there is room, and
 * then nowhere; `size` counts all the same.
 */
typedef struct gen_sink {
  const spc_arena *arena;
  uint8_t *begin, *q;
  uint64_t size;
  uint32_t flags;
  bool full;
} gen_sink;

static void gen_put(gen_sink *s, const uint8_t *bytes, size_t n) {
  s->size += n;
  if (s->full || (size_t)(s->q - s->begin) < n) {
    s->full = true;
    return;
  }
  s->q -= n;
  if (n != 0) memcpy(s->q, bytes, n);
}

static void gen_put_varint(gen_sink *s, uint64_t v) {
  uint8_t bytes[16];
  gen_put(s, bytes, (size_t)(spc__put_varint(bytes, v) - bytes));
}

static void gen_put_unknown(gen_sink *s, const uint8_t *r) {
  uint32_t span = spc__unknown_of(s->arena, (uint32_t)(r - s->arena->base));
  for (; span != 0; span = spc__load32_le(s->arena->base + span)) {
    const uint8_t *head = s->arena->base + span;
    gen_put(s, s->arena->base + spc__load32_le(head + 4), spc__load32_le(head + 8));
  }
}

/* A number, string or bytes, without its tag. */
static void gen_put_value(gen_sink *s, const spc_gen_field *f, const uint8_t *place) {
  uint32_t width = gen_width(f);
  if (gen_is_bytes(f)) {
    uint32_t length = spc__load32_le(place + 4);
    gen_put(s, s->arena->base + spc__load32_le(place), length);
    gen_put_varint(s, length);
  } else if (width != 0) {
    gen_put(s, place, width); /* in memory as on the wire */
  } else {
    gen_put_varint(
        s, gen_to_wire(f, gen_size(f) == 8 ? spc__load64_le(place) : spc__load32_le(place)));
  }
}

static uint32_t gen_wire(const spc_gen_field *f) {
  uint32_t width = gen_width(f);
  if (f->type == SPC_TYPE_GROUP) return SPC__WIRE_START;
  if (gen_is_bytes(f) || f->type == SPC_TYPE_MESSAGE) return SPC__WIRE_BYTES;
  return width == 4 ? SPC__WIRE_FIXED32 : width == 8 ? SPC__WIRE_FIXED64 : SPC__WIRE_VARINT;
}

static void gen_put_list(gen_sink *s, const spc_gen_field *f, const uint8_t *slot) {
  uint32_t size = gen_size(f);
  const uint8_t *array = s->arena->base + spc__load32_le(slot);
  bool packed = (f->flags & SPC_GEN_PACKED) != 0;
  uint64_t before = s->size;
  for (uint32_t n = spc__load32_le(slot + 4); n-- > 0;) {
    gen_put_value(s, f, array + (size_t)n * size);
    if (!packed) gen_put_varint(s, f->number << 3 | gen_wire(f));
  }
  if (!packed) return;
  gen_put_varint(s, s->size - before);
  gen_put_varint(s, f->number << 3 | SPC__WIRE_BYTES);
}

static void gen_sort_entries(const spc_arena *arena, const spc_gen_field *f, const uint8_t *slot) {
  const spc_gen_field *key = &f->sub->fields[0];
  spc_field order = {.offset = key->offset, .type = key->type};
  order.high = gen_size(key) == 8 ? 4 : 0;
  spc__sort_entries(arena, spc__load32_le(slot), spc__load32_le(slot + 4), &order);
}

static bool gen_put_message(gen_sink *s, const spc_gen_type *type, const uint8_t *r,
                            uint32_t depth) {
  gen_put_unknown(s, r);
  for (uint32_t i = type->field_count; i-- > 0;) {
    const spc_gen_field *f = &type->fields[i];
    const uint8_t *slot = r + f->offset;
    if (!gen_present(r, f)) continue;
    bool list = (f->flags & SPC_GEN_REPEATED) != 0;
    if (!gen_is_message(f)) {
      if (list) {
        gen_put_list(s, f, slot);
      } else {
        gen_put_value(s, f, slot);
        gen_put_varint(s, f->number << 3 | gen_wire(f));
      }
      continue;
    }
    if ((f->flags & SPC_GEN_MAP) != 0 && (s->flags & SPC_ENCODE_DETERMINISTIC) != 0)
      gen_sort_entries(s->arena, f, slot);
    const uint8_t *subs = list ? s->arena->base + spc__load32_le(slot) : slot;
    for (uint32_t n = list ? spc__load32_le(slot + 4) : 1; n-- > 0;) {
      if (f->type == SPC_TYPE_GROUP) gen_put_varint(s, f->number << 3 | SPC__WIRE_END);
      uint64_t before = s->size;
      const uint8_t *sub = s->arena->base + spc__load32_le(subs + (size_t)n * 4);
      if (depth == 0 || !gen_put_message(s, f->sub, sub, depth - 1)) return false;
      if (f->type == SPC_TYPE_MESSAGE) gen_put_varint(s, s->size - before);
      gen_put_varint(s, f->number << 3 | gen_wire(f));
    }
  }
  return true;
}

static gen_sink gen_sink_at(const spc_gen_encoder *x, uint8_t *q) {
  return (gen_sink){x->arena, x->begin, q, 0, x->flags, false};
}

static uint8_t *gen_sink_end(spc_gen_encoder *x, const gen_sink *s) {
  return s->full ? spc_gen_encode_fail(x, SPC_BUFFER_TOO_SMALL) : s->q;
}

uint8_t *spc_gen_encode_slow(spc_gen_encoder *x, uint8_t *q, const spc_gen_type *type,
                             const uint8_t *r, uint32_t depth) {
  gen_sink s = gen_sink_at(x, q);
  if (!gen_put_message(&s, type, r, depth)) return spc_gen_encode_fail(x, SPC_DEPTH_LIMIT);
  return gen_sink_end(x, &s);
}

uint8_t *spc_gen_put_slow(spc_gen_encoder *x, uint8_t *q, uint64_t v, uint32_t tag) {
  gen_sink s = gen_sink_at(x, q);
  gen_put_varint(&s, v);
  if (tag != 0) gen_put_varint(&s, tag);
  return gen_sink_end(x, &s);
}

uint8_t *spc_gen_put_unknown(spc_gen_encoder *x, uint8_t *q, const uint8_t *r) {
  gen_sink s = gen_sink_at(x, q);
  gen_put_unknown(&s, r);
  return gen_sink_end(x, &s);
}

uint8_t *spc_gen_put_field(spc_gen_encoder *x, uint8_t *q, const spc_gen_field *field,
                           const uint8_t *r) {
  gen_sink s = gen_sink_at(x, q);
  if ((field->flags & SPC_GEN_REPEATED) != 0) {
    gen_put_list(&s, field, r + field->offset);
  } else {
    gen_put_value(&s, field, r + field->offset);
    gen_put_varint(&s, field->number << 3 | gen_wire(field));
  }
  return gen_sink_end(x, &s);
}

void spc_gen_sort_map(spc_gen_encoder *x, const spc_gen_field *field, const uint8_t *slot) {
  gen_sort_entries(x->arena, field, slot);
}

spc_status spc_gen_encode_back(const spc_arena *arena, const spc_gen_type *type,
                               spc_gen_encode_fn encode, uint32_t ref, uint8_t *out,
                               size_t capacity, const spc_encode_options *options, size_t *length,
                               spc_error *error) {
  static const spc_encode_options defaults = {0};
  if (options == NULL) options = &defaults;
  *length = 0;
  if (type->required && (options->flags & SPC_ENCODE_PARTIAL) == 0) {
    spc_status status = gen_check_required(arena, type, ref, error);
    if (status != SPC_OK) return status;
  }
  uint8_t nothing[1];
  if (capacity == 0) out = nothing;
  uint32_t max_depth = spc__depth(options->max_depth);
  spc_gen_encoder x = {arena->base, out, arena, options->flags, SPC_OK};
  const uint8_t *r = arena->base + ref, *q = encode(&x, out + capacity, r, max_depth);
  uint64_t size = q == NULL ? 0 : (uint64_t)(out + capacity - q);
  if (x.status == SPC_BUFFER_TOO_SMALL) {
    gen_sink s = {arena, out, out, 0, options->flags, false};
    if (!gen_put_message(&s, type, r, max_depth)) x.status = SPC_DEPTH_LIMIT;
    size = s.size;
  }
  if (x.status == SPC_DEPTH_LIMIT) return spc__fail_limit(error, x.status, max_depth);
  if (size > INT32_MAX) return spc__fail_limit(error, SPC_SIZE_LIMIT, INT32_MAX);
  *length = (size_t)size;
  return x.status == SPC_OK ? SPC_OK : spc__fail_limit(error, x.status, size);
}

spc_status spc_gen_encode(const spc_arena *arena, const spc_gen_type *type,
                          spc_gen_encode_fn encode, uint32_t ref, uint8_t *out, size_t capacity,
                          const spc_encode_options *options, size_t *length, spc_error *error) {
  spc_status status =
      spc_gen_encode_back(arena, type, encode, ref, out, capacity, options, length, error);
  if (status == SPC_OK && *length != 0) memmove(out, out + (capacity - *length), *length);
  return status;
}

/* ---- Views */

/* No field begins with a 0, so that a view of them gives the error below. */
const uint8_t spc_gen_parts[8] = {0};

const uint8_t *spc_gen_view_slow(const uint8_t *p, const uint8_t *end, uint64_t *v) {
  return spc__varint_slow(p, end, v);
}

const uint8_t *spc_gen_view_length(const uint8_t *p, const uint8_t *end, uint64_t *v) {
  if (end - p >= 2 && p[0] >= 0x80 && p[1] < 0x80) {
    *v = (p[0] & 0x7fu) | (uint32_t)p[1] << 7;
    p += 2;
  } else {
    p = spc__varint(p, end, v);
  }
  return p == NULL || p > end || *v > (uint64_t)(end - p) ? NULL : p;
}

const uint8_t *spc_gen_view_tag(const uint8_t *p, const uint8_t *end, uint32_t *tag) {
  spc_status status;
  return spc__tag(p, end, tag, &status);
}

const uint8_t *spc_gen_view_skip(const uint8_t *p, const uint8_t *end, uint32_t tag) {
  spc_status status;
  const uint8_t *at;
  return (tag & 7) > SPC__WIRE_FIXED32 || tag < 8
             ? NULL
             : spc__skip(p, end, tag, SPC_DEPTH_DEFAULT, &status, &at);
}

spc_status spc_gen_view_fail(spc_status status, const uint8_t *begin, const uint8_t *at,
                             spc_error *error) {
  return spc__fail_offset(error, status, (uint64_t)(at - begin));
}

spc_status spc_gen_view_error(const uint8_t *begin, const uint8_t *p, const uint8_t *end,
                              spc_error *error) {
  if (begin == spc_gen_parts) return spc__fail(error, SPC_MALFORMED);
  spc_status status = SPC_MALFORMED;
  uint32_t tag;
  const uint8_t *at = p, *n = spc__tag(p, end, &tag, &status);
  if (n != NULL) (void)spc__skip(n, end, tag, SPC_DEPTH_DEFAULT, &status, &at);
  return spc_gen_view_fail(status, begin, at, error);
}

spc_status spc_gen_view_seek(spc_gen_place *place, uint32_t tag, const uint8_t **behind,
                             spc_error *error) {
  const uint8_t *begin = place->p;
  while (place->p < place->end) {
    spc_status status;
    uint32_t found;
    const uint8_t *at = place->p, *n = spc__tag(place->p, place->end, &found, &status);
    *behind = n;
    if (n != NULL && found == tag) return SPC_OK;
    if (n != NULL) n = spc__skip(n, place->end, found, SPC_DEPTH_DEFAULT, &status, &at);
    if (n == NULL) return spc_gen_view_fail(status, begin, at, error);
    place->p = n;
  }
  return SPC_NOT_FOUND;
}

spc_status spc_gen_view_number(spc_gen_place *place, uint32_t number, uint32_t width,
                               bool (*has_value)(int32_t), uint64_t *v, spc_error *error) {
  const uint32_t wire = width == 4   ? SPC__WIRE_FIXED32
                        : width == 8 ? SPC__WIRE_FIXED64
                                     : SPC__WIRE_VARINT;
  for (;;) {
    const uint8_t *p = place->p, *end = place->end, *field = p;
    if (place->packed_end != NULL && p >= place->packed_end) place->packed_end = NULL;
    if (place->packed_end != NULL) {
      end = place->packed_end;
    } else {
      uint32_t tag;
      uint64_t length;
      if (p >= end) return SPC_NOT_FOUND;
      const uint8_t *n = spc_gen_view_tag(p, end, &tag);
      if (n == NULL) return spc_gen_view_error(p, p, end, error);
      if (tag == (number << 3 | SPC__WIRE_BYTES)) {
        n = spc__varint(n, end, &length);
        if (n == NULL || length > (uint64_t)(end - n)) return spc_gen_view_error(p, p, end, error);
        place->p = n;
        place->packed_end = n + length;
        continue;
      }
      if (tag != (number << 3 | wire)) {
        place->p = spc_gen_view_skip(n, end, tag);
        if (place->p == NULL) return spc_gen_view_error(p, p, end, error);
        continue;
      }
      p = n;
    }
    const uint8_t *value = p;
    if (width == 0)
      p = spc__varint(p, end, v);
    else
      p = (uint64_t)(end - p) < width ? NULL : p + width;
    if (p == NULL && place->packed_end == NULL) return spc_gen_view_error(field, field, end, error);
    if (p == NULL) return spc_gen_view_fail(SPC_TRUNCATED, field, value, error);
    if (width != 0) *v = width == 4 ? spc__load32_le(value) : spc__load64_le(value);
    place->p = p;
    if (has_value == NULL || has_value((int32_t)(uint32_t)*v)) return SPC_OK;
  }
}

/* ---- Writers */

uint32_t spc_gen_writer_init(spc_gen_writer *w, uint8_t *out, size_t capacity, bool reverse) {
  /* Lengths and ids are differences of 31 bits. */
  size_t unused = capacity > INT32_MAX ? capacity - INT32_MAX : 0;
  w->begin = reverse ? out + unused : out;
  w->end = w->begin + (capacity - unused);
  w->p = reverse ? w->end : w->begin;
  if (capacity < SPC_GEN_WRITER_ROOM)
    w->limit = reverse ? w->end + 1 : NULL;
  else
    w->limit = reverse ? w->begin + SPC_GEN_WRITER_ROOM : w->end - SPC_GEN_WRITER_ROOM + 1;
  w->status = SPC_OK;
  w->at = 0;
  w->serial = 1;
  w->reverse = reverse;
  memset(w->guess, 1, sizeof w->guess);
  w->id = reverse ? w->serial : spc_gen_writer_id(w->begin, 0);
  w->levels[0] = (spc_gen_level){.id = w->id};
  return w->id;
}

spc_status spc_gen_writer_fail(spc_gen_writer *w, spc_status status) {
  if (w->status == SPC_OK) w->status = status;
  /* No message has this id, so that no handle takes its short way. */
  w->id = w->reverse ? 0 : (uint32_t)(uintptr_t)w->begin - 1;
  return w->status;
}

/* Takes `n` bytes of room, which are at *place. */
static bool writer_take(spc_gen_writer *w, uint64_t n, uint8_t **place) {
  if (w->status != SPC_OK) return false;
  uint64_t room = (uint64_t)(w->reverse ? w->p - w->begin : w->end - w->p);
  if (n > room) {
    spc_gen_writer_fail(w, SPC_BUFFER_TOO_SMALL);
    return false;
  }
  if (w->reverse) w->p -= n;
  *place = w->p;
  if (!w->reverse) w->p += n;
  return true;
}

/* Puts the length of a message that is complete at its place. */
static void writer_close_forward(spc_gen_writer *w, const spc_gen_level *level) {
  uint32_t reserved = level->kind % 16, kind = level->kind / 16;
  /* The id of what is at p now differs from the message's own by the bytes since then. */
  size_t length = spc_gen_writer_id(w->p, reserved) - level->id - reserved;
  uint8_t *start = w->p - length - reserved, *more;
  uint32_t n = spc__varint_size(length);
  if (n > reserved && !writer_take(w, n - reserved, &more)) return;
  if (n < reserved) w->p -= reserved - n;
  if (n != reserved) memmove(start + n, start + reserved, length);
  (void)spc__put_varint(start, length);
  if (kind != 0) w->guess[kind] = (uint8_t)n;
}

/* Closes the innermost message, which is not the root. */
static spc_status writer_close_innermost(spc_gen_writer *w) {
  const spc_gen_level *level = spc_gen_writer_level(w, w->at);
  uint32_t tag = level->tag;
  bool group = w->reverse ? (tag & 7) == SPC__WIRE_START : level->kind == 0;
  uint8_t *place;
  if (!w->reverse && !group) {
    writer_close_forward(w, level);
  } else {
    uint64_t length = w->reverse ? (uint64_t)(level->end - w->p) : 0;
    uint32_t n = group ? 0 : spc__varint_size(length);
    uint32_t mark = tag + (group && !w->reverse ? 1 : 0);
    if (writer_take(w, n + spc__varint_size(mark), &place)) {
      place = spc__put_varint(place, mark);
      if (!group) (void)spc__put_varint(place, length);
    }
  }
  if (w->status == SPC_OK) {
    w->id = level[-1].id;
    w->at -= (uint32_t)sizeof *level;
  }
  return w->status;
}

/* Makes the message `id` the innermost, where it is open. */
static spc_status writer_reach(spc_gen_writer *w, uint32_t id, uint32_t at) {
  if (w->status != SPC_OK) return w->status;
  if (at > w->at || spc_gen_writer_level(w, at)->id != id)
    return spc_gen_writer_fail(w, SPC_INVALID_STATE);
  while (w->at > at && w->status == SPC_OK)
    (void)writer_close_innermost(w);
  return w->status;
}

spc_status spc_gen_writer_turn(spc_gen_writer *w, uint32_t id, uint32_t at, uint32_t turn,
                               bool again) {
  spc_status status = writer_reach(w, id, at);
  if (status != SPC_OK) return status;
  uint32_t last = spc_gen_writer_level(w, at)->turn;
  if (last > turn || (last == turn && !again)) return spc_gen_writer_fail(w, SPC_FIELD_ORDER);
  return SPC_OK;
}

spc_status spc_gen_writer_number(spc_gen_writer *w, uint32_t tag, uint64_t v) {
  uint8_t *place;
  uint32_t wire = tag & 7, head = spc__varint_size(tag);
  uint32_t size = wire == SPC__WIRE_FIXED32   ? 4
                  : wire == SPC__WIRE_FIXED64 ? 8
                                              : spc__varint_size(v);
  if (!writer_take(w, head + size, &place)) return w->status;
  place = spc__put_varint(place, tag);
  if (wire == SPC__WIRE_FIXED32)
    spc__store32_le(place, (uint32_t)v);
  else if (wire == SPC__WIRE_FIXED64)
    spc__store64_le(place, v);
  else
    (void)spc__put_varint(place, v);
  return SPC_OK;
}

spc_status spc_gen_writer_bytes(spc_gen_writer *w, uint32_t tag, const void *data, size_t length) {
  uint8_t *place;
  if (!writer_take(w, spc__varint_size(tag) + spc__varint_size(length) + (uint64_t)length, &place))
    return w->status;
  place = spc__put_varint(spc__put_varint(place, tag), length);
  if (length != 0) memcpy(place, data, length);
  return SPC_OK;
}

/* An element of an array of the field's C type, as a record would have it. */
static uint64_t writer_element(const spc_gen_field *f, const void *values, size_t i) {
  const uint8_t *bytes = (const uint8_t *)values;
  if (f->type == SPC_TYPE_BOOL) return ((const bool *)values)[i];
  return gen_size(f) == 8 ? spc__load64_le(bytes + i * 8) : spc__load32_le(bytes + i * 4);
}

spc_status spc_gen_writer_packed(spc_gen_writer *w, const spc_gen_field *f, const void *values,
                                 size_t count) {
  uint32_t tag = f->number << 3 | SPC__WIRE_BYTES, width = gen_width(f);
  uint64_t size = (uint64_t)count * width;
  uint8_t *place;
  if (count == 0) return w->status;
  for (size_t i = 0; width == 0 && i < count; i++)
    size += spc__varint_size(gen_to_wire(f, writer_element(f, values, i)));
  if (!writer_take(w, spc__varint_size(tag) + spc__varint_size(size) + size, &place))
    return w->status;
  place = spc__put_varint(spc__put_varint(place, tag), size);
  for (size_t i = 0; i < count; i++, place += width) {
    uint64_t v = writer_element(f, values, i);
    if (width == 4)
      spc__store32_le(place, (uint32_t)v);
    else if (width == 8)
      spc__store64_le(place, v);
    else
      place = spc__put_varint(place, gen_to_wire(f, v));
  }
  return SPC_OK;
}

spc_status spc_gen_writer_message(spc_gen_writer *w, uint32_t tag, const spc_gen_type *type,
                                  spc_gen_encode_fn encode, const spc_arena *arena, uint32_t ref) {
  if (w->status != SPC_OK) return w->status;
  if (ref == 0) return spc_gen_writer_fail(w, SPC_INVALID_ARGUMENT);
  spc_status status = type->required ? gen_check_required(arena, type, ref, NULL) : SPC_OK;
  if (status != SPC_OK) return spc_gen_writer_fail(w, status);
  bool group = (tag & 7) == SPC__WIRE_START;
  uint8_t *end = w->reverse ? w->p : w->end, *begin = w->reverse ? w->begin : w->p;
  spc_gen_encoder x = {arena->base, begin, arena, 0, SPC_OK};
  if (group) end = spc_gen_put_slow(&x, end, tag + 1, 0);
  uint8_t *q = end == NULL ? NULL : encode(&x, end, arena->base + ref, SPC_DEPTH_DEFAULT);
  if (q != NULL)
    q = group ? spc_gen_put_slow(&x, q, tag, 0) : spc_gen_put_slow(&x, q, (uint64_t)(end - q), tag);
  if (q == NULL) return spc_gen_writer_fail(w, x.status);
  if (w->reverse) {
    w->p = q;
  } else {
    size_t size = (size_t)(w->end - q);
    memmove(w->p, q, size);
    w->p += size;
  }
  return SPC_OK;
}

uint32_t spc_gen_writer_open(spc_gen_writer *w, uint32_t tag, uint32_t kind) {
  uint8_t *place = w->p;
  bool group = (tag & 7) == SPC__WIRE_START;
  uint32_t n = spc__varint_size(tag);
  if (w->at == SPC_WRITER_DEPTH * sizeof(spc_gen_level)) spc_gen_writer_fail(w, SPC_DEPTH_LIMIT);
  if (w->status != SPC_OK) return ~w->id;
  /* One byte for the length, whatever the guess: there was little room. */
  uint32_t reserved = group ? 0 : 1;
  if (w->reverse) {
    if (group) {
      if (!writer_take(w, n, &place)) return ~w->id;
      (void)spc__put_varint(place, tag + 1);
    }
    w->id = ++w->serial;
  } else {
    if (!writer_take(w, n + reserved, &place)) return ~w->id;
    place = spc__put_varint(place, tag);
    w->id = spc_gen_writer_id(place, reserved);
  }
  w->at += (uint32_t)sizeof(spc_gen_level);
  *spc_gen_writer_level(w, w->at) = (spc_gen_level){
      .id = w->id, .tag = tag, .kind = (group ? 0 : kind * 16) + reserved, .end = place};
  return w->id;
}

spc_status spc_gen_writer_close(spc_gen_writer *w, uint32_t id, uint32_t at) {
  spc_status status = writer_reach(w, id, at);
  if (status != SPC_OK) return status;
  if (at == 0) return spc_gen_writer_fail(w, SPC_INVALID_STATE);
  return writer_close_innermost(w);
}

spc_status spc_gen_writer_finish(spc_gen_writer *w, uint32_t id, size_t *length) {
  *length = 0;
  if (w->status != SPC_OK) return w->status;
  if (w->at != 0 || w->levels[0].id != id) return spc_gen_writer_fail(w, SPC_INVALID_STATE);
  *length = (size_t)(w->reverse ? w->end - w->p : w->p - w->begin);
  return SPC_OK;
}
