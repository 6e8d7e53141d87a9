// Imported ahead of a test: every import of an embedded module, dist/wasm/<job>.js, gets the file of
// that name in the folder SPICULE_OTHER_MODULES, which must have them all.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.env.SPICULE_OTHER_MODULES;
const hooks = `
  const folder = ${JSON.stringify(pathToFileURL(`${folder}/`).href)};
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const file = /\\/dist\\/wasm\\/(?!unpack)(\\w+\\.js)$/.exec(found.url)?.[1];
    return file === undefined ? found : { ...found, url: folder + file };
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const dist = new URL('../../../../dist/wasm/', import.meta.url);
const { baseline, ...others } = await import(new URL('sha2.js', dist).href);
assert.ok(readFileSync(join(folder, 'sha2.js'), 'utf8').includes(`'${baseline}'`));
assert.deepEqual(Object.keys(others), []);
