import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { OPERATIONS, VERSION } from '../../../dist/index.js';
import { ERROR_CODES, ERROR_MESSAGES } from '../../../dist/generated/status.js';

const text = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('generated files are what their generators make', () => {
  const script = fileURLToPath(new URL('../../../scripts/generate.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('the lists hold every entry of the headers', () => {
  const statuses = text('src/include/spicule/status.h').match(/^ {2}X\(/gm);
  assert.equal(Object.keys(ERROR_CODES).length, statuses.length - 1);
  assert.equal(Object.keys(ERROR_MESSAGES).length, statuses.length - 1);
  assert.equal(ERROR_CODES[20], 'NOT_CANONICAL');
  const operations = text('src/include/spicule/operations.h').match(/^ {2}X\(/gm);
  assert.equal(Object.keys(OPERATIONS).length, operations.length);
  assert.equal(OPERATIONS.SHA256, 16);
});

test('package and library have one version', () => {
  assert.equal(VERSION, JSON.parse(text('package.json')).version);
  assert.match(text('src/include/spicule/spicule.h'), new RegExp(`"${VERSION}"`));
});
