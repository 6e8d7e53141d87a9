// Programs that run to their end.
import { spawnSync } from 'node:child_process';

/** Gives the output of a program; of one that fails, the error has the first line that says so. */
export function runProgram(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return stdout;
  const name = command === process.execPath ? args[0] : command;
  const line = (stderr ?? '').split('\n').find((text) => /error|fail/i.test(text));
  throw new Error(`${name} failed: ${line ?? error?.message ?? `exit code ${status}`}`);
}

/** Gives the value that a probe prints, a module that runs in a process of its own for one figure. */
export function probe(module, request, flags = []) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath,
    [...flags, module, JSON.stringify(request)], { encoding: 'utf8' });
  if (status === 0) return JSON.parse(stdout);
  const line = (stderr ?? '').split('\n').findLast((text) => /Error/.test(text));
  throw new Error(line ?? error?.message ?? `the probe ended with code ${status}`);
}
