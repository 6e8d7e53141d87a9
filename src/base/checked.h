/* Arithmetic that reports overflow: each function returns false, and stores nothing, on overflow.
 */
#ifndef SPC_BASE_CHECKED_H
#define SPC_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool spc__add_size(size_t a, size_t b, size_t *sum) {
  if (a > SIZE_MAX - b) return false;
  *sum = a + b;
  return true;
}

static inline bool spc__mul_size(size_t a, size_t b, size_t *product) {
  if (b != 0 && a > SIZE_MAX / b) return false;
  *product = a * b;
  return true;
}

static inline bool spc__add_u64(uint64_t a, uint64_t b, uint64_t *sum) {
  if (a > UINT64_MAX - b) return false;
  *sum = a + b;
  return true;
}

static inline bool spc__mul_u64(uint64_t a, uint64_t b, uint64_t *product) {
  if (b != 0 && a > UINT64_MAX / b) return false;
  *product = a * b;
  return true;
}

#endif
