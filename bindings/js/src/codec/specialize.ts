/**
 * Code that is made at run time for message types, here for decoding: a small Wasm module over the
 * memory of the codec, with a function for each message type that a root type reaches, in which
 * offsets, tags and sizes are constants. It takes half as long as the tables of the codec
 * (src/codec/decode.c), and makes the same slots, hasbits and arrays in the arena, behind a copy of the
 * input that the same zero bytes follow.
 *
 * It knows well-formed input with known fields only. Whatever else it meets, it gives up, and the tables
 * decode the input from its start: so errors, unknown fields and merging are theirs. What it wrote by
 * then lies where nothing is in use. It reads and writes nothing but the input, the bytes behind that and
 * the free part of the arena: a record is taken if it fits before BOTTOM, and reads are at most as long as
 * the zero bytes behind the input.
 *
 * The elements of a repeated field are first pushed to the end of the arena, from which BOTTOM is
 * counted down, as their number is not known; they are an array when the run of them ends. Where the arena
 * is too small, it decodes again in a larger one.
 */
import type { Bytes } from '../core/bytes.js';
import { nothing } from '../core/flow.js';
import { leb, sized } from '../core/stack.js';
import type { Arena } from './arena.js';
import type { Engine, Limits } from './engine.js';
import {
  type Code, ADD64, AND, AND64, BLOCK, BR, BR_TABLE, CTZ64, END, EQ, EQZ, EQZ64, EXTEND, GE_U,
  GT_S, GT_U, GT_U64, I32, I64, LE_U, LOAD16, LOAD32, LOAD64, LOAD8, LOAD8_64, LT_S, LT_U, LT_U64,
  MUL64, NE, OR, OR64, POPCNT64, SELECT, SHL, SHL64, SHR_U, SHR_U64, STORE16, STORE32, STORE64,
  SUB, SUB64, VOID, WRAP, XOR, XOR64, add, and, block, brIf, call, flatten, get, give, global,
  load, long, longs, loop, num, refuse, remembered, set, setGlobal, store, sub, tee, unless, when,
} from './instructions.js';
import { FIRST, INPUT_PAD } from './memory.js';
import { TYPE, readUint32 } from './scalar.js';
import { FIELD_WORDS, FLAG, type MessageInfo, TYPE_WORDS } from './type.js';

/** What a type does before code is made for it, in bytes; tests want it at once. */
export const tuning = { warmUp: 2 ** 18 };

/** What input is counted as on top of its bytes. */
export const CALL_BYTES = 64;
/** Input that may be given up in vain after as much that was not. */
const CREDIT = 2 ** 18;
/** One byte in so many is tried again after that. */
const PATIENCE = 64;
/** Above this an array might have more elements than are allowed. */
const LONGEST = 2 ** 26;
/** More levels are not tried, for the sake of the stack. */
export const DEEPEST = 100;
/** Types with less are tried field by field. */
const FEW = 12;
/** Of fields whose tags have two bytes. */
const MOST_NUMBER = 2047;
const MOST_TYPES = 1000;
const MOST_CODE = 2 ** 19;

/** What is given in the place of a top: other than 0, more memory helps. */
const FULL = 1;
/** Passes on that something gave up. */
export const pass = (top: Code): Code => when([top, num(2), LT_U], give(top));
/** Says that the arena is too small. */
export const full = (condition: Code): Code => when(condition, give(num(FULL)));

/** How far a number of elements moves to be their bytes. */
const shiftOf = (size: number): Code => num(size === 8 ? 3 : 2);
const zero = /* @__PURE__ */ long(0);

// ---- Globals, functions and their types

export const BASE = 0, BOTTOM = 1;
const NEXT = 2, ROOM = 3;
const UTF8 = 0, TEXT = 1, VARINT = 2, COUNT = 3, LIST4 = 4, LIST8 = 5, FIRST_TYPE = 7;

const TOPS = /* @__PURE__ */ longs(0x80808080 | 0);
const STOPS: Code = [TOPS, AND64, TOPS, XOR64];

/** The bytes of a last word of `n` < 8 bytes, moved up, n > 0. */
const lastWord = (p: number, n: number): Code =>
  [load(LOAD64, get(p)), num(64), get(n), num(3), SHL, SUB, EXTEND, SHL64];

