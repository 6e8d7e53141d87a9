import { SpiculeError } from '../core/error.js';

/** What JavaScript needs of descriptors beside what the core tells of its compiled form. */
export interface Names {
  /** How many files there are. */
  files: number;
  readonly messages: Map<string, MessageNames>;
  readonly enums: Map<string, EnumNames>;
  readonly services: Map<string, ServiceNames>;
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

/** Reads the names in a FileDescriptorSet that the core has accepted. */
export function readNames(set: Uint8Array): Names {
  const names: Names = {
    files: 0, messages: new Map(), enums: new Map(), services: new Map(), extensions: new Map(),
  };
  eachField(set, (field, _, file) => {
    if (field !== 1) return;
    names.files++;
    readFile(file, names);
  });
  return names;
}

function readFile(file: Uint8Array, names: Names): void {
  let package_ = '';
  let path = '';
  eachField(file, (field, _, bytes) => {
    if (field === 1) path = text(bytes);
    else if (field === 2) package_ = text(bytes);
  });
  const scope = { name: package_, file: path };
  eachField(file, (field, _, bytes) => {
    if (field === 4) readMessage(bytes, scope, names);
    else if (field === 5) readEnum(bytes, scope, names);
    else if (field === 6) readService(bytes, scope, names);
    else if (field === 7) readExtension(bytes, scope, names);
  });
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

function readMessage(bytes: Uint8Array, scope: Scope, names: Names): void {
  const { file } = scope;
  const name = nameOf(bytes, scope.name);
  const own = { name, file };
  const fields = new Map<number, FieldNames>();
  eachField(bytes, (field, _, value) => {
    if (field === 2) {
      const { number, typeName, jsType } = readField(value);
      fields.set(number, { typeName, jsType, file });
    } else if (field === 3) readMessage(value, own, names);
    else if (field === 4) readEnum(value, own, names);
    else if (field === 6) readExtension(value, own, names);
  });
  names.messages.set(name, { fields });
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

function readEnum(bytes: Uint8Array, scope: Scope, names: Names): void {
  const values: [string, number][] = [];
  eachField(bytes, (field, _, value) => {
    if (field !== 2) return;
    let number = 0;
    eachField(value, (part, setting) => {
      if (part === 2) number = setting | 0;
    });
    values.push([nameOf(value, ''), number]);
  });
  const name = nameOf(bytes, scope.name);
  names.enums.set(name, { name, values });
}

function readService(bytes: Uint8Array, scope: Scope, names: Names): void {
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
  const name = nameOf(bytes, scope.name);
  names.services.set(name, { name, methods });
}
