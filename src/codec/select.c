/*
 * Columns: the values of several fields, read from the wire in one pass without decoding. The paths
 * are a tree of nodes; what is on none of them is skipped by its length. An instance of a node is a
 * message of it: one for each element of the innermost repeated field above it, or the only one.
 *
 * A list has entry k for instance k of the node above. What is absent costs nothing while the pass
 * goes on: a list is filled up to the instance that it gets something for, and at the end. Thus
 * what an instance has got so far is undone by cutting lists, which a later member of its oneof
 * asks for.
 *
 * Lists and nodes lie in the arena, which may move when a list grows: nodes are named by number.
 */
#include <string.h>

#include "base/error.h"
#include "codec/view.h"

#define SELECT_NUMBERS  128u /* Fields below are found in a table. */
#define SELECT_UNCHOSEN 0x8000u
#define SELECT_LEAST    64u
#define SELECT_MOST     (UINT32_MAX >> 5)

typedef struct select_node {
  const spc_field *field;
  const spc_message_type *type; /* of an inner node */
  uint32_t up, child, next;     /* the tree; 0: none */
  uint32_t same;                /* the next node of the same oneof, the last one's is the first */
  uint32_t table;               /* of an inner node: uint16_t[SELECT_NUMBERS] by field number */
  uint32_t tag, packed_tag;
  uint32_t elements; /* of a repeated field, so far */
  uint32_t seen;     /* singular message: 1 + the newest instance that has it */
  bool leaf, repeated, spans;
  uint32_t width;                           /* bytes of a value */
  uint32_t starts, start_count, start_room; /* list of a repeated field */
  uint32_t values, lengths, present, count, room;
} select_node;

typedef struct select_pass {
  spc_arena *arena;
  const uint8_t *input;
  spc_error *error;
  uint32_t nodes;
} select_pass;

static select_node *select_at(const select_pass *s, uint32_t i) {
  return (select_node *)spc_arena_at(s->arena, s->nodes) + i;
}

static spc_status select_fail(const select_pass *s, spc_status status, const uint8_t *at) {
  return spc__fail_offset(s->error, status, (uint64_t)(at - s->input));
}

/* ---- Lists ---- */

/* Moves a list of `count` entries to where it has room for `room`. */
static spc_status select_move(select_pass *s, uint32_t *list, uint32_t count, uint32_t room,
                              uint32_t width) {
  uint32_t from = *list, to;
  spc_status status = spc_arena_alloc(s->arena, (size_t)room * width, &to);
  if (status != SPC_OK) return spc__fail(s->error, status);
  if (count != 0)
    memcpy(spc_arena_at(s->arena, to), spc_arena_at(s->arena, from), (size_t)count * width);
  *list = to;
  return SPC_OK;
}

/* The room that a list gets which needs `needed`; 0: too much. */
static uint32_t select_room(uint32_t needed) {
  if (needed > SELECT_MOST) return 0;
  return needed < SELECT_LEAST ? SELECT_LEAST : 2 * needed;
}

/* Fills the values of a leaf with absent ones up to `count`, and makes room for one more. */
static spc_status select_values(select_pass *s, uint32_t i, uint32_t count) {
  select_node *n = select_at(s, i);
  if (count >= n->room) {
    uint32_t room = select_room(count + 1);
    if (room == 0) return spc__fail(s->error, SPC_OUT_OF_MEMORY);
    uint32_t values = n->values, lengths = n->lengths, present = n->present;
    uint32_t kept = n->count, width = n->width;
    bool spans = n->spans;
    spc_status status = select_move(s, &values, kept, room, width);
    if (status == SPC_OK && spans) status = select_move(s, &lengths, kept, room, width);
    if (status == SPC_OK) status = select_move(s, &present, kept, room, 1);
    if (status != SPC_OK) return status;
    n = select_at(s, i);
    n->values = values;
    n->lengths = lengths;
    n->present = present;
    n->room = room;
  }
  if (count > n->count) {
    size_t absent = count - n->count;
    memset((uint8_t *)spc_arena_at(s->arena, n->values) + (size_t)n->count * n->width, 0,
           absent * n->width);
    memset((uint8_t *)spc_arena_at(s->arena, n->present) + n->count, 0, absent);
    if (n->spans)
      memset((uint8_t *)spc_arena_at(s->arena, n->lengths) + (size_t)n->count * n->width, 0,
             absent * n->width);
    n->count = count;
  }
  return SPC_OK;
}

