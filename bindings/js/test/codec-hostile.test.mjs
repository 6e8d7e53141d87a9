// The codec against its caller: arguments that lie, and getters and callbacks that use the codec, make
// its memory grow or dispose messages while it reads from them. Afterwards everything works as before.
import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';

import * as codec from '../../../dist/codec.js';
import { generateTypeScript } from './support/plugin.mjs';

const out = generateTypeScript({ after }, fileURLToPath(new URL('support/proto', import.meta.url)));
const { Order } = await import(pathToFileURL(join(out, 'shop_spc.js')));

/** A SpiculeError of that code, whatever else it says. */
function throwsCode(run, code) {
  assert.throws(run, (error) => error instanceof codec.SpiculeError && error.code === code);
}

function throwsType(run, pattern) {
  assert.throws(run, (error) => error instanceof TypeError && pattern.test(error.message));
}

const instance = codec.loadSync();
const LONG = new Uint8Array(300).fill(7);
const SMALL = Order.encode({ id: 5n, mark: Uint8Array.of(1, 2, 3) });
const LARGE = Order.encode({ mark: new Uint8Array(2_000_000).fill(8) });

// Messages that live through all of it.
const witnesses = Array.from({ length: 40 }, (_, i) => Order.create({ id: BigInt(i), mark: LONG }));

afterEach(() => {
  for (const [i, witness] of witnesses.entries()) {
    assert.equal(witness.id, BigInt(i));
    assert.deepEqual(witness.mark, LONG);
  }
  assert.deepEqual(Order.parse(SMALL).mark, Uint8Array.of(1, 2, 3));
});

/** Makes the module's memory grow, which leaves every view of it without elements. */
function grow() {
  const before = instance.statistics().memory;
  const kept = [];
  while (instance.statistics().memory === before) kept.push(Order.decode(LARGE));
  for (const message of kept) message.dispose();
}

/** An array whose properties say something else than it is. */
function lying(bytes, length) {
  const array = bytes.slice();
  Object.defineProperty(array, 'length', { value: length });
  Object.defineProperty(array, 'byteLength', { value: length });
  Object.defineProperty(array, 'set', { value: () => assert.fail('a method of the array is called') });
  return array;
}

test('what an array says of its length is not believed', () => {
  for (const length of [0, 1, 101, 2 ** 32, -1, NaN]) {
    assert.deepEqual(Order.parse(lying(SMALL, length)).mark, Uint8Array.of(1, 2, 3));
    assert.equal(Order.parse(lying(LARGE, length)).mark.length, 2_000_000);
    const message = Order.decode(lying(LARGE, length));
    assert.equal(message.mark.length, 2_000_000);
    message.mark = lying(Uint8Array.of(9, 9), length);
    assert.deepEqual(message.mark, Uint8Array.of(9, 9));
    message.mergeBytes(lying(SMALL, length));
    assert.equal(message.id, 5n);
    message.appendUnknown(lying(Uint8Array.of(0x98, 0x75, 1), length));
    assert.equal(message.unknownFields.length, 3);
    throwsCode(() => message.encodeInto(lying(new Uint8Array(2), 1000)), 'BUFFER_TOO_SMALL');
    throwsCode(() => message.markCopyTo(lying(new Uint8Array(2), 1000)), 'BUFFER_TOO_SMALL');
    const room = lying(new Uint8Array(100), length);
    assert.equal(message.encodeInto(room), message.encode().length);
    message.dispose();
    const view = Order.view(lying(SMALL, length));
    assert.deepEqual(view.get('mark'), Uint8Array.of(1, 2, 3));
    view.dispose();
    assert.equal(Order.select(lying(SMALL, length), ['id'])[0].values[0], 5n);
  }
});

test('a stream and a schema are made of bytes alone', async () => {
  const stream = codec.encodeDelimited(Order.create({ id: 4n, mark: LONG }));
  const chunks = [lying(stream.subarray(0, 100), 2 ** 40), lying(stream.subarray(100), 0)];
  const ids = [];
  for await (const message of codec.decodeDelimited(Order, chunks)) {
    ids.push(message.id);
    message.dispose();
  }
  assert.deepEqual(ids, [4n]);
  // message A { int32 n = 1; } in a.proto, proto3
  const descriptors = Buffer.from('CiEKB2EucHJvdG8iDgoBQRIJCgFuGAEgASgFYgZwcm90bzM=', 'base64');
  const A = codec.loadSchema(lying(new Uint8Array(descriptors), 5)).message('A');
  assert.equal(A.parse(A.encode({ n: 3 })).n, 3);
});

