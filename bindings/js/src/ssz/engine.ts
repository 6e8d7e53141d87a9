import { type Bytes, aligned } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { CommonExports, WasmInstance } from '../core/instance.js';

/** As in spicule/ssz.h. */
export const KIND = {
  UINT: 1,
  BYTE: 2,
  BOOLEAN: 3,
  BITVECTOR: 4,
  BITLIST: 5,
  PROGRESSIVE_BITLIST: 6,
  VECTOR: 7,
  LIST: 8,
  PROGRESSIVE_LIST: 9,
  CONTAINER: 10,
  PROGRESSIVE_CONTAINER: 11,
  UNION: 12,
  COMPATIBLE_UNION: 13,
} as const;

/** The step that stands for a value itself. */
export const ITSELF = -1;

/** Exports take and give 32-bit words, or doubles for indices and lengths. */
type Export = (...words: number[]) => number;

const EXPORTS = [
  'ssz_append', 'ssz_append_bit', 'ssz_compact_gindices', 'ssz_from_json', 'ssz_node',
  'ssz_position', 'ssz_prove', 'ssz_prove_compact', 'ssz_to_json', 'ssz_verify_compact',
  'ssz_verify_proof', 'ssz_bits_combine', 'ssz_bits_count', 'ssz_bits_out', 'ssz_build',
  'ssz_build_container', 'ssz_build_union', 'ssz_clone', 'ssz_copy_in', 'ssz_copy_out',
  'ssz_default', 'ssz_describe', 'ssz_describe_field', 'ssz_deserialize', 'ssz_get', 'ssz_length',
  'ssz_locate', 'ssz_no_schema', 'ssz_patch', 'ssz_path_address', 'ssz_peek', 'ssz_read',
  'ssz_read_path', 'ssz_read_schema', 'ssz_release', 'ssz_results_address', 'ssz_root',
  'ssz_root_of_bytes', 'ssz_run', 'ssz_schema_name', 'ssz_select', 'ssz_selector', 'ssz_set',
  'ssz_set_bit', 'ssz_size', 'ssz_start', 'ssz_statistics', 'ssz_truncate', 'ssz_type_of_text',
  'ssz_validate', 'ssz_write',
] as const;

export type SszExports = CommonExports & Record<(typeof EXPORTS)[number], Export>;

/** Handles that are let go together when nothing refers to their views any more. */
export interface Lease {
  readonly handles: number[];
}

/** What a type is, as the core tells it. */
export interface Description {
  readonly kind: number;
  readonly limit: bigint;
  readonly element: number;
  readonly name: string;
  readonly fields: readonly { readonly type: number; readonly position: number; readonly name: string }[];
}

/** How many views of small values share a lease: registering one costs as much as making a view. */
const LEASE_VIEWS = 16;
const SMALL_VALUE_BYTES = 4096;

function refuseDisposed(): never {
  throw new SpiculeError('INVALID_STATE', {}, 'the SSZ instance was disposed');
}

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder();

/**
 * The SSZ module at work, in terms of types (numbers) and values (handles). `bytes`, `data`, `words`
 * and `longs` are its memory; do not keep them across calls. `epoch` counts changes of values: an
 * address of a part of a value is good as long as it stays the same.
 */
export class Engine {
  readonly wasm: WasmInstance<SszExports>;
  /** Most bytes that values may take. */
  readonly memoryLimit: number;
  raw: SszExports;
  /** To be called before a function of `raw`. */
  readonly probe: () => void;
  bytes!: Bytes;
  data!: DataView;
  words!: Uint32Array;
  longs!: BigUint64Array;
  epoch = 0;
  readonly #results: number;
  readonly #path: number;
  readonly #registry: FinalizationRegistry<number[]>;
  readonly #same = new Map<string, boolean>();
  #shared: Lease | undefined;
  #sharedViews = 0;
  #disposed = false;

  constructor(wasm: WasmInstance<SszExports>, memoryLimit: number) {
    this.wasm = wasm;
    this.memoryLimit = memoryLimit;
    this.raw = wasm.raw;
    this.probe = wasm.probe;
    this.#registry = new FinalizationRegistry((handles) => this.releaseAll(handles));
    this.#check(wasm.exports.ssz_start(memoryLimit));
    this.#results = wasm.exports.ssz_results_address() >>> 0;
    this.#path = wasm.exports.ssz_path_address() >>> 0;
    this.wasm.refresh();
    this.#renew();
  }

