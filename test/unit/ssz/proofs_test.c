/*
 * Generalized indices and proofs: the vectors (gindices.json, proofs.json), the published indices
 * of the light client, every node of small values against a plain tree, and malformed proofs.
 */
#include "spicule/sha2.h"
#include "unit/ssz/pool.h"
#include "unit/ssz/vectors.h"

static test_pool pool;
static spc_arena scratch;

static spc_ssz_gindex gindex(uint64_t low) {
  return (spc_ssz_gindex){0, low};
}

static spc_ssz_gindex position_of(const spc_ssz_type *type, const char *path) {
  uint64_t steps[32];
  size_t count;
  spc_ssz_position position = {{0, 0}, 0, 0};
  CHECK(spc_ssz_path_read(type, path, strlen(path), steps, 32, &count, NULL) == SPC_OK);
  CHECK(spc_ssz_path_position(type, steps, count, &position) == SPC_OK);
  return position.gindex;
}

static const char *text_between(const char *from, const char *key, char end, char *out,
                                size_t size) {
  const char *start = strstr(from, key);
  if (start == NULL) return NULL;
  start += strlen(key);
  const char *stop = strchr(start, end);
  if (stop == NULL || (size_t)(stop - start) >= size) return NULL;
  memcpy(out, start, (size_t)(stop - start));
  out[stop - start] = '\0';
  return stop;
}

/* ["a","b",0] without the brackets to a.b[0] */
static void path_text(const char *list, char *out) {
  while (*list != '\0') {
    bool name = *list == '"';
    size_t length = strcspn(list += name, name ? "\"" : ",");
    out += sprintf(out, name ? ".%.*s" : "[%.*s]", (int)length, list);
    list += length + name;
    if (*list == ',') list++;
  }
  *out = '\0';
}

static void gindices_of_the_vectors(vectors_schemas *schemas) {
  size_t length, count = 0;
  char *text = (char *)vectors_read("gindices.json", &length);
  if (text == NULL) return;
  for (const char *at = text; (at = strstr(at, "{\"fork\"")) != NULL; at++, count++) {
    char fork[16], preset[16], name[64], list[256], path[256], number[48];
    CHECK(text_between(at, "\"fork\":\"", '"', fork, sizeof fork) != NULL &&
          text_between(at, "\"preset\":\"", '"', preset, sizeof preset) != NULL &&
          text_between(at, "\"type\":\"", '"', name, sizeof name) != NULL &&
          text_between(at, "\"path\":[", ']', list, sizeof list) != NULL &&
          text_between(at, "\"gindex\":\"", '"', number, sizeof number) != NULL);
    path_text(list, path);
    const spc_ssz_type *type;
    spc_ssz_schema *schema = vectors_schema(schemas, preset, fork);
    if (schema == NULL || spc_ssz_schema_type(schema, name, strlen(name), &type, NULL) != SPC_OK) {
      CHECK(schema == NULL);
      break;
    }
    uint64_t steps[32], back[32];
    size_t n = 0, back_n = 0;
    spc_ssz_position position;
    spc_ssz_gindex inside;
    CHECK(spc_ssz_path_read(type, path + 1, strlen(path + 1), steps, 32, &n, NULL) == SPC_OK);
    CHECK(spc_ssz_path_position(type, steps, n, &position) == SPC_OK);
    CHECK_U64(position.gindex.low, strtoull(number, NULL, 10));
    CHECK_U64(position.gindex.high, 0);
    CHECK(spc_ssz_gindex_path(type, position.gindex, back, 32, &back_n, &inside) == SPC_OK);
    CHECK(inside.high == 0 && inside.low == 1);
    spc_ssz_position again;
    CHECK(spc_ssz_path_position(type, back, back_n, &again) == SPC_OK);
    CHECK_U64(again.gindex.low, position.gindex.low);
  }
  CHECK_U64(count, 505);
  free(text);
}

static size_t hex_list(const char *from, const char *key, uint8_t *out) {
  size_t count = 0;
  const char *at = strstr(from, key) + strlen(key);
  for (; *at != ']'; at++)
    if (*at == 'x') vectors_hex(at + 1, out + 32 * count++, 32);
  return count;
}

static size_t number_list(const char *from, const char *key, spc_ssz_gindex *out) {
  size_t count = 0;
  const char *at = strstr(from, key) + strlen(key);
  while (*at != ']') {
    char *end;
    if (*at < '0' || *at > '9') {
      at++;
      continue;
    }
    out[count++] = gindex(strtoull(at, &end, 10));
    at = end;
  }
  return count;
}

