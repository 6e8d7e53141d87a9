/*
 * The field in digits of 51 bits, at the edges of the digits that its functions take, against the
 * textbook; with the stated bounds as assertions. Uses internal headers of field and sponge.
 */
#ifdef __wasm_relaxed_simd__
#include "field/lanes_relaxed.h"
#else
#include "field/lanes_avx2.h"
#endif
#include "sponge/poseidon2_sums51.h"
#include "support/test.h"
#include "textbook.h"

enum { EDGES = 12 };

#define LARGEST     (0x1p50 + 0x1p9)
#define LARGEST_TOP 902e12 /* 1.06 p / 2^204 */

static const double edges[EDGES][5] = {
    {0, 0, 0, 0, 0},
    {1, 0, 0, 0, 0},
    {-1, 0, 0, 0, 0},
    {LARGEST, LARGEST, LARGEST, LARGEST, LARGEST_TOP},
    {-LARGEST, -LARGEST, -LARGEST, -LARGEST, -LARGEST_TOP},
    {LARGEST, -LARGEST, LARGEST, -LARGEST, LARGEST_TOP},
    {-LARGEST, LARGEST, -LARGEST, LARGEST, -LARGEST_TOP},
    {0x1p50, 0x1p50, 0x1p50, 0x1p50, 0},
    {-0x1p50, -0x1p50, -0x1p50, -0x1p50, 0},
    {0x1p50 - 1, -0x1p50 + 1, 0, 0x1p50 - 1, LARGEST_TOP},
    {0, 0, LARGEST, 0, -LARGEST_TOP},
    {-1, -1, -1, -1, -1},
};

static textbook_int per_r, power51[5];

static textbook_int digits_mean(const double *digits, int stride) {
  textbook_int sum = textbook_small(0);
  for (int i = 0; i < 5; i++) {
    double digit = digits[i * stride];
    uint64_t size = (uint64_t)(digit < 0 ? -digit : digit);
    textbook_int value = {{(uint32_t)size, (uint32_t)(size >> 32)}};
    if (digit < 0) value = textbook_negate(&value);
    value = textbook_mul(&value, &power51[i]);
    sum = textbook_add(&sum, &value);
  }
  return sum;
}

#define FIELD51_TEST static SPC__LANES_TARGET

FIELD51_TEST textbook_int mean(const spc__f51 *x, int lane) {
  double digits[5];
  for (int i = 0; i < 5; i++) {
    double lanes[SPC__LANES];
    spc__v_store(lanes, x->l[i]);
    digits[i] = lanes[lane];
  }
  return digits_mean(digits, 1);
}

/* Two edges by turns in the lanes, and others near them where there are more lanes. */
FIELD51_TEST spc__f51 edge(int first, int second) {
  spc__f51 out;
  for (int i = 0; i < 5; i++) {
    double lanes[SPC__LANES];
    for (int lane = 0; lane < SPC__LANES; lane++)
      lanes[lane] = edges[((lane % 2 == 0 ? first : second) + 5 * (lane / 2)) % EDGES][i];
    out.l[i] = spc__v_load(lanes);
  }
  return out;
}

FIELD51_TEST void check_reduced(const spc__f51 *actual, int lane, const textbook_int *sum) {
  textbook_int expected = textbook_mul(sum, &per_r), value = mean(actual, lane);
  CHECK_BYTES(value.word, expected.word, sizeof value.word);
}

FIELD51_TEST void products_and_squares_reduce(void) {
  static const uint64_t product[11] = SPC__F51_OFFSETS(SPC__F51_PRODUCT);
  static const uint64_t square[11] = SPC__F51_OFFSETS(SPC__F51_SQUARE);
  spc__f51_context c = spc__f51_begin();
  for (int i = 0; i < EDGES; i++) {
    for (int j = 0; j < EDGES; j++) {
      spc__f51 a = edge(i, j), b = edge(j, i + 1), out;
      spc__f51_wide t = {{spc__v_zero()}};
      spc__f51_mul_add(&c, &t, &a, &b);
      spc__f51_reduce(&c, &out, &t, product);
      for (int lane = 0; lane < SPC__LANES; lane++) {
        textbook_int x = mean(&a, lane), y = mean(&b, lane), expected = textbook_mul(&x, &y);
        check_reduced(&out, lane, &expected);
      }
      spc__f51_sqr(&c, &t, &a);
      spc__f51_reduce(&c, &out, &t, square);
      for (int lane = 0; lane < SPC__LANES; lane++) {
        textbook_int x = mean(&a, lane), expected = textbook_mul(&x, &x);
        check_reduced(&out, lane, &expected);
      }
    }
  }
}

