import { wrongType } from '../core/bytes.js';
import {
  BooleanType, ByteType, Uint64Type, UintBigType, UintNumberType,
} from './basic.js';
import { BitsType } from './bits.js';
import { BytesType } from './bytes.js';
import { type ContainerOptions, ContainerType, type Fields } from './container.js';
import { KIND } from './engine.js';
import { type Options, UnionType } from './union.js';
import { type Proof, compactGindices, verify } from './proof.js';
import { type SchemaOptions, schemaTypes, typeOfText } from './schema.js';
import { SequenceType } from './sequence.js';
import { type AnyType, type Host, longArgument } from './type.js';

/** A length or limit. */
export type Limit = number | bigint;

/**
 * Builders of types. A type is checked when it is built, so the first composite one loads the
 * default instance: `ZERO_LENGTH`, `NO_FIELDS`, `BAD_NAME`, `BAD_ACTIVE_FIELDS`, `BAD_SELECTOR`,
 * `INCOMPATIBLE_OPTIONS`, `DEPTH_LIMIT`, with the name of the field.
 */
export function builders(host: Host) {
  const byte = new ByteType(host);
  return {
    /** Integers: numbers up to 32 bits, bigints above; numbers are accepted where they are safe. */
    uint8: new UintNumberType(host, 1),
    uint16: new UintNumberType(host, 2),
    uint32: new UintNumberType(host, 4),
    uint64: new Uint64Type<bigint>(host, 'bigint'),
    uint128: new UintBigType(host, 16),
    uint256: new UintBigType(host, 32),
    /** uint64 as a number; values above 2^53 - 1 are an error, never rounded. */
    uint64Number: new Uint64Type<number>(host, 'number'),
    /** As `uint64Number`, with 2^64 - 1 as Infinity. */
    uint64Infinity: new Uint64Type<number>(host, 'infinity'),
    /** As uint8 in bytes and roots; hexadecimal in JSON. */
    byte,
    boolean: new BooleanType(host),

    /** A container with these fields, in this order. */
    container: <const F extends Fields>(fields: F, options?: ContainerOptions) =>
      new ContainerType(host, fields, options),

    /** A progressive container; `active` says which positions of the tree have a field. */
    progressiveContainer: <const F extends Fields>(
      active: readonly (boolean | 0 | 1)[],
      fields: F,
      options?: ContainerOptions,
    ) => new ContainerType(host, fields, options, activeArgument(active)),

    /** `length` elements. */
    vector: <T extends AnyType>(element: T, length: Limit) =>
      new SequenceType(host, KIND.VECTOR, longArgument(length, 'length'), element),

    /** Up to `limit` elements. */
    list: <T extends AnyType>(element: T, limit: Limit) =>
      new SequenceType(host, KIND.LIST, longArgument(limit, 'limit'), element),

    /** Any number of elements. */
    progressiveList: <T extends AnyType>(element: T) =>
      new SequenceType(host, KIND.PROGRESSIVE_LIST, 0n, element),

    byteVector: (length: Limit) =>
      new BytesType(host, KIND.VECTOR, longArgument(length, 'length'), byte),
    byteList: (limit: Limit) => new BytesType(host, KIND.LIST, longArgument(limit, 'limit'), byte),
    progressiveByteList: () => new BytesType(host, KIND.PROGRESSIVE_LIST, 0n, byte),

    bitvector: (length: Limit) => new BitsType(host, KIND.BITVECTOR, longArgument(length, 'length')),
    bitlist: (limit: Limit) => new BitsType(host, KIND.BITLIST, longArgument(limit, 'limit')),
    progressiveBitlist: () => new BitsType(host, KIND.PROGRESSIVE_BITLIST, 0n),

    /** The legacy union; option i has selector i, and option 0 may be null, for None. */
    union: <const O extends readonly (AnyType | null)[]>(options: O) =>
      new UnionType(host, false, optionsArgument(options) as UnionOptions<O>),

    /** A union whose options, by selectors from 1 to 127, share one shape of tree. */
    compatibleUnion: <const O extends Options>(options: O) => new UnionType(host, true, options),

    /**
     * The types of a schema: JSON text, or an object, of definitions by name. See `SchemaOptions` for
     * constants and sections, `spicule/ssz/yaml` for YAML.
     */
    fromSchema: (schema: string | object, options?: SchemaOptions) =>
      schemaTypes(host, schema, options),

    /** Whether a proof, in any of its forms, holds for a tree with that root. `BAD_PROOF`. */
    verifyProof: (root: Uint8Array, proof: Proof): boolean => verify(host.engine(), root, proof),

    /** The generalized indices of the hashes of a `compactMulti` proof, from left to right. */
    compactGindices: (descriptor: Uint8Array): bigint[] =>
      compactGindices(host.engine(), descriptor),

    /** The type of a text such as `List[uint64, 1024]`. */
    parseType: (text: string): AnyType => typeOfText(host, text),
  };
}

type UnionOptions<O extends readonly (AnyType | null)[]> = {
  [K in keyof O & `${number}` as K extends `${infer N extends number}` ? N : never]: O[K];
};

/** Options by selector; what an array has not is undefined, and so refused. */
export function optionsArgument(options: readonly (AnyType | null)[]): Options {
  if (!Array.isArray(options)) throw wrongType('options', 'an array', options);
  return { ...Array.from<AnyType | null>(options) };
}

function activeArgument(active: readonly (boolean | 0 | 1)[]): boolean[] {
  if (!Array.isArray(active)) throw wrongType('active', 'an array', active);
  return Array.from(active, Boolean);
}

export type Builders = ReturnType<typeof builders>;
