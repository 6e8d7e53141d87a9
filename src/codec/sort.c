/* Heapsort: in place, without recursion, and no input makes it slow. */
#include "codec/sort.h"

#include <stdbool.h>

static bool sort_before(uint32_t a, uint32_t b, spc__compare_fn compare, const void *context) {
  int order = compare(context, a, b);
  return order != 0 ? order < 0 : a < b;
}

static void sort_sift(uint32_t *items, uint32_t root, uint32_t count, spc__compare_fn compare,
                      const void *context) {
  uint32_t item = items[root];
  for (;;) {
    uint32_t child = 2 * root + 1;
    if (child >= count) break;
    if (child + 1 < count && sort_before(items[child], items[child + 1], compare, context)) child++;
    if (!sort_before(item, items[child], compare, context)) break;
    items[root] = items[child];
    root = child;
  }
  items[root] = item;
}

void spc__sort(uint32_t *items, uint32_t count, spc__compare_fn compare, const void *context) {
  uint32_t i = 1;
  while (i < count && sort_before(items[i - 1], items[i], compare, context))
    i++;
  if (i >= count) return;
  for (i = count / 2; i-- > 0;)
    sort_sift(items, i, count, compare, context);
  for (i = count - 1; i > 0; i--) {
    uint32_t last = items[i];
    items[i] = items[0];
    items[0] = last;
    sort_sift(items, 0, i, compare, context);
  }
}
