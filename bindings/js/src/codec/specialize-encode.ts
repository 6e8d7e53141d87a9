/**
 * Encoding by code that is made at run time, as specialize.ts has it for decoding: back to front, so that
 * the length of a message is known when it is written, as src/codec/encode.c. What it gives up, mostly
 * as maps, groups, extensions or unknown fields are there or as the output is too small, the tables do
 * from the start. It reads the arena and writes nothing but the output.
 */
import { leb } from '../core/stack.js';
import type { Arena } from './arena.js';
import type { Engine, Limits } from './engine.js';
import {
  type Code, AND64, BLOCK, BR, BR_TABLE, CLZ64, DIV_U, END, EQ, EXTEND, GT_U, GT_U64, I32, I64,
  LE_U, LOAD16, LOAD32, LOAD32_S64, LOAD32_U64, LOAD64, LT_S, LT_U, LT_U64, MUL, OR, OR64, SHL,
  SHL64, SHR_S64, SHR_U64, STORE16, STORE32, STORE64, STORE8, SUB, VOID, WRAP, XOR64, add, and,
  block, brIf, call, get, give, global, load, long, longs, loop, num, refuse, set, setGlobal,
  store, sub, tee, unless, when,
} from './instructions.js';
import { TYPE } from './scalar.js';
import {
  CALL_BYTES, DEEPEST, type Field, type FunctionOf, type Plan, type Specialized, type TypeParts, codeFor,
  hasWords, settle, widthOf,
} from './specialize.js';
import type { MessageInfo } from './type.js';

const BASE = 0, BEGIN = 1;
/** The first function is an import, which is of no use here. */
const VARINT = 1, COPY = 2, RUN = 3, FIRST_TYPE = 4;

/** More bytes than this are copied by one instruction, which is a call. */
const COPY_LOOP = 64;
/** Free bytes for a number and its tag, or a length and its tag, as they are written. */
const ROOM = 16;

/** Moves some bits of local 4 up, away from those that stay. */
const apart = (stay: number, move: number, by: number): Code =>
  set(4, [get(4), longs(stay), AND64, get(4), longs(move), AND64, long(by), SHL64, OR64]);

/** (q, v): a varint in front of q. Locals: how many bytes, where, what. */
const varintBody = (): Code => [
  set(2, [num(70), [get(1), long(1), OR64, CLZ64, WRAP], SUB, num(7), DIV_U]),
  when([get(2), num(8), GT_U], [
    set(0, tee(3, sub(get(0), get(2)))),
    loop(
      store(STORE8, get(3), 0, [get(1), WRAP, num(128), OR]),
      set(3, add(get(3), num(1))),
      brIf(0, [set(1, [get(1), long(7), SHR_U64]), get(1), long(127), GT_U64]),
    ),
    store(STORE8, get(3), 0, [get(1), WRAP]),
    give(get(0)),
  ]),
  // The reverse of what decoding does: words, then pairs, then bytes move apart.
  set(4, [get(1), long(0xfffffff), AND64, get(1), long(28), SHR_U64, long(32), SHL64, OR64]),
  apart(0x3fff, 0x0fffc000, 2),
  apart(0x007f007f, 0x3f803f80, 1),
  set(3, [num(64), [get(2), num(3), SHL], SUB]),
  store(STORE64, sub(get(0), num(8)), 0, [
    [get(4), longs(0x00808080, 0x80808080 | 0), get(3), EXTEND, SHR_U64, OR64], get(3), EXTEND, SHL64,
  ]),
  sub(get(0), get(2)),
];

/** (q, from, n): n bytes in front of q, and maybe up to seven more in front of those. Locals: where. */
const copyBody = (): Code => [
  set(3, sub(get(0), get(2))),
  when([get(2), num(COPY_LOOP), GT_U], [get(3), get(1), get(2), 0xfc, 0x0a, 0, 0], [
    set(1, add(get(1), get(2))),
    block(
      loop(
        brIf(1, [get(0), get(3), LE_U]),
        set(0, sub(get(0), num(8))),
        set(1, sub(get(1), num(8))),
        store(STORE64, get(0), 0, load(LOAD64, get(1))),
        [BR, 0],
      ),
    ),
  ]),
  get(3),
];

/** (base, ref, begin, end, depth): encodes to the end of the output; where that begins, or 0. */
const runBody = (): Code => [
  setGlobal(BASE, get(0)),
  setGlobal(BEGIN, get(2)),
  call(FIRST_TYPE, add(get(0), get(1)), get(3), get(4)),
];

