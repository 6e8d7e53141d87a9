// Handles of messages in an arena and what reads and writes their fields.
import { ScalarType } from '@bufbuild/protobuf';

import { cName } from './name.js';
import type { Field, Message, Oneof } from './model.js';
import { TYPE_ENUM, isMessage } from './model.js';
import { block, lines } from './text.js';

const C_TYPES: { readonly [type: number]: string } = {
  [ScalarType.DOUBLE]: 'double', [ScalarType.FLOAT]: 'float', [ScalarType.INT64]: 'int64_t',
  [ScalarType.UINT64]: 'uint64_t', [ScalarType.INT32]: 'int32_t', [ScalarType.FIXED64]: 'uint64_t',
  [ScalarType.FIXED32]: 'uint32_t', [ScalarType.BOOL]: 'bool', [ScalarType.STRING]: 'spc_bytes',
  [ScalarType.BYTES]: 'spc_bytes', [ScalarType.UINT32]: 'uint32_t', [TYPE_ENUM]: 'int32_t',
  [ScalarType.SFIXED32]: 'int32_t', [ScalarType.SFIXED64]: 'int64_t', [ScalarType.SINT32]: 'int32_t',
  [ScalarType.SINT64]: 'int64_t',
};

/** The C type of a value of a field. Enums are numbers, as those of open enums may be any. */
export function cType(field: Field): string {
  return field.message ? field.message.name : C_TYPES[field.type];
}

/** The bits of a number, as a record has them, as a value of its C type. */
export function fromBits(field: Field, bits: string): string {
  if (field.type === ScalarType.FLOAT) return `spc_gen_float(${bits})`;
  if (field.type === ScalarType.DOUBLE) return `spc_gen_double(${bits})`;
  return field.type === ScalarType.BOOL ? `${bits} != 0` : `(${C_TYPES[field.type]})${bits}`;
}

export function toBits(field: Field, value: string): string {
  if (field.type === ScalarType.FLOAT) return `spc_gen_float_bits(${value})`;
  if (field.type === ScalarType.DOUBLE) return `spc_gen_double_bits(${value})`;
  return `(uint${field.size * 8}_t)${value}`;
}

