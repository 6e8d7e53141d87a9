// Peers in C and C++: built from Debian's packages into build/peers, around the runner of
// bench/native.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../lib/environment.mjs';
import { runProgram } from '../lib/program.mjs';

const HAPI = join(root, 'bench/workloads/hapi');
const RUNNER = join(root, 'bench/native');

export const NATIVE_PEERS = {
  'peer:libprotobuf': {
    source: 'libprotobuf.cc',
    header: 'google/protobuf/message.h',
    packages: 'g++ libprotobuf-dev protobuf-compiler',
    tool: 'protoc',
    generate: (out) => ['protoc', [`-I${HAPI}`, `--cpp_out=${out}`, 'hapi.proto']],
    generated: 'hapi.pb.cc',
    compiler: ['c++', '-std=c++17'],
    library: 'protobuf',
  },
  'peer:protobuf-c': {
    source: 'protobuf-c.c',
    header: 'protobuf-c/protobuf-c.h',
    packages: 'gcc libprotobuf-c-dev protobuf-c-compiler',
    tool: 'protoc-c',
    generate: (out) => ['protoc-c', [`-I${HAPI}`, `--c_out=${out}`, 'hapi.proto']],
    generated: 'hapi.pb-c.c',
    compiler: ['cc', '-std=c11'],
    library: 'protobuf-c',
  },
};

function succeeds(command, args, options = {}) {
  return spawnSync(command, args, { stdio: 'ignore', ...options }).status === 0;
}

/** What is generated of fields has their names in lower case. */
function lowerCaseSubset() {
  const fieldsFrom = { S: 3, M: 3, R: 3, B: 2, O: 1, SO: 3, MO: 3 };
  return readFileSync(join(HAPI, 'subset.h'), 'utf8').replace(
    /\b(S|M|R|B|O|SO|MO)\((\w+, [^()]*)\)/g,
    (_whole, kind, list) => {
      const args = list.split(', ');
      const lower = args.map((arg, i) => (i >= fieldsFrom[kind] ? arg.toLowerCase() : arg));
      return `${kind}(${lower.join(', ')})`;
    },
  );
}

function newest(paths) {
  return Math.max(...paths.map((path) => statSync(path).mtimeMs));
}

/** The peer as a back end: its program, built where needed, or the reason why there is none. */
export function nativePeer(name) {
  const { source, header, packages, tool, generate, generated, compiler, library } = NATIVE_PEERS[name];
  const peer = { name, suites: ['codec'] };
  const out = join(root, 'build/peers');
  const program = join(out, name.replace('peer:', ''));
  const own = join(root, 'bench/peers/native', source);
  const core = join(root, 'build/release/src/libspicule.a');
  const c = [
    ...['main.c', 'measure.c', 'report.c'].map((file) => join(RUNNER, file)),
    ...['values.c', 'reference_write.c'].map((file) => join(HAPI, file)),
  ];
  const schema = ['hapi.proto', 'subset.h'].map((file) => join(HAPI, file));
  if (!existsSync(core)) return { ...peer, reason: 'the library is not built (npm run build)' };
  if (existsSync(program) && statSync(program).mtimeMs >= newest([own, core, ...schema, ...c])) {
    return { ...peer, program };
  }
  const found = succeeds(tool, ['--version']) &&
    succeeds(compiler[0], ['-E', '-x', source.endsWith('.c') ? 'c' : 'c++', '-include', header, '/dev/null']);
  if (!found) {
    return { ...peer, reason: `its packages are missing: apt-get install -y ${packages}` };
  }
  try {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, 'subset_lower.h'), lowerCaseSubset());
    runProgram(...generate(out));
    const flags = ['-O3', '-DNDEBUG', '-D_GNU_SOURCE', '-DBENCH_COMPILER="cc"',
      '-DBENCH_FLAGS="-O3"', `-DBENCH_SOURCE_DIR="${root}"`,
      ...[RUNNER, HAPI, out, join(root, 'src/include')].map((folder) => `-I${folder}`)];
    const objects = c.map((file) => join(out, `${file.split('/').pop()}.o`));
    c.forEach((file, i) => runProgram('cc', ['-std=c11', ...flags, '-c', file, '-o', objects[i]]));
    runProgram(compiler[0], [compiler[1], ...flags, own, join(out, generated), ...objects, core,
      `-l${library}`, '-lpthread', '-lm', '-o', program]);
  } catch (error) {
    return { ...peer, reason: error.message };
  }
  return { ...peer, program };
}
