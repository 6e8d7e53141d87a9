/*
 * What the C code that protoc-gen-spicule generates is made of. Generated
 * headers include this one; nothing here is meant to be used by hand, and only
 * spc_bytes is part of their interface.
 *
 * Generated code decodes into, and encodes from, the record layout that codec.h
 * describes, whose offsets and bits it has as constants. What is frequent is
 * inline in the generated functions; what is rare (unknown fields, repeated
 * numbers, a buffer that is nearly full) is a function of the library that
 * works on the tables below.
 */
#ifndef SPICULE_CODEC_GEN_H
#define SPICULE_CODEC_GEN_H

#include <string.h>

#include "spicule/codec.h"

SPC_BEGIN_DECLS

/* Bytes somewhere in memory, of a string or bytes field. */
typedef struct spc_bytes {
  const uint8_t *data;
  size_t length;
} spc_bytes;

#if defined(__GNUC__) || defined(__clang__)
#define SPC_GEN_LIKELY(x)   __builtin_expect(!!(x), 1)
#define SPC_GEN_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SPC_GEN_INLINE      static inline __attribute__((always_inline, unused))
#define SPC_GEN_MAYBE       static inline __attribute__((unused))
#define SPC_GEN_COLD        __attribute__((cold))
#else
#error "generated code needs a compiler with the builtins of GCC"
#endif

/* ---- Tables
 * ----------------------------------------------------------------------------------*/

enum {
  SPC_GEN_EXPLICIT = 1 << 0,
  SPC_GEN_ONEOF = 1 << 1,
  SPC_GEN_UTF8 = 1 << 2,
  SPC_GEN_PACKED = 1 << 3,
  SPC_GEN_REQUIRED = 1 << 4,
  SPC_GEN_MAP = 1 << 5,
  SPC_GEN_REPEATED = 1 << 6
};

typedef struct spc_gen_decoder spc_gen_decoder;
typedef struct spc_gen_type spc_gen_type;

typedef struct spc_gen_field {
  const char *name;
  const spc_gen_type *sub;    /* of messages, groups and maps (the entry) */
  bool (*has_value)(int32_t); /* of closed enums */
  uint32_t number;
  uint16_t offset, case_offset, case_value, bit; /* as in spc_field_info */
  uint8_t type;                                  /* spc_field_type */
  uint8_t flags;
} spc_gen_field;

/*
 * Decodes the bytes from `p` to `end`, behind which 16 bytes are readable, into
 * the record at `r`, with `depth` levels left. Returns `end`, or NULL with the
 * reason in `d`.
 */
typedef const uint8_t *(*spc_gen_decode_fn)(spc_gen_decoder *d, const uint8_t *p,
                                            const uint8_t *end, uint8_t *r, uint32_t depth);

struct spc_gen_type {
  const spc_gen_field *fields; /* in order of numbers */
  uint16_t field_count;
  uint32_t size; /* of a record */
  bool required; /* a required field is in this type or in one below it */
  bool map_entry;
};

/* ---- Memory
 * ----------------------------------------------------------------------------------*/

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SPC_GEN_LE16(x) __builtin_bswap16(x)
#define SPC_GEN_LE32(x) __builtin_bswap32(x)
#define SPC_GEN_LE64(x) __builtin_bswap64(x)
#else
#define SPC_GEN_LE16(x) (x)
#define SPC_GEN_LE32(x) (x)
#define SPC_GEN_LE64(x) (x)
#endif

SPC_GEN_INLINE uint32_t spc_gen_load16(const uint8_t *p) {
  uint16_t x;
  memcpy(&x, p, 2);
  return SPC_GEN_LE16(x);
}

SPC_GEN_INLINE uint32_t spc_gen_load32(const uint8_t *p) {
  uint32_t x;
  memcpy(&x, p, 4);
  return SPC_GEN_LE32(x);
}

SPC_GEN_INLINE uint64_t spc_gen_load64(const uint8_t *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return SPC_GEN_LE64(x);
}

SPC_GEN_INLINE void spc_gen_store16(uint8_t *p, uint32_t v) {
  uint16_t x = SPC_GEN_LE16((uint16_t)v);
  memcpy(p, &x, 2);
}

SPC_GEN_INLINE void spc_gen_store32(uint8_t *p, uint32_t v) {
  uint32_t x = SPC_GEN_LE32(v);
  memcpy(p, &x, 4);
}

SPC_GEN_INLINE void spc_gen_store64(uint8_t *p, uint64_t v) {
  uint64_t x = SPC_GEN_LE64(v);
  memcpy(p, &x, 8);
}

SPC_GEN_INLINE float spc_gen_float(uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

SPC_GEN_INLINE double spc_gen_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, 8);
  return x;
}

SPC_GEN_INLINE uint32_t spc_gen_float_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}

SPC_GEN_INLINE uint64_t spc_gen_double_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  return bits;
}

/* ---- Records
 * ---------------------------------------------------------------------------------*/

SPC_GEN_INLINE uint8_t *spc_gen_record(const spc_arena *arena, uint32_t ref) {
  return arena->base + ref;
}

