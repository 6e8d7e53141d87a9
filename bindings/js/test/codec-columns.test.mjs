// Columns read straight from the wire, held against plain objects.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadSchema, statistics } from '../../../dist/codec.js';
import { throwsSpicule, throwsType } from './support/errors.mjs';

const root = new URL('../../../', import.meta.url);
const schema = loadSchema(readFileSync(new URL('test/vectors/codec/conformance.fds', root)));
const Proto3 = schema.message('protobuf_test_messages.proto3.TestAllTypesProto3');

/** The column of a path by plain objects: values (undefined: absent) and offsets by level. */
function expectedColumn(type, object, path) {
  const values = [];
  const starts = new Map();
  const steps = path.split('.').map((name) => {
    const field = type.field(name);
    const step = { field, repeated: field.repeated };
    type = field.scalar === undefined ? field.message : undefined;
    return step;
  });
  steps.forEach(({ repeated }, at) => repeated && starts.set(at, []));
  const inner = (at) => steps.findIndex(({ repeated }, i) => i > at && repeated);
  const count = (at) => (inner(at) < 0 ? values.length : starts.get(inner(at)).length);
  const walk = (parent, at) => {
    if (at === steps.length) return values.push(parent);
    const { field, repeated } = steps[at];
    const value = parent === undefined ? undefined : field.oneof === undefined
      ? parent[field.name]
      : parent[field.oneof.name]?.case === field.name ? parent[field.oneof.name].value : undefined;
    if (!repeated) return walk(value, at + 1);
    const own = starts.get(at);
    own.push(count(at));
    for (const element of value ?? []) walk(element, at + 1);
  };
  walk(object, 0);
  const offsets = [...starts].sort(([a], [b]) => a - b).map(([at, own]) => Uint32Array.from([...own, count(at)]));
  return { values, offsets, field: steps.at(-1).field };
}

function checkColumns(Type, bytes, paths) {
  const object = Type.parse(bytes);
  const columns = Type.select(bytes, paths);
  assert.equal(columns.length, paths.length);
  columns.forEach((column, i) => {
    const { values, offsets, field } = expectedColumn(Type.$type, object, paths[i]);
    assert.equal(column.path, paths[i]);
    assert.equal(column.length, values.length, paths[i]);
    assert.deepEqual(column.offsets, offsets, paths[i]);
    values.forEach((value, j) => {
      // Without presence, a zero that is not on the wire is not there.
      if (value === undefined) assert.equal(column.present[j], 0);
      const found = field.type === 9 ? column.stringAt(j) : field.type === 12 ? column.bytesAt(j)
        : field.type === 8 ? column.values[j] !== 0 : column.values[j];
      const { zero } = field.scalar;
      const expected = value ?? (field.type === 8 ? false : zero);
      if (field.type === 12) assert.deepEqual([...found], [...expected]);
      else assert.equal(found, expected, `${paths[i]}[${j}]`);
    });
  });
}

const SAMPLE = {
  optionalInt32: -5, optionalUint64: 2n ** 64n - 1n, optionalDouble: 0.5, optionalFloat: -1.5, optionalBool: true,
  optionalString: 'gr\u00fc\u00dfe', optionalBytes: Uint8Array.of(1, 2), optionalNestedMessage: { a: 7 }, oneofUint32: 9,
  repeatedInt32: [1, -2], unpackedInt32: [3, 4], repeatedString: ['', 'x'], repeatedSint64: [-3n],
  repeatedNestedMessage: [{ a: 1, corecursive: { repeatedInt32: [5, 6] } }, {}, { corecursive: {} }],
  recursiveMessage: { repeatedNestedMessage: [{ a: 2 }] },
};

test('columns have what decoding finds', () => {
  const paths = [
    'optionalInt32', 'optional_int32', 'optionalUint64', 'optionalDouble', 'optionalFloat', 'optionalBool', 'optionalString',
    'optionalBytes', 'optionalNestedMessage.a', 'optionalForeignMessage.c', 'oneofUint32', 'oneofString', 'repeatedInt32',
    'unpackedInt32', 'repeatedString', 'repeatedSint64', 'repeatedNestedMessage.a', 'repeatedNestedMessage.corecursive.optionalInt32',
    'repeatedNestedMessage.corecursive.repeatedInt32', 'recursiveMessage.repeatedNestedMessage.a',
    'recursiveMessage.repeatedNestedMessage.corecursive.repeatedNestedMessage.a', 'repeatedDouble',
  ];
  checkColumns(Proto3, Proto3.encode(SAMPLE), paths);
  checkColumns(Proto3, new Uint8Array(0), paths);
  const [column] = Proto3.select(Proto3.encode(SAMPLE), ['repeatedNestedMessage.corecursive.repeatedInt32']);
  assert.deepEqual(column.values, Int32Array.of(5, 6));
  assert.deepEqual(column.offsets, [Uint32Array.of(0, 3), Uint32Array.of(0, 2, 2, 2)]);
});