test('arrays of another realm, of shared and of resizable memory', () => {
  const foreign = vm.runInNewContext('(bytes) => Uint8Array.from(bytes)')(SMALL);
  assert.equal(foreign instanceof Uint8Array, false);
  assert.equal(Order.parse(foreign).id, 5n);
  assert.equal(Order.select(foreign, ['id'])[0].values[0], 5n);
  const shared = new Uint8Array(new SharedArrayBuffer(SMALL.length));
  shared.set(SMALL);
  assert.equal(Order.parse(shared).id, 5n);
  assert.equal(Order.select(shared, ['id'])[0].values[0], 5n);
  const buffer = new ArrayBuffer(SMALL.length, { maxByteLength: 100 });
  const tracking = new Uint8Array(buffer);
  tracking.set(SMALL);
  assert.equal(Order.parse(tracking).id, 5n);
  buffer.resize(3);
  throwsCode(() => Order.parse(tracking), 'TRUNCATED');
  structuredClone(buffer, { transfer: [buffer] });
  assert.equal(Order.parse(tracking).id, 0n, 'what is detached is empty');
});

test('an index is an integer, or there is no element', () => {
  const message = Order.create({ lines: [{ item: 'a' }, { item: 'b' }], mark: Uint8Array.of(4, 5) });
  for (const index of ['1', 0.5, -1, NaN, 2, 2 ** 32, 2 ** 53, null, undefined]) {
    assert.equal(message.linesAt(index), undefined, `${index}`);
    assert.equal(message.markAt(index), undefined, `${index}`);
  }
  assert.equal(message.linesAt(1).item, 'b');
  for (const start of [-1, 0.5, NaN, 2 ** 53]) {
    throwsCode(() => message.markCopyTo(new Uint8Array(4), start), 'INVALID_ARGUMENT');
  }
  throwsType(() => message.markCopyTo({ length: 10 }), /out/);
  message.dispose();
});

test('getters that make the memory grow lose nothing', () => {
  const line = () => ({ item: 'x', get nested() { grow(); return undefined; } });
  const message = Order.create({ gifts: new Map([['k', line()]]), lines: [line()] });
  assert.deepEqual([message.lines.at(0).item, message.gifts.get('k').item], ['x', 'x']);
  message.lines = [line(), line()];
  message.lines.push(line());
  message.lines.set(0, line());
  message.gifts.set('l', line());
  message.payment = { case: 'voucher', get value() { grow(); return {}; } };
  assert.deepEqual(message.lines.toArray().map(({ item }) => item), ['x', 'x', 'x']);
  assert.deepEqual([...message.gifts.values()].map(({ item }) => item), ['x', 'x']);
  assert.equal(message.paymentCase, 7);
  message.times = { *[Symbol.iterator]() { yield 1n; grow(); yield 2n; } };
  assert.deepEqual([...message.times], [1n, 2n]);
  message.dispose();
  const bytes = Order.encode({ lines: [line()], get id() { grow(); return 3n; } });
  assert.deepEqual([Order.parse(bytes).id, Order.parse(bytes).lines[0].item], [3n, 'x']);
  const values = new Proxy([1n, 2n, 3n], { get(array, key) { if (key === '1') grow(); return array[key]; } });
  assert.deepEqual(Order.parse(Order.encodeColumns([{ path: 'times', values }])).times, [1n, 2n, 3n]);
});

test('input that is a part of the memory is shared with bytes fields until that grows', () => {
  Order.scope(Order.encode({ mark: Order.encode({ mark: LONG }) }), (outer) => {
    const inner = Order.decode(outer.mark, { shareBytes: true });
    assert.equal(inner.mark.buffer, outer.mark.buffer);
    grow();
    assert.notEqual(inner.mark.buffer, outer.mark.buffer);
    assert.deepEqual(inner.mark, LONG);
    inner.dispose();
  });
});

test('a visitor that makes the memory grow is given memory that is there', () => {
  class Collector extends codec.Visitor {
    found = [];

    enter() {
      grow();
    }

    long() {
      grow();
    }

    bytes(field, memory, start, length) {
      this.found.push([field, Buffer.from(memory.subarray(start, start + length)).toString()]);
    }
  }
  const message = Order.create({ id: 1n, customer: 'c', lines: [{ item: 'one' }, { item: 'two' }] });
  const collector = new Collector();
  message.visit(collector);
  assert.deepEqual(collector.found.map(([, text]) => text).sort(), ['c', 'one', 'two']);
  message.dispose();
});

