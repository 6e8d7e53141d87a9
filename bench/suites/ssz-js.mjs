// The rows of the SSZ suite through JavaScript: the same operations on views of this package and of
// other libraries. A library is {types, view, fresh, drop, ...}: see bench/backends/ssz.mjs.
//
// Cold roots are of views that are made for each call; making one is timed by itself and taken off.
// Mutation rows start from a fresh view on a value with known roots.

import { fileURLToPath } from 'node:url';

import { probe } from '../lib/program.mjs';

const PROBE = fileURLToPath(new URL('./ssz-probe.mjs', import.meta.url));
const SIZE = 65536;
const ELEMENTS = 4096;
const ACCESSES = 1024;
const VALIDATORS = 200_000;
const GWEI = 32_000_000_000n;

const hex = (bytes) => Buffer.from(bytes).toString('hex');

function bitBytes(first, step) {
  const bytes = new Uint8Array(SIZE / 8 + 1);
  for (let i = first; i < SIZE; i += step) bytes[i >> 3] |= 1 << (i & 7);
  bytes[SIZE / 8] = 1;
  return bytes;
}

function listBytes() {
  const words = new BigUint64Array(4 * ELEMENTS);
  words.forEach((_, i) => (words[i] = BigInt(10_000 + 100 * (i >> 2) + (i & 3))));
  return new Uint8Array(words.buffer);
}

function containerBytes() {
  return new Uint8Array(BigUint64Array.from({ length: 64 }, (_, i) => BigInt(900_000 + i)).buffer);
}

/** Balances: numbers that are no small integers. */
function longBytes() {
  return new Uint8Array(BigUint64Array.from({ length: SIZE }, (_, i) => GWEI + BigInt(i % 1000)).buffer);
}

/** A state with the large lists of a beacon state; all data differs from element to element. */
export function stateBytes() {
  let seed = 1;
  const fill = (bytes) => {
    for (let i = 0; i < bytes.length; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      bytes[i] = seed >>> 24;
    }
  };
  const parts = [121 * VALIDATORS, 8 * VALIDATORS, VALIDATORS, VALIDATORS, 8 * VALIDATORS];
  const fixed = 8 + 32 * (8192 + 8192 + 65536);
  const head = fixed + 4 * parts.length;
  const bytes = new Uint8Array(head + parts.reduce((a, b) => a + b));
  const data = new DataView(bytes.buffer);
  fill(bytes.subarray(8, fixed));
  let at = head;
  parts.forEach((size, i) => {
    data.setUint32(fixed + 4 * i, at, true);
    fill(bytes.subarray(at, at + size));
    at += size;
  });
  for (let i = 0; i < VALIDATORS; i++) {
    const from = head + 121 * i;
    bytes[from + 88] &= 1;
    for (const offset of [80, 89, 97, 105, 113]) data.setUint32(from + offset + 4, i & 7, true);
    data.setUint32(head + 121 * VALIDATORS + 8 * i + 4, 7, true);
  }
  for (let i = 0; i < VALIDATORS; i++) data.setUint32(bytes.length - 8 * VALIDATORS + 8 * i + 4, 0, true);
  return bytes;
}

const SHAPES = {
  bitlist: { bytes: () => bitBytes(3, 17), variants: ['bounded', 'progressive'] },
  byteList: {
    bytes: () => Uint8Array.from({ length: SIZE }, (_, i) => 17 + 31 * i),
    variants: ['bounded', 'progressive'],
  },
  nonPrimitiveList: { bytes: listBytes, variants: ['bounded', 'progressive'] },
  container: { bytes: containerBytes, variants: ['bounded', 'progressive'] },
  numberList: { bytes: longBytes, variants: ['bounded', 'progressive'] },
  bigintList: { bytes: longBytes, variants: ['bounded', 'progressive'] },
  state200k: { bytes: stateBytes, variants: ['bounded'] },
};

/** Reads the fields by their names, as programs do, in the order of `place`. */
const fieldReader = (place) =>
  new Function('view', `return ${Array.from({ length: 64 }, (_, i) => `view.f${place(i)}`).join(' + ')};`);
const readFields = fieldReader((i) => i);
const readFieldsAtRandom = fieldReader((i) => (8191 * i + 17) % 64);

/**
 * Reads `count` places: random ones, or one after the other. Every shape has loops of its own, so
 * that the engine sees the calls of one shape there; sums so that nothing is left out.
 */
const READ = {
  bitlist(view, count, random) {
    let sum = 0;
    if (random) for (let i = 0; i < count; i++) sum += view.get((8191 * i + 17) % SIZE) ? 1 : 0;
    else for (let i = 0; i < count; i++) sum += view.get(i) ? 1 : 0;
    return sum;
  },
  byteList(view, count, random) {
    let sum = 0;
    if (random) for (let i = 0; i < count; i++) sum += view.get((8191 * i + 17) % SIZE);
    else for (let i = 0; i < count; i++) sum += view.get(i);
    return sum;
  },
  nonPrimitiveList(view, count, random) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const { a, b, c, d } = view.get(random ? (8191 * i + 17) % ELEMENTS : i);
      sum += a + b + c + d;
    }
    return sum;
  },
  numberList(view, count, random) {
    let sum = 0;
    if (random) for (let i = 0; i < count; i++) sum += view.get((8191 * i + 17) % SIZE);
    else for (let i = 0; i < count; i++) sum += view.get(i);
    return sum;
  },
  bigintList(view, count, random) {
    let sum = 0n;
    if (random) for (let i = 0; i < count; i++) sum += view.get((8191 * i + 17) % SIZE);
    else for (let i = 0; i < count; i++) sum += view.get(i);
    return Number(sum);
  },
  container: (view, _count, random) => (random ? readFieldsAtRandom(view) : readFields(view)),
};
const LENGTH = {
  bitlist: SIZE, byteList: SIZE, nonPrimitiveList: ELEMENTS, container: 64, numberList: SIZE, bigintList: SIZE,
};

