/*
 * The reference encoders. Forward, a message that can't reach 128 bytes gets its length byte when
 * it ends; others reserve the usual number of length bytes and move if that was wrong. Back to
 * front, repeated sub-messages are found first and written last to first. Identifiers are one
 * 8-byte store: tag, length, tag of the number, varint of up to five bytes.
 */
#include "reference.h"

#include <stdlib.h>

#include "wire_fast.h"

/* ---- Forward ---------------------------------------------------------------------------------*/

/* AccountID or TokenID in a field of that tag. */
HAPI_INLINE uint8_t *write_id(uint8_t *p, unsigned tag, uint32_t number) {
  unsigned size;
  uint64_t varint = hapi_varint(number, &size);
  hapi_store64(p, varint << 24 | 0x180000u | (size + 1) << 8 | tag);
  return p + 3 + size;
}

HAPI_INLINE uint8_t *write_number(uint8_t *p, unsigned tag, uint64_t number) {
  *p = (uint8_t)tag;
  return hapi_put(p + 1, number);
}

/* Closes a message of less than 128 bytes whose length byte is at `length`. */
HAPI_INLINE void write_close(uint8_t *length, const uint8_t *p) {
  *length = (uint8_t)(p - length - 1);
}

/* Closes a message for whose length `reserved` bytes stand at `length`. */
HAPI_INLINE uint8_t *write_close_any(uint8_t *length, uint8_t *p, unsigned reserved) {
  size_t size = (size_t)(p - length) - reserved;
  unsigned needed;
  uint64_t varint = hapi_varint(size, &needed);
  if (HAPI_UNLIKELY(needed != reserved)) {
    memmove(length + needed, length + reserved, size);
    p = length + needed + size;
  }
  for (unsigned i = 0; i < needed; i++)
    length[i] = (uint8_t)(varint >> 8 * i);
  return p;
}

HAPI_INLINE uint8_t *write_time(uint8_t *p, unsigned tag, const uint32_t *w) {
  uint8_t *length = p + 1;
  *p = (uint8_t)tag;
  p = write_number(p + 2, 0x08, hapi_64(w));
  p = write_number(p, 0x10, w[2]);
  write_close(length, p);
  return p;
}

/* {account, amount} */
HAPI_INLINE uint8_t *write_amount(uint8_t *p, unsigned tag, const uint32_t *w) {
  uint8_t *length = p + 1;
  *p = (uint8_t)tag;
  p = write_id(p + 2, 0x0a, w[0]);
  p = write_number(p, 0x10, hapi_zigzag(hapi_64(w + 1)));
  write_close(length, p);
  return p;
}

HAPI_INLINE uint8_t *write_transfer_list(uint8_t *p, const uint32_t *token, const uint32_t *amounts,
                                         unsigned count, uint32_t sender, uint32_t receiver,
                                         uint64_t serial) {
  uint8_t *length = p + 1;
  *p = 0x42;
  p = write_id(p + 2, 0x0a, *token);
  for (unsigned i = 0; i < count; i++)
    p = write_amount(p, 0x12, amounts + 3 * i);
  if (serial != 0) {
    uint8_t *nft = p + 1;
    *p = 0x1a;
    p += 2;
    if (sender != 0) p = write_id(p, 0x0a, sender);
    if (receiver != 0) p = write_id(p, 0x12, receiver);
    p = write_number(p, 0x18, serial);
    write_close(nft, p);
  }
  write_close(length, p);
  return p;
}

HAPI_INLINE uint8_t *write_nft_id(uint8_t *p, unsigned tag, const uint32_t *w) {
  uint8_t *length = p + 1;
  *p = (uint8_t)tag;
  p = write_id(p + 2, 0x0a, w[0]);
  p = write_number(p, 0x10, hapi_64(w + 1));
  write_close(length, p);
  return p;
}

