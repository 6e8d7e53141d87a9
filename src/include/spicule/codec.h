/*
 * Protocol Buffers, driven by schemas: messages in an arena, the binary format and ProtoJSON.
 *
 * A schema is compiled from the bytes of a google.protobuf.FileDescriptorSet (proto2, proto3,
 * editions 2023) into one block of read-only tables. Messages are records in an spc_arena.
 *
 * The record layout
 * -----------------
 * It is the ABI between this library, generated code and the bindings: the same bytes natively and
 * in Wasm, little-endian. A reference is a 32-bit byte offset from the arena's base; 0 is "none".
 * A record is 8-aligned and its size a multiple of 8. In this order it has
 *   1. the hasbits, in 16-bit words, numbered from bit 0 of the first on. Bit 0 tells whether the
 *      message has unknown fields. From bit 1 on a field outside a oneof has a bit of its own and a
 *      oneof has one for all its members, in the order of field numbers, a oneof standing where its
 *      lowest member does. A bit is set exactly when the encoder has something to write: the field
 *      is present (explicit presence), is not zero or empty (implicit presence), or has elements
 *      (repeated fields and maps);
 *   2. the cases: for each oneof, in the order of bits, a 16-bit word that is 0 if no member is
 *      set; else the field number of the member or, for numbers from 0xf000 on, 0xf000 + its index
 *      as spc_message_type_field has it;
 *   3. from the next multiple of 4 on, if the type has extension ranges, the extensions word: a
 *      reference to a record of the type that spc_message_type_extensions gives (0: no extension is
 *      set). In such a record the word holds the reference back to the message, and bit 0 is clear;
 *   4. the 4-byte slots, in the order of bits: bool (0 or 1), enum, 32-bit numbers, references to
 *      sub-messages;
 *   5. from the next multiple of 8 on the 8-byte slots, in the order of bits: 64-bit numbers;
 *      strings and bytes as a 32-bit offset and a 32-bit length; repeated fields and maps as a
 *      32-bit offset and a 32-bit count.
 * The members of a oneof share one slot, of 8 bytes if any of them needs that. A slot whose bit is
 * clear (or whose oneof has another case) holds nothing of meaning, but in a record that was made
 * by this library and whose field was never set it is 0.
 * The unknown fields of a message whose bit 0 is set are spans of wire bytes (spc_unknown_span). A
 * table in the arena, the newest block that is registered in it (see arena.h), has them by record:
 * the table's words are the block before, s, the number of entries in use and 0; then come 2^(32-s)
 * entries of a record's reference (0: free) and that of its newest span. The search for a record r
 * starts at entry (r / 8 * 0x9e3779b1 mod 2^32) >> s and goes up, around the end. The entry of a
 * record whose bit 0 is clear means nothing.
 * An array is 4-byte elements (bool, enum, 32-bit numbers, references) or 8-byte elements; the
 * 32-bit word before its first element is its capacity in elements. Elements of 8 bytes are
 * 8-aligned. A map is an array of references to entries: records of the entry type, with fields 1
 * (key) and 2 (value), both always present, and no two entries with the same key. The word before
 * the capacity of a map's array is for the index of its keys; whoever changes an array in another
 * way than by appending entries sets it to 0.
 * Two references may name the same bytes (strings, spans) only where nothing writes to them.
 *
 * The arena of a decoded message holds a copy of the input; nothing refers to the caller's bytes.
 * Pointers into an arena are valid until the next call that may allocate from it.
 */
#ifndef SPICULE_CODEC_H
#define SPICULE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spicule/arena.h"
#include "spicule/status.h"

SPC_BEGIN_DECLS

/* The default limit of nesting, and the highest that an option may ask for, in levels. */
#define SPC_DEPTH_DEFAULT 100u
#define SPC_DEPTH_MAX     256u

typedef struct spc_schema spc_schema;
typedef struct spc_message_type spc_message_type;
typedef struct spc_enum_type spc_enum_type;
typedef struct spc_field spc_field;

