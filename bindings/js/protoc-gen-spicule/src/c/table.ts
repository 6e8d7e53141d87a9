// The tables that the library works by where generated code leaves something to it.
import type { Field, Message } from './model.js';
import { lines } from './text.js';

const flagsOf = (field: Field) =>
  [
    field.explicit && 'EXPLICIT', field.oneof && 'ONEOF', field.utf8 && 'UTF8',
    field.packed && 'PACKED', field.required && 'REQUIRED', field.map && 'MAP',
    field.repeated && 'REPEATED',
  ].filter((flag) => typeof flag === 'string').map((flag) => `SPC_GEN_${flag}`).join(' | ') || '0';

function row(field: Field): string {
  const sub = field.message ? `&${field.message.name}__type` : 'NULL';
  const has = field.closed ? `${field.enumeration!.typeName.replaceAll('.', '_')}_has` : 'NULL';
  const place = [field.offset, field.oneof?.caseOffset ?? 0, field.caseValue, field.bit].join(', ');
  return `  {"${field.protoName}", ${sub}, ${has}, ${field.number}, ${place}, ${field.type}, ${
    flagsOf(field)}},`;
}

/** A pointer to the row of a field. */
export function fieldRow(message: Message, field: Field): string {
  return `&${message.name}__type.fields[${message.fields.indexOf(field)}]`;
}

export function tableDeclarations(message: Message): string {
  return `extern const spc_gen_type ${message.name}__type;`;
}

export function tables(message: Message): string {
  const { name, fields } = message;
  const rows = fields.length === 0 ? ''
    : lines(`static const spc_gen_field ${name}__table[] = {`, ...fields.map(row), '};');
  return lines(rows,
    `const spc_gen_type ${name}__type = {${fields.length === 0 ? 'NULL' : `${name}__table`}, ${
      fields.length}, ${message.size}, ${message.required}, ${message.mapEntry}};`);
}
