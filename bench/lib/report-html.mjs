// The report as one page that needs nothing else: tables, and charts as inline SVG.
import { backendLabel, formatNumber, suiteTables } from './report-tables.mjs';

const STYLE = `
:root { color-scheme: light dark; --text: #1a1c20; --soft: #676c76; --line: #d9dce2; --back: #fff;
  --bar: #3566c8; --peer: #9a9fa9; --legacy: #c98a2c; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8ec; --soft: #9aa1ad; --line: #363b45;
  --back: #15171b; --bar: #6f9bf2; --peer: #7d838e; --legacy: #dba552; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--back);
  max-width: 1000px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: .95rem; }
p { color: var(--soft); max-width: 75ch; } .partial { color: #c0392b; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .85rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: left; }
.number { text-align: right; }
svg { width: 100%; height: auto; font-size: 12px; } svg text { fill: var(--text); }
.own { fill: var(--bar); } .peer { fill: var(--peer); } .legacy { fill: var(--legacy); }
.range { stroke: var(--text); stroke-width: 1.5; }
`;

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character]);

function htmlTable({ columns, numeric, rows }) {
  const cell = (tag, text, i) =>
    `<${tag}${i < numeric ? '' : ' class="number"'}>${escapeHtml(text)}</${tag}>`;
  const head = columns.map((text, i) => cell('th', text, i)).join('');
  const body = rows.map((row) => `<tr>${row.map((text, i) => cell('td', text, i)).join('')}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead>` +
    `<tbody>${body.join('\n')}</tbody></table></div>`;
}

const LABEL_WIDTH = 270;
const BAR_WIDTH = 600;
const ROW_HEIGHT = 22;

function barClass(row) {
  if (row.backend.startsWith('peer:')) return 'peer';
  return row.variant === 'legacy' ? 'legacy' : 'own';
}

/** Medians as bars from zero, with a line from the first to the third quartile. */
function barChart(rows) {
  const sorted = [...rows].sort((a, b) => a.median - b.median);
  const scale = BAR_WIDTH / Math.max(...sorted.map((row) => row.q3), 1e-6);
  const bars = sorted.map((row, i) => {
    const y = i * ROW_HEIGHT;
    const middle = y + ROW_HEIGHT / 2;
    // Below zero lies only noise, where something was taken off.
    const x = (value) => (LABEL_WIDTH + Math.max(0, value) * scale).toFixed(1);
    const label = `${backendLabel(row)} ${row.variant}`;
    const text = `${formatNumber(row.median)} ${row.unit}`;
    const detail = `${label}: median ${text}, quartiles ${formatNumber(row.q1)} to ` +
      `${formatNumber(row.q3)}, min ${formatNumber(row.min)}, ${row.samples.length} samples`;
    return `<g><title>${escapeHtml(detail)}</title>` +
      `<text x="${LABEL_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${escapeHtml(label)}</text>` +
      `<rect class="${barClass(row)}" x="${LABEL_WIDTH}" y="${y + 3}" ` +
      `width="${(x(row.median) - LABEL_WIDTH).toFixed(1)}" height="${ROW_HEIGHT - 6}" rx="2"/>` +
      `<line class="range" x1="${x(row.q1)}" x2="${x(row.q3)}" y1="${middle}" y2="${middle}"/>` +
      `<text x="${Number(x(row.q3)) + 8}" y="${middle + 4}">${text}</text></g>`;
  });
  const size = `${LABEL_WIDTH + BAR_WIDTH + 110} ${sorted.length * ROW_HEIGHT}`;
  return `<svg viewBox="0 0 ${size}" role="img">${bars.join('\n')}</svg>`;
}

function suiteCharts(suite, rows) {
  const measured = rows.filter((row) => row.suite === suite.name && row.samples);
  return [...new Set(measured.map((row) => row.case))].flatMap((name) =>
    [`<h3>${escapeHtml(name)}</h3>`, barChart(measured.filter((row) => row.case === name))]);
}

export function htmlReport(report, suites) {
  const { env, rows } = report;
  const facts = Object.entries(env)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  const parts = ['<h1>Spicule benchmark</h1>'];
  if (env.partial) parts.push('<p class="partial">Partial: the run was interrupted.</p>');
  parts.push(`<dl>${facts.join('\n')}</dl>`);
  for (const suite of suites) {
    for (const [i, table] of suiteTables(suite, rows).entries()) {
      parts.push(`<h2>${escapeHtml(table.title)}</h2>`);
      if (table.note) parts.push(`<p>${escapeHtml(table.note)}</p>`);
      if (i === 0) parts.push(...suiteCharts(suite, rows));
      parts.push(htmlTable(table));
    }
  }
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width">` +
    `<title>Spicule benchmark</title><style>${STYLE}</style></head>\n` +
    `<body>${parts.join('\n')}</body></html>\n`;
}
