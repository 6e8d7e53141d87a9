// Protocol Buffers libraries in JavaScript. Each stands here with the code that its own generator
// makes of the schema, and as "-runtime" where it reads schemas at run time; with 64-bit integers as
// numbers where it has that, else as bigints; protobufjs with objects of the package long, which is
// how it comes, and as "-numbers".
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { entryModule, generatedCode } from '../lib/generated-code.mjs';
import {
  camelCase, literalStyle, makeReaders, numberedOneof, propertyStyle, sameName,
} from '../suites/codec-reader.mjs';
import { accessorName } from './google-protobuf.mjs';

const PROTO = fileURLToPath(new URL('../workloads/hapi/hapi.proto', import.meta.url));
const DESCRIPTORS = new URL('../workloads/hapi/hapi.fds', import.meta.url);
const FOLDERS = { 7: import.meta.url, 8: new URL('./protobufjs-8/', import.meta.url) };

const ROWS = ['decode', 'read', 'items', 'txRead', 'encode', 'retained'];

/** A form of a library: `style` as in codec-reader.mjs. */
const form = (style, types, rest) => ({
  rows: rest.startup ? [...ROWS, 'startup', 'size'] : ROWS,
  kind: 'generated',
  variant: style.bigint || style.long ? 'bigint' : 'getters',
  readers: makeReaders(style, types),
  builder: { style, types, empty: () => new Function('types', `return ${style.make('Block')}`)(types) },
  ...rest,
});

/** Types by name, each looked up once. */
function lookUp(find) {
  return new Proxy({}, {
    get: (known, name) => (known[name] ??= find(name)),
  });
}

const protobufjsForm = (types, long, rest) => form(
  { ...propertyStyle({ local: sameName, oneof: 'name', bigint: false, make: (type) => `new types.${type}()` }),
    long },
  types,
  {
    decode: (name, bytes) => types[name].decode(bytes),
    encode: (block) => types.Block.encode(block).finish(),
    ...rest,
  },
);

/** The library; without `long`, numbers are what it reads, which lose what is beyond 2^53. */
function loadProtobufjs(version, module, long) {
  const protobuf = createRequire(FOLDERS[version])(module);
  if (!long) {
    protobuf.util.Long = null;
    protobuf.configure();
  }
  return protobuf;
}

async function protobufjs(version, long) {
  loadProtobufjs(version, 'protobufjs/minimal', long);
  const { default: { hapi } } = await generatedCode(`protobufjs-${version}`);
  return protobufjsForm(hapi, long, long ? { startup: await entryModule(`protobufjs-${version}`) } : {});
}

async function protobufjsRuntime(version, long) {
  const protobuf = loadProtobufjs(version, 'protobufjs', long);
  const { root } = protobuf.parse(readFileSync(PROTO, 'utf8'), { keepCase: true });
  const find = (name) => {
    const type = root.lookupType(`hapi.${name}`);
    const { ctor } = type;
    return Object.assign(ctor, {
      decode: (bytes) => type.decode(bytes),
      encode: (message) => type.encode(message),
    });
  };
  return protobufjsForm(lookUp(find), long, {});
}

/** `schemas` are descriptors of messages by their names. */
async function protobufEsForm(schemas, rest) {
  const { create, fromBinary, toBinary } = await import('@bufbuild/protobuf');
  const make = lookUp((name) => () => create(schemas[name]));
  const style = propertyStyle({
    local: camelCase, oneof: 'pair', bigint: true, make: (type) => `types.${type}()`,
  });
  return form(style, make, {
    decode: (name, bytes) => fromBinary(schemas[name], bytes),
    encode: (block) => toBinary(schemas.Block, block),
    ...rest,
  });
}

async function protobufEs() {
  const code = await generatedCode('protobuf-es');
  const schemas = lookUp((name) => code[`${name}Schema`]);
  return protobufEsForm(schemas, { startup: await entryModule('protobuf-es') });
}

async function protobufEsRuntime() {
  const { createFileRegistry, fromBinary } = await import('@bufbuild/protobuf');
  const { FileDescriptorSetSchema } = await import('@bufbuild/protobuf/wkt');
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(DESCRIPTORS)));
  return protobufEsForm(lookUp((name) => registry.getMessage(`hapi.${name}`)), {});
}

