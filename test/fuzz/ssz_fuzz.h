/* What the SSZ fuzz targets share: a type picked by the input, a pool, and a requirement. */
#ifndef SPC_TEST_FUZZ_SSZ_FUZZ_H
#define SPC_TEST_FUZZ_SSZ_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spicule/ssz.h"

#define FUZZ_REQUIRE(condition)                                                                    \
  do {                                                                                             \
    if (!(condition)) abort();                                                                     \
  } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char fuzz_schema_text[] =
    "{\"Fixed\":{\"kind\":\"Container\",\"fields\":[[\"a\",\"uint8\"],[\"b\",\"bool\"],"
    "[\"c\",\"Bytes48\"],[\"d\",\"BitVector[5]\"]]},"
    "\"Var\":{\"kind\":\"Container\",\"fields\":[[\"a\",\"uint16\"],[\"b\",\"List[uint16,9]\"],"
    "[\"c\",\"uint8\"],[\"d\",\"BitList[12]\"]]},"
    "\"Progressive\":{\"kind\":\"ProgressiveContainer\",\"fields\":[[\"a\",\"Byte\"],"
    "[\"b\",\"ProgressiveList[Var]\"],[\"c\",\"ProgressiveBitList\"],[\"d\",\"Fixed\"]],"
    "\"active_fields\":\"1010011\"},"
    "\"Big\":{\"kind\":\"Container\",\"fields\":[[\"a\",\"Vector[uint16,600]\"],[\"b\",\"bool\"]]},"
    "\"Option1\":{\"kind\":\"ProgressiveContainer\",\"fields\":[[\"a\",\"uint8\"]],"
    "\"active_fields\":\"1\"},"
    "\"Option2\":{\"kind\":\"ProgressiveContainer\",\"fields\":[[\"a\",\"uint8\"],"
    "[\"z\",\"List[uint8,4]\"]],\"active_fields\":\"101\"}}";

static const char *const fuzz_types[] = {"uint256",
                                         "bool",
                                         "Fixed",
                                         "Var",
                                         "Progressive",
                                         "BitVector[300]",
                                         "BitList[300]",
                                         "ProgressiveBitList",
                                         "List[Fixed,40]",
                                         "ProgressiveList[Fixed]",
                                         "List[uint64,300]",
                                         "ProgressiveList[uint16]",
                                         "List[Var,5]",
                                         "Vector[Var,2]",
                                         "ProgressiveList[ByteList[20]]",
                                         "List[Big,3]",
                                         "Union[None,uint16,Var]",
                                         "CompatibleUnion({1: Option1, 2: Option2})",
                                         "List[CompatibleUnion({1: Option1, 2: Option2}),4]",
                                         "List[List[List[uint8,3],3],3]",
                                         "ProgressiveList[ProgressiveList[uint64]]",
                                         "Vector[bool,40]",
                                         "List[Progressive,6]"};

#define FUZZ_TYPES (sizeof fuzz_types / sizeof fuzz_types[0])

static uint64_t fuzz_arena_memory[1 << 15];
static spc_arena fuzz_arena;
static spc_ssz_schema fuzz_schema;
static uint64_t fuzz_pool_memory[1 << 18];
static spc_ssz_pool fuzz_pool;
static uint64_t fuzz_pool_empty;

static inline void *fuzz_work(void) {
  static uint64_t work[SPC_SSZ_WORK_SIZE / 8];
  return work;
}

static inline void fuzz_open_pool(void) {
  FUZZ_REQUIRE(spc_ssz_pool_init(&fuzz_pool, fuzz_pool_memory, sizeof fuzz_pool_memory, UINT64_MAX,
                                 NULL, NULL) == SPC_OK);
  fuzz_pool_empty = spc_ssz_pool_used(&fuzz_pool);
}

static inline const spc_ssz_type *fuzz_type(uint8_t pick) {
  static const spc_ssz_type *types[FUZZ_TYPES];
  if (fuzz_arena.base == NULL) {
    spc_arena_init(&fuzz_arena, fuzz_arena_memory, sizeof fuzz_arena_memory, NULL, NULL);
    FUZZ_REQUIRE(spc_ssz_schema_read(&fuzz_schema, &fuzz_arena, fuzz_schema_text,
                                     strlen(fuzz_schema_text), NULL, NULL) == SPC_OK);
    for (size_t i = 0; i < FUZZ_TYPES; i++)
      FUZZ_REQUIRE(spc_ssz_schema_type(&fuzz_schema, fuzz_types[i], strlen(fuzz_types[i]),
                                       &types[i], NULL) == SPC_OK);
  }
  return types[pick % FUZZ_TYPES];
}

#endif