/* The numbers of google.protobuf.FieldDescriptorProto.Type. */
typedef enum spc_field_type {
  SPC_TYPE_DOUBLE = 1,
  SPC_TYPE_FLOAT,
  SPC_TYPE_INT64,
  SPC_TYPE_UINT64,
  SPC_TYPE_INT32,
  SPC_TYPE_FIXED64,
  SPC_TYPE_FIXED32,
  SPC_TYPE_BOOL,
  SPC_TYPE_STRING,
  SPC_TYPE_GROUP, /* a message in delimited encoding */
  SPC_TYPE_MESSAGE,
  SPC_TYPE_BYTES,
  SPC_TYPE_UINT32,
  SPC_TYPE_ENUM,
  SPC_TYPE_SFIXED32,
  SPC_TYPE_SFIXED64,
  SPC_TYPE_SINT32,
  SPC_TYPE_SINT64
} spc_field_type;

/* ---- Schemas ---------------------------------------------------------------------------------*/

/*
 * Compiles the FileDescriptorSet in `descriptors` and stores the reference of the schema within
 * `arena` in `*schema`: `spc_arena_at(arena, *schema)` is a `const spc_schema *`. Every type that
 * is named has to be in the set. The schema is the last thing that the arena holds after the call
 * and has no addresses inside: it may be copied to any 8-aligned place. Work memory is taken from
 * the arena too and given back.
 * SPC_BAD_DESCRIPTOR, SPC_UNRESOLVED_NAME, SPC_DUPLICATE_NAME: the descriptors are broken;
 *   `error->path` is "<file>: <full name of the message, field or enum>". SPC_COUNT_LIMIT: a
 *   message is too wide for a record of 64 KiB. Also what spc_decode gives.
 */
SPC_API spc_status spc_schema_build(spc_arena *arena, const uint8_t *descriptors, size_t length,
                                    uint32_t *schema, spc_error *error);

/* Bytes of a schema, for copying it. */
SPC_API size_t spc_schema_size(const spc_schema *schema);

/* The message type, enum or extension of that full name (no leading dot), or NULL. */
SPC_API const spc_message_type *spc_schema_message(const spc_schema *schema, const char *name,
                                                   size_t name_length);
SPC_API const spc_enum_type *spc_schema_enum(const spc_schema *schema, const char *name,
                                             size_t name_length);
SPC_API const spc_field *spc_schema_extension(const spc_schema *schema, const char *name,
                                              size_t name_length);

/* The message types in order of declaration, nested ones after their parent; NULL past the end. */
SPC_API uint32_t spc_schema_message_count(const spc_schema *schema);
SPC_API const spc_message_type *spc_schema_message_at(const spc_schema *schema, uint32_t index);

/* What a message type says of itself. */
typedef struct spc_message_type_info {
  const char *name; /* full name; zero-terminated */
  uint32_t name_length;
  uint32_t record_size;       /* bytes */
  uint32_t hasbit_count;      /* with bit 0 */
  uint32_t extensions_offset; /* of the extensions word; 0 without extension ranges */
  uint32_t field_count;
  uint32_t oneof_count;
  bool map_entry;
} spc_message_type_info;

SPC_API spc_message_type_info spc_message_type_describe(const spc_message_type *type);

/* Field by index in order of numbers (extensions not included), NULL past the end. */
SPC_API const spc_field *spc_message_type_field(const spc_message_type *type, uint32_t index);

/* Field by number, extensions included; by name or JSON name, without extensions. NULL: none. */
SPC_API const spc_field *spc_message_type_by_number(const spc_message_type *type, uint32_t number);
SPC_API const spc_field *spc_message_type_by_name(const spc_message_type *type, const char *name,
                                                  size_t name_length);
SPC_API const spc_field *spc_message_type_by_json_name(const spc_message_type *type,
                                                       const char *name, size_t name_length);

/* The type whose fields are the known extensions of `type`, or NULL. */
SPC_API const spc_message_type *spc_message_type_extensions(const spc_message_type *type);

typedef struct spc_field_info {
  const char *name; /* zero-terminated, as is json_name */
  const char *json_name;
  uint32_t name_length, json_name_length;
  uint32_t number;
  spc_field_type type;
  uint32_t offset;       /* of the slot in the record */
  uint32_t case_offset;  /* of the oneof's case; 0 outside a oneof */
  uint32_t case_value;   /* what the case is when this member is set */
  uint32_t bit;          /* hasbit */
  uint32_t element_size; /* of an array of this field, or of the singular slot: 4 or 8 */
  bool repeated;         /* maps included */
  bool map;
  bool packed;
  bool explicit_presence; /* false for repeated fields */
  bool required;
  bool utf8;                       /* strings are checked */
  bool extension;                  /* lives in the extensions record */
  const spc_message_type *message; /* of a message, group or map (its entry); else NULL */
  const spc_enum_type *enumeration;
  const spc_message_type *owner; /* of an extension: the type that spc_message_type_extensions
                                    gives */
  uint64_t default_value;        /* as in spc_value.bits; strings and bytes: see below */
  const uint8_t *default_bytes;
  uint32_t default_length;
} spc_field_info;

