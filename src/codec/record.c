/*
 * Records and arrays. Every array has its capacity in the word before its first element; one of
 * 4-byte elements starts 4 behind an 8-aligned place, one of 8-byte elements and a map 8 behind (a
 * map has a second word before its capacity, which the decoder uses as a mark).
 */
#include "codec/record.h"

#include <string.h>

#include "codec/number.h"
#include "codec/sort.h"

#define RECORD_MAX_COUNT (UINT64_C(1) << 28)

#define RECORD_SMALL_MAP 16u /* entries that are looked through one by one */

static void record_path(spc_error *error, const char *text, size_t length) {
  size_t at = strlen(error->path);
  for (size_t i = 0; i < length && at + 1 < SPC_ERROR_PATH_SIZE; i++)
    error->path[at++] = text[i];
  error->path[at] = '\0';
}

void spc__path_text(spc_error *error, const char *text) {
  record_path(error, text, strlen(text));
}

void spc__path_name(spc_error *error, const spc_field *field) {
  if (error == NULL || field->info == 0) return;
  const spc__field_info *info = spc__info(field);
  if (error->path[0] != '\0') record_path(error, ".", 1);
  if (info->extension_name != 0) {
    record_path(error, "[", 1);
    record_path(error, SPC__AT(char, info, info->extension_name), info->extension_name_length);
    record_path(error, "]", 1);
  } else {
    record_path(error, SPC__AT(char, info, info->name), info->name_length);
  }
}

void spc__path_index(spc_error *error, uint64_t index) {
  char digits[SPC__NUMBER_SIZE];
  if (error == NULL) return;
  record_path(error, "[", 1);
  record_path(error, digits, spc__format_u64(digits, index));
  record_path(error, "]", 1);
}

void spc__path_trail(spc_error *error, const spc__trail *trail) {
  const spc__trail *steps[SPC_DEPTH_MAX];
  uint32_t n = 0;
  for (; trail != NULL && n < SPC_DEPTH_MAX; trail = trail->up)
    steps[n++] = trail;
  while (n-- > 0) {
    spc__path_name(error, steps[n]->field);
    if (steps[n]->index != SPC_NO_POSITION) spc__path_index(error, steps[n]->index);
  }
}

/* How many fields of a number lie from `p` to `end`, which is known to be well-formed. */
static uint64_t record_count(const uint8_t *p, const uint8_t *end, uint32_t number) {
  uint64_t count = 0;
  spc_status status;
  uint32_t tag = 0;
  const uint8_t *at;
  for (; p != NULL && p < end; count += tag >> 3 == number) {
    p = spc__tag(p, end, &tag, &status);
    if (p != NULL) p = spc__skip(p, end, tag, SPC_DEPTH_MAX, &status, &at);
  }
  return count;
}

void spc__find_path(spc_error *error, spc__enter enter, const void *type, const uint8_t *input,
                    size_t length, size_t at) {
  const uint8_t *p = input, *end = input + length, *begin = input, *bad;
  while (p < end) {
    uint64_t n;
    spc_status status;
    spc__step step;
    const uint8_t *start = p, *value = spc__varint(p, end, &n);
    if (value == NULL || n > UINT32_MAX) return;
    uint32_t tag = (uint32_t)n;
    p = spc__skip(value, end, tag, SPC_DEPTH_MAX, &status, &bad);
    if (p != NULL && (size_t)(p - input) <= at) continue;
    if (!enter(error, type, tag >> 3, &step)) return;
    bool group = step.group && (tag & 7) == SPC__WIRE_START;
    if (step.sub == NULL || (!group && p == NULL)) return;
    if (!group) value = spc__varint(value, end, &n);
    if ((size_t)(value - input) > at) return;
    if (step.repeated) spc__path_index(error, record_count(begin, start, tag >> 3));
    if (p != NULL) end = p;
    begin = p = value;
    type = step.sub;
  }
}

spc_status spc__new_record(spc_arena *arena, const spc_message_type *type, uint32_t *ref) {
  uint32_t size = type->size;
  spc_status status = spc_arena_alloc(arena, size, ref);
  if (status == SPC_OK) memset(arena->base + *ref, 0, size);
  return status;
}

