/*
 * The generator. Sizes of values are chosen in bytes of their varint, uniformly within the range
 * that is usual for their kind, and then the value within that size. One transaction in eight or so
 * is a batch, which repeats what changes balances five times.
 */
#include "values.h"

#include <stdbool.h>
#include <stdlib.h>

#define VALUES_SEED       0x48415049u
#define VALUES_START      1764547200u /* 2025-12-01T00:00:00Z */
#define VALUES_SERIALS    7000000000u
#define VALUES_BATCHES    12 /* per cent */
#define VALUES_BATCH_SIZE 5

/* Means a repetition; a batch of five in 12 % of transactions makes 1.48 repetitions each. */
#define VALUES_BALANCES  (2.94 / 1.48)
#define VALUES_RELATIONS (4.40 / 1.48)
#define VALUES_ACCOUNTS  (2.00 / 1.48)
#define VALUES_ADDED     (1.16 / 1.48)
#define VALUES_TRADED    (0.51 / 1.48)
#define VALUES_REMOVED   (0.96 / 1.48)

typedef struct values_buffer {
  uint8_t *bytes;
  size_t size, capacity;
} values_buffer;

typedef struct values_state {
  values_buffer words, pool;
  uint64_t random;
  uint64_t seconds, serial, oldest, entity;
  uint32_t nanos;
} values_state;

static void *values_need(void *memory) {
  if (memory == NULL) abort();
  return memory;
}

static void values_append(values_buffer *buffer, const void *bytes, size_t size) {
  if (buffer->size + size > buffer->capacity) {
    buffer->capacity = (buffer->size + size) * 2;
    buffer->bytes = values_need(realloc(buffer->bytes, buffer->capacity));
  }
  memcpy(buffer->bytes + buffer->size, bytes, size);
  buffer->size += size;
}

/* splitmix64 */
static uint64_t values_random(values_state *s) {
  uint64_t z = (s->random += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t values_below(values_state *s, uint64_t bound) {
  return values_random(s) % bound;
}

static bool values_chance(values_state *s, unsigned percent) {
  return values_below(s, 100) < percent;
}

/* How often something happens whose mean is that: floor(mean) - 1 ... ceil(mean) + 1 times. */
static uint32_t values_times(values_state *s, double mean) {
  uint64_t thousands = (uint64_t)(mean * 1000);
  uint32_t times = (uint32_t)(thousands / 1000);
  if (values_below(s, 1000) < thousands % 1000) times++;
  if (times == 0) return 0;
  return times - 1 + (uint32_t)values_below(s, 3);
}

/* A value whose varint has `least` to `most` bytes, after `shift` bits that a zigzag takes. */
static uint64_t values_sized(values_state *s, unsigned least, unsigned most, unsigned shift) {
  unsigned bytes = least + (unsigned)values_below(s, most - least + 1);
  uint64_t low = bytes == 1 ? 1 : (uint64_t)1 << (7 * (bytes - 1) - shift);
  return low + values_below(s, ((uint64_t)1 << (7 * bytes - shift)) - low);
}

static void values_put(values_state *s, uint32_t word) {
  values_append(&s->words, &word, sizeof word);
}

static void values_put64(values_state *s, uint64_t value) {
  values_append(&s->words, &value, sizeof value);
}

/* Nine accounts in ten are one of fifty: the exchanges that trade all day. */
static uint32_t values_account(values_state *s) {
  if (values_chance(s, 90)) return 1000 + 7 * (uint32_t)values_below(s, 50);
  return (uint32_t)values_sized(s, 2, 3, 0);
}

static uint32_t values_token(values_state *s) {
  return (uint32_t)(values_chance(s, 75) ? values_sized(s, 1, 1, 0) : values_sized(s, 2, 2, 0));
}

/* {account, amount} with an account of its own choice. */
static void values_put_amount(values_state *s, int64_t amount) {
  values_put(s, values_account(s));
  values_put64(s, (uint64_t)amount);
}

static int64_t values_quantity(values_state *s) {
  return (int64_t)values_sized(s, 2, 5, 1);
}

static int64_t values_price(values_state *s) {
  return -(int64_t)values_sized(s, 3, 6, 1);
}

/* Within 53 bits, so that languages whose numbers are doubles can take part. */
static uint64_t values_balance(values_state *s) {
  uint64_t balance = values_sized(s, 5, 8, 0);
  return balance >> 53 == 0 ? balance : balance >> 3;
}

static uint64_t values_fee(values_state *s) {
  return values_sized(s, 4, 5, 0);
}

static void values_put_time(values_state *s) {
  s->nanos += 1 + (uint32_t)values_below(s, 2000);
  if (s->nanos >= 1000000000) {
    s->seconds++;
    s->nanos -= 999999999;
  }
  values_put64(s, s->seconds);
  values_put(s, s->nanos);
}

static void values_put_bytes(values_state *s, size_t length) {
  values_put(s, (uint32_t)s->pool.size);
  values_put(s, (uint32_t)length);
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = (uint8_t)values_random(s);
    values_append(&s->pool, &byte, 1);
  }
}

static void values_put_header(values_state *s) {
  const uint32_t versions[] = {1, 70, 2, 1, 70, 3};
  values_put(s, HAPI_HEADER);
  for (size_t i = 0; i < 6; i++)
    values_put(s, versions[i]);
  values_put64(s, 123456789);
  values_put_time(s);
}

static void values_put_balances(values_state *s, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    values_put(s, HAPI_BALANCE);
    values_put(s, 22);
    values_put_time(s);
    values_put(s, values_token(s));
    int64_t amount = values_quantity(s);
    values_put_amount(s, values_chance(s, 50) ? amount : -amount);
  }
}

