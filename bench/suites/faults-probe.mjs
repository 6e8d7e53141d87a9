// A probe (lib/probe-contestants.mjs) of the faults suite. The server is the one that the back end
// starts, or, where other clients come in, one with a path.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { createBackend, startServer } from 'spicule/native';

import { summarize } from '../lib/stats.mjs';

const { name: kind, case: what, variant } = JSON.parse(process.argv[2]);

const CALLS = variant === 'busy-machine' ? 500 : 2000;
const WARM_UP_CALLS = 500;
const now = () => Number(process.hrtime.bigint());

/** Kills the server 100 ms after the start of a call that takes longer; until the call ends. */
async function timeOfDeath() {
  const backend = await createBackend({ kind });
  await backend.sha2.sha256(new Uint8Array(32));
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').match(/\d+/g);
  const killed = new BigInt64Array(new SharedArrayBuffer(8));
  // A thread, since a call of shm-sync blocks this one.
  const killer = new Worker(
    `const { killed, pid } = require('node:worker_threads').workerData;
     setTimeout(() => {
       killed[0] = process.hrtime.bigint();
       process.kill(pid, 'SIGKILL');
     }, 100);`,
    { eval: true, workerData: { killed, pid: Number(pids[0]) } },
  );
  await once(killer, 'online');
  try {
    await backend.sponge.hash(new Uint8Array(32 * 500_000));
    throw new Error('the call ended before its server');
  } catch (error) {
    if (error.code !== 'DISCONNECTED') throw error;
    return { nanoseconds: now() - Number(killed[0]), result: { error: error.code } };
  }
}

/** Half a frame and nothing more; requests whose answers nobody reads; garbage, 200 times a second. */
const OTHERS = `
  const { connect } = require('node:net');
  const { parentPort, workerData: path } = require('node:worker_threads');
  const header = Buffer.alloc(32);
  header.write('SPCQ', 'latin1');
  header.writeUInt32LE(1, 4);
  header.writeUInt32LE(16, 8);
  header.writeUInt32LE(1, 12);
  header.writeBigUInt64LE(32n, 24);
  const slow = connect(path, () => slow.write(header.subarray(0, 16)));
  const deaf = connect(path, () => deaf.pause().write(Buffer.concat(Array(20_000).fill(header))));
  setInterval(() => {
    const hostile = connect(path, () => hostile.end(Buffer.alloc(100, 7)));
    hostile.on('error', () => {}).resume();
  }, 5);
  setTimeout(() => parentPort.postMessage('ready'), 30);`;

const BUSY = `require('node:worker_threads').parentPort.postMessage('ready'); for (;;);`;

/** Starts what `variant` says of the rest of the machine: threads, which end with this process. */
async function company(path) {
  const threads = {
    'alone': [],
    'beside-slow-and-hostile': [OTHERS],
    'busy-machine': Array(availableParallelism()).fill(BUSY),
  };
  for (const source of threads[variant]) {
    await once(new Worker(source, { eval: true, workerData: path }), 'message');
  }
}

/** The median, and on a busy machine the mean: there the rare long calls are what counts. */
function typical(times) {
  if (variant === 'busy-machine') return times.reduce((a, b) => a + b, 0) / times.length;
  return summarize(times).median;
}

async function timeOfCalls() {
  const folder = mkdtempSync(join(tmpdir(), 'spicule-bench-'));
  const path = join(folder, 'socket');
  await startServer({ path }); // It ends with this process.
  const backend = await createBackend({ kind, path });
  const payload = new Uint8Array(32);
  const call = () => backend.sha2.sha256(payload);
  for (let i = 0; i < WARM_UP_CALLS; i++) await call();
  await company(path);
  const times = [];
  let digest;
  for (let i = 0; i < CALLS; i++) {
    const start = now();
    digest = call();
    if (digest instanceof Promise) digest = await digest;
    times.push(now() - start);
  }
  rmSync(folder, { recursive: true });
  return { nanoseconds: typical(times), result: { digest: Buffer.from(digest).toString('hex') } };
}

const sample = what === 'server-killed' ? await timeOfDeath() : await timeOfCalls();
process.stdout.write(JSON.stringify(sample));
process.exit();
