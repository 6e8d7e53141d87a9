// Every way to run the operations, for tests that hold them against each other.
import { asyncBackend } from '../../../../dist/core/remote.js';
import { OPERATIONS, createInstance, supports } from '../../../../dist/index.js';
import { createBackend } from '../../../../dist/native.js';
import * as embedded from '../../../../dist/wasm/sponge.js';

/** The variants that the package has and this engine runs. */
export const variants = Object.keys(embedded).filter(supports);

for (const variant of Object.keys(embedded).filter((name) => !variants.includes(name))) {
  console.log(`SKIPPED the Wasm variant ${variant}: this engine does not run it`);
}

/** The one of them that is loaded when none is asked for. */
export const bestVariant = ['relaxed', 'simd', 'baseline'].find((name) => variants.includes(name));

/** [kind, back end] of native kinds, as far as the native part is there. */
async function native(...kinds) {
  try {
    return await Promise.all(kinds.map(async (kind) => [kind, await createBackend({ kind })]));
  } catch (error) {
    if (error.code !== 'UNAVAILABLE') throw error;
    console.log(`SKIPPED the native back ends: ${error.message}`);
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
  return [...backends, ...(await native('native', 'shm-sync'))];
}

/**
 * [name, back end] of every back end that answers by promises; one of them is over the dispatcher of
 * a Wasm module.
 */
export async function promisingBackends() {
  const { call } = await createInstance();
  const overWasm = asyncBackend('test', {
    async call(op, request, out) {
      const copy = request.slice();
      await null;
      const response = call(op, copy);
      out.set(response);
      return response.length;
    },
    close() {},
  });
  return [['wasm by promises', overWasm], ...(await native('shm-async', 'uds'))];
}

export { OPERATIONS };
