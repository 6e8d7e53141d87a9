/// <reference lib="esnext.disposable" preserve="true" />
import type { Bytes } from '../core/bytes.js';
import type { Mode, Result } from '../core/flow.js';
import type { Field } from './fields.js';

/**
 * Poseidon2 over the scalar field of BN254 on one back end.
 *
 * Field elements go in as one flat `Uint8Array` of 32 bytes each (big-endian), which has no cost per
 * element here and gives bytes back, or as an array of bigints and `Uint8Array`s of 32 bytes, which
 * gives bigints back. Results are memory of the caller's own. The `...Into` forms take flat bytes,
 * write to the start of `out`, which may overlap the input, and allocate nothing;
 * `BUFFER_TOO_SMALL`, with the needed size as `limit`, where `out` is too short.
 *
 * Every function gives `NOT_CANONICAL`, with the `index` of the element, for one that is not below
 * the modulus, and `WRONG_LENGTH` for bytes or arrays that are no whole number of what it takes.
 */
export interface SpongeOperations<M extends Mode = 'sync'> {
  /** Permutes a state of 4 field elements. */
  permute(state: Uint8Array): Result<M, Bytes>;
  permute(state: readonly Field[]): Result<M, bigint[]>;
  /** Permutes a state of 128 bytes into `out`. */
  permuteInto(out: Uint8Array, state: Uint8Array): Result<M, void>;
  /** Permutes any number of states of 4 field elements, side by side where that is quicker. */
  permuteMany(states: Uint8Array): Result<M, Bytes>;
  permuteMany(states: readonly Field[]): Result<M, bigint[]>;
  /** Permutes states of 128 bytes each into `out`, as long as `states`. */
  permuteManyInto(out: Uint8Array, states: Uint8Array): Result<M, void>;
  /** The hash of any number of field elements: one field element. */
  hash(fields: Uint8Array): Result<M, Bytes>;
  hash(fields: readonly Field[]): Result<M, bigint>;
  /** The hash of field elements into the first 32 bytes of `out`. */
  hashInto(out: Uint8Array, fields: Uint8Array): Result<M, void>;
  /**
   * The hashes of messages of `fieldsEach` field elements each, which lie one after the other, side
   * by side where that is quicker; 32 bytes each.
   */
  hashMany(fields: Uint8Array, fieldsEach: number): Result<M, Bytes>;
  /**
   * The hash of each message. Messages may have any lengths; those of one length are hashed
   * together. The `index` of an error is that of the message, and its `offset` lies in it.
   */
  hashMany(messages: readonly Uint8Array[]): Result<M, Bytes[]>;
  hashMany(messages: readonly (readonly Field[])[]): Result<M, bigint[]>;
  /** As `hashMany` of flat bytes, into `out`. */
  hashManyInto(out: Uint8Array, fields: Uint8Array, fieldsEach: number): Result<M, void>;
  /** The hash of two field elements. */
  compress(left: Uint8Array, right: Uint8Array): Result<M, Bytes>;
  compress(left: Field, right: Field): Result<M, bigint>;
  /** One level of a Merkle tree: the hash of each two field elements. */
  compressMany(pairs: Uint8Array): Result<M, Bytes>;
  compressMany(pairs: readonly Field[]): Result<M, bigint[]>;
  /** The hash of each 64 bytes of `pairs` into `out`, half as long. */
  compressManyInto(out: Uint8Array, pairs: Uint8Array): Result<M, void>;
  /**
   * The root of the binary tree over `leaves`, whose number is a power of two, else `WRONG_LENGTH`.
   * The root of one leaf is the leaf.
   */
  merkleRoot(leaves: Uint8Array): Result<M, Bytes>;
  merkleRoot(leaves: readonly Field[]): Result<M, bigint>;
  /** The root of the binary tree over `leaves` into the first 32 bytes of `out`. */
  merkleRootInto(out: Uint8Array, leaves: Uint8Array): Result<M, void>;
  /** Makes sponges that start from any IV. */
  readonly Sponge: SpongeConstructor<M>;
  /** Makes sponges for blob data. */
  readonly SpongeBlob: SpongeBlobConstructor<M>;
}

/**
 * A sponge: absorbs field elements, in any portions, then gives one output. Its state is a few
 * hundred bytes on the JavaScript side, so nothing leaks when it is forgotten.
 *
 * Every method is an `INVALID_STATE` error after `dispose`, and on a back end that answers by
 * promises also before the operation before it has finished.
 */
export interface Sponge<M extends Mode = 'sync'> {
  /**
   * Absorbs one field element (a bigint or 32 bytes) or many (an array of them, or flat bytes of 32
   * each). Leaves the state that absorbing them one at a time leaves. After an error the sponge is
   * as it was: `NOT_CANONICAL`, `WRONG_LENGTH`, `INVALID_STATE` after `squeeze`, `COUNT_LIMIT` with
   * the `limit` past the most that this sponge takes.
   */
  absorb(fields: Field | readonly Field[]): Result<M, void>;
  /** The output: 32 bytes. Allowed once, and ends absorbing; else `INVALID_STATE`. */
  squeeze(): Result<M, Bytes>;
  /** As `squeeze`, into the first 32 bytes of `out`. */
  squeezeInto(out: Uint8Array): Result<M, void>;
  /** A sponge with a copy of this one's state. */
  clone(): Sponge<M>;
  /** The state in 233 bytes, the same on every back end. */
  serialize(): Bytes;
  /** As `serialize`, into `out`. */
  serializeInto(out: Uint8Array): void;
  /**
   * The state as 10 field elements: cache (3), state (4), number in the cache, whether squeezed,
   * number absorbed.
   */
  toFields(): bigint[];
  /** As `toFields`, into the first 320 bytes of `out`. */
  toFieldsInto(out: Uint8Array): void;
  /** Forgets the state. */
  dispose(): void;
  /** As `dispose`. */
  [Symbol.dispose](): void;
}

/** Makes sponges that start from any IV, and take up to 2^32 - 1 field elements. */
export interface SpongeConstructor<M extends Mode = 'sync'> {
  /** A sponge with the state [0, 0, 0, `iv`]. `NOT_CANONICAL`, `WRONG_LENGTH`. */
  new (iv: Field): Sponge<M>;
  /**
   * The sponge that `serialize` gave. `WRONG_LENGTH` for other than 233 bytes; `NOT_CANONICAL`;
   * `BAD_SPONGE`, with the `offset`, for a state that absorbing can't reach.
   */
  deserialize(bytes: Uint8Array): Result<M, Sponge<M>>;
}

/** Makes sponges for blob data: IV and most elements are both given by `maxFields`. */
export interface SpongeBlobConstructor<M extends Mode = 'sync'> {
  /**
   * A sponge with the IV `maxFields` * 2^64, for at most `maxFields` field elements (default 24576:
   * six blobs of 4096). `INVALID_ARGUMENT` unless it is an integer from 1 to 2^32 - 1.
   */
  new (maxFields?: number): Sponge<M>;
  /**
   * The sponge of that `maxFields` that `serialize` gave. Errors as of `Sponge.deserialize`, and
   * `COUNT_LIMIT` when more was absorbed than `maxFields`.
   */
  deserialize(bytes: Uint8Array, maxFields?: number): Result<M, Sponge<M>>;
}
