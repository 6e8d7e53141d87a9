import { type Bytes, isBytes, tagOf, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import type { Message } from './message.js';
import { readCase, readUint32, writeCase } from './scalar.js';
import type { FieldInfo, MessageInfo, OneofInfo } from './type.js';

/** As SPC_DEPTH_MAX. */
export const DEPTH_MAX = 256;

/** A message as a plain object: no memory of the module is behind it. */
export type PlainObject = { readonly [property: string]: unknown };

/** The property of plain objects that holds fields which the type does not know. */
export const UNKNOWN = '$unknown';

/** Whether a field is present (explicit presence), not zero (implicit) or not empty (repeated). */
export function isSet(arena: Arena, ref: number, field: FieldInfo): boolean {
  return (
    (readUint32(arena, ref + field.bitAt) & field.mask) !== 0 &&
    (field.caseAt === 0 || readCase(arena, ref + field.caseAt) === field.caseValue)
  );
}

/** Marks a field as set. The arena is ready. */
export function mark(arena: Arena, ref: number, field: FieldInfo): void {
  markAt(arena, ref, field.bitAt, field.mask, field.caseAt, field.caseValue);
}

/** The same by its places in the record: see FieldInfo. */
export function markAt(
  arena: Arena, ref: number, bitAt: number, mask: number, caseAt = 0, caseValue = 0,
): void {
  arena.words[(ref + bitAt) >> 2]! |= mask;
  if (caseAt !== 0) writeCase(arena, ref + caseAt, caseValue);
}

export function unset(arena: Arena, ref: number, field: FieldInfo): void {
  const wide = field.size === 8 || field.repeated;
  unsetAt(arena, ref, field.at, wide, field.bitAt, field.mask, field.caseAt, field.caseValue);
}

/** The same by its places; a wide slot has two words. */
export function unsetAt(
  arena: Arena, ref: number, at: number, wide: boolean,
  bitAt: number, mask: number, caseAt = 0, caseValue = 0,
): void {
  const { words } = arena.ready();
  const bits = (ref + bitAt) >> 2;
  if ((words[bits]! & mask) === 0) return;
  if (caseAt !== 0) {
    if (readCase(arena, ref + caseAt) !== caseValue) return;
    writeCase(arena, ref + caseAt, 0);
  }
  words[bits]! &= ~mask;
  words[(ref + at) >> 2] = 0;
  if (wide) words[((ref + at) >> 2) + 1] = 0;
}

/** The record of extensions of a message, 0 if none is set. */
export function extensionsOf(arena: Arena, ref: number, type: MessageInfo): number {
  return type.extensionsAt === 0 ? 0 : readUint32(arena, ref + type.extensionsAt);
}

/** The same, made if need be. */
export function makeExtensions(arena: Arena, ref: number, type: MessageInfo): number {
  const known = extensionsOf(arena.ready(), ref, type);
  if (known !== 0) return known;
  const extensions = type.extensions!;
  const made = arena.record(extensions.size);
  arena.words[(made + extensions.extensionsAt) >> 2] = ref;
  arena.words[(ref + type.extensionsAt) >> 2] = made;
  return made;
}

// ---- Reading ----

/** The value of a field; undefined where it has presence and is not set. */
export function plainValueOf(arena: Arena, ref: number, field: FieldInfo, depth = 0): unknown {
  return field.explicit && !isSet(arena, ref, field) ? undefined : storedValueOf(arena, ref, field, depth);
}

/** The same of a field that has no presence or is set. */
function storedValueOf(arena: Arena, ref: number, field: FieldInfo, depth: number): unknown {
  if (field.map) return mapOf(arena, ref + field.at, field, depth);
  if (field.repeated) return listOf(arena, ref + field.at, field, depth);
  if (field.scalar !== undefined) return field.scalar.read(arena, ref + field.at);
  return objectOf(arena, readUint32(arena, ref + field.at), field.message, depth + 1);
}

/** An array for that many elements: one that grows has room for 17 after the first. */
export function arrayFor<T>(count: number): T[] {
  // Engines would make a table of a very long one.
  return count <= 2 ** 16 ? new Array(count) : [];
}

function listOf(arena: Arena, slot: number, field: FieldInfo, depth: number): unknown[] {
  const count = readUint32(arena, slot + 4);
  const array = readUint32(arena, slot);
  const { scalar, size } = field;
  const list = arrayFor<unknown>(count);
  if (scalar !== undefined) {
    for (let i = 0; i < count; i++) list[i] = scalar.read(arena, array + size * i);
  } else {
    const { message } = field;
    for (let i = 0; i < count; i++) {
      list[i] = objectOf(arena, readUint32(arena, array + 4 * i), message, depth + 1);
    }
  }
  return list;
}

function mapOf(arena: Arena, slot: number, field: FieldInfo, depth: number): Map<unknown, unknown> {
  const [key, value] = field.message.fields as unknown as [FieldInfo, FieldInfo];
  const map = new Map<unknown, unknown>();
  const count = readUint32(arena, slot + 4);
  const array = readUint32(arena, slot);
  for (let i = 0; i < count; i++) {
    const entry = readUint32(arena, array + 4 * i);
    map.set(key.scalar!.read(arena, entry + key.at), plainValueOf(arena, entry, value, depth));
  }
  return map;
}

/** The member of a oneof that is set, if one is. */
export function memberOf(arena: Arena, ref: number, oneof: OneofInfo): FieldInfo | undefined {
  return oneof.byCase.get(readCase(arena, ref + oneof.caseAt));
}

/**
 * The plain object of an empty message but for lists and maps: a copy of it has all properties, which
 * takes engines less time than to add one after the other.
 */
export function blankOf({ single, oneofs }: MessageInfo): PlainObject {
  const names = [...single, ...oneofs].map(({ name }) => name);
  // Something else than numbers comes first: else V8 makes an object for each number in a property
  // where one did not fit into 32 bits.
  const blank: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, undefined]));
  for (const { name, scalar, repeated, explicit } of single) {
    if (scalar !== undefined && !repeated && !explicit) blank[name] = scalar.zero;
  }
  return blank;
}

