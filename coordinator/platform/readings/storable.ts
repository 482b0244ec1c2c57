const NUL = String.fromCodePoint(0);

/** A source's text as Postgres can store it: without NUL, and with lone surrogates replaced by U+FFFD. */
export function storable(text: string): string {
  const bare = text.includes(NUL) ? text.replaceAll(NUL, '') : text;
  return bare.isWellFormed() ? bare : bare.toWellFormed();
}
