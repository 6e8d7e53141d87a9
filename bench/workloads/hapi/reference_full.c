/*
 * The full reference decoder: presence (references and cases), unknown fields, merging, depth. For
 * each message a chain looks for the fields in their order; what it does not find, it leaves to a
 * loop over a switch, which takes anything. Messages with many fields have only the loop.
 */
#include "read_fast.h"
#include "records.h"

/* Room for `size` bytes, not cleared; 0: none. */
HAPI_INLINE uint32_t full_room(hapi_records *c, size_t size) {
  size_t at = c->used;
  if (HAPI_UNLIKELY(size > c->size - at)) return 0;
  c->used = at + ((size + 7) & ~(size_t)7);
  return (uint32_t)at;
}

/* The next field that is unknown: its tag is at p. NULL: malformed. */
static const uint8_t *full_skip(const uint8_t *p, const uint8_t *e, unsigned depth) {
  uint64_t tag, value;
  const uint8_t *begin = p;
  p = hapi_get(p, e, &tag);
  if (p > e || tag >> 32 != 0 || tag >> 3 == 0) return NULL;
  if (tag >> (7 * (p - begin - 1)) == 0) return NULL; /* longer than need be: none writes that */
  switch (tag & 7) {
  case 0:
    p = hapi_get(p, e, &value);
    return p > e ? NULL : p;
  case 1:
    return e - p < 8 ? NULL : p + 8;
  case 2: {
    uint32_t length;
    return hapi_get_length(&p, e, &length) ? p + length : NULL;
  }
  case 3:
    for (;;) {
      const uint8_t *q = hapi_get(p, e, &value);
      if (p >= e || q > e || depth == 0) return NULL;
      if ((value & 7) == 4) return value >> 3 == tag >> 3 ? q : NULL;
      p = full_skip(p, e, depth - 1);
      if (p == NULL) return NULL;
    }
  case 5:
    return e - p < 4 ? NULL : p + 4;
  default:
    return NULL;
  }
}

static const uint8_t *full_unknown(hapi_records *c, uint32_t *list, const uint8_t *p,
                                   const uint8_t *e, unsigned depth) {
  const uint8_t *end = full_skip(p, e, depth);
  uint32_t offset = (uint32_t)(p - c->input);
  if (end == NULL) return NULL;
  uint32_t length = (uint32_t)(end - p);
  hapi_unknown *newest = (hapi_unknown *)hapi_record_at(c, *list);
  if (*list != 0 && newest->bytes.offset + newest->bytes.length == offset) {
    newest->bytes.length += length;
    return end;
  }
  uint32_t ref = full_room(c, sizeof(hapi_unknown));
  if (ref == 0) return NULL;
  *(hapi_unknown *)hapi_record_at(c, ref) = (hapi_unknown){*list, {offset, length}, 0};
  *list = ref;
  return end;
}

/* How many elements with the one-byte tag follow each other, the first of which starts at p. */
HAPI_INLINE uint32_t full_count(const uint8_t *p, const uint8_t *e, unsigned tag) {
  uint32_t count = 0, length;
  do {
    if (!hapi_get_length(&p, e, &length)) return 0;
    p += length;
    count++;
  } while (p < e && *p++ == tag);
  return count;
}

/* Room for `count` more elements behind those of a run; the new ones are cleared. */
HAPI_INLINE uint8_t *full_extend(hapi_records *c, hapi_run *run, uint32_t count, size_t size) {
  uint32_t old = run->count;
  uint32_t ref = full_room(c, ((size_t)old + count) * size);
  if (ref == 0) return NULL;
  uint8_t *elements = (uint8_t *)hapi_record_at(c, ref);
  if (HAPI_UNLIKELY(old != 0)) memcpy(elements, hapi_record_at(c, run->first), old * size);
  memset(elements + old * size, 0, count * size);
  *run = (hapi_run){ref, old + count};
  return elements + old * size;
}

/* ---- One field: p is behind its tag ----------------------------------------------------------*/

#define FULL_GET_INT(to) p = hapi_get(p, e, &(to));
#define FULL_GET_SINT(to)                                                                          \
  p = hapi_get(p, e, &(to));                                                                       \
  (to) = hapi_unzigzag(to);
#define FULL_GET_BOOL(to)                                                                          \
  {                                                                                                \
    uint64_t value;                                                                                \
    p = hapi_get(p, e, &value);                                                                    \
    (to) = value != 0;                                                                             \
  }
#define FULL_GET_BYTES(to)                                                                         \
  {                                                                                                \
    uint32_t length;                                                                               \
    if (HAPI_UNLIKELY(!hapi_get_length(&p, e, &length))) return NULL;                              \
    (to) = (hapi_slice){(uint32_t)(p - c->input), length};                                         \
    p += length;                                                                                   \
  }
