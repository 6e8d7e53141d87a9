import { type Bytes, aligned, bytesArgument, filled, roomFor } from '../core/bytes.js';
import type { WasmInstance } from '../core/instance.js';
import { SHA256_BYTES, SHA384_BYTES } from '../generated/sizes.js';
import type { Sha2Exports } from './engines.js';
import type { Sha2Stream, Sha2StreamConstructor } from './types.js';

export interface Sha2StreamExports extends Sha2Exports {
  readonly sha256_stream_size: () => number;
  readonly sha256_init: (stream: number) => number;
  readonly sha256_update: (stream: number, bytes: number, length: number) => number;
  readonly sha256_final: (stream: number, out: number) => number;
  readonly sha384_stream_size: () => number;
  readonly sha384_init: (stream: number) => number;
  readonly sha384_update: (stream: number, bytes: number, length: number) => number;
  readonly sha384_final: (stream: number, out: number) => number;
}

/** More bytes than this are taken in portions, so that the module's memory stays small. */
const PORTION_BYTES = 2 ** 20;

/** The C structures are smaller. */
const MOST_STATE_BYTES = 512;

/** The class of one hash, over a module that is asked for when a stream is made. */
function streamConstructor(
  hash: 'sha256' | 'sha384',
  digestBytes: number,
  wasmOf: () => WasmInstance<Sha2StreamExports>,
): Sha2StreamConstructor {
  return class Stream implements Sha2Stream {
    readonly #wasm: WasmInstance<Sha2StreamExports>;
    /** The C structure. */
    readonly #state: Uint8Array;

    constructor() {
      this.#wasm = wasmOf();
      const at = this.#wasm.reserve(MOST_STATE_BYTES);
      this.#state = new Uint8Array(this.#wasm.exports[`${hash}_stream_size`]());
      this.#wasm.exports[`${hash}_init`](at);
      this.#wasm.copyOut(this.#state, at, this.#state.length);
    }

    update(bytes: Uint8Array): this {
      bytesArgument(bytes, 'bytes');
      if (bytes.length <= PORTION_BYTES) {
        this.#absorb(bytes);
        return this;
      }
      for (let at = 0; at < bytes.length; at += PORTION_BYTES) {
        this.#absorb(bytes.subarray(at, at + PORTION_BYTES));
      }
      return this;
    }

    #absorb(bytes: Uint8Array): void {
      const room = aligned(this.#state.length);
      const at = this.#load(bytes.length);
      this.#wasm.bytes.set(bytes, at + room);
      this.#wasm.exports[`${hash}_update`](at, at + room, bytes.length);
      this.#wasm.copyOut(this.#state, at, this.#state.length);
    }

    digest(): Bytes {
      return filled(digestBytes, (out) => this.digestInto(out)) as Bytes;
    }

    digestInto(out: Uint8Array): void {
      roomFor(bytesArgument(out, 'out'), digestBytes);
      const at = this.#load(digestBytes);
      const outAt = at + aligned(this.#state.length);
      this.#wasm.exports[`${hash}_final`](at, outAt);
      this.#wasm.copyOut(out, outAt, digestBytes);
    }

    clone(): Stream {
      const copy = new Stream();
      copy.#state.set(this.#state);
      return copy;
    }

    /** Puts the state into the buffer, with room behind it. */
    #load(after: number): number {
      const at = this.#wasm.reserve(aligned(this.#state.length) + after);
      this.#wasm.bytes.set(this.#state, at);
      return at;
    }
  };
}

/** The classes of both hashes. */
export function streamConstructors(wasmOf: () => WasmInstance<Sha2StreamExports>) {
  return {
    Sha256: streamConstructor('sha256', SHA256_BYTES, wasmOf),
    Sha384: streamConstructor('sha384', SHA384_BYTES, wasmOf),
  };
}
