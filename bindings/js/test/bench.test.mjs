// The benchmark's own machinery. Nothing here asserts a time.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { pairedRatio, quantile, summarize } from '../../../bench/lib/stats.mjs';
import {
  FORMS, MismatchError, compareResults, sampleTogether,
} from '../../../bench/lib/sampler.mjs';
import { NativeContestants } from '../../../bench/lib/contestant-process.mjs';
import { Budget } from '../../../bench/lib/budget.mjs';
import {
  LegacySponge, fieldFromBytes, fieldToBytes,
} from '../../../bench/suites/legacy-sponge.mjs';
import { markdownReport } from '../../../bench/lib/report-markdown.mjs';
import { htmlReport } from '../../../bench/lib/report-html.mjs';
import { makeBytes } from '../../../bench/suites/inputs.mjs';
import * as spongeSuite from '../../../bench/suites/sponge.mjs';
import * as sszSuite from '../../../bench/suites/ssz.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const RUN = path('../../../bench/run.mjs');
const RUN_WITH = path('./support/bench-run.mjs');

const folder = mkdtempSync(join(tmpdir(), 'spicule-bench-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function node(...args) {
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

test('quantiles are linear between the nearest samples', () => {
  assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5);
  assert.equal(quantile([1, 2, 3, 4, 5], 0.25), 2);
  assert.equal(quantile([7], 0.75), 7);
  assert.deepEqual(summarize([30, 10, 20]), { min: 10, median: 20, q1: 15, q3: 25 });
});

test('ratios are taken pair by pair over the rounds that both have', () => {
  // The ratio of the medians would be 2; pair by pair it is 3.
  assert.deepEqual(pairedRatio([3, 6, 30, 99], [1, 2, 10]), { median: 3, q1: 3, q3: 3 });
  assert.equal(pairedRatio([1, 8], [2, 2]).median, 2.25);
});

const form = { ...FORMS.quick, sample: 1, row: 1000 };
const never = new AbortController().signal;

/** A contestant whose runs take as many nanoseconds as `cost` says, and that logs them. */
function scripted(name, log, { cost = 500_000, takenOff = 0, result = { answer: '1' } } = {}) {
  return {
    name,
    operations: 2,
    check: async () => result,
    time: async (repetitions) => {
      log.push(`${name}${repetitions}`);
      return { elapsed: cost * repetitions, takenOff: takenOff * repetitions };
    },
  };
}

test('contestants take their samples in turn, each with its own repetition count', async () => {
  const log = [];
  const outcomes = await sampleTogether(
    [scripted('a', log), scripted('b', log, { cost: 100_000 })], form, never);
  const samples = log.slice(-2 * form.samples);
  assert.deepEqual(samples, Array(form.samples).fill(['a3', 'b11']).flat());
  assert.deepEqual(outcomes[0].samples, Array(form.samples).fill(250_000));
  assert.deepEqual(outcomes[1].samples, Array(form.samples).fill(50_000));
});

test('what does not count is taken off', async () => {
  const remote = scripted('a', [], { takenOff: 400_000 });
  const [{ samples }] = await sampleTogether([remote], form, never);
  assert.deepEqual(samples, Array(form.samples).fill(50_000));
});

test('a row too long for its budget takes fewer samples, but never too few', async () => {
  const slow = scripted('slow', [], { cost: 900e6 });
  const [{ samples }] = await sampleTogether([slow], form, never);
  assert.equal(samples.length, form.fewestSamples);
});

test('a row too long even for those takes one', async () => {
  const endless = scripted('endless', [], { cost: 5000e6 });
  const [{ samples }] = await sampleTogether([endless], form, never);
  assert.equal(samples.length, 1);
});

test('a contestant that fails gives a reason and leaves the others alone', async () => {
  const failing = scripted('x', []);
  failing.time = () => Promise.reject(new Error('no luck'));
  const outcomes = await sampleTogether([failing, scripted('a', [])], form, never);
  assert.deepEqual(outcomes.find(({ contestant }) => contestant === failing).reason, 'no luck');
  assert.equal(outcomes.find(({ contestant }) => contestant !== failing).samples.length, 5);
});

test('different results are an error that names both', async () => {
  const results = [
    { name: 'one', result: { state: 'aa', output: 'bb' } },
    { name: 'two', result: { output: 'cc' } },
  ];
  assert.throws(() => compareResults(results), (error) =>
    error instanceof MismatchError && /output.*one.*bb.*two.*cc/.test(error.message));
  const log = [];
  await assert.rejects(sampleTogether(
    [scripted('a', log), scripted('b', log, { result: { answer: '2' } })], form, never));
  assert.deepEqual(log, [], 'nothing is timed');
});

test('a budget passes on what earlier rows leave over', () => {
  let now = 100;
  const budget = new Budget(9000, [2, 1], () => now);
  budget.nextSuite();
  assert.equal(budget.row(10), 600);
  now += 1000;
  assert.equal(budget.row(5), 1000);
  budget.nextSuite();
  assert.equal(budget.row(4), 2000);
  const unbounded = new Budget(Infinity, [1]);
  unbounded.nextSuite();
  assert.equal(unbounded.row(3), Infinity);
});

test('the legacy sponge adds in the caller and permutes through the back end', async () => {
  assert.equal(fieldFromBytes(fieldToBytes(258n)), 258n);
  const calls = [];
  const sponge = new LegacySponge((state) => {
    calls.push(state);
    return state.map((field) => field + 1n);
  }, 5);
  await sponge.absorb(Buffer.concat([1n, 2n, 3n, 4n].map(fieldToBytes)));
  await sponge.absorb(fieldToBytes(5n));
  assert.deepEqual(calls, [[1n, 2n, 3n, 5n << 64n]]);
  const state = sponge.serialize();
  assert.equal(state.length, 233);
  const cache = [0, 32, 64].map((at) => fieldFromBytes(state.subarray(at, at + 32)));
  assert.deepEqual(cache, [4n, 5n, 3n]);
  assert.equal(state.subarray(224).toString('hex'), '000000020000000005');
  assert.equal(fieldFromBytes(await sponge.squeeze()), 2n + 4n + 1n);
});

test('--help names every option, and an unknown one is refused', () => {
  const help = node(RUN, '--help');
  assert.equal(help.status, 0);
  for (const option of ['suite', 'backends', 'case', 'quick', 'busy', 'node', 'peers', 'json', 'html']) {
    assert.match(help.stdout, new RegExp(`--${option}`));
  }
  for (const args of [['--nonsense'], ['--suite', 'nonsense'], ['--backends', 'nonsense'],
    ['--backends', ''], ['--node', '/nonexistent'], ['--quick', '--busy']]) {
    const refused = node(RUN, ...args);
    assert.equal(refused.status, 2, args.join(' '));
    assert.match(refused.stderr, /--help/);
    assert.equal(refused.stdout, '');
  }
});

test('a --case that no row has is an error, not an empty report', () => {
  const refused = node(RUN, '--quick', '--suite', 'kernels', '--backends', 'wasm-baseline', '--case', 'nonsense');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /begins with nonsense/);
  assert.equal(refused.stdout, '');
});

