import { type Bytes, aligned, copyInside, copyInto, typedArrayLength } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { CommonExports, WasmInstance } from '../core/instance.js';
import { Arena, type Token } from './arena.js';
import { type Specializer, loadedSpecializer } from './loaded-specializer.js';
import { FIRST, INPUT_PAD, type Region, Regions } from './memory.js';
import type { SchemaSource } from './schema.js';
import type { SpecializedDecoder } from './specialize.js';
import type { SpecializedEncoder } from './specialize-encode.js';
import type { SpecializedTaper } from './specialize-visit.js';
import type { MessageInfo } from './type.js';

type Export = (...words: number[]) => number;

const EXPORTS = [
  'codec_decode', 'codec_decode_merge', 'codec_describe', 'codec_encode', 'codec_equal',
  'codec_give', 'codec_io_address', 'codec_merge', 'codec_schema', 'codec_select', 'codec_take', 'codec_tape',
  'codec_type', 'codec_unknown', 'codec_unknown_append', 'codec_utf8', 'codec_widen',
] as const;

export type CodecExports = CommonExports & Record<(typeof EXPORTS)[number], Export>;

/** Words of the block of arguments and results: as codec_block in wasm/codec.c. */
const IO = {
  base: 0, size: 1, used: 2, limit: 3, ref: 4, length: 5, maxDepth: 6, maxSize: 7, maxCount: 8,
  schema: 9, flags: 10, otherBase: 11, otherUsed: 12, otherRef: 13, status: 14,
} as const;

/** As CODEC_LIMITED: the block has limits too. */
const LIMITED = 2 ** 16;

/** Limits of decoding; 0 stands for the default. */
export interface Limits {
  readonly maxDepth?: number | undefined;
  readonly maxSize?: number | undefined;
  readonly maxCount?: number | undefined;
}

const NO_LIMITS: Limits = {};

/** A schema in the memory of one module. */
export interface Compiled {
  readonly source: SchemaSource;
  readonly address: number;
  /** Addresses of message types by their id. */
  readonly types: number[];
  /** Code that was made for message types, by their id. */
  readonly decoders: SpecializedDecoder[];
  readonly encoders: SpecializedEncoder[];
  readonly tapers: SpecializedTaper[];
}

/** Words of spc_column. */
const COLUMN_WORDS = 7;

/** A field that `select` follows or reads: 1 + the index of the one that it is in, or 0. */
export interface SelectedField {
  readonly parent: number;
  readonly number: number;
}

/** The lists of one, as of spc_column: how many values, and references. */
export interface SelectedLists {
  readonly count: number;
  readonly values: number;
  readonly lengths: number;
  readonly present: number;
  readonly starts: number;
}

/** Bytes at a reference in an arena. */
export class Placed {
  readonly arena: Arena;
  readonly ref: number;
  readonly length: number;

  constructor(arena: Arena, ref: number, length: number) {
    this.arena = arena;
    this.ref = ref;
    this.length = length;
  }

  /** Where they are in the memory: an arena stays in place while the memory grows. */
  get address(): number {
    return this.arena.ready().region!.base + this.ref;
  }
}

/** How many bytes an arena needs at least for input to decode at `at`, beside the record. */
export function roomForInput(length: number, at = FIRST): number {
  return at + length + INPUT_PAD + 8;
}

/** How many arenas of small messages are watched together: watching one costs as much as making it. */
const TOKEN_ARENAS = 16;
const WATCHED_ALONE = 2 ** 16;
/** Results up to this size are copied in a loop. */
const COPY_LOOP_BYTES = 100;
/** How many arenas for passing messages stay, and of how many bytes each. */
const SCRATCHES = 2;
const SCRATCH_BYTES = 2 ** 20;

/** Half of a character, which UTF-8 has no bytes for. */
export const LONE_SURROGATE = /\p{Surrogate}/u;

