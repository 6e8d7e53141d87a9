/*
 * The table-driven decoder: one loop with explicit frames.
 *
 * The input is copied to the arena, or was put there, with SPC__PAD zero bytes behind it, so that
 * loads need no care: whatever runs past the end of a message meets the check at the head of the
 * loop (`p` and `e`), and the zero bytes end every varint. `p`, `e`, `start`, `rec`, `top` and what
 * frames hold are pointers into the arena; helpers take offsets, as any allocation may move the
 * arena, and DEC_CALL is around whatever may allocate.
 *
 * The arena is filled from `top` on, and between `top` and `zeroed` it is cleared: records are cut
 * from there and clearing is done in large pieces. Nothing is kept of a record besides its bytes,
 * so that a message that ends where the one around it ends (the last field, mostly) needs no
 * frame: what follows belongs to neither. Hence frames do not tell the path to a failure;
 * spc__find_path finds it from the input.
 *
 * Extensions live in a record of their own. The loop switches to it, and back, when a number is
 * found in the one type and not in the other; both have the same end.
 */
#include <string.h>

#include "base/error.h"
#include "codec/record.h"
#include "codec/sort.h"

#define DEC_RUN   32u   /* elements that are looked for ahead, to size an array */
#define DEC_PIECE 1024u /* bytes; more make memset slower */

typedef struct dec_frame {
  const uint8_t *end, *start; /* of the message that was left; of the field it was left for */
  uint8_t *record;
  const spc_message_type *type; /* of the record */
  const spc_field *field;       /* through which the message below was entered */
  uint32_t depth;
} dec_frame;

/* Maps that may have a key twice, looked through at the end. */
typedef struct dec_map {
  const spc_field *field;
  uint32_t slot, next;
} dec_map;

typedef struct dec {
  spc_arena *arena;
  spc_status status;
  uint32_t flags, max_depth, max_count;
  uint32_t maps;    /* dec_map */
  uint32_t at;      /* where decoding failed */
  uint32_t cleared; /* bytes behind what is used, to begin with */
  dec_frame frames[SPC_DEPTH_MAX];
} dec;

static uint32_t dec_fail(dec *d, spc_status status, uint32_t at) {
  d->status = status;
  d->at = at;
  return 0;
}

/*
 * How many elements of a repeated field follow, at most DEC_RUN; `p` is behind the first element.
 * What looks like an element and is none makes the array larger than it has to be, no more.
 */
static uint32_t dec_run_length(const uint8_t *p, const uint8_t *e, const spc_field *f,
                               uint32_t wire) {
  uint32_t n = 1;
  while (n < DEC_RUN && p < e && (spc__load32_le(p) & f->raw_mask) == f->raw &&
         wire != SPC__WIRE_START) {
    uint64_t v = *(p += f->tag_length);
    if (wire == SPC__WIRE_FIXED32) {
      p += 4;
    } else if (wire == SPC__WIRE_FIXED64) {
      p += 8;
    } else {
      p++;
      if (v >= 0x80 && (p = spc__varint_padded_long(p - 1, &v)) == NULL) break;
      if (wire == SPC__WIRE_BYTES) {
        if (p > e || v > (uint64_t)(e - p)) break;
        p += v;
      }
    }
    n++;
  }
  return n;
}

/* Room for at least one element more in the array at `slot`, or for those that follow. */
static bool dec_grow(dec *d, uint32_t slot, const spc_field *f, uint32_t more) {
  uint32_t n = spc__load32_le(d->arena->base + slot + 4);
  uint64_t capacity = (uint64_t)n + more;
  if (n + UINT64_C(1) > d->max_count) {
    d->status = SPC_COUNT_LIMIT;
    return false;
  }
  /* A run that was seen whole gets just its room; otherwise growth is by a factor. */
  if (n != 0 && more == 1) capacity = n + n / 2 + 1;
  if (more == DEC_RUN) capacity += n;
  if (capacity > d->max_count) capacity = d->max_count;
  d->status = spc__array_resize(d->arena, slot, (uint32_t)capacity, f);
  return d->status == SPC_OK;
}

static bool dec_unknown(dec *d, uint32_t record, uint32_t start, uint32_t end) {
  if ((d->flags & SPC_DECODE_STRICT) != 0) return dec_fail(d, SPC_UNKNOWN_FIELD, start) != 0;
  if ((d->flags & SPC_DECODE_DISCARD_UNKNOWN) != 0) return true;
  d->status = spc__add_unknown(d->arena, record, start, end - start);
  d->at = start;
  return d->status == SPC_OK;
}

