import { type Bytes, plainArgument } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { checkedOptions } from '../core/options.js';
import { DECODE_KINDS, type DecodeOptions, type Message, type MessageClass } from './message.js';

/** How streams of messages are read. */
export interface DelimitedOptions extends DecodeOptions {
  /** Most bytes that one message may have, by default 64 MiB; then `SIZE_LIMIT`. */
  readonly maxSize?: number | undefined;
}

const DEFAULT_LIMIT = 2 ** 26;
const VARINT_BYTES = 5;

/** A message behind its length, as `parseDelimitedFrom` and the like of other libraries read it. */
export function encodeDelimited(message: { encode(): Uint8Array }): Bytes {
  const bytes = message.encode();
  const head: number[] = [];
  let { length } = bytes;
  for (; length > 0x7f; length = Math.floor(length / 128)) head.push((length & 0x7f) | 0x80);
  head.push(length);
  const out = new Uint8Array(head.length + bytes.length);
  out.set(head);
  out.set(bytes, head.length);
  return out;
}

/**
 * The messages of a stream in which each stands behind its length. A chunk is asked for when it is
 * needed, and not before the messages so far were taken. Dispose each message.
 * Errors count from the start of the message, behind its length. `TRUNCATED`: the stream ends within
 * a message.
 */
export async function* decodeDelimited<M extends Message>(
  type: MessageClass<M>,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options?: DelimitedOptions,
): AsyncGenerator<M, void, undefined> {
  const { maxSize: limit = DEFAULT_LIMIT } = checkedOptions(options, DECODE_KINDS);
  // What is left of earlier chunks, joined when a message is there as a whole.
  let parts: Uint8Array[] = [];
  let held = 0;
  let needed = 1;
  for await (const given of chunks) {
    const chunk = plainArgument(given, 'chunk');
    parts.push(chunk);
    held += chunk.length;
    if (held < needed) continue;
    const bytes = parts.length === 1 ? chunk : joined(parts, held);
    let at = 0;
    for (;;) {
      const head = readLength(bytes, at);
      if (head === undefined) {
        needed = bytes.length - at + 1;
        break;
      }
      if (head.length > limit) throw new SpiculeError('SIZE_LIMIT', { limit });
      const end = head.end + head.length;
      if (end > bytes.length) {
        needed = end - at;
        break;
      }
      const message = type.decode<M>(bytes.subarray(head.end, end), options);
      at = end;
      yield message;
    }
    held = bytes.length - at;
    // A copy: the chunk may be the reader's buffer for the next one.
    parts = held === 0 ? [] : [bytes.slice(at)];
  }
  if (held !== 0) throw new SpiculeError('TRUNCATED', { offset: held });
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The length that begins at `at`; undefined if it is not there as a whole. */
function readLength(bytes: Uint8Array, at: number) {
  let length = 0;
  for (let i = 0; i < VARINT_BYTES; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 128 ** i;
    if (byte < 0x80) return { length, end: at + i + 1 };
  }
  throw new SpiculeError('OVERLONG_VARINT', { offset: 0 });
}
