// Back ends as wholes: those that answer by promises, the native one, and the entries.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import { asyncBackend, syncBackend } from '../../../dist/core/remote.js';
import * as spicule from '../../../dist/index.js';
import { createBackend } from '../../../dist/native.js';
import * as entry from '../../../dist/sponge.js';
import { OPERATIONS, promisingBackends, syncBackends } from './support/backends.mjs';
import { details, throwsSpicule } from './support/errors.mjs';
import { P, fields } from './support/poseidon2.mjs';

const dist = new URL('../../../dist/', import.meta.url);
const { sponge } = spicule.loadSync();

/** The same call on both: the same result, or an error with the same details. */
async function agrees(expected, actual) {
  const outcome = async (run) => {
    try {
      return { value: await run() };
    } catch (error) {
      return { type: error.constructor.name, message: error.message, ...details(error) };
    }
  };
  const pending = actual();
  assert.ok(pending instanceof Promise, 'answers by a promise, also for errors');
  assert.deepEqual(await outcome(() => pending), await outcome(expected));
}

for (const [kind, backend] of await promisingBackends()) {
  test(`a back end that answers by promises gives the same results and errors: ${kind}`, async () => {
    const flat = entry.fieldsFromBigints(fields(1, 16));
    const calls = [
      ['permute', [0n, 1n, 2n, 3n]], ['permute', flat.subarray(0, 128)], ['permute', flat],
      ['permuteMany', flat], ['permuteMany', [1n]], ['permuteMany', 'x'],
      ['hash', flat], ['hash', [1n, P]], ['hash', []], ['hash', [5]],
      ['hashMany', flat, 4], ['hashMany', flat, 5], ['hashMany', flat, -1],
      ['hashMany', [[1n], [2n, 3n], [4n], []]], ['hashMany', [[1n], [2n, P], [4n]]],
      ['hashMany', [flat, flat.subarray(1)]], ['hashMany', []],
      ['compress', 1n, 2n], ['compress', 1n, P], ['compress', null, P],
      ['compressMany', flat], ['compressMany', flat.subarray(32)],
      ['merkleRoot', flat], ['merkleRoot', [7n]], ['merkleRoot', [P]], ['merkleRoot', [1n, 2n, P, 4n]],
      ['merkleRoot', []],
    ];
    for (const [name, ...args] of calls) {
      await agrees(() => sponge[name](...args), () => backend.sponge[name](...args));
    }
    const bytes = flat.subarray(0, 192);
    for (const name of ['sha256', 'sha256Pairs', 'sha384']) {
      await agrees(() => spicule.loadSync().sha2[name](bytes), () => backend.sha2[name](bytes));
      await agrees(() => spicule.loadSync().sha2[name]('x'), () => backend.sha2[name]('x'));
    }
    const out = new Uint8Array(32);
    assert.equal(await backend.sponge.hashInto(out, flat), undefined);
    assert.deepEqual(out, sponge.hash(flat));
    await agrees(() => sponge.hashInto(out, 5), () => backend.sponge.hashInto(out, 5));
    await agrees(
      () => spicule.loadSync().call(OPERATIONS.HASH, flat),
      () => backend.call(OPERATIONS.HASH, flat),
    );
    await agrees(() => spicule.loadSync().call(99, flat), () => backend.call(99, flat));
  });
}

for (const [kind, backend] of await promisingBackends()) {
  test(`sponges of a back end that answers by promises: ${kind}`, async () => {
    const ours = new sponge.SpongeBlob(10);
    const theirs = new backend.sponge.SpongeBlob(10);
    for (const portion of [[1n, 2n, 3n, 4n], 5n, entry.fieldsFromBigints([6n, 7n])]) {
      await agrees(() => ours.absorb(portion), () => theirs.absorb(portion));
      assert.deepEqual(theirs.serialize(), ours.serialize());
    }
    const clone = theirs.clone();
    await agrees(() => ours.absorb([1n, 2n, 3n, 4n]), () => clone.absorb([1n, 2n, 3n, 4n]));
    await agrees(() => ours.absorb('x'), () => clone.absorb('x'));
    const { SpongeBlob } = sponge;
    const state = ours.serialize();
    const restored = await backend.sponge.SpongeBlob.deserialize(state, 10);
    assert.deepEqual(restored.toFields(), SpongeBlob.deserialize(state, 10).toFields());
    state[0] = 0xff;
    await agrees(
      () => SpongeBlob.deserialize(state, 10),
      () => backend.sponge.SpongeBlob.deserialize(state, 10),
    );
    await agrees(() => ours.squeeze(), () => restored.squeeze());
    await agrees(() => ours.squeeze(), () => restored.squeeze());
  });
}

for (const [kind, backend] of await promisingBackends()) {
  test(`a sponge refuses an operation while the one before runs: ${kind}`, async () => {
    const object = new backend.sponge.Sponge(0n);
    const first = object.absorb(1n);
    await assert.rejects(object.absorb(2n), { code: 'INVALID_STATE' });
    throwsSpicule(() => object.serialize(), { code: 'INVALID_STATE' });
    throwsSpicule(() => object.clone(), { code: 'INVALID_STATE' });
    await first;
    await object.absorb(2n);
    const expected = new sponge.Sponge(0n);
    expected.absorb([1n, 2n]);
    assert.deepEqual(object.serialize(), expected.serialize());
  });
}

