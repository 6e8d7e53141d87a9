import { copyInto, plainBytes, typedArrayLength } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Compiled, Engine } from './engine.js';
import { FIRST, NO_VIEWS, type Region, type Views } from './memory.js';

/**
 * Regions that are given back together when no arena of theirs can be reached any more: those of
 * arenas that were disposed are no longer among them.
 */
export interface Token {
  readonly regions: (Region | undefined)[];
}

const SHORT_TEXT = 32;
/** How far ahead of the records in use memory is made zero, and how many words a loop is quick for. */
const CLEARED_AHEAD = 4096;
const CLEAR_LOOP = 32;
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The memory of a message and all below it. Everything inside is named by its offset from the
 * start, so that the arena may move when it grows.
 *
 * Views of memory that has moved, grown or been disposed have no elements: what is read is
 * undefined, which costs nothing to notice as long as it does not happen, and leads to `again`.
 * Making an arena is a good part of what a small message costs, so it has few fields.
 */
export class Arena {
  words: Uint32Array;
  bytes: Uint8Array;
  /** Where the views of less use are. */
  views: Views;
  /** Bytes in use. */
  used = FIRST;
  /** Where bytes from `used` on that are known to be zero end, if there are any. */
  cleared = 0;
  /** Whether bytes fields are copied out, not shown in place. */
  copies = true;
  /** The input, where bytes fields show it in place: it is at the start of the arena too. */
  source: Uint8Array | undefined = undefined;
  /** The reference of the message that was decoded last. */
  ref = 0;
  readonly engine: Engine;
  schema: Compiled;
  /** Absent once the message is disposed. */
  region: Region | undefined;
  token: Token | undefined;
  place = 0;
  texts: Map<number, string> | undefined = undefined;
  indices: Map<number, unknown> | undefined = undefined;

  constructor(engine: Engine, schema: Compiled, region: Region, token: Token | undefined) {
    this.engine = engine;
    this.schema = schema;
    this.region = region;
    this.views = region;
    this.words = region.words;
    this.bytes = region.bytes;
    this.token = token;
    if (token !== undefined) this.place = token.regions.push(region) - 1;
    if (region.words.length !== 0) region.words[0] = 0;
  }

  get ints(): Int32Array {
    return this.views.ints;
  }

  get floats(): Float32Array {
    return this.views.floats;
  }

  get doubles(): Float64Array {
    return this.views.doubles;
  }

  get longs(): BigInt64Array {
    return this.views.longs;
  }

  get ulongs(): BigUint64Array {
    return this.views.ulongs;
  }