/** A message as a plain object. */
export function objectOf(arena: Arena, ref: number, type: MessageInfo, depth = 0): PlainObject {
  if (depth > DEPTH_MAX) throw new SpiculeError('DEPTH_LIMIT', { limit: DEPTH_MAX });
  // Newer engines do this quicker than the same with `...`, where it is done for many types.
  const object: Record<string, unknown> = Object.assign({}, type.blank);
  for (const field of type.single) {
    if ((readUint32(arena, ref + field.bitAt) & field.mask) !== 0) {
      object[field.name] = storedValueOf(arena, ref, field, depth);
    } else if (field.repeated) {
      object[field.name] = field.map ? new Map() : [];
    }
  }
  for (const oneof of type.oneofs) {
    const member = memberOf(arena, ref, oneof);
    if (member === undefined) continue;
    object[oneof.name] = { case: member.name, value: storedValueOf(arena, ref, member, depth) };
  }
  addRest(arena, ref, type, object, depth);
  return object;
}

/** The path of what can't be read in a message, found by reading again. */
function unreadable(arena: Arena, ref: number, type: MessageInfo): string {
  for (const field of type.fields) {
    try {
      plainValueOf(arena, ref, field);
    } catch {
      const { name, scalar, repeated, map, size } = field;
      if (map || (scalar !== undefined && !repeated)) return name;
      const at = readUint32(arena, ref + field.at);
      if (!repeated) return `${name}.${unreadable(arena, at, field.message)}`;
      const count = readUint32(arena, ref + field.at + 4);
      for (let i = 0; i < count; i++) {
        const own = `${name}[${i}]`;
        try {
          if (scalar === undefined) objectOf(arena, readUint32(arena, at + 4 * i), field.message);
          else scalar.read(arena, at + size * i);
        } catch {
          return scalar === undefined ? `${own}.${unreadable(arena, readUint32(arena, at + 4 * i), field.message)}` : own;
        }
      }
    }
  }
  return '';
}