/* Every way to spoil a proof that was right. */
static void check_spoiled(const spc_ssz_gindex *g, const uint8_t *leaves, size_t n,
                          const uint8_t *proof, size_t proof_n, const uint8_t *root) {
  static uint8_t other[520 * 32];
  spc_ssz_gindex indices[64];
  bool ok = true;
  memcpy(other, proof, 32 * proof_n);
  memset(other + 32 * proof_n, 0, 32);
  CHECK(spc_ssz_verify_proof(g, leaves, n, other, proof_n + 1, root, &ok, &scratch) ==
            SPC_BAD_PROOF &&
        !ok);
  if (proof_n != 0) {
    CHECK(spc_ssz_verify_proof(g, leaves, n, proof, proof_n - 1, root, &ok, &scratch) ==
          SPC_BAD_PROOF);
    other[5] ^= 1;
    CHECK(spc_ssz_verify_proof(g, leaves, n, other, proof_n, root, &ok, &scratch) == SPC_OK && !ok);
  }
  memcpy(other, leaves, 32 * n);
  other[32 * n - 1] ^= 1;
  CHECK(spc_ssz_verify_proof(g, other, n, proof, proof_n, root, &ok, &scratch) == SPC_OK && !ok);
  memcpy(indices, g, n * sizeof *g);
  memcpy(other + 32 * n, leaves, 32);
  const spc_ssz_gindex wrong[] = {g[0], gindex(0), gindex(g[0].low >> 1), gindex(2 * g[0].low)};
  for (size_t i = 0; i < 4; i++) {
    indices[n] = wrong[i];
    CHECK(spc_ssz_verify_proof(indices, other, n + 1, proof, proof_n, root, &ok, &scratch) ==
          SPC_BAD_PROOF);
  }
  CHECK(spc_ssz_verify_proof(g, leaves, 0, proof, proof_n, root, &ok, &scratch) == SPC_BAD_PROOF);
}

static void check_compact(const spc_ssz_value *value, const spc_ssz_gindex *g, size_t n,
                          const uint8_t *root) {
  uint8_t descriptor[256], hashes[512 * 32];
  spc_ssz_gindex indices[512];
  size_t length, count, again;
  bool ok = false;
  spc_status status = spc_ssz_prove_compact(value, g, n, descriptor, sizeof descriptor, &length,
                                            hashes, 512, &count, &scratch);
  CHECK(status == SPC_OK);
  if (status != SPC_OK) return;
  CHECK(spc_ssz_verify_compact(descriptor, length, hashes, count, root, &ok) == SPC_OK && ok);
  CHECK(spc_ssz_compact_gindices(descriptor, length, indices, 512, &again) == SPC_OK);
  CHECK_U64(again, count);
  for (size_t i = 0; i < n; i++) {
    bool found = false;
    for (size_t k = 0; k < count; k++)
      found |= indices[k].low == g[i].low && indices[k].high == g[i].high;
    CHECK(found);
  }
  CHECK(spc_ssz_verify_compact(descriptor, length, hashes, count - 1, root, &ok) == SPC_BAD_PROOF);
  CHECK(spc_ssz_verify_compact(descriptor, length, hashes, count + 1, root, &ok) == SPC_BAD_PROOF);
  CHECK(spc_ssz_verify_compact(descriptor, length - 1, hashes, count, root, &ok) == SPC_BAD_PROOF);
  descriptor[length] = 0;
  CHECK(spc_ssz_verify_compact(descriptor, length + 1, hashes, count, root, &ok) == SPC_BAD_PROOF);
  size_t spare = 8 * length - (2 * count - 1);
  if (spare != 0) {
    descriptor[length - 1] |= 1;
    CHECK(spc_ssz_verify_compact(descriptor, length, hashes, count, root, &ok) == SPC_BAD_PROOF);
    descriptor[length - 1] &= 0xfe;
  }
  hashes[0] ^= 1;
  CHECK(spc_ssz_verify_compact(descriptor, length, hashes, count, root, &ok) == SPC_OK && !ok);
}

