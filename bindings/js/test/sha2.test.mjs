import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as codec from '../../../dist/codec.js';
import * as sha2 from '../../../dist/sha2.js';
import { OPERATIONS } from '../../../dist/index.js';
import { syncBackends, variants } from './support/backends.mjs';
import { throwsSpicule, throwsType } from './support/errors.mjs';

/** Bytes i mod 251: a prime, so that swapped blocks show. */
const pattern = (length) => Uint8Array.from({ length }, (_, i) => i % 251);
const digest = (name, bytes) => new Uint8Array(createHash(name).update(bytes).digest());
const LENGTHS = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1000, 70_000];

test('the module of the codec, whose functions are those for little size', () => {
  const module = new WebAssembly.Module(readFileSync(new URL('../../../dist/wasm/codec-baseline.wasm', import.meta.url)));
  const { call } = codec.createInstanceSync({ module });
  for (const length of LENGTHS) {
    const bytes = pattern(length);
    assert.deepEqual(call(OPERATIONS.SHA256, bytes), digest('sha256', bytes), `SHA-256 of ${length}`);
    assert.deepEqual(call(OPERATIONS.SHA384, bytes), digest('sha384', bytes), `SHA-384 of ${length}`);
  }
  const pairs = pattern(64 * 5);
  const digests = Array.from({ length: 5 }, (_, i) => digest('sha256', pairs.subarray(64 * i, 64 * i + 64)));
  assert.deepEqual(Buffer.from(call(OPERATIONS.SHA256_PAIRS, pairs)), Buffer.concat(digests));
});

for (const [name, { sha2: operations, call }] of await syncBackends()) {
  test(`${name}: digests of all lengths around the block sizes`, () => {
    for (const length of LENGTHS) {
      const bytes = pattern(length);
      assert.deepEqual(operations.sha256(bytes), digest('sha256', bytes), `SHA-256 of ${length}`);
      assert.deepEqual(operations.sha384(bytes), digest('sha384', bytes), `SHA-384 of ${length}`);
      assert.deepEqual(call(OPERATIONS.SHA256, bytes), digest('sha256', bytes));
      assert.deepEqual(call(OPERATIONS.SHA384, bytes), digest('sha384', bytes));
    }
  });

  test(`${name}: pairs, for every count up to 20 and many`, () => {
    for (const count of [...Array(21).keys(), 1000]) {
      const bytes = pattern(64 * count);
      const expected = new Uint8Array(32 * count);
      for (let i = 0; i < count; i++) {
        expected.set(digest('sha256', bytes.subarray(64 * i, 64 * (i + 1))), 32 * i);
      }
      assert.deepEqual(operations.sha256Pairs(bytes), expected);
      assert.deepEqual(call(OPERATIONS.SHA256_PAIRS, bytes), expected);
    }
  });

  test(`${name}: Into writes the start of out, in place too, and gives nothing`, () => {
    const bytes = pattern(128);
    const out = new Uint8Array(100).fill(7);
    assert.equal(operations.sha256Into(out, bytes), undefined);
    assert.deepEqual(out.subarray(0, 32), digest('sha256', bytes));
    assert.ok(out.subarray(32).every((byte) => byte === 7));
    assert.equal(operations.sha384Into(out, bytes), undefined);
    assert.deepEqual(out.subarray(0, 48), digest('sha384', bytes));
    const expected = operations.sha256Pairs(bytes);
    assert.equal(operations.sha256PairsInto(bytes, bytes), undefined);
    assert.deepEqual(bytes.subarray(0, 64), expected);
    const shifted = pattern(129);
    operations.sha256Into(shifted, shifted.subarray(1));
    assert.deepEqual(shifted.subarray(0, 32), digest('sha256', pattern(129).subarray(1)));
  });

  test(`${name}: inputs at odd offsets, Buffers, shared memory`, () => {
    const bytes = pattern(99).subarray(3, 77);
    const expected = digest('sha256', bytes);
    assert.deepEqual(operations.sha256(bytes), expected);
    assert.deepEqual(operations.sha256(Buffer.from(bytes)), expected);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    assert.deepEqual(operations.sha256(shared), expected);
  });

  test(`${name}: errors`, () => {
    for (const length of [1, 63, 65, 32 * 5]) {
      const expected = { code: 'WRONG_LENGTH', offset: length };
      throwsSpicule(() => operations.sha256Pairs(new Uint8Array(length)), expected);
      throwsSpicule(() => call(OPERATIONS.SHA256_PAIRS, new Uint8Array(length)), expected);
    }
    const short = new Uint8Array(31);
    throwsSpicule(() => operations.sha256Into(short, short), {
      code: 'BUFFER_TOO_SMALL', limit: 32,
    });
    throwsSpicule(() => operations.sha384Into(short, short), {
      code: 'BUFFER_TOO_SMALL', limit: 48,
    });
    throwsSpicule(() => operations.sha256PairsInto(short, new Uint8Array(128)), {
      code: 'BUFFER_TOO_SMALL', limit: 64,
    });
    throwsSpicule(() => call(255, short), { code: 'UNKNOWN_OPERATION', index: 255 });
    throwsSpicule(() => call(1.5, short), { code: 'INVALID_ARGUMENT' });
    throwsSpicule(() => call(2 ** 32 + 16, short), { code: 'INVALID_ARGUMENT' });
    for (const value of [undefined, null, 'abc', [1, 2], new Uint16Array(32), new ArrayBuffer(64)]) {
      throwsType(() => operations.sha256(value), 'bytes');
      throwsType(() => operations.sha384(value), 'bytes');
      throwsType(() => operations.sha256Pairs(value), 'pairs');
      throwsType(() => operations.sha256Into(value, short), 'out');
      throwsType(() => call(OPERATIONS.SHA256, value), 'request');
    }
    throwsType(() => call('16', short), 'op');
  });
}

