import { sha2Operations } from '../sha2/operations.js';
import { CallSha2 } from '../sha2/engines.js';
import { CallSponge } from '../sponge/engines.js';
import { spongeOperations } from '../sponge/operations.js';
import type { AsyncBackend, Backend, SyncBackend } from './backend.js';
import type { Bytes } from './bytes.js';
import { SpiculeError } from './error.js';
import type { Maybe, Mode } from './flow.js';
import { type Transport, callArguments, callForBytes } from './transport.js';

/** A transport to something that has to be let go. */
export interface Connection extends Transport {
  close(): Maybe<void>;
}

/** A connection that refuses to work once it was closed. */
class Guarded implements Connection {
  #connection: Connection | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  #open(): Connection {
    if (this.#connection === undefined) throw new SpiculeError('INVALID_STATE', {}, 'disposed');
    return this.#connection;
  }

  call(op: number, request: Uint8Array, out: Uint8Array): Maybe<number> {
    return this.#open().call(op, request, out);
  }

  /** The response of an operation, of any length. */
  bytes(op: number, request: Uint8Array): Maybe<Bytes> {
    return callForBytes(this.#open(), op, request);
  }

  close(): Maybe<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    return connection?.close();
  }
}

function operationsOver<M extends Mode>(kind: string, connection: Guarded, mode: M) {
  return {
    kind,
    sponge: spongeOperations(new CallSponge(connection), mode),
    sha2: sha2Operations(new CallSha2(connection), mode),
  } satisfies Partial<Backend<M>>;
}

/** Every operation over a connection that answers at once. */
export function syncBackend(kind: string, connection: Connection): SyncBackend {
  const guarded = new Guarded(connection);
  return {
    ...operationsOver(kind, guarded, 'sync'),
    call(op, request) {
      callArguments(op, request);
      return guarded.bytes(op, request) as Bytes;
    },
    dispose: () => guarded.close() as void,
    [Symbol.dispose]: () => guarded.close() as void,
  };
}

/** Every operation over a connection that answers by promises. */
export function asyncBackend(kind: string, connection: Connection): AsyncBackend {
  const guarded = new Guarded(connection);
  return {
    ...operationsOver(kind, guarded, 'async'),
    async call(op, request) {
      callArguments(op, request);
      return guarded.bytes(op, request);
    },
    dispose: async () => guarded.close(),
    [Symbol.asyncDispose]: async () => guarded.close(),
  };
}