/** (p, n): whether the bytes are UTF-8; the core is asked where they are not ASCII. */
const textBody = (): Code => [
  block(
    loop(
      brIf(1, [get(1), num(8), LT_U]),
      when([load(LOAD64, get(0)), TOPS, AND64, EQZ64, EQZ], give(call(UTF8, get(0), get(1)))),
      set(0, add(get(0), num(8))),
      brIf(0, tee(1, sub(get(1), num(8)))),
    ),
  ),
  when([get(1), EQZ], give(num(1))),
  when([lastWord(0, 1), TOPS, AND64, EQZ64], give(num(1))),
  call(UTF8, get(0), get(1)),
];

/** (p): a varint byte by byte; NEXT is behind it, or 0. Locals: shift, value, byte. */
const varintBody = (): Code => [
  loop(
    set(2, [get(2), tee(3, load(LOAD8_64, get(0))), long(127), AND64, get(1), SHL64, OR64]),
    set(0, add(get(0), num(1))),
    when([get(3), long(128), LT_U64], [
      // The tenth byte is 1 at most.
      setGlobal(NEXT, [
        get(0), num(0), get(1), long(63), LT_U64, get(3), long(2), LT_U64, OR, SELECT,
      ]),
      give(get(2)),
    ]),
    brIf(0, [tee(1, [get(1), long(7), ADD64]), long(64), LT_U64]),
  ),
  setGlobal(NEXT, num(0)),
  get(2),
];

/** (p, n): how many varints n > 0 bytes are; 0 if the last has no end. Locals: count, end. */
const countBody = (): Code => [
  set(3, add(get(0), get(1))),
  refuse([load(LOAD8, sub(get(3), num(1))), num(127), GT_U]),
  block(
    loop(
      brIf(1, [get(1), num(8), LT_U]),
      set(2, add(get(2), [load(LOAD64, get(0)), STOPS, POPCNT64, WRAP])),
      set(0, add(get(0), num(8))),
      set(1, sub(get(1), num(8))),
      [BR, 0],
    ),
  ),
  when(get(1), set(2, add(get(2), [
    load(LOAD64, get(0)), STOPS, num(64), get(1), num(3), SHL, SUB, EXTEND, SHL64, POPCNT64, WRAP,
  ]))),
  get(2),
];

/** The head of an array of `count` elements at `top`, after which `array` is where these begin. */
const arrayAt = (size: number, slot: Code, at: number, top: number, array: number, count: number): Code => [
  size === 8 ? store(STORE32, get(top), 0, num(0)) : [],
  store(STORE32, get(top), size - 4, get(count)),
  store(STORE32, slot, at, sub(tee(array, add(get(top), num(size))), global(BASE))),
  store(STORE32, slot, at + 4, get(count)),
  // Aligned to 8.
  set(top, and(add(add(get(array), [get(count), shiftOf(size), SHL]), num(7)), num(-8))),
];

/** Notes how much room there is, if that is the least. */
const least = (room: Code): Code => when([room, global(ROOM), LT_U], setGlobal(ROOM, room));

/** (slot, top, side): makes an array of what was pushed since `side` was BOTTOM. Locals: array, count. */
const listBody = (size: number): Code => [
  set(4, [sub(get(2), global(BOTTOM)), shiftOf(size), SHR_U]),
  // What was pushed stays where it is until it has been copied.
  full([add(sub(get(2), global(BOTTOM)), num(16)), sub(global(BOTTOM), get(1)), GT_U]),
  arrayAt(size, get(0), 0, 1, 3, 4),
  least(sub(global(BOTTOM), get(1))),
  loop(
    set(2, sub(get(2), num(size))),
    size === 8
      ? store(STORE64, get(3), 0, load(LOAD64, get(2)))
      : store(STORE32, get(3), 0, load(LOAD32, get(2))),
    set(3, add(get(3), num(size))),
    brIf(0, [get(2), global(BOTTOM), GT_U]),
  ),
  setGlobal(BOTTOM, add(get(2), [get(4), shiftOf(size), SHL])),
  get(1),
];

/** Copies the bytes that are zero behind input while it is decoded. */
const copyPad = (to: Code, from: Code): Code =>
  [0, 8].map((i) => store(STORE64, to, i, load(LOAD64, from, i)));

/**
 * (base, at, length, keep, end, depth): decodes `length` bytes that are at `at` in an arena, to its top. What is
 * made lies behind the zero bytes that follow them; or where those take the place of something else, which is
 * at `keep` meanwhile, behind that. The most that was needed, with what was pushed, goes to the second word of
 * the arena, which has no other use.
 */
