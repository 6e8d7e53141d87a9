// The vectors, and Poseidon2 by the book on bigints: the constants come from the vectors, the rest
// is the definition (spec: external rounds, internal rounds, external rounds).
import { readFileSync } from 'node:fs';

const file = new URL('../../../../test/vectors/poseidon2_bn254.json', import.meta.url);
export const vectors = JSON.parse(readFileSync(file, 'utf8'));

export const P = BigInt(vectors.modulus);
const CONSTANTS = vectors.round_constants.map(BigInt);
const DIAGONAL = vectors.diagonal_minus_1.map(BigInt);
const EXTERNAL = [[5n, 7n, 1n, 3n], [4n, 6n, 1n, 1n], [1n, 3n, 5n, 7n], [1n, 1n, 4n, 6n]];

const power5 = (x) => {
  const square = (x * x) % P;
  return (((square * square) % P) * x) % P;
};
const external = (state) =>
  EXTERNAL.map((row) => row.reduce((sum, factor, i) => sum + factor * state[i], 0n) % P);

export function permute(input) {
  let at = 0;
  let state = external(input);
  const full = () => {
    state = external(state.map((x) => power5(x + CONSTANTS[at++])));
  };
  for (let round = 0; round < 4; round++) full();
  for (let round = 0; round < 56; round++) {
    state[0] = power5(state[0] + CONSTANTS[at++]);
    const sum = state.reduce((a, b) => a + b);
    state = state.map((x, i) => (DIAGONAL[i] * x + sum) % P);
  }
  for (let round = 0; round < 4; round++) full();
  return state;
}

/** The sponge, one element at a time. */
export class Sponge {
  constructor(iv) {
    this.state = [0n, 0n, 0n, iv];
    this.cache = [0n, 0n, 0n];
    this.size = 0;
    this.absorbed = 0;
    this.squeezed = 0;
  }

  #permute() {
    this.state = permute(this.state.map((x, i) => (i < this.size ? (x + this.cache[i]) % P : x)));
  }

  absorb(fields) {
    for (const field of fields) {
      if (this.size === 3) {
        this.#permute();
        this.size = 0;
      }
      this.cache[this.size++] = field;
      this.absorbed++;
    }
  }

  squeeze() {
    this.#permute();
    this.squeezed = 1;
    return this.state[0];
  }

  toFields() {
    const counts = [this.size, this.squeezed, this.absorbed].map(BigInt);
    return [...this.cache, ...this.state, ...counts];
  }
}

export function hash(fields) {
  const sponge = new Sponge(BigInt(fields.length) << 64n);
  sponge.absorb(fields);
  return sponge.squeeze();
}

/** Numbers that look random and are the same in every run. */
export function* numbers(seed) {
  let state = BigInt(seed);
  for (;;) {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    yield state >> 11n;
  }
}

/** Field elements: random ones, with extreme ones among them. */
export function fields(seed, count) {
  const extreme = [0n, 1n, P - 1n, P - 2n, 2n ** 253n, (1n << 232n) - 1n, 2n ** 64n - 1n];
  const random = numbers(seed);
  const next = () => random.next().value;
  return Array.from({ length: count }, () => {
    const choice = Number(next() % 10n);
    if (choice < extreme.length && next() % 3n === 0n) return extreme[choice];
    let value = 0n;
    for (let i = 0; i < 5; i++) value = (value << 53n) | next();
    return value % P;
  });
}
