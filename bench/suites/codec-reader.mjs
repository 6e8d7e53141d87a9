// Functions that read and build HAPI messages of a library, field by field, made of text: one for
// each type, with its fields by name, so that each library is used as a program of its user would.
//
// A style says how that is written for a library, as text about the message `m`:
//   bigint, long       whether 64-bit integers are bigints, or objects of the package long
//   get(field)         its value; a message that is not set is null or undefined
//   message(field, type), bytes(field)   the same where there is a better way than get; bytes gives
//                      the sum of the bytes instead
//   list(field, type)  {count, at} of a repeated field, of element `i`; elementBytes(field) as bytes
//   oneof(name, members)   a statement that adds what is set: see ONEOFS
//   make(type)         a new message
//   set(field, value), build(field, fill, type), push(field, value), add(field, fill, type)
//                      expressions that set a scalar, set a message, append a scalar, append a
//                      message; fill(text) is the text that fills the message of that text
//   member(...)        as set or build, of a oneof: see ONEOFS
//   small, whole(field, values)   whether a message of numbers alone is written by one expression, and
//                      that one; a value that is not set is undefined
import { readFileSync } from 'node:fs';

const SUBSET = new URL('../workloads/hapi/subset.h', import.meta.url);
const PROTO = new URL('../workloads/hapi/hapi.proto', import.meta.url);

