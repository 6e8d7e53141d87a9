// Encoding by code that is made at run time, against the tables: whatever the message, both give the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { randomMessages, randomOf } from './support/random-messages.mjs';
import { CONFORMANCE, HAPI, PROTO2, PROTO3, SECONDS, pairOf, stateOf as codeOf, warmingUp } from './support/specialized.mjs';

/** The code for a type, and what it may still give up, which is less after each that it did. */
const stateOf = (Type) => codeOf(Type, 'encoders');

function encoded(Type, message, options) {
  const before = stateOf(Type)?.credit;
  try {
    const bytes = message.encode(options);
    return { special: stateOf(Type)?.credit === (before ?? 2 ** 50), seen: bytes };
  } catch ({ code, limit, path }) {
    return { special: false, seen: { code, limit, path } };
  }
}

/** What both make of an object. */
function same(pair, object, options) {
  const [tables, special] = pair.map((Type) => {
    const message = Type.create(object);
    try {
      return encoded(Type, message, options);
    } finally {
      message.dispose();
    }
  });
  assert.equal(tables.special, false);
  assert.deepEqual(special.seen, tables.seen);
  return special;
}

/** Types, with how much the code encodes at least: maps, groups and unknown fields are left to the tables. */
const TYPES = [
  [CONFORMANCE, PROTO3, 0.3],
  [CONFORMANCE, PROTO2, 0.3],
  [CONFORMANCE, 'protobuf_test_messages.editions.TestAllTypesEdition2023', 0.3],
  [CONFORMANCE, 'protobuf_test_messages.editions.proto3.TestAllTypesProto3', 0.3],
  [HAPI, 'hapi.BlockItem', 0.7],
  [HAPI, 'hapi.TransactionBody', 0.7],
];

for (const [descriptors, name, least] of TYPES) {
  test(`${name}: any message gives the bytes of the tables`, () => {
    const pair = pairOf(descriptors, name);
    const { schema } = pair[0].$type;
    const end = Date.now() + (SECONDS * 1000) / TYPES.length;
    const counts = { special: 0, all: 0 };
    for (let seed = 0; seed < 200 || Date.now() < end; seed++) {
      const random = randomOf(seed);
      const { objectOf } = randomMessages(schema, random(2) !== 0);
      const object = objectOf(pair[0].$type, random);
      for (const options of [undefined, { deterministic: true }, { maxDepth: 1 + random(4) }]) {
        // The error names the limit, and a failure spends credit.
        const { special } = same(pair, object, options);
        if (options !== undefined) continue;
        counts.all++;
        if (special) counts.special++;
      }
    }
    assert.ok(counts.special >= least * counts.all, `${counts.special} of ${counts.all} were specialised`);
  });
}

test('numbers of every length, in every place that they have', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  for (let bits = 0; bits < 64; bits++) {
    for (const more of [-1n, 0n, 1n]) {
      const wide = BigInt.asIntN(64, (1n << BigInt(bits)) + more);
      const narrow = Number(BigInt.asIntN(32, wide));
      const object = {
        optionalInt32: narrow, optionalInt64: wide, optionalUint32: narrow >>> 0, optionalUint64: BigInt.asUintN(64, wide),
        optionalSint32: narrow, optionalSint64: wide, optionalFixed32: narrow >>> 0, optionalSfixed64: wide,
        repeatedInt64: [wide, ~wide], unpackedSint32: [narrow, narrow], packedUint32: [narrow >>> 0, 1], unpackedBool: [true, false],
        oneofField: { case: 'oneofUint64', value: BigInt.asUintN(64, wide) },
      };
      assert.ok(same(pair, object).special);
    }
  }
});

test('bytes and messages of every length', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  for (const length of [...Array.from({ length: 150 }, (_, i) => i), 16_383, 16_384, 70_000, 2_100_000]) {
    const bytes = new Uint8Array(length).map((_, i) => i * 7);
    const object = { optionalBytes: bytes, repeatedBytes: length < 20_000 ? [bytes, new Uint8Array(0), bytes] : [] };
    same(pair, { recursiveMessage: object });
    // What the output needs is known by then.
    assert.ok(same(pair, { recursiveMessage: object }).special);
  }
});