static void proofs_of_the_vectors(vectors_schemas *schemas) {
  size_t length, count = 0;
  char *text = (char *)vectors_read("proofs.json", &length);
  if (text == NULL) return;
  for (const char *at = text; (at = strstr(at, "{\"path\"")) != NULL; at++, count++) {
    static uint8_t leaves[64 * 32], proof[512 * 32], made[512 * 32];
    spc_ssz_gindex g[64], helpers[512], own[512];
    char path[256], preset[16], fork[16], name[64], root_text[80];
    uint8_t root[32], node[32];
    text_between(at, "\"path\":\"", '"', path, sizeof path);
    text_between(at, "\"root\":\"", '"', root_text, sizeof root_text);
    vectors_hex(root_text, root, 32);
    size_t n = number_list(at, "\"gindices\":[", g), leaf_n = hex_list(at, "\"leaves\":[", leaves);
    size_t helper_n = number_list(at, "\"helper_gindices\":[", helpers), own_n = 0, made_n = 0;
    size_t proof_n = hex_list(at, "\"proof\":[", proof);
    CHECK(n == leaf_n && helper_n == proof_n);
    CHECK(sscanf(path, "ssz_static/%15[^/]/%15[^/]/%63[^/]/", preset, fork, name) == 3);
    const spc_ssz_type *type;
    spc_ssz_schema *schema = vectors_schema(schemas, preset, fork);
    CHECK(schema != NULL && spc_ssz_schema_type(schema, name, strlen(name), &type, NULL) == SPC_OK);
    size_t size;
    uint8_t *bytes = vectors_read(path, &size);
    spc_ssz_value value;
    if (schema == NULL || bytes == NULL) break;
    CHECK(spc_ssz_deserialize(&pool.pool, type, bytes, size, &value, NULL) == SPC_OK);
    CHECK(spc_ssz_proof_helpers(g, n, own, 512, &own_n, &scratch) == SPC_OK);
    CHECK_U64(own_n, helper_n);
    for (size_t i = 0; i < own_n; i++)
      CHECK_U64(own[i].low, helpers[i].low);
    for (size_t i = 0; i < n; i++) {
      CHECK(spc_ssz_node(&value, g[i], node) == SPC_OK);
      CHECK_BYTES(node, leaves + 32 * i, 32);
    }
    CHECK(spc_ssz_prove(&value, g, n, made, 512, &made_n, &scratch) == SPC_OK);
    CHECK_U64(made_n, proof_n);
    CHECK_BYTES(made, proof, 32 * proof_n);
    bool ok = false;
    CHECK(spc_ssz_verify_proof(g, leaves, n, proof, proof_n, root, &ok, &scratch) == SPC_OK && ok);
    check_spoiled(g, leaves, n, proof, proof_n, root);
    check_compact(&value, g, n, root);
    spc_ssz_release(&value);
    free(bytes);
  }
  CHECK_U64(count, 102);
  free(text);
}

static void published_indices(vectors_schemas *schemas) {
  const struct {
    const char *fork, *type, *path;
    uint64_t gindex;
  } known[] = {
      {"gloas", "BeaconState", "finalized_checkpoint.root", 735},
      {"gloas", "BeaconState", "current_sync_committee", 2945},
      {"gloas", "BeaconState", "next_sync_committee", 2946},
      {"gloas", "BeaconBlockBody", "signed_execution_payload_bid.message.parent_block_hash", 2856},
      {"altair", "BeaconState", "finalized_checkpoint.root", 105},
      {"altair", "BeaconState", "current_sync_committee", 54},
      {"altair", "BeaconState", "next_sync_committee", 55},
      {"electra", "BeaconState", "finalized_checkpoint.root", 169},
      {"electra", "BeaconState", "current_sync_committee", 86},
      {"electra", "BeaconState", "next_sync_committee", 87},
      {"capella", "BeaconBlockBody", "execution_payload", 25},
      {"capella", "BeaconBlockBody", "execution_payload.block_hash", 412},
      {"deneb", "BeaconBlockBody", "execution_payload.block_hash", 812},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    const spc_ssz_type *type;
    spc_ssz_schema *schema = vectors_schema(schemas, "mainnet", known[i].fork);
    if (schema == NULL) return;
    CHECK(spc_ssz_schema_type(schema, known[i].type, strlen(known[i].type), &type, NULL) == SPC_OK);
    CHECK_U64(position_of(type, known[i].path).low, known[i].gindex);
  }
}