/* A value of a closed enum that it does not have, from a packed field: kept as a field. */
static bool dec_unknown_value(dec *d, uint32_t record, const spc_field *f, uint64_t value,
                              uint32_t at) {
  uint32_t ref;
  if ((d->flags & SPC_DECODE_STRICT) != 0) return dec_fail(d, SPC_UNKNOWN_FIELD, at) != 0;
  if ((d->flags & SPC_DECODE_DISCARD_UNKNOWN) != 0) return true;
  d->status = spc_arena_alloc(d->arena, 16, &ref);
  if (d->status != SPC_OK) return false;
  uint8_t *start = d->arena->base + ref;
  uint8_t *end = spc__put_varint(start, spc__number(f) << 3 | SPC__WIRE_VARINT);
  end = spc__put_varint(end, value);
  d->status = spc__add_unknown(d->arena, record, ref, (uint32_t)(end - start));
  return d->status == SPC_OK;
}

/* Stores a number that came as a varint and is no bool in its slot or element. */
SPC__INLINE uint64_t dec_number(uint8_t *slot, const spc_field *f, uint64_t v) {
  v &= f->mask;
  v = (v >> f->zigzag) ^ (0 - (v & f->zigzag));
  /* A 4-byte slot gets the high half first and the low half over it. */
  spc__store32_le(slot + f->high, (uint32_t)(v >> 32));
  spc__store32_le(slot, (uint32_t)v);
  return v;
}

/*
 * A field of a rarer kind, or in the other encoding of packed fields. `at` is behind the tag;
 * unknown values go to the record `owner`. Returns the offset behind the field, 0 on failure.
 */
