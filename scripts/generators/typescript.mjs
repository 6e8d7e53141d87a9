// The TypeScript side of the lists that the C headers own: statuses, operations, sizes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const INCLUDE = 'src/include/spicule';
const OUTPUT = 'bindings/js/src/generated';

/** The entries of the X-macro `list`: their arguments, in the order of the header. */
function entries(header, list) {
  const body = new RegExp(`#define ${list}\\(X\\)((?:.*\\\\\\n)+.*)`).exec(header);
  if (body === null) throw new Error(`no ${list} in the header`);
  return [...body[1].matchAll(/X\((\w+), (\d+)(?:, "([^"]*)")?\)/g)].map((match) => ({
    name: match[1],
    number: Number(match[2]),
    message: match[3],
  }));
}

/** The values of `#define SPC_<name> <number>`. */
function constant(header, name) {
  const match = new RegExp(`#define SPC_${name}\\s+(\\d+)u?\\b`).exec(header);
  if (match === null) throw new Error(`no SPC_${name} in the header`);
  return `export const ${name} = ${match[1]};\n`;
}

const origin = (header) =>
  `// From ${INCLUDE}/${header} by scripts/generate.mjs: change it there.\n`;

function statusFile(header) {
  const failures = entries(header, 'SPC_STATUS_LIST').filter(({ number }) => number !== 0);
  const lines = (line) => failures.map(line).join('');
  return `${origin('status.h')}
/** What each code means. */
export const ERROR_MESSAGES = {
${lines(({ name, message }) => `  ${name}: '${message.replaceAll("'", "\\'")}',\n`)}} as const;

/** What went wrong, by name; the same names as the \`SPC_\` statuses of the C library. */
export type ErrorCode = keyof typeof ERROR_MESSAGES;

/** The codes by status number. */
export const ERROR_CODES: { readonly [status: number]: ErrorCode } = {
${lines(({ name, number }) => `  ${number}: '${name}',\n`)}};
`;
}

function operationsFile(header) {
  const lines = entries(header, 'SPC_OPERATION_LIST').map(
    ({ name, number }) => `  ${name}: ${number},\n`,
  );
  return `${origin('operations.h')}
/** The numbers of the operations of \`call\`; operations.h describes requests and responses. */
export const OPERATIONS = {
${lines.join('')}} as const;
`;
}

function sizesFile(sponge, sha2) {
  const sizes = ['FIELD_BYTES', 'SPONGE_RATE', 'STATE_BYTES', 'SPONGE_BYTES', 'SPONGE_FIELDS',
    'SPONGE_BLOB_MAX_FIELDS'];
  return `${origin('sponge.h')}${sizes.map((name) => constant(sponge, name)).join('')}
${origin('sha2.h')}${['SHA256_BYTES', 'SHA384_BYTES'].map((name) => constant(sha2, name)).join('')}`;
}

function versionFile(header) {
  const version = /#define SPC_VERSION_STRING "([^"]*)"/.exec(header)[1];
  return `${origin('spicule.h')}
/** The version of this package and of the C library inside. */
export const VERSION = '${version}';
`;
}

export function generate(root) {
  const header = (name) => readFileSync(join(root, INCLUDE, name), 'utf8');
  return new Map([
    [`${OUTPUT}/status.ts`, statusFile(header('status.h'))],
    [`${OUTPUT}/operations.ts`, operationsFile(header('operations.h'))],
    [`${OUTPUT}/sizes.ts`, sizesFile(header('sponge.h'), header('sha2.h'))],
    [`${OUTPUT}/version.ts`, versionFile(header('spicule.h'))],
  ]);
}
