/*
 * The table-driven decoder: one loop with explicit frames.
 *
 * The input is copied to the arena, with SPC__PAD zero bytes behind it, so that loads need no
 * care: whatever runs past the end of a message meets the check at the head of the loop (`p` and
 * `e`), and the zero bytes end every varint. The first eight bytes of the current record (hasbits
 * of 64 fields, or of 32 and the unknown word) live in `has` and are written back whenever another
 * record becomes current or a helper works on the record. `p`, `e`, `rec` and `start` are pointers
 * into the arena; frames and helpers hold offsets, as any allocation may move the arena (DEC_CALL).
 *
 * Extensions live in a record of their own. The loop switches to it, and back, when a number is
 * found in the one type and not in the other; both have the same end.
 */
#include <string.h>

#include "base/error.h"
#include "codec/record.h"
#include "codec/sort.h"

#define DEC_RUN 32u /* elements that are looked for ahead, to size an array */

typedef struct dec_frame {
  uint32_t end, record, start;
  uint32_t item;                /* the message below is in an item of a message set */
  const spc_message_type *type; /* of the record */
  const spc_field *field;       /* through which the message below was entered */
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
  uint32_t maps;  /* dec_map */
  uint32_t at;    /* where a helper failed */
  uint32_t depth; /* frames in use, for errors */
  const spc_field *field;
  dec_frame frames[SPC_DEPTH_MAX];
} dec;

static uint32_t dec_fail(dec *d, spc_status status, uint32_t at) {
  d->status = status;
  d->at = at;
  return 0;
}