SPC_API spc_field_info spc_field_describe(const spc_field *field);

/* The name of a oneof by index (as in the record: in order of declaration), or NULL. */
SPC_API const char *spc_message_type_oneof(const spc_message_type *type, uint32_t index,
                                           uint32_t *case_offset);

/* Values of an enum: full name, count, name by number (the first declared; NULL), by name. */
SPC_API const char *spc_enum_type_name(const spc_enum_type *type);
SPC_API const char *spc_enum_type_value_name(const spc_enum_type *type, int32_t number,
                                             uint32_t *name_length);
SPC_API bool spc_enum_type_value_number(const spc_enum_type *type, const char *name,
                                        size_t name_length, int32_t *number);
SPC_API bool spc_enum_type_closed(const spc_enum_type *type);

/* ---- Messages --------------------------------------------------------------------------------*/

/* A message: a record of a type in an arena. The struct is a handle and may be copied. */
typedef struct spc_message {
  spc_arena *arena;
  const spc_message_type *type;
  uint32_t ref;
} spc_message;

/* Bytes in an arena. */
typedef struct spc_slice {
  uint32_t offset;
  uint32_t length;
} spc_slice;

/* The value of a field or element; the field's type tells which member. */
typedef union spc_value {
  uint64_t bits; /* the others start at its low end; unused high bits are 0 */
  bool boolean;
  int32_t i32; /* also enums */
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
  float f32;
  double f64;
  spc_slice slice;  /* string, bytes */
  uint32_t message; /* reference of the record, 0 for an absent message */
} spc_value;

/* A run of unknown fields in wire format. Walking from the newest gives them last to first. */
typedef struct spc_unknown_span {
  uint32_t previous; /* reference, 0 at the oldest */
  spc_slice bytes;
  uint32_t reserved;
} spc_unknown_span;

/* Makes an empty message. SPC_OUT_OF_MEMORY. */
SPC_API spc_status spc_message_new(spc_arena *arena, const spc_message_type *type,
                                   spc_message *message);

/*
 * Whether a field is present (explicit presence), not zero (implicit) or not empty (repeated).
 * `field` has to be of the message's type or one of its extensions, here and below; a field of
 * another type gives false or SPC_WRONG_TYPE.
 */
SPC_API bool spc_has(const spc_message *message, const spc_field *field);

/* The number of the member that is set in a field's oneof, 0 for none or outside a oneof. */
SPC_API uint32_t spc_case(const spc_message *message, const spc_field *field);

/*
 * The value of a singular field, or its default. The default of a string or bytes field is not in
 * the arena: the result is then an empty slice and spc_field_describe has the default. An absent
 * message is 0.
 */
SPC_API spc_value spc_get(const spc_message *message, const spc_field *field);

/*
 * Sets a singular field; in a oneof that clears the other members. Zero in a field with implicit
 * presence clears it. Strings, bytes and messages have to be in the message's arena
 * (spc_arena_put copies bytes there); strings that are checked have to be UTF-8.
 * SPC_WRONG_TYPE: the field is repeated or not of this message. SPC_BAD_UTF8.
 * SPC_INVALID_ARGUMENT: a slice outside the arena, or no message. SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_set(const spc_message *message, const spc_field *field, spc_value value);

/* Clears a field of any kind; of a oneof only if it is the member that is set. */
SPC_API void spc_clear(const spc_message *message, const spc_field *field);

/* The sub-message of a singular message field, made if absent. SPC_WRONG_TYPE, SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_mutable(const spc_message *message, const spc_field *field,
                               spc_message *sub);

/* A sub-message for reading: false and an empty handle (ref 0) if it is absent. */
SPC_API bool spc_sub(const spc_message *message, const spc_field *field, spc_message *sub);

/* The elements of a repeated field, the entries of a map (which `at` gives as messages). */
SPC_API uint32_t spc_count(const spc_message *message, const spc_field *field);

/* Element `index`, which has to be below the count (else a zero value). */
SPC_API spc_value spc_at(const spc_message *message, const spc_field *field, uint32_t index);