/** Text and bytes as a C string, as the adjacent pieces that octal escapes need. */
function cString(bytes: Uint8Array): string {
  const text = [...bytes].map((byte) =>
    byte >= 0x20 && byte < 0x7f && !'"\\?'.includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`);
  return `"${text.join('')}"`;
}

function floating(value: number, type: number): string {
  const suffix = type === ScalarType.FLOAT ? 'f' : '';
  if (Number.isNaN(value)) return type === ScalarType.FLOAT ? 'spc_gen_float(0x7fc00000u)'
    : 'spc_gen_double(UINT64_C(0x7ff8000000000000))';
  if (!Number.isFinite(value)) {
    const sign = value < 0 ? 0x80000000 : 0;
    return type === ScalarType.FLOAT ? `spc_gen_float(${sign + 0x7f800000}u)`
      : `spc_gen_double(UINT64_C(0x${(sign + 0x7ff00000).toString(16)}00000000))`;
  }
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return `${/[.e]/.test(text) ? text : `${text}.0`}${suffix}`;
}

/** What a field of text or bytes is when it is not set, as a C string. */
export function defaultBytes(field: Field): { data: string; length: number } {
  const value = field.defaultValue;
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value)
    : value instanceof Uint8Array ? value : new Uint8Array();
  return { data: cString(bytes), length: bytes.length };
}

/** What a field is when it is not set, as a C expression. */
export function defaultValue(field: Field): string {
  const value = field.defaultValue;
  switch (field.type) {
    case ScalarType.STRING:
    case ScalarType.BYTES: {
      const { data, length } = defaultBytes(field);
      return `spc_gen_literal(${data}, ${length})`;
    }
    case ScalarType.BOOL:
      return value === true ? 'true' : 'false';
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return floating(typeof value === 'number' ? value : 0, field.type);
    default: {
      const number = BigInt(typeof value === 'bigint' || typeof value === 'number' ||
        typeof value === 'string' ? value : 0);
      const type = C_TYPES[field.type];
      const bits = BigInt.asUintN(field.size * 8, number).toString();
      if (!type.startsWith('u')) {
        const least = -(1n << BigInt(field.size * 8 - 1));
        if (number === least) return `(${number + 1n} - 1)`;
        return field.size === 8 ? `INT64_C(${number})` : `${number}`;
      }
      return field.size === 8 ? `UINT64_C(${bits})` : `${bits}u`;
    }
  }
}

const READ = 'const spc_arena *arena';

export class Accessors {
  readonly #message: Message;
  readonly #m: string;

  constructor(message: Message) {
    this.#message = message;
    this.#m = message.name;
  }

  source(): string {
    const { typeName, oneofs, fields } = this.#message;
    return lines(
      `/* ---- ${typeName} */`,
      oneofs.map((oneof) => this.#oneof(oneof)),
      fields.map((field) => this.#field(field)),
    );
  }

  #function(type: string, name: string, parameters: string, ...body: string[]): string {
    return block(`SPC_GEN_MAYBE ${type} ${this.#m}_${name}(${parameters})`, ...body);
  }

  #oneof(oneof: Oneof): string {
    const { bit } = oneof.fields[0];
    const { name, caseOffset } = oneof;
    // Cases of high numbers are not the number itself.
    const number = oneof.fields.filter((field) => field.caseValue !== field.number).reduce(
      (rest, field) =>
        `spc_gen_load16(r + ${caseOffset}) == ${field.caseValue}u ? ${field.number}u : ${rest}`,
      `spc_gen_load16(r + ${caseOffset})`);
    return lines(
      this.#function('uint32_t', `${name}_case`, `${READ}, ${this.#m} m`,
        'const uint8_t *r = spc_gen_record(arena, m.ref);',
        `return m.ref != 0 && spc_gen_bit(r, ${bit}) ? ${number} : 0;`),
      this.#function('void', `clear_${name}`, `${READ}, ${this.#m} m`,
        `spc_gen_put_bit(spc_gen_record(arena, m.ref), ${bit}, false);`,
        `spc_gen_store16(spc_gen_record(arena, m.ref) + ${caseOffset}, 0);`));
  }

  /** Whether the field at record `r` is set. */
  #isSet(field: Field): string {
    const member = field.oneof
      ? ` && spc_gen_load16(r + ${field.oneof.caseOffset}) == ${field.caseValue}` : '';
    return `m.ref != 0 && spc_gen_bit(r, ${field.bit})${member}`;
  }

  #field(field: Field): string {
    return lines(
      `enum { ${this.#m}_${field.name}_number = ${field.number} };`,
      field.repeated ? this.#list(field) : this.#singular(field));
  }

  #singular(field: Field): string {
    const { name, offset, bit, oneof } = field;
    const record = 'const uint8_t *r = spc_gen_record(arena, m.ref);';
    const slot = `r + ${offset}`;
    const presence = field.explicit || this.#message.mapEntry
      ? this.#function('bool', `has_${name}`, `${READ}, ${this.#m} m`, record,
        `return ${this.#isSet(field)};`)
      : '';
    const clear = lines(
      block(`if (${this.#isSet(field)})`,
        `spc_gen_put_bit(r, ${bit}, false);`,
        oneof ? `spc_gen_store16(r + ${oneof.caseOffset}, 0);` : ''));
    const put = oneof ? `spc_gen_store16(r + ${oneof.caseOffset}, ${field.caseValue});` : '';
    const writable = 'uint8_t *r = spc_gen_record(arena, m.ref);';
    const always = field.explicit || this.#message.mapEntry;
    const common = lines(presence, this.#function('void', `clear_${name}`,
      `${READ}, ${this.#m} m`, writable, clear));
    if (isMessage(field)) {
      const sub = field.message!.name;
      return lines(common,
        this.#function(sub, name, `${READ}, ${this.#m} m`, record,
          `${sub} sub = {${this.#isSet(field)} ? spc_gen_load32(${slot}) : 0};`, 'return sub;'),
        this.#function('void', `set_${name}`, `${READ}, ${this.#m} m, ${sub} sub`, writable,
          `spc_gen_store32(${slot}, sub.ref);`, put, `spc_gen_put_bit(r, ${bit}, true);`),
        this.#function('spc_status', `mutable_${name}`, `spc_arena *arena, ${this.#m} m, ${sub} *sub`,
          `*sub = ${this.#m}_${name}(arena, m);`,
          'if (sub->ref != 0) return SPC_OK;',
          `spc_status status = ${sub}_new(arena, sub);`,
          `if (status == SPC_OK) ${this.#m}_set_${name}(arena, m, *sub);`,
          'return status;'));
    }
    const type = cType(field);
    if (field.kind === 'bytes') {
      return lines(common,
        this.#function('spc_bytes', name, `${READ}, ${this.#m} m`, record,
          `return ${this.#isSet(field)} ? spc_gen_bytes(arena, ${slot}) : ${defaultValue(field)};`),
        this.#function('void', `set_${name}_slice`, `${READ}, ${this.#m} m, spc_slice slice`, writable,
          `spc_gen_store32(${slot}, slice.offset);`,
          `spc_gen_store32(${slot} + 4, slice.length);`, put,
          `spc_gen_put_bit(r, ${bit}, ${always ? 'true' : 'slice.length != 0'});`),
        this.#function('spc_status', `set_${name}`,
          `spc_arena *arena, ${this.#m} m, const void *data, size_t length`,
          'spc_slice slice;',
          field.utf8 ? 'if (!spc_gen_utf8((const uint8_t *)data, length)) return SPC_BAD_UTF8;' : '',
          'spc_status status = spc_arena_put(arena, data, length, &slice);',
          `if (status == SPC_OK) ${this.#m}_set_${name}_slice(arena, m, slice);`,
          'return status;'));
    }
    const bits = field.size * 8;
    return lines(common,
      this.#function(type, name, `${READ}, ${this.#m} m`, record,
        `return ${this.#isSet(field)} ? ${fromBits(field, `spc_gen_load${bits}(${slot})`)} : ${
          defaultValue(field)};`),
      this.#function('void', `set_${name}`, `${READ}, ${this.#m} m, ${type} value`, writable,
        `uint${bits}_t v = ${toBits(field, 'value')};`,
        `spc_gen_store${bits}(${slot}, v);`, put,
        `spc_gen_put_bit(r, ${bit}, ${always ? 'true' : 'v != 0'});`));
  }

  #list(field: Field): string {
    const { name, offset, bit } = field;
    const slot = `spc_gen_record(arena, m.ref) + ${offset}`;
    const add = `spc_arena *arena, ${this.#m} m`;
    const size = isMessage(field) ? 4 : field.size;
    const element = `arena->base + spc_gen_load32(${slot}) + (size_t)i * ${size}`;
    const at = (type: string, zero: string, value: string) =>
      this.#function(type, `${name}_at`, `${READ}, ${this.#m} m, uint32_t i`,
        `if (i >= ${this.#m}_${name}_count(arena, m)) return ${zero};`,
        `const uint8_t *place = ${element};`, `return ${value};`);
    const count = this.#function('uint32_t', `${name}_count`, `${READ}, ${this.#m} m`,
      `return m.ref != 0 ? spc_gen_load32(${slot} + 4) : 0;`);
    const clear = this.#function('void', `clear_${name}`, `${READ}, ${this.#m} m`,
      `spc_gen_store32(${slot} + 4, 0);`,
      `spc_gen_put_bit(spc_gen_record(arena, m.ref), ${bit}, false);`);
    const append = (value: string) =>
      `return spc_gen_append(arena, m.ref, ${offset}, ${bit}, ${size}, ${value});`;
    if (isMessage(field)) {
      const sub = field.message!.name;
      return lines(count, clear,
        this.#function(sub, `${name}_at`, `${READ}, ${this.#m} m, uint32_t i`,
          `${sub} sub = {0};`,
          block(`if (i < ${this.#m}_${name}_count(arena, m))`,
            `sub.ref = spc_gen_load32(${element});`),
          'return sub;'),
        this.#function('spc_status', `add_${name}`, `${add}, ${sub} *element`,
          `return spc_gen_append_message(arena, m.ref, ${offset}, ${bit}, ${
            field.message!.size}, ${field.map}, &element->ref);`));
    }
    if (field.kind === 'bytes') {
      return lines(count, clear,
        at('spc_bytes', 'spc_gen_literal("", 0)', 'spc_gen_bytes(arena, place)'),
        this.#function('spc_status', `add_${name}`, `${add}, const void *data, size_t length`,
          'spc_slice slice;',
          field.utf8 ? 'if (!spc_gen_utf8((const uint8_t *)data, length)) return SPC_BAD_UTF8;' : '',
          'spc_status status = spc_arena_put(arena, data, length, &slice);',
          'if (status != SPC_OK) return status;',
          append('slice.offset | (uint64_t)slice.length << 32')));
    }
    const zero = field.type === ScalarType.BOOL ? 'false' : '0';
    return lines(count, clear,
      at(cType(field), zero, fromBits(field, `spc_gen_load${field.size * 8}(place)`)),
      this.#function('spc_status', `add_${name}`, `${add}, ${cType(field)} value`,
        append(toBits(field, 'value'))));
  }
}

