import { wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { checkedOptions } from '../core/options.js';
import { BasicType } from './basic.js';
import type { Engine } from './engine.js';
import { replacing, takesView } from './sequence-view.js';
import {
  type AnyType, type Column, type Host, type InputOf, type Memory, type PartOf, Type, type ValueOf, type Writer,
  located, typeArgument, wrongValue,
} from './type.js';
import { View } from './view.js';

export type Fields = Readonly<Record<string, AnyType>>;
export type ValueOfFields<F extends Fields> = { -readonly [K in keyof F]: ValueOf<F[K]> };
export type InputOfFields<F extends Fields> = { readonly [K in keyof F]: InputOf<F[K]> };
/**
 * A view of a container: its fields are properties. Assigning a value or a view sets a field; as
 * TypeScript has one type for both ways, it takes only views there: `Type.toView(value)`.
 */
export type ContainerViewOf<F extends Fields> = Omit<ContainerView<F>, keyof F | 'clone'> &
  Omit<{ clone(): ContainerViewOf<F> }, keyof F> & {
    -readonly [K in keyof F]: PartOf<F[K]>;
  };

/** One field: where it is in the serialized value, or where its offset is. */
interface Field {
  readonly name: string;
  readonly type: AnyType;
  readonly offset: number;
  /** Where the offset of the next field of variable size is. */
  readonly next: number | undefined;
}

/** Which fields lie in one piece in values that are not flat themselves. */
interface Layout {
  readonly engine: Engine;
  readonly flat: readonly boolean[];
  /** Whether all do: then they lie as in the serialized value. */
  readonly whole: boolean;
  /** The first that does, and how far behind it others begin. */
  readonly first: number;
  deltas: Int32Array | undefined;
}

const OFFSET_BYTES = 4;

export interface ContainerOptions {
  /** The name of the type, for errors and texts. */
  readonly name?: string | undefined;
}

/** A container; progressive where `active` says which positions of the tree have a field. */
export class ContainerType<F extends Fields> extends Type<
  ValueOfFields<F>,
  InputOfFields<F>,
  ContainerViewOf<F>
> {
  readonly typeName: string;
  override readonly fixedSize: number;
  readonly $plain = false;
  readonly $fields: readonly Field[];
  readonly $fixedPart: number;
  /** Offsets of fields in bytes of fixed size. */
  readonly $offsets: Int32Array;
  readonly #active: readonly boolean[] | undefined;
  #layout: Layout | undefined;
  #View: ViewClass<F> | undefined;

  /** The types of the fields. */
  readonly fields: F;

  constructor(
    host: Host,
    fields: F,
    options?: ContainerOptions,
    active?: readonly boolean[],
  ) {
    super(host);
    const { name = '' } = checkedOptions(options, { name: 'string' });
    this.#active = active;
    const entries = fieldEntries(fields);
    this.fields = Object.fromEntries(entries) as F;
    let at = 0;
    const offsets = entries.map(([, type]) => {
      at += type.fixedSize === 0 ? OFFSET_BYTES : type.fixedSize;
      return at - (type.fixedSize === 0 ? OFFSET_BYTES : type.fixedSize);
    });
    this.$fixedPart = at;
    let next: number | undefined;
    const backwards = entries.map(([name, type], i) => ({ name, type, offset: offsets[i]!, next })).reverse();
    for (const field of backwards) {
      field.next = next;
      if (field.type.fixedSize === 0) next = field.offset;
    }
    this.$fields = backwards.reverse();
    this.fixedSize = this.$fields.every(({ type }) => type.fixedSize !== 0) ? at : 0;
    this.$offsets = Int32Array.from(this.$fields, ({ offset }) => offset);
    const kind = active === undefined ? 'Container' : 'ProgressiveContainer';
    this.typeName = name !== '' ? name : `${kind}(${entries.map(([field]) => field).join(', ')})`;
    this.$name = name;
    this.$build();
  }

  readonly $name: string;

  $compile(engine: Engine): number {
    const fields = this.$fields.map(({ name, type }) => [name, type.$id(engine)] as const);
    return engine.buildContainer(this.$name, fields, this.#active);
  }

  /** Which fields are flat, and where in values that are not flat themselves. */
  $layoutIn(engine: Engine): Layout {
    if (this.#layout?.engine !== engine) {
      const flat = this.$fields.map(({ type }) => engine.isFlat(type.$id(engine)));
      const whole = flat.every(Boolean);
      this.#layout = { engine, flat, whole, first: flat.indexOf(true), deltas: whole ? this.$offsets : undefined };
    }
    return this.#layout!;
  }

  #located(error: unknown, i: number): unknown {
    const { name } = this.$fields[i]!;
    const missing = error instanceof SpiculeError && error.code === 'MISSING_FIELD' && error.path === undefined;
    return missing ? new SpiculeError('MISSING_FIELD', { path: name }) : located(error, name);
  }

  /** Whether values may have no members besides the fields. */
  get $exact(): boolean {
    return true;
  }

  #refuse(members: readonly string[]): never {
    const unknown = members.find((member) => !Object.hasOwn(this.fields, member));
    throw new SpiculeError('UNKNOWN_FIELD', { path: unknown });
  }

  $write(value: InputOfFields<F>, writer: Writer, start: number): number {
    if (typeof value !== 'object' || value === null) throw wrongValue('an object', value);
    const { $fields: fields } = this;
    // All fields have to be there, so that only a value with more members can have an unknown one.
    const members = Object.keys(value);
    if (this.$exact && members.length > fields.length) this.#refuse(members);
    let at = start + this.$fixedPart;
    if (this.fixedSize === 0) writer.room(at);
    let i = 0;
    try {
      for (; i < fields.length; i++) {
        const { name, type, offset } = fields[i]!;
        const part: unknown = value[name];
        if (part === undefined) throw new SpiculeError('MISSING_FIELD');
        if (type.fixedSize !== 0) {
          type.$write(part, writer, start + offset);
        } else {
          writer.data.setUint32(start + offset, at - start, true);
          at = type.$write(part, writer, at);
        }
      }
    } catch (error) {
      throw this.#located(error, i);
    }
    return at;
  }

  $read(memory: Memory, start: number, end: number): ValueOfFields<F> {
    const { $fields: fields } = this;
    const value: Record<string, unknown> = {};
    let i = 0;
    try {
      for (; i < fields.length; i++) {
        const { name, type, offset, next } = fields[i]!;
        let from = start + offset;
        let to = from + type.fixedSize;
        if (type.fixedSize === 0) {
          to = next === undefined ? end : start + memory.data.getUint32(start + next, true);
          from = start + memory.data.getUint32(from, true);
        }
        define(value, name, type.$read(memory, from, to));
      }
    } catch (error) {
      throw located(error, fields[i]!.name);
    }
    return value as ValueOfFields<F>;
  }

  defaultValue(): ValueOfFields<F> {
    const value: Record<string, unknown> = {};
    for (const { name, type } of this.$fields) define(value, name, type.defaultValue());
    return value as ValueOfFields<F>;
  }

  $viewOf(engine: Engine): ContainerView<F> {
    this.#View ??= viewClass(engine, this, this.$viewBase);
    return new this.#View(engine, this);
  }

  override $children() {
    return this.$fields;
  }

  /** What the class of views is made from. */
  get $viewBase(): ViewClass {
    return ContainerView;
  }

  override $step(step: bigint): AnyType {
    const field = this.$fields[Number(step)];
    if (field === undefined) throw new SpiculeError('OUT_OF_RANGE');
    return field.type;
  }

  /** A field of a basic type, and its offset in the bytes. */
  override $column(name: string): Column | undefined {
    const field = this.$fields.find((each) => each.name === name);
    if (field === undefined || !(field.type instanceof BasicType)) return undefined;
    return { type: field.type, offset: field.offset };
  }
}

