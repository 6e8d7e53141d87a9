// The transports suite: what a round trip to the server costs beyond compute. The operation is the
// SHA-256 of the payload; what it takes in process, through the addon, is taken off in each sample.
import { makeBytes } from './inputs.mjs';
import { applyLayout, layoutReason, layouts } from './pinning.mjs';

export const name = 'transports';
export const title = 'Transports: a round trip beyond compute';
export const module = import.meta.url;
export const unit = 'us';
export const share = 2;

const PAYLOADS = [32, 1024, 96 * 1024, 768 * 1024];

export function offers() {
  return PAYLOADS.flatMap((bytes) => layouts.map((variant) =>
    ({ case: `roundtrip/${bytes}`, variant, operations: 1, reason: layoutReason(variant) })));
}

export async function prepare(backend, { case: name, variant }) {
  const { createBackend } = await import('spicule/native');
  const inProcess = await createBackend({ kind: 'native' });
  const payload = makeBytes(Number(name.split('/')[1]));
  return {
    activate: () => applyLayout(variant),
    run: () => backend.sha256(payload),
    takeOff: () => inProcess.sha2.sha256(payload),
    result: (digest) => ({ digest: Buffer.from(digest).toString('hex') }),
  };
}

/** Against the socket in the same layout. */
export function ratioTo(row, rows) {
  if (row.backend === 'uds') return undefined;
  return rows.find((other) => other.backend === 'uds' && other.variant === row.variant &&
    other.engine === row.engine);
}
