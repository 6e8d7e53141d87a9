/*
 * Decimal text of floating-point numbers: each reads back as itself, from few digits and from many.
 * With the argument "print" the program writes "<bits in hexadecimal> <text>" lines instead, which
 * number_check.mjs holds against JavaScript's own. Uses internal headers.
 */
#include "codec/number.h"
#include "support/test.h"

/* Numbers of all magnitudes, with many that are near powers of two, short or not normal. */
static uint64_t pick(uint64_t *seed, int i) {
  uint64_t bits = test_random(seed);
  double value = (double)(int64_t)(bits >> 40) / 1000;
  switch (i % 6) {
  case 0:
    memcpy(&bits, &value, 8);
    return bits;
  case 1:
    return bits & UINT64_C(0x800fffffffffffff);
  case 2:
    return (bits & UINT64_C(0xfff0000000000000)) | (bits & 3);
  case 3:
    value = (double)(bits >> (bits & 63));
    memcpy(&bits, &value, 8);
    return bits;
  default:
    return bits;
  }
}

static double read_double(const char *text, size_t length) {
  spc__decimal number;
  CHECK_U64(spc__scan_number(text, length, &number), length);
  return spc__to_double(&number);
}

static void check_double(double value) {
  char text[SPC__NUMBER_SIZE], exact[1200];
  double again = read_double(text, spc__format_double(text, value));
  CHECK_BYTES(&again, &value, 8);
  /* Every digit that there is. */
  int n = snprintf(exact, sizeof exact, "%.800e", value);
  again = read_double(exact, (size_t)n);
  CHECK_BYTES(&again, &value, 8);
}

static void check_float(uint32_t bits) {
  char text[SPC__NUMBER_SIZE];
  spc__decimal number;
  float value, again;
  memcpy(&value, &bits, 4);
  if (value - value != 0) return;
  size_t length = spc__format_float(text, value);
  CHECK_U64(spc__scan_number(text, length, &number), length);
  again = spc__to_float(&number);
  CHECK_BYTES(&again, &value, 4);
}

static void known_cases(void) {
  static const struct {
    const char *text;
    double value;
  } cases[] = {{"9007199254740993", 9007199254740992.0},
               {"9007199254740993.0000000000000000000000000000000000001", 9007199254740994.0},
               {"1.7976931348623158e308", 1.7976931348623157e308},
               {"4.9406564584124654e-324", 5e-324},
               {"2.4703282292062327e-324", 0.0},
               {"2.4703282292062328e-324", 5e-324},
               {"2.2250738585072011e-308", 2.2250738585072011e-308},
               {"0.1e-99999", 0.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double value = read_double(cases[i].text, strlen(cases[i].text));
    CHECK_BYTES(&value, &cases[i].value, 8);
  }
  CHECK(read_double("1.7976931348623159e308", 22) > 1.7976931348623157e308);
  spc__decimal number;
  const char *const bad[] = {"", "-", ".5", "1.", "1e", "1e+", "+1", "x", "-x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK_U64(spc__scan_number(bad[i], strlen(bad[i]), &number), 0);
  uint64_t n = 0;
  CHECK(spc__scan_number("18446744073709551615", 20, &number) == 20);
  CHECK(spc__to_integer(&number, &n) && n == UINT64_MAX);
  CHECK(spc__scan_number("18446744073709551616", 20, &number) == 20);
  CHECK(!spc__to_integer(&number, &n));
  CHECK(spc__scan_number("1.20e1", 6, &number) == 6);
  CHECK(spc__to_integer(&number, &n) && n == 12);
  CHECK(spc__scan_number("1.25e1", 6, &number) == 6);
  CHECK(!spc__to_integer(&number, &n));
}

int main(int argc, char **argv) {
  bool print = argc == 2 && strcmp(argv[1], "print") == 0;
  uint64_t seed = 1;
  for (int i = 0; i < (print ? 60000 : 3000); i++) {
    uint64_t bits = pick(&seed, i);
    double value;
    char text[SPC__NUMBER_SIZE];
    memcpy(&value, &bits, 8);
    if (value - value != 0) continue;
    if (print) {
      size_t length = spc__format_double(text, value);
      printf("%016" PRIx64 " %.*s\n", bits, (int)length, text);
      continue;
    }
    check_double(value);
    check_float((uint32_t)bits);
  }
  if (print) return 0;
  known_cases();
  return test_end();
}
