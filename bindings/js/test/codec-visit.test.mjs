// Visiting, straight from the wire and of messages, against a plain walk through what was decoded: whatever
// the input, a visitor is told the same, or nothing and the error of decoding is thrown.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Visitor, createInstanceSync } from '../../../dist/codec.js';
import { CONFORMANCE, PROTO2, PROTO3, SECONDS, pairOf, stateOf as codeOf, warmingUp } from './support/specialized.mjs';
import { TYPES, eachInput } from './support/spoiled-messages.mjs';

const stateOf = (Type) => codeOf(Type, 'tapers');

/** Writes down what it is told; `act` is called in between. */
class Recorder extends Visitor {
  told = [];

  constructor(act = () => {}) {
    super();
    this.act = act;
  }

  tell(...event) {
    this.told.push(event);
    this.act(this.told.length);
  }

  enter(field) { this.tell('enter', field); }
  leave(field) { this.tell('leave', field); }
  int(field, value) { this.tell('int', field, value); }
  long(field, high, low) { this.tell('long', field, high, low); }
  float(field, value) { this.tell('float', field, value); }
  bytes(field, memory, start, length) {
    this.tell('bytes', field, Buffer.from(memory.subarray(start, start + length)).toString('latin1'));
  }
}

/** The same of a plain object, by nothing that visiting has to do with. */
function walk(type, object, told, entry = false) {
  const one = (field, value) => {
    const { number } = field;
    switch (field.type) {
      case 10: case 11:
        told.push(['enter', number]);
        walk(field.message, value, told);
        return told.push(['leave', number]);
      case 1: case 2: return told.push(['float', number, value]);
      case 3: case 16: case 18:
        return told.push(['long', number, Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asUintN(32, value))]);
      case 4: case 6: return told.push(['long', number, Number(value >> 32n), Number(BigInt.asUintN(32, value))]);
      case 8: return told.push(['int', number, value ? 1 : 0]);
      case 9: case 12: return told.push(['bytes', number, Buffer.from(value).toString('latin1')]);
      default: return told.push(['int', number, value]);
    }
  };
  const isZero = (value) => Object.is(value, 0) || value === 0n || value === false || value.length === 0;
  for (const field of [...type.fields].sort((a, b) => a.number - b.number)) {
    const member = field.oneof === undefined ? undefined : object[field.oneof.name];
    const value = field.oneof === undefined ? object[field.name] : member?.case === field.name ? member.value : undefined;
    if (value === undefined) continue;
    if (field.map) {
      for (const [key, element] of value) {
        told.push(['enter', field.number]);
        one(field.message.fields[0], key);
        one(field.message.fields[1], element);
        told.push(['leave', field.number]);
      }
    } else if (field.repeated) {
      for (const element of value) one(field, element);
    } else if (entry || field.explicit || field.scalar === undefined || !isZero(value)) {
      one(field, value);
    }
  }
}

/** What becomes of input. */
function outcome(run) {
  const recorder = new Recorder();
  try {
    run(recorder);
  } catch (error) {
    assert.deepEqual(recorder.told, [], 'nothing is told of input that is refused');
    const { code, offset, path, limit, index } = error;
    return { code, offset, path, limit, index, text: error.message };
  }
  return recorder.told;
}

/** What is told with bytes as far as they are text, as the strings of an object have it. */
const texts = (told) =>
  Array.isArray(told) ? told.map(([what, field, ...rest]) =>
    [what, field, ...(what === 'bytes' ? [Buffer.from(rest[0], 'latin1').toString()] : rest)]) : told;

const counts = { special: 0, all: 0 };

function same([tables, special], input, options) {
  const decoded = (Type, use) => {
    const message = Type.decode(input, options);
    try {
      return use(message);
    } finally {
      message.dispose();
    }
  };
  const expected = outcome((recorder) => decoded(tables, (message) => walk(tables.$type, message.toObject(), recorder.told)));
  const hex = Buffer.from(input).toString('hex');
  const told = outcome((recorder) => tables.visit(input, recorder, options));
  assert.deepEqual(texts(told), texts(expected), hex);
  for (const Type of [tables, special]) {
    const before = stateOf(Type)?.credit;
    assert.deepEqual(outcome((recorder) => Type.visit(input, recorder, options)), told, hex);
    const state = stateOf(Type);
    if (Type === special) counts.all++;
    if (state?.run !== undefined && state.credit === (before ?? 2 ** 50)) counts.special++;
    assert.deepEqual(outcome((recorder) => decoded(Type, (message) => message.visit(recorder))), told, hex);
  }
  assert.equal(stateOf(tables), undefined);
  return told;
}