/** An error of reading a message, with its path. */
export function located(error: unknown, arena: Arena, ref: number, type: MessageInfo): unknown {
  if (!(error instanceof SpiculeError) || error.code !== 'INVALID_ARGUMENT') return error;
  return new SpiculeError(error.code, { path: unreadable(arena, ref, type) }, error.note);
}

/** Adds extensions and unknown fields to a plain object, under keys that no field has. */
export function addRest(
  arena: Arena,
  ref: number,
  type: MessageInfo,
  object: Record<string, unknown>,
  depth = 0,
): void {
  if (hasUnknown(arena, ref)) object[UNKNOWN] = unknownBytes(arena, ref, type);
  const extensions = extensionsOf(arena, ref, type);
  if (extensions === 0) return;
  for (const field of type.extensions!.fields) {
    if (isSet(arena, extensions, field)) object[field.name] = plainValueOf(arena, extensions, field, depth);
  }
}

/** Whether a message has fields that its type does not know. */
export function hasUnknown(arena: Arena, ref: number): boolean {
  return (readUint32(arena, ref) & 1) !== 0;
}

/** Those fields, in the order of the wire. */
export function unknownBytes(arena: Arena, ref: number, type: MessageInfo): Bytes {
  const newest = arena.engine.unknown(arena.ready(), type, ref);
  let length = 0;
  for (let span = newest; span !== 0; span = readUint32(arena, span)) {
    length += readUint32(arena, span + 8);
  }
  const out = new Uint8Array(length);
  for (let span = newest; span !== 0; span = readUint32(arena, span)) {
    const from = readUint32(arena, span + 4);
    const size = readUint32(arena, span + 8);
    length -= size;
    out.set(arena.bytes.subarray(from, from + size), length);
  }
  return out;
}

// ---- Writing; the arena is ready ----

/** Gives the array at a slot room for `capacity` elements. */
function resize(arena: Arena, slot: number, capacity: number, size: number, map: boolean): void {
  const head = size === 8 || map ? 8 : 4;
  const ref = arena.alloc(capacity * size + head) + head;
  const { words } = arena;
  const old = words[slot >> 2]!;
  const count = words[(slot >> 2) + 1]!;
  if (head === 8) words[(ref >> 2) - 2] = count === 0 ? 0 : words[(old >> 2) - 2]!;
  words[(ref >> 2) - 1] = capacity;
  if (count !== 0) words.copyWithin(ref >> 2, old >> 2, (old + count * size) >> 2);
  words[slot >> 2] = ref;
}

/** Gives a repeated field room for `more` elements more. */
export function makeRoom(arena: Arena, ref: number, field: FieldInfo, more: number): void {
  const slot = ref + field.at;
  const array = readUint32(arena.ready(), slot);
  const needed = readUint32(arena, slot + 4) + more;
  const capacity = array === 0 ? 0 : arena.words[(array >> 2) - 1]!;
  if (needed <= capacity) return;
  resize(arena, slot, Math.max(needed, more === 1 ? Math.max(4, 2 * capacity) : 0), field.size, field.map);
}

/** Appends an element that `store` writes to its place, or which is a reference. */
export function append(arena: Arena, ref: number, field: FieldInfo, value: unknown, name: string): void {
  const scalar = field.scalar;
  if (scalar === undefined) {
    appendReference(arena, ref, field, storeMessage(arena, field.message, value, name));
    return;
  }
  makeRoom(arena, ref, field, 1);
  const slot = (ref + field.at) >> 2;
  const count = arena.words[slot + 1]!;
  scalar.write(arena, arena.words[slot]! + count * field.size, value, name);
  arena.words[slot + 1] = count + 1;
  arena.words[(ref + field.bitAt) >> 2]! |= field.mask;
}