/* Replaces element `index`. SPC_WRONG_TYPE, SPC_INVALID_ARGUMENT, SPC_BAD_UTF8. Not for maps. */
SPC_API spc_status spc_set_at(const spc_message *message, const spc_field *field, uint32_t index,
                              spc_value value);

/* Appends an element. As spc_set; not for maps. */
SPC_API spc_status spc_append(const spc_message *message, const spc_field *field, spc_value value);

/* Appends an empty message to a repeated message field and gives it. */
SPC_API spc_status spc_append_message(const spc_message *message, const spc_field *field,
                                      spc_message *element);

/*
 * The entry of a map by key, made with a zero value (an empty message) if `create` and absent.
 * For a string key the slice is in the arena. A map of more than 16 entries gets an index in the
 * arena, so that this takes the same time for maps of any size. Keys of entries must not be set.
 * SPC_NOT_FOUND, SPC_WRONG_TYPE, SPC_BAD_UTF8, SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_map_entry(const spc_message *message, const spc_field *field, spc_value key,
                                 bool create, spc_message *entry);

/* Removes a map entry, keeping the order of the others; *removed tells if there was one. */
SPC_API spc_status spc_map_remove(const spc_message *message, const spc_field *field, spc_value key,
                                  bool *removed);

/* Copies bytes into an arena. SPC_OUT_OF_MEMORY. */
SPC_API spc_status spc_arena_put(spc_arena *arena, const void *bytes, size_t length,
                                 spc_slice *slice);

/* The newest span of unknown fields, or 0; see spc_unknown_span. */
SPC_API uint32_t spc_unknown(const spc_message *message);

/* Appends unknown fields in wire format, which are checked; drops all of a message's own. */
SPC_API spc_status spc_unknown_append(const spc_message *message, const uint8_t *bytes,
                                      size_t length, spc_error *error);
SPC_API void spc_unknown_clear(const spc_message *message);

/* Clears every field and the unknown fields. */
SPC_API void spc_message_clear(const spc_message *message);

/*
 * Merges `from` into `into`, as if the encoding of `from` were decoded into it: set singular
 * fields replace, messages merge, elements are appended, map entries replace. Nothing is shared
 * afterwards; the arenas may be the same. SPC_WRONG_TYPE: types differ. SPC_OUT_OF_MEMORY.
 * SPC_DEPTH_LIMIT: nested deeper than SPC_DEPTH_MAX.
 */
SPC_API spc_status spc_merge(const spc_message *into, const spc_message *from);

/* A deep copy in `arena`. Statuses as spc_merge. */
SPC_API spc_status spc_clone(const spc_message *from, spc_arena *arena, spc_message *copy);

/*
 * Whether two messages are equal: the same fields set to the same values, maps in any order, the
 * same unknown bytes in the same order; floating-point values by their bits. False for messages
 * nested deeper than SPC_DEPTH_MAX. Work memory for large maps is taken from b's arena and given
 * back; a full arena makes it slower.
 */
SPC_API bool spc_equal(const spc_message *a, const spc_message *b);

/*
 * SPC_MISSING_REQUIRED with `error->path` if a required field is absent anywhere in the message;
 * SPC_DEPTH_LIMIT.
 */
SPC_API spc_status spc_check_required(const spc_message *message, spc_error *error);

/* ---- Binary format ---------------------------------------------------------------------------*/

enum {
  SPC_DECODE_DISCARD_UNKNOWN = 1 << 0, /* drop unknown fields */
  SPC_DECODE_STRICT = 1 << 1,          /* an unknown field is SPC_UNKNOWN_FIELD */
  SPC_DECODE_PARTIAL = 1 << 2          /* required fields may be missing */
};

/* Fields that are 0 take their default. */
typedef struct spc_decode_options {
  uint32_t flags;
  uint32_t max_depth; /* levels of messages and groups below the root: SPC_DEPTH_DEFAULT */
  uint64_t max_size;  /* bytes of input: 2^31 - 1, which is also the highest */
  uint64_t max_count; /* elements of any one repeated field or map: 2^28 */
} spc_decode_options;

