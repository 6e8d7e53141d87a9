// The TypeScript output. Options are those of protoplugin's EcmaScript plugins (target=ts|js|dts,
// import_extension and so on).
import { createEcmaScriptPlugin } from '@bufbuild/protoplugin';
import type { Schema } from '@bufbuild/protoplugin';

import { VERSION } from '../version.js';

/** Writes the enums of each file as const objects with a union type. */
function generateTs(schema: Schema): void {
  for (const file of schema.files) {
    const f = schema.generateFile(`${file.name}_spc.ts`);
    f.preamble(file);
    for (const enumeration of schema.typesInFile(file)) {
      if (enumeration.kind !== 'enum') continue;
      const name = enumeration.typeName.slice(file.proto.package.length + 1).replaceAll('.', '_');
      f.print('export const ', name, ' = {');
      for (const value of enumeration.values) f.print('  ', value.name, ': ', value.number, ',');
      f.print('} as const;');
      f.print('export type ', name, ' = (typeof ', name, ')[keyof typeof ', name, '];');
      f.print();
    }
  }
}

export const tsPlugin = createEcmaScriptPlugin({
  name: 'protoc-gen-spicule',
  version: VERSION,
  generateTs,
});
