/*
 * Any sequence of operations on a list, against a plain array, with clones that must not change and
 * a pool that may run dry at any moment.
 */
#include "fuzz/ssz_fuzz.h"

#define FUZZ_MAX_COUNT 1500u

typedef struct fuzz_model {
  uint32_t count;
  uint8_t bytes[FUZZ_MAX_COUNT];
} fuzz_model;

/* What a list holds: `width` bytes all of one value; or bits; or byte lists, of which the value is
 * the length and what they are made of. */
#define FUZZ_BITS       0u
#define FUZZ_VARIABLE   SIZE_MAX
#define FUZZ_MOST_BYTES 64u /* of an element */

static size_t fuzz_element(uint8_t *out, size_t width, uint8_t value) {
  if (width == FUZZ_VARIABLE) width = value % FUZZ_MOST_BYTES;
  memset(out, value, width);
  return width;
}

static size_t fuzz_serialize(uint8_t *out, const fuzz_model *m, size_t width) {
  if (width == FUZZ_BITS) {
    memset(out, 0, m->count / 8 + 1);
    for (uint32_t i = 0; i <= m->count; i++)
      if (i == m->count || (m->bytes[i] & 1) != 0) out[i / 8] |= (uint8_t)(1u << (i % 8));
    return m->count / 8 + 1;
  }
  size_t at = width == FUZZ_VARIABLE ? 4 * (size_t)m->count : 0;
  for (uint32_t i = 0; i < m->count; i++) {
    if (width == FUZZ_VARIABLE)
      for (unsigned k = 0; k < 4; k++)
        out[4 * i + k] = (uint8_t)(at >> (8 * k));
    at += fuzz_element(out + at, width, m->bytes[i]);
  }
  return at;
}

static void fuzz_check(const spc_ssz_type *type, const spc_ssz_value *value, const fuzz_model *m,
                       size_t width) {
  static uint8_t expected[FUZZ_MAX_COUNT * 68], actual[FUZZ_MAX_COUNT * 68];
  uint8_t root[32], plain[32];
  size_t length, size = fuzz_serialize(expected, m, width);
  FUZZ_REQUIRE(spc_ssz_size(value) == size);
  FUZZ_REQUIRE(spc_ssz_serialize(value, actual, sizeof actual, &length, NULL) == SPC_OK);
  FUZZ_REQUIRE(length == size && memcmp(actual, expected, size) == 0);
  FUZZ_REQUIRE(spc_ssz_root_of_bytes(type, expected, size, fuzz_work(), plain, NULL) == SPC_OK);
  spc_status status = spc_ssz_root(value, root);
  FUZZ_REQUIRE(status == SPC_OK || status == SPC_OUT_OF_MEMORY);
  if (status == SPC_OK) FUZZ_REQUIRE(memcmp(root, plain, 32) == 0);
}

static bool fuzz_append(spc_ssz_value *value, const fuzz_model *m, size_t width, uint8_t b,
                        size_t run) {
  static uint8_t bytes[255 * FUZZ_MOST_BYTES];
  if (m->count + run > FUZZ_MAX_COUNT) return false;
  if (width == FUZZ_BITS) return spc_ssz_append_bit(value, NULL, 0, (b & 1) != 0) == SPC_OK;
  size_t size = 0;
  for (size_t i = 0; i < run; i++)
    size += fuzz_element(bytes + size, width, b);
  return spc_ssz_append(value, NULL, 0, bytes, size, run, NULL) == SPC_OK;
}

static bool fuzz_write(spc_ssz_value *value, size_t width, uint64_t at, uint8_t b) {
  uint8_t bytes[FUZZ_MOST_BYTES];
  if (width == FUZZ_BITS) return spc_ssz_set_bit(value, NULL, 0, at, (b & 1) != 0) == SPC_OK;
  size_t size = fuzz_element(bytes, width, b);
  return spc_ssz_write(value, &at, 1, bytes, size, NULL) == SPC_OK;
}

