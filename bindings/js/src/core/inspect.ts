/** What `console.log` of Node and its like show: see `util.inspect.custom`. */
export const INSPECT: unique symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom') as never;

/** What is used of the options of the caller's own `inspect`. */
export interface InspectOptions {
  readonly depth?: number | null | undefined;
  readonly maxArrayLength?: number | null | undefined;
}

export type Inspect = (value: unknown, options: InspectOptions) => string;

/**
 * A value behind a name: only the name where no depth is left, as Node prints `[Object]`; where there
 * is no value any more, why.
 */
export function inspected(
  name: string,
  value: () => unknown,
  depth: number | null,
  options: InspectOptions,
  inspect: Inspect | undefined,
): string {
  if (inspect === undefined || (depth !== null && depth < 0)) return `[${name}]`;
  try {
    return `${name} ${inspect(value(), { ...options, depth })}`;
  } catch (error) {
    return `[${name}: ${(error as Error).message}]`;
  }
}

/** What `console.log` shows as `$show` says. A class with a computed name itself, bundlers never drop. */
export abstract class Shown {
  /** @internal */
  abstract $show(depth: number | null, options: InspectOptions, inspect: Inspect): string;

  /** @internal */
  [INSPECT](depth: number | null, options: InspectOptions, inspect: Inspect): string {
    return this.$show(depth, options, inspect);
  }
}
