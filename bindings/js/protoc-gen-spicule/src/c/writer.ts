// Writers: handles that write a message's fields straight into a buffer, forward in order of their
// numbers (M_writer) or back to front in the opposite order (M_reverse).
import { ScalarType } from '@bufbuild/protobuf';

import { cType, toBits } from './accessor.js';
import { tagBytes } from './decode.js';
import { mostBytesOfNumber, putTag, wireTag } from './encode.js';
import { parameterName } from './name.js';
import type { Field, Message, Oneof } from './model.js';
import { TYPE_ENUM, isMessage, isNumber, tagOf } from './model.js';
import { fieldRow } from './table.js';
import { block, lines } from './text.js';

const MOST_ARGUMENTS = 6;

/** Bytes that a string or bytes field is expected to have where it is but one choice of a oneof. */
const USUAL_BYTES = 32;

/** The bytes that a message has at most, as a rule; infinite where there is none. */
function mostBytes(message: Message, depth = 8): number {
  const of = (field: Field): number => {
    if (field.repeated || field.kind === 'group' || depth === 0) return Number.POSITIVE_INFINITY;
    if (field.kind === 'bytes') {
      return field.oneof ? tagBytes(field).length + 1 + USUAL_BYTES : Number.POSITIVE_INFINITY;
    }
    return field.message
      ? tagBytes(field).length + 1 + mostBytes(field.message, depth - 1) : mostBytesOfNumber(field);
  };
  const oneofs = message.oneofs.map((oneof) => Math.max(...oneof.fields.map(of)));
  const plain = message.fields.filter((field) => !field.oneof).map(of);
  return [...oneofs, ...plain].reduce((sum, bytes) => sum + bytes, 0);
}

/** Where the last length of a type is remembered; 0 for those that have one byte as a rule. */
function guessOf(message: Message): number {
  if (mostBytes(message) < 128) return 0;
  let sum = 0;
  for (const character of message.typeName) sum = (sum * 31 + character.charCodeAt(0)) % 65521;
  return 1 + (sum % 15);
}

/**
 * The fields that a setter on the parent takes as arguments, or undefined where the message is not
 * small: up to six numbers, a oneof standing for its one number.
 */
export function argumentsOf(message: Message): Field[] | undefined {
  const result: Field[] = [];
  for (const field of message.fields) {
    if (field.oneof) {
      if (isNumber(field)) result.push(field);
    } else if (isNumber(field) && !field.repeated) {
      result.push(field);
    } else {
      return undefined;
    }
  }
  const oneofs = result.map(({ oneof }) => oneof).filter((oneof) => oneof !== undefined);
  if (result.length > MOST_ARGUMENTS || new Set(oneofs).size !== oneofs.length) return undefined;
  return message.mapEntry ? undefined : result;
}

/** The members of a oneof have no other fields between them. */
function isContiguous(message: Message, oneof: Oneof): boolean {
  const places = oneof.fields.map((field) => message.fields.indexOf(field));
  return Math.max(...places) - Math.min(...places) === places.length - 1;
}

class Writer {
  readonly #message: Message;
  readonly #reverse: boolean;
  readonly #type: string;

  constructor(message: Message, reverse: boolean) {
    this.#message = message;
    this.#reverse = reverse;
    this.#type = `${message.name}_${reverse ? 'reverse' : 'writer'}`;
  }

  get struct(): string {
    return `typedef struct ${this.#type} { spc_gen_writer *w; uint32_t id, at; } ${this.#type};`;
  }

  /** Beginning and end, and fields that are no messages. */
  own(): string {
    const type = this.#type;
    const root = this.#message.mapEntry ? '' : lines(
      block(`SPC_GEN_INLINE ${type} ${type}_init(spc_gen_writer *w, uint8_t *out, size_t capacity)`,
        `${type} m = {w, spc_gen_writer_init(w, out, capacity, ${this.#reverse}), 0};`, 'return m;'),
      block(`SPC_GEN_INLINE spc_status ${type}_finish(${type} m, size_t *length)`,
        'return spc_gen_writer_finish(m.w, m.id, length);'));
    return lines(root,
      block(`SPC_GEN_INLINE spc_status ${type}_close(${type} m)`,
        `return spc_gen_writer_leave(m.w, m.id, m.at, ${this.#reverse});`),
      this.#message.fields.filter((field) => !isMessage(field)).map((field) => this.#field(field)));
  }

