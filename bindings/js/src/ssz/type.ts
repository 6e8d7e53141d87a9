import {
  type Bytes, bytesArgument, isBytes, plainArgument, plainBytes, roomFor, wrongType,
} from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { INSPECT } from '../core/inspect.js';
import { type Host, Known } from './host.js';
import { type JsonOptions, intoJson, outOfJson } from './json.js';
import { deserializeLarge } from './large.js';
import type { BasicType } from './basic.js';
import type { Engine } from './engine.js';
import type { View } from './view.js';
import { type Memory, Writer, written } from './writer.js';

export type { Host, Memory };
export type { Writer };

/** Bytes that are the package's own, to read from. */
export function memoryOf(bytes: Uint8Array): Memory {
  return { bytes, data: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** A step of a path: the name of a field, an index, or one of `__len__` and the like. */
export type PathStep = string | number;
/** A path to a part: steps, or text such as `validators[5].slashed`. */
export type Path = string | readonly PathStep[];

export function pathText(path: Path): string {
  if (typeof path === 'string') return path;
  if (!Array.isArray(path)) throw wrongType('path', 'a string or an array of steps', path);
  let text = '';
  for (const [i, step] of (path as unknown[]).entries()) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (typeof step === 'string') text += text === '' ? step : `.${step}`;
    else throw wrongType(`path[${i}]`, 'a string or a number', step);
  }
  return text;
}

/** `error` with a step before its path; built on the way out, so that nothing is paid before. */
export function located(error: unknown, step: string): unknown {
  if (error instanceof SpiculeError) {
    return placed(error, error.path === undefined ? step : joined(step, error.path));
  }
  if (error instanceof TypeError && Object.hasOwn(error, 'argument')) {
    const inner = error as TypeError & { argument: string; rest: string };
    return valueType(joined(step, inner.argument), inner.rest);
  }
  return error;
}

/** The error with this path, and with this note unless it has one. */
export function placed(error: SpiculeError, path: string | undefined, note?: string): SpiculeError {
  const { code, offset, index, limit, cause } = error;
  const details = { offset, index, limit, path, ...(cause ? { cause } : {}) };
  return new SpiculeError(code, details, error.note ?? note);
}

/** What an error of the core lacks: the path that it is about, as the caller gave it. */
function onPath<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof SpiculeError ? placed(error, error.path ?? path) : error;
  }
}

const joined = (step: string, rest: string): string =>
  rest === 'value' ? step : rest.startsWith('[') ? `${step}${rest}` : `${step}.${rest}`;

function valueType(argument: string, rest: string): TypeError {
  return Object.assign(new TypeError(`${argument} ${rest}`), { argument, rest });
}

/** The TypeError of a value of a wrong JavaScript type. */
export function wrongValue(expected: string, value: unknown): TypeError {
  const { message } = wrongType('value', expected, value);
  return valueType('value', message.slice('value '.length));
}

/** `type`, or a TypeError that names the argument. */
export function typeArgument(type: unknown, name: string): AnyType {
  if (typeof type === 'object' && type !== null && '$compile' in type) return type as AnyType;
  throw wrongType(name, 'an SSZ type', type);
}

/** A number or bigint argument as a bigint of 64 bits. */
export function longArgument(value: unknown, name: string): bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw wrongType(name, 'a number or a bigint', value);
  }
  const safe = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (safe && value >= 0 && value < 2n ** 64n) return BigInt(value);
  throw new SpiculeError('INVALID_ARGUMENT', {}, `${name} ${value}`);
}

/** An index or count, or `OUT_OF_RANGE`. */
export function indexArgument(value: unknown, name: string): number {
  if (typeof value !== 'number') throw wrongType(name, 'a number', value);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new SpiculeError('OUT_OF_RANGE', {}, `${name} ${value}`);
}

/** Where a part is in the tree: bits of a node. */
export interface Position {
  readonly gindex: bigint;
  readonly bitOffset: number;
  /** 256: the whole node. */
  readonly bitLength: number;
}

