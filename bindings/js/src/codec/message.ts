import {
  type Bytes, bytesArgument, plainArgument, roomFor, typedArrayLength, typedArrayOffset, wrongType,
} from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { INSPECT, type Inspect, type InspectOptions, inspected } from '../core/inspect.js';
import { type OptionKinds, checkedOptions } from '../core/options.js';
import { Arena } from './arena.js';
import { type Column, type ColumnInit, fillColumns, selectColumns } from './columns.js';
import { type Engine, type Limits, Placed, copied, roomForInput } from './engine.js';
import { protoJson } from './loaded-json.js';
import { NO_VIEWS, type Region } from './memory.js';
import { type WireView, viewOf } from './view.js';
import {
  addRest, assign, extensionsOf, isMessage, isSet, located, makeExtensions, memberOf, storeMessage, unknownBytes, unset,
} from './record.js';
import { TYPE, readUint32 } from './scalar.js';
import type { Extension, Schema } from './schema.js';
import type { Estimate, MessageInfo } from './type.js';
import { accessedPlain } from './access.js';
import { type Visitor, visitPassing, visitRecord, visitorArgument } from './visitor.js';

/** How bytes are decoded. */
export interface DecodeOptions {
  /** Levels of messages below the root, by default 100, at most 256. */
  readonly maxDepth?: number | undefined;
  /** Bytes of input, by default 2^31 - 1. */
  readonly maxSize?: number | undefined;
  /** Elements of any one repeated field or map, by default 2^28. */
  readonly maxCount?: number | undefined;
  /** A field that the type does not know is an `UNKNOWN_FIELD` error. */
  readonly strict?: boolean | undefined;
  /** Fields that the type does not know are dropped; by default they are kept and encoded again. */
  readonly discardUnknown?: boolean | undefined;
  /** Required fields may be missing. */
  readonly partial?: boolean | undefined;
  /**
   * Bytes fields of more than 64 bytes that `parse` and `decode` give are parts of the input, not copies:
   * that is quicker, but they change with it, and one of them keeps all of it in memory. Those of a message
   * that is decoded within such a one may be, too.
   */
  readonly shareBytes?: boolean | undefined;
}

/** How messages are encoded. */
export interface EncodeOptions {
  /** Levels of messages below the root, by default 100, at most 256. */
  readonly maxDepth?: number | undefined;
  /** The entries of maps are sorted by key. */
  readonly deterministic?: boolean | undefined;
  /** Required fields may be missing. */
  readonly partial?: boolean | undefined;
}

/** How messages are written as ProtoJSON. */
export interface JsonWriteOptions {
  /** Fields without presence are written when zero or empty. */
  readonly emitDefaults?: boolean | undefined;
  /** Names as in the .proto file, not in lowerCamelCase. */
  readonly protoNames?: boolean | undefined;
  /** Enum values as numbers. */
  readonly enumNumbers?: boolean | undefined;
  /** Required fields may be missing. */
  readonly partial?: boolean | undefined;
  /** Levels of messages, lists and objects, by default 100. */
  readonly maxDepth?: number | undefined;
  /** Where the types of google.protobuf.Any are; by default the schema of the type. */
  readonly registry?: Schema | undefined;
}

/** How ProtoJSON is read. */
export interface JsonReadOptions {
  /** Fields and enum names that the type lacks are skipped. */
  readonly ignoreUnknown?: boolean | undefined;
  /** Required fields may be missing. */
  readonly partial?: boolean | undefined;
  /** Levels of messages, lists and objects, by default 100. */
  readonly maxDepth?: number | undefined;
  /** Where the types of google.protobuf.Any are; by default the schema of the type. */
  readonly registry?: Schema | undefined;
}

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The plain object of a message type. */
export type ObjectOf<M extends Message> = ReturnType<M['toObject']>;
/** What messages of a type are made from. */
export type InitOf<M extends Message> = NonNullable<M['$init']>;

/** A message type: the class of its messages, which `create` and `decode` make. */
export type MessageClass<M extends Message = Message> = { readonly prototype: M } &
  Omit<typeof Message, 'prototype'>;

/** @internal Makes the message at a reference of an arena. */
export type MakeMessage<M extends Message> = new (arena: Arena, ref: number) => M;

/**
 * @internal What makes messages of a class: a constructor of its own for each, as one that has to run
 * those above it takes engines several times as long. Generated code has it written out: engines learn
 * what it makes by where it is written.
 */
