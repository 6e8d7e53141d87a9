/*
 * Random sequences of operations on lists of every kind, inside a container, against a plain array:
 * after each step the bytes and the root (from bytes, and from a fresh value) agree, and values
 * cloned earlier have not changed. Running out of memory at any step changes nothing.
 */
#include "unit/ssz/pool.h"

#define OPS_MAX_BYTES (1u << 20)
#define OPS_MAX_COUNT 8192u
#define OPS_OLD       4

static uint8_t work[SPC_SSZ_WORK_SIZE];
static test_pool pool;

/* The plain array: element i is item[i]. */
typedef struct ops_model {
  uint32_t count, size[OPS_MAX_COUNT];
  uint8_t *item[OPS_MAX_COUNT];
} ops_model;

typedef struct ops_old {
  spc_ssz_value value;
  uint8_t root[32];
  uint64_t length;
} ops_old;

typedef struct ops_state {
  const spc_ssz_type *outer, *list, *element;
  uint64_t limit, seed;
  ops_model model;
  spc_ssz_value value;
  ops_old old[OPS_OLD];
  uint64_t slot;
} ops_state;

static const uint64_t path[2] = {1, 0};

static void model_set(ops_model *m, uint32_t i, const uint8_t *bytes, uint32_t size) {
  if (m->item[i] == NULL) m->item[i] = malloc(4096);
  memcpy(m->item[i], bytes, size);
  m->size[i] = size;
}

/* The container around the list: a uint64 and a boolean before and after it. */
static size_t model_bytes(const ops_state *s, uint8_t *out) {
  const ops_model *m = &s->model;
  size_t at = 8 + 4 + 1;
  memset(out, 7, 8);
  memcpy(out + 8, "\x0d\0\0\0", 4);
  out[12] = 1;
  bool fixed = spc_ssz_type_is_fixed(s->element);
  size_t table = at;
  if (!fixed) at += 4 * (size_t)m->count;
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t offset = (uint32_t)(at - table);
    if (!fixed) memcpy(out + table + 4 * (size_t)i, &offset, 4);
    memcpy(out + at, m->item[i], m->size[i]);
    at += m->size[i];
  }
  return at;
}

static uint32_t random_element(ops_state *s, uint8_t *out) {
  uint64_t size = spc_ssz_type_max_size(s->element);
  if (!spc_ssz_type_is_fixed(s->element)) size = test_random(&s->seed) % (size + 1);
  test_random_bytes(&s->seed, out, (size_t)size);
  /* The one boolean of Pair is its last byte. */
  if (strcmp(spc_ssz_type_name(s->element), "Pair") == 0) out[size - 1] &= 1;
  return (uint32_t)size;
}

static void check_state(ops_state *s, bool fresh) {
  static uint8_t expected[OPS_MAX_BYTES], actual[OPS_MAX_BYTES];
  uint8_t root[32], other[32];
  size_t size = model_bytes(s, expected), length = 0;
  CHECK_U64(spc_ssz_size(&s->value), size);
  CHECK(spc_ssz_serialize(&s->value, actual, sizeof actual, &length, NULL) == SPC_OK);
  CHECK_U64(length, size);
  CHECK_BYTES(actual, expected, size);
  CHECK(spc_ssz_root(&s->value, root) == SPC_OK);
  CHECK(spc_ssz_root_of_bytes(s->outer, expected, size, work, other, NULL) == SPC_OK);
  CHECK_BYTES(root, other, 32);
  if (!fresh) return;
  spc_ssz_value again;
  CHECK(spc_ssz_deserialize(&pool.pool, s->outer, expected, size, &again, NULL) == SPC_OK);
  CHECK(spc_ssz_root(&again, other) == SPC_OK);
  CHECK_BYTES(root, other, 32);
  spc_ssz_release(&again);
}

