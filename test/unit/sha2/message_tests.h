/*
 * Tests of one hash over messages of any length, the same for SHA-256 and SHA-384. The includer
 * defines HASH (the prefix of the functions), HASH_BYTES (of a digest) and HASH_BITS (of a word).
 */
#include <stdlib.h>

#include "spicule/sha2.h"
#include "support/test.h"
#include "unit/sha2/textbook.h"

#define HASH_JOIN_(a, b) a##b
#define HASH_JOIN(a, b)  HASH_JOIN_(a, b)
#define HASH_STREAM      HASH_JOIN(HASH, _stream)
#define HASH_INIT        HASH_JOIN(HASH, _init)
#define HASH_UPDATE      HASH_JOIN(HASH, _update)
#define HASH_FINAL       HASH_JOIN(HASH, _final)

typedef struct hash_vector {
  const char *message; /* repeated `times` */
  size_t times;
  const char *digest; /* hexadecimal */
} hash_vector;

static void check_hex(const uint8_t digest[HASH_BYTES], const char *hex) {
  uint8_t expected[HASH_BYTES];
  for (size_t i = 0; i < HASH_BYTES; i++) {
    char byte[3] = {hex[2 * i], hex[2 * i + 1], 0};
    expected[i] = (uint8_t)strtoul(byte, NULL, 16);
  }
  CHECK_BYTES(digest, expected, HASH_BYTES);
}

static void known_answers(const hash_vector *vectors, size_t count) {
  for (const hash_vector *v = vectors; v != vectors + count; v++) {
    size_t length = strlen(v->message) * v->times;
    uint8_t *message = (uint8_t *)malloc(length + 1), digest[HASH_BYTES];
    CHECK(message != NULL);
    if (message == NULL) return;
    for (size_t at = 0; at < length; at += strlen(v->message))
      memcpy(message + at, v->message, strlen(v->message));
    HASH(digest, message, length);
    check_hex(digest, v->digest);
    free(message);
  }
}

/*
 * Against the textbook, and against another implementation: `hash_of_digests` is the hash of the
 * digests, one after the other, of the messages of 0 to 300 bytes i mod 251.
 */
static void every_length_to_300(const char *hash_of_digests) {
  uint8_t message[300], digest[HASH_BYTES], expected[HASH_BYTES];
  for (size_t i = 0; i < sizeof message; i++)
    message[i] = (uint8_t)(i % 251);
  HASH_STREAM all;
  HASH_INIT(&all);
  for (size_t length = 0; length <= sizeof message; length++) {
    HASH(digest, message, length);
    textbook_sha2(HASH_BITS, expected, message, length);
    CHECK_BYTES(digest, expected, HASH_BYTES);
    HASH_UPDATE(&all, digest, HASH_BYTES);
  }
  HASH_FINAL(&all, digest);
  check_hex(digest, hash_of_digests);
}

static void nothing_needs_no_buffer(void) {
  uint8_t digest[HASH_BYTES], expected[HASH_BYTES];
  HASH_STREAM stream;
  textbook_sha2(HASH_BITS, expected, NULL, 0);
  HASH(digest, NULL, 0);
  CHECK_BYTES(digest, expected, HASH_BYTES);
  HASH_INIT(&stream);
  HASH_UPDATE(&stream, NULL, 0);
  HASH_FINAL(&stream, digest);
  CHECK_BYTES(digest, expected, HASH_BYTES);
}

static void a_stream_cut_anywhere_gives_the_same(void) {
  enum { LENGTH = 300 };
  uint8_t message[LENGTH], digest[HASH_BYTES], expected[HASH_BYTES];
  uint64_t seed = 1;
  test_random_bytes(&seed, message, LENGTH);
  textbook_sha2(HASH_BITS, expected, message, LENGTH);
  HASH_STREAM head, stream;
  /* Two cuts at every place; pieces of every size. */
  for (size_t first = 0; first <= LENGTH; first++) {
    HASH_INIT(&head);
    HASH_UPDATE(&head, message, first);
    for (size_t second = first; second <= LENGTH; second++) {
      stream = head;
      HASH_UPDATE(&stream, message + first, second - first);
      HASH_UPDATE(&stream, message + second, LENGTH - second);
      HASH_FINAL(&stream, digest);
      CHECK_BYTES(digest, expected, HASH_BYTES);
    }
  }
  for (size_t piece = 1; piece <= LENGTH; piece++) {
    HASH_INIT(&stream);
    for (size_t at = 0; at < LENGTH; at += piece)
      HASH_UPDATE(&stream, message + at, LENGTH - at < piece ? LENGTH - at : piece);
    HASH_FINAL(&stream, digest);
    CHECK_BYTES(digest, expected, HASH_BYTES);
  }
}

static void a_stream_at_any_length_goes_on_from_a_copy(void) {
  uint8_t message[300], digest[HASH_BYTES], expected[HASH_BYTES];
  uint64_t seed = 2;
  test_random_bytes(&seed, message, sizeof message);
  HASH_STREAM stream, copy;
  HASH_INIT(&stream);
  for (size_t length = 0; length <= sizeof message; length++) {
    copy = stream;
    HASH_FINAL(&copy, digest);
    textbook_sha2(HASH_BITS, expected, message, length);
    CHECK_BYTES(digest, expected, HASH_BYTES);
    if (length < sizeof message) HASH_UPDATE(&stream, message + length, 1);
  }
}

static void a_digest_may_overlap_its_message(void) {
  static const size_t lengths[] = {0, 1, 63, 64, 65, 127, 128, 129, 200};
  uint8_t message[256 + HASH_BYTES], buffer[sizeof message], expected[HASH_BYTES];
  uint64_t seed = 3;
  test_random_bytes(&seed, message, sizeof message);
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    textbook_sha2(HASH_BITS, expected, message + HASH_BYTES, lengths[i]);
    for (size_t at = 0; at <= 256; at++) {
      memcpy(buffer, message, sizeof buffer);
      HASH(buffer + at, buffer + HASH_BYTES, lengths[i]);
      CHECK_BYTES(buffer + at, expected, HASH_BYTES);
    }
  }
}

/* No buffer is that long, so the stream is told that it has had so much already. */
static void the_length_field_has_all_its_bits(void) {
  uint8_t digest[HASH_BYTES], other[HASH_BYTES];
  HASH_STREAM stream;
  for (int bit = 7; bit < 64; bit++) {
    HASH_INIT(&stream);
    stream.length = UINT64_C(1) << bit;
    HASH_FINAL(&stream, digest);
    HASH_INIT(&stream);
    uint8_t padding[HASH_BITS * 2] = {0x80};
    int shift = bit + 3;
    padding[sizeof padding - 1 - (size_t)shift / 8] |= (uint8_t)(1u << shift % 8);
    if (HASH_BITS == 32 && shift >= 64) break;
    HASH_UPDATE(&stream, padding, sizeof padding);
    for (size_t i = 0; i < HASH_BYTES; i++)
      other[i] = (uint8_t)(stream.state[i / sizeof stream.state[0]] >>
                           8 * (sizeof stream.state[0] - 1 - i % sizeof stream.state[0]));
    CHECK_BYTES(digest, other, HASH_BYTES);
  }
}

static void message_tests(const hash_vector *vectors, size_t count, const char *hash_of_digests) {
  known_answers(vectors, count);
  every_length_to_300(hash_of_digests);
  nothing_needs_no_buffer();
  a_stream_cut_anywhere_gives_the_same();
  a_stream_at_any_length_goes_on_from_a_copy();
  a_digest_may_overlap_its_message();
  the_length_field_has_all_its_bits();
}
