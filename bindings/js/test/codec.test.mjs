// Messages of schemas that are read at run time: reading, writing, limits, life.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';

import * as codec from '../../../dist/codec.js';
import { loadProto } from '../../../dist/codec/proto.js';
import { OPERATIONS } from '../../../dist/index.js';
import { throwsSpicule, throwsType } from './support/errors.mjs';

const root = new URL('../../../', import.meta.url);
const descriptors = readFileSync(new URL('test/vectors/codec/conformance.fds', root));
const schema = codec.loadSchema(descriptors);
const Proto3 = schema.message('protobuf_test_messages.proto3.TestAllTypesProto3');
const Proto2 = schema.message('protobuf_test_messages.proto2.TestAllTypesProto2');
const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** Runs a test body with a message that is disposed afterwards. */
function withMessage(message, run) {
  try {
    return run(message);
  } finally {
    message.dispose();
  }
}

const SAMPLE = {
  optionalInt32: -5,
  optionalInt64: -(2n ** 63n),
  optionalUint32: 2 ** 32 - 1,
  optionalUint64: 2n ** 64n - 1n,
  optionalSint32: -(2 ** 31),
  optionalSint64: 2n ** 63n - 1n,
  optionalFixed32: 7,
  optionalFixed64: 8n,
  optionalSfixed32: -9,
  optionalSfixed64: -10n,
  optionalFloat: 1.5,
  optionalDouble: -0,
  optionalBool: true,
  optionalString: 'grüße 🌍 and a text that is longer than what is decoded in a loop',
  optionalBytes: Uint8Array.of(0, 1, 255),
  optionalNestedMessage: { a: 4, corecursive: { optionalInt32: 6 } },
  optionalNestedEnum: -1,
  repeatedInt32: [1, -2, 3],
  repeatedUint64: [1n, 2n ** 64n - 1n],
  repeatedString: ['a', '', 'c'],
  repeatedBytes: [Uint8Array.of(1), new Uint8Array(0)],
  repeatedNestedMessage: [{ a: 1 }, {}, { a: 3 }],
  mapInt32Int32: new Map([[1, 2], [-3, 4]]),
  mapStringString: new Map([['__proto__', 'x'], ['constructor', 'y']]),
  mapStringNestedMessage: new Map([['k', { a: 9 }]]),
  mapInt64Int64: new Map([[-1n, 1n]]),
  mapBoolBool: new Map([[true, false]]),
  oneofField: { case: 'oneofString', value: 'chosen' },
};

/** The members of `object` that `pattern` has, with plain objects compared alike. */
function assertMatches(object, pattern, path = '') {
  for (const [key, expected] of Object.entries(pattern)) {
    const actual = object[key];
    const where = `${path}.${key}`;
    if (Array.isArray(expected) && typeof expected[0] === 'object' && !(expected[0] instanceof Uint8Array)) {
      assert.equal(actual.length, expected.length, where);
      expected.forEach((element, i) => assertMatches(actual[i], element, `${where}[${i}]`));
    } else if (expected?.constructor === Object) assertMatches(actual, expected, where);
    else if (expected instanceof Map && typeof [...expected.values()][0] === 'object') {
      assert.deepEqual([...actual.keys()], [...expected.keys()], where);
      for (const [own, value] of expected) assertMatches(actual.get(own), value, where);
    } else assert.deepEqual(actual, expected, where);
  }
}

test('plain objects survive every way of writing and reading', () => {
  const bytes = Proto3.encode(SAMPLE);
  assertMatches(Proto3.parse(bytes), SAMPLE);
  withMessage(Proto3.create(SAMPLE), (made) => {
    assert.equal(hex(made.encode()), hex(bytes));
    assertMatches(made.toObject(), SAMPLE);
    const out = new Uint8Array(bytes.length + 3);
    assert.equal(made.encodeInto(out), bytes.length);
    assert.equal(hex(out.subarray(0, bytes.length)), hex(bytes));
    throwsSpicule(() => made.encodeInto(out.subarray(0, 5)), { code: 'BUFFER_TOO_SMALL', limit: bytes.length });
    withMessage(Proto3.fromJSONString(made.toJSONString()), (read) => assert.ok(made.equals(read)));
    made.optionalDouble = 2.5; // JavaScript's own JSON has no negative zero.
    withMessage(Proto3.fromJSON(made.toJSON()), (read) => assert.ok(made.equals(read)));
    withMessage(Proto3.fromJSONString(JSON.stringify(made)), (read) => assert.ok(read.equals(made)));
    withMessage(made.clone(), (copy) => {
      assert.ok(copy.equals(made));
      copy.optionalInt32 = 1;
      assert.ok(!copy.equals(made));
      assert.equal(made.optionalInt32, -5);
    });
  });
  withMessage(Proto3.decode(bytes), (read) => assertMatches(read.toObject(), SAMPLE));
});

test('fields are read and written in place', () => {
  withMessage(Proto3.create(), (message) => {
    assert.equal(message.optionalInt32, 0);
    assert.equal(message.optionalInt64, 0n);
    assert.equal(message.optionalString, '');
    assert.equal(message.optionalNestedMessage, undefined);
    assert.equal(message.oneofField, undefined);
    assert.equal(message.encode().length, 0);
    message.optionalInt32 = 5;
    assert.equal(hex(message.encode()), '0805');
    message.optionalInt32 = 0;
    assert.equal(message.encode().length, 0);
    message.optionalDouble = -0;
    assert.equal(hex(message.encode()), '610000000000000080');
    message.optionalDouble = undefined;
    message.optionalNestedMessage = {};
    assert.ok(message.has('optionalNestedMessage'));
    message.optionalNestedMessage.a = 3;
    message.mutable('optionalNestedMessage').corecursive = { optionalBool: true };
    assert.equal(message.optionalNestedMessage.corecursive.optionalBool, true);
    message.clear('optionalNestedMessage');
    assert.equal(message.optionalNestedMessage, undefined);
    assert.equal(message.encode().length, 0);
  });
});

test('a oneof has one member', () => {
  withMessage(Proto3.create(), (message) => {
    message.oneofUint32 = 0;
    assert.deepEqual(message.oneofField, { case: 'oneofUint32', value: 0 });
    message.oneofString = 'x';
    assert.equal(message.oneofUint32, undefined);
    assert.equal(message.oneofString, 'x');
    message.oneofField = { case: 'oneofNestedMessage', value: { a: 1 } };
    assert.equal(message.oneofString, undefined);
    assert.equal(message.oneofNestedMessage.a, 1);
    message.clear('oneofString');
    assert.ok(message.has('oneofField'));
    message.oneofField = undefined;
    assert.equal(message.encode().length, 0);
    throwsSpicule(() => (message.oneofField = { case: 'optionalInt32', value: 1 }), {
      code: 'UNKNOWN_FIELD', path: 'oneofField.optionalInt32',
    });
  });
  // On the wire the last one wins, also in this order.
  const two = Uint8Array.from([...Proto3.encode({ oneofString: 'x' }), ...Proto3.encode({ oneofUint32: 1 })]);
  assert.deepEqual(Proto3.parse(two).oneofField, { case: 'oneofUint32', value: 1 });
});