SPC_GEN_INLINE bool spc_gen_bit(const uint8_t *r, uint32_t bit) {
  return (r[bit >> 3] >> (bit & 7) & 1) != 0;
}

SPC_GEN_INLINE void spc_gen_put_bit(uint8_t *r, uint32_t bit, bool on) {
  uint32_t mask = 1u << (bit & 7), byte = r[bit >> 3];
  r[bit >> 3] = (uint8_t)(on ? byte | mask : byte & ~mask);
}

/* The first `words` 16-bit words of hasbits, at most four, as one number. */
SPC_GEN_INLINE uint64_t spc_gen_load_bits(const uint8_t *r, uint32_t words) {
  if (words == 1) return spc_gen_load16(r);
  if (words == 2) return spc_gen_load32(r);
  if (words == 3) return spc_gen_load32(r) | (uint64_t)spc_gen_load16(r + 4) << 32;
  return spc_gen_load64(r);
}

SPC_GEN_INLINE void spc_gen_store_bits(uint8_t *r, uint64_t bits, uint32_t words) {
  if (words == 1) {
    spc_gen_store16(r, (uint32_t)bits);
  } else if (words == 2) {
    spc_gen_store32(r, (uint32_t)bits);
  } else if (words == 3) {
    spc_gen_store32(r, (uint32_t)bits);
    spc_gen_store16(r + 4, (uint32_t)(bits >> 32));
  } else {
    spc_gen_store64(r, bits);
  }
}

SPC_GEN_INLINE spc_bytes spc_gen_bytes(const spc_arena *arena, const uint8_t *slot) {
  spc_bytes bytes = {arena->base + spc_gen_load32(slot), spc_gen_load32(slot + 4)};
  return bytes;
}

SPC_GEN_INLINE spc_bytes spc_gen_literal(const char *text, size_t length) {
  spc_bytes bytes = {(const uint8_t *)text, length};
  return bytes;
}

/* A new record, all zero. SPC_OUT_OF_MEMORY. */
SPC_API spc_status spc_gen_new(spc_arena *arena, uint32_t size, uint32_t *ref);

/*
 * Appends an element of `size` bytes (4 or 8) to the array whose slot is at
 * `offset` in the record `ref`, and sets the field's bit.
 */
SPC_API spc_status spc_gen_append(spc_arena *arena, uint32_t ref, uint32_t offset, uint32_t bit,
                                  uint32_t size, uint64_t element);

/* Appends an empty message of `record_size` bytes; for a map with `map`. */
SPC_API spc_status spc_gen_append_message(spc_arena *arena, uint32_t ref, uint32_t offset,
                                          uint32_t bit, uint32_t record_size, bool map,
                                          uint32_t *element);

/* ---- Decoding
 * --------------------------------------------------------------------------------*/

/*
 * Records are taken from the arena's free space upwards and the references of a
 * run of elements are kept at its end downwards, until the run is over and
 * their number known. Nothing moves while a message is decoded: if the space
 * does not suffice, the arena grows and decoding starts again.
 */
struct spc_gen_decoder {
  uint8_t *base;   /* of the arena */
  uint8_t *top;    /* where the next record goes */
  uint8_t *bottom; /* where the references end */
  const uint8_t *at;
  uint32_t flags, max_count;
  uint32_t maps;  /* that may have a key twice: a list within the arena */
  bool bad_entry; /* the value of a map entry is not in its closed enum */
  spc_status status;
};

/*
 * The decoding of a root message: arguments and statuses of spc_decode, without
 * SPC_MISSING_REQUIRED where the type has no required fields.
 */
SPC_API spc_status spc_gen_decode(spc_arena *arena, const spc_gen_type *type,
                                  spc_gen_decode_fn decode, const uint8_t *input, size_t length,
                                  const spc_decode_options *options, uint32_t *ref,
                                  spc_error *error);

/* Sets the reason and returns NULL. `at` is where it is. */
SPC_API SPC_GEN_COLD const uint8_t *spc_gen_fail(spc_gen_decoder *d, spc_status status,
                                                 const uint8_t *at);
/* Any varint, or NULL if it is longer than 64 bits. */
SPC_API const uint8_t *spc_gen_varint_slow(const uint8_t *p, uint64_t *v);

/* A tag of three or more bytes; NULL with the reason set. */
SPC_API const uint8_t *spc_gen_tag_slow(spc_gen_decoder *d, const uint8_t *p, const uint8_t *end,
                                        uint32_t *tag);

/*
 * A field that the generated code has no place for: `p` is behind its tag. It
 * is kept, dropped or refused. Returns the place behind it or NULL.
 */
SPC_API const uint8_t *spc_gen_unknown(spc_gen_decoder *d, const uint8_t *start, const uint8_t *p,
                                       const uint8_t *end, uint8_t *r, uint32_t tag,
                                       uint32_t depth);

/* The number of a closed enum that it does not have, from `start` to `end`:
 * false on failure. */
SPC_API bool spc_gen_unknown_number(spc_gen_decoder *d, const uint8_t *start, const uint8_t *end,
                                    uint8_t *r);

