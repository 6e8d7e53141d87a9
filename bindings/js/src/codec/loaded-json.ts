import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import type { Engine } from './engine.js';
import type { Json, JsonReadOptions, JsonWriteOptions } from './message.js';
import type { FieldInfo, MessageInfo } from './type.js';

/** What messages and lists call for ProtoJSON. */
export interface ProtoJson {
  write(arena: Arena, type: MessageInfo, ref: number, options?: JsonWriteOptions): string;
  read(engine: Engine, type: MessageInfo, text: string, options?: JsonReadOptions): Arena;
  /** The same of a value, as of its text. */
  readValue(engine: Engine, type: MessageInfo, value: unknown, options?: JsonReadOptions): Arena;
  /** What a field is in the ProtoJSON of its message; undefined where that leaves it out. */
  part(arena: Arena, ref: number, field: FieldInfo): Json | undefined;
}

let loaded: ProtoJson | undefined;

/** Programs that never use ProtoJSON do not carry it: what has use for it calls this. */
export function provideJson(json: ProtoJson): void {
  loaded = json;
}

export function protoJson(): ProtoJson {
  if (loaded !== undefined) return loaded;
  throw new SpiculeError('UNAVAILABLE', {}, 'ProtoJSON is not loaded; import spicule/codec/json');
}