test('lists are views', () => {
  withMessage(Proto3.create({ repeatedInt32: [1, 2] }), (message) => {
    const list = message.repeatedInt32;
    assert.equal(list.push(3, 4, 5), 5);
    assert.deepEqual([...list], [1, 2, 3, 4, 5]);
    assert.deepEqual(message.repeatedInt32.toArray(), [1, 2, 3, 4, 5]);
    list.set(-1, 50);
    assert.equal(list.at(4), 50);
    assert.equal(list.at(5), undefined);
    assert.equal(list.at(-6), undefined);
    assert.deepEqual(list.toTypedArray(), Int32Array.of(1, 2, 3, 4, 50));
    list.pushTypedArray(Int32Array.of(6, 7));
    throwsType(() => list.pushTypedArray(new Float64Array(1)), 'values');
    assert.equal(list.length, 7);
    list.truncate(1);
    assert.deepEqual(message.toObject().repeatedInt32, [1]);
    list.assign(list);
    assert.deepEqual([...list], [1]);
    list.truncate(0);
    assert.equal(message.encode().length, 0);
    throwsSpicule(() => list.set(0, 1), { code: 'INVALID_ARGUMENT', index: 0, limit: 0 });

    const nested = message.repeatedNestedMessage;
    for (let i = 0; i < 20; i++) nested.add().a = i;
    nested.push({ a: 20 });
    nested.push(nested.at(3));
    assert.deepEqual([...nested].map(({ a }) => a), [...Array(21).keys(), 3]);
    nested.at(3).a = 33;
    assert.equal(nested.at(21).a, 3);
    message.repeatedDouble.pushTypedArray(Float64Array.of(0.5));
    assert.deepEqual(message.repeatedDouble.toTypedArray(), Float64Array.of(0.5));
    message.repeatedInt64 = [1n, 2];
    assert.deepEqual(message.repeatedInt64.toTypedArray(), BigInt64Array.of(1n, 2n));
    throwsSpicule(() => message.repeatedString.toTypedArray(), { code: 'WRONG_TYPE', path: 'repeatedString' });
  });
});

test('maps are views, small and large, with any key', () => {
  for (const count of [3, 100]) {
    withMessage(Proto3.create(), (message) => {
      const map = message.mapInt32Int32;
      const expected = new Map();
      for (let i = 0; i < count; i++) {
        map.set(i, 1 - i);
        expected.set(i, 1 - i);
        assert.equal(map.get(i), 1 - i);
      }
      map.set(1, 5);
      expected.set(1, 5);
      assert.ok(map.delete(2));
      assert.ok(!map.delete(2));
      expected.delete(2);
      assert.ok(map.has(0) && !map.has(2) && !map.has(-1));
      map.set(2, 7);
      expected.set(2, 7);
      assert.deepEqual(new Map(map), expected);
      assert.deepEqual([...map.keys()], [...expected.keys()]);
      assert.deepEqual([...map.values()], [...expected.values()]);
      assert.equal(map.size, count);
      const bytes = message.encode({ deterministic: true });
      assert.deepEqual(new Map(Proto3.parse(bytes).mapInt32Int32), new Map([...expected].sort(([a], [b]) => a - b)));
      map.clear();
      assert.equal(message.encode().length, 0);
    });
  }
  withMessage(Proto3.create(), (message) => {
    message.mapInt64Int64 = { 5: 6n };
    assert.equal(message.mapInt64Int64.get(5n), 6n);
    assert.equal(message.mapInt64Int64.get(5), 6n);
    message.mapBoolBool = { true: false };
    assert.equal(message.mapBoolBool.get(true), false);
    message.mapStringNestedMessage.set('a', { a: 1 });
    message.mapStringNestedMessage.get('a').a = 2;
    assert.equal(message.toObject().mapStringNestedMessage.get('a').a, 2);
    message.mapStringString.set('__proto__', 'own');
    assert.equal(message.mapStringString.get('__proto__'), 'own');
    assert.equal({}.own, undefined);
  });
});

test('values of a wrong type or out of range are refused, and leave the message as it was', () => {
  withMessage(Proto3.create({ optionalInt32: 1 }), (message) => {
    const before = hex(message.encode());
    throwsType(() => (message.optionalInt32 = '1'), 'optionalInt32');
    throwsType(() => (message.optionalString = 1), 'optionalString');
    throwsType(() => (message.optionalBytes = [1]), 'optionalBytes');
    throwsType(() => (message.optionalBool = 1), 'optionalBool');
    throwsType(() => (message.optionalInt64 = null), 'optionalInt64');
    throwsType(() => (message.optionalNestedMessage = 1), 'optionalNestedMessage');
    throwsType(() => (message.repeatedInt32 = 1), 'repeatedInt32');
    throwsType(() => (message.mapInt32Int32 = null), 'mapInt32Int32');
    const range = (name, value) =>
      throwsSpicule(() => (message[name] = value), { code: 'INVALID_ARGUMENT', path: name });
    range('optionalInt32', 2 ** 31);
    range('optionalInt32', 0.5);
    range('optionalUint32', -1);
    range('optionalInt64', 2n ** 63n);
    range('optionalInt64', 2 ** 53);
    range('optionalUint64', -1n);
    range('optionalFloat', 3.5e38);
    range('optionalNestedEnum', 2 ** 31);
    throwsSpicule(() => (message.optionalString = '\ud800'), { code: 'BAD_UTF8', path: 'optionalString' });
    throwsSpicule(() => Proto3.create({ nonsense: 1 }), { code: 'UNKNOWN_FIELD', path: 'nonsense' });
    throwsSpicule(() => Proto3.create({ repeatedNestedMessage: [{}, { b: 1 }] }), {
      code: 'UNKNOWN_FIELD', path: 'repeatedNestedMessage[1].b',
    });
    assert.equal(hex(message.encode()), before);
  });
  const cyclic = {};
  cyclic.recursiveMessage = cyclic;
  throwsSpicule(() => Proto3.create(cyclic), { code: 'DEPTH_LIMIT', limit: 256 });
});

test('64-bit integers as numbers throw outside the safe range', () => {
  const numbers = codec.loadSchema(descriptors, { int64: 'number' });
  const Type = numbers.message('protobuf_test_messages.proto3.TestAllTypesProto3');
  for (const value of [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 32]) {
    withMessage(Type.create({ optionalInt64: value }), (message) => {
      assert.equal(message.optionalInt64, value);
      assert.equal(Proto3.parse(message.encode()).optionalInt64, BigInt(value));
    });
  }
  for (const [name, value] of [['optionalInt64', 2n ** 53n], ['optionalInt64', -(2n ** 53n)],
    ['optionalUint64', 2n ** 53n], ['optionalUint64', 2n ** 64n - 1n]]) {
    const bytes = Proto3.encode({ [name]: value });
    throwsSpicule(() => Type.parse(bytes), { code: 'INVALID_ARGUMENT', path: name });
    withMessage(Type.decode(bytes), (message) => {
      throwsSpicule(() => message.toObject(), { code: 'INVALID_ARGUMENT', path: name });
      throwsSpicule(() => message[name], { code: 'INVALID_ARGUMENT' });
      assert.equal(hex(message.encode()), hex(bytes));
    });
  }
  const strings = codec.loadSchema(descriptors, { int64: 'string' });
  const Text = strings.message('protobuf_test_messages.proto3.TestAllTypesProto3');
  assert.equal(Text.parse(Proto3.encode({ optionalUint64: 2n ** 64n - 1n })).optionalUint64, `${2n ** 64n - 1n}`);
  assert.equal(Proto3.parse(Text.encode({ optionalInt64: '-5' })).optionalInt64, -5n);
});