export function maker<M extends Message>(
  type: { readonly prototype: M },
  make: (this: M, arena: Arena, ref: number) => void = function (arena, ref) {
    this.$a = arena;
    this.$r = ref;
  },
): MakeMessage<M> {
  make.prototype = type.prototype;
  return make as unknown as MakeMessage<M>;
}

/** @internal A message type as its class knows it: what it is may be asked for later. */
export interface LazyType {
  readonly info: MessageInfo;
  make(arena: Arena, ref: number): Message;
}

let noArena: Arena | undefined;

/** What messages that are not there are in: every use is an error. */
function unplaced(): Arena {
  if (noArena === undefined) {
    noArena = new Arena(undefined as never, undefined as never, NO_VIEWS as Region, undefined);
    noArena.region = undefined;
  }
  return noArena;
}

/** @internal */
export const DECODE_KINDS: OptionKinds<DecodeOptions> = {
  maxDepth: 'number', maxSize: 'number', maxCount: 'number', strict: 'boolean',
  discardUnknown: 'boolean', partial: 'boolean', shareBytes: 'boolean',
};
const ENCODE_KINDS: OptionKinds<EncodeOptions> = {
  maxDepth: 'number', deterministic: 'boolean', partial: 'boolean',
};

export function decodeFlags(options: DecodeOptions | undefined): number {
  if (options === undefined) return 0;
  return (
    (options.discardUnknown === true ? 1 : 0) |
    (options.strict === true ? 2 : 0) |
    (options.partial === true ? 4 : 0)
  );
}

function limitOf(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value < 2 ** 31)) return;
  throw new SpiculeError('INVALID_ARGUMENT', { path: name }, `${name} ${value}`);
}

/** Checked options whose limits fit into the 31 bits that the core takes. */
export function limited<Options extends Limits>(
  options: Options | undefined,
  kinds: OptionKinds<Options>,
): Options | undefined {
  if (options === undefined) return undefined;
  const checked = checkedOptions(options, kinds);
  limitOf('maxDepth', checked.maxDepth);
  limitOf('maxSize', checked.maxSize);
  limitOf('maxCount', checked.maxCount);
  return checked;
}

/** An arena with room for input, and as good as possible for what is made of it. */
function arenaFor(engine: Engine, type: MessageInfo, length: number): Arena {
  const least = roomForInput(length) + type.size;
  return engine.arena(engine.compiled(type.schema), type.decoding.of(length) + type.size + type.within, least);
}

/** Decodes what was put into an arena, which is disposed if that fails. */
function decodeIn(
  arena: Arena,
  type: MessageInfo,
  length: number,
  options: DecodeOptions | undefined,
): Arena {
  const { engine } = arena;
  try {
    engine.decode(arena, type, length, decodeFlags(options), options);
  } catch (error) {
    arena.dispose();
    throw error;
  }
  engine.trim(arena);
  return arena;
}

/** Decodes bytes into an arena of their own. */
export function decodeMessage(
  engine: Engine,
  type: MessageInfo,
  bytes: Uint8Array,
  options: DecodeOptions | undefined,
): Arena {
  bytesArgument(bytes, 'bytes');
  const checked = limited(options, DECODE_KINDS);
  // Getters of the options may have changed it.
  const length = typedArrayLength(bytes);
  const offset = typedArrayOffset(bytes);
  const arena = arenaFor(engine, type, length);
  arena.put(bytes, length, offset, checked?.shareBytes);
  return decodeIn(arena, type, length, checked);
}

/** Puts bytes into an arena of about the size of an estimate, which is free again after `use`. */
export function passingInput<T>(
  engine: Engine,
  type: MessageInfo,
  bytes: Uint8Array,
  options: DecodeOptions | undefined,
  estimate: Estimate,
  use: (arena: Arena, length: number, options: DecodeOptions | undefined) => T,
): T {
  bytesArgument(bytes, 'bytes');
  const checked = limited(options, DECODE_KINDS);
  const length = typedArrayLength(bytes);
  const offset = typedArrayOffset(bytes);
  const schema = engine.compiled(type.schema);
  const least = roomForInput(length) + type.size;
  const arena = engine.borrow(schema, Math.max(estimate.of(length), least), least);
  try {
    arena.put(bytes, length, offset, checked?.shareBytes);
    return use(arena, length, checked);
  } finally {
    engine.release(arena);
  }
}