/* Many elements at once, where they have one size; else through a value of its own, as a view. */
static bool fuzz_copy(spc_ssz_value *value, size_t width, uint64_t at, size_t run, uint8_t b) {
  static uint8_t bytes[255 * FUZZ_MOST_BYTES];
  if (width != FUZZ_BITS && width != FUZZ_VARIABLE) {
    memset(bytes, b, width * run);
    return spc_ssz_copy_in(value, NULL, 0, at, run, bytes, NULL) == SPC_OK;
  }
  spc_ssz_value part;
  if (width == FUZZ_BITS || run != 1 || spc_ssz_get(value, &at, 1, &part) != SPC_OK) return false;
  size_t size = fuzz_element(bytes, width, b);
  bool done = spc_ssz_write(&part, NULL, 0, bytes, size, NULL) == SPC_OK &&
              spc_ssz_set(value, &at, 1, &part) == SPC_OK;
  spc_ssz_release(&part);
  return done;
}

static void fuzz_step(spc_ssz_value *value, fuzz_model *m, size_t width, uint8_t op, uint8_t a,
                      uint8_t b) {
  bool one = width == FUZZ_BITS || width == FUZZ_VARIABLE;
  uint64_t at = m->count == 0 ? 0 : ((uint64_t)a << 8 | b) % m->count;
  size_t run = op % 6 == 1 && !one ? a : 1;
  switch (op % 6) {
  case 0:
  case 1:
    if (!fuzz_append(value, m, width, b, run)) break;
    memset(m->bytes + m->count, b, run);
    m->count += (uint32_t)run;
    break;
  case 2:
    if (m->count != 0 && fuzz_write(value, width, at, b)) m->bytes[at] = b;
    break;
  case 3:
    if (spc_ssz_truncate(value, NULL, 0, at) == SPC_OK) m->count = (uint32_t)at;
    break;
  case 4:
    if (spc_ssz_pop(value, NULL, 0) == SPC_OK) m->count--;
    break;
  default:
    run = (size_t)((one ? 1u : a) % (m->count - at + 1));
    if (fuzz_copy(value, width, at, run, b)) memset(m->bytes + at, b, run);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct {
    const char *type;
    size_t width;
  } lists[] = {{"List[uint64,1500]", 8},
               {"ProgressiveList[uint64]", 8},
               {"List[uint8,1500]", 1},
               {"ProgressiveList[uint256]", 32},
               {"List[Bytes48,1099511627776]", 48},
               {"ProgressiveList[Bytes48]", 48},
               {"ProgressiveList[Vector[uint16,30]]", 60},
               {"BitList[1500]", FUZZ_BITS},
               {"ProgressiveBitList", FUZZ_BITS},
               {"List[ByteList[64],1500]", FUZZ_VARIABLE},
               {"ProgressiveList[ProgressiveByteList]", FUZZ_VARIABLE}};
  if (size < 2) return 0;
  size_t pick = data[0] % (sizeof lists / sizeof lists[0]);
  const spc_ssz_type *type;
  fuzz_type(0);
  spc_arena arena = fuzz_arena;
  spc_ssz_schema schema;
  spc_ssz_schema_init(&schema, &arena);
  FUZZ_REQUIRE(spc_ssz_schema_type(&schema, lists[pick].type, strlen(lists[pick].type), &type,
                                   NULL) == SPC_OK);
  fuzz_open_pool();
  fuzz_model model = {0}, old_model = {0};
  spc_ssz_value value, old = {NULL, NULL, NULL};
  FUZZ_REQUIRE(spc_ssz_default(&fuzz_pool, type, &value) == SPC_OK);
  uint64_t dry = data[1] % 4 == 0 ? fuzz_pool_empty + 200u * data[1] : UINT64_MAX;
  for (size_t i = 2; i + 2 < size; i += 3) {
    fuzz_pool.limit = dry < fuzz_pool.used ? fuzz_pool.used : dry;
    uint8_t op = data[i];
    if (op >= 252) {
      fuzz_check(type, &value, &model, lists[pick].width);
    } else if (op >= 235) {
      if (old.object != NULL) {
        fuzz_check(type, &old, &old_model, lists[pick].width);
        spc_ssz_release(&old);
      }
      FUZZ_REQUIRE(spc_ssz_clone(&value, &old) == SPC_OK);
      old_model = model;
    } else {
      fuzz_step(&value, &model, lists[pick].width, op, data[i + 1], data[i + 2]);
    }
  }
  fuzz_pool.limit = UINT64_MAX;
  fuzz_check(type, &value, &model, lists[pick].width);
  if (old.object != NULL) {
    fuzz_check(type, &old, &old_model, lists[pick].width);
    spc_ssz_release(&old);
  }
  spc_ssz_release(&value);
  FUZZ_REQUIRE(spc_ssz_pool_used(&fuzz_pool) == fuzz_pool_empty);
  return 0;
}