test('unknown fields are kept, dropped or refused', () => {
  const bytes = Uint8Array.from([...Proto3.encode({ optionalInt32: 1 }), 0xf2, 0xff, 0x03, 0x02, 0x68, 0x69]);
  withMessage(Proto3.decode(bytes), (message) => {
    assert.equal(hex(message.encode()), hex(bytes));
    assert.equal(hex(message.unknownFields), 'f2ff03026869');
    const object = message.toObject();
    assert.equal(hex(Proto3.encode(object)), hex(bytes));
    message.appendUnknown(Uint8Array.of(0xf8, 0xff, 0x03, 0x05));
    assert.equal(hex(message.unknownFields), 'f2ff03026869f8ff0305');
    throwsSpicule(() => message.appendUnknown(Uint8Array.of(0xf8)), { code: 'TRUNCATED', offset: 0 });
    message.clearUnknown();
    assert.equal(hex(message.encode()), '0801');
  });
  assert.equal(hex(Proto3.encode(Proto3.parse(bytes, { discardUnknown: true }))), '0801');
  throwsSpicule(() => Proto3.decode(bytes, { strict: true }), { code: 'UNKNOWN_FIELD', offset: 2 });
});

test('malformed bytes give the core\'s error, limits are named', () => {
  throwsSpicule(() => Proto3.parse(Uint8Array.of(0x08)), { code: 'TRUNCATED', offset: 0, path: 'optional_int32' });
  throwsSpicule(() => Proto3.decode(Uint8Array.of(0x72, 1, 0xff)), { code: 'BAD_UTF8', offset: 2, path: 'optional_string' });
  throwsSpicule(() => Proto3.decode(new Uint8Array(11), { maxSize: 10 }), { code: 'SIZE_LIMIT', limit: 10 });
  const deep = { recursiveMessage: { recursiveMessage: { recursiveMessage: {} } } };
  throwsSpicule(() => Proto3.parse(Proto3.encode(deep), { maxDepth: 1 }), {
    code: 'DEPTH_LIMIT', limit: 1, offset: 3, path: 'recursive_message.recursive_message',
  });
  throwsSpicule(() => Proto3.parse(Proto3.encode({ repeatedInt32: [1, 2, 3] }), { maxCount: 2 }), {
    code: 'COUNT_LIMIT', limit: 2, offset: 2, path: 'repeated_int32',
  });
  throwsSpicule(() => Proto3.parse(new Uint8Array(1), { maxDepth: 0 }), { code: 'INVALID_ARGUMENT', path: 'maxDepth' });
  throwsType(() => Proto3.parse('text'), 'bytes');
  throwsSpicule(() => Proto3.fromJSONString('{'), { code: 'BAD_JSON', offset: 1 });
  throwsSpicule(() => Proto3.fromJSON({ optionalInt32: 'x' }), { code: 'BAD_JSON_VALUE', path: 'optional_int32' });
});

test('required fields, extensions and defaults of proto2', () => {
  const Required = schema.message('protobuf_test_messages.proto2.TestAllRequiredTypesProto2');
  throwsSpicule(() => Required.parse(new Uint8Array(0)), { code: 'MISSING_REQUIRED', path: 'required_int32' });
  assert.equal(Required.parse(new Uint8Array(0), { partial: true }).requiredInt32, undefined);
  throwsSpicule(() => Required.encode({}), { code: 'MISSING_REQUIRED', path: 'required_int32' });
  const extension = schema.extension('protobuf_test_messages.proto2.extension_int32');
  withMessage(Proto2.create(), (message) => {
    assert.ok(!message.hasExtension(extension));
    assert.equal(message.getExtension(extension), undefined);
    message.setExtension(extension, 5);
    assert.equal(message.getExtension(extension), 5);
    assert.ok(message.hasExtension(extension));
    const object = message.toObject();
    assert.equal(object['[protobuf_test_messages.proto2.extension_int32]'], 5);
    assert.equal(hex(Proto2.encode(object)), hex(message.encode()));
    message.clearExtension(extension);
    assert.equal(message.encode().length, 0);
    assert.equal(message.optionalInt32, undefined);
    message.optionalInt32 = 0;
    assert.ok(message.has('optionalInt32'));
    assert.equal(message.optionalInt32, 0);
  });
  withMessage(Proto3.create(), (other) => {
    throwsSpicule(() => other.getExtension(extension), { code: 'WRONG_TYPE', path: extension.name });
  });
});

test('merging messages and bytes', () => {
  withMessage(Proto3.create({ optionalInt32: 1, repeatedInt32: [1], optionalNestedMessage: { a: 1 } }), (into) => {
    withMessage(Proto3.create({ repeatedInt32: [2], optionalNestedMessage: { corecursive: {} } }), (from) => {
      into.merge(from);
      into.merge(into);
      into.mergeBytes(from.encode());
    });
    const { repeatedInt32, optionalNestedMessage } = into.toObject();
    assert.deepEqual(repeatedInt32, [1, 2, 1, 2, 2]);
    assert.equal(optionalNestedMessage.a, 1);
    assert.ok(optionalNestedMessage.corecursive);
    throwsSpicule(() => into.mergeBytes(Uint8Array.of(8)), { code: 'TRUNCATED', offset: 0, path: 'optional_int32' });
  });
});

test('a disposed message throws, it never reads other data', () => {
  const bytes = Proto3.encode(SAMPLE);
  const message = Proto3.decode(bytes);
  const { repeatedInt32: list, mapStringString: map, optionalNestedMessage: nested } = message;
  nested.dispose();
  const others = Array.from({ length: 20 }, () => Proto3.decode(bytes));
  const disposed = { code: 'INVALID_STATE' };
  for (const name of Object.keys(SAMPLE)) throwsSpicule(() => [...[message[name]].flat()].map((v) => v.length ?? v.size), disposed);
  const uses = [
    () => message.encode(), () => message.toObject(), () => message.toJSON(), () => message.clone(),
    () => (message.optionalInt32 = 1), () => (message.optionalString = 'x'), () => message.has('optionalInt32'),
    () => message.clear('optionalInt32'), () => message.merge(others[0]), () => others[0].merge(message),
    () => message.equals(others[0]), () => others[0].equals(message), () => message.mergeBytes(bytes),
    () => message.unknownFields, () => message.appendUnknown(new Uint8Array(0)), () => list.at(0),
    () => list.push(1), () => [...list], () => map.get('x'), () => map.set('x', 'y'), () => nested.a,
    () => (others[0].optionalNestedMessage = nested), () => message.mutable('recursiveMessage'),
  ];
  for (const use of uses) throwsSpicule(use, disposed);
  message.dispose();
  for (const other of others) {
    assertMatches(other.toObject(), SAMPLE);
    other.dispose();
  }
});

test('within a scope bytes are views, and the message is disposed at the end', () => {
  const bytes = Proto3.encode(SAMPLE);
  let kept;
  const length = Proto3.scope(bytes, (message) => {
    kept = message;
    const view = message.optionalBytes;
    assert.equal(hex(view), '0001ff');
    assert.equal(view.buffer, message.optionalBytes.buffer);
    return view.length;
  });
  assert.equal(length, 3);
  throwsSpicule(() => kept.optionalInt32, { code: 'INVALID_STATE' });
  assert.throws(() => Proto3.scope(bytes, () => { throw new RangeError('mine'); }), RangeError);
});

