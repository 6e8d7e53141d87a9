/// <reference lib="esnext.disposable" preserve="true" />
import { type Bytes, plainArgument, roomFor } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { INSPECT, type Inspect, type InspectOptions, inspected } from '../core/inspect.js';
import { type Engine, ITSELF, type Lease } from './engine.js';
import { serializeInto, serializeValue } from './large.js';
import type { JsonOptions } from './json.js';
import { type Paths, type Proof, type ProofType, prove, targetsOf } from './proof.js';
import type { AnyType } from './type.js';

/**
 * A mutable handle over a persistent value.
 *
 * Reads see the view's own writes at once. What is changed through the view of a part reaches the
 * value of the whole at `commit`, which `hashTreeRoot`, `serialize`, `toValue`, `clone` and the bulk
 * calls run first. The same part asked for twice is the same view. Clones never change.
 *
 * A view has a value of its own in the memory of the module (`$handle`), or is flat: then its bytes
 * lie in those of its parent, and reading is address arithmetic. Members that begin with $ are for
 * the package itself; fields of containers can't have such names. They are assigned, not private:
 * every container type has a class of its own, and engines define private members and class fields
 * ten times as slowly once a constructor has made objects of several classes.
 */
export abstract class View<Value = unknown> {
  readonly $engine: Engine;
  readonly $type: AnyType;
  /** The value; 0 for flat views, and after dispose. */
  $handle = 0;
  $flat = false;
  $parent: View | undefined = undefined;
  /** The step from the parent. */
  $key = 0;
  /** Whether there are changes that the parent does not have yet, or that parts have. */
  $changed = false;
  $parts: Map<number, View> | undefined = undefined;
  $dirty: Set<View> | undefined = undefined;
  $lease: Lease | undefined = undefined;
  $leased = 0;
  /** Where the bytes lie, good in one epoch of the engine. */
  $address = 0;
  $epoch = -1;

  constructor(engine: Engine, type: AnyType) {
    this.$engine = engine;
    this.$type = type;
  }

  // ---- Life ----

  /** Makes this the view of a value. */
  $open(handle: number, lease: Lease): this {
    this.$handle = handle;
    this.$lease = lease;
    this.$leased = lease.handles.length;
    lease.handles.push(handle);
    return this;
  }

  /** Makes this the view of a part of another one. */
  $attach(parent: View, key: number, flat: boolean): this {
    if (flat) this.$flat = true;
    else this.$open(this.$engine.get(parent.$handle, key), parent.$lease!);
    this.$parent = parent;
    this.$key = key;
    return this;
  }

  /**
   * Takes a view that has no parent as the part at `key`, in the place of the one there; false if it
   * has one, or is no fit.
   */
  $adopt(part: View, key: number, type: AnyType): boolean {
    const fits = part.$engine === this.$engine && part.$parent === undefined && part.$handle !== 0 &&
      part.$type.$id(this.$engine) === type.$id(this.$engine) && !this.$flat && !part.$holds(this);
    if (!fits) return false;
    this.$detachPart(key);
    part.$parent = this;
    part.$key = key;
    (this.$parts ??= new Map()).set(key, part);
    return true;
  }

  $holds(view: View): boolean {
    for (let at: View | undefined = view; at !== undefined; at = at.$parent) if (at === this) return true;
    return false;
  }

  /** Makes the part at `key` a view of its own, because something else takes its place. */
  $detachPart(key: number): void {
    const part = this.$parts?.get(key);
    if (part === undefined) return;
    this.$parts!.delete(key);
    this.$dirty?.delete(part);
    part.$detach();
  }

  $detachParts(from = 0): void {
    if (this.$parts === undefined) return;
    for (const key of [...this.$parts.keys()]) if (key >= from) this.$detachPart(key);
  }

