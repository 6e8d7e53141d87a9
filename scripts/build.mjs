// Builds everything: native library, Wasm modules, TypeScript. Each step is left out when its
// inputs have not changed since it last succeeded.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync,
  utimesSync, writeFileSync,
} from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { packBytes } from './pack-bytes.mjs';
import { findClang } from './tools.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** CMake preset of each Wasm variant; relaxed has the sponge only, as nothing else gains from it. */
export const WASM_PRESETS = { baseline: 'wasm', simd: 'wasm-simd', relaxed: 'wasm-relaxed' };

/**
 * wasm-opt passes of each variant, by the kernels suite of the benchmark with a module of each on
 * Node 20 and 24, next to no pass: scalar SHA-256 takes 0.88 of the time on 24 with -O4, 0.98 with
 * -O2 and -O3; one Poseidon2 permutation 0.98 with any; vector SHA-256 and all else within 0.01.
 * With relaxed SIMD, -O4 makes two permutations side by side take 1.1 (20) to 1.18 (24).
 */
const WASM_OPT = { baseline: ['-O4'], simd: ['-O4'], relaxed: ['-O3'] };

/** Runs a command in the project folder; on failure shows its output and throws. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
    ...options,
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    const why = result.error ? result.error.message : `exit code ${result.status}`;
    throw new Error(`${command} ${args.join(' ')}: ${why}`);
  }
  return result.stdout;
}

/** Configures a CMake preset where needed and builds a target of it, everything by default. */
export function cmakeBuild(preset, target = 'all') {
  const env = { ...process.env, SPC_CLANG: findClang() ?? 'clang' };
  const folder = join(root, 'build', preset);
  if (!existsSync(join(folder, 'Makefile'))) {
    rmSync(folder, { recursive: true, force: true });
    run('cmake', ['--preset', preset], { env });
  }
  const jobs = String(cpus().length);
  run('cmake', ['--build', '--preset', preset, '-j', jobs, '--target', target], { env });
}

function newestTime(path) {
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(info.mtimeMs, ...readdirSync(path).map((name) => newestTime(join(path, name))));
}

/**
 * Runs `step` unless it has succeeded since the newest of `inputs` changed, and `output` is there.
 */
async function unlessFresh(name, inputs, output, step) {
  const stamp = join(root, 'build/stamps', name);
  const changed = Math.max(...inputs.map((input) => newestTime(join(root, input))));
  const succeeded = existsSync(stamp) && existsSync(join(root, output));
  if (succeeded && statSync(stamp).mtimeMs >= changed) return;
  const started = new Date();
  await step();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  utimesSync(stamp, started, started);
}

function wasmOpt(...args) {
  const features = ['bulk-memory', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int',
    'simd', 'relaxed-simd'].map((feature) => `--enable-${feature}`);
  run(process.execPath, [join(root, 'node_modules/binaryen/bin/wasm-opt'), ...features, ...args]);
}

function optimise(input, output, passes) {
  if (passes.length === 0) copyFileSync(input, output);
  else wasmOpt(...passes, input, '-o', output);
}

/** A TypeScript source with a text, whose type keeps it out of the declarations. */
function writeText(path, head, text) {
  writeFileSync(path, `${head}const text: string = '${text}';\nexport default text;\n`);
}

/**
 * Modules that are embedded only, and the names of their sources: what bundles have of the codec. The module
 * with all of it is a file only.
 */
const PARTS = new Map([['codec_core', 'codec'], ['codec_json', 'codec_json']]);
const FILES_ONLY = new Set(PARTS.values());

/**
 * Makes a part as small as it gets. Alignments of loads and stores are hints, which the engines of today's
 * processors ignore: as all are the same, they take no room. What one part exports for another only has short
 * names.
 */
