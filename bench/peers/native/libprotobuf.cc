// libprotobuf with an arena, as rows of the codec suite: the same block, read and written in the same
// way as bench/native/rows_codec.c does. The runner around it is bench/native/main.c.
#include <google/protobuf/arena.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "hapi.pb.h"

extern "C" {
#include "bench.h"
#include "reference.h"
#include "spicule/sha2.h"
}
#include "subset_lower.h"

namespace {

struct State {
  hapi_values values;
  hapi_transactions transactions;
  uint8_t *block;
  size_t block_size;
  google::protobuf::Arena *objects;
  const hapi::Block *made;
  std::vector<uint8_t> out;
  uint32_t sum;
} state;

size_t transactions() { return bench_quick ? HAPI_QUICK_TRANSACTIONS : HAPI_TRANSACTIONS; }

void check(bool right) {
  if (right) return;
  std::fprintf(stderr, "libprotobuf failed\n");
  std::exit(1);
}

void prepare(const bench_row *) {
  if (state.block != nullptr) return;
  state.values = hapi_make_values(transactions());
  state.transactions = hapi_make_transactions(transactions());
  state.block = hapi_make_block(&state.values, &state.block_size);
  state.out.resize(HAPI_ITEM_SIZE);
}

// The block's objects, made once, as the encoder's rows of the core have them.
void prepare_objects(const bench_row *row) {
  prepare(row);
  if (state.objects != nullptr) return;
  state.objects = new google::protobuf::Arena;
  auto *block = google::protobuf::Arena::CreateMessage<hapi::Block>(state.objects);
  check(block->ParseFromArray(state.block, static_cast<int>(state.block_size)));
  state.made = block;
}

// ---- The sum of every field

uint32_t value_of(const std::string &text, bool bytes) {
  const size_t n = text.size();
  if (n == 0 || !bytes) return static_cast<uint32_t>(n);
  const auto *p = reinterpret_cast<const uint8_t *>(text.data());
  return static_cast<uint32_t>(n) + p[0] + p[n - 1];
}

#define VALUE_INT(value)    static_cast<uint32_t>(value)
#define VALUE_SINT(value)   static_cast<uint32_t>(value)
#define VALUE_BOOL(value)   static_cast<uint32_t>(value)
#define VALUE_STRING(value) value_of(value, false)
#define VALUE_BYTES(value)  value_of(value, true)
#define DECLARE(message)    uint32_t sum_of(const hapi::message &m);
HAPI_MESSAGES(DECLARE)

#define ADD_S(in, number, kind, field) sum += VALUE_##kind(m.field());
#define ADD_M(in, number, message, field)                                                          \
  if (m.has_##field()) sum += sum_of(m.field());
#define ADD_R(in, number, message, field)                                                          \
  for (const auto &element : m.field()) sum += sum_of(element);
#define ADD_B(in, number, field)                                                                   \
  for (const auto &element : m.field()) sum += value_of(element, true);
#define ADD_O(in, oneof)                                                                           \
  const auto oneof##_number = static_cast<uint32_t>(m.oneof##_case());                             \
  sum += oneof##_number;
#define ADD_SO(in, number, kind, field, oneof)                                                     \
  if (oneof##_number == number) sum += VALUE_##kind(m.field());
#define ADD_MO(in, number, message, field, oneof)                                                  \
  if (oneof##_number == number) sum += sum_of(m.field());
#define DEFINE(message)                                                                            \
  uint32_t sum_of(const hapi::message &m) {                                                        \
    uint32_t sum = 0;                                                                              \
    static_cast<void>(m);                                                                          \
    HAPI_FIELDS_##message(ADD_S, ADD_M, ADD_R, ADD_B, ADD_O, ADD_SO, ADD_MO) return sum;           \
  }
HAPI_MESSAGES(DEFINE)

// ---- Rows

uint32_t decode_block(bool read) {
  google::protobuf::Arena arena;
  auto *block = google::protobuf::Arena::CreateMessage<hapi::Block>(&arena);
  check(block->ParseFromArray(state.block, static_cast<int>(state.block_size)));
  return read ? sum_of(*block) : 0;
}

uint32_t decode_transactions(bool read) {
  const hapi_transactions &t = state.transactions;
  uint32_t sum = 0;
  for (size_t i = 0; i < t.count; i++) {
    google::protobuf::Arena arena;
    auto *transaction = google::protobuf::Arena::CreateMessage<hapi::SignedTransaction>(&arena);
    auto *body = google::protobuf::Arena::CreateMessage<hapi::TransactionBody>(&arena);
    const int length = static_cast<int>(t.offsets[i + 1] - t.offsets[i]);
    check(transaction->ParseFromArray(t.bytes + t.offsets[i], length));
    check(body->ParseFromString(transaction->bodybytes()));
    if (read) sum += sum_of(*transaction) + sum_of(*body);
  }
  return sum;
}

int encode_item(int i) {
  const hapi::BlockItem &item = state.made->items(i);
  const int length = static_cast<int>(item.ByteSizeLong());
  check(item.SerializeToArray(state.out.data(), static_cast<int>(state.out.size())));
  return length;
}

void run_decode(const bench_row *) { decode_block(false); }
void run_read(const bench_row *) { state.sum = decode_block(true); }
void run_tx_decode(const bench_row *) { decode_transactions(false); }
void run_tx_read(const bench_row *) { state.sum = decode_transactions(true); }
void run_encode(const bench_row *) {
  for (int i = 0; i < state.made->items_size(); i++)
    state.sum += static_cast<uint32_t>(encode_item(i));
}

void print_sum(char *text) {
  uint8_t bytes[4];
  for (int i = 0; i < 4; i++) bytes[i] = static_cast<uint8_t>(state.sum >> (24 - 8 * i));
  bench_print_result(text, "sum", bytes, sizeof bytes);
}

void result_of_block(const bench_row *, char *text) {
  state.sum = decode_block(true);
  print_sum(text);
}

void result_of_transactions(const bench_row *, char *text) {
  state.sum = decode_transactions(true);
  print_sum(text);
}

// Items one after the other, each behind its length, as in bench/native/rows_codec.c.
void result_of_items(const bench_row *, char *text) {
  spc_sha256_stream stream;
  uint8_t digest[SPC_SHA256_BYTES];
  spc_sha256_init(&stream);
  for (int i = 0; i < state.made->items_size(); i++) {
    const auto length = static_cast<uint32_t>(encode_item(i));
    uint8_t bytes[4];
    std::memcpy(bytes, &length, sizeof bytes);
    spc_sha256_update(&stream, bytes, sizeof bytes);
    spc_sha256_update(&stream, state.out.data(), length);
  }
  spc_sha256_final(&stream, digest);
  bench_print_result(text, "items", digest, sizeof digest);
}

}  // namespace

extern "C" void bench_all_rows(bench_list *list) {
  const auto add = [list](const char *group, const char *name, const char *variant,
                          void (*ready)(const bench_row *), void (*run)(const bench_row *),
                          void (*result)(const bench_row *, char *)) {
    bench_row row{};
    row.suite = "codec";
    row.group = group;
    row.name = name;
    row.variant = variant;
    row.unit = "ns";
    row.operations = transactions();
    row.prepare = ready;
    row.run = run;
    row.result = result;
    bench_add(list, row);
  };
  add("produce", "encodeFresh", "block", prepare_objects, run_encode, result_of_items);
  add("block", "decode", "block", prepare, run_decode, result_of_block);
  add("block", "scanObjects", "block", prepare, run_read, result_of_block);
  add("tx", "txDecode", "tx", prepare, run_tx_decode, result_of_transactions);
  add("tx", "txScanObjects", "tx", prepare, run_tx_read, result_of_transactions);
}
