import { SpiculeError } from '../core/error.js';
import type { Json, Message, MessageClass } from './message.js';
import { DEPTH_MAX } from './record.js';

/** A google.protobuf.Timestamp: a message, or what one is made from. */
export interface TimestampLike {
  readonly seconds?: bigint | number | string | undefined;
  readonly nanos?: number | undefined;
}

/** A Date that knows what it leaves out: `nanos` is the whole fraction of the second. */
export class TimestampDate extends Date {
  readonly nanos: number;

  constructor(seconds: bigint, nanos: number) {
    super(Number(seconds * 1000n) + Math.floor(nanos / 1e6));
    this.nanos = nanos;
  }
}

const NANOS = 1_000_000_000;

/** A Timestamp as a Date, with its nanoseconds beside. */
export function timestampToDate({ seconds = 0n, nanos = 0 }: TimestampLike): TimestampDate {
  return new TimestampDate(BigInt(seconds), nanos);
}

/** The Timestamp of a Date; of one that `timestampToDate` made, and that was not changed, exactly. */
export function timestampFromDate(date: Date): { seconds: bigint; nanos: number } {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new SpiculeError('INVALID_ARGUMENT', {}, `${date}`);
  const seconds = Math.floor(time / 1000);
  const millis = time - 1000 * seconds;
  const own = date instanceof TimestampDate ? date.nanos : -1;
  const nanos = Math.floor(own / 1e6) === millis ? own : millis * 1e6;
  return { seconds: BigInt(seconds), nanos };
}

/** Nanoseconds since 1970. */
export function timestampToNanos({ seconds = 0n, nanos = 0 }: TimestampLike): bigint {
  return BigInt(seconds) * BigInt(NANOS) + BigInt(nanos);
}

/** The Timestamp that many nanoseconds from 1970. */
export function timestampFromNanos(time: bigint): { seconds: bigint; nanos: number } {
  const nanos = ((time % BigInt(NANOS)) + BigInt(NANOS)) % BigInt(NANOS);
  return { seconds: (time - nanos) / BigInt(NANOS), nanos: Number(nanos) };
}

/** What a google.protobuf.Value is made from. */
export interface ValueInit {
  readonly kind:
    | { readonly case: 'nullValue'; readonly value: 0 }
    | { readonly case: 'numberValue'; readonly value: number }
    | { readonly case: 'stringValue'; readonly value: string }
    | { readonly case: 'boolValue'; readonly value: boolean }
    | { readonly case: 'structValue'; readonly value: { readonly fields: Map<string, ValueInit> } }
    | { readonly case: 'listValue'; readonly value: { readonly values: ValueInit[] } };
}

/** One level below `depth`; what contains itself has no end. */
function below(depth: number): number {
  if (depth < DEPTH_MAX) return depth + 1;
  throw new SpiculeError('DEPTH_LIMIT', { limit: DEPTH_MAX });
}

/** What to make a google.protobuf.Value from for a JSON value. */
export const valueFromJson = (value: Json): ValueInit => valueInit(value, 0);

function valueInit(value: Json, depth: number): ValueInit {
  if (value === null) return { kind: { case: 'nullValue', value: 0 } };
  if (typeof value === 'number') return { kind: { case: 'numberValue', value } };
  if (typeof value === 'string') return { kind: { case: 'stringValue', value } };
  if (typeof value === 'boolean') return { kind: { case: 'boolValue', value } };
  if (Array.isArray(value)) {
    const values = value.map((element) => valueInit(element, below(depth)));
    return { kind: { case: 'listValue', value: { values } } };
  }
  return { kind: { case: 'structValue', value: structInit(value, below(depth)) } };
}

/** What to make a google.protobuf.Struct from for an object. */
export const structFromJson = (object: { readonly [key: string]: Json }) => structInit(object, 0);

function structInit(object: { readonly [key: string]: Json }, depth: number) {
  const entries = Object.entries(object).map(([key, value]) => [key, valueInit(value, depth)] as const);
  return { fields: new Map(entries) };
}

/** A google.protobuf.Value: a message or a plain object. */
export interface ValueLike {
  readonly kind?: { readonly case: string; readonly value: unknown } | undefined;
}

/** A google.protobuf.Struct: a message or a plain object. */
export interface StructLike {
  readonly fields: Iterable<readonly [string, ValueLike]>;
}

/** The JSON value of a google.protobuf.Value, `BAD_JSON_VALUE` for one without any. */
export const valueToJson = (value: ValueLike): Json => jsonOfValue(value, 0);

/** The object of a google.protobuf.Struct. */
export const structToJson = (struct: StructLike): { [key: string]: Json } => jsonOfStruct(struct, 0);

function jsonOfStruct({ fields }: StructLike, depth: number): { [key: string]: Json } {
  return Object.fromEntries(Array.from(fields, ([key, value]) => [key, jsonOfValue(value, depth)]));
}

function jsonOfValue({ kind }: ValueLike, depth: number): Json {
  switch (kind?.case) {
    case 'nullValue':
      return null;
    case 'numberValue':
    case 'stringValue':
    case 'boolValue':
      return kind.value as Json;
    case 'structValue':
      return jsonOfStruct(kind.value as StructLike, below(depth));
    case 'listValue': {
      const { values } = kind.value as { readonly values: Iterable<ValueLike> };
      return Array.from(values, (element) => jsonOfValue(element, below(depth)));
    }
    default:
      throw new SpiculeError('BAD_JSON_VALUE', {}, 'a google.protobuf.Value without a value');
  }
}

/** Packs a message as a google.protobuf.Any is made from. */
export function packAny(message: Message): { typeUrl: string; value: Uint8Array } {
  return { typeUrl: `type.googleapis.com/${message.$type.name}`, value: message.encode() };
}

/** The message in a google.protobuf.Any if it is of that type, to be disposed. */
export function unpackAny<M extends Message>(
  any: { readonly typeUrl: string; readonly value: Uint8Array },
  type: MessageClass<M>,
): M | undefined {
  const name = any.typeUrl.slice(any.typeUrl.lastIndexOf('/') + 1);
  return name === type.typeName ? type.decode<M>(any.value) : undefined;
}