async function googleProtobuf() {
  const types = await generatedCode('google-protobuf');
  const style = {
    bigint: false,
    get: (field) => `m.get${accessorName(field)}()`,
    bytes: (field) => `bytes(m.get${accessorName(field)}_asU8())`,
    list: (field, type) => {
      const list = `m.get${accessorName(field)}List${type ? '' : '_asU8'}()`;
      return { count: `${list}.length`, at: `${list}[i]` };
    },
    oneof: numberedOneof((name) => `m.get${accessorName(name)}Case()`),
    make: (type) => `new types.${type}()`,
    set: (field, value) => `m.set${accessorName(field)}(${value})`,
    build: (field, fill, type) => `m.set${accessorName(field)}(${fill(`new types.${type}()`)})`,
    push: (field, value) => `m.add${accessorName(field)}(${value})`,
    add: (field, fill, type) => `m.add${accessorName(field)}(${fill(`new types.${type}()`)})`,
  };
  return form(style, types, {
    decode: (name, bytes) => types[name].deserializeBinary(bytes),
    encode: (block) => block.serializeBinary(),
    bodyBytes: (transaction) => transaction.getBodybytes_asU8(),
    startup: await entryModule('google-protobuf'),
  });
}

/** What it encodes is built before: its messages are plain objects, which cost it nothing. */
async function pbfForm(code, rest) {
  const { PbfReader, PbfWriter } = await import('pbf');
  const style = literalStyle({ local: sameName, oneof: 'name', bigint: false });
  return form(style, {}, {
    decode: (name, bytes) => code[`read${name}`](new PbfReader(bytes)),
    encode(block) {
      const pbf = new PbfWriter();
      code.writeBlock(block, pbf);
      return pbf.finish();
    },
    builtBefore: true,
    ...rest,
  });
}

async function pbf() {
  const code = await generatedCode('pbf');
  return pbfForm(code, { startup: await entryModule('pbf') });
}

async function pbfRuntime() {
  const { compile } = await import('pbf/compile');
  const { default: schema } = await import('resolve-protobuf-schema');
  return pbfForm(compile(schema.sync(PROTO)), {});
}

/** Names in lowerCamelCase but for some. */
const camelCaseBut = (others) => (name) => others[name] ?? camelCase(name);

const tsProtoName = camelCaseBut(
  { RSA_3072: 'rsa3072', ECDSA_384: 'ecdsa384', ECDSA_secp256k1: 'ECDSASecp256k1' });
const protobufTsName = camelCaseBut(
  { RSA_3072: 'rSA3072', ECDSA_384: 'eCDSA384', ECDSA_secp256k1: 'eCDSASecp256K1' });

async function tsProto() {
  const types = await generatedCode('ts-proto');
  const style = propertyStyle({
    local: tsProtoName, oneof: 'members', bigint: false, make: (type) => `types.${type}.create()`,
  });
  return form(style, types, {
    decode: (name, bytes) => types[name].decode(bytes),
    encode: (block) => types.Block.encode(block).finish(),
    startup: await entryModule('ts-proto'),
  });
}

async function protobufTs(name, bigint) {
  const types = await generatedCode(name);
  const style = propertyStyle({
    local: protobufTsName, oneof: 'kind', bigint, make: (type) => `types.${type}.create()`,
  });
  return form(style, types, {
    decode: (name, bytes) => types[name].fromBinary(bytes),
    encode: (block) => types.Block.toBinary(block),
    startup: await entryModule(name),
  });
}

const LIBRARIES = {
  'protobufjs-7': () => protobufjs(7, true),
  'protobufjs-7-numbers': () => protobufjs(7, false),
  'protobufjs-7-runtime': () => protobufjsRuntime(7, true),
  'protobufjs-7-runtime-numbers': () => protobufjsRuntime(7, false),
  'protobufjs-8': () => protobufjs(8, true),
  'protobufjs-8-numbers': () => protobufjs(8, false),
  'protobufjs-8-runtime': () => protobufjsRuntime(8, true),
  'protobufjs-8-runtime-numbers': () => protobufjsRuntime(8, false),
  'protobuf-es': protobufEs,
  'protobuf-es-runtime': protobufEsRuntime,
  'google-protobuf': googleProtobuf,
  pbf,
  'pbf-runtime': pbfRuntime,
  'ts-proto': tsProto,
  'protobuf-ts': () => protobufTs('protobuf-ts', false),
  'protobuf-ts-bigint': () => protobufTs('protobuf-ts-bigint', true),
};

export const open = (name) => LIBRARIES[name.replace('peer:', '')]();
