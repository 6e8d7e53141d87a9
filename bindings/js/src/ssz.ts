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
import { SSZ_STATUSES } from './generated/status.js';
import { type Builders, builders } from './ssz/builders.js';
import { Engine, type SszExports } from './ssz/engine.js';
import type { Host } from './ssz/type.js';

export type { Bytes } from './core/bytes.js';
export { SpiculeError, type ErrorCode } from './core/error.js';
export type { Variant } from './core/options.js';
export { BitArray, BitsView, type BitVectorView, type BitsInput } from './ssz/bits.js';
export { BytesView } from './ssz/bytes-view.js';
export { ContainerView, type ContainerViewOf } from './ssz/container.js';
export {
  BasicListView, type BasicVectorView, CompositeListView, type CompositeVectorView,
} from './ssz/sequence-view.js';
export { type UnionType, UnionView } from './ssz/union.js';
export { View } from './ssz/view.js';
export {
  Type, type AnyType, type InputOf, type PartOf, type Path, type PathStep, type ValueOf,
} from './ssz/type.js';
export type {
  BooleanType, BulkArray, ByteType, Uint64Type, UintBigType, UintNumberType,
} from './ssz/basic.js';
export type { BitsType } from './ssz/bits.js';
export type { BytesType } from './ssz/bytes.js';
export type { ContainerType } from './ssz/container.js';
export type { JsonOptions } from './ssz/json.js';
export type {
  CompactMultiProof, MultiProof, Paths, Proof, ProofType, SingleProof, TreeOffsetProof,
} from './ssz/proof.js';
export type { SchemaOptions } from './ssz/schema.js';
export type { SequenceType, VectorType } from './ssz/sequence.js';
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
  SSZ_STATUSES,
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


/** A builder or type of the default instance. */
const bound = <K extends keyof Builders>(name: K): Builders[K] => all[name];

/** Integers of 8 bits: numbers. */
export const uint8: Builders['uint8'] = /* @__PURE__ */ bound('uint8');

/** Integers of 16 bits: numbers. */
export const uint16: Builders['uint16'] = /* @__PURE__ */ bound('uint16');

/** Integers of 32 bits: numbers. */
export const uint32: Builders['uint32'] = /* @__PURE__ */ bound('uint32');

/** Integers of 64 bits: bigints; safe numbers are accepted. */
export const uint64: Builders['uint64'] = /* @__PURE__ */ bound('uint64');

/** Integers of 128 bits: bigints; safe numbers are accepted. */
export const uint128: Builders['uint128'] = /* @__PURE__ */ bound('uint128');

/** Integers of 256 bits: bigints; safe numbers are accepted. */
export const uint256: Builders['uint256'] = /* @__PURE__ */ bound('uint256');

/** uint64 as a number; values above 2^53 - 1 are an error, never rounded. */
export const uint64Number: Builders['uint64Number'] = /* @__PURE__ */ bound('uint64Number');

/** As `uint64Number`, with 2^64 - 1 as Infinity. */
export const uint64Infinity: Builders['uint64Infinity'] = /* @__PURE__ */ bound('uint64Infinity');

/** As uint8 in bytes and roots; hexadecimal in JSON. */
export const byte: Builders['byte'] = /* @__PURE__ */ bound('byte');

/** true or false. */
export const boolean: Builders['boolean'] = /* @__PURE__ */ bound('boolean');

/** A container with these fields, in this order: `container({ slot: uint64 })`. */
export const container: Builders['container'] = /* @__PURE__ */ bound('container');

/** A progressive container; `active` says which positions of the tree have a field. */
export const progressiveContainer: Builders['progressiveContainer'] = /* @__PURE__ */ bound('progressiveContainer');

/** A vector: `length` elements. */
export const vector: Builders['vector'] = /* @__PURE__ */ bound('vector');

/** A list: up to `limit` elements. */
export const list: Builders['list'] = /* @__PURE__ */ bound('list');

/** A progressive list: any number of elements. */
export const progressiveList: Builders['progressiveList'] = /* @__PURE__ */ bound('progressiveList');

/** A vector of `length` bytes: a `Uint8Array`. */
export const byteVector: Builders['byteVector'] = /* @__PURE__ */ bound('byteVector');

/** A list of up to `limit` bytes: a `Uint8Array`. */
export const byteList: Builders['byteList'] = /* @__PURE__ */ bound('byteList');

/** A progressive list of bytes: a `Uint8Array`. */
export const progressiveByteList: Builders['progressiveByteList'] = /* @__PURE__ */ bound('progressiveByteList');

/** A vector of `length` bits: a `BitArray`. */
export const bitvector: Builders['bitvector'] = /* @__PURE__ */ bound('bitvector');

/** A list of up to `limit` bits: a `BitArray`. */
export const bitlist: Builders['bitlist'] = /* @__PURE__ */ bound('bitlist');

/** A progressive list of bits: a `BitArray`. */
export const progressiveBitlist: Builders['progressiveBitlist'] = /* @__PURE__ */ bound('progressiveBitlist');

/** The legacy union; option i has selector i, and option 0 may be null, for None. */
export const union: Builders['union'] = /* @__PURE__ */ bound('union');

/** A union whose options, by selectors from 1 to 127, share one shape of tree. */
export const compatibleUnion: Builders['compatibleUnion'] = /* @__PURE__ */ bound('compatibleUnion');

/**
 * The types of a schema by name: JSON text, or an object. For its format see {@link
 * Builders.fromSchema}.
 */
export const fromSchema: Builders['fromSchema'] = /* @__PURE__ */ bound('fromSchema');

/** The type of a text such as `List[uint64, 1024]`. See {@link Builders.parseType}. */
export const parseType: Builders['parseType'] = /* @__PURE__ */ bound('parseType');

/** Whether a proof, in any of its forms, holds for a tree with that root. `BAD_PROOF`. */
export const verifyProof: Builders['verifyProof'] = /* @__PURE__ */ bound('verifyProof');

/** The generalized indices of the hashes of a `compactMulti` proof, from left to right. */
export const compactGindices: Builders['compactGindices'] = /* @__PURE__ */ bound('compactGindices');
