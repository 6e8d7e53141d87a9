// This package as the codec suite uses it from JavaScript. Each form is a back end of its own, named
// after the question mark of this module's address, as forms in one process would spoil each
// other's type feedback:
//   getters      generated classes, 64-bit integers as numbers, read through cursors
//   objects      the same with a message object for each message
//   properties   the same through properties alone: lists, {case, value}, copies of bytes
//   visitor      the same by a visitor of the bytes
//   visitor-message  the same by a visitor of the message
//   bigint       getters with 64-bit integers as bigints
//   writer       writers, which make bytes as fields are set
//   parse        plain objects of generated classes
//   parse-shared the same, with bytes that are parts of the input
//   columns      a few columns
//   code-size    getters of classes that were generated for size, through properties alone
//   code-size-parse  plain objects of the same
//   runtime-...  classes of a schema that is read at run time
import { readFile } from 'node:fs/promises';
import { Visitor, createInstance } from 'spicule/codec';

import { entryModule, generatedCode, generatedWriters, runtimeEntry } from '../lib/generated-code.mjs';
import {
  camelCase, literalStyle, makeReaders, makeVisitingReaders, numberedOneof, propertyStyle, upperFirst,
} from '../suites/codec-reader.mjs';

const DESCRIPTORS = new URL('../workloads/hapi/hapi.fds', import.meta.url);

const property = (name) => `m.${camelCase(name)}`;

/** Messages through what generated classes have beside properties; `cursors`: one object a type. */
const generatedStyle = ({ bigint, cursors }) => ({
  bigint,
  get: property,
  message: (field, type) => (cursors ? `${property(field)}Into(cursor${type})` : property(field)),
  bytes: (field) => `(m.${camelCase(field)}Length === 0 ? 0 : m.${camelCase(field)}Length +
    m.${camelCase(field)}At(0) + m.${camelCase(field)}At(m.${camelCase(field)}Length - 1))`,
  elementBytes: (field) => `(${property(field)}LengthAt(i) === 0 ? 0 : ${property(field)}LengthAt(i) +
    ${property(field)}ByteAt(i, 0) + ${property(field)}ByteAt(i, ${property(field)}LengthAt(i) - 1))`,
  list: (field, type) => ({
    count: `${property(field)}Count`,
    at: `${property(field)}At(i${cursors && type ? `, cursor${type}` : ''})`,
  }),
  oneof: numberedOneof((name) => `${property(name)}Case`),
  prologue: (types) => types.map((type) => `const cursor${type} = types.${type}.cursor();`).join('\n'),
  set: (field, value) => `${property(field)} = ${value}`,
  build: (field, fill, type) =>
    fill(`m.mutable${upperFirst(camelCase(field))}(${cursors ? `cursor${type}` : ''})`),
  push: (field, value) => `${property(field)}.push(${value})`,
  add: (field, fill, type) =>
    fill(`m.add${upperFirst(camelCase(field))}(${cursors ? `cursor${type}` : ''})`),
});

const local = (field) => upperFirst(camelCase(field));

/** Writers: what has no messages in it is written at once. */
const writerStyle = {
  bigint: false,
  set: (field, value) => `${property(field)}(${value})`,
  push: (field, value) => `m.add${local(field)}(${value})`,
  build: (field, fill) => `${fill(`m.open${local(field)}()`)}.close()`,
  add: (field, fill) => `${fill(`m.open${local(field)}()`)}.close()`,
  small: true,
  whole: ({ field, repeated }, values) =>
    `${repeated ? `m.add${local(field)}` : property(field)}(${values.join(', ')})`,
};

const messageStyle = (bigint) => {
  const style = propertyStyle({ local: camelCase, oneof: 'pair', bigint });
  return {
    ...style,
    list: (field) => ({ count: `${property(field)}.length`, at: `${property(field)}.at(i)` }),
  };
};

const objectStyle = literalStyle({ local: camelCase, oneof: 'pair', bigint: false });

/** Messages of classes: generated, or of a schema. */
const messages = (types, readers, rows, rest) => ({
  rows,
  readers,
  decode: (name, bytes) => types[name].decode(bytes),
  decodeBody: (transaction) => transaction.decodeWithin('bodyBytes', types.TransactionBody),
  drop: (message) => message.dispose(),
  ...rest,
});

/** Encoding of messages that are built in place. */
const inPlace = (types, style) => ({
  builder: { style, types, empty: () => types.Block.create() },
  encode: (message) => message.encode(),
});

