import { type Bytes, bytesArgument, typedArrayLength } from '../core/bytes.js';
import { INSPECT } from '../core/inspect.js';
import type { Arena } from './arena.js';
import { type Engine, Placed, type SelectedLists } from './engine.js';
import { isBytesType, type Scalar } from './scalar.js';
import type { FieldInfo, MessageInfo } from './type.js';

/** What `{ case, value }` says, by case; a message may have fields of these names, but any case. */
type MemberOf<V> = V extends { readonly case: infer C extends string; readonly value: infer W }
  ? string extends C ? never : { readonly name: C; readonly value: W }
  : never;

type MembersOf<O> = { [K in keyof O]-?: MemberOf<O[K]> }[keyof O];

/** Names of the fields of a plain object, members of oneofs too. */
type FieldOf<O> = unknown extends O ? string : MembersOf<O>['name'] | {
  [K in keyof O & string]-?: [MemberOf<O[K]>] extends [never] ? (K extends '$unknown' ? never : K) : never;
}[keyof O & string];

type ValueOf<V> = V extends Uint8Array | number | bigint | string | boolean ? V
  : V extends readonly (infer E)[] ? ValueOf<E>[]
  : V extends Map<infer K, infer W> ? Map<K, ValueOf<W>>
  : V extends object ? WireView<V> : V;

/** What a view has for a field of a plain object. */
type WireValue<O, K> = unknown extends O ? unknown
  : K extends keyof O ? ValueOf<O[K]>
  : ValueOf<Extract<MembersOf<O>, { readonly name: K }>['value']> | undefined;

/**
 * A message as its bytes, `O` its plain object. A field is found and checked when it is asked for; the
 * last on the wire counts. Views of the messages inside lie in the same memory, which `dispose` of any
 * gives back.
 */
export class WireView<O = unknown> {
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
  get<K extends FieldOf<O>>(name: K): WireValue<O, K>;
  get(name: string): unknown {
    const field = this.#type.field(name);
    if (field.map) return this.#map(field);
    const { message: type } = field.scalar === undefined ? field : { message: undefined };
    const element = (arena: Arena, lists: SelectedLists, i: number): unknown => {
      if (type !== undefined) return this.#within(arena, lists, i, type);
      const scalar = field.scalar as Scalar;
      return isBytesType(field.type)
        ? this.#bytesValue(arena, lists, i, scalar)
        : scalar.read(arena, lists.values + field.size * i);
    };
    return this.#select(field, (arena, lists) => {
      const { count, present } = lists;
      if (field.repeated) return Array.from({ length: count }, (_, i) => element(arena, lists, i));
      if (arena.bytes[present] !== 0) return element(arena, lists, 0);
      return field.explicit ? undefined : field.scalar!.zero;
    });
  }

  #select<T>(field: FieldInfo, use: (arena: Arena, lists: SelectedLists) => T): T {
    const { engine, schema } = this.#arena.ready();
    return engine.passing(schema, 4096, 4096, (arena) => {
      const place = new Placed(this.#arena, this.#start, this.#length);
      const [lists] = engine.select(arena, this.#type, [{ parent: 0, number: field.number }], place);
      return use(arena, lists!);
    });
  }

  /** A message in this view. */
  #within(arena: Arena, lists: SelectedLists, i: number, type: MessageInfo): WireView {
    const start = arena.words[(lists.values >> 2) + i]!;
    return new WireView(this.#arena, type, this.#start + start, arena.words[(lists.lengths >> 2) + i]!);
  }

  /** A string or bytes, whose place counts from the start of this view. */
  #bytesValue(arena: Arena, lists: SelectedLists, i: number, scalar: Scalar): unknown {
    const own = this.#arena;
    const slot = own.used;
    const ref = own.alloc(8);
    own.words[ref >> 2] = arena.words[(lists.values >> 2) + i]! + this.#start;
    own.words[(ref >> 2) + 1] = arena.words[(lists.lengths >> 2) + i]!;
    const value = scalar.read(own, ref);
    own.used = slot;
    return value;
  }

  #map(field: FieldInfo): Map<unknown, unknown> {
    const [key, value] = field.message.fields as unknown as [FieldInfo, FieldInfo];
    const entries = this.#select(field, (arena, lists) =>
      Array.from({ length: lists.count }, (_, i) => this.#within(arena, lists, i, field.message)));
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

  /** @internal Nothing is decoded for it. */
  [INSPECT](): string {
    const state = this.#arena.region === undefined ? 'disposed' : `${this.#length} bytes`;
    return `WireView of ${this.#type.name} [${state}]`;
  }
}

export function viewOf<O>(engine: Engine, type: MessageInfo, bytes: Uint8Array): WireView<O> {
  const length = typedArrayLength(bytesArgument(bytes, 'bytes'));
  const arena = engine.arena(engine.compiled(type.schema), length + 64);
  const ref = arena.alloc(length);
  arena.bytes.set(bytes, ref);
  return new WireView<O>(arena, type, ref, length);
}
