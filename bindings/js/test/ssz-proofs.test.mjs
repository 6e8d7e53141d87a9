import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as ssz from '../../../dist/ssz.js';
import { throwsSpicule } from './support/errors.mjs';
import { caseTypes, hex, missing, readCases, readJson, readLines, readVector } from './support/ssz-vectors.mjs';

const bytesOf = (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
const fork = (preset, name) => ssz.fromSchema(readJson(`schemas-${preset}.json`), { section: name });

test('generalized indices are those of the vectors', { skip: missing }, () => {
  const schemas = new Map();
  let count = 0;
  for (const { fork: name, preset, type, path, gindex } of readJson('gindices.json')) {
    const key = `${preset}/${name}`;
    if (!schemas.has(key)) schemas.set(key, name === '-' || !preset ? ssz.fromSchema(readJson('generic-types.json')) : fork(preset, name));
    const made = schemas.get(key)[type] ?? ssz.parseType(type);
    assert.equal(String(made.gindex(path)), gindex, `${key} ${type} ${path}`);
    count++;
  }
  assert.ok(count > 100, `${count}`);
});

test('proofs of the vectors: made, verified, refused when anything changes', { skip: missing }, () => {
  const cases = new Map(readCases().map((each) => [each.path, each]));
  const types = caseTypes(ssz.fromSchema, [...cases.values()].filter(({ fork: name }) => name === 'electra'));
  let count = 0;
  for (const { path, root, gindices, leaves, proof } of readJson('proofs.json')) {
    const each = cases.get(path);
    const type = types.get(`${each.preset}/${each.fork}/${each.type}`);
    if (type === undefined) continue;
    const view = type.view(readVector(path));
    const made = view.proof(gindices.map(BigInt), 'multi');
    assert.deepEqual(made.leaves.map(hex), leaves);
    assert.deepEqual(made.witnesses.map(hex), proof);
    assert.equal(ssz.verifyProof(bytesOf(root), made), true);
    for (const kind of ['compactMulti', 'treeOffset']) {
      const other = view.proof(gindices.map(BigInt), kind);
      assert.equal(ssz.verifyProof(bytesOf(root), other), true);
      const wrong = other.leaves.map((leaf) => leaf.slice());
      wrong[0][0] ^= 1;
      assert.equal(ssz.verifyProof(bytesOf(root), { ...other, leaves: wrong }), false);
    }
    view.dispose();
    count++;
  }
  assert.ok(count > 20, `${count}`);
});

const State = ssz.container({
  slot: ssz.uint64,
  balances: ssz.list(ssz.uint64, 2n ** 40n),
  names: ssz.progressiveList(ssz.byteList(10)),
}, { name: 'State' });

test('proofs by paths, and the errors of bad ones', () => {
  const view = State.toView({ slot: 1, balances: [1, 2, 3, 4, 5], names: [new Uint8Array(3)] });
  const root = view.hashTreeRoot();
  const single = view.proof('balances[4]');
  assert.equal(single.type, 'single');
  assert.equal(single.gindex, State.gindex(['balances', 4]));
  assert.equal(single.leaf[0], 5);
  assert.equal(single.witnesses.length, 2 + 1 + 38);
  assert.equal(ssz.verifyProof(root, single), true);
  assert.equal(ssz.verifyProof(root, { ...single, gindex: single.gindex ^ 1n }), false);
  const several = view.proof([['slot'], ['names', 0]]);
  assert.equal(several.type, 'multi');
  assert.equal(ssz.verifyProof(root, several), true);
  assert.deepEqual(State.position('balances[5]'), { gindex: State.gindex('balances[5]'), bitOffset: 64, bitLength: 64 });
  throwsSpicule(() => ssz.verifyProof(root, { ...single, witnesses: single.witnesses.slice(1) }), { code: 'BAD_PROOF' });
  throwsSpicule(() => ssz.verifyProof(root, { type: 'treeOffset', offsets: [3, 1], leaves: [root, root, root] }), { code: 'BAD_PROOF' });
  throwsSpicule(() => view.proof('nothing'), { code: 'NOT_FOUND', offset: 0, path: 'nothing' });
  throwsSpicule(() => view.proof([8n ** 30n], 'single'), { code: 'NO_SUCH_NODE' });
  throwsSpicule(() => view.proof([2n, 4n]), { code: 'BAD_PROOF' });
  throwsSpicule(() => view.proof(2n ** 128n), { code: 'NO_SUCH_NODE' });
  view.slot = 2;
  assert.equal(ssz.verifyProof(view.hashTreeRoot(), view.proof('slot')), true);
  assert.equal(ssz.verifyProof(root, view.proof('slot')), false);
});

test('small values of the vectors have the JSON form of the specification', { skip: missing }, () => {
  const lines = readLines('values.jsonl').map((line) => JSON.parse(line));
  const cases = new Map(readCases().map((each) => [each.path, each]));
  const types = caseTypes(ssz.fromSchema, lines.map(({ path }) => cases.get(path)));
  for (const { path, value } of lines) {
    const each = cases.get(path);
    const type = types.get(`${each.preset}/${each.fork}/${each.type}`);
    const bytes = readVector(path);
    sameJson(type.toJSON(bytes), value, path);
    assert.deepEqual(type.fromJSON(type.toJSON(bytes)), type.deserialize(bytes), path);
    assert.deepEqual(type.serialize(type.fromJSON(value)), bytes, path);
  }
  assert.ok(lines.length > 100);
});

/** The vectors have uint8 and byte alike: sequences of both in hexadecimal, single ones decimal. */
function sameJson(actual, expected, path) {
  if (Array.isArray(actual) && typeof expected === 'string') {
    assert.equal(hex(actual.map(Number)), expected, path);
  } else if (typeof actual === 'object' && actual !== null) {
    assert.deepEqual(Object.keys(actual), Object.keys(expected), path);
    for (const key of Object.keys(actual)) sameJson(actual[key], expected[key], `${path} ${key}`);
  } else if (/^0x..$/.test(actual) && actual !== expected) {
    assert.equal(String(Number(actual)), String(expected), path);
  } else {
    assert.equal(String(actual), String(expected), path);
  }
}

test('JSON names fields in the case that is asked for', () => {
  const Inner = ssz.container({ effectiveBalance: ssz.uint64, slashed: ssz.boolean });
  const Outer = ssz.container({ validatorList: ssz.list(Inner, 4), someBytes: ssz.byteVector(2) });
  const value = { validatorList: [{ effectiveBalance: 2n ** 64n - 1n, slashed: true }], someBytes: Uint8Array.of(1, 2) };
  const json = { validator_list: [{ effective_balance: '18446744073709551615', slashed: true }], some_bytes: '0x0102' };
  assert.deepEqual(Outer.toJSON(value, { case: 'snake' }), json);
  assert.deepEqual(Outer.fromJSON({ ...json, more: 1 }, { case: 'snake' }), value);
  assert.deepEqual(Outer.fromJSON(Outer.toJSON(value)), value);
  const view = Outer.toView(value);
  assert.deepEqual(view.toJSON({ case: 'snake' }), json);
  assert.throws(() => Outer.fromJSON({ ...json, some_bytes: '0x01' }, { case: 'snake' }), (error) => {
    assert.equal(error.code, 'WRONG_LENGTH');
    assert.equal(error.path, 'someBytes');
    return true;
  });
  throwsSpicule(() => Inner.fromJSON({ slashed: true }), { code: 'MISSING_FIELD', offset: 16, path: 'effectiveBalance' });
});
