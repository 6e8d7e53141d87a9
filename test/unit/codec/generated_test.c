/* Generated decoders and encoders against tables: layout, random messages, damaged ones. */
#include "codec_support.h"
#include "random_wire.h"
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

/* Found by fuzzing. */
static void bad_bools_are_found_at_their_field(void) {
  static const uint8_t truncated[] = {0x08, 1, 0x68};
  static const uint8_t overlong[] = {0x68, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  for (size_t i = 0; i < sizeof test_types / sizeof test_types[0]; i++) {
    compare(&test_types[i], truncated, sizeof truncated, NULL, 0);
    compare(&test_types[i], overlong, sizeof overlong, NULL, 0);
  }
}

int main(void) {
  spc_arena arena = test_arena();
  schema = test_schema(&arena, "conformance.fds");
  layouts_are_the_same();
  bad_bools_are_found_at_their_field();
  random_messages_decode_and_encode_the_same(200, false);
  random_messages_decode_and_encode_the_same(600, true);
  return test_end();
}
