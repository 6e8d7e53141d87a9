// The codec suite: the synthetic HAPI block and its transactions, nanoseconds a transaction, by C
// code natively and in Wasm (bench/native/rows_codec.c): generated code ("block", "tx"), the codec's
// tables ("block-table", "tx-table") and a hand-written reference; and through JavaScript
// (codec-js.mjs).
import { pairedRatio } from '../lib/stats.mjs';

import { closingTable } from './codec-js.mjs';

export { offers, prepare } from './codec-js.mjs';

export const name = 'codec';
export const title = 'Codec: the HAPI block, nanoseconds a transaction';
export const module = import.meta.url;
export const unit = 'ns';
export const share = 3;

// What a row is compared with: the case of the reference, or a case of our own.
const BASES = {
  produceWriters: 'referenceProduce',
  decode: 'referenceDecode',
  scanObjects: 'referenceScan',
  scanViews: 'referenceScan',
  txDecode: 'referenceTxDecode',
  txScanObjects: 'referenceTxScan',
  txScanViews: 'referenceTxScan',
};

/** The fastest of the rows of a case in the same back end: the reference has two encoders. */
function fastest(rows, name, row, variant) {
  return rows
    .filter((other) => other.case === name && other.backend === row.backend &&
      other.engine === row.engine && (variant === undefined || other.variant === variant))
    .sort((a, b) => a.median - b.median)[0];
}

/** Peers have a table of their own; what has a reference is compared with that, JavaScript with protobufjs. */
export function ratioTo(row, rows) {
  if (row.backend.startsWith('peer:')) return undefined;
  if (row.case.startsWith('js/')) {
    const find = (backend) => rows.find((other) => other.backend === backend && other.case === row.case &&
      other.engine === row.engine);
    return find('peer:protobufjs-7-numbers') ?? find('peer:protobufjs-7');
  }
  return BASES[row.case] && fastest(rows, BASES[row.case], row);
}

// The ratios that the report ends with: what, the row, what it is divided by.
const CLOSING = [
  ['writers / reference produce', 'produceWriters', 'referenceProduce', 'block'],
  ['decode / reference decode', 'decode', 'referenceDecode', 'block'],
  ['decode / full reference decode', 'decode', 'referenceDecodeFull', 'block'],
  ['writers / objects, reverse', 'produceWriters', 'produceObjectsReverse', 'block'],
  ['views / reference scan', 'scanViews', 'referenceScan', 'block'],
  ['decode / reference decode', 'txDecode', 'referenceTxDecode', 'tx'],
  ['decode / full reference decode', 'txDecode', 'referenceTxDecodeFull', 'tx'],
  ['views / reference scan', 'txScanViews', 'referenceTxScan', 'tx'],
];

/** What decoding takes in memory, one line for back ends that take the same. */
function memoryTable(rows) {
  const taken = new Map();
  for (const row of rows.filter(({ peak }) => peak !== undefined)) {
    const line = [row.case, row.variant, String(row.bytes), String(row.peak)];
    taken.set(line.join(), { line, backends: [...(taken.get(line.join())?.backends ?? []), row.backend] });
  }
  if (taken.size === 0) return [];
  return [{
    title: 'Codec: memory of decoding, bytes a transaction',
    note: 'In the arena, or in the records of the reference; the peak is that of the whole block, or of the largest transaction where they come one at a time.',
    columns: ['row', 'variant', 'back end', 'mean', 'peak'],
    numeric: 3,
    rows: [...taken.values()].map(({ line: [name, variant, ...bytes], backends }) =>
      [name, variant, backends.join(', '), ...bytes]),
  }];
}

/** Tables after the suite's own: how far from the reference each back end ends up. */
export function closingTables(rows) {
  const backends = [...new Set(rows.map((row) => row.backend))]
    .filter((backend) => !backend.startsWith('peer:'));
  const lines = CLOSING.flatMap(([what, name, baseName, kind]) =>
    [kind, `${kind}-table`].map((variant) => [
      what, variant,
      ...backends.map((backend) => {
        const row = rows.find((other) => other.case === name && other.variant === variant &&
          other.backend === backend);
        const own = baseName.startsWith('produceObjects') ? variant : undefined;
        const base = row && fastest(rows, baseName, row, own);
        return base ? `${pairedRatio(row.samples, base.samples).median.toFixed(2)}x` : '';
      }),
    ])).filter((line) => line.slice(2).some(Boolean));
  const javaScript = closingTable(rows);
  const last = [...memoryTable(rows), ...(javaScript ? [javaScript] : [])];
  if (lines.length === 0) return last;
  return [{
    title: 'Codec: our time divided by another',
    note: 'Medians of paired ratios; "-table" is without generated code.',
    columns: ['ratio', 'variant', ...backends],
    numeric: 2,
    rows: lines,
  }, ...last];
}
