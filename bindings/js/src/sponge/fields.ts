import { type Bytes, isBytes, plainBytes, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { FIELD_BYTES } from '../generated/sizes.js';

/** A field element below `FIELD_MODULUS`: a bigint, or 32 bytes big-endian. */
export type Field = bigint | Uint8Array;

/** The order of the field, the scalar field of BN254. */
export const FIELD_MODULUS =
  21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** What errors say of a wrong length. */
export const FIELD_LENGTH = 'a field element is 32 bytes';

const WORD = 64n;

/** Writes what the core refuses in place of a number that 32 bytes can't hold. */
function writeBigint(view: DataView, at: number, value: bigint): void {
  if (value >> 256n !== 0n) {
    for (let i = 0; i < FIELD_BYTES; i++) view.setUint8(at + i, 0xff);
    return;
  }
  view.setBigUint64(at, value >> (3n * WORD));
  view.setBigUint64(at + 8, value >> (2n * WORD));
  view.setBigUint64(at + 16, value >> WORD);
  view.setBigUint64(at + 24, value);
}

function readBigint(view: DataView, at: number): bigint {
  const high = (view.getBigUint64(at) << WORD) | view.getBigUint64(at + 8);
  const low = (view.getBigUint64(at + 16) << WORD) | view.getBigUint64(at + 24);
  return (high << (2n * WORD)) | low;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function notCanonical(index: number, value: bigint): SpiculeError {
  const note = value < 0n ? `${value} is negative` : undefined;
  return new SpiculeError('NOT_CANONICAL', { offset: FIELD_BYTES * index, index }, note);
}

/**
 * Field elements one after the other in 32 bytes each; `WRONG_LENGTH` with the index of one,
 * `NOT_CANONICAL` with that of a negative one.
 */
export function flatten(fields: readonly Field[], name: string): Bytes {
  // The size is fixed here: reading an element may run code of the caller's, which may add others.
  const { length } = fields;
  const flattened = new Uint8Array(FIELD_BYTES * length);
  const view = viewOf(flattened);
  for (let i = 0; i < length; i++) {
    const field = fields[i];
    if (typeof field === 'bigint') {
      if (field < 0n) throw notCanonical(i, field);
      writeBigint(view, FIELD_BYTES * i, field);
      continue;
    }
    const bytes = plainBytes(fieldArgument(field, `${name}[${i}]`));
    if (bytes.length !== FIELD_BYTES) throw new SpiculeError('WRONG_LENGTH', { index: i }, FIELD_LENGTH);
    flattened.set(bytes, FIELD_BYTES * i);
  }
  return flattened;
}

/** `value`, or a TypeError that names the argument. */
export function fieldArgument(value: unknown, name: string): Field {
  if (typeof value === 'bigint' || isBytes(value)) return value;
  throw wrongType(name, 'a bigint or a Uint8Array', value);
}

/** Flat bytes as they are, arrays of fields flattened. */
export function flat(fields: Uint8Array | readonly Field[], name: string): Uint8Array {
  if (isBytes(fields)) return fields;
  if (Array.isArray(fields)) return flatten(fields as readonly Field[], name);
  throw wrongType(name, 'a Uint8Array or an array of bigints and Uint8Arrays', fields);
}

/** The field elements of `bytes`, 32 bytes each. `WRONG_LENGTH` when there is a rest. */
export function fieldsToBigints(bytes: Uint8Array): bigint[] {
  if (!isBytes(bytes)) throw wrongType('bytes', 'a Uint8Array', bytes);
  if (bytes.length % FIELD_BYTES !== 0) {
    throw new SpiculeError('WRONG_LENGTH', { offset: bytes.length }, FIELD_LENGTH);
  }
  const view = viewOf(bytes);
  return Array.from({ length: bytes.length / FIELD_BYTES }, (_, i) =>
    readBigint(view, FIELD_BYTES * i),
  );
}

/** One field element of 32 bytes. `WRONG_LENGTH` for any other length. */
export function fieldToBigint(bytes: Uint8Array): bigint {
  if (!isBytes(bytes)) throw wrongType('bytes', 'a Uint8Array', bytes);
  if (bytes.length !== FIELD_BYTES) {
    throw new SpiculeError('WRONG_LENGTH', { offset: bytes.length }, FIELD_LENGTH);
  }
  return readBigint(viewOf(bytes), 0);
}

/**
 * Field elements one after the other, 32 bytes each: the form that costs nothing to pass.
 * `NOT_CANONICAL`, with the index, for a bigint that is not below the modulus.
 */
export function fieldsFromBigints(values: readonly bigint[]): Bytes {
  if (!Array.isArray(values)) throw wrongType('values', 'an array of bigints', values);
  const index = values.findIndex((value) => value < 0n || value >= FIELD_MODULUS);
  if (index === -1) return flatten(values, 'values');
  throw notCanonical(index, values[index]!);
}

/** Whether 32 bytes are a number below the modulus. */
export function isCanonical(bytes: Uint8Array): boolean {
  return readBigint(viewOf(bytes), 0) < FIELD_MODULUS;
}
