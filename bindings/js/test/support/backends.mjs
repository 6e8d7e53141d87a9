// Every way to run the operations, for tests that hold them against each other.
import { createInstance, supports } from '../../../../dist/index.js';
import * as embedded from '../../../../dist/wasm/sha2.js';

/** The variants that the package has and this engine runs. */
export const variants = Object.keys(embedded).filter(supports);

/** [name, back end] of every synchronous back end. */
export async function syncBackends() {
  const backends = [];
  for (const variant of variants) {
    backends.push([`wasm-${variant}`, await createInstance({ variant })]);
    const through = await createInstance({ variant, through: 'call' });
    backends.push([`wasm-${variant} through call`, through]);
  }
  return backends;
}
