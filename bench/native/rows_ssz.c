/*
 * The SSZ suite in C. Values of four shapes, bounded and progressive, and a beacon state of Electra
 * shape with 200 000 validators. Cold roots are of values that are made, untimed, before each run;
 * mutation rows start from a fresh handle on a value with known roots and drop it again, as the
 * deserialize rows do, except for the state.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spicule/ssz.h"

#define SSZ_ELEMENTS    4096u
#define SSZ_SIZE        65536u
#define SSZ_VALIDATORS  200000u
#define SSZ_VARIABLE    1024u /* elements of variable size */
#define SSZ_ATTESTATION 236u  /* bytes of its fixed part */
#define SSZ_SPARE       1024u
#define SSZ_ACCESSES    1024u
#define SSZ_MAX_COLD    256u

typedef enum ssz_shape {
  SSZ_BITS,
  SSZ_BYTES,
  SSZ_LIST,
  SSZ_CONTAINER,
  SSZ_TRANSACTIONS,
  SSZ_ATTESTATIONS,
  SSZ_STATE
} ssz_shape;

typedef struct ssz_fixture {
  ssz_shape shape;
  bool progressive;
  const char *type_text;
  size_t colds; /* values whose cold roots one run computes */
  const spc_ssz_type *type;
  uint8_t *bytes, *out;
  size_t length;
  spc_ssz_pool *pool;
  spc_ssz_value base, other, changed;
  spc_ssz_value cold[SSZ_MAX_COLD];
  uint64_t step;   /* a counter that makes each change a new one */
  uint64_t hashes; /* of the last run */
  uint64_t memory; /* that the base took */
} ssz_fixture;

static ssz_fixture ssz_fixtures[] = {
    {SSZ_BITS, false, "BitList[66560]", 16, .bytes = NULL},
    {SSZ_BITS, true, "ProgressiveBitList", 16, .bytes = NULL},
    {SSZ_BYTES, false, "ByteList[66560]", 8, .bytes = NULL},
    {SSZ_BYTES, true, "ProgressiveByteList", 8, .bytes = NULL},
    {SSZ_LIST, false, "List[Four,5120]", 4, .bytes = NULL},
    {SSZ_LIST, true, "ProgressiveList[Four]", 4, .bytes = NULL},
    {SSZ_CONTAINER, false, "Sixty", SSZ_MAX_COLD, .bytes = NULL},
    {SSZ_CONTAINER, true, "ProgressiveSixty", SSZ_MAX_COLD, .bytes = NULL},
    {SSZ_TRANSACTIONS, false, "List[ByteList[1073741824],1048576]", 4, .bytes = NULL},
    {SSZ_TRANSACTIONS, true, "ProgressiveList[ProgressiveByteList]", 4, .bytes = NULL},
    {SSZ_ATTESTATIONS, false, "List[Attestation,2048]", 4, .bytes = NULL},
    {SSZ_ATTESTATIONS, true, "ProgressiveList[Attestation]", 4, .bytes = NULL},
    {SSZ_STATE, false, "State", 1, .bytes = NULL},
    {SSZ_STATE, true, "ProgressiveState", 1, .bytes = NULL},
};

/* Fields of the states that are not fixed or small: their place in the container. */
enum { SSZ_STATE_VALIDATORS = 11, SSZ_STATE_BALANCES = 12 };

static spc_arena ssz_arena;
static spc_ssz_schema ssz_schema;
static spc_ssz_pool ssz_pool;
static uint8_t ssz_root[32];
static uint64_t ssz_sum;

static void *ssz_grow(void *user, void *base, size_t used, size_t needed, size_t *size) {
  (void)user;
  (void)used;
  *size = needed + (1u << 20);
  return realloc(base, *size);
}

static void *ssz_more(void *user, size_t needed, size_t *size) {
  (void)user;
  *size = needed < (16u << 20) ? 16u << 20 : needed;
  return aligned_alloc(64, (*size + 63) & ~(size_t)63);
}

static void ssz_must(spc_status status) {
  if (status == SPC_OK) return;
  fprintf(stderr, "ssz: %s\n", spc_status_name(status));
  exit(1);
}

static ssz_fixture *ssz_of(const bench_row *row) {
  return &ssz_fixtures[row->argument];
}

static void ssz_store64(uint8_t *out, uint64_t value) {
  for (int i = 0; i < 8; i++)
    out[i] = (uint8_t)(value >> (8 * i));
}

/* ---- Types ---- */

