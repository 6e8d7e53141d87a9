/*
 * The rows of the codec suite: the synthetic HAPI block and its transactions, by the hand-written
 * reference, by generated code and through the codec's tables, which is what variants end in
 * "-table" for. One operation is one transaction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "dynamic.h"
#include "generated.h"
#include "read_fast.h"
#include "records.h"
#include "spicule/sha2.h"

/* Transactions whose objects fit into the caches of a core: what a hot arena means. */
#define CODEC_HOT 64u

#define CODEC_RECORDS ((size_t)192 << 20)

static struct {
  bool ready;
  hapi_values values;
  hapi_transactions transactions;
  uint8_t *block;
  size_t block_size;
  hapi_dynamic *dynamic;
  const spc_message_type *item_type, *types[3]; /* by hapi_root */
  spc_arena arena;                              /* reset by each row that uses it */
  spc_arena objects;                            /* the block's items, made once */
  uint32_t *items;
  size_t item_count, hot_count;
  hapi_records records;
  uint32_t *words; /* of the light reference decoder */
  uint8_t *out;    /* for one item, or the block */
  size_t out_size;
  uint32_t sum;
  size_t allocated, peak; /* bytes, by the last run */
} codec;

static size_t codec_transactions(void) {
  return bench_quick ? HAPI_QUICK_TRANSACTIONS : HAPI_TRANSACTIONS;
}

static void *codec_need(void *memory) {
  if (memory == NULL) {
    fprintf(stderr, "Out of memory\n");
    exit(1);
  }
  return memory;
}

static void codec_check(bool right, const char *what) {
  if (right) return;
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}

static void *codec_grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user, (void)used;
  *size = needed + needed / 2;
  return realloc(base, *size);
}

/* ---- Two ways: tables, generated code --------------------------------------------------------*/

typedef struct codec_way {
  spc_status (*build)(spc_arena *arena, const uint32_t **words, const uint8_t *pool,
                      uint32_t *item);
  spc_status (*encode)(const spc_arena *arena, uint32_t item, uint8_t *out, size_t capacity,
                       size_t *length);
  spc_status (*encode_back)(const spc_arena *arena, uint32_t item, uint8_t *out, size_t capacity,
                            size_t *length);
  spc_status (*decode)(spc_arena *arena, hapi_root root, const uint8_t *bytes, size_t length,
                       uint32_t *message);
  uint32_t (*sum)(const spc_arena *arena, hapi_root root, uint32_t message);
  spc_status (*write)(const uint32_t **words, const uint8_t *pool, uint8_t *out, size_t *length);
  spc_status (*write_back)(const uint32_t **words, const uint8_t *pool, uint8_t *out,
                           size_t *length); /* NULL: there is none */
  spc_status (*write_block)(const hapi_values *values, uint8_t *out, size_t capacity,
                            size_t *length,
                            void (*each)(void *user, const uint8_t *item, size_t length),
                            void *user);
  spc_status (*sum_view)(hapi_root root, const uint8_t *bytes, size_t length, uint32_t *sum);
} codec_way;

static spc_message codec_message(const spc_arena *arena, const spc_message_type *type,
                                 uint32_t ref) {
  return (spc_message){(spc_arena *)(uintptr_t)arena, type, ref};
}

static spc_status codec_table_build(spc_arena *arena, const uint32_t **words, const uint8_t *pool,
                                    uint32_t *item) {
  spc_message message = {NULL, NULL, 0};
  spc_status status = hapi_dynamic_build(codec.dynamic, arena, words, pool, &message);
  *item = message.ref;
  return status;
}

static spc_status codec_table_encode(const spc_arena *arena, uint32_t item, uint8_t *out,
                                     size_t capacity, size_t *length) {
  spc_message message = codec_message(arena, codec.item_type, item);
  return spc_encode(&message, out, capacity, NULL, length, NULL);
}

static spc_status codec_table_encode_back(const spc_arena *arena, uint32_t item, uint8_t *out,
                                          size_t capacity, size_t *length) {
  spc_message message = codec_message(arena, codec.item_type, item);
  return spc_encode_back(&message, out, capacity, NULL, length, NULL);
}

static spc_status codec_table_decode(spc_arena *arena, hapi_root root, const uint8_t *bytes,
                                     size_t length, uint32_t *ref) {
  spc_message message = {NULL, NULL, 0};
  spc_status status = spc_decode(arena, codec.types[root], bytes, length, NULL, &message, NULL);
  *ref = message.ref;
  return status;
}