spc_status spc__make_extensions(spc_arena *arena, const spc_message_type *type, uint32_t record,
                                uint32_t *ref) {
  const spc_message_type *extensions = spc__extensions(type);
  *ref = spc__load32_le(arena->base + record + type->extension_slot);
  if (*ref != 0) return SPC_OK;
  spc_status status = spc__new_record(arena, extensions, ref);
  if (status != SPC_OK) return status;
  spc__store32_le(arena->base + *ref + extensions->extension_slot, record);
  spc__store32_le(arena->base + record + type->extension_slot, *ref);
  return SPC_OK;
}

static bool record_owns(const spc_message_type *type, const spc_field *f) {
  return f >= spc__field_at(type, 1) && f <= spc__field_at(type, type->field_count);
}

bool spc__home(const spc_message *m, const spc_field *f, bool create, uint32_t *ref,
               spc_status *status) {
  *status = SPC_OK;
  *ref = m->ref;
  if (record_owns(m->type, f)) return true;
  *ref = 0;
  *status = SPC_WRONG_TYPE;
  const spc_message_type *extensions = spc_message_type_extensions(m->type);
  if (extensions == NULL || !record_owns(extensions, f)) return false;
  *status = SPC_OK;
  if (create)
    *status = spc__make_extensions(m->arena, m->type, m->ref, ref);
  else
    *ref = spc__extensions_ref(spc__record(m), m->type);
  return true;
}

spc_status spc__array_resize(spc_arena *arena, uint32_t slot, uint32_t capacity,
                             const spc_field *f) {
  uint32_t size = spc__element_size(f), ref;
  uint32_t head = size == 8 || (f->flags & SPC__MAP) != 0 ? 8 : 4;
  uint64_t bytes = (uint64_t)capacity * size + head;
  if (bytes > UINT32_MAX) return SPC_OUT_OF_MEMORY;
  spc_status status = spc_arena_alloc(arena, (size_t)bytes, &ref);
  if (status != SPC_OK) return status;
  uint32_t old = spc__load32_le(arena->base + slot), n = spc__load32_le(arena->base + slot + 4);
  ref += head;
  if (head == 8)
    spc__store32_le(arena->base + ref - 8, n == 0 ? 0 : spc__load32_le(arena->base + old - 8));
  spc__store32_le(arena->base + ref - 4, capacity);
  if (n != 0) memcpy(arena->base + ref, arena->base + old, (size_t)n * size);
  spc__store32_le(arena->base + slot, ref);
  return SPC_OK;
}

spc_status spc__array_room(spc_arena *arena, uint32_t slot, const spc_field *f) {
  uint32_t n = spc__load32_le(arena->base + slot + 4);
  if (n < spc__array_capacity(arena, spc__load32_le(arena->base + slot))) return SPC_OK;
  if (n > UINT32_MAX / 32) return SPC_OUT_OF_MEMORY;
  return spc__array_resize(arena, slot, n < 2 ? 4 : n * 2, f);
}

/* ---- Unknown fields */

/*
 * The table of the records that have unknown fields: open addressing, never more than half full.
 * A record that has none any more keeps its entry, which means nothing while the bit is clear.
 */
typedef struct record_table {
  uint32_t previous; /* the smaller table that this one replaced: see spc_arena_rewind */
  uint32_t shift;    /* 2^(32 - shift) entries */
  uint32_t count;
  uint32_t reserved;
} record_table;

typedef struct record_entry {
  uint32_t record, newest;
} record_entry;

static record_table *record_table_of(const spc_arena *arena) {
  uint32_t ref = spc__load32_le(arena->base);
  return ref == 0 ? NULL : (record_table *)spc_arena_at(arena, ref);
}

/* The entry of a record, or the free one where it would be. */
static record_entry *record_find(record_table *table, uint32_t record) {
  record_entry *entries = (record_entry *)(table + 1);
  uint32_t last = UINT32_MAX >> table->shift, i = (record >> 3) * 0x9e3779b1u >> table->shift;
  while (entries[i].record != record && entries[i].record != 0)
    i = (i + 1) & last;
  return &entries[i];
}

