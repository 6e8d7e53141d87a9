/*
 * Decimal text and binary numbers. Both ways are exact: the nearest number (ties to even), and the
 * shortest digits that read back as the same number.
 */
#ifndef SPC_CODEC_NUMBER_H
#define SPC_CODEC_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room that every spc__format function needs. */
#define SPC__NUMBER_SIZE 32

/* A decimal number in text, taken apart: see spc__scan_number. */
typedef struct spc__decimal {
  const char *digits; /* with at most one '.' among them */
  size_t length;
  int32_t exponent; /* of the written exponent, clamped to +-100000 */
  bool negative;
  bool fraction; /* there is a '.' or an exponent */
} spc__decimal;

/*
 * Takes a number in JSON's grammar from the start of `text`. Returns the bytes it has, 0 if there
 * is none.
 */
size_t spc__scan_number(const char *text, size_t length, spc__decimal *number);

/* The nearest double or float; infinite past the range. */
double spc__to_double(const spc__decimal *number);
float spc__to_float(const spc__decimal *number);

/*
 * The value as an integer if it is one (1e3 and 1.0 are) and within 64 bits: magnitude and sign.
 */
bool spc__to_integer(const spc__decimal *number, uint64_t *magnitude);

/* Finite values in JavaScript's notation; returns the length. */
size_t spc__format_double(char *out, double value);
size_t spc__format_float(char *out, float value);

size_t spc__format_u64(char *out, uint64_t value);
size_t spc__format_i64(char *out, int64_t value);

#endif