/*
 * The elements of a repeated field of numbers, strings or bytes from `p` on,
 * which is behind the tag: a packed run, or all that follow with the same tag.
 */
SPC_API const uint8_t *spc_gen_elements(spc_gen_decoder *d, const spc_gen_field *field,
                                        const uint8_t *start, const uint8_t *p, const uint8_t *end,
                                        uint8_t *r, uint32_t tag);

/* An array of the last `count` references, behind the elements that the slot
 * has already. */
SPC_API bool spc_gen_collect_more(spc_gen_decoder *d, uint8_t *slot, uint32_t count);

/* The same for entries of the map `field`. */
SPC_API bool spc_gen_collect_entries(spc_gen_decoder *d, const spc_gen_field *field, uint8_t *slot,
                                     uint32_t count);

/*
 * When an entry from `start` to `end` is complete: both its fields count as
 * present, and a value that is a message is there. False on failure. *keep
 * tells whether it is an entry; if not, it was put with the unknown fields of
 * `r`.
 */
SPC_API bool spc_gen_finish_entry(spc_gen_decoder *d, const spc_gen_field *field, uint8_t *r,
                                  uint8_t *entry, const uint8_t *start, const uint8_t *end,
                                  bool *keep);

/* Whether the bytes are well-formed UTF-8. */
SPC_API bool spc_gen_utf8_slow(const uint8_t *p, size_t length);

SPC_GEN_INLINE bool spc_gen_utf8(const uint8_t *p, size_t length) {
  uint64_t high = 0;
  if (length >= 8) {
    size_t i = 0;
    for (; i + 8 <= length; i += 8)
      high |= spc_gen_load64(p + i);
    high |= spc_gen_load64(p + length - 8);
  } else if (length >= 4) {
    high = (uint64_t)spc_gen_load32(p) | spc_gen_load32(p + length - 4);
  } else if (length != 0) {
    high = (uint64_t)(p[0] | p[length >> 1] | p[length - 1]);
  }
  return SPC_GEN_LIKELY((high & UINT64_C(0x8080808080808080)) == 0) || spc_gen_utf8_slow(p, length);
}

/* The varint that the eight bytes `w` begin with; `stop`, not 0, has the top bits that are clear.
 */
SPC_GEN_INLINE uint64_t spc_gen_squeeze(uint64_t w, uint64_t stop) {
  w &= (stop ^ (stop - 1)) & UINT64_C(0x7f7f7f7f7f7f7f7f);
  /* The upper of two groups moves down by a difference: that takes fewer constants than masks. */
  w -= (w >> 1) & UINT64_C(0x3f803f803f803f80);
  w -= ((w >> 16) & UINT64_C(0x00003fff00003fff)) * 0xc000u;
  return (uint32_t)w | w >> 32 << 28;
}

/* Bits of eight bytes without their top bit. */
#define SPC_GEN_STOP(w) (~(w) & UINT64_C(0x8080808080808080))

/* How many bytes follow the first one in a varint. */
#define SPC_GEN_MORE(stop) ((uint32_t)__builtin_ctzll(stop) >> 3)

/* A varint of two or more bytes, with 16 readable bytes; NULL when it is longer
 * than 64 bits. */
SPC_GEN_INLINE const uint8_t *spc_gen_varint_long(const uint8_t *p, uint64_t *v) {
  uint64_t w = spc_gen_load64(p), stop = SPC_GEN_STOP(w);
  if (SPC_GEN_UNLIKELY(stop == 0)) {
    uint64_t slow; /* keeps what `v` points to in a register */
    p = spc_gen_varint_slow(p, &slow);
    *v = slow;
    return p;
  }
  *v = spc_gen_squeeze(w, stop);
  return p + 1 + SPC_GEN_MORE(stop);
}

/* Reads a varint at `n` into `v`, or does `otherwise`. */
#define SPC_GEN_VARINT(n, v, otherwise)                                                            \
  do {                                                                                             \
    (v) = *(n)++;                                                                                  \
    if ((v) >= 0x80) {                                                                             \
      (n) = spc_gen_varint_long((n) - 1, &(v));                                                    \
      if (SPC_GEN_UNLIKELY((n) == NULL)) otherwise;                                                \
    }                                                                                              \
  } while (0)

/* The same where it is rarely done. */
#define SPC_GEN_VARINT_RARE(n, v, otherwise)                                                       \
  do {                                                                                             \
    uint64_t rare_;                                                                                \
    (n) = spc_gen_varint_slow((n), &rare_);                                                        \
    if (SPC_GEN_UNLIKELY((n) == NULL)) otherwise;                                                  \
    (v) = rare_;                                                                                   \
  } while (0)

/* Whether `v` bytes, fewer than 128, from `n` on go past `end`. */
#if UINTPTR_MAX > UINT32_MAX
#define SPC_GEN_PAST(n, v, end) ((uintptr_t)(n) + (v) > (uintptr_t)(end))
#else
#define SPC_GEN_PAST(n, v, end) ((ptrdiff_t)(v) > (end) - (n))
#endif

