import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { OPERATIONS, VERSION } from '../../../dist/index.js';
import { errorOf } from '../../../dist/core/error.js';
import * as parts from '../../../dist/generated/status.js';

const text = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('generated files are what their generators make', () => {
  const script = fileURLToPath(new URL('../../../scripts/generate.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('the lists hold every entry of the headers', () => {
  const statuses = text('src/include/spicule/status.h').match(/^ {2}X\(/gm);
  const codes = Object.values(parts).flatMap(({ texts }) => Object.keys(texts));
  assert.equal(new Set(codes).size, statuses.length - 1);
  assert.equal(codes.length, statuses.length - 1);
  assert.equal(errorOf({ status: 20 }).code, 'NOT_CANONICAL');
  assert.equal(errorOf({ status: 120 }).code, 'INTERNAL');
  // Known as `dist/index.js`, above, has SSZ; transports are not in it.
  assert.equal(errorOf({ status: 88 }).code, 'BAD_PROOF');
  assert.equal(errorOf({ status: 100 }).code, 'INTERNAL');
  const operations = text('src/include/spicule/operations.h').match(/^ {2}X\(/gm);
  assert.equal(Object.keys(OPERATIONS).length, operations.length);
  assert.equal(OPERATIONS.SHA256, 16);
});

test('package and library have one version', () => {
  assert.equal(VERSION, JSON.parse(text('package.json')).version);
  assert.match(text('src/include/spicule/spicule.h'), new RegExp(`"${VERSION}"`));
});
