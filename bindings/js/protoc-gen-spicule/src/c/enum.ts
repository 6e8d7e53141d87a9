// Enums: a C enum whose enumerators begin with the enum's name, as two enums of one package may
// have values of the same name.
import type { DescEnum } from '@bufbuild/protobuf';

import { cName } from './name.js';

// -2147483648 would be the negation of a number that int does not have.
const literal = (number: number) => (number === -(2 ** 31) ? '(-2147483647 - 1)' : `${number}`);

export function enumSource(type: DescEnum): string {
  const name = cName(type.typeName);
  const values = type.values.map((value) => `  ${name}_${value.name} = ${literal(value.number)}`);
  const numbers = [...new Set(type.values.map(({ number }) => number))].sort((a, b) => a - b);
  const cases = numbers.map((number) => `  case ${literal(number)}:`).join('\n');
  return `/* ${type.typeName} */
typedef enum ${name} {
${values.join(',\n')}
} ${name};

/* Whether the enum has a value of that number. */
SPC_GEN_MAYBE bool ${name}_has(int32_t number) {
  switch (number) {
${cases}
    return true;
  default:
    return false;
  }
}
`;
}