HAPI_INLINE uint8_t *write_pool(uint8_t *p, unsigned tag, const uint32_t *w, const uint8_t *pool) {
  p = write_number(p, tag, w[1]);
  hapi_copy(p, pool + w[0], w[1]);
  return p + w[1];
}

HAPI_INLINE void write_state(uint8_t *p, unsigned state) {
  p[0] = 0x08;
  p[1] = (uint8_t)state;
}

/* A StateChange after its tag: its length at p, then state_id. */
static uint8_t *write_change(uint8_t *p, const uint32_t *w) {
  uint8_t *length = p, *operation, *key, *value;
  switch (*w) {
  case HAPI_RELATION:
    write_state(p + 1, HAPI_STATE_RELATIONS);
    operation = p + 4;
    p[3] = 0x2a;
    p[5] = 0x0a; /* key */
    p[7] = 0x12;
    key = p + 6;
    p = write_id(p + 9, 0x0a, w[1]);
    p = write_id(p, 0x12, w[2]);
    write_close(key, p);
    write_close(key + 2, p);
    p[0] = 0x12; /* value */
    p[2] = 0x62;
    value = p + 1;
    p = write_id(p + 4, 0x0a, w[1]);
    p = write_id(p, 0x12, w[2]);
    p = write_number(p, 0x18, hapi_64(w + 3));
    if (w[5] != 0) {
      p[0] = 0x30;
      p[1] = 1;
      p += 2;
    }
    write_close(value + 2, p);
    write_close(value, p);
    write_close(operation, p);
    break;
  case HAPI_ACCOUNT:
    write_state(p + 1, HAPI_STATE_ACCOUNTS);
    operation = p + 4;
    p[3] = 0x2a;
    p[5] = 0x0a;
    key = p + 6;
    p = write_id(p + 7, 0x0a, w[1]);
    write_close(key, p);
    p[0] = 0x12;
    p[2] = 0x0a;
    value = p + 1;
    p = write_id(p + 4, 0x0a, w[1]);
    p = write_number(p, 0x28, hapi_64(w + 2));
    write_close(value + 2, p);
    write_close(value, p);
    write_close(operation, p);
    break;
  case HAPI_NFT:
  case HAPI_PRIVATE_NFT:
    write_state(p + 1, HAPI_STATE_NFTS);
    operation = p + 4;
    p[3] = 0x2a;
    p[5] = 0x0a;
    key = p + 6;
    p = write_nft_id(p + 7, 0x2a, w + 1);
    write_close(key, p);
    p[0] = 0x12;
    p[2] = 0x2a;
    value = p + 1;
    p = write_nft_id(p + 4, 0x0a, w + 1);
    if (*w == HAPI_NFT) {
      p = write_id(p, 0x12, w[4]);
      p = write_time(p, 0x22, w + 5);
    } else {
      p = write_time(p, 0x22, w + 4);
    }
    write_close(value + 2, p);
    write_close(value, p);
    write_close(operation, p);
    break;
  case HAPI_NFT_DELETED:
    write_state(p + 1, HAPI_STATE_NFTS);
    operation = p + 4;
    p[3] = 0x32;
    p[5] = 0x0a;
    key = p + 6;
    p = write_nft_id(p + 7, 0x2a, w + 1);
    write_close(key, p);
    write_close(operation, p);
    break;
  case HAPI_ENTITY:
    write_state(p + 1, HAPI_STATE_ENTITY);
    operation = p + 4;
    p[3] = 0x22;
    p[5] = 0x1a;
    value = p + 6;
    p = write_number(p + 7, 0x08, hapi_64(w + 1));
    write_close(value, p);
    write_close(operation, p);
    break;
  case HAPI_RECEIPT:
    write_state(p + 1, HAPI_STATE_RECEIPTS);
    operation = p + 4;
    p[3] = 0x3a;
    p[5] = 0x1a; /* TransactionReceiptEntries */
    p[7] = 0x0a; /* an entry */
    key = p + 6;
    p = write_number(p + 9, 0x08, w[1]);
    p[0] = 0x12; /* TransactionID */
    value = p + 1;
    p = write_time(p + 2, 0x0a, w + 2);
    p = write_id(p, 0x12, w[5]);
    write_close(value, p);
    p = write_number(p, 0x18, w[6]);
    write_close(key + 2, p);
    write_close(key, p);
    write_close(operation, p);
    break;
  default: /* HAPI_POPPED */
    write_state(p + 1, HAPI_STATE_RECEIPTS);
    p[3] = 0x42;
    p[4] = 0;
    p += 5;
  }
  write_close(length, p);
  return p;
}

