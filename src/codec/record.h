/* Records and arrays in an arena, shared by everything that reads or writes messages. */
#ifndef SPC_CODEC_RECORD_H
#define SPC_CODEC_RECORD_H

#include "codec/table.h"
#include "codec/wire.h"

/* The depth limit that an option stands for. */
SPC__INLINE uint32_t spc__depth(uint32_t option) {
  if (option == 0) return SPC_DEPTH_DEFAULT;
  return option < SPC_DEPTH_MAX ? option : SPC_DEPTH_MAX;
}

/* A path element at a time, for errors: "a", ".b", "[3]". */
void spc__path_name(spc_error *error, const spc_field *field);
void spc__path_text(spc_error *error, const char *text);
void spc__path_index(spc_error *error, uint64_t index);

/* Where a walk through messages is: fields and, within arrays, elements. Lives on the stack. */
typedef struct spc__trail {
  const struct spc__trail *up;
  const spc_field *field;
  uint64_t index; /* SPC_NO_POSITION for a field that is not an array */
} spc__trail;

/* Appends a trail, of at most SPC_DEPTH_MAX steps, to the path of an error. */
void spc__path_trail(spc_error *error, const spc__trail *trail);

/*
 * A field on the way to the place of a failure: what `enter` says of the field of a number in a
 * message type, when it has put its name behind the path. False: there is no such field.
 */
typedef struct spc__step {
  const void *sub; /* the type of its messages, or NULL */
  bool group, repeated;
} spc__step;

typedef bool (*spc__enter)(spc_error *error, const void *type, uint32_t number, spc__step *step);

/* Appends the fields that lead to the byte `at` of a message, as far as it can be read. */
void spc__find_path(spc_error *error, spc__enter enter, const void *type, const uint8_t *input,
                    size_t length, size_t at);

SPC__INLINE uint8_t *spc__record(const spc_message *m) {
  return m->arena->base + m->ref;
}

SPC__INLINE void spc__put_has(uint8_t *record, const spc_field *f, bool on) {
  uint8_t *byte = record + f->has_at;
  *byte = (uint8_t)(on ? *byte | f->has : *byte & ~f->has);
}

/* Whether the field is set in a record of its own type. */
SPC__INLINE bool spc__present(const uint8_t *record, const spc_field *f) {
  return (record[f->has_at] & f->has) != 0 &&
         ((f->flags & SPC__ONEOF) == 0 || spc__load16_le(record + f->case_offset) == f->case_value);
}

/* Makes the field the member of its oneof. Outside a oneof this spoils the slot, to be set next. */
SPC__INLINE void spc__put_case(uint8_t *record, const spc_field *f) {
  spc__store16_le(record + f->case_offset, f->case_value);
}

/* A zeroed record. */
spc_status spc__new_record(spc_arena *arena, const spc_message_type *type, uint32_t *ref);

/*
 * The record that holds a field: the message's own, or that of its extensions, which is made if
 * `create`. *ref = 0: there is none. False: the field is not of this message.
 */
bool spc__home(const spc_message *m, const spc_field *f, bool create, uint32_t *ref,
               spc_status *status);

/* The extensions record of a record, 0 if none; made by spc__make_extensions. */
SPC__INLINE uint32_t spc__extensions_ref(const uint8_t *record, const spc_message_type *type) {
  return type->extension_slot == 0 || type->extensions == 0
             ? 0
             : spc__load32_le(record + type->extension_slot);
}
spc_status spc__make_extensions(spc_arena *arena, const spc_message_type *type, uint32_t record,
                                uint32_t *ref);

/*
 * Gives the array whose slot lies at arena offset `slot` room for `capacity` elements, which is
 * not less than its count; elements are kept.
 */
spc_status spc__array_resize(spc_arena *arena, uint32_t slot, uint32_t capacity,
                             const spc_field *f);

/* Room for one element more; the count stays. */
spc_status spc__array_room(spc_arena *arena, uint32_t slot, const spc_field *f);

