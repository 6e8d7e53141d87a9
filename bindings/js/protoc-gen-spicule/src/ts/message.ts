// The class of a message type, with the types of its plain objects.
import type { DescEnum, DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import type { GeneratedFile, Printable } from '@bufbuild/protoplugin';

import {
  type Layout, type Place, elementSize, hasPresence, isWide, layoutHash, layoutOf,
} from '../layout.js';
import {
  type Int64Form, type ScalarCode, int64Form, localName, RESERVED, scalarCode, typeName,
} from './field.js';

/** Text with imports in it. */
export type Code = Printable[];

/** One file being written. */
export interface Writer {
  readonly f: GeneratedFile;
  readonly int64: Int64Form;
  /** A function or type of the runtime. */
  runtime(name: string, typeOnly?: boolean): Printable;
  /** The class or enum of a type; `suffix` for what belongs to it. */
  type(desc: DescMessage | DescEnum, suffix?: string, typeOnly?: boolean): Printable;
}

/** One class being written. */
interface ClassWriter extends Writer {
  /**
   * A member beside those of fields and oneofs, with its comment; `print` gets its name as a key. It is
   * left out where a field, a oneof or another helper has its name.
   */
  helper(name: string, doc: string, print: (key: string) => void): void;
}

/** What a field's value is: a scalar or enum, or a message. */
type Element =
  | { readonly kind: 'scalar'; readonly code: ScalarCode; readonly enumeration?: DescEnum }
  | { readonly kind: 'message'; readonly message: DescMessage };

export function elementOf(field: DescField, w: Writer): Element {
  const form = int64Form(field, w.int64);
  const message = field.fieldKind === 'map' ? field.mapKind === 'message' && field.message : field.message;
  if (message) return { kind: 'message', message };
  const enumeration = field.enum;
  if (enumeration) return { kind: 'scalar', code: scalarCode(undefined, form), enumeration };
  return { kind: 'scalar', code: scalarCode(field.scalar, form) };
}

function enumType(enumeration: DescEnum, w: Writer): Code {
  const name = w.type(enumeration, '', true);
  return enumeration.open ? [name, ' | (number & {})'] : [name];
}

/** The type of a value in messages, plain objects (`Object`) or what they are made from (`Init`). */
export function valueType(element: Element, form: '' | 'Object' | 'Init', w: Writer): Code {
  if (element.kind === 'message') {
    const of = w.type(element.message, form, true);
    return form === 'Init' ? [w.type(element.message, '', true), ' | ', of] : [of];
  }
  if (element.enumeration !== undefined) return enumType(element.enumeration, w);
  const type = form === 'Init' ? element.code.input : element.code.type;
  return type === 'Bytes' ? [w.runtime('Bytes', true)] : [type];
}

export function keyCode(field: DescField, w: Writer): ScalarCode {
  if (field.fieldKind !== 'map') throw new Error(`${field.name} is no map`);
  return scalarCode(field.mapKey, w.int64);
}

/** The type of a field as a property, in a plain object, or of what it is set to. */
export function fieldType(field: DescField, form: '' | 'Object' | 'Init', w: Writer): Code {
  const value = valueType(elementOf(field, w), form, w);
  const init = valueType(elementOf(field, w), 'Init', w);
  if (field.fieldKind === 'list') {
    if (form === '') return [w.runtime('ListView', true), '<', ...value, ', ', ...init, '>'];
    return form === 'Object' ? ['(', ...value, ')[]'] : ['Iterable<', ...value, '>'];
  }
  if (field.fieldKind === 'map') {
    const key = keyCode(field, w);
    if (form === '') {
      return [w.runtime('MapView', true), '<', key.type, ', ', ...value, ', ', ...init, '>'];
    }
    if (form === 'Object') return ['Map<', key.type, ', ', ...value, '>'];
    const keys = key.type === 'boolean' ? "in 'true' | 'false']?: " : ': string]: ';
    return [
      'Iterable<readonly [', key.input, ', ', ...value, ']> | { readonly [key', keys.startsWith('in') ? ' ' : '', keys,
      ...value, ' }',
    ];
  }
  return value;
}

/** Whether a property may be undefined in messages and plain objects. */
const mayLack = (field: DescField): boolean => hasPresence(field);

function printInterfaces(message: DescMessage, w: Writer): void {
  const { f } = w;
  for (const form of ['Object', 'Init'] as const) {
    const init = form === 'Init';
    f.print(f.jsDoc(init
      ? `What a {@link ${typeName(message)}} can be made from.`
      : `A {@link ${typeName(message)}} as a plain object.`));
    f.print(f.export('interface', `${typeName(message)}${form}`), ' {');
    for (const field of message.fields) {
      if (field.oneof !== undefined && !init) continue;
      const mark = init ? '?: ' : ': ';
      const rest = init || mayLack(field) ? ' | undefined;' : ';';
      f.print('  ', property(localName(field)), mark, fieldType(field, form, w), rest);
    }
    for (const oneof of message.oneofs) {
      f.print('  ', property(localName(oneof)), init ? '?:' : ':');
      printOneof(oneof, form, w, ';');
    }
    f.print('  ', init ? 'readonly ' : '', '$unknown?: Uint8Array | undefined;');
    if (init) f.print('  readonly $name?: never;');
    if (message.proto.extensionRange.length > 0) f.print('  [extension: `[${string}]`]: unknown;');
    f.print('}');
    f.print();
  }
}

/** A name as a key of an object type. */
export function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Access to the property of a name. */
function member(name: string): string {
  const key = property(name);
  return key === name ? `.${name}` : `[${key}]`;
}

/** The type of a oneof, with `end` behind it. */
function printOneof(
  oneof: DescOneof,
  form: '' | 'Object' | 'Init',
  w: Writer,
  end: string,
): void {
  for (const field of oneof.fields) {
    const value = fieldType(field, form, w);
    w.f.print('    | { readonly case: ', w.f.string(localName(field)), '; readonly value: ', value, ' }');
  }
  w.f.print('    | undefined', end);
}

const at = (offset: number): string => (offset === 0 ? '$r' : `$r + ${offset}`);
const own = (offset: number): string => (offset === 0 ? 'this.$r' : `this.$r + ${offset}`);

function isMessage(field: DescField): field is DescField & { readonly message: DescMessage } {
  return field.fieldKind === 'message';
}

/** Whether a singular field is set, as an expression; undefined where it always counts as set. */
function presence(
  field: DescField,
  place: Place,
  w: Writer,
  arena: string,
  offset: (n: number) => string,
): Code | undefined {
  if (field.oneof !== undefined) {
    return [w.runtime('readCase'), '(', arena, ', ', offset(place.caseAt), ') === ', place.caseValue];
  }
  if (!hasPresence(field)) return undefined;
  return [w.runtime('hasBit'), '(', arena, ', ', offset(place.bitAt), ', ', place.mask, ')'];
}

/** The heads of the getter and the setter of a field's property. */
function propertyOf(field: DescField, w: Writer): { readonly getter: Code; readonly setter: Code } {
  const key = property(localName(field));
  return {
    getter: ['  get ', key, '(): ', ...fieldType(field, '', w), mayLack(field) ? ' | undefined' : ''],
    setter: ['  set ', key, '(value: ', ...fieldType(field, 'Init', w), ' | undefined)'],
  };
}

function printAccessors(field: DescField, place: Place, layouts: (m: DescMessage) => Layout, w: ClassWriter): void {
  const { f } = w;
  const { getter, setter } = propertyOf(field, w);
  f.print(f.jsDoc(field, '  '));
  if (field.fieldKind === 'list' || field.fieldKind === 'map') {
    const make = field.fieldKind === 'list' ? 'listOf' : 'mapOf';
    f.print(getter, ' {');
    f.print('    return ', w.runtime(make), '(this, ', field.number, ');');
    f.print('  }');
    f.print(setter, ' {');
    f.print('    ', w.runtime('setField'), '(this, ', field.number, ', value);');
    f.print('  }');
    if (field.fieldKind === 'list') printElements(field, place, layouts, w);
    return;
  }
  if (isMessage(field)) {
    printMessageAccessors(field, place, layouts, w);
    return;
  }
  const set = presence(field, place, w, 'this.$a', own);
  const element = elementOf(field, w);
  if (element.kind !== 'scalar') throw new Error('unreachable');
  const { read, set: set_ } = element.code;
  const value: Code = [w.runtime(read), '(this.$a, ', own(place.at), ')'];
  const result: Code = element.enumeration === undefined ? value : [...value, ' as ', ...fieldType(field, '', w)];
  f.print(getter, ' {');
  if (set === undefined) f.print('    return ', result, ';');
  else f.print('    return ', set, ' ? ', result, ' : undefined;');
  f.print('  }');
  f.print(setter, ' {');
  f.print('    ', w.runtime(set_), '(this.$a, this.$r, value, ', f.string(localName(field)), ', ', place.at, ', ',
    mark(field, place), ');');
  f.print('  }');
  if (element.code.type === 'Bytes') printBytes(localName(field), set, place, w);
}

/** Access to bytes without an array of their own. */
function printBytes(name: string, set: Code | undefined, place: Place, w: ClassWriter): void {
  const { f } = w;
  const guard: Code = set === undefined ? [] : [...set, ' ? '];
  const otherwise = (value: string): Code => (set === undefined ? [] : [' : ', value]);
  w.helper(`${name}Length`, `The length of \`${name}\`; 0 if it is not set.`, (key) => {
    f.print('  get ', key, '(): number {');
    f.print('    return ', guard, w.runtime('readUint32'), '(this.$a, ', own(place.at + 4), ')', otherwise('0'), ';');
    f.print('  }');
  });
  w.helper(`${name}At`, `A byte of \`${name}\`, from 0 on.`, (key) => {
    f.print('  ', key, '(index: number): number | undefined {');
    f.print('    return ', guard, w.runtime('byteAt'), '(this.$a, ', own(place.at), ', index)', otherwise('undefined'), ';');
    f.print('  }');
  });
  w.helper(`${name}CopyTo`, `Copies \`${name}\` to \`out\` from \`start\` on; gives its length.`, (key) => {
    f.print('  ', key, '(out: Uint8Array, start = 0): number {');
    f.print('    return ', guard, w.runtime('copyBytes'), '(this.$a, ', own(place.at), ', out, start)', otherwise('0'), ';');
    f.print('  }');
  });
}

/** Arguments that say how a field is marked as set: see the setters of the runtime. */
function mark(field: DescField, { bit, caseAt, caseValue }: Place): string {
  if (field.oneof !== undefined) return `${bit}, ${caseAt}, ${caseValue}`;
  return hasPresence(field) ? `${bit}, 0` : `${bit}`;
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function printMessageAccessors(
  field: DescField & { readonly message: DescMessage },
  place: Place,
  layouts: (m: DescMessage) => Layout,
  w: ClassWriter,
): void {
  const { f } = w;
  const name = localName(field);
  const { getter, setter } = propertyOf(field, w);
  const of = w.type(field.message, '$of');
  const asType = w.type(field.message, '', true);
  const reference: Code =
    field.oneof === undefined
      ? [w.runtime('readUint32'), '(this.$a, ', own(place.at), ')']
      : [w.runtime('memberRef'), '(this.$a, this.$r, ', place.at, ', ', place.caseAt, ', ', place.caseValue, ')'];
  f.print(getter, ' {');
  f.print('    return ', of, '(this.$a, ', reference, ');');
  f.print('  }');
  f.print(setter, ' {');
  f.print('    ', w.runtime('setField'), '(this, ', field.number, ', value);');
  f.print('  }');
  w.helper(`mutable${capital(name)}`, `The message of \`${name}\`, made if it is not set; in \`into\` where that is given.`, (key) => {
    f.print('  ', key, '(into?: ', asType, '): ', asType, ' {');
    f.print('    const ref = ', w.runtime('mutableRecord'), '(this.$a, this.$r, ', place.at, ', ',
      layouts(field.message).size, ', ', mark(field, place), ');');
    f.print('    if (into === undefined) return ', of, '(this.$a, ref)!;');
    printMove(f);
    f.print('  }');
  });
  w.helper(`${name}Into`, `As \`${name}\`, in a message object that serves again and again.`, (key) => {
    f.print('  ', key, '(into: ', asType, '): ', asType, ' | undefined {');
    f.print('    const ref = ', reference, ';');
    f.print('    if (ref === 0) return undefined;');
    printMove(f);
    f.print('  }');
  });
}

/**
 * Points `into` to a record, as the function of printPointer does: written out where reading and building
 * by cursors spend their time, as engines inline calls up to a limit.
 */
function printMove(f: GeneratedFile): void {
  f.print('    if (into.$a !== this.$a) into.$a = this.$a;');
  f.print('    into.$r = ref;');
  f.print('    return into;');
}

/** Quick access to the elements of a repeated field. */
function printElements(field: DescField, place: Place, layouts: (m: DescMessage) => Layout, w: ClassWriter): void {
  const { f } = w;
  const name = localName(field);
  w.helper(`${name}Count`, `The length of \`${name}\`.`, (key) => {
    f.print('  get ', key, '(): number {');
    f.print('    return ', w.runtime('readUint32'), '(this.$a, ', own(place.at + 4), ');');
    f.print('  }');
  });
  const element = elementOf(field, w);
  if (element.kind === 'message') {
    const of = w.type(element.message, '$of');
    const asType = w.type(element.message, '', true);
    w.helper(`${name}At`, `An element of \`${name}\`, from 0 on; in \`into\` where that is given.`, (key) => {
      f.print('  ', key, '(index: number, into?: ', asType, '): ', asType, ' | undefined {');
      f.print('    const ref = ', w.runtime('elementAt'), '(this.$a, ', own(place.at), ', index);');
      f.print('    if (ref === 0) return undefined;');
      f.print('    if (into === undefined) return ', of, '(this.$a, ref);');
      printMove(f);
      f.print('  }');
    });
    w.helper(`add${capital(name)}`, `Appends an empty message to \`${name}\`, and gives it; in \`into\` where that is given.`, (key) => {
      f.print('  ', key, '(into?: ', asType, '): ', asType, ' {');
      f.print('    return ', of, '(this.$a, ', w.runtime('addRecord'), '(this.$a, this.$r, ', place.at, ', ',
        layouts(element.message).size, ', ', place.bit, '), into)!;');
      f.print('  }');
    });
    return;
  }
  const { read } = element.code;
  const size = elementSize(field);
  const type = valueType(element, '', w);
  w.helper(`${name}At`, `An element of \`${name}\`, from 0 on.`, (key) => {
    f.print('  ', key, '(index: number): ', type, ' | undefined {');
    f.print('    const place = ', w.runtime('placeAt'), '(this.$a, ', own(place.at), ', index, ', size, ');');
    const value: Code = [w.runtime(read), '(this.$a, place)'];
    f.print('    return place === 0 ? undefined : ', value, element.enumeration === undefined ? '' : [' as ', ...type], ';');
    f.print('  }');
  });
  if (element.code.type !== 'Bytes') return;
  const found: Code = ['    const place = ', w.runtime('placeAt'), '(this.$a, ', own(place.at), ', index, ', size, ');'];
  w.helper(`${name}LengthAt`, `The length of an element of \`${name}\`; 0 past the end.`, (key) => {
    f.print('  ', key, '(index: number): number {');
    f.print(found);
    f.print('    return place === 0 ? 0 : ', w.runtime('readUint32'), '(this.$a, place + 4);');
    f.print('  }');
  });
  w.helper(`${name}ByteAt`, `A byte of an element of \`${name}\`, both from 0 on.`, (key) => {
    f.print('  ', key, '(index: number, byte: number): number | undefined {');
    f.print(found);
    f.print('    return place === 0 ? undefined : ', w.runtime('byteAt'), '(this.$a, place, byte);');
    f.print('  }');
  });
}

function printOneofGetter(oneof: DescOneof, w: Writer, end: string): void {
  w.f.print(w.f.jsDoc(oneof, '  '));
  w.f.print('  get ', property(localName(oneof)), '():');
  printOneof(oneof, '', w, end);
}

function printOneofSetter(oneof: DescOneof, w: Writer, end: string): void {
  w.f.print('  set ', property(localName(oneof)), '(value:');
  printOneof(oneof, 'Init', w, `)${end}`);
}

function printOneofAccessors(oneof: DescOneof, layout: Layout, w: ClassWriter): void {
  const { f } = w;
  const name = localName(oneof);
  const first = layout.places.get(oneof.fields[0])!;
  printOneofGetter(oneof, w, ' {');
  f.print('    return ', w.runtime('oneofOf'), '(this, ', f.string(name), ');');
  f.print('  }');
  printOneofSetter(oneof, w, ' {');
  f.print('    ', w.runtime('setOneof'), '(this, ', f.string(name), ', value);');
  f.print('  }');
  w.helper(`${name}Case`, `The number of the member of \`${name}\` that is set; 0: none.`, (key) => {
    f.print('  get ', key, '(): ', oneof.fields.map((field) => field.number).join(' | '), ' | 0 {');
    const plain = oneof.fields.every((field) => layout.places.get(field)!.caseValue === field.number);
    const read: Code = [w.runtime('readCase'), '(this.$a, ', own(first.caseAt), ')'];
    if (plain) {
      f.print('    return ', read, ' as ', oneof.fields.map((field) => field.number).join(' | '), ' | 0;');
    } else {
      f.print('    switch (', read, ') {');
      for (const field of oneof.fields) {
        f.print('      case ', layout.places.get(field)!.caseValue, ': return ', field.number, ';');
      }
      f.print('      default: return 0;');
      f.print('    }');
    }
    f.print('  }');
  });
}

/** The expression of a field's value as part of a plain object; the field is set. */
function plainValue(field: DescField, place: Place, w: Writer): Code {
  const element = elementOf(field, w);
  const slot: Code = ['($a, ', at(place.at)];
  const asEnum: Code =
    element.kind === 'scalar' && element.enumeration !== undefined ? [' as ', ...fieldType(field, 'Object', w)] : [];
  if (field.fieldKind === 'map') {
    const { entryKey, entryValue } = entryPlaces(field);
    const reader: Code =
      element.kind === 'message'
        ? ['($a, at) => ', w.type(element.message, '$plain'), '($a, ', w.runtime('readUint32'), '($a, at))']
        : [w.runtime(element.code.read)];
    return [w.runtime('plainMapOf'), ...slot, ', ', entryKey, ', ', w.runtime(keyCode(field, w).read), ', ',
      entryValue, ', ', ...reader, ')', ...asEnum];
  }
  if (field.fieldKind === 'list') {
    if (element.kind === 'message') {
      return [w.runtime('objectsOf'), ...slot, ', ', w.type(element.message, '$plain'), ')'];
    }
    return [w.runtime('arrayOf'), ...slot, ', ', elementSize(field), ', ', w.runtime(element.code.read), ')', ...asEnum];
  }
  if (element.kind === 'message') {
    return [w.type(element.message, '$plain'), '($a, ', w.runtime('readUint32'), ...slot, '))'];
  }
  return [w.runtime(element.code.read), ...slot, ')', ...asEnum];
}

/** Where the key and the value of a map's entries lie. */
function entryPlaces(field: DescField): { readonly entryKey: number; readonly entryValue: number } {
  if (field.fieldKind !== 'map') throw new Error(`${field.name} is no map`);
  // Two fields with a bit each; the 4-byte ones come first, and then the 8-byte ones.
  const keyWide = isWide(field.mapKey);
  const valueWide = field.mapKind === 'scalar' && isWide(field.scalar);
  if (keyWide && valueWide) return { entryKey: 8, entryValue: 16 };
  if (keyWide) return { entryKey: 8, entryValue: 4 };
  if (valueWide) return { entryKey: 4, entryValue: 8 };
  return { entryKey: 4, entryValue: 8 };
}

/** The value in a plain object of a field that is not set. */
function absent(field: DescField, w: Writer): string {
  if (field.fieldKind === 'map') return 'new Map()';
  if (field.fieldKind === 'list') return '[]';
  const element = elementOf(field, w);
  if (hasPresence(field) || element.kind === 'message') return 'undefined';
  const { read, type } = element.code;
  if (type === 'string') return read === 'readString' ? '""' : '"0"';
  return type === 'boolean' ? 'false' : type === 'bigint' ? '0n' : '0';
}

/**
 * Numbers that do not all fit into the 32 bits that V8 keeps in place of a reference. Where it has seen
 * numbers only in a property of objects, one that did not fit among them, it makes an object of its own
 * for each, zeros too; so these properties have something else first.
 */
const WIDE = new Set(['readDouble', 'readFloat', 'readUint32', 'readInt64Number', 'readUint64Number']);

/** Where the words with hasbits of fields are, each once. */
const bitOffsets = (fields: readonly DescField[], layout: Layout): Set<number> =>
  new Set(fields.map((field) => layout.places.get(field)!.bitAt));

function printReader(message: DescMessage, layout: Layout, w: Writer): void {
  const { f } = w;
  const single = message.fields.filter((field) => field.oneof === undefined);
  f.print('/** @internal */');
  f.print(f.export('function', `${typeName(message)}$plain`), '($a: ', w.runtime('Arena', true), ', $r: number): ', typeName(message), 'Object {');
  for (const offset of new Set([0, ...bitOffsets(single, layout)])) {
    f.print('  const bits', offset, ' = ', w.runtime('readUint32'), '($a, ', at(offset), ');');
  }
  const members = (oneof: DescOneof): void => {
    const { caseAt } = layout.places.get(oneof.fields[0])!;
    const local = localName(oneof);
    f.print('  let _', local, ': ', typeName(message), 'Object[', f.string(local), '];');
    f.print('  switch (', w.runtime('readCase'), '($a, ', at(caseAt), ')) {');
    for (const field of oneof.fields) {
      const place = layout.places.get(field)!;
      f.print('    case ', place.caseValue, ':');
      f.print('      _', local, ' = { case: ', f.string(localName(field)), ', value: ',
        plainValue(field, place, w), ' };');
      f.print('      break;');
    }
    f.print('  }');
  };
  message.oneofs.forEach(members);
  const later: Code[] = [];
  f.print('  const object: ', typeName(message), 'Object = {');
  for (const field of single) {
    const place = layout.places.get(field)!;
    const element = elementOf(field, w);
    const read = field.fieldKind === 'scalar' && element.kind === 'scalar' && !hasPresence(field) ? element.code.read : '';
    const name = property(localName(field));
    const set = plainValue(field, place, w);
    const value: Code = read === 'readBytes' ? set
      : ['(bits', place.bitAt, ' & ', place.mask, ') !== 0 ? ', ...set, ' : ', absent(field, w)];
    if (WIDE.has(read)) {
      f.print('    ', name, ': undefined as never,');
      later.push(['  object', member(localName(field)), ' = ', ...value, ';']);
    } else {
      f.print('    ', name, ': ', value, ',');
    }
  }
  for (const oneof of message.oneofs) f.print('    ', property(localName(oneof)), ': _', localName(oneof), ',');
  f.print('  };');
  for (const line of later) f.print(line);
  const rest: Code = layout.extensionsAt === 0 ? ['(bits0 & 1) !== 0']
    : [w.runtime('hasRest'), '($a, $r, ', layout.extensionsAt, ')'];
  f.print('  if (', rest, ') ', w.runtime('addRest'), '($a, $r, ', typeName(message), '.$type, object as never);');
  f.print('  return object;');
  f.print('}');
}

/**
 * Prints the function that gives the message at a reference, undefined for 0: in `into` where that is
 * given. Here, where its class is always the same, for engines to know it. The arena mostly is the same
 * one, and storing it takes them more time than to compare.
 */
function printPointer(message: DescMessage, w: Writer): void {
  const { f } = w;
  const name = typeName(message);
  f.print('/** @internal */');
  f.print(f.export('function', `${name}$of`), '($a: ', w.runtime('Arena', true), ', ref: number, into?: ', name, '): ', name, ' | undefined {');
  f.print('  if (ref === 0) return undefined;');
  f.print('  if (into === undefined) return new ', name, '$make($a, ref);');
  f.print('  if (into.$a !== $a) into.$a = $a;');
  f.print('  into.$r = ref;');
  f.print('  return into;');
  f.print('}');
}

/** Prints the head of a class, as far as every class has the same. */
function printClass(message: DescMessage, w: Writer): void {
  const { f } = w;
  const name = typeName(message);
  f.print(f.jsDoc(message));
  f.print(f.export('class', name), ' extends ', w.runtime('Message'), '<', name, 'Object, ', name, 'Init, ', f.string(message.typeName), '> {');
  f.print('  /** @internal */');
  f.print('  static override get $lazy(): ', w.runtime('LazyType', true), ' {');
  f.print('    return ', name, '$type;');
  f.print('  }');
}

/** Prints a class that gets its properties from the schema when it is first used, and its types. */
export function printSmallMessage(message: DescMessage, file: Printable, w: Writer): void {
  const { f } = w;
  const name = typeName(message);
  printInterfaces(message, w);
  printClass(message, w);
  f.print('}');
  f.print(f.export('interface', name), ' {');
  for (const field of message.fields) {
    const { getter, setter } = propertyOf(field, w);
    f.print(f.jsDoc(field, '  '));
    f.print(getter, ';');
    f.print(setter, ';');
  }
  for (const oneof of message.oneofs) {
    printOneofGetter(oneof, w, ';');
    printOneofSetter(oneof, w, ';');
  }
  f.print('}');
  f.print('const ', name, '$type = /* @__PURE__ */ ', w.runtime('reflectedType'), '(', file, ', ', f.string(message.typeName), ', ', name, ');');
  // What code that is not small calls of the types of other files.
  f.print('/** @internal */');
  f.print(f.export('const', `${name}$of`), ': ', w.runtime('PointTo', true), '<', name, '> = /* @__PURE__ */ ',
    w.runtime('pointerTo'), '(', name, '$type);');
  f.print('/** @internal */');
  f.print(f.export('const', `${name}$plain`), ': ', w.runtime('ReadObject', true), '<', name, 'Object> = /* @__PURE__ */ ',
    w.runtime('readerOf'), '(', name, '$type);');
  f.print();
}

/** Prints the class of a message type and the types of its plain objects. */
export function printMessage(message: DescMessage, file: Printable, layouts: (m: DescMessage) => Layout, w: Writer): void {
  const { f } = w;
  const name = typeName(message);
  const layout = layoutOf(message);
  printInterfaces(message, w);
  printClass(message, w);
  const helpers = new Map<string, (() => void)[]>();
  const own: ClassWriter = {
    ...w,
    helper(name, doc, print) {
      const all = helpers.get(name) ?? [];
      helpers.set(name, all);
      all.push(() => {
        f.print(f.jsDoc(doc, '  '));
        print(property(name));
      });
    },
  };
  for (const field of message.fields) printAccessors(field, layout.places.get(field)!, layouts, own);
  for (const oneof of message.oneofs) printOneofAccessors(oneof, layout, own);
  const taken = new Set([...message.fields, ...message.oneofs].map(localName));
  for (const [name, [print, ...others]] of helpers) {
    if (others.length === 0 && !taken.has(name) && !RESERVED.has(name)) print!();
  }
  f.print('}');
  printReader(message, layout, w);
  f.print('const ', name, '$make = /* @__PURE__ */ ', w.runtime('maker'), '(', name,
    ', function (this: ', name, ', $a: ', w.runtime('Arena', true), ', $r: number) {');
  f.print('  this.$a = $a;');
  f.print('  this.$r = $r;');
  f.print('});');
  printPointer(message, w);
  f.print('const ', name, '$type = /* @__PURE__ */ ', w.runtime('lazyType'), '(', file, ', ', f.string(message.typeName), ', ',
    layoutHash(message, layout), ', () => ', name, '$make, ', name, '$plain);');
  f.print();
}
