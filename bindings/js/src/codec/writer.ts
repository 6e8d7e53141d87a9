import {
  type Bytes, copyInside, copyInto, isBytes, plainArgument, roomFor, typedArrayLength, u32Argument,
  uncleared, wrongType,
} from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { LONE_SURROGATE, encoder } from './engine.js';
import type { Message } from './message.js';
import { DEPTH_MAX } from './record.js';
import { float, int64, integer, uint64 } from './scalar.js';

// Writers put the bytes of a message behind each other as its fields are set: no record is made, and
// the WebAssembly module has no part in it. A message that is opened has a byte kept for its length,
// or as many as the last one in that place needed; where that is wrong, it moves when it is closed.
//
// The object for a message belongs to a place in the nesting, and serves again for every message
// there. Each place has numbers of its own, from `$b` on: one for "no field yet" and one for each
// field in order. The output's `turn` is that of the last field of the innermost open message, so that
// one comparison tells whether a field may come: its message is the innermost, and its turn has come.
// What goes wrong leaves `turn` at a number that no place has.

/** What is left behind `limit`, as the small things that are written at once need less. */
const SLACK = 128;
const FIRST_SIZE = 1024;
const LARGEST = 2 ** 31 - 1;
/** A buffer that is larger is not kept after a message that took less than a quarter of it. */
const KEPT = 2 ** 20;
const FAILED = -1;
const LOOP_BYTES = 24;
/** The first 28 bits of an integer, and what the others of a safe one are below. */
const BITS_28 = 2 ** 28;
const REST = 2 ** 25;

/** Whether a value is written: zero is not; undefined is not; or anything else is an error. */
export const IMPLICIT = 0;
export const EXPLICIT = 1;
export const ELEMENT = 2;

/** How many bytes a message has for its length: none for a group; two lengths for a map's entry. */
export const GROUP = 0;
export const ENTRY = -1;

const halves = /* @__PURE__ */ new Int32Array(2);
const longs = /* @__PURE__ */ new BigInt64Array(halves.buffer);

/** Writes a value at a place, with its tag unless that is 0; gives where it ends. */
export type Put = (
  this: Output, at: number, tag: number, value: unknown, always: number, name: string,
) => number;

/** The bytes of one writer. Methods, as engines check less to call one than an imported function. */
export class Output {
  bytes: Uint8Array = new Uint8Array(FIRST_SIZE);
  view: DataView = new DataView(this.bytes.buffer);
  limit = FIRST_SIZE - SLACK;
  position = 0;
  turn = FAILED;
  readonly #places: MessageWriter[] = [];
  #turns = 0;

  /** The first number of a new place. */
  place(writer: MessageWriter): number {
    this.#places.push(writer);
    const base = this.#turns;
    this.#turns += writer.$count + 1;
    return base;
  }

  /** Makes room for `more` bytes behind `at`, and the slack. */
  grow(at: number, more: number): void {
    const needed = at + more + SLACK;
    if (needed > LARGEST) {
      this.turn = FAILED;
      throw new SpiculeError('SIZE_LIMIT', { limit: LARGEST });
    }
    this.#use(new Uint8Array(Math.min(Math.max(2 * this.bytes.length, needed), LARGEST)), this.bytes);
  }

