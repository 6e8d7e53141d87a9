/** What `console.log` of Node and its like show for types and views: see `util.inspect.custom`. */
export const INSPECT: unique symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom') as never;

/** How the caller's own `inspect` is called. */
export interface InspectOptions {
  readonly depth?: number | null;
}
export type Inspect = (value: unknown, options: InspectOptions) => string;

/** Elements and bits that are shown. */
const MOST = 16;

/** Text that is shown as it is. */
class Text {
  constructor(readonly text: string) {}
  [INSPECT](): string {
    return this.text;
  }
}

/** The first of `length` elements, and how many are left out. */
export function firstOf(length: number, element: (i: number) => unknown): unknown[] {
  const shown: unknown[] = Array.from({ length: Math.min(length, MOST) }, (_, i) => element(i));
  if (length > MOST) shown.push(new Text(`... ${length - MOST} more`));
  return shown;
}

/** `name` and what `summary` gives; where that fails, as the view is disposed, why. */
export function inspected(
  name: string,
  summary: () => unknown,
  depth: number | null,
  options: InspectOptions,
  inspect: Inspect | undefined,
): string {
  if (inspect === undefined || (depth !== null && depth < 0)) return `[${name}]`;
  try {
    return `${name} ${inspect(summary(), { ...options, depth })}`;
  } catch (error) {
    return `[${name}: ${(error as Error).message}]`;
  }
}