/** A field of a basic type in flat bytes. */
export interface Column {
  readonly type: BasicType<unknown>;
  readonly offset: number;
}

/**
 * An SSZ type. `Value` is what deserializing gives, `Input` what serializing takes, `Part` what a
 * view of an enclosing value gives for a part of this type.
 *
 * Members that begin with $ are for the package itself.
 */
export abstract class Type<Value, Input = Value, Part = Value> {
  /** Only for TypeScript: never there. */
  declare readonly '~value': Value;
  declare readonly '~input': Input;
  declare readonly '~part': Part;

  /** The name of the type: its text, such as `List[uint64, 1024]`, or the name of a container. */
  abstract readonly typeName: string;
  /** The serialized size in bytes where all values have one, else 0. */
  readonly fixedSize: number = 0;

  readonly $host: Host;
  #engine: Engine | undefined;
  #id = 0;
  #others: Map<Engine, number> | undefined;

  constructor(host: Host) {
    this.$host = host;
  }

  // ---- What every kind of type does ----

  /** Makes the type known to an engine. */
  abstract $compile(engine: Engine): number;
  /**
   * Writes a value; gives where it ends. Throws for what is not a value of the type. Where values
   * have one size there is room for it; others make theirs.
   */
  abstract $write(value: Input, writer: Writer, at: number): number;
  /** Reads a value from valid bytes. */
  abstract $read(memory: Memory, at: number, end: number): Value;
  /** The default value, as a fresh one each time. `NO_DEFAULT`. */
  abstract defaultValue(): Value;
  /** Whether views give plain values for parts of this type. */
  abstract readonly $plain: boolean;
  /** A view of this type. */
  abstract $viewOf(engine: Engine): View;

  /** Reads a value of fixed size from the memory of the module. */
  $peek(engine: Engine, address: number): Value {
    return this.$read(engine, address, address + this.fixedSize);
  }

  get $engine(): Engine {
    return this.$host.engine();
  }

  /** Has the type checked, now or when it is first used. */
  $build(): void {
    if (this.$host.lazy !== true) this.$id(this.$host.engine());
  }

  /** The number of the type in an engine. The first time uses the buffer: ask before filling it. */
  $id(engine: Engine): number {
    if (engine === this.#engine) return this.#id;
    let id = this.#others?.get(engine);
    if (id === undefined) {
      id = Known.idOf(this.$host, engine) ?? this.#compiled(engine);
      this.$setId(engine, id);
    }
    return id;
  }

  #compiled(engine: Engine): number {
    try {
      return this.$compile(engine);
    } catch (error) {
      throw error instanceof SpiculeError ? placed(error, error.path, this.typeName) : error;
    }
  }