test('the last of several on the wire counts, also in a oneof', () => {
  const joined = (...objects) => Uint8Array.from(objects.flatMap((object) => [...Proto3.encode(object)]));
  checkColumns(Proto3, joined({ optionalInt32: 1 }, { optionalInt32: 2 }), ['optionalInt32']);
  checkColumns(Proto3, joined({ oneofUint32: 1 }, { oneofString: 'x' }), ['oneofUint32', 'oneofString']);
  const parts = joined({ optionalNestedMessage: { a: 1 } }, { optionalNestedMessage: { a: 2 } });
  throwsSpicule(() => Proto3.select(parts, ['optionalNestedMessage.a']), { code: 'MALFORMED', offset: 8 });
});

test('paths share what they have in common', () => {
  const bytes = Proto3.encode(SAMPLE);
  const [a, numbers] = Proto3.select(bytes, ['repeatedNestedMessage.a', 'repeatedNestedMessage.corecursive.repeatedInt32']);
  assert.equal(a.offsets[0], numbers.offsets[0]);
  assert.deepEqual(Proto3.select(bytes, ['optionalInt32', 'optionalInt32']).map(({ values }) => values[0]), [-5, -5]);
  assert.deepEqual(Proto3.select(bytes, []), []);
});

test('memory of lists that grew is given back', () => {
  const bytes = Proto3.encode({ repeatedInt32: new Array(200_000).fill(1), repeatedString: ['x'] });
  const memory = () => {
    const [column] = Proto3.select(bytes, ['repeatedInt32']);
    assert.equal(column.length, 200_000);
    return statistics().memory;
  };
  memory();
  const before = memory();
  for (let i = 0; i < 10; i++) assert.equal(memory(), before);
});

test('paths and bytes are checked', () => {
  const none = new Uint8Array(0);
  throwsSpicule(() => Proto3.select(none, ['nonsense']), { code: 'UNKNOWN_FIELD', path: 'nonsense' });
  throwsSpicule(() => Proto3.select(none, ['optionalInt32.a']), { code: 'UNKNOWN_FIELD', path: 'optionalInt32.a' });
  throwsSpicule(() => Proto3.select(none, ['optionalNestedMessage']), { code: 'WRONG_TYPE', path: 'optionalNestedMessage' });
  throwsType(() => Proto3.select(none, [1]), 'path');
  throwsType(() => Proto3.select('x', []), 'bytes');
  throwsType(() => Proto3.select(none), 'paths');
  throwsType(() => Proto3.encodeColumns({ path: 'optionalInt32' }), 'columns');
  throwsType(() => Proto3.scope(none, 3), 'use');
  throwsSpicule(() => Proto3.select(Uint8Array.of(8), ['optionalInt32']), { code: 'TRUNCATED', offset: 1 });
  const bytes = Proto3.encode(SAMPLE);
  for (let end = 0; end < bytes.length; end++) {
    const cut = bytes.subarray(0, end);
    let ok = true;
    try {
      Proto3.parse(cut);
    } catch {
      ok = false;
    }
    if (ok) checkColumns(Proto3, cut, ['repeatedNestedMessage.corecursive.repeatedInt32', 'optionalString']);
    else assert.throws(() => Proto3.select(cut, ['repeatedNestedMessage.corecursive.repeatedInt32']), { name: 'SpiculeError' });
  }
});

