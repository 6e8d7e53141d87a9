/*
 * The table-driven encoder: back to front, so that the length of a message is known when it is
 * written and nothing moves. One loop with explicit frames: `q` is where the output so far starts
 * and `has` are the fields of the current record that are still to be written, the highest first
 * (in a scattered type: how many of its fields, in order of numbers, are still to be looked at).
 *
 * When less than ENC_ROOM bytes are free the encoder goes on in a small scratch buffer that it
 * empties time and again: into the rest of the output as long as that has room, and then nowhere,
 * just to find the size that is needed. What frames remember of places in the output moves along
 * (enc_shift), so that lengths stay differences of pointers.
 */
#include <string.h>

#include "base/error.h"
#include "codec/record.h"

#define ENC_ROOM 32u /* a tag and a varint, or two tags, with eight bytes to spare */

typedef struct enc_frame {
  uintptr_t end; /* where the message that was entered ends in the output */
  uint64_t has;  /* of the record that was left */
  const uint8_t *record;
  const spc_message_type *type;
  const spc_field *field;
  uint32_t left;  /* elements before this one */
  uint32_t array; /* offset of this element's reference */
} enc_frame;

typedef struct enc {
  const spc_arena *arena;
  uint8_t *begin; /* of the buffer in use */
  uint8_t *end;
  uint64_t emptied; /* bytes that are no longer in the buffer in use */
  uint8_t *out;     /* the caller's buffer, once the scratch buffer is in use */
  size_t out_left;  /* its bytes that are still free */
  uint32_t depth, flags;
  bool full;
  uint8_t scratch[64];
  enc_frame frames[SPC_DEPTH_MAX + 1];
} enc;

static void enc_shift(enc *e, uintptr_t by) {
  for (uint32_t i = 0; i <= e->depth; i++)
    e->frames[i].end += by;
}

/* Empties the buffer in use and gives the end of the scratch buffer. */
static __attribute__((noinline)) uint8_t *enc_empty(enc *e, uint8_t *q) {
  uint8_t *top = e->scratch + sizeof e->scratch;
  size_t n = (size_t)(e->end - q);
  if (e->out == NULL) {
    e->out = e->begin;
    e->out_left = (size_t)(q - e->begin);
  } else if (!e->full && n <= e->out_left) {
    e->out_left -= n;
    if (n != 0) memcpy(e->out + e->out_left, q, n);
  } else {
    e->full = true;
  }
  e->emptied += n;
  enc_shift(e, (uintptr_t)top - (uintptr_t)q);
  e->begin = e->scratch;
  e->end = top;
  return top;
}

SPC__INLINE uint8_t *enc_room(enc *e, uint8_t *q) {
  return SPC__LIKELY((size_t)(q - e->begin) >= ENC_ROOM) ? q : enc_empty(e, q);
}

static uint8_t *enc_bytes(enc *e, uint8_t *q, uint32_t offset, uint32_t length) {
  if (SPC__UNLIKELY((size_t)(q - e->begin) < length)) {
    if (e->out == NULL) e->full = true;
    q = enc_empty(e, q);
    if (length > sizeof e->scratch) {
      e->full = true;
      e->emptied += length;
      enc_shift(e, length);
      return q;
    }
  }
  q -= length;
  if (length != 0) memcpy(q, e->arena->base + offset, length);
  return q;
}

/*
 * A varint in front of q, without a branch on its length, which is hard to foresee for numbers;
 * ENC_ROOM bytes are there.
 */
SPC__INLINE uint8_t *enc_varint(uint8_t *q, uint64_t v) {
  uint32_t n = spc__varint_size(v);
  if (SPC__UNLIKELY(n > 8)) {
    (void)spc__put_varint(q - n, v);
    return q - n;
  }
  uint64_t w = spc_gen_spread_only(v) | (UINT64_C(0x0080808080808080) >> (8 * (8 - n)));
  spc__store64_le(q - 8, w << (8 * (8 - n)));
  return q - n;
}

/* The same for lengths, which mostly take one byte. */
SPC__INLINE uint8_t *enc_length(uint8_t *q, uint64_t v) {
  if (SPC__UNLIKELY(v >= 0x80)) return enc_varint(q, v);
  *--q = (uint8_t)v;
  return q;
}

SPC__INLINE uint8_t *enc_tag(uint8_t *q, const spc_field *f) {
  q -= f->tag_length;
  if (SPC__LIKELY(f->tag_length == 1))
    *q = (uint8_t)f->tag;
  else if (SPC__LIKELY(f->tag_length == 2))
    spc__store16_le(q, (uint16_t)f->raw);
  else
    (void)spc__put_varint(q, f->tag);
  return q;
}

