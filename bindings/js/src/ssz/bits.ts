import { type Bytes, plainArgument, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { checkLength } from './elements.js';
import { type Engine, KIND } from './engine.js';
import {
  type Host, type Memory, Type, type Writer, indexArgument, located, wrongValue,
} from './type.js';
import { type Growing, PiecesView, firstOf } from './pieces-view.js';

/** Bits, the first the lowest of the first byte. */
export class BitArray {
  /** (length + 7) / 8 bytes; bits after the end are zero. */
  readonly bytes: Uint8Array;
  /** How many bits. */
  readonly length: number;

  /** The bytes are not copied. `WRONG_LENGTH` unless there are as many as the bits need. */
  constructor(bytes: Uint8Array, length: number) {
    bitsArgument(bytes, length);
    this.bytes = bytes;
    this.length = length;
  }

  /** Bits that are all zero. */
  static ofLength(length: number): BitArray {
    return new BitArray(new Uint8Array(Math.ceil(indexArgument(length, 'length') / 8)), length);
  }

  static from(bits: Iterable<boolean>): BitArray {
    const all = Array.from(bits);
    const array = BitArray.ofLength(all.length);
    all.forEach((bit, i) => bit && array.set(i, true));
    return array;
  }

  get(index: number): boolean {
    this.#check(index);
    return ((this.bytes[index >>> 3]! >>> (index & 7)) & 1) !== 0;
  }

  set(index: number, bit: boolean): void {
    this.#check(index);
    if (bit) this.bytes[index >>> 3]! |= 1 << (index & 7);
    else this.bytes[index >>> 3]! &= ~(1 << (index & 7));
  }

  #check(index: number): void {
    if (indexArgument(index, 'index') >= this.length) {
      throw new SpiculeError('OUT_OF_RANGE', { index, limit: this.length });
    }
  }

  toBooleans(): boolean[] {
    return Array.from(this);
  }

  *[Symbol.iterator](): Iterator<boolean> {
    for (let i = 0; i < this.length; i++) yield this.get(i);
  }
}

/** The bytes of so many bits, or `WRONG_LENGTH`. */
function bitsArgument(bytes: unknown, length: unknown): Uint8Array {
  const plain = plainArgument(bytes, 'bytes');
  const needed = Math.ceil(indexArgument(length, 'length') / 8);
  if (plain.length !== needed) throw new SpiculeError('WRONG_LENGTH', { limit: needed });
  return plain;
}

/** Bits as a `BitArray`, or an array of booleans. */
export type BitsInput = BitArray | readonly boolean[];

/** A vector or list of bits: a `BitArray`; views have a view of the bits. */
export class BitsType<ViewOf = BitsView> extends Type<BitArray, BitsInput, ViewOf> {
  readonly typeName: string;
  override readonly fixedSize: number;
  readonly $plain = false;

  /** `limit` is the length of a vector, the limit of a list. */
  constructor(
    host: Host,
    readonly $kind: number,
    readonly $limit: bigint,
  ) {
    super(host);
    this.fixedSize = this.$isList ? 0 : Math.ceil(Number($limit) / 8);
    this.typeName =
      $kind === KIND.PROGRESSIVE_BITLIST
        ? 'ProgressiveBitList'
        : `Bit${this.$isList ? 'List' : 'Vector'}[${$limit}]`;
    this.$build();
  }

  get $isList(): boolean {
    return this.$kind !== KIND.BITVECTOR;
  }

  $compile(engine: Engine): number {
    return engine.build(this.$kind, 0, this.$limit);
  }

  $write(value: BitsInput, writer: Writer, at: number): number {
    let length: number;
    let packed: Uint8Array | undefined;
    if (value instanceof BitArray) {
      length = value.length;
      packed = bitsArgument(value.bytes, length);
    } else {
      if (!Array.isArray(value)) throw wrongValue('a BitArray or an array of booleans', value);
      length = value.length;
    }
    checkLength(this.$kind, this.$limit, length);
    const end = at + (this.$isList ? Math.floor(length / 8) + 1 : this.fixedSize);
    writer.room(end);
    const { bytes } = writer;
    bytes.fill(0, at, end);
    if (packed !== undefined) {
      bytes.set(packed, at);
      if (length % 8 !== 0) bytes[at + packed.length - 1]! &= (1 << length % 8) - 1;
    } else {
      for (let i = 0; i < length; i++) {
        const bit: unknown = (value as readonly boolean[])[i];
        if (typeof bit !== 'boolean') throw located(wrongValue('a boolean', bit), `[${i}]`);
        if (bit) bytes[at + (i >>> 3)]! |= 1 << (i & 7);
      }
    }
    if (this.$isList) bytes[end - 1]! |= 1 << length % 8;
    return end;
  }

  $read({ bytes }: Memory, at: number, end: number): BitArray {
    if (!this.$isList) {
      return new BitArray(Uint8Array.prototype.slice.call(bytes, at, end), Number(this.$limit));
    }
    const last = 31 - Math.clz32(bytes[end - 1]!);
    const length = 8 * (end - at - 1) + last;
    const own: Bytes = Uint8Array.prototype.slice.call(bytes, at, last === 0 ? end - 1 : end);
    if (last !== 0) own[own.length - 1]! &= (1 << last) - 1;
    return new BitArray(own, length);
  }

  defaultValue(): BitArray {
    return BitArray.ofLength(this.$isList ? 0 : Number(this.$limit));
  }

  $viewOf(engine: Engine): BitsView {
    return new BitsView(engine, this);
  }
}

function booleanArgument(value: unknown, name: string): void {
  if (typeof value !== 'boolean') throw wrongType(name, 'a boolean', value);
}

