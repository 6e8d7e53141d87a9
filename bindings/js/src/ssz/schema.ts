import { wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import { type OptionKinds, checkedOptions } from '../core/options.js';
import { BooleanType, ByteType, Uint64Type, UintBigType, UintNumberType } from './basic.js';
import { BitsType } from './bits.js';
import { BytesType } from './bytes.js';
import { ContainerType } from './container.js';
import { Known } from './host.js';
import { type Description, type Engine, KIND } from './engine.js';
import { SequenceType } from './sequence.js';
import { type AnyType, type Host, placed } from './type.js';
import { UnionType } from './union.js';

export interface SchemaOptions {
  /** The member of the schema that has the definitions, such as a fork. */
  readonly section?: string | undefined;
  /** Values of constants in type texts, such as `VALIDATOR_REGISTRY_LIMIT`. */
  readonly constants?: Readonly<Record<string, number | bigint>> | undefined;
}

export const SCHEMA_KINDS: OptionKinds<SchemaOptions> = { section: 'string', constants: 'any' };

/** Types of the core as types here, each once. */
class Reader {
  readonly #host: Host;
  readonly #engine: Engine;
  readonly #types = new Map<number, AnyType>();

  constructor(host: Host) {
    this.#host = host;
    this.#engine = host.engine();
  }

  type(id: number): AnyType {
    let type = this.#types.get(id);
    if (type === undefined) {
      // The identity in the core is set before the constructor could build the type again.
      type = this.#make(this.#engine.describe(id), new Known(this.#host, id));
      this.#types.set(id, type);
    }
    return type;
  }

  #make({ kind, limit, element, name, fields }: Description, host: Host): AnyType {
    switch (kind) {
      case KIND.UINT:
        if (limit === 64n) return new Uint64Type<bigint>(host, 'bigint');
        if (limit > 64n) return new UintBigType(host, limit === 128n ? 16 : 32);
        return new UintNumberType(host, (Number(limit) / 8) as 1 | 2 | 4);
      case KIND.BYTE:
        return new ByteType(host);
      case KIND.BOOLEAN:
        return new BooleanType(host);
      case KIND.BITVECTOR:
      case KIND.BITLIST:
      case KIND.PROGRESSIVE_BITLIST:
        return new BitsType(host, kind, limit);
      case KIND.VECTOR:
      case KIND.LIST:
      case KIND.PROGRESSIVE_LIST: {
        const of = this.type(element);
        if (of instanceof ByteType) return new BytesType(host, kind, limit, of);
        return new SequenceType(host, kind, limit, of);
      }
      case KIND.CONTAINER:
      case KIND.PROGRESSIVE_CONTAINER: {
        const parts = Object.fromEntries(fields.map((field) => [field.name, this.type(field.type)]));
        const last = fields[fields.length - 1]!.position;
        const active = Array.from({ length: last + 1 }, (_, i) =>
          fields.some(({ position }) => position === i));
        const progressive = kind === KIND.PROGRESSIVE_CONTAINER;
        return new ContainerType(host, parts, { name }, progressive ? active : undefined);
      }
      default: {
        const options = fields.map(({ type, position }) =>
          [position, type === 0 ? null : this.type(type)] as const);
        return new UnionType(host, kind === KIND.COMPATIBLE_UNION, Object.fromEntries(options));
      }
    }
  }
}

const NAME = /[A-Za-z_]\w*/g;

/** A type text with the values of constants in their places. */
function substitute(text: string, constants: NonNullable<SchemaOptions['constants']>): string {
  return text.replace(NAME, (name) => {
    if (!Object.hasOwn(constants, name)) return name;
    const value: unknown = constants[name];
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
    throw wrongType(`constants.${name}`, 'a number or a bigint', value);
  });
}

const isTypeText = (key: string | undefined) => key !== 'name' && key !== 'kind';

/** The texts of a schema with constants replaced: those of fields behind their names. */
function substituteAll(value: unknown, constants: NonNullable<SchemaOptions['constants']>, key?: string): unknown {
  if (typeof value === 'string') return isTypeText(key) ? substitute(value, constants) : value;
  if (Array.isArray(value)) {
    if (value.length === 2 && typeof value[0] === 'string' && key === 'field') {
      return [value[0], substituteAll(value[1], constants)];
    }
    return value.map((item) => substituteAll(item, constants, key === 'fields' ? 'field' : key));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, substituteAll(item, constants, name)]),
  );
}

/** The types of a schema by name. */
export function schemaTypes(
  host: Host,
  schema: string | object,
  options?: SchemaOptions,
): Record<string, AnyType> {
  const { section, constants } = checkedOptions(options, SCHEMA_KINDS);
  if (constants !== undefined && (typeof constants !== 'object' || constants === null)) {
    throw wrongType('constants', 'an object', constants);
  }
  let text: string;
  if (typeof schema === 'string') {
    text = constants === undefined ? schema : JSON.stringify(substituteAll(parse(schema), constants));
  } else if (typeof schema === 'object' && schema !== null) {
    text = schemaText(constants === undefined ? schema : substituteAll(schema, constants));
  } else {
    throw wrongType('schema', 'a string or an object', schema);
  }
  const engine = host.engine();
  const names = readSchema(engine, text, section);
  const reader = new Reader(host);
  const ids = names.map((name) => engine.typeOfText(name));
  return Object.fromEntries(names.map((name, i) => [name, reader.type(ids[i]!)]));
}

function schemaText(schema: unknown): string {
  try {
    return JSON.stringify(schema);
  } catch (cause) {
    throw new SpiculeError('MALFORMED', { cause }, `the schema is not JSON: ${(cause as Error).message}`);
  }
}

function readSchema(engine: Engine, text: string, section: string | undefined): string[] {
  try {
    return engine.readSchema(text, section);
  } catch (error) {
    if (!(error instanceof SpiculeError)) throw error;
    if (error.code === 'NOT_FOUND') throw placed(error, section, 'the schema has no such section');
    const definition = error.code === 'MALFORMED' && error.path !== undefined;
    throw definition ? placed(error, error.path, 'this is no definition of a type') : error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SpiculeError('MALFORMED', { cause }, 'the schema is not JSON; for YAML, see spicule/ssz/yaml');
  }
}

/** The type of a type text. */
export function typeOfText(host: Host, text: string): AnyType {
  if (typeof text !== 'string') throw wrongType('text', 'a string', text);
  const engine = host.engine();
  engine.noSchema();
  return new Reader(host).type(engine.typeOfText(text));
}
