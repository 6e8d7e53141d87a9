// Views: a message read from its wire bytes. One pass over the message, when the view is made, finds
// the place of every field, in whatever order they come; sub-messages are looked into when they are
// asked for. A view holds numbers, and pointers into the bytes; it takes no memory of its own.
import { ScalarType } from '@bufbuild/protobuf';

import { cType, defaultValue, fromBits } from './accessor.js';
import { chainOf, isLeaf, tagBytes } from './decode.js';
import { cName } from './name.js';
import type { Field, Message } from './model.js';
import { isMessage, isNumber, tagOf } from './model.js';
import { block, indent, lines } from './text.js';

interface Site {
  readonly fail: string;
  readonly inChain: boolean;
}

/** Where a view keeps what it found of a field; the members of a oneof share places. */
const place = (field: Field) =>
  `${field.repeated ? 'first' : isNumber(field) ? 'bits' : 'span'}_${field.oneof ? `of_${field.bit}` : field.number}`;

const hasWord = (field: Field) => `has[${field.bit >> 6}]`;
const hasMask = (field: Field) => `UINT64_C(0x${(1n << BigInt(field.bit & 63)).toString(16)})`;
const hasWords = (message: Message) => Math.ceil(message.words / 4);

/** The C struct. */
export function viewStruct(message: Message): string {
  const places = new Map<string, string>();
  for (const field of message.fields) {
    const name = place(field);
    if (field.repeated) places.set(name, 'const uint8_t *');
    else if (!isNumber(field)) places.set(name, 'spc_gen_span ');
    else if (field.size === 8 || !places.has(name)) places.set(name, `uint${field.size * 8}_t `);
  }
  const struct = block(`typedef struct ${message.name}_view`,
    'const uint8_t *begin, *end, *limit; /* fields are private */',
    message.fields.length === 0 ? '' : `uint64_t has[${hasWords(message)}];`,
    message.oneofs.map((oneof) => `uint32_t case_${oneof.fields[0].bit};`),
    [...places].map(([name, type]) => `${type}${name};`));
  return `${struct} ${message.name}_view;`;
}

const setBit = (field: Field) => `v->${hasWord(field)} |= ${hasMask(field)};`;
const setCase = (field: Field) =>
  field.oneof ? `v->case_${field.bit} = ${field.number};` : '';

/** The varint `x` as a record would have it. */
function converted(field: Field): string {
  if (field.type === ScalarType.BOOL) return 'x != 0';
  if (field.type === ScalarType.SINT64) return 'spc_gen_unzigzag(x)';
  if (field.type === ScalarType.SINT32) return '(uint32_t)spc_gen_unzigzag((uint32_t)x)';
  return field.size === 8 ? 'x' : '(uint32_t)x';
}

function readVarint({ fail, inChain }: Site): string {
  return `SPC_GEN_VIEW_${inChain ? 'NEXT' : 'VARINT'}(n, e, v->limit, x, ${fail});`;
}

function readLength(site: Site): string {
  return lines(readVarint(site), `if (SPC_GEN_UNLIKELY(x > (uint64_t)(e - n))) ${site.fail};`);
}

function numberField(field: Field, site: Site): string {
  const store = (value: string) => `v->${place(field)} = ${value};`;
  if (field.kind !== 'varint') {
    return lines(
      `if (SPC_GEN_UNLIKELY(e - n < ${field.size})) ${site.fail};`,
      store(`spc_gen_load${field.size * 8}(n)`), setCase(field), setBit(field),
      `p = n + ${field.size};`);
  }
  const keep = lines(store(converted(field)), setCase(field), setBit(field));
  return lines('uint64_t x;', readVarint(site),
    field.closed
      ? block(`if (${cName(field.enumeration!.typeName)}_has((int32_t)(uint32_t)x))`, keep) : keep,
    'p = n;');
}