/** Decodes into an arena that is free again after `use`. */
export function decodePassing<T>(
  engine: Engine,
  type: MessageInfo,
  bytes: Uint8Array,
  options: DecodeOptions | undefined,
  use: (arena: Arena, ref: number) => T,
): T {
  return passingInput(engine, type, bytes, options, type.decoding, (arena, length, checked) => {
    engine.decode(arena, type, length, decodeFlags(checked), checked);
    try {
      return use(arena, arena.ref);
    } catch (error) {
      throw located(error, arena, arena.ref, type);
    }
  });
}

/** An empty message, or what a plain object says, in an arena of its own. */
export function createMessage(engine: Engine, type: MessageInfo, init: unknown): Arena {
  const arena = engine.arena(engine.compiled(type.schema), 1024);
  try {
    arena.ref =
      init === undefined ? arena.record(type.size) : storeMessage(arena, type, init, '');
  } catch (error) {
    arena.dispose();
    throw error;
  }
  return arena;
}

/**
 * A message in the memory of the module. What it gives is read there when asked for, and what it is
 * given is there at once. All messages of one root share its arena: disposing any of them disposes
 * all, and every use after that is an `INVALID_STATE` error.
 *
 * `O` is its plain object, `I` what it can be made from, `N` the full name of the type.
 */
export abstract class Message<O = unknown, I = unknown, N = unknown> {
  /** @internal The arena and the reference: see `maker`. */
  declare $a: Arena;
  /** @internal */
  declare $r: number;
  /** For types only. */
  declare readonly $init?: I;
  /** For types only: a message of another type is not one of this. */
  declare readonly $name?: N;

  protected constructor() {
    throw new TypeError(`messages are made by ${new.target.name}.create()`);
  }

  /** The full name of the type. */
  get [Symbol.toStringTag](): string {
    return this.$type.name;
  }

  /** @internal */
  static get $lazy(): LazyType {
    throw new SpiculeError('WRONG_TYPE', {}, 'not a message type');
  }

  /** @internal */
  static get $type(): MessageInfo {
    return this.$lazy.info;
  }

  /** @internal */
  get $type(): MessageInfo {
    return (this.constructor as typeof Message).$type;
  }

  /** The full name of the type. */
  static get typeName(): string {
    return this.$type.name;
  }

  // ---- Types ----

  /** Decodes to a plain object: one crossing, nothing to dispose. */
  static parse<M extends Message>(
    this: MessageClass<M>,
    bytes: Uint8Array,
    options?: DecodeOptions,
  ): ObjectOf<M> {
    const type = this.$type;
    return decodePassing(type.schema.engine, type, bytes, options, type.reader) as ObjectOf<M>;
  }

  /** Decodes to a message, which is to be disposed. */
  static decode<M extends Message>(
    this: MessageClass<M>,
    bytes: Uint8Array,
    options?: DecodeOptions,
  ): M {
    const type = this.$type;
    const arena = decodeMessage(type.schema.engine, type, bytes, options);
    return type.make(arena, arena.ref) as M;
  }

  /**
   * Decodes, gives the message to `use` and disposes it. Bytes fields are views of the message's
   * memory, not copies: they are good until `use` returns or memory is allocated.
   */
  static scope<M extends Message, T>(
    this: MessageClass<M>,
    bytes: Uint8Array,
    use: (message: M) => T,
    options?: DecodeOptions,
  ): T {
    if (typeof use !== 'function') throw wrongType('use', 'a function', use);
    const message = this.decode<M>(bytes, options);
    message.$a.copies = false;
    try {
      const result = use(message);
      // What it waits for would find a message that is disposed.
      if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function') return result;
      throw new TypeError('use must not be asynchronous: decode, and dispose at its end');
    } finally {
      message.dispose();
    }
  }

  /** An object that `...Into` and `...At` of generated code can point to one message after the other. */
  static cursor<M extends Message>(this: MessageClass<M>): M {
    return this.$lazy.make(unplaced(), 0) as M;
  }

  /**
   * Calls a visitor for everything that is set, where possible straight from the bytes: nothing is to be
   * disposed. All bytes are checked before the first call.
   */
  static visit(
    this: { readonly $type: MessageInfo },
    bytes: Uint8Array,
    visitor: Visitor,
    options?: DecodeOptions,
  ): void {
    visitorArgument(visitor);
    visitPassing(this.$type, bytes, visitor, options);
  }