// ---- Functions of types

/** Parameters: the record, where the output begins so far, levels that are left. */
const RECORD = 0, Q = 1, DEPTH = 2, N = 3, SIDE = 4, TO = 5, P = 6, V = 7, HAS = 8;

const room = (more: Code): Code => refuse([sub(get(Q), global(BEGIN)), more, LT_U]);
const back = (n: number): Code => set(Q, sub(get(Q), num(n)));
const absolute = (ref: Code): Code => add(global(BASE), ref);

const putTag = ({ tagSize, raw }: Field): Code =>
  [back(tagSize), store(tagSize === 1 ? STORE8 : STORE16, get(Q), 0, num(raw))];

/** A varint below 128, as a 32-bit number, and the tag. */
const putSmall = (field: Field, value: Code): Code =>
  field.tagSize === 1
    ? [back(2), store(STORE16, get(Q), 0, [value, num(8), SHL, num(field.raw), OR])]
    : [back(1), store(STORE8, get(Q), 0, value), putTag(field)];

/** The length N and the tag. */
const putLength = (field: Field): Code =>
  when([get(N), num(128), LT_U], putSmall(field, get(N)), [
    set(Q, call(VARINT, get(Q), [get(N), EXTEND])), putTag(field),
  ]);

/** The number at a place, as its varint has it. */
function numberAt({ type, size }: Field, place: Code, at: number): Code {
  const signed = type === TYPE.INT32 || type === TYPE.ENUM || type === TYPE.SINT32;
  const value = load(size === 8 ? LOAD64 : signed ? LOAD32_S64 : LOAD32_U64, place, at);
  if (type !== TYPE.SINT32 && type !== TYPE.SINT64) return value;
  return [tee(V, value), long(1), SHL64, get(V), long(63), SHR_S64, XOR64];
}

/** The number at a place, with its tag or without; ROOM bytes are there. */
function putNumber(field: Field, place: Code, at: number, tagged: boolean): Code {
  const width = widthOf(field.type)!;
  const tag = tagged ? putTag(field) : [];
  if (width === 8) return [back(8), store(STORE64, get(Q), 0, load(LOAD64, place, at)), tag];
  if (width === 4) return [back(4), store(STORE32, get(Q), 0, load(LOAD32, place, at)), tag];
  const small = [get(V), WRAP];
  return [
    set(V, numberAt(field, place, at)),
    when([get(V), long(128), LT_U64],
      tagged ? putSmall(field, small) : [back(1), store(STORE8, get(Q), 0, small)],
      [set(Q, call(VARINT, get(Q), get(V))), tag]),
  ];
}

/** The string or bytes at a place. */
const putBytes = (field: Field, place: Code, at: number): Code => [
  set(N, load(LOAD32, place, at + 4)),
  room(add(get(N), num(ROOM + 8))),
  set(Q, call(COPY, get(Q), absolute(load(LOAD32, place, at)), get(N))),
  putLength(field),
];

/** The message whose reference is at a place. */
const putMessage = (field: Field, place: Code, at: number, functionOf: FunctionOf): Code => [
  set(TO, get(Q)),
  set(Q, call(functionOf(field.message), absolute(load(LOAD32, place, at)), get(Q), sub(get(DEPTH), num(1)))),
  unless(get(Q)),
  set(N, sub(get(TO), get(Q))),
  room(num(ROOM)),
  putLength(field),
];

function putSingular(field: Field, functionOf: FunctionOf): Code {
  const { type, at } = field;
  if (type === TYPE.MESSAGE) return putMessage(field, get(RECORD), at, functionOf);
  if (widthOf(type) === undefined) return putBytes(field, get(RECORD), at);
  return [room(num(ROOM)), putNumber(field, get(RECORD), at, true)];
}

function putRepeated(field: Field, functionOf: FunctionOf): Code {
  const { type, at, size, packed } = field;
  let element: Code;
  if (type === TYPE.MESSAGE) element = putMessage(field, get(P), 0, functionOf);
  else if (widthOf(type) === undefined) element = putBytes(field, get(P), 0);
  else element = [room(num(ROOM)), putNumber(field, get(P), 0, !packed)];
  return when(tee(N, load(LOAD32, get(RECORD), at + 4)), [
    set(SIDE, absolute(load(LOAD32, get(RECORD), at))),
    set(P, add(get(SIDE), [get(N), num(size), MUL])),
    packed ? set(TO, get(Q)) : [],
    loop(
      set(P, sub(get(P), num(size))),
      element,
      brIf(0, [get(P), get(SIDE), GT_U]),
    ),
    packed ? [set(N, sub(get(TO), get(Q))), room(num(ROOM)), putLength(field)] : [],
  ]);
}

