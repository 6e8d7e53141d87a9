// The start-up suite: from importing the package to the first result, in a fresh process a sample.
// What it takes to start Node itself is not counted.
import { fileURLToPath } from 'node:url';

import { ProbeContestants } from '../lib/probe-contestants.mjs';

export const name = 'startup';
export const title = 'Start-up: import to first result in a fresh process';
export const unit = 'ms';
export const share = 1;

const PROBE = fileURLToPath(new URL('./startup-probe.mjs', import.meta.url));

export const connect = (backend, execPath) =>
  new ProbeContestants(backend, execPath, PROBE, [{ case: 'startup', variant: 'first-result' }]);

/** Every row against the default way in. */
export function ratioTo(row, rows) {
  if (row.backend === 'wasm-simd') return undefined;
  return rows.find((other) => other.backend === 'wasm-simd' && other.engine === row.engine);
}
