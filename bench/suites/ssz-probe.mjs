// A process of its own: what a deserialized and hashed state of the SSZ suite keeps alive, in bytes
// for each byte of it. Arguments: the module of a library, and its name.
import { stateBytes } from './ssz-js.mjs';

const [, , module, name] = process.argv;
const library = await (await import(module)).open(name);
const bytes = stateBytes();

/** The heap, and what lies outside of it: arrays and Wasm memory. */
function used() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = used();
const state = library.view(library.types.state200k.bounded, bytes);
state.hashTreeRoot();
process.stdout.write(String((used() - before) / bytes.length));
process.exit(state === undefined ? 1 : 0);
