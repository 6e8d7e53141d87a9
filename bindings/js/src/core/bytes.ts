import { SpiculeError } from './error.js';
import { type Maybe, then } from './flow.js';

/**
 * The bytes that this package returns: a `Uint8Array` over memory of its own. (Newer versions of
 * TypeScript write it `Uint8Array<ArrayBuffer>`, which older ones can't read.)
 */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/** A getter of all typed arrays, which properties of one array can't stand in for. */
function intrinsic(name: string | symbol): (this: unknown) => unknown {
  const { prototype } = Object.getPrototypeOf(Uint8Array) as { prototype: object };
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

const classOf = /* @__PURE__ */ intrinsic(Symbol.toStringTag);
const lengthOf = /* @__PURE__ */ intrinsic('length');
const byteLengthOf = /* @__PURE__ */ intrinsic('byteLength');
const byteOffsetOf = /* @__PURE__ */ intrinsic('byteOffset');
const bufferOf = /* @__PURE__ */ intrinsic('buffer');

/** A method of all typed arrays. V8 looks one up each time where it is a property of an array. */
function method<Name extends 'set' | 'copyWithin'>(name: Name): Uint8Array[Name] {
  return (Object.getPrototypeOf(Uint8Array) as { prototype: Uint8Array }).prototype[name];
}

const setBytes = /* @__PURE__ */ method('set');
const moveWithin = /* @__PURE__ */ method('copyWithin');

/** Copies bytes to `at` in others. */
export function copyInto(out: Uint8Array, at: number, bytes: Uint8Array): void {
  setBytes.call(out, bytes, at);
}

/** Copies a part of bytes to `at` in them. */
export function copyInside(bytes: Uint8Array, at: number, from: number, end: number): void {
  moveWithin.call(bytes, at, from, end);
}

/** The class of a typed array, of this or another realm; undefined for anything else. */
export function typedArrayClass(value: unknown): string | undefined {
  return classOf.call(value) as string | undefined;
}

/** How many elements a typed array has, whatever its `length` says. */
export function typedArrayLength(value: unknown): number {
  return lengthOf.call(value) as number;
}

/** Where a typed array begins in its memory. */
export function typedArrayOffset(value: unknown): number {
  return byteOffsetOf.call(value) as number;
}

/** Whether `value` is a Uint8Array, of this or another realm; Node's Buffer is one. */
export function isBytes(value: unknown): value is Uint8Array {
  return classOf.call(value) === 'Uint8Array';
}

/** The bytes of a typed array, without the properties that it may have or inherit besides. */
export function plainBytes(value: unknown): Uint8Array {
  const buffer = bufferOf.call(value) as ArrayBuffer;
  return new Uint8Array(
    buffer, byteOffsetOf.call(value) as number, byteLengthOf.call(value) as number,
  );
}

export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

/** `value`, or a TypeError that names the argument. */
export function bytesArgument(value: unknown, name: string): Uint8Array {
  if (!isBytes(value)) throw wrongType(name, 'a Uint8Array', value);
  return value;
}

/** As `bytesArgument`, of which nothing but the bytes is left: see `plainBytes`. */
export function plainArgument(value: unknown, name: string): Uint8Array {
  const bytes = bytesArgument(value, name);
  try {
    return plainBytes(bytes);
  } catch {
    throw new TypeError(`${name} must be a Uint8Array that has its memory: its buffer is detached`);
  }
}

export function wrongType(name: string, expected: string, value: unknown): TypeError {
  const found =
    value === null
      ? 'null'
      : typeof value === 'string'
        ? JSON.stringify(value)
        : typeof value === 'object'
          ? tagOf(value).slice('[object '.length, -1)
          : typeof value;
  return new TypeError(`${name} must be ${expected}, not ${found}`);
}

/** An integer that fits into a u32 of the core, or `INVALID_ARGUMENT`. */
export function u32Argument(value: unknown, name: string): number {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value);
  if (Number.isInteger(value) && value >= 0 && value <= 0xffffffff) return value;
  throw new SpiculeError('INVALID_ARGUMENT', {}, `${name} ${value}`);
}

/** New memory of `size` bytes, once `fill` has written to it. */
export function filled(size: number, fill: (out: Bytes) => Maybe<void>): Maybe<Bytes> {
  const out = new Uint8Array(size);
  return then(fill(out), () => out);
}

/** `BUFFER_TOO_SMALL` unless `out` has room for `size` bytes. */
export function roomFor(out: Uint8Array, size: number): void {
  if (out.length < size) throw new SpiculeError('BUFFER_TOO_SMALL', { limit: size });
}

/** Rounds up to a multiple of 16. */
export function aligned(length: number): number {
  return Math.ceil(length / 16) * 16;
}

type BufferGlobal = {
  Buffer?: { allocUnsafeSlow(size: number): Bytes };
};

/** From here on it pays that memory is not cleared first: with 30 MB it takes a third of the time. */
const UNCLEARED_BYTES = 2 ** 15;

/** New memory of `size` bytes, all of which the caller writes to: what is in it may be anything. */
export function uncleared(size: number): Bytes {
  const buffers = size < UNCLEARED_BYTES ? undefined : (globalThis as BufferGlobal).Buffer;
  if (typeof buffers?.allocUnsafeSlow !== 'function') return new Uint8Array(size);
  const { buffer } = buffers.allocUnsafeSlow(size);
  // What stands in for Buffer in a browser may cut its memory from a larger piece.
  return buffer.byteLength === size ? new Uint8Array(buffer) : new Uint8Array(size);
}