static uint32_t dec_other(dec *d, const spc_field *f, uint32_t tag, uint32_t start, uint32_t at,
                          uint32_t end, uint32_t record, uint32_t owner) {
  spc_arena *a = d->arena;
  const uint8_t *p = a->base + at, *e = a->base + end;
  uint32_t wire = tag & 7, slot = record + f->offset;
  uint64_t v = 0;
  bool closed = f->kind == SPC__CLOSED_ENUM || f->kind == SPC__REPEATED_CLOSED_ENUM;
  if (f->kind == SPC__CLOSED_ENUM || f->kind == SPC__BOOLEAN) {
    const uint32_t bad = f->kind == SPC__BOOLEAN ? start : at;
    p = spc__varint_padded(p, &v);
    if (p == NULL) return dec_fail(d, SPC_OVERLONG_VARINT, bad);
    if (p > e) return dec_fail(d, SPC_TRUNCATED, bad);
    uint32_t next = (uint32_t)(p - a->base);
    if (f->kind == SPC__BOOLEAN)
      v = v != 0;
    else if (!spc__enum_has(spc__sub_enum(f), (int32_t)(uint32_t)v))
      return dec_unknown(d, owner, start, next) ? next : 0;
    spc__put_case(a->base + record, f);
    spc__store32_le(a->base + slot, (uint32_t)v);
    spc__put_has(a->base + record, f, (uint32_t)v != 0 || (f->flags & SPC__EXPLICIT) != 0);
    return next;
  }
  bool numbers = f->kind != SPC__REPEATED_BYTES;
  bool packed = numbers && wire == SPC__WIRE_BYTES;
  uint32_t width = f->kind == SPC__REPEATED_FIXED32 ? 4 : f->kind == SPC__REPEATED_FIXED64 ? 8 : 0;
  if (packed) {
    p = spc__varint_padded(p, &v);
    if (p == NULL) return dec_fail(d, SPC_OVERLONG_VARINT, at);
    if (p > e || v > (uint64_t)(e - p)) return dec_fail(d, SPC_TRUNCATED, at);
    if (v == 0) return (uint32_t)(p - a->base);
    uint64_t count = 0;
    if (width != 0) {
      if (v % width != 0) return dec_fail(d, SPC_TRUNCATED, at);
      count = v / width;
    } else {
      for (uint64_t i = 0; i < v; i++)
        count += (p[i] & 0x80) == 0;
    }
    uint32_t n = spc__load32_le(a->base + slot + 4);
    if (count + n > d->max_count) return dec_fail(d, SPC_COUNT_LIMIT, at);
    if (count + n > spc__array_capacity(a, spc__load32_le(a->base + slot))) {
      uint32_t offset = (uint32_t)(p - a->base);
      uint64_t room = count + n;
      if (n != 0 && room < n + n / 2) room = n + n / 2;
      d->status = spc__array_resize(a, slot, (uint32_t)room, f);
      if (d->status != SPC_OK) return 0;
      p = a->base + offset;
    }
    e = p + v;
  } else {
    v = 0;
  }
  const uint8_t *element_start = a->base + start;
  for (;;) {
    uint64_t length = width;
    const uint8_t *value = p;
    if (width == 0) {
      p = spc__varint_padded(p, &length);
      if (p == NULL) return dec_fail(d, SPC_OVERLONG_VARINT, (uint32_t)(value - a->base));
    }
    if (p > e || ((width != 0 || !numbers) && length > (uint64_t)(e - p)))
      return dec_fail(d, SPC_TRUNCATED, (uint32_t)(value - a->base));
    uint32_t next = (uint32_t)(p - a->base) + (width != 0 || !numbers ? (uint32_t)length : 0);
    if (closed && !spc__enum_has(spc__sub_enum(f), (int32_t)(uint32_t)length)) {
      uint32_t offset = (uint32_t)(element_start - a->base), end_ = (uint32_t)(e - a->base);
      if (packed ? !dec_unknown_value(d, owner, f, length, next)
                 : !dec_unknown(d, owner, offset, next))
        return 0;
      e = a->base + end_;
    } else {
      if (!numbers && (f->flags & SPC__UTF8) != 0 && !spc__utf8(p, (size_t)length))
        return dec_fail(d, SPC_BAD_UTF8, (uint32_t)(p - a->base));
      uint32_t n = spc__load32_le(a->base + slot + 4);
      if (n == spc__array_capacity(a, spc__load32_le(a->base + slot))) {
        uint32_t offset = (uint32_t)(p - a->base), end_ = (uint32_t)(e - a->base);
        uint32_t value_ = (uint32_t)(value - a->base);
        uint32_t start_ = (uint32_t)(element_start - a->base);
        if (!dec_grow(d, slot, f, packed ? 1 : dec_run_length(a->base + next, e, f, wire))) {
          d->at = start_;
          return 0;
        }
        element_start = a->base + start_;
        p = a->base + offset;
        e = a->base + end_;
        value = a->base + value_;
      }
      uint32_t array = spc__load32_le(a->base + slot);
      if (!numbers) {
        spc__store32_le(a->base + array + n * 8, (uint32_t)(p - a->base));
        spc__store32_le(a->base + array + n * 8 + 4, (uint32_t)length);
      } else if (width == 8) {
        spc__store64_le(a->base + array + n * 8, spc__load64_le(value));
      } else if (width == 4) {
        spc__store32_le(a->base + array + n * 4, spc__load32_le(value));
      } else {
        if ((f->flags & SPC__BOOL) != 0) length = length != 0;
        dec_number(a->base + array + n * (f->high + 4u), f, length);
      }
      spc__store32_le(a->base + slot + 4, n + 1);
      spc__put_has(a->base + record, f, true);
    }
    p = a->base + next;
    if (packed) {
      if (p >= e) break;
      continue;
    }
    element_start = p;
    uint64_t following;
    if (p >= e || (*p & 7) != wire) break;
    p = spc__varint_padded(p, &following);
    if (p == NULL || following != tag) {
      p = element_start;
      break;
    }
  }
  if (p > e) return dec_fail(d, SPC_TRUNCATED, at);
  return (uint32_t)(p - a->base);
}

/* Whether an entry, from its tag at `p` on, has a value that is not in its closed enum. */
static bool dec_bad_entry(const spc_field *value, const uint8_t *p, const uint8_t *e) {
  uint64_t v;
  p = spc__varint(p, e, &v);
  if (p != NULL) p = spc__varint(p, e, &v);
  while (p != NULL && p < e) {
    uint32_t tag;
    spc_status status;
    const uint8_t *at;
    p = spc__tag(p, e, &tag, &status);
    if (p == NULL) break;
    if (tag == value->tag && spc__varint(p, e, &v) != NULL &&
        !spc__enum_has(spc__sub_enum(value), (int32_t)(uint32_t)v))
      return true;
    p = spc__skip(p, e, tag, SPC_DEPTH_MAX, &status, &at);
  }
  return false;
}

/*
 * When a map entry ends at `end`: both its fields count as present, and it is noted if its key
 * might be in the map already. An entry whose value is not in its closed enum is no entry but an
 * unknown field.
 */
