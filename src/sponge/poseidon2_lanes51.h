/*
 * The Poseidon2 permutation of several states at a time on field/fr51.h, one a lane: the body of
 * poseidon2_relaxed_x2.c and poseidon2_avx2_x4.c, which define LANES51(name), LANES51_SMALL for
 * what runs a few times a permutation and LANES51_NOINLINE for what runs often. The steps are those
 * of poseidon2_relaxed.c, with a vector for each lane of the state, and with both numbers of a pair
 * (z, s) reduced for themselves.
 */
static const uint64_t LANES51(z)[11] = SPC__F51_OFFSETS(SPC__P2_Z);
static const uint64_t LANES51(s)[11] = SPC__F51_OFFSETS(SPC__P2_S);

/* The numbers that a partial round leaves to the next three. */
typedef struct LANES51(pair) {
  spc__f51_factor z, s;
} LANES51(pair);

/* The constants of lane `lane` of the state. */
static const int64_t *LANES51(constants)(const int64_t (*round)[5][2], int lane) {
  return &round[lane & 1][0][lane >> 1];
}

/* The external matrix on sums, with constants; x[i] are the reduced sums. */
LANES51_SMALL void LANES51(apply_external)(spc__f51 x[4], spc__f51_wide t[4],
                                           const int64_t (*constants)[5][2],
                                           const uint64_t offsets[2][11]) {
  for (int k = 0; k < 10; k++) {
    spc__v t0 = spc__v_add(t[0].l[k], t[1].l[k]), t1 = spc__v_add(t[2].l[k], t[3].l[k]);
    spc__v t2 = spc__v_add(spc__v_shl(t[1].l[k], 1), t1);
    spc__v t3 = spc__v_add(spc__v_shl(t[3].l[k], 1), t0);
    spc__v t4 = spc__v_add(spc__v_shl(t1, 2), t3), t5 = spc__v_add(spc__v_shl(t0, 2), t2);
    t[0].l[k] = spc__v_add(t3, t5);
    t[1].l[k] = t5;
    t[2].l[k] = spc__v_add(t2, t4);
    t[3].l[k] = t4;
  }
  for (int i = 0; i < 4; i++) {
    const int64_t *constant = LANES51(constants)(constants, i);
    for (int k = 0; k < 5; k++)
      t[i].l[k] = spc__v_add(t[i].l[k], spc__v_splat(&constant[2 * k]));
    SPC__P2_STEP(reduce)(&x[i], &t[i], offsets[i & 1]);
  }
}

LANES51_SMALL void LANES51(full_round)(spc__f51 x[4], const int64_t (*constants)[5][2]) {
  spc__f51_wide t[4];
  for (int i = 0; i < 4; i++)
    SPC__P2_STEP(pow5)(&t[i], &x[i]);
  LANES51(apply_external)(x, t, constants, spc__p2_external_offsets);
}

LANES51_NOINLINE void LANES51(dot6)(spc__f51_wide *t, const spc__f51_factor *const x[6],
                                    const double *const by[6]) {
  spc__f51_context c = spc__f51_begin();
  spc__f51_wide sum;
  spc__f51_dot(&c, &sum, x, by, 6, 0);
  *t = sum;
}

/* The next pair from the last three, pairs[0] being the last, in the place of pairs[2]. */
LANES51_NOINLINE void LANES51(partial_round)(LANES51(pair) *const pairs[3],
                                             const int64_t constants[5]) {
  spc__f51_wide dot, t;
  spc__f51 s;
  const spc__f51_factor *factors[6];
  const double *by[6];
  for (int i = 0; i < 6; i++) {
    factors[i] = i % 2 == 0 ? &pairs[i / 2]->z : &pairs[i / 2]->s;
    by[i] = &spc__p2_taps51[i / 2][0][i % 2];
  }
  LANES51(dot6)(&dot, factors, by);
  memcpy(&s, &pairs[0]->s, sizeof s);
  SPC__P2_STEP(pow5)(&t, &s);
  for (int k = 0; k < 10; k++) {
    dot.l[k] = spc__v_add(dot.l[k], t.l[k]);
    t.l[k] = spc__v_add(t.l[k], dot.l[k]);
    if (k < 5) t.l[k] = spc__v_add(t.l[k], spc__v_splat(&constants[k]));
  }
  SPC__P2_STEP(reduce)(&s, &t, LANES51(s));
  spc__f51_to_factor(&pairs[2]->s, &s);
  SPC__P2_STEP(reduce)(&s, &dot, LANES51(z));
  spc__f51_to_factor(&pairs[2]->z, &s);
}

