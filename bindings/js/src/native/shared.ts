import { Socket } from 'node:net';

import type { Bytes } from '../core/bytes.js';
import { SpiculeError, errorOf } from '../core/error.js';
import type { Maybe } from '../core/flow.js';
import type { Connection } from '../core/remote.js';
import { type Addon, type AsyncClient, type SyncClient, addonError } from './addon.js';
import { PendingCalls, type Result } from './calls.js';

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

/** How many calls in a row may be answered at once before the event loop gets a turn. */
const MOST_AT_ONCE = 256;

/**
 * The dispatcher of a server, through shared memory, by promises. A call that is alone waits for its
 * response for some microseconds, as long as that has lately been worth it; otherwise the server
 * wakes the event loop by a byte on the socket.
 */
export class SharedAsync implements Connection {
  readonly #client: AsyncClient;
  readonly #timeout: number;
  readonly #ended: () => Promise<void>;
  readonly #socket: Socket;
  readonly #pending: PendingCalls;
  /** The result that is arriving, where its header has come. */
  #arriving: Result | undefined;
  /** The next thing to do comes with a byte on the socket. */
  #armed = false;
  #atOnce = 0;
  /** Why no more calls are possible. */
  #end: SpiculeError | undefined;

  constructor(addon: Addon, { path, fd, ringBytes, patience, timeout, ended }: Place) {
    this.#client = translated(() => new addon.AsyncClient(path, fd, ringBytes, patience));
    this.#timeout = timeout;
    this.#ended = ended;
    this.#socket = new Socket({ fd: translated(() => this.#client.socket()) });
    this.#socket.on('data', () => {
      this.#armed = false;
      this.#turn();
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#gone());
    this.#pending = new PendingCalls(this.#socket);
  }

  async call(op: number, request: Uint8Array, out: Uint8Array): Promise<number> {
    return (await this.#request(op, request, out)).length;
  }

  async answer(op: number, request: Uint8Array): Promise<Bytes> {
    return (await this.#request(op, request, undefined)).bytes;
  }

  async #request(op: number, request: Uint8Array, out: Uint8Array | undefined): Promise<Result> {
    if (this.#end !== undefined) throw this.#end;
    const alone = this.#pending.first === undefined;
    const queued = translated(() => this.#client.send(op, request, out?.length ?? Infinity));
    const result = this.#pending.add(0, out, this.#timeout);
    if (alone && ++this.#atOnce > MOST_AT_ONCE) setImmediate(() => this.#turn());
    else if (alone) this.#work(true);
    else if (queued || !this.#armed) this.#work(false);
    return result;
  }

  close(): Maybe<void> {
    this.#finish(new SpiculeError('DISCONNECTED', {}, 'closed'));
    return this.#ended();
  }

  /** The event loop has had a turn. */
  #turn(): void {
    this.#atOnce = 0;
    this.#work(false);
  }

  /** Does what there is to do, and arms for the rest. */
  #work(alone: boolean): void {
    if (this.#end !== undefined) return;
    try {
      if (alone) this.#client.spin();
      do {
        this.#take();
        if (this.#pending.first === undefined) return;
        this.#armed = this.#client.arm();
      } while (!this.#armed);
    } catch (error) {
      this.#finish(addonError(error) as SpiculeError);
    }
  }

  /** Takes the responses that have come. */
  #take(): void {
    for (;;) {
      const pending = this.#pending.first;
      if (this.#arriving === undefined) {
        const next = this.#client.next();
        if (next === undefined) return;
        if (pending === undefined) throw new SpiculeError('BAD_FRAME');
        if (typeof next === 'object') {
          this.#pending.settle(errorOf(next));
          continue;
        }
        this.#arriving = { length: next, bytes: pending.out ?? new Uint8Array(next) };
      }
      // The memory of a call that has been rejected is its caller's again.
      const whole = this.#client.body(pending?.late ? undefined : this.#arriving.bytes);
      if (!whole) return;
      const result = this.#arriving;
      this.#arriving = undefined;
      this.#pending.settle(result);
    }
  }

  /** The server has gone; what it put before still counts. */
  #gone(): void {
    this.#work(false);
    this.#finish(new SpiculeError('DISCONNECTED'));
  }

  /** Rejects what is pending and every later call. */
  #finish(reason: SpiculeError): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#client.close();
    this.#socket.destroy();
    this.#pending.rejectAll(reason);
  }
}