for (const [descriptors, name, least] of TYPES) {
  test(`${name}: a visitor is told what valid and spoiled input decodes to`, () => {
    const pair = pairOf(descriptors, name);
    Object.assign(counts, { special: 0, all: 0 });
    eachInput(pair[0], SECONDS / TYPES.length, (input, options) => same(pair, input, options));
    assert.ok(counts.special > least * counts.all, `${counts.special} of ${counts.all} went to the tape`);
  });
}

/** Runs; whether the input of a type went straight to the tape. */
function taped(Type, run) {
  const state = stateOf(Type);
  const before = state?.credit ?? 2 ** 50;
  run();
  return stateOf(Type).credit === before;
}

const WHOLE = {
  optionalInt32: -5, optionalInt64: -1n, optionalUint32: 2 ** 32 - 1, optionalSint64: -(2n ** 62n),
  optionalUint64: 2n ** 64n - 1n, optionalFixed64: 2n ** 32n - 1n, optionalBool: true,
  optionalString: 'caf\u00e9 \ud83c\udf0d', optionalBytes: new Uint8Array(200).fill(7), optionalFloat: 1.5, optionalDouble: -0,
  repeatedInt32: [1, -1, 2 ** 17 - 1, 2 ** 17], repeatedFixed64: [1n, 2n], repeatedString: ['', 'a', '\u00fc'.repeat(9)],
  repeatedNestedMessage: [{ a: 1 }, {}, { a: -1, corecursive: { optionalInt32: 5 } }],
  recursiveMessage: { recursiveMessage: { optionalDouble: 0.5 } }, oneofField: { case: 'oneofUint32', value: 0 },
};

test('input that is cut at any byte, or has any one byte changed', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  const whole = pair[0].encode(WHOLE);
  assert.ok(taped(pair[1], () => same(pair, whole)));
  for (let i = 0; i < whole.length; i++) {
    same(pair, whole.slice(0, i));
    for (const byte of [0, 0x7f, 0x80, 0xff, whole[i] ^ 1, whole[i] ^ 0x80]) {
      const other = whole.slice();
      other[i] = byte;
      same(pair, other);
    }
  }
});

test('fields that come in another order, twice, or two of a oneof are decoded first', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  const part = (object) => pair[0].encode(object);
  const one = part({ optionalInt32: 1, recursiveMessage: { optionalInt32: 7 } });
  const other = part({ optionalInt32: 2, recursiveMessage: { optionalString: 'x' } });
  const inputs = [
    Buffer.concat([one, other]), Buffer.concat([part({ optionalString: 'b' }), one]),
    Buffer.concat([part({ oneofField: { case: 'oneofUint32', value: 1 } }), part({ oneofField: { case: 'oneofString', value: 's' } })]),
    Buffer.concat([part({ repeatedString: ['a'] }), one, part({ repeatedString: ['b'] })]),
    part({ mapInt32Int32: new Map([[0, 0], [1, 2]]), mapStringNestedMessage: new Map([['', {}]]) }),
  ];
  for (const input of inputs) assert.ok(!taped(pair[1], () => same(pair, new Uint8Array(input))));
  assert.ok(taped(pair[1], () => same(pair, one)));
});

test('a tape that is larger than was thought, and lengths and numbers that need a word of their own', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  for (let count = 0; count < 3000; count += count < 100 ? 11 : 731) {
    for (const object of [
      { repeatedForeignMessage: Array.from({ length: count }, () => ({})) },
      { repeatedString: Array.from({ length: count }, () => '') },
      { unpackedInt32: Array.from({ length: count }, (_, i) => -i) },
      { packedInt64: Array.from({ length: count }, (_, i) => BigInt(-i)) },
      { packedDouble: Array.from({ length: count }, (_, i) => i / 3) },
      { packedBool: Array.from({ length: count }, (_, i) => i % 3 === 0) },
      { optionalBytes: new Uint8Array(100 * count).fill(count) },
      { recursiveMessage: { repeatedNestedMessage: Array.from({ length: count }, () => ({ corecursive: {} })) } },
    ]) assert.ok(taped(pair[1], () => same(pair, pair[0].encode(object))));
  }
});

