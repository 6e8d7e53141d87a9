/*
 * The compiled form of a schema: one block of bytes without absolute addresses, so that it may be
 * copied anywhere that is 8-aligned. A reference inside it is a signed distance in bytes from the
 * struct that holds it (SPC__AT); 0 stands for "none".
 *
 * Everything here was checked when it was built and is trusted afterwards.
 */
#ifndef SPC_CODEC_TABLE_H
#define SPC_CODEC_TABLE_H

#include "spicule/codec.h"

/* The object of type `type` at distance `distance` from `self`. */
#define SPC__AT(type, self, distance)                                                              \
  ((const type *)(const void *)((const uint8_t *)(self) + (distance)))

/* How a field is decoded and encoded. The first three are those that a message can end with, as
 * far as the decoder is concerned, without anything left to do for it. */
typedef enum spc__kind {
  SPC__VARINT,
  SPC__MESSAGE,
  SPC__REPEATED_MESSAGE,
  SPC__MAP_ENTRIES,
  SPC__BYTES,
  SPC__FIXED32,
  SPC__FIXED64,
  SPC__BOOLEAN,
  SPC__CLOSED_ENUM,
  SPC__GROUP,
  SPC__REPEATED_GROUP,
  SPC__REPEATED_BYTES,
  SPC__REPEATED_VARINT,
  SPC__REPEATED_FIXED32,
  SPC__REPEATED_FIXED64,
  SPC__REPEATED_CLOSED_ENUM,
  SPC__ITEM,    /* a message in a message set */
  SPC__NO_FIELD /* the sentinel */
} spc__kind;

enum {
  SPC__EXPLICIT = 1 << 0, /* present even when zero; must be bit 0 */
  SPC__ONEOF = 1 << 1,
  SPC__UTF8 = 1 << 2,   /* of a string */
  SPC__SIGNED = 1 << 2, /* of a 4-byte number: a varint carries it with its sign extended */
  SPC__PACKED = 1 << 3,
  SPC__BOOL = 1 << 4,
  SPC__REQUIRED = 1 << 5,
  SPC__MAP = 1 << 6,
  SPC__REPEATED = 1 << 7
};

struct spc_field {
  uint32_t tag;         /* number and wire type as encoded (the start tag of a group) */
  uint16_t offset;      /* of the slot in the record */
  uint16_t case_offset; /* of the oneof's case; outside a oneof the same as offset */
  uint16_t case_value;  /* what the case is when this member is set */
  uint16_t has_at;      /* offset of the byte with the hasbit, */
  uint8_t has;          /* which this masks */
  uint8_t kind;         /* spc__kind */
  uint8_t flags;
  uint8_t zigzag;     /* 1 for sint32 and sint64 */
  uint8_t high;       /* 4 in a field of 8-byte values, else 0 */
  uint8_t tag_length; /* bytes of the tag */
  uint8_t type;       /* spc_field_type */
  uint8_t reserved;
  uint32_t raw;      /* the first four bytes of the tag, as loaded from the wire */
  uint32_t raw_mask; /* (wire & raw_mask) == raw holds when the tag follows; see sch_fill_field */
  int32_t sub;       /* spc_message_type or spc_enum_type */
  int32_t info;      /* spc__field_info */
  uint32_t sub_size; /* bytes of a record of spc_message_type */
  uint64_t mask;     /* of the varint's value */
};

typedef struct spc__field_info {
  int32_t owner; /* spc_message_type */
  int32_t name;  /* zero-terminated, as are all names */
  int32_t json_name;
  uint16_t name_length, json_name_length;
  uint16_t oneof;         /* 1 + index, 0 outside */
  uint16_t index;         /* of the field in the owner's fields, from 1 */
  int32_t extension_name; /* full name of an extension */
  uint32_t extension_name_length;
  uint32_t default_length; /* bytes of the default at default_data */
  int32_t default_data;
  uint64_t default_value; /* of a field that is not string or bytes */
} spc__field_info;

enum {
  SPC__MAP_ENTRY = 1 << 0,
  SPC__MESSAGE_SET = 1 << 1,
  SPC__SCATTERED = 1 << 2, /* number order is not bit order, or more than 64 bits */
  SPC__EXTENSIONS = 1 << 3 /* this type holds the extensions of another */
};

/* Well-known types that ProtoJSON treats apart; also tells which wrapper. */
typedef enum spc__special {
  SPC__PLAIN,
  SPC__ANY,
  SPC__TIMESTAMP,
  SPC__DURATION,
  SPC__FIELD_MASK,
  SPC__STRUCT,
  SPC__VALUE,
  SPC__LIST_VALUE,
  SPC__WRAPPER
} spc__special;