test('a visitor that makes the message move, or disposes it', () => {
  const visitor = (act) => new (class extends codec.Visitor {
    seen = [];
    enter(field) { act(this, 'enter', field); }
    int(field, value) { this.seen.push([field, value]); act(this, 'int', field); }
    bytes(field, _memory, _start, length) { this.seen.push([field, length]); act(this, 'bytes', field); }
    long(field, high, low) { this.seen.push([field, high, low]); act(this, 'long', field); }
  })();
  const init = { id: 1n, customer: 'cc', lines: [{ item: 'one', count: 2 }, { item: 'two', count: 3 }], state: 5, mark: new Uint8Array(4),
    times: [7n, 8n] };
  const seen = [[1, 0, 1], [2, 2], [1, 3], [2, 2], [1, 3], [2, 3], [8, 5], [14, 4], [15, 0, 7], [15, 0, 8]];
  const others = [];
  const moved = Order.create(init);
  const mover = visitor(() => {
    // The old place is taken by others at once.
    moved.tags.push('t'.repeat(5000));
    others.push(Order.create({ id: 2n ** 63n, mark: new Uint8Array(3000).fill(255) }));
  });
  moved.visit(mover);
  assert.deepEqual(mover.seen.filter(([field]) => field !== 16), seen);
  for (const message of [moved, ...others]) message.dispose();
  for (let at = 0; at < 8; at++) {
    const gone = Order.create(init);
    let calls = 0;
    const disposer = visitor((_, what) => {
      assert.ok(what !== 'bytes' || calls <= at, 'no bytes of a message that is disposed');
      if (calls++ === at) gone.dispose();
    });
    throwsCode(() => gone.visit(disposer), 'INVALID_STATE');
    // What was read before may still be told.
    assert.deepEqual(disposer.seen, seen.slice(0, disposer.seen.length));
  }
});

test('getters that use the codec, dispose the message or throw', () => {
  const inner = { get customer() {
    assert.equal(Order.parse(Order.encode({ id: 9n })).id, 9n);
    return 'inner';
  } };
  assert.equal(Order.parse(Order.encode({ id: 1n, lines: [{ nested: inner }] })).lines[0].nested.customer, 'inner');
  const message = Order.create({ id: 1n });
  const thrown = new Error('mine');
  const throwing = { item: 'x', get count() { throw thrown; } };
  const before = message.encode();
  for (const set of [
    () => (message.lines = [{ item: 'a' }, throwing]), () => message.lines.push(throwing),
    () => message.gifts.set('k', throwing), () => (message.gifts = { k: throwing }),
    () => (message.payment = { get case() { throw thrown; } }),
    () => (message.times = { *[Symbol.iterator]() { yield 1n; throw thrown; } }),
    () => Order.encode({ lines: [throwing] }), () => Order.fromJSON({ toJSON() { throw thrown; } }),
    () => Order.create(new Proxy({}, { ownKeys() { throw thrown; } })),
    () => Order.parse(SMALL, { get maxDepth() { throw thrown; } }),
    () => Order.scope(SMALL, () => { throw thrown; }),
    () => message.visit({ long() { throw thrown; } }),
  ]) assert.throws(set, (error) => error === thrown);
  assert.deepEqual(message.encode(), before);
  throwsCode(() => (message.placed = { get seconds() { message.dispose(); return undefined; } }),
    'INVALID_STATE');
});

/** An array in which one element is missing. */
function without(index, ...elements) {
  delete elements[index];
  return elements;
}

