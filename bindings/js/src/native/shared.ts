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

/** The dispatcher in this process. */
export class InProcess implements Connection {
  readonly #addon: Addon;

  constructor(addon: Addon) {
    this.#addon = addon;
  }

  call(op: number, request: Uint8Array, out: Uint8Array): number {
    return translated(() => this.#addon.callInto(op, request, out));
  }

  close(): void {}
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

/** The dispatcher of a server, through shared memory; a call blocks until its response is there. */
export class SharedSync implements Connection {
  readonly #client: SyncClient;
  readonly #timeout: number;

  constructor(addon: Addon, { path, fd, ringBytes, patience, timeout }: Place) {
    this.#client = translated(() => new addon.SyncClient(path, fd, ringBytes, patience));
    this.#timeout = timeout;
  }

  call(op: number, request: Uint8Array, out: Uint8Array): number {
    return translated(() => this.#client.callInto(op, request, out, this.#timeout));
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
    try {
      const response = await this.#client.call(op, request, out.length, this.#timeout);
      out.set(response);
      return response.length;
    } catch (error) {
      throw addonError(error);
    }
  }

  close(): Maybe<void> {
    this.#client.close();
    return this.#ended();
  }
}
