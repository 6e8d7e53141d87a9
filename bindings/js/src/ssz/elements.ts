import { plainBytes, typedArrayClass, typedArrayLength } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { KIND } from './engine.js';
import { type AnyType, located } from './type.js';
import type { Writer } from './writer.js';

/**
 * The length of an array or typed array of elements, which is to be asked for once; else what `wrong`
 * makes. Bytes are elements only where each is one: others would take them for the SSZ bytes.
 */
export function elementCount(
  type: AnyType,
  values: unknown,
  wrong: (expected: string) => TypeError,
): number {
  if (Array.isArray(values)) return values.length;
  const found = typedArrayClass(values);
  const { $bulkClass: bulk } = type;
  if (found !== undefined && (found !== 'Uint8Array' || found === bulk)) return typedArrayLength(values);
  throw wrong(bulk === undefined ? 'an array' : `an array or a ${bulk}`);
}

/** `WRONG_LENGTH` or `OVER_LIMIT` unless values of the kind may have that length. */
export function checkLength(kind: number, limit: bigint, length: number): void {
  if (kind === KIND.VECTOR || kind === KIND.BITVECTOR) {
    if (length !== Number(limit)) throw new SpiculeError('WRONG_LENGTH', { limit: Number(limit) }, found(kind, length));
  } else if ((kind === KIND.LIST || kind === KIND.BITLIST) && length > limit) {
    throw new SpiculeError('OVER_LIMIT', { limit: Number(limit) }, found(kind, length));
  }
}

function found(kind: number, length: number): string {
  return `${length} ${kind === KIND.BITVECTOR || kind === KIND.BITLIST ? 'bits' : 'elements'}`;
}

/** Writes `length` elements of one size; gives where they end. Errors have their place in `name`. */
export function writeElements(
  type: AnyType,
  values: ArrayLike<unknown>,
  length: number,
  writer: Writer,
  start: number,
  name = '',
): number {
  const size = type.fixedSize;
  writer.room(start + length * size);
  if (typedArrayClass(values) === type.$bulkClass && type.$bulkClass !== undefined) {
    writer.bytes.set(plainBytes(values), start);
    return start + length * size;
  }
  let at = start;
  let i = 0;
  try {
    for (; i < length; i++) at = type.$write(values[i], writer, at);
  } catch (error) {
    throw located(error, `${name}[${i}]`);
  }
  return at;
}