  #look(views: Views): void {
    this.views = views;
    this.words = views.words;
    this.bytes = views.bytes;
  }

  /** The arena with views that work, after a read gave undefined. */
  again(): this {
    const { region } = this;
    if (region === undefined) {
      const what = this.engine === undefined ? 'the cursor points to no message' : 'the message or view is disposed';
      throw new SpiculeError('INVALID_STATE', {}, what);
    }
    if (region.words.length === 0) region.look(this.engine.buffer);
    this.#look(region);
    return this;
  }

  /**
   * The same, to begin with; what writes to the arena starts here. To ask for an element is quicker
   * than to ask for the length.
   */
  ready(): this {
    return this.words[0] === undefined ? this.again() : this;
  }

  /**
   * Copies input to the start, where `Engine.decode` takes it from. Before the arena was made, it had that
   * length and was at that offset: a part of the memory, as a visitor has it, is where it was when that grew.
   * It can be shared with bytes fields unless it was such a part.
   */
  put(input: Uint8Array, length: number, offset: number, share = false): void {
    // What has lost its memory has no bytes.
    if (length === 0) return;
    const { bytes } = this;
    const lost = typedArrayLength(input) === 0;
    copyInto(bytes, FIRST, lost ? new Uint8Array(bytes.buffer, offset, length) : input);
    if (share && !lost) this.source = plainBytes(input).subarray(0, length);
  }

  /** The region that the arena is in after it moved. */
  move(region: Region): void {
    this.region = region;
    this.cleared = 0;
    if (this.token !== undefined) this.token.regions[this.place] = region;
    this.#look(region);
  }

  /** The reference of `size` new bytes, which hold anything. */
  alloc(size: number): number {
    const ref = this.used;
    // A size may be larger than what operators of 32 bits take.
    const end = ref + size + (-size & 7);
    if (this.bytes[end - 1] === undefined) {
      if (!(this.again().bytes.length >= end)) this.engine.enlarge(this, end);
    }
    this.used = end;
    return ref;
  }

  /** The reference of a record of `size` bytes, a multiple of 8, all zero. */
  record(size: number): number {
    return this.ready().fresh(size);
  }

  /** The same where the views work. References are below 2^31, which engines have to be told. */
  fresh(size: number): number {
    const ref = this.used;
    const end = ref + size;
    if (end > this.cleared) return this.clear(size) | 0;
    this.used = end;
    return ref | 0;
  }

  /** The same past what is zero: clears as much ahead as is in use, up to a limit. */
  clear(size: number): number {
    const ref = this.alloc(size);
    const { words } = this;
    const start = ref >> 2;
    const end = Math.min((ref + size + Math.min(ref, CLEARED_AHEAD)) >> 2, words.length);
    if (end - start > CLEAR_LOOP) words.fill(0, start, end);
    else for (let i = start; i < end; i++) words[i] = 0;
    this.cleared = end << 2;
    return ref;
  }

  /** The text of `length` bytes of UTF-8; longer ones are decoded once. */
  text(ref: number, length: number): string {
    const { bytes } = this;
    if (length <= SHORT_TEXT) {
      const text = asciiOf(bytes, ref, ref + length);
      return text ?? decoder.decode(bytes.subarray(ref, ref + length));
    }
    const known = this.texts?.get(ref);
    if (known !== undefined) return known;
    const text = decoder.decode(bytes.subarray(ref, ref + length));
    (this.texts ??= new Map()).set(ref, text);
    return text;
  }

  /** What was remembered of the map at a slot. */
  index(slot: number): unknown {
    return this.indices?.get(slot);
  }

  remember(slot: number, index: unknown): void {
    (this.indices ??= new Map()).set(slot, index);
  }

  /** Forgets what was remembered of maps: they have changed. */
  forget(): void {
    this.indices = undefined;
  }

  /** Empties an arena that is used for one message after the other. */
  reset(schema: Compiled): void {
    this.schema = schema;
    this.used = FIRST;
    this.cleared = 0;
    this.ready().words[0] = 0;
    this.copies = true;
    this.texts = undefined;
    this.indices = undefined;
  }

  dispose(): void {
    const { region, token } = this;
    if (region === undefined) return;
    this.region = undefined;
    this.#look(NO_VIEWS);
    this.source = undefined;
    this.texts = undefined;
    this.indices = undefined;
    if (token !== undefined) {
      const { regions } = token;
      regions[this.place] = undefined;
      // The places at the end serve again: messages that are disposed in turn need no new token.
      while (regions.length !== 0 && regions[regions.length - 1] === undefined) regions.pop();
    }
    this.engine.regions.give(region);
  }
}

/** The text of bytes if they are all ASCII: as many at a time as is quick. */
function asciiOf(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = '';
  let i = start;
  for (; i + 8 <= end; i += 8) {
    const a = bytes[i]!, b = bytes[i + 1]!, c = bytes[i + 2]!, d = bytes[i + 3]!;
    const e = bytes[i + 4]!, f = bytes[i + 5]!, g = bytes[i + 6]!, h = bytes[i + 7]!;
    if ((a | b | c | d | e | f | g | h) > 0x7f) return undefined;
    text += String.fromCharCode(a, b, c, d, e, f, g, h);
  }
  if (i + 4 <= end) {
    const a = bytes[i]!, b = bytes[i + 1]!, c = bytes[i + 2]!, d = bytes[i + 3]!;
    if ((a | b | c | d) > 0x7f) return undefined;
    text += String.fromCharCode(a, b, c, d);
    i += 4;
  }
  for (; i < end; i++) {
    if (bytes[i]! > 0x7f) return undefined;
    text += String.fromCharCode(bytes[i]!);
  }
  return text;
}
