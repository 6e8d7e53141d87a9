#!/usr/bin/env node
// Generates the constants of Poseidon2 over BN254 (t = 4, x^5, 8 full and 56 partial rounds):
//   src/field/fr_constants.h            modulus and Montgomery constants
//   src/field/fr51_constants.h          the same for digits of 51 bits
//   src/sponge/poseidon2_constants.h    round constants and the recurrence form of the partial rounds
//   src/sponge/poseidon2_constants51.h  the same in pairs, for digits of 51 bits
//   test/vectors/poseidon2_vectors.h    test/vectors/poseidon2_bn254.json as C strings
//
//   node scripts/generate-poseidon2.mjs            writes the files
//   node scripts/generate-poseidon2.mjs --check    compares them, and the constants in the vectors
//   node scripts/generate-poseidon2.mjs --import FILE   rewrites the vectors from a full vector file
//
// Sources: Poseidon2, https://eprint.iacr.org/2023/323; the Grain LFSR and the structure of the
// round constants, https://eprint.iacr.org/2019/458, appendix E; the choice of parameters, Aztec.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const P = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const WIDTH = 4;
const FULL = 8;
const PARTIAL = 56;

// ---- Arithmetic modulo P -----------------------------------------------------------------------

const mod = (a, m = P) => ((a % m) + m) % m;
const power = (base, exponent) => {
  let result = 1n;
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = (b * b) % P) {
    if (e & 1n) result = (result * b) % P;
  }
  return result;
};
const inverse = (a) => power(a, P - 2n);
const inverseModPowerOf2 = (a, bits) => {
  let x = 1n;
  for (let have = 1n; have < bits; have *= 2n) x = mod(x * (2n - a * x), 1n << bits);
  return x;
};

// Tonelli and Shanks; undefined for a non-residue.
const squareRoot = (a) => {
  if (power(a, (P - 1n) / 2n) !== 1n) return undefined;
  let odd = P - 1n;
  let twos = 0;
  while ((odd & 1n) === 0n) {
    odd >>= 1n;
    twos++;
  }
  let nonResidue = 2n;
  while (power(nonResidue, (P - 1n) / 2n) === 1n) nonResidue++;
  let c = power(nonResidue, odd);
  let t = power(a, odd);
  let root = power(a, (odd + 1n) / 2n);
  while (t !== 1n) {
    let order = 0;
    for (let s = t; s !== 1n; s = (s * s) % P) order++;
    const b = power(c, 1n << BigInt(twos - order - 1));
    twos = order;
    c = (b * b) % P;
    t = (t * c) % P;
    root = (root * b) % P;
  }
  return root;
};

const dot = (a, b) => mod(a.reduce((sum, x, i) => sum + x * b[i], 0n));
const apply = (matrix, vector) => matrix.map((row) => dot(row, vector));
const product = (a, b) => a.map((row) => b[0].map((_, j) => dot(row, b.map((r) => r[j]))));
const transpose = (matrix) => matrix[0].map((_, i) => matrix.map((row) => row[i]));
const unit = (size, at) => Array.from({ length: size }, (_, i) => (i === at ? 1n : 0n));

// The matrix of a linear function of `size` numbers.
const matrixOf = (f, size) =>
  transpose(Array.from({ length: size }, (_, i) => f(unit(size, i))));

// Solves matrix * x = right by Gauss and Jordan; the matrix is regular.
const solve = (matrix, right) => {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (let c = 0; c < rows.length; c++) {
    const pivot = rows.findIndex((row, i) => i >= c && row[c] !== 0n);
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    const scale = inverse(rows[c][c]);
    rows[c] = rows[c].map((x) => mod(x * scale));
    for (let i = 0; i < rows.length; i++) {
      if (i !== c) rows[i] = rows[i].map((x, j) => mod(x - rows[i][c] * rows[c][j]));
    }
  }
  return rows.map((row) => row.at(-1));
};

// ---- Grain LFSR --------------------------------------------------------------------------------

// Field 1 (prime), S-box 0, 254 bits, width, rounds, thirty ones; a bit is used when the bit before
// it is one. Constants at or above P are skipped; the diagonal, which continues the stream, is
// reduced instead, and its fifth candidate is the first that meets the paper's conditions.
const grain = () => {
  const field = (value, bits) => [...value.toString(2).padStart(bits, '0')].map(Number);
  const state = [
    ...field(1, 2), ...field(0, 4), ...field(254, 12), ...field(WIDTH, 12),
    ...field(FULL, 10), ...field(PARTIAL, 10), ...field(2 ** 30 - 1, 30),
  ];
  const next = () => {
    const bit = [62, 51, 38, 23, 13, 0].reduce((x, tap) => x ^ state[tap], 0);
    state.shift();
    state.push(bit);
    return bit;
  };
  for (let i = 0; i < 160; i++) next();
  const bit = () => {
    for (;;) {
      const use = next();
      const value = next();
      if (use) return BigInt(value);
    }
  };
  const integer = () => {
    let value = 0n;
    for (let i = 0; i < 254; i++) value = 2n * value + bit();
    return value;
  };
  const constant = () => {
    for (;;) {
      const value = integer();
      if (value < P) return value;
    }
  };
  const constants = Array.from({ length: FULL * WIDTH + PARTIAL }, constant);
  const candidates = Array.from({ length: 5 * WIDTH }, () => mod(integer()));
  return { constants, diagonal: candidates.slice(-WIDTH).map((x) => mod(x - 1n)) };
};

