/*
 * The Poseidon2 permutation for x86-64 with BMI2 and ADX, on one state: the rounds of
 * poseidon2_portable.c on the products of field/fr_adx.h.
 */
#include "sponge/poseidon2_kernel.h"

#if SPC__FIELD_X86

#include "base/bytes.h"
#include "base/cpu.h"
#include "field/fr_adx.h"
#include "sponge/poseidon2_constants.h"

#define ADX_PARTIAL 56

static void adx_dot(spc__fr *out, const spc__fr *w, const spc__fr *s, const spc__fr by[6],
                    const spc__fr *added) {
  uint64_t window[4];
  spc__fr_adx_dot_low(window, w, s, by);
  spc__fr_adx_dot_high(out, window, w, s, by, added);
}

static void adx_full_rounds(spc__fr x[4], const spc__fr (*constants)[4]) {
  for (int r = 0; r < 4; r++) {
    for (int i = 0; i < 4; i++) {
      spc__fr power;
      spc__fr_adx_sqr(&power, &x[i]);
      spc__fr_adx_sqr(&power, &power);
      spc__fr_adx_mul(&x[i], &power, &x[i]);
    }
    spc__fr_external(x, constants[r]);
  }
}

static void adx_partial_rounds(spc__fr x[4]) {
  /* w[-2] to w[56] and s[-2] to s[56], so that history is an address. */
  spc__fr ws[ADX_PARTIAL + 3], ss[ADX_PARTIAL + 3], power, operands[2];
  spc__fr *w = ws + 2, *s = ss + 2;
  const spc__fr *zero = &spc__p2_rounds[9][0];
  /* The entry has four terms, of the six that fit. */
  const spc__fr first[3] = {x[2], x[1], x[0]}, second[3] = {*zero, *zero, x[3]};
  for (int i = 0; i < 3; i++) {
    spc__fr by[6] = {spc__p2_entry[i][0], spc__p2_entry[i][1], spc__p2_entry[i][2],
                     spc__p2_entry[i][3]};
    adx_dot(w - i, first + 2, second + 2, by, i == 0 ? &spc__p2_added[0] : zero);
    *(s - i) = *zero;
  }
  spc__fr_adx_mul(s, &x[0], &spc__p2_k);

  for (int r = 1; r <= ADX_PARTIAL; r++) {
    uint64_t window[4];
    spc__fr_double(&operands[0], s);
    operands[1] = *w;
    spc__fr_adx_sqr(&power, s);
    spc__fr_adx_dot_low(window, w, s, spc__p2_taps);
    spc__fr_adx_sqr_add(&power, &power, &spc__p2_half_tap);
    spc__fr_adx_dot_high(w + 1, window, w, s, spc__p2_taps, &spc__p2_added[r]);
    spc__fr_adx_mul_add(s + 1, &power, operands);
    w++;
    s++;
  }

  spc__fr_adx_mul(&x[0], s, &spc__p2_per_k);
  spc__fr_add(&x[0], &x[0], &spc__p2_rounds[5][0]);
  for (int i = 0; i < 3; i++)
    adx_dot(&x[1 + i], w, s, spc__p2_exit[i], &spc__p2_rounds[5][1 + i]);
}

static void adx_absorb(spc__fr state[4], const uint8_t *fields, size_t permutations) {
  static const spc__fr r2 = {SPC__FR_R2};
  for (; permutations > 0; permutations--) {
    for (int i = 0; i < 3; i++, fields += SPC__FR_BYTES) {
      spc__fr field;
      for (int j = 0; j < 4; j++)
        field.l[j] = spc__load64_be(fields + 8 * (3 - j));
      spc__fr_adx_mul(&field, &field, &r2);
      spc__fr_add(&state[i], &state[i], &field);
    }
    spc__fr_external(state, spc__p2_rounds[0]);
    adx_full_rounds(state, &spc__p2_rounds[1]);
    adx_partial_rounds(state);
    adx_full_rounds(state, &spc__p2_rounds[6]);
  }
}

const spc__poseidon2_kernel spc__poseidon2_adx = {
    .name = "adx", .features = SPC__CPU_BMI2_ADX, .lanes = 1, .absorb = adx_absorb};

#undef ADX_PARTIAL

#endif
