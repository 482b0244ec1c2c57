const NUL = String.fromCodePoint(0);

/** A text of a source without what Postgres has no place for: NUL, and halves of characters beyond U+FFFF. */
export function storable(text: string): string {
  const bare = text.includes(NUL) ? text.replaceAll(NUL, '') : text;
  return bare.isWellFormed() ? bare : bare.toWellFormed();
}
