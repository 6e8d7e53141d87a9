import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import type { Bytes } from '../core/bytes.js';
import { type ErrorRecord, SpiculeError, errorOf } from '../core/error.js';
import { VERSION } from '../generated/version.js';

/**
 * The Node-API addon. What it throws, or rejects with, has the members of an ErrorRecord, or is a
 * TypeError. Timeouts are milliseconds.
 */
export interface Addon {
  readonly version: string;
  /** The core in this process. */
  readonly Context: new () => SyncClient;
  /** The descriptors of two connected sockets. */
  socketPair(): [number, number];
  readonly SyncClient: ClientConstructor<SyncClient>;
  readonly AsyncClient: ClientConstructor<AsyncClient>;
}

/** Connects to the socket at `path`, or takes over the connected socket `fd` where it is not -1. */
type ClientConstructor<Client> = new (
  path: string | undefined,
  fd: number,
  ringBytes: number,
  timeout: number,
) => Client;

/** Blocks until the answer is there; a Context has no use for the timeout. */
export interface SyncClient {
  call(op: number, request: Uint8Array, timeout: number): Bytes;
  /** Writes the response to the start of `out`, which may overlap the request; gives its length. */
  callInto(op: number, request: Uint8Array, out: Uint8Array, timeout: number): number;
  close(): void;
}

/** Never blocks, except to spin. Responses come in the order of the requests. */
export interface AsyncClient {
  /** A descriptor of the socket to the server, for the caller to close. */
  socket(): number;
  /**
   * The request has been read when this returns; gives whether some of it is still to be put. The
   * response may have `room` bytes.
   */
  send(op: number, request: Uint8Array, room: number): boolean;
  /** The length of the result, or the error, that comes next; undefined while it has not come. */
  next(): number | ErrorRecord | undefined;
  /** Goes on to take the result, or drops it; gives whether it is whole. */
  body(out: Uint8Array | undefined): boolean;
  /** Waits for a response for as long as that makes sense without sleeping. */
  spin(): boolean;
  /** False where there is something to do; else the server sends a byte when there is. */
  arm(): boolean;
  close(): void;
}

/** What the addon threw, as this package throws it. */
export function addonError(error: unknown): unknown {
  const { status } = error as Partial<ErrorRecord>;
  return status === undefined ? error : errorOf(error as ErrorRecord);
}

/** The package of the native part for this platform. */
export const NATIVE_PACKAGE = `spicule-${process.platform}-${process.arch}`;

/** A file of the native part: from its package, or what a checkout of the repository has built. */
export function findNative(file: string): string {
  try {
    return createRequire(import.meta.url).resolve(`${NATIVE_PACKAGE}/${file}`);
  } catch {
    const built = new URL(`../../build/release/native/${file}`, import.meta.url);
    if (existsSync(built)) return fileURLToPath(built);
    const advice = `spicule/native needs the package ${NATIVE_PACKAGE}, version ${VERSION}; in a checkout \`npm run build\` builds it, and \`npm run pack:native\` packs it`;
    throw new SpiculeError('UNAVAILABLE', {}, advice);
  }
}

export function loadAddon(): Addon {
  const path = findNative('spicule.node');
  let addon: Addon;
  try {
    addon = createRequire(import.meta.url)(path) as Addon;
  } catch (cause) {
    throw new SpiculeError('UNAVAILABLE', { cause }, `${path} does not load`);
  }
  if (addon.version === VERSION) return addon;
  const versions = `${path} is version ${addon.version}, and spicule ${VERSION}`;
  throw new SpiculeError('UNAVAILABLE', {}, versions);
}
