// Generates code for every .proto file of a folder with protoc-gen-spicule, and for what they import.
//   node scripts/protobuf.mjs c|ts <folder of .proto files> <output folder>
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { PLUGIN, buildPlugin, root, run } from './build.mjs';

const [out, folder, output] = process.argv.slice(2);
if (output === undefined || !existsSync(folder)) {
  console.error('usage: node scripts/protobuf.mjs c|ts <folder of .proto files> <output folder>');
  process.exit(2);
}
await buildPlugin();
const plugin = {
  local: [process.execPath, join(root, PLUGIN, 'bin/protoc-gen-spicule.js')],
  out: resolve(output),
  opt: [`out=${out}`],
  include_imports: true,
  include_wkt: true,
};
run(join(root, 'node_modules/.bin/buf'), [
  'generate', resolve(folder), '--template', JSON.stringify({ version: 'v2', plugins: [plugin] }),
]);