test('long bytes fields may be parts of the input', () => {
  const [short, long] = [Uint8Array.of(0, 1, 255), new Uint8Array(500).map((_, i) => i)];
  const whole = Proto3.encode({ optionalBytes: long, repeatedBytes: [short, new Uint8Array(0), long] });
  const within = new Uint8Array(whole.length + 9);
  within.set(whole, 5);
  const input = within.subarray(5, 5 + whole.length);
  const check = ({ optionalBytes, repeatedBytes }) => {
    const all = [optionalBytes, ...repeatedBytes];
    assert.deepEqual(all, [long, short, new Uint8Array(0), long]);
    // Short ones are as quick to copy.
    for (const bytes of all) assert.equal(bytes.buffer === within.buffer, bytes.length > 64);
  };
  check(Proto3.parse(input, { shareBytes: true }));
  assert.equal(Proto3.parse(input, { shareBytes: true }).optionalBytes.byteOffset > within.byteOffset, true);
  const message = Proto3.decode(input, { shareBytes: true });
  check(message);
  check(message.toObject());
  // What was set since then is not in the input.
  message.optionalBytes = long;
  message.repeatedBytes.push(short);
  message.mergeBytes(Proto3.encode({ repeatedBytes: [long] }));
  assert.notEqual(message.optionalBytes.buffer, within.buffer);
  assert.deepEqual([message.optionalBytes, ...message.repeatedBytes], [long, short, new Uint8Array(0), long, short, long]);
  // Copies: the next call does not share, nor what has lost its memory since.
  assert.notEqual(Proto3.parse(input).optionalBytes.buffer, within.buffer);
  assert.notEqual(Proto3.parse(input, { shareBytes: false }).optionalBytes.buffer, within.buffer);
  structuredClone(within.buffer, { transfer: [within.buffer] });
  assert.deepEqual([...message.repeatedBytes], [short, new Uint8Array(0), long, short, long]);
  message.dispose();
  // As without the option: bytes without memory are no bytes, and none of them is left behind.
  const { memory } = codec.loadSync().statistics();
  for (let i = 0; i < 2000; i++) {
    assert.deepEqual(Proto3.parse(input, { shareBytes: true }), Proto3.parse(input));
    Proto3.decode(input, { shareBytes: true }).dispose();
  }
  assert.equal(codec.loadSync().statistics().memory, memory);
  throwsSpicule(() => Proto3.parse(whole.subarray(0, 100), { shareBytes: true }), { code: 'TRUNCATED', offset: 0, path: 'optional_bytes' });
});

test('a message in a bytes field is decoded in place', () => {
  const bytes = Proto3.encode({ optionalBytes: Proto3.encode({ optionalInt32: 7, optionalString: 'in' }), repeatedBytes: [] });
  const outer = Proto3.decode(bytes);
  const inner = outer.decodeField('optionalBytes', Proto3);
  assert.equal(inner.optionalString, 'in');
  outer.optionalBytes = Uint8Array.of(0xff);
  throwsSpicule(() => outer.decodeField('optionalBytes', Proto3), { code: 'TRUNCATED', offset: 0 });
  outer.optionalBytes = undefined;
  const empty = outer.decodeField('optionalBytes', Proto3, { strict: true });
  assert.equal(empty.optionalInt32, 0);
  throwsSpicule(() => outer.decodeField('optionalString', Proto3), { code: 'WRONG_TYPE', path: 'optionalString' });
  throwsSpicule(() => outer.decodeField('repeatedBytes', Proto3), { code: 'WRONG_TYPE', path: 'repeatedBytes' });
  throwsSpicule(() => outer.decodeField('nonsense', Proto3), { code: 'UNKNOWN_FIELD', path: 'nonsense' });
  outer.dispose();
  assert.equal(inner.optionalInt32, 7);
  throwsSpicule(() => outer.decodeField('optionalBytes', Proto3), { code: 'INVALID_STATE' });
  inner.dispose();
  empty.dispose();
});

test('messages stay readable while the memory grows', () => {
  const instance = codec.createInstanceSync();
  const Type = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.TestAllTypesProto3');
  const message = Type.create(SAMPLE);
  const before = instance.statistics().memory;
  const large = Type.create({ optionalBytes: new Uint8Array(2 ** 24) });
  assert.ok(instance.statistics().memory > before);
  assert.equal(message.optionalInt32, -5);
  assertMatches(message.toObject(), SAMPLE);
  message.optionalString = 'x'.repeat(2 ** 20);
  assert.equal(message.optionalString.length, 2 ** 20);
  assert.equal(message.optionalDouble, -0);
  large.optionalNestedMessage = message.optionalNestedMessage;
  assert.equal(large.optionalNestedMessage.a, 4);
  assert.equal(large.optionalBytes.length, 2 ** 24);
  instance.dispose();
  throwsSpicule(() => Type.create(), { code: 'INVALID_STATE' });
});

test('an arena that gets full in a call moves, and nothing else changes', () => {
  const instance = codec.createInstanceSync();
  const Type = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.TestAllTypesProto3');
  const plain = Type.encode({ optionalBytes: new Uint8Array(900), optionalInt32: 3 });
  const wide = Type.encode({ repeatedInt64: Array.from({ length: 900 }, (_, i) => BigInt(i & 63)) });
  // Messages that need little more than their bytes: the next ones get as much.
  for (let i = 0; i < 200; i++) Type.decode(plain).dispose();
  const witness = Type.decode(plain);
  const { used } = instance.statistics();
  const moved = Type.decode(wide);
  assert.deepEqual([moved.repeatedInt64.length, moved.repeatedInt64.at(899)], [900, 3n]);
  assert.ok(instance.statistics().used > used);
  moved.dispose();
  assert.equal(instance.statistics().used, used);
  for (let i = 0; i < 200; i++) Type.decode(plain).dispose();
  // The same where it fails afterwards.
  const broken = new Uint8Array([...wide, 0xff]);
  throwsSpicule(() => Type.decode(broken), { code: 'TRUNCATED', offset: wide.length });
  assert.equal(instance.statistics().used, used);
  assert.equal(Type.parse(wide).repeatedInt64.length, 900);
  assert.equal(witness.optionalInt32, 3);
  assert.equal(witness.optionalBytes.length, 900);
  instance.dispose();
  throwsSpicule(() => Type.decode(plain), { code: 'INVALID_STATE' });
  throwsSpicule(() => Type.parse(plain), { code: 'INVALID_STATE' });
});

test('what a message is disposed for is not what it shows, and options are those of one call', () => {
  const first = Proto3.decode(Proto3.encode({ optionalInt32: 1, optionalNestedMessage: { a: 2 }, repeatedInt32: [3] }));
  const { optionalNestedMessage: nested, repeatedInt32: list } = first;
  first.dispose();
  const next = Proto3.decode(Proto3.encode({ optionalInt32: 4, optionalNestedMessage: { a: 5 }, repeatedInt32: [6] }));
  for (const use of [() => first.optionalInt32, () => nested.a, () => list.at(0), () => first.encode()]) {
    throwsSpicule(use, { code: 'INVALID_STATE' });
  }
  first.dispose();
  assert.equal(next.optionalNestedMessage.a, 5);
  const bytes = next.encode();
  throwsSpicule(() => Proto3.decode(bytes, { maxSize: 3 }), { code: 'SIZE_LIMIT', limit: 3 });
  throwsSpicule(() => Proto3.parse(Proto3.encode({ repeatedInt32: [1, 2, 3] }), { maxCount: 2 }),
    { code: 'COUNT_LIMIT', limit: 2, offset: 2, path: 'repeated_int32' });
  assert.deepEqual(Proto3.parse(Proto3.encode({ repeatedInt32: [1, 2, 3] })).repeatedInt32, [1, 2, 3]);
  const copy = Proto3.decode(bytes);
  assert.ok(copy.equals(next));
  copy.mergeBytes(bytes, { maxCount: 2 });
  copy.mergeBytes(bytes);
  assert.deepEqual([...copy.repeatedInt32], [6, 6, 6]);
  copy.dispose();
  next.dispose();
});

