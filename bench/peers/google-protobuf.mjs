// Classes for google-protobuf. Its generator, protoc-gen-js, comes as no package of npm that holds
// it (they download it when they are installed), so that this makes what that would for the schema
// of the benchmark: the same calls of the library in the same order, without toObject.
import { ScalarType, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** What `Get` and `Set` of a field end with. */
export const accessorName = (name) => name.split('_')
  .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');

// By type: reader and writer method, zero, getter (with `this` and number), setter.
const plain = (method, zero, set) => ({
  read: `read${method}`, write: `write${method}`, zero, get: 'getFieldWithDefault', set,
});
const TYPES = {
  [ScalarType.INT32]: plain('Int32', 0, 'setProto3IntField'),
  [ScalarType.INT64]: plain('Int64', 0, 'setProto3IntField'),
  [ScalarType.UINT32]: plain('Uint32', 0, 'setProto3IntField'),
  [ScalarType.UINT64]: plain('Uint64', 0, 'setProto3IntField'),
  [ScalarType.SINT64]: plain('Sint64', 0, 'setProto3IntField'),
  [ScalarType.BOOL]: {
    ...plain('Bool', false, 'setProto3BooleanField'), get: 'getBooleanFieldWithDefault',
  },
  [ScalarType.STRING]: {
    ...plain('String', '""', 'setProto3StringField'), read: 'readStringRequireUtf8',
  },
  [ScalarType.BYTES]: plain('Bytes', '""', 'setProto3BytesField'),
};
const ENUM = plain('Enum', 0, 'setProto3EnumField');

const isBytes = (field) => field.scalar === ScalarType.BYTES;

function accessors(type, field) {
  const { number, fieldKind } = field;
  const name = accessorName(field.name);
  const groups = field.oneof &&
    `${type}.oneofGroups_[${field.parent.oneofs.indexOf(field.oneof)}]`;
  const method = (verb, args, body) => `${type}.prototype.${verb}${name} = function(${args}) { ${body} };`;
  if (field.message) {
    const wrapped = `proto.${field.message.typeName}`;
    if (fieldKind === 'list') {
      return [
        method('get', '', `return jspb.Message.getRepeatedWrapperField(this, ${wrapped}, ${number});`)
          .replace(/(get\w+) =/, '$1List ='),
        method('add', 'opt_value, opt_index',
          `return jspb.Message.addToRepeatedWrapperField(this, ${number}, opt_value, ${wrapped}, opt_index);`),
      ];
    }
    const set = groups ? `setOneofWrapperField(this, ${number}, ${groups}, value)`
      : `setWrapperField(this, ${number}, value)`;
    return [
      method('get', '', `return jspb.Message.getWrapperField(this, ${wrapped}, ${number});`),
      method('set', 'value', `return jspb.Message.${set};`),
    ];
  }
  if (fieldKind === 'list') {
    const list = `${type}.prototype.get${name}List`;
    return [
      `${list} = function() { return jspb.Message.getRepeatedField(this, ${number}); };`,
      `${list}_asU8 = function() { return jspb.Message.bytesListAsU8(this.get${name}List()); };`,
      method('add', 'value, opt_index',
        `return jspb.Message.addToRepeatedField(this, ${number}, value, opt_index);`),
    ];
  }
  const { zero, get, set } = TYPES[field.scalar] ?? ENUM;
  const lines = [
    method('get', '', `return jspb.Message.${get}(this, ${number}, ${zero});`),
    method('set', 'value', groups ? `return jspb.Message.setOneofField(this, ${number}, ${groups}, value);`
      : `return jspb.Message.${set}(this, ${number}, value);`),
  ];
  if (isBytes(field)) {
    lines.push(`${type}.prototype.get${name}_asU8 = function() {
      return jspb.Message.bytesAsU8(this.get${name}()); };`);
  }
  return lines;
}

function readCase(field) {
  const name = accessorName(field.name);
  const verb = field.fieldKind === 'list' ? 'add' : 'set';
  if (!field.message) {
    const { read } = TYPES[field.scalar] ?? ENUM;
    return `case ${field.number}: var value = reader.${read}(); msg.${verb}${name}(value); break;`;
  }
  const wrapped = `proto.${field.message.typeName}`;
  return `case ${field.number}: var value = new ${wrapped};
    reader.readMessage(value, ${wrapped}.deserializeBinaryFromReader); msg.${verb}${name}(value); break;`;
}

function write(field) {
  const { number, oneof } = field;
  const name = accessorName(field.name);
  const repeated = field.fieldKind === 'list';
  if (field.message) {
    const wrapped = `proto.${field.message.typeName}.serializeBinaryToWriter`;
    return repeated
      ? `f = message.get${name}List(); if (f.length > 0) writer.writeRepeatedMessage(${number}, f, ${wrapped});`
      : `f = message.get${name}(); if (f != null) writer.writeMessage(${number}, f, ${wrapped});`;
  }
  const method = (TYPES[field.scalar] ?? ENUM).write;
  if (repeated) {
    return `f = message.get${name}List_asU8();
      if (f.length > 0) writer.${method.replace('write', 'writeRepeated')}(${number}, f);`;
  }
  if (oneof) {
    return `f = jspb.Message.getField(message, ${number}); if (f != null) writer.${method}(${number}, f);`;
  }
  const { zero } = TYPES[field.scalar] ?? ENUM;
  const set = { false: 'f', '""': 'f.length > 0' }[zero] ?? (field.enum ? 'f !== 0.0' : 'f !== 0');
  return `f = message.get${name}${isBytes(field) ? '_asU8' : ''}(); if (${set}) writer.${method}(${number}, f);`;
}

function messageCode(message) {
  const type = `proto.${message.typeName}`;
  const lists = message.fields.filter(({ fieldKind }) => fieldKind === 'list');
  const repeated = lists.length > 0 ? `[${lists.map(({ number }) => number)}]` : 'null';
  const groups = message.oneofs.length > 0
    ? `[${message.oneofs.map(({ fields }) => `[${fields.map(({ number }) => number)}]`)}]` : 'null';
  return `
${type} = function(opt_data) {
  jspb.Message.initialize(this, opt_data, 0, -1, ${type}.repeatedFields_, ${type}.oneofGroups_);
};
goog.inherits(${type}, jspb.Message);
${type}.repeatedFields_ = ${repeated};
${type}.oneofGroups_ = ${groups};
${message.oneofs.map((oneof, i) => `${type}.prototype.get${accessorName(oneof.name)}Case = function() {
  return jspb.Message.computeOneofCase(this, ${type}.oneofGroups_[${i}]);
};`).join('\n')}
${type}.deserializeBinary = function(bytes) {
  var reader = new jspb.BinaryReader(bytes);
  var msg = new ${type};
  return ${type}.deserializeBinaryFromReader(msg, reader);
};
${type}.deserializeBinaryFromReader = function(msg, reader) {
  while (reader.nextField()) {
    if (reader.isEndGroup()) break;
    var field = reader.getFieldNumber();
    switch (field) {
      ${message.fields.map(readCase).join('\n      ')}
      default: reader.skipField(); break;
    }
  }
  return msg;
};
${type}.prototype.serializeBinary = function() {
  var writer = new jspb.BinaryWriter();
  ${type}.serializeBinaryToWriter(this, writer);
  return writer.getResultBuffer();
};
${type}.serializeBinaryToWriter = function(message, writer) {
  var f = undefined;
  ${[...message.fields].sort((a, b) => a.number - b.number).map(write).join('\n  ')}
};
${message.fields.flatMap((field) => accessors(type, field)).join('\n')}
`;
}

/** A module with the classes of a FileDescriptorSet's messages, which are in the package hapi. */
export function generate(descriptors) {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors));
  const messages = [...registry].filter(({ kind }) => kind === 'message');
  return `import jspb from 'google-protobuf';
const goog = jspb;
const proto = { hapi: {} };
${messages.map(messageCode).join('')}
export const { ${messages.map(({ name }) => name).join(', ')} } = proto.hapi;
`;
}
