/*
 * 100 000 chained permutations on every kernel: bounds that are too tight fail after many rounds,
 * not after one. Uses internal headers of the sponge to force kernels.
 */
#include "spicule/sponge.h"
#include "sponge_support.h"

#define CHAIN      100000
#define MOST_LANES 8

/*
 * The first state has a known end. Each other lane of a batch kernel starts one permutation further
 * on than the lane before, and has to end so.
 */
static void run_chain(void) {
  const spc__poseidon2_kernel *batch = spc__poseidon2_batch(MOST_LANES);
  size_t states = batch != NULL ? batch->lanes : 1;
  uint8_t state[128 * MOST_LANES], next[128], expected[32];
  support_counting_fields(state, 0, 4);
  for (size_t i = 1; i < states; i++) {
    memcpy(state + 128 * i, state + 128 * (i - 1), 128);
    textbook_permute_bytes(state + 128 * i);
  }
  for (int i = 0; i < CHAIN; i++)
    CHECK(spc_poseidon2_permute_many(state, state, states, NULL) == SPC_OK);
  textbook_bytes_from_hex(expected,
                          "2ab17428662ab81a9e76e054d8464dd7182bd38afc3d5ab07f7adcbc71a4e04e");
  CHECK_BYTES(state, expected, 32);
  for (size_t i = 1; i < states; i++) {
    memcpy(next, state + 128 * (i - 1), 128);
    textbook_permute_bytes(next);
    CHECK_BYTES(state + 128 * i, next, 128);
  }
}

int main(void) {
  textbook_init();
  support_each_kernel(run_chain, NULL);
  return test_end();
}
