// Loading, variants, memory and faults, on the smallest module.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { Job } from '../../../dist/core/job.js';
import * as spicule from '../../../dist/index.js';
import * as sha2 from '../../../dist/sha2.js';
import { unpackModule } from '../../../dist/core/text.js';
import * as embedded from '../../../dist/wasm/sha2.js';
import { packModule } from '../../../scripts/pack-module.mjs';
import { details, throwsSpicule, throwsType } from './support/errors.mjs';

const dist = new URL('../../../dist/', import.meta.url);
const bytes = Uint8Array.of(1, 2, 3);
const expected = sha2.createInstanceSync().sha256(bytes);

/** A job of its own, so that a test has a default instance to itself. */
const newJob = (variants = embedded) => new Job('sha2', 'sha256_init', variants, spicule.supports, (wasm) => wasm);

/** Runs a program in a fresh process and gives what it prints. */
function inProcess(program, ...flags) {
  const source = program.replaceAll('DIST', dist.href);
  const command = ['--no-warnings', ...flags, '--input-type=module', '-e', source];
  return execFileSync(process.execPath, command, { encoding: 'utf8' }).trim();
}

test('importing compiles nothing; the first call does', () => {
  const program = `
    let compiled = 0;
    const Module = WebAssembly.Module;
    WebAssembly.Module = new Proxy(Module, { construct: (target, args) => (compiled++, new target(...args)) });
    WebAssembly.compile = WebAssembly.validate = WebAssembly.instantiate = () => { throw new Error('early'); };
    await import('DISTindex.js');
    const sha2 = await import('DISTsha2.js');
    const before = compiled;
    WebAssembly.validate = () => true;
    sha2.sha256(new Uint8Array(3));
    console.log(before, compiled);`;
  // The loop that decodes the module's text, and the module.
  assert.equal(inProcess(program), '0 2');
});

test('loads that overlap give one instance', async () => {
  const job = newJob();
  const loads = [job.load(), job.load()];
  const [first, second] = await Promise.all(loads);
  assert.equal(first, second);
  assert.equal(job.loadSync(), first);
  assert.equal(await job.load(), first);
  assert.equal(job.current(), first);
});

test('a synchronous load during an asynchronous one wins', async () => {
  const job = newJob();
  const pending = job.load();
  const now = job.loadSync();
  assert.equal(await pending, now);
  assert.equal(await job.load(), now);
});

test('the entries share their default instances', async () => {
  const [all, one] = await Promise.all([spicule.load(), sha2.load()]);
  assert.equal(all.sha2, one);
  assert.equal(spicule.loadSync().sha2, sha2.loadSync());
});

test('the best variant that the engine supports is loaded', async () => {
  const best = ['relaxed', 'simd', 'baseline'].find((v) => embedded[v] && spicule.supports(v));
  assert.equal(sha2.loadSync().variant, best);
  assert.equal((await sha2.createInstance()).variant, best);
  assert.equal(spicule.supports('baseline'), true);
  // Every engine that this package supports has SIMD.
  assert.equal(spicule.supports('simd'), true);
});

test('a variant can be forced, and the module that runs is that one', async () => {
  for (const variant of Object.keys(embedded).filter(spicule.supports)) {
    const instance = await sha2.createInstance({ variant });
    assert.equal(instance.variant, variant);
    assert.deepEqual(instance.sha256(bytes), expected);
    const file = readFileSync(new URL(`wasm/sha2-${variant}.wasm`, dist));
    assert.deepEqual(Buffer.from(unpackModule(embedded[variant])), file);
  }
});

test('what is packed comes out again: every module, and what does not compress', async () => {
  const names = readdirSync(new URL('wasm/', dist)).filter((name) => /-.*\.js$/.test(name))
    .map((name) => name.replace('.js', ''));
  assert.ok(names.length >= 9);
  // Of the codec the file has all in one.
  const parts = { 'codec-baseline': 'codec_core-baseline', 'codec_json-baseline': 'codec_json-baseline' };
  for (const name of names) {
    const { default: text } = await import(new URL(`wasm/${name}.js`, dist));
    const file = parts[name] === undefined ? `wasm/${name}.wasm` : `../build/wasm/${parts[name]}.wasm`;
    assert.deepEqual(Buffer.from(unpackModule(text)), readFileSync(new URL(file, dist)), name);
  }
  // A custom section of bytes by SHA-256, without code; and nothing at all behind the head.
  const blocks = Array.from({ length: 3000 }, (_, i) => createHash('sha256').update(`${i}`).digest());
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const section = Buffer.from([...head, 0, 0x81, 0xee, 0x05, 0, ...Buffer.concat(blocks)]);
  for (const module of [section, Buffer.from(head)]) {
    assert.ok(WebAssembly.validate(module));
    assert.deepEqual(Buffer.from(unpackModule(await packModule(module))), module);
  }
});

test('where a job lacks the variant, the next simpler one runs', () => {
  const job = newJob({ baseline: embedded.baseline });
  assert.equal(job.createInstanceSync({ variant: 'simd' }).variant, 'baseline');
  assert.equal(job.createInstanceSync().variant, 'baseline');
});

