// What every consumer computes; the tests know the answers.
import { SpiculeError, createInstance, load } from 'spicule';
import { sha256 } from 'spicule/sha2';
import { SpongeBlob, fieldToBigint, hash, load as loadSponge } from 'spicule/sponge';

export interface Results {
  readonly variant: string | undefined;
  readonly hash: string;
  readonly blob: string;
  readonly sha256: readonly number[];
  readonly error: string;
}

export async function results(): Promise<Results> {
  await load();
  const { variant } = await loadSponge();
  using blob = new SpongeBlob();
  blob.absorb([1n, 4n, 7n]);
  const simple = await createInstance({ variant: 'baseline' });
  if (simple.sponge.hash([1n, 2n]) !== hash([1n, 2n])) throw new Error('variants disagree');
  let error = 'none';
  try {
    hash([1n, -1n]);
  } catch (thrown) {
    if (thrown instanceof SpiculeError) error = `${thrown.code} ${thrown.index}`;
  }
  return {
    variant,
    hash: hash([1n, 2n]).toString(16),
    blob: fieldToBigint(blob.squeeze()).toString(16),
    sha256: [...sha256(Uint8Array.of(97, 98, 99)).subarray(0, 4)],
    error,
  };
}
