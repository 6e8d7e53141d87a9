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

for (const [index, source] of examples('c').entries()) {
  test(`C example ${index + 1} compiles without warnings and runs`, () => {
    const file = `${folder}/example-${index}`;
    writeFileSync(`${file}.c`, source);
    const library = `${root}build/release/src/libspicule.a`;
    const flags = ['-std=c11', '-Wall', '-Wextra', '-Werror', `-I${root}src/include`];
    run('cc', [...flags, `${file}.c`, library, '-o', file]);
    assert.notEqual(run(file, []), '');
  });
}
