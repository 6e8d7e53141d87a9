// The decoder of a message: functions that a message's decoder consists of.
//
// M__decode reads the first fields in order of their numbers, one compare each, as encoders write
// them. Whatever it does not expect it leaves to M__fields, a loop over a switch, which also finds
// what is wrong with malformed input. A few numbers or bytes make a leaf, whose first form, M__leaf,
// is inlined where the message is a field of others.
import { ScalarType } from '@bufbuild/protobuf';

import type { Field, Message } from './model.js';
import { isMessage, isNumber, tagOf, varintBytes } from './model.js';
import { fieldRow } from './table.js';
import { block, indent, lines } from './text.js';

const CHAIN_FIELDS = 8;
const CHAIN_ONEOF = 3;
const LEAF_FIELDS = 4;

/** How the code of a field goes on where something is wrong, and how it is read. */
interface Site {
  /** The chain has read it, mostly: small code here. */
  readonly rare: boolean;
  /** The function's way out. */
  fail(status: string): string;
  /** The element of a run starts at `n`. */
  readonly again: string;
}

export const tagBytes = (field: Field) => varintBytes(tagOf(field));

function isShort(field: Field): boolean {
  return tagBytes(field).length === 1;
}

/** The first fields, as far as they can be tried one after the other. */
export function chainOf(message: Message): Field[] {
  if (!isLocal(message)) return [];
  const end = message.fields.findIndex((field, i) => i === CHAIN_FIELDS ||
    tagBytes(field).length > 2 || (field.oneof?.fields.length ?? 0) > CHAIN_ONEOF);
  return end < 0 ? message.fields : message.fields.slice(0, end);
}

/** All fields can. */
function isChain(message: Message): boolean {
  return message.fields.length > 0 && chainOf(message).length === message.fields.length;
}

export function isLeaf(message: Message): boolean {
  return isChain(message) && message.fields.length <= LEAF_FIELDS &&
    message.fields.every((field) =>
      isShort(field) && !field.repeated && !field.closed && !field.utf8 &&
      (isNumber(field) || field.kind === 'bytes'));
}

// ---- Hasbits, in a local variable where they fit

const isLocal = (message: Message) => message.words <= 4;

function loadBits(message: Message): string {
  return isLocal(message) ? `uint64_t has = spc_gen_load_bits(r, ${message.words});` : '';
}

function storeBits(message: Message): string {
  return isLocal(message) ? `spc_gen_store_bits(r, has, ${message.words});` : '';
}

/** Bit 0 after a call that may have kept unknown fields. */
function takeUnknownBit(message: Message): string {
  return isLocal(message) ? 'has |= *r & 1u;' : '';
}

const bitMask = (field: Field) => `UINT64_C(0x${(1n << BigInt(field.bit)).toString(16)})`;

function testBit(message: Message, field: Field): string {
  return isLocal(message) ? `(has & ${bitMask(field)}) != 0` : `spc_gen_bit(r, ${field.bit})`;
}

/** Sets the bit, or, without explicit presence, gives it the value of the condition. */
function putBit(message: Message, field: Field, condition?: string): string {
  const always = condition === undefined || field.explicit;
  if (!isLocal(message)) {
    return `spc_gen_put_bit(r, ${field.bit}, ${always ? 'true' : condition});`;
  }
  if (always) return `has |= ${bitMask(field)};`;
  return lines(`if (SPC_GEN_LIKELY(${condition})) has |= ${bitMask(field)};`,
    `else has &= ~${bitMask(field)};`);
}

function putCase(field: Field): string {
  return field.oneof ? `spc_gen_store16(r + ${field.oneof.caseOffset}, ${field.caseValue});` : '';
}

// ---- Fields; `n` is behind the tag, and `p` moves behind the field at the end

function numberField(message: Message, field: Field, site: Site): string {
  const store = (value: string) => `spc_gen_store${field.size * 8}(r + ${field.offset}, ${value});`;
  const rest = (nonZero: string) => [putCase(field), putBit(message, field, nonZero), 'p = n;'];
  if (field.kind !== 'varint') {
    const bits = field.size * 8;
    return lines(`uint${bits}_t v = spc_gen_load${bits}(n);`, `n += ${field.size};`, store('v'),
      rest('v != 0'));
  }
  const read = `SPC_GEN_VARINT${site.rare ? '_RARE' : ''}(n, v, ${site.fail('SPC_OVERLONG_VARINT')});`;
  if (field.size === 8) {
    const zigzag = field.type === ScalarType.SINT64 ? 'v = spc_gen_unzigzag(v);' : '';
    return lines('uint64_t v;', read, zigzag, store('v'), rest('v != 0'));
  }
  const value = field.type === ScalarType.BOOL ? 'v != 0'
    : field.type === ScalarType.SINT32 ? '(uint32_t)spc_gen_unzigzag((uint32_t)v)'
      : '(uint32_t)v';
  return lines('uint64_t v;', 'uint32_t w;', read, `w = ${value};`, store('w'), rest('w != 0'));
}

