import type { Arena } from './arena.js';
import type { Engine, Limits } from './engine.js';
import type { SpecializedEncoder } from './specialize-encode.js';
import type { MessageInfo } from './type.js';

/** What the engine and visitors call for code that is made at run time for message types. */
export interface Specializer {
  /**
   * Decodes as Engine.decode does, or leaves the arena as it was. The input is at the start of an arena that is
   * empty otherwise; or at `at`, and at `keep`, from where on nothing is in use, is room for what is behind it.
   */
  decode(
    engine: Engine, arena: Arena, type: MessageInfo, length: number, limits: Limits | undefined, at?: number,
    keep?: number,
  ): boolean;
  /** The code that encodes a type, if it is to be used. */
  encoderFor(engine: Engine, arena: Arena, type: MessageInfo, address: number): SpecializedEncoder | undefined;
  /** Encodes as codec_encode does; gives the length, or 0. */
  encode(
    encoder: SpecializedEncoder, arena: Arena, ref: number, at: number, capacity: number, limits: Limits | undefined,
  ): number;
  /**
   * Writes the tape of `length` bytes that are at `at` in an arena to `start` in another one or the same, from
   * where on nothing is in use; gives its end, or 0.
   */
  tape(
    type: MessageInfo, from: Arena, at: number, length: number, tape: Arena, start: number, limits: Limits | undefined,
  ): number;
}

let loaded: Specializer | undefined;

/** Programs whose code is to be small do not carry it: what is to be quick calls this. */
export function provideSpecializer(specializer: Specializer): void {
  loaded = specializer;
}

export const loadedSpecializer = (): Specializer | undefined => loaded;
