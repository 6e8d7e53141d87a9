/*
 * protobuf-c, whose messages come from malloc, as rows of the codec suite: the same block, read and
 * written in the same way as bench/native/rows_codec.c does. The runner around it is
 * bench/native/main.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "hapi.pb-c.h"
#include "reference.h"
#include "spicule/sha2.h"
#include "subset_lower.h"

static struct {
  hapi_values values;
  hapi_transactions transactions;
  uint8_t *block, *out;
  size_t block_size;
  Hapi__Block *made;
  uint32_t sum;
} state;

static size_t peer_transactions(void) {
  return bench_quick ? HAPI_QUICK_TRANSACTIONS : HAPI_TRANSACTIONS;
}

static void *peer_need(void *made) {
  if (made != NULL) return made;
  fprintf(stderr, "protobuf-c failed\n");
  exit(1);
}

static void peer_prepare(const bench_row *row) {
  (void)row;
  if (state.block != NULL) return;
  state.values = hapi_make_values(peer_transactions());
  state.transactions = hapi_make_transactions(peer_transactions());
  state.block = hapi_make_block(&state.values, &state.block_size);
  state.out = peer_need(malloc(HAPI_ITEM_SIZE));
}

/* The block's objects, made once, as the encoder's rows of the core have them. */
static void peer_prepare_objects(const bench_row *row) {
  peer_prepare(row);
  if (state.made != NULL) return;
  state.made = peer_need(hapi__block__unpack(NULL, state.block_size, state.block));
}

/* ---- The sum of every field ------------------------------------------------------------------*/

static uint32_t peer_bytes(ProtobufCBinaryData bytes) {
  const uint8_t *p = bytes.data;
  return bytes.len == 0 ? 0 : (uint32_t)bytes.len + p[0] + p[bytes.len - 1];
}

#define VALUE_INT(value)    (uint32_t)(value)
#define VALUE_SINT(value)   (uint32_t)(value)
#define VALUE_BOOL(value)   (uint32_t)(value)
#define VALUE_STRING(value) (uint32_t)strlen(value)
#define VALUE_BYTES(value)  peer_bytes(value)

#define ADD_S(in, number, kind, field) sum += VALUE_##kind(m->field);
#define ADD_M(in, number, message, field)                                                          \
  if (m->field != NULL) sum += peer_sum_##message(m->field);
#define ADD_R(in, number, message, field)                                                          \
  for (size_t i = 0; i < m->n_##field; i++)                                                        \
    sum += peer_sum_##message(m->field[i]);
#define ADD_B(in, number, field)                                                                   \
  for (size_t i = 0; i < m->n_##field; i++)                                                        \
    sum += peer_bytes(m->field[i]);
#define ADD_O(in, oneof)                                                                           \
  const uint32_t oneof##_number = (uint32_t)m->oneof##_case;                                       \
  sum += oneof##_number;
#define ADD_SO(in, number, kind, field, oneof)                                                     \
  if (oneof##_number == number) sum += VALUE_##kind(m->field);
#define ADD_MO(in, number, message, field, oneof)                                                  \
  if (oneof##_number == number) sum += peer_sum_##message(m->field);
#define DEFINE(message)                                                                            \
  static uint32_t peer_sum_##message(const Hapi__##message *m) {                                   \
    uint32_t sum = 0;                                                                              \
    (void)m;                                                                                       \
    HAPI_FIELDS_##message(ADD_S, ADD_M, ADD_R, ADD_B, ADD_O, ADD_SO, ADD_MO) return sum;           \
  }
HAPI_MESSAGES(DEFINE)

/* ---- Rows ------------------------------------------------------------------------------------*/

static uint32_t peer_decode_block(bool read) {
  Hapi__Block *block = peer_need(hapi__block__unpack(NULL, state.block_size, state.block));
  uint32_t sum = read ? peer_sum_Block(block) : 0;
  hapi__block__free_unpacked(block, NULL);
  return sum;
}

static uint32_t peer_decode_transactions(bool read) {
  const hapi_transactions *t = &state.transactions;
  uint32_t sum = 0;
  for (size_t i = 0; i < t->count; i++) {
    size_t length = t->offsets[i + 1] - t->offsets[i];
    Hapi__SignedTransaction *transaction =
        peer_need(hapi__signed_transaction__unpack(NULL, length, t->bytes + t->offsets[i]));
    Hapi__TransactionBody *body = peer_need(hapi__transaction_body__unpack(
        NULL, transaction->bodybytes.len, transaction->bodybytes.data));
    if (read) sum += peer_sum_SignedTransaction(transaction) + peer_sum_TransactionBody(body);
    hapi__transaction_body__free_unpacked(body, NULL);
    hapi__signed_transaction__free_unpacked(transaction, NULL);
  }
  return sum;
}

static uint32_t peer_encode_item(size_t i) {
  return (uint32_t)hapi__block_item__pack(state.made->items[i], state.out);
}

static void peer_decode(const bench_row *row) {
  (void)row;
  peer_decode_block(false);
}

static void peer_read(const bench_row *row) {
  (void)row;
  state.sum = peer_decode_block(true);
}

static void peer_tx_decode(const bench_row *row) {
  (void)row;
  peer_decode_transactions(false);
}

static void peer_tx_read(const bench_row *row) {
  (void)row;
  state.sum = peer_decode_transactions(true);
}

static void peer_encode(const bench_row *row) {
  (void)row;
  for (size_t i = 0; i < state.made->n_items; i++)
    state.sum += peer_encode_item(i);
}

static void peer_print_sum(char *text) {
  uint8_t bytes[4];
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(state.sum >> (24 - 8 * i));
  bench_print_result(text, "sum", bytes, sizeof bytes);
}

static void peer_block_result(const bench_row *row, char *text) {
  peer_read(row);
  peer_print_sum(text);
}

static void peer_tx_result(const bench_row *row, char *text) {
  peer_tx_read(row);
  peer_print_sum(text);
}

/* Items one after the other, each behind its length, as in bench/native/rows_codec.c. */
static void peer_items_result(const bench_row *row, char *text) {
  spc_sha256_stream stream;
  uint8_t digest[SPC_SHA256_BYTES];
  (void)row;
  spc_sha256_init(&stream);
  for (size_t i = 0; i < state.made->n_items; i++) {
    uint32_t length = peer_encode_item(i);
    spc_sha256_update(&stream, (const uint8_t *)&length, sizeof length);
    spc_sha256_update(&stream, state.out, length);
  }
  spc_sha256_final(&stream, digest);
  bench_print_result(text, "items", digest, sizeof digest);
}

void bench_all_rows(bench_list *list) {
#define PEER_ROW(group_, name_, variant_, ready, run_, result_)                                    \
  bench_add(list, (bench_row){.suite = "codec",                                                    \
                              .group = group_,                                                     \
                              .name = name_,                                                       \
                              .variant = variant_,                                                 \
                              .unit = "ns",                                                        \
                              .operations = peer_transactions(),                                   \
                              .prepare = ready,                                                    \
                              .run = run_,                                                         \
                              .result = result_})
  PEER_ROW("produce", "encodeFresh", "block", peer_prepare_objects, peer_encode, peer_items_result);
  PEER_ROW("block", "decode", "block", peer_prepare, peer_decode, peer_block_result);
  PEER_ROW("block", "scanObjects", "block", peer_prepare, peer_read, peer_block_result);
  PEER_ROW("tx", "txDecode", "tx", peer_prepare, peer_tx_decode, peer_tx_result);
  PEER_ROW("tx", "txScanObjects", "tx", peer_prepare, peer_tx_read, peer_tx_result);
}
