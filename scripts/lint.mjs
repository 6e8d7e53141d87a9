// Checks the form of the sources: Biome on TypeScript and JavaScript, clang-format on C. clang-format
// lays code out a little differently from version to version, so only the stated one counts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { root, run } from './build.mjs';

const CLANG_FORMAT = 'clang-format-19';

function passes(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

function clangFormat() {
  if (spawnSync(CLANG_FORMAT, ['--version']).status !== 0) {
    console.log(`SKIPPED the layout of the C sources: no ${CLANG_FORMAT} here`);
    return true;
  }
  const files = run('git', ['ls-files', '*.c', '*.h']).trim().split('\n');
  return passes(CLANG_FORMAT, ['--dry-run', '-Werror', ...files]);
}

const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
const results = [passes(process.execPath, [biome, 'lint', '--error-on-warnings']), clangFormat()];
process.exit(results.every(Boolean) ? 0 : 1);
