// wasi.mjs program.wasm [arguments]: runs a WASI program. Standard input is left alone here: Node
// would make it non-blocking, also for the program.
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [program, ...args], returnOnExit: true });
// Node 20 may collect the object while its program runs, and crash, if nothing else refers to it.
globalThis.wasi = wasi;
const module = new WebAssembly.Module(readFileSync(program));
process.exit(wasi.start(new WebAssembly.Instance(module, wasi.getImportObject())));