static bool dec_finish_entry(dec *d, const spc_field *f, uint32_t record, uint32_t start,
                             uint32_t end) {
  spc_arena *a = d->arena;
  uint32_t slot = record + f->offset, n = spc__load32_le(a->base + slot + 4);
  uint32_t array = spc__load32_le(a->base + slot);
  uint32_t entry = spc__load32_le(a->base + array + (n - 1) * 4);
  const spc_field *value = spc__map_value(f);
  if (value->kind == SPC__CLOSED_ENUM && dec_bad_entry(value, a->base + start, a->base + end)) {
    spc__store32_le(a->base + slot + 4, n - 1);
    spc__put_has(a->base + record, f, n > 1);
    return dec_unknown(d, record, start, end);
  }
  spc__put_has(a->base + entry, spc__map_key(f), true);
  spc__put_has(a->base + entry, value, true);
  if (spc__is_message(value) && spc__load32_le(a->base + entry + value->offset) == 0) {
    uint32_t ref;
    d->status = spc__new_record(a, spc__sub_message(value), &ref);
    if (d->status != SPC_OK) return false;
    spc__store32_le(a->base + entry + value->offset, ref);
  }
  if (n > 1 && spc__load32_le(a->base + array - 8) != 1) {
    uint32_t ref;
    d->status = spc_arena_alloc(a, sizeof(dec_map), &ref);
    if (d->status != SPC_OK) return false;
    dec_map map = {f, slot, d->maps};
    memcpy(a->base + ref, &map, sizeof map);
    spc__store32_le(a->base + array - 8, 1);
    d->maps = ref;
  }
  return true;
}

/*
 * The payload of a message set's item, behind whose start tag `at` is: its type and the place of
 * its message (*message 0 if it has none). Returns the offset behind the item, 0 on failure.
 */
static uint32_t dec_item(dec *d, uint32_t at, uint32_t end, uint32_t *number, uint32_t *message,
                         uint32_t *length) {
  const uint8_t *base = d->arena->base, *p = base + at, *e = base + end, *where = p;
  *number = *message = *length = 0;
  for (;;) {
    uint32_t tag;
    uint64_t v;
    where = p;
    p = spc__tag(p, e, &tag, &d->status);
    if (p == NULL) break;
    if (tag == (1 << 3 | SPC__WIRE_END)) return (uint32_t)(p - base);
    const uint8_t *value = p;
    p = spc__skip(p, e, tag, d->max_depth, &d->status, &where);
    if (p == NULL) break;
    value = spc__varint(value, e, &v);
    if (tag == (2 << 3 | SPC__WIRE_VARINT) && *number == 0)
      *number = v <= UINT32_MAX ? (uint32_t)v : 0;
    if (tag == (3 << 3 | SPC__WIRE_BYTES) && *message == 0) {
      *message = (uint32_t)(value - base);
      *length = (uint32_t)v;
    }
  }
  return dec_fail(d, d->status, (uint32_t)(where - base));
}

/*
 * Clears a piece of the arena behind what is used, of at least `size` bytes and more where `left`
 * bytes of input promise more records. Gives the bytes that are clear, 0 on failure.
 */
static size_t dec_clear(dec *d, size_t size, size_t left) {
  spc_arena *a = d->arena;
  size_t before = a->used;
  uint32_t ref;
  d->status = spc_arena_alloc(a, size, &ref);
  if (d->status != SPC_OK) return 0;
  a->used = before;
  size_t room = (a->size < UINT32_MAX ? a->size : UINT32_MAX) - before;
  size_t piece = left < DEC_PIECE / 4 ? left * 4 : DEC_PIECE;
  if (piece < size) piece = size;
  if (piece > room) piece = room;
  memset(a->base + before, 0, piece);
  return piece;
}

/* Whether a tag is of packed numbers that are declared expanded, or the reverse. */
static bool dec_other_form(const spc_field *f, uint32_t tag) {
  if (f->kind < SPC__REPEATED_VARINT || f->kind > SPC__REPEATED_CLOSED_ENUM) return false;
  uint32_t wire = tag & 7, element = f->kind == SPC__REPEATED_FIXED32   ? SPC__WIRE_FIXED32
                                     : f->kind == SPC__REPEATED_FIXED64 ? SPC__WIRE_FIXED64
                                                                        : SPC__WIRE_VARINT;
  return wire == SPC__WIRE_BYTES || wire == element;
}

/* Moves what frames hold from one place of the arena to another. */
static void dec_moved(dec *d, const dec_frame *end, uintptr_t from) {
  const uint8_t *base = d->arena->base;
  for (dec_frame *frame = d->frames; frame < end; frame++) {
    frame->end = base + ((uintptr_t)frame->end - from);
    frame->start = base + ((uintptr_t)frame->start - from);
    frame->record = d->arena->base + ((uintptr_t)frame->record - from);
  }
}