static void do_append(ops_state *s) {
  static uint8_t bytes[1 << 20];
  uint64_t room = s->limit - s->model.count;
  bool flat = spc_ssz_type_is_fixed(s->element) && spc_ssz_type_max_size(s->element) <= 1024;
  uint64_t count = 1;
  if (flat && test_random(&s->seed) % 2 == 0) count = test_random(&s->seed) % 700;
  if (count > room) {
    uint8_t none[4096] = {0};
    if (room != 0) return;
    CHECK(spc_ssz_append(&s->value, path, 1, none, (size_t)spc_ssz_type_min_size(s->element), 1,
                         NULL) == SPC_OVER_LIMIT);
    return;
  }
  size_t at = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint32_t size = random_element(s, bytes + at);
    model_set(&s->model, s->model.count++, bytes + at, size);
    at += size;
  }
  CHECK(spc_ssz_append(&s->value, path, 1, bytes, at, count, NULL) == SPC_OK);
}

static void do_set(ops_state *s) {
  if (s->model.count == 0) return;
  uint8_t bytes[4096], read[4096];
  uint32_t i = (uint32_t)(test_random(&s->seed) % s->model.count);
  uint32_t size = random_element(s, bytes);
  uint64_t at[2] = {1, i};
  size_t length = 0;
  model_set(&s->model, i, bytes, size);
  if (test_random(&s->seed) % 2 == 0) {
    CHECK(spc_ssz_write(&s->value, at, 2, bytes, size, NULL) == SPC_OK);
  } else { /* through a sub-view */
    spc_ssz_value part;
    CHECK(spc_ssz_get(&s->value, at, 2, &part) == SPC_OK);
    CHECK(spc_ssz_write(&part, NULL, 0, bytes, size, NULL) == SPC_OK);
    CHECK(spc_ssz_set(&s->value, at, 2, &part) == SPC_OK);
    spc_ssz_release(&part);
  }
  CHECK(spc_ssz_read(&s->value, at, 2, read, sizeof read, &length, NULL) == SPC_OK);
  CHECK_U64(length, size);
  CHECK_BYTES(read, bytes, size);
}

static void do_cut(ops_state *s) {
  uint64_t length = s->model.count;
  if (test_random(&s->seed) % 2 == 0 || length == 0) {
    CHECK(spc_ssz_pop(&s->value, path, 1) == (length == 0 ? SPC_OUT_OF_RANGE : SPC_OK));
    if (length != 0) s->model.count--;
    return;
  }
  uint64_t keep = length - test_random(&s->seed) % (length < 40 ? length + 1 : length / 3);
  CHECK(spc_ssz_truncate(&s->value, path, 1, keep) == SPC_OK);
  CHECK(spc_ssz_truncate(&s->value, path, 1, keep + 1) == SPC_OUT_OF_RANGE);
  s->model.count = (uint32_t)keep;
}

static void do_bulk(ops_state *s) {
  static uint8_t bytes[1 << 20], read[1 << 20];
  uint64_t size = spc_ssz_type_max_size(s->element);
  if (!spc_ssz_type_is_fixed(s->element) || size > 1024 || s->model.count == 0) return;
  uint64_t first = test_random(&s->seed) % s->model.count;
  uint64_t count = test_random(&s->seed) % (s->model.count - first + 1);
  for (uint64_t i = 0; i < count; i++) {
    random_element(s, bytes + i * size);
    model_set(&s->model, (uint32_t)(first + i), bytes + i * size, (uint32_t)size);
  }
  CHECK(spc_ssz_copy_in(&s->value, path, 1, first, count, bytes, NULL) == SPC_OK);
  CHECK(spc_ssz_copy_out(&s->value, path, 1, first, count, read) == SPC_OK);
  CHECK_BYTES(read, bytes, (size_t)(count * size));
  CHECK(spc_ssz_copy_out(&s->value, path, 1, first, s->model.count - first + 1, read) ==
        SPC_OUT_OF_RANGE);
}

static void check_old(ops_state *s, ops_old *old) {
  uint8_t root[32];
  uint64_t length;
  if (old->value.object == NULL) return;
  CHECK(spc_ssz_root(&old->value, root) == SPC_OK);
  CHECK_BYTES(root, old->root, 32);
  CHECK(spc_ssz_length(&old->value, path, 1, &length) == SPC_OK);
  CHECK_U64(length, old->length);
  (void)s;
}

