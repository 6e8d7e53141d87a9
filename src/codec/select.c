/*
 * Columns: the values of several fields, read from the wire in one pass without decoding. The paths
 * are a tree of nodes; what is on none of them is skipped by its length. An instance of a node is a
 * message of it: one for each element of the innermost repeated field above it, or the only one.
 *
 * A list has entry k for instance k of the node above. What is absent costs nothing: lists of
 * values end behind the newest instance that they got something for, and are zero from there on as
 * far as they have room. Thus what an instance has got so far is undone by cutting lists, which a
 * later member of its oneof asks for.
 *
 * Lists and nodes lie in the arena, which may move when a list grows: nodes are named by number.
 */
#include <string.h>

#include "base/error.h"
#include "codec/view.h"

#define SELECT_NUMBERS  128u /* Fields below are found in a table. */
#define SELECT_NODE     0x7fffu
#define SELECT_UNCHOSEN 0x8000u
#define SELECT_MESSAGE  0x10000u
#define SELECT_LEAST    64u
#define SELECT_MOST     (UINT32_MAX >> 5)

typedef struct select_node {
  const spc_field *field;
  const spc_message_type *type; /* of an inner node */
  uint32_t up, child, next;     /* the tree; 0: none */
  uint32_t same;                /* the next node of the same oneof, the last one's is the first */
  uint32_t table;               /* of an inner node: uint32_t[SELECT_NUMBERS] by field number */
  uint32_t elements;            /* of a repeated field, so far */
  uint32_t seen;                /* 1 + the newest instance above that may have it */
  bool leaf, repeated, spans;
  uint32_t width;                           /* bytes of a value */
  uint32_t starts, start_count, start_room; /* list of a repeated field */
  uint32_t values, lengths, present, count, room;
} select_node;

typedef struct select_pass {
  spc_arena *arena;
  const uint8_t *input;
  spc_error *error;
  size_t length, done; /* of the input; behind the pass */
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

/*
 * The room that a list gets which needs `needed`: what it will need if it goes on as it has so far,
 * within reason; 0: too much. `done` of the input's bytes are behind the pass.
 */
static uint32_t select_room(const select_pass *s, uint32_t needed) {
  if (needed > SELECT_MOST) return 0;
  if (needed < SELECT_LEAST) return SELECT_LEAST;
  uint64_t room = (uint64_t)needed * s->length / ((uint64_t)s->done + 1) * 17 / 16;
  uint32_t least = 2 * needed, most = needed < SELECT_MOST / 4 ? 8 * needed : 2 * SELECT_MOST;
  return room < least ? least : room > most ? most : (uint32_t)room;
}

/* Zeroes entries of a leaf's lists. */
static void select_zero(const select_pass *s, const select_node *n, uint32_t from, uint32_t to) {
  size_t count = to - from;
  uint8_t *base = (uint8_t *)spc_arena_at(s->arena, 0);
  memset(base + n->values + (size_t)from * n->width, 0, count * n->width);
  memset(base + n->present + from, 0, count);
  if (n->spans) memset(base + n->lengths + (size_t)from * n->width, 0, count * n->width);
}

/* Makes room for values of a leaf behind `count`, that of an end included. */
static spc_status select_values(select_pass *s, uint32_t i, uint32_t count) {
  select_node *n = select_at(s, i);
  if (SPC__LIKELY(count < n->room)) return SPC_OK;
  uint32_t room = select_room(s, count + 1);
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
  select_zero(s, n, kept, room);
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
    uint32_t room = select_room(s, parents + 1), starts = n->starts;
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

/* The instance of what lies in a value of a repeated node: a new element. */
static spc_status select_element(select_pass *s, uint32_t i, uint32_t *instance) {
  spc_status status = SPC_OK;
  if (select_at(s, i)->start_count <= *instance) status = select_starts(s, i, *instance + 1);
  *instance = select_at(s, i)->elements++;
  return status;
}

/* ---- What a later value replaces ---- */

/* Cuts the lists of a node and those below it to those of its first `count` instances. */
static void select_cut(select_pass *s, uint32_t i, uint32_t count) {
  select_node *n = select_at(s, i);
  if (SPC__LIKELY(n->seen <= count)) return;
  n->seen = count;
  if (n->repeated) {
    if (n->start_count > count) {
      n->elements =
          spc__load32_le((uint8_t *)spc_arena_at(s->arena, n->starts) + 4 * (size_t)count);
      n->start_count = count;
    }
    count = n->elements;
  }
  if (n->leaf && n->count > count) {
    select_zero(s, n, count, n->count);
    n->count = count;
  }
  for (uint32_t child = n->child; child != 0; child = select_at(s, child)->next)
    select_cut(s, child, count);
}

/* ---- The pass ---- */

/*
 * What becomes of a field: the node; for another member of its oneof, with a mark; 0: of no
 * interest. Where `SELECT_MESSAGE` is set, values in the wire type of bytes are messages to go
 * into.
 */
static uint32_t select_entry(const select_pass *s, const select_node *n, uint32_t number) {
  const spc_field *f = spc_message_type_by_number(n->type, number);
  uint32_t other = 0;
  if (f == NULL) return 0;
  bool message = spc__is_message(f) && spc__view_wire(f) == SPC__WIRE_BYTES && f->kind != SPC__ITEM;
  for (uint32_t i = n->child; i != 0; i = select_at(s, i)->next) {
    const select_node *own = select_at(s, i);
    if (own->field == f) return message && !own->leaf ? i | SELECT_MESSAGE : i;
    if (spc__view_same_oneof(own->field, f)) other = i | SELECT_UNCHOSEN;
  }
  return message && other != 0 ? other | SELECT_MESSAGE : other;
}

/* Entries by field number. */
SPC__INLINE const uint32_t *select_table(const select_pass *s, uint32_t i) {
  return (const uint32_t *)spc_arena_at(s->arena, select_at(s, i)->table);
}

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
    select_at(s, i)->seen = instance + 1;
    status = select_element(s, i, &element);
    if (status == SPC_OK) status = select_put(s, i, element, value.bits, 0);
    if (status != SPC_OK) return status;
  }
  return SPC_OK;
}

