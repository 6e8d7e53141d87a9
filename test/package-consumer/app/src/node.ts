import { SpiculeError } from 'spicule';
import { createBackend } from 'spicule/native';

try {
  const backend = await createBackend({ kind: 'native' });
  console.log(backend.sponge.hash([1n, 2n]).toString(16));
} catch (error) {
  if (!(error instanceof SpiculeError)) throw error;
  console.log(error.code, error.message);
}
