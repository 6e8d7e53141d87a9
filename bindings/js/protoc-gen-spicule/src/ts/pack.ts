// Bytes as text that is short, also when compressed together with what is around it: what base64 cuts
// into pieces of six bits, compressors don't find again.

/** Printable characters that need no escape in a string literal stand for themselves, but the last two. */
const LETTERS = Array.from({ length: 95 }, (_, i) => 0x20 + i)
  .filter((code) => !'"\'\\`$}~'.includes(String.fromCharCode(code)));

/** All other bytes, in order: after } the first of them, after ~ the rest. */
const OTHERS = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !LETTERS.includes(byte));

const CODES = new Map<number, string>([
  ...LETTERS.map((byte) => [byte, String.fromCharCode(byte)] as const),
  ...OTHERS.map((byte, i) => {
    const letter = String.fromCharCode(LETTERS[i % LETTERS.length]!);
    return [byte, (i < LETTERS.length ? '}' : '~') + letter] as const;
  }),
]);

/** The text that the runtime's `unpack` reads. */
export function pack(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CODES.get(byte)).join('');
}