/* How many elements of a repeated field follow, at most DEC_RUN; `p` is behind the first's tag. */
static uint32_t dec_run_length(const uint8_t *p, const uint8_t *e, const spc_field *f,
                               uint32_t wire) {
  uint32_t n = 1;
  for (;;) {
    uint64_t v = 0;
    if (wire == SPC__WIRE_START) return n;
    if (wire == SPC__WIRE_FIXED32)
      v = 4;
    else if (wire == SPC__WIRE_FIXED64)
      v = 8;
    else if ((p = spc__varint(p, e, &v)) == NULL)
      return n;
    if (wire == SPC__WIRE_VARINT) v = 0;
    if (n == DEC_RUN || v + f->tag_length >= (uint64_t)(e - p)) return n;
    p += v;
    if ((spc__load32_le(p) & f->raw_mask) != f->raw) return n;
    p += f->tag_length;
    n++;
  }
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

static bool dec_unknown(dec *d, uint32_t record, const spc_message_type *type, uint32_t start,
                        uint32_t end) {
  if ((d->flags & SPC_DECODE_STRICT) != 0) return dec_fail(d, SPC_UNKNOWN_FIELD, start) != 0;
  if ((d->flags & SPC_DECODE_DISCARD_UNKNOWN) != 0) return true;
  d->status = spc__add_unknown(d->arena, record, type, start, end - start);
  d->at = start;
  return d->status == SPC_OK;
}

/* A value of a closed enum that it does not have, from a packed field: kept as a field. */
static bool dec_unknown_value(dec *d, uint32_t record, const spc_message_type *type,
                              const spc_field *f, uint64_t value, uint32_t at) {
  uint32_t ref;
  if ((d->flags & SPC_DECODE_STRICT) != 0) return dec_fail(d, SPC_UNKNOWN_FIELD, at) != 0;
  if ((d->flags & SPC_DECODE_DISCARD_UNKNOWN) != 0) return true;
  d->status = spc_arena_alloc(d->arena, 16, &ref);
  if (d->status != SPC_OK) return false;
  uint8_t *start = d->arena->base + ref;
  uint8_t *end = spc__put_varint(start, spc__number(f) << 3 | SPC__WIRE_VARINT);
  end = spc__put_varint(end, value);
  d->status = spc__add_unknown(d->arena, record, type, ref, (uint32_t)(end - start));
  return d->status == SPC_OK;
}

/* Stores a number of kind SPC__VARINT in its slot or element; returns it as stored. */
SPC__INLINE uint64_t dec_number(uint8_t *slot, const spc_field *f, uint64_t v) {
  v &= f->mask;
  v = (v >> f->zigzag) ^ (0 - (v & f->zigzag));
  if ((f->flags & SPC__BOOL) != 0) v = v != 0;
  /* A 4-byte slot gets the high half first and the low half over it. */
  spc__store32_le(slot + f->high, (uint32_t)(v >> 32));
  spc__store32_le(slot, (uint32_t)v);
  return v;
}

/*
 * A field of a rarer kind, or in the other encoding of packed fields. Works on the record in the
 * arena; `at` is behind the tag. Returns the offset behind the field, 0 on failure.
 */
static uint32_t dec_other(dec *d, const spc_field *f, const spc_message_type *type, uint32_t tag,
                          uint32_t start, uint32_t at, uint32_t end, uint32_t record) {
  spc_arena *a = d->arena;
  const uint8_t *p = a->base + at, *e = a->base + end;
  uint32_t wire = tag & 7, slot = record + f->offset;
  uint64_t v = 0;
  bool closed = f->kind == SPC__CLOSED_ENUM || f->kind == SPC__REPEATED_CLOSED_ENUM;
  if (f->kind == SPC__CLOSED_ENUM) {
    p = spc__varint_padded(p, &v);
    if (p == NULL) return dec_fail(d, SPC_OVERLONG_VARINT, at);
    if (p > e) return dec_fail(d, SPC_TRUNCATED, at);
    uint32_t next = (uint32_t)(p - a->base);
    if (!spc__enum_has(spc__sub_enum(f), (int32_t)(uint32_t)v))
      return dec_unknown(d, record, type, start, next) ? next : 0;
    spc__store32_le(a->base + record + f->case_offset, spc__number(f));
    spc__store32_le(a->base + slot, (uint32_t)v);
    spc__put_bit(a->base + record, f->bit, (uint32_t)v != 0 || (f->flags & SPC__EXPLICIT) != 0);
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
      if (packed ? !dec_unknown_value(d, record, type, f, length, next)
                 : !dec_unknown(d, record, type, offset, next))
        return 0;
      e = a->base + end_;
    } else {
      if (!numbers && (f->flags & SPC__UTF8) != 0 && !spc__utf8(p, (size_t)length))
        return dec_fail(d, SPC_BAD_UTF8, (uint32_t)(p - a->base));
      uint32_t n = spc__load32_le(a->base + slot + 4);
      if (n == spc__array_capacity(a, spc__load32_le(a->base + slot))) {
        uint32_t offset = (uint32_t)(p - a->base), end_ = (uint32_t)(e - a->base);
        uint32_t value_ = (uint32_t)(value - a->base);
        if (!dec_grow(d, slot, f, packed ? 1 : dec_run_length(value, e, f, wire))) {
          d->at = offset;
          return 0;
        }
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
        dec_number(a->base + array + n * (f->high + 4u), f, length);
      }
      spc__store32_le(a->base + slot + 4, n + 1);
      spc__put_bit(a->base + record, f->bit, true);
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

/*
 * When a map entry ends at `end`: both its fields count as present, and it is noted if its key
 * might be in the map already. An entry whose value is not in its closed enum is no entry but an
 * unknown field.
 */
static bool dec_finish_entry(dec *d, const spc_field *f, const dec_frame *frame, uint32_t end) {
  spc_arena *a = d->arena;
  uint32_t slot = frame->record + f->offset, n = spc__load32_le(a->base + slot + 4);
  uint32_t array = spc__load32_le(a->base + slot);
  uint32_t entry = spc__load32_le(a->base + array + (n - 1) * 4);
  const spc_message_type *type = spc__sub_message(f);
  const spc_field *value = spc__map_value(f);
  uint32_t unknown = spc__load32_le(a->base + entry + spc__unknown_offset(type));
  if (value->kind == SPC__CLOSED_ENUM && unknown != 0) {
    for (; unknown != 0; unknown = spc__load32_le(a->base + unknown)) {
      uint32_t offset = spc__load32_le(a->base + unknown + 4);
      uint32_t length = spc__load32_le(a->base + unknown + 8);
      const uint8_t *p = a->base + offset, *e = p + length, *at;
      while (p != NULL && p < e) {
        uint32_t tag;
        spc_status status;
        p = spc__tag(p, e, &tag, &status);
        if (p != NULL && tag == value->tag) {
          spc__store32_le(a->base + slot + 4, n - 1);
          spc__put_bit(a->base + frame->record, f->bit, n > 1);
          return dec_unknown(d, frame->record, frame->type, frame->start, end);
        }
        if (p != NULL) p = spc__skip(p, e, tag, SPC_DEPTH_MAX, &status, &at);
      }
    }
  }
  spc__store32_le(a->base + entry, spc__load32_le(a->base + entry) | 3);
  if (spc__is_message(value) && spc__load32_le(a->base + entry + value->offset) == 0) {
    uint32_t ref;
    d->status = spc__new_record(a, spc__sub_message(value), &ref);
    if (d->status != SPC_OK) return false;
    spc__store32_le(a->base + entry + value->offset, ref);
  }
  if (n > 1 && spc__load32_le(a->base + array - 8) == 0) {
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

/* Makes the offsets of pointers before a statement that may move the arena, and back after it. */
#define DEC_CALL(statement)                                                                        \
  do {                                                                                             \
    const size_t p_ = (size_t)(p - base), e_ = (size_t)(e - base), s_ = (size_t)(start - base);    \
    const size_t r_ = (size_t)(rec - base);                                                        \
    statement;                                                                                     \
    base = a->base;                                                                                \
    limit = a->size < UINT32_MAX ? a->size : UINT32_MAX;                                           \
    p = base + p_;                                                                                 \
    e = base + e_;                                                                                 \
    start = base + s_;                                                                             \
    rec = base + r_;                                                                               \
  } while (0)

/* A zeroed record. The short cut clears by 64 bytes, past the record's end if there is room. */
#define DEC_NEW(record_type, ref)                                                                  \
  do {                                                                                             \
    const uint32_t size_ = (record_type)->size;                                                    \
    const size_t used_ = a->used;                                                                  \
    if (SPC__LIKELY(limit - used_ >= (size_t)size_ + 64)) {                                        \
      uint8_t *clear_ = base + used_;                                                              \
      a->used = used_ + size_;                                                                     \
      (ref) = (uint32_t)used_;                                                                     \
      do                                                                                           \
        memset(clear_, 0, 64);                                                                     \
      while (SPC__UNLIKELY((clear_ += 64) < base + used_ + size_));                                \
    } else {                                                                                       \
      DEC_CALL(d->status = spc__new_record(a, (record_type), &(ref)));                             \
      if (d->status != SPC_OK) goto fail_at_start;                                                 \
    }                                                                                              \
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
    spc__store64_le(rec, has);                                                                     \
    ref = spc__load32_le(rec + t->extension_slot);                                                 \
    if (ref == 0) {                                                                                \
      DEC_CALL(d->status = spc__make_extensions(a, t, (uint32_t)r_, &ref));                        \
      if (d->status != SPC_OK) goto fail_at_start;                                                 \
    }                                                                                              \
    rec = base + ref;                                                                              \
    t = spc__extensions(t);                                                                        \
    has = spc__load64_le(rec);                                                                     \
  } while (0)

#define DEC_PUT_BIT(f, on)                                                                         \
  do {                                                                                             \
    if (SPC__LIKELY(on))                                                                           \
      has |= (f)->has;                                                                             \
    else                                                                                           \
      has &= ~(f)->has;                                                                            \
    if (SPC__UNLIKELY((f)->has == 0)) spc__put_bit(rec, (f)->bit, (on));                           \
  } while (0)

/*
 * Decodes the bytes from arena offset `at` to `end`, behind which SPC__PAD bytes are readable,
 * into the record.
 */
static bool dec_message(dec *d, const spc_message_type *t, uint32_t record, uint32_t at,
                        uint32_t end) {
  spc_arena *const a = d->arena;
  dec_frame *const frames = d->frames;
  uint8_t *base = a->base;
  size_t limit = a->size < UINT32_MAX ? a->size : UINT32_MAX;
  const uint8_t *p = base + at, *e = base + end, *start = p;
  uint8_t *rec = base + record;
  const spc_field *f = NULL;
  uint64_t has = spc__load64_le(rec), length;
  uint32_t depth = 0, tag, ref;
  for (;;) {
    if (SPC__UNLIKELY(p >= e)) {
      spc__store64_le(rec, has);
      if (SPC__UNLIKELY(p != e)) DEC_FAIL(SPC_TRUNCATED);
      if (SPC__UNLIKELY(depth == 0)) return true;
      const dec_frame *frame = &frames[--depth];
      e = base + frame->end;
      rec = base + frame->record;
      t = frame->type;
      f = frame->field;
      if (f->kind == SPC__REPEATED_MESSAGE) {
        if (SPC__UNLIKELY((f->flags & SPC__MAP) != 0)) {
          bool good;
          DEC_CALL(good = dec_finish_entry(d, f, frame, (uint32_t)p_));
          if (!good) goto fail;
        }
        has = spc__load64_le(rec);
        if (p < e && (spc__load32_le(p) & f->raw_mask) == f->raw) {
          start = p;
          p += f->tag_length;
          goto element;
        }
        continue;
      }
      has = spc__load64_le(rec);
      if (SPC__LIKELY(f->kind == SPC__MESSAGE)) continue;
      if (f->kind != SPC__ITEM) {
        start = p; /* a group that does not end */
        DEC_FAIL(SPC_TRUNCATED);
      }
      if (frame->start != 0) continue;
      /* What an item has after its message; that it is well formed was seen before. */
      const uint8_t *bad;
      p = spc__skip(p, e, 1 << 3 | SPC__WIRE_START, d->max_depth + 1, &d->status, &bad);
      if (p == NULL) goto fail_at_start;
      continue;
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
    uint8_t *slot = rec + f->offset;
    if (f->kind == SPC__VARINT) {
      uint64_t v = *p++;
      if (v >= 0x80) {
        p = spc__varint_padded_long(p - 1, &v);
        if (SPC__UNLIKELY(p == NULL)) DEC_FAIL(SPC_OVERLONG_VARINT);
      }
      spc__store32_le(rec + f->case_offset, tag >> 3);
      v = dec_number(slot, f, v);
      DEC_PUT_BIT(f, v != 0 || (f->flags & SPC__EXPLICIT) != 0);
      continue;
    }
    if (SPC__LIKELY(f->kind == SPC__MESSAGE)) {
      DEC_LENGTH(length);
    message:
      if (SPC__UNLIKELY((has & f->has) != 0 || (f->has == 0 && spc__bit(rec, f->bit))) &&
          ((f->flags & SPC__ONEOF) == 0 ||
           spc__load32_le(rec + f->case_offset) == spc__number(f))) {
        ref = spc__load32_le(rec + f->offset);
      } else {
        DEC_NEW(spc__sub_message(f), ref);
        spc__store32_le(rec + f->case_offset, spc__number(f));
        spc__store32_le(rec + f->offset, ref);
        DEC_PUT_BIT(f, 1);
      }
      /* Most small messages are one number, for which a frame costs more than the rest. */
      if (length - 2 < 10 && *p < 0x80 && f->kind == SPC__MESSAGE) {
        const spc_field *only = spc__find(spc__sub_message(f), *p >> 3);
        uint64_t v;
        if (only->tag == *p && only->kind == SPC__VARINT && only->has != 0) {
          const uint8_t *next = spc__varint_padded(p + 1, &v);
          if (SPC__LIKELY(next == p + length)) {
            uint8_t *sub = base + ref;
            spc__store32_le(sub + only->case_offset, spc__number(only));
            v = dec_number(sub + only->offset, only, v);
            uint64_t sub_has = spc__load64_le(sub) & ~only->has;
            if (v != 0 || (only->flags & SPC__EXPLICIT) != 0) sub_has |= only->has;
            spc__store64_le(sub, sub_has);
            p = next;
            continue;
          }
        }
      }
    enter:
      if (SPC__UNLIKELY(length == 0 && f->kind == SPC__MESSAGE)) continue;
      if (SPC__UNLIKELY(depth == d->max_depth)) DEC_FAIL(SPC_DEPTH_LIMIT);
      spc__store64_le(rec, has);
      dec_frame *frame = &frames[depth++];
      frame->end = (uint32_t)(e - base);
      frame->record = (uint32_t)(rec - base);
      frame->start = (uint32_t)(start - base);
      frame->type = t;
      frame->field = f;
      e = p + length;
      rec = base + ref;
      t = spc__sub_message(f);
      has = spc__load64_le(rec);
      continue;
    }
    if (f->kind == SPC__REPEATED_MESSAGE) {
    element:
      DEC_LENGTH(length);
    append:;
      uint8_t *list = rec + f->offset;
      uint32_t n = spc__load32_le(list + 4), array = spc__load32_le(list);
      if (n == 0 || n == spc__load32_le(base + array - 4)) {
        if (array == 0 || n != 0) {
          const uint8_t *value =
              f->kind == SPC__REPEATED_MESSAGE ? p - spc__varint_size(length) : p;
          uint32_t more = dec_run_length(value, e, f, f->tag & 7), bytes = (more * 4 + 11) & ~7u;
          if (SPC__LIKELY(n == 0 && more < DEC_RUN && more <= d->max_count &&
                          (f->flags & SPC__MAP) == 0 && limit - a->used >= bytes)) {
            /* As spc__array_resize does it. */
            spc__store32_le(base + a->used, bytes / 4 - 1);
            array = (uint32_t)a->used + 4;
            spc__store32_le(list, array);
            a->used += bytes;
          } else {
            bool good;
            DEC_CALL(good = dec_grow(d, (uint32_t)r_ + f->offset, f, more));
            if (!good) goto fail_at_start;
            array = spc__load32_le(rec + f->offset);
          }
        }
      }
      DEC_NEW(spc__sub_message(f), ref);
      spc__store32_le(base + array + n * 4, ref);
      spc__store32_le(rec + f->offset + 4, n + 1);
      DEC_PUT_BIT(f, 1);
      goto enter;
    }
    if (f->kind == SPC__BYTES) {
      DEC_LENGTH(length);
      if ((f->flags & SPC__UTF8) != 0 && SPC__UNLIKELY(!spc__utf8(p, (size_t)length))) {
        start = p;
        DEC_FAIL(SPC_BAD_UTF8);
      }
      spc__store32_le(rec + f->case_offset, tag >> 3);
      spc__store32_le(slot, (uint32_t)(p - base));
      spc__store32_le(slot + 4, (uint32_t)length);
      p += length;
      DEC_PUT_BIT(f, length != 0 || (f->flags & SPC__EXPLICIT) != 0);
      continue;
    }
    if (f->kind == SPC__FIXED64) {
      uint64_t v = spc__load64_le(p);
      p += 8;
      spc__store32_le(rec + f->case_offset, tag >> 3);
      spc__store64_le(slot, v);
      DEC_PUT_BIT(f, v != 0 || (f->flags & SPC__EXPLICIT) != 0);
      continue;
    }
    if (f->kind == SPC__FIXED32) {
      uint32_t v = spc__load32_le(p);
      p += 4;
      spc__store32_le(rec + f->case_offset, tag >> 3);
      spc__store32_le(slot, v);
      DEC_PUT_BIT(f, v != 0 || (f->flags & SPC__EXPLICIT) != 0);
      continue;
    }
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
    if (SPC__UNLIKELY(f->kind == SPC__NO_FIELD)) goto odd;
  other: {
    uint32_t next;
    if (p > e) DEC_FAIL(SPC_TRUNCATED);
    spc__store64_le(rec, has);
    DEC_CALL(next =
                 dec_other(d, f, t, tag, (uint32_t)s_, (uint32_t)p_, (uint32_t)e_, (uint32_t)r_));
    if (SPC__UNLIKELY(next == 0)) goto fail;
    p = base + next;
    has = spc__load64_le(rec);
    continue;
  }

  odd:
    if (p > e) DEC_FAIL(SPC_TRUNCATED);
    if (tag >> 3 == 0) DEC_FAIL(SPC_BAD_FIELD_NUMBER);
    if ((tag & 7) > SPC__WIRE_FIXED32) DEC_FAIL(SPC_BAD_WIRE_TYPE);
    if (f->kind != SPC__NO_FIELD && f->kind != SPC__ITEM) {
      /* Packed numbers that are declared expanded, and the reverse. */
      uint32_t wire = tag & 7, element = f->kind == SPC__REPEATED_FIXED32   ? SPC__WIRE_FIXED32
                                         : f->kind == SPC__REPEATED_FIXED64 ? SPC__WIRE_FIXED64
                                                                            : SPC__WIRE_VARINT;
      if (f->kind >= SPC__REPEATED_VARINT && f->kind <= SPC__REPEATED_CLOSED_ENUM &&
          (wire == SPC__WIRE_BYTES || wire == element))
        goto other;
    }
    if ((tag & 7) == SPC__WIRE_END) {
      const dec_frame *frame = depth == 0 ? NULL : &frames[depth - 1];
      if (frame == NULL ||
          (frame->field->kind != SPC__GROUP && frame->field->kind != SPC__REPEATED_GROUP) ||
          spc__number(frame->field) != tag >> 3)
        DEC_FAIL(SPC_GROUP_MISMATCH);
      spc__store64_le(rec, has);
      depth--;
      e = base + frame->end;
      rec = base + frame->record;
      t = frame->type;
      has = spc__load64_le(rec);
      continue;
    }
    if (t->extensions != 0) {
      const spc_field *other = spc__find(spc__extensions(t), tag >> 3);
      bool packable =
          other->kind >= SPC__REPEATED_VARINT && other->kind <= SPC__REPEATED_CLOSED_ENUM;
      if ((t->flags & SPC__EXTENSIONS) != 0 || other->tag == tag || packable) {
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
          start = base;
          p = base + message;
          length = message_length;
          goto message;
        }
      }
    }
    const uint8_t *where = p;
    p = spc__skip(p, e, tag, d->max_depth - depth, &d->status, &where);
    if (SPC__UNLIKELY(p == NULL)) {
      d->at = (uint32_t)(where - base);
      d->field = NULL;
      d->depth = depth;
      return false;
    }
    bool good;
    spc__store64_le(rec, has);
    DEC_CALL(good = dec_unknown(d, (uint32_t)r_, t, (uint32_t)s_, (uint32_t)p_));
    if (!good) {
      f = NULL;
      goto fail;
    }
    has = spc__load64_le(rec);
  }

fail_at_start:
  d->at = (uint32_t)(start - base);
fail:
  d->field = f;
  d->depth = depth;
  return false;
}

#undef DEC_CALL
#undef DEC_NEW
#undef DEC_FAIL
#undef DEC_LENGTH
#undef DEC_SWITCH
#undef DEC_PUT_BIT

/* The fields that lead to where decoding failed. */
static void dec_path(const dec *d, spc_error *error) {
  for (uint32_t i = 0; i <= d->depth; i++) {
    const spc_field *f = i < d->depth ? d->frames[i].field : d->field;
    if (f == NULL || f->kind == SPC__NO_FIELD) break;
    spc__path_name(error, f);
    if (i < d->depth && (f->flags & SPC__REPEATED) != 0) {
      uint32_t slot = d->frames[i].record + f->offset;
      spc__path_index(error, spc__load32_le(d->arena->base + slot + 4) - UINT64_C(1));
    }
  }
}

spc_status spc_decode_merge(const spc_message *message, const uint8_t *input, size_t length,
                            const spc_decode_options *options, spc_error *error) {
  static const spc_decode_options defaults = {0};
  spc_arena *a = message->arena;
  dec d;
  uint64_t max_size, max_count;
  if (options == NULL) options = &defaults;
  spc__decode_limits(options, &max_size, &max_count);
  if (length > max_size) return spc__fail_limit(error, SPC_SIZE_LIMIT, max_size);
  d.arena = a;
  d.flags = options->flags;
  d.max_depth = spc__depth(options->max_depth);
  d.max_count = (uint32_t)max_count;
  d.maps = 0;
  d.at = 0;
  d.depth = 0;
  d.field = NULL;
  uint32_t copy;
  spc_status status = spc__copy_input(a, input, length, &copy);
  if (status != SPC_OK) return spc__fail(error, status);
  bool good = dec_message(&d, message->type, message->ref, copy, copy + (uint32_t)length);
  while (good && d.maps != 0) {
    dec_map map;
    memcpy(&map, a->base + d.maps, sizeof map);
    d.maps = map.next;
    d.status = spc__map_unique(a, map.slot, spc__map_key(map.field));
    good = d.status == SPC_OK;
  }
  if (a->used > a->peak) a->peak = a->used;
  if (!good) {
    if (d.status == SPC_DEPTH_LIMIT)
      spc__fail_limit(error, d.status, d.max_depth);
    else if (d.status == SPC_COUNT_LIMIT)
      spc__fail_limit(error, d.status, d.max_count);
    else
      spc__fail(error, d.status);
    if (error != NULL) {
      if (d.status != SPC_OUT_OF_MEMORY && d.at >= copy && d.at - copy <= length)
        error->offset = d.at - copy;
      dec_path(&d, error);
    }
    return d.status;
  }
  if (message->type->required && (d.flags & SPC_DECODE_PARTIAL) == 0)
    return spc_check_required(message, error);
  return SPC_OK;
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
  if (status != SPC_OK) arena->used = before;
  return status;
}
