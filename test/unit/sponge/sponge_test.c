/*
 * The sponge object: lazy absorbing in every chunking, serialization, and each refusal with its
 * position. Uses internal headers of the sponge to force kernels.
 */
#include <stdlib.h>

#include "spicule/sponge.h"
#include "sponge_support.h"

#define MAX_FIELDS 24576u

static void start(spc_sponge *sponge, const uint8_t iv[32]) {
  CHECK(spc_sponge_init(sponge, iv, NULL) == SPC_OK);
}

/* The first nine elements of the serialized form, against what the vectors say. */
static void check_trace_state(const spc_sponge *sponge, const char *const expected[9]) {
  uint8_t fields[320], element[32];
  spc_sponge_to_fields(sponge, fields);
  for (size_t i = 0; i < 9; i++) {
    textbook_bytes_from_hex(element, expected[i]);
    CHECK_BYTES(fields + 32 * i, element, 32);
  }
}

static void the_traces_hold(void) {
  for (size_t t = 0; t < sizeof poseidon2_traces / sizeof poseidon2_traces[0]; t++) {
    spc_sponge sponge;
    uint8_t iv[32], out[32], expected[32];
    uint64_t next = poseidon2_traces[t].start;
    textbook_bytes_from_hex(iv, poseidon2_traces[t].iv);
    start(&sponge, iv);
    for (size_t c = 0; c < poseidon2_traces[t].chunks; c++) {
      uint8_t fields[32 * 32];
      size_t count = poseidon2_traces[t].lengths[c];
      support_counting_fields(fields, next, count);
      CHECK(spc_sponge_absorb(&sponge, fields, count, NULL) == SPC_OK);
      check_trace_state(&sponge, poseidon2_traces[t].states[c]);
      next += count;
    }
    CHECK_U64(sponge.absorbed, next - poseidon2_traces[t].start);
    CHECK(spc_sponge_squeeze(&sponge, out, NULL) == SPC_OK);
    textbook_bytes_from_hex(expected, poseidon2_traces[t].squeeze);
    CHECK_BYTES(out, expected, 32);
    check_trace_state(&sponge, poseidon2_traces[t].squeezed);
  }
}

static void the_sponge_blob_vectors_hold(void) {
  for (size_t i = 0; i < sizeof poseidon2_vectors / sizeof poseidon2_vectors[0]; i++) {
    const poseidon2_vector *v = &poseidon2_vectors[i];
    if (strcmp(v->kind, "sponge_blob") != 0) continue;
    spc_sponge sponge;
    uint8_t field[32], out[32], expected[32];
    CHECK(spc_sponge_blob_init(&sponge, MAX_FIELDS, NULL) == SPC_OK);
    for (size_t j = 0; j < v->inputs; j++) {
      textbook_bytes_from_hex(field, v->input[j]);
      CHECK(spc_sponge_absorb(&sponge, field, 1, NULL) == SPC_OK);
    }
    CHECK(spc_sponge_squeeze(&sponge, out, NULL) == SPC_OK);
    textbook_bytes_from_hex(expected, v->output[0]);
    CHECK_BYTES(out, expected, 32);
  }
}

static void a_full_sponge_blob_gives_the_known_value_and_takes_no_more(void) {
  uint8_t *fields = malloc(32 * (size_t)MAX_FIELDS), out[32], expected[32];
  CHECK(fields != NULL);
  if (fields == NULL) return;
  for (size_t i = 0; i < sizeof poseidon2_ruled_vectors / sizeof poseidon2_ruled_vectors[0]; i++) {
    size_t count = poseidon2_ruled_vectors[i].count;
    CHECK_U64(count, MAX_FIELDS);
    support_counting_fields(fields, poseidon2_ruled_vectors[i].start, count);
    spc_sponge sponge, before;
    spc_error error;
    CHECK(spc_sponge_blob_init(&sponge, MAX_FIELDS, NULL) == SPC_OK);
    CHECK(spc_sponge_absorb(&sponge, fields, 1000, NULL) == SPC_OK);
    before = sponge;
    CHECK(spc_sponge_absorb(&sponge, fields, count - 999, &error) == SPC_COUNT_LIMIT);
    CHECK_U64(error.limit, MAX_FIELDS);
    CHECK_BYTES(&sponge, &before, sizeof sponge);
    CHECK(spc_sponge_absorb(&sponge, fields + 32 * 1000, count - 1000, NULL) == SPC_OK);
    CHECK(spc_sponge_absorb(&sponge, fields, 1, &error) == SPC_COUNT_LIMIT);
    CHECK(spc_sponge_squeeze(&sponge, out, NULL) == SPC_OK);
    textbook_bytes_from_hex(expected, poseidon2_ruled_vectors[i].output);
    CHECK_BYTES(out, expected, 32);
  }
  free(fields);
}