HAPI_INLINE hapi_item write_item(const uint32_t **words, const uint8_t *pool, uint8_t *out) {
  const uint32_t *w = *words;
  uint8_t *p = out + 2; /* after the tag of the item and one byte of its length */
  uint8_t *sub;
  unsigned reserved = 1;
  switch (*w++) {
  case HAPI_HEADER:
    out[0] = 0x0a;
    for (unsigned i = 0; i < 2; i++, w += 3) {
      *p++ = i == 0 ? 0x0a : 0x12;
      sub = p++;
      p = write_number(p, 0x08, w[0]);
      p = write_number(p, 0x10, w[1]);
      p = write_number(p, 0x18, w[2]);
      write_close(sub, p);
    }
    p = write_number(p, 0x18, hapi_64(w));
    p = write_time(p, 0x22, w + 2);
    w += 5;
    break;
  case HAPI_SIGNED:
    p = write_pool(out, 0x22, w, pool);
    *words = w + 2;
    return (hapi_item){out, (size_t)(p - out)};
  case HAPI_RESULT:
    out[0] = 0x2a;
    p = write_number(p, 0x08, w[0]);
    p = write_time(p, 0x12, w + 1);
    p = write_number(p, 0x30, hapi_64(w + 4));
    w += 6;
    break;
  case HAPI_BALANCE:
    out[0] = 0x2a;
    p = write_number(p, 0x08, w[0]);
    p = write_time(p, 0x12, w + 1);
    p = write_transfer_list(p, w + 4, w + 5, 1, 0, 0, 0);
    w += 8;
    break;
  case HAPI_ADDED:
    out[0] = 0x2a;
    p = write_time(p, 0x12, w);
    p = write_transfer_list(p, w + 3, w + 4, 2, 0, w[10], hapi_64(w + 11));
    w += 13;
    break;
  case HAPI_TRADED:
    out[0] = 0x2a;
    p = write_time(p, 0x12, w);
    p = write_number(p, 0x30, hapi_64(w + 3));
    p = write_transfer_list(p, w + 5, w + 6, 2, w[12], w[13], hapi_64(w + 14));
    w += 16;
    break;
  case HAPI_DELETED:
    out[0] = 0x2a;
    p = write_time(p, 0x12, w);
    p = write_transfer_list(p, w + 3, w, 0, w[4], 0, hapi_64(w + 5));
    w += 7;
    break;
  case HAPI_ANONYMOUS:
    out[0] = 0x2a;
    p[0] = 0x3a;
    sub = p + 1;
    p += 2;
    for (unsigned i = 0; i < 3; i++)
      p = write_amount(p, 0x0a, w + 3 * i);
    write_close(sub, p);
    w += 9;
    break;
  case HAPI_CHANGES:
    out[0] = 0x3a;
    reserved = 2;
    p = write_time(p + 1, 0x0a, w);
    {
      uint32_t count = w[3];
      w += 4;
      for (; count > 0; count--) {
        *p = 0x12;
        p = write_change(p + 1, w);
        w += hapi_change_words[*w];
      }
    }
    break;
  case HAPI_FOOTER:
    out[0] = 0x62;
    reserved = 2;
    p++;
    for (unsigned i = 0; i < 3; i++, w += 2)
      p = write_pool(p, 0x0a + 8 * i, w, pool);
    break;
  default: /* HAPI_PROOF */
    out[0] = 0x4a;
    p = write_number(p, 0x08, hapi_64(w));
    *p = 0x12;
    sub = p + 1;
    p = write_pool(p + 2, 0x0a, w + 2, pool);
    p = write_close_any(sub, p, 1);
    w += 4;
  }
  *words = w;
  p = write_close_any(out + 1, p, reserved);
  return (hapi_item){out, (size_t)(p - out)};
}

