/**
 * Simple Serialize (SSZ) in WebAssembly: types, values, persistent views, Merkle roots and proofs.
 *
 * Types are built once and kept. They and their values live in a default instance, which the first
 * composite type loads synchronously; where that is not possible, on main threads of browsers,
 * `await load()` first.
 *
 * @module
 */
// First, so that a bundle begins with it: what is around it compresses worse by its letters.
import * as embedded from './wasm/ssz.js';
import type { ModuleInstance } from './core/backend.js';
import { moduleInstance } from './core/instance.js';
import { Job } from './core/job.js';
import {
  type InstanceOptions, MEMORY_KINDS, type MemoryOptions, type WasmModule, memoryLimitOf,
} from './core/options.js';
import { supports } from './core/variants.js';
import { type Builders, builders } from './ssz/builders.js';
import { Engine, type SszExports } from './ssz/engine.js';
import type { Host } from './ssz/type.js';

export type { Bytes } from './core/bytes.js';
export { SpiculeError, type ErrorCode } from './core/error.js';
export type { Variant } from './core/options.js';
export { BitArray, BitsView, type BitsInput } from './ssz/bits.js';
export { BytesView } from './ssz/bytes-view.js';
export { ContainerView, type ContainerViewOf } from './ssz/container.js';
export { BasicListView, CompositeListView } from './ssz/sequence-view.js';
export { UnionView } from './ssz/union.js';
export { View } from './ssz/view.js';
export {
  Type, type AnyType, type InputOf, type PartOf, type Path, type PathStep, type ValueOf,
} from './ssz/type.js';
export type { ContainerType } from './ssz/container.js';
export type { JsonOptions } from './ssz/json.js';
export type {
  CompactMultiProof, MultiProof, Paths, Proof, ProofType, SingleProof, TreeOffsetProof,
} from './ssz/proof.js';
export type { SchemaOptions } from './ssz/schema.js';
export type { SequenceType } from './ssz/sequence.js';
export type { Builders, InstanceOptions, ModuleInstance, WasmModule };

/** How much is in use, in bytes. */
export interface Statistics {
  /** Of values. */
  readonly used: number;
  /** Of values, the most that ever was. */
  readonly peak: number;
  /** 64-byte blocks hashed for values. */
  readonly hashes: number;
  /** How many values views hold. */
  readonly values: number;
  /** The Wasm memory as a whole. */
  readonly memory: number;
}

/** Builders of types, and values, on a module instance of their own. */
export interface SszInstance extends Builders, ModuleInstance {
  statistics(): Statistics;
}

/** `memoryLimit` is of the values of views. */
export type SszOptions = MemoryOptions;

const engines = /* @__PURE__ */ new WeakMap<SszInstance, Engine>();

const job = /* @__PURE__ */ new Job<SszInstance, SszExports, SszOptions>(
  'ssz',
  'ssz_start',
  embedded,
  supports,
  (wasm, options) => {
    const engine = new Engine(wasm, memoryLimitOf(options));
    const dispose = () => engine.dispose();
    const instance: SszInstance = {
      ...moduleInstance(wasm),
      ...builders({ engine: () => engine }),
      statistics: () => engine.statistics(),
      dispose,
      [Symbol.dispose]: dispose,
    };
    engines.set(instance, engine);
    return instance;
  },
  MEMORY_KINDS,
);

/** Loads the default instance; all calls give the same one. */
export const load = (): Promise<SszInstance> => job.load();

/**
 * Loads the default instance synchronously, from `module` where given and not loaded before: where
 * compiling bytes is forbidden, the platform compiles `spicule/wasm/ssz-*.wasm`.
 */
export const loadSync = (module?: WasmModule): SszInstance => job.loadSync(module);

/** Makes an instance of its own, with its own memory. Types of others work in it. */
export const createInstance = (options?: SszOptions): Promise<SszInstance> =>
  job.createInstance(options);

/** As `createInstance`, synchronously. */
export const createInstanceSync = (options?: SszOptions): SszInstance =>
  job.createInstanceSync(options);

/** How much the default instance uses. */
export const statistics = (): Statistics => job.current().statistics();

/** @internal */
export const createdEngine = (): Engine => engines.get(job.current())!;
const host: Host = { engine: createdEngine };
const all = /* @__PURE__ */ builders(host);

export const { uint8, uint16, uint32, uint64, uint128, uint256, uint64Number, uint64Infinity } = all;
export const { byte, boolean, container, progressiveContainer, vector, list, progressiveList } = all;
export const { byteVector, byteList, progressiveByteList } = all;
export const { bitvector, bitlist, progressiveBitlist } = all;
export const { union, compatibleUnion, fromSchema, parseType } = all;
export const { verifyProof, compactGindices } = all;