/* Room for one entry more. */
static spc_status record_table_grow(spc_arena *arena) {
  uint32_t old_ref = spc__load32_le(arena->base), ref;
  record_table *old = record_table_of(arena);
  uint32_t shift = old == NULL ? 29 : old->shift - 1;
  if (old != NULL && old->count < UINT32_C(1) << (31 - old->shift)) return SPC_OK;
  if (shift < 4) return SPC_OUT_OF_MEMORY;
  size_t size = sizeof(record_table) + (sizeof(record_entry) << (32 - shift));
  spc_status status = spc_arena_alloc(arena, size, &ref);
  if (status != SPC_OK) return status;
  record_table *table = (record_table *)spc_arena_at(arena, ref);
  memset(table, 0, size);
  table->previous = old_ref;
  table->shift = shift;
  spc__store32_le(arena->base, ref);
  if (old_ref == 0) return SPC_OK;
  old = (record_table *)spc_arena_at(arena, old_ref);
  const record_entry *entries = (const record_entry *)(old + 1);
  for (uint32_t i = 0; i <= UINT32_MAX >> old->shift; i++)
    if (entries[i].record != 0) *record_find(table, entries[i].record) = entries[i];
  table->count = old->count;
  return SPC_OK;
}

uint32_t spc__unknown_of(const spc_arena *arena, uint32_t record) {
  if ((arena->base[record] & SPC__HAS_UNKNOWN) == 0) return 0;
  record_table *table = record_table_of(arena);
  return table == NULL ? 0 : record_find(table, record)->newest;
}

spc_status spc__add_unknown(spc_arena *arena, uint32_t record, uint32_t offset, uint32_t length) {
  uint32_t newest = spc__unknown_of(arena, record), ref;
  if (length == 0) return SPC_OK;
  if (newest != 0) {
    uint8_t *span = arena->base + newest;
    uint32_t own = spc__load32_le(span + 8);
    if (spc__load32_le(span + 4) + own == offset) {
      spc__store32_le(span + 8, own + length);
      return SPC_OK;
    }
  }
  spc_status status = record_table_grow(arena);
  if (status == SPC_OK) status = spc_arena_alloc(arena, sizeof(spc_unknown_span), &ref);
  if (status != SPC_OK) return status;
  uint8_t *span = arena->base + ref;
  spc__store32_le(span, newest);
  spc__store32_le(span + 4, offset);
  spc__store32_le(span + 8, length);
  spc__store32_le(span + 12, 0);
  record_table *table = record_table_of(arena);
  record_entry *entry = record_find(table, record);
  if (entry->record == 0) table->count++;
  *entry = (record_entry){record, ref};
  arena->base[record] |= SPC__HAS_UNKNOWN;
  return SPC_OK;
}

/* ---- Maps */

int spc__compare_keys(const spc_arena *arena, const spc_field *key, uint32_t a, uint32_t b) {
  const uint8_t *x = arena->base + a + key->offset, *y = arena->base + b + key->offset;
  if (spc__is_bytes(key))
    return spc__compare_names((const char *)arena->base + spc__load32_le(x), spc__load32_le(x + 4),
                              (const char *)arena->base + spc__load32_le(y), spc__load32_le(y + 4));
  uint64_t v = key->high != 0 ? spc__load64_le(x) : spc__load32_le(x);
  uint64_t w = key->high != 0 ? spc__load64_le(y) : spc__load32_le(y);
  switch (key->type) {
  case SPC_TYPE_INT32:
  case SPC_TYPE_SINT32:
  case SPC_TYPE_SFIXED32:
    v ^= UINT64_C(1) << 31;
    w ^= UINT64_C(1) << 31;
    break;
  case SPC_TYPE_INT64:
  case SPC_TYPE_SINT64:
  case SPC_TYPE_SFIXED64:
    v ^= UINT64_C(1) << 63;
    w ^= UINT64_C(1) << 63;
    break;
  default:
    break;
  }
  return (v > w) - (v < w);
}

int spc__compare_entries(const void *context, uint32_t i, uint32_t j) {
  const spc__map_order *order = (const spc__map_order *)context;
  const uint8_t *array = order->arena->base + order->array;
  return spc__compare_keys(order->arena, order->key, spc__load32_le(array + i * 4),
                           spc__load32_le(array + j * 4));
}

bool spc__same_key(const spc_field *key, const spc_arena *a, uint32_t x, const spc_arena *b,
                   uint32_t y) {
  const uint8_t *p = a->base + x + key->offset, *q = b->base + y + key->offset;
  if (!spc__is_bytes(key)) return memcmp(p, q, spc__element_size(key)) == 0;
  uint32_t length = spc__load32_le(p + 4);
  return length == spc__load32_le(q + 4) &&
         (length == 0 ||
          memcmp(a->base + spc__load32_le(p), b->base + spc__load32_le(q), length) == 0);
}