test('an instance whose module has trapped decodes no more', () => {
  for (const times of [1, 3000]) {
    const instance = codec.createInstanceSync();
    const Type = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.TestAllTypesProto3');
    const bytes = Type.encode({ optionalInt32: 3, optionalBytes: new Uint8Array(50) });
    // Often: then there is code for the type, which would not notice.
    for (let i = 0; i < times; i++) Type.decode(bytes).dispose();
    const message = Type.decode(bytes);
    Type.$type.schema.engine.wasm.failed(new WebAssembly.RuntimeError('unreachable'));
    for (const use of [() => Type.decode(bytes), () => Type.parse(bytes), () => message.encode()]) {
      throwsSpicule(use, { code: 'INVALID_STATE' });
    }
    assert.equal(message.optionalInt32, 3);
  }
});

test('messages move between instances and schemas', () => {
  const instance = codec.createInstanceSync();
  withMessage(instance.create(Proto3, SAMPLE), (there) => {
    withMessage(Proto3.create(), (here) => {
      here.recursiveMessage = there;
      assertMatches(here.recursiveMessage.toObject(), SAMPLE);
      assert.ok(here.recursiveMessage.equals(there));
      here.merge(there);
      assertMatches(here.toObject(), SAMPLE);
    });
    assertMatches(instance.parse(Proto3, there.encode()), SAMPLE);
    withMessage(instance.decode(Proto3, there.encode()), (copy) => assert.ok(copy.equals(there)));
    withMessage(instance.fromJSONString(Proto3, there.toJSONString()), (copy) => assert.ok(copy.equals(there)));
  });
  instance.dispose();
});

test('the module of the file has ProtoJSON and operations by number itself', () => {
  const module = new WebAssembly.Module(readFileSync(new URL('dist/wasm/codec-baseline.wasm', root)));
  const whole = codec.createInstanceSync({ module });
  const parts = codec.createInstanceSync();
  const text = Proto3.create(SAMPLE).toJSONString();
  for (const instance of [whole, parts]) {
    withMessage(instance.create(Proto3, SAMPLE), (message) => assert.equal(message.toJSONString(), text));
    withMessage(instance.fromJSONString(Proto3, text), (message) => assert.equal(message.toJSONString(), text));
    throwsSpicule(() => instance.fromJSONString(Proto3, '{'), { code: 'BAD_JSON', offset: 1 });
  }
  assert.equal(whole.call(OPERATIONS.SHA256, Uint8Array.of(1)).length, 32);
  // Other modules than the package's are embedded whole.
  if (process.env.SPICULE_OTHER_MODULES === undefined) {
    throwsSpicule(() => parts.call(OPERATIONS.SHA256, Uint8Array.of(1)), { code: 'UNAVAILABLE' });
  }
  const message = parts.create(Proto3, SAMPLE);
  for (const instance of [whole, parts]) instance.dispose();
  throwsSpicule(() => message.toJSONString(), { code: 'INVALID_STATE' });
  throwsSpicule(() => parts.fromJSONString(Proto3, text), { code: 'INVALID_STATE' });
  throwsSpicule(() => codec.createInstanceSync({ module }).fromJSONString(Proto3, text, { maxDepth: 0 }), {
    code: 'INVALID_ARGUMENT', path: 'maxDepth',
  });
});

test('a million messages parsed take no more memory', () => {
  const instance = codec.createInstanceSync();
  const Type = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.ForeignMessage');
  const bytes = Type.encode({ c: 5 });
  Type.parse(bytes);
  Type.decode(bytes).dispose();
  const { memory, used } = instance.statistics();
  let sum = 0;
  for (let i = 0; i < 1_000_000; i++) sum += Type.parse(bytes).c;
  assert.equal(sum, 5_000_000);
  for (let i = 0; i < 100_000; i++) Type.decode(bytes).dispose();
  assert.deepEqual(instance.statistics(), { memory, used });
  instance.dispose();
});

/** Messages decoded until that fails, at the latest after a million, and the error. */
function decodedUntilRefused(Type, bytes) {
  const kept = [];
  try {
    for (let i = 0; i < 1_000_000; i++) kept.push(Type.decode(bytes));
  } catch (failure) {
    return { kept, failure };
  }
  return { kept };
}

test('a loop that never disposes fails at the limit, and disposing makes the instance usable again', () => {
  const instance = codec.createInstanceSync({ memoryLimit: 2 ** 24 });
  const Type = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.ForeignMessage');
  const bytes = Type.encode({ c: 5 });
  const { kept, failure } = decodedUntilRefused(Type, bytes);
  throwsSpicule(() => { throw failure; }, { code: 'OUT_OF_MEMORY', limit: 2 ** 24 });
  assert.match(failure.message, /dispose\(\)/);
  assert.ok(kept.length > 10_000);
  assert.equal(kept[5].c, 5);
  kept.pop().dispose();
  kept.push(Type.decode(bytes));
  for (const message of kept) message.dispose();
  // Memory that was cut up for small messages serves large ones.
  const large = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.TestAllTypesProto3')
    .create({ optionalBytes: new Uint8Array(2 ** 22) });
  assert.equal(large.optionalBytes.length, 2 ** 22);
  large.dispose();
  instance.dispose();
});

test('memory that waits for small messages serves one that grows while it is decoded', () => {
  const instance = codec.createInstanceSync({ memoryLimit: 2 ** 24, specialize: false });
  const Type = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.TestAllTypesProto3');
  const small = Type.encode({ optionalInt32: 5 });
  const kept = Array.from({ length: 4000 }, () => Type.decode(small));
  for (const message of kept) message.dispose();
  const idle = instance.statistics().used;
  // What these take is what the next one is expected to take.
  const flat = Type.encode({ optionalBytes: new Uint8Array(2 ** 16) });
  for (let i = 0; i < 8; i++) Type.decode(flat).dispose();
  const element = Type.encode({ repeatedForeignMessage: [{}] });
  const count = 300_000;
  const bytes = new Uint8Array(element.length * count);
  for (let at = 0; at < bytes.length; at += element.length) bytes.set(element, at);
  const large = Type.decode(bytes);
  assert.equal(large.repeatedForeignMessage.length, count);
  assert.ok(idle > 2 ** 22 && instance.statistics().used < idle);
  throwsSpicule(() => kept[0].optionalInt32, { code: 'INVALID_STATE' });
  large.dispose();
  instance.dispose();
});

