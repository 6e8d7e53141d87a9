// @aztec/bb.js: its Wasm in process, and its native server over shared memory and a Unix socket.
import { fieldToBytes, fieldFromBytes } from '../suites/legacy-sponge.mjs';

const split = (bytes) =>
  Array.from({ length: bytes.length / 32 }, (_, i) => bytes.subarray(32 * i, 32 * i + 32));

function start({ Barretenberg, BarretenbergSync, BackendType }, variant) {
  // One thread, and no reference string: hashing needs neither.
  const options = { threads: 1, skipSrsInit: true };
  switch (variant) {
    case 'wasm': return BarretenbergSync.new({ ...options, backend: BackendType.Wasm });
    case 'shm-sync':
      return BarretenbergSync.new({ ...options, backend: BackendType.NativeSharedMemory });
    case 'shm-async':
      return Barretenberg.new({ ...options, backend: BackendType.NativeSharedMemory });
    case 'uds': return Barretenberg.new({ ...options, backend: BackendType.NativeUnixSocket });
    default: throw new Error(`no variant ${variant}`);
  }
}

export async function open(name) {
  const variant = name.slice('peer:bb.js-'.length);
  const api = await start(await import('@aztec/bb.js'), variant);
  if (variant === 'wasm' || variant === 'shm-sync') {
    const permute = (inputs) => api.poseidon2Permutation({ inputs }).outputs;
    return {
      permute: (state) => Buffer.concat(permute(split(state))),
      permuteFields: (state) => permute(state.map(fieldToBytes)).map(fieldFromBytes),
      hash: (fields) => api.poseidon2Hash({ inputs: split(fields) }).hash,
    };
  }
  const permute = async (inputs) => (await api.poseidon2Permutation({ inputs })).outputs;
  return {
    permute: async (state) => Buffer.concat(await permute(split(state))),
    permuteFields: async (state) =>
      (await permute(state.map(fieldToBytes))).map(fieldFromBytes),
    hash: async (fields) => (await api.poseidon2Hash({ inputs: split(fields) })).hash,
  };
}
