/*
 * Timing: a pilot finds how many runs fill a sample, warm-ups follow, and then the rows of a case
 * run in turn, round by round, so that a slow moment of the machine hits all of them alike.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double measure_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double bench_time(const bench_row *row, uint64_t repetitions) {
  row->prepare(row);
  if (row->before != NULL) {
    double elapsed = 0;
    for (uint64_t i = 0; i < repetitions; i++) {
      row->before(row);
      double begin = measure_now();
      row->run(row);
      elapsed += measure_now() - begin;
    }
    return elapsed;
  }
  double start = measure_now();
  for (uint64_t i = 0; i < repetitions; i++)
    row->run(row);
  return measure_now() - start;
}

void bench_facts(const bench_row *row, char text[BENCH_RESULT_SIZE]) {
  text[0] = '\0';
  if (row->facts == NULL || row->operations == 0) return;
  bench_time(row, 1);
  row->facts(row, text);
}

static uint64_t measure_pilot(const bench_row *row, const bench_form *form) {
  uint64_t repetitions = 1;
  double elapsed;
  while ((elapsed = bench_time(row, repetitions)) < form->sample) {
    double growth = elapsed * 10 < form->sample ? 10 : 1.1 * form->sample / elapsed;
    repetitions = (uint64_t)ceil((double)repetitions * growth);
  }
  return repetitions;
}

void bench_sample(const bench_row *rows, size_t count, const bench_form *form,
                  const volatile int *stop, bench_samples *samples) {
  uint64_t repetitions[BENCH_MAX_ROWS];
  for (size_t i = 0; i < count && !*stop; i++) {
    if (rows[i].operations == 0) continue;
    repetitions[i] = measure_pilot(&rows[i], form);
    for (size_t run = 0; run < form->warmups && !*stop; run++)
      bench_time(&rows[i], repetitions[i]);
  }
  for (size_t round = 0; round < form->samples && !*stop; round++) {
    for (size_t i = 0; i < count; i++) {
      if (rows[i].operations == 0) continue;
      double runs = (double)repetitions[i] * (double)rows[i].operations;
      samples[i].ns[samples[i].count++] = bench_time(&rows[i], repetitions[i]) / runs;
    }
  }
  for (size_t i = 0; i < count && !*stop; i++)
    bench_facts(&rows[i], samples[i].facts);
}

static int measure_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The quantile q of ascending numbers, linear between the two nearest ones. */
static double measure_quantile(const double *sorted, size_t count, double q) {
  double position = (double)(count - 1) * q;
  size_t below = (size_t)position;
  size_t above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (sorted[above] - sorted[below]) * (position - (double)below);
}

bench_summary bench_summarize(const double *samples, size_t count) {
  double sorted[BENCH_MAX_SAMPLES];
  memcpy(sorted, samples, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, measure_compare);
  return (bench_summary){
      .min = sorted[0],
      .q1 = measure_quantile(sorted, count, 0.25),
      .median = measure_quantile(sorted, count, 0.5),
      .q3 = measure_quantile(sorted, count, 0.75),
  };
}