const runBody = (): Code => [
  setGlobal(BASE, get(0)),
  setGlobal(BOTTOM, get(4)),
  setGlobal(ROOM, num(-1)),
  set(2, add(tee(1, add(get(0), get(1))), get(2))),
  set(6, and(add(get(2), num(INPUT_PAD + 7)), num(-8))),
  when(get(3), [
    set(6, add(get(0), get(3))),
    copyPad(get(6), get(2)),
    // Only from now on there is something to put back.
    store(STORE32, get(0), 4, get(3)),
    set(3, get(6)),
    set(6, add(get(3), num(INPUT_PAD))),
  ]),
  store(STORE64, get(2), 0, long(0)),
  store(STORE64, get(2), 8, long(0)),
  set(5, call(FIRST_TYPE, get(1), get(2), get(6), get(5))),
  when(get(3), copyPad(get(2), get(3))),
  pass(get(5)),
  least(sub(get(4), get(5))),
  store(STORE32, global(BASE), 4, sub(sub(get(4), global(BASE)), global(ROOM))),
  get(5),
];

// ---- Functions of types

/** Parameters (p: the input from here, to e: its end; top: of the arena) and locals. */
export const P = 0, E = 1, TOP = 2, DEPTH = 3, N = 7, SIDE = 8, X = 9, Y = 10, V = 11;
const RECORD = 4, TAG = 5, START = 6, W = 12, HAS = 13;

/** A field as the code for it needs it. */
export interface Field {
  readonly number: number;
  readonly type: number;
  readonly at: number;
  readonly caseAt: number;
  readonly caseValue: number;
  readonly bit: number;
  readonly size: number;
  readonly repeated: boolean;
  readonly packed: boolean;
  readonly explicit: boolean;
  readonly utf8: boolean;
  readonly message: number;
  /** Whether there is code for it: no map, no group, a tag of one or two bytes. */
  readonly plain: boolean;
  /** Whether it is a closed enum, which is decoded by tables. */
  readonly closed: boolean;
  /** Bytes of the tag, and the tag as it is loaded. */
  readonly tagSize: number;
  readonly raw: number;
}

/** How a number is encoded: its bytes, or 0 for a varint; undefined for what has a length. */
export function widthOf(type: number): number | undefined {
  switch (type) {
    case TYPE.DOUBLE: case TYPE.FIXED64: case TYPE.SFIXED64: return 8;
    case TYPE.FLOAT: case TYPE.FIXED32: case TYPE.SFIXED32: return 4;
    case TYPE.STRING: case TYPE.BYTES: case TYPE.MESSAGE: return undefined;
    default: return 0;
  }
}

/** A field of the words that describe it. */
function fieldOf(words: Uint32Array): Field {
  const [number, type, at, caseAt, bit, size, flags, message] = words as unknown as [
    number, number, number, number, number, number, number, number,
  ];
  const repeated = (flags & FLAG.repeated) !== 0;
  const packed = (flags & FLAG.packed) !== 0;
  const wire = { 8: 1, 4: 5, 0: 0 }[packed ? 2 : (widthOf(type) ?? 2)] ?? 2;
  const tag = (number << 3) | wire;
  const short = tag < 128;
  return {
    number, type, at, caseAt, caseValue: words[16]!, bit, size, repeated, packed, message,
    plain: (flags & FLAG.map) === 0 && type !== TYPE.GROUP && number <= MOST_NUMBER,
    closed: (flags & FLAG.closed) !== 0,
    explicit: (flags & FLAG.explicit) !== 0,
    utf8: (flags & FLAG.utf8) !== 0,
    tagSize: short ? 1 : 2,
    raw: short ? tag : (tag & 127) | 128 | ((tag >> 7) << 8),
  };
}

const hasOf = (bit: number): number => HAS + (bit >>> 5);
const maskOf = (bit: number): Code => num(1 << (bit & 31));
export const mark = /* @__PURE__ */ remembered((bit) => set(hasOf(bit), [get(hasOf(bit)), maskOf(bit), OR]));
export const refuseSecond = /* @__PURE__ */ remembered((bit) => refuse(and(get(hasOf(bit)), maskOf(bit))));

/** Marks a field, which without presence is there if it is not zero. */
function markUnlessZero(field: Field, value: Code): Code {
  if (field.explicit || field.repeated) return mark(field.bit);
  const has = hasOf(field.bit);
  const mask = 1 << (field.bit & 31);
  return set(has, [[get(has), num(mask), OR], and(get(has), num(~mask)), value, SELECT]);
}

