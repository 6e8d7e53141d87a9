import { BasicType } from './basic.js';
import { checkLength, elementCount, writeElements } from './elements.js';
import { type Engine, KIND } from './engine.js';
import {
  BasicListView, type BasicVectorView, CompositeListView, type CompositeVectorView,
} from './sequence-view.js';
import {
  type AnyType, type Host, type InputOf, type Memory, type PartOf, Type, type ValueOf, type Writer,
  located, typeArgument, wrongValue,
} from './type.js';

/** What views of sequences ask of their types. */
export interface SequenceLike {
  readonly $element: AnyType;
  readonly $limit: bigint;
  readonly $isList: boolean;
  $isInline(engine: Engine): boolean;
}

const OFFSET_BYTES = 4;

/** The view of a list. */
export type SequenceViewOf<T extends AnyType> =
  T extends BasicType<unknown, unknown>
    ? BasicListView<ValueOf<T>, InputOf<T>, ValueOf<T>[]>
    : CompositeListView<PartOf<T>, InputOf<T>, ValueOf<T>>;

/** The view of a vector, which has a fixed length. */
export type VectorViewOf<T extends AnyType> =
  T extends BasicType<unknown, unknown>
    ? BasicVectorView<ValueOf<T>, InputOf<T>, ValueOf<T>[]>
    : CompositeVectorView<PartOf<T>, InputOf<T>, ValueOf<T>>;

/** A vector. */
export type VectorType<T extends AnyType> = SequenceType<T, VectorViewOf<T>>;

/** A vector or list; `limit` is the length of a vector, the limit of a list. */
export class SequenceType<T extends AnyType, ViewOf = SequenceViewOf<T>>
  extends Type<ValueOf<T>[], ArrayLike<InputOf<T>>, ViewOf>
  implements SequenceLike
{
  readonly typeName: string;
  override readonly fixedSize: number;
  readonly $plain = false;
  #inline: boolean | undefined;

  constructor(
    host: Host,
    readonly $kind: number,
    readonly $limit: bigint,
    readonly $element: T,
  ) {
    super(host);
    typeArgument($element, 'element');
    const vector = !this.$isList;
    this.fixedSize = vector ? Number($limit) * $element.fixedSize : 0;
    this.typeName =
      $kind === KIND.PROGRESSIVE_LIST
        ? `ProgressiveList[${$element}]`
        : `${vector ? 'Vector' : 'List'}[${$element}, ${$limit}]`;
    this.$build();
  }

  /** The type of the elements. */
  get elementType(): T {
    return this.$element;
  }

  get $isList(): boolean {
    return this.$kind !== KIND.VECTOR;
  }

  $compile(engine: Engine): number {
    return engine.build(this.$kind, this.$element.$id(engine), this.$limit);
  }

  $isInline(engine: Engine): boolean {
    return (this.#inline ??= engine.isFlat(this.$element.$id(engine)));
  }

  $write(values: ArrayLike<InputOf<T>>, writer: Writer, start: number): number {
    const { $element: element } = this;
    const length = elementCount(element, values, (expected) => wrongValue(expected, values));
    checkLength(this.$kind, this.$limit, length);
    if (element.fixedSize !== 0) return writeElements(element, values, length, writer, start);
    let at = start + OFFSET_BYTES * length;
    writer.room(at);
    let i = 0;
    try {
      for (; i < length; i++) {
        writer.data.setUint32(start + OFFSET_BYTES * i, at - start, true);
        at = element.$write(values[i]!, writer, at);
      }
    } catch (error) {
      throw located(error, `[${i}]`);
    }
    return at;
  }

  $read(memory: Memory, start: number, end: number): ValueOf<T>[] {
    const { $element: element } = this;
    const size = element.fixedSize;
    if (size !== 0) {
      const length = (end - start) / size;
      const values = new Array<ValueOf<T>>(length);
      for (let i = 0, at = start; i < length; i++, at += size) {
        values[i] = element.$read(memory, at, at + size);
      }
      return values;
    }
    if (start === end) return [];
    let at = start + memory.data.getUint32(start, true);
    const length = (at - start) / OFFSET_BYTES;
    const values = new Array<ValueOf<T>>(length);
    for (let i = 0; i < length; i++) {
      const next =
        i + 1 === length ? end : start + memory.data.getUint32(start + OFFSET_BYTES * (i + 1), true);
      values[i] = element.$read(memory, at, next);
      at = next;
    }
    return values;
  }

  defaultValue(): ValueOf<T>[] {
    const length = this.$kind === KIND.VECTOR ? Number(this.$limit) : 0;
    return Array.from({ length }, () => this.$element.defaultValue());
  }

  $viewOf(engine: Engine): SequenceViewOf<T> {
    const of: AnyType = this.$element;
    const view =
      of instanceof BasicType
        ? new BasicListView(engine, this)
        : new CompositeListView(engine, this);
    return view as unknown as SequenceViewOf<T>;
  }

  override $children() {
    return [{ name: undefined, type: this.$element }];
  }

  override $step(): AnyType {
    return this.$element;
  }
}