// ---- Recurrence form of the partial rounds -----------------------------------------------------

// In a partial round only lane 0 meets the S-box; with y the other lanes and u the fifth power,
//   x0' = D u + 1'y,   y' = A y + 1 u,   D = d0 + 1,   A = J + diag(d1, d2, d3).
// Scale lane 0 by k with k^4 = D / 2: s = k (x0 + c), u~ = s^5 = k^5 u, v = k 1'y. Then
//   s' = 2 u~ + v + k c',
//   v[r+1] = tap[0] v[r] + tap[1] v[r-1] + tap[2] v[r-2] + tap[3] u~[r] + tap[4] u~[r-1] + tap[5] u~[r-2]
// by Cayley and Hamilton. Before the first round u~ = 0 and v continues the recurrence backwards
// (entry); after the last, y follows from the last three v and u~ (exit).
const recurrence = ({ constants, diagonal }) => {
  const D = mod(diagonal[0] + 1n);
  const fourth = mod(D * inverse(2n));
  const root = squareRoot(fourth);
  const k = squareRoot(root) ?? squareRoot(P - root);
  if (power(k, 4n) !== fourth) throw new Error('D / 2 is no fourth power');

  const ones = [1n, 1n, 1n];
  const A = ones.map((_, i) => ones.map((one, j) => (i === j ? mod(one + diagonal[i + 1]) : one)));
  const A2 = product(A, A);
  const trace = mod(A[0][0] + A[1][1] + A[2][2]);
  const minors = mod((trace * trace - A2[0][0] - A2[1][1] - A2[2][2]) * inverse(2n));
  const determinant = mod(
    A[0][0] * (A[1][1] * A[2][2] - 1n) - (A[2][2] - 1n) + (1n - A[1][1]),
  );
  const m0 = 3n;
  const m1 = dot(ones, apply(A, ones));
  const m2 = dot(ones, apply(A2, ones));
  const perFourth = inverse(fourth);
  const taps = [
    trace, P - minors, determinant,
    mod(m0 * perFourth),
    mod((m1 - trace * m0) * perFourth),
    mod((m2 - trace * m1 + minors * m0) * perFourth),
  ];

  // v[-1], v[-2], v[-3] from v[2], v[1], v[0] where all u~ are 0.
  const entryOf = (y) => {
    let v = [apply(A2, y), apply(A, y), y].map((z) => mod(k * dot(ones, z)));
    for (let i = 0; i < 3; i++) {
      const before = mod((v[0] - taps[0] * v[1] - taps[1] * v[2]) * inverse(taps[2]));
      v = [v[1], v[2], before];
    }
    return v;
  };
  // Three more steps with u~ = 0 give 1'y, 1'Ay and 1'A^2 y.
  const exitOf = ([v0, v1, v2, u0, u1, u2]) => {
    let v = [v0, v1, v2];
    let u = [u0, u1, u2];
    const sums = [];
    for (let i = 0; i < 3; i++) {
      const next = dot(taps, [...v, ...u]);
      sums.push(mod(next * inverse(k)));
      v = [next, ...v.slice(0, 2)];
      u = [0n, ...u.slice(0, 2)];
    }
    const rowSums = (matrix) => [0, 1, 2].map((j) => dot(ones, matrix.map((row) => row[j])));
    return solve([ones, rowSums(A), rowSums(A2)], sums);
  };
  return {
    k,
    perK: inverse(k),
    taps,
    A,
    entry: matrixOf(entryOf, 3),
    exit: matrixOf(exitOf, 6),
    constants: constants.map((c) => mod(k * c)),
  };
};

// ---- Permutation, plain and by the recurrence: a self-check of the derivation ------------------

const EXTERNAL = [[5n, 7n, 1n, 3n], [4n, 6n, 1n, 1n], [1n, 3n, 5n, 7n], [1n, 1n, 4n, 6n]];
const split = (constants) => ({
  first: [0, 1, 2, 3].map((r) => constants.slice(4 * r, 4 * r + 4)),
  partial: constants.slice(16, 16 + PARTIAL),
  last: [0, 1, 2, 3].map((r) => constants.slice(16 + PARTIAL + 4 * r, 20 + PARTIAL + 4 * r)),
});
const fullRound = (x, constants) =>
  apply(EXTERNAL, x.map((value, i) => power(value + constants[i], 5n)));

const permutePlain = (parameters, input) => {
  const { first, partial, last } = split(parameters.constants);
  let x = first.reduce(fullRound, apply(EXTERNAL, input));
  for (const c of partial) {
    x = [power(x[0] + c, 5n), ...x.slice(1)];
    const sum = x.reduce((a, b) => a + b);
    x = x.map((value, i) => mod(parameters.diagonal[i] * value + sum));
  }
  return last.reduce(fullRound, x);
};

