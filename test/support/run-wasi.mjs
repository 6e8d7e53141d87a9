// Runs a WASI program: node run-wasi.mjs program.wasm [arguments]. Its exit code is the program's.
// SPICULE_SHARED, where set, is visible to the program under the same path.
import { WASI } from 'node:wasi';

import { compile } from './compile.mjs';

const [program, ...args] = process.argv.slice(2);
const shared = process.env.SPICULE_SHARED;
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...args],
  env: process.env,
  preopens: { '.': process.cwd(), ...(shared ? { [shared]: shared } : {}) },
  returnOnExit: true,
});
const instance = new WebAssembly.Instance(compile(program), wasi.getImportObject());
process.exit(wasi.start(instance));
