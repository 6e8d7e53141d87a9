/*
 * 100 000 chained permutations on every kernel, 10 000 where the bounds are assertions: bounds that
 * are too tight fail after many rounds, not after one. The shorter chain's end is by
 * bindings/js/test/support/poseidon2.mjs. Uses internal headers of the sponge to force kernels.
 */
#include "spicule/sponge.h"
#include "sponge_support.h"

#ifdef SPC_CHECK_BOUNDS
#define CHAIN 10000
#define END   "18903c45dd006aef94cd5a6e81c78e07eda4042739b6e262ea81e42bd544a7a5"
#else
#define CHAIN 100000
#define END   "2ab17428662ab81a9e76e054d8464dd7182bd38afc3d5ab07f7adcbc71a4e04e"
#endif
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
  textbook_bytes_from_hex(expected, END);
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
