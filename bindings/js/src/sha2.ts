/**
 * SHA-256 and SHA-384 in WebAssembly, in a small module of their own.
 *
 * The functions run on a default instance, which the first of them loads synchronously; where that
 * is not possible, on main threads of browsers, `await load()` first.
 *
 * @module
 */
// First, so that a bundle begins with it: what is around it compresses worse by its letters.
import * as embedded from './wasm/sha2.js';
import type { ModuleInstance } from './core/backend.js';
import { type WasmInstance, moduleInstance } from './core/instance.js';
import { Job } from './core/job.js';
import type { InstanceOptions, WasmModule } from './core/options.js';
import { supports } from './core/variants.js';
import { CallSha2, WasmSha2 } from './sha2/engines.js';
import { sha2Operations } from './sha2/operations.js';
import { type Sha2StreamExports, streamConstructors } from './sha2/stream.js';
import type { Sha2Operations, Sha2Stream, Sha2StreamConstructor } from './sha2/types.js';

export { SpiculeError, type ErrorCode } from './core/error.js';
export type { Bytes } from './core/bytes.js';
export type { Mode, Result } from './core/flow.js';
export type {
  InstanceOptions,
  ModuleInstance,
  Sha2Operations,
  Sha2Stream,
  Sha2StreamConstructor,
  WasmModule,
};
export type { Variant } from './core/options.js';

/** The functions of this entry on a module instance of their own. */
export interface Sha2Instance extends Sha2Operations, ModuleInstance {
  /** Makes streams of SHA-256. */
  readonly Sha256: Sha2StreamConstructor;
  /** Makes streams of SHA-384. */
  readonly Sha384: Sha2StreamConstructor;
}

const modules = /* @__PURE__ */ new WeakMap<Sha2Instance, WasmInstance<Sha2StreamExports>>();

const job = /* @__PURE__ */ new Job<Sha2Instance, Sha2StreamExports>(
  'sha2',
  'sha256_stream_size',
  embedded,
  supports,
  (wasm, { through }) => {
    const engine = through === 'call' ? new CallSha2(wasm) : new WasmSha2(wasm);
    const instance = {
      ...moduleInstance(wasm),
      ...sha2Operations(engine, 'sync'),
      ...streamConstructors(() => wasm),
    };
    modules.set(instance, wasm);
    return instance;
  },
);

/** Loads the default instance; all calls give the same one. */
export const load = (): Promise<Sha2Instance> => job.load();

/**
 * Loads the default instance synchronously, from `module` where given and not loaded before: where
 * compiling bytes is forbidden, the platform compiles `spicule/wasm/sha2-*.wasm`.
 */
export const loadSync = (module?: WasmModule): Sha2Instance => job.loadSync(module);

/** Makes an instance of its own, with its own memory. */
export const createInstance = (options?: InstanceOptions): Promise<Sha2Instance> =>
  job.createInstance(options);

/** As `createInstance`, synchronously. */
export const createInstanceSync = (options?: InstanceOptions): Sha2Instance =>
  job.createInstanceSync(options);

/** The SHA-256 of `bytes`: 32 bytes. */
export const sha256: Sha2Operations['sha256'] = (bytes) => job.current().sha256(bytes);

/** The SHA-256 of `bytes` into the first 32 bytes of `out`, which may overlap `bytes`. */
export const sha256Into: Sha2Operations['sha256Into'] = (out, bytes) =>
  job.current().sha256Into(out, bytes);

/**
 * The SHA-256 of each 64 bytes of `pairs`, 32 bytes each: one level of a Merkle tree.
 * `WRONG_LENGTH` when the length is no multiple of 64.
 */
export const sha256Pairs: Sha2Operations['sha256Pairs'] = (pairs) =>
  job.current().sha256Pairs(pairs);

/** As `sha256Pairs`, into `out`, half as long as `pairs`, which it may overlap. */
export const sha256PairsInto: Sha2Operations['sha256PairsInto'] = (out, pairs) =>
  job.current().sha256PairsInto(out, pairs);

/** The SHA-384 of `bytes`: 48 bytes. */
export const sha384: Sha2Operations['sha384'] = (bytes) => job.current().sha384(bytes);

/** The SHA-384 of `bytes` into the first 48 bytes of `out`, which may overlap `bytes`. */
export const sha384Into: Sha2Operations['sha384Into'] = (out, bytes) =>
  job.current().sha384Into(out, bytes);

const streams = /* @__PURE__ */ streamConstructors(() => modules.get(job.current())!);

/** A stream of SHA-256. */
export const Sha256: Sha2StreamConstructor = /* @__PURE__ */ (() => streams.Sha256)();
export type Sha256 = Sha2Stream;

/** A stream of SHA-384. */
export const Sha384: Sha2StreamConstructor = /* @__PURE__ */ (() => streams.Sha384)();
export type Sha384 = Sha2Stream;