  $detach(): void {
    const { $engine: engine } = this;
    let handle = this.$handle;
    if (this.$flat) {
      const size = this.$type.fixedSize;
      const bytes = engine.bytes.slice(this.$sync(), this.$address + size);
      handle = engine.deserialize(this.$type.$id(engine), engine.put(bytes), size);
    } else {
      this.$lease!.handles[this.$leased] = 0;
    }
    this.$flat = false;
    this.$parent = undefined;
    this.$epoch = -1;
    this.$open(handle, engine.lease(this.$size(handle)));
  }

  /**
   * Frees the value and those of all views of parts; they can't be used any more. What was changed
   * through the view of a part reaches the whole first.
   */
  dispose(): void {
    this.$leave();
    this.$dispose();
  }

  /** Takes this view out of its parent, where the next one to ask gets a new view of the part. */
  $leave(): void {
    const { $parent: parent, $key: key } = this;
    if (parent?.$parts?.get(key) !== this) return;
    if (parent.$dirty?.has(this)) parent.$take(this);
    parent.$parts.delete(key);
  }

  /** Brings the changes of the view of a part into this value. */
  $take(part: View): void {
    part.$commit();
    this.$engine.set(this.$handle, part.$key, part.$handle);
    this.$dirty!.delete(part);
  }

  $dispose(): void {
    this.$parts?.forEach((part) => part.$dispose());
    this.$parts = undefined;
    this.$dirty = undefined;
    this.$epoch = -1;
    if (this.$flat) {
      this.$flat = false;
      this.$parent = undefined;
    }
    if (this.$handle === 0) return;
    this.$lease!.handles[this.$leased] = 0;
    this.$engine.release(this.$handle);
    this.$handle = 0;
  }

  /** As `dispose`. */
  [Symbol.dispose](): void {
    this.$leave();
    this.$dispose();
  }

  /** What Node prints: the first parts, as views. */
  [INSPECT](depth: number | null, options: InspectOptions, inspect?: Inspect): string {
    return inspected(this.$type.typeName, () => this.$summary(), depth, options, inspect);
  }

  $summary(): unknown {
    return this.$value();
  }

  // ---- Where the bytes are ----

  /** The address of the bytes, where they lie in one piece. */
  $sync(): number {
    if (this.$epoch !== this.$engine.epoch) {
      this.$address = this.$flat ? this.$parent!.$partAddress(this.$key) : this.$ownAddress();
      this.$epoch = this.$engine.epoch;
    }
    return this.$address;
  }

  /** The address where the parts of a view with a value of its own are counted from. */
  $ownAddress(): number {
    return this.$engine.peek(this.$handle, ITSELF);
  }

  /** The address of a flat part. */
  $partAddress(_key: number): number {
    throw new SpiculeError('INTERNAL');
  }

  /** The offset of a flat part in a flat view. */
  $partOffset(_key: number): number {
    throw new SpiculeError('INTERNAL');
  }

  /** Changes bytes of the flat part `key` to `length` bytes that are in the buffer. */
  $patch(key: number, offset: number, at: number, length: number): void {
    if (this.$flat) {
      this.$parent!.$patch(this.$key, this.$partOffset(key) + offset, at, length);
    } else {
      this.$engine.patch(this.$handle, key, offset, at, length);
      this.$touch();
    }
  }

  // ---- Changes ----

  $touch(): void {
    if (this.$changed) return;
    this.$changed = true;
    this.$parent?.$partTouched(this);
  }

  $partTouched(part: View): void {
    (this.$dirty ??= new Set()).add(part);
    this.$touch();
  }

  /** Brings the changes of the views of parts into this value. */
  commit(): void {
    this.$commit();
  }

  $commit(): void {
    if (!this.$changed) return;
    if (this.$dirty !== undefined && this.$dirty.size !== 0) {
      for (const part of this.$dirty) this.$take(part);
    }
    this.$changed = false;
  }

  /** The view of the part at `key`, made by `make` unless there is one. */
  $part(key: number, type: AnyType, flat: boolean): View {
    let part = this.$parts?.get(key);
    if (part === undefined) {
      part = type.$viewOf(this.$engine).$attach(this, key, flat);
      (this.$parts ??= new Map()).set(key, part);
    }
    return part;
  }

  // ---- The value ----

