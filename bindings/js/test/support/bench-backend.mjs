// Back ends for tests of the benchmark: SHA-256 by Node under several names, of which "wrong" gives
// another result, "dying" ends its process, and "stuck" never finishes more than one message.
import { createHash } from 'node:crypto';

export async function open(name) {
  return {
    sha256Pairs(pairs) {
      while (name === 'stuck' && pairs.length > 64);
      const out = new Uint8Array(pairs.length / 2);
      for (let i = 0; i < pairs.length; i += 64) {
        const digest = createHash('sha256').update(pairs.subarray(i, i + 64)).digest();
        out.set(digest, i / 2);
      }
      if (name === 'wrong') out[0] ^= 1;
      if (name === 'dying') process.kill(process.pid, 'SIGKILL');
      return out;
    },
  };
}