static uint32_t codec_table_sum(const spc_arena *arena, hapi_root root, uint32_t ref) {
  spc_message message = codec_message(arena, codec.types[root], ref);
  return hapi_dynamic_sum(codec.dynamic, &message);
}

static spc_status codec_table_write(const uint32_t **words, const uint8_t *pool, uint8_t *out,
                                    size_t *length) {
  return hapi_dynamic_write(codec.dynamic, words, pool, out, length);
}

static spc_status
codec_table_write_block(const hapi_values *values, uint8_t *out, size_t capacity, size_t *length,
                        void (*each)(void *user, const uint8_t *item, size_t length), void *user) {
  return hapi_dynamic_write_block(codec.dynamic, values, out, capacity, length, each, user);
}

static spc_status codec_table_sum_view(hapi_root root, const uint8_t *bytes, size_t length,
                                       uint32_t *sum) {
  spc_view view;
  *sum = 0;
  spc_view_init(&view, codec.types[root], bytes, length);
  return hapi_dynamic_sum_view(codec.dynamic, &view, sum);
}

static const codec_way codec_tables = {codec_table_build,
                                       codec_table_encode,
                                       codec_table_encode_back,
                                       codec_table_decode,
                                       codec_table_sum,
                                       codec_table_write,
                                       NULL,
                                       codec_table_write_block,
                                       codec_table_sum_view};
#ifdef BENCH_CODEC_GENERATED
static const codec_way codec_generated = {
    hapi_generated_build,         hapi_generated_encode,      hapi_generated_encode_back,
    hapi_generated_decode,        hapi_generated_sum,         hapi_generated_write,
    hapi_generated_write_reverse, hapi_generated_write_block, hapi_generated_sum_view};
#else
static const codec_way codec_generated; /* its rows are not in the list */
#endif

/* Arguments of rows. */
enum { CODEC_GENERATED = 1, CODEC_BACK = 2 };

static const codec_way *codec_way_of(size_t argument) {
  return (argument & CODEC_GENERATED) != 0 ? &codec_generated : &codec_tables;
}

/* ---- Items -----------------------------------------------------------------------------------*/

static hapi_item codec_encode(const spc_arena *arena, uint32_t item, size_t argument) {
  const codec_way *way = codec_way_of(argument);
  size_t length = 0;
  if ((argument & CODEC_BACK) != 0) {
    codec_check(way->encode_back(arena, item, codec.out, HAPI_ITEM_SIZE, &length) == SPC_OK,
                "Encoding");
    return (hapi_item){codec.out + HAPI_ITEM_SIZE - length, length};
  }
  codec_check(way->encode(arena, item, codec.out, HAPI_ITEM_SIZE, &length) == SPC_OK, "Encoding");
  return (hapi_item){codec.out, length};
}

/* The item at `*words` through an object. */
static hapi_item codec_objects(const uint32_t **words, size_t argument) {
  uint32_t item = 0;
  spc_arena_reset(&codec.arena);
  codec_check(codec_way_of(argument)->build(&codec.arena, words, codec.values.pool, &item) ==
                  SPC_OK,
              "Making an object");
  codec.allocated += spc_arena_used(&codec.arena);
  return codec_encode(&codec.arena, item, argument);
}

/* The item at `*words` through a writer. */
static hapi_item codec_write(const uint32_t **words, size_t argument) {
  const codec_way *way = codec_way_of(argument);
  const bool back = (argument & CODEC_BACK) != 0;
  size_t length = 0;
  codec_check((back ? way->write_back : way->write)(words, codec.values.pool, codec.out, &length) ==
                  SPC_OK,
              "A writer");
  return (hapi_item){back ? codec.out + HAPI_ITEM_SIZE - length : codec.out, length};
}

static hapi_item codec_reference(const uint32_t **words, size_t argument) {
  return (argument & CODEC_BACK) != 0 ? hapi_write_reverse(words, codec.values.pool, codec.out)
                                      : hapi_write_forward(words, codec.values.pool, codec.out);
}

/* The item in a new buffer of its size, which is freed again. */
static void codec_to_bytes(hapi_item item) {
  uint8_t *bytes = codec_need(malloc(item.length));
  memcpy(bytes, item.bytes, item.length);
  codec.sum += bytes[item.length - 1];
  codec.allocated += item.length;
  free(bytes);
}

