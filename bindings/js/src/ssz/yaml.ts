/**
 * Schemas and constants in YAML, as the presets of the consensus specification are. This entry needs
 * the package `yaml`, which is not installed with this one.
 *
 * @module
 */
import { parse } from 'yaml';

import { SpiculeError } from '../core/error.js';
import { wrongType } from '../core/bytes.js';
import { checkedOptions } from '../core/options.js';
import { fromSchema } from '../ssz.js';
import { SCHEMA_KINDS, type SchemaOptions } from './schema.js';
import type { AnyType } from './type.js';

export interface YamlOptions extends Omit<SchemaOptions, 'constants'> {
  /** Values of constants in type texts: a map of them, or its YAML text. */
  readonly constants?: SchemaOptions['constants'] | string;
}

/** What YAML text says, as `fromSchema` of any instance takes it. `MALFORMED`. */
export function parseYaml(text: string): unknown {
  if (typeof text !== 'string') throw wrongType('text', 'a string', text);
  try {
    return parse(text);
  } catch (cause) {
    throw new SpiculeError('MALFORMED', { cause }, `YAML: ${(cause as Error).message}`);
  }
}

/** The types of a schema in YAML, or in JSON, by name: see `fromSchema`. */
export function fromYaml(text: string, options?: YamlOptions): Record<string, AnyType> {
  const { constants, section } = checkedOptions<YamlOptions>(options, SCHEMA_KINDS);
  const values = typeof constants === 'string' ? parseYaml(constants) : constants;
  return fromSchema(parseYaml(text) as object, {
    section, constants: values as SchemaOptions['constants'],
  });
}
