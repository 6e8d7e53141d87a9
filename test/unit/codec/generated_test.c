/* Generated decoders and encoders against tables: layout, random messages, damaged ones. */
#include "codec_support.h"
#include "support/generated.h"

#define OUT ((size_t)1 << 20)

static const spc_schema *schema;
static uint8_t out[2 * OUT];

static void layouts_are_the_same(void) {
  for (size_t i = 0; i < sizeof test_types / sizeof test_types[0]; i++) {
    const spc_message_type *type = generated_message_type(schema, &test_types[i]);
    const spc_gen_type *g = test_types[i].type;
    if (type == NULL) {
      fprintf(stderr, "no type %s\n", test_types[i].name);
      CHECK(false);
      continue;
    }
    spc_message_type_info info = spc_message_type_describe(type);
    CHECK_U64(g->size, info.record_size);
    CHECK_U64(g->field_count, info.field_count);
    for (uint32_t j = 0; j < g->field_count; j++) {
      const spc_gen_field *field = &g->fields[j];
      spc_field_info f = spc_field_describe(spc_message_type_field(type, j));
      bool same = field->number == f.number && strcmp(field->name, f.name) == 0 &&
                  field->offset == f.offset && field->case_offset == f.case_offset &&
                  field->bit == f.bit &&
                  (f.case_offset == 0 || field->case_value == f.case_value) &&
                  field->type == f.type && ((field->flags & SPC_GEN_REPEATED) != 0) == f.repeated &&
                  ((field->flags & SPC_GEN_MAP) != 0) == f.map &&
                  ((field->flags & SPC_GEN_PACKED) != 0) == f.packed &&
                  ((field->flags & SPC_GEN_EXPLICIT) != 0) == f.explicit_presence &&
                  ((field->flags & SPC_GEN_REQUIRED) != 0) == f.required &&
                  ((field->flags & SPC_GEN_UTF8) != 0) == f.utf8;
      if (!same) fprintf(stderr, "%s.%s: \n", test_types[i].name, f.name);
      CHECK(same);
    }
  }
}

/* ---- Random messages on the wire */

typedef struct wire {
  uint8_t *p, *end;
  uint64_t seed;
} wire;

static void put(wire *w, const void *bytes, size_t n) {
  if ((size_t)(w->end - w->p) < n) return;
  memcpy(w->p, bytes, n);
  w->p += n;
}

static void put_varint(wire *w, uint64_t v) {
  uint8_t bytes[10];
  size_t n = 0;
  for (; v >= 0x80; v >>= 7)
    bytes[n++] = (uint8_t)(v | 0x80);
  bytes[n++] = (uint8_t)v;
  put(w, bytes, n);
}

static uint64_t random_number(wire *w) {
  uint64_t v = test_random(&w->seed);
  return v >> (v & 63);
}

static uint32_t wire_type(const spc_field_info *f) {
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

static void put_message(wire *w, const spc_message_type *type, int depth);

static void put_value(wire *w, const spc_field_info *f, uint32_t wire_type, int depth) {
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

static void put_field(wire *w, const spc_field_info *f, int depth) {
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

static void put_unknown(wire *w) {
  put_varint(w, 9000 << 3 | 0);
  put_varint(w, random_number(w));
  put_varint(w, 9001 << 3 | 3);
  put(w, "\x08\x01\x12\x01z", 5);
  put_varint(w, 9001 << 3 | 4);
}

/* In order of numbers, with gaps, and now and then a few fields once more. */
static void put_message(wire *w, const spc_message_type *type, int depth) {
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

static void compare(const test_generated *g, const uint8_t *bytes, size_t n,
                    const spc_decode_options *options, uint64_t seed) {
  spc_arena arena = test_arena();
  uint8_t *input = malloc(n == 0 ? 1 : n);
  if (n != 0) memcpy(input, bytes, n);
  const char *wrong = generated_compare(schema, g, input, n, options, &arena, out, OUT);
  if (wrong != NULL) {
    spc_error error = {0}, other = {0};
    spc_message m;
    uint32_t ref;
    spc_decode(&arena, generated_message_type(schema, g), input, n, options, &m, &error);
    spc_gen_decode(&arena, g->type, g->decode, input, n, options, &ref, &other);
    fprintf(stderr,
            "%s, seed %" PRIu64 ": %s (%s at %" PRIu64 " in %s; generated: %s at %" PRIu64
            " in %s)\n",
            g->name, seed, wrong, spc_status_name(error.status), error.offset, error.path,
            spc_status_name(other.status), other.offset, other.path);
  }
  CHECK(wrong == NULL);
  free(input);
  free(arena.base);
}

static const spc_decode_options all_options[] = {
    {.flags = SPC_DECODE_PARTIAL},
    {0},
    {.flags = SPC_DECODE_STRICT},
    {.flags = SPC_DECODE_DISCARD_UNKNOWN | SPC_DECODE_PARTIAL},
    {.max_depth = 2},
    {.max_count = 3, .flags = SPC_DECODE_PARTIAL},
};

static void random_messages_decode_and_encode_the_same(uint64_t rounds, bool damaged) {
  static uint8_t bytes[1 << 16];
  for (size_t i = 0; i < sizeof test_types / sizeof test_types[0]; i++) {
    const spc_message_type *type = generated_message_type(schema, &test_types[i]);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
      wire w = {bytes, bytes + sizeof bytes, seed * 977 + i};
      put_message(&w, type, 4);
      size_t n = (size_t)(w.p - bytes);
      if (damaged && n != 0) {
        for (uint64_t k = test_random(&w.seed) % 3; k-- > 0;)
          bytes[test_random(&w.seed) % n] = (uint8_t)test_random(&w.seed);
        if (test_random(&w.seed) % 2 == 0) n = test_random(&w.seed) % n;
      }
      const size_t options = sizeof all_options / sizeof all_options[0];
      compare(&test_types[i], bytes, n, &all_options[seed % options], seed);
    }
  }
}

int main(void) {
  spc_arena arena = test_arena();
  schema = test_schema(&arena, "conformance.fds");
  layouts_are_the_same();
  random_messages_decode_and_encode_the_same(200, false);
  random_messages_decode_and_encode_the_same(600, true);
  return test_end();
}
