// The migration layer: types files for @chainsafe/ssz run on it, and that package is the oracle for
// random operations and for the forms of proofs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import * as trees from '@chainsafe/persistent-merkle-tree';
import * as oracle from '@chainsafe/ssz';

import * as layer from '../../../dist/ssz/chainsafe.js';
import { verifyProof } from '../../../dist/ssz.js';
import { numbers } from './support/poseidon2.mjs';
import { hex, missing } from './support/ssz-vectors.mjs';

// What later forks have in another version than the vectors, by type.
const DIFFERING = ['electra.BeaconBlock', 'electra.BeaconBlockBody', 'electra.PendingAttestation',
  'electra.SignedBeaconBlock', 'gloas.PendingAttestation'];

for (const preset of ['minimal', 'mainnet']) {
  test(`the types of @lodestar/types give the ssz_static vectors, ${preset}`, { skip: missing }, () => {
    const script = fileURLToPath(new URL('./support/lodestar-vectors.mjs', import.meta.url));
    const hooks = new URL('./support/lodestar.mjs', import.meta.url).href;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', hooks, script, preset], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const { done, inexact, differing } = JSON.parse(stdout);
    for (const fork of ['phase0', 'altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu']) {
      assert.ok(done[fork] > 5, `${fork} ${done[fork]}`);
    }
    assert.ok(inexact > 0);
    assert.deepEqual(Object.keys(differing).sort(), DIFFERING);
  });
}

test('a program for @chainsafe/ssz gives the same through the layer, which only refuses more', () => {
  const script = fileURLToPath(new URL('./support/migrated.mjs', import.meta.url));
  const hooks = new URL('./support/lodestar.mjs', import.meta.url).href;
  const env = { ...process.env, LODESTAR_PRESET: 'minimal' };
  const [theirs, ours] = [[], ['--import', hooks]].map((args) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [...args, script], { encoding: 'utf8', env, maxBuffer: 2 ** 26 });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  });
  assert.ok(Object.keys(theirs).length > 100);
  for (const [name, value] of Object.entries(theirs)) {
    if (name.endsWith(' errors')) assert.ok(ours[name].every(([, result]) => result === 'throws'), name);
    else assert.deepEqual(ours[name], value, name);
  }
});

/** One set of types on either library. */
function typesOf({ ContainerType, ListBasicType, ListCompositeType, VectorCompositeType, ByteVectorType,
  ByteListType, BitListType, BitVectorType, UintNumberType, UintBigintType, BooleanType,
  ProgressiveListBasicType, ProgressiveListCompositeType }) {
  const Checkpoint = new ContainerType({ epoch: new UintNumberType(8, { clipInfinity: true }), root: new ByteVectorType(32) }, { typeName: 'Checkpoint', jsonCase: 'eth2' });
  const Validator = new ContainerType({
    pubkey: new ByteVectorType(48), effectiveBalance: new UintNumberType(8), slashed: new BooleanType(), exitEpoch: Checkpoint,
  }, { jsonCase: 'eth2' });
  const Attestation = new ContainerType({ aggregationBits: new BitListType(64), data: Checkpoint }, { jsonCase: 'eth2' });
  return {
    Checkpoint,
    State: new ContainerType({
      slot: new UintNumberType(8),
      supply: new UintBigintType(16),
      validators: new ListCompositeType(Validator, 2 ** 20),
      balances: new ListBasicType(new UintNumberType(8), 2 ** 30),
      scores: new ProgressiveListBasicType(new UintNumberType(1)),
      more: new ProgressiveListCompositeType(Checkpoint),
      attestations: new ListCompositeType(Attestation, 128),
      roots: new VectorCompositeType(new ByteVectorType(32), 8),
      justification: new BitVectorType(4),
      graffiti: new ByteListType(32),
    }, { typeName: 'State', jsonCase: 'eth2' }),
  };
}

const checkpoint = (n) => ({ epoch: n % 5 === 0 ? Infinity : n, root: new Uint8Array(32).fill(n) });
const validator = (n) => ({ pubkey: new Uint8Array(48).fill(n), effectiveBalance: 32e9 + n, slashed: n % 2 === 0, exitEpoch: checkpoint(n) });

