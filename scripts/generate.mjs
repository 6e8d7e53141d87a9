// Makes every generated file of the tree again.
//   npm run generate            writes what has changed
//   npm run generate -- --check writes nothing; names what is out of date and exits 1
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(scripts);

/**
 * The files that differ from what their generators make, as [path, text]. A generator is a module
 * in scripts/generators whose `generate(root)` gives a Map of paths in the tree and texts.
 */
export async function staleFiles() {
  const stale = [];
  for (const name of readdirSync(join(scripts, 'generators')).sort()) {
    const { generate } = await import(`./generators/${name}`);
    for (const [path, text] of await generate(root)) {
      let current;
      try {
        current = readFileSync(join(root, path), 'utf8');
      } catch {
        current = undefined;
      }
      if (current !== text) stale.push([path, text]);
    }
  }
  return stale;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check');
  const stale = await staleFiles();
  for (const [path, text] of stale) {
    console.log(`${check ? 'out of date' : 'written'}: ${path}`);
    if (!check) writeFileSync(join(root, path), text);
  }
  if (check && stale.length > 0) process.exit(1);
}
