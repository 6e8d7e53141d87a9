// The back ends that can be measured, by the names that they have in reports. Each is
// {name, suites, module} (open(name) of the module gives the implementation), or {name, suites,
// executable} for the C runner, or has a `reason` why it can't run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../lib/environment.mjs';

const WASM_MODULES = {
  baseline: 'dist/wasm/sponge-baseline.wasm',
  simd: 'dist/wasm/sponge-simd.wasm',
  relaxed: 'dist/wasm/sponge-relaxed.wasm',
  emscripten: 'build/wasm-emscripten/modules/sponge.wasm',
};
const NATIVE_KINDS = ['native'];

const here = (file) => new URL(file, import.meta.url).href;

function nativeRunner() {
  const executable = join(root, 'build/release/bench/native/spicule-bench');
  const backend = { name: 'c', suites: ['sponge', 'kernels'], executable };
  if (existsSync(executable)) return backend;
  return { ...backend, reason: 'the native runner is not built (npm run build)' };
}

/** Our own back ends. A Wasm variant that this build does not have is left out. */
export function ownBackends() {
  const suites = ['sponge', 'startup', 'kernels'];
  const built = Object.keys(WASM_MODULES)
    .filter((variant) => existsSync(join(root, WASM_MODULES[variant])));
  return [
    ...built.map((variant) =>
      ({ name: `wasm-${variant}`, suites, module: here('./spicule.mjs') })),
    ...NATIVE_KINDS.map((kind) => ({ name: kind, suites, module: here('./spicule.mjs') })),
    nativeRunner(),
  ];
}
