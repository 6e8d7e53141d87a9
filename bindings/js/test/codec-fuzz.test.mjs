// Random messages: what this package and @bufbuild/protobuf make of each other's bytes and JSON.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { createFileRegistry, fromBinary, fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

import { loadSchema } from '../../../dist/codec.js';

const descriptors = readFileSync(new URL('../../../test/vectors/codec/conformance.fds', import.meta.url));
const schema = loadSchema(descriptors);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors));

/** A generator of numbers from 0 to 2^32 - 1 that is the same on every run (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return (below = 2 ** 32) => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % below;
  };
}

const TEXTS = ['', 'a', '__proto__', '\u00fc', '\ud83c\udf0d', 'x'.repeat(40), '\0', '"\\\n'];
// Without negative zero, which the other one's JSON loses.
const DOUBLES = [0, 1.5, -1e300, Number.MAX_VALUE, Infinity, -Infinity, Number.NaN];

function scalarValue(field, random) {
  const pick = (values) => values[random(values.length)];
  const bits = BigInt(random()) << 32n | BigInt(random());
  const small = random(3) === 0 ? BigInt(random(3)) - (field.type === 4 || field.type === 6 ? 0n : 1n) : bits;
  switch (field.type) {
    case 1: return pick(DOUBLES);
    case 2: return pick([0, 0.5, -2.25, Infinity, -Infinity, Number.NaN]);
    case 3: case 16: case 18: return BigInt.asIntN(64, small);
    case 4: case 6: return BigInt.asUintN(64, small);
    case 7: case 13: return random(2) === 0 ? random(3) : random();
    case 8: return random(2) === 1;
    case 9: return pick(TEXTS);
    case 12: return Uint8Array.from({ length: random(5) }, () => random(256));
    case 14: return field.enumName === '' ? random(3) : pick(Object.values(schema.enum(field.enumName).values));
    default: return random(2) === 0 ? random(3) - 1 : random() | 0;
  }
}

function randomObject(type, random, depth) {
  const object = {};
  const value = (field) => (field.scalar === undefined
    ? randomObject(field.message, random, depth + 1) : scalarValue(field, random));
  for (const field of type.fields) {
    const message = field.map ? field.message.fields[1].scalar === undefined : field.scalar === undefined;
    // Well-known types have values that JSON has no form for.
    const target = field.map ? field.message.fields[1] : field;
    if (message && (depth > 2 || target.message.name.startsWith('google.protobuf.'))) continue;
    if (random(message ? 8 : 4) !== 0) continue;
    if (field.oneof !== undefined) {
      object[field.oneof.name] = { case: field.name, value: value(field) };
    } else if (field.map) {
      const [key, element] = field.message.fields;
      object[field.name] = new Map(Array.from({ length: random(4) }, () => [scalarValue(key, random), value(element)]));
    } else if (field.repeated) {
      object[field.name] = Array.from({ length: random(4) }, () => value(field));
    } else {
      object[field.name] = value(field);
    }
  }
  return object;
}

const NAMES = ['proto3.TestAllTypesProto3', 'proto2.TestAllTypesProto2', 'editions.TestAllTypesEdition2023'];
for (const name of NAMES) {
  test(`random messages of ${name} are the same to @bufbuild/protobuf`, () => {
    const full = `protobuf_test_messages.${name}`;
    const Type = schema.message(full);
    const peer = registry.getMessage(full);
    for (let seed = 0; seed < 150; seed++) {
      const object = randomObject(Type.$type, randomOf(seed), 0);
      const bytes = Type.encode(object);
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