static const char ssz_head[] =
    "{\"Four\": {\"kind\":\"Container\",\"fields\":[[\"a\",\"uint64\"],[\"b\",\"uint64\"],"
    "[\"c\",\"uint64\"],[\"d\",\"uint64\"]]},"
    "\"Fork\": {\"kind\":\"Container\",\"fields\":[[\"previous_version\",\"Bytes4\"],"
    "[\"current_version\",\"Bytes4\"],[\"epoch\",\"uint64\"]]},"
    "\"Header\": {\"kind\":\"Container\",\"fields\":[[\"slot\",\"uint64\"],"
    "[\"proposer_index\",\"uint64\"],[\"parent_root\",\"Bytes32\"],[\"state_root\",\"Bytes32\"],"
    "[\"body_root\",\"Bytes32\"]]},"
    "\"Eth1Data\": {\"kind\":\"Container\",\"fields\":[[\"deposit_root\",\"Bytes32\"],"
    "[\"deposit_count\",\"uint64\"],[\"block_hash\",\"Bytes32\"]]},"
    "\"Checkpoint\": {\"kind\":\"Container\",\"fields\":[[\"epoch\",\"uint64\"],"
    "[\"root\",\"Bytes32\"]]},"
    "\"Validator\": {\"kind\":\"Container\",\"fields\":[[\"pubkey\",\"Bytes48\"],"
    "[\"withdrawal_credentials\",\"Bytes32\"],[\"effective_balance\",\"uint64\"],"
    "[\"slashed\",\"boolean\"],[\"activation_eligibility_epoch\",\"uint64\"],"
    "[\"activation_epoch\",\"uint64\"],[\"exit_epoch\",\"uint64\"],"
    "[\"withdrawable_epoch\",\"uint64\"]]},"
    "\"AttestationData\": {\"kind\":\"Container\",\"fields\":[[\"slot\",\"uint64\"],"
    "[\"index\",\"uint64\"],[\"beacon_block_root\",\"Bytes32\"],[\"source\",\"Checkpoint\"],"
    "[\"target\",\"Checkpoint\"]]},"
    "\"Attestation\": {\"kind\":\"Container\",\"fields\":["
    "[\"aggregation_bits\",\"BitList[131072]\"],[\"data\",\"AttestationData\"],"
    "[\"signature\",\"Bytes96\"],[\"committee_bits\",\"BitVector[64]\"]]},"
    "\"SyncCommittee\": {\"kind\":\"Container\",\"fields\":[[\"pubkeys\",\"Vector[Bytes48,512]\"],"
    "[\"aggregate_pubkey\",\"Bytes48\"]]},"
    "\"PayloadHeader\": {\"kind\":\"Container\",\"fields\":[[\"parent_hash\",\"Bytes32\"],"
    "[\"fee_recipient\",\"Bytes20\"],[\"state_root\",\"Bytes32\"],[\"receipts_root\",\"Bytes32\"],"
    "[\"logs_bloom\",\"Bytes256\"],[\"prev_randao\",\"Bytes32\"],[\"block_number\",\"uint64\"],"
    "[\"gas_limit\",\"uint64\"],[\"gas_used\",\"uint64\"],[\"timestamp\",\"uint64\"],"
    "[\"extra_data\",\"ByteList[32]\"],[\"base_fee_per_gas\",\"uint256\"],"
    "[\"block_hash\",\"Bytes32\"],[\"transactions_root\",\"Bytes32\"],"
    "[\"withdrawals_root\",\"Bytes32\"],[\"blob_gas_used\",\"uint64\"],"
    "[\"excess_blob_gas\",\"uint64\"]]},"
    "\"HistoricalSummary\": {\"kind\":\"Container\",\"fields\":["
    "[\"block_summary_root\",\"Bytes32\"],[\"state_summary_root\",\"Bytes32\"]]},"
    "\"PendingDeposit\": {\"kind\":\"Container\",\"fields\":[[\"pubkey\",\"Bytes48\"],"
    "[\"withdrawal_credentials\",\"Bytes32\"],[\"amount\",\"uint64\"],[\"signature\",\"Bytes96\"],"
    "[\"slot\",\"uint64\"]]},"
    "\"PendingPartialWithdrawal\": {\"kind\":\"Container\",\"fields\":["
    "[\"validator_index\",\"uint64\"],[\"amount\",\"uint64\"],[\"withdrawable_epoch\","
    "\"uint64\"]]},"
    "\"PendingConsolidation\": {\"kind\":\"Container\",\"fields\":[[\"source_index\",\"uint64\"],"
    "[\"target_index\",\"uint64\"]]},";