/*
 * Decodes `input` into a new message of `type`. `options` may be NULL. On failure the arena's
 * contents are as before.
 * SPC_TRUNCATED, SPC_OVERLONG_VARINT, SPC_BAD_FIELD_NUMBER, SPC_BAD_WIRE_TYPE, SPC_GROUP_MISMATCH,
 * SPC_BAD_UTF8, SPC_UNKNOWN_FIELD: at `error->offset`, in the field `error->path`. A value that is
 * not whole is named by where it or its field begins, not by where the input ends.
 * SPC_DEPTH_LIMIT, SPC_SIZE_LIMIT, SPC_COUNT_LIMIT: the limit is in `error->limit`.
 * SPC_MISSING_REQUIRED: the field is in `error->path`. SPC_OUT_OF_MEMORY: the arena is full.
 */
SPC_API spc_status spc_decode(spc_arena *arena, const spc_message_type *type, const uint8_t *input,
                              size_t length, const spc_decode_options *options,
                              spc_message *message, spc_error *error);

/*
 * Decodes into a message that exists, merging with what it has. On failure the message may have
 * part of the input, and what was allocated stays in the arena.
 */
SPC_API spc_status spc_decode_merge(const spc_message *message, const uint8_t *input, size_t length,
                                    const spc_decode_options *options, spc_error *error);

enum {
  SPC_ENCODE_DETERMINISTIC = 1 << 0, /* map entries sorted by key, in the message itself too */
  SPC_ENCODE_PARTIAL = 1 << 1        /* required fields may be missing */
};

/* Fields that are 0 take their default. */
typedef struct spc_encode_options {
  uint32_t flags;
  uint32_t max_depth; /* SPC_DEPTH_DEFAULT */
} spc_encode_options;

/*
 * Encodes a message into the END of `out`: the bytes are out[capacity - *length ... capacity - 1].
 * Fields are in order of number, extensions and then unknown fields after them. Nothing is
 * allocated. `options` may be NULL.
 * SPC_BUFFER_TOO_SMALL: `*length` and `error->limit` are the size that is needed; `capacity` may
 *   be 0 to ask for it. SPC_DEPTH_LIMIT (a message that contains itself too).
 *   SPC_SIZE_LIMIT: longer than 2^31 - 1 bytes. SPC_MISSING_REQUIRED.
 */
SPC_API spc_status spc_encode_back(const spc_message *message, uint8_t *out, size_t capacity,
                                   const spc_encode_options *options, size_t *length,
                                   spc_error *error);

/* The same with the bytes at the start of `out`. */
SPC_API spc_status spc_encode(const spc_message *message, uint8_t *out, size_t capacity,
                              const spc_encode_options *options, size_t *length, spc_error *error);

/* ---- ProtoJSON -------------------------------------------------------------------------------*/

enum {
  SPC_JSON_EMIT_DEFAULTS = 1 << 0,  /* write fields without presence when zero or empty */
  SPC_JSON_PROTO_NAMES = 1 << 1,    /* write names as in the .proto file, not lowerCamelCase */
  SPC_JSON_ENUM_NUMBERS = 1 << 2,   /* write enum values as numbers */
  SPC_JSON_IGNORE_UNKNOWN = 1 << 3, /* read: skip fields and enum names that the type lacks */
  SPC_JSON_PARTIAL = 1 << 4         /* required fields may be missing */
};

/* Fields that are 0 take their default. */
typedef struct spc_json_options {
  uint32_t flags;
  uint32_t max_depth; /* levels of messages, lists and objects: SPC_DEPTH_DEFAULT */
} spc_json_options;

/*
 * Writes a message as JSON, without white space, into `out`. `schema` is where the types of
 * google.protobuf.Any values are looked up; it may be NULL, and must not be in the message's arena
 * if that can grow. Work memory for Any is taken from the message's arena and given back.
 * 64-bit numbers are strings, as ProtoJSON has it, and exact; floating-point numbers are the
 * shortest that read back the same. Unknown fields are left out. Both names are read.
 * SPC_BUFFER_TOO_SMALL: `*length` and `error->limit` are the size that is needed; `capacity` may
 *   be 0 to ask for it. SPC_BAD_JSON_VALUE: a value that JSON has no form for, such as a
 *   Timestamp out of range, in `error->path`. SPC_UNKNOWN_TYPE: of an Any. SPC_BAD_UTF8: in a
 *   string that is not checked. SPC_DEPTH_LIMIT, SPC_OUT_OF_MEMORY, SPC_MISSING_REQUIRED; also
 *   what spc_decode gives, for the value of an Any.
 */
