/**
 * Bytes in source text, as `pack` of protoc-gen-spicule writes them: one printable character for
 * most, and for the rest one behind an escape, so that what a compressor finds in the bytes it finds in
 * the text. (Base64 cuts them into pieces of six bits: a module takes a quarter more with gzip.)
 */
import type { Bytes } from './bytes.js';
import { section, sized } from './stack.js';

/** Behind the first of two escapes comes one of as many bytes as there are letters, behind the other the rest. */
const ESCAPE = 0x7d;
const PAGE = 0x80;

/** The characters that stand for a byte themselves: all that need no escape in a string, below `ESCAPE`. */
const letters = /* @__PURE__ */ (() => {
  const found: number[] = [];
  for (let code = 0x20; code < ESCAPE; code++) {
    if (!'"\'\\`$'.includes(String.fromCharCode(code))) found.push(code);
  }
  return found;
})();

/** Bytes by rank: letters stand for themselves. */
function naturalOrder(): number[] {
  const order = [...letters];
  for (let byte = 0; byte < 0x100; byte++) if (!letters.includes(byte)) order.push(byte);
  return order;
}

/** The byte of each character, then those of characters behind the escapes. */
function tableOf(order: ArrayLike<number>): Uint8Array {
  const table = new Uint8Array(3 * PAGE);
  for (let rank = 0; rank < 0x100; rank++) {
    const page = Math.floor(rank / letters.length);
    table[page * PAGE + letters[rank % letters.length]!] = order[rank]!;
  }
  return table;
}

/** Decodes a text of some thousand characters. */
export function unpack(text: string): Bytes {
  const table = tableOf(naturalOrder());
  const bytes = new Uint8Array(text.length);
  let length = 0;
  let page = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ESCAPE) {
      page = (code - ESCAPE + 1) * PAGE;
    } else {
      bytes[length++] = table[page + code]!;
      page = 0;
    }
  }
  return bytes.slice(0, length);
}

/** Characters of the 256 bytes by frequency, with which the text of a module begins. */
const HEAD = /* @__PURE__ */ (() => letters.length + 2 * (0x100 - letters.length))();

const I32 = 0x7f;

/**
 * The loop of `unpack` from `$i` to `$end`, in place; a new page of the memory has been compiled long
 * before a loop in JavaScript is: it takes 0.2 ms for what takes that 4 ms.
 */
function loopModule(pages: number): Bytes {
  const [end, table, i, length, code, page] = [0, 1, 2, 3, 4, 5];
  const get = (local: number) => [0x20, local];
  const body = [
    1, 3, I32,
    0x03, 0x40,
    ...get(i), 0x2d, 0, 0, 0x22, code, 0x41, 0xfd, 0, 0x4f,
    0x04, 0x40,
    ...get(code), 0x41, 0xfc, 0, 0x6b, 0x41, 7, 0x74, 0x21, page,
    0x05,
    ...get(length), ...get(table), ...get(page), 0x6a, ...get(code), 0x6a, 0x2d, 0, 0, 0x3a, 0, 0,
    ...get(length), 0x41, 1, 0x6a, 0x21, length, 0x41, 0, 0x21, page,
    0x0b,
    ...get(i), 0x41, 1, 0x6a, 0x22, i, ...get(end), 0x49, 0x0d, 0,
    0x0b,
    ...get(length), 0x0b,
  ];
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, 1, 0x60, 3, I32, I32, I32, 1, I32),
    ...section(3, 1, 0),
    ...section(5, 1, 0, pages),
    ...section(7, 2, 1, 0x6d, 2, 0, 1, 0x64, 0, 0),
    ...section(10, 1, ...sized(body)),
  ]);
}

/** Decodes the text of a module. The bytes are good for being compiled. */
export function unpackModule(text: string): Bytes {
  const table = tableOf(unpack(text.slice(0, HEAD)));
  const { length } = text;
  const pages = Math.ceil((length + table.length) / 65536);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(loopModule(pages)));
  const { m: memory, d: decode } = instance.exports as {
    m: WebAssembly.Memory; d: (end: number, table: number, from: number) => number;
  };
  const bytes = new Uint8Array(memory.buffer);
  new TextEncoder().encodeInto(text, bytes);
  bytes.set(table, length);
  return bytes.subarray(0, decode(length, length, HEAD)) as Bytes;
}
