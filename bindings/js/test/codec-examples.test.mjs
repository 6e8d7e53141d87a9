// The examples of Protocol Buffers run, and print what is in their input.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { loadSchema } from '../../../dist/codec.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const shared = join(process.env.SPICULE_SHARED ?? join(root, '../shared'), 'hapi');
const work = mkdtempSync(join(tmpdir(), 'spicule-examples-'));
after(() => rmSync(work, { recursive: true }));

/** Runs an example; gives its lines. */
function example(name, ...args) {
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [join(root, 'examples', name), ...args], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${error ?? ''}${stderr}`);
  return stdout.trimEnd().split('\n');
}

test('a block that was made here', () => {
  const descriptors = join(root, 'bench/workloads/hapi/hapi.fds');
  const Block = loadSchema(readFileSync(descriptors)).message('hapi.Block');
  const file = join(work, 'small.blk');
  const items = [
    { item: { case: 'roundHeader', value: { roundNumber: 7n } } },
    { item: { case: 'signedTransaction', value: Uint8Array.of(1, 2, 3) } },
    {},
  ];
  writeFileSync(file, Block.encode({ items }));
  assert.deepEqual(example('codec-block.mjs', file, descriptors, 'hapi.Block'), [
    '0 roundHeader {"roundNumber":"7"}', '1 signedTransaction 3 bytes', '2 unknown ', '15 bytes, the same',
  ]);
});

const block = join(shared, 'blocks/000000000000000000000000000000000000.blk');
test('a real block', { skip: !existsSync(block) && 'SKIPPED: no ../shared/hapi/blocks' }, () => {
  const lines = example('codec-block.mjs', block, join(shared, 'hapi.fds'));
  assert.match(lines[0], /^0 blockHeader \{"hapiProtoVersion":/);
  assert.match(lines.at(-2), /^2882 blockProof /);
  assert.equal(lines.at(-1), '265726 bytes, the same');
});

test('traces of OpenTelemetry, by its .proto files', () => {
  assert.deepEqual(example('codec-otlp.mjs'), [
    '313 bytes',
    'resource service.name=shop service.instance=3',
    '  scope example 1.0',
    '    0000000000000001 SPAN_KIND_SERVER GET /orders 250001 ns STATUS_CODE_OK',
    '      http.route=/orders http.tags=a,true',
    '    0000000000000002 SPAN_KIND_CLIENT SELECT orders 250001 ns STATUS_CODE_ERROR timed out',
    '      retry attempt=2',
    'again: the same bytes',
    'JSON: 1024 characters, the same message',
    '2 spans from 1700000000124456789 on',
  ]);
});
