// Options by every entry: those that are unknown, or of a wrong type, are errors that name them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as codec from '../../../dist/codec.js';
import { loadProto } from '../../../dist/codec/proto.js';
import * as all from '../../../dist/index.js';
import { createBackend, startServer } from '../../../dist/native.js';
import * as sha2 from '../../../dist/sha2.js';
import * as sponge from '../../../dist/sponge.js';
import * as ssz from '../../../dist/ssz.js';
import * as chainsafe from '../../../dist/ssz/chainsafe.js';
import { fromYaml } from '../../../dist/ssz/yaml.js';
import { throwsSpicule, throwsType } from './support/errors.mjs';

const descriptors = readFileSync(new URL('../../../test/vectors/codec/conformance.fds', import.meta.url));
const Type = codec.loadSchema(descriptors).message('protobuf_test_messages.proto3.TestAllTypesProto3');
const none = new Uint8Array(0);
const message = Type.create();
const list = ssz.list(ssz.uint8, 5);
const container = ssz.container({ a: ssz.uint8 });

/** What takes options, by name: a call with them, and an option with a value of a wrong type. */
const TAKERS = {
  'codec createInstanceSync': [(options) => codec.createInstanceSync(options), 'memoryLimit', '1'],
  'codec createInstanceSync, specialised': [(options) => codec.createInstanceSync(options), 'specialize', 'no'],
  'ssz createInstanceSync': [(options) => ssz.createInstanceSync(options), 'memoryLimit', '1'],
  'sponge createInstanceSync': [(options) => sponge.createInstanceSync(options), 'through', 'exprts'],
  'sha2 createInstanceSync': [(options) => sha2.createInstanceSync(options), 'variant', 5],
  'createInstanceSync': [(options) => all.createInstanceSync(options), 'memoryLimit', 5n],
  'loadSchema': [(options) => codec.loadSchema(descriptors, options), 'int64', 'nmber'],
  'loadProto': [(options) => loadProto('syntax = "proto3";', options), 'int64', 5],
  'parse': [(options) => Type.parse(none, options), 'strict', 1],
  'decode': [(options) => Type.decode(none, options), 'maxSize', '5'],
  'scope': [(options) => Type.scope(none, () => {}, options), 'partial', 'yes'],
  'mergeBytes': [(options) => message.mergeBytes(none, options), 'discardUnknown', 0],
  'encode of objects': [(options) => Type.encode({}, options), 'deterministic', 'true'],
  'encode': [(options) => message.encode(options), 'maxDepth', 5n],
  'encodeInto': [(options) => message.encodeInto(none, options), 'partial', null],
  'encodeColumns': [(options) => Type.encodeColumns([], options), 'partial', 1],
  'toJSON': [(options) => message.toJSON(options), 'protoNames', 1],
  'toJSONString': [(options) => message.toJSONString(options), 'emitDefaults', 1],
  'fromJSON': [(options) => Type.fromJSON({}, options), 'registry', {}],
  'fromJSONString': [(options) => Type.fromJSONString('{}', options), 'ignoreUnknown', 1],
  'container': [(options) => ssz.container({ a: ssz.uint8 }, options), 'name', 5],
  'fromSchema': [(options) => ssz.fromSchema('{"A": "uint8"}', options), 'section', 5],
  'fromYaml': [(options) => fromYaml('A: uint8', options), 'section', 5],
  'ssz toJSON': [(options) => list.toJSON([1], options), undefined],
  'ssz fromJSON': [(options) => container.fromJSON({ a: '1' }, options), undefined],
};

const long = new chainsafe.UintNumberType(8);
const pair = { a: long, b: long };
/** The types of the migration layer; all have a name. */
const TYPES = {
  UintNumberType: [8], UintBigintType: [16], BooleanType: [], ByteVectorType: [4], ByteListType: [4], ProgressiveByteListType: [],
  BitVectorType: [4], BitListType: [4], ProgressiveBitListType: [], VectorBasicType: [long, 4],
  VectorCompositeType: [new chainsafe.ByteVectorType(4), 4], ListBasicType: [long, 4],
  ListCompositeType: [new chainsafe.ByteVectorType(4), 4], ListUintNum64Type: [4], ProgressiveListBasicType: [long],
  ProgressiveListCompositeType: [new chainsafe.ByteVectorType(4)], ContainerType: [pair], ContainerNodeStructType: [pair],
  ProgressiveContainerType: [pair, [true, true]], UnionType: [[long]], CompatibleUnionType: [{ 1: long }],
};
for (const [name, args] of Object.entries(TYPES)) {
  TAKERS[`chainsafe ${name}`] = [(options) => new chainsafe[name](...args, options), 'typeName', 5];
}