/* A length of two or more bytes, with 16 readable bytes: one that no input can have if it is above
 * INT32_MAX; NULL when it is longer than 64 bits. */
SPC_API const uint8_t *spc_gen_length_long(const uint8_t *p, uint64_t *v);

/* Reads a length that has to fit before `end`, or does one of the two. Long ones are rare. */
#define SPC_GEN_LENGTH(n, end, v, overlong, truncated)                                             \
  do {                                                                                             \
    (v) = *(n)++;                                                                                  \
    if (SPC_GEN_UNLIKELY((v) >= 0x80)) {                                                           \
      uint64_t length_; /* keeps `v` in a register */                                              \
      (n) = spc_gen_length_long((n) - 1, &length_);                                                \
      if (SPC_GEN_UNLIKELY((n) == NULL)) overlong;                                                 \
      (v) = length_;                                                                               \
      if (SPC_GEN_UNLIKELY((int64_t)(v) > (end) - (n))) truncated;                                 \
    } else if (SPC_GEN_UNLIKELY(SPC_GEN_PAST(n, v, end))) {                                        \
      truncated;                                                                                   \
    }                                                                                              \
  } while (0)

SPC_GEN_INLINE uint64_t spc_gen_unzigzag(uint64_t v) {
  return (v >> 1) ^ (0 - (v & 1));
}

/* A new record of a constant size, all zero; NULL when there is no room. */
SPC_GEN_INLINE uint8_t *spc_gen_take(spc_gen_decoder *d, size_t size) {
  uint8_t *r = d->top;
  if (SPC_GEN_UNLIKELY((size_t)(d->bottom - r) < size)) {
    d->status = SPC_OUT_OF_MEMORY;
    return NULL;
  }
  d->top = r + size;
  memset(r, 0, size);
  return r;
}

/* The same for an element of a run, whose reference is noted. */
SPC_GEN_INLINE uint8_t *spc_gen_take_element(spc_gen_decoder *d, size_t size) {
  uint8_t *r = d->top;
  if (SPC_GEN_UNLIKELY((size_t)(d->bottom - r) < size + 4)) {
    d->status = SPC_OUT_OF_MEMORY;
    return NULL;
  }
  d->top = r + size;
  d->bottom -= 4;
  spc_gen_store32(d->bottom, (uint32_t)(r - d->base));
  memset(r, 0, size);
  return r;
}

/* Makes the array of a run of `count` messages (at least one). */
SPC_GEN_INLINE bool spc_gen_collect(spc_gen_decoder *d, uint8_t *slot, uint32_t count) {
  size_t bytes = ((size_t)count * 4 + 11) & ~(size_t)7;
  uint8_t *array = d->top + 4;
  if (SPC_GEN_UNLIKELY(spc_gen_load32(slot + 4) != 0 || (size_t)(d->bottom - d->top) < bytes))
    return spc_gen_collect_more(d, slot, count);
  spc_gen_store32(d->top, (uint32_t)(bytes / 4) - 1);
  d->top += bytes;
  spc_gen_store32(slot, (uint32_t)(array - d->base));
  spc_gen_store32(slot + 4, count);
  do {
    count--;
    spc_gen_store32(array + (size_t)count * 4, spc_gen_load32(d->bottom));
    d->bottom += 4;
  } while (count != 0);
  return true;
}

/* ---- Encoding
 * --------------------------------------------------------------------------------*/

/* The state of an encoder, which writes from `end` down to `begin`. */
typedef struct spc_gen_encoder {
  const uint8_t *base; /* of the arena */
  uint8_t *begin;
  const spc_arena *arena;
  uint32_t flags;
  spc_status status;
} spc_gen_encoder;

/* Writes the record in front of `q`; NULL with the status set when there is no
 * room. */
typedef uint8_t *(*spc_gen_encode_fn)(spc_gen_encoder *x, uint8_t *q, const uint8_t *r,
                                      uint32_t depth);

/* The encoding of a root message: arguments and statuses of spc_encode_back. */
SPC_API spc_status spc_gen_encode_back(const spc_arena *arena, const spc_gen_type *type,
                                       spc_gen_encode_fn encode, uint32_t ref, uint8_t *out,
                                       size_t capacity, const spc_encode_options *options,
                                       size_t *length, spc_error *error);
/* The same at the start of `out`. */
SPC_API spc_status spc_gen_encode(const spc_arena *arena, const spc_gen_type *type,
                                  spc_gen_encode_fn encode, uint32_t ref, uint8_t *out,
                                  size_t capacity, const spc_encode_options *options,
                                  size_t *length, spc_error *error);

/* Sets the status and returns NULL. */
SPC_API SPC_GEN_COLD uint8_t *spc_gen_encode_fail(spc_gen_encoder *x, spc_status status);

/* A record written by its table, which needs no byte more than the result has.
 */
SPC_API uint8_t *spc_gen_encode_slow(spc_gen_encoder *x, uint8_t *q, const spc_gen_type *type,
                                     const uint8_t *r, uint32_t depth);

