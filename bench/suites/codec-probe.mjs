// A process of its own for one figure of the codec suite. Gets {what, ...} as JSON, prints the figure.
//   startup   nanoseconds from the import of `module` to its first message decoded
//   retained  bytes a transaction that decoded blocks keep alive, of a form of `module`
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import { usedMemory } from '../lib/memory.mjs';

const { what, module, name, block, transactions } = JSON.parse(process.argv[2]);

const PROBES = {
  async startup() {
    const file = readFileSync(transactions);
    const at = 4 + 4 * (file.readUInt32LE(0) + 1);
    const bytes = new Uint8Array(file.subarray(at, at + file.readUInt32LE(8)));
    const start = performance.now();
    const length = (await import(module)).first(bytes);
    const value = (performance.now() - start) * 1e6;
    if (!(length > 0)) throw new Error(`${module} decoded no body`);
    return value;
  },

  async retained() {
    const COPIES = 4;
    const form = await (await import(module)).open(name);
    const bytes = new Uint8Array(readFileSync(block));
    const count = readFileSync(transactions).readUInt32LE(0);
    // Made of bytes that nothing else holds, as what a message refers to is what it keeps.
    const decode = (length) => form.decode('Block', bytes.slice(0, length));
    // Loads and compiles what there is to load, with next to no data: the first item, a header.
    const first = decode(2 + bytes[1]);
    form.drop?.(first);
    const before = usedMemory();
    const kept = Array.from({ length: COPIES }, () => decode(bytes.length));
    return (usedMemory() - before) / (kept.length * count);
  },
};

process.stdout.write(JSON.stringify(await PROBES[what]()));
process.exit();