/* ---- Preparation -----------------------------------------------------------------------------*/

static void codec_prepare(const bench_row *row) {
  (void)row;
  if (codec.ready) return;
  codec.ready = true;
  codec.values = hapi_make_values(codec_transactions());
  codec.transactions = hapi_make_transactions(codec_transactions());
  codec.block = hapi_make_block(&codec.values, &codec.block_size);
  codec.dynamic = hapi_dynamic_make();
  codec.item_type = hapi_dynamic_type(codec.dynamic, "hapi.BlockItem");
  codec.types[HAPI_ROOT_BLOCK] = hapi_dynamic_type(codec.dynamic, "hapi.Block");
  codec.types[HAPI_ROOT_SIGNED] = hapi_dynamic_type(codec.dynamic, "hapi.SignedTransaction");
  codec.types[HAPI_ROOT_BODY] = hapi_dynamic_type(codec.dynamic, "hapi.TransactionBody");
  codec.records = (hapi_records){codec_need(malloc(CODEC_RECORDS)), CODEC_RECORDS, 8, NULL};
  codec.words = codec_need(malloc((codec.block_size + 8) * sizeof *codec.words));
  codec.out_size = codec.block_size + HAPI_ITEM_SIZE;
  codec.out = codec_need(malloc(codec.out_size));
  spc_arena_init(&codec.arena, NULL, 0, codec_grow, NULL);
  spc_arena_init(&codec.objects, NULL, 0, codec_grow, NULL);
}

/* The objects of the whole block, once: encoding leaves them as they are. */
static void codec_prepare_objects(const bench_row *row) {
  codec_prepare(row);
  if (codec.items != NULL) return;
  const uint32_t *words = codec.values.words;
  size_t capacity = 0, transactions = 0;
  for (; *words != HAPI_END; codec.item_count++) {
    if (codec.item_count == capacity) {
      capacity = 2 * capacity + 1024;
      codec.items = codec_need(realloc(codec.items, capacity * sizeof *codec.items));
    }
    if (*words == HAPI_SIGNED && ++transactions == CODEC_HOT + 1)
      codec.hot_count = codec.item_count;
    codec_check(codec_table_build(&codec.objects, &words, codec.values.pool,
                                  &codec.items[codec.item_count]) == SPC_OK,
                "Making an object");
  }
}

/* ---- Rows of producing -----------------------------------------------------------------------*/

/* Makes the item at `*words` and moves on. */
typedef hapi_item (*codec_maker)(const uint32_t **words, size_t argument);

#define CODEC_EACH_ITEM(make, use)                                                                 \
  const uint32_t *words = codec.values.words;                                                      \
  codec.allocated = 0;                                                                             \
  while (*words != HAPI_END)                                                                       \
  use(make(&words, row->argument))
#define CODEC_ADD_LENGTH(item) codec.sum += (uint32_t)(item).length

static void codec_produce_reference(const bench_row *row) {
  CODEC_EACH_ITEM(codec_reference, CODEC_ADD_LENGTH);
}

static void codec_produce_written(const bench_row *row) {
  CODEC_EACH_ITEM(codec_write, CODEC_ADD_LENGTH);
}

static void codec_produce_objects(const bench_row *row) {
  CODEC_EACH_ITEM(codec_objects, CODEC_ADD_LENGTH);
}

static void codec_produce_to_bytes(const bench_row *row) {
  CODEC_EACH_ITEM(codec_objects, codec_to_bytes);
}

/* Items one after the other, each behind its length. */
typedef struct codec_digest {
  spc_sha256_stream stream;
} codec_digest;

static void codec_add(codec_digest *digest, hapi_item item) {
  uint32_t length = (uint32_t)item.length;
  spc_sha256_update(&digest->stream, (const uint8_t *)&length, sizeof length);
  spc_sha256_update(&digest->stream, item.bytes, item.length);
}

static void codec_end(codec_digest *digest, char text[BENCH_RESULT_SIZE]) {
  uint8_t bytes[SPC_SHA256_BYTES];
  spc_sha256_final(&digest->stream, bytes);
  bench_print_result(text, "items", bytes, sizeof bytes);
}

