// The writer of a message type: a class that puts the bytes of a message behind each other as its
// methods are called. See codec/writer.ts of the runtime.
import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import type { Printable } from '@bufbuild/protoplugin';

import { fieldsByNumber, hasPresence, isRepeated } from '../layout.js';
import { localName, typeName } from './field.js';
import {
  type Code, type Writer, capital, elementOf, fieldType, keyCode, property, valueType,
} from './message.js';

/** One file of writers. */
export interface WriterFile extends Writer {
  /** The writer of a message type. */
  writer(desc: DescMessage): Printable;
}

export const writerName = (desc: DescMessage): string => `${typeName(desc)}Writer`;

const WIRE = { VARINT: 0, FIXED64: 1, BYTES: 2, GROUP: 3, END: 4, FIXED32: 5 } as const;

/** As in codec/writer.ts. */
const IMPLICIT = 0;
const EXPLICIT = 1;
const ELEMENT = 2;
const GROUP = 0;
const ENTRY = -1;

/** The method of the output that writes a scalar or, without one, an enum; and its wire type. */
function put(scalar: ScalarType | undefined): readonly [method: string, wire: number] {
  switch (scalar) {
    case ScalarType.DOUBLE: return ['double', WIRE.FIXED64];
    case ScalarType.FLOAT: return ['float', WIRE.FIXED32];
    case ScalarType.INT64: return ['int64', WIRE.VARINT];
    case ScalarType.UINT64: return ['uint64', WIRE.VARINT];
    case ScalarType.FIXED64: return ['fixed64', WIRE.FIXED64];
    case ScalarType.FIXED32: return ['fixed32', WIRE.FIXED32];
    case ScalarType.BOOL: return ['bool', WIRE.VARINT];
    case ScalarType.STRING: return ['string', WIRE.BYTES];
    case ScalarType.BYTES: return ['data', WIRE.BYTES];
    case ScalarType.UINT32: return ['uint32', WIRE.VARINT];
    case ScalarType.SFIXED32: return ['sfixed32', WIRE.FIXED32];
    case ScalarType.SFIXED64: return ['sfixed64', WIRE.FIXED64];
    case ScalarType.SINT32: return ['sint32', WIRE.VARINT];
    case ScalarType.SINT64: return ['sint64', WIRE.VARINT];
    default: return ['int32', WIRE.VARINT];
  }
}

const tagOf = (number: number, wire: number): number => number * 8 + wire;

function isNumber(field: DescField): boolean {
  return !isRepeated(field) && field.fieldKind !== 'message' &&
    field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES;
}

const MOST_ARGUMENTS = 6;

/**
 * The fields that a small message can be written of in one call, or undefined: up to six numbers. Of a
 * oneof that is its number, and strings or bytes in it need the message opened.
 */
function numbersOf(message: DescMessage): DescField[] | undefined {
  const fields = fieldsByNumber(message);
  const numbers = fields.filter(isNumber);
  const oneofs = numbers.flatMap(({ oneof }) => oneof ?? []);
  const others = fields.filter((field) => !isNumber(field));
  const fits = numbers.length > 0 && numbers.length <= MOST_ARGUMENTS &&
    new Set(oneofs).size === oneofs.length &&
    others.every(({ oneof, message: of }) => of === undefined && oneof !== undefined && oneofs.includes(oneof));
  return fits ? numbers : undefined;
}

const RESERVED = new Set(['constructor', 'close', 'finish', 'finishInto', 'reset', 'toString', 'valueOf']);

class WriterClass {
  readonly #message: DescMessage;
  readonly #w: WriterFile;
  readonly #fields: DescField[];
  readonly #names = new Set<string>();

  constructor(message: DescMessage, w: WriterFile) {
    this.#message = message;
    this.#w = w;
    this.#fields = fieldsByNumber(message);
  }

