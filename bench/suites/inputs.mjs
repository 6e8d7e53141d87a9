// Input by rule, the same in the C runner: byte i is i mod 251 (a prime, so that swapped blocks
// show), and the first byte of each field element is cut to 5 bits: that is below the modulus.

/** `count` field elements of 32 bytes. */
export function makeFields(count) {
  return makeBytes(32 * count).map((byte, i) => (i % 32 === 0 ? byte & 0x1f : byte));
}

/** `length` bytes. */
export function makeBytes(length) {
  return Uint8Array.from({ length }, (_, i) => i % 251);
}
