/*
 * What a visitor is to be told of a message, as words that JavaScript reads in a loop: the events
 * of a walk through the records, by the tables of the schema, in the order of field numbers. The
 * module writes as many as there is room for and notes where it is, to go on from there, so that
 * the room does not depend on the message. Between two parts JavaScript may change the message or
 * move its arena: a level holds offsets of records only, which stay what they are as long as the
 * arena lives, and looks at slots anew each time.
 *
 * An event is a word, with operands in the words behind it: its kind in the lowest 4 bits, then 11
 * bits of the field number, then 17 bits that small integers and lengths fit in. The loop in
 * bindings/js/src/codec/visitor.ts has the same list.
 */
#include <string.h>

#include "wasm.h"

#include "base/error.h"
#include "codec/record.h"

typedef enum tape_kind {
  TAPE_ENTER,
  TAPE_LEAVE,
  TAPE_SMALL,      /* a 32-bit integer, in the 17 bits */
  TAPE_INT,        /* the integer */
  TAPE_UINT,       /* the integer */
  TAPE_SMALL_LONG, /* a 64-bit integer, in the 17 bits */
  TAPE_LOW,        /* of a 64-bit integer the low half; the high one is 0 */
  TAPE_LONG,       /* low and high */
  TAPE_ULONG,      /* low and high */
  TAPE_FLOAT,      /* the halves of a double */
  TAPE_BYTES,      /* where they are in the arena; how many is in the 17 bits */
  TAPE_MANY_BYTES, /* where, and how many */
  TAPE_WIDE        /* bits of the next event's field number, from the twelfth on */
} tape_kind;

#define TAPE_NUMBER_BITS 11u
#define TAPE_SMALL_SHIFT 15u
#define TAPE_SMALL_LIMIT (1u << 17)
/* Two words for a field and its event, and two operands. */
#define TAPE_EVENT_BYTES 16

/*
 * A record, with the fields that are still to come, by their hasbits, or in a type whose bits are
 * in another order how many of all fields; and the field that is next or was last, with how many
 * elements are still to come and where.
 */
typedef struct tape_level {
  uint64_t has;
  const spc_message_type *type;
  const spc_field *field;
  uint32_t record, left, place;
  bool entry; /* of a map: it has its key and value, be they zero */
} tape_level;

/* Where a walk is: how many levels there are, 0 at the end; the tape is behind it. */
typedef struct tape_walk {
  uint32_t count;
  tape_level levels[SPC_DEPTH_MAX + 1];
} tape_walk;

_Static_assert(sizeof(tape_walk) == 8 + 32 * (SPC_DEPTH_MAX + 1), "as visitor.ts has it");

/* Types whose integers have a sign, by bits. */
#define TAPE_SIGNED                                                                                \
  (1u << SPC_TYPE_INT32 | 1u << SPC_TYPE_SINT32 | 1u << SPC_TYPE_SFIXED32 | 1u << SPC_TYPE_ENUM |  \
   1u << SPC_TYPE_INT64 | 1u << SPC_TYPE_SINT64 | 1u << SPC_TYPE_SFIXED64)

static void tape_push(tape_walk *walk, const spc_message_type *type, const uint8_t *base,
                      uint32_t record, bool entry) {
  tape_level *level = &walk->levels[walk->count++];
  level->type = type;
  level->record = record;
  level->left = 0;
  level->entry = entry;
  if ((type->flags & SPC__SCATTERED) != 0)
    level->has = type->field_count;
  else
    level->has = entry ? type->has_mask : spc__load64_le(base + record) & type->has_mask;
}

/* Goes on to the next field that is set, if there is one. */
static bool tape_next(tape_level *level, const uint8_t *base) {
  const spc_message_type *type = level->type;
  const uint8_t *record = base + level->record;
  while (level->has != 0) {
    const spc_field *f;
    if ((type->flags & SPC__SCATTERED) == 0) {
      uint32_t bit = (uint32_t)__builtin_ctzll(level->has);
      level->has &= level->has - 1;
      f = SPC__AT(spc_field, type, (uint32_t)SPC__AT(uint16_t, type, type->by_bit)[bit] << 3);
      if ((f->flags & SPC__ONEOF) != 0)
        f = spc__member(type, spc__load16_le(record + f->case_offset));
    } else {
      f = spc__field_at(type, type->field_count + 1u - (uint32_t)level->has--);
    }
    /* The visitor may have changed the message since. */
    if (f->kind == SPC__NO_FIELD || !(level->entry || spc__present(record, f))) continue;
    level->field = f;
    level->place = level->record + f->offset;
    level->left = 1;
    if ((f->flags & (SPC__REPEATED | SPC__MAP)) != 0) {
      level->left = spc__load32_le(record + f->offset + 4);
      level->place = spc__load32_le(record + f->offset);
    }
    if (level->left != 0) return true;
  }
  return false;
}

