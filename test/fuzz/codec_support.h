/* What the codec's fuzz targets share: the conformance schema, an arena, a rich valid message. */
#ifndef SPC_FUZZ_CODEC_SUPPORT_H
#define SPC_FUZZ_CODEC_SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spicule/codec.h"

#define FUZZ_REQUIRE(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                              \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

#define FUZZ_ARENA ((size_t)8 << 20)

static inline spc_arena fuzz_arena(void) {
  static uint64_t *memory;
  spc_arena arena;
  if (memory == NULL) memory = malloc(FUZZ_ARENA);
  FUZZ_REQUIRE(memory != NULL);
  spc_arena_init(&arena, memory, FUZZ_ARENA, NULL, NULL);
  return arena;
}

/* The bytes of the conformance suite's descriptor set. */
static inline const uint8_t *fuzz_descriptors(size_t *length) {
  static uint8_t bytes[1 << 17];
  static size_t size;
  if (size == 0) {
    FILE *file = fopen("conformance.fds", "rb");
    if (file == NULL) file = fopen(FUZZ_VECTORS "/conformance.fds", "rb");
    FUZZ_REQUIRE(file != NULL);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
  }
  *length = size;
  return bytes;
}

static inline const spc_schema *fuzz_schema(void) {
  static uint64_t *memory;
  static const spc_schema *schema;
  if (schema == NULL) {
    size_t length;
    uint32_t ref;
    spc_arena arena;
    const uint8_t *bytes = fuzz_descriptors(&length);
    memory = malloc(FUZZ_ARENA);
    spc_arena_init(&arena, memory, FUZZ_ARENA, NULL, NULL);
    FUZZ_REQUIRE(spc_schema_build(&arena, bytes, length, &ref, NULL) == SPC_OK);
    schema = (const spc_schema *)spc_arena_at(&arena, ref);
  }
  return schema;
}

static inline const spc_message_type *fuzz_type(uint8_t selector) {
  static const char *const names[] = {"protobuf_test_messages.proto3.TestAllTypesProto3",
                                      "protobuf_test_messages.proto2.TestAllTypesProto2",
                                      "protobuf_test_messages.editions.TestAllTypesEdition2023",
                                      "protobuf_test_messages.proto2.TestAllRequiredTypesProto2"};
  const char *name = names[selector & 3];
  return spc_schema_message(fuzz_schema(), name, strlen(name));
}

/*
 * The input as it is or, if the first byte says so, as changes to a message that has something of
 * everything: most random bytes are no message at all. Returns the length, at most `capacity`.
 */
static inline size_t fuzz_wire(const uint8_t *data, size_t size, uint8_t *out, size_t capacity) {
  static const uint8_t rich[] = {
      0x08, 0x01, 0x10, 0xff, 0xff, 0x03, 0x72, 0x03, 'a',  'b',  'c',  0x92, 0x01, 0x06, 0x08,
      0x05, 0x12, 0x02, 0x08, 0x07, 0xfa, 0x01, 0x03, 0x01, 0x02, 0x80, 0x01, 0xf8, 0x01, 0x05,
      0xc2, 0x03, 0x04, 0x08, 0x01, 0x10, 0x02, 0xba, 0x04, 0x07, 0x0a, 0x01, 'k',  0x12, 0x02,
      0x08, 0x03, 0xca, 0x04, 0x05, 0x0a, 0x01, 'e',  0x10, 0x63, 0xf8, 0x06, 0x09, 0x82, 0x07,
      0x02, 0x08, 0x02, 0xcb, 0x0c, 0xd0, 0x0c, 0x05, 0xcc, 0x0c, 0xa2, 0x1f, 0x09, 0x0b, 0x10,
      0xf9, 0xbb, 0x5e, 0x1a, 0x02, 0x48, 0x01, 0x0c, 0xe2, 0x02, 0x02, 'h',  'i',  0xc0, 0x07,
      0x01, 0x80, 0xd2, 0x61, 0x05, 0xda, 0x01, 0x05, 0x08, 0x01, 0xda, 0x01, 0x00};
  if (size == 0) return 0;
  bool change = (data[0] & 0x80) != 0;
  data++;
  size--;
  if (!change) {
    if (size > capacity) size = capacity;
    if (size != 0) memcpy(out, data, size);
    return size;
  }
  memcpy(out, rich, sizeof rich);
  for (size_t i = 0; i + 1 < size && i < 16; i += 2)
    out[data[i] % sizeof rich] ^= data[i + 1];
  return sizeof rich - (size > 16 ? data[16] % 8u : 0);
}

#endif