const ROW_TEXT = ['suite', 'case', 'variant', 'backend', 'unit'];

function checkReport(report, { partial = false } = {}) {
  assert.equal(report.schema, 1);
  for (const name of ['cpu', 'os', 'node', 'v8', 'compiler', 'flags', 'wasmVariant', 'commit']) {
    assert.equal(typeof report.env[name], 'string', name);
  }
  assert.equal(report.env.partial, partial);
  for (const row of report.rows) {
    for (const name of ROW_TEXT) assert.equal(typeof row[name], 'string', name);
    assert.ok(['ns', 'us', 'ms', 'bytes'].includes(row.unit));
    if (row.status !== undefined) {
      assert.equal(row.status, 'not run');
      assert.ok(row.reason.length > 0);
      continue;
    }
    for (const [name, value] of Object.entries(summarize(row.samples))) {
      assert.ok(Math.abs(row[name] / value - 1) < 1e-6, name);
    }
    assert.ok(row.min > 0);
    if (row.ratio) {
      assert.equal(typeof row.ratio.to, 'string');
      for (const name of ['median', 'q1', 'q3']) assert.ok(row.ratio[name] > 0, name);
    }
  }
}

test('a small run writes all three reports', () => {
  const json = join(folder, 'small.json');
  const html = join(folder, 'small.html');
  const run = node(RUN_WITH, 'first,second,dying', '--quick', '--suite', 'kernels',
    '--backends', 'peer:node-crypto', '--json', json, '--html', html);
  assert.equal(run.status, 0, run.stderr);
  const report = JSON.parse(readFileSync(json, 'utf8'));
  checkReport(report);
  const found = report.rows.filter((row) => row.samples).map((row) => `${row.case} ${row.backend}`);
  assert.deepEqual(found.sort(), ['first', 'peer:node-crypto', 'second'].flatMap((name) =>
    [`sha256-pair ${name}`, `sha256-pairs ${name}`]).sort());
  for (const row of report.rows.filter((row) => row.backend === 'dying')) {
    assert.match(row.reason, /SIGKILL/);
  }
  assert.match(run.stdout, /\| sha256-pairs +\| chosen +\| second /);
  assert.match(run.stdout, /kernels: ours \/ peer/);
  assert.match(run.stdout, /\| case +\| variant +\| peer +\| +its ns \| +first \| +second \|/);
  const page = readFileSync(html, 'utf8');
  assert.match(page, /<svg/);
  assert.doesNotMatch(page, /(src|href)=/, 'the page needs nothing else');
  assert.match(run.stderr, /kernels sha256-pairs/);
});

