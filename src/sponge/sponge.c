/*
 * The sponge object. Absorbing is lazy: elements fill a cache of three, which is added to the state
 * and permuted when a fourth arrives. The cache keeps the canonical bytes, and a slot keeps its old
 * element until it is overwritten; these stale slots are part of the serialized form. A chunk is
 * absorbed as a stream that starts with the cached elements: all but its last one to three elements
 * are permuted in blocks, and each cache slot ends with the last element of the stream at a
 * position congruent to the slot modulo three.
 */
#include "spicule/sponge.h"

#include <string.h>

#include "sponge/sponge_internal.h"

#define SPONGE_STATE_AT      SPC_SPONGE_RATE                      /* element of state[0] */
#define SPONGE_FIELDS        (SPC_SPONGE_RATE + SPC_SPONGE_WIDTH) /* cache and state */
#define SPONGE_CACHE_SIZE_AT (SPONGE_FIELDS * SPC_FIELD_BYTES)
#define SPONGE_SQUEEZED_AT   (SPONGE_CACHE_SIZE_AT + 4)
#define SPONGE_ABSORBED_AT   (SPONGE_SQUEEZED_AT + 1)

_Static_assert(sizeof(spc__fr[SPC_SPONGE_WIDTH]) <= sizeof(((spc_sponge *)0)->state),
               "a state has to fit into the public struct");

static uint32_t sponge_limit(const spc_sponge *self) {
  return self->max_fields != 0 ? self->max_fields : UINT32_MAX;
}

static void sponge_start(spc_sponge *self, const uint8_t iv[SPC_FIELD_BYTES], uint32_t max_fields) {
  spc__fr state[SPC_SPONGE_WIDTH] = {{{0}}};
  spc__fr_from_bytes(&state[3], iv);
  memset(self, 0, sizeof *self);
  memcpy(self->state, state, sizeof state);
  self->max_fields = max_fields;
}

spc_status spc_sponge_init(spc_sponge *self, const uint8_t iv[SPC_FIELD_BYTES], spc_error *error) {
  spc_status status = spc__sponge_check(iv, 1, error);
  if (status == SPC_OK) sponge_start(self, iv, 0);
  return status;
}

spc_status spc_sponge_blob_init(spc_sponge *self, uint32_t max_fields, spc_error *error) {
  if (max_fields == 0) return spc__fail(error, SPC_INVALID_ARGUMENT);
  uint8_t iv[SPC_FIELD_BYTES];
  spc__sponge_iv(iv, max_fields);
  sponge_start(self, iv, max_fields);
  return SPC_OK;
}

/* Adds whole blocks to the state, permuting after each: the cache, then `blocks` - 1 of `fields`.
 */
static void sponge_permute(spc_sponge *self, const uint8_t *cache, const uint8_t *fields,
                           size_t blocks) {
  const spc__poseidon2_kernel *kernel = spc__poseidon2_single();
  spc__fr state[SPC_SPONGE_WIDTH];
  memcpy(state, self->state, sizeof state);
  kernel->absorb(state, cache, 1);
  kernel->absorb(state, fields, blocks - 1);
  memcpy(self->state, state, sizeof state);
}

spc_status spc_sponge_absorb(spc_sponge *self, const uint8_t *fields, size_t count,
                             spc_error *error) {
  if (self->squeezed) return spc__fail(error, SPC_INVALID_STATE);
  uint32_t limit = sponge_limit(self);
  if (count > limit - self->absorbed) return spc__fail_limit(error, SPC_COUNT_LIMIT, limit);
  spc_status status = spc__sponge_check(fields, count, error);
  if (status != SPC_OK || count == 0) return status;

  size_t rest = self->cache_size + count, at = self->cache_size;
  size_t blocks = (rest - 1) / SPC_SPONGE_RATE;
  self->absorbed += (uint32_t)count;
  if (blocks > 0) {
    size_t fill = SPC_SPONGE_RATE - at;
    memcpy(self->cache[at], fields, fill * SPC_FIELD_BYTES);
    fields += fill * SPC_FIELD_BYTES;
    sponge_permute(self, self->cache[0], fields, blocks);
    fields += (blocks - 1) * sizeof self->cache;
    if (blocks > 1) memcpy(self->cache, fields - sizeof self->cache, sizeof self->cache);
    rest -= blocks * SPC_SPONGE_RATE;
    at = 0;
  }
  memcpy(self->cache[at], fields, (rest - at) * SPC_FIELD_BYTES);
  self->cache_size = (uint32_t)rest;
  return SPC_OK;
}

