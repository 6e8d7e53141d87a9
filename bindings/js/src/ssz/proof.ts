import { type Bytes, plainArgument, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Engine } from './engine.js';
import { type Path, type PathStep, pathText, placed } from './type.js';

/** Generalized indices that an error shows. */
const SHOWN = 4;

/** One leaf, and the hashes beside the way from it to the root. */
export interface SingleProof {
  readonly type: 'single';
  readonly gindex: bigint;
  readonly leaf: Uint8Array;
  readonly witnesses: readonly Uint8Array[];
}

/** Several leaves, and the hashes that they need besides each other, by descending index. */
export interface MultiProof {
  readonly type: 'multi';
  readonly gindices: readonly bigint[];
  readonly leaves: readonly Uint8Array[];
  readonly witnesses: readonly Uint8Array[];
}

/** All hashes from left to right, and the shape of their tree: a bit a node, 1 for a hash. */
export interface CompactMultiProof {
  readonly type: 'compactMulti';
  readonly leaves: readonly Uint8Array[];
  readonly descriptor: Uint8Array;
}

/** All hashes from left to right, and for each inner node how many are in its left subtree. */
export interface TreeOffsetProof {
  readonly type: 'treeOffset';
  readonly offsets: readonly number[];
  readonly leaves: readonly Uint8Array[];
}

/** A Merkle proof, in the forms of @chainsafe/persistent-merkle-tree. */
export type Proof = SingleProof | MultiProof | CompactMultiProof | TreeOffsetProof;
export type ProofType = Proof['type'];

/**
 * What a proof is for: one path, as text or as an array of steps; several paths, each an array of
 * steps; or nodes by generalized index. So `['slot', 'root']` is one path of two steps, and
 * `[['slot'], ['root']]` are two paths.
 */
export type Paths = Path | readonly (readonly PathStep[])[] | bigint | readonly bigint[];

/** A node that a proof is for, and the path that led there. */
export interface Target {
  readonly gindex: bigint;
  readonly path?: string;
}

export function targetsOf(paths: Paths, gindexOf: (path: string) => bigint): Target[] {
  const byPath = (path: Path): Target => {
    const text = pathText(path);
    return { gindex: gindexOf(text), path: text };
  };
  const byGindex = (item: unknown): Target => ({ gindex: gindexArgument(item) });
  if (typeof paths === 'bigint') return [byGindex(paths)];
  if (typeof paths === 'string') return [byPath(paths)];
  const items = itemsArgument(paths, 'paths', 'steps, paths or bigints');
  if (items.some((item) => typeof item === 'bigint')) return items.map(byGindex);
  if (!items.some((item) => Array.isArray(item))) return [byPath(items as readonly PathStep[])];
  return items.map((item, i) => {
    if (!Array.isArray(item)) throw wrongType(`paths[${i}]`, 'an array of steps, as others are', item);
    return byPath(item as readonly PathStep[]);
  });
}

function gindexArgument(value: unknown): bigint {
  if (typeof value !== 'bigint') throw wrongType('gindex', 'a bigint', value);
  if (value > 0n && value >> 128n === 0n) return value;
  throw new SpiculeError('NO_SUCH_NODE', {}, `generalized index ${value}`);
}

/** A proof of nodes of a value. What the core refuses is said with paths and generalized indices. */
export function prove(engine: Engine, handle: number, targets: readonly Target[], type?: ProofType): Proof {
  const gindices = targets.map(({ gindex }) => gindex);
  try {
    return proofOf(engine, handle, gindices, type);
  } catch (error) {
    if (!(error instanceof SpiculeError)) throw error;
    const absent = error.code === 'NO_SUCH_NODE'
      ? targets.find(({ gindex }) => !hasNode(engine, handle, gindex))
      : undefined;
    const shown = absent === undefined ? gindices.slice(0, SHOWN) : [absent.gindex];
    throw placed(error, absent?.path, `generalized index ${shown.join(', ')}`);
  }
}

function hasNode(engine: Engine, handle: number, gindex: bigint): boolean {
  try {
    engine.node(handle, gindex);
    return true;
  } catch {
    return false;
  }
}

function proofOf(
  engine: Engine,
  handle: number,
  gindices: readonly bigint[],
  type: ProofType = gindices.length === 1 ? 'single' : 'multi',
): Proof {
  switch (type) {
    case 'single': {
      if (gindices.length !== 1) throw new SpiculeError('INVALID_ARGUMENT', {}, 'a single proof is for one path');
      const [gindex] = gindices as [bigint];
      const witnesses = engine.prove(handle, gindices);
      return { type, gindex, leaf: engine.node(handle, gindex), witnesses };
    }
    case 'multi': {
      const witnesses = engine.prove(handle, gindices);
      const leaves = gindices.map((gindex) => engine.node(handle, gindex));
      return { type, gindices, leaves, witnesses };
    }
    case 'compactMulti': {
      const { descriptor, leaves } = engine.proveCompact(handle, gindices);
      return { type, leaves, descriptor };
    }
    case 'treeOffset': {
      const { descriptor, leaves } = engine.proveCompact(handle, gindices);
      return { type, offsets: offsetsOf(descriptor, leaves.length), leaves };
    }
    default:
      throw wrongType('type', 'a type of proof', type);
  }
}