/* A varint with its tag in front (none if 0), and bytes, where little room is
 * left. */
SPC_API uint8_t *spc_gen_put_slow(spc_gen_encoder *x, uint8_t *q, uint64_t v, uint32_t tag);

/* The unknown fields of a record that has some. */
SPC_API uint8_t *spc_gen_put_unknown(spc_gen_encoder *x, uint8_t *q, const uint8_t *r);

/* A field of numbers, strings or bytes, repeated or where little room is left.
 */
SPC_API uint8_t *spc_gen_put_field(spc_gen_encoder *x, uint8_t *q, const spc_gen_field *field,
                                   const uint8_t *r);

/* Sorts a map by key. */
SPC_API void spc_gen_sort_map(spc_gen_encoder *x, const spc_gen_field *field, const uint8_t *slot);

/* Room for a tag and a varint, written by stores of eight bytes. */
#define SPC_GEN_ROOM 24u

SPC_GEN_INLINE uint32_t spc_gen_varint_size(uint64_t v) {
  return ((63u - (uint32_t)__builtin_clzll(v | 1)) * 9 + 73) >> 6;
}

SPC_GEN_INLINE uint64_t spc_gen_zigzag(uint64_t v) {
  return (v << 1) ^ (0 - (v >> 63));
}

/* 56 bits in groups of seven, one a byte. */
SPC_GEN_INLINE uint64_t spc_gen_spread_only(uint64_t v) {
  uint64_t w = (v & UINT64_C(0x0fffffff)) | v >> 28 << 32;
  w += (w & UINT64_C(0x0fffc0000fffc000)) * 3;
  return w + (w & UINT64_C(0x3f803f803f803f80));
}

/* 56 bits as the bytes of a varint of `n` bytes, from 2 to 8. */
SPC_GEN_INLINE uint64_t spc_gen_spread(uint64_t v, uint32_t n) {
  return spc_gen_spread_only(v) | (UINT64_C(0x8080808080808080) >> (8 * (9 - n)));
}

/* The nine or ten bytes of a large varint, at their end `q`. */
SPC_GEN_INLINE uint8_t *spc_gen_put_large(uint8_t *q, uint64_t v, uint32_t n) {
  q -= n;
  spc_gen_store64(q, spc_gen_spread(v & UINT64_C(0x00ffffffffffffff), 8) | UINT64_C(0x80) << 56);
  q[8] = (uint8_t)(v >> 56 | (n == 10 ? 0x80u : 0u));
  if (n == 10) q[9] = 1;
  return q;
}

/* A varint in front of `q`; SPC_GEN_ROOM bytes are there. */
SPC_GEN_INLINE uint8_t *spc_gen_put_varint(uint8_t *q, uint64_t v) {
  if (v < 0x80) {
    *--q = (uint8_t)v;
    return q;
  }
  uint32_t n = spc_gen_varint_size(v);
  if (SPC_GEN_UNLIKELY(n > 8)) return spc_gen_put_large(q, v, n);
  spc_gen_store64(q - 8, spc_gen_spread(v, n) << (8 * (8 - n)));
  return q - n;
}

/* The bytes of a tag, given as they are loaded, in front of `q`. */
SPC_GEN_INLINE uint8_t *spc_gen_put_tag(uint8_t *q, uint64_t raw, uint32_t size) {
  q -= size;
  if (size == 1)
    *q = (uint8_t)raw;
  else if (size == 2)
    spc_gen_store16(q, (uint32_t)raw);
  else {
    for (uint32_t i = 0; i < size; i++)
      q[i] = (uint8_t)(raw >> (8 * i));
  }
  return q;
}

/* Copies a few bytes; longer ones by memcpy. */
SPC_GEN_INLINE void spc_gen_copy(uint8_t *to, const uint8_t *from, size_t n) {
  if (n > 64) {
    memcpy(to, from, n);
  } else if (n >= 16) {
    for (size_t i = 0; i + 16 < n; i += 16)
      memcpy(to + i, from + i, 16);
    memcpy(to + n - 16, from + n - 16, 16);
  } else if (n >= 8) {
    uint64_t a = spc_gen_load64(from), b = spc_gen_load64(from + n - 8);
    spc_gen_store64(to, a);
    spc_gen_store64(to + n - 8, b);
  } else if (n >= 4) {
    uint32_t a = spc_gen_load32(from), b = spc_gen_load32(from + n - 4);
    spc_gen_store32(to, a);
    spc_gen_store32(to + n - 4, b);
  } else if (n != 0) {
    to[0] = from[0];
    to[n >> 1] = from[n >> 1];
    to[n - 1] = from[n - 1];
  }
}

/* ---- Views -----------------------------------------------------------------------------------*/

typedef struct spc_gen_span {
  const uint8_t *data;
  size_t length;
} spc_gen_span;

/* What stands for the bytes of a message that is in several parts: the place of none of them. */
SPC_API extern const uint8_t spc_gen_parts[8];

