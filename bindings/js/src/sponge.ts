/**
 * Poseidon2 over the scalar field of BN254, in WebAssembly: permutation, hash, Merkle compression,
 * sponges.
 *
 * The functions run on a default instance, which the first of them loads synchronously; where that
 * is not possible, on main threads of browsers, `await load()` first. What each does, and what forms
 * field elements take, stands at `SpongeOperations`.
 *
 * @module
 */
// First, so that a bundle begins with it: what is around it compresses worse by its letters.
import * as embedded from './wasm/sponge.js';
import type { ModuleInstance } from './core/backend.js';
import { moduleInstance } from './core/instance.js';
import { Job } from './core/job.js';
import type { InstanceOptions, WasmModule } from './core/options.js';
import { supports } from './core/variants.js';
import {
  CallSponge,
  type SpongeEngine,
  type SpongeExports,
  WasmSponge,
} from './sponge/engines.js';
import { spongeOperations } from './sponge/operations.js';
import { spongeConstructors } from './sponge/sponge.js';
import type {
  Sponge as SpongeOf,
  SpongeBlobConstructor,
  SpongeConstructor,
  SpongeOperations,
} from './sponge/types.js';

export type { Bytes } from './core/bytes.js';
export { SpiculeError, type ErrorCode } from './core/error.js';
export type { Mode, Result } from './core/flow.js';
export type { Variant } from './core/options.js';
export {
  FIELD_MODULUS,
  fieldToBigint,
  fieldsFromBigints,
  fieldsToBigints,
  type Field,
} from './sponge/fields.js';
export type {
  InstanceOptions,
  ModuleInstance,
  SpongeBlobConstructor,
  SpongeConstructor,
  SpongeOf,
  SpongeOperations,
  WasmModule,
};

/** The functions of this entry on a module instance of their own. */
export interface SpongeInstance extends SpongeOperations, ModuleInstance {}

const engines = /* @__PURE__ */ new WeakMap<SpongeInstance, SpongeEngine>();

const job = /* @__PURE__ */ new Job<SpongeInstance, SpongeExports>(
  'sponge',
  'sponge_size',
  embedded,
  supports,
  (wasm, { through }) => {
    const engine = through === 'call' ? new CallSponge(wasm) : new WasmSponge(wasm);
    const instance = { ...moduleInstance(wasm), ...spongeOperations(engine, 'sync') };
    engines.set(instance, engine);
    return instance;
  },
);

/** Loads the default instance; all calls give the same one. */
export const load = (): Promise<SpongeInstance> => job.load();

/**
 * Loads the default instance synchronously, from `module` where given and not loaded before: where
 * compiling bytes is forbidden, the platform compiles `spicule/wasm/sponge-*.wasm`.
 */
export const loadSync = (module?: WasmModule): SpongeInstance => job.loadSync(module);

/** Makes an instance of its own, with its own memory. */
export const createInstance = (options?: InstanceOptions): Promise<SpongeInstance> =>
  job.createInstance(options);

/** As `createInstance`, synchronously. */
export const createInstanceSync = (options?: InstanceOptions): SpongeInstance =>
  job.createInstanceSync(options);

/** A function of the default instance. */
function bound<K extends keyof SpongeOperations>(name: K): SpongeOperations[K] {
  const run = (a: unknown, b: unknown, c: unknown) =>
    (job.current()[name] as (a: unknown, b: unknown, c: unknown) => unknown)(a, b, c);
  return run as unknown as SpongeOperations[K];
}

/** Permutes a state of 4 field elements. See {@link SpongeOperations.permute}. */
export const permute: SpongeOperations['permute'] = /* @__PURE__ */ bound('permute');

/** Permutes a state of 128 bytes into `out`. See {@link SpongeOperations.permuteInto}. */
export const permuteInto: SpongeOperations['permuteInto'] = /* @__PURE__ */ bound('permuteInto');

/** Permutes states of 4 field elements each. See {@link SpongeOperations.permuteMany}. */
export const permuteMany: SpongeOperations['permuteMany'] = /* @__PURE__ */ bound('permuteMany');

/** Permutes states of 128 bytes into `out`. See {@link SpongeOperations.permuteManyInto}. */
export const permuteManyInto: SpongeOperations['permuteManyInto'] =
  /* @__PURE__ */ bound('permuteManyInto');

/** The hash of any number of field elements. See {@link SpongeOperations.hash}. */
export const hash: SpongeOperations['hash'] = /* @__PURE__ */ bound('hash');

/** The hash of field elements into `out`. See {@link SpongeOperations.hashInto}. */
export const hashInto: SpongeOperations['hashInto'] = /* @__PURE__ */ bound('hashInto');

/**
 * The hashes of messages: flat bytes with a number of fields each, or a list of messages of any
 * lengths. See {@link SpongeOperations.hashMany}.
 */
export const hashMany: SpongeOperations['hashMany'] = /* @__PURE__ */ bound('hashMany');

/** The hashes of messages of one length into `out`. See {@link SpongeOperations.hashManyInto}. */
export const hashManyInto: SpongeOperations['hashManyInto'] =
  /* @__PURE__ */ bound('hashManyInto');

/** The hash of two field elements. See {@link SpongeOperations.compress}. */
export const compress: SpongeOperations['compress'] = /* @__PURE__ */ bound('compress');

/** The hash of each two field elements. See {@link SpongeOperations.compressMany}. */
export const compressMany: SpongeOperations['compressMany'] =
  /* @__PURE__ */ bound('compressMany');

/** The hash of each 64 bytes into `out`. See {@link SpongeOperations.compressManyInto}. */
export const compressManyInto: SpongeOperations['compressManyInto'] =
  /* @__PURE__ */ bound('compressManyInto');

/** The root of a binary tree. See {@link SpongeOperations.merkleRoot}. */
export const merkleRoot: SpongeOperations['merkleRoot'] = /* @__PURE__ */ bound('merkleRoot');

/** The root of a binary tree into `out`. See {@link SpongeOperations.merkleRootInto}. */
export const merkleRootInto: SpongeOperations['merkleRootInto'] =
  /* @__PURE__ */ bound('merkleRootInto');

const constructors = /* @__PURE__ */ spongeConstructors(() => engines.get(job.current())!, 'sync');

/** A sponge that starts from any IV. */
export const Sponge: SpongeConstructor = /* @__PURE__ */ (() => constructors.Sponge)();

/** A sponge, of this entry or of a back end. */
export type Sponge = SpongeOf;

/** A sponge for blob data. */
export const SpongeBlob: SpongeBlobConstructor = /* @__PURE__ */ (() => constructors.SpongeBlob)();

/** A sponge for blob data. */
export type SpongeBlob = SpongeOf;
