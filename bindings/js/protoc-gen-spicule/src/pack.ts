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

/** The text of bytes, with those that come first in `order` as one character. */
function packed(bytes: Uint8Array, order: readonly number[]): string {
  const codes: string[] = [];
  order.forEach((byte, rank) => {
    const behind = ['', '}', '~'][Math.floor(rank / LETTERS.length)]!;
    codes[byte] = behind + String.fromCharCode(LETTERS[rank % LETTERS.length]!);
  });
  return Array.from(bytes, (byte) => codes[byte]).join('');
}

/** The text that `unpack` reads: what is text in the bytes stays it. */
export function pack(bytes: Uint8Array): string {
  return packed(bytes, NATURAL_ORDER);
}

/** The text that `unpackModule` reads: the bytes by frequency, then the module by them. */
export function packModule(bytes: Uint8Array): string {
  const counts = new Array<number>(256).fill(0);
  for (const byte of bytes) counts[byte]!++;
  const order = [...NATURAL_ORDER].sort((a, b) => counts[b]! - counts[a]!);
  return pack(Uint8Array.from(order)) + packed(bytes, order);
}