/** Appends a reference to a record. */
export function appendReference(arena: Arena, ref: number, field: FieldInfo, element: number): void {
  if (field.map) makeRoom(arena, ref, field, 1);
  appendTo(arena, ref + field.bitAt, field.mask, ref + field.at, element);
}

/** The same by the places of the hasbit and the slot. */
export function appendTo(
  arena: Arena,
  bitAt: number,
  mask: number,
  slot: number,
  element: number,
): void {
  const i = slot >> 2;
  const array = arena.words[i]!;
  const count = arena.words[i + 1]!;
  if (count === (array === 0 ? 0 : arena.words[(array >> 2) - 1]!)) {
    resize(arena, slot, Math.max(4, 2 * count), 4, false);
  }
  const { words } = arena;
  words[(words[i]! >> 2) + count] = element;
  words[i + 1] = count + 1;
  words[bitAt >> 2]! |= mask;
}

/** Whether a value is an object as one writes it in a program: to ask for its prototype takes much longer. */
function isLiteral(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && value.constructor === Object;
}

/** Whether a value is a plain object, not a Date, a Map or whatever else has its content elsewhere. */
export function isPlain(value: unknown): value is object {
  // The common case first.
  return isLiteral(value) ||
    (typeof value === 'object' && value !== null && tagOf(value) === '[object Object]' && !(Symbol.iterator in value));
}

/** Whether a value is a message of the type, false for a plain object; anything else is an error. */
export function isMessage(value: unknown, type: MessageInfo, name: string): value is Message {
  const message = value as Partial<Message> | null | undefined;
  if (typeof message?.$a?.ready === 'function') {
    const { $type } = message;
    if ($type?.name === type.name) return true;
    if ($type === undefined && isPlain(value)) throw new TypeError(`${name} must not be a spread message: spread its toObject()`);
  } else if (isPlain(value)) return false;
  const hint = type.name === 'google.protobuf.Timestamp' ? ' (see timestampFromDate)' : '';
  throw wrongType(name, `a ${type.name} or its fields${hint}`, value);
}

// What is stored is named by a path, for errors. To make the names of all that a plain object has takes
// as long as to store it, so it is stored without names, `undefined`, and again with them if that fails.

/** The path of something that a property or index leads to. */
function within(path: string | undefined, key: string): string | undefined {
  return path === undefined ? undefined : path === '' ? key : `${path}.${key}`;
}

function element(path: string | undefined, key: unknown): string | undefined {
  return path === undefined ? undefined : `${path}[${String(key)}]`;
}

/** A new record with what a message or plain object holds; its reference. */
export function storeMessage(
  arena: Arena,
  type: MessageInfo,
  value: unknown,
  name: string | undefined,
  depth = 0,
): number {
  // Further down the names are asked for.
  if (name !== undefined && depth < 2) {
    try {
      return store(arena, type, value, undefined, depth);
    } catch (error) {
      if (error instanceof SpiculeError && error.code === 'OUT_OF_MEMORY') throw error;
    }
  }
  return store(arena, type, value, name, depth);
}

function store(
  arena: Arena, type: MessageInfo, value: unknown, name: string | undefined, depth: number,
): number {
  // An object that was made from a message has keys that no type has.
  if (!(name === undefined && isLiteral(value)) && isMessage(value, type, name || 'init')) {
    const ref = arena.record(type.size);
    if (value.$a.schema === arena.schema) {
      arena.engine.merge(arena, type, ref, value.$a.ready(), value.$r);
    } else {
      arena.engine.decodeMerge(arena, type, ref, value.encode({ partial: true }), 4, undefined);
    }
    return ref;
  }
  const ref = arena.record(type.size);
  fill(arena, ref, type, value as PlainObject, name, depth);
  // Getters of the object may have made the memory grow, or disposed the message.
  arena.ready();
  return ref;
}

