// Order statistics of a few samples. Nothing is filtered: an outlier is part of the result.

/** The quantile `q` (0 to 1) of ascending numbers, linear between the two nearest ones. */
export function quantile(sorted, q) {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/** Minimum, quartiles and median of at least one sample. */
export function summarize(samples) {
  const sorted = Float64Array.from(samples).sort();
  return {
    min: sorted[0],
    median: quantile(sorted, 0.5),
    q1: quantile(sorted, 0.25),
    q3: quantile(sorted, 0.75),
  };
}

/**
 * How `samples` compare with `base`, pair by pair: below 1 means less time. Sample i of both was
 * taken in the same round; where one list is shorter, the rounds that only one has are left out.
 */
export function pairedRatio(samples, base) {
  const rounds = Math.min(samples.length, base.length);
  const ratios = Array.from({ length: rounds }, (_, i) => samples[i] / base[i]);
  const { median, q1, q3 } = summarize(ratios);
  return { median, q1, q3 };
}