test('depth is limited as it is by decoding, and of messages to 256 levels', () => {
  const pair = pairOf(CONFORMANCE, PROTO3);
  let bytes = Uint8Array.of();
  const tapes = [];
  for (let depth = 0; depth <= 103; depth++) {
    for (const maxDepth of depth > 10 && depth < 98 ? [] : [undefined, 1, 5, 100, 101]) {
      const options = maxDepth === undefined ? undefined : { maxDepth };
      if (taped(pair[1], () => same(pair, bytes, options)) && maxDepth === undefined) tapes.push(depth);
    }
    bytes = pair[0].encode({ recursiveMessage: pair[0].parse(bytes, { maxDepth: 200 }) }, { maxDepth: 200 });
  }
  assert.ok(tapes.includes(1) && tapes.includes(100), `${tapes}`);
  assert.ok(Math.max(...tapes) <= 100);
  const deep = pair[0].create();
  let message = deep;
  for (let i = 0; i < 256; i++) message = message.mutable('recursiveMessage');
  const recorder = new Recorder();
  deep.visit(recorder);
  assert.equal(recorder.told.length, 512);
  message.mutable('recursiveMessage');
  assert.throws(() => deep.visit(recorder), { code: 'DEPTH_LIMIT', limit: 256 });
  deep.dispose();
});

test('field numbers of any size', () => {
  // message M { int32 a = 2047; int32 b = 2048; M c = 536870911; repeated string d = 70000; }, proto3.
  const field = (name, number, label, type, typeName) => {
    const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
    const text = (tag, value) => [tag, value.length, ...Buffer.from(value)];
    const body = [...text(0x0a, name), 0x18, ...varint(number), 0x20, label, 0x28, type, ...(typeName ? text(0x32, typeName) : [])];
    return [0x12, body.length, ...body];
  };
  const fields = [...field('a', 2047, 1, 5), ...field('b', 2048, 1, 5), ...field('d', 70000, 3, 9), ...field('c', 2 ** 29 - 1, 1, 11, '.M')];
  const type = [0x0a, 1, 0x4d, ...fields];
  const file = [0x0a, 1, 0x66, 0x22, type.length, ...type, 0x62, 6, ...Buffer.from('proto3')];
  const pair = pairOf(Uint8Array.from([0x0a, file.length, ...file]), 'M');
  const told = same(pair, pair[0].encode({ a: 1, b: 2, c: { b: 3, c: {} }, d: ['x', 'y'] }));
  assert.deepEqual(told.map(([, number]) => number), [2047, 2048, 70000, 70000, 2 ** 29 - 1, 2048, 2 ** 29 - 1, 2 ** 29 - 1, 2 ** 29 - 1]);
  assert.ok(taped(pair[1], () => same(pair, pair[0].encode({ a: 1 }))));
});

test('a visitor may visit, decode, make memory grow and dispose at any time', () => {
  for (const specialize of [false, true]) {
    const instance = createInstanceSync({ specialize });
    const Type = instance.loadSchema(CONFORMANCE).message(PROTO3);
    const bytes = Type.encode(WHOLE);
    const expected = outcome((recorder) => Type.visit(bytes, recorder));
    const message = Type.decode(bytes);
    const kept = [];
    let depth = 0;
    const act = (count) => {
      if (depth === 3) return;
      depth++;
      if (depth < 3 && count % 5 === 1) {
        for (const run of [(to) => Type.visit(bytes, to), (to) => message.visit(to)]) {
          const inner = new Recorder(act);
          run(inner);
          assert.deepEqual(inner.told, expected);
        }
      }
      if (count % 7 === 0) kept.push(Type.create({ optionalBytes: new Uint8Array(70_000).fill(255) }));
      if (count % 11 === 0) for (const made of kept.splice(0, 3)) made.dispose();
      if (count % 6 === 0) assert.equal(Type.parse(bytes).optionalInt32, -5);
      depth--;
    };
    for (const run of [(to) => Type.visit(bytes, to), (to) => message.visit(to)]) {
      const outer = new Recorder(act);
      run(outer);
      assert.deepEqual(outer.told, expected);
    }
    for (const made of kept) made.dispose();
    // What is given is the input, wherever the memory is by then.
    Type.visit(bytes, new Recorder(() => kept.push(Type.create({ optionalBytes: new Uint8Array(300_000) }))));
    message.dispose();
  }
});