for (const variant of variants) {
  const { Sha256, Sha384, sha256 } = sha2.createInstanceSync({ variant });
  const hashes = [['sha256', Sha256], ['sha384', Sha384]];

  test(`wasm-${variant}: streams in portions of every size, side by side`, () => {
    const bytes = pattern(700);
    for (const [name, Stream] of hashes) {
      for (const size of [1, 3, 63, 64, 65, 127, 128, 129, 700]) {
        const stream = new Stream();
        const other = new Stream().update(bytes);
        for (let at = 0; at < bytes.length; at += size) {
          assert.deepEqual(stream.digest(), digest(name, bytes.subarray(0, at)));
          assert.equal(stream.update(bytes.subarray(at, at + size)), stream);
          sha256(bytes);
        }
        assert.deepEqual(stream.digest(), digest(name, bytes));
        assert.deepEqual(other.digest(), stream.digest());
      }
    }
  });

  test(`wasm-${variant}: clones of streams, results into a buffer, errors`, () => {
    for (const [name, Stream] of hashes) {
      const stream = new Stream().update(pattern(100));
      const clone = stream.clone();
      assert.ok(clone instanceof Stream);
      clone.update(Uint8Array.of(1));
      assert.deepEqual(stream.digest(), digest(name, pattern(100)));
      assert.deepEqual(clone.digest(), digest(name, Uint8Array.of(...pattern(100), 1)));
      const size = stream.digest().length;
      const out = new Uint8Array(size + 1).fill(9);
      assert.equal(stream.digestInto(out), undefined);
      assert.deepEqual(out, Uint8Array.of(...stream.digest(), 9));
      throwsSpicule(() => stream.digestInto(new Uint8Array(size - 1)), {
        code: 'BUFFER_TOO_SMALL', limit: size,
      });
      throwsType(() => stream.update('abc'), 'bytes');
      throwsType(() => stream.digestInto([]), 'out');
    }
  });

  test(`wasm-${variant}: a stream takes large portions in little memory`, () => {
    const large = new Uint8Array(3 * 2 ** 20 + 5).fill(3);
    assert.deepEqual(new Sha256().update(large).digest(), digest('sha256', large));
    assert.deepEqual(new Sha384().update(large).digest(), digest('sha384', large));
  });
}

test('the functions of the entry are those of the default instance', () => {
  const bytes = pattern(192);
  assert.deepEqual(sha2.sha256(bytes), digest('sha256', bytes));
  assert.deepEqual(sha2.sha384(bytes), digest('sha384', bytes));
  const out = new Uint8Array(96);
  sha2.sha256PairsInto(out, bytes);
  assert.deepEqual(out, sha2.sha256Pairs(bytes));
  sha2.sha256Into(out, bytes);
  assert.deepEqual(out.subarray(0, 32), sha2.sha256(bytes));
  sha2.sha384Into(out, bytes);
  assert.deepEqual(out.subarray(0, 48), sha2.sha384(bytes));
  assert.deepEqual(new sha2.Sha256().update(bytes).digest(), sha2.sha256(bytes));
  assert.deepEqual(new sha2.Sha384().update(bytes).digest(), sha2.sha384(bytes));
});
