import { type Bytes, bytesArgument, typedArrayLength, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import type { Engine, SelectedField, SelectedLists } from './engine.js';
import type { BulkArray } from './list.js';
import { DEPTH_MAX, append, assign, isSet } from './record.js';
import { type ArrayKind, TYPE, isBytesType, readUint32 } from './scalar.js';
import { type FieldInfo, type MessageInfo, noField } from './type.js';

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
  const names = path.split('.');
  if (names.length > DEPTH_MAX) throw new SpiculeError('DEPTH_LIMIT', { limit: DEPTH_MAX });
  let owner: MessageInfo | undefined = type;
  for (const name of names) {
    const field: FieldInfo | undefined = owner?.byName.get(name);
    if (field === undefined) throw noField(owner, name, path);
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
  const wanted: SelectedField[] = [];
  const known = new Map<string, number>();
  const steps = (paths as readonly string[]).map((path) => {
    let parent = 0;
    return fieldsOf(type, path).map((field) => {
      const key = `${parent} ${field.number}`;
      const place = known.get(key) ?? wanted.push({ parent, number: field.number }) - 1;
      known.set(key, place);
      parent = place + 1;
      return { field, place };
    });
  });
  if (wanted.length === 0) return [];
  const size = 4096 + (typedArrayLength(bytes) >>> 2);
  return engine.passing(engine.compiled(type.schema), size, 4096, (arena) => {
    const lists = engine.select(arena, type, wanted, bytes);
    const starts = new Map<number, Uint32Array>();
    const startsOf = (place: number, above: number) => {
      const from = lists[place]!.starts >> 2;
      const own = starts.get(place) ?? arena.words.slice(from, from + above + 1);
      starts.set(place, own);
      return own;
    };
    return steps.map((path, i) => {
      const offsets: Uint32Array[] = [];
      let above = 1;
      for (const { field, place } of path) {
        if (field.repeated) offsets.push(startsOf(place, above));
        above = lists[place]!.count;
      }
      const { field, place } = path.at(-1)!;
      return columnOf(paths[i] as string, field, arena, lists[place]!, offsets, bytes);
    });
  });
}

function columnOf(
  path: string,
  field: FieldInfo,
  arena: Arena,
  lists: SelectedLists,
  offsets: readonly Uint32Array[],
  bytes: Uint8Array,
): Column {
  const { count: length } = lists;
  const part = (kind: ArrayKind, ref: number): BulkArray => {
    const first = ref / arena[kind].BYTES_PER_ELEMENT;
    return arena[kind].slice(first, first + length);
  };
  const text = isBytesType(field.type);
  const places = text ? part('words', lists.values) : undefined;
  const values = text ? part('words', lists.lengths) : part(field.scalar!.array ?? 'words', lists.values);
  const at = (index: number): Uint8Array => {
    if (places === undefined) throw new SpiculeError('WRONG_TYPE', { path });
    if (!(index >= 0 && index < length)) throw new SpiculeError('INVALID_ARGUMENT', { index, limit: length });
    const start = places[index] as number;
    return bytes.subarray(start, start + (values[index] as number));
  };
  return {
    path,
    length,
    values,
    present: arena.bytes.slice(lists.present, lists.present + length) as Bytes,
    offsets,
    stringAt: (index) => decoder.decode(at(index)),
    bytesAt: at,
  };
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
  if (typeof column !== 'object' || column === null) throw wrongType('column', 'an object', column);
  const { path, values, present } = column;
  const fields = fieldsOf(type, path);
  if (typeof values !== 'object' || values === null) throw wrongType(`${path} values`, 'an array', values);
  const levels = fields.filter((field) => field.repeated).length;
  if (fields.some((field) => field.map)) throw new SpiculeError('WRONG_TYPE', { path });
  const offsets = column.offsets ?? (levels === 1 ? [[0, values.length]] : []);
  // Each list of offsets has one more than there are parents, the last of which says how many
  // elements there are: the parents of the next one, or values.
  let count = 1;
  let fit = offsets.length === levels;
  for (const starts of offsets) {
    fit &&= starts[0] === 0 && starts.length === count + 1;
    count = starts[count]!;
  }
  const lengths = present === undefined || present.length === values.length;
  if (!fit || count !== values.length || !lengths) {
    const note = `${values.length} values, ${count} by ${offsets.length} lists of offsets for ${levels} repeated fields`;
    throw new SpiculeError('WRONG_LENGTH', { path }, note);
  }
  const last = fields.at(-1)!;
  const value = (index: number): unknown => {
    if (isBytesType(last.type) && 'bytesAt' in column) {
      return last.type === TYPE.STRING ? column.stringAt(index) : column.bytesAt(index);
    }
    const given = values[index];
    // `undefined` would clear the field.
    if (given === undefined) throw wrongType(`${path}[${index}]`, 'set', given);
    return last.type === TYPE.BOOL ? Boolean(given) : given;
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
  if (!(start <= end && Number.isInteger(start) && Number.isInteger(end))) {
    throw new SpiculeError('WRONG_LENGTH', { path: w.path });
  }
  if (last) {
    for (let i = start; i < end; i++) append(arena, ref, field, w.value(i), w.path);
    return;
  }
  const known = readUint32(arena, ref + field.at + 4);
  if (known !== 0 && known !== end - start) {
    throw new SpiculeError('WRONG_LENGTH', { path: w.path }, `${end - start} elements beside ${known} of another column`);
  }
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