/*
 * Every way to cut 11 elements into chunks (2^10 of them), with zero-length chunks between, leaves
 * the bytes that one at a time leaves; and these are right by the textbook.
 */
static void every_chunking_leaves_the_same_state(void) {
  enum { COUNT = 11 };
  uint64_t seed = 10;
  uint8_t fields[32 * COUNT], iv[32], expected[COUNT + 1][SPC_SPONGE_BYTES];
  support_random_fields(&seed, fields, COUNT);
  support_random_fields(&seed, iv, 1);
  spc_sponge sponge;
  textbook_sponge textbook;
  start(&sponge, iv);
  textbook_sponge_start(&textbook, iv);
  for (size_t i = 0;; i++) {
    uint8_t element[32];
    spc_sponge_to_bytes(&sponge, expected[i]);
    for (size_t j = 0; j < 7; j++) {
      textbook_to_bytes(element, j < 3 ? &textbook.cache[j] : &textbook.state[j - 3]);
      CHECK_BYTES(expected[i] + 32 * j, element, 32);
    }
    CHECK_U64(expected[i][7 * 32 + 3], textbook.cache_size);
    CHECK_U64(expected[i][SPC_SPONGE_BYTES - 1], i);
    if (i == COUNT) break;
    CHECK(spc_sponge_absorb(&sponge, fields + 32 * i, 1, NULL) == SPC_OK);
    textbook_absorb(&textbook, fields + 32 * i);
  }
  for (uint32_t cuts = 0; cuts < 1u << (COUNT - 1); cuts++) {
    uint8_t bytes[SPC_SPONGE_BYTES];
    start(&sponge, iv);
    for (size_t from = 0, to = 1; to <= COUNT; to++) {
      if (to < COUNT && (cuts >> (to - 1) & 1) == 0) continue;
      CHECK(spc_sponge_absorb(&sponge, fields + 32 * from, to - from, NULL) == SPC_OK);
      CHECK(spc_sponge_absorb(&sponge, NULL, 0, NULL) == SPC_OK);
      from = to;
    }
    spc_sponge_to_bytes(&sponge, bytes);
    CHECK_BYTES(bytes, expected[COUNT], sizeof bytes);
  }
}

static void a_sponge_that_is_restored_goes_on_as_the_original(void) {
  uint64_t seed = 11;
  uint8_t more[32 * 5];
  support_random_fields(&seed, more, 5);
  for (uint32_t max = 0; max <= MAX_FIELDS; max += MAX_FIELDS) {
    for (size_t count = 0; count <= 8; count++) {
      uint8_t fields[32 * 8], iv[32], bytes[SPC_SPONGE_BYTES], as_fields[320];
      support_random_fields(&seed, fields, count);
      support_random_fields(&seed, iv, 1);
      spc_sponge sponge, copies[2];
      if (max == 0)
        start(&sponge, iv);
      else
        CHECK(spc_sponge_blob_init(&sponge, max, NULL) == SPC_OK);
      CHECK(spc_sponge_absorb(&sponge, fields, count, NULL) == SPC_OK);
      spc_sponge_to_bytes(&sponge, bytes);
      spc_sponge_to_fields(&sponge, as_fields);
      CHECK(spc_sponge_from_bytes(&copies[0], bytes, sizeof bytes, max, NULL) == SPC_OK);
      CHECK(spc_sponge_from_fields(&copies[1], as_fields, sizeof as_fields, max, NULL) == SPC_OK);
      uint8_t out[32], expected[32];
      spc_sponge original = sponge;
      CHECK(spc_sponge_absorb(&original, more, 5, NULL) == SPC_OK);
      CHECK(spc_sponge_squeeze(&original, expected, NULL) == SPC_OK);
      for (int i = 0; i < 2; i++) {
        uint8_t again[SPC_SPONGE_BYTES], squeezed[SPC_SPONGE_BYTES];
        spc_sponge_to_bytes(&copies[i], again);
        CHECK_BYTES(again, bytes, sizeof bytes);
        CHECK(spc_sponge_absorb(&copies[i], more, 5, NULL) == SPC_OK);
        CHECK(spc_sponge_squeeze(&copies[i], out, NULL) == SPC_OK);
        CHECK_BYTES(out, expected, 32);
        spc_sponge_to_bytes(&copies[i], squeezed);
        CHECK(spc_sponge_from_bytes(&copies[i], squeezed, sizeof squeezed, max, NULL) == SPC_OK);
        CHECK(spc_sponge_squeeze(&copies[i], out, NULL) == SPC_INVALID_STATE);
      }
    }
  }
}

