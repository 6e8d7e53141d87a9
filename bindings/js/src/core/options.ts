import { wrongType } from './bytes.js';
import { SpiculeError } from './error.js';

/**
 * How a Wasm module was compiled. An engine refuses a whole module for one instruction that it does
 * not know, so each feature set is a module of its own.
 */
export type Variant = 'relaxed' | 'simd' | 'baseline';

/** A `WebAssembly.Module`; plain `object` where the type libraries in use don't declare it. */
export type WasmModule = typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Module } };
}
  ? Module
  : object;

/** How a private instance is made. */
export interface InstanceOptions {
  /**
   * The variant to run, or the next simpler one where a job has none of that name; by default the
   * best that the engine supports. `UNAVAILABLE` when the engine does not support it.
   */
  readonly variant?: Variant | undefined;
  /** A compiled module of this package (`spicule/wasm/...`) to run instead of an embedded one. */
  readonly module?: WasmModule | undefined;
  /**
   * `'call'` runs every operation through the dispatcher that all back ends share, with its
   * requests and responses; by default, operations are exports of the module, which is quicker.
   */
  readonly through?: 'exports' | 'call' | undefined;
}

/** How instances that keep values in their memory are made. */
export interface MemoryOptions extends InstanceOptions {
  /** Most bytes that what is kept may take, by default 1 GiB; then `OUT_OF_MEMORY`. */
  readonly memoryLimit?: number | undefined;
}

/** The type of each option; what is `any` is checked where it is used. */
export type OptionKinds<Options> = {
  readonly [Name in keyof Options]-?: 'boolean' | 'number' | 'string' | 'any';
};

/**
 * A copy of the options, all of which have to be known and of their type: a name that was misspelled
 * would have no effect, and nobody would notice. One that is undefined is not there.
 */
export function checkedOptions<Options extends object>(
  options: Options | undefined,
  kinds: OptionKinds<Options>,
): Options {
  if (options === undefined) return {} as Options;
  if (typeof options !== 'object' || options === null) throw wrongType('options', 'an object', options);
  const checked = {} as Options;
  for (const name in options) {
    const value = options[name];
    if (value === undefined) continue;
    const kind: unknown = kinds[name];
    // What every object inherits is no kind.
    if (typeof kind !== 'string') {
      const note = `no such option; there are ${Object.keys(kinds).join(', ')}`;
      throw new SpiculeError('INVALID_ARGUMENT', { path: name }, note);
    }
    if (kind !== 'any' && typeof value !== kind) throw wrongType(name, `a ${kind}`, value);
    checked[name] = value;
  }
  return checked;
}

/** Of modules that keep nothing. */
export const INSTANCE_KINDS: OptionKinds<InstanceOptions> = {
  variant: 'any', module: 'any', through: 'any',
};
/** Of modules that keep values. */
export const MEMORY_KINDS: OptionKinds<MemoryOptions> = {
  variant: 'any', module: 'any', through: 'any', memoryLimit: 'number',
};

const DEFAULT_MEMORY_LIMIT = 2 ** 30;
const LEAST_MEMORY_LIMIT = 2 ** 20;

/** The limit of an instance that keeps values. */
export function memoryLimitOf({ memoryLimit = DEFAULT_MEMORY_LIMIT }: MemoryOptions): number {
  if (Number.isSafeInteger(memoryLimit) && memoryLimit >= LEAST_MEMORY_LIMIT) return memoryLimit;
  const note = `memoryLimit ${memoryLimit} is not a whole number of bytes from ${LEAST_MEMORY_LIMIT} on`;
  throw new SpiculeError('INVALID_ARGUMENT', { path: 'memoryLimit' }, note);
}
