/*
 * Frames to bytes and back. The decoders see bytes that may come from anyone: every field is
 * checked, and text from a record is cut at the first byte that is not printable ASCII.
 */
#include "native/frame.h"

#include "native/fault.h"

#define FRAME_AT_VERSION ((size_t)4)
#define FRAME_AT_ZERO    ((size_t)6)
#define FRAME_AT_CODE    ((size_t)8)
#define FRAME_AT_ID      ((size_t)12)
#define FRAME_AT_LENGTH  ((size_t)16)
#define FRAME_AT_ROOM    ((size_t)24)

/* In an error record. */
#define FRAME_AT_PATH ((size_t)24)

void spc__store_le(uint8_t *out, size_t bytes, uint64_t value) {
  for (size_t i = 0; i < bytes; i++)
    out[i] = (uint8_t)(value >> (8 * i));
}

uint64_t spc__load_le(const uint8_t *in, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; i++)
    value |= (uint64_t)in[i] << (8 * i);
  return value;
}

void spc__frame_encode(uint8_t out[SPC_FRAME_BYTES], spc__frame_kind kind,
                       const spc__frame *frame) {
  spc__store_le(out, 4, (uint64_t)kind);
  spc__store_le(out + FRAME_AT_VERSION, 2, SPC_FRAME_VERSION);
  spc__store_le(out + FRAME_AT_ZERO, 2, 0);
  spc__store_le(out + FRAME_AT_CODE, 4, frame->code);
  spc__store_le(out + FRAME_AT_ID, 4, frame->id);
  spc__store_le(out + FRAME_AT_LENGTH, 8, frame->length);
  spc__store_le(out + FRAME_AT_ROOM, 8, frame->room);
}

static spc_status frame_bad(spc_error *error, size_t offset) {
  spc__fault(error, SPC_BAD_FRAME, NULL);
  if (error != NULL) error->offset = offset;
  return SPC_BAD_FRAME;
}

spc_status spc__frame_decode(spc__frame *self, spc__frame_kind kind,
                             const uint8_t in[SPC_FRAME_BYTES], uint64_t max_length,
                             spc_error *error) {
  self->code = (uint32_t)spc__load_le(in + FRAME_AT_CODE, 4);
  self->id = (uint32_t)spc__load_le(in + FRAME_AT_ID, 4);
  self->length = spc__load_le(in + FRAME_AT_LENGTH, 8);
  self->room = spc__load_le(in + FRAME_AT_ROOM, 8);
  if (spc__load_le(in, 4) != (uint64_t)kind) return frame_bad(error, 0);
  if (spc__load_le(in + FRAME_AT_VERSION, 2) != SPC_FRAME_VERSION)
    return frame_bad(error, FRAME_AT_VERSION);
  if (spc__load_le(in + FRAME_AT_ZERO, 2) != 0) return frame_bad(error, FRAME_AT_ZERO);
  if (kind == SPC_FRAME_REQUEST && self->id == 0) return frame_bad(error, FRAME_AT_ID);
  if (kind == SPC_FRAME_RESPONSE && self->room != 0) return frame_bad(error, FRAME_AT_ROOM);
  if (self->length > max_length) return spc__fault_limit(error, SPC_FRAME_LIMIT, max_length);
  return SPC_OK;
}

size_t spc__frame_encode_error(uint8_t out[SPC_FRAME_ERROR_BYTES], const spc_error *error) {
  size_t length = FRAME_AT_PATH;
  spc__store_le(out, 8, error->offset);
  spc__store_le(out + 8, 8, error->index);
  spc__store_le(out + 16, 8, error->limit);
  for (const char *c = error->path; *c != '\0' && length < SPC_FRAME_ERROR_BYTES; c++)
    out[length++] = (uint8_t)*c;
  return length;
}

spc_status spc__frame_decode_error(spc_error *error, uint32_t code, const uint8_t *in,
                                   size_t length) {
  if (code == SPC_OK) return frame_bad(error, FRAME_AT_CODE);
  if (length < FRAME_AT_PATH || length > SPC_FRAME_ERROR_BYTES)
    return frame_bad(error, FRAME_AT_LENGTH);
  if (error == NULL) return (spc_status)code;
  spc__fault(error, (spc_status)code, NULL);
  error->offset = spc__load_le(in, 8);
  error->index = spc__load_le(in + 8, 8);
  error->limit = spc__load_le(in + 16, 8);
  size_t end = 0;
  for (size_t at = FRAME_AT_PATH; at < length && in[at] >= ' ' && in[at] <= '~'; at++)
    error->path[end++] = (char)in[at];
  error->path[end] = '\0';
  return error->status;
}

#undef FRAME_AT_VERSION
#undef FRAME_AT_ZERO
#undef FRAME_AT_CODE
#undef FRAME_AT_ID
#undef FRAME_AT_LENGTH
#undef FRAME_AT_ROOM
#undef FRAME_AT_PATH
