// The encoder of a message, back to front: M__encode writes the record in front of `q`.
import { ScalarType } from '@bufbuild/protobuf';

import { isLeaf } from './decode.js';
import type { Field, Message } from './model.js';
import { TYPE_ENUM, isMessage, isNumber, tagOf, varintBytes } from './model.js';
import { fieldRow } from './table.js';
import { block, lines } from './text.js';

const PARAMETERS = 'spc_gen_encoder *x, uint8_t *q, const uint8_t *r, uint32_t depth';
/** Fields that are looked at together: none of them set is one compare. */
const GROUP = 8;

const NO_ROOM = 'if (q == NULL) return NULL;';

export function wireTag(field: Field): { raw: string; length: number; tag: number } {
  const tag = tagOf(field, field.packed ? 2 : undefined);
  const bytes = varintBytes(tag);
  const raw = bytes.reduce((sum, byte, i) => sum + (BigInt(byte) << BigInt(8 * i)), 0n);
  return { raw: `UINT64_C(0x${raw.toString(16)})`, length: bytes.length, tag };
}

export function putTag(field: Field): string {
  const { raw, length } = wireTag(field);
  return `q = spc_gen_put_tag(q, ${raw}, ${length});`;
}

/** The most bytes of a number with its tag. */
export function mostBytesOfNumber(field: Field): number {
  const value = { fixed32: 4, fixed64: 8 }[field.kind as string] ??
    (field.type === ScalarType.BOOL ? 1
      : [ScalarType.UINT32, ScalarType.SINT32].includes(field.type) ? 5 : 10);
  return wireTag(field).length + value;
}

/** A number at `place` in memory as the varint's value. */
function loaded(field: Field, place: string): string {
  switch (field.type) {
    case ScalarType.INT32:
    case TYPE_ENUM:
      return `(uint64_t)(int64_t)(int32_t)spc_gen_load32(${place})`;
    case ScalarType.SINT32:
      return `spc_gen_zigzag((uint64_t)(int64_t)(int32_t)spc_gen_load32(${place}))`;
    case ScalarType.SINT64:
      return `spc_gen_zigzag(spc_gen_load64(${place}))`;
    default:
      return `spc_gen_load${field.size * 8}(${place})`;
  }
}

/** A number without its tag. */
function putNumber(field: Field, place: string): string {
  if (field.kind === 'varint') return `q = spc_gen_put_varint(q, ${loaded(field, place)});`;
  const bits = field.size * 8;
  return lines(`q -= ${field.size};`, `spc_gen_store${bits}(q, spc_gen_load${bits}(${place}));`);
}

/** Lengths of two and more bytes are rare, and left to functions of the library. */
const MOST_LENGTH = 127;

const putLength = (length: string) => lines(`q[-1] = (uint8_t)${length};`, 'q--;');

function putBytes(place: string): string {
  return lines(
    'q -= length;',
    `spc_gen_copy(q, base + spc_gen_load32(${place}), length);`,
    putLength('length'));
}

const room = (more = '') => `(size_t)(q - begin) < ${more}SPC_GEN_ROOM`;

function byTable(message: Message, field: Field, q = 'q'): string {
  return lines(`q = spc_gen_put_field(x, ${q}, ${fieldRow(message, field)}, r);`, NO_ROOM);
}

function otherwise(head: string, first: string, second: string): string {
  return `${block(head, first).slice(0, -1)}${block('} else', second)}`;
}

function scalarField(message: Message, field: Field, checked: boolean): string {
  const slot = `r + ${field.offset}`;
  if (field.kind === 'bytes') {
    return lines(`uint32_t length = spc_gen_load32(${slot} + 4);`,
      otherwise(
        `if (SPC_GEN_UNLIKELY(length > ${MOST_LENGTH} || ${room(`${MOST_LENGTH} + `)}))`,
        byTable(message, field), lines(putBytes(slot), putTag(field))));
  }
  const put = lines(putNumber(field, slot), putTag(field));
  return checked ? put
    : otherwise(`if (SPC_GEN_UNLIKELY(${room()}))`, byTable(message, field), put);
}

/** A message at the arena offset that is at `place`, with its length and tag. */
function putMessage(field: Field, place: string): string {
  const sub = field.message!;
  const { tag } = wireTag(field);
  const group = field.kind === 'group';
  const encode = lines(
    `q = ${sub.name}__encode${isLeaf(sub) ? '_leaf' : ''}(x, q, base + spc_gen_load32(${place}), depth - 1);`,
    NO_ROOM);
  if (group) {
    const put = (value: number) => lines(`q = spc_gen_put_slow(x, q, ${value}u, 0);`, NO_ROOM);
    return lines(put(tag + 1), encode, put(tag));
  }
  return lines('uint8_t *z = q;', encode,
    otherwise(`if (SPC_GEN_UNLIKELY(z - q > ${MOST_LENGTH} || ${room()}))`,
      lines(`q = spc_gen_put_slow(x, q, (uint64_t)(z - q), ${tag}u);`, NO_ROOM),
      lines(putLength('(z - q)'), putTag(field))));
}

const TOO_DEEP =
  'if (SPC_GEN_UNLIKELY(depth == 0)) return spc_gen_encode_fail(x, SPC_DEPTH_LIMIT);';

