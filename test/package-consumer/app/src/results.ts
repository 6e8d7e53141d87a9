// What every consumer computes; the tests know the answers.
import { SpiculeError, createInstance, load } from 'spicule';
import { loadSchema, structFromJson, structToJson, timestampToNanos } from 'spicule/codec';
import { FileDescriptorSet } from 'spicule/codec/wkt/google/protobuf/descriptor_spc';
import { Struct } from 'spicule/codec/wkt/google/protobuf/struct_spc';
import { sha256 } from 'spicule/sha2';
import { SpongeBlob, fieldToBigint, hash, load as loadSponge } from 'spicule/sponge';
import * as ssz from 'spicule/ssz';

import { Order } from './gen/shop_spc.js';

export interface Results {
  readonly variant: string | undefined;
  readonly hash: string;
  readonly blob: string;
  readonly sha256: readonly number[];
  readonly error: string;
  readonly ssz: readonly unknown[];
  readonly codec: readonly unknown[];
}

export async function results(): Promise<Results> {
  await load();
  const { variant } = await loadSponge();
  using blob = new SpongeBlob();
  blob.absorb([1n, 4n, 7n]);
  const simple = await createInstance({ variant: 'baseline' });
  if (simple.sponge.hash([1n, 2n]) !== hash([1n, 2n])) throw new Error('variants disagree');
  let error = 'none';
  try {
    hash([1n, -1n]);
  } catch (thrown) {
    if (thrown instanceof SpiculeError) error = `${thrown.code} ${thrown.index}`;
  }
  return {
    variant,
    hash: hash([1n, 2n]).toString(16),
    blob: fieldToBigint(blob.squeeze()).toString(16),
    sha256: [...sha256(Uint8Array.of(97, 98, 99)).subarray(0, 4)],
    error,
    ssz: sszResults(),
    codec: codecResults(),
  };
}

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** By generated classes, by the well-known ones, and by a schema that is made and read at run time. */
function codecResults(): unknown[] {
  const bytes = Order.encode({
    id: 2n ** 64n - 1n, lines: [{ item: 'a', count: -3 }], placed: { seconds: 1, nanos: 5 },
    payment: { case: 'points', value: 7 },
  });
  using order = Order.decode(bytes);
  const { placed } = order;
  const nanos = placed === undefined ? 0n : timestampToNanos(placed);
  const { payment } = Order.parse(bytes);
  const field = { name: 'x', number: 1, type: 3, label: 1 } as const; // int64, optional
  const Point = loadSchema(FileDescriptorSet.encode({
    file: [{ name: 'p.proto', syntax: 'proto3', messageType: [{ name: 'Point', field: [field] }] }],
  })).message('Point');
  let error = 'none';
  try {
    Point.parse(Uint8Array.of(8));
  } catch (thrown) {
    if (thrown instanceof SpiculeError) error = `${thrown.code} ${thrown.path}`;
  }
  const struct = structToJson(Struct.parse(Struct.encode(structFromJson({ a: [1, null] }))));
  return [hexOf(bytes), String(nanos), payment, struct, order.toJSON(), hexOf(Point.encode({ x: -1n })), error];
}

/** A root after changes, an error, whether a proof holds, values left. */
function sszResults(): unknown[] {
  const Validator = ssz.container({ pubkey: ssz.byteVector(48), balance: ssz.uint64 });
  const State = ssz.container({ slot: ssz.uint64, validators: ssz.list(Validator, 2 ** 40) });
  const state = State.toView({
    slot: 1, validators: [1, 2, 3].map((n) => ({ pubkey: new Uint8Array(48).fill(n), balance: n })),
  });
  const before = state.clone();
  state.validators.get(1).balance = 2n ** 63n;
  state.validators.push({ pubkey: new Uint8Array(48), balance: 4n });
  const root = state.hashTreeRoot();
  let error = 'none';
  try {
    before.validators.get(3);
  } catch (thrown) {
    if (thrown instanceof SpiculeError) error = thrown.code;
  }
  const holds = ssz.verifyProof(root, state.proof('validators[1].balance'));
  state.dispose();
  before.dispose();
  return [hexOf(root), error, holds, ssz.statistics().values];
}