test('a variant is tried out before it is used', () => {
  const program = `
    const { supports } = await import('DISTindex.js');
    console.log(supports('relaxed'));`;
  const relaxed = Number(process.versions.node.split('.')[0]) >= 22;
  assert.equal(inProcess(program), String(relaxed));
  if (!relaxed) assert.equal(inProcess(program, '--experimental-wasm-relaxed-simd'), 'true');
  // The engine has the instruction, and does not fuse.
  const unfused = `
    WebAssembly.validate = () => true;
    WebAssembly.Module = class {};
    WebAssembly.Instance = class { exports = { madd: (a, b, c) => a * b + c }; };
    ${program}`;
  assert.equal(inProcess(unfused), 'false');
  // Compiling is forbidden, by a content security policy for one.
  const forbidden = `
    WebAssembly.validate = () => true;
    WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError(); } };
    ${program}`;
  assert.equal(inProcess(forbidden), 'false');
});

test('the sponge runs on relaxed SIMD where the engine has it and fuses', () => {
  const program = `
    const { createInstanceSync } = await import('DISTsponge.js');
    const sponge = createInstanceSync();
    const hash = Buffer.from(sponge.hash(new Uint8Array(96).fill(1))).toString('hex');
    const level = Buffer.from(sponge.compressMany(new Uint8Array(192).fill(2))).toString('hex');
    console.log(sponge.variant, hash, level);`;
  const run = (...args) => inProcess(...args).split(' ');
  const relaxed = Number(process.versions.node.split('.')[0]) >= 22;
  const [variant, ...results] = run(program, ...(relaxed ? [] : ['--experimental-wasm-relaxed-simd']));
  assert.equal(variant, 'relaxed');
  const unfused = `
    WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
      construct(target, args) {
        const instance = new target(...args);
        return instance.exports.madd ? { exports: { madd: (a, b, c) => a * b + c } } : instance;
      },
    });
    ${program}`;
  assert.deepEqual(run(unfused), ['simd', ...results]);
  if (!relaxed) assert.deepEqual(run(program), ['simd', ...results]);
});

test('an unsupported variant is an error when forced, and passed over when not', () => {
  const program = `
    const validate = WebAssembly.validate;
    WebAssembly.validate = () => false;
    const sha2 = await import('DISTsha2.js');
    console.log(sha2.createInstanceSync().variant);
    try { sha2.createInstanceSync({ variant: 'simd' }); } catch (error) { console.log(error.code); }`;
  assert.equal(inProcess(program), 'baseline\nUNAVAILABLE');
});

test('unknown variants are TypeErrors', async () => {
  throwsType(() => sha2.createInstanceSync({ variant: 'avx' }), 'variant');
  await assert.rejects(sha2.createInstance({ variant: 'avx' }), TypeError);
});

test('a compiled module can be given', async () => {
  const module = new WebAssembly.Module(readFileSync(new URL('wasm/sha2-baseline.wasm', dist)));
  const job = newJob({});
  const loaded = job.loadSync(module);
  assert.equal(loaded.variant, undefined);
  assert.equal(job.current(), loaded);
  const instance = await sha2.createInstance({ module });
  assert.deepEqual(instance.sha256(bytes), expected);
});

test('modules of another kind are refused', () => {
  const empty = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  throwsSpicule(() => newJob().loadSync(empty), { code: 'INVALID_ARGUMENT' });
  throwsType(() => newJob().loadSync({}), 'module');
  throwsType(() => newJob().loadSync(bytes), 'module');
});

test('without an embedded module the error says what to do', async () => {
  const job = newJob({});
  throwsSpicule(() => job.current(), { code: 'UNAVAILABLE' });
  assert.throws(() => job.current(), /give loadSync\(\) the compiled spicule\/wasm\/sha2-simd\.wasm/);
  await assert.rejects(job.load(), { code: 'UNAVAILABLE' });
});

test('a load that fails leaves the next one its chance', async () => {
  const variants = { baseline: 'AGFzbQEAAA==' };
  const job = newJob(variants);
  await assert.rejects(job.load(), { code: 'UNAVAILABLE' });
  throwsSpicule(() => job.loadSync(), { code: 'UNAVAILABLE' });
  variants.baseline = embedded.baseline;
  assert.equal(await job.load(), job.loadSync());
});

test('results survive growth of the memory', () => {
  const instance = sha2.createInstanceSync();
  const small = instance.sha256(bytes);
  for (const size of [1 << 16, 1 << 20, 3 << 20]) {
    const large = new Uint8Array(size).fill(size >> 16);
    assert.deepEqual(instance.sha256(large), sha2.createInstanceSync().sha256(large));
    assert.deepEqual(instance.sha256(bytes), expected);
  }
  assert.deepEqual(small, expected);
});

test('memory of a very large call is given back by a later small one', () => {
  const wasm = newJob().createInstanceSync();
  wasm.reserve(65 * 2 ** 20);
  assert.ok(wasm.bytes.length > 65 * 2 ** 20);
  wasm.reserve(100);
  assert.ok(wasm.bytes.length < 2 ** 20);
});

