#!/usr/bin/env node
// Follows the largest values and column sums through every Poseidon2 kernel, in exact integers, and
// fails where one exceeds what the comment beside the code states or what its words can hold. Tests
// with SPC_CHECK_BOUNDS see the values that occur; this sees the worst that could.
//
//   node scripts/check-kernel-bounds.mjs            checks; silent but for a count
//   node scripts/check-kernel-bounds.mjs --verbose  prints each bound beside the stated one
const P = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

const power2 = (bits) => 1n << BigInt(bits);
const ceilDivide = (a, b) => (a + b - 1n) / b;
const magnitude = (x) => (x < 0n ? -x : x);
const largest = (values) => {
  let most = values[0];
  for (const value of values) if (value > most) most = value;
  return most;
};
const sum = (values) => values.reduce((a, b) => a + b, 0n);

/** 2^-bits mod p. */
function perPower2(bits) {
  let x = 1n;
  for (let i = 0; i < bits; i++) x = (x % 2n === 0n ? x : x + P) / 2n;
  return x;
}

/** The residue of least magnitude. */
const centred = (x) => (x > P / 2n ? x - P : x);

let checks = 0;
let kernel = '';
const failures = [];

/** Checks value < limit. */
function below(what, value, limit, unit = P) {
  checks++;
  const show = (x) => (Number((x * 10000n) / unit) / 10000).toString();
  const line = `${kernel}: ${what}: ${show(value)} < ${show(limit)}`;
  if (process.argv.includes('--verbose')) console.log(line);
  if (value >= limit) failures.push(line);
}

/** So many thousandths of p: what the comments state. */
const multiple = (thousandths) => (P * BigInt(thousandths)) / 1000n;
const word = (what, value, bits = 64) => below(what, value, power2(bits), power2(bits));

// ---- Four limbs of 64 bits: fr64.h, fr_adx.h --------------------------------------------------

const R64 = power2(256);
const PER_64 = perPower2(64);
const PER_128 = perPower2(128);

/** What spc__fr_reduce_sum makes of x < limit: its quotient tried for every value of the top bits. */
function reduceSum64(limit) {
  let most = 0n;
  for (let top = 0n; top <= limit >> 248n; top++) {
    const q = (top * 21667n) >> 20n;
    const least = (top << 248n) - q * P;
    checks++;
    if (least < 0n) failures.push(`${kernel}: the quotient of ${top} is too large`);
    most = largest([most, ((top + 1n) << 248n) - q * P]);
  }
  word('the product that estimates a quotient', (limit >> 248n) * 21667n);
  return most;
}

/** The rounds of poseidon2_portable.c, by how far above t / R a reduction may end. */
function rounds64(name, excess) {
  kernel = name;
  const reduce = (t) => ceilDivide(t, R64) + excess;
  const loose = 2n * P;
  const square = reduce(loose * loose);
  const fourth = reduce(square * square);
  const fifth = reduce(fourth * loose);
  for (const x of [square, fourth, fifth]) below('a product in a full round', x, loose);
  const external = 16n * loose + P;
  below('external matrix with constants', external, 17n * R64);
  const reduced = reduceSum64(external);
  below('the same reduced', reduced, multiple(1030));
  const w = reduceSum64(reduce(6n * P * loose) + P);
  word('a sum of six products', 6n * P * loose, 512);
  word('a dot product, reduced, with its constant', reduce(6n * P * loose) + P, 256);
  below('the same reduced again', w, multiple(1030));
  const factor = fourth + P;
  word('twice an input of an S-box', 2n * loose, 256);
  const s = reduce(factor * 2n * loose) + w;
  word('the S-box with w', s, 256);
  below('the S-box with w, before a subtraction of 2 p', s, 2n * loose);
  word('a sum of two', 2n * loose, 256);
  below('the canonical form before its subtractions', reduce(loose), loose);
}

rounds64('portable, 4 x 64', P);
rounds64('adx', P + ceilDivide(PER_64 + PER_128, power2(64)));
word('the window of a product', 4n * P + PER_64 + PER_128, 256);
// Of a dot product: scripts/generate-poseidon2.mjs makes sure of the constants.
word('the window of a dot product', (3n * R64) / 4n + P, 256);

// ---- Nine limbs of 29 bits: fr29.h ------------------------------------------------------------

