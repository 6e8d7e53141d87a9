import { aligned } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Arena } from './arena.js';
import { type MakeMessage, type Message, type MessageClass, maker } from './message.js';
import { type PlainObject, blankOf, objectOf } from './record.js';
import { type Scalar, TYPE, scalarOf } from './scalar.js';
import type { Types } from './schema.js';

export const TYPE_WORDS = 8;
export const FIELD_WORDS = 18;
export const FLAG = {
  repeated: 1, map: 2, packed: 4, explicit: 8, required: 16, utf8: 32, closed: 64,
} as const;

/** lowerCamelCase, as every generator for JavaScript makes it. */
export function camelCase(name: string): string {
  return name.replace(/_+(.?)/g, (_, next: string) => next.toUpperCase());
}

/** Names that members of messages have. */
const RESERVED = /* @__PURE__ */ new Set([
  '', 'constructor', 'toString', 'valueOf', 'toJSON', 'toObject', 'toJSONString', 'hasOwnProperty',
  'isPrototypeOf', 'propertyIsEnumerable', 'toLocaleString', 'has', 'clear', 'encode',
  'encodeInto', 'equals', 'clone', 'merge', 'mergeBytes', 'dispose', 'unknownFields',
  'appendUnknown', 'clearUnknown', 'mutable', 'getExtension', 'setExtension', 'hasExtension',
  'clearExtension', 'visit', 'decodeField', 'decodeWithin',
]);

/** The property of a field or oneof; others of the type are taken. */
function localName(name: string, taken: Set<string>): string {
  let local = camelCase(name);
  while (RESERVED.has(local) || taken.has(local)) local += '$';
  taken.add(local);
  return local;
}

/** A oneof, whose members share a slot. */
export interface OneofInfo {
  readonly name: string;
  readonly caseAt: number;
  readonly members: FieldInfo[];
  /** Members by what the case is when they are set. */
  readonly byCase: Map<number, FieldInfo>;
  /** Members by property. */
  readonly byMember: Map<string, FieldInfo>;
}

/** A field of a message type: names, and where it lies in a record. */
export class FieldInfo {
  /** The property of messages and plain objects. */
  readonly name: string;
  readonly protoName: string;
  readonly jsonName: string;
  readonly number: number;
  /** The numbers of google.protobuf.FieldDescriptorProto.Type. */
  readonly type: number;
  /** Offset of the slot in the record. */
  readonly at: number;
  /** Offset of the case of the oneof, and what it is when the field is set; 0 outside oneofs. */
  readonly caseAt: number;
  readonly caseValue: number;
  /** Offset of the word with the hasbit, and the bit in it. */
  readonly bitAt: number;
  readonly mask: number;
  /** Bytes of an element, or of the slot of a singular field. */
  readonly size: number;
  readonly repeated: boolean;
  readonly map: boolean;
  readonly packed: boolean;
  /** Whether the field has presence; never where it is repeated. */
  readonly explicit: boolean;
  readonly required: boolean;
  /** How values lie in memory; absent for messages and maps. */
  readonly scalar: Scalar | undefined;
  /** Full name of the enum, or ''. */
  readonly enumName: string;
  /** Full name of the extension, or undefined. */
  readonly extension: string | undefined;
  oneof: OneofInfo | undefined;
  /** The type whose field this is: of an extension, that of the record of extensions. */
  readonly owner: MessageInfo;
  readonly #schema: Types;
  readonly #message: number;
  #info: MessageInfo | undefined;