  /** Fields that are messages, whose writers these functions use. */
  children(): string {
    return lines(this.#message.fields.filter(isMessage).map((field) => this.#messageField(field)));
  }

  #setter(name: string, parameters: string, ...body: string[]): string {
    return block(`SPC_GEN_INLINE spc_status ${this.#type}_${name}(${this.#type} m${parameters})`,
      'spc_gen_writer *w = m.w;', ...body);
  }

  #turn(field: Field): string {
    const { oneof } = field;
    const turnOf = (number: number) =>
      this.#reverse ? `SPC_GEN_LAST - ${number}u` : `${number}u`;
    const contiguous = oneof !== undefined && isContiguous(this.#message, oneof);
    const numbers = contiguous ? oneof.fields.map(({ number }) => number) : [field.number];
    const then = this.#reverse ? Math.min(...numbers) : Math.max(...numbers);
    const again = field.repeated && !field.packed;
    return lines(
      `SPC_GEN_TURN(m, ${turnOf(field.number)}, ${again}, ${turnOf(then)});`,
      oneof && !contiguous
        ? `SPC_GEN_MEMBER(m, UINT32_C(1) << ${this.#message.oneofs.indexOf(oneof) % 32});` : '');
  }

  #always(field: Field): boolean {
    return field.explicit || field.repeated || this.#message.mapEntry;
  }

  get #full(): string {
    return `SPC_GEN_UNLIKELY(spc_gen_writer_is_full(w, ${this.#reverse}))`;
  }

  /** The varint's value of a number that a C variable has. */
  static #wire(field: Field, name: string): string {
    switch (field.type) {
      case ScalarType.INT32:
      case TYPE_ENUM:
      case ScalarType.INT64:
        return `(uint64_t)(int64_t)${name}`;
      case ScalarType.SINT32:
      case ScalarType.SINT64:
        return `spc_gen_zigzag((uint64_t)(int64_t)${name})`;
      case ScalarType.BOOL:
        return `(uint64_t)(${name} ? 1 : 0)`;
      default:
        return field.kind === 'varint' ? name : toBits(field, name);
    }
  }

  /** A number at `q`, with its tag. */
  #put(field: Field, v: string): string {
    const { raw, length } = wireTag(field);
    const bits = field.size * 8;
    const store = `spc_gen_store${bits}(q, (uint${bits}_t)${v});`;
    if (this.#reverse) {
      return lines(field.kind === 'varint' ? `q = spc_gen_put_varint(q, ${v});`
        : lines(`q -= ${field.size};`, store), putTag(field));
    }
    return lines(`q = spc_gen_add_tag(q, ${raw}, ${length});`,
      field.type === ScalarType.BOOL ? `*q++ = (uint8_t)${v};`
        : field.kind === 'varint' ? `q = spc_gen_add_varint(q, ${v});`
          : lines(store, `q += ${field.size};`));
  }

  #field(field: Field): string {
    if (field.kind === 'bytes') return this.#bytesField(field);
    if (field.packed) {
      return this.#setter(field.name, `, const ${cType(field)} *values, size_t count`,
        this.#turn(field),
        `return spc_gen_writer_packed(w, ${fieldRow(this.#message, field)}, values, count);`);
    }
    return this.#setter(field.name, `, ${cType(field)} value`,
      `uint64_t v = ${Writer.#wire(field, 'value')};`,
      this.#turn(field),
      this.#always(field) ? '' : 'if (v == 0) return SPC_OK;',
      `if (${this.#full})`,
      `  return spc_gen_writer_number(w, ${tagOf(field)}u, v);`,
      'uint8_t *q = w->p;', this.#put(field, 'v'), 'w->p = q;', 'return SPC_OK;');
  }

  #bytesField(field: Field): string {
    const { raw, length } = wireTag(field);
    const room = this.#reverse ? '(size_t)(w->p - w->begin)' : '(size_t)(w->end - w->p)';
    const copy = 'spc_gen_copy(q, (const uint8_t *)data, length);';
    return this.#setter(field.name, ', const void *data, size_t length',
      this.#turn(field),
      this.#always(field) ? '' : 'if (length == 0) return SPC_OK;',
      field.utf8 ? lines('if (SPC_GEN_UNLIKELY(!spc_gen_utf8((const uint8_t *)data, length)))',
        '  return spc_gen_writer_fail(w, SPC_BAD_UTF8);') : '',
      `if (SPC_GEN_UNLIKELY(length > INT32_MAX || ${room} < length + SPC_GEN_ROOM))`,
      `  return spc_gen_writer_bytes(w, ${tagOf(field)}u, data, length);`,
      'uint8_t *q = w->p;',
      this.#reverse
        ? lines('q -= length;', copy, 'q = spc_gen_put_varint(q, length);', putTag(field))
        : lines(`q = spc_gen_add_tag(q, ${raw}, ${length});`, 'q = spc_gen_add_varint(q, length);',
          copy, 'q += length;'),
      'w->p = q;', 'return SPC_OK;');
  }

  #messageField(field: Field): string {
    const sub = field.message!;
    const child = `${sub.name}_${this.#reverse ? 'reverse' : 'writer'}`;
    const { raw, length } = wireTag(field);
    const guess = guessOf(sub);
    const enter = field.kind === 'group'
      ? `spc_gen_writer_open(w, ${tagOf(field)}u, ${guess})`
      : `spc_gen_writer_enter(w, sub.at, ${tagOf(field)}u, ${raw}, ${length}, ${guess}, ${this.#reverse})`;
    const open = lines(
      block(`SPC_GEN_INLINE spc_status ${this.#type}_turn_${field.name}(${this.#type} m)`,
        this.#turn(field), 'return SPC_OK;'),
      block(`SPC_GEN_INLINE ${child} ${this.#type}_open_${field.name}(${this.#type} m)`,
        'spc_gen_writer *w = m.w;',
        `${child} sub = {w, 0, spc_gen_writer_below(m.at)};`,
        `sub.id = SPC_GEN_LIKELY(${this.#type}_turn_${field.name}(m) == SPC_OK) ? ${enter} : ~w->id;`,
        'return sub;'),
      this.#setter(`${field.name}_from`, `, const spc_arena *arena, ${sub.name} from`,
        this.#turn(field),
        `return spc_gen_writer_message(w, ${tagOf(field)}u, &${sub.name}__type, ${
          sub.name}__encode, arena, from.ref);`));
    const fields = field.kind === 'group' ? undefined : argumentsOf(sub);
    return lines(open, fields ? this.#oneCall(field, fields) : '');
  }

  /** The setter that writes a small message at once. */
  #oneCall(field: Field, fields: Field[]): string {
    const sub = field.message!;
    const child = `${sub.name}_${this.#reverse ? 'reverse' : 'writer'}`;
    const { raw, length } = wireTag(field);
    const parameters = fields.map((one) => `, ${cType(one)} ${parameterName(one.name)}`).join('');
    const order = this.#reverse ? [...fields].reverse() : fields;
    const puts = order.map((one) => {
      const v = `v_${one.number}`;
      const put = this.#put(one, v);
      return lines(`uint64_t ${v} = ${Writer.#wire(one, parameterName(one.name))};`,
        one.explicit ? put : block(`if (${v} != 0)`, put));
    });
    const slow = lines(
      `${child} sub = ${this.#type}_open_${field.name}(m);`,
      order.map((one) => `(void)${child}_${one.name}(sub, ${parameterName(one.name)});`),
      `return spc_gen_writer_close(w, sub.id, sub.at);`);
    return this.#setter(field.name, parameters,
      block(`if (${this.#full})`, slow),
      this.#turn(field),
      'uint8_t *q = w->p;',
      this.#reverse
        ? lines('uint8_t *z = q;', puts, 'q--;', '*q = (uint8_t)(z - q - 1);', putTag(field))
        : lines(`q = spc_gen_add_tag(q, ${raw}, ${length});`, 'uint8_t *size = q++;', puts,
          '*size = (uint8_t)(q - size - 1);'),
      'w->p = q;', 'return SPC_OK;');
  }
}

export function writerStructs(message: Message): string {
  return lines(new Writer(message, false).struct, new Writer(message, true).struct);
}

export function writerFunctions(messages: readonly Message[]): string[] {
  const writers = messages.flatMap((message) =>
    [new Writer(message, false), new Writer(message, true)]);
  return [...writers.map((writer) => writer.own()), ...writers.map((writer) => writer.children())];
}
