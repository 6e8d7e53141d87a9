// The program: a CodeGeneratorRequest on standard input, a CodeGeneratorResponse on standard output.
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CodeGeneratorRequestSchema, CodeGeneratorResponseSchema,
} from '@bufbuild/protobuf/wkt';

import { run } from './plugin.js';
import { VERSION } from './version.js';

export async function main(): Promise<void> {
  if (process.argv.includes('--version')) {
    process.stdout.write(`protoc-gen-spicule ${VERSION}\n`);
    return;
  }
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    const request = fromBinary(CodeGeneratorRequestSchema, Buffer.concat(chunks));
    process.stdout.write(toBinary(CodeGeneratorResponseSchema, await run(request)));
  } catch (error) {
    process.stderr.write(`protoc-gen-spicule: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
