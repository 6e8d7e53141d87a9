// What a build needs from the system, how to tell whether it is there, and how to install it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The version that the project is developed with, then from new to old. Below 16 relaxed SIMD has
// opcodes that no engine accepts.
const CLANG_VERSIONS = [19, 22, 21, 20, 18, 17, 16];
const PROBE_SOURCE = '#include <string.h>\nint main(int n, char **v) { return (int)strlen(v[n - 1]); }\n';

function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** The preferred installed clang that can target Wasm, such as "clang-19"; undefined without one. */
export function findClang() {
  return CLANG_VERSIONS.map((version) => `clang-${version}`).find((name) =>
    succeeds(name, ['--version']),
  );
}

/** Compiles and links a small C program in a scratch folder. */
function links(compiler, flags) {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-probe-'));
  try {
    const source = join(folder, 'probe.c');
    writeFileSync(source, PROBE_SOURCE);
    return succeeds(compiler, [...flags, source, '-o', join(folder, 'probe.out')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wasmClangWorks() {
  if (process.env.WASI_SDK_PREFIX) {
    return links(join(process.env.WASI_SDK_PREFIX, 'bin/clang'), ['-O1']);
  }
  const clang = findClang();
  return clang !== undefined && links(clang, ['--target=wasm32-wasi', '-O1']);
}

function offersPackage(name) {
  const policy = spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' });
  return policy.status === 0 && /Candidate: (?!\(none\))/.test(policy.stdout);
}

/** The Wasm tool packages of the preferred clang that the package lists offer. */
function wasmPackages() {
  const sets = CLANG_VERSIONS.map((version) => [
    `clang-${version}`, `lld-${version}`, `libclang-rt-${version}-dev-wasm32`, 'wasi-libc',
  ]);
  return sets.find((names) => names.every(offersPackage)) ??
    ['clang-19', 'lld-19', 'libclang-rt-19-dev-wasm32', 'wasi-libc'];
}

/** What every build needs. */
export const BUILD_TOOLS = [
  { what: 'a C compiler', works: () => links('cc', ['-O1']), packages: () => ['gcc', 'libc6-dev'] },
  { what: 'CMake', works: () => succeeds('cmake', ['--version']), packages: () => ['cmake'] },
  { what: 'make', works: () => succeeds('make', ['--version']), packages: () => ['make'] },
  { what: 'clang for WebAssembly', works: wasmClangWorks, packages: wasmPackages },
];

/** What the tests need beside that. */
export const TEST_TOOLS = [
  {
    what: 'pkg-config',
    works: () => succeeds('pkg-config', ['--version']),
    packages: () => ['pkg-config'],
  },
];

/** What a fuzzing run needs: clang with its sanitizer and fuzzer libraries. */
export const FUZZ_TOOLS = [
  {
    what: "clang's sanitizers and libFuzzer",
    works: () => findClang() !== undefined && links(findClang(), ['-fsanitize=address']),
    packages: () => [`libclang-rt-${(findClang() ?? 'clang-19').split('-')[1]}-dev`],
  },
];

/** What the Wasm modules by Emscripten need; the preset names the folder of Debian's package. */
export const EMSCRIPTEN_TOOLS = [
  {
    what: 'Emscripten',
    works: () => existsSync('/usr/share/emscripten/cmake') && succeeds('emcc', ['--version']),
    packages: () => ['emscripten'],
  },
];

/** Those of `tools` that don't work here. */
export function missingTools(tools) {
  return tools.filter((tool) => !tool.works());
}

function aptGet(args) {
  return spawnSync('apt-get', args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;
}

function installArguments(tools) {
  return ['install', '-y', '--no-install-recommends', ...tools.flatMap((tool) => tool.packages())];
}

/** Installs the packages of `tools`, or throws an Error with the command that a user has to run. */
export function installTools(tools) {
  const names = tools.map((tool) => tool.what).join(', ');
  if (!succeeds('apt-get', ['--version'])) {
    throw new Error(`Missing: ${names}. Install them with the package manager of this system.`);
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      `Missing: ${names}. Run this, then start again:\n\n` +
        `  sudo apt-get update && sudo apt-get ${installArguments(tools).join(' ')}\n`,
    );
  }
  process.stderr.write(`Installing ${names}\n`);
  for (let attempt = 0; attempt < 4; attempt++) {
    const command = ['-o', 'DPkg::Lock::Timeout=120', ...installArguments(tools)];
    if (aptGet(command) && tools.every((tool) => tool.works())) return;
    // `update` does not wait for its lock, so that a parallel one is given time.
    if (!aptGet(['update'])) spawnSync('sleep', ['5']);
  }
  throw new Error(`Could not install ${names}: apt-get ${installArguments(tools).join(' ')} failed.`);
}

/**
 * How a program with gcc's thread sanitizer starts here: {launcher}, the words before its command,
 * or {skip}, why it can't. Where the kernel spreads memory widely (vm.mmap_rnd_bits above 28) the
 * sanitizer finds its addresses taken and ends before main, and only a fixed layout helps.
 */
export function threadSanitizerLauncher(program) {
  const clashes = (command, ...args) =>
    /unexpected memory mapping/.test(spawnSync(command, args, { encoding: 'utf8' }).stderr);
  if (!clashes(program)) return { launcher: [] };
  const launcher = ['setarch', '-R'];
  if (succeeds('setarch', ['-R', 'true']) && !clashes('setarch', '-R', program)) return { launcher };
  const skip = 'the thread sanitizer does not start (vm.mmap_rnd_bits is too large for it), and ' +
    'setarch -R is not allowed or does not help';
  return { skip };
}
