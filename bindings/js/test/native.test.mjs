// The back ends that use a server: what happens when something goes wrong, and that nothing stays.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync,
  writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { OPERATIONS, createBackend, startServer } from '../../../dist/native.js';
import { createInstance } from '../../../dist/index.js';
import { details } from './support/errors.mjs';

const KINDS = ['shm-sync', 'shm-async', 'uds'];
const entry = new URL('../../../dist/native.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'spicule-'));
const path = join(folder, 'socket');
after(() => rmSync(folder, { recursive: true }));

const missing = await createBackend({ kind: 'native' }).then(() => false, (error) => error.message);
const options = { skip: missing && `SKIPPED: ${missing}`, timeout: 60_000 };

const built = (file) => new URL(`../../../build/release/${file}`, import.meta.url).pathname;
const spiculed = built('native/spiculed');
const faultLibrary = built('test/transport/libspicule_faults.so');
const hostileServer = built('test/transport/hostile_server');
const optionsWith = (file) => (existsSync(file)
  ? options
  : { ...options, skip: `SKIPPED: ${file} is not built (npm test -- --only native)` });

const bytes = (length) => Uint8Array.from({ length }, (_, i) => i % 251);
const sha256 = (data) => new Uint8Array(createHash('sha256').update(data).digest());

/** `run` may throw or reject. */
const failure = async (run) => {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return assert.fail('no error');
};
const failsWith = async (run, code) => assert.equal((await failure(run)).code, code);

async function checkCall(backend, length) {
  assert.deepEqual(await backend.sha2.sha256(bytes(length)), sha256(bytes(length)));
}

/** Whether a process exists that is not a zombie. */
function lives(pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition) {
  for (let i = 0; i < 1000; i++) {
    if (await condition()) return;
    await sleep(10);
  }
  assert.fail(`never: ${condition}`);
}

/** `maps` are those of our shared memory. */
const resources = (pid = 'self') => ({
  fds: readdirSync(`/proc/${pid}/fd`).length,
  threads: readdirSync(`/proc/${pid}/task`).length,
  maps: readFileSync(`/proc/${pid}/maps`, 'utf8').split('/memfd:spicule').length - 1,
});

/** Whether this process and `pid` have no more than before. */
const isFlat = (before, pid) =>
  [resources(), resources(pid)].every(
    (now, i) => Object.keys(now).every((what) => now[what] <= before[i][what]),
  );

/** Pids of servers that `pid` has started. */
const children = (pid = process.pid) => {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  return pids.map(Number).filter(lives);
};

/** Runs a module text in a process of its own, with `backend` and `args` at hand. */
function program(text, ...args) {
  const source = `
    import { OPERATIONS, createBackend, startServer } from '${entry}';
    const args = ${JSON.stringify(args)};
    ${text}`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** A test that has a server, which has ended when it is over. */
const withServer = (serverOptions, run) => async () => {
  const server = await startServer(serverOptions);
  try {
    await run(server);
  } finally {
    await server.stop();
  }
};

/** A server that is started as a program with its own environment, and ends well. */
async function withProgram(command, args, env, run) {
  const server = spawn(command, [...args, '--socket', path], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  try {
    // Refusals are answers.
    await until(async () => {
      const outcome = await createBackend({ kind: 'uds', path }).catch((error) => error);
      await outcome.dispose?.();
      return outcome.code !== 'UNREACHABLE';
    });
    await run(server);
  } finally {
    server.kill();
    assert.deepEqual(await once(server, 'exit'), [0, null]);
  }
}

/** Lets a back end be in the middle of calls while `event` happens; gives their outcomes. */
async function duringCalls(kind, place, fields, event) {
  // A process of its own, since shm-sync blocks its thread.
  const child = program(
    `const backend = await createBackend({ kind: args[0], path: args[1] });
     const request = new Uint8Array(32 * args[2]);
     let count = 0;
     try {
       for (; ; count++) {
         await backend.sponge.hash(request);
         if (count === 0) console.log('started');
       }
     } catch (error) { console.log(error.code); }
     await backend.dispose();`,
    kind, place, fields,
  );
  let text = '';
  child.stdout.on('data', (data) => (text += data));
  await until(() => text.includes('started'));
  await event();
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  return text.split('\n').slice(1, -1);
}

for (const kind of KINDS) {
  const name = (what) => `${kind}: ${what}`;

  test(name('any size up to the limit, in a ring of any size'), options, async () => {
    const ringBytes = kind === 'uds' ? undefined : 4096;
    const backend = await createBackend({ kind, ringBytes });
    for (const length of [0, 1, 4000, 4095, 4096, 4097, 100_001, 3_200_000]) {
      await checkCall(backend, length);
    }
    const states = new Uint8Array(128 * 300);
    const expected = (await createBackend({ kind: 'native' })).sponge.permuteMany(states);
    assert.deepEqual(await backend.sponge.permuteMany(states), expected);
    await backend.dispose();
  });

  test(name('64 MiB pass, and one byte more is a status'), options, async () => {
    const backend = await createBackend({ kind });
    const limit = 64 * 2 ** 20;
    const large = new Uint8Array(limit + 1);
    const whole = large.subarray(0, limit);
    assert.deepEqual(await backend.sha2.sha256(whole), sha256(whole));
    const error = await failure(() => backend.sha2.sha256(large));
    assert.deepEqual(details(error), { code: 'SIZE_LIMIT', limit });
    await checkCall(backend, 10);
    await backend.dispose();
  });

  test(name('errors carry what the core says'), options, async () => {
    const backend = await createBackend({ kind });
    const bad = new Uint8Array(96).fill(0xff, 64);
    const wrong = await failure(() => backend.call(OPERATIONS.HASH, bad));
    assert.deepEqual(details(wrong), { code: 'NOT_CANONICAL', offset: 64, index: 2 });
    const unknown = await failure(() => backend.call(12345, bad));
    assert.deepEqual(details(unknown), { code: 'UNKNOWN_OPERATION', index: 12345 });
    const short = await failure(() => backend.sha2.sha256Into(new Uint8Array(31), bad));
    assert.deepEqual(details(short), { code: 'BUFFER_TOO_SMALL', limit: 32 });
    await backend.dispose();
  });

  test(name('requests of a wrong length are the errors of the core'), options, async () => {
    const backend = await createBackend({ kind });
    const { call } = await createInstance();
    const outcome = async (run) => details(await failure(run));
    for (const name of ['HASH', 'PERMUTE', 'PERMUTE_MANY', 'COMPRESS_MANY', 'SHA256_PAIRS']) {
      for (const length of [5, 33, 97]) {
        const request = new Uint8Array(length);
        const expected = await outcome(() => call(OPERATIONS[name], request));
        assert.deepEqual(await outcome(() => backend.call(OPERATIONS[name], request)), expected, `${name} ${length}`);
      }
    }
    await backend.dispose();
  });

  test(name('both ends work on one CPU'), {
    ...options,
    skip: options.skip || (spawnSync('taskset', ['--version']).status !== 0 && 'SKIPPED: no taskset'),
  }, async () => {
    const text = `
      import { createBackend } from '${entry}';
      const backend = await createBackend({ kind: '${kind}' });
      for (let i = 0; i < 2000; i++) await backend.sponge.hash([BigInt(i)]);
      await backend.sponge.hash(new Uint8Array(32 * 20_000));
      await backend.dispose();`;
    const cpus = readFileSync('/proc/self/status', 'utf8').match(/^Cpus_allowed_list:\s*(\d+)/m);
    const args = ['-c', cpus[1], process.execPath, '--input-type=module', '-e', text];
    const [code] = await once(spawn('taskset', args, { stdio: 'inherit' }), 'exit');
    assert.equal(code, 0);
  });

  test(name('the death of the server ends calls with an error'), options, async () => {
    for (const fields of [1, 20_000]) {
      const server = await startServer({ path });
      const outcome = await duringCalls(kind, path, fields, () => process.kill(server.pid, 'SIGKILL'));
      assert.deepEqual(outcome, ['DISCONNECTED']);
      await server.stop();
    }
  });

  test(name('after the death of the server every call is an error'), options, async () => {
    const shared = readdirSync('/dev/shm').sort();
    const { maps } = resources();
    const backend = await createBackend({ kind });
    await checkCall(backend, 10);
    const before = children();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await until(() => !before.some(lives));
    await failsWith(() => backend.sponge.hash([1n]), 'DISCONNECTED');
    await failsWith(() => backend.sponge.hash([1n]), 'DISCONNECTED');
    await backend.dispose();
    await failsWith(() => backend.sponge.hash([1n]), 'INVALID_STATE');
    assert.deepEqual(readdirSync('/dev/shm').sort(), shared);
    assert.equal(resources().maps, maps);
  });

  test(name('a stop lets calls end and leaves nothing'), options, async () => {
    for (const fields of [1, 20_000]) {
      const server = await startServer({ path });
      let code;
      const outcome = await duringCalls(kind, path, fields, async () => (code = await server.stop()));
      assert.deepEqual(outcome, ['DISCONNECTED']);
      assert.equal(code, 0);
      assert.equal(existsSync(path), false);
    }
  });

  test(name('a client that is killed in the middle leaves nothing'), options, withServer({ path }, async (server) => {
    const witness = await createBackend({ kind, path });
    await checkCall(witness, 10);
    const before = resources(server.pid);
    const client = program(
      `const backend = await createBackend({ kind: args[0], path: args[1] });
       const request = new Uint8Array(32 * 2000);
       for (let count = 0; ; count++) {
         await backend.sponge.hash(request);
         if (count === 3) console.log('started');
       }`,
      kind, path,
    );
    await once(client.stdout, 'data');
    client.kill('SIGKILL');
    await until(() => resources(server.pid).fds <= before.fds);
    await until(() => resources(server.pid).threads <= before.threads);
    await checkCall(witness, 10);
    await witness.dispose();
  }));

  test(name('a server that does not go on is a deadline, and then goes on'), options, withServer({ path }, async (server) => {
    const backend = await createBackend({ kind, path, timeout: 50 });
    await until(async () => (await backend.sponge.hash([1n]).catch?.(() => 0)) !== 0);
    process.kill(server.pid, 'SIGSTOP');
    await until(() => /^\d+ \(.*\) T/.test(readFileSync(`/proc/${server.pid}/stat`, 'utf8')));
    await failsWith(() => backend.sponge.hash([1n]), 'DEADLINE');
    await failsWith(() => backend.sponge.hash([2n]), 'DEADLINE');
    process.kill(server.pid, 'SIGCONT');
    // The late answers are not taken for those of later calls.
    await until(async () => {
      try {
        await checkCall(backend, 1000);
        return true;
      } catch (error) {
        assert.equal(error.code, 'DEADLINE');
        return false;
      }
    });
    await backend.dispose();
  }));

  test(name('a thousand cycles leave nothing, in the client and the server'), options, withServer({ path }, async (server) => {
    let before;
    for (let i = 0; i < 1000; i++) {
      const backend = await createBackend({ kind, path, ringBytes: kind === 'uds' ? undefined : 4096 });
      await checkCall(backend, 32);
      await backend.dispose();
      if (i === 20) {
        await until(async () => (await server.counters()).clients === 1);
        before = [resources(), resources(server.pid)];
      }
    }
    await until(() => isFlat(before, server.pid));
  }));

  test(name('servers of their own come and go'), options, async () => {
    const shared = readdirSync('/dev/shm').sort();
    for (let i = 0; i < 10; i++) {
      const backend = await createBackend({ kind });
      await checkCall(backend, 32);
      assert.equal(children().length, 1);
      await backend.dispose();
      await until(() => children().length === 0);
    }
    assert.deepEqual(readdirSync('/dev/shm').sort(), shared);
  });

  test(name('a process that forgets to dispose ends, and its server too'), options, async () => {
    const child = program(
      `const backend = await createBackend({ kind: args[0] });
       await backend.sponge.hash([1n]);
       console.log('done');`,
      kind,
    );
    let pids = [];
    child.stdout.on('data', () => {});
    await until(() => child.exitCode !== null || (pids = children(child.pid)).length > 0);
    if (child.exitCode === null) await once(child, 'exit');
    assert.equal(child.exitCode, 0);
    await until(() => !pids.some(lives));
  });

  test(name('the server ends when its process is killed'), options, async () => {
    const child = program(
      `const backend = await createBackend({ kind: args[0] });
       await backend.sponge.hash([1n]);
       console.log('done');
       setInterval(() => {}, 1000);`,
      kind,
    );
    await once(child.stdout, 'data');
    const pids = children(child.pid);
    assert.equal(pids.length, 1);
    child.kill('SIGKILL');
    await until(() => !pids.some(lives));
  });

  test(name('a worker can end in the middle of calls'), options, withServer({ path }, async (server) => {
    const source = `
      const { parentPort, workerData } = require('node:worker_threads');
      const { entry, ...options } = workerData;
      import(entry).then(async ({ createBackend }) => {
        const backend = await createBackend(options);
        for (let count = 0; ; count++) {
          await backend.sponge.hash(new Uint8Array(32 * 300));
          if (count === 3) parentPort.postMessage('started');
        }
      });`;
    for (let i = 0; i < 5; i++) {
      const worker = new Worker(source, { eval: true, workerData: { entry, kind, path } });
      await once(worker, 'message');
      await worker.terminate();
    }
    await until(async () => (await server.counters()).clients === 1);
  }));

  test(name('more clients than allowed are told, and come in when one goes'), options, withServer({ path, maxClients: 2 }, async (server) => {
    // The connection of the server object counts.
    const first = await createBackend({ kind, path });
    const error = await failure(() => createBackend({ kind, path }));
    assert.deepEqual(details(error), { code: 'TOO_MANY_CLIENTS', limit: 2 });
    await first.dispose();
    await until(async () => (await server.counters()).clients === 1);
    const second = await createBackend({ kind, path });
    await checkCall(second, 10);
    await second.dispose();
    assert.ok((await server.counters()).errors.TOO_MANY_CLIENTS > 0);
  }));

  test(name('a server without descriptors says so, and serves those it has'), options, async () => {
    const limited = ['-c', 'ulimit -n 14; exec "$0" "$@"', spiculed];
    await withProgram('sh', limited, {}, async () => {
      const open = [];
      const error = await failure(async () => {
        for (let i = 0; i < 20; i++) open.push(await createBackend({ kind, path }));
      });
      assert.equal(error.code, 'NO_DESCRIPTORS');
      assert.ok(open.length > 0);
      for (const backend of open) {
        await checkCall(backend, 100);
        await backend.dispose();
      }
    });
  });

  const faults = kind === 'uds' ? ['pthread_create'] : ['memfd_create', 'posix_fallocate', 'mmap',
    'pthread_create'];
  for (const fault of faults) {
    test(name(`a server whose ${fault} fails says so, and leaves nothing`), optionsWith(faultLibrary), async () => {
      const env = { LD_PRELOAD: faultLibrary, SPICULE_FAULTS: fault };
      await withProgram(spiculed, [], env, async (server) => {
        const before = [resources(), resources(server.pid)];
        for (let i = 0; i < 20; i++) {
          const expected = fault === 'pthread_create' ? 'NO_THREADS' : 'NO_SHARED_MEMORY';
          await failsWith(() => createBackend({ kind, path }), expected);
        }
        await until(() => isFlat(before, server.pid));
      });
    });
  }

  test(name('sixteen clients at once, one that never reads, one that sends garbage'), options,
    withServer({ path }, async (server) => {
      const misbehaved = spawnSync(process.execPath, ['-e', `
        const { connect } = require('node:net');
        const slow = connect(${JSON.stringify(path)}, () => slow.write('SPCQ'));
        const hostile = connect(${JSON.stringify(path)}, () => hostile.write(Buffer.alloc(100, 7)));
        hostile.on('close', () => process.exit(9));
        hostile.on('error', () => {});
        hostile.resume();`]);
      assert.equal(misbehaved.status, 9);
      const backends = await Promise.all(
        Array.from({ length: 16 }, () => createBackend({ kind, path })));
      for (let round = 0; round < 10; round++) {
        await Promise.all(backends.map((backend, i) => checkCall(backend, round * 100 + i)));
      }
      assert.equal((await server.counters()).clients, 17);
      for (const backend of backends) await backend.dispose();
    }));

  test(name('nobody at the path, or something else'), options, async () => {
    const other = join(folder, 'file');
    writeFileSync(other, '');
    await failsWith(() => createBackend({ kind, path: join(folder, 'none') }), 'UNREACHABLE');
    await failsWith(() => createBackend({ kind, path: other }), 'UNREACHABLE');
    await failsWith(() => createBackend({ kind, path: 'x'.repeat(200) }),
      kind === 'uds' ? 'UNREACHABLE' : 'BAD_ADDRESS');
    rmSync(other);
  });

  test(name('values of a wrong type'), options, async () => {
    for (const wrong of [{ path: 5 }, { timeout: '1' }]) {
      await assert.rejects(createBackend({ kind, ...wrong }), TypeError);
    }
    if (kind === 'uds') return;
    await assert.rejects(createBackend({ kind, ringBytes: '4096' }), TypeError);
    for (const ringBytes of [0, 1, 5000, 2 ** 31]) {
      await failsWith(() => createBackend({ kind, ringBytes }), 'INVALID_ARGUMENT');
    }
  });
}

for (const kind of ['shm-sync', 'shm-async']) {
  test(`${kind}: whatever a server writes into the shared memory, calls end`, optionsWith(hostileServer), async () => {
    const server = spawn(hostileServer, [path], { stdio: 'inherit' });
    await until(() => existsSync(path));
    const before = resources();
    let errors = 0;
    // Each connection is treated in one of four ways.
    for (let i = 0; i < 20; i++) {
      const backend = await createBackend({ kind, path, timeout: 50 });
      for (const run of [() => backend.sha2.sha256(bytes(32)), () => backend.call(OPERATIONS.HASH, bytes(64))]) {
        try {
          await run();
        } catch (error) {
          assert.equal(error.name, 'SpiculeError', error.stack);
          errors++;
        }
      }
      await backend.dispose();
    }
    assert.ok(errors > 20, `${errors} errors`);
    server.kill();
    await once(server, 'exit');
    rmSync(path);
    await until(() => resources().fds <= before.fds && resources().maps <= before.maps);
  });
}

for (const kind of ['shm-async', 'uds']) {
  test(`${kind}: many calls at once are answered, each with its own`, options, async () => {
    const backend = await createBackend({ kind, ringBytes: kind === 'uds' ? undefined : 4096 });
    const lengths = Array.from({ length: 2000 }, (_, i) => (i * 37) % 5000);
    const digests = await Promise.all(lengths.map((length) => backend.sha2.sha256(bytes(length))));
    digests.forEach((digest, i) => assert.deepEqual(digest, sha256(bytes(lengths[i]))));
    await backend.dispose();
  });

  test(`${kind}: the request has been read when the call returns`, options, async () => {
    const backend = await createBackend({ kind, ringBytes: kind === 'uds' ? undefined : 4096 });
    for (const length of [100, 100_000]) {
      const request = bytes(length);
      const pending = [backend.sha2.sha256(request), backend.sha2.sha256(request)];
      request.fill(0);
      for (const digest of pending) assert.deepEqual(await digest, sha256(bytes(length)));
    }
    await backend.dispose();
  });

  test(`${kind}: dispose rejects what is pending`, options, async () => {
    const backend = await createBackend({ kind });
    const pending = [1, 2, 3].map(() => failure(() => backend.sponge.hash(new Uint8Array(32 * 20_000))));
    await backend.dispose();
    for (const error of await Promise.all(pending)) assert.equal(error.code, 'DISCONNECTED');
  });

  test(`${kind}: a deadline of one call does not end the others`, options, async () => {
    const slow = await createBackend({ kind, timeout: 20 });
    const pending = [1, 2, 3].map(() => failure(() => slow.sponge.hash(new Uint8Array(32 * 20_000))));
    for (const error of await Promise.all(pending)) assert.equal(error.code, 'DEADLINE');
    await slow.dispose();
  });
}

// A server that is none, for the client in TypeScript; the C client has its own tests.
const GREETING = Buffer.concat([frame({ id: 0, length: 16 }), u64(1000), u64(1000)]);

function u64(value) {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

function frame({ magic = 'SPCR', version = 1, status = 0, id = 1, length = 0, room = 0 }) {
  const out = Buffer.alloc(32);
  out.write(magic, 'latin1');
  out.writeUInt32LE(version, 4);
  out.writeUInt32LE(status, 8);
  out.writeUInt32LE(id, 12);
  u64(length).copy(out, 16);
  u64(room).copy(out, 24);
  return out;
}

/** What a client gets whose server says these bytes unasked, and those to the first call. */
async function against(greeting, answer) {
  const server = createServer((socket) => {
    const say = (text) => {
      if (text === undefined) socket.destroy();
      else for (const byte of text) socket.write(Buffer.of(byte));
    };
    socket.unref();
    socket.on('error', () => {});
    socket.on('data', () => say(answer));
    say(greeting);
  });
  server.listen(path);
  await once(server, 'listening');
  try {
    const backend = await createBackend({ kind: 'uds', path, timeout: 1000 });
    return await backend.call(OPERATIONS.SHA256, new Uint8Array(8));
  } finally {
    server.close();
  }
}

test('uds: answers in single bytes', options, async () => {
  const answer = Buffer.concat([frame({ length: 3 }), Buffer.from('abc')]);
  assert.equal(Buffer.from(await against(GREETING, answer)).toString(), 'abc');
});

test('uds: answers that are none', options, async () => {
  const record = Buffer.concat([u64(1), u64(2), u64(3), Buffer.from('a.b')]);
  const greetings = [
    { magic: 'SPCQ' }, { version: 2 }, { room: 1 }, { id: 7, length: 16 }, { id: 0, length: 17 },
    { id: 0, length: 15 }, { id: 0, length: 2n ** 64n - 1n },
  ];
  for (const greeting of greetings) {
    const text = Buffer.concat([frame(greeting), Buffer.alloc(15)]);
    await failsWith(() => against(text), 'BAD_FRAME');
  }
  const answers = [
    { id: 2 }, { id: 0 }, { length: 1001 }, { status: 9, length: 1000 }, { status: 9, length: 0 },
    { status: 9, length: 23 },
  ];
  for (const answer of answers) {
    const text = Buffer.concat([frame(answer), record]);
    await failsWith(() => against(GREETING, text), 'BAD_FRAME');
  }
  await failsWith(() => against(), 'DISCONNECTED');
  await failsWith(() => against(GREETING), 'DISCONNECTED');
  await failsWith(() => against(GREETING, frame({ length: 9 })), 'DEADLINE');
  const whole = Buffer.concat([frame({ status: 9, length: record.length }), record]);
  const error = await failure(() => against(GREETING, whole));
  assert.deepEqual(details(error), { code: 'MALFORMED', offset: 1, index: 2, limit: 3, path: 'a.b' });
  const refusal = Buffer.concat([frame({ id: 0, status: 109, length: record.length }), record]);
  await failsWith(() => against(refusal), 'TOO_MANY_CLIENTS');
  await failsWith(() => against(GREETING, refusal), 'TOO_MANY_CLIENTS');
});

test('a server: path, mode, counters, a second one, a stale file', options, async (t) => {
  const server = await startServer({ path });
  // Where an assertion fails before the end, the tests behind this one need the path.
  t.after(() => lives(server.pid) && process.kill(server.pid, 'SIGKILL'));
  assert.equal(server.path, path);
  assert.ok(lives(server.pid));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const second = await failure(() => startServer({ path }));
  assert.equal(second.code, 'ADDRESS_IN_USE');
  const backend = await createBackend({ kind: 'uds', path });
  await checkCall(backend, 100);
  await failsWith(() => backend.call(OPERATIONS.SHA256_PAIRS, new Uint8Array(1)), 'WRONG_LENGTH');
  const counters = await server.counters();
  assert.equal(counters.clients, 2);
  assert.ok(counters.calls >= 3 && counters.request_bytes >= 101 && counters.response_bytes >= 32);
  assert.deepEqual(counters.errors, { WRONG_LENGTH: 1 });
  await backend.dispose();
  process.kill(server.pid, 'SIGKILL');
  await until(() => !lives(server.pid));
  assert.ok(existsSync(path));
  const next = await startServer({ path });
  assert.equal(await next.stop(), 0);
  assert.equal(existsSync(path), false);
});

test('servers that do not start', options, async () => {
  const lost = await failure(() => startServer({ path: join(folder, 'none/socket') }));
  assert.equal(lost.code, 'SYSTEM_FAILURE');
  assert.match(lost.message, /No such file/);
  await assert.rejects(startServer({}), TypeError);
  await assert.rejects(startServer(), TypeError);
  await assert.rejects(startServer({ path, maxClients: '1' }), TypeError);
  const zero = await failure(() => startServer({ path, maxClients: 0 }));
  assert.match(zero.message, /max-clients/);
});

test('limits of a server are told to its clients', options, withServer({ path, maxRequest: 1000, maxResponse: 64 }, async (server) => {
  for (const kind of KINDS) {
    const backend = await createBackend({ kind, path: server.path });
    await checkCall(backend, 1000);
    const long = await failure(() => backend.sha2.sha256(bytes(1001)));
    assert.deepEqual(details(long), { code: 'SIZE_LIMIT', limit: 1000 });
    const wide = await failure(() => backend.sha2.sha256Pairs(bytes(192)));
    assert.deepEqual(details(wide), { code: 'SIZE_LIMIT', limit: 64 });
    await backend.dispose();
  }
}));

for (const kind of KINDS) {
  test(`${kind}: other users are refused, both ways`, options, async (t) => {
    if (process.geteuid() !== 0) return t.skip('SKIPPED: only root can act as another user');
    const nobody = { uid: 65534, gid: 65534 };
    chmodSync(folder, 0o777);
    const copy = join(folder, 'spiculed');
    copyFileSync(spiculed, copy);
    const other = spawn(copy, ['--socket', path], { stdio: 'inherit', ...nobody });
    await until(() => existsSync(path));
    await failsWith(() => createBackend({ kind, path }), 'PEER_REFUSED');
    other.kill();
    assert.deepEqual(await once(other, 'exit'), [0, null]);
    rmSync(copy);

    // Our own, of root, where even the mode of the socket would let others in.
    const server = await startServer({ path });
    chmodSync(path, 0o666);
    const text = `
      import { createBackend } from '${entry}';
      process.setgid(${nobody.gid});
      process.setuid(${nobody.uid});
      await createBackend({ kind: '${kind}', path: '${path}' }).catch(({ code }) => console.log(code));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' });
    const { errors } = await server.counters();
    await server.stop();
    if (stdout === 'UNAVAILABLE\n') return t.skip('SKIPPED: other users can not read this checkout');
    assert.equal(stdout, 'PEER_REFUSED\n');
    assert.ok(errors.PEER_REFUSED > 0);
  });
}