/* The value of an instance, in place of one that it may have. */
static spc_status select_put(select_pass *s, uint32_t i, uint32_t instance, uint64_t value,
                             uint32_t length) {
  spc_status status = select_values(s, i, instance);
  if (status != SPC_OK) return status;
  select_node *n = select_at(s, i);
  uint8_t *base = (uint8_t *)spc_arena_at(s->arena, 0);
  if (n->width == 8)
    spc__store64_le(base + n->values + 8 * (size_t)instance, value);
  else
    spc__store32_le(base + n->values + 4 * (size_t)instance, (uint32_t)value);
  if (n->spans) spc__store32_le(base + n->lengths + 4 * (size_t)instance, length);
  base[n->present + instance] = 1;
  n->count = instance + 1;
  return SPC_OK;
}

/* Notes where the elements of parents up to `parents` begin, with room for the end. */
static spc_status select_starts(select_pass *s, uint32_t i, uint32_t parents) {
  select_node *n = select_at(s, i);
  if (parents >= n->start_room) {
    uint32_t room = select_room(parents + 1), starts = n->starts;
    if (room == 0) return spc__fail(s->error, SPC_OUT_OF_MEMORY);
    spc_status status = select_move(s, &starts, n->start_count, room, sizeof(uint32_t));
    if (status != SPC_OK) return status;
    n = select_at(s, i);
    n->starts = starts;
    n->start_room = room;
  }
  uint8_t *starts = (uint8_t *)spc_arena_at(s->arena, n->starts);
  while (n->start_count < parents)
    spc__store32_le(starts + 4 * (size_t)n->start_count++, n->elements);
  return SPC_OK;
}

/* The instance of what lies in a value of the node: of a repeated one, a new element. */
static spc_status select_instance(select_pass *s, uint32_t i, uint32_t *instance) {
  if (!select_at(s, i)->repeated) return SPC_OK;
  spc_status status = select_starts(s, i, *instance + 1);
  *instance = select_at(s, i)->elements++;
  return status;
}

/* ---- What a later value replaces ---- */

static void select_cut(select_pass *s, uint32_t i, uint32_t count);

/* Cuts the lists below a node to those of its first `count` instances. */
static void select_cut_below(select_pass *s, uint32_t i, uint32_t count) {
  for (uint32_t child = select_at(s, i)->child; child != 0; child = select_at(s, child)->next)
    select_cut(s, child, count);
}

static void select_cut(select_pass *s, uint32_t i, uint32_t count) {
  select_node *n = select_at(s, i);
  if (n->repeated) {
    if (n->start_count > count) {
      n->elements =
          spc__load32_le((uint8_t *)spc_arena_at(s->arena, n->starts) + 4 * (size_t)count);
      n->start_count = count;
    }
    count = n->elements;
  }
  if (n->leaf && n->count > count) n->count = count;
  if (n->seen > count) n->seen = 0;
  select_cut_below(s, i, count);
}

/* ---- The pass ---- */

static uint32_t select_entry_slow(const select_pass *s, const select_node *n, uint32_t number) {
  const spc_field *f = spc_message_type_by_number(n->type, number);
  uint32_t other = 0;
  if (f == NULL) return 0;
  for (uint32_t i = n->child; i != 0; i = select_at(s, i)->next) {
    const spc_field *own = select_at(s, i)->field;
    if (own == f) return i;
    if (spc__view_same_oneof(own, f)) other = i | SELECT_UNCHOSEN;
  }
  return other;
}

/* By field number: the node; for another member of its oneof, with a mark; 0: of no interest. */
SPC__INLINE const uint16_t *select_table(const select_pass *s, uint32_t i) {
  return (const uint16_t *)spc_arena_at(s->arena, select_at(s, i)->table);
}

static spc_status select_walk(select_pass *s, uint32_t i, const uint8_t *p, const uint8_t *end,
                              uint32_t instance);

static spc_status select_packed(select_pass *s, uint32_t i, const uint8_t *p, const uint8_t *end,
                                uint32_t instance) {
  const spc_field *f = select_at(s, i)->field;
  while (p != end) {
    uint64_t raw = 0;
    spc_value value;
    const uint8_t *at = p;
    uint32_t element = instance;
    spc_status status = spc__view_read_raw(&p, end, spc__view_element_wire(f), &raw);
    if (status != SPC_OK) return select_fail(s, status, at);
    if (!spc__view_number(f, raw, &value)) continue;
    status = select_instance(s, i, &element);
    if (status == SPC_OK) status = select_put(s, i, element, value.bits, 0);
    if (status != SPC_OK) return status;
  }
  return SPC_OK;
}

