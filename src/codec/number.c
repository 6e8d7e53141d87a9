/*
 * Numbers as decimal digits. A `num_decimal` is 0.d1d2d3... * 10^point, exact: multiplying or
 * dividing it by a power of two is long arithmetic on the digits. Reading shifts the decimal until
 * its integer part is the significand; writing shifts the significand into a decimal and keeps as
 * many digits as tell it from its neighbours (the way of Steele and White). 800 digits hold every
 * double, and half-way between two, exactly (767 at most); what a text has beyond only matters as
 * "more than", which `sticky` says. Small decimals take the short cut that one division is exact
 * when both operands are (Clinger).
 */
#include "codec/number.h"

#include <string.h>

#define NUM_DIGITS 800
#define NUM_SHIFT  56 /* at most, so that digit << shift and the carry fit 64 bits */

typedef struct num_decimal {
  int32_t count, point;
  bool sticky;
  uint8_t digits[NUM_DIGITS];
} num_decimal;

/* Significand bits with the hidden one, and the exponent of the smallest unit. */
typedef struct num_format {
  int32_t bits, minimum, maximum;
} num_format;

static const num_format num_double = {53, -1074, 971};
static const num_format num_float = {24, -149, 104};

static void num_trim(num_decimal *d) {
  while (d->count > 0 && d->digits[d->count - 1] == 0)
    d->count--;
  if (d->count == 0) d->point = 0;
}

static void num_set(num_decimal *d, uint64_t value) {
  uint8_t reversed[20];
  int32_t n = 0;
  for (; value != 0; value /= 10)
    reversed[n++] = (uint8_t)(value % 10);
  d->count = d->point = n;
  d->sticky = false;
  for (int32_t i = 0; i < n; i++)
    d->digits[i] = reversed[n - 1 - i];
  num_trim(d);
}

/* d / 2^shift, from the front. */
static void num_halve(num_decimal *d, int32_t shift) {
  int32_t in = 0, out = 0;
  uint64_t rest = 0, low = (UINT64_C(1) << shift) - 1;
  for (; (rest >> shift) == 0; in++) {
    if (in >= d->count && rest == 0) {
      d->count = 0;
      return;
    }
    rest = rest * 10 + (in < d->count ? d->digits[in] : 0);
  }
  d->point -= in - 1;
  for (; in < d->count || rest != 0; in++) {
    uint8_t digit = (uint8_t)(rest >> shift);
    rest = (rest & low) * 10 + (in < d->count ? d->digits[in] : 0);
    if (out < NUM_DIGITS)
      d->digits[out++] = digit;
    else if (digit != 0)
      d->sticky = true;
  }
  d->count = out;
  num_trim(d);
}

/* d * 2^shift, from the back, after finding how many digits it grows by. */
static void num_double_up(num_decimal *d, int32_t shift) {
  uint64_t carry = 0;
  for (int32_t i = d->count; i-- > 0;)
    carry = (carry + ((uint64_t)d->digits[i] << shift)) / 10;
  int32_t grow = 0;
  for (uint64_t c = carry; c != 0; c /= 10)
    grow++;
  int32_t out = d->count + grow, kept = out < NUM_DIGITS ? out : NUM_DIGITS;
  carry = 0;
  for (int32_t i = d->count; i-- > 0 || carry != 0;) {
    if (i >= 0) carry += (uint64_t)d->digits[i] << shift;
    uint8_t digit = (uint8_t)(carry % 10);
    carry /= 10;
    if (--out < NUM_DIGITS)
      d->digits[out] = digit;
    else if (digit != 0)
      d->sticky = true;
    if (i < 0) i = 0;
  }
  d->count = kept;
  d->point += grow;
  num_trim(d);
}

static void num_scale(num_decimal *d, int32_t power) {
  while (power > 0) {
    int32_t step = power < NUM_SHIFT ? power : NUM_SHIFT;
    num_double_up(d, step);
    power -= step;
  }
  while (power < 0) {
    int32_t step = -power < NUM_SHIFT ? -power : NUM_SHIFT;
    num_halve(d, step);
    power += step;
  }
}

