/*
 * The command line of the native runner. By itself it measures its rows and prints a report; with
 * --serve it answers, line by line, what bench/run.mjs asks:
 *   rows SUITE                             -> ok CASE:VARIANT:OPERATIONS:GROUP ...
 *   check SUITE CASE VARIANT               -> ok NAME=HEX ...
 *   time SUITE CASE VARIANT REPETITIONS    -> ok NANOSECONDS
 *   facts SUITE CASE VARIANT               -> ok JSON-MEMBERS
 * Anything else gives "error" and a text.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef __wasi__
#include <signal.h>
#endif

static const bench_form main_full = {"full", 3, BENCH_MAX_SAMPLES, 100e6};
static const bench_form main_quick = {"quick", 3, 5, 20e6};

static const char main_help[] =
    "Usage: spicule-bench [options]\n\n"
    "Measures the C code and prints a report as JSON; progress goes to standard error.\n"
    "Ctrl-C ends it with a report of what was measured.\n\n"
    "  --suite NAME   only this suite: sponge, kernels, ssz, codec\n"
    "  --quick        5 samples of 20 ms instead of 15 of 100 ms, and smaller inputs\n"
    "  --serve        answer requests of bench/run.mjs on standard input\n"
    "  --help         show this text\n";

bool bench_quick;

static bench_list main_list;
static bench_samples main_samples[BENCH_MAX_ROWS];
static volatile int main_stop;

void bench_add(bench_list *list, bench_row row) {
  if (list->count == BENCH_MAX_ROWS) {
    fprintf(stderr, "More than %d rows\n", BENCH_MAX_ROWS);
    exit(1);
  }
  list->rows[list->count++] = row;
}

void bench_make_bytes(uint8_t *out, size_t length) {
  for (size_t i = 0; i < length; i++)
    out[i] = (uint8_t)(i % 251);
}

void bench_make_fields(uint8_t *out, size_t count) {
  bench_make_bytes(out, 32 * count);
  for (size_t i = 0; i < count; i++)
    out[32 * i] &= 0x1f;
}

void bench_print_result(char text[BENCH_RESULT_SIZE], const char *name, const uint8_t *bytes,
                        size_t length) {
  size_t at = strlen(text);
  at += (size_t)snprintf(text + at, BENCH_RESULT_SIZE - at, "%s%s=", at == 0 ? "" : " ", name);
  for (size_t i = 0; i < length && at + 2 < BENCH_RESULT_SIZE; i++, at += 2)
    snprintf(text + at, BENCH_RESULT_SIZE - at, "%02x", bytes[i]);
}

#ifndef __wasi__
static void main_interrupt(int number) {
  (void)number;
  main_stop = 1;
}
#endif

static const char *main_group(const bench_row *row) {
  return row->group != NULL ? row->group : row->name;
}

static size_t main_group_end(size_t start) {
  size_t end = start;
  while (end < main_list.count &&
         strcmp(main_group(&main_list.rows[end]), main_group(&main_list.rows[start])) == 0 &&
         strcmp(main_list.rows[end].suite, main_list.rows[start].suite) == 0)
    end++;
  return end;
}

static void main_measure(const bench_form *form) {
#ifndef __wasi__
  signal(SIGINT, main_interrupt);
  signal(SIGTERM, main_interrupt);
#endif
  for (size_t start = 0; start < main_list.count && !main_stop;) {
    size_t end = main_group_end(start);
    fprintf(stderr, "%s %s, %zu rows\n", main_list.rows[start].suite,
            main_group(&main_list.rows[start]), end - start);
    bench_sample(&main_list.rows[start], end - start, form, &main_stop, &main_samples[start]);
    start = end;
  }
  bench_report(&main_list, main_samples, form, main_stop != 0);
}

static const bench_row *main_find(const char *suite, const char *name, const char *variant) {
  for (size_t i = 0; i < main_list.count; i++) {
    const bench_row *row = &main_list.rows[i];
    if (strcmp(row->suite, suite) == 0 && strcmp(row->name, name) == 0 &&
        strcmp(row->variant, variant) == 0 && row->operations != 0)
      return row;
  }
  return NULL;
}

static void main_answer(const char *line) {
  char suite[32] = "", name[64] = "", variant[64] = "";
  uint64_t repetitions = 0;
  if (sscanf(line, "rows %31s", suite) == 1) {
    printf("ok");
    for (size_t i = 0; i < main_list.count; i++) {
      const bench_row *row = &main_list.rows[i];
      if (strcmp(row->suite, suite) == 0)
        printf(" %s:%s:%zu:%s", row->name, row->variant, row->operations,
               row->group != NULL ? row->group : "");
    }
    printf("\n");
    return;
  }
  bool check = sscanf(line, "check %31s %63s %63s", suite, name, variant) == 3;
  bool time = sscanf(line, "time %31s %63s %63s %" SCNu64, suite, name, variant, &repetitions) == 4;
  bool facts = sscanf(line, "facts %31s %63s %63s", suite, name, variant) == 3;
  const bench_row *row = check || time || facts ? main_find(suite, name, variant) : NULL;
  char text[BENCH_RESULT_SIZE] = "";
  if (row == NULL) {
    printf("error no such request or row: %s", line);
  } else if (check) {
    bench_time(row, 1);
    row->result(row, text);
    printf("ok %s\n", text);
  } else if (facts) {
    bench_facts(row, text);
    printf("ok %s\n", text);
  } else {
    printf("ok %.0f\n", bench_time(row, repetitions));
  }
}

static void main_serve(void) {
  char line[256];
#ifndef __wasi__
  signal(SIGINT, SIG_IGN); /* whoever started it ends it, by closing standard input */
#endif
  while (fgets(line, sizeof line, stdin) != NULL) {
    main_answer(line);
    fflush(stdout);
  }
}

/* Keeps the rows of one suite; false where it has none. */
static bool main_keep_suite(const char *suite) {
  size_t kept = 0;
  for (size_t i = 0; i < main_list.count; i++)
    if (strcmp(main_list.rows[i].suite, suite) == 0) main_list.rows[kept++] = main_list.rows[i];
  main_list.count = kept;
  return kept != 0;
}

int main(int argc, char **argv) {
  const char *suite = NULL;
  bool serve = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(main_help, stdout);
      return 0;
    } else if (strcmp(argv[i], "--quick") == 0) {
      bench_quick = true;
    } else if (strcmp(argv[i], "--serve") == 0) {
      serve = true;
    } else if (strcmp(argv[i], "--suite") == 0 && i + 1 < argc) {
      suite = argv[++i];
    } else {
      fprintf(stderr, "Unknown option %s. Try --help.\n", argv[i]);
      return 2;
    }
  }
  bench_all_rows(&main_list);
  if (suite != NULL && !main_keep_suite(suite)) {
    fprintf(stderr, "No suite %s. Try --help.\n", suite);
    return 2;
  }
  if (serve)
    main_serve();
  else
    main_measure(bench_quick ? &main_quick : &main_full);
  return 0;
}
