// Runs tests of JavaScript by each version of Node.js that the package is for. The versions are npm
// packages of this platform, which are installed under build/nodes.
//   npm run test:nodes                      the tests of the three jobs, by all versions
//   npm run test:nodes -- 24 codec ssz-     by one version, those whose names begin so
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, run } from './build.mjs';

const VERSIONS = ['20', '22', '24', '26'];
const JOBS = ['codec', 'loader', 'options', 'sha2', 'sponge', 'ssz-'];

/** The program of a version, installed if need be. */
function nodeOf(version) {
  const folder = join(root, 'build/nodes', version);
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    run('npm', ['install', '--no-audit', '--no-fund', '--no-save', `${name}@${version}`], { cwd: folder });
  }
  return program;
}

const args = process.argv.slice(2);
const versions = args.filter((arg) => /^\d+$/.test(arg));
const prefixes = args.filter((arg) => !/^\d+$/.test(arg));
const folder = join(root, 'bindings/js/test');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => (prefixes.length > 0 ? prefixes : JOBS).some((prefix) => name.startsWith(prefix)))
  .map((name) => join(folder, name));

const failed = [];
for (const version of versions.length > 0 ? versions : VERSIONS) {
  const node = nodeOf(version);
  console.log(`\n== Node.js ${run(node, ['--version']).trim()}`);
  const { status } = spawnSync(node, ['--test', ...files], { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed.push(version);
}
console.log(failed.length === 0 ? '\nAll versions passed.' : `\nFailed: Node.js ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
