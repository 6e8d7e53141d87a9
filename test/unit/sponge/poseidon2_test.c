/*
 * Permutation, hash and Merkle level, on every kernel that this processor can run, against the
 * published vectors and the textbook. Uses internal headers of the sponge to force kernels.
 */
#include "base/cpu.h"
#include "spicule/sponge.h"
#include "sponge/poseidon2_kernel.h"
#include "sponge_support.h"

#define MESSAGES 21 /* a whole group and a rest for every number of lanes */

static void the_vectors_hold(void) {
  for (size_t i = 0; i < sizeof poseidon2_vectors / sizeof poseidon2_vectors[0]; i++) {
    const poseidon2_vector *v = &poseidon2_vectors[i];
    uint8_t in[32 * 32], out[128], expected[128];
    spc_error error;
    uint64_t reduced = UINT64_MAX;
    for (size_t j = 0; j < v->inputs; j++) {
      textbook_bytes_from_hex(in + 32 * j, v->input[j]);
      if (strcmp(v->input[j], poseidon2_modulus) >= 0 && reduced == UINT64_MAX) reduced = j;
    }
    for (size_t j = 0; j < v->outputs; j++)
      textbook_bytes_from_hex(expected + 32 * j, v->output[j]);
    bool permutation = strcmp(v->kind, "permutation") == 0;
    if (!permutation && strcmp(v->kind, "hash") != 0) continue;
    if (reduced != UINT64_MAX) {
      spc_status status = permutation ? spc_poseidon2_permute(out, in, &error)
                                      : spc_poseidon2_hash(out, in, v->inputs, &error);
      CHECK_U64(status, SPC_NOT_CANONICAL);
      CHECK_U64(error.index, reduced);
      for (size_t j = 0; j < v->inputs; j++) {
        textbook_int value = textbook_from_bytes(in + 32 * j);
        textbook_to_bytes(in + 32 * j, &value);
      }
    }
    if (permutation)
      CHECK(spc_poseidon2_permute(out, in, NULL) == SPC_OK);
    else
      CHECK(spc_poseidon2_hash(out, in, v->inputs, NULL) == SPC_OK);
    CHECK_BYTES(out, expected, 32 * v->outputs);
  }
}

static void a_thousand_chained_permutations_give_the_known_value(void) {
  uint8_t state[128], expected[32];
  support_counting_fields(state, 0, 4);
  for (int i = 0; i < 1000; i++)
    CHECK(spc_poseidon2_permute(state, state, NULL) == SPC_OK);
  textbook_bytes_from_hex(expected,
                          "2305309e324835ac9a2ffcd724f02fff6f0a1b8974a4d305417589714fe92c44");
  CHECK_BYTES(state, expected, 32);
}

/* States and what the textbook makes of them, made once for all kernels. */
#define RANDOM_STATES MESSAGES
#define SHIFTS        6
#define PATTERNS      13
#define STATES        (RANDOM_STATES + 2 * SHIFTS * PATTERNS)

static uint8_t states_in[128 * STATES], states_out[128 * STATES];

/*
 * Random states, and values whose limbs are all ones or zeros in the representation of some kernel
 * (which is the value times 2^shift mod p), as they are and as what the first S-box gets.
 */
static void make_states(void) {
  static const int shifts[SHIFTS] = {0, 192, 256, 260, 261, 306};
  static const char *const patterns[PATTERNS] = {
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0000000000000000000000000000000000000000000000000000000000000001",
      "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000000",
      "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593efffffff",
      "183227397098d014dc2822db40c0ac2e9419f4243cdcb848a1f0fac9f8000000",
      "2fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "30644dffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "2000000000000000000000000000000000000000000000000000000000000000",
      "00000000000000000000000000000000ffffffffffffffffffffffffffffffff",
      "2fffffffffffffffffffffffffffffff00000000000000000000000000000000",
      "0000000000000000ffffffffffffffff0000000000000000ffffffffffffffff",
      "2fffffffffffffff0000000000000000ffffffffffffffff0000000000000000",
  };
  uint64_t seed = 1;
  textbook_int inverse[4][4];
  textbook_invert_external(inverse);
  support_random_fields(&seed, states_in, 4 * RANDOM_STATES);
  uint8_t *at = states_in + 128 * RANDOM_STATES;
  for (int s = 0; s < SHIFTS; s++) {
    textbook_int scale = textbook_shift_right(shifts[s]), values[PATTERNS];
    for (int i = 0; i < PATTERNS; i++) {
      textbook_int pattern = textbook_from_hex(patterns[i]);
      values[i] = textbook_mul(&pattern, &scale);
    }
    for (int i = 0; i < PATTERNS; i++, at += 256) {
      textbook_int sbox[4];
      for (int lane = 0; lane < 4; lane++) {
        textbook_int minus = textbook_negate(&textbook_constants[lane]);
        /* Half of the states have the same value in all lanes. */
        const textbook_int *value = &values[i];
        if (i % 2 != 0) value = &values[test_random(&seed) % PATTERNS];
        textbook_to_bytes(at + 32 * lane, value);
        sbox[lane] = textbook_add(value, &minus);
      }
      textbook_apply((const textbook_int(*)[4])inverse, sbox);
      for (int lane = 0; lane < 4; lane++)
        textbook_to_bytes(at + 128 + 32 * lane, &sbox[lane]);
    }
  }
  memcpy(states_out, states_in, sizeof states_in);
  for (int i = 0; i < STATES; i++)
    textbook_permute_bytes(states_out + 128 * i);
}