function shrink(modules, job, output) {
  const { imports } = WebAssembly.Module;
  const links = imports(new WebAssembly.Module(readFileSync(join(modules, 'codec_json.wasm'))))
    .filter(({ name }) => !/^(memory|record|codec_io_address|__(memory|table)_base|__indirect_function_table)$/.test(name));
  const short = new Map(links.map(({ name }, i) => [name, i.toString(36)]));
  const text = output.replace(/wasm$/, 'wat');
  wasmOpt('-S', join(modules, `${job}.wasm`), '-o', text);
  writeFileSync(text, readFileSync(text, 'utf8')
    .replace(/(\b[if](?:32|64)\.(?:load|store)\w*(?: offset=\d+)?)(?: align=\d+)?/g, '$1 align=1')
    .replace(/(\((?:export|import "env") ")([^"]+)/g, (_, before, name) => before + (short.get(name) ?? name)));
  // Below 1024 there is nothing but the end of the stack: offsets up to that are put into loads and stores.
  optimise(text, output, ['-Oz', '--converge', '--low-memory-unused']);
}

/**
 * Puts the modules of one variant into dist/wasm, and as text into TypeScript sources: inlined, a
 * module survives every bundler and needs no file at run time.
 */
async function embedVariant(variant) {
  const packer = join(root, 'scripts/pack-module.mjs');
  const { packModule } = await import(pathToFileURL(packer));
  const build = join(root, 'build', WASM_PRESETS[variant]);
  const modules = join(build, 'modules');
  const sources = join(root, 'bindings/js/src/wasm');
  mkdirSync(join(root, 'dist/wasm'), { recursive: true });
  mkdirSync(sources, { recursive: true });
  for (const file of readdirSync(modules).filter((name) => name.endsWith('.wasm'))) {
    const job = file.slice(0, -'.wasm'.length);
    const name = `${job}-${variant}`;
    const part = PARTS.get(job);
    const output = join(part === undefined ? join(root, 'dist/wasm') : build, `${name}.wasm`);
    if (part === undefined) optimise(join(modules, file), output, WASM_OPT[variant]);
    else shrink(modules, job, output);
    if (part === undefined && FILES_ONLY.has(job)) continue;
    const module = readFileSync(output);
    // Packing takes seconds: only what has changed is packed again.
    const made = createHash('sha256').update(module).update(readFileSync(packer)).digest('hex');
    const head = `// The module ${name}.wasm, by scripts/build.mjs: ${made}.\n`;
    const source = join(sources, `${part ?? job}-${variant}.ts`);
    if (existsSync(source) && readFileSync(source, 'utf8').startsWith(head)) continue;
    writeText(source, head, await packModule(module));
  }
}

/** The module that decodes the text of the others, as text that JavaScript decodes. */
function embedDecoder() {
  const modules = join(root, 'build', WASM_PRESETS.baseline);
  const output = join(modules, 'unpack-small.wasm');
  optimise(join(modules, 'unpack.wasm'), output, ['-Oz', '--converge']);
  const source = join(root, 'bindings/js/src/wasm/unpack.ts');
  writeText(source, '// The module of wasm/unpack.c, by scripts/build.mjs.\n', packBytes(readFileSync(output)));
}

/** The C runner of the benchmark for Wasm, by the same passes as the modules. */
function optimiseRunner(variant) {
  const runner = join(root, 'build', WASM_PRESETS[variant], 'bench/native/spicule-bench.wasm');
  mkdirSync(join(root, 'build/bench'), { recursive: true });
  optimise(runner, join(root, `build/bench/spicule-bench-${variant}.wasm`), WASM_OPT[variant]);
}

/** One source a job, with the variants that it has. */
function indexVariants() {
  const sources = join(root, 'bindings/js/src/wasm');
  const jobs = new Map();
  for (const file of readdirSync(sources)) {
    const match = /^(\w+)-(\w+)\.ts$/.exec(file);
    if (match !== null) jobs.set(match[1], [...(jobs.get(match[1]) ?? []), match[2]]);
  }
  for (const [job, variants] of jobs) {
    const lines = variants.map((name) => `export { default as ${name} } from './${job}-${name}.js';\n`);
    const text = `// The variants of the ${job} module, by scripts/build.mjs.\n${lines.join('')}`;
    const path = join(sources, `${job}.ts`);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}

function tsc(project) {
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project]);
}

export const PLUGIN = 'bindings/js/protoc-gen-spicule';

