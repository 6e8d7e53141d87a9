import {
  type Bytes, isBytes, plainArgument, plainBytes, typedArrayLength, u32Argument, wrongType,
} from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import { LONE_SURROGATE, encoder } from './engine.js';
import { FIRST } from './memory.js';

/** As spc_field_type in spicule/codec.h. */
export const TYPE = {
  DOUBLE: 1, FLOAT: 2, INT64: 3, UINT64: 4, INT32: 5, FIXED64: 6, FIXED32: 7, BOOL: 8, STRING: 9,
  GROUP: 10, MESSAGE: 11, BYTES: 12, UINT32: 13, ENUM: 14, SFIXED32: 15, SFIXED64: 16, SINT32: 17,
  SINT64: 18,
} as const;

/** What 64-bit integers are in JavaScript. Numbers throw outside the safe range, never round. */
export type Int64Form = 'bigint' | 'number' | 'string';

/** Whether values are strings or bytes: a start and a length. */
export function isBytesType(type: number): boolean {
  return type === TYPE.STRING || type === TYPE.BYTES;
}

// ---- Reading; `at` is an offset in the arena ----
//
// V8 inlines what is at most 27 bytes of its bytecode wherever it is called; of what is longer, it
// inlines no more than fits into a budget, which a function that reads many fields exceeds. So these
// functions are as short as can be, and what views that do not work lead to is in others.

// The word, or two, at `at` where the views do not work.

function wordAgain(arena: Arena, at: number): number {
  return arena.again().words[at >> 2]!;
}

function longAgain(arena: Arena, at: number): bigint {
  return arena.again().longs[at >> 3]!;
}

function ulongAgain(arena: Arena, at: number): bigint {
  return arena.again().ulongs[at >> 3]!;
}

export function readUint32(arena: Arena, at: number): number {
  return arena.words[at >> 2] ?? wordAgain(arena, at);
}

export function readInt32(arena: Arena, at: number): number {
  return readUint32(arena, at) | 0;
}

/** The case of a oneof: 16 bits. */
export function readCase(arena: Arena, at: number): number {
  return (readUint32(arena, at) << ((~at & 2) << 3)) >>> 16;
}

export function writeCase(arena: Arena, at: number, value: number): void {
  const { words } = arena;
  const shift = (at & 2) << 3;
  words[at >> 2] = (words[at >> 2]! & ~(0xffff << shift)) | (value << shift);
}

export function readBool(arena: Arena, at: number): boolean {
  return readUint32(arena, at) !== 0;
}

export function readFloat(arena: Arena, at: number): number {
  const value = arena.floats[at >> 2];
  return value === undefined ? arena.again().floats[at >> 2]! : value;
}

export function readDouble(arena: Arena, at: number): number {
  const value = arena.doubles[at >> 3];
  return value === undefined ? arena.again().doubles[at >> 3]! : value;
}

export function readInt64(arena: Arena, at: number): bigint {
  return arena.longs[at >> 3] ?? longAgain(arena, at);
}

export function readUint64(arena: Arena, at: number): bigint {
  return arena.ulongs[at >> 3] ?? ulongAgain(arena, at);
}

export function readInt64Number(arena: Arena, at: number): number {
  const { words } = arena;
  const i = at >> 2;
  const high = words[i + 1]! | 0;
  // Not a number where the view does not work.
  const value = high * 4294967296 + words[i]!;
  const known = high >= -0x200000 && high < 0x200000 && value > -(2 ** 53);
  return known ? value : safe(readInt64(arena, at));
}

export function readUint64Number(arena: Arena, at: number): number {
  const { words } = arena;
  const value = words[(at >> 2) + 1]! * 4294967296 + words[at >> 2]!;
  return value < 2 ** 53 ? value : safe(readUint64(arena, at));
}

export function readInt64String(arena: Arena, at: number): string {
  return `${readInt64(arena, at)}`;
}

export function readUint64String(arena: Arena, at: number): string {
  return `${readUint64(arena, at)}`;
}

/** What has been read again, as the view did not work or the value is not safe. */
function safe(value: bigint): number {
  if (value > -(2 ** 53) && value < 2 ** 53) return Number(value);
  throw new SpiculeError('INVALID_ARGUMENT', {}, `${value} is not a safe integer`);
}

export function readString(arena: Arena, at: number): string {
  const length = arena.words[(at >> 2) + 1];
  if (length === 0) return '';
  if (length === undefined) return readString(arena.again(), at);
  return arena.text(arena.words[at >> 2]!, length);
}

/** All empty bytes are this one: there is nothing in it that could be changed. */
const NOTHING: Bytes = /* @__PURE__ */ new Uint8Array(0);
const COPY_LOOP_BYTES = 16;
/** What V8 keeps with the array itself, so that a copy is as quick as a view. */
const INLINE_BYTES = 64;