function spanField(field: Field, site: Site): string {
  const span = `v->${place(field)}`;
  const utf8 = field.utf8
    ? `if (SPC_GEN_UNLIKELY(!spc_gen_utf8(n, (size_t)x))) ${
      site.inChain ? site.fail : 'return spc_gen_view_fail(SPC_BAD_UTF8, v->begin, n, error)'};`
    : '';
  // A message in several parts has no bytes of its own: it is marked, with no data.
  const again = isMessage(field)
    ? lines(`if (SPC_GEN_UNLIKELY((v->${hasWord(field)} & ${hasMask(field)}) != 0${
      field.oneof ? ` && v->case_${field.bit} == ${field.number}` : ''}))`,
    `  ${span}.data = NULL;`)
    : '';
  const put = (length: string) => lines(
    `${span}.data = n;`, `${span}.length = ${length};`, again, setCase(field), setBit(field));
  if (field.kind === 'group') {
    const end = tagBytes(field).length;
    return lines('const uint8_t *content = n;',
      `n = spc_gen_view_skip(n, e, ${tagOf(field)});`,
      `if (SPC_GEN_UNLIKELY(n == NULL)) ${site.fail};`,
      `${span}.data = content;`, `${span}.length = (size_t)(n - content) - ${end};`,
      again, setCase(field), setBit(field), 'p = n;');
  }
  return lines('uint64_t x;', readLength(site), utf8, put('(size_t)x'), 'p = n + x;');
}

/** A repeated field: just where its first element is. */
function listField(field: Field, site: Site): string {
  const bytes = tagBytes(field);
  const note = block(`if ((v->${hasWord(field)} & ${hasMask(field)}) == 0)`,
    `v->${place(field)} = p;`, setBit(field));
  if (site.inChain && bytes.length === 1 && (field.kind === 'message' || field.kind === 'bytes')) {
    return lines(note, block('for (;;)', 'uint64_t x;', readLength(site), 'p = n + x;',
      `if (e - p < 2 || *p != ${bytes[0]}) break;`, 'n = p + 1;'));
  }
  return lines(note, `n = spc_gen_view_skip(n, e, ${site.inChain ? tagOf(field) : 'tag'});`,
    `if (SPC_GEN_UNLIKELY(n == NULL)) ${site.fail};`, 'p = n;');
}

function fieldBody(field: Field, site: Site): string {
  if (field.repeated) return listField(field, site);
  return isNumber(field) ? numberField(field, site) : spanField(field, site);
}

const PARAMETERS = (message: Message) =>
  `${message.name}_view *v, const uint8_t *p, const uint8_t *e, const uint8_t *limit, ` +
  'spc_error *error';

function start(message: Message): string {
  return lines('v->begin = p;', 'v->end = e;', 'v->limit = limit;',
    message.fields.length === 0 ? ''
      : Array.from({ length: hasWords(message) }, (_, i) => `v->has[${i}] = 0;`),
    message.oneofs.map((oneof) => `v->case_${oneof.fields[0].bit} = 0;`));
}

function chain(message: Message): string {
  return lines(chainOf(message).map((field) => {
    const bytes = tagBytes(field);
    const comes = bytes.length === 1 ? `*p == ${bytes[0]}`
      : `spc_gen_load16(p) == ${bytes[0] + bytes[1] * 256}`;
    return block(`if (e - p > ${bytes.length} && ${comes})`,
      `const uint8_t *n = p + ${bytes.length};`,
      fieldBody(field, { fail: 'goto other', inChain: true }));
  }));
}

function loop(message: Message): string {
  const site: Site = { fail: 'return spc_gen_view_error(v->begin, p, e, error)', inChain: false };
  const cases = message.fields.map((field) => {
    const tags = [tagOf(field)];
    if (field.repeated && isNumber(field)) tags.push(tagOf(field, 2));
    return lines(`${tags.map((tag) => `case ${tag}u:`).join(' ')} {`,
      indent(lines(fieldBody(field, site), 'continue;')), '}');
  });
  return lines(
    '(void)v;',
    block('while (p < e)',
      'const uint8_t *n = p + 1;',
      'uint32_t tag = *p;',
      block('if (tag >= 0x80)', 'n = spc_gen_view_tag(p, e, &tag);', `if (n == NULL) ${site.fail};`),
      cases.length === 0 ? '' : lines('switch (tag) {', ...cases, 'default:', '  break;', '}'),
      'n = spc_gen_view_skip(n, e, tag);',
      `if (n == NULL) ${site.fail};`,
      'p = n;'),
    'return SPC_OK;');
}

