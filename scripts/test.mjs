// Runs every test of the labels short and medium: C natively, under sanitizers and under Wasm, then
// JavaScript. All parts run even when one fails; the exit code is 1 when any did.
//   npm test                    everything
//   npm test -- --only js       one part: lint, native, clang, sanitizers, threads, wasm, js
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { WASM_PRESETS, cmakeBuild, root } from './build.mjs';
import { threadSanitizerLauncher } from './tools.mjs';

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });

// The large vector suites lie beside the project, or where SPICULE_SHARED says.
const shared = process.env.SPICULE_SHARED ?? join(root, '../shared');
const env = { ...process.env, ...(existsSync(shared) ? { SPICULE_SHARED: shared } : {}) };

function show([command, ...args]) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
  return result.status === 0;
}

function ctest(preset, ...more) {
  cmakeBuild(preset);
  return show(ctestCommand(preset, ...more));
}

function ctestCommand(preset, ...more) {
  return ['ctest', '--test-dir', join('build', preset), '-L', 'short|medium',
    '-j', String(cpus().length), '--output-on-failure', '--no-tests=error', ...more];
}

/** Only the server and its clients have threads. */
function threadTests() {
  cmakeBuild('tsan', 'transport_tests');
  const { launcher, skip } = threadSanitizerLauncher(join(root, 'build/tsan/test/transport/test_transport_frame'));
  if (skip !== undefined) {
    console.log(`SKIPPED the tests of threads: ${skip}`);
    return true;
  }
  return show([...launcher, ...ctestCommand('tsan', '-R', '^transport_')]);
}

function nodeTests() {
  const folder = join(root, 'bindings/js/test');
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'));
  return show([process.execPath, '--test', ...files.map((name) => join(folder, name))]);
}

const PARTS = {
  lint: () => show([process.execPath, join(root, 'scripts/lint.mjs')]),
  native: () => ctest('release'),
  clang: () => ctest('clang', '-LE', 'medium'),
  // The chains of 10^5 permutations take minutes there and reach no code that the rest doesn't.
  sanitizers: () => ctest('asan-ubsan', '-E', 'chain'),
  threads: threadTests,
  wasm: () => Object.values(WASM_PRESETS).map((preset) => ctest(preset)).every(Boolean),
  js: nodeTests,
};

if (options.only !== undefined && !Object.hasOwn(PARTS, options.only)) {
  process.stderr.write(`--only takes one of: ${Object.keys(PARTS).join(', ')}\n`);
  process.exit(2);
}
if (!existsSync(shared)) {
  console.log('SKIPPED the large vector suites: no folder ../shared, and SPICULE_SHARED is not set');
}

const failed = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (options.only !== undefined && options.only !== name) continue;
  console.log(`\n== ${name}`);
  try {
    if (!part()) failed.push(name);
  } catch (error) {
    console.error(error.message);
    failed.push(name);
  }
}
console.log(failed.length === 0 ? '\nAll parts passed.' : `\nFailed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
