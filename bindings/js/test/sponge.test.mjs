import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FIELD_MODULUS, fieldToBigint, fieldsFromBigints, fieldsToBigints } from '../../../dist/sponge.js';
import { OPERATIONS, syncBackends } from './support/backends.mjs';
import { throwsSpicule, throwsType } from './support/errors.mjs';
import * as reference from './support/poseidon2.mjs';

const { P, fields, vectors } = reference;
const MAX_FIELDS = 24576;
const bytesOf = (values) => fieldsFromBigints(values);
const range = (start, count) => Array.from({ length: count }, (_, i) => BigInt(start + i));
/** 32 bytes that hold the modulus, which is no field element. */
const NOT_CANONICAL = Uint8Array.from(Buffer.from(P.toString(16).padStart(64, '0'), 'hex'));

const backends = await syncBackends();

const inputOf = (vector) =>
  vector.input ? vector.input.map((text) => BigInt(text) % P) : range(vector.start, vector.count);

const blobOutput = (sponge, input) => {
  const blob = new sponge.SpongeBlob();
  blob.absorb(input);
  return [fieldToBigint(blob.squeeze())];
};

/** What each kind of vector says of a back end's sponge operations. */
const VECTOR_KINDS = {
  permutation: (sponge, input) => sponge.permute(input),
  hash: (sponge, input) => [sponge.hash(input)],
  sponge_blob: blobOutput,
  sponge_blob_seq: blobOutput,
};