// ---- The recurrence over S-box inputs ----------------------------------------------------------

// For kernels that reduce one number at a time. The fifth powers of the sum are replaced by half of
// s[r+1] - v[r] + constant, and the share of the newest s moves from v into the S-box, so that the
// next w has a whole round to be computed:
//   s[r+1] = s[r] (2 s[r]^4 + tap) + w[r],
//   w[r+1] = taps . (w[r], w[r-1], w[r-2], s[r], s[r-1], s[r-2]) + added[r+1].
// Before the first round, s[-1] = s[-2] = 0, and w[-1], w[-2] are made up so that w[1] and w[2] are
// right (entry: w[0], w[-1], w[-2] from the state). After the last, lanes 1 to 3 follow from w[56],
// w[55], w[54], s[56], s[55], s[54], and constants (exit).
const recurrenceOverInputs = ({ constants }, { k, perK, taps: byVU, A, constants: scaled }) => {
  const half = inverse(2n);
  const byU = byVU.slice(3).map((x) => mod(x * half));
  const byV = byVU.slice(0, 3).map((x, i) => mod(x - byU[i]));
  const tap = byU[0];
  const taps = [...byV, ...byV.map((x, i) => mod((byU[i + 1] ?? 0n) + x * tap))];

  // The linear part of all this is that of a run without fifth powers and constants, in which v is
  // k 1'y, and s the v of the round before.
  const ones = [1n, 1n, 1n];
  const run = (y, rounds) =>
    Array.from({ length: rounds }, (_, r) => {
      let z = y;
      for (let i = 0; i < r; i++) z = apply(A, z);
      return mod(k * dot(ones, z));
    });
  const entryOf = ([x0, ...y]) => {
    const v = run(y, 3);
    const s = [mod(k * x0), v[0], v[1]];
    const w = v.map((value, r) => mod(value - tap * s[r]));
    // w[-1] from the sum that gives w[2], then w[-2] from the one that gives w[1].
    const before = (value, ...terms) => mod((value - dot(taps, terms)) * inverse(taps[2]));
    const w1 = before(w[2], w[1], w[0], 0n, s[1], s[0], 0n);
    const w2 = before(w[1], w[0], w1, 0n, s[0], 0n, 0n);
    return [w[0], w1, w2];
  };
  // y[54] from 1'y[54], 1'y[55] and 1'y[56], then two rounds with the fifth powers of 54 and 55.
  const exitOf = ([w0, w1, w2, s0, s1, s2]) => {
    const v = [w2 + tap * s2, w1 + tap * s1, w0 + tap * s0].map((x) => mod(x));
    const u = [s1 - v[0], s0 - v[1]].map((x) => mod(x * half * power(perK, 5n)));
    const next = (z, fifth) => apply(A, z).map((x) => mod(x + fifth));
    const zero = [0n, 0n, 0n];
    const after = [zero, next(zero, u[0]), next(next(zero, u[0]), u[1])];
    const sums = v.map((x, i) => mod(x * perK - dot(ones, after[i])));
    const column = (matrix) => [0, 1, 2].map((j) => dot(ones, matrix.map((row) => row[j])));
    return next(next(solve([ones, column(A), column(product(A, A))], sums), u[0]), u[1]);
  };

  // The constants are what is missing on the way of any one state.
  const { partial } = split(scaled);
  // Its lane 0 already has the first constant, as for all who enter.
  let y = [5n, 6n, 7n];
  const [first, ...madeUp] = entryOf([4n, ...y]);
  let w = madeUp;
  let s = [mod(k * 4n), 0n, 0n];
  const added = [];
  for (let r = 0; r <= PARTIAL; r++) {
    const v = mod(k * dot(ones, y) + (partial[r + 1] ?? 0n));
    const exact = mod(v - tap * s[0]);
    const linear = r === 0 ? first : dot(taps, [...w, ...s.slice(1, 4)]);
    added.push(mod(exact - linear));
    w = [exact, ...w].slice(0, 3);
    if (r === PARTIAL) break;
    const u = power(s[0], 5n);
    y = apply(A, y).map((x) => mod(x + u * power(perK, 5n)));
    s = [mod(2n * u + v), ...s];
  }
  const exitAdded = exitOf([...w, ...s.slice(0, 3)]).map((x, i) => mod(y[i] - x));
  return {
    k, perK, tap, taps, added, exitAdded, constants,
    entry: matrixOf(entryOf, 4),
    exit: matrixOf(exitOf, 6),
  };
};

const permuteOverInputs = (form, input) => {
  const { first, partial, last } = split(form.constants);
  const [x0, ...lanes] = first.reduce(fullRound, apply(EXTERNAL, input));
  let w = apply(form.entry, [mod(x0 + partial[0]), ...lanes]);
  let s = [mod(form.k * (x0 + partial[0])), 0n, 0n];
  w[0] = mod(w[0] + form.added[0]);
  for (let r = 0; r < PARTIAL; r++) {
    const next = mod(dot(form.taps, [...w, ...s]) + form.added[r + 1]);
    s = [mod(s[0] * (2n * power(s[0], 4n) + form.tap) + w[0]), ...s.slice(0, 2)];
    w = [next, ...w.slice(0, 2)];
  }
  const y = apply(form.exit, [...w, ...s]).map((value, i) => value + form.exitAdded[i]);
  return last.reduce(fullRound, [form.perK * s[0], ...y]);
};

