/*
 * The HAPI block through the codec's tables, without generated code: objects and writers made from
 * the values, objects and views read.
 */
#ifndef HAPI_DYNAMIC_H
#define HAPI_DYNAMIC_H

#include "reference.h"
#include "spicule/codec.h"

/* Levels that an item has open at most, itself included. */
#define HAPI_LEVELS 8u

typedef struct hapi_dynamic hapi_dynamic;

/* From malloc; ends the program if the schema does not build. */
hapi_dynamic *hapi_dynamic_make(void);
void hapi_dynamic_free(hapi_dynamic *self);

const spc_message_type *hapi_dynamic_type(const hapi_dynamic *self, const char *name);

/* Makes the item at `*words` as an object and moves on to the next. */
spc_status hapi_dynamic_build(const hapi_dynamic *self, spc_arena *arena, const uint32_t **words,
                              const uint8_t *pool, spc_message *item);

/* Writes the item at `*words` through a writer at the start of `out`, HAPI_ITEM_SIZE bytes. */
spc_status hapi_dynamic_write(const hapi_dynamic *self, const uint32_t **words, const uint8_t *pool,
                              uint8_t *out, size_t *length);

/*
 * Writes the whole block through one writer. `each` is given the bytes of every item, a BlockItem,
 * when it is complete.
 */
spc_status hapi_dynamic_write_block(const hapi_dynamic *self, const hapi_values *values,
                                    uint8_t *out, size_t capacity, size_t *length,
                                    void (*each)(void *user, const uint8_t *item, size_t length),
                                    void *user);

/* The sum of every field: see hapi_scan_block. */
uint32_t hapi_dynamic_sum(hapi_dynamic *self, const spc_message *message);
spc_status hapi_dynamic_sum_view(hapi_dynamic *self, const spc_view *view, uint32_t *sum);

#endif