/** A closed enum: in the loop only. */
function closedField(message: Message, field: Field): string {
  const fail = (status: string) => `return spc_gen_fail(d, ${status}, value)`;
  return lines(
    'const uint8_t *value = n;',
    'uint64_t v;',
    `SPC_GEN_VARINT(n, v, ${fail('SPC_OVERLONG_VARINT')});`,
    `if (n > e) ${fail('SPC_TRUNCATED')};`,
    block(`if (!${field.enumeration!.typeName.replaceAll('.', '_')}_has((int32_t)(uint32_t)v))`,
      'if (!spc_gen_unknown_number(d, start, n, r)) return NULL;', takeUnknownBit(message),
      'p = n;', 'continue;'),
    `spc_gen_store32(r + ${field.offset}, (uint32_t)v);`,
    putCase(field), putBit(message, field, '(uint32_t)v != 0'), 'p = n;',
  );
}

function lengthOf(site: Site): string {
  return `SPC_GEN_LENGTH(n, e, v, ${site.fail('SPC_OVERLONG_VARINT')}, ${site.fail('SPC_TRUNCATED')});`;
}

function bytesField(message: Message, field: Field, site: Site): string {
  const { offset } = field;
  return lines(
    'uint64_t v;',
    lengthOf(site),
    field.utf8 ? `if (!spc_gen_utf8(n, (size_t)v)) ${site.fail('SPC_BAD_UTF8 n')};` : '',
    `spc_gen_store32(r + ${offset}, (uint32_t)(n - d->base));`,
    `spc_gen_store32(r + ${offset + 4}, (uint32_t)v);`,
    putCase(field), putBit(message, field, 'v != 0'), 'p = n + v;',
  );
}

function decodeCall(field: Field, site: Site): string {
  const sub = field.message!;
  if (field.kind === 'group') {
    return `${sub.name}__decode_group(d, n, e, sub, depth - 1, ${tagOf(field, 4)})`;
  }
  return `${sub.name}__${isLeaf(sub) && !site.rare ? 'leaf' : 'decode'}(d, n, n + v, sub, depth - 1)`;
}

function messageField(message: Message, field: Field, site: Site): string {
  const group = field.kind === 'group';
  const enter = lines(
    `n = ${decodeCall(field, site)};`,
    'if (SPC_GEN_UNLIKELY(n == NULL)) return NULL;',
  );
  const same = field.oneof
    ? ` && spc_gen_load16(r + ${field.oneof.caseOffset}) == ${field.caseValue}` : '';
  return lines(
    group ? '' : lines('uint64_t v;', lengthOf(site)),
    `if (SPC_GEN_UNLIKELY(depth == 0)) ${site.fail('SPC_DEPTH_LIMIT')};`,
    'uint8_t *sub;',
    block(`if (SPC_GEN_UNLIKELY(${testBit(message, field)}${same}))`,
      `sub = d->base + spc_gen_load32(r + ${field.offset});`).replace(/\}$/, '} else {'),
    indent(lines(
      `sub = spc_gen_take(d, ${field.message!.size});`,
      'if (SPC_GEN_UNLIKELY(sub == NULL)) return NULL;',
      `spc_gen_store32(r + ${field.offset}, (uint32_t)(sub - d->base));`)),
    '}',
    putCase(field), putBit(message, field),
    group ? enter : block('if (SPC_GEN_LIKELY(v != 0))', enter),
    'p = n;',
  );
}

