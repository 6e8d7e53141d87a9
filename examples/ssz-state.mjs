// node examples/ssz-state.mjs [file.ssz schema.json section type]
//
// Loads a value, prints the root of each field, changes a balance, prints the new root and a proof
// of the balance, and verifies it. Without arguments it makes a small state itself.
import { readFileSync } from 'node:fs';

import * as ssz from 'spicule/ssz';

const hex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`;

function ownState() {
  const Validator = ssz.container(
    { pubkey: ssz.byteVector(48), effective_balance: ssz.uint64, slashed: ssz.boolean },
    { name: 'Validator' },
  );
  const State = ssz.container(
    {
      slot: ssz.uint64,
      validators: ssz.list(Validator, 2n ** 40n),
      balances: ssz.list(ssz.uint64, 2n ** 40n),
    },
    { name: 'State' },
  );
  const validator = (i) => ({
    pubkey: new Uint8Array(48).fill(i), effective_balance: 32_000_000_000n, slashed: i === 3,
  });
  const bytes = State.serialize({
    slot: 1234,
    validators: Array.from({ length: 10 }, (_, i) => validator(i)),
    balances: Array.from({ length: 10 }, (_, i) => 32_000_000_000n + BigInt(i)),
  });
  return [State, bytes];
}

function stateOfFile([file, schema, section, type]) {
  const types = ssz.fromSchema(readFileSync(schema, 'utf8'), { section });
  return [types[type], new Uint8Array(readFileSync(file))];
}

const args = process.argv.slice(2);
const [State, bytes] = args.length === 4 ? stateOfFile(args) : ownState();
const state = State.view(bytes);
console.log(`${State}: ${bytes.length} bytes, root ${hex(state.hashTreeRoot())}`);
for (const [name, type] of Object.entries(State.fields)) {
  console.log(`  ${name} ${hex(type.hashTreeRoot(type.serialize(State.field(bytes, name))))}`);
}

state.balances.set(1, 31_000_000_000n);
const root = state.hashTreeRoot();
console.log(`after a change of balance 1: ${hex(root)}`);

const proof = state.proof('balances[1]');
console.log(`proof of node ${proof.gindex}, ${proof.witnesses.length} hashes:`);
for (const witness of proof.witnesses.slice(0, 3)) console.log(`  ${hex(witness)}`);
console.log('  ...');
console.log(`it verifies: ${ssz.verifyProof(root, proof)}`);
state.dispose();
