// node check-module.mjs module.wasm exports.txt [most bytes]: the module imports nothing, exports
// exactly the list, and is no larger than it may be.
import { readFileSync, statSync } from 'node:fs';
import assert from 'node:assert/strict';

import { compile } from '../support/compile.mjs';

const [file, list, most] = process.argv.slice(2);
const module = compile(file);
assert.deepEqual(WebAssembly.Module.imports(module), []);
const exported = WebAssembly.Module.exports(module).map((entry) => entry.name).sort();
assert.deepEqual(exported, readFileSync(list, 'utf8').trim().split('\n').sort());
const { size } = statSync(file);
if (most !== undefined) assert.ok(size <= Number(most), `${file} has ${size} bytes, not <= ${most}`);
console.log(`${file}: ${exported.length} exports, ${size} bytes`);
