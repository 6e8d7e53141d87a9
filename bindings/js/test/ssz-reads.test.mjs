// Reads between changes: what views remember (pieces of memory, a copy of bits) is never stale.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as ssz from 'spicule/ssz';

/** Numbers from 0 to below `n` by rule. */
function generator(seed) {
  return (n) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
}

/** Reads most of `model`, back and forth, more often than a view reads before it takes a copy. */
function compare(view, model, below) {
  assert.equal(view.length, model.length);
  for (let i = 0; i < 60; i++) {
    const index = below(model.length);
    assert.equal(view.get(index), model[index], `element ${index}`);
  }
  assert.throws(() => view.get(model.length), { code: 'OUT_OF_RANGE' });
  assert.throws(() => view.get(-1), { code: 'OUT_OF_RANGE' });
  assert.throws(() => view.get(0.5), { code: 'OUT_OF_RANGE' });
}

const KINDS = {
  bitlist: [() => ssz.bitlist(40_000), (below) => below(2) === 1],
  progressiveBitlist: [() => ssz.progressiveBitlist(), (below) => below(2) === 1],
  list: [() => ssz.list(ssz.uint64Number, 2 ** 40), (below) => below(2 ** 48)],
  progressiveList: [() => ssz.progressiveList(ssz.uint16), (below) => below(2 ** 16)],
};

for (const [kind, [type, element]] of Object.entries(KINDS)) {
  test(`${kind}: reads after changes see them, and clones see none`, () => {
    const below = generator(7);
    const model = Array.from({ length: 9000 }, () => element(below));
    const view = type().toView(model);
    const copy = view.clone();
    const old = [...model];
    compare(view, model, below);
    for (let round = 0; round < 40; round++) {
      const index = below(model.length);
      const value = element(below);
      switch (round % 4) {
        case 0:
          view.set(index, value);
          model[index] = value;
          assert.equal(view.get(index), value);
          break;
        case 1:
          view.push(value);
          model.push(value);
          assert.equal(view.get(model.length - 1), value);
          break;
        case 2:
          view.truncate(model.length - 100);
          model.length -= 100;
          break;
        default:
          view.setAll(model.map((_, i) => (model[i] = i % 50 === round ? value : model[i])));
      }
      compare(view, model, below);
    }
    compare(copy, old, below);
    copy.set(3, element(below));
    compare(view, model, below);
    view.dispose();
    assert.throws(() => view.get(0), { code: 'INVALID_STATE' });
  });
}

test('bits that are combined are read as such, also those of a part', () => {
  const Pair = ssz.container({ bits: ssz.bitlist(5000), flags: ssz.bitvector(12), other: ssz.bitlist(5000) });
  const view = Pair.toView({
    bits: Array.from({ length: 4000 }, (_, i) => i % 3 === 0),
    flags: Array.from({ length: 12 }, (_, i) => i % 5 === 0),
    other: Array.from({ length: 4000 }, (_, i) => i % 4 === 0),
  });
  const { bits, other, flags } = view;
  const read = (from) => Array.from({ length: from.length }, (_, i) => from.get(i));
  assert.deepEqual(read(bits), Array.from({ length: 4000 }, (_, i) => i % 3 === 0));
  bits.or(other);
  assert.deepEqual(read(bits), Array.from({ length: 4000 }, (_, i) => i % 3 === 0 || i % 4 === 0));
  for (let round = 0; round < 40; round++) {
    flags.set(round % 12, round % 7 === 0);
    assert.equal(flags.get(round % 12), round % 7 === 0);
    view.bits = Array.from({ length: 100 }, (_, i) => i === round);
    assert.deepEqual(read(view.bits), Array.from({ length: 100 }, (_, i) => i === round));
  }
});

test('fields are read through views of many container types', () => {
  const types = Array.from({ length: 12 }, (_, n) =>
    ssz.container({ [`a${n}`]: ssz.uint64Number, [`b${n}`]: ssz.uint32, [`c${n}`]: ssz.boolean }));
  const lists = types.map((type) => ssz.list(type, 1000));
  const views = lists.map((list, n) => list.toView(Array.from({ length: 200 }, (_, i) =>
    ({ [`a${n}`]: i * 2 ** 30, [`b${n}`]: i, [`c${n}`]: i % 2 === 0 }))));
  for (let round = 0; round < 3; round++) {
    views.forEach((view, n) => {
      for (let i = 0; i < 200; i++) {
        const part = view.get(i);
        assert.deepEqual([part[`a${n}`], part[`b${n}`], part[`c${n}`]], [i * 2 ** 30 + round, i, i % 2 === 0]);
        part[`a${n}`] = i * 2 ** 30 + round + 1;
      }
    });
  }
});
