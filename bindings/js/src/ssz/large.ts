/**
 * Large values go into the module and out of it part by part: as a whole they would need as much
 * memory again, which Wasm never gives back. The core checks every part; only the offsets of the
 * containers on the way are checked here, and whatever is wrong, the core says what, from the whole.
 */
import { type Bytes, uncleared } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { ContainerType, Fields } from './container.js';
import { type Engine, ITSELF } from './engine.js';
import type { SequenceLike } from './sequence.js';
import type { AnyType } from './type.js';

/** Up to here a copy is made in one call. */
const SMALL_BYTES = 2 ** 15;
const LARGE_BYTES = 2 ** 20;
const CHUNK_BYTES = 2 ** 18;

// Not by class: this module is part of what makes the classes.
const isContainer = (type: AnyType): type is ContainerType<Fields> => '$fixedPart' in type;

/** A vector or list whose elements lie in one piece each. */
function isFlatSequence(engine: Engine, type: AnyType): type is AnyType & SequenceLike {
  return '$element' in type && (type as AnyType & SequenceLike).$isInline(engine);
}

const isLarge = (engine: Engine, type: AnyType, size: number): boolean =>
  size > LARGE_BYTES &&
  (isFlatSequence(engine, type) || (isContainer(type) && type.fixedSize === 0));

/** The value of bytes; undefined where the value is not a large one, or has no default to fill. */
export function deserializeLarge(engine: Engine, type: AnyType, bytes: Uint8Array): number | undefined {
  if (!isLarge(engine, type, bytes.length)) return undefined;
  let handle = 0;
  try {
    handle = engine.default(type.$id(engine));
    if (fill(engine, handle, type, bytes)) return handle;
  } catch (error) {
    if (!(error instanceof SpiculeError) || error.code === 'OUT_OF_MEMORY') {
      engine.release(handle);
      throw error;
    }
  }
  engine.release(handle);
  engine.validate(type.$id(engine), engine.put(bytes), bytes.length);
  return undefined;
}

function fill(engine: Engine, handle: number, type: AnyType, bytes: Uint8Array): boolean {
  if (isContainer(type)) return fillContainer(engine, handle, type, bytes);
  if (type.fixedSize !== 0 && type.fixedSize !== bytes.length) return false;
  const size = (type as AnyType & SequenceLike).$element.fixedSize;
  const chunk = Math.max(1, Math.floor(CHUNK_BYTES / size)) * size;
  for (let at = 0; at < bytes.length; at += chunk) {
    const part = bytes.subarray(at, at + chunk);
    const count = part.length / size;
    // A vector has all its elements already.
    if (type.fixedSize !== 0) engine.copyIn(handle, at / size, count, engine.put(part));
    else engine.append(handle, engine.put(part), part.length, count);
  }
  return true;
}

function fillContainer(
  engine: Engine,
  handle: number,
  type: ContainerType<Fields>,
  bytes: Uint8Array,
): boolean {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < type.$fixedPart) return false;
  let expected = type.$fixedPart;
  for (const [i, { type: field, offset, next }] of type.$fields.entries()) {
    let from = offset;
    let to = offset + field.fixedSize;
    if (field.fixedSize === 0) {
      from = data.getUint32(offset, true);
      to = next === undefined ? bytes.length : data.getUint32(next, true);
      if (from !== expected || to < from || to > bytes.length) return false;
      expected = to;
    }
    const part = bytes.subarray(from, to);
    if (!isLarge(engine, field, part.length)) {
      engine.write(handle, i, engine.put(part), part.length);
      engine.wasm.releaseBuffer();
      continue;
    }
    const child = engine.get(handle, i);
    try {
      if (!fill(engine, child, field, part)) return false;
      engine.set(handle, i, child);
    } finally {
      engine.release(child);
    }
  }
  return true;
}

/** Writes the bytes of a value, `size` of them, to `out` from `at` on. */
export function serializeInto(
  engine: Engine,
  type: AnyType,
  handle: number,
  out: Uint8Array,
  at: number,
  size: number,
): void {
  if (!isLarge(engine, type, size)) {
    copyOut(engine, engine.read(handle, ITSELF, size), out, at, size);
    engine.wasm.releaseBuffer();
    return;
  }
  if (isContainer(type)) {
    serializeContainer(engine, type, handle, out, at);
    return;
  }
  const element = (type as AnyType & SequenceLike).$element.fixedSize;
  const chunk = Math.max(1, Math.floor(CHUNK_BYTES / element));
  const length = engine.length(handle, ITSELF);
  for (let first = 0; first < length; first += chunk) {
    const count = Math.min(chunk, length - first);
    const from = engine.buffer(count * element);
    engine.copyOut(handle, first, count, from);
    copyOut(engine, from, out, at + first * element, count * element);
  }
}

function copyOut(engine: Engine, from: number, out: Uint8Array, at: number, size: number): void {
  out.set(engine.bytes.subarray(from, from + size), at);
}

function serializeContainer(
  engine: Engine,
  type: ContainerType<Fields>,
  handle: number,
  out: Uint8Array,
  start: number,
): void {
  const data = new DataView(out.buffer, out.byteOffset, out.length);
  let at = start + type.$fixedPart;
  for (const [i, { type: field, offset }] of type.$fields.entries()) {
    if (field.fixedSize !== 0 && !isLarge(engine, field, field.fixedSize)) {
      const from = engine.read(handle, i, field.fixedSize);
      copyOut(engine, from, out, start + offset, field.fixedSize);
      engine.wasm.releaseBuffer();
      continue;
    }
    const child = engine.get(handle, i);
    try {
      const size = engine.size(child);
      if (field.fixedSize !== 0) {
        serializeInto(engine, field, child, out, start + offset, size);
        continue;
      }
      data.setUint32(start + offset, at - start, true);
      serializeInto(engine, field, child, out, at, size);
      at += size;
    } finally {
      engine.release(child);
    }
  }
}

/** The bytes of a value. */
export function serializeValue(engine: Engine, type: AnyType, handle: number, size: number): Bytes {
  if (size <= SMALL_BYTES) {
    const at = engine.read(handle, ITSELF, size);
    return engine.bytes.slice(at, at + size);
  }
  const out = uncleared(size);
  serializeInto(engine, type, handle, out, 0, size);
  return out;
}
