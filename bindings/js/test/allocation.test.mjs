// The Into forms allocate nothing once they are warm: many calls leave the heap as it was, but for
// what the engine itself keeps.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const program = `
  import * as sha2 from '${new URL('../../../dist/sha2.js', import.meta.url)}';
  import * as sponge from '${new URL('../../../dist/sponge.js', import.meta.url)}';
  const [short, long, out] = [new Uint8Array(64), new Uint8Array(1280), new Uint8Array(1280)];
  const state = new Uint8Array(128);
  const blob = new sponge.SpongeBlob();
  const cases = {
    sha256Into: [50000, () => sha2.sha256Into(out, short)],
    sha256PairsInto: [50000, () => sha2.sha256PairsInto(out, short)],
    sha384Into: [50000, () => sha2.sha384Into(out, short)],
    permuteInto: [2000, () => sponge.permuteInto(state, state)],
    hashInto: [2000, () => sponge.hashInto(out, short)],
    hashManyInto: [2000, () => sponge.hashManyInto(out, short, 1)],
    compressManyInto: [2000, () => sponge.compressManyInto(out, short)],
    merkleRootInto: [2000, () => sponge.merkleRootInto(out, short)],
    permuteManyInto: [300, () => sponge.permuteManyInto(out, long)],
    serializeInto: [20000, () => blob.serializeInto(out)],
    // What a measurement of calls that do allocate looks like.
    permute: [2000, () => sponge.permute(state)],
    sha256: [50000, () => sha2.sha256(short)],
  };
  const heap = () => process.memoryUsage().heapUsed;
  const result = {};
  for (const [name, [count, run]] of Object.entries(cases)) {
    // The least of several rounds: what the engine does beside the calls is not in each of them.
    result[name] = Infinity;
    for (let round = 0; round < 6; round++) {
      gc();
      const before = heap();
      for (let i = 0; i < count; i++) run();
      if (round > 0) result[name] = Math.min(result[name], (heap() - before) / count);
    }
  }
  console.log(JSON.stringify(result));`;

test('Into forms allocate nothing', () => {
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--input-type=module'];
  const output = execFileSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8' });
  const { permute, sha256, permuteManyInto, ...perCall } = JSON.parse(output);
  assert.ok(permute > 100 && sha256 > 80, output);
  assert.ok(permuteManyInto < 1280, output);
  for (const [name, bytes] of Object.entries(perCall)) assert.ok(bytes < 70, `${name}: ${output}`);
});