/* Makes the offsets of pointers before a statement that may allocate, and back after it. */
#define DEC_CALL(statement)                                                                        \
  do {                                                                                             \
    const size_t p_ = (size_t)(p - base), e_ = (size_t)(e - base), s_ = (size_t)(start - base);    \
    const size_t r_ = (size_t)(rec - base);                                                        \
    const uintptr_t base_ = (uintptr_t)base;                                                       \
    a->used = (size_t)(top - base);                                                                \
    statement;                                                                                     \
    if (SPC__UNLIKELY((uintptr_t)a->base != base_)) {                                              \
      dec_moved(d, frame, base_);                                                                  \
      zeroed = a->base;                                                                            \
    }                                                                                              \
    base = a->base;                                                                                \
    top = base + a->used;                                                                          \
    if (zeroed < top) zeroed = top;                                                                \
    p = base + p_;                                                                                 \
    e = base + e_;                                                                                 \
    start = base + s_;                                                                             \
    rec = base + r_;                                                                               \
  } while (0)

/* Cleared memory. */
#define DEC_NEW(bytes, place)                                                                      \
  do {                                                                                             \
    const size_t size_ = (bytes);                                                                  \
    if (SPC__UNLIKELY((size_t)(zeroed - top) < size_)) {                                           \
      size_t clear_;                                                                               \
      DEC_CALL(clear_ = dec_clear(d, size_, (size_t)(input_end - p_)));                            \
      if (clear_ == 0) goto fail_at_start;                                                         \
      zeroed = top + clear_;                                                                       \
    }                                                                                              \
    (place) = top;                                                                                 \
    top += size_;                                                                                  \
  } while (0)

#define DEC_FAIL(code)                                                                             \
  do {                                                                                             \
    d->status = (code);                                                                            \
    goto fail_at_start;                                                                            \
  } while (0)

/* Reads a length that has to fit before the end of the message. */
#define DEC_LENGTH(length)                                                                         \
  do {                                                                                             \
    (length) = *p++;                                                                               \
    if (SPC__UNLIKELY((length) >= 0x80)) {                                                         \
      p = spc__varint_padded_long(p - 1, &(length));                                               \
      if (p == NULL) DEC_FAIL(SPC_OVERLONG_VARINT);                                                \
    }                                                                                              \
    if (SPC__UNLIKELY(p > e || (length) > (uint64_t)(e - p))) DEC_FAIL(SPC_TRUNCATED);             \
  } while (0)

/* From a record to that of its extensions, or back. */
#define DEC_SWITCH()                                                                               \
  do {                                                                                             \
    uint32_t other_ = spc__load32_le(rec + t->extension_slot);                                     \
    if (other_ == 0) {                                                                             \
      DEC_CALL(d->status = spc__make_extensions(a, t, (uint32_t)r_, &other_));                     \
      if (d->status != SPC_OK) goto fail_at_start;                                                 \
    }                                                                                              \
    rec = base + other_;                                                                           \
    t = spc__extensions(t);                                                                        \
  } while (0)

/*
 * Decodes the bytes from arena offset `at` to `end`, behind which SPC__PAD bytes are readable,
 * into the record.
 */
