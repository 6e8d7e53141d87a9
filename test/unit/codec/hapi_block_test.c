/*
 * The synthetic HAPI block of the benchmark: it has the shape that it should have and is the same
 * on every run and machine; its encoders agree; the codec decodes it and gives the same bytes back.
 */
#include "codec_support.h"
#include "dynamic.h"
#ifdef TEST_GENERATED_HAPI
#include "generated.h"
#endif
#include "records.h"
#include "spicule/sha2.h"

/* Kept so that the workload never changes unnoticed. */
#define BLOCK_DIGEST                                                                               \
  "6d316fab6289d9e205466ac3480098932dbe836ceb7230ff0ede5b8fae400585"                               \
  "9e7200f254b09c1bf4cafb43d643cae1"
#define TRANSACTIONS_DIGEST                                                                        \
  "8b0e603ecf90e316638507150081929822eea016964b6e26a7ff8092ee2d226a"                               \
  "373115b28550773071df072d8f21e865"

#define RECORDS_SIZE ((size_t)192 << 20)

static uint8_t *forward, *reverse, *block;
static size_t block_size;
static hapi_values values;
static hapi_records records;
static hapi_dynamic *dynamic;

static void check_digest(const char *what, const void *bytes, size_t length, const char *expected) {
  uint8_t digest[SPC_SHA384_BYTES];
  char hex[2 * SPC_SHA384_BYTES + 1];
  spc_sha384(digest, (const uint8_t *)bytes, length);
  for (size_t i = 0; i < sizeof digest; i++)
    snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  test_checks++;
  if (strcmp(hex, expected) == 0) return;
  test_failures++;
  fprintf(stderr, "SHA-384 of the %s is %s\n", what, hex);
}

static bool within(double value, double middle, double percent) {
  return value >= middle * (1 - percent / 100) && value <= middle * (1 + percent / 100);
}

static void shape_and_bytes_are_the_same_on_every_run(void) {
  const uint32_t *w = values.words, *w2 = values.words;
  size_t items = 0, changes = 0, change_items = 0, change_bytes = 0, differing = 0;
  while (*w != HAPI_END) {
    bool of_changes = *w == HAPI_CHANGES;
    if (of_changes) changes += w[4];
    hapi_item item = hapi_write_forward(&w, values.pool, forward);
    hapi_item same = hapi_write_reverse(&w2, values.pool, reverse);
    differing +=
        item.length != same.length || w != w2 || memcmp(item.bytes, same.bytes, item.length) != 0;
    items++;
    change_items += of_changes;
    change_bytes += of_changes ? item.length : 0;
  }
  CHECK_U64(differing, 0);
  CHECK_U64((size_t)(w - values.words) + 1, values.count);
  CHECK_U64(change_items, HAPI_TRANSACTIONS);
  const double n = HAPI_TRANSACTIONS;
  CHECK(within((double)items / n, 9.58, 2));
  CHECK(within((double)changes / n, 12.67, 2));
  CHECK(within((double)block_size / n, 815, 3));
  CHECK(within((double)change_bytes / n, 434, 4));
  check_digest("block", block, block_size, BLOCK_DIGEST);
}

static void transactions_are_the_same_on_every_run(void) {
  hapi_transactions t = hapi_make_transactions(HAPI_TRANSACTIONS);
  CHECK_U64(t.count, HAPI_TRANSACTIONS);
  check_digest("transactions", t.bytes, t.offsets[t.count], TRANSACTIONS_DIGEST);
  hapi_free_transactions(&t);
}

