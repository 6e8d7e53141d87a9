/**
 * Instructions of Wasm as bytes, in nested arrays: what code that is made at run time is made of.
 */
import { leb } from '../core/stack.js';

export type Code = readonly (number | Code)[];

/** A number as signed LEB128. */
function signed(number: number): number[] {
  const out: number[] = [];
  for (let rest = number; ; rest >>= 7) {
    if (rest >= -64 && rest < 64) return [...out, rest & 127];
    out.push((rest & 127) | 128);
  }
}

/** The same of the two halves of 64 bits, in all ten bytes. */
function signedLong(high: number, low: number): number[] {
  const bytes = Array.from({ length: 9 }, (_, i) => {
    const at = 7 * i;
    const bits = at < 32 ? (low >>> at) | (at > 25 ? high << (32 - at) : 0) : high >> (at - 32);
    return (bits & 127) | 128;
  });
  return [...bytes, high < 0 ? 127 : 0];
}

export function flatten(code: Code, out: number[] = []): number[] {
  for (const part of code) {
    if (typeof part === 'number') out.push(part);
    else flatten(part, out);
  }
  return out;
}

/** Code that is the same wherever it is for a number. */
export function remembered(make: (number: number) => Code): (number: number) => Code {
  const known = new Map<number, Code>();
  return (number) => {
    let code = known.get(number);
    if (code === undefined) known.set(number, (code = flatten(make(number))));
    return code;
  };
}

export const I32 = 0x7f, I64 = 0x7e;
export const VOID = 0x40, BLOCK = 0x02, LOOP = 0x03, IF = 0x04, ELSE = 0x05, END = 0x0b;
export const BR = 0x0c, BR_IF = 0x0d, BR_TABLE = 0x0e, RETURN = 0x0f, SELECT = 0x1b;
export const EQZ = 0x45, EQ = 0x46, NE = 0x47, LT_S = 0x48, LT_U = 0x49, GT_S = 0x4a, GT_U = 0x4b;
export const LE_U = 0x4d, GE_U = 0x4f;
export const ADD = 0x6a, SUB = 0x6b, MUL = 0x6c, DIV_U = 0x6e, AND = 0x71;
export const OR = 0x72, XOR = 0x73, SHL = 0x74, SHR_U = 0x76;
export const EQZ64 = 0x50, LT_U64 = 0x54, GT_U64 = 0x56, CLZ64 = 0x79, CTZ64 = 0x7a, POPCNT64 = 0x7b;
export const ADD64 = 0x7c, SUB64 = 0x7d;
export const MUL64 = 0x7e, AND64 = 0x83, OR64 = 0x84, XOR64 = 0x85, SHL64 = 0x86, SHR_S64 = 0x87;
export const SHR_U64 = 0x88;
export const WRAP = 0xa7, EXTEND = 0xad;
export const LOAD32 = 0x28, LOAD64 = 0x29, LOAD8 = 0x2d, LOAD16 = 0x2f, LOAD8_64 = 0x31;
export const LOAD32_S64 = 0x34, LOAD32_U64 = 0x35;
export const STORE_DOUBLE = 0x39, PROMOTE = 0xbb, REINTERPRET_FLOAT = 0xbe;
export const STORE32 = 0x36, STORE64 = 0x37, STORE8 = 0x3a, STORE16 = 0x3b;

export const get = /* @__PURE__ */ remembered((local) => [0x20, local]);
export const set = (local: number, value: Code): Code => [value, 0x21, local];
export const tee = (local: number, value: Code): Code => [value, 0x22, local];
export const global = /* @__PURE__ */ remembered((index) => [0x23, index]);
export const setGlobal = (index: number, value: Code): Code => [value, 0x24, index];
export const num = /* @__PURE__ */ remembered((value) => [0x41, signed(value)]);
export const long = /* @__PURE__ */ remembered((value) => [0x42, signed(value)]);
/** A word with the same four bytes, or two halves, in both halves. */
export const longs = (high: number, low = high): Code => [0x42, signedLong(high, low)];
export const add = (a: Code, b: Code): Code => [a, b, ADD];
export const sub = (a: Code, b: Code): Code => [a, b, SUB];
export const and = (a: Code, b: Code): Code => [a, b, AND];
export const load = (op: number, place: Code, at = 0): Code => [place, op, 0, leb(at)];
export const store = (op: number, place: Code, at: number, value: Code): Code => [place, value, op, 0, leb(at)];
export const when = (condition: Code, then: Code, otherwise?: Code): Code =>
  [condition, IF, VOID, then, otherwise === undefined ? [] : [ELSE, otherwise], END];
export const loop = (...body: Code): Code => [LOOP, VOID, ...body, END];
export const block = (...body: Code): Code => [BLOCK, VOID, ...body, END];
export const brIf = (depth: number, condition: Code): Code => [condition, BR_IF, leb(depth)];
export const call = (index: number, ...args: Code[]): Code => [...args, 0x10, leb(index)];
export const give = (value: Code): Code => [value, RETURN];
/** Gives up, which every caller passes on. */
export const unless = (condition: Code): Code => when([condition, EQZ], give(num(0)));
export const refuse = (condition: Code): Code => when(condition, give(num(0)));