/** Compiles protoc-gen-spicule, which generates C for the tests and the benchmark. */
export async function buildPlugin(log = () => {}) {
  const inputs = [`${PLUGIN}/src`, `${PLUGIN}/tsconfig.json`, 'bindings/js/tsconfig.json',
    'package-lock.json'];
  await unlessFresh('protoc-gen-spicule', inputs, `${PLUGIN}/dist/plugin.js`, () => {
    log('Building protoc-gen-spicule');
    tsc(PLUGIN);
  });
}

/**
 * Declarations without the members that begin with $, which are for the package itself: editors would
 * offer them before those that users look for.
 */
function withoutInternals(ts, text) {
  const source = ts.createSourceFile('', text, ts.ScriptTarget.Latest);
  const members = source.statements.flatMap((statement) =>
    ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement) ? [...statement.members] : []);
  let result = '';
  let from = 0;
  for (const { name, pos, end } of members) {
    if (name === undefined || !ts.isIdentifier(name) || !name.text.startsWith('$')) continue;
    result += text.slice(from, pos);
    from = end;
  }
  return result + text.slice(from);
}

/** The declarations of SSZ only: code generated for Protocol Buffers uses such members of messages. */
async function hideInternals(folder) {
  const { default: ts } = await import('typescript');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
    const path = join(folder, name);
    writeFileSync(path, withoutInternals(ts, readFileSync(path, 'utf8')));
  }
}

/**
 * Compiles the package, and copies it for platforms that forbid compiling Wasm from bytes: the same
 * files without the embedded modules.
 */
async function compileTypeScript() {
  const dist = join(root, 'dist');
  for (const name of readdirSync(dist)) {
    if (name !== 'wasm') rmSync(join(dist, name), { recursive: true });
  }
  tsc('bindings/js');
  await hideInternals(join(dist, 'ssz'));
  const sources = readdirSync(dist, { recursive: true })
    .filter((name) => name.endsWith('.js') && !/^(native|codec\/(proto|wkt))\b|^wasm\/.*-/.test(name));
  for (const name of sources) {
    const output = join(dist, 'workerd', name);
    mkdirSync(dirname(output), { recursive: true });
    if (name.startsWith('wasm/') && name !== 'wasm/unpack.js') writeFileSync(output, 'export {};\n');
    else copyFileSync(join(dist, name), output);
  }
}

const C_INPUTS = [
  'CMakeLists.txt', 'CMakePresets.json', 'cmake', 'src', 'bench/native', 'bench/workloads',
];

/**
 * Builds the product (no tests) where it is not up to date; `log` hears about each step. The C runner
 * of the benchmark for Wasm takes minutes to optimise, and can be left out.
 */
export async function build(log = () => {}, { runner = true } = {}) {
  await buildPlugin(log);
  const nativeInputs = [...C_INPUTS, 'native', 'package-lock.json'];
  await unlessFresh('native', nativeInputs, 'build/release', () => {
    log('Building the native library');
    cmakeBuild('release', 'product');
  });
  const wasmInputs = [...C_INPUTS, 'wasm', 'scripts/build.mjs',
    'scripts/pack-bytes.mjs', 'scripts/pack-module.mjs', 'package-lock.json'];
  for (const [variant, preset] of Object.entries(WASM_PRESETS)) {
    await unlessFresh(preset, wasmInputs, `dist/wasm/sponge-${variant}.wasm`, async () => {
      log(`Building the Wasm modules, ${variant}`);
      cmakeBuild(preset, 'product');
      await embedVariant(variant);
      if (variant === 'baseline') embedDecoder();
    });
    if (!runner) continue;
    await unlessFresh(`runner-${variant}`, wasmInputs, `build/bench/spicule-bench-${variant}.wasm`, () => {
      log(`Optimising the runner of the benchmark, ${variant}`);
      optimiseRunner(variant);
    });
  }
  indexVariants();
  const sources = ['bindings/js/src', 'bindings/js/tsconfig.json', 'scripts/build.mjs',
    'package-lock.json'];
  await unlessFresh('typescript', sources, 'dist/index.js', async () => {
    log('Building the TypeScript package');
    await compileTypeScript();
  });
}