function fieldEntries(fields: unknown): [name: string, type: AnyType][] {
  if (typeof fields !== 'object' || fields === null) throw wrongType('fields', 'an object', fields);
  return Object.entries(fields).map(([name, type]) => [name, typeArgument(type, `fields.${name}`)]);
}

/** An own property, whatever the name: `__proto__` is a name too. */
function define(value: Record<string, unknown>, name: string, part: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(value, name, { value: part, enumerable: true, writable: true, configurable: true });
  } else {
    value[name] = part;
  }
}

export type ViewClass<F extends Fields = Fields> = new (engine: Engine, type: ContainerType<F>) => ContainerView<F>;

/**
 * Where the fields of a view lie: the bytes at `address` in one epoch, and the offset of each field.
 * All in one object of one class: what reads a field meets views of many classes, and looks at the
 * view itself only once.
 */
class Site {
  constructor(
    readonly engine: Engine,
    public epoch: number,
    public address: number,
    public deltas: Int32Array,
  ) {}
}

/** A view of a container. */
export class ContainerView<F extends Fields> extends View<ValueOfFields<F>> {
  declare readonly $type: ContainerType<F>;
  $site: Site | undefined = undefined;

  /** Where fields lie, counted from the address. */
  $fieldOffsets(): Int32Array {
    if (this.$flat) return this.$type.$offsets;
    const { $engine: engine } = this;
    const layout = this.$type.$layoutIn(engine);
    if (layout.deltas === undefined) {
      const base = engine.peek(this.$handle, layout.first);
      layout.deltas = Int32Array.from(layout.flat, (flat, i) =>
        flat ? engine.peek(this.$handle, i) - base : 0,
      );
    }
    return layout.deltas;
  }