// ---- The recurrence in pairs -------------------------------------------------------------------

// For kernels that reduce two numbers at once. The numbers kept of a round are
//   z[r] = u~[r] + L[r],   s[r+1] = 2 u~[r] + L[r] + g[r+1],
// with L[r] = v[r] without the share of constants. As u~[r] = s[r+1] - z[r] + constant and
// v[r] = s[r+1] - 2 u~[r] + constant, the recurrence of v makes L a combination of the last three
// pairs (z[r], s[r+1]); the g take up all constants. Before the first round z[-1], s[-1] and s[-2]
// are made up so that the first three L are right, and z[-2] = z[-3] = 0 (entry).
const recurrenceInPairs = ({ constants }, { k, perK, taps, A, exit, constants: scaled }) => {
  const partial = [...split(scaled).partial, 0n];
  const ofU = [0, 1, 2].map((i) => mod(taps[3 + i] - 2n * taps[i]));
  const byZ = ofU.map((e) => mod(-e));
  const byS = ofU.map((e, i) => mod(taps[i] + e));
  const L = (z, s) => dot([...byZ, ...byS], [...z, ...s]);

  const ones = [1n, 1n, 1n];
  const entryOf = ([x0, ...y]) => {
    const s0 = mod(k * x0);
    // z[0] = s[1] = L[0] and so on where all u~ are 0.
    const [L0, L1, L2] = [y, apply(A, y), apply(A, apply(A, y))].map((x) => mod(k * dot(ones, x)));
    const z1 = mod((L2 - L([L1, L0, 0n], [L1, L0, s0])) * inverse(byZ[2]));
    const s1 = mod((L1 - L([L0, z1, 0n], [L0, s0, 0n])) * inverse(byS[2]));
    const s2 = mod((L0 - L([z1, 0n, 0n], [s0, s1, 0n])) * inverse(byS[2]));
    return [z1, s0, s1, s2];
  };

  // The constants are what is missing on the way of any one state.
  const sums = [partial[0]];
  let y = [1n, 2n, 3n];
  const [z1, s0, s1, s2] = entryOf([0n, ...y]);
  let z = [z1, 0n, 0n];
  let s = [mod(s0 + partial[0]), s1, s2];
  for (let r = 0; r < PARTIAL; r++) {
    const u = power(s[0], 5n);
    const next = mod(2n * u + k * dot(ones, y) + partial[r + 1]);
    const linear = L(z, s);
    sums.push(mod(next - 2n * u - linear));
    y = apply(A, y).map((value) => mod(value + u * power(perK, 5n)));
    z = [mod(u + linear), ...z.slice(0, 2)];
    s = [next, ...s.slice(0, 2)];
  }

  // Lanes 1 to 3 from (z, s) of the last three rounds, by the exit from v and u.
  const exitOf = (pairs, g, c) => {
    const u = [0, 1, 2].map((i) => mod(pairs[2 * i + 1] - pairs[2 * i] - g[i]));
    const v = [0, 1, 2].map((i) => mod(pairs[2 * i + 1] - 2n * u[i] - c[i]));
    return [mod(perK * pairs[1]), ...apply(exit, [...v, ...u])];
  };
  const lastThree = (list) => list.slice(-3).reverse();
  const zeros = [0n, 0n, 0n];
  return {
    byZ,
    byS,
    sums,
    entry: matrixOf(entryOf, 4),
    exit: matrixOf((pairs) => exitOf(pairs, zeros, zeros), 6),
    exitConstants: exitOf([...zeros, ...zeros], lastThree(sums), lastThree(partial)),
    constants,
  };
};

const permuteInPairs = (pairs, input) => {
  const { first, last } = split(pairs.constants);
  const x = first.reduce(fullRound, apply(EXTERNAL, input));
  const [z1, s0, s1, s2] = apply(pairs.entry, x);
  let z = [z1, 0n, 0n];
  let s = [mod(s0 + pairs.sums[0]), s1, s2];
  for (let r = 0; r < PARTIAL; r++) {
    const u = power(s[0], 5n);
    const linear = dot([...pairs.byZ, ...pairs.byS], [...z, ...s]);
    z = [mod(u + linear), ...z.slice(0, 2)];
    s = [mod(2n * u + linear + pairs.sums[r + 1]), ...s.slice(0, 2)];
  }
  const out = apply(pairs.exit, z.flatMap((value, i) => [value, s[i]]));
  return last.reduce(fullRound, out.map((value, i) => value + pairs.exitConstants[i]));
};

// ---- C text ------------------------------------------------------------------------------------

const limbs = (value, bits, count) =>
  Array.from({ length: count }, (_, i) => (value >> BigInt(bits * i)) & ((1n << BigInt(bits)) - 1n));
