// Builds the Wasm modules by Emscripten and runs the JavaScript tests of the operations on them:
//   npm run test:emscripten
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { cmakeBuild, root } from './build.mjs';
import { packModule } from './pack-module.mjs';
import { EMSCRIPTEN_TOOLS, installTools, missingTools } from './tools.mjs';

const PRESET = 'wasm-emscripten';
const REDIRECTION = join(root, 'bindings/js/test/support/other-modules.mjs');

/** Those are about what the package embeds, or about no module at all. */
const OTHER_TESTS = ['bench', 'generated', 'loader', 'native', 'package', 'package-native',
  'protoc-gen-spicule', 'readme', 'scripts'];

/** What dist/wasm/<job>.js is, with the module of Emscripten as the only variant; gives the folder. */
async function embedModules() {
  const modules = join(root, 'build', PRESET, 'modules');
  const folder = join(root, 'build', PRESET, 'embedded');
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(modules).filter((name) => name.endsWith('.wasm'))) {
    const name = file.replace(/\.wasm$/, '.js');
    writeFileSync(join(folder, name), `export const baseline = '${await packModule(readFileSync(join(modules, file)))}';\n`);
  }
  // The codec's module has ProtoJSON itself.
  writeFileSync(join(folder, 'codec_json.js'), 'export {};\n');
  return folder;
}

async function test() {
  const folder = join(root, 'bindings/js/test');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.test.mjs') && !OTHER_TESTS.includes(name.replace('.test.mjs', '')));
  const env = {
    ...process.env,
    // Not as arguments: processes that tests start get the modules too.
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${pathToFileURL(REDIRECTION)}`,
    SPICULE_OTHER_MODULES: await embedModules(),
  };
  const args = ['--test', ...files.map((name) => join(folder, name))];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status === 0;
}

try {
  const missing = missingTools(EMSCRIPTEN_TOOLS);
  if (missing.length > 0) installTools(missing);
  cmakeBuild(PRESET, 'product');
  if (!(await test())) process.exit(1);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