/* Objects forward and back to front, writers and the reference encoders. */
static void every_producer_gives_the_same_bytes_for_every_item(void) {
  const uint32_t *w[4] = {values.words, values.words, values.words, values.words};
  spc_arena arena = test_arena();
  uint8_t *out = malloc(HAPI_ITEM_SIZE);
  size_t failed = 0, differing = 0;
  while (*w[0] != HAPI_END) {
    hapi_item item = hapi_write_forward(&w[0], values.pool, forward);
    hapi_item same = hapi_write_reverse(&w[1], values.pool, reverse);
    differing += same.length != item.length || memcmp(same.bytes, item.bytes, item.length) != 0;
    size_t length = 0;
    failed += hapi_dynamic_write(dynamic, &w[2], values.pool, out, &length) != SPC_OK;
    differing += length != item.length || memcmp(out, item.bytes, item.length) != 0;
    spc_message m;
    spc_arena_reset(&arena);
    failed += hapi_dynamic_build(dynamic, &arena, &w[3], values.pool, &m) != SPC_OK;
    failed += spc_encode(&m, out, HAPI_ITEM_SIZE, NULL, &length, NULL) != SPC_OK;
    differing += length != item.length || memcmp(out, item.bytes, item.length) != 0;
    failed += spc_encode_back(&m, out, HAPI_ITEM_SIZE, NULL, &length, NULL) != SPC_OK;
    const uint8_t *back = out + HAPI_ITEM_SIZE - length;
    differing += length != item.length || memcmp(back, item.bytes, item.length) != 0;
  }
  CHECK_U64(failed, 0);
  CHECK_U64(differing, 0);
  free(out);
  free(arena.base);
}

/* Compares each item with what the reference writes for it. */
static void compare_item(void *user, const uint8_t *bytes, size_t length) {
  const uint32_t **words = (const uint32_t **)user;
  hapi_item item = hapi_write_forward(words, values.pool, forward);
  CHECK(item.length == length && memcmp(item.bytes, bytes, length) == 0);
}

#ifdef TEST_GENERATED_HAPI
static void generated_code_gives_the_same_bytes_for_every_item_and_the_same_sums(void) {
  const uint32_t *w[4] = {values.words, values.words, values.words, values.words};
  spc_arena arena = test_arena();
  uint8_t *out = malloc(HAPI_ITEM_SIZE);
  size_t failed = 0, differing = 0;
  while (*w[0] != HAPI_END) {
    hapi_item item = hapi_write_forward(&w[0], values.pool, forward);
    uint32_t ref = 0;
    size_t length = 0;
    spc_arena_reset(&arena);
    failed += hapi_generated_write(&w[2], values.pool, out, &length) != SPC_OK;
    differing += length != item.length || memcmp(out, item.bytes, item.length) != 0;
    failed += hapi_generated_write_reverse(&w[3], values.pool, out, &length) != SPC_OK;
    const uint8_t *back = out + HAPI_ITEM_SIZE - length;
    differing += length != item.length || memcmp(back, item.bytes, item.length) != 0;
    failed += hapi_generated_build(&arena, &w[1], values.pool, &ref) != SPC_OK;
    failed += hapi_generated_encode(&arena, ref, out, HAPI_ITEM_SIZE, &length) != SPC_OK;
    differing += length != item.length || memcmp(out, item.bytes, item.length) != 0;
    failed += hapi_generated_encode_back(&arena, ref, out, HAPI_ITEM_SIZE, &length) != SPC_OK;
    back = out + HAPI_ITEM_SIZE - length;
    differing += length != item.length || memcmp(back, item.bytes, item.length) != 0;
  }
  CHECK_U64(failed, 0);
  CHECK_U64(differing, 0);
  uint32_t ref, sum;
  spc_arena_reset(&arena);
  CHECK(hapi_generated_decode(&arena, HAPI_ROOT_BLOCK, block, block_size, &ref) == SPC_OK);
  CHECK(hapi_scan_block(&records, block, block_size, &sum));
  CHECK_U64(hapi_generated_sum(&arena, HAPI_ROOT_BLOCK, ref), sum);
  uint32_t view_sum;
  CHECK(hapi_generated_sum_view(HAPI_ROOT_BLOCK, block, block_size, &view_sum) == SPC_OK);
  CHECK_U64(view_sum, sum);
  const uint32_t *words = values.words;
  /* A message that is open may need some bytes more than it will have. */
  const size_t room = block_size + 16;
  uint8_t *written = malloc(room);
  size_t length;
  CHECK(hapi_generated_write_block(&values, written, room, &length, compare_item, &words) ==
        SPC_OK);
  CHECK_U64(length, block_size);
  CHECK_BYTES(written, block, block_size);
  free(written);
  free(out);
  free(arena.base);
}
#endif

static void whole_block_writer_gives_the_same_bytes_and_items(void) {
  const uint32_t *words = values.words;
  uint8_t *out = malloc(block_size);
  size_t length;
  CHECK(hapi_dynamic_write_block(dynamic, &values, out, block_size, &length, compare_item,
                                 &words) == SPC_OK);
  CHECK_U64(length, block_size);
  CHECK_BYTES(out, block, block_size);
  CHECK(hapi_dynamic_write_block(dynamic, &values, out, block_size - 1, &length, compare_item,
                                 &(const uint32_t *){values.words}) == SPC_BUFFER_TOO_SMALL);
  free(out);
}

