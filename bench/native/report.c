/*
 * The report in the JSON form of bench/run.mjs: schema 1, the environment, a row for each row of
 * the runner with its raw samples, and the paired ratio to the portable kernel of the same case.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

static void report_string(const char *name, const char *value) {
  printf("\"%s\": \"", name);
  for (const char *c = value; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') putchar('\\');
    if ((unsigned char)*c >= 0x20) putchar(*c);
  }
  putchar('"');
}

#define REPORT_LINE 256

/* The first line that a shell command prints; in Wasm there is no shell. */
static void report_first_line(const char *command, char line[REPORT_LINE]) {
#ifdef __wasi__
  (void)command;
  strcpy(line, "unknown");
#else
  FILE *pipe = popen(command, "r");
  if (pipe == NULL || fgets(line, REPORT_LINE, pipe) == NULL) strcpy(line, "unknown");
  line[strcspn(line, "\n")] = '\0';
  if (pipe != NULL) pclose(pipe);
#endif
}

static void report_environment(const bench_form *form, bool partial) {
  char cpu[REPORT_LINE], os[REPORT_LINE], commit[REPORT_LINE];
  report_first_line("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo", cpu);
  report_first_line("uname -sr", os);
  report_first_line("git -C '" BENCH_SOURCE_DIR "' rev-parse --short=12 HEAD 2>/dev/null", commit);
  const char *facts[][2] = {
      {"cpu", cpu},           {"os", os},         {"compiler", BENCH_COMPILER},
      {"flags", BENCH_FLAGS}, {"commit", commit}, {"form", form->name}};
  printf(" \"env\": {");
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
    report_string(facts[i][0], facts[i][1]);
    printf(", ");
  }
  printf("\"partial\": %s},\n", partial ? "true" : "false");
}

static double report_unit_ns(const char *unit) {
  return strcmp(unit, "ms") == 0 ? 1e6 : strcmp(unit, "us") == 0 ? 1e3 : 1;
}

static void report_ratio(const bench_samples *row, const bench_samples *base, const char *to) {
  double ratios[BENCH_MAX_SAMPLES];
  size_t count = row->count < base->count ? row->count : base->count;
  if (count == 0) return;
  for (size_t i = 0; i < count; i++)
    ratios[i] = row->ns[i] / base->ns[i];
  bench_summary ratio = bench_summarize(ratios, count);
  printf(", \"ratio\": {\"to\": \"%s\", \"median\": %.6g, \"q1\": %.6g, \"q3\": %.6g}", to,
         ratio.median, ratio.q1, ratio.q3);
}

/* The row that others of its case are compared with: the portable kernel, or the bounded value. */
static size_t report_base(const bench_list *list, size_t row) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->rows[i].suite, list->rows[row].suite) == 0 &&
        strcmp(list->rows[i].name, list->rows[row].name) == 0 &&
        (strcmp(list->rows[i].variant, "portable") == 0 ||
         strcmp(list->rows[i].variant, "bounded") == 0))
      return i;
  return row;
}

static void report_row(const bench_list *list, const bench_samples *samples, size_t i) {
  const bench_row *row = &list->rows[i];
  printf("  {\"suite\": \"%s\", \"case\": \"%s\", \"variant\": \"%s\", \"backend\": \"c\", "
         "\"unit\": \"%s\"",
         row->suite, row->name, row->variant, row->unit);
  if (row->operations == 0) {
    printf(", \"status\": \"not run\", \"reason\": \"this processor lacks its instructions\"}");
    return;
  }
  double unit = report_unit_ns(row->unit);
  bench_summary summary = bench_summarize(samples[i].ns, samples[i].count);
  printf(", \"min\": %.9g, \"median\": %.9g, \"q1\": %.9g, \"q3\": %.9g, \"samples\": [",
         summary.min / unit, summary.median / unit, summary.q1 / unit, summary.q3 / unit);
  for (size_t s = 0; s < samples[i].count; s++)
    printf("%s%.9g", s == 0 ? "" : ", ", samples[i].ns[s] / unit);
  printf("]");
  if (samples[i].facts[0] != '\0') printf(", %s", samples[i].facts);
  size_t base = report_base(list, i);
  if (base != i) report_ratio(&samples[i], &samples[base], list->rows[base].variant);
  printf("}");
}

void bench_report(const bench_list *list, const bench_samples *samples, const bench_form *form,
                  bool partial) {
  printf("{\"schema\": 1,\n");
  report_environment(form, partial);
  printf(" \"rows\": [\n");
  bool first = true;
  for (size_t i = 0; i < list->count; i++) {
    if (list->rows[i].operations != 0 && samples[i].count == 0) continue;
    if (!first) printf(",\n");
    report_row(list, samples, i);
    first = false;
  }
  printf("\n ]}\n");
}
