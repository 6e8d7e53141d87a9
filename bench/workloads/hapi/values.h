/*
 * The synthetic block as a flat stream of values, and the transactions beside it. The stream is the
 * same on every run; whoever makes the block, from objects, through writers or by the reference
 * encoder, reads it from its first word to its last.
 *
 * The stream is items, then HAPI_END. An item is its kind and its values, in this order; "64" marks
 * values of two words (low, high), and a time is seconds 64, nanos.
 *   HAPI_HEADER     major, minor, patch of the API, the same of the software, number 64, time
 *   HAPI_SIGNED     offset, length in the pool
 *   HAPI_RESULT     status, time, fee 64
 *   HAPI_BALANCE    status, time, token, account, amount 64
 *   HAPI_ADDED      time, token, 2 x {account, amount 64}, receiver, serial 64
 *   HAPI_TRADED     time, fee 64, token, 2 x {account, amount 64}, sender, receiver, serial 64
 *   HAPI_DELETED    time, token, sender, serial 64
 *   HAPI_ANONYMOUS  3 x {account, amount 64}
 *   HAPI_CHANGES    time, count, and that many changes:
 *     HAPI_RELATION     token, account, balance 64, automatic association (0, 1)
 *     HAPI_ACCOUNT      account, balance 64
 *     HAPI_NFT          token, serial 64, owner, time
 *     HAPI_PRIVATE_NFT  token, serial 64, time
 *     HAPI_NFT_DELETED  token, serial 64
 *     HAPI_ENTITY       number 64
 *     HAPI_RECEIPT      node, time, account, status
 *     HAPI_POPPED
 *   HAPI_FOOTER     3 x {offset, length}
 *   HAPI_PROOF      block 64, offset, length
 * No value is zero, except automatic association.
 */
#ifndef HAPI_VALUES_H
#define HAPI_VALUES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HAPI_TRANSACTIONS       20000u
#define HAPI_QUICK_TRANSACTIONS 2000u /* of the benchmark's quick form */

enum {
  HAPI_END,
  HAPI_HEADER,
  HAPI_SIGNED,
  HAPI_RESULT,
  HAPI_BALANCE,
  HAPI_ADDED,
  HAPI_TRADED,
  HAPI_DELETED,
  HAPI_ANONYMOUS,
  HAPI_CHANGES,
  HAPI_FOOTER,
  HAPI_PROOF
};

enum {
  HAPI_RELATION,
  HAPI_ACCOUNT,
  HAPI_NFT,
  HAPI_PRIVATE_NFT,
  HAPI_NFT_DELETED,
  HAPI_ENTITY,
  HAPI_RECEIPT,
  HAPI_POPPED
};

/* StateChange.state_id of each kind of change. */
enum {
  HAPI_STATE_ENTITY = 1,
  HAPI_STATE_ACCOUNTS = 2,
  HAPI_STATE_NFTS = 8,
  HAPI_STATE_RELATIONS = 9,
  HAPI_STATE_RECEIPTS = 126
};

/* The same as a table, by kind. */
static const uint8_t hapi_states[] = {
    HAPI_STATE_RELATIONS, HAPI_STATE_ACCOUNTS, HAPI_STATE_NFTS,     HAPI_STATE_NFTS,
    HAPI_STATE_NFTS,      HAPI_STATE_ENTITY,   HAPI_STATE_RECEIPTS, HAPI_STATE_RECEIPTS,
};

/* Words of an item after its kind, by kind; those of changes follow from their count. */
static const uint8_t hapi_item_words[] = {0, 11, 2, 6, 8, 13, 16, 7, 9, 4, 6, 4};

/* Words that a change takes, its kind included, by kind. */
static const uint8_t hapi_change_words[] = {6, 4, 8, 7, 4, 3, 7, 1};

/* No item is longer than this in wire format. */
#define HAPI_ITEM_SIZE 65536u

typedef struct hapi_values {
  const uint32_t *words;
  size_t count;
  const uint8_t *pool;
  size_t pool_size;
} hapi_values;

/* Transactions one at a time, each a SignedTransaction in wire format at bytes + offsets[i]. */
typedef struct hapi_transactions {
  const uint8_t *bytes;
  const uint32_t *offsets; /* count + 1 of them */
  size_t count;
} hapi_transactions;

/* Both take memory from malloc and end the program without it. */
hapi_values hapi_make_values(size_t transactions);
hapi_transactions hapi_make_transactions(size_t count);
void hapi_free_values(hapi_values *values);
void hapi_free_transactions(hapi_transactions *transactions);

static inline uint64_t hapi_64(const uint32_t *words) {
  uint64_t value;
  memcpy(&value, words, sizeof value);
  return value;
}

#endif