static void values_put_orders(values_state *s, uint32_t added, uint32_t traded, uint32_t removed) {
  for (uint32_t i = 0; i < added; i++) {
    values_put(s, HAPI_ADDED);
    values_put_time(s);
    values_put(s, values_token(s));
    values_put_amount(s, values_quantity(s));
    values_put_amount(s, values_price(s));
    values_put(s, values_account(s));
    values_put64(s, s->serial + i);
  }
  for (uint32_t i = 0; i < traded; i++) {
    values_put(s, HAPI_TRADED);
    values_put_time(s);
    values_put64(s, values_fee(s));
    values_put(s, values_token(s));
    values_put_amount(s, values_quantity(s));
    values_put_amount(s, values_price(s));
    values_put(s, values_account(s));
    values_put(s, values_account(s));
    values_put64(s, s->oldest + values_below(s, s->serial - s->oldest));
  }
  for (uint32_t i = 0; i < removed; i++) {
    values_put(s, HAPI_DELETED);
    values_put_time(s);
    values_put(s, values_token(s));
    values_put(s, values_account(s));
    values_put64(s, s->oldest + i);
  }
}

static void values_put_anonymous(values_state *s) {
  const int64_t one = values_quantity(s);
  const int64_t two = values_quantity(s);
  values_put(s, HAPI_ANONYMOUS);
  values_put_amount(s, one);
  values_put_amount(s, two);
  values_put_amount(s, -one - two);
}

static void values_put_nft(values_state *s, uint32_t kind, uint64_t serial) {
  values_put(s, kind);
  values_put(s, values_token(s));
  values_put64(s, serial);
}