/* The integer part, below 2^63, rounded half to even. */
static uint64_t num_rounded(const num_decimal *d) {
  uint64_t n = 0;
  for (int32_t i = 0; i < d->point; i++)
    n = n * 10 + (i < d->count ? d->digits[i] : 0);
  if (d->point < 0 || d->point >= d->count) return n;
  bool exact_half = d->digits[d->point] == 5 && d->point + 1 == d->count && !d->sticky;
  if (exact_half ? (n & 1) != 0 : d->digits[d->point] >= 5) n++;
  return n;
}

static bool num_digit(char c) {
  return c >= '0' && c <= '9';
}

size_t spc__scan_number(const char *text, size_t length, spc__decimal *number) {
  size_t i = 0;
  number->negative = length > 0 && text[0] == '-';
  if (number->negative) i++;
  number->digits = text + i;
  number->exponent = 0;
  number->fraction = false;
  size_t whole = i;
  while (i < length && num_digit(text[i]))
    i++;
  if (i == whole || (text[whole] == '0' && i - whole > 1)) return 0;
  if (i < length && text[i] == '.') {
    size_t first = ++i;
    while (i < length && num_digit(text[i]))
      i++;
    if (i == first) return 0;
    number->fraction = true;
  }
  number->length = i - whole;
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    bool down = false;
    i++;
    if (i < length && (text[i] == '+' || text[i] == '-')) down = text[i++] == '-';
    size_t first = i;
    int32_t e = 0;
    for (; i < length && num_digit(text[i]); i++)
      if (e < 100000) e = e * 10 + (text[i] - '0');
    if (i == first) return 0;
    if (e > 100000) e = 100000;
    number->exponent = down ? -e : e;
    number->fraction = true;
  }
  return i;
}

static void num_read(num_decimal *d, const spc__decimal *number) {
  bool whole = true;
  d->count = d->point = 0;
  d->sticky = false;
  int64_t point = 0;
  for (size_t i = 0; i < number->length; i++) {
    char c = number->digits[i];
    if (c == '.') {
      whole = false;
      continue;
    }
    if (d->count == 0 && c == '0') {
      if (!whole) point--;
      continue;
    }
    if (whole) point++;
    if (d->count < NUM_DIGITS)
      d->digits[d->count++] = (uint8_t)(c - '0');
    else if (c != '0')
      d->sticky = true;
  }
  point += number->exponent;
  d->point = point > 100000 ? 100000 : point < -100000 ? -100000 : (int32_t)point;
  num_trim(d);
}

bool spc__to_integer(const spc__decimal *number, uint64_t *magnitude) {
  num_decimal d;
  num_read(&d, number);
  if (d.sticky || d.count > d.point || d.point > 20) return false;
  uint64_t n = 0;
  for (int32_t i = 0; i < d.point; i++) {
    uint64_t digit = i < d.count ? d.digits[i] : 0;
    if (n > (UINT64_MAX - digit) / 10) return false;
    n = n * 10 + digit;
  }
  *magnitude = n;
  return true;
}

