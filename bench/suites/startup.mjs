// The start-up suite: from importing the package to the first result, and from then on when it has
// been imported, in a fresh process a sample. What it takes to start Node itself is not counted.
import { fileURLToPath } from 'node:url';

import { ProbeContestants } from '../lib/probe-contestants.mjs';

export const name = 'startup';
export const title = 'Start-up: to the first result in a fresh process';
export const unit = 'ms';
export const share = 1;

const PROBE = fileURLToPath(new URL('./startup-probe.mjs', import.meta.url));

/** Of a peer nobody knows what belongs to its import. */
const variants = (backend) =>
  (backend.name.startsWith('peer:') ? ['first-result'] : ['first-result', 'create-and-call']);

export const connect = (backend, execPath) => new ProbeContestants(backend, execPath, PROBE,
  variants(backend).map((variant) => ({ case: 'startup', variant })));

/** Every row against the default way in. */
export function ratioTo(row, rows) {
  if (row.backend === 'wasm-simd') return undefined;
  return rows.find((other) => other.backend === 'wasm-simd' &&
    other.variant === row.variant && other.engine === row.engine);
}
