// The vectors of the consensus specification, where the folder with the large suites is.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shared = process.env.SPICULE_SHARED
  ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));
const folder = join(shared, 'vectors/ssz');

/** Why the suites can't run; a test that is skipped says so. */
export const missing = existsSync(folder) ? false : 'SKIPPED: no folder ../shared, and SPICULE_SHARED is not set';

export const vectorPath = (path) => join(folder, path);
export const readVector = (path) => new Uint8Array(readFileSync(join(folder, path)));
export const readJson = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
export const readLines = (path) => readFileSync(join(folder, path), 'utf8').trim().split('\n');
export const hex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`;

/** All cases: path, preset, fork, type, valid, root. */
export function readCases() {
  return readLines('cases.tsv').filter((line) => !line.startsWith('#')).map((line) => {
    const [path, preset, fork, type, valid, , root] = line.split('\t');
    return { path, preset, fork, type, valid: valid === '1', root };
  });
}

/** The types of all forks of a preset, by fork and name. */
export const forkTypes = (fromSchema, preset, schema = readJson(`schemas-${preset}.json`)) =>
  Object.fromEntries(Object.keys(schema).map((section) => [section, fromSchema(schema, { section })]));

/** The types of all cases by `preset/fork/type`, made by `fromSchema`. */
export function caseTypes(fromSchema, cases) {
  const types = new Map();
  const forks = new Map();
  for (const { preset, fork, type } of cases) {
    const key = `${preset}/${fork}`;
    forks.set(key, (forks.get(key) ?? new Set()).add(type));
  }
  for (const [key, names] of forks) {
    const [preset, fork] = key.split('/');
    const schema = preset === '-' ? readJson('generic-types.json') : readJson(`schemas-${preset}.json`)[fork];
    const texts = [...names];
    // A case's type may be a text; it gets a name then.
    const whole = { ...schema, ...Object.fromEntries(texts.map((text, i) => [`case_${i}`, text])) };
    let made;
    try {
      made = fromSchema(whole);
    } catch (error) {
      throw new Error(`${key}: ${error.message}`, { cause: error });
    }
    texts.forEach((text, i) => types.set(`${key}/${text}`, made[`case_${i}`]));
  }
  return types;
}
