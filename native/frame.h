/*
 * The frame format, the same on the socket and in the rings.
 *
 * A frame is a header of 32 bytes and `length` bytes of body; integers are little-endian.
 *   0  u32 magic    'SPCQ' for a request, 'SPCR' for a response
 *   4  u16 version  1
 *   6  u16 zero
 *   8  u32 code     operation of a request, spc_status of a response
 *  12  u32 id       not 0, the client's choice; repeated in the response; answers come in order
 *  16  u64 length   of the body
 *  24  u64 room     of a request: the longest result that the client takes; zero in a response
 * The body of a request is that of spc_call, or empty for the control operations below. The body of
 * a response is the result where the status is SPC_OK, else an error record: u64 offset, u64 index,
 * u64 limit, and what is left is the path.
 *
 * The server speaks first, so that a client can be refused before it has sent anything: a response
 * with id 0, whose result is u64 max_request, u64 max_response. Any other response with id 0 is an
 * error that answers no request, and the server closes after it.
 */
#ifndef SPC_NATIVE_FRAME_H
#define SPC_NATIVE_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "spicule/status.h"

#define SPC_FRAME_BYTES   ((size_t)32) /* header */
#define SPC_FRAME_VERSION 1u

/* Longest error record. */
#define SPC_FRAME_ERROR_BYTES ((size_t)24 + SPC_ERROR_PATH_SIZE - 1)

/* Operations that the server itself answers. */
#define SPC_CONTROL_ATTACH   0x80000001u /* u32 ring size each way -> nothing, with a memfd */
#define SPC_CONTROL_COUNTERS 0x80000002u /* -> JSON text */

#define SPC_GREETING_BYTES ((size_t)16)
#define SPC_ATTACH_BYTES   ((size_t)4)

/* The two directions, by their magic. */
typedef enum spc__frame_kind {
  SPC_FRAME_REQUEST = 0x51435053,
  SPC_FRAME_RESPONSE = 0x52435053,
} spc__frame_kind;

typedef struct spc__frame {
  uint32_t code;
  uint32_t id;
  uint64_t length;
  uint64_t room;
} spc__frame;

/* Integers of frame bodies. */
void spc__store_le(uint8_t *out, size_t bytes, uint64_t value);
uint64_t spc__load_le(const uint8_t *in, size_t bytes);

void spc__frame_encode(uint8_t out[SPC_FRAME_BYTES], spc__frame_kind kind, const spc__frame *frame);

/*
 * Reads a header. SPC_BAD_FRAME with the offset of the field that is wrong; SPC_FRAME_LIMIT (with
 * `limit`) for a body over `max_length`, and then `self` is filled.
 */
spc_status spc__frame_decode(spc__frame *self, spc__frame_kind kind,
                             const uint8_t in[SPC_FRAME_BYTES], uint64_t max_length,
                             spc_error *error);

/* Writes the error record of `error`; gives its length. */
size_t spc__frame_encode_error(uint8_t out[SPC_FRAME_ERROR_BYTES], const spc_error *error);

/*
 * Reads an error record of `length` bytes that came with the status `code`, and gives that status.
 * SPC_BAD_FRAME where the record can't be one.
 */
spc_status spc__frame_decode_error(spc_error *error, uint32_t code, const uint8_t *in,
                                   size_t length);

#endif
