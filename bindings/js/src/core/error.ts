import { type ErrorCode, STATUSES } from '../generated/status.js';

export type { ErrorCode };

/** Statuses of a part of the package. */
export interface Statuses {
  readonly texts: { readonly [Code in ErrorCode]?: string };
  readonly starts: { readonly [Code in ErrorCode]?: number };
}

const texts: { [Code in ErrorCode]?: string } = {};
const codes: ErrorCode[] = [];

/** Makes statuses known: bundles have the texts only of parts that they have. */
export function addStatuses(part: Statuses): void {
  let number = 0;
  for (const code of Object.keys(part.texts) as ErrorCode[]) {
    number = part.starts[code] ?? number + 1;
    codes[number] = code;
    texts[code] = part.texts[code]!;
  }
}

/** The code of a number. */
function codeOf(status: number): ErrorCode {
  if (codes[1] === undefined) addStatuses(STATUSES);
  return codes[status] ?? 'INTERNAL';
}

/** What a code means. */
function textOf(code: ErrorCode): string {
  codeOf(1);
  return texts[code] ?? code;
}

/** Where an error lies; a member that does not apply is absent. */
export interface ErrorDetails {
  /** Byte offset in the input; of a value that is not whole, where it or its field begins. */
  readonly offset?: number | bigint | undefined;
  /** Index of the element, argument or field. */
  readonly index?: number | bigint | undefined;
  /** Names from the root to the field, such as `a.b[3].c`. */
  readonly path?: string | undefined;
  /** The limit that was exceeded, or the size that was needed. */
  readonly limit?: number | bigint | undefined;
  /** What caused it. */
  readonly cause?: unknown;
}

/**
 * The one error of this package, for everything that the core checks, lengths and ranges too: every
 * back end gives the same one for the same input. Only a value of a wrong JavaScript type is a
 * `TypeError`. Positions are numbers, or bigints above 2^53 - 1.
 */
export class SpiculeError extends Error {
  /** What went wrong. */
  readonly code: ErrorCode;
  /** Byte offset in the input, where one applies. */
  declare readonly offset?: number | bigint;
  /** Index of the element, argument or field, where one applies. */
  declare readonly index?: number | bigint;
  /** Names from the root to the field, where one applies. */
  declare readonly path?: string;
  /** The limit that was exceeded, or the size that was needed, where one applies. */
  declare readonly limit?: number | bigint;

  /** What goes before the text that belongs to the code, where there is something to say. */
  declare readonly note?: string;

  /** `note` goes before the text that belongs to the code. */
  constructor(code: ErrorCode, details: ErrorDetails = {}, note?: string) {
    super(describe(code, details, note), 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (note !== undefined) Object.defineProperty(this, 'note', { value: note, configurable: true });
    const own = this as { -readonly [K in keyof ErrorDetails]: ErrorDetails[K] };
    if (details.offset !== undefined) own.offset = details.offset;
    if (details.index !== undefined) own.index = details.index;
    if (details.path !== undefined) own.path = details.path;
    if (details.limit !== undefined) own.limit = details.limit;
  }

  override get name(): string {
    return 'SpiculeError';
  }
}

function describe(code: ErrorCode, details: ErrorDetails, note: string | undefined): string {
  const where = (['index', 'offset', 'path', 'limit'] as const)
    .filter((key) => details[key] !== undefined)
    .map((key) => `${key} ${details[key]}`);
  const text = note === undefined ? textOf(code) : `${note}: ${textOf(code)}`;
  return where.length === 0 ? text : `${text} (${where.join(', ')})`;
}

/** An error as the core reports it. */
export interface ErrorRecord {
  readonly status: number;
  readonly offset?: number | bigint | undefined;
  readonly index?: number | bigint | undefined;
  readonly limit?: number | bigint | undefined;
  readonly path?: string | undefined;
}

/** The error of a record. */
export function errorOf({ status, ...details }: ErrorRecord): SpiculeError {
  return new SpiculeError(codeOf(status), details);
}
