// The rows of the codec suite through JavaScript: the HAPI block with fewer transactions, by this
// package and by other libraries. A library is a list of forms {variant, style, decode(type, bytes),
// encode?(type, message), drop?(message)}: see bench/backends/codec.mjs and bench/peers/protobuf.mjs.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { root } from '../lib/environment.mjs';
import { makeReaders } from './codec-reader.mjs';

const FOLDER = join(root, 'build/bench');
const WRITER = join(root, 'build/release/bench/workloads/hapi/hapi-write');

/** The block, where its items are, and transactions with their bodies, as bench/workloads/hapi/write.c makes them. */
function makeInput() {
  mkdirSync(FOLDER, { recursive: true });
  const made = spawnSync(WRITER, [FOLDER], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`${WRITER}: ${made.error?.message ?? made.stderr}`);
  const block = new Uint8Array(readFileSync(join(FOLDER, 'hapi-block.bin')));
  const file = readFileSync(join(FOLDER, 'hapi-transactions.bin'));
  const count = file.readUInt32LE(0);
  const data = new Uint8Array(file.subarray(4 + 4 * (count + 1)));
  const transactions = Array.from({ length: count }, (_, i) => {
    const [from, to] = [file.readUInt32LE(4 + 4 * i), file.readUInt32LE(8 + 4 * i)];
    return data.subarray(from, to);
  });
  const length = (at) => {
    let [value, p] = [block[at] & 127, at];
    for (let shift = 7; block[p++] > 127; shift += 7) value |= (block[p] & 127) << shift;
    return [p, value];
  };
  const items = [];
  for (let at = 0; at < block.length;) {
    const [from, size] = length(at + 1);
    items.push(block.subarray(from, from + size));
    at = from + size;
  }
  return { block, items, transactions, count };
}

let input;

const hex = (sum) => (sum >>> 0).toString(16).padStart(8, '0');
const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

// Each row: what one run does with a form and its readers; its result; whether a form can run it.
const ROWS = {
  decode: {
    run: ({ form }) => {
      const block = form.decode('Block', input.block);
      form.drop?.(block);
    },
    result: ({ form, readers }) => {
      const block = form.decode('Block', input.block);
      const sum = hex(readers.Block(block));
      form.drop?.(block);
      return { sum };
    },
  },
  read: {
    run: ({ form, readers }) => {
      const block = form.decode('Block', input.block);
      const sum = readers.Block(block);
      form.drop?.(block);
      return sum;
    },
    result: (_, sum) => ({ sum: hex(sum) }),
  },
  items: {
    run: ({ form }) => {
      for (const bytes of input.items) {
        const item = form.decode('BlockItem', bytes);
        form.drop?.(item);
      }
    },
    result: ({ form, readers }) => {
      let sum = 0;
      for (const bytes of input.items) {
        const item = form.decode('BlockItem', bytes);
        sum = (sum + readers.BlockItem(item)) | 0;
        form.drop?.(item);
      }
      return { sum: hex(sum) };
    },
  },
  txRead: {
    run: ({ form, readers }) => {
      let sum = 0;
      for (const bytes of input.transactions) {
        const transaction = form.decode('SignedTransaction', bytes);
        const body = form.decode('TransactionBody', transaction.bodyBytes);
        sum = (sum + readers.SignedTransaction(transaction) + readers.TransactionBody(body)) | 0;
        form.drop?.(transaction);
        form.drop?.(body);
      }
      return sum;
    },
    result: (_, sum) => ({ sum: hex(sum) }),
  },
  encode: {
    needs: 'encode',
    prepare: ({ form }) => form.decode('Block', input.block),
    run: ({ form, made }) => form.encode('Block', made),
    result: (_, bytes) => ({ bytes: digest(bytes) }),
  },
};

export function offers(backend) {
  input ??= makeInput();
  return backend.forms.flatMap((form) => Object.keys(ROWS)
    .filter((name) => !ROWS[name].needs || form[ROWS[name].needs])
    .map((name) => ({ case: `js/${name}`, variant: form.variant, operations: input.count })));
}

export function prepare(backend, offer) {
  const form = backend.forms.find(({ variant }) => variant === offer.variant);
  const row = ROWS[offer.case.slice('js/'.length)];
  const context = { form, readers: makeReaders(form.style) };
  context.made = row.prepare?.(context);
  return { run: () => row.run(context), result: (value) => row.result(context, value) };
}
