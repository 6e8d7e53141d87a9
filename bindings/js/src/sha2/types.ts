import type { Bytes } from '../core/bytes.js';
import type { Mode, Result } from '../core/flow.js';

/**
 * SHA-256 and SHA-384 (FIPS 180-4) on one back end. Inputs are bytes of any length, and every
 * result is memory of the caller's own. The `...Into` forms write to the start of `out`, which may
 * overlap the input, and allocate nothing; `BUFFER_TOO_SMALL`, with the needed size as `limit`,
 * where `out` is too short.
 */
export interface Sha2Operations<M extends Mode = 'sync'> {
  /** The SHA-256 of `bytes`: 32 bytes. */
  sha256(bytes: Uint8Array): Result<M, Bytes>;
  /** The SHA-256 of `bytes` into the first 32 bytes of `out`. */
  sha256Into(out: Uint8Array, bytes: Uint8Array): Result<M, void>;
  /**
   * The SHA-256 of each 64 bytes of `pairs`, 32 bytes each: one level of a Merkle tree.
   * `WRONG_LENGTH` when the length is no multiple of 64.
   */
  sha256Pairs(pairs: Uint8Array): Result<M, Bytes>;
  /** As `sha256Pairs`, into `out`, half as long as `pairs`. */
  sha256PairsInto(out: Uint8Array, pairs: Uint8Array): Result<M, void>;
  /** The SHA-384 of `bytes`: 48 bytes. */
  sha384(bytes: Uint8Array): Result<M, Bytes>;
  /** The SHA-384 of `bytes` into the first 48 bytes of `out`. */
  sha384Into(out: Uint8Array, bytes: Uint8Array): Result<M, void>;
}

/**
 * A hash of bytes that come in portions. Its state is a few hundred bytes on the JavaScript side, so
 * nothing leaks when it is forgotten.
 */
export interface Sha2Stream {
  /** Takes in the next bytes. */
  update(bytes: Uint8Array): this;
  /** The hash of all bytes so far; more may follow. */
  digest(): Bytes;
  /** As `digest`, into the start of `out`; `BUFFER_TOO_SMALL` where that is too short. */
  digestInto(out: Uint8Array): void;
  /** A stream that goes on from the same bytes. */
  clone(): Sha2Stream;
}

/** Makes streams of one hash. */
export interface Sha2StreamConstructor {
  new (): Sha2Stream;
}
