// Random messages: what this package and @bufbuild/protobuf make of each other's bytes and JSON.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { createFileRegistry, fromBinary, fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { loadSchema } from '../../../dist/codec.js';
import { randomMessages, randomOf } from './support/random-messages.mjs';

const descriptors = readFileSync(new URL('../../../test/vectors/codec/conformance.fds', import.meta.url));
const schema = loadSchema(descriptors);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors));

const { made, objectOf } = randomMessages(schema);

const NAMES = ['proto3.TestAllTypesProto3', 'proto2.TestAllTypesProto2', 'editions.TestAllTypesEdition2023'];
for (const name of NAMES) {
  test(`random messages of ${name} are the same to @bufbuild/protobuf`, () => {
    const full = `protobuf_test_messages.${name}`;
    const Type = schema.message(full);
    const peer = registry.getMessage(full);
    for (let seed = 0; seed < 150; seed++) {
      const object = objectOf(Type.$type, randomOf(seed));
      const whole = Type.encode(object);
      // What neither side knows is kept by both, at every level.
      const kept = [Type.decode(whole), Type.decode(toBinary(peer, fromBinary(peer, whole))), Type.create(Type.parse(whole))];
      assert.ok(kept[0].equals(kept[1]) && kept[0].equals(kept[2]), `seed ${seed}: unknown fields`);
      for (const message of kept) message.dispose();

      const known = Type.decode(whole, { discardUnknown: true });
      const bytes = known.encode();
      known.dispose();
      const theirs = fromBinary(peer, bytes);
      const again = toBinary(peer, theirs);
      const json = toJsonString(peer, theirs, { registry });
      const [a, b, c] = [Type.decode(bytes), Type.decode(again), Type.fromJSONString(json, { registry: schema })];
      assert.ok(a.equals(b), `seed ${seed}: through their binary form`);
      // JSON has one NaN, and no unknown fields.
      assert.deepEqual(JSON.parse(json), a.toJSON(), `seed ${seed}: JSON`);
      assert.ok(a.equals(c), `seed ${seed}: through their JSON`);
      assert.deepEqual(toBinary(peer, fromJsonString(peer, a.toJSONString(), { registry })), again, `seed ${seed}`);
      assert.deepEqual(Type.parse(Type.encode(Type.parse(bytes))), Type.parse(bytes));
      for (const message of [a, b, c]) message.dispose();
    }
  });
}

test('random messages had all that there is', () => {
  for (const [what, count] of Object.entries(made)) assert.ok(count > 50, `${what}: ${count}`);
});