/* A value that was found: in `length` bytes at `p`, or a number. */
static spc_status select_found(select_pass *s, uint32_t i, uint32_t instance, const uint8_t *p,
                               size_t length, uint64_t number) {
  select_node *n = select_at(s, i);
  if (n->same != i)
    for (uint32_t other = n->same; other != i; other = select_at(s, other)->same)
      select_cut(s, other, instance);
  spc_status status = select_instance(s, i, &instance);
  if (status != SPC_OK) return status;
  n = select_at(s, i);
  if (n->leaf)
    return n->spans ? select_put(s, i, instance, (uint64_t)(p - s->input), (uint32_t)length)
                    : select_put(s, i, instance, number, 0);
  /* Only decoding can merge a message that comes in several parts. */
  if (!n->repeated && n->seen == instance + 1) return select_fail(s, SPC_MALFORMED, p);
  n->seen = instance + 1;
  return select_walk(s, i, p, p + length, instance);
}

/* A field on a path or in a oneof with one; `p` is behind its tag, `next` behind it. */
static spc_status select_field(select_pass *s, uint32_t i, uint32_t entry, uint32_t tag,
                               const uint8_t *p, const uint8_t *next, uint64_t raw,
                               uint32_t instance) {
  bool unchosen = (entry & SELECT_UNCHOSEN) != 0;
  uint32_t own = entry & ~SELECT_UNCHOSEN, wire = tag & 7;
  const select_node *n = select_at(s, own);
  const spc_field *f =
      unchosen ? spc_message_type_by_number(select_at(s, i)->type, tag >> 3) : n->field;
  size_t length = 0;
  if (f->kind == SPC__ITEM) return SPC_OK;
  if (wire != spc__view_wire(f)) {
    if (wire != SPC__WIRE_BYTES || !spc__view_packable(f)) return SPC_OK;
    return select_packed(s, own, next - raw, next, instance);
  }
  if (wire == SPC__WIRE_BYTES) {
    length = (size_t)raw;
    p = next - length;
    if (f->type == SPC_TYPE_STRING && (f->flags & SPC__UTF8) != 0 && !spc__utf8(p, length))
      return select_fail(s, SPC_BAD_UTF8, p);
  } else if (wire == SPC__WIRE_START) {
    length = (size_t)(next - p) - f->tag_length;
  } else {
    spc_value value;
    if (wire != SPC__WIRE_VARINT) (void)spc__view_read_raw(&p, next, wire, &raw);
    if (!spc__view_number(f, raw, &value)) return SPC_OK;
    raw = value.bits;
  }
  if (!unchosen) return select_found(s, own, instance, p, length, raw);
  uint32_t other = own;
  do {
    select_cut(s, other, instance);
    other = select_at(s, other)->same;
  } while (other != own);
  return SPC_OK;
}

/* Reads instance `instance` of an inner node: a message from `p` to `end`. */
static spc_status select_walk(select_pass *s, uint32_t i, const uint8_t *p, const uint8_t *end,
                              uint32_t instance) {
  const uint16_t *table = select_table(s, i);
  while (p < end) {
    spc_status status;
    const uint8_t *at = p, *value = p + 1;
    uint32_t tag = *p;
    uint64_t raw = 0;
    if (SPC__UNLIKELY(tag >= 0x80 || tag < 8 || (tag & 7) > SPC__WIRE_FIXED32)) {
      value = spc__tag(p, end, &tag, &status);
      if (value == NULL) return select_fail(s, status, p);
    }
    uint32_t wire = tag & 7;
    if (SPC__LIKELY(wire == SPC__WIRE_VARINT || wire == SPC__WIRE_BYTES)) {
      p = spc__varint(value, end, &raw);
      if (p == NULL) return select_fail(s, raw == 0 ? SPC_TRUNCATED : SPC_OVERLONG_VARINT, value);
      if (wire == SPC__WIRE_BYTES) {
        if (raw > (uint64_t)(end - p)) return select_fail(s, SPC_TRUNCATED, value);
        p += raw;
      }
    } else {
      p = spc__skip(value, end, tag, SPC_DEPTH_DEFAULT, &status, &at);
      if (p == NULL) return select_fail(s, status, at);
    }
    uint32_t number = tag >> 3;
    uint32_t entry = SPC__LIKELY(number < SELECT_NUMBERS)
                         ? table[number]
                         : select_entry_slow(s, select_at(s, i), number);
    if (SPC__LIKELY(entry == 0)) continue;
    status = select_field(s, i, entry, tag, value, p, raw, instance);
    if (status != SPC_OK) return status;
    table = select_table(s, i);
  }
  return SPC_OK;
}

/* ---- Beginning and end ---- */