test('elements that are missing are refused, and lengths that no memory has', () => {
  const message = Order.create({ lines: [{}], mark: LONG });
  throwsType(() => (message.lines = without(0, {}, { item: 'a' })), /lines\[0\] must be/);
  throwsType(() => (message.lines = new Array(2 ** 30)), /lines\[0\] must be/);
  throwsType(() => Order.encode({ lines: [{ nested: { lines: without(1, {}, {}, {}) } }] }), /nested.lines\[1\] must be/);
  throwsType(() => (message.states = without(1, 1, 0, 5)), /states\[1\] must be/);
  throwsType(() => (message.tags = without(1, 'a', '', 'b')), /tags\[1\] must be/);
  // In bytes, these are 0 and a little as numbers of 32 bits.
  throwsCode(() => (message.states = new Array(2 ** 30)), 'OUT_OF_MEMORY');
  throwsCode(() => (message.times = new Array(2 ** 29)), 'OUT_OF_MEMORY');
  throwsCode(() => (message.tags = new Array(2 ** 29)), 'OUT_OF_MEMORY');
  const notANumber = new Proxy([1n], { get: (array, key) => (key === 'length' ? NaN : array[key]) });
  throwsCode(() => (message.times = notANumber), 'OUT_OF_MEMORY');
  const { used } = message.$a;
  for (const size of [2 ** 31, 2 ** 32 - 64, 2 ** 32, 2 ** 32 + 8, NaN]) {
    throwsCode(() => message.$a.alloc(size), 'OUT_OF_MEMORY');
  }
  assert.equal(message.$a.used, used);
  for (let i = 0; i < 500; i++) {
    message.states.push(5);
    message.times.push(7n);
    message.tags.push('x');
  }
  assert.deepEqual(message.mark, LONG);
  assert.equal(message.lines.length, 1);
  message.dispose();
});

test('getters that make a list shorter while an element of it is set', () => {
  for (const shorter of [0, 2]) {
    const message = Order.create({ lines: [{}, {}, {}, {}, {}] });
    const expected = Order.create({ lines: Array.from({ length: shorter }, () => ({})) });
    const line = { get item() { message.lines.truncate(shorter); return 'x'; } };
    throwsCode(() => message.lines.set(3, line), 'INVALID_ARGUMENT');
    assert.ok(message.equals(expected));
    assert.deepEqual(message.toObject(), expected.toObject());
    message.dispose();
    expected.dispose();
  }
});

test('of a plain object the properties of its own count, in any order, with errors that name each', () => {
  class Line {
    constructor(item) {
      this.item = item;
    }
    get count() {
      return assert.fail('an accessor of the class is no property of the object');
    }
  }
  Object.defineProperty(Line.prototype, 'stray', { value: 1, enumerable: true });
  const inherits = Object.assign(Object.create({ id: 7n }), { customer: 'c' });
  const orders = [
    inherits, { customer: 'a', id: 1n }, { id: 1n, customer: 'a' }, { customer: 'a', gift: true, id: 1n }, { id: 1n },
    Object.assign(Object.create(null), { customer: 'n' }), { lines: [new Line('i'), { count: 2, item: 'j' }] },
  ];
  assert.deepEqual(orders.map((order) => {
    const { id, customer, lines, gift } = Order.parse(Order.encode(order));
    return [Number(id), customer, gift, ...lines.map((line) => [line.item, line.count])];
  }), [[0, 'c', undefined], [1, 'a', undefined], [1, 'a', undefined], [1, 'a', true], [1, '', undefined],
    [0, 'n', undefined], [0, '', undefined, ['i', 0], ['j', 2]]]);
  const unknown = [
    [{ id: 1n, lines: [{ item: 'a' }, { item: 'b', coutn: 1 }] }, 'lines[1].coutn'],
    [{ gifts: { k: { nested: { payment: { case: 'cash', value: 1 } } } } }, 'gifts[k].nested.payment.cash'],
    [{ id: 1n, payment: { case: 'voucher', value: { code: 1 } } }, 'payment.voucher.code'],
    [{ __proto__: { id: 1n }, ['[shop.v1.vouchers]']: [{}, { x: 1 }] }, '[shop.v1.vouchers][1].x'],
  ];
  for (const [order, path] of unknown) {
    assert.throws(() => Order.encode(order), (error) => error.code === 'UNKNOWN_FIELD' && error.path === path);
  }
});

test('an option is read once, before anything is decoded', () => {
  let reads = 0;
  const options = { get maxDepth() {
    reads++;
    Order.parse(Order.encode({ id: 77n, mark: LONG }));
    return reads === 1 ? 50 : NaN;
  } };
  assert.equal(Order.parse(SMALL, options).id, 5n);
  assert.equal(reads, 1);
});