static void random_and_extreme_states_permute_as_in_the_textbook(void) {
  uint8_t out[sizeof states_in];
  CHECK(spc_poseidon2_permute_many(out, states_in, STATES, NULL) == SPC_OK);
  CHECK_BYTES(out, states_out, sizeof out);
}

static void every_length_hashes_as_in_the_textbook(void) {
  uint64_t seed = 3;
  uint8_t fields[32 * 8 * MESSAGES], out[32 * MESSAGES], expected[32];
  for (size_t length = 0; length <= 8; length++) {
    support_random_fields(&seed, fields, length * MESSAGES);
    CHECK(spc_poseidon2_hash_many(out, fields, length, MESSAGES, NULL) == SPC_OK);
    for (size_t i = 0; i < MESSAGES; i++) {
      if (i % 3 == length % 3) {
        textbook_hash(expected, fields + 32 * length * i, length);
        CHECK_BYTES(out + 32 * i, expected, 32);
      }
      CHECK(spc_poseidon2_hash(expected, fields + 32 * length * i, length, NULL) == SPC_OK);
      CHECK_BYTES(out + 32 * i, expected, 32);
    }
  }
  CHECK(spc_poseidon2_hash_many(out, fields, 3, 0, NULL) == SPC_OK);
  CHECK(spc_poseidon2_permute_many(out, fields, 0, NULL) == SPC_OK);
}

static void a_merkle_level_is_the_hash_of_each_pair_also_in_place(void) {
  uint64_t seed = 4;
  for (size_t pairs = 0; pairs <= MESSAGES; pairs++) {
    uint8_t in[64 * MESSAGES] = {0}, expected[32 * MESSAGES];
    support_random_fields(&seed, in, 2 * pairs);
    for (size_t i = 0; i < pairs; i++)
      CHECK(spc_poseidon2_hash(expected + 32 * i, in + 64 * i, 2, NULL) == SPC_OK);
    CHECK(spc_poseidon2_compress_many(in, in, pairs, NULL) == SPC_OK);
    CHECK_BYTES(in, expected, 32 * pairs);
  }
}

static void permuting_in_place_is_allowed(void) {
  uint64_t seed = 5;
  uint8_t states[128 * MESSAGES], out[128 * MESSAGES];
  support_random_fields(&seed, states, 4 * MESSAGES);
  CHECK(spc_poseidon2_permute_many(out, states, MESSAGES, NULL) == SPC_OK);
  CHECK(spc_poseidon2_permute_many(states, states, MESSAGES, NULL) == SPC_OK);
  CHECK_BYTES(states, out, sizeof out);
}

static void a_merkle_root_compresses_level_by_level(void) {
  uint64_t seed = 6;
  uint8_t leaves[32 * 32], level[32 * 32], root[32], scratch[16 * 32];
  spc_error error;
  support_random_fields(&seed, leaves, 32);
  for (size_t count = 1; count <= 32; count *= 2) {
    memcpy(level, leaves, 32 * count);
    for (size_t n = count; n > 1; n /= 2)
      spc_poseidon2_compress_many(level, level, n / 2, NULL);
    CHECK(spc_poseidon2_merkle_root(root, leaves, count, scratch, NULL) == SPC_OK);
    CHECK_BYTES(root, level, 32);
  }
  for (size_t count = 0; count <= 12; count += 3) {
    CHECK(spc_poseidon2_merkle_root(root, leaves, count, scratch, &error) == SPC_WRONG_LENGTH);
    CHECK_U64(error.status, SPC_WRONG_LENGTH);
  }
  textbook_bytes_from_hex(leaves + 32 * 5, poseidon2_modulus);
  CHECK(spc_poseidon2_merkle_root(root, leaves, 8, scratch, &error) == SPC_NOT_CANONICAL);
  CHECK_U64(error.index, 5);
}