/** Sets a field of any kind; undefined clears it. */
export function assign(
  arena: Arena,
  ref: number,
  field: FieldInfo,
  value: unknown,
  name: string | undefined,
  depth = 0,
): void {
  arena.ready();
  if (value === undefined) {
    unset(arena, ref, field);
    return;
  }
  const { scalar } = field;
  if (field.repeated) {
    if (field.map) assignMap(arena, ref, field, value, name, depth);
    else assignList(arena, ref, field, value, name, depth);
  } else if (scalar === undefined) {
    const made = storeMessage(arena, field.message, value, name, depth + 1);
    arena.words[(ref + field.at) >> 2] = made;
    mark(arena, ref, field);
  } else if (scalar.write(arena, ref + field.at, value, name!) || field.explicit) {
    mark(arena, ref, field);
  } else {
    arena.words[(ref + field.bitAt) >> 2]! &= ~field.mask;
  }
}

/** Bytes of a slot of an array and a word for its hasbit. */
const SLOT_BYTES = 16;
/** For how many elements there is room at once: a list may be as long as it says, or not. */
const FIRST_ELEMENTS = 4096;

function assignList(
  arena: Arena,
  ref: number,
  field: FieldInfo,
  value: unknown,
  name: string | undefined,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) {
    throw wrongType(name!, 'iterable', value);
  }
  // A copy: the list may be the one of this field.
  const elements = Array.isArray(value) ? value : [...(value as Iterable<unknown>)];
  const { length } = elements;
  const { scalar, size } = field;
  // A slot of its own, so that the field is as it was if something fails.
  const slot = length === 0 ? 0 : arena.record(SLOT_BYTES);
  if (length !== 0) resize(arena, slot, scalar === undefined ? Math.min(length, FIRST_ELEMENTS) : length, size, false);
  // A loop, as the methods of arrays pass over elements that are missing.
  for (let i = 0; i < length; i++) {
    const one: unknown = elements[i];
    if (scalar === undefined) {
      const made = storeMessage(arena, field.message, one, element(name, i), depth + 1);
      appendTo(arena, slot + 8, 1, slot, made);
    } else {
      scalar.write(arena.ready(), readUint32(arena, slot) + size * i, one, element(name, i)!);
    }
  }
  unset(arena, ref, field);
  if (length === 0) return;
  const { words } = arena;
  words[(ref + field.at) >> 2] = words[slot >> 2]!;
  words[((ref + field.at) >> 2) + 1] = length;
  words[(ref + field.bitAt) >> 2]! |= field.mask;
}

/** A new entry of a map with a zero value, or that of `entryValue`; not in the map yet. */
export function makeEntry(
  arena: Arena,
  map: FieldInfo,
  key: unknown,
  value: unknown,
  name: string | undefined,
  depth = 0,
): number {
  const type = map.message;
  const [keyField, valueField] = type.fields as unknown as [FieldInfo, FieldInfo];
  const entry = arena.record(type.size);
  keyField.scalar!.write(arena, entry + keyField.at, key, name === undefined ? name! : `${name} key`);
  if (valueField.scalar === undefined) {
    const made = storeMessage(arena, valueField.message, value, name, depth + 1);
    arena.words[(entry + valueField.at) >> 2] = made;
  } else {
    valueField.scalar.write(arena, entry + valueField.at, value, name!);
  }
  arena.words[(entry + keyField.bitAt) >> 2]! |= keyField.mask | valueField.mask;
  return entry;
}

