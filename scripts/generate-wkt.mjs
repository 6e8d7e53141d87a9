// The well-known types of the package, by its own generator from the .proto files that buf has.
//   node scripts/generate-wkt.mjs           writes the files
//   node scripts/generate-wkt.mjs --check   compares them
import { spawnSync } from 'node:child_process';
import {
  mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, 'bindings/js/src/codec/wkt');
const NAMES = [
  'any', 'api', 'descriptor', 'duration', 'empty', 'field_mask', 'source_context', 'struct', 'timestamp',
  'type', 'wrappers',
];
const path = (name) => `google/protobuf/${name}`;

function buf(cwd, ...args) {
  const result = spawnSync(join(root, 'node_modules/.bin/buf'), args, { cwd, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`buf: ${result.error ?? result.stderr}`);
}

function generate(folder) {
  const imports = NAMES.map((name) => `import "${path(name)}.proto";\n`);
  writeFileSync(join(folder, 'all.proto'), `syntax = "proto3";\n${imports.join('')}`);
  const plugin = join(root, 'bindings/js/protoc-gen-spicule/bin/protoc-gen-spicule.js');
  // Through the package's own entry: the same file serves where that is another one (`workerd`).
  // What imports them brings ProtoJSON and what makes code along, or does not.
  const opt = ['out=ts', 'target=ts', 'import_extension=js', 'json=false', 'specialize=false', 'writers=true'];
  const template = {
    version: 'v2',
    plugins: [{ local: [process.execPath, plugin], out: 'out', include_imports: true, include_wkt: true, opt }],
  };
  // Without source information, whose comments are their authors' words and licence.
  buf(folder, 'build', '--exclude-source-info', '-o', 'all.binpb');
  buf(folder, 'generate', 'all.binpb', '--template', JSON.stringify(template));
  return join(folder, 'out/google/protobuf');
}

const folder = mkdtempSync(join(tmpdir(), 'spicule-wkt-'));
try {
  const made = generate(folder);
  mkdirSync(join(output, 'google/protobuf'), { recursive: true });
  for (const name of readdirSync(made)) {
    const text = readFileSync(join(made, name), 'utf8').replace(/[ \t]+$/gm, '');
    const target = join(output, 'google/protobuf', name);
    if (!process.argv.includes('--check')) {
      writeFileSync(target, text);
    } else if (readFileSync(target, 'utf8') !== text) {
      console.error(`${target} is out of date: npm run generate`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
