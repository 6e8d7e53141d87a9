/*
 * The sponge suite of bench/suites/sponge.mjs in C, without any boundary: a fresh sponge, absorbing
 * all fields in chunks, serializing, squeezing.
 */
#include "bench.h"

#include <string.h>

#include "spicule/sponge.h"

static const struct {
  const char *name;
  uint32_t fields, chunk;
} sponge_scenarios[] = {
    {"3/3", 3, 3},
    {"30/30", 30, 30},
    {"300/300", 300, 300},
    {"3000/3000", 3000, 3000},
    {"24576/24576", 24576, 24576},
    {"24576/50", 24576, 50},
    {"24576/500", 24576, 500},
};

static uint8_t sponge_fields[24576 * SPC_FIELD_BYTES];
static uint8_t sponge_state[SPC_SPONGE_BYTES], sponge_output[SPC_FIELD_BYTES];

static void sponge_prepare(const bench_row *row) {
  (void)row;
}

static void sponge_run(const bench_row *row) {
  uint32_t fields = sponge_scenarios[row->argument].fields;
  uint32_t chunk = sponge_scenarios[row->argument].chunk;
  spc_sponge sponge;
  spc_sponge_blob_init(&sponge, fields, NULL);
  for (uint32_t i = 0; i < fields; i += chunk)
    spc_sponge_absorb(&sponge, sponge_fields + SPC_FIELD_BYTES * i,
                      fields - i < chunk ? fields - i : chunk, NULL);
  spc_sponge_to_bytes(&sponge, sponge_state);
  spc_sponge_squeeze(&sponge, sponge_output, NULL);
}

static void sponge_result(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  (void)row;
  bench_print_result(text, "state", sponge_state, sizeof sponge_state);
  bench_print_result(text, "output", sponge_output, sizeof sponge_output);
}

void bench_sponge_rows(bench_list *list) {
  bench_make_fields(sponge_fields, sizeof sponge_fields / SPC_FIELD_BYTES);
  for (size_t i = 0; i < sizeof sponge_scenarios / sizeof sponge_scenarios[0]; i++)
    bench_add(list, (bench_row){
                        .suite = "sponge",
                        .name = sponge_scenarios[i].name,
                        .variant = "batched",
                        .unit = "ms",
                        .operations = 1,
                        .prepare = sponge_prepare,
                        .run = sponge_run,
                        .result = sponge_result,
                        .argument = i,
                    });
}
