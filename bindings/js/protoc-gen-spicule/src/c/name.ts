// Names in the generated C.

/** The C name of a type: its full name with underscores. */
export function cName(typeName: string): string {
  return typeName.replaceAll('.', '_');
}