test('memory that can\'t be had is an error, and the instance goes on', () => {
  const wasm = newJob().createInstanceSync();
  for (const size of [2 ** 32 - 1, 2 ** 32, 2 ** 33]) {
    throwsSpicule(() => wasm.reserve(size), { code: 'OUT_OF_MEMORY', limit: size });
  }
  const out = new Uint8Array(32);
  wasm.call(spicule.OPERATIONS.SHA256, bytes, out);
  assert.deepEqual(out, expected);
});

test('a trap is an error, and the instance goes on', () => {
  const wasm = newJob().createInstanceSync();
  const out = new Uint8Array(32);
  for (let round = 0; round < 1000; round++) {
    const at = wasm.reserve(64);
    throwsSpicule(() => wasm.exports.sha256_pairs(at, at, 0x7fffffff), { code: 'INTERNAL' });
  }
  wasm.call(spicule.OPERATIONS.SHA256, bytes, out);
  assert.deepEqual(out, expected);
});

test('a stack overflow of the caller leaves the instance in order', () => {
  const instance = sha2.createInstanceSync();
  const block = new Uint8Array(128);
  const deeper = () => {
    instance.sha384(block);
    deeper();
  };
  for (let round = 0; round < 20; round++) assert.throws(deeper, RangeError);
  assert.deepEqual(instance.sha256(bytes), expected);
});

test('an instance of its own shares nothing', () => {
  const [one, two] = [newJob().createInstanceSync(), newJob().createInstanceSync()];
  assert.notEqual(one.bytes.buffer, two.bytes.buffer);
  one.reserve(1 << 22);
  assert.ok(two.bytes.length < 1 << 22);
  assert.equal(one.exports.call(255, one.reserve(1), 0, 0, 0), 3);
  assert.throws(() => one.check(3), (error) => details(error).index === 255);
  assert.throws(() => two.check(3), (error) => details(error).index !== 255);
});

test('a disposed instance says so', () => {
  const instance = sha2.createInstanceSync();
  const other = sha2.createInstanceSync();
  instance[Symbol.dispose]();
  instance.dispose();
  throwsSpicule(() => instance.sha256(bytes), { code: 'INVALID_STATE' });
  throwsSpicule(() => instance.call(16, bytes), { code: 'INVALID_STATE' });
  throwsSpicule(() => new instance.Sha256(), { code: 'INVALID_STATE' });
  assert.deepEqual(other.sha256(bytes), expected);
});

test('workers load, work and end', async () => {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.entry).then(async ({ load, sha256, createInstance }) => {
      await load();
      const given = await createInstance({ module: workerData.module });
      const bytes = Uint8Array.of(1, 2, 3);
      parentPort.postMessage([sha256(bytes), given.sha256(bytes)]);
    });`;
  const module = new WebAssembly.Module(readFileSync(new URL('wasm/sha2-baseline.wasm', dist)));
  const workerData = { entry: new URL('sha2.js', dist).href, module };
  for (let round = 0; round < 3; round++) {
    const answers = [0, 1].map(async () => {
      const worker = new Worker(source, { eval: true, workerData });
      const [[own, given]] = await once(worker, 'message');
      assert.deepEqual(own, expected);
      assert.deepEqual(given, expected);
      await worker.terminate();
    });
    await Promise.all(answers);
  }
  assert.deepEqual(sha2.sha256(bytes), expected);
});

/** The files that `entry` reaches by static imports, with their texts. */
function reachable(entry, found = new Map()) {
  if (found.has(entry.href)) return found;
  const text = readFileSync(entry, 'utf8');
  found.set(entry.href, text);
  for (const [, specifier] of text.matchAll(/(?:^(?:im|ex)port\b[^'"=;()]*|\bimport\s*\(\s*)['"]([^'"]+)['"]/gm)) {
    assert.match(specifier, /^\.\.?\//, `${entry}: imports ${specifier}`);
    reachable(new URL(specifier, entry), found);
  }
  return found;
}

test('a platform without Buffer runs the modules too', () => {
  const program = `
    delete globalThis.Buffer;
    const { sha256 } = await import('DISTsha2.js');
    console.log(sha256(Uint8Array.of(1, 2, 3)).join());`;
  assert.equal(inProcess(program), expected.join());
});

test('the default entries need nothing but the language and WebAssembly', () => {
  for (const name of ['index.js', 'sha2.js', 'codec/json.js', 'workerd/index.js', 'workerd/sha2.js']) {
    for (const [file, text] of reachable(new URL(name, dist))) {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      assert.doesNotMatch(code, /\b(process|require|Buffer|eval|Function|fetch|document)\s*[.(]/, file);
      assert.doesNotMatch(code, /^(const \w+ = )?await\b/m, `${file}: top-level await`);
    }
  }
});

test('the files for platforms that forbid compiling have no module inside', () => {
  for (const name of ['index.js', 'sha2.js', 'codec/json.js']) {
    for (const [file, text] of reachable(new URL(`workerd/${name}`, dist))) {
      assert.ok(!/'[^'\n]{5000}/.test(text), file);
    }
  }
});
