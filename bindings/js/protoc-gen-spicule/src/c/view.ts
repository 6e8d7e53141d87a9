// Views: a message read from its wire bytes. One pass over the message, when the view is made, finds
// the place of every field, in whatever order they come; sub-messages are looked into when they are
// asked for. A view holds numbers, and pointers into the bytes; it takes no memory of its own.
//
// M__view, inlined where a view is made, reads the first fields in order of their numbers, one
// compare each, and ends where the message does. Whatever it does not expect it leaves to M__find, a
// loop over a switch, which goes on from there and says what is wrong with malformed input.
import { ScalarType } from '@bufbuild/protobuf';

import { cType, defaultBytes, defaultValue, fromBits, toBits } from './accessor.js';
import { isLeaf, tagBytes } from './decode.js';
import { cName } from './name.js';
import type { Field, Message } from './model.js';
import { isMessage, isNumber, tagOf } from './model.js';
import { block, indent, lines } from './text.js';

const CHAIN_STEPS = 8;

interface Site {
  readonly fail: string;
  /** The field's number, as the case of its oneof. */
  number(field: Field): string;
  readonly inChain: boolean;
  /** The chain has read it, mostly: small code here. */
  readonly rare: boolean;
}

/** Where a view keeps what it found of a field; the members of a oneof share places. */
const place = (field: Field) =>
  `${field.repeated ? 'first' : isNumber(field) ? 'bits' : 'span'}_${field.oneof ? `of_${field.bit}` : field.number}`;

const last = (field: Field) => `last_${field.number}`;

/**
 * A bit tells whether the field was found, where that can be asked for and its place does not tell:
 * messages have data, and members of oneofs their case.
 */
const hasBit = (message: Message, field: Field) =>
  (field.explicit || message.mapEntry) && !field.repeated && !field.oneof && !isMessage(field);

const hasWords = (message: Message) => {
  const bits = message.fields.filter((field) => hasBit(message, field));
  return bits.length === 0 ? 0 : Math.max(...bits.map((field) => field.bit >> 6)) + 1;
};
const hasWord = (field: Field) => `has[${field.bit >> 6}]`;
const hasMask = (field: Field) => `UINT64_C(0x${(1n << BigInt(field.bit & 63)).toString(16)})`;
const caseName = (field: Field) => `case_${field.oneof!.fields[0].bit}`;

/** The C struct. */
export function viewStruct(message: Message): string {
  const places = new Map<string, string>();
  for (const field of message.fields) {
    const name = place(field);
    if (field.repeated) places.set(name, `const uint8_t *${name}, *${last(field)};`);
    else if (!isNumber(field)) places.set(name, `spc_gen_span ${name};`);
    else if (field.size === 8 || !places.has(name)) {
      places.set(name, `uint${field.size * 8}_t ${name};`);
    }
  }
  const words = hasWords(message);
  const struct = block(`typedef struct ${message.name}_view`,
    'const uint8_t *begin, *limit; /* fields are private */',
    words === 0 ? '' : `uint64_t has[${words}];`,
    message.oneofs.map((oneof) => `uint32_t case_${oneof.fields[0].bit};`), [...places.values()]);
  return `${struct} ${message.name}_view;`;
}

/** What a view holds of fields that are absent: what its functions give. */
function absent(field: Field): string {
  const v = `v->${place(field)}`;
  if (field.repeated) return `${v} = v->${last(field)} = NULL;`;
  if (isNumber(field)) return `${v} = ${field.oneof ? '0' : toBits(field, defaultValue(field))};`;
  if (isMessage(field) || field.oneof) return lines(`${v}.data = NULL;`, `${v}.length = 0;`);
  const { data, length } = defaultBytes(field);
  return lines(`${v}.data = (const uint8_t *)${data};`, `${v}.length = ${length};`);
}