#define FULL_GET_STRING(to) FULL_GET_BYTES(to)

/* A message whose reference is `ref`, new or merged with the one that is there. */
#define FULL_GET_MESSAGE(message, ref)                                                             \
  {                                                                                                \
    uint32_t length;                                                                               \
    if (HAPI_UNLIKELY(!hapi_get_length(&p, e, &length) || depth == 0)) return NULL;                \
    if (HAPI_LIKELY((ref) == 0)) {                                                                 \
      (ref) = full_room(c, sizeof(hapi_##message));                                                \
      if (HAPI_UNLIKELY((ref) == 0)) return NULL;                                                  \
      memset(hapi_record_at(c, ref), 0, sizeof(hapi_##message));                                   \
    }                                                                                              \
    p = full_##message(c, (hapi_##message *)hapi_record_at(c, ref), p, p + length, depth - 1);     \
    if (HAPI_UNLIKELY(p == NULL)) return NULL;                                                     \
  }

#define FULL_S(in, number, kind, field)    FULL_GET_##kind(r->field)
#define FULL_M(in, number, message, field) FULL_GET_MESSAGE(message, r->field)
#define FULL_R(in, number, message, field)                                                         \
  {                                                                                                \
    uint32_t count = full_count(p, e, HAPI_TAG(number, 2)), length;                                \
    if (HAPI_UNLIKELY(count == 0 || depth == 0)) return NULL;                                      \
    hapi_##message *element =                                                                      \
        (hapi_##message *)(void *)full_extend(c, &r->field, count, sizeof(hapi_##message));        \
    if (HAPI_UNLIKELY(element == NULL)) return NULL;                                               \
    for (;; p++, element++) {                                                                      \
      hapi_get_length(&p, e, &length);                                                             \
      p = full_##message(c, element, p, p + length, depth - 1);                                    \
      if (HAPI_UNLIKELY(p == NULL)) return NULL;                                                   \
      if (--count == 0) break;                                                                     \
    }                                                                                              \
  }
#define FULL_B(in, number, field)                                                                  \
  {                                                                                                \
    uint32_t count = full_count(p, e, HAPI_TAG(number, 2));                                        \
    if (HAPI_UNLIKELY(count == 0)) return NULL;                                                    \
    hapi_slice *element =                                                                          \
        (hapi_slice *)(void *)full_extend(c, &r->field, count, sizeof(hapi_slice));                \
    if (HAPI_UNLIKELY(element == NULL)) return NULL;                                               \
    for (;; p++, element++) {                                                                      \
      FULL_GET_BYTES(*element)                                                                     \
      if (--count == 0) break;                                                                     \
    }                                                                                              \
  }
#define FULL_SO(in, number, kind, field, oneof)                                                    \
  FULL_GET_##kind(r->oneof.as_##kind) r->oneof##_case = number;
#define FULL_MO(in, number, message, field, oneof)                                                 \
  {                                                                                                \
    uint32_t ref = r->oneof##_case == number ? r->oneof.as_message : 0;                            \
    FULL_GET_MESSAGE(message, ref)                                                                 \
    r->oneof.as_message = ref;                                                                     \
    r->oneof##_case = number;                                                                      \
  }
#define FULL_NONE(in, oneof)

/* ---- The chain and the loop ------------------------------------------------------------------*/

#define FULL_NEXT                                                                                  \
  if (p >= e) return p == e ? p : NULL;                                                            \
  tag = hapi_tag(p);
#define FULL_IF(number, wire, body)                                                                \
  if (tag == HAPI_TAG(number, wire)) {                                                             \
    p += HAPI_TAG_SIZE(number);                                                                    \
    body FULL_NEXT                                                                                 \
  }
#define FULL_IF_S(in, number, kind, field)                                                         \
  FULL_IF(number, HAPI_WIRE_##kind, FULL_S(in, number, kind, field))
#define FULL_IF_M(in, number, message, field) FULL_IF(number, 2, FULL_M(in, number, message, field))
#define FULL_IF_R(in, number, message, field) FULL_IF(number, 2, FULL_R(in, number, message, field))
#define FULL_IF_B(in, number, field)          FULL_IF(number, 2, FULL_B(in, number, field))
#define FULL_IF_SO(in, number, kind, field, oneof)                                                 \
  FULL_IF(number, HAPI_WIRE_##kind, FULL_SO(in, number, kind, field, oneof))
#define FULL_IF_MO(in, number, message, field, oneof)                                              \
  FULL_IF(number, 2, FULL_MO(in, number, message, field, oneof))

#define FULL_CASE(number, wire, body)                                                              \
  case HAPI_TAG(number, wire):                                                                     \
    p += HAPI_TAG_SIZE(number);                                                                    \
    body break;
#define FULL_CASE_S(in, number, kind, field)                                                       \
  FULL_CASE(number, HAPI_WIRE_##kind, FULL_S(in, number, kind, field))
#define FULL_CASE_M(in, number, message, field)                                                    \
  FULL_CASE(number, 2, FULL_M(in, number, message, field))
#define FULL_CASE_R(in, number, message, field)                                                    \
  FULL_CASE(number, 2, FULL_R(in, number, message, field))
#define FULL_CASE_B(in, number, field) FULL_CASE(number, 2, FULL_B(in, number, field))
#define FULL_CASE_SO(in, number, kind, field, oneof)                                               \
  FULL_CASE(number, HAPI_WIRE_##kind, FULL_SO(in, number, kind, field, oneof))
#define FULL_CASE_MO(in, number, message, field, oneof)                                            \
  FULL_CASE(number, 2, FULL_MO(in, number, message, field, oneof))

#define FULL_PARAMETERS(message)                                                                   \
  (hapi_records * c, hapi_##message * r, const uint8_t *p, const uint8_t *e, unsigned depth)

#define FULL_LOOP(message)                                                                         \
  __attribute__((noinline)) static const uint8_t *full_loop_##message FULL_PARAMETERS(message) {   \
    while (p < e) {                                                                                \
      switch (hapi_tag(p)) {                                                                       \
        HAPI_FIELDS_##message(FULL_CASE_S, FULL_CASE_M, FULL_CASE_R, FULL_CASE_B, FULL_NONE,       \
                              FULL_CASE_SO, FULL_CASE_MO) default                                  \
            : p = full_unknown(c, &r->unknown, p, e, depth);                                       \
        if (p == NULL) return NULL;                                                                \
      }                                                                                            \
    }                                                                                              \
    return p == e ? p : NULL;                                                                      \
  }
#define FULL_CHAIN(message, inlined)                                                               \
  inlined const uint8_t *full_##message FULL_PARAMETERS(message) {                                 \
    uint32_t tag;                                                                                  \
    FULL_NEXT                                                                                      \
    HAPI_FIELDS_##message(FULL_IF_S, FULL_IF_M, FULL_IF_R, FULL_IF_B, FULL_NONE, FULL_IF_SO,       \
                          FULL_IF_MO) return full_loop_##message(c, r, p, e, depth);               \
  }

/* Identifiers have their number only. */
#define FULL_ID(message, set)                                                                      \
  HAPI_INLINE const uint8_t *full_##message FULL_PARAMETERS(message) {                             \
    if (HAPI_LIKELY(p < e && *p == 0x18)) {                                                        \
      uint64_t value;                                                                              \
      p = hapi_get(p + 1, e, &value);                                                              \
      set if (HAPI_LIKELY(p == e)) return p;                                                       \
      if (p > e) return NULL;                                                                      \
    }                                                                                              \
    return full_loop_##message(c, r, p, e, depth);                                                 \
  }

#define FULL_DO_ID_AccountID FULL_ID(AccountID, r->account.as_INT = value; r->account_case = 3;)
#define FULL_DO_ID_TokenID   FULL_ID(TokenID, r->tokenNum = value;)
#define FULL_SMALL(message)  FULL_LOOP(message) FULL_CHAIN(message, HAPI_INLINE)
#define FULL_MIDDLE(message) FULL_LOOP(message) FULL_CHAIN(message, static)
#define FULL_WIDE(message)                                                                         \
  FULL_LOOP(message)                                                                               \
  HAPI_INLINE const uint8_t *full_##message FULL_PARAMETERS(message) {                             \
    return full_loop_##message(c, r, p, e, depth);                                                 \
  }

FULL_MIDDLE(SemanticVersion)
FULL_SMALL(Timestamp)
FULL_MIDDLE(BlockHeader)
FULL_WIDE(Elsewhere)
FULL_MIDDLE(RoundHeader)
FULL_MIDDLE(ScheduleID)
FULL_LOOP(AccountID)
FULL_DO_ID_AccountID FULL_MIDDLE(AccountAmount) FULL_MIDDLE(TransferList)
    FULL_LOOP(TokenID) FULL_DO_ID_TokenID FULL_MIDDLE(NftTransfer) FULL_MIDDLE(TokenTransferList)
        FULL_SMALL(TokenAssociation) FULL_MIDDLE(AssessedCustomFee) FULL_MIDDLE(TransactionResult)
            FULL_SMALL(UInt64Value) FULL_WIDE(SingletonUpdateChange) FULL_SMALL(NftID) FULL_MIDDLE(
                AccountTokenAssociation) FULL_WIDE(MapChangeKey) FULL_WIDE(Account) FULL_MIDDLE(Nft)
                FULL_MIDDLE(TokenRelation) FULL_WIDE(MapChangeValue) FULL_SMALL(MapUpdateChange)
                    FULL_SMALL(MapDeleteChange) FULL_MIDDLE(TransactionID)
                        FULL_MIDDLE(TransactionReceiptEntry) FULL_MIDDLE(TransactionReceiptEntries)
                            FULL_MIDDLE(QueuePushChange) FULL_WIDE(QueuePopChange)
                                FULL_WIDE(StateChange) FULL_MIDDLE(StateChanges) FULL_MIDDLE(
                                    TssSignedBlockProof) FULL_MIDDLE(BlockProof)
                                    FULL_MIDDLE(BlockFooter) FULL_WIDE(BlockItem) FULL_MIDDLE(Block)
                                        FULL_MIDDLE(SignaturePair) FULL_MIDDLE(SignatureMap)
                                            FULL_MIDDLE(SignedTransaction) FULL_SMALL(Duration)
                                                FULL_MIDDLE(CryptoTransferTransactionBody)
                                                    FULL_MIDDLE(AtomicBatchTransactionBody)
                                                        FULL_WIDE(TransactionBody)

    /* ---- Sums
       ------------------------------------------------------------------------------------*/

    static uint32_t full_sum_bytes(const hapi_records *c, hapi_slice slice) {
  const uint8_t *bytes = c->input + slice.offset;
  return slice.length == 0 ? 0 : slice.length + bytes[0] + bytes[slice.length - 1];
}

#define FULL_SUM_INT(value)    (uint32_t)(value)
#define FULL_SUM_SINT(value)   (uint32_t)(value)
#define FULL_SUM_BOOL(value)   (value)
#define FULL_SUM_STRING(value) (value).length
#define FULL_SUM_BYTES(value)  full_sum_bytes(c, value)
#define FULL_SUM_MESSAGE(message, ref)                                                             \
  hapi_sum_##message(c, (const hapi_##message *)hapi_record_at(c, ref))

#define FULL_ADD_S(in, number, kind, field) sum += FULL_SUM_##kind(r->field);
#define FULL_ADD_M(in, number, message, field)                                                     \
  if (r->field != 0) sum += FULL_SUM_MESSAGE(message, r->field);
#define FULL_ADD_R(in, number, message, field)                                                     \
  for (uint32_t i = 0; i < r->field.count; i++)                                                    \
    sum += hapi_sum_##message(c, (const hapi_##message *)hapi_record_at(c, r->field.first) + i);
#define FULL_ADD_B(in, number, field)                                                              \
  for (uint32_t i = 0; i < r->field.count; i++)                                                    \
    sum += full_sum_bytes(c, ((const hapi_slice *)hapi_record_at(c, r->field.first))[i]);
#define FULL_ADD_O(in, oneof) sum += r->oneof##_case;
#define FULL_ADD_SO(in, number, kind, field, oneof)                                                \
  if (r->oneof##_case == number) sum += FULL_SUM_##kind(r->oneof.as_##kind);
#define FULL_ADD_MO(in, number, message, field, oneof)                                             \
  if (r->oneof##_case == number) sum += FULL_SUM_MESSAGE(message, r->oneof.as_message);

#define FULL_PUBLIC(message)                                                                       \
  uint32_t hapi_sum_##message(const hapi_records *c, const hapi_##message *r) {                    \
    uint32_t sum = 0;                                                                              \
    (void)c, (void)r;                                                                              \
    HAPI_FIELDS_##message(FULL_ADD_S, FULL_ADD_M, FULL_ADD_R, FULL_ADD_B, FULL_ADD_O, FULL_ADD_SO, \
                          FULL_ADD_MO) return sum;                                                 \
  }                                                                                                \
  const hapi_##message *hapi_decode_##message(hapi_records *c, const uint8_t *bytes,               \
                                              size_t length, unsigned depth) {                     \
    uint32_t ref = full_room(c, sizeof(hapi_##message));                                           \
    if (ref == 0) return NULL;                                                                     \
    hapi_##message *record = (hapi_##message *)hapi_record_at(c, ref);                             \
    memset(record, 0, sizeof *record);                                                             \
    return full_##message(c, record, bytes, bytes + length, depth) == NULL ? NULL : record;        \
  }
HAPI_MESSAGES(FULL_PUBLIC)