test('a visitor may visit or decode what it is given, also where memory grows for that', () => {
  for (const specialize of [false, true]) {
    const Type = createInstanceSync({ specialize }).loadSchema(CONFORMANCE).message(PROTO3);
    for (const use of [Type.visit, Type.parse, (part, to) => {
      const message = Type.decode(part);
      message.visit(to);
      message.dispose();
    }]) {
      for (const size of [10, 1_000_000, 5_000_000]) {
        const inner = Type.encode({ optionalInt32: 7, optionalBytes: new Uint8Array(size).fill(5) });
        const outer = Type.encode({ optionalBytes: inner, repeatedInt32: [1] });
        const found = [];
        class Nested extends Visitor {
          int(field, value) { found.push(field, value); }
          bytes(field, memory, start, length) {
            found.push(field, length);
            if (length !== inner.length) return;
            const object = use.call(Type, memory.subarray(start, start + length), this);
            if (object !== undefined) found.push(1, object.optionalInt32, 15, object.optionalBytes.length);
          }
        }
        Type.visit(outer, new Nested());
        assert.deepEqual(found, [15, inner.length, 1, 7, 15, size, 31, 1]);
      }
    }
  }
});

test('bytes that a visitor gives the type of are visited in turn', () => {
  for (const specialize of [false, true]) {
    const instance = createInstanceSync({ specialize });
    const [Type, Other] = [PROTO3, PROTO2].map((name) => instance.loadSchema(CONFORMANCE).message(name));
    const [Foreign] = pairOf(CONFORMANCE, PROTO3);
    for (const Inner of [Type, Other, Foreign]) {
      // What is inside is told as it is by itself: in order, out of it, and with more than there was room for.
      const many = Inner.encode({ repeatedInt64: Array.from({ length: 9000 }, (_, i) => BigInt(-i)), repeatedInt32: [1, 2] });
      const parts = [new Uint8Array(0), Inner.encode({ optionalInt32: 7, optionalString: 'x' }), many,
        Buffer.concat([Inner.encode({ optionalString: 'y' }), Inner.encode({ optionalInt32: 1 })])];
      for (const part of parts) {
        class Nested extends Recorder {
          bytes(field, memory, start, length) {
            super.bytes(field, memory, start, length);
            return field === 45 ? Inner : undefined;
          }
        }
        const outer = Type.encode({ repeatedBytes: [part, part], repeatedInt32: [9] });
        const inside = outcome((recorder) => Inner.visit(part, recorder));
        const text = Buffer.from(part).toString('latin1');
        const one = [['bytes', 45, text], ...inside, ['leave', 45]];
        const expected = [['int', 31, 9], ...one, ...one];
        const nested = new Nested();
        Type.visit(outer, nested);
        assert.deepEqual(nested.told, expected);
        const message = Type.decode(outer);
        const again = new Nested();
        message.visit(again);
        assert.deepEqual(again.told, expected);
        message.dispose();
      }
    }
    // Errors are those of the bytes.
    class Always extends Visitor {
      constructor(type) {
        super();
        this.type = type;
      }
      bytes() { return this.type; }
    }
    const bad = Type.encode({ optionalBytes: Uint8Array.of(0x08, 0x80) });
    assert.throws(() => Type.visit(bad, new Always(Type)), { code: 'TRUNCATED', offset: 0, path: 'optional_int32' });
    for (const type of [5, null, 'x', {}, Visitor, class {}]) {
      assert.throws(() => Type.visit(bad, new Always(type)), { name: 'TypeError', message: /bytes\(\) gives must be/ });
    }
    let deep = new Uint8Array(0);
    for (let i = 0; i < 100; i++) deep = Type.encode({ optionalBytes: deep, optionalInt32: 1 });
    Type.visit(deep, new Always(Type));
    deep = Type.encode({ optionalBytes: deep });
    deep = Type.encode({ optionalBytes: deep });
    assert.throws(() => Type.visit(deep, new Always(Type)), { code: 'DEPTH_LIMIT', limit: 100 });
  }
});

test('a visitor that throws leaves everything as it was', () => {
  for (const specialize of [false, true]) {
    const Type = createInstanceSync({ specialize }).loadSchema(CONFORMANCE).message(PROTO3);
    const bytes = Type.encode(WHOLE);
    const expected = outcome((recorder) => Type.visit(bytes, recorder));
    const message = Type.decode(bytes);
    const thrown = new Error('mine');
    for (let at = 1; at <= expected.length; at++) {
      for (const run of [(to) => Type.visit(bytes, to), (to) => message.visit(to)]) {
        const recorder = new Recorder((count) => {
          if (count === at) throw thrown;
        });
        assert.throws(() => run(recorder), (error) => error === thrown);
        assert.deepEqual(recorder.told, expected.slice(0, at));
      }
    }
    const { taken } = Type.$type.schema.engine.regions;
    for (let i = 0; i < 100; i++) {
      assert.throws(() => Type.visit(bytes, new Recorder(() => { throw thrown; })), (error) => error === thrown);
    }
    assert.equal(Type.$type.schema.engine.regions.taken, taken);
    assert.deepEqual(message.encode(), bytes);
    message.dispose();
  }
});

