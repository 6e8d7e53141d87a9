import { wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { BasicType, BulkArray } from './basic.js';
import { elementCount, writeElements } from './elements.js';
import { type Engine, ITSELF } from './engine.js';
import type { SequenceLike } from './sequence.js';
import { type AnyType, indexArgument, located } from './type.js';
import { type Growing, PiecesView, firstOf } from './pieces-view.js';
import { View } from './view.js';
import { written } from './writer.js';

/** How many bytes are copied out at once: what stays in the nearest caches. */
const RUN_BYTES = 2 ** 15;

/** What views of vectors and lists share: a length, and a cursor on flat elements. */
export abstract class SequenceView<Value> extends PiecesView<Value> {
  declare readonly $type: AnyType & SequenceLike;
  readonly $of: AnyType;

  constructor(engine: Engine, type: AnyType & SequenceLike) {
    super(engine, type);
    this.$of = type.$element;
  }

  /** How many elements. */
  get length(): number {
    return this.$length();
  }

  $length(): number {
    if (this.$flat) return Number(this.$type.$limit);
    return this.$engine.length(this.$handle, ITSELF);
  }

  /** Puts the cursor on a flat element; gives its address. */
  $seek(index: number): number {
    if (!this.$recall(index)) this.$find(index);
    return this.$address + (index - this.$first) * this.$of.fixedSize;
  }

  override $partAddress(key: number): number {
    const at = key - this.$first;
    if (this.$epoch !== this.$engine.epoch || at < 0 || at >= this.$count) return this.$seek(key);
    return this.$address + at * this.$of.fixedSize;
  }

  override $partOffset(key: number): number {
    return key * this.$of.fixedSize;
  }

  $checkRange(first: number, count: number): void {
    const length = this.$length();
    indexArgument(first, 'first');
    if (first <= length && indexArgument(count, 'count') <= length - first) return;
    throw new SpiculeError('OUT_OF_RANGE', { index: first, limit: length });
  }

  /** The bytes of `count` flat elements in the buffer. */
  $copyOut(first: number, count: number): number {
    const { $engine: engine } = this;
    const size = count * this.$of.fixedSize;
    const at = engine.buffer(size);
    if (this.$flat) {
      const from = this.$sync() + first * this.$of.fixedSize;
      engine.bytes.copyWithin(at, from, from + size);
    } else {
      engine.copyOut(this.$handle, first, count, at);
    }
    return at;
  }

  /** Puts `count` flat elements, whose bytes are in the buffer, from `first` on. */
  $copyIn(first: number, count: number, at: number): void {
    if (this.$flat) {
      const size = count * this.$of.fixedSize;
      this.$parent!.$patch(this.$key, first * this.$of.fixedSize, at, size);
    } else {
      this.$engine.copyIn(this.$handle, first, count, at);
      this.$touch();
    }
  }

  /** Cuts a list to `length` elements. */
  truncate(length: number): void {
    this.$checkGrowing();
    this.$checkRange(indexArgument(length, 'length'), 0);
    // What is cut off lives on in the views of it.
    this.$detachParts(length);
    this.$engine.truncate(this.$handle, length);
    this.$touch();
  }

  abstract get(index: number): unknown;

  override $summary(): unknown {
    return firstOf(this.$length(), (i) => this.get(i));
  }

  /** Removes the last element of a list. */
  pop(): void {
    this.$checkGrowing();
    const length = this.$length();
    if (length === 0) throw new SpiculeError('OUT_OF_RANGE', { index: 0, limit: 0 });
    this.truncate(length - 1);
  }
}

/** Puts values of one size into the buffer; gives the address and their number. */
function putElements(engine: Engine, type: AnyType, values: unknown): [at: number, count: number] {
  const count = elementCount(type, values, (expected) => wrongType('values', expected, values));
  const all = values as ArrayLike<unknown>;
  return written(
    (writer) => writeElements(type, all, count, writer, 0, 'values'),
    (bytes) => [engine.put(bytes), count],
  );
}

/** A view of a list of basic values; of a vector: `BasicVectorView`. */
export class BasicListView<Value, Input, All, Bulk = BulkArray> extends SequenceView<All> {
  declare readonly $of: BasicType<Value, Input>;

  /** Element `index`. */
  get(index: number): Value {
    const { $engine: engine, $of: of } = this;
    const at = typeof index === 'number' ? index - this.$first : -1;
    if (this.$epoch !== engine.epoch || at >>> 0 !== at || at >= this.$count) {
      return of.$peek(engine, this.$seek(index));
    }
    return of.$peek(engine, this.$address + at * of.fixedSize);
  }

  /** Sets element `index`. */
  set(index: number, value: Input): void {
    const { $engine: engine, $of: of } = this;
    const at = engine.buffer(of.fixedSize);
    of.$write(value, engine, at);
    if (this.$flat) {
      this.$within(index);
      this.$parent!.$patch(this.$key, index * of.fixedSize, at, of.fixedSize);
      return;
    }
    try {
      engine.write(this.$handle, indexArgument(index, 'index'), at, of.fixedSize);
    } catch (error) {
      throw this.$failed(error, index);
    }
    this.$touch();
  }

  /** Appends values to a list. */
  push(...values: Input[]): void {
    this.append(values);
  }

  /** Appends many values to a list. */
  append(values: ArrayLike<Input> | BulkArray): void {
    this.$checkGrowing();
    const { $engine: engine, $of: of } = this;
    const [at, count] = putElements(engine, of, values);
    engine.append(this.$handle, at, count * of.fixedSize, count);
    this.$touch();
  }

  /**
   * All elements, or `count` from `first` on, in a typed array of their own: one of the width of the
   * elements; bytes for uint128, uint256 and booleans.
   */
  getAll(first = 0, count = this.$length() - first): Bulk {
    this.$checkRange(first, count);
    const out = this.$of.$array(count);
    const bytes = new Uint8Array(out.buffer);
    const { fixedSize: width } = this.$of;
    for (let done = 0; done < count; ) {
      const run = Math.min(count - done, RUN_BYTES / width);
      const at = this.$copyOut(first + done, run);
      bytes.set(this.$engine.bytes.subarray(at, at + run * width), done * width);
      done += run;
    }
    return out as Bulk;
  }

  /**
   * Replaces as many elements as there are values, from `first` on, by a typed array or an array of
   * values. The length stays, and so do the elements behind: see `truncate` and `append` of lists.
   * `OUT_OF_RANGE` past the end.
   */
  setAll(values: ArrayLike<Input> | BulkArray, first = 0): void {
    const [at, count] = putElements(this.$engine, this.$of, values);
    this.$checkRange(first, count);
    this.$copyIn(first, count, at);
  }

  *[Symbol.iterator](): Iterator<Value> {
    const length = this.$length();
    for (let i = 0; i < length; i++) yield this.get(i);
  }
}

/** A view of a vector of basic values: as of a list, but the length is fixed. */
export interface BasicVectorView<Value, Input, All, Bulk = BulkArray>
  extends Omit<BasicListView<Value, Input, All, Bulk>, Growing | 'clone'> {
  clone(): this;
}

/** A view of a list of composite values; of a vector: `CompositeVectorView`. */
export class CompositeListView<Part, Input, Value> extends SequenceView<Value[]> {
  readonly $inline: boolean;

  constructor(engine: Engine, type: AnyType & SequenceLike) {
    super(engine, type);
    this.$inline = type.$isInline(engine);
  }

  /** Element `index`: its view, or its value where that is bytes. */
  get(index: number): Part {
    const part = this.$parts?.get(index);
    if (part !== undefined) return part as Part;
    const { $of: of } = this;
    if (of.$plain) return this.getValue(index) as unknown as Part;
    this.$within(index);
    return this.$part(index, of, this.$inline) as Part;
  }

  /** The plain value of element `index`; no view is made, or kept. */
  getValue(index: number): Value {
    const { $engine: engine, $of: of } = this;
    const part = this.$parts?.get(index);
    if (part !== undefined) return part.$value() as Value;
    if (this.$inline) return of.$peek(engine, this.$partAddress(indexArgument(index, 'index')));
    this.$within(index);
    const at = engine.readAny(this.$handle, index);
    return of.$read(engine, at, at + engine.result(0));
  }

  /** Sets element `index` to a value, or to what a view holds, which then is the element's view. */
  set(index: number, value: Input | View): void {
    this.$within(index);
    if (takesView(this, index, this.$of, value)) return;
    try {
      const [at, size] = replacing(this, index, this.$of, value);
      this.#write(index, at, size);
    } catch (error) {
      throw located(error, `[${index}]`);
    }
  }

  #write(index: number, at: number, size: number): void {
    if (this.$flat) {
      this.$parent!.$patch(this.$key, this.$partOffset(index), at, size);
    } else {
      this.$engine.write(this.$handle, index, at, size);
      this.$touch();
    }
  }

  /** The bytes of a value, or of what a view holds, in the buffer. */
  #put(value: unknown, i: number): [at: number, size: number] {
    try {
      return partBytes(this.$engine, this.$of, value);
    } catch (error) {
      throw located(error, `values[${i}]`);
    }
  }

  /** The same of several, all of them complete before the list changes. */
  #bytesOf(values: readonly unknown[]): Uint8Array[] {
    return Array.from({ length: values.length }, (_, i) => {
      const [at, size] = this.#put(values[i], i);
      return this.$engine.bytes.slice(at, at + size);
    });
  }

  /** Appends values, or what views hold, to a list. */
  push(...values: (Input | View)[]): void {
    this.$checkGrowing();
    const { $engine: engine } = this;
    if (values.length === 1) {
      const [at, size] = this.#put(values[0], 0);
      engine.append(this.$handle, at, size, 1);
      this.$touch();
    } else {
      this.#append(this.#bytesOf(values));
    }
    const first = this.$length() - values.length;
    values.forEach((value, i) => {
      if (value instanceof View) this.$adopt(value, first + i, this.$of);
    });
  }

  /** Appends all or, if there is an error, none. */
  #append(all: readonly Uint8Array[]): void {
    const { $engine: engine, $handle: handle } = this;
    const before = this.$length();
    try {
      for (const bytes of all) engine.append(handle, engine.put(bytes), bytes.length, 1);
    } catch (error) {
      if (this.$length() > before) engine.truncate(handle, before);
      throw error;
    }
    this.$touch();
  }

  /** The views of all elements. */
  getAll(): Part[] {
    return Array.from({ length: this.$length() }, (_, i) => this.get(i));
  }

  /** The plain values of `count` elements from `first` on. */
  getAllValues(first = 0, count = this.$length() - first): Value[] {
    this.$checkRange(first, count);
    this.$commit();
    const { $engine: engine, $of: of } = this;
    if (!this.$inline) return Array.from({ length: count }, (_, i) => this.getValue(first + i));
    const at = this.$copyOut(first, count);
    const size = of.fixedSize;
    const values = Array.from({ length: count }, (_, i) => of.$peek(engine, at + i * size) as Value);
    engine.wasm.releaseBuffer();
    return values;
  }

  /** Replaces as many elements as there are values, from `first` on; the length stays. */
  setAll(values: readonly Input[], first = 0): void {
    if (!Array.isArray(values)) throw wrongType('values', 'an array', values);
    const { $engine: engine, $of: of } = this;
    const all = this.#bytesOf(values);
    this.$checkRange(first, all.length);
    this.$commit();
    all.forEach((_, i) => this.$detachPart(first + i));
    if (this.$inline) {
      const at = engine.buffer(all.length * of.fixedSize);
      all.forEach((bytes, i) => engine.bytes.set(bytes, at + i * of.fixedSize));
      this.$copyIn(first, all.length, at);
    } else {
      all.forEach((bytes, i) => this.#write(first + i, engine.put(bytes), bytes.length));
    }
  }

  /**
   * One field of all elements, which are small containers of fixed size, in one array: a field of
   * integers or booleans, else `INVALID_ARGUMENT`.
   */
  column(name: string): BulkArray {
    const { $engine: engine, $of: of } = this;
    const field = this.$inline ? of.$column(name) : undefined;
    if (field === undefined) throw noColumn(of, this.$inline, name);
    this.$commit();
    const length = this.$length();
    const out = field.type.$array(length);
    const width = field.type.fixedSize;
    const size = of.fixedSize;
    const bytes = new Uint8Array(out.buffer);
    for (let i = 0; i < length; ) {
      let address = this.$partAddress(i) + field.offset;
      const end = Math.min(length, this.$first + this.$count);
      if (width === 8 && (address & 7) === 0 && size % 8 === 0) {
        const longs = out as BigUint64Array;
        for (; i < end; i++, address += size) longs[i] = engine.longs[address >>> 3]!;
      } else {
        const source = engine.bytes;
        for (let to = i * width; i < end; i++, address += size) {
          for (let k = 0; k < width; k++) bytes[to++] = source[address + k]!;
        }
      }
    }
    return out;
  }

  *[Symbol.iterator](): Iterator<Part> {
    const length = this.$length();
    for (let i = 0; i < length; i++) yield this.get(i);
  }
}

