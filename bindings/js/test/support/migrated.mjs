// What a program for @chainsafe/ssz does with @lodestar/types, as it is: prints what came of it. Run
// with --import support/lodestar.mjs it uses the migration layer instead.
import { ssz } from '@lodestar/types';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const out = {};
const note = (name, value) => {
  out[name] = JSON.parse(JSON.stringify(value, (_, each) =>
    each instanceof Uint8Array ? hex(each) : typeof each === 'bigint' ? `${each}n` : each === Infinity ? 'Infinity' : each));
};

const validator = (i) => ({
  pubkey: new Uint8Array(48).fill(i), withdrawalCredentials: new Uint8Array(32).fill(i + 1),
  effectiveBalance: 32e9, slashed: i % 3 === 0, activationEligibilityEpoch: i, activationEpoch: i + 1,
  exitEpoch: Infinity, withdrawableEpoch: Infinity,
});

for (const fork of ['phase0', 'altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu']) {
  const { BeaconState } = ssz[fork];
  const state = BeaconState.defaultViewDU();
  note(`${fork} default`, state.hashTreeRoot());
  for (let i = 0; i < 40; i++) {
    state.validators.push(ssz.phase0.Validator.toViewDU(validator(i)));
    state.balances.push(32e9 + i);
    if (fork !== 'phase0') {
      state.previousEpochParticipation.push(i & 7);
      state.inactivityScores.push(i);
    }
  }
  state.slot = 12345;
  state.genesisValidatorsRoot = new Uint8Array(32).fill(9);
  state.fork = ssz.phase0.Fork.toViewDU({ previousVersion: Uint8Array.of(1, 2, 3, 4), currentVersion: Uint8Array.of(5, 6, 7, 8), epoch: 3 });
  state.latestBlockHeader = ssz.phase0.BeaconBlockHeader.toViewDU({
    slot: 5, proposerIndex: 6, parentRoot: new Uint8Array(32).fill(1), stateRoot: new Uint8Array(32).fill(2), bodyRoot: new Uint8Array(32).fill(3),
  });
  state.blockRoots.set(7, new Uint8Array(32).fill(7));
  state.randaoMixes.set(11, new Uint8Array(32).fill(11));
  state.slashings.set(3, 77);
  state.justificationBits.set(1, true);
  state.finalizedCheckpoint.epoch = 99;
  state.eth1DataVotes.push(ssz.phase0.Eth1Data.toViewDU({ depositRoot: new Uint8Array(32), depositCount: 4n, blockHash: new Uint8Array(32) }));
  state.commit();
  note(`${fork} changed`, state.hashTreeRoot());
  const clone = state.clone();
  clone.validators.get(5).slashed = true;
  clone.validators.get(6).exitEpoch = 1000;
  clone.balances.set(39, 1);
  clone.commit();
  note(`${fork} clone`, [clone.hashTreeRoot(), state.hashTreeRoot()]);
  const bytes = clone.serialize();
  note(`${fork} bytes`, [bytes.length, hex(bytes.subarray(-64))]);
  const again = BeaconState.deserializeToViewDU(bytes);
  note(`${fork} again`, [again.hashTreeRoot(), again.validators.length, again.slot, again.blockRoots.get(7), again.finalizedCheckpoint.epoch]);
  note(`${fork} reads`, [
    again.validators.getReadonly(5).slashed, again.validators.getAllReadonlyValues()[6].exitEpoch,
    again.validators.getAllReadonly().length, again.balances.getAll().slice(36), again.balances.get(39),
    again.validators.get(3).pubkey, again.fork.toValue(), again.justificationBits.toBoolArray(),
    again.validators.sliceTo(3).length, again.validators.getReadonlyByRange(2, 3).map((each) => each.activationEpoch),
  ]);
  const seen = [];
  again.validators.forEachValue((value, i) => i < 2 && seen.push(value.effectiveBalance));
  again.validators.forEach((view, i) => i < 2 && seen.push(view.exitEpoch));
  note(`${fork} forEach`, seen);
  const proof = again.createProof([['finalizedCheckpoint', 'root'], ['slot']]);
  note(`${fork} proof`, [proof.type, proof.leaves, proof.offsets]);
  note(`${fork} json`, ssz[fork].BeaconBlockBody.toJson(ssz[fork].BeaconBlockBody.defaultValue()));
  const value = clone.toValue();
  note(`${fork} value`, [value.validators[5].slashed, BeaconState.equals(value, again.toValue()), BeaconState.equals(value, state.toValue())]);
  note(`${fork} value root`, [BeaconState.hashTreeRoot(value), BeaconState.serialize(value).length]);
  const copy = BeaconState.clone(value);
  copy.slot = 1;
  note(`${fork} copy`, [value.slot, BeaconState.toViewDU(copy).slot, BeaconState.fromJson(BeaconState.toJson(value)).slot]);
  const block = ssz[fork].SignedBeaconBlock.defaultValue();
  block.message.slot = 8;
  block.message.body.attestations.push(ssz[fork].Attestation?.defaultValue() ?? ssz.phase0.Attestation.defaultValue());
  note(`${fork} block`, [ssz[fork].SignedBeaconBlock.serialize(block).length, ssz[fork].BeaconBlock.hashTreeRoot(block.message)]);
  for (const [name, type] of [['BeaconState', BeaconState], ['SignedBeaconBlock', ssz[fork].SignedBeaconBlock], ['AggregateAndProof', ssz.phase0.AggregateAndProof]]) {
    note(`${fork} ${name}`, [type.minSize, type.maxSize, type.typeName, type.depth, type.maxChunkCount]);
  }
  const tries = {
    'field of another type': () => { clone.slot = 'x'; clone.hashTreeRoot(); },
    'a short root': () => { clone.genesisValidatorsRoot = new Uint8Array(31); clone.hashTreeRoot(); },
    'an index past the end': () => clone.balances.get(1000),
    'bytes that end early': () => BeaconState.deserialize(bytes.subarray(0, 100)),
    'bytes that go on': () => ssz.phase0.Checkpoint.deserialize(new Uint8Array(41)),
    'a missing field': () => ssz.phase0.Checkpoint.serialize({ epoch: 1 }),
    'JSON without a field': () => ssz.phase0.Checkpoint.fromJson({ epoch: '1' }),
  };
  note(`${fork} errors`, Object.entries(tries).map(([what, run]) => {
    try {
      return [what, 'passes', typeof run()];
    } catch {
      return [what, 'throws'];
    }
  }));
}
process.stdout.write(JSON.stringify(out));