spc_status spc_sponge_squeeze(spc_sponge *self, uint8_t out[SPC_FIELD_BYTES], spc_error *error) {
  if (self->squeezed) return spc__fail(error, SPC_INVALID_STATE);
  uint8_t block[sizeof self->cache] = {0};
  memcpy(block, self->cache, self->cache_size * SPC_FIELD_BYTES);
  sponge_permute(self, block, NULL, 1);
  self->squeezed = true;
  spc__fr state[SPC_SPONGE_WIDTH];
  memcpy(state, self->state, sizeof state);
  spc__fr_to_bytes(out, &state[0]);
  return SPC_OK;
}

/* Cache and state, which both serialized forms start with. */
static void sponge_write_fields(const spc_sponge *self, uint8_t *out) {
  spc__fr state[SPC_SPONGE_WIDTH];
  memcpy(state, self->state, sizeof state);
  memcpy(out, self->cache, sizeof self->cache);
  for (int i = 0; i < SPC_SPONGE_WIDTH; i++)
    spc__fr_to_bytes(out + SPC_FIELD_BYTES * (SPONGE_STATE_AT + i), &state[i]);
}

void spc_sponge_to_bytes(const spc_sponge *self, uint8_t out[SPC_SPONGE_BYTES]) {
  sponge_write_fields(self, out);
  spc__store32_be(out + SPONGE_CACHE_SIZE_AT, self->cache_size);
  out[SPONGE_SQUEEZED_AT] = self->squeezed;
  spc__store32_be(out + SPONGE_ABSORBED_AT, self->absorbed);
}

void spc_sponge_to_fields(const spc_sponge *self,
                          uint8_t out[SPC_SPONGE_FIELDS * SPC_FIELD_BYTES]) {
  const uint32_t counts[] = {self->cache_size, self->squeezed, self->absorbed};
  sponge_write_fields(self, out);
  memset(out + SPONGE_CACHE_SIZE_AT, 0, 3 * SPC_FIELD_BYTES);
  for (int i = 0; i < 3; i++)
    spc__store32_be(out + SPONGE_CACHE_SIZE_AT + SPC_FIELD_BYTES * (i + 1) - 4, counts[i]);
}

/* What follows cache and state: the value and byte offset of cache size, squeeze flag, absorbed. */
enum { SPONGE_CACHE_SIZE, SPONGE_SQUEEZED, SPONGE_ABSORBED, SPONGE_COUNTS };

typedef struct sponge_counts {
  uint32_t value[SPONGE_COUNTS];
  size_t at[SPONGE_COUNTS];
} sponge_counts;

static spc_status sponge_fail_count(spc_error *error, spc_status status,
                                    const sponge_counts *counts, uint32_t which) {
  spc__fail_index(error, status, SPONGE_FIELDS + which);
  if (error != NULL) error->offset = counts->at[which];
  return status;
}

static bool sponge_is_zero(const uint8_t *field) {
  static const uint8_t zero[SPC_FIELD_BYTES];
  return memcmp(field, zero, sizeof zero) == 0;
}

