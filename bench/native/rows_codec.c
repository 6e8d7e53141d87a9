/*
 * The rows of the codec suite: the synthetic HAPI block and its transactions, by the hand-written
 * reference and through the codec's tables. Variants "block" and "tx" are the reference's, those
 * that end in "-table" have no generated code. One operation is one transaction.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "dynamic.h"
#include "records.h"
#include "spicule/sha2.h"
#include "wire_fast.h"

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
  const spc_message_type *block_type, *signed_type, *body_type;
  const spc_field *body_field;
  spc_arena arena;   /* reset by each row that uses it */
  spc_arena objects; /* the block's items, made once */
  spc_message *items;
  size_t item_count, hot_count;
  hapi_records records;
  uint32_t *words; /* of the light reference decoder */
  uint8_t *out;    /* for one item, or the block */
  size_t out_size;
  uint32_t sum;
  size_t allocated, peak; /* bytes, by the last run */
} codec;

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

/* ---- Writing items ---------------------------------------------------------------------------*/

/* Writes the item at `*words` into `out` and moves on. */
typedef hapi_item (*codec_writer)(const uint32_t **words, const uint8_t *pool, uint8_t *out);

static hapi_item codec_write_table(const uint32_t **words, const uint8_t *pool, uint8_t *out) {
  size_t length = 0;
  codec_check(hapi_dynamic_write(codec.dynamic, words, pool, out, &length) == SPC_OK, "A writer");
  return (hapi_item){out, length};
}

static spc_message codec_build(const uint32_t **words, const uint8_t *pool) {
  spc_message item = {NULL, NULL, 0};
  spc_arena_reset(&codec.arena);
  codec_check(hapi_dynamic_build(codec.dynamic, &codec.arena, words, pool, &item) == SPC_OK,
              "Making an object");
  codec.allocated += spc_arena_used(&codec.arena);
  return item;
}

static hapi_item codec_encode(const spc_message *item, uint8_t *out) {
  size_t length = 0;
  codec_check(spc_encode(item, out, HAPI_ITEM_SIZE, NULL, &length, NULL) == SPC_OK, "Encoding");
  return (hapi_item){out, length};
}

static hapi_item codec_encode_back(const spc_message *item, uint8_t *out) {
  size_t length = 0;
  codec_check(spc_encode_back(item, out, HAPI_ITEM_SIZE, NULL, &length, NULL) == SPC_OK,
              "Encoding");
  return (hapi_item){out + HAPI_ITEM_SIZE - length, length};
}

/* The item in a new buffer of its size, which is freed again. */
static void codec_to_bytes(hapi_item item) {
  uint8_t *bytes = codec_need(malloc(item.length));
  memcpy(bytes, item.bytes, item.length);
  codec.sum += bytes[item.length - 1];
  codec.allocated += item.length;
  free(bytes);
}

static hapi_item codec_objects_forward(const uint32_t **words, const uint8_t *pool, uint8_t *out) {
  spc_message item = codec_build(words, pool);
  return codec_encode(&item, out);
}

static hapi_item codec_objects_reverse(const uint32_t **words, const uint8_t *pool, uint8_t *out) {
  spc_message item = codec_build(words, pool);
  return codec_encode_back(&item, out);
}

/* ---- Preparation -----------------------------------------------------------------------------*/

static void codec_prepare(const bench_row *row) {
  (void)row;
  if (codec.ready) return;
  codec.ready = true;
  codec.values = hapi_make_values(HAPI_TRANSACTIONS);
  codec.transactions = hapi_make_transactions(HAPI_TRANSACTIONS);
  codec.block = hapi_make_block(&codec.values, &codec.block_size);
  codec.dynamic = hapi_dynamic_make();
  codec.block_type = hapi_dynamic_type(codec.dynamic, "hapi.Block");
  codec.signed_type = hapi_dynamic_type(codec.dynamic, "hapi.SignedTransaction");
  codec.body_type = hapi_dynamic_type(codec.dynamic, "hapi.TransactionBody");
  codec.body_field = spc_message_type_by_number(codec.signed_type, 1);
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
    codec_check(hapi_dynamic_build(codec.dynamic, &codec.objects, &words, codec.values.pool,
                                   &codec.items[codec.item_count]) == SPC_OK,
                "Making an object");
  }
}

