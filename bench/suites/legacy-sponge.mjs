// The sponge as a caller has to write it over a back end that only permutes: the state is kept in
// JavaScript, and each permutation takes three field additions here and one call there. This is how
// clients of @aztec/bb.js do it, conversions by hexadecimal strings included.

const MODULUS = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const RATE = 3;
const FIELD_BYTES = 32;

/** The bigint of 32 big-endian bytes. */
export function fieldFromBytes(bytes) {
  const { buffer, byteOffset, byteLength } = bytes;
  return BigInt(`0x${Buffer.from(buffer, byteOffset, byteLength).toString('hex')}`);
}

/** The 32 big-endian bytes of a bigint. */
export function fieldToBytes(field) {
  return Buffer.from(field.toString(16).padStart(2 * FIELD_BYTES, '0'), 'hex');
}

/** A sponge whose `permute` takes and gives four bigints, or promises them. */
export class LegacySponge {
  #permute;
  #state;
  #cache = [];
  #absorbed = 0;
  // What earlier elements left in the cache is part of the serialized state.
  #stale = Array.from({ length: RATE }, () => new Uint8Array(FIELD_BYTES));

  constructor(permute, maxFields) {
    this.#permute = permute;
    this.#state = [0n, 0n, 0n, BigInt(maxFields) << 64n];
  }

  /** The state after the elements of the cache were added, permuted; perhaps as a promise. */
  #duplex() {
    const state = this.#state.slice();
    this.#cache.forEach((field, i) => {
      state[i] = (state[i] + fieldFromBytes(field)) % MODULUS;
    });
    return this.#permute(state);
  }

  async absorb(fields) {
    for (let offset = 0; offset < fields.length; offset += FIELD_BYTES) {
      if (this.#cache.length === RATE) {
        const next = this.#duplex();
        this.#state = next instanceof Promise ? await next : next;
        this.#cache = [];
      }
      const field = fields.subarray(offset, offset + FIELD_BYTES);
      this.#stale[this.#cache.length] = field;
      this.#cache.push(field);
      this.#absorbed++;
    }
  }

  serialize() {
    const counters = Buffer.alloc(9);
    counters.writeUInt32BE(this.#cache.length, 0);
    counters.writeUInt32BE(this.#absorbed, 5);
    return Buffer.concat([...this.#stale, ...this.#state.map(fieldToBytes), counters]);
  }

  async squeeze() {
    const next = this.#duplex();
    this.#state = next instanceof Promise ? await next : next;
    return fieldToBytes(this.#state[0]);
  }
}
