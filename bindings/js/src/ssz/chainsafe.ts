/**
 * The classes of @chainsafe/ssz that types files use most, over this package: change the import, and
 * the types stay as they are. Bytes, roots and views come from the core.
 *
 * What differs: integers of `UintNumberType(8)` above 2^53 - 1 are an error instead of rounded;
 * every kind of deserializing checks alike; `fixedSize` is 0, not null, where sizes vary; there are no
 * nodes to be had from views (`node`, `cache`, `getView`, `getViewDU`, `tree_...`, `value_toTree`), nor
 * views from proofs (`createFromProof`), and `toView` and `toViewDU` give the same views. Of options,
 * `limit` of progressive types bounds nothing, and with `setBitwiseOR` elements are set as without;
 * those that are not known are an error, as are `getContainerTreeViewClass` and
 * `getContainerTreeViewDUClass`.
 *
 * What is not here: OptionalType, StableContainerType and ProfileType, which no specification has any
 * more; SerializedList, SerializedListType, ProgressiveSerializedListType and
 * PartialListCompositeType, whose purpose (lists that stay bytes) every list has here; the abstract
 * ArrayType, BitArrayType, ByteArrayType and CompositeType, TreeView and TreeViewDU, and what works
 * on nodes (BranchNodeStruct, hash64 and the like).
 *
 * With this module in the place of @chainsafe/ssz, the types of @lodestar/types 1.50.0 give the
 * vectors of the specification from phase0 to fulu, except electra's PendingAttestation, BeaconBlock,
 * BeaconBlockBody and SignedBeaconBlock, which that package has in another version than the vectors,
 * and gloas's PendingAttestation.
 *
 * @module
 */