function noColumn(of: AnyType, inline: boolean, name: string): SpiculeError {
  const part = of.$children().find((each) => each.name === name);
  const why = !inline
    ? `${of} is not a small container of fixed size`
    : part === undefined ? `${of} has no such field` : `${part.type} is neither integers nor booleans`;
  return new SpiculeError('INVALID_ARGUMENT', { path: name }, why);
}

/** A view of a vector of composite values: as of a list, but the length is fixed. */
export interface CompositeVectorView<Part, Input, Value>
  extends Omit<CompositeListView<Part, Input, Value>, Growing | 'clone'> {
  clone(): this;
}

/** The bytes of a value, or of what a view holds, in the buffer. */
export function partBytes(engine: Engine, type: AnyType, value: unknown): [number, number] {
  if (value instanceof View) {
    if (!engine.isSame(value.$type.$id(engine), type.$id(engine))) {
      throw new SpiculeError('INVALID_ARGUMENT', {}, `a view of ${value.$type}, not of ${type}`);
    }
    if (value.$engine === engine) return value.$bytes();
    const bytes = value.$serialize();
    return [engine.put(bytes), bytes.length];
  }
  return type.$put(engine, value);
}

/** Whether `value` is a view that is the part at `key`, or has become it. */
export function takesView(view: View, key: number, type: AnyType, value: unknown): boolean {
  if (!(value instanceof View)) return false;
  if (view.$parts?.get(key) === value) return true;
  if (!view.$adopt(value, key, type)) return false;
  view.$partTouched(value);
  return true;
}

/** As `partBytes`, for what takes the place of the part at `key`, whose view goes on by itself. */
export function replacing(view: View, key: number, type: AnyType, value: unknown): [number, number] {
  const { $engine: engine } = view;
  const [at, size] = partBytes(engine, type, value);
  if (view.$parts?.has(key) !== true) return [at, size];
  const bytes = engine.bytes.slice(at, at + size);
  view.$detachPart(key);
  return [engine.put(bytes), size];
}
