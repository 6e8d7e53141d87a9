// How a kind of field is read, written and typed in the generated TypeScript.
import type {
  DescEnum, DescExtension, DescField, DescFile, DescMessage, DescOneof, DescService,
} from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FieldOptions_JSType } from '@bufbuild/protobuf/wkt';
import { safeIdentifier } from '@bufbuild/protoplugin';

import { fieldsByNumber } from '../layout.js';

/** What 64-bit integers are. */
export type Int64Form = 'bigint' | 'number' | 'string';

/** A scalar: names of the runtime's functions, and types. */
export interface ScalarCode {
  readonly read: string;
  readonly set: string;
  readonly type: string;
  /** What it may be set to. */
  readonly input: string;
}

const INT64 = {
  bigint: ['', 'bigint'], number: ['Number', 'number'], string: ['String', 'string'],
} as const;

/** The code of a scalar type; `undefined` stands for an enum. */
export function scalarCode(scalar: ScalarType | undefined, form: Int64Form): ScalarCode {
  const simple = (name: string, type: string): ScalarCode => ({
    read: `read${name}`, set: `set${name}`, type, input: type,
  });
  const [suffix, type] = INT64[form];
  const long = (name: string): ScalarCode => ({
    read: `read${name}${suffix}`, set: `set${name}`, type,
    input: form === 'string' ? 'string | bigint | number' : 'bigint | number',
  });
  switch (scalar) {
    case ScalarType.DOUBLE: return simple('Double', 'number');
    case ScalarType.FLOAT: return simple('Float', 'number');
    case ScalarType.BOOL: return simple('Bool', 'boolean');
    case ScalarType.STRING: return simple('String', 'string');
    case ScalarType.BYTES: return { ...simple('Bytes', 'Bytes'), input: 'Uint8Array' };
    case ScalarType.UINT32:
    case ScalarType.FIXED32: return simple('Uint32', 'number');
    case ScalarType.UINT64:
    case ScalarType.FIXED64: return long('Uint64');
    case ScalarType.INT64:
    case ScalarType.SFIXED64:
    case ScalarType.SINT64: return long('Int64');
    default: return simple('Int32', 'number');
  }
}

/** What 64-bit integers of a field are: its option jstype, else what the file has. */
export function int64Form(field: DescField, ofFile: Int64Form): Int64Form {
  switch (field.proto.options?.jstype) {
    case FieldOptions_JSType.JS_STRING: return 'string';
    case FieldOptions_JSType.JS_NUMBER: return 'number';
    default: return ofFile;
  }
}

/** lowerCamelCase, as the runtime makes it. */
export function camelCase(name: string): string {
  return name.replace(/_+(.?)/g, (_, next: string) => next.toUpperCase());
}

/** Names that members of messages have. */
export const RESERVED: ReadonlySet<string> = new Set([
  '', 'constructor', 'toString', 'valueOf', 'toJSON', 'toObject', 'toJSONString', 'hasOwnProperty',
  'isPrototypeOf', 'propertyIsEnumerable', 'toLocaleString', 'has', 'clear', 'encode',
  'encodeInto', 'equals', 'clone', 'merge', 'mergeBytes', 'dispose', 'unknownFields',
  'appendUnknown', 'clearUnknown', 'mutable', 'getExtension', 'setExtension', 'hasExtension',
  'clearExtension', 'visit', 'decodeField', 'decodeWithin',
]);

const localNames = new WeakMap<DescMessage, Map<DescField | DescOneof, string>>();

/** The properties of fields and oneofs, as the runtime has them. */
function localNamesOf(message: DescMessage): Map<DescField | DescOneof, string> {
  const names = new Map<DescField | DescOneof, string>();
  const taken = new Set<string>();
  for (const member of [...fieldsByNumber(message), ...message.oneofs]) {
    let local = camelCase(member.name);
    while (RESERVED.has(local) || taken.has(local)) local += '$';
    taken.add(local);
    names.set(member, local);
  }
  return names;
}

/** The property of a field or oneof. */
export function localName(member: DescField | DescOneof): string {
  const names = localNames.get(member.parent!) ?? localNamesOf(member.parent!);
  localNames.set(member.parent!, names);
  return names.get(member)!;
}

/** What a file gives a name to. */
type Named = DescMessage | DescEnum | DescExtension | DescService;

/** What is behind the name of a class in those of what belongs to it. */
const BELONGS = ['', 'Object', 'Init', 'Writer'];

const typeNames = new WeakMap<DescFile, Map<Named, string>>();

/** Names of what a file declares, at the top and inside messages: one that is taken gets a `$`. */
function typeNamesOf(file: DescFile): Map<Named, string> {
  const names = new Map<Named, string>();
  const taken = new Set(GLOBALS);
  for (const desc of nestedTypes(file)) {
    const { typeName: full } = desc;
    const within = file.proto.package === '' ? full : full.slice(file.proto.package.length + 1);
    let name = safeIdentifier(within.replaceAll('.', '_'));
    const all = () => (desc.kind === 'message' ? BELONGS : ['']).map((end) => name + end);
    while (all().some((one) => taken.has(one))) name += '$';
    for (const one of all()) taken.add(one);
    names.set(desc, name);
  }
  return names;
}

/** The name of the class or constant of a type, service or extension. */
export function typeName(desc: Named): string {
  const names = typeNames.get(desc.file) ?? typeNamesOf(desc.file);
  typeNames.set(desc.file, names);
  return names.get(desc)!;
}

/** Names that generated code uses itself. */
const GLOBALS = new Set([
  'Map', 'Object', 'Array', 'Uint8Array', 'Iterable', 'Symbol', 'String', 'Number', 'Boolean',
  'Function', 'Error', 'Promise', 'Bytes', 'undefined',
  'Message', 'MessageClass', 'ListView', 'MapView', 'Visitor', 'Arena', 'MessageInfo',
]);
