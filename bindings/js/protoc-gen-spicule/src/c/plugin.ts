// The C output: for a/b.proto the header a/b.spc.h and the source a/b.spc.c.
import { create, createFileRegistry } from '@bufbuild/protobuf';
import type { FileRegistry } from '@bufbuild/protobuf';
import {
  CodeGeneratorResponseSchema, CodeGeneratorResponse_Feature, CodeGeneratorResponse_FileSchema,
  Edition, FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import type { CodeGeneratorRequest, CodeGeneratorResponse } from '@bufbuild/protobuf/wkt';
import type { Plugin } from '@bufbuild/protoplugin';

import { VERSION } from '../version.js';
import { outputs, typesIn } from './file.js';
import { Model } from './model.js';

function generate(request: CodeGeneratorRequest, registry: FileRegistry): CodeGeneratorResponse {
  const model = new Model();
  // What is known of a message depends on all that have a field of it.
  for (const file of registry.files) {
    for (const type of typesIn(file)) if (type.kind === 'message') model.of(type);
  }
  model.markRequired();
  const file = request.fileToGenerate.flatMap((name) => {
    const desc = registry.getFile(name);
    if (desc === undefined) throw new Error(`the request lacks ${name}`);
    return outputs(desc, model).map((output) => create(CodeGeneratorResponse_FileSchema, output));
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