SPC__INLINE uint64_t enc_load(const uint8_t *slot, const spc_field *f) {
  uint64_t v;
  if (f->high != 0)
    v = spc__load64_le(slot);
  else {
    v = spc__load32_le(slot);
    if ((f->flags & SPC__SIGNED) != 0) v = (uint64_t)(int64_t)(int32_t)(uint32_t)v;
  }
  return f->zigzag != 0 ? spc__zigzag(v) : v;
}

static uint8_t *enc_unknown(enc *e, uint8_t *q, uint32_t span) {
  for (; span != 0; span = spc__load32_le(e->arena->base + span)) {
    const uint8_t *s = e->arena->base + span;
    q = enc_bytes(e, q, spc__load32_le(s + 4), spc__load32_le(s + 8));
  }
  return q;
}

/* Repeated numbers, strings and bytes. */
static uint8_t *enc_array(enc *e, uint8_t *q, const uint8_t *slot, const spc_field *f) {
  uint32_t n = spc__load32_le(slot + 4), size = spc__element_size(f);
  const uint8_t *array = e->arena->base + spc__load32_le(slot);
  bool packed = (f->flags & SPC__PACKED) != 0;
  e->frames[e->depth].end = (uintptr_t)q;
  while (n-- > 0) {
    const uint8_t *item = array + (size_t)n * size;
    if (f->kind == SPC__REPEATED_BYTES) {
      uint32_t length = spc__load32_le(item + 4);
      q = enc_bytes(e, q, spc__load32_le(item), length);
      q = enc_length(enc_room(e, q), length);
    } else {
      q = enc_room(e, q);
      if (f->kind == SPC__REPEATED_FIXED32) {
        q -= 4;
        spc__store32_le(q, spc__load32_le(item));
      } else if (f->kind == SPC__REPEATED_FIXED64) {
        q -= 8;
        spc__store64_le(q, spc__load64_le(item));
      } else {
        q = enc_varint(q, enc_load(item, f));
      }
    }
    if (!packed) q = enc_tag(q, f);
  }
  if (!packed) return q;
  q = enc_room(e, q);
  return enc_tag(enc_varint(q, e->frames[e->depth].end - (uintptr_t)q), f);
}

/* Puts the tags and the type id of a message set's item around its message. */
static uint8_t *enc_item(enc *e, uint8_t *q, const spc_field *f) {
  *--q = 3 << 3 | SPC__WIRE_BYTES;
  q = enc_varint(enc_room(e, q), spc__number(f));
  *--q = 2 << 3 | SPC__WIRE_VARINT;
  *--q = 1 << 3 | SPC__WIRE_START;
  return q;
}