const putCase = ({ caseAt, caseValue }: Field): Code =>
  caseAt === 0 ? [] : store(STORE16, get(RECORD), caseAt, num(caseValue));

/** Reads a varint that follows `skipped` bytes to V. */
const varint = /* @__PURE__ */ remembered((skipped) => [
  set(V, load(LOAD8_64, get(P), skipped)),
  when([get(V), long(127), GT_U64], [
    set(W, [tee(V, load(LOAD64, get(P), skipped)), STOPS]),
    when([get(W), EQZ64], [
      set(V, call(VARINT, add(get(P), num(skipped)))),
      unless(global(NEXT)),
      set(P, sub(global(NEXT), num(skipped + 1))),
    ], [
      // As spc_gen_squeeze: pairs of bytes, then of words, move together.
      set(V, [
        get(V), [get(W), get(W), long(1), SUB64, XOR64], longs(0x7f7f7f7f), AND64, AND64,
      ]),
      set(V, [get(V), [get(V), long(1), SHR_U64, longs(0x3f803f80), AND64], SUB64]),
      set(V, [
        get(V), [get(V), long(16), SHR_U64, longs(0x3fff), AND64, long(0xc000), MUL64], SUB64,
      ]),
      set(V, [get(V), longs(0, -1), AND64, get(V), long(32), SHR_U64, long(28), SHL64, OR64]),
      set(P, add(get(P), [get(W), CTZ64, long(3), SHR_U64, WRAP])),
    ]),
  ]),
  set(P, add(get(P), num(skipped + 1))),
]);

/** Reads a length behind the tag to N, which the bytes up to the end have to have. */
export const length = /* @__PURE__ */ remembered((tagSize) => [
  set(N, load(LOAD8, get(P), tagSize)),
  set(P, add(get(P), num(tagSize + 1))),
  when([get(N), num(127), GT_U], when([tee(X, load(LOAD8, get(P))), num(128), LT_U], [
    set(N, [get(N), num(127), AND, get(X), num(7), SHL, OR]),
    set(P, add(get(P), num(1))),
  ], [
    set(V, call(VARINT, sub(get(P), num(1)))),
    unless(global(NEXT)),
    set(P, global(NEXT)),
    refuse([get(V), long(LONGEST), GT_U64]),
    set(N, [get(V), WRAP]),
  ])),
  refuse([get(N), sub(get(E), get(P)), GT_S]),
]);

/** V as its type stores it: 4 bytes as a number in X. */
function convert({ type, size }: Field): Code {
  if (type === TYPE.BOOL) return set(X, [get(V), EQZ64, EQZ]);
  if (type === TYPE.SINT64) {
    return set(V, [[get(V), long(1), SHR_U64], [long(0), get(V), long(1), AND64, SUB64], XOR64]);
  }
  if (size === 8) return [];
  const x = set(X, [get(V), WRAP]);
  if (type !== TYPE.SINT32) return x;
  return [x, set(X, [[get(X), num(1), SHR_U], sub(num(0), and(get(X), num(1))), XOR])];
}

/** Reads a number that follows `skipped` bytes to V or X. */
export function number(field: Field, skipped: number): Code {
  const width = widthOf(field.type)!;
  if (width === 0) return [varint(skipped), convert(field)];
  return [
    width === 8 ? set(V, load(LOAD64, get(P), skipped)) : set(X, load(LOAD32, get(P), skipped)),
    set(P, add(get(P), num(skipped + width))),
  ];
}

const storeNumber = ({ size }: Field, place: Code, at: number): Code =>
  size === 8 ? store(STORE64, place, at, get(V)) : store(STORE32, place, at, get(X));

/** Reads the length of a string or bytes to N, and looks at the text. */
export const text = (field: Field): Code => [
  length(field.tagSize), field.utf8 ? unless(call(TEXT, get(P), get(N))) : [],
];

/** Stores where N bytes are and passes over them. */
const storeBytes = (place: Code, at: number): Code => [
  store(STORE32, place, at, sub(get(P), global(BASE))),
  store(STORE32, place, at + 4, get(N)),
  set(P, add(get(P), get(N))),
];

/** Does the N bytes of a message, at TOP. */
export const message = /* @__PURE__ */ remembered((index) => [
  set(TOP, call(index, get(P), tee(P, add(get(P), get(N))), get(TOP), sub(get(DEPTH), num(1)))),
  pass(get(TOP)),
]);