/* %s: a list of validators, and so on, in order of use. */
static const char ssz_state[] =
    "\"%s\": {\"kind\":\"Container\",\"fields\":[[\"genesis_time\",\"uint64\"],"
    "[\"genesis_validators_root\",\"Bytes32\"],[\"slot\",\"uint64\"],[\"fork\",\"Fork\"],"
    "[\"latest_block_header\",\"Header\"],[\"block_roots\",\"Vector[Bytes32,8192]\"],"
    "[\"state_roots\",\"Vector[Bytes32,8192]\"],[\"historical_roots\",\"List[Bytes32,16777216]\"],"
    "[\"eth1_data\",\"Eth1Data\"],[\"eth1_data_votes\",\"List[Eth1Data,2048]\"],"
    "[\"eth1_deposit_index\",\"uint64\"],[\"validators\",\"%s\"],[\"balances\",\"%s\"],"
    "[\"randao_mixes\",\"Vector[Bytes32,65536]\"],[\"slashings\",\"Vector[uint64,8192]\"],"
    "[\"previous_epoch_participation\",\"%s\"],[\"current_epoch_participation\",\"%s\"],"
    "[\"justification_bits\",\"BitVector[4]\"],[\"previous_justified_checkpoint\","
    "\"Checkpoint\"],[\"current_justified_checkpoint\",\"Checkpoint\"],"
    "[\"finalized_checkpoint\",\"Checkpoint\"],[\"inactivity_scores\",\"%s\"],"
    "[\"current_sync_committee\",\"SyncCommittee\"],[\"next_sync_committee\",\"SyncCommittee\"],"
    "[\"latest_execution_payload_header\",\"PayloadHeader\"],[\"next_withdrawal_index\","
    "\"uint64\"],[\"next_withdrawal_validator_index\",\"uint64\"],[\"historical_summaries\","
    "\"List[HistoricalSummary,16777216]\"],[\"deposit_requests_start_index\",\"uint64\"],"
    "[\"deposit_balance_to_consume\",\"uint64\"],[\"exit_balance_to_consume\",\"uint64\"],"
    "[\"earliest_exit_epoch\",\"uint64\"],[\"consolidation_balance_to_consume\",\"uint64\"],"
    "[\"earliest_consolidation_epoch\",\"uint64\"],[\"pending_deposits\","
    "\"List[PendingDeposit,134217728]\"],[\"pending_partial_withdrawals\","
    "\"List[PendingPartialWithdrawal,134217728]\"],[\"pending_consolidations\","
    "\"List[PendingConsolidation,262144]\"]]},";

static char *ssz_put_sixty(char *at, const char *name, bool progressive) {
  at += sprintf(at, "\"%s\": {\"kind\":\"%s\",\"fields\":[", name,
                progressive ? "ProgressiveContainer" : "Container");
  for (int i = 0; i < 64; i++)
    at += sprintf(at, "%s[\"f%d\",\"uint64\"]", i == 0 ? "" : ",", i);
  at += sprintf(at, "]");
  if (progressive) {
    at += sprintf(at, ",\"active_fields\":\"");
    for (int i = 0; i < 64; i++)
      *at++ = '1';
    at += sprintf(at, "\"");
  }
  return at + sprintf(at, "}");
}

static void ssz_read_schema(void) {
  static char text[32768];
  char *at = text + sprintf(text, "%s", ssz_head);
  const char *list = "List[uint64,1099511627776]", *bytes = "List[uint8,1099511627776]";
  at += sprintf(at, ssz_state, "State", "List[Validator,1099511627776]", list, bytes, bytes, list);
  list = "ProgressiveList[uint64]";
  bytes = "ProgressiveList[uint8]";
  at += sprintf(at, ssz_state, "ProgressiveState", "ProgressiveList[Validator]", list, bytes, bytes,
                list);
  at = ssz_put_sixty(at, "Sixty", false);
  *at++ = ',';
  at = ssz_put_sixty(at, "ProgressiveSixty", true);
  at += sprintf(at, "}");
  spc_arena_init(&ssz_arena, NULL, 0, ssz_grow, NULL);
  ssz_must(spc_ssz_schema_read(&ssz_schema, &ssz_arena, text, (size_t)(at - text), NULL, NULL));
  ssz_must(spc_ssz_pool_init(&ssz_pool, NULL, 0, UINT64_MAX, ssz_more, NULL));
}

/* ---- Values ---- */

static void ssz_store32(uint8_t *out, size_t value) {
  for (int i = 0; i < 4; i++)
    out[i] = (uint8_t)(value >> (8 * i));
}

/* A list of elements of variable size, each made by `put`, which gives its end. */
static void ssz_fill_list(ssz_fixture *f, size_t count, size_t most,
                          uint8_t *(*put)(uint8_t *at, size_t index)) {
  f->bytes = malloc((4 + most) * count);
  uint8_t *at = f->bytes + 4 * count;
  for (size_t i = 0; i < count; i++) {
    ssz_store32(f->bytes + 4 * i, (size_t)(at - f->bytes));
    at = put(at, i);
  }
  f->length = (size_t)(at - f->bytes);
}

/* 100 to 899 bytes */
static uint8_t *ssz_put_transaction(uint8_t *at, size_t index) {
  for (size_t k = 0; k < 100 + index * 37 % 800; k++)
    *at++ = (uint8_t)(index + 7 * k);
  return at;
}

/* Offset, data, signature, committee bits; then 400 to 599 aggregation bits. */
static uint8_t *ssz_put_attestation(uint8_t *at, size_t index) {
  size_t bits = 400 + index * 13 % 200;
  ssz_store32(at, SSZ_ATTESTATION);
  for (size_t k = 4; k < SSZ_ATTESTATION; k++)
    at[k] = (uint8_t)(index * 5 + k);
  at += SSZ_ATTESTATION;
  for (size_t k = 0; k < bits / 8; k++)
    *at++ = (uint8_t)(index + 3 * k);
  *at++ = (uint8_t)(1u << (bits % 8));
  return at;
}

