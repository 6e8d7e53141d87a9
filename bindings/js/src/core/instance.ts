import type { ModuleInstance } from './backend.js';
import { type Bytes, aligned } from './bytes.js';
import { type ErrorRecord, SpiculeError, errorOf } from './error.js';
import { nothing } from './flow.js';
import type { Variant, WasmModule } from './options.js';
import { stackProbe } from './stack.js';
import { type Transport, callArguments, callForBytes } from './transport.js';

/** Addresses, lengths and statuses: every export takes and gives unsigned 32-bit numbers. */
type WasmFunction = (...words: number[]) => number;

/** What every module exports, besides the functions of its job. */
export interface CommonExports {
  readonly buffer: WasmFunction;
  readonly record: WasmFunction;
  /** The dispatcher, which what is embedded of the codec goes without. */
  readonly call?: WasmFunction;
}

// The layout of the record, as in wasm/wasm.h.
const RECORD = { status: 0, offset: 8, index: 16, limit: 24, path: 32, pathEnd: 192, length: 192 };
const RECORD_BYTES = 200;
const NO_POSITION = 2n ** 64n - 1n;

/** Results up to this size are copied in a loop: quicker than a view for `set`, and no garbage. */
const COPY_LOOP_BYTES = 128;

/** Memory that is kept for later calls: Wasm memory can't shrink, only be dropped. */
const KEPT_BYTES = 64 * 2 ** 20;

/** As much of the buffer of a module that keeps values stays one. */
const KEPT_BUFFER_BYTES = 2 ** 20;

/**
 * One module at work: its memory, its exports, its errors.
 *
 * Arguments are copied into one buffer at `base`, results copied out of it, and nothing stays there
 * between calls. Only `reserve` can make the memory grow, so the cached views are renewed there.
 * After a trap, whose module has its stack pointer in the middle of things, and after a very large
 * call, the module is started afresh; that loses nothing, as all state lives on this side.
 *
 * A module that keeps values between calls (`keeps`) is never started afresh: after a trap it is out
 * of order. A stack overflow of the caller never happens inside it: see `stackProbe`. Its other
 * exports may grow the memory too; `refresh` comes after them.
 */
export class WasmInstance<Exports extends CommonExports = CommonExports> implements Transport {
  /** Which variant the module is; undefined when the caller gave it. */
  readonly variant: Variant | undefined;
  /** The functions of the module, giving unsigned numbers; a trap in one is a `SpiculeError`. */
  exports!: Exports;
  /**
   * The functions themselves, for the shortest calls: of a module that keeps values only after
   * `probe`. A trap in one belongs to `failed`.
   */
  raw!: Exports;
  /** The whole memory. Do not keep it across `reserve`. */
  bytes!: Uint8Array;
  #module: WebAssembly.Module | undefined;
  #memory: WebAssembly.Memory | undefined;
  readonly #keeps: boolean;
  /**
   * Of a module that keeps values: throws a RangeError unless there is stack enough for a call, and
   * why there can be no call any more.
   */
  probe: () => void;
  #base = 0;
  #room = 0;
  #record = 0;
  #window: Uint8Array | undefined;
  /** Whether a trap has left the module in the middle of things. */
  spoiled = false;

  constructor(
    module: WasmModule,
    variant: Variant | undefined,
    instance: { readonly exports: object } = new WebAssembly.Instance(module as WebAssembly.Module),
    keeps = false,
  ) {
    this.#module = module as WebAssembly.Module;
    this.#keeps = keeps;
    this.probe = keeps ? stackProbe() : nothing;
    this.variant = variant;
    this.#start(instance);
  }