static bool dec_message(dec *d, const spc_message_type *t, uint32_t record, uint32_t at,
                        uint32_t end) {
  spc_arena *const a = d->arena;
  const size_t input_end = end;
  dec_frame *frame = d->frames;
  uint8_t *base = a->base, *rec = base + record, *top = base + a->used;
  uint8_t *zeroed = top + d->cleared;
  const uint8_t *p = base + at, *e = base + end, *start = p;
  uint32_t depth = 0, tag;
  for (;;) {
    const spc_field *f;
    uint64_t length;
    uint8_t *sub;
    if (SPC__UNLIKELY(p >= e)) {
      if (SPC__UNLIKELY(p != e)) DEC_FAIL(SPC_TRUNCATED);
      if (SPC__UNLIKELY(frame == d->frames)) {
        a->used = (size_t)(top - base);
        return true;
      }
      frame--;
      e = frame->end;
      rec = frame->record;
      t = frame->type;
      f = frame->field;
      depth = frame->depth;
      if (f->kind == SPC__MESSAGE) continue;
      if (SPC__UNLIKELY(f->kind != SPC__REPEATED_MESSAGE)) {
        start = frame->start;
        if (f->kind == SPC__MAP_ENTRIES) {
          bool good;
          DEC_CALL(good = dec_finish_entry(d, f, (uint32_t)r_, (uint32_t)s_, (uint32_t)p_));
          if (!good) goto fail_at_start;
        } else if (f->kind == SPC__ITEM) {
          if (start != base) continue;
          /* What an item has after its message; that it is well formed was seen before. */
          const uint8_t *bad;
          p = spc__skip(p, e, 1 << 3 | SPC__WIRE_START, d->max_depth + 1, &d->status, &bad);
          if (p == NULL) goto fail_at_start;
          continue;
        } else {
          start = p; /* a group that does not end */
          DEC_FAIL(SPC_TRUNCATED);
        }
      }
      if (p >= e || (spc__load32_le(p) & f->raw_mask) != f->raw) continue;
      start = p;
      p += f->tag_length;
      goto element;
    }
    start = p;
    tag = *p++;
    if (SPC__UNLIKELY(tag >= 0x80)) {
      if (SPC__LIKELY(*p < 0x80)) {
        tag = (tag & 0x7f) | (uint32_t)*p++ << 7;
      } else {
        p = spc__tag(start, e, &tag, &d->status);
        if (p == NULL) goto fail_at_start;
      }
    }
  find:
    f = spc__find(t, tag >> 3);
    if (SPC__UNLIKELY(f->tag != tag)) goto odd;
    if (f->kind == SPC__VARINT) {
      uint64_t v;
      p = spc__varint_padded_long(p, &v);
      if (SPC__UNLIKELY(p == NULL)) DEC_FAIL(SPC_OVERLONG_VARINT);
      spc__put_case(rec, f);
      v = dec_number(rec + f->offset, f, v);
      spc__put_has(rec, f, SPC__LIKELY(v != 0 || (f->flags & SPC__EXPLICIT) != 0));
      continue;
    }
    if (f->kind == SPC__MESSAGE) {
      DEC_LENGTH(length);
    message:
      if (SPC__UNLIKELY(depth == d->max_depth)) DEC_FAIL(SPC_DEPTH_LIMIT);
      if (SPC__UNLIKELY((rec[f->has_at] & f->has) != 0) && spc__present(rec, f)) {
        sub = base + spc__load32_le(rec + f->offset);
      } else {
        DEC_NEW(f->sub_size, sub);
        spc__put_case(rec, f);
        spc__store32_le(rec + f->offset, (uint32_t)(sub - base));
        rec[f->has_at] |= f->has;
      }
    enter:;
      const spc_message_type *type = spc__sub_message(f);
      const uint8_t *sub_end = p + length;
      /* The kind first: gcc knows it from where the jump came, which is worth a fifth. */
      if (f->kind > SPC__REPEATED_MESSAGE || sub_end != e) {
        frame->end = e;
        frame->start = start;
        frame->record = rec;
        frame->type = t;
        frame->field = f;
        frame->depth = depth;
        frame++;
      }
      depth++;
      e = sub_end;
      rec = sub;
      t = type;
      continue;
    }
    if (f->kind == SPC__REPEATED_MESSAGE) {
    element:
      DEC_LENGTH(length);
    append:
      if (SPC__UNLIKELY(depth == d->max_depth)) DEC_FAIL(SPC_DEPTH_LIMIT);
      uint32_t n = spc__load32_le(rec + f->offset + 4), array = spc__load32_le(rec + f->offset);
      if (n == (array == 0 ? 0 : spc__load32_le(base + array - 4))) {
        uint32_t more = dec_run_length(p + length, e, f, f->tag & 7);
        if (SPC__LIKELY(n == 0 && more < DEC_RUN && more <= d->max_count &&
                        f->kind != SPC__MAP_ENTRIES)) {
          /* As spc__array_resize does it. */
          uint32_t bytes = (more * 4 + 11) & ~7u;
          DEC_NEW(bytes, sub);
          spc__store32_le(sub, bytes / 4 - 1);
          array = (uint32_t)(sub - base) + 4;
          spc__store32_le(rec + f->offset, array);
        } else {
          bool good;
          DEC_CALL(good = dec_grow(d, (uint32_t)r_ + f->offset, f, more));
          if (!good) goto fail_at_start;
          array = spc__load32_le(rec + f->offset);
        }
      }
      DEC_NEW(f->sub_size, sub);
      spc__store32_le(base + array + n * 4, (uint32_t)(sub - base));
      spc__store32_le(rec + f->offset + 4, n + 1);
      rec[f->has_at] |= f->has;
      goto enter;
    }
    if (f->kind == SPC__BYTES) {
      DEC_LENGTH(length);
      if ((f->flags & SPC__UTF8) != 0 && SPC__UNLIKELY(!spc__utf8(p, (size_t)length))) {
        start = p;
        DEC_FAIL(SPC_BAD_UTF8);
      }
      spc__put_case(rec, f);
      spc__store32_le(rec + f->offset, (uint32_t)(p - base));
      spc__store32_le(rec + f->offset + 4, (uint32_t)length);
      p += length;
      spc__put_has(rec, f, SPC__LIKELY(length != 0 || (f->flags & SPC__EXPLICIT) != 0));
      continue;
    }
    if (f->kind == SPC__FIXED64) {
      uint64_t v = spc__load64_le(p);
      p += 8;
      spc__put_case(rec, f);
      spc__store64_le(rec + f->offset, v);
      spc__put_has(rec, f, v != 0 || (f->flags & SPC__EXPLICIT) != 0);
      continue;
    }
    if (f->kind == SPC__FIXED32) {
      uint32_t v = spc__load32_le(p);
      p += 4;
      spc__put_case(rec, f);
      spc__store32_le(rec + f->offset, v);
      spc__put_has(rec, f, v != 0 || (f->flags & SPC__EXPLICIT) != 0);
      continue;
    }
    if (f->kind == SPC__MAP_ENTRIES) goto element;
    if (f->kind == SPC__GROUP) {
      length = (uint64_t)(e - p);
      goto message;
    }
    if (f->kind == SPC__REPEATED_GROUP) {
      length = (uint64_t)(e - p);
      goto append;
    }
    if (f->kind == SPC__ITEM) {
      /* A message set in the encoding of other messages. */
      DEC_LENGTH(length);
      goto message;
    }
  other: {
    uint32_t next;
    if (p > e) DEC_FAIL(SPC_TRUNCATED);
    uint32_t owner = (uint32_t)(rec - base);
    if ((t->flags & SPC__EXTENSIONS) != 0) owner = spc__load32_le(rec + t->extension_slot);
    DEC_CALL(
        next = dec_other(d, f, tag, (uint32_t)s_, (uint32_t)p_, (uint32_t)e_, (uint32_t)r_, owner));
    if (SPC__UNLIKELY(next == 0)) return false;
    p = base + next;
    continue;
  }

  odd:
    if (p > e) DEC_FAIL(SPC_TRUNCATED);
    if (tag >> 3 == 0) DEC_FAIL(SPC_BAD_FIELD_NUMBER);
    if ((tag & 7) > SPC__WIRE_FIXED32) DEC_FAIL(SPC_BAD_WIRE_TYPE);
    if (dec_other_form(f, tag)) goto other;
    if ((tag & 7) == SPC__WIRE_END) {
      /* The depth tells whether it is in the group itself or in a message that has no frame. */
      if (frame == d->frames || depth != frame[-1].depth + 1 ||
          (frame[-1].field->kind != SPC__GROUP && frame[-1].field->kind != SPC__REPEATED_GROUP) ||
          spc__number(frame[-1].field) != tag >> 3)
        DEC_FAIL(SPC_GROUP_MISMATCH);
      frame--;
      rec = frame->record;
      t = frame->type;
      depth = frame->depth;
      continue;
    }
    if (t->extensions != 0) {
      const spc_field *other = spc__find(spc__extensions(t), tag >> 3);
      if ((t->flags & SPC__EXTENSIONS) != 0 || other->tag == tag || dec_other_form(other, tag)) {
        DEC_SWITCH();
        goto find;
      }
      if ((t->flags & SPC__MESSAGE_SET) != 0 && tag == (1 << 3 | SPC__WIRE_START)) {
        uint32_t number, message, message_length;
        uint32_t next = dec_item(d, (uint32_t)(p - base), (uint32_t)(e - base), &number, &message,
                                 &message_length);
        if (next == 0) goto fail;
        f = spc__find(spc__extensions(t), number);
        if (f->kind != SPC__NO_FIELD && message != 0) {
          if (depth + 1 >= d->max_depth) DEC_FAIL(SPC_DEPTH_LIMIT);
          DEC_SWITCH();
          start = base; /* marks it: something follows its message */
          p = base + message;
          length = message_length;
          goto message;
        }
      }
    }
    const uint8_t *where = p;
    p = spc__skip(p, e, tag, d->max_depth - depth, &d->status, &where);
    if (SPC__UNLIKELY(p == NULL)) {
      start = where;
      goto fail_at_start;
    }
    bool good;
    DEC_CALL(good = dec_unknown(d, (uint32_t)r_, (uint32_t)s_, (uint32_t)p_));
    if (!good) goto fail_at_start;
  }

fail_at_start:
  d->at = (uint32_t)(start - base);
fail:
  a->used = (size_t)(top - base);
  return false;
}