/** The function for a message type, by its address. */
export type FunctionOf = (address: number) => number;

function singularField(field: Field, functionOf: FunctionOf): Code {
  const { type, at, tagSize } = field;
  if (type === TYPE.MESSAGE) {
    return [
      length(field.tagSize),
      refuseSecond(field.bit),
      store(STORE32, get(RECORD), at, sub(get(TOP), global(BASE))),
      putCase(field),
      mark(field.bit),
      message(functionOf(field.message)),
    ];
  }
  if (widthOf(type) === undefined) {
    return [
      text(field), markUnlessZero(field, get(N)), putCase(field), storeBytes(get(RECORD), at),
    ];
  }
  return [
    number(field, tagSize),
    markUnlessZero(field, field.size === 8 ? [get(V), EQZ64, EQZ] : get(X)),
    putCase(field),
    storeNumber(field, get(RECORD), at),
  ];
}

/** A packed field, whose elements are counted first. */
function packedField(field: Field): Code {
  const { at, size, type } = field;
  const width = widthOf(type)!;
  return [
    length(field.tagSize),
    refuseSecond(field.bit),
    when(get(N), [
      width === 0
        ? unless(tee(Y, call(COUNT, get(P), get(N))))
        : [
            refuse(and(get(N), num(width - 1))),
            set(Y, [get(N), num(width === 8 ? 3 : 2), SHR_U]),
          ],
      full([add([get(Y), shiftOf(size), SHL], num(16)), sub(global(BOTTOM), get(TOP)), GT_U]),
      set(SIDE, add(get(P), get(N))),
      arrayAt(size, get(RECORD), at, TOP, N, Y),
      mark(field.bit),
      loop(
        number(field, 0),
        storeNumber(field, get(N), 0),
        set(N, add(get(N), num(size))),
        brIf(0, [get(P), get(SIDE), LT_U]),
      ),
      refuse([get(P), get(SIDE), NE]),
    ]),
  ];
}

/** The tag that follows, of one or two bytes, to TAG. */
const tagOf = /* @__PURE__ */ remembered((most) => [
  set(TAG, loadTag(1)), most === 2 ? when([get(TAG), num(127), GT_U], set(TAG, loadTag(2))) : [],
]);
const leave = /* @__PURE__ */ remembered((depth) => brIf(depth, [get(P), get(E), GE_U]));

const loadTag = (tagSize: number): Code => load(tagSize === 1 ? LOAD8 : LOAD16, get(P));

/** Whether another element of a field with a tag each follows. */
export const another = ({ tagSize, raw }: Field): Code =>
  and([get(P), get(E), LT_U], [loadTag(tagSize), num(raw), EQ]);

/** Elements with a tag each, as long as they follow each other. */
function repeatedField(field: Field, functionOf: FunctionOf): Code {
  const { type, size, tagSize, at } = field;
  const down = setGlobal(BOTTOM, sub(global(BOTTOM), num(size)));
  const room: Code = [full([sub(global(BOTTOM), get(TOP)), num(size), LT_U]), down];
  let element: Code;
  if (type === TYPE.MESSAGE) {
    element = [
      length(field.tagSize),
      // Where that is in use, the record does not fit.
      down,
      store(STORE32, global(BOTTOM), 0, sub(get(TOP), global(BASE))),
      message(functionOf(field.message)),
    ];
  } else if (widthOf(type) === undefined) {
    element = [text(field), room, storeBytes(global(BOTTOM), 0)];
  } else {
    element = [number(field, tagSize), room, storeNumber(field, global(BOTTOM), 0)];
  }
  return [
    refuseSecond(field.bit),
    mark(field.bit),
    set(SIDE, global(BOTTOM)),
    loop(
      element,
      brIf(0, another(field)),
    ),
    set(TOP, call(size === 8 ? LIST8 : LIST4, add(get(RECORD), num(at)), get(TOP), get(SIDE))),
    pass(get(TOP)),
  ];
}

/**
 * Passes over the fields of a message, with the code for each. Few are tried in their order, as they mostly
 * come; of many, that of the number is found in a table, and after it the next one is tried. `rising`:
 * numbers have to rise, so that no field comes twice.
 */
