// The SSZ suite: bounded and progressive values side by side: C code, natively and in Wasm
// (bench/native/rows_ssz.c), and through JavaScript (ssz-js.mjs).
import { closingTable } from './ssz-targets.mjs';

export { offers, prepare } from './ssz-js.mjs';

export const name = 'ssz';
export const title = 'SSZ: bounded and progressive';
export const module = import.meta.url;
export const unit = 'us';
export const share = 3;
// The engine's code for one variant would be shaped by the values of the other.
export const processes = ['bounded', 'progressive'];

export const sides = {
  variants: ['bounded', 'progressive'],
  columns: ['operation', 'back end', 'bounded us', 'progressive us', 'progressive / bounded'],
  note: 'Medians; the ratio is the median of paired ratios of time.',
};

/** Progressive against bounded; a peer against our own row through JavaScript. */
export function ratioTo(row, rows) {
  if (row.backend.startsWith('peer:')) {
    return rows.find((other) => other.backend === 'wasm-simd' && other.engine === row.engine &&
      other.variant === row.variant);
  }
  if (row.variant === 'bounded') return undefined;
  return rows.find((other) => other.backend === row.backend && other.engine === row.engine &&
    other.variant === 'bounded');
}

export function closingTables(rows) {
  const table = closingTable(rows);
  return table === undefined ? [] : [table];
}
