// SHA-256 of many 64-byte messages, by libraries of the JavaScript world.

/** Hashes messages one by one; digest(message) gives 32 bytes. */
function oneByOne(digest) {
  return (pairs) => {
    if (pairs.length === 64) return digest(pairs);
    const out = new Uint8Array(pairs.length / 2);
    for (let i = 0; i < pairs.length; i += 64) out.set(digest(pairs.subarray(i, i + 64)), i / 2);
    return out;
  };
}

/** For libraries that write the digests of many messages into one array. */
function intoNew(hashInto) {
  return (pairs) => {
    const out = new Uint8Array(pairs.length / 2);
    hashInto(pairs, out);
    return out;
  };
}

const LIBRARIES = {
  async 'as-sha256'() {
    const { digest64, hashInto } = await import('@chainsafe/as-sha256');
    const many = intoNew(hashInto);
    return (pairs) => (pairs.length === 64 ? digest64(pairs) : many(pairs));
  },
  async hashtree() {
    return intoNew((await import('@chainsafe/hashtree')).hashInto);
  },
  async 'noble-hashes'() {
    return oneByOne((await import('@noble/hashes/sha2.js')).sha256);
  },
  async 'node-crypto'() {
    const { createHash } = await import('node:crypto');
    return oneByOne((message) => createHash('sha256').update(message).digest());
  },
};

export async function open(name) {
  return { sha256Pairs: await LIBRARIES[name.slice('peer:'.length)]() };
}