static void do_clone(ops_state *s) {
  ops_old *old = &s->old[s->slot++ % OPS_OLD];
  check_old(s, old);
  if (old->value.object != NULL) spc_ssz_release(&old->value);
  static uint8_t bytes[OPS_MAX_BYTES];
  size_t size = model_bytes(s, bytes);
  CHECK(spc_ssz_root_of_bytes(s->outer, bytes, size, work, old->root, NULL) == SPC_OK);
  CHECK(spc_ssz_clone(&s->value, &old->value) == SPC_OK);
  old->length = s->model.count;
}

/* The same step, with the pool's limit so low that it fails: nothing may change. */
static void do_starved(ops_state *s) {
  static uint8_t bytes[1 << 20];
  uint64_t limit = pool.pool.limit, used = spc_ssz_pool_used(&pool.pool);
  uint64_t at[2] = {1, 0};
  pool.pool.limit = used + test_random(&s->seed) % 4096;
  if (s->model.count < s->limit) {
    uint32_t size = random_element(s, bytes);
    if (spc_ssz_append(&s->value, path, 1, bytes, size, 1, NULL) == SPC_OK)
      model_set(&s->model, s->model.count++, bytes, size);
  }
  if (s->model.count != 0) {
    uint32_t i = (uint32_t)(test_random(&s->seed) % s->model.count);
    uint32_t size = random_element(s, bytes);
    at[1] = i;
    if (spc_ssz_write(&s->value, at, 2, bytes, size, NULL) == SPC_OK)
      model_set(&s->model, i, bytes, size);
    if (spc_ssz_truncate(&s->value, path, 1, i) == SPC_OK) s->model.count = i;
  }
  pool.pool.limit = pool.pool.used;
  uint8_t root[32];
  spc_status status = spc_ssz_root(&s->value, root);
  CHECK(status == SPC_OK || status == SPC_OUT_OF_MEMORY);
  pool.pool.limit = limit;
}

static void run_type(spc_ssz_schema *schema, const char *name, unsigned steps) {
  static ops_state state;
  ops_state *s = &state;
  uint64_t before = spc_ssz_pool_used(&pool.pool);
  memset(s, 0, sizeof *s);
  char text[256];
  spc_ssz_builder *b = &schema->builder;
  CHECK(spc_ssz_schema_type(schema, name, strlen(name), &s->list, NULL) == SPC_OK);
  spc_ssz_type_id id = (spc_ssz_type_id)((const uint8_t *)s->list - b->arena->base);
  const spc_ssz_field fields[] = {
      {"a", spc_ssz_build_uint(b, 64)}, {"list", id}, {"b", spc_ssz_build_boolean(b)}};
  CHECK(spc_ssz_build_finish(b, spc_ssz_build_container(b, "Outer", fields, 3), &s->outer, NULL) ==
        SPC_OK);
  s->element = spc_ssz_type_element(s->list);
  s->limit = OPS_MAX_COUNT;
  uint64_t most = (OPS_MAX_BYTES - 64) / (spc_ssz_type_max_size(s->element) + 4);
  if (s->limit > most) s->limit = most;
  if (spc_ssz_type_limit(s->list) != 0 && spc_ssz_type_limit(s->list) < s->limit)
    s->limit = spc_ssz_type_limit(s->list);
  snprintf(text, sizeof text, "%s", name);
  for (const char *c = name; *c != '\0'; c++)
    s->seed = s->seed * 31 + (uint8_t)*c;
  CHECK(spc_ssz_default(&pool.pool, s->outer, &s->value) == SPC_OK);
  CHECK(spc_ssz_write(&s->value, (const uint64_t[]){0}, 1, (const uint8_t *)"\7\7\7\7\7\7\7\7", 8,
                      NULL) == SPC_OK);
  CHECK(spc_ssz_write(&s->value, (const uint64_t[]){2}, 1, (const uint8_t *)"\1", 1, NULL) ==
        SPC_OK);
  unsigned failed = test_failures;
  for (unsigned i = 0; i < steps && test_failures == failed; i++) {
    switch (test_random(&s->seed) % 9) {
    case 0:
    case 1:
    case 2:
      do_append(s);
      break;
    case 3:
    case 4:
      do_set(s);
      break;
    case 5:
      do_cut(s);
      break;
    case 6:
      do_bulk(s);
      break;
    case 7:
      do_clone(s);
      break;
    default:
      do_starved(s);
    }
    if (test_random(&s->seed) % 3 == 0) check_state(s, test_random(&s->seed) % 4 == 0);
    if (test_failures != failed) fprintf(stderr, "%s, step %u\n", name, i);
  }
  check_state(s, true);
  for (int i = 0; i < OPS_OLD; i++) {
    check_old(s, &s->old[i]);
    if (s->old[i].value.object != NULL) spc_ssz_release(&s->old[i].value);
  }
  spc_ssz_release(&s->value);
  CHECK_U64(spc_ssz_pool_used(&pool.pool), before);
  for (uint32_t i = 0; i < OPS_MAX_COUNT; i++)
    free(s->model.item[i]);
}