/* A value on the wire: `length` bytes at `p` up to `next`, or a number. */
typedef struct select_value {
  const uint8_t *p, *next;
  uint32_t tag;
  bool found;
  size_t length;
  uint64_t number;
} select_value;

/* Reads the value of a field on a path or in a oneof with one, which `p` and `number` tell of. */
static spc_status select_read(select_pass *s, uint32_t i, uint32_t entry, uint32_t instance,
                              select_value *v) {
  uint32_t own = entry & SELECT_NODE, wire = v->tag & 7;
  const spc_field *f = (entry & SELECT_UNCHOSEN) != 0
                           ? spc_message_type_by_number(select_at(s, i)->type, v->tag >> 3)
                           : select_at(s, own)->field;
  v->found = false;
  if (f->kind == SPC__ITEM) return SPC_OK;
  if (wire != spc__view_wire(f)) {
    if (wire != SPC__WIRE_BYTES || !spc__view_packable(f)) return SPC_OK;
    return select_packed(s, own, v->next - v->number, v->next, instance);
  }
  if (wire == SPC__WIRE_BYTES) {
    v->length = (size_t)v->number;
    v->p = v->next - v->length;
    if (f->type == SPC_TYPE_STRING && (f->flags & SPC__UTF8) != 0 && !spc__utf8(v->p, v->length))
      return select_fail(s, SPC_BAD_UTF8, v->p);
  } else if (wire == SPC__WIRE_START) {
    v->length = (size_t)(v->next - v->p) - f->tag_length;
  } else {
    spc_value value;
    if (wire != SPC__WIRE_VARINT) (void)spc__view_read_raw(&v->p, v->next, wire, &v->number);
    if (!spc__view_number(f, v->number, &value)) return SPC_OK;
    v->number = value.bits;
  }
  v->found = true;
  return SPC_OK;
}

/* A message on the way, whose rest is read later. */
typedef struct select_frame {
  const uint8_t *p, *end;
  uint32_t node, instance;
} select_frame;

