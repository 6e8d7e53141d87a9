// This package as the codec suite uses it from JavaScript, with the schema read at run time:
// messages with numbers or bigints for 64-bit integers, and plain objects.
import { readFile } from 'node:fs/promises';
import { createInstance } from 'spicule/codec';

import { camelCase } from '../suites/codec-reader.mjs';

const descriptors = new URL('../workloads/hapi/hapi.fds', import.meta.url);

export async function open(name) {
  const made = await createInstance({ variant: name.replace(/^wasm-/, '') });
  const bytes = await readFile(descriptors);
  const types = (options) => {
    const schema = made.loadSchema(bytes, options);
    const known = new Map();
    return (type) => {
      if (!known.has(type)) known.set(type, schema.message(`hapi.${type}`));
      return known.get(type);
    };
  };
  const numbers = types({ int64: 'number' });
  const bigints = types({});
  const style = { local: camelCase, oneof: 'pair' };
  const messages = (type, variant, bigint) => ({
    variant,
    style: { ...style, bigint, list: 'at' },
    decode: (name, input) => type(name).decode(input),
    drop: (message) => message.dispose(),
  });
  return {
    forms: [
      messages(numbers, 'getters', false),
      messages(bigints, 'bigint', true),
      {
        variant: 'parse',
        style: { ...style, bigint: false },
        decode: (name, input) => numbers(name).parse(input),
        encode: (name, object) => numbers(name).encode(object),
      },
    ],
  };
}
