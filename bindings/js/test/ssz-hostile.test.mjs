// What the caller's own JavaScript may do while the package works: use it meanwhile, change a value
// while it is read, lie about lengths, run out of stack. Values are right or refused, others are as
// they were, and the instance goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

import { BitArray, SpiculeError, createInstanceSync } from '../../../dist/ssz.js';
import * as layer from '../../../dist/ssz/chainsafe.js';
import { createInstanceSync as createSponge } from '../../../dist/sponge.js';
import { throwsSpicule, throwsType } from './support/errors.mjs';
import { hex } from './support/ssz-vectors.mjs';

const ssz = createInstanceSync();
const Inner = ssz.container({ a: ssz.uint64, root: ssz.byteVector(32) }, { name: 'Inner' });
const Outer = ssz.container({
  id: ssz.uint16,
  inner: Inner,
  flags: ssz.bitlist(2000),
  mask: ssz.bitvector(12),
  numbers: ssz.list(ssz.uint64, 5000),
  pairs: ssz.vector(ssz.vector(ssz.uint8, 2), 3),
  inners: ssz.progressiveList(Inner),
  names: ssz.list(ssz.byteList(40), 50),
  either: ssz.union([null, ssz.uint32, ssz.list(Inner, 3)]),
}, { name: 'Outer' });

const inner = (n) => ({ a: BigInt(n), root: new Uint8Array(32).fill(n) });
const outer = (n) => ({
  id: n,
  inner: inner(n),
  flags: Array.from({ length: 10 * n }, (_, i) => i % 3 === 0),
  mask: Array.from({ length: 12 }, (_, i) => i % 2 === 0),
  numbers: Array.from({ length: 50 * n }, (_, i) => BigInt(i * n)),
  pairs: [[1, n], [2, n], [3, n]],
  inners: Array.from({ length: n }, (_, i) => inner(i)),
  names: Array.from({ length: n }, (_, i) => new Uint8Array(i).fill(n)),
  either: { selector: 2, data: [inner(n)] },
});

/** Uses the instance in ways that take its buffer, the first times so that its memory grows. */
function interferer() {
  let runs = 0;
  const kept = [];
  const any = ssz.progressiveByteList();
  const run = () => {
    const bytes = new Uint8Array(runs < 15 ? 100 * 2 ** runs : 100).fill(0xee);
    any.hashTreeRoot(bytes);
    if (kept.length < 20) kept.push(any.view(bytes));
    else kept[runs % 20].set(3, 7);
    if (runs++ < 100) Outer.toJSONString(outer(1));
  };
  return { run, dispose: () => kept.forEach((view) => view.dispose()) };
}

