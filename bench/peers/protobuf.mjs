// Protocol Buffers libraries, each in its quickest form without generated files: protobufjs 7 and 8
// with numbers for 64-bit integers, @bufbuild/protobuf with bigints, pbf with numbers.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { camelCase } from '../suites/codec-reader.mjs';

const PROTO = fileURLToPath(new URL('../workloads/hapi/hapi.proto', import.meta.url));
const DESCRIPTORS = new URL('../workloads/hapi/hapi.fds', import.meta.url);
const sameName = (name) => name;

/** Long is left out: numbers are what is quickest, and lose what is beyond 2^53. */
async function protobufjs(module) {
  const { default: protobuf } = await import(module);
  protobuf.util.Long = null;
  protobuf.configure();
  const root = protobuf.parse(readFileSync(PROTO, 'utf8'), { keepCase: true }).root;
  const types = new Map();
  const type = (name) => {
    if (!types.has(name)) types.set(name, root.lookupType(`hapi.${name}`));
    return types.get(name);
  };
  return {
    variant: 'getters',
    style: { local: sameName, oneof: 'name', bigint: false },
    decode: (name, bytes) => type(name).decode(bytes),
    encode: (name, message) => type(name).encode(message).finish(),
  };
}

async function protobufEs() {
  const { createFileRegistry, fromBinary, toBinary } = await import('@bufbuild/protobuf');
  const { FileDescriptorSetSchema } = await import('@bufbuild/protobuf/wkt');
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(DESCRIPTORS)));
  const types = new Map();
  const type = (name) => {
    if (!types.has(name)) types.set(name, registry.getMessage(`hapi.${name}`));
    return types.get(name);
  };
  return {
    variant: 'bigint',
    style: { local: camelCase, oneof: 'pair', bigint: true },
    decode: (name, bytes) => fromBinary(type(name), bytes),
    encode: (name, message) => toBinary(type(name), message),
  };
}

/** It has no row of encoding: its messages have fields that were absent, and what it writes grows. */
async function pbf() {
  const { default: Pbf } = await import('pbf');
  const { compile } = await import('pbf/compile');
  const { default: schema } = await import('resolve-protobuf-schema');
  const module = compile(schema.sync(PROTO));
  return {
    variant: 'getters',
    style: { local: sameName, oneof: 'name', bigint: false },
    decode: (name, bytes) => module[`read${name}`](new Pbf(bytes)),
  };
}

const LIBRARIES = {
  'peer:protobufjs-7': () => protobufjs('protobufjs'),
  'peer:protobufjs-8': () => protobufjs('protobufjs8'),
  'peer:protobuf-es': protobufEs,
  'peer:pbf': pbf,
};

export async function open(name) {
  return { forms: [await LIBRARIES[name]()] };
}
