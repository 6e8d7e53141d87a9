/**
 * Protocol Buffers in WebAssembly: messages in the memory of a module, driven by schemas that
 * `protoc-gen-spicule` generated classes for or that `loadSchema` reads at run time.
 *
 * Types live in a default instance, which the first one loads synchronously; where that is not
 * possible, on main threads of browsers, `await load()` first.
 *
 * @module
 */
// First, so that a bundle begins with it: what is around it compresses worse by its letters.
import * as embedded from './wasm/codec.js';
import type { ModuleInstance } from './core/backend.js';
import { SpiculeError } from './core/error.js';
import { moduleInstance } from './core/instance.js';
import { Job } from './core/job.js';
import {
  type InstanceOptions, type MemoryOptions, type OptionKinds, type WasmModule, memoryLimitOf, checkedOptions,
} from './core/options.js';
import { type CodecExports, Engine } from './codec/engine.js';
import {
  type DecodeOptions, type InitOf, type JsonReadOptions, type Message, type MessageClass,
  type ObjectOf, createMessage, decodeMessage, decodePassing,
} from './codec/message.js';
import { protoJson, provideJson } from './codec/loaded-json.js';
import { provideSpecializer } from './codec/loaded-specializer.js';
import { json } from './codec/protojson.js';
import { Schema, type SchemaOptions } from './codec/schema.js';
import { specializer } from './codec/specializer.js';

export type { Bytes } from './core/bytes.js';
export { SpiculeError, type ErrorCode } from './core/error.js';
export type { Variant } from './core/options.js';
export type { Column, ColumnInit } from './codec/columns.js';
export { type BulkArray, ListView, MapView } from './codec/list.js';
export {
  type DecodeOptions, type EncodeOptions, type InitOf, type Json, type JsonReadOptions,
  type JsonWriteOptions, Message, type MessageClass, type ObjectOf,
} from './codec/message.js';
export {
  type DelimitedOptions, decodeDelimited, encodeDelimited,
} from './codec/delimited.js';
export { defaultOf } from './codec/default.js';
export type { PlainObject } from './codec/record.js';
export type { Int64Form } from './codec/scalar.js';
export {
  Schema, type DynamicMessage, type EnumType, type Extension, type Method, type SchemaOptions,
  type Service,
} from './codec/schema.js';
export type { WireView } from './codec/view.js';
export { Visitor } from './codec/visitor.js';
export {
  type StructLike, TimestampDate, type TimestampLike, type ValueInit, type ValueLike, packAny, structFromJson,
  structToJson, timestampFromDate, timestampFromNanos, timestampToDate, timestampToNanos, unpackAny,
  valueFromJson, valueToJson,
} from './codec/well-known.js';
export type { InstanceOptions, ModuleInstance, WasmModule };

/** How much is in use, in bytes. */
export interface CodecStatistics {
  /** The memory of messages, that which is kept for the next ones included. */
  readonly used: number;
  /** The Wasm memory as a whole. */
  readonly memory: number;
}

/** The codec on a module instance of its own. Types of anywhere work in it. */
export interface CodecInstance extends ModuleInstance {
  /**
   * A schema whose types live in this instance. In that of `load()` it brings along neither ProtoJSON nor code
   * that is made at run time, as the function `loadSchema` and `createInstance` do.
   */
  loadSchema(descriptors: Uint8Array, options?: SchemaOptions): Schema;
  /** As `type.parse`, in this instance. */
  parse<M extends Message>(type: MessageClass<M>, bytes: Uint8Array, options?: DecodeOptions): ObjectOf<M>;
  /** As `type.decode`, in this instance. */
  decode<M extends Message>(type: MessageClass<M>, bytes: Uint8Array, options?: DecodeOptions): M;
  /** As `type.create`, in this instance. */
  create<M extends Message>(type: MessageClass<M>, init?: InitOf<M> | M): M;
  /** As `type.fromJSONString`, in this instance. */
  fromJSONString<M extends Message>(type: MessageClass<M>, text: string, options?: JsonReadOptions): M;
  statistics(): CodecStatistics;
}

