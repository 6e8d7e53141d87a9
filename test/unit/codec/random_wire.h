/* Random messages of a type on the wire: in order mostly, with unknown fields and merged messages.
 */
#ifndef SPC_TEST_RANDOM_WIRE_H
#define SPC_TEST_RANDOM_WIRE_H

#include "codec_support.h"

typedef struct wire {
  uint8_t *p, *end;
  uint64_t seed;
} wire;

static inline void put(wire *w, const void *bytes, size_t n) {
  if ((size_t)(w->end - w->p) < n) return;
  memcpy(w->p, bytes, n);
  w->p += n;
}

static inline void put_varint(wire *w, uint64_t v) {
  uint8_t bytes[10];
  size_t n = 0;
  for (; v >= 0x80; v >>= 7)
    bytes[n++] = (uint8_t)(v | 0x80);
  bytes[n++] = (uint8_t)v;
  put(w, bytes, n);
}

static inline uint64_t random_number(wire *w) {
  uint64_t v = test_random(&w->seed);
  return v >> (v & 63);
}

static inline uint32_t wire_type(const spc_field_info *f) {
  switch (f->type) {
  case SPC_TYPE_DOUBLE:
  case SPC_TYPE_FIXED64:
  case SPC_TYPE_SFIXED64:
    return 1;
  case SPC_TYPE_STRING:
  case SPC_TYPE_BYTES:
  case SPC_TYPE_MESSAGE:
    return 2;
  case SPC_TYPE_GROUP:
    return 3;
  case SPC_TYPE_FLOAT:
  case SPC_TYPE_FIXED32:
  case SPC_TYPE_SFIXED32:
    return 5;
  default:
    return 0;
  }
}

static inline void put_message(wire *w, const spc_message_type *type, int depth);

static inline void put_value(wire *w, const spc_field_info *f, uint32_t wire_type, int depth) {
  uint64_t v = test_random(&w->seed);
  if (f->message != NULL) {
    uint8_t *bytes = malloc(4096);
    wire sub = {bytes, bytes + 4096, v};
    put_message(&sub, f->message, depth - 1);
    size_t n = (size_t)(sub.p - bytes);
    if (wire_type == 2) put_varint(w, n);
    put(w, bytes, n);
    if (wire_type == 3) put_varint(w, f->number << 3 | 4);
    free(bytes);
  } else if (wire_type == 2) {
    static const char text[] =
        "zero \xc3\xa9 one \xe2\x82\xac two \xf0\x9f\x8c\x8d three four five";
    size_t n = v % 4 == 0 ? 0 : v % 3 == 0 ? 5 : sizeof text - 1;
    put_varint(w, n);
    put(w, text, n);
  } else if (wire_type == 0) {
    put_varint(w, f->type == SPC_TYPE_ENUM && v % 4 != 0 ? v % 3 : random_number(w));
  } else {
    put(w, &v, wire_type == 1 ? 8 : 4);
  }
}

static inline void put_field(wire *w, const spc_field_info *f, int depth) {
  uint32_t kind = wire_type(f);
  uint64_t choice = test_random(&w->seed);
  uint32_t times = f->repeated ? (uint32_t)choice % 5 : 1 + (choice % 16 == 0);
  if (f->repeated && kind != 2 && kind != 3 && choice % 3 != 0) {
    uint8_t bytes[256];
    wire run = {bytes, bytes + sizeof bytes, choice};
    for (uint32_t i = 0; i < times; i++)
      put_value(&run, f, kind, depth);
    put_varint(w, f->number << 3 | 2);
    put_varint(w, (uint64_t)(run.p - bytes));
    put(w, bytes, (size_t)(run.p - bytes));
    return;
  }
  for (uint32_t i = 0; i < times; i++) {
    put_varint(w, f->number << 3 | kind);
    put_value(w, f, kind, depth);
  }
}

static inline void put_unknown(wire *w) {
  put_varint(w, 9000 << 3 | 0);
  put_varint(w, random_number(w));
  put_varint(w, 9001 << 3 | 3);
  put(w, "\x08\x01\x12\x01z", 5);
  put_varint(w, 9001 << 3 | 4);
}

/* In order of numbers, with gaps, and now and then a few fields once more. */
static inline void put_message(wire *w, const spc_message_type *type, int depth) {
  if (depth <= 0) return;
  uint32_t n = spc_message_type_describe(type).field_count;
  uint64_t density = 1 + test_random(&w->seed) % 8;
  for (uint32_t i = 0; i < n; i++) {
    spc_field_info f = spc_field_describe(spc_message_type_field(type, i));
    if (n < 6 ? test_random(&w->seed) % 4 != 0 : test_random(&w->seed) % density == 0)
      put_field(w, &f, depth);
  }
  if (n != 0 && test_random(&w->seed) % 4 == 0) {
    spc_field_info f =
        spc_field_describe(spc_message_type_field(type, (uint32_t)(test_random(&w->seed) % n)));
    put_field(w, &f, depth);
  }
  if (test_random(&w->seed) % 8 == 0) put_unknown(w);
}

#endif
