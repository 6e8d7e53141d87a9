/* What the entry points of the codec share with those of ProtoJSON, which may be linked apart. */
#ifndef SPC_WASM_CODEC_H
#define SPC_WASM_CODEC_H

#include "wasm.h"

#include "spicule/codec.h"

/* Arguments and results beside those of the functions; the order is the loader's too. */
typedef struct codec_block {
  uint32_t base, size, used; /* of the arena */
  uint32_t limit;            /* bytes that the arena may have */
  uint32_t ref, length;      /* results */
  uint32_t max_depth, max_size, max_count;
  uint32_t schema, flags;
  uint32_t other_base, other_used, other_ref; /* a message of another arena, or of this one */
  uint32_t status;                            /* of codec_decode */
} codec_block;

WASM_SHARED(codec_io_address) codec_block *wasm_codec_io_address(void);

/* The arena that the block names, which the next call works in. */
WASM_SHARED(codec_enter) spc_arena *wasm_codec_enter(void);
/* Puts where it is afterwards into the block; gives the status. */
WASM_SHARED(codec_leave) uint32_t wasm_codec_leave(spc_status status);

#endif
