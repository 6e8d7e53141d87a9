/* Two functions of string.h in a tenth of the size that libc's have, for modules that call them
 * little. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *memchr(const void *bytes, int byte, size_t length) {
  const uint8_t *at = (const uint8_t *)bytes;
  for (; length != 0; length--, at++)
    if (*at == (uint8_t)byte) return (void *)(uintptr_t)at;
  return NULL;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != 0)
    length++;
  return length;
}