/* Bits: the model is an array of bytes. */
static void run_bits(spc_ssz_schema *schema, const char *name, unsigned steps) {
  static uint8_t bits[20000], flat[2600], other[20000];
  const spc_ssz_type *type;
  uint64_t before = spc_ssz_pool_used(&pool.pool), seed = 99, length = 0, limit = 20000;
  CHECK(spc_ssz_schema_type(schema, name, strlen(name), &type, NULL) == SPC_OK);
  if (spc_ssz_type_limit(type) != 0) limit = spc_ssz_type_limit(type);
  spc_ssz_value value, with, old = {NULL, NULL, NULL};
  uint8_t old_root[32];
  CHECK(spc_ssz_default(&pool.pool, type, &value) == SPC_OK);
  bool grows = spc_ssz_type_kind(type) != SPC_SSZ_BITVECTOR;
  if (!grows) length = limit;
  memset(bits, 0, sizeof bits);
  unsigned failed = test_failures;
  for (unsigned i = 0; i < steps && test_failures == failed; i++) {
    uint64_t op = test_random(&seed) % 6, n = test_random(&seed) % 300;
    bool bit = false;
    if (grows && op == 0) {
      for (; n != 0 && length < limit; n--) {
        bits[length] = test_random(&seed) & 1;
        CHECK(spc_ssz_append_bit(&value, NULL, 0, bits[length++]) == SPC_OK);
      }
      if (length == limit) CHECK(spc_ssz_append_bit(&value, NULL, 0, true) == SPC_OVER_LIMIT);
    } else if (grows && op == 1 && length != 0) {
      length -= n % (length + 1) % 200;
      CHECK(spc_ssz_truncate(&value, NULL, 0, length) == SPC_OK);
    } else if (op == 2 && length != 0) {
      uint64_t at = test_random(&seed) % length;
      bits[at] = test_random(&seed) & 1;
      CHECK(spc_ssz_set_bit(&value, NULL, 0, at, bits[at]) == SPC_OK);
      CHECK(spc_ssz_bit(&value, NULL, 0, at, &bit) == SPC_OK && bit == bits[at]);
      CHECK(spc_ssz_bit(&value, NULL, 0, length, &bit) == SPC_OUT_OF_RANGE);
    } else if (op == 3) {
      CHECK(spc_ssz_clone(&value, &with) == SPC_OK);
      memcpy(other, bits, (size_t)length);
      for (uint64_t k = 0; k < 40 && length != 0; k++) {
        uint64_t at = test_random(&seed) % length;
        other[at] = test_random(&seed) & 1;
        CHECK(spc_ssz_set_bit(&with, NULL, 0, at, other[at]) == SPC_OK);
      }
      bool both = test_random(&seed) & 1;
      CHECK((both ? spc_ssz_bits_and(&value, &with) : spc_ssz_bits_or(&value, &with)) == SPC_OK);
      for (uint64_t k = 0; k < length; k++)
        bits[k] = both ? bits[k] & other[k] : bits[k] | other[k];
      spc_ssz_release(&with);
    } else if (op == 4) {
      uint8_t root[32];
      if (old.object != NULL) {
        CHECK(spc_ssz_root(&old, root) == SPC_OK);
        CHECK_BYTES(root, old_root, 32);
        spc_ssz_release(&old);
      }
      CHECK(spc_ssz_clone(&value, &old) == SPC_OK);
      size_t size = 0;
      CHECK(spc_ssz_serialize(&old, flat, sizeof flat, &size, NULL) == SPC_OK);
      CHECK(spc_ssz_root_of_bytes(type, flat, size, work, old_root, NULL) == SPC_OK);
    }
    uint64_t expected = 0, count = 0;
    for (uint64_t k = 0; k < length; k++)
      expected += bits[k];
    CHECK(spc_ssz_bits_count(&value, &count) == SPC_OK);
    CHECK_U64(count, expected);
    memset(flat, 0, sizeof flat);
    static uint8_t out[2600];
    for (uint64_t k = 0; k < length; k++)
      flat[k / 8] |= (uint8_t)(bits[k] << (k % 8));
    CHECK(spc_ssz_bits_out(&value, NULL, 0, out) == SPC_OK);
    CHECK_BYTES(out, flat, (size_t)(length + 7) / 8);
    if (grows) flat[length / 8] |= (uint8_t)(1u << (length % 8));
    size_t size = (size_t)(grows ? length / 8 + 1 : (length + 7) / 8), got = 0;
    uint8_t root[32], plain[32];
    CHECK(spc_ssz_serialize(&value, out, sizeof out, &got, NULL) == SPC_OK && got == size);
    CHECK_BYTES(out, flat, size);
    CHECK(spc_ssz_root(&value, root) == SPC_OK);
    CHECK(spc_ssz_root_of_bytes(type, flat, size, work, plain, NULL) == SPC_OK);
    CHECK_BYTES(root, plain, 32);
    if (test_failures != failed) fprintf(stderr, "%s, step %u\n", name, i);
  }
  if (old.object != NULL) spc_ssz_release(&old);
  spc_ssz_release(&value);
  CHECK_U64(spc_ssz_pool_used(&pool.pool), before);
}

