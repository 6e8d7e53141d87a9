import { type Bytes, bytesArgument, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import type { Engine } from './engine.js';
import type { BulkArray } from './list.js';
import { isBytesType } from './scalar.js';
import type { FieldInfo, MessageInfo } from './type.js';

/**
 * The values at one path of a message, in the order of the wire.
 *
 * There is a value for each place where the last field of the path stands or could stand: for each
 * element of the innermost repeated field on the way; where that is none, one.
 */
export interface Column {
  readonly path: string;
  /** How many values there are. */
  readonly length: number;
  /**
   * The values as a typed array: bools and enums as numbers; 0 where a value is not there. Of
   * strings and bytes, their lengths: `stringAt` and `bytesAt` give the values.
   */
  readonly values: BulkArray;
  /** 1 where a value is there, else 0. */
  readonly present: Bytes;
  /**
   * For each repeated field on the way, from the outermost on: where the elements of each parent
   * begin, and at the end how many there are. They count elements of the next one, or values.
   */
  readonly offsets: readonly Uint32Array[];
  /** A value of a string field. */
  stringAt(index: number): string;
  /** A value of a bytes field: a view of what `select` was given. */
  bytesAt(index: number): Uint8Array;
}

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

/** The fields along a path such as `items.stateChanges.consensusTimestamp.seconds`. */
function fieldsOf(type: MessageInfo, path: string): FieldInfo[] {
  if (typeof path !== 'string') throw wrongType('path', 'a string', path);
  const fields: FieldInfo[] = [];
  let owner: MessageInfo | undefined = type;
  for (const name of path.split('.')) {
    const field: FieldInfo | undefined = owner?.byName.get(name);
    if (field === undefined) throw new SpiculeError('UNKNOWN_FIELD', { path });
    fields.push(field);
    owner = field.scalar === undefined ? field.message : undefined;
  }
  if (owner !== undefined) throw new SpiculeError('WRONG_TYPE', { path });
  return fields;
}

/** Reads columns straight from the wire; only what is on the paths is looked at. */
export function selectColumns(
  engine: Engine,
  type: MessageInfo,
  bytes: Uint8Array,
  paths: readonly string[],
): Column[] {
  bytesArgument(bytes, 'bytes');
  const schema = engine.compiled(type.schema);
  return paths.map((path) => {
    const fields = fieldsOf(type, path);
    const numbers = fields.map((field) => field.number);
    return engine.passing(schema, 4096, 4096, (arena) => {
      const lists = engine.select(arena, type, numbers, bytes);
      const [ref, length] = lists.values;
      const present = arena.bytes.slice(lists.present[0], lists.present[0] + length);
      const repeated = fields.flatMap((field, i) => (field.repeated ? [i] : []));
      const offsets = repeated.map((step, i) => {
        const [from, count] = lists.starts[step]!;
        const next = repeated[i + 1];
        const starts = new Uint32Array(count + 1);
        starts.set(arena.words.subarray(from >> 2, (from >> 2) + count));
        starts[count] = next === undefined ? length : lists.starts[next]![1];
        return starts;
      });
      return columnOf(path, fields.at(-1)!, arena, ref, length, present as Bytes, offsets, bytes);
    });
  });
}

function columnOf(
  path: string,
  field: FieldInfo,
  arena: Arena,
  ref: number,
  length: number,
  present: Bytes,
  offsets: readonly Uint32Array[],
  bytes: Uint8Array,
): Column {
  const first = ref >> 2;
  const halves = (shift: number) => {
    const out = new Uint32Array(length);
    for (let i = 0; i < length; i++) out[i] = arena.words[first + 2 * i + shift]!;
    return out;
  };
  const text = isBytesType(field.type);
  const places = text ? halves(0) : undefined;
  const at = (index: number): Uint8Array => {
    if (places === undefined) throw new SpiculeError('WRONG_TYPE', { path });
    if (!(index >= 0 && index < length)) throw new SpiculeError('INVALID_ARGUMENT', { index, limit: length });
    return bytes.subarray(places[index], places[index]! + (column.values[index] as number));
  };
  const column: Column = {
    path,
    length,
    values: text ? halves(1) : valuesOf(field, arena, ref, length, halves),
    present,
    offsets,
    stringAt: (index) => decoder.decode(at(index)),
    bytesAt: at,
  };
  return column;
}

/** Values of numbers as an array of their type. */
function valuesOf(
  field: FieldInfo,
  arena: Arena,
  ref: number,
  length: number,
  halves: (shift: number) => Uint32Array,
): BulkArray {
  const kind = field.scalar!.array ?? 'words';
  if (kind === 'longs' || kind === 'ulongs' || kind === 'doubles') {
    return arena[kind].slice(ref >> 3, (ref >> 3) + length);
  }
  const words = halves(0);
  if (kind === 'words') return words;
  return kind === 'ints' ? new Int32Array(words.buffer) : new Float32Array(words.buffer);
}