/* Writes the message in front of q; NULL when it is nested deeper than max_depth. */
static uint8_t *enc_message(enc *e, uint8_t *q, const spc_message_type *t, uint32_t record,
                            uint32_t max_depth) {
  const uint8_t *const base = e->arena->base;
  enc_frame *const frames = e->frames;
  const uint8_t *rec = base + record;
  const spc_field *f;
  uint64_t has;
enter:
  has = spc__load64_le(rec);
  if (SPC__UNLIKELY((has & SPC__HAS_UNKNOWN) != 0))
    q = enc_unknown(e, q, spc__unknown_of(e->arena, (uint32_t)(rec - base)));
  if (SPC__UNLIKELY(spc__extensions_ref(rec, t) != 0)) {
    rec = base + spc__load32_le(rec + t->extension_slot);
    t = spc__extensions(t);
    has = spc__load64_le(rec);
  }
remaining:
  has = SPC__LIKELY((t->flags & SPC__SCATTERED) == 0) ? has & t->has_mask : t->field_count;
  for (;;) {
    if (has == 0) {
      if (SPC__UNLIKELY((t->flags & SPC__EXTENSIONS) != 0)) {
        rec = base + spc__load32_le(rec + t->extension_slot);
        t = spc__extensions(t);
        has = spc__load64_le(rec);
        goto remaining;
      }
      if (SPC__UNLIKELY(e->depth == 0)) return q;
      q = enc_room(e, q);
      enc_frame *frame = &frames[--e->depth];
      f = frame->field;
      if (SPC__UNLIKELY(f->kind == SPC__GROUP || f->kind == SPC__REPEATED_GROUP)) {
        q = enc_tag(q, f);
      } else {
        q = enc_length(q, frame->end - (uintptr_t)q);
        q = f->kind != SPC__ITEM ? enc_tag(q, f) : enc_item(e, q, f);
      }
      t = frame->type;
      rec = frame->record;
      has = frame->has;
      if (frame->left == 0) continue;
      frame->left--;
      frame->array -= 4;
      goto element;
    }
    if (SPC__LIKELY((t->flags & SPC__SCATTERED) == 0)) {
      uint32_t bit = 63u - (uint32_t)__builtin_clzll(has);
      has ^= UINT64_C(1) << bit;
      f = SPC__AT(spc_field, t, (uint32_t)SPC__AT(uint16_t, t, t->by_bit)[bit] << 3);
      if ((f->flags & SPC__ONEOF) != 0) f = spc__member(t, spc__load16_le(rec + f->case_offset));
    } else {
      f = spc__field_at(t, (uint32_t)has--);
      if (!spc__present(rec, f)) continue;
    }
    const uint8_t *slot = rec + f->offset;
    q = enc_room(e, q);
    if (f->kind == SPC__VARINT) {
    number:
      q = enc_tag(enc_varint(q, enc_load(slot, f)), f);
      continue;
    }
    uint32_t left = 0, array = (uint32_t)(slot - base);
    if (SPC__LIKELY(f->kind <= SPC__MAP_ENTRIES)) {
      if (f->kind != SPC__MESSAGE) {
        uint32_t n = spc__load32_le(slot + 4);
        if (SPC__UNLIKELY(n == 0)) continue;
        if (f->kind == SPC__MAP_ENTRIES && (e->flags & SPC_ENCODE_DETERMINISTIC) != 0)
          spc__sort_entries(e->arena, spc__load32_le(slot), n, spc__map_key(f));
        left = n - 1;
        array = spc__load32_le(slot) + left * 4;
      }
      goto into;
    }
    if (f->kind == SPC__BYTES) {
      uint32_t length = spc__load32_le(slot + 4);
      q = enc_bytes(e, q, spc__load32_le(slot), length);
      q = enc_room(e, q);
      q = enc_tag(enc_length(q, length), f);
      continue;
    }
    if (f->kind == SPC__FIXED64) {
      q -= 8;
      spc__store64_le(q, spc__load64_le(slot));
      q = enc_tag(q, f);
      continue;
    }
    if (f->kind == SPC__FIXED32) {
      q -= 4;
      spc__store32_le(q, spc__load32_le(slot));
      q = enc_tag(q, f);
      continue;
    }
    if (f->kind == SPC__BOOLEAN || f->kind == SPC__CLOSED_ENUM) goto number;
    if (f->kind == SPC__NO_FIELD) continue;
    if ((f->flags & SPC__REPEATED) != 0) {
      if (f->kind != SPC__REPEATED_GROUP) {
        q = enc_array(e, q, slot, f);
        continue;
      }
      uint32_t n = spc__load32_le(slot + 4);
      if (n == 0) continue;
      left = n - 1;
      array = spc__load32_le(slot) + left * 4;
    }
  into:
    if (SPC__UNLIKELY(e->depth == max_depth)) return NULL;
    frames[e->depth] = (enc_frame){0, has, rec, t, f, left, array};
  element:;
    enc_frame *frame = &frames[e->depth++];
    q = enc_room(e, q);
    if (SPC__UNLIKELY(f->kind >= SPC__GROUP)) {
      if (f->kind == SPC__GROUP || f->kind == SPC__REPEATED_GROUP) {
        q -= f->tag_length;
        (void)spc__put_varint(q, f->tag + (SPC__WIRE_END - SPC__WIRE_START));
      } else {
        *--q = 1 << 3 | SPC__WIRE_END;
      }
    }
    frame->end = (uintptr_t)q;
    rec = base + spc__load32_le(base + frame->array);
    t = spc__sub_message(f);
    goto enter;
  }
}

spc_status spc_encode_back(const spc_message *message, uint8_t *out, size_t capacity,
                           const spc_encode_options *options, size_t *length, spc_error *error) {
  static const spc_encode_options defaults = {0};
  enc e;
  if (options == NULL) options = &defaults;
  *length = 0;
  if (message->type->required && (options->flags & SPC_ENCODE_PARTIAL) == 0) {
    spc_status status = spc_check_required(message, error);
    if (status != SPC_OK) return status;
  }
  uint32_t max_depth = spc__depth(options->max_depth);
  e.arena = message->arena;
  e.begin = capacity == 0 ? e.scratch : out;
  e.end = e.begin + capacity;
  e.emptied = 0;
  e.out = NULL;
  e.out_left = 0;
  e.depth = 0;
  e.flags = options->flags;
  e.full = false;
  uint8_t *q = enc_message(&e, e.end, message->type, message->ref, max_depth);
  if (q == NULL) return spc__fail_limit(error, SPC_DEPTH_LIMIT, max_depth);
  if (e.out != NULL) q = enc_empty(&e, q);
  uint64_t size = e.emptied + (uint64_t)(e.end - q);
  if (size > INT32_MAX) return spc__fail_limit(error, SPC_SIZE_LIMIT, INT32_MAX);
  *length = (size_t)size;
  return e.full ? spc__fail_limit(error, SPC_BUFFER_TOO_SMALL, size) : SPC_OK;
}

spc_status spc_encode(const spc_message *message, uint8_t *out, size_t capacity,
                      const spc_encode_options *options, size_t *length, spc_error *error) {
  spc_status status = spc_encode_back(message, out, capacity, options, length, error);
  if (status == SPC_OK && *length != 0) memmove(out, out + (capacity - *length), *length);
  return status;
}