test('--case leaves the other cases out', () => {
  const json = join(folder, 'case.json');
  const run = node(RUN_WITH, 'first', '--quick', '--suite', 'kernels', '--case', 'sha256-pairs',
    '--backends', 'peer:node-crypto', '--json', json);
  assert.equal(run.status, 0, run.stderr);
  const { rows } = JSON.parse(readFileSync(json, 'utf8'));
  assert.deepEqual([...new Set(rows.map((row) => row.case))], ['sha256-pairs']);
});

test('a wrong result ends the run without figures', () => {
  const json = join(folder, 'wrong.json');
  const run = node(RUN_WITH, 'first,wrong', '--quick', '--suite', 'kernels',
    '--backends', 'peer:node-crypto', '--json', json);
  assert.equal(run.status, 1);
  assert.match(run.stderr, /hash-of-64-bytes differs: .*wrong/);
  assert.equal(run.stdout, '');
  assert.equal(existsSync(json), false);
});

test('Ctrl-C leaves a valid partial report', async () => {
  const json = join(folder, 'partial.json');
  const child = spawn(process.execPath, [RUN_WITH, 'first,stuck', '--quick', '--suite', 'kernels',
    '--backends', 'peer:node-crypto', '--json', json]);
  let progress = '';
  child.stderr.on('data', (chunk) => {
    // The first case is done when the second one starts, and that one never ends.
    progress += chunk;
    if (!child.killed && progress.includes('kernels sha256-pairs')) child.kill('SIGINT');
  });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  assert.equal(code, 130);
  const report = JSON.parse(readFileSync(json, 'utf8'));
  checkReport(report, { partial: true });
  const cases = new Set(report.rows.map((row) => row.case));
  assert.deepEqual([...cases], ['sha256-pair']);
});

test('the sponge table shows old, new, their ratio and the ratio to the socket', () => {
  const row = (backend, variant, time) => ({
    suite: 'sponge', case: '30/30', variant, backend, unit: 'ms', ...summarize([time, time]),
    samples: [time, time],
  });
  const rows = [
    row('wasm-simd', 'legacy', 4), row('wasm-simd', 'batched', 2),
    row('uds', 'legacy', 40), row('uds', 'batched', 8),
    { suite: 'sponge', case: '*', variant: '*', backend: 'peer:<b>', unit: 'ms', status: 'not run',
      reason: 'a | b' },
  ];
  const report = { schema: 1, env: { partial: true }, rows };
  const markdown = markdownReport(report, [spongeSuite]);
  assert.match(markdown, /\| 30\/30 +\| wasm-simd +\| +4\.00 \| +2\.00 \| +0\.500x \| +0\.250x \|/);
  assert.match(markdown, /\| 30\/30 +\| uds +\| +40\.0 \| +8\.00 \| +0\.200x \| +1\.00x \|/);
  assert.match(markdown, /not run/);
  assert.match(markdown, /a \\\| b/);
  assert.match(markdown, /PARTIAL/);
  assert.match(htmlReport(report, [spongeSuite]), /peer:&lt;b&gt;/);
});

test('the SSZ suite ends with what was measured against its targets', () => {
  const row = (name, variant, backend, median, engine) => ({
    suite: 'ssz', case: `js/${name}`, variant, backend, unit: 'us', median, samples: [median], engine,
  });
  const rows = [
    row('container/hashTreeRoot', 'bounded', 'wasm-simd', 2),
    row('container/hashTreeRoot', 'bounded', 'peer:chainsafe-ssz-native', 3),
    row('container/hashTreeRoot', 'bounded', 'peer:chainsafe-ssz-wasm', 6),
    row('byteList/serialize', 'bounded', 'wasm-simd', 2),
    row('byteList/serialize', 'progressive', 'wasm-simd', 3),
    row('byteList/serialize', 'bounded', 'peer:chainsafe-ssz-native', 1),
    row('byteList/serialize', 'progressive', 'peer:chainsafe-ssz-native', 30),
    row('state200k/memory', 'bounded', 'wasm-simd', 1.25, 'v1.2.3'),
  ];
  const [{ rows: lines }] = sszSuite.closingTables(rows);
  const current = process.version;
  assert.deepEqual(lines, [
    [current, 'byteList serialize', 'bounded', 'times faster than with its native hashing', '0.500', '>= 1', 'missed'],
    [current, 'byteList serialize', 'progressive', 'times faster than with its native hashing', '10.0', '>= 1', ''],
    [current, 'container hashTreeRoot', 'bounded', 'times faster than with its native hashing', '1.50', '>= 1.4', ''],
    [current, 'container hashTreeRoot', 'bounded', 'times faster than with its Wasm hashing', '3.00', '>= 4', 'missed'],
    [current, 'rows that do not hash', 'both', 'median of times faster', '5.25', '>= 5', ''],
    [current, 'byteList serialize', 'both', 'progressive / bounded', '1.50', '<= 1.2', 'missed'],
    ['v1.2.3', 'state200k memory', 'bounded', 'memory over serialized size', '1.25', '<= 1.4', ''],
  ]);
  assert.deepEqual(sszSuite.closingTables([]), []);
});