const bitOf = (descriptor: Uint8Array, i: number): boolean =>
  ((descriptor[i >>> 3]! >>> (7 - (i & 7))) & 1) !== 0;

/** For each inner node in pre-order, the hashes of its left subtree. */
function offsetsOf(descriptor: Uint8Array, leaves: number): number[] {
  const nodes = 2 * leaves - 1;
  // From the end: the counts of the subtrees that begin after a node, the next one last.
  const counts: number[] = [];
  const offsets: number[] = [];
  for (let i = nodes - 1; i >= 0; i--) {
    if (bitOf(descriptor, i)) {
      counts.push(1);
    } else {
      const left = counts.pop()!;
      const right = counts.pop()!;
      offsets.push(left);
      counts.push(left + right);
    }
  }
  return offsets.reverse();
}

/** The descriptor of the same tree. `BAD_PROOF`. */
function descriptorOf(offsets: readonly unknown[], leaves: number): Bytes {
  const nodes = 2 * leaves - 1;
  const bad = () => new SpiculeError('BAD_PROOF', {}, 'offsets that are no tree of the hashes');
  if (leaves === 0 || offsets.length !== leaves - 1) throw bad();
  const descriptor = new Uint8Array(Math.ceil(nodes / 8));
  const open = [leaves];
  let next = 0;
  for (let i = 0; i < nodes; i++) {
    const count = open.pop()!;
    if (count === 1) {
      descriptor[i >>> 3]! |= 0x80 >>> (i & 7);
      continue;
    }
    const left = offsets[next++];
    if (!Number.isInteger(left)) throw bad();
    const size = left as number;
    if (size < 1 || size >= count) throw bad();
    open.push(count - size, size);
  }
  return descriptor;
}

/** The items of an array, each asked for once: the caller's array may be anything. */
function itemsArgument(items: unknown, name: string, of: string): unknown[] {
  if (!Array.isArray(items)) throw wrongType(name, `an array of ${of}`, items);
  return Array.from({ length: items.length }, (_, i) => items[i] as unknown);
}

function hashesArgument(hashes: unknown, name: string): readonly Uint8Array[] {
  return itemsArgument(hashes, name, 'Uint8Arrays')
    .map((hash, i) => hashArgument(hash, `${name}[${i}]`));
}

function hashArgument(hash: unknown, name: string): Uint8Array {
  const bytes = plainArgument(hash, name);
  if (bytes.length !== 32) throw new SpiculeError('BAD_PROOF', {}, `${name} of ${bytes.length} bytes`);
  return bytes;
}

/** Whether the proof holds for a tree with that root. */
export function verify(engine: Engine, root: Uint8Array, proof: Proof): boolean {
  const rootBytes = hashArgument(root, 'root');
  switch (proof?.type) {
    case 'single':
      return engine.verifyProof(
        rootBytes,
        [gindexArgument(proof.gindex)],
        [hashArgument(proof.leaf, 'leaf')],
        hashesArgument(proof.witnesses, 'witnesses'),
      );
    case 'multi': {
      const gindices = itemsArgument(proof.gindices, 'gindices', 'bigints').map(gindexArgument);
      const leaves = hashesArgument(proof.leaves, 'leaves');
      if (leaves.length !== gindices.length) {
        const note = `leaves for ${leaves.length} of ${gindices.length} generalized indices`;
        throw new SpiculeError('BAD_PROOF', {}, note);
      }
      const witnesses = hashesArgument(proof.witnesses, 'witnesses');
      return engine.verifyProof(rootBytes, gindices, leaves, witnesses);
    }
    case 'compactMulti': {
      const leaves = hashesArgument(proof.leaves, 'leaves');
      return engine.verifyCompact(rootBytes, plainArgument(proof.descriptor, 'descriptor'), leaves);
    }
    case 'treeOffset': {
      const leaves = hashesArgument(proof.leaves, 'leaves');
      const offsets = itemsArgument(proof.offsets, 'offsets', 'numbers');
      return engine.verifyCompact(rootBytes, descriptorOf(offsets, leaves.length), leaves);
    }
    default:
      throw wrongType('proof', 'a proof', proof);
  }
}

/** The generalized indices of the hashes of a compact proof, from left to right. */
export function compactGindices(engine: Engine, descriptor: Uint8Array): bigint[] {
  return engine.compactGindices(plainArgument(descriptor, 'descriptor'));
}
