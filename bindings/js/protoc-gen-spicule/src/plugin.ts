// The plugin: one program for both outputs. The option `out` tells which (`out=c` or `out=ts`); the
// rest of the options goes to that output.
import { create } from '@bufbuild/protobuf';
import { CodeGeneratorRequestSchema } from '@bufbuild/protobuf/wkt';
import type { CodeGeneratorRequest } from '@bufbuild/protobuf/wkt';
import type { Plugin } from '@bufbuild/protoplugin';

import { cPlugin } from './c/plugin.js';
import { tsPlugin } from './ts/plugin.js';
import { VERSION } from './version.js';

const OUTPUTS: { readonly [out: string]: Plugin } = { c: cPlugin, ts: tsPlugin };

/** Takes `out=...` from the comma-separated options of a request. */
function splitOptions(request: CodeGeneratorRequest): { out: string; rest: string } {
  const options = request.parameter.split(',').filter((option) => option !== '');
  const outputs = options.filter((option) => option.startsWith('out='));
  const out = outputs.length === 1 ? outputs[0].slice('out='.length) : '';
  if (!Object.hasOwn(OUTPUTS, out)) {
    throw new Error('the option out=c or out=ts is needed, once');
  }
  return { out, rest: options.filter((option) => !option.startsWith('out=')).join(',') };
}

export const plugin: Plugin = {
  name: 'protoc-gen-spicule',
  version: VERSION,
  run(request) {
    const { out, rest } = splitOptions(request);
    return OUTPUTS[out].run(create(CodeGeneratorRequestSchema, { ...request, parameter: rest }));
  },
};
