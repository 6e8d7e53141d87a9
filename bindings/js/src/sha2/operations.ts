import { bytesArgument, filled } from '../core/bytes.js';
import { type Mode, promising } from '../core/flow.js';
import { SHA256_BYTES, SHA384_BYTES } from '../generated/sizes.js';
import type { Sha2Engine } from './engines.js';
import type { Sha2Operations } from './types.js';

/** The operations over an engine, which answers in that mode. */
export function sha2Operations<M extends Mode>(engine: Sha2Engine, mode: M): Sha2Operations<M> {
  const operations = {
    sha256: (bytes: Uint8Array) =>
      filled(SHA256_BYTES, (out) => operations.sha256Into(out, bytes)),

    sha256Into: (out: Uint8Array, bytes: Uint8Array) =>
      engine.sha256(bytesArgument(out, 'out'), bytesArgument(bytes, 'bytes')),

    sha256Pairs: (pairs: Uint8Array) =>
      filled(Math.floor(bytesArgument(pairs, 'pairs').length / 2), (out) =>
        operations.sha256PairsInto(out, pairs),
      ),

    sha256PairsInto: (out: Uint8Array, pairs: Uint8Array) =>
      engine.sha256Pairs(bytesArgument(out, 'out'), bytesArgument(pairs, 'pairs')),

    sha384: (bytes: Uint8Array) =>
      filled(SHA384_BYTES, (out) => operations.sha384Into(out, bytes)),

    sha384Into: (out: Uint8Array, bytes: Uint8Array) =>
      engine.sha384(bytesArgument(out, 'out'), bytesArgument(bytes, 'bytes')),
  };
  if (mode === 'async') promising(operations, Object.keys(operations) as (keyof typeof operations)[]);
  return operations as unknown as Sha2Operations<M>;
}
