// How SSZ types and views are typed: support/ssz-typed.ts.txt.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

import { compilesStrictly } from './support/typescript.mjs';

test('types and views compile under the strictest options, and wrong uses are errors', () => {
  // In a folder of the package, its own name resolves to it.
  const folder = fileURLToPath(new URL('../../../build/ssz-types', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/typed.ts`, readFileSync(new URL('support/ssz-typed.ts.txt', import.meta.url)));
  compilesStrictly(folder);
});
