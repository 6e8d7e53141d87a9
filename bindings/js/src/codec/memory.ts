import { SpiculeError } from '../core/error.js';

/** As SPC_ARENA_ALIGNMENT: what an arena hands out first, as reference 0 stands for "none". */
export const FIRST = 8;
/** As SPC__PAD: zero bytes behind input. */
export const INPUT_PAD = 16;

const SMALLEST_BITS = 10;
const SLAB_BITS = 18;
const LARGEST_SMALL_BITS = 16;
const LARGE_STEP = 2 ** 16;

/** Where a module's memory comes from. */
export interface Source {
  /** A new region of at least `size` bytes: its address and true size; undefined if there is none. */
  take(size: number): { readonly base: number; readonly size: number } | undefined;
  give(base: number, size: number): void;
  /** Makes a region longer where it is, by a multiple of 16, if what is behind it is free. */
  widen(base: number, size: number, more: number): boolean;
  /** The whole memory, with the views of now. */
  readonly buffer: ArrayBuffer;
}

interface Slab {
  readonly base: number;
  readonly bits: number;
  live: number;
}

const NO_BUFFER = /* @__PURE__ */ new ArrayBuffer(0);

interface ViewClass<T> {
  new (buffer: ArrayBufferLike, base: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** A view of the same memory; an empty one where that is detached. */
function viewOf<T>(type: ViewClass<T>, { base, bytes }: Views): T {
  if (bytes.length === 0) return new type(NO_BUFFER, 0, 0);
  return new type(bytes.buffer, base, bytes.length / type.BYTES_PER_ELEMENT);
}

/** The views that a region is read and written through; those of less use are made when asked for. */
export class Views {
  readonly base: number;
  readonly size: number;
  words: Uint32Array;
  bytes: Uint8Array;
  #ints: Int32Array | undefined;
  #floats: Float32Array | undefined;
  #doubles: Float64Array | undefined;
  #longs: BigInt64Array | undefined;
  #ulongs: BigUint64Array | undefined;

  constructor(buffer: ArrayBuffer, base: number, size: number) {
    this.base = base;
    this.size = size;
    this.words = new Uint32Array(buffer, base, size >>> 2);
    this.bytes = new Uint8Array(buffer, base, size);
  }

  /** Views of the memory of now. */
  look(buffer: ArrayBuffer): void {
    this.words = new Uint32Array(buffer, this.base, this.size >>> 2);
    this.bytes = new Uint8Array(buffer, this.base, this.size);
    this.#ints = undefined;
    this.#floats = undefined;
    this.#doubles = undefined;
    this.#longs = undefined;
    this.#ulongs = undefined;
  }

  get ints(): Int32Array {
    return (this.#ints ??= viewOf(Int32Array, this));
  }

  get floats(): Float32Array {
    return (this.#floats ??= viewOf(Float32Array, this));
  }

  get doubles(): Float64Array {
    return (this.#doubles ??= viewOf(Float64Array, this));
  }

  // These two are made elsewhere, as readers that engines inline use them: see scalar.ts.

  get longs(): BigInt64Array {
    return this.#longs ?? this.makeLongs();
  }

  makeLongs(): BigInt64Array {
    return (this.#longs = viewOf(BigInt64Array, this));
  }

  get ulongs(): BigUint64Array {
    return this.#ulongs ?? this.makeUlongs();
  }

  makeUlongs(): BigUint64Array {
    return (this.#ulongs = viewOf(BigUint64Array, this));
  }
}

/** What views of a disposed message see: every read gives undefined. */
export const NO_VIEWS: Views = /* @__PURE__ */ new Views(NO_BUFFER, 0, 0);

/** A piece of the module's memory, for one arena at a time. */
export class Region extends Views {
  readonly slab: Slab | undefined;

  constructor(buffer: ArrayBuffer, base: number, size: number, slab: Slab | undefined) {
    super(buffer, base, size);
    this.slab = slab;
  }
}

/**
 * Regions of arenas under a limit. Small ones have sizes that are powers of two and come from slabs,
 * which keep them for the next arena of the size; large ones go back to the module at once.
 */
export class Regions {
  /** Most bytes that regions may take. */
  readonly limit: number;
  readonly #source: Source;
  readonly #free: Region[][] = [];
  readonly #slabs = new Set<Slab>();
  #taken = 0;

  constructor(source: Source, limit: number) {
    this.#source = source;
    this.limit = limit;
    for (let bits = SMALLEST_BITS; bits <= LARGEST_SMALL_BITS; bits++) this.#free[bits] = [];
  }

  /** Bytes that regions take, those that wait for an arena included. */
  get taken(): number {
    return this.#taken;
  }

  /** Bytes that the limit leaves. */
  get left(): number {
    return Math.min(this.limit - this.#taken, 2 ** 31);
  }

  /** A region of at least `least` bytes, `wanted` if there is as much. */
  take(wanted: number, least: number): Region {
    if (wanted <= 1 << LARGEST_SMALL_BITS) {
      const bits = Math.max(SMALLEST_BITS, 32 - Math.clz32(wanted - 1));
      const region = this.#free[bits]!.pop() ?? this.#small(bits);
      region.slab!.live++;
      if (region.words.length === 0) region.look(this.#source.buffer);
      return region;
    }
    const size = Math.ceil(wanted / LARGE_STEP) * LARGE_STEP;
    if (this.#taken + size > this.limit) this.reclaim();
    const room = Math.min(size, this.left & -LARGE_STEP);
    const got = room < least ? undefined : (this.#source.take(room) ?? this.#source.take(least));
    if (got === undefined) throw this.exhausted();
    return this.adopt(got.base, got.size);
  }

  /** The region with at least `wanted` bytes where it is, if it is large and that is possible. */
  widen(region: Region, wanted: number): Region | undefined {
    const more = Math.ceil((wanted - region.size) / LARGE_STEP) * LARGE_STEP;
    if (region.slab !== undefined || wanted > 2 ** 31 || more > this.left) return undefined;
    if (!this.#source.widen(region.base, region.size, more)) return undefined;
    this.#taken += more;
    return new Region(this.#source.buffer, region.base, region.size + more, undefined);
  }

  /** A region that the module took itself. */
  adopt(base: number, size: number): Region {
    this.#taken += size;
    return new Region(this.#source.buffer, base, size, undefined);
  }

  give(region: Region): void {
    const { slab } = region;
    if (slab !== undefined) {
      slab.live--;
      this.#free[slab.bits]!.push(region);
      return;
    }
    this.#taken -= region.size;
    this.#source.give(region.base, region.size);
  }

  /** Gives back what lies behind the first `size` bytes of a large region. */
  trim(region: Region, size: number): Region {
    const kept = Math.ceil(size / LARGE_STEP) * LARGE_STEP;
    if (region.slab !== undefined || region.size - kept < LARGE_STEP) return region;
    this.#source.give(region.base + kept, region.size - kept);
    this.#taken -= region.size - kept;
    return new Region(this.#source.buffer, region.base, kept, undefined);
  }

  exhausted(): SpiculeError {
    const note = 'the messages of this codec instance; dispose() of messages frees memory';
    return new SpiculeError('OUT_OF_MEMORY', { limit: this.limit }, note);
  }

  #small(bits: number): Region {
    const size = 1 << SLAB_BITS;
    if (this.#taken + size > this.limit) this.reclaim();
    const got = this.#taken + size > this.limit ? undefined : this.#source.take(size);
    if (got === undefined) throw this.exhausted();
    this.#taken += size;
    const slab: Slab = { base: got.base, bits, live: 0 };
    this.#slabs.add(slab);
    const { buffer } = this.#source;
    for (let at = 1 << bits; at < size; at += 1 << bits) {
      this.#free[bits]!.push(new Region(buffer, slab.base + at, 1 << bits, slab));
    }
    return new Region(buffer, slab.base, 1 << bits, slab);
  }

  /** Gives back the slabs that no arena uses; whether there were any. */
  reclaim(): boolean {
    const idle = [...this.#slabs].filter(({ live }) => live === 0);
    if (idle.length === 0) return false;
    for (const slab of idle) this.#slabs.delete(slab);
    this.#free.forEach((regions, bits) => {
      this.#free[bits] = regions.filter(({ slab }) => this.#slabs.has(slab!));
    });
    // In order, so that neighbours become one.
    for (const { base } of idle.sort((a, b) => a.base - b.base)) {
      this.#source.give(base, 1 << SLAB_BITS);
      this.#taken -= 1 << SLAB_BITS;
    }
    return true;
  }
}
