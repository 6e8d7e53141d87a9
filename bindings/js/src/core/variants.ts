import type { Variant } from './options.js';

interface Probe {
  /** The smallest module that needs the features; absent where nothing is needed. */
  readonly module?: string;
  /** Whether the features also behave as the variant's code relies on. */
  readonly selfTest?: (exports: WebAssembly.Exports) => boolean;
}

/**
 * All variants, best first; the best serves from the first call on, although its module may be the
 * largest. For the sponge on Node 24, from text to the first permutation, simd takes less than relaxed;
 * after 50 permutations they are level, and from then on relaxed takes 0.73 of the time a permutation,
 * 0.57 side by side. To start on the smaller module and change over would compile both. (Suites startup
 * and kernels of the benchmark show what it is elsewhere.)
 */
export const VARIANTS: readonly Variant[] = ['relaxed', 'simd', 'baseline'];

const PROBES: { readonly [V in Variant]: Probe } = {
  relaxed: {
    // (func (export "madd") (param f64 f64 f64) (result f64) ... f64x2.relaxed_madd of splats ...)
    module:
      'AGFzbQEAAAABCAFgA3x8fAF8AwIBAAcIAQRtYWRkAAAKFgEUACAA/RQgAf0UIAL9FP2HAv0hAAs=',
    // The multiply-add may round twice by the specification, and the field code needs it fused.
    selfTest({ madd }) {
      const factor = 1 + 2 ** -30;
      const fused = (madd as (a: number, b: number, c: number) => number)(
        factor,
        factor,
        -(1 + 2 ** -29),
      );
      return fused === 2 ** -60;
    },
  },
  simd: {
    // (func (result v128) (i8x16.popcnt (i32x4.splat (i32.const 0))))
    module: 'AGFzbQEAAAABBQFgAAF7AwIBAAoKAQgAQQD9Ef1iCw==',
  },
  baseline: {},
};

const supported = /* @__PURE__ */ new Map<Variant, boolean>();

/** Whether this engine runs the variant correctly. */
export function supports(variant: Variant): boolean {
  let answer = supported.get(variant);
  if (answer === undefined) {
    answer = passes(VARIANTS.includes(variant) ? PROBES[variant] : undefined);
    supported.set(variant, answer);
  }
  return answer;
}

function passes(probe: Probe | undefined): boolean {
  if (probe?.module === undefined) return probe !== undefined;
  const bytes = Uint8Array.from(atob(probe.module), (char) => char.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) return false;
  if (probe.selfTest === undefined) return true;
  try {
    return probe.selfTest(new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports);
  } catch {
    // Compiling is forbidden here; the module that is tried next will say so.
    return false;
  }
}
