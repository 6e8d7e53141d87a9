// A process of its own: what a deserialized and hashed state of the SSZ suite keeps alive, in bytes
// for each byte of it. Gets {module, name} of a library as JSON.
import { usedMemory } from '../lib/memory.mjs';
import { stateBytes } from './ssz-js.mjs';

const { module, name } = JSON.parse(process.argv[2]);
const library = await (await import(module)).open(name);
const bytes = stateBytes();

const before = usedMemory();
const state = library.view(library.types.state200k.bounded, bytes);
state.hashTreeRoot();
process.stdout.write(String((usedMemory() - before) / bytes.length));
process.exit(state === undefined ? 1 : 0);
