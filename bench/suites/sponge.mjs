// The sponge suite: one complete operation is a fresh sponge, absorbing all fields in chunks,
// serializing, squeezing. "legacy" crosses the boundary once a permutation, "batched" once a chunk.
import { makeFields } from './inputs.mjs';
import { LegacySponge } from './legacy-sponge.mjs';

export const name = 'sponge';
export const title = 'Sponge: fresh sponge, absorb, serialize, squeeze';
export const module = import.meta.url;
export const unit = 'ms';
export const share = 6;

const SCENARIOS = {
  '3/3': [3, 3],
  '30/30': [30, 30],
  '300/300': [300, 300],
  '3000/3000': [3000, 3000],
  '24576/24576': [24576, 24576],
  '24576/50': [24576, 50],
  '24576/500': [24576, 500],
};

export const sides = {
  variants: ['legacy', 'batched'],
  columns: ['fields/chunk', 'back end', 'old ms', 'new ms', 'batching ratio', 'new against uds'],
  note: 'old: one call a permutation; new: one call a chunk. Medians; a ratio is the median of ' +
    'paired ratios of time, below 1 is faster: new / old, and new / new over the Unix socket.',
  against: 'uds',
};

/** Absorbing batches takes sponges: a back end that only hashes can't go on from a state. */
function batchedReason(backend, [fields, chunk]) {
  if (backend.sponge || (backend.hash && fields === chunk)) return undefined;
  return 'it has no call that absorbs into an existing state';
}

export function offers(backend) {
  const list = [];
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    if (backend.permuteFields) list.push({ case: name, variant: 'legacy', operations: 1 });
    if (backend.sponge || backend.hash) {
      const reason = batchedReason(backend, scenario);
      list.push({ case: name, variant: 'batched', operations: 1, reason });
    }
  }
  return list;
}

const hex = (bytes) => Buffer.from(bytes).toString('hex');

export function prepare(backend, { case: name, variant }) {
  const [count, chunk] = SCENARIOS[name];
  const fields = makeFields(count);
  const chunks = [];
  for (let i = 0; i < count; i += chunk) chunks.push(fields.slice(32 * i, 32 * (i + chunk)));

  if (variant === 'batched' && !backend.sponge) {
    return { run: () => backend.hash(fields), result: (output) => ({ output: hex(output) }) };
  }
  const makeSponge = variant === 'legacy'
    ? () => new LegacySponge(backend.permuteFields, count)
    : () => backend.sponge(count);
  const result = ({ state, output }) => ({ state: hex(state), output: hex(output) });

  if (variant === 'batched' && backend.synchronous) {
    const run = () => {
      const sponge = makeSponge();
      for (const part of chunks) sponge.absorb(part);
      const state = sponge.serialize();
      const output = sponge.squeeze();
      sponge.dispose?.();
      return { state, output };
    };
    return { run, result };
  }
  const run = async () => {
    const sponge = makeSponge();
    for (const part of chunks) await sponge.absorb(part);
    return { state: sponge.serialize(), output: await sponge.squeeze() };
  };
  return { run, result };
}

/** The row that another one's ratio is to: what batching is worth, and a peer against our own. */
export function ratioTo(row, rows) {
  if (row.backend.startsWith('peer:')) return rows.find(ownCounterpart(row));
  if (row.variant !== 'batched') return undefined;
  return rows.find((other) => other.backend === row.backend && other.engine === row.engine &&
    other.variant === 'legacy');
}

function ownCounterpart(peer) {
  const backend = peer.backend.endsWith('-wasm') ? 'wasm-baseline' : 'native';
  return (row) => row.backend === backend && row.engine === peer.engine &&
    row.variant === peer.variant;
}