static void codec_digest_items(const bench_row *row, codec_maker make,
                               char text[BENCH_RESULT_SIZE]) {
  const uint32_t *words = codec.values.words;
  codec_digest digest;
  spc_sha256_init(&digest.stream);
  while (*words != HAPI_END)
    codec_add(&digest, make(&words, row->argument));
  codec_end(&digest, text);
}

static void codec_reference_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_digest_items(row, codec_reference, text);
}

static void codec_written_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_digest_items(row, codec_write, text);
}

static void codec_objects_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_digest_items(row, codec_objects, text);
}

static void codec_hash_item(void *user, const uint8_t *item, size_t length) {
  uint8_t digest[SPC_SHA384_BYTES];
  (void)user;
  spc_sha384(digest, item, length);
  codec.sum += digest[0];
}

static void codec_take_item(void *user, const uint8_t *item, size_t length) {
  codec_add((codec_digest *)user, (hapi_item){item, length});
}

static void codec_write_block(const bench_row *row) {
  size_t length;
  codec_check(codec_way_of(row->argument)
                      ->write_block(&codec.values, codec.out, codec.out_size, &length,
                                    codec_hash_item, NULL) == SPC_OK,
              "The writer of the block");
}

static void codec_write_block_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_digest digest;
  size_t length;
  spc_sha256_init(&digest.stream);
  codec_check(codec_way_of(row->argument)
                      ->write_block(&codec.values, codec.out, codec.out_size, &length,
                                    codec_take_item, &digest) == SPC_OK,
              "The writer of the block");
  codec_end(&digest, text);
}

/* ---- Rows of encoding ------------------------------------------------------------------------*/

static void codec_encode_all(const bench_row *row) {
  size_t count = row->operations == CODEC_HOT ? codec.hot_count : codec.item_count;
  codec.allocated = 0;
  for (size_t i = 0; i < count; i++)
    CODEC_ADD_LENGTH(codec_encode(&codec.objects, codec.items[i], row->argument));
}

static void codec_encode_to_bytes(const bench_row *row) {
  codec.allocated = 0;
  for (size_t i = 0; i < codec.item_count; i++)
    codec_to_bytes(codec_encode(&codec.objects, codec.items[i], row->argument));
}

static void codec_encode_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_digest digest;
  spc_sha256_init(&digest.stream);
  for (size_t i = 0; i < codec.item_count; i++)
    codec_add(&digest, codec_encode(&codec.objects, codec.items[i], row->argument));
  codec_end(&digest, text);
}

/* ---- Rows of the block's bytes ---------------------------------------------------------------*/

static const hapi_Block *codec_record(void) {
  codec.records.used = 8;
  codec.records.input = codec.block;
  const hapi_Block *record =
      hapi_decode_Block(&codec.records, codec.block, codec.block_size, HAPI_DEPTH);
  codec_check(record != NULL, "The reference decoder");
  codec.allocated = codec.peak = codec.records.used;
  return record;
}

static uint32_t codec_decode(size_t argument, hapi_root root, const uint8_t *bytes, size_t length) {
  uint32_t message = 0;
  codec_check(codec_way_of(argument)->decode(&codec.arena, root, bytes, length, &message) == SPC_OK,
              "Decoding");
  return message;
}

/* Takes note of what the arena holds, before it is used anew. */
static void codec_note_arena(void) {
  size_t used = spc_arena_used(&codec.arena);
  codec.allocated += used;
  if (used > codec.peak) codec.peak = used;
}

static uint32_t codec_decode_block(const bench_row *row) {
  codec.allocated = codec.peak = 0;
  spc_arena_reset(&codec.arena);
  uint32_t message = codec_decode(row->argument, HAPI_ROOT_BLOCK, codec.block, codec.block_size);
  codec_note_arena();
  return message;
}

static void codec_run_decode(const bench_row *row) {
  (void)codec_decode_block(row);
}

static void codec_run_light(const bench_row *row) {
  (void)row;
  codec.allocated = codec.peak =
      sizeof *codec.words * hapi_decode_light(codec.words, codec.block, codec.block_size);
}

/* The items that are made of the words again. */
static void codec_light_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  const uint32_t *words = codec.words;
  codec_digest digest;
  codec_run_light(row);
  spc_sha256_init(&digest.stream);
  while (*words != HAPI_END)
    codec_add(&digest, hapi_write_forward(&words, codec.block, codec.out));
  codec_end(&digest, text);
}