export function fieldsBody(all: readonly Field[], rising: boolean, codeOf: (field: Field) => Code): Code {
  const fields = all.filter(({ plain, closed }) => plain && !closed);
  const wide = fields.some(({ tagSize }) => tagSize === 2);
  const tag = tagOf(wide ? 2 : 1);
  const other = ({ raw }: Field): Code => [get(TAG), num(raw), NE];
  const first = fields[0]?.number ?? 0;
  const count = fields.length;
  const range = (fields[count - 1]?.number ?? 0) - first + 1;
  const stop = give(num(0));
  if (count < FEW) {
    const tries = (out: number): Code =>
      fields.map((field) => block(brIf(0, other(field)), codeOf(field), leave(out), tag));
    if (rising) return block(leave(0), tag, tries(1), stop);
    return block(
      loop(leave(1), tag, set(START, get(P)), tries(2), brIf(0, [get(P), get(START), NE]), stop),
    );
  }
  const cases = Array.from({ length: range }, () => count);
  fields.forEach((field, i) => (cases[field.number - first] = i));
  const number: Code = wide
    ? [get(TAG), num(0x78), AND, num(3), SHR_U, get(TAG), num(8), SHR_U, num(4), SHL, OR]
    : [get(TAG), num(3), SHR_U];
  return block(
    leave(0),
    tag,
    loop(
      block(
        fields.map(() => [BLOCK, VOID]),
        // START is the number of the field before.
        rising ? refuse([tee(X, number), get(START), LE_U]) : [],
        sub(rising ? get(X) : number, num(first)), BR_TABLE, leb(range), cases.map(leb), leb(count),
        fields.map((field, i) => {
          const following = fields[i + 1];
          const again = count - i;
          return [
            END, brIf(again - 1, other(field)), codeOf(field), leave(again + 1), tag,
            rising ? set(START, num(field.number)) : [],
            following === undefined ? [BR, again] : brIf(again, other(following)),
          ];
        }),
      ),
      stop,
    ),
  );
}

/** (p, e, top, depth): decodes a message into a new record at `top`; the top behind it, or 0. */
function typeBody({ size, fields }: TypeParts, functionOf: FunctionOf): Code {
  const words = hasWords(fields);
  const clear = Array.from({ length: size / 8 }, (_, i) => store(STORE64, get(RECORD), 8 * i, zero));
  return [
    set(RECORD, get(TOP)),
    refuse([get(DEPTH), num(0), LT_S]),
    full([tee(TOP, add(get(TOP), num(size))), global(BOTTOM), GT_U]),
    size > 256 ? [get(RECORD), num(0), num(size), 0xfc, 0x0b, 0] : clear,
    fieldsBody(fields, false, (field) => {
      if (!field.repeated) return singularField(field, functionOf);
      return field.packed ? packedField(field) : repeatedField(field, functionOf);
    }),
    refuse([get(P), get(E), NE]),
    Array.from({ length: words }, (_, i) =>
      store(STORE32, get(RECORD), 4 * i, [load(LOAD32, get(RECORD), 4 * i), get(HAS + i), OR])),
    get(TOP),
  ];
}

// ---- The module

/** A message type: bytes of a record, its fields by number, where the reference to its extensions is. */
export interface TypeParts {
  readonly size: number;
  readonly extensionsAt: number;
  readonly fields: readonly Field[];
}

/** How many of a type. */
type Locals = readonly (readonly [count: number, type: number])[];

/** What a module is made of: functions of its own, of which `run` is for JavaScript, then those of types. */
export interface Plan {
  /** Types of parameters, and of the result. */
  readonly signatures: readonly (readonly [parameters: readonly number[], result: number])[];
  /** The signature of the function that is imported. */
  readonly imported: number;
  /** Signatures, locals and bodies of functions. */
  readonly helpers: readonly (readonly [signature: number, locals: Locals, body: () => Code])[];
  /** How many globals, all of 32 bits. */
  readonly globals: number;
  readonly run: number;
  /** The index of the function of the first type. */
  readonly firstType: number;
  readonly typeSignature: number;
  /** Locals of functions of types, before the words of hasbits. */
  readonly typeLocals: Locals;
  typeBody(type: TypeParts, functionOf: FunctionOf): Code;
}

/** Words of a record that have hasbits. */
export const hasWords = (fields: readonly Field[]): number =>
  fields.reduce((most, { bit }) => Math.max(most, (bit >>> 5) + 1), 1);

const section = (id: number, ...content: Code): Code => [id, sized(flatten(content))];
const functionOfCode = (locals: Locals, body: Code): number[] =>
  sized(flatten([locals.length, ...locals, body, END]));