/** Notes that a field is there: in local variables in the chain, else in the view. */
function note(message: Message, field: Field, { inChain, number }: Site): string {
  const v = inChain ? '' : 'v->';
  if (field.oneof) return `${v}${caseName(field)} = ${number(field)};`;
  if (!hasBit(message, field)) return '';
  return `${v}${inChain ? 'has' : hasWord(field)} |= ${hasMask(field)};`;
}

function found(field: Field, number = String(field.number)): string {
  if (field.oneof) return `v->${caseName(field)} == ${number}`;
  if (isMessage(field)) return `v->${place(field)}.data != NULL`;
  return `(v->${hasWord(field)} & ${hasMask(field)}) != 0`;
}

/** The varint `x` as a record would have it. */
function converted(field: Field): string {
  if (field.type === ScalarType.BOOL) return 'x != 0';
  if (field.type === ScalarType.SINT64) return 'spc_gen_unzigzag(x)';
  if (field.type === ScalarType.SINT32) return '(uint32_t)spc_gen_unzigzag((uint32_t)x)';
  return field.size === 8 ? 'x' : '(uint32_t)x';
}

function readVarint({ fail, inChain, rare }: Site): string {
  if (rare) return lines('n = spc_gen_view_slow(n, e, &x);', `if (n == NULL) ${fail};`);
  return `SPC_GEN_VIEW_${inChain ? 'NEXT' : 'VARINT'}(n, e, limit, x, ${fail});`;
}

function readLength({ fail, inChain, rare }: Site): string {
  if (rare) return lines('n = spc_gen_view_length(n, e, &x);', `if (n == NULL) ${fail};`);
  return lines(inChain ? '' : `if (n >= e) ${fail};`,
    `SPC_GEN_VIEW_LENGTH(n, e, x, ${fail});`);
}

function numberField(message: Message, field: Field, site: Site): string {
  const store = (value: string) => `v->${place(field)} = ${value};`;
  if (field.kind !== 'varint') {
    return lines(
      `if (SPC_GEN_UNLIKELY(e - n < ${field.size})) ${site.fail};`,
      store(`spc_gen_load${field.size * 8}(n)`), note(message, field, site),
      `p = n + ${field.size};`);
  }
  const keep = lines(store(converted(field)), note(message, field, site));
  return lines('uint64_t x;', readVarint(site),
    field.closed
      ? block(`if (${cName(field.enumeration!.typeName)}_has((int32_t)(uint32_t)x))`, keep) : keep,
    'p = n;');
}

function spanField(message: Message, field: Field, site: Site): string {
  const span = `v->${place(field)}`;
  const utf8 = field.utf8
    ? `if (SPC_GEN_UNLIKELY(!spc_gen_utf8(n, (size_t)x))) ${
      site.inChain ? site.fail : 'return spc_gen_view_fail(SPC_BAD_UTF8, v->begin, n, error)'};`
    : '';
  // A message in several parts, which the chain never sees, has no bytes of its own.
  const parts = isMessage(field) && !site.inChain;
  const put = (data: string, length: string) => lines(
    parts ? `bool again = ${found(field, site.number(field))};` : '',
    `${span}.data = ${parts ? `again ? spc_gen_parts : ${data}` : data};`,
    `${span}.length = ${parts ? `again ? 1 : ${length}` : length};`, note(message, field, site));
  if (field.kind === 'group') {
    return lines('const uint8_t *content = n;',
      `n = spc_gen_view_skip(n, e, ${tagOf(field)});`,
      `if (SPC_GEN_UNLIKELY(n == NULL)) ${site.fail};`,
      put('content', `(size_t)(n - content) - ${tagBytes(field).length}`), 'p = n;');
  }
  return lines('uint64_t x;', readLength(site), utf8, put('n', '(size_t)x'), 'p = n + x;');
}

