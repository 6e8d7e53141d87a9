// What views promise: own writes are seen at once, parts reach the whole at commit, the same part is
// the same view, clones never change; random operations against plain values.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createInstanceSync } from '../../../dist/ssz.js';
import { numbers } from './support/poseidon2.mjs';
import { throwsSpicule, throwsType } from './support/errors.mjs';
import { hex } from './support/ssz-vectors.mjs';

const ssz = createInstanceSync();
const Checkpoint = ssz.container({ epoch: ssz.uint64, root: ssz.byteVector(32) }, { name: 'Checkpoint' });
const Validator = ssz.container({
  pubkey: ssz.byteVector(48), effectiveBalance: ssz.uint64, slashed: ssz.boolean, exit: Checkpoint,
});
const Attestation = ssz.container({ bits: ssz.bitlist(64), data: Checkpoint, more: ssz.list(Checkpoint, 8) });

function stateType(list) {
  return ssz.container({
    slot: ssz.uint64,
    ok: ssz.boolean,
    fork: Checkpoint,
    flags: ssz.bitvector(12),
    validators: list(Validator, 1000),
    balances: list(ssz.uint64, 1000),
    scores: list(ssz.byte, 1000),
    attestations: list(Attestation, 1000),
    roots: ssz.vector(ssz.byteVector(32), 4),
    extra: ssz.byteList(100),
  });
}
const State = stateType(ssz.list);
const Progressive = stateType((element) => ssz.progressiveList(element));

const checkpoint = (n) => ({ epoch: BigInt(n), root: new Uint8Array(32).fill(n) });
const validator = (n) => ({
  pubkey: new Uint8Array(48).fill(n), effectiveBalance: BigInt(n), slashed: n % 2 === 1, exit: checkpoint(n),
});
const attestation = (n) => ({
  bits: Array.from({ length: n % 64 }, (_, i) => i % 3 === 0), data: checkpoint(n), more: [checkpoint(n)],
});
const start = () => ({
  slot: 5n,
  ok: true,
  fork: checkpoint(1),
  flags: Array.from({ length: 12 }, (_, i) => i % 2 === 0),
  validators: [1, 2, 3].map(validator),
  balances: [10n, 20n, 30n],
  scores: [1, 2, 3],
  attestations: [4, 5].map(attestation),
  roots: [1, 2, 3, 4].map((n) => new Uint8Array(32).fill(n)),
  extra: Uint8Array.of(1, 2, 3),
});

for (const [name, type] of [['bounded', State], ['progressive', Progressive]]) {
  test(`${name}: reads see writes, parts reach the whole, clones stay`, () => {
    const view = type.toView({ ...start(), scores: Uint8Array.of(1, 2, 3) });
    const before = view.clone();
    const old = hex(before.hashTreeRoot());
    assert.equal(view.validators, view.validators);
    assert.equal(view.validators.get(1), view.validators.get(1));
    assert.equal(view.fork, view.fork);
    const validators = view.validators;
    const second = validators.get(1);
    second.effectiveBalance = 77n;
    second.exit.epoch = 78;
    assert.equal(view.validators.get(1).effectiveBalance, 77n);
    assert.equal(view.validators.get(1).exit.epoch, 78n);
    view.attestations.get(0).data.epoch = 79n;
    view.attestations.get(0).bits.set(1, true);
    view.attestations.get(1).more.push(checkpoint(80));
    view.flags.set(1, true);
    view.balances.set(2, 81n);
    view.balances.push(82, 83n);
    view.roots.set(3, new Uint8Array(32).fill(84));
    view.extra = Uint8Array.of(9);
    view.slot = 85;
    const value = view.toValue();
    assert.equal(value.validators[1].exit.epoch, 78n);
    assert.equal(value.attestations[0].data.epoch, 79n);
    assert.equal(value.attestations[0].bits.get(1), true);
    assert.equal(value.attestations[1].more.length, 2);
    assert.deepEqual(value.balances, [10n, 20n, 81n, 82n, 83n]);
    assert.equal(value.flags.get(1), true);
    assert.equal(value.roots[3][0], 84);
    assert.deepEqual(value.extra, Uint8Array.of(9));
    assert.equal(value.slot, 85n);
    assert.equal(hex(view.hashTreeRoot()), hex(type.hashTreeRoot(value)));
    assert.equal(hex(before.hashTreeRoot()), old);
    assert.equal(before.balances.length, 3);
    // Further changes after the commit.
    view.attestations.get(0).data.epoch = 100n;
    second.slashed = true;
    assert.equal(hex(view.hashTreeRoot()), hex(type.hashTreeRoot(view.toValue())));
    assert.equal(view.toValue().attestations[0].data.epoch, 100n);
    view.dispose();
    before.dispose();
  });
}

