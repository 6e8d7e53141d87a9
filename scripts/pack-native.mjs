// Packs the native part of this platform, as it is built, as an npm package of its own: the addon
// and the server. Prints the tarball's path.
//   npm run pack:native -- --destination FOLDER
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { NATIVE_PACKAGE } from '../dist/native/addon.js';
import { root, run } from './build.mjs';

const { values: options } = parseArgs({ options: { destination: { type: 'string', default: '.' } } });

const FILES = ['spicule.node', 'spiculed'];

const README = `# ${NATIVE_PACKAGE}

The native part of [spicule](https://www.npmjs.com/package/spicule) for one platform: the Node-API
addon behind \`spicule/native\`, and the server \`spiculed\` (\`npx spiculed --help\`). Install it beside
spicule, in the same version:

    npm install spicule ${NATIVE_PACKAGE}
`;

/** The C library that this Node.js, and so what was built beside it, runs on; Linux only. */
function libc() {
  if (process.platform !== 'linux') return {};
  const { glibcVersionRuntime } = process.report.getReport().header;
  return { libc: [glibcVersionRuntime === undefined ? 'musl' : 'glibc'] };
}

function manifest() {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: NATIVE_PACKAGE,
    version,
    description: `The native part of spicule for ${process.platform} on ${process.arch}.`,
    license,
    os: [process.platform],
    cpu: [process.arch],
    ...libc(),
    engines,
    bin: { spiculed: 'spiculed' },
    files: FILES,
  };
}

const folder = join(root, 'build/package', NATIVE_PACKAGE);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const file of FILES) copyFileSync(join(root, 'build/release/native', file), join(folder, file));
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
writeFileSync(join(folder, 'README.md'), README);
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
mkdirSync(options.destination, { recursive: true });
const destination = resolve(options.destination);
const output = run('npm', ['pack', '--json', '--pack-destination', destination], { cwd: folder });
console.log(join(destination, JSON.parse(output)[0].filename));
