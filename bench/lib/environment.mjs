// What the figures depend on: the machine, the engine, the compilers and the commit.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, type } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function output(command, args) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

function commit() {
  const hash = output('git', ['rev-parse', '--short=12', 'HEAD']);
  if (hash === undefined) return 'unknown';
  return output('git', ['status', '--porcelain', '--untracked-files=no']) ? `${hash}-dirty` : hash;
}

function system() {
  const name = existsSync('/etc/os-release') &&
    readFileSync('/etc/os-release', 'utf8').match(/^PRETTY_NAME="?([^"\n]*)/m)?.[1];
  return [name, `${type()} ${release()}`].filter(Boolean).join(', ');
}

/** Compiler and flags of a CMake build folder, as its first compile command says. */
function compilation(preset) {
  const database = join(root, 'build', preset, 'compile_commands.json');
  if (!existsSync(database)) return undefined;
  const [compiler, ...words] = JSON.parse(readFileSync(database, 'utf8'))[0].command.split(' ');
  const flags = words.filter((word) => /^-(O|f|m|std=|W|g|-target)/.test(word));
  return {
    compiler: output(compiler, ['--version'])?.split('\n')[0] ?? compiler,
    flags: flags.join(' '),
  };
}

/** The `env` of a report. `wasmVariant` is the one that the package loads by itself here. */
export function describeEnvironment({ form, wasmVariant }) {
  const native = compilation('release');
  const wasm = compilation('wasm');
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: availableParallelism(),
    os: system(),
    node: process.version,
    v8: process.versions.v8,
    compiler: native?.compiler ?? 'unknown',
    flags: native?.flags ?? 'unknown',
    wasmCompiler: wasm?.compiler ?? 'unknown',
    wasmFlags: wasm?.flags ?? 'unknown',
    wasmVariant: wasmVariant ?? 'unknown',
    commit: commit(),
    date: new Date().toISOString(),
    form,
    partial: false,
  };
}
