/**
 * The text with the character at `at` changed for another one (negative: from its end). A fixed character in its place leaves one
 * of 64 base64url texts as it was.
 */
export function altered(text: string, at = -1): string {
  const place = at < 0 ? text.length + at : at;
  return `${text.slice(0, place)}${text[place] === '0' ? '1' : '0'}${text.slice(place + 1)}`;
}