int main(void) {
  static uint64_t memory[1 << 17];
  spc_arena arena;
  spc_ssz_schema schema;
  spc_error error = {0};
  const char *text = "{\"Pair\": {\"kind\":\"Container\",\"fields\":[[\"x\",\"uint64\"],"
                     "[\"y\",\"Bytes48\"],[\"z\",\"bool\"]]},"
                     "\"Big\": {\"kind\":\"Container\",\"fields\":[[\"v\",\"Vector[uint64,130]\"],"
                     "[\"w\",\"uint16\"]]},"
                     "\"Var\": {\"kind\":\"Container\",\"fields\":[[\"v\",\"uint16\"]]}}";
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  CHECK(spc_ssz_schema_read(&schema, &arena, text, strlen(text), NULL, &error) == SPC_OK);
  test_pool_open(&pool, UINT64_MAX);
  static const char *const lists[] = {"List[uint64,5000]",
                                      "ProgressiveList[uint64]",
                                      "List[uint8,70000]",
                                      "ProgressiveList[uint16]",
                                      "ProgressiveList[uint256]",
                                      "List[uint128,1]",
                                      "List[uint64,4]",
                                      "List[uint64,5]",
                                      "List[uint8,32]",
                                      "List[Pair,3000]",
                                      "ProgressiveList[Pair]",
                                      "List[Pair,1]",
                                      "List[Big,500]",
                                      "ProgressiveList[Big]",
                                      "List[ByteList[100],2000]",
                                      "List[Var,1099511627776]",
                                      "ProgressiveList[ByteList[60]]",
                                      "ProgressiveList[Var]",
                                      "List[Bytes32,1024]",
                                      "ProgressiveList[Bytes32]",
                                      "List[Vector[uint16,300],90]",
                                      "List[ByteList[100],1]",
                                      "ProgressiveList[ByteVector[600]]"};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    run_type(&schema, lists[i], 250);
  static const char *const bits[] = {"BitList[20000]", "ProgressiveBitList", "BitVector[9000]",
                                     "BitVector[255]", "BitList[256]",       "BitList[257]"};
  for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
    run_bits(&schema, bits[i], 150);
  test_pool_close(&pool);
  return test_end();
}
