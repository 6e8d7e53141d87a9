/**
 * The core natively, for Node.js: the same operations, bytes and errors as in WebAssembly, in this
 * process or in a server, which is reached over a Unix socket or shared memory. The native part is
 * an optional package for each platform, such as `spicule-linux-x64`.
 *
 * @module
 */
import type { AsyncBackend, SyncBackend } from './core/backend.js';
import { wrongType } from './core/bytes.js';
import { type OptionKinds, checkedOptions } from './core/options.js';
import { asyncBackend, syncBackend } from './core/remote.js';
import { type Addon, loadAddon } from './native/addon.js';
import { connectTo, knowStatuses, launchForDescriptor, launchForSocket } from './native/server.js';
import { Blocking, type Place, SharedAsync } from './native/shared.js';
import { PATIENCE, SocketConnection } from './native/socket.js';

export type { AsyncBackend, Backend, SyncBackend } from './core/backend.js';
export type { Bytes } from './core/bytes.js';
export { SpiculeError, type ErrorCode } from './core/error.js';
export type { Mode, Result } from './core/flow.js';
export { OPERATIONS } from './generated/operations.js';
export { startServer, type Server, type ServerCounters, type ServerOptions } from './native/server.js';
export type { Sha2Operations } from './sha2/types.js';
export type { SpongeOperations } from './sponge/types.js';

/** The core in this process, through the addon: no transport at all. */
export interface NativeOptions {
  readonly kind: 'native';
}

/** What all back ends that use a server share. */
export interface RemoteOptions {
  /**
   * The path of the socket of a running server. Left out, a server of its own is started, which
   * ends with the back end, or with this process.
   */
  readonly path?: string | undefined;
  /** Milliseconds after which a call is a `DEADLINE` error: 60 000, or Infinity for never. */
  readonly timeout?: number | undefined;
}

/** A server through shared memory: `shm-sync` blocks this thread, `shm-async` gives promises. */
export interface SharedMemoryOptions<Kind extends 'shm-sync' | 'shm-async'> extends RemoteOptions {
  readonly kind: Kind;
  /** The size of the ring each way: a power of two from 4 KiB, by default 256 KiB. */
  readonly ringBytes?: number | undefined;
}

/** A server over a Unix socket. */
export interface SocketOptions extends RemoteOptions {
  readonly kind: 'uds';
}

export type BackendOptions =
  | NativeOptions
  | SharedMemoryOptions<'shm-sync'>
  | SharedMemoryOptions<'shm-async'>
  | SocketOptions;

const DEFAULT_TIMEOUT = 60_000;
const DEFAULT_RING_BYTES = 2 ** 18;

/**
 * Makes a back end. `UNAVAILABLE` where the native part of the package is missing; `UNREACHABLE`,
 * `PEER_REFUSED` (it belongs to another user) and `TOO_MANY_CLIENTS` where a server is not to be
 * had. A server that dies is a `DISCONNECTED` error of every call.
 */
export async function createBackend(
  options: NativeOptions | SharedMemoryOptions<'shm-sync'>,
): Promise<SyncBackend>;
export async function createBackend(
  options: SharedMemoryOptions<'shm-async'> | SocketOptions,
): Promise<AsyncBackend>;
export async function createBackend(options: BackendOptions): Promise<SyncBackend | AsyncBackend> {
  knowStatuses();
  switch (options?.kind) {
    case 'native':
      checkedOptions(options, { kind: 'any' });
      return syncBackend('native', Blocking.inProcess(loadAddon()));
    case 'shm-sync':
      return syncBackend('shm-sync', Blocking.shared(...shared(options)));
    case 'shm-async':
      return asyncBackend('shm-async', new SharedAsync(...shared(options)));
    case 'uds':
      return socketBackend(options);
    default: {
      const { kind } = (options ?? {}) as { kind?: unknown };
      throw wrongType('kind', "'native', 'shm-sync', 'shm-async' or 'uds'", kind);
    }
  }
}

const REMOTE_KINDS: OptionKinds<SocketOptions> = { kind: 'any', path: 'string', timeout: 'number' };
const SHARED_KINDS = { ...REMOTE_KINDS, ringBytes: 'number' } as const;

/** The addon, and where the server is that these options name, which may have to be started first. */
function shared(options: SharedMemoryOptions<'shm-sync' | 'shm-async'>): [Addon, Place] {
  const { path, timeout = DEFAULT_TIMEOUT, ringBytes = DEFAULT_RING_BYTES } =
    checkedOptions<SharedMemoryOptions<'shm-sync' | 'shm-async'>>(options, SHARED_KINDS);
  const addon = loadAddon();
  if (path !== undefined) {
    return [addon, { path, fd: -1, ringBytes, patience: 0, timeout, ended: async () => {} }];
  }
  const { end, ended } = launchForDescriptor(addon);
  return [addon, { path, fd: end, ringBytes, patience: PATIENCE, timeout, ended }];
}

async function socketBackend(options: SocketOptions): Promise<AsyncBackend> {
  const { path, timeout = DEFAULT_TIMEOUT } = checkedOptions(options, REMOTE_KINDS);
  if (path !== undefined) {
    return asyncBackend('uds', await SocketConnection.over(await connectTo(path), timeout));
  }
  const { end, ended } = launchForSocket();
  const connection = await SocketConnection.over(end, timeout);
  return asyncBackend('uds', {
    call: (op, request, out) => connection.call(op, request, out),
    answer: (op, request) => connection.answer(op, request),
    close() {
      connection.close();
      return ended();
    },
  });
}
