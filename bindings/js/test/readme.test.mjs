// The examples of README.md run as they stand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

import ts from 'typescript';

import { generateInto } from './support/plugin.mjs';
import { compilesStrictly } from './support/typescript.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = `${root}build/readme`;
const readme = readFileSync(`${root}README.md`, 'utf8');

function examples(language) {
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))];
  assert.ok(blocks.length > 0, `README.md has examples in ${language}`);
  return blocks.map((block) => block[1]);
}

function run(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8', cwd: root });
  assert.equal(result.status, 0, `${result.stdout}${result.stderr}${result.error ?? ''}`);
  return result.stdout;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** The file that examples import generated code from. */
function generateDemo() {
  const [, message] = readme.match(/^\/\/ (message Point \{.*\})$/m);
  const written = Array.from(readme.matchAll(/`(message (?:Trip|Stop) \{[^`]*?\})`/g), ([, text]) => text);
  mkdirSync(`${folder}/proto`, { recursive: true });
  writeFileSync(`${folder}/proto/demo.proto`, `syntax = "proto3";\npackage demo;\n${[message, ...written].join('\n')}\n`);
  generateInto(`${folder}/gen`, `${folder}/proto`, ['writers=true']);
}

generateDemo();
const scripts = [...examples('js'), ...examples('ts')];
const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };

for (const [index, source] of scripts.entries()) {
  // In a folder of the package, its own name resolves to it.
  test(`example ${index + 1} of JavaScript and TypeScript runs, and prints the digests that it names`, () => {
    const file = `${folder}/example-${index}.mjs`;
    writeFileSync(file, ts.transpileModule(source, { compilerOptions }).outputText);
    const output = run(process.execPath, [file]);
    assert.notEqual(output, '');
    for (const [digest] of source.matchAll(/\b[0-9a-f]{60,64}\b/g)) assert.ok(output.includes(digest), output);
  });
}

test('the examples of JavaScript and TypeScript are well typed', () => {
  for (const [index, source] of scripts.entries()) writeFileSync(`${folder}/example-${index}.ts`, source);
  compilesStrictly(folder, { types: ['node'], noImplicitOverride: false });
});

const strict = ['-std=c11', '-Wall', '-Wextra', '-Werror', `-I${root}src/include`];
const library = `${root}build/release/src/libspicule.a`;
const generated = '#include "a.spc.h"';

for (const [index, source] of examples('c').entries()) {
  if (source.includes(generated)) continue;
  test(`C example ${index + 1} compiles without warnings and runs`, () => {
    const file = `${folder}/example-${index}`;
    writeFileSync(`${file}.c`, source);
    run('cc', [...strict, `${file}.c`, library, '-o', file]);
    assert.notEqual(run(file, []), '');
  });
}

test('the example of generated C compiles without warnings, and what it writes is right', () => {
  const [source] = examples('c').filter((example) => example.includes(generated));
  const [, message] = readme.match(/For `(message A \{.*?\})`/);
  const work = `${folder}/generated`;
  mkdirSync(`${work}/proto`, { recursive: true });
  writeFileSync(`${work}/proto/a.proto`, `syntax = "proto3";\n${message}\n`);
  run(process.execPath, [`${root}scripts/protobuf.mjs`, 'c', `${work}/proto`, work]);
  writeFileSync(`${work}/main.c`, `#include <stdio.h>
${source}
int main(void) {
  static _Alignas(8) uint8_t memory[4096];
  static uint8_t out[64];
  spc_arena arena;
  spc_arena_init(&arena, memory, sizeof memory, NULL, NULL);
  example(&arena, out, sizeof out);
  for (int i = 0; i < 7; i++) printf("%02x", out[i]);
  return 0;
}
`);
  const program = `${work}/program`;
  run('cc', [...strict, `-I${work}`, `${work}/main.c`, `${work}/a.spc.c`, library, '-o', program]);
  assert.equal(run(program, []), '08960112026869');
});

test('what the example of writers writes is what encode makes', async () => {
  const { Trip } = await import(`${folder}/gen/demo_spc.js`);
  const { TripWriter } = await import(`${folder}/gen/demo_spc_writer.js`);
  const trip = new TripWriter();
  trip.name('home');
  trip.addStops(5n, undefined, 2.5);
  trip.heights([410, -2, 3]);
  const plain = { name: 'home', stops: [{ time: 5n, y: 2.5 }], heights: [410, -2, 3] };
  assert.deepEqual(trip.finish(), Trip.encode(plain));
});