/** A run of messages, groups or map entries. */
function runField(message: Message, field: Field, site: Site, inChain: boolean): string {
  const group = field.kind === 'group';
  const sub = field.message!;
  const bytes = tagBytes(field);
  const slot = `r + ${field.offset}`;
  // In the chain a bad element ends the run and is looked at again by the loop.
  const stop = `stop_${field.number}`;
  const at: Site = inChain ? { ...site, fail: () => `goto ${stop}` } : site;
  const follows = bytes.length === 1 ? `*n == ${bytes[0]}`
    : `spc_gen_load${bytes.length === 2 ? 16 : 32}(n)${bytes.length === 3 ? ' << 8' : ''} == ${
      bytes.reduce((sum, byte, i) => sum + byte * 2 ** (8 * (i + (bytes.length === 3 ? 1 : 0))), 0)}u`;
  // Tags of five bytes are read by the loop each time.
  const done = inChain ? '{ bad = false; break; }' : 'break;';
  const next = bytes.length > 4 ? done
    : lines(`if (n >= e || !(${follows})) ${done}`, site.again, `n += ${bytes.length};`);
  const keep = !field.map ? 'p = n;' : lines(
    'bool keep;',
    `if (!spc_gen_finish_entry(d, ${fieldRow(message, field)}, r, sub, p, n, &keep)) return NULL;`,
    block('if (!keep)', 'd->bottom += 4;', 'k--;', takeUnknownBit(message)),
    'p = n;');
  return lines(
    `uint32_t k = 0, had = spc_gen_load32(${slot} + 4);`,
    inChain ? 'bool bad = true;' : '',
    block('for (;;)',
      group ? '' : lines('uint64_t v;', lengthOf(at)),
      `if (SPC_GEN_UNLIKELY(depth == 0)) ${at.fail('SPC_DEPTH_LIMIT')};`,
      `if (SPC_GEN_UNLIKELY(had + k >= d->max_count)) ${at.fail('SPC_COUNT_LIMIT')};`,
      `uint8_t *sub = spc_gen_take_element(d, ${sub.size});`,
      'if (SPC_GEN_UNLIKELY(sub == NULL)) return NULL;',
      'k++;',
      field.map && sub.fields[1].closed ? 'd->bad_entry = false;' : '',
      `n = ${decodeCall(field, site)};`,
      'if (SPC_GEN_UNLIKELY(n == NULL)) return NULL;',
      keep, next),
    inChain ? `${stop}:` : '',
    block('if (k != 0)',
      field.map
        ? `if (!spc_gen_collect_entries(d, ${fieldRow(message, field)}, ${slot}, k)) return NULL;`
        : `if (!spc_gen_collect(d, ${slot}, k)) return NULL;`,
      putBit(message, field)),
    inChain ? `if (SPC_GEN_UNLIKELY(bad)) ${site.fail('')};` : '',
  );
}

/** Repeated numbers, strings or bytes, by a function of the library. */
function elementsField(message: Message, field: Field): string {
  return lines(
    `p = spc_gen_elements(d, ${fieldRow(message, field)}, start, n, e, r, tag);`,
    'if (SPC_GEN_UNLIKELY(p == NULL)) return NULL;',
    field.closed ? takeUnknownBit(message) : '',
    block(`if (spc_gen_load32(r + ${field.offset + 4}) != 0)`, putBit(message, field)),
  );
}

function fieldBody(message: Message, field: Field, site: Site, inChain: boolean): string {
  if (isMessage(field)) {
    return field.repeated
      ? runField(message, field, site, inChain) : messageField(message, field, site);
  }
  if (field.repeated) return elementsField(message, field);
  if (field.closed) return closedField(message, field);
  return field.kind === 'bytes'
    ? bytesField(message, field, site) : numberField(message, field, site);
}

// ---- Functions

const PARAMETERS =
  'spc_gen_decoder *d, const uint8_t *p, const uint8_t *e, uint8_t *r, uint32_t depth';

/** The first fields in order; those that only the loop reads end the chain when they come. */
function chain(message: Message, way: string): string {
  const site: Site = { fail: () => `goto ${way}`, again: '', rare: false };
  return lines(chainOf(message)
    .filter((field) => !(field.closed || (field.repeated && !isMessage(field))))
    .map((field) => {
      const bytes = tagBytes(field);
      const comes = bytes.length === 1 ? `*p == ${bytes[0]}`
        : `spc_gen_load16(p) == ${bytes[0] + bytes[1] * 256}`;
      return block(`if (p < e && ${comes})`, `const uint8_t *n = p + ${bytes.length};`,
        fieldBody(message, field, site, true));
    }));
}