function repeatedField(message: Message, field: Field): string {
  const slot = `r + ${field.offset}`;
  const size = isMessage(field) ? 4 : field.size;
  const array = lines(
    `uint32_t k = spc_gen_load32(${slot} + 4);`,
    `const uint8_t *a = base + spc_gen_load32(${slot}) + (size_t)k * ${size};`);
  if (isMessage(field)) {
    return lines(
      field.map
        ? `if ((x->flags & SPC_ENCODE_DETERMINISTIC) != 0) spc_gen_sort_map(x, ${fieldRow(message, field)}, ${slot});`
        : '',
      array, block('if (k != 0)', TOO_DEEP),
      block('for (; k != 0; k--)', 'a -= 4;', putMessage(field, 'a')));
  }
  const bytes = field.kind === 'bytes';
  const element = lines(
    `a -= ${size};`,
    bytes ? 'uint32_t length = spc_gen_load32(a + 4);' : '',
    `if (SPC_GEN_UNLIKELY(${room(bytes ? '(size_t)length + ' : '')})) break;`,
    bytes ? lines('q -= length;', 'spc_gen_copy(q, base + spc_gen_load32(a), length);',
      'q = spc_gen_put_varint(q, length);') : putNumber(field, 'a'),
    field.packed ? '' : putTag(field));
  return lines(array, 'uint8_t *z = q;', block('for (; k != 0; k--)', element),
    field.packed
      ? otherwise(`if (SPC_GEN_UNLIKELY(k != 0 || ${room()}))`, byTable(message, field, 'z'),
        lines('q = spc_gen_put_varint(q, (uint64_t)(z - q));', putTag(field)))
      : block('if (SPC_GEN_UNLIKELY(k != 0))', byTable(message, field, 'z')));
}

function fieldBody(message: Message, field: Field, checked: boolean): string {
  if (field.repeated) return repeatedField(message, field);
  if (!isMessage(field)) return scalarField(message, field, checked);
  return lines(TOO_DEEP, putMessage(field, `r + ${field.offset}`));
}

/** Hasbits are in one local number where they fit, else 32 in each of several. */
const isOne = (message: Message) => message.words <= 4;
const word = (message: Message, bit: number) => (isOne(message) ? 'has' : `has${bit >> 5}`);

function mask(message: Message, ...bits: readonly number[]): string {
  const within = isOne(message) ? 63n : 31n;
  const all = bits.reduce((sum, bit) => sum | (1n << (BigInt(bit) & within)), 0n);
  return `UINT64_C(0x${all.toString(16)})`;
}

function loadBits(message: Message): string {
  if (isOne(message)) return `const uint64_t has = spc_gen_load_bits(r, ${message.words});`;
  return lines(Array.from({ length: Math.ceil(message.words / 2) }, (_, i) =>
    i * 2 + 1 === message.words
      ? `const uint32_t has${i} = spc_gen_load16(r + ${i * 4});`
      : `const uint32_t has${i} = spc_gen_load32(r + ${i * 4});`));
}

/** One hasbit: a field, or the members of a oneof. */
function bitBody(message: Message, fields: Field[], checked: boolean): string {
  const { oneof, bit } = fields[0];
  const set = `if ((${word(message, bit)} & ${mask(message, bit)}) != 0)`;
  if (!oneof) return block(set, fieldBody(message, fields[0], checked));
  const cases = fields.map((field) =>
    lines(`case ${field.caseValue}: {`, fieldBody(message, field, checked), 'break;', '}'));
  return block(set,
    lines(`switch (spc_gen_load16(r + ${oneof.caseOffset})) {`, ...cases, 'default:', '  break;',
      '}'));
}

/** Fields in descending order. A oneof stands where its members do, which may be in pieces. */
function fieldsBackwards(message: Message, checked: boolean): string {
  const runs: Field[][] = [];
  for (const field of [...message.fields].reverse()) {
    const last = runs.at(-1);
    if (last && field.oneof && last[0].oneof === field.oneof) last.push(field);
    else runs.push([field]);
  }
  const pieces: string[] = [];
  for (let i = 0; i < runs.length; i += GROUP) {
    const group = runs.slice(i, i + GROUP);
    const body = lines(group.map((fields) => bitBody(message, fields, checked)));
    const bits = group.map(([field]) => field.bit);
    const words = [...new Set(bits.map((bit) => word(message, bit)))];
    const any = words.map((name) => `(${name} & ${
      mask(message, ...bits.filter((bit) => word(message, bit) === name))})`);
    pieces.push(runs.length > GROUP ? block(`if ((${any.join(' | ')}) != 0)`, body) : body);
  }
  return lines(pieces);
}

function body(message: Message): string {
  const checked = message.fields.every((field) => isNumber(field) && !field.repeated);
  const most = message.fields.reduce((sum, field) => sum + mostBytesOfNumber(field), 8);
  return lines(
    message.fields.length === 0 || checked ? '' : 'uint8_t *const begin = x->begin;',
    message.fields.some((field) => !isNumber(field) || field.repeated)
      ? 'const uint8_t *const base = x->base;' : '',
    loadBits(message),
    '(void)depth;',
    checked && message.fields.length > 0
      ? lines(`if (SPC_GEN_UNLIKELY((size_t)(q - x->begin) < ${most} || (${word(message, 0)} & 1) != 0))`,
        `  return spc_gen_encode_slow(x, q, &${message.name}__type, r, depth);`)
      : block(`if (SPC_GEN_UNLIKELY((${word(message, 0)} & 1) != 0))`,
        'q = spc_gen_put_unknown(x, q, r);', NO_ROOM),
    fieldsBackwards(message, checked),
    'return q;');
}

export function encodeDeclarations(message: Message): string {
  return `uint8_t *${message.name}__encode(${PARAMETERS});`;
}

export function leafEncoder(message: Message): string {
  if (!isLeaf(message)) return '';
  return block(`SPC_GEN_INLINE uint8_t *${message.name}__encode_leaf(${PARAMETERS})`,
    body(message));
}

export function encoder(message: Message): string {
  return block(`uint8_t *${message.name}__encode(${PARAMETERS})`,
    isLeaf(message) ? `return ${message.name}__encode_leaf(x, q, r, depth);` : body(message));
}
