import { type Bytes, isBytes } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { BytesView } from './bytes-view.js';
import { type Engine, KIND } from './engine.js';
import { type AnyType, type Host, type Memory, Type, wrongValue } from './type.js';

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
    this.fixedSize = $kind === KIND.VECTOR ? Number($limit) : 0;
    this.typeName =
      $kind === KIND.PROGRESSIVE_LIST
        ? 'ProgressiveByteList'
        : `Byte${$kind === KIND.VECTOR ? 'Vector' : 'List'}[${$limit}]`;
    this.$build();
  }

  $compile(engine: Engine): number {
    return engine.build(this.$kind, this.$element.$id(engine), this.$limit);
  }

  $size(value: Uint8Array): number {
    if (!isBytes(value)) throw wrongValue('a Uint8Array', value);
    const { length } = value;
    if (this.$kind === KIND.VECTOR) {
      if (length !== this.fixedSize) throw new SpiculeError('WRONG_LENGTH', { limit: this.fixedSize });
    } else if (this.$kind === KIND.LIST && length > this.$limit) {
      throw new SpiculeError('OVER_LIMIT', { limit: Number(this.$limit) });
    }
    return length;
  }

  $write(value: Uint8Array, { bytes }: Memory, at: number): number {
    bytes.set(value, at);
    return at + value.length;
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