/** The value with code of the caller's behind every property of it. */
function hostile(value, run) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return new Proxy(value, {
    get(target, key) {
      run();
      return hostile(target[key], run);
    },
    getOwnPropertyDescriptor(target, key) {
      run();
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

/** The object with code of the caller's before every property of it. */
function getters(object, run) {
  const entries = Object.entries(object).map(([key, value]) => {
    const get = () => {
      run();
      return value;
    };
    return [key, { enumerable: true, get }];
  });
  return Object.defineProperties({}, Object.fromEntries(entries));
}

const view = Outer.toView(outer(4));
const OPERATIONS = {
  serialize: (v) => Outer.serialize(v.outer),
  'serialize, of fixed size': (v) => Inner.serialize(v.inner),
  serializeInto: (v) => {
    const out = new Uint8Array(10_000);
    Outer.serializeInto(out, v.outer);
    return out;
  },
  size: (v) => Outer.size(v.outer),
  equals: (v) => Outer.equals(v.outer, outer(4)),
  hashTreeRoot: (v) => Outer.hashTreeRoot(v.outer),
  toJSON: (v) => Outer.toJSON(v.outer),
  fromJSON: (v) => Inner.fromJSON(v.json),
  toView: (v) => use(Outer.toView(v.outer)),
  'assign a field': (v) => changed((to) => { to.inner = v.inner; }),
  'assign a field of variable size': (v) => changed((to) => { to.names = v.names; }),
  'assign bits': (v) => changed((to) => { to.flags = v.flags; to.mask = v.mask; }),
  'set of a list': (v) => changed((to) => to.inners.set(1, v.inner)),
  'set of a vector in one piece': (v) => changed((to) => to.pairs.set(1, v.pairs[2])),
  'setAll of numbers': (v) => changed((to) => to.numbers.setAll(v.numbers)),
  'setAll of numbers in one piece': (v) => changed((to) => to.pairs.get(0).setAll(v.pairs[1])),
  'setAll of containers': (v) => changed((to) => to.inners.setAll(v.inners)),
  'setAll of lists': (v) => changed((to) => to.names.setAll(v.names)),
  'setAll of bits': (v) => changed((to) => { to.flags.setAll(v.flags); to.mask.setAll(v.mask); }),
  append: (v) => changed((to) => to.numbers.append(v.numbers)),
  'push of one': (v) => changed((to) => to.inners.push(v.inner)),
  'push of several': (v) => changed((to) => to.inners.push(v.inner, v.inners[1], v.inners[2])),
  'set of a union': (v) => changed((to) => to.either.set(v.either)),
  field: (v) => Outer.field(Outer.serialize(outer(4)), v.path),
  gindex: (v) => Outer.gindex(v.path),
  proof: (v) => view.proof(v.paths),
  verifyProof: (v) => v.proofs.map((proof) => ssz.verifyProof(view.hashTreeRoot(), proof)),
  'a container type': (v) => ssz.container(v.fields).serialize({ x: 1, y: 2n }),
};

function use(made) {
  const result = [made.serialize(), hex(made.hashTreeRoot())];
  made.dispose();
  return result;
}

function changed(change) {
  const copy = view.clone();
  change(copy);
  return use(copy);
}

test('code of the caller that uses the instance while a value is read changes nothing', () => {
  const paths = [['id'], ['inner', 'a']];
  const argument = {
    ...outer(4),
    outer: outer(4),
    json: { a: '5', root: `0x${'07'.repeat(32)}` },
    path: ['inners', 2, 'a'],
    paths,
    proofs: ['multi', 'compactMulti', 'treeOffset'].map((type) => view.proof(paths, type)).concat(view.proof('id')),
    fields: { x: ssz.uint8, y: ssz.uint64 },
  };
  const root = hex(view.hashTreeRoot());
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const expected = operation(argument);
    const { run, dispose } = interferer();
    let runs = 0;
    const counted = () => {
      runs++;
      run();
    };
    // Types are what they are; getters give them.
    const given = name === 'a container type' ? { fields: getters(argument.fields, counted) } : hostile(argument, counted);
    assert.deepEqual(operation(given), expected, name);
    assert.ok(runs > 1, `${name} ${runs}`);
    dispose();
    assert.equal(hex(view.hashTreeRoot()), root, name);
  }
  assert.deepEqual(view.toValue(), Outer.deserialize(Outer.serialize(outer(4))));
  assert.equal(ssz.statistics().values, 1);
});

test('every part of a value is read once, so one that changes meanwhile is what was read', () => {
  const List = ssz.list(ssz.uint16, 100);
  const growing = new Proxy([], { get: (target, key) => {
    target.push(7);
    return Reflect.get(target, key);
  } });
  const bytes = List.serialize(growing);
  assert.equal(bytes.length, 2);
  let reads = 0;
  const shrinking = { get a() { return reads++ === 0 ? 5n : 'x'; }, root: new Uint8Array(32) };
  assert.equal(Inner.toView(shrinking).a, 5n);
  const Texts = ssz.list(ssz.byteList(1000), 10);
  let size = 1;
  const items = [null, null, null].map(() => ({ get: () => new Uint8Array(size *= 5) }));
  const texts = Object.defineProperties([], Object.fromEntries(items.map((item, i) => [i, { ...item, enumerable: true }])));
  assert.equal(Texts.deserialize(Texts.serialize(texts))[2].length, 125);
  // A list that is cut or freed while its new element is read.
  const list = ssz.list(Inner, 10).toView([inner(1), inner(2)]);
  throwsSpicule(() => list.set(1, { get a() { list.truncate(1); return 1n; }, root: new Uint8Array(32) }),
    { code: 'OUT_OF_RANGE', path: '[1]' });
  assert.equal(list.length, 1);
  throwsSpicule(() => list.push({ get a() { list.dispose(); return 1n; }, root: new Uint8Array(32) }), { code: 'INVALID_STATE' });
  assert.equal(hex(view.hashTreeRoot()), hex(Outer.hashTreeRoot(outer(4))));
});

test('lengths that lie are not believed', () => {
  class Short extends Uint8Array {
    get length() { return 1; }
    get byteLength() { return 1; }
  }
  const own = Object.defineProperty(new Uint8Array(5000), 'length', { value: 2 });
  const Any = ssz.byteList(2 ** 20);
  for (const liar of [new Short(5000), own]) {
    assert.equal(Any.serialize(liar).length, 5000);
    assert.equal(Any.deserialize(liar).length, 5000);
    assert.equal(hex(Any.hashTreeRoot(liar)), hex(Any.hashTreeRoot(new Uint8Array(5000))));
    const made = Any.view(liar);
    made.setBytes(liar);
    assert.equal(made.append(liar), undefined);
    assert.equal(made.length, 10_000);
    made.dispose();
    throwsSpicule(() => ssz.byteVector(2).serialize(liar), { code: 'WRONG_LENGTH', limit: 2 });
    throwsSpicule(() => ssz.verifyProof(liar, view.proof('id')), { code: 'BAD_PROOF' });
  }
  const longs = Object.defineProperty(BigUint64Array.of(1n, 2n, 3n), 'length', { value: 1 });
  assert.equal(ssz.list(ssz.uint64, 10).serialize(longs).length, 24);
  const fake = { [Symbol.toStringTag]: 'Uint8Array', length: 4, buffer: new ArrayBuffer(8), byteOffset: 0 };
  throwsType(() => Any.serialize(fake), 'value');
  throwsType(() => Any.view(Object.create(Uint8Array.prototype)), 'bytes');
  throwsType(() => Any.view(new DataView(new ArrayBuffer(8))), 'bytes');
  const foreign = runInNewContext('Uint8Array.of(1, 2, 3)');
  assert.deepEqual(Any.serialize(foreign), Uint8Array.of(1, 2, 3));
  assert.equal(hex(view.hashTreeRoot()), hex(Outer.hashTreeRoot(outer(4))));
});

test('field elements that change while they are read', () => {
  const { hash } = createSponge();
  const growing = new Proxy([1n, 2n], { get: (target, key) => {
    target.push(9n);
    return Reflect.get(target, key);
  } });
  assert.equal(typeof hash(growing), 'bigint');
  const liar = Object.defineProperty(new Uint8Array(64), 'length', { value: 32 });
  throwsSpicule(() => hash([1n, liar]), { code: 'WRONG_LENGTH', index: 1 });
});

function deeper(dive, ...more) {
  try {
    dive(...more);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

test('a stack overflow of the caller that is caught leaves every value and the instance as they were', () => {
  const own = createInstanceSync();
  let type = own.container({ n: own.uint64, list: own.list(own.uint64, 100) }, { name: 'Deep' });
  let value = { n: 1n, list: [1n, 2n, 3n] };
  for (let i = 0; i < 27; i++) {
    type = i % 2 === 0 ? own.list(type, 4) : own.container({ x: type, y: own.uint8 }, { name: 'Deep' });
    value = i % 2 === 0 ? [value] : { x: value, y: 7 };
  }
  const bytes = type.serialize(value);
  const list = own.list(own.uint64, 2 ** 40).toView(Array.from({ length: 3000 }, (_, i) => i));
  const deep = type.view(bytes);
  const root = hex(deep.hashTreeRoot());
  const text = type.toJSONString(bytes);
  let next = 0;
  const calls = [
    () => type.validate(bytes),
    () => type.view(bytes).dispose(),
    () => assert.equal(hex(type.hashTreeRoot(bytes)), root),
    () => type.fromJSONString(text),
    () => type.toJSONString(bytes),
    () => deep.clone().dispose(),
    () => deep.serialize(),
    () => list.set(next % 3000, next),
    () => list.get(next % 3000),
    () => list.push(next),
    () => list.hashTreeRoot(),
    () => list.proof(`[${next % 3000}]`),
    () => own.parseType('List[List[uint16, 5], 7]'),
    () => own.container({ [`f${next}`]: own.uint8 }),
  ];
  const dives = [
    (run) => {
      const dive = () => {
        deeper(dive);
        run();
      };
      dive();
    },
    (run) => {
      const dive = (a, b, c, d) => {
        deeper(dive, a, b, c, d);
        run(a, b, c, d);
      };
      dive();
    },
  ];
  let refused = 0;
  let made = 0;
  for (const call of calls) {
    // Code that the engine has not compiled yet needs more stack around the module, other code less.
    for (const warm of [0, 1000]) {
      for (let i = 0; i < warm; i++) call();
      for (const dive of dives) {
        const errors = [];
        let left = 1000;
        dive(() => {
          if (left-- <= 0) return;
          try {
            next++;
            call();
            made++;
          } catch (error) {
            errors.push(error);
          }
        });
        for (const error of errors) assert.ok(!(error instanceof SpiculeError), `${error}`);
        refused += errors.length;
      }
    }
  }
  assert.ok(refused > 100 && made > 100, `${refused} ${made}`);
  assert.equal(hex(deep.hashTreeRoot()), root);
  assert.deepEqual(deep.toValue(), type.deserialize(bytes));
  assert.equal(hex(list.hashTreeRoot()), hex(list.$type.hashTreeRoot(list.toValue())));
  list.push(1n);
  assert.equal(list.get(list.length - 1), 1n);
});

test('selectors and options of unions that are none', () => {
  for (const options of [{ 257: ssz.uint8 }, { '-1': ssz.uint8 }, { 1.5: ssz.uint8 }, { x: ssz.uint8 }, { 128: ssz.uint8 }, { 0: ssz.uint8 }, { 1: ssz.uint8, 257: ssz.uint8 }]) {
    assert.throws(() => ssz.compatibleUnion(options), (error) => error.code === 'BAD_SELECTOR', Object.keys(options).join());
  }
  const holes = [ssz.uint8];
  holes[2] = ssz.uint16;
  throwsType(() => ssz.union(holes), 'options[1]');
  throwsType(() => ssz.union([ssz.uint8, undefined]), 'options[1]');
  throwsType(() => ssz.compatibleUnion({ 1: null }), 'options[1]');
  throwsType(() => ssz.union({ 0: ssz.uint8 }), 'options');
  throwsType(() => ssz.union(undefined), 'options');
  throwsType(() => ssz.compatibleUnion(null), 'options');
  throwsType(() => new layer.UnionType([new layer.NoneType(), undefined]), 'options[1]');
});

test('arguments of builders that are none', () => {
  for (const build of [ssz.list, ssz.vector]) {
    throwsType(() => build(undefined, 5), 'element');
    throwsType(() => build({}, 5), 'element');
    throwsType(() => build(ssz.uint8, '5'), build === ssz.list ? 'limit' : 'length');
    throwsSpicule(() => build(ssz.uint8, 1.5), { code: 'INVALID_ARGUMENT' });
  }
  throwsType(() => ssz.progressiveList('uint8'), 'element');
  throwsType(() => ssz.container({ a: ssz.uint8, b: undefined }), 'fields.b');
  throwsType(() => ssz.container(undefined), 'fields');
  throwsType(() => ssz.container(null), 'fields');
  throwsType(() => ssz.container({ a: ssz.uint8 }, { name: 5 }), 'name');
  throwsType(() => ssz.progressiveContainer(undefined, { a: ssz.uint8 }), 'active');
  for (const bit of ['1', 2, undefined, 1n]) {
    throwsType(() => ssz.progressiveContainer([1, bit], { a: ssz.uint8 }), 'active[1]');
  }
  throwsType(() => ssz.fromSchema({ A: 'uint8' }, { constants: 5 }), 'constants');
  throwsType(() => ssz.bitlist({}), 'limit');
  // The type has a copy of its fields.
  const fields = { a: ssz.uint8 };
  const Box = ssz.container(fields);
  fields.a = ssz.uint64;
  fields.b = ssz.uint64;
  assert.deepEqual(Object.keys(Box.fields), ['a']);
  assert.equal(Box.serialize({ a: 1 }).length, 1);
});

test('arguments of views that are none', () => {
  const state = Outer.toView(outer(3));
  const root = hex(state.hashTreeRoot());
  for (const values of [undefined, null, 5, 'text', { length: 2 }, new DataView(new ArrayBuffer(8))]) {
    throwsType(() => state.numbers.append(values), 'values');
    throwsType(() => state.numbers.setAll(values), 'values');
    throwsType(() => state.inners.setAll(values), 'values');
  }
  throwsType(() => state.numbers.append([1n, 'x']), 'values[1]');
  throwsType(() => state.numbers.push(1n, undefined), 'values[1]');
  throwsSpicule(() => state.numbers.append([1n, -1n]), { code: 'INVALID_ARGUMENT', path: 'values[1]' });
  throwsSpicule(() => state.inners.push(inner(1), { a: 1n }), { code: 'MISSING_FIELD', path: 'values[1].root' });
  throwsSpicule(() => state.inners.setAll([inner(1), { a: 1n }]), { code: 'MISSING_FIELD', path: 'values[1].root' });
  throwsSpicule(() => state.names.setAll([new Uint8Array(1), new Uint8Array(41)]), { code: 'OVER_LIMIT', path: 'values[1]', limit: 40 });
  throwsType(() => state.inners.push(undefined), 'values[0]');
  throwsType(() => state.inners.set(0, { a: 'x', root: new Uint8Array(32) }), '[0].a');
  throwsType(() => state.flags.push(true, 1), 'bits[1]');
  throwsType(() => state.flags.setAll([true, 0]), '[1]');
  for (const index of ['1', undefined, null, 1n, {}, [1], true]) {
    throwsType(() => state.numbers.get(index), 'index');
    throwsType(() => state.numbers.set(index, 1n), 'index');
    throwsType(() => state.inners.get(index), 'index');
    throwsType(() => state.flags.get(index), 'index');
    throwsType(() => state.mask.set(index, true), 'index');
  }
  for (const index of [NaN, -1, 0.5, 1e20, 150]) {
    assert.throws(() => state.numbers.get(index), (error) => error.code === 'OUT_OF_RANGE', `${index}`);
    assert.throws(() => state.mask.get(index), (error) => error.code === 'OUT_OF_RANGE', `${index}`);
  }
  throwsType(() => state.proof([['id', {}]]), 'path[1]');
  throwsType(() => ssz.verifyProof(state.hashTreeRoot(), { type: 'multi', leaves: [], witnesses: [] }), 'gindices');
  throwsType(() => ssz.verifyProof(state.hashTreeRoot(), { type: 'treeOffset', leaves: [] }), 'offsets');
  // None of it changed anything, not even in part.
  assert.equal(hex(state.hashTreeRoot()), root);
  const full = ssz.list(Inner, 4).toView([inner(1), inner(2), inner(3)]);
  assert.throws(() => full.push(inner(4), inner(5)), (error) => error.code === 'OVER_LIMIT');
  assert.equal(full.length, 3);
  const bits = ssz.bitlist(4).toView([true, false, true]);
  assert.throws(() => bits.push(true, true), (error) => error.code === 'OVER_LIMIT');
  assert.equal(bits.length, 3);
  state.dispose();
});

test('a view of another type is refused, also where its bytes would do', () => {
  const state = Outer.toView(outer(3));
  const Other = ssz.container({ b: ssz.uint64, root: ssz.byteVector(32) }, { name: 'Other' });
  const Same = ssz.container({ a: ssz.uint64Number, root: ssz.vector(ssz.uint8, 32) }, { name: 'Same' });
  const other = Other.toView({ b: 1n, root: new Uint8Array(32) });
  throwsSpicule(() => { state.inner = other; }, { code: 'INVALID_ARGUMENT', path: 'inner' });
  throwsSpicule(() => state.inners.push(other), { code: 'INVALID_ARGUMENT', path: 'values[0]' });
  throwsSpicule(() => state.inners.set(0, other), { code: 'INVALID_ARGUMENT', path: '[0]' });
  throwsSpicule(() => state.inners.setAll([other]), { code: 'INVALID_ARGUMENT', path: 'values[0]' });
  throwsSpicule(() => { state.numbers = ssz.list(ssz.uint64, 4999).toView([]); }, { code: 'INVALID_ARGUMENT', path: 'numbers' });
  throwsSpicule(() => { state.flags = ssz.list(ssz.byte, 2000).view(Uint8Array.of(1)); }, { code: 'INVALID_ARGUMENT', path: 'flags' });
  const same = Same.toView({ a: 9, root: new Array(32).fill(1) });
  state.inner = same;
  assert.equal(state.inner.a, 9n);
  const foreign = createInstanceSync();
  state.inner = foreign.container({ a: foreign.uint64, root: foreign.byteVector(32) }).toView(inner(8));
  assert.equal(state.inner.a, 8n);
  state.dispose();
});

test('bits whose bytes and length do not fit', () => {
  for (const [bytes, length] of [[1, 9], [2, 8], [0, 1], [1, 0]]) {
    throwsSpicule(() => new BitArray(new Uint8Array(bytes), length), { code: 'WRONG_LENGTH', limit: Math.ceil(length / 8) });
  }
  throwsType(() => new BitArray([1], 8), 'bytes');
  throwsType(() => new BitArray(new Uint8Array(1), '8'), 'length');
  throwsSpicule(() => BitArray.ofLength(-1), { code: 'OUT_OF_RANGE' });
  const bits = new BitArray(Uint8Array.of(0xff), 3);
  assert.deepEqual(ssz.bitlist(8).serialize(bits), Uint8Array.of(0x0f));
  // Also of one that was changed afterwards.
  const changed = Object.assign(Object.create(BitArray.prototype), { bytes: new Uint8Array(100), length: 3 });
  throwsSpicule(() => ssz.bitlist(8).serialize(changed), { code: 'WRONG_LENGTH', limit: 1 });
  throwsSpicule(() => ssz.bitlist(8).serialize(Object.assign(changed, { length: 900 })), { code: 'WRONG_LENGTH', limit: 113 });
});
