// Types from schema files: JSON and YAML, constants of presets, the consensus types of all forks.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { stringify } from 'yaml';

import * as ssz from '../../../dist/ssz.js';
import { fromYaml, parseYaml } from '../../../dist/ssz/yaml.js';
import { throwsSpicule, throwsType } from './support/errors.mjs';
import { forkTypes, missing, readCases, readJson, vectorPath } from './support/ssz-vectors.mjs';

const SCHEMA = `
# Types, with limits of a preset.
Gwei: uint64
Checkpoint:
  kind: Container
  fields:
    - [epoch, uint64]
    - [root, 'ByteVector[32]']
Validators: List[Checkpoint, VALIDATOR_REGISTRY_LIMIT]
Roots:
  kind: Container
  fields: [[roots, 'Vector[ByteVector[32], SLOTS]'], [gwei, Gwei]]
`;
const PRESET = `
VALIDATOR_REGISTRY_LIMIT: 1099511627776
SLOTS: 8
DOMAIN: 0x01000000
NAME: 'not a number'
`;

test('a schema in YAML, with constants in YAML or in a map', () => {
  for (const constants of [PRESET, parseYaml(PRESET), { VALIDATOR_REGISTRY_LIMIT: 2n ** 40n, SLOTS: 8 }]) {
    const types = fromYaml(SCHEMA, { constants });
    assert.deepEqual(Object.keys(types), ['Gwei', 'Checkpoint', 'Validators', 'Roots']);
    assert.equal(types.Validators.typeName, 'List[Checkpoint, 1099511627776]');
    assert.equal(types.Validators.elementType.typeName, 'Checkpoint');
    assert.equal(types.Roots.fixedSize, 8 * 32 + 8);
    const view = types.Validators.toView([{ epoch: 5, root: new Uint8Array(32) }]);
    assert.equal(view.get(0).epoch, 5n);
    view.dispose();
  }
});

test('what is no schema is an error that says so', () => {
  throwsSpicule(() => fromYaml('a: [', {}), { code: 'MALFORMED' });
  throwsType(() => fromYaml(5), 'text');
  throwsType(() => fromYaml('5'), 'schema');
  assert.throws(() => fromYaml(SCHEMA), (error) => error.code === 'BAD_TYPE_TEXT' && error.path === 'Validators');
  throwsType(() => fromYaml('A: List[uint8, NAME]', { constants: PRESET }), 'constants.NAME');
  assert.throws(() => ssz.fromSchema(SCHEMA, { constants: {} }), /spicule\/ssz\/yaml/);
  const polluting = fromYaml('__proto__: uint8\nconstructor: uint16');
  assert.deepEqual(Object.keys(polluting).sort(), ['__proto__', 'constructor']);
  assert.equal({}.typeName, undefined);
});

test('the consensus types of all forks, from JSON and from YAML', { skip: missing }, () => {
  for (const preset of ['mainnet', 'minimal']) {
    const forks = forkTypes(ssz.fromSchema, preset);
    assert.ok(Object.keys(forks).length >= 7, `${Object.keys(forks)}`);
    for (const [fork, types] of Object.entries(forks)) {
      const State = types.BeaconState;
      assert.equal(State.typeName, 'BeaconState', fork);
      assert.equal(State.defaultValue().slot, 0n, fork);
    }
    const text = stringify(readJson(`schemas-${preset}.json`).phase0);
    const { BeaconState } = fromYaml(text);
    const json = forks.phase0.BeaconState;
    const value = json.defaultValue();
    assert.deepEqual(BeaconState.hashTreeRoot(value), json.hashTreeRoot(value));
  }
});

/** Runs the example and gives what it prints. */
function example(...args) {
  const script = fileURLToPath(new URL('../../../examples/ssz-state.mjs', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('the example runs on a state of its own', () => {
  const text = example();
  assert.match(text, /after a change of balances\[1\]: 0x[0-9a-f]{64}\nproof of node \d+, 41 hashes:/);
  assert.match(text, /it verifies: true\n$/);
});

test('the example runs on states and blocks from files', { skip: missing }, () => {
  for (const [type, path] of [['BeaconState', 'balances[1]'], ['SignedBeaconBlock', 'message.slot']]) {
    const each = readCases().find((one) =>
      one.preset === 'minimal' && one.fork === 'electra' && one.type === type && one.valid);
    const text = example(vectorPath(each.path), vectorPath('schemas-minimal.json'), 'electra', type);
    assert.ok(text.includes(`root ${each.root}\n`), text);
    assert.ok(text.includes(`after a change of ${path}: `), text);
    assert.match(text, /it verifies: true\n$/);
  }
});