static void ssz_fill_shape(ssz_fixture *f) {
  switch (f->shape) {
  case SSZ_BITS:
    f->length = SSZ_SIZE / 8 + 1;
    f->bytes = calloc(1, f->length);
    for (size_t i = 3; i < SSZ_SIZE; i += 17)
      f->bytes[i / 8] |= (uint8_t)(1u << (i % 8));
    f->bytes[SSZ_SIZE / 8] = 1;
    break;
  case SSZ_BYTES:
    f->length = SSZ_SIZE;
    f->bytes = malloc(f->length);
    for (size_t i = 0; i < f->length; i++)
      f->bytes[i] = (uint8_t)(17 + 31 * i);
    break;
  case SSZ_LIST:
    f->length = 32 * (size_t)SSZ_ELEMENTS;
    f->bytes = malloc(f->length);
    for (size_t i = 0; i < 4 * (size_t)SSZ_ELEMENTS; i++)
      ssz_store64(f->bytes + 8 * i, 10000 + 100 * (i / 4) + i % 4);
    break;
  case SSZ_CONTAINER:
    f->length = 512;
    f->bytes = malloc(f->length);
    for (size_t i = 0; i < 64; i++)
      ssz_store64(f->bytes + 8 * i, 900000 + i);
    break;
  case SSZ_TRANSACTIONS:
    ssz_fill_list(f, SSZ_VARIABLE, 900, ssz_put_transaction);
    break;
  case SSZ_ATTESTATIONS:
    ssz_fill_list(f, SSZ_VARIABLE, SSZ_ATTESTATION + 76, ssz_put_attestation);
    break;
  case SSZ_STATE:
    break;
  }
}

