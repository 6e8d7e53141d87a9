/*
 * Streams of any length over a function that compresses whole blocks. Included once by each hash,
 * so there is no include guard. The includer defines, and this file undefines at its end:
 *
 *   STREAM_HASH        the prefix of the names, spc_sha256 or spc_sha384
 *   STREAM_BLOCK       bytes of a block
 *   STREAM_DIGEST      bytes of a digest
 *   STREAM_IV          the initial state
 *   STREAM_BLOCKS      compresses: (state, in, number of blocks)
 *   STREAM_STORE       stores one word of the state, big-endian
 *
 * Invariant: the first length % STREAM_BLOCK bytes of `block` are what is not compressed yet.
 */
#define STREAM_JOIN_(a, b) a##b
#define STREAM_JOIN(a, b)  STREAM_JOIN_(a, b)
#define STREAM_TYPE        STREAM_JOIN(STREAM_HASH, _stream)
#define STREAM_INIT        STREAM_JOIN(STREAM_HASH, _init)
#define STREAM_UPDATE      STREAM_JOIN(STREAM_HASH, _update)
#define STREAM_FINAL       STREAM_JOIN(STREAM_HASH, _final)

void STREAM_INIT(STREAM_TYPE *self) {
  memcpy(self->state, STREAM_IV, sizeof self->state);
  self->length = 0;
}

void STREAM_UPDATE(STREAM_TYPE *self, const uint8_t *in, size_t length) {
  if (length == 0) return;
  size_t used = (size_t)(self->length % STREAM_BLOCK);
  self->length += length;
  if (used != 0) {
    size_t room = STREAM_BLOCK - used;
    if (length < room) {
      memcpy(self->block + used, in, length);
      return;
    }
    memcpy(self->block + used, in, room);
    STREAM_BLOCKS(self->state, self->block, 1);
    in += room;
    length -= room;
  }
  size_t rest = length % STREAM_BLOCK;
  if (length != rest) STREAM_BLOCKS(self->state, in, length / STREAM_BLOCK);
  if (rest != 0) memcpy(self->block, in + (length - rest), rest);
}

void STREAM_FINAL(STREAM_TYPE *self, uint8_t out[STREAM_DIGEST]) {
  /* The length in bits, as an integer of an eighth of a block: 8 bytes, or 16 of which the upper
   * half has the three bits that the shift would lose. */
  const size_t length_at = STREAM_BLOCK - STREAM_BLOCK / 8;
  size_t used = (size_t)(self->length % STREAM_BLOCK);
  self->block[used++] = 0x80;
  if (used > length_at) {
    memset(self->block + used, 0, STREAM_BLOCK - used);
    STREAM_BLOCKS(self->state, self->block, 1);
    used = 0;
  }
  memset(self->block + used, 0, STREAM_BLOCK - used);
  if (STREAM_BLOCK == 128) spc__store64_be(self->block + length_at, self->length >> 61);
  spc__store64_be(self->block + STREAM_BLOCK - 8, self->length << 3);
  STREAM_BLOCKS(self->state, self->block, 1);
  for (size_t i = 0; i < STREAM_DIGEST / sizeof self->state[0]; i++)
    STREAM_STORE(out + i * sizeof self->state[0], self->state[i]);
}

#undef STREAM_HASH
#undef STREAM_BLOCK
#undef STREAM_DIGEST
#undef STREAM_IV
#undef STREAM_BLOCKS
#undef STREAM_STORE
#undef STREAM_JOIN_
#undef STREAM_JOIN
#undef STREAM_TYPE
#undef STREAM_INIT
#undef STREAM_UPDATE
#undef STREAM_FINAL
