// The TypeScript output: for a/b.proto the module a/b_spc.ts, with a class for each message. Options
// are those of protoplugin's EcmaScript plugins (target=ts|js|dts, import_extension and so on), and
//   int64=bigint|number|string   what 64-bit integers are where jstype does not say
//   json=true|false              whether ProtoJSON comes along, by default it does
//   optimize_for=speed|code_size what the code is for, by default speed: code_size leaves what the classes
//                                do with their fields to the schema, which takes less room and more time
//   specialize=true|false        whether what makes Wasm code at run time for message types comes along, by
//                                default with optimize_for=speed
//   runtime=<module>             where the runtime is, by default spicule/codec/generated
//   writers=true                 also a/b_spc_writer.ts, with a writer for each message
import type { DescEnum, DescField, DescFile, DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import { clearField, clone } from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import {
  type DescriptorProto, Edition, type FieldDescriptorProto, FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { type Schema, createEcmaScriptPlugin } from '@bufbuild/protoplugin';

import { type Layout, layoutOf } from '../layout.js';
import { VERSION } from '../version.js';
import { descriptorText } from './descriptor.js';
import { type Int64Form, camelCase, typeName } from './field.js';
import { type Writer, fieldType, printMessage, printSmallMessage } from './message.js';
import { printWriter, writerName } from './writer.js';

interface Options {
  int64: Int64Form;
  json: boolean;
  small: boolean;
  specialize: boolean | undefined;
  runtime: string;
  writers: boolean;
}

const INT64_FORMS: readonly string[] = ['bigint', 'number', 'string'] satisfies Int64Form[];

function parseOptions(raw: { key: string; value: string }[]): Options {
  const options: Options = {
    int64: 'bigint', json: true, small: false, specialize: undefined, runtime: 'spicule/codec/generated', writers: false,
  };
  for (const { key, value } of raw) {
    if (key === 'int64' && INT64_FORMS.includes(value)) options.int64 = value as Int64Form;
    else if (key === 'int64') throw new Error('int64 is bigint, number or string');
    else if (key === 'json' && (value === 'true' || value === 'false')) options.json = value === 'true';
    else if (key === 'optimize_for' && (value === 'speed' || value === 'code_size')) options.small = value === 'code_size';
    else if (key === 'specialize' && (value === 'true' || value === 'false')) options.specialize = value === 'true';
    else if (key === 'runtime' && value !== '') options.runtime = value;
    else if (key === 'writers' && (value === 'true' || value === 'false')) options.writers = value === 'true';
    else throw new Error(`unknown option: ${key}=${value}`);
  }
  return options;
}

/** The well-known types come with the package. */
const WELL_KNOWN = /^google\/protobuf\/(any|api|descriptor|duration|empty|field_mask|source_context|struct|timestamp|type|wrappers)$/;

/** A module beside the runtime. */
function besideRuntime(runtime: string, name: string): string {
  return runtime.replace(/generated(\.js)?$/, (_, extension: string | undefined) => name + (extension ?? ''));
}

function modulePath(file: DescFile, { runtime }: Options, own: ReadonlySet<string>): string {
  if (WELL_KNOWN.test(file.name) && !own.has(file.name)) return besideRuntime(runtime, `wkt/${file.name}_spc`);
  return `./${file.name}_spc.js`;
}

/** Leaves out the JSON names that a field has anyway: half of a descriptor. */
function dropJsonNames(fields: FieldDescriptorProto[]): void {
  const { jsonName } = FieldDescriptorProtoSchema.field;
  for (const field of fields) {
    if (field.jsonName === protoCamelCase(field.name)) clearField(field, jsonName);
  }
}

function dropJsonNamesOf(messages: DescriptorProto[]): void {
  for (const { field, extension, nestedType } of messages) {
    dropJsonNames(field);
    dropJsonNames(extension);
    dropJsonNamesOf(nestedType);
  }
}

/** The descriptor without comments. */
function descriptorOf(file: DescFile): string {
  const proto = clone(FileDescriptorProtoSchema, file.proto);
  delete proto.sourceCodeInfo;
  dropJsonNames(proto.extension);
  dropJsonNamesOf(proto.messageType);
  return descriptorText(proto);
}

function printEnum(enumeration: DescEnum, w: Writer): void {
  const { f } = w;
  const name = typeName(enumeration);
  f.print(f.jsDoc(enumeration));
  f.print(f.export('const', name), ' = {');
  for (const value of enumeration.values) f.print('  ', value.name, ': ', value.number, ',');
  f.print('} as const;');
  f.print('export type ', name, ' = (typeof ', name, ')[keyof typeof ', name, '];');
  f.print();
}

function printService(service: DescService, w: Writer): void {
  const { f } = w;
  const local = ({ name }: DescMethod): string => camelCase(name.charAt(0).toLowerCase() + name.slice(1));
  f.print(f.jsDoc(service));
  // The type is written out, as declarations that are made of this file alone have nothing to infer it from.
  f.print(f.export('const', typeName(service)), ': {');
  f.print('  readonly name: ', f.string(service.typeName), ';');
  f.print('  readonly methods: {');
  for (const method of service.methods) {
    f.print(f.jsDoc(method, '    '));
    f.print('    readonly ', local(method), ': ', w.runtime('GeneratedMethod', true), '<',
      w.type(method.input, '', true), ', ', w.type(method.output, '', true), '>;');
  }
  f.print('  };');
  f.print('} = {');
  f.print('  name: ', f.string(service.typeName), ',');
  f.print('  methods: {');
  for (const method of service.methods) {
    const kind = method.methodKind;
    const streams = [kind === 'client_streaming' || kind === 'bidi_streaming',
      kind === 'server_streaming' || kind === 'bidi_streaming'];
    f.print('    ', local(method), ': /* @__PURE__ */ ', w.runtime('method'), '(', f.string(method.name), ', () => ',
      w.type(method.input), ', () => ', w.type(method.output), `, ${streams[0]}, ${streams[1]}),`);
  }
  f.print('  },');
  f.print('};');
  f.print();
}

/** Writers are in a module of their own: who has no use for them has nothing of them. */
function generateWriters(file: DescFile, own: ReadonlySet<string>, schema: Schema<Options>): void {
  const f = schema.generateFile(`${file.name}_spc_writer.ts`);
  f.preamble(file);
  const { options } = schema;
  const path = (of: DescFile) => modulePath(of, options, own);
  for (const message of schema.typesInFile(file)) {
    if (message.kind !== 'message') continue;
    printWriter(message, {
      f,
      int64: options.int64,
      runtime: (name, typeOnly) => f.import(name, options.runtime, typeOnly),
      type: (desc, suffix = '', typeOnly = false) =>
        f.import(`${typeName(desc)}${suffix}`, path(desc.file), typeOnly),
      writer: (desc) => (desc.file === file ? writerName(desc)
        : f.import(writerName(desc), path(desc.file).replace(/_spc(?=(\.js)?$)/, '_spc_writer'))),
    });
  }
}

function generateTs(schema: Schema<Options>): void {
  const own = new Set(schema.files.map((file) => file.name));
  const layouts = new Map<DescMessage, Layout>();
  const layout = (message: DescMessage): Layout => {
    const known = layouts.get(message) ?? layoutOf(message);
    layouts.set(message, known);
    return known;
  };
  for (const file of schema.files) {
    const f = schema.generateFile(`${file.name}_spc.ts`);
    f.preamble(file);
    const { runtime, int64, json, small, specialize = !small } = schema.options;
    if (schema.options.writers) generateWriters(file, own, schema);
    const w: Writer = {
      f,
      int64,
      runtime: (name, typeOnly) => f.import(name, runtime, typeOnly),
      type(desc, suffix = '', typeOnly = false) {
        const name = `${typeName(desc)}${suffix}`;
        return desc.file === file ? name : f.import(name, modulePath(desc.file, schema.options, own), typeOnly);
      },
    };
    if (json && file.messages.length > 0) f.print('import ', f.string(besideRuntime(runtime, 'json')), ';');
    const fileName = `file_${file.name.replace(/[^a-zA-Z0-9]/g, '_')}`;
    f.print('/** The file ', file.name, '.proto. */');
    f.print(f.export('const', fileName), ': ', w.runtime('GeneratedFile', true), ' = /* @__PURE__ */ ', w.runtime('registerFile'), '(', f.string(`${file.name}.proto`), ', ',
      f.string(int64), ', [');
    for (const dependency of file.dependencies) {
      const name = `file_${dependency.name.replace(/[^a-zA-Z0-9]/g, '_')}`;
      f.print('  ', f.import(name, modulePath(dependency, schema.options, own)), ',');
    }
    f.print('], ', f.string(descriptorOf(file)), specialize ? [', ', w.runtime('specializer')] : '', ');');
    f.print();
    for (const type of schema.typesInFile(file)) {
      if (type.kind === 'enum') printEnum(type, w);
      else if (type.kind === 'message' && small) printSmallMessage(type, fileName, w);
      else if (type.kind === 'message') printMessage(type, fileName, layout, w);
      else if (type.kind === 'service') printService(type, w);
      else if (type.kind === 'extension') {
        f.print(f.jsDoc(type));
        // It has all that the type of a field depends on.
        const field = type as unknown as DescField;
        f.print(f.export('const', typeName(type)), ': ', w.runtime('Extension', true), '<', fieldType(field, '', w),
          field.fieldKind === 'list' ? ', ' : ' | undefined, ', fieldType(field, 'Init', w), '> = /* @__PURE__ */ ',
          w.runtime('extension'), '(', fileName, ', ', f.string(type.typeName), ', ', f.string(type.extendee.typeName), ', ', type.number,
          field.message === undefined ? '' : [', () => ', w.type(field.message)], ');');
        f.print();
      }
    }
  }
}

export const tsPlugin = createEcmaScriptPlugin<Options>({
  name: 'protoc-gen-spicule',
  version: VERSION,
  // What schemas of the runtime may be.
  maximumEdition: Edition.EDITION_2024,
  parseOptions,
  generateTs,
});