static uint32_t *tape_put(uint32_t *out, const spc_field *f, uint32_t kind, uint32_t small) {
  uint32_t number = spc__number(f), wide = number >> TAPE_NUMBER_BITS;
  if (wide != 0) *out++ = wide << 4 | TAPE_WIDE;
  *out = (number & ((1u << TAPE_NUMBER_BITS) - 1)) << 4 | kind | small << TAPE_SMALL_SHIFT;
  return out + 1;
}

static uint32_t *tape_value(uint32_t *out, const spc_field *f, const uint8_t *place) {
  uint32_t low = spc__load32_le(place), high = 0, small = 0, kind;
  bool sign = (TAPE_SIGNED >> f->type & 1) != 0;
  if (spc__element_size(f) == 8) high = spc__load32_le(place + 4);
  if (spc__is_bytes(f)) {
    kind = high < TAPE_SMALL_LIMIT ? TAPE_BYTES : TAPE_MANY_BYTES;
    small = high;
  } else if (f->type == SPC_TYPE_DOUBLE) {
    kind = TAPE_FLOAT;
  } else if (f->type == SPC_TYPE_FLOAT) {
    float single;
    double number;
    uint32_t halves[2];
    memcpy(&single, &low, sizeof single);
    number = (double)single;
    memcpy(halves, &number, sizeof halves);
    low = halves[0];
    high = halves[1];
    kind = TAPE_FLOAT;
  } else if (high == 0 && low < TAPE_SMALL_LIMIT) {
    return tape_put(out, f, f->high != 0 ? TAPE_SMALL_LONG : TAPE_SMALL, low);
  } else if (f->high == 0) {
    kind = sign ? TAPE_INT : TAPE_UINT;
  } else {
    kind = high == 0 ? TAPE_LOW : sign ? TAPE_LONG : TAPE_ULONG;
  }
  out = tape_put(out, f, kind, small);
  *out++ = low;
  if (kind == TAPE_LONG || kind == TAPE_ULONG || kind == TAPE_FLOAT || kind == TAPE_MANY_BYTES)
    *out++ = high;
  return out;
}

/*
 * Writes the next part of the tape of a message, of which `base` is the arena and `ref` the record;
 * 0 for that goes on with the walk. Gives where the part ends, not behind `end`; 0 with an error.
 */
WASM_EXPORT(codec_tape)
uint32_t *wasm_codec_tape(const spc_message_type *type, const uint8_t *base, uint32_t ref,
                          tape_walk *walk, const uint8_t *end);
uint32_t *wasm_codec_tape(const spc_message_type *type, const uint8_t *base, uint32_t ref,
                          tape_walk *walk, const uint8_t *end) {
  uint32_t *out = (uint32_t *)(void *)(walk + 1);
  if (ref != 0) {
    walk->count = 0;
    tape_push(walk, type, base, ref, false);
  }
  while (walk->count != 0 && end - (const uint8_t *)out >= TAPE_EVENT_BYTES) {
    tape_level *level = &walk->levels[walk->count - 1];
    if (level->left == 0 && !tape_next(level, base)) {
      if (--walk->count != 0) out = tape_put(out, level[-1].field, TAPE_LEAVE, 0);
      continue;
    }
    const spc_field *f = level->field;
    const uint8_t *place = base + level->place;
    level->left--;
    level->place += spc__element_size(f);
    if (!spc__is_message(f)) {
      out = tape_value(out, f, place);
      continue;
    }
    if (walk->count > SPC_DEPTH_MAX) {
      (void)spc__fail_limit(&wasm_result.error, SPC_DEPTH_LIMIT, SPC_DEPTH_MAX);
      return NULL;
    }
    out = tape_put(out, f, TAPE_ENTER, 0);
    tape_push(walk, spc__sub_message(f), base, spc__load32_le(place), (f->flags & SPC__MAP) != 0);
  }
  return out;
}