/* Each function refuses an element >= p at any place, says where, and changes nothing. */
static void elements_above_the_modulus_are_refused(void) {
  static const char *const values[] = {
      "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
      "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000002",
      "30644e72e131a029b85045b68181585d2833e84879b9709200000000000000000",
      "30644e72e131a02a0000000000000000000000000000000000000000000000000",
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  };
  for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
    for (size_t at = 0; at < 12; at++) {
      uint8_t in[32 * 12] = {0}, out[128 * 3], before[sizeof out];
      memset(out, 0xa5, sizeof out);
      memcpy(before, out, sizeof out);
      textbook_bytes_from_hex(in + 32 * at, values[v]);
      for (int function = 0; function < 4; function++) {
        spc_error error;
        memset(&error, 0, sizeof error);
        spc_status status = function == 0   ? spc_poseidon2_permute_many(out, in, 3, &error)
                            : function == 1 ? spc_poseidon2_hash(out, in, 12, &error)
                            : function == 2 ? spc_poseidon2_hash_many(out, in, 4, 3, &error)
                                            : spc_poseidon2_compress_many(out, in, 6, &error);
        CHECK_U64(status, SPC_NOT_CANONICAL);
        CHECK_U64(error.status, SPC_NOT_CANONICAL);
        CHECK_U64(error.index, at);
        CHECK_U64(error.offset, 32 * at);
        CHECK_U64(error.limit, SPC_NO_POSITION);
        CHECK_BYTES(out, before, sizeof out);
      }
    }
  }
  uint8_t below[32], out[32];
  textbook_bytes_from_hex(below,
                          "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000000");
  CHECK(spc_poseidon2_hash(out, below, 1, NULL) == SPC_OK);
}

static void sizes_that_overflow_are_refused(void) {
  spc_error error;
  uint8_t out[32] = {0};
  CHECK(spc_poseidon2_hash_many(out, out, SIZE_MAX, 2, &error) == SPC_INVALID_ARGUMENT);
  CHECK(spc_poseidon2_hash_many(out, out, SIZE_MAX / 32 + 1, 1, &error) == SPC_INVALID_ARGUMENT);
}

static const spc__poseidon2_kernel *first_runnable(size_t from, size_t to) {
  const spc__poseidon2_kernel *const *kernel = spc__poseidon2_kernels;
  for (; *kernel != NULL; kernel++) {
    bool runs = ((*kernel)->features & ~spc__cpu_features()) == 0;
    if (runs && (*kernel)->lanes >= from && (*kernel)->lanes <= to) break;
  }
  return *kernel;
}

static void the_first_kernel_that_runs_here_is_chosen(void) {
  CHECK(spc__poseidon2_single() == first_runnable(1, 1));
  for (size_t count = 0; count <= MESSAGES; count++)
    CHECK(spc__poseidon2_batch(count) == first_runnable(2, count));
}

static void an_unknown_kernel_is_refused(void) {
  CHECK(!spc__poseidon2_force("no such kernel", NULL));
  CHECK(!spc__poseidon2_force(NULL, "no such kernel"));
  CHECK(spc__poseidon2_force("portable", "none"));
  CHECK(strcmp(spc__poseidon2_single()->name, "portable") == 0);
  CHECK(spc__poseidon2_batch(1000) == NULL);
  CHECK(spc__poseidon2_force(NULL, NULL));
}

static void run_all(void) {
  the_vectors_hold();
  a_thousand_chained_permutations_give_the_known_value();
  random_and_extreme_states_permute_as_in_the_textbook();
  every_length_hashes_as_in_the_textbook();
  a_merkle_level_is_the_hash_of_each_pair_also_in_place();
  permuting_in_place_is_allowed();
  a_merkle_root_compresses_level_by_level();
}

/* All kernels, or the one that the argument names. */
int main(int argc, char **argv) {
  textbook_init();
  make_states();
  support_each_kernel(run_all, argc > 1 ? argv[1] : NULL);
  if (argc > 1) return test_end();
  elements_above_the_modulus_are_refused();
  sizes_that_overflow_are_refused();
  an_unknown_kernel_is_refused();
  the_first_kernel_that_runs_here_is_chosen();
  return test_end();
}