FIELD51_TEST void the_largest_sums_reduce(void) {
  spc__f51_context c = spc__f51_begin();
  for (int i = 0; i < EDGES; i++) {
    spc__f51 a = edge(i, i + 1), b = edge(i + 1, i), out;
    spc__f51_wide t = {{spc__v_zero()}};
    for (int n = 0; n < 32; n++)
      spc__f51_mul_add(&c, &t, &a, n % 2 == 0 ? &a : &b);
    spc__f51_reduce(&c, &out, &t, spc__p2_absorbed_offsets[0]);
    for (int lane = 0; lane < SPC__LANES; lane++) {
      textbook_int x = mean(&a, lane), y = mean(&b, lane), expected = textbook_small(16);
      y = textbook_add(&x, &y);
      x = textbook_mul(&x, &expected);
      expected = textbook_mul(&x, &y);
      check_reduced(&out, lane, &expected);
    }
  }
}

/* With the constants of the exit, which has the most terms. */
FIELD51_TEST void dot_products_reduce(void) {
  spc__f51_context c = spc__f51_begin();
  for (int i = 0; i < EDGES; i++) {
    for (int paired = 0; paired <= (SPC__LANES == 2); paired++) {
      spc__f51 x[6], out;
      spc__f51_factor factor[6];
      const spc__f51_factor *factors[6];
      const double *by[6];
      spc__f51_wide t;
      for (int n = 0; n < 6; n++) {
        x[n] = edge(i + n * (i % 3), i + n);
        spc__f51_to_factor(&factor[n], &x[n]);
        factors[n] = &factor[n];
        by[n] = spc__p2_exit51[i % 2][n][0];
      }
      if (paired)
        spc__f51_dot(&c, &t, factors, by, 6, 1);
      else
        spc__f51_dot(&c, &t, factors, by, 6, 0);
      spc__f51_reduce(&c, &out, &t, spc__p2_exit_offsets);
      for (int lane = 0; lane < SPC__LANES; lane++) {
        textbook_int expected = textbook_small(0);
        for (int n = 0; n < 6; n++) {
          textbook_int constant = digits_mean(by[n] + (paired ? lane : 0), 2);
          textbook_int value = mean(&x[n], lane);
          value = textbook_mul(&value, &constant);
          expected = textbook_add(&expected, &value);
        }
        check_reduced(&out, lane, &expected);
      }
    }
  }
}

FIELD51_TEST void bytes_and_words_hold_the_value(void) {
  enum { VALUES = 4 };
  static const char *const values[VALUES] = {
      "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000000",
      "0000000000000000000000000000000000000000000000000000000000000000",
      "2fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "123456789abcdef0fedcba98765432100f1e2d3c4b5a69788796a5b4c3d2e1f0",
  };
  spc__f51_context c = spc__f51_begin();
  for (int i = 0; i < VALUES; i++) {
    uint8_t bytes[SPC__LANES][32], back[32];
    const uint8_t *in[SPC__LANES];
    for (int lane = 0; lane < SPC__LANES; lane++) {
      textbook_bytes_from_hex(bytes[lane], values[(i + lane) % VALUES]);
      in[lane] = bytes[lane];
    }
    spc__f51 x;
    spc__f51_wide t;
    spc__f51_from_bytes(&x, &c, in);
    spc__f51_to_wide(&t, &c, &x);
    for (int lane = 0; lane < SPC__LANES; lane++) {
      uint64_t word[4];
      spc__f51_to_words(word, &t, lane);
      spc__fr_words_to_bytes(back, word);
      CHECK_BYTES(back, bytes[lane], 32);
    }
  }
  for (int i = 0; i < EDGES; i++) {
    spc__f51 x = edge(i, i + 1);
    spc__f51_wide t;
    spc__f51_to_wide(&t, &c, &x);
    for (int lane = 0; lane < SPC__LANES; lane++) {
      uint64_t word[4];
      uint8_t actual[32], expected[32];
      textbook_int value = mean(&x, lane);
      textbook_to_bytes(expected, &value);
      spc__f51_to_words(word, &t, lane);
      spc__fr_words_to_bytes(actual, word);
      CHECK_BYTES(actual, expected, 32);
    }
  }
}

int main(void) {
  if ((spc__cpu_features() & SPC__LANES_FEATURES) == 0) {
    test_skip("the field in digits of 51 bits", "no fused multiply-add of vectors here");
    return test_end();
  }
  textbook_init();
  per_r = textbook_shift_right(306);
  power51[0] = textbook_small(1);
  for (int i = 1; i < 5; i++) {
    textbook_int radix = {{0, 1u << 19}};
    power51[i] = textbook_mul(&power51[i - 1], &radix);
  }
  products_and_squares_reduce();
  the_largest_sums_reduce();
  dot_products_reduce();
  bytes_and_words_hold_the_value();
  return test_end();
}
