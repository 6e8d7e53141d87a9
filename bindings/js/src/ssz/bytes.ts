import { type Bytes, isBytes, typedArrayLength } from '../core/bytes.js';
import { BytesView } from './bytes-view.js';
import { checkLength } from './elements.js';
import { type Engine, KIND } from './engine.js';
import { type AnyType, type Host, type Memory, Type, type Writer, wrongValue } from './type.js';

/** A vector or list of bytes: a `Uint8Array`, in views too. */
export class BytesType extends Type<Bytes, Uint8Array, Bytes> {
  readonly typeName: string;
  override readonly fixedSize: number;
  readonly $plain = true;

  /** `limit` is the length of a vector, the limit of a list. */
  constructor(
    host: Host,
    readonly $kind: number,
    readonly $limit: bigint,
    readonly $element: AnyType,
  ) {
    super(host);
    this.fixedSize = this.$isList ? 0 : Number($limit);
    this.typeName =
      $kind === KIND.PROGRESSIVE_LIST
        ? 'ProgressiveByteList'
        : `Byte${this.$isList ? 'List' : 'Vector'}[${$limit}]`;
    this.$build();
  }

  get $isList(): boolean {
    return this.$kind !== KIND.VECTOR;
  }

  $compile(engine: Engine): number {
    return engine.build(this.$kind, this.$element.$id(engine), this.$limit);
  }

  $write(value: Uint8Array, writer: Writer, at: number): number {
    if (!isBytes(value)) throw wrongValue('a Uint8Array', value);
    const length = typedArrayLength(value);
    checkLength(this.$kind, this.$limit, length);
    writer.room(at + length);
    writer.bytes.set(value, at);
    return at + length;
  }

  $read({ bytes }: Memory, at: number, end: number): Bytes {
    return Uint8Array.prototype.slice.call(bytes, at, end);
  }

  defaultValue(): Bytes {
    return new Uint8Array(this.fixedSize);
  }

  $viewOf(engine: Engine): BytesView {
    return new BytesView(engine, this);
  }

  $isInline(): boolean {
    return true;
  }

  override $step(): AnyType {
    return this.$element;
  }
}