/* Every node of a value: an inner one is the hash of its children, and leaves make the root. */
static uint64_t check_nodes(const spc_ssz_value *value, uint64_t g, unsigned depth) {
  uint8_t own[32], pair[64];
  if (spc_ssz_node(value, gindex(g), own) != SPC_OK) return 0;
  if (depth == 0) return 1;
  spc_status left = spc_ssz_node(value, gindex(2 * g), pair);
  spc_status right = spc_ssz_node(value, gindex(2 * g + 1), pair + 32);
  CHECK(left == right);
  if (left != SPC_OK) return 1;
  spc_sha256_pairs(pair, pair, 1);
  if (memcmp(pair, own, 32) != 0) fprintf(stderr, "node %" PRIu64 "\n", g);
  CHECK_BYTES(pair, own, 32);
  return 1 + check_nodes(value, 2 * g, depth - 1) + check_nodes(value, 2 * g + 1, depth - 1);
}

static void every_node_is_the_hash_of_its_children(void) {
  static uint64_t memory[1 << 16];
  static uint8_t bytes[20000];
  spc_arena arena;
  spc_ssz_schema schema;
  const char *text =
      "{\"C\":{\"kind\":\"Container\",\"fields\":[[\"a\",\"uint16\"],[\"b\",\"Bytes48\"],"
      "[\"c\",\"uint64\"]]},"
      "\"P\":{\"kind\":\"ProgressiveContainer\",\"fields\":[[\"a\",\"uint16\"],[\"b\",\"C\"],"
      "[\"c\",\"List[uint16,40]\"]],\"active_fields\":[1,0,1,0,0,0,1]}}";
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  CHECK(spc_ssz_schema_read(&schema, &arena, text, strlen(text), NULL, NULL) == SPC_OK);
  const struct {
    const char *type;
    size_t element, most;
  } lists[] = {{"List[uint64,2000]", 8, 2000},
               {"ProgressiveList[uint64]", 8, 2000},
               {"List[C,200]", 58, 200},
               {"ProgressiveList[C]", 58, 200},
               {"Vector[uint8,700]", 700, 1},
               {"List[Vector[uint64,160],9]", 1280, 9},
               {"ProgressiveList[Vector[uint64,160]]", 1280, 9},
               {"List[C,5]", 58, 5}};
  uint64_t seed = 5;
  test_random_bytes(&seed, bytes, sizeof bytes);
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    for (size_t n = lists[i].most == 1; n <= lists[i].most; n += 1 + n / 2) {
      const spc_ssz_type *type;
      spc_ssz_value value;
      CHECK(spc_ssz_schema_type(&schema, lists[i].type, strlen(lists[i].type), &type, NULL) ==
            SPC_OK);
      CHECK(spc_ssz_deserialize(&pool.pool, type, bytes, n * lists[i].element, &value, NULL) ==
            SPC_OK);
      CHECK(check_nodes(&value, 1, 13) > 2);
      if (n != 0 && lists[i].most != 1) { /* the same with inner hashes kept in pages */
        uint64_t step = n / 2;
        spc_ssz_value old;
        for (int k = 0; k < 4; k++) {
          uint8_t root[32];
          CHECK(spc_ssz_root(&value, root) == SPC_OK);
          CHECK(spc_ssz_clone(&value, &old) == SPC_OK);
          CHECK(spc_ssz_write(&value, &step, 1, bytes + k, lists[i].element, NULL) == SPC_OK);
          spc_ssz_release(&old);
        }
        CHECK(check_nodes(&value, 1, 13) > 2);
      }
      spc_ssz_release(&value);
    }
  const spc_ssz_type *type;
  spc_ssz_value value;
  CHECK(spc_ssz_schema_type(&schema, "P", 1, &type, NULL) == SPC_OK);
  CHECK(spc_ssz_default(&pool.pool, type, &value) == SPC_OK);
  CHECK(check_nodes(&value, 1, 12) > 10);
  spc_ssz_release(&value);
  const char *bits = "BitList[3000]";
  CHECK(spc_ssz_schema_type(&schema, bits, strlen(bits), &type, NULL) == SPC_OK);
  bytes[299] = 1;
  CHECK(spc_ssz_deserialize(&pool.pool, type, bytes, 300, &value, NULL) == SPC_OK);
  CHECK(check_nodes(&value, 1, 8) > 10);
  spc_ssz_release(&value);
  uint64_t bit = 2999;
  spc_ssz_position position;
  CHECK(spc_ssz_path_position(type, &bit, 1, &position) == SPC_OK);
  CHECK_U64(position.gindex.low, 32 + 11);
  CHECK(position.bit_offset == 2999 % 256 && position.bit_length == 1);
}

