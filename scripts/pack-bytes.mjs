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
export function packBytes(bytes) {
  const codes = [];
  NATURAL_ORDER.forEach((byte, rank) => {
    const behind = ['', '}', '~'][Math.floor(rank / LETTERS.length)];
    codes[byte] = behind + String.fromCharCode(LETTERS[rank % LETTERS.length]);
  });
  return Array.from(bytes, (byte) => codes[byte]).join('');
}
