// The examples of README.md run as they stand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

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

mkdirSync(folder, { recursive: true });

for (const [index, source] of examples('js').entries()) {
  // In a folder of the package, its own name resolves to it.
  test(`JavaScript example ${index + 1} runs`, () => {
    const file = `${folder}/example-${index}.mjs`;
    writeFileSync(file, source);
    assert.notEqual(run(process.execPath, [file]), '');
  });
}

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
