/*
 * The reference scan: reads every field in one pass over the wire and keeps nothing but the sum. It
 * takes messages whose fields come in order, each once, all known; any other message is decoded by
 * the full reference decoder, into scratch memory, and its record is summed.
 */
#include "read_fast.h"
#include "records.h"

/* What a scan needs for messages out of the ordinary, and whether one was malformed. */
typedef struct scan_context {
  hapi_records *scratch;
  const uint8_t *input;
  bool failed;
} scan_context;

#define SCAN_BYTES(what)                                                                           \
  {                                                                                                \
    uint32_t length;                                                                               \
    if (HAPI_UNLIKELY(!hapi_get_length(&p, e, &length))) goto other;                               \
    what p += length;                                                                              \
  }
#define SCAN_GET_INT                                                                               \
  {                                                                                                \
    uint64_t value;                                                                                \
    p = hapi_get(p, e, &value);                                                                    \
    sum += (uint32_t)value;                                                                        \
  }
#define SCAN_GET_SINT                                                                              \
  {                                                                                                \
    uint64_t value;                                                                                \
    p = hapi_get(p, e, &value);                                                                    \
    sum += (uint32_t)hapi_unzigzag(value);                                                         \
  }
#define SCAN_GET_BOOL                                                                              \
  {                                                                                                \
    uint64_t value;                                                                                \
    p = hapi_get(p, e, &value);                                                                    \
    sum += value != 0;                                                                             \
  }
