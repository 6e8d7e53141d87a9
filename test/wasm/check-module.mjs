// node check-module.mjs module.wasm exports.txt most-bytes|- [exports of another]: the module exports exactly
// the list, and is no larger than it may be. It imports nothing; or, where it is linked to another, what that
// exports, and a place for its constants, of which it has at most as many as JavaScript makes room for.
import { readFileSync, statSync } from 'node:fs';
import assert from 'node:assert/strict';

import { compile } from '../support/compile.mjs';

const PART_BYTES = 1024; // As in codec/protojson.ts.

const [file, list, most, other] = process.argv.slice(2);
const module = compile(file);
const namesIn = (path) => readFileSync(path, 'utf8').trim().split('\n');
const imported = WebAssembly.Module.imports(module);
if (other === undefined) {
  assert.deepEqual(imported, []);
} else {
  const known = [...namesIn(other), '__memory_base', '__table_base', '__indirect_function_table'];
  assert.deepEqual(imported.filter(({ module: from, name }) => from !== 'env' || !known.includes(name)), []);
  const [kind, , low, high] = new Uint8Array(WebAssembly.Module.customSections(module, 'dylink.0')[0]);
  assert.equal(kind, 1);
  assert.ok(low < 0x80 || high < 0x80);
  const constants = low < 0x80 ? low : (low & 0x7f) | (high << 7);
  assert.ok(constants <= PART_BYTES, `${constants} bytes of constants`);
}
const exported = WebAssembly.Module.exports(module).map((entry) => entry.name).sort();
assert.deepEqual(exported, namesIn(list).sort());
const { size } = statSync(file);
if (most !== '-') assert.ok(size <= Number(most), `${file} has ${size} bytes, not <= ${most}`);
console.log(`${file}: ${exported.length} exports, ${size} bytes`);