/** A repeated field: just where its elements are. */
function listField(field: Field, site: Site): string {
  const bytes = tagBytes(field);
  if (!site.inChain) {
    return lines(`if (v->${place(field)} == NULL) v->${place(field)} = p;`,
      `v->${last(field)} = e;`, 'n = spc_gen_view_skip(n, e, tag);',
      `if (SPC_GEN_UNLIKELY(n == NULL)) ${site.fail};`, 'p = n;');
  }
  const run = bytes.length === 1 && (field.kind === 'message' || field.kind === 'bytes')
    ? block('for (;;)', 'uint64_t x;', readLength(site), 'p = n + x;',
      `if (!SPC_GEN_VIEW_MORE(p, e) || *p != ${bytes[0]}) break;`, 'n = p + 1;')
    : lines(`n = spc_gen_view_skip(n, e, ${tagOf(field)});`,
      `if (SPC_GEN_UNLIKELY(n == NULL)) ${site.fail};`, 'p = n;');
  return lines(`v->${place(field)} = p;`, run, `v->${last(field)} = p;`);
}

function fieldBody(message: Message, field: Field, site: Site): string {
  if (field.repeated) return listField(field, site);
  return isNumber(field) ? numberField(message, field, site) : spanField(message, field, site);
}

function start(message: Message): string {
  return lines('v->begin = p;', 'v->limit = limit;',
    Array.from({ length: hasWords(message) }, (_, i) => `v->has[${i}] = 0;`),
    message.oneofs.map((oneof) => `v->case_${oneof.fields[0].bit} = 0;`),
    [...new Set(message.fields.map(absent))]);
}

// ---- The first fields in order

/** Fields that differ in nothing but their numbers: the bytes of members of one oneof. */
const isAlike = (field: Field) => field.oneof !== undefined && !field.utf8 &&
  (field.kind === 'message' || field.kind === 'bytes') && tagBytes(field).length === 1;

/**
 * The steps of the chain, of one field or of several that are alike; the rest of their oneof is left
 * to the loop.
 */
function stepsOf(message: Message): Field[][] {
  const steps: Field[][] = [];
  for (const field of message.fields) {
    const before = steps.at(-1)?.at(-1);
    if (before && isAlike(before) && isAlike(field) && before.oneof === field.oneof) {
      steps.at(-1)!.push(field);
    } else if (!steps.some((step) => step.length > 1 && step[0].oneof === field.oneof)) {
      if (steps.length === CHAIN_STEPS || tagBytes(field).length > 2) break;
      steps.push([field]);
    }
  }
  return steps;
}

const SITE: Site = {
  fail: 'goto done', number: (field) => String(field.number), inChain: true, rare: false,
};

function step(message: Message, fields: readonly Field[]): string {
  const [field] = fields;
  if (fields.length > 1) {
    const mask = fields.reduce((sum, { number }) => sum + 2 ** number, 0).toString(16);
    return block(`if ((t & 7) == 2 && (0x${mask}u >> (t >> 3) & 1) != 0)`,
      'const uint8_t *n = p + 1;', 'uint64_t x;', readLength(SITE),
      `v->${place(field)}.data = n;`, `v->${place(field)}.length = (size_t)x;`,
      `${caseName(field)} = t >> 3;`, 'p = n + x;', 'if (!SPC_GEN_VIEW_MORE(p, e)) goto done;', 't = *p;');
  }
  const bytes = tagBytes(field);
  return block(bytes.length === 1 ? `if (t == ${bytes[0]})`
    : `if (t == ${bytes[0]} && p[1] == ${bytes[1]} && e - p > 2)`,
  `const uint8_t *n = p + ${bytes.length};`, fieldBody(message, field, SITE),
  'if (!SPC_GEN_VIEW_MORE(p, e)) goto done;', 't = *p;');
}

/** Moves `p` behind the fields that come as expected; no field has less than two bytes. */
function chain(message: Message): string {
  const steps = stepsOf(message);
  const cases = message.oneofs.map((oneof) => oneof.fields[0]);
  return lines(
    hasWords(message) === 0 ? '' : 'uint64_t has = 0;',
    cases.map((field) => `uint32_t ${caseName(field)} = 0;`),
    steps.length === 0 ? '' : lines(
      'uint32_t t;', 'if (!SPC_GEN_VIEW_MORE(p, e)) goto done;', 't = *p;',
      steps.map((fields) => step(message, fields)),
      'done:'),
    hasWords(message) === 0 ? '' : 'v->has[0] = has;',
    cases.map((field) => `v->${caseName(field)} = ${caseName(field)};`),
    'if (SPC_GEN_LIKELY(p == e)) return SPC_OK;');
}

