/**
 * Visiting by code that is made at run time, as specialize.ts has it for decoding: what a visitor is to be
 * told goes from the input straight to a tape, as wasm/tape.c has it, behind the input in its arena.
 * Nothing is remembered of a field, so numbers have to rise, and of a oneof one member may be set; what
 * else there is, is decoded. The whole input is read before the visitor is told anything.
 */
import type { Arena } from './arena.js';
import type { Limits } from './engine.js';
import {
  type Code, EQZ, EQZ64, GT_U, LT_S, LT_U, NE, PROMOTE, REINTERPRET_FLOAT, SHL, SHR_U, SHR_U64, STORE32, STORE64,
  STORE_DOUBLE, WRAP, add, brIf, call, get, global, long, loop, num, refuse, set, setGlobal, store, sub, when,
} from './instructions.js';
import { TYPE } from './scalar.js';
import {
  BASE, BOTTOM, DEEPEST, DEPTH, E, type Field, type FunctionOf, N, P, type Plan, SIDE, type Specialized, TOP,
  type TypeParts, V, X, Y, another, enlarged, fieldsBody, full, length, mark, message, number, readerPlan, refuseSecond, runReader, text,
  widthOf,
} from './specialize.js';
import type { MessageInfo } from './type.js';

/** Kinds of events: as tape_kind in wasm/tape.c. */
const EVENT = {
  enter: 0, leave: 1, small: 2, int: 3, uint: 4, smallLong: 5, low: 6, long: 7, ulong: 8, float: 9, bytes: 10,
  manyBytes: 11,
} as const;

const FIRST_TYPE = 4;
/** What has to be free for an event: three words, and one to leave each level. */
export const roomBytes = (): number => 16 + 4 * (DEEPEST + 1);
/** How far the part of an event goes in which small numbers are, and how many bits it has. */
const SMALL_AT = 15, SMALL_BITS = 17;

/**
 * (base, p, e, top, end, depth): writes the tape of what is from p to e, in the arena at `base`; its end. What
 * is behind e may be read, but is of no consequence.
 */
const runBody = (): Code => [
  setGlobal(BASE, get(0)),
  setGlobal(BOTTOM, sub(get(4), num(roomBytes()))),
  call(FIRST_TYPE, get(1), get(2), get(3), get(5)),
];

// ---- Functions of types

const head = ({ number }: Field, kind: number): Code => num((number << 4) | kind);
const forward = (bytes: Code): Code => set(TOP, add(get(TOP), bytes));

/** Moves on by some bytes, and by words more. */
const forwardBy = (bytes: number, words = get(Y)): Code => forward(add(num(bytes), [words, num(2), SHL]));
/** The part of an event that a small number is in; of others it is of no consequence. */
const small = (value: Code): Code => [value, num(SMALL_AT), SHL];

/** The kind of an event, or a later one if Y. */
const eitherHead = (field: Field, kind: number, other: number): Code =>
  add(head(field, kind), other === kind + 1 ? get(Y) : [get(Y), num(1), SHL]);

/** Whether a number needs a word of its own, to Y. */
const large = (value: Code): Code => set(Y, [value, num(SMALL_BITS), SHR_U, num(0), NE]);

/** The event of a number in V or X. */
function putNumber(field: Field): Code {
  const { type, size } = field;
  const put = (word: Code): Code => store(STORE32, get(TOP), 0, word);
  switch (type) {
    case TYPE.DOUBLE:
      return [put(head(field, EVENT.float)), store(STORE64, get(TOP), 4, get(V)), forward(num(12))];
    case TYPE.FLOAT: {
      const value: Code = [get(X), REINTERPRET_FLOAT, PROMOTE];
      return [put(head(field, EVENT.float)), store(STORE_DOUBLE, get(TOP), 4, value), forward(num(12))];
    }
    case TYPE.BOOL:
      return [put(add(head(field, EVENT.small), small(get(X)))), forward(num(4))];
  }
  const unsigned = type === TYPE.UINT32 || type === TYPE.FIXED32 || type === TYPE.UINT64 || type === TYPE.FIXED64;
  if (size === 8) {
    // One or two words behind the event: smallLong, low, and long or ulong follow each other.
    const beyond = (bits: number): Code => [get(V), long(bits), SHR_U64, EQZ64, EQZ];
    const high: Code = unsigned ? [get(X), num(1), SHL] : get(X);
    return [
      set(Y, beyond(SMALL_BITS)),
      set(X, beyond(32)),
      put(add(add(add(head(field, EVENT.smallLong), get(Y)), high), small([get(V), WRAP]))),
      store(STORE64, get(TOP), 4, get(V)),
      forwardBy(4, add(get(X), get(Y))),
    ];
  }
  return [
    large(get(X)),
    put(add(eitherHead(field, EVENT.small, unsigned ? EVENT.uint : EVENT.int), small(get(X)))),
    store(STORE32, get(TOP), 4, get(X)),
    forwardBy(4),
  ];
}

