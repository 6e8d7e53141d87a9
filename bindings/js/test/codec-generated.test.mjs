// Classes by protoc-gen-spicule: what they have beside what schemas read at run time give.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { Visitor, loadSchema } from '../../../dist/codec.js';
import { generatedSchema, Message } from '../../../dist/codec/generated.js';
import { loadProto } from '../../../dist/codec/proto.js';
import { RESERVED } from '../protoc-gen-spicule/dist/ts/field.js';
import { throwsSpicule } from './support/errors.mjs';
import { generateTypeScript } from './support/plugin.mjs';
import { compilesStrictly } from './support/typescript.mjs';

const protos = fileURLToPath(new URL('support/proto', import.meta.url));
const out = generateTypeScript({ after }, protos);
const load = (folder) => import(pathToFileURL(join(folder, 'shop_spc.js')));
const { Order, Stamps, Order_Line, Order_State, Shop, Voucher, note, vouchers } = await load(out);
const { Timestamp } = await import('../../../dist/codec/wkt/google/protobuf/timestamp_spc.js');
const hex = (bytes) => Buffer.from(bytes).toString('hex');

const SAMPLE = {
  id: 2n ** 64n - 1n,
  customer: 'Zoë',
  lines: [{ item: 'a', count: -3 }, { item: 'b', count: 2, nested: { id: 5n } }],
  placed: { seconds: 1_700_000_000n, nanos: 999_999_999 },
  gifts: new Map([['x', { item: 'g', count: 1 }]]),
  payment: { case: 'voucher', value: {} },
  state: Order_State.STATE_SENT,
  safe: 2 ** 53 - 1,
  text: '-9223372036854775808',
  gift: false,
  weight: 0.1,
  ratio: -0,
  mark: Uint8Array.of(1, 2, 3),
  times: [1n, -(2n ** 63n)],
  tags: ['', 'tag'],
  states: [Order_State.STATE_LOST],
  has$: true,
  constructor$: Uint8Array.of(9),
  '[shop.v1.note]': 'careful',
};

function withMessage(message, run) {
  try {
    return run(message);
  } finally {
    message.dispose();
  }
}

test('a class and the schema at run time are the same type', () => {
  const Dynamic = generatedSchema().makeClass(Order.$type);
  const bytes = Order.encode(SAMPLE);
  const object = Order.parse(bytes);
  withMessage(Object.assign(Object.create(Dynamic.prototype), Order.decode(bytes)), (dynamic) => {
    for (const name of Object.keys(SAMPLE).filter((key) => !key.startsWith('['))) {
      withMessage(Order.decode(bytes), (message) => {
        const plain = (value) =>
          value?.toObject?.() ?? (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
            ? Symbol.iterator in value ? [...value].map(plain) : { ...value, value: plain(value.value) }
            : value);
        assert.deepEqual(plain(message[name]), plain(dynamic[name]), name);
      });
    }
    assert.equal(hex(Order.encode(object)), hex(bytes));
    assert.equal(hex(dynamic.encode()), hex(bytes));
  });
  assert.equal(object.payment.case, 'voucher');
  assert.equal(object['[shop.v1.note]'], 'careful');
  assert.equal(object.lines[1].nested.id, 5n);
  assert.equal(object.lines[0].nested, undefined);
  assert.deepEqual(object.gifts.get('x'), { item: 'g', count: 1, nested: undefined });
  assert.ok(Object.is(object.ratio, -0));
  assert.equal(object.text, '-9223372036854775808');
});

test('plain objects of classes and of a schema at run time have the same properties, set or not', async () => {
  const wrappers = await import('../../../dist/codec/wkt/google/protobuf/wrappers_spc.js');
  const api = await import('../../../dist/codec/wkt/google/protobuf/type_spc.js');
  const schema = loadSchema(generatedSchema().descriptors());
  const types = [Order, Order_Line, Stamps, Voucher, Timestamp, ...Object.values({ ...wrappers, ...api })];
  for (const type of types.filter(({ typeName }) => typeName !== undefined)) {
    const [own, dynamic] = [type.parse(new Uint8Array()), schema.message(type.typeName).parse(new Uint8Array())];
    assert.deepEqual(own, dynamic);
    assert.deepEqual(Object.keys(own), Object.keys(dynamic), type.typeName);
    assert.deepEqual(type.parse(type.encode(own)), own);
  }
  const dynamic = schema.message('shop.v1.Order');
  for (const sample of [SAMPLE, { ...SAMPLE, id: 0n, safe: -1, text: '0', weight: 0, customer: '' }]) {
    const bytes = Order.encode(sample);
    assert.deepEqual(Order.parse(bytes), dynamic.parse(bytes));
    assert.deepEqual(Object.keys(Order.parse(bytes)), Object.keys(dynamic.parse(bytes)));
  }
  for (const length of [0, 1, 2, 3, 17, 70_000]) {
    const times = Array.from({ length }, (_, i) => BigInt(i));
    const lines = times.map((_, i) => ({ item: '', count: i, nested: undefined }));
    const bytes = Order.encode({ times, lines });
    for (const type of [Order, dynamic]) {
      const object = type.parse(bytes);
      assert.deepEqual(object.times, times);
      assert.deepEqual(object.lines, lines);
    }
  }
});

