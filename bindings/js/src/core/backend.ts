/// <reference lib="esnext.disposable" preserve="true" />
import type { Sha2Operations } from '../sha2/types.js';
import type { SpongeOperations } from '../sponge/types.js';
import type { Bytes } from './bytes.js';
import type { Mode, Result } from './flow.js';
import type { Variant } from './options.js';

/**
 * Something that runs the operations of the core: Wasm in process, native in process, or a server.
 * All give the same bytes and the same errors for the same input.
 */
export interface Backend<M extends Mode> {
  /** Which sort of back end this is, such as `wasm` or `native`. */
  readonly kind: string;
  /** Poseidon2 over the scalar field of BN254. */
  readonly sponge: SpongeOperations<M>;
  /** SHA-256 and SHA-384. */
  readonly sha2: Sha2Operations<M>;
  /**
   * Runs an operation of the dispatcher by number (see `OPERATIONS`) on a request in its binary
   * form and gives the response.
   */
  call(op: number, request: Uint8Array): Result<M, Bytes>;
  /** Gives back what the back end holds; every later call is an `INVALID_STATE` error. */
  dispose(): Result<M, void>;
}

/** A back end that answers at once. */
export interface SyncBackend extends Backend<'sync'> {
  /** As `dispose`. */
  [Symbol.dispose](): void;
}

/** A back end that answers by promises. */
export interface AsyncBackend extends Backend<'async'> {
  /** As `dispose`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What an instance of a Wasm module has besides the operations of its job. */
export interface ModuleInstance {
  /** Which variant runs; undefined for a module that the caller gave. */
  readonly variant: Variant | undefined;
  /** Runs an operation of the dispatcher by number; a module knows those of its job and of sha2. */
  call(op: number, request: Uint8Array): Bytes;
  /** Gives the memory back; every later call is an `INVALID_STATE` error. */
  dispose(): void;
  /** As `dispose`. */
  [Symbol.dispose](): void;
}