/** The loop over all fields. */
function loop(message: Message): string {
  const chained = stepsOf(message).flat();
  const fail = 'return spc_gen_view_error(v->begin, p, e, error)';
  // By the tag, so that members of oneofs that differ in nothing else have one body.
  const number = () => '(tag >> 3)';
  const bodies = new Map<string, number[]>();
  for (const field of message.fields) {
    const site = { fail, number, inChain: false, rare: chained.includes(field) };
    const body = fieldBody(message, field, site);
    const tags = bodies.get(body) ?? [];
    bodies.set(body, tags);
    tags.push(tagOf(field));
    if (field.repeated && isNumber(field)) tags.push(tagOf(field, 2));
  }
  const cases = [...bodies].map(([body, tags]) =>
    lines(`${tags.map((tag) => `case ${tag}u:`).join(' ')} {`, indent(lines(body, 'continue;')), '}'));
  return lines(
    'const uint8_t *limit = v->limit;',
    '(void)limit;',
    block('while (p < e)',
      'const uint8_t *n = p + 1;',
      'uint32_t tag = *p;',
      block('if (tag >= 0x80)', 'n = spc_gen_view_tag(p, e, &tag);', `if (n == NULL) ${fail};`),
      cases.length === 0 ? '' : lines('switch (tag) {', ...cases, 'default:', '  break;', '}'),
      'n = spc_gen_view_skip(n, e, tag);',
      `if (n == NULL) ${fail};`,
      'p = n;'),
    'return SPC_OK;');
}

const findParameters = (message: Message) =>
  `${message.name}_view *v, const uint8_t *p, const uint8_t *e, spc_error *error`;

/** The pass over a message. A leaf's view stays in registers: its address is not given away. */
export function viewDeclarations(message: Message): string {
  const { name } = message;
  const rest = isLeaf(message)
    ? lines(`${name}_view all;`, `${name}__start(&all, v->begin, limit);`,
      `spc_status status = ${name}__find(&all, v->begin, e, error);`, '*v = all;', 'return status;')
    : `return ${name}__find(v, p, e, error);`;
  return lines(
    `spc_status ${name}__find(${findParameters(message)});`,
    block(`SPC_GEN_INLINE void ${name}__start(${name}_view *v, const uint8_t *p, ` +
      'const uint8_t *limit)', start(message)),
    block(`SPC_GEN_INLINE spc_status ${name}__view(${name}_view *v, const uint8_t *p, ` +
      'const uint8_t *e, const uint8_t *limit, spc_error *error)',
    `${name}__start(v, p, limit);`, chain(message), rest));
}

export function viewSource(message: Message): string {
  return block(`spc_status ${message.name}__find(${findParameters(message)})`, loop(message));
}

function singular(message: Message, field: Field): string {
  const { name } = message;
  const get = (type: string, what: string, more: string, ...body: string[]) => block(
    `SPC_GEN_INLINE ${type} ${name}_view_${what}(const ${name}_view *v${more})`, ...body);
  const has = field.explicit || message.mapEntry
    ? get('bool', `has_${field.name}`, '', `return ${found(field)};`) : '';
  if (isMessage(field)) {
    const sub = field.message!.name;
    return lines(has, get('spc_status', field.name, `, ${sub}_view *sub, spc_error *error`,
      block(`if (!(${found(field)}))`, `${sub}__start(sub, NULL, NULL);`,
        'return SPC_NOT_FOUND;'),
      `return ${sub}__view(sub, v->${place(field)}.data, v->${place(field)}.data + v->${
        place(field)}.length, v->limit, error);`));
  }
  if (field.kind === 'bytes') {
    const span = `spc_bytes bytes = {v->${place(field)}.data, v->${place(field)}.length};`;
    return lines(has, get('spc_bytes', field.name, '', field.oneof
      ? lines(block(`if (${found(field)})`, span, 'return bytes;'), `return ${defaultValue(field)};`)
      : lines(span, 'return bytes;')));
  }
  const value = fromBits(field,
    field.size === 4 ? `(uint32_t)v->${place(field)}` : `v->${place(field)}`);
  return lines(has, get(cType(field), field.name, '',
    `return ${field.oneof ? `${found(field)} ? ${value} : ${defaultValue(field)}` : value};`));
}

