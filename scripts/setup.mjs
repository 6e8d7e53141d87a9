// Makes a fresh clone ready: system tools, npm packages, build. Quick where nothing changed.
// --test installs what only the tests need, and leaves out what only the benchmark needs.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { build, root, run } from './build.mjs';
import { BUILD_TOOLS, TEST_TOOLS, installTools, missingTools } from './tools.mjs';

function packagesAreCurrent() {
  const installed = join(root, 'node_modules/.package-lock.json');
  return existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

async function main() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Error(`Node.js 20 or newer is needed; this is ${process.version}.`);
  }
  const testing = process.argv.includes('--test');
  const missing = missingTools(testing ? [...BUILD_TOOLS, ...TEST_TOOLS] : BUILD_TOOLS);
  if (missing.length > 0) installTools(missing);
  if (!packagesAreCurrent()) {
    process.stderr.write('Installing npm packages\n');
    run('npm', ['ci', '--no-audit', '--no-fund']);
  }
  await build((step) => process.stderr.write(`${step}\n`), { runner: !testing });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
