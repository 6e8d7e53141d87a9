/*
 * Writers: forward, with one byte reserved for the length of a message that is opened. When it is
 * closed and has 128 bytes or more, it moves to make room; most never do. The open levels are a
 * stack, the innermost is written to.
 */
#include <string.h>

#include "codec/record.h"

static spc_status writer_fail(spc_writer *w, spc_status status) {
  if (w->status == SPC_OK) w->status = status;
  return w->status;
}

void spc_writer_init(spc_writer *writer, const spc_message_type *type, uint8_t *out,
                     size_t capacity) {
  writer->begin = writer->p = out;
  writer->end = out + capacity;
  writer->status = SPC_OK;
  writer->depth = 0;
  writer->levels[0].type = type;
  writer->levels[0].field = NULL;
  writer->levels[0].start = out;
  writer->levels[0].oneofs = 0;
  writer->levels[0].last = 0;
}

static bool writer_room(spc_writer *w, uint64_t size) {
  if (size <= (uint64_t)(w->end - w->p)) return true;
  writer_fail(w, SPC_BUFFER_TOO_SMALL);
  return false;
}

/* Whether the field may come now; notes that it has come. */
static bool writer_accept(spc_writer *w, const spc_field *f) {
  if (w->status != SPC_OK) return false;
  uint32_t number = spc__number(f);
  if (spc_message_type_by_number(w->levels[w->depth].type, number) != f || f->kind == SPC__ITEM) {
    writer_fail(w, SPC_WRONG_TYPE);
    return false;
  }
  uint32_t last = w->levels[w->depth].last;
  bool again = number == last && (f->flags & SPC__REPEATED) != 0;
  uint32_t oneof = (f->flags & SPC__ONEOF) != 0 ? spc__info(f)->oneof : 0;
  uint64_t bit = oneof == 0 || oneof > 63 ? 0 : UINT64_C(1) << oneof;
  if ((number <= last && !again) || (w->levels[w->depth].oneofs & bit) != 0) {
    writer_fail(w, SPC_FIELD_ORDER);
    return false;
  }
  w->levels[w->depth].last = number;
  w->levels[w->depth].oneofs |= bit;
  return true;
}

static uint32_t writer_wire(const spc_field *f) {
  switch (f->kind) {
  case SPC__FIXED32:
  case SPC__REPEATED_FIXED32:
    return SPC__WIRE_FIXED32;
  case SPC__FIXED64:
  case SPC__REPEATED_FIXED64:
    return SPC__WIRE_FIXED64;
  default:
    return SPC__WIRE_VARINT;
  }
}

static uint64_t writer_raw(const spc_field *f, spc_value value) {
  if ((f->flags & SPC__BOOL) != 0) return value.boolean;
  uint64_t v = f->high != 0 ? value.bits : value.u32;
  if (f->high == 0 && (f->flags & SPC__SIGNED) != 0) v = (uint64_t)(int64_t)value.i32;
  return f->zigzag != 0 ? spc__zigzag(v) : v;
}

/* Writes a number without its tag; ten bytes are there. */
static void writer_number(spc_writer *w, uint32_t wire, uint64_t raw) {
  if (wire == SPC__WIRE_VARINT) {
    w->p = spc__put_varint(w->p, raw);
  } else if (wire == SPC__WIRE_FIXED32) {
    spc__store32_le(w->p, (uint32_t)raw);
    w->p += 4;
  } else {
    spc__store64_le(w->p, raw);
    w->p += 8;
  }
}

static uint64_t writer_size(uint32_t wire, uint64_t raw) {
  return wire == SPC__WIRE_VARINT ? spc__varint_size(raw) : wire == SPC__WIRE_FIXED32 ? 4 : 8;
}

static bool writer_is_number(const spc_field *f) {
  return !spc__is_message(f) && !spc__is_bytes(f);
}

spc_status spc_writer_value(spc_writer *writer, const spc_field *field, spc_value value) {
  if (!writer_is_number(field) || (field->flags & SPC__PACKED) != 0)
    return writer_fail(writer, SPC_WRONG_TYPE);
  uint64_t raw = writer_raw(field, value);
  uint32_t wire = writer_wire(field);
  bool always = (field->flags & (SPC__EXPLICIT | SPC__REPEATED)) != 0;
  if (!writer_accept(writer, field) || (raw == 0 && !always)) return writer->status;
  if (!writer_room(writer, field->tag_length + writer_size(wire, raw))) return writer->status;
  writer->p = spc__put_varint(writer->p, field->tag);
  writer_number(writer, wire, raw);
  return SPC_OK;
}