/* ---- Rows of producing -----------------------------------------------------------------------*/

static const codec_writer codec_writers[] = {hapi_write_forward, hapi_write_reverse,
                                             codec_write_table, codec_objects_forward,
                                             codec_objects_reverse};

static void codec_produce(const bench_row *row) {
  const codec_writer write = codec_writers[row->argument];
  const uint32_t *words = codec.values.words;
  codec.allocated = 0;
  while (*words != HAPI_END)
    codec.sum += (uint32_t)write(&words, codec.values.pool, codec.out).length;
}

static void codec_produce_to_bytes(const bench_row *row) {
  const codec_writer write = codec_writers[row->argument];
  const uint32_t *words = codec.values.words;
  codec.allocated = 0;
  while (*words != HAPI_END)
    codec_to_bytes(write(&words, codec.values.pool, codec.out));
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

static void codec_produce_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  const uint32_t *words = codec.values.words;
  codec_digest digest;
  spc_sha256_init(&digest.stream);
  while (*words != HAPI_END)
    codec_add(&digest, codec_writers[row->argument](&words, codec.values.pool, codec.out));
  codec_end(&digest, text);
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
  (void)row;
  codec_check(hapi_dynamic_write_block(codec.dynamic, &codec.values, codec.out, codec.out_size,
                                       &length, codec_hash_item, NULL) == SPC_OK,
              "The writer of the block");
}

static void codec_write_block_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_digest digest;
  size_t length;
  (void)row;
  spc_sha256_init(&digest.stream);
  codec_check(hapi_dynamic_write_block(codec.dynamic, &codec.values, codec.out, codec.out_size,
                                       &length, codec_take_item, &digest) == SPC_OK,
              "The writer of the block");
  codec_end(&digest, text);
}

/* ---- Rows of encoding ------------------------------------------------------------------------*/

typedef hapi_item (*codec_encoder)(const spc_message *item, uint8_t *out);

static const codec_encoder codec_encoders[] = {codec_encode, codec_encode_back};

static void codec_encode_all(const bench_row *row) {
  const codec_encoder encode = codec_encoders[row->argument];
  size_t count = row->operations == CODEC_HOT ? codec.hot_count : codec.item_count;
  codec.allocated = 0;
  for (size_t i = 0; i < count; i++)
    codec.sum += (uint32_t)encode(&codec.items[i], codec.out).length;
}

static void codec_encode_to_bytes(const bench_row *row) {
  const codec_encoder encode = codec_encoders[row->argument];
  codec.allocated = 0;
  for (size_t i = 0; i < codec.item_count; i++)
    codec_to_bytes(encode(&codec.items[i], codec.out));
}

static void codec_encode_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_digest digest;
  spc_sha256_init(&digest.stream);
  for (size_t i = 0; i < codec.item_count; i++)
    codec_add(&digest, codec_encoders[row->argument](&codec.items[i], codec.out));
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

static spc_message codec_decode(const spc_message_type *type, const uint8_t *bytes, size_t length) {
  spc_message message = {NULL, NULL, 0};
  spc_arena_reset(&codec.arena);
  codec_check(spc_decode(&codec.arena, type, bytes, length, NULL, &message, NULL) == SPC_OK,
              "Decoding");
  size_t used = spc_arena_used(&codec.arena);
  codec.allocated += used;
  if (used > codec.peak) codec.peak = used;
  return message;
}

static spc_message codec_decode_block(void) {
  codec.allocated = codec.peak = 0;
  return codec_decode(codec.block_type, codec.block, codec.block_size);
}

static void codec_run_decode(const bench_row *row) {
  (void)row;
  (void)codec_decode_block();
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
  (void)row;
  spc_message message = codec_decode_block();
  codec.sum = hapi_dynamic_sum(codec.dynamic, &message);
}

static void codec_sum_views(const bench_row *row) {
  spc_view view;
  (void)row;
  codec.sum = 0;
  spc_view_init(&view, codec.block_type, codec.block, codec.block_size);
  codec_check(hapi_dynamic_sum_view(codec.dynamic, &view, &codec.sum) == SPC_OK, "A view");
}

