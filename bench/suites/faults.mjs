// The faults suite: how long a call waits for a server that is killed, and what a round trip of
// 32 bytes takes next to clients that misbehave, and on a machine that is busy. A fresh process a
// sample, so that no row disturbs another.
import { fileURLToPath } from 'node:url';

import { ProbeContestants } from '../lib/probe-contestants.mjs';

export const name = 'faults';
export const title = 'Faults: a dead server, clients that misbehave, a busy machine';
export const unit = 'us';
export const share = 1;

const PROBE = fileURLToPath(new URL('./faults-probe.mjs', import.meta.url));

const OFFERS = [
  { case: 'server-killed', variant: 'call-waiting' },
  { case: 'roundtrip/32', variant: 'alone' },
  { case: 'roundtrip/32', variant: 'beside-slow-and-hostile' },
  { case: 'roundtrip/32', variant: 'busy-machine' },
];

export const connect = (backend, execPath) => {
  const reason = process.platform === 'linux' ? undefined : 'the server of a back end is found on Linux only';
  return new ProbeContestants(backend, execPath, PROBE, OFFERS.map((offer) => ({ ...offer, reason })));
};

/** Next to others against alone; else against the socket. */
export function ratioTo(row, rows) {
  const [backend, variant] = row.variant === 'beside-slow-and-hostile'
    ? [row.backend, 'alone']
    : ['uds', row.variant];
  return rows.find((other) => other.backend === backend && other.variant === variant &&
    other.engine === row.engine);
}
