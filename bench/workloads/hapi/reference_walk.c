/*
 * The reference's fast readers: one walk over the shapes that the block and its transactions have,
 * in the order of the wire. With `light` it stores what it reads as words, those of values.h for a
 * block: neither presence nor unknown fields. Without, it keeps nothing but the sum of every field,
 * and what has another shape is decoded by the full reference decoder, an item or a transaction at
 * a time, and its record summed.
 *
 * Bounds are looked at where messages end: between two of those places a walk reads less than
 * HAPI_SLACK bytes.
 */
#include "read_fast.h"
#include "records.h"

typedef struct walk {
  uint32_t *w;
  const uint8_t *input; /* that offsets of bytes are from */
  uint32_t sum;
} walk;

#define WALK_TAG(tag)                                                                              \
  if (HAPI_UNLIKELY(*p != (tag))) return NULL;                                                     \
  p++;
/* A tag and the length of a message that ends at `end`. */
#define WALK_OPEN(tag, end)                                                                        \
  const uint8_t *end;                                                                              \
  {                                                                                                \
    uint32_t length;                                                                               \
    WALK_TAG(tag)                                                                                  \
    if (HAPI_UNLIKELY(!hapi_get_length(&p, e, &length))) return NULL;                              \
    end = p + length;                                                                              \
  }
#define WALK_CLOSE(end)                                                                            \
  if (HAPI_UNLIKELY(p != (end))) return NULL;
/* A message that ends at `end` is the last in the one that ends at `outer`. */
#define WALK_LAST(end, outer)                                                                      \
  if (HAPI_UNLIKELY((end) != (outer))) return NULL;
/* A part of a message, which `call` reads. */
#define WALK(call)                                                                                 \
  p = (call);                                                                                      \
  if (HAPI_UNLIKELY(p == NULL)) return NULL;

/* What a oneof adds to the sum. */
#define WALK_ADD(number)                                                                           \
  if (!light) k->sum += (number);

HAPI_INLINE void walk_put(walk *k, uint32_t word) {
  *k->w++ = word;
}

HAPI_INLINE const uint8_t *walk_32(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  uint64_t value;
  p = hapi_get(p, e, &value);
  if (light)
    walk_put(k, (uint32_t)value);
  else
    k->sum += (uint32_t)value;
  return p;
}

HAPI_INLINE void walk_put_64(walk *k, uint64_t value, bool light) {
  if (light) {
    memcpy(k->w, &value, sizeof value);
    k->w += 2;
  } else {
    k->sum += (uint32_t)value;
  }
}

HAPI_INLINE const uint8_t *walk_64(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  uint64_t value;
  p = hapi_get(p, e, &value);
  walk_put_64(k, value, light);
  return p;
}

/* A message in a field of that tag that has but its number; `choice` is what its oneof adds. */
HAPI_INLINE const uint8_t *walk_id(walk *k, const uint8_t *p, const uint8_t *e, unsigned tag,
                                   uint32_t choice, bool light) {
  if (HAPI_UNLIKELY(p[0] != tag || p[2] != 0x18)) return NULL;
  const uint8_t *end = p + 2 + p[1];
  p = walk_32(k, p + 3, e, light);
  WALK_CLOSE(end)
  WALK_ADD(choice)
  return p;
}

#define WALK_ACCOUNT(tag) WALK(walk_id(k, p, e, tag, 3, light))
#define WALK_TOKEN(tag)   WALK(walk_id(k, p, e, tag, 0, light))

HAPI_INLINE const uint8_t *walk_time(walk *k, const uint8_t *p, const uint8_t *e, unsigned tag,
                                     bool light) {
  if (HAPI_UNLIKELY(p[0] != tag || p[2] != 0x08)) return NULL;
  const uint8_t *end = p + 2 + p[1];
  p = walk_64(k, p + 3, e, light);
  WALK_TAG(0x10)
  p = walk_32(k, p, e, light);
  WALK_CLOSE(end)
  return p;
}