function start(lib) {
  return {
    slot: 5,
    supply: 2n ** 100n,
    validators: [1, 2, 3, 4, 5].map(validator),
    balances: [1, 2, 3, 4, 5, 6],
    scores: [1, 2, 3],
    more: [checkpoint(7)],
    attestations: [1, 2].map((n) => ({ aggregationBits: lib.BitArray.fromBoolArray([true, n === 1, false]), data: checkpoint(n) })),
    roots: Array.from({ length: 8 }, (_, i) => new Uint8Array(32).fill(i)),
    justification: lib.BitArray.fromBoolArray([true, false, true, true]),
    graffiti: Uint8Array.of(1, 2, 3),
  };
}

const OPERATIONS = [
  (v, [x]) => { v.slot = x; },
  (v, [x, y]) => { v.validators.get(y % v.validators.length).effectiveBalance = x; },
  (v, [x, y]) => { v.validators.get(y % v.validators.length).exitEpoch.epoch = x; },
  (v, [x, y]) => { v.balances.set(y % v.balances.length, x); },
  (v, [x]) => { v.balances.push(x); },
  (v, [x]) => { v.scores.push(x % 256); },
  (v, [x, y]) => { v.scores.set(y % v.scores.length, x % 256); },
  (v, [x], types) => { v.validators.push(types.State.fields.validators.elementType.toViewDU(validator(x % 250))); },
  (v, [x], types) => { v.more.push(types.Checkpoint.toViewDU(checkpoint(x % 250))); },
  (v, [x, y]) => { v.more.get(y % v.more.length).epoch = x; },
  (v, [x, y]) => { v.attestations.get(y % 2).data.epoch = x; },
  (v, [x, y]) => { v.attestations.get(y % 2).aggregationBits.set(x % 3, y % 2 === 0); },
  (v, [x, y]) => { v.roots.set(y % 8, new Uint8Array(32).fill(x)); },
  (v, [x, y]) => { v.justification.set(y % 4, x % 2 === 0); },
  (v, [x]) => { v.graffiti = new Uint8Array(x % 32).fill(x); },
  (v, [x], types) => { v.attestations.get(0).data = types.Checkpoint.toViewDU(checkpoint(x % 250)); },
];

for (const seed of [11, 12, 13]) {
  test(`random operations on both libraries give the same bytes, roots and JSON, seed ${seed}`, () => {
    const ours = typesOf(layer);
    const theirs = typesOf(oracle);
    let a = ours.State.toViewDU(start(layer));
    let b = theirs.State.toViewDU(start(oracle));
    const same = (what) => {
      a.commit();
      b.commit();
      assert.equal(hex(a.hashTreeRoot()), hex(b.hashTreeRoot()), what);
      assert.equal(hex(a.serialize()), hex(b.serialize()), what);
    };
    same('start');
    const random = numbers(seed);
    const next = (n) => Number(random.next().value % BigInt(n));
    const kept = [];
    for (let step = 0; step < 300; step++) {
      const operation = OPERATIONS[next(OPERATIONS.length)];
      const numbersOfStep = [next(2 ** 40), next(1000)];
      operation(a, numbersOfStep, ours);
      operation(b, numbersOfStep, theirs);
      if (step % 10 === 0) same(`${step}`);
      if (step % 50 === 20) {
        same(`${step}`);
        kept.push([a.clone(), b.clone(true), hex(a.hashTreeRoot())]);
      }
      // Each goes on from what the other wrote.
      if (step % 50 === 40) {
        same(`${step}`);
        const [bytesOfA, bytesOfB] = [a.serialize(), b.serialize()];
        a.dispose();
        a = ours.State.deserializeToViewDU(bytesOfB);
        b = theirs.State.deserializeToViewDU(bytesOfA);
        same(`${step}, exchanged`);
      }
    }
    same('end');
    for (const [cloneA, cloneB, root] of kept) {
      assert.equal(hex(cloneA.hashTreeRoot()), root);
      assert.equal(hex(cloneB.hashTreeRoot()), root);
      assert.deepEqual(cloneA.serialize(), cloneB.serialize());
      cloneA.dispose();
    }
    assert.deepEqual(a.balances.getAll(), b.balances.getAll());
    assert.deepEqual(a.validators.getAllReadonlyValues(), b.validators.getAllReadonlyValues());
    const [valueA, valueB] = [a.toValue(), b.toValue()];
    assert.deepEqual(ours.State.toJson(valueA), theirs.State.toJson(valueB));
    assert.equal(hex(ours.State.serialize(ours.State.fromJson(theirs.State.toJson(valueB)))), hex(b.serialize()));
    // Both read what the other writes.
    assert.equal(hex(theirs.State.deserializeToViewDU(a.serialize()).hashTreeRoot()), hex(a.hashTreeRoot()));
    assert.equal(hex(ours.State.deserializeToViewDU(b.serialize()).hashTreeRoot()), hex(b.hashTreeRoot()));
    a.dispose();
  });
}