static void values_put_changes(values_state *s, uint32_t relations, uint32_t accounts,
                               uint32_t added, uint32_t removed) {
  values_put(s, HAPI_CHANGES);
  values_put_time(s);
  values_put(s, relations + accounts + 2 * added + removed + 3);
  for (uint32_t i = 0; i < relations; i++) {
    values_put(s, HAPI_RELATION);
    values_put(s, values_token(s));
    values_put(s, values_account(s));
    values_put64(s, values_balance(s));
    values_put(s, values_chance(s, 20));
  }
  for (uint32_t i = 0; i < accounts; i++) {
    values_put(s, HAPI_ACCOUNT);
    values_put(s, values_account(s));
    values_put64(s, values_balance(s));
  }
  for (uint32_t i = 0; i < added; i++) {
    values_put_nft(s, HAPI_NFT, s->serial + i);
    values_put(s, values_account(s));
    values_put_time(s);
  }
  for (uint32_t i = 0; i < added; i++) {
    values_put_nft(s, HAPI_PRIVATE_NFT, s->serial + i);
    values_put_time(s);
  }
  for (uint32_t i = 0; i < removed; i++)
    values_put_nft(s, HAPI_NFT_DELETED, s->oldest + i);
  values_put(s, HAPI_ENTITY);
  values_put64(s, s->entity++);
  values_put(s, HAPI_RECEIPT);
  values_put(s, 1 + (uint32_t)values_below(s, 30));
  values_put_time(s);
  values_put(s, values_account(s));
  values_put(s, 22);
  values_put(s, HAPI_POPPED);
}

static void values_put_transaction(values_state *s) {
  uint32_t repetitions = values_chance(s, VALUES_BATCHES) ? VALUES_BATCH_SIZE : 1;
  uint32_t balances = 0, relations = 0, accounts = 0, added = 0, traded = 0, removed = 0;
  for (uint32_t i = 0; i < repetitions; i++) {
    balances += values_times(s, VALUES_BALANCES);
    relations += values_times(s, VALUES_RELATIONS);
    accounts += values_times(s, VALUES_ACCOUNTS);
    added += values_times(s, VALUES_ADDED);
    traded += values_times(s, VALUES_TRADED);
    removed += values_times(s, VALUES_REMOVED);
  }
  values_put(s, HAPI_SIGNED);
  values_put_bytes(s, 48 + (size_t)values_below(s, 11));
  values_put(s, HAPI_RESULT);
  values_put(s, 22);
  values_put_time(s);
  values_put64(s, values_fee(s));
  values_put_balances(s, balances);
  values_put_orders(s, added, traded, removed);
  values_put_anonymous(s);
  values_put_changes(s, relations, accounts, added, removed);
  s->serial += added;
  s->oldest += removed;
}

static values_state values_begin(void) {
  return (values_state){
      .random = VALUES_SEED,
      .seconds = VALUES_START,
      .nanos = 1,
      .serial = VALUES_SERIALS,
      .oldest = VALUES_SERIALS - 100000,
      .entity = 9000000,
  };
}

hapi_values hapi_make_values(size_t transactions) {
  values_state s = values_begin();
  values_put_header(&s);
  for (size_t i = 0; i < transactions; i++)
    values_put_transaction(&s);
  values_put(&s, HAPI_FOOTER);
  for (size_t i = 0; i < 3; i++)
    values_put_bytes(&s, 48);
  values_put(&s, HAPI_PROOF);
  values_put64(&s, 123456789);
  values_put_bytes(&s, 96);
  values_put(&s, HAPI_END);
  return (hapi_values){
      .words = (uint32_t *)(void *)s.words.bytes,
      .count = s.words.size / sizeof(uint32_t),
      .pool = s.pool.bytes,
      .pool_size = s.pool.size,
  };
}

void hapi_free_values(hapi_values *values) {
  free((void *)(uintptr_t)values->words);
  free((void *)(uintptr_t)values->pool);
}

/* ---- Transactions, in wire format ------------------------------------------------------------*/

static void values_put_varint(values_buffer *out, uint64_t value) {
  do {
    uint8_t byte = (uint8_t)((value & 127) | (value > 127 ? 128 : 0));
    values_append(out, &byte, 1);
  } while ((value >>= 7) != 0);
}

static void values_put_number(values_buffer *out, unsigned field, uint64_t value) {
  values_put_varint(out, field << 3);
  values_put_varint(out, value);
}

static void values_put_field(values_buffer *out, unsigned field, const void *bytes, size_t length) {
  values_put_varint(out, field << 3 | 2);
  values_put_varint(out, length);
  values_append(out, bytes, length);
}

/* Appends a message as a field and empties its buffer. */
static void values_put_message(values_buffer *out, unsigned field, values_buffer *message) {
  values_put_field(out, field, message->bytes, message->size);
  free(message->bytes);
  *message = (values_buffer){0};
}

