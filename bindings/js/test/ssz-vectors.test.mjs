import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { SpiculeError, createInstanceSync } from '../../../dist/ssz.js';
import { caseTypes, hex, missing, readCases, readVector } from './support/ssz-vectors.mjs';

/** Rules that the type itself breaks: such cases have no type. */
const ILLEGAL = /^Vector\[\w+, ?0\]$|^BitVector\[0\]$/;

let cases;
let types;
let ssz;

before(() => {
  if (missing) return;
  ssz = createInstanceSync();
  cases = readCases();
  types = caseTypes(ssz.fromSchema, cases.filter(({ type }) => !ILLEGAL.test(type)));
});

const typeOf = ({ preset, fork, type }) => types.get(`${preset}/${fork}/${type}`);

test('valid cases: bytes, values and views give the same bytes and roots', { skip: missing }, () => {
  let count = 0;
  for (const each of cases.filter(({ valid }) => valid)) {
    const type = typeOf(each);
    const bytes = readVector(each.path);
    assert.equal(hex(type.hashTreeRoot(bytes)), each.root, each.path);
    const value = type.deserialize(bytes);
    assert.equal(Buffer.compare(type.serialize(value), bytes), 0, each.path);
    assert.equal(hex(type.hashTreeRoot(value)), each.root, each.path);
    const view = type.view(bytes);
    assert.equal(hex(view.hashTreeRoot()), each.root, each.path);
    assert.equal(Buffer.compare(view.serialize(), bytes), 0, each.path);
    const fromValue = type.toView(value);
    assert.equal(hex(fromValue.hashTreeRoot()), each.root, each.path);
    if (bytes.length < 20_000) assert.deepEqual(view.toValue(), value, each.path);
    view.dispose();
    fromValue.dispose();
    count++;
  }
  assert.ok(count > 3000, `${count}`);
  assert.equal(ssz.statistics().values, 0);
});

test('invalid cases are refused on every path, with an offset', { skip: missing }, () => {
  let count = 0;
  for (const each of cases.filter(({ valid, type }) => !valid && !ILLEGAL.test(type))) {
    const type = typeOf(each);
    const bytes = readVector(each.path);
    const errors = ['validate', 'deserialize', 'hashTreeRoot', 'view'].map((method) => {
      try {
        type[method](bytes);
      } catch (error) {
        assert.ok(error instanceof SpiculeError, `${each.path}: ${error}`);
        assert.equal(typeof error.offset, 'number', each.path);
        return `${error.message}`;
      }
      assert.fail(`${each.path}: ${method} accepts it`);
    });
    assert.equal(new Set(errors).size, 1, `${each.path}: ${errors}`);
    count++;
  }
  assert.ok(count > 500, `${count}`);
});

test('illegal types are refused', { skip: missing }, () => {
  const texts = new Set(cases.map(({ type }) => type).filter((text) => ILLEGAL.test(text)));
  assert.ok(texts.size > 0);
  for (const text of texts) {
    assert.throws(() => ssz.parseType(text), (error) => error.code === 'ZERO_LENGTH', text);
  }
});
