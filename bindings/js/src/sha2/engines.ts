import { aligned } from '../core/bytes.js';
import { type Maybe, nothing, then } from '../core/flow.js';
import type { CommonExports, WasmInstance } from '../core/instance.js';
import type { Transport } from '../core/transport.js';
import { OPERATIONS } from '../generated/operations.js';
import { SHA256_BYTES, SHA384_BYTES } from '../generated/sizes.js';

/** The hash functions from bytes to bytes; results go to the start of `out`. */
export interface Sha2Engine {
  sha256(out: Uint8Array, bytes: Uint8Array): Maybe<void>;
  sha256Pairs(out: Uint8Array, pairs: Uint8Array): Maybe<void>;
  sha384(out: Uint8Array, bytes: Uint8Array): Maybe<void>;
}

/** Through the dispatcher, on any back end. */
export class CallSha2 implements Sha2Engine {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  sha256(out: Uint8Array, bytes: Uint8Array): Maybe<void> {
    return then(this.#transport.call(OPERATIONS.SHA256, bytes, out), nothing);
  }

  sha256Pairs(out: Uint8Array, pairs: Uint8Array): Maybe<void> {
    return then(this.#transport.call(OPERATIONS.SHA256_PAIRS, pairs, out), nothing);
  }

  sha384(out: Uint8Array, bytes: Uint8Array): Maybe<void> {
    return then(this.#transport.call(OPERATIONS.SHA384, bytes, out), nothing);
  }
}

export interface Sha2Exports extends CommonExports {
  readonly sha256: (out: number, bytes: number, length: number) => number;
  readonly sha256_pairs: (out: number, pairs: number, count: number) => number;
  readonly sha384: (out: number, bytes: number, length: number) => number;
}

/**
 * Through the exports of a module. What they don't accept goes to the dispatcher instead, so that
 * its checks, and its errors, are the only ones.
 */
export class WasmSha2 implements Sha2Engine {
  readonly #wasm: WasmInstance<Sha2Exports>;
  readonly #checked: CallSha2;

  constructor(wasm: WasmInstance<Sha2Exports>) {
    this.#wasm = wasm;
    this.#checked = new CallSha2(wasm);
  }

  sha256(out: Uint8Array, bytes: Uint8Array): Maybe<void> {
    if (out.length < SHA256_BYTES) return this.#checked.sha256(out, bytes);
    const at = this.#load(bytes);
    this.#wasm.exports.sha256(at, at, bytes.length);
    this.#wasm.copyOut(out, at, SHA256_BYTES);
  }

  sha256Pairs(out: Uint8Array, pairs: Uint8Array): Maybe<void> {
    const count = pairs.length / (2 * SHA256_BYTES);
    if (!Number.isInteger(count) || out.length < count * SHA256_BYTES) {
      return this.#checked.sha256Pairs(out, pairs);
    }
    const at = this.#load(pairs);
    this.#wasm.exports.sha256_pairs(at, at, count);
    this.#wasm.copyOut(out, at, count * SHA256_BYTES);
  }

  sha384(out: Uint8Array, bytes: Uint8Array): Maybe<void> {
    if (out.length < SHA384_BYTES) return this.#checked.sha384(out, bytes);
    const at = this.#load(bytes);
    this.#wasm.exports.sha384(at, at, bytes.length);
    this.#wasm.copyOut(out, at, SHA384_BYTES);
  }

  /** Puts the input where its result will be, with room for the longest digest. */
  #load(bytes: Uint8Array): number {
    const at = this.#wasm.reserve(aligned(Math.max(bytes.length, SHA384_BYTES)));
    this.#wasm.bytes.set(bytes, at);
    return at;
  }
}
