// The types of @lodestar/types, built through spicule/ssz/chainsafe: run with --import, which puts
// that module in the place of @chainsafe/ssz.
import { register } from 'node:module';

const layer = new URL('../../../../dist/ssz/chainsafe.js', import.meta.url).href;
const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === '@chainsafe/ssz') return { url: ${JSON.stringify(layer)}, shortCircuit: true };
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