test('depth is limited as it is by the tables', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  let object = {};
  for (let depth = 0; depth <= 103; depth++) {
    for (const maxDepth of depth > 5 && depth < 98 ? [] : [undefined, 1, 3, 100, 101, 103]) {
      const { special, seen } = same(pair, object, maxDepth === undefined ? undefined : { maxDepth });
      assert.equal(special, depth <= Math.min(maxDepth ?? 100, 100), `${depth} of ${maxDepth}`);
      assert.equal(seen.code === 'DEPTH_LIMIT', depth > (maxDepth ?? 100));
    }
    object = { recursiveMessage: object };
  }
});

test('nothing is written outside the output, however small it is', () => {
  const [, Type] = pairOf(CONFORMANCE, PROTO3);
  const message = Type.create({
    optionalInt32: -1, optionalInt64: 300n, optionalDouble: 1.5, optionalFloat: 2, optionalBool: true, optionalString: 'abc'.repeat(9),
    optionalBytes: new Uint8Array(100).fill(1), repeatedSint64: [1n, -(2n ** 40n)], unpackedDouble: [1, 2], unpackedUint32: [1, 2 ** 31],
    repeatedString: ['', 'x'], repeatedNestedMessage: [{ a: 1 }, { corecursive: { optionalInt32: 3 } }, {}],
    oneofField: { case: 'oneofNestedMessage', value: { a: 5 } },
  });
  const whole = message.encode();
  const { engine } = Type.$type.schema;
  const state = stateOf(Type);
  const margin = 4096;
  const start = engine.wasm.reserve(2 * margin + whole.length + 200) + margin;
  const { bytes } = engine.wasm;
  let fitted = 0;
  for (let room = 0; room < whole.length + 200; room++) {
    const end = start + room;
    bytes.fill(0xa5, start - margin, end + margin);
    const begin = state.run(message.$a.region.base, message.$r, start, end, 100) >>> 0;
    assert.ok(bytes.subarray(start - margin, start).every((byte) => byte === 0xa5), `before the output of ${room}`);
    assert.ok(bytes.subarray(end, end + margin).every((byte) => byte === 0xa5), `behind the output of ${room}`);
    if (begin === 0) continue;
    fitted++;
    assert.deepEqual(Uint8Array.from(bytes.subarray(begin, end)), whole);
  }
  assert.ok(fitted > 100 && fitted <= 200, `${fitted}`);
  message.dispose();
});

test('code is made for what is encoded much, and messages that it gives up cost a bounded part of all work', () => {
  warmingUp(2000, () => {
    const [off, Type] = pairOf(CONFORMANCE, PROTO3);
    const [plain, mapped] = [Type.create({ optionalString: 'x'.repeat(300) }), Type.create({ mapInt32Int32: { 1: 1 }, optionalString: 'x'.repeat(300) })];
    let calls = 0;
    while (stateOf(Type)?.run === undefined) {
      plain.encode();
      assert.ok(++calls < 10);
    }
    const state = stateOf(Type);
    const { run } = state;
    let tried = 0;
    state.run = (...words) => {
      tried++;
      return run(...words);
    };
    const tries = (message, times) => {
      tried = 0;
      for (let i = 0; i < times; i++) message.encode();
      return tried;
    };
    assert.equal(tries(plain, 1000), 1000);
    assert.ok(tries(mapped, 2000) < 1000);
    assert.ok(tries(mapped, 10_000) < 1000);
    tries(plain, 10_000);
    assert.equal(tries(plain, 100), 100);
    Type.$type.schema.engine.dispose();
    assert.equal(stateOf(Type), undefined);
    assert.throws(() => plain.encode(), { code: 'INVALID_STATE' });
    off.encode({});
    assert.equal(stateOf(off), undefined);
  });
});
