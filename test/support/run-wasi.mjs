// Runs a WASI program: node run-wasi.mjs program.wasm [arguments]. Its exit code is the program's.
// SPICULE_SHARED, where set, is visible to the program under the same path.
//
// The program runs in a process of its own, without code that is compiled again in the background.
// The WASI of Node.js 20 is experimental, and the engine itself is now and then killed by a signal,
// at the end of a program too; that is said, and the program runs again. What a program can do
// wrong, traps included, is an exit code and no signal.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

import { compile } from './compile.mjs';

const ATTEMPTS = 3;

function runHere(program, args) {
  const shared = process.env.SPICULE_SHARED;
  // Held by the process: Node.js 20 may collect it while its program runs.
  process.wasi = new WASI({
    version: 'preview1',
    args: [program, ...args],
    env: process.env,
    preopens: { '.': process.cwd(), ...(shared ? { [shared]: shared } : {}) },
    returnOnExit: true,
  });
  const instance = new WebAssembly.Instance(compile(program), process.wasi.getImportObject());
  return process.wasi.start(instance);
}

function runApart(args) {
  const flags = [...process.execArgv, '--no-warnings', '--no-liftoff'];
  const command = [...flags, fileURLToPath(import.meta.url), '--here', ...args];
  for (let attempt = 1; ; attempt++) {
    const { status, signal } = spawnSync(process.execPath, command, { stdio: 'inherit' });
    if (status !== null) return status;
    console.log(`Node.js ended by ${signal} in attempt ${attempt} of ${ATTEMPTS}`);
    if (attempt === ATTEMPTS) return 1;
  }
}

const [first, ...rest] = process.argv.slice(2);
process.exit(first === '--here' ? runHere(rest[0], rest.slice(1)) : runApart([first, ...rest]));