/* The bits of the nearest number without its sign: biased exponent above the significand. */
static uint64_t num_nearest(const spc__decimal *number, const num_format *format) {
  num_decimal d;
  const uint64_t hidden = UINT64_C(1) << (format->bits - 1);
  const uint64_t infinite = (uint64_t)(format->maximum - format->minimum + 2) << (format->bits - 1);
  num_read(&d, number);
  if (d.count == 0 || d.point < -400) return 0;
  if (d.point > 400) return infinite;
  /* Shift until the integer part has exactly `bits` bits, by steps that never pass the goal. */
  int32_t exponent = 0;
  while (d.point > 0) {
    int32_t step = d.point > 16 ? 50 : d.point > 1 ? (d.point - 1) * 3 : d.digits[0] >= 2 ? 2 : 1;
    num_scale(&d, -step);
    exponent += step;
  }
  while (d.point < 0 || (d.point == 0 && d.digits[0] < 5)) {
    int32_t step = d.point < -16 ? 50 : d.point < 0 ? -d.point * 3 : 1;
    num_scale(&d, step);
    exponent -= step;
  }
  /* Now 0.5 <= d < 1 and the number is d * 2^exponent. */
  int32_t unit = exponent - format->bits;
  if (unit < format->minimum) unit = format->minimum;
  num_scale(&d, exponent - unit);
  uint64_t n = num_rounded(&d);
  if (n >= hidden << 1) {
    n >>= 1;
    unit++;
  }
  if (unit > format->maximum) return infinite;
  if (n < hidden) return n;
  return ((uint64_t)(unit - format->minimum + 1) << (format->bits - 1)) + (n - hidden);
}

static bool num_fast(const spc__decimal *number, double *value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  uint64_t n = 0;
  int32_t exponent = number->exponent;
  bool whole = true;
  if (number->length > 17) return false;
  for (size_t i = 0; i < number->length; i++) {
    if (number->digits[i] == '.') {
      whole = false;
      continue;
    }
    n = n * 10 + (uint64_t)(number->digits[i] - '0');
    if (!whole) exponent--;
  }
  if (n >> 53 != 0 || exponent < -22 || exponent > 22) return false;
  *value = exponent < 0 ? (double)n / powers[-exponent] : (double)n * powers[exponent];
  return true;
}

double spc__to_double(const spc__decimal *number) {
  double value;
  if (!num_fast(number, &value)) {
    uint64_t bits = num_nearest(number, &num_double);
    memcpy(&value, &bits, 8);
  }
  return number->negative ? -value : value;
}

float spc__to_float(const spc__decimal *number) {
  float value;
  uint32_t bits = (uint32_t)num_nearest(number, &num_float);
  memcpy(&value, &bits, 4);
  return number->negative ? -value : value;
}

static uint8_t num_at(const num_decimal *d, int32_t i) {
  return i >= 0 && i < d->count ? d->digits[i] : 0;
}

/*
 * Cuts d to the fewest digits that lie between the midpoints to its neighbours, `lower` and
 * `upper` (which belong to the interval when the significand is even); the closest of them.
 */
static void num_shortest(num_decimal *d, const num_decimal *lower, const num_decimal *upper,
                         bool inclusive) {
  /* Digits are aligned to upper's point, which is the largest. */
  int32_t d_shift = upper->point - d->point, l_shift = upper->point - lower->point;
  int up = 0; /* how far upper leads the digits so far: 0 equal, 1 by one unit, 2 more */
  bool down = false;
  for (int32_t i = 0; i < d->count + d_shift; i++) {
    uint8_t l = num_at(lower, i - l_shift), m = num_at(d, i - d_shift), u = num_at(upper, i);
    bool last_l = i + 1 >= lower->count + l_shift, last_u = i + 1 >= upper->count;
    /* Cutting here goes down to a number above (or, inclusive, at) lower... */
    if (!down && l != m) down = true;
    bool down_ok = down || (inclusive && last_l);
    /* ...or, one unit higher, up to a number below (or at) upper. */
    if (up == 0 && m + 1 < u)
      up = 2;
    else if (up == 0 && m != u)
      up = 1;
    else if (up == 1 && (m != 9 || u != 0))
      up = 2;
    bool up_ok = up != 0 && (up == 2 || inclusive || !last_u);
    int32_t keep = i + 1 - d_shift;
    if (keep < 0 || (!down_ok && !up_ok)) continue;
    bool round_up = num_at(d, keep) > 5 || (num_at(d, keep) == 5 && keep + 1 < d->count) ||
                    (num_at(d, keep) == 5 && keep > 0 && (num_at(d, keep - 1) & 1) != 0);
    if (down_ok && up_ok ? round_up : up_ok) {
      int32_t j = keep;
      while (j > 0 && d->digits[j - 1] == 9)
        j--;
      if (j == 0) {
        d->digits[0] = 1;
        d->count = 1;
        d->point++;
        return;
      }
      d->digits[j - 1]++;
      d->count = j;
      return;
    }
    d->count = keep;
    num_trim(d);
    return;
  }
}

