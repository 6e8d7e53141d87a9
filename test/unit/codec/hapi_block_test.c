/*
 * The synthetic HAPI block of the benchmark: it has the shape that it should have and is the same
 * on every run and machine; its encoders agree; the codec decodes it and gives the same bytes back.
 */
#include "codec_support.h"
#include "hapi_descriptors.h"
#include "reference.h"
#include "spicule/sha2.h"

/* Kept so that the workload never changes unnoticed. */
#define BLOCK_DIGEST                                                                               \
  "c4ca0a11f0bc5801605f32c9d17e05e35895920d02ebbe73165dba6858d554b8"                               \
  "12aa01ef8b420a4a3ccc6b478e5b7705"
#define TRANSACTIONS_DIGEST                                                                        \
  "8b0e603ecf90e316638507150081929822eea016964b6e26a7ff8092ee2d226a"                               \
  "373115b28550773071df072d8f21e865"

static uint8_t *forward, *reverse, *block;
static size_t block_size;

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

static void shape_and_bytes_are_the_same_on_every_run(const hapi_values *values) {
  const uint32_t *w = values->words, *w2 = values->words;
  size_t items = 0, changes = 0, change_items = 0, change_bytes = 0, differing = 0;
  while (*w != HAPI_END) {
    bool of_changes = *w == HAPI_CHANGES;
    if (of_changes) changes += w[4];
    hapi_item item = hapi_write_forward(&w, values->pool, forward);
    hapi_item same = hapi_write_reverse(&w2, values->pool, reverse);
    differing +=
        item.length != same.length || w != w2 || memcmp(item.bytes, same.bytes, item.length) != 0;
    items++;
    change_items += of_changes;
    change_bytes += of_changes ? item.length : 0;
  }
  CHECK_U64(differing, 0);
  CHECK_U64((size_t)(w - values->words) + 1, values->count);
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

/* All fields are known, their order is canonical, and nothing is set to its default. */
static void decodes_and_encodes_to_the_same_bytes(const spc_schema *schema) {
  spc_arena arena = test_arena();
  spc_message m;
  spc_error error;
  spc_decode_options options = {.flags = SPC_DECODE_STRICT};
  size_t length;
  const spc_message_type *type = test_type(schema, "hapi.Block");
  CHECK(spc_decode(&arena, type, block, block_size, &options, &m, &error) == SPC_OK);
  uint8_t *out = malloc(block_size);
  CHECK(spc_encode_back(&m, out, block_size, NULL, &length, &error) == SPC_OK);
  CHECK_U64(length, block_size);
  if (length == block_size) CHECK_BYTES(out, block, block_size);
  free(out);
  free(arena.base);
}

int main(void) {
  hapi_values values = hapi_make_values(HAPI_TRANSACTIONS);
  spc_arena tables = test_arena();
  uint32_t schema;
  forward = malloc(HAPI_ITEM_SIZE + 2 * HAPI_SLACK);
  reverse = malloc(HAPI_ITEM_SIZE + 2 * HAPI_SLACK);
  block = hapi_make_block(&values, &block_size);
  CHECK(spc_schema_build(&tables, hapi_descriptors, sizeof hapi_descriptors, &schema, NULL) ==
        SPC_OK);
  shape_and_bytes_are_the_same_on_every_run(&values);
  transactions_are_the_same_on_every_run();
  decodes_and_encodes_to_the_same_bytes((const spc_schema *)spc_arena_at(&tables, schema));
  hapi_free_values(&values);
  free(tables.base);
  free(forward);
  free(reverse);
  free(block);
  return test_end();
}