/*
 * The index of a large map: its entries by key, open addressing, at most half full. Its reference
 * is the first word of the array's head (0: none; 1: a mark of the decoder).
 */
typedef struct record_index {
  uint32_t shift; /* 2^(32 - shift) places */
  uint32_t count; /* the first so many entries of the map are in; some may have been removed */
  uint32_t used;  /* places */
  uint32_t reserved;
} record_index;

#define RECORD_REMOVED 1u /* in the place of an entry */

static uint32_t record_hash(const spc_arena *arena, const spc_field *key, uint32_t entry) {
  const uint8_t *p = arena->base + entry + key->offset;
  uint64_t h = spc__element_size(key) == 8 ? spc__load64_le(p) : spc__load32_le(p);
  if (spc__is_bytes(key)) {
    const uint8_t *text = arena->base + spc__load32_le(p);
    uint32_t n = spc__load32_le(p + 4);
    h = n;
    for (; n >= 8; n -= 8, text += 8)
      h = (h ^ spc__load64_le(text)) * UINT64_C(0x9e3779b97f4a7c15), h ^= h >> 29;
    for (; n != 0; n--)
      h = (h ^ *text++) * UINT64_C(0x100000001b3);
  }
  h ^= h >> 32;
  h *= UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(h >> 32);
}

static record_index *record_index_of(const spc_arena *arena, uint32_t slot) {
  uint32_t array = spc__load32_le(arena->base + slot);
  uint32_t ref = array == 0 ? 0 : spc__load32_le(arena->base + array - 8);
  return ref <= 1 ? NULL : (record_index *)spc_arena_at(arena, ref);
}

/* Puts the entries from index->count on in. */
static void record_index_fill(const spc_arena *arena, record_index *index, uint32_t slot,
                              const spc_field *key) {
  uint32_t n = spc__load32_le(arena->base + slot + 4), last = UINT32_MAX >> index->shift;
  const uint8_t *array = arena->base + spc__load32_le(arena->base + slot);
  uint32_t *places = (uint32_t *)(index + 1);
  for (; index->count < n; index->count++, index->used++) {
    uint32_t entry = spc__load32_le(array + (size_t)index->count * 4);
    uint32_t i = record_hash(arena, key, entry) >> index->shift;
    while (places[i] != 0)
      i = (i + 1) & last;
    places[i] = entry;
  }
}

void spc__map_prepare(spc_arena *arena, uint32_t slot, const spc_field *key) {
  uint32_t n = spc__load32_le(arena->base + slot + 4), ref, shift = 27;
  if (n <= RECORD_SMALL_MAP) return;
  record_index *index = record_index_of(arena, slot);
  if (index == NULL || index->count > n ||
      index->used + (n - index->count) > UINT32_C(1) << (31 - index->shift)) {
    while (UINT32_C(1) << (30 - shift) < n && shift > 4)
      shift--;
    size_t size = sizeof(record_index) + ((size_t)4 << (32 - shift));
    if (shift <= 4 || spc_arena_alloc(arena, size, &ref) != SPC_OK) {
      spc__store32_le(arena->base + spc__load32_le(arena->base + slot) - 8, 0);
      return;
    }
    index = (record_index *)spc_arena_at(arena, ref);
    memset(index, 0, size);
    index->shift = shift;
    spc__store32_le(arena->base + spc__load32_le(arena->base + slot) - 8, ref);
  }
  record_index_fill(arena, index, slot, key);
}

void spc__map_forget(spc_arena *arena, uint32_t slot, size_t used) {
  spc__store32_le(arena->base + spc__load32_le(arena->base + slot) - 8, 0);
  spc_arena_rewind(arena, used);
}

/* The place of the entry with that key in an index, NULL if there is none. */
static uint32_t *record_place(const spc_arena *arena, record_index *index, const spc_field *key,
                              const spc_arena *from, uint32_t like) {
  uint32_t *places = (uint32_t *)(index + 1), last = UINT32_MAX >> index->shift;
  uint32_t i = record_hash(from, key, like) >> index->shift;
  for (; places[i] != 0; i = (i + 1) & last)
    if (places[i] != RECORD_REMOVED && spc__same_key(key, arena, places[i], from, like))
      return &places[i];
  return NULL;
}