/** A random type on both libraries, and a maker of random values for either. */
function randomType(next, depth) {
  const both = (make) => [make(layer), make(oracle)];
  const bytes = (n) => Uint8Array.from({ length: n }, () => next(256));
  const size = () => 1 + next(40);
  const plain = (types, value) => ({ types, value: () => { const made = value(); return [made, made]; } });
  const bits = (length, make) => ({
    types: both(make),
    value: () => {
      const all = Array.from({ length: length() }, () => next(2) === 0);
      return [layer.BitArray.fromBoolArray(all), oracle.BitArray.fromBoolArray(all)];
    },
  });
  const sequence = (basic, make, length) => {
    const element = basic ? basics[next(basics.length)]() : randomType(next, depth - 1);
    return {
      types: [make(layer, element.types[0]), make(oracle, element.types[1])],
      value: () => {
        const items = Array.from({ length: length() }, () => element.value());
        return [items.map(([ours]) => ours), items.map(([, theirs]) => theirs)];
      },
    };
  };
  const fields = (make) => {
    const parts = Array.from({ length: 1 + next(6) }, (_, i) => [`f${i}`, randomType(next, depth - 1)]);
    const pick = (i) => Object.fromEntries(parts.map(([name, { types }]) => [name, types[i]]));
    const active = parts.flatMap(() => [...new Array(next(3)).fill(false), true]);
    return {
      types: [make(layer, pick(0), active), make(oracle, pick(1), active)],
      value: () => {
        const values = parts.map(([name, { value }]) => [name, value()]);
        return [0, 1].map((i) => Object.fromEntries(values.map(([name, of]) => [name, of[i]])));
      },
    };
  };
  const basics = [
    () => plain(both(({ BooleanType }) => new BooleanType()), () => next(2) === 0),
    ...[1, 2, 4, 8].map((width) => () =>
      plain(both(({ UintNumberType }) => new UintNumberType(width)), () => next(2 ** Math.min(8 * width, 53)))),
    ...[8, 16, 32].map((width) => () =>
      plain(both(({ UintBigintType }) => new UintBigintType(width)), () => BigInt(next(2 ** 50)) << BigInt(8 * width - 50))),
  ];
  const n = size();
  const composite = [
    () => plain(both(({ ByteVectorType }) => new ByteVectorType(n)), () => bytes(n)),
    () => plain(both(({ ByteListType }) => new ByteListType(n)), () => bytes(next(n + 1))),
    () => bits(() => n, ({ BitVectorType }) => new BitVectorType(n)),
    () => bits(() => next(n + 1), ({ BitListType }) => new BitListType(n)),
    () => bits(() => next(1500), ({ ProgressiveBitListType }) => new ProgressiveBitListType()),
    () => sequence(true, ({ ListBasicType }, of) => new ListBasicType(of, n), () => next(n + 1)),
    () => sequence(true, ({ VectorBasicType }, of) => new VectorBasicType(of, n), () => n),
    () => sequence(true, ({ ProgressiveListBasicType }, of) => new ProgressiveListBasicType(of), () => next(300)),
  ];
  const nested = [
    () => sequence(false, ({ ListCompositeType }, of) => new ListCompositeType(of, n), () => next(Math.min(n + 1, 6))),
    () => sequence(false, ({ VectorCompositeType }, of) => new VectorCompositeType(of, 1 + n % 4), () => 1 + n % 4),
    () => sequence(false, ({ ProgressiveListCompositeType }, of) => new ProgressiveListCompositeType(of), () => next(8)),
    () => fields(({ ContainerType }, of) => new ContainerType(of)),
    () => fields(({ ProgressiveContainerType, BitArray }, of, active) => new ProgressiveContainerType(of, BitArray.fromBoolArray(active))),
  ];
  const kinds = depth > 0 ? [...composite, ...nested, ...nested] : composite;
  return kinds[next(kinds.length)]();
}

