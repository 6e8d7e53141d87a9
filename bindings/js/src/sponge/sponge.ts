import { type Bytes, bytesArgument, filled, roomFor, u32Argument } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { type Maybe, type Mode, promising, then } from '../core/flow.js';
import {
  FIELD_BYTES,
  SPONGE_BLOB_MAX_FIELDS,
  SPONGE_BYTES,
  SPONGE_FIELDS,
} from '../generated/sizes.js';
import type { SpongeEngine } from './engines.js';
import { type Field, fieldArgument, fieldsToBigints, flat, flatten } from './fields.js';
import type { SpongeBlobConstructor, SpongeConstructor } from './types.js';

// The serialized form is the fields, of which the last three are shortened.
const CACHE_SIZE_AT = 7 * FIELD_BYTES;
const SQUEEZED_AT = CACHE_SIZE_AT + 4;
const ABSORBED_AT = SQUEEZED_AT + 1;

/** Throws the error, and says what it means for a sponge. */
function explain(error: unknown): never {
  if (!(error instanceof SpiculeError) || error.code !== 'INVALID_STATE' ||
    error.note !== undefined || error.path !== undefined) throw error;
  throw new SpiculeError('INVALID_STATE', {}, 'the sponge was squeezed already');
}

/** A sponge of any engine, whose state it keeps in the engine's form. */
class EngineSponge {
  readonly #engine: SpongeEngine;
  #state: Uint8Array | undefined;
  /** Whether an operation has not finished, which can only be seen where answers are promises. */
  #busy = false;

  constructor(engine: SpongeEngine, state: Uint8Array = new Uint8Array(engine.stateBytes)) {
    this.#engine = engine;
    this.#state = state;
  }

  protected get engine(): SpongeEngine {
    return this.#engine;
  }

  /** The state, for one operation. */
  protected begin(): Uint8Array {
    if (this.#state === undefined) throw new SpiculeError('INVALID_STATE', {}, 'disposed');
    if (!this.#busy) return this.#state;
    throw new SpiculeError('INVALID_STATE', {}, 'the operation before has not finished');
  }

  #end(result: Maybe<void>): Maybe<void> {
    if (!(result instanceof Promise)) return result;
    this.#busy = true;
    return result.catch(explain).finally(() => (this.#busy = false));
  }

  absorb(fields: Field | readonly Field[]): Maybe<void> {
    const bytes = typeof fields === 'bigint' ? flatten([fields], 'fields') : flat(fields, 'fields');
    const state = this.begin();
    try {
      return this.#end(this.#engine.absorb(state, bytes));
    } catch (error) {
      explain(error);
    }
  }

  squeeze(): Maybe<Bytes> {
    return filled(FIELD_BYTES, (out) => this.squeezeInto(out));
  }

  squeezeInto(out: Uint8Array): Maybe<void> {
    const state = this.begin();
    bytesArgument(out, 'out');
    try {
      return this.#end(this.#engine.squeeze(state, out));
    } catch (error) {
      explain(error);
    }
  }

  clone(): this {
    return bare(this.#engine, this.constructor, this.begin().slice()) as this;
  }

  serialize(): Bytes {
    return filled(SPONGE_BYTES, (out) => this.serializeInto(out)) as Bytes;
  }

  serializeInto(out: Uint8Array): void {
    roomFor(bytesArgument(out, 'out'), SPONGE_BYTES);
    this.#engine.serialize(this.begin(), out);
  }

  toFields(): bigint[] {
    return fieldsToBigints(
      filled(SPONGE_FIELDS * FIELD_BYTES, (out) => this.toFieldsInto(out)) as Bytes,
    );
  }

  toFieldsInto(out: Uint8Array): void {
    roomFor(bytesArgument(out, 'out'), SPONGE_FIELDS * FIELD_BYTES);
    const bytes = this.serialize();
    out.set(bytes.subarray(0, CACHE_SIZE_AT));
    out.fill(0, CACHE_SIZE_AT, SPONGE_FIELDS * FIELD_BYTES);
    out.set(bytes.subarray(CACHE_SIZE_AT, SQUEEZED_AT), CACHE_SIZE_AT + FIELD_BYTES - 4);
    out.set(bytes.subarray(SQUEEZED_AT, ABSORBED_AT), CACHE_SIZE_AT + 2 * FIELD_BYTES - 1);
    out.set(bytes.subarray(ABSORBED_AT), CACHE_SIZE_AT + 3 * FIELD_BYTES - 4);
  }

  dispose(): void {
    this.#state = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A sponge of a class, without what the class's constructor does. */
function bare(engine: SpongeEngine, type: Function, state?: Uint8Array): EngineSponge {
  return Reflect.construct(EngineSponge, [engine, state], type) as EngineSponge;
}

/** The classes over an engine, which is asked for when a sponge is made. */
export function spongeConstructors<M extends Mode>(
  engineOf: () => SpongeEngine,
  mode: M,
): { Sponge: SpongeConstructor<M>; SpongeBlob: SpongeBlobConstructor<M> } {
  const restored = (type: Function, bytes: Uint8Array, maxFields: number): Maybe<EngineSponge> => {
    const { length } = bytesArgument(bytes, 'bytes');
    if (length !== SPONGE_BYTES) {
      throw new SpiculeError('WRONG_LENGTH', { limit: SPONGE_BYTES }, `a sponge of ${length} bytes`);
    }
    const engine = engineOf();
    const state = new Uint8Array(engine.stateBytes);
    return then(engine.deserialize(state, bytes, maxFields), () => bare(engine, type, state));
  };

  class Sponge extends EngineSponge {
    constructor(iv: Field) {
      const bytes = flatten([fieldArgument(iv, 'iv')], 'iv');
      super(engineOf());
      this.engine.init(this.begin(), bytes);
    }

    static deserialize(bytes: Uint8Array): Maybe<EngineSponge> {
      return restored(this, bytes, 0);
    }
  }

  class SpongeBlob extends EngineSponge {
    constructor(maxFields: number = SPONGE_BLOB_MAX_FIELDS) {
      const most = maxFieldsArgument(maxFields);
      super(engineOf());
      this.engine.initBlob(this.begin(), most);
    }

    static deserialize(
      bytes: Uint8Array,
      maxFields: number = SPONGE_BLOB_MAX_FIELDS,
    ): Maybe<EngineSponge> {
      return restored(this, bytes, maxFieldsArgument(maxFields));
    }
  }

  if (mode === 'async') {
    for (const type of [Sponge, SpongeBlob]) {
      promising(type as { deserialize: unknown }, ['deserialize']);
      promising(type.prototype, ['absorb', 'squeeze', 'squeezeInto']);
    }
  }
  return { Sponge, SpongeBlob } as unknown as ReturnType<typeof spongeConstructors<M>>;
}

function maxFieldsArgument(value: number): number {
  const most = u32Argument(value, 'maxFields');
  if (most === 0) throw new SpiculeError('INVALID_ARGUMENT', {}, 'maxFields 0');
  return most;
}