  /** The size of a value of this type, in bytes. */
  $size(handle: number): number {
    const { fixedSize } = this.$type;
    return fixedSize !== 0 ? fixedSize : this.$engine.size(handle);
  }

  /** Puts the bytes into the buffer; gives address and size. */
  $bytes(): [at: number, size: number] {
    const { $engine: engine, $type: type } = this;
    if (this.$flat) {
      const size = type.fixedSize;
      const at = engine.buffer(size);
      engine.bytes.copyWithin(at, this.$sync(), this.$address + size);
      return [at, size];
    }
    this.$commit();
    const size = this.$size(this.$handle);
    return [engine.read(this.$handle, ITSELF, size), size];
  }

  /** The root; only what changed since the last time is hashed. */
  hashTreeRoot(): Bytes {
    return this.$root();
  }

  $root(): Bytes {
    const { $engine: engine } = this;
    if (this.$flat) {
      const [at, size] = this.$bytes();
      return engine.rootOfBytes(this.$type.$id(engine), at, size);
    }
    this.$commit();
    return engine.root(this.$handle);
  }

  /** The SSZ bytes. */
  serialize(): Bytes {
    return this.$serialize();
  }

  $serialize(): Bytes {
    if (!this.$flat) {
      this.$commit();
      const { $engine: engine, $type: type, $handle: handle } = this;
      return serializeValue(engine, type, handle, this.$size(handle));
    }
    const [at, size] = this.$bytes();
    return this.$engine.bytes.slice(at, at + size);
  }

  /** Writes the SSZ bytes to the start of `out`; gives their number. */
  serializeInto(out: Uint8Array): number {
    const to = plainArgument(out, 'out');
    const { $engine: engine } = this;
    if (!this.$flat) {
      this.$commit();
      const size = engine.size(this.$handle);
      roomFor(to, size);
      serializeInto(engine, this.$type, this.$handle, to, 0, size);
      return size;
    }
    const [at, size] = this.$bytes();
    roomFor(to, size);
    engine.wasm.copyOut(to, at, size);
    return size;
  }

  /** The JSON form: see `Type.toJSON`. `JSON.stringify` of a view gives it as text. */
  toJSON(options?: JsonOptions): unknown {
    // JSON.stringify calls this with the key.
    return this.$type.toJSON(this.$serialize(), typeof options === 'object' ? options : undefined);
  }

  /** The plain value. */
  toValue(): Value {
    return this.$value();
  }

  $value(): Value {
    const bytes = this.$serialize();
    return this.$type.$read(
      { bytes, data: new DataView(bytes.buffer) }, 0, bytes.length,
    ) as Value;
  }

  /**
   * A Merkle proof of the part at a path (`'balances[5]'` or `['balances', 5]`), or of several
   * (`[['slot'], ['balances', 5]]`), or of nodes by generalized index. One is a `single` proof and
   * several are a `multi` proof by default. `NO_SUCH_NODE`, with the path, past the end of the value.
   */
  proof(paths: Paths, type?: ProofType): Proof {
    return this.$proof(paths, type);
  }

  $proof(paths: Paths, type?: ProofType): Proof {
    const { $engine: engine, $type } = this;
    const targets = targetsOf(paths, (path) => $type.gindex(path));
    this.$commit();
    if (!this.$flat) return prove(engine, this.$handle, targets, type);
    const copy = this.$clone();
    try {
      return prove(engine, copy.$handle, targets, type);
    } finally {
      copy.$dispose();
    }
  }

  /** A view of the same value, which does not see later changes of this one. Costs a reference. */
  clone(): this {
    return this.$clone() as this;
  }

  $clone(): View {
    const { $engine: engine, $type: type } = this;
    let handle: number;
    if (this.$flat) {
      const [at, size] = this.$bytes();
      handle = engine.deserialize(type.$id(engine), at, size);
    } else {
      this.$commit();
      handle = engine.clone(this.$handle);
    }
    return type.$viewOf(engine).$open(handle, engine.lease(this.$size(handle)));
  }
}