static uint64_t ssz_random(uint64_t *seed) {
  uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint8_t *ssz_random_bytes(size_t length) {
  uint64_t seed = length;
  uint8_t *bytes = malloc(length + 8);
  for (size_t i = 0; i < length; i += 8)
    ssz_store64(bytes + i, ssz_random(&seed));
  return bytes;
}

static void ssz_append(spc_ssz_value *state, uint64_t field, const uint8_t *bytes, size_t size,
                       uint64_t count) {
  ssz_must(spc_ssz_append(state, &field, 1, bytes, size * (size_t)count, count, NULL));
}

static void ssz_set_vector(spc_ssz_value *state, uint64_t field, size_t size, uint64_t count) {
  uint8_t *bytes = ssz_random_bytes(size * (size_t)count);
  ssz_must(spc_ssz_copy_in(state, &field, 1, 0, count, bytes, NULL));
  free(bytes);
}

/* All data differs from element to element, so that no two subtrees are alike. */
static void ssz_fill_state(ssz_fixture *f) {
  spc_ssz_value state;
  ssz_must(spc_ssz_default(&ssz_pool, f->type, &state));
  size_t n = SSZ_VALIDATORS;
  uint8_t *bytes = ssz_random_bytes(121 * n);
  for (size_t i = 0; i < n; i++) {
    uint8_t *v = bytes + 121 * i;
    ssz_store64(v + 80, 32000000000u - (uint64_t)(i % 7) * 1000000000u);
    v[88] = i % 1000 == 0;
    ssz_store64(v + 89, i / 4);
    ssz_store64(v + 97, i / 4 + 5);
    ssz_store64(v + 105, i % 50 == 0 ? 300000 + i : UINT64_MAX);
    ssz_store64(v + 113, i % 50 == 0 ? 300256 + i : UINT64_MAX);
  }
  ssz_append(&state, SSZ_STATE_VALIDATORS, bytes, 121, n);
  for (size_t i = 0; i < n; i++)
    ssz_store64(bytes + 8 * i, 32000000000u + (uint64_t)i * 7919 % 100000007);
  ssz_append(&state, SSZ_STATE_BALANCES, bytes, 8, n);
  for (size_t i = 0; i < n; i++)
    ssz_store64(bytes + 8 * i, i * 31 % 997);
  ssz_append(&state, 21, bytes, 8, n);
  for (size_t i = 0; i < n; i++)
    bytes[i] = (uint8_t)((uint32_t)i * 2654435761u >> 28 & 7);
  ssz_append(&state, 15, bytes, 1, n);
  ssz_append(&state, 16, bytes, 1, n);
  free(bytes);
  ssz_set_vector(&state, 5, 32, 8192);
  ssz_set_vector(&state, 6, 32, 8192);
  ssz_set_vector(&state, 13, 32, 65536);
  bytes = ssz_random_bytes(64 * 1000);
  ssz_append(&state, 27, bytes, 64, 1000);
  free(bytes);
  f->length = (size_t)spc_ssz_size(&state);
  f->bytes = malloc(f->length);
  size_t size;
  ssz_must(spc_ssz_serialize(&state, f->bytes, f->length, &size, NULL));
  spc_ssz_release(&state);
}

static void ssz_prepare(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  if (ssz_pool.work == NULL) ssz_read_schema();
  if (f->bytes != NULL) return;
  ssz_must(spc_ssz_schema_type(&ssz_schema, f->type_text, strlen(f->type_text), &f->type, NULL));
  f->pool = &ssz_pool;
  if (f->shape == SSZ_STATE)
    ssz_fill_state(f);
  else
    ssz_fill_shape(f);
  f->out = malloc(f->length + 64);
  uint64_t used = spc_ssz_pool_used(f->pool);
  ssz_must(spc_ssz_deserialize(f->pool, f->type, f->bytes, f->length, &f->base, NULL));
  ssz_must(spc_ssz_root(&f->base, ssz_root));
  f->memory = spc_ssz_pool_used(f->pool) - used;
  if (f->shape == SSZ_BITS) {
    uint8_t *other = calloc(1, f->length);
    for (size_t i = 5; i < SSZ_SIZE; i += 19)
      other[i / 8] |= (uint8_t)(1u << (i % 8));
    other[SSZ_SIZE / 8] = 1;
    ssz_must(spc_ssz_deserialize(f->pool, f->type, other, f->length, &f->other, NULL));
    free(other);
  }
}

/* ---- Operations ---- */

static void ssz_create_view(const bench_row *row) {
  spc_ssz_value view;
  ssz_must(spc_ssz_clone(&ssz_of(row)->base, &view));
  spc_ssz_release(&view);
}

static void ssz_deserialize(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  spc_ssz_value value;
  ssz_must(spc_ssz_deserialize(f->pool, f->type, f->bytes, f->length, &value, NULL));
  spc_ssz_release(&value);
}

static void ssz_drop_cold(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  if (f->cold[0].object != NULL) spc_ssz_release(&f->cold[0]);
}

/* Without the release, which takes as long as the pages of a whole state are many. */
static void ssz_deserialize_kept(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  ssz_must(spc_ssz_deserialize(f->pool, f->type, f->bytes, f->length, &f->cold[0], NULL));
}

static void ssz_make_cold(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  for (size_t i = 0; i < f->colds; i++) {
    if (f->cold[i].object != NULL) spc_ssz_release(&f->cold[i]);
    ssz_must(spc_ssz_deserialize(f->pool, f->type, f->bytes, f->length, &f->cold[i], NULL));
  }
}

static void ssz_cold_root(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  uint64_t hashes = spc_ssz_pool_hashes(f->pool);
  for (size_t i = 0; i < f->colds; i++)
    ssz_must(spc_ssz_root(&f->cold[i], ssz_root));
  f->hashes = (spc_ssz_pool_hashes(f->pool) - hashes) / f->colds;
}

static void ssz_cached_root(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  f->hashes = 0;
  ssz_must(spc_ssz_root(&f->base, ssz_root));
}

static void ssz_serialize(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  size_t size;
  ssz_must(spc_ssz_serialize(&f->base, f->out, f->length, &size, NULL));
}

static void ssz_or(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  spc_ssz_value value;
  ssz_must(spc_ssz_clone(&f->base, &value));
  ssz_must(spc_ssz_bits_or(&value, &f->other));
  spc_ssz_release(&value);
}

static uint64_t ssz_words(const uint8_t *bytes, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t word;
    memcpy(&word, bytes + 8 * i, 8);
    sum += word;
  }
  return sum;
}

static void ssz_random_access(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  uint64_t size = f->shape == SSZ_LIST ? SSZ_ELEMENTS : f->shape == SSZ_CONTAINER ? 64 : SSZ_SIZE;
  uint64_t count = f->shape == SSZ_CONTAINER ? 64 : SSZ_ACCESSES, sum = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t at = (8191 * i + 17) % size;
    const uint8_t *bytes;
    size_t length;
    bool bit = false;
    if (f->shape == SSZ_BITS) {
      ssz_must(spc_ssz_bit(&f->base, NULL, 0, at, &bit));
      sum += bit;
      continue;
    }
    ssz_must(spc_ssz_peek(&f->base, &at, 1, &bytes, &length));
    sum += f->shape == SSZ_BYTES ? bytes[0] : ssz_words(bytes, length / 8);
  }
  ssz_sum += sum;
}

