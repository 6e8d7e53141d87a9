// Decoding by code that is made at run time, against the tables: whatever the input, both give the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createInstanceSync } from '../../../dist/codec.js';
import { CONFORMANCE, PROTO3, SECONDS, pairOf, stateOf as codeOf, warmingUp } from './support/specialized.mjs';
import { TYPES, eachInput } from './support/spoiled-messages.mjs';

/** The code for a type, and what input it may still give up, which is less after each that it did. */
const stateOf = (Type) => codeOf(Type, 'decoders');

/** What becomes of input: all that can be seen of the message, or of the error. */
function outcome(Type, input, options) {
  let message;
  const before = stateOf(Type)?.credit;
  try {
    message = Type.decode(input, options);
  } catch (error) {
    const { code, offset, path, limit, index } = error;
    return { special: false, seen: { code, offset, path, limit, index, text: error.message } };
  }
  const state = stateOf(Type);
  const special = state?.run !== undefined && state.credit === (before ?? 2 ** 50);
  const object = message.toObject();
  const bytes = message.encode({ partial: true, maxDepth: 200 });
  // Arrays have a capacity, and slots room: what is added to them shows where that is wrong.
  const grown = message.clone();
  message.merge(grown);
  const merged = message.encode({ partial: true, maxDepth: 200 });
  message.dispose();
  grown.dispose();
  return { special, seen: { object, bytes, merged } };
}

const counts = { special: 0, all: 0 };

function same([tables, special], input, options) {
  const [a, b] = [outcome(tables, input, options), outcome(special, input, options)];
  assert.equal(a.special, false);
  counts.all++;
  if (b.special) counts.special++;
  assert.deepEqual(b.seen, a.seen, Buffer.from(input).toString('hex'));
  return b;
}

for (const [descriptors, name, least] of TYPES) {
  test(`${name}: valid and spoiled input gives what the tables make of it`, () => {
    const pair = pairOf(descriptors, name);
    Object.assign(counts, { special: 0, all: 0 });
    eachInput(pair[0], SECONDS / TYPES.length, (input, options) => same(pair, input, options));
    assert.ok(counts.special > least * counts.all, `${counts.special} of ${counts.all} were specialised`);
  });
}

test('input that is cut at any byte, or has any one byte changed', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  const whole = pair[0].encode({
    optionalInt32: -5, optionalSint64: -(2n ** 62n), optionalUint64: 2n ** 64n - 1n, optionalBool: true,
    optionalString: 'caf\u00e9 \ud83c\udf0d', optionalBytes: new Uint8Array(200).fill(7), optionalFloat: 1.5,
    repeatedInt32: [1, -1, 300], repeatedFixed64: [1n, 2n], repeatedString: ['', 'a', '\u00fc'.repeat(9)],
    repeatedNestedMessage: [{ a: 1 }, {}, { a: -1, corecursive: { optionalInt32: 5 } }],
    recursiveMessage: { recursiveMessage: { optionalDouble: 0.5 } }, oneofField: { case: 'oneofUint32', value: 0 },
  });
  // By then it is known how large an arena has to be.
  same(pair, whole);
  assert.ok(same(pair, whole).special);
  for (let i = 0; i < whole.length; i++) {
    same(pair, whole.slice(0, i));
    for (const byte of [0, 0x7f, 0x80, 0xff, whole[i] ^ 1, whole[i] ^ 0x80]) {
      const other = whole.slice();
      other[i] = byte;
      same(pair, other);
    }
  }
});

test('depth is limited as it is by the tables', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  let bytes = Uint8Array.of();
  const specials = [];
  for (let depth = 0; depth <= 103; depth++) {
    for (const maxDepth of depth > 10 && depth < 98 ? [] : [undefined, 1, 5, 100, 101]) {
      const { special } = same(pair, bytes, maxDepth === undefined ? undefined : { maxDepth });
      if (special && maxDepth === undefined) specials.push(depth);
    }
    bytes = pair[0].encode({ recursiveMessage: pair[0].parse(bytes, { maxDepth: 200 }) }, { maxDepth: 200 });
  }
  assert.ok(specials.includes(1) && specials.includes(100), `${specials}`);
  assert.ok(Math.max(...specials) <= 100);
});

test('an arena that is too small is enlarged, and its neighbours stay as they are', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  const witness = pair[1].encode({ optionalString: 'w'.repeat(500) });
  const witnesses = [];
  for (let count = 0; count < 1500; count += count < 100 ? 11 : 331) {
    for (const object of [
      { repeatedForeignMessage: Array.from({ length: count }, () => ({})) },
      { repeatedString: Array.from({ length: count }, () => '') },
      { unpackedInt32: Array.from({ length: count }, () => 1) },
      { packedInt64: Array.from({ length: count }, (_, i) => BigInt(i)) },
      { recursiveMessage: { repeatedNestedMessage: Array.from({ length: count }, () => ({ corecursive: {} })) } },
    ]) {
      witnesses.push(pair[1].decode(witness));
      assert.ok(same(pair, pair[0].encode(object)).special);
    }
  }
  for (const message of witnesses) assert.deepEqual(message.encode(), witness);
});

test('short messages with large records are decoded in one go once it is known what they take', () => {
  const [, Type] = pairOf(CONFORMANCE, PROTO3);
  const bytes = Type.encode({ recursiveMessage: { recursiveMessage: { recursiveMessage: {} } } });
  assert.ok(bytes.length < 64 && 4 * Type.$type.size > 2048);
  Type.decode(bytes).dispose();
  const state = stateOf(Type);
  const { run } = state;
  let runs = 0;
  state.run = (...words) => {
    runs++;
    return run(...words);
  };
  for (let i = 0; i < 50; i++) Type.decode(bytes).dispose();
  assert.equal(runs, 50);
});