test('random types and values: each library reads what the other writes, with the same roots', () => {
  const random = numbers(5);
  const next = (n) => Number(random.next().value % BigInt(n));
  for (let i = 0; i < 150; i++) {
    const { types: [ours, theirs], value } = randomType(next, 3);
    const [a, b] = value();
    const what = `${i} ${ours.typeName}`;
    const bytes = ours.serialize(a);
    assert.equal(hex(bytes), hex(theirs.serialize(b)), what);
    const root = hex(theirs.hashTreeRoot(b));
    assert.equal(hex(ours.hashTreeRoot(a)), root, what);
    assert.equal(hex(ours.hashTreeRoot(bytes)), root, what);
    assert.equal(hex(ours.serialize(ours.deserialize(theirs.serialize(b)))), hex(bytes), what);
    assert.equal(hex(theirs.serialize(theirs.deserialize(bytes))), hex(bytes), what);
    const [viewA, viewB] = [ours.deserializeToViewDU(theirs.serialize(b)), theirs.deserializeToViewDU(bytes)];
    if (ours.isBasic || viewA.hashTreeRoot === undefined) continue;
    assert.equal(hex(viewA.hashTreeRoot()), root, what);
    assert.equal(hex(viewB.hashTreeRoot()), root, what);
    assert.deepEqual(ours.toJson(ours.toValueFromViewDU(viewA)), theirs.toJson(theirs.toValueFromViewDU(viewB)), what);
    viewA.dispose();
  }
});

test('proofs in all forms are those of @chainsafe/persistent-merkle-tree', () => {
  const ours = typesOf(layer).State;
  const theirs = typesOf(oracle).State;
  const a = ours.toViewDU(start(layer));
  const b = theirs.toViewDU(start(oracle));
  const root = a.hashTreeRoot();
  const paths = [['slot'], ['validators', 3, 'exitEpoch', 'root'], ['balances', 1], ['more', 0]];
  const gindices = paths.map((path) => ours.getPathInfo(path).gindex);
  assert.deepEqual(gindices, paths.map((path) => theirs.getPathInfo(path).gindex));
  const { ProofType, createProof, computeDescriptor, Tree } = trees;
  const node = b.node;
  const plain = (proof) => JSON.parse(JSON.stringify(proof, (_, value) =>
    (typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? hex(value) : value)));
  for (const gindex of gindices) {
    const single = createProof(node, { type: ProofType.single, gindex });
    assert.deepEqual(plain(a.proof(gindex)), plain(single));
    assert.equal(verifyProof(root, single), true);
  }
  const multi = createProof(node, { type: ProofType.multi, gindices });
  assert.deepEqual(plain(a.proof(multi.gindices, 'multi')), plain(multi));
  assert.equal(verifyProof(root, multi), true);
  const compact = createProof(node, { type: ProofType.compactMulti, descriptor: computeDescriptor(gindices) });
  assert.deepEqual(plain(a.proof(gindices, 'compactMulti')), plain(compact));
  assert.equal(verifyProof(root, compact), true);
  const offsets = createProof(node, { type: ProofType.treeOffset, gindices });
  assert.deepEqual(plain(a.createProof(paths)), plain(offsets));
  assert.equal(verifyProof(root, offsets), true);
  for (const proof of [a.proof(gindices, 'multi'), a.proof(gindices, 'compactMulti'), a.createProof(paths)]) {
    assert.equal(hex(Tree.createFromProof(proof).root), hex(root));
  }
});

test('numbers that are not exact are an error, both ways; infinity is 2^64 - 1', () => {
  const number = new layer.UintNumberType(8);
  const infinity = new layer.UintNumberType(8, { clipInfinity: true });
  const ones = new Uint8Array(8).fill(255);
  assert.throws(() => number.deserialize(ones), (error) => error.code === 'INVALID_ARGUMENT');
  assert.throws(() => number.serialize(2 ** 53), (error) => error.code === 'INVALID_ARGUMENT');
  assert.throws(() => infinity.deserialize(Uint8Array.of(254, 255, 255, 255, 255, 255, 255, 255)));
  assert.equal(infinity.deserialize(ones), Infinity);
  assert.deepEqual(infinity.serialize(Infinity), ones);
  assert.equal(infinity.toJson(Infinity), '18446744073709551615');
  assert.equal(infinity.fromJson('18446744073709551615'), Infinity);
  assert.equal(hex(number.hashTreeRoot(ones)), `0x${'ff'.repeat(8)}${'00'.repeat(24)}`);
});

