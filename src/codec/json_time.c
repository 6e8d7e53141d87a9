/*
 * The proleptic Gregorian calendar by the cycle of 400 years: dates are counted from the first of
 * March, so that the leap day is the last of its year and month lengths follow (153 m + 2) / 5.
 */
#include "codec/json_time.h"

#include "codec/number.h"

#define TIME_EPOCH        719468 /* days from 0000-03-01 to 1970-01-01 */
#define TIME_FIRST        INT64_C(-62135596800)
#define TIME_LAST         INT64_C(253402300799)
#define TIME_MAX_DURATION INT64_C(315576000000)

/* Zero-padded decimal digits. */
static char *time_digits(char *p, uint32_t value, int digits) {
  for (int i = digits; i-- > 0; value /= 10)
    p[i] = (char)('0' + value % 10);
  return p + digits;
}

/* ".5", ".000001" and so on: 3, 6 or 9 digits, none for zero. */
static char *time_fraction(char *p, uint32_t nanos) {
  if (nanos == 0) return p;
  *p++ = '.';
  if (nanos % 1000000 == 0) return time_digits(p, nanos / 1000000, 3);
  if (nanos % 1000 == 0) return time_digits(p, nanos / 1000, 6);
  return time_digits(p, nanos, 9);
}

size_t spc__format_timestamp(char *out, int64_t seconds, int32_t nanos) {
  if (seconds < TIME_FIRST || seconds > TIME_LAST || nanos < 0 || nanos > 999999999) return 0;
  /* The range starts after 0000-03-01, so all of this is positive. */
  int64_t shifted = seconds + TIME_EPOCH * INT64_C(86400);
  uint32_t days = (uint32_t)(shifted / 86400), second = (uint32_t)(shifted % 86400);
  uint32_t era = days / 146097, day = days % 146097;
  uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  uint32_t in_year = day - (365 * year + year / 4 - year / 100), month = (5 * in_year + 2) / 153;
  char *p = time_digits(out, era * 400 + year + (month >= 10), 4);
  *p++ = '-';
  p = time_digits(p, month < 10 ? month + 3 : month - 9, 2);
  *p++ = '-';
  p = time_digits(p, in_year - (153 * month + 2) / 5 + 1, 2);
  *p++ = 'T';
  p = time_digits(p, second / 3600, 2);
  *p++ = ':';
  p = time_digits(p, second / 60 % 60, 2);
  *p++ = ':';
  p = time_digits(p, second % 60, 2);
  p = time_fraction(p, (uint32_t)nanos);
  *p++ = 'Z';
  return (size_t)(p - out);
}

/* A reader of text whose first failure sticks. */
typedef struct time_text {
  const char *p, *end;
  bool good;
} time_text;

static uint32_t time_read(time_text *t, int digits) {
  uint32_t value = 0;
  for (; digits > 0; digits--) {
    if (t->p == t->end || *t->p < '0' || *t->p > '9') {
      t->good = false;
      return 0;
    }
    value = value * 10 + (uint32_t)(*t->p++ - '0');
  }
  return value;
}

static bool time_take(time_text *t, char c) {
  if (t->p == t->end || *t->p != c) return false;
  t->p++;
  return true;
}

static void time_expect(time_text *t, char c) {
  if (!time_take(t, c)) t->good = false;
}

/* An optional fraction of one to nine digits, as nanoseconds. */
static uint32_t time_read_fraction(time_text *t) {
  uint32_t value = 0, digits = 0;
  if (!time_take(t, '.')) return 0;
  for (; t->p < t->end && *t->p >= '0' && *t->p <= '9' && digits < 9; digits++)
    value = value * 10 + (uint32_t)(*t->p++ - '0');
  if (digits == 0) t->good = false;
  for (; digits < 9; digits++)
    value *= 10;
  return value;
}

bool spc__parse_timestamp(const char *text, size_t length, int64_t *seconds, int32_t *nanos) {
  static const uint8_t days_in[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  time_text t = {text, text + length, true};
  uint32_t year = time_read(&t, 4);
  time_expect(&t, '-');
  uint32_t month = time_read(&t, 2);
  time_expect(&t, '-');
  uint32_t day = time_read(&t, 2);
  time_expect(&t, 'T');
  uint32_t hour = time_read(&t, 2);
  time_expect(&t, ':');
  uint32_t minute = time_read(&t, 2);
  time_expect(&t, ':');
  uint32_t second = time_read(&t, 2);
  uint32_t fraction = time_read_fraction(&t);
  int64_t offset = 0;
  if (!time_take(&t, 'Z')) {
    bool west = time_take(&t, '-');
    if (!west) time_expect(&t, '+');
    uint32_t hours = time_read(&t, 2);
    time_expect(&t, ':');
    uint32_t minutes = time_read(&t, 2);
    if (hours > 23 || minutes > 59) return false;
    offset = (int64_t)hours * 3600 + (int64_t)minutes * 60;
    if (west) offset = -offset;
  }
  if (!t.good || t.p != t.end || year == 0 || month == 0 || month > 12 || hour > 23 ||
      minute > 59 || second > 59)
    return false;
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (day == 0 || day > days_in[month - 1] + (uint32_t)(leap && month == 2)) return false;
  uint32_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
  uint32_t days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
  *seconds = ((int64_t)days - TIME_EPOCH) * 86400 + (int64_t)hour * 3600 + (int64_t)minute * 60 +
             second - offset;
  *nanos = (int32_t)fraction;
  return *seconds >= TIME_FIRST && *seconds <= TIME_LAST;
}

size_t spc__format_duration(char *out, int64_t seconds, int32_t nanos) {
  bool negative = seconds < 0 || nanos < 0;
  if (seconds < -TIME_MAX_DURATION || seconds > TIME_MAX_DURATION || nanos < -999999999 ||
      nanos > 999999999 || (negative && (seconds > 0 || nanos > 0)))
    return 0;
  char *p = out;
  if (negative) *p++ = '-';
  p += spc__format_u64(p, (uint64_t)(negative ? -seconds : seconds));
  p = time_fraction(p, (uint32_t)(negative ? -nanos : nanos));
  *p++ = 's';
  return (size_t)(p - out);
}

bool spc__parse_duration(const char *text, size_t length, int64_t *seconds, int32_t *nanos) {
  time_text t = {text, text + length, true};
  bool negative = time_take(&t, '-');
  int64_t value = 0;
  const char *first = t.p;
  for (; t.p < t.end && *t.p >= '0' && *t.p <= '9'; t.p++) {
    value = value * 10 + (*t.p - '0');
    if (value > TIME_MAX_DURATION) return false;
  }
  if (t.p == first) return false;
  int32_t fraction = (int32_t)time_read_fraction(&t);
  time_expect(&t, 's');
  if (!t.good || t.p != t.end) return false;
  *seconds = negative ? -value : value;
  *nanos = negative ? -fraction : fraction;
  return true;
}