static void num_digits(num_decimal *d, uint64_t significand, int32_t unit, bool lowest,
                       const num_format *format) {
  num_decimal lower, upper;
  num_set(d, significand);
  num_scale(d, unit);
  num_set(&upper, significand * 2 + 1);
  num_scale(&upper, unit - 1);
  /* Below a power of two the neighbour is half as far. */
  bool closer = lowest && unit > format->minimum;
  num_set(&lower, closer ? significand * 4 - 1 : significand * 2 - 1);
  num_scale(&lower, closer ? unit - 2 : unit - 1);
  num_shortest(d, &lower, &upper, (significand & 1) == 0);
}

/* JavaScript's Number::toString: plain from 1e-7 (excluded) to 1e21, else with an exponent. */
static size_t num_layout(char *out, const num_decimal *d) {
  char *p = out;
  int32_t n = d->count, point = d->point;
  if (point > 0 && point <= 21) {
    for (int32_t i = 0; i < (n > point ? n : point); i++) {
      if (i == point) *p++ = '.';
      *p++ = (char)('0' + num_at(d, i));
    }
  } else if (point <= 0 && point > -6) {
    *p++ = '0';
    *p++ = '.';
    for (int32_t i = point; i < 0; i++)
      *p++ = '0';
    for (int32_t i = 0; i < n; i++)
      *p++ = (char)('0' + d->digits[i]);
  } else {
    for (int32_t i = 0; i < n; i++) {
      if (i == 1) *p++ = '.';
      *p++ = (char)('0' + d->digits[i]);
    }
    int32_t e = point - 1;
    *p++ = 'e';
    *p++ = e < 0 ? '-' : '+';
    p += spc__format_u64(p, (uint64_t)(e < 0 ? -e : e));
  }
  return (size_t)(p - out);
}

static size_t num_write(char *out, uint64_t bits, bool negative, const num_format *format) {
  num_decimal d;
  size_t sign = 0;
  if (negative) out[sign++] = '-';
  const uint64_t hidden = UINT64_C(1) << (format->bits - 1);
  uint64_t significand = bits & (hidden - 1);
  int32_t exponent = (int32_t)(bits >> (format->bits - 1)), unit = format->minimum;
  if (exponent != 0) {
    significand |= hidden;
    unit += exponent - 1;
  }
  if (significand == 0) {
    out[sign] = '0';
    return sign + 1;
  }
  /* An integer that no neighbour is near is its own shortest form, up to trailing zeros. */
  if (unit <= 0 && unit > -format->bits && (significand & ((UINT64_C(1) << -unit) - 1)) == 0)
    num_set(&d, significand >> -unit);
  else
    num_digits(&d, significand, unit, exponent > 1 && significand == hidden, format);
  return sign + num_layout(out + sign, &d);
}

size_t spc__format_double(char *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return num_write(out, bits & (UINT64_MAX >> 1), bits >> 63 != 0, &num_double);
}

size_t spc__format_float(char *out, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return num_write(out, bits & (UINT32_MAX >> 1), bits >> 31 != 0, &num_float);
}

size_t spc__format_u64(char *out, uint64_t value) {
  char reversed[20];
  size_t n = 0;
  do {
    reversed[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  for (size_t i = 0; i < n; i++)
    out[i] = reversed[n - 1 - i];
  return n;
}

size_t spc__format_i64(char *out, int64_t value) {
  if (value >= 0) return spc__format_u64(out, (uint64_t)value);
  out[0] = '-';
  return 1 + spc__format_u64(out + 1, 0 - (uint64_t)value);
}