/** As many bits as 1 / COPY_SHARE of the length are read one by one before all are copied. */
const COPY_SHARE = 4096;
const MOST_COPIED = 2 ** 20;
const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/**
 * A view of bits. When many bits are read between two changes, it takes a copy of all of them, and
 * reads there.
 */
export class BitsView extends PiecesView<BitArray> {
  declare readonly $type: BitsType<unknown>;
  $copy: Uint8Array = NO_BYTES;
  /** How many bits the copy has. */
  $copied = 0;
  /** Bits read since the last change without the copy. */
  $reads = 0;

  get length(): number {
    return this.$length();
  }

  $length(): number {
    if (!this.$type.$isList) return Number(this.$type.$limit);
    return this.$engine.length(this.$handle, -1);
  }

  get(index: number): boolean {
    if (typeof index !== 'number' || index >>> 0 !== index || index >= this.$copied) return this.$getFar(index);
    return ((this.$copy[index >>> 3]! >>> (index & 7)) & 1) !== 0;
  }

  $getFar(index: number): boolean {
    const { $engine: engine } = this;
    let at = typeof index === 'number' ? index - this.$first : -1;
    if (this.$epoch !== engine.epoch || at >>> 0 !== at || at >= this.$count) {
      this.$find(index);
      at = index - this.$first;
    }
    // The bits of a flat view change with its parent.
    if (!this.$flat && ++this.$reads > 8 && this.$reads * COPY_SHARE > this.length) this.$takeCopy();
    return ((engine.bytes[this.$address + (at >>> 3)]! >>> (at & 7)) & 1) !== 0;
  }

  $takeCopy(): void {
    if (this.length > MOST_COPIED) return;
    const { bytes, length } = this.getAll();
    this.$copy = bytes;
    this.$copied = length;
  }

  $forget(): void {
    this.$copy = NO_BYTES;
    this.$copied = 0;
    this.$reads = 0;
  }

  override $touch(): void {
    this.$forget();
    super.$touch();
  }

  override $dispose(): void {
    this.$forget();
    super.$dispose();
  }

  set(index: number, bit: boolean): void {
    booleanArgument(bit, 'bit');
    if (!this.$flat) {
      try {
        this.$engine.setBit(this.$handle, indexArgument(index, 'index'), bit);
      } catch (error) {
        throw this.$failed(error, index);
      }
      this.$touch();
      return;
    }
    this.$find(index);
    const { $engine: engine } = this;
    const mask = 1 << (index & 7);
    const old = engine.bytes[this.$address + (index >>> 3)]!;
    const at = engine.buffer(1);
    engine.bytes[at] = bit ? old | mask : old & ~mask;
    this.$parent!.$patch(this.$key, index >>> 3, at, 1);
  }

  /** Appends bits to a list. */
  push(...bits: boolean[]): void {
    this.$checkGrowing();
    bits.forEach((bit, i) => booleanArgument(bit, `bits[${i}]`));
    const { $engine: engine, $handle: handle } = this;
    const before = this.$length();
    try {
      for (const bit of bits) engine.appendBit(handle, bit);
    } catch (error) {
      if (this.$length() > before) engine.truncate(handle, before);
      throw error;
    }
    this.$touch();
  }

  /** Cuts a list to `length` bits. */
  truncate(length: number): void {
    this.$checkGrowing();
    this.$engine.truncate(this.$handle, indexArgument(length, 'length'));
    this.$touch();
  }

  /** All bits. */
  getAll(): BitArray {
    const { length } = this;
    const size = Math.ceil(length / 8);
    let at: number;
    if (this.$flat) {
      at = this.$sync();
    } else {
      at = this.$engine.buffer(size);
      this.$engine.bitsOut(this.$handle, at);
    }
    return new BitArray(this.$engine.bytes.slice(at, at + size), length);
  }

  /** Replaces all bits. */
  setAll(bits: BitsInput): void {
    const { $engine: engine } = this;
    const [at, size] = this.$type.$put(engine, bits);
    if (this.$flat) {
      this.$parent!.$patch(this.$key, 0, at, size);
      return;
    }
    engine.write(this.$handle, -1, at, size);
    this.$touch();
  }

  override $summary(): unknown {
    return firstOf(this.$length(), (i) => Number(this.get(i)));
  }

  /** How many bits are set. */
  count(): number {
    return this.$own((handle) => this.$engine.bitsCount(handle));
  }

  /** this = this OR other, bit by bit; the lengths have to be the same. */
  or(other: BitsView): void {
    this.$combine(other, false);
  }

  /** this = this AND other. */
  and(other: BitsView): void {
    this.$combine(other, true);
  }

  $combine(other: BitsView, both: boolean): void {
    if (!(other instanceof BitsView)) throw wrongType('other', 'a view of bits', other);
    if (this.$flat || other.$engine !== this.$engine) {
      const mine = this.getAll();
      const bits = other.getAll();
      if (bits.length !== mine.length) throw new SpiculeError('INVALID_ARGUMENT', {}, 'bits of another length');
      bits.bytes.forEach((byte, i) => {
        mine.bytes[i]! = both ? mine.bytes[i]! & byte : mine.bytes[i]! | byte;
      });
      this.setAll(mine);
      return;
    }
    other.$own((handle) => this.$engine.bitsCombine(this.$handle, handle, both));
    this.$touch();
  }

  /** Runs with a value of its own, which a flat view has not. */
  $own<T>(run: (handle: number) => T): T {
    if (!this.$flat) return run(this.$handle);
    const copy = this.$clone();
    try {
      return run(copy.$handle);
    } finally {
      copy.$dispose();
    }
  }
}

/** A view of a vector of bits: as of a list, but the length is fixed. */
export interface BitVectorView extends Omit<BitsView, Growing | 'clone'> {
  clone(): this;
}