/* ---- Back to front: p is where what was written begins ---------------------------------------*/

HAPI_INLINE uint8_t *back_id(uint8_t *p, unsigned tag, uint32_t number) {
  unsigned size;
  uint64_t word = hapi_varint(number, &size) << 24;
  word |= 0x180000u | (size + 1) << 8 | tag;
  hapi_store64(p - 8, word << (8 * (5 - size)));
  return p - 3 - size;
}

HAPI_INLINE uint8_t *back_number(uint8_t *p, unsigned tag, uint64_t number) {
  p = hapi_put_back(p, number);
  *--p = (uint8_t)tag;
  return p;
}

/* Tag and length of a message of less than 128 bytes that ends at `end`. */
HAPI_INLINE uint8_t *back_open(uint8_t *p, unsigned tag, const uint8_t *end) {
  p[-1] = (uint8_t)(end - p);
  p[-2] = (uint8_t)tag;
  return p - 2;
}

HAPI_INLINE uint8_t *back_open_any(uint8_t *p, unsigned tag, const uint8_t *end) {
  return back_number(p, tag, (uint64_t)(end - p));
}

HAPI_INLINE uint8_t *back_time(uint8_t *p, unsigned tag, const uint32_t *w) {
  const uint8_t *end = p;
  p = back_number(p, 0x10, w[2]);
  p = back_number(p, 0x08, hapi_64(w));
  return back_open(p, tag, end);
}

HAPI_INLINE uint8_t *back_amount(uint8_t *p, unsigned tag, const uint32_t *w) {
  const uint8_t *end = p;
  p = back_number(p, 0x10, hapi_zigzag(hapi_64(w + 1)));
  p = back_id(p, 0x0a, w[0]);
  return back_open(p, tag, end);
}

HAPI_INLINE uint8_t *back_transfer_list(uint8_t *p, const uint32_t *token, const uint32_t *amounts,
                                        unsigned count, uint32_t sender, uint32_t receiver,
                                        uint64_t serial) {
  const uint8_t *end = p;
  if (serial != 0) {
    p = back_number(p, 0x18, serial);
    if (receiver != 0) p = back_id(p, 0x12, receiver);
    if (sender != 0) p = back_id(p, 0x0a, sender);
    p = back_open(p, 0x1a, end);
  }
  for (unsigned i = count; i-- > 0;)
    p = back_amount(p, 0x12, amounts + 3 * i);
  p = back_id(p, 0x0a, *token);
  return back_open(p, 0x42, end);
}

HAPI_INLINE uint8_t *back_nft_id(uint8_t *p, unsigned tag, const uint32_t *w) {
  const uint8_t *end = p;
  p = back_number(p, 0x10, hapi_64(w + 1));
  p = back_id(p, 0x0a, w[0]);
  return back_open(p, tag, end);
}

HAPI_INLINE uint8_t *back_pool(uint8_t *p, unsigned tag, const uint32_t *w, const uint8_t *pool) {
  p -= w[1];
  memcpy(p, pool + w[0], w[1]);
  return back_number(p, tag, w[1]);
}

HAPI_INLINE uint8_t *back_state(uint8_t *p, unsigned state) {
  p[-1] = (uint8_t)state;
  p[-2] = 0x08;
  return p - 2;
}