/** What is used of a TextEncoder, whose type not every consumer of the declarations has. */
interface Encoder {
  encode(text: string): Bytes;
  encodeInto(text: string, out: Uint8Array): { readonly written: number };
}

export const encoder: Encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder();

/** The codec module at work: memory of messages, schemas, and the calls that cross over. */
export class Engine {
  readonly wasm: WasmInstance<CodecExports>;
  readonly regions: Regions;
  readonly #io: number;
  #raw: CodecExports;
  #words!: Uint32Array;
  #bytes!: Uint8Array;
  readonly #compiled = new Map<SchemaSource, Compiled>();
  /** The schema that was asked for last. */
  #last: Compiled | undefined;
  readonly #registry: FinalizationRegistry<(Region | undefined)[]>;
  #token: Token | undefined;
  /** Arenas for one call: more than one where calls are inside others. */
  readonly #scratch: Arena[] = [];
  #disposed = false;
  /** Whether code is made for message types. */
  #specialize: boolean;

  constructor(wasm: WasmInstance<CodecExports>, memoryLimit: number, specialize: boolean) {
    this.#specialize = specialize;
    this.wasm = wasm;
    this.#raw = wasm.exports;
    this.#io = wasm.exports.codec_io_address() >>> 2;
    this.#renew();
    const engine = this;
    this.regions = new Regions(
      {
        take(size) {
          const base = engine.#raw.codec_take(size);
          engine.#refresh();
          return base === 0 ? undefined : { base, size: engine.#words[engine.#io + IO.size]! };
        },
        give: (base, size) => void engine.#raw.codec_give(base, size),
        widen: (base, size, more) => engine.#raw.codec_widen(base, size, more) !== 0,
        get buffer() {
          return engine.buffer;
        },
      },
      memoryLimit,
    );
    this.#registry = new FinalizationRegistry((regions) => {
      if (this.#disposed) return;
      for (const region of regions) if (region !== undefined) this.regions.give(region);
    });
  }

