/* Generated views and writers of a wide schema, against messages and their encodings. */
#include "random_wire.h"
#include "support/generated.h"
#include "visitors.h"

#define OUT ((size_t)1 << 16)

static const spc_schema *schema;
static uint8_t encoded[OUT], written[OUT];

static const visitor *visitor_of(const char *name) {
  for (size_t i = 0; i < sizeof visitors / sizeof visitors[0]; i++)
    if (strcmp(visitors[i].name, name) == 0) return &visitors[i];
  return NULL;
}

static void check_writers(const visitor *visit, const spc_arena *arena, uint32_t ref, size_t length,
                          uint64_t seed) {
  for (int back = 0; back < 2; back++) {
    size_t n = 0;
    memset(written, 0xee, sizeof written);
    spc_status status = visit->write(arena, ref, back != 0, written, sizeof written, &n);
    const uint8_t *start = back != 0 ? written + sizeof written - n : written;
    bool same = status == SPC_OK && n == length && memcmp(start, encoded, n) == 0;
    if (!same)
      fprintf(stderr, "%s, seed %" PRIu64 ", back %d: %s\n", visit->name, seed, back,
              spc_status_name(status));
    CHECK(same);
    /* Just enough room, and too little. */
    status = visit->write(arena, ref, back != 0, written, length, &n);
    CHECK(status == SPC_OK && n == length && memcmp(written, encoded, n) == 0);
    if (length == 0) continue;
    status = visit->write(arena, ref, back != 0, written, test_random(&seed) % length, &n);
    CHECK(status == SPC_BUFFER_TOO_SMALL && n == 0);
  }
}

static void check(const test_generated *g, const uint8_t *bytes, size_t n, uint64_t seed) {
  const visitor *visit = visitor_of(g->name);
  const spc_decode_options options = {.flags = SPC_DECODE_PARTIAL | SPC_DECODE_DISCARD_UNKNOWN};
  const spc_encode_options partial = {.flags = SPC_ENCODE_PARTIAL};
  spc_arena arena = test_arena();
  uint8_t *input = malloc(n == 0 ? 1 : n);
  uint32_t ref;
  size_t length;
  if (n != 0) memcpy(input, bytes, n);
  spc_status status = spc_gen_decode(&arena, g->type, g->decode, input, n, &options, &ref, NULL);
  if (status == SPC_OK) {
    bool same = visit->view(&arena, ref, input, n);
    if (!same) fprintf(stderr, "%s, seed %" PRIu64 ": a view differs\n", g->name, seed);
    CHECK(same);
    status = spc_gen_encode(&arena, g->type, g->encode, ref, encoded, OUT, &partial, &length, NULL);
    CHECK(status == SPC_OK);
    CHECK(visit->view(&arena, ref, encoded, length));
    check_writers(visit, &arena, ref, length, seed);
  } else {
    (void)visit->view(&arena, 0, input, n); /* reads nothing that is not there */
  }
  free(input);
  free(arena.base);
}

static void views_and_writers_agree_with_messages(void) {
  static uint8_t bytes[1 << 15];
  for (size_t i = 0; i < sizeof test_types / sizeof test_types[0]; i++) {
    const spc_message_type *type = generated_message_type(schema, &test_types[i]);
    for (uint64_t seed = 1; seed <= 150; seed++) {
      wire w = {bytes, bytes + sizeof bytes, seed * 977 + i};
      put_message(&w, type, 4);
      check(&test_types[i], bytes, (size_t)(w.p - bytes), seed);
    }
  }
}

int main(void) {
  spc_arena arena = test_arena();
  schema = test_schema(&arena, "conformance.fds");
  views_and_writers_agree_with_messages();
  free(arena.base);
  return test_end();
}