const hex = (value, suffix) => `0x${value.toString(16)}${suffix}`;

// A limb form: values are stored as value * 2^shift mod P in `count` limbs of `bits` bits.
const FORM64 = { bits: 64, count: 4, shift: 256n, suffix: 'u' };
const FORM29 = { bits: 29, count: 9, shift: 261n, suffix: 'u' };

const raw = (form, value) =>
  `{${limbs(value, form.bits, form.count).map((x) => hex(x, form.suffix)).join(', ')}}`;
const element = (form, value) => `{${raw(form, mod(value << form.shift))}}`;
const list = (items, indent = '    ') => `{\n${items.map((x) => `${indent}${x},\n`).join('')}}`;
const table = (form, name, values) =>
  `static const spc__fr ${name}[${values.length}] = ${list(values.map((v) => element(form, v)))};\n`;
const matrix = (form, name, rows) =>
  `static const spc__fr ${name}[${rows.length}][${rows[0].length}] = ${list(
    rows.map((row) => list(row.map((v) => element(form, v)))),
  )};\n`;

const HEADER = '/* Generated by scripts/generate-poseidon2.mjs; do not edit. */\n/* clang-format off */\n';

// 29 bits: what folds three limbs; 64 bits: multiples for subtractions.
const fieldConstants = () => {
  const one = (form, more) => `
#define SPC__FR_P ${raw(form, P)}
${more.map(([name, value]) => `#define SPC__FR_${name} ${raw(form, value)}\n`).join('')}\
/* R^2, R = 2^${form.shift} */
#define SPC__FR_R2 ${raw(form, mod(1n << (2n * form.shift)))}
`;
  const inverse64 = mod(-inverseModPowerOf2(P, 64n), 1n << 64n);
  return `${HEADER}#ifndef SPC_FIELD_FR_CONSTANTS_H
#define SPC_FIELD_FR_CONSTANTS_H

#if SPC__FIELD_29
${one(FORM29, [['PER_87', inverse(1n << 87n)]])}
#else
${one(FORM64, [
    ['2P', 2n * P],
    ['PER_64', inverse(1n << 64n)],
    ['PER_128', inverse(1n << 128n)],
  ])}
/* -1 / p mod 2^64 */
#define SPC__FR_P_INVERSE ${hex(inverse64, 'u')}

#endif

#endif
`;
};

// Added before each full round: rows 0 to 3, row 4 enters the partial rounds, row 5 leaves them, row
// 9 ends the permutation.
const roundConstants = (form) => {
  const { first, partial, last } = split(form.constants);
  const leave = last[0].map((c, i) => mod(c + (i === 0 ? 0n : form.exitAdded[i - 1])));
  return [...first, [partial[0], 0n, 0n, 0n], leave, ...last.slice(1), [0n, 0n, 0n, 0n]];
};

const spongeConstants = (form) => {
  // The bound of fr_adx.c.
  for (const row of [form.taps, ...form.entry, ...form.exit]) {
    const sum = row.reduce((a, b) => a + mod(b << 256n), 0n);
    if (4n * sum >= 3n << 256n) fail('the constants of a dot product are too large');
  }
  const one = (limbForm) => `
/*
 * Added before each full round. Row 4 enters the partial rounds, row 5 leaves them, and row 9 ends
 * the permutation.
 */
${matrix(limbForm, 'spc__p2_rounds', roundConstants(form))}
static const spc__fr spc__p2_k = ${element(limbForm, form.k)};
static const spc__fr spc__p2_per_k = ${element(limbForm, form.perK)};

/* s[r+1] = 2 s[r] (s[r]^4 + half_tap) + w[r] */
static const spc__fr spc__p2_half_tap = ${element(limbForm, form.tap * inverse(2n))};
/* w[r+1] from w[r], w[r-1], w[r-2], s[r], s[r-1], s[r-2]. */
${table(limbForm, 'spc__p2_taps', form.taps)}
/* Added to w[r]. */
${table(limbForm, 'spc__p2_added', form.added)}
/* w[0], w[-1] and w[-2] from the state. */
${matrix(limbForm, 'spc__p2_entry', form.entry)}
/* Lanes 1 to 3 from the last three w and s, in the order of the taps. */
${matrix(limbForm, 'spc__p2_exit', form.exit)}`;
  return `${HEADER}#ifndef SPC_SPONGE_POSEIDON2_CONSTANTS_H
#define SPC_SPONGE_POSEIDON2_CONSTANTS_H

#include "field/fr.h"

#if SPC__FIELD_29
${one(FORM29)}
#else
${one(FORM64)}
#endif

#endif
`;
};

// ---- C text for limbs of 52 bits ---------------------------------------------------------------

const braced52 = (value) => `{${limbs(value, 52, 5).map((x) => hex(x, 'u')).join(', ')}}`;

const fieldConstants52 = () => {
  const folds = [208n, 156n, 104n, 52n].map((bits) => inverse(1n << bits));
  if (100n * folds.reduce((a, b) => a + b) >= 124n * P) fail('a reduction gives more than 2.24 p');
  return `${HEADER}#ifndef SPC_FIELD_FR52_CONSTANTS_H
#define SPC_FIELD_FR52_CONSTANTS_H

#include <stdint.h>

/* p, -1 / p mod 2^52, and 2^(52 i - 208) mod p. */
typedef struct spc__f52_reduction {
  uint64_t p[5], p_inverse, fold[4][5];
} spc__f52_reduction;

static const spc__f52_reduction spc__f52_constants = {
    ${braced52(P)},
    ${hex(mod(-inverseModPowerOf2(P, 52n), 1n << 52n), 'u')},
    ${list(folds.map(braced52))}};

#endif
`;
};

const spongeConstants52 = (form) => {
  const R = 1n << 260n;
  const words = (value) => braced52(mod(value));
  const scaled = (value) => words(value * R);
  const rows = (name, size, table) =>
    `static const uint64_t ${name}[${table.length}]${size} = ${list(table)};\n`;
  const nested = (matrix) => matrix.map((row) => list(row.map(scaled)));
  const shifted = (matrix, bits) => matrix.map((row) => list(row.map((x) => words(x << bits))));
  const lanes = (values) => {
    const columns = values.map((value) => limbs(mod(value * R), 52, 5));
    return list([0, 1, 2, 3, 4].map((i) => `{${columns.map((x) => hex(x[i], 'u')).join(', ')}}`));
  };
  return `${HEADER}#ifndef SPC_SPONGE_POSEIDON2_CONSTANTS52_H
#define SPC_SPONGE_POSEIDON2_CONSTANTS52_H

#include <stdint.h>

/* What a state and bytes are multiplied by to be added up: R and R^2 mod p, R = 2^260. */
${rows('spc__p2_from52', '[5]', [words(R), words(R * R)])}
/* What a number with factor 2^256 is multiplied by to get factor 2^260, and back. */
static const uint64_t spc__p2_from64_52[5] = ${words(1n << 264n)};
static const uint64_t spc__p2_to64_52[5] = ${words(1n << 256n)};

/* As in poseidon2_constants.h. */
${rows('spc__p2_rounds52', '[4][5]', nested(roundConstants(form)))}
${rows('spc__p2_k52', '[5]', [scaled(form.k)])}${rows('spc__p2_per_k52', '[5]', [scaled(form.perK)])}
static const uint64_t spc__p2_tap52[5] = ${scaled(form.tap)};
/* By the newest, the middle and the oldest w and s. */
${rows('spc__p2_taps52', '[2][5]', [0, 1, 2].map((i) => list([form.taps[i], form.taps[3 + i]].map(scaled))))}
${rows('spc__p2_added52', '[5]', form.added.map(scaled))}
${rows('spc__p2_entry52', '[4][5]', nested(form.entry))}
${rows('spc__p2_exit52', '[6][5]', nested(form.exit))}
/* spc__p2_rounds52 by limbs, with the lanes of the state side by side. */
${rows('spc__p2_rounds_lanes52', '[5][4]', roundConstants(form).map(lanes))}
/*
 * For dot products in the lanes of one vector, rows of eight words, of which five are limbs: of
 * numbers with factor 2^256, from factor 2^260 to that (first k), and back (first 1 / k).
 */
${rows('spc__p2_taps_row52', '[8]', form.taps.map(scaled))}
${rows('spc__p2_entry_row52', '[4][8]', shifted([[form.k, 0n, 0n, 0n], ...form.entry], 256n))}
${rows('spc__p2_exit_row52', '[6][8]', shifted([[0n, 0n, 0n, form.perK, 0n, 0n], ...form.exit], 264n))}
#endif
`;
};

// ---- C text for digits of 51 bits --------------------------------------------------------------

const signedDigits51 = (value) => {
  const digits = [];
  for (let rest = value; digits.length < 5; rest = (rest - digits.at(-1)) >> 51n) {
    digits.push(digits.length === 4 ? rest : BigInt.asIntN(51, rest));
  }
  return digits;
};
const nextToZero = (value) => (mod(value) > P / 2n ? mod(value) - P : mod(value));
const digits51 = (value) => signedDigits51(nextToZero(value));
const R51 = 1n << 306n;
const double = (digit) => `${digit}.0`;
const braces = (items) => `{${items.join(', ')}}`;
const element51 = (value) => digits51(value * R51);
// A constant that is added to the columns of a sum before its reduction.
const column51 = (value) => digits51(value * R51 * R51);
// Digits, then the differences of digits i < j, later minus earlier; within what products allow.
const factor51 = (value) => {
  const digits = element51(value);
  const differences = digits.flatMap((d, i) => digits.slice(i + 1).map((later) => later - d));
  for (const d of differences) {
    if (100n * (d < 0n ? -d : d) >= 92n << 51n) fail('a difference of digits is too large');
  }
  return [...digits, ...differences];
};
// The rows of several lists side by side.
const pairs51 = (a, b, text) => braces(a.map((value, i) => braces([text(value), text(b[i])])));

const fieldConstants51 = () => {
  const folds = [0n, 1n, 2n, 3n, 4n].map((i) => power(2n, 51n * i) * inverse(1n << 255n));
  const size = folds.map(nextToZero).reduce((sum, x) => sum + (x < 0n ? -x : x), 0n);
  if (100n * size >= 112n * P) fail('a reduction gives more than 1.06 p');
  const negative = BigInt.asIntN(51, -inverseModPowerOf2(P, 51n));
  return `${HEADER}#ifndef SPC_FIELD_FR51_CONSTANTS_H
#define SPC_FIELD_FR51_CONSTANTS_H

#define SPC__F51_P ${braces(signedDigits51(P).map(double))}
#define SPC__F51_P_INVERSE ${double(negative)} /* -1 / p mod 2^51 */
/* 2^(51 i - 255) mod p */
#define SPC__F51_FOLD {${folds.map((x) => ` \\\n    ${braces(digits51(x).map(double))}`)}}

static const double spc__f51_r[5] = ${braces(digits51(R51).map(double))};
static const double spc__f51_r2[5] = ${braces(digits51(R51 * R51).map(double))};
/* From and to the form of 9 limbs of 29 bits: R^2 / 2^261 and 2^261. */
static const double spc__f51_from29[5] = ${braces(digits51((R51 * R51) * inverse(1n << 261n)).map(double))};
static const double spc__f51_to29[5] = ${braces(digits51(1n << 261n).map(double))};

#endif
`;
};

const spongeConstants51 = (pairs) => {
  const { first, last } = split(pairs.constants);
  const zero = [0n, 0n, 0n, 0n];
  const middle = last[0].map((c, i) => mod(c + pairs.exitConstants[i]));
  const even = (row) => [row[0], row[1]];
  const odd = (row) => [row[2], row[3]];
  const rounds = [...first, middle, ...last.slice(1), zero].map((row) =>
    list(even(row).map((c, i) =>
      pairs51(column51(c), column51(odd(row)[i]), (digit) => digit))));
  const factors = (rows, order) => list(order.map(([a, b]) =>
    list(rows[0].map((_, i) => pairs51(factor51(rows[a][i]), factor51(rows[b][i]), double)))));
  return `${HEADER}#ifndef SPC_SPONGE_POSEIDON2_CONSTANTS51_H
#define SPC_SPONGE_POSEIDON2_CONSTANTS51_H

#include "field/fr51.h"

/*
 * Constants of the full rounds, lanes (0, 2) and (1, 3) in pairs: row 0 to 3 before the first four,
 * 4 to 7 before the last four, 8 is zero. Row 4 has those of the exit from the partial rounds too.
 */
static const int64_t spc__p2_rounds51[9][2][5][2] = ${list(rounds)};

/* Added to s[r]. */
static const int64_t spc__p2_sums51[${PARTIAL + 1}][5] = ${list(pairs.sums.map((g) => braces(column51(g))))};

/* The linear part of a partial round: by z and s of one to three rounds ago. */
static const double spc__p2_taps51[3][SPC__F51_FACTOR][2] = ${list(
    pairs.byZ.map((a, i) => pairs51(factor51(a), factor51(pairs.byS[i]), double)))};

/* (z[-1], s[0]) and (s[-1], s[-2]) from lanes 0 to 3. */
static const double spc__p2_entry51[2][4][SPC__F51_FACTOR][2] = ${factors(pairs.entry, [[0, 1], [2, 3]])};

/* Lanes (0, 2) and (1, 3) from z and s of the last three rounds, the last first. */
static const double spc__p2_exit51[2][6][SPC__F51_FACTOR][2] = ${factors(pairs.exit, [[0, 2], [1, 3]])};

#endif
`;
};

// ---- Vectors -----------------------------------------------------------------------------------

const short = (text) => `0x${BigInt(text).toString(16)}`;

// Keeps what tests need of a full vector file, with numbers in their shortest form.
const importVectors = (full) => ({
  description: full.description,
  modulus: short(full.modulus),
  grain: full.grain,
  diagonal_minus_1: full.internal_diagonal_minus_1.map(short),
  round_constants: full.round_constants.flatMap((row, r) =>
    (r < FULL / 2 || r >= FULL / 2 + PARTIAL ? row : row.slice(0, 1)).map(short)),
  vectors: [...full.test_vectors, ...full.derived_vectors].map((v) => ({
    name: v.name,
    kind: v.kind,
    source: v.source,
    ...(v.input ? { input: v.input.map(short) } : { start: v.start, count: v.count }),
    output: v.output.map(short),
  })),
  traces: full.sponge_traces.map((t) => ({
    iv: short(t.iv),
    start: t.start,
    chunks: t.chunk_lengths,
    states: t.states_after_each_absorb.map((state) => state.map(short)),
    squeeze: short(t.squeeze),
    squeezed: t.state_after_squeeze.map(short),
  })),
});

// One line per value, so that differences are readable.
const vectorsText = (vectors) =>
  `${JSON.stringify(vectors, null, 1).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inner) =>
    `[${inner.replace(/\s*\n\s*/g, ' ')}]`)}\n`;

const vectorsHeader = (vectors) => {
  const digits = (text) => BigInt(text).toString(16).padStart(64, '0');
  const strings = (values) => `{${values.map((v) => `"${digits(v)}"`).join(', ')}}`;
  const longest = (lists) => Math.max(1, ...lists.map((x) => x.length));
  const listed = vectors.vectors.filter((v) => v.input);
  const ruled = vectors.vectors.filter((v) => !v.input);
  return `${HEADER}#ifndef SPC_TEST_VECTORS_POSEIDON2_VECTORS_H
