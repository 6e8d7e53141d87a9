import type { Bytes } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';

/** Where values are written to and read from: the memory of a module, or an array. */
export interface Memory {
  readonly bytes: Uint8Array;
  readonly data: DataView;
}

/** What is kept for the next value. */
const KEPT_BYTES = 2 ** 16;
const FIRST_BYTES = 2 ** 10;

/**
 * Memory of its own that values are written to, which grows. Reading a value may run code of the
 * caller's (getters, proxies), which may use this package and change the value: so values are first
 * written here, every part of them read once, and nothing in a module is touched before they are
 * complete.
 */
export class Writer implements Memory {
  bytes: Bytes;
  data: DataView;

  constructor(size: number) {
    this.bytes = allocated(size);
    this.data = new DataView(this.bytes.buffer);
  }

  /** Makes room up to `end`; renews `bytes` and `data`. */
  room(end: number): void {
    if (end <= this.bytes.length) return;
    const grown = allocated(Math.max(end, Math.min(2 * this.bytes.length, 2 ** 32)));
    grown.set(this.bytes);
    this.bytes = grown;
    this.data = new DataView(grown.buffer);
  }
}

function allocated(size: number): Bytes {
  try {
    return new Uint8Array(size);
  } catch (cause) {
    throw new SpiculeError('OUT_OF_MEMORY', { limit: size, cause });
  }
}

let spare: Writer | undefined;

/**
 * Has `write` fill a writer, and gives what `use` makes of the first bytes of it, as many as `write`
 * says. `use` has to be done with them when it returns.
 */
export function written<T>(
  write: (writer: Writer) => number,
  use: (bytes: Uint8Array) => T,
): T {
  // A value that is written meanwhile gets another one.
  const writer = spare ?? new Writer(FIRST_BYTES);
  spare = undefined;
  try {
    const length = write(writer);
    return use(writer.bytes.subarray(0, length));
  } finally {
    if (writer.bytes.length <= KEPT_BYTES) spare = writer;
  }
}
