// What the report of the SSZ suite ends with: how the rows through JavaScript stand to the targets.
// Factors say how many times faster than @chainsafe/ssz with one of its hashers, medians of paired
// ratios; the variants of a peer's row and of ours are the same.
import { formatNumber } from '../lib/report-tables.mjs';
import { pairedRatio, summarize } from '../lib/stats.mjs';

const OURS = 'wasm-simd';
const NATIVE = 'peer:chainsafe-ssz-native';
const WASM = 'peer:chainsafe-ssz-wasm';
const BOTH = ['bounded', 'progressive'];
const SHAPES = ['bitlist', 'byteList', 'nonPrimitiveList', 'container'];
const PLAIN = ['deserialize', 'serialize', 'randomAccess', 'sequentialAccess', 'setAndCommit', 'appendAndCommit'];

/** Rows as [shape, operation, variant, peer, least factor]. */
const FACTORS = [
  ...SHAPES.flatMap((shape) => PLAIN.flatMap((operation) =>
    BOTH.map((variant) => [shape, operation, variant, NATIVE, 1]))),
  ...[['nonPrimitiveList', 1.7, 1.7], ['byteList', 1.5, 1.5], ['bitlist', 1.35, 1.35], ['container', 1.4, 1.1]]
    .flatMap(([shape, ...least]) => BOTH.flatMap((variant, i) => [
      [shape, 'hashTreeRoot', variant, NATIVE, least[i]], [shape, 'hashTreeRoot', variant, WASM, 4],
    ])),
  ...SHAPES.flatMap((shape) => BOTH.flatMap((variant) => [
    [shape, 'setCommitAndHash', variant, NATIVE, 0.75], [shape, 'setCommitAndHash', variant, WASM, 1.5],
  ])),
  ...[['deserialize', 30], ['hashTreeRoot', 2.5], ['serialize', 8], ['setCommitAndHash', 10]]
    .map(([operation, least]) => ['state200k', operation, 'bounded', NATIVE, least]),
];

/** Figures of our own as [shape, operation, most]. */
const FIGURES = [
  ['numberList', 'sequentialAccess', 6], ['bigintList', 'sequentialAccess', 20],
  ['numberList', 'getAll', 1], ['bigintList', 'getAll', 1], ['state200k', 'memory', 1.4],
];

/** Progressive divided by bounded as [shape, operations, most]. */
const SIDES = [
  ...['byteList', 'nonPrimitiveList'].flatMap((shape) => [
    [shape, ['deserialize', 'serialize', 'sequentialAccess', 'setAndCommit', 'appendAndCommit'], 1.2],
    [shape, ['randomAccess'], 2.2], [shape, ['setCommitAndHash'], 1.6],
  ]),
  ['bitlist', ['setCommitAndHash'], 1.55],
];

function linesOf(rows, engine) {
  const find = (shape, operation, variant, backend = OURS) => rows.find((row) =>
    row.case === `js/${shape}/${operation}` && row.variant === variant && row.backend === backend &&
    (row.engine ?? process.version) === engine);
  const factor = (row, base) => (row && base ? pairedRatio(base.samples, row.samples).median : undefined);
  const plain = [];
  const lines = FACTORS.map(([shape, operation, variant, peer, least]) => {
    const value = factor(find(shape, operation, variant), find(shape, operation, variant, peer));
    if (least === 1 && value !== undefined) plain.push(value);
    const hasher = peer === NATIVE ? 'native' : 'Wasm';
    return [`${shape} ${operation}`, variant, `times faster than with its ${hasher} hashing`, value, '>=', least];
  });
  if (plain.length > 0) {
    lines.push(['rows that do not hash', 'both', 'median of times faster', summarize(plain).median, '>=', 5]);
  }
  for (const [shape, operation, most] of FIGURES) {
    for (const variant of BOTH) {
      const row = find(shape, operation, variant);
      const unit = operation === 'memory' ? 'memory over serialized size' : 'ns an element';
      lines.push([`${shape} ${operation}`, variant, unit, row?.median, '<=', most]);
    }
  }
  for (const [shape, operations, most] of SIDES) {
    for (const operation of operations) {
      const value = factor(find(shape, operation, 'bounded'), find(shape, operation, 'progressive'));
      lines.push([`${shape} ${operation}`, 'both', 'progressive / bounded', value, '<=', most]);
    }
  }
  return lines.filter(([, , , value]) => value !== undefined);
}

/** One line a target and engine; none where the rows were not measured. */
export function closingTable(rows) {
  const engines = [...new Set(rows.filter(({ backend }) => backend === OURS)
    .map((row) => row.engine ?? process.version))];
  const lines = engines.flatMap((engine) => linesOf(rows, engine).map((line) => [engine, ...line]));
  if (lines.length === 0) return undefined;
  return {
    title: 'SSZ in JavaScript: targets',
    note: `Of the back end ${OURS}. Ratios are medians of paired ratios.`,
    columns: ['engine', 'row', 'variant', 'what', 'measured', 'must', ''],
    numeric: 7,
    rows: lines.map(([engine, row, variant, what, value, relation, bound]) => {
      const met = relation === '>=' ? value >= bound : value <= bound;
      return [engine, row, variant, what, formatNumber(value), `${relation} ${bound}`, met ? '' : 'missed'];
    }),
  };
}