/** The plan of a module that reads input to an arena; its last function of its own is `run`. */
export function readerPlan(own: Plan['helpers'], globals: number, body: Plan['typeBody']): Plan {
  const helpers: Plan['helpers'] = [[0, [], textBody], [1, [[3, I64]], varintBody], ...own];
  return {
    signatures: [
      [[I32, I32], I32], [[I32], I64], [[I32, I32, I32], I32], [[I32, I32, I32, I32], I32],
      [[I32, I32, I32, I32, I32, I32], I32],
    ],
    imported: 0,
    helpers,
    globals,
    run: helpers.length,
    firstType: helpers.length + 1,
    typeSignature: 3,
    typeLocals: [[7, I32], [2, I64]],
    typeBody: body,
  };
}

const decoder = (): Plan => readerPlan(
  [
    [0, [[2, I32]], countBody], [2, [[2, I32]], () => listBody(4)], [2, [[2, I32]], () => listBody(8)],
    [4, [[1, I32]], runBody],
  ],
  4,
  typeBody,
);

/** A module for a type and all that it reaches; undefined where that is too much or needs the tables. */
function moduleFor(engine: Engine, root: number, plan: Plan): Bytes | undefined {
  const addresses = [root];
  const functionOf = (address: number): number => {
    let i = addresses.indexOf(address);
    if (i < 0) i = addresses.push(address) - 1;
    return plan.firstType + i;
  };
  let left = MOST_CODE;
  const code = plan.helpers.map(([, locals, body]) => functionOfCode(locals, body()));
  for (const address of addresses) {
    const words = engine.describe(address);
    const fields: Field[] = [];
    for (let i = 0; i < words[6]!; i++) {
      const at = TYPE_WORDS + FIELD_WORDS * i;
      if ((words[at + 6]! & FLAG.required) !== 0) return undefined;
      fields.push(fieldOf(words.subarray(at, at + FIELD_WORDS)));
    }
    const body = plan.typeBody({ size: words[2]!, extensionsAt: words[3]!, fields }, functionOf);
    code.push(functionOfCode([...plan.typeLocals, [hasWords(fields), I32]], body));
    left -= code[code.length - 1]!.length;
    if (left < 0 || addresses.length > MOST_TYPES) return undefined;
  }
  const name = [1, 0x6d];
  const count = leb(code.length);
  const length = code.reduce((sum, body) => sum + body.length, 0);
  const head = flatten([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    section(1, plan.signatures.length, plan.signatures.map(([parameters, result]) =>
      [0x60, parameters.length, parameters, 1, result])),
    section(2, 2, name, name, 2, 0, 1, name, 1, 0x66, 0, plan.imported),
    section(3, count, plan.helpers.map(([signature]) => signature), addresses.map(() => plan.typeSignature)),
    section(6, plan.globals, Array.from({ length: plan.globals }, () => [I32, 1, num(0), END])),
    section(7, 1, name, 0, plan.run),
    10, leb(count.length + length), count,
  ]);
  const module = new Uint8Array(head.length + length);
  let at = head.length;
  module.set(head);
  for (const body of code) {
    module.set(body, at);
    at += body.length;
  }
  return module;
}

/** A root type: the code for it, and bytes that the code may still give up. */
export interface Specialized<R> {
  credit: number;
  run: R | undefined;
  /** Whether it was tried to make the code. */
  tried: boolean;
}

function make<R>(engine: Engine, root: number, plan: () => Plan, state: Specialized<R>): void {
  const { memory, raw } = engine.wasm;
  const imports = { m: { m: memory as WebAssembly.Memory, f: raw.codec_utf8 } };
  const use = ({ exports }: WebAssembly.Instance): void => {
    state.run = exports.m as R;
  };
  const later = async (bytes: Bytes): Promise<void> =>
    use((await WebAssembly.instantiate(bytes, imports)).instance);
  state.tried = true;
  let bytes: Bytes | undefined;
  try {
    bytes = moduleFor(engine, root, plan());
    if (bytes !== undefined) use(new WebAssembly.Instance(new WebAssembly.Module(bytes), imports));
  } catch {
    // Main threads of browsers may refuse to do it synchronously.
    if (bytes !== undefined) later(bytes).catch(nothing);
  }
}