/** The entries of a Map, an iterable of pairs or an object. */
function pairsOf(
  value: unknown, key: FieldInfo, name: string | undefined,
): Iterable<readonly [unknown, unknown]> {
  if (typeof value !== 'object' || value === null) throw wrongType(name!, 'a Map or an object', value);
  if (Symbol.iterator in value) return value as Iterable<readonly [unknown, unknown]>;
  const { zero } = key.scalar!;
  const keyOf = (text: string): unknown => {
    const own = typeof zero === 'number' ? Number(text) : typeof zero === 'boolean' ? text === 'true' : text;
    // What is no such key is an error that shows it.
    return `${own}` === text ? own : text;
  };
  return Object.entries(value).map(([text, element]) => [keyOf(text), element]);
}

function assignMap(
  arena: Arena,
  ref: number,
  field: FieldInfo,
  value: unknown,
  name: string | undefined,
  depth: number,
): void {
  const key = field.message.fields[0]!;
  const entries = new Map<unknown, number>();
  for (const [own, one] of pairsOf(value, key, name)) {
    const entry = makeEntry(arena, field, own, one, element(name, own), depth);
    entries.set(key.scalar!.read(arena, entry + key.at), entry);
  }
  unset(arena, ref, field);
  arena.forget();
  for (const entry of entries.values()) appendReference(arena, ref, field, entry);
}

/** Sets the member that `{ case, value }` names, or none. */
export function assignOneof(
  arena: Arena,
  ref: number,
  oneof: OneofInfo,
  value: unknown,
  name: string | undefined,
  depth = 0,
): void {
  const chosen = value as { case?: string; value?: unknown } | undefined;
  const given = chosen?.case;
  if (given === undefined) {
    if (typeof chosen !== 'object' && chosen !== undefined) throw wrongType(name!, 'an object', value);
    const member = memberOf(arena.ready(), ref, oneof);
    if (member !== undefined) unset(arena, ref, member);
    return;
  }
  const field = oneof.byMember.get(given);
  if (field === undefined) throw new SpiculeError('UNKNOWN_FIELD', { path: `${name}.${given}` });
  const own = chosen!.value;
  if (own === undefined) throw wrongType(`${name}.value`, 'set', undefined);
  assign(arena, ref, field, own, within(name, given), depth);
}

const { hasOwnProperty: hasOwn } = Object.prototype;

/** Sets the fields of a record from a plain object. */
function fill(
  arena: Arena,
  ref: number,
  type: MessageInfo,
  object: PlainObject,
  path: string | undefined,
  depth: number,
): void {
  if (depth > DEPTH_MAX) throw new SpiculeError('DEPTH_LIMIT', { limit: DEPTH_MAX });
  const { keys } = type;
  let at = 0;
  for (const key in object) {
    // In this form V8 knows in a loop over an object's keys what comes out.
    if (!hasOwn.call(object, key)) continue;
    const value = object[key];
    if (value === undefined) continue;
    const name = within(path, key);
    let target = keys[at];
    if (target === undefined || target.key !== key) {
      target = type.target(key);
      if (target === undefined) {
        fillRest(arena, ref, type, key, value, name, depth);
        continue;
      }
      keys[at] = target;
    }
    at++;
    const { field, oneof } = target;
    if (oneof !== undefined && readCase(arena, ref + oneof.caseAt) !== 0) {
      throw new SpiculeError('INVALID_ARGUMENT', { path: name }, `${oneof.name} has another member`);
    }
    if (field === undefined) assignOneof(arena, ref, oneof!, value, name, depth);
    else assign(arena, ref, field, value, name, depth);
  }
}

function fillRest(
  arena: Arena,
  ref: number,
  type: MessageInfo,
  key: string,
  value: unknown,
  name: string | undefined,
  depth: number,
): void {
  if (key === UNKNOWN) {
    if (!isBytes(value)) throw wrongType(name!, 'a Uint8Array', value);
    arena.engine.appendUnknown(arena, type, ref, value);
    return;
  }
  const extension = type.extensions?.byName.get(key);
  if (extension === undefined) throw new SpiculeError('UNKNOWN_FIELD', { path: name });
  assign(arena, makeExtensions(arena, ref, type), extension, value, name, depth);
}