  $setId(engine: Engine, id: number): void {
    if (this.#engine === undefined) {
      this.#engine = engine;
      this.#id = id;
    } else {
      (this.#others ??= new Map()).set(engine, id);
    }
  }

  // ---- Bytes and values ----

  /** The value of SSZ bytes. Every rule of the specification is checked: see `validate`. */
  deserialize(bytes: Uint8Array): Value {
    const plain = plainArgument(bytes, 'bytes');
    const engine = this.$engine;
    const id = this.$id(engine);
    const at = engine.put(plain);
    // What was checked is what is read, whoever else writes to the caller's memory.
    engine.validate(id, at, plain.length);
    try {
      return this.$read(engine, at, at + plain.length);
    } finally {
      engine.wasm.releaseBuffer();
    }
  }

  /** The SSZ bytes of a value. */
  serialize(value: Input): Bytes {
    if (this.fixedSize === 0) return this.$written(value, (bytes) => bytes.slice());
    const writer = new Writer(this.fixedSize);
    this.$write(value, writer, 0);
    return writer.bytes;
  }

  /** What `use` makes of the SSZ bytes of a value. */
  $written<T>(value: Input, use: (bytes: Uint8Array) => T): T {
    return written((writer) => {
      writer.room(this.fixedSize);
      return this.$write(value, writer, 0);
    }, use);
  }

  /** Writes the SSZ bytes of a value to the start of `out`; gives their number. */
  serializeInto(out: Uint8Array, value: Input): number {
    bytesArgument(out, 'out');
    return this.$written(value, (bytes) => {
      const to = plainBytes(out);
      roomFor(to, bytes.length);
      to.set(bytes);
      return bytes.length;
    });
  }

  /** The size of the serialized value in bytes. */
  size(value: Input): number {
    return this.$written(value, ({ length }) => length);
  }

  /** Whether both have the same SSZ bytes. */
  equals(a: Input, b: Input): boolean {
    const [left, right] = [this.serialize(a), this.serialize(b)];
    return left.length === right.length && left.every((byte, i) => byte === right[i]);
  }

  /**
   * Checks that `bytes` are one value of the type; else an error with the offset and the path, such
   * as `BAD_BOOLEAN` at `validators[5].slashed`.
   */
  validate(bytes: Uint8Array): void {
    const engine = this.$engine;
    const id = this.$id(engine);
    const plain = plainArgument(bytes, 'bytes');
    engine.validate(id, engine.put(plain), plain.length);
    engine.wasm.releaseBuffer();
  }

  /**
   * The root of SSZ bytes, computed without building the value, or of a value. A `Uint8Array` is SSZ
   * bytes everywhere: only vectors and lists of bytes and of uint8, whose values are their SSZ bytes,
   * take one as a value.
   */
  hashTreeRoot(value: Uint8Array | Input): Bytes {
    const engine = this.$engine;
    const id = this.$id(engine);
    const [at, length] = this.$load(engine, value);
    const root = engine.rootOfBytes(id, at, length);
    engine.wasm.releaseBuffer();
    return root;
  }

  /** The value of one part of SSZ bytes, of which only the way there and the part are checked. */
  field(bytes: Uint8Array, path: Path): unknown {
    const engine = this.$engine;
    const id = this.$id(engine);
    const plain = plainArgument(bytes, 'bytes');
    const text = pathText(path);
    const steps = engine.pathSteps(onPath(text, () => engine.readPath(id, text)));
    const at = engine.put(plain);
    const part = onPath(text, () => engine.locate(id, at, plain.length, engine.putPath(steps)));
    engine.validate(part.type, at + part.offset, part.size);
    let type: AnyType = this;
    for (const [i, step] of steps.entries()) {
      // What a union holds depends on its selector, which is the first of its bytes.
      const selector = type.$isUnion
        ? engine.bytes[at + engine.locate(id, at, plain.length, engine.putPath(steps.slice(0, i))).offset]!
        : 0;
      type = type.$step(step, selector);
    }
    try {
      return type.$read(engine, at + part.offset, at + part.offset + part.size);
    } finally {
      engine.wasm.releaseBuffer();
    }
  }

  // ---- Positions in the tree ----

  /** The generalized index of the part at the path, in every value of the type. */
  gindex(path: Path): bigint {
    return this.position(path).gindex;
  }

  /** As `gindex`, with the bits of the node that belong to the part: small parts share one. */
  position(path: Path): Position {
    const engine = this.$engine;
    const id = this.$id(engine);
    const text = pathText(path);
    return onPath(text, () => engine.position(id, engine.readPath(id, text)));
  }

  // ---- JSON ----

  /**
   * The JSON form of a value, or of SSZ bytes: integers as decimal strings, bytes as hexadecimal,
   * bit lists and vectors as the hexadecimal form of their SSZ bytes.
   */
  toJSON(value: Uint8Array | Input, options?: JsonOptions): unknown {
    return outOfJson(this, JSON.parse(this.toJSONString(value)), options);
  }

  /** As `toJSON`, as text. */
  toJSONString(value: Uint8Array | Input): string {
    const engine = this.$engine;
    const id = this.$id(engine);
    const [at, length] = this.$load(engine, value);
    return engine.toJson(id, at, length);
  }

  /**
   * The value of a JSON form. `BAD_VALUE`, `MISSING_FIELD` and the like have the path; members that
   * the type has not are ignored.
   */
  fromJSON(json: unknown, options?: JsonOptions): Value {
    return this.fromJSONString(JSON.stringify(intoJson(this, json, options)) ?? '');
  }

  /** As `fromJSON`, from text, with the offset in errors. Integers may be numbers of any size. */
  fromJSONString(text: string): Value {
    if (typeof text !== 'string') throw wrongType('text', 'a string', text);
    const engine = this.$engine;
    const bytes = engine.fromJson(this.$id(engine), text);
    return this.$read(memoryOf(bytes), 0, bytes.length);
  }

  /** For names of fields in JSON: what is below this type. */
  $children(): readonly { readonly name: string | undefined; readonly type: AnyType }[] {
    return [];
  }

  // ---- Views ----

  /** A persistent view of the value of SSZ bytes. Statuses of `validate`, `OUT_OF_MEMORY`. */
  view(bytes: Uint8Array): ViewOf<Value, Part> {
    const engine = this.$engine;
    const id = this.$id(engine);
    return this.$viewOfBytes(engine, id, plainArgument(bytes, 'bytes'));
  }

  /** A persistent view of a value. */
  toView(value: Input): ViewOf<Value, Part> {
    const engine = this.$engine;
    const id = this.$id(engine);
    return this.$written(value, (bytes) => this.$viewOfBytes(engine, id, bytes));
  }

  $viewOfBytes(engine: Engine, id: number, bytes: Uint8Array): ViewOf<Value, Part> {
    const handle =
      deserializeLarge(engine, this, bytes) ??
      engine.deserialize(id, engine.put(bytes), bytes.length);
    return this.$newView(engine, handle, bytes.length);
  }

  /** A persistent view of the default value. `NO_DEFAULT`. */
  defaultView(): ViewOf<Value, Part> {
    const engine = this.$engine;
    const handle = engine.default(this.$id(engine));
    return this.$newView(engine, handle, engine.size(handle));
  }

  $newView(engine: Engine, handle: number, size: number): ViewOf<Value, Part> {
    engine.wasm.releaseBuffer();
    return this.$viewOf(engine).$open(handle, engine.lease(size)) as ViewOf<Value, Part>;
  }

  /** Whether the type of a part depends on a selector. */
  get $isUnion(): boolean {
    return false;
  }

  /** The class of typed arrays whose bytes are those of values one after the other. */
  get $bulkClass(): string | undefined {
    return undefined;
  }

  /** A field of a basic type that elements of this type have. */
  $column(_name: string): Column | undefined {
    return undefined;
  }

  /** The type of the part at a step. */
  $step(_step: bigint, _selector: number): AnyType {
    throw new SpiculeError('OUT_OF_RANGE');
  }

  /** Puts SSZ bytes, or those of a value, into the buffer; gives address and length. */
  $load(engine: Engine, value: Uint8Array | Input): [at: number, length: number] {
    if (!isBytes(value)) return this.$put(engine, value as Input);
    const bytes = plainBytes(value);
    return [engine.put(bytes), bytes.length];
  }

  /** Puts the SSZ bytes of a value into the buffer; gives address and length. */
  $put(engine: Engine, value: Input): [at: number, length: number] {
    return this.$written(value, (bytes) => [engine.put(bytes), bytes.length]);
  }

  toString(): string {
    return this.typeName;
  }

  /** What Node prints. */
  [INSPECT](): string {
    return this.typeName;
  }
}

/** What a type makes views of values as: a view of its own kind, or one of a plain value. */
export type ViewOf<Value, Part> = Part extends View ? Part : View<Value>;
// biome-ignore lint/suspicious/noExplicitAny: every type is one of these only where both ways go.
export type AnyType = Type<any, any, any>;
/** The type of the values that a type deserializes to. */
export type ValueOf<T extends AnyType> = T['~value'];
/** The type of the values that a type serializes. */
export type InputOf<T extends AnyType> = T['~input'];
/** What a view gives for a part of the type. */
export type PartOf<T extends AnyType> = T['~part'];
