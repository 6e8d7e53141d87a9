// Descriptors as text in generated code: what the generator writes, the runtime reads.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { create, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { descriptorSet } from '../../../dist/codec/descriptor-text.js';
import { descriptorText } from '../protoc-gen-spicule/dist/ts/descriptor.js';

const files = (texts) => fromBinary(FileDescriptorSetSchema, descriptorSet(texts)).file;

test('descriptors of real files are the same after being text', () => {
  const path = new URL('../../../test/vectors/codec/conformance.fds', import.meta.url);
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(path));
  assert.ok(file.length > 3);
  assert.deepEqual(files(file.map(descriptorText)), file);
});

test('text holds any name, default, option and number', () => {
  const file = create(FileDescriptorProtoSchema, {
    name: 'a;b)(~`\'"$\\.proto',
    messageType: [{
      name: 'M',
      field: [1, 2, 4, 3, 2 ** 29 - 1].map((number) => ({
        name: `f${number}`, number, label: 1, type: 9, defaultValue: ';~é\0\n(', options: { deprecated: true },
      })),
      nestedType: [{ name: 'N', nestedType: [{ name: 'O' }] }, {}],
      extensionRange: [{ start: 100, end: 536870912 }],
    }],
    enumType: [{ name: 'E', value: [-(2 ** 31), -1, 0, 1, 2 ** 31 - 1].map((number) => ({ name: 'V', number })) }],
    service: [{ name: 'S', method: [{ name: 'm', inputType: '.M', outputType: '.M', serverStreaming: true }] }],
  });
  assert.deepEqual(files([descriptorText(file), '', descriptorText(file)]), [file, create(FileDescriptorProtoSchema), file]);
  assert.match(descriptorText(file), /^[ !#-&(-[\]-_a-~]*$/);
});
