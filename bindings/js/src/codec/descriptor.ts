import { SpiculeError } from '../core/error.js';

/** What messages need of descriptors beside what the core tells of its compiled form. */
export interface Names {
  /** How many files there are. */
  files: number;
  readonly messages: Map<string, MessageNames>;
  /** Full names of extensions. */
  readonly extensions: Map<string, ExtensionName>;
}

export interface FieldNames {
  /** Of the enum or message, without a leading dot. */
  readonly typeName: string;
  /** FieldOptions.JSType: 0 normal, 1 string, 2 number. */
  readonly jsType: number;
  /** The path of the .proto file. */
  readonly file: string;
}

export interface MessageNames {
  readonly fields: Map<number, FieldNames>;
}

export interface EnumNames {
  readonly name: string;
  readonly values: readonly (readonly [name: string, number: number])[];
}

export interface MethodNames {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
}

export interface ServiceNames {
  readonly name: string;
  readonly methods: readonly MethodNames[];
}

export interface ExtensionName extends FieldNames {
  readonly extendee: string;
  readonly number: number;
}

const decoder = /* @__PURE__ */ new TextDecoder();

type Visit = (field: number, value: number, bytes: Uint8Array) => void;

/** Calls `visit` for each field of a message; 64-bit values lose their high bits. */
function eachField(bytes: Uint8Array, visit: Visit): void {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (at >= bytes.length || shift > 63) throw new SpiculeError('TRUNCATED', { offset: at });
      const byte = bytes[at++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    const value = wire === 0 || wire === 2 ? varint() : 0;
    const length = wire === 0 ? 0 : wire === 1 ? 8 : wire === 5 ? 4 : value;
    visit(tag >>> 3, value, bytes.subarray(at, at + length));
    at += length;
  }
}

const text = (bytes: Uint8Array): string => decoder.decode(bytes);
const typeName = (bytes: Uint8Array): string => text(bytes).replace(/^\./, '');

/** What is declared in a file or message, by the number of its field in the descriptor of a file. */
const MESSAGE = 4, ENUM = 5, SERVICE = 6, EXTENSION = 7;
/** The same in that of a message. */
const WITHIN: { readonly [field: number]: number } = { 3: MESSAGE, 4: ENUM, 6: EXTENSION };

type Declared = (kind: number, bytes: Uint8Array, scope: Scope) => void;

/**
 * Calls `visit` for each declaration in a FileDescriptorSet that the core has accepted, inner ones after
 * outer ones; gives how many files there are.
 */
function eachDeclaration(set: Uint8Array, visit: Declared): number {
  let files = 0;
  const declared = (kind: number, bytes: Uint8Array, scope: Scope): void => {
    visit(kind, bytes, scope);
    if (kind !== MESSAGE) return;
    const own = { name: nameOf(bytes, scope.name), file: scope.file };
    eachField(bytes, (field, _, value) => {
      const inner = WITHIN[field];
      if (inner !== undefined) declared(inner, value, own);
    });
  };
  eachField(set, (one, _, file) => {
    if (one !== 1) return;
    files++;
    const scope = { name: '', file: '' };
    eachField(file, (field, __, bytes) => {
      if (field === 1) scope.file = text(bytes);
      else if (field === 2) scope.name = text(bytes);
    });
    eachField(file, (field, __, bytes) => {
      if (field >= MESSAGE && field <= EXTENSION) declared(field, bytes, scope);
    });
  });
  return files;
}

/** Names of messages, their fields and extensions. */
export function readNames(set: Uint8Array): Names {
  const names: Names = { files: 0, messages: new Map(), extensions: new Map() };
  names.files = eachDeclaration(set, (kind, bytes, scope) => {
    if (kind === MESSAGE) readMessage(bytes, scope, names);
    else if (kind === EXTENSION) readExtension(bytes, scope, names);
  });
  return names;
}

/** Enums by full name. */
export function readEnums(set: Uint8Array): Map<string, EnumNames> {
  const enums = new Map<string, EnumNames>();
  eachDeclaration(set, (kind, bytes, scope) => {
    if (kind !== ENUM) return;
    const found = readEnum(bytes, scope);
    enums.set(found.name, found);
  });
  return enums;
}

/** Services by full name. */
export function readServices(set: Uint8Array): Map<string, ServiceNames> {
  const services = new Map<string, ServiceNames>();
  eachDeclaration(set, (kind, bytes, scope) => {
    if (kind !== SERVICE) return;
    const found = readService(bytes, scope);
    services.set(found.name, found);
  });
  return services;
}

/** Where declarations are. */
interface Scope {
  readonly name: string;
  readonly file: string;
}

const within = (scope: string, name: string): string => (scope === '' ? name : `${scope}.${name}`);

function nameOf(bytes: Uint8Array, scope: string): string {
  let name = '';
  eachField(bytes, (field, _, value) => {
    if (field === 1) name = text(value);
  });
  return within(scope, name);
}

function readMessage(bytes: Uint8Array, { name, file }: Scope, names: Names): void {
  const fields = new Map<number, FieldNames>();
  eachField(bytes, (field, _, value) => {
    if (field !== 2) return;
    const { number, typeName, jsType } = readField(value);
    fields.set(number, { typeName, jsType, file });
  });
  names.messages.set(nameOf(bytes, name), { fields });
}

function readField(bytes: Uint8Array) {
  const found = { name: '', number: 0, typeName: '', extendee: '', jsType: 0 };
  eachField(bytes, (field, value, part) => {
    if (field === 1) found.name = text(part);
    else if (field === 2) found.extendee = typeName(part);
    else if (field === 3) found.number = value;
    else if (field === 6) found.typeName = typeName(part);
    else if (field === 8) {
      eachField(part, (option, setting) => {
        if (option === 6) found.jsType = setting;
      });
    }
  });
  return found;
}

function readExtension(bytes: Uint8Array, scope: Scope, names: Names): void {
  const { name, ...extension } = readField(bytes);
  names.extensions.set(within(scope.name, name), { ...extension, file: scope.file });
}

function readEnum(bytes: Uint8Array, scope: Scope): EnumNames {
  const values: [string, number][] = [];
  eachField(bytes, (field, _, value) => {
    if (field !== 2) return;
    let number = 0;
    eachField(value, (part, setting) => {
      if (part === 2) number = setting | 0;
    });
    values.push([nameOf(value, ''), number]);
  });
  return { name: nameOf(bytes, scope.name), values };
}

function readService(bytes: Uint8Array, scope: Scope): ServiceNames {
  const methods: MethodNames[] = [];
  eachField(bytes, (field, _, value) => {
    if (field !== 2) return;
    const method = { input: '', output: '', clientStreaming: false, serverStreaming: false };
    eachField(value, (part, setting, piece) => {
      if (part === 2) method.input = typeName(piece);
      else if (part === 3) method.output = typeName(piece);
      else if (part === 5) method.clientStreaming = setting !== 0;
      else if (part === 6) method.serverStreaming = setting !== 0;
    });
    methods.push({ name: nameOf(value, ''), ...method });
  });
  return { name: nameOf(bytes, scope.name), methods };
}