#define SPC_TEST_VECTORS_POSEIDON2_VECTORS_H

#include <stddef.h>
#include <stdint.h>

/* Field elements are 64 hexadecimal digits. */
static const char *const poseidon2_modulus = "${digits(vectors.modulus)}";
/* Round by round: 4 rounds of 4, 56 of 1, 4 of 4. */
static const char *const poseidon2_constants[] = ${list(
    vectors.round_constants.map((x) => `"${digits(x)}"`))};
/* The diagonal of the internal matrix, minus one. */
static const char *const poseidon2_diagonal[] = ${list(
    vectors.diagonal_minus_1.map((x) => `"${digits(x)}"`))};

typedef struct poseidon2_vector {
  const char *name, *kind;
  size_t inputs, outputs;
  const char *input[${longest(listed.map((v) => v.input))}], *output[4];
} poseidon2_vector;

static const poseidon2_vector poseidon2_vectors[] = ${list(listed.map((v) =>
    `{"${v.name}", "${v.kind}", ${v.input.length}, ${v.output.length}, ${strings(v.input)}, ${strings(v.output)}}`))};

/* Input element i is start + i. */
static const struct {
  const char *name, *kind;
  uint64_t start;
  size_t count;
  const char *output;
} poseidon2_ruled_vectors[] = ${list(ruled.map((v) =>
    `{"${v.name}", "${v.kind}", ${v.start}, ${v.count}, "${digits(v.output[0])}"}`))};