/** Plain objects. */
const objects = (types, rows) => ({
  rows,
  readers: makeReaders(propertyStyle({ local: camelCase, oneof: 'pair', bigint: false })),
  decode: (name, bytes) => types[name].parse(bytes),
  builder: { style: objectStyle, empty: () => ({}) },
  encode: (object) => types.Block.encode(object),
});

const generated = (int64) => generatedCode(`spicule-${int64}`);

async function schemaTypes(variant, options) {
  const schema = (await createInstance({ variant })).loadSchema(await readFile(DESCRIPTORS), options);
  const names = ['Block', 'BlockItem', 'SignedTransaction', 'TransactionBody'];
  return Object.fromEntries(names.map((name) => [name, schema.message(`hapi.${name}`)]));
}

const ALL = ['decode', 'read', 'items', 'txRead', 'encode', 'retained'];

const FORMS = {
  async getters() {
    const types = await generated('number');
    const style = generatedStyle({ bigint: false, cursors: true });
    const costs = {
      startup: await entryModule('spicule-number'),
      withJson: await entryModule('spicule-number', 'json', "import 'spicule/codec/json';\n"),
    };
    return messages(types, makeReaders(style, types), [...ALL, 'startup', 'size', 'sizeJson'],
      { ...inPlace(types, style), ...costs, kind: 'generated' });
  },
  async objects() {
    const types = await generated('number');
    const style = generatedStyle({ bigint: false, cursors: false });
    return messages(types, makeReaders(style, types), ['read']);
  },
  async properties() {
    return messages(await generated('number'), makeReaders(messageStyle(false)), ['read']);
  },
  async visitor() {
    const types = await generated('number');
    const readers = makeVisitingReaders(Visitor, types.TransactionBody);
    const visiting = (name, bytes) => (visitor) => types[name].visit(bytes, visitor);
    return {
      rows: ['read', 'txRead'],
      readers,
      decode: visiting,
      readTransaction: (bytes) => readers.SignedTransactionWithBody(visiting('SignedTransaction', bytes)),
    };
  },
  async 'visitor-message'() {
    const { Block } = await generated('number');
    const readers = makeVisitingReaders(Visitor);
    return {
      rows: ['read'],
      readers: { Block: (message) => readers.Block((visitor) => message.visit(visitor)) },
      decode: (_, bytes) => Block.decode(bytes),
      drop: (message) => message.dispose(),
    };
  },
  async bigint() {
    const types = await generated('bigint');
    const style = generatedStyle({ bigint: true, cursors: true });
    return messages(types, makeReaders(style, types), ['read', 'txRead', 'encode'],
      inPlace(types, style));
  },
  async writer() {
    const { BlockWriter } = await generatedWriters('spicule-number');
    const writer = new BlockWriter();
    return {
      rows: ['encode'],
      builder: { style: writerStyle, empty: () => writer },
      encode: () => writer.finish(),
    };
  },
  async parse() {
    return objects(await generated('number'), ALL);
  },
  async 'parse-shared'() {
    const types = await generated('number');
    const options = { shareBytes: true };
    const decode = (name, bytes) => types[name].parse(bytes, options);
    return { ...objects(types, ['read', 'items', 'txRead']), decode };
  },
  async columns() {
    const { Block } = await generated('number');
    return { rows: ['select'], select: (bytes, paths) => Block.select(bytes, paths) };
  },
  async 'code-size'() {
    const costs = {
      startup: await entryModule('spicule-code-size'),
      withJson: await entryModule('spicule-code-size', 'json', "import 'spicule/codec/json';\n"),
    };
    return messages(await generatedCode('spicule-code-size'), makeReaders(messageStyle(false)),
      ['decode', 'read', 'items', 'txRead', 'startup', 'size', 'sizeJson'], { ...costs, kind: 'code-size' });
  },
  async 'code-size-parse'() {
    return objects(await generatedCode('spicule-code-size'), ['read', 'items', 'txRead', 'encode']);
  },
  async 'runtime-getters'(variant) {
    const types = await schemaTypes(variant, { int64: 'number' });
    const startup = runtimeEntry();
    return messages(types, makeReaders(messageStyle(false)),
      ['decode', 'read', 'items', 'txRead', 'startup', 'size'], { startup, kind: 'runtime' });
  },
  async 'runtime-bigint'(variant) {
    return messages(await schemaTypes(variant, {}), makeReaders(messageStyle(true)), ['read']);
  },
  async 'runtime-parse'(variant) {
    return objects(await schemaTypes(variant, { int64: 'number' }), ['read', 'txRead', 'encode']);
  },
};

export async function open(name) {
  const variant = new URL(import.meta.url).search.slice(1);
  const form = await FORMS[variant](name.replace(/^wasm-/, ''));
  return { ...form, variant };
}