  /** A new message, empty or with the fields of a plain object; to be disposed. */
  static create<M extends Message>(this: MessageClass<M>, init?: InitOf<M> | M): M {
    const type = this.$type;
    const arena = createMessage(type.schema.engine, type, init);
    return type.make(arena, arena.ref) as M;
  }

  /** As `create`. */
  static fromObject<M extends Message>(this: MessageClass<M>, object: InitOf<M> | M): M {
    isMessage(object, this.$type, 'init');
    return this.create<M>(object);
  }

  /** Encodes a plain object: nothing to dispose. */
  static encode<M extends Message>(
    this: MessageClass<M>,
    object: InitOf<M> | M,
    options?: EncodeOptions,
  ): Bytes {
    const type = this.$type;
    const { engine } = type.schema;
    return engine.passing(engine.compiled(type.schema), 4096, 4096, (arena) => {
      const ref = storeMessage(arena, type, object, '');
      return encodeMessage(arena, ref, type, options, copied);
    });
  }

  /**
   * Bytes to read a few fields of, when they are asked for: nothing is decoded. They are copied to
   * the module's memory; to be disposed.
   */
  static view<M extends Message>(this: MessageClass<M>, bytes: Uint8Array): WireView<ObjectOf<M>> {
    return viewOf(this.$type.schema.engine, this.$type, bytes);
  }

  /**
   * Reads the columns of paths such as `items.stateChanges.consensusTimestamp.seconds` straight from
   * the wire: nothing else is looked at, and no message is made. A message field that comes in
   * several parts, which only decoding can merge, is `MALFORMED`.
   */
  static select<const P extends readonly string[]>(
    this: { readonly $type: MessageInfo },
    bytes: Uint8Array,
    paths: P,
  ): { -readonly [K in keyof P]: Column };
  static select(
    this: { readonly $type: MessageInfo },
    bytes: Uint8Array,
    paths: readonly string[],
  ): Column[] {
    return selectColumns(this.$type.schema.engine, this.$type, bytes, paths);
  }

  /**
   * Encodes a message that has what columns say, the other way round from `select`: lists that are on
   * the way of several columns have to be of one length in all. Encoding is one crossing.
   */
  static encodeColumns(
    this: { readonly $type: MessageInfo },
    columns: readonly (ColumnInit | Column)[],
    options?: EncodeOptions,
  ): Bytes {
    const type = this.$type;
    const { engine } = type.schema;
    return engine.passing(engine.compiled(type.schema), 4096, 4096, (arena) => {
      const ref = arena.record(type.size);
      fillColumns(arena, ref, type, columns);
      return encodeMessage(arena, ref, type, options, copied);
    });
  }

  /** The message of a JSON value, to be disposed. */
  static fromJSON<M extends Message>(
    this: MessageClass<M>,
    value: unknown,
    options?: JsonReadOptions,
  ): M {
    const type = this.$type;
    const arena = protoJson().readValue(type.schema.engine, type, value, options);
    return type.make(arena, arena.ref) as M;
  }

  /** The message of JSON text, to be disposed; all numbers are read exactly. */
  static fromJSONString<M extends Message>(
    this: MessageClass<M>,
    text: string,
    options?: JsonReadOptions,
  ): M {
    const type = this.$type;
    const arena = protoJson().read(type.schema.engine, type, text, options);
    return type.make(arena, arena.ref) as M;
  }

  // ---- Messages ----

  /** The binary form, in new memory. */
  encode(options?: EncodeOptions): Bytes {
    return encodeMessage(this.$a, this.$r, this.$type, options, copied);
  }

  /** Writes the binary form to the start of `out`; gives its length. */
  encodeInto(out: Uint8Array, options?: EncodeOptions): number {
    const plainOut = plainArgument(out, 'out');
    return encodeMessage(this.$a, this.$r, this.$type, options, (memory, start, end) => {
      roomFor(plainOut, end - start);
      plainOut.set(memory.subarray(start, end));
      return end - start;
    });
  }

  /** Calls a visitor for everything that is set. */
  visit(visitor: Visitor): void {
    visitorArgument(visitor);
    visitRecord(this.$type, this.$a, this.$r, visitor);
  }

  /** A plain object with all that the message has. */
  toObject(): O {
    const { $a: arena, $r: ref, $type: type } = this;
    try {
      return type.reader(arena.ready(), ref) as O;
    } catch (error) {
      throw located(error, arena, ref, type);
    }
  }

