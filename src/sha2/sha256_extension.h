/*
 * SHA-256 with instructions that do several rounds of one message at once, as x86-64 and AArch64
 * have them. They take longer than it takes to start the next, so one message leaves the unit half
 * idle; pairs go through it EXT_LANES at a time. Included by each kernel, so there is no include
 * guard. The includer defines, and this file undefines at its end:
 *
 *   EXT_NAME(name)             the name of a function defined here
 *   EXT_BLOCKS EXT_PAIRS       the names of the kernel
 *   EXT_TARGET                 its target attribute
 *   EXT_LANES                  messages at once
 *   EXT_VECTOR                 four words
 *   EXT_LOAD(p)                four words from a table or a state
 *   EXT_STORE(p, x)            four words to a state
 *   EXT_LOAD_BYTES(p)          four big-endian words of a message
 *   EXT_STORE_BYTES(p, x)      four big-endian words of a digest
 *   EXT_ADD(x, y)
 *   EXT_ENTER(s, abcd, efgh)   the state as the instructions want it, in s.x and s.y
 *   EXT_LEAVE(s, abcd, efgh)   and back
 *   EXT_ROUNDS(s, kw)          four rounds, with schedule plus constants
 *   EXT_SCHEDULE(w, x, y, z)   the four words of the schedule that follow w, x, y and z
 */
#define EXT_EACH_LANE(i) _Pragma("GCC unroll 4") for (int i = 0; i < lanes; i++)
#define EXT_INLINE       static inline __attribute__((always_inline)) EXT_TARGET

typedef struct EXT_NAME(state) {
  EXT_VECTOR x, y;
} EXT_NAME(state);

EXT_INLINE void EXT_NAME(add)(EXT_NAME(state) s[1], const EXT_NAME(state) t[1]) {
  s->x = EXT_ADD(s->x, t->x);
  s->y = EXT_ADD(s->y, t->y);
}

/* Compresses the block at `in + 64 i` into `s[i]`. */
EXT_INLINE void EXT_NAME(compress)(EXT_NAME(state) s[], const uint8_t *in, int lanes) {
  EXT_NAME(state) before[EXT_LANES];
  EXT_VECTOR w[EXT_LANES][4];
  EXT_EACH_LANE(i) {
    before[i] = s[i];
    for (int j = 0; j < 4; j++)
      w[i][j] = EXT_LOAD_BYTES(in + 64 * i + 16 * j);
  }
#pragma GCC unroll 16
  for (int r = 0; r < 16; r++) {
    EXT_VECTOR k = EXT_LOAD(spc__sha256_k + 4 * r);
    EXT_EACH_LANE(i) {
      EXT_VECTOR now = w[i][r % 4];
      EXT_ROUNDS(s[i], EXT_ADD(now, k));
      if (r < 12)
        w[i][r % 4] = EXT_SCHEDULE(now, w[i][(r + 1) % 4], w[i][(r + 2) % 4], w[i][(r + 3) % 4]);
    }
  }
  EXT_EACH_LANE(i) {
    EXT_NAME(add)(&s[i], &before[i]);
  }
}

EXT_INLINE void EXT_NAME(group)(uint8_t *out, const uint8_t *in, int lanes) {
  EXT_NAME(state) s[EXT_LANES], before[EXT_LANES];
  EXT_EACH_LANE(i) {
    EXT_ENTER(s[i], EXT_LOAD(spc__sha256_iv), EXT_LOAD(spc__sha256_iv + 4));
  }
  EXT_NAME(compress)(s, in, lanes);
  EXT_EACH_LANE(i) {
    before[i] = s[i];
  }
#pragma GCC unroll 16
  for (int r = 0; r < 16; r++) {
    EXT_VECTOR kw = EXT_LOAD(spc__sha256_k_padding + 4 * r);
    EXT_EACH_LANE(i) {
      EXT_ROUNDS(s[i], kw);
    }
  }
  EXT_EACH_LANE(i) {
    EXT_VECTOR abcd, efgh;
    EXT_NAME(add)(&s[i], &before[i]);
    EXT_LEAVE(s[i], abcd, efgh);
    EXT_STORE_BYTES(out + 32 * i, abcd);
    EXT_STORE_BYTES(out + 32 * i + 16, efgh);
  }
}

EXT_TARGET void EXT_BLOCKS(uint32_t state[8], const uint8_t *in, size_t blocks) {
  EXT_NAME(state) s;
  EXT_VECTOR abcd, efgh;
  EXT_ENTER(s, EXT_LOAD(state), EXT_LOAD(state + 4));
  for (; blocks != 0; blocks--, in += 64)
    EXT_NAME(compress)(&s, in, 1);
  EXT_LEAVE(s, abcd, efgh);
  EXT_STORE(state, abcd);
  EXT_STORE(state + 4, efgh);
}

/* A group is read before its digests are written, and those never reach the next group, so `out`
 * may be `in`. */
EXT_TARGET void EXT_PAIRS(uint8_t *out, const uint8_t *in, size_t count) {
  for (; count >= EXT_LANES; count -= EXT_LANES, in += 64 * EXT_LANES, out += 32 * EXT_LANES)
    EXT_NAME(group)(out, in, EXT_LANES);
  for (; count != 0; count--, in += 64, out += 32)
    EXT_NAME(group)(out, in, 1);
}

#undef EXT_EACH_LANE
#undef EXT_INLINE
#undef EXT_NAME
#undef EXT_BLOCKS
#undef EXT_PAIRS
#undef EXT_TARGET
#undef EXT_LANES
#undef EXT_VECTOR
#undef EXT_LOAD
#undef EXT_STORE
#undef EXT_LOAD_BYTES
#undef EXT_STORE_BYTES
#undef EXT_ADD
#undef EXT_ENTER
#undef EXT_LEAVE
#undef EXT_ROUNDS
#undef EXT_SCHEDULE