struct spc_message_type {
  uint32_t size;           /* bytes of a record */
  uint32_t dense;          /* numbers below this are in index */
  uint64_t has_mask;       /* the hasbits of fields within the first eight bytes of a record */
  int32_t extensions;      /* the type that holds the extensions; from that one back to the owner */
  uint16_t extension_slot; /* offset of the reference to the other record */
  uint16_t field_count;
  uint16_t oneof_count;
  uint16_t bit_count; /* hasbits, with bit 0, which tells of unknown fields */
  uint8_t flags;
  uint8_t special; /* spc__special */
  int32_t fields;  /* spc_field[field_count + 1] by number; the first is the sentinel */
  int32_t by_bit; /* uint16_t[bit_count]: distance of the (first) field, in 8 bytes; not of bit 0 */
  int32_t by_name; /* uint16_t[field_count]: indices of fields sorted by name */
  int32_t by_json_name;
  int32_t oneofs; /* spc__oneof[oneof_count] */
  int32_t name;
  uint32_t name_length;
  uint8_t required;     /* a required field is in this type or in one below it */
  uint8_t own_required; /* a required field is in this type */
  uint16_t reserved;
  uint16_t index[]; /* distance of the field by number, in 8 bytes */
};

typedef struct spc__oneof {
  int32_t name;
  uint16_t name_length;
  uint16_t case_offset;
  uint16_t bit;
  uint16_t offset; /* of the storage */
  uint16_t wide;   /* the storage has 8 bytes */
  uint16_t reserved;
} spc__oneof;

typedef struct spc__enum_value {
  int32_t number;
  int32_t name;
  uint32_t name_length;
} spc__enum_value;

struct spc_enum_type {
  uint64_t low_values; /* bit n: number n < 64 is a value */
  uint32_t value_count;
  uint8_t closed;
  uint8_t null_value; /* this is google.protobuf.NullValue */
  uint16_t reserved;
  int32_t values;  /* spc__enum_value[value_count], by number, aliases in order of declaration */
  int32_t by_name; /* uint32_t[value_count]: indices of values sorted by name */
  int32_t name;
  uint32_t name_length;
};

typedef enum spc__symbol_kind {
  SPC__SYMBOL_MESSAGE = 1,
  SPC__SYMBOL_ENUM,
  SPC__SYMBOL_EXTENSION
} spc__symbol_kind;

typedef struct spc__symbol {
  int32_t name;
  uint32_t name_length;
  int32_t object;
  uint32_t kind;
} spc__symbol;

struct spc_schema {
  uint32_t size; /* bytes of the whole block */
  uint32_t symbol_count;
  uint32_t message_count;
  int32_t symbols;  /* spc__symbol[symbol_count], sorted by name */
  int32_t messages; /* int32_t[message_count], in order of declaration: distance from the schema */
  uint32_t reserved;
};

static inline const spc_message_type *spc__sub_message(const spc_field *field) {
  return SPC__AT(spc_message_type, field, field->sub);
}

static inline const spc_enum_type *spc__sub_enum(const spc_field *field) {
  return SPC__AT(spc_enum_type, field, field->sub);
}

static inline const spc__field_info *spc__info(const spc_field *field) {
  return SPC__AT(spc__field_info, field, field->info);
}

static inline uint32_t spc__number(const spc_field *field) {
  return field->tag >> 3;
}

static inline uint32_t spc__has_bit(const spc_field *field) {
  return field->has_at * 8u + (uint32_t)__builtin_ctz(field->has);
}

/* Field `i` of a type in order of numbers; i = 0 is the sentinel. */
static inline const spc_field *spc__field_at(const spc_message_type *type, uint32_t i) {
  return SPC__AT(spc_field, type, type->fields) + i;
}

static inline const spc_message_type *spc__extensions(const spc_message_type *type) {
  return SPC__AT(spc_message_type, type, type->extensions);
}

/* The field of a number that `index` does not cover, or the sentinel. */
const spc_field *spc__find_sparse(const spc_message_type *type, uint32_t number);

/* The field of that number or the sentinel, whose kind is SPC__NO_FIELD; not extensions. */
static inline const spc_field *spc__find(const spc_message_type *type, uint32_t number) {
  if (__builtin_expect(number < type->dense, 1))
    return SPC__AT(spc_field, type, (uint32_t)type->index[number] << 3);
  return spc__find_sparse(type, number);
}

/* Cases from here on are this and the index of the field, from 0, in order of numbers. */
#define SPC__CASE_INDEX 0xf000u

/* The field that a oneof's case stands for. */
static inline const spc_field *spc__member(const spc_message_type *type, uint32_t value) {
  if (__builtin_expect(value < SPC__CASE_INDEX, 1)) return spc__find(type, value);
  uint32_t index = value - SPC__CASE_INDEX + 1;
  return spc__field_at(type, index <= type->field_count ? index : 0);
}

/* Whether a closed enum has the number. */
bool spc__enum_has(const spc_enum_type *type, int32_t number);

static inline bool spc__is_message(const spc_field *field) {
  return field->type == SPC_TYPE_MESSAGE || field->type == SPC_TYPE_GROUP;
}

static inline bool spc__is_bytes(const spc_field *field) {
  return field->type == SPC_TYPE_STRING || field->type == SPC_TYPE_BYTES;
}

/* Bytes of one element in an array: 8 for 64-bit numbers, strings and bytes, else 4. */
static inline uint32_t spc__element_size(const spc_field *field) {
  return field->high != 0 || spc__is_bytes(field) ? 8 : 4;
}

#endif
