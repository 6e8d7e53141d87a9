// The back ends that can be measured, by the names that they have in reports. Each has the suites
// that it takes part in and one of
//   module   URL of a file whose open(name, suite) gives the implementation, in a Node process
//   program  the C runner, natively
//   wasi     the C runner for WASI, in Node: C code in Wasm, timed inside one call
// or a `reason` why it can't run. Of its suites, `fullOnly` are those that it is left out of in the
// quick form, unless it is asked for. A back end may stand here twice, for different rows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../lib/environment.mjs';

const module = new URL('./spicule.mjs', import.meta.url).href;

/** The forms of ./codec.mjs, and those of them that the quick form does without. */
const CODEC_FORMS = ['getters', 'writer', 'objects', 'properties', 'visitor', 'visitor-message', 'bigint', 'parse',
  'parse-shared', 'columns', 'code-size', 'code-size-parse', 'runtime-getters', 'runtime-bigint', 'runtime-parse'];
const FULL_FORMS = ['properties', 'visitor-message', 'code-size-parse', 'runtime-bigint', 'runtime-parse'];

function packageBackends() {
  const suites = ['sponge', 'startup', 'kernels'];
  const variants = ['baseline', 'simd', 'relaxed']
    .filter((variant) => existsSync(join(root, `dist/wasm/sponge-${variant}.wasm`)));
  const inProcess = [...variants.map((variant) => `wasm-${variant}`), 'native'];
  const emscripten = { name: 'wasm-emscripten', suites, module };
  if (!existsSync(join(root, 'build/wasm-emscripten/modules/sponge.wasm'))) {
    emscripten.reason = 'it is not built (npm run test:emscripten)';
  }
  return [
    ...inProcess.map((name) => ({ name, suites, module })),
    emscripten,
    ...['shm-sync', 'shm-async', 'uds']
      .map((name) => ({ name, suites: [...suites, 'transports', 'faults'], module })),
  ];
}

/** The SSZ suite has hundreds of rows: the quick form has them in one variant. */
const fullOnlyOf = (variant) => (variant === 'simd' ? [] : ['ssz']);

/** Views through JavaScript. */
function viewBackends() {
  const ssz = new URL('./ssz.mjs', import.meta.url).href;
  return ['baseline', 'simd']
    .filter((variant) => existsSync(join(root, `dist/wasm/ssz-${variant}.wasm`)))
    .map((variant) => ({
      name: `wasm-${variant}`, suites: ['ssz'], module: ssz, fullOnly: fullOnlyOf(variant),
    }));
}

/** Protocol Buffers through JavaScript. */
function messageBackends() {
  const module = new URL('./codec.mjs', import.meta.url).href;
  return ['baseline', 'simd']
    .filter((variant) => existsSync(join(root, `dist/wasm/codec-${variant}.wasm`)))
    .flatMap((variant) => CODEC_FORMS.map((form) => ({
      name: `wasm-${variant}`, suites: ['codec'], module: `${module}?${form}`,
      fullOnly: FULL_FORMS.includes(form) ? ['codec'] : [],
    })));
}

/** What the C runner has under "chosen" and "call" are rows of the package in Wasm. */
const PACKAGE_VARIANTS = ['chosen', 'call'];

/** The codec gains nothing from other instructions: its module has the baseline variant only. */
function runnerBackends() {
  const program = join(root, 'build/release/bench/native/spicule-bench');
  const native = { name: 'c', suites: ['sponge', 'kernels', 'ssz', 'codec'], program };
  const wasm = ['baseline', 'simd', 'relaxed']
    .map((variant) => ({
      name: `wasm-${variant}`,
      suites: ['kernels', 'ssz', ...(variant === 'baseline' ? ['codec'] : [])],
      fullOnly: fullOnlyOf(variant),
      wasi: join(root, `build/bench/spicule-bench-${variant}.wasm`),
      without: PACKAGE_VARIANTS,
    }))
    .filter(({ wasi }) => existsSync(wasi));
  if (!existsSync(program)) native.reason = 'the C runner is not built (npm run build)';
  return [...wasm, native];
}

/** Our own back ends. A Wasm variant that this build does not have is left out. */
export function ownBackends() {
  return [...packageBackends(), ...viewBackends(), ...messageBackends(), ...runnerBackends()];
}
