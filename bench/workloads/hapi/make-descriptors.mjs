// Makes hapi.fds from hapi.proto. Needs protoc (Debian: protobuf-compiler).
//   node bench/workloads/hapi/make-descriptors.mjs
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const result = spawnSync('protoc', ['--descriptor_set_out=hapi.fds', 'hapi.proto'],
  { cwd, stdio: 'inherit' });
if (result.error) console.error(`protoc does not start: ${result.error.message}`);
process.exit(result.status ?? 1);
