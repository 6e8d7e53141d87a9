import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/** Compiles the Wasm file, with relaxed SIMD where the engine has it behind a flag (Node 20). */
export function compile(file) {
  const bytes = readFileSync(file);
  if (!WebAssembly.validate(bytes)) setFlagsFromString('--experimental-wasm-relaxed-simd');
  return new WebAssembly.Module(bytes);
}
