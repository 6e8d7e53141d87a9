/*
 * The field alone, in the limb form of this build, at the edges of what each function takes: raw
 * limbs are set directly and results compared with the textbook. Uses internal headers of field.
 */
#include "field/fr.h"
#include "support/test.h"
#include "textbook.h"

static textbook_int per_r; /* 1 / R */

/* The residue that raw limbs stand for, straight from their weights. */
static textbook_int meaning(const spc__fr *x) {
  uint32_t words[12] = {0};
  for (int i = 0; i < SPC__FR_LIMBS; i++) {
    for (int bit = 0; bit < (SPC__FR_LIMB_BITS == 64 ? 64 : 32); bit++) {
      if ((x->l[i] >> bit & 1) == 0) continue;
      /* Limbs may be wider than their weight, so that this is an addition. */
      int at = SPC__FR_LIMB_BITS * i + bit;
      uint64_t carry = UINT64_C(1) << at % 32;
      for (int word = at / 32; carry != 0; word++) {
        carry += words[word];
        words[word] = (uint32_t)carry;
        carry >>= 32;
      }
    }
  }
  textbook_int value = textbook_mod(words, 12);
  return textbook_mul(&value, &per_r);
}

static void check_equal(const spc__fr *actual, const textbook_int *expected) {
  textbook_int value = meaning(actual);
  uint8_t bytes[32], wanted[32];
  textbook_to_bytes(wanted, expected);
  CHECK_BYTES(value.word, expected->word, sizeof value.word);
  spc__fr_to_bytes(bytes, actual);
  CHECK_BYTES(bytes, wanted, 32);
}

/* k p + offset, with limbs as the form normalises them. */
static spc__fr multiple(uint32_t k, int64_t offset) {
  spc__fr out;
#if SPC__FIELD_29
  int64_t carry = offset;
  for (int i = 0; i < 9; i++) {
    carry += (int64_t)k * spc__fr_p[i];
    out.l[i] = i < 8 ? (uint32_t)carry & SPC__FR_MASK : (uint32_t)carry;
    carry >>= 29;
  }
#else
  __int128 carry = offset;
  for (int i = 0; i < 4; i++) {
    carry += (__int128)((unsigned __int128)k * spc__fr_p[i]);
    out.l[i] = (uint64_t)carry;
    carry >>= 64;
  }
#endif
  return out;
}

/* All limbs but the top one full of ones, and the top one as given. */
static spc__fr ones_below(uint64_t top) {
  spc__fr out;
  memset(&out, 0xff, sizeof out);
#if SPC__FIELD_29
  for (int i = 0; i < 8; i++)
    out.l[i] = SPC__FR_MASK;
  out.l[8] = (uint32_t)top;
#else
  out.l[3] = top;
#endif
  return out;
}

#if SPC__FIELD_29
#define LOOSE   41 /* multiples of p */
#define SHORT_P 0x30644du
#define TOP_2P  0x60c89bu
#else
#define LOOSE   2
#define SHORT_P 0x30644e72e131a028u
#define TOP_2P  0x60c89ce5c2634052u
#endif

enum { EDGES = 10 };

static void loose_edges(spc__fr edges[EDGES]) {
  edges[0] = multiple(0, 0);
  edges[1] = multiple(0, 1);
  edges[2] = multiple(1, -1);
  edges[3] = multiple(1, 0);
  edges[4] = multiple(1, 1);
  edges[5] = multiple(LOOSE, -1);
  edges[6] = multiple(LOOSE - 1, 1);
  edges[7] = ones_below(0);
  edges[8] = ones_below(SHORT_P);
  edges[9] = ones_below(TOP_2P);
}

static void bytes_survive_a_round_trip(void) {
  uint64_t seed = 20;
  for (int i = 0; i < 200; i++) {
    uint8_t in[32], out[32];
    test_random_bytes(&seed, in, 32);
    if (i < 8) memset(in, i % 2 != 0 ? 0 : 0xff, 32);
    textbook_int value = textbook_from_bytes(in);
    textbook_to_bytes(in, &value);
    spc__fr x;
    spc__fr_from_bytes(&x, in);
    check_equal(&x, &value);
    spc__fr_to_bytes(out, &x);
    CHECK_BYTES(out, in, 32);
  }
}

static void fifth_power(spc__fr *x) {
  spc__fr power;
  spc__fr_sqr(&power, x);
  spc__fr_sqr(&power, &power);
  spc__fr_mul(x, &power, x);
}

static void fifth_powers_are_right_at_the_edges(void) {
  spc__fr edges[EDGES];
  loose_edges(edges);
  for (int i = 0; i < EDGES; i++) {
    textbook_int value = meaning(&edges[i]), expected = textbook_pow5(&value);
    spc__fr x = edges[i];
    fifth_power(&x);
    check_equal(&x, &expected);
  }
}

