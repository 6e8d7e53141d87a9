// What the SSZ module keeps: types that are made again or refused take no memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as ssz from 'spicule/ssz';

/** Bytes that the module's memory grew by while `work` ran many times. */
async function growth(work, times = 500) {
  const made = await ssz.createInstance();
  const before = () => made.statistics().memory;
  for (let i = 0; i < 50; i++) work(made, i);
  const start = before();
  for (let i = 0; i < times; i++) work(made, i);
  return before() - start;
}

const FIELDS = Array.from({ length: 40 }, (_, i) => [`field${i}`, `List[uint64, ${i + 1}]`]);
const schema = (more = {}) =>
  JSON.stringify({ Big: { kind: 'Container', fields: FIELDS }, Pair: 'Vector[Big, 2]', ...more });

test('a schema that is read again takes no memory', async () => {
  assert.equal(await growth((made) => made.fromSchema(schema())), 0);
});

test('schemas in turn keep their own names', async () => {
  const texts = [schema({ Third: 'uint8' }), schema({ Third: 'uint16' })];
  const made = await ssz.createInstance();
  for (let i = 0; i < 6; i++) {
    assert.equal(String(made.fromSchema(texts[i % 2]).Third), i % 2 ? 'uint16' : 'uint8');
    assert.throws(() => made.parseType('Third'), { code: 'UNDEFINED_TYPE' });
  }
  assert.equal(await growth((other, i) => other.fromSchema(texts[i % 2])), 0);
});

test('a section is part of what a schema is', async () => {
  const text = JSON.stringify({ one: { A: 'uint8' }, two: { A: 'uint16' } });
  const made = await ssz.createInstance();
  for (const [section, name] of [['one', 'uint8'], ['two', 'uint16'], ['one', 'uint8']]) {
    assert.equal(String(made.fromSchema(text, { section }).A), name);
  }
  assert.throws(() => made.fromSchema(''), { code: 'MALFORMED' });
});

test('schemas and type texts that are refused take no memory', async () => {
  assert.equal(await growth((made, i) => {
    assert.throws(() => made.fromSchema(schema({ Last: `Wrong${i}` })), { code: 'UNDEFINED_TYPE' });
    assert.throws(() => made.parseType(`Union[List[uint64, ${i}], Wrong]`), { code: 'UNDEFINED_TYPE' });
  }), 0);
});

test('types that are built again take no memory', async () => {
  assert.equal(await growth((made) => {
    const fields = Object.fromEntries(FIELDS.map(([name], i) => [name, made.list(made.uint64, i + 1)]));
    made.container(fields).defaultView().dispose();
    made.union([null, made.uint8]).defaultView().dispose();
    made.parseType('Union[List[uint64, 5], uint16]').defaultView().dispose();
  }), 0);
});

test('a descriptor that is refused takes its own size', async () => {
  const made = await ssz.createInstance();
  const descriptor = new Uint8Array(2 ** 22).fill(0x55);
  descriptor.fill(0xff, 1);
  const before = made.statistics().memory;
  assert.throws(() => made.compactGindices(descriptor), { code: 'BAD_PROOF' });
  assert.ok(made.statistics().memory - before < 2 * descriptor.length);
  assert.deepEqual(made.compactGindices(Uint8Array.of(0b01100000)), [2n, 3n]);
});
