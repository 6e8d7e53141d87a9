// Enums: a C enum whose enumerators begin with the enum's name, as two enums of one package may
// have values of the same name.
import type { DescEnum } from '@bufbuild/protobuf';

import { cName } from './name.js';

export function enumSource(type: DescEnum): string {
  const name = cName(type.typeName);
  // -2147483648 would be the negation of a number that int does not have.
  const literal = (number: number) => (number === -(2 ** 31) ? '(-2147483647 - 1)' : `${number}`);
  const values = type.values.map((value) => `  ${name}_${value.name} = ${literal(value.number)}`);
  return `/* ${type.typeName} */\ntypedef enum ${name} {\n${values.join(',\n')}\n} ${name};\n`;
}
