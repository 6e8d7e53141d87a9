// Makes every generated file of the tree again: runs the scripts generate-*.mjs beside this one.
//   npm run generate            writes what has changed
//   npm run generate -- --check writes nothing; names what is out of date and exits 1
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = dirname(fileURLToPath(import.meta.url));
let failed = false;
for (const name of readdirSync(scripts)) {
  if (!/^generate-\w+\.mjs$/.test(name)) continue;
  const command = [join(scripts, name), ...process.argv.slice(2)];
  failed = spawnSync(process.execPath, command, { stdio: 'inherit' }).status !== 0 || failed;
}
process.exit(failed ? 1 : 0);