/* Restores a sponge from canonical cache and state, if absorbing can lead there. */
static spc_status sponge_restore(spc_sponge *self, const uint8_t *fields,
                                 const sponge_counts *counts, uint32_t max_fields,
                                 spc_error *error) {
  const uint8_t *state = fields + SPONGE_STATE_AT * SPC_FIELD_BYTES;
  uint32_t cache_size = counts->value[SPONGE_CACHE_SIZE];
  uint32_t squeezed = counts->value[SPONGE_SQUEEZED];
  uint32_t absorbed = counts->value[SPONGE_ABSORBED];
  if (cache_size > SPC_SPONGE_RATE)
    return sponge_fail_count(error, SPC_BAD_SPONGE, counts, SPONGE_CACHE_SIZE);
  if (squeezed > 1) return sponge_fail_count(error, SPC_BAD_SPONGE, counts, SPONGE_SQUEEZED);
  if (max_fields != 0 && absorbed > max_fields) {
    sponge_fail_count(error, SPC_COUNT_LIMIT, counts, SPONGE_ABSORBED);
    if (error != NULL) error->limit = max_fields;
    return SPC_COUNT_LIMIT;
  }
  if (cache_size != (absorbed == 0 ? 0 : (absorbed - 1) % SPC_SPONGE_RATE + 1))
    return sponge_fail_count(error, SPC_BAD_SPONGE, counts, SPONGE_CACHE_SIZE);
  for (uint32_t i = absorbed; i < SPC_SPONGE_RATE; i++) {
    if (!sponge_is_zero(fields + SPC_FIELD_BYTES * i))
      return spc__sponge_fail_at(error, SPC_BAD_SPONGE, i);
  }
  if (max_fields != 0 && squeezed == 0 && absorbed <= SPC_SPONGE_RATE) {
    uint8_t start[SPC_STATE_BYTES] = {0};
    spc__sponge_iv(start + SPC_STATE_BYTES - SPC_FIELD_BYTES, max_fields);
    for (uint32_t i = 0; i < SPC_SPONGE_WIDTH; i++) {
      if (memcmp(state + SPC_FIELD_BYTES * i, start + SPC_FIELD_BYTES * i, SPC_FIELD_BYTES) != 0)
        return spc__sponge_fail_at(error, SPC_BAD_SPONGE, SPONGE_STATE_AT + i);
    }
  }

  spc__fr elements[SPC_SPONGE_WIDTH];
  for (int i = 0; i < SPC_SPONGE_WIDTH; i++)
    spc__fr_from_bytes(&elements[i], state + SPC_FIELD_BYTES * i);
  memset(self, 0, sizeof *self);
  memcpy(self->state, elements, sizeof elements);
  memcpy(self->cache, fields, sizeof self->cache);
  self->cache_size = cache_size;
  self->absorbed = absorbed;
  self->max_fields = max_fields;
  self->squeezed = squeezed != 0;
  return SPC_OK;
}

spc_status spc_sponge_from_bytes(spc_sponge *self, const uint8_t *bytes, size_t length,
                                 uint32_t max_fields, spc_error *error) {
  if (length != SPC_SPONGE_BYTES) return spc__fail_limit(error, SPC_WRONG_LENGTH, SPC_SPONGE_BYTES);
  spc_status status = spc__sponge_check(bytes, SPONGE_FIELDS, error);
  if (status != SPC_OK) return status;
  const sponge_counts counts = {
      .value = {spc__load32_be(bytes + SPONGE_CACHE_SIZE_AT), bytes[SPONGE_SQUEEZED_AT],
                spc__load32_be(bytes + SPONGE_ABSORBED_AT)},
      .at = {SPONGE_CACHE_SIZE_AT, SPONGE_SQUEEZED_AT, SPONGE_ABSORBED_AT},
  };
  return sponge_restore(self, bytes, &counts, max_fields, error);
}

spc_status spc_sponge_from_fields(spc_sponge *self, const uint8_t *fields, size_t length,
                                  uint32_t max_fields, spc_error *error) {
  const size_t expected = SPC_SPONGE_FIELDS * SPC_FIELD_BYTES;
  if (length != expected) return spc__fail_limit(error, SPC_WRONG_LENGTH, expected);
  spc_status status = spc__sponge_check(fields, SPC_SPONGE_FIELDS, error);
  if (status != SPC_OK) return status;
  sponge_counts counts;
  for (uint32_t i = 0; i < SPONGE_COUNTS; i++) {
    uint8_t field[SPC_FIELD_BYTES];
    counts.at[i] = SPONGE_CACHE_SIZE_AT + SPC_FIELD_BYTES * i;
    memcpy(field, fields + counts.at[i], sizeof field);
    counts.value[i] = spc__load32_be(field + SPC_FIELD_BYTES - 4);
    spc__store32_be(field + SPC_FIELD_BYTES - 4, 0);
    if (!sponge_is_zero(field))
      return spc__sponge_fail_at(error, SPC_BAD_SPONGE, SPONGE_FIELDS + i);
  }
  return sponge_restore(self, fields, &counts, max_fields, error);
}
