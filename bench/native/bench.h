/*
 * The native runner: rows of C code, timed without JavaScript. It reports by itself, in the JSON
 * form of bench/run.mjs, or serves that program, which then times these rows in turn with its own.
 */
#ifndef SPC_BENCH_NATIVE_BENCH_H
#define SPC_BENCH_NATIVE_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest text that a row's result takes, its terminating zero included. */
#define BENCH_RESULT_SIZE 1024

typedef struct bench_row bench_row;

struct bench_row {
  const char *suite;
  const char *group; /* rows that are sampled in turn; NULL: those of the same case */
  const char *name;  /* the case */
  const char *variant;
  const char *unit;  /* "ns", "us" or "ms" */
  size_t operations; /* that one run does; 0: this processor can't run the row */
  /* Makes ready what run() uses; called before the first of several runs in a row. */
  void (*prepare)(const bench_row *row);
  /* Called before each run, outside the time; NULL: nothing to do. */
  void (*before)(const bench_row *row);
  void (*run)(const bench_row *row);
  /* Writes the result of the last run as "name=hex", words separated by one space. */
  void (*result)(const bench_row *row, char text[BENCH_RESULT_SIZE]);
  /* Writes further members of the row's JSON object, right after a run of it; NULL: none. */
  void (*facts)(const bench_row *row, char text[BENCH_RESULT_SIZE]);
  size_t argument; /* the row's own */
};

/* Whether rows whose input is large take a smaller one, so that the quick form is soon done. */
extern bool bench_quick;

#define BENCH_MAX_ROWS 256

typedef struct bench_list {
  bench_row rows[BENCH_MAX_ROWS];
  size_t count;
} bench_list;

/* The rows of each suite; those of one group or case follow each other. */
void bench_sponge_rows(bench_list *list);
void bench_kernel_rows(bench_list *list);
void bench_ssz_rows(bench_list *list);
void bench_codec_rows(bench_list *list);

/* Adds every row that a program has; a peer has rows of its own. */
void bench_all_rows(bench_list *list);

void bench_add(bench_list *list, bench_row row);

/* The input rules of bench/suites/inputs.mjs. */
void bench_make_bytes(uint8_t *out, size_t length);
void bench_make_fields(uint8_t *out, size_t count);

/* Appends "name=hex" to a result. */
void bench_print_result(char text[BENCH_RESULT_SIZE], const char *name, const uint8_t *bytes,
                        size_t length);

/* Runs a row `repetitions` times; nanoseconds. */
double bench_time(const bench_row *row, uint64_t repetitions);

/* Runs a row once for its facts. */
void bench_facts(const bench_row *row, char text[BENCH_RESULT_SIZE]);

/* How thoroughly to measure: see FORMS in bench/lib/sampler.mjs. Times in nanoseconds. */
typedef struct bench_form {
  const char *name;
  size_t warmups;
  size_t samples;
  double sample;
} bench_form;

#define BENCH_MAX_SAMPLES 15

/* Nanoseconds an operation; sample i of all rows of a case was taken in round i. */
typedef struct bench_samples {
  double ns[BENCH_MAX_SAMPLES];
  size_t count;
  char facts[BENCH_RESULT_SIZE];
} bench_samples;

typedef struct bench_summary {
  double min, q1, median, q3;
} bench_summary;

bench_summary bench_summarize(const double *samples, size_t count);

/*
 * Samples `count` rows of one group or case in turn. Ends early, with whole rounds, once `*stop` is
 * set. Rows without operations get no samples.
 */
void bench_sample(const bench_row *rows, size_t count, const bench_form *form,
                  const volatile int *stop, bench_samples *samples);

/* Writes a report of the rows to standard output; `samples` stand beside the rows. */
void bench_report(const bench_list *list, const bench_samples *samples, const bench_form *form,
                  bool partial);

#endif
