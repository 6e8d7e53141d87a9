/* The ring: what is put comes out, at every place of the ring, and untrue indices are refused. */
#include "native/ring.h"
#include "support/test.h"

#define RING_BYTES SPC_RING_MIN_BYTES

/* A writer and a reader over the same bytes, as two processes would have them. */
typedef struct ring_pair {
  uint8_t guard_before[64];
  uint8_t bytes[RING_BYTES];
  uint8_t guard_after[64];
  spc__ring writer;
  spc__ring reader;
} ring_pair;

static void ring_start(ring_pair *pair) {
  memset(pair, 0xee, sizeof *pair);
  spc__ring_init(&pair->writer, pair->bytes, RING_BYTES);
  spc__ring_init(&pair->reader, pair->bytes, RING_BYTES);
}

static void ring_check_guards(const ring_pair *pair) {
  for (size_t i = 0; i < sizeof pair->guard_before; i++)
    CHECK(pair->guard_before[i] == 0xee && pair->guard_after[i] == 0xee);
}

static void test_sizes_are_powers_of_two_in_range(void) {
  CHECK(spc__ring_size_valid(SPC_RING_MIN_BYTES));
  CHECK(spc__ring_size_valid(SPC_RING_MAX_BYTES));
  CHECK(!spc__ring_size_valid(0));
  CHECK(!spc__ring_size_valid(SPC_RING_MIN_BYTES / 2));
  CHECK(!spc__ring_size_valid(SPC_RING_MAX_BYTES * 2));
  CHECK(!spc__ring_size_valid(SPC_RING_MIN_BYTES + 8));
}

static void test_pieces_come_out_as_they_went_in(void) {
  static ring_pair pair;
  uint64_t seed = 1;
  ring_start(&pair);
  /* Start near the end of the index range, so that it wraps as well. */
  pair.writer.head = pair.writer.tail = pair.reader.head = pair.reader.tail = (uint32_t)-4096 * 4;
  for (int round = 0; round < 3000; round++) {
    uint8_t in[RING_BYTES], out[RING_BYTES];
    uint32_t length = (uint32_t)(test_random(&seed) % (RING_BYTES + 1));
    CHECK_U64(spc__ring_space(&pair.writer), RING_BYTES);
    test_random_bytes(&seed, in, length);
    spc__ring_put(&pair.writer, in, length);
    CHECK(spc__ring_see_tail(&pair.reader, pair.writer.tail));
    CHECK(spc__ring_available(&pair.reader) == ((length + 7) & ~7u));
    spc__ring_take(&pair.reader, round % 7 == 0 ? NULL : out, length);
    if (round % 7 != 0) CHECK_BYTES(out, in, length);
    CHECK(spc__ring_see_head(&pair.writer, pair.reader.head));
  }
  ring_check_guards(&pair);
}

static void test_a_full_ring_has_no_space_and_an_empty_one_nothing_to_take(void) {
  static ring_pair pair;
  uint8_t in[RING_BYTES] = {0};
  ring_start(&pair);
  CHECK_U64(spc__ring_available(&pair.reader), 0);
  spc__ring_put(&pair.writer, in, RING_BYTES);
  CHECK_U64(spc__ring_space(&pair.writer), 0);
  CHECK(spc__ring_see_tail(&pair.reader, pair.writer.tail));
  CHECK_U64(spc__ring_available(&pair.reader), RING_BYTES);
  ring_check_guards(&pair);
}

/* Brings the pair to `taken` of `put` bytes taken. */
static void ring_bring(ring_pair *pair, uint32_t put, uint32_t taken) {
  static uint8_t zeros[RING_BYTES];
  ring_start(pair);
  spc__ring_put(&pair->writer, zeros, put);
  CHECK(spc__ring_see_tail(&pair->reader, pair->writer.tail));
  spc__ring_take(&pair->reader, NULL, taken);
  CHECK(spc__ring_see_head(&pair->writer, pair->reader.head));
}

static void test_untrue_tails_are_refused_and_change_nothing(void) {
  static const uint32_t steps[] = {
      1, 4, 7, 9, RING_BYTES - 192 + 8, RING_BYTES, (uint32_t)-8, UINT32_MAX, UINT32_C(1) << 31};
  static ring_pair pair;
  ring_bring(&pair, 256, 64);
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    CHECK(!spc__ring_see_tail(&pair.reader, pair.reader.tail + steps[i]));
    CHECK_U64(spc__ring_available(&pair.reader), 192);
  }
  CHECK(spc__ring_see_tail(&pair.reader, pair.reader.tail));
  CHECK(spc__ring_see_tail(&pair.reader, pair.reader.tail + RING_BYTES - 192));
}

static void test_untrue_heads_are_refused_and_change_nothing(void) {
  static const uint32_t steps[] = {
      1, 4, 7, 200, 191, (uint32_t)-8, UINT32_MAX, RING_BYTES, UINT32_C(1) << 31};
  static ring_pair pair;
  ring_bring(&pair, 256, 64);
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    CHECK(!spc__ring_see_head(&pair.writer, pair.writer.head + steps[i]));
    CHECK_U64(spc__ring_space(&pair.writer), RING_BYTES - 192);
  }
  CHECK(spc__ring_see_head(&pair.writer, pair.writer.head));
  CHECK(spc__ring_see_head(&pair.writer, pair.writer.head + 192));
}

static void test_random_indices_never_lead_out_of_the_ring(void) {
  static ring_pair pair;
  uint64_t seed = 2;
  uint8_t bytes[RING_BYTES];
  ring_start(&pair);
  for (int round = 0; round < 20000; round++) {
    uint32_t index = (uint32_t)test_random(&seed);
    if (round % 2 == 0) index = pair.reader.tail + (index & 0x1ff8);
    if (spc__ring_see_tail(&pair.reader, index)) {
      uint32_t available = spc__ring_available(&pair.reader);
      CHECK(available <= RING_BYTES);
      spc__ring_take(&pair.reader, bytes, available);
    }
    index = round % 2 == 0 ? pair.writer.head + (index & 0x1ff8) : index;
    if (spc__ring_see_head(&pair.writer, index)) {
      uint32_t space = spc__ring_space(&pair.writer);
      CHECK(space <= RING_BYTES);
      spc__ring_put(&pair.writer, bytes, space);
    }
  }
  ring_check_guards(&pair);
}

int main(void) {
  test_sizes_are_powers_of_two_in_range();
  test_pieces_come_out_as_they_went_in();
  test_a_full_ring_has_no_space_and_an_empty_one_nothing_to_take();
  test_untrue_tails_are_refused_and_change_nothing();
  test_untrue_heads_are_refused_and_change_nothing();
  test_random_indices_never_lead_out_of_the_ring();
  return test_end();
}