test('a part that is replaced goes on as a view of its own', () => {
  const view = State.toView(start());
  const old = view.validators.get(0);
  const inner = old.exit;
  view.validators.set(0, validator(50));
  assert.notEqual(view.validators.get(0), old);
  old.effectiveBalance = 99n;
  inner.epoch = 98n;
  assert.equal(view.validators.get(0).effectiveBalance, 50n);
  assert.equal(old.effectiveBalance, 99n);
  assert.equal(old.toValue().exit.epoch, 98n);
  assert.equal(hex(old.hashTreeRoot()), hex(Validator.hashTreeRoot(old.toValue())));
  const last = view.attestations.get(1);
  view.attestations.pop();
  last.data.epoch = 3n;
  assert.equal(view.attestations.length, 1);
  assert.equal(last.data.epoch, 3n);
  view.dispose();
  assert.equal(old.effectiveBalance, 99n);
  old.dispose();
});

test('a view that is put into another one is its part from then on', () => {
  const view = State.toView(start());
  const added = Attestation.toView(attestation(9));
  view.attestations.push(added);
  assert.equal(view.attestations.get(2), added);
  added.data.epoch = 1234n;
  assert.equal(view.toValue().attestations[2].data.epoch, 1234n);
  const single = Checkpoint.toView(checkpoint(3));
  view.fork = single;
  assert.equal(view.fork, single);
  single.epoch = 4321n;
  assert.equal(view.toValue().fork.epoch, 4321n);
  // It has a place: elsewhere only what it holds goes.
  view.attestations.get(0).data = single;
  single.epoch = 1n;
  assert.equal(view.attestations.get(0).data.epoch, 4321n);
  const other = createInstanceSync().container({ epoch: ssz.uint64, root: ssz.byteVector(32) });
  view.fork = other.toView(checkpoint(8));
  assert.equal(view.toValue().fork.epoch, 8n);
  view.dispose();
});

