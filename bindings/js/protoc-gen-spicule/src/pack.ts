import { deflateRawSync } from 'node:zlib';

// Bytes as text that is short, also when compressed together with what is around it: what base64 cuts
// into pieces of six bits, compressors don't find again. See core/text.ts of the runtime.

/** Printable characters that need no escape in a string literal; the last two are for escapes. */
const LETTERS = Array.from({ length: 95 }, (_, i) => 0x20 + i)
  .filter((code) => !'"\'\\`$}~'.includes(String.fromCharCode(code)));

/** Letters stand for themselves. */
const NATURAL_ORDER = [
  ...LETTERS,
  ...Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !LETTERS.includes(byte)),
];

/** The text that `unpack` reads: what is text in the bytes stays it. */
export function pack(bytes: Uint8Array): string {
  const codes: string[] = [];
  NATURAL_ORDER.forEach((byte, rank) => {
    const behind = ['', '}', '~'][Math.floor(rank / LETTERS.length)]!;
    codes[byte] = behind + String.fromCharCode(LETTERS[rank % LETTERS.length]!);
  });
  return Array.from(bytes, (byte) => codes[byte]).join('');
}

// ---- Modules: see wasm/unpack.c, which is the other half of this ----

const CODE_SECTION = 10;
const STREAMS = 10;

/** Where the section with the code begins and ends. */
function codeOf(module: Uint8Array): [start: number, end: number] {
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let bit = 0; ; bit += 7) {
      const byte = module[at++]!;
      value |= (byte & 0x7f) << bit;
      if (byte < 0x80) return value;
    }
  };
  while (at < module.length) {
    const id = module[at++]!;
    const size = number();
    if (id === CODE_SECTION) return [at, at + size];
    at += size;
  }
  return [0, 0];
}

/** The streams of what follows an opcode, four bits each, the first one lowest. */
function operandsOf(op: number): number {
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
function split(module: Uint8Array): number[][] {
  const streams = Array.from({ length: STREAMS }, (): number[] => []);
  const [start, end] = codeOf(module);
  const rest = streams.at(-1)!;
  for (const length of [start, end - start]) rest.push(length & 0xff, (length >> 8) & 0xff, length >> 16);
  rest.push(...module.subarray(0, start));
  let operands = 0;
  for (const byte of module.subarray(start, end)) {
    streams[operands & 15]!.push(byte);
    if (operands === 0) operands = operandsOf(byte);
    else if (byte < 0x80) operands >>= 4;
  }
  rest.push(...module.subarray(end));
  return streams;
}

/** The text that `unpackModule` reads: the length of the module, and digits of six bits. */
export function packModule(module: Uint8Array): string {
  const digits: string[] = [];
  let held = 0;
  let left = 0;
  for (const stream of split(module)) {
    const forms = [8, 9].map((memLevel) => deflateRawSync(Uint8Array.from(stream), { level: 9, memLevel }));
    for (const byte of forms.sort((a, b) => a.length - b.length)[0]!) {
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
