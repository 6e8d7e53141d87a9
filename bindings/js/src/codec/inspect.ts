/**
 * How messages and views look in `console.log` of Node.js: what is set, to the depth and length that
 * Node prints, not the memory behind it.
 */

/** A method of this name says how Node.js prints an object. */
export const INSPECT: unique symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom') as never;

/** What is used of the options of `util.inspect`. */
export interface InspectOptions {
  readonly depth?: number | null | undefined;
  readonly maxArrayLength?: number | null | undefined;
}

export type Inspect = (value: unknown, options: InspectOptions) => string;

const DEFAULT_LENGTH = 100;

/** A value behind a name; only the name where no depth is left, as Node prints `[Object]`. */
export function inspected(
  name: string,
  value: () => unknown,
  depth: number | null,
  options: InspectOptions,
  inspect: Inspect,
): string {
  if (depth !== null && depth < 0) return `[${name}]`;
  return `${name} ${inspect(value(), { ...options, depth })}`;
}

/** The elements that are printed, in an array of the whole length: Node says how many are left out. */
export function firstOf<T>(elements: Iterable<T>, length: number, options: InspectOptions): T[] {
  const most = options.maxArrayLength === null ? Infinity : (options.maxArrayLength ?? DEFAULT_LENGTH);
  const first: T[] = [];
  for (const element of elements) {
    if (first.length >= most) break;
    first.push(element);
  }
  first.length = length;
  return first;
}
