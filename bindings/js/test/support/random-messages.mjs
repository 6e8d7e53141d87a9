// Random numbers, and messages made of them.

/** A generator of numbers from 0 to 2^32 - 1 that is the same on every run (mulberry32). */
export function randomOf(seed) {
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

function scalarValue(schema, field, random) {
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
export function unknownFields(random) {
  const pieces = [[0xf8, 0xff, 0x03, 0x85, 0x01], [0xf2, 0xff, 0x03, 0x02, 0x68, 0x69], [0xf5, 0xff, 0x03, 1, 2, 3, 4],
    [0xf1, 0xff, 0x03, 1, 2, 3, 4, 5, 6, 7, 8], [0xf3, 0xff, 0x03, 0x08, 0x01, 0xf4, 0xff, 0x03]];
  return Uint8Array.from(Array.from({ length: 1 + random(3) }, () => pieces[random(pieces.length)]).flat());
}

const GROUP = 10;

/**
 * Makes random plain objects of the types of a schema, and counts what they had in `made`; `plain`
 * ones have no maps, groups, extensions and unknown fields.
 */
export function randomMessages(schema, plain = false) {
  const made = { maps: 0, oneofs: 0, groups: 0, extensions: 0, unknown: 0 };
  const objectOf = (type, random, depth = 0) => {
    const object = {};
    const value = (field) => (field.scalar === undefined
      ? objectOf(field.message, random, depth + 1) : scalarValue(schema, field, random));
    // @bufbuild/protobuf does not know message sets.
    const extensions = plain || type.name.includes('MessageSet') ? [] : (type.extensions?.fields ?? []);
    for (const field of [...type.fields, ...extensions]) {
      if (plain && (field.map || field.type === GROUP)) continue;
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
        object[field.name] = new Map(Array.from(
          { length: random(4) }, () => [scalarValue(schema, key, random), value(element)],
        ));
        made.maps++;
      } else if (field.repeated) {
        object[field.name] = Array.from({ length: random(4) }, () => value(field));
      } else {
        object[field.name] = value(field);
      }
    }
    if (!plain && random(6) === 0) {
      object.$unknown = unknownFields(random);
      made.unknown++;
    }
    return object;
  };
  return { made, objectOf };
}
