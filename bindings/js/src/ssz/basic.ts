import { uncleared } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { type Engine, KIND } from './engine.js';
import { type Host, type Memory, Type, wrongValue } from './type.js';
import { BasicView } from './basic-view.js';
import type { View } from './view.js';

/** How integers of 64 bits show: `number` throws above 2^53 - 1, `infinity` has 2^64 - 1 as Infinity. */
export type LongForm = 'bigint' | 'number' | 'infinity';

const MAX_LONG = 2n ** 64n - 1n;

function outOfRange(value: number | bigint, bits: number): SpiculeError {
  return new SpiculeError('INVALID_ARGUMENT', {}, `${value} as uint${bits}`);
}

function bigintOf(value: unknown, bits: number): bigint {
  if (typeof value === 'bigint') {
    if (value >= 0n && value >> BigInt(bits) === 0n) return value;
  } else if (typeof value !== 'number') {
    throw wrongValue('a bigint or a number', value);
  } else if (Number.isSafeInteger(value) && value >= 0) {
    return BigInt(value);
  }
  throw outOfRange(value, bits);
}

/** What basic types share: a fixed size, and plain values in views. */
export abstract class BasicType<Value, Input = Value> extends Type<Value, Input, Value> {
  /** Only for TypeScript, which tells basic types by it: never there. */
  declare readonly '~basic': true;
  abstract override readonly fixedSize: number;
  readonly $plain = true;

  /** Writes a value, for which there is room; runs no code of the caller's unless it throws. */
  abstract override $write(value: Input, memory: Memory, at: number): number;

  $viewOf(engine: Engine): View {
    return new BasicView<Value, Input>(engine, this);
  }

  /** Whether values are numbers of 64 bits: the lower word alone where the upper one is 0. */
  get $isLongNumber(): boolean {
    return false;
  }

  /**
   * A typed array for bulk access, of which one element is one value; bytes for the largest. What is
   * in it may be anything: all of it is to be written.
   */
  abstract $array(length: number): BulkArray;
}

export type BulkArray = Uint8Array | Uint16Array | Uint32Array | BigUint64Array;

/** An unsigned integer of 8, 16 or 32 bits: a number. */
export class UintNumberType extends BasicType<number> {
  readonly typeName: string;
  readonly $most: number;

  constructor(host: Host, override readonly fixedSize: 1 | 2 | 4) {
    super(host);
    this.typeName = `uint${8 * fixedSize}`;
    this.$most = 2 ** (8 * fixedSize) - 1;
  }

  $compile(engine: Engine): number {
    return engine.build(KIND.UINT, 0, BigInt(8 * this.fixedSize));
  }

  override get $bulkClass(): string {
    return `Uint${8 * this.fixedSize}Array`;
  }

  $write(value: number, { bytes, data }: Memory, at: number): number {
    if (typeof value !== 'number') throw wrongValue('a number', value);
    if (!Number.isInteger(value) || value < 0 || value > this.$most) {
      throw outOfRange(value, 8 * this.fixedSize);
    }
    if (this.fixedSize === 1) bytes[at] = value;
    else if (this.fixedSize === 2) data.setUint16(at, value, true);
    else data.setUint32(at, value, true);
    return at + this.fixedSize;
  }

  override $peek(engine: Engine, address: number): number {
    if (this.fixedSize === 1) return engine.bytes[address]!;
    if (this.fixedSize === 4 && (address & 3) === 0) return engine.words[address >>> 2]!;
    return this.$read(engine, address);
  }

  $read({ bytes, data }: Memory, at: number): number {
    if (this.fixedSize === 1) return bytes[at]!;
    return this.fixedSize === 2 ? data.getUint16(at, true) : data.getUint32(at, true);
  }

  defaultValue(): number {
    return 0;
  }

  $array(length: number): BulkArray {
    const bytes = uncleared(length * this.fixedSize);
    if (this.fixedSize === 1) return bytes;
    return this.fixedSize === 2 ? new Uint16Array(bytes.buffer) : new Uint32Array(bytes.buffer);
  }
}

/** As uint8 in bytes and roots; sequences of it are `Uint8Array`s, and hexadecimal in JSON. */
export class ByteType extends UintNumberType {
  override readonly typeName = 'byte';

  constructor(host: Host) {
    super(host, 1);
  }

  override $compile(engine: Engine): number {
    return engine.build(KIND.BYTE, 0, 0n);
  }
}

