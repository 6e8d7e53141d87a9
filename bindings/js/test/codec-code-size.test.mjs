// Classes by protoc-gen-spicule with optimize_for=code_size: the same as other generated ones, of less code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { createInstance } from '../../../dist/codec.js';
import { generatedSchema } from '../../../dist/codec/generated.js';
import { loadedSpecializer } from '../../../dist/codec/loaded-specializer.js';
import { throwsSpicule } from './support/errors.mjs';
import { generateTypeScript } from './support/plugin.mjs';
import { compilesStrictly } from './support/typescript.mjs';

const protos = fileURLToPath(new URL('support/proto', import.meta.url));
const out = generateTypeScript({ after }, protos, ['optimize_for=code_size']);
const shop = pathToFileURL(join(out, 'shop_spc.js')).href;
const code = await import(shop);
const { Order, Order_Line, Order_State, Shop, Voucher, note, vouchers } = code;
const hex = (bytes) => Buffer.from(bytes).toString('hex');

const SAMPLE = {
  id: 2n ** 64n - 1n, customer: 'Zoë', lines: [{ item: 'a', count: -3 }, { item: 'b', nested: { id: 5n } }],
  placed: { seconds: 1_700_000_000n, nanos: 999_999_999 }, gifts: new Map([['x', { item: 'g', count: 1 }]]),
  payment: { case: 'voucher', value: {} }, state: Order_State.STATE_SENT, safe: 2 ** 53 - 1,
  text: '-9223372036854775808', gift: false, weight: 0.1, ratio: -0, mark: Uint8Array.of(1, 2, 3),
  times: [1n, -(2n ** 63n)], tags: ['', 'tag'], states: [Order_State.STATE_LOST], has$: true,
  constructor$: Uint8Array.of(9),
};

function withMessage(message, run) {
  try {
    return run(message);
  } finally {
    message.dispose();
  }
}

/** What a module prints in a process of its own. */
function printed(...lines) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', lines.join('\n')], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test('every property reads what was set, and undefined clears', () => {
  withMessage(Order.create(), (order) => {
    for (const [name, value] of Object.entries(SAMPLE)) order[name] = value;
    assert.equal(hex(order.encode()), hex(Order.encode(SAMPLE)));
    const { text, times, payment, gift, placed } = order;
    assert.deepEqual([text, [...times], payment.case, gift, placed.nanos],
      [SAMPLE.text, SAMPLE.times, 'voucher', false, 999_999_999]);
    order.setExtension(note, 'careful');
    order.setExtension(vouchers, [{}]);
    assert.deepEqual([order.getExtension(note), order.getExtension(vouchers).length], ['careful', 1]);
    order.clearExtension(note);
    order.clearExtension(vouchers);
    for (const name of Object.keys(SAMPLE)) order[name] = undefined;
    assert.equal(order.encode().length, 0);
    assert.throws(() => (order.id = 'x'), { name: 'TypeError', message: /^id must be/ });
    throwsSpicule(() => (order.payment = { case: 'nobody', value: 1 }), { code: 'UNKNOWN_FIELD', path: 'payment.nobody' });
  });
});

test('plain objects, bytes and JSON are those of the code for speed', (t) => {
  const fast = generateTypeScript(t, protos);
  const program = (folder) => printed(
    `import { Order } from '${pathToFileURL(join(folder, 'shop_spc.js'))}';`,
    `import { inspect } from 'node:util';`,
    `const sample = ${JSON.stringify({ ...SAMPLE, lines: [{ item: 'a' }, {}], id: 5, times: [-6], text: '7', gifts: { x: { item: 'g' } }, placed: { nanos: 7 }, mark: undefined, constructor$: undefined })};`,
    'const bytes = Order.encode({ ...sample, mark: Uint8Array.of(1, 2) });',
    'const message = Order.decode(bytes);',
    'console.log(inspect([Order.parse(bytes), message.toObject(), message.toJSON(), Order.parse(new Uint8Array()), bytes], { depth: 9 }));',
    'console.log(inspect(Object.keys(Order.parse(bytes))), Order.name, Order.typeName);',
    'try { Order.parse(bytes.subarray(1)); } catch (error) { console.log(error.message); }',
  );
  const small = program(out);
  assert.match(small, /times: \[ -6n \]/);
  assert.equal(small, program(fast));
});

