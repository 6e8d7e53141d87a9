/**
 * Visiting: Wasm writes what a visitor is to be told as one sequence of words, a tape, and one loop here
 * calls the visitor, which engines optimise with the methods of the visitor in it. Code that is made at run
 * time writes the tape straight from the input (specialize-visit.ts); where there is none, or where it gives
 * up, input is decoded, and the walk through the records writes the tape, part by part (wasm/tape.c).
 */
import { wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import { FIRST } from './memory.js';
import { type DecodeOptions, Message, type MessageClass, decodeFlags, passingInput } from './message.js';
import { readUint32 } from './scalar.js';
import { DEEPEST, behindInput } from './specialize.js';
import { roomBytes } from './specialize-visit.js';
import type { MessageInfo } from './type.js';

/**
 * What `visit` calls for all that a message has, in the order of field numbers: no message object and no
 * bigint is made. A field is named by its number; unset ones are left out, zeroes too where the field has
 * no presence, and unknown fields and extensions. Override what is of use.
 */
export abstract class Visitor {
  /** A message in a field begins: not for the one that is visited itself. */
  enter(_field: number): void {}
  /** It ends. */
  leave(_field: number): void {}
  /** A 32-bit integer, enum or bool (0 or 1). */
  int(_field: number, _value: number): void {}
  /** A 64-bit integer in halves: `high * 2 ** 32 + low`; `high` is signed where the type is. */
  long(_field: number, _high: number, _low: number): void {}
  /** A float or double. */
  float(_field: number, _value: number): void {}
  /**
   * A string (UTF-8) or bytes: `length` bytes of `memory` from `start` on, good for this call. Where they
   * are a message of a type that this gives, that is visited next, and then there is a call of `leave`.
   */
  bytes(_field: number, _memory: Uint8Array, _start: number, _length: number): MessageClass | void {}
}

const double = /* @__PURE__ */ new Float64Array(1);
const halves = /* @__PURE__ */ new Uint32Array(double.buffer);

/** Bytes that a visitor gave the type of, and where the tape goes on. */
interface Asked {
  readonly type: MessageClass;
  readonly field: number;
  readonly start: number;
  readonly length: number;
  readonly next: number;
}

/**
 * Calls a visitor for a part of a tape, until it asks for bytes to be visited; `arena` has the bytes. A
 * visitor may do what it likes: views may have lost their memory after each call. Engines optimise this loop
 * with the visitor's methods in it, so nothing else is.
 */
function replay(tape: Arena, start: number, end: number, arena: Arena, visitor: Visitor): Asked | undefined {
  let { words } = tape;
  const last = end >> 2;
  let wide = 0;
  for (let at = start >> 2; at < last; ) {
    let event = words[at];
    if (event === undefined) {
      ({ words } = tape.again());
      event = words[at]!;
    }
    const field = wide | ((event >>> 4) & 0x7ff);
    wide = 0;
    switch (event & 15) {
      case 0: // enter
        visitor.enter(field);
        at++;
        break;
      case 1: // leave
        visitor.leave(field);
        at++;
        break;
      case 2: // small
        visitor.int(field, event >>> 15);
        at++;
        break;
      case 3: // int
        visitor.int(field, words[at + 1]! | 0);
        at += 2;
        break;
      case 4: // uint
        visitor.int(field, words[at + 1]!);
        at += 2;
        break;
      case 5: // smallLong
        visitor.long(field, 0, event >>> 15);
        at++;
        break;
      case 6: // low
        visitor.long(field, 0, words[at + 1]!);
        at += 2;
        break;
      case 7: // long
        visitor.long(field, words[at + 2]! | 0, words[at + 1]!);
        at += 3;
        break;
      case 8: // ulong
        visitor.long(field, words[at + 2]!, words[at + 1]!);
        at += 3;
        break;
      case 9: // float
        halves[0] = words[at + 1]!;
        halves[1] = words[at + 2]!;
        visitor.float(field, double[0]!);
        at += 3;
        break;
      case 10: // bytes
      case 11: { // manyBytes
        const begin = words[at + 1]!;
        const many = event & 1;
        const length = many === 0 ? event >>> 15 : words[at + 2]!;
        at += 2 + many;
        const type = visitor.bytes(field, arena.ready().bytes, begin, length);
        if (type !== undefined) return { type, field, start: begin, length, next: at << 2 };
        break;
      }
      case 12: // wide
        wide = (event >>> 4) << 11;
        at++;
        break;
      default:
        throw new SpiculeError('INTERNAL');
    }
  }
  return undefined;
}

/** Calls a visitor for a part of a tape, and for bytes that it asks for. */
function play(
  tape: Arena,
  start: number,
  end: number,
  arena: Arena,
  visitor: Visitor,
  options: DecodeOptions | undefined,
  depth: number,
): void {
  let asked = replay(tape, start, end, arena, visitor);
  while (asked !== undefined) {
    visitBytes(asked, arena, tape, end, visitor, options, depth);
    visitor.leave(asked.field);
    asked = replay(tape.ready(), asked.next, end, arena, visitor);
  }
}

/** Visits bytes as a visitor asked, with a tape behind `start` of that of what they are in. */
function visitBytes(
  { type, start: at, length }: Asked,
  arena: Arena,
  tape: Arena,
  start: number,
  visitor: Visitor,
  options: DecodeOptions | undefined,
  depth: number,
): void {
  if (typeof (type as unknown) !== 'function' || !(type.prototype instanceof Message)) {
    throw wrongType('what bytes() gives', 'a message type', type);
  }
  if (depth === DEEPEST) throw new SpiculeError('DEPTH_LIMIT', { limit: DEEPEST });
  const { $type } = type;
  arena.ready();
  const { specializer } = arena.engine;
  const end = $type.schema.engine === arena.engine && specializer !== undefined
    ? specializer.tape($type, arena, at, length, tape, start, options) : 0;
  if (end !== 0) play(tape, start, end, arena, visitor, options, depth + 1);
  else visitPassing($type, arena.bytes.subarray(at, at + length), visitor, options, depth + 1);
}

/** Bytes of tape_walk in wasm/tape.c, which is in front of a tape; and of both. */
const WALK_BYTES = 8 + 32 * 257;
const TAPE_BYTES = 2 ** 15;

/** What is to be called. */
export function visitorArgument(visitor: Visitor): void {
  if (typeof visitor !== 'object' || visitor === null) throw wrongType('visitor', 'a Visitor', visitor);
}

/** Visits a message in an arena. */
export function visitRecord(
  type: MessageInfo,
  arena: Arena,
  ref: number,
  visitor: Visitor,
  options?: DecodeOptions,
  depth = 0,
): void {
  const { engine } = arena.ready();
  engine.passing(arena.schema, TAPE_BYTES, TAPE_BYTES, (tape) => {
    let from = ref;
    let more: boolean;
    do {
      const end = engine.tape(arena.ready(), type, from, tape);
      more = readUint32(tape, FIRST) !== 0;
      play(tape, FIRST + WALK_BYTES, end, arena, visitor, options, depth);
      from = 0;
    } while (more);
  });
  // Whoever disposed the message meanwhile is told.
  arena.ready();
}

/** Visits the message that bytes are. */
export function visitPassing(
  type: MessageInfo,
  bytes: Uint8Array,
  visitor: Visitor,
  options: DecodeOptions | undefined,
  depth = 0,
): void {
  const { engine } = type.schema;
  passingInput(engine, type, bytes, options, type.taping, (arena, length, checked) => {
    const start = behindInput(length);
    const end = engine.specializer?.tape(type, arena, FIRST, length, arena, start, checked) ?? 0;
    if (end !== 0) {
      type.taping.learn(length, end + roomBytes());
      play(arena, start, end, arena, visitor, checked, depth);
      return;
    }
    engine.decode(arena, type, length, decodeFlags(checked), checked);
    visitRecord(type, arena, arena.ref, visitor, checked, depth);
  });
}
