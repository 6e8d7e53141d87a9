// What the scripts of the repository find out about the machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { threadSanitizerLauncher } from '../../../scripts/tools.mjs';

const folder = mkdtempSync(join(tmpdir(), 'spicule-scripts-'));
after(() => rmSync(folder, { recursive: true }));

/** A program that does what the shell does with `text`. */
function program(text) {
  const path = join(folder, 'program');
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

const CLASH = 'echo "FATAL: ThreadSanitizer: unexpected memory mapping 0x0-0x1" >&2; exit 66';
const fixed = 'test $((0x$(cat /proc/self/personality) & 0x40000)) != 0';
const fixable = spawnSync('setarch', ['-R', 'true']).status === 0;

test('a program of the thread sanitizer that starts needs nothing', () => {
  assert.deepEqual(threadSanitizerLauncher(program('exit 0')), { launcher: [] });
});

test('its failure for any other reason is no reason to skip it', () => {
  assert.deepEqual(threadSanitizerLauncher(program('echo "data race" >&2; exit 66')), { launcher: [] });
});

test('where its addresses are taken it gets a fixed layout', {
  skip: !fixable && 'SKIPPED: setarch -R is not allowed here',
}, () => {
  const { launcher } = threadSanitizerLauncher(program(`${fixed} || { ${CLASH}; }`));
  assert.deepEqual(launcher, ['setarch', '-R']);
});

test('where that does not help either, the reason is told', () => {
  assert.match(threadSanitizerLauncher(program(CLASH)).skip, /vm\.mmap_rnd_bits/);
});