  #use(bytes: Uint8Array, from?: Uint8Array): void {
    if (from !== undefined) copyInto(bytes, 0, from);
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
    this.limit = bytes.length - SLACK;
  }

  begin(writer: MessageWriter): void {
    const { length } = this.bytes;
    if (length > KEPT && this.position < length / 4) this.#use(new Uint8Array(FIRST_SIZE));
    this.position = 0;
    this.turn = writer.$b;
    writer.$m = [];
  }

  // ---- Turns and messages ----

  /** Where a field may be written whose turn it is; `before` is one more than the turn may be. */
  at(base: number, before: number, turn: number, name: string): number {
    if ((this.turn - base) >>> 0 >= before) this.misuse(base, name);
    this.turn = base + turn;
    const at = this.position;
    if (at > this.limit) this.grow(at, 0);
    return at;
  }

  /** Takes the place of a member in a oneof whose members order does not tell apart. */
  member(writer: MessageWriter, oneof: number, name: string): void {
    if (writer.$m.includes(oneof)) {
      this.turn = FAILED;
      throw new SpiculeError('FIELD_ORDER', { path: pathOf(writer, name) }, 'its oneof has another member');
    }
    writer.$m.push(oneof);
  }

  /** Opens a message; gives where its first field comes. */
  open(base: number, before: number, tag: number, inner: number, reserved: number, name: string): number {
    if ((this.turn - base) >>> 0 >= before) this.misuse(base, name);
    let at = this.position;
    if (at > this.limit) this.grow(at, 0);
    at = this.tag(at, tag) + reserved;
    this.position = at;
    this.turn = inner;
    return at;
  }

  /** Opens the value of a map's entry, whose key ends at a place. */
  value(at: number, inner: number): number {
    this.bytes[at] = 0x12;
    this.position = at + 2;
    this.turn = inner;
    return at + 2;
  }

  /** Closes a message if that takes no more than to fill in one byte. */
  close(base: number, count: number, start: number, reserved: number, turn: number): boolean {
    const length = this.position - start;
    if (reserved !== 1 || length > 127 || (this.turn - base) >>> 0 > count) return false;
    this.bytes[start - 1] = length;
    this.turn = turn;
    return true;
  }

  /** Closes any message. */
  leave(writer: MessageWriter): void {
    this.check(writer, 'close', writer.$p !== undefined);
    if (this.position > this.limit) this.grow(this.position, 0);
    if (writer.$g === GROUP) {
      this.position = this.tag(this.position, writer.$e);
    } else if (writer.$g === ENTRY) {
      this.length(writer.$i, 1);
      this.length(writer.$e, 1);
    } else {
      writer.$g = this.length(writer.$i, writer.$g);
    }
    this.turn = writer.$a;
  }

  /** Fills in the length of what begins at `start`, which moves if that has not `reserved` bytes. */
  length(start: number, reserved: number): number {
    const length = this.position - start;
    let size = 1;
    for (let rest = length >>> 7; rest !== 0; rest >>>= 7) size++;
    if (size !== reserved) {
      copyInside(this.bytes, start + size - reserved, start, this.position);
      this.position += size - reserved;
    }
    this.varint(start - reserved, length, 0);
    return size;
  }

  /** A message of up to six numbers, begun: where its first field comes. */
  begun(base: number, before: number, turn: number, tag: number, name: string): number {
    return this.tag(this.at(base, before, turn, name), tag) + 1;
  }

  /** The same, ended. */
  ended(start: number, end: number): void {
    this.bytes[start - 1] = end - start;
    this.position = end;
  }

  /** The same of what may be longer. */
  filled(start: number, end: number): void {
    this.position = end;
    this.length(start, 1);
  }

  // ---- Values ----

  tag(at: number, tag: number): number {
    const { bytes } = this;
    if (tag < 0x80) {
      bytes[at] = tag;
      return at + 1;
    }
    if (tag < 0x4000) {
      bytes[at] = tag | 0x80;
      bytes[at + 1] = tag >>> 7;
      return at + 2;
    }
    return this.varint(at, tag | 0, 0);
  }

  /** A varint of 32 bits. */
  varint32(at: number, value: number): number {
    if (value >>> 7 === 0) {
      this.bytes[at] = value;
      return at + 1;
    }
    // Without branches: how long it is is hard to foresee.
    const size = ((32 - Math.clz32(value)) * 9 + 64) >>> 6;
    this.view.setInt32(at, (value & 0x7f) | ((value << 1) & 0x7f00) | ((value << 2) & 0x7f0000) |
      ((value << 3) & 0x7f000000) | (0x80808080 >>> (40 - 8 * size)), true);
    this.bytes[at + 4] = value >>> 28;
    return at + size;
  }

  /** A safe integer of more than 28 bits, with its tag, as those and the rest; 0 if it is none. */
  wide(at: number, tag: number, value: number): number {
    const rest = Math.floor(value / BITS_28);
    const low = value & (BITS_28 - 1);
    if (!(rest > 0 && rest < REST) || rest * BITS_28 + low !== value) return 0;
    const to = tag === 0 ? at : this.tag(at, tag);
    this.view.setInt32(to, (low & 0x7f) | ((low << 1) & 0x7f00) | ((low << 2) & 0x7f0000) |
      ((low << 3) & 0x7f000000) | 0x80808080, true);
    return this.varint32(to + 4, rest);
  }

  /** A varint of 64 bits in halves. */
  varint(at: number, low: number, high: number): number {
    const { bytes } = this;
    while (high !== 0) {
      bytes[at++] = low | 0x80;
      low = (low >>> 7) | (high << 25);
      high >>>= 7;
    }
    while (low >>> 7 !== 0) {
      bytes[at++] = low | 0x80;
      low >>>= 7;
    }
    bytes[at++] = low;
    return at;
  }

  int32(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value === 'number') {
      const own = value | 0;
      if (own === value && own >= 0) {
        if (own === 0 && always === IMPLICIT) return at;
        return this.varint32(tag === 0 ? at : this.tag(at, tag), own);
      }
    }
    if (value === undefined && always !== ELEMENT) return at;
    const own = this.checked(integer, value, name, -(2 ** 31), 2 ** 31 - 1);
    return this.varint(tag === 0 ? at : this.tag(at, tag), own, -1);
  }

  uint32(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value === 'number' && value === value >>> 0) {
      if (value === 0 && always === IMPLICIT) return at;
      return this.varint32(tag === 0 ? at : this.tag(at, tag), value | 0);
    }
    if (value === undefined && always !== ELEMENT) return at;
    this.checked(integer, value, name, 0, 2 ** 32 - 1);
    return at;
  }

  sint32(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value === 'number') {
      const own = value | 0;
      if (own === value) {
        if (own === 0 && always === IMPLICIT) return at;
        return this.varint32(tag === 0 ? at : this.tag(at, tag), (own << 1) ^ (own >> 31));
      }
    }
    if (value === undefined && always !== ELEMENT) return at;
    this.checked(integer, value, name, -(2 ** 31), 2 ** 31 - 1);
    return at;
  }

  int64(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value === 'number') {
      const own = value | 0;
      if (own === value && own >= 0) {
        if (own === 0 && always === IMPLICIT) return at;
        return this.varint32(tag === 0 ? at : this.tag(at, tag), own);
      }
      const end = this.wide(at, tag, value);
      if (end !== 0) return end;
    }
    if (!this.split(value, always, name, false)) return at;
    return this.varint(tag === 0 ? at : this.tag(at, tag), halves[0]!, halves[1]!);
  }

  uint64(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value === 'number') {
      const own = value | 0;
      if (own === value && own >= 0) {
        if (own === 0 && always === IMPLICIT) return at;
        return this.varint32(tag === 0 ? at : this.tag(at, tag), own);
      }
      const end = this.wide(at, tag, value);
      if (end !== 0) return end;
    }
    if (!this.split(value, always, name, true)) return at;
    return this.varint(tag === 0 ? at : this.tag(at, tag), halves[0]!, halves[1]!);
  }

  sint64(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value === 'number') {
      const own = value | 0;
      if (own === value) {
        if (own === 0 && always === IMPLICIT) return at;
        return this.varint32(tag === 0 ? at : this.tag(at, tag), (own << 1) ^ (own >> 31));
      }
    }
    if (!this.split(value, always, name, false)) return at;
    const low = halves[0]!;
    const high = halves[1]!;
    const sign = high >> 31;
    return this.varint(tag === 0 ? at : this.tag(at, tag), (low << 1) ^ sign,
      ((high << 1) | (low >>> 31)) ^ sign);
  }

  fixed32(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (value === undefined && always !== ELEMENT) return at;
    return this.word(at, tag, this.checked(integer, value, name, 0, 2 ** 32 - 1), always);
  }

  sfixed32(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (value === undefined && always !== ELEMENT) return at;
    return this.word(at, tag, this.checked(integer, value, name, -(2 ** 31), 2 ** 31 - 1), always);
  }

  fixed64(at: number, tag: number, value: unknown, always: number, name: string): number {
    return this.split(value, always, name, true) ? this.words(at, tag) : at;
  }

  sfixed64(at: number, tag: number, value: unknown, always: number, name: string): number {
    return this.split(value, always, name, false) ? this.words(at, tag) : at;
  }

  float(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (value === undefined && always !== ELEMENT) return at;
    const own = Math.fround(this.checked(float, value, name));
    if (always === IMPLICIT && Object.is(own, 0)) return at;
    const to = tag === 0 ? at : this.tag(at, tag);
    this.view.setFloat32(to, own, true);
    return to + 4;
  }

  double(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value !== 'number') {
      if (value === undefined && always !== ELEMENT) return at;
      this.turn = FAILED;
      throw wrongType(name, 'a number', value);
    }
    if (always === IMPLICIT && Object.is(value, 0)) return at;
    const to = tag === 0 ? at : this.tag(at, tag);
    this.view.setFloat64(to, value, true);
    return to + 8;
  }

  bool(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value !== 'boolean') {
      if (value === undefined && always !== ELEMENT) return at;
      this.turn = FAILED;
      throw wrongType(name, 'a boolean', value);
    }
    if (always === IMPLICIT && !value) return at;
    const to = tag === 0 ? at : this.tag(at, tag);
    this.bytes[to] = value ? 1 : 0;
    return to + 1;
  }

  /** A word that was checked. */
  word(at: number, tag: number, value: number, always: number): number {
    if (value === 0 && always === IMPLICIT) return at;
    const to = tag === 0 ? at : this.tag(at, tag);
    this.view.setInt32(to, value, true);
    return to + 4;
  }

  /** Both halves. */
  words(at: number, tag: number): number {
    const to = tag === 0 ? at : this.tag(at, tag);
    this.view.setInt32(to, halves[0]!, true);
    this.view.setInt32(to + 4, halves[1]!, true);
    return to + 8;
  }

  /** What a check gives; what it throws is the end of the message. */
  checked<A extends unknown[]>(
    check: (value: unknown, name: string, ...rest: A) => number, value: unknown, name: string, ...rest: A
  ): number {
    const { turn } = this;
    this.turn = FAILED;
    const own = check(value, name, ...rest);
    this.turn = turn;
    return own;
  }

  /** Splits a 64-bit integer into halves; whether it is to be written. */
  split(value: unknown, always: number, name: string, unsigned: boolean): boolean {
    if (value === undefined && always !== ELEMENT) return false;
    const { turn } = this;
    this.turn = FAILED;
    const big = unsigned ? uint64(value, name) : int64(value, name);
    if (big === undefined) {
      halves[0] = value as number;
      halves[1] = Math.floor((value as number) / 4294967296);
    } else {
      longs[0] = big;
    }
    this.turn = turn;
    return always !== IMPLICIT || (halves[0]! | halves[1]!) !== 0;
  }

  string(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (typeof value !== 'string') {
      if (value === undefined && always !== ELEMENT) return at;
      this.turn = FAILED;
      throw wrongType(name, 'a string', value);
    }
    const { length } = value;
    if (length > LOOP_BYTES) return this.longString(at, tag, value, name);
    if (length === 0 && always === IMPLICIT) return at;
    const { bytes } = this;
    let to = this.tag(at, tag);
    bytes[to++] = length;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) return this.longString(at, tag, value, name);
      bytes[to + i] = unit;
    }
    return to + length;
  }

  longString(at: number, tag: number, value: string, name: string): number {
    if (LONE_SURROGATE.test(value)) {
      this.turn = FAILED;
      throw new SpiculeError('BAD_UTF8', { path: name });
    }
    const most = 3 * value.length;
    if (at + most > this.limit) this.grow(at, most);
    const to = this.tag(at, tag);
    // As if its length took five bytes.
    const { written } = encoder.encodeInto(value, this.bytes.subarray(to + 5, to + 5 + most));
    const from = this.varint32(to, written);
    copyInside(this.bytes, from, to + 5, to + 5 + written);
    return from + written;
  }

  data(at: number, tag: number, value: unknown, always: number, name: string): number {
    if (!isBytes(value)) {
      if (value === undefined && always !== ELEMENT) return at;
      this.turn = FAILED;
      throw wrongType(name, 'a Uint8Array', value);
    }
    const length = typedArrayLength(value);
    if (length === 0 && always === IMPLICIT) return at;
    if (at + length > this.limit) this.grow(at, length);
    const to = this.varint32(this.tag(at, tag), length);
    const { bytes } = this;
    if (length > LOOP_BYTES) copyInto(bytes, to, value);
    else for (let i = 0; i < length; i++) bytes[to + i] = value[i]!;
    return to + length;
  }

  // ---- Many ----

  /** Writes the elements of a repeated field, in one piece if it is packed. */
  list(
    base: number, before: number, turn: number, tag: number, values: unknown, put: Put, name: string,
    packed: boolean,
  ): void {
    const elements = values === undefined ? [] : this.#elements(values, name);
    let at = this.at(base, before, turn, name);
    if (elements.length === 0) return;
    const { turn: own } = this;
    // Getters of the elements may not write.
    this.turn = FAILED;
    const start = packed ? this.tag(at, tag) + 1 : at;
    at = start;
    for (let i = 0; i < elements.length; i++) {
      if (at > this.limit) this.grow(at, 0);
      at = this.#element(at, packed ? 0 : tag, elements[i], put, name, i);
    }
    if (this.turn !== FAILED) this.misuse(base, name);
    this.position = at;
    if (packed) this.length(start, 1);
    this.turn = own;
  }

  #elements(values: unknown, name: string): readonly unknown[] {
    if (Array.isArray(values)) return values;
    const { turn } = this;
    this.turn = FAILED;
    if (typeof values !== 'object' || values === null || !(Symbol.iterator in values)) {
      throw wrongType(name, 'iterable', values);
    }
    const elements = [...(values as Iterable<unknown>)];
    this.turn = turn;
    return elements;
  }

  #element(at: number, tag: number, value: unknown, put: Put, name: string, index: number): number {
    try {
      return put.call(this, at, tag, value, ELEMENT, name);
    } catch {
      // Again for the error's sake: the name is made only if there is one.
      return put.call(this, at, tag, value, ELEMENT, `${name}[${index}]`);
    }
  }

  /** Writes a message that exists. */
  message(
    base: number, before: number, turn: number, tag: number, end: number, message: unknown, type: string,
    name: string,
  ): void {
    const own = message as Message | undefined;
    if (typeof own?.$a?.ready !== 'function' || own.$type.name !== type) {
      this.turn = FAILED;
      throw wrongType(name, `a ${type}`, message);
    }
    const bytes = own.encode({ partial: true });
    const at = this.at(base, before, turn, name);
    if (end === 0) {
      this.position = this.data(at, tag, bytes, ELEMENT, name);
      return;
    }
    if (at + bytes.length > this.limit) this.grow(at, bytes.length);
    const from = this.tag(at, tag);
    copyInto(this.bytes, from, bytes);
    this.position = this.tag(from + bytes.length, end);
  }

  // ---- Misuse ----

  /** Whether a writer is that of the innermost open message; else an error. */
  check(writer: MessageWriter, what: string, may: boolean): void {
    if (!may) {
      this.turn = FAILED;
      const note = writer.$p === undefined ? 'the outermost message is finished, not closed'
        : 'only the writer of the outermost message has this';
      throw new SpiculeError('INVALID_STATE', { path: pathOf(writer, what) }, note);
    }
    if ((this.turn - writer.$b) >>> 0 > writer.$count) this.misuse(writer.$b, what);
  }

  /** The error of a field or a call whose turn it is not. */
  misuse(base: number, what: string): never {
    const writer = this.#placeOf(base)!;
    const open = this.#placeOf(this.turn);
    const path = pathOf(writer, what);
    this.turn = FAILED;
    if (open === writer) throw new SpiculeError('FIELD_ORDER', { path });
    let outer = open?.$p;
    while (outer !== undefined && outer !== writer) outer = outer.$p;
    const note = open === undefined ? 'an error came before: reset() the writer'
      : outer === writer ? `${open.$n} is open: close() it first`
        : 'this message is not open';
    throw new SpiculeError('INVALID_STATE', { path }, note);
  }

  /** The writer that a turn belongs to. */
  #placeOf(turn: number): MessageWriter | undefined {
    let i = this.#places.length - 1;
    while (i >= 0 && this.#places[i]!.$b > turn) i--;
    return this.#places[i];
  }
}

