// Code by protoc-gen-spicule, for tests.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Runs the plugin by buf over .proto files, a folder or a descriptor set; gives the folder of the
 * JavaScript modules, which is removed after the test.
 */
export function generateTypeScript(t, input, options = []) {
  const out = mkdtempSync(join(tmpdir(), 'spicule-generated-'));
  t.after(() => rmSync(out, { recursive: true }));
  const target = options.some((option) => option.startsWith('target=')) ? [] : ['target=js+dts'];
  generateInto(out, input, [...target, `runtime=${join(root, 'dist/codec/generated.js')}`, ...options]);
  writeFileSync(join(out, 'package.json'), '{"type":"module"}');
  return out;
}

/** The same as TypeScript or whatever the options say, into a folder, for the runtime of the package. */
export function generateInto(out, input, options) {
  const opt = ['out=ts', 'import_extension=js', ...options];
  const plugin = join(root, 'bindings/js/protoc-gen-spicule/bin/protoc-gen-spicule.js');
  const template = { version: 'v2', plugins: [{ local: [process.execPath, plugin], out, opt }] };
  const args = ['generate', input, '--template', JSON.stringify(template)];
  const result = spawnSync(join(root, 'node_modules/.bin/buf'), args, { encoding: 'utf8' });
  assert.equal(result.status, 0, `${result.error ?? ''}${result.stderr}`);
}