for (const [name, { sponge, call }] of backends) {
  test(`${name}: public and derived vectors`, () => {
    for (const vector of vectors.vectors) {
      const input = inputOf(vector);
      const expected = vector.output.map(BigInt);
      assert.deepEqual(VECTOR_KINDS[vector.kind](sponge, input), expected, vector.name);
    }
  });

  test(`${name}: sponge traces`, () => {
    for (const trace of vectors.traces) {
      const object = new sponge.Sponge(BigInt(trace.iv));
      let next = trace.start;
      trace.chunks.forEach((length, i) => {
        object.absorb(range(next, length));
        next += length;
        assert.deepEqual(object.toFields().slice(0, 9), trace.states[i].map(BigInt));
      });
      assert.equal(object.toFields()[9], BigInt(next - trace.start));
      assert.equal(fieldToBigint(object.squeeze()), BigInt(trace.squeeze));
      assert.deepEqual(object.toFields().slice(0, 9), trace.squeezed.map(BigInt));
    }
  });

  test(`${name}: the same as the textbook, in every form of fields`, () => {
    for (const count of [0, 1, 2, 3, 4, 5, 6, 7, 12, 31]) {
      const values = fields(count, count);
      const expected = reference.hash(values);
      assert.equal(sponge.hash(values), expected);
      assert.equal(sponge.hash(values.map((value) => bytesOf([value]))), expected);
      assert.equal(fieldToBigint(sponge.hash(bytesOf(values))), expected);
    }
    const states = fields(99, 4 * 9);
    const permuted = range(0, 9).flatMap((_, i) => reference.permute(states.slice(4 * i, 4 * i + 4)));
    assert.deepEqual(sponge.permuteMany(states), permuted);
    assert.deepEqual(sponge.permuteMany(bytesOf(states)), bytesOf(permuted));
    assert.deepEqual(sponge.permute(states.slice(0, 4)), permuted.slice(0, 4));
    assert.deepEqual(sponge.permute(bytesOf(states.slice(0, 4))), bytesOf(permuted.slice(0, 4)));
    const [a, b] = states;
    assert.equal(sponge.compress(a, b), reference.hash([a, b]));
    assert.equal(sponge.compress(bytesOf([a]), b), reference.hash([a, b]));
    assert.deepEqual(sponge.compress(bytesOf([a]), bytesOf([b])), bytesOf([reference.hash([a, b])]));
  });

  test(`${name}: batches of every size are what single calls give`, () => {
    for (const count of [...Array(18).keys(), 33]) {
      const pairs = fields(count + 500, 2 * count);
      const expected = range(0, count).map((_, i) => sponge.hash(pairs.slice(2 * i, 2 * i + 2)));
      assert.deepEqual(sponge.compressMany(pairs), expected);
      assert.deepEqual(sponge.compressMany(bytesOf(pairs)), bytesOf(expected));
      assert.deepEqual(sponge.hashMany(bytesOf(pairs), 2), bytesOf(expected));
      const states = fields(count + 700, 4 * count);
      const permuted = range(0, count).flatMap((_, i) => sponge.permute(states.slice(4 * i, 4 * i + 4)));
      assert.deepEqual(sponge.permuteMany(states), permuted);
    }
    for (const each of [1, 3, 4, 7]) {
      const flat = fields(each + 900, 5 * each);
      const expected = range(0, 5).map((_, i) => sponge.hash(flat.slice(each * i, each * (i + 1))));
      assert.deepEqual(sponge.hashMany(bytesOf(flat), each), bytesOf(expected));
    }
  });

  test(`${name}: messages of mixed lengths and forms`, () => {
    const lengths = [3, 0, 5, 3, 1, 0, 5, 40, 3];
    const messages = lengths.map((length, i) => fields(i + 40, length));
    const expected = messages.map((message) => sponge.hash(message));
    assert.deepEqual(sponge.hashMany(messages), expected);
    assert.deepEqual(
      sponge.hashMany(messages.map(bytesOf)),
      expected.map((value) => bytesOf([value])),
    );
    assert.deepEqual(sponge.hashMany([]), []);
    const many = range(0, 500).map((_, i) => fields(i, i % 100));
    assert.deepEqual(sponge.hashMany(many), many.map((message) => sponge.hash(message)));
  });

  test(`${name}: Merkle roots`, () => {
    for (const count of [1, 2, 4, 8, 64]) {
      const leaves = fields(count, count);
      let level = leaves;
      while (level.length > 1) level = sponge.compressMany(level);
      assert.equal(sponge.merkleRoot(leaves), level[0]);
      assert.deepEqual(sponge.merkleRoot(bytesOf(leaves)), bytesOf(level));
    }
  });

  test(`${name}: Into writes the start of out, in place too, and gives nothing`, () => {
    const values = fields(5, 8);
    const bytes = bytesOf(values);
    const into = (operation, size, ...args) => {
      const out = new Uint8Array(size + 3).fill(9);
      assert.equal(operation(out, ...args), undefined);
      assert.deepEqual([...out.subarray(size)], [9, 9, 9]);
      return out.subarray(0, size);
    };
    assert.deepEqual(into(sponge.permuteInto, 128, bytes.subarray(128)), sponge.permute(bytes.subarray(128)));
    assert.deepEqual(into(sponge.permuteManyInto, 256, bytes), sponge.permuteMany(bytes));
    assert.deepEqual(into(sponge.hashInto, 32, bytes), sponge.hash(bytes));
    assert.deepEqual(into(sponge.hashManyInto, 64, bytes, 4), sponge.hashMany(bytes, 4));
    assert.deepEqual(into(sponge.compressManyInto, 128, bytes), sponge.compressMany(bytes));
    assert.deepEqual(into(sponge.merkleRootInto, 32, bytes), sponge.merkleRoot(bytes));
    for (const operation of ['permuteMany', 'compressMany', 'hash', 'merkleRoot']) {
      const place = bytes.slice();
      const expected = sponge[operation](place);
      sponge[`${operation}Into`](place, place);
      assert.deepEqual(place.subarray(0, expected.length), expected);
    }
  });

  test(`${name}: every chunking leaves the same state`, () => {
    const values = fields(77, 20);
    const flat = bytesOf(values);
    const expected = new reference.Sponge(5n);
    expected.absorb(values);
    for (let first = 0; first <= 10; first++) {
      for (let second = 0; second <= 6; second++) {
        const object = new sponge.Sponge(5n);
        object.absorb(flat.subarray(0, 32 * first));
        object.absorb(values.slice(first, first + second));
        for (const value of values.slice(first + second)) object.absorb(value);
        assert.deepEqual(object.toFields(), expected.toFields());
      }
    }
  });

  test(`${name}: random operations on sponges against the textbook`, () => {
    const random = reference.numbers(2024);
    const below = (n) => Number(random.next().value % BigInt(n));
    for (let round = 0; round < 15; round++) {
      const [iv] = fields(round, 1);
      let ours = new sponge.Sponge(iv);
      const theirs = new reference.Sponge(iv);
      for (let step = 0; step < 8; step++) {
        const portion = fields(round * 100 + step, below(9));
        if (below(2) === 0) ours.absorb(portion);
        else ours.absorb(bytesOf(portion));
        theirs.absorb(portion);
        if (below(3) === 0) ours = ours.clone();
        if (below(3) === 0) ours = sponge.Sponge.deserialize(ours.serialize());
        assert.deepEqual(ours.toFields(), theirs.toFields());
      }
      assert.equal(fieldToBigint(ours.squeeze()), theirs.squeeze());
      assert.deepEqual(ours.toFields(), theirs.toFields());
      const restored = sponge.Sponge.deserialize(ours.serialize());
      assert.deepEqual(restored.toFields(), theirs.toFields());
    }
  });

  test(`${name}: a full SpongeBlob`, () => {
    const values = bytesOf(fields(1, 3 * 1000));
    const blob = new sponge.SpongeBlob(3000);
    for (let at = 0; at < values.length; at += 32 * 50) blob.absorb(values.subarray(at, at + 32 * 50));
    const whole = new sponge.SpongeBlob(3000);
    whole.absorb(values);
    assert.deepEqual(blob.serialize(), whole.serialize());
    throwsSpicule(() => blob.absorb(0n), { code: 'COUNT_LIMIT', limit: 3000 });
    assert.deepEqual(blob.squeeze(), whole.squeeze());
  });

  test(`${name}: the serialized form`, () => {
    const object = new sponge.SpongeBlob();
    object.absorb(range(1, 7));
    const bytes = object.serialize();
    assert.equal(bytes.length, 233);
    const list = object.toFields();
    assert.deepEqual(list.slice(0, 3), [7n, 5n, 6n], 'stale cache slots stay');
    assert.deepEqual(fieldsToBigints(bytes.subarray(0, 224)), list.slice(0, 7));
    assert.deepEqual([...bytes.subarray(224)], [0, 0, 0, 1, 0, 0, 0, 0, 7]);
    const out = new Uint8Array(330).fill(9);
    object.serializeInto(out);
    assert.deepEqual(out.subarray(0, 233), bytes);
    object.toFieldsInto(out);
    assert.deepEqual(fieldsToBigints(out.subarray(0, 320)), list);
    assert.ok(out.subarray(320).every((byte) => byte === 9));
    const copy = sponge.SpongeBlob.deserialize(bytes);
    copy.absorb(8n);
    object.absorb(8n);
    assert.deepEqual(copy.serialize(), object.serialize());
  });

  test(`${name}: clones are copies, squeezing is once, dispose ends`, () => {
    const object = new sponge.Sponge(1n);
    object.absorb(2n);
    const clone = object.clone();
    assert.equal(clone.constructor, object.constructor);
    clone.absorb(3n);
    assert.equal(object.toFields()[9], 1n);
    const out = new Uint8Array(32);
    object.clone().squeezeInto(out);
    assert.deepEqual(object.squeeze(), out);
    const ended = object.serialize();
    throwsSpicule(() => object.absorb(3n), { code: 'INVALID_STATE' });
    throwsSpicule(() => object.absorb([]), { code: 'INVALID_STATE' });
    throwsSpicule(() => object.squeeze(), { code: 'INVALID_STATE' });
    assert.throws(() => object.absorb(3n), /the sponge was squeezed already/);
    assert.throws(() => object.squeeze(), /the sponge was squeezed already/);
    assert.deepEqual(object.serialize(), ended, 'as it was before the error');
    clone[Symbol.dispose]();
    for (const use of ['absorb', 'squeeze', 'clone', 'serialize', 'toFields']) {
      throwsSpicule(() => clone[use](1n), { code: 'INVALID_STATE' });
    }
    clone.dispose();
  });

  test(`${name}: field elements that are not canonical`, () => {
    const bad = (offset, index) => ({ code: 'NOT_CANONICAL', offset, index });
    for (const value of [P, P + 1n, 2n ** 254n, 2n ** 256n - 1n, 2n ** 256n, -1n, -P, 2n ** 300n]) {
      throwsSpicule(() => sponge.hash([0n, value, P]), bad(32, 1));
      throwsSpicule(() => sponge.permute([0n, 1n, 2n, value]), bad(96, 3));
      throwsSpicule(() => sponge.permuteMany([...range(0, 6), value, 1n]), bad(192, 6));
      throwsSpicule(() => sponge.compress(0n, value), bad(32, 1));
      throwsSpicule(() => sponge.compressMany([0n, 1n, value, value]), bad(64, 2));
      throwsSpicule(() => sponge.merkleRoot([value]), bad(0, 0));
      throwsSpicule(() => sponge.merkleRoot([0n, 0n, 0n, value]), bad(96, 3));
      throwsSpicule(() => sponge.merkleRoot([0n, value]), bad(32, 1));
      throwsSpicule(() => new sponge.Sponge(value), bad(0, 0));
      throwsSpicule(() => sponge.hashMany([[0n], [1n, 2n], [3n, value]]), bad(32, 2));
      const object = new sponge.Sponge(0n);
      object.absorb(range(0, 5));
      const before = object.serialize();
      throwsSpicule(() => object.absorb(value), bad(0, 0));
      throwsSpicule(() => object.absorb([1n, 2n, 3n, 4n, value]), bad(128, 4));
      assert.deepEqual(object.serialize(), before, 'as it was before the error');
    }
    for (const run of [
      () => sponge.hash([0n, -5n]), () => new sponge.Sponge(-5n), () => new sponge.SpongeBlob().absorb(-5n),
      () => sponge.compress(1n, -5n), () => sponge.hashMany([[1n], [1n, -5n]]),
    ]) {
      assert.throws(run, /-5 is negative: the field element is not below the modulus/);
    }
    const flat = new Uint8Array(32 * 6);
    flat.set(NOT_CANONICAL, 32 * 4);
    throwsSpicule(() => sponge.hash(flat), bad(128, 4));
    throwsSpicule(() => sponge.hashMany(flat, 3), bad(128, 4));
    throwsSpicule(() => sponge.hashMany([flat.subarray(0, 96), flat.subarray(96)]), bad(32, 1));
    throwsSpicule(() => sponge.hashManyInto(flat, flat, 2), bad(128, 4));
    throwsSpicule(() => sponge.compressManyInto(flat, flat), bad(128, 4));
    throwsSpicule(() => sponge.hashInto(flat, flat), bad(128, 4));
    throwsSpicule(() => new sponge.Sponge(NOT_CANONICAL), bad(0, 0));
    throwsSpicule(() => call(OPERATIONS.HASH, flat), bad(128, 4));
    assert.equal(sponge.hash([P - 1n]), reference.hash([P - 1n]));
  });

  test(`${name}: wrong lengths`, () => {
    const wrong = (offset) => ({ code: 'WRONG_LENGTH', offset });
    for (const length of [1, 5, 31, 33, 63, 65]) {
      const bytes = new Uint8Array(length);
      throwsSpicule(() => sponge.hash(bytes), wrong(length));
      throwsSpicule(() => sponge.hashMany(bytes, 1), wrong(length));
      throwsSpicule(() => sponge.permute(bytes), wrong(length));
      throwsSpicule(() => sponge.permuteMany(bytes), wrong(length));
      throwsSpicule(() => sponge.compressMany(bytes), wrong(length));
      throwsSpicule(() => sponge.merkleRoot(bytes), wrong(length));
      throwsSpicule(() => new sponge.Sponge(0n).absorb(bytes), wrong(length));
      throwsSpicule(() => sponge.hash([0n, bytes]), { code: 'WRONG_LENGTH', index: 1 });
      throwsSpicule(() => sponge.compress(0n, bytes), { code: 'WRONG_LENGTH', index: 1 });
      throwsSpicule(() => new sponge.Sponge(bytes), { code: 'WRONG_LENGTH', index: 0 });
      throwsSpicule(() => sponge.hashMany([new Uint8Array(32), bytes]), {
        code: 'WRONG_LENGTH', index: 1, offset: length,
      });
      throwsSpicule(() => sponge.hashMany([[0n], [1n, bytes]]), {
        code: 'WRONG_LENGTH', index: 1, offset: 32,
      });
      throwsSpicule(() => sponge.Sponge.deserialize(bytes), { code: 'WRONG_LENGTH', limit: 233 });
      throwsSpicule(() => sponge.SpongeBlob.deserialize(bytes), { code: 'WRONG_LENGTH', limit: 233 });
    }
    const short = new Uint8Array(40);
    const says = [
      [/^a state is 4 field elements of 32 bytes: /, () => sponge.permute([1n]), () => sponge.permuteMany(short)],
      [/^a pair is 2 field elements of 32 bytes: /, () => sponge.compressMany([1n])],
      [/^a message is 2 field elements of 32 bytes: /, () => sponge.hashMany(new Uint8Array(96), 2)],
      [/^a sponge of 40 bytes: /, () => sponge.Sponge.deserialize(short), () => sponge.SpongeBlob.deserialize(short)],
      [/^a field element is 32 bytes: /, () => sponge.hash(short), () => sponge.hash([short]), () => sponge.merkleRoot(short),
        () => sponge.hashMany([short]), () => sponge.compress(short, 1n), () => new sponge.Sponge(short),
        () => new sponge.SpongeBlob().absorb(short)],
    ];
    for (const [text, ...runs] of says) {
      for (const run of runs) assert.throws(run, (error) => error.code === 'WRONG_LENGTH' && text.test(error.message));
    }
    throwsSpicule(() => sponge.permute(range(0, 3)), wrong(96));
    throwsSpicule(() => sponge.permute(range(0, 8)), wrong(256));
    throwsSpicule(() => sponge.permuteMany(range(0, 5)), wrong(160));
    throwsSpicule(() => sponge.compressMany(range(0, 3)), wrong(96));
    throwsSpicule(() => sponge.hashMany(new Uint8Array(96), 2), wrong(96));
    throwsSpicule(() => sponge.hashMany(new Uint8Array(96), 0), wrong(96));
    throwsSpicule(() => sponge.hashMany(new Uint8Array(96), 5), wrong(96));
    assert.deepEqual(sponge.hashMany(new Uint8Array(0), 0), new Uint8Array(0));
    for (const count of [0, 3, 5, 6]) {
      throwsSpicule(() => sponge.merkleRoot(range(0, count)), { code: 'WRONG_LENGTH' });
      assert.throws(() => sponge.merkleRoot(range(0, count)), new RegExp(`leaves, ${count}, is no power of two`));
    }
    throwsSpicule(() => call(OPERATIONS.ABSORB, new Uint8Array(236)), {
      code: 'TRUNCATED', offset: 236,
    });
    throwsSpicule(() => call(OPERATIONS.SQUEEZE, new Uint8Array(238)), wrong(238));
    throwsSpicule(() => call(OPERATIONS.HASH_MANY, new Uint8Array(7)), {
      code: 'TRUNCATED', offset: 7,
    });
  });

  test(`${name}: out that is too short`, () => {
    const bytes = new Uint8Array(256);
    const short = (limit) => ({ code: 'BUFFER_TOO_SMALL', limit });
    throwsSpicule(() => sponge.permuteInto(new Uint8Array(127), bytes.subarray(128)), short(128));
    throwsSpicule(() => sponge.permuteManyInto(new Uint8Array(128), bytes), short(256));
    throwsSpicule(() => sponge.hashInto(new Uint8Array(31), bytes), short(32));
    throwsSpicule(() => sponge.hashManyInto(new Uint8Array(63), bytes, 4), short(64));
    throwsSpicule(() => sponge.compressManyInto(new Uint8Array(0), bytes), short(128));
    throwsSpicule(() => sponge.merkleRootInto(new Uint8Array(31), bytes), short(32));
    throwsSpicule(() => sponge.merkleRootInto(new Uint8Array(31), bytes.subarray(224)), short(32));
    const object = new sponge.Sponge(0n);
    throwsSpicule(() => object.squeezeInto(new Uint8Array(31)), short(32));
    throwsSpicule(() => object.serializeInto(new Uint8Array(232)), short(233));
    throwsSpicule(() => object.toFieldsInto(new Uint8Array(319)), short(320));
    object.absorb(1n);
  });

  test(`${name}: numbers out of range`, () => {
    for (const value of [-1, 1.5, NaN, Infinity, 2 ** 32]) {
      throwsSpicule(() => sponge.hashMany(new Uint8Array(0), value), { code: 'INVALID_ARGUMENT' });
      throwsSpicule(() => new sponge.SpongeBlob(value), { code: 'INVALID_ARGUMENT' });
      const state = new sponge.SpongeBlob().serialize();
      throwsSpicule(() => sponge.SpongeBlob.deserialize(state, value), { code: 'INVALID_ARGUMENT' });
    }
    throwsSpicule(() => new sponge.SpongeBlob(0), { code: 'INVALID_ARGUMENT' });
    const most = new sponge.SpongeBlob(2 ** 32 - 1);
    assert.equal(most.toFields()[6], BigInt(2 ** 32 - 1) << 64n);
  });

  test(`${name}: serialized sponges that absorbing can't reach`, () => {
    const start = (count, maxFields = MAX_FIELDS) => {
      const object = new sponge.SpongeBlob(maxFields);
      object.absorb(range(1, count));
      return object.serialize();
    };
    const changed = (bytes, at, ...values) => {
      const copy = bytes.slice();
      copy.set(values, at);
      return copy;
    };
    const refuses = (bytes, expected, maxFields) =>
      throwsSpicule(() => sponge.SpongeBlob.deserialize(bytes, maxFields), expected);
    const bad = (index, offset) => ({ code: 'BAD_SPONGE', index, offset });
    refuses(changed(start(5), 227, 4), bad(7, 224));
    refuses(changed(start(5), 227, 1), bad(7, 224));
    refuses(changed(start(5), 228, 2), bad(8, 228));
    refuses(changed(start(5), 232, 6), bad(7, 224));
    refuses(changed(start(1), 63, 1), bad(1, 32));
    refuses(changed(start(0), 31, 1), bad(0, 0));
    refuses(changed(start(2), 96 + 31, 1), bad(3, 96));
    refuses(changed(start(2), 224 - 1, 1), bad(6, 192));
    refuses(start(3), bad(6, 192), 100);
    refuses(start(7), { code: 'COUNT_LIMIT', index: 9, offset: 229, limit: 6 }, 6);
    for (let index = 0; index < 7; index++) {
      refuses(changed(start(5), 32 * index, ...NOT_CANONICAL), {
        code: 'NOT_CANONICAL', index, offset: 32 * index,
      });
    }
    // A sponge with an IV of its own may start from any state.
    assert.equal(sponge.Sponge.deserialize(start(3, 100)).toFields()[6], 100n << 64n);
  });

  test(`${name}: values of a wrong type`, () => {
    const bytes = new Uint8Array(128);
    for (const value of [undefined, null, 5, 'abc', {}, new Uint16Array(64), new Uint8ClampedArray(32)]) {
      throwsType(() => sponge.hash(value), 'fields');
      throwsType(() => sponge.hash([1n, value]), 'fields[1]');
      throwsType(() => sponge.permute(value), 'state');
      throwsType(() => sponge.permuteMany(value), 'states');
      throwsType(() => sponge.compress(value, 1n), 'left');
      throwsType(() => sponge.compress(1n, value), 'right');
      throwsType(() => sponge.compressMany(value), 'pairs');
      throwsType(() => sponge.merkleRoot(value), 'leaves');
      throwsType(() => sponge.hashMany(value), 'fields');
      throwsType(() => sponge.hashMany([[1n], value]), 'messages[1]');
      throwsType(() => sponge.hashMany([[1n], [2n, value]]), 'messages[1][1]');
      throwsType(() => sponge.hashInto(value, bytes), 'out');
      throwsType(() => sponge.hashInto(bytes, value), 'fields');
      throwsType(() => new sponge.Sponge(value), 'iv');
      throwsType(() => sponge.Sponge.deserialize(value), 'bytes');
      throwsType(() => new sponge.Sponge(0n).absorb(value), 'fields');
      throwsType(() => new sponge.Sponge(0n).squeezeInto(value), 'out');
    }
    for (const value of [undefined, null, 5n, '5']) {
      throwsType(() => sponge.hashMany(bytes, value), 'fieldsEach');
    }
    throwsType(() => new sponge.SpongeBlob(5n), 'maxFields');
    throwsType(() => sponge.hashInto(bytes, [1n]), 'fields');
  });
}

