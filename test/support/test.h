/*
 * A minimal test harness: CHECK records a failure and goes on, and a program ends with
 * `return test_end();`, which prints the counts and gives the exit code (77: everything skipped).
 * Randomness is a seeded generator, so that every run is the same.
 */
#ifndef SPC_TEST_SUPPORT_TEST_H
#define SPC_TEST_SUPPORT_TEST_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned test_checks, test_failures, test_skips;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    test_checks++;                                                                                 \
    if (!(condition)) {                                                                            \
      test_failures++;                                                                             \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                              \
    }                                                                                              \
  } while (0)

#define CHECK_U64(actual, expected)                                                                \
  do {                                                                                             \
    uint64_t actual_ = (uint64_t)(actual), expected_ = (uint64_t)(expected);                       \
    test_checks++;                                                                                 \
    if (actual_ != expected_) {                                                                    \
      test_failures++;                                                                             \
      fprintf(stderr, "%s:%d: %s is %" PRIu64 ", not %" PRIu64 "\n", __FILE__, __LINE__, #actual,  \
              actual_, expected_);                                                                 \
    }                                                                                              \
  } while (0)

#define CHECK_BYTES(actual, expected, length)                                                      \
  test_check_bytes(__FILE__, __LINE__, #actual, (actual), (expected), (length))

static inline void test_check_bytes(const char *file, int line, const char *what,
                                    const void *actual, const void *expected, size_t length) {
  const uint8_t *a = (const uint8_t *)actual, *e = (const uint8_t *)expected;
  test_checks++;
  if (length == 0 || memcmp(a, e, length) == 0) return;
  test_failures++;
  size_t at = 0;
  while (a[at] == e[at])
    at++;
  fprintf(stderr, "%s:%d: %s differs at byte %zu of %zu: %02x, not %02x\n", file, line, what, at,
          length, a[at], e[at]);
}

/* Says visibly that a part could not run here. */
static inline void test_skip(const char *what, const char *why) {
  test_skips++;
  printf("SKIPPED %s: %s\n", what, why);
}

static inline int test_end(void) {
  printf("%u checks, %u failed, %u parts skipped\n", test_checks, test_failures, test_skips);
  if (test_failures != 0) return 1;
  if (test_checks == 0) return test_skips != 0 ? 77 : 1;
  return 0;
}

/* splitmix64 */
static inline uint64_t test_random(uint64_t *seed) {
  uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline void test_random_bytes(uint64_t *seed, uint8_t *out, size_t length) {
  for (size_t i = 0; i < length; i++)
    out[i] = (uint8_t)test_random(seed);
}

#endif
