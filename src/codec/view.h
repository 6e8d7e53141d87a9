/* Values as they stand on the wire, for what reads them without decoding. */
#ifndef SPC_CODEC_VIEW_H
#define SPC_CODEC_VIEW_H

#include "codec/record.h"

/* The wire type of an element in a packed run. */
SPC__INLINE uint32_t spc__view_element_wire(const spc_field *f) {
  if (f->kind == SPC__REPEATED_FIXED32) return SPC__WIRE_FIXED32;
  return f->kind == SPC__REPEATED_FIXED64 ? SPC__WIRE_FIXED64 : SPC__WIRE_VARINT;
}

/* The wire type of a value that is not in a packed run. */
SPC__INLINE uint32_t spc__view_wire(const spc_field *f) {
  return (f->flags & SPC__PACKED) == 0 ? f->tag & 7 : spc__view_element_wire(f);
}

/* Whether the elements may come in packed runs. */
SPC__INLINE bool spc__view_packable(const spc_field *f) {
  return f->kind >= SPC__REPEATED_VARINT && f->kind <= SPC__REPEATED_CLOSED_ENUM;
}

/* A number from its wire form; false for one outside its closed enum. */
SPC__INLINE bool spc__view_number(const spc_field *f, uint64_t raw, spc_value *value) {
  raw &= f->mask;
  raw = (raw >> f->zigzag) ^ (0 - (raw & f->zigzag));
  if ((f->flags & SPC__BOOL) != 0) raw = raw != 0;
  value->bits = f->high != 0 ? raw : (uint32_t)raw;
  return f->type != SPC_TYPE_ENUM || spc__sub_enum(f)->closed == 0 ||
         spc__enum_has(spc__sub_enum(f), value->i32);
}

/* Reads the number at *p, in a wire type that is not length-delimited, and moves *p behind it. */
SPC__INLINE spc_status spc__view_read_raw(const uint8_t **p, const uint8_t *end, uint32_t wire,
                                          uint64_t *raw) {
  if (wire == SPC__WIRE_VARINT) {
    const uint8_t *next = spc__varint(*p, end, raw);
    if (next == NULL) return *raw == 0 ? SPC_TRUNCATED : SPC_OVERLONG_VARINT;
    *p = next;
    return SPC_OK;
  }
  ptrdiff_t size = wire == SPC__WIRE_FIXED32 ? 4 : 8;
  if (end - *p < size) return SPC_TRUNCATED;
  *raw = size == 4 ? spc__load32_le(*p) : spc__load64_le(*p);
  *p += size;
  return SPC_OK;
}

SPC__INLINE bool spc__view_same_oneof(const spc_field *a, const spc_field *b) {
  return (a->flags & b->flags & SPC__ONEOF) != 0 && a->case_offset == b->case_offset;
}

#endif