/** The loop over all fields, for which `end` is the tag that ends a group, or 0. */
function loop(message: Message): string {
  const fail = (status: string) => {
    const [code, at = 'start'] = status.split(' ');
    return `return spc_gen_fail(d, ${code}, ${at})`;
  };
  const chained = chainOf(message);
  const cases = message.fields.map((field) => {
    const site: Site = { fail, again: 'start = n;', rare: chained.includes(field) };
    const tags = [tagOf(field)];
    // Packed and expanded are read wherever the other is declared.
    if (field.repeated && isNumber(field)) tags.push(tagOf(field, 2));
    return lines(tags.map((tag) => `case ${tag}u:`).join(' ').concat(' {'),
      indent(lines(fieldBody(message, field, site, false), 'continue;')), '}');
  });
  return lines(
    block('while (p < e)',
      'const uint8_t *n = p + 1;',
      'uint32_t tag = *p;',
      'start = p;',
      block('if (tag >= 0x80)',
        block('if (SPC_GEN_LIKELY(*n < 0x80))',
          'tag = (tag & 0x7f) | (uint32_t)*n++ << 7;').replace(/\}$/, '} else {'),
        indent(lines('uint32_t slow;', 'n = spc_gen_tag_slow(d, p, e, &slow);',
          'if (n == NULL) return NULL;', 'tag = slow;')),
        '}'),
      cases.length === 0 ? '' : lines('switch (tag) {', ...cases, 'default:', '  break;', '}'),
      message.grouped ? block('if (tag == end && n <= e)', storeBits(message), 'return n;') : '',
      'p = spc_gen_unknown(d, start, n, e, r, tag, depth);',
      'if (p == NULL) return NULL;', takeUnknownBit(message)),
    storeBits(message),
    `if (SPC_GEN_UNLIKELY(p != e)) ${fail('SPC_TRUNCATED')};`,
    message.grouped ? 'if (end != 0) return spc_gen_fail(d, SPC_TRUNCATED, p);' : '',
    'return p;',
  );
}

export function decodeDeclarations(message: Message): string {
  const { name } = message;
  return lines(
    `const uint8_t *${name}__decode(${PARAMETERS});`,
    message.grouped
      ? `const uint8_t *${name}__decode_group(${PARAMETERS}, uint32_t end);` : '',
  );
}

/** The inlined form of a leaf. */
export function leafDecoder(message: Message): string {
  if (!isLeaf(message)) return '';
  const { name } = message;
  return block(`SPC_GEN_INLINE const uint8_t *${name}__leaf(${PARAMETERS})`,
    'const uint8_t *first = p;', loadBits(message), chain(message, 'other'),
    block('if (SPC_GEN_LIKELY(p == e))', storeBits(message), 'return p;'),
    message.fields.some((field) => field.kind === 'varint' || field.kind === 'bytes')
      ? 'other:' : '',
    `return ${name}__decode(d, first, e, r, depth);`);
}

export function decoder(message: Message): string {
  const { name } = message;
  const start = lines(
    'const uint8_t *start = p;', loadBits(message), '(void)depth;');
  const group = message.grouped;
  const any = group
    ? lines(
      block(`static inline const uint8_t *${name}__fields(${PARAMETERS}, uint32_t end)`, start,
        loop(message)),
      block(`const uint8_t *${name}__decode_group(${PARAMETERS}, uint32_t end)`,
        `return ${name}__fields(d, p, e, r, depth, end);`))
    : '';
  const rest = `${name}__fields(d, p, e, r, depth${group ? ', 0' : ''})`;
  if (isLeaf(message) || chainOf(message).length === 0) {
    return group
      ? lines(any, block(`const uint8_t *${name}__decode(${PARAMETERS})`, `return ${rest};`))
      : block(`const uint8_t *${name}__decode(${PARAMETERS})`, start, loop(message));
  }
  const inOrder = chain(message, 'other');
  return lines(
    group ? any
      : block(`static const uint8_t *${name}__fields(${PARAMETERS})`, start, loop(message)),
    block(`const uint8_t *${name}__decode(${PARAMETERS})`,
      'const uint8_t *first = p;', loadBits(message), inOrder,
      block('if (SPC_GEN_LIKELY(p == e))', storeBits(message), 'return p;'),
      inOrder.includes('goto other') ? 'other:' : '',
      storeBits(message),
      block('if (SPC_GEN_UNLIKELY(p > e))', `memset(r, 0, ${message.size});`, 'p = first;'),
      `return ${rest};`));
}