test('messages within messages are of generated classes, whichever is used first', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', `
    import { ok } from 'node:assert';
    import { Order, Order_Line, Voucher } from ${JSON.stringify(pathToFileURL(join(out, 'shop_spc.js')))};
    const line = { item: 'a' };
    const order = Order.create({ lines: [line], gifts: { x: line }, payment: { case: 'voucher', value: {} } });
    ok(order.payment.value instanceof Voucher);
    ok(order.lines.at(0) instanceof Order_Line);
    ok(order.gifts.get('x') instanceof Order_Line);
    ok(order.mutable('voucher') instanceof Voucher);
    order.dispose();`], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('every accessor reads what was set, and undefined clears', () => {
  withMessage(Order.create(), (order) => {
    for (const [name, value] of Object.entries(SAMPLE)) if (!name.startsWith('[')) order[name] = value;
    order.setExtension(note, 'careful');
    assert.equal(hex(order.encode()), hex(Order.encode(SAMPLE)));
    assert.equal(order.getExtension(note), 'careful');
    order.setExtension(vouchers, [{}, {}]);
    assert.equal(order.getExtension(vouchers).length, 2);
    assert.equal(JSON.stringify(order.getExtension(vouchers)), '[{},{}]');
    order.clearExtension(vouchers);
    order.clearExtension(note);
    for (const name of Object.keys(SAMPLE)) if (!name.startsWith('[')) order[name] = undefined;
    assert.equal(order.encode().length, 0);
    assert.equal(order.gift, undefined);
    assert.equal(order.id, 0n);
  });
});

test('members of a oneof, with a number above 16 bits', () => {
  withMessage(Order.create(), (order) => {
    assert.equal(order.paymentCase, 0);
    assert.equal(order.payment, undefined);
    order.points = 7;
    assert.equal(order.paymentCase, 70000);
    assert.deepEqual(order.payment, { case: 'points', value: 7 });
    order.card = '';
    assert.equal(order.paymentCase, 6);
    assert.equal(order.points, undefined);
    assert.equal(order.card, '');
    assert.ok(order.mutableVoucher() instanceof Voucher);
    assert.equal(order.card, undefined);
    assert.equal(order.paymentCase, 7);
    order.clear('payment');
    assert.equal(order.encode().length, 0);
    order.payment = { case: 'points', value: 0 };
    assert.deepEqual(Order.parse(order.encode()).payment, { case: 'points', value: 0 });
  });
});

test('messages are made in place, and one object serves for many', () => {
  withMessage(Order.create(), (order) => {
    for (let i = 0; i < 100; i++) {
      const line = order.addLines();
      line.item = `item ${i}`;
      line.count = -i;
      line.mutableNested().mutablePlaced().nanos = i;
    }
    const [cursor, nested] = [Order_Line.cursor(), Order.cursor()];
    throwsSpicule(() => cursor.item, { code: 'INVALID_STATE' });
    throwsSpicule(() => (cursor.item = 'x'), { code: 'INVALID_STATE' });
    assert.equal(order.linesCount, 100);
    for (let i = 0; i < 100; i++) {
      assert.equal(order.linesAt(i, cursor), cursor);
      assert.equal(cursor.item, `item ${i}`);
      assert.equal(cursor.nestedInto(nested).placed.nanos, i);
      assert.ok(order.linesAt(i) !== cursor);
    }
    assert.equal(order.linesAt(100), undefined);
    assert.equal(order.linesAt(-1), undefined);
    assert.equal(order.placedInto(order.placed ?? cursor), undefined);
    order.tags = ['a', 'b'];
    assert.deepEqual([order.tagsAt(0), order.tagsAt(1), order.tagsAt(2), order.tagsCount], ['a', 'b', undefined, 2]);
  });
});

test('one object serves for many messages that are made in place', () => {
  const [line, nested, placed] = [Order_Line.cursor(), Order.cursor(), Timestamp.cursor()];
  const bytes = withMessage(Order.create(), (order) => {
    for (let i = 0; i < 100; i++) {
      assert.equal(order.addLines(line), line);
      line.item = `item ${i}`;
      assert.equal(line.mutableNested(nested), nested);
      assert.equal(nested.mutablePlaced(placed), placed);
      placed.nanos = i;
      // What is there is kept.
      assert.equal(nested.mutablePlaced(placed).nanos, i);
    }
    assert.ok(order.mutableVoucher(Voucher.cursor()) instanceof Voucher);
    return order.encode();
  });
  const made = Order.parse(bytes);
  assert.equal(made.payment.case, 'voucher');
  assert.deepEqual(made.lines.map(({ item, nested: { placed: { nanos } } }) => [item, nanos]),
    Array.from({ length: 100 }, (_, i) => [`item ${i}`, i]));
  // Cursors stay where they are when nothing can be made.
  const gone = Order.create();
  gone.dispose();
  withMessage(Order.create({ lines: [{ item: 'x' }] }), (order) => {
    order.linesAt(0, line);
    throwsSpicule(() => gone.addLines(line), { code: 'INVALID_STATE' });
    throwsSpicule(() => gone.mutablePlaced(placed), { code: 'INVALID_STATE' });
    assert.equal(line.item, 'x');
  });
  throwsSpicule(() => Order.cursor().addLines(), { code: 'INVALID_STATE' });
  throwsSpicule(() => Order.cursor().mutablePlaced(), { code: 'INVALID_STATE' });
});

test('records that are made between all that writes to the memory begin empty', () => {
  // Decoding needs memory of its own to find entries that come again.
  const entries = Array.from({ length: 20 }, (_, i) => Order.encode({ gifts: { [`gift ${i % 10}`]: { count: -1 } } }));
  const gifts = Buffer.concat(entries);
  withMessage(Order.create(), (order) => {
    const lines = [];
    for (let i = 0; i < 3000; i++) {
      const line = order.addLines();
      assert.equal(Object.keys(line.toObject()).filter((key) => line.has(key)).join(), '');
      const item = (i % 3 === 0 ? '\u00ff\u4e2d' : 'x').repeat(i % 61);
      line.item = item;
      const nested = line.mutableNested();
      if (i % 5 === 0) nested.mark = new Uint8Array(i % 97).fill(255);
      if (i % 7 === 0) nested.mergeBytes(Order.encode({ customer: 'c'.repeat(i % 41), tags: ['t', 'u'] }));
      if (i % 11 === 0) nested.appendUnknown(Uint8Array.of(0xf8, 0xff, 0x03, 0x05));
      if (i % 13 === 0) nested.mergeBytes(gifts);
      if (i % 17 === 0) Order.parse(Order.encode({ mark: new Uint8Array(9).fill(255), lines: [{ item }] }));
      lines.push({ i, item });
    }
    const { lines: made } = Order.parse(order.encode());
    assert.equal(made.length, lines.length);
    for (const { i, item } of lines) {
      assert.equal(made[i].item, item);
      assert.equal(made[i].count, 0);
      assert.equal(made[i].nested.mark?.length, i % 5 === 0 ? i % 97 : undefined);
      assert.equal(made[i].nested.customer, i % 7 === 0 ? 'c'.repeat(i % 41) : '');
      assert.equal('$unknown' in made[i].nested, i % 11 === 0);
      assert.equal(made[i].nested.gifts.size, i % 13 === 0 ? 10 : 0);
    }
  });
});

test('bytes are read without an array of their own', () => {
  withMessage(Order.create({ mark: Uint8Array.of(7, 8, 9) }), (order) => {
    assert.deepEqual([order.markLength, order.markAt(0), order.markAt(2), order.markAt(3)], [3, 7, 9, undefined]);
    const to = new Uint8Array(5);
    assert.equal(order.markCopyTo(to, 1), 3);
    assert.deepEqual(to, Uint8Array.of(0, 7, 8, 9, 0));
    throwsSpicule(() => order.markCopyTo(to, 3), { code: 'BUFFER_TOO_SMALL', limit: 3 });
    order.mark = undefined;
    assert.deepEqual([order.markLength, order.markAt(0), order.markCopyTo(to)], [0, undefined, 0]);
  });
  withMessage(Stamps.create({ marks: [Uint8Array.of(4, 5), new Uint8Array(0)] }), (stamps) => {
    assert.deepEqual([0, 1, 2, -1].map((i) => stamps.marksLengthAt(i)), [2, 0, 0, 0]);
    assert.deepEqual([stamps.marksByteAt(0, 1), stamps.marksByteAt(0, 2), stamps.marksByteAt(1, 0), stamps.marksByteAt(2, 0)],
      [5, undefined, undefined, undefined]);
  });
});

test('a visitor sees everything that is set', () => {
  const seen = [];
  class Recorder extends Visitor {
    enter(field) { seen.push(`${field}{`); }
    leave(field) { seen.push(`}${field}`); }
    int(field, value) { seen.push([field, value]); }
    long(field, high, low) { seen.push([field, high, low]); }
    float(field, value) { seen.push([field, value]); }
    bytes(field, memory, start, length) { seen.push([field, Buffer.from(memory.subarray(start, start + length)).toString('latin1')]); }
  }
  withMessage(Order.create({
    id: 2n ** 63n, lines: [{ count: -3 }, {}], gifts: { k: { count: 1 } }, points: 0, state: -1,
    safe: -1, gift: false, weight: 0.5, mark: Uint8Array.of(65), times: [1n],
  }), (order) => order.visit(new Recorder()));
  assert.deepEqual(seen, [
    [1, 2 ** 31, 0], '3{', [2, -3], '}3', '3{', '}3', '5{', [1, 'k'], '2{', [2, 1], '}2', '}5',
    [8, -1], [9, -1, 2 ** 32 - 1], [11, 0], [12, 0.5], [14, 'A'], [15, 0, 1], [70000, 0],
  ]);
});

const NAMES = {
  items: ['a', 'b', 'c'], itemsCount: 7, itemsAt: 'at',
  data: Uint8Array.of(1, 2), dataLength: 9, dataAt: true, dataCopyTo: 'copy',
  part: { value: 1 }, mutablePart: 'mutable', partInto: 'into',
  parts: [{ value: 2 }], addParts: 'add', partsAt: 'at',
  blobs: [Uint8Array.of(3)], blobsLengthAt: 'length', blobsByteAt: 'byte',
  kind: { case: 'b', value: { value: 4 } }, kindCase: 'case',
  x: [Uint8Array.of(5, 6)], xLength: [8],
  fooBar$: { case: 'c', value: 10 }, fooBar: 'field',
  1: [11, 12], 2: { case: '4', value: { value: 13 } }, 5: { value: 14 }, 6: Uint8Array.of(15), 7: [Uint8Array.of(16)],
  toObject$: 'object', toJSON$: 'json', encode$: Uint8Array.of(17), dispose$: { value: 18 }, mergeBytes$: ['merge'],
  hasOwnProperty$: 'own', unknownFields$: 'unknown', visit$: 19, flags: new Map([[true, 1]]), clear$: { case: 'mutable$', value: 20 },
};

for (const name of ['Names', 'Backward']) {
  test(`fields, not the quick ways to others, have the names of fields: message ${name}`, async () => {
    const { [name]: Type } = await import(pathToFileURL(join(out, 'names_spc.js')));
    const bytes = Type.encode(NAMES);
    const { 2: two, ...rest } = NAMES;
    assert.deepEqual(Type.parse(bytes), NAMES);
    assert.deepEqual(generatedSchema().makeClass(Type.$type).parse(bytes), NAMES);
    withMessage(Type.decode(bytes), (message) => {
      assert.deepEqual(message.toObject(), NAMES);
      for (const [key, expected] of Object.entries(rest)) {
        const value = message[key];
        if (Array.isArray(expected) || expected instanceof Map) assert.deepEqual(value.toObject?.() ?? [...value].map((one) => one.toObject?.() ?? one), [...expected], key);
        else if (expected.case === 'b') assert.deepEqual({ ...value, value: value.value.toObject() }, expected);
        else assert.deepEqual(value.toObject?.() ?? value, expected, key);
      }
      assert.equal(message[2].value.value, two.value.value);
      // Of two quick ways of one name there is none, and those of other names are as ever.
      assert.equal(message.xLengthAt, undefined);
      assert.deepEqual([message.partsCount, message.xCount, message['1Count'], message['1At'](1)], [1, 1, 2, 12]);
      assert.deepEqual([message['2Case'], message['6Length'], message.fooBar$Case, message.clear$Case], [26, 1, 22, 35]);
      message.itemsCount = 1;
      message.mutableB().value = 5;
      assert.deepEqual([message.itemsCount, message.items.length, message.kind.value.value], [1, 3, 5]);
    });
  });
}

test('types whose names would be the same have names of their own', async () => {
  const module = await import(pathToFileURL(join(out, 'types_spc.js')));
  const names = Object.entries(module).filter(([, type]) => type.typeName?.startsWith('types.')).map(([name, type]) => [name, type.typeName]);
  assert.deepEqual(new Map(names), new Map([
    ['Foo', 'types.v1.Foo'], ['Foo_Bar', 'types.v1.Foo.Bar'], ['Foo_Bar$', 'types.v1.Foo_Bar'], ['Order', 'types.v1.Order'],
    ['OrderObject$', 'types.v1.OrderObject'], ['OrderInit$', 'types.v1.OrderInit'], ['Map$', 'types.v1.Map'], ['Use', 'types.v1.Use'],
    ['Service', 'types.v1.Service'],
  ]));
  assert.equal(module.Shop_Kind.A, 0);
  assert.deepEqual([module.default$.name, module.extension.name, module.setField.name], ['types.v1.default', 'types.v1.extension', 'types.v1.setField']);
  assert.deepEqual([module.ServiceObject$.B, module.ServiceInit$.name], [0, 'types.v1.ServiceInit']);
  const { Use } = module;
  const object = { one: { a: 1 }, two: { b: 2 }, three: { c: 3 }, four: new Map([['k', { d: 4 }]]) };
  assert.deepEqual(Use.parse(Use.encode(object)), object);
});

test('no field has the name of a member of messages', () => {
  const names = [Message.prototype, Object.prototype].flatMap((own) => Object.getOwnPropertyNames(own));
  const members = [...new Set(names)].filter((name) => /^[a-z]/.test(name));
  assert.ok(members.includes('mergeBytes') && members.includes('valueOf'));
  const fields = members.map((name, i) => `int32 ${name} = ${i + 1};`);
  const Type = loadProto(`syntax = "proto3"; message Type { ${fields.join(' ')} }`).message('Type');
  for (const name of members) {
    assert.ok(RESERVED.has(name), name);
    assert.equal(Type.parse(Type.encode({ [`${name}$`]: 1 }))[`${name}$`], 1, name);
  }
});

test('services are data', () => {
  assert.equal(Shop.name, 'shop.v1.Shop');
  assert.deepEqual(Object.values(Shop.methods).map(({ name, kind }) => [name, kind]), [
    ['Place', 'unary'], ['Watch', 'server-streaming'], ['Send', 'client-streaming'], ['Talk', 'bidi-streaming'],
  ]);
  assert.equal(Shop.methods.place.input, Order);
  assert.equal(Shop.methods.watch.output, Order);
});

test('types of all generated files are known to Any', () => {
  const Any = generatedSchema().message('google.protobuf.Any');
  const json = { '@type': 'type.googleapis.com/shop.v1.Order', customer: 'c' };
  withMessage(Order.fromJSON({ extra: json }), (order) => {
    assert.deepEqual(order.toJSON(), { extra: json });
    assert.equal(Order.parse(order.extra.value).customer, 'c');
  });
  assert.equal(Any.typeName, 'google.protobuf.Any');
});

test('code for another layout is refused when it is loaded', async (t) => {
  const other = generateTypeScript(t, protos);
  const file = join(other, 'shop_spc.js');
  const source = readFileSync(file, 'utf8');
  const changed = source.replace(/("shop\.v1\.Order", )(\d+)/, (_, head, hash) => `${head}${Number(hash) + 1}`);
  assert.notEqual(changed, source);
  writeFileSync(file, changed);
  const stale = await load(other);
  throwsSpicule(() => stale.Order.create(), { code: 'UNAVAILABLE', path: 'shop.v1.Order' });
});

test('64-bit integers of a file are numbers or strings by option', async (t) => {
  const numbers = await load(generateTypeScript(t, protos, ['int64=number']));
  const bytes = Order.encode({ id: 5n, times: [-6n], safe: 7 });
  const object = numbers.Order.parse(bytes);
  assert.deepEqual([object.id, object.times, object.safe, object.text], [5, [-6], 7, '0']);
  withMessage(numbers.Order.decode(bytes), (order) => {
    assert.deepEqual([order.id, [...order.times], order.timesAt(0)], [5, [-6], -6]);
    assert.equal(order.placed, undefined);
  });
  throwsSpicule(() => numbers.Order.parse(Order.encode({ id: 2n ** 53n })), { code: 'INVALID_ARGUMENT', path: 'id' });
  const many = { lines: [{}, { nested: { id: 1n, times: [1n, 2n ** 53n] } }], gifts: { a: { nested: { id: 3n } } } };
  for (const [init, path] of [
    [{ id: 2n ** 53n }, 'id'], [many, 'lines[1].nested.times[1]'], [{ gifts: { a: { nested: { id: 2n ** 60n } } } }, 'gifts'],
    [{ placed: { seconds: 1n }, times: [1n, 2n, -(2n ** 53n)] }, 'times[2]'],
  ]) {
    const wide = Order.encode(init);
    throwsSpicule(() => numbers.Order.parse(wide), { code: 'INVALID_ARGUMENT', path });
    withMessage(numbers.Order.decode(wide), (order) => throwsSpicule(() => order.toObject(), { code: 'INVALID_ARGUMENT', path }));
  }
  const strings = await load(generateTypeScript(t, protos, ['int64=string']));
  assert.equal(strings.Order.parse(bytes).id, '5');
});

test('without ProtoJSON by option, importing it makes it work', (t) => {
  const folder = generateTypeScript(t, protos, ['json=false']);
  const dist = new URL('../../../dist/', import.meta.url);
  const program = (...lines) => `
    const { Order } = await import('${folder}/shop_spc.js');
    const order = Order.create({ id: 5n });
    const attempt = (run) => {
      try { console.log(JSON.stringify(run())); } catch ({ code, message }) { console.log(code, message); }
    };
    ${lines.join('\n')}`;
  const all = `
    attempt(() => order.toJSON());
    attempt(() => order.times.toJSON());
    attempt(() => Order.fromJSON({ id: '7' }).id.toString());`;
  const evaluate = (text) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    return stdout;
  };
  assert.match(evaluate(program(all)), /^(UNAVAILABLE .*; import spicule\/codec\/json.*\n){3}$/);
  const loaded = '{"id":"5"}\n[]\n"7"\n';
  const entry = `const json = await import('${dist}codec/json.js');`;
  assert.equal(evaluate(program(entry, all)), loaded);
  assert.equal(evaluate(program(entry, 'await Promise.all([json.load(), json.load()]);', all)), loaded);
  const imports = (place) => /^import ".*\/codec\/json\.js";$/m.test(readFileSync(join(place, 'shop_spc.js'), 'utf8'));
  assert.deepEqual([imports(out), imports(folder)], [true, false]);
});

test('generated modules evaluate nothing that a content security policy forbids', () => {
  for (const name of readdirSync(out, { recursive: true }).filter((file) => file.endsWith('.js'))) {
    assert.doesNotMatch(readFileSync(join(out, name), 'utf8'), /\beval\b|new Function|\bany\b(?=;)/);
  }
});

test('declarations beside generated JavaScript have the same types, and none that is any', (t) => {
  const typed = readFileSync(new URL('support/typed.ts.txt', import.meta.url), 'utf8');
  const without = typed.replace(/^.*paymentCase.*$/m, '');
  for (const [options, program] of [[[], typed], [['optimize_for=code_size'], without]]) {
    const folder = generateTypeScript(t, protos, ['writers=true', ...options]);
    writeFileSync(join(folder, 'typed.ts'), program);
    compilesStrictly(folder);
    for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.d.ts'))) {
      const code = readFileSync(join(folder, name), 'utf8').replace(/\/\*.*?\*\//gs, '');
      assert.doesNotMatch(code, /\bany\b/, name);
    }
  }
});

test('generated TypeScript compiles under the strictest options, and wrong uses are errors', (t) => {
  const folder = generateTypeScript(t, protos, ['target=ts', 'writers=true']);
  const typed = new URL('support/typed.ts.txt', import.meta.url);
  writeFileSync(join(folder, 'typed.ts'), readFileSync(typed));
  compilesStrictly(folder);
});