test('messages within messages are of generated classes, whichever is used first', () => {
  const check = `
    const order = Order.create({ lines: [{ item: 'a' }], gifts: { x: {} }, payment: { case: 'voucher', value: {} }, placed: {} });
    console.log([order.payment.value instanceof Voucher, order.lines.at(0) instanceof Order_Line,
      order.gifts.get('x') instanceof Order_Line, order.mutable('voucher') instanceof Voucher,
      order.placed instanceof Timestamp, Shop.methods.place.input === Order].join());`;
  const imports = `import { Order, Order_Line, Shop, Voucher } from '${shop}';
    import { Timestamp } from '${new URL('../../../dist/codec/wkt/google/protobuf/timestamp_spc.js', import.meta.url)}';
    import { generatedSchema } from '${new URL('../../../dist/codec/generated.js', import.meta.url)}';`;
  for (const first of ['', 'Voucher.create();', 'Order_Line.cursor();', "generatedSchema().message('shop.v1.Order').create({ lines: [{ count: 1 }] }).lines.at(0).count;"]) {
    assert.equal(printed(imports, first, check), 'true,true,true,true,true,true', first);
  }
});

test('a class that a bundle left out is made of the schema', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-dropped-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const source = readFileSync(join(out, 'shop_spc.js'), 'utf8');
  const dropped = source.replace(/^(export )?const Order_Line\$\w+ = .*$/gm, '');
  assert.notEqual(dropped, source);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'shop_spc.js'), dropped);
  assert.equal(printed(
    `import { Order } from '${pathToFileURL(join(folder, 'shop_spc.js'))}';`,
    "const order = Order.create({ lines: [{ item: 'a' }] });",
    'order.lines.add().count = 7;',
    'console.log(JSON.stringify(order.toJSON()), order.lines.at(1).count, order.lines.at(0).constructor.name);',
  ), '{"lines":[{"item":"a"},{"count":7}]} 7 Line');
});

test('code for speed and code that is small refer to each other', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-mixed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const message = (name, part) => `message ${name} { string text = 1; ${part} one = 2; repeated ${part} many = 3;
    map<string, ${part}> named = 4; oneof kind { ${part} a = 5; int32 b = 6; } }`;
  writeFileSync(join(folder, 'low.proto'), `syntax = "proto3"; package mix; message Leaf { int32 value = 1; } ${message('Low', 'Leaf')}`);
  writeFileSync(join(folder, 'high.proto'), `syntax = "proto3"; package mix; import "low.proto"; ${message('High', 'Low')}`);
  const [fast, small] = [[], ['optimize_for=code_size']].map((options) => generateTypeScript(t, folder, options));
  const program = `
    import { High } from './high_spc.js';
    import { Leaf, Low } from './low_spc.js';
    const low = { text: 'l', one: { value: 1 }, many: [{ value: 2 }], named: { k: { value: 3 } }, kind: { case: 'a', value: { value: 4 } } };
    const bytes = High.encode({ text: 'h', one: low, many: [low, {}], named: { k: low }, kind: { case: 'a', value: low } });
    const object = High.parse(bytes);
    const high = High.decode(bytes);
    const all = [object.one, object.many[0], object.named.get('k'), object.kind.value, high.one.toObject(), high.many.at(0).toObject(),
      high.kind.value.toObject()].map((one) => [one.text, one.one.value, one.many[0].value, one.named.get('k').value, one.kind.value.value].join());
    const cursor = Low.cursor();
    if (high.oneInto) all.push(high.oneInto(cursor).text, high.manyAt(1, cursor).text, high.mutableOne(cursor) === cursor, high.oneInto(cursor).one.value);
    high.one.one = undefined;
    console.log([...new Set(all)].join(';'), high.one instanceof Low, high.many.at(0).one instanceof Leaf, high.one.one);`;
  for (const [high, low, expected] of [
    [fast, fast, 'l,1,2,3,4;l;;true;1 true true undefined'], [fast, small, 'l,1,2,3,4;l;;true;1 true true undefined'],
    [small, fast, 'l,1,2,3,4 true true undefined'], [small, small, 'l,1,2,3,4 true true undefined'],
  ]) {
    const place = mkdtempSync(join(folder, 'both-'));
    copyFileSync(join(high, 'high_spc.js'), join(place, 'high_spc.js'));
    copyFileSync(join(low, 'low_spc.js'), join(place, 'low_spc.js'));
    writeFileSync(join(place, 'package.json'), '{"type":"module"}');
    writeFileSync(join(place, 'program.js'), program);
    assert.equal(printed(`await import('${pathToFileURL(join(place, 'program.js'))}');`), expected);
  }
});