SPC_API spc_status spc_to_json(const spc_message *message, const spc_schema *schema, char *out,
                               size_t capacity, const spc_json_options *options, size_t *length,
                               spc_error *error);

/*
 * Reads JSON into a new message. On failure the arena's contents are as before.
 * SPC_BAD_JSON: not JSON. SPC_BAD_JSON_VALUE: a value that does not fit its field, or a field or
 *   oneof that is set twice. SPC_UNKNOWN_FIELD; SPC_UNKNOWN_TYPE: of an Any. SPC_BAD_UTF8.
 *   All with `error->offset` in the text and `error->path`.
 * SPC_DEPTH_LIMIT, SPC_SIZE_LIMIT, SPC_OUT_OF_MEMORY, SPC_MISSING_REQUIRED.
 */
SPC_API spc_status spc_from_json(spc_arena *arena, const spc_message_type *type,
                                 const spc_schema *schema, const char *json, size_t json_length,
                                 const spc_json_options *options, spc_message *message,
                                 spc_error *error);

/* ---- Views -----------------------------------------------------------------------------------*/

/*
 * A message read from its wire bytes, without decoding and without memory of its own. The bytes
 * have to stay as they are while the view is used. Each read checks what it reads; nothing else of
 * the message is looked at. Fields are private.
 */
typedef struct spc_view {
  const spc_message_type *type;
  const uint8_t *begin, *end;
  const uint8_t *cursor; /* where the last field was found, in an ordered message */
  uint32_t order;        /* whether the fields come in order, once that is known */
} spc_view;

/* A field as it stands on the wire. */
typedef struct spc_view_value {
  const spc_field *field; /* NULL: an unknown field, or a number outside a closed enum */
  uint32_t number;
  bool packed;          /* a run of packed elements, in bytes */
  spc_value value;      /* of a number, bool or enum that is not packed */
  const uint8_t *bytes; /* of a string, bytes, message, map entry, group (without its tags) or */
  size_t length;        /* packed run; of an unknown field all of it, tag included */
} spc_view_value;

/* A place in a view: spc_view_next and spc_view_element go on from it. Fields are private. */
typedef struct spc_view_place {
  const uint8_t *p;
  const uint8_t *packed, *packed_end;
} spc_view_place;

/* A view of `length` bytes of a message of `type`. Any bytes field of another view will do. */
SPC_API void spc_view_init(spc_view *view, const spc_message_type *type, const uint8_t *bytes,
                           size_t length);

/* The place before the first field. */
SPC_API spc_view_place spc_view_start(const spc_view *view);

/*
 * The next field in the order of the wire, one pass over all. SPC_NOT_FOUND at the end.
 * The statuses of spc_decode for what is malformed, with `error->offset`.
 */
SPC_API spc_status spc_view_next(const spc_view *view, spc_view_place *place, spc_view_value *value,
                                 spc_error *error);

/*
 * A singular field. The last on the wire counts, and in a oneof the last member; SPC_NOT_FOUND:
 * absent. Where fields are in order of their numbers, as encoders write them, reading in that
 * order takes one pass for all together, after one that looks at the order; otherwise one pass
 * each. SPC_MALFORMED: a message field that comes in several parts, which only decoding can merge.
 * SPC_WRONG_TYPE; SPC_BAD_UTF8 and the other statuses of spc_view_next.
 */
SPC_API spc_status spc_view_get(spc_view *view, const spc_field *field, spc_view_value *value,
                                spc_error *error);

/*
 * The next element of a repeated field or map (entries, with a key maybe more than once), packed or
 * not, behind `place`. SPC_NOT_FOUND at the end. Else as spc_view_get.
 */
SPC_API spc_status spc_view_element(const spc_view *view, const spc_field *field,
                                    spc_view_place *place, spc_view_value *value, spc_error *error);

/* The view of a message, group or map entry that was read. False if it is something else. */
SPC_API bool spc_view_sub(const spc_view_value *value, spc_view *sub);

/* ---- Columns ---------------------------------------------------------------------------------*/

/* Fields that spc_select follows at once, and how many may be on a path. */
#define SPC_SELECT_COLUMNS 32767u
#define SPC_SELECT_DEPTH   32u

/*
 * A field on the paths of spc_select. One that others have as their parent leads to them; the other
 * ones are columns. A column has a value for each place where its field stands or could stand: for
 * each element of the innermost repeated field on the way, itself included; where there is none,
 * one. The lists are references in the arena.
 */
