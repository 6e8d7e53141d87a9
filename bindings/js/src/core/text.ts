/**
 * Bytes in source text, as scripts/pack-bytes.mjs writes them: one printable character for
 * most, and for the rest one behind an escape, so that what a compressor finds in the bytes it finds in
 * the text. (Base64 cuts them into pieces of six bits: a module takes a quarter more with gzip.)
 */
import type { Bytes } from './bytes.js';
import decoder from '../wasm/unpack.js';

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

/** Decodes the text of a module by the module that does it. The bytes are good for being compiled. */
export function unpackModule(text: string): Bytes {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(unpack(decoder)));
  const { memory, d: decode } = instance.exports as {
    memory: WebAssembly.Memory; d: (from: number, out: number) => number;
  };
  const from = text.indexOf(' ') + 1;
  const length = Number(text.slice(0, from));
  const at = memory.buffer.byteLength;
  memory.grow(Math.ceil((text.length + 2 * length) / 65536));
  const bytes = new Uint8Array(memory.buffer);
  new TextEncoder().encodeInto(text, bytes.subarray(at));
  const module = decode(at + from, at + text.length);
  return bytes.subarray(module, module + length) as Bytes;
}