/** The handle of a message. */
export function handle(message: Message): string {
  const { name } = message;
  return lines(
    `typedef struct ${name} { uint32_t ref; } ${name};`,
    block(`SPC_GEN_MAYBE spc_status ${name}_new(spc_arena *arena, ${name} *m)`,
      `return spc_gen_new(arena, ${message.size}, &m->ref);`));
}

/** Decoding and encoding of a message as a root. */
export function rootFunctions(message: Message): string {
  const { name } = message;
  const encode = (form: string) => block(
    `SPC_GEN_MAYBE spc_status ${name}_${form}(const spc_arena *arena, ${name} m, uint8_t *out, ` +
      'size_t capacity, const spc_encode_options *options, size_t *length, spc_error *error)',
    `return spc_gen_${form}(arena, &${name}__type, ${name}__encode, m.ref, out, capacity, options, length, error);`);
  return lines(
    block(`SPC_GEN_MAYBE spc_status ${name}_decode(spc_arena *arena, const uint8_t *input, ` +
      `size_t length, const spc_decode_options *options, ${name} *m, spc_error *error)`,
    `return spc_gen_decode(arena, &${name}__type, ${name}__decode, input, length, options, &m->ref, error);`),
    encode('encode_back'), encode('encode'));
}

export const enumName = (field: Field) => cName(field.enumeration!.typeName);
