// Descriptors as text without lengths and with names as they are: minified and compressed it takes half
// of what packed bytes do. `descriptorSet` of the runtime makes the bytes again.
//
// A field is a letter for its number, a = 1, and its value:
//   c12        a number; c+ is one more than the last c of what stands beside its message
//   Aname;     bytes; ~3b is the byte 0x3b
//   (B...)     a message
import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { toBinary } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

/** What is written as a message, by number: the rest is bytes. */
interface Shape {
  readonly [number: number]: Shape;
}

const LEAF: Shape = {};
const ENUM: Shape = { 2: LEAF };
const MESSAGE: Shape = { 2: LEAF, get 3() { return MESSAGE; }, 4: ENUM, 5: LEAF, 6: LEAF, 8: LEAF };
const FILE: Shape = { 4: MESSAGE, 5: ENUM, 6: { 2: LEAF }, 7: LEAF };

const letter = (number: number, first: string): string => {
  if (number > 26) throw new Error(`there is no letter for field ${number} of a descriptor`);
  return String.fromCharCode(first.charCodeAt(0) + number - 1);
};

/** Bytes with all that could end a string, here or in the module's text, behind a `~`. */
const escaped = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    return /[ -~]/.test(char) && !/[;~"'`$\\]/.test(char) ? char : `~${byte.toString(16).padStart(2, '0')}`;
  }).join('');

function messageText(bytes: Uint8Array, shape: Shape, beside: Map<string, bigint>): string {
  const reader = new BinaryReader(bytes);
  const within = new Map<string, bigint>();
  let text = '';
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (wire === WireType.Varint) {
      const value = BigInt(reader.int64());
      const key = letter(number, 'a');
      text += key + (value === (beside.get(key) ?? 0n) + 1n ? '+' : value);
      beside.set(key, value);
    } else if (wire === WireType.LengthDelimited) {
      const value = reader.bytes();
      const key = letter(number, 'A');
      const inner = shape[number];
      text += inner === undefined ? `${key}${escaped(value)};` : `(${key}${messageText(value, inner, within)})`;
    } else {
      throw new Error(`a descriptor has a field of wire type ${wire}`);
    }
  }
  return text;
}

export function descriptorText(file: FileDescriptorProto): string {
  return messageText(toBinary(FileDescriptorProtoSchema, file), FILE, new Map());
}
