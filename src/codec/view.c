/*
 * Views: fields straight from wire bytes. Everything is bounded by `end`. A view of an ordered
 * message keeps a cursor, so that reading fields by rising number never goes back.
 */
#include <string.h>

#include "base/error.h"
#include "codec/record.h"
#include "codec/view.h"

enum { VIEW_ORDER_UNKNOWN, VIEW_ORDERED, VIEW_UNORDERED };

static spc_status view_fail(const spc_view *v, spc_error *error, spc_status status,
                            const uint8_t *at) {
  return spc__fail_offset(error, status, (uint64_t)(at - v->begin));
}

void spc_view_init(spc_view *view, const spc_message_type *type, const uint8_t *bytes,
                   size_t length) {
  view->type = type;
  view->begin = view->cursor = bytes;
  view->end = bytes + length;
  view->order = VIEW_ORDER_UNKNOWN;
}

spc_view_place spc_view_start(const spc_view *view) {
  return (spc_view_place){view->begin, NULL, NULL};
}

spc_status spc_view_next(const spc_view *view, spc_view_place *place, spc_view_value *value,
                         spc_error *error) {
  const uint8_t *start = place->p, *end = view->end, *at = start;
  spc_status status;
  uint32_t tag;
  if (start == end) return SPC_NOT_FOUND;
  const uint8_t *p = spc__tag(start, end, &tag, &status);
  if (p == NULL) return view_fail(view, error, status, start);
  const uint8_t *next = spc__skip(p, end, tag, SPC_DEPTH_DEFAULT, &status, &at);
  if (next == NULL) return view_fail(view, error, status, at);
  const spc_field *f = spc_message_type_by_number(view->type, tag >> 3);
  uint32_t wire = tag & 7;
  memset(value, 0, sizeof *value);
  value->number = tag >> 3;
  place->p = next;
  if (f != NULL && wire == spc__view_wire(f)) {
    value->field = f;
  } else if (f != NULL && spc__view_packable(f) && wire == SPC__WIRE_BYTES) {
    value->field = f;
    value->packed = true;
  }
  if (value->field == NULL || f->kind == SPC__ITEM) {
    value->field = NULL;
  } else if (wire == SPC__WIRE_BYTES) {
    uint64_t length;
    value->bytes = spc__varint(p, end, &length);
    value->length = (size_t)length;
    if (f->type == SPC_TYPE_STRING && (f->flags & SPC__UTF8) != 0 &&
        !spc__utf8(value->bytes, value->length))
      return view_fail(view, error, SPC_BAD_UTF8, value->bytes);
    return SPC_OK;
  } else if (wire == SPC__WIRE_START) {
    value->bytes = p;
    value->length = (size_t)(next - p) - f->tag_length;
    return SPC_OK;
  } else {
    uint64_t raw = 0;
    (void)spc__view_read_raw(&p, end, wire, &raw);
    if (spc__view_number(f, raw, &value->value)) return SPC_OK;
    value->field = NULL;
  }
  value->bytes = start;
  value->length = (size_t)(next - start);
  return SPC_OK;
}

/* Looks whether numbers never fall and no singular field or oneof comes twice. */
static spc_status view_look(spc_view *view, spc_error *error) {
  spc_view_place place = spc_view_start(view);
  spc_view_value value;
  const spc_field *last = NULL;
  uint32_t number = 0;
  spc_status status;
  view->order = VIEW_ORDERED;
  while ((status = spc_view_next(view, &place, &value, error)) == SPC_OK) {
    bool repeated = value.field != NULL && (value.field->flags & SPC__REPEATED) != 0;
    bool oneof = value.field != NULL && (value.field->flags & SPC__ONEOF) != 0;
    if (value.number < number || (value.number == number && !repeated) ||
        (oneof && last != NULL && last != value.field))
      view->order = VIEW_UNORDERED;
    number = value.number;
    /* Two oneofs in a message make it unordered too: rare, and only slower. */
    if (oneof) last = value.field;
  }
  return status == SPC_NOT_FOUND ? SPC_OK : status;
}

spc_status spc_view_get(spc_view *view, const spc_field *field, spc_view_value *value,
                        spc_error *error) {
  spc_view_place place = spc_view_start(view);
  spc_view_value found = {0}, next;
  spc_status status;
  uint32_t number = spc__number(field), parts = 0;
  if ((field->flags & SPC__REPEATED) != 0 ||
      spc_message_type_by_number(view->type, number) != field)
    return spc__fail(error, SPC_WRONG_TYPE);
  if (view->order == VIEW_ORDER_UNKNOWN) {
    status = view_look(view, error);
    if (status != SPC_OK) return status;
  }
  bool ordered = view->order == VIEW_ORDERED;
  if (ordered) {
    uint32_t tag = 0;
    const uint8_t *p = view->cursor;
    if (p < view->end) (void)spc__tag(p, view->end, &tag, &status);
    if (p < view->end && tag >> 3 <= number) place.p = p;
  }
  for (;;) {
    const uint8_t *at = place.p;
    status = spc_view_next(view, &place, &next, error);
    if (status == SPC_NOT_FOUND) break;
    if (status != SPC_OK) return status;
    if (ordered && next.number >= number) view->cursor = at;
    if (next.field == field) {
      found = next;
      parts++;
    } else if (next.field != NULL && spc__view_same_oneof(next.field, field)) {
      found.field = NULL;
      parts = 0;
    }
    if (ordered && next.number >= number) break;
  }
  if (found.field == NULL) return SPC_NOT_FOUND;
  if (parts > 1 && spc__is_message(field))
    return view_fail(view, error, SPC_MALFORMED, found.bytes);
  *value = found;
  return SPC_OK;
}

spc_status spc_view_element(const spc_view *view, const spc_field *field, spc_view_place *place,
                            spc_view_value *value, spc_error *error) {
  if ((field->flags & SPC__REPEATED) == 0 ||
      spc_message_type_by_number(view->type, spc__number(field)) != field)
    return spc__fail(error, SPC_WRONG_TYPE);
  for (;;) {
    while (place->packed != place->packed_end) {
      uint64_t raw = 0;
      const uint8_t *at = place->packed;
      spc_status status = spc__view_read_raw(&place->packed, place->packed_end,
                                             spc__view_element_wire(field), &raw);
      if (status != SPC_OK) return view_fail(view, error, status, at);
      memset(value, 0, sizeof *value);
      value->field = field;
      value->number = spc__number(field);
      if (spc__view_number(field, raw, &value->value)) return SPC_OK;
    }
    spc_status status = spc_view_next(view, place, value, error);
    if (status != SPC_OK) return status;
    if (value->field != field) continue;
    if (!value->packed) return SPC_OK;
    place->packed = value->bytes;
    place->packed_end = value->bytes + value->length;
  }
}

bool spc_view_sub(const spc_view_value *value, spc_view *sub) {
  if (value->field == NULL || !spc__is_message(value->field)) return false;
  spc_view_init(sub, spc__sub_message(value->field), value->bytes, value->length);
  return true;
}
