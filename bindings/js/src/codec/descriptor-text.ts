import type { Bytes } from '../core/bytes.js';
import { leb } from '../core/stack.js';

const BEFORE_UPPER = 0x40;
const BEFORE_LOWER = 0x60;

/** The FileDescriptorSet of the texts of files: what those are, ts/descriptor.ts of the generator says. */
export function descriptorSet(texts: Iterable<string>): Bytes {
  const out: number[] = [];
  let text: string;
  let at: number;
  const varint = (value: bigint): void => {
    let rest = BigInt.asUintN(64, value);
    for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
    out.push(Number(rest));
  };
  /** Writes what `content` does, and before it how many bytes that is. */
  const field = (number: number, content: () => void): void => {
    out.push((number << 3) | 2);
    const start = out.length;
    content();
    out.splice(start, 0, ...leb(out.length - start));
  };
  const string = (): void => {
    for (let char = text[at++]!; char !== ';'; char = text[at++]!) {
      if (char !== '~') out.push(char.charCodeAt(0));
      else out.push(Number.parseInt(text.slice(at, (at += 2)), 16));
    }
  };
  /** `beside`: the last number of each letter, within what stands beside the message. */
  const message = (beside: Map<number, bigint>): void => {
    const within = new Map<number, bigint>();
    while (at < text.length && text[at] !== ')') {
      const nested = text[at] === '(';
      if (nested) at++;
      const code = text.charCodeAt(at++);
      if (code > BEFORE_LOWER) {
        const digits = /[-\d]*/y;
        digits.lastIndex = at;
        const given = digits.exec(text)![0];
        at += given.length || 1;
        const value = given === '' ? (beside.get(code) ?? 0n) + 1n : BigInt(given);
        beside.set(code, value);
        out.push((code - BEFORE_LOWER) << 3);
        varint(value);
      } else {
        field(code - BEFORE_UPPER, nested ? () => message(within) : string);
        if (nested) at++;
      }
    }
  };
  for (text of texts) {
    at = 0;
    field(1, () => message(new Map()));
  }
  return Uint8Array.from(out);
}