test('random operations give what the same ones on plain values give', () => {
  const random = numbers(7);
  const next = (n) => Number(random.next().value % BigInt(n));
  for (const type of [State, Progressive]) {
    const view = type.toView(start());
    const value = type.deserialize(type.serialize(start()));
    let saved = { view: view.clone(), root: hex(view.hashTreeRoot()) };
    for (let step = 0; step < 400; step++) {
      const n = next(250);
      const any = (list) => next(list.length);
      switch (next(16)) {
        case 0: view.slot = n; value.slot = BigInt(n); break;
        case 1: {
          const i = any(value.validators);
          view.validators.get(i).effectiveBalance = n;
          value.validators[i].effectiveBalance = BigInt(n);
          break;
        }
        case 2: {
          const i = any(value.validators);
          view.validators.get(i).exit.epoch = n;
          value.validators[i].exit.epoch = BigInt(n);
          break;
        }
        case 3: view.validators.push(validator(n)); value.validators.push(validator(n)); break;
        case 4: {
          const i = any(value.validators);
          view.validators.set(i, validator(n));
          value.validators[i] = validator(n);
          break;
        }
        case 5: {
          const i = any(value.balances);
          view.balances.set(i, n);
          value.balances[i] = BigInt(n);
          assert.equal(view.balances.get(i), BigInt(n));
          break;
        }
        case 6: view.balances.append([n, n + 1]); value.balances.push(BigInt(n), BigInt(n + 1)); break;
        case 7: view.scores.push(n); value.scores = [...value.scores, n]; break;
        case 8: {
          const i = any(value.attestations);
          view.attestations.get(i).data.epoch = n;
          value.attestations[i].data.epoch = BigInt(n);
          break;
        }
        case 9: view.attestations.push(attestation(n)); value.attestations.push(Attestation.deserialize(Attestation.serialize(attestation(n)))); break;
        case 10: {
          const i = any(value.attestations);
          view.attestations.get(i).bits = attestation(n).bits;
          value.attestations[i].bits = Attestation.deserialize(Attestation.serialize(attestation(n))).bits;
          break;
        }
        case 11: view.roots.set(n % 4, new Uint8Array(32).fill(n)); value.roots[n % 4] = new Uint8Array(32).fill(n); break;
        case 12: view.fork = checkpoint(n); value.fork = checkpoint(n); break;
        case 13:
          if (value.balances.length > 4) {
            view.balances.truncate(value.balances.length - 3);
            value.balances.length -= 3;
          }
          if (value.validators.length > 5) {
            view.validators.pop();
            value.validators.pop();
          }
          break;
        case 14: {
          assert.equal(hex(saved.view.hashTreeRoot()), saved.root);
          saved.view.dispose();
          saved = { view: view.clone(), root: hex(type.hashTreeRoot({ ...value, scores: value.scores })) };
          break;
        }
        default:
          view.extra = new Uint8Array(n % 100).fill(n);
          value.extra = new Uint8Array(n % 100).fill(n);
      }
      if (step % 7 === 0) {
        assert.equal(hex(view.hashTreeRoot()), hex(type.hashTreeRoot(value)), `${step}`);
        assert.deepEqual(view.serialize(), type.serialize(value));
      }
    }
    assert.deepEqual(view.toValue().validators, value.validators);
    assert.deepEqual(view.validators.column('effectiveBalance'), BigUint64Array.from(value.validators, (each) => each.effectiveBalance));
    assert.deepEqual(view.balances.getAll(), BigUint64Array.from(value.balances));
    assert.deepEqual(view.validators.getAllValues(), value.validators);
    view.dispose();
    saved.view.dispose();
  }
});

test('bulk forms', () => {
  const list = ssz.list(ssz.uint64, 10_000).toView(Array.from({ length: 5000 }, (_, i) => i));
  list.setAll(BigUint64Array.of(7n, 8n, 9n), 1000);
  assert.deepEqual(list.getAll(999, 5), BigUint64Array.of(999n, 7n, 8n, 9n, 1003n));
  throwsSpicule(() => list.setAll([1], 5000), { code: 'OUT_OF_RANGE', index: 5000, limit: 5000 });
  const bits = ssz.bitlist(10_000).toView(Array.from({ length: 5000 }, (_, i) => i % 17 === 3));
  const other = ssz.bitlist(10_000).toView(Array.from({ length: 5000 }, (_, i) => i % 19 === 5));
  const both = Array.from({ length: 5000 }, (_, i) => i % 17 === 3 || i % 19 === 5);
  bits.or(other);
  assert.deepEqual(bits.getAll().toBooleans(), both);
  assert.equal(bits.count(), both.filter(Boolean).length);
  assert.deepEqual(both.map((_, i) => bits.get(i)), both);
  const bytes = ssz.progressiveByteList().view(new Uint8Array(3000).map((_, i) => 17 + 31 * i));
  bytes.set(2000, 1);
  bytes.push(5);
  assert.equal(bytes.get(2000), 1);
  assert.equal(bytes.getBytes().length, 3001);
  assert.equal(bytes.getBytes()[1999], (17 + 31 * 1999) & 255);
});