test('messages that grow in turn keep what they have, wherever there is room for them', () => {
  const instance = codec.createInstanceSync({ memoryLimit: 2 ** 26 });
  const Type = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.TestAllTypesProto3');
  const used = () => instance.statistics().used;
  for (let round = 0; round < 3; round++) {
    const messages = [0, 1, 2].map(() => Type.create());
    for (let i = 0; i < 3000; i++) {
      for (const [at, message] of messages.entries()) {
        if (i < 1000 * (at + 1)) message.repeatedBytes.push(new Uint8Array(500).fill(i + at));
      }
      // A piece between them becomes free.
      if (i === 1500) messages[0].dispose();
    }
    for (const [at, message] of messages.entries()) {
      if (at === 0) continue;
      const all = message.repeatedBytes.toArray();
      assert.equal(all.length, 1000 * (at + 1));
      assert.ok(all.every((bytes, i) => bytes.length === 500 && bytes[0] === ((i + at) & 255) && bytes[499] === bytes[0]));
    }
    for (const message of messages) message.dispose();
  }
  const idle = used();
  // All of it is there again.
  const large = Type.create({ optionalBytes: new Uint8Array(2 ** 25) });
  assert.ok(used() <= 2 ** 26 && used() >= idle + 2 ** 25);
  throwsSpicule(() => large.repeatedBytes.push(new Uint8Array(2 ** 25)), { code: 'OUT_OF_MEMORY', limit: 2 ** 26 });
  large.dispose();
  assert.ok(used() <= idle);
  instance.dispose();
});

test('without a limit of its own, an instance stops at 1 GiB', () => {
  const instance = codec.createInstanceSync();
  const Type = instance.loadSchema(descriptors).message('protobuf_test_messages.proto3.TestAllTypesProto3');
  const bytes = Type.encode({ optionalBytes: new Uint8Array(12_000), optionalInt32: 7 });
  const { kept, failure } = decodedUntilRefused(Type, bytes);
  throwsSpicule(() => { throw failure; }, { code: 'OUT_OF_MEMORY', limit: 2 ** 30 });
  // Slightly less: a region of each is 16 KiB, and the first ones are larger.
  assert.ok(kept.length > 65_000 && kept.length <= 2 ** 30 / 2 ** 14, `${kept.length}`);
  assert.ok(instance.statistics().used <= 2 ** 30);
  // What was decoded before is whole, and what is disposed serves the next ones.
  assert.equal(kept.at(-1).optionalInt32, 7);
  for (const message of kept) message.dispose();
  const again = Type.decode(bytes);
  assert.equal(again.optionalBytes.length, 12_000);
  again.dispose();
  instance.dispose();
});

test('console.log shows what is set, as deep and as long as Node prints', () => {
  withMessage(Proto3.create({
    optionalInt32: 5, repeatedInt32: Array.from({ length: 150 }, (_, i) => i), mapStringString: { a: 'b' },
    recursiveMessage: { recursiveMessage: { recursiveMessage: { recursiveMessage: {} } } },
    optionalString: '', oneofField: { case: 'oneofUint32', value: 0 },
  }), (message) => {
    message.appendUnknown(Uint8Array.of(0xf8, 0xff, 0x03, 0x05));
    const name = Proto3.typeName;
    const text = inspect(message, { breakLength: Infinity, maxArrayLength: 3 });
    assert.equal(text, `${name} { optionalInt32: 5, recursiveMessage: ${name} { recursiveMessage: ${name} { ` +
      `recursiveMessage: [${name}] } }, repeatedInt32: ListView(150) [ 0, 1, 2, ... 147 more items ], ` +
      `mapStringString: MapView(1) [ [ 'a', 'b' ] ], oneofUint32: 0, '$unknown': Uint8Array(4) [ 248, 255, 3, ... 1 more item ] }`);
    assert.match(inspect(message.repeatedInt32), /^ListView\(150\) \[\n.*\.\.\. 50 more items\n\]$/s);
    assert.equal(inspect({ message }, { depth: 0 }), `{ message: [${name}] }`);
    withMessage(Proto3.view(message.encode()), (view) =>
      assert.equal(inspect(view), `WireView of ${name} [${message.encode().length} bytes]`));
    const { repeatedInt32: list, mapStringString: map } = message;
    message.dispose();
    assert.deepEqual([message, list, map].map((one) => inspect(one)),
      [`${name} [disposed]`, 'ListView [disposed]', 'MapView [disposed]']);
  });
});

test('JSON.stringify of lists and maps is what their message has', () => {
  const extension = schema.extension('protobuf_test_messages.proto2.extension_int32');
  withMessage(Proto3.create({
    repeatedInt64: [-5n], repeatedBytes: [Uint8Array.of(1, 2)], repeatedNestedEnum: [1], repeatedNestedMessage: [{ a: 1 }],
    repeatedDouble: [Number.NaN], mapInt64Int64: { 5: 6n }, mapStringBytes: { __proto: Uint8Array.of(3) },
    optionalStruct: codec.structFromJson({ fields: [1, null] }), optionalFieldMask: { paths: ['a_b', 'c'] },
  }), (message) => {
    const { repeatedInt64, repeatedBytes, repeatedNestedEnum, repeatedNestedMessage, repeatedDouble, repeatedBool } = message;
    assert.deepEqual(JSON.parse(JSON.stringify([
      repeatedInt64, repeatedBytes, repeatedNestedEnum, repeatedNestedMessage, repeatedDouble, repeatedBool,
    ])), [['-5'], ['AQI='], ['BAR'], [{ a: 1 }], ['NaN'], []]);
    const { mapInt64Int64, mapStringBytes, mapBoolBool, optionalStruct, optionalFieldMask } = message;
    assert.deepEqual(JSON.parse(JSON.stringify([
      mapInt64Int64, mapStringBytes, mapBoolBool, optionalStruct.fields, optionalStruct.fields.get('fields').listValue.values,
      optionalFieldMask.paths,
    ])), [{ 5: '6' }, { __proto: 'Aw==' }, {}, { fields: [1, null] }, [1, null], ['a_b', 'c']]);
  });
  withMessage(Proto2.create(), (message) => {
    message.setExtension(extension, 5);
    assert.equal(JSON.stringify(message.repeatedInt32), '[]');
  });
});

test('a message is made of another one, and of nothing that is no object of fields', () => {
  withMessage(Proto3.create(SAMPLE), (message) => {
    withMessage(Proto3.create(message), (copy) => assert.ok(copy.equals(message)));
    withMessage(Proto3.fromObject(message), (copy) => assert.ok(copy.equals(message)));
    assert.equal(hex(Proto3.encode(message)), hex(message.encode()));
    throwsType(() => Proto2.create(message), 'init');
  });
  for (const init of [5, null, 'x', [], new Map([['optionalInt32', 1]])]) {
    throwsType(() => Proto3.create(init), 'init');
    throwsType(() => Proto3.encode(init), 'init');
    throwsType(() => Proto3.fromObject(init), 'init');
  }
  throwsType(() => Proto3.fromObject(undefined), 'init');
});

