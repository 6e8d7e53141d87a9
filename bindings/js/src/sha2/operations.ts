import { bytesArgument, filled } from '../core/bytes.js';
import type { Mode } from '../core/flow.js';
import { SHA256_BYTES, SHA384_BYTES } from '../generated/sizes.js';
import type { Sha2Engine } from './engines.js';
import type { Sha2Operations } from './types.js';

/** The operations over an engine, in whose mode they answer. */
export function sha2Operations<M extends Mode>(engine: Sha2Engine): Sha2Operations<M> {
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
  return operations as unknown as Sha2Operations<M>;
}
