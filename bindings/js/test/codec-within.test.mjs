// Messages that are decoded within others: what decodeField gives, in the memory of the message that has the bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createInstanceSync } from '../../../dist/codec.js';
import { throwsSpicule } from './support/errors.mjs';
import { CONFORMANCE, HAPI, PROTO3, SECONDS, pairOf, stateOf } from './support/specialized.mjs';
import { TYPES, eachInput } from './support/spoiled-messages.mjs';

/** A type of the same schema with a field of bytes, and that field. */
const OUTER = new Map([[CONFORMANCE, [PROTO3, 'optionalBytes']], [HAPI, ['hapi.SignedTransaction', 'bodyBytes']]]);

/** What can be seen of a message that bytes in another one hold, or of the error. */
function outcome(outer, how, field, Type, options) {
  let inner;
  const { used } = outer.$a;
  try {
    inner = outer[how](field, Type, options);
  } catch (error) {
    assert.equal(outer.$a.used, used, 'what was taken is given back');
    const { code, offset, path, limit, index } = error;
    return { code, offset, path, limit, index, text: error.message };
  }
  const object = inner.toObject();
  const bytes = inner.encode({ partial: true, maxDepth: 200 });
  // Arrays have a capacity, and slots room: what is added to them shows where that is wrong.
  const grown = inner.clone();
  inner.merge(grown);
  const merged = inner.encode({ partial: true, maxDepth: 200 });
  grown.dispose();
  if (how === 'decodeField') inner.dispose();
  return { object, bytes, merged };
}

for (const [descriptors, name] of TYPES.filter(([of]) => OUTER.has(of))) {
  test(`${name}: valid and spoiled bytes give what they give by decodeField`, () => {
    const [outerName, field] = OUTER.get(descriptors);
    let [count, failed] = [0, 0];
    const pairs = pairOf(descriptors, name).map((Type) => {
      const Outer = Type.$type.schema.message(outerName);
      return { Type, Outer, kept: Outer.create() };
    });
    eachInput(pairs[0].Type, SECONDS / TYPES.length, (input, options) => {
      count++;
      for (const { Type, Outer } of pairs) {
        const outer = Outer.create({ [field]: input });
        const first = outcome(outer, 'decodeField', field, Type, options);
        if (first.code !== undefined) failed++;
        for (let i = 0; i < 3; i++) assert.deepEqual(outcome(outer, 'decodeWithin', field, Type, options), first);
        assert.deepEqual(outer[field], Uint8Array.from(input));
        // The same where the bytes were decoded, and others follow them.
        const decoded = Outer.decode(Buffer.concat([outer.encode(), Uint8Array.of(0xf8, 0xff, 0x03, 0x7f)]));
        assert.deepEqual(outcome(decoded, 'decodeWithin', field, Type, options), first);
        outer.dispose();
        decoded.dispose();
      }
    });
    assert.ok(count > 100 && failed > count / 10, `${failed} of ${count}`);
  });
}

const instance = createInstanceSync();
const schema = instance.loadSchema(CONFORMANCE);
const Type = schema.message(PROTO3);

test('messages within messages, as deep as one likes, are disposed together', () => {
  let bytes = Type.encode({ optionalString: 'innermost' });
  for (let i = 0; i < 50; i++) bytes = Type.encode({ optionalInt32: i, optionalBytes: bytes, repeatedInt64: [1n, 2n] });
  const before = instance.statistics().used;
  const all = [Type.decode(bytes)];
  for (let i = 0; i < 50; i++) all.push(all.at(-1).decodeWithin('optionalBytes', Type));
  assert.deepEqual(all.slice(0, -1).map((one) => one.optionalInt32), Array.from({ length: 50 }, (_, i) => 49 - i));
  assert.equal(all.at(-1).optionalString, 'innermost');
  // What is changed in one is not in the bytes that it was made of.
  all[1].optionalInt32 = -1;
  assert.equal(Type.parse(all[0].optionalBytes).optionalInt32, 48);
  all[0].decodeWithin('optionalBytes', Type).dispose();
  for (const one of all) throwsSpicule(() => one.optionalInt32, { code: 'INVALID_STATE' });
  throwsSpicule(() => all[0].decodeWithin('optionalBytes', Type), { code: 'INVALID_STATE' });
  for (let i = 0; i < 2000; i++) {
    const outer = Type.decode(bytes);
    outer.decodeWithin('optionalBytes', Type);
    outer.dispose();
  }
  assert.ok(instance.statistics().used <= before + 2 ** 20);
});