/** A type of each kind. */
function eachKind(m) {
  const long = new m.UintNumberType(8);
  const Mixed = new m.ContainerType({ a: long, b: new m.ByteListType(32), c: new m.UintBigintType(16) }, { jsonCase: 'eth2' });
  return {
    long, Mixed,
    boolean: new m.BooleanType(),
    bytes: new m.ByteVectorType(48),
    byteList: new m.ByteListType(100),
    bits: new m.BitListType(9),
    bitVector: new m.BitVectorType(300),
    longs: new m.ListBasicType(long, 9),
    list: new m.ListCompositeType(Mixed, 9),
    vector: new m.VectorBasicType(long, 3),
    composites: new m.VectorCompositeType(Mixed, 2),
    progressiveLongs: new m.ProgressiveListBasicType(long),
    progressiveList: new m.ProgressiveListCompositeType(Mixed),
    progressiveBits: new m.ProgressiveBitListType(),
    progressiveBytes: new m.ProgressiveByteListType(),
    union: new m.UnionType([new m.NoneType(), long]),
    compatibleUnion: new m.CompatibleUnionType({ 1: long }),
  };
}

test('what types say of themselves is what those of @chainsafe/ssz say', () => {
  const theirs = eachKind(oracle);
  for (const [name, type] of Object.entries(eachKind(layer))) {
    for (const what of ['minSize', 'maxSize', 'maxChunkCount', 'depth', 'isBasic']) {
      assert.equal(type[what], theirs[name][what], `${name} ${what}`);
    }
    if (type.isBasic) continue;
    assert.equal(type.isList, theirs[name].isList, name);
    if (name !== 'union') assert.equal(type.isViewMutable, theirs[name].isViewMutable, name);
  }
  const [mine, other] = [eachKind(layer).Mixed, theirs.Mixed];
  for (const field of ['a', 'b', 'c']) {
    assert.equal(mine.getPropertyGindex(field), other.getPropertyGindex(field));
    assert.equal(mine.getPropertyType(field).typeName, other.getPropertyType(field).typeName);
  }
  const of = ({ fieldsEntries }) =>
    fieldsEntries.map(({ fieldName, fieldType, jsonKey, gindex }) => [fieldName, fieldType.typeName, jsonKey, gindex]);
  assert.deepEqual(of(mine), of(other));
  assert.equal(eachKind(layer).list.getPropertyGindex(3), theirs.list.getPropertyGindex(3));
  assert.throws(() => mine.getPropertyType('nothing'), { code: 'NOT_FOUND', path: 'nothing' });
});

test('values go into the middle of bytes and out of it as with @chainsafe/ssz', () => {
  const value = { a: 5, b: Uint8Array.of(1, 2, 3), c: 7n };
  const results = [oracle, layer].map((library) => {
    const type = eachKind(library).Mixed;
    const uint8Array = new Uint8Array(64);
    const views = { uint8Array, dataView: new DataView(uint8Array.buffer) };
    const end = type.value_serializeToBytes(views, 10, value);
    assert.equal(end - 10, type.value_serializedSize(value));
    return [end, uint8Array, type.value_deserializeFromBytes(views, 10, end)];
  });
  assert.deepEqual(results[1], results[0]);
  const type = eachKind(layer).Mixed;
  const small = { uint8Array: new Uint8Array(5), dataView: undefined };
  assert.throws(() => type.value_serializeToBytes(small, 0, value), { code: 'BUFFER_TOO_SMALL' });
  assert.throws(() => type.toViewDU(value).serializeToBytes(small, 0), { code: 'BUFFER_TOO_SMALL' });
});

test('views know their type, and forget nothing when their cache is cleared', () => {
  const type = eachKind(layer).list;
  const view = type.toViewDU([{ a: 1, b: new Uint8Array(1), c: 2n }]);
  assert.equal(view.type, type);
  view.get(0).a = 9;
  view.clearCache();
  assert.equal(view.toValue()[0].a, 9);
  const other = type.toViewDUFromView(view);
  other.get(0).a = 10;
  assert.equal(view.get(0).a, 9);
  const bits = eachKind(layer).bits.toViewDU(layer.BitArray.fromBoolArray([true, false, true]));
  assert.deepEqual(bits.bitArray.getTrueBitIndexes(), [0, 2]);
});