/** {message: [{kind, args}]} of workloads/hapi/subset.h. */
function readSubset() {
  const text = readFileSync(SUBSET, 'utf8').replaceAll('\\\n', '');
  const messages = new Map();
  for (const [, name, body] of text.matchAll(/^#define HAPI_FIELDS_(\w+)\([^)]*\)(.*)$/gm)) {
    messages.set(name, [...body.matchAll(/\b(S|M|R|B|O|SO|MO)\(([^()]*)\)/g)]
      .map(([, kind, list]) => describe(kind, list.split(', ').slice(1))));
  }
  return messages;
}

/** A field as {number, field, scalar?, type?, repeated?, oneof?}, a oneof as {oneofName}. */
function describe(kind, args) {
  if (kind === 'O') return { oneofName: args[0] };
  const [number, second, third, oneof] = args;
  if (kind === 'B') return { number: Number(number), field: second, scalar: 'BYTES', repeated: true };
  const what = kind === 'S' || kind === 'SO' ? { scalar: second } : { type: second };
  return { number: Number(number), field: third, ...what, repeated: kind === 'R', oneof };
}

const SUBSET_MESSAGES = readSubset();

export const sameName = (name) => name;
export const camelCase = (name) => name.replace(/_+(.?)/g, (_, next) => next.toUpperCase());
export const upperFirst = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** Names of 64-bit fields. */
const WIDE = new Set(Array.from(
  readFileSync(PROTO, 'utf8').matchAll(/^\s*[us]?int64 (\w+) =/gm), ([, name]) => name));

/**
 * How a library shows which member of a oneof is set: `read` gives the statement that adds it, of
 * members with {number, field, sum(text?)}, and `write` the one that sets it.
 */
const ONEOFS = {
  /** {case, value}, or undefined. */
  pair: (local) => ({
    read: (name, members) => `{ const o = m.${local(name)}; if (o !== undefined) switch (o.case) {
      ${members.map(({ number, field, sum }) =>
        `case '${local(field)}': s += ${number} + ${sum('o.value')}; break;`).join('\n')} } }`,
    write: ({ oneof, field }, value) => `m.${local(oneof)} = { case: '${local(field)}', value: ${value} }`,
  }),
  /** {oneofKind, [its field]}. */
  kind: (local) => ({
    read: (name, members) => `{ const o = m.${local(name)}; switch (o.oneofKind) {
      ${members.map(({ number, field, sum }) =>
        `case '${local(field)}': s += ${number} + ${sum(`o.${local(field)}`)}; break;`).join('\n')} } }`,
    write: ({ oneof, field }, value) =>
      `m.${local(oneof)} = { oneofKind: '${local(field)}', ${local(field)}: ${value} }`,
  }),
  /** The name of the field that is set. */
  name: (local) => ({
    read: (name, members) => `switch (m.${local(name)}) {
      ${members.map(({ number, field, sum }) =>
        `case '${local(field)}': s += ${number} + ${sum()}; break;`).join('\n')} }`,
  }),
  /** Members that are not set are undefined. */
  members: (local) => ({
    read: (_, members) => members.map(({ number, field, sum }) =>
      `if (m.${local(field)} !== undefined) s += ${number} + ${sum()};`).join('\nelse '),
  }),
};

/** The style of messages that are plain objects or the like; `oneof` is one of ONEOFS. */
export function propertyStyle({ local, oneof, bigint, make }) {
  const get = (field) => `m.${local(field)}`;
  const shape = ONEOFS[oneof](local);
  return {
    bigint,
    get,
    list: (field) => ({ count: `${get(field)}.length`, at: `${get(field)}[i]` }),
    oneof: shape.read,
    make,
    set: (field, value) => `${get(field)} = ${value}`,
    build: (field, fill, type) => `${get(field)} = ${fill(make(type))}`,
    push: (field, value) => `${get(field)}.push(${value})`,
    add: (field, fill, type) => `${get(field)}.push(${fill(make(type))})`,
    member: shape.write,
  };
}

/** The style of plain objects that begin empty. */
export function literalStyle({ local, oneof, bigint }) {
  const style = propertyStyle({ local, oneof, bigint, make: () => '{}' });
  const list = (field) => `(${style.get(field)} ??= [])`;
  return {
    ...style,
    push: (field, value) => `${list(field)}.push(${value})`,
    add: (field, fill) => `${list(field)}.push(${fill('{}')})`,
  };
}

/** Adds members up by the number of the field that is set. */
export const numberedOneof = (number) => (name, members) => `switch (${number(name)}) {
  ${members.map(({ number: n, sum }) => `case ${n}: s += ${n} + ${sum()}; break;`).join('\n')} }`;

// ---- Reading ----

const HELPERS = `
let wide = 0n;
const bytes = (b) => (b == null || b.length === 0 ? 0 : b.length + b[0] + b[b.length - 1]);
`;

function scalarSum(style, { scalar, field }, text = style.get(field)) {
  if (scalar === 'BYTES') {
    return style.bytes && text === style.get(field) ? style.bytes(field) : `bytes(${text})`;
  }
  if (scalar === 'BOOL') return `(${text} ? 1 : 0)`;
  if (scalar === 'STRING') return `${text}.length`;
  if (WIDE.has(field)) {
    if (style.bigint) return `(w = BigInt.asUintN(64, w + ${text}), 0)`;
    if (style.long) return `${text}.low`;
  }
  return `(${text} | 0)`;
}

function readStatement(style, field, fields) {
  const message = style.message ?? style.get;
  if (field.oneofName !== undefined) {
    const members = fields.filter(({ oneof }) => oneof === field.oneofName).map((member) => ({
      ...member,
      sum: (text) => (member.type ? `${member.type}(${text ?? message(member.field, member.type)})`
        : scalarSum(style, member, text)),
    }));
    return style.oneof(field.oneofName, members);
  }
  if (field.oneof !== undefined) return '';
  if (field.repeated) {
    const { count, at } = style.list(field.field, field.type);
    const sum = field.type ? `${field.type}(${at})` : style.elementBytes?.(field.field) ?? `bytes(${at})`;
    return `for (let i = 0, n = ${count}; i < n; i++) s += ${sum};`;
  }
  if (field.scalar) return `s += ${scalarSum(style, field)};`;
  return `{ const v = ${message(field.field, field.type)}; if (v != null) s += ${field.type}(v); }`;
}

const ROOTS = 'Block, BlockItem, SignedTransaction, TransactionBody';

/**
 * Gives {Block(m), SignedTransaction(m), ...}, each the sum of all fields modulo 2^32. `types` are
 * the classes that the style's text mentions as types.X. Bigints are added up as such, modulo 2^64.
 */
export function makeReaders(style, types = {}) {
  const functions = [...SUBSET_MESSAGES].map(([message, fields]) => {
    const wide = style.bigint && fields.some(({ field }) => WIDE.has(field));
    return `function ${message}(m) {
    let s = 0;
    ${wide ? 'let w = 0n;' : ''}
    ${fields.map((field) => readStatement(style, field, fields)).join('\n')}
    ${wide ? 'wide = BigInt.asUintN(64, wide + w);' : ''}
    return s | 0;
  }`;
  });
  const roots = ROOTS.split(', ').map((root) => (style.bigint
    ? `${root}: (m) => { wide = 0n; const s = ${root}(m); return s + Number(BigInt.asIntN(32, wide)) | 0; }`
    : root));
  const prologue = style.prologue?.([...SUBSET_MESSAGES.keys()]) ?? '';
  return new Function('types', `${HELPERS}${prologue}${functions.join('\n')}
    return { ${roots} };`)(types);
}

/**
 * The same by a visitor: {Block(visit), ...}, where visit(visitor) visits what is to be read. Given the class
 * of the type TransactionBody, there is a reader of a SignedTransaction with its body too.
 */
export function makeVisitingReaders(Visitor, TransactionBody) {
  const names = [...SUBSET_MESSAGES.keys()];
  const numbers = [...SUBSET_MESSAGES.values()].flat().map(({ number = 0 }) => number);
  const width = Math.max(...numbers) + 1;
  // By type and field: what is added for it, and where those of its type begin.
  const added = new Int32Array(names.length * width);
  const children = new Int32Array(names.length * width);
  const start = (name) => names.indexOf(name) * width;
  for (const [name, fields] of SUBSET_MESSAGES) {
    for (const { number, oneof, type } of fields) {
      if (oneof !== undefined) added[start(name) + number] = number;
      if (type) children[start(name) + number] = start(type);
    }
  }
  class Summer extends Visitor {
    sum = 0;
    type = 0;
    depth = 0;
    stack = new Int32Array(16);
    /** The class of the bodies that are read with their transactions. */
    body = undefined;

    start(type) {
      this.sum = 0;
      this.type = type;
      this.depth = 0;
    }

    enter(field) {
      const { type } = this;
      this.sum = (this.sum + added[type + field]) | 0;
      this.stack[this.depth++] = type;
      this.type = children[type + field];
    }

    leave() {
      this.type = this.stack[--this.depth];
    }

    int(field, value) {
      this.sum = (this.sum + added[this.type + field] + value) | 0;
    }

    long(field, _high, low) {
      this.sum = (this.sum + added[this.type + field] + low) | 0;
    }

    bytes(field, memory, start, length) {
      let sum = this.sum + added[this.type + field];
      if (length > 0) sum += length + memory[start] + memory[start + length - 1];
      this.sum = sum | 0;
      if (this.body === undefined || this.type !== transaction || field !== bodyField) return undefined;
      this.stack[this.depth++] = transaction;
      this.type = body;
      return this.body;
    }
  }
  const transaction = start('SignedTransaction');
  const body = start('TransactionBody');
  const bodyField = SUBSET_MESSAGES.get('SignedTransaction').find(({ field }) => field === 'bodyBytes').number;
  const summer = new Summer();
  const withBody = new Summer();
  withBody.body = TransactionBody;
  const reader = (name, by = summer) => {
    const type = start(name);
    return (visit) => {
      by.start(type);
      visit(by);
      return by.sum;
    };
  };
  return {
    ...Object.fromEntries(ROOTS.split(', ').map((name) => [name, reader(name)])),
    SignedTransactionWithBody: reader('SignedTransaction', withBody),
  };
}

// ---- Building ----

/**
 * A block as streams of values that every builder reads in the same order. Of each message `steps`
 * has which of the shapes of its type it has, and of each of its repeated fields how many elements.
 * A shape is the list of the fields that are set: what a program writes that knows what it has to
 * say. What they are set to is in the other streams.
 */
export function recordBlock(bytes, bigint) {
  const steps = [];
  // Values as programs have them: with something else in it, V8 does not keep them as doubles, which it
  // would make an object of for each call.
  const numbers = [undefined];
  const bigints = [];
  const blobs = [];
  const shapes = new Map([...SUBSET_MESSAGES.keys()].map((name) => [name, []]));
  const text = new TextDecoder();
  let at = 0;
  // Of most values the low 49 bits are all there is; of the others BigInts.
  const varint = () => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 49; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    let wide = BigInt(value);
    for (let shift = 49n; ; shift += 7n) {
      const byte = bytes[at++];
      wide |= BigInt(byte & 127) << shift;
      if (byte < 128) return wide;
    }
  };
  const scalarValue = ({ scalar, field }, raw) => {
    let value = BigInt.asIntN(64, BigInt(raw));
    if (scalar === 'SINT') value = (value >> 1n) ^ -(value & 1n);
    if (bigint && WIDE.has(field)) bigints.push(value);
    else numbers.push(Number(value));
  };
  const byNumber = new Map([...SUBSET_MESSAGES].map(([name, fields]) =>
    [name, new Map(fields.map((field) => [field.number, field]))]));
  const shapeOf = (name, fields) => {
    const known = shapes.get(name);
    const same = known.findIndex((shape) =>
      shape.length === fields.length && shape.every((field, i) => field === fields[i]));
    return same < 0 ? known.push(fields) - 1 : same;
  };
  const message = (name, end) => {
    const shapeAt = steps.push(0) - 1;
    const fields = [];
    let countAt;
    while (at < end) {
      const tag = varint();
      const field = byNumber.get(name).get(tag >>> 3);
      if (fields.at(-1) !== field) {
        fields.push(field);
        if (field.repeated) countAt = steps.push(0) - 1;
      }
      if (field.repeated) steps[countAt]++;
      const value = varint();
      if ((tag & 7) === 0) scalarValue(field, value);
      else if (field.type) message(field.type, at + value);
      else {
        const blob = bytes.slice(at, at += value);
        blobs.push(field.scalar === 'STRING' ? text.decode(blob) : blob);
      }
    }
    steps[shapeAt] = shapeOf(name, fields);
  };
  message('Block', bytes.length);
  return { shapes, steps, numbers, bigints, blobs };
}

