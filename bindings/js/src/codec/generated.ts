/**
 * What code of `protoc-gen-spicule` is made of. Not for use by hand: it changes with the generator.
 *
 * @module
 */
import { defaultEngine } from '../codec.js';
import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import { descriptorSet } from './descriptor-text.js';
import { defineAccessors, memberValue } from './access.js';
import { ListView, MapView } from './list.js';
import { type Specializer, provideSpecializer } from './loaded-specializer.js';
import { type LazyType, type MakeMessage, Message, type MessageClass, maker } from './message.js';
import {
  addRest, appendTo, arrayFor, assign, assignOneof, hasUnknown, memberOf, unsetAt,
} from './record.js';
import {
  type Int64Form, type Scalar, readCase, readUint32, writeBool, writeBytes, writeCase, writeDouble,
  writeFloat, writeInt32, writeInt64, writeString, writeUint32, writeUint64,
} from './scalar.js';
import { type Extension, type Method, Schema, Types, reflectedClass, streamingKind } from './schema.js';
import type { FieldInfo, MessageInfo } from './type.js';

export {
  byteAt, copyBytes, readBool, readBytes, readCase, readDouble, readFloat, readInt32, readInt64, readInt64Number,
  readInt64String, readString, readUint32, readUint64, readUint64Number, readUint64String,
} from './scalar.js';
export { ListView, MapView, Message, maker };
export { specializer } from './specializer.js';
export { MessageWriter } from './writer.js';
export type { Bytes } from '../core/bytes.js';
export type { Arena, Extension, LazyType, MakeMessage, MessageClass, MessageInfo, Method };

// ---- Files and types ----

/** A .proto file of which code was generated. */
export interface GeneratedFile {
  /** The path of the .proto file. */
  readonly path: string;
  readonly imports: readonly GeneratedFile[];
}

interface Registered {
  readonly descriptor: string;
  readonly int64: Int64Form;
}

const files = new Map<string, Registered>();
/** What code in use belongs to. Minifiers drop arguments that nothing uses, and calls for them. */
const used = new Set<unknown>();
let known: GeneratedTypes | undefined;
let schema: GeneratedSchema | undefined;

/**
 * Makes a file known by its FileDescriptorProto as text; those that it imports come before it. With a
 * specializer, Wasm code is made at run time for message types, those of other files too.
 */
export function registerFile(
  path: string,
  int64: Int64Form,
  imports: readonly GeneratedFile[],
  descriptor: string,
  specializing?: Specializer,
): GeneratedFile {
  if (specializing !== undefined) provideSpecializer(specializing);
  files.set(path, { descriptor, int64 });
  known = schema = undefined;
  return { path, imports };
}

/** Types of generated classes by full name. */
const types = new Map<string, GeneratedType>();
/** Makes classes of types that code of `optimize_for=code_size` refers to by name alone. */
let reflect: ((info: MessageInfo) => MessageClass<Message>) | undefined;

const int64Of = (path: string): Int64Form => files.get(path)?.int64 ?? 'bigint';

/** What generated classes are of. Bundles may lack classes that nothing refers to. */
class GeneratedTypes extends Types {
  makeClass(info: MessageInfo): MessageClass<Message> {
    const type = types.get(info.name);
    if (type !== undefined) return type.bind(info);
    if (reflect !== undefined) return reflect(info);
    throw new SpiculeError('UNKNOWN_TYPE', { path: info.name }, 'no generated class');
  }
}

/** The same types by name, with classes made for those that have none. */
class GeneratedSchema extends Schema {
  override makeClass(info: MessageInfo): MessageClass<Message> {
    return types.get(info.name)?.bind(info) ?? super.makeClass(info);
  }
}

/** All files that are known, as one schema: an Any or an extension may be of any of them. */
function registered(): Types {
  if (known === undefined) {
    const set = descriptorSet([...files.values()].map(({ descriptor }) => descriptor));
    known = new GeneratedTypes(defaultEngine, set, int64Of);
  }
  return known;
}