{
  kernel = 'portable, 9 x 29';
  const R = power2(261);
  const PER_87 = perPower2(87);
  const fold = (t) => (t >> 87n) + 1n + power2(87) * PER_87;
  const reduce = (t) => (fold(fold(t)) >> 87n) + 1n + P;
  const limb = power2(29) - 1n;
  const top = (value) => value >> 232n;
  const loose = 41n * P;
  below('loose', loose, R);
  word('its top limb', top(loose), 29);

  // 9 terms a product, six of them in a dot product; a reduction adds three terms three times, and
  // carries of columns of 64 bits; a constant or another number may be added to the result.
  const term = limb * limb;
  const inReduction = 9n * term + 2n * power2(35) + power2(32);
  word('a column of six products and a reduction', 54n * term + inReduction);
  word('a column of a product by twice a number', 18n * term + inReduction);

  const square = reduce(loose * loose);
  const fourth = reduce(square * square);
  const fifth = reduce(fourth * loose);
  below('square', square, multiple(11800));
  below('fourth power', fourth, multiple(2700));
  below('fifth power', fifth, multiple(2500));
  below('external matrix with constants', 16n * multiple(2500) + P, loose + 1n);
  const dot = reduce(6n * P * loose);
  below('dot product', dot, multiple(3300));
  const w = dot + P;
  below('dot product with its constant', w, multiple(4300));
  const s = 7n * P;
  const tapped = reduce(reduce(s * s) ** 2n) + P;
  below('square of an S-box in a partial round', reduce(s * s), multiple(2200));
  below('its fourth power and constant', tapped, multiple(2900));
  below('the S-box with w', reduce(tapped * 2n * s) + w, s);
  // spc__fr_add: the quotient is exact but for what the lower limbs of p could be.
  const divisor = (P >> 232n) + 1n;
  const added = loose + 4n * P;
  for (let q = 0n; q * divisor <= top(added); q++) {
    const high = (q + 1n) * divisor - 1n;
    below('a sum less a multiple of p', ((high + 1n) << 232n) - q * P, multiple(1100));
    checks++;
    if (q * divisor * power2(232) < q * P) failures.push(`${kernel}: a sum less ${q} p is negative`);
  }
}

// ---- Five limbs of 52 bits: fr52.h, poseidon2_ifma.h, poseidon2_ifma.c ------------------------

{
  kernel = 'ifma_x8, ifma_x4';
  const R = power2(260);
  const limb = power2(52) - 1n;
  const folds = [0, 1, 2, 3].map((i) => perPower2(208 - 52 * i));
  const reduce = (t) => ceilDivide(t + power2(208) * limb * sum(folds), R) + P;
  below('what a reduction adds', reduce(0n), multiple(2240));
  const x = 7n * P;
  below('an input of an S-box', x, R);
  const square = reduce(x * x);
  const fourth = reduce(square * square);
  below('square', square, multiple(2900));
  below('fourth power', fourth, multiple(2400));
  below('full round', reduce(16n * fourth * x) + P, multiple(6500));
  below('absorbing', reduce(16n * (x + P) * P) + P, multiple(5000));
  const w = reduce(6n * x * P) + P;
  below('w', w, multiple(3800));
  const factor = 2n * fourth + P;
  below('twice the fourth power, and a constant', factor, multiple(5800));
  below('partial round', reduce(factor * x) + w, multiple(6600));
  // Five low and five high halves a product; a reduction has four of each, Montgomery's step one.
  const halves = largest([16n * 2n * 10n, 60n]) + 10n;
  word('a column', (halves + 1n) * limb + power2(52), 61);

  kernel = 'ifma';
  const per52 = perPower2(52);
  const stages = (t) => {
    let rest = t;
    for (let i = 0; i < 4; i++) rest = (rest >> 52n) + 1n + limb * per52;
    return (rest >> 52n) + 1n + P;
  };
  below('what a reduction adds', stages(0n), multiple(1130));
  const loose = 2n * P;
  below('w before a multiple of p is taken off', stages(6n * P * loose) + P, multiple(2280));
  below('w', reduceSum64(stages(6n * P * loose) + P), multiple(1030));
  below('entry', stages(4n * P * x), multiple(1500));
  below('exit', stages(6n * P * loose), multiple(1300));
  below('exit with constants', stages(6n * P * loose) + P, x);
}

// ---- Digits of 51 bits as doubles: fr51.h, poseidon2_lanes51.h, poseidon2_relaxed.c -----------

{
  kernel = 'relaxed, relaxed_x2, avx2_x4';
  const R = power2(306);
  const unit = power2(51);
  const digit = power2(50) + power2(9);
  const element = multiple(1060);
  const folds = [0, 1, 2, 3, 4].map((i) => magnitude(centred(perPower2(255 - 51 * i))));
  // Everything is an interval around zero. A sum has at most 32 products, of 6 Karatsuba products
  // each counted once, beside them.
  const products = 38n;
  const reduced = ceilDivide(products * element * element, R) +
    ceilDivide(digit * sum(folds), unit) + ceilDivide(P * (unit / 2n), unit);
  below('an element', reduced, element);
  const topDigit = (element >> 204n) + 2n;
  below('its top digit', topDigit, digit, unit);
  below('the product of two digits', digit * digit, power2(102), power2(102));
  below('the product of a digit and twice one', 2n * digit * digit, power2(102), power2(102));
  const difference = (92n * unit) / 100n; // of constants: scripts/generate-poseidon2.mjs
  below('the product of two differences', 2n * digit * difference, power2(102), power2(102));
  // Low halves are within 2^50, high halves within 2^51, five of each in a column of a product; in
  // one of a Karatsuba product each of its products of equal digits counts three times.
  const column = 5n * (unit / 2n + unit);
  word('a column', (32n + 3n * 6n) * column + 6n * (unit / 2n + unit) + power2(12), 60);
  below('a carry', power2(60) / unit, power2(9) + 1n, power2(9));
  // On the way to bytes one p is added to what is negative.
  below('the value in words', element + P, power2(256));
}

for (const failure of failures) console.error(failure);
console.log(`${checks} bounds, ${failures.length} exceeded`);
process.exit(failures.length === 0 ? 0 : 1);