const RUNNER = path('../../../build/release/bench/native/spicule-bench');
const withRunner = { skip: existsSync(RUNNER) ? false : 'SKIPPED: the native runner is not built' };

test('the native runner prints a report of its own, partial after Ctrl-C', withRunner, async () => {
  const child = spawn(RUNNER, ['--suite', 'kernels', '--quick']);
  let output = '';
  let progress = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => {
    progress += chunk;
    if (!child.killed && progress.includes('sha256-pair,')) child.kill('SIGINT');
  });
  await new Promise((resolve) => child.on('close', resolve));
  const report = JSON.parse(output);
  // What only Node knows is missing.
  Object.assign(report.env, { node: '', v8: '', wasmVariant: '' });
  checkReport(report, { partial: true });
  assert.ok(report.rows.some((row) => row.case === 'permute' && row.variant === 'portable'));
  assert.ok(report.rows.every(({ backend }) => backend === 'c'));
});

const RUNNERS = {
  natively: { program: RUNNER },
  'in Wasm': { wasi: path('../../../build/wasm/bench/native/spicule-bench.wasm') },
};

for (const [where, runner] of Object.entries(RUNNERS)) {
  const built = existsSync(runner.program ?? runner.wasi);
  const options = { skip: built ? false : 'SKIPPED: the C runner is not built' };
  test(`the C runner answers the benchmark line by line, ${where}`, options, async () => {
    const rows = new NativeContestants({ ...runner, without: ['call'] }, process.execPath);
    try {
      const offers = await rows.offers({ name: 'kernels' });
      const portable = offers.find(({ case: name, variant }) =>
        name === 'sha256-pair' && variant === 'portable');
      assert.equal(portable.operations, 1);
      assert.ok(offers.every(({ variant }) => variant !== 'call'));
      const digest = createHash('sha256').update(makeBytes(64)).digest();
      const expected = createHash('sha256').update(digest).digest('hex');
      assert.deepEqual(await rows.check(portable), { 'hash-of-64-bytes': expected });
      assert.ok((await rows.time(portable, 10)).elapsed > 0);
      assert.deepEqual(await rows.facts(portable), {});
      await assert.rejects(rows.check({ ...portable, variant: 'nonsense' }), /no such request/);
    } finally {
      rows.close();
    }
  });
}

const PINNING = new URL('../../../bench/suites/pinning.mjs', import.meta.url).href;

test('a layout puts a process and its children where it says', async (t) => {
  const { layoutReason, layouts } = await import(PINNING);
  const script = `
    import { spawn } from 'node:child_process';
    import { readFileSync } from 'node:fs';
    import { applyLayout } from '${PINNING}';
    const child = spawn('sleep', ['60']);
    const where = (pid) =>
      readFileSync(\`/proc/\${pid}/status\`, 'utf8').match(/Cpus_allowed_list:\\s*(.*)/)[1];
    const before = where(process.pid);
    applyLayout(process.argv[1]);
    console.log(JSON.stringify({ before, client: where(process.pid), server: where(child.pid) }));
    child.kill();
  `;
  for (const layout of layouts) {
    const reason = layoutReason(layout);
    await t.test(layout, { skip: reason !== undefined && `SKIPPED: ${reason}` }, () => {
      const run = node('--input-type=module', '--eval', script, layout);
      assert.equal(run.status, 0, run.stderr);
      const { before, client, server } = JSON.parse(run.stdout);
      if (layout === 'unpinned') assert.deepEqual([client, server], [before, before]);
      else assert.match(client, /^\d+$/);
      assert.equal(client === server, layout !== 'pinned-apart');
    });
  }
});
