/*
 * 100 000 chained permutations on every kernel: bounds that are too tight fail after many rounds,
 * not after one. Uses internal headers of the sponge to force kernels.
 */
#include "spicule/sponge.h"
#include "sponge_support.h"

#define CHAIN      100000
#define MOST_LANES 8

/* The first state has a known end; the others hold the lanes of batch kernels apart. */
static void run_chain(void) {
  const spc__poseidon2_kernel *batch = spc__poseidon2_batch(MOST_LANES);
  size_t states = batch != NULL ? batch->lanes : 1;
  uint8_t state[128 * MOST_LANES], single[128], expected[32];
  for (size_t i = 0; i < states; i++)
    support_counting_fields(state + 128 * i, 4 * i, 4);
  for (int i = 0; i < CHAIN; i++)
    CHECK(spc_poseidon2_permute_many(state, state, states, NULL) == SPC_OK);
  textbook_bytes_from_hex(expected,
                          "2ab17428662ab81a9e76e054d8464dd7182bd38afc3d5ab07f7adcbc71a4e04e");
  CHECK_BYTES(state, expected, 32);
  if (states == 1) return;
  support_counting_fields(single, 4 * (states - 1), 4);
  for (int i = 0; i < CHAIN; i++)
    CHECK(spc_poseidon2_permute_many(single, single, 1, NULL) == SPC_OK);
  CHECK_BYTES(state + 128 * (states - 1), single, 128);
}

int main(void) {
  textbook_init();
  support_each_kernel(run_chain);
  return test_end();
}
