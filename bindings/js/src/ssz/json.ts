import { SpiculeError } from '../core/error.js';
import { checkedOptions } from '../core/options.js';
import type { AnyType } from './type.js';

export interface JsonOptions {
  /**
   * How fields are named in JSON where the type has the other way: `snake` for `effective_balance`,
   * `camel` for `effectiveBalance`. By default the names of the type.
   */
  readonly case?: 'snake' | 'camel' | undefined;
}

const CASES = {
  snake: (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  camel: (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
};

/** JSON with the names of fields replaced: `from` and `to` say which of a field's names are. */
function renamed(
  type: AnyType,
  json: unknown,
  from: (name: string) => string,
  to: (name: string) => string,
): unknown {
  const children = type.$children();
  if (children.length === 0 || typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((item) => renamed(children[0]!.type, item, from, to));
  if (type.$isUnion) {
    const { selector, data } = json as { selector: unknown; data: unknown };
    const option = children.find(({ name }) => name === String(selector));
    return { selector, data: option === undefined ? data : renamed(option.type, data, from, to) };
  }
  const found = json as Record<string, unknown>;
  return Object.fromEntries(
    children
      .filter(({ name }) => Object.hasOwn(found, from(name!)))
      .map(({ name, type: field }) => [to(name!), renamed(field, found[from(name!)], from, to)]),
  );
}

const same = (name: string) => name;

function convert(options: JsonOptions | undefined): ((name: string) => string) | undefined {
  const { case: form } = checkedOptions(options, { case: 'string' });
  if (form === undefined) return undefined;
  if (Object.hasOwn(CASES, form)) return CASES[form];
  throw new SpiculeError('INVALID_ARGUMENT', { path: 'case' }, `case ${form}`);
}

export function outOfJson(type: AnyType, json: unknown, options: JsonOptions | undefined): unknown {
  const name = convert(options);
  return name === undefined ? json : renamed(type, json, same, name);
}

export function intoJson(type: AnyType, json: unknown, options: JsonOptions | undefined): unknown {
  const name = convert(options);
  return name === undefined ? json : renamed(type, json, name, same);
}
