/*
 * The parts of the wire format that are too large or too rare to be inlined. Nothing here reads at
 * or behind `end`, and a skip does work in proportion to the bytes it skips.
 */
#include "codec/wire.h"

#include "spicule/codec.h"

const uint8_t *spc__varint_slow(const uint8_t *p, const uint8_t *end, uint64_t *v) {
  uint64_t value = 0;
  for (uint32_t shift = 0; shift < 70; shift += 7) {
    if (p >= end) {
      *v = 0;
      return NULL;
    }
    uint64_t byte = *p++;
    if (shift == 63 && byte > 1) break;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *v = value;
      return p;
    }
  }
  *v = 1;
  return NULL;
}

static bool wire_continues(const uint8_t *p, size_t count) {
  for (size_t i = 0; i < count; i++)
    if ((p[i] & 0xc0) != 0x80) return false;
  return true;
}

bool spc__utf8_slow(const uint8_t *p, size_t length) {
  const uint8_t *end = p + length;
  while (p < end) {
    uint8_t c = *p;
    size_t left = (size_t)(end - p), size;
    if (c < 0x80) {
      p++;
      continue;
    }
    if (c < 0xc2 || c > 0xf4) return false;
    size = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (left < size || !wire_continues(p + 1, size - 1)) return false;
    if ((c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f)) return false;
    if ((c == 0xf0 && p[1] < 0x90) || (c == 0xf4 && p[1] > 0x8f)) return false;
    p += size;
  }
  return true;
}

const uint8_t *spc__tag(const uint8_t *p, const uint8_t *end, uint32_t *tag, spc_status *status) {
  uint64_t v;
  const uint8_t *limit = end - p > 5 ? p + 5 : end;
  const uint8_t *next = spc__varint_slow(p, limit, &v);
  if (next == NULL) {
    *status = v == 0 && limit == end && end - p < 5 ? SPC_TRUNCATED : SPC_OVERLONG_VARINT;
    return NULL;
  }
  if (v > UINT32_MAX || v < 8) {
    *status = SPC_BAD_FIELD_NUMBER;
    return NULL;
  }
  if ((v & 7) > SPC__WIRE_FIXED32) {
    *status = SPC_BAD_WIRE_TYPE;
    return NULL;
  }
  *tag = (uint32_t)v;
  return next;
}

const uint8_t *spc__skip(const uint8_t *p, const uint8_t *end, uint32_t tag, uint32_t depth,
                         spc_status *status, const uint8_t **at) {
  uint32_t groups[SPC_DEPTH_MAX];
  uint32_t open = 0;
  if (depth > SPC_DEPTH_MAX) depth = SPC_DEPTH_MAX;
  for (;;) {
    uint64_t v, size = 0;
    *at = p;
    switch (tag & 7) {
    case SPC__WIRE_VARINT:
    case SPC__WIRE_BYTES: {
      const uint8_t *next = spc__varint(p, end, &v);
      if (next == NULL) {
        *status = v == 0 ? SPC_TRUNCATED : SPC_OVERLONG_VARINT;
        return NULL;
      }
      p = next;
      if ((tag & 7) == SPC__WIRE_BYTES) size = v;
      break;
    }
    case SPC__WIRE_FIXED64:
      size = 8;
      break;
    case SPC__WIRE_FIXED32:
      size = 4;
      break;
    case SPC__WIRE_START:
      if (open == depth) {
        *status = SPC_DEPTH_LIMIT;
        return NULL;
      }
      groups[open++] = tag >> 3;
      break;
    default:
      if (open == 0 || groups[open - 1] != tag >> 3) {
        *status = SPC_GROUP_MISMATCH;
        return NULL;
      }
      open--;
    }
    if (size > (uint64_t)(end - p)) {
      *status = SPC_TRUNCATED;
      return NULL;
    }
    p += size;
    if (open == 0) return p;
    *at = p;
    p = spc__tag(p, end, &tag, status);
    if (p == NULL) return NULL;
  }
}