  #renew(): void {
    const bytes = this.wasm.bytes as Bytes;
    const { buffer } = bytes;
    this.data = new DataView(buffer);
    this.words = new Uint32Array(buffer, 0, buffer.byteLength >>> 2);
    this.longs = new BigUint64Array(buffer, 0, buffer.byteLength >>> 3);
    // Last, as what says whether the others are current.
    this.bytes = bytes;
  }

  /** After calls that may have grown the memory. */
  #refresh(): void {
    if (this.bytes.length !== 0) return;
    this.wasm.refresh();
    this.#renew();
  }

  #check(status: number): void {
    if (status === 0) return;
    this.fail();
  }

  /** Throws the error of the record. */
  fail(): never {
    if (this.#disposed) refuseDisposed();
    try {
      this.wasm.check(1);
    } catch (error) {
      if (error instanceof SpiculeError && error.code === 'INVALID_STATE') {
        throw new SpiculeError('INVALID_STATE', {}, 'this view, or the one that it is a part of, was disposed');
      }
      if (error instanceof SpiculeError && error.code === 'OUT_OF_MEMORY' && error.limit === undefined) {
        const note = 'the values of this SSZ instance; dispose() of views frees memory';
        throw new SpiculeError('OUT_OF_MEMORY', { limit: this.memoryLimit }, note);
      }
      throw error;
    }
    throw new SpiculeError('INTERNAL');
  }

  #changed(status: number): void {
    this.epoch++;
    this.#refresh();
    if (status !== 0) this.fail();
  }

  #handle(handle: number): number {
    this.#refresh();
    if (handle === 0) this.fail();
    return handle;
  }

  /** Result `i` of the call before. */
  result(i: number): number {
    const at = (this.#results >>> 2) + 2 * i;
    const high = this.words[at + 1]!;
    // Without the sum, engines keep what is small as a small integer.
    return high === 0 ? this.words[at]! : this.words[at]! + high * 2 ** 32;
  }

  resultLong(i: number): bigint {
    return this.longs[(this.#results >>> 3) + i]!;
  }

  /** The address of a buffer of `size` bytes for arguments and results of the next call. */
  buffer(size: number): number {
    const at = this.wasm.reserve(size);
    if (this.bytes !== this.wasm.bytes) this.#renew();
    return at;
  }

  /** Puts bytes into the buffer. */
  put(bytes: Uint8Array): number {
    const at = this.buffer(bytes.length);
    this.bytes.set(bytes, at);
    return at;
  }

  #text(address: number): string {
    return decoder.decode(this.bytes.slice(address, this.bytes.indexOf(0, address)));
  }

  // ---- Types ----

  build(kind: number, element: number, limit: bigint): number {
    const low = Number(limit & 0xffffffffn);
    return this.#type(this.wasm.exports.ssz_build(kind, element, low, Number(limit >> 32n)));
  }

  #type(id: number): number {
    this.#refresh();
    if (id === 0) this.fail();
    return id;
  }

  /** A container, progressive where `active` is given. */
  buildContainer(
    name: string,
    fields: readonly (readonly [name: string, type: number])[],
    active: readonly boolean[] | undefined,
  ): number {
    const names = [name, ...fields.map(([field]) => field)].map((text) => encoder.encode(`${text}\0`));
    const room = names.reduce((sum, { length }) => sum + length, 8 * fields.length);
    const at = this.buffer(room + (active?.length ?? 0));
    const activeAt = at + room;
    let nameAt = at + 8 * fields.length;
    const addresses = names.map((text) => {
      this.bytes.set(text, nameAt);
      nameAt += text.length;
      return nameAt - text.length;
    });
    fields.forEach(([, type], i) => {
      this.words[(at >>> 2) + 2 * i] = addresses[i + 1]!;
      this.words[(at >>> 2) + 2 * i + 1] = type;
    });
    active?.forEach((yes, i) => (this.bytes[activeAt + i] = yes ? 1 : 0));
    return this.#type(
      this.wasm.exports.ssz_build_container(
        addresses[0]!, at, fields.length, active === undefined ? 0 : activeAt, active?.length ?? 0,
      ),
    );
  }

  /** A union, compatible where `selectors` are given; type 0 stands for None. */
  buildUnion(options: readonly number[], selectors: readonly number[] | undefined): number {
    const at = this.buffer(5 * options.length + 8);
    const selectorsAt = at + 4 * options.length;
    options.forEach((id, i) => (this.words[(at >>> 2) + i] = id === 0 ? 0xffffffff : id));
    // What a byte can't hold is refused by the core as the largest selector is.
    selectors?.forEach((selector, i) => {
      const fits = Number.isInteger(selector) && selector >= 0 && selector <= 0xff;
      this.bytes[selectorsAt + i] = fits ? selector : 0xff;
    });
    const given = selectors === undefined ? 0 : selectorsAt;
    return this.#type(this.wasm.exports.ssz_build_union(at, options.length, given));
  }

  /** The names of a schema, in order; `typeOfText` then knows them. */
  readSchema(text: string, section: string | undefined): string[] {
    const bytes = encoder.encode(text);
    const name = section === undefined ? undefined : encoder.encode(`${section}\0`);
    const at = this.buffer(bytes.length + (name?.length ?? 0));
    this.bytes.set(bytes, at);
    if (name !== undefined) this.bytes.set(name, at + bytes.length);
    const sectionAt = name === undefined ? 0 : at + bytes.length;
    const status = this.wasm.exports.ssz_read_schema(at, bytes.length, sectionAt);
    this.#refresh();
    this.#check(status);
    const names: string[] = [];
    for (;;) {
      const address = this.wasm.exports.ssz_schema_name(names.length) >>> 0;
      if (address === 0) return names;
      names.push(this.#text(address));
    }
  }

  noSchema(): void {
    const status = this.wasm.exports.ssz_no_schema();
    this.#refresh();
    this.#check(status);
  }

  typeOfText(text: string): number {
    const bytes = encoder.encode(text);
    return this.#type(this.wasm.exports.ssz_type_of_text(this.put(bytes), bytes.length));
  }

  describe(type: number): Description {
    this.wasm.exports.ssz_describe(type);
    const kind = this.result(0);
    const [limit, element, count] = [this.resultLong(1), this.result(2), this.result(3)];
    const name = this.#text(this.result(4));
    const fields = Array.from({ length: count }, (_, i) => {
      this.wasm.exports.ssz_describe_field(type, i);
      return { type: this.result(0), position: this.result(1), name: this.#text(this.result(2)) };
    });
    return { kind, limit, element, name, fields };
  }

  /** Whether values of both types have the same parts, in bytes and in the tree. */
  isSame(a: number, b: number): boolean {
    if (a === b) return true;
    const key = `${a} ${b}`;
    let same = this.#same.get(key);
    if (same === undefined) {
      same = this.#compare(this.describe(a), this.describe(b));
      this.#same.set(key, same);
    }
    return same;
  }

  #compare(a: Description, b: Description): boolean {
    // A byte is an integer of 8 bits, except in JSON.
    const [kind, other] = [a, b].map((each) => (each.kind === KIND.BYTE ? KIND.UINT : each.kind));
    const limit = (each: Description) => (each.kind === KIND.BYTE ? 8n : each.limit);
    return kind === other && limit(a) === limit(b) && a.fields.length === b.fields.length &&
      (a.element === 0 ? b.element === 0 : b.element !== 0 && this.isSame(a.element, b.element)) &&
      a.fields.every(({ type, position, name }, i) => {
        const field = b.fields[i]!;
        return position === field.position && name === field.name &&
          (type === 0 ? field.type === 0 : field.type !== 0 && this.isSame(type, field.type));
      });
  }

  /** Whether values of the type lie in one piece inside others. */
  isFlat(type: number): boolean {
    this.wasm.exports.ssz_describe(type);
    return this.result(7) !== 0;
  }

  // ---- Bytes ----

  validate(type: number, at: number, length: number): void {
    this.#check(this.wasm.exports.ssz_validate(type, at, length));
  }

  /** The root of the value of the bytes in the buffer. */
  rootOfBytes(type: number, at: number, length: number): Bytes {
    this.#check(this.wasm.exports.ssz_root_of_bytes(type, at, length, at));
    return this.bytes.slice(at, at + 32);
  }

  /** Reads a path text; the steps are then the path of the module. */
  readPath(type: number, text: string): number {
    const bytes = encoder.encode(text);
    this.#check(this.wasm.exports.ssz_read_path(type, this.put(bytes), bytes.length));
    return this.result(0);
  }

  /** The steps of the path of the module. */
  pathSteps(count: number): bigint[] {
    const at = this.#path >>> 3;
    return Array.from(this.longs.subarray(at, at + count));
  }

  putPath(steps: readonly bigint[]): number {
    steps.forEach((step, i) => (this.longs[(this.#path >>> 3) + i] = step));
    return steps.length;
  }

  /** Where the part at the path of the module lies in the bytes in the buffer. */
  locate(type: number, at: number, length: number, steps: number) {
    this.#check(this.wasm.exports.ssz_locate(type, at, length, steps));
    return { type: this.result(0), offset: this.result(1), size: this.result(2) };
  }

  /** The JSON text of the bytes in the buffer. */
  toJson(type: number, at: number, length: number): string {
    const bytes = this.bytes.slice(at, at + length);
    return decoder.decode(this.#grown(length, (room) => {
      const from = this.buffer(aligned(length) + room);
      this.bytes.set(bytes, from);
      const to = from + aligned(length);
      return [this.wasm.exports.ssz_to_json(type, from, length, to, room), to];
    }));
  }

  /** The SSZ bytes of JSON text. */
  fromJson(type: number, text: string): Bytes {
    const bytes = encoder.encode(text);
    return this.#grown(bytes.length, (room) => {
      const from = this.buffer(aligned(bytes.length) + room);
      this.bytes.set(bytes, from);
      const to = from + aligned(bytes.length);
      return [this.wasm.exports.ssz_from_json(type, from, bytes.length, to, room), to];
    });
  }

  /** What a call writes that says how much room it needs; its size is result 0. */
  #grown(expected: number, run: (room: number) => [status: number, address: number]): Bytes {
    let room = 2 * expected + 256;
    let [status, address] = run(room);
    if (status !== 0 && this.result(0) > room) {
      room = this.result(0);
      [status, address] = run(room);
    }
    this.#check(status);
    const bytes = this.bytes.slice(address, address + this.result(0));
    this.wasm.releaseBuffer();
    return bytes;
  }

  // ---- Generalized indices and proofs ----

  /** Where the part at the path of the module is in the tree. */
  position(type: number, steps: number) {
    this.#check(this.wasm.exports.ssz_position(type, steps));
    const gindex = (this.resultLong(0) << 64n) | this.resultLong(1);
    return { gindex, bitOffset: this.result(2), bitLength: this.result(3) };
  }

  /** A buffer that begins with generalized indices, with room for more. */
  #gindices(gindices: readonly bigint[], more: number): number {
    const at = this.buffer(16 * gindices.length + more);
    gindices.forEach((gindex, i) => {
      this.longs[(at >>> 3) + 2 * i] = gindex >> 64n;
      this.longs[(at >>> 3) + 2 * i + 1] = gindex;
    });
    return at;
  }

  #hashes(at: number, count: number): Bytes[] {
    return Array.from({ length: count }, (_, i) => this.bytes.slice(at + 32 * i, at + 32 * i + 32));
  }

  #put(at: number, hashes: readonly Uint8Array[]): number {
    hashes.forEach((hash, i) => this.bytes.set(hash, at + 32 * i));
    return at + 32 * hashes.length;
  }

  node(handle: number, gindex: bigint): Bytes {
    const at = this.#gindices([gindex], 32);
    const status = this.wasm.exports.ssz_node(handle, at, at + 16);
    this.#refresh();
    this.#check(status);
    return this.bytes.slice(at + 16, at + 48);
  }

  prove(handle: number, gindices: readonly bigint[]): Bytes[] {
    const most = 128 * gindices.length;
    const at = this.#gindices(gindices, 32 * most);
    const to = at + 16 * gindices.length;
    const status = this.wasm.exports.ssz_prove(handle, at, gindices.length, to, most);
    this.#refresh();
    this.#check(status);
    return this.#hashes(to, this.result(0));
  }

  verifyProof(
    root: Uint8Array,
    gindices: readonly bigint[],
    leaves: readonly Uint8Array[],
    proof: readonly Uint8Array[],
  ): boolean {
    const at = this.#gindices(gindices, 32 * (leaves.length + 1 + proof.length));
    this.#put(at + 16 * gindices.length, [...leaves, root, ...proof]);
    const status = this.wasm.exports.ssz_verify_proof(at, gindices.length, proof.length);
    this.#refresh();
    this.#check(status);
    return this.result(0) !== 0;
  }

  proveCompact(handle: number, gindices: readonly bigint[]): { descriptor: Bytes; leaves: Bytes[] } {
    const most = 129 * gindices.length;
    const at = this.#gindices(gindices, 33 * most + 16);
    const to = at + 16 * gindices.length;
    const status = this.wasm.exports.ssz_prove_compact(handle, at, gindices.length, to, most);
    this.#refresh();
    this.#check(status);
    const descriptorAt = to + 32 * most;
    const descriptor = this.bytes.slice(descriptorAt, descriptorAt + this.result(0));
    return { descriptor, leaves: this.#hashes(to, this.result(1)) };
  }

  compactGindices(descriptor: Uint8Array): bigint[] {
    const { length } = descriptor;
    this.#check(this.wasm.exports.ssz_compact_gindices(this.put(descriptor), length, 0, 0));
    const count = this.result(0);
    const from = this.buffer(aligned(length) + 16 * count);
    const at = from + aligned(length);
    this.bytes.set(descriptor, from);
    this.#check(this.wasm.exports.ssz_compact_gindices(from, length, at, count));
    const gindices = Array.from({ length: count }, (_, i) => {
      const long = (at >>> 3) + 2 * i;
      return (this.longs[long]! << 64n) | this.longs[long + 1]!;
    });
    this.wasm.releaseBuffer();
    return gindices;
  }

  verifyCompact(root: Uint8Array, descriptor: Uint8Array, leaves: readonly Uint8Array[]): boolean {
    const at = this.buffer(32 * (leaves.length + 1) + descriptor.length);
    const descriptorAt = this.#put(at, [...leaves, root]);
    this.bytes.set(descriptor, descriptorAt);
    const { length } = descriptor;
    this.#check(this.wasm.exports.ssz_verify_compact(descriptorAt, length, at, leaves.length));
    return this.result(0) !== 0;
  }

  // ---- Values ----

  default(type: number): number {
    return this.#handle(this.wasm.exports.ssz_default(type));
  }

  deserialize(type: number, at: number, length: number): number {
    return this.#handle(this.wasm.exports.ssz_deserialize(type, at, length));
  }

  clone(handle: number): number {
    this.probe();
    try {
      return this.#handle(this.raw.ssz_clone(handle) >>> 0);
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  get(handle: number, step: number): number {
    this.probe();
    try {
      return this.#handle(this.raw.ssz_get(handle, step) >>> 0);
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  set(handle: number, step: number, part: number): void {
    this.probe();
    try {
      this.#changed(this.raw.ssz_set(handle, step, part));
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  size(handle: number): number {
    this.probe();
    const size = this.raw.ssz_size(handle);
    if (size < 0) this.fail();
    return size;
  }

  length(handle: number, step: number): number {
    this.probe();
    const length = this.raw.ssz_length(handle, step);
    if (length < 0) this.fail();
    return length;
  }

  root(handle: number): Bytes {
    const at = this.buffer(32);
    let status: number;
    this.probe();
    try {
      status = this.raw.ssz_root(handle, at);
    } catch (error) {
      throw this.wasm.failed(error);
    }
    this.#refresh();
    this.#check(status);
    return this.bytes.slice(at, at + 32);
  }

  /** Writes the bytes of a part into the buffer; gives their address. */
  read(handle: number, step: number, size: number): number {
    const at = this.buffer(size);
    this.probe();
    try {
      this.#check(this.raw.ssz_read(handle, step, at, size));
    } catch (error) {
      throw this.wasm.failed(error);
    }
    return at;
  }

  /** As `read` where the size is not known; `result(0)` is the size. */
  readAny(handle: number, step: number): number {
    const at = this.buffer(256);
    if (this.wasm.exports.ssz_read(handle, step, at, 256) === 0) return at;
    const size = this.result(0);
    if (size <= 256) this.fail();
    return this.read(handle, step, size);
  }

  write(handle: number, step: number, at: number, length: number): void {
    this.probe();
    try {
      this.#changed(this.raw.ssz_write(handle, step, at, length));
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  patch(handle: number, step: number, offset: number, at: number, length: number): void {
    this.probe();
    try {
      this.#changed(this.raw.ssz_patch(handle, step, offset, at, length));
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  peek(handle: number, step: number): number {
    this.probe();
    const address = this.raw.ssz_peek(handle, step) >>> 0;
    if (address === 0) this.fail();
    return address;
  }

  /** The address of an element; `result(0)` and `result(1)`: the first one there, their number. */
  run(handle: number, index: number): number {
    this.probe();
    const address = this.raw.ssz_run(handle, index) >>> 0;
    if (address === 0) this.fail();
    return address;
  }

  append(handle: number, at: number, length: number, count: number): void {
    this.probe();
    try {
      this.#changed(this.raw.ssz_append(handle, at, length, count));
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  truncate(handle: number, length: number): void {
    this.#changed(this.wasm.exports.ssz_truncate(handle, length));
  }

  copyOut(handle: number, first: number, count: number, at: number): void {
    this.#check(this.wasm.exports.ssz_copy_out(handle, first, count, at));
  }

  copyIn(handle: number, first: number, count: number, at: number): void {
    this.#changed(this.wasm.exports.ssz_copy_in(handle, first, count, at));
  }

  setBit(handle: number, index: number, bit: boolean): void {
    this.probe();
    try {
      this.#changed(this.raw.ssz_set_bit(handle, index, bit ? 1 : 0));
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  appendBit(handle: number, bit: boolean): void {
    this.probe();
    try {
      this.#changed(this.raw.ssz_append_bit(handle, bit ? 1 : 0));
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  bitsOut(handle: number, at: number): void {
    this.#check(this.wasm.exports.ssz_bits_out(handle, at));
  }

  bitsCombine(handle: number, other: number, both: boolean): void {
    this.#changed(this.wasm.exports.ssz_bits_combine(handle, other, both ? 1 : 0));
  }

  bitsCount(handle: number): number {
    this.probe();
    const count = this.raw.ssz_bits_count(handle);
    if (count < 0) this.fail();
    return count;
  }

  selector(handle: number): number {
    this.probe();
    const selector = this.raw.ssz_selector(handle);
    if (selector < 0) this.fail();
    return selector;
  }

  select(handle: number, selector: number, at: number, length: number): void {
    this.#changed(this.wasm.exports.ssz_select(handle, selector, at, length));
  }

  // ---- Life ----

  /** A lease for a new family of views whose value has `size` bytes. */
  lease(size: number): Lease {
    if (size <= SMALL_VALUE_BYTES && this.#shared !== undefined && this.#sharedViews < LEASE_VIEWS) {
      this.#sharedViews++;
      return this.#shared;
    }
    const lease = { handles: [] };
    this.#registry.register(lease, lease.handles);
    if (size <= SMALL_VALUE_BYTES) {
      this.#shared = lease;
      this.#sharedViews = 1;
    }
    return lease;
  }

  release(handle: number): void {
    if (this.#disposed) return;
    this.epoch++;
    this.probe();
    try {
      this.raw.ssz_release(handle);
    } catch (error) {
      throw this.wasm.failed(error);
    }
  }

  releaseAll(handles: readonly number[]): void {
    for (const handle of handles) this.release(handle);
  }

  /** Bytes in use, most ever in use, 64-byte blocks hashed, values, bytes of Wasm memory. */
  statistics() {
    this.wasm.exports.ssz_statistics();
    this.#refresh();
    return {
      used: this.result(0),
      peak: this.result(1),
      hashes: this.result(2),
      values: this.result(3),
      memory: this.bytes.length,
    };
  }

  dispose(): void {
    this.#disposed = true;
    this.epoch++;
    this.wasm.dispose();
    this.bytes = new Uint8Array(0);
    this.raw = new Proxy({} as SszExports, { get: refuseDisposed });
    this.wasm.exports = this.raw;
    this.buffer = refuseDisposed;
  }
}
