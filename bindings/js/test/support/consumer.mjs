// The packed package in a clean folder, and the tools that its consumers are built with.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { generateInto } from './plugin.mjs';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const template = join(root, 'test/package-consumer');
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];

/** Runs a command; its output, or an Error with it. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26, ...options });
  if (result.status === 0) return result.stdout;
  // Errors in bundles come with their one long line.
  const output = `${result.stdout}${result.stderr}`.replace(/^.{2000,}$/gm, (line) => `${line.slice(0, 200)}...`);
  throw new Error(`${command} ${args.join(' ')}:\n${result.error ?? ''}${output}`);
}

/** Packs the package and installs it in a folder of its own, with the native part where wanted. */
export function installedConsumer({ native = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-consumer-'));
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root }),
  );
  const tarballs = [join(folder, packed.filename)];
  if (native) {
    const script = join(root, 'scripts/pack-native.mjs');
    tarballs.push(run(process.execPath, [script, '--destination', folder]).trim());
  }
  const app = join(folder, 'app');
  cpSync(join(template, 'app'), app, { recursive: true });
  generateInto(join(app, 'src/gen'), join(here, 'proto'), ['target=ts', 'writers=true']);
  cpSync(join(here, 'typed.ts.txt'), join(app, 'src/gen/typed.ts'));
  run('npm', ['install', ...quiet, '--offline', '--no-save', ...tarballs], { cwd: app });
  return { app, packed, remove: () => rmSync(folder, { recursive: true }) };
}

const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

/**
 * The folder with the tools' node_modules, installed once per lock file; undefined, after saying so,
 * where the registry can't be reached.
 */
export function consumerTools() {
  const folder = join(root, 'build/package-consumer');
  const lock = readFileSync(join(template, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return folder;
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(template, name), join(folder, name));
  try {
    run('npm', ['ci', ...quiet], { cwd: folder });
  } catch (error) {
    if (!UNREACHABLE.test(error.message)) throw error;
    console.log('SKIPPED the builds of package consumers: the npm registry can\'t be reached');
    return undefined;
  }
  cpSync(join(folder, 'package-lock.json'), stamp);
  return folder;
}
