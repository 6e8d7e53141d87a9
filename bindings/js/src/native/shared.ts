import type { Bytes } from '../core/bytes.js';
import type { Maybe } from '../core/flow.js';
import type { Connection } from '../core/remote.js';
import { type Addon, type AsyncClient, type SyncClient, addonError } from './addon.js';

/** What `run` gives, with errors of the addon as this package throws them. */
function translated<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw addonError(error);
  }
}

/** Where a server is, and how long to wait for it. */
export interface Place {
  readonly path: string | undefined;
  /** A connected socket, or -1. */
  readonly fd: number;
  readonly ringBytes: number;
  /** Milliseconds for connecting. */
  readonly patience: number;
  /** Milliseconds for each call. */
  readonly timeout: number;
  /** Resolves when a server that was started for this connection has ended. */
  readonly ended: () => Promise<void>;
}

/** The dispatcher behind a client of the addon that blocks, or in this process. */
export class Blocking implements Connection {
  readonly #client: SyncClient;
  readonly #timeout: number;

  private constructor(client: SyncClient, timeout: number) {
    this.#client = client;
    this.#timeout = timeout;
  }

  static inProcess(addon: Addon): Blocking {
    return new Blocking(translated(() => new addon.Context()), Infinity);
  }

  /** Through shared memory. */
  static shared(addon: Addon, { path, fd, ringBytes, patience, timeout }: Place): Blocking {
    const client = translated(() => new addon.SyncClient(path, fd, ringBytes, patience));
    return new Blocking(client, timeout);
  }

  call(op: number, request: Uint8Array, out: Uint8Array): number {
    return translated(() => this.#client.callInto(op, request, out, this.#timeout));
  }

  answer(op: number, request: Uint8Array): Bytes {
    return translated(() => this.#client.call(op, request, this.#timeout));
  }

  close(): void {
    this.#client.close();
  }
}

/** The dispatcher of a server, through shared memory, by promises. */
export class SharedAsync implements Connection {
  readonly #client: AsyncClient;
  readonly #timeout: number;
  readonly #ended: () => Promise<void>;

  constructor(addon: Addon, { path, fd, ringBytes, patience, timeout, ended }: Place) {
    this.#client = translated(() => new addon.AsyncClient(path, fd, ringBytes, patience));
    this.#timeout = timeout;
    this.#ended = ended;
  }

  async call(op: number, request: Uint8Array, out: Uint8Array): Promise<number> {
    const response = await this.#response(op, request, out.length);
    out.set(response);
    return response.length;
  }

  answer(op: number, request: Uint8Array): Promise<Bytes> {
    return this.#response(op, request, Infinity);
  }

  async #response(op: number, request: Uint8Array, room: number): Promise<Bytes> {
    try {
      return await this.#client.call(op, request, room, this.#timeout);
    } catch (error) {
      throw addonError(error);
    }
  }

  close(): Maybe<void> {
    this.#client.close();
    return this.#ended();
  }
}