/** `memoryLimit` is of messages. */
export interface CodecOptions extends MemoryOptions {
  /**
   * Whether Wasm code is made for the message types that are decoded or encoded much, which is about
   * twice as quick as the tables that serve the others; by default it is, where the platform allows to compile
   * Wasm at run time.
   */
  readonly specialize?: boolean | undefined;
}

const OPTION_KINDS: OptionKinds<CodecOptions> = {
  variant: 'any', module: 'any', through: 'any', memoryLimit: 'number', specialize: 'boolean',
};

const job = /* @__PURE__ */ new Job<Engine, CodecExports, CodecOptions>(
  'codec',
  'codec_io_address',
  embedded,
  () => true, // It has one variant, for every engine.
  (wasm, options) => new Engine(wasm, memoryLimitOf(options), options.specialize !== false),
  OPTION_KINDS,
);

const instances = /* @__PURE__ */ new WeakMap<Engine, CodecInstance>();

/** What an engine is to programs; those that only use generated classes need none. */
function instanceOf(engine: Engine): CodecInstance {
  let instance = instances.get(engine);
  if (instance === undefined) {
    const dispose = () => engine.dispose();
    instance = {
      ...moduleInstance(engine.wasm),
      loadSchema: (descriptors, schemaOptions) => newSchema(() => engine, descriptors, schemaOptions),
      parse: (type, bytes, parseOptions) =>
        decodePassing(engine, type.$type, bytes, parseOptions, type.$type.reader) as never,
      decode(type, bytes, decodeOptions) {
        const arena = decodeMessage(engine, type.$type, bytes, decodeOptions);
        return type.$type.make(arena, arena.ref) as never;
      },
      create(type, init) {
        const arena = createMessage(engine, type.$type, init);
        return type.$type.make(arena, arena.ref) as never;
      },
      fromJSONString(type, text, jsonOptions) {
        const arena = protoJson().read(engine, type.$type, text, jsonOptions);
        return type.$type.make(arena, arena.ref) as never;
      },
      statistics: () => ({ used: engine.regions.taken, memory: engine.buffer.byteLength }),
      dispose,
      [Symbol.dispose]: dispose,
    };
    instances.set(engine, instance);
  }
  return instance;
}

/** Loads the default instance; all calls give the same one. */
export const load = async (): Promise<CodecInstance> => instanceOf(await job.load());

/**
 * Loads the default instance synchronously, from `module` where given and not loaded before: where
 * compiling bytes is forbidden, the platform compiles `spicule/wasm/codec-baseline.wasm`.
 */
export const loadSync = (module?: WasmModule): CodecInstance =>
  instanceOf(job.loadSync(module));

/** Brings along what programs that only use generated classes may leave out. */
function provideAll(): void {
  provideJson(json);
  provideSpecializer(specializer);
}

/** Makes an instance of its own, with its own memory. */
export async function createInstance(options?: CodecOptions): Promise<CodecInstance> {
  provideAll();
  return instanceOf(await job.createInstance(options));
}

/** As `createInstance`, synchronously. */
export function createInstanceSync(options?: CodecOptions): CodecInstance {
  provideAll();
  return instanceOf(job.createInstanceSync(options));
}

/** How much the default instance uses. */
export const statistics = (): CodecStatistics => instanceOf(job.current()).statistics();

/** @internal */
export const defaultEngine = (): Engine => job.current();

function newSchema(engine: () => Engine, descriptors: Uint8Array, options?: SchemaOptions): Schema {
  const { int64 } = checkedOptions(options, { int64: 'any' });
  const schema = new Schema(engine, descriptors, int64);
  engine().compiled(schema);
  if (schema.names.files === 0) {
    throw new SpiculeError('BAD_DESCRIPTOR', {}, 'no file is in the FileDescriptorSet');
  }
  return schema;
}

/**
 * The types of a FileDescriptorSet (as `protoc --include_imports --descriptor_set_out` and
 * `buf build` write it), without generated code.
 */
export function loadSchema(descriptors: Uint8Array, options?: SchemaOptions): Schema {
  provideAll();
  return newSchema(defaultEngine, descriptors, options);
}
