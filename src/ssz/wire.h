/* Reading SSZ bytes: where the parts of a value are. */
#ifndef SPC_SSZ_WIRE_H
#define SPC_SSZ_WIRE_H

#include "base/bytes.h"
#include "ssz/type_internal.h"

/* Number of elements of a sequence in `length` valid bytes. */
uint64_t spc__ssz_wire_count(const spc_ssz_type *type, const uint8_t *bytes, uint64_t length);

/* Element `index` of a sequence other than of bits, in valid bytes. */
static inline const uint8_t *spc__ssz_wire_element(const spc_ssz_type *type, const uint8_t *bytes,
                                                   uint64_t length, uint64_t index, uint64_t count,
                                                   uint64_t *size) {
  const spc_ssz_type *element = spc__ssz_element(type);
  if (spc__ssz_has(element, SPC__SSZ_FIXED)) {
    *size = element->fixed_size;
    return bytes + index * element->fixed_size;
  }
  uint64_t start = spc__load32_le(bytes + 4 * index);
  uint64_t end = index + 1 < count ? spc__load32_le(bytes + 4 * index + 4) : length;
  *size = end - start;
  return bytes + start;
}

/* Member `index` of a container, in valid bytes. */
static inline const uint8_t *spc__ssz_wire_member(const spc_ssz_type *type, const uint8_t *bytes,
                                                  uint64_t length, uint32_t index, uint64_t *size) {
  const spc__ssz_member *members = spc__ssz_members(type), *member = &members[index];
  const spc_ssz_type *field = spc__ssz_member_type(member);
  if (spc__ssz_has(field, SPC__SSZ_FIXED)) {
    *size = field->fixed_size;
    return bytes + member->wire;
  }
  uint64_t start = spc__load32_le(bytes + member->wire);
  uint64_t end = member->next_variable < type->member_count
                     ? spc__load32_le(bytes + members[member->next_variable].wire)
                     : length;
  *size = end - start;
  return bytes + start;
}

#endif
