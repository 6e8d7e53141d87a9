import { type Bytes, bytesArgument } from '../core/bytes.js';
import type { Arena } from './arena.js';
import type { Engine } from './engine.js';
import { isBytesType, type Scalar } from './scalar.js';
import type { FieldInfo, MessageInfo } from './type.js';

/**
 * A message as its bytes. A field is found and checked when it is asked for; the last on the wire
 * counts. Views of the messages inside lie in the same memory, which `dispose` of any gives back.
 */
export class WireView {
  readonly #arena: Arena;
  readonly #type: MessageInfo;
  readonly #start: number;
  readonly #length: number;

  /** @internal */
  constructor(arena: Arena, type: MessageInfo, start: number, length: number) {
    this.#arena = arena;
    this.#type = type;
    this.#start = start;
    this.#length = length;
  }

  /** A copy of the bytes. */
  get bytes(): Bytes {
    return this.#arena.ready().bytes.slice(this.#start, this.#start + this.#length) as Bytes;
  }

  /**
   * A field by its property or name: undefined where a field with presence is not there, messages
   * as views, repeated fields as arrays, maps as Maps.
   */
  get(name: string): unknown {
    const field = this.#type.field(name);
    if (field.map) return this.#map(field);
    const { message: type } = field.scalar === undefined ? field : { message: undefined };
    const element = (arena: Arena, at: number): unknown => {
      if (type !== undefined) {
        const [start, length] = [arena.words[at >> 2]!, arena.words[(at >> 2) + 1]!];
        return new WireView(this.#arena, type, this.#start + start, length);
      }
      const scalar = field.scalar as Scalar;
      return isBytesType(field.type) ? this.#bytesValue(arena, at, scalar) : scalar.read(arena, at);
    };
    const { engine, schema } = this.#arena.ready();
    return engine.passing(schema, 4096, 4096, (arena) => {
      const place = [this.#arena, this.#start, this.#length] as const;
      const { values, present } = engine.select(arena, this.#type, [field.number], place);
      const [ref, count] = values;
      if (field.repeated) return Array.from({ length: count }, (_, i) => element(arena, ref + 8 * i));
      if (arena.bytes[present[0]] !== 0) return element(arena, ref);
      return field.explicit ? undefined : field.scalar!.zero;
    });
  }

  /** A string or bytes, whose place counts from the start of this view. */
  #bytesValue(arena: Arena, at: number, scalar: Scalar): unknown {
    const i = at >> 2;
    const own = this.#arena;
    const slot = own.used;
    const ref = own.alloc(8);
    own.words[ref >> 2] = arena.words[i]! + this.#start;
    own.words[(ref >> 2) + 1] = arena.words[i + 1]!;
    const value = scalar.read(own, ref);
    own.used = slot;
    return value;
  }

  #map(field: FieldInfo): Map<unknown, unknown> {
    const [key, value] = field.message.fields as unknown as [FieldInfo, FieldInfo];
    const { engine, schema } = this.#arena.ready();
    const entries = engine.passing(schema, 4096, 4096, (arena) => {
      const place = [this.#arena, this.#start, this.#length] as const;
      const { values } = engine.select(arena, this.#type, [field.number], place);
      return Array.from({ length: values[1] }, (_, i) => {
        const at = (values[0] >> 2) + 2 * i;
        const [start, length] = [arena.words[at]!, arena.words[at + 1]!];
        return new WireView(this.#arena, field.message, this.#start + start, length);
      });
    });
    const zero = (of: FieldInfo) =>
      of.scalar?.zero ?? new WireView(this.#arena, of.message, this.#start, 0);
    return new Map(
      entries.map((entry) => [
        entry.get(key.name) ?? zero(key), entry.get(value.name) ?? zero(value),
      ]),
    );
  }

  /** Gives the memory back; every later use of this view and those from it is an error. */
  dispose(): void {
    this.#arena.dispose();
  }

  /** As `dispose`. */
  [Symbol.dispose](): void {
    this.#arena.dispose();
  }
}

export function viewOf(engine: Engine, type: MessageInfo, bytes: Uint8Array): WireView {
  bytesArgument(bytes, 'bytes');
  const arena = engine.arena(engine.compiled(type.schema), bytes.length + 64);
  const ref = arena.alloc(bytes.length);
  arena.bytes.set(bytes, ref);
  return new WireView(arena, type, ref, bytes.length);
}