test('values that no field can have are refused by name', () => {
  const message = Order.create({ lines: [{}] });
  const line = message.linesAt(0);
  for (const value of [5n, Symbol('s'), null, '1', {}, [], { valueOf: () => assert.fail('called') }]) {
    throwsType(() => (line.count = value), /count must be a number/);
  }
  for (const value of [NaN, Infinity, 0.5, 2 ** 31, -(2 ** 53)]) {
    throwsCode(() => (line.count = value), 'INVALID_ARGUMENT');
  }
  for (const value of [NaN, -1, 2 ** 53, -(2n ** 63n), 2n ** 64n]) {
    throwsCode(() => (message.id = value), 'INVALID_ARGUMENT');
  }
  assert.deepEqual([line.count, message.id], [0, 0n]);
  message.dispose();
  for (const text of ['{"customer":"\ud800"}', '"\udc00']) {
    throwsCode(() => Order.fromJSONString(text), 'BAD_UTF8');
  }
  throwsCode(() => Order.create({ customer: 'a\ud800b' }), 'BAD_UTF8');
  throwsCode(() => Order.create({ placed: JSON.parse('{"$a":{},"$r":8}') }), 'UNKNOWN_FIELD');
  throwsCode(() => Order.create({ placed: { $a: null } }), 'UNKNOWN_FIELD');
  const cycle = { lines: [{}] };
  cycle.lines[0].nested = cycle;
  throwsCode(() => Order.create(cycle), 'DEPTH_LIMIT');
  throwsCode(() => Order.encode(cycle), 'DEPTH_LIMIT');
  throwsCode(() => Order.fromJSON(cycle), 'DEPTH_LIMIT');
});

test('bulk values are typed arrays, not what says that it is one', () => {
  const message = Order.create({ times: [1n] });
  for (const length of [-1, 2 ** 31, 1]) {
    const impostor = { [Symbol.toStringTag]: 'BigInt64Array', length };
    throwsType(() => message.times.pushTypedArray(impostor), /BigInt64Array/);
  }
  const values = BigInt64Array.of(2n, 3n);
  Object.defineProperty(values, 'length', { value: 1000 });
  message.times.pushTypedArray(values);
  assert.deepEqual([...message.times], [1n, 2n, 3n]);
  message.dispose();
});

test('columns that do not fit are refused', () => {
  const encode = (column) => Order.encodeColumns([{ path: 'times', ...column }]);
  for (const offsets of [[[0.5, 2]], [[1, 2]], [[0, 1]], [[0, NaN, 2]], [[0, 3, 2]], [], [[0, 2], [0, 2]]]) {
    throwsCode(() => encode({ values: [1n, 2n], offsets }), 'WRONG_LENGTH');
  }
  throwsCode(() => encode({ values: { length: -1 } }), 'WRONG_LENGTH');
  throwsType(() => encode({ values: { length: 2 } }), /times\[0\]/);
  throwsType(() => encode({}), /times values/);
  throwsType(() => Order.encodeColumns([null]), /column/);
  throwsType(() => Order.encodeColumns([{ path: 'id', values: [undefined] }]), /id\[0\]/);
});

test('a repeated extension in a wire type that is not its own is an unknown field', () => {
  // proto2: message A { extensions 100 to 200; } extend A { repeated int32 x = 100; }
  const text = 'CisKB2EucHJvdG8iCgoBQSoFCGQQyQE6DAoBeBIBQRhkIAMoBWIGcHJvdG8y';
  const A = codec.loadSchema(new Uint8Array(Buffer.from(text, 'base64'))).message('A');
  const input = Uint8Array.of(0xa5, 6, 1, 2, 3, 4, 0xa0, 6, 5, 0xa2, 6, 1, 7);
  assert.deepEqual(A.parse(input), { '[x]': [5, 7], $unknown: input.slice(0, 6) });
});

test('errors over and over take no memory', () => {
  const bad = SMALL.subarray(0, SMALL.length - 1);
  const attempts = [
    () => Order.parse(bad), () => Order.decode(bad), () => Order.encode({ id: -1n }), () => Order.create({ id: -1n }),
    () => Order.fromJSONString('{"id":'), () => Order.select(bad, ['mark']),
    () => Order.encodeColumns([{ path: 'times', values: [1n, ''] }]), () => Order.scope(bad, () => {}),
  ];
  const round = () => {
    for (const attempt of attempts) assert.throws(attempt);
  };
  for (let i = 0; i < 200; i++) round();
  const { used, memory } = instance.statistics();
  for (let i = 0; i < 12_500; i++) round();
  assert.ok(instance.statistics().used <= used + 2 ** 18);
  assert.equal(instance.statistics().memory, memory);
});