typedef struct spc_column {
  uint32_t parent; /* 1 + the index of the message field that it is in; 0: of the message itself */
  uint32_t number;
  /* Results. How many values a column has; else how many messages, absent ones included. */
  uint32_t count;
  /* Numbers as in arrays of records, 0 where absent; of strings, bytes and messages where they
   * begin in the input and, in `lengths`, how long they are: 32 bits each. */
  uint32_t values, lengths;
  uint32_t present; /* a byte for each value, 1 where it is there */
  /* Of a repeated field: where the elements of each parent begin, and the count of all; 32 bits
   * each. */
  uint32_t starts;
} spc_column;

/*
 * Reads the columns of a message in one pass over its bytes; nothing else of it is looked at. A
 * parent comes before what is in it, and no field twice. The last value on the wire counts, and in
 * a oneof the last member. Lists and what it works with are allocated in `arena`. SPC_MALFORMED: a
 * message field on the way comes in several parts, which only decoding can merge. SPC_BAD_UTF8 and
 * the other statuses of spc_decode for what is malformed, with `error->offset`. SPC_UNKNOWN_FIELD,
 * SPC_WRONG_TYPE, SPC_INVALID_ARGUMENT: of the columns. SPC_DEPTH_LIMIT, SPC_COUNT_LIMIT: of them.
 * SPC_SIZE_LIMIT, SPC_OUT_OF_MEMORY.
 */
SPC_API spc_status spc_select(spc_arena *arena, const spc_message_type *type, const uint8_t *input,
                              size_t length, spc_column *columns, uint32_t count, spc_error *error);

/* ---- Writers ---------------------------------------------------------------------------------*/

/* The levels that a writer can have open. */
#define SPC_WRITER_DEPTH 32u

/*
 * Writes a message forward into a buffer, field by field, without memory of its own. Fields have to
 * come in order of their numbers. A failure sticks: what is called after it gives the same status
 * and does nothing. Fields are private.
 */
typedef struct spc_writer {
  uint8_t *begin, *p, *end;
  spc_status status;
  uint32_t depth;
  struct {
    const spc_message_type *type;
    const spc_field *field; /* through which the level was opened */
    uint8_t *start;
    uint64_t oneofs; /* those that have a member, of the first 63 */
    uint32_t last;   /* number of the last field */
  } levels[SPC_WRITER_DEPTH + 1];
} spc_writer;

SPC_API void spc_writer_init(spc_writer *writer, const spc_message_type *type, uint8_t *out,
                             size_t capacity);

/*
 * Writes a number, bool or enum; for a repeated field an element. Zero in a field with implicit
 * presence writes nothing. SPC_WRONG_TYPE: not a field of the open message or not of that kind.
 * SPC_FIELD_ORDER: a field with a higher number, or this one, was written, or a member of its
 * oneof (in a message of more than 63 oneofs, one of the first 63). SPC_BUFFER_TOO_SMALL. All
 * statuses hold for the functions below too.
 */
SPC_API spc_status spc_writer_value(spc_writer *writer, const spc_field *field, spc_value value);

/* Writes a repeated field of numbers that is declared as packed, all of it. */
SPC_API spc_status spc_writer_packed(spc_writer *writer, const spc_field *field,
                                     const spc_value *values, size_t count);

/* Writes a string or bytes, or an element. SPC_BAD_UTF8. */
SPC_API spc_status spc_writer_bytes(spc_writer *writer, const spc_field *field, const void *bytes,
                                    size_t length);

/*
 * Opens a message, group, map entry or element: fields are written to it until spc_writer_close.
 * SPC_DEPTH_LIMIT: SPC_WRITER_DEPTH are open. spc_writer_close: SPC_INVALID_STATE: none is.
 */
SPC_API spc_status spc_writer_open(spc_writer *writer, const spc_field *field);
SPC_API spc_status spc_writer_close(spc_writer *writer);

/* Writes a message that exists. Also the statuses of spc_encode. */
SPC_API spc_status spc_writer_message(spc_writer *writer, const spc_field *field,
                                      const spc_message *message);

/* The length of what was written. SPC_INVALID_STATE: a message is open. */
SPC_API spc_status spc_writer_finish(const spc_writer *writer, size_t *length);

SPC_END_DECLS

#endif