for (const [name, [call, option, wrong]] of Object.entries(TAKERS)) {
  test(`options of ${name}`, () => {
    call(undefined);
    call({});
    throwsSpicule(() => call({ pth: 1 }), { code: 'INVALID_ARGUMENT', path: 'pth' });
    assert.throws(() => call({ pth: 1 }), /no such option; there are \w+/);
    call({ pth: undefined });
    throwsType(() => call(null), 'options');
    if (name !== 'toJSON') throwsType(() => call(5), 'options');
    if (option !== undefined) throwsType(() => call({ [option]: wrong }), option);
  });
}

test('every type of the migration layer has the name that it is given', () => {
  const types = Object.keys(chainsafe).filter((name) => /^[A-Z].+Type$/.test(name) && !['BasicType', 'NoneType'].includes(name));
  assert.deepEqual(Object.keys(TYPES).sort(), types.sort());
  for (const [name, args] of Object.entries(TYPES)) {
    assert.equal(new chainsafe[name](...args, { typeName: 'Mine' }).typeName, 'Mine', name);
    assert.notEqual(new chainsafe[name](...args).typeName, '', name);
  }
});

test('options of the migration layer that say what its model does, or how JSON is written, are checked', () => {
  const { UintNumberType, ContainerType } = chainsafe;
  throwsType(() => new UintNumberType(8, { clipInfinity: 1 }), 'clipInfinity');
  assert.equal(new UintNumberType(1, { setBitwiseOR: true }).fixedSize, 1);
  throwsType(() => new chainsafe.ProgressiveListBasicType(long, { limit: '5' }), 'limit');
  const container = (options) => new ContainerType(pair, options);
  throwsType(() => container({ cachePermanentRootStruct: 'yes' }), 'cachePermanentRootStruct');
  throwsSpicule(() => container({ jsonCase: 'header' }), { code: 'INVALID_ARGUMENT', path: 'jsonCase' });
  throwsType(() => container({ jsonCase: 5 }), 'jsonCase');
  throwsType(() => container({ casingMap: 'x' }), 'casingMap');
  throwsSpicule(() => container({ getContainerTreeViewClass() {} }), { code: 'INVALID_ARGUMENT', path: 'getContainerTreeViewClass' });
  assert.deepEqual(container({ jsonCase: 'constant', casingMap: { a: 'x' } }).toJson({ a: 1, b: 2 }), { x: '1', B: '2' });
});

test('asynchronous ones refuse alike', async () => {
  const refusal = { code: 'INVALID_ARGUMENT', path: 'memoryLimt' };
  for (const { createInstance } of [codec, ssz, sponge, sha2, all]) {
    await assert.rejects(createInstance({ memoryLimt: 2 ** 24 }), refusal);
  }
  for (const { createInstance } of [sponge, sha2]) {
    await assert.rejects(createInstance({ memoryLimit: 2 ** 24 }), { code: 'INVALID_ARGUMENT', path: 'memoryLimit' });
  }
  const chunks = codec.decodeDelimited(Type, [], { maxsize: 5 });
  await assert.rejects(chunks.next(), { code: 'INVALID_ARGUMENT', path: 'maxsize' });
  // These are refused before anything native is needed.
  for (const kind of ['native', 'uds', 'shm-sync', 'shm-async']) {
    await assert.rejects(createBackend({ kind, pth: 'x' }), { code: 'INVALID_ARGUMENT', path: 'pth' });
  }
  await assert.rejects(startServer({ path: '/nowhere', maxClient: 5 }), { code: 'INVALID_ARGUMENT', path: 'maxClient' });
});

test('a memory limit that is out of range is the argument\'s fault, not the engine\'s', async () => {
  for (const { createInstance, createInstanceSync } of [codec, ssz, all]) {
    for (const memoryLimit of [0, 5, 2 ** 20 - 1, -1, 1.5 * 2 ** 20 + 0.5, Number.NaN, Infinity]) {
      const refusal = { code: 'INVALID_ARGUMENT', path: 'memoryLimit' };
      throwsSpicule(() => createInstanceSync({ memoryLimit }), refusal);
      await assert.rejects(createInstance({ memoryLimit }), refusal);
    }
    createInstanceSync({ memoryLimit: 2 ** 20 }).dispose();
  }
});

test('a path of columns has a bounded length', () => {
  const path = (levels) => `${'recursiveMessage.'.repeat(levels)}optionalInt32`;
  assert.equal(Type.encodeColumns([{ path: path(99), values: [1] }]).length, 2 + 42 * 3 + 57 * 4);
  throwsSpicule(() => Type.encodeColumns([{ path: path(101), values: [1] }]), { code: 'DEPTH_LIMIT', limit: 100 });
  for (const levels of [256, 100_000]) {
    const tooDeep = { code: 'DEPTH_LIMIT', limit: 256 };
    throwsSpicule(() => Type.select(none, [path(levels)]), tooDeep);
    throwsSpicule(() => Type.encodeColumns([{ path: path(levels), values: [1] }]), tooDeep);
  }
});
