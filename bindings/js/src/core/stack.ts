/**
 * Whether there is stack enough for a call into a module that keeps values. A call that ran out of
 * stack halfway would leave its values halfway changed; so the question comes first, and where the
 * answer is no, the engine's RangeError comes from the question.
 *
 * The question is a call of a function with large frames: engines check that a frame fits before
 * they enter the function. No other way makes large frames for sure: the frame holds words that are
 * all alive across a call, in a branch that is never taken, so that asking takes no longer.
 */

import type { Bytes } from './bytes.js';

/** i64 words of one frame, which so takes 16 KiB. */
const WORDS = 2048;

/** Frames: the module was seen to need 48 KiB, with types of the greatest depth. */
const FRAMES = 5;

const I32 = 0x7f;
const I64 = 0x7e;

/** A number as unsigned LEB128. */
export function leb(number: number): number[] {
  return number < 128 ? [number] : [(number & 127) | 128, ...leb(number >>> 7)];
}

export const sized = (bytes: readonly number[]): number[] => [...leb(bytes.length), ...bytes];
export const section = (id: number, ...content: number[]): number[] => [id, ...sized(content)];

/**
 * (func $frame (param $more i32) (result i64)
 *   (if (result i64) (i32.lt_s (local.get $more) (i32.const 0))
 *     (then (i64.load 0) (i64.load 8) ... (call $frame) i64.xor i64.xor ...)
 *     (else (if (result i64) (local.get $more)
 *       (then (i64.add (call $frame (i32.sub (local.get $more) (i32.const 1))) (i64.const 1)))
 *       (else (i64.const 0))))))
 * (func (export "probe") (drop (call $frame (i32.const FRAMES - 1))))
 */
function probeModule(): Bytes {
  const more = [0x20, 0];
  const loads = Array.from({ length: WORDS }, (_, i) => [...more, 0x29, 3, ...leb(8 * i)]).flat();
  const frame = [
    0, ...more, 0x41, 0, 0x48, 0x04, I64,
    ...loads, ...more, 0x10, 0, ...Array.from({ length: WORDS }, () => 0x85),
    0x05, ...more, 0x04, I64,
    ...more, 0x41, 1, 0x6b, 0x10, 0, 0x42, 1, 0x7c,
    0x05, 0x42, 0, 0x0b, 0x0b, 0x0b,
  ];
  const probe = [0, 0x41, FRAMES - 1, 0x10, 0, 0x1a, 0x0b];
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, 2, 0x60, 1, I32, 1, I64, 0x60, 0, 0),
    ...section(3, 2, 0, 1),
    ...section(5, 1, 0, 1),
    ...section(7, 1, 5, ...new TextEncoder().encode('probe'), 0, 1),
    ...section(10, 2, ...sized(frame), ...sized(probe)),
  ]);
}

let probe: (() => void) | undefined;

/**
 * The function that asks, one for the thread. It does nothing where the platform forbids to compile
 * Wasm from bytes.
 */
export function stackProbe(): () => void {
  if (probe === undefined) {
    try {
      const instance = new WebAssembly.Instance(new WebAssembly.Module(probeModule()));
      ({ probe } = instance.exports as { probe: () => void });
    } catch {
      probe = () => {};
    }
  }
  return probe;
}