  constructor(
    schema: Types, owner: MessageInfo, words: Uint32Array, taken: Set<string>, extension?: string,
  ) {
    const engine = schema.engine;
    this.#schema = schema;
    this.owner = owner;
    [this.number, this.type, this.at, this.caseAt] = words as unknown as [number, number, number, number];
    this.bitAt = (words[4]! >>> 5) * 4;
    this.mask = 1 << (words[4]! & 31);
    this.size = words[5]!;
    const flags = words[6]!;
    this.repeated = (flags & FLAG.repeated) !== 0;
    this.map = (flags & FLAG.map) !== 0;
    this.packed = (flags & FLAG.packed) !== 0;
    this.explicit = (flags & FLAG.explicit) !== 0;
    this.required = (flags & FLAG.required) !== 0;
    this.#message = words[7]!;
    this.protoName = engine.textAt(words[8]!, words[9]!);
    this.jsonName = engine.textAt(words[10]!, words[11]!);
    this.extension = extension;
    const described =
      extension === undefined
        ? schema.names.messages.get(owner.name)?.fields.get(this.number)
        : schema.names.extensions.get(extension);
    this.enumName = this.type === TYPE.ENUM ? (described?.typeName ?? '') : '';
    const form = (['', 'string', 'number'] as const)[described?.jsType ?? 0] || schema.int64Of(described?.file ?? '');
    this.caseValue = words[16]!;
    this.scalar = this.#message === 0 ? scalarOf(this.type, form) : undefined;
    this.name = extension === undefined ? localName(this.protoName, taken) : `[${extension}]`;
  }

  /** The type of a message field, or of the entries of a map. */
  get message(): MessageInfo {
    return (this.#info ??= this.#schema.infoAt(this.#message));
  }
}

/** What a property of plain objects sets: a field, which may be of a oneof, or a oneof. */
interface Target {
  readonly key: string;
  readonly field: FieldInfo | undefined;
  readonly oneof: OneofInfo | undefined;
}

/** Bytes of messages whose arenas are as large as the last ones needed, whatever their length. */
const SHORT = 64;

/** Learns how many bytes of an arena input needs. */
export class Estimate {
  /** Bytes of an arena for each of input. No integer: V8 would make objects anew when it is none any more. */
  #ratio = 8.5;
  #short = 0;

