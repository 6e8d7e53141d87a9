// lodestar-vectors.mjs PRESET: the ssz_static vectors through the types of @lodestar/types over
// spicule/ssz/chainsafe, by bytes, values and views. Prints a line of JSON.
import assert from 'node:assert/strict';

import { hex, readCases, readVector } from './ssz-vectors.mjs';

const [preset] = process.argv.slice(2);
const packages = new URL('../../../../node_modules/', import.meta.url);
const params = new URL('@lodestar/params/lib/setPreset.js', packages);
const { setActivePreset } = await import(params);
setActivePreset(preset);
const { ssz } = await import(new URL('@lodestar/types/lib/index.js', packages));

const done = {};
const differing = {};
let inexact = 0;
for (const each of readCases().filter((one) => one.preset === preset && one.valid)) {
  const type = ssz[each.fork]?.[each.type];
  if (type === undefined) continue;
  const bytes = readVector(each.path);
  // From bytes nothing is converted: another root, or none, means another type.
  let root;
  try {
    root = hex(type.hashTreeRoot(bytes));
  } catch {
    root = undefined;
  }
  if (root !== each.root) {
    const name = `${each.fork}.${each.type}`;
    differing[name] = (differing[name] ?? 0) + 1;
    continue;
  }
  const view = type.deserializeToViewDU(bytes);
  assert.equal(hex(view.hashTreeRoot()), each.root, each.path);
  assert.equal(Buffer.compare(view.serialize(), bytes), 0, each.path);
  view.dispose();
  done[each.fork] = (done[each.fork] ?? 0) + 1;
  let value;
  try {
    value = type.deserialize(bytes);
  } catch (error) {
    // A uint64 that a number can't hold is refused, never rounded.
    assert.match(error.message, /which is not exact/, each.path);
    inexact++;
    continue;
  }
  assert.equal(hex(type.hashTreeRoot(value)), each.root, each.path);
  assert.equal(Buffer.compare(type.serialize(value), bytes), 0, each.path);
  const fromValue = type.toViewDU(value);
  assert.equal(hex(fromValue.hashTreeRoot()), each.root, each.path);
  fromValue.dispose();
  if (bytes.length < 20_000) {
    assert.deepEqual(type.fromJson(JSON.parse(JSON.stringify(type.toJson(value)))), value, each.path);
  }
}
console.log(JSON.stringify({ done, inexact, differing }));
