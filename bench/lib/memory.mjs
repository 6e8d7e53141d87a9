/** Bytes in use after garbage collection (--expose-gc): the heap, and arrays and Wasm memory outside. */
export function usedMemory() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
