import { aligned, roomFor } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { type Maybe, attempt, nothing, then } from '../core/flow.js';
import type { CommonExports, WasmInstance } from '../core/instance.js';
import type { Transport } from '../core/transport.js';
import { OPERATIONS } from '../generated/operations.js';
import { FIELD_BYTES, SPONGE_BYTES, STATE_BYTES } from '../generated/sizes.js';
import { FIELD_LENGTH, isCanonical } from './fields.js';

/**
 * Poseidon2 from flat bytes to flat bytes; results go to the start of `out`. A sponge is `stateBytes`
 * bytes, whose form is the engine's own.
 */
export interface SpongeEngine {
  permute(out: Uint8Array, state: Uint8Array): Maybe<void>;
  permuteMany(out: Uint8Array, states: Uint8Array): Maybe<void>;
  hash(out: Uint8Array, fields: Uint8Array): Maybe<void>;
  hashMany(out: Uint8Array, fields: Uint8Array, fieldsEach: number, messages: number): Maybe<void>;
  compressMany(out: Uint8Array, pairs: Uint8Array): Maybe<void>;
  merkleRoot(out: Uint8Array, leaves: Uint8Array): Maybe<void>;

  readonly stateBytes: number;
  /** Starts a sponge from an IV of 32 bytes. */
  init(state: Uint8Array, iv: Uint8Array): void;
  /** Starts a sponge for up to `maxFields` elements, a u32 above 0. */
  initBlob(state: Uint8Array, maxFields: number): void;
  /** Starts from a serialized sponge of SPONGE_BYTES; `maxFields` is 0 for one with an IV of its own. */
  deserialize(state: Uint8Array, bytes: Uint8Array, maxFields: number): Maybe<void>;
  absorb(state: Uint8Array, fields: Uint8Array): Maybe<void>;
  squeeze(state: Uint8Array, out: Uint8Array): Maybe<void>;
  serialize(state: Uint8Array, out: Uint8Array): void;
}

const PAIR_BYTES = 2 * FIELD_BYTES;

// A sponge of CallSponge begins the requests of absorb and squeeze: max_fields as a little-endian
// u32, then the serialized sponge, whose state has the IV in its last element.
const SERIALIZED_AT = 4;
const CALL_STATE_BYTES = SERIALIZED_AT + SPONGE_BYTES;
const IV_AT = SERIALIZED_AT + 6 * FIELD_BYTES;

