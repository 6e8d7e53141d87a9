/*
 * spc_call on any bytes: the first byte is the operation, two more the capacity, the rest the
 * request. Holds the contract: the response's length, an error record that agrees with the status,
 * no write past the capacity, and the same answer when the response is asked for again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spicule/call.h"

#define FUZZ_CAPACITY 8192
#define FUZZ_GUARD    64

#define FUZZ_REQUIRE(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) abort();                                                                     \
  } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Fills `size` bytes of 32-byte elements so that some are field elements: the top byte is cut. */
static void fuzz_make_canonical(uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i += 32)
    bytes[i] &= 0x1f;
}

static spc_status fuzz_call(uint32_t op, const uint8_t *request, size_t request_length,
                            uint8_t *response, size_t capacity, size_t *length) {
  spc_arena none;
  spc_ctx ctx;
  spc_error error;
  memset(&error, 0xa5, sizeof error);
  memset(response, 0xa5, FUZZ_CAPACITY + FUZZ_GUARD);
  spc_arena_init(&none, NULL, 0, NULL, NULL);
  spc_ctx_init(&ctx, none, spc_limits_default());
  spc_status status =
      spc_call(&ctx, op, request, request_length, response, capacity, length, &error);
  if (status != SPC_OK) FUZZ_REQUIRE(error.status == status);
  if (status == SPC_OK) FUZZ_REQUIRE(*length <= capacity);
  if (status == SPC_BUFFER_TOO_SMALL) FUZZ_REQUIRE(*length > capacity && error.limit == *length);
  if (status != SPC_OK && status != SPC_BUFFER_TOO_SMALL) FUZZ_REQUIRE(*length == 0);
  if (status != SPC_OK && error.offset != SPC_NO_POSITION)
    FUZZ_REQUIRE(error.offset <= request_length);
  for (size_t i = capacity; i < FUZZ_CAPACITY + FUZZ_GUARD; i++)
    FUZZ_REQUIRE(response[i] == 0xa5);
  return status;
}

static void fuzz_one(uint32_t op, const uint8_t *request, size_t size, size_t capacity) {
  static uint8_t first[FUZZ_CAPACITY + FUZZ_GUARD], again[FUZZ_CAPACITY + FUZZ_GUARD];
  size_t first_length = 0, again_length = 0;
  spc_status status = fuzz_call(op, request, size, first, capacity, &first_length);
  if (status == SPC_BUFFER_TOO_SMALL && first_length <= FUZZ_CAPACITY) {
    capacity = first_length;
    status = fuzz_call(op, request, size, first, capacity, &first_length);
    FUZZ_REQUIRE(status != SPC_BUFFER_TOO_SMALL);
  }
  FUZZ_REQUIRE(fuzz_call(op, request, size, again, capacity, &again_length) == status);
  FUZZ_REQUIRE(first_length == again_length && memcmp(first, again, sizeof first) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3) return 0;
  uint32_t op = data[0];
  size_t capacity = ((size_t)data[1] << 8 | data[2]) % (FUZZ_CAPACITY + 1);
  fuzz_one(op, data + 3, size - 3, capacity);

  uint8_t *canonical = malloc(size);
  if (canonical == NULL) return 0;
  memcpy(canonical, data, size);
  fuzz_make_canonical(canonical + 3, size - 3);
  fuzz_one(op, canonical + 3, (size - 3) & ~(size_t)31, capacity);
  free(canonical);
  return 0;
}
