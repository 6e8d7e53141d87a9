/* Compiling the Merkle tree of a flat or record type into a circuit. See type_internal.h. */
#ifndef SPC_SSZ_CIRCUIT_H
#define SPC_SSZ_CIRCUIT_H

#include "ssz/type_internal.h"

/* Hash operations of the type's tree; the type's sizes, members and flags are set. */
uint64_t spc__ssz_circuit_ops(const spc_ssz_type *type);

/*
 * Compiles the circuit of the type at `id` in `arena` and links it; sets first_leaf of the members.
 * SPC_OUT_OF_MEMORY.
 */
spc_status spc__ssz_circuit_build(spc_arena *arena, spc_ssz_type_id id);

#endif
