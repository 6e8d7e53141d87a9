// Code that generators of several libraries make of workloads/hapi/hapi.proto, in build/bench/codec:
// made when it is first asked for, and again after what it is made of has changed.
import {
  existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { root } from './environment.mjs';
import { runProgram } from './program.mjs';

const HAPI = join(root, 'bench/workloads/hapi');
const PROTO = join(HAPI, 'hapi.proto');
const DESCRIPTORS = join(HAPI, 'hapi.fds');
const PEERS = join(root, 'bench/peers');
const PROTOBUFJS_8 = join(PEERS, 'protobufjs-8');
const PLUGIN = join(root, 'bindings/js/protoc-gen-spicule');
const OUT = join(root, 'build/bench/codec');

/** Runs a plugin of protoc by buf. */
function runPlugin(local, out, opt) {
  const template = JSON.stringify({ version: 'v2', plugins: [{ local, out, opt }] });
  const buf = join(root, 'node_modules/.bin/buf');
  runProgram(buf, ['generate', '--template', template, `${DESCRIPTORS}#format=binpb`]);
}

/** Takes the types off a module in TypeScript, which leaves one in JavaScript beside it. */
async function stripTypes(path) {
  const { default: typescript } = await import('typescript');
  const { ScriptTarget: { ES2022: target }, ModuleKind: { ES2022: module } } = typescript;
  const { outputText } = typescript.transpileModule(readFileSync(path, 'utf8'),
    { compilerOptions: { target, module } });
  writeFileSync(path.replace(/ts$/, 'js'), outputText);
}

/** What a plugin of protoc makes in TypeScript. */
function byPlugin(program, module, options, rest) {
  return {
    module: `${module}.js`,
    async make(out) {
      runPlugin([process.execPath, program], out, options);
      for (const name of readdirSync(out).filter((file) => file.endsWith('.ts'))) {
        await stripTypes(join(out, name));
      }
    },
    ...rest,
  };
}

const spicule = (int64, optimizeFor = 'speed') => byPlugin(join(PLUGIN, 'bin/protoc-gen-spicule.js'), 'hapi_spc',
  ['out=ts', 'target=ts', 'import_extension=js', `int64=${int64}`, 'json=false', 'writers=true',
    `optimize_for=${optimizeFor}`], { from: [PLUGIN] });

function protobufjs(folder) {
  const without = ['create', 'verify', 'convert', 'delimited', 'typeurl', 'service', 'comments'];
  return {
    folder,
    module: 'hapi.cjs',
    make: (out) => runProgram(process.execPath, [join(folder, 'node_modules/protobufjs-cli/bin/pbjs'),
      '-t', 'static-module', '-w', 'commonjs', '--keep-case', '--force-number',
      ...without.map((word) => `--no-${word}`), '-o', join(out, 'hapi.cjs'), PROTO]),
  };
}

const protobufTs = (...options) => byPlugin(
  join(PEERS, 'node_modules/@protobuf-ts/plugin/bin/protoc-gen-ts'), 'hapi', options,
  { folder: PEERS });

// For each library: the folder whose packages its code imports, the module to import, make(out),
// and files or folders that it is made `from` besides the schema.
const LIBRARIES = {
  'spicule-number': spicule('number'),
  'spicule-bigint': spicule('bigint'),
  'spicule-code-size': spicule('number', 'code_size'),
  'protobufjs-7': protobufjs(PEERS),
  'protobufjs-8': protobufjs(PROTOBUFJS_8),
  'protobuf-es': byPlugin(join(PEERS, 'node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es'),
    'hapi_pb', ['target=ts', 'import_extension=js'], { folder: PEERS }),
  'google-protobuf': {
    folder: PEERS,
    module: 'hapi_pb.js',
    from: [join(PEERS, 'google-protobuf.mjs')],
    async make(out) {
      const { generate } = await import('../peers/google-protobuf.mjs');
      writeFileSync(join(out, 'hapi_pb.js'), generate(readFileSync(DESCRIPTORS)));
    },
  },
  pbf: {
    folder: PEERS,
    module: 'hapi.js',
    make: (out) => writeFileSync(join(out, 'hapi.js'),
      runProgram(process.execPath, [join(PEERS, 'node_modules/pbf/bin/pbf'), PROTO])),
  },
  'ts-proto': byPlugin(join(PEERS, 'node_modules/ts-proto/protoc-gen-ts_proto'), 'hapi',
    ['outputJsonMethods=false', 'importSuffix=.js'], { folder: PEERS }),
  'protobuf-ts': protobufTs('long_type_number'),
  'protobuf-ts-bigint': protobufTs(),
};

/** When a file, or the newest below a folder, was written. */
function modified(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return Math.max(mtimeMs, ...names.map((name) => modified(join(path, name))));
}

/** The path of the module that a library's generator makes of the schema. */
export async function generatedModule(library) {
  const { folder, module, from = [], make } = LIBRARIES[library];
  const out = join(OUT, library);
  const stamp = join(out, 'made');
  const sources = [fileURLToPath(import.meta.url), PROTO, DESCRIPTORS, ...from,
    ...(folder ? [join(PEERS, 'package-lock.json')] : [])];
  if (!existsSync(stamp) || statSync(stamp).mtimeMs < Math.max(...sources.map(modified))) {
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    if (folder) symlinkSync(join(folder, 'node_modules'), join(out, 'node_modules'));
    await make(out);
    writeFileSync(stamp, '');
  }
  return join(out, module);
}

/**
 * What the module exports, as an ordinary object: V8 does not cache where the exports of a module are
 * when they are looked up by names that vary, which takes it longer than decoding a small message.
 */
export const generatedCode = async (library) => ({ ...await import(await generatedModule(library)) });

/** The same of the module of writers. */
export const generatedWriters = async (library) =>
  ({ ...await import((await generatedModule(library)).replace(/\.js$/, '_writer.js')) });

// ---- Entries ----

// A module of a user's program for each library: all that the generated code has, and `first`, which
// decodes a SignedTransaction and gives the length of its body. For start-up and for bundles.
const reexport = (first) => (module) => `export * from './${module}';
import * as code from './${module}';
export const first = (bytes) => ${first};
`;
/** The same without what generated modules export for each other, which no program names. */
const ofClasses = (first) => (module, folder) => {
  const names = [...readFileSync(join(folder, module), 'utf8').matchAll(/^export (?:class|const) (?!file_)(\w+) /gm)].map(([, name]) => name);
  return reexport(first)(module).replace('*', `{ ${names.join(', ')} }`);
};
const commonJs = (module) => `import code from './${module}';
export const { hapi } = code;
export const first = (bytes) => hapi.SignedTransaction.decode(bytes).bodyBytes.length;
`;
const ENTRIES = {
  'spicule-number': ofClasses('code.SignedTransaction.decode(bytes).bodyBytesLength'),
  'spicule-code-size': ofClasses('code.SignedTransaction.decode(bytes).bodyBytes.length'),
  'protobufjs-7': commonJs,
  'protobufjs-8': commonJs,
  'protobuf-es': (module) => `import { fromBinary } from '@bufbuild/protobuf';
export { create, fromBinary, toBinary } from '@bufbuild/protobuf';
${reexport('fromBinary(code.SignedTransactionSchema, bytes).bodyBytes.length')(module)}`,
  'google-protobuf': reexport('code.SignedTransaction.deserializeBinary(bytes).getBodybytes_asU8().length'),
  pbf: (module) => `import { PbfReader } from 'pbf';
export { PbfReader, PbfWriter } from 'pbf';
${reexport('code.readSignedTransaction(new PbfReader(bytes)).bodyBytes.length')(module)}`,
  'ts-proto': reexport('code.SignedTransaction.decode(bytes).bodyBytes.length'),
  'protobuf-ts': reexport('code.SignedTransaction.fromBinary(bytes).bodyBytes.length'),
  'protobuf-ts-bigint': reexport('code.SignedTransaction.fromBinary(bytes).bodyBytes.length'),
};

/** The path of an entry; `more` is the source of what it has beside. */
export async function entryModule(library, name = 'entry', more = '') {
  const module = await generatedModule(library);
  const entry = join(OUT, library, `${name}.js`);
  writeFileSync(entry, more + ENTRIES[library](basename(module), join(OUT, library)));
  return entry;
}

/** The entry of this package with the schema read at run time. */
export function runtimeEntry() {
  const entry = join(OUT, 'spicule-runtime/entry.js');
  const bytes = readFileSync(DESCRIPTORS).toString('base64');
  mkdirSync(join(OUT, 'spicule-runtime'), { recursive: true });
  writeFileSync(entry, `import { loadSchema } from 'spicule/codec';
const descriptors = Uint8Array.from(atob('${bytes}'), (c) => c.charCodeAt(0));
export const schema = loadSchema(descriptors);
export const first = (bytes) => schema.message('hapi.SignedTransaction').decode(bytes).bodyBytes.length;
`);
  return entry;
}

export const hasBundler = () => existsSync(join(PEERS, 'node_modules/esbuild'));

/** Bytes of an entry with all that it needs, minified and compressed. */
export function bundleSize(entry) {
  const { buildSync } = createRequire(join(PEERS, 'package.json'))('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [entry], bundle: true, minify: true, format: 'esm', platform: 'browser', write: false,
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
