import { wrongType } from '../core/bytes.js';
import {
  BooleanType, ByteType, Uint64Type, UintBigType, UintNumberType,
} from './basic.js';
import { BitsType, type BitVectorView } from './bits.js';
import { BytesType } from './bytes.js';
import { type ContainerOptions, ContainerType, type Fields } from './container.js';
import { KIND } from './engine.js';
import { type Options, UnionType } from './union.js';
import { type Proof, compactGindices, verify } from './proof.js';
import { type SchemaOptions, schemaTypes, typeOfText } from './schema.js';
import { SequenceType, type VectorType } from './sequence.js';
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
    /** Integers of 8 bits: numbers. */
    uint8: new UintNumberType(host, 1),
    /** Integers of 16 bits: numbers. */
    uint16: new UintNumberType(host, 2),
    /** Integers of 32 bits: numbers. */
    uint32: new UintNumberType(host, 4),
    /** Integers of 64 bits: bigints; safe numbers are accepted. */
    uint64: new Uint64Type<bigint>(host, 'bigint'),
    /** Integers of 128 bits: bigints; safe numbers are accepted. */
    uint128: new UintBigType(host, 16),
    /** Integers of 256 bits: bigints; safe numbers are accepted. */
    uint256: new UintBigType(host, 32),
    /** uint64 as a number; values above 2^53 - 1 are an error, never rounded. */
    uint64Number: new Uint64Type<number>(host, 'number'),
    /** As `uint64Number`, with 2^64 - 1 as Infinity. */
    uint64Infinity: new Uint64Type<number>(host, 'infinity'),
    /** As uint8 in bytes and roots; hexadecimal in JSON. */
    byte,
    /** true or false. */
    boolean: new BooleanType(host),

    /** A container with these fields, in this order: `container({ slot: uint64 })`. */
    container: <const F extends Fields>(fields: F, options?: ContainerOptions) =>
      new ContainerType(host, fields, options),

    /**
     * A progressive container; `active` says which positions of the tree have a field:
     * `progressiveContainer([1, 0, 1], { slot: uint64, root: byteVector(32) })`.
     */
    progressiveContainer: <const F extends Fields>(
      active: readonly (boolean | 0 | 1)[],
      fields: F,
      options?: ContainerOptions,
    ) => new ContainerType(host, fields, options, activeArgument(active)),

    /** A vector: `length` elements. */
    vector: <T extends AnyType>(element: T, length: Limit): VectorType<T> =>
      new SequenceType(host, KIND.VECTOR, longArgument(length, 'length'), element),

    /** A list: up to `limit` elements. */
    list: <T extends AnyType>(element: T, limit: Limit) =>
      new SequenceType(host, KIND.LIST, longArgument(limit, 'limit'), element),

    /** A progressive list: any number of elements. */
    progressiveList: <T extends AnyType>(element: T) =>
      new SequenceType(host, KIND.PROGRESSIVE_LIST, 0n, element),

    /** A vector of `length` bytes: a `Uint8Array`. */
    byteVector: (length: Limit) =>
      new BytesType(host, KIND.VECTOR, longArgument(length, 'length'), byte),
    /** A list of up to `limit` bytes: a `Uint8Array`. */
    byteList: (limit: Limit) => new BytesType(host, KIND.LIST, longArgument(limit, 'limit'), byte),
    /** A progressive list of bytes: a `Uint8Array`. */
    progressiveByteList: () => new BytesType(host, KIND.PROGRESSIVE_LIST, 0n, byte),

    /** A vector of `length` bits: a `BitArray`. */
    bitvector: (length: Limit) =>
      new BitsType<BitVectorView>(host, KIND.BITVECTOR, longArgument(length, 'length')),
    /** A list of up to `limit` bits: a `BitArray`. */
    bitlist: (limit: Limit) => new BitsType(host, KIND.BITLIST, longArgument(limit, 'limit')),
    /** A progressive list of bits: a `BitArray`. */
    progressiveBitlist: () => new BitsType(host, KIND.PROGRESSIVE_BITLIST, 0n),

    /** The legacy union; option i has selector i, and option 0 may be null, for None. */
    union: <const O extends readonly (AnyType | null)[]>(options: O) =>
      new UnionType(host, false, optionsArgument(options) as UnionOptions<O>),

    /** A union whose options, by selectors from 1 to 127, share one shape of tree. */
    compatibleUnion: <const O extends Options>(options: O) => new UnionType(host, true, options),

    /**
     * The types of a schema by name. A schema is a JSON object of definitions by name, or its text;
     * for YAML, see `spicule/ssz/yaml`. A definition is the text of a type, or one of
     *
     *     {"kind": "Container", "fields": [["slot", "uint64"], ["roots", "List[Bytes32, LIMIT]"]]}
     *     {"kind": "ProgressiveContainer", "fields": [["a", "uint8"], ["b", "A"]], "active_fields": "101"}
     *     {"kind": "CompatibleUnion", "options": {"1": "A", "2": "B"}}
     *     {"kind": "Union", "options": ["None", "uint8"]}
     *
     * where `active_fields` may be an array, `[1, 0, 1]`, too. Definitions may come after their use.
     * For texts of types see `parseType`; they may have names of the schema, and names of constants
     * where numbers are: `options.constants` has their values. `options.section` is the member of the
     * schema that has the definitions, such as a fork.
     *
     * `MALFORMED` (no JSON, with the offset), `BAD_TYPE_TEXT`, `UNDEFINED_TYPE`, `RECURSIVE_TYPE`,
     * `NOT_FOUND` (the section), and what builders give; with a path such as `BeaconState.balances`.
     */
    fromSchema: (schema: string | object, options?: SchemaOptions) =>
      schemaTypes(host, schema, options),

    /** Whether a proof, in any of its forms, holds for a tree with that root. `BAD_PROOF`. */
    verifyProof: (root: Uint8Array, proof: Proof): boolean => verify(host.engine(), root, proof),

    /** The generalized indices of the hashes of a `compactMulti` proof, from left to right. */
    compactGindices: (descriptor: Uint8Array): bigint[] =>
      compactGindices(host.engine(), descriptor),

    /**
     * The type of a text such as `List[uint64, 1024]`: uint8 to uint256, byte, boolean (bool),
     * BitVector[N], BitList[N], ProgressiveBitList, Vector[T, N], List[T, N], ProgressiveList[T],
     * ByteVector[N] (BytesN), ByteList[N], ProgressiveByteList, Union[T, ...],
     * CompatibleUnion({1: T, ...}). Capitals inside words don't matter.
     */
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
  return Array.from(active, (bit: unknown, i) => {
    if (typeof bit !== 'boolean' && bit !== 0 && bit !== 1) throw wrongType(`active[${i}]`, 'a boolean, 0 or 1', bit);
    return Boolean(bit);
  });
}

export type Builders = ReturnType<typeof builders>;