static void deep_paths_have_128_bits(void) {
  static uint64_t memory[1 << 13];
  spc_arena arena;
  spc_ssz_schema schema;
  const spc_ssz_type *type;
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  spc_ssz_schema_init(&schema, &arena);
  const char *text = "List[List[List[uint64,1099511627776],1099511627776],1099511627776]";
  CHECK(spc_ssz_schema_type(&schema, text, strlen(text), &type, NULL) == SPC_OK);
  uint64_t path[] = {1099511627775u, 3, 5}, back[8];
  size_t steps;
  spc_ssz_position position;
  spc_ssz_gindex inside;
  CHECK(spc_ssz_path_position(type, path, 3, &position) == SPC_OK);
  CHECK(position.gindex.high >> 57 == 1); /* 41 + 41 + 39 bits below the root's 1 */
  CHECK(spc_ssz_gindex_path(type, position.gindex, back, 8, &steps, &inside) == SPC_OK);
  CHECK(steps == 3 && back[0] == path[0] && back[1] == 3 && back[2] == 4 && inside.low == 1);
  text = "List[List[List[List[uint64,1099511627776],1099511627776],1099511627776],1099511627776]";
  CHECK(spc_ssz_schema_type(&schema, text, strlen(text), &type, NULL) == SPC_OK);
  uint64_t deeper[] = {0, 0, 0, 0};
  CHECK(spc_ssz_path_position(type, deeper, 4, &position) == SPC_SIZE_LIMIT);
  /* A proof of 121 levels folds in 128-bit arithmetic. */
  text = "List[List[List[uint64,1099511627776],1099511627776],1099511627776]";
  CHECK(spc_ssz_schema_type(&schema, text, strlen(text), &type, NULL) == SPC_OK);
  spc_ssz_value value, inner;
  uint64_t zero[2] = {0, 0};
  CHECK(spc_ssz_default(&pool.pool, type, &value) == SPC_OK);
  CHECK(spc_ssz_append(&value, NULL, 0, NULL, 0, 1, NULL) == SPC_OK);
  CHECK(spc_ssz_append(&value, zero, 1, NULL, 0, 1, NULL) == SPC_OK);
  CHECK(spc_ssz_append(&value, zero, 2, (const uint8_t *)"12345678", 8, 1, NULL) == SPC_OK);
  CHECK(spc_ssz_get(&value, zero, 2, &inner) == SPC_OK);
  CHECK(spc_ssz_path_position(type, (uint64_t[]){0, 0, 0}, 3, &position) == SPC_OK);
  uint8_t leaf[32], proof[128 * 32], root[32];
  size_t count;
  bool ok = false;
  CHECK(spc_ssz_root(&value, root) == SPC_OK);
  CHECK(spc_ssz_node(&value, position.gindex, leaf) == SPC_OK && memcmp(leaf, "12345678", 8) == 0);
  CHECK(spc_ssz_prove(&value, &position.gindex, 1, proof, 128, &count, &scratch) == SPC_OK);
  CHECK_U64(count, 121);
  CHECK(spc_ssz_verify_proof(&position.gindex, leaf, 1, proof, count, root, &ok, &scratch) ==
            SPC_OK &&
        ok);
  check_compact(&value, &position.gindex, 1, root);
  spc_ssz_release(&inner);
  spc_ssz_release(&value);
}

int main(void) {
  static uint64_t memory[1 << 14];
  static vectors_schemas schemas;
  spc_arena_init(&scratch, memory, sizeof memory, NULL, NULL);
  test_pool_open(&pool, UINT64_MAX);
  uint64_t before = spc_ssz_pool_used(&pool.pool);
  if (vectors_schema(&schemas, "mainnet", "gloas") == NULL) {
    test_skip("the gindices and proofs of the SSZ vectors", "no folder of shared vectors");
  } else {
    gindices_of_the_vectors(&schemas);
    published_indices(&schemas);
    proofs_of_the_vectors(&schemas);
  }
  every_node_is_the_hash_of_its_children();
  deep_paths_have_128_bits();
  CHECK_U64(spc_ssz_pool_used(&pool.pool), before);
  vectors_free(&schemas);
  test_pool_close(&pool);
  return test_end();
}
