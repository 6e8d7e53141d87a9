import { SpiculeError } from '../core/error.js';
import type { Json, Message, MessageClass } from './message.js';

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

/** What to make a google.protobuf.Value from for a JSON value. */
export function valueFromJson(value: Json): ValueInit {
  if (value === null) return { kind: { case: 'nullValue', value: 0 } };
  if (typeof value === 'number') return { kind: { case: 'numberValue', value } };
  if (typeof value === 'string') return { kind: { case: 'stringValue', value } };
  if (typeof value === 'boolean') return { kind: { case: 'boolValue', value } };
  if (Array.isArray(value)) {
    return { kind: { case: 'listValue', value: { values: value.map(valueFromJson) } } };
  }
  return { kind: { case: 'structValue', value: structFromJson(value) } };
}

/** What to make a google.protobuf.Struct from for an object. */
export function structFromJson(object: { readonly [key: string]: Json }) {
  return { fields: new Map(Object.entries(object).map(([key, value]) => [key, valueFromJson(value)])) };
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
