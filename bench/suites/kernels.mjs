// The kernels suite: nanoseconds a permutation and a 64-byte hash. Variants are kernel names, which
// the C runner forces, natively and in Wasm; "chosen", what the back end picks, timed inside one
// call; "call", one call a permutation, which adds the boundary; and "call-into", the same with a
// result in memory that is there already.
import { createHash } from 'node:crypto';

import { makeBytes, makeFields } from './inputs.mjs';

export const name = 'kernels';
export const title = 'Kernels: one permutation, one 64-byte hash';
export const module = import.meta.url;
export const unit = 'ns';
export const share = 2;

const PERMUTATIONS = 256;
const PAIRS = 1024;

const permuteInput = makeFields(3 * PERMUTATIONS);
const states = makeFields(4 * PERMUTATIONS);
const state = states.slice(0, 128);
const pairs = makeBytes(64 * PAIRS);
const pair = pairs.slice(0, 64);

// What each row runs, how many operations that is, and the name that its result is compared under.
const ROWS = [
  {
    // As many permutations as the message has threes: the single-stream kernel without its calls.
    case: 'permute', variant: 'chosen', needs: 'hash', operations: PERMUTATIONS,
    run: (backend) => backend.hash(permuteInput), result: 'hash-of-768-fields',
  },
  {
    case: 'permute', variant: 'call', needs: 'permute', operations: 1,
    run: (backend) => backend.permute(state), result: 'permutation',
  },
  {
    case: 'permute', variant: 'call-into', needs: 'permuteInto', operations: 1,
    run: (backend) => backend.permuteInto(state), result: 'permutation',
  },
  {
    case: 'permute-many', variant: 'chosen', needs: 'permuteMany', operations: PERMUTATIONS,
    run: (backend) => backend.permuteMany(states), result: '256-permutations',
  },
  {
    case: 'sha256-pair', variant: 'chosen', needs: 'sha256Pairs', operations: 1,
    run: (backend) => backend.sha256Pairs(pair), result: 'hash-of-64-bytes',
  },
  {
    case: 'sha256-pairs', variant: 'chosen', needs: 'sha256Pairs', operations: PAIRS,
    run: (backend) => backend.sha256Pairs(pairs), result: 'hashes-of-1024-pairs',
  },
];

export function offers(backend) {
  return ROWS.filter(({ needs }) => backend[needs])
    .map(({ case: name, variant, operations }) => ({ case: name, variant, operations }));
}

export function prepare(backend, offer) {
  const row = ROWS.find((row) => row.case === offer.case && row.variant === offer.variant);
  return {
    run: () => row.run(backend),
    result: (bytes) => ({ [row.result]: createHash('sha256').update(bytes).digest('hex') }),
  };
}

/** Calls against none, kernels of C against the portable one, what else is chosen against C. */
export function ratioTo(row, rows) {
  const find = (backend, variant, engine) => rows.find((other) =>
    other.backend === backend && other.variant === variant && other.engine === engine);
  if (row.variant.startsWith('call')) return find(row.backend, 'chosen', row.engine);
  return row.backend === 'c' || row.variant !== 'chosen'
    ? find(row.backend, 'portable', row.engine) : find('c', 'chosen');
}
