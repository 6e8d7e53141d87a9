// The rows of the codec suite through JavaScript: the HAPI block, by this package and by other
// libraries. What is measured is a form of a library: {variant, rows, readers,
// decode(type, bytes), drop?(message), builder, encode(block), builtBefore?, select?,
// bodyBytes?(transaction), decodeBody?(transaction) or readTransaction?(bytes), kind, startup, withJson}; see bench/backends/codec.mjs and bench/peers/protobuf.mjs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import { bundleSize, hasBundler } from '../lib/generated-code.mjs';
import { root } from '../lib/environment.mjs';
import { probe, runProgram } from '../lib/program.mjs';
import { pairedRatio } from '../lib/stats.mjs';
import { makeBuilder, recordBlock } from './codec-reader.mjs';

const WRITER = join(root, 'build/release/bench/workloads/hapi/hapi-write');
const PROBE = fileURLToPath(new URL('./codec-probe.mjs', import.meta.url));

/** {block, transactions}: the files that bench/workloads/hapi/write.c makes. */
function inputFiles(quick) {
  const folder = join(root, 'build/bench', quick ? 'hapi-quick' : 'hapi');
  const transactions = join(folder, 'hapi-transactions.bin');
  if (!existsSync(transactions) || statSync(transactions).mtimeMs < statSync(WRITER).mtimeMs) {
    mkdirSync(folder, { recursive: true });
    runProgram(WRITER, quick ? [folder, 'quick'] : [folder]);
  }
  return { block: join(folder, 'hapi-block.bin'), transactions };
}

