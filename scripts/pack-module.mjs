// Wasm modules as text to embed: wasm/unpack.c is the other half of this.
import { deflateAsync } from '@gfx/zopfli';

const CODE_SECTION = 10;
const STREAMS = 10;

/** Where the section with the code begins and ends. */
function codeOf(module) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let bit = 0; ; bit += 7) {
      const byte = module[at++];
      value |= (byte & 0x7f) << bit;
      if (byte < 0x80) return value;
    }
  };
  while (at < module.length) {
    const id = module[at++];
    const size = number();
    if (id === CODE_SECTION) return [at, at + size];
    at += size;
  }
  return [0, 0];
}

/** The streams of what follows an opcode, four bits each, the first one lowest. */
function operandsOf(op) {
  if (op >= 0x20 && op <= 0x22) return 0x1;
  if (op >= 0x28 && op <= 0x3e) return 0x32;
  if (op === 0x41) return 0x4;
  if (op === 0x42) return 0x5;
  if (op === 0x0c || op === 0x0d) return 0x6;
  if (op === 0x10) return 0x7;
  if (op === 0x11 || op === 0xfc) return 0x88;
  if (op === 0x23 || op === 0x24 || op === 0xfd) return 0x8;
  return (op >= 0x02 && op <= 0x04) || op === 0x0e ? 0x8 : 0;
}

/** A module as opcodes, what follows them by its kind, and what is not code, behind its lengths. */
function split(module) {
  const streams = Array.from({ length: STREAMS }, () => []);
  const [start, end] = codeOf(module);
  const rest = streams.at(-1);
  for (const length of [start, end - start]) rest.push(length & 0xff, (length >> 8) & 0xff, length >> 16);
  const append = (bytes) => bytes.forEach((byte) => rest.push(byte));
  append(module.subarray(0, start));
  let operands = 0;
  for (const byte of module.subarray(start, end)) {
    streams[operands & 15].push(byte);
    if (operands === 0) operands = operandsOf(byte);
    else if (byte < 0x80) operands >>= 4;
  }
  append(module.subarray(end));
  return streams;
}

/** The text that `unpackModule` of core/text.ts reads: the length of the module, and digits of six bits. */
export async function packModule(module) {
  const digits = [];
  let held = 0;
  let left = 0;
  for (const stream of split(module)) {
    for (const byte of await deflateAsync(Uint8Array.from(stream), { numiterations: 15 })) {
      held |= byte << left;
      for (left += 8; left >= 6; left -= 6) {
        digits.push(String.fromCharCode(0x28 + (held & 63)));
        held >>= 6;
      }
    }
  }
  digits.push(String.fromCharCode(0x28 + held));
  return `${module.length} ${digits.join('').replaceAll('\\', 'h').replaceAll('`', 'i')}`;
}
