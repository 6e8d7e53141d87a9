// The TypeScript side of what the C headers own: statuses, operations, sizes, version.
//   node scripts/generate-typescript.mjs           writes the files
//   node scripts/generate-typescript.mjs --check   compares them
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
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
  `// From ${INCLUDE}/${header} by scripts/generate-typescript.mjs.\n`;

/** Statuses as a constant: their texts by name, and their numbers. */
function statusPart(name, failures, what) {
  const starts = failures.filter(({ number }, i) => number !== failures[i - 1]?.number + 1);
  return `/** ${what} */
export const ${name} = {
  texts: {
${failures.map((one) => `    ${one.name}: '${one.message.replaceAll("'", "\\'")}',\n`).join('')}  },
  /** The numbers of those that do not follow the one before. */
  starts: { ${starts.map((one) => `${one.name}: ${one.number}`).join(', ')} },
} as const;
`;
}

function statusFile(header) {
  const failures = entries(header, 'SPC_STATUS_LIST').filter(({ number }) => number !== 0);
  const range = (from, to) => failures.filter(({ number }) => number >= from && number < to);
  const common = failures.filter((one) => !range(70, 120).includes(one));
  return `${origin('status.h')}
${statusPart('STATUSES', common, 'What each code means: those that any part of the package may give.')}
${statusPart('SSZ_STATUSES', range(70, 100), 'Those of SSZ.')}
${statusPart('TRANSPORT_STATUSES', range(100, 120), 'Those of transports.')}
/** What went wrong, by name; the same names as the \`SPC_\` statuses of the C library. */
export type ErrorCode =
  | keyof typeof STATUSES.texts
  | keyof typeof SSZ_STATUSES.texts
  | keyof typeof TRANSPORT_STATUSES.texts;
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

const header = (name) => readFileSync(join(root, INCLUDE, name), 'utf8');
const files = {
  'status.ts': statusFile(header('status.h')),
  'operations.ts': operationsFile(header('operations.h')),
  'sizes.ts': sizesFile(header('sponge.h'), header('sha2.h')),
  'version.ts': versionFile(header('spicule.h')),
};
for (const [name, text] of Object.entries(files)) {
  const path = join(root, OUTPUT, name);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${OUTPUT}/${name} is out of date: npm run generate`);
    process.exitCode = 1;
  }
}