static void codec_scan(const bench_row *row) {
  (void)row;
  codec_check(hapi_scan_block(&codec.records, codec.block, codec.block_size, &codec.sum),
              "The reference scan");
}

/* ---- Rows of transactions --------------------------------------------------------------------*/

typedef uint32_t (*codec_reader)(const uint8_t *bytes, size_t length);

static uint32_t codec_tx_records(const uint8_t *bytes, size_t length, bool sum) {
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

static uint32_t codec_tx_record(const uint8_t *bytes, size_t length) {
  return codec_tx_records(bytes, length, false);
}

static uint32_t codec_tx_record_sum(const uint8_t *bytes, size_t length) {
  return codec_tx_records(bytes, length, true);
}

/* The body decoded behind the transaction in the same arena; `read` adds up what is in both. */
static uint32_t codec_tx_objects(const uint8_t *bytes, size_t length, bool read) {
  spc_message signed_ = codec_decode(codec.signed_type, bytes, length), body;
  spc_slice slice = spc_get(&signed_, codec.body_field).slice;
  uint32_t sum = read ? hapi_dynamic_sum(codec.dynamic, &signed_) : 0;
  const uint8_t *body_bytes = bytes + 1 + hapi_varint_size(slice.length);
  codec_check(spc_decode(&codec.arena, codec.body_type, body_bytes, slice.length, NULL, &body,
                         NULL) == SPC_OK,
              "Decoding");
  return read ? sum + hapi_dynamic_sum(codec.dynamic, &body) : 0;
}

static uint32_t codec_tx_decode(const uint8_t *bytes, size_t length) {
  return codec_tx_objects(bytes, length, false);
}

static uint32_t codec_tx_object_sum(const uint8_t *bytes, size_t length) {
  return codec_tx_objects(bytes, length, true);
}

static uint32_t codec_tx_view_sum(const uint8_t *bytes, size_t length) {
  spc_view view;
  spc_view_value value;
  uint32_t sum = 0;
  spc_view_init(&view, codec.signed_type, bytes, length);
  codec_check(hapi_dynamic_sum_view(codec.dynamic, &view, &sum) == SPC_OK, "A view");
  codec_check(spc_view_get(&view, codec.body_field, &value, NULL) == SPC_OK, "A view");
  spc_view_init(&view, codec.body_type, value.bytes, value.length);
  codec_check(hapi_dynamic_sum_view(codec.dynamic, &view, &sum) == SPC_OK, "A view");
  return sum;
}

static uint32_t codec_tx_scan(const uint8_t *bytes, size_t length) {
  uint32_t sum;
  codec_check(hapi_scan_transaction(&codec.records, bytes, length, &sum), "The reference scan");
  return sum;
}

/* How each row reads, and how one that only decodes is checked. */
static const codec_reader codec_readers[][2] = {
    {codec_tx_record, codec_tx_record_sum}, {codec_tx_scan, codec_tx_scan},
    {codec_tx_decode, codec_tx_object_sum}, {codec_tx_object_sum, codec_tx_object_sum},
    {codec_tx_view_sum, codec_tx_view_sum},
};

static void codec_read_with(codec_reader read) {
  const hapi_transactions *t = &codec.transactions;
  codec.sum = 0;
  codec.allocated = codec.peak = 0;
  for (size_t i = 0; i < t->count; i++)
    codec.sum += read(t->bytes + t->offsets[i], t->offsets[i + 1] - t->offsets[i]);
}

static void codec_read(const bench_row *row) {
  codec_read_with(codec_readers[row->argument][0]);
}

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

static void codec_read_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  codec_read_with(codec_readers[row->argument][1]);
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

enum { CODEC_FORWARD, CODEC_REVERSE, CODEC_TABLE, CODEC_OBJECTS, CODEC_OBJECTS_REVERSE };
enum { CODEC_TX_RECORD, CODEC_TX_SCAN, CODEC_TX_DECODE, CODEC_TX_OBJECTS, CODEC_TX_VIEWS };

void bench_codec_rows(bench_list *list) {
#define CODEC_ROW(group_, name_, variant_, ready, run_, result_, facts_, argument_)                \
  {.suite = "codec",                                                                               \
   .group = group_,                                                                                \
   .name = name_,                                                                                  \
   .variant = variant_,                                                                            \
   .unit = "ns",                                                                                   \
   .operations = HAPI_TRANSACTIONS,                                                                \
   .prepare = ready,                                                                               \
   .run = run_,                                                                                    \
   .result = result_,                                                                              \
   .facts = facts_,                                                                                \
   .argument = argument_}
#define CODEC_PRODUCE(name, variant, run, facts, argument)                                         \
  CODEC_ROW("produce", name, variant, codec_prepare, run, codec_produce_result, facts, argument)
#define CODEC_ENCODE(name, run, facts, argument)                                                   \
  CODEC_ROW("produce", name, "block-table", codec_prepare_objects, run, codec_encode_result,       \
            facts, argument)
#define CODEC_BLOCK(name, variant, run, result, facts)                                             \
  CODEC_ROW("block", name, variant, codec_prepare, run, result, facts, 0)
#define CODEC_TX(name, variant, facts, argument)                                                   \
  CODEC_ROW("tx", name, variant, codec_prepare, codec_read, codec_read_result, facts, argument)
  bench_row rows[] = {
      CODEC_PRODUCE("referenceProduce", "block", codec_produce, codec_no_bytes, CODEC_FORWARD),
      CODEC_PRODUCE("referenceProduce", "block-reverse", codec_produce, codec_no_bytes,
                    CODEC_REVERSE),
      CODEC_PRODUCE("produceWriters", "block-table", codec_produce, codec_no_bytes, CODEC_TABLE),
      CODEC_ROW("produce", "produceWritersBlockHashed", "block-table", codec_prepare,
                codec_write_block, codec_write_block_result, codec_no_bytes, 0),
      CODEC_PRODUCE("produceObjectsToBytes", "block-table", codec_produce_to_bytes, codec_bytes,
                    CODEC_OBJECTS),
      CODEC_PRODUCE("produceObjectsReverse", "block-table", codec_produce, codec_bytes,
                    CODEC_OBJECTS_REVERSE),
      CODEC_ENCODE("encodeFresh", codec_encode_all, codec_no_bytes, 0),
      CODEC_ENCODE("encodeFreshToBytes", codec_encode_to_bytes, codec_bytes, 0),
      CODEC_ENCODE("encodeReverseFresh", codec_encode_all, codec_no_bytes, 1),
      CODEC_ENCODE("encodeReverseHot", codec_encode_all, codec_no_bytes, 1),
      CODEC_BLOCK("referenceScan", "block", codec_scan, codec_sum_result, codec_no_bytes),
      CODEC_BLOCK("referenceDecode", "block", codec_run_light, codec_light_result,
                  codec_bytes_and_peak),
      CODEC_BLOCK("referenceDecodeFull", "block", codec_run_record, codec_record_result,
                  codec_bytes_and_peak),
      CODEC_BLOCK("decode", "block-table", codec_run_decode, codec_decode_result,
                  codec_bytes_and_peak),
      CODEC_BLOCK("scanObjects", "block-table", codec_sum_objects, codec_sum_result,
                  codec_bytes_and_peak),
      CODEC_BLOCK("scanViews", "block-table", codec_sum_views, codec_sum_result, codec_no_bytes),
      CODEC_TX("referenceTxDecode", "tx", codec_bytes_and_peak, CODEC_TX_RECORD),
      CODEC_TX("referenceTxScan", "tx", codec_no_bytes, CODEC_TX_SCAN),
      CODEC_TX("txDecode", "tx-table", codec_bytes_and_peak, CODEC_TX_DECODE),
      CODEC_TX("txScanObjects", "tx-table", codec_bytes_and_peak, CODEC_TX_OBJECTS),
      CODEC_TX("txScanViews", "tx-table", codec_no_bytes, CODEC_TX_VIEWS),
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(rows[i].name, "encodeReverseHot") == 0) rows[i].operations = CODEC_HOT;
    bench_add(list, rows[i]);
  }
}