HAPI_INLINE const uint8_t *walk_amount(walk *k, const uint8_t *p, const uint8_t *e, unsigned tag,
                                       bool light) {
  uint64_t value;
  WALK_OPEN(tag, end)
  WALK_ACCOUNT(0x0a)
  WALK_TAG(0x10)
  p = hapi_get(p, e, &value);
  walk_put_64(k, hapi_unzigzag(value), light);
  WALK_CLOSE(end)
  return p;
}

HAPI_INLINE const uint8_t *walk_nft_id(walk *k, const uint8_t *p, const uint8_t *e, unsigned tag,
                                       bool light) {
  WALK_OPEN(tag, end)
  WALK_TOKEN(0x0a)
  WALK_TAG(0x10)
  p = walk_64(k, p, e, light);
  WALK_CLOSE(end)
  return p;
}

HAPI_INLINE const uint8_t *walk_bytes(walk *k, const uint8_t *p, const uint8_t *e, unsigned tag,
                                      bool light) {
  WALK_OPEN(tag, end)
  if (light) {
    walk_put(k, (uint32_t)(p - k->input));
    walk_put(k, (uint32_t)(end - p));
  } else if (HAPI_LIKELY(end != p)) {
    k->sum += (uint32_t)(end - p) + p[0] + end[-1];
  }
  return end;
}

/* ---- Items -----------------------------------------------------------------------------------*/

/* Which fields a result has tells what it is. */
enum { WALK_STATUS = 1, WALK_FEE = 2, WALK_SENDER = 4, WALK_RECEIVER = 8, WALK_LIST = 16 };

/* Its kind, by those. */
static const uint8_t walk_kinds[32] = {
    [WALK_STATUS | WALK_FEE] = HAPI_RESULT,
    [WALK_STATUS | WALK_LIST] = HAPI_BALANCE,
    [WALK_LIST | WALK_RECEIVER] = HAPI_ADDED,
    [WALK_LIST | WALK_FEE | WALK_SENDER | WALK_RECEIVER] = HAPI_TRADED,
    [WALK_LIST | WALK_SENDER] = HAPI_DELETED,
};

HAPI_INLINE const uint8_t *walk_result(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  uint32_t *kind = k->w;
  unsigned has = 0;
  if (light) k->w++;
  if (*p == 0x3a) {
    WALK_OPEN(0x3a, end)
    WALK_LAST(end, e)
    for (unsigned i = 0; i < 3; i++) {
      WALK(walk_amount(k, p, e, 0x0a, light))
    }
    if (light) *kind = HAPI_ANONYMOUS;
    return p;
  }
  if (*p == 0x08) {
    p = walk_32(k, p + 1, e, light);
    has |= WALK_STATUS;
  }
  WALK(walk_time(k, p, e, 0x12, light))
  if (p < e && *p == 0x30) {
    p = walk_64(k, p + 1, e, light);
    has |= WALK_FEE;
  }
  if (p < e) {
    WALK_OPEN(0x42, end)
    has |= WALK_LIST;
    WALK_TOKEN(0x0a)
    while (p < end && *p == 0x12) {
      WALK(walk_amount(k, p, e, 0x12, light))
    }
    if (p < end) {
      WALK_OPEN(0x1a, nft)
      if (*p == 0x0a) {
        WALK_ACCOUNT(0x0a)
        has |= WALK_SENDER;
      }
      if (*p == 0x12) {
        WALK_ACCOUNT(0x12)
        has |= WALK_RECEIVER;
      }
      WALK_TAG(0x18)
      p = walk_64(k, p, e, light);
      WALK_CLOSE(nft)
    }
    WALK_CLOSE(end)
  }
  if (light) {
    *kind = walk_kinds[has];
    if (HAPI_UNLIKELY(*kind == 0)) return NULL;
  }
  return p;
}

/*
 * The key and the value of a map update. What a value repeats of its key is read into words that
 * are compared and given up.
 */