  of(length: number): number {
    const least = length < SHORT ? this.#short : 0;
    return Math.max(Math.ceil(length * this.#ratio) + 64, least);
  }

  learn(length: number, used: number): void {
    if (length < SHORT) {
      // What records take, mostly: the length says little.
      this.#short = used > this.#short ? used : Math.ceil(this.#short * 0.9 + used * 0.1);
      return;
    }
    const ratio = used / length;
    this.#ratio = ratio > this.#ratio ? ratio * 1.02 : this.#ratio * 0.9 + ratio * 0.1;
  }
}

/** The error of a name that no field of a type has; of a oneof, which has no value of its own, its members have. */
export function noField(type: MessageInfo | undefined, name: string, path: string): SpiculeError {
  const oneof = type?.oneofsByName.get(name);
  const note = oneof && `${name} is a oneof of ${oneof.members.map((field) => field.name).join(', ')}`;
  return new SpiculeError('UNKNOWN_FIELD', { path }, note);
}

let nextId = 0;

/** A message type: its fields and the layout of its records. */
export class MessageInfo {
  readonly id: number = nextId++;
  readonly schema: Types;
  readonly name: string;
  /** Bytes of a record. */
  readonly size: number;
  /** Offset of the reference to the record of extensions; 0 if there can't be any. */
  readonly extensionsAt: number;
  readonly mapEntry: boolean;
  readonly fields: readonly FieldInfo[];
  /** Those that are in no oneof. */
  readonly single: readonly FieldInfo[];
  readonly oneofs: readonly OneofInfo[];
  /** By property, and by the name in the .proto file. */
  readonly byName = new Map<string, FieldInfo>();
  readonly byNumber = new Map<number, FieldInfo>();
  readonly oneofsByName = new Map<string, OneofInfo>();
  /** What properties of the last plain objects set, in their order: mostly that of the next one too. */
  readonly keys: (Target | undefined)[] = [];
  readonly #targets = new Map<string, Target>();
  readonly #extensions: number;
  /** Makes a plain object of a record. */
  reader: (arena: Arena, ref: number) => unknown;
  /** What was asked for last. */
  #asked: string | undefined;
  #field: FieldInfo | undefined;
  #blank: PlainObject | undefined;
  #class: MessageClass<Message> | undefined;
  #make: MakeMessage<Message> | undefined;
  /** What decoding takes, and a tape beside its input. */
  readonly decoding: Estimate = new Estimate();
  readonly taping: Estimate = new Estimate();
  /** What a message that was decoded within one of this type took last. */
  within = 0;
  #largest = 1024;
  /** Bytes that the last one of them was encoded to. */
  written = 0;

  constructor(schema: Types, words: Uint32Array, extensionOf?: MessageInfo) {
    const { engine } = schema;
    this.schema = schema;
    this.reader = (arena, ref) => objectOf(arena, ref, this);
    this.name = extensionOf?.name ?? engine.textAt(words[0]!, words[1]!);
    this.size = words[2]!;
    this.extensionsAt = words[3]!;
    this.#extensions = words[4]!;
    this.mapEntry = words[5] !== 0;
    const [fieldCount, oneofCount] = [words[6]!, words[7]!];
    const taken = new Set<string>();
    this.fields = Array.from({ length: fieldCount }, (_, i) => {
      const own = words.subarray(TYPE_WORDS + FIELD_WORDS * i, TYPE_WORDS + FIELD_WORDS * (i + 1));
      const extension = extensionOf && schema.extensionName(extensionOf.name, own[0]!);
      return new FieldInfo(schema, this, own, taken, extension);
    });
    this.single = this.fields.filter(({ caseAt }) => caseAt === 0);
    const oneofsAt = TYPE_WORDS + FIELD_WORDS * fieldCount;
    // That of an optional field of proto3, which has nothing to choose from, has no case.
    const choices = Array.from({ length: oneofCount }, (_, i) => words.subarray(oneofsAt + 2 * i, oneofsAt + 2 * i + 2))
      .filter(([, caseAt]) => caseAt !== 0) as unknown as [number, number][];
    this.oneofs = choices.map(([nameAt, caseAt]) => {
      const members = this.fields.filter((field) => field.caseAt === caseAt);
      const byCase = new Map(members.map((field) => [field.caseValue, field]));
      const byMember = new Map(members.map((field) => [field.name, field]));
      const name = localName(engine.textAt(nameAt), taken);
      const oneof = { name, caseAt, members, byCase, byMember };
      for (const field of members) field.oneof = oneof;
      return oneof;
    });
    for (const field of this.fields) this.byNumber.set(field.number, field);
    for (const field of this.fields) this.byName.set(field.protoName, field);
    for (const field of this.fields) this.byName.set(field.name, field);
    for (const oneof of this.oneofs) this.oneofsByName.set(oneof.name, oneof);
  }

  /** As a LazyType. */
  get info(): this {
    return this;
  }

  get blank(): PlainObject {
    return (this.#blank ??= blankOf(this));
  }

  /** The type whose fields are the extensions of this one. */
  get extensions(): MessageInfo | undefined {
    return this.#extensions === 0 ? undefined : this.schema.extensionsAt(this.#extensions, this);
  }

  /** The class of its messages. */
  get class(): MessageClass<Message> {
    return (this.#class ??= this.schema.makeClass(this));
  }

  /** Makes a class that was generated the one of this type. */
  bind(type: MessageClass<Message>, make: MakeMessage<Message>): void {
    this.#class = type;
    this.#make = make;
  }

  /** What a property, or the name of a field, sets. */
  target(key: string): Target | undefined {
    let target = this.#targets.get(key);
    if (target === undefined) {
      const field = this.byName.get(key);
      const oneof = field === undefined ? this.oneofsByName.get(key) : field.oneof;
      if (field === undefined && oneof === undefined) return undefined;
      target = { key, field, oneof };
      this.#targets.set(key, target);
    }
    return target;
  }

  /** A field by property or name. */
  field(name: string): FieldInfo {
    if (name === this.#asked) return this.#field!;
    const field = this.byName.get(name);
    if (field === undefined) throw noField(this, name, name);
    this.#asked = name;
    return (this.#field = field);
  }

  /** A guess at the bytes that a message encodes to. */
  room(): number {
    return aligned(this.#largest + (this.#largest >>> 3));
  }

  wrote(length: number): void {
    this.written = length;
    if (length > this.#largest) this.#largest = length;
    else if (length > 512) this.#largest -= (this.#largest - length) >> 3;
  }

  #maker(): MakeMessage<Message> {
    // A class that was generated brings what makes it.
    const { class: type } = this;
    return (this.#make ??= maker(type));
  }

  /** A message of its class. */
  make(arena: Arena, ref: number): Message {
    return new (this.#make ?? this.#maker())(arena, ref);
  }
}