#define SCAN_GET_STRING SCAN_BYTES(sum += length;)
#define SCAN_GET_BYTES  SCAN_BYTES(if (length != 0) sum += length + p[0] + p[length - 1];)
#define SCAN_GET_MESSAGE(message)                                                                  \
  SCAN_BYTES(if (HAPI_UNLIKELY(depth == 0)) goto other;                                            \
             sum += scan_##message(c, p, p + length, depth - 1);)

#define SCAN_S(in, number, kind, field)         SCAN_GET_##kind
#define SCAN_M(in, number, message, field)      SCAN_GET_MESSAGE(message)
#define SCAN_SO(in, number, kind, field, oneof) SCAN_ONCE(number, oneof) SCAN_GET_##kind
#define SCAN_MO(in, number, message, field, oneof)                                                 \
  SCAN_ONCE(number, oneof) SCAN_GET_MESSAGE(message)
/* The members of a oneof exclude each other; the last one would count. */
#define SCAN_ONCE(number, oneof)                                                                   \
  if (HAPI_UNLIKELY(oneof##_is_set)) goto other;                                                   \
  oneof##_is_set = true;                                                                           \
  sum += number;
#define SCAN_O(in, oneof) bool oneof##_is_set = false;
#define SCAN_NOT_S(in, number, kind, field)
#define SCAN_NOT_O(in, number, kind, field, oneof)
#define SCAN_NOT_B(in, number, field)

/* ---- Chains ----------------------------------------------------------------------------------*/

#define SCAN_NEXT                                                                                  \
  if (p >= e) {                                                                                    \
    if (HAPI_LIKELY(p == e)) return sum;                                                           \
    goto other;                                                                                    \
  }                                                                                                \
  tag = hapi_tag(p);
#define SCAN_IF(word, number, wire, body)                                                          \
  word(tag == HAPI_TAG(number, wire)) {                                                            \
    p += HAPI_TAG_SIZE(number);                                                                    \
    body SCAN_NEXT                                                                                 \
  }
#define SCAN_IF_S(in, number, kind, field)                                                         \
  SCAN_IF(if, number, HAPI_WIRE_##kind, SCAN_S(in, number, kind, field))
#define SCAN_IF_M(in, number, message, field)                                                      \
  SCAN_IF(if, number, 2, SCAN_M(in, number, message, field))
#define SCAN_IF_R(in, number, message, field)                                                      \
  SCAN_IF(while, number, 2, SCAN_M(in, number, message, field))
#define SCAN_IF_B(in, number, field) SCAN_IF(while, number, 2, SCAN_GET_BYTES)
#define SCAN_IF_SO(in, number, kind, field, oneof)                                                 \
  SCAN_IF(if, number, HAPI_WIRE_##kind, SCAN_SO(in, number, kind, field, oneof))
#define SCAN_IF_MO(in, number, message, field, oneof)                                              \
  SCAN_IF(if, number, 2, SCAN_MO(in, number, message, field, oneof))

#define SCAN_PARAMETERS (scan_context * c, const uint8_t *p, const uint8_t *e, unsigned depth)

/* A message out of the ordinary. */
#define SCAN_OTHER(message)                                                                        \
  __attribute__((noinline)) static uint32_t scan_other_##message SCAN_PARAMETERS {                 \
    hapi_records *scratch = c->scratch;                                                            \
    size_t used = scratch->used;                                                                   \
    scratch->input = c->input;                                                                     \
    const hapi_##message *record = hapi_decode_##message(scratch, p, (size_t)(e - p), depth);      \
    uint32_t sum = record == NULL ? 0 : hapi_sum_##message(scratch, record);                       \
    if (record == NULL) c->failed = true;                                                          \
    scratch->used = used;                                                                          \
    return sum;                                                                                    \
  }

#define SCAN_CHAIN(message, inlined)                                                               \
  SCAN_OTHER(message)                                                                              \
  inlined uint32_t scan_##message SCAN_PARAMETERS {                                                \
    const uint8_t *begin = p;                                                                      \
    uint32_t sum = 0, tag;                                                                         \
    HAPI_FIELDS_##message(SCAN_NOT_S, SCAN_NOT_S, SCAN_NOT_S, SCAN_NOT_B, SCAN_O, SCAN_NOT_O,      \
                          SCAN_NOT_O)                                                              \
        SCAN_NEXT HAPI_FIELDS_##message(SCAN_IF_S, SCAN_IF_M, SCAN_IF_R, SCAN_IF_B,                \
                                        SCAN_NOT_NAMED, SCAN_IF_SO, SCAN_IF_MO) other              \
        : return scan_other_##message(c, begin, e, depth);                                         \
  }
#define SCAN_NOT_NAMED(in, oneof)
#define SCAN_SMALL(message)  SCAN_CHAIN(message, HAPI_INLINE)
#define SCAN_MIDDLE(message) SCAN_CHAIN(message, static)

/* ---- Loops, for messages with many fields ----------------------------------------------------*/

#define SCAN_CASE(number, wire, body)                                                              \
  case HAPI_TAG(number, wire):                                                                     \
    p += HAPI_TAG_SIZE(number);                                                                    \
    if (HAPI_UNLIKELY(last >= number)) goto other;                                                 \
    last = number;                                                                                 \
    body break;
#define SCAN_CASE_S(in, number, kind, field)                                                       \
  SCAN_CASE(number, HAPI_WIRE_##kind, SCAN_S(in, number, kind, field))
#define SCAN_CASE_M(in, number, message, field)                                                    \
  SCAN_CASE(number, 2, SCAN_M(in, number, message, field))
#define SCAN_CASE_R(in, number, message, field)                                                    \
  case HAPI_TAG(number, 2):                                                                        \
    p += HAPI_TAG_SIZE(number);                                                                    \
    if (HAPI_UNLIKELY(last > number)) goto other;                                                  \
    last = number;                                                                                 \
    SCAN_GET_MESSAGE(message) break;
#define SCAN_CASE_SO(in, number, kind, field, oneof)                                               \
  SCAN_CASE(number, HAPI_WIRE_##kind, SCAN_SO(in, number, kind, field, oneof))
#define SCAN_CASE_MO(in, number, message, field, oneof)                                            \
  SCAN_CASE(number, 2, SCAN_MO(in, number, message, field, oneof))

#define SCAN_WIDE(message)                                                                         \
  SCAN_OTHER(message)                                                                              \
  static uint32_t scan_##message SCAN_PARAMETERS {                                                 \
    const uint8_t *begin = p;                                                                      \
    uint32_t sum = 0, last = 0;                                                                    \
    HAPI_FIELDS_##message(SCAN_NOT_S, SCAN_NOT_S, SCAN_NOT_S, SCAN_NOT_B, SCAN_O, SCAN_NOT_O,      \
                          SCAN_NOT_O) while (p < e) {                                              \
      switch (hapi_tag(p)) {                                                                       \
        HAPI_FIELDS_##message(SCAN_CASE_S, SCAN_CASE_M, SCAN_CASE_R, SCAN_NOT_B, SCAN_NOT_NAMED,   \
                              SCAN_CASE_SO, SCAN_CASE_MO) default : goto other;                    \
      }                                                                                            \
    }                                                                                              \
    if (HAPI_LIKELY(p == e)) return sum;                                                           \
  other:                                                                                           \
    return scan_other_##message(c, begin, e, depth);                                               \
  }