/* Where the elements of a repeated field go on, for its `_next` function. Fields are private. */
typedef struct spc_gen_place {
  const uint8_t *p, *end;
  const uint8_t *limit;      /* the last place where eight bytes may be loaded */
  const uint8_t *packed_end; /* of the packed run that `p` is in, or NULL */
} spc_gen_place;

/* A varint of which no byte at or behind `end` is read; NULL when it is not whole. */
SPC_API const uint8_t *spc_gen_view_slow(const uint8_t *p, const uint8_t *end, uint64_t *v);

/* A tag of two or more bytes, or NULL. */
SPC_API const uint8_t *spc_gen_view_tag(const uint8_t *p, const uint8_t *end, uint32_t *tag);

/* The place behind the field whose tag, which was read, is `tag`, or NULL. */
SPC_API const uint8_t *spc_gen_view_skip(const uint8_t *p, const uint8_t *end, uint32_t tag);

/* Says what is wrong with the field at `p`, in a message from `begin` to `end`. */
SPC_API SPC_GEN_COLD spc_status spc_gen_view_error(const uint8_t *begin, const uint8_t *p,
                                                   const uint8_t *end, spc_error *error);
SPC_API SPC_GEN_COLD spc_status spc_gen_view_fail(spc_status status, const uint8_t *begin,
                                                  const uint8_t *at, spc_error *error);

/* spc_gen_view_error, for compilers that look for what a success would leave without a value. */
SPC_GEN_INLINE spc_status spc_gen_view_bad(const uint8_t *p, const uint8_t *end, spc_error *error) {
  spc_status status = spc_gen_view_error(p, p, end, error);
  if (status == SPC_OK) __builtin_unreachable();
  return status;
}

/* Moves a place to the next field with that tag; *behind is then behind the tag. SPC_NOT_FOUND. */
SPC_API spc_status spc_gen_view_seek(spc_gen_place *place, uint32_t tag, const uint8_t **behind,
                                     spc_error *error);

/* The next number of a repeated field, packed or not, of `width` bytes or, if 0, a varint. */
SPC_API spc_status spc_gen_view_number(spc_gen_place *place, uint32_t number, uint32_t width,
                                       bool (*has_value)(int32_t), uint64_t *v, spc_error *error);

/* A length: NULL when it is not whole or runs past `end`. */
SPC_API const uint8_t *spc_gen_view_length(const uint8_t *p, const uint8_t *end, uint64_t *v);

/* Whether two bytes are left, which no field has less than. */
#define SPC_GEN_VIEW_MORE(p, end) (!SPC_GEN_PAST(p, 2u, end))

/* The last place where eight bytes may be loaded; NULL if there is none. */
SPC_GEN_INLINE const uint8_t *spc_gen_view_limit(const uint8_t *bytes, size_t length) {
  return length < 8 ? NULL : bytes + (length - 8);
}

/* Reads a varint where at least one byte is left before `end`. */
#define SPC_GEN_VIEW_NEXT(n, end, limit, v, otherwise)                                             \
  do {                                                                                             \
    (v) = *(n)++;                                                                                  \
    if ((v) >= 0x80) {                                                                             \
      uint64_t stop_ = 0;                                                                          \
      if (SPC_GEN_LIKELY((uintptr_t)(n) <= (uintptr_t)(limit))) {                                  \
        (v) = spc_gen_load64((n) - 1);                                                             \
        stop_ = SPC_GEN_STOP(v);                                                                   \
      }                                                                                            \
      if (SPC_GEN_LIKELY(stop_ != 0)) {                                                            \
        (v) = spc_gen_squeeze((v), stop_);                                                         \
        (n) += SPC_GEN_MORE(stop_);                                                                \
        if (SPC_GEN_UNLIKELY((n) > (end))) otherwise;                                              \
      } else {                                                                                     \
        uint64_t slow_;                                                                            \
        (n) = spc_gen_view_slow((n) - 1, (end), &slow_);                                           \
        if (SPC_GEN_UNLIKELY((n) == NULL)) otherwise;                                              \
        (v) = slow_;                                                                               \
      }                                                                                            \
    }                                                                                              \
  } while (0)

/* Reads a varint that ends before `end`. */
#define SPC_GEN_VIEW_VARINT(n, end, limit, v, otherwise)                                           \
  do {                                                                                             \
    if (SPC_GEN_UNLIKELY((n) >= (end))) otherwise;                                                 \
    SPC_GEN_VIEW_NEXT(n, end, limit, v, otherwise);                                                \
  } while (0)

/* Reads a length that fits before `end`, where at least one byte is left. Long ones are rare. */
#define SPC_GEN_VIEW_LENGTH(n, end, v, otherwise)                                                  \
  do {                                                                                             \
    (v) = *(n)++;                                                                                  \
    if (SPC_GEN_UNLIKELY((v) >= 0x80)) {                                                           \
      uint64_t length_;                                                                            \
      (n) = spc_gen_view_length((n) - 1, (end), &length_);                                         \
      if (SPC_GEN_UNLIKELY((n) == NULL)) otherwise;                                                \
      (v) = length_;                                                                               \
    } else if (SPC_GEN_UNLIKELY(SPC_GEN_PAST(n, v, end))) {                                        \
      otherwise;                                                                                   \
    }                                                                                              \
  } while (0)

