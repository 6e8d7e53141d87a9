// The C output: for a/b.proto the header a/b.spc.h.
import { create, createFileRegistry } from '@bufbuild/protobuf';
import type { DescEnum, DescFile, DescMessage, FileRegistry } from '@bufbuild/protobuf';
import {
  CodeGeneratorResponseSchema, CodeGeneratorResponse_Feature, CodeGeneratorResponse_FileSchema,
  Edition, FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import type { CodeGeneratorRequest, CodeGeneratorResponse } from '@bufbuild/protobuf/wkt';
import type { Plugin } from '@bufbuild/protoplugin';

import { VERSION } from '../version.js';
import { enumSource } from './enum.js';
import { cName } from './name.js';
import { headerSource } from './header.js';

/** A message, or an enum, with those that are nested in it. */
function* typesIn(scope: DescFile | DescMessage): Generator<DescMessage | DescEnum> {
  const [enums, messages] = scope.kind === 'file'
    ? [scope.enums, scope.messages]
    : [scope.nestedEnums, scope.nestedMessages];
  yield* enums;
  for (const message of messages) {
    yield message;
    yield* typesIn(message);
  }
}

function fileSource(file: DescFile): string {
  const types = [...typesIn(file)];
  const names = types
    .filter((type) => type.kind === 'message')
    .map((type) => `#define ${cName(type.typeName)}_NAME "${type.typeName}"\n`);
  const enums = types.filter((type) => type.kind === 'enum').map(enumSource);
  return headerSource(file, [...enums, names.join('')]);
}

function generate(request: CodeGeneratorRequest, registry: FileRegistry): CodeGeneratorResponse {
  const file = request.fileToGenerate.map((name) => {
    const desc = registry.getFile(name);
    if (desc === undefined) throw new Error(`the request lacks ${name}`);
    return create(CodeGeneratorResponse_FileSchema, {
      name: `${desc.name}.spc.h`,
      content: fileSource(desc),
    });
  });
  return create(CodeGeneratorResponseSchema, {
    file,
    supportedFeatures: BigInt(
      CodeGeneratorResponse_Feature.PROTO3_OPTIONAL |
        CodeGeneratorResponse_Feature.SUPPORTS_EDITIONS,
    ),
    minimumEdition: Edition.EDITION_PROTO2,
    maximumEdition: Edition.EDITION_2023,
  });
}

export const cPlugin: Plugin = {
  name: 'protoc-gen-spicule',
  version: VERSION,
  run(request) {
    if (request.parameter !== '') throw new Error(`unknown option: ${request.parameter}`);
    const files = create(FileDescriptorSetSchema, { file: request.protoFile });
    return generate(request, createFileRegistry(files));
  },
};
