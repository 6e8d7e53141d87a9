/**
 * What `visit` of generated classes calls for all that a message has, in the order of its record:
 * no message object and no bigint is made. A field is named by its number; unset ones are left out,
 * zeroes too where the field has no presence. Override what is of use.
 */
export abstract class Visitor {
  /** A message in a field begins: not for the one that is visited itself. */
  enter(_field: number): void {}
  /** It ends. */
  leave(_field: number): void {}
  /** A 32-bit integer, enum or bool (0 or 1). */
  int(_field: number, _value: number): void {}
  /** A 64-bit integer in halves: `high * 2 ** 32 + low`; `high` is signed where the type is. */
  long(_field: number, _high: number, _low: number): void {}
  /** A float or double. */
  float(_field: number, _value: number): void {}
  /** A string (UTF-8) or bytes: `length` bytes of `memory` from `start` on, good for this call. */
  bytes(_field: number, _memory: Uint8Array, _start: number, _length: number): void {}
}