HAPI_INLINE const uint8_t *walk_update(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  uint32_t *w = k->w;
  if (light) k->w++;
  WALK_OPEN(0x0a, key)
  const unsigned choice = *p;
  WALK_ADD(choice >> 3)
  switch (choice) {
  case 0x12: {
    WALK_OPEN(0x12, association)
    WALK_TOKEN(0x0a)
    WALK_ACCOUNT(0x12)
    WALK_CLOSE(association)
    WALK_CLOSE(key)
    WALK_OPEN(0x12, value)
    WALK_OPEN(0x62, relation)
    WALK_LAST(relation, value)
    WALK_TOKEN(0x0a)
    WALK_ACCOUNT(0x12)
    WALK_ADD(12)
    WALK_TAG(0x18)
    if (light) {
      if (memcmp(w + 1, w + 3, 2 * sizeof *w) != 0) return NULL;
      w[0] = HAPI_RELATION;
      k->w = w + 3;
    }
    p = walk_64(k, p, e, light);
    uint64_t automatic = 0;
    if (p < e && *p == 0x30) p = hapi_get(p + 1, e, &automatic);
    if (light) walk_put(k, automatic != 0);
    WALK_ADD(automatic != 0)
    WALK_CLOSE(value)
    return p;
  }
  case 0x0a: {
    WALK_ACCOUNT(0x0a)
    WALK_CLOSE(key)
    WALK_OPEN(0x12, value)
    WALK_OPEN(0x0a, account)
    WALK_LAST(account, value)
    WALK_ACCOUNT(0x0a)
    WALK_ADD(1)
    WALK_TAG(0x28)
    if (light) {
      if (w[1] != w[2]) return NULL;
      w[0] = HAPI_ACCOUNT;
      k->w = w + 2;
    }
    p = walk_64(k, p, e, light);
    WALK_CLOSE(value)
    return p;
  }
  case 0x2a: {
    WALK(walk_nft_id(k, p, e, 0x2a, light))
    WALK_CLOSE(key)
    WALK_OPEN(0x12, value)
    WALK_OPEN(0x2a, nft)
    WALK_LAST(nft, value)
    WALK(walk_nft_id(k, p, e, 0x0a, light))
    WALK_ADD(5)
    if (light) {
      if (memcmp(w + 1, w + 4, 3 * sizeof *w) != 0) return NULL;
      w[0] = *p == 0x12 ? HAPI_NFT : HAPI_PRIVATE_NFT;
      k->w = w + 4;
    }
    if (*p == 0x12) {
      WALK_ACCOUNT(0x12)
    }
    WALK(walk_time(k, p, e, 0x22, light))
    WALK_CLOSE(value)
    return p;
  }
  default:
    return NULL;
  }
}

HAPI_INLINE const uint8_t *walk_change(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  uint64_t state;
  WALK_TAG(0x08)
  p = hapi_get(p, e, &state);
  const unsigned tag = *p;
  WALK_ADD((uint32_t)state + (tag >> 3))
  WALK_OPEN(tag, end)
  WALK_LAST(end, e)
  switch (tag) {
  case 0x2a:
    return walk_update(k, p, e, light);
  case 0x32: {
    WALK_OPEN(0x0a, key)
    WALK_ADD(5)
    if (light) walk_put(k, HAPI_NFT_DELETED);
    WALK(walk_nft_id(k, p, e, 0x2a, light))
    WALK_CLOSE(key)
    return p;
  }
  case 0x22: {
    WALK_OPEN(0x1a, value)
    WALK_ADD(3)
    WALK_TAG(0x08)
    if (light) walk_put(k, HAPI_ENTITY);
    p = walk_64(k, p, e, light);
    WALK_CLOSE(value)
    return p;
  }
  case 0x3a: {
    WALK_OPEN(0x1a, entries)
    WALK_ADD(3)
    WALK_OPEN(0x0a, entry)
    WALK_LAST(entry, entries)
    WALK_TAG(0x08)
    if (light) walk_put(k, HAPI_RECEIPT);
    p = walk_32(k, p, e, light);
    WALK_OPEN(0x12, id)
    WALK(walk_time(k, p, e, 0x0a, light))
    WALK_ACCOUNT(0x12)
    WALK_CLOSE(id)
    WALK_TAG(0x18)
    p = walk_32(k, p, e, light);
    WALK_CLOSE(entry)
    return p;
  }
  case 0x42:
    if (light) walk_put(k, HAPI_POPPED);
    return p;
  default:
    return NULL;
  }
}