/* Makes the node of a path's field. The one above was made before. */
static spc_status select_make(select_pass *s, uint32_t i, const spc_column *column) {
  uint32_t up = column->parent, depth = 0;
  if (up >= i) return spc__fail(s->error, SPC_INVALID_ARGUMENT);
  select_node *n = select_at(s, i), *above = select_at(s, up);
  if (above->type == NULL) return spc__fail(s->error, SPC_WRONG_TYPE);
  const spc_field *f = spc_message_type_by_number(above->type, column->number);
  if (f == NULL) return spc__fail(s->error, SPC_UNKNOWN_FIELD);
  for (uint32_t j = up; j != 0; j = select_at(s, j)->up)
    depth++;
  if (depth >= SPC_SELECT_DEPTH)
    return spc__fail_limit(s->error, SPC_DEPTH_LIMIT, SPC_SELECT_DEPTH);
  memset(n, 0, sizeof *n);
  n->field = f;
  n->type = spc__is_message(f) ? spc__sub_message(f) : NULL;
  n->up = up;
  n->same = i;
  n->leaf = true;
  n->repeated = (f->flags & SPC__REPEATED) != 0;
  n->spans = n->type != NULL || spc__is_bytes(f);
  n->width = n->spans ? 4 : spc__element_size(f);
  for (uint32_t j = above->child; j != 0; j = select_at(s, j)->next) {
    select_node *sibling = select_at(s, j);
    if (sibling->field == f) return spc__fail(s->error, SPC_INVALID_ARGUMENT);
    if (!spc__view_same_oneof(sibling->field, f) || n->same != i) continue;
    n->same = sibling->same;
    sibling->same = i;
  }
  above->leaf = false;
  n->next = above->child;
  above->child = i;
  return SPC_OK;
}

static spc_status select_make_table(select_pass *s, uint32_t i) {
  uint32_t table;
  spc_status status = spc_arena_alloc(s->arena, SELECT_NUMBERS * sizeof(uint16_t), &table);
  if (status != SPC_OK) return spc__fail(s->error, status);
  uint16_t *entries = (uint16_t *)spc_arena_at(s->arena, table);
  select_node *n = select_at(s, i);
  n->table = table;
  for (uint32_t number = 0; number < SELECT_NUMBERS; number++)
    entries[number] = (uint16_t)select_entry_slow(s, n, number);
  return SPC_OK;
}

/* Completes the lists of a node; *total is that of the instances above, then of its own. */
static spc_status select_finish(select_pass *s, uint32_t i, uint32_t *total, spc_column *column) {
  spc_status status = SPC_OK;
  if (select_at(s, i)->repeated) {
    status = select_starts(s, i, *total);
    if (status != SPC_OK) return status;
    select_node *n = select_at(s, i);
    spc__store32_le((uint8_t *)spc_arena_at(s->arena, n->starts) + 4 * (size_t)*total, n->elements);
    column->starts = n->starts;
    *total = n->elements;
  }
  if (select_at(s, i)->leaf) status = select_values(s, i, *total);
  const select_node *n = select_at(s, i);
  column->count = *total;
  column->values = n->values;
  column->lengths = n->lengths;
  column->present = n->present;
  return status;
}

spc_status spc_select(spc_arena *arena, const spc_message_type *type, const uint8_t *input,
                      size_t length, spc_column *columns, uint32_t count, spc_error *error) {
  select_pass s = {arena, input, error, 0};
  if (count > SPC_SELECT_COLUMNS)
    return spc__fail_limit(error, SPC_COUNT_LIMIT, SPC_SELECT_COLUMNS);
  if (length > UINT32_MAX) return spc__fail_limit(error, SPC_SIZE_LIMIT, UINT32_MAX);
  spc_status status = spc_arena_alloc(arena, (count + 1) * sizeof(select_node), &s.nodes);
  if (status != SPC_OK) return spc__fail(error, status);
  memset(select_at(&s, 0), 0, sizeof(select_node));
  select_at(&s, 0)->type = type;
  for (uint32_t i = 1; i <= count && status == SPC_OK; i++)
    status = select_make(&s, i, &columns[i - 1]);
  for (uint32_t i = 0; i <= count && status == SPC_OK; i++)
    if (!select_at(&s, i)->leaf) status = select_make_table(&s, i);
  if (status == SPC_OK && length != 0) status = select_walk(&s, 0, input, input + length, 0);
  for (uint32_t i = 1; i <= count && status == SPC_OK; i++) {
    uint32_t parent = columns[i - 1].parent, total = parent == 0 ? 1 : columns[parent - 1].count;
    status = select_finish(&s, i, &total, &columns[i - 1]);
  }
  return status;
}
