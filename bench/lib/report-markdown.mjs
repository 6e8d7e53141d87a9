// The report for a terminal: Markdown with padded columns.
import { suiteTables } from './report-tables.mjs';

function markdownTable({ columns, numeric, rows }) {
  const cells = [columns, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = columns.map((_, i) => Math.max(3, ...cells.map((row) => row[i].length)));
  const line = (row) => `| ${row.map((cell, i) =>
    (i < numeric ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) =>
    `${'-'.repeat(width + 1)}${i < numeric ? '-' : ':'}`).join('|')}|`;
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}

export function markdownReport(report, suites) {
  const { env, rows } = report;
  const parts = [
    `${env.cpu}, ${env.cpus} CPUs; ${env.os}; Node ${env.node}; ${env.compiler}; ` +
      `commit ${env.commit}; ${env.form} form${env.partial ? '; PARTIAL: interrupted' : ''}`,
  ];
  for (const table of suites.flatMap((suite) => suiteTables(suite, rows))) {
    parts.push(`## ${table.title}`, ...(table.note ? [table.note] : []), markdownTable(table));
  }
  return `${parts.join('\n\n')}\n`;
}
