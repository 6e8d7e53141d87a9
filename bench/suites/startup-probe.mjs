// A probe (lib/probe-contestants.mjs): opens a back end and hashes one field; the time counts from
// the first import on.
import { performance } from 'node:perf_hooks';

const { module, name } = JSON.parse(process.argv[2]);
const start = performance.now();
const { open } = await import(module);
const backend = await open(name, 'startup');
const hash = await backend.hash(new Uint8Array(32).fill(1));
const nanoseconds = (performance.now() - start) * 1e6;
const result = { 'first hash': Buffer.from(hash).toString('hex') };
process.stdout.write(JSON.stringify({ nanoseconds, result }));
process.exit();
