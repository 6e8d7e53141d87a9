// The well-known types as classes: all that users expect are there, and those of descriptors read real
// descriptors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadSchema } from '../../../dist/codec.js';

const descriptors = readFileSync(new URL('../../../test/vectors/codec/conformance.fds', import.meta.url));
const wkt = (name) => import(`../../../dist/codec/wkt/google/protobuf/${name}_spc.js`);
const same = (a, b) => assert.equal(Buffer.compare(a, b), 0);

const CLASSES = {
  any: ['Any'],
  api: ['Api', 'Method', 'Mixin'],
  descriptor: ['FileDescriptorSet', 'FileDescriptorProto', 'DescriptorProto', 'DescriptorProto_ExtensionRange',
    'FieldDescriptorProto', 'EnumDescriptorProto', 'ServiceDescriptorProto', 'FieldOptions', 'FeatureSet',
    'SourceCodeInfo_Location', 'GeneratedCodeInfo'],
  duration: ['Duration'],
  empty: ['Empty'],
  field_mask: ['FieldMask'],
  source_context: ['SourceContext'],
  struct: ['Struct', 'Value', 'ListValue'],
  timestamp: ['Timestamp'],
  type: ['Type', 'Field', 'Enum', 'EnumValue', 'Option'],
  wrappers: ['DoubleValue', 'FloatValue', 'Int64Value', 'UInt64Value', 'Int32Value', 'UInt32Value', 'BoolValue',
    'StringValue', 'BytesValue'],
};

for (const [name, classes] of Object.entries(CLASSES)) {
  test(`google/protobuf/${name}`, async () => {
    const module = await wkt(name);
    for (const one of classes) {
      assert.equal(module[one].typeName, `google.protobuf.${one.replace('_', '.')}`);
      const message = module[one].create();
      assert.equal(message.encode().length, 0);
      message.dispose();
    }
  });
}

test('descriptors are read, changed and written', async () => {
  const { FileDescriptorSet, FieldDescriptorProto_Type, Edition } = await wkt('descriptor');
  const set = FileDescriptorSet.decode(descriptors);
  same(set.encode(), descriptors);
  const names = [...set.file].map(({ name }) => name);
  assert.ok(names.includes('google/protobuf/test_messages_proto3.proto'), `${names}`);
  const edition = [...set.file].find(({ name }) => name.endsWith('edition2023.proto'));
  assert.equal(edition.edition, Edition.EDITION_2023);
  set.dispose();
  // A schema that was made here is one as well.
  const made = FileDescriptorSet.encode({
    file: [{
      name: 'a.proto', package: 'a', syntax: 'proto3',
      messageType: [{ name: 'A', field: [{ name: 'n', number: 1, type: FieldDescriptorProto_Type.TYPE_INT32, label: 1 }] }],
    }],
  });
  same(loadSchema(made).message('a.A').encode({ n: 5 }), Uint8Array.of(8, 5));
});

test('types and interfaces are data', async () => {
  const { Type, Field_Kind, Syntax } = await wkt('type');
  const { Api } = await wkt('api');
  const type = { name: 'a.A', fields: [{ kind: Field_Kind.TYPE_STRING, name: 's', number: 1 }], syntax: Syntax.SYNTAX_PROTO3 };
  const parsed = Type.parse(Type.encode(type));
  assert.deepEqual([parsed.name, parsed.fields[0].kind, parsed.syntax], ['a.A', 9, 1]);
  const api = Api.fromJSON({ name: 'a.Api', methods: [{ name: 'Get', responseStreaming: true }], version: 'v1' });
  assert.deepEqual(api.toJSON(), { name: 'a.Api', methods: [{ name: 'Get', responseStreaming: true }], version: 'v1' });
  api.dispose();
});