const pathOf = ({ $n }: MessageWriter, what: string): string => ($n === '' ? what : `${$n}.${what}`);

/** What generated writers have in common: each is for the messages of a type in one place. */
export abstract class MessageWriter {
  /** @internal */
  readonly $s: Output;
  /** @internal The writer of the message around it. */
  readonly $p: MessageWriter | undefined;
  /** @internal Names from the outermost message to it. */
  readonly $n: string;
  /** @internal Its first number. */
  readonly $b: number;
  /** @internal The turn of the message around it once it is closed. */
  readonly $a: number;
  /** @internal How deep it is. */
  readonly $d: number;
  /** @internal Where its first field is. */
  $i = 0;
  /** @internal Bytes kept for its length; GROUP, ENTRY. */
  $g: number;
  /** @internal Which oneofs have a member, of those that other fields lie between. */
  $m: number[] = [];
  /** @internal The tag that ends a group, or where an entry begins. */
  $e: number;

  /** Without arguments: for a message of its own. */
  constructor(parent?: MessageWriter, name = '', turn = 0, reserved = 1, end = 0) {
    this.$s = parent === undefined ? new Output() : parent.$s;
    this.$p = parent;
    this.$n = parent === undefined ? '' : pathOf(parent, name);
    this.$d = parent === undefined ? 0 : parent.$d + 1;
    // Nothing but `leave` closes the outermost one.
    this.$g = parent === undefined ? GROUP : reserved;
    this.$e = end;
    if (this.$d > DEPTH_MAX) {
      this.$s.turn = FAILED;
      throw new SpiculeError('DEPTH_LIMIT', { path: this.$n, limit: DEPTH_MAX });
    }
    this.$a = parent === undefined ? 0 : parent.$b + turn;
    this.$b = this.$s.place(this);
    if (parent === undefined) this.$s.turn = this.$b;
  }

  /** @internal How many fields its type has. */
  abstract get $count(): number;

  /**
   * The message as bytes of their own, and the writer begins the next one. `INVALID_STATE` while a
   * message in it is open, and after an error.
   */
  finish(): Bytes {
    const { $s: output } = this;
    output.check(this, 'finish', this.$p === undefined);
    const out = uncleared(output.position);
    copyInto(out, 0, output.bytes.subarray(0, output.position));
    output.begin(this);
    return out;
  }

  /**
   * As `finish`, into `out` from `start` on; gives the length. `BUFFER_TOO_SMALL`: nothing has happened.
   */
  finishInto(out: Uint8Array, start = 0): number {
    const { $s: output } = this;
    output.check(this, 'finishInto', this.$p === undefined);
    const into = plainArgument(out, 'out').subarray(u32Argument(start, 'start'));
    const { position } = output;
    roomFor(into, position);
    copyInto(into, 0, output.bytes.subarray(0, position));
    output.begin(this);
    return position;
  }

  /** Drops what was written, after an error too, and begins again. */
  reset(): void {
    if (this.$p !== undefined) this.$s.check(this, 'reset', false);
    this.$s.begin(this);
  }
}