/** The code for a type if it is to be used for the next `weight` bytes; `states` are by type. */
export function codeFor<R>(
  engine: Engine,
  states: Specialized<R>[],
  type: MessageInfo,
  address: number,
  plan: () => Plan,
  weight: number,
): Specialized<R> | undefined {
  const state = (states[type.id] ??= { credit: -tuning.warmUp, run: undefined, tried: false });
  if (state.credit < 0) {
    state.credit += state.tried ? weight / PATIENCE : weight;
    return undefined;
  }
  if (!state.tried) make(engine, address, plan, state);
  return state.run === undefined ? undefined : state;
}

/** Notes what became of bytes: whether the code did them. */
export function settle(state: Specialized<unknown>, weight: number, done: boolean): void {
  if (!done) state.credit -= weight;
  else if (state.credit < CREDIT) state.credit = Math.min(state.credit + weight, CREDIT);
}

/** An arena's base; where input is in it, its length and where to keep what follows; the arena's end; levels. Its top, or 0. */
type Run = (base: number, at: number, length: number, keep: number, end: number, depth: number) => number;

export type SpecializedDecoder = Specialized<Run>;

/** Whether an arena with that much in use got more memory. */
export function enlarged(engine: Engine, arena: Arena, used: number): boolean {
  const { region, used: before } = arena;
  arena.used = used;
  try {
    engine.enlarge(arena, region!.size + 1);
  } finally {
    arena.used = before;
  }
  return true;
}

/** Where what is made of input at the start of its arena begins. */
export const behindInput = (length: number): number => (FIRST + length + INPUT_PAD + 7) & -8;

/**
 * Runs the code for a type on input of that length: `run` gives a top, FULL again and again until `grow`
 * made more room. Where what it made ends, or 0.
 */
export function runReader<R>(
  engine: Engine,
  states: Specialized<R>[],
  address: number,
  type: MessageInfo,
  plan: () => Plan,
  length: number,
  limits: Limits | undefined,
  run: (code: R, depth: number) => number,
  grow: () => boolean,
): number {
  const weight = length + CALL_BYTES;
  const state = codeFor(engine, states, type, address, plan, weight);
  if (state === undefined || length > LONGEST) return 0;
  let depth = DEEPEST;
  if (limits !== undefined) {
    const { maxDepth = DEEPEST, maxSize = LONGEST, maxCount } = limits;
    if (length > maxSize || maxCount !== undefined) return 0;
    depth = Math.min(depth, maxDepth);
  }
  let top = 0;
  try {
    do top = run(state.run!, depth) >>> 0; while (top === FULL && grow());
  } catch {
    // Nothing was done that the tables do not do again.
  }
  settle(state, weight, top > FULL);
  return top > FULL ? top : 0;
}

/** Runs the code for a type once on input at `at` of an arena. */
function attempt(run: Run, arena: Arena, at: number, length: number, keep: number, depth: number): number {
  const { base, size } = arena.region!;
  if (keep !== 0) arena.words[1] = 0;
  try {
    return run(base, at, length, keep, base + size, depth) >>> 0;
  } catch {
    // The stack has come to its end, or the like: perhaps before anything was kept.
    if (keep !== 0 && arena.words[1] === keep) arena.bytes.copyWithin(at + length, keep, keep + INPUT_PAD);
    return 0;
  }
}

/** As Specializer.decode. */
export function decodeSpecialized(
  engine: Engine,
  arena: Arena,
  type: MessageInfo,
  length: number,
  limits: Limits | undefined,
  at = FIRST,
  keep = 0,
): boolean {
  const { schema } = arena;
  const state = schema.decoders[type.id];
  let top = FULL;
  // What small messages spend their time on, without what they do not need of runReader.
  if (state !== undefined && state.credit >= 0 && state.run !== undefined && limits === undefined && length <= LONGEST) {
    top = attempt(state.run, arena, at, length, keep, DEEPEST);
    if (top !== FULL) settle(state, length + CALL_BYTES, top !== 0);
  }
  if (top === FULL) {
    top = runReader(
      engine, schema.decoders, engine.typeAddress(schema, type), type, decoder, length, limits,
      (code, depth) => attempt(code, arena, at, length, keep, depth),
      () => enlarged(engine, arena, keep === 0 ? at + length : keep),
    );
  }
  if (top === 0) return false;
  arena.used = top - arena.region!.base;
  arena.ref = keep === 0 ? behindInput(length) : keep + INPUT_PAD;
  if (keep === 0) type.decoding.learn(length, readUint32(arena, 4));
  return true;
}