HAPI_INLINE const uint8_t *walk_changes(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  uint32_t *w = k->w, count = 0;
  if (light) k->w++;
  WALK(walk_time(k, p, e, 0x0a, light))
  if (light) {
    *w = HAPI_CHANGES;
    w = k->w++;
  }
  const uint8_t *all = e;
  for (; p < all; count++) {
    e = all;
    WALK_OPEN(0x12, end)
    e = end;
    WALK(walk_change(k, p, e, light))
    WALK_CLOSE(end)
  }
  if (light) *w = count;
  return p;
}

HAPI_INLINE const uint8_t *walk_header(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  if (light) walk_put(k, HAPI_HEADER);
  for (unsigned tag = 0x0a; tag <= 0x12; tag += 8) {
    WALK_OPEN(tag, end)
    for (unsigned i = 1; i <= 3; i++) {
      WALK_TAG(8 * i)
      p = walk_32(k, p, e, light);
    }
    WALK_CLOSE(end)
  }
  WALK_TAG(0x18)
  p = walk_64(k, p, e, light);
  WALK(walk_time(k, p, e, 0x22, light))
  return p;
}

HAPI_INLINE const uint8_t *walk_item(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  const unsigned tag = *p;
  WALK_ADD(tag >> 3)
  if (tag == 0x22) {
    if (light) walk_put(k, HAPI_SIGNED);
    return walk_bytes(k, p, e, 0x22, light);
  }
  WALK_OPEN(tag, end)
  WALK_LAST(end, e)
  switch (tag) {
  case 0x2a:
    return walk_result(k, p, e, light);
  case 0x3a:
    return walk_changes(k, p, e, light);
  case 0x0a:
    return walk_header(k, p, e, light);
  case 0x62:
    if (light) walk_put(k, HAPI_FOOTER);
    for (unsigned field = 0x0a; field <= 0x1a; field += 8) {
      WALK(walk_bytes(k, p, e, field, light))
    }
    return p;
  case 0x4a: {
    WALK_TAG(0x08)
    if (light) walk_put(k, HAPI_PROOF);
    p = walk_64(k, p, e, light);
    WALK_OPEN(0x12, proof)
    WALK_ADD(2)
    WALK(walk_bytes(k, p, e, 0x0a, light))
    WALK_CLOSE(proof)
    return p;
  }
  default:
    return NULL;
  }
}

/* ---- Transactions ----------------------------------------------------------------------------*/

/* The amounts up to `end`, behind their number. */
HAPI_INLINE const uint8_t *walk_amounts(walk *k, const uint8_t *p, const uint8_t *e,
                                        const uint8_t *end, unsigned tag, bool light) {
  uint32_t *w = k->w, count = 0;
  if (light) k->w++;
  for (; p < end; count++) {
    WALK(walk_amount(k, p, e, tag, light))
  }
  if (light) *w = count;
  WALK_CLOSE(end)
  return p;
}

