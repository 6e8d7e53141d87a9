/*
 * Checking field elements. Nearly always the first eight bytes decide, so the pass over an input
 * costs one load and one comparison an element.
 */
#include "field/fr.h"

#include <stdbool.h>

#include "base/bytes.h"

static const uint64_t fr_modulus[4] = {0x30644e72e131a029u, 0xb85045b68181585du,
                                       0x2833e84879b97091u, 0x43e1f593f0000001u};

static bool fr_below_modulus(const uint8_t *field) {
  for (int i = 0; i < 4; i++) {
    uint64_t word = spc__load64_be(field + 8 * i);
    if (word != fr_modulus[i]) return word < fr_modulus[i];
  }
  return false;
}

size_t spc__fr_first_noncanonical(const uint8_t *fields, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t *field = fields + SPC__FR_BYTES * i;
    if (spc__load64_be(field) >= fr_modulus[0] && !fr_below_modulus(field)) return i;
  }
  return count;
}