test('columns are encoded as they were selected', () => {
  const { oneofUint32, optionalNestedMessage, ...rest } = SAMPLE;
  const bytes = Proto3.encode({ ...rest, optionalBool: false, repeatedNestedMessage: [
    { a: 1, corecursive: { repeatedInt32: [5, 6], optionalString: 'x' } }, { a: 3 }, { corecursive: { repeatedInt32: [7] } },
  ] });
  const paths = ['optionalInt32', 'optionalUint64', 'optionalDouble', 'optionalFloat', 'optionalString', 'optionalBytes',
    'oneofUint32', 'repeatedInt32', 'unpackedInt32', 'repeatedString', 'repeatedSint64', 'optionalNestedMessage.a',
    'repeatedNestedMessage.a', 'repeatedNestedMessage.corecursive.repeatedInt32',
    'repeatedNestedMessage.corecursive.optionalString', 'recursiveMessage.repeatedNestedMessage.a'];
  const again = Proto3.encodeColumns(Proto3.select(bytes, paths));
  assert.equal(Buffer.from(again).toString('hex'), Buffer.from(bytes).toString('hex'));
  const made = Proto3.encodeColumns([
    { path: 'repeatedNestedMessage.a', values: Int32Array.of(1, 0, 3), present: [1, 0, 1] },
    { path: 'repeatedNestedMessage.corecursive.optionalBool', values: [1, 1, 0] },
    { path: 'repeatedDouble', values: Float64Array.of(0.5) },
    { path: 'optionalString', values: ['text'] },
  ]);
  const { repeatedNestedMessage, repeatedDouble, optionalString } = Proto3.parse(made);
  assert.deepEqual(repeatedNestedMessage.map(({ a, corecursive }) => [a, corecursive.optionalBool]), [[1, true], [0, true], [3, false]]);
  assert.deepEqual([repeatedDouble, optionalString], [[0.5], 'text']);
  const wrong = (columns, path) => throwsSpicule(() => Proto3.encodeColumns(columns), { code: 'WRONG_LENGTH', path });
  wrong([{ path: 'optionalInt32', values: [1, 2] }], 'optionalInt32');
  wrong([{ path: 'repeatedInt32', values: [1, 2], offsets: [[0, 1]] }], 'repeatedInt32');
  wrong([{ path: 'repeatedInt32', values: [1], present: [] }], 'repeatedInt32');
  wrong([{ path: 'repeatedNestedMessage.a', values: [1, 2] }, { path: 'repeatedNestedMessage.corecursive.optionalInt32', values: [1] }],
    'repeatedNestedMessage.corecursive.optionalInt32');
  throwsSpicule(() => Proto3.encodeColumns([{ path: 'mapInt32Int32.value', values: [1] }]), { code: 'WRONG_TYPE', path: 'mapInt32Int32.value' });
});

test('a view reads fields when they are asked for', () => {
  const map = new Map([['k', { a: 4 }]]);
  const bytes = Proto3.encode({ ...SAMPLE, mapStringNestedMessage: map, mapInt32Int32: { 1: 2 }, optionalNestedEnum: 2 });
  const object = Proto3.parse(bytes);
  const view = Proto3.view(bytes);
  for (const { name, scalar, map: isMap, explicit } of Proto3.$type.fields) {
    if (scalar === undefined || isMap) continue;
    const expected = object[name] ?? (object.oneofField.case === name ? object.oneofField.value : explicit ? undefined : scalar.zero);
    assert.deepEqual(view.get(name), expected, name);
  }
  assert.equal(view.get('optionalNestedMessage').get('a'), 7);
  assert.equal(view.get('optionalForeignMessage'), undefined);
  const elements = view.get('repeatedNestedMessage');
  assert.deepEqual(elements.map((element) => element.get('a')), [1, 0, 0]);
  assert.deepEqual(elements[0].get('corecursive').get('repeatedInt32'), [5, 6]);
  assert.equal(view.get('mapStringNestedMessage').get('k').get('a'), 4);
  assert.deepEqual(view.get('mapInt32Int32'), new Map([[1, 2]]));
  assert.deepEqual(Proto3.parse(elements[0].bytes).oneofField, undefined);
  throwsSpicule(() => view.get('nonsense'), { code: 'UNKNOWN_FIELD', path: 'nonsense' });
  view.dispose();
  throwsSpicule(() => elements[0].get('a'), { code: 'INVALID_STATE' });
  assert.throws(() => view.bytes, /the message or view is disposed/);
  // Nothing is looked at before it is asked for, and then only what is needed to find it.
  const broken = Uint8Array.from([...Proto3.encode({ optionalInt32: 5, recursiveMessage: {} })]);
  broken[broken.length - 1] = 9;
  const bad = Proto3.view(broken);
  throwsSpicule(() => bad.get('optionalInt32'), { code: 'TRUNCATED', offset: 4 });
  bad.dispose();
});

const shared = process.env.SPICULE_SHARED ?? new URL('../../../../shared', import.meta.url).pathname;
const hapi = `${shared}/hapi`;
test('columns of a real block', { skip: !existsSync(hapi) && 'SKIPPED: no shared folder' }, () => {
  const blocks = loadSchema(readFileSync(`${hapi}/hapi.fds`));
  const Block = blocks.message('com.hedera.hapi.block.stream.Block');
  const bytes = readFileSync(`${hapi}/blocks/000000000000000000000000000000000008.blk`);
  checkColumns(Block, bytes, [
    'items.state_changes.consensus_timestamp.seconds', 'items.stateChanges.stateChanges.stateId',
    'items.transactionResult.status', 'items.blockHeader.number', 'items.signedTransaction',
    'items.eventHeader.parents.index',
  ]);
});