static void codec_run_record(const bench_row *row) {
  (void)row;
  (void)codec_record();
}

static void codec_sum_record(const bench_row *row) {
  (void)row;
  codec.sum = hapi_sum_Block(&codec.records, codec_record());
}

static void codec_sum_objects(const bench_row *row) {
  uint32_t message = codec_decode_block(row);
  codec.sum = codec_way_of(row->argument)->sum(&codec.arena, HAPI_ROOT_BLOCK, message);
}

static void codec_sum_views(const bench_row *row) {
  codec_check(codec_way_of(row->argument)
                      ->sum_view(HAPI_ROOT_BLOCK, codec.block, codec.block_size, &codec.sum) ==
                  SPC_OK,
              "A view");
}

static void codec_scan(const bench_row *row) {
  (void)row;
  codec_check(hapi_scan_block(&codec.records, codec.block, codec.block_size, &codec.sum),
              "The reference scan");
}

/* ---- Rows of transactions --------------------------------------------------------------------*/

/* Takes one transaction; with `sum` adds up what is in it. */
typedef uint32_t (*codec_reader)(const uint8_t *bytes, size_t length, size_t argument, bool sum);

static uint32_t codec_tx_records(const uint8_t *bytes, size_t length, size_t argument, bool sum) {
  (void)argument;
  hapi_records *r = &codec.records;
  r->used = 8;
  r->input = bytes;
  const hapi_SignedTransaction *signed_ =
      hapi_decode_SignedTransaction(r, bytes, length, HAPI_DEPTH);
  codec_check(signed_ != NULL, "The reference decoder");
  const hapi_TransactionBody *body = hapi_decode_TransactionBody(
      r, bytes + signed_->bodyBytes.offset, signed_->bodyBytes.length, HAPI_DEPTH);
  codec_check(body != NULL, "The reference decoder");
  codec.allocated += r->used;
  if (r->used > codec.peak) codec.peak = r->used;
  return sum ? hapi_sum_SignedTransaction(r, signed_) + hapi_sum_TransactionBody(r, body) : 0;
}

static uint32_t codec_tx_words(const uint8_t *bytes, size_t length, size_t argument, bool sum) {
  (void)argument;
  size_t count = hapi_decode_light_transaction(codec.words, bytes, length);
  size_t used = count * sizeof *codec.words;
  codec_check(count != 0, "The light reference decoder");
  codec.allocated += used;
  if (used > codec.peak) codec.peak = used;
  return sum ? hapi_sum_light_transaction(codec.words, bytes, length) : codec.words[0];
}

/* The body bytes of a SignedTransaction, which has them first. */
static hapi_item codec_body(const uint8_t *bytes, size_t length) {
  const uint8_t *p = bytes + 1;
  uint32_t body = 0;
  codec_check(length > 0 && bytes[0] == 0x0a && hapi_get_length(&p, bytes + length, &body),
              "A transaction");
  return (hapi_item){p, body};
}

/* The body decoded behind the transaction in the same arena. */
static uint32_t codec_tx_objects(const uint8_t *bytes, size_t length, size_t argument, bool sum) {
  const codec_way *way = codec_way_of(argument);
  hapi_item body = codec_body(bytes, length);
  spc_arena_reset(&codec.arena);
  uint32_t signed_ = codec_decode(argument, HAPI_ROOT_SIGNED, bytes, length);
  uint32_t inner = codec_decode(argument, HAPI_ROOT_BODY, body.bytes, body.length);
  codec_note_arena();
  if (!sum) return 0;
  return way->sum(&codec.arena, HAPI_ROOT_SIGNED, signed_) +
         way->sum(&codec.arena, HAPI_ROOT_BODY, inner);
}

static uint32_t codec_tx_views(const uint8_t *bytes, size_t length, size_t argument, bool sum) {
  const codec_way *way = codec_way_of(argument);
  hapi_item body = codec_body(bytes, length);
  uint32_t outer, inner;
  (void)sum;
  codec_check(way->sum_view(HAPI_ROOT_SIGNED, bytes, length, &outer) == SPC_OK, "A view");
  codec_check(way->sum_view(HAPI_ROOT_BODY, body.bytes, body.length, &inner) == SPC_OK, "A view");
  return outer + inner;
}

