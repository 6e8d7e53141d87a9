/*
 * The HAPI block through generated code: objects made from the values, encoded, decoded, read; the
 * same through writers and views, without objects.
 */
#ifndef HAPI_GENERATED_H
#define HAPI_GENERATED_H

#include "reference.h"
#include "spicule/codec.h"

/* Makes the item at `*words` as an object, a BlockItem, and moves on to the next. */
spc_status hapi_generated_build(spc_arena *arena, const uint32_t **words, const uint8_t *pool,
                                uint32_t *item);

spc_status hapi_generated_encode(const spc_arena *arena, uint32_t item, uint8_t *out,
                                 size_t capacity, size_t *length);
spc_status hapi_generated_encode_back(const spc_arena *arena, uint32_t item, uint8_t *out,
                                      size_t capacity, size_t *length);

/* Writes the item at `*words` through a writer at the start of `out`, HAPI_ITEM_SIZE bytes. */
spc_status hapi_generated_write(const uint32_t **words, const uint8_t *pool, uint8_t *out,
                                size_t *length);

/* The same back to front, at the end of `out`. */
spc_status hapi_generated_write_reverse(const uint32_t **words, const uint8_t *pool, uint8_t *out,
                                        size_t *length);

/*
 * Writes the whole block through one writer. `each` is given the bytes of every item, a BlockItem,
 * when it is complete.
 */
spc_status hapi_generated_write_block(const hapi_values *values, uint8_t *out, size_t capacity,
                                      size_t *length,
                                      void (*each)(void *user, const uint8_t *item, size_t length),
                                      void *user);

/* The messages that are decoded from bytes of their own, and the sum of every field in them. */
typedef enum hapi_root { HAPI_ROOT_BLOCK, HAPI_ROOT_SIGNED, HAPI_ROOT_BODY } hapi_root;

spc_status hapi_generated_decode(spc_arena *arena, hapi_root root, const uint8_t *bytes,
                                 size_t length, uint32_t *message);
uint32_t hapi_generated_sum(const spc_arena *arena, hapi_root root, uint32_t message);

/* The same sum through views of bytes. */
spc_status hapi_generated_sum_view(hapi_root root, const uint8_t *bytes, size_t length,
                                   uint32_t *sum);

#endif
