/* Timestamps and durations in ProtoJSON's text. */
#ifndef SPC_CODEC_JSON_TIME_H
#define SPC_CODEC_JSON_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for either text. */
#define SPC__TIME_SIZE 40

/* RFC 3339 in UTC, years 1 to 9999; 0 if the value is out of range. Returns the length. */
size_t spc__format_timestamp(char *out, int64_t seconds, int32_t nanos);
bool spc__parse_timestamp(const char *text, size_t length, int64_t *seconds, int32_t *nanos);

/* Seconds with a fraction of up to nine digits and "s", within 10 000 years. */
size_t spc__format_duration(char *out, int64_t seconds, int32_t nanos);
bool spc__parse_duration(const char *text, size_t length, int64_t *seconds, int32_t *nanos);

#endif