/* A sponge that absorbs start, start + 1, ... in chunks; states are cache, state, cache size, flag. */
static const struct {
  const char *iv;
  uint64_t start;
  size_t chunks;
  size_t lengths[${longest(vectors.traces.map((t) => t.chunks))}];
  const char *states[${longest(vectors.traces.map((t) => t.chunks))}][9], *squeeze, *squeezed[9];
} poseidon2_traces[] = ${list(vectors.traces.map((t) =>
    `{"${digits(t.iv)}", ${t.start}, ${t.chunks.length}, {${t.chunks.join(', ') || 0}}, {${
      t.states.map(strings).join(', ') || '{0}'}}, "${digits(t.squeeze)}", ${strings(t.squeezed)}}`))};

#endif
`;
};

// ---- Main --------------------------------------------------------------------------------------

const inTree = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const fail = (message) => {
  console.error(message);
  process.exit(1);
};

const parameters = grain();
const form = recurrence(parameters);
const inputForm = recurrenceOverInputs(parameters, form);
const pairForm = recurrenceInPairs(parameters, form);
const sample = [0n, 1n, 2n, P - 1n];
const plain = permutePlain(parameters, sample).join();
if (plain !== permuteOverInputs(inputForm, sample).join()) {
  fail('the recurrence over S-box inputs differs from the plain permutation');
}
if (plain !== permuteInPairs(pairForm, sample).join()) {
  fail('the recurrence in pairs differs from the plain permutation');
}

const [option, argument] = process.argv.slice(2);
const vectorsPath = 'test/vectors/poseidon2_bn254.json';
if (option === '--import') {
  const full = JSON.parse(readFileSync(argument, 'utf8'));
  writeFileSync(inTree(vectorsPath), vectorsText(importVectors(full)));
} else if (option !== undefined && option !== '--check') {
  fail('usage: generate-poseidon2.mjs [--check | --import FILE]');
}

const vectors = JSON.parse(readFileSync(inTree(vectorsPath), 'utf8'));
const same = (values, texts) => values.join() === texts.map(BigInt).join();
if (BigInt(vectors.modulus) !== P || !same(parameters.constants, vectors.round_constants) ||
    !same(parameters.diagonal, vectors.diagonal_minus_1)) {
  fail(`the generated constants differ from ${vectorsPath}`);
}

const files = {
  'src/field/fr_constants.h': fieldConstants(),
  'src/field/fr51_constants.h': fieldConstants51(),
  'src/sponge/poseidon2_constants.h': spongeConstants(inputForm),
  'src/field/fr52_constants.h': fieldConstants52(),
  'src/sponge/poseidon2_constants52.h': spongeConstants52(inputForm),
  'src/sponge/poseidon2_constants51.h': spongeConstants51(pairForm),
  'test/vectors/poseidon2_vectors.h': vectorsHeader(vectors),
};
for (const [path, text] of Object.entries(files)) {
  if (option !== '--check') writeFileSync(inTree(path), text);
  else if (readFileSync(inTree(path), 'utf8') !== text) fail(`${path} differs from what is generated`);
}
console.log(`${Object.keys(files).length} files ${option === '--check' ? 'checked' : 'written'}`);