static uint32_t codec_tx_scan(const uint8_t *bytes, size_t length, size_t argument, bool sum) {
  uint32_t all;
  (void)argument, (void)sum;
  codec_check(hapi_scan_transaction(&codec.records, bytes, length, &all), "The reference scan");
  return all;
}

static void codec_read_with(codec_reader read, size_t argument, bool sum) {
  const hapi_transactions *t = &codec.transactions;
  codec.sum = 0;
  codec.allocated = codec.peak = 0;
  for (size_t i = 0; i < t->count; i++)
    codec.sum += read(t->bytes + t->offsets[i], t->offsets[i + 1] - t->offsets[i], argument, sum);
}

#define CODEC_READER(name, read, sum)                                                              \
  static void codec_run_##name(const bench_row *row) {                                             \
    codec_read_with(read, row->argument, sum);                                                     \
  }
CODEC_READER(tx_light, codec_tx_words, false)
CODEC_READER(tx_light_sum, codec_tx_words, true)
CODEC_READER(tx_record, codec_tx_records, false)
CODEC_READER(tx_record_sum, codec_tx_records, true)
CODEC_READER(tx_scan, codec_tx_scan, true)
CODEC_READER(tx_decode, codec_tx_objects, false)
CODEC_READER(tx_object_sum, codec_tx_objects, true)
CODEC_READER(tx_view_sum, codec_tx_views, true)

/* ---- Results and facts -----------------------------------------------------------------------*/

static void codec_print_sum(char text[BENCH_RESULT_SIZE]) {
  uint8_t bytes[4];
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(codec.sum >> (24 - 8 * i));
  bench_print_result(text, "sum", bytes, sizeof bytes);
}

static void codec_sum_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  row->run(row);
  codec_print_sum(text);
}

static void codec_decode_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_sum_objects(row);
  codec_print_sum(text);
}

static void codec_record_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_sum_record(row);
  codec_print_sum(text);
}

static void codec_tx_decode_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_run_tx_object_sum(row);
  codec_print_sum(text);
}

static void codec_tx_light_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_run_tx_light_sum(row);
  codec_print_sum(text);
}

static void codec_tx_record_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_run_tx_record_sum(row);
  codec_print_sum(text);
}

static void codec_no_bytes(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  (void)row;
  snprintf(text, BENCH_RESULT_SIZE, "\"bytes\": 0");
}

static void codec_bytes(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  snprintf(text, BENCH_RESULT_SIZE, "\"bytes\": %.0f",
           (double)codec.allocated / (double)row->operations);
}

/* Of decoding: peak is the arena's, of one transaction where they come one at a time. */
static void codec_bytes_and_peak(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  double n = (double)row->operations;
  snprintf(text, BENCH_RESULT_SIZE, "\"bytes\": %.0f, \"peak\": %.0f", (double)codec.allocated / n,
           row->group[0] == 't' ? (double)codec.peak : (double)codec.peak / n);
}

/* ---- The list --------------------------------------------------------------------------------*/

