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
