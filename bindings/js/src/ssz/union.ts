import { isBytes, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { type Engine, ITSELF } from './engine.js';
import {
  type AnyType, type Host, type InputOf, type Memory, type PartOf, Type, type ValueOf, type Writer,
  located, typeArgument, wrongValue,
} from './type.js';
import { replacing } from './sequence-view.js';
import { View } from './view.js';

/** The step to what a union holds, as in spicule/ssz.h. */
const DATA = 2n ** 64n - 4n;

/** Options by selector; `null` is None, which a legacy union may have as option 0. */
export type Options = Readonly<Record<number, AnyType | null>>;
type ValueOfOption<T> = T extends AnyType ? ValueOf<T> : null;
type InputOfOption<T> = T extends AnyType ? InputOf<T> : null;
type PartOfOption<T> = T extends AnyType ? PartOf<T> : null;
export type ValueOfOptions<O extends Options> = {
  [K in keyof O & number]: { selector: K; data: ValueOfOption<O[K]> };
}[keyof O & number];
export type InputOfOptions<O extends Options> = {
  [K in keyof O & number]: { readonly selector: K; readonly data: InputOfOption<O[K]> };
}[keyof O & number];

/** A union: compatible, or the legacy one. */
export class UnionType<O extends Options> extends Type<
  ValueOfOptions<O>,
  InputOfOptions<O>,
  UnionView<O>
> {
  readonly typeName: string;
  readonly $plain = false;
  readonly $options: ReadonlyMap<number, AnyType | null>;

  constructor(
    host: Host,
    readonly $compatible: boolean,
    options: O,
  ) {
    super(host);
    if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options);
    this.$options = new Map(
      Object.entries(options).map(([selector, type]) => [
        Number(selector), type === null && !$compatible ? null : typeArgument(type, `options[${selector}]`),
      ]),
    );
    const texts = [...this.$options].map(([selector, type]) =>
      $compatible ? `${selector}: ${type}` : `${type ?? 'None'}`,
    );
    this.typeName = `${$compatible ? 'CompatibleUnion({' : 'Union['}${texts.join(', ')}${$compatible ? '})' : ']'}`;
    this.$build();
  }

  $compile(engine: Engine): number {
    const ids = [...this.$options.values()].map((type) => (type === null ? 0 : type.$id(engine)));
    return engine.buildUnion(ids, this.$compatible ? [...this.$options.keys()] : undefined);
  }

  /** The type of an option; null for None. `UNKNOWN_OPTION`. */
  $option(selector: unknown): AnyType | null {
    const type = typeof selector === 'number' ? this.$options.get(selector) : undefined;
    if (type === undefined) throw new SpiculeError('UNKNOWN_OPTION', {}, `selector ${selector}`);
    return type;
  }

  $write(value: InputOfOptions<O>, writer: Writer, at: number): number {
    if (typeof value !== 'object' || value === null || isBytes(value)) {
      throw wrongValue('an object with selector and data', value);
    }
    const selector: unknown = value.selector;
    const type = this.$option(selector);
    const data: unknown = value.data;
    // An option of fixed size takes room to be there.
    writer.room(at + 1 + (type?.fixedSize ?? 0));
    writer.bytes[at] = selector as number;
    try {
      if (type !== null) return type.$write(data, writer, at + 1);
      if (data !== null && data !== undefined) throw wrongValue('null', data);
      return at + 1;
    } catch (error) {
      throw located(error, 'data');
    }
  }

  $read(memory: Memory, at: number, end: number): ValueOfOptions<O> {
    const selector = memory.bytes[at]!;
    const type = this.$option(selector);
    const data: unknown = type === null ? null : type.$read(memory, at + 1, end);
    return { selector, data } as unknown as ValueOfOptions<O>;
  }

  defaultValue(): ValueOfOptions<O> {
    if (this.$compatible) throw new SpiculeError('NO_DEFAULT');
    const data: unknown = this.$option(0)?.defaultValue() ?? null;
    return { selector: 0, data } as unknown as ValueOfOptions<O>;
  }

  $viewOf(engine: Engine): UnionView<O> {
    return new UnionView(engine, this);
  }

  override $children() {
    return [...this.$options].flatMap(([selector, type]) =>
      type === null ? [] : [{ name: String(selector), type }]);
  }

  override get $isUnion(): boolean {
    return true;
  }

  override $step(step: bigint, selector: number): AnyType {
    const type = step === DATA || step === BigInt(selector) ? this.$option(selector) : null;
    if (type === null) throw new SpiculeError('OUT_OF_RANGE');
    return type;
  }
}

/** A view of a union. */
export class UnionView<O extends Options> extends View<ValueOfOptions<O>> {
  declare readonly $type: UnionType<O>;

  /** Which option the value is. */
  get selector(): keyof O & number {
    return this.$engine.selector(this.$handle) as keyof O & number;
  }

  /** What the union holds: a view, or the value where that is plain; null for None. */
  get data(): PartOfOption<O[keyof O & number]> {
    const { $engine: engine } = this;
    const selector = this.selector as number;
    const type = this.$type.$option(selector);
    if (type === null) return null as PartOfOption<O[keyof O & number]>;
    if (!type.$plain) return this.$part(selector, type, false) as PartOfOption<O[keyof O & number]>;
    const at = engine.readAny(this.$handle, selector);
    return type.$read(engine, at, at + engine.result(0));
  }

  override $summary(): unknown {
    return { selector: this.selector, data: this.data };
  }

  /** Makes the union hold another option, or another value. */
  set(value: InputOfOptions<O>): void {
    const { $engine: engine, $type: type } = this;
    const [key = -1] = this.$parts?.keys() ?? [];
    const [at, size] = replacing(this, key, type, value);
    engine.write(this.$handle, ITSELF, at, size);
    this.$touch();
  }
}
