/* Sorting of indices and comparison of names. */
#ifndef SPC_CODEC_SORT_H
#define SPC_CODEC_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Negative, 0 or positive as item `a` sorts before, with or after item `b`. */
typedef int (*spc__compare_fn)(const void *context, uint32_t a, uint32_t b);

/*
 * Sorts `count` items; those that compare equal go by their own value, so that sorting indices is
 * stable. No recursion, n log n at worst.
 */
void spc__sort(uint32_t *items, uint32_t count, spc__compare_fn compare, const void *context);

/* Byte order, a prefix before what it begins. */
static inline int spc__compare_names(const char *a, size_t a_length, const char *b,
                                     size_t b_length) {
  size_t common = a_length < b_length ? a_length : b_length;
  int order = common == 0 ? 0 : memcmp(a, b, common);
  if (order != 0) return order;
  return a_length < b_length ? -1 : a_length > b_length;
}

#endif