test('errors name the place', () => {
  const view = State.toView(start());
  throwsSpicule(() => view.balances.get(3), { code: 'OUT_OF_RANGE', index: 3, limit: 3 });
  throwsSpicule(() => view.balances.get(1.5), { code: 'OUT_OF_RANGE' });
  throwsSpicule(() => view.balances.set(0, -1n), { code: 'INVALID_ARGUMENT' });
  throwsSpicule(() => view.balances.set(0, 2 ** 60), { code: 'INVALID_ARGUMENT' });
  throwsSpicule(() => view.validators.get(3), { code: 'OUT_OF_RANGE', index: 3, limit: 3 });
  throwsSpicule(() => State.serialize({ ...start(), balances: new Array(1001).fill(1) }), { code: 'OVER_LIMIT', limit: 1000, path: 'balances' });
  throwsSpicule(() => State.serialize({ ...start(), fork: { epoch: 1 } }), { code: 'MISSING_FIELD', path: 'fork.root' });
  throwsType(() => State.serialize({ ...start(), balances: [1, 'x'] }), 'balances[1]');
  throwsType(() => State.view('x'), 'bytes');
  throwsType(() => (view.slot = 'x'), 'slot');
  const bytes = State.serialize(start());
  const bad = bytes.slice();
  bad[8] = 2;
  throwsSpicule(() => State.view(bad), { code: 'BAD_BOOLEAN', offset: 8, path: 'ok' });
  view.dispose();
  throwsSpicule(() => view.slot, { code: 'INVALID_STATE' });
  throwsSpicule(() => view.hashTreeRoot(), { code: 'INVALID_STATE' });
  view.dispose();
});

test('illegal types are refused when they are built', () => {
  throwsSpicule(() => ssz.container({}), { code: 'NO_FIELDS' });
  throwsSpicule(() => ssz.vector(ssz.uint8, 0), { code: 'ZERO_LENGTH' });
  throwsSpicule(() => ssz.progressiveContainer([1, 0], { a: ssz.uint8 }), { code: 'BAD_ACTIVE_FIELDS' });
  throwsSpicule(() => ssz.compatibleUnion({ 1: ssz.uint8, 2: ssz.uint16 }), { code: 'INCOMPATIBLE_OPTIONS', index: 1 });
  assert.throws(() => ssz.container({ 'no name': ssz.uint8 }), (error) => error.code === 'BAD_NAME');
});

test('constants of a schema come from a map', () => {
  const schema = { Balances: 'List[uint64, LIMIT]', Box: { kind: 'Container', fields: [['LIMIT', 'Vector[uint8, SIZE]']] } };
  const types = ssz.fromSchema(schema, { constants: { LIMIT: 2n ** 40n, SIZE: 4 } });
  assert.equal(types.Balances.typeName, 'List[uint64, 1099511627776]');
  assert.deepEqual(types.Box.defaultValue(), { LIMIT: [0, 0, 0, 0] });
  throwsSpicule(() => ssz.fromSchema(schema), { code: 'BAD_TYPE_TEXT', offset: 26, path: 'Balances' });
});

test('large values need little memory besides their own, and are as strict', () => {
  const own = createInstanceSync();
  const Box = own.container({
    slot: own.uint64,
    flags: own.list(own.boolean, 2n ** 40n),
    roots: own.vector(own.byteVector(32), 2 ** 16),
    balances: own.progressiveList(own.uint64),
    names: own.list(own.byteList(10), 2n ** 40n),
    inner: own.container({ bytes: own.byteList(2n ** 40n), n: own.uint8 }),
  });
  const count = 600_000;
  const value = {
    slot: 1n,
    flags: Array.from({ length: 3 * count }, (_, i) => i % 3 === 0),
    roots: Array.from({ length: 2 ** 16 }, (_, i) => new Uint8Array(32).fill(i)),
    balances: BigUint64Array.from({ length: count }, (_, i) => BigInt(i)),
    names: [new Uint8Array(3), new Uint8Array(0)],
    inner: { bytes: new Uint8Array(2 ** 21).fill(7), n: 9 },
  };
  const bytes = Box.serialize(value);
  const view = Box.view(bytes);
  assert.equal(hex(view.serialize()), hex(bytes));
  assert.ok(own.statistics().memory < 1.4 * bytes.length, `${own.statistics().memory / bytes.length}`);
  assert.equal(hex(view.hashTreeRoot()), hex(Box.hashTreeRoot(bytes)));
  const out = new Uint8Array(bytes.length);
  assert.equal(view.serializeInto(out), bytes.length);
  assert.deepEqual(out, bytes);
  assert.equal(view.balances.get(count - 1), BigInt(count - 1));
  view.dispose();
  // Offsets, a boolean, and bytes that may be anything.
  const tail = 12 + 2 ** 21;
  const changed = [8, 12, tail, tail + 4, tail + 8, tail + 12 + 5, bytes.length - 1].map((at) => {
    const bad = bytes.slice();
    bad[at] ^= 0xff;
    return bad;
  });
  const cut = [bytes.length - 1, 3, 2 ** 20 + 1].map((length) => bytes.subarray(0, length));
  const refused = [...changed, ...cut].filter((bad) => {
    let expected;
    try {
      Box.validate(bad);
    } catch (error) {
      expected = error.message;
    }
    if (expected === undefined) Box.view(bad).dispose();
    else assert.throws(() => Box.view(bad), (error) => error.message === expected);
    return expected !== undefined;
  });
  assert.ok(refused.length >= 7, `${refused.length}`);
  assert.equal(own.statistics().values, 0);
});