static void ssz_sequential_access(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  uint8_t run[4096];
  uint64_t sum = 0;
  const uint8_t *bytes;
  size_t length;
  if (f->shape == SSZ_CONTAINER) {
    ssz_must(spc_ssz_peek(&f->base, NULL, 0, &bytes, &length));
    sum = ssz_words(bytes, 64);
  } else if (f->shape == SSZ_BITS) {
    ssz_must(spc_ssz_bits_out(&f->base, NULL, 0, f->out));
    for (uint64_t i = 0; i < SSZ_SIZE / 8; i++)
      for (unsigned bit = 0; bit < 8; bit++)
        sum += (unsigned)f->out[i] >> bit & 1u;
  } else {
    uint64_t size = f->shape == SSZ_LIST ? 32 : 1, count = sizeof run / size;
    uint64_t all = f->shape == SSZ_LIST ? SSZ_ELEMENTS : SSZ_SIZE;
    for (uint64_t i = 0; i < all; i += count) {
      ssz_must(spc_ssz_copy_out(&f->base, NULL, 0, i, count, run));
      if (f->shape == SSZ_LIST)
        sum += ssz_words(run, sizeof run / 8);
      else
        for (size_t k = 0; k < sizeof run; k++)
          sum += run[k];
    }
  }
  ssz_sum += sum;
}

static void ssz_get_bytes(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  ssz_must(spc_ssz_copy_out(&f->base, NULL, 0, 0, SSZ_SIZE, f->out));
}

static void ssz_change(ssz_fixture *f, spc_ssz_value *value) {
  uint8_t bytes[32];
  uint64_t at = f->shape == SSZ_LIST        ? SSZ_ELEMENTS / 2
                : f->shape == SSZ_CONTAINER ? 32
                                            : SSZ_SIZE / 2;
  if (f->shape == SSZ_BITS) {
    ssz_must(spc_ssz_set_bit(value, NULL, 0, at, true));
    return;
  }
  if (f->shape == SSZ_TRANSACTIONS || f->shape == SSZ_ATTESTATIONS) {
    uint8_t element[900];
    size_t index = SSZ_VARIABLE / 2;
    uint8_t *end = f->shape == SSZ_TRANSACTIONS ? ssz_put_transaction(element, index + 1)
                                                : ssz_put_attestation(element, index + 1);
    at = index;
    ssz_must(spc_ssz_write(value, &at, 1, element, (size_t)(end - element), NULL));
    return;
  }
  for (size_t i = 0; i < 4; i++)
    ssz_store64(bytes + 8 * i, 700000 + i);
  size_t size = f->shape == SSZ_LIST ? 32 : f->shape == SSZ_CONTAINER ? 8 : 1;
  ssz_must(spc_ssz_write(value, &at, 1, bytes, size, NULL));
}

static void ssz_set(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  spc_ssz_value value;
  ssz_must(spc_ssz_clone(&f->base, &value));
  ssz_change(f, &value);
  spc_ssz_release(&value);
}

static void ssz_set_hash(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  spc_ssz_value value;
  uint64_t hashes = spc_ssz_pool_hashes(f->pool);
  ssz_must(spc_ssz_clone(&f->base, &value));
  ssz_change(f, &value);
  ssz_must(spc_ssz_root(&value, ssz_root));
  spc_ssz_release(&value);
  f->hashes = spc_ssz_pool_hashes(f->pool) - hashes;
}

static void ssz_append_one(ssz_fixture *f, spc_ssz_value *value) {
  static const uint8_t bytes[32] = {1, 2, 3};
  if (f->shape == SSZ_BITS)
    ssz_must(spc_ssz_append_bit(value, NULL, 0, true));
  else
    ssz_must(spc_ssz_append(value, NULL, 0, bytes, f->shape == SSZ_LIST ? 32 : 1, 1, NULL));
}

static void ssz_append_commit(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  spc_ssz_value value;
  ssz_must(spc_ssz_clone(&f->base, &value));
  ssz_append_one(f, &value);
  spc_ssz_release(&value);
}

/* Inside a chunk: from a value that is one element shorter. */
static void ssz_prepare_inside(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  ssz_prepare(row);
  if (f->changed.object != NULL) return;
  ssz_must(spc_ssz_clone(&f->base, &f->changed));
  ssz_must(spc_ssz_truncate(&f->changed, NULL, 0, SSZ_SIZE - 5));
}

static void ssz_append_inside(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  spc_ssz_value value;
  ssz_must(spc_ssz_clone(&f->changed, &value));
  ssz_append_one(f, &value);
  spc_ssz_release(&value);
}

/* ---- The state ---- */

/* Changes `count` balances of a new handle, takes the root; keeps the result if `keep`. */
static void ssz_balances(ssz_fixture *f, uint64_t count, uint64_t stride, bool keep) {
  spc_ssz_value state;
  uint64_t hashes = spc_ssz_pool_hashes(f->pool);
  uint8_t bytes[8];
  f->step++;
  ssz_must(spc_ssz_clone(keep ? &f->base : &f->changed, &state));
  for (uint64_t i = 0; i < count; i++) {
    uint64_t path[2] = {SSZ_STATE_BALANCES,
                        (i * stride + (keep ? f->step * 7919 : 0)) % SSZ_VALIDATORS};
    ssz_store64(bytes, 31000000000u + f->step + i);
    ssz_must(spc_ssz_write(&state, path, 2, bytes, 8, NULL));
  }
  ssz_must(spc_ssz_root(&state, ssz_root));
  f->hashes = spc_ssz_pool_hashes(f->pool) - hashes;
  if (keep) {
    spc_ssz_release(&f->base);
    f->base = state;
  } else {
    spc_ssz_release(&state);
  }
}

