import { SpiculeError } from '../core/error.js';
import type { Message, MessageClass } from './message.js';
import { isBytesType } from './scalar.js';
import { FIELD_WORDS, TYPE_WORDS } from './type.js';

/** Where the default is among the words of a field: its bits, and the place and length of text or bytes. */
const DEFAULT = 12;

/**
 * What a string, bytes, number, bool or enum field is taken to be where it is not set: what the .proto
 * file says, else zero or empty. A message has `undefined` there if the field has presence.
 */
export function defaultOf<M extends Message, K extends keyof M & string>(
  of: MessageClass<M>,
  name: K,
): NonNullable<M[K]> {
  const type = of.$type;
  const field = type.field(name);
  const { scalar } = field;
  if (scalar === undefined || field.repeated) throw new SpiculeError('WRONG_TYPE', { path: name });
  const { engine } = type.schema;
  const described = engine.describe(engine.typeAddress(engine.compiled(type.schema), type));
  const first = TYPE_WORDS + FIELD_WORDS * type.fields.indexOf(field) + DEFAULT + (isBytesType(field.type) ? 2 : 0);
  engine.wasm.refresh();
  // What reads a slot of an arena reads it.
  const words = described.slice(first, first + 2);
  const { buffer } = words;
  const arena = {
    words,
    floats: new Float32Array(buffer),
    doubles: new Float64Array(buffer),
    longs: new BigInt64Array(buffer),
    ulongs: new BigUint64Array(buffer),
    bytes: engine.wasm.bytes,
    copies: true,
    text: (at: number, length: number) => engine.textAt(at, length),
  };
  return scalar.read(arena as never, 0) as NonNullable<M[K]>;
}