/* Identifiers have their number only; `number` is what the oneof adds. */
#define SCAN_ID(message, number)                                                                   \
  SCAN_OTHER(message)                                                                              \
  HAPI_INLINE uint32_t scan_##message SCAN_PARAMETERS {                                            \
    if (HAPI_LIKELY(p < e && *p == 0x18)) {                                                        \
      uint64_t value;                                                                              \
      if (HAPI_LIKELY(hapi_get(p + 1, e, &value) == e)) return (uint32_t)value + (number);         \
    }                                                                                              \
    return scan_other_##message(c, p, e, depth);                                                   \
  }

SCAN_MIDDLE(SemanticVersion)
SCAN_SMALL(Timestamp)
SCAN_MIDDLE(BlockHeader)
SCAN_OTHER(Elsewhere)
HAPI_INLINE uint32_t scan_Elsewhere SCAN_PARAMETERS {
  return p == e ? 0 : scan_other_Elsewhere(c, p, e, depth);
}
SCAN_MIDDLE(RoundHeader)
SCAN_MIDDLE(ScheduleID)
SCAN_ID(AccountID, 3)
SCAN_MIDDLE(AccountAmount)
SCAN_MIDDLE(TransferList)
SCAN_ID(TokenID, 0)
SCAN_MIDDLE(NftTransfer)
SCAN_MIDDLE(TokenTransferList)
SCAN_SMALL(TokenAssociation)
SCAN_MIDDLE(AssessedCustomFee)
SCAN_MIDDLE(TransactionResult)
SCAN_SMALL(UInt64Value)
SCAN_WIDE(SingletonUpdateChange)
SCAN_SMALL(NftID)
SCAN_MIDDLE(AccountTokenAssociation)
SCAN_WIDE(MapChangeKey)
SCAN_WIDE(Account)
SCAN_MIDDLE(Nft)
SCAN_MIDDLE(TokenRelation)
SCAN_WIDE(MapChangeValue)
SCAN_SMALL(MapUpdateChange)
SCAN_SMALL(MapDeleteChange)
SCAN_MIDDLE(TransactionID)
SCAN_MIDDLE(TransactionReceiptEntry)
SCAN_MIDDLE(TransactionReceiptEntries)
SCAN_MIDDLE(QueuePushChange)
SCAN_OTHER(QueuePopChange)
HAPI_INLINE uint32_t scan_QueuePopChange SCAN_PARAMETERS {
  return p == e ? 0 : scan_other_QueuePopChange(c, p, e, depth);
}
SCAN_WIDE(StateChange)
SCAN_MIDDLE(StateChanges)
SCAN_MIDDLE(TssSignedBlockProof)
SCAN_MIDDLE(BlockProof)
SCAN_MIDDLE(BlockFooter)
SCAN_WIDE(BlockItem)
SCAN_MIDDLE(Block)
SCAN_MIDDLE(SignaturePair)
SCAN_MIDDLE(SignatureMap)
SCAN_MIDDLE(SignedTransaction)
SCAN_SMALL(Duration)
SCAN_MIDDLE(CryptoTransferTransactionBody)
SCAN_MIDDLE(AtomicBatchTransactionBody)
SCAN_WIDE(TransactionBody)

bool hapi_scan_block(hapi_records *scratch, const uint8_t *bytes, size_t length, uint32_t *sum) {
  scan_context c = {scratch, bytes, false};
  *sum = scan_Block(&c, bytes, bytes + length, HAPI_DEPTH);
  return !c.failed;
}

bool hapi_scan_item(hapi_records *scratch, const uint8_t *bytes, size_t length, uint32_t *sum) {
  scan_context c = {scratch, bytes, false};
  *sum = scan_BlockItem(&c, bytes, bytes + length, HAPI_DEPTH);
  return !c.failed;
}

bool hapi_scan_transaction(hapi_records *scratch, const uint8_t *bytes, size_t length,
                           uint32_t *sum) {
  scan_context c = {scratch, bytes, false};
  const uint8_t *p = bytes + 1, *e = bytes + length;
  uint32_t body;
  *sum = scan_SignedTransaction(&c, bytes, e, HAPI_DEPTH);
  if (length == 0 || bytes[0] != 0x0a || !hapi_get_length(&p, e, &body)) return false;
  *sum += scan_TransactionBody(&c, p, p + body, HAPI_DEPTH);
  return !c.failed;
}
