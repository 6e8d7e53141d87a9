// Decodes a Hedera block file, prints its items and encodes it again.
//   node examples/codec-block.mjs BLOCK.blk DESCRIPTORS [message type]
// DESCRIPTORS is a FileDescriptorSet with the types, as `buf build` or `protoc --include_imports
// --descriptor_set_out` writes it.
import { readFileSync } from 'node:fs';

import { loadSchema } from 'spicule/codec';

const [file, descriptors, name = 'com.hedera.hapi.block.stream.Block'] = process.argv.slice(2);
if (descriptors === undefined) {
  console.error('usage: node examples/codec-block.mjs BLOCK.blk DESCRIPTORS [message type]');
  process.exit(2);
}

const Block = loadSchema(readFileSync(descriptors)).message(name);
const bytes = readFileSync(file);
const block = Block.decode(bytes);
for (const [index, { item }] of [...block.items].entries()) {
  const value = item?.value;
  const text = value instanceof Uint8Array ? `${value.length} bytes` : JSON.stringify(value);
  console.log(`${index} ${item?.case ?? 'unknown'} ${text?.slice(0, 100) ?? ''}`);
}
const again = block.encode();
console.log(`${again.length} bytes, ${Buffer.compare(again, bytes) === 0 ? 'the same' : 'other ones'}`);
block.dispose();
