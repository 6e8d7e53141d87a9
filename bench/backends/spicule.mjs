// Our own back ends, all with the same operations: a Wasm variant, or a kind of native back end.
import { readFile } from 'node:fs/promises';

const ofVariant = (name) => name.match(/^wasm-(.+)$/)?.[1];

/** The modules that Emscripten built are in no package: they are given to the loader. */
async function emscripten(job) {
  const file = new URL(`../../build/wasm-emscripten/modules/${job}.wasm`, import.meta.url);
  return { module: await WebAssembly.compile(await readFile(file)) };
}

/** A job in a variant; undefined where the job has none of that name. */
async function instance(job, variant) {
  const { createInstance } = await import(`spicule/${job}`);
  if (variant === 'emscripten') return createInstance(await emscripten(job));
  const made = await createInstance({ variant });
  return made.variant === variant ? made : undefined;
}

async function wasm(variant, suite) {
  return {
    sponge: await instance('sponge', variant),
    sha2: suite === 'kernels' ? await instance('sha2', variant) : undefined,
  };
}

async function native(kind) {
  const { createBackend } = await import('spicule/native');
  return createBackend({ kind });
}

/** Imports what `open` of that name imports for the suite "startup", and runs nothing. */
export const importPackage = (name) =>
  import(ofVariant(name) ? 'spicule/sponge' : 'spicule/native');

/** The implementation of that name for a suite, with no more loaded than the suite needs. */
export async function open(name, suite) {
  const variant = ofVariant(name);
  const { sponge, sha2 } = variant ? await wasm(variant, suite) : await native(name);
  const synchronous = !['shm-async', 'uds'].includes(name);
  const state = new Uint8Array(128);
  return {
    synchronous,
    ...(sponge && {
      permute: sponge.permute,
      permuteFields: sponge.permute,
      ...(synchronous && {
        permuteInto: (bytes) => {
          sponge.permuteInto(state, bytes);
          return state;
        },
      }),
      permuteMany: sponge.permuteMany,
      hash: sponge.hash,
      sponge: (maxFields) => new sponge.SpongeBlob(maxFields),
    }),
    ...(sha2 && { sha256: sha2.sha256, sha256Pairs: sha2.sha256Pairs }),
  };
}
