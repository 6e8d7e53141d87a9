// What the C output knows of messages: names, wire tags and the record layout of codec.h.
import { ScalarType } from '@bufbuild/protobuf';
import type { DescEnum, DescField, DescFile, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';

import { fieldsByNumber } from '../layout.js';
import { cName, fieldNames } from './name.js';

/** Types of fields that are not scalar, by their numbers in FieldDescriptorProto.Type. */
export const TYPE_GROUP = 10;
export const TYPE_MESSAGE = 11;
export const TYPE_ENUM = 14;

export type Kind = 'varint' | 'fixed32' | 'fixed64' | 'bytes' | 'message' | 'group';

const FIXED32: readonly number[] = [ScalarType.FLOAT, ScalarType.FIXED32, ScalarType.SFIXED32];
const FIXED64: readonly number[] = [ScalarType.DOUBLE, ScalarType.FIXED64, ScalarType.SFIXED64];
const VARINT64: readonly number[] = [ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64];
const WIRE: { readonly [kind in Kind]: number } = {
  varint: 0, fixed64: 1, bytes: 2, message: 2, group: 3, fixed32: 5,
};

export interface Oneof {
  readonly name: string;
  readonly fields: Field[];
  caseOffset: number;
  offset: number;
}

export interface Field {
  /** As in the .proto file. */
  readonly protoName: string;
  /** As part of C names. */
  readonly name: string;
  readonly number: number;
  /** The number in FieldDescriptorProto.Type. */
  readonly type: number;
  readonly kind: Kind;
  readonly repeated: boolean;
  readonly map: boolean;
  readonly packed: boolean;
  readonly explicit: boolean;
  readonly required: boolean;
  readonly utf8: boolean;
  readonly oneof: Oneof | undefined;
  /** Of messages, groups and maps (the entry). */
  readonly message: Message | undefined;
  readonly enumeration: DescEnum | undefined;
  readonly closed: boolean;
  /** A number, a bigint, text or bytes that the .proto file gives. */
  readonly defaultValue: unknown;
  readonly desc: DescField | undefined;
  /** Bytes of an element, or of the slot if it is singular. */
  readonly size: 4 | 8;
  bit: number;
  offset: number;
  /** What the oneof's case is when this member is set. */
  caseValue: number;
}

export interface Message {
  readonly typeName: string;
  readonly name: string;
  readonly file: DescFile;
  readonly desc: DescMessage | undefined;
  readonly mapEntry: boolean;
  readonly extendable: boolean;
  /** In order of numbers. */
  readonly fields: Field[];
  readonly oneofs: Oneof[];
  /** 16-bit words of hasbits. */
  words: number;
  size: number;
  required: boolean;
  /** Some field holds this type in delimited encoding. */
  grouped: boolean;
}

export function tagOf(field: Field, wire = WIRE[field.kind]): number {
  return field.number * 8 + wire;
}

/** The bytes of a varint. */
export function varintBytes(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) + 0x80);
  bytes.push(value);
  return bytes;
}

export const isNumber = (field: Field) => /varint|fixed/.test(field.kind);
export const isMessage = (field: Field) => field.kind === 'message' || field.kind === 'group';

function kindOf(type: number): Kind {
  if (type === TYPE_MESSAGE) return 'message';
  if (type === TYPE_GROUP) return 'group';
  if (type === ScalarType.STRING || type === ScalarType.BYTES) return 'bytes';
  if (FIXED32.includes(type)) return 'fixed32';
  return FIXED64.includes(type) ? 'fixed64' : 'varint';
}

type Shape = Pick<Field, 'type' | 'repeated' | 'message' | 'enumeration'> & Partial<Field> & {
  number: number;
  protoName: string;
  name: string;
};

function makeField(shape: Shape): Field {
  const kind = kindOf(shape.type);
  const wide = VARINT64.includes(shape.type) || kind === 'fixed64' || kind === 'bytes';
  return {
    map: false, packed: false, explicit: false, required: false, utf8: false, oneof: undefined,
    defaultValue: undefined, desc: undefined,
    ...shape,
    kind, closed: shape.enumeration?.open === false, size: wide ? 8 : 4, bit: 0, offset: 0,
    caseValue: 0,
  };
}

/** Field numbers from here on do not fit a case: it is this and the index of the field. */
const CASE_INDEX = 0xf000;

/** Hasbits and cases; returns the offset behind them. */
function layOutHead(message: Message): number {
  let bits = 1; // Bit 0 tells of unknown fields.
  const bitOf = new Map<Oneof, number>();
  message.fields.forEach((field, index) => {
    const taken = field.oneof && bitOf.get(field.oneof);
    field.bit = taken ?? bits++;
    if (field.oneof) bitOf.set(field.oneof, field.bit);
    field.caseValue = field.number < CASE_INDEX ? field.number : CASE_INDEX + index;
  });
  message.words = Math.ceil(bits / 16);
  let at = message.words * 2;
  for (const oneof of bitOf.keys()) {
    oneof.caseOffset = at;
    at += 2;
  }
  return at;
}

