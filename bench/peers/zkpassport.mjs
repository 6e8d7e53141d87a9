// @zkpassport/poseidon2: bigint arithmetic in JavaScript.
import { fieldToBytes, fieldFromBytes } from '../suites/legacy-sponge.mjs';

const toFields = (bytes) => Array.from({ length: bytes.length / 32 }, (_, i) =>
  fieldFromBytes(bytes.subarray(32 * i, 32 * i + 32)));

export async function open() {
  const { permute, poseidon2Hash } = await import('@zkpassport/poseidon2');
  return {
    permute: (state) => Buffer.concat(permute(toFields(state)).map(fieldToBytes)),
    hash: (fields) => fieldToBytes(poseidon2Hash(toFields(fields))),
  };
}