uint32_t spc__map_find(const spc_arena *arena, uint32_t slot, const spc_field *key,
                       const spc_arena *from, uint32_t like) {
  uint32_t n = spc__load32_le(arena->base + slot + 4);
  record_index *index = record_index_of(arena, slot);
  if (index != NULL && index->count == n) {
    const uint32_t *place = record_place(arena, index, key, from, like);
    return place == NULL ? 0 : *place;
  }
  const uint8_t *array = arena->base + spc__load32_le(arena->base + slot);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t entry = spc__load32_le(array + (size_t)i * 4);
    if (spc__same_key(key, arena, entry, from, like)) return entry;
  }
  return 0;
}

void spc__map_remove(const spc_arena *arena, uint32_t slot, const spc_field *key, uint32_t entry) {
  uint32_t n = spc__load32_le(arena->base + slot + 4), i = 0;
  uint8_t *array = arena->base + spc__load32_le(arena->base + slot);
  record_index *index = record_index_of(arena, slot);
  if (index != NULL && index->count == n) {
    uint32_t *place = record_place(arena, index, key, arena, entry);
    if (place != NULL) *place = RECORD_REMOVED;
    index->count--;
  }
  while (i < n && spc__load32_le(array + (size_t)i * 4) != entry)
    i++;
  if (i == n) return;
  memmove(array + (size_t)i * 4, array + (size_t)(i + 1) * 4, (size_t)(n - i - 1) * 4);
  spc__store32_le(arena->base + slot + 4, n - 1);
}

spc_status spc__map_unique(spc_arena *arena, uint32_t slot, const spc_field *key) {
  uint32_t n = spc__load32_le(arena->base + slot + 4), ref, kept = 0;
  size_t before = arena->used;
  if (n < 2) return SPC_OK;
  spc_status status = spc_arena_alloc(arena, (size_t)n * 4, &ref);
  if (status != SPC_OK) return status;
  uint32_t *items = (uint32_t *)spc_arena_at(arena, ref);
  spc__map_order order = {arena, spc__load32_le(arena->base + slot), key};
  for (uint32_t i = 0; i < n; i++)
    items[i] = i;
  spc__sort(items, n, spc__compare_entries, &order);
  uint8_t *array = arena->base + order.array;
  spc__store32_le(array - 8, 0);
  for (uint32_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && spc__compare_entries(&order, items[i], items[j]) == 0; j++) {
      spc__store32_le(array + items[i] * 4, spc__load32_le(array + items[j] * 4));
      /* Not cleared at once: the comparison reads it. */
    }
    for (uint32_t k = i + 1; k < j; k++)
      spc__store32_le(array + items[k] * 4, 0);
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t entry = spc__load32_le(array + i * 4);
    if (entry != 0) spc__store32_le(array + kept++ * 4, entry);
  }
  spc__store32_le(arena->base + slot + 4, kept);
  spc_arena_rewind(arena, before);
  return SPC_OK;
}

/* For spc__sort over the references of entries. */
static int record_compare_entries(const void *context, uint32_t a, uint32_t b) {
  const spc__map_order *order = (const spc__map_order *)context;
  return spc__compare_keys(order->arena, order->key, a, b);
}

void spc__sort_entries(const spc_arena *arena, uint32_t array, uint32_t count,
                       const spc_field *key) {
  spc__map_order order = {arena, 0, key};
  /* An index that lacks the last entries could not tell afterwards which those are. */
  if (count != 0) spc__store32_le(arena->base + array - 8, 0);
  spc__sort((uint32_t *)spc_arena_at(arena, array), count, record_compare_entries, &order);
}

void spc__decode_limits(const spc_decode_options *options, uint64_t *max_size,
                        uint64_t *max_count) {
  *max_size = options->max_size;
  *max_count = options->max_count;
  if (*max_size == 0 || *max_size > INT32_MAX) *max_size = INT32_MAX;
  if (*max_count == 0 || *max_count > RECORD_MAX_COUNT) *max_count = RECORD_MAX_COUNT;
}

spc_status spc__copy_input(spc_arena *arena, const uint8_t *input, size_t length, uint32_t *copy) {
  bool inside = spc__inside(arena, input);
  size_t within = inside ? (size_t)(input - arena->base) : 0;
  spc_status status = spc_arena_alloc(arena, length + SPC__PAD, copy);
  if (status != SPC_OK) return status;
  if (inside) input = arena->base + within;
  if (length != 0) memcpy(arena->base + *copy, input, length);
  memset(arena->base + *copy + length, 0, SPC__PAD);
  return SPC_OK;
}
