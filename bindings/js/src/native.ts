/**
 * The core natively, for Node.js: the same operations, bytes and errors as in WebAssembly. The
 * native part is an optional package for each platform, such as `spicule-linux-x64`.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { wrongType } from './core/bytes.js';
import type { SyncBackend } from './core/backend.js';
import { type ErrorRecord, SpiculeError, errorOf } from './core/error.js';
import { type Connection, syncBackend } from './core/remote.js';
import { VERSION } from './generated/version.js';

export type { AsyncBackend, Backend, SyncBackend } from './core/backend.js';
export type { Bytes } from './core/bytes.js';
export { SpiculeError, type ErrorCode } from './core/error.js';
export type { Mode, Result } from './core/flow.js';
export { OPERATIONS } from './generated/operations.js';
export type { Sha2Operations } from './sha2/types.js';
export type { SpongeOperations } from './sponge/types.js';

/** What is thrown by the addon has the members of an ErrorRecord, or is a TypeError. */
interface Addon {
  readonly version: string;
  /** Writes the response to the start of `out`, which may overlap the request; gives its length. */
  callInto(op: number, request: Uint8Array, out: Uint8Array): number;
}

/** The core in this process, through the addon: no transport at all. */
export interface NativeOptions {
  readonly kind: 'native';
}

/** Makes a back end. `UNAVAILABLE` where the native part of the package is missing. */
export async function createBackend(options: NativeOptions): Promise<SyncBackend> {
  if (options?.kind !== 'native') throw wrongType('kind', "'native'", options?.kind);
  return syncBackend('native', new InProcess(loadAddon()));
}

class InProcess implements Connection {
  readonly #addon: Addon;

  constructor(addon: Addon) {
    this.#addon = addon;
  }

  call(op: number, request: Uint8Array, out: Uint8Array): number {
    try {
      return this.#addon.callInto(op, request, out);
    } catch (error) {
      const { status } = error as Partial<ErrorRecord>;
      throw status === undefined ? error : errorOf(error as ErrorRecord);
    }
  }

  close(): void {}
}

function loadAddon(): Addon {
  const require = createRequire(import.meta.url);
  const path = findAddon(require);
  let addon: Addon;
  try {
    addon = require(path) as Addon;
  } catch (cause) {
    throw new SpiculeError('UNAVAILABLE', { cause }, `${path} does not load`);
  }
  if (addon.version === VERSION) return addon;
  const versions = `${path} is version ${addon.version}, and spicule ${VERSION}`;
  throw new SpiculeError('UNAVAILABLE', {}, versions);
}

/** The optional package of this platform, or what a checkout of the repository has built. */
function findAddon(require: NodeJS.Require): string {
  const name = `spicule-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/spicule.node`);
  } catch {
    const built = new URL('../build/release/native/spicule.node', import.meta.url);
    if (existsSync(built)) return fileURLToPath(built);
    const advice = `spicule/native needs the package ${name}; \`npm run build\` makes it in a checkout`;
    throw new SpiculeError('UNAVAILABLE', {}, advice);
  }
}