/** An unsigned integer of 64 bits: a bigint, or another form. Numbers are accepted when safe. */
export class Uint64Type<Value extends number | bigint> extends BasicType<Value, number | bigint> {
  override readonly fixedSize = 8;
  readonly typeName = 'uint64';
  readonly $form: LongForm;

  constructor(host: Host, form: LongForm) {
    super(host);
    this.$form = form;
  }

  $compile(engine: Engine): number {
    return engine.build(KIND.UINT, 0, 64n);
  }

  override get $bulkClass(): string {
    return 'BigUint64Array';
  }

  override get $isLongNumber(): boolean {
    return this.$form !== 'bigint';
  }

  $write(value: number | bigint, { data }: Memory, at: number): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      data.setUint32(at, value >>> 0, true);
      data.setUint32(at + 4, (value / 2 ** 32) >>> 0, true);
    } else if (value === Infinity && this.$form === 'infinity') {
      data.setBigUint64(at, MAX_LONG, true);
    } else {
      data.setBigUint64(at, bigintOf(value, 64), true);
    }
    return at + 8;
  }

  $read({ data }: Memory, at: number): Value {
    if (this.$form === 'bigint') return data.getBigUint64(at, true) as Value;
    return this.$number(data.getUint32(at, true), data.getUint32(at + 4, true));
  }

  $number(low: number, high: number): Value {
    if (high < 2 ** 21) return (low + high * 2 ** 32) as Value;
    if (this.$form === 'infinity' && low === 0xffffffff && high === 0xffffffff) {
      return Infinity as Value;
    }
    const value = (BigInt(high) << 32n) | BigInt(low);
    throw new SpiculeError('INVALID_ARGUMENT', {}, `${value} as a number, which is not exact`);
  }

  override $peek(engine: Engine, address: number): Value {
    if (this.$form === 'bigint') {
      if ((address & 7) === 0) return engine.longs[address >>> 3] as Value;
      return engine.data.getBigUint64(address, true) as Value;
    }
    if ((address & 3) !== 0) return this.$read(engine, address);
    const low = engine.words[address >>> 2]!;
    const high = engine.words[(address >>> 2) + 1]!;
    // Without the sum, engines keep what is small as a small integer.
    return high === 0 ? (low as Value) : this.$number(low, high);
  }

  defaultValue(): Value {
    return (this.$form === 'bigint' ? 0n : 0) as Value;
  }

  $array(length: number): BulkArray {
    return new BigUint64Array(uncleared(8 * length).buffer);
  }
}

/** An unsigned integer of 128 or 256 bits: a bigint. */
export class UintBigType extends BasicType<bigint, number | bigint> {
  readonly typeName: string;

  constructor(host: Host, override readonly fixedSize: 16 | 32) {
    super(host);
    this.typeName = `uint${8 * fixedSize}`;
  }

  $compile(engine: Engine): number {
    return engine.build(KIND.UINT, 0, BigInt(8 * this.fixedSize));
  }

  $write(value: number | bigint, { data }: Memory, at: number): number {
    const long = bigintOf(value, 8 * this.fixedSize);
    for (let i = 0; i < this.fixedSize; i += 8) {
      data.setBigUint64(at + i, BigInt.asUintN(64, long >> BigInt(8 * i)), true);
    }
    return at + this.fixedSize;
  }

  $read({ data }: Memory, at: number): bigint {
    let value = 0n;
    for (let i = this.fixedSize - 8; i >= 0; i -= 8) {
      value = (value << 64n) | data.getBigUint64(at + i, true);
    }
    return value;
  }

  defaultValue(): bigint {
    return 0n;
  }

  $array(length: number): BulkArray {
    return uncleared(length * this.fixedSize);
  }
}

/** true or false. */
export class BooleanType extends BasicType<boolean> {
  override readonly fixedSize = 1;
  readonly typeName: string = 'boolean';

  $compile(engine: Engine): number {
    return engine.build(KIND.BOOLEAN, 0, 0n);
  }

  $write(value: boolean, { bytes }: Memory, at: number): number {
    if (typeof value !== 'boolean') throw wrongValue('a boolean', value);
    bytes[at] = value ? 1 : 0;
    return at + 1;
  }

  $read({ bytes }: Memory, at: number): boolean {
    return bytes[at] === 1;
  }

  defaultValue(): boolean {
    return false;
  }

  $array(length: number): BulkArray {
    return uncleared(length);
  }
}