static void ssz_one_balance(const bench_row *row) {
  ssz_balances(ssz_of(row), 1, 1, true);
}

/* `changed`: a state of its own, so that "first" and "again" differ only in what is cached. */
static void ssz_fresh_state(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  if (f->changed.object != NULL) spc_ssz_release(&f->changed);
  ssz_must(spc_ssz_deserialize(f->pool, f->type, f->bytes, f->length, &f->changed, NULL));
  ssz_must(spc_ssz_root(&f->changed, ssz_root));
}

static void ssz_prepare_again(const bench_row *row) {
  ssz_prepare(row);
  ssz_fresh_state(row);
  for (int i = 0; i < 3; i++)
    ssz_balances(ssz_of(row), 1000, 197, false);
}

static void ssz_thousand_balances(const bench_row *row) {
  ssz_balances(ssz_of(row), 1000, 197, false);
}

static void ssz_all_balances(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  static uint8_t bytes[8 * SSZ_VALIDATORS];
  uint64_t field = SSZ_STATE_BALANCES, hashes = spc_ssz_pool_hashes(f->pool);
  f->step++;
  for (size_t i = 0; i < SSZ_VALIDATORS; i++)
    ssz_store64(bytes + 8 * i, 32000000000u + i + f->step);
  ssz_must(spc_ssz_copy_in(&f->base, &field, 1, 0, SSZ_VALIDATORS, bytes, NULL));
  ssz_must(spc_ssz_root(&f->base, ssz_root));
  f->hashes = spc_ssz_pool_hashes(f->pool) - hashes;
}

static void ssz_hundred_validators(const bench_row *row) {
  ssz_fixture *f = ssz_of(row);
  uint64_t hashes = spc_ssz_pool_hashes(f->pool);
  uint8_t bytes[8];
  spc_ssz_value state;
  f->step++;
  ssz_must(spc_ssz_clone(&f->base, &state));
  for (uint64_t i = 0; i < 100; i++) {
    uint64_t path[3] = {SSZ_STATE_VALIDATORS, i * 1997 % SSZ_VALIDATORS, 2};
    ssz_store64(bytes, 31000000000u + f->step);
    ssz_must(spc_ssz_write(&state, path, 3, bytes, 8, NULL));
  }
  ssz_must(spc_ssz_root(&state, ssz_root));
  spc_ssz_release(&state);
  f->hashes = spc_ssz_pool_hashes(f->pool) - hashes;
}

static void ssz_prove(const bench_row *row) {
  static uint64_t memory[2048];
  ssz_fixture *f = ssz_of(row);
  const uint64_t path[3] = {SSZ_STATE_VALIDATORS, 123456, 2};
  spc_ssz_position position;
  spc_arena scratch;
  uint8_t proof[128 * 32];
  size_t count;
  spc_arena_init(&scratch, memory, sizeof memory, NULL, NULL);
  ssz_must(spc_ssz_path_position(f->type, path, 3, &position));
  ssz_must(spc_ssz_prove(&f->base, &position.gindex, 1, proof, 128, &count, &scratch));
  ssz_sum += proof[0];
}

/* ---- Rows ---- */

static void ssz_no_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  (void)row;
  (void)text;
}

/* The root that the row computed, which every back end has to agree on. */
static void ssz_root_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  bench_print_result(text, ssz_of(row)->progressive ? "progressive-root" : "bounded-root", ssz_root,
                     32);
}

static void ssz_serialized_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  bench_print_result(text, "bytes", ssz_of(row)->out, 32);
}

static void ssz_hash_facts(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  sprintf(text, "\"blocks\": %" PRIu64, ssz_of(row)->hashes);
}

static void ssz_memory_facts(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  const ssz_fixture *f = ssz_of(row);
  sprintf(text, "\"bytes\": %" PRIu64 ", \"serialized\": %zu", f->memory, f->length);
}

typedef struct ssz_operation {
  const char *name;
  unsigned shapes; /* a bit for each */
  void (*run)(const bench_row *row);
  void (*before)(const bench_row *row);
  void (*prepare)(const bench_row *row);
  void (*result)(const bench_row *row, char text[BENCH_RESULT_SIZE]);
  void (*facts)(const bench_row *row, char text[BENCH_RESULT_SIZE]);
} ssz_operation;

#define SSZ_SHAPE(shape) (1u << (shape))
#define SSZ_FLAT                                                                                   \
  (SSZ_SHAPE(SSZ_BITS) | SSZ_SHAPE(SSZ_BYTES) | SSZ_SHAPE(SSZ_LIST) | SSZ_SHAPE(SSZ_CONTAINER))