test('strings, maps and views of the message around stay as they are', () => {
  const text = 'a text that is remembered, as it is long '.repeat(3);
  const inner = Type.encode({ optionalString: 'x'.repeat(5000), mapStringString: { k: 'inner' } });
  const outer = Type.create({ optionalString: text, optionalBytes: inner, mapStringString: { k: 'outer' } });
  const map = outer.mapStringString;
  assert.equal(map.get('k'), 'outer');
  for (let i = 0; i < 20; i++) {
    const one = outer.decodeWithin('optionalBytes', Type);
    assert.deepEqual([one.mapStringString.get('k'), one.optionalString.length], ['inner', 5000]);
    map.set(`own ${i}`, 'v');
    outer.repeatedString.push(`element ${i}`);
    assert.equal(one.mapStringString.size, 1);
  }
  assert.deepEqual([outer.optionalString, map.size, outer.repeatedString.length], [text, 21, 20]);
  assert.deepEqual(Type.parse(outer.encode()).repeatedString.at(-1), 'element 19');
  outer.dispose();
  const seen = Type.scope(Type.encode({ optionalBytes: Type.encode({ optionalBytes: Uint8Array.of(1, 2) }) }), (message) =>
    [...message.decodeWithin('optionalBytes', Type).optionalBytes]);
  assert.deepEqual(seen, [1, 2]);
  const shared = Type.encode({ optionalBytes: Type.encode({ optionalBytes: new Uint8Array(100).fill(3) }) });
  const message = Type.decode(shared, { shareBytes: true });
  const within = message.decodeWithin('optionalBytes', Type);
  assert.deepEqual(within.optionalBytes, new Uint8Array(100).fill(3));
  message.dispose();
});

test('an unset field gives an empty message, and what is no bytes field or of no message here is an error', () => {
  const outer = Type.create();
  assert.equal(outer.decodeWithin('optionalBytes', Type, { strict: true }).encode().length, 0);
  for (const [name, code] of [['optionalString', 'WRONG_TYPE'], ['repeatedBytes', 'WRONG_TYPE'], ['nonsense', 'UNKNOWN_FIELD']]) {
    throwsSpicule(() => outer.decodeWithin(name, Type), { code, path: name });
  }
  const Other = instance.loadSchema(HAPI).message('hapi.Timestamp');
  throwsSpicule(() => outer.decodeWithin('optionalBytes', Other), { code: 'INVALID_ARGUMENT', path: 'optionalBytes' });
  throwsSpicule(() => outer.decodeWithin('optionalBytes', createInstanceSync().loadSchema(CONFORMANCE).message(PROTO3)),
    { code: 'INVALID_ARGUMENT', path: 'optionalBytes' });
  throwsSpicule(() => Type.cursor().decodeWithin('optionalBytes', Type), { code: 'INVALID_STATE' });
  outer.dispose();
});

test('where the stack ends while bytes are decoded within a message, what follows them is as it was', () => {
  let nested = { optionalNestedMessage: { a: 1 } };
  for (let i = 0; i < 45; i++) nested = { recursiveMessage: nested };
  const input = Type.encode({ optionalBytes: Type.encode(nested), optionalCord: 'what follows the bytes', repeatedInt32: [1, 2, 3] });
  const outcomes = new Set();
  for (let depth = 6000; depth < 16_000; depth += 37) {
    const own = createInstanceSync();
    const Own = own.loadSchema(CONFORMANCE).message(PROTO3);
    const outer = Own.decode(input);
    const before = outer.toObject();
    const down = (left) => (left > 0 ? down(left - 1) : outer.decodeWithin('optionalBytes', Own));
    try {
      down(depth);
      outcomes.add('decoded');
    } catch (error) {
      outcomes.add(error.code ?? error.name);
    }
    assert.deepEqual(outer.toObject(), before);
    own.dispose();
  }
  assert.ok(outcomes.size > 1 && outcomes.has('decoded'), [...outcomes].join());
});

test('where code that is made cannot even begin, what follows the bytes is as it was', () => {
  const [, Own] = pairOf(CONFORMANCE, PROTO3);
  const outer = Own.decode(Own.encode({ optionalBytes: Own.encode({ optionalInt32: 7 }), optionalCord: 'what follows the bytes' }));
  // Memory that is not in use holds what was there before.
  outer.$a.bytes.fill(0x23, outer.$a.used);
  stateOf(Own, 'decoders').run = () => {
    throw new RangeError('no stack');
  };
  assert.equal(outer.decodeWithin('optionalBytes', Own).optionalInt32, 7);
  assert.equal(outer.optionalCord, 'what follows the bytes');
  outer.dispose();
});

test('where the memory limit is reached, the message around is as good as before', () => {
  const small = createInstanceSync({ memoryLimit: 2 ** 20 });
  const Small = small.loadSchema(CONFORMANCE).message(PROTO3);
  const outer = Small.create({ optionalBytes: Small.encode({ repeatedInt32: Array.from({ length: 30_000 }, (_, i) => i) }), optionalInt32: 5 });
  let made = 0;
  throwsSpicule(() => {
    for (;;) {
      outer.decodeWithin('optionalBytes', Small);
      made++;
    }
  }, { code: 'OUT_OF_MEMORY', limit: 2 ** 20 });
  assert.ok(made > 0);
  assert.deepEqual([outer.optionalInt32, outer.repeatedInt32.length], [5, 0]);
  outer.optionalBytes = Small.encode({ optionalInt32: 6 });
  assert.equal(outer.decodeWithin('optionalBytes', Small).optionalInt32, 6);
  outer.dispose();
  Small.create({ repeatedInt32: new Int32Array(100_000) }).dispose();
});