/* Reads the message from `p` to `end`. */
static spc_status select_walk(select_pass *s, const uint8_t *p, const uint8_t *end) {
  select_frame frames[SPC_SELECT_DEPTH];
  uint32_t depth = 0, i = 0, instance = 0;
  select_node *nodes = select_at(s, 0);
  const uint32_t *table = select_table(s, 0);
  for (;;) {
    while (p == end) {
      if (depth == 0) return SPC_OK;
      const select_frame *up = &frames[--depth];
      p = up->p;
      end = up->end;
      i = up->node;
      instance = up->instance;
      table = select_table(s, i);
    }
    spc_status status;
    const uint8_t *at = p, *value = p + 1;
    uint32_t tag = *p;
    uint64_t raw = 0;
    if (SPC__UNLIKELY(tag >= 0x80 || tag < 8 || (tag & 7) > SPC__WIRE_FIXED32)) {
      value = spc__tag(p, end, &tag, &status);
      if (value == NULL) return select_fail(s, status, p);
    }
    uint32_t wire = tag & 7, number = tag >> 3;
    if (SPC__LIKELY(wire == SPC__WIRE_VARINT || wire == SPC__WIRE_BYTES)) {
      if (SPC__LIKELY(value != end && *value < 0x80)) {
        raw = *value;
        p = value + 1;
      } else {
        p = spc__varint(value, end, &raw);
        if (p == NULL) return select_fail(s, raw == 0 ? SPC_TRUNCATED : SPC_OVERLONG_VARINT, value);
      }
      if (wire == SPC__WIRE_BYTES) {
        if (raw > (uint64_t)(end - p)) return select_fail(s, SPC_TRUNCATED, value);
        p += raw;
      }
    } else {
      p = spc__skip(value, end, tag, SPC_DEPTH_DEFAULT, &status, &at);
      if (p == NULL) return select_fail(s, status, at);
    }
    uint32_t entry = SPC__LIKELY(number < SELECT_NUMBERS)
                         ? table[number]
                         : select_entry(s, select_at(s, i), number);
    if (entry == 0) continue;
    s->done = (size_t)(at - s->input);
    const uint8_t *inner;
    size_t length = (size_t)raw;
    if ((entry & SELECT_MESSAGE) != 0 && wire == SPC__WIRE_BYTES) {
      inner = p - length;
    } else {
      select_value v = {.p = value, .next = p, .tag = tag, .number = raw};
      status = select_read(s, i, entry, instance, &v);
      if (status != SPC_OK) return status;
      nodes = select_at(s, 0);
      table = select_table(s, i);
      if (!v.found) continue;
      inner = v.p;
      length = v.length;
      raw = v.number;
    }
    uint32_t own = entry & SELECT_NODE, element = instance;
    select_node *n = &nodes[own];
    if ((entry & SELECT_UNCHOSEN) != 0 && n->seen > instance) select_cut(s, own, instance);
    for (uint32_t other = n->same; other != own; other = nodes[other].same)
      if (nodes[other].seen > instance) select_cut(s, other, instance);
    if ((entry & SELECT_UNCHOSEN) != 0) continue;
    bool again = n->seen == instance + 1;
    n->seen = instance + 1;
    if (n->repeated) {
      status = select_element(s, own, &element);
      if (status != SPC_OK) return status;
      nodes = select_at(s, 0);
      n = &nodes[own];
    } else if (again && !n->leaf) {
      /* Only decoding can merge a message that comes in several parts. */
      return select_fail(s, SPC_MALFORMED, inner);
    }
    if (n->leaf) {
      status = n->spans
                   ? select_put(s, own, element, (uint64_t)(inner - s->input), (uint32_t)length)
                   : select_put(s, own, element, raw, 0);
      if (status != SPC_OK) return status;
      nodes = select_at(s, 0);
      table = select_table(s, i);
      continue;
    }
    frames[depth++] = (select_frame){p, end, i, instance};
    p = inner;
    end = inner + length;
    i = own;
    instance = element;
    table = select_table(s, i);
  }
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
  uint32_t table, flags = 0;
  spc_status status = spc_arena_alloc(s->arena, SELECT_NUMBERS * sizeof(uint32_t), &table);
  if (status != SPC_OK) return spc__fail(s->error, status);
  uint32_t *entries = (uint32_t *)spc_arena_at(s->arena, table);
  select_node *n = select_at(s, i);
  n->table = table;
  memset(entries, 0, SELECT_NUMBERS * sizeof(uint32_t));
  for (uint32_t child = n->child; child != 0; child = select_at(s, child)->next) {
    const spc_field *f = select_at(s, child)->field;
    flags |= f->flags;
    if (spc__number(f) < SELECT_NUMBERS)
      entries[spc__number(f)] = select_entry(s, n, spc__number(f));
  }
  if ((flags & SPC__ONEOF) == 0) return SPC_OK;
  for (uint32_t number = 0; number < SELECT_NUMBERS; number++)
    entries[number] = select_entry(s, n, number);
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
  select_pass s = {arena, input, error, length, 0, 0};
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
  if (status == SPC_OK && length != 0) status = select_walk(&s, input, input + length);
  for (uint32_t i = 1; i <= count && status == SPC_OK; i++) {
    uint32_t parent = columns[i - 1].parent, total = parent == 0 ? 1 : columns[parent - 1].count;
    status = select_finish(&s, i, &total, &columns[i - 1]);
  }
  return status;
}
