// This package as the SSZ suite uses it from JavaScript: types of each shape, a view of bytes, a
// fresh view on the value of another one.
import * as ssz from 'spicule/ssz';

export async function open(name) {
  const variant = name.replace(/^wasm-/, '');
  const made = await ssz.createInstance({ variant });
  const longs = (count, prefix) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, made.uint64Number]));
  const Four = made.container({ a: made.uint64Number, b: made.uint64Number, c: made.uint64Number, d: made.uint64Number });
  const Validator = made.container({
    pubkey: made.byteVector(48), withdrawalCredentials: made.byteVector(32),
    effectiveBalance: made.uint64Number, slashed: made.boolean, activationEligibilityEpoch: made.uint64Number,
    activationEpoch: made.uint64Number, exitEpoch: made.uint64Number, withdrawableEpoch: made.uint64Number,
  });
  const roots = (count) => made.vector(made.byteVector(32), count);
  const MOST = 2 ** 40;
  const types = {
    bitlist: { bounded: made.bitlist(66560), progressive: made.progressiveBitlist() },
    byteList: { bounded: made.byteList(66560), progressive: made.progressiveByteList() },
    nonPrimitiveList: { bounded: made.list(Four, 5120), progressive: made.progressiveList(Four) },
    container: {
      bounded: made.container(longs(64, 'f')),
      progressive: made.progressiveContainer(new Array(64).fill(true), longs(64, 'f')),
    },
    numberList: {
      bounded: made.list(made.uint64Number, MOST), progressive: made.progressiveList(made.uint64Number),
    },
    bigintList: { bounded: made.list(made.uint64, MOST), progressive: made.progressiveList(made.uint64) },
    state200k: {
      bounded: made.container({
        slot: made.uint64Number,
        blockRoots: roots(8192), stateRoots: roots(8192), randaoMixes: roots(65536),
        validators: made.list(Validator, MOST), balances: made.list(made.uint64Number, MOST),
        previousEpochParticipation: made.list(made.uint8, MOST),
        currentEpochParticipation: made.list(made.uint8, MOST),
        inactivityScores: made.list(made.uint64Number, MOST),
      }),
    },
  };
  const items = { bitlist: true, byteList: 5, nonPrimitiveList: { a: 1, b: 2, c: 3, d: 4 } };
  return {
    types,
    view: (type, bytes) => type.view(bytes),
    fresh: (view) => view.clone(),
    drop: (view) => view.dispose(),
    element: (n) => ({ a: n, b: 2, c: 3, d: 4 }),
    item: (shape) => items[shape],
  };
}
