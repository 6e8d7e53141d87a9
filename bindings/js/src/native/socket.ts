import type { Socket } from 'node:net';

import type { Bytes } from '../core/bytes.js';
import { SpiculeError, errorOf } from '../core/error.js';
import type { Connection } from '../core/remote.js';
import { PendingCalls, type Result } from './calls.js';
import {
  GREETING_BYTES,
  HEADER_BYTES,
  RECORD_MAX_BYTES,
  type ResponseHeader,
  decodeRecord,
  decodeResponse,
  encodeRequest,
} from './frames.js';

/** How long a server may take to start and to greet, in milliseconds. */
export const PATIENCE = 10_000;

/** The longest response that is taken, whatever the server says. */
const MAX_RESPONSE = 2 ** 32;

/** The response that is arriving. */
interface Arriving {
  readonly header: ResponseHeader;
  /** Where its body goes; undefined where it is dropped. */
  readonly target: Bytes | undefined;
  filled: number;
}

/**
 * The dispatcher of a server, over a socket. A result goes straight into the caller's memory, which
 * the request has told the server the size of, or into new memory of at most what the server said
 * that responses can have.
 */
export class SocketConnection implements Connection {
  readonly #socket: Socket;
  readonly #timeout: number;
  readonly #pending: PendingCalls;
  #maxRequest = Infinity;
  #maxResponse = GREETING_BYTES;
  #lastId = 0;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFilled = 0;
  #arriving: Arriving | undefined;
  /** Why no more calls are possible. */
  #end: SpiculeError | undefined;

  private constructor(socket: Socket, timeout: number) {
    this.#socket = socket;
    this.#timeout = timeout;
    this.#pending = new PendingCalls(socket);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (cause) => this.#finish(new SpiculeError('DISCONNECTED', { cause })));
    socket.on('close', () => this.#finish(new SpiculeError('DISCONNECTED')));
  }

  /** Waits for the greeting of the server on a socket that is connected. */
  static async over(socket: Socket, timeout: number): Promise<SocketConnection> {
    const connection = new SocketConnection(socket, timeout);
    const limits = Buffer.alloc(GREETING_BYTES);
    try {
      const { length } = await connection.#pending.add(0, limits, PATIENCE);
      if (length !== GREETING_BYTES) throw new SpiculeError('BAD_FRAME');
    } catch (error) {
      socket.destroy();
      throw error;
    }
    connection.#pending.forgetTimer();
    connection.#maxRequest = Number(limits.readBigUInt64LE(0));
    connection.#maxResponse = Math.min(Number(limits.readBigUInt64LE(8)), MAX_RESPONSE);
    return connection;
  }

  async call(op: number, request: Uint8Array, out: Uint8Array): Promise<number> {
    return (await this.#request(op, request, out)).length;
  }

  async answer(op: number, request: Uint8Array): Promise<Bytes> {
    return (await this.#request(op, request, undefined)).bytes;
  }

  async #request(op: number, request: Uint8Array, out: Uint8Array | undefined): Promise<Result> {
    if (this.#end !== undefined) throw this.#end;
    if (request.length > this.#maxRequest) {
      throw new SpiculeError('SIZE_LIMIT', { limit: this.#maxRequest });
    }
    this.#lastId = this.#lastId === 0xffffffff ? 1 : this.#lastId + 1;
    this.#socket.write(encodeRequest(op, this.#lastId, request, out?.length ?? MAX_RESPONSE));
    return this.#pending.add(this.#lastId, out, this.#timeout);
  }

  close(): void {
    this.#finish(new SpiculeError('DISCONNECTED', {}, 'closed'));
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    try {
      for (let at = 0; at < chunk.length && this.#end === undefined; ) at = this.#consume(chunk, at);
    } catch (error) {
      this.#finish(error as SpiculeError);
      this.#socket.destroy();
    }
  }

  /** Takes in what belongs to the header or the body that is arriving; gives where that ends. */
  #consume(chunk: Buffer, at: number): number {
    if (this.#arriving === undefined) {
      const end = Math.min(chunk.length, at + HEADER_BYTES - this.#headerFilled);
      chunk.copy(this.#header, this.#headerFilled, at, end);
      this.#headerFilled += end - at;
      if (this.#headerFilled < HEADER_BYTES) return end;
      this.#headerFilled = 0;
      this.#begin(decodeResponse(this.#header));
      return end;
    }
    const { header, target } = this.#arriving;
    const end = Math.min(chunk.length, at + header.length - this.#arriving.filled);
    // The memory of a call that has been rejected is its caller's again.
    const late = header.status === 0 && this.#pending.first?.late;
    if (!late) target?.set(chunk.subarray(at, end), this.#arriving.filled);
    this.#arriving.filled += end - at;
    this.#completed(this.#arriving);
    return end;
  }

  #begin(header: ResponseHeader): void {
    const pending = this.#pending.first;
    // An error with id 0 answers no call, but is the last word of the server.
    if (header.id !== pending?.id && (header.id !== 0 || header.status === 0)) {
      throw new SpiculeError('BAD_FRAME');
    }
    let target: Bytes | undefined;
    if (header.status !== 0) {
      if (header.length > RECORD_MAX_BYTES) throw new SpiculeError('BAD_FRAME');
      target = Buffer.alloc(header.length);
    } else if (pending?.late === false) {
      if (header.length > (pending.out?.length ?? this.#maxResponse)) {
        throw new SpiculeError('BAD_FRAME');
      }
      target = pending.out ?? new Uint8Array(header.length);
    }
    this.#arriving = { header, target, filled: 0 };
    this.#completed(this.#arriving);
  }

  #completed({ header, target, filled }: Arriving): void {
    if (filled < header.length) return;
    this.#arriving = undefined;
    const outcome =
      header.status === 0
        ? { length: header.length, bytes: target as Bytes }
        : errorOf(decodeRecord(header.status, target as Buffer));
    this.#pending.settle(outcome);
    if (header.id === 0 && outcome instanceof SpiculeError) this.#finish(outcome);
  }

  /** Rejects what is pending and every later call. */
  #finish(reason: SpiculeError): void {
    this.#end ??= reason;
    this.#pending.rejectAll(this.#end);
  }
}