/** The schema of all generated files, to look up types by name, for Any and extensions. */
export function generatedSchema(): Schema {
  return (schema ??= new GeneratedSchema(defaultEngine, registered().descriptors(), int64Of));
}

/** The type of a generated class. */
abstract class GeneratedType implements LazyType {
  protected readonly name: string;
  #info: MessageInfo | undefined;

  constructor(name: string) {
    this.name = name;
    types.set(name, this);
  }

  get info(): MessageInfo {
    return (this.#info ??= this.#find());
  }

  #find(): MessageInfo {
    const found = registered().info(this.name);
    // What follows need not ask.
    Object.defineProperty(this.bind(found), '$type', { value: found });
    return found;
  }

  /** Makes the class the one of a type of its name. */
  abstract bind(found: MessageInfo): MessageClass<Message>;

  abstract make(arena: Arena, ref: number): Message;
}

/** That of a class whose accessors are generated. */
class CompiledType extends GeneratedType {
  readonly #hash: number;
  readonly #maker: () => MakeMessage<Message>;
  readonly #reader: ReadObject<object>;

  constructor(name: string, hash: number, makerOf: () => MakeMessage<Message>, reader: ReadObject<object>) {
    super(name);
    this.#hash = hash;
    this.#maker = makerOf;
    this.#reader = reader;
  }

  make(arena: Arena, ref: number): Message {
    return new (this.#maker())(arena, ref);
  }

  /** The type has to have the layout that the class is for. */
  bind(found: MessageInfo): MessageClass<Message> {
    if (layoutHash(found) !== this.#hash) {
      const path = this.name;
      throw new SpiculeError('UNAVAILABLE', { path }, `the code generated for ${path} is of another version of spicule`);
    }
    const make = this.#maker();
    const { constructor: made } = make.prototype as { constructor: MessageClass<Message> };
    found.bind(made, make);
    found.reader = this.#reader;
    return made;
  }
}

/** That of a class which gets accessors when it is first used. */
class ReflectedType extends GeneratedType {
  readonly #class: MessageClass<Message>;
  #make: MakeMessage<Message> | undefined;

  constructor(name: string, made: MessageClass<Message>) {
    super(name);
    this.#class = made;
  }

  make(arena: Arena, ref: number): Message {
    return this.info.make(arena, ref);
  }