void bench_codec_rows(bench_list *list) {
#define CODEC_ROW(group_, name_, variant_, ready, run_, result_, facts_, argument_)                \
  {.suite = "codec",                                                                               \
   .group = group_,                                                                                \
   .name = name_,                                                                                  \
   .variant = variant_,                                                                            \
   .unit = "ns",                                                                                   \
   .prepare = ready,                                                                               \
   .run = run_,                                                                                    \
   .result = result_,                                                                              \
   .facts = facts_,                                                                                \
   .argument = argument_}
#define CODEC_PRODUCE(name, variant, run, result, facts, argument)                                 \
  CODEC_ROW("produce", name, variant, codec_prepare, run, result, facts, argument)
#define CODEC_ENCODE(name, variant, run, facts, argument)                                          \
  CODEC_ROW("produce", name, variant, codec_prepare_objects, run, codec_encode_result, facts,      \
            argument)
#define CODEC_BLOCK(name, variant, run, result, facts, argument)                                   \
  CODEC_ROW("block", name, variant, codec_prepare, run, result, facts, argument)
#define CODEC_TX(name, variant, run, result, facts, argument)                                      \
  CODEC_ROW("tx", name, variant, codec_prepare, run, result, facts, argument)
/* What generated code and tables have both. */
#define CODEC_PRODUCE_BOTH(variant, way)                                                           \
  CODEC_PRODUCE("produceWriters", variant, codec_produce_written, codec_written_result,            \
                codec_no_bytes, way),                                                              \
      CODEC_PRODUCE("produceWritersBlockHashed", variant, codec_write_block,                       \
                    codec_write_block_result, codec_no_bytes, way),                                \
      CODEC_PRODUCE("produceObjectsToBytes", variant, codec_produce_to_bytes,                      \
                    codec_objects_result, codec_bytes, way),                                       \
      CODEC_PRODUCE("produceObjectsReverse", variant, codec_produce_objects, codec_objects_result, \
                    codec_bytes, (way) | CODEC_BACK),                                              \
      CODEC_ENCODE("encodeFresh", variant, codec_encode_all, codec_no_bytes, way),                 \
      CODEC_ENCODE("encodeFreshToBytes", variant, codec_encode_to_bytes, codec_bytes, way),        \
      CODEC_ENCODE("encodeReverseFresh", variant, codec_encode_all, codec_no_bytes,                \
                   (way) | CODEC_BACK),                                                            \
      CODEC_ENCODE(codec_hot, variant, codec_encode_all, codec_no_bytes, (way) | CODEC_BACK)
#define CODEC_BLOCK_BOTH(variant, way)                                                             \
  CODEC_BLOCK("decode", variant, codec_run_decode, codec_decode_result, codec_bytes_and_peak,      \
              way),                                                                                \
      CODEC_BLOCK("scanObjects", variant, codec_sum_objects, codec_sum_result,                     \
                  codec_bytes_and_peak, way),                                                      \
      CODEC_BLOCK("scanViews", variant, codec_sum_views, codec_sum_result, codec_no_bytes, way)
#define CODEC_TX_BOTH(variant, way)                                                                \
  CODEC_TX("txDecode", variant, codec_run_tx_decode, codec_tx_decode_result, codec_bytes_and_peak, \
           way),                                                                                   \
      CODEC_TX("txScanObjects", variant, codec_run_tx_object_sum, codec_sum_result,                \
               codec_bytes_and_peak, way),                                                         \
      CODEC_TX("txScanViews", variant, codec_run_tx_view_sum, codec_sum_result, codec_no_bytes,    \
               way)
  static const char codec_hot[] = "encodeReverseHot";
  bench_row rows[] = {
      CODEC_PRODUCE("referenceProduce", "block", codec_produce_reference, codec_reference_result,
                    codec_no_bytes, 0),
      CODEC_PRODUCE("referenceProduce", "block-reverse", codec_produce_reference,
                    codec_reference_result, codec_no_bytes, CODEC_BACK),
#ifdef BENCH_CODEC_GENERATED
      CODEC_PRODUCE_BOTH("block", CODEC_GENERATED),
      CODEC_PRODUCE("produceWriters", "block-reverse", codec_produce_written, codec_written_result,
                    codec_no_bytes, CODEC_GENERATED | CODEC_BACK),
#endif
      CODEC_PRODUCE_BOTH("block-table", 0),
      CODEC_BLOCK("referenceScan", "block", codec_scan, codec_sum_result, codec_no_bytes, 0),
      CODEC_BLOCK("referenceDecode", "block", codec_run_light, codec_light_result,
                  codec_bytes_and_peak, 0),
      CODEC_BLOCK("referenceDecodeFull", "block", codec_run_record, codec_record_result,
                  codec_bytes_and_peak, 0),
#ifdef BENCH_CODEC_GENERATED
      CODEC_BLOCK_BOTH("block", CODEC_GENERATED),
#endif
      CODEC_BLOCK_BOTH("block-table", 0),
      CODEC_TX("referenceTxDecode", "tx", codec_run_tx_light, codec_tx_light_result,
               codec_bytes_and_peak, 0),
      CODEC_TX("referenceTxDecodeFull", "tx", codec_run_tx_record, codec_tx_record_result,
               codec_bytes_and_peak, 0),
      CODEC_TX("referenceTxScan", "tx", codec_run_tx_scan, codec_sum_result, codec_no_bytes, 0),
#ifdef BENCH_CODEC_GENERATED
      CODEC_TX_BOTH("tx", CODEC_GENERATED),
#endif
      CODEC_TX_BOTH("tx-table", 0),
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    rows[i].operations = strcmp(rows[i].name, codec_hot) == 0 ? CODEC_HOT : codec_transactions();
    bench_add(list, rows[i]);
  }
}