/** The bytes of a slot: a copy, within a scope a view, or a part of the input where that is shared. */
export function readBytes(arena: Arena, at: number): Bytes {
  const length = arena.words[(at >> 2) + 1];
  if (length === undefined) return readBytes(arena.again(), at);
  if (length === 0) return NOTHING;
  const from = arena.words[at >> 2]!;
  const { bytes, source } = arena;
  if (source !== undefined && length > INLINE_BYTES && from + length <= FIRST + source.length) {
    return new Uint8Array(source.buffer, source.byteOffset + from - FIRST, length) as Bytes;
  }
  if (!arena.copies) return new Uint8Array(bytes.buffer, bytes.byteOffset + from, length) as Bytes;
  if (length > COPY_LOOP_BYTES) return bytes.slice(from, from + length) as Bytes;
  const out = new Uint8Array(length);
  for (let i = 0; i < length; i++) out[i] = bytes[from + i]!;
  return out;
}

/** A byte of the bytes of a slot; undefined past their end. */
export function byteAt(arena: Arena, at: number, index: number): number | undefined {
  if (!(index >>> 0 === index && index < readUint32(arena, at + 4))) return undefined;
  return arena.bytes[arena.words[at >> 2]! + index];
}

/** Copies bytes of a slot to `out` from `start` on; gives how many. */
export function copyBytes(arena: Arena, at: number, out: Uint8Array, start: number): number {
  const length = readUint32(arena, at + 4);
  const into = plainArgument(out, 'out');
  if (into.length - u32Argument(start, 'start') < length) {
    throw new SpiculeError('BUFFER_TOO_SMALL', { limit: length });
  }
  const from = arena.words[at >> 2]!;
  into.set(arena.bytes.subarray(from, from + length), start);
  return length;
}

// ---- Writing; each gives whether the value is other than zero ----

export function integer(value: unknown, name: string, least: number, most: number): number {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw outOfRange(name, value, `an integer from ${least} to ${most}`);
}

function outOfRange(name: string, value: unknown, range: string): SpiculeError {
  return new SpiculeError('INVALID_ARGUMENT', { path: name }, `${value} is not ${range}`);
}

export function writeInt32(arena: Arena, at: number, value: unknown, name: string): boolean {
  if (typeof value !== 'number' || value !== (value | 0)) integer(value, name, -(2 ** 31), 2 ** 31 - 1);
  arena.words[at >> 2] = value as number;
  return value !== 0;
}

export function writeUint32(arena: Arena, at: number, value: unknown, name: string): boolean {
  if (typeof value !== 'number' || value !== value >>> 0) integer(value, name, 0, 2 ** 32 - 1);
  arena.words[at >> 2] = value as number;
  return value !== 0;
}

export function writeBool(arena: Arena, at: number, value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw wrongType(name, 'a boolean', value);
  arena.words[at >> 2] = value ? 1 : 0;
  return value;
}

const LARGEST_FLOAT = 3.4028234663852886e38;
/** Half a step above it: what is below is rounded down. */
const FLOAT_BOUND = 3.4028235677973366e38;

/** A number that a float can hold. */
export function float(value: unknown, name: string): number {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value);
  const size = Math.abs(value);
  if (size > LARGEST_FLOAT && size >= FLOAT_BOUND && size !== Infinity) throw outOfRange(name, value, 'a float');
  return value;
}

export function writeFloat(arena: Arena, at: number, value: unknown, name: string): boolean {
  arena.floats[at >> 2] = float(value, name);
  return arena.words[at >> 2] !== 0;
}

export function writeDouble(arena: Arena, at: number, value: unknown, name: string): boolean {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value);
  arena.doubles[at >> 3] = value;
  return !Object.is(value, 0);
}

function long(value: unknown, name: string): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return undefined;
    throw outOfRange(name, value, 'a safe integer');
  }
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  throw wrongType(name, 'a bigint or a safe integer', value);
}

/** A signed 64-bit integer as a bigint; undefined for a safe number. */
export function int64(value: unknown, name: string): bigint | undefined {
  const big = long(value, name);
  if (big === undefined || BigInt.asIntN(64, big) === big) return big;
  throw outOfRange(name, big, 'from -2^63 to 2^63 - 1');
}

/** An unsigned one. */
export function uint64(value: unknown, name: string): bigint | undefined {
  const big = long(value, name);
  if (big === undefined ? (value as number) >= 0 : BigInt.asUintN(64, big) === big) return big;
  throw outOfRange(name, value, 'from 0 to 2^64 - 1');
}

function writeHalves(arena: Arena, at: number, value: number): boolean {
  const i = at >> 2;
  if (value === (value | 0)) {
    arena.words[i] = value;
    arena.words[i + 1] = value >> 31;
  } else {
    arena.words[i] = value;
    arena.words[i + 1] = Math.floor(value / 4294967296);
  }
  return value !== 0;
}

