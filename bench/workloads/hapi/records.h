/*
 * The full reference decoder's records: a struct for each message of subset.h with its fields by
 * name. References are offsets from the base of `hapi_records`, 0 for none; bytes are offsets into
 * the input. A oneof has its case, the number of the member that is set, and one slot.
 */
#ifndef HAPI_RECORDS_H
#define HAPI_RECORDS_H

#include "reference.h"
#include "subset.h"

/* Memory for records, of fixed size, 8-aligned; the first 8 bytes are not used. */
typedef struct hapi_records {
  uint8_t *base;
  size_t size, used;
  const uint8_t *input;
} hapi_records;

typedef struct hapi_slice {
  uint32_t offset, length;
} hapi_slice;

/* Repeated messages stand one after the other as records, repeated bytes as slices. */
typedef struct hapi_run {
  uint32_t first, count;
} hapi_run;

typedef uint64_t hapi_INT;
typedef uint64_t hapi_SINT;
typedef uint32_t hapi_BOOL;
typedef hapi_slice hapi_STRING;
typedef hapi_slice hapi_BYTES;

typedef union hapi_slot {
  hapi_INT as_INT;
  hapi_SINT as_SINT;
  hapi_BOOL as_BOOL;
  hapi_STRING as_STRING;
  hapi_BYTES as_BYTES;
  uint32_t as_message;
} hapi_slot;

/* Unknown fields next to each other are one span. */
typedef struct hapi_unknown {
  uint32_t previous;
  hapi_slice bytes;
  uint32_t reserved;
} hapi_unknown;

#define HAPI_RECORD_S(in, number, kind, field)    hapi_##kind field;
#define HAPI_RECORD_M(in, number, message, field) uint32_t field;
#define HAPI_RECORD_R(in, number, message, field) hapi_run field;
#define HAPI_RECORD_B(in, number, field)          hapi_run field;
#define HAPI_RECORD_O(in, oneof)                                                                   \
  hapi_slot oneof;                                                                                 \
  uint32_t oneof##_case;
#define HAPI_RECORD_NONE(in, number, type, field, oneof)
#define HAPI_RECORD(message)                                                                       \
  typedef struct hapi_##message {                                                                  \
    uint32_t unknown; /* the newest span */                                                        \
    HAPI_FIELDS_##message(HAPI_RECORD_S, HAPI_RECORD_M, HAPI_RECORD_R, HAPI_RECORD_B,              \
                          HAPI_RECORD_O, HAPI_RECORD_NONE, HAPI_RECORD_NONE)                       \
  } hapi_##message;
HAPI_MESSAGES(HAPI_RECORD)

/*
 * Decode `length` bytes into a new record, or NULL: malformed, too deep or out of memory. Then the
 * sum of all that the record holds: see hapi_scan_block.
 */
#define HAPI_DECODERS(message)                                                                     \
  const hapi_##message *hapi_decode_##message(hapi_records *records, const uint8_t *bytes,         \
                                              size_t length, unsigned depth);                      \
  uint32_t hapi_sum_##message(const hapi_records *records, const hapi_##message *record);
HAPI_MESSAGES(HAPI_DECODERS)

/*
 * Decodes a block into the words of values.h, whose number is the result; bytes are offsets into
 * the input. 0: this is no block of the generator's kind. `words` has room for one word for each
 * byte, and 8 more.
 */
size_t hapi_decode_light(uint32_t *words, const uint8_t *bytes, size_t length);

/*
 * The same for a SignedTransaction and the TransactionBody in it; "64" marks values of two words,
 * and bytes are offset, length.
 *   seconds 64, nanos, payer, node, fee 64, duration 64, then either
 *     14, count of lists, amounts, count x {token, amounts}; amounts are their count and
 *       count x {account, amount 64}; or
 *     74, count, count x bytes; and then
 *   prefix bytes, field number of the signature, its bytes
 * Then the sum of all fields that such words hold: see hapi_scan_block.
 */
size_t hapi_decode_light_transaction(uint32_t *words, const uint8_t *bytes, size_t length);
uint32_t hapi_sum_light_transaction(const uint32_t *words, const uint8_t *bytes, size_t length);

/*
 * Read every field: the sum, modulo 2^32, of the low 32 bits of each number, boolean (0, 1) and
 * enum, the field number of the member of each oneof that is set, the length of each string, and
 * length, first and last byte of bytes. False: malformed. A transaction is a SignedTransaction and
 * the TransactionBody in its body bytes. `scratch` is for messages out of the ordinary.
 */
bool hapi_scan_block(hapi_records *scratch, const uint8_t *bytes, size_t length, uint32_t *sum);
bool hapi_scan_item(hapi_records *scratch, const uint8_t *bytes, size_t length, uint32_t *sum);
bool hapi_scan_transaction(hapi_records *scratch, const uint8_t *bytes, size_t length,
                           uint32_t *sum);

static inline void *hapi_record_at(const hapi_records *records, uint32_t ref) {
  return records->base + ref;
}

#endif
