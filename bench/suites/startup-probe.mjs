// startup-probe.mjs MODULE NAME: opens a back end and hashes one field; prints the milliseconds
// from the first import on, and the hash.
import { performance } from 'node:perf_hooks';

const [module, name] = process.argv.slice(2);
const start = performance.now();
const { open } = await import(module);
const backend = await open(name, 'startup');
const hash = await backend.hash(new Uint8Array(32).fill(1));
const milliseconds = performance.now() - start;
process.stdout.write(JSON.stringify({ milliseconds, hash: Buffer.from(hash).toString('hex') }));
process.exit();