test('a disposed back end closes its connection once and says so', async () => {
  let closed = 0;
  const connection = { call: () => 0, close: () => void closed++ };
  const sync = syncBackend('test', connection);
  sync.dispose();
  sync[Symbol.dispose]();
  assert.equal(closed, 1);
  throwsSpicule(() => sync.sponge.hash([]), { code: 'INVALID_STATE' });
  const async = asyncBackend('test', connection);
  await async.dispose();
  await async[Symbol.asyncDispose]();
  assert.equal(closed, 2);
  await assert.rejects(async.sponge.hash([]), { code: 'INVALID_STATE' });
});

test('responses of unknown length are asked for again', () => {
  const sizes = [];
  const connection = {
    call(_op, _request, out) {
      sizes.push(out.length);
      if (out.length < 5000) throw new spicule.SpiculeError('BUFFER_TOO_SMALL', { limit: 5000 });
      return 5000;
    },
    close() {},
  };
  assert.equal(syncBackend('test', connection).call(1, new Uint8Array(0)).length, 5000);
  assert.deepEqual(sizes, [256, 5000]);
});

test('positions above 2^53 are bigints', () => {
  const error = new spicule.SpiculeError('SIZE_LIMIT', { limit: 2n ** 60n, path: 'a.b' });
  assert.deepEqual(details(error), { code: 'SIZE_LIMIT', path: 'a.b', limit: 2n ** 60n });
  assert.match(error.message, /\(path a\.b, limit 1152921504606846976\)$/);
  assert.equal(Object.hasOwn(error, 'offset'), false);
});

test('requests and responses over the limit of the dispatcher', async () => {
  const limit = 64 * 2 ** 20;
  const large = new Uint8Array(limit + 32);
  for (const [name, { call }] of await syncBackends()) {
    assert.throws(() => call(OPERATIONS.SHA256, large), (error) => {
      assert.deepEqual(details(error), { code: 'SIZE_LIMIT', limit }, name);
      return true;
    });
  }
});

test('unknown kinds of back ends are TypeErrors', async () => {
  await assert.rejects(createBackend({ kind: 'carrier pigeon' }), TypeError);
  await assert.rejects(createBackend(), TypeError);
});

test('the native back end in workers', async (t) => {
  try {
    await createBackend({ kind: 'native' });
  } catch (error) {
    return t.skip(`SKIPPED: ${error.message}`);
  }
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData).then(async ({ createBackend }) => {
      const backend = await createBackend({ kind: 'native' });
      parentPort.postMessage(backend.sponge.hash([1n, 2n]));
    });`;
  const expected = sponge.hash([1n, 2n]);
  for (let round = 0; round < 3; round++) {
    const answers = [0, 1].map(async () => {
      const workerData = new URL('native.js', dist).href;
      const worker = new Worker(source, { eval: true, workerData });
      const [answer] = await once(worker, 'message');
      assert.equal(answer, expected);
      await worker.terminate();
    });
    await Promise.all(answers);
  }
});

test('without the native part the error names the package and the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-'));
  try {
    cpSync(fileURLToPath(dist), join(folder, 'dist'), { recursive: true });
    const program = `
      import { createBackend } from '${pathToFileURL(join(folder, 'dist/native.js'))}';
      await createBackend({ kind: 'native' }).catch((error) => console.log(error.code, error.message));`;
    const command = ['--input-type=module', '-e', program];
    const output = execFileSync(process.execPath, command, { encoding: 'utf8' });
    const name = `spicule-${process.platform}-${process.arch}`;
    assert.ok(output.startsWith('UNAVAILABLE '), output);
    assert.ok(output.includes(`needs the package ${name}`), output);
    assert.ok(output.includes('npm run build'), output);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the functions of the entry are those of the default instance', () => {
  const flat = entry.fieldsFromBigints(fields(4, 16));
  for (const name of ['permuteMany', 'hash', 'compressMany', 'merkleRoot']) {
    const expected = sponge[name](flat);
    assert.deepEqual(entry[name](flat), expected);
    const out = new Uint8Array(expected.length);
    assert.equal(entry[`${name}Into`](out, flat), undefined);
    assert.deepEqual(out, expected);
  }
  assert.deepEqual(entry.permute(flat.subarray(0, 128)), sponge.permute(flat.subarray(0, 128)));
  const state = new Uint8Array(128);
  entry.permuteInto(state, flat.subarray(0, 128));
  assert.deepEqual(state, sponge.permute(flat.subarray(0, 128)));
  assert.deepEqual(entry.hashMany(flat, 4), sponge.hashMany(flat, 4));
  entry.hashManyInto(state, flat, 4);
  assert.deepEqual(state, sponge.hashMany(flat, 4));
  assert.deepEqual(entry.hashMany([[1n], [2n]]), sponge.hashMany([[1n], [2n]]));
  assert.equal(entry.compress(1n, 2n), sponge.compress(1n, 2n));
  for (const name of ['Sponge', 'SpongeBlob']) {
    const ours = new entry[name](name === 'Sponge' ? 5n : 100);
    const theirs = new sponge[name](name === 'Sponge' ? 5n : 100);
    ours.absorb(flat);
    theirs.absorb(flat);
    assert.deepEqual(ours.serialize(), theirs.serialize());
    assert.ok(ours instanceof entry[name]);
    assert.ok(ours.clone() instanceof entry[name]);
    assert.ok(entry[name].deserialize(ours.serialize(), 100) instanceof entry[name]);
  }
});
