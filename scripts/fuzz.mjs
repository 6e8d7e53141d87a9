// Runs one fuzz target with libFuzzer, or all of them in turn.
//   npm run fuzz                   the names of the targets
//   npm run fuzz -- call 600       one target for 600 seconds (default 60)
//   npm run fuzz -- all 60         each target for 60 seconds
// Inputs that it finds worth keeping go to build/fuzz/corpus/<name>, a crash to build/fuzz.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { cmakeBuild, root } from './build.mjs';
import { FUZZ_TOOLS, installTools, missingTools } from './tools.mjs';

const [name, seconds = '60'] = process.argv.slice(2);

function fuzz(target) {
  const corpus = join(root, 'build/fuzz/corpus', target);
  mkdirSync(corpus, { recursive: true });
  const program = join(root, 'build/fuzz/test/fuzz', `fuzz_${target}`);
  const args = [`-max_total_time=${seconds}`, '-print_final_stats=1', corpus];
  return spawnSync(program, args, { cwd: join(root, 'build/fuzz'), stdio: 'inherit' }).status;
}

function main() {
  const missing = missingTools(FUZZ_TOOLS);
  if (missing.length > 0) installTools(missing);
  cmakeBuild('fuzz');
  const targets = readdirSync(join(root, 'build/fuzz/test/fuzz'))
    .filter((file) => /^fuzz_\w+$/.test(file))
    .map((file) => file.slice('fuzz_'.length));
  if (name === undefined) {
    console.log(targets.join('\n'));
    return 0;
  }
  const chosen = name === 'all' ? targets : [name];
  if (!chosen.every((target) => targets.includes(target)) || !(Number(seconds) > 0)) {
    console.error(`usage: npm run fuzz -- all|${targets.join('|')} [seconds]`);
    return 2;
  }
  return chosen.some((target) => fuzz(target) !== 0) ? 1 : 0;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