LANES51_SMALL void LANES51(partial_rounds)(spc__f51 x[4]) {
  LANES51(pair) memory[3] = {{{{spc__v_zero()}}, {{spc__v_zero()}}}};
  LANES51(pair) * pairs[3] = {&memory[0], &memory[1], &memory[2]};
  const spc__f51_factor *factors[6];
  const double *by[6];
  spc__f51_wide t;
  spc__f51 out;
  /* z[-1], s[0], s[-1], s[-2]; z[-2] and z[-3] are zero. */
  spc__f51_factor *const made_up[4] = {&pairs[0]->z, &pairs[0]->s, &pairs[1]->s, &pairs[2]->s};
  for (int n = 0; n < 4; n++) {
    t = (spc__f51_wide){{spc__v_zero()}};
    for (int i = 0; i < 4; i++)
      SPC__P2_STEP(mul_add)(&t, &x[i], &spc__p2_entry51[n / 2][i][0][n % 2]);
    for (int k = 0; k < 5 && n == 1; k++)
      t.l[k] = spc__v_add(t.l[k], spc__v_splat(&spc__p2_sums51[0][k]));
    SPC__P2_STEP(reduce)(&out, &t, spc__p2_entry_offsets);
    spc__f51_to_factor(made_up[n], &out);
  }
  for (int r = 1; r <= SPC__P2_PARTIAL; r++) {
    LANES51(partial_round)(pairs, spc__p2_sums51[r]);
    LANES51(pair) *next = pairs[2];
    pairs[2] = pairs[1];
    pairs[1] = pairs[0];
    pairs[0] = next;
  }
  for (int i = 0; i < 6; i++)
    factors[i] = i % 2 == 0 ? &pairs[i / 2]->z : &pairs[i / 2]->s;
  for (int n = 0; n < 4; n++) {
    const int64_t *constant = LANES51(constants)(spc__p2_rounds51[4], n);
    for (int i = 0; i < 6; i++)
      by[i] = &spc__p2_exit51[n & 1][i][0][n >> 1];
    LANES51(dot6)(&t, factors, by);
    for (int k = 0; k < 5; k++)
      t.l[k] = spc__v_add(t.l[k], spc__v_splat(&constant[2 * k]));
    SPC__P2_STEP(reduce)(&x[n], &t, spc__p2_exit_offsets);
  }
}

/* Adds field elements as they are to the state, then permutes. */
LANES51_SMALL void LANES51(absorb)(spc__f51 x[4], const spc__f51 fields[4]) {
  spc__f51_wide t[4];
  for (int i = 0; i < 4; i++)
    SPC__P2_STEP(scale2)(&t[i], &x[i], spc__f51_r, &fields[i], spc__f51_r2);
  LANES51(apply_external)(x, t, spc__p2_rounds51[0], spc__p2_absorbed_offsets);
  for (int r = 1; r < 4; r++)
    LANES51(full_round)(x, spc__p2_rounds51[r]);
  LANES51(full_round)(x, spc__p2_rounds51[8]);
  LANES51(partial_rounds)(x);
  for (int r = 5; r < 9; r++)
    LANES51(full_round)(x, spc__p2_rounds51[r]);
}

LANES51_SMALL void LANES51(load)(spc__f51 *out, const uint8_t *in, size_t stride) {
  spc__f51_context c = spc__f51_begin();
  const uint8_t *from[SPC__LANES];
  for (size_t lane = 0; lane < SPC__LANES; lane++)
    from[lane] = in + stride * lane;
  spc__f51_from_bytes(out, &c, from);
}

LANES51_SMALL void LANES51(permute)(uint8_t *out, const uint8_t *in, size_t groups) {
  size_t stride = 4 * SPC__FR_BYTES;
  for (; groups > 0; groups--, in += SPC__LANES * stride, out += SPC__LANES * stride) {
    spc__f51 x[4], fields[4];
    for (int i = 0; i < 4; i++) {
      x[i] = (spc__f51){{spc__v_zero()}};
      LANES51(load)(&fields[i], in + SPC__FR_BYTES * i, stride);
    }
    LANES51(absorb)(x, fields);
    for (int i = 0; i < 4; i++)
      SPC__P2_STEP(save)(out + SPC__FR_BYTES * i, stride, &x[i]);
  }
}

LANES51_SMALL void LANES51(hash)(uint8_t *out, const uint8_t *fields, size_t length,
                                 size_t groups) {
  spc__f51_context c = spc__f51_begin();
  size_t stride = length * SPC__FR_BYTES;
  spc__f51 iv, plain_iv;
  spc__f51_wide t = {{spc__v_zero()}};
  uint8_t iv_bytes[SPC__FR_BYTES] = {0};
  spc__store64_be(iv_bytes + 16, length);
  LANES51(load)(&plain_iv, iv_bytes, 0);
  spc__f51_scale_add(&c, &t, &plain_iv, spc__f51_r2);
  SPC__P2_STEP(reduce)(&iv, &t, spc__p2_product_offsets);
  for (; groups > 0; groups--, fields += SPC__LANES * stride, out += SPC__LANES * SPC__FR_BYTES) {
    const spc__f51 zero = {{spc__v_zero()}};
    spc__f51 x[4] = {zero, zero, zero, iv};
    for (size_t at = 0; at < length; at += 3) {
      spc__f51 block[4] = {zero, zero, zero, zero};
      for (size_t i = 0; i < 3 && at + i < length; i++)
        LANES51(load)(&block[i], fields + SPC__FR_BYTES * (at + i), stride);
      LANES51(absorb)(x, block);
    }
    SPC__P2_STEP(save)(out, SPC__FR_BYTES, &x[0]);
  }
}