test('back ends give the same bytes for large batches', () => {
  const flat = bytesOf(fields(3, 4 * 300));
  const answers = backends.map(([, { sponge }]) => [
    sponge.permuteMany(flat),
    sponge.hash(flat),
    sponge.hashMany(flat, 5),
    sponge.compressMany(flat),
    sponge.merkleRoot(flat.subarray(0, 32 * 1024)),
  ]);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('a thousand chained permutations', () => {
  for (const [name, { sponge }] of backends) {
    const state = bytesOf([0n, 1n, 2n, 3n]);
    for (let i = 0; i < 1000; i++) sponge.permuteInto(state, state);
    const expected = 0x2305309e324835ac9a2ffcd724f02fff6f0a1b8974a4d305417589714fe92c44n;
    assert.equal(fieldToBigint(state.subarray(0, 32)), expected, name);
  }
});

test('conversions of fields', () => {
  assert.equal(FIELD_MODULUS, P);
  const values = fields(8, 50);
  const flat = fieldsFromBigints(values);
  assert.equal(Buffer.from(flat.subarray(0, 32)).toString('hex'), values[0].toString(16).padStart(64, '0'));
  assert.deepEqual(fieldsToBigints(flat), values);
  assert.equal(fieldToBigint(flat.subarray(32, 64)), values[1]);
  assert.deepEqual(fieldsToBigints(new Uint8Array(0)), []);
  throwsSpicule(() => fieldsToBigints(new Uint8Array(33)), { code: 'WRONG_LENGTH', offset: 33 });
  throwsSpicule(() => fieldToBigint(new Uint8Array(64)), { code: 'WRONG_LENGTH', offset: 64 });
  throwsSpicule(() => fieldsFromBigints([1n, P]), { code: 'NOT_CANONICAL', index: 1, offset: 32 });
  throwsSpicule(() => fieldsFromBigints([-1n]), { code: 'NOT_CANONICAL', index: 0, offset: 0 });
  assert.throws(() => fieldsFromBigints([-1n]), /-1 is negative/);
  throwsType(() => fieldsToBigints([1n]), 'bytes');
  throwsType(() => fieldsFromBigints([1]), 'values[0]');
  throwsType(() => fieldsFromBigints(5), 'values');
});