const isSet = ({ bit }: Field): Code => and(get(HAS + (bit >>> 5)), num(1 << (bit & 31)));

/** Members of a oneof whose numbers follow each other, as far as fields of the type go. */
function putMembers(members: readonly Field[], functionOf: FunctionOf): Code {
  const first = members[0]!;
  const put = (field: Field): Code => (field.plain ? putSingular(field, functionOf) : give(num(0)));
  const values = members.map(({ caseValue }) => caseValue);
  const least = Math.min(...values);
  const range = Math.max(...values) - least + 1;
  const count = members.length;
  const which = load(LOAD16, get(RECORD), first.caseAt);
  if (count < 4 || range > 4 * count) {
    return when(isSet(first), [
      set(SIDE, which),
      members.map((field) => when([get(SIDE), num(field.caseValue), EQ], put(field))),
    ]);
  }
  const cases = Array.from({ length: range }, () => count);
  values.forEach((value, i) => (cases[value - least] = i));
  return when(isSet(first), block(
    members.map(() => [BLOCK, VOID]),
    sub(which, num(least)), BR_TABLE, leb(range), cases.map(leb), leb(count),
    members.map((field, i) => [END, put(field), BR, leb(count - 1 - i)]),
  ));
}

/** (record, q, depth): encodes a record in front of q; where that begins, or 0. */
function typeBody({ extensionsAt, fields }: TypeParts, functionOf: FunctionOf): Code {
  const code: Code[] = [];
  for (let i = fields.length - 1; i >= 0; i--) {
    const field = fields[i]!;
    if (field.caseAt !== 0) {
      const members = [field];
      while (i > 0 && fields[i - 1]!.caseAt === field.caseAt) members.push(fields[--i]!);
      code.push(putMembers(members, functionOf));
    } else if (!field.plain) {
      code.push(refuse(isSet(field)));
    } else {
      const put = field.repeated ? putRepeated(field, functionOf) : putSingular(field, functionOf);
      code.push(when(isSet(field), put));
    }
  }
  return [
    refuse([get(DEPTH), num(0), LT_S]),
    Array.from({ length: hasWords(fields) }, (_, i) => set(HAS + i, load(LOAD32, get(RECORD), 4 * i))),
    // Unknown fields.
    refuse(and(get(HAS), num(1))),
    extensionsAt === 0 ? [] : refuse(load(LOAD32, get(RECORD), extensionsAt)),
    code,
    get(Q),
  ];
}

const ENCODER: Plan = {
  signatures: [
    [[I32, I64], I32], [[I32, I32, I32], I32], [[I32, I32, I32, I32, I32], I32], [[I32, I32], I32],
  ],
  imported: 3,
  helpers: [[0, [[2, I32], [1, I64]], varintBody], [1, [[1, I32]], copyBody], [2, [], runBody]],
  globals: 2,
  run: RUN,
  firstType: FIRST_TYPE,
  typeSignature: 1,
  typeLocals: [[4, I32], [1, I64]],
  typeBody,
};

/** An arena's base and a reference in it; where output may begin, and ends; levels. Its start, or 0. */
type Run = (base: number, ref: number, begin: number, end: number, depth: number) => number;

export type SpecializedEncoder = Specialized<Run>;

/** As Specializer.encoderFor. */
export function encoderFor(
  engine: Engine,
  arena: Arena,
  type: MessageInfo,
  address: number,
): SpecializedEncoder | undefined {
  return codeFor(engine, arena.schema.encoders, type, address, () => ENCODER, type.written + CALL_BYTES);
}

/** As Specializer.encode. */
export function encodeSpecialized(
  state: SpecializedEncoder,
  arena: Arena,
  ref: number,
  at: number,
  capacity: number,
  limits: Limits | undefined,
): number {
  const depth = Math.min(limits?.maxDepth ?? DEEPEST, DEEPEST);
  const end = at + capacity;
  let begin = 0;
  try {
    begin = state.run!(arena.region!.base, ref, at, end, depth) >>> 0;
  } catch {
    // As when it gives up.
  }
  const length = begin === 0 ? 0 : end - begin;
  settle(state, begin === 0 ? capacity : length + CALL_BYTES, begin !== 0);
  return length;
}
