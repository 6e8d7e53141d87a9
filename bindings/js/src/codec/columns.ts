import { type Bytes, bytesArgument, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import type { Engine } from './engine.js';
import type { BulkArray } from './list.js';
import { append, assign, isSet } from './record.js';
import { TYPE, isBytesType, readUint32 } from './scalar.js';
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
  if (!Array.isArray(paths)) throw wrongType('paths', 'an array of strings', paths);
  const schema = engine.compiled(type.schema);
  return (paths as readonly string[]).map((path) => {
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

/** A column to encode: those that `select` gives, or others of the same form. */
export interface ColumnInit {
  readonly path: string;
  /** Of a path without repeated fields one value, else as many as `offsets` say. */
  readonly values: ArrayLike<number> | ArrayLike<bigint> | ArrayLike<string> | ArrayLike<Uint8Array>;
  /** 0 where a value is not there; by default all are. */
  readonly present?: ArrayLike<number> | undefined;
  /** As of a `Column`; may be left out where one field on the path is repeated, and has all values. */
  readonly offsets?: readonly ArrayLike<number>[] | undefined;
}

/** One column on its way into messages. */
interface Writing {
  readonly path: string;
  readonly fields: readonly FieldInfo[];
  readonly offsets: readonly ArrayLike<number>[];
  readonly has: (index: number) => boolean;
  readonly value: (index: number) => unknown;
}

function writingOf(type: MessageInfo, column: ColumnInit | Column): Writing {
  const { path, values, present } = column;
  const fields = fieldsOf(type, path);
  const levels = fields.filter((field) => field.repeated).length;
  if (fields.some((field) => field.map)) throw new SpiculeError('WRONG_TYPE', { path });
  const offsets = column.offsets ?? (levels === 1 ? [[0, values.length]] : []);
  const count = levels === 0 ? 1 : offsets.at(-1)?.[offsets.at(-1)!.length - 1];
  const lengths = present === undefined || present.length === values.length;
  if (offsets.length !== levels || count !== values.length || !lengths) {
    throw new SpiculeError('WRONG_LENGTH', { path });
  }
  const last = fields.at(-1)!;
  const value = (index: number): unknown => {
    if (isBytesType(last.type) && 'bytesAt' in column) {
      return last.type === TYPE.STRING ? column.stringAt(index) : column.bytesAt(index);
    }
    return last.type === TYPE.BOOL ? Boolean(values[index]) : values[index];
  };
  return { path, fields, offsets, has: (index) => present === undefined || present[index] !== 0, value };
}

/** Whether there is anything to write below a step: else no message is made for it. */
function anything(w: Writing, step: number, level: number, position: number): boolean {
  if (!w.fields.slice(step).some((field) => field.repeated)) return w.has(position);
  return w.offsets[level]![position] !== w.offsets[level]![position + 1];
}

function write(arena: Arena, ref: number, w: Writing, step: number, level: number, position: number): void {
  const field = w.fields[step]!;
  const last = step === w.fields.length - 1;
  if (!field.repeated) {
    if (!anything(w, step, level, position)) return;
    if (last) {
      assign(arena, ref, field, w.value(position), w.path);
      return;
    }
    if (!isSet(arena, ref, field)) assign(arena, ref, field, {}, w.path);
    write(arena, readUint32(arena, ref + field.at), w, step + 1, level, position);
    return;
  }
  const starts = w.offsets[level]!;
  const [start, end] = [starts[position]!, starts[position + 1]!];
  if (!(start <= end)) throw new SpiculeError('WRONG_LENGTH', { path: w.path });
  if (last) {
    for (let i = start; i < end; i++) append(arena, ref, field, w.value(i), w.path);
    return;
  }
  const known = readUint32(arena, ref + field.at + 4);
  if (known !== 0 && known !== end - start) throw new SpiculeError('WRONG_LENGTH', { path: w.path });
  for (let i = known; i < end - start; i++) append(arena, ref, field, {}, w.path);
  for (let i = start; i < end; i++) {
    const array = readUint32(arena, ref + field.at);
    write(arena, readUint32(arena, array + 4 * (i - start)), w, step + 1, level + 1, i);
  }
}

/** Makes a message of columns: the other way round from `selectColumns`. */
export function fillColumns(
  arena: Arena,
  ref: number,
  type: MessageInfo,
  columns: readonly (ColumnInit | Column)[],
): void {
  if (!Array.isArray(columns)) throw wrongType('columns', 'an array of columns', columns);
  for (const column of columns) write(arena.ready(), ref, writingOf(type, column), 0, 0, 0);
}