/** Through the dispatcher, on any back end. */
export class CallSponge implements SpongeEngine {
  readonly stateBytes = CALL_STATE_BYTES;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * `takes` says what lengths are right. `start` is where the caller's input begins in the request: the
   * offsets of errors count there.
   */
  #call(op: number, request: Uint8Array, out: Uint8Array, takes: string, start = 0): Maybe<void> {
    return attempt(() => then(this.#transport.call(op, request, out), nothing), (error) => {
      if (!(error instanceof SpiculeError) || error.offset === undefined) throw error;
      const { code, index, limit } = error;
      const note = code === 'WRONG_LENGTH' ? takes : error.note;
      throw new SpiculeError(code, { offset: Number(error.offset) - start, index, limit }, note);
    });
  }

  permute(out: Uint8Array, state: Uint8Array): Maybe<void> {
    return this.#call(OPERATIONS.PERMUTE, state, out, 'a state is 4 field elements of 32 bytes');
  }

  permuteMany(out: Uint8Array, states: Uint8Array): Maybe<void> {
    return this.#call(OPERATIONS.PERMUTE_MANY, states, out, 'a state is 4 field elements of 32 bytes');
  }

  hash(out: Uint8Array, fields: Uint8Array): Maybe<void> {
    return this.#call(OPERATIONS.HASH, fields, out, FIELD_LENGTH);
  }

  hashMany(
    out: Uint8Array,
    fields: Uint8Array,
    fieldsEach: number,
    messages: number,
  ): Maybe<void> {
    const sizes = new Uint8Array(8);
    const view = new DataView(sizes.buffer);
    view.setUint32(0, messages, true);
    view.setUint32(4, fieldsEach, true);
    const takes = `a message is ${fieldsEach} field elements of 32 bytes`;
    return this.#call(OPERATIONS.HASH_MANY, joined(sizes, fields), out, takes, sizes.length);
  }

  compressMany(out: Uint8Array, pairs: Uint8Array): Maybe<void> {
    return this.#call(OPERATIONS.COMPRESS_MANY, pairs, out, 'a pair is 2 field elements of 32 bytes');
  }

  merkleRoot(out: Uint8Array, leaves: Uint8Array): Maybe<void> {
    if (leaves.length % FIELD_BYTES !== 0) return this.hash(out, leaves);
    const count = leaves.length / FIELD_BYTES;
    if (!isPowerOfTwo(count)) {
      throw new SpiculeError('WRONG_LENGTH', {}, `the number of leaves, ${count}, is no power of two`);
    }
    roomFor(out, FIELD_BYTES);
    if (leaves.length === FIELD_BYTES) {
      // Nothing to hash, but the leaf is checked.
      const sponge = new Uint8Array(this.stateBytes);
      this.initBlob(sponge, 1);
      return then(this.absorb(sponge, leaves), () => out.set(leaves));
    }
    if (leaves.length === PAIR_BYTES) return this.compressMany(out, leaves);
    const above = new Uint8Array(leaves.length / 2);
    return then(this.compressMany(above, leaves), () => this.merkleRoot(out, above));
  }

  init(state: Uint8Array, iv: Uint8Array): void {
    if (!isCanonical(iv)) throw new SpiculeError('NOT_CANONICAL', { offset: 0, index: 0 });
    state.set(iv, IV_AT);
  }

  initBlob(state: Uint8Array, maxFields: number): void {
    const view = new DataView(state.buffer, state.byteOffset);
    view.setUint32(0, maxFields, true);
    // maxFields * 2^64
    view.setUint32(IV_AT + FIELD_BYTES - 12, maxFields);
  }

  deserialize(state: Uint8Array, bytes: Uint8Array, maxFields: number): Maybe<void> {
    new DataView(state.buffer, state.byteOffset).setUint32(0, maxFields, true);
    state.set(bytes, SERIALIZED_AT);
    // Absorbing nothing checks the sponge; one that was squeezed passes and then refuses to absorb.
    const out = new Uint8Array(SPONGE_BYTES);
    return attempt(
      () => this.#call(OPERATIONS.ABSORB, state, out, FIELD_LENGTH, SERIALIZED_AT),
      (error) => {
        if ((error as SpiculeError).code !== 'INVALID_STATE') throw error;
      },
    );
  }

  absorb(state: Uint8Array, fields: Uint8Array): Maybe<void> {
    const out = new Uint8Array(SPONGE_BYTES);
    const request = joined(state, fields);
    return then(this.#call(OPERATIONS.ABSORB, request, out, FIELD_LENGTH, state.length), () =>
      state.set(out, SERIALIZED_AT),
    );
  }

  squeeze(state: Uint8Array, out: Uint8Array): Maybe<void> {
    roomFor(out, FIELD_BYTES);
    const response = new Uint8Array(FIELD_BYTES + SPONGE_BYTES);
    return then(this.#call(OPERATIONS.SQUEEZE, state, response, FIELD_LENGTH), () => {
      out.set(response.subarray(0, FIELD_BYTES));
      state.set(response.subarray(FIELD_BYTES), SERIALIZED_AT);
    });
  }

  serialize(state: Uint8Array, out: Uint8Array): void {
    out.set(state.subarray(SERIALIZED_AT));
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

function isPowerOfTwo(count: number): boolean {
  return count >= 1 && Number.isInteger(Math.log2(count));
}

/** Addresses, lengths and counts. */
type N = number;

export interface SpongeExports extends CommonExports {
  readonly poseidon2_permute_many: (out: N, states: N, count: N) => N;
  readonly poseidon2_hash: (out: N, fields: N, count: N) => N;
  readonly poseidon2_hash_many: (out: N, fields: N, fieldsEach: N, messages: N) => N;
  readonly poseidon2_compress_many: (out: N, pairs: N, count: N) => N;
  readonly poseidon2_merkle_root: (out: N, leaves: N, count: N, scratch: N) => N;
  readonly sponge_size: () => N;
  readonly sponge_init: (sponge: N, iv: N) => N;
  readonly sponge_blob_init: (sponge: N, maxFields: N) => N;
  readonly sponge_absorb: (sponge: N, fields: N, count: N) => N;
  readonly sponge_squeeze: (sponge: N, out: N) => N;
  readonly sponge_to_bytes: (sponge: N, out: N) => N;
  readonly sponge_from_bytes: (sponge: N, bytes: N, length: N, maxFields: N) => N;
}

/**
 * Through the exports of a module, with sponges as the C structure, which holds no address. What the
 * exports don't accept goes to the dispatcher instead, so that its checks of lengths, and its
 * errors, are the only ones.
 */
export class WasmSponge implements SpongeEngine {
  readonly stateBytes: number;
  readonly #wasm: WasmInstance<SpongeExports>;
  readonly #checked: CallSponge;

  constructor(wasm: WasmInstance<SpongeExports>) {
    this.#wasm = wasm;
    this.#checked = new CallSponge(wasm);
    this.stateBytes = wasm.exports.sponge_size();
  }

  /** Puts `input` into the buffer, behind `before` bytes (a multiple of 16); gives the buffer. */
  #load(input: Uint8Array, before = 0, after = 0): number {
    const at = this.#wasm.reserve(before + aligned(input.length) + after);
    this.#wasm.bytes.set(input, at + before);
    return at;
  }

  permute(out: Uint8Array, state: Uint8Array): void {
    if (state.length !== STATE_BYTES) this.#checked.permute(out, state);
    else this.permuteMany(out, state);
  }

  permuteMany(out: Uint8Array, states: Uint8Array): void {
    const count = states.length / STATE_BYTES;
    if (!Number.isInteger(count) || out.length < states.length) {
      this.#checked.permuteMany(out, states);
      return;
    }
    const at = this.#load(states);
    this.#wasm.check(this.#wasm.exports.poseidon2_permute_many(at, at, count));
    this.#wasm.copyOut(out, at, states.length);
  }

  hash(out: Uint8Array, fields: Uint8Array): void {
    const count = fields.length / FIELD_BYTES;
    if (!Number.isInteger(count) || out.length < FIELD_BYTES) {
      this.#checked.hash(out, fields);
      return;
    }
    const at = this.#load(fields, FIELD_BYTES);
    this.#wasm.check(this.#wasm.exports.poseidon2_hash(at, at + FIELD_BYTES, count));
    this.#wasm.copyOut(out, at, FIELD_BYTES);
  }

  hashMany(out: Uint8Array, fields: Uint8Array, fieldsEach: number, messages: number): void {
    const size = messages * FIELD_BYTES;
    if (size * fieldsEach !== fields.length || out.length < size) {
      this.#checked.hashMany(out, fields, fieldsEach, messages);
      return;
    }
    const at = this.#load(fields, size);
    this.#wasm.check(
      this.#wasm.exports.poseidon2_hash_many(at, at + size, fieldsEach, messages),
    );
    this.#wasm.copyOut(out, at, size);
  }

  compressMany(out: Uint8Array, pairs: Uint8Array): void {
    const count = pairs.length / PAIR_BYTES;
    if (!Number.isInteger(count) || out.length < count * FIELD_BYTES) {
      this.#checked.compressMany(out, pairs);
      return;
    }
    const at = this.#load(pairs);
    this.#wasm.check(this.#wasm.exports.poseidon2_compress_many(at, at, count));
    this.#wasm.copyOut(out, at, count * FIELD_BYTES);
  }

  merkleRoot(out: Uint8Array, leaves: Uint8Array): void {
    const count = leaves.length / FIELD_BYTES;
    if (!isPowerOfTwo(count) || out.length < FIELD_BYTES) {
      this.#checked.merkleRoot(out, leaves);
      return;
    }
    const at = this.#load(leaves, FIELD_BYTES, leaves.length / 2);
    const leavesAt = at + FIELD_BYTES;
    const scratchAt = leavesAt + leaves.length;
    this.#wasm.check(this.#wasm.exports.poseidon2_merkle_root(at, leavesAt, count, scratchAt));
    this.#wasm.copyOut(out, at, FIELD_BYTES);
  }

  init(state: Uint8Array, iv: Uint8Array): void {
    const room = aligned(this.stateBytes);
    const at = this.#load(iv, room);
    this.#wasm.check(this.#wasm.exports.sponge_init(at, at + room));
    this.#wasm.copyOut(state, at, this.stateBytes);
  }

  initBlob(state: Uint8Array, maxFields: number): void {
    const at = this.#wasm.reserve(this.stateBytes);
    this.#wasm.check(this.#wasm.exports.sponge_blob_init(at, maxFields));
    this.#wasm.copyOut(state, at, this.stateBytes);
  }

  deserialize(state: Uint8Array, bytes: Uint8Array, maxFields: number): void {
    const room = aligned(this.stateBytes);
    const at = this.#load(bytes, room);
    this.#wasm.check(
      this.#wasm.exports.sponge_from_bytes(at, at + room, bytes.length, maxFields),
    );
    this.#wasm.copyOut(state, at, this.stateBytes);
  }

  absorb(state: Uint8Array, fields: Uint8Array): void {
    const count = fields.length / FIELD_BYTES;
    if (!Number.isInteger(count)) {
      this.#checked.hash(new Uint8Array(FIELD_BYTES), fields);
      return;
    }
    const room = aligned(this.stateBytes);
    const at = this.#load(fields, room);
    this.#wasm.bytes.set(state, at);
    this.#wasm.check(this.#wasm.exports.sponge_absorb(at, at + room, count));
    this.#wasm.copyOut(state, at, this.stateBytes);
  }

  squeeze(state: Uint8Array, out: Uint8Array): void {
    roomFor(out, FIELD_BYTES);
    const at = this.#load(state, FIELD_BYTES);
    this.#wasm.check(this.#wasm.exports.sponge_squeeze(at + FIELD_BYTES, at));
    this.#wasm.copyOut(out, at, FIELD_BYTES);
    this.#wasm.copyOut(state, at + FIELD_BYTES, this.stateBytes);
  }

  serialize(state: Uint8Array, out: Uint8Array): void {
    const room = aligned(this.stateBytes);
    const at = this.#load(state, 0, SPONGE_BYTES);
    this.#wasm.exports.sponge_to_bytes(at, at + room);
    this.#wasm.copyOut(out, at + room, SPONGE_BYTES);
  }
}