#define SSZ_VARIABLES (SSZ_SHAPE(SSZ_TRANSACTIONS) | SSZ_SHAPE(SSZ_ATTESTATIONS))
#define SSZ_LISTS     (SSZ_SHAPE(SSZ_BITS) | SSZ_SHAPE(SSZ_BYTES) | SSZ_SHAPE(SSZ_LIST))
#define SSZ_ALL       (SSZ_FLAT | SSZ_VARIABLES | SSZ_SHAPE(SSZ_STATE))

static const ssz_operation ssz_operations[] = {
    {"createView", SSZ_FLAT, ssz_create_view, NULL, NULL, NULL, NULL},
    {"deserialize", SSZ_ALL & ~SSZ_SHAPE(SSZ_STATE), ssz_deserialize, NULL, NULL, NULL,
     ssz_memory_facts},
    {"deserialize", SSZ_SHAPE(SSZ_STATE), ssz_deserialize_kept, ssz_drop_cold, NULL, NULL,
     ssz_memory_facts},
    {"hashTreeRoot", SSZ_ALL, ssz_cold_root, ssz_make_cold, NULL, ssz_root_result, ssz_hash_facts},
    {"hashTreeRootCached", SSZ_FLAT, ssz_cached_root, NULL, NULL, ssz_root_result, ssz_hash_facts},
    {"or", SSZ_SHAPE(SSZ_BITS), ssz_or, NULL, NULL, NULL, NULL},
    {"randomAccess", SSZ_FLAT, ssz_random_access, NULL, NULL, NULL, NULL},
    {"sequentialAccess", SSZ_FLAT, ssz_sequential_access, NULL, NULL, NULL, NULL},
    {"getBytes", SSZ_SHAPE(SSZ_BYTES), ssz_get_bytes, NULL, NULL, NULL, NULL},
    {"serialize", SSZ_ALL, ssz_serialize, NULL, NULL, ssz_serialized_result, NULL},
    {"setAndCommit", SSZ_FLAT | SSZ_VARIABLES, ssz_set, NULL, NULL, NULL, NULL},
    {"setCommitAndHash", SSZ_FLAT | SSZ_VARIABLES, ssz_set_hash, NULL, NULL, ssz_root_result,
     ssz_hash_facts},
    {"appendAndCommit", SSZ_LISTS, ssz_append_commit, NULL, NULL, NULL, NULL},
    {"appendInsideAndCommit", SSZ_SHAPE(SSZ_BYTES), ssz_append_inside, NULL, ssz_prepare_inside,
     NULL, NULL},
    {"setBalanceAndHash", SSZ_SHAPE(SSZ_STATE), ssz_one_balance, NULL, NULL, NULL, ssz_hash_facts},
    {"set1000BalancesAndHashFirst", SSZ_SHAPE(SSZ_STATE), ssz_thousand_balances, ssz_fresh_state,
     NULL, NULL, ssz_hash_facts},
    {"set1000BalancesAndHash", SSZ_SHAPE(SSZ_STATE), ssz_thousand_balances, NULL, ssz_prepare_again,
     NULL, ssz_hash_facts},
    {"setAllBalancesAndHash", SSZ_SHAPE(SSZ_STATE), ssz_all_balances, NULL, NULL, NULL,
     ssz_hash_facts},
    {"set100ValidatorsAndHash", SSZ_SHAPE(SSZ_STATE), ssz_hundred_validators, NULL, NULL, NULL,
     ssz_hash_facts},
    {"proveField", SSZ_SHAPE(SSZ_STATE), ssz_prove, NULL, NULL, NULL, NULL},
};

void bench_ssz_rows(bench_list *list) {
  static const char *const shapes[] = {"bitlist",   "byteList",     "nonPrimitiveList",
                                       "container", "transactions", "attestations",
                                       "state200k"};
  static char names[128][64];
  size_t used = 0;
  for (unsigned shape = SSZ_BITS; shape <= SSZ_STATE; shape++)
    for (size_t o = 0; o < sizeof ssz_operations / sizeof ssz_operations[0]; o++) {
      const ssz_operation *op = &ssz_operations[o];
      if ((op->shapes & SSZ_SHAPE(shape)) == 0) continue;
      snprintf(names[used], sizeof names[used], "%s/%s", shapes[shape], op->name);
      for (size_t k = 2 * shape; k < 2 * shape + 2; k++)
        bench_add(list, (bench_row){
                            .suite = "ssz",
                            .name = names[used],
                            .variant = ssz_fixtures[k].progressive ? "progressive" : "bounded",
                            .unit = "us",
                            .operations = op->before == ssz_make_cold ? ssz_fixtures[k].colds : 1,
                            .prepare = op->prepare == NULL ? ssz_prepare : op->prepare,
                            .before = op->before,
                            .run = op->run,
                            .result = op->result == NULL ? ssz_no_result : op->result,
                            .facts = op->facts,
                            .argument = k,
                        });
      used++;
    }
}
