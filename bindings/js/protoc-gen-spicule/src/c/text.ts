// Pieces of generated text.

/** Moves non-empty lines to the right. */
export function indent(text: string, spaces = 2): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}

/** The pieces that are not empty, each on lines of its own. */
export function lines(...pieces: readonly (string | readonly string[])[]): string {
  return pieces.flat().filter((piece) => piece !== '').map((piece) => piece.trimEnd()).join('\n');
}

/** `head { body }` over lines; nothing when the body is empty. */
export function block(head: string, ...body: readonly (string | readonly string[])[]): string {
  const text = lines(...body);
  return text === '' ? '' : `${head} {\n${indent(text)}\n}`;
}