  bind(found: MessageInfo): MessageClass<Message> {
    if (this.#make === undefined) {
      this.#make = maker(this.#class);
      defineAccessors(this.#class.prototype, registered().info(this.name));
    }
    found.bind(this.#class, this.#make);
    return this.#class;
  }
}

/** Gives the message at a reference, undefined for 0: in `into` where that is given. */
export type PointTo<M> = (arena: Arena, ref: number, into?: M) => M | undefined;

/** Makes the plain object of the record at a reference. */
export type ReadObject<O> = (arena: Arena, ref: number) => O;

/** The type of a class whose accessors are generated; `hash` is that of the layout that they are for. */
export function lazyType(
  file: GeneratedFile,
  name: string,
  hash: number,
  makerOf: () => MakeMessage<Message>,
  reader: ReadObject<object>,
): LazyType {
  used.add(file);
  return new CompiledType(name, hash, makerOf, reader);
}

// ---- Code of optimize_for=code_size ----

/** The type of a class whose accessors are made of the schema. */
export function reflectedType(file: GeneratedFile, name: string, made: MessageClass<Message>): LazyType {
  used.add(file);
  reflect = reflectedClass;
  return new ReflectedType(name, made);
}

export function pointerTo<M extends Message>(type: LazyType): PointTo<M> {
  return (arena, ref, into) => {
    if (ref === 0) return undefined;
    if (into === undefined) return type.make(arena, ref) as M;
    into.$a = arena;
    into.$r = ref;
    return into;
  };
}

export function readerOf<O>(type: LazyType): ReadObject<O> {
  return (arena, ref) => type.info.reader(arena, ref) as O;
}

/** The same as layoutHash of the generator. */
function layoutHash({ size, extensionsAt, fields }: MessageInfo): number {
  let hash = 0x811c9dc5;
  const add = (value: number) => (hash = Math.imul(hash ^ value, 0x01000193) >>> 0);
  add(size);
  add(extensionsAt);
  for (const { number, at, bitAt, mask, caseAt, caseValue } of fields) {
    for (const value of [number, at, bitAt, mask, caseAt, caseValue]) add(value);
  }
  return hash;
}

/** An extension as a constant; `of` is the class of a message. */
export function extension<V, I>(
  file: GeneratedFile,
  name: string,
  extendee: string,
  number: number,
  of?: () => MessageClass<Message>,
): Extension<V, I> {
  used.add(file).add(of);
  return { name, extendee, key: `[${name}]`, number };
}

/** A method of a service in a generated file. */
export interface GeneratedMethod<I extends Message, O extends Message> extends Method {
  readonly input: MessageClass<I>;
  readonly output: MessageClass<O>;
}

/** A method as a constant; the classes are asked for when they are there. */
export function method<I extends Message, O extends Message>(
  name: string,
  input: () => MessageClass<I>,
  output: () => MessageClass<O>,
  client: boolean,
  server: boolean,
): GeneratedMethod<I, O> {
  return {
    name,
    get input(): MessageClass<I> {
      return input();
    },
    get output(): MessageClass<O> {
      return output();
    },
    kind: streamingKind(client, server),
  };
}

// ---- Fields ----

/** The word at an index of an arena whose views do not work. */
function wordAt(arena: Arena, index: number): number {
  return arena.again().words[index]!;
}

/** Whether a hasbit is set. */
export function hasBit(arena: Arena, at: number, mask: number): boolean {
  return (readUint32(arena, at) & mask) !== 0;
}

// Setters by kind of value: arena and reference of the message, the value, the name for errors, where
// the slot lies in the record, and which hasbit; of a field with presence also the place of the case,
// which is 0 outside oneofs, and what the case is. Each is written out, as engines learn what a call
// does by the function that it is in.

/** Marks a field as set or not: `markAt` would be one call more, with which building takes 5 % longer. */
function mark(
  arena: Arena, ref: number, nonzero: boolean, bit: number, caseAt?: number, caseValue?: number,
): void {
  const { words } = arena;
  const i = (ref >> 2) + (bit >> 5);
  if (nonzero || caseAt !== undefined) {
    words[i]! |= 1 << bit;
    if (caseAt) writeCase(arena, ref + caseAt, caseValue!);
  } else words[i]! &= ~(1 << bit);
}

/** What a setter does with a value that is not the usual one, or that belongs to an error. */
function setSlowly(
  write: Scalar['write'], wide: boolean, arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  if (value === undefined) unsetAt(arena, ref, at, wide, (bit >> 5) * 4, 1 << bit, caseAt, caseValue);
  else mark(arena, ref, write(arena.ready(), ref + at, value, name), bit, caseAt, caseValue);
}

export function setBool(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  const { words } = arena;
  const i = (ref + at) >> 2;
  if (typeof value === 'boolean' && words[i] !== undefined) {
    words[i] = value ? 1 : 0;
    mark(arena, ref, value, bit, caseAt, caseValue);
  } else setSlowly(writeBool, false, arena, ref, value, name, at, bit, caseAt, caseValue);
}

export function setBytes(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  if (value === undefined) unsetAt(arena, ref, at, true, (bit >> 5) * 4, 1 << bit, caseAt, caseValue);
  else mark(arena, ref, writeBytes(arena.ready(), ref + at, value, name), bit, caseAt, caseValue);
}

export function setDouble(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  if (value === undefined) unsetAt(arena, ref, at, true, (bit >> 5) * 4, 1 << bit, caseAt, caseValue);
  else mark(arena, ref, writeDouble(arena.ready(), ref + at, value, name), bit, caseAt, caseValue);
}

export function setFloat(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  if (value === undefined) unsetAt(arena, ref, at, false, (bit >> 5) * 4, 1 << bit, caseAt, caseValue);
  else mark(arena, ref, writeFloat(arena.ready(), ref + at, value, name), bit, caseAt, caseValue);
}

export function setInt32(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  const { words } = arena;
  const i = (ref + at) >> 2;
  if (typeof value === 'number' && value === (value | 0) && words[i] !== undefined) {
    words[i] = value;
    mark(arena, ref, value !== 0, bit, caseAt, caseValue);
  } else setSlowly(writeInt32, false, arena, ref, value, name, at, bit, caseAt, caseValue);
}

export function setInt64(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  const { words } = arena;
  const i = (ref + at) >> 2;
  if (typeof value === 'number' && Number.isSafeInteger(value) && words[i] !== undefined) {
    words[i] = value;
    words[i + 1] = Math.floor(value / 4294967296);
    mark(arena, ref, value !== 0, bit, caseAt, caseValue);
  } else setSlowly(writeInt64, true, arena, ref, value, name, at, bit, caseAt, caseValue);
}

export function setString(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  if (value === undefined) unsetAt(arena, ref, at, true, (bit >> 5) * 4, 1 << bit, caseAt, caseValue);
  else mark(arena, ref, writeString(arena.ready(), ref + at, value, name), bit, caseAt, caseValue);
}

export function setUint32(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  const { words } = arena;
  const i = (ref + at) >> 2;
  if (typeof value === 'number' && value === value >>> 0 && words[i] !== undefined) {
    words[i] = value;
    mark(arena, ref, value !== 0, bit, caseAt, caseValue);
  } else setSlowly(writeUint32, false, arena, ref, value, name, at, bit, caseAt, caseValue);
}

export function setUint64(
  arena: Arena, ref: number, value: unknown, name: string, at: number,
  bit: number, caseAt?: number, caseValue?: number,
): void {
  const { words } = arena;
  const i = (ref + at) >> 2;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && words[i] !== undefined) {
    words[i] = value;
    words[i + 1] = Math.floor(value / 4294967296);
    mark(arena, ref, value !== 0, bit, caseAt, caseValue);
  } else setSlowly(writeUint64, true, arena, ref, value, name, at, bit, caseAt, caseValue);
}

/** The reference of the message in a oneof; 0 if another member is set. */
export function memberRef(
  arena: Arena, ref: number, at: number, caseAt: number, caseValue: number,
): number {
  return readCase(arena, ref + caseAt) === caseValue ? readUint32(arena, ref + at) : 0;
}

/** The reference of the message in a field, made of `size` bytes if it is not set. */
export function mutableRecord(
  arena: Arena, ref: number, at: number, size: number,
  bit: number, caseAt = 0, caseValue = 0,
): number {
  const i = (ref + at) >> 2;
  const known = arena.words[i] ?? wordAt(arena, i);
  if (known !== 0 && (caseAt === 0 || readCase(arena, ref + caseAt) === caseValue)) return known | 0;
  const made = arena.fresh(size);
  const { words } = arena;
  words[i] = made;
  words[(ref >> 2) + (bit >> 5)]! |= 1 << bit;
  if (caseAt !== 0) writeCase(arena, ref + caseAt, caseValue);
  return made;
}

// Fields by their numbers, as names take more in a bundle.

const fieldOf = (message: Message, number: number): FieldInfo => message.$type.byNumber.get(number)!;

export function setField(message: Message, number: number, value: unknown): void {
  const field = fieldOf(message, number);
  assign(message.$a, message.$r, field, value, field.name);
}

/** The member that is set, as `{ case, value }`. */
export function oneofOf<P>(message: Message, name: string): P | undefined {
  const { $a: arena, $r: ref } = message;
  const oneof = message.$type.oneofsByName.get(name)!;
  const member = memberOf(arena, ref, oneof);
  return member && ({ case: member.name, value: memberValue(arena, ref, member) } as P);
}

export function setOneof(message: Message, name: string, value: unknown): void {
  const oneof = message.$type.oneofsByName.get(name)!;
  assignOneof(message.$a, message.$r, oneof, value, name);
}

export function listOf<T, I>(message: Message, number: number): ListView<T, I> {
  return new ListView<T, I>(message.$a, message.$r, fieldOf(message, number));
}

export function mapOf<K, V, I>(message: Message, number: number): MapView<K, V, I> {
  return new MapView<K, V, I>(message.$a, message.$r, fieldOf(message, number));
}

/** The reference of element `index` of the array of messages at a slot; 0 past its end. */
export function elementAt(arena: Arena, slot: number, index: number): number {
  const i = slot >> 2;
  const count = readUint32(arena, slot + 4);
  if (!(index >>> 0 === index && index < count)) return 0;
  return arena.words[(arena.words[i]! >> 2) + index]!;
}

/** The reference of a new message, of `size` bytes, at the end of a repeated field. */
export function addRecord(
  arena: Arena, ref: number, at: number, size: number, bit: number,
): number {
  const made = arena.ready().fresh(size);
  appendTo(arena, ref + (bit >> 5) * 4, 1 << bit, ref + at, made);
  return made;
}

/** The place of element `index` of an array; 0 past its end. */
export function placeAt(arena: Arena, slot: number, index: number, size: number): number {
  if (!(index >>> 0 === index && index < readUint32(arena, slot + 4))) return 0;
  return arena.words[slot >> 2]! + index * size;
}

// ---- Plain objects ----

/** Elements of a repeated field as an array. */
export function arrayOf<T>(
  arena: Arena,
  slot: number,
  size: number,
  read: (arena: Arena, at: number) => T,
): T[] {
  const count = readUint32(arena, slot + 4);
  const at = readUint32(arena, slot);
  if (count === 1) return [read(arena, at)];
  if (count === 2) return [read(arena, at), read(arena, at + size)];
  const list = arrayFor<T>(count);
  for (let i = 0; i < count; i++) list[i] = read(arena, at + i * size);
  return list;
}

/** Messages of a repeated field as an array of plain objects. */
export function objectsOf<T>(
  arena: Arena,
  slot: number,
  read: (arena: Arena, ref: number) => T,
): T[] {
  const count = readUint32(arena, slot + 4);
  const first = readUint32(arena, slot) >> 2;
  const { words } = arena;
  if (count === 1) return [read(arena, words[first]!)];
  if (count === 2) return [read(arena, words[first]!), read(arena, words[first + 1]!)];
  const list = arrayFor<T>(count);
  for (let i = 0; i < count; i++) list[i] = read(arena, arena.words[first + i]!);
  return list;
}

/** A map field as a Map of plain values. */
export function plainMapOf<K, V>(
  arena: Arena,
  slot: number,
  keyAt: number,
  readKey: (arena: Arena, at: number) => K,
  valueAt: number,
  readValue: (arena: Arena, at: number) => V,
): Map<K, V> {
  const count = readUint32(arena, slot + 4);
  const map = new Map<K, V>();
  const first = readUint32(arena, slot) >> 2;
  for (let i = 0; i < count; i++) {
    const entry = arena.words[first + i]!;
    map.set(readKey(arena, entry + keyAt), readValue(arena, entry + valueAt));
  }
  return map;
}

/** Whether a message has unknown fields or extensions. */
export function hasRest(arena: Arena, ref: number, extensionsAt: number): boolean {
  return (
    hasUnknown(arena, ref) || (extensionsAt !== 0 && readUint32(arena, ref + extensionsAt) !== 0)
  );
}

export { addRest };