/** Where the value of a field that is no message comes from, as an expression. */
function nextValue(style, { scalar, field }) {
  const blob = { BYTES: 'blobs[blob++]', STRING: 'blobs[blob++]' };
  if (scalar in blob) return blob[scalar];
  if (scalar === 'BOOL') return '(numbers[number++] !== 0)';
  return style.bigint && WIDE.has(field) ? 'bigints[big++]' : 'numbers[number++]';
}

/**
 * The fields that writers take in one call, of a message that has up to six numbers and nothing else,
 * strings and bytes in a oneof with one of them excepted.
 */
function smallFields(type) {
  const fields = SUBSET_MESSAGES.get(type).filter(({ number }) => number !== undefined);
  const isNumber = ({ scalar, repeated }) => scalar && !repeated && !/^(STRING|BYTES)$/.test(scalar);
  const numbers = fields.filter(isNumber);
  const fits = numbers.length > 0 && numbers.length <= 6 &&
    fields.every((field) => isNumber(field) || (field.scalar && field.oneof));
  return fits ? numbers.map(({ field }) => field) : undefined;
}

/** Runs what `statementOf` gives for the shape that the next message of a type has. */
function eachShape(shapes, statementOf) {
  if (shapes.length === 1) return `step++; ${statementOf(shapes[0])}`;
  return `switch (steps[step++]) {
      ${shapes.map((shape, i) => `case ${i}: ${statementOf(shape)} break;`).join('\n      ')}
    }`;
}

