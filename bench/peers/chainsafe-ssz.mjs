// @chainsafe/ssz with one of its hashers: native, Wasm, or its default one in JavaScript. Integers
// are numbers, its quickest form.
import * as ssz from '@chainsafe/ssz';
import { setHasher } from '@chainsafe/persistent-merkle-tree';

const HASHERS = {
  native: '@chainsafe/persistent-merkle-tree/hasher/hashtree',
  wasm: '@chainsafe/persistent-merkle-tree/hasher/as-sha256',
  default: '@chainsafe/persistent-merkle-tree/hasher/noble',
};

export async function open(name) {
  const kind = name.slice(name.lastIndexOf('-') + 1);
  const { hasher } = await import(HASHERS[kind]);
  await hasher.initialize?.();
  setHasher(hasher);
  const long = new ssz.UintNumberType(8);
  const longs = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`f${i}`, long]));
  const byte = new ssz.UintNumberType(1);
  const bigint = new ssz.UintBigintType(8);
  const Four = new ssz.ContainerType({ a: long, b: long, c: long, d: long });
  const Validator = new ssz.ContainerNodeStructType({
    pubkey: new ssz.ByteVectorType(48), withdrawalCredentials: new ssz.ByteVectorType(32),
    effectiveBalance: long, slashed: new ssz.BooleanType(), activationEligibilityEpoch: long,
    activationEpoch: long, exitEpoch: long, withdrawableEpoch: long,
  });
  const roots = (count) => new ssz.VectorCompositeType(new ssz.ByteVectorType(32), count);
  const MOST = 2 ** 40;
  const types = {
    bitlist: { bounded: new ssz.BitListType(66560), progressive: new ssz.ProgressiveBitListType() },
    byteList: {
      bounded: new ssz.ListBasicType(byte, 66560),
      progressive: new ssz.ProgressiveListBasicType(byte),
    },
    nonPrimitiveList: {
      bounded: new ssz.ListCompositeType(Four, 5120),
      progressive: new ssz.ProgressiveListCompositeType(Four),
    },
    container: {
      bounded: new ssz.ContainerType(longs),
      progressive: new ssz.ProgressiveContainerType(longs, new Array(64).fill(true)),
    },
    numberList: {
      bounded: new ssz.ListUintNum64Type(MOST), progressive: new ssz.ProgressiveListBasicType(long),
    },
    bigintList: {
      bounded: new ssz.ListBasicType(bigint, MOST), progressive: new ssz.ProgressiveListBasicType(bigint),
    },
    state200k: {
      bounded: new ssz.ContainerType({
        slot: long,
        blockRoots: roots(8192), stateRoots: roots(8192), randaoMixes: roots(65536),
        validators: new ssz.ListCompositeType(Validator, MOST),
        balances: new ssz.ListUintNum64Type(MOST),
        previousEpochParticipation: new ssz.ListBasicType(byte, MOST),
        currentEpochParticipation: new ssz.ListBasicType(byte, MOST),
        inactivityScores: new ssz.ListUintNum64Type(MOST),
      }),
    },
  };
  return {
    types,
    view: (type, bytes) => type.deserializeToViewDU(bytes),
    fresh: (view) => view.type.getViewDU(view.node),
    drop() {},
    lacks: { 'bitlist/appendAndCommit': 'its views of bit lists can not grow' },
    element: (n) => Four.toViewDU({ a: n, b: 2, c: 3, d: 4 }),
    item: (shape) => (shape === 'nonPrimitiveList' ? Four.toViewDU({ a: 1, b: 2, c: 3, d: 4 }) : 5),
  };
}
