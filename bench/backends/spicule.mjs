// Our own back ends, all with the same operations: a Wasm variant, or a kind of native back end.

const ofVariant = (name) => name.match(/^wasm-(.+)$/)?.[1];

async function wasm(variant, suite) {
  const { createInstance } = await import('spicule/sponge');
  const sponge = await createInstance({ variant });
  if (sponge.variant !== variant) {
    throw new Error(`this build has no variant ${variant} of the sponge, but ${sponge.variant}`);
  }
  if (suite !== 'kernels') return { sponge };
  const sha2 = await (await import('spicule/sha2')).createInstance({ variant });
  return { sponge, sha2 };
}

async function native(kind) {
  const { createBackend } = await import('spicule/native');
  return createBackend({ kind });
}

/** The implementation of that name for a suite, with no more loaded than the suite needs. */
export async function open(name, suite) {
  const variant = ofVariant(name);
  const { sponge, sha2 } = variant ? await wasm(variant, suite) : await native(name);
  const synchronous = !['shm-async', 'uds'].includes(name);
  return {
    synchronous,
    permute: sponge.permute,
    permuteFields: sponge.permute,
    permuteMany: sponge.permuteMany,
    hash: sponge.hash,
    sponge: (maxFields) => new sponge.SpongeBlob(maxFields),
    sha256: sha2?.sha256,
    sha256Pairs: sha2?.sha256Pairs,
  };
}
