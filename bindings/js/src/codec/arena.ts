import { SpiculeError } from '../core/error.js';
import type { Compiled, Engine } from './engine.js';
import { FIRST, NO_VIEWS, type Region, type Views } from './memory.js';

/** Regions that are given back together when no arena of theirs can be reached any more. */
export interface Token {
  readonly regions: (Region | undefined)[];
}

const SHORT_TEXT = 24;
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The memory of a message and all below it. Everything inside is named by its offset from the
 * start, so that the arena may move when it grows.
 *
 * Views of memory that has moved, grown or been disposed have no elements: what is read is
 * undefined, which costs nothing to notice as long as it does not happen, and leads to `again`.
 */
export class Arena {
  words: Uint32Array;
  ints: Int32Array;
  halves: Uint16Array;
  bytes: Uint8Array;
  floats: Float32Array;
  doubles: Float64Array;
  longs: BigInt64Array;
  ulongs: BigUint64Array;
  /** Bytes in use. */
  used = FIRST;
  /** Whether bytes fields are copied out, not shown in place. */
  copies = true;
  /** The reference of the message that was decoded last. */
  ref = 0;
  readonly engine: Engine;
  readonly schema: Compiled;
  /** Absent once the message is disposed. */
  region: Region | undefined;
  token: Token | undefined;
  place = 0;
  #texts: Map<number, string> | undefined;
  #indices: Map<number, unknown> | undefined;

  constructor(engine: Engine, schema: Compiled, region: Region) {
    this.engine = engine;
    this.schema = schema;
    this.region = region;
    this.words = region.words;
    this.ints = region.ints;
    this.halves = region.halves;
    this.bytes = region.bytes;
    this.floats = region.floats;
    this.doubles = region.doubles;
    this.longs = region.longs;
    this.ulongs = region.ulongs;
    if (region.words.length !== 0) region.words[0] = 0;
  }

  #look(views: Views): void {
    this.words = views.words;
    this.ints = views.ints;
    this.halves = views.halves;
    this.bytes = views.bytes;
    this.floats = views.floats;
    this.doubles = views.doubles;
    this.longs = views.longs;
    this.ulongs = views.ulongs;
  }

  /** The arena with views that work, after a read gave undefined. */
  again(): this {
    const { region } = this;
    if (region === undefined) throw new SpiculeError('INVALID_STATE', {}, 'the message is disposed');
    if (region.words.length === 0) region.look(this.engine.buffer, region.base, region.size);
    this.#look(region);
    return this;
  }

  /** The same, to begin with; what writes to the arena starts here. */
  ready(): this {
    return this.words.length === 0 ? this.again() : this;
  }

  /** The region that the arena is in after it moved. */
  move(region: Region): void {
    this.region = region;
    if (this.token !== undefined) this.token.regions[this.place] = region;
    this.#look(region);
  }

  /** The reference of `size` new bytes, which hold anything. */
  alloc(size: number): number {
    const ref = this.used;
    const end = ref + ((size + 7) & -8);
    if (end > this.bytes.length) {
      if (this.again().bytes.length < end) this.engine.enlarge(this, end);
    }
    this.used = end;
    return ref;
  }

  /** The reference of a record of `size` bytes, a multiple of 8, all zero. */
  record(size: number): number {
    const ref = this.alloc(size);
    const { words } = this;
    for (let i = ref >> 2, end = (ref + size) >> 2; i < end; i++) words[i] = 0;
    return ref;
  }

  /** The text of `length` bytes of UTF-8; longer ones are decoded once. */
  text(ref: number, length: number): string {
    const { bytes } = this;
    if (length <= SHORT_TEXT) {
      let text = '';
      for (let i = ref; i < ref + length; i++) {
        const byte = bytes[i]!;
        if (byte > 0x7f) return decoder.decode(bytes.subarray(ref, ref + length));
        text += String.fromCharCode(byte);
      }
      return text;
    }
    const known = this.#texts?.get(ref);
    if (known !== undefined) return known;
    const text = decoder.decode(bytes.subarray(ref, ref + length));
    (this.#texts ??= new Map()).set(ref, text);
    return text;
  }

  /** What was remembered of the map at a slot. */
  index(slot: number): unknown {
    return this.#indices?.get(slot);
  }

  remember(slot: number, index: unknown): void {
    (this.#indices ??= new Map()).set(slot, index);
  }

  /** Forgets what was remembered of maps: they have changed. */
  forget(): void {
    this.#indices = undefined;
  }

  /** Empties an arena that is used for one message after the other. */
  reset(schema: Compiled): void {
    (this as { schema: Compiled }).schema = schema;
    this.used = FIRST;
    this.ready().words[0] = 0;
    this.copies = true;
    this.#texts = undefined;
    this.#indices = undefined;
  }

  dispose(): void {
    const { region } = this;
    if (region === undefined) return;
    this.region = undefined;
    this.#look(NO_VIEWS);
    this.#texts = undefined;
    this.#indices = undefined;
    if (this.token !== undefined) this.token.regions[this.place] = undefined;
    this.engine.regions.give(region);
  }
}