/** The event of N bytes, which are passed. */
const putBytes = (field: Field): Code => [
  large(get(N)),
  store(STORE32, get(TOP), 0, add(eitherHead(field, EVENT.bytes, EVENT.manyBytes), small(get(N)))),
  store(STORE32, get(TOP), 4, sub(get(P), global(BASE))),
  store(STORE32, get(TOP), 8, get(N)),
  forwardBy(8),
  set(P, add(get(P), get(N))),
];

/** An event, if a field without presence is not zero. */
const unlessZero = ({ explicit, repeated }: Field, value: Code, put: Code): Code =>
  explicit || repeated ? put : when(value, put);

/** A field, or an element of it, whose tag is at P. */
function fieldBody(field: Field, functionOf: FunctionOf): Code {
  const { type, tagSize, size } = field;
  if (type === TYPE.MESSAGE) {
    return [
      length(tagSize),
      store(STORE32, get(TOP), 0, head(field, EVENT.enter)),
      forward(num(4)),
      message(functionOf(field.message)),
      // There is room for as many of these as there are levels.
      store(STORE32, get(TOP), 0, head(field, EVENT.leave)),
      forward(num(4)),
    ];
  }
  if (widthOf(type) === undefined) return [text(field), unlessZero(field, get(N), putBytes(field))];
  const isThere: Code = size === 8 ? [get(V), EQZ64, EQZ] : get(X);
  return [number(field, tagSize), unlessZero(field, isThere, putNumber(field))];
}

const room = (): Code => full([get(TOP), global(BOTTOM), GT_U]);

function codeOf(field: Field, functionOf: FunctionOf): Code {
  if (field.packed) {
    return [
      length(field.tagSize),
      set(SIDE, add(get(P), get(N))),
      when([get(P), get(SIDE), LT_U], loop(
        room(),
        // At most ten bytes, which are there: see INPUT_PAD.
        number(field, 0),
        putNumber(field),
        brIf(0, [get(P), get(SIDE), LT_U]),
      )),
      refuse([get(P), get(SIDE), NE]),
    ];
  }
  const one: Code = [room(), fieldBody(field, functionOf)];
  if (field.repeated) return loop(one, brIf(0, another(field)));
  return field.caseAt === 0 ? one : [refuseSecond(field.bit), mark(field.bit), one];
}

/** (p, e, top, depth): writes the tape of a message at `top`; the top behind it, or 0. */
const typeBody = ({ fields }: TypeParts, functionOf: FunctionOf): Code => [
  refuse([get(DEPTH), num(0), LT_S]),
  fieldsBody(fields, true, (field) => codeOf(field, functionOf)),
  refuse([get(P), get(E), NE]),
  get(TOP),
];

const taper = (): Plan => readerPlan([[4, [], runBody]], 3, typeBody);

/** An arena's base, where input begins and ends, where the tape begins and room ends; levels. Its end, or 0. */
type Run = (base: number, p: number, e: number, top: number, end: number, depth: number) => number;

export type SpecializedTaper = Specialized<Run>;

/** As Specializer.tape. */
export function tapeSpecialized(
  type: MessageInfo,
  from: Arena,
  at: number,
  length: number,
  tape: Arena,
  start: number,
  limits: Limits | undefined,
): number {
  const { engine } = tape;
  const schema = engine.compiled(type.schema);
  const top = runReader(
    engine, schema.tapers, engine.typeAddress(schema, type), type, taper, length, limits,
    (code, depth) => {
      const { base } = from.region!;
      const { base: out, size } = tape.region!;
      return code(base, base + at, base + at + length, out + start, out + size, depth);
    },
    () => enlarged(engine, tape, start),
  );
  return top === 0 ? 0 : top - tape.region!.base;
}
