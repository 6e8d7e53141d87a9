/* The rows of this project's own C code. */
#include "bench.h"

void bench_all_rows(bench_list *list) {
  bench_sponge_rows(list);
  bench_kernel_rows(list);
#ifdef BENCH_SSZ
  bench_ssz_rows(list);
#endif
#ifdef BENCH_CODEC
  bench_codec_rows(list);
#endif
}
