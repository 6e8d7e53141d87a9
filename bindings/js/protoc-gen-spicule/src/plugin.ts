// One program for both outputs. The option `out` tells which (`out=c` or `out=ts`); the rest of the
// options goes to that output.
import { create } from '@bufbuild/protobuf';
import { CodeGeneratorRequestSchema } from '@bufbuild/protobuf/wkt';
import type { CodeGeneratorRequest, CodeGeneratorResponse } from '@bufbuild/protobuf/wkt';
import type { Plugin } from '@bufbuild/protoplugin';

// Loaded when asked for: protoplugin's framework for TypeScript takes over a second to start.
const OUTPUTS: { readonly [out: string]: () => Promise<Plugin> } = {
  c: async () => (await import('./c/plugin.js')).cPlugin,
  ts: async () => (await import('./ts/plugin.js')).tsPlugin,
};

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

/** Answers a request of the compiler. */
export async function run(request: CodeGeneratorRequest): Promise<CodeGeneratorResponse> {
  const { out, rest } = splitOptions(request);
  if (/(^|,)target=(?!(ts|js|dts)(\+(ts|js|dts))*(,|$))/.test(rest)) {
    throw new Error('target is ts, js or dts, or several joined by +');
  }
  const plugin = await OUTPUTS[out]();
  return plugin.run(create(CodeGeneratorRequestSchema, { ...request, parameter: rest }));
}