/* ---- Writers ---------------------------------------------------------------------------------*/

/*
 * The state of a writer of a whole message, in the caller's memory; generated writers are handles
 * of it, each for a message at its level: the root is at level 0. `id` is that of the innermost
 * open message, so that one compare tells whether a handle is of that one, and the turn of a level
 * is how far its fields have come, for the compare that keeps them in order. All else (an open
 * child that has to be closed first, a closed message, the wrong order, a failure before) is found
 * out by spc_gen_writer_turn. A field's turn is its number or, where a message is written back to
 * front, what is missing from it to 2^29.
 *
 * No two messages of one writer have the same id. Forward it is the low half of the address of the
 * message's length, which only increases, with its top bit inverted where that length has not the
 * one byte that the short way of closing fills in: the root, groups, longer messages. Back to front
 * it is a serial number.
 *
 * Fields are private.
 */
typedef struct spc_gen_level {
  uint32_t id;
  uint32_t turn;
  uint32_t members; /* oneofs that have a member, where order does not tell */
  uint32_t tag;     /* back to front, and of groups */
  uint32_t kind;    /* forward: bytes kept for its length (0 for a group) + 16 times its guess */
  uint8_t *end;     /* of the message, where it is written back to front */
} spc_gen_level;

typedef struct spc_gen_writer {
  uint8_t *p;
  uint8_t *limit; /* where p has SPC_GEN_WRITER_ROOM no more */
  uint32_t id;
  uint32_t at; /* the level of the innermost open message, in bytes */
  uint8_t *begin, *end;
  spc_status status;
  uint32_t serial;
  bool reverse;
  uint8_t guess[16]; /* bytes of lengths, by type; the first, always 1, is of short messages */
  spc_gen_level levels[SPC_WRITER_DEPTH + 2]; /* the last is of handles that failed to open */
} spc_gen_writer;

#define SPC_GEN_LAST       UINT32_C(0x20000000)
#define SPC_GEN_LAST_LEVEL ((SPC_WRITER_DEPTH + 1) * (uint32_t)sizeof(spc_gen_level))

/* Room for the longest of setters, that of a message of six numbers, and for stores of 8 bytes. */
#define SPC_GEN_WRITER_ROOM 112u

/* Begins a message of less than 2 GiB, whatever the capacity; returns its id. */
SPC_API uint32_t spc_gen_writer_init(spc_gen_writer *w, uint8_t *out, size_t capacity,
                                     bool reverse);

/* Makes every later call give the status. */
SPC_API SPC_GEN_COLD spc_status spc_gen_writer_fail(spc_gen_writer *w, spc_status status);

/* Whether it is a field's turn after all, in the message `id` at a level; closes open children. */
SPC_API SPC_GEN_COLD spc_status spc_gen_writer_turn(spc_gen_writer *w, uint32_t id, uint32_t at,
                                                    uint32_t turn, bool again);

/* Write a field of a number or bytes with no byte of room to spare. */
SPC_API spc_status spc_gen_writer_number(spc_gen_writer *w, uint32_t tag, uint64_t v);
SPC_API spc_status spc_gen_writer_bytes(spc_gen_writer *w, uint32_t tag, const void *data,
                                        size_t length);

/* Writes a packed field; values are an array of the field's C type. */
SPC_API spc_status spc_gen_writer_packed(spc_gen_writer *w, const spc_gen_field *field,
                                         const void *values, size_t count);

/* Writes a message that exists, as a field with that tag. */
SPC_API spc_status spc_gen_writer_message(spc_gen_writer *w, uint32_t tag, const spc_gen_type *type,
                                          spc_gen_encode_fn encode, const spc_arena *arena,
                                          uint32_t ref);

/* Opens a message in the innermost one, and closes one, in any case. */
SPC_API uint32_t spc_gen_writer_open(spc_gen_writer *w, uint32_t tag, uint32_t kind);
SPC_API spc_status spc_gen_writer_close(spc_gen_writer *w, uint32_t id, uint32_t at);

/* The length of all, when nothing is open. */
SPC_API spc_status spc_gen_writer_finish(spc_gen_writer *w, uint32_t id, size_t *length);

SPC_GEN_INLINE spc_gen_level *spc_gen_writer_level(spc_gen_writer *w, uint32_t at) {
  return (spc_gen_level *)(void *)((uint8_t *)w->levels + at);
}

/* The id of a message written forward, for whose length `reserved` bytes at `p` are kept. */
SPC_GEN_INLINE uint32_t spc_gen_writer_id(const uint8_t *p, uint32_t reserved) {
  return (uint32_t)(uintptr_t)p ^ (reserved != 1 ? UINT32_C(1) << 31 : 0);
}

/* Whether little room is left. */
SPC_GEN_INLINE bool spc_gen_writer_is_full(const spc_gen_writer *w, bool reverse) {
  uintptr_t p = (uintptr_t)w->p, limit = (uintptr_t)w->limit;
  return reverse ? p < limit : p >= limit;
}