test('values stay under the cap of their instance, with an error that says so', () => {
  const small = createInstanceSync({ memoryLimit: 4 * 2 ** 20 });
  const bytes = new Uint8Array(2 ** 20);
  const views = [];
  throwsSpicule(() => {
    for (let i = 0; i < 10; i++) views.push(small.byteList(2 ** 21).view(bytes));
  }, { code: 'OUT_OF_MEMORY', limit: 4 * 2 ** 20 });
  assert.ok(views.length >= 2);
  const last = views[views.length - 1];
  last.set(5, 1);
  views.forEach((view) => view.dispose());
  for (let i = 0; i < 10; i++) small.byteList(2 ** 21).view(bytes).dispose();
  assert.equal(small.statistics().values, 0);
  assert.ok(small.statistics().memory < 8 * 2 ** 20);
  small.dispose();
  throwsSpicule(() => small.statistics(), { code: 'INVALID_STATE' });
});

test('unions', () => {
  const Legacy = ssz.union([null, ssz.uint16, Attestation]);
  const view = Legacy.toView({ selector: 0, data: null });
  assert.equal(view.data, null);
  view.set({ selector: 1, data: 300 });
  assert.equal(view.data, 300);
  view.set({ selector: 2, data: attestation(5) });
  view.data.data.epoch = 17n;
  assert.equal(view.toValue().data.data.epoch, 17n);
  assert.equal(view.selector, 2);
  throwsSpicule(() => Legacy.serialize({ selector: 3, data: 1 }), { code: 'UNKNOWN_OPTION' });
  assert.deepEqual(Legacy.field(view.serialize(), 'data').data.epoch, 17n);
});

test('a view of a part that is disposed leaves the whole as it was changed through it', () => {
  const Point = ssz.container({ x: ssz.uint64, y: ssz.uint8 });
  const Whole = ssz.container({ list: ssz.list(Point, 9), lists: ssz.list(ssz.list(ssz.uint8, 9), 9), point: Point });
  const view = Whole.defaultView();
  const { list } = view;
  list.push({ x: 1n, y: 2 });
  list.dispose();
  assert.throws(() => list.length, { code: 'INVALID_STATE' });
  assert.notEqual(view.list, list);
  assert.deepEqual(view.list.toValue(), [{ x: 1n, y: 2 }]);
  // Through a part of a part, and in one piece with the whole.
  view.lists.push([1]);
  const inner = view.lists.get(0);
  inner.push(2);
  inner.dispose();
  const { point } = view;
  point.x = 5n;
  point.dispose();
  assert.throws(() => { point.x = 6n; }, { code: 'INVALID_STATE' });
  const value = { list: [{ x: 1n, y: 2 }], lists: [[1, 2]], point: { x: 5n, y: 0 } };
  assert.deepEqual(view.toValue(), value);
  assert.deepEqual(view.hashTreeRoot(), Whole.hashTreeRoot(value));
  // After the whole, and twice.
  const late = view.list;
  view.dispose();
  late.dispose();
  late.dispose();
  assert.throws(() => view.serialize(), { code: 'INVALID_STATE' });
});