/** The block, where its items are, and transactions with their bodies. */
function makeInput(quick) {
  const files = inputFiles(quick);
  const block = new Uint8Array(readFileSync(files.block));
  const file = readFileSync(files.transactions);
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

const WARM_UP_MS = 300;

const COLUMNS = [
  'items.stateChanges.consensusTimestamp.seconds',
  'items.transactionResult.transactionFeeCharged',
  'items.stateChanges.stateChanges.mapUpdate.value.tokenRelationValue.balance',
];

/** The row of a bundle whose entry a form has under that name. */
const sizeOf = (entry) => ({
  unit: 'bytes',
  operations: 1,
  samples: 1,
  measure: ({ form }) => bundleSize(form[entry]),
  variant: (form) => form.kind,
  reason: () => (hasBundler() ? undefined : 'its bundler comes with --peers'),
});

// Each row: what one run does with a form, or what is measured in another way; its result; and where
// they differ from the suite's, the unit and how many operations and samples it has.
const ROWS = {
  decode: {
    run: ({ form }) => {
      const block = form.decode('Block', input.block);
      form.drop?.(block);
    },
    result: ({ form }) => {
      const block = form.decode('Block', input.block);
      const sum = hex(form.readers.Block(block));
      form.drop?.(block);
      return { sum };
    },
  },
  read: {
    run: ({ form }) => {
      const block = form.decode('Block', input.block);
      const sum = form.readers.Block(block);
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
    result: ({ form }) => {
      let sum = 0;
      for (const bytes of input.items) {
        const item = form.decode('BlockItem', bytes);
        sum = (sum + form.readers.BlockItem(item)) | 0;
        form.drop?.(item);
      }
      return { sum: hex(sum) };
    },
  },
  txRead: {
    run: ({ form }) => {
      let sum = 0;
      if (form.readTransaction) {
        for (const bytes of input.transactions) sum = (sum + form.readTransaction(bytes)) | 0;
        return sum;
      }
      const bodyBytes = form.bodyBytes ?? ((transaction) => transaction.bodyBytes);
      const decodeBody = form.decodeBody ??
        ((transaction) => form.decode('TransactionBody', bodyBytes(transaction)));
      for (const bytes of input.transactions) {
        const transaction = form.decode('SignedTransaction', bytes);
        const body = decodeBody(transaction);
        sum = (sum + form.readers.SignedTransaction(transaction) + form.readers.TransactionBody(body)) | 0;
        form.drop?.(transaction);
        form.drop?.(body);
      }
      return sum;
    },
    result: (_, sum) => ({ sum: hex(sum) }),
  },
  encode: {
    prepare: ({ form }) => {
      const { style, types, empty } = form.builder;
      const fill = makeBuilder(style, recordBlock(input.block, style.bigint), types);
      if (form.builtBefore) {
        const block = fill(empty());
        return () => form.encode(block);
      }
      return () => {
        const block = fill(empty());
        const bytes = form.encode(block);
        form.drop?.(block);
        return bytes;
      };
    },
    run: ({ made }) => made(),
    result: (_, bytes) => ({ bytes: digest(bytes) }),
  },
  select: {
    run: ({ form }) => form.select(input.block, COLUMNS),
    result: (_, columns) => ({
      columns: columns.map(({ values, present }) => `${values.length}:${values.reduce(
        (sum, value, i) => (present[i] ? sum + BigInt(value) : sum), 0n)}`).join(' '),
    }),
  },
  retained: {
    unit: 'bytes',
    operations: 1,
    samples: 1,
    // Of the smaller block, as it takes several copies.
    measure: ({ module, name }) => probe(PROBE,
      { what: 'retained', module, name, ...inputFiles(true) }, ['--expose-gc']),
  },
  startup: {
    unit: 'ms',
    operations: 1,
    measure: ({ form }) =>
      probe(PROBE, { what: 'startup', module: form.startup, ...inputFiles(true) }),
    variant: (form) => form.kind,
  },
  size: sizeOf('startup'),
  sizeJson: sizeOf('withJson'),
};

export function offers(form, quick) {
  input ??= makeInput(quick);
  return form.rows.map((name) => {
    const { unit, operations = input.count, samples, variant, measure, reason } = ROWS[name];
    return {
      case: `js/${name}`, row: name, variant: variant?.(form) ?? form.variant, operations, unit, samples,
      ...(measure && { fixedRepetitions: 1 }),
      reason: reason?.(),
    };
  });
}

/** Runs until the engine has seen enough to optimise: some runs of the block are not. */
function warmUp(run) {
  const end = performance.now() + WARM_UP_MS;
  do run(); while (performance.now() < end);
}

export function prepare(form, offer, { module, name }) {
  const row = ROWS[offer.row];
  const context = { form, module, name };
  if (row.measure) return { measure: () => row.measure(context) };
  context.made = row.prepare?.(context);
  const run = () => row.run(context);
  warmUp(run);
  return { run, result: (value) => row.result(context, value) };
}

// ---- Closing ratios ----

// What the report ends with: of a case and variant of ours, its ratio to the fastest form of a peer,
// with what it must not exceed on Node 20 and from Node 24 on; without a peer, the median itself.
const TARGETS = [
  ['block, all read through getters', 'read', 'getters', 'protobufjs-7', 0.16, 0.20],
  ['block, all read through getters', 'read', 'getters', 'pbf', undefined, 0.48],
  ['block, all read by the visitor', 'read', 'visitor', 'protobufjs-7', 0.11, 0.14],
  ['block, all read by the visitor', 'read', 'visitor', 'pbf', undefined, 0.33],
  ['block to plain objects, all read', 'read', 'parse', 'protobuf-es', 0.40, 0.40],
  ['block to plain objects, all read', 'read', 'parse', 'protobufjs-7', 0.70, 0.70],
  ['block, all read, bigints', 'read', 'bigint', 'protobuf-es', 0.10, 0.10],
  ['transactions, all read through getters', 'txRead', 'getters', 'protobufjs-7', 0.60, 0.60],
  ['transactions, all read by the visitor', 'txRead', 'visitor', 'protobufjs-7', 0.60, 0.60],
  ['items, decode only', 'items', 'getters', '*', 0.55, 0.55],
  ['block, written as its fields are set', 'encode', 'writer', 'protobufjs-8', 0.14, 0.14],
  ['block, written as its fields are set', 'encode', 'writer', 'pbf', 0.95, 0.95],
  ['block, built by setters and encoded', 'encode', 'getters', 'protobufjs-8', 0.14, 0.14],
  ['block, built by setters and encoded', 'encode', 'getters', 'pbf', 0.95, 0.95],
  ['three columns', 'select', 'columns', undefined, 1200, 1200],
  ['retained memory', 'retained', 'getters', 'protobufjs-7', 0.6, 0.6],
  ['bundle', 'size', 'generated', undefined, 60_000, 60_000],
  ['bundle, code for size', 'size', 'code-size', undefined, 60_000, 60_000],
];

/** What a back end is a form of: its name without "-runtime", "-bigint" and "-numbers". */
const library = ({ backend }) => backend.replace(/^peer:|(-runtime|-bigint|-numbers)+$/g, '');

/** The targets as lines [what, variant, peer, then per engine: ratio and what it must be]. */
export function closingTable(rows) {
  const engines = [...new Set(rows.filter(({ case: name }) => name.startsWith('js/'))
    .map((row) => row.engine ?? process.version))];
  const measured = (name, engine) => rows.filter((row) => row.case === `js/${name}` &&
    (row.engine ?? process.version) === engine);
  const lines = TARGETS.map(([what, name, variant, peer, must20, must24]) => [
    what, variant, peer === '*' ? 'the fastest peer' : peer ?? '',
    ...engines.flatMap((engine) => {
      const all = measured(name, engine);
      const own = all.find((row) => row.variant === variant && !row.backend.startsWith('peer:'));
      const must = Number(engine.match(/\d+/)[0]) < 24 ? must20 : must24;
      if (!own || must === undefined) return ['', ''];
      if (peer === undefined) return [`${Math.round(own.median)} ${own.unit}`, `${must}`];
      const base = all.filter((row) => row.backend.startsWith('peer:') &&
        (peer === '*' || library(row) === peer)).sort((a, b) => a.median - b.median)[0];
      if (!base) return ['', ''];
      return [`${pairedRatio(own.samples, base.samples).median.toFixed(3)}x`, `${must.toFixed(2)}x`];
    }),
  ]).filter((line) => line.slice(3).some(Boolean));
  return lines.length === 0 ? undefined : {
    title: 'Codec in JavaScript: our time divided by a peer\'s',
    note: 'Medians of paired ratios with the fastest form of the peer, and what they must not exceed.',
    columns: ['what', 'variant', 'peer', ...engines.flatMap((engine) => [engine, 'must'])],
    numeric: 3,
    rows: lines,
  };
}