/** The pass over a message: inlined for leaves, else in the source file. */
export function viewDeclarations(message: Message): string {
  const { name } = message;
  const fast = isLeaf(message)
    ? lines(start(message), chain(message), 'if (SPC_GEN_LIKELY(p == e)) return SPC_OK;',
      chain(message).includes('goto other') ? 'other:' : '',
      `return ${name}__find(v, v->begin, e, limit, error);`)
    : `return ${name}__find(v, p, e, limit, error);`;
  return lines(
    `spc_status ${name}__find(${PARAMETERS(message)});`,
    block(`SPC_GEN_INLINE spc_status ${name}__view(${PARAMETERS(message)})`, fast));
}

export function viewSource(message: Message): string {
  const fast = isLeaf(message) ? '' : chain(message);
  return block(`spc_status ${message.name}__find(${PARAMETERS(message)})`,
    start(message), fast,
    fast === '' ? '' : lines(
      'if (SPC_GEN_LIKELY(p == e)) return SPC_OK;',
      fast.includes('goto other') ? 'other:' : '',
      block('if (SPC_GEN_UNLIKELY(p > e))', 'p = v->begin;',
        message.fields.length === 0 ? ''
          : Array.from({ length: hasWords(message) }, (_, i) => `v->has[${i}] = 0;`))),
    '(void)error;', loop(message));
}

const found = (field: Field) =>
  `(v->${hasWord(field)} & ${hasMask(field)}) != 0${
    field.oneof ? ` && v->case_${field.bit} == ${field.number}` : ''}`;

function singular(message: Message, field: Field): string {
  const { name } = message;
  const get = (type: string, what: string, more: string, ...body: string[]) => block(
    `SPC_GEN_INLINE ${type} ${name}_view_${what}(const ${name}_view *v${more})`, ...body);
  const has = field.explicit || message.mapEntry
    ? get('bool', `has_${field.name}`, '', `return ${found(field)};`) : '';
  if (isMessage(field)) {
    const sub = field.message!.name;
    return lines(has, get('spc_status', field.name, `, ${sub}_view *sub, spc_error *error`,
      block(`if (!(${found(field)}))`, `${sub}__no_view(sub);`, 'return SPC_NOT_FOUND;'),
      block(`if (SPC_GEN_UNLIKELY(v->${place(field)}.data == NULL))`,
        `${sub}__no_view(sub);`,
        'return spc_gen_view_fail(SPC_MALFORMED, NULL, NULL, error);'),
      `return ${sub}__view(sub, v->${place(field)}.data, v->${place(field)}.data + v->${
        place(field)}.length, v->limit, error);`));
  }
  if (field.kind === 'bytes') {
    return lines(has, get('spc_bytes', field.name, '',
      block(`if (${found(field)})`,
        `spc_bytes bytes = {v->${place(field)}.data, v->${place(field)}.length};`, 'return bytes;'),
      `return ${defaultValue(field)};`));
  }
  return lines(has, get(cType(field), field.name, '',
    `return ${found(field)} ? ${fromBits(field, field.size === 4 ? `(uint32_t)v->${place(field)}`
      : `v->${place(field)}`)} : ${defaultValue(field)};`));
}