  #start(instance: { readonly exports: object }): void {
    const { memory, _initialize: initialize, ...functions } = instance.exports as WebAssembly.Exports;
    (initialize as () => void)();
    this.exports = Object.fromEntries(
      Object.entries(functions).map(([name, value]) => [name, this.guarded(value as WasmFunction)]),
    ) as unknown as Exports;
    this.raw = functions as unknown as Exports;
    this.#memory = memory as WebAssembly.Memory;
    this.#record = this.exports.record();
    this.#base = this.exports.buffer(0);
    this.#room = 0;
    this.#renewViews();
  }

  #renewViews(): void {
    this.bytes = new Uint8Array(this.#memory!.buffer);
    this.#window = undefined;
  }

  /** The WebAssembly.Memory, to import it into other modules. */
  get memory(): object {
    return this.#memory!;
  }

  /** Renews the views if the memory has grown. */
  refresh(): void {
    if (this.bytes.length === 0 && this.#memory !== undefined) this.#renewViews();
  }

  /** A function of the module or of one that is linked to it. */
  guarded(run: WasmFunction): WasmFunction {
    const guarded: WasmFunction = (a, b, c, d, e) => {
      try {
        return run(a!, b!, c!, d!, e!) >>> 0;
      } catch (error) {
        throw this.failed(error);
      }
    };
    if (!this.#keeps) return guarded;
    const { probe } = this;
    return (a, b, c, d, e) => {
      probe();
      return guarded(a!, b!, c!, d!, e!);
    };
  }

  /**
   * What to throw for an exception from the module: a trap, or a stack overflow of the caller that
   * happened to be noticed there. Both leave the module in the middle of things; an error of ours
   * passes.
   */
  failed(error: unknown): unknown {
    if (error instanceof SpiculeError) return error;
    this.spoiled = true;
    this.#refuse();
    return error instanceof WebAssembly.RuntimeError
      ? new SpiculeError('INTERNAL', { cause: error }, 'the Wasm module trapped')
      : error;
  }

  /** Of a module that keeps values: it can't be called any more. */
  #refuse(): void {
    if (this.#keeps) this.probe = () => void this.reserve(0);
  }

  /** The address of a buffer of `size` bytes; what a call begins with. */
  reserve(size: number): number {
    if (this.#module === undefined) throw new SpiculeError('INVALID_STATE', {}, 'disposed');
    if (this.#keeps) {
      if (this.spoiled) throw new SpiculeError('INVALID_STATE', {}, 'the Wasm module trapped before');
    } else if (this.spoiled || (this.bytes.length > KEPT_BYTES && size <= KEPT_BYTES / 2)) {
      this.#start(new WebAssembly.Instance(this.#module));
      this.spoiled = false;
    }
    if (size > this.#room) {
      // The argument is a u32: a larger number would wrap around.
      const base = size > 0xffffffff ? 0 : this.exports.buffer(size);
      if (base === 0) throw new SpiculeError('OUT_OF_MEMORY', { limit: size });
      this.#base = base;
      this.#room = size;
    }
    this.refresh();
    return this.#base;
  }

  /** For a module that keeps values: lets it use the memory of the buffer, if that is large. */
  releaseBuffer(): void {
    if (this.#room <= KEPT_BUFFER_BYTES) return;
    this.probe();
    (this.raw as unknown as { buffer_release(): void }).buffer_release();
    this.#room = 0;
  }

  /** Copies `length` bytes at `address` to the start of `out`. */
  copyOut(out: Uint8Array, address: number, length: number): void {
    if (length <= COPY_LOOP_BYTES) {
      const { bytes } = this;
      for (let i = 0; i < length; i++) out[i] = bytes[address + i]!;
      return;
    }
    if (this.#window?.byteOffset !== address || this.#window.length !== length) {
      this.#window = this.bytes.subarray(address, address + length);
    }
    out.set(this.#window);
  }

  /** Throws the error of the record unless `status` is 0. */
  check(status: number): void {
    if (status !== 0) throw errorOf(this.#readRecord());
  }

  #readRecord(): ErrorRecord {
    this.refresh();
    const view = new DataView(this.bytes.buffer, this.#record, RECORD_BYTES);
    const position = (at: number): number | bigint | undefined => {
      const value = view.getBigUint64(at, true);
      if (value === NO_POSITION) return undefined;
      return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
    };
    const path = this.bytes.slice(this.#record + RECORD.path, this.#record + RECORD.pathEnd);
    const text = new TextDecoder().decode(path.subarray(0, path.indexOf(0)));
    return {
      status: view.getUint32(RECORD.status, true),
      offset: position(RECORD.offset),
      index: position(RECORD.index),
      limit: position(RECORD.limit),
      path: text === '' ? undefined : text,
    };
  }

  call(op: number, request: Uint8Array, out: Uint8Array): number {
    const requestAt = this.reserve(aligned(request.length) + out.length);
    if (this.exports.call === undefined) {
      const note = 'operations by number: give createInstance() the compiled spicule/wasm/codec-baseline.wasm';
      throw new SpiculeError('UNAVAILABLE', {}, note);
    }
    const responseAt = requestAt + aligned(request.length);
    this.bytes.set(request, requestAt);
    this.check(this.exports.call(op, requestAt, request.length, responseAt, out.length));
    const length = new DataView(this.bytes.buffer, this.#record).getUint32(RECORD.length, true);
    this.copyOut(out, responseAt, length);
    return length;
  }

  /** Gives the memory back; every later call is an `INVALID_STATE` error. */
  dispose(): void {
    this.#module = undefined;
    this.#memory = undefined;
    this.#window = undefined;
    this.bytes = new Uint8Array(0);
    this.exports = {} as Exports;
    this.raw = {} as Exports;
    this.#refuse();
  }
}

/** What every instance of a job has besides its operations. */
export function moduleInstance(wasm: WasmInstance): ModuleInstance {
  return {
    variant: wasm.variant,
    call(op, request) {
      callArguments(op, request);
      return callForBytes(wasm, op, request) as Bytes;
    },
    dispose: () => wasm.dispose(),
    [Symbol.dispose]: () => wasm.dispose(),
  };
}
