// Both packages as their users meet them: packed, installed in a clean folder, run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { NATIVE_PACKAGE, findNative } from '../../../dist/native/addon.js';
import { installedConsumer, root, run } from './support/consumer.mjs';

const missing = (() => {
  try {
    return findNative('spicule.node') && false;
  } catch (error) {
    return `SKIPPED: ${error.message}`;
  }
})();

const { app, remove } = missing ? { app: root, remove() {} } : installedConsumer({ native: true });
after(remove);
const modules = join(app, 'node_modules');
const installed = join(modules, NATIVE_PACKAGE);
const manifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Runs a module in the consumer's folder. */
const evaluate = (program) =>
  run(process.execPath, ['--input-type=module', '-e', program], { cwd: app }).trim().split('\n');

test('the native package has the addon and the server, for this platform', { skip: missing }, () => {
  const names = readdirSync(installed).sort();
  assert.deepEqual(names, ['LICENSE', 'README.md', 'package.json', 'spicule.node', 'spiculed']);
  assert.ok(statSync(join(installed, 'spiculed')).mode & 0o111, 'the server is executable');
  const { os, cpu, version, dependencies } = manifest(installed);
  assert.deepEqual([os, cpu], [[process.platform], [process.arch]]);
  assert.equal(version, manifest(root).version);
  assert.equal(dependencies, undefined);
});

test('spicule takes the native package of its own version only', () => {
  const { peerDependencies, version } = manifest(root);
  const own = Object.entries(peerDependencies).filter(([name]) => name.startsWith('spicule-'));
  for (const [name, wanted] of own) assert.equal(wanted, version, name);
  assert.ok(Object.hasOwn(peerDependencies, 'spicule-linux-x64'));
});

test('every kind of back end runs from the two packages', { skip: missing }, () => {
  const lines = evaluate(`
    import { createBackend, startServer } from 'spicule/native';
    import { hash } from 'spicule/sponge';
    const expected = hash([1n, 2n, 3n]);
    const server = await startServer({ path: '${join(app, 'socket')}' });
    for (const path of [undefined, server.path]) {
      for (const kind of path ? ['shm-sync', 'shm-async', 'uds'] : ['native', 'shm-sync', 'shm-async', 'uds']) {
        const backend = await createBackend({ kind, path });
        console.log(kind, (await backend.sponge.hash([1n, 2n, 3n])) === expected);
        await backend.dispose();
      }
    }
    console.log('stopped with', await server.stop());`);
  assert.deepEqual(lines, [
    'native true', 'shm-sync true', 'shm-async true', 'uds true',
    'shm-sync true', 'shm-async true', 'uds true',
    'stopped with 0',
  ]);
});

test('the server is a program of the package', { skip: missing }, () => {
  const { status, stdout } = spawnSync(join(modules, '.bin/spiculed'), ['--help'], { encoding: 'utf8' });
  assert.equal(status, 0);
  assert.match(stdout, /--socket/);
});

test('without the native package the error names it and how it is built', { skip: missing }, () => {
  const away = `${installed}-away`;
  renameSync(installed, away);
  const lines = evaluate(`
    import { createBackend, startServer } from 'spicule/native';
    const ways = ['native', 'shm-sync', 'shm-async', 'uds'].map((kind) => (more) => createBackend({ kind, ...more }));
    for (const more of [{}, { pth: 1 }]) {
      for (const way of [...ways, (options) => startServer({ path: 'x', ...options })]) {
        await way(more).catch(({ code, message }) => console.log(code, message));
      }
    }`);
  renameSync(away, installed);
  assert.equal(lines.length, 10);
  // Options that are wrong are so anywhere.
  for (const line of lines.splice(5)) assert.match(line, /^INVALID_ARGUMENT no such option/);
  for (const line of lines) {
    assert.match(line, /^UNAVAILABLE /);
    for (const part of [NATIVE_PACKAGE, 'npm run build', 'npm run pack:native']) {
      assert.ok(line.includes(part), `${line} has ${part}`);
    }
  }
});

test('a native package that is damaged or of another version is an error that says so', { skip: missing }, () => {
  const report = `
    import { createBackend } from 'spicule/native';
    await createBackend({ kind: 'native' }).catch(({ code, message }) => console.log(code, message));`;
  const addon = join(installed, 'spicule.node');
  renameSync(addon, `${addon}-away`);
  writeFileSync(addon, 'damaged');
  assert.match(evaluate(report)[0], /^UNAVAILABLE .*spicule\.node does not load/);
  renameSync(`${addon}-away`, addon);

  writeFileSync(join(modules, 'spicule/dist/generated/version.js'), `export const VERSION = '9.0.0';`);
  assert.match(evaluate(report)[0], /^UNAVAILABLE .*spicule\.node is version .*, and spicule 9\.0\.0/);
});