  override $ownAddress(): number {
    return this.$engine.peek(this.$handle, this.$type.$layoutIn(this.$engine).first);
  }

  $place(): Site {
    const { $engine: engine } = this;
    const address = this.$sync();
    const deltas = this.$fieldOffsets();
    const site = this.$site;
    if (site === undefined) return (this.$site = new Site(engine, engine.epoch, address, deltas));
    site.epoch = engine.epoch;
    site.address = address;
    site.deltas = deltas;
    return site;
  }

  override $partAddress(key: number): number {
    let site = this.$site;
    if (site === undefined || site.epoch !== site.engine.epoch) site = this.$place();
    return site.address + site.deltas[key]!;
  }

  override $partOffset(key: number): number {
    return this.$type.$offsets[key]!;
  }

  override $summary(): unknown {
    return Object.fromEntries(this.$type.$fields.map(({ name }, key) => [name, this.$getField(key)]));
  }

  $getField(key: number): unknown {
    const { $engine: engine } = this;
    const { type } = this.$type.$fields[key]!;
    const flat = this.$flat || this.$type.$layoutIn(engine).flat[key]!;
    if (!type.$plain) return this.$part(key, type, flat);
    if (flat) return type.$peek(engine, this.$partAddress(key));
    const at = engine.readAny(this.$handle, key);
    return type.$read(engine, at, at + engine.result(0));
  }

  $setField(key: number, value: unknown): void {
    const { $engine: engine } = this;
    const { name, type } = this.$type.$fields[key]!;
    if (takesView(this, key, type, value)) return;
    let at: number;
    let size: number;
    try {
      [at, size] = replacing(this, key, type, value);
    } catch (error) {
      throw located(error, name);
    }
    if (this.$flat) {
      this.$parent!.$patch(this.$key, this.$partOffset(key), at, size);
    } else {
      engine.write(this.$handle, key, at, size);
      this.$touch();
    }
  }
}

type Getter = (this: ContainerView<Fields>) => unknown;

/**
 * What reads a field. Each kind of field has a function of its own, so that engines see few kinds of
 * types in each; `offset` is undefined where fields are not all in one piece.
 */
function getter(field: AnyType, key: number, offset: number | undefined): Getter {
  if (!(field instanceof BasicType)) {
    return function () {
      return this.$getField(key);
    };
  }
  if (offset === undefined) {
    return function () {
      let site = this.$site;
      if (site === undefined || site.epoch !== site.engine.epoch) site = this.$place();
      return field.$peek(site.engine, site.address + site.deltas[key]!);
    };
  }
  if (!field.$isLongNumber) {
    return function () {
      let site = this.$site;
      if (site === undefined || site.epoch !== site.engine.epoch) site = this.$place();
      return field.$peek(site.engine, site.address + offset);
    };
  }
  return function () {
    let site = this.$site;
    if (site === undefined || site.epoch !== site.engine.epoch) site = this.$place();
    const at = site.address + offset;
    const { words } = site.engine;
    if ((at & 3) !== 0 || words[(at >>> 2) + 1] !== 0) return field.$peek(site.engine, at);
    return words[at >>> 2]!;
  };
}

/** The class of views of one container type, with its fields as accessors. */
function viewClass<F extends Fields>(engine: Engine, type: ContainerType<F>, Base: ViewClass) {
  const made = class extends (Base as unknown as ViewClass<F>) {};
  const { whole } = type.$layoutIn(engine);
  type.$fields.forEach(({ name, type: field, offset }, key) => {
    Object.defineProperty(made.prototype, name, {
      enumerable: true,
      configurable: true,
      get: getter(field, key, whole ? offset : undefined),
      set(this: ContainerView<F>, value: unknown) {
        this.$setField(key, value);
      },
    });
  });
  return made;
}