SPC__INLINE uint32_t spc__array_capacity(const spc_arena *arena, uint32_t array) {
  return array == 0 ? 0 : spc__load32_le(arena->base + array - 4);
}

/* The newest span of a record's unknown fields, 0 if there is none. */
#define SPC__HAS_UNKNOWN 1u /* in the first byte of a record */
uint32_t spc__unknown_of(const spc_arena *arena, uint32_t record);

/* Adds wire bytes that are in the arena to a record's unknown fields. */
spc_status spc__add_unknown(spc_arena *arena, uint32_t record, uint32_t offset, uint32_t length);

/* ---- Maps (an array of references to entries) */

/* For spc__sort over entry indices. */
typedef struct spc__map_order {
  const spc_arena *arena;
  uint32_t array;
  const spc_field *key;
} spc__map_order;

/* The key field of a map. */
SPC__INLINE const spc_field *spc__map_key(const spc_field *map) {
  return spc__field_at(spc__sub_message(map), 1);
}

SPC__INLINE const spc_field *spc__map_value(const spc_field *map) {
  return spc__field_at(spc__sub_message(map), 2);
}

/* Order of two entries, at these references, by key. */
int spc__compare_keys(const spc_arena *arena, const spc_field *key, uint32_t a, uint32_t b);

/* The same for spc__sort: `context` is a spc__map_order. */
int spc__compare_entries(const void *context, uint32_t i, uint32_t j);

/* Whether two entries, each in its arena, have the same key. */
bool spc__same_key(const spc_field *key, const spc_arena *a, uint32_t x, const spc_arena *b,
                   uint32_t y);

/*
 * Makes the index of a large map, whose slot lies at arena offset `slot`, or brings it up to date.
 * Without one, when memory is short, look-ups are slower.
 */
void spc__map_prepare(spc_arena *arena, uint32_t slot, const spc_field *key);

/* Takes back an index that was made since the arena's use was `used`, which it is then again. */
void spc__map_forget(spc_arena *arena, uint32_t slot, size_t used);

/* The entry with the key that the entry `like` has in the arena `from`, or 0. */
uint32_t spc__map_find(const spc_arena *arena, uint32_t slot, const spc_field *key,
                       const spc_arena *from, uint32_t like);

/* Removes an entry from its map, keeping the order of the others. */
void spc__map_remove(const spc_arena *arena, uint32_t slot, const spc_field *key, uint32_t entry);

/*
 * A new entry with that key, whose value is zero or an empty message, behind the others: the caller
 * sees to it that keys are unique.
 */
spc_status spc__map_append(const spc_message *m, const spc_field *map, spc_value key,
                           spc_message *entry);

/*
 * Makes keys unique: the last entry of a key stays, in the place of the first. Of the key field,
 * its type and place count.
 */
spc_status spc__map_unique(spc_arena *arena, uint32_t slot, const spc_field *key);

/* Sorts an array of `count` entries by key. */
void spc__sort_entries(const spc_arena *arena, uint32_t array, uint32_t count,
                       const spc_field *key);

/* ---- Decoding, by tables and by generated code */

/* The limits that options stand for. */
void spc__decode_limits(const spc_decode_options *options, uint64_t *max_size, uint64_t *max_count);

/* Whether input lies in the arena, which may move. */
SPC__INLINE bool spc__inside(const spc_arena *arena, const uint8_t *input) {
  return arena->base != NULL && input >= arena->base && input < arena->base + arena->used;
}

/* Copies input, which may lie in the arena, to it, with SPC__PAD zero bytes behind. */
spc_status spc__copy_input(spc_arena *arena, const uint8_t *input, size_t length, uint32_t *copy);

/*
 * As spc_decode, of `length` bytes that are in the arena at the offset `at`, where `length +
 * SPC__PAD` bytes were allocated for them: nothing is copied, the message refers to them there. Its
 * record is the next thing that is allocated.
 */
spc_status spc__decode_placed(spc_arena *arena, const spc_message_type *type, uint32_t at,
                              size_t length, const spc_decode_options *options,
                              spc_message *message, spc_error *error);

#endif