/* All fields are known, their order is canonical, and nothing is set to its default. */
static void every_reader_gives_the_same_sum_and_bytes(void) {
  spc_arena arena = test_arena();
  spc_message m;
  spc_error error;
  spc_decode_options options = {.flags = SPC_DECODE_STRICT};
  spc_view view;
  size_t length;
  uint32_t sum, view_sum = 0;
  const spc_message_type *type = hapi_dynamic_type(dynamic, "hapi.Block");
  records.used = 8;
  records.input = block;
  CHECK(hapi_scan_block(&records, block, block_size, &sum));
  CHECK_U64(records.used, 8); /* nothing out of the ordinary */
  const hapi_Block *record = hapi_decode_Block(&records, block, block_size, HAPI_DEPTH);
  CHECK(record != NULL && hapi_sum_Block(&records, record) == sum);
  CHECK(spc_decode(&arena, type, block, block_size, &options, &m, &error) == SPC_OK);
  CHECK_U64(hapi_dynamic_sum(dynamic, &m), sum);
  spc_view_init(&view, type, block, block_size);
  CHECK(hapi_dynamic_sum_view(dynamic, &view, &view_sum) == SPC_OK);
  CHECK_U64(view_sum, sum);
  uint8_t *out = malloc(block_size);
  CHECK(spc_encode_back(&m, out, block_size, NULL, &length, &error) == SPC_OK);
  CHECK_U64(length, block_size);
  if (length == block_size) CHECK_BYTES(out, block, block_size);
  free(out);
  free(arena.base);
}

/* The offsets of bytes are those of the input. */
static void light_decoder_gives_the_values_back(void) {
  uint32_t *words = malloc((block_size + 8) * sizeof *words);
  size_t count = hapi_decode_light(words, block, block_size);
  CHECK_U64(count, values.count);
  hapi_values light = {.words = words, .count = count, .pool = block, .pool_size = block_size};
  size_t length;
  uint8_t *same = hapi_make_block(&light, &length);
  CHECK_U64(length, block_size);
  CHECK_BYTES(same, block, block_size);
  free(same);
  free(words);
}

/* The sum of a SignedTransaction and its body, by objects and by views. */
static uint32_t sum_transaction(spc_arena *arena, const uint8_t *bytes, size_t length,
                                uint32_t *view_sum) {
  static const spc_message_type *types[2];
  static const spc_field *body;
  spc_message m;
  spc_view view;
  spc_view_value value;
  uint32_t sum = 0;
  if (body == NULL) {
    types[0] = hapi_dynamic_type(dynamic, "hapi.SignedTransaction");
    types[1] = hapi_dynamic_type(dynamic, "hapi.TransactionBody");
    body = test_field(types[0], "bodyBytes");
  }
  *view_sum = 0;
  spc_view_init(&view, types[0], bytes, length);
  for (size_t i = 0; i < 2; i++) {
    if (hapi_dynamic_sum_view(dynamic, &view, view_sum) != SPC_OK) return 0;
    spc_arena_reset(arena);
    if (spc_decode(arena, types[i], view.begin, (size_t)(view.end - view.begin), NULL, &m, NULL) !=
        SPC_OK)
      return 0;
    sum += hapi_dynamic_sum(dynamic, &m);
    if (i == 0 && spc_view_get(&view, body, &value, NULL) == SPC_OK)
      spc_view_init(&view, types[1], value.bytes, value.length);
  }
  return sum;
}