function list(message: Message, field: Field): string {
  const { name } = message;
  const bytes = tagBytes(field);
  const at = (begin: string, end: string, limit: string) =>
    `spc_gen_place place = {${begin}, ${end}, ${limit}, NULL};`;
  const startOf = lines(
    block(`SPC_GEN_INLINE spc_gen_place ${name}_view_${field.name}(const ${name}_view *v)`,
      at(`v->${place(field)}`, `v->${last(field)}`, 'v->limit'), 'return place;'),
    block(`SPC_GEN_INLINE spc_gen_place ${name}_${field.name}_in(const uint8_t *bytes, size_t length)`,
      at('bytes', 'bytes + length', 'spc_gen_view_limit(bytes, length)'), 'return place;'));
  const next = (out: string, ...body: string[]) => block(
    `SPC_GEN_INLINE spc_status ${name}_view_${field.name}_next(spc_gen_place *place, ${out}, spc_error *error)`,
    ...body);
  const tag = tagOf(field);
  if (isNumber(field)) {
    return lines(startOf, next(`${cType(field)} *value`,
      'if (place->p == place->end) return SPC_NOT_FOUND;',
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
  // The place stays in registers: only a copy's address is given away.
  const find = lines(
    'const uint8_t *p = place->p, *e = place->end, *n;',
    'uint64_t x;',
    block(`if (SPC_GEN_LIKELY(${bytes.length === 1 ? `SPC_GEN_VIEW_MORE(p, e) && *p == ${bytes[0]}`
      : bytes.length === 2
        ? `e - p > 2 && spc_gen_load16(p) == ${bytes[0] + bytes[1] * 256}` : 'false'}))`,
    `n = p + ${bytes.length};`).replace(/\}$/, '} else {'),
    indent(lines('if (SPC_GEN_LIKELY(p == e)) return SPC_NOT_FOUND;',
      'spc_gen_place rest = *place;', 'const uint8_t *behind;',
      `spc_status status = spc_gen_view_seek(&rest, ${tag}, &behind, error);`,
      '*place = rest;',
      'if (status != SPC_OK) return status;', 'p = rest.p;', 'n = behind;',
      'if (n == e) return spc_gen_view_bad(p, e, error);')),
    '}');
  const span = field.kind === 'group'
    ? lines('const uint8_t *data = n;', `n = spc_gen_view_skip(n, e, ${tag});`,
      'if (SPC_GEN_UNLIKELY(n == NULL)) return spc_gen_view_bad(p, e, error);',
      `x = (uint64_t)(n - data) - ${bytes.length};`, 'place->p = n;')
    : lines('SPC_GEN_VIEW_LENGTH(n, e, x, return spc_gen_view_bad(p, e, error));',
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

export function viewFunctions(message: Message): string {
  const { name } = message;
  return lines(
    block(`SPC_GEN_INLINE spc_status ${name}_view_init(${name}_view *v, const uint8_t *bytes, ` +
      'size_t length, spc_error *error)',
    `return ${name}__view(v, bytes, bytes + length, spc_gen_view_limit(bytes, length), error);`),
    message.oneofs.map((oneof) => block(
      `SPC_GEN_INLINE uint32_t ${name}_view_${oneof.name}_case(const ${name}_view *v)`,
      `return v->case_${oneof.fields[0].bit};`)),
    message.fields.map((field) =>
      field.repeated ? list(message, field) : singular(message, field)));
}
