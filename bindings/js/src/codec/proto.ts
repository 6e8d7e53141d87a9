/**
 * Schemas from the text of .proto files, at run time. This entry is for Node.js and needs the package
 * `@bufbuild/buf`, the compiler, which is not installed with this one.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { loadSchema } from '../codec.js';
import { type Bytes, wrongType } from '../core/bytes.js';
import { SpiculeError } from '../core/error.js';
import type { Schema, SchemaOptions } from './schema.js';

/** The text of one .proto file, or of several by the paths that they import each other by. */
export type ProtoText = string | { readonly [path: string]: string };

/** The name in errors and in descriptors of text that was given without one. */
const ONLY_FILE = 'input.proto';
const MOST_OUTPUT = 2 ** 28;

/**
 * Compiles .proto text (proto2, proto3, editions) to a FileDescriptorSet with all that it imports;
 * `google/protobuf/*.proto` need not be given. `MALFORMED` where the text is not right, with what the
 * compiler says and as `path` file, line and column; `UNAVAILABLE` without `@bufbuild/buf`.
 */
export function compileProto(text: ProtoText): Bytes {
  const files = textsOf(text);
  const folder = mkdtempSync(join(tmpdir(), 'spicule-proto-'));
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return compileFolder(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As `compileProto`, of all .proto files in a folder and those below it. */
export function compileProtoFolder(folder: string): Bytes {
  if (typeof folder !== 'string') throw wrongType('folder', 'a string', folder);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SpiculeError('NOT_FOUND', { path: folder }, 'no such folder');
  }
  return compileFolder(folder);
}

/** The types of .proto text: see `compileProto` and `loadSchema`. */
export const loadProto = (text: ProtoText, options?: SchemaOptions): Schema =>
  loadSchema(compileProto(text), options);

/** The types of all .proto files in a folder and those below it. */
export const loadProtoFolder = (folder: string, options?: SchemaOptions): Schema =>
  loadSchema(compileProtoFolder(folder), options);

function textsOf(text: ProtoText): [path: string, content: string][] {
  if (typeof text === 'string') return [[ONLY_FILE, text]];
  if (typeof text !== 'object' || text === null) {
    throw wrongType('text', 'a string or an object of texts by path', text);
  }
  const files = Object.entries(text);
  for (const [path, content] of files) {
    if (typeof content !== 'string') throw wrongType(`text[${JSON.stringify(path)}]`, 'a string', content);
    // As imports name them, so that nothing is written elsewhere.
    const steps = path.split('/');
    if (!path.endsWith('.proto') || /[\\:\0]/.test(path) || steps.some((step) => /^\.{0,2}$/.test(step))) {
      throw new SpiculeError('INVALID_ARGUMENT', { path }, 'not the path of a .proto file as imports name it');
    }
  }
  return files;
}

/** An error in the text, as the compiler lists them: one on a line. */
interface Complaint {
  readonly path?: string;
  readonly start_line?: number;
  readonly start_column?: number;
  readonly message?: string;
}

function compileFolder(cwd: string): Bytes {
  const args = ['build', '.', '--as-file-descriptor-set', '--exclude-source-info', '--error-format', 'json', '-o', '-'];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [compiler(), ...args], {
    cwd, maxBuffer: MOST_OUTPUT, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  if (status === 0) return new Uint8Array(stdout);
  const complaints = complaintsOf(String(stderr));
  if (complaints.length === 0) {
    throw new SpiculeError('UNAVAILABLE', { cause: error }, `@bufbuild/buf failed: ${error ?? stderr}`);
  }
  const place = ({ path = '', start_line: line, start_column: column }: Complaint) =>
    [path, line, column].filter((part) => part !== undefined).join(':');
  const note = complaints.map((one) => `${place(one)}: ${one.message}`).join('\n');
  throw new SpiculeError('MALFORMED', { path: place(complaints[0]!) }, note);
}

/** None where it says something else: that it can't run, or not with these options. */
function complaintsOf(output: string): Complaint[] {
  try {
    return output.trim().split('\n').map((line) => JSON.parse(line) as Complaint);
  } catch {
    return [];
  }
}

/** The program of the compiler. */
function compiler(): string {
  try {
    return createRequire(import.meta.url).resolve('@bufbuild/buf/bin/buf');
  } catch (cause) {
    const note = 'spicule/codec/proto needs the package @bufbuild/buf: npm install @bufbuild/buf';
    throw new SpiculeError('UNAVAILABLE', { cause }, note);
  }
}