spc_status spc_writer_packed(spc_writer *writer, const spc_field *field, const spc_value *values,
                             size_t count) {
  uint64_t size = 0;
  uint32_t wire = writer_wire(field);
  if ((field->flags & SPC__PACKED) == 0) return writer_fail(writer, SPC_WRONG_TYPE);
  if (!writer_accept(writer, field) || count == 0) return writer->status;
  for (size_t i = 0; i < count; i++)
    size += writer_size(wire, writer_raw(field, values[i]));
  if (!writer_room(writer, field->tag_length + spc__varint_size(size) + size))
    return writer->status;
  writer->p = spc__put_varint(writer->p, field->tag);
  writer->p = spc__put_varint(writer->p, size);
  for (size_t i = 0; i < count; i++)
    writer_number(writer, wire, writer_raw(field, values[i]));
  return SPC_OK;
}

spc_status spc_writer_bytes(spc_writer *writer, const spc_field *field, const void *bytes,
                            size_t length) {
  if (!spc__is_bytes(field)) return writer_fail(writer, SPC_WRONG_TYPE);
  bool always = (field->flags & (SPC__EXPLICIT | SPC__REPEATED)) != 0;
  if (field->type == SPC_TYPE_STRING && (field->flags & SPC__UTF8) != 0 &&
      !spc__utf8((const uint8_t *)bytes, length))
    return writer_fail(writer, SPC_BAD_UTF8);
  if (!writer_accept(writer, field) || (length == 0 && !always)) return writer->status;
  if (!writer_room(writer, field->tag_length + spc__varint_size(length) + (uint64_t)length))
    return writer->status;
  writer->p = spc__put_varint(writer->p, field->tag);
  writer->p = spc__put_varint(writer->p, length);
  if (length != 0) memcpy(writer->p, bytes, length);
  writer->p += length;
  return SPC_OK;
}

spc_status spc_writer_open(spc_writer *writer, const spc_field *field) {
  if (!spc__is_message(field)) return writer_fail(writer, SPC_WRONG_TYPE);
  if (!writer_accept(writer, field)) return writer->status;
  if (writer->depth == SPC_WRITER_DEPTH) return writer_fail(writer, SPC_DEPTH_LIMIT);
  if (!writer_room(writer, field->tag_length + 1u)) return writer->status;
  writer->p = spc__put_varint(writer->p, field->tag);
  if (field->type != SPC_TYPE_GROUP) writer->p++;
  uint32_t depth = ++writer->depth;
  writer->levels[depth].type = spc__sub_message(field);
  writer->levels[depth].field = field;
  writer->levels[depth].start = writer->p;
  writer->levels[depth].oneofs = 0;
  writer->levels[depth].last = 0;
  return SPC_OK;
}

spc_status spc_writer_close(spc_writer *writer) {
  if (writer->status != SPC_OK) return writer->status;
  if (writer->depth == 0) return writer_fail(writer, SPC_INVALID_STATE);
  const spc_field *field = writer->levels[writer->depth].field;
  uint8_t *start = writer->levels[writer->depth].start;
  if (field->type == SPC_TYPE_GROUP) {
    if (!writer_room(writer, field->tag_length)) return writer->status;
    writer->p = spc__put_varint(writer->p, field->tag + (SPC__WIRE_END - SPC__WIRE_START));
  } else {
    size_t length = (size_t)(writer->p - start);
    uint32_t more = spc__varint_size(length) - 1;
    if (more != 0) {
      if (!writer_room(writer, more)) return writer->status;
      memmove(start + more, start, length);
      writer->p += more;
    }
    (void)spc__put_varint(start - 1, length);
  }
  writer->depth--;
  return SPC_OK;
}

spc_status spc_writer_message(spc_writer *writer, const spc_field *field,
                              const spc_message *message) {
  size_t length;
  if (!spc__is_message(field) || spc__sub_message(field) != message->type)
    return writer_fail(writer, SPC_WRONG_TYPE);
  if (spc_writer_open(writer, field) != SPC_OK) return writer->status;
  spc_status status =
      spc_encode(message, writer->p, (size_t)(writer->end - writer->p), NULL, &length, NULL);
  if (status != SPC_OK) return writer_fail(writer, status);
  writer->p += length;
  return spc_writer_close(writer);
}

spc_status spc_writer_finish(const spc_writer *writer, size_t *length) {
  *length = (size_t)(writer->p - writer->begin);
  if (writer->status != SPC_OK) return writer->status;
  return writer->depth == 0 ? SPC_OK : SPC_INVALID_STATE;
}
