// The tables of a report, as data; report-markdown.mjs and report-html.mjs show the same ones.
import { pairedRatio } from './stats.mjs';

/** A time with three significant digits, without an exponent. */
export function formatNumber(value) {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 6));
}

export function formatRatio(ratio) {
  return ratio ? `${formatNumber(ratio.median)}x` : '';
}

export function backendLabel(row) {
  return row.engine ? `${row.backend} (${row.engine})` : row.backend;
}

function plainTable(rows) {
  return {
    columns: ['case', 'variant', 'back end', 'unit', 'min', 'q1', 'median', 'q3', 'ratio'],
    numeric: 4,
    rows: rows.map((row) => [
      row.case, row.variant, backendLabel(row), row.unit,
      ...[row.min, row.q1, row.median, row.q3].map(formatNumber),
      row.ratio ? `${formatRatio(row.ratio)} of ${row.ratio.to}` : '',
    ]),
  };
}

/**
 * One line a case and back end, with two variants side by side: `sides` of a suite is {variants,
 * columns, note, against?}; `against` names a back end that the second variant is compared with.
 */
function sideBySideTable({ variants: [left, right], columns, note, against }, rows) {
  const lines = new Map();
  for (const row of rows) {
    const key = `${row.case} ${backendLabel(row)}`;
    lines.set(key, { ...lines.get(key), first: row, [row.variant]: row });
  }
  const ratio = (row, base) =>
    (row && base ? formatRatio(pairedRatio(row.samples, base.samples)) : '');
  const time = (row) => (row ? formatNumber(row.median) : '');
  const standard = (row) => rows.find((other) => other.case === row.case &&
    other.variant === right && other.backend === against && other.engine === row.engine);
  return {
    columns,
    numeric: 2,
    note,
    rows: [...lines.values()].map(({ first, [left]: a, [right]: b }) => [
      first.case, backendLabel(first), time(a), time(b), ratio(b, a),
      ...(against ? [ratio(b, standard(first))] : []),
    ]),
  };
}

/** One line a peer's row: its time, and our times divided by it. */
function peerTable(rows) {
  const unit = rows[0].unit;
  const isPeer = (row) => row.backend.startsWith('peer:');
  const own = rows.filter((row) => !isPeer(row));
  const names = [...new Set(own.map((row) => row.backend))];
  const lines = rows.filter(isPeer).map((peer) => [
    peer.case, peer.variant, backendLabel(peer),
    `${formatNumber(peer.median)}${peer.unit === unit ? '' : ` ${peer.unit}`}`,
    ...names.map((name) => {
      const row = own.find((row) => row.backend === name && row.case === peer.case &&
        row.variant === peer.variant && [undefined, peer.engine].includes(row.engine));
      return row ? formatRatio(pairedRatio(row.samples, peer.samples)) : '';
    }),
  ]);
  if (lines.length === 0 || names.length === 0) return undefined;
  return {
    columns: ['case', 'variant', 'peer', `its ${unit}`, ...names],
    numeric: 3,
    note: 'Our times divided by the peer\'s, medians of paired ratios: below 1 is faster.',
    rows: lines,
  };
}

/** Tables as {title, note?, columns, numeric, rows}; columns from `numeric` on hold numbers. */
export function suiteTables(suite, rows) {
  const measured = rows.filter((row) => row.suite === suite.name && row.samples);
  const absent = rows.filter((row) => row.suite === suite.name && row.status === 'not run');
  const tables = [];
  if (measured.length > 0) {
    const table = suite.sides ? sideBySideTable(suite.sides, measured) : plainTable(measured);
    tables.push({ title: suite.title, ...table });
    const peers = peerTable(measured);
    if (peers) tables.push({ title: `${suite.name}: ours / peer`, ...peers });
    if (suite.closingTables) tables.push(...suite.closingTables(measured));
  }
  if (absent.length > 0) {
    tables.push({
      title: `${suite.name}: not run`,
      columns: ['case', 'variant', 'back end', 'reason'],
      numeric: 4,
      rows: absent.map((row) => [row.case, row.variant, backendLabel(row), row.reason]),
    });
  }
  return tables;
}
