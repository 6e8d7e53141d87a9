// node examples/ssz-state.mjs [file.ssz schema.json section type]
//
// Loads a state or a block, prints the root of each field, changes a balance (or the slot, where there
// are no balances), prints the new root and a proof of what was changed, and verifies it. Without
// arguments it makes a small state itself, also in a browser.
import * as ssz from 'spicule/ssz';

const hex = (bytes) => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

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

async function stateOfFile([file, schema, section, type]) {
  const { readFileSync } = await import('node:fs');
  const types = ssz.fromSchema(readFileSync(schema, 'utf8'), { section });
  return [types[type], new Uint8Array(readFileSync(file))];
}

/** Changes something in the view, and gives the path of it. */
function change(view) {
  if (view.balances?.length > 1) {
    view.balances.set(1, 31_000_000_000n);
    return 'balances[1]';
  }
  const block = view.message ?? view;
  block.slot += 1n;
  return view.message === undefined ? 'slot' : 'message.slot';
}

await ssz.load();
const args = globalThis.process?.argv.slice(2) ?? [];
const [State, bytes] = args.length === 4 ? await stateOfFile(args) : ownState();
const state = State.view(bytes);
console.log(`${State}: ${bytes.length} bytes, root ${hex(state.hashTreeRoot())}`);
for (const [name, type] of Object.entries(State.fields)) {
  console.log(`  ${name} ${hex(type.hashTreeRoot(type.serialize(State.field(bytes, name))))}`);
}

const path = change(state);
const root = state.hashTreeRoot();
console.log(`after a change of ${path}: ${hex(root)}`);

const proof = state.proof(path);
console.log(`proof of node ${proof.gindex}, ${proof.witnesses.length} hashes:`);
for (const witness of proof.witnesses.slice(0, 3)) console.log(`  ${hex(witness)}`);
if (proof.witnesses.length > 3) console.log('  ...');
console.log(`it verifies: ${ssz.verifyProof(root, proof)}`);
state.dispose();
