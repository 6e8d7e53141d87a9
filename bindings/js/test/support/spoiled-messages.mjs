// Messages in wire format, and ways to spoil them.
import { randomMessages, randomOf, unknownFields } from './random-messages.mjs';
import { CONFORMANCE, HAPI, PROTO2, PROTO3 } from './specialized.mjs';

/** Starts of the fields of a message, with its end. */
function starts(bytes) {
  const found = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * shift;
      if (!(byte >= 128)) return value;
    }
  };
  while (at < bytes.length) {
    found.push(at);
    const wire = varint() & 7;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 2) at += varint();
    else if (wire === 5) at += 4;
    else return [0, bytes.length];
  }
  // Of input that was spoiled before, not all is fields.
  return [...found, bytes.length];
}

/** Ways to spoil input, or to say the same in another way. */
const SPOILS = {
  cut: (bytes, random) => bytes.slice(0, random(bytes.length + 1)),
  flip(bytes, random) {
    const out = bytes.slice();
    out[random(out.length)] ^= 1 << random(8);
    return out;
  },
  byte(bytes, random) {
    const out = bytes.slice();
    out[random(out.length)] = [0, 1, 0x7f, 0x80, 0xff, 8, 0xc3][random(7)];
    return out;
  },
  twice: (bytes) => Buffer.concat([bytes, bytes]),
  again(bytes, random, fields) {
    const i = random(fields.length - 1);
    const j = random(fields.length);
    return Buffer.concat([bytes.slice(0, fields[j]), bytes.slice(fields[i], fields[i + 1]), bytes.slice(fields[j])]);
  },
  moved(bytes, random, fields) {
    const i = random(fields.length - 1);
    const field = bytes.slice(fields[i], fields[i + 1]);
    const rest = Buffer.concat([bytes.slice(0, fields[i]), bytes.slice(fields[i + 1])]);
    return random(2) === 0 ? Buffer.concat([field, rest]) : Buffer.concat([rest, field]);
  },
  unknown(bytes, random, fields) {
    const at = fields[random(fields.length)];
    return Buffer.concat([bytes.slice(0, at), unknownFields(random), bytes.slice(at)]);
  },
  wire(bytes, random, fields) {
    const out = bytes.slice();
    const at = fields[random(fields.length - 1)];
    out[at] = (out[at] & 0xf8) | random(8);
    return out;
  },
  overlong(bytes, random) {
    const at = random(bytes.length);
    if (bytes[at] >= 128) return bytes;
    const long = Array.from({ length: 1 + random(10) }, () => 0x80);
    return Buffer.concat([bytes.slice(0, at), [bytes[at] | 0x80, ...long.slice(1), random(8) === 0 ? 1 : 0], bytes.slice(at + 1)]
      .map((part) => Uint8Array.from(part)));
  },
};

/** A message with something wrong in it, or something else. */
function spoiled(bytes, random) {
  if (bytes.length === 0) return bytes;
  const names = Object.keys(SPOILS);
  const spoil = SPOILS[names[random(names.length)]];
  return Uint8Array.from(spoil(Uint8Array.from(bytes), random, starts(bytes)));
}

/** Options of decoding, of which some limits are too low for most messages. */
const OPTIONS = [undefined, { strict: true }, { discardUnknown: true }, { maxDepth: 2 }, { maxSize: 40 }, { maxCount: 2 }, { partial: true }];

/** Types, with how much of their input code that is made does at least: not what has closed enums and groups. */
export const TYPES = [
  [CONFORMANCE, PROTO3, 0.1],
  [CONFORMANCE, PROTO2, 0.01],
  [CONFORMANCE, 'protobuf_test_messages.editions.TestAllTypesEdition2023', 0.1],
  [CONFORMANCE, 'protobuf_test_messages.editions.proto3.TestAllTypesProto3', 0.1],
  [HAPI, 'hapi.BlockItem', 0.1],
  [HAPI, 'hapi.TransactionBody', 0.1],
];

/** Gives `use` messages of a type and what spoils them, with options, for that long or 40 messages. */
export function eachInput(Type, seconds, use) {
  const end = Date.now() + seconds * 1000;
  for (let seed = 0; seed < 40 || Date.now() < end; seed++) {
    const random = randomOf(seed);
    const { objectOf } = randomMessages(Type.$type.schema, random(4) !== 0);
    const bytes = Type.encode(objectOf(Type.$type, random));
    use(bytes);
    for (let i = 0; i < 12; i++) {
      let input = spoiled(bytes, random);
      if (random(3) === 0) input = spoiled(input, random);
      use(input, OPTIONS[random(3 * OPTIONS.length)]);
    }
  }
}