static void values_put_entity(values_buffer *out, unsigned field, uint64_t number) {
  values_buffer id = {0};
  values_put_number(&id, 3, number);
  values_put_message(out, field, &id);
}

static void values_put_transfer(values_state *s, values_buffer *list, unsigned field,
                                int64_t amount) {
  values_buffer transfer = {0};
  values_put_entity(&transfer, 1, values_account(s));
  values_put_number(&transfer, 2, ((uint64_t)amount << 1) ^ (uint64_t)(amount >> 63));
  values_put_message(list, field, &transfer);
}

static void values_put_crypto_transfer(values_state *s, values_buffer *body) {
  values_buffer transfer = {0}, list = {0};
  int64_t amount = values_price(s);
  values_put_transfer(s, &list, 1, amount);
  values_put_transfer(s, &list, 1, -amount);
  values_put_message(&transfer, 1, &list);
  if (values_chance(s, 30)) {
    amount = values_quantity(s);
    values_put_entity(&list, 1, values_token(s));
    values_put_transfer(s, &list, 2, amount);
    values_put_transfer(s, &list, 2, -amount);
    values_put_message(&transfer, 2, &list);
  }
  values_put_message(body, 14, &transfer);
}

static void values_put_random(values_state *s, values_buffer *out, unsigned field, size_t length) {
  uint8_t bytes[64];
  for (size_t i = 0; i < length; i++)
    bytes[i] = (uint8_t)values_random(s);
  values_put_field(out, field, bytes, length);
}

static void values_put_signed(values_state *s, values_buffer *out, values_buffer *body) {
  values_buffer map = {0}, pair = {0};
  bool ecdsa = values_chance(s, 80);
  values_put_message(out, 1, body);
  values_put_random(s, &pair, 1, ecdsa ? 33 : 32);
  values_put_random(s, &pair, ecdsa ? 6 : 3, 64);
  values_put_message(&map, 1, &pair);
  values_put_message(out, 2, &map);
}

static void values_put_body(values_state *s, values_buffer *body) {
  values_buffer id = {0}, time = {0}, duration = {0};
  s->seconds += values_below(s, 2);
  values_put_number(&time, 1, s->seconds);
  values_put_number(&time, 2, values_below(s, 999999999) + 1);
  values_put_message(&id, 1, &time);
  values_put_entity(&id, 2, values_account(s));
  values_put_message(body, 1, &id);
  values_put_entity(body, 2, 3 + values_below(s, 30));
  values_put_number(body, 3, values_fee(s));
  values_put_number(&duration, 1, 120);
  values_put_message(body, 4, &duration);
}

hapi_transactions hapi_make_transactions(size_t count) {
  values_state s = values_begin();
  values_buffer out = {0};
  uint32_t *offsets = values_need(malloc((count + 1) * sizeof *offsets));
  for (size_t i = 0; i < count; i++) {
    values_buffer body = {0}, batch = {0}, inner = {0}, inner_body = {0};
    offsets[i] = (uint32_t)out.size;
    values_put_body(&s, &body);
    if (values_chance(&s, VALUES_BATCHES)) {
      for (uint64_t n = 2 + values_below(&s, 19); n > 0; n--) {
        values_put_body(&s, &inner_body);
        values_put_crypto_transfer(&s, &inner_body);
        values_put_signed(&s, &inner, &inner_body);
        values_put_message(&batch, 1, &inner);
      }
      values_put_message(&body, 74, &batch);
    } else {
      values_put_crypto_transfer(&s, &body);
    }
    values_put_signed(&s, &out, &body);
  }
  offsets[count] = (uint32_t)out.size;
  const uint8_t padding[64] = {0}; /* HAPI_SLACK */
  values_append(&out, padding, sizeof padding);
  return (hapi_transactions){.bytes = out.bytes, .offsets = offsets, .count = count};
}

void hapi_free_transactions(hapi_transactions *transactions) {
  free((void *)(uintptr_t)transactions->bytes);
  free((void *)(uintptr_t)transactions->offsets);
}