static uint8_t *back_change(uint8_t *p, const uint32_t *w) {
  const uint8_t *end = p, *key;
  switch (*w) {
  case HAPI_RELATION:
    if (w[5] != 0) {
      p[-1] = 1;
      p[-2] = 0x30;
      p -= 2;
    }
    p = back_number(p, 0x18, hapi_64(w + 3));
    p = back_id(p, 0x12, w[2]);
    p = back_id(p, 0x0a, w[1]);
    p = back_open(p, 0x62, end);
    p = back_open(p, 0x12, end);
    key = p;
    p = back_id(p, 0x12, w[2]);
    p = back_id(p, 0x0a, w[1]);
    p = back_open(p, 0x12, key);
    p = back_open(p, 0x0a, key);
    p = back_open(p, 0x2a, end);
    p = back_state(p, HAPI_STATE_RELATIONS);
    break;
  case HAPI_ACCOUNT:
    p = back_number(p, 0x28, hapi_64(w + 2));
    p = back_id(p, 0x0a, w[1]);
    p = back_open(p, 0x0a, end);
    p = back_open(p, 0x12, end);
    key = p;
    p = back_id(p, 0x0a, w[1]);
    p = back_open(p, 0x0a, key);
    p = back_open(p, 0x2a, end);
    p = back_state(p, HAPI_STATE_ACCOUNTS);
    break;
  case HAPI_NFT:
  case HAPI_PRIVATE_NFT:
    if (*w == HAPI_NFT) {
      p = back_time(p, 0x22, w + 5);
      p = back_id(p, 0x12, w[4]);
    } else {
      p = back_time(p, 0x22, w + 4);
    }
    p = back_nft_id(p, 0x0a, w + 1);
    p = back_open(p, 0x2a, end);
    p = back_open(p, 0x12, end);
    key = p;
    p = back_nft_id(p, 0x2a, w + 1);
    p = back_open(p, 0x0a, key);
    p = back_open(p, 0x2a, end);
    p = back_state(p, HAPI_STATE_NFTS);
    break;
  case HAPI_NFT_DELETED:
    p = back_nft_id(p, 0x2a, w + 1);
    p = back_open(p, 0x0a, end);
    p = back_open(p, 0x32, end);
    p = back_state(p, HAPI_STATE_NFTS);
    break;
  case HAPI_ENTITY:
    p = back_number(p, 0x08, hapi_64(w + 1));
    p = back_open(p, 0x1a, end);
    p = back_open(p, 0x22, end);
    p = back_state(p, HAPI_STATE_ENTITY);
    break;
  case HAPI_RECEIPT:
    p = back_number(p, 0x18, w[6]);
    key = p;
    p = back_id(p, 0x12, w[5]);
    p = back_time(p, 0x0a, w + 2);
    p = back_open(p, 0x12, key);
    p = back_number(p, 0x08, w[1]);
    p = back_open(p, 0x0a, end);
    p = back_open(p, 0x1a, end);
    p = back_open(p, 0x3a, end);
    p = back_state(p, HAPI_STATE_RECEIPTS);
    break;
  default: /* HAPI_POPPED */
    p = back_open(p, 0x42, end);
    p = back_state(p, HAPI_STATE_RECEIPTS);
  }
  return back_open(p, 0x12, end);
}

/* Changes whose places are remembered at a time; a longer run is counted off in such pieces. */
#define BACK_CHANGES 4096u

