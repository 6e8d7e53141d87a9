// Prints, for each hash, the hash of the digests, one after the other, of the messages of 0 to 300
// bytes i mod 251, by node:crypto. The tests of messages have the result.
import { createHash } from 'node:crypto';

for (const name of ['sha256', 'sha384']) {
  const all = createHash(name);
  for (let length = 0; length <= 300; length++) {
    const message = Uint8Array.from({ length }, (_, i) => i % 251);
    all.update(createHash(name).update(message).digest());
  }
  console.log(name, all.digest('hex'));
}