function list(message: Message, field: Field): string {
  const { name } = message;
  const bytes = tagBytes(field);
  const at = (begin: string, end: string, limit: string) =>
    `spc_gen_place place = {${begin}, ${end}, ${limit}, NULL};`;
  const startOf = lines(
    block(`SPC_GEN_INLINE spc_gen_place ${name}_view_${field.name}(const ${name}_view *v)`,
      at(`${found(field)} ? v->${place(field)} : v->end`, 'v->end', 'v->limit'), 'return place;'),
    block(`SPC_GEN_INLINE spc_gen_place ${name}_${field.name}_in(const uint8_t *bytes, size_t length)`,
      at('bytes', 'bytes + length', 'bytes + length'), 'return place;'));
  const next = (out: string, ...body: string[]) => block(
    `SPC_GEN_INLINE spc_status ${name}_view_${field.name}_next(spc_gen_place *place, ${out}, spc_error *error)`,
    ...body);
  const tag = tagOf(field);
  if (isNumber(field)) {
    return lines(startOf, next(`${cType(field)} *value`,
      'uint64_t x;',
      lines(`spc_status status = spc_gen_view_number(place, ${field.number}, ${field.kind === 'varint'
        ? 0 : field.size}, ${field.closed ? `${cName(field.enumeration!.typeName)}_has` : 'NULL'}, &x, error);`,
      'if (status != SPC_OK) return status;'),
      field.kind === 'varint'
        ? lines(`uint${field.size * 8}_t bits = ${converted(field)};`,
          `*value = ${fromBits(field, 'bits')};`)
        : lines(`uint${field.size * 8}_t bits = ${field.size === 8 ? 'x' : '(uint32_t)x'};`,
          `*value = ${fromBits(field, 'bits')};`),
      'return SPC_OK;'));
  }
  const find = lines(
    'const uint8_t *p = place->p, *e = place->end, *n;',
    'uint64_t x;',
    block(`if (SPC_GEN_LIKELY(e - p > ${bytes.length} && ${bytes.length === 1 ? `*p == ${bytes[0]}`
      : bytes.length === 2 ? `spc_gen_load16(p) == ${bytes[0] + bytes[1] * 256}` : 'false'}))`,
    `n = p + ${bytes.length};`).replace(/\}$/, '} else {'),
    indent(lines(`spc_status status = spc_gen_view_seek(place, ${tag}, &n, error);`,
      'if (status != SPC_OK) return status;', 'p = place->p;')),
    '}');
  const span = field.kind === 'group'
    ? lines('const uint8_t *data = n;', `n = spc_gen_view_skip(n, e, ${tag});`,
      'if (SPC_GEN_UNLIKELY(n == NULL)) return spc_gen_view_error(p, p, e, error);',
      `x = (uint64_t)(n - data) - ${bytes.length};`, 'place->p = n;')
    : lines('SPC_GEN_VIEW_VARINT(n, e, place->limit, x, return spc_gen_view_error(p, p, e, error));',
      'if (SPC_GEN_UNLIKELY(x > (uint64_t)(e - n))) return spc_gen_view_error(p, p, e, error);',
      'const uint8_t *data = n;', 'place->p = n + x;');
  if (isMessage(field)) {
    const sub = field.message!.name;
    return lines(startOf, next(`${sub}_view *element`, find, span,
      `return ${sub}__view(element, data, data + x, place->limit, error);`));
  }
  return lines(startOf, next('spc_bytes *value', find, span,
    field.utf8
      ? 'if (!spc_gen_utf8(data, (size_t)x)) return spc_gen_view_fail(SPC_BAD_UTF8, p, data, error);'
      : '',
    'value->data = data;', 'value->length = (size_t)x;', 'return SPC_OK;'));
}

/** Makes a view empty, for a message that is absent. */
export function noView(message: Message): string {
  const { name } = message;
  return block(`SPC_GEN_INLINE void ${name}__no_view(${name}_view *v)`,
    'const uint8_t *p = NULL, *e = NULL, *limit = NULL;', start(message));
}

export function viewFunctions(message: Message): string {
  const { name } = message;
  return lines(
    block(`SPC_GEN_INLINE spc_status ${name}_view_init(${name}_view *v, const uint8_t *bytes, ` +
      'size_t length, spc_error *error)',
    `return ${name}__view(v, bytes, bytes + length, bytes + length, error);`),
    message.oneofs.map((oneof) => block(
      `SPC_GEN_INLINE uint32_t ${name}_view_${oneof.name}_case(const ${name}_view *v)`,
      `return v->case_${oneof.fields[0].bit};`)),
    message.fields.map((field) =>
      field.repeated ? list(message, field) : singular(message, field)));
}