  /** The JSON value by the rules of ProtoJSON. */
  toJSON(options?: JsonWriteOptions): Json {
    // JSON.stringify calls this with the key.
    return JSON.parse(this.toJSONString(typeof options === 'object' ? options : undefined)) as Json;
  }

  /** ProtoJSON as text. */
  toJSONString(options?: JsonWriteOptions): string {
    return protoJson().write(this.$a, this.$type, this.$r, options);
  }

  /** Whether a field with presence is set, another one not zero, a list or map not empty. */
  has(field: string): boolean {
    const oneof = this.$type.oneofsByName.get(field);
    if (oneof !== undefined) return memberOf(this.$a, this.$r, oneof) !== undefined;
    return isSet(this.$a, this.$r, this.$type.field(field));
  }

  /** Clears a field or oneof. */
  clear(field: string): void {
    const oneof = this.$type.oneofsByName.get(field);
    const one = oneof === undefined ? this.$type.field(field) : memberOf(this.$a, this.$r, oneof);
    if (one === undefined) return;
    this.$a.forget();
    unset(this.$a, this.$r, one);
  }

  /** The message in a field, made if it is not set. */
  mutable(name: string): Message {
    const field = this.$type.field(name);
    const { $a: arena, $r: ref } = this;
    if (field.scalar !== undefined || field.repeated) {
      throw new SpiculeError('WRONG_TYPE', { path: name });
    }
    if (!isSet(arena.ready(), ref, field)) assign(arena, ref, field, {}, name);
    return field.message.make(arena, readUint32(arena, ref + field.at));
  }

  /** Whether the other message has the same fields, unknown ones too, with the same values. */
  equals(other: this): boolean {
    if (!(other instanceof Message)) throw wrongType('other', 'a message', other);
    const [a, b] = [this.$a.ready(), other.$a.ready()];
    if (this.$type.name !== other.$type.name) return false;
    if (a.schema === b.schema) return a.engine.equal(a, this.$type, this.$r, b, other.$r);
    const bytes = other.encode({ partial: true });
    return decodePassing(a.engine, this.$type, bytes, { partial: true }, (copy, ref) =>
      a.engine.equal(a, this.$type, this.$r, copy, ref),
    );
  }

  /** A copy in an arena of its own, to be disposed. */
  clone(): this {
    const { engine, schema } = this.$a.ready();
    const arena = engine.arena(schema, 1024);
    try {
      const ref = arena.record(this.$type.size);
      engine.merge(arena, this.$type, ref, this.$a, this.$r);
      return this.$type.make(arena, ref) as this;
    } catch (error) {
      arena.dispose();
      throw error;
    }
  }

  /** Merges a message in: set fields replace, messages merge, elements are appended. */
  merge(from: this): this {
    if (!(from instanceof Message)) throw wrongType('from', 'a message', from);
    const [into, other] = [this.$a.ready(), from.$a.ready()];
    if (from.$type.name !== this.$type.name) throw wrongType('from', `a ${this.$type.name}`, from);
    if (into.schema !== other.schema) return this.mergeBytes(from.encode({ partial: true }), { partial: true });
    into.engine.merge(into, this.$type, this.$r, other, from.$r);
    return this;
  }

  /** Decodes bytes into this message. On failure it may have part of them. */
  mergeBytes(bytes: Uint8Array, options?: DecodeOptions): this {
    bytesArgument(bytes, 'bytes');
    const { $a: arena, $r: ref } = this;
    const checked = limited(options, DECODE_KINDS);
    arena.ready().engine.decodeMerge(arena, this.$type, ref, bytes, decodeFlags(checked), checked);
    return this;
  }

  /**
   * Decodes the message of another type that a bytes field holds, without a copy of the bytes in
   * between; to be disposed. An empty message if the field is not set.
   */
  decodeField<M extends Message>(name: string, of: MessageClass<M>, options?: DecodeOptions): M {
    const type = of.$type;
    const checked = limited(options, DECODE_KINDS);
    const { engine } = this.$a;
    const place = placeOf(this, name);
    const made = arenaFor(engine, type, place.length);
    engine.put(made, place);
    decodeIn(made, type, place.length, checked);
    return type.make(made, made.ref) as M;
  }