static void after_a_squeeze_nothing_is_allowed(void) {
  spc_sponge sponge;
  spc_error error;
  uint8_t out[32], field[32] = {0}, before[SPC_SPONGE_BYTES], after[SPC_SPONGE_BYTES];
  CHECK(spc_sponge_blob_init(&sponge, 2, NULL) == SPC_OK);
  CHECK(spc_sponge_absorb(&sponge, field, 1, NULL) == SPC_OK);
  CHECK(spc_sponge_squeeze(&sponge, out, NULL) == SPC_OK);
  spc_sponge_to_bytes(&sponge, before);
  CHECK_U64(before[7 * 32 + 3], 1);
  CHECK_U64(before[7 * 32 + 4], 1);
  CHECK(spc_sponge_absorb(&sponge, field, 1, &error) == SPC_INVALID_STATE);
  CHECK_U64(error.status, SPC_INVALID_STATE);
  CHECK(spc_sponge_absorb(&sponge, field, 0, &error) == SPC_INVALID_STATE);
  CHECK(spc_sponge_squeeze(&sponge, out, &error) == SPC_INVALID_STATE);
  CHECK_U64(error.offset, SPC_NO_POSITION);
  spc_sponge_to_bytes(&sponge, after);
  CHECK_BYTES(after, before, sizeof after);
}

static void elements_and_ivs_above_the_modulus_are_refused(void) {
  spc_sponge sponge, before;
  spc_error error;
  uint8_t fields[32 * 8] = {0}, iv[32];
  textbook_bytes_from_hex(iv, poseidon2_modulus);
  memset(&sponge, 0x5a, sizeof sponge);
  before = sponge;
  CHECK(spc_sponge_init(&sponge, iv, &error) == SPC_NOT_CANONICAL);
  CHECK_U64(error.index, 0);
  CHECK_BYTES(&sponge, &before, sizeof sponge);
  CHECK(spc_sponge_blob_init(&sponge, 0, &error) == SPC_INVALID_ARGUMENT);
  CHECK_BYTES(&sponge, &before, sizeof sponge);
  CHECK(spc_sponge_blob_init(&sponge, 100, NULL) == SPC_OK);
  CHECK(spc_sponge_absorb(&sponge, fields, 2, NULL) == SPC_OK);
  before = sponge;
  for (size_t at = 0; at < 8; at++) {
    memset(fields, 0, sizeof fields);
    memcpy(fields + 32 * at, iv, 32);
    CHECK(spc_sponge_absorb(&sponge, fields, 8, &error) == SPC_NOT_CANONICAL);
    CHECK_U64(error.index, at);
    CHECK_U64(error.offset, 32 * at);
    CHECK_BYTES(&sponge, &before, sizeof sponge);
  }
}