export function writeInt64(arena: Arena, at: number, value: unknown, name: string): boolean {
  const big = int64(value, name);
  if (big === undefined) return writeHalves(arena, at, value as number);
  arena.longs[at >> 3] = big;
  return big !== 0n;
}

export function writeUint64(arena: Arena, at: number, value: unknown, name: string): boolean {
  const big = uint64(value, name);
  if (big === undefined) return writeHalves(arena, at, value as number);
  arena.ulongs[at >> 3] = big;
  return big !== 0n;
}

const ASCII_LOOP = 32;

export function writeString(arena: Arena, at: number, value: unknown, name: string): boolean {
  if (typeof value !== 'string') throw wrongType(name, 'a string', value);
  const { length } = value;
  let written = length;
  let ref = 0;
  if (length !== 0) {
    ref = arena.alloc(length);
    const { bytes } = arena;
    let i = 0;
    if (length <= ASCII_LOOP) {
      for (; i < length; i++) {
        const unit = value.charCodeAt(i);
        if (unit > 0x7f) break;
        bytes[ref + i] = unit;
      }
    }
    if (i < length) {
      if (LONE_SURROGATE.test(value)) throw new SpiculeError('BAD_UTF8', { path: name });
      arena.used = ref;
      arena.alloc(3 * length);
      written = encoder.encodeInto(value, arena.bytes.subarray(ref, ref + 3 * length)).written;
      arena.used = ref + ((written + 7) & -8);
      arena.cleared = 0;
    }
  }
  arena.words[at >> 2] = ref;
  arena.words[(at >> 2) + 1] = written;
  return written !== 0;
}

export function writeBytes(arena: Arena, at: number, value: unknown, name: string): boolean {
  if (!isBytes(value)) throw wrongType(name, 'a Uint8Array', value);
  const length = typedArrayLength(value);
  let ref = 0;
  if (length !== 0) {
    // In a scope the value may be a view of this memory, which a move would detach.
    const source = value.buffer === arena.bytes.buffer ? plainBytes(value).slice() : value;
    ref = arena.alloc(length);
    arena.bytes.set(source, ref);
  }
  arena.words[at >> 2] = ref;
  arena.words[(at >> 2) + 1] = length;
  return length !== 0;
}

/** How a kind of value lies in a slot or an element. */
export interface Scalar<T = unknown> {
  read(arena: Arena, at: number): T;
  /** `name` is for errors. The arena has to be `ready()`. */
  write(arena: Arena, at: number, value: unknown, name: string): boolean;
  /** What it is when nothing is set. */
  readonly zero: T;
  /** The typed array of it in bulk, where there is one. */
  readonly array?: ArrayKind;
}

/** A member of Arena that is a typed array. */
export type ArrayKind = 'words' | 'ints' | 'floats' | 'doubles' | 'longs' | 'ulongs';

const SINT32: Scalar = { read: readInt32, write: writeInt32, zero: 0, array: 'ints' };
const UINT32: Scalar = { read: readUint32, write: writeUint32, zero: 0, array: 'words' };
const BOOL: Scalar = { read: readBool, write: writeBool, zero: false };
const FLOAT: Scalar = { read: readFloat, write: writeFloat, zero: 0, array: 'floats' };
const DOUBLE: Scalar = { read: readDouble, write: writeDouble, zero: 0, array: 'doubles' };
const STRING: Scalar = { read: readString, write: writeString, zero: '' };
const BYTES: Scalar = { read: readBytes, write: writeBytes, zero: NOTHING };

const SINT64: Record<Int64Form, Scalar> = {
  bigint: { read: readInt64, write: writeInt64, zero: 0n, array: 'longs' },
  number: { read: readInt64Number, write: writeInt64, zero: 0, array: 'longs' },
  string: { read: readInt64String, write: writeInt64, zero: '0', array: 'longs' },
};
const UINT64: Record<Int64Form, Scalar> = {
  bigint: { read: readUint64, write: writeUint64, zero: 0n, array: 'ulongs' },
  number: { read: readUint64Number, write: writeUint64, zero: 0, array: 'ulongs' },
  string: { read: readUint64String, write: writeUint64, zero: '0', array: 'ulongs' },
};

/** How values of a type of field, other than messages, lie in memory. */
export function scalarOf(type: number, int64: Int64Form): Scalar {
  switch (type) {
    case TYPE.DOUBLE: return DOUBLE;
    case TYPE.FLOAT: return FLOAT;
    case TYPE.BOOL: return BOOL;
    case TYPE.STRING: return STRING;
    case TYPE.BYTES: return BYTES;
    case TYPE.UINT32:
    case TYPE.FIXED32: return UINT32;
    case TYPE.UINT64:
    case TYPE.FIXED64: return UINT64[int64];
    case TYPE.INT64:
    case TYPE.SFIXED64:
    case TYPE.SINT64: return SINT64[int64];
    default: return SINT32;
  }
}
