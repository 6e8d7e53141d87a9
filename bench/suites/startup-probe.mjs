// A probe (lib/probe-contestants.mjs): opens a back end and hashes one field. The time counts from
// the first import on, or, for "create-and-call", from when the package has been imported.
import { performance } from 'node:perf_hooks';

const { module, name, variant } = JSON.parse(process.argv[2]);
if (variant === 'create-and-call') await (await import(module)).importPackage(name);
const start = performance.now();
const { open } = await import(module);
const backend = await open(name, 'startup');
const hash = await backend.hash(new Uint8Array(32).fill(1));
const nanoseconds = (performance.now() - start) * 1e6;
const result = { 'first hash': Buffer.from(hash).toString('hex') };
process.stdout.write(JSON.stringify({ nanoseconds, result }));
process.exit();