HAPI_INLINE const uint8_t *walk_body(walk *k, const uint8_t *p, const uint8_t *e, bool light) {
  WALK_OPEN(0x0a, id)
  WALK(walk_time(k, p, e, 0x0a, light))
  WALK_ACCOUNT(0x12)
  WALK_CLOSE(id)
  WALK_ACCOUNT(0x12)
  WALK_TAG(0x18)
  p = walk_64(k, p, e, light);
  WALK_OPEN(0x22, duration)
  WALK_TAG(0x08)
  p = walk_64(k, p, e, light);
  WALK_CLOSE(duration)
  uint32_t *w = k->w, count = 0;
  if (light) k->w += 2;
  if (p[0] == 0x72) {
    WALK_ADD(14)
    WALK_OPEN(0x72, transfer)
    WALK_LAST(transfer, e)
    WALK_OPEN(0x0a, list)
    WALK(walk_amounts(k, p, e, list, 0x0a, light))
    for (; p < e; count++) {
      WALK_OPEN(0x12, tokens)
      WALK_TOKEN(0x0a)
      WALK(walk_amounts(k, p, e, tokens, 0x12, light))
    }
    if (light) w[0] = 14;
  } else if (p[0] == 0xd2 && p[1] == 0x04) {
    WALK_ADD(74)
    p++;
    WALK_OPEN(0x04, batch)
    WALK_LAST(batch, e)
    for (; p < e; count++) {
      WALK(walk_bytes(k, p, e, 0x0a, light))
    }
    if (light) w[0] = 74;
  } else {
    return NULL;
  }
  if (light) w[1] = count;
  return p;
}

/* A SignedTransaction and the body in it. */
HAPI_INLINE const uint8_t *walk_transaction(walk *k, const uint8_t *p, const uint8_t *e,
                                            bool light) {
  WALK_OPEN(0x0a, body)
  k->sum += (uint32_t)(body - p) + p[0] + body[-1];
  WALK(walk_body(k, p, body, light))
  WALK_CLOSE(body)
  WALK_OPEN(0x12, map)
  WALK_LAST(map, e)
  WALK_OPEN(0x0a, pair)
  WALK_LAST(pair, e)
  WALK(walk_bytes(k, p, e, 0x0a, light))
  const unsigned kind = *p;
  if (kind != 0x1a && kind != 0x32) return NULL;
  WALK_ADD(kind >> 3)
  if (light) walk_put(k, kind >> 3);
  WALK(walk_bytes(k, p, e, kind, light))
  WALK_CLOSE(e)
  return p;
}

/* ---- With their results in registers ---------------------------------------------------------*/

#define WALK_WITH(name, part, light)                                                               \
  static const uint8_t *name(walk *outer, const uint8_t *p, const uint8_t *e) {                    \
    walk k = *outer;                                                                               \
    p = part(&k, p, e, light);                                                                     \
    *outer = k;                                                                                    \
    return p;                                                                                      \
  }
WALK_WITH(light_item, walk_item, true)
WALK_WITH(light_transaction, walk_transaction, true)
WALK_WITH(scan_item, walk_item, false)
WALK_WITH(scan_transaction, walk_transaction, false)

size_t hapi_decode_light(uint32_t *words, const uint8_t *bytes, size_t length) {
  walk k = {words, bytes, 0};
  const uint8_t *p = bytes, *e = bytes + length;
  while (p < e) {
    uint32_t size;
    if (*p++ != 0x0a || !hapi_get_length(&p, e, &size)) return 0;
    const uint8_t *end = p + size;
    if (HAPI_UNLIKELY(light_item(&k, p, end) != end)) return 0;
    p = end;
  }
  *k.w++ = HAPI_END;
  return (size_t)(k.w - words);
}

size_t hapi_decode_light_transaction(uint32_t *words, const uint8_t *bytes, size_t length) {
  walk k = {words, bytes, 0};
  if (light_transaction(&k, bytes, bytes + length) != bytes + length) return 0;
  return (size_t)(k.w - words);
}

