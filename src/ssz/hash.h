/* Roots of objects. */
#ifndef SPC_SSZ_HASH_H
#define SPC_SSZ_HASH_H

#include "ssz/tree.h"

/* Makes the object HASHED. SPC_OUT_OF_MEMORY. */
spc_status spc__ssz_hash_object(spc_ssz_pool *pool, const spc_ssz_type *type, void *object);

/* Root of the tree in a slot of a hashed sequence, extended to its full depth. */
void spc__ssz_slot_root(spc__ssz_work *work, const spc_ssz_type *type, const spc__ssz_seq *seq,
                        uint32_t slot, uint8_t root[32]);

/* The roots of `count` leaves of a page (flat elements or chunks) to out[32 i ...]. */
void spc__ssz_page_leaves(spc__ssz_work *work, const spc_ssz_type *type, const uint8_t *data,
                          uint32_t count, uint8_t *out);

#endif