test('a value that has its content elsewhere is no message, and the error says where and what to do', () => {
  const Timestamp = schema.message('google.protobuf.Timestamp');
  const name = Proto3.typeName;
  for (const value of [new Date(), new Map([['a', 1]]), new Set(), [], Uint8Array.of(1), new ArrayBuffer(1), /x/, 5, 'x', null]) {
    throwsType(() => Proto3.create({ optionalNestedMessage: value }), 'optionalNestedMessage');
    throwsType(() => Proto3.encode({ repeatedNestedMessage: [{}, value] }), 'repeatedNestedMessage[1]');
    throwsType(() => Proto3.create({ mapStringNestedMessage: { k: value } }), 'mapStringNestedMessage[k]');
    throwsType(() => Proto3.create({ oneofField: { case: 'oneofNestedMessage', value } }), 'oneofField.oneofNestedMessage');
    throwsType(() => Proto3.create(value), 'init');
    withMessage(Proto3.create(), (message) => {
      throwsType(() => { message.optionalNestedMessage = value; }, 'optionalNestedMessage');
    });
  }
  assert.throws(() => Proto3.create({ optionalTimestamp: new Date() }), {
    message: 'optionalTimestamp must be a google.protobuf.Timestamp or its fields (see timestampFromDate), not Date',
  });
  withMessage(Timestamp.create(), (other) => {
    assert.throws(() => Proto3.create({ optionalDuration: other }), /or its fields, not google\.protobuf\.Timestamp$/);
    withMessage(Proto3.create({ optionalTimestamp: other }), (message) => assert.deepEqual(message.toJSON().optionalTimestamp, '1970-01-01T00:00:00Z'));
  });
  class Fields { optionalInt32 = 5; }
  for (const init of [new Fields(), Object.assign(Object.create(null), { optionalInt32: 5 })]) {
    assert.equal(hex(Proto3.encode(init)), '0805');
  }
  withMessage(Proto3.create(SAMPLE), (message) => {
    for (const run of [() => Proto3.create({ ...message, optionalInt32: 1 }), () => Proto3.encode({ ...message })]) {
      assert.throws(run, new TypeError('init must not be a spread message: spread its toObject()'));
    }
    throwsType(() => Proto3.create({ optionalNestedMessage: message.repeatedNestedMessage }), 'optionalNestedMessage');
    withMessage(Proto3.create({ ...message.toObject(), optionalInt32: 1 }), (copy) => assert.equal(copy.optionalInt32, 1));
    assert.equal(Object.prototype.toString.call(message), `[object ${name}]`);
  });
  assert.throws(() => new Proto3(), new TypeError('messages are made by TestAllTypesProto3.create()'));
});

test('keys of maps as properties are what they say, or an error that shows them', () => {
  const bools = Proto3.parse(Proto3.encode({ mapBoolBool: { true: false, false: true } })).mapBoolBool;
  assert.deepEqual([...bools], [[true, false], [false, true]]);
  const numbers = Proto3.parse(Proto3.encode({ mapInt32Int32: { '-5': 1, 0: 2 }, mapInt64Int64: { '-9223372036854775808': 1 } }));
  assert.deepEqual([...numbers.mapInt32Int32, ...numbers.mapInt64Int64], [[0, 2], [-5, 1], [-(2n ** 63n), 1n]]);
  for (const key of ['yes', '', 'True', '1']) throwsType(() => Proto3.create({ mapBoolBool: { [key]: true } }), `mapBoolBool[${key}] key`);
  for (const key of ['a', '', ' 1', '0x10', '1e3', '+1']) throwsType(() => Proto3.create({ mapInt32Int32: { [key]: 1 } }), `mapInt32Int32[${key}] key`);
  throwsType(() => Proto3.create({ mapInt64Int64: { a: 1 } }), 'mapInt64Int64[a] key');
});

test('JSON values keep what text would lose, and errors do not point into a text that nobody saw', () => {
  const read = (value, field) => withMessage(Proto3.fromJSON(value), (message) => message[field]);
  assert.ok(Object.is(read({ optionalDouble: -0 }, 'optionalDouble'), -0));
  assert.ok(Object.is(read({ optionalFloat: -0 }, 'optionalFloat'), -0));
  assert.equal(read({ optionalInt32: -0 }, 'optionalInt32'), 0);
  assert.equal(read({ optionalInt64: -(2n ** 63n), optionalInt32: 5n }, 'optionalInt64'), -(2n ** 63n));
  assert.equal(read({ optionalDouble: NaN }, 'optionalDouble'), NaN);
  // Unsafe integers are values of floats and doubles, not of integers.
  for (const value of [2 ** 53, -(2 ** 60), 2 ** 64, 2 ** 53 + 2 ** 29, 2 ** 53 + 3 * 2 ** 29, 2 ** 63 - 2 ** 40, 1e300]) {
    assert.equal(read({ optionalDouble: value }, 'optionalDouble'), value);
    if (value < 1e30) assert.equal(read({ optionalFloat: value }, 'optionalFloat'), Math.fround(value));
    for (const name of ['optionalInt64', 'optionalUint64']) {
      const path = name === 'optionalInt64' ? 'optional_int64' : 'optional_uint64';
      throwsSpicule(() => Proto3.fromJSON({ [name]: value }), { code: 'BAD_JSON_VALUE', path });
    }
  }
  throwsSpicule(() => Proto3.fromJSON({ repeatedNestedMessage: [{}, { a: 'x' }] }), {
    code: 'BAD_JSON_VALUE', path: 'repeated_nested_message[1].a',
  });
  assert.throws(() => Proto3.fromJSON({ optionalNestedMessage: { nope: 1 } }), { code: 'UNKNOWN_FIELD', note: '"nope"' });
  assert.throws(() => Proto3.fromJSONString('{"nope":1}'), { code: 'UNKNOWN_FIELD', note: '"nope"', offset: 1 });
  assert.throws(() => Proto3.fromJSON({ optionalAny: { '@type': 'x/y.Z' } }), { code: 'UNKNOWN_TYPE', note: '"x/y.Z"' });
  for (const value of [undefined, () => 1, Symbol.iterator, new Map()]) throwsType(() => Proto3.fromJSON(value), 'value');
  throwsType(() => Proto3.fromJSON({ optionalNestedMessage: { a: new Set() } }), 'optionalNestedMessage.a');
  // Otherwise as JSON.stringify.
  const value = { optionalTimestamp: new Date(5), optionalInt32: undefined, repeatedInt32: [1, 2], optionalString: '"\u2028\n' };
  withMessage(Proto3.fromJSON(value), (message) => {
    assert.equal(message.toJSONString(), Proto3.fromJSONString(JSON.stringify(value)).toJSONString());
    assert.deepEqual(Proto3.fromJSON({ recursiveMessage: message }).recursiveMessage.toJSON(), message.toJSON());
  });
});

test('errors of values out of range say the range, of oneofs which member there is', () => {
  const noteOf = (init) => {
    try {
      Proto3.encode(init);
      return undefined;
    } catch ({ code, note, path }) {
      return [code, note, path];
    }
  };
  assert.deepEqual(noteOf({ recursiveMessage: { optionalUint32: -1 } }),
    ['INVALID_ARGUMENT', '-1 is not an integer from 0 to 4294967295', 'recursiveMessage.optionalUint32']);
  assert.deepEqual(noteOf({ optionalInt64: 2n ** 63n }), ['INVALID_ARGUMENT', '9223372036854775808 is not from -2^63 to 2^63 - 1', 'optionalInt64']);
  assert.deepEqual(noteOf({ optionalUint64: 2 ** 53 }), ['INVALID_ARGUMENT', '9007199254740992 is not a safe integer', 'optionalUint64']);
  assert.deepEqual(noteOf({ oneofString: 'a', oneofUint32: 1 }), ['INVALID_ARGUMENT', 'oneofField has another member', 'oneofUint32']);
  assert.deepEqual(noteOf({ oneofField: { case: 'oneofString', value: 'a' }, oneofUint32: 1 }),
    ['INVALID_ARGUMENT', 'oneofField has another member', 'oneofUint32']);
  assert.equal(noteOf({ oneofField: undefined, oneofString: undefined, oneofUint32: 1 }), undefined);
});