static void set_u32(uint8_t *at, uint32_t value) {
  for (int i = 0; i < 4; i++)
    at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void absorbing_stops_at_the_limit_of_32_bits(void) {
  spc_sponge sponge;
  spc_error error;
  uint8_t bytes[SPC_SPONGE_BYTES], fields[32 * 4] = {0};
  memset(bytes, 0, sizeof bytes);
  /* 2^32 - 3 is 1 more than a multiple of three. */
  set_u32(bytes + 224, 1);
  set_u32(bytes + 229, 0xfffffffdu);
  CHECK(spc_sponge_from_bytes(&sponge, bytes, sizeof bytes, 0, NULL) == SPC_OK);
  CHECK(spc_sponge_absorb(&sponge, fields, 3, &error) == SPC_COUNT_LIMIT);
  CHECK_U64(error.limit, 0xffffffffu);
  CHECK(spc_sponge_absorb(&sponge, fields, 2, NULL) == SPC_OK);
  CHECK(spc_sponge_absorb(&sponge, fields, 1, &error) == SPC_COUNT_LIMIT);
  spc_sponge_to_bytes(&sponge, bytes);
  CHECK_U64(bytes[227], 3);
  CHECK_U64(bytes[232], 0xff);
}

/* What each broken serialization gives, in both forms. */
typedef struct refusal {
  uint32_t absorbed, cache_size, squeezed, max_fields;
  int element; /* set to `value`, unless < 0 */
  const char *value;
  spc_status status;
  int at; /* element that the error names: 7 cache size, 8 flag, 9 absorbed */
} refusal;

static const char one[] = "0000000000000000000000000000000000000000000000000000000000000001";
static const char modulus[] = "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001";
static const char iv_24576[] = "0000000000000000000000000000000000000000000060000000000000000000";
static const char iv_24575[] = "000000000000000000000000000000000000000000005fff0000000000000000";

static const refusal refusals[] = {
    {4, 4, 0, 0, -1, NULL, SPC_BAD_SPONGE, 7},
    {4, 0xffffffffu, 0, 0, -1, NULL, SPC_BAD_SPONGE, 7},
    {4, 1, 2, 0, -1, NULL, SPC_BAD_SPONGE, 8},
    {4, 1, 255, 0, -1, NULL, SPC_BAD_SPONGE, 8},
    {4, 2, 0, 0, -1, NULL, SPC_BAD_SPONGE, 7},
    {4, 0, 0, 0, -1, NULL, SPC_BAD_SPONGE, 7},
    {6, 0, 0, 0, -1, NULL, SPC_BAD_SPONGE, 7},
    {0, 3, 0, 0, -1, NULL, SPC_BAD_SPONGE, 7},
    {0, 1, 0, 0, -1, NULL, SPC_BAD_SPONGE, 7},
    {24577, 1, 0, MAX_FIELDS, -1, NULL, SPC_COUNT_LIMIT, 9},
    {0xffffffffu, 3, 0, MAX_FIELDS, -1, NULL, SPC_COUNT_LIMIT, 9},
    {0, 0, 0, 0, 0, one, SPC_BAD_SPONGE, 0},
    {1, 1, 0, 0, 1, one, SPC_BAD_SPONGE, 1},
    {2, 2, 1, 0, 2, one, SPC_BAD_SPONGE, 2},
    {0, 0, 0, MAX_FIELDS, 6, one, SPC_BAD_SPONGE, 6},
    {1, 1, 0, MAX_FIELDS, 6, iv_24575, SPC_BAD_SPONGE, 6},
    {3, 3, 0, MAX_FIELDS, 3, one, SPC_BAD_SPONGE, 3},
    {3, 3, 0, MAX_FIELDS, 5, one, SPC_BAD_SPONGE, 5},
    {9, 3, 0, 0, 0, modulus, SPC_NOT_CANONICAL, 0},
    {9, 3, 0, 0, 6, modulus, SPC_NOT_CANONICAL, 6},
    {9, 4, 7, 0, 4, modulus, SPC_NOT_CANONICAL, 4},
};

static const refusal acceptances[] = {
    {1, 1, 0, 0, 0, one, SPC_OK, 0},           {2, 2, 0, 0, 1, one, SPC_OK, 0},
    {3, 3, 0, 0, 2, one, SPC_OK, 0},           {4, 1, 0, 0, 2, one, SPC_OK, 0},
    {5, 2, 1, 0, 3, one, SPC_OK, 0},           {0, 0, 1, MAX_FIELDS, 3, one, SPC_OK, 0},
    {3, 3, 1, MAX_FIELDS, 6, one, SPC_OK, 0},  {3, 3, 0, MAX_FIELDS, 2, one, SPC_OK, 0},
    {4, 1, 0, MAX_FIELDS, 3, one, SPC_OK, 0},  {24576, 3, 0, MAX_FIELDS, 3, one, SPC_OK, 0},
    {0xffffffffu, 3, 0, 0, 3, one, SPC_OK, 0},
};

static void check_refusal(const refusal *r) {
  static const uint64_t offsets[2][3] = {{224, 228, 229}, {224, 256, 288}};
  uint8_t forms[2][320];
  memset(forms, 0, sizeof forms);
  for (int form = 0; form < 2; form++) {
    if (r->max_fields != 0) textbook_bytes_from_hex(forms[form] + 32 * 6, iv_24576);
    if (r->element >= 0) textbook_bytes_from_hex(forms[form] + 32 * r->element, r->value);
  }
  set_u32(forms[0] + 224, r->cache_size);
  forms[0][228] = (uint8_t)r->squeezed;
  set_u32(forms[0] + 229, r->absorbed);
  set_u32(forms[1] + 252, r->cache_size);
  set_u32(forms[1] + 284, r->squeezed);
  set_u32(forms[1] + 316, r->absorbed);
  for (int form = 0; form < 2; form++) {
    spc_sponge sponge, before;
    spc_error error;
    memset(&error, 0, sizeof error);
    memset(&sponge, 0x5a, sizeof sponge);
    before = sponge;
    spc_status status = form == 0
                            ? spc_sponge_from_bytes(&sponge, forms[0], 233, r->max_fields, &error)
                            : spc_sponge_from_fields(&sponge, forms[1], 320, r->max_fields, &error);
    CHECK_U64(status, r->status);
    if (r->status == SPC_OK) {
      uint8_t again[320];
      spc_sponge_to_fields(&sponge, again);
      CHECK_BYTES(again, forms[1], sizeof again);
      continue;
    }
    CHECK_U64(error.status, r->status);
    CHECK_U64(error.offset, r->at < 7 ? 32 * (uint64_t)r->at : offsets[form][r->at - 7]);
    CHECK_U64(error.index, (uint64_t)r->at);
    CHECK_U64(error.limit, r->status == SPC_COUNT_LIMIT ? r->max_fields : SPC_NO_POSITION);
    CHECK_BYTES(&sponge, &before, sizeof sponge);
  }
}

static void what_absorbing_cannot_reach_is_refused(void) {
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
    check_refusal(&refusals[i]);
  for (size_t i = 0; i < sizeof acceptances / sizeof acceptances[0]; i++)
    check_refusal(&acceptances[i]);
}

static void counts_above_32_bits_are_refused_as_fields(void) {
  for (size_t i = 0; i < 3; i++) {
    for (int byte = 0; byte < 28; byte += 9) {
      spc_sponge sponge;
      spc_error error;
      uint8_t fields[320] = {0};
      fields[32 * (7 + i) + (size_t)byte] = 1;
      CHECK(spc_sponge_from_fields(&sponge, fields, 320, 0, &error) == SPC_BAD_SPONGE);
      CHECK_U64(error.index, 7 + i);
      CHECK_U64(error.offset, 32 * (7 + i));
    }
  }
}

static void other_lengths_are_refused(void) {
  static const uint8_t bytes[640];
  for (size_t length = 0; length <= 640; length++) {
    spc_sponge sponge;
    spc_error error;
    if (length != 233) {
      CHECK(spc_sponge_from_bytes(&sponge, bytes, length, 0, &error) == SPC_WRONG_LENGTH);
      CHECK_U64(error.limit, 233);
    }
    if (length != 320) {
      CHECK(spc_sponge_from_fields(&sponge, bytes, length, 0, &error) == SPC_WRONG_LENGTH);
      CHECK_U64(error.limit, 320);
    }
  }
}

static void run_all(void) {
  the_traces_hold();
  the_sponge_blob_vectors_hold();
  every_chunking_leaves_the_same_state();
}

int main(void) {
  textbook_init();
  support_each_kernel(run_all, NULL);
  a_full_sponge_blob_gives_the_known_value_and_takes_no_more();
  a_sponge_that_is_restored_goes_on_as_the_original();
  after_a_squeeze_nothing_is_allowed();
  elements_and_ivs_above_the_modulus_are_refused();
  absorbing_stops_at_the_limit_of_32_bits();
  what_absorbing_cannot_reach_is_refused();
  counts_above_32_bits_are_refused_as_fields();
  other_lengths_are_refused();
  return test_end();
}