function buildStatement(style, field, shapes) {
  const { type, oneof, repeated, field: name } = field;
  const fill = (text) => `${type}(${text})`;
  const small = style.small && type && smallFields(type);
  const once = () => {
    if (small) {
      return eachShape(shapes.get(type), (shape) => {
        const values = new Map(shape.map((one) => [one.field, nextValue(style, one)]));
        return `${style.whole(field, small.map((one) => values.get(one) ?? 'undefined'))};`;
      });
    }
    if (oneof !== undefined && style.member) {
      return `${style.member(field, type ? fill(style.make(type)) : nextValue(style, field))};`;
    }
    if (!type) return `${(repeated ? style.push : style.set)(name, nextValue(style, field))};`;
    return `${(repeated ? style.add : style.build)(name, fill, type)};`;
  };
  return repeated ? `for (let left = steps[step++]; left > 0; left--) { ${once()} }` : once();
}

/** A function that fills a Block with the values of recordBlock, and gives it. */
export function makeBuilder(style, { shapes, steps, numbers, bigints, blobs }, types = {}) {
  const functions = [...SUBSET_MESSAGES.keys()].map((message) => `function ${message}(m) {
    ${eachShape(shapes.get(message), (shape) =>
    shape.map((field) => buildStatement(style, field, shapes)).join('\n        '))}
    return m;
  }`);
  const prologue = style.prologue?.([...SUBSET_MESSAGES.keys()]) ?? '';
  return new Function('steps', 'numbers', 'bigints', 'blobs', 'types', `let step = 0, number = 0, big = 0, blob = 0;
    ${prologue}${functions.join('\n')}
    return (block) => { step = big = blob = 0; number = 1; return Block(block); };`)(
    steps, numbers, bigints, blobs, types);
}