  #renew(): void {
    this.#bytes = this.wasm.bytes;
    this.#words = new Uint32Array(this.#bytes.buffer, 0, this.#bytes.length >>> 2);
  }

  #refresh(): void {
    if (this.#words.length !== 0) return;
    this.wasm.refresh();
    this.#renew();
  }

  /** The memory of now. */
  get buffer(): ArrayBuffer {
    this.#refresh();
    return this.#bytes.buffer as ArrayBuffer;
  }

  /** The address of a buffer of `size` bytes. */
  #buffer(size: number): number {
    const at = this.wasm.reserve(size);
    if (this.#words.length === 0) this.#renew();
    return at;
  }

  /** Copies the input of the next call into the buffer. */
  #input(input: Uint8Array, length = typedArrayLength(input)): number {
    const at = this.#buffer(length);
    this.#copyIn(at, input, length);
    return at;
  }

  /** Copies `length` bytes to an address: no more, should another thread make the input longer. */
  #copyIn(at: number, input: Uint8Array, length: number): void {
    if (length !== 0) copyInto(this.#bytes.subarray(at, at + length), 0, input);
  }

  // ---- Schemas ----

  compiled(source: SchemaSource): Compiled {
    const last = this.#last;
    if (last !== undefined && last.source === source) return last;
    return (this.#last = this.#compiled.get(source) ?? this.#compile(source));
  }

  #compile(source: SchemaSource): Compiled {
    const bytes = source.descriptors();
    const address = this.#raw.codec_schema(this.#input(bytes), bytes.length);
    this.#refresh();
    if (address === 0) this.wasm.check(1);
    this.wasm.releaseBuffer();
    const compiled = { source, address, types: [], decoders: [], encoders: [], tapers: [] };
    this.#compiled.set(source, compiled);
    return compiled;
  }

  /** The address of the type of that name, 0 if there is none. */
  typeNamed(compiled: Compiled, name: string): number {
    const bytes = encoder.encode(name);
    return this.#raw.codec_type(compiled.address, this.#input(bytes), bytes.length);
  }

  typeAddress(compiled: Compiled, type: MessageInfo): number {
    const known = compiled.types[type.id];
    if (known !== undefined) return known;
    const address = this.typeNamed(compiled, type.name);
    if (address === 0) throw new SpiculeError('UNKNOWN_TYPE', { path: type.name });
    compiled.types[type.id] = address;
    return address;
  }

  /** What codec_describe tells of a type. */
  describe(type: number): Uint32Array {
    let capacity = 1024;
    for (;;) {
      const at = this.#buffer(4 * capacity);
      const words = this.#raw.codec_describe(type, at, capacity);
      if (words <= capacity) return this.#words.slice(at >>> 2, (at >>> 2) + words);
      capacity = words;
    }
  }

  /** The text at an address, which ends with a zero where no length is given. */
  textAt(address: number, length?: number): string {
    const end = length === undefined ? this.#bytes.indexOf(0, address) : address + length;
    return decoder.decode(this.#bytes.subarray(address, end));
  }

  // ---- Arenas ----

  /** An arena of its own with room for `size` bytes, given back when nothing refers to it. */
  arena(schema: Compiled, size: number, least = size): Arena {
    if (this.#disposed) throw new SpiculeError('INVALID_STATE', {}, 'disposed');
    let token = this.#token;
    if (token === undefined || token.regions.length >= TOKEN_ARENAS || size > WATCHED_ALONE) {
      token = { regions: [] };
      this.#registry.register(token, token.regions);
      if (size <= WATCHED_ALONE) this.#token = token;
    }
    return new Arena(this, schema, this.regions.take(size, least), token);
  }

  /** An empty arena for one call, which `release` has to follow. */
  borrow(schema: Compiled, size: number, least: number): Arena {
    const arena = this.#scratch.pop();
    if (arena !== undefined && arena.ready().bytes.length >= size) {
      arena.reset(schema);
      return arena;
    }
    arena?.dispose();
    return new Arena(this, schema, this.regions.take(size, least), undefined);
  }

  release(arena: Arena): void {
    if (this.#disposed) return;
    arena.source = undefined;
    if (this.#scratch.length === SCRATCHES || arena.region!.size > SCRATCH_BYTES) arena.dispose();
    else this.#scratch.push(arena);
  }

  /** Runs `use` with an arena that is free again afterwards. */
  passing<T>(schema: Compiled, size: number, least: number, use: (arena: Arena) => T): T {
    const arena = this.borrow(schema, size, least);
    try {
      return use(arena);
    } finally {
      this.release(arena);
    }
  }

  /** Moves an arena to where it has at least `needed` bytes. */
  enlarge(arena: Arena, needed: number): void {
    if (!(needed <= 2 ** 31)) throw this.regions.exhausted();
    const old = arena.ready().region!;
    const widened = this.regions.widen(old, 2 * needed);
    if (widened !== undefined) {
      arena.move(widened);
      return;
    }
    const region = this.regions.take(2 * needed, needed);
    if (old.bytes.length === 0) old.look(this.buffer);
    region.bytes.set(old.bytes.subarray(0, arena.used));
    arena.move(region);
    this.regions.give(old);
  }

  /** Makes an arena the one of the next call. */
  #enter(arena: Arena, limits: Limits = NO_LIMITS): void {
    const { region } = arena;
    if (region === undefined) arena.again();
    const words = this.#words;
    const io = this.#io;
    words[io + IO.base] = region!.base;
    words[io + IO.size] = region!.size;
    words[io + IO.used] = arena.used;
    words[io + IO.limit] = this.regions.left;
    this.#limit(0, limits);
    arena.cleared = 0;
  }

  /** After the call: the arena may have moved, and the memory grown. */
  #leave(arena: Arena, status: number): void {
    this.#refresh();
    const words = this.#words;
    const io = this.#io;
    const base = words[io + IO.base]!;
    const old = arena.region!;
    arena.used = words[io + IO.used]!;
    arena.ref = words[io + IO.ref]!;
    if (base !== old.base) {
      // What was allocated stays counted until the next collection; sizes above the limit are not.
      arena.move(this.regions.adopt(base, words[io + IO.size]!));
      this.regions.give(old);
    } else if (arena.words.length === 0) {
      arena.again();
    }
    if (status !== 0) this.#fail();
  }

  #fail(): never {
    try {
      this.wasm.check(1);
    } catch (error) {
      if (error instanceof SpiculeError && error.code === 'OUT_OF_MEMORY') {
        throw this.regions.exhausted();
      }
      throw error;
    }
    throw new SpiculeError('INTERNAL');
  }

  // ---- Binary format ----

  /** What makes code for message types, if there is to be any, and it may run. */
  get specializer(): Specializer | undefined {
    return this.#specialize && !this.wasm.spoiled ? loadedSpecializer() : undefined;
  }

  /** Copies input of an arena to where `decode` takes it from, the start of one by default. */
  put(arena: Arena, input: Placed, at = FIRST): void {
    const from = input.address;
    copyInside(this.#bytes, arena.region!.base + at, from, from + input.length);
  }

  /**
   * Decodes the `length` bytes that are the first of an arena which is empty otherwise, and in which
   * they have `roomForInput`; the message is then `arena.ref`.
   */
  decode(
    arena: Arena,
    type: MessageInfo,
    length: number,
    flags: number,
    limits: Limits | undefined,
  ): void {
    // Code that was made may run out of stack: it changes nothing before the arena is its own.
    if (this.specializer?.decode(this, arena, type, length, limits)) return;
    this.#decode(arena, type, length, flags, limits, FIRST);
    type.decoding.learn(length, arena.used);
  }

  /** Decodes bytes that are in an arena, or leaves that as it was; the message is then `arena.ref`. */
  decodeWithin(
    arena: Arena,
    type: MessageInfo,
    input: Placed,
    flags: number,
    limits: Limits | undefined,
  ): void {
    const { ref, length } = input;
    const { used } = arena;
    const at = aligned(used);
    const needed = roomForInput(length, at) + type.size;
    if (arena.region!.size < needed) this.enlarge(arena, needed);
    arena.cleared = 0;
    // What is behind the bytes is to be of no use to what is made.
    const apart = ref + length + INPUT_PAD <= used;
    if (apart && this.specializer?.decode(this, arena, type, length, limits, ref, at)) return;
    this.put(arena, input, at);
    try {
      this.#decode(arena, type, length, flags, limits, at);
    } catch (error) {
      arena.used = used;
      throw error;
    }
  }

  /** Decodes by tables what is behind what is used of an arena, at a multiple of 8. */
  #decode(
    arena: Arena,
    type: MessageInfo,
    length: number,
    flags: number,
    limits: Limits | undefined,
    at: number,
  ): void {
    const { wasm } = this;
    const address = this.typeAddress(arena.schema, type);
    const { base, size } = arena.region!;
    // Straight, as this is what a small message spends its time on: see `raw`.
    wasm.probe();
    const given = limits === undefined ? flags : this.#limit(flags, limits);
    let ref: number;
    try {
      ref = wasm.raw.codec_decode(address, base, size, at, length, given, this.regions.left);
    } catch (error) {
      throw wasm.failed(error);
    }
    const used = this.#words[this.#io + IO.used];
    if (ref !== 0 && used !== undefined) {
      arena.used = used;
      arena.ref = ref;
    } else {
      this.#refresh();
      try {
        this.#leave(arena, this.#words[this.#io + IO.status]!);
      } catch (error) {
        // What waits for small messages counts as taken: the module can't use it, but it can be given back.
        const full = error instanceof SpiculeError && error.code === 'OUT_OF_MEMORY';
        if (!full || !this.regions.reclaim()) throw error;
        arena.used = at;
        this.#decode(arena, type, length, flags, limits, at);
      }
    }
  }

  #limit(flags: number, { maxDepth, maxSize, maxCount }: Limits): number {
    const words = this.#words;
    const io = this.#io;
    words[io + IO.maxDepth] = maxDepth ?? 0;
    words[io + IO.maxSize] = maxSize ?? 0;
    words[io + IO.maxCount] = maxCount ?? 0;
    return flags | LIMITED;
  }

  /** Gives back what a large arena does not use. */
  trim(arena: Arena): void {
    const region = arena.region!;
    if (region.size <= WATCHED_ALONE) return;
    const kept = this.regions.trim(region, arena.used);
    if (kept !== region) arena.move(kept);
  }

  decodeMerge(
    arena: Arena,
    type: MessageInfo,
    ref: number,
    input: Uint8Array,
    flags: number,
    limits: Limits | undefined,
  ): void {
    const address = this.typeAddress(arena.schema, type);
    arena.forget();
    const length = typedArrayLength(input);
    const at = this.#input(input, length);
    this.#enter(arena, limits);
    this.#leave(arena, this.#raw.codec_decode_merge(address, ref, at, length, flags | LIMITED));
  }

  /** Encodes; `take` gets the memory and the place of the bytes in it. */
  encode<T>(
    arena: Arena,
    type: MessageInfo,
    ref: number,
    flags: number,
    limits: Limits | undefined,
    take: (memory: Uint8Array, start: number, end: number) => T,
  ): T {
    const address = this.typeAddress(arena.schema, type);
    const specializer = this.#specialize ? loadedSpecializer() : undefined;
    const special = specializer?.encoderFor(this, arena, type, address);
    let capacity = type.room();
    for (;;) {
      const at = this.#buffer(capacity);
      let length = special === undefined ? 0 : specializer!.encode(special, arena, ref, at, capacity, limits);
      let status = 0;
      if (length === 0) {
        this.#enter(arena, limits);
        status = this.#raw.codec_encode(address, ref, at, capacity, flags);
        length = this.#words[this.#io + IO.length]!;
      }
      if (status === 0) {
        type.wrote(length);
        const taken = take(this.#bytes, at + capacity - length, at + capacity);
        if (capacity > SCRATCH_BYTES) this.wasm.releaseBuffer();
        return taken;
      }
      if (length <= capacity) this.#fail();
      capacity = aligned(length);
    }
  }

  /**
   * Writes the next part of what a visitor is told of the message at a reference, or of that of before, to
   * an arena for that alone; gives where the part ends in it.
   */
  tape(arena: Arena, type: MessageInfo, ref: number, tape: Arena): number {
    const address = this.typeAddress(arena.schema, type);
    const { base, size } = tape.region!;
    const end = this.#raw.codec_tape(address, arena.region!.base, ref, base + FIRST, base + size);
    if (end === 0) this.#fail();
    return end - base;
  }

  // ---- ProtoJSON ----

  /**
   * Runs a function of ProtoJSON on an arena, with a text in the buffer or room for one: gives where that
   * is, and the length of what was written. Room that is too small is no error.
   */
  callJson(
    arena: Arena,
    registry: Compiled,
    flags: number,
    limits: Limits | undefined,
    text: Bytes | number,
    run: (at: number) => number,
  ): { at: number; length: number } {
    const room = typeof text === 'number' ? text : text.length;
    const at = typeof text === 'number' ? this.#buffer(room) : this.#input(text);
    this.#enter(arena, limits);
    this.#words[this.#io + IO.schema] = registry.address;
    this.#words[this.#io + IO.flags] = flags;
    this.#words[this.#io + IO.length] = 0;
    const status = run(at);
    this.#refresh();
    const length = this.#words[this.#io + IO.length]!;
    this.#leave(arena, length > room ? 0 : status);
    return { at, length };
  }

  // ---- Whole messages ----

  /** Names the other message of the next call. Both arenas have their types from one schema. */
  #other(arena: Arena, ref: number): void {
    const io = this.#io;
    this.#words[io + IO.otherBase] = arena.ready().region!.base;
    this.#words[io + IO.otherUsed] = arena.used;
    this.#words[io + IO.otherRef] = ref;
  }

  merge(arena: Arena, type: MessageInfo, ref: number, from: Arena, fromRef: number): void {
    const address = this.typeAddress(arena.schema, type);
    arena.forget();
    this.#refresh();
    this.#enter(arena.ready());
    this.#other(from, fromRef);
    this.#leave(arena, this.#raw.codec_merge(address, ref));
  }

  equal(arena: Arena, type: MessageInfo, ref: number, other: Arena, otherRef: number): boolean {
    const address = this.typeAddress(arena.schema, type);
    this.#refresh();
    this.#enter(arena.ready());
    this.#other(other, otherRef);
    return this.#raw.codec_equal(address, ref) !== 0;
  }

  /**
   * Reads columns: the fields of a tree, each with what it is in before it. The results are references in `arena`.
   */
  select(
    arena: Arena,
    type: MessageInfo,
    fields: readonly SelectedField[],
    input: Uint8Array | Placed,
  ): SelectedLists[] {
    const address = this.typeAddress(arena.schema, type);
    const placed = input instanceof Placed;
    const length = placed ? input.length : typedArrayLength(input);
    const fieldsAt = placed ? 0 : aligned(length);
    const buffer = this.#buffer(fieldsAt + 4 * COLUMN_WORDS * fields.length);
    const at = placed ? input.address : buffer;
    if (!placed) this.#copyIn(at, input, length);
    const first = (buffer + fieldsAt) >>> 2;
    fields.forEach(({ parent, number }, i) => {
      this.#words[first + COLUMN_WORDS * i] = parent;
      this.#words[first + COLUMN_WORDS * i + 1] = number;
    });
    this.#enter(arena);
    this.#leave(arena, this.#raw.codec_select(address, at, length, buffer + fieldsAt, fields.length));
    const words = this.#words.slice(first, first + COLUMN_WORDS * fields.length);
    if (length > WATCHED_ALONE) this.wasm.releaseBuffer();
    return fields.map((_, i) => {
      const [count, values, lengths, present, starts] = words.subarray(COLUMN_WORDS * i + 2);
      return { count, values, lengths, present, starts } as SelectedLists;
    });
  }

  /** The newest span of unknown fields, or 0. */
  unknown(arena: Arena, type: MessageInfo, ref: number): number {
    const address = this.typeAddress(arena.schema, type);
    this.#enter(arena);
    return this.#raw.codec_unknown(address, ref);
  }

  appendUnknown(arena: Arena, type: MessageInfo, ref: number, fields: Uint8Array): void {
    const address = this.typeAddress(arena.schema, type);
    const length = typedArrayLength(fields);
    const at = this.#input(fields, length);
    this.#enter(arena.ready());
    this.#leave(arena, this.#raw.codec_unknown_append(address, ref, at, length));
  }

  dispose(): void {
    this.#disposed = true;
    // Code that was made would keep the memory, and messages keep what was compiled.
    this.#specialize = false;
    for (const { decoders, encoders, tapers } of this.#compiled.values()) {
      decoders.length = encoders.length = tapers.length = 0;
    }
    this.#scratch.length = 0;
    this.wasm.dispose();
    const refuse = (): never => {
      throw new SpiculeError('INVALID_STATE', {}, 'disposed');
    };
    this.#raw = new Proxy({} as CodecExports, { get: refuse });
  }
}

/** A copy of a part of the memory. */
export function copied(memory: Uint8Array, start: number, end: number): Bytes {
  const length = end - start;
  const out = new Uint8Array(length);
  if (length > COPY_LOOP_BYTES) out.set(memory.subarray(start, end));
  else for (let i = 0; i < length; i++) out[i] = memory[start + i]!;
  return out;
}
