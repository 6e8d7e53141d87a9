import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, statSync } from 'node:fs';
import { type Socket, connect } from 'node:net';

import { wrongType } from '../core/bytes.js';
import { SpiculeError, addStatuses } from '../core/error.js';
import { type OptionKinds, checkedOptions } from '../core/options.js';
import { SSZ_STATUSES, TRANSPORT_STATUSES } from '../generated/status.js';
import { type Addon, findNative } from './addon.js';
import { COUNTERS } from './frames.js';
import { PATIENCE, SocketConnection } from './socket.js';

/** Exit code of spiculed when another server listens at the path. */
const EXIT_IN_USE = 3;

/** Room for the text of the counters. */
const COUNTERS_BYTES = 16384;

/** A server process, with a socket that it has as descriptor 3. */
function launch(args: readonly string[], socket: 'pipe' | number, errors: 'inherit' | 'pipe') {
  const program = findNative('spiculed');
  const child = spawn(program, [...args, '--connection', '3'], {
    stdio: ['ignore', 'ignore', errors, socket],
  });
  // Reported below, or by the connection that does not come about.
  child.on('error', () => {});
  if (child.pid === undefined) throw new SpiculeError('UNAVAILABLE', {}, `${program} does not start`);
  child.unref();
  return child;
}

/** Resolves when the process has ended. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.ref();
    child.once('exit', () => resolve());
  });
}

/** The end of a connection that stands for the life of a server of our own. */
export interface OwnServer<End> {
  readonly end: End;
  /** Resolves when the server, whose last connection is closed, has ended. */
  readonly ended: () => Promise<void>;
}

/** Starts a server for one connection, with which it ends; gives our end as a descriptor. */
export function launchForDescriptor(addon: Addon): OwnServer<number> {
  const [ours, theirs] = addon.socketPair();
  try {
    const child = launch([], theirs, 'inherit');
    return { end: ours, ended: () => ended(child) };
  } catch (error) {
    closeSync(ours);
    throw error;
  } finally {
    closeSync(theirs);
  }
}

/** The same, with our end as a socket of Node.js. */
export function launchForSocket(): OwnServer<Socket> {
  const child = launch([], 'pipe', 'inherit');
  return { end: child.stdio[3] as Socket, ended: () => ended(child) };
}

/** A socket that is connected to the server at `path`. */
export async function connectTo(path: string): Promise<Socket> {
  checkOwner(path);
  const socket = connect(path);
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (cause) => reject(unreachable(path, cause)));
  });
}

function unreachable(path: string, cause: unknown): SpiculeError {
  return new SpiculeError('UNREACHABLE', { cause }, path);
}

/** Results are taken from a server of this user or of root only. */
function checkOwner(path: string): void {
  let owner: number;
  try {
    owner = statSync(path).uid;
  } catch (cause) {
    throw unreachable(path, cause);
  }
  if (owner !== 0 && owner !== process.geteuid?.()) throw new SpiculeError('PEER_REFUSED', {}, path);
}

/** How a server is started. Sizes are in bytes; what is left out is as `spiculed --help` says. */
export interface ServerOptions {
  /** Where its socket is to be. */
  readonly path: string;
  /** Clients at the same time. */
  readonly maxClients?: number | undefined;
  readonly maxRequest?: number | undefined;
  readonly maxResponse?: number | undefined;
  /** Work memory of one client. */
  readonly maxMemory?: number | undefined;
  /** Goes on when this process ends; otherwise the server ends with it. */
  readonly detached?: boolean | undefined;
}

/** What a server has counted. */
export interface ServerCounters {
  /** Connections now, and since the start; that of the `Server` object is one of them. */
  readonly clients: number;
  readonly clients_total: number;
  readonly calls: number;
  readonly request_bytes: number;
  readonly response_bytes: number;
  /** How often each error happened, by its code. */
  readonly errors: Readonly<Record<string, number>>;
}

/** A running server. */
export interface Server {
  readonly path: string;
  readonly pid: number;
  counters(): Promise<ServerCounters>;
  /** Lets calls in progress end, removes the socket, and gives the exit code. */
  stop(): Promise<number>;
  /** As `stop`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const SERVER_KINDS: OptionKinds<ServerOptions> = {
  path: 'string', maxClients: 'number', maxRequest: 'number', maxResponse: 'number',
  maxMemory: 'number', detached: 'boolean',
};

function serverArguments(options: ServerOptions): string[] {
  if (typeof options?.path !== 'string') throw wrongType('path', 'a string', options?.path);
  const { path, maxClients, maxRequest, maxResponse, maxMemory, detached } =
    checkedOptions(options, SERVER_KINDS);
  const numbers = { maxClients, maxRequest, maxResponse, maxMemory };
  const args = ['--socket', path, ...(detached ? [] : ['--exit-with-parent'])];
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined) continue;
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    args.push(`--${option}`, String(value));
  }
  return args;
}

/** Waits for the end of a server that did not start, and says why it did not. */
async function startFailure(child: ChildProcess, closed: Promise<unknown>, said: () => string) {
  child.ref();
  (child.stderr as Socket).ref();
  await closed;
  const status = child.exitCode === EXIT_IN_USE ? 'ADDRESS_IN_USE' : 'SYSTEM_FAILURE';
  return new SpiculeError(status, {}, said().trim());
}

/** Makes all statuses known: servers and the addon give any. */
export function knowStatuses(): void {
  addStatuses(SSZ_STATUSES);
  addStatuses(TRANSPORT_STATUSES);
}

/**
 * Starts a server for any number of clients of this user, which attach by its path. `ADDRESS_IN_USE`
 * when another server listens there; `SYSTEM_FAILURE` with the reason in the message.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  knowStatuses();
  const child = launch(serverArguments(options), 'pipe', 'pipe');
  const closed = once(child, 'close');
  let starting = true;
  let text = '';
  (child.stderr as Socket).unref().on('data', (chunk) => {
    if (starting) text += chunk;
    else process.stderr.write(chunk);
  });
  const socket = child.stdio[3] as Socket;
  const control = await SocketConnection.over(socket, PATIENCE).catch(async () => {
    throw await startFailure(child, closed, () => text);
  });
  starting = false;
  const server: Server = {
    path: options.path,
    pid: child.pid as number,
    async counters() {
      const out = Buffer.alloc(COUNTERS_BYTES);
      const length = await control.call(COUNTERS, new Uint8Array(0), out);
      return JSON.parse(out.toString('latin1', 0, length)) as ServerCounters;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended(child);
      control.close();
      return child.exitCode ?? 1;
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
    },
  };
  return server;
}