/* Messages out of the ordinary. */
#define SCAN_OTHER(message)                                                                        \
  __attribute__((noinline)) static bool scan_other_##message(                                      \
      hapi_records *scratch, const uint8_t *bytes, size_t length, uint32_t *sum) {                 \
    size_t used = scratch->used;                                                                   \
    scratch->input = bytes;                                                                        \
    const hapi_##message *record = hapi_decode_##message(scratch, bytes, length, HAPI_DEPTH);      \
    if (record != NULL) *sum += hapi_sum_##message(scratch, record);                               \
    scratch->used = used;                                                                          \
    return record != NULL;                                                                         \
  }
SCAN_OTHER(Block)
SCAN_OTHER(BlockItem)
SCAN_OTHER(SignedTransaction)
SCAN_OTHER(TransactionBody)

bool hapi_scan_item(hapi_records *scratch, const uint8_t *bytes, size_t length, uint32_t *sum) {
  walk k = {NULL, bytes, 0};
  *sum = 0;
  if (length == 0 || scan_item(&k, bytes, bytes + length) != bytes + length)
    return scan_other_BlockItem(scratch, bytes, length, sum);
  *sum = k.sum;
  return true;
}

bool hapi_scan_block(hapi_records *scratch, const uint8_t *bytes, size_t length, uint32_t *sum) {
  walk k = {NULL, bytes, 0};
  const uint8_t *p = bytes, *e = bytes + length;
  *sum = 0;
  while (p < e) {
    uint32_t size, before = k.sum;
    if (*p++ != 0x0a || !hapi_get_length(&p, e, &size))
      return scan_other_Block(scratch, bytes, length, sum);
    const uint8_t *end = p + size;
    if (HAPI_UNLIKELY(size == 0 || scan_item(&k, p, end) != end)) {
      k.sum = before;
      if (!scan_other_BlockItem(scratch, p, size, &k.sum)) return false;
    }
    p = end;
  }
  *sum = k.sum;
  return true;
}

bool hapi_scan_transaction(hapi_records *scratch, const uint8_t *bytes, size_t length,
                           uint32_t *sum) {
  walk k = {NULL, bytes, 0};
  const uint8_t *p = bytes + 1, *e = bytes + length;
  uint32_t body;
  *sum = 0;
  if (HAPI_LIKELY(scan_transaction(&k, bytes, e) == e)) {
    *sum = k.sum;
    return true;
  }
  if (length == 0 || bytes[0] != 0x0a || !hapi_get_length(&p, e, &body)) return false;
  return scan_other_SignedTransaction(scratch, bytes, length, sum) &&
         scan_other_TransactionBody(scratch, p, body, sum);
}

/* ---- The sum of a light transaction ----------------------------------------------------------*/

static uint32_t light_bytes_sum(const uint8_t *bytes, const uint32_t *w) {
  return w[1] == 0 ? 0 : w[1] + bytes[w[0]] + bytes[w[0] + w[1] - 1];
}

static const uint32_t *light_amounts_sum(const uint32_t *w, uint32_t *sum) {
  uint32_t count = *w++;
  for (; count > 0; count--, w += 3)
    *sum += w[0] + 3 + w[1];
  return w;
}

uint32_t hapi_sum_light_transaction(const uint32_t *w, const uint8_t *bytes, size_t length) {
  const uint8_t *p = bytes + 1;
  uint32_t body, sum = 0;
  if (!hapi_get_length(&p, bytes + length, &body)) return 0;
  sum += body + p[0] + p[body - 1];
  /* Time, payer, node, fee, duration, choice; the high words of numbers do not count. */
  sum += w[0] + w[2] + w[3] + 3 + w[4] + 3 + w[5] + w[7] + w[9];
  const uint32_t choice = w[9];
  uint32_t count = w[10];
  w += 11;
  if (choice == 14) w = light_amounts_sum(w, &sum);
  for (; count > 0; count--) {
    if (choice == 14) {
      sum += *w;
      w = light_amounts_sum(w + 1, &sum);
    } else {
      sum += light_bytes_sum(bytes, w);
      w += 2;
    }
  }
  return sum + light_bytes_sum(bytes, w) + w[2] + light_bytes_sum(bytes, w + 3);
}