import { type Bytes, roomFor, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { type OptionKinds, checkedOptions } from '../core/options.js';
import { createdEngine } from '../ssz.js';
import * as basic from './basic.js';
import { BitArray as PlainBits, BitsType, type BitsInput, BitsView } from './bits.js';
import { BytesType as PlainBytes } from './bytes.js';
import {
  ContainerType as PlainContainer, ContainerView, type Fields, type InputOfFields,
  type ValueOfFields, type ViewClass,
} from './container.js';
import { optionsArgument } from './builders.js';
import { checkLength } from './elements.js';
import { type Engine, KIND } from './engine.js';
import type { Host } from './host.js';
import type { Proof } from './proof.js';
import { SequenceType, type SequenceViewOf } from './sequence.js';
import { BasicListView, CompositeListView } from './sequence-view.js';
import {
  type AnyType, type InputOf, type Memory, type PartOf, type PathStep, Type, type ValueOf,
  type Writer, wrongValue,
} from './type.js';
import { type InputOfOptions, type Options, UnionType as PlainUnion, type UnionView, type ValueOfOptions } from './union.js';
import type { Growing } from './pieces-view.js';
import { View } from './view.js';

export type { Proof, ValueOf, ValueOfFields };
export { Type };

/** A path: names of fields and indices. */
export type JsonPath = PathStep[];

const host: Host = { engine: createdEngine, lazy: true };

// ---- JSON, type by type, so that a type may have its own ----

interface Json {
  toJson(value: unknown): unknown;
  fromJson(json: unknown): unknown;
}

const json = (type: AnyType): Json => type as unknown as Json;

function bad(expected: string, found: unknown): SpiculeError {
  return new SpiculeError('BAD_VALUE', {}, `JSON ${typeof found}, not ${expected}`);
}

function toHex(bytes: Uint8Array): string {
  let text = '0x';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

function fromHex(text: unknown): Bytes {
  if (typeof text !== 'string' || !/^(0x)?([0-9a-f]{2})*$/i.test(text)) throw bad('hexadecimal', text);
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

export { toHex as toHexString, fromHex as fromHexString };

/** Whether two arrays have the same bytes. */
export function byteArrayEquals(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

const CASES = {
  snake: (name: string) =>
    name.replace(/[^0-9A-Za-z]/g, '').replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a}_${b.toLowerCase()}`),
  eth2: (name: string): string => CASES.snake(name).replace(/(\d)$/, '_$1'),
  camel: (name: string) => name,
  pascal: (name: string) => name[0]!.toUpperCase() + name.slice(1),
  constant: (name: string): string => CASES.snake(name).toUpperCase(),
};

// ---- What all types have ----

/** The methods that types have beside those of this package. */
export interface Compat<Value, ViewDU> {
  readonly isBasic: boolean;
  clone(value: Value): Value;
  hashTreeRootInto(value: Value, output: Uint8Array, offset: number): void;
  toViewDU(value: Value): ViewDU;
  deserializeToView(bytes: Uint8Array): ViewDU;
  deserializeToViewDU(bytes: Uint8Array): ViewDU;
  defaultViewDU(): ViewDU;
  toValueFromView(view: ViewDU): Value;
  toValueFromViewDU(view: ViewDU): Value;
  getPathInfo(path: JsonPath): { gindex: bigint };
  /** Least and most bytes of a serialized value. */
  readonly minSize: number;
  readonly maxSize: number;
  /** Leaves of the tree, and its depth with the level of a length or selector. */
  readonly maxChunkCount: number;
  readonly depth: number;
  readonly isList: boolean;
  /** Whether views can be changed: they are values where not. */
  readonly isViewMutable: boolean;
  getPropertyType(property: string | number): AnyType;
  getPropertyGindex(property: string | number): bigint;
  toViewFromViewDU(view: ViewDU): ViewDU;
  toViewDUFromView(view: ViewDU): ViewDU;
  value_serializedSize(value: Value): number;
  value_serializeToBytes(output: ByteViews, offset: number, value: Value): number;
  value_deserializeFromBytes(data: ByteViews, start: number, end: number): Value;
}

/** Bytes as @chainsafe/ssz hands them on. */
export interface ByteViews {
  readonly uint8Array: Uint8Array;
  readonly dataView: DataView;
}

const OFFSET_BYTES = 4;
const MOST_BYTES = 2 ** 32 - 1;

/** Least and most bytes of values of a type. */
function sizesOf(type: AnyType): [least: number, most: number] {
  if (type.fixedSize !== 0) return [type.fixedSize, type.fixedSize];
  const { least, most } = shapeOf(type);
  return [least, most === Infinity ? MOST_BYTES : most];
}

interface Shape {
  readonly least: number;
  readonly most: number;
  readonly chunks: number;
  readonly isList: boolean;
}

const partSize = (type: AnyType, i: 0 | 1): number =>
  sizesOf(type)[i] + (type.fixedSize === 0 ? OFFSET_BYTES : 0);

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

function shapeOf(type: AnyType): Shape {
  if (type instanceof PlainContainer) {
    const types = type.$fields.map((field) => field.type);
    const [least, most] = ([0, 1] as const).map((i) => sum(types.map((each) => partSize(each, i))));
    return { least: least!, most: most!, chunks: types.length, isList: false };
  }
  if (type instanceof SequenceType || type instanceof PlainBytes) {
    const isList = type.$kind !== KIND.VECTOR;
    const limit = type.$kind === KIND.PROGRESSIVE_LIST ? Infinity : Number(type.$limit);
    const element: AnyType = type.$element;
    const most = limit * partSize(element, 1);
    const chunks = isBasicType(element) ? Math.ceil((limit * element.fixedSize) / 32) : limit;
    return { least: isList ? 0 : limit * partSize(element, 0), most, chunks, isList };
  }
  if (type instanceof BitsBase) {
    const isList = type.$isList;
    const limit = type instanceof ProgressiveBitListType ? Infinity : Number(type.$limit);
    const most = Math.ceil(limit / 8) + (isList ? 1 : 0);
    return { least: isList ? 1 : most, most, chunks: Math.ceil(limit / 256), isList };
  }
  const inner = type instanceof UnionType ? type.$inner : type;
  if (inner instanceof PlainUnion) {
    const sizes = [...inner.$options.values()].map((each) => (each === null ? [0, 0] : sizesOf(each)));
    const least = 1 + Math.min(...sizes.map(([size]) => size!));
    return { least, most: 1 + Math.max(...sizes.map(([, size]) => size!)), chunks: 1, isList: true };
  }
  return { least: type.fixedSize, most: type.fixedSize, chunks: 1, isList: false };
}

const COMPAT = {
  clone(this: AnyType, value: unknown) {
    return this.deserialize(this.serialize(value));
  },
  hashTreeRootInto(this: AnyType, value: unknown, output: Uint8Array, offset: number) {
    roomFor(output, offset + 32);
    output.set(this.hashTreeRoot(value), offset);
  },
  toViewDU(this: AnyType, value: unknown) {
    return this.$plain ? this.deserialize(this.serialize(value)) : this.toView(value);
  },
  deserializeToView(this: AnyType, bytes: Uint8Array) {
    return this.$plain ? this.deserialize(bytes) : this.view(bytes);
  },
  deserializeToViewDU(this: AnyType, bytes: Uint8Array) {
    return this.$plain ? this.deserialize(bytes) : this.view(bytes);
  },
  defaultViewDU(this: AnyType) {
    return this.$plain ? this.defaultValue() : this.defaultView();
  },
  toValueFromView(this: AnyType, view: unknown) {
    return view instanceof View ? view.$value() : view;
  },
  toValueFromViewDU(this: AnyType, view: unknown) {
    return view instanceof View ? view.$value() : view;
  },
  getPathInfo(this: AnyType, path: JsonPath) {
    return { gindex: this.gindex(path) };
  },
  get minSize() {
    return sizesOf(this as unknown as AnyType)[0];
  },
  get maxSize() {
    return sizesOf(this as unknown as AnyType)[1];
  },
  get maxChunkCount() {
    return Math.min(shapeOf(this as unknown as AnyType).chunks, Number.MAX_SAFE_INTEGER);
  },
  get depth() {
    const { chunks, isList } = shapeOf(this as unknown as AnyType);
    const mixed = isList || this instanceof ProgressiveContainerType ? 1 : 0;
    return mixed + (chunks === Infinity ? 0 : Math.ceil(Math.log2(Math.max(1, chunks))));
  },
  get isList() {
    return shapeOf(this as unknown as AnyType).isList;
  },
  get isViewMutable() {
    return !(this as unknown as AnyType).$plain;
  },
  getPropertyType(this: AnyType, property: string | number) {
    const type = this instanceof PlainContainer ? (this.fields as Fields)[property] : this.$step(0n, 0);
    if (type === undefined) throw new SpiculeError('NOT_FOUND', { path: String(property) });
    return type;
  },
  getPropertyGindex(this: AnyType, property: string | number) {
    return this.gindex([property]);
  },
  toViewFromViewDU: cloneOf,
  toViewDUFromView: cloneOf,
  value_serializedSize(this: AnyType, value: unknown) {
    return this.size(value);
  },
  value_serializeToBytes(this: AnyType, { uint8Array }: ByteViews, offset: number, value: unknown) {
    return put(this.serialize(value), uint8Array, offset);
  },
  value_deserializeFromBytes(this: AnyType, { uint8Array }: ByteViews, start: number, end: number) {
    return this.deserialize(uint8Array.subarray(start, end));
  },
};

/** Puts bytes into others; gives where they end. */
function put(bytes: Uint8Array, into: Uint8Array, offset: number): number {
  roomFor(into, offset + bytes.length);
  into.set(bytes, offset);
  return offset + bytes.length;
}

function cloneOf(view: unknown): unknown {
  return view instanceof View ? view.$clone() : view;
}

type Constructor = abstract new (...args: never[]) => object;

function install(methods: object, ...classes: Constructor[]): void {
  for (const type of classes) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(methods))) {
      Object.defineProperty(type.prototype, name, { ...descriptor, enumerable: false });
    }
  }
}

// ---- Options ----

export interface TypeOptions {
  typeName?: string | undefined;
}

const TYPE_KINDS: OptionKinds<TypeOptions> = { typeName: 'string' };

/** What the type is called: as the options say, or as it is written. */
function nameOf(options: TypeOptions | undefined, written: string): string {
  return checkedOptions(options, TYPE_KINDS).typeName ?? written;
}

export interface ProgressiveOptions extends TypeOptions {
  /** Without effect. */
  limit?: number | undefined;
}

const PROGRESSIVE_KINDS: OptionKinds<ProgressiveOptions> = { ...TYPE_KINDS, limit: 'number' };

/** The options of a progressive type that others have too. */
function withoutLimit(options: ProgressiveOptions | undefined): TypeOptions {
  return { typeName: checkedOptions(options, PROGRESSIVE_KINDS).typeName };
}

// ---- Basic types ----

/** What tells basic types: those of this module, and ones of the user's own. */
export abstract class BasicType<V> extends basic.BasicType<V> {
  override readonly fixedSize: number = 0;
  readonly typeName: string = '';
  constructor() {
    super(host);
  }
  get isBasic(): boolean {
    return true;
  }
  $compile(): number {
    throw new SpiculeError('BAD_TYPE_TEXT', { path: this.typeName }, 'not an SSZ type');
  }
  $write(_value: V, _memory: Memory, _at: number): number {
    return this.$compile();
  }
  $read(_memory: Memory, _at: number): V {
    return this.$compile() as V;
  }
  $array(): basic.BulkArray {
    return new Uint8Array(0);
  }
  defaultValue(): V {
    return undefined as V;
  }
}

function integerOfJson(text: unknown): bigint {
  if (typeof text === 'number' && Number.isSafeInteger(text)) return BigInt(text);
  if (typeof text === 'string' && /^\d+$/.test(text)) return BigInt(text);
  if (typeof text === 'bigint') return text;
  throw bad('an integer', text);
}

const MAX_LONG = 2n ** 64n - 1n;

export interface UintNumberOptions extends TypeOptions {
  /** 2^64 - 1 is Infinity. */
  clipInfinity?: boolean | undefined;
  /** Without effect. */
  setBitwiseOR?: boolean | undefined;
}

const UINT_NUMBER_KINDS: OptionKinds<UintNumberOptions> = {
  ...TYPE_KINDS, clipInfinity: 'boolean', setBitwiseOR: 'boolean',
};

export interface UintNumberType extends Compat<number, number> {}
/** An integer as a number: of 1, 2, 4 or 8 bytes. Above 2^53 - 1 it is an error. */
export class UintNumberType extends basic.BasicType<number> {
  override readonly fixedSize: 1 | 2 | 4 | 8;
  readonly typeName: string;
  readonly #inner: basic.BasicType<number, number>;
  readonly clipInfinity: boolean;

  constructor(readonly byteLength: 1 | 2 | 4 | 8, options?: UintNumberOptions) {
    super(host);
    const { clipInfinity = false, typeName } = checkedOptions(options, UINT_NUMBER_KINDS);
    this.fixedSize = byteLength;
    this.clipInfinity = clipInfinity;
    this.typeName = typeName ?? `uint${8 * byteLength}`;
    this.#inner = (
      byteLength === 8
        ? new basic.Uint64Type<number>(host, this.clipInfinity ? 'infinity' : 'number')
        : new basic.UintNumberType(host, byteLength)
    ) as basic.BasicType<number, number>;
  }

  override get $isLongNumber(): boolean {
    return this.byteLength === 8;
  }
  $compile(engine: Engine): number {
    return this.#inner.$compile(engine);
  }
  $write(value: number, memory: Memory, at: number): number {
    return this.#inner.$write(value, memory, at);
  }
  $read(memory: Memory, at: number): number {
    return this.#inner.$read(memory, at, at + this.fixedSize);
  }
  override $peek(engine: Engine, address: number): number {
    return this.#inner.$peek(engine, address);
  }
  $array(length: number): basic.BulkArray {
    return this.#inner.$array(length);
  }
  override get $bulkClass(): string | undefined {
    return this.#inner.$bulkClass;
  }
  defaultValue(): number {
    return 0;
  }
  toJson(value: number): unknown {
    return value === Infinity ? String(MAX_LONG) : String(value);
  }
  fromJson(text: unknown): number {
    const value = integerOfJson(text);
    const number = this.clipInfinity && value === MAX_LONG ? Infinity : Number(value);
    if (number !== Infinity && BigInt(number) !== value) throw bad('a safe integer', text);
    return number;
  }
}

export interface UintBigintType extends Compat<bigint, bigint> {}
/** An integer as a bigint: of 1, 2, 4, 8, 16 or 32 bytes. */
export class UintBigintType extends basic.BasicType<bigint> {
  override readonly fixedSize: 1 | 2 | 4 | 8 | 16 | 32;
  readonly typeName: string;
  readonly #inner: basic.BasicType<bigint | number>;

  constructor(readonly byteLength: 1 | 2 | 4 | 8 | 16 | 32, options?: TypeOptions) {
    super(host);
    this.fixedSize = byteLength;
    this.typeName = nameOf(options, `uintBigint${8 * byteLength}`);
    const inner: AnyType =
      byteLength === 8
        ? new basic.Uint64Type<bigint>(host, 'bigint')
        : byteLength < 8
          ? new basic.UintNumberType(host, byteLength as 1 | 2 | 4)
          : new basic.UintBigType(host, byteLength as 16 | 32);
    this.#inner = inner as basic.BasicType<bigint | number>;
  }

  $compile(engine: Engine): number {
    return this.#inner.$compile(engine);
  }
  $write(value: bigint, memory: Memory, at: number): number {
    const narrow = this.byteLength < 8 && typeof value === 'bigint';
    return this.#inner.$write(narrow ? Number(value) : value, memory, at);
  }
  $read(memory: Memory, at: number): bigint {
    return BigInt(this.#inner.$read(memory, at, at + this.fixedSize));
  }
  $array(length: number): basic.BulkArray {
    return this.#inner.$array(length);
  }
  override get $bulkClass(): string | undefined {
    return this.#inner.$bulkClass;
  }
  defaultValue(): bigint {
    return 0n;
  }
  toJson(value: bigint): unknown {
    return String(value);
  }
  fromJson(text: unknown): bigint {
    return integerOfJson(text);
  }
}

export interface BooleanType extends Compat<boolean, boolean> {}
export class BooleanType extends basic.BooleanType {
  override readonly typeName: string;
  constructor(options?: TypeOptions) {
    super(host);
    this.typeName = nameOf(options, 'boolean');
  }
  toJson(value: boolean): unknown {
    return value;
  }
  fromJson(value: unknown): boolean {
    if (typeof value !== 'boolean') throw bad('a boolean', value);
    return value;
  }
}

// ---- Bytes ----

const theByte = /* @__PURE__ */ new basic.ByteType(host);

interface BytesBase extends Compat<Bytes, Bytes> {}
class BytesBase extends PlainBytes {
  override readonly typeName: string;
  constructor(kind: number, limit: number, name: string, options: TypeOptions | undefined) {
    super(host, kind, BigInt(limit), theByte);
    this.typeName = nameOf(options, name);
  }
  toJson(value: Uint8Array): unknown {
    return toHex(value);
  }
  fromJson(text: unknown): Bytes {
    const bytes = fromHex(text);
    checkLength(this.$kind, this.$limit, bytes.length);
    return bytes;
  }
}
export class ByteVectorType extends BytesBase {
  constructor(readonly lengthBytes: number, options?: TypeOptions) {
    super(KIND.VECTOR, lengthBytes, `ByteVector[${lengthBytes}]`, options);
  }
}
export class ByteListType extends BytesBase {
  constructor(readonly limitBytes: number, options?: TypeOptions) {
    super(KIND.LIST, limitBytes, `ByteList[${limitBytes}]`, options);
  }
}
export class ProgressiveByteListType extends BytesBase {
  constructor(options?: ProgressiveOptions) {
    super(KIND.PROGRESSIVE_LIST, 0, 'ProgressiveByteList', withoutLimit(options));
  }
}

// ---- Bits ----

/** Bits as @chainsafe/ssz has them. */
export class BitArray {
  constructor(
    readonly uint8Array: Uint8Array,
    readonly bitLen: number,
  ) {
    if (uint8Array.length !== Math.ceil(bitLen / 8)) {
      throw new SpiculeError('WRONG_LENGTH', { limit: Math.ceil(bitLen / 8) });
    }
  }
  static fromBitLen(bitLen: number): BitArray {
    return new BitArray(new Uint8Array(Math.ceil(bitLen / 8)), bitLen);
  }
  static fromSingleBit(bitLen: number, index: number): BitArray {
    const bits = BitArray.fromBitLen(bitLen);
    bits.set(index, true);
    return bits;
  }
  static fromBoolArray(all: readonly boolean[]): BitArray {
    const { bytes, length } = PlainBits.from(all);
    return new BitArray(bytes, length);
  }
  get #bits(): PlainBits {
    return new PlainBits(this.uint8Array, this.bitLen);
  }
  clone(): BitArray {
    return new BitArray(this.uint8Array.slice(), this.bitLen);
  }
  get(index: number): boolean {
    return index < this.bitLen && this.#bits.get(index);
  }
  set(index: number, bit: boolean): void {
    this.#bits.set(index, bit);
  }
  mergeOrWith(other: BitArray): void {
    if (other.bitLen !== this.bitLen) throw new SpiculeError('WRONG_LENGTH', { limit: this.bitLen });
    other.uint8Array.forEach((byte, i) => (this.uint8Array[i]! |= byte));
  }
  intersectValues<T>(values: ArrayLike<T>): T[] {
    if (values.length !== this.bitLen) throw new SpiculeError('WRONG_LENGTH', { limit: this.bitLen });
    return this.getTrueBitIndexes().map((i) => values[i]!);
  }
  getTrueBitIndexes(): number[] {
    return this.toBoolArray().flatMap((bit, i) => (bit ? [i] : []));
  }
  getSingleTrueBit(): number | null {
    const all = this.getTrueBitIndexes();
    return all.length === 1 ? all[0]! : null;
  }
  toBoolArray(): boolean[] {
    return this.#bits.toBooleans();
  }
}

function plainBits(value: BitArray | BitArrayTreeViewDU | BitsInput): BitsInput {
  if (typeof value !== 'object' || value === null || !('uint8Array' in value)) return value;
  return new PlainBits(value.uint8Array, value.bitLen);
}

/** A view of bits, with what BitArray has. */
export class BitArrayTreeViewDU extends BitsView {
  get #array(): BitArray {
    const { bytes, length } = super.getAll();
    return new BitArray(bytes, length);
  }
  get uint8Array(): Uint8Array {
    return this.#array.uint8Array;
  }
  get bitLen(): number {
    return this.length;
  }
  get bitArray(): BitArray {
    return this.#array;
  }
  toBoolArray(): boolean[] {
    return this.#array.toBoolArray();
  }
  getTrueBitIndexes(): number[] {
    return this.#array.getTrueBitIndexes();
  }
  getSingleTrueBit(): number | null {
    return this.#array.getSingleTrueBit();
  }
  intersectValues<T>(values: ArrayLike<T>): T[] {
    return this.#array.intersectValues(values);
  }
  mergeOrWith(other: BitArray): void {
    const merged = this.#array;
    merged.mergeOrWith(other);
    this.setAll(plainBits(merged));
  }
}

interface BitsBase extends Compat<BitArray, BitArrayTreeViewDU> {}
class BitsBase extends Type<BitArray, BitArray | BitArrayTreeViewDU, BitArrayTreeViewDU> {
  readonly typeName: string;
  override readonly fixedSize: number;
  readonly $plain = false;
  readonly #inner: BitsType;
  constructor(kind: number, limit: number, options?: TypeOptions) {
    super(host);
    this.#inner = new BitsType(host, kind, BigInt(limit));
    this.fixedSize = this.#inner.fixedSize;
    this.typeName = nameOf(options, this.#inner.typeName);
  }
  get $isList(): boolean {
    return this.#inner.$isList;
  }
  get $limit(): bigint {
    return this.#inner.$limit;
  }
  $compile(engine: Engine): number {
    return this.#inner.$compile(engine);
  }
  $write(value: BitArray | BitArrayTreeViewDU, writer: Writer, at: number): number {
    return this.#inner.$write(plainBits(value), writer, at);
  }
  $read(memory: Memory, at: number, end: number): BitArray {
    const { bytes, length } = this.#inner.$read(memory, at, end);
    return new BitArray(bytes, length);
  }
  defaultValue(): BitArray {
    return BitArray.fromBitLen(this.$isList ? 0 : Number(this.$limit));
  }
  $viewOf(engine: Engine): BitArrayTreeViewDU {
    return new BitArrayTreeViewDU(engine, this as unknown as BitsType);
  }
  toJson(value: BitArray): unknown {
    return toHex(this.serialize(value));
  }
  fromJson(text: unknown): BitArray {
    return this.deserialize(fromHex(text));
  }
}
export class BitVectorType extends BitsBase {
  constructor(readonly lengthBits: number, options?: TypeOptions) {
    super(KIND.BITVECTOR, lengthBits, options);
  }
}
export class BitListType extends BitsBase {
  constructor(readonly limitBits: number, options?: TypeOptions) {
    super(KIND.BITLIST, limitBits, options);
  }
}
export class ProgressiveBitListType extends BitsBase {
  constructor(options?: ProgressiveOptions) {
    super(KIND.PROGRESSIVE_BITLIST, 0, withoutLimit(options));
  }
}

// ---- Sequences ----

const VIEW = {
  get type() {
    return (this as unknown as View).$type;
  },
  /** Nothing: there is no other cache than that of the value. */
  clearCache(): void {},
  toJSON(this: View): unknown {
    return json(this.$type).toJson(this.$value());
  },
  createProof(this: View, paths: JsonPath[]): Proof {
    return this.$proof(paths, 'treeOffset');
  },
  batchHashTreeRoot(this: View): Uint8Array {
    return this.$root();
  },
  serializeToBytes(this: View, { uint8Array }: { uint8Array: Uint8Array }, offset: number): number {
    return put(this.$serialize(), uint8Array, offset);
  },
};

/** The methods that views have beside those of this package. */
export interface CompatView {
  /** The type of the view. */
  readonly type: AnyType;
  clearCache(): void;
  createProof(paths: JsonPath[]): Proof;
  batchHashTreeRoot(): Uint8Array;
  serializeToBytes(output: { uint8Array: Uint8Array }, offset: number): number;
}

export interface ListBasicTreeViewDU<T extends AnyType> extends CompatView {}
/** A view of basic elements. */
export class ListBasicTreeViewDU<T extends AnyType> extends BasicListView<ValueOf<T>, InputOf<T>, ValueOf<T>[], ValueOf<T>[]> {
  override getAll(): ValueOf<T>[] {
    return this.$value();
  }
  /** The first elements, to `index` inclusive, as another view. */
  sliceTo(index: number): this {
    const copy = this.$clone() as this;
    copy.truncate(Math.min(copy.$length(), index + 1));
    return copy;
  }
}

export interface ListCompositeTreeViewDU<T extends AnyType> extends CompatView {}
/** A view of composite elements. */
export class ListCompositeTreeViewDU<T extends AnyType> extends CompositeListView<PartOf<T>, InputOf<T>, ValueOf<T>> {
  getReadonly(index: number): PartOf<T> {
    return this.get(index);
  }
  getAllReadonly(): PartOf<T>[] {
    return this.getAll();
  }
  getAllReadonlyValues(): ValueOf<T>[] {
    return this.getAllValues();
  }
  getReadonlyByRange(first: number, count: number): PartOf<T>[] {
    const length = Math.max(0, Math.min(count, this.$length() - first));
    return Array.from({ length }, (_, i) => this.get(first + i));
  }
  forEach(run: (view: PartOf<T>, index: number) => void): void {
    for (let i = 0; i < this.$length(); i++) run(this.get(i), i);
  }
  forEachValue(run: (value: ValueOf<T>, index: number) => void): void {
    this.getAllValues().forEach(run);
  }
  /** The first elements, to `index` inclusive, as another view. */
  sliceTo(index: number): this {
    const copy = this.$clone() as this;
    copy.truncate(Math.min(copy.$length(), index + 1));
    return copy;
  }
  /** The elements from `index` on, as another view. */
  sliceFrom(index: number): this {
    return (this.$type as AnyType).toView(this.$value().slice(index)) as this;
  }
}

/** A view of a vector of basic elements: as of a list, but the length is fixed. */
export interface ArrayBasicTreeViewDU<T extends AnyType>
  extends Omit<ListBasicTreeViewDU<T>, Growing | 'sliceTo' | 'clone'> {
  clone(): this;
}
/** A view of a vector of composite elements: as of a list, but the length is fixed. */
export interface ArrayCompositeTreeViewDU<T extends AnyType>
  extends Omit<ListCompositeTreeViewDU<T>, Growing | 'sliceTo' | 'sliceFrom' | 'clone'> {
  clone(): this;
}

type ListViewDU<T extends AnyType> = T extends basic.BasicType<unknown, unknown>
  ? ListBasicTreeViewDU<T>
  : ListCompositeTreeViewDU<T>;
type ArrayViewDU<T extends AnyType> = T extends basic.BasicType<unknown, unknown>
  ? ArrayBasicTreeViewDU<T>
  : ArrayCompositeTreeViewDU<T>;

interface SequenceBase<T extends AnyType, ViewDU> extends Compat<ValueOf<T>[], ViewDU> {}
class SequenceBase<T extends AnyType, ViewDU = ListViewDU<T>> extends SequenceType<T, ViewDU> {
  override readonly typeName: string;
  constructor(kind: number, element: T, limit: number, options?: TypeOptions) {
    super(host, kind, BigInt(limit), element);
    const name = kind === KIND.VECTOR ? 'Vector' : kind === KIND.LIST ? 'List' : 'ProgressiveList';
    const bound = kind === KIND.PROGRESSIVE_LIST ? '' : `, ${limit}`;
    this.typeName = nameOf(options, `${name}[${element.typeName}${bound}]`);
  }
  override $viewOf(engine: Engine): SequenceViewOf<T> {
    const element: AnyType = this.$element;
    const view =
      element instanceof basic.BasicType
        ? new ListBasicTreeViewDU<T>(engine, this)
        : new ListCompositeTreeViewDU<T>(engine, this);
    return view as unknown as SequenceViewOf<T>;
  }
  toJson(values: ArrayLike<InputOf<T>>): unknown {
    return Array.from(values, (value) => json(this.$element).toJson(value));
  }
  fromJson(values: unknown): ValueOf<T>[] {
    if (!Array.isArray(values)) throw bad('an array', values);
    const all = values.map((value) => json(this.$element).fromJson(value) as ValueOf<T>);
    checkLength(this.$kind, this.$limit, all.length);
    return all;
  }
}

export class VectorBasicType<T extends AnyType> extends SequenceBase<T, ArrayViewDU<T>> {
  constructor(element: T, readonly length: number, options?: TypeOptions) {
    super(KIND.VECTOR, element, length, options);
  }
}
export class VectorCompositeType<T extends AnyType> extends VectorBasicType<T> {}
export class ListBasicType<T extends AnyType> extends SequenceBase<T> {
  constructor(element: T, readonly limit: number, options?: TypeOptions) {
    super(KIND.LIST, element, limit, options);
  }
}
export class ListCompositeType<T extends AnyType> extends ListBasicType<T> {}
/** A list of numbers of 64 bits. */
export class ListUintNum64Type extends ListBasicType<UintNumberType> {
  constructor(limit: number, options?: TypeOptions) {
    super(new UintNumberType(8), limit, options);
  }
}
export class ProgressiveListBasicType<T extends AnyType> extends SequenceBase<T> {
  constructor(element: T, options?: ProgressiveOptions) {
    super(KIND.PROGRESSIVE_LIST, element, 0, withoutLimit(options));
  }
}
export class ProgressiveListCompositeType<T extends AnyType> extends ProgressiveListBasicType<T> {}

// ---- Containers ----

export interface ContainerOptions<F extends Fields> extends TypeOptions {
  jsonCase?: keyof typeof CASES | undefined;
  casingMap?: { [K in keyof F]?: string } | undefined;
  /** Without effect. */
  cachePermanentRootStruct?: boolean | undefined;
}

const CONTAINER_KINDS: OptionKinds<ContainerOptions<Fields>> = {
  ...TYPE_KINDS, jsonCase: 'string', casingMap: 'any', cachePermanentRootStruct: 'boolean',
};

/** The name of a field in JSON. */
function jsonName(name: string, { casingMap, jsonCase }: ContainerOptions<Fields>): string {
  return casingMap?.[name] ?? (jsonCase === undefined ? name : CASES[jsonCase](name));
}

export interface ContainerTreeViewDU<F extends Fields> extends CompatView {}
/** A view of a container. */
export class ContainerTreeViewDU<F extends Fields> extends ContainerView<F> {}

type ContainerViewDUOf<F extends Fields> = Omit<ContainerTreeViewDU<F>, keyof F | 'clone'> &
  Omit<{ clone(): ContainerViewDUOf<F> }, keyof F> & {
    -readonly [K in keyof F]: PartOf<F[K]>;
  };

class ContainerBase<F extends Fields> extends PlainContainer<F> {
  readonly #keys: ReadonlyMap<string, string>;
  constructor(fields: F, options?: ContainerOptions<F>, active?: readonly boolean[]) {
    const checked = checkedOptions<ContainerOptions<Fields>>(options, CONTAINER_KINDS);
    const { jsonCase, casingMap } = checked;
    if (jsonCase !== undefined && !Object.hasOwn(CASES, jsonCase)) {
      throw new SpiculeError('INVALID_ARGUMENT', { path: 'jsonCase' }, `jsonCase ${jsonCase}`);
    }
    if (casingMap !== undefined && (typeof casingMap !== 'object' || casingMap === null)) {
      throw wrongType('casingMap', 'an object', casingMap);
    }
    super(host, fields, { name: checked.typeName }, active);
    this.#keys = new Map(Object.keys(fields).map((name) => [name, jsonName(name, checked)]));
  }
  override get $exact(): boolean {
    return false;
  }
  override get $viewBase(): ViewClass {
    return ContainerTreeViewDU;
  }
  toJson(value: InputOfFields<F>): unknown {
    return Object.fromEntries(
      this.$fields.map(({ name, type }) => [this.#keys.get(name), json(type).toJson(value[name])]),
    );
  }
  fromJson(object: unknown): ValueOfFields<F> {
    if (typeof object !== 'object' || object === null) throw bad('an object', object);
    return Object.fromEntries(
      this.$fields.map(({ name, type }) => {
        const value = (object as Record<string, unknown>)[this.#keys.get(name)!];
        if (value === undefined) throw new SpiculeError('MISSING_FIELD', { path: name });
        return [name, json(type).fromJson(value)];
      }),
    ) as ValueOfFields<F>;
  }
  /** The fields: name, type, name in JSON, position in the tree. */
  get fieldsEntries(): { fieldName: keyof F & string; fieldType: AnyType; jsonKey: string; gindex: bigint }[] {
    return this.$fields.map(({ name, type }) => (
      { fieldName: name, fieldType: type, jsonKey: this.#keys.get(name)!, gindex: this.gindex([name]) }
    ));
  }
  /** Where each field's bytes are: only for valid bytes. */
  getFieldRanges(data: DataView, start: number, end: number): { start: number; end: number }[] {
    return this.$fields.map(({ type, offset, next }) => {
      if (type.fixedSize !== 0) return { start: offset, end: offset + type.fixedSize };
      const to = next === undefined ? end - start : data.getUint32(start + next, true);
      return { start: data.getUint32(start + offset, true), end: to };
    });
  }
}

export interface ContainerType<F extends Fields> extends Compat<ValueOfFields<F>, ContainerViewDUOf<F>> {}
export class ContainerType<F extends Fields> extends ContainerBase<F> {
  constructor(fields: F, options?: ContainerOptions<F>) {
    super(fields, options);
  }
  static named<F extends Fields>(fields: F, options: ContainerOptions<F> & { typeName: string }): ContainerType<F> {
    return new ContainerType(fields, options);
  }
}
/** The same here: how values are stored follows from the type. */
export class ContainerNodeStructType<F extends Fields> extends ContainerType<F> {}
export interface ProgressiveContainerType<F extends Fields> extends Compat<ValueOfFields<F>, ContainerViewDUOf<F>> {}
export class ProgressiveContainerType<F extends Fields> extends ContainerBase<F> {
  constructor(fields: F, activeFields: BitArray | readonly boolean[], options?: ContainerOptions<F>) {
    super(fields, options, activeFields instanceof BitArray ? activeFields.toBoolArray() : activeFields);
  }
}

// ---- Unions ----

/** None, as the first option of a union. */
export class NoneType {}

function optionsOf(types: readonly (AnyType | NoneType)[]): Options {
  return optionsArgument(types.map((type) => (type instanceof NoneType ? null : (type as AnyType))));
}

function unionOfJson(object: unknown): { selector: number; data: unknown } {
  if (typeof object !== 'object' || object === null) throw bad('an object', object);
  const { selector, data } = object as { selector?: unknown; data?: unknown };
  return { selector: Number(selector), data };
}

/** A value of the legacy union. */
export interface LegacyUnion {
  selector: number;
  value: unknown;
}

export interface UnionType extends Compat<LegacyUnion, LegacyUnion> {}
/** The legacy union, with values {selector, value}. */
export class UnionType extends Type<LegacyUnion> {
  override readonly fixedSize = 0;
  readonly $plain = true;
  readonly typeName: string;
  readonly $inner: PlainUnion<Options>;
  constructor(types: readonly (AnyType | NoneType)[], options?: TypeOptions) {
    super(host);
    this.$inner = new PlainUnion(host, false, optionsOf(types));
    this.typeName = nameOf(options, this.$inner.typeName);
  }
  $compile(engine: Engine): number {
    return this.$inner.$compile(engine);
  }
  $write(value: LegacyUnion, writer: Writer, at: number): number {
    if (typeof value !== 'object' || value === null) throw wrongValue('an object', value);
    return this.$inner.$write({ selector: value.selector, data: value.value }, writer, at);
  }
  $read(memory: Memory, at: number, end: number): LegacyUnion {
    const { selector, data } = this.$inner.$read(memory, at, end) as { selector: number; data: unknown };
    return { selector, value: data };
  }
  defaultValue(): LegacyUnion {
    const { selector, data } = this.$inner.defaultValue() as { selector: number; data: unknown };
    return { selector, value: data };
  }
  $viewOf(engine: Engine): View {
    return this.$inner.$viewOf(engine);
  }
  toJson(value: LegacyUnion): unknown {
    const type = this.$inner.$option(value.selector);
    return { selector: String(value.selector), data: type === null ? null : json(type).toJson(value.value) };
  }
  fromJson(object: unknown): LegacyUnion {
    const { selector, data } = unionOfJson(object);
    const type = this.$inner.$option(selector);
    return { selector, value: type === null ? null : json(type).fromJson(data) };
  }
}

export interface CompatibleUnionType<O extends Record<number, AnyType>> extends Compat<ValueOfOptions<O>, UnionView<O>> {}
/** A compatible union, with values {selector, data}. */
export class CompatibleUnionType<O extends Record<number, AnyType>> extends PlainUnion<O> {
  override readonly typeName: string;
  constructor(types: O, options?: TypeOptions) {
    super(host, true, types);
    this.typeName = nameOf(options, super.toString());
  }
  toJson(value: InputOfOptions<O>): unknown {
    const { selector, data } = value as { selector: number; data: unknown };
    return { selector: String(selector), data: json(this.$option(selector)!).toJson(data) };
  }
  fromJson(object: unknown): ValueOfOptions<O> {
    const { selector, data } = unionOfJson(object);
    return { selector, data: json(this.$option(selector)!).fromJson(data) } as ValueOfOptions<O>;
  }
}

export type CompositeTypeAny = AnyType;

/** Whether the type is a basic one. */
export function isBasicType(type: AnyType): boolean {
  return type instanceof basic.BasicType;
}
/** Whether the type is a composite one. */
export function isCompositeType(type: AnyType): boolean {
  return !isBasicType(type);
}

export type { InputOfFields };

const COMPOSITE = [BytesBase, BitsBase, SequenceBase, ContainerBase, UnionType, CompatibleUnionType];
install(COMPAT, UintNumberType, UintBigintType, BooleanType, ...COMPOSITE);
install({ isBasic: true }, UintNumberType, UintBigintType, BooleanType);
install({ isBasic: false }, ...COMPOSITE);
install(VIEW, ListBasicTreeViewDU, ListCompositeTreeViewDU, ContainerTreeViewDU, BitArrayTreeViewDU);