#undef DEC_CALL
#undef DEC_NEW
#undef DEC_FAIL
#undef DEC_LENGTH
#undef DEC_SWITCH

/* For spc__find_path. */
static bool dec_enter(spc_error *error, const void *type, uint32_t number, spc__step *step) {
  const spc_field *f = spc_message_type_by_number((const spc_message_type *)type, number);
  if (f == NULL) return false;
  spc__path_name(error, f);
  step->sub = spc__is_message(f) ? spc__sub_message(f) : NULL;
  step->group = f->type == SPC_TYPE_GROUP;
  step->repeated = (f->flags & SPC__REPEATED) != 0;
  return true;
}

/* What is the same for all ways to decode. */
static spc_status dec_begin(dec *d, spc_arena *arena, size_t length,
                            const spc_decode_options *options, spc_error *error) {
  static const spc_decode_options defaults = {0};
  uint64_t max_size, max_count;
  if (options == NULL) options = &defaults;
  spc__decode_limits(options, &max_size, &max_count);
  if (length > max_size) return spc__fail_limit(error, SPC_SIZE_LIMIT, max_size);
  d->arena = arena;
  d->flags = options->flags;
  d->max_depth = spc__depth(options->max_depth);
  d->max_count = (uint32_t)max_count;
  d->maps = 0;
  d->at = 0;
  d->cleared = 0;
  return SPC_OK;
}