test('a message that is changed while it is visited, with more than one part of a tape', () => {
  const Type = createInstanceSync().loadSchema(CONFORMANCE).message(PROTO3);
  const length = 20_000;
  const message = Type.create({ repeatedInt64: Array.from({ length }, (_, i) => BigInt(i)), repeatedNestedMessage: [{ a: 1 }], optionalString: 'x' });
  const recorder = new Recorder((count) => {
    if (count === 10) message.repeatedInt64 = [];
    if (count === 100) message.clear('repeatedNestedMessage');
    if (count === 200) message.optionalBytes = new Uint8Array(200_000).fill(255);
  });
  message.visit(recorder);
  assert.deepEqual(recorder.told.slice(0, length + 1),
    [['bytes', 14, 'x'], ...Array.from({ length }, (_, i) => ['long', 32, 0, i])]);
  // The memory that it had is that of others by then, of which it must not be told.
  const others = [];
  const disposer = new Recorder((count) => {
    if (count !== 10) return;
    message.dispose();
    for (let i = 0; i < 50; i++) others.push(Type.create({ optionalBytes: new Uint8Array(250_000).fill(255) }));
  });
  message.repeatedInt64 = Array.from({ length }, (_, i) => BigInt(i));
  assert.throws(() => message.visit(disposer), { code: 'INVALID_STATE' });
  assert.ok(disposer.told.length < length);
  assert.deepEqual(disposer.told.slice(2), Array.from({ length: disposer.told.length - 2 }, (_, i) => ['long', 32, 0, i]));
});

test('where memory ends, there is an error, and all is well again', () => {
  for (const specialize of [false, true]) {
    const instance = createInstanceSync({ specialize, memoryLimit: 2 ** 21 });
    const Type = instance.loadSchema(CONFORMANCE).message(PROTO3);
    const codes = [10, 20_000, 600_000, 10].map((count) => {
      const element = Type.encode({ repeatedForeignMessage: [{}] });
      const bytes = new Uint8Array(element.length * count);
      for (let at = 0; at < bytes.length; at += element.length) bytes.set(element, at);
      let entered = 0;
      try {
        Type.visit(bytes, new (class extends Visitor { enter() { entered++; } })());
      } catch ({ code }) {
        assert.equal(entered, 0);
        return code;
      }
      assert.equal(entered, count);
      return undefined;
    });
    assert.deepEqual(codes, [undefined, undefined, 'OUT_OF_MEMORY', undefined]);
  }
});

test('code is made for what is visited much; an instance that is disposed has none', () => {
  warmingUp(2000, () => {
    const instance = createInstanceSync();
    const Type = instance.loadSchema(CONFORMANCE).message(PROTO3);
    const bytes = Type.encode({ optionalString: 'x'.repeat(300) });
    let calls = 0;
    while (stateOf(Type)?.run === undefined) {
      Type.visit(bytes, new Recorder());
      assert.ok(++calls < 10);
    }
    assert.equal(calls, 7);
    instance.dispose();
    assert.throws(() => Type.visit(bytes, new Recorder()), { code: 'INVALID_STATE' });
  });
});

test('arguments that are none', () => {
  const Type = createInstanceSync().loadSchema(CONFORMANCE).message(PROTO3);
  assert.throws(() => Type.visit('bytes', new Recorder()), TypeError);
  for (const visitor of [undefined, null, 'visitor', 5]) {
    assert.throws(() => Type.visit(new Uint8Array(0), visitor), { name: 'TypeError', message: /visitor must be/ });
  }
  assert.throws(() => Type.visit(new Uint8Array(2), new Recorder(), { maxDepth: 0 }), { code: 'INVALID_ARGUMENT' });
  const message = Type.create({ optionalInt32: 1 });
  assert.throws(() => message.visit(undefined), { name: 'TypeError', message: /visitor must be/ });
  message.dispose();
  assert.throws(() => message.visit(new Recorder()), { code: 'INVALID_STATE' });
});
