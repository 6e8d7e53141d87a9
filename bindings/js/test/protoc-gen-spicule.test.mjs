// The plugin as buf and protoc run it: options, one module per output.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { run as runPlugin } from '../protoc-gen-spicule/dist/plugin.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const plugin = join(root, 'bindings/js/protoc-gen-spicule/bin/protoc-gen-spicule.js');
const buf = join(root, 'node_modules/.bin/buf');

const PROTO = `syntax = "proto3";
package demo.v1;
enum Level { LEVEL_NONE = 0; LEVEL_LOW = -2147483648; }
message Outer { message Inner { enum Kind { A = 0; B = 7; } } int32 value = 1; }
`;

function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-plugin-'));
  try {
    writeFileSync(join(folder, 'demo.proto'), PROTO);
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function generateWithBuf(folder, options) {
  const template = JSON.stringify({
    version: 'v2',
    plugins: [{ local: [process.execPath, plugin], out: 'out', opt: options }],
  });
  return spawnSync(buf, ['generate', '--template', template], { cwd: folder, encoding: 'utf8' });
}

test('buf runs the plugin for C', () => {
  inFolder((folder) => {
    const result = generateWithBuf(folder, ['out=c']);
    assert.equal(result.status, 0, result.stderr);
    const header = readFileSync(join(folder, 'out/demo.spc.h'), 'utf8');
    assert.match(header, /typedef enum demo_v1_Outer_Inner_Kind \{\n.*_A = 0,\n.*_B = 7\n\}/);
    assert.match(header, /int32_t demo_v1_Outer_value\(const spc_arena \*arena, demo_v1_Outer m\)/);
  });
});

test('buf runs the plugin for TypeScript', () => {
  inFolder((folder) => {
    const result = generateWithBuf(folder, ['out=ts', 'target=ts']);
    assert.equal(result.status, 0, result.stderr);
    const source = readFileSync(join(folder, 'out/demo_spc.ts'), 'utf8');
    assert.match(source, /export const Outer_Inner_Kind = \{/);
  });
});

test('the compiler is told of the editions that the runtime reads', async () => {
  for (const [out, latest] of [['c', 1000], ['ts', 1001]]) {
    const { maximumEdition } = await runPlugin({ parameter: `out=${out}` });
    assert.equal(maximumEdition, latest, out);
  }
});

test('an output has to be named', () => {
  inFolder((folder) => {
    for (const options of [[], ['out=rust'], ['out=c', 'out=ts'], ['out=c', 'color=red'],
      ['out=ts', 'writers=maybe']]) {
      const result = generateWithBuf(folder, options);
      assert.notEqual(result.status, 0);
      assert.match(result.stderr, /protoc-gen-spicule: .*(out=c or out=ts|unknown option)/);
    }
  });
});

test('what an option may be is said where it is something else', () => {
  inFolder((folder) => {
    for (const [option, text] of [['int64=long', 'int64 is bigint, number or string'], ['target=rust', 'target is ts, js or dts']]) {
      const result = generateWithBuf(folder, ['out=ts', option]);
      assert.notEqual(result.status, 0);
      assert.ok(result.stderr.includes(text), result.stderr);
    }
    assert.equal(generateWithBuf(folder, ['out=ts', 'target=js+dts']).status, 0);
  });
});

const hasProtoc = spawnSync('protoc', ['--version']).status === 0;
test('protoc runs the plugin', { skip: !hasProtoc && 'SKIPPED: no protoc here' }, () => {
  inFolder((folder) => {
    const result = spawnSync('protoc', [`--plugin=protoc-gen-spicule=${plugin}`, '--spicule_out=.',
      '--spicule_opt=out=c', 'demo.proto'], { cwd: folder, encoding: 'utf8' });
    assert.equal(result.status, 0, result.stderr);
    assert.ok(existsSync(join(folder, 'demo.spc.h')));
  });
});