test('a oneof is no field to view, select or ask for: the error names its members', () => {
  const note = /^oneofField is a oneof of oneofUint32, oneofNestedMessage, oneofString/;
  withMessage(Proto3.view(new Uint8Array(0)), (view) => assert.throws(() => view.get('oneofField'), { code: 'UNKNOWN_FIELD', note }));
  assert.throws(() => Proto3.select(new Uint8Array(0), ['recursiveMessage.oneofField']), { code: 'UNKNOWN_FIELD', note });
  withMessage(Proto3.create(), (message) => assert.throws(() => message.mutable('oneofField'), { code: 'UNKNOWN_FIELD', note }));
});

test('what a scope runs can not be asynchronous: its message is disposed by then', () => {
  assert.throws(() => Proto3.scope(new Uint8Array(0), async () => 1), new TypeError('use must not be asynchronous: decode, and dispose at its end'));
  assert.equal(Proto3.scope(new Uint8Array(0), () => undefined), undefined);
});

test('bytes without a file are no schema', () => {
  for (const bytes of [[], [0x28, 1], [0x12, 0]]) {
    throwsSpicule(() => codec.loadSchema(Uint8Array.from(bytes)), { code: 'BAD_DESCRIPTOR' });
  }
});

test('services, enums and names are data', () => {
  const { values, nameOf } = schema.enum('protobuf_test_messages.proto3.ForeignEnum');
  assert.equal(values.FOREIGN_BAR, 1);
  assert.equal(nameOf(2), 'FOREIGN_BAZ');
  assert.equal(nameOf(99), undefined);
  assert.ok(schema.messageNames.includes(Proto3.typeName));
  for (const find of ['message', 'enum', 'service', 'extension']) {
    throwsSpicule(() => schema[find]('no.such.Name'), { code: 'UNKNOWN_TYPE', path: 'no.such.Name' });
  }
  throwsSpicule(() => codec.loadSchema(Uint8Array.of(0x0a, 5)), { code: 'TRUNCATED', offset: 0 });
  throwsSpicule(() => codec.loadSchema(new Uint8Array(0)), { code: 'BAD_DESCRIPTOR' });
});

async function collect(messages) {
  const all = [];
  for await (const message of messages) {
    all.push(message.optionalInt32);
    message.dispose();
  }
  return all;
}

test('streams of messages behind their lengths, in chunks of any size', async () => {
  const texts = ['', 'x'.repeat(200), 'y', '', 'z'.repeat(70_000)];
  const frames = texts.map((optionalString, i) =>
    withMessage(Proto3.create({ optionalInt32: i, optionalString }), (message) => codec.encodeDelimited(message)));
  const stream = Buffer.concat(frames);
  const expected = [0, 1, 2, 3, 4];
  for (const size of [1, 7, 4096, stream.length]) {
    const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
      new Uint8Array(stream.subarray(i * size, (i + 1) * size)));
    assert.deepEqual(await collect(codec.decodeDelimited(Proto3, chunks)), expected, `${size}`);
  }
  const failing = async (bytes, options, details) => {
    let failure;
    await collect(codec.decodeDelimited(Proto3, [bytes], options)).catch((error) => (failure = error));
    throwsSpicule(() => { throw failure; }, details);
  };
  await failing(stream.subarray(0, -1), {}, { code: 'TRUNCATED', offset: frames[4].length - 1 });
  await failing(stream, { maxSize: 100 }, { code: 'SIZE_LIMIT', limit: 100 });
  await failing(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 1), {}, { code: 'OVERLONG_VARINT', offset: 0 });

  // A chunk is asked for only when the messages before it were taken.
  let asked = 0;
  const source = (function* () {
    for (const frame of frames) {
      asked++;
      yield frame;
    }
  })();
  const reader = codec.decodeDelimited(Proto3, source);
  for (let i = 0; i < 3; i++) {
    (await reader.next()).value.dispose();
    assert.equal(asked, i + 1);
  }
  await reader.return();
});

test('helpers of well-known types lose nothing', () => {
  for (const time of [0n, -1n, 1_700_000_000_123_456_789n, -62_135_596_800_000_000_000n]) {
    const timestamp = codec.timestampFromNanos(time);
    assert.ok(timestamp.nanos >= 0 && timestamp.nanos < 1e9);
    assert.equal(codec.timestampToNanos(timestamp), time);
    const date = codec.timestampToDate(timestamp);
    assert.equal(BigInt(date.getTime()), (time - BigInt(timestamp.nanos % 1e6)) / 1_000_000n);
    assert.deepEqual(codec.timestampFromDate(date), timestamp);
  }
  const changed = codec.timestampToDate({ seconds: 5n, nanos: 1 });
  changed.setMilliseconds(7);
  assert.deepEqual(codec.timestampFromDate(changed), { seconds: 5n, nanos: 7_000_000 });
  assert.deepEqual(codec.timestampFromDate(new Date(1500)), { seconds: 1n, nanos: 500_000_000 });
  throwsSpicule(() => codec.timestampFromDate(new Date(Number.NaN)), { code: 'INVALID_ARGUMENT' });
  const json = { a: [null, 1.5, 'x', true, { b: {} }], __proto__: null };
  withMessage(Proto3.create({ optionalStruct: codec.structFromJson(json) }), (message) => {
    assert.deepEqual(message.toJSON(), { optionalStruct: { a: json.a } });
    assert.deepEqual(codec.structToJson(message.optionalStruct), { a: json.a });
    assert.deepEqual(codec.structToJson(message.toObject().optionalStruct), { a: json.a });
  });
  const hostile = codec.structToJson(codec.structFromJson(JSON.parse('{"__proto__": {"x": 1}}')));
  assert.deepEqual([Object.keys(hostile), {}.x], [['__proto__'], undefined]);
  for (const value of [null, -0.5, '', false, [[]], {}]) {
    assert.deepEqual(codec.valueToJson(codec.valueFromJson(value)), value);
  }
  throwsSpicule(() => codec.valueToJson({}), { code: 'BAD_JSON_VALUE' });
  const endless = [];
  endless.push(endless);
  throwsSpicule(() => codec.valueFromJson(endless), { code: 'DEPTH_LIMIT', limit: 256 });
  const loop = { kind: { case: 'structValue', value: { fields: new Map() } } };
  loop.kind.value.fields.set('a', loop);
  throwsSpicule(() => codec.valueToJson(loop), { code: 'DEPTH_LIMIT', limit: 256 });
  withMessage(Proto3.create({ optionalInt32: 3 }), (inner) => {
    const any = codec.packAny(inner);
    withMessage(codec.unpackAny(any, Proto3), (copy) => assert.ok(copy.equals(inner)));
    assert.equal(codec.unpackAny(any, Proto2), undefined);
  });
});

test('an instance of its own brings ProtoJSON along for schemas that it loads', () => {
  const descriptors = [...loadProto('syntax = "proto3"; message Point { int32 x = 1; }').descriptors()];
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', `
    import { createInstance } from '${new URL('../../../dist/codec.js', import.meta.url)}';
    const Point = (await createInstance()).loadSchema(Uint8Array.of(${descriptors})).message('Point');
    console.log(Point.create({ x: 5 }).toJSONString());`], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '{"x":5}\n');
});
