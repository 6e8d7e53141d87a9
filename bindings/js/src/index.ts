/**
 * Spicule: encode, decode and hash chain data. This entry loads and makes instances of everything;
 * the entries of the jobs (`spicule/sponge`, `spicule/ssz`, `spicule/sha2`) have their functions, and
 * bring only their own module into a bundle.
 *
 * @module
 */
import type { SyncBackend } from './core/backend.js';
import { MEMORY_KINDS, type WasmModule, checkedOptions } from './core/options.js';
import { OPERATIONS } from './generated/operations.js';
import * as sha2 from './sha2.js';
import * as sponge from './sponge.js';
import * as ssz from './ssz.js';

export type { AsyncBackend, Backend, ModuleInstance, SyncBackend } from './core/backend.js';
export type { Bytes } from './core/bytes.js';
export { SpiculeError, type ErrorCode, type ErrorDetails } from './core/error.js';
export type { Mode, Result } from './core/flow.js';
export type { Sha2Operations } from './sha2/types.js';
export type { SpongeOperations } from './sponge/types.js';
export type { InstanceOptions, Variant, WasmModule } from './core/options.js';
export { supports } from './core/variants.js';
export { OPERATIONS };
export { VERSION } from './generated/version.js';

/** The jobs of this package on Wasm modules of their own. */
export interface Instance extends SyncBackend {
  readonly kind: 'wasm';
  readonly sponge: sponge.SpongeInstance;
  readonly sha2: sha2.Sha2Instance;
  readonly ssz: ssz.SszInstance;
}

/** Compiled modules by job, for platforms that forbid compiling Wasm from bytes. */
export interface Modules {
  /** The compiled `spicule/wasm/sponge-*.wasm`. */
  readonly sponge?: WasmModule | undefined;
  /** The compiled `spicule/wasm/sha2-*.wasm`. */
  readonly sha2?: WasmModule | undefined;
  /** The compiled `spicule/wasm/ssz-*.wasm`. */
  readonly ssz?: WasmModule | undefined;
}

/**
 * Loads the default instances of all jobs, on which the functions of their entries run. Calls that
 * overlap, and later ones, give the same ones.
 */
export async function load(): Promise<Instance> {
  return together(...(await Promise.all([sponge.load(), sha2.load(), ssz.load()])));
}

/** As `load`, synchronously; from `modules` where given and not loaded before. */
export function loadSync(modules: Modules = {}): Instance {
  return together(
    sponge.loadSync(modules.sponge), sha2.loadSync(modules.sha2), ssz.loadSync(modules.ssz),
  );
}

/** How a private instance of all jobs is made. */
export type AllOptions = Omit<ssz.SszOptions, 'module'>;

/** Makes an instance of its own: for another variant, a worker, a test. */
export async function createInstance(options?: AllOptions): Promise<Instance> {
  const [common, all] = checked(options);
  return together(...(await Promise.all([
    sponge.createInstance(common), sha2.createInstance(common), ssz.createInstance(all),
  ])));
}

/** As `createInstance`, synchronously. */
export function createInstanceSync(options?: AllOptions): Instance {
  const [common, all] = checked(options);
  return together(
    sponge.createInstanceSync(common), sha2.createInstanceSync(common), ssz.createInstanceSync(all),
  );
}

/** The options that all jobs have, and all of them. */
function checked(options: AllOptions | undefined) {
  const { module: _, ...kinds } = MEMORY_KINDS;
  const all = checkedOptions<AllOptions>(options, kinds);
  const { memoryLimit: __, ...common } = all;
  return [common, all] as const;
}

function together(
  ofSponge: sponge.SpongeInstance,
  ofSha2: sha2.Sha2Instance,
  ofSsz: ssz.SszInstance,
): Instance {
  const dispose = () => {
    ofSponge.dispose();
    ofSha2.dispose();
    ofSsz.dispose();
  };
  const { SSZ_REGISTER, SSZ_VERIFY_PROOF } = OPERATIONS;
  return {
    kind: 'wasm',
    sponge: ofSponge,
    sha2: ofSha2,
    ssz: ofSsz,
    // The module of the sponge has the operations of sha2 too.
    call: (op, request) =>
      (op >= SSZ_REGISTER && op <= SSZ_VERIFY_PROOF ? ofSsz : ofSponge).call(op, request),
    dispose,
    [Symbol.dispose]: dispose,
  };
}