HAPI_INLINE hapi_item back_item(const uint32_t **words, const uint8_t *pool, uint8_t *out) {
  uint8_t *end = out + HAPI_ITEM_SIZE + HAPI_SLACK, *p = end;
  const uint32_t *w = *words, *changes[BACK_CHANGES];
  unsigned tag = 0x2a;
  switch (*w++) {
  case HAPI_HEADER:
    tag = 0x0a;
    p = back_time(p, 0x22, w + 8);
    p = back_number(p, 0x18, hapi_64(w + 6));
    for (unsigned i = 2; i-- > 0;) {
      const uint8_t *sub = p;
      p = back_number(p, 0x18, w[3 * i + 2]);
      p = back_number(p, 0x10, w[3 * i + 1]);
      p = back_number(p, 0x08, w[3 * i]);
      p = back_open(p, i == 0 ? 0x0a : 0x12, sub);
    }
    w += 11;
    break;
  case HAPI_SIGNED:
    p = back_pool(p, 0x22, w, pool);
    *words = w + 2;
    return (hapi_item){p, (size_t)(end - p)};
  case HAPI_RESULT:
    p = back_number(p, 0x30, hapi_64(w + 4));
    p = back_time(p, 0x12, w + 1);
    p = back_number(p, 0x08, w[0]);
    w += 6;
    break;
  case HAPI_BALANCE:
    p = back_transfer_list(p, w + 4, w + 5, 1, 0, 0, 0);
    p = back_time(p, 0x12, w + 1);
    p = back_number(p, 0x08, w[0]);
    w += 8;
    break;
  case HAPI_ADDED:
    p = back_transfer_list(p, w + 3, w + 4, 2, 0, w[10], hapi_64(w + 11));
    p = back_time(p, 0x12, w);
    w += 13;
    break;
  case HAPI_TRADED:
    p = back_transfer_list(p, w + 5, w + 6, 2, w[12], w[13], hapi_64(w + 14));
    p = back_number(p, 0x30, hapi_64(w + 3));
    p = back_time(p, 0x12, w);
    w += 16;
    break;
  case HAPI_DELETED:
    p = back_transfer_list(p, w + 3, w, 0, w[4], 0, hapi_64(w + 5));
    p = back_time(p, 0x12, w);
    w += 7;
    break;
  case HAPI_ANONYMOUS:
    for (unsigned i = 3; i-- > 0;)
      p = back_amount(p, 0x0a, w + 3 * i);
    p = back_open(p, 0x3a, end);
    w += 9;
    break;
  case HAPI_CHANGES: {
    const uint32_t *time = w;
    uint32_t count = w[3];
    w += 4;
    for (uint32_t i = 0; i < count; i++) {
      changes[i] = w;
      w += hapi_change_words[*w];
    }
    for (uint32_t i = count; i-- > 0;)
      p = back_change(p, changes[i]);
    p = back_time(p, 0x0a, time);
    tag = 0x3a;
    break;
  }
  case HAPI_FOOTER:
    for (unsigned i = 3; i-- > 0;)
      p = back_pool(p, 0x0a + 8 * i, w + 2 * i, pool);
    w += 6;
    tag = 0x62;
    break;
  default: /* HAPI_PROOF */
    p = back_pool(p, 0x0a, w + 2, pool);
    p = back_open_any(p, 0x12, end);
    p = back_number(p, 0x08, hapi_64(w));
    w += 4;
    tag = 0x4a;
  }
  *words = w;
  p = back_open_any(p, tag, end);
  return (hapi_item){p, (size_t)(end - p)};
}

/* ---- Items and blocks ------------------------------------------------------------------------*/

hapi_item hapi_write_forward(const uint32_t **words, const uint8_t *pool, uint8_t *out) {
  return write_item(words, pool, out);
}

hapi_item hapi_write_reverse(const uint32_t **words, const uint8_t *pool, uint8_t *out) {
  return back_item(words, pool, out);
}

uint8_t *hapi_make_block(const hapi_values *values, size_t *length) {
  const uint32_t *words = values->words;
  size_t size = 0, capacity = 0;
  uint8_t *block = NULL;
  while (*words != HAPI_END) {
    if (capacity - size < HAPI_ITEM_SIZE + 4 * HAPI_SLACK) {
      capacity = 2 * size + 2 * HAPI_ITEM_SIZE;
      block = realloc(block, capacity);
      if (block == NULL) abort();
    }
    /* The item leaves room for its tag and the usual two bytes of length. */
    block[size] = 0x0a;
    size_t item = hapi_write_forward(&words, values->pool, block + size + 3).length;
    size = (size_t)(write_close_any(block + size + 1, block + size + 3 + item, 2) - block);
  }
  *length = size;
  return block;
}