  /**
   * As `decodeField`, but the message is a part of this one: disposing either disposes both, and until then each
   * call takes more memory. That is quicker. `INVALID_ARGUMENT` where the type is not of the schema of this one.
   */
  decodeWithin<M extends Message>(name: string, of: MessageClass<M>, options?: DecodeOptions): M {
    const { $type: own, $a: arena } = this;
    const type = of.$type;
    if (type.schema !== own.schema) {
      throw new SpiculeError('INVALID_ARGUMENT', { path: name }, `${type.name} is of another schema than ${own.name}`);
    }
    const checked = limited(options, DECODE_KINDS);
    const place = placeOf(this, name);
    const { engine, used } = arena;
    engine.decodeWithin(arena, type, place, decodeFlags(checked), checked);
    own.within = arena.used - used;
    return type.make(arena, arena.ref) as M;
  }

  /** The fields that the type does not know, in wire format. */
  get unknownFields(): Bytes {
    return unknownBytes(this.$a, this.$r, this.$type);
  }

  /** Adds fields in wire format, which are checked. */
  appendUnknown(fields: Uint8Array): void {
    bytesArgument(fields, 'fields');
    this.$a.ready().engine.appendUnknown(this.$a, this.$type, this.$r, fields);
  }

  clearUnknown(): void {
    this.$a.ready().words[this.$r >> 2]! &= ~1;
  }

  hasExtension(extension: Extension): boolean {
    const [ref, type] = extendedBy(this, extension);
    return ref !== 0 && isSet(this.$a, ref, type.field(extension.key));
  }

  /** The value of an extension: undefined or a list as for fields; there are no maps. */
  getExtension<V>(extension: Extension<V>): V {
    const [ref, type] = extendedBy(this, extension);
    const field = type.field(extension.key);
    if (field.repeated) {
      return accessedPlain(this.$a, ref === 0 ? makeExtensions(this.$a, this.$r, this.$type) : ref, field) as V;
    }
    return (ref === 0 ? undefined : accessedPlain(this.$a, ref, field)) as V;
  }

  /** Sets an extension; undefined clears it. */
  setExtension<I>(extension: Extension<unknown, I>, value: I | undefined): void {
    const [, type] = extendedBy(this, extension);
    const ref = makeExtensions(this.$a, this.$r, this.$type);
    assign(this.$a, ref, type.field(extension.key), value, extension.key);
  }

  clearExtension(extension: Extension): void {
    this.setExtension(extension, undefined);
  }

  /** Gives the memory of this message, its root and all below back. Their later use is an error. */
  dispose(): void {
    this.$a.dispose();
  }

  /** As `dispose`. */
  [Symbol.dispose](): void {
    this.$a.dispose();
  }

  /** @internal */
  [INSPECT](depth: number | null, options: InspectOptions, inspect: Inspect): string {
    const { $a: arena, $r: ref, $type: type } = this;
    if (arena.region === undefined) return `${type.name} [disposed]`;
    const set = () => {
      const fields = type.fields.filter((field) => isSet(arena, ref, field));
      const shown = Object.fromEntries(fields.map((field) => [field.name, this[field.name as keyof this] as unknown]));
      addRest(arena, ref, type, shown);
      return shown;
    };
    return inspected(type.name, set, depth, options, inspect);
  }
}

/** Where the bytes of a field are. */
function placeOf({ $type: type, $a: arena, $r: ref }: Message, name: string): Placed {
  const field = type.field(name);
  if (field.type !== TYPE.BYTES || field.repeated) throw new SpiculeError('WRONG_TYPE', { path: name });
  const at = ref + field.at;
  return isSet(arena.ready(), ref, field)
    ? new Placed(arena, readUint32(arena, at), readUint32(arena, at + 4))
    : new Placed(arena, 0, 0);
}

/** The record of extensions of a message, 0 if there is none, and their type. */
function extendedBy({ $a, $r, $type }: Message, { extendee, name }: Extension): [number, MessageInfo] {
  if (extendee !== $type.name) throw new SpiculeError('WRONG_TYPE', { path: name });
  return [extensionsOf($a, $r, $type), $type.extensions!];
}

function encodeMessage<T>(
  arena: Arena,
  ref: number,
  type: MessageInfo,
  options: EncodeOptions | undefined,
  take: (memory: Uint8Array, start: number, end: number) => T,
): T {
  const checked = limited(options, ENCODE_KINDS);
  const flags =
    checked === undefined
      ? 0
      : (checked.deterministic === true ? 1 : 0) | (checked.partial === true ? 2 : 0);
  return arena.ready().engine.encode(arena, type, ref, flags, checked, take);
}

