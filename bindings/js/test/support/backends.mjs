// Every way to run the operations, for tests that hold them against each other.
import { asyncBackend } from '../../../../dist/core/remote.js';
import { OPERATIONS, createInstance, supports } from '../../../../dist/index.js';
import { createBackend } from '../../../../dist/native.js';
import * as embedded from '../../../../dist/wasm/sponge.js';

/** The variants that the package has and this engine runs. */
export const variants = Object.keys(embedded).filter(supports);

/** The one of them that is loaded when none is asked for. */
export const bestVariant = ['relaxed', 'simd', 'baseline'].find((name) => variants.includes(name));

async function native() {
  try {
    return [['native', await createBackend({ kind: 'native' })]];
  } catch (error) {
    if (error.code !== 'UNAVAILABLE') throw error;
    console.log(`SKIPPED the native back end: ${error.message}`);
    return [];
  }
}

/** [name, back end] of every back end that answers at once. */
export async function syncBackends() {
  const backends = [];
  for (const variant of variants) {
    backends.push([`wasm-${variant}`, await createInstance({ variant })]);
    const through = await createInstance({ variant, through: 'call' });
    backends.push([`wasm-${variant} through call`, through]);
  }
  return [...backends, ...(await native())];
}

/** A back end that answers by promises, over the dispatcher of a Wasm module. */
export async function promisingBackend() {
  const { call } = await createInstance();
  return asyncBackend('test', {
    async call(op, request, out) {
      const copy = request.slice();
      await null;
      const response = call(op, copy);
      out.set(response);
      return response.length;
    },
    close() {},
  });
}

export { OPERATIONS };