let turn = 0;
const CHANGE = {
  bitlist: (view) => view.set(SIZE / 2, turn++ % 2 === 0),
  byteList: (view) => view.set(SIZE / 2, turn++ & 255),
  nonPrimitiveList: (view) => view.set(ELEMENTS / 2, view.$bench.element(turn++)),
  container: (view) => (view.f32 = turn++),
  state200k: (view) => view.balances.set(100_000, turn++),
};

/** Operation -> what one run does, given the library, the shape's name, and what was prepared. */
const OPERATIONS = {
  createView: ({ library, base }) => ({ run: () => library.drop(library.fresh(base)) }),
  deserialize: ({ library, type, bytes }) => ({ run: () => library.drop(library.view(type, bytes)) }),
  hashTreeRoot: ({ library, type, bytes }) => ({
    run() {
      const view = library.view(type, bytes);
      const root = view.hashTreeRoot();
      library.drop(view);
      return root;
    },
    takeOff: () => library.drop(library.view(type, bytes)),
  }),
  serialize: ({ base }) => ({ run: () => base.serialize() }),
  randomAccess: ({ shape, base }) => {
    const [read, count] = [READ[shape], Math.min(LENGTH[shape], ACCESSES)];
    return { run: () => read(base, count, true) };
  },
  sequentialAccess: ({ shape, base }) => {
    const [read, count] = [READ[shape], LENGTH[shape]];
    return { run: () => read(base, count, false) };
  },
  getAll: ({ base }) => ({
    run: () => base.getAll(),
    result: (all) => ({ sum: Number(BigInt(all[0]) + BigInt(all[SIZE - 1])) }),
  }),
  setAndCommit: (context) => mutation(context, CHANGE[context.shape], false),
  setCommitAndHash: (context) => mutation(context, CHANGE[context.shape], true),
  appendAndCommit: (context) => mutation(context, (view) => view.push(view.$bench.item(context.shape)), false),
};

function mutation({ library, base }, change, hash) {
  return {
    run() {
      const view = library.fresh(base);
      view.$bench = library;
      change(view);
      view.commit();
      const root = hash ? view.hashTreeRoot() : undefined;
      library.drop(view);
      return root;
    },
  };
}

/** The rows of each shape; of the lists of uint64, an element is an operation, in nanoseconds. */
const TREE_ROWS = ['createView', 'deserialize', 'hashTreeRoot', 'serialize', 'randomAccess', 'sequentialAccess',
  'setAndCommit', 'setCommitAndHash'];
const ROWS = {
  bitlist: [...TREE_ROWS, 'appendAndCommit'],
  byteList: [...TREE_ROWS, 'appendAndCommit'],
  nonPrimitiveList: [...TREE_ROWS, 'appendAndCommit'],
  container: TREE_ROWS,
  numberList: ['sequentialAccess', 'randomAccess', 'getAll'],
  bigintList: ['sequentialAccess', 'randomAccess', 'getAll'],
  state200k: ['deserialize', 'hashTreeRoot', 'serialize', 'setCommitAndHash', 'memory'],
};

/** How a row's figures are given where it is not the microseconds of one run. */
function scale(shape, operation) {
  if (operation === 'memory') return { unit: 'bytes', samples: 1, fixedRepetitions: 1 };
  if (shape !== 'numberList' && shape !== 'bigintList') return {};
  return { unit: 'ns', operations: operation === 'randomAccess' ? ACCESSES : SIZE };
}

export function offers(library) {
  return Object.entries(ROWS).flatMap(([shape, operations]) =>
    operations.flatMap((operation) => SHAPES[shape].variants.map((variant) =>
      ({
        case: `js/${shape}/${operation}`,
        variant,
        operations: 1,
        ...scale(shape, operation),
        reason: library.lacks?.[`${shape}/${operation}`],
      }))));
}

const fixtures = new Map();

/** The value of a shape that its operations start from, kept until the next shape: a state takes
 * seconds to make. */
function fixtureOf(library, shape, variant) {
  if (fixtures.get('shape') !== shape) fixtures.clear();
  fixtures.set('shape', shape);
  if (!fixtures.has(variant)) {
    const bytes = SHAPES[shape].bytes();
    const type = library.types[shape][variant];
    const base = library.view(type, bytes);
    const facts = { root: hex(base.hashTreeRoot()), size: base.serialize().length };
    fixtures.set(variant, { library, shape, bytes, type, base, facts });
  }
  return fixtures.get(variant);
}

export function prepare(library, { case: name, variant }, backend) {
  const [, shape, operation] = name.split('/');
  if (operation === 'memory') return { measure: () => probe(PROBE, backend, ['--expose-gc']) };
  const fixture = fixtureOf(library, shape, variant);
  const { run, takeOff, result: more } = OPERATIONS[operation](fixture);
  // Everyone starts from the same value, and what one run gives is the same.
  const result = (output) => ({
    [`${variant} root`]: fixture.facts.root,
    [`${variant} bytes`]: fixture.facts.size,
    ...(typeof output === 'number' ? { [`${variant} sum`]: output } : {}),
    ...more?.(output),
  });
  return { run, takeOff, result };
}