  print(): void {
    const { f } = this.#w;
    f.print(f.jsDoc(`Writes a {@link ${typeName(this.#message)}}.`));
    f.print(f.export('class', writerName(this.#message)), ' extends ', this.#w.runtime('MessageWriter'), ' {');
    f.print('  /** @internal */');
    f.print('  get $count(): number {');
    f.print('    return ', this.#fields.length, ';');
    f.print('  }');
    const children = this.#fields.filter((field) => elementOf(field, this.#w).kind === 'message');
    for (const field of children) {
      f.print('  /** @internal */');
      f.print('  $', field.number, ': ', this.#w.writer(field.message!), ' | undefined;');
    }
    for (const field of this.#fields) {
      if (field.fieldKind === 'map') this.#map(field);
      else if (field.message) this.#child(field, field.message);
      else if (field.fieldKind === 'list') this.#list(field);
      else this.#scalar(field);
    }
    f.print(f.jsDoc('Ends the message, and its parent goes on.', '  '));
    f.print('  close(): void {');
    f.print('    if (!this.$s.close(this.$b, ', this.#fields.length, ', this.$i, this.$g, this.$a)) this.$s.leave(this);');
    f.print('  }');
    f.print('}');
    f.print();
  }

  /** A name of a method that is not taken. */
  #name(name: string): string {
    const free = RESERVED.has(name) || this.#names.has(name) ? `${name}$` : name;
    this.#names.add(free);
    return free;
  }

  /**
   * Arguments that say whether it is the turn of a field: see Output.at. With a member of a oneof the
   * turns of the others are over.
   */
  #turn(field: DescField): string {
    return `this.$b, ${this.#ordinal(field) + (isRepeated(field) ? 1 : 0)}, ${this.#after(field)}`;
  }

  #ordinal(field: DescField): number {
    return this.#fields.indexOf(field) + 1;
  }

  /** Which turn it is once a field is written. */
  #after(field: DescField): number {
    const { oneof } = field;
    if (oneof === undefined || isScattered(oneof)) return this.#ordinal(field);
    return Math.max(...oneof.fields.map((member) => this.#ordinal(member)));
  }

  /** Statements before a field is written. */
  #before(field: DescField): Code[] {
    const { oneof } = field;
    if (oneof === undefined || !isScattered(oneof)) return [];
    const index = this.#message.oneofs.indexOf(oneof);
    return [[`this.$s.member(this, ${index}, `, this.#quoted(field), ');']];
  }

  #quoted(field: DescField, rest = ''): Printable {
    return this.#w.f.string(`${localName(field)}${rest}`);
  }

  /** Prints a method, and gives its name; without `what` it has the comments of the field. */
  #method(field: DescField, what: string, name: string, parameters: Code, type: Printable, body: Code[]): string {
    const { f } = this.#w;
    f.print(what === '' ? f.jsDoc(field, '  ') : f.jsDoc(what, '  '));
    const free = this.#name(name);
    f.print('  ', property(free), '(', parameters, '): ', type, ' {');
    for (const line of [...this.#before(field), ...body]) f.print('    ', line);
    f.print('  }');
    return free;
  }

  #scalar(field: DescField): void {
    const [method, wire] = put(field.scalar);
    // A member of a oneof that is undefined would end the turn of the others.
    const always = field.oneof !== undefined ? ELEMENT : hasPresence(field) ? EXPLICIT : IMPLICIT;
    const name = this.#quoted(field);
    const type: Code = [fieldType(field, 'Init', this.#w), always === ELEMENT ? '' : ' | undefined'];
    this.#method(field, '', localName(field), ['value: ', type], 'void', [
      ['const { $s } = this;'],
      ['$s.position = $s.', method, '($s.at(', this.#turn(field), ', ', name, '), ', tagOf(field.number, wire),
        ', value, ', always, ', ', name, ');'],
    ]);
  }

  #list(field: DescField & { fieldKind: 'list' }): void {
    const [method, wire] = put(field.scalar);
    const local = localName(field);
    const name = this.#quoted(field);
    const tag = tagOf(field.number, field.packed ? WIRE.BYTES : wire);
    this.#method(field, '', local, ['values: ', fieldType(field, 'Init', this.#w), ' | undefined'], 'void', [
      ['this.$s.list(', this.#turn(field), ', ', tag, ', values, this.$s.', method, ', ', name, ', ', field.packed, ');'],
    ]);
    if (field.packed) return;
    const element = valueType(elementOf(field, this.#w), 'Init', this.#w);
    this.#method(field, `Appends an element to \`${local}\`.`, `add${capital(local)}`, ['value: ', element], 'void', [
      ['const { $s } = this;'],
      ['$s.position = $s.', method, '($s.at(', this.#turn(field), ', ', name, '), ', tag, ', value, ', ELEMENT, ', ', name, ');'],
    ]);
  }

  /** The writer of the message in a field, made once, as the constant `inner`. */
  #inner(field: DescField, message: DescMessage, rest: string): Code[] {
    return [
      ['const inner = (this.$', field.number, ' ??= new ', this.#w.writer(message), '(this, ', this.#quoted(field), ', ',
        this.#after(field), rest, '));'],
      ...(message.oneofs.some(isScattered) ? [['inner.$m = [];']] : []),
    ];
  }

  #child(field: DescField, message: DescMessage): void {
    const local = localName(field);
    const name = this.#quoted(field);
    const group = field.fieldKind !== 'map' && 'delimitedEncoding' in field && field.delimitedEncoding;
    const tag = tagOf(field.number, group ? WIRE.GROUP : WIRE.BYTES);
    const end = group ? tagOf(field.number, WIRE.END) : 0;
    const repeated = isRepeated(field);
    this.#method(field, '', `open${capital(local)}`, [], this.#w.writer(message), [
      ...this.#inner(field, message, group ? `, ${GROUP}, ${end}` : ''),
      ['inner.$i = this.$s.open(', this.#turn(field).replace(/, \d+$/, ''), ', ', tag, ', inner.$b, ',
        group ? GROUP : 'inner.$g', ', ', name, ');'],
      ['return inner;'],
    ]);
    const asType = this.#w.type(message, '', true);
    this.#method(field, `Writes a message that exists as ${repeated ? 'an element of ' : ''}\`${local}\`.`,
      repeated ? `add${capital(local)}From` : `${local}From`, ['message: ', asType], 'void', [
        ['this.$s.message(', this.#turn(field), ', ', tag, ', ', end, ', message, ', this.#w.f.string(message.typeName), ', ', name, ');'],
      ]);
    const numbers = group ? undefined : numbersOf(message);
    if (numbers === undefined) return;
    const parameters = numbers.flatMap((number, i): Code => [
      i === 0 ? '' : ', ', parameterOf(number), '?: ', fieldType(number, 'Init', this.#w)]);
    this.#method(field, `Writes ${repeated ? 'an element of ' : ''}\`${local}\` at once.`,
      repeated ? `add${capital(local)}` : local, parameters, 'void', [
        ['const { $s } = this;'],
        ['const start$ = $s.begun(', this.#turn(field), ', ', tag, ', ', name, ');'],
        ['let at$ = start$;'],
        ...numbers.map((number): Code => {
          const [method, wire] = put(number.scalar);
          return ['if (', parameterOf(number), ' !== undefined) at$ = $s.', method, '(at$, ', tagOf(number.number, wire), ', ',
            parameterOf(number), ', ', hasPresence(number) ? EXPLICIT : IMPLICIT, ', ',
            this.#quoted(field, `.${localName(number)}`), ');'];
        }),
        ['$s.ended(start$, at$);'],
      ]);
  }

  #map(field: DescField & { fieldKind: 'map' }): void {
    const local = localName(field);
    const key = keyCode(field, this.#w);
    const [keyMethod, keyWire] = put(field.mapKey);
    const begun: Code = ['const start = this.$s.begun(', this.#turn(field), ', ', tagOf(field.number, WIRE.BYTES), ', ',
      this.#quoted(field), ');'];
    const keyEnd: Code = ['this.$s.', keyMethod, '(start, ', tagOf(1, keyWire), ', key, ', ELEMENT, ', ',
      this.#quoted(field, ' key'), ')'];
    if (field.mapKind === 'message') {
      this.#method(field, '', `open${capital(local)}`, ['key: ', key.input], this.#w.writer(field.message), [
        ...this.#inner(field, field.message, `, ${ENTRY}`),
        begun,
        ['inner.$i = this.$s.value(', ...keyEnd, ', inner.$b);'],
        ['inner.$e = start;'],
        ['return inner;'],
      ]);
      return;
    }
    const [method, wire] = put(field.scalar);
    const value = valueType(elementOf(field, this.#w), 'Init', this.#w);
    const add = this.#method(field, `Appends an entry to \`${local}\`; of one key the last counts.`, `add${capital(local)}`,
      ['key: ', key.input, ', value: ', ...value], 'void', [
        begun,
        ['this.$s.filled(start, this.$s.', method, '(', ...keyEnd, ', ', tagOf(2, wire), ', value, ', ELEMENT, ', ',
          this.#quoted(field), '));'],
      ]);
    this.#method(field, '', local, ['entries: Iterable<readonly [', key.input, ', ', ...value, ']> | undefined'], 'void', [
      ['if (entries !== undefined) for (const [key, value] of entries) this.', add, '(key, value);'],
    ]);
  }
}

/** Whether other fields lie between the members of a oneof, so that order does not tell them apart. */
function isScattered({ fields, parent }: DescOneof): boolean {
  const all = fieldsByNumber(parent);
  const places = fields.map((field) => all.indexOf(field));
  return Math.max(...places) - Math.min(...places) !== places.length - 1;
}

const WORDS = new Set(
  ('arguments await break case catch class const continue debugger default delete do else enum eval export ' +
  'extends false finally for function if implements import in instanceof interface let new null package ' +
  'private protected public return static super switch this throw true try typeof undefined var void while ' +
  'with yield').split(' '));

/** The name of an argument. */
function parameterOf(field: DescField): string {
  const name = localName(field);
  return WORDS.has(name) || !/^[A-Za-z_$]/.test(name) ? `$${name}$` : name;
}

/** Prints the writer of a message type. */
export function printWriter(message: DescMessage, w: WriterFile): void {
  new WriterClass(message, w).print();
}