test('where memory ends, the error is that of the tables', () => {
  const pair = pairOf(CONFORMANCE, PROTO3, { memoryLimit: 2 ** 21 });
  const errors = [10, 5_000, 20_000, 80_000, 320_000, 10].map((count) => {
    const element = pair[0].encode({ repeatedForeignMessage: [{}] });
    const bytes = new Uint8Array(element.length * count);
    for (let at = 0; at < bytes.length; at += element.length) bytes.set(element, at);
    const [a, b] = pair.map((Type) => {
      try {
        const message = Type.decode(bytes);
        assert.equal(message.repeatedForeignMessage.length, count);
        message.dispose();
        return undefined;
      } catch ({ code, message }) {
        return { code, message };
      }
    });
    // The tables need more for arrays that grow.
    if (b !== undefined) assert.deepEqual(b, a);
    return b?.code;
  });
  assert.deepEqual(errors.slice(0, 3), [undefined, undefined, undefined]);
  assert.deepEqual(errors.slice(4), ['OUT_OF_MEMORY', undefined]);
});

test('code is made for what is decoded much, and not for anything else', () => {
  warmingUp(2000, () => {
    const [, Type] = pairOf(CONFORMANCE, PROTO3);
    const bytes = Type.encode({ optionalString: 'x'.repeat(300) });
    let calls = 0;
    while (stateOf(Type)?.run === undefined) {
      Type.decode(bytes).dispose();
      assert.ok(++calls < 10);
    }
    assert.equal(calls, 7);
    // Types with required fields are checked by the tables.
    const required = createInstanceSync().loadSchema(CONFORMANCE).message('protobuf_test_messages.proto2.TestAllRequiredTypesProto2');
    const object = Object.fromEntries(required.$type.fields.filter((field) => field.type === 5).map(({ name }) => [name, 1]));
    for (let i = 0; i < 1000; i++) required.decode(required.encode(object, { partial: true }), { partial: true }).dispose();
    assert.deepEqual(stateOf(required).run, undefined);
    assert.ok(stateOf(required).tried);
  });
  const [off] = pairOf(CONFORMANCE, PROTO3);
  off.decode(Uint8Array.of()).dispose();
  assert.equal(stateOf(off), undefined);
});

test('input that the code gives up costs a bounded part of all work', () => {
  warmingUp(0, () => {
    const [, Type] = pairOf(CONFORMANCE, PROTO3);
    const good = Type.encode({ optionalString: 'x'.repeat(1000) });
    const bad = Buffer.concat([good, Uint8Array.of(0xf8, 0xff, 0x03, 1)]);
    Type.decode(good).dispose();
    const state = stateOf(Type);
    const { run } = state;
    let tried = 0;
    state.run = (...words) => {
      tried += words[2];
      return run(...words);
    };
    const decode = (bytes, times) => {
      tried = 0;
      for (let i = 0; i < times; i++) Type.decode(bytes).dispose();
      return tried;
    };
    assert.equal(decode(good, 1000), 1000 * good.length);
    const spent = decode(bad, 10_000);
    assert.ok(spent > 2 ** 17 && spent < 2 ** 19, `${spent} bytes before it learns`);
    assert.ok(decode(bad, 10_000) < 10_000 * bad.length / 50);
    // Good input brings the code back.
    decode(good, 200);
    assert.equal(decode(good, 100), 100 * good.length);
  });
});

test('a platform that compiles no Wasm at run time, or not at once', async () => {
  const { Module } = WebAssembly;
  const { instantiate } = WebAssembly;
  const bytes = pairOf(CONFORMANCE, PROTO3)[0].encode({ optionalInt32: 5 });
  const make = () => pairOf(CONFORMANCE, PROTO3)[1];
  const decoded = (Type) => {
    const message = Type.decode(bytes);
    assert.equal(message.optionalInt32, 5);
    message.dispose();
  };
  const [never, later] = [make(), make()];
  try {
    WebAssembly.Module = function Refusing() {
      throw new RangeError('too large for a main thread');
    };
    decoded(later);
    assert.equal(stateOf(later).run, undefined);
    for (let i = 0; i < 1000 && stateOf(later).run === undefined; i++) {
      await new Promise((done) => setTimeout(done, 10));
    }
    assert.equal(typeof stateOf(later).run, 'function');
    decoded(later);
    WebAssembly.instantiate = () => Promise.reject(new Error('not allowed'));
    decoded(never);
    await new Promise((done) => setTimeout(done, 5));
    decoded(never);
    assert.equal(stateOf(never).run, undefined);
  } finally {
    Object.assign(WebAssembly, { Module, instantiate });
  }
});

test('memory that grows, and an instance that is disposed', () => {
  const instance = createInstanceSync();
  const Type = instance.loadSchema(CONFORMANCE).message(PROTO3);
  const small = Type.encode({ repeatedInt32: [1, 2, 3] });
  const large = Type.encode({ optionalBytes: new Uint8Array(3_000_000).fill(9) });
  const kept = [];
  for (let i = 0; i < 20; i++) {
    kept.push(Type.decode(large), Type.decode(small));
    assert.deepEqual([...kept.at(-1).repeatedInt32], [1, 2, 3]);
  }
  for (const [i, message] of kept.entries()) {
    assert.deepEqual(message.encode(), i % 2 === 0 ? large : small);
  }
  const state = stateOf(Type);
  assert.equal(state.credit, 2 ** 50);
  instance.dispose();
  assert.throws(() => Type.decode(small), { code: 'INVALID_STATE' });
  assert.throws(() => Type.parse(small), { code: 'INVALID_STATE' });
  assert.equal(stateOf(Type), undefined);
});
