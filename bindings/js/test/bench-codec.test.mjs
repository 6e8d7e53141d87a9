// The codec suite of the benchmark through JavaScript. Nothing here asserts a time.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { ownBackends } from '../../../bench/backends/index.mjs';
import { NodeContestants } from '../../../bench/lib/contestant-process.mjs';
import { compareResults } from '../../../bench/lib/sampler.mjs';
import * as suite from '../../../bench/suites/codec.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const WRITER = path('../../../build/release/bench/workloads/hapi/hapi-write');
const withWriter = { skip: existsSync(WRITER) ? false : 'SKIPPED: the native runner is not built' };

test('every form of the package reads the same sums and writes the same bytes', withWriter, async () => {
  const results = new Map();
  const backends = ownBackends().filter(({ suites, module }) => suites.includes('codec') && module);
  assert.ok(backends.length >= 10);
  for (const backend of backends) {
    const contestants = new NodeContestants(backend, process.execPath, true);
    try {
      for (const offer of await contestants.offers(suite)) {
        if (/startup|size|retained/.test(offer.case)) {
          if (!offer.reason) assert.ok((await contestants.time(offer, 1)).elapsed > 0, offer.case);
          continue;
        }
        const name = `${offer.case} ${offer.variant}`;
        results.set(name, { name, result: await contestants.check(offer), case: offer.case });
      }
    } finally {
      contestants.close();
    }
  }
  for (const name of ['decode', 'read', 'items', 'txRead', 'encode', 'select']) {
    const rows = [...results.values()].filter((row) => row.case === `js/${name}`);
    compareResults(rows);
    assert.ok(rows.length >= (name === 'select' ? 1 : 3), name);
    for (const { result } of rows) assert.equal(Object.keys(result).length, 1);
  }
  const sums = ['decode', 'read'].map((name) => results.get(`js/${name} getters`).result.sum);
  assert.equal(sums[0], sums[1]);
  assert.notEqual(sums[0], '00000000');
  const block = readFileSync(path('../../../build/bench/hapi-quick/hapi-block.bin'));
  const { bytes } = results.get('js/encode getters').result;
  assert.equal(bytes, createHash('sha256').update(block).digest('hex'));
});

test('the codec suite ends with ratios to the fastest form of each peer', () => {
  const row = (name, variant, backend, median, engine) => ({
    suite: 'codec', case: `js/${name}`, variant, backend, unit: 'ns', median, samples: [median],
    ...(engine && { engine }),
  });
  const rows = ['v20.1.0', 'v24.1.0'].flatMap((engine) => [
    row('read', 'getters', 'wasm-baseline', 10, engine),
    row('read', 'visitor', 'wasm-baseline', 5, engine),
    row('read', 'getters', 'peer:protobufjs-7', 200, engine),
    row('read', 'getters', 'peer:protobufjs-7-runtime', 100, engine),
    row('read', 'getters', 'peer:protobufjs-8', 20, engine),
    row('items', 'getters', 'wasm-baseline', 10, engine),
    row('items', 'getters', 'peer:pbf', 40, engine),
    row('items', 'bigint', 'peer:protobuf-ts-bigint', 30, engine),
    row('encode', 'getters', 'wasm-baseline', 10, engine),
    row('encode', 'bigint', 'peer:protobufjs-8', 200, engine),
    row('encode', 'getters', 'peer:protobufjs-8-runtime-numbers', 100, engine),
  ]);
  const table = suite.closingTables(rows).at(-1);
  assert.deepEqual(table.columns, ['what', 'variant', 'peer', 'v20.1.0', 'must', 'v24.1.0', 'must']);
  assert.deepEqual(table.rows.map(([, ...cells]) => cells), [
    ['getters', 'protobufjs-7', '0.100x', '0.16x', '0.100x', '0.20x'],
    ['visitor', 'protobufjs-7', '0.050x', '0.11x', '0.050x', '0.14x'],
    ['getters', 'the fastest peer', '0.333x', '0.55x', '0.333x', '0.55x'],
    ['getters', 'protobufjs-8', '0.100x', '0.14x', '0.100x', '0.14x'],
  ]);
  assert.deepEqual(suite.closingTables(rows.filter(({ case: name }) => name === 'none')), []);
});