static void every_reader_gives_the_same_sum_of_transactions(void) {
  hapi_transactions t = hapi_make_transactions(HAPI_TRANSACTIONS / 10);
  spc_arena arena = test_arena();
  size_t differing = 0;
  uint32_t *words = malloc(HAPI_ITEM_SIZE * sizeof *words);
  for (size_t i = 0; i < t.count; i++) {
    const uint8_t *bytes = t.bytes + t.offsets[i];
    size_t length = t.offsets[i + 1] - t.offsets[i];
    uint32_t scan, views;
    uint32_t objects = sum_transaction(&arena, bytes, length, &views);
    differing += !hapi_scan_transaction(&records, bytes, length, &scan);
    records.used = 8;
    records.input = bytes;
    const hapi_SignedTransaction *transaction =
        hapi_decode_SignedTransaction(&records, bytes, length, HAPI_DEPTH);
    const hapi_TransactionBody *body = hapi_decode_TransactionBody(
        &records, bytes + transaction->bodyBytes.offset, transaction->bodyBytes.length, HAPI_DEPTH);
    uint32_t record = hapi_sum_SignedTransaction(&records, transaction);
    if (body != NULL) record += hapi_sum_TransactionBody(&records, body);
    differing += objects != scan || views != scan || record != scan;
    differing += hapi_decode_light_transaction(words, bytes, length) == 0 ||
                 hapi_sum_light_transaction(words, bytes, length) != scan;
  }
  CHECK_U64(differing, 0);
  free(words);
  hapi_free_transactions(&t);
  free(arena.base);
}

/* What the reference takes, out of the ordinary as it may be, means the same to the codec. */
static bool reads_as_the_codec_does(spc_arena *arena, const uint8_t *bytes, size_t length) {
  static const spc_message_type *type;
  spc_message m;
  uint32_t sum = 0;
  if (type == NULL) type = hapi_dynamic_type(dynamic, "hapi.BlockItem");
  spc_arena_reset(arena);
  records.used = 8;
  records.input = bytes;
  spc_status status = spc_decode(arena, type, bytes, length, NULL, &m, NULL);
  const hapi_BlockItem *record = hapi_decode_BlockItem(&records, bytes, length, HAPI_DEPTH);
  bool scanned = hapi_scan_item(&records, bytes, length, &sum);
  if (scanned != (record != NULL)) return false;
  if (record == NULL) return true;
  if (sum != hapi_sum_BlockItem(&records, record)) return false;
  return status == SPC_OK ? sum == hapi_dynamic_sum(dynamic, &m) : status == SPC_BAD_UTF8;
}

static void reference_readers_agree_with_the_codec_on_damaged_items(void) {
  spc_arena arena = test_arena();
  const uint32_t *words = values.words;
  uint64_t seed = 1;
  size_t differing = 0, accepted = 0;
  for (unsigned i = 0; i < 20000; i++) {
    hapi_item item = hapi_write_forward(&words, values.pool, forward);
    size_t length = item.length;
    for (unsigned flips = (unsigned)(i % 3); flips > 0; flips--)
      forward[test_random(&seed) % length] ^= (uint8_t)(1u << test_random(&seed) % 8);
    if (i % 4 == 0) { /* twice the same: messages merge */
      memcpy(forward + length, forward, length);
      length *= 2;
    }
    memset(forward + length, 0, HAPI_SLACK);
    differing += !reads_as_the_codec_does(&arena, forward, length);
    records.used = 8;
    accepted += hapi_decode_BlockItem(&records, forward, length, HAPI_DEPTH) != NULL;
  }
  CHECK_U64(differing, 0);
  CHECK(accepted > 8000 && accepted < 19000);
  free(arena.base);
}

int main(void) {
  values = hapi_make_values(HAPI_TRANSACTIONS);
  dynamic = hapi_dynamic_make();
  forward = malloc(HAPI_ITEM_SIZE + 2 * HAPI_SLACK);
  reverse = malloc(HAPI_ITEM_SIZE + 2 * HAPI_SLACK);
  block = hapi_make_block(&values, &block_size);
  records = (hapi_records){.base = malloc(RECORDS_SIZE), .size = RECORDS_SIZE, .used = 8};
  shape_and_bytes_are_the_same_on_every_run();
  transactions_are_the_same_on_every_run();
  every_producer_gives_the_same_bytes_for_every_item();
#ifdef TEST_GENERATED_HAPI
  generated_code_gives_the_same_bytes_for_every_item_and_the_same_sums();
#endif
  whole_block_writer_gives_the_same_bytes_and_items();
  every_reader_gives_the_same_sum_and_bytes();
  light_decoder_gives_the_values_back();
  every_reader_gives_the_same_sum_of_transactions();
  reference_readers_agree_with_the_codec_on_damaged_items();
  hapi_free_values(&values);
  hapi_dynamic_free(dynamic);
  free(records.base);
  free(forward);
  free(reverse);
  free(block);
  return test_end();
}
