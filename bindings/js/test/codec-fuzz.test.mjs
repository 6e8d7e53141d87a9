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

/** Fields that no type has, of every wire type. */
function unknownFields(random) {
  const pieces = [[0xf8, 0xff, 0x03, 0x85, 0x01], [0xf2, 0xff, 0x03, 0x02, 0x68, 0x69], [0xf5, 0xff, 0x03, 1, 2, 3, 4],
    [0xf1, 0xff, 0x03, 1, 2, 3, 4, 5, 6, 7, 8], [0xf3, 0xff, 0x03, 0x08, 0x01, 0xf4, 0xff, 0x03]];
  return Uint8Array.from(Array.from({ length: 1 + random(3) }, () => pieces[random(pieces.length)]).flat());
}

/** How many of what random objects have. */
const made = { maps: 0, oneofs: 0, groups: 0, extensions: 0, unknown: 0 };
const GROUP = 10;

function randomObject(type, random, depth) {
  const object = {};
  const value = (field) => (field.scalar === undefined
    ? randomObject(field.message, random, depth + 1) : scalarValue(field, random));
  // The other one does not know message sets.
  const extensions = type.name.includes('MessageSet') ? [] : (type.extensions?.fields ?? []);
  for (const field of [...type.fields, ...extensions]) {
    const message = field.map ? field.message.fields[1].scalar === undefined : field.scalar === undefined;
    // Well-known types have values that JSON has no form for.
    const target = field.map ? field.message.fields[1] : field;
    if (message && (depth > 2 || target.message.name.startsWith('google.protobuf.'))) continue;
    if (random(message ? 8 : 4) !== 0) continue;
    if (field.extension !== undefined) made.extensions++;
    if (field.type === GROUP) made.groups++;
    if (field.oneof !== undefined) {
      object[field.oneof.name] = { case: field.name, value: value(field) };
      made.oneofs++;
    } else if (field.map) {
      const [key, element] = field.message.fields;
      object[field.name] = new Map(Array.from({ length: random(4) }, () => [scalarValue(key, random), value(element)]));
      made.maps++;
    } else if (field.repeated) {
      object[field.name] = Array.from({ length: random(4) }, () => value(field));
    } else {
      object[field.name] = value(field);
    }
  }
  if (random(6) === 0) {
    object.$unknown = unknownFields(random);
    made.unknown++;
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