/* Decodes the bytes at the offset `at`, behind which there are SPC__PAD zero bytes. */
static spc_status dec_run(dec *d, const spc_message *message, uint32_t at, size_t length,
                          spc_error *error) {
  spc_arena *a = d->arena;
  bool good = dec_message(d, message->type, message->ref, at, at + (uint32_t)length);
  while (good && d->maps != 0) {
    dec_map map;
    memcpy(&map, a->base + d->maps, sizeof map);
    d->maps = map.next;
    d->status = spc__map_unique(a, map.slot, spc__map_key(map.field));
    good = d->status == SPC_OK;
  }
  if (a->used > a->peak) a->peak = a->used;
  if (!good) {
    if (d->status == SPC_DEPTH_LIMIT)
      spc__fail_limit(error, d->status, d->max_depth);
    else if (d->status == SPC_COUNT_LIMIT)
      spc__fail_limit(error, d->status, d->max_count);
    else
      spc__fail(error, d->status);
    if (error != NULL) {
      if (d->status != SPC_OUT_OF_MEMORY && d->at >= at && d->at - at <= length) {
        error->offset = d->at - at;
        spc__find_path(error, dec_enter, message->type, a->base + at, length, d->at - at);
      }
    }
    return d->status;
  }
  if (message->type->required && (d->flags & SPC_DECODE_PARTIAL) == 0)
    return spc_check_required(message, error);
  return SPC_OK;
}

spc_status spc_decode_merge(const spc_message *message, const uint8_t *input, size_t length,
                            const spc_decode_options *options, spc_error *error) {
  dec d;
  uint32_t copy;
  spc_status status = dec_begin(&d, message->arena, length, options, error);
  if (status != SPC_OK) return status;
  status = spc__copy_input(message->arena, input, length, &copy);
  if (status != SPC_OK) return spc__fail(error, status);
  return dec_run(&d, message, copy, length, error);
}

spc_status spc__decode_placed(spc_arena *arena, const spc_message_type *type, uint32_t at,
                              size_t length, const spc_decode_options *options,
                              spc_message *message, spc_error *error) {
  dec d;
  size_t before = arena->used;
  spc_status status = dec_begin(&d, arena, length, options, error);
  if (status != SPC_OK) return status;
  memset(arena->base + at + length, 0, SPC__PAD);
  /* The record is cleared together with what comes behind it. */
  size_t clear = dec_clear(&d, type->size, length);
  if (clear == 0) return spc__fail(error, d.status);
  *message = (spc_message){arena, type, (uint32_t)before};
  arena->used += type->size;
  d.cleared = (uint32_t)(clear - type->size);
  status = dec_run(&d, message, at, length, error);
  if (status != SPC_OK) spc_arena_rewind(arena, before);
  return status;
}

spc_status spc_decode(spc_arena *arena, const spc_message_type *type, const uint8_t *input,
                      size_t length, const spc_decode_options *options, spc_message *message,
                      spc_error *error) {
  size_t before = arena->used;
  bool inside = spc__inside(arena, input);
  size_t within = inside ? (size_t)(input - arena->base) : 0;
  spc_status status = spc_message_new(arena, type, message);
  if (status != SPC_OK) return spc__fail(error, status);
  if (inside) input = arena->base + within;
  status = spc_decode_merge(message, input, length, options, error);
  if (status != SPC_OK) spc_arena_rewind(arena, before);
  return status;
}