static void six_products_of_the_edges_fit(void) {
  spc__fr edges[EDGES], factors[3] = {multiple(1, -1), ones_below(SHORT_P), multiple(0, 1)};
  loose_edges(edges);
  for (int shift = 0; shift < EDGES; shift++) {
    for (int same = 0; same < 2; same++) {
      spc__fr_wide t = {{0}};
      spc__fr out;
      textbook_int expected = textbook_small(0);
      for (int i = 0; i < 3; i++) {
        spc__fr_factor f[4];
        for (int j = 0; j < 2; j++) {
          const spc__fr *a = &edges[(shift + (same ? 0 : 2 * i + j)) % EDGES];
          const spc__fr *b = &factors[same ? shift % 2 : (i + j) % 3];
          textbook_int x = meaning(a), y = meaning(b), term = textbook_mul(&x, &y);
          expected = textbook_add(&expected, &term);
          spc__fr_prepare(&f[2 * j], a);
          spc__fr_prepare(&f[2 * j + 1], b);
        }
        spc__fr_wide_mul_add2(&t, &f[0], &f[1], &f[2], &f[3]);
      }
      spc__fr_reduce_add(&out, &t, &factors[0]);
      textbook_int added = meaning(&factors[0]);
      expected = textbook_add(&expected, &added);
      check_equal(&out, &expected);
    }
  }
}

static void sums_are_right_at_the_edges(void) {
  spc__fr edges[EDGES];
  loose_edges(edges);
  spc__fr constant = multiple(1, -1), power;
  for (int i = 0; i < EDGES; i++) {
    power = edges[i];
    fifth_power(&power);
    textbook_int u = meaning(&power), c = meaning(&constant), v, expected;
    spc__fr small = multiple((uint32_t)i % 3, i % 3 == 2 ? -1 : i), out;
    v = meaning(&small);
    spc__fr_add(&out, &power, &small);
    expected = textbook_add(&u, &v);
    check_equal(&out, &expected);
    spc__fr x[4] = {small, power, multiple(2, -1), multiple(1, i)}, constants[4];
    textbook_int y[4];
    for (int lane = 0; lane < 4; lane++) {
      constants[lane] = constant;
      y[lane] = meaning(&x[lane]);
    }
    spc__fr_external(x, constants);
    textbook_external(y);
    for (int lane = 0; lane < 4; lane++) {
      y[lane] = textbook_add(&y[lane], &c);
      check_equal(&x[lane], &y[lane]);
    }
  }
}

/* As in a partial round: 2 x (x^4 + c) and what a dot product gives. */
static void s_boxes_with_sums_are_right_at_the_edges(void) {
  spc__fr edges[EDGES];
  loose_edges(edges);
  for (int i = 0; i < EDGES; i++) {
    spc__fr x = edges[i], power, twice, out, added = multiple(SPC__FIELD_29 ? 4 : 1, i);
    spc__fr constant = i % 2 == 0 ? multiple(1, -1) : ones_below(SHORT_P);
    textbook_int value, fourth, expected, sum;
#if SPC__FIELD_29
    if (x.l[8] > 7 * spc__fr_p[8]) continue;
#endif
    value = meaning(&x);
    fourth = textbook_mul(&value, &value);
    fourth = textbook_mul(&fourth, &fourth);
    sum = meaning(&constant);
    fourth = textbook_add(&fourth, &sum);
    expected = textbook_mul(&fourth, &value);
    expected = textbook_add(&expected, &expected);
    sum = meaning(&added);
    expected = textbook_add(&expected, &sum);
    spc__fr_double(&twice, &x);
    spc__fr_sqr(&power, &x);
    spc__fr_sqr_add(&power, &power, &constant);
    spc__fr_mul_add(&out, &power, &twice, &added);
    check_equal(&out, &expected);
  }
}

static void the_canonical_check_finds_the_first(void) {
  static const char *const bad[] = {
      "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
      "30644e72e131a029b85045b68181585d2833e84879b97091ffffffffffffffff",
      "30644e72e131a029b85045b68181585dffffffffffffffff0000000000000000",
      "30644e72e131a029ffffffffffffffff00000000000000000000000000000000",
      "30644e72e131a02a000000000000000000000000000000000000000000000000",
      "ffffffffffffffff000000000000000000000000000000000000000000000000",
  };
  static const char *const good[] = {
      "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000000",
      "30644e72e131a029b85045b68181585d2833e84879b97090ffffffffffffffff",
      "30644e72e131a029b85045b68181585cffffffffffffffffffffffffffffffff",
      "30644e72e131a028ffffffffffffffffffffffffffffffffffffffffffffffff",
      "0000000000000000000000000000000000000000000000000000000000000000",
  };
  enum { GOOD = sizeof good / sizeof good[0] };
  uint8_t fields[32 * (GOOD + 2)];
  for (size_t i = 0; i < GOOD; i++)
    textbook_bytes_from_hex(fields + 32 * i, good[i]);
  CHECK_U64(spc__fr_first_noncanonical(fields, GOOD), GOOD);
  CHECK_U64(spc__fr_first_noncanonical(fields, 0), 0);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    textbook_bytes_from_hex(fields + 32 * GOOD, bad[i]);
    textbook_bytes_from_hex(fields + 32 * (GOOD + 1), bad[i]);
    CHECK_U64(spc__fr_first_noncanonical(fields, GOOD + 2), GOOD);
  }
}

int main(void) {
  textbook_init();
  per_r = textbook_shift_right(SPC__FIELD_29 ? 261 : 256);
  bytes_survive_a_round_trip();
  fifth_powers_are_right_at_the_edges();
  six_products_of_the_edges_fit();
  sums_are_right_at_the_edges();
  s_boxes_with_sums_are_right_at_the_edges();
  the_canonical_check_finds_the_first();
  return test_end();
}