/* `return`s a status when it is not the turn of a field of handle `m`, and takes it otherwise. */
#define SPC_GEN_TURN(m, field_turn, again, then)                                                   \
  do {                                                                                             \
    spc_gen_level *level_ = spc_gen_writer_level((m).w, (m).at);                                   \
    if (SPC_GEN_UNLIKELY((m).w->id != (m).id ||                                                    \
                         level_->turn >= (field_turn) + ((again) ? 1u : 0u))) {                    \
      spc_status turn_ = spc_gen_writer_turn((m).w, (m).id, (m).at, (field_turn), (again));        \
      if (turn_ != SPC_OK) return turn_;                                                           \
    }                                                                                              \
    level_->turn = (then);                                                                         \
  } while (0)

/* The same for a oneof whose members are not next to each other. */
#define SPC_GEN_MEMBER(m, mask)                                                                    \
  do {                                                                                             \
    spc_gen_level *level_ = spc_gen_writer_level((m).w, (m).at);                                   \
    if ((level_->members & (mask)) != 0) return spc_gen_writer_fail((m).w, SPC_FIELD_ORDER);       \
    level_->members |= (mask);                                                                     \
  } while (0)

/* Varints and tags forward; SPC_GEN_ROOM bytes are there. */
SPC_GEN_INLINE uint8_t *spc_gen_add_varint(uint8_t *p, uint64_t v) {
  if (v < 0x80) {
    *p = (uint8_t)v;
    return p + 1;
  }
  if (SPC_GEN_UNLIKELY(v >> 56 != 0)) {
    uint32_t n = spc_gen_varint_size(v);
    return spc_gen_put_large(p + n, v, n) + n;
  }
  uint64_t w = spc_gen_spread_only(v);
  uint32_t top = 63u - (uint32_t)__builtin_clzll(w);
  spc_gen_store64(p, w | UINT64_C(0x0080808080808080) >> (~top & 56));
  return p + (top >> 3) + 1;
}

SPC_GEN_INLINE uint8_t *spc_gen_add_tag(uint8_t *p, uint64_t raw, uint32_t size) {
  (void)spc_gen_put_tag(p + size, raw, size);
  return p + size;
}

/* The level of a message in one at a level. */
SPC_GEN_INLINE uint32_t spc_gen_writer_below(uint32_t at) {
  return at < SPC_GEN_LAST_LEVEL ? at + (uint32_t)sizeof(spc_gen_level) : SPC_GEN_LAST_LEVEL;
}

/* Opens a message at a level, whose tag has `size` bytes; its turn was taken. */
SPC_GEN_INLINE uint32_t spc_gen_writer_enter(spc_gen_writer *w, uint32_t at, uint32_t tag,
                                             uint64_t raw, uint32_t size, uint32_t kind,
                                             bool reverse) {
  if (SPC_GEN_UNLIKELY(at == SPC_GEN_LAST_LEVEL || (!reverse && spc_gen_writer_is_full(w, false))))
    return spc_gen_writer_open(w, tag, kind);
  spc_gen_level *level = spc_gen_writer_level(w, at);
  uint8_t *p = w->p;
  uint32_t id;
  if (reverse) {
    id = ++w->serial;
    level->end = p;
    level->tag = tag;
  } else {
    uint32_t reserved = kind == 0 ? 1 : w->guess[kind];
    p = spc_gen_add_tag(p, raw, size);
    id = spc_gen_writer_id(p, reserved);
    w->p = p + reserved;
    level->kind = kind * 16 + reserved;
  }
  level->id = id;
  memset(&level->turn, 0, sizeof level->turn + sizeof level->members);
  w->id = id;
  w->at = at;
  return id;
}

/*
 * Closes the message `id` at a level: inline when it is the innermost and its length has the one
 * byte that was reserved or, back to front, when its tag has one and there is room.
 */
SPC_GEN_INLINE spc_status spc_gen_writer_leave(spc_gen_writer *w, uint32_t id, uint32_t at,
                                               bool reverse) {
  if (SPC_GEN_UNLIKELY(w->id != id)) return spc_gen_writer_close(w, id, at);
  const spc_gen_level *level = spc_gen_writer_level(w, at);
  uint8_t *p = w->p;
  if (reverse) {
    uint32_t tag = level->tag;
    if (SPC_GEN_UNLIKELY(tag >= 128 || (tag & 7) != 2 || spc_gen_writer_is_full(w, true)))
      return spc_gen_writer_close(w, id, at);
    p = spc_gen_put_varint(p, (uint64_t)(level->end - p));
    *--p = (uint8_t)tag;
    w->p = p;
  } else {
    uint32_t size = (uint32_t)(uintptr_t)p - id; /* with the length */
    if (SPC_GEN_UNLIKELY(size - 1 >= 128)) return spc_gen_writer_close(w, id, at);
    *(p - size) = (uint8_t)(size - 1);
  }
  w->id = level[-1].id;
  w->at = at - (uint32_t)sizeof(spc_gen_level);
  return SPC_OK;
}

SPC_END_DECLS

#endif