/** Gives each field its bit and its slot: the rules are in codec.h. */
function layOut(message: Message): void {
  let at = Math.ceil(layOutHead(message) / 4) * 4 + (message.extendable ? 4 : 0);
  const wide = (field: Field) => field.repeated || field.size === 8;
  for (const pass of [false, true]) {
    if (pass) at = Math.ceil(at / 8) * 8;
    for (const field of message.fields) {
      const { oneof } = field;
      if ((oneof ? oneof.fields.some(wide) : wide(field)) !== pass) continue;
      if (oneof && oneof.offset !== 0) continue;
      field.offset = at;
      if (oneof) oneof.offset = at;
      at += pass ? 8 : 4;
    }
  }
  message.size = Math.ceil(at / 8) * 8;
  for (const oneof of message.oneofs) {
    for (const field of oneof.fields) field.offset = oneof.offset;
  }
}

/** The messages of a request, made when first asked for. */
export class Model {
  readonly #messages = new Map<DescMessage, Message>();

  of(desc: DescMessage): Message {
    const known = this.#messages.get(desc);
    if (known) return known;
    const message: Message = {
      typeName: desc.typeName, name: cName(desc.typeName), file: desc.file, desc,
      mapEntry: false, extendable: desc.proto.extensionRange.length > 0,
      fields: [], oneofs: [], words: 0, size: 0, required: false, grouped: false,
    };
    this.#messages.set(desc, message);
    const names = fieldNames(desc);
    const oneofs = new Map<DescOneof, Oneof>();
    for (const oneof of desc.oneofs) {
      const made: Oneof = {
        name: names.get(oneof)!, fields: [], caseOffset: 0, offset: 0,
      };
      oneofs.set(oneof, made);
      message.oneofs.push(made);
    }
    for (const field of fieldsByNumber(desc)) {
      const made = this.#field(message, field, names.get(field)!, oneofs);
      message.fields.push(made);
      made.oneof?.fields.push(made);
    }
    layOut(message);
    return message;
  }

  #field(
    parent: Message, desc: DescField, name: string, oneofs: Map<DescOneof, Oneof>,
  ): Field {
    const oneof = desc.oneof && oneofs.get(desc.oneof);
    const shape = {
      desc, name, protoName: desc.name, number: desc.number, oneof,
      repeated: desc.fieldKind === 'list' || desc.fieldKind === 'map',
      required: desc.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED,
    };
    if (desc.fieldKind === 'map') {
      return makeField({
        ...shape, type: TYPE_MESSAGE, map: true, message: this.#entry(parent, desc),
        enumeration: undefined,
      });
    }
    const message = desc.message && this.of(desc.message);
    const delimited = desc.message !== undefined && desc.delimitedEncoding;
    if (message && delimited) message.grouped = true;
    return makeField({
      ...shape, message, enumeration: desc.enum,
      type: desc.scalar ?? (desc.enum ? TYPE_ENUM : delimited ? TYPE_GROUP : TYPE_MESSAGE),
      packed: desc.fieldKind === 'list' && desc.packed,
      explicit: !shape.repeated && desc.presence !== FeatureSet_FieldPresence.IMPLICIT,
      utf8: desc.scalar === ScalarType.STRING && desc.utf8Validation,
      defaultValue: desc.fieldKind === 'list' ? undefined : desc.getDefaultValue(),
    });
  }

  #entry(parent: Message, desc: DescField & { fieldKind: 'map' }): Message {
    const proto = parent.desc!.proto.nestedType
      .find(({ name }) => desc.proto.typeName.endsWith(`.${name}`))!;
    const typeName = `${parent.typeName}.${proto.name}`;
    const utf8 = (type: number | undefined) =>
      type === ScalarType.STRING && desc.utf8Validation;
    const message = desc.message && this.of(desc.message);
    const entry: Message = {
      typeName, name: cName(typeName), file: parent.file, desc: undefined, mapEntry: true,
      extendable: false, oneofs: [], words: 0, size: 0, required: false, grouped: false,
      fields: [
        makeField({
          protoName: 'key', name: 'key', number: 1, type: desc.mapKey, repeated: false,
          message: undefined, enumeration: undefined, utf8: utf8(desc.mapKey),
        }),
        makeField({
          protoName: 'value', name: 'value', number: 2, repeated: false, message,
          type: desc.scalar ?? (desc.enum ? TYPE_ENUM : TYPE_MESSAGE),
          enumeration: desc.enum, utf8: utf8(desc.scalar), explicit: message !== undefined,
        }),
      ],
    };
    layOut(entry);
    return entry;
  }

  /** Tells each message whether a required field is in it or below it. */
  markRequired(): void {
    const all = [...this.#messages.values()].flatMap((message) => [
      message,
      ...message.fields.filter((field) => field.map).map((field) => field.message!),
    ]);
    for (let changed = true; changed;) {
      changed = false;
      for (const message of all) {
        const now = message.fields.some((field) => field.required || field.message?.required);
        if (now && !message.required) changed = message.required = true;
      }
    }
  }
}
