// The in-process part of the Node-API addon, without the TypeScript side.
// Usage: node addon_test.mjs <path of spicule.node>
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import test from 'node:test';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

const SHA256 = 16;
const SHA256_PAIRS = 17;
const path = isMainThread ? process.argv[2] : workerData;
const { Context } = createRequire(import.meta.url)(path);
const context = new Context();
const addon = {
  call: (op, request) => context.call(op, request, 0),
  callInto: (op, request, out) => context.callInto(op, request, out, 0),
};
const bytes = (length) => Uint8Array.from({ length }, (_, i) => i % 251);
const sha256 = (data) => new Uint8Array(createHash('sha256').update(data).digest());
const plain = (array) => new Uint8Array(array);

const failure = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail('did not throw');
};

if (!isMainThread) {
  parentPort.postMessage(addon.call(SHA256, bytes(100)));
} else {
  test('call gives the response in a new array, for every length', () => {
    for (const length of [0, 1, 55, 56, 64, 1000, 1 << 20]) {
      assert.deepEqual(addon.call(SHA256, bytes(length)), sha256(bytes(length)));
    }
  });

  test('a response larger than any before it fits', () => {
    const pairs = bytes(64 * 5000);
    const digests = addon.call(SHA256_PAIRS, pairs);
    assert.equal(digests.length, 32 * 5000);
    assert.deepEqual(digests.slice(-32), sha256(pairs.subarray(-64)));
  });

  test('callInto writes at the start of the output and nothing behind the response', () => {
    const out = new Uint8Array(40).fill(0xee);
    assert.equal(addon.callInto(SHA256, bytes(100), out), 32);
    assert.deepEqual(out.slice(0, 32), sha256(bytes(100)));
    assert.ok(out.slice(32).every((byte) => byte === 0xee));
  });

  test('a view into a larger buffer is read at its own place', () => {
    const large = bytes(300);
    assert.deepEqual(addon.call(SHA256, large.subarray(17, 170)), sha256(large.slice(17, 170)));
  });

  test('an output that overlaps the request gives the same bytes', () => {
    for (const shift of [0, 5, 64]) {
      const memory = bytes(200);
      const expected = sha256(memory.slice(64, 128));
      const out = memory.subarray(shift, shift + 64);
      assert.equal(addon.callInto(SHA256, memory.subarray(64, 128), out), 32);
      assert.deepEqual(out.slice(0, 32), expected);
    }
  });

  test('a request in shared memory gives the same bytes', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(100));
    shared.set(bytes(100));
    assert.deepEqual(addon.call(SHA256, shared), sha256(bytes(100)));
  });

  test('errors of the core are thrown as plain records', () => {
    const empty = new Uint8Array(0);
    assert.deepEqual(failure(() => addon.call(999, empty)), { status: 3, index: 999 });
    assert.deepEqual(failure(() => addon.call(SHA256_PAIRS, bytes(65))), { status: 6, offset: 65 });
    assert.deepEqual(failure(() => addon.callInto(SHA256, empty, new Uint8Array(31))), {
      status: 5,
      limit: 32,
    });
  });

  test('a request past the limit is a status with the limit, shared or not', () => {
    const limit = 64 << 20;
    for (const buffer of [new ArrayBuffer(limit + 1), new SharedArrayBuffer(limit + 1)]) {
      const request = new Uint8Array(buffer);
      assert.deepEqual(failure(() => addon.call(SHA256, request)), { status: 11, limit });
    }
  });

  test('a wrong type is a TypeError', () => {
    const good = new Uint8Array(1);
    for (const [op, request] of [['16', good], [SHA256], [], [SHA256, [1]], [SHA256, 'a'],
      [SHA256, new Uint16Array(1)], [SHA256, new DataView(new ArrayBuffer(1))]]) {
      assert.throws(() => addon.call(op, request), TypeError);
      assert.throws(() => addon.callInto(op, request, good), TypeError);
    }
    assert.throws(() => addon.callInto(SHA256, good, new Int8Array(32)), TypeError);
  });

  test('a closed context says so', () => {
    const other = new Context();
    other.close();
    other.close();
    assert.deepEqual(failure(() => other.call(SHA256, bytes(1), 0)), { status: 2, path: 'closed' });
    assert.throws(() => Context(), TypeError);
    assert.throws(() => context.call.call({}, SHA256, bytes(1), 0), TypeError);
  });

  test('each worker loads its own', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: path });
      worker.on('message', resolve);
      worker.on('error', reject);
    })));
    for (const answer of answers) assert.deepEqual(plain(answer), sha256(bytes(100)));
  });
}
