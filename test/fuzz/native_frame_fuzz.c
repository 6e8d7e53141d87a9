/*
 * The frame parsers on any bytes: a header, and an error record behind it. What is accepted encodes
 * back to the same bytes, what is refused has a status and a place, and text is printable.
 */
#include <stdlib.h>
#include <string.h>

#include "native/frame.h"

#define FUZZ_REQUIRE(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) abort();                                                                     \
  } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_header(spc__frame_kind kind, const uint8_t *data, uint64_t limit) {
  uint8_t bytes[SPC_FRAME_BYTES], again[SPC_FRAME_BYTES];
  spc__frame frame;
  spc_error error = {.status = SPC_OK};
  memcpy(bytes, data, sizeof bytes);
  /* The fields that random bytes would never get right, in half of the inputs. */
  if ((data[0] & 1) != 0) {
    spc__store_le(bytes, 4, (uint64_t)kind);
    spc__store_le(bytes + 4, 4, SPC_FRAME_VERSION);
  }
  spc_status status = spc__frame_decode(&frame, kind, bytes, limit, &error);
  FUZZ_REQUIRE(status == error.status);
  if (status == SPC_OK) {
    FUZZ_REQUIRE(frame.length <= limit);
    spc__frame_encode(again, kind, &frame);
    FUZZ_REQUIRE(memcmp(bytes, again, sizeof bytes) == 0);
  } else if (status == SPC_BAD_FRAME) {
    FUZZ_REQUIRE(error.offset < SPC_FRAME_BYTES);
  } else {
    FUZZ_REQUIRE(status == SPC_FRAME_LIMIT && error.limit == limit && frame.length > limit);
  }
}

static void fuzz_record(uint32_t code, const uint8_t *data, size_t size) {
  uint8_t again[SPC_FRAME_ERROR_BYTES];
  spc_error error = {.status = SPC_OK};
  spc_status status = spc__frame_decode_error(&error, code, data, size);
  FUZZ_REQUIRE(status == error.status && status != SPC_OK);
  if (size < 24 || size > sizeof again || code == SPC_OK) {
    FUZZ_REQUIRE(status == SPC_BAD_FRAME);
    return;
  }
  size_t length = strlen(error.path);
  for (size_t i = 0; i < length; i++)
    FUZZ_REQUIRE(error.path[i] >= ' ' && error.path[i] <= '~');
  FUZZ_REQUIRE(spc__frame_encode_error(again, &error) == 24 + length);
  FUZZ_REQUIRE(memcmp(again, data, 24 + length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= SPC_FRAME_BYTES) {
    uint64_t limit = spc__load_le(data + 16, 8) ^ (data[1] & 3);
    fuzz_header(SPC_FRAME_REQUEST, data, limit);
    fuzz_header(SPC_FRAME_RESPONSE, data, limit);
  }
  if (size >= 4) fuzz_record((uint32_t)spc__load_le(data, 4), data + 4, size - 4);
  return 0;
}