test('a cursor is of the class, and in no message', () => {
  const cursor = Order_Line.cursor();
  assert.ok(cursor instanceof Order_Line);
  throwsSpicule(() => cursor.item, { code: 'INVALID_STATE' });
  throwsSpicule(() => (cursor.item = 'x'), { code: 'INVALID_STATE' });
});

test('fields have the names that code for speed gives them', async () => {
  const { Names } = await import(pathToFileURL(join(out, 'names_spc.js')));
  const object = { items: ['a'], itemsCount: 7, toObject$: 'object', fooBar$: { case: 'c', value: 10 }, flags: new Map([[true, 1]]) };
  withMessage(Names.create(object), (names) => {
    assert.deepEqual([names.itemsCount, names.toObject$, names.fooBar$.value, names.flags.get(true)], [7, 'object', 10, 1]);
  });
  assert.deepEqual(Names.parse(Names.encode(object)).fooBar$, object.fooBar$);
});

test('types of the files are known to Any and by name', () => {
  const json = { extra: { '@type': 'type.googleapis.com/shop.v1.Order', customer: 'c' } };
  withMessage(Order.fromJSON(json), (order) => assert.deepEqual(order.toJSON(), json));
  assert.equal(generatedSchema().message('shop.v1.Order').typeName, 'shop.v1.Order');
  assert.equal(Voucher.typeName, 'shop.v1.Voucher');
  assert.equal(Shop.methods.watch.kind, 'server-streaming');
});

test('no code is made at run time unless an option or another part of the program brings that along', async (t) => {
  assert.equal(loadedSpecializer(), undefined);
  assert.doesNotMatch(readFileSync(join(out, 'shop_spc.js'), 'utf8'), /specializer/);
  (await createInstance()).dispose();
  assert.notEqual(loadedSpecializer(), undefined);
  const [forced, without] = [['optimize_for=code_size', 'specialize=true'], ['specialize=false']]
    .map((options) => readFileSync(join(generateTypeScript(t, protos, options), 'shop_spc.js'), 'utf8'));
  assert.deepEqual([/, specializer\);/.test(forced), /, specializer\);/.test(without)], [true, false]);
});

test('it takes less than half of what code for speed takes', (t) => {
  const fast = generateTypeScript(t, protos);
  const size = (folder) => statSync(join(folder, 'shop_spc.js')).size;
  assert.ok(size(out) < size(fast) / 2, `${size(out)} of ${size(fast)}`);
});

test('it compiles under the strictest options, and wrong uses are errors', (t) => {
  const folder = generateTypeScript(t, protos, ['target=ts', 'writers=true', 'optimize_for=code_size']);
  const typed = readFileSync(new URL('support/typed.ts.txt', import.meta.url), 'utf8');
  const without = typed.replace(/^.*paymentCase.*$/m, '// @ts-expect-error only code for speed has it\norder.paymentCase;');
  assert.notEqual(without, typed);
  writeFileSync(join(folder, 'typed.ts'), without);
  compilesStrictly(folder);
});
