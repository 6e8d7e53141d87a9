import { typedArrayClass, typedArrayLength, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { INSPECT, type Inspect, type InspectOptions, Shown, inspected } from '../core/inspect.js';
import type { Arena } from './arena.js';
import { protoJson } from './loaded-json.js';
import type { Json, Message } from './message.js';
import {
  append, appendReference, assign, makeEntry, makeRoom, storeMessage, unset,
} from './record.js';
import { readUint32 } from './scalar.js';
import type { FieldInfo } from './type.js';

/** Typed arrays that elements can be copied out to and taken from in bulk. */
export type BulkArray =
  | Uint32Array | Int32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array;

const SHOWN = 100;

/** The elements that are printed, in an array of the whole length: Node says how many are left out. */
function firstOf<T>(elements: Iterable<T>, length: number, options: InspectOptions): T[] {
  const most = options.maxArrayLength === null ? Infinity : (options.maxArrayLength ?? SHOWN);
  const first: T[] = [];
  for (const element of elements) {
    if (first.length >= most) break;
    first.push(element);
  }
  first.length = length;
  return first;
}

/**
 * A repeated field in place: what it gives is read when asked for, what it is given is in the
 * message at once. `I` is what an element may be set to.
 */
export class ListView<T, I = T> implements Iterable<T> {
  /** @internal */
  readonly $a: Arena;
  /** @internal The record. */
  readonly $r: number;
  /** @internal */
  readonly $f: FieldInfo;

  /** @internal */
  constructor(arena: Arena, ref: number, field: FieldInfo) {
    this.$a = arena;
    this.$r = ref;
    this.$f = field;
  }

  /** How many elements there are. */
  get length(): number {
    return readUint32(this.$a, this.$r + this.$f.at + 4);
  }

  /** @internal The element at a place that exists. */
  $read(place: number): T {
    const { scalar } = this.$f;
    if (scalar !== undefined) return scalar.read(this.$a, place) as T;
    return this.$f.message.make(this.$a, readUint32(this.$a, place)) as T;
  }

  #place(index: number): number {
    return readUint32(this.$a, this.$r + this.$f.at) + index * this.$f.size;
  }

  #index(index: number): number {
    const { length } = this;
    const from = index < 0 ? index + length : index;
    if (Number.isInteger(from) && from >= 0 && from < length) return from;
    throw new SpiculeError('INVALID_ARGUMENT', { index, limit: length });
  }

  /** The element at an index, from the end where that is negative; undefined past the ends. */
  at(index: number): T | undefined {
    const { length } = this;
    const from = index < 0 ? index + length : index;
    if (!(from >= 0 && from < length)) return undefined;
    return this.$read(this.#place(Math.trunc(from)));
  }

  /** Replaces an element that exists. */
  set(index: number, value: I): void {
    const at = this.#index(index);
    const { $a: arena, $f: field } = this;
    arena.ready();
    const name = `${field.name}[${at}]`;
    if (field.scalar !== undefined) {
      field.scalar.write(arena, this.#place(at), value, name);
    } else {
      const ref = storeMessage(arena, field.message, value, name);
      // Getters of the value may have made the list shorter.
      arena.words[this.#place(this.#index(at)) >> 2] = ref;
    }
  }

  /** Appends elements; gives the new length. */
  push(...values: I[]): number {
    for (const value of values) append(this.$a.ready(), this.$r, this.$f, value, this.$f.name);
    return this.length;
  }

  /** Appends an empty message, and gives it. */
  add(this: ListView<T & Message, I>): T {
    const { $a: arena, $f: field } = this;
    if (field.scalar !== undefined) throw new SpiculeError('WRONG_TYPE', { path: field.name });
    const ref = arena.ready().record(field.message.size);
    appendReference(arena, this.$r, field, ref);
    return field.message.make(arena, ref) as T & Message;
  }

  /** Leaves the first `length` elements. */
  truncate(length: number): void {
    if (length < 0 || length > this.length || !Number.isInteger(length)) {
      throw new SpiculeError('INVALID_ARGUMENT', { index: length, limit: this.length });
    }
    if (length === 0) unset(this.$a, this.$r, this.$f);
    else this.$a.ready().words[((this.$r + this.$f.at) >> 2) + 1] = length;
  }

  /** Replaces all elements. */
  assign(values: Iterable<I>): void {
    assign(this.$a, this.$r, this.$f, values, this.$f.name);
  }

  #array(): BulkArray {
    const kind = this.$f.scalar?.array;
    if (kind === undefined) throw new SpiculeError('WRONG_TYPE', { path: this.$f.name });
    return this.$a.ready()[kind];
  }

  /**
   * A copy of the elements as a typed array of their type: 64-bit integers as BigInt64Array or
   * BigUint64Array. `WRONG_TYPE` for elements that are not numbers or enums.
   */
  toTypedArray(): BulkArray {
    const array = this.#array();
    const from = this.#place(0) / this.$f.size;
    return array.slice(from, from + this.length);
  }

  /** Appends all elements of a typed array of the type that `toTypedArray` gives. */
  pushTypedArray(values: BulkArray): void {
    const { $a: arena, $f: field } = this;
    const kind = Object.getPrototypeOf(this.#array()).constructor.name;
    if (typedArrayClass(values) !== kind) throw wrongType('values', `a ${kind}`, values);
    const more = typedArrayLength(values);
    if (more === 0) return;
    makeRoom(arena, this.$r, field, more);
    const slot = (this.$r + field.at) >> 2;
    const count = arena.words[slot + 1]!;
    const array = this.#array() as { set(values: BulkArray, at: number): void };
    array.set(values, arena.words[slot]! / field.size + count);
    arena.words[slot + 1] = count + more;
    arena.words[(this.$r + field.bitAt) >> 2]! |= field.mask;
  }

  [Symbol.iterator](): IterableIterator<T> {
    return new ListIterator(this);
  }

  /** All elements as an array. */
  toArray(): T[] {
    const all: T[] = [];
    for (let i = 0; i < this.length; i++) all.push(this.$read(this.#place(i)));
    return all;
  }

  /** What the list is in ProtoJSON. The whole message is written for it. */
  toJSON(): Json {
    const { $f: field } = this;
    // As JSON it is one text.
    if (field.owner.name === 'google.protobuf.FieldMask') return this.toArray() as string[];
    return protoJson().part(this.$a, this.$r, field) ?? [];
  }

  /** @internal */
  [INSPECT](depth: number | null, options: InspectOptions, inspect: Inspect): string {
    if (this.$a.region === undefined) return 'ListView [disposed]';
    const { length } = this;
    return inspected(`ListView(${length})`, () => firstOf(this, length, options), depth, options, inspect);
  }
}

class ListIterator<T> implements IterableIterator<T> {
  readonly #list: ListView<T, never>;
  #index = 0;

  constructor(list: ListView<T, never>) {
    this.#list = list;
  }

  next(): IteratorResult<T, undefined> {
    const list = this.#list;
    if (this.#index >= list.length) return { done: true, value: undefined };
    const array = readUint32(list.$a, list.$r + list.$f.at);
    return { done: false, value: list.$read(array + list.$f.size * this.#index++) };
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** Where entries are by key, for maps that are not small. */
interface MapIndex {
  readonly array: number;
  readonly count: number;
  readonly places: Map<unknown, number>;
}

const SCANNED = 8;

/** A map field in place, like a Map. Messages in it are views, which change the message. */
export class MapView<K, V, I = V> extends Shown implements Iterable<[K, V]> {
  readonly #arena: Arena;
  readonly #ref: number;
  readonly #field: FieldInfo;
  readonly #key: FieldInfo;
  readonly #value: FieldInfo;

  /** @internal */
  constructor(arena: Arena, ref: number, field: FieldInfo) {
    super();
    this.#arena = arena;
    this.#ref = ref;
    this.#field = field;
    [this.#key, this.#value] = field.message.fields as unknown as [FieldInfo, FieldInfo];
  }

  get #slot(): number {
    return this.#ref + this.#field.at;
  }

  /** How many entries there are. */
  get size(): number {
    return readUint32(this.#arena, this.#slot + 4);
  }

  #entry(place: number): number {
    return readUint32(this.#arena, readUint32(this.#arena, this.#slot) + 4 * place);
  }

  #keyAt(place: number): K {
    return this.#key.scalar!.read(this.#arena, this.#entry(place) + this.#key.at) as K;
  }

  #valueAt(place: number): V {
    const at = this.#entry(place) + this.#value.at;
    const { scalar } = this.#value;
    if (scalar !== undefined) return scalar.read(this.#arena, at) as V;
    return this.#value.message.make(this.#arena, readUint32(this.#arena, at)) as V;
  }

  /** The key as it is read: 64-bit integers are given as numbers too. */
  #normal(key: K): unknown {
    const { zero } = this.#key.scalar!;
    if (typeof zero === 'bigint' && typeof key === 'number') {
      return Number.isSafeInteger(key) ? BigInt(key) : undefined;
    }
    if (typeof zero === 'number' && typeof key === 'bigint') return Number(key);
    return key;
  }

  #find(key: K): number {
    const count = this.size;
    const wanted = this.#normal(key);
    if (count <= SCANNED) {
      for (let i = 0; i < count; i++) if (this.#keyAt(i) === wanted) return i;
      return -1;
    }
    const array = readUint32(this.#arena, this.#slot);
    let index = this.#arena.index(this.#slot) as MapIndex | undefined;
    if (index?.array !== array || index.count !== count) {
      const places = new Map<unknown, number>();
      for (let i = 0; i < count; i++) places.set(this.#keyAt(i), i);
      index = { array, count, places };
      this.#arena.remember(this.#slot, index);
    }
    return index.places.get(wanted) ?? -1;
  }

  get(key: K): V | undefined {
    const place = this.#find(key);
    return place < 0 ? undefined : this.#valueAt(place);
  }

  has(key: K): boolean {
    return this.#find(key) >= 0;
  }

  set(key: K, value: I): this {
    const arena = this.#arena.ready();
    const name = `${this.#field.name}[${String(key)}]`;
    const entry = makeEntry(arena, this.#field, key, value, name);
    const place = this.#find(key);
    if (place >= 0) {
      arena.words[(readUint32(arena, this.#slot) >> 2) + place] = entry;
      return this;
    }
    const known = arena.index(this.#slot) as MapIndex | undefined;
    const count = this.size;
    const current = known?.count === count && known.array === readUint32(arena, this.#slot);
    appendReference(arena, this.#ref, this.#field, entry);
    if (current) {
      known!.places.set(this.#keyAt(count), count);
      const array = readUint32(arena, this.#slot);
      arena.remember(this.#slot, { array, count: count + 1, places: known!.places });
    }
    return this;
  }

  delete(key: K): boolean {
    const place = this.#find(key);
    if (place < 0) return false;
    const arena = this.#arena.ready();
    const count = this.size;
    if (count === 1) {
      unset(arena, this.#ref, this.#field);
    } else {
      const first = readUint32(arena, this.#slot) >> 2;
      arena.words.copyWithin(first + place, first + place + 1, first + count);
      arena.words[(this.#slot >> 2) + 1] = count - 1;
    }
    arena.remember(this.#slot, undefined);
    return true;
  }

  clear(): void {
    unset(this.#arena, this.#ref, this.#field);
    this.#arena.remember(this.#slot, undefined);
  }

  *keys(): IterableIterator<K> {
    for (let i = 0; i < this.size; i++) yield this.#keyAt(i);
  }

  *values(): IterableIterator<V> {
    for (let i = 0; i < this.size; i++) yield this.#valueAt(i);
  }

  *entries(): IterableIterator<[K, V]> {
    for (let i = 0; i < this.size; i++) yield [this.#keyAt(i), this.#valueAt(i)];
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.entries();
  }

  forEach(visit: (value: V, key: K) => void): void {
    for (const [key, value] of this) visit(value, key);
  }

  /** What the map is in ProtoJSON. The whole message is written for it. */
  toJSON(): Json {
    return protoJson().part(this.#arena, this.#ref, this.#field) ?? {};
  }

  /** @internal */
  $show(depth: number | null, options: InspectOptions, inspect: Inspect): string {
    if (this.#arena.region === undefined) return 'MapView [disposed]';
    const { size } = this;
    return inspected(`MapView(${size})`, () => firstOf(this, size, options), depth, options, inspect);
  }
}
